// The simulation loop. docs/theory.md, section 5.6 (energy balance).
#include "analysis/dynamics.h"
#include "analysis/defaults.h"
#include "analysis/statistics.h"
#include "integrator/crossing.h"
#include "integrator/kinematic.h"
#include "system/fault.h"
#include "system/kernel.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

double hol_clock_seconds(clockid_t which)
{
    struct timespec t;
    return clock_gettime(which, &t) == 0 ? (double)t.tv_sec + 1e-9 * (double)t.tv_nsec : 0;
}

// To all who ask for contacts.
static hol_status hand_contact(void *user, const hol_contact_event *event)
{
    const hol_dynamics *d = user;
    hol_status st = HOL_OK;
    for (int i = 0; i < d->n_sinks && !st; i++)
        if (d->sink[i].contact) st = d->sink[i].contact(d->sink[i].data, event);
    return st;
}

// What would fill a disk, before the run.
static void tell_large(const hol_dynamics *d)
{
    char large[HOL_AMOUNT];
    if (!hol_settings_large(&d->set, 1 + d->signals.n, large)) return;
    hol_note(d->ctx, HOL_WARNING,
             "results will be %s: a longer simulate.output, or a choice of simulate.signals, makes them "
             "smaller",
             large);
}

hol_status hol_dynamics_add_sink(hol_dynamics *d, const hol_sink *sink)
{
    if (d->n_sinks == HOL_MAX_SINKS)
        return hol_fail(d->ctx, HOL_ERR_USAGE, "more than %d outputs", HOL_MAX_SINKS);
    d->sink[d->n_sinks++] = *sink;
    if (sink->row && !d->writes) tell_large(d);
    d->writes = d->writes || sink->row;
    if (sink->contact) {
        d->contacts.tell = hand_contact;
        d->contacts.user = d;
    }
    return HOL_OK;
}

enum {
    OUTPUT_DIGITS = 12, // decimals of the time between rows, at most
    MOST_NAMED = 3      // rows of one kind that are told one by one
};

// ---- results --------------------------------------------------------------------------------------------------

static hol_status fail_row(hol_dynamics *d, const hol_state *x)
{
    const double t = x->t;
    const hol_status st = hol_fault_report(d->s, x, &d->it->before);
    return st ? st
              : hol_fail(d->ctx, HOL_ERR_INTEGRATION, "the reactions are not determined at t = %.6g s", t);
}

// Kinematics have nothing but poses: what is interpolated is no row of theirs.
static hol_status fail_pose(hol_dynamics *d, double t)
{
    return hol_fail(
        d->ctx, HOL_ERR_INTEGRATION,
        "stopped at t = %.9g s: no pose is found there that closes the joints, next to a singular "
        "pose: let rows have other times (simulate.output), or end before it (--end %.6g)",
        t, d->it->before.t);
}

// Is the row at a singular pose that was passed, where multipliers have no bound?
static bool is_unbounded(const hol_dynamics *d)
{
    return d->signals.reactions.unbounded || hol_reactions_unbounded(d->s, d->written);
}

// A row at a singular pose, or one for which not all was found, with signals that are no number, which is all that is wrong there: it is named.
static void admit(hol_dynamics *d, int bad, bool unbounded)
{
    if (d->unbounded++ < MOST_NAMED)
        hol_note(d->ctx, HOL_WARNING, "t = %.9g s %s: \"%s\" and what else %s is written as nan%s",
                 d->written->t,
                 unbounded ? "is at a singular pose"
                           : "is a row for which accelerations and reactions are not found",
                 d->signals.column[bad].name,
                 unbounded ? "grows without bound there, or is not found," : "follows from these",
                 d->unbounded == MOST_NAMED ? "; so are later rows like this one" : "");
}

#define MOVES 100 // times the tolerance: part of the speed that a result may be wrong by between steps

