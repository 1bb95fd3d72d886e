// One step of a simulation: where it ends, what is due there, made again where it has passed over what no end of it knows, begun anew behind
// jumps. docs/theory.md, sections 8.5 to 8.11.
#include "analysis/dynamics.h"
#include "analysis/edges.h"
#include "integrator/crossing.h"
#include "system/kernel.h"

#include <math.h>

#define ROUNDING 1e-15 // of a time
#define EVEN 1.0       // by which an angle that is counted may miss the even motion in a step [rad]

// Ends of steps: the end of the simulation, the next event at a given time, and with fixed steps the next multiple of the
// step, so that rounding does not add up. The size of fixed steps is the user's choice; others end where a function of time
// jumps, or at an edge of a road.
static double find_stop(hol_dynamics *d)
{
    const double t = d->it->x.t, h = d->set.step, event = hol_events_next_time(&d->events, d->set.end);
    double stop = fmin(d->set.end, d->drive.stop);
    if (h > 0) stop = (floor(t / h + 1e-6) + 1) * h;
    if (stop > d->set.end - 1e-6 * h) stop = d->set.end;
    stop = fmin(stop, event);
    if (h > 0 && d->drive.stop < stop + 1e-6 * h) stop = d->drive.stop;
    if (h > 0) return stop;
    stop = hol_strips_next_time(&d->strips, hol_edges_next_time(d->m, &d->it->x, stop));
    return hol_loads_next(&d->loads, t, stop);
}

// The same; what differs from the end by rounding, as 3 times 0.3 from 0.9, is the end.
static double next_stop(hol_dynamics *d)
{
    const double stop = find_stop(d);
    return d->set.end - stop <= ROUNDING * d->set.end ? d->set.end : stop;
}

// What is due at the accepted state; the power may jump there.
hol_status hol_dynamics_happen(hol_dynamics *d)
{
    bool happened = false;
    hol_measure now;
    if (!d->m->n_events) return HOL_OK;
    hol_status st = hol_events_happen(&d->events, &happened);
    if (!st && d->events.switching) st = hol_dynamics_switch(d);
    if (st || !happened) return st;
    hol_account_measure(d, &d->it->x, &now);
    // impacts, and forces that are switched off while they hold energy, take it at once
    const double gained = now.kinetic + now.potential - d->events.energy;
    d->work += gained;
    d->energy.work += fabs(gained);
    d->power = now.power;
    d->stats.ended_by = d->events.ended;
    if (d->events.again && !d->events.ended) return hol_dynamics_happen(d);
    st = hol_growth_watch(&d->growth, d->it, true);
    return st ? st : hol_loads_update(&d->loads, d->it->x.mem, d->it->x.t);
}

// Accelerations and multipliers of the present state, with the matrix or without it.
static hol_status find_accelerations(hol_dynamics *d)
{
    hol_integrator *it = d->it;
    const hol_method *method = d->set.method;
    const bool bare = hol_method_matrix_free(method, d->set.option, d->m) && !d->m->n_events;
    return bare && method->evaluate ? method->evaluate(it, &it->x, HOL_WANT_ALL)
                                    : hol_crossing_accelerate(it, it->k, &it->x);
}

hol_status hol_dynamics_accelerate(hol_dynamics *d, const char *where)
{
    const hol_status st = find_accelerations(d);
    return st <= 0 ? st
                   : hol_fail(d->ctx, HOL_ERR_INTEGRATION,
                              "stopped at t = %.6g s: the accelerations are not determined %s", d->it->x.t,
                              where);
}

// Constraints parts of which jump, but not they themselves for what is known before the run: do they?
static hol_status refuse_jump(hol_dynamics *d, const hol_measure *left)
{
    hol_measure right;
    hol_equations_measure_parts(d->s, &d->it->x, HOL_MEASURE_ROWS, &right);
    const double most = 1e-9 + 1e-6 * fmax(left->position, fmax(left->velocity, left->rate));
    if (!(right.position - left->position > most || right.velocity - left->velocity > most ||
          right.rate - left->rate > most))
        return HOL_OK;
    return hol_fail(
        d->ctx, HOL_ERR_INTEGRATION,
        "stopped at t = %.9g s: an expression of `constraints` jumps there: a motion that no force can make; "
        "let it change in a while, with step5()",
        d->it->x.t);
}

