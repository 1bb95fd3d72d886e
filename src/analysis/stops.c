// Hard stops: what goes into one rebounds, or rests there until it is pulled away. docs/theory.md, section 8.5.
#include "analysis/stops.h"
#include "integrator/crossing.h"
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
    if (v->of) return !acts(e, v->of, x);
    if (v->impact) return !acts(e, v->impact, x) || acts(e, v->rest, x);
    return v->rest && !(acts(e, v->rest, x) && e->m->element[v->rest - 1].n_rows);
}

// The rate with which a joint goes into its rigid stop; below 0 it leaves it.
static double going_in(const hol_events *e, const hol_event *v, const hol_state *x)
{
    return v->sense * hol_equations_expression(e->it->s, x, v->rate);
}

#define SLOWEST 1e-3 // at most, by natural size and time; less where the tolerance is
#define LOWEST 1e-12 // of the natural size: rebounds that are no higher are rounding
#define STILL                                                                                                \
    1e-4 // of the tolerance, whatever the file says of rebounds: less is no motion; methods know no rate better
#define TOUCHES 1e-9                // of the natural size: what is no farther from its stop is at it
#define ROUNDING (32 * DBL_EPSILON) // of all that moves: less is what velocities on the joints are rounded by

double hol_stop_size(const hol_model_data *m, const hol_event *v)
{
    const hol_element *rest = &m->element[v->rest - 1];
    return rest->type->row(rest->data, 0).is_length ? m->length_scale : 1;
}

// The tolerance as a speed, by natural size and time.
static double slow(const hol_events *e, const hol_event *v)
{
    const double T = e->it->asked > 0 ? e->it->asked : e->it->tolerance,
                 part = T > 0 ? fmin(T, SLOWEST) : SLOWEST;
    return part * hol_stop_size(e->m, v) / e->m->time_scale;
}

// Rebounds that are slower end.
static double slowest_rebound(const hol_events *e, const hol_event *v)
{
    return v->slowest > 0 ? v->slowest : slow(e, v);
}

// Rates that are no larger are no motion, but rounding, which no impact takes away.
static double slowest_rate(const hol_events *e, const hol_event *v, const hol_state *x)
{
    const double speed = fmax(1 / e->m->time_scale, hol_equations_coordinate_norm(e->it->s, x->v));
    return fmax(STILL * slow(e, v), ROUNDING * speed * hol_stop_size(e->m, v));
}

#define FLAT 1e-3 // of the slowest rebound: what is left of an impact without one

// The same where an impact has just taken its rate away: what is left of it is no motion either.
static double slowest_left(const hol_events *e, const hol_event *v, const hol_state *x)
{
    const bool met = e->still[v - e->m->event];
    return fmax(slowest_rate(e, v, x), met ? FLAT * slowest_rebound(e, v) : 0);
}

bool hol_stop_goes_in(const hol_events *e, const hol_event *v, const hol_state *x)
{
    const bool grazed = e->grazed[v - e->m->event] &&
                        !hol_stop_is_passed(e, v, hol_equations_expression(e->it->s, x, v->when));
    return !grazed && going_in(e, v, x) > slowest_rate(e, v, x);
}

// Does the joint turn back by itself before it is beyond its stop, as in a dead centre at the end of its range? There the stop has no lever, and
// an impact would turn or stop what drives the joint by rounding of its rate. push: towards the stop.                         (8.58b)
static bool grazes(const hol_events *e, const hol_event *v, double g, double rate, double push)
{
    return push < 0 && !hol_stop_is_passed(e, v, g + rate * rate / (-2 * push));
}

void hol_stop_forget_graze(hol_events *e, const hol_event *v)
{
    char *grazed = &e->grazed[v - e->m->event];
    *grazed = *grazed && going_in(e, v, &e->it->x) > 0;
}

// Accelerations that are no larger are no pull.
static double slowest_pull(const hol_events *e, const hol_event *v, const hol_state *x)
{
    const double T = e->m->time_scale;
    return LOWEST * hol_stop_size(e->m, v) * fmax(1 / (T * T), hol_equations_coordinate_norm(e->it->s, x->a));
}

bool hol_stop_is_reached(const hol_events *e, const hol_event *v, double g)
{
    return g >= -TOUCHES * hol_stop_size(e->m, v);
}

