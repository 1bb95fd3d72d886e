// What an expression of places, speeds and states does within a step. docs/theory.md, section 8.9. The leaves are cubics through
// their values and rates at both ends; the program of the expression is run over their enclosures. A part of the step with a mark
// (a divisor that holds 0, an argument that may leave its domain) is halved, with leaves from the method's interpolation, until it
// has none or is a place of FINEST. What grows by more than GROWTH over a hundredth of the distance to such a place has a pole there.
#include "analysis/poles.h"
#include "system/fault.h"
#include "system/leaf.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define FINEST 1e-9  // of the run: to this a place is found
#define OF_STEP 1e-4 // the same, of a short step
#define GROWTH 3     // as poles in time, src/expr/features.c
#define BRIEF                                                                                                \
    0.1 // of the step: what begins and ends within less is not told from the errors of the interpolation
#define WIDE 1e10  // leaves are not larger, while it is asked which expressions are watched
#define NEAR 1e-12 // of natural sizes: what leaves may be wrong by
#define FAR 100    // finest widths: the distance a pole is looked at from
enum { PARTS = 3, MOST_CELLS = 400, MOST_PLACES = 8 };
enum { HOLES = HOL_MARK_POLE | HOL_MARK_DOMAIN | HOL_MARK_NONE };

// ---- which expressions --------------------------------------------------------------------------------------------

static bool is_explicit(const hol_poles *p, const hol_leaf *l)
{
    return l->kind == HOL_LEAF_VALUE && !p->implicit[l->index] && !p->it->s->m->equation[l->index].block;
}

// Marks what the marked equations take, in the reverse of the order in which they follow.
static void mark_taken(const hol_poles *p, char *mark)
{
    for (int i = p->follow.n - 1; i >= 0; i--) {
        const int k = p->follow.order[i];
        if (k < 0 || !mark[k]) continue;
        const hol_equation *e = &p->it->s->m->equation[k];
        for (int j = 0; j < e->n_leaves; j++)
            if (is_explicit(p, &e->leaf[j])) mark[e->leaf[j].index] = 1;
    }
}

static bool is_length(const hol_leaf *l)
{
    return l->kind == HOL_LEAF_QUANTITY && l->measured.kind == HOL_MEASURED_LENGTH;
}

// Leaves of any size: lengths are not negative.
static hol_enclosure any_value(const hol_leaf *l)
{
    return (hol_enclosure){{is_length(l) ? 0 : -WIDE, WIDE}, {-WIDE, WIDE}, 0};
}

// What the equations do for leaves of any size, in their order; those with marks are watched.
static void find_watched(hol_poles *p)
{
    const hol_model_data *m = p->it->s->m;
    const hol_enclosure time = {{0, p->it->end}, {1, 1}, 0};
    for (int i = 0; i < p->follow.n; i++) {
        const int k = p->follow.order[i];
        if (k < 0 || !m->equation[k].expr) continue;
        const hol_equation *e = &m->equation[k];
        for (int j = 0; j < e->n_leaves; j++) {
            p->leaf[j] = any_value(&e->leaf[j]);
            if (is_explicit(p, &e->leaf[j])) p->leaf[j] = p->range[e->leaf[j].index];
            p->leaf[j].marks = 0;
            p->given[j] = &p->leaf[j];
        }
        hol_expr_enclose(e->expr, &time, p->given, &p->range[k]);
        const unsigned holes = p->taken[k] ? HOLES : HOL_MARK_DOMAIN | HOL_MARK_NONE;
        if (e->n_leaves && hol_expr_may_fail(e->expr) && p->range[k].marks & holes) p->equation[p->n++] = k;
    }
}

// Leaves of all equations that what is watched takes.
static void number_leaves(hol_poles *p)
{
    const hol_model_data *m = p->it->s->m;
    for (int i = 0; i < p->n; i++) p->needed[p->equation[i]] = 1;
    mark_taken(p, p->needed);
    for (int k = 0; k < m->n_equations; k++) {
        const hol_equation *e = &m->equation[k];
        p->first[k] = p->n_leaves;
        if (!p->needed[k]) continue;
        p->n_leaves += PARTS * e->n_leaves;
        for (int j = 0; j < e->n_leaves; j++)
            p->rates = p->rates ||
                       (e->leaf[j].kind == HOL_LEAF_QUANTITY && hol_measured_level(&e->leaf[j].measured) > 0);
    }
}

