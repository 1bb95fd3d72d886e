// The part of holonom.h for programs around a simulation: inputs, advance, states, snapshots, reset.
#include "analysis/ports.h"
#include "api/api.h"

#include <math.h>
#include <string.h>

#define ROUNDING 1e-14 // a part of the end: what is behind it by less is the end

// The simulation goes on: it has neither failed nor been finished.
static hol_status need_going(hol_simulation *sim, const char *call)
{
    hol_context *ctx = sim->ctx;
    if (sim->status) return sim->status; // its message stands
    hol_context_clear(ctx);
    sim->valued = false;
    return !sim->finished ? HOL_OK
                          : hol_fail(ctx, HOL_ERR_USAGE, "%s: the simulation has been finished", call);
}

// ---- inputs -----------------------------------------------------------------------------------------------------

static int held_of(const hol_simulation *sim, int i) { return hol_model_input(sim->d->m, i); }

int hol_simulation_inputs(const hol_simulation *sim) { return sim ? hol_model_inputs(sim->d->m) : 0; }

const char *hol_simulation_input_name(const hol_simulation *sim, int i)
{
    const int k = sim ? held_of(sim, i) : -1;
    return k < 0 ? NULL : sim->d->m->held[k].name;
}

const char *hol_simulation_input_unit(const hol_simulation *sim, int i)
{
    const int k = sim ? held_of(sim, i) : -1;
    return k < 0 ? NULL : sim->d->m->held[k].unit ? sim->d->m->held[k].unit : "";
}

int hol_simulation_find_input(const hol_simulation *sim, const char *name)
{
    for (int i = 0, n = name ? hol_simulation_inputs(sim) : 0; i < n; i++)
        if (strcmp(hol_simulation_input_name(sim, i), name) == 0) return i;
    return -1;
}

hol_status hol_simulation_set_input(hol_simulation *sim, int i, double value)
{
    HOL_ALONE(sim, HOL_ERR_USAGE);
    const hol_status st = need_going(sim, __func__);
    const int k = held_of(sim, i);
    if (st) return st;
    if (k < 0)
        return hol_fail(sim->ctx, HOL_ERR_USAGE, "%s: there is no input %d: the model has %d", __func__, i,
                        hol_simulation_inputs(sim));
    if (!isfinite(value))
        return hol_fail(sim->ctx, HOL_ERR_USAGE, "%s: \"%s\" is to be %g, which is no finite number",
                        __func__, sim->d->m->held[k].name, value);
    return hol_drive_set(sim->d, k, value);
}

double hol_simulation_input(const hol_simulation *sim, int i)
{
    const int k = sim ? held_of(sim, i) : -1;
    return k < 0 ? (double)NAN : hol_drive_get(sim->d, k);
}

// ---- time -------------------------------------------------------------------------------------------------------

hol_status hol_simulation_advance(hol_simulation *sim, double t)
{
    HOL_ALONE(sim, HOL_ERR_USAGE);
    hol_dynamics *d = sim->d;
    const hol_status st = need_going(sim, __func__);
    if (st) return st;
    const double now = hol_drive_now(d);
    if (!(t >= now))
        return hol_fail(d->ctx, HOL_ERR_USAGE, "%s: t = %.9g s is before the present time, %.9g s", __func__,
                        t, now);
    if (t > d->set.end && t - d->set.end <= ROUNDING * d->set.end) t = d->set.end; // as 3 times 0.3 from 0.9
    if (t > d->set.end)
        return hol_fail(d->ctx, HOL_ERR_USAGE,
                        "%s: t = %.9g s is behind the end of the simulation, %.9g s: give a later `end`",
                        __func__, t, d->set.end);
    sim->begun = true;
    return sim->status = hol_drive_reach(d, t);
}

hol_status hol_simulation_happen(hol_simulation *sim)
{
    HOL_ALONE(sim, HOL_ERR_USAGE);
    const hol_status st = need_going(sim, __func__);
    if (st) return st;
    sim->begun = true;
    return sim->status = hol_drive_happen(sim->d);
}

