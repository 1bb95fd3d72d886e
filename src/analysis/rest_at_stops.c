// Equilibria against hard stops: a walk through sets of stops that hold their joints, each by its row (20.4a). The stop that is passed, or that
// what is left drives into first, takes hold; the one that would have to pull lets go.
#include "analysis/rest_at_stops.h"
#include "analysis/stops.h"
#include "model/switched.h"
#include "system/initial.h"
#include "system/ranges.h"

#include <math.h>
#include <string.h>

enum { ROUNDS = 4, STEPS = 16 }; // rounds: for each stop
#define PULLS 1e-9               // of the forces that balance: less is no pull

typedef struct {
    hol_context *ctx;
    const hol_model_data *m;
    hol_at_rest *at;
    hol_model_data *here; // with the stops that hold; NULL: none does
    hol_state base;       // within all ranges, of m: the pose from which is searched
} walk;

static bool holds(const walk *w, const hol_event *v)
{
    return hol_element_acts(&w->m->element[v->rest - 1], w->base.mem);
}

// A stop that may take hold?
static bool is_free(const walk *w, const hol_event *v)
{
    return v->impact && hol_element_acts(&w->m->element[v->impact - 1], w->base.mem) && !holds(w, v);
}

// ---- the model with what holds -----------------------------------------------------------------------------------

static void keep(walk *w)
{
    const hol_state *x = &w->at->x;
    memcpy(w->base.q, x->q, (size_t)w->m->nq * sizeof *x->q);
    memcpy(w->base.X, x->X, (size_t)w->m->n_states * sizeof *x->X);
    memcpy(w->base.mem, x->mem, (size_t)w->m->n_mem * sizeof *x->mem);
}

static void leave(hol_at_rest *at)
{
    hol_state_destroy(&at->x);
    hol_rank_destroy(&at->rank);
    hol_start_destroy(&at->k);
}

// `at` of the model as it holds by the base's memory, at its pose. After a failure it is of the model before.
static hol_status begin(walk *w)
{
    hol_at_rest next = {0};
    hol_model_data *other =
        hol_model_switch(w->ctx, w->m, w->base.t, w->base.q, w->base.v, w->base.X, w->base.mem);
    if (!other) return HOL_ERR_MEMORY;
    hol_context_mute(w->ctx, true);
    hol_status st =
        hol_initialise(w->ctx, other, HOL_START_QUIET | HOL_START_BARE, &next.k, &next.x, &next.rank);
    hol_context_mute(w->ctx, false);
    if (!st) {
        st = hol_equations_count_joints(next.k.s);
        if (!st) hol_equations_remember(next.k.s, &next.x);
        if (!st) st = hol_kernel_need(&next.k);
        if (st) leave(&next);
    }
    if (st) {
        hol_model_unswitch(other);
        return st;
    }
    leave(w->at);
    hol_model_unswitch(w->here);
    *w->at = next;
    w->here = other;
    return HOL_OK;
}

// Its row holds the joint, which goes to the end of its range in so many steps.
static hol_status go_to(walk *w, const hol_event *v, int steps)
{
    const hol_element *rest = &w->m->element[v->rest - 1];
    hol_real y[HOL_MAX_Y], none[HOL_MAX_Y], phi;
    double *mem = w->base.mem, *held = &mem[rest->mem + rest->n_mem];
    hol_element_gather(w->m, rest, w->base.t, w->base.q, w->base.v, 1, y, none);
    rest->type->phi(rest->data, rest->ny, y, mem + rest->mem, &phi, NULL);
    const double from = *held + hol_re(phi),
                 way = v->sense * hol_equations_expression(w->at->k.s, &w->base, v->when);
    mem[rest->gate - 1] = 1;
    mem[v->side] = v->sense;
    mem[v->side + 1] = 0;
    hol_status st = HOL_OK;
    for (int i = 1; i <= steps && !st; i++) {
        *held = from - way * i / steps;
        st = begin(w);
        if (!st) keep(w);
    }
    return st;
}

// The stop takes hold: in one step, or where that finds no pose in many.
static hol_status take_hold(walk *w, const hol_event *v)
{
    hol_state before = {0};
    hol_status st = hol_state_create(w->at->k.s, &before);
    if (st) return st;
    memcpy(before.q, w->base.q, (size_t)w->m->nq * sizeof *before.q);
    memcpy(before.mem, w->base.mem, (size_t)w->m->n_mem * sizeof *before.mem);
    st = go_to(w, v, 1);
    if (st && st != HOL_ERR_MEMORY && st != HOL_ERR_CANCELLED) {
        hol_context_clear(w->ctx);
        memcpy(w->base.q, before.q, (size_t)w->m->nq * sizeof *before.q);
        memcpy(w->base.mem, before.mem, (size_t)w->m->n_mem * sizeof *before.mem);
        st = go_to(w, v, STEPS);
    }
    hol_state_destroy(&before);
    return st;
}

static hol_status let_go(walk *w, const hol_event *v)
{
    keep(w);
    w->base.mem[w->m->element[v->rest - 1].gate - 1] = 0;
    return begin(w);
}

// ---- which stop ---------------------------------------------------------------------------------------------------