// Room of the search for what is watched.
static hol_status make_room(hol_poles *p)
{
    hol_context *ctx = p->it->ctx;
    const int n = p->it->s->m->n_equations;
    int most = 1;
    for (int k = 0; k < n; k++) {
        const int leaves = p->it->s->m->equation[k].n_leaves;
        most = leaves > most ? leaves : most;
    }
    p->implicit = hol_calloc(ctx, 3 * (size_t)n, 1);
    p->first = hol_calloc(ctx, 2 * (size_t)n, sizeof *p->first);
    p->range = hol_calloc(ctx, (size_t)n, sizeof *p->range);
    p->leaf = hol_calloc(ctx, (size_t)most, sizeof *p->leaf);
    p->given = hol_calloc(ctx, (size_t)most, sizeof *p->given);
    if (!p->implicit || !p->first || !p->range || !p->leaf || !p->given) return HOL_ERR_MEMORY;
    p->taken = p->implicit + n;
    p->needed = p->taken + n;
    p->equation = p->first + n;
    return HOL_OK;
}

hol_status hol_poles_create(hol_integrator *it, hol_poles *p)
{
    const hol_model_data *m = it->s->m;
    bool any = false;
    *p = (hol_poles){.it = it};
    for (int k = 0; k < m->n_equations; k++)
        any = any || (m->equation[k].expr && hol_expr_may_fail(m->equation[k].expr));
    if (!any) return HOL_OK;
    hol_status st = make_room(p);
    if (!st) st = hol_explicit_create_part(it->ctx, m, true, &p->follow, p->implicit);
    if (st) return st;
    for (int k = 0; k < m->n_equations; k++) p->taken[k] = m->equation[k].hidden;
    mark_taken(p, p->taken);
    find_watched(p);
    number_leaves(p);
    if (!p->n) return HOL_OK;
    p->node = hol_calloc(it->ctx, (HOL_POLE_LEVELS + 2) * (size_t)p->n_leaves, sizeof *p->node);
    return p->node ? hol_state_create(it->s, &p->trial) : HOL_ERR_MEMORY;
}

void hol_poles_destroy(hol_poles *p)
{
    hol_explicit_destroy(&p->follow);
    hol_state_destroy(&p->trial);
    hol_free(p->implicit);
    hol_free(p->first);
    hol_free(p->range);
    hol_free(p->leaf);
    hol_free(p->given);
    hol_free(p->node);
    *p = (hol_poles){.n = 0};
}

// ---- leaves within a step -----------------------------------------------------------------------------------------

// A measure and its rate u' = u_y w + u_w b; that of an acceleration is not known.
static hol_pole_leaf measure(const hol_equations *s, const hol_state *x, const hol_leaf *l)
{
    const int level = hol_measured_level(&l->measured);
    hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], b[HOL_MAX_Y], none[HOL_MAX_Y];
    hol_leaf_value v;
    hol_leaf_eval(s, x, l, level < 2, &v);
    hol_pole_leaf out = {hol_re(v.f), level < 2 ? 0 : (double)NAN};
    if (level > 1) return out;
    hol_gather(s->m, l->n_bodies, l->body, x->t, x->q, x->v, 1, y, w);
    hol_gather(s->m, l->n_bodies, l->body, 0, x->a, NULL, 0, b, none);
    for (int j = 0; j < l->ny; j++) out.d += hol_re(v.y[j] * w[j]) + (level ? hol_re(v.w[j] * b[j]) : 0);
    return out;
}

// Value and rate of a leaf; those of unknowns and reactions have no rate.
static hol_pole_leaf node_of(const hol_equations *s, const hol_state *x, const hol_leaf *l)
{
    hol_leaf_value v;
    switch (l->kind) {
    case HOL_LEAF_QUANTITY: return measure(s, x, l);
    case HOL_LEAF_STATE: return (hol_pole_leaf){x->X[l->index], x->z[s->m->state[l->index].equation]};
    case HOL_LEAF_VALUE: return (hol_pole_leaf){x->z[l->index], (double)NAN};
    case HOL_LEAF_HELD: return (hol_pole_leaf){x->mem[l->index], 0};
    case HOL_LEAF_REACTION: break;
    }
    hol_leaf_eval(s, x, l, false, &v);
    return (hol_pole_leaf){hol_re(v.f), (double)NAN};
}

// The components of a length, which has a corner where they are 0 together.
static void find_parts(const hol_equations *s, const hol_state *x, const hol_leaf *l, hol_pole_leaf *node)
{
    hol_leaf part = *l;
    part.measured = (hol_measured){.kind = HOL_MEASURED_COMPONENT, .n_parts = 1};
    for (int i = 0; i < l->measured.n_parts; i++) {
        part.measured.part[0] = l->measured.part[i];
        node[i] = measure(s, x, &part);
    }
}