// On to a time a few roundings later, in which nothing moves by more than these, and a new start there. Where an argument rests at the edge
// of a function more than roundings lie between, on one half of them the accelerations behind it.
static hol_status begin_anew(hol_dynamics *d, double t, const char *where)
{
    hol_integrator *it = d->it;
    const bool wide = t - it->x.t > HOL_STOP_SHARP * t;
    hol_measure now;
    hol_status st = hol_integrator_complete(it);
    if (!st && d->loads.doubtful) hol_equations_measure_parts(d->s, &it->x, HOL_MEASURE_ROWS, &now);
    hol_state_copy(d->s, &it->before, &it->x);
    hol_state_carry_on(d->s, &it->before, t - it->x.t, &it->x);
    it->x.t = t;
    if (!st && d->loads.doubtful) st = refuse_jump(d, &now);
    if (!st) st = hol_dynamics_accelerate(d, where);
    if (!st && wide) {
        hol_state_carry_better(d->s, &it->before, &it->x);
        st = hol_dynamics_accelerate(d, where);
    }
    if (!st) st = hol_integrator_restart(it);
    if (st) return st;
    hol_account_measure(d, &it->x, &now);
    d->power = now.power;
    return hol_dynamics_happen(d);
}

static hol_status begin_behind_jump(hol_dynamics *d)
{
    const hol_status st = begin_anew(d, d->jumps.behind, "where a force or a rate jumps");
    hol_jumps_passed(&d->jumps);
    return st;
}

hol_status hol_dynamics_cross(hol_dynamics *d)
{
    hol_integrator *it = d->it;
    const bool starts = it->count.steps == 0;
    const hol_stop_time *stop = d->set.step > 0 && !starts ? NULL : hol_loads_at(&d->loads, it->x.t);
    hol_status st = HOL_OK;
    if (it->carried && it->x.t == d->jumps.edge && d->jumps.behind < d->set.end)
        st = begin_behind_jump(d);
    else if (stop && stop->after < d->set.end)
        st = begin_anew(d, stop->after, "where a function of time jumps");
    else if (it->carried)
        st = hol_integrator_restart(it);
    for (bool at_edge = d->jumps.strips != NULL;
         !st && at_edge && !d->events.ended;) { // more than one may jump there
        const double due = next_stop(d);
        st = hol_jumps_look_ahead(&d->jumps, due);
        at_edge = d->jumps.edge == d->it->x.t && d->jumps.behind < due;
        if (!st && at_edge) st = begin_behind_jump(d);
    }
    return st;
}

#define AHEAD 1e-3 // of the run: how far behind a failed step its reason is looked for

// A step failed, and the message names nothing in the file: an expression that has a pole or no solution right behind it?
static hol_status explain(hol_dynamics *d)
{
    const double step = d->set.step, pole = step > 0 ? 2 * step : AHEAD * d->set.end,
                 root = step > 0 ? step : 1e-3 * pole;
    const hol_stopped stopped = d->it->stopped;
    if (stopped == HOL_STOPPED_NOT) return HOL_ERR_INTEGRATION;
    hol_status st = hol_jumps_explain(&d->jumps);
    if (!st && stopped != HOL_STOPPED_POSE) st = hol_roots_explain(&d->roots, root);
    if (!st) st = hol_poles_explain(&d->poles, pole);
    return st ? st : HOL_ERR_INTEGRATION;
}

// The last bit of the way to where a force jumps. *again: it was too long for that, and is taken back; the method goes most of it.
static hol_status carry(hol_dynamics *d, bool *again)
{
    hol_integrator_carry(d->it, d->jumps.edge);
    const hol_status st = hol_dynamics_accelerate(d, "before a force jumps");
    *again = !st && !hol_jumps_was_near(&d->jumps);
    return *again ? hol_integrator_take_back(d->it) : st;
}

#define BRIEF 1e-4 // of a step: in less, the trapezoidal rule leaves rounding
// A way that is too short for a step of the method, as between two events that nearly coincide: accelerations of formulas that find them
// from positions would be those of rounding. The method begins anew behind it.
static hol_status step_without_method(hol_dynamics *d, double stop)
{
    hol_integrator *it = d->it;
    hol_status st = hol_integrator_complete(it);
    if (st) return st;
    hol_integrator_carry(it, stop);
    st = hol_dynamics_accelerate(d, "before an event");
    if (st) return st;
    hol_state_carry_better(d->s, &it->before, &it->x);
    return hol_dynamics_accelerate(d, "before an event");
}

// Where a step from t has to end at the latest.
static double latest_end(const hol_dynamics *d, double t, double due)
{
    double stop = due;
    if (d->events.ahead > t) stop = fmin(stop, d->events.ahead);
    if (d->even > 0) stop = fmin(stop, t + d->even);
    return fmin(stop, fmin(d->jumps.stop, d->swarms.stop));
}

