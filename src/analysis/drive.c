// A simulation that a program goes through: advance to a time, inputs and parameters set on the way, states taken and given.
// docs/theory.md, section 8.12.
//
// The method goes on with steps of its own size; a time asked for within a step is interpolated, as rows of results are, and what
// lies behind it waits: rows, events. Where an input changes there the step is cut: it ends at that time, and the method starts anew
// with its running step size. The next advance then ends exactly where it is asked to, since another change is likely there.
#include "analysis/dynamics.h"
#include "integrator/crossing.h"
#include "system/kernel.h"

#include <float.h>
#include <math.h>
#include <string.h>

static hol_status make_room(hol_dynamics *d)
{
    hol_drive *r = &d->drive;
    const size_t n = (size_t)d->m->n_held + 1;
    if (!r->given) r->given = hol_calloc(d->ctx, n, sizeof *r->given);
    if (!r->set) r->set = hol_calloc(d->ctx, n, sizeof *r->set);
    if (!r->given || !r->set) return HOL_ERR_MEMORY;
    const hol_status st = r->trial.q ? HOL_OK : hol_state_create(d->s, &r->trial);
    return st || r->taken.q ? st : hol_state_create(d->s, &r->taken);
}

void hol_drive_destroy(hol_dynamics *d)
{
    hol_drive *r = &d->drive;
    hol_state_destroy(&r->trial);
    hol_state_destroy(&r->taken);
    hol_free(r->given);
    hol_free(r->set);
    *r = (hol_drive){.stop = HOL_INF, .limit = HOL_INF};
}

double hol_drive_now(const hol_dynamics *d) { return d->drive.waiting ? d->drive.now : d->it->x.t; }

// ---- the state at the present time ------------------------------------------------------------------------------

// By the method's own way, where it has one.
static hol_status put_on_joints(hol_dynamics *d, hol_state *x)
{
    hol_integrator *it = d->it;
    hol_crossed how;
    hol_status st = hol_crossing_of_step(it, x, &how);
    if (how == HOL_CROSSED_TAKEN) hol_crossing_bound(d->s, x);
    if (st || how == HOL_CROSSED_TAKEN) return st;
    if (it->method->open || !d->s->nc) {
        hol_state_hold_norms(d->s, x);
        return HOL_OK;
    }
    if (it->method->close) return hol_integrator_close(it, x);
    st = hol_kernel_need(it->k);
    if (!st) st = hol_project_positions(it->k, x, NULL);
    return st ? st : hol_project_velocities(it->k, x);
}

// The state at the present time, within the last step: in r->trial.
static hol_status find_present(hol_dynamics *d)
{
    hol_drive *r = &d->drive;
    hol_status st = make_room(d);
    if (st) return st;
    const hol_evaluations count = d->s->count;
    st = hol_integrator_interpolate(d->it, r->now, &r->trial);
    if (st >= 0) st = put_on_joints(d, &r->trial);
    d->s->count = count;
    return st <= 0 ? st
                   : hol_fail(d->ctx, HOL_ERR_INTEGRATION,
                              "stopped at t = %.6g s: no state on the joints was found there", r->now);
}

hol_status hol_drive_state(hol_dynamics *d, const hol_state **x)
{
    const hol_status st = d->drive.waiting ? find_present(d) : HOL_OK;
    *x = d->drive.waiting ? &d->drive.trial : &d->it->x;
    return st;
}

// The last step ends at the present time: what lies behind it is forgotten.
static hol_status cut(hol_dynamics *d)
{
    const hol_status st = find_present(d);
    const hol_status cut_short = st ? st : hol_contacts_cut(&d->contacts, &d->drive.trial);
    if (cut_short) return cut_short;
    hol_swarm_watch_cut(&d->swarms, d->drive.now);
    d->work = hol_account_work_at(d, d->drive.now);
    hol_state_copy(d->s, &d->it->x, &d->drive.trial);
    hol_equations_remember(d->s, &d->it->x);
    hol_events_forget(&d->events);
    d->jumps.stop = d->jumps.edge = HOL_INF;
    d->drive.waiting = false;
    return HOL_OK;
}