// All leaves at a state.
static void find_nodes(const hol_poles *p, const hol_state *x, hol_pole_leaf *node)
{
    const hol_model_data *m = p->it->s->m;
    for (int k = 0; k < m->n_equations; k++)
        for (int j = 0; p->needed[k] && j < m->equation[k].n_leaves; j++) {
            const hol_leaf *l = &m->equation[k].leaf[j];
            hol_pole_leaf *at = &node[p->first[k] + PARTS * j];
            if (is_length(l))
                find_parts(p->it->s, x, l, at);
            else if (!is_explicit(p, l))
                *at = node_of(p->it->s, x, l);
        }
}

static hol_interval hull(const double *x, int n)
{
    hol_interval out = {x[0], x[0]};
    for (int i = 1; i < n; i++) out = (hol_interval){fmin(out.lo, x[i]), fmax(out.hi, x[i])};
    const double loose = 4 * DBL_EPSILON * fmax(fabs(out.lo), fabs(out.hi));
    return out.lo == out.hi ? out : (hol_interval){out.lo - loose, out.hi + loose};
}

// What a leaf may be wrong by: two coordinates that are 0 together are hardly ever so to the last digit.
static double near_of(const hol_poles *p, const hol_leaf *l)
{
    const hol_model_data *m = p->it->s->m;
    if (l->kind == HOL_LEAF_STATE) return NEAR * m->state[l->index].size;
    if (l->kind != HOL_LEAF_QUANTITY) return 0;
    const double size = hol_quantity_is_angle(l->measured.part[0].what) ? 1 : m->length_scale;
    return NEAR * size / pow(m->time_scale, hol_measured_level(&l->measured));
}

// The cubic through values and rates at both ends by its Bernstein coefficients; the chord where rates are not known.
static hol_enclosure cubic(const hol_pole_leaf *a, const hol_pole_leaf *b, double h, double near)
{
    const double v[4] = {a->f, a->f + h * a->d / 3, b->f - h * b->d / 3, b->f};
    const double slope[3] = {a->d, h > 0 ? 3 * (v[2] - v[1]) / h : a->d, b->d}, ends[2] = {a->f, b->f};
    hol_enclosure out = {hull(v, 4), hull(slope, 3), 0};
    if (!isfinite(v[1]) || !isfinite(v[2])) {
        const double chord = h > 0 ? (b->f - a->f) / h : 0;
        out = (hol_enclosure){hull(ends, 2), {chord, chord}, 0};
    }
    if (out.v.lo < out.v.hi) out.v = (hol_interval){out.v.lo - near, out.v.hi + near};
    return out;
}

// A leaf over a part of the step. A length is that of the components, and changes as fast as they do at most.
static hol_enclosure leaf_over(const hol_poles *p, const hol_leaf *l, const hol_pole_leaf *a,
                               const hol_pole_leaf *b, double h)
{
    const double near = near_of(p, l);
    double least = 0, most = 0, fast = 0;
    if (!is_length(l)) return cubic(a, b, h, near);
    for (int i = 0; i < l->measured.n_parts; i++) {
        const hol_enclosure part = cubic(&a[i], &b[i], h, near);
        const hol_interval v = part.v, d = part.d;
        const double low = v.lo <= 0 && v.hi >= 0 ? 0 : fmin(fabs(v.lo), fabs(v.hi)),
                     high = fmax(fabs(v.lo), fabs(v.hi)), rate = fmax(fabs(d.lo), fabs(d.hi));
        least += low * low;
        most += high * high;
        fast += rate * rate;
    }
    const double loose = 8 * DBL_EPSILON, rate = sqrt(fast);
    return (hol_enclosure){{sqrt(least) * (1 - loose), sqrt(most) * (1 + loose)}, {-rate, rate}, 0};
}

// The equation over a part of the step, with all that it takes.
static const hol_enclosure *look(hol_poles *p, int equation, double t0, double t1, const hol_pole_leaf *a,
                                 const hol_pole_leaf *b)
{
    const hol_model_data *m = p->it->s->m;
    const hol_enclosure time = {{t0, t1}, {1, 1}, 0};
    for (int i = 0; i < p->follow.n; i++) {
        const int k = p->follow.order[i];
        if (k < 0 || !p->needed[k]) continue;
        const hol_equation *e = &m->equation[k];
        for (int j = 0; j < e->n_leaves; j++) {
            const int at = p->first[k] + PARTS * j;
            p->leaf[j] = is_explicit(p, &e->leaf[j]) ? p->range[e->leaf[j].index]
                                                     : leaf_over(p, &e->leaf[j], &a[at], &b[at], t1 - t0);
            p->leaf[j].marks = 0; // those of what it takes are told there
            p->given[j] = &p->leaf[j];
        }
        hol_expr_enclose(e->expr, &time, p->given, &p->range[k]);
        if (k == equation) break;
    }
    return &p->range[equation];
}

