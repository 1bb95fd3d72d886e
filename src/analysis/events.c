// Event handling: a step ends where an expression passes through 0 first (passages.c), and the state is changed. docs/theory.md,
// section 8.5. An expression's sign at the last accepted point and the number of times an event has happened are kept in the
// state's memory, so that a checkpoint has them.
#include "analysis/bands.h"
#include "analysis/contacts.h"
#include "analysis/passages.h"
#include "analysis/stops.h"
#include "integrator/crossing.h"
#include "system/fault.h"
#include "system/initial.h"
#include "system/kernel.h"
#include "system/weak.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { JOINTS = 200 };

bool hol_events_need_unknowns(const hol_model_data *m)
{
    bool yes = false;
    for (int i = 0; i < m->n_events; i++) yes = yes || hol_event_needs_unknowns(&m->event[i]);
    return yes;
}

hol_status hol_event_no_value(const hol_events *e, const hol_event *v, const hol_equation *expression,
                              const char *key, const hol_state *x)
{
    const double t = e->it->x.t;
    char what[200];
    hol_fault f;
    snprintf(what, sizeof what, "events.%s.%s", v->name, key);
    if (!hol_fault_in_equation(e->it->s, x, expression, what, &f) && !hol_fault_find(e->it->s, x, &f))
        return hol_fail_at(
            e->ctx, HOL_ERR_INTEGRATION, v->at,
            "stopped at t = %.6g s: %s has no finite value at t = %.9g s: what it takes has none", t, what,
            x->t);
    return hol_fail_at(e->ctx, HOL_ERR_INTEGRATION, f.at, "stopped at t = %.6g s: %s", t, f.text);
}

// A rigid stop has no force that would bring back what lies beyond it.
static hol_status refuse_beyond(const hol_events *e, const hol_event *v, double g)
{
    return hol_fail_at(e->ctx, HOL_ERR_INTEGRATION, v->at,
                       "%s: at t = %.6g s the joint is %.3g beyond its hard stop; begin within its range, or "
                       "give the stop a `stiffness` instead of `hard: yes`",
                       v->name, e->it->x.t, g);
}

// Has a program put the joint beyond its stop, by more than steps miss it by, and let it move back or rest?
static hol_status check_place(const hol_events *e, const hol_event *v)
{
    const hol_state *x = &e->it->x;
    if (!v->impact || hol_stop_is_away(e, v, x)) return HOL_OK;
    const double g = hol_equations_expression(e->it->s, x, v->when),
                 missed = fmax(e->it->asked, e->it->tolerance) * hol_stop_size(e->m, v);
    return hol_stop_is_passed(e, v, g) && g > missed ? refuse_beyond(e, v, g) : HOL_OK;
}

// The sign of an event's expression at the present state. A joint that is at a rigid stop meets it if it goes in.
static hol_status note_sign(hol_events *e, const hol_event *v)
{
    hol_state *x = &e->it->x;
    const double g = hol_stop_is_away(e, v, x) ? 0 : hol_event_value_of(e, v, x);
    if (!isfinite(g)) return hol_event_no_value(e, v, v->when, "when", x);
    x->mem[v->sign] = v->impact && !hol_stop_is_away(e, v, x) ? -1 : hol_event_first_sign(e, v, g);
    hol_event_begin(e, v, true);
    hol_event_band *b = &e->band[v - e->m->event];
    e->seen[v - e->m->event] = g;
    b->way = b->largest = 0;
    b->floor_at = (double)NAN;
    b->from = b->until = x->t;
    const bool passed = v->impact && !hol_stop_is_away(e, v, x) && hol_stop_is_passed(e, v, g);
    return passed ? refuse_beyond(e, v, g) : HOL_OK;
}

// The enclosures of what passes through 0.
static hol_status make_course(hol_events *e)
{
    const hol_model_data *m = e->m;
    bool any = false;
    for (int i = 0; i < m->n_events; i++) any = any || m->event[i].when;
    if (!any) return HOL_OK;
    hol_status st = hol_course_create(e->it, &e->course);
    for (int i = 0; i < m->n_events && !st; i++) {
        if (!m->event[i].when) continue;
        st = hol_course_take(&e->course, m->n_equations + i, NULL, &e->term[i]);
        e->course.needed[m->n_equations + i] = e->term[i].smooth;
    }
    if (!st) st = hol_course_prepare(&e->course, HOL_EVENT_LEVELS);
    return st ? st : hol_course_keep(&e->course);
}