bool hol_stop_is_passed(const hol_events *e, const hol_event *v, double g)
{
    return g > TOUCHES * hol_stop_size(e->m, v);
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

// The joint rests from here on at the end of its range, wherever it is by the error of a step: c - end = s - s_drawn - held. A force that
// would pull it away no faster than rounding does not count.
static hol_status come_to_rest(hol_events *e, const hol_event *v)
{
    hol_state *x = &e->it->x;
    const hol_element *rest = &e->m->element[v->rest - 1];
    const double slowest = slowest_pull(e, v, x);
    double *mem = x->mem + rest->mem, mobility;
    hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], c;
    hol_element_gather(e->m, rest, x->t, x->q, x->v, 1, y, w);
    rest->type->phi(rest->data, rest->ny, y, mem, &c, NULL);
    mem[rest->n_mem] += hol_re(c) - v->sense * hol_equations_expression(e->it->s, x, v->when);
    const hol_status st = hol_impact_mobility(e->it->k, x, &e->m->element[v->impact - 1], &mobility);
    if (st < 0) return st;
    x->mem[rest->gate - 1] = 1;
    x->mem[v->side] = v->sense;
    x->mem[v->side + 1] = mobility > 0 ? 2 * slowest / mobility : 0;
    e->switching = v;
    mark_stops(e, v->rest, 0, -1);
    return HOL_OK;
}

void hol_stop_let_go(hol_events *e, const hol_event *v)
{
    e->it->x.mem[e->m->element[v->rest - 1].gate - 1] = 0;
    e->switching = v;
    mark_stops(e, v->rest, -1, 0);
}

