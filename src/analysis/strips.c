// What forces and rates of states do within a step, held against what both ends of it know: the cubic through their values and rates
// there, and as much again. A part of the step in which the enclosure leaves that range is halved until its impulse, excess times
// time, is certain or too small to count. docs/theory.md, section 8.10.
#include "analysis/strips.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define COUNTS 0.1   // of the impulse that moves the lightest body by the tolerance in a natural time
#define BESIDE 1e-3  // of the range that the ends know, times the step
#define BEYOND 0.25  // of that range: values may leave it by so much
#define PART 16      // parts of an impulse that counts: smaller ones are left out
#define BRIEF 0.1    // of the step: a flank is left within less
#define AROUND 4     // times that: the strip that it belongs to
#define FIXED 1e-3   // tolerance that fixed steps are measured with
#define OUTSIDE 1e-6 // of the largest excess: where a strip begins and ends
#define LITTLE 1e-7  // of natural sizes: what leaves are changed by to see slopes
#define HARDLY 0.01  // of a step through the strip: what is left of it by rounding is no step
#define FINEST 1e-12 // of the run: strips are not shorter
enum { LEVELS = 40, MOST_CELLS = 200, PIECES = 8, MOST_SUMS = 64 };

// ---- which expressions --------------------------------------------------------------------------------------------

// Does leaf j take the motion or a state itself?
static bool takes_motion(const hol_course *c, const hol_leaf *l)
{
    return !hol_leaf_is_given(l) && !hol_course_is_explicit(c, l);
}

// What is made by sums and products alone, of what is made so too, has no strips; functions of time are loads.c's.
static bool is_watched(const hol_course *c, const hol_course_term *t)
{
    const hol_equation *e = hol_course_expression(c, t->equation);
    bool plain = hol_expr_is_plain(t->expr), moves = false;
    for (int i = 0; i < t->n_leaves; i++) moves = moves || takes_motion(c, &e->leaf[t->leaf[i]]);
    for (int i = 0; i < t->n_taken; i++) {
        const hol_equation *taken = hol_course_expression(c, t->taken[i]);
        plain = plain && hol_expr_is_plain(taken->expr);
        for (int j = 0; j < taken->n_leaves; j++) moves = moves || takes_motion(c, &taken->leaf[j]);
    }
    return !plain && moves && t->smooth;
}

static double lightest(const hol_model_data *m)
{
    double least = HOL_INF;
    for (int i = 0; i < m->n_bodies; i++) {
        hol_inertia b = {0};
        if (m->element[i].type->inertia) m->element[i].type->inertia(m->element[i].data, &b);
        if (b.m > 0) least = fmin(least, b.m);
    }
    return isfinite(least) ? least : 0;
}

// The variable that an expression is a multiple of; -1: it is none.
static int variable_of(const hol_strips *p, int k, const hol_expr *e)
{
    const int j = hol_expr_leaf(e);
    if (j < 0) return -1;
    const hol_leaf *l = &p->c.it->s->m->equation[k].leaf[j];
    return hol_course_is_explicit(&p->c, l) ? l->index : -1;
}

static bool may_jump(const hol_course *c, const hol_course_term *t)
{
    bool yes = hol_expr_may_jump(t->expr);
    for (int i = 0; i < t->n_taken && !yes; i++)
        yes = hol_expr_may_jump(hol_course_expression(c, t->taken[i])->expr);
    return yes;
}

// One term of expression k; single: it is no sum.
static hol_status watch_one(hol_strips *p, int k, const hol_expr *e, double least, bool single)
{
    if (!HOL_ARENA_GROW(p->c.arena, p->term, p->n)) return HOL_ERR_MEMORY;
    hol_strip_term *t = &p->term[p->n];
    const hol_status st = hol_course_take(&p->c, k, e, &t->t);
    t->least = least;
    t->jumps = !st && single && may_jump(&p->c, &t->t);
    p->n += !st && is_watched(&p->c, &t->t);
    return st;
}

// An expression of k, and what it adds up: a strip may be hidden by a larger term beside it, or be the difference of two terms.
// left: how many variables may be taken apart still, as two may share a third one.
static hol_status watch(hol_strips *p, int k, const hol_expr *e, double least, int *left)
{
    const hol_expr **list = NULL;
    const int n = hol_expr_terms(p->c.arena, e, 0, NULL), all = 2 * n - 1, v = variable_of(p, k, e);
    if (v >= 0 && *left > 0) {
        --*left;
        e = hol_expr_scaled(p->c.arena, p->c.it->s->m->equation[v].expr, hol_expr_factor(e));
        return e ? watch(p, v, e, least, left) : HOL_ERR_MEMORY;
    }
    hol_status st = n < 0 ? HOL_ERR_MEMORY : watch_one(p, k, e, least, n < 2);
    if (st || n < 2) return st;
    list = hol_arena_alloc(p->c.arena, (size_t)all, sizeof *list);
    if (!list || hol_expr_terms(p->c.arena, e, all, list) < 0) return HOL_ERR_MEMORY;
    for (int i = 0; i < n && !st; i++) st = watch(p, k, list[i], least, left);
    for (int i = n; i < all && !st && n > 2; i++) st = watch_one(p, k, list[i], least, false);
    return st;
}

