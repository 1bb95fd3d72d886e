// How a simulation begins, and how it goes on where events switch joints, drivers and constraints: with the equations of what acts from
// there on. docs/theory.md, section 8.15.
#include "analysis/advice.h"
#include "analysis/dynamics.h"
#include "analysis/omega.h"
#include "analysis/statics.h"
#include "integrator/crossing.h"
#include "analysis/stops.h"
#include "model/switched.h"
#include "system/fault.h"
#include "system/initial.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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

hol_status hol_dynamics_take_rows(hol_dynamics *d)
{
    hol_rank *r = &d->rank;
    const size_t rows = (size_t)d->m->nc;
    for (int i = 0; i < d->m->nc && !d->s->independent; i++) r->active[i] = d->s->active[i] >= 0;
    if (!d->s->kept) return HOL_OK;
    if (!r->tree && !(r->tree = hol_calloc(d->ctx, rows + 1, 1))) return HOL_ERR_MEMORY;
    memcpy(r->tree, d->s->kept, rows);
    return HOL_OK;
}

// A start in a singular pose, of which the consistent start knows accelerations that belong to no motion.
static hol_status begin_in_pose(hol_dynamics *d)
{
    const hol_status st = hol_crossing_start(d->it);
    return st <= 0 ? st
                   : hol_fail(d->ctx, HOL_ERR_INTEGRATION,
                              "start: at rest, or nearly so, in a singular pose, from which forces or "
                              "drivers drive it "
                              "along one of several motions: give it more speed, or draw it beside the pose");
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
    if (!d->team) st = hol_team_create(d->ctx, threads_for(d), &d->team);
    if (st) return st;
    d->s->team = d->team;
    d->s->divide = d->set.divide;
    const double longest = d->set.max_step_given ? d->set.max_step : fmin(d->set.max_step, d->loads.longest);
    const hol_steps steps = {d->set.step, d->set.tolerance, longest, d->set.end};
    d->it = hol_integrator_create(d->ctx, d->set.method, &d->kernel, &x, d->set.option, &steps);
    hol_state_destroy(&x);
    if (!d->it) return hol_context_status(d->ctx);
    st = d->rank.momentary ? begin_in_pose(d) : HOL_OK;
    return st ? st : hol_dynamics_take_rows(d);
}

