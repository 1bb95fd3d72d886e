// Angles in the plane nearest to those drawn; see unwind.h. Bodies with rows that count whole turns go by groups: each by its own turns, as
// gears let them, or all by the same, as welded ones do.
#include "system/unwind.h"

#include <math.h>
#include <string.h>

#define TURN (2 * HOL_PI)
#define HOLDS 1e-6 // by which rows may differ, by natural size: a whole turn is seen from there on

typedef struct {
    hol_assembler *a;
    double *turns;      // whole turns of each body from the angle drawn                           (bodies)
    double *phi, *here; // the rows at the pose, and at another one                                (nc)
    int *group;         // the first body of those that are tied                                   (bodies)
} unwinder;

static double *angle_of(const unwinder *u, int body) { return &u->a->x.q[u->a->m.body[body].q + 2]; }

// Do the rows hold as before, with these turns taken off?
static bool holds(const unwinder *u)
{
    hol_equations *s = u->a->k.s;
    hol_equations_residual(s, &u->a->x, NULL, u->here);
    for (int i = 0; i < s->nc; i++)
        if (!(fabs(u->here[i] - u->phi[i]) <= HOLDS * s->row_size[i])) return false;
    return true;
}

// Whole turns from the angles drawn; false: none.
static bool count(const unwinder *u)
{
    const hol_model_data *m = &u->a->m;
    bool any = false;
    for (int b = 0; b < m->n_bodies; b++) {
        const bool planar = m->body[b].frame == HOL_FRAME_PLANAR;
        u->turns[b] = planar ? round((*angle_of(u, b) - u->a->asked[m->body[b].q + 2]) / TURN) : 0;
        any = any || u->turns[b] != 0;
    }
    return any;
}

// Takes off the bodies of a group (-1: all) each its own turns, or all the same (NULL: their own). False: the rows do not allow it, and nothing
// is done.
static bool take_off(const unwinder *u, int group, const double *same)
{
    const hol_model_data *m = &u->a->m;
    for (int sign = -1; sign <= 1; sign += 2) {
        for (int b = 0; b < m->n_bodies; b++)
            if (m->body[b].frame == HOL_FRAME_PLANAR && (group < 0 || u->group[b] == group))
                *angle_of(u, b) += sign * TURN * (same ? *same : u->turns[b]);
        if (sign < 0 && holds(u)) return true;
    }
    return false;
}

// Bodies of which rows count the turns together.
static void tie(const unwinder *u)
{
    hol_equations *s = u->a->k.s;
    const hol_model_data *m = &u->a->m;
    for (int b = 0; b < m->n_bodies; b++) u->group[b] = b;
    for (int b = 0; b < m->n_bodies; b++) {
        if (m->body[b].frame != HOL_FRAME_PLANAR) continue;
        *angle_of(u, b) += TURN;
        hol_equations_residual(s, &u->a->x, NULL, u->here);
        *angle_of(u, b) -= TURN;
        for (int i = 0; i < s->nc; i++) {
            if (fabs(u->here[i] - u->phi[i]) <= HOLDS * s->row_size[i]) continue;
            const hol_element *e = &m->element[m->row_element[s->model_row[i]]];
            for (int k = 0; k < e->n_bodies; k++) {
                const int from = u->group[e->body[k]], to = u->group[b];
                for (int c = 0; c < m->n_bodies && from != to; c++)
                    if (u->group[c] == from) u->group[c] = to;
            }
        }
    }
}

// The turns that, taken off all of a group, make the change the least.
static bool take_off_the_same(const unwinder *u, int group)
{
    const int n = u->a->m.n_bodies;
    double best = hol_assembly_change(u->a), off = 0;
    for (int b = 0; b < n; b++) {
        const double turns = u->turns[b], back = -turns;
        if (u->group[b] != group || turns == 0 || turns == off || !take_off(u, group, &turns)) continue;
        const double change = hol_assembly_change(u->a);
        (void)take_off(u, group, &back);
        if (!(change < best)) continue;
        best = change;
        off = turns;
    }
    return off != 0 && take_off(u, group, &off);
}

// First all at once, which suffices where no row counts turns, then group by group.
static bool unwind(const unwinder *u)
{
    bool any = false;
    hol_equations_residual(u->a->k.s, &u->a->x, NULL, u->phi);
    if (!count(u)) return false;
    if (take_off(u, -1, NULL)) return true;
    tie(u);
    for (int b = 0; b < u->a->m.n_bodies; b++) {
        bool wound = false;
        for (int c = 0; c < u->a->m.n_bodies; c++) wound = wound || (u->group[c] == b && u->turns[c] != 0);
        if (wound && (take_off(u, b, NULL) || take_off_the_same(u, b))) any = true;
    }
    return any;
}

hol_status hol_assembly_unwind(hol_assembler *a, bool *any)
{
    const hol_equations *s = a->k.s;
    const size_t bodies = (size_t)a->m.n_bodies;
    unwinder u = {.a = a, .turns = hol_calloc(s->ctx, bodies + 2 * (size_t)s->nc + 1, sizeof *u.turns)};
    u.group = hol_calloc(s->ctx, bodies + 1, sizeof *u.group);
    const hol_status st = u.turns && u.group ? HOL_OK : HOL_ERR_MEMORY;
    *any = false;
    if (!st) {
        u.phi = u.turns + bodies;
        u.here = u.phi + s->nc;
        *any = unwind(&u);
    }
    hol_free(u.turns);
    hol_free(u.group);
    return st;
}