// A row for which not all was found. Is it as near to the joints as the tolerance, or steps before, let it be?
static hol_status check_unprojected(hol_dynamics *d, const hol_state *x)
{
    hol_measure open;
    if (d->set.method->open) return HOL_OK;
    hol_equations_measure_parts(d->s, x, HOL_MEASURE_ROWS, &open);
    const double most = fmax(d->set.tolerance, 2 * d->it->open);
    if (open.position <= most && open.velocity <= MOVES * most * fmax(1, d->fastest)) return HOL_OK;
    const char *joint;
    const hol_row row =
        hol_model_row(d->m, open.position <= most ? open.velocity_row : open.position_row, &joint);
    return hol_fail(
        d->ctx, HOL_ERR_INTEGRATION,
        "stopped at t = %.6g s: no state on the joints was found near the results between two steps, "
        "which leave \"%s\" (%s) open by %.3g of the natural size%s: the steps are too long for what "
        "turns or moves meanwhile. Try %s %.2g, or another method, such as rk",
        x->t, joint, row.direction, open.position <= most ? open.velocity : open.position,
        open.position <= most ? " and time" : "", d->set.step > 0 ? "--step" : "--max-step",
        0.1 * (d->it->x.t - d->it->before.t));
}

// The row at t; a failure, if it is none that may be shown. *unprojected: not all of it was found.
static hol_status find_row(hol_dynamics *d, double t, const hol_state **x, bool *unprojected)
{
    const hol_status st = hol_rows_at(&d->rows, t, x);
    *unprojected = st > 0;
    if (st > 0 && d->set.method == &hol_method_kinematic) return fail_pose(d, t);
    return st > 0 ? check_unprojected(d, *x) : st;
}

// Is every signal a finite number, but for what grows without bound at a singular pose?
static hol_status check_values(hol_dynamics *d, bool unprojected)
{
    const int bad = hol_signals_not_finite(&d->signals);
    if (bad < 0) return HOL_OK;
    const bool unbounded = isnan(d->signals.value[bad]) && is_unbounded(d);
    if (unbounded || (isnan(d->signals.value[bad]) && unprojected)) {
        admit(d, bad, unbounded);
        return HOL_OK;
    }
    const hol_status st = hol_fault_report(d->s, d->written, &d->it->before);
    return st ? st
              : hol_fail(d->ctx, HOL_ERR_INTEGRATION,
                         "stopped at t = %.6g s: the signal \"%s\" is not a finite number there",
                         d->written->t, d->signals.column[bad].name);
}

static double work_at(hol_dynamics *d, double t)
{
    return d->signals.wants_work ? hol_account_work_at(d, t) : d->work;
}

// A row of results at t, inside the last step or at its end, handed to every sink with the time that it is to show.
static hol_status write_row(hol_dynamics *d, double t, double shown)
{
    if (!d->writes) return HOL_OK;
    if (t == d->it->x.t && hol_integrator_complete(d->it)) return fail_row(d, &d->it->x);
    bool unprojected;
    const hol_status found = find_row(d, t, &d->written, &unprojected);
    if (found) return found;
    d->stats.unprojected += unprojected;
    d->stats.max_row_violation = hol_larger(d->rows.open, d->stats.max_row_violation);
    if (hol_signals_evaluate(&d->signals, d->written, work_at(d, t))) return fail_row(d, d->written);
    const hol_status bad = check_values(d, unprojected);
    if (bad) return bad;
    hol_tables_look(&d->tables, d->s, d->written);
    for (int i = 0; i < d->n_sinks; i++) {
        if (!d->sink[i].row) continue;
        hol_status st = d->sink[i].row(d->sink[i].data, shown, d->signals.value, d->signals.n);
        if (st) return st;
    }
    return HOL_OK;
}

// Has the user, or a limit of time, stopped the run?
static hol_status check_interruption(hol_dynamics *d)
{
    const double t = d->it->x.t;
    if (hol_context_cancelled(d->ctx))
        return hol_fail(d->ctx, HOL_ERR_CANCELLED,
                        "interrupted at t = %.6g s; the results so far are complete", t);
    if (d->set.time_limit > 0 && hol_clock_seconds(CLOCK_MONOTONIC) - d->wall0 > d->set.time_limit)
        return hol_fail(d->ctx, HOL_ERR_LIMIT,
                        "stopped at t = %.6g s by the time limit of %.6g s; the results so far are complete",
                        t, d->set.time_limit);
    return HOL_OK;
}