// Would the joint rebound with this speed? Not where that is slow, or the rebound no higher and no longer than rounding. push: towards the
// stop.
static bool rebounds(const hol_events *e, const hol_event *v, double speed, double push)
{
    const double rise = 2 * fmax(push, 0) * LOWEST;
    return speed >= slowest_rebound(e, v) && speed * speed >= rise * hol_stop_size(e->m, v) &&
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

#define HOLDS 1e-9 // of the largest impulse of a row: what has less holds nothing

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
            holds = holds || (row >= 0 && fabs(mu[row]) > HOLDS * largest);
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

// ---- impacts -----------------------------------------------------------------------------------------------------

// The equation that holds the joint at this stop; -1: none does.
static int row_of(const hol_events *e, const hol_event *v)
{
    const hol_element *rest = &e->m->element[v->rest - 1];
    const bool here = acts(e, v->rest, &e->it->x) && e->it->x.mem[v->side] == v->sense;
    return here && rest->n_rows ? e->it->s->active[rest->row] : -1;
}

// A stop that is free takes part if the joint is there and does not leave it; *comes: it goes in.
static hol_status take_free(hol_events *e, const hol_event *v, bool *takes, bool *comes)
{
    hol_state *x = &e->it->x;
    const double rate = going_in(e, v, x), least = slowest_rate(e, v, x),
                 g = hol_equations_expression(e->it->s, x, v->when),
                 push = v->sense * hol_equations_expression(e->it->s, x, v->push);
    *takes = false;
    if (!isfinite(rate)) return hol_event_no_value(e, v, v->rate, "when", x);
    if (!isfinite(push)) return hol_event_no_value(e, v, v->push, "when", x);
    if (!(hol_stop_is_reached(e, v, g) || x->mem[v->sign] > 0) || rate < -least) return HOL_OK;
    char *grazed = &e->grazed[v - e->m->event];
    *grazed = rate > least && grazes(e, v, g, rate, push);
    const bool in = rate > least && !*grazed, turns = in && rebounds(e, v, rate * v->restitution, push);
    e->stop[e->n_stops] = (hol_impact_part){.force = &e->m->element[v->impact - 1],
                                            .sense = v->sense,
                                            .rate = in ? rate : 0,
                                            .slowest = least,
                                            .restitution = turns ? v->restitution : 0,
                                            .row = -1};
    *takes = true;
    *comes = *comes || in;
    return HOL_OK;
}

// All stops that take part in an impact: those at which joints rest, and, free, those that joints are at.
static hol_status gather(hol_events *e, bool free, bool *comes)
{
    *comes = false;
    e->n_stops = 0;
    for (int i = 0; i < e->m->n_events; i++) {
        const hol_event *v = &e->m->event[i];
        bool takes = false;
        if (!v->impact || !acts(e, v->impact, &e->it->x)) continue;
        const int row = row_of(e, v);
        if (row >= 0)
            e->stop[e->n_stops] = (hol_impact_part){.force = &e->m->element[v->impact - 1],
                                                    .sense = v->sense,
                                                    .slowest = slowest_left(e, v, &e->it->x),
                                                    .row = row};
        const hol_status st =
            row >= 0 || !free || acts(e, v->rest, &e->it->x) ? HOL_OK : take_free(e, v, &takes, comes);
        if (st) return st;
        if (row >= 0 || takes) e->stop_of[e->n_stops++] = i;
    }
    return HOL_OK;
}

// Joints that leave the stops at which they rest are let go, those too whose equation is redundant.
static void let_leaving_go(hol_events *e)
{
    for (int i = 0; i < e->n_stops; i++)
        if (e->stop[i].opens > 0) hol_stop_let_go(e, &e->m->event[e->stop_of[i]]);
    for (int i = 0; i < e->m->n_events; i++) {
        const hol_event *v = &e->m->event[i];
        const hol_state *x = &e->it->x;
        if (!v->impact || !acts(e, v->rest, x) || x->mem[v->side] != v->sense || row_of(e, v) >= 0) continue;
        if (going_in(e, v, x) < -slowest_left(e, v, x)) hol_stop_let_go(e, v);
    }
}

// What the impact has made of the stops that took part: those that were hit count, and those that do not rebound may rest.
static void note_impact(hol_events *e)
{
    for (int i = 0; i < e->n_stops; i++) {
        const hol_impact_part *part = &e->stop[i];
        const int at = e->stop_of[i];
        if (part->row >= 0 || !(part->impulse > 0)) continue;
        e->still[at] = part->restitution == 0;
        if (!e->acted[at]) e->it->x.mem[e->m->event[at].count]++;
        e->acted[at] = true;
    }
}

// One impact of all that goes in. *more: there was one, and others may follow.
static hol_status collide(hol_events *e, bool *more)
{
    hol_state *x = &e->it->x;
    bool leave = false;
    int held = 0;
    hol_status st = gather(e, true, more);
    if (st || !*more) return st;
    st = hol_impact(e->it->k, x, e->n_stops, e->stop, &leave, &held, e->trial.lam);
    if (st == HOL_RECOVERABLE)
        return refuse_turn(e, &e->m->event[e->stop_of[held]], e->stop[held].rate, e->trial.lam);
    if (st) return st;
    note_impact(e);
    hol_equations_remember(e->it->s, x); // with the rates behind it
    e->again = leave;                    // what follows is that of the mechanism without the rows
    if (leave) let_leaving_go(e);
    *more = !leave;
    return HOL_OK;
}

static const hol_event *first_met(const hol_events *e)
{
    int i = 0;
    while (i < e->n_stops - 1 && e->stop[i].row >= 0) i++;
    return &e->m->event[e->stop_of[i]];
}

hol_status hol_stops_collide(hol_events *e)
{
    bool more = true;
    hol_status st = HOL_OK;
    for (int round = 0; round < HOL_MOST_ROUNDS && more && !st; round++) st = collide(e, &more);
    if (!st && more)
        return hol_fail_at(e->ctx, HOL_ERR_INTEGRATION, first_met(e)->at,
                           "stopped at t = %.9g s: %s: rigid stops that are met at the same time push the "
                           "joint from "
                           "one into the other without an end; give one of them a `stiffness` instead of "
                           "`hard: yes`",
                           e->it->x.t, first_met(e)->name);
    for (int i = 0; i < e->m->n_events && !st; i++) {
        double *sign = &e->it->x.mem[e->m->event[i].sign];
        if (e->m->event[i].impact && *sign > 0) *sign = -1;
    }
    if (st || e->again) return st;
    st = hol_crossing_accelerate(e->it, e->it->k, &e->it->x);
    e->fresh = st == HOL_OK;
    return st < 0 ? st : HOL_OK; // where there are none the new start says so
}

hol_status hol_stops_jump(hol_events *e, const double *before, bool *left)
{
    hol_state *x = &e->it->x;
    const size_t size = (size_t)e->m->nq * sizeof *x->v;
    bool comes, leave = false;
    int held;
    *left = false;
    hol_status st = gather(e, false, &comes);
    if (st || !e->n_stops || !e->it->s->nc) return st;
    memcpy(e->trial.v, x->v, size);
    memcpy(x->v, before, size);
    st = hol_impact(e->it->k, x, e->n_stops, e->stop, &leave, &held, e->trial.lam);
    *left = !st && leave;
    if (*left) let_leaving_go(e);
    if (!*left) memcpy(x->v, e->trial.v, size);
    return st < 0 ? st : HOL_OK;
}

// ---- rest --------------------------------------------------------------------------------------------------------

// Does a joint that is at its stop stay there? It does not move, and nothing pulls it away.
static bool rests(const hol_events *e, const hol_event *v)
{
    const hol_state *x = &e->it->x;
    if (!v->impact || hol_stop_is_away(e, v, x)) return false;
    const bool met = e->still[v - e->m->event];
    const double g = hol_equations_expression(e->it->s, x, v->when), rate = going_in(e, v, x),
                 least = slowest_left(e, v, x);
    if (!(met || (hol_stop_is_reached(e, v, g) && !hol_stop_is_passed(e, v, g))) || !(fabs(rate) <= least))
        return false;
    const double push = v->sense * hol_equations_expression(e->it->s, x, v->push),
                 pull = slowest_pull(e, v, x);
    return e->it->method->open ? push > pull : push > -pull;
}

bool hol_stops_may_rest(const hol_events *e)
{
    bool any = false;
    for (int i = 0; i < e->m->n_events && !any; i++) any = rests(e, &e->m->event[i]);
    return any;
}

hol_status hol_stops_rest(hol_events *e)
{
    hol_status st = HOL_OK;
    for (int i = 0; i < e->m->n_events && !st; i++) {
        const hol_event *v = &e->m->event[i];
        if (!rests(e, v)) continue;
        st = e->it->method->open ? refuse_rest(e, v) : come_to_rest(e, v);
    }
    return st;
}