// ---- inputs -----------------------------------------------------------------------------------------------------

hol_status hol_drive_set(hol_dynamics *d, int i, double value)
{
    const hol_status st = make_room(d);
    if (st) return st;
    const hol_held *h = &d->m->held[i];
    double *u = d->it->x.mem + h->slot;
    if (h->linear) {
        u[HOL_RAMP_TARGET] = value;
        return HOL_OK;
    }
    if (!d->drive.set[i] && *u == value) return HOL_OK;
    d->drive.given[i] = value;
    d->drive.set[i] = 1;
    d->drive.changed = true;
    return HOL_OK;
}

double hol_drive_get(const hol_dynamics *d, int i)
{
    const hol_drive *r = &d->drive;
    const hol_held *h = &d->m->held[i];
    if (r->set && r->set[i] && !h->linear) return r->given[i];
    return hol_held_value(h, d->it->x.mem, hol_drive_now(d));
}

// What becomes of inputs in a straight line whose targets are not reached: they go there up to a time, wait for the next one that is
// named, or are there at once.
typedef enum { GO, WAIT, JUMP } straight;

// One of them from t on; t1 is read with GO.
static void take_straight(double u[HOL_RAMP_SIZE], straight how, double t, double t1)
{
    const double to = u[HOL_RAMP_TARGET], now = hol_ramp(u, t), size = fmax(fabs(now), fabs(to));
    const bool there = fabs(to - now) <= 4 * DBL_EPSILON * fmax(size, fabs(u[0]));
    const double from = there || how == JUMP ? to : now;
    u[0] = from;
    u[1] = how == GO && t1 > t ? (to - from) / (t1 - t) : 0;
    u[2] = t;
}

// What was given, into the memory.
static void take_inputs(hol_dynamics *d, straight how, double t1)
{
    hol_drive *r = &d->drive;
    for (int i = 0; i < d->m->n_held; i++) {
        const hol_held *h = &d->m->held[i];
        double *u = d->it->x.mem + h->slot;
        if (h->linear) take_straight(u, how, d->it->x.t, t1);
        if (r->set[i]) *u = r->given[i];
        r->set[i] = 0;
    }
    r->changed = false;
}

// Is some input on its way in a straight line, or waits for it?
static bool ramps(const hol_dynamics *d)
{
    for (int i = 0; i < d->m->n_held; i++) {
        const double *u = d->it->x.mem + d->m->held[i].slot;
        if (d->m->held[i].linear && (u[1] != 0 || u[HOL_RAMP_TARGET] != u[0])) return true;
    }
    return false;
}

// Do other parameters than inputs change? Then what grows may grow faster.
static bool tunes(const hol_dynamics *d)
{
    for (int i = 0; i < d->m->n_held; i++)
        if (d->drive.set[i] && !d->m->held[i].input) return true;
    return false;
}

// Accelerations and multipliers with the forces of now: the method's own, where it finds them at every stage.
static hol_status accelerate(hol_dynamics *d, const char *where)
{
    hol_integrator *it = d->it;
    hol_crossed how;
    hol_status st = hol_crossing_of_state(it, &it->x, &how);
    if (how == HOL_CROSSED_TAKEN) hol_crossing_bound(d->s, &it->x);
    if (st || how == HOL_CROSSED_TAKEN) return st;
    if (!it->method->evaluate) return hol_dynamics_accelerate(d, where);
    st = it->method->evaluate(it, &it->x, HOL_WANT_ALL);
    return st > 0 ? hol_dynamics_accelerate(d, where) : st;
}

// The method starts anew at the present state, whose forces have changed, with its running step size.
static hol_status start_anew(hol_dynamics *d, bool tuned)
{
    hol_integrator *it = d->it;
    const double h = it->h;
    hol_measure now;
    hol_status st = accelerate(d, "with this input");
    if (!st) st = hol_integrator_restart(it);
    if (st) return st;
    it->h = h;
    if (d->powers == HOL_POWER_ROWS) hol_account_measure(d, &it->x, &now);
    d->power = d->powers == HOL_POWER_ROWS ? now.power : d->powers == HOL_POWER_FORCES ? (double)NAN : 0;
    d->slope_known = false;
    if (tuned) st = hol_growth_watch(&d->growth, it, true);
    d->drive.held = d->drive.holds;
    return st || d->drive.holds ? st : hol_dynamics_happen(d);
}