// Frees what a start has made, so that another one can be made; not the threads.
static void end(hol_dynamics *d)
{
    hol_integrator_destroy(d->it);
    hol_rank_destroy(&d->rank);
    hol_start_destroy(&d->kernel);
    d->it = NULL;
    d->rank = (hol_rank){0};
    d->s = NULL;
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

// What a method needs beside itself.
static hol_status equip(hol_dynamics *d)
{
    // Steps of a motion without freedom have no error that would keep them short.
    d->looks_within = d->set.method->order > 2 || hol_equations_are_prescribed(d->s);
    const bool needs_states = d->looks_within || d->it->passage || d->m->has_edges;
    hol_status st = needs_states ? hol_state_create(d->s, &d->inside) : HOL_OK;
    if (!st) st = hol_selection_create(d, goes_along_tree(d));
    if (st) return st;
    d->powers = hol_model_powers(d->m);
    d->it->sums = d->powers;
    d->it->work_end = d->it->lost_end = -HOL_INF;
    const bool inside =
        d->powers == HOL_POWER_ROWS && d->looks_within && !goes_along_tree(d); // of the sum of the work
    if (!(inside || hol_events_need_unknowns(d->m))) return HOL_OK;
    d->projector = hol_kernel_of(d->s);
    return hol_kernel_need_like(&d->projector, d->it->k);
}

enum { MOST_TOLD = 20 }; // switchings with a note each

// What is looked at, and written.
static hol_status observe(hol_dynamics *d, bool quiet)
{
    hol_status st = hol_signals_create(d->ctx, d->s, d->set.request, d->set.n_requests, &d->signals);
    d->signals.contacts = &d->contacts;
    d->signals.swarms = &d->swarms;
    if (!st) hol_integrator_remember(d->it); // angles that signals count
    if (!st) st = hol_rows_create(d->it, &d->signals, d->set.project, looks_between(&d->set), &d->rows);
    return st ? st : hol_signals_judge(&d->signals, &d->it->x, &d->rank, quiet);
}

// What follows the method that has begun.
static hol_status create_parts(hol_dynamics *d, bool quiet)
{
    hol_measure start;
    hol_status st = equip(d);
    if (!st) hol_start_run(d->s, &d->it->x);
    if (!st) st = hol_events_create(d->it, &d->projector, &d->events);
    if (!st) st = hol_signals_check_plots(d->ctx, d->s);
    if (!st) st = observe(d, quiet);
    if (!st) st = find_stable_step(d);
    if (!st) st = hol_watchers_create(d);
    if (st) return st;
    d->stats.method = d->set.method->name;
    d->stats.chosen = d->set.method->chose ? d->set.method->chose(d->it) : NULL;
    d->stats.end = d->set.end;
    hol_loads_count(&d->loads, 0, &d->stats.stop_times, &d->stats.narrow_cells, &d->stats.undecided);
    d->stats.unexamined_loops = d->rank.large_components;
    d->stats.tolerance = d->set.tolerance;
    hol_account_measure(d, &d->it->x, &start);
    d->energy0 = start.kinetic + start.potential;
    hol_energy_begin(&d->energy, d->m);
    hol_energy_add(&d->energy, &start, 0, 0, 0, d->speed);
    d->stats.energy_start = d->energy0;
    d->stats.energy_explained = HOL_INF; // until the end
    d->power = start.power;
    return HOL_OK;
}

// Between two parts of the start, which of large models take long.
static hol_status go_on(hol_dynamics *d) { return hol_check_cancelled(d->ctx, "interrupted at the start"); }

// The method, functions of time, the consistent start, and what follows it.
static hol_status create(hol_dynamics *d, bool quiet)
{
    hol_status st = need_end(d->ctx, &d->set);
    if (!st && d->set.at_rest && !d->begun) {
        st = hol_statics_begin(d->ctx, d->m, d->set.start_at, quiet, &d->begun);
        if (!st) d->m = d->begun;
    }
    if (!st) st = choose_method(d);
    if (!st && !quiet) hol_settings_tell(d->ctx, &d->set);
    if (!st) st = go_on(d);
    if (!st) st = hol_loads_create(d->ctx, d->m, d->set.end, d->set.search, &d->loads);
    if (!st) st = hol_loads_refuse(&d->loads);
    if (!st) st = hol_tables_create(d->ctx, d->m, &d->tables);
    if (!st) st = go_on(d);
    if (!st) st = begin_chosen(d, quiet);
    if (!st) st = go_on(d);
    return st ? st : create_parts(d, quiet);
}

// Frees what is beside a method, but for the events.
static void leave_method(hol_dynamics *d)
{
    hol_signals_destroy(&d->signals);
    hol_watchers_destroy(d);
    hol_selection_destroy(d);
    hol_rows_destroy(&d->rows);
    hol_kernel_drop(&d->projector);
    hol_state_destroy(&d->inside);
    d->projector = (hol_kernel){0};
}

// Frees all but the object itself.
static void destroy_parts(hol_dynamics *d)
{
    leave_method(d);
    hol_contacts_destroy(&d->contacts);
    hol_events_destroy(&d->events);
    hol_drive_destroy(d);
    end(d);
    hol_team_destroy(d->team);
    hol_model_unswitch(d->switched);
    d->team = NULL;
    d->switched = NULL;
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
    hol_tables_destroy(&d->tables);
    hol_model_unswitch(d->begun);
    hol_free(d);
}

// ---- joints that are switched -----------------------------------------------------------------------------------

#define GAP 1e-3  // of the natural size: an equation that is further from holding is not switched on
#define TOLD 1e-9 // less needs no word
enum { NAMES = 200 };

// The equation of an element that is furthest from holding at a state, by natural size; *value: in its unit.
static double find_gap(const hol_dynamics *d, const hol_element *e, const hol_state *x, hol_row *row,
                       double *value)
{
    hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], phi[HOL_MAX_ROWS];
    double most = 0;
    hol_element_gather(d->m, e, x->t, x->q, x->v, 1, y, w);
    e->type->phi(e->data, e->ny, y, x->mem + e->mem, phi, NULL);
    for (int i = 0; i < e->all_rows; i++) {
        const hol_row one = e->type->row(e->data, i);
        const double gap = fabs(hol_re(phi[i])) / hol_element_row_size(d->m, e, i);
        if (gap <= most) continue;
        most = gap;
        *row = one;
        *value = hol_re(phi[i]);
    }
    return most;
}

