// What moves with a joint of the plane, and the start with whole turns more of it.
#include "model/compile.h"

#include <string.h>

// A walk through the joints from one body on, by Tarjan's search for bridges; ground ends every way.
typedef struct {
    const hol_model_data *m;
    int *first,
        *next; // elements of each body: 2 i + the end at it of element i; -1: no more           (bodies; 2 elements)
    int *at, *by; // the end that is looked at next, and the one by which a body was reached        (bodies)
    int *found,
        *low; // number in order of discovery, 0: not reached; least that is met from below     (bodies)
    int *stack;
    char *
        grounded; // does a way from below lead to ground, or to the other body of the joint?          (bodies)
    char *
        carried; // what turns with the body                                                          (bodies)
} walk;

static int other_body(const walk *w, int end) { return w->m->element[end / 2].end[!(end % 2)].body; }

// Does the element hold two bodies, or one and ground, together?
static bool joins(const hol_element *e)
{
    return e->all_rows > 0 && e->n_ends >= 2 && e->type->role != HOL_ROLE_DRIVER && !e->type->joints;
}

// Room for a walk, and the elements at each body.
static hol_status start_walk(const hol_model_data *m, walk *w)
{
    const size_t bodies = (size_t)m->n_bodies, elements = (size_t)m->n_elements;
    int *room = hol_calloc(m->ctx, 6 * bodies + 2 * elements, sizeof *room);
    w->m = m;
    w->first = room;
    w->grounded = hol_calloc(m->ctx, 2 * bodies, 1);
    if (!room || !w->grounded) return HOL_ERR_MEMORY;
    w->at = room + bodies, w->by = w->at + bodies, w->found = w->by + bodies, w->low = w->found + bodies;
    w->stack = w->low + bodies, w->next = w->stack + bodies;
    w->carried = w->grounded + bodies;
    for (int b = 0; b < m->n_bodies; b++) w->first[b] = -1;
    for (int i = m->n_elements - 1; i >= m->n_bodies; i--)
        for (int k = 0; k < 2 && joins(&m->element[i]); k++) {
            const int body = m->element[i].end[k].body;
            if (body < 0) continue;
            w->next[2 * i + k] = w->first[body];
            w->first[body] = 2 * i + k;
        }
    return HOL_OK;
}

static void end_walk(walk *w)
{
    hol_free(w->first);
    hol_free(w->grounded);
}

// The way back from a body to the one that it was reached from.
static void go_back(walk *w, int body, int from)
{
    w->low[from] = w->low[body] < w->low[from] ? w->low[body] : w->low[from];
    w->grounded[from] |= w->grounded[body];
}

// All that is reached from a body without an element, in order of discovery; `other` counts as ground.
static void walk_from(walk *w, int body, const hol_element *without, int other)
{
    int depth = 0, found = 0;
    memset(w->found, 0, (size_t)w->m->n_bodies * sizeof *w->found);
    memset(w->grounded, 0, (size_t)w->m->n_bodies);
    w->stack[0] = body;
    w->by[body] = -1;
    w->at[body] = w->first[body];
    w->found[body] = w->low[body] = ++found;
    while (depth >= 0) {
        const int here = w->stack[depth], end = w->at[here];
        if (end < 0) {
            if (depth-- > 0) go_back(w, here, w->stack[depth]);
            continue;
        }
        const int to = other_body(w, end);
        w->at[here] = w->next[end];
        if (&w->m->element[end / 2] == without || (w->by[here] >= 0 && end / 2 == w->by[here] / 2)) continue;
        if (to < 0 || to == other)
            w->grounded[here] = 1;
        else if (w->found[to])
            w->low[here] = w->found[to] < w->low[here] ? w->found[to] : w->low[here];
        else {
            w->by[to] = end;
            w->at[to] = w->first[to];
            w->found[to] = w->low[to] = ++found;
            w->stack[++depth] = to;
        }
    }
}

// Does the element hold the angle between its two bodies, as a fixed joint does?
static bool holds_angle(const hol_element *e)
{
    const hol_prims *rows = e->data;
    bool holds = false;
    if (e->type->role != HOL_ROLE_JOINT || e->type->phi != hol_prims_phi || !joins(e)) return false;
    for (int i = 0; i < rows->n; i++) holds = holds || rows->p[i].kind == HOL_PRIM_ANGLE;
    return holds;
}

enum { ALONE = 1, WHOLE = 2 }; // it turns; so does all that is behind it

// One pass over what was reached, parents before what hangs on them: true if there was more of it.
static bool carry_behind(walk *w)
{
    bool more = false;
    for (int i = 1; i < w->m->n_bodies && w->stack[i] >= 0; i++) {
        const int b = w->stack[i], from = w->m->element[w->by[b] / 2].end[w->by[b] % 2].body;
        const bool bridge = w->low[b] > w->found[from] && !w->grounded[b];
        if (w->carried[b] || !(w->carried[from] == WHOLE || (w->carried[from] && bridge))) continue;
        w->carried[b] = WHOLE;
        more = true;
    }
    return more;
}

// The same over bodies that hold their angle to one that turns.
static bool carry_along(walk *w, int other)
{
    const hol_model_data *m = w->m;
    bool more = false;
    for (int i = m->n_bodies; i < m->n_elements; i++)
        for (int k = 0; k < 2 && holds_angle(&m->element[i]); k++) {
            const int from = m->element[i].end[k].body, to = m->element[i].end[!k].body;
            if (from < 0 || to < 0 || to == other || !w->carried[from] || w->carried[to]) continue;
            w->carried[to] = ALONE;
            more = true;
        }
    return more;
}

// The body, what hangs on it by a bridge, and what holds its angle to these: joints keep their angles when all of it turns.
static void find_carried(walk *w, int body, int other)
{
    memset(w->carried, 0, (size_t)w->m->n_bodies);
    w->carried[body] = ALONE;
    for (int b = 0; b < w->m->n_bodies; b++) w->stack[b] = -1;
    for (int b = 0; b < w->m->n_bodies; b++)
        if (w->found[b]) w->stack[w->found[b] - 1] = b;
    for (bool more = true; more;) {
        more = carry_behind(w);
        more = carry_along(w, other) || more;
    }
}

hol_status hol_turn_start(hol_arena *arena, hol_model_data *m, const hol_element *joint, double turns)
{
    walk w = {0};
    double *own = m->q0;
    const size_t nq = (size_t)m->nq;
    const int end[2] = {joint->end[0].body, joint->end[1].body};
    if (own == m->drawn_q && !(own = hol_arena_alloc(arena, nq, sizeof *own))) return HOL_ERR_MEMORY;
    if (own != m->q0) m->q0 = memcpy(own, m->q0, nq * sizeof *own);
    hol_status st = start_walk(m, &w);
    int moving = end[1] >= 0;
    if (!st) walk_from(&w, end[moving], joint, end[!moving]);
    if (!st && moving && end[0] >= 0 && w.grounded[end[1]] && !w.found[end[0]]) {
        walk_from(&w, end[0], joint, end[1]);
        moving = w.grounded[end[0]];
        if (moving) walk_from(&w, end[1], joint, end[0]);
    }
    if (!st) find_carried(&w, end[moving], end[!moving]);
    for (int b = 0; b < m->n_bodies && !st; b++)
        if (w.carried[b] && m->body[b].frame == HOL_FRAME_PLANAR)
            m->q0[m->body[b].q + 2] += (moving ? 1 : -1) * turns * 2 * HOL_PI;
    end_walk(&w);
    return st;
}