hol_status hol_events_create(hol_integrator *it, hol_kernel *deep, hol_events *e)
{
    const hol_model_data *m = it->s->m;
    int most = 1;
    *e = (hol_events){.m = m, .ctx = it->ctx, .it = it, .deep = deep, .last = -HOL_INF, .ahead = HOL_INF};
    if (!m->n_events) return HOL_OK;
    for (int i = 0; i < m->n_events; i++) most = m->event[i].n_sets > most ? m->event[i].n_sets : most;
    e->value = hol_calloc(it->ctx, (size_t)most, sizeof *e->value);
    e->hit = hol_calloc(it->ctx, 2 * (size_t)m->n_events, sizeof *e->hit);
    e->band = hol_calloc(it->ctx, (size_t)m->n_events, sizeof *e->band);
    e->passing = hol_calloc(it->ctx, (size_t)m->n_events, sizeof *e->passing);
    e->open = hol_calloc(it->ctx, 5 * (size_t)m->n_events, 1);
    e->stop = hol_calloc(it->ctx, (size_t)m->n_events, sizeof *e->stop);
    e->stop_of = hol_calloc(it->ctx, (size_t)m->n_events, sizeof *e->stop_of);
    e->term = hol_calloc(it->ctx, (size_t)m->n_events, sizeof *e->term);
    e->part = hol_calloc(it->ctx, HOL_EVENT_PARTS * (size_t)m->n_events, sizeof *e->part);
    if (!e->value || !e->hit || !e->band || !e->part || !e->passing || !e->open || !e->term || !e->stop ||
        !e->stop_of || hol_state_create(it->s, &e->trial) || hol_state_create(it->s, &e->behind))
        return HOL_ERR_MEMORY;
    e->looked = (double)NAN;
    e->seen = e->hit + m->n_events;
    e->acted = e->open + m->n_events;
    e->still = e->acted + m->n_events;
    e->poles = e->still + m->n_events;
    e->grazed = e->poles + m->n_events;
    e->fresh = true;
    hol_status st = make_course(e);
    for (int i = 0; i < m->n_events && !st; i++) {
        if (m->event[i].when) st = note_sign(e, &m->event[i]);
    }
    return st;
}

void hol_events_forget(hol_events *e)
{
    for (int i = 0; i < e->m->n_events; i++) e->hit[i] = 0;
}

// When it happens again after so many times.
static double time_of(const hol_event *v, double count)
{
    return v->n_times ? v->time[(int)count] : count * v->every;
}

// How often an event at times has happened when the time is t.
static double count_until(const hol_event *v, double t)
{
    int n = 0;
    if (!v->n_times) return floor(t / v->every * (1 + 4 * DBL_EPSILON)) + 1;
    while (n < v->n_times && v->time[n] <= t) n++;
    return n;
}

hol_status hol_events_place(hol_events *e)
{
    hol_state *x = &e->it->x;
    hol_start_run(e->it->s, x);
    for (int i = 0; i < e->m->n_events; i++) {
        const hol_event *v = &e->m->event[i];
        if (!v->when && !(v->once && x->mem[v->count] > 0)) x->mem[v->count] = count_until(v, x->t);
        hol_status st = v->when ? note_sign(e, v) : HOL_OK;
        if (!st) st = check_place(e, v);
        if (st) return st;
    }
    hol_events_forget(e);
    e->placed = e->m->n_stops > 0;
    e->fresh = true;
    return HOL_OK;
}

void hol_events_await(hol_events *e)
{
    hol_state *x = &e->it->x;
    for (int i = 0; i < e->m->n_events; i++) {
        const hol_event *v = &e->m->event[i];
        double *n = &x->mem[v->count];
        if (!v->when && *n > 0 && time_of(v, *n - 1) >= x->t * (1 - 4 * DBL_EPSILON)) --*n;
    }
}

hol_status hol_events_move(hol_events *e, hol_integrator *it)
{
    e->m = it->s->m;
    e->it = it;
    hol_state_destroy(&e->trial);
    hol_state_destroy(&e->behind);
    hol_course_destroy(&e->course);
    e->course = (hol_course){0};
    e->looked = (double)NAN;
    hol_events_forget(e);
    hol_status st = hol_state_create(it->s, &e->trial);
    if (!st) st = hol_state_create(it->s, &e->behind);
    return st ? st : make_course(e);
}

