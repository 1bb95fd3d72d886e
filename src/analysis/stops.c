// Hard stops: what goes into one rebounds, or rests there until it is pulled away. docs/theory.md, section 8.5.
#include "analysis/stops.h"
#include "system/impact.h"
#include "system/kernel.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static bool acts(const hol_events *e, int element, const hol_state *x)
{
    return hol_element_acts(&e->m->element[element - 1], x->mem);
}

bool hol_stop_is_away(const hol_events *e, const hol_event *v, const hol_state *x)
{
    if (v->impact) return !acts(e, v->impact, x) || acts(e, v->rest, x);
    return v->rest && !(acts(e, v->rest, x) && e->m->element[v->rest - 1].n_rows);
}

// The rate with which a joint goes into its rigid stop; below 0 it leaves it.
static double going_in(const hol_events *e, const hol_event *v, const hol_state *x)
{
    return v->sense * hol_equations_expression(e->it->s, x, v->rate);
}

#define SLOWEST 1e-3                // at most, by natural size and time; less where the tolerance is
#define LOWEST 1e-12                // of the natural size: rebounds that are no higher are rounding
#define STILL 1e-9                  // of the slowest rebound: less is a joint that does not move
#define ROUNDING (32 * DBL_EPSILON) // of all that moves: less is what velocities on the joints are rounded by

double hol_stop_size(const hol_events *e, const hol_event *v)
{
    const hol_element *rest = &e->m->element[v->rest - 1];
    return rest->type->row(rest->data, 0).is_length ? e->m->length_scale : 1;
}

// Rebounds that are slower end: the tolerance, by natural size and time, unless the file says it.
static double slowest_rebound(const hol_events *e, const hol_event *v)
{
    const double T = e->it->asked > 0 ? e->it->asked : e->it->tolerance,
                 part = T > 0 ? fmin(T, SLOWEST) : SLOWEST;
    return v->slowest > 0 ? v->slowest : part * hol_stop_size(e, v) / e->m->time_scale;
}

// Does a joint go into its stop with this rate? Not by rounding, which no impact takes away.
static bool goes_in(const hol_events *e, const hol_event *v, const hol_state *x, double rate)
{
    const double speed = fmax(1 / e->m->time_scale, hol_equations_coordinate_norm(e->it->s, x->v));
    return rate > fmax(STILL * slowest_rebound(e, v), ROUNDING * speed * hol_stop_size(e, v));
}

bool hol_stop_goes_in(const hol_events *e, const hol_event *v, const hol_state *x)
{
    return goes_in(e, v, x, going_in(e, v, x));
}

// All impacts with the stops of a joint, and what lets go of it, have this sign now.
static void mark_stops(hol_events *e, int rest, double impacts, double leaves)
{
    for (int i = 0; i < e->m->n_events; i++) {
        const hol_event *v = &e->m->event[i];
        if (v->rest != rest) continue;
        e->it->x.mem[v->sign] = v->impact ? impacts : leaves;
        e->seen[i] = HOL_INF; // not looked at yet
    }
}

// The joint rests from here on at the end of its range, wherever it is by the error of a step: c - end = s - s_drawn - held.
static void come_to_rest(hol_events *e, const hol_event *v)
{
    hol_state *x = &e->it->x;
    const hol_element *rest = &e->m->element[v->rest - 1];
    double *mem = x->mem + rest->mem;
    hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], c;
    hol_element_gather(e->m, rest, x->t, x->q, x->v, 1, y, w);
    rest->type->phi(rest->data, rest->ny, y, mem, &c, NULL);
    mem[rest->n_mem] += hol_re(c) - v->sense * hol_equations_expression(e->it->s, x, v->when);
    x->mem[rest->gate - 1] = 1;
    x->mem[v->side] = v->sense;
    e->switching = v;
    mark_stops(e, v->rest, 0, -1);
}

void hol_stop_let_go(hol_events *e, const hol_event *v)
{
    e->it->x.mem[e->m->element[v->rest - 1].gate - 1] = 0;
    e->switching = v;
    mark_stops(e, v->rest, -1, 0);
}

#define PULLS 1e-9 // of the largest impulse of a row: what is more, pulls

// An impact in which joints would have to be pulled that rest at their stops: they are let go. mu: impulses of the rows.
static bool let_pulled_go(hol_events *e, const double *mu)
{
    const hol_equations *s = e->it->s;
    double largest = 0;
    bool any = false;
    for (int i = 0; i < s->nc; i++) largest = fmax(largest, fabs(mu[i]));
    for (int i = 0; i < e->m->n_events; i++) {
        const hol_event *v = &e->m->event[i];
        if (!v->rest || v->impact || hol_stop_is_away(e, v, &e->it->x)) continue;
        const hol_element *rest = &e->m->element[v->rest - 1];
        const int row = rest->n_rows ? s->active[rest->row] : -1; // none if it has come to rest just now
        if (row < 0 || !(-mu[row] * e->it->x.mem[v->side] > PULLS * largest)) continue;
        hol_stop_let_go(e, v);
        any = true;
    }
    return any;
}

// Would the joint rebound with this speed? Not where that is slow, or the rebound no higher and no longer than rounding. push: towards the
// stop.
static bool rebounds(const hol_events *e, const hol_event *v, double speed, double push)
{
    const double rise = 2 * fmax(push, 0) * LOWEST;
    return speed >= slowest_rebound(e, v) && speed * speed >= rise * hol_stop_size(e, v) &&
           2 * speed >= rise * e->it->x.t;
}

