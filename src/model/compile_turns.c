// Where a driver of an angle chooses how many full turns its joint begins with: what `check` and runs say of it, and the pose of the plane,
// where angles have their turns, that the start is looked for from.
#include "element/coordinate.h"
#include "model/compile.h"

#include <math.h>
#include <string.h>

#define TURN (2 * HOL_PI)

// Has the file said where this angle begins, by `turns` or limits?
static bool is_said(const hol_model_data *m, const hol_leaf *place)
{
    for (int i = 0; i < m->n_counters && place->turns; i++)
        if (m->counter[i].leaf->turns == place->turns && m->counter[i].said) return true;
    return false;
}

// What there is to do about it.
static const char *way_out(const hol_compiler *c, const hol_element *joint, double turns, double wanted)
{
    hol_arena *arena = c->spec->arena;
    if (c->m->dimension == 2)
        return hol_arena_print(arena,
                               "in the plane an angle is drawn with its turns. Shift the driver by %.0f deg "
                               "to begin without them, or draw \"%s\" at %.6g deg if they are meant",
                               -360 * turns, joint->name, wanted * 360 / TURN);
    return hol_arena_print(
        arena,
        "a pose in space does not say how many full turns there are. Shift the driver by "
        "%.0f deg to begin without them, or give the joint `turns: %.0f` if they are meant",
        -360 * turns, turns);
}

// ---- what moves with a joint ----------------------------------------------------------------------------------

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

// The body, and what hangs on it by a bridge: its joints keep their angles when all of it turns.
static void find_carried(walk *w, int body)
{
    memset(w->carried, 0, (size_t)w->m->n_bodies);
    w->carried[body] = 1;
    // Parents are met before what hangs on them.
    for (int b = 0; b < w->m->n_bodies; b++) w->stack[b] = -1;
    for (int b = 0; b < w->m->n_bodies; b++)
        if (w->found[b]) w->stack[w->found[b] - 1] = b;
    for (int i = 1; i < w->m->n_bodies && w->stack[i] >= 0; i++) {
        const int b = w->stack[i], from = w->m->element[w->by[b] / 2].end[w->by[b] % 2].body;
        const bool bridge = w->low[b] > w->found[from] && !w->grounded[b];
        w->carried[b] = w->carried[from] && (from != body || bridge);
    }
}

// A pose of the plane is the same with whole turns more of what moves with a joint, of its second body rather than of the first. Without
// them the search for the start would wind the links of a loop, or end on another branch.
static hol_status turn_start(hol_model_data *m, const hol_element *joint, double turns)
{
    walk w = {0};
    const int end[2] = {joint->end[0].body, joint->end[1].body};
    hol_status st = start_walk(m, &w);
    int moving = end[1] >= 0;
    if (!st) walk_from(&w, end[moving], joint, end[!moving]);
    if (!st && moving && end[0] >= 0 && w.grounded[end[1]] && !w.found[end[0]]) {
        walk_from(&w, end[0], joint, end[1]);
        moving = w.grounded[end[0]];
        if (moving) walk_from(&w, end[1], joint, end[0]);
    }
    if (!st) find_carried(&w, end[moving]);
    for (int b = 0; b < m->n_bodies && !st; b++)
        if (w.carried[b] && m->body[b].frame == HOL_FRAME_PLANAR)
            m->q0[m->body[b].q + 2] += (moving ? 1 : -1) * turns * TURN;
    end_walk(&w);
    return st;
}

// ---- what is said of it ---------------------------------------------------------------------------------------

// That the driver chooses so many turns, and what to do if they are not meant.
static hol_status tell(hol_compiler *c, const hol_element *joint, const hol_element *driver, double drawn,
                       double wanted, double turns)
{
    hol_spec *spec = c->spec;
    const char *way = way_out(c, joint, turns, wanted),
               *text = way ? hol_arena_print(spec->arena,
                                             "drivers.%s: it has the angle of \"%s\" begin at %.6g deg, %.0f "
                                             "full turn%s %s where it is drawn, at %.6g deg\n: %s",
                                             driver->name, joint->name, wanted * 360 / TURN, fabs(turns),
                                             fabs(turns) == 1 ? "" : "s", turns > 0 ? "on from" : "back from",
                                             drawn * 360 / TURN, way)
                           : NULL;
    if (!text || !HOL_ARENA_GROW(spec->arena, spec->remark, spec->n_remarks)) return HOL_ERR_MEMORY;
    spec->remark[spec->n_remarks++] = (hol_spec_remark){"turns", text};
    return HOL_OK;
}

// One driver of the angle of one joint. exact: it is one that the assembly holds, by what the file says of the joint.
static hol_status look(hol_compiler *c, const hol_element *joint, const hol_element *driver, bool exact)
{
    hol_leaf place;
    hol_joint_leaf(joint, c->m->dimension, hol_joint_driven_turn(joint, c->m->dimension), &place);
    const double drawn = hol_drawn_leaf(c->m, &place), mirrored = hol_mirror_axial(joint->mirror, 2),
                 wanted = mirrored * hol_driven_angle(driver, 0), turns = round((wanted - drawn) / TURN);
    if (!isfinite(turns) || turns == 0 || is_said(c->m, &place)) return HOL_OK;
    const hol_status st = exact ? HOL_OK : tell(c, joint, driver, drawn, wanted, turns);
    if (st || c->m->dimension == 3 || driver->idle) return st;
    return turn_start(c->m, joint, mirrored * turns);
}

hol_status hol_look_driven_turns(hol_compiler *c)
{
    const hol_model_data *m = c->m;
    hol_status st = HOL_OK;
    for (int i = 0; i < m->n_elements + m->n_holds; i++) {
        const hol_element *driver = &m->element[i];
        if (driver->type != &hol_driver_angle) continue;
        for (int k = 0; k < i && k < m->n_elements && !st; k++) {
            const hol_element *joint = &m->element[k];
            if (joint->type->role == HOL_ROLE_JOINT && hol_joint_driven_turn(joint, m->dimension) &&
                hol_joint_is_driven(joint, driver))
                st = look(c, joint, driver, i >= m->n_elements);
        }
    }
    return st;
}