// A law of a joint that takes no expression of the user has no narrow strips: where a bristle gives way the error of its state holds the steps. Smooth
// stops do not count as such (compile_laws.c).
static bool is_law_alone(const hol_model_data *m, int k)
{
    const hol_equation *e = &m->equation[k];
    bool alone = e->law && !e->cornered;
    for (int i = 0; i < e->n_leaves && alone; i++)
        if (e->leaf[i].kind == HOL_LEAF_VALUE) alone = is_law_alone(m, e->leaf[i].index);
    return alone;
}

// An expression, and the impulse, or the change of a state, that counts.
static hol_status watch_all(hol_strips *p, int k, double least)
{
    int left = MOST_SUMS;
    if (!p->c.it->s->m->equation[k].expr || is_law_alone(p->c.it->s->m, k)) return HOL_OK;
    const int before = p->n;
    const hol_status st = watch(p, k, p->c.it->s->m->equation[k].expr, least, &left);
    if (p->n > before) p->c.needed[k] = 1;
    return st;
}

hol_status hol_strips_create(hol_integrator *it, double tolerance, hol_strips *p)
{
    const hol_model_data *m = it->s->m;
    const double T = COUNTS * (tolerance > 0 ? tolerance : FIXED), L = m->length_scale;
    *p = (hol_strips){.c.it = it, .from = HOL_INF};
    bool any = false;
    for (int k = 0; k < m->n_equations; k++)
        any = any || (m->equation[k].expr && !hol_expr_is_plain(m->equation[k].expr));
    if (!any) return HOL_OK;
    hol_status st = hol_course_create(it, &p->c);
    if (st) return st;
    p->told = hol_calloc(it->ctx, (size_t)m->n_equations, sizeof *p->told);
    if (!p->told) return HOL_ERR_MEMORY;
    const double impulse = T * lightest(m) * fmin(L, L * L) / m->time_scale;
    for (int i = 0; i < m->n_states && !st; i++)
        st = watch_all(p, m->state[i].equation, T * m->state[i].size);
    for (int k = 0; k < m->n_equations && !st; k++)
        if (m->equation[k].hidden && !p->c.needed[k]) st = watch_all(p, k, impulse);
    return st || !p->n ? st : hol_course_prepare(&p->c, LEVELS);
}

void hol_strips_destroy(hol_strips *p)
{
    hol_course_destroy(&p->c);
    hol_free(p->told);
    *p = (hol_strips){.n = 0};
}

// ---- within a step --------------------------------------------------------------------------------------------------

typedef struct {
    hol_strips *p;
    const hol_course_term *term;
    int left; // parts that may still be looked at
    double start, end, finest;
    hol_interval known; // by both ends
    double least;       // impulse
    double change;      // of the leaf that changes most, in natural sizes
    double from, to;    // a part that leaves the range for certain; from infinite: none yet
    double excess;      // by so much at least
    bool undecided;
} search;

// By how much all values of a part leave the range.
static double certain(const search *s, const hol_enclosure *e)
{
    return fmax(e->v.lo - s->known.hi, s->known.lo - e->v.hi);
}

static double possible(const search *s, const hol_enclosure *e)
{
    return fmax(e->v.hi - s->known.hi, s->known.lo - e->v.lo);
}

// Finds the first part whose impulse is certain. level: of the room for what is in its middle.
static void halve(search *s, int level, double t0, double t1, const hol_course_leaf *a,
                  const hol_course_leaf *b)
{
    const double w = t1 - t0, middle = t0 + 0.5 * w, small = s->least / PART;
    if (isfinite(s->from)) return;
    const hol_enclosure *e = hol_course_look(&s->p->c, s->term, t0, t1, a, b);
    const double most = possible(s, e);
    if (!(most * w > small)) return;
    if (certain(s, e) * w > small) {
        s->from = t0;
        s->to = t1;
        s->excess = certain(s, e);
        return;
    }
    if (s->left-- <= 0 || w <= s->finest || level == LEVELS) {
        s->undecided = true;
        return;
    }
    const hol_course_leaf *c = hol_course_at(&s->p->c, middle, level);
    halve(s, level + 1, t0, middle, a, c);
    halve(s, level + 1, middle, t1, c, b);
}

// The value at one time, and its rate.
static hol_enclosure at_time(const search *s, double t, const hol_course_leaf *node)
{
    return *hol_course_look(&s->p->c, s->term, t, t, node, node);
}