// Where joints give, what holds the joint would ring, and its force with it.
static hol_status refuse_rest(const hol_events *e, const hol_event *v)
{
    return hol_fail_at(
        e->ctx, HOL_ERR_INTEGRATION, v->at,
        "stopped at t = %.9g s: %s: the joint comes to rest at its hard stop, and the loops of %s give, what "
        "holds it there would ring; take another --method, or give the stop a `stiffness` instead of `hard: "
        "yes`",
        e->it->x.t, v->name, e->it->method->name);
}

// Names of what takes the impulses of rows, drivers or other elements, up to some; the first of them, NULL: there is none.
static const hol_element *list_holding(const hol_events *e, const double *mu, bool drivers, char text[200])
{
    const hol_equations *s = e->it->s;
    const hol_element *first = NULL;
    double largest = 0;
    int n = 0, more = 0;
    for (int i = 0; i < s->nc; i++) largest = fmax(largest, fabs(mu[i]));
    for (int i = e->m->n_bodies; i < e->m->n_elements; i++) {
        const hol_element *h = &e->m->element[i];
        bool holds = false;
        for (int k = 0; k < h->n_rows && (h->type->role == HOL_ROLE_DRIVER) == drivers; k++) {
            const int row = s->active[h->row + k];
            holds = holds || (row >= 0 && fabs(mu[row]) > PULLS * largest);
        }
        if (!holds) continue;
        if (n < 120)
            n += snprintf(text + n, 200 - (size_t)n, "%s\"%.60s\"", first ? ", " : "", h->name);
        else
            more++;
        if (!first) first = h;
    }
    if (more) snprintf(text + n, 200 - (size_t)n, " and %d more", more);
    return first;
}

// A joint that drivers or joints hold does not rebound. mu: impulses of the rows for one into the stop.
static hol_status refuse_turn(const hol_events *e, const hol_event *v, double rate, const double *mu)
{
    char names[200] = "", does[300] = "";
    const hol_element *driver = list_holding(e, mu, true, names);
    const hol_prims *prims = driver && driver->type->phi == hol_prims_phi ? driver->data : NULL;
    const bool length = e->m->element[v->rest - 1].type->row(e->m->element[v->rest - 1].data, 0).is_length;
    if (prims && prims->p[0].set)
        snprintf(does, sizeof does, ", by \"%.200s\"", hol_expr_text(prims->p[0].set));
    if (driver)
        return hol_fail_at(e->ctx, HOL_ERR_INTEGRATION, v->at,
                           "stopped at t = %.9g s: %s: the joint is at its hard stop, and driver %s leads it "
                           "beyond with %.4g "
                           "%s/s%s: keep what it prescribes within the range of the joint, widen that, or "
                           "end the run before",
                           e->it->x.t, v->name, names, rate, length ? "m" : "rad", does);
    (void)list_holding(e, mu, false, names);
    return hol_fail_at(
        e->ctx, HOL_ERR_INTEGRATION, v->at,
        "stopped at t = %.9g s: %s: the joint is at its hard stop and cannot turn around: %s hold%s it",
        e->it->x.t, v->name, *names ? names : "other joints", *names && !strchr(names, ',') ? "s" : "");
}

hol_status hol_stop_meet(hol_events *e, const hol_event *v)
{
    hol_state *x = &e->it->x;
    const double rate = going_in(e, v, x), push = v->sense * hol_equations_expression(e->it->s, x, v->push);
    const bool turns = rebounds(e, v, rate * v->restitution, push);
    const size_t nq = (size_t)e->m->nq;
    if (!isfinite(rate)) return hol_event_no_value(e, v, v->rate, "when", x);
    if (!isfinite(push)) return hol_event_no_value(e, v, v->push, "when", x);
    if (!goes_in(e, v, x, rate)) return HOL_OK;
    memcpy(e->trial.v, x->v, nq * sizeof *x->v);
    const hol_status st = hol_impact(e->it->k, x, &e->m->element[v->impact - 1], v->sense * rate,
                                     turns ? v->restitution : 0, e->trial.lam);
    if (st == HOL_RECOVERABLE) return refuse_turn(e, v, rate, e->trial.lam);
    if (st) return st;
    if (let_pulled_go(e, e->trial.lam)) { // the impact is that of what is left, in the next round
        memcpy(x->v, e->trial.v, nq * sizeof *x->v);
        x->mem[v->sign] = -1;
        e->again = true;
        return HOL_OK;
    }
    hol_equations_remember(e->it->s, x); // with the rates behind it
    if (!turns && push > 0 && e->it->method->open) return refuse_rest(e, v);
    if (!turns && push > 0) come_to_rest(e, v); // else it goes on by itself
    e->impacts++;
    return HOL_OK;
}

hol_status hol_stops_end_impacts(hol_events *e)
{
    const hol_event *last = NULL;
    hol_status st = HOL_OK;
    for (int round = 0; round < HOL_MOST_ROUNDS && !st; round++) {
        const int before = e->impacts;
        for (int i = 0; i < e->m->n_events && !st; i++) {
            const hol_event *v = &e->m->event[i];
            if (!v->impact || e->it->x.mem[v->sign] <= 0) continue;
            st = hol_stop_meet(e, v);
            last = v;
        }
        if (e->impacts > before && !e->again) continue;
        for (int i = 0; i < e->m->n_events && !st; i++) {
            double *sign = &e->it->x.mem[e->m->event[i].sign];
            if (e->m->event[i].impact && *sign > 0) *sign = -1;
        }
        return st;
    }
    return st ? st
              : hol_fail_at(e->ctx, HOL_ERR_INTEGRATION, last->at,
                            "stopped at t = %.9g s: %s: rigid stops that are met at the same time push the "
                            "joint from "
                            "one into the other without an end; give one of them a `stiffness` instead of "
                            "`hard: yes`",
                            e->it->x.t, last->name);
}