// The k-th time of output. Where its decimals are few the quotient is rounded once: 3 * 0.1 is above 0.3, 3 / 10.0 is not.
static double output_time(const hol_dynamics *d, long k)
{
    double power = 1;
    for (int digits = 0; digits <= OUTPUT_DIGITS; digits++, power *= 10) {
        const double units = round(d->set.output * power);
        if (units > 0 && units / power == d->set.output) return (double)k * units / power;
    }
    return (double)k * d->set.output;
}

static void count_output(hol_dynamics *d, long k)
{
    d->outputs = k;
    d->next_output = output_time(d, k);
}

// Rows this much behind the end of a step are of its state: rounding, and the few digits at a jump that no step enters.
static double slack_of(const hol_dynamics *d)
{
    const double t = d->it->x.t;
    const hol_stop_time *stop = d->set.step > 0 ? NULL : hol_loads_at(&d->loads, t);
    const double gap = stop ? stop->after - t : 0;
    return fmax(1e-9 * (t - d->it->before.t), gap <= HOL_STOP_SHARP * t ? gap : 0);
}

// Is a row due at the accepted time, or so much behind it?
static bool is_due(const hol_dynamics *d, double slack)
{
    return d->next_output <= fmin(d->it->x.t, d->drive.limit) + slack;
}

// All outputs due up to the accepted time. Times are multiples of the output step; steps are never shortened for them, but a step that
// ends there but for rounding has the row's state. breaks: an interruption leaves the rest of them out.
static hol_status write_due(hol_dynamics *d, bool breaks)
{
    const hol_state *x = &d->it->x;
    const double slack = slack_of(d);
    if (!d->writes) return HOL_OK;
    if (d->set.output <= 0) return d->drive.limit < x->t ? HOL_OK : write_row(d, x->t, x->t);
    while (is_due(d, slack)) {
        const double t = d->next_output;
        hol_status st = write_row(d, fabs(t - x->t) > slack ? t : x->t, t);
        count_output(d, d->outputs + 1);
        if (!st && breaks && d->outputs % 1024 == 0) st = check_interruption(d);
        if (st) return st;
    }
    return HOL_OK;
}

hol_status hol_dynamics_catch_up(hol_dynamics *d) { return d->set.output > 0 ? write_due(d, false) : HOL_OK; }

static bool is_over(const hol_dynamics *d) { return d->it->x.t >= d->set.end || d->events.ended; }

// The row of the end, also between two times of output. A run that has been broken off and saved there goes on: its rows are those of one
// run. Where an interruption has left rows out there is none behind the hole.
static hol_status write_last(hol_dynamics *d)
{
    const double t = d->it->x.t;
    if (!d->writes || d->set.output <= 0 || d->outputs == 0 || is_due(d, slack_of(d))) return HOL_OK;
    if (d->saved == t && !is_over(d)) return HOL_OK;
    return fabs(output_time(d, d->outputs - 1) - t) <= 1e-9 * d->set.output ? HOL_OK : write_row(d, t, t);
}

// ---- the loop -------------------------------------------------------------------------------------------------

// Behind an accepted step: rows, events, and the account at the end of all.
hol_status hol_dynamics_tell(hol_dynamics *d, bool *done)
{
    const hol_status st = write_due(d, true);
    *done = false;
    d->drive.waiting = d->it->x.t > d->drive.limit;
    if (st || d->drive.waiting) return st;
    d->drive.halted = d->drive.halts && hol_events_wait(&d->events);
    return d->drive.halted ? HOL_OK : hol_dynamics_conclude(d, done);
}

hol_status hol_dynamics_conclude(hol_dynamics *d, bool *done)
{
    hol_status st = hol_dynamics_happen(d);
    *done = is_over(d);
    if (!st && *done) st = hol_energy_judge(d->ctx, &d->energy, d->m, &d->set, d->stats.energy_drift_max);
    return st ? st : hol_selection_watch(d);
}