// A step of the method.
static hol_status make_step(hol_dynamics *d, double due)
{
    const double t = d->it->x.t, stop = latest_end(d, t, due);
    if (!(stop > t)) // by a checkpoint that holds what cannot be, or by rounding
        return hol_fail(d->ctx, HOL_ERR_INTEGRATION,
                        "stopped at t = %.*g s: what comes next, at %.*g s, is not later: events or steps "
                        "too close to each other",
                        hol_decimal_digits(t, stop), t, hol_decimal_digits(t, stop), stop);
    const bool brief = stop - t < BRIEF * (d->set.step > 0 ? d->set.step : d->it->h);
    if (brief && (stop == d->drive.stop || stop == d->jumps.stop ||
                  stop == hol_events_next_time(&d->events, d->set.end)))
        return step_without_method(d, stop);
    hol_contacts_foresee(&d->contacts);
    const hol_status st = hol_integrator_step(d->it, stop);
    return st == HOL_ERR_INTEGRATION ? explain(d) : st;
}

// Full turns are counted by the motion that goes on evenly from the last step's end, which may be off by less than half a turn. How long the
// next step may be for that; one that was too long is taken back: *again.
static hol_status watch_turns(hol_dynamics *d, bool *again)
{
    hol_integrator *it = d->it;
    const char *name;
    const double others = hol_equations_turns_missed(d->s, &it->before, &it->x, &name),
                 h = it->x.t - it->before.t;
    double missed = others;
    bool sure = true;
    const bool looks = d->s->n_counters && (missed <= 2 * EVEN || d->set.step > 0);
    const hol_status st = looks ? hol_twists_look(&d->twists, it, &missed, &sure) : HOL_OK;
    if (st) return st;
    if (d->set.step <= 0) {
        d->even = !sure ? h / 2 : missed > EVEN / 100 ? h * sqrt(EVEN / missed) : 0;
        *again = missed > 2 * EVEN || !sure;
        return *again ? hol_integrator_take_back(it) : HOL_OK;
    }
    if (missed < 0.99 * HOL_PI && sure) return HOL_OK;
    return hol_fail(
        d->ctx, HOL_ERR_INTEGRATION,
        "stopped at t = %.6g s: within the fixed step of %.6g s %s turns by more than half a turn "
        "more or less than evenly, so that full turns cannot be counted; a smaller --step counts them",
        it->before.t, d->set.step,
        !sure || missed > others ? "the twist of a joint"
        : name                   ? name
                                 : "an angle of an expression");
}

// Swarms step from here, with the speeds of the approaches that the last step has found.
static hol_status begin_swarms(hol_dynamics *d)
{
    hol_status st = HOL_OK;
    if (d->swarms.changed) st = hol_dynamics_accelerate(d, "where a contact begins");
    if (!st && d->swarms.changed) st = hol_integrator_restart(d->it);
    if (d->swarms.changed) d->power = hol_equations_power(d->s, &d->it->x);
    d->swarms.changed = false;
    hol_swarm_watch_begin(&d->swarms);
    return st;
}

// A step, whoever makes it, to the first event in it, and what it has passed over: then it is taken back, and *again.
static hol_status try_step(hol_dynamics *d, bool *again)
{
    const double t = d->it->x.t, due = next_stop(d);
    const bool carried = d->jumps.edge > t && d->jumps.edge < due;
    *again = false;
    hol_status st = d->swarms.n ? begin_swarms(d) : HOL_OK;
    if (!st) st = carried ? carry(d, again) : make_step(d, due);
    if (!st && !*again && (d->set.step > 0 || d->it->x.t >= due)) st = hol_integrator_mend(d->it);
    if (!st && !*again && !carried && d->s->m->n_mem) st = watch_turns(d, again);
    if (!st && !*again && d->swarms.n) st = hol_swarm_watch_check(&d->swarms, again);
    if (st || *again) return st;
    st = hol_strips_begin(&d->strips);
    if (!st && !carried) st = hol_jumps_check(&d->jumps, again);
    if (!st && !*again) st = hol_strips_check(&d->strips, again);
    return st || *again || !d->m->n_events ? st : hol_events_locate(&d->events, again);
}

hol_status hol_dynamics_advance(hol_dynamics *d)
{
    bool again = false;
    hol_status st = try_step(d, &again);
    while (!st && again) {
        st = hol_jumps_look_ahead(&d->jumps, next_stop(d));
        if (!st) st = try_step(d, &again);
    }
    return st;
}
