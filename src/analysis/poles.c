// What an expression of places, speeds and states does within a step. docs/theory.md, section 8.9. A part of the step with a mark
// (a divisor that holds 0, an argument that may leave its domain) is halved, with leaves from the method's interpolation, until it
// has none or is a place of FINEST. What grows by more than GROWTH over a hundredth of the distance to such a place has a pole there.
#include "analysis/poles.h"
#include "system/fault.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define FINEST 1e-9  // of the run: to this a place is found
#define OF_STEP 1e-4 // the same, of a short step
#define GROWTH 3     // as poles in time, src/expr/features.c
#define BRIEF                                                                                                \
    0.1 // of the step: what begins and ends within less is not told from the errors of the interpolation
#define WIDE 1e10 // leaves are not larger, while it is asked which expressions are watched
#define FAR 100   // finest widths: the distance a pole is looked at from
enum { LEVELS = 48, MOST_CELLS = 400, MOST_PLACES = 8 };

// ---- which expressions --------------------------------------------------------------------------------------------

// Leaves of any size: lengths are not negative.
static hol_enclosure any_value(const hol_leaf *l)
{
    const bool length = l->kind == HOL_LEAF_QUANTITY && l->measured.kind == HOL_MEASURED_LENGTH;
    return (hol_enclosure){{length ? 0 : -WIDE, WIDE}, {-WIDE, WIDE}, 0};
}

// What the equations do for leaves of any size, in their order; those with marks are watched.
static void find_watched(hol_poles *p)
{
    hol_course *c = &p->c;
    const hol_model_data *m = c->it->s->m;
    const hol_enclosure time = {{0, c->it->end}, {1, 1}, 0};
    for (int i = 0; i < c->follow.n; i++) {
        const int k = c->follow.order[i];
        if (k < 0 || !m->equation[k].expr) continue;
        const hol_equation *e = &m->equation[k];
        for (int j = 0; j < e->n_leaves; j++) {
            c->leaf[j] = any_value(&e->leaf[j]);
            if (hol_course_is_explicit(c, &e->leaf[j])) c->leaf[j] = c->range[e->leaf[j].index];
            c->leaf[j].marks = 0;
            c->given[j] = &c->leaf[j];
        }
        hol_expr_enclose(e->expr, &time, c->given, &c->range[k]);
        const unsigned holes = p->taken[k] ? HOL_MARK_HOLES : HOL_MARK_DOMAIN | HOL_MARK_NONE;
        if (e->n_leaves && hol_expr_may_fail(e->expr) && c->range[k].marks & holes)
            p->term[p->n++].equation = k;
    }
}

hol_status hol_poles_create(hol_integrator *it, hol_poles *p)
{
    const hol_model_data *m = it->s->m;
    bool any = false;
    *p = (hol_poles){.c.it = it};
    for (int k = 0; k < m->n_equations; k++)
        any = any || (m->equation[k].expr && hol_expr_may_fail(m->equation[k].expr));
    if (!any) return HOL_OK;
    hol_status st = hol_course_create(it, &p->c);
    if (st) return st;
    p->c.own_marks = true;
    p->taken = hol_calloc(it->ctx, (size_t)m->n_equations, 1);
    p->term = hol_calloc(it->ctx, (size_t)m->n_equations, sizeof *p->term);
    if (!p->taken || !p->term) return HOL_ERR_MEMORY;
    for (int k = 0; k < m->n_equations; k++) p->taken[k] = m->equation[k].hidden;
    hol_course_mark_taken(&p->c, p->taken);
    find_watched(p);
    for (int i = 0; i < p->n && !st; i++) {
        p->c.needed[p->term[i].equation] = 1;
        st = hol_course_take(&p->c, p->term[i].equation, NULL, &p->term[i]);
    }
    return st || !p->n ? st : hol_course_prepare(&p->c, LEVELS);
}

void hol_poles_destroy(hol_poles *p)
{
    hol_course_destroy(&p->c);
    hol_free(p->taken);
    hol_free(p->term);
    *p = (hol_poles){.n = 0};
}

// ---- places within a step -----------------------------------------------------------------------------------------

typedef struct {
    double from, to;
    bool empty; // no value in some of it for certain
} place;