hol_status hol_dynamics_step(hol_dynamics *d, bool *done)
{
    hol_status st = d->drive.waiting ? hol_dynamics_tell(d, done) : HOL_OK;
    *done = is_over(d); // a call after the end does nothing
    if (st || *done || d->drive.waiting || d->drive.halted) return st;
    // the start, or a run that was broken off before what is due
    if (d->it->count.steps == 0 || d->events.placed || d->drive.held ||
        hol_events_next_time(&d->events, d->set.end) <= d->it->x.t)
        st = hol_dynamics_happen(d);
    d->drive.held = false;
    if (!st && d->it->count.steps == 0) st = write_due(d, true);
    *done = is_over(d);
    if (!st) st = check_interruption(d);
    if (!st && !*done) st = hol_dynamics_cross(d);
    *done = *done || d->events.ended;
    if (st || *done) return st;
    st = hol_dynamics_advance(d);
    if (st) return st;
    hol_account_step(d);
    st = hol_watchers_look(d);
    return st ? st : hol_dynamics_tell(d, done);
}

hol_status hol_dynamics_values(hol_dynamics *d)
{
    const double t = d->drive.waiting ? d->drive.now : d->it->x.t;
    const hol_state *x = &d->it->x;
    hol_status st = HOL_OK;
    bool unprojected;
    if (t < x->t && !d->rows.between) hol_rows_prepare_between(&d->rows);
    bool near = false;
    if (t == x->t) st = hol_crossing_sees(d->it, &near);
    if (!st && (t < x->t || near)) st = find_row(d, t, &x, &unprojected);
    if (st >= 0 && t == d->it->x.t) st = hol_integrator_complete(d->it);
    return st < 0 ? st : hol_signals_evaluate(&d->signals, x, work_at(d, t));
}

void hol_dynamics_archive(hol_dynamics *d, hol_archive *a)
{
    hol_statistics *st = &d->stats;
    hol_events_archive(&d->events, a);
    hol_loads_archive(&d->loads, d->it->x.mem, a);
    hol_watchers_archive(d, a);
    HOL_ARCHIVE(a, d->work);
    HOL_ARCHIVE(a, d->power);
    HOL_ARCHIVE(a, d->work_before);
    HOL_ARCHIVE(a, d->power_before);
    HOL_ARCHIVE(a, d->power_slope);
    HOL_ARCHIVE(a, d->bend);
    hol_archive_flag(a, &d->slope_known);
    hol_archive_number(a, &d->even, 0, DBL_MAX);
    HOL_ARCHIVE(a, d->energy0);
    HOL_ARCHIVE(a, d->unbalanced);
    hol_energy_archive(&d->energy, a);
    hol_archive_number(a, &d->fastest, 0, DBL_MAX);
    hol_archive_int(a, &d->violation_row, -1, d->m->nc - 1);
    HOL_ARCHIVE(a, d->signals.step);
    hol_archive_counts(a, &d->newton, 1);
    HOL_ARCHIVE(a, st->max_position_violation);
    HOL_ARCHIVE(a, st->max_row_violation);
    HOL_ARCHIVE(a, st->max_velocity_violation);
    HOL_ARCHIVE(a, st->max_rate_violation);
    HOL_ARCHIVE(a, st->energy_start);
    HOL_ARCHIVE(a, st->energy_drift_max);
    hol_archive_counts(a, &st->unprojected, 1);
    hol_archive_counts(a, &d->at_start, 1);
    hol_archive_counts(a, &d->earlier, 1);
    if (!a->reading || a->failed) return;
    d->inherited = hol_work_of(d->s);
    hol_account_name_violation(d);
    hol_dynamics_place_outputs(d);
}

// Also when the output step is another one than that of the rows before. The row of the start comes with the first step.
void hol_dynamics_place_outputs(hol_dynamics *d)
{
    const double t = d->it->x.t, slack = slack_of(d);
    count_output(d, d->set.output > 0 ? (long)(t / d->set.output) : 0);
    while (d->set.output > 0 && d->it->count.steps > 0 && d->next_output <= t + slack)
        count_output(d, d->outputs + 1);
}

// In words, with a method that takes the model and is not held.
static void tell_stiffness(const hol_dynamics *d, hol_statistics *s)
{
    const hol_stiff *f = d->it->stiff;
    const hol_method *const *instead = hol_methods;
    if (!f || f->h <= 0) return;
    s->stiff_step = f->h;
    if (f->state >= 0)
        snprintf(s->stiff_cause, sizeof s->stiff_cause, "the state \"%s\"", d->m->state[f->state].name);
    else if (f->element >= 0)
        snprintf(s->stiff_cause, sizeof s->stiff_cause, "the damping of \"%s\"",
                 d->m->element[f->element].name);
    else
        snprintf(s->stiff_cause, sizeof s->stiff_cause, "a damped motion");
    while (*instead && !((*instead)->suits & HOL_SUITS_STIFF)) instead++;
    s->stiff_instead = (*instead ? *instead : hol_methods[0])->name;
}

