// Angles of space that have no value for a moment; see undefined.h.
#include "analysis/undefined.h"

#include <math.h>

bool hol_angle_is_undefined(const hol_model_data *m, const hol_leaf *leaf, double t, const double *q)
{
    hol_real y[HOL_MAX_Y], w[HOL_MAX_Y];
    if (leaf->kind != HOL_LEAF_QUANTITY || leaf->measured.kind != HOL_MEASURED_COMPONENT) return false;
    hol_gather(m, leaf->n_bodies, leaf->body, t, q, NULL, 0, y, w);
    return hol_quantity_breadth(&leaf->measured.part[0], leaf->ny, y) < HOL_QUANTITY_NARROW;
}

// Has it gone by elsewhere than its rates at both ends of the step say? Where a step goes over such a pose it is half a turn.
static bool has_leapt(const hol_undefined *u, const hol_leaf *leaf)
{
    const double *before = u->it->before.mem + leaf->turns - 1, *mem = u->it->x.mem + leaf->turns - 1,
                 h = mem[HOL_TURNS_TIME] - before[HOL_TURNS_TIME],
                 way = mem[HOL_TURNS_VALUE] - before[HOL_TURNS_VALUE],
                 even = 0.5 * h * (before[HOL_TURNS_RATE] + mem[HOL_TURNS_RATE]);
    return h > 0 && fabs(way - even) > HOL_PI / 2;
}

// Tells of those that are not told of, after a step or at the start.
static void look(hol_undefined *u, bool start)
{
    const hol_state *x = &u->it->x;
    const hol_model_data *m = u->it->s->m;
    for (int i = 0; i < m->n_counters; i++) {
        const hol_counter *k = &m->counter[i];
        const bool here = !u->told[i] && hol_angle_is_undefined(m, k->leaf, x->t, x->q);
        if (u->told[i] || !(here || (!start && has_leapt(u, k->leaf)))) continue;
        u->told[i] = true;
        hol_note(
            u->it->ctx, HOL_WARNING,
            "t = %.6g s: %s has no value in the pose %s: "
            "the direction that it measures vanishes, as "
            "where the rotation about another axis is a quarter turn, and behind it the angle may be half a "
            "turn off. The `angle` of a joint has a value wherever the joint holds",
            x->t, k->text, here ? "there" : "that the last step has gone over");
    }
}

hol_status hol_undefined_create(const hol_integrator *it, hol_undefined *u)
{
    u->it = it;
    u->told = hol_calloc(it->ctx, (size_t)it->s->m->n_counters + 1, sizeof *u->told);
    if (!u->told) return HOL_ERR_MEMORY;
    look(u, true);
    return HOL_OK;
}

void hol_undefined_destroy(hol_undefined *u)
{
    hol_free(u->told);
    u->told = NULL;
}

void hol_undefined_look(hol_undefined *u)
{
    if (u->it->s->m->n_counters) look(u, false);
}