// By how much the value would change within the step if it changed with its leaves as it does at one end. What a stiff force has at both
// ends the motion between them may hide, and a strip has no slope on both sides.
static double by_slope(const search *s, double t, const hol_course_leaf *node)
{
    hol_course *c = &s->p->c;
    c->loose = LITTLE;
    const hol_enclosure *e = hol_course_look(c, s->term, t, t, node, node);
    c->loose = 0;
    return e->marks & HOL_MARK_KINK
               ? 0
               : 0.5 * (e->v.hi - e->v.lo) * s->change / LITTLE; // of a jump there is none
}

// A step that ends on a steep flank, or begins on one, has hardly met what lies there: changing as fast as it does at this end, the value
// would be that of the other end after a small part of the step.
static void find_flank(search *s, double change, double steep, bool at_end)
{
    const double h = s->end - s->start, brief = h * fabs(change) / steep;
    if (!(brief < BRIEF * h) || !(0.5 * fabs(change) * brief > s->least)) return;
    const double room = fmin(h, AROUND * brief);
    s->from = at_end ? s->end - room : s->start;
    s->to = at_end ? s->end : s->start + room;
    s->excess = fabs(change);
}

// The values at both ends, twice what rates or slopes that both ends have may bend the way from one to the other by, and a little more:
// a steep flank at one end alone is that of a strip. false: the value is not known.
static bool find_known(search *s)
{
    const double h = s->end - s->start;
    const hol_course_leaf *first = hol_course_node(&s->p->c, -2), *last = hol_course_node(&s->p->c, -1);
    const hol_enclosure a = at_time(s, s->start, first), b = at_time(s, s->end, last);
    const double f0 = 0.5 * (a.v.lo + a.v.hi), f1 = 0.5 * (b.v.lo + b.v.hi), d0 = 0.5 * fabs(a.d.lo + a.d.hi),
                 d1 = 0.5 * fabs(b.d.lo + b.d.hi), n0 = by_slope(s, s->start, first),
                 n1 = by_slope(s, s->end, last);
    const double rate = isfinite(d0) && isfinite(d1) ? h * fmin(d0, d1) / 3 : 0,
                 bend = 2 * fmax(fmin(n0, n1), rate), range = fabs(f1 - f0) + 2 * bend,
                 more = bend + BEYOND * range;
    if (!(isfinite(f0) && isfinite(f1) && isfinite(range))) return false;
    s->known = (hol_interval){fmin(f0, f1) - more, fmax(f0, f1) + more};
    s->least = fmax(s->least, BESIDE * range * h);
    if (range > 2 * fabs(f1 - f0)) return true;
    find_flank(s, f1 - f0, fmax(h * d1, n1), true);
    if (!isfinite(s->from)) find_flank(s, f1 - f0, fmax(h * d0, n0), false);
    return true;
}

// Goes from a part of the strip outwards, by ever longer steps, to where the value is back in the range. sign: to which side.
static double edge(const search *s, double t, double sign)
{
    double step = s->to - s->from;
    for (; t > s->start && t < s->end; step *= 2) {
        const hol_enclosure e = at_time(s, t, hol_course_at(&s->p->c, t, 0));
        if (!(possible(s, &e) > OUTSIDE * s->excess)) break;
        t += sign * step;
    }
    return fmin(fmax(t, s->start), s->end);
}

// Once for each expression.
static void tell_fixed(hol_strips *p, int k)
{
    const hol_equation *e = &p->c.it->s->m->equation[k];
    if (p->told[k]) return;
    p->told[k] = true;
    hol_note_at(p->c.it->ctx, HOL_WARNING, e->at,
                "%s (\"%.200s\") acts within a step at t = %.6g s, and neither end of the step feels it: "
                "fixed steps pass over it; "
                "shorter ones may not, and steps of chosen size do not",
                e->path, hol_expr_text(e->expr), p->from);
}

// Does it take speeds, and nothing else that moves?
static bool takes_speed(const hol_course *c, const hol_course_term *t)
{
    const hol_equation *e = hol_course_expression(c, t->equation);
    bool speed = t->n_leaves > 0 && t->n_taken == 0;
    for (int i = 0; i < t->n_leaves; i++) {
        const hol_leaf *l = &e->leaf[t->leaf[i]];
        speed = speed && l->kind == HOL_LEAF_QUANTITY && hol_measured_level(&l->measured) == 1;
    }
    return speed;
}

