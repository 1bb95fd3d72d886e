// The state at which a model is linearised: its start, or a time of its run.
#include "analysis/moment.h"
#include "analysis/rest_at_stops.h"
#include "analysis/swarms.h"
#include "integrator/crossing.h"
#include "model/switched.h"
#include "system/initial.h"
#include "system/weak.h"

#include <string.h>

#define NEXT 1e-3 // way to a singular pose within which rounding is in the derivatives of accelerations
enum { NAMES = 300 };

// At a singular pose, and next to one, the equations do not say how the motion goes on.
static hol_status refuse_pose(hol_context *ctx, const char *none, hol_dynamics *d)
{
    const hol_state *x = &d->it->x;
    char names[NAMES] = "";
    double way;
    const hol_status st = hol_crossing_way(d->it, &way);
    const bool flat = !st && d->it->crossing && hol_flat_joints(d->it->k, x, names, sizeof names);
    hol_kernel_forget_accelerations(d->it->k);
    if (st || !(flat || way < NEXT)) return st;
    const bool weak = flat || hol_weak_joints(d->it->k, x, names, sizeof names);
    return hol_fail(ctx, HOL_ERR_INTEGRATION,
                    "%s at t = %.9g s: a singular pose%s%s%s: take a time away from it", none, x->t,
                    weak ? ", in which the equations of " : "", weak ? names : "",
                    weak ? " lose their independence" : "");
}

// The state is put onto the constraints, with the rows in use.
static hol_status settle_end(hol_context *ctx, const char *none, hol_dynamics *d)
{
    hol_state *x = &d->it->x;
    hol_status st = refuse_pose(ctx, none, d);
    if (!st) st = hol_project_positions(d->it->k, x, NULL);
    if (!st) st = hol_project_velocities(d->it->k, x);
    if (!st) st = hol_solve_accelerations(d->it->k, x);
    return st > 0 ? hol_fail(ctx, HOL_ERR_INTEGRATION, "%s at t = %.6g s: a singular pose", none, x->t) : st;
}

// A run up to that time.
static hol_status go_there(hol_context *ctx, const hol_model_data *m, const hol_settings *set, double at,
                           const char *none, hol_moment *out)
{
    hol_settings to = *set;
    bool done = false;
    to.end = at;
    to.output = 0;
    if (to.step > to.end) to.step = to.end;
    hol_dynamics *d = out->d = hol_dynamics_create(ctx, m, &to, false);
    if (!d) return hol_context_status(ctx);
    hol_status st = HOL_OK;
    while (!done && !st) st = hol_dynamics_step(d, &done);
    if (!st && d->events.ended)
        st = hol_fail(ctx, HOL_ERR_USAGE, "the event %s ends the run at t = %.*g s, before %.*g s",
                      d->events.ended, hol_decimal_digits(d->it->x.t, at), d->it->x.t,
                      hol_decimal_digits(d->it->x.t, at), at);
    if (!st) st = settle_end(ctx, none, d);
    out->k = d->it->k;
    out->rank = &d->rank;
    out->x = &d->it->x;
    return st;
}

// Joints that rest at hard stops in an equilibrium near the start do so.
static hol_status rest_at_stops(hol_context *ctx, const hol_model_data *m, hol_moment *o)
{
    hol_at_rest at = {.k = o->own_kernel, .rank = o->own_rank, .x = o->own_state};
    const hol_status st = hol_rest_at_stops(ctx, m, &at, false, false, &o->held);
    o->own_kernel = at.k;
    o->own_rank = at.rank;
    o->own_state = at.x;
    if (!st) hol_equilibrium_destroy(&at.e);
    return st;
}

hol_status hol_moment_create(hol_context *ctx, const hol_model_data *m, const hol_settings *set, double at,
                             bool rests, const char *none, hol_moment *out)
{
    memset(out, 0, sizeof *out);
    const hol_status refused = hol_swarms_refuse(ctx, m, "the linearised motion");
    if (refused) return refused;
    if (at > 0) return go_there(ctx, m, set, at, none, out);
    hol_status st = hol_initialise(ctx, m, false, &out->own_kernel, &out->own_state, &out->own_rank);
    if (st) return st;
    out->k = &out->own_kernel;
    out->rank = &out->own_rank;
    out->x = &out->own_state;
    if (out->rank->momentary)
        st = hol_fail(ctx, HOL_ERR_INTEGRATION,
                      "%s at the start: a singular pose, in which the joints lose independence", none);
    if (out->rank->large_components)
        st = hol_fail(
            ctx, HOL_ERR_USAGE,
            "%s: a group of loops has more than %d equations, so that its degrees of freedom are not "
            "known",
            none, HOL_RANK_MAX_ROWS);
    const bool stops = rests && m->n_stops && !m->nk && m->nq - out->k->s->nc <= HOL_EQUILIBRIUM_MOST;
    if (!st && stops && !hol_equilibrium_is_driven(out->k, out->x)) st = rest_at_stops(ctx, m, out);
    return st;
}

void hol_moment_destroy(hol_moment *o)
{
    hol_dynamics_destroy(o->d);
    if (!o->d && o->k) {
        hol_state_destroy(&o->own_state);
        hol_rank_destroy(&o->own_rank);
        hol_start_destroy(&o->own_kernel);
    }
    hol_model_unswitch(o->held);
    memset(o, 0, sizeof *o);
}