hol_status hol_simulation_changes(hol_simulation *sim, int n, const int *input, double *out)
{
    if (!hol_simulation_values(sim)) return hol_context_status(sim->ctx); // which takes what was changed
    HOL_ALONE(sim, HOL_ERR_USAGE);
    const hol_status st = hol_ports_changes(sim->d, n, input, out);
    return st <= 0
               ? st
               : hol_fail(sim->ctx, HOL_ERR_INTEGRATION,
                          "at t = %.6g s accelerations and reactions have no changes with inputs: a singular "
                          "pose, or the masses do not determine the motion",
                          hol_drive_now(sim->d));
}

// ---- states -----------------------------------------------------------------------------------------------------

hol_status hol_simulation_get_state(hol_simulation *sim, hol_state_view *out)
{
    const hol_state *x;
    HOL_ALONE(sim, HOL_ERR_USAGE);
    if (HOL_NEED(sim->ctx, out)) return HOL_ERR_USAGE;
    const hol_status st = hol_drive_state(sim->d, &x);
    if (st) return st;
    *out = (hol_state_view){hol_drive_now(sim->d), sim->d->s->nq, sim->d->s->nx, x->q, x->v, x->X};
    return HOL_OK;
}

// No file that is being written would have rows twice.
static hol_status refuse_files(const hol_simulation *sim, const char *call)
{
    if (!sim->d->n_sinks) return HOL_OK;
    return hol_fail(
        sim->ctx, HOL_ERR_USAGE,
        "%s: results are being written, which cannot go back in time: call hol_simulation_finish before",
        call);
}

// As many numbers as the model has, all of them finite.
static hol_status check_list(hol_context *ctx, const char *what, int n, int wanted, const double *list)
{
    if (!list) return HOL_OK;
    if (n != wanted)
        return hol_fail(ctx, HOL_ERR_USAGE, "a state with %d numbers in %s is given: the model has %d", n,
                        what, wanted);
    for (int i = 0; i < n; i++)
        if (!isfinite(list[i]))
            return hol_fail(ctx, HOL_ERR_USAGE, "a state is given in which %s[%d] is no finite number", what,
                            i);
    return HOL_OK;
}

hol_status hol_simulation_set_state(hol_simulation *sim, const hol_state_view *x, double *change)
{
    double ignored;
    HOL_ALONE(sim, HOL_ERR_USAGE);
    if (HOL_NEED(sim->ctx, x)) return HOL_ERR_USAGE;
    hol_dynamics *d = sim->d;
    hol_status st = need_going(sim, __func__);
    if (!st) st = check_list(d->ctx, "q", x->n_q, d->s->nq, x->q);
    if (!st) st = check_list(d->ctx, "v", x->n_q, d->s->nq, x->v);
    if (!st) st = check_list(d->ctx, "state", x->n_states, d->s->nx, x->state);
    if (st) return st;
    if (!(x->t >= 0 && x->t < d->set.end))
        return hol_fail(d->ctx, HOL_ERR_USAGE,
                        "a state of t = %.9g s is given: the simulation goes from 0 to %.9g s", x->t,
                        d->set.end);
    if (x->t < hol_drive_now(d)) st = refuse_files(sim, __func__);
    if (st) return st;
    const hol_state given = {.t = x->t, .q = (double *)x->q, .v = (double *)x->v, .X = (double *)x->state};
    return hol_drive_place(d, &given, change ? change : &ignored);
}

// ---- snapshots --------------------------------------------------------------------------------------------------

// A snapshot may be taken of the present state: what was changed is part of it.
static hol_status settle(hol_simulation *sim, const char *call)
{
    hol_context *ctx = sim->ctx;
    if (sim->status) return sim->status;
    hol_context_clear(ctx);
    sim->valued = false;
    if (sim->costed)
        return hol_fail(ctx, HOL_ERR_USAGE, "%s: hol_simulation_costs was called: the state is gone", call);
    return sim->finished ? HOL_OK : hol_drive_settle(sim->d);
}