// What is switched on at x either holds what is, or must hold already but for a small gap, which the new start closes.
static hol_status take_hold(hol_dynamics *d, const hol_event *v, const hol_element *e, hol_state *x)
{
    hol_real y[HOL_MAX_Y], w[HOL_MAX_Y];
    hol_row row = {"", false};
    double value = 0;
    if (!e->all_rows) return HOL_OK;
    hol_element_gather(d->m, e, x->t, x->q, x->v, 1, y, w);
    const char *why = e->type->hold ? e->type->hold(e->data, e->ny, y, x->mem + e->mem) : NULL;
    if (why)
        return hol_fail_at(d->ctx, HOL_ERR_INTEGRATION, v->at,
                           "stopped at t = %.9g s: event %s cannot switch on \"%s\": %s", x->t, v->name,
                           e->name, why);
    const double gap = e->type->hold ? 0 : find_gap(d, e, x, &row, &value);
    const char *unit = row.is_length ? "m" : "rad";
    if (!(gap <= GAP))
        return hol_fail_at(
            d->ctx, HOL_ERR_INTEGRATION, v->at,
            "stopped at t = %.9g s: event %s cannot switch on \"%s\": its equation of %s is off by %.4g %s "
            "there. Let the event come where it holds; a `grip` of bodies and a `lock` of a joint hold what "
            "is",
            x->t, v->name, e->name, row.direction, fabs(value), unit);
    if (gap > TOLD)
        hol_note(d->ctx, HOL_NOTICE,
                 "event %s at t = %.9g s: \"%s\" is switched on over a gap of %.3g %s (%s)", v->name, x->t,
                 e->name, fabs(value), unit, row.direction);
    return HOL_OK;
}

// All that is switched on; what is switched, in words behind those that are there.
static hol_status take_switches(hol_dynamics *d, const hol_event *v, hol_state *x, char names[NAMES])
{
    hol_status st = HOL_OK;
    size_t n = strlen(names);
    for (int i = d->m->n_bodies; i < d->m->n_elements && !st; i++) {
        const hol_element *e = &d->m->element[i];
        const bool on = hol_element_acts(e, x->mem);
        if (!hol_element_is_switched(e, x->mem)) continue;
        if (on) st = take_hold(d, v, e, x);
        if (n < NAMES - 1)
            n += (size_t)snprintf(names + n, NAMES - n, "%s%s %s", n ? ", " : "", e->name, on ? "on" : "off");
    }
    return st;
}

// A lock or a grip holds what is there. Of methods whose loops give that is what is there once they are closed: locks in one loop would
// contradict each other and the loop by what it is open.
static hol_status close_for_holds(hol_dynamics *d, hol_state *x)
{
    bool holds = false;
    for (int i = d->m->n_bodies; i < d->m->n_elements; i++) {
        const hol_element *e = &d->m->element[i];
        holds = holds || (e->type->hold && hol_element_is_switched(e, x->mem) && hol_element_acts(e, x->mem));
    }
    if (!holds || !d->it->method->open || !d->s->nc) return HOL_OK;
    hol_status st = hol_kernel_need(d->it->k);
    if (!st) st = hol_project_positions(d->it->k, x, NULL);
    if (!st) st = hol_project_velocities(d->it->k, x);
    return st < 0 ? st : HOL_OK; // where they do not close, the new start says so
}