// ---- places within a step -----------------------------------------------------------------------------------------

typedef struct {
    double from, to;
    bool empty; // no value in some of it for certain
} place;

typedef struct {
    hol_poles *p;
    int equation;
    unsigned holes; // marks that are looked for
    double start, end, finest;
    place place[MOST_PLACES];
    int n, left; // places; parts that may still be looked at
} search;

static void interpolate(hol_poles *p, double t, hol_pole_leaf *node)
{
    const hol_state *x = &p->it->x;
    if (p->ahead)
        hol_fault_carry_on(p->it->s, x, t - x->t, &p->trial);
    else
        p->it->method->interpolate(p->it, t, &p->trial);
    find_nodes(p, &p->trial, node);
}

// A part that is not decided; what touches the last one belongs to it.
static void keep(search *s, double from, double to, bool empty)
{
    place *last = s->n ? &s->place[s->n - 1] : NULL;
    if (last && last->to == from) {
        *last = (place){last->from, to, last->empty || empty};
    } else if (s->n < MOST_PLACES) {
        s->place[s->n++] = (place){from, to, empty};
    } else {
        s->left = 0;
    }
}

// Halves a part with marks. level: of the room for what is in its middle.
static void halve(search *s, int level, double t0, double t1, const hol_pole_leaf *a, const hol_pole_leaf *b)
{
    const double middle = t0 + 0.5 * (t1 - t0);
    if (s->left <= 0) return;
    s->left--;
    const unsigned marks = look(s->p, s->equation, t0, t1, a, b)->marks & s->holes;
    if (!marks) return;
    if (marks & HOL_MARK_NONE || t1 - t0 <= s->finest || level == HOL_POLE_LEVELS) {
        keep(s, t0, t1, (marks & HOL_MARK_NONE) != 0);
        return;
    }
    hol_pole_leaf *c = s->p->node + (size_t)(level + 2) * (size_t)s->p->n_leaves;
    interpolate(s->p, middle, c);
    halve(s, level + 1, t0, middle, a, c);
    halve(s, level + 1, middle, t1, c, b);
}

// The value at one time; NaN: it has none.
static double value_at(const search *s, double t)
{
    hol_pole_leaf *c = s->p->node + 2 * (size_t)s->p->n_leaves;
    interpolate(s->p, t, c);
    const hol_enclosure *e = look(s->p, s->equation, t, t, c, c);
    return e->marks & HOL_MARK_NONE ? (double)NAN : e->v.lo + 0.5 * (e->v.hi - e->v.lo);
}

// By how much the value grows from FAR to near on one side of a place; 0: not known.
static double growth(const search *s, double t, double sign)
{
    const double room = sign > 0 ? s->end - t : t - s->start, far = fmin(FAR * s->finest, room);
    if (far < 0.5 * FAR * s->finest) return 0;
    const double there = value_at(s, t + sign * far), here = value_at(s, t + sign * far / FAR);
    if (isnan(there) || isnan(here)) return 0;
    return isinf(here) ? HOL_INF : there == 0 ? 0 : fabs(here) / fabs(there);
}

// Does the value grow without bound there?
static bool is_pole(const search *s, const place *at)
{
    if (at->to - at->from > FAR * s->finest) return false;
    return growth(s, at->from, -1) > GROWTH || growth(s, at->to, 1) > GROWTH;
}

// The first pole of the step, NULL: none. An even number of them close to each other may be an error of the interpolation.
static const place *first_pole(const search *s)
{
    const place *first = NULL, *last = NULL;
    int n = 0;
    for (int i = 0; i < s->n; i++) {
        if (s->place[i].empty || !is_pole(s, &s->place[i])) continue;
        if (!first) first = &s->place[i];
        last = &s->place[i];
        n++;
    }
    const bool brief = first && last->to - first->from < BRIEF * (s->end - s->start);
    return n % 2 == 0 && brief ? NULL : first;
}

// The first part without a value that reaches the end of the step, or is not brief.
static const place *first_empty(const search *s)
{
    for (int i = 0; i < s->n; i++) {
        const place *at = &s->place[i];
        if (at->empty && (at->to >= s->end || at->to - at->from > BRIEF * (s->end - s->start))) return at;
    }
    return NULL;
}