void hol_events_destroy(hol_events *e)
{
    if (!e->m || !e->m->n_events) return;
    hol_state_destroy(&e->trial);
    hol_state_destroy(&e->behind);
    hol_free(e->value);
    hol_free(e->hit);
    hol_free(e->band);
    hol_free(e->part);
    hol_free(e->passing);
    hol_free(e->open);
    hol_free(e->term);
    hol_free(e->stop);
    hol_free(e->stop_of);
    hol_course_destroy(&e->course);
}

static bool is_whole(double count) { return count >= 0 && count <= 1e15 && count == floor(count); }

void hol_events_archive(hol_events *e, hol_archive *a)
{
    HOL_ARCHIVE(a, e->last);
    hol_archive_int(a, &e->repeated, 0, HOL_MOST_ROUNDS);
    for (int i = 0; i < e->m->n_events; i++) {
        hol_archive_number(a, &e->hit[i], -1, 1); // of what waits
        hol_archive_number(a, &e->seen[i], -HOL_INF, HOL_INF);
        hol_event_archive(&e->band[i], a);
        if (!a->reading) continue;
        const hol_event *v = &e->m->event[i];
        const double sign = v->when ? e->it->x.mem[v->sign] : 0;
        if (!is_whole(e->it->x.mem[v->count]) || sign != hol_event_sign_of(sign)) a->failed = true;
    }
}

// Will it not happen again?
static bool is_spent(const hol_event *v, const hol_state *x)
{
    const double count = x->mem[v->count];
    return (v->once && count > 0) || (v->n_times && count >= v->n_times);
}

// Will it not happen, for ever or as long as its stop is switched off?
bool hol_event_is_over(const hol_events *e, const hol_event *v, const hol_state *x)
{
    return hol_stop_is_away(e, v, x) || is_spent(v, x);
}

double hol_event_due(const hol_event *v, const hol_state *x)
{
    const double count = x->mem[v->count];
    if (v->when || is_spent(v, x)) return HOL_INF;
    return time_of(v, count);
}

double hol_events_next_time(const hol_events *e, double end)
{
    double next = end;
    if (!e->m->n_events) return end;
    for (int i = 0; i < e->m->n_events; i++) next = fmin(next, hol_event_due(&e->m->event[i], &e->it->x));
    return next;
}

// A state between steps is only nearly consistent.
static hol_status put_on_joints(hol_kernel *k, hol_state *x)
{
    hol_status st = hol_project_positions(k, x, NULL);
    if (!st) st = hol_project_velocities(k, x);
    return st ? st : hol_solve_accelerations(k, x);
}

// What a pole has turned in the step, as far as it is kept, has that sign now and has not passed.
static void go_past_poles(hol_events *e)
{
    for (int i = 0; i < e->m->n_events; i++) {
        const hol_event *v = &e->m->event[i];
        const hol_passing *p = &e->passing[i];
        if (!v->when || !(p->pole <= e->it->x.t)) continue;
        if (!e->poles[i])
            hol_note_at(
                e->ctx, HOL_WARNING, v->at,
                "event %s: \"%.200s\" changes its sign at t = %.9g s at a pole, where it grows without "
                "bound instead of passing through 0: it does not happen there",
                v->name, hol_expr_text(v->when->expr), p->pole);
        e->poles[i] = 1;
        e->it->x.mem[v->sign] = p->behind;
    }
}

#define BACK (1.0 / 64) // of the step: how far it is looked back from where an expression is 0

// What lies between the ends of the last step at t, on the joints, into the trial state.
static hol_status state_on_joints(hol_events *e, double t, hol_crossed *how)
{
    hol_integrator *it = e->it;
    hol_integrator_interpolate(it, t, &e->trial);
    const hol_status st = hol_crossing_of_step(it, &e->trial, how);
    return st || *how == HOL_CROSSED_TAKEN ? st : put_on_joints(it->k, &e->trial);
}

#define AWAY 0.01    // of the floor: what is left of an expression where it has passed
#define FARTHEST 100 // times that: more is none of the joints' doing, but a jump

// The file's event that passes in the last step, and how fast at t between its ends. NULL: there is none whose place counts.
static const hol_event *slope_of_passage(hol_events *e, double t, double *slope)
{
    const hol_event *v = e->m->event, *end = v + e->m->n_events;
    const double back = BACK * (t - e->it->before.t);
    double here, before;
    while (v < end &&
           !(e->hit[v - e->m->event] != 0 && hol_event_is_users(v) && e->band[v - e->m->event].armed))
        v++;
    if (v == end || hol_event_needs_unknowns(v) || !(back > 0) ||
        hol_event_value_at(e, v, t - back, &before) || hol_event_value_at(e, v, t, &here))
        return NULL;
    *slope = (here - before) / back;
    return v;
}

