// The simulation loop. docs/theory.md, section 5.6 (energy balance).
#include "analysis/dynamics.h"
#include "analysis/advice.h"
#include "analysis/defaults.h"
#include "analysis/omega.h"
#include "analysis/statistics.h"
#include "system/fault.h"
#include "system/initial.h"
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

// ---- creation -------------------------------------------------------------------------------------------------

static hol_status need_end(hol_context *ctx, const hol_settings *set)
{
    return set->end > 0
               ? HOL_OK
               : hol_fail(ctx, HOL_ERR_USAGE,
                          "no end is given: write `simulate: {end: 10}` in the model, or use --end 10");
}

// The largest stable step of a conditionally stable method, at the start. docs/theory.md, section 13.4.
static hol_status find_stable_step(hol_dynamics *d)
{
    const hol_method *method = d->set.method;
    const double limit = method->limit && d->set.step > 0 ? method->limit(d->set.option, false) : HOL_INF;
    hol_omega *omega;
    if (!isfinite(limit)) return HOL_OK;
    const hol_status st = hol_omega_create(d->ctx, d->s, &omega);
    if (st == HOL_ERR_USAGE) {
        hol_note(d->ctx, HOL_NOTICE,
                 "%s is stable up to omega h = %.4g, but the largest stable step is not computed: %s",
                 method->name, limit, hol_context_error(d->ctx));
        return HOL_OK;
    }
    if (st) return st;
    const double found = hol_omega_at(omega, d->s, &d->it->x);
    hol_omega_destroy(omega);
    if (!(found > 0)) return HOL_OK; // a singular pose, or nothing vibrates
    d->stats.omega_max = found;
    d->stats.stable_step = limit / found;
    const int digits = hol_decimal_digits(d->set.step, d->stats.stable_step);
    if (d->set.step > d->stats.stable_step)
        hol_note(d->ctx, HOL_WARNING,
                 "the step of %.*g s is above the largest stable one, %.*g s: %s with these options is "
                 "stable up to "
                 "omega h = %.4g, and the fastest vibration at the start has omega = %.6g rad/s",
                 digits, d->set.step, digits, d->stats.stable_step, method->name, limit, found);
    return HOL_OK;
}

// Are there results that are not ends of steps? Where fixed steps end at the times of output there are none.
static bool looks_between(const hol_settings *set)
{
    return set->output > 0 && !(set->step > 0 && fabs(remainder(set->output, set->step)) <= 1e-9 * set->step);
}

// `method: auto`. docs/theory.md, section 16.3.
static hol_status choose_method(hol_dynamics *d)
{
    hol_advice a;
    if (!d->set.automatic) return HOL_OK;
    hol_status st = hol_advice_find(d->ctx, d->m, &d->set, &a);
    if (st) return st;
    d->cautious = a.tolerance > 0 && !d->set.tolerance_given;
    if (d->cautious) d->set.tolerance = a.tolerance;
    memcpy(d->because, a.because, sizeof d->because);
    if (*a.unseen) hol_note(d->ctx, HOL_NOTICE, "%s", a.unseen);
    st = hol_settings_take(d->ctx, hol_method_find(a.method), &d->set);
    const bool explicit = d->set.method->suits & HOL_SUITS_SMOOTH && d->set.step <= 0; // others are watched
    if (!st && explicit) hol_growth_tell(d->ctx, d->m, a.growth, 0, d->set.end);
    return st;
}

// Methods without a matrix go along the tree, where threads pay.
static int threads_for(const hol_dynamics *d)
{
    if (d->set.threads > 0) return d->set.threads;
    const bool large = d->m->n_bodies >= HOL_DIVIDE;
    return large && hol_method_matrix_free(d->set.method, d->set.option, d->m) ? hol_team_processors() : 1;
}

static bool goes_along_tree(const hol_dynamics *d)
{
    return d->set.method->tree || hol_method_matrix_free(d->set.method, d->set.option, d->m);
}

// Rows that the method has chosen for its tree, which may be another one than that of the start.
static hol_status take_rows(hol_dynamics *d)
{
    hol_rank *r = &d->rank;
    const size_t rows = (size_t)d->m->nc;
    for (int i = 0; i < d->m->nc && !d->s->independent; i++) r->active[i] = d->s->active[i] >= 0;
    if (!d->s->kept) return HOL_OK;
    if (!r->tree && !(r->tree = hol_calloc(d->ctx, rows + 1, 1))) return HOL_ERR_MEMORY;
    memcpy(r->tree, d->s->kept, rows);
    return HOL_OK;
}