// A strip of speed that brakes holds the motion, and one that is narrower than what speeds may be wrong by does not. Once for each
// expression. part: how wide it is, of the natural size of a speed.
static void tell_narrow(hol_strips *p, int k, double part)
{
    const hol_integrator *it = p->c.it;
    const hol_equation *e = &it->s->m->equation[k];
    if (p->told[k] || !(part < it->asked)) return;
    p->told[k] = true;
    hol_note_at(
        it->ctx, HOL_WARNING, e->at,
        "%s (\"%.200s\") acts at t = %.6g s in a range of speed narrower than a tolerance of %.3g lets "
        "speeds be wrong by: where it holds the motion the run may pass it; a tolerance below %.1g does not",
        e->path, hol_expr_text(e->expr), p->from, it->asked, part / 10);
}

// The first strip that term i has in the step, into p->from, p->to; earlier ones than those found stand.
static void look_for(hol_strips *p, int i, double finest, double change)
{
    const hol_integrator *it = p->c.it;
    search s = {.p = p,
                .term = &p->term[i].t,
                .left = MOST_CELLS,
                .start = it->before.t,
                .end = it->x.t,
                .finest = finest,
                .least = p->term[i].least,
                .change = change,
                .from = HOL_INF};
    const hol_course_leaf *first = hol_course_node(&p->c, -2), *last = hol_course_node(&p->c, -1);
    const hol_enclosure *whole = hol_course_look(&p->c, s.term, s.start, s.end, first, last);
    const hol_interval all = whole->v;
    p->cornered = p->cornered || whole->marks & HOL_MARK_KINK;
    if (whole->marks & HOL_MARK_HOLES) return; // poles.c
    if ((all.hi - all.lo) * (s.end - s.start) <= s.least / PART || !find_known(&s)) return;
    halve(&s, 0, s.start, s.end, first, last);
    p->undecided += s.undecided && !isfinite(s.from);
    if (!isfinite(s.from)) return;
    const double from = edge(&s, s.from, -1), to = edge(&s, s.to, 1);
    if (from >= p->from) return;
    p->from = from;
    p->to = to;
    if (it->tolerance <= 0)
        tell_fixed(p, s.term->equation);
    else if (takes_speed(&p->c, s.term))
        tell_narrow(p, s.term->equation, change * (to - from) / (s.end - s.start));
}

// Back to where the step began.
static hol_status take_back(hol_strips *p)
{
    hol_integrator *it = p->c.it;
    if (p->from - it->before.t < p->to - p->from) p->from = it->before.t; // no short step before it
    p->piece = (p->to - p->from) / PIECES;
    return hol_integrator_take_back(it);
}

// A step with a corner in it is made again as one in which the motion is not smooth, if it has been judged as one in which it is. (9.13b)
static hol_status judge_corner(hol_strips *p, bool *again)
{
    hol_integrator *it = p->c.it;
    *again = p->cornered && it->bare > 1 && it->tolerance > 0;
    if (!*again) return HOL_OK;
    it->rough = it->x.t;
    return hol_integrator_take_back(it);
}

hol_status hol_strips_begin(hol_strips *p)
{
    if (!p->n) return HOL_OK;
    hol_integrator *it = p->c.it;
    const hol_evaluations count = it->s->count;
    const hol_status st = hol_course_begin(&p->c);
    it->s->count = count;
    return st;
}

hol_status hol_strips_check(hol_strips *p, bool *again)
{
    hol_integrator *it = p->c.it;
    const double h = it->x.t - it->before.t, last = 16 * DBL_EPSILON * fabs(it->x.t),
                 finest = fmax(last, FINEST * it->end);
    *again = false;
    if (!p->n || !(h > 16 * finest)) return HOL_OK;
    const double from = p->from, to = p->to;
    const hol_evaluations count = it->s->count;
    const double change = hol_course_change(&p->c);
    p->from = HOL_INF;
    p->cornered = false;
    for (int i = 0; i < p->n; i++) look_for(p, i, finest, change);
    it->s->count = count;
    const bool found = isfinite(p->from), often = hol_integrator_has_tried(it);
    if (found && it->tolerance > 0 && !often) {
        p->found++;
        *again = true;
        return take_back(p);
    }
    p->undecided += found && often;
    p->from = from; // the one at hand, which may not be over
    p->to = to;
    return often ? HOL_OK : judge_corner(p, again);
}

double hol_strips_next_time(const hol_strips *p, double end)
{
    if (!p->n || !isfinite(p->from)) return end;
    const double t = p->c.it->x.t, near = t + HARDLY * p->piece;
    return near >= p->to ? end : fmin(end, p->from > near ? p->from : fmin(p->to, t + p->piece));
}

void hol_strips_archive(hol_strips *p, hol_archive *a)
{
    HOL_ARCHIVE(a, p->from);
    hol_archive_number(a, &p->to, -DBL_MAX, DBL_MAX);
    hol_archive_number(a, &p->piece, 0, DBL_MAX);
    hol_archive_counts(a, &p->found, 1);
    hol_archive_counts(a, &p->undecided, 1);
    if (a->reading && isnan(p->from)) a->failed = true;
}