// The state where an expression passes, on the joints. The passage was found on what lies between the ends of the step, which is off by what it opens
// these: an event that locks there would rest on the wrong side of its own threshold.
static hol_status state_of_passage(hol_events *e, double t, hol_crossed *how)
{
    const hol_integrator *it = e->it;
    double slope;
    const hol_event *v = slope_of_passage(e, t, &slope);
    const hol_status st = state_on_joints(e, t, how);
    if (!v || st || *how == HOL_CROSSED_TAKEN) return st;
    const double g = hol_event_value_of(e, v, &e->trial), floor = hol_event_floor(e, v), way = g / slope,
                 back = BACK * (t - it->before.t);
    if (!(fabs(g) > AWAY * floor && fabs(g) < FARTHEST * floor && fabs(way) < back)) return st;
    return state_on_joints(e, fmin(it->x.t, t - way), how);
}

// The step ends at the first passage, `first`, in a state on the joints.
static hol_status cut_step(hol_events *e, double first)
{
    hol_integrator *it = e->it;
    hol_crossed how;
    hol_status st = state_of_passage(e, first, &how);
    hol_state_copy(it->s, &it->x, &e->trial);
    if (how == HOL_CROSSED_TAKEN) hol_crossing_bound(it->s, &it->x);
    if (st > 0)
        st = hol_fail(e->ctx, HOL_ERR_INTEGRATION,
                      "stopped at t = %.9g s: no consistent state was found at an event", first);
    hol_integrator_limit(it, HOL_LIMIT_EVENT);
    return st;
}

#define BENT 0.1  // of the tolerance: error of a step that the forces of a contact may have bent
#define BARE 1e-3 // of a step: what is between its ends is right in so little behind its start

// Where the force of a stop ends, a step that goes over it is bent: what is between its ends is wrong by several times its error, which may not
// show it, so that one ends before. Contacts bend it by little,
// but stages that a method has between the ends of a step alone may have felt them. Methods that lose their order where they begin anew gain nothing.
static bool is_bent(const hol_events *e, double t)
{
    const hol_integrator *it = e->it;
    bool stop = false, contact = false;
    for (int i = 0; i < e->m->n_events; i++) {
        stop = stop || (e->hit[i] != 0 && e->m->event[i].lets_go);
        contact = contact || (e->hit[i] != 0 && e->m->event[i].touch);
    }
    return (stop || (contact && (it->error > BENT || it->solves_between))) && it->tolerance > 0 &&
           !it->method->orders && t - it->before.t > BARE * (it->x.t - it->before.t) &&
           !hol_integrator_has_tried(it);
}

#define MULTIPLE 1e-10 // of a value: what rounding makes two multiples of one expression differ by

// How many times the other event's expression this one's is at two states and between them, in the last step; 0: it is no multiple there.
static double multiple_of(hol_events *e, const hol_event *v, const hol_event *other)
{
    hol_integrator *it = e->it;
    const double whole = hol_event_value_of(e, other, &it->x),
                 begin = hol_event_value_of(e, other, &it->before),
                 c = hol_event_value_of(e, v, &it->x) / whole, t = 0.5 * (it->before.t + it->x.t);
    double here, there;
    if (!isfinite(c) || c == 0 ||
        !(fabs(hol_event_value_of(e, v, &it->before) - c * begin) <= MULTIPLE * fabs(c * begin)) ||
        hol_event_value_at(e, v, t, &here) || hol_event_value_at(e, other, t, &there))
        return 0;
    return fabs(here - c * there) <= MULTIPLE * fabs(c * there) ? c : 0;
}

#define AT_ONCE                                                                                              \
    1e-10 // of the largest size of an expression: what is left of it where it passes together with another one