// Assembles the model for the method, and lets the method begin.
static hol_status begin(hol_dynamics *d, bool quiet)
{
    hol_state x = {0};
    hol_status st = hol_method_check(d->ctx, d->set.method, d->m);
    const unsigned how = (quiet ? HOL_START_QUIET : 0) |
                         (hol_method_matrix_free(d->set.method, d->set.option, d->m) ? HOL_START_BARE : 0) |
                         (d->set.method->open ? HOL_START_ALL_ROWS : 0) |
                         (goes_along_tree(d) ? HOL_START_TREE : 0);
    if (!st) st = hol_initialise(d->ctx, d->m, how, &d->kernel, &x, &d->rank);
    if (st) return st;
    d->s = d->kernel.s;
    d->s->count = (hol_evaluations){0};
    hol_kkt_stats before;
    hol_kkt_get_stats(d->kernel.A, &before);
    d->at_start = before.factorizations;
    st = hol_team_create(d->ctx, threads_for(d), &d->team);
    if (st) return st;
    d->s->team = d->team;
    d->s->divide = d->set.divide;
    const double longest = d->set.max_step_given ? d->set.max_step : fmin(d->set.max_step, d->loads.longest);
    const hol_steps steps = {d->set.step, d->set.tolerance, longest, d->set.end};
    d->it = hol_integrator_create(d->ctx, d->set.method, &d->kernel, &x, d->set.option, &steps);
    hol_state_destroy(&x);
    return d->it ? take_rows(d) : hol_context_status(d->ctx);
}

// Frees what a start has made, so that another one can be made.
static void end(hol_dynamics *d)
{
    hol_integrator_destroy(d->it);
    hol_rank_destroy(&d->rank);
    hol_start_destroy(&d->kernel);
    hol_team_destroy(d->team);
    d->it = NULL;
    d->rank = (hol_rank){0};
    d->s = NULL;
    d->team = NULL;
}

// Where the chosen method cannot begin, the one that takes every model is tried; what the first one said is part of the reason.
static hol_status begin_chosen(hol_dynamics *d, bool quiet)
{
    const hol_method *last = hol_methods[0];
    char why[HOL_REASON];
    hol_status st = begin(d, quiet);
    const bool hopeless = st == HOL_OK || st == HOL_ERR_MEMORY || st == HOL_ERR_CANCELLED;
    if (hopeless || !*d->because || d->set.method == last) return st;
    hol_decimal_print(why, sizeof why, "%s, chosen first, cannot begin: %s", d->set.method->name,
                      hol_context_error(d->ctx));
    end(d);
    hol_context_clear(d->ctx);
    st = hol_settings_take(d->ctx, last, &d->set);
    if (!st) st = begin(d, true);
    memcpy(d->because, why, sizeof why);
    return st;
}

// What follows the method that has begun.
static hol_status create_parts(hol_dynamics *d, bool quiet)
{
    hol_measure start;
    hol_status st = d->set.method->order > 2 || d->it->passage ? hol_state_create(d->s, &d->inside) : HOL_OK;
    if (!st) st = hol_rank_watch_create(d->ctx, d->m, &d->rank, goes_along_tree(d), &d->watch);
    if (!st && d->watch) {
        d->chosen_at = hol_calloc(d->ctx, (size_t)d->s->nq + 1, sizeof *d->chosen_at);
        if (!d->chosen_at) return HOL_ERR_MEMORY;
        memcpy(d->chosen_at, d->it->x.q, (size_t)d->s->nq * sizeof *d->chosen_at);
    }
    const bool inside = hol_model_powers(d->m) == HOL_POWER_ROWS && d->set.method->order > 2 &&
                        !goes_along_tree(d); // of the sum of the work
    if (!st && (inside || hol_events_need_unknowns(d->m))) {
        d->projector = hol_kernel_of(d->s);
        st = hol_kernel_need(&d->projector);
    }
    if (!st) st = hol_events_create(d->it, &d->projector, &d->events);
    if (!st) st = hol_signals_check_plots(d->ctx, d->s);
    if (!st) st = hol_signals_create(d->ctx, d->s, d->set.request, d->set.n_requests, &d->signals);
    if (!st) st = hol_rows_create(d->it, &d->signals, d->set.project, looks_between(&d->set), &d->rows);
    if (!st) st = hol_signals_judge(&d->signals, &d->it->x, &d->rank, quiet);
    if (!st) st = find_stable_step(d);
    if (!st) st = hol_watchers_create(d);
    if (st) return st;
    d->stats.method = d->set.method->name;
    d->stats.chosen = d->set.method->chose ? d->set.method->chose(d->it) : NULL;
    d->stats.end = d->set.end;
    hol_loads_count(&d->loads, 0, &d->stats.stop_times, &d->stats.narrow_cells, &d->stats.undecided);
    d->stats.unexamined_loops = d->rank.large_components;
    d->stats.tolerance = d->set.tolerance;
    d->powers = hol_model_powers(d->m);
    d->it->sums_work = d->powers == HOL_POWER_FORCES;
    d->it->work_end = -HOL_INF;
    hol_account_measure(d, &d->it->x, &start);
    d->energy0 = start.kinetic + start.potential;
    hol_energy_begin(&d->energy, d->m, d->s);
    hol_energy_add(&d->energy, &start, 0, 0, 0);
    d->stats.energy_start = d->energy0;
    d->stats.energy_explained = HOL_INF; // until the end
    d->power = start.power;
    return HOL_OK;
}