// What has changed at the present time becomes part of the motion.
static hol_status take_changes(hol_dynamics *d, straight how, double t1)
{
    hol_status st = d->drive.waiting ? cut(d) : HOL_OK;
    if (st) return st;
    const bool tuned = tunes(d), fresh = d->it->count.steps == 0;
    take_inputs(d, how, t1);
    st = start_anew(d, tuned && !fresh);
    return st;
}

hol_status hol_drive_settle(hol_dynamics *d)
{
    hol_status st = make_room(d);
    if (st || !(d->drive.changed || d->drive.waiting)) return st;
    d->drive.exact = true; // who takes states out of the middle of steps does so again
    return take_changes(d, WAIT, 0);
}

// ---- time -------------------------------------------------------------------------------------------------------

hol_status hol_drive_jump(hol_dynamics *d)
{
    if (!d->drive.changed && !ramps(d)) return HOL_OK; // most runs end without a need for the room
    const hol_status st = make_room(d);
    return st ? st : take_changes(d, JUMP, 0);
}

hol_status hol_drive_step(hol_dynamics *d, bool *done)
{
    const hol_status st = hol_drive_jump(d);
    d->drive.limit = d->drive.stop = HOL_INF;
    d->drive.exact = false;
    return st ? st : hol_dynamics_step(d, done);
}

hol_status hol_drive_reach(hol_dynamics *d, double t)
{
    hol_drive *r = &d->drive;
    bool done = false;
    hol_status st = make_room(d);
    if (st || !(t > hol_drive_now(d))) return st;
    const bool changes = r->changed || ramps(d);
    if (changes) st = take_changes(d, GO, t);
    r->stop = changes || r->exact ? t : HOL_INF;
    r->exact = changes;
    r->limit = t;
    r->halted = false;
    while (!st && d->it->x.t < t && !done && !r->halted) st = hol_dynamics_step(d, &done);
    if (!st && r->waiting) st = hol_dynamics_tell(d, &done);
    r->now = t;
    r->stop = HOL_INF;
    return st;
}

bool hol_drive_is_due(hol_dynamics *d) { return !d->drive.waiting && hol_events_wait(&d->events); }

// What was changed comes first, and what is due with it.
hol_status hol_drive_happen(hol_dynamics *d)
{
    bool done;
    const hol_status st = d->drive.changed ? hol_drive_settle(d) : HOL_OK;
    if (st || !(hol_drive_is_due(d) || d->drive.held)) return st;
    d->drive.halted = d->drive.held = false;
    return hol_dynamics_conclude(d, &done);
}

// ---- another state ----------------------------------------------------------------------------------------------

// Where q, v, X or the memory is not given, that of the present stays.
static void take_state(const hol_dynamics *d, const hol_state *from, hol_state *x)
{
    const hol_equations *s = d->s;
    x->t = from->t;
    if (from->q) memmove(x->q, from->q, (size_t)s->nq * sizeof *x->q); // it may be a view
    if (from->v) memmove(x->v, from->v, (size_t)s->nq * sizeof *x->v);
    if (from->X) memmove(x->X, from->X, (size_t)s->nx * sizeof *x->X);
    if (from->mem) memmove(x->mem, from->mem, (size_t)s->m->n_mem * sizeof *x->mem);
    if (!from->mem) hol_equations_stop_turns(s, x);
}