// Does the expression pass through 0 at t in the last step, where another one passes? It is there but for rounding, on either side: it is the way there
// and on that say so. Where the step ends there it is half as large half as far back if it passes; what touches is a quarter.
static bool vanishes_at(hol_events *e, const hol_event *v, double t)
{
    const hol_integrator *it = e->it;
    const double sign = it->x.mem[v->sign], back = BACK * (t - it->before.t);
    double g, near, far, on;
    if (!(back > 0) || (t < it->x.t && hol_event_value_of(e, v, &it->x) * sign > 0)) return false;
    if (hol_event_value_at(e, v, t, &g) || !(fabs(g) <= AT_ONCE * e->band[v - e->m->event].largest) ||
        hol_event_value_at(e, v, t - back, &near) || hol_event_value_at(e, v, t - 2 * back, &far) ||
        hol_event_value_at(e, v, fmin(t + back, it->x.t), &on))
        return false;
    const bool goes_on = t + back <= it->x.t ? on * sign < 0 : fabs(far) <= 3 * fabs(near);
    const double least =
        AT_ONCE + 8 * DBL_EPSILON * fabs(t) / back; // of the way since then: t has no more digits
    return near * sign > 0 && fabs(g) <= least * fabs(near - g) && goes_on;
}

// Have both passed at one time before, and neither has left its band since then?
static bool passed_together(hol_events *e, const hol_event *v, const hol_event *other, double t)
{
    const hol_event_band *a = &e->band[v - e->m->event], *b = &e->band[other - e->m->event];
    double g;
    return !a->armed && !b->armed && fabs(a->begun - b->begun) <= 4 * DBL_EPSILON * fabs(t) &&
           !hol_event_value_at(e, v, t, &g) && fabs(g) <= hol_event_floor(e, v);
}

// Events of one expression, of multiples of it, or of others that are 0 at the same time t, pass together, also where that counts for one of them alone or one of
// them has a band yet: behind it rounding would give them different signs, and what comes back to 0 at once would have passed for some.
static void pass_together(hol_events *e, double t)
{
    const hol_event *v = e->m->event, *end = v + e->m->n_events, *other = v;
    while (other < end && (e->hit[other - v] == 0 || !hol_event_is_users(other))) other++;
    for (const hol_event *k = v; k < end && other < end; k++) {
        const double sign = e->it->x.mem[k->sign];
        if (e->hit[k - v] != 0 || sign == 0 || !hol_event_is_users(k) || hol_event_is_over(e, k, &e->it->x))
            continue;
        const double m = hol_event_sign_of(multiple_of(e, k, other));
        const bool passes =
            m != 0 ? sign == -m * e->hit[other - v] : vanishes_at(e, k, t) || passed_together(e, k, other, t);
        if (passes) e->hit[k - v] = -sign;
    }
}

hol_status hol_events_locate(hol_events *e, bool *again)
{
    hol_integrator *it = e->it;
    double first = HOL_INF, blind = HOL_INF;
    const hol_event *lost = NULL;
    int from = 0; // those before it come later than the first
    *again = e->fresh = false;
    e->ahead = HOL_INF;
    e->stepped = true;
    e->looked = (double)NAN;
    memset(e->still, 0, (size_t)e->m->n_events);
    const hol_status failed = hol_events_find_passages(e);
    if (failed) return failed;
    for (int i = 0; i < e->m->n_events; i++) {
        const hol_passing p = e->passing[i];
        if (p.t < first) from = i;
        e->hit[i] = p.t <= first ? p.sign : 0;
        first = fmin(first, p.t);
        if (p.blind < blind) lost = &e->m->event[i];
        blind = fmin(blind, p.blind);
    }
    for (int i = 0; i < from; i++) e->hit[i] = 0;
    if (first < HOL_INF) pass_together(e, first);
    if (lost &&
        blind <= first) { // what comes before may end the run, or keep the expression where it has a value
        hol_integrator_interpolate(it, blind, &e->trial);
        if (hol_event_needs_unknowns(lost) && blind < it->x.t) hol_events_find_unknowns(e);
        return hol_event_no_value(e, lost, lost->when, "when", &e->trial);
    }
    *again = first < it->x.t && is_bent(e, first);
    if (*again) {
        e->ahead = first;
        hol_events_forget(e);
        return hol_integrator_take_back(it);
    }
    const hol_status st = first < it->x.t ? cut_step(e, first) : HOL_OK;
    go_past_poles(e);
    return st;
}

// ---- actions --------------------------------------------------------------------------------------------------

// A contact that is switched begins anew where it is: off, it remembers nothing; on, it knows on which side of it shapes are.
static hol_status switch_contact(hol_events *e, int slot)
{
    hol_status st = HOL_OK;
    for (int k = e->m->n_bodies; k < e->m->n_elements && !st; k++) {
        const hol_element *c = &e->m->element[k];
        if (c->type != &hol_force_contact || c->gate != 1 + slot) continue;
        hol_contact_switch(e->it->s, &e->it->x, c);
        for (int i = 0; i < e->m->n_events && !st; i++)
            if (e->m->event[i].of == 1 + k) st = note_sign(e, &e->m->event[i]);
    }
    return st;
}