// Between two parts of the start, which of large models take long.
static hol_status go_on(hol_dynamics *d)
{
    return hol_context_cancelled(d->ctx) ? hol_fail(d->ctx, HOL_ERR_CANCELLED, "interrupted at the start")
                                         : HOL_OK;
}

// The method, functions of time, the consistent start, and what follows it.
static hol_status create(hol_dynamics *d, bool quiet)
{
    hol_status st = need_end(d->ctx, &d->set);
    if (!st) st = choose_method(d);
    if (!st && !quiet) hol_settings_tell(d->ctx, &d->set);
    if (!st) st = go_on(d);
    if (!st) st = hol_loads_create(d->ctx, d->m, d->set.end, d->set.search, &d->loads);
    if (!st) st = hol_loads_refuse(&d->loads);
    if (!st) st = go_on(d);
    if (!st) st = begin_chosen(d, quiet);
    if (!st) st = go_on(d);
    return st ? st : create_parts(d, quiet);
}

// Frees all but the object itself.
static void destroy_parts(hol_dynamics *d)
{
    hol_signals_destroy(&d->signals);
    hol_events_destroy(&d->events);
    hol_watchers_destroy(d);
    hol_rank_watch_destroy(d->watch);
    hol_free(d->chosen_at);
    d->chosen_at = NULL;
    hol_rows_destroy(&d->rows);
    hol_drive_destroy(d);
    hol_kernel_drop(&d->projector);
    hol_state_destroy(&d->inside);
    end(d);
    d->watch = NULL;
    d->projector = (hol_kernel){0};
}

hol_status hol_dynamics_choose(hol_dynamics *d, const hol_method *method, double tolerance,
                               const char *because)
{
    destroy_parts(d);
    d->violation_row = -1;
    d->fastest = 0;
    d->stats = (hol_statistics){0};
    d->cautious = false;
    if (!d->set.tolerance_given) d->set.tolerance = tolerance;
    hol_decimal_print(d->because, sizeof d->because, "%s", because);
    hol_status st = hol_settings_take(d->ctx, method, &d->set);
    if (!st) st = begin(d, true);
    return st ? st : create_parts(d, true);
}

void hol_dynamics_begin_clocks(hol_dynamics *d)
{
    d->wall0 = hol_clock_seconds(CLOCK_MONOTONIC);
    d->cpu0 = hol_clock_seconds(CLOCK_THREAD_CPUTIME_ID);
    d->clocked = pthread_self();
}

hol_dynamics *hol_dynamics_create(hol_context *ctx, const hol_model_data *m, const hol_settings *set,
                                  bool quiet)
{
    hol_dynamics *d = hol_calloc(ctx, 1, sizeof *d);
    if (!d) return NULL;
    d->ctx = ctx;
    d->m = m;
    d->set = d->asked = *set;
    d->violation_row = -1;
    d->saved = -HOL_INF;
    d->drive = (hol_drive){.stop = HOL_INF, .limit = HOL_INF};
    hol_dynamics_begin_clocks(d);
    if (create(d, quiet) == HOL_OK) return d;
    hol_dynamics_destroy(d);
    return NULL;
}

void hol_dynamics_destroy(hol_dynamics *d)
{
    if (!d) return;
    destroy_parts(d);
    hol_loads_destroy(&d->loads);
    hol_free(d);
}

hol_status hol_dynamics_add_sink(hol_dynamics *d, const hol_sink *sink)
{
    if (d->n_sinks == HOL_MAX_SINKS)
        return hol_fail(d->ctx, HOL_ERR_USAGE, "more than %d outputs", HOL_MAX_SINKS);
    d->sink[d->n_sinks++] = *sink;
    return HOL_OK;
}

