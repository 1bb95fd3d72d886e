// Angles of space that have no value for a moment; see undefined.h.
#include "analysis/undefined.h"
#include "system/leaf.h"

#include <math.h>

#define FAR (1.5 * HOL_PI) // of a rotation vector, which ends at 2 pi [rad]

bool hol_angle_is_undefined(const hol_model_data *m, const hol_leaf *leaf, double t, const double *q)
{
    return leaf->kind == HOL_LEAF_QUANTITY && leaf->measured.kind == HOL_MEASURED_COMPONENT &&
           hol_leaf_breadth(m, leaf, t, q) < HOL_QUANTITY_NARROW;
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
        if (u->told[i] || (!start && hol_leaf_is_twist(k->leaf)) || // twists.c looks at that
            !(here || (!start && has_leapt(u, k->leaf))))
            continue;
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

// Tells of rotation vectors near their end.
static void look_at_laws(hol_undefined *u)
{
    const hol_state *x = &u->it->x;
    const hol_model_data *m = u->it->s->m;
    for (int i = u->n_laws - 1; i >= 0; i--) {
        const hol_element *e = &m->element[u->law[i]];
        hol_real y[HOL_MAX_Y];
        if (!hol_element_acts(e, x->mem)) continue;
        hol_element_gather(m, e, x->t, x->q, NULL, 0, y, NULL);
        const double turn = hol_law_turn(e->data, e->ny, y);
        if (turn < FAR) continue;
        u->law[i] = u->law[--u->n_laws];
        hol_note_at(
            u->it->ctx, HOL_WARNING, e->at,
            "t = %.6g s: %s \"%s\" is turned by %.3g rad: its rotation vector ends at a whole turn, next to "
            "which its torques mean nothing; let a joint carry what turns round, and the %s what gives way",
            x->t, e->type->name, e->name, turn, e->type->name);
    }
}

static hol_status list_laws(hol_undefined *u)
{
    const hol_model_data *m = u->it->s->m;
    u->n_laws = 0;
    u->law = hol_calloc(u->it->ctx, (size_t)m->n_elements + 1, sizeof *u->law);
    for (int i = m->n_bodies; u->law && i < m->n_elements && m->dimension == 3; i++)
        if (m->element[i].type->force == hol_law_force && hol_law_has_rotation(m->element[i].data))
            u->law[u->n_laws++] = i;
    return u->law ? HOL_OK : HOL_ERR_MEMORY;
}

hol_status hol_undefined_create(const hol_integrator *it, hol_undefined *u)
{
    u->it = it;
    if (list_laws(u)) return HOL_ERR_MEMORY;
    u->told = hol_calloc(it->ctx, (size_t)it->s->m->n_counters + 1, sizeof *u->told);
    if (!u->told) return HOL_ERR_MEMORY;
    look(u, true);
    look_at_laws(u);
    return HOL_OK;
}

void hol_undefined_destroy(hol_undefined *u)
{
    hol_free(u->told);
    hol_free(u->law);
    u->told = NULL;
    u->law = NULL;
}

void hol_undefined_look(hol_undefined *u)
{
    if (u->it->s->m->n_counters) look(u, false);
    if (u->n_laws) look_at_laws(u);
}