typedef struct {
    hol_poles *p;
    const hol_course_term *term;
    unsigned holes; // marks that are looked for
    double start, end, finest;
    place place[MOST_PLACES];
    int n, left; // places; parts that may still be looked at
} search;

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
static void halve(search *s, int level, double t0, double t1, const hol_course_leaf *a,
                  const hol_course_leaf *b)
{
    const double middle = t0 + 0.5 * (t1 - t0);
    if (s->left <= 0) return;
    s->left--;
    const unsigned marks = hol_course_look(&s->p->c, s->term, t0, t1, a, b)->marks & s->holes;
    if (!marks) return;
    if (marks & HOL_MARK_NONE || t1 - t0 <= s->finest || level == LEVELS) {
        keep(s, t0, t1, (marks & HOL_MARK_NONE) != 0);
        return;
    }
    const hol_course_leaf *c = hol_course_at(&s->p->c, middle, level);
    halve(s, level + 1, t0, middle, a, c);
    halve(s, level + 1, middle, t1, c, b);
}

// The value at one time; NaN: it has none.
static double value_at(const search *s, double t)
{
    const hol_course_leaf *c = hol_course_at(&s->p->c, t, 0);
    const hol_enclosure *e = hol_course_look(&s->p->c, s->term, t, t, c, c);
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
    return hol_fail_at(p->c.it->ctx, HOL_ERR_INTEGRATION, e->at,
                       "stopped at t = %.6g s: %s (\"%.200s\") grows without bound there, a pole; --end %.4g "
                       "ends before that; no method can pass it: keep its divisor from 0, by max() or by a "
                       "small number added to its square",
                       t, e->path, hol_expr_text(e->expr), 0.999 * t);
}

// The domain was left at a time: what has no value right behind it.
static hol_status tell_end(hol_poles *p, const hol_equation *e, const place *at)
{
    hol_integrator *it = p->c.it;
    hol_fault f;
    hol_integrator_interpolate(it, at->from + 0.5 * (at->to - at->from), &p->c.trial);
    hol_explicit_evaluate(&p->c.follow, it->s, &p->c.trial);
    if (hol_fault_in_equation(it->s, &p->c.trial, e, e->path, &f))
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
    const hol_equation *e = &p->c.it->s->m->equation[s->term->equation];
    halve(s, 0, s->start, s->end, hol_course_node(&p->c, -2), hol_course_node(&p->c, -1));
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
    const hol_state *x0 = &p->c.it->before, *x1 = &p->c.it->x;
    hol_status st = HOL_OK;
    for (int i = 0; i < p->n && !st; i++) {
        const int k = p->term[i].equation;
        search s = {.p = p,
                    .term = &p->term[i],
                    .holes = p->taken[k] ? HOL_MARK_HOLES : HOL_MARK_DOMAIN | HOL_MARK_NONE,
                    .start = x0->t,
                    .end = x1->t,
                    .finest = finest,
                    .left = MOST_CELLS};
        if (hol_course_look(&p->c, s.term, x0->t, x1->t, hol_course_node(&p->c, -2),
                            hol_course_node(&p->c, -1))
                ->marks &
            s.holes)
            st = examine(p, &s);
    }
    return st;
}

hol_status hol_poles_check(hol_poles *p)
{
    hol_integrator *it = p->c.it;
    const double h = it->x.t - it->before.t, last = 16 * DBL_EPSILON * fabs(it->x.t),
                 finest = fmax(last, fmin(FINEST * it->end, OF_STEP * h));
    p->c.ahead = HOL_WITHIN;
    if (!p->n || !(h > FAR * finest)) return HOL_OK;
    const hol_evaluations count = it->s->count;
    hol_status st = hol_course_begin(&p->c);
    if (!st) st = examine_all(p, finest);
    it->s->count = count;
    return st;
}

// The same within dt behind a step that failed; ahead: how the course goes on.
static hol_status explain(hol_poles *p, double dt, hol_ahead ahead)
{
    hol_integrator *it = p->c.it;
    const hol_course_leaf *a, *b;
    p->c.ahead = ahead;
    for (int i = 0; i < p->n; i++) {
        const int k = p->term[i].equation;
        search s = {p, &p->term[i], HOL_MARK_POLE, it->x.t, it->x.t + dt, 1e-6 * dt, .left = MOST_CELLS};
        if (!p->taken[k]) continue;
        a = hol_course_at(&p->c, s.start, -2);
        b = hol_course_at(&p->c, s.end, -1);
        halve(&s, 0, s.start, s.end, a, b);
        if (s.left <= 0 || !first_pole(&s)) continue;
        hol_context_clear(it->ctx);
        return tell_pole(p, &it->s->m->equation[k], it->x.t);
    }
    return HOL_OK;
}

hol_status hol_poles_explain(hol_poles *p, double dt)
{
    const hol_status st = explain(p, dt, HOL_AHEAD);
    return st ? st : explain(p, dt, HOL_COASTING);
}