enum { OUTPUT_DIGITS = 12 }; // decimals of the time between rows, at most

// ---- results --------------------------------------------------------------------------------------------------

static hol_status fail_row(hol_dynamics *d, const hol_state *x)
{
    const double t = x->t;
    const hol_status st = hol_fault_report(d->s, x, &d->it->before);
    return st ? st
              : hol_fail(d->ctx, HOL_ERR_INTEGRATION, "the reactions are not determined at t = %.6g s", t);
}

static hol_status check_values(hol_dynamics *d)
{
    const int bad = hol_signals_not_finite(&d->signals);
    if (bad < 0) return HOL_OK;
    const hol_status st = hol_fault_report(d->s, d->written, &d->it->before);
    return st ? st
              : hol_fail(d->ctx, HOL_ERR_INTEGRATION,
                         "stopped at t = %.6g s: the signal \"%s\" is not a finite number there",
                         d->written->t, d->signals.column[bad].name);
}

// A row of results at t, inside the last step or at its end, handed to every sink with the time that it is to show.
static hol_status write_row(hol_dynamics *d, double t, double shown)
{
    if (d->n_sinks == 0) return HOL_OK;
    if (t == d->it->x.t && hol_integrator_complete(d->it)) return fail_row(d, &d->it->x);
    const hol_status found = hol_rows_at(&d->rows, t, &d->written);
    if (found < 0) return found;
    if (found) d->stats.unprojected++;
    if (hol_signals_evaluate(&d->signals, d->written, hol_account_work_at(d, t)))
        return fail_row(d, d->written);
    const hol_status bad = check_values(d);
    if (bad) return bad;
    for (int i = 0; i < d->n_sinks; i++) {
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

// All outputs due up to the accepted time. Times are multiples of the output step; steps are never shortened for them, but a step that
// ends there but for rounding has the row's state.
static hol_status write_due(hol_dynamics *d)
{
    const hol_state *x = &d->it->x;
    const double slack = 1e-9 * (x->t - d->it->before.t);
    if (d->n_sinks == 0) return HOL_OK;
    if (d->set.output <= 0) return d->drive.limit < x->t ? HOL_OK : write_row(d, x->t, x->t);
    while (d->next_output <= fmin(x->t, d->drive.limit) + slack) {
        const double t = d->next_output;
        hol_status st = write_row(d, fabs(t - x->t) > slack ? t : x->t, t);
        count_output(d, d->outputs + 1);
        if (!st && d->outputs % 1024 == 0) st = check_interruption(d);
        if (st) return st;
    }
    return HOL_OK;
}

// The row of the end, also between two times of output. A run that has been saved there goes on: its rows are those of one run.
static hol_status write_last(hol_dynamics *d)
{
    const double t = d->it->x.t;
    if (d->n_sinks == 0 || d->set.output <= 0 || d->outputs == 0 || d->saved == t) return HOL_OK;
    return fabs(output_time(d, d->outputs - 1) - t) <= 1e-9 * d->set.output ? HOL_OK : write_row(d, t, t);
}

// ---- the loop -------------------------------------------------------------------------------------------------

// The rows in d->rank.active take part from now on. Where all do, they only say which are independent.
static hol_status apply_rows(hol_dynamics *d)
{
    const char *active = d->rank.active;
    memcpy(d->chosen_at, d->it->x.q, (size_t)d->s->nq * sizeof *d->chosen_at);
    if (d->s->independent) return HOL_OK;
    hol_status st = hol_integrator_reselect(d->it, active);
    if (st < 0) return st; // the method has said why
    return st ? hol_fail(d->ctx, HOL_ERR_INTEGRATION,
                         "stopped at t = %.6g s: no independent set of joint equations is found here: a "
                         "singular pose",
                         d->it->x.t)
              : take_rows(d);
}

// Redundant loops: other rows where those in use become dependent.
static hol_status watch_rows(hol_dynamics *d)
{
    const hol_integrator *it = d->it;
    if (!d->watch || !hol_rank_watch_check(d->watch, &it->x, it->independence, d->rank.active)) return HOL_OK;
    return apply_rows(d);
}

static bool is_over(const hol_dynamics *d) { return d->it->x.t >= d->set.end || d->events.ended; }

// Behind an accepted step: rows, events, and the account at the end of all.
hol_status hol_dynamics_tell(hol_dynamics *d, bool *done)
{
    hol_integrator *it = d->it;
    hol_status st = write_due(d);
    *done = false;
    d->drive.waiting = it->x.t > d->drive.limit;
    if (st || d->drive.waiting) return st;
    st = hol_dynamics_happen(d);
    *done = is_over(d);
    if (!st && *done) st = hol_energy_judge(d->ctx, &d->energy, d->m, &d->set, d->stats.energy_drift_max);
    return st ? st : watch_rows(d);
}

hol_status hol_dynamics_step(hol_dynamics *d, bool *done)
{
    hol_integrator *it = d->it;
    hol_status st = d->drive.waiting ? hol_dynamics_tell(d, done) : HOL_OK;
    *done = is_over(d); // a call after the end does nothing
    if (st || *done || d->drive.waiting) return st;
    // the start, or a run that was broken off before what is due
    if (it->count.steps == 0 || hol_events_next_time(&d->events, d->set.end) <= it->x.t)
        st = hol_dynamics_happen(d);
    if (!st && it->count.steps == 0) st = write_due(d);
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
    if (t < x->t && !d->rows.between) hol_rows_prepare_between(&d->rows);
    if (t < x->t) st = hol_rows_at(&d->rows, t, &x);
    if (st >= 0 && t == d->it->x.t) st = hol_integrator_complete(d->it);
    return st < 0 ? st : hol_signals_evaluate(&d->signals, x, hol_account_work_at(d, t));
}

// As many rows as before; without a watch the same ones. *other: they are not those in use, or were chosen at another pose, on which
// the tree of the joints depends.
static void archive_active(hol_dynamics *d, hol_archive *a, bool *other)
{
    int more = 0;
    *other = false;
    for (int i = 0; i < d->m->nc; i++) {
        bool active = d->rank.active[i] != 0;
        hol_archive_flag(a, &active);
        more += active - d->rank.active[i];
        *other = *other || active != d->rank.active[i];
        if (!d->watch && active != d->rank.active[i]) a->failed = true;
        if (!a->failed) d->rank.active[i] = active;
    }
    if (more) a->failed = true;
    if (d->watch) *other = !hol_archive_numbers_same(a, d->chosen_at, (size_t)d->s->nq) || *other;
}

hol_status hol_dynamics_archive_rows(hol_dynamics *d, hol_archive *a)
{
    bool other;
    archive_active(d, a, &other);
    if (d->watch) hol_rank_watch_archive(d->watch, a);
    if (!a->reading || a->failed || !d->watch || !other) return HOL_OK;
    memcpy(d->it->x.q, d->chosen_at, (size_t)d->s->nq * sizeof *d->chosen_at); // what it has follows
    return apply_rows(d);
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
    hol_archive_flag(a, &d->slope_known);
    HOL_ARCHIVE(a, d->energy0);
    hol_energy_archive(&d->energy, a);
    hol_archive_number(a, &d->fastest, 0, DBL_MAX);
    hol_archive_int(a, &d->violation_row, -1, d->m->nc - 1);
    HOL_ARCHIVE(a, d->signals.step);
    hol_archive_counts(a, &d->newton, 1);
    HOL_ARCHIVE(a, st->max_position_violation);
    HOL_ARCHIVE(a, st->max_velocity_violation);
    HOL_ARCHIVE(a, st->max_rate_violation);
    HOL_ARCHIVE(a, st->energy_start);
    HOL_ARCHIVE(a, st->energy_drift_max);
    hol_archive_counts(a, &st->unprojected, 1);
    hol_archive_counts(a, &d->at_start, 1);
    if (!a->reading || a->failed) return;
    d->inherited = hol_work_of(d->s);
    hol_account_name_violation(d);
    hol_dynamics_place_outputs(d);
}

// Also when the output step is another one than that of the rows before. The row of the start comes with the first step.
void hol_dynamics_place_outputs(hol_dynamics *d)
{
    const double t = d->it->x.t, slack = 1e-9 * (t - d->it->before.t);
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

hol_status hol_dynamics_finish(hol_dynamics *d, hol_status st)
{
    hol_statistics *s = &d->stats;
    hol_kkt_stats solver;
    const hol_counters *c = &d->it->count;
    hol_kkt_get_stats(d->kernel.A, &solver);
    const bool refused_at_end = st == HOL_ERR_ACCURACY && (d->it->x.t >= d->set.end || d->events.ended);
    if (!st || st == HOL_ERR_CANCELLED || st == HOL_ERR_LIMIT || refused_at_end) {
        const hol_status written = write_last(d);
        if (!st) st = written;
    }
    s->status = st;
    hol_statistics_gather(d);
    d->stats.strips = d->strips.found;
    d->stats.jumps_met = d->jumps.met;
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
    s->factorizations = solver.factorizations - d->at_start;
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
    return st;
}