// The first step behind the onset of a smooth stop, which is met at some speed: d^n is not smooth at its beginning.       (23.8b)
static void begin_briefly(hol_events *e, const hol_event *v)
{
    hol_integrator *it = e->it;
    const double rate = fabs(hol_equations_expression(it->s, &it->x, v->rate)), n = v->exponent + 1,
                 depth = pow(v->yield * rate * rate, 1 / n);
    if (rate > 0 && depth > 0 && isfinite(depth))
        hol_integrator_begin_briefly(it, it->x.t, 3 * depth / rate * pow(it->tolerance, 1 / n));
}

// A contact that ends is apart, and one that begins is not: the other event of the two waits from there on, on whatever side of it rounding has shapes
// that part, or meet, at no speed. Its sign was kept where they rest, and what came back then fell through.
static void note_other_end(hol_events *e, const hol_event *v)
{
    for (int i = 0; i < e->m->n_events && v->touch; i++) {
        const hol_event *other = &e->m->event[i];
        if (other != v && other->touch && other->of == v->of) e->it->x.mem[other->sign] = -1;
    }
}

// What an event does: all new values are found from the state before, then stored; forces are switched.
static hol_status act(hol_events *e, const hol_event *v)
{
    hol_state *x = &e->it->x;
    for (int i = 0; i < v->n_sets; i++) {
        e->value[i] = hol_equations_expression(e->it->s, x, &v->set[i].value);
        if (!isfinite(e->value[i])) return hol_event_no_value(e, v, &v->set[i].value, "set", x);
    }
    for (int i = 0; i < v->n_sets; i++) (v->set[i].is_state ? x->X : x->mem)[v->set[i].index] = e->value[i];
    for (int i = 0; i < v->n_switches; i++) {
        double *on = &x->mem[v->change[i].slot];
        const bool changes = (*on != 0) != v->change[i].on;
        if (v->change[i].rows && changes) e->switching = v;
        *on = v->change[i].on;
        const hol_status st = changes ? switch_contact(e, v->change[i].slot) : HOL_OK;
        if (st) return st;
    }
    for (int i = 0; i < e->m->n_events && v->n_switches; i++)
        if (hol_stop_is_away(e, &e->m->event[i], x)) x->mem[e->m->event[i].sign] = 0;
    note_other_end(e, v);
    if (v->rest && !v->impact) hol_stop_let_go(e, v);
    e->impacts += v->impact > 0;
    if (v->yield > 0) begin_briefly(e, v);
    e->fresh = e->stepped = false;
    if (v->print) hol_note(e->ctx, HOL_NOTICE, "event %s at t = %.9g s: %s", v->name, x->t, v->print);
    if (v->stop && !e->ended) e->ended = v->name;
    x->mem[v->count]++;
    if (v->when) hol_event_tell_held(e, v);
    hol_event_begin(e, v, false);
    return HOL_OK;
}

// Has it no sign, as it has happened and its value has been no more than rounding and what dies since then?
static bool is_parked(hol_events *e, const hol_event *v, double g)
{
    return hol_event_is_plain(v) && !e->band[v - e->m->event].armed && fabs(g) <= hol_event_floor(e, v);
}

// The sign of what has come to a value: 0 is reached, which counts as passed.
static double sign_behind(double g, double before) { return g != 0 ? hol_event_sign_of(g) : -before; }

// Does the expression, 0 where the last step ends, touch 0 there? Twice as far back it is twice as large if it passes.
static bool only_touches(hol_events *e, const hol_event *v)
{
    const hol_integrator *it = e->it;
    const double back = BACK * (it->x.t - it->before.t);
    double near, far;
    if (!e->stepped || !(back > 0) || hol_event_value_at(e, v, it->x.t - back, &near) ||
        hol_event_value_at(e, v, it->x.t - 2 * back, &far))
        return false;
    return fabs(far) > 3 * fabs(near);
}

// The sign that the expression, g at the present state, has come to. Where it was located there, it has that, whatever the projection onto
// the joints has made of a value that is nearly 0.
static double sign_now(hol_events *e, const hol_event *v, double g)
{
    const double hit = e->hit[v - e->m->event], before = e->it->x.mem[v->sign],
                 behind = sign_behind(g, before);
    if (hit != 0) return hit;
    if (is_parked(e, v, g) || (e->stepped && hol_event_rests(e, v, g))) return before;
    if (before == 0) return hol_event_first_sign(e, v, g);
    if (g == 0 && only_touches(e, v)) return before;
    return v->touch && hol_event_told(e, v, g) == 0 && hol_event_counts(v, before, behind) ? before : behind;
}