// ---- messages -----------------------------------------------------------------------------------------------------

static hol_status tell_pole(hol_poles *p, const hol_equation *e, double t)
{
    return hol_fail_at(p->it->ctx, HOL_ERR_INTEGRATION, e->at,
                       "stopped at t = %.6g s: %s (\"%.200s\") grows without bound there, a pole; --end %.4g "
                       "ends before that; no method can pass it: keep its divisor from 0, by max() or by a "
                       "small number added to its square",
                       t, e->path, hol_expr_text(e->expr), 0.999 * t);
}

// The domain was left at a time: what has no value right behind it.
static hol_status tell_end(hol_poles *p, const hol_equation *e, const place *at)
{
    hol_integrator *it = p->it;
    hol_fault f;
    it->method->interpolate(it, at->from + 0.5 * (at->to - at->from), &p->trial);
    hol_explicit_evaluate(&p->follow, it->s, &p->trial);
    if (hol_fault_in_equation(it->s, &p->trial, e, e->path, &f))
        return hol_fail_at(it->ctx, HOL_ERR_INTEGRATION, f.at, "stopped at t = %.6g s: %s", at->from, f.text);
    return hol_fail_at(it->ctx, HOL_ERR_INTEGRATION, e->at,
                       "stopped at t = %.6g s: %s (\"%.200s\") has no finite value there; end the run before "
                       "(--end)",
                       at->from, e->path, hol_expr_text(e->expr));
}

// ---- after a step -------------------------------------------------------------------------------------------------

// One expression that may have a pole or an end in the step.
static hol_status examine(hol_poles *p, search *s)
{
    const size_t n = (size_t)p->n_leaves;
    const hol_equation *e = &p->it->s->m->equation[s->equation];
    halve(s, 0, s->start, s->end, p->node, p->node + n);
    if (s->left <= 0) {
        p->undecided++;
        return HOL_OK;
    }
    const place *empty = first_empty(s), *pole = first_pole(s);
    if (pole && (!empty || pole->from < empty->from)) return tell_pole(p, e, pole->from);
    return empty ? tell_end(p, e, empty) : HOL_OK;
}

// What is watched, one after the other; what follows from others comes behind them.
static hol_status examine_all(hol_poles *p, double finest)
{
    const hol_state *x0 = &p->it->before, *x1 = &p->it->x;
    hol_status st = HOL_OK;
    for (int i = 0; i < p->n && !st; i++) {
        const int k = p->equation[i];
        search s = {.p = p,
                    .equation = k,
                    .holes = p->taken[k] ? HOLES : HOL_MARK_DOMAIN | HOL_MARK_NONE,
                    .start = x0->t,
                    .end = x1->t,
                    .finest = finest,
                    .left = MOST_CELLS};
        if (look(p, k, x0->t, x1->t, p->node, p->node + p->n_leaves)->marks & s.holes) st = examine(p, &s);
    }
    return st;
}

hol_status hol_poles_check(hol_poles *p)
{
    hol_integrator *it = p->it;
    const double h = it->x.t - it->before.t, last = 16 * DBL_EPSILON * fabs(it->x.t),
                 finest = fmax(last, fmin(FINEST * it->end, OF_STEP * h));
    p->ahead = false;
    if (!p->n || !(h > FAR * finest)) return HOL_OK;
    const hol_evaluations count = it->s->count;
    hol_status st = p->rates ? hol_integrator_complete(it) : HOL_OK;
    if (st >= 0) {
        find_nodes(p, &it->before, p->node);
        find_nodes(p, &it->x, p->node + p->n_leaves);
        st = examine_all(p, finest);
    }
    it->s->count = count;
    return st;
}

hol_status hol_poles_explain(hol_poles *p, double dt)
{
    hol_integrator *it = p->it;
    const size_t n = (size_t)p->n_leaves;
    p->ahead = true;
    for (int i = 0; i < p->n; i++) {
        const int k = p->equation[i];
        search s = {p, k, HOL_MARK_POLE, it->x.t, it->x.t + dt, 1e-6 * dt, .left = MOST_CELLS};
        if (!p->taken[k]) continue;
        find_nodes(p, &it->x, p->node);
        interpolate(p, s.end, p->node + n);
        halve(&s, 0, s.start, s.end, p->node, p->node + n);
        if (s.left <= 0 || !first_pole(&s)) continue;
        hol_context_clear(it->ctx);
        return tell_pole(p, &it->s->m->equation[k], it->x.t);
    }
    return HOL_OK;
}