// Onto the joints, whatever the method holds; *change: the largest one of a coordinate by natural size, or of a velocity by that and the
// natural time, against what was taken.
static hol_status close_state(hol_dynamics *d, double *change)
{
    const hol_state *taken = &d->drive.taken;
    hol_equations *s = d->s;
    hol_state *x = &d->it->x;
    hol_status st = s->nc || s->nk ? hol_kernel_need(d->it->k) : HOL_OK;
    if (!st && s->nc) st = hol_project_positions(d->it->k, x, NULL);
    if (!st && (s->nc || s->nk)) st = hol_project_velocities(d->it->k, x);
    *change = st ? 0
                 : fmax(hol_equations_distance(s, x->q, taken->q),
                        hol_equations_distance(s, x->v, taken->v) * d->m->time_scale);
    return st <= 0 ? st
                   : hol_fail(d->ctx, HOL_ERR_ASSEMBLY,
                              "the state given at t = %.6g s cannot be put onto the joints: give one that is "
                              "nearer to them",
                              taken->t);
}

// A method that begins at another state, whose energy is no error of the one before; remembers: it has its memory.
static hol_status start_there(hol_dynamics *d, bool remembers)
{
    hol_integrator *it = d->it;
    hol_measure now;
    hol_equations_remember(d->s, &it->x);
    hol_contacts_place(&d->contacts, remembers);
    hol_status st = hol_swarm_watch_place(&d->swarms);
    if (!st) st = hol_events_place(&d->events);
    if (!st) st = hol_dynamics_accelerate(d, "at the state given");
    if (!st) st = hol_integrator_restart(it);
    if (st) return st;
    hol_account_measure(d, &it->x, &now);
    if (!isfinite(now.position + now.velocity + now.kinetic + now.potential))
        return hol_fail(d->ctx, HOL_ERR_ASSEMBLY,
                        "the state given at t = %.6g s is too large to be put onto the joints", it->x.t);
    d->power = now.power;
    d->slope_known = false;
    d->energy0 = now.kinetic + now.potential - d->work;
    d->unbalanced = 0;
    d->jumps.stop = d->jumps.edge = HOL_INF;
    d->even = 0;
    hol_dynamics_place_outputs(d);
    st = hol_loads_update(&d->loads, it->x.mem, it->x.t);
    if (!st) st = hol_growth_watch(&d->growth, it, true);
    return st ? st : hol_contacts_move(&d->contacts, &d->drive.trial);
}

// What rests at hard stops would be put back there: it is free where a program puts it, and rests again where that is at the stop.
static hol_status let_rests_go(hol_dynamics *d)
{
    hol_state x = {0};
    bool rests = false;
    hol_status st = hol_state_create(d->s, &x);
    if (st) return st;
    hol_state_copy(d->s, &x, &d->it->x);
    for (int i = 0; i < d->m->n_events; i++) {
        const hol_event *v = &d->m->event[i];
        const hol_element *rest = v->rest ? &d->m->element[v->rest - 1] : NULL;
        if (!rest || !rest->n_rows) continue;
        x.mem[rest->gate - 1] = 0;
        x.mem[v->sign] = v->impact ? -1 : 0;
        rests = true;
    }
    if (rests) st = hol_dynamics_become(d, &x);
    hol_state_destroy(&x);
    return st;
}

hol_status hol_drive_place(hol_dynamics *d, const hol_state *given, double *change)
{
    hol_status st = hol_drive_settle(d);
    if (!st && given->mem && hol_model_switched(d->m, given->mem) >= 0) st = hol_dynamics_become(d, given);
    if (!st && !given->mem && d->m->n_stops) st = let_rests_go(d);
    if (!st) st = make_room(d);
    if (st) return st;
    hol_integrator *it = d->it;
    hol_state_copy(d->s, &d->drive.trial, &it->x);
    take_state(d, given, &it->x);
    hol_state_copy(d->s, &d->drive.taken, &it->x);
    st = close_state(d, change);
    if (!st) st = start_there(d, given->mem != NULL);
    if (!st) d->events.ended = d->stats.ended_by = NULL;
    if (!st) return HOL_OK;
    hol_state_copy(d->s, &it->x, &d->drive.trial); // the message stays
    hol_contacts_place(&d->contacts, true);
    hol_kernel_forget_accelerations(it->k);
    hol_integrator_restart(it);
    return st;
}