// What is bound to the equations of one model.
typedef struct {
    const hol_model_data *m;
    hol_kernel kernel;
    hol_equations *s;
    hol_rank rank;
    hol_integrator *it;
} bound;

static bound exchange(hol_dynamics *d, bound b)
{
    const bound had = {d->m, d->kernel, d->s, d->rank, d->it};
    d->m = b.m;
    d->kernel = b.kernel;
    d->s = b.s;
    d->rank = b.rank;
    d->it = b.it;
    return had;
}

// The method begins anew, with its counts, in the model as it acts at x; where it cannot, all is as it was.
static hol_status begin_switched(hol_dynamics *d, const hol_state *x)
{
    hol_model_data *other = hol_model_switch(d->ctx, d->m, x->t, x->q, x->v, x->X, x->mem);
    if (!other) return HOL_ERR_MEMORY;
    const long earlier = d->earlier + hol_dynamics_factorizations(d), at_start = d->at_start;
    const bound old = exchange(d, (bound){.m = other, .kernel = hol_kernel_of(NULL)});
    hol_context_mute(d->ctx, true);
    const hol_status st = begin(d, true);
    hol_context_mute(d->ctx, false);
    if (st) {
        end(d);
        exchange(d, old);
        d->at_start = at_start;
        hol_model_unswitch(other);
        return st;
    }
    hol_swarms *const swarms = d->s->swarms; // what touches goes on to do so
    d->s->swarms = old.s->swarms;
    old.s->swarms = swarms;
    d->it->count = old.it->count;
    d->it->limit = old.it->limit;
    d->s->count = old.s->count;
    const bound fresh = exchange(d, old);
    leave_method(d);
    end(d);
    exchange(d, fresh);
    hol_model_unswitch(d->switched);
    d->switched = other;
    d->earlier = earlier;
    return HOL_OK;
}

// What goes with the method is made anew too; what it has counted stays.
static hol_status equip_switched(hol_dynamics *d)
{
    const long found = d->strips.found, undecided = d->strips.undecided, met = d->jumps.met;
    hol_status st = equip(d);
    if (!st) st = hol_events_move(&d->events, d->it);
    if (!st) st = observe(d, !d->rank.n_redundant || d->it->count.switchings >= MOST_TOLD);
    if (!st) st = hol_watchers_create(d);
    d->strips.found = found;
    d->strips.undecided = undecided;
    d->jumps.met = met;
    hol_state_destroy(&d->drive.trial);
    hol_state_destroy(&d->drive.taken);
    d->stats.chosen = d->set.method->chose ? d->set.method->chose(d->it) : NULL;
    d->violation_row = -1; // it had another number
    d->n_work_parts = 0;
    d->summed = false;
    d->slope_known = false;
    if (d->rank.large_components > d->stats.unexamined_loops)
        d->stats.unexamined_loops = d->rank.large_components;
    return st;
}

hol_status hol_dynamics_become(hol_dynamics *d, const hol_state *x)
{
    hol_status st = begin_switched(d, x);
    if (!st) st = equip_switched(d);
    return st;
}

// Why the run cannot go on, with the event; memory that is missing, or an interruption, has its own words.
static hol_status fail_switch(hol_dynamics *d, hol_status st, const hol_event *v, const char *names)
{
    char why[HOL_REASON];
    if (st == HOL_ERR_MEMORY || st == HOL_ERR_CANCELLED) return st;
    hol_decimal_print(why, sizeof why, "%s", hol_context_error(d->ctx));
    hol_context_clear(d->ctx);
    return hol_fail_at(d->ctx, HOL_ERR_INTEGRATION, v->at,
                       "stopped at t = %.9g s: event %s (%s): the motion cannot go on: %s", d->it->x.t,
                       v->name, names, why);
}