// The stop behind which the forces balance, of several the one that is passed the farthest.
static const hol_event *find_passed(const walk *w)
{
    const hol_event *found = NULL;
    double most = HOL_RANGE_TOUCHES;
    for (int i = 0; i < w->m->n_events; i++) {
        const hol_event *v = &w->m->event[i];
        const double beyond =
            is_free(w, v) ? hol_equations_expression(w->at->k.s, &w->at->x, v->when) / hol_stop_size(w->m, v)
                          : 0;
        if (!(beyond > most)) continue;
        most = beyond;
        found = v;
    }
    return found;
}

// The stop that comes first along what the forces leave at the pose from which was searched.
static hol_status find_driven(walk *w, const hol_event **found)
{
    hol_state *x = &w->at->x;
    double first = HOL_INF;
    double *u = hol_calloc(w->ctx, (size_t)w->m->nq + 1, sizeof *u);
    if (!u) return HOL_ERR_MEMORY;
    memcpy(x->q, w->base.q, (size_t)w->m->nq * sizeof *x->q);
    memcpy(x->X, w->base.X, (size_t)w->m->n_states * sizeof *x->X);
    memcpy(x->mem, w->base.mem, (size_t)w->m->n_mem * sizeof *x->mem);
    const hol_status st = hol_equilibrium_rest(&w->at->k, x, u);
    if (!st) memcpy(x->v, u, (size_t)w->m->nq * sizeof *u);
    for (int i = 0; i < w->m->n_events && !st; i++) {
        const hol_event *v = &w->m->event[i];
        if (!is_free(w, v)) continue;
        const double way = -hol_equations_expression(w->at->k.s, x, v->when),
                     rate = v->sense * hol_equations_expression(w->at->k.s, x, v->rate),
                     when = fmax(way, 0) / rate;
        if (!(rate > 0 && when < first)) continue;
        first = when;
        *found = v;
    }
    memset(x->v, 0, (size_t)w->m->nq * sizeof *x->v);
    hol_free(u);
    return st < 0 ? st : HOL_OK;
}

// The stop that would have to pull the most; NULL: all press.
static const hol_event *find_pulling(const walk *w)
{
    const hol_event *found = NULL;
    double most = PULLS * w->at->e.balance.against;
    for (int i = 0; i < w->m->n_events; i++) {
        const hol_event *v = &w->m->event[i];
        if (!v->rest || v->impact || !holds(w, v)) continue;
        const double pull = hol_equations_expression(w->at->k.s, &w->at->x, v->when) * hol_stop_size(w->m, v);
        if (!(pull > most)) continue;
        most = pull;
        found = v;
    }
    return found;
}

// ---- the walk -----------------------------------------------------------------------------------------------------

// One search, and what follows from it. *again: with other stops.
static hol_status go_round(walk *w, bool stable, bool *again)
{
    const hol_event *v = NULL;
    hol_status st = hol_equilibrium_find(w->ctx, &w->at->k, &w->at->rank, &w->at->x, stable, &w->at->e),
               found = st;
    *again = false;
    if (st == HOL_ERR_MEMORY || st == HOL_ERR_CANCELLED || st == HOL_ERR_USAGE) return st;
    if (!st) {
        if (!(v = find_pulling(w))) return HOL_OK;
        *again = true;
        hol_equilibrium_destroy(&w->at->e);
        return let_go(w, v);
    }
    if (w->at->e.behind) v = find_passed(w);
    char why[HOL_REASON];
    hol_decimal_print(why, sizeof why, "%s", hol_context_error(w->ctx));
    hol_context_clear(w->ctx);
    st = v ? HOL_OK : find_driven(w, &v);
    if (st) return st;
    if (!v) return found > 0 ? found : hol_fail(w->ctx, found, "%s", why);
    *again = true;
    return take_hold(w, v);
}

// What holds, with its force.
static void tell(const walk *w)
{
    for (int i = 0; i < w->m->n_events; i++) {
        const hol_event *v = &w->m->event[i];
        if (!v->rest || v->impact || !holds(w, v)) continue;
        const bool length =
            w->m->element[v->rest - 1].type->row(w->m->element[v->rest - 1].data, 0).is_length;
        hol_note(w->ctx, HOL_NOTICE, "%s: the joint rests at its hard stop, which holds it with %.6g %s",
                 w->m->element[v->rest - 2].name, // the force stands before what holds
                 fabs(hol_equations_expression(w->at->k.s, &w->at->x, v->when)), length ? "N" : "N m");
    }
}

hol_status hol_rest_at_stops(hol_context *ctx, const hol_model_data *m, hol_at_rest *at, bool stable,
                             bool quiet, hol_model_data **held)
{
    walk w = {.ctx = ctx, .m = m, .at = at};
    bool again = true;
    *held = NULL;
    if (!m->n_stops) return hol_equilibrium_find(ctx, &at->k, &at->rank, &at->x, stable, &at->e);
    hol_equations *all = hol_equations_create(ctx, m, NULL);
    hol_status st = all ? hol_state_create(all, &w.base) : HOL_ERR_MEMORY;
    hol_equations_destroy(all);
    if (!st) w.base.t = at->x.t;
    if (!st) keep(&w);
    for (int i = 0; i < ROUNDS * (m->n_stops + 1) && again && !st; i++) st = go_round(&w, stable, &again);
    if (!st && again)
        st = hol_fail(
            ctx, HOL_ERR_INTEGRATION,
            "no equilibrium is found: hard stops take hold and let go in turn. Give them a `stiffness` "
            "instead of `hard: yes`, or let a run come to rest");
    if (!st && !quiet) tell(&w);
    hol_state_destroy(&w.base);
    *held = w.here;
    return st;
}