long hol_dynamics_factorizations(const hol_dynamics *d)
{
    hol_kkt_stats solver;
    hol_kkt_get_stats(d->kernel.A, &solver);
    return solver.factorizations - d->at_start;
}

// What all of them have done.
static void tell_contacts(const hol_dynamics *d, hol_statistics *s)
{
    const hol_contacts *c = &d->contacts;
    double sum[HOL_CONTACT_SUMS];
    if (!c->n && !d->swarms.n) return;
    hol_contacts_total(c, d->it->x.t, sum);
    s->contacts = c->n;
    s->contact_onsets = (long)c->found.onsets;
    s->contact_depth = c->found.depth;
    s->contact_deepest =
        c->found.deepest < 0 || !c->n ? NULL : d->m->element[c->element[c->found.deepest]].name;
    s->contact_damping = sum[HOL_SUM_DAMPING];
    s->contact_friction = sum[HOL_SUM_FRICTION];
    if (d->swarms.n) hol_swarm_watch_tell(&d->swarms, s);
}

hol_status hol_dynamics_finish(hol_dynamics *d, hol_status st)
{
    hol_statistics *s = &d->stats;
    const hol_counters *c = &d->it->count;
    const bool refused_at_end = st == HOL_ERR_ACCURACY && (d->it->x.t >= d->set.end || d->events.ended);
    if (!st || st == HOL_ERR_CANCELLED || st == HOL_ERR_LIMIT || refused_at_end) {
        const hol_status written = write_last(d);
        if (!st) st = written;
    }
    const hol_status told = hol_contacts_finish(&d->contacts);
    s->status = st = st ? st : told;
    hol_statistics_gather(d);
    tell_contacts(d, s);
    d->stats.strips = d->strips.found;
    d->stats.jumps_met = d->jumps.met;
    d->stats.resting = 0;
    for (int i = 0; i < d->m->n_elements; i++)
        d->stats.resting += d->m->element[i].type == &hol_joint_stop && d->m->element[i].n_rows;
    d->stats.strips_undecided = d->strips.undecided;
    double most;
    d->stats.energy_explained = hol_energy_explained(&d->energy, d->m, &d->set, &most);
    s->contraction = c->contractions ? exp(c->contraction_log / (double)c->contractions) : 0;
    memcpy(s->limited, c->limited, sizeof s->limited);
    int element[HOL_BLAMED];
    hol_integrator_blamed(d->it, element);
    for (int i = 0; i < HOL_BLAMED; i++)
        s->struggled[i] = element[i] >= 0 ? d->m->element[element[i]].name : NULL;
    tell_stiffness(d, s);
    hol_defaults_tell(d);
    hol_tables_tell(d->ctx, &d->tables);
    hol_integrator_tell_way(d->it);
    s->factorizations = d->earlier + hol_dynamics_factorizations(d);
    if (!(d->set.step > 0))
        hol_loads_count(&d->loads, d->it->x.t, &s->stop_times, &s->narrow_cells, &s->undecided);
    s->h_min = c->steps ? c->h_min : 0;
    s->time = d->it->x.t;
    const double own =
        pthread_equal(d->clocked, pthread_self()) // else it has changed threads, and is not known
            ? hol_clock_seconds(CLOCK_THREAD_CPUTIME_ID) - d->cpu0
            : HOL_NONE;
    s->cpu_seconds = own + hol_team_seconds(d->team);
    s->wall_seconds = hol_clock_seconds(CLOCK_MONOTONIC) - d->wall0;
    // last: what a file says about the run is known now
    for (int i = 0; i < d->n_sinks; i++) {
        const hol_status closed = d->sink[i].close(d->sink[i].data);
        if (!st) s->status = st = closed;
    }
    d->n_sinks = 0;
    d->writes = false;
    d->contacts.tell = NULL;
    return st;
}