// What rests at a stop is there up to rounding, which must not become a motion: it stays where it is.
static void keep_rests(hol_dynamics *d)
{
    hol_state *x = &d->it->x;
    for (int i = d->m->n_bodies; i < d->m->n_elements && d->m->n_stops; i++) {
        const hol_element *e = &d->m->element[i];
        hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], off;
        if (e->type != &hol_joint_stop || !e->n_rows) continue;
        hol_element_gather(d->m, e, x->t, x->q, x->v, 1, y, w);
        e->type->phi(e->data, e->ny, y, x->mem + e->mem, &off, NULL);
        x->mem[e->mem + e->n_mem] += hol_re(off);
    }
}

// The equations of what acts now, at the state of the event.
static hol_status go_over(hol_dynamics *d, const hol_event *v, const char *names)
{
    const hol_status st = hol_dynamics_become(d, &d->it->x);
    if (st) return fail_switch(d, st, v, names);
    keep_rests(d);
    return HOL_OK;
}

// The same; what would be pulled by the jump of the velocities, and rests at a stop, is let go.
static hol_status go_over_all(hol_dynamics *d, const hol_event *v, char names[NAMES])
{
    const size_t size = (size_t)d->m->nq * sizeof(double);
    double *before = hol_calloc(d->ctx, (size_t)d->m->nq, sizeof *before);
    if (!before) return HOL_ERR_MEMORY;
    memcpy(before, d->it->x.v, size);
    hol_status st = go_over(d, v, names);
    for (bool left = d->m->n_stops > 0; left && !st;) {
        st = hol_stops_jump(&d->events, before, &left);
        memcpy(before, d->it->x.v, size);
        if (left && !st) st = take_switches(d, v, &d->it->x, names);
        if (left && !st) st = go_over(d, v, names);
    }
    hol_free(before);
    return st;
}

hol_status hol_dynamics_switch(hol_dynamics *d)
{
    const hol_event *v = d->events.switching;
    char names[NAMES] = "", redundant[40] = "";
    hol_status st = close_for_holds(d, &d->it->x);
    if (!st) st = take_switches(d, v, &d->it->x, names);
    if (st || !*names) return st ? st : hol_events_settle(&d->events); // back as it was, in one round
    st = go_over_all(d, v, names);
    if (!st) st = hol_events_settle(&d->events);
    if (st) return st;
    if (++d->it->count.switchings > MOST_TOLD) return HOL_OK;
    if (d->rank.n_redundant) snprintf(redundant, sizeof redundant, "; redundant: %d", d->rank.n_redundant);
    hol_note(d->ctx, HOL_NOTICE, "t = %.9g s: %s%s", d->it->x.t, names, redundant);
    return HOL_OK;
}

hol_status hol_dynamics_archive_switches(hol_dynamics *d, hol_archive *a)
{
    hol_state x = {0};
    if (!d->m->n_switched) return HOL_OK;
    hol_status st = hol_state_create(d->s, &x);
    if (st) return st;
    hol_state_copy(d->s, &x, &d->it->x);
    hol_archive_numbers(a, &x.t, 1);
    hol_archive_numbers(a, x.q, (size_t)d->s->nq);
    hol_archive_numbers(a, x.v, (size_t)d->s->nq);
    hol_archive_numbers(a, x.X, (size_t)d->s->nx);
    hol_archive_numbers(a, x.mem, (size_t)d->m->n_mem);
    for (int i = 0; i < d->m->n_elements && a->reading && !a->failed; i++) {
        const double on = d->m->element[i].gate ? x.mem[d->m->element[i].gate - 1] : 1;
        if (on != 0 && on != 1) a->failed = true;
    }
    if (a->reading && !a->failed && hol_model_switched(d->m, x.mem) >= 0) st = hol_dynamics_become(d, &x);
    hol_state_destroy(&x);
    return st;
}