static bool has_passed(const hol_events *e, const hol_event *v, double now)
{
    const double hit = e->hit[v - e->m->event];
    return hit != 0 ? v->direction == 0 || hit == v->direction
                    : hol_event_counts(v, e->it->x.mem[v->sign], now);
}

// Is it one that is looked at now? A stop that is switched off is looked at last.
static bool is_looked_at(const hol_events *e, const hol_event *v)
{
    const hol_state *x = &e->it->x;
    return v->when && !hol_event_is_over(e, v, x) && !(v->impact && x->mem[v->sign] == 0);
}

// Has the expression the other sign at the present state?
static hol_status passed(hol_events *e, const hol_event *v, bool *yes)
{
    hol_state *x = &e->it->x;
    *yes = false;
    if (!is_looked_at(e, v)) return HOL_OK;
    if (v->impact) hol_stop_forget_graze(e, v);
    const double g = hol_event_value_of(e, v, x);
    if (!isfinite(g)) return hol_event_no_value(e, v, v->when, "when", x);
    const double now = sign_now(e, v, g);
    *yes = has_passed(e, v, now);
    const bool other_way = !*yes && hol_event_is_users(v) && now * x->mem[v->sign] < 0;
    hol_event_arm(e, v, g);
    if (other_way) hol_event_begin(e, v, e->band[v - e->m->event].armed && e->hit[v - e->m->event] == 0);
    e->hit[v - e->m->event] = 0;
    if (now != 0) x->mem[v->sign] = now;
    return HOL_OK;
}

// Many events may happen at one time, each once; what undoes itself comes round after round.
static hol_status check_repeated(hol_events *e, const hol_event *v)
{
    const double t = e->it->x.t;
    e->repeated = t - e->last <= 1e-12 * fabs(t) ? e->repeated + 1 : 0;
    e->last = t;
    if (e->repeated < HOL_MOST_ROUNDS) return HOL_OK;
    return hol_fail_at(
        e->ctx, HOL_ERR_INTEGRATION, v->at,
        "stopped at t = %.9g s: event %s happens again and again at the same time: what it does undoes "
        "its own condition%s",
        t, v->name,
        !v->when            ? ""
        : v->direction == 0 ? "; where one direction is meant, give `direction: rising` or `falling`"
                            : ", by itself or by another event; where it is the sign of a force, let that "
                              "change smoothly, as "
                              "by tanh, or use `friction`");
}

// Behind an event no accelerations are found: which one, where rows depend on each other there, and the way out.
static hol_status fail_accelerations(const hol_events *e)
{
    const hol_event *v = e->switching;
    char joints[JOINTS] = "";
    for (int i = 0; i < e->m->n_events && !v; i++)
        if (e->acted[i]) v = &e->m->event[i];
    const bool weak = hol_weak_joints(e->it->k, &e->it->x, joints, sizeof joints), stop = v && v->rest;
    return hol_fail_at(
        e->ctx, HOL_ERR_INTEGRATION, v ? v->at : (hol_src){0},
        "stopped at t = %.9g s: the accelerations are not determined after %s%s%s%s%s; %s", e->it->x.t,
        stop ? "the hard stop of "
        : v  ? "event "
             : "an event",
        v ? stop ? e->m->element[v->rest - 2].name : v->name : "",
        weak ? ", in a singular pose: the equations of " : "", joints,
        weak ? " lose their independence there" : "",
        stop
            ? "give it a `stiffness` instead of `hard: yes`, or move the end of the range away from that pose"
            : "end the run before, or let the event happen beside that pose");
}