hol_snapshot *hol_simulation_save(hol_simulation *sim)
{
    HOL_ALONE(sim, NULL);
    return settle(sim, __func__) == HOL_OK ? hol_snapshot_take(sim->d) : NULL;
}

hol_status hol_simulation_save_again(hol_simulation *sim, hol_snapshot *snapshot)
{
    HOL_ALONE(sim, HOL_ERR_USAGE);
    if (HOL_NEED(sim->ctx, snapshot)) return HOL_ERR_USAGE;
    const hol_status st = settle(sim, __func__);
    return st ? st : hol_snapshot_retake(sim->d, snapshot);
}

// From here on it is as one that has not been finished.
static void revive(hol_simulation *sim)
{
    sim->status = HOL_OK;
    sim->finished = sim->costed = sim->valued = false;
    sim->d->n_work_parts = 0;
    sim->d->summed = false;
    hol_result_destroy(sim->record); // nobody has taken it
    sim->record = NULL;
    sim->begun = sim->recorded = false;
}

hol_status hol_simulation_restore(hol_simulation *sim, const hol_snapshot *snapshot)
{
    bool broken;
    HOL_ALONE(sim, HOL_ERR_USAGE);
    if (HOL_NEED(sim->ctx, snapshot)) return HOL_ERR_USAGE;
    hol_context_clear(sim->ctx);
    hol_status st = refuse_files(sim, __func__);
    if (st) return st;
    st = hol_snapshot_put(sim->d, snapshot, &broken);
    if (!st) revive(sim);
    if (broken) sim->status = st;
    return st;
}

void hol_snapshot_destroy(hol_snapshot *snapshot) { hol_snapshot_free(snapshot); }

size_t hol_snapshot_size(const hol_snapshot *snapshot) { return snapshot ? hol_snapshot_bytes(snapshot) : 0; }

hol_status hol_snapshot_write(const hol_snapshot *snapshot, void *bytes, size_t size)
{
    if (!snapshot || !bytes || size < hol_snapshot_bytes(snapshot)) return HOL_ERR_USAGE;
    hol_snapshot_copy(snapshot, bytes);
    return HOL_OK;
}

hol_snapshot *hol_snapshot_of_bytes(hol_context *ctx, const void *bytes, size_t size)
{
    if (HOL_NEED(ctx, ctx) || HOL_NEED(ctx, bytes)) return NULL;
    hol_context_clear(ctx);
    return hol_snapshot_from_bytes(ctx, bytes, size);
}

// A simulation made anew, and what it is at its start.
static hol_status make_anew(hol_simulation *sim)
{
    hol_dynamics *old = sim->d;
    hol_dynamics *d = hol_dynamics_create(old->ctx, old->m, &old->asked, true);
    if (!d) return hol_context_status(old->ctx);
    hol_snapshot *start = hol_drive_settle(d) ? NULL : hol_snapshot_take(d);
    if (!start) {
        hol_dynamics_destroy(d);
        return HOL_ERR_MEMORY;
    }
    hol_dynamics_destroy(old);
    sim->d = d;
    sim->start = start;
    return HOL_OK;
}

hol_status hol_simulation_reset(hol_simulation *sim)
{
    bool broken = false;
    HOL_ALONE(sim, HOL_ERR_USAGE);
    hol_context_clear(sim->ctx);
    hol_status st = refuse_files(sim, __func__);
    if (st) return st;
    if (!sim->start)
        st = make_anew(sim);
    else
        st = hol_snapshot_put(sim->d, sim->start, &broken);
    if (st) return st;
    revive(sim);
    hol_dynamics_begin_clocks(sim->d);
    return HOL_OK;
}