hol_status hol_events_settle(hol_events *e)
{
    hol_integrator *it = e->it;
    hol_status st = hol_crossing_accelerate(it, it->k, &it->x);
    if (st > 0) st = fail_accelerations(e);
    for (int i = 0; i < e->m->n_events && !st; i++) {
        const hol_event *v = &e->m->event[i];
        if (!v->when || hol_event_is_over(e, v, &it->x)) continue;
        if (v->impact && it->x.mem[v->sign] == 0) { // it was switched off
            st = note_sign(e, v);
            continue;
        }
        const double g = hol_event_value_of(e, v, &it->x), before = it->x.mem[v->sign];
        if (!isfinite(g)) st = hol_event_no_value(e, v, v->when, "when", &it->x);
        const bool jumps = fabs(g - e->seen[i]) > 1e-9 * fmax(1, fabs(g));
        e->seen[i] = g;
        e->band[i].floor_at = (double)NAN; // what was set may be a factor of it
        if (!jumps || is_parked(e, v, g)) continue;
        if (hol_event_is_plain(v)) hol_event_arm(e, v, g);
        if (!e->acted[i] && hol_event_counts(v, before, sign_behind(g, before)))
            e->again = true; // a count, a force limit, a speed that another event has carried there
        else if (g != 0)
            it->x.mem[v->sign] = hol_event_first_sign(e, v, g);
    }
    if (!st) st = hol_integrator_restart(it);
    e->fresh = !st;
    e->again = e->again || (!st && hol_stops_may_rest(e));
    return st;
}

static double energy_of(const hol_integrator *it)
{
    hol_measure now;
    hol_equations_measure_parts(it->s, &it->x, 0, &now);
    return now.kinetic + now.potential;
}

bool hol_event_is_due(const hol_event *v, const hol_state *x)
{
    return hol_event_due(v, x) <= x->t + 4 * DBL_EPSILON * fabs(x->t);
}

bool hol_events_wait(hol_events *e)
{
    bool any = false;
    for (int i = 0; i < e->m->n_events && !any; i++) {
        const hol_event *v = &e->m->event[i];
        any = hol_event_is_due(v, &e->it->x) ||
              (!v->touch && is_looked_at(e, v) &&
               has_passed(e, v, sign_now(e, v, hol_event_value_of(e, v, &e->it->x))));
    }
    return any;
}

// What may rest does.
static hol_status rest(hol_events *e, bool *happened)
{
    if (!hol_stops_may_rest(e)) return HOL_OK;
    if (!*happened) e->energy = energy_of(e->it);
    *happened = true;
    const hol_status st = hol_stops_rest(e);
    return st || !e->switching ? st : check_repeated(e, e->switching);
}

// Event i has acted: its sign is that behind its own action. What acted before it in this round and is carried through 0 by it is due again. Where
// the action leaves an expression what it was, its sign is the one that it has got: its value is 0 but for rounding, on either side.
static void note_acted(hol_events *e, int i)
{
    hol_state *x = &e->it->x;
    e->acted[i] = true;
    for (int k = 0; k <= i; k++) {
        const hol_event *v = &e->m->event[k];
        if (!e->acted[k] || !hol_event_is_plain(v)) continue;
        const double g = hol_event_value_of(e, v, x), before = x->mem[v->sign];
        if (g == e->seen[k] || is_parked(e, v, g)) continue;
        if (k < i && hol_event_counts(v, before, sign_behind(g, before)) && !hol_event_is_over(e, v, x)) {
            e->acted[k] = false;
        } else if (g != 0) {
            x->mem[v->sign] = hol_event_sign_of(g);
            e->seen[k] = g;
            e->band[k].armed = true;
        }
    }
}

// Event i acts: what it does is no part of the way of the expressions that are looked at behind it.
static void look_before(hol_events *e, int i)
{
    for (int k = i + 1; k < e->m->n_events && e->stepped; k++) {
        const hol_event *v = &e->m->event[k];
        if (is_looked_at(e, v)) hol_event_measure(e, v, hol_event_value_of(e, v, &e->it->x));
    }
}

hol_status hol_events_happen(hol_events *e, bool *happened)
{
    const hol_event *last = NULL;
    hol_status st = HOL_OK;
    *happened = false;
    e->impacts = 0;
    e->again = e->placed = false;
    e->switching = NULL;
    if (e->m->n_events) memset(e->acted, 0, (size_t)e->m->n_events);
    for (int i = 0; i < e->m->n_events && !st; i++) {
        const hol_event *v = &e->m->event[i];
        bool now = hol_event_is_due(v, &e->it->x);
        if (v->when) st = passed(e, v, &now);
        if (st || !now) continue;
        if (!*happened) e->energy = energy_of(e->it);
        look_before(e, i);
        st = act(e, v);
        if (!st) note_acted(e, i);
        *happened = true;
        last = v;
    }
    if (last && !st) st = check_repeated(e, last);
    if (e->impacts && !st) st = hol_stops_collide(e);
    if (!st && e->fresh) st = rest(e, happened);
    return st || !*happened || e->switching ? st : hol_events_settle(e);
}
