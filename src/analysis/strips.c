// What forces and rates of states do within a step, held against what both ends of it know: the cubic through their values and rates
// there, and as much again. A part of the step in which the enclosure leaves that range is halved until its impulse, excess times
// time, is certain or too small to count. docs/theory.md, section 8.10.
#include "analysis/strips.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define COUNTS 0.1   // of the impulse that moves the lightest body by the tolerance in a natural time
#define BESIDE 0.01  // of the range that the ends know, times the step
#define PART 16      // parts of an impulse that counts: smaller ones are left out
#define FIXED 1e-3   // tolerance that fixed steps are measured with
#define OUTSIDE 1e-6 // of the largest excess: where a strip begins and ends
#define LITTLE 1e-7  // of natural sizes: what leaves are changed by to see slopes
#define FINEST 1e-12 // of the run: strips are not shorter
static const hol_interval nothing = {HOL_INF, -HOL_INF};
enum { LEVELS = 40, MOST_CELLS = 200, FEW = 64, PIECES = 8, MOST_TIMES = 8 };

// ---- which expressions --------------------------------------------------------------------------------------------

// Does it take the motion or a state itself?
static bool takes_motion(const hol_course *c, const hol_equation *e)
{
    for (int j = 0; j < e->n_leaves; j++)
        if (e->leaf[j].kind != HOL_LEAF_HELD && !hol_course_is_explicit(c, &e->leaf[j])) return true;
    return false;
}

// What is made by sums and products alone, of what is made so too, has no strips; functions of time are loads.c's.
static bool is_watched(hol_course *c, int k)
{
    const hol_equation *e = hol_course_expression(c, k);
    const hol_chain *chain = hol_course_chain(c, k);
    bool plain = hol_expr_is_plain(e->expr), moves = takes_motion(c, e);
    for (int i = 0; i < chain->n; i++) {
        const hol_equation *taken = hol_course_expression(c, chain->list[i]);
        plain = plain && hol_expr_is_plain(taken->expr);
        moves = moves || takes_motion(c, taken);
    }
    return !plain && moves && hol_course_is_smooth(c, k);
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

// An expression that is watched, and the impulse, or the change of a state, that counts.
static void watch(hol_strips *p, int k, double least)
{
    if (!p->c.it->s->m->equation[k].expr || !is_watched(&p->c, k)) return;
    p->c.needed[k] = 1;
    p->equation[p->n] = k;
    p->known[p->n] = nothing;
    p->least[p->n++] = least;
}

hol_status hol_strips_create(hol_integrator *it, double tolerance, hol_strips *p)
{
    const hol_model_data *m = it->s->m;
    const double T = COUNTS * (tolerance > 0 ? tolerance : FIXED), L = m->length_scale;
    *p = (hol_strips){.c.it = it, .from = HOL_INF, .again = -HOL_INF};
    bool any = false;
    for (int k = 0; k < m->n_equations; k++)
        any = any || (m->equation[k].expr && !hol_expr_is_plain(m->equation[k].expr));
    if (!any) return HOL_OK;
    hol_status st = hol_course_create(it, &p->c);
    if (st) return st;
    const size_t most = (size_t)m->n_equations;
    p->equation = hol_calloc(it->ctx, most, sizeof *p->equation);
    p->least = hol_calloc(it->ctx, most, sizeof *p->least);
    p->told = hol_calloc(it->ctx, most, sizeof *p->told);
    p->known = hol_calloc(it->ctx, most, sizeof *p->known);
    if (!p->equation || !p->least || !p->told || !p->known) return HOL_ERR_MEMORY;
    const double impulse = T * lightest(m) * fmin(L, L * L) / m->time_scale;
    for (int i = 0; i < m->n_states; i++) watch(p, m->state[i].equation, T * m->state[i].size);
    for (int k = 0; k < m->n_equations; k++)
        if (m->equation[k].hidden && !p->c.needed[k]) watch(p, k, impulse);
    return p->n ? hol_course_prepare(&p->c, LEVELS) : HOL_OK;
}

void hol_strips_destroy(hol_strips *p)
{
    hol_course_destroy(&p->c);
    hol_free(p->equation);
    hol_free(p->least);
    hol_free(p->told);
    hol_free(p->known);
    *p = (hol_strips){.n = 0};
}

// ---- within a step --------------------------------------------------------------------------------------------------

typedef struct {
    hol_strips *p;
    int equation, left; // parts that may still be looked at
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
    const hol_enclosure *e = hol_course_look(&s->p->c, s->equation, t0, t1, a, b);
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
    return *hol_course_look(&s->p->c, s->equation, t, t, node, node);
}

// By how much the value would change within the step if it changed with its leaves as it does at one end: a stiff force knows nothing of
// the motion between the ends that this does not hide, and a strip has no slope beside it.
static double by_slope(const search *s, double t, const hol_course_leaf *node)
{
    hol_course *c = &s->p->c;
    c->loose = LITTLE;
    const hol_enclosure *e = hol_course_look(c, s->equation, t, t, node, node);
    c->loose = 0;
    return e->marks & HOL_MARK_KINK
               ? 0
               : 0.5 * (e->v.hi - e->v.lo) * s->change / LITTLE; // of a jump there is none
}

// The Bernstein coefficients of the cubic through values and rates at both ends, what slopes tell, and as much again; false: the value is
// not known.
static bool find_known(search *s)
{
    const double h = s->end - s->start;
    const hol_course_leaf *first = hol_course_node(&s->p->c, -2), *last = hol_course_node(&s->p->c, -1);
    const hol_enclosure a = at_time(s, s->start, first), b = at_time(s, s->end, last);
    const double f0 = 0.5 * (a.v.lo + a.v.hi), f1 = 0.5 * (b.v.lo + b.v.hi), d0 = 0.5 * (a.d.lo + a.d.hi),
                 d1 = 0.5 * (b.d.lo + b.d.hi), n0 = by_slope(s, s->start, first),
                 n1 = by_slope(s, s->end, last);
    const double v[6] = {isfinite(d0) ? f0 + h * d0 / 3 : f0,
                         isfinite(d1) ? f1 - h * d1 / 3 : f1,
                         f0 - n0,
                         f0 + n0,
                         f1 - n1,
                         f1 + n1};
    double lo = fmin(f0, f1), hi = fmax(f0, f1);
    for (int i = 0; i < 6; i++) {
        lo = fmin(lo, v[i]);
        hi = fmax(hi, v[i]);
    }
    const double more = hi - lo;
    s->known = (hol_interval){lo - more, hi + more};
    s->least = fmax(s->least, BESIDE * more * h);
    return isfinite(f0) && isfinite(f1) && isfinite(more);
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
static void tell_fixed(hol_strips *p, int i)
{
    const hol_equation *e = &p->c.it->s->m->equation[p->equation[i]];
    if (p->told[i]) return;
    p->told[i] = true;
    hol_note_at(p->c.it->ctx, HOL_WARNING, e->at,
                "%s (\"%.200s\") acts within a step at t = %.6g s, and neither end of the step feels it: "
                "fixed steps pass over it; "
                "shorter ones may not, and steps of chosen size do not",
                e->path, hol_expr_text(e->expr), p->from);
}

// The first strip that expression i has in the step, into p->from, p->to; earlier ones than those found stand.
static void look_for(hol_strips *p, int i, double finest, double change, bool within)
{
    const hol_integrator *it = p->c.it;
    search s = {.p = p,
                .equation = p->equation[i],
                .left = MOST_CELLS,
                .start = it->before.t,
                .end = it->x.t,
                .finest = finest,
                .least = p->least[i],
                .change = change,
                .from = HOL_INF};
    const hol_course_leaf *first = hol_course_node(&p->c, -2), *last = hol_course_node(&p->c, -1);
    const hol_enclosure *whole = hol_course_look(&p->c, s.equation, s.start, s.end, first, last);
    const hol_interval all = whole->v;
    if (whole->marks & HOL_MARK_HOLES) return; // poles.c
    hol_interval *old = &p->known[i];
    const double width = all.hi - all.lo;
    const bool small = width * (s.end - s.start) <= s.least / PART,
               seen = all.lo >= old->lo && all.hi <= old->hi && width >= (old->hi - old->lo) / FEW;
    if (small || seen || !find_known(&s)) return;
    *old = within ? nothing : s.known; // what is known in a strip is of no use behind it
    halve(&s, 0, s.start, s.end, first, last);
    p->undecided += s.undecided && !isfinite(s.from);
    if (!isfinite(s.from)) return;
    const double from = edge(&s, s.from, -1), to = edge(&s, s.to, 1);
    if (from >= p->from) return;
    p->from = from;
    p->to = to;
    if (it->tolerance <= 0) tell_fixed(p, i);
}

// Back to where the step began.
static hol_status take_back(hol_strips *p)
{
    hol_integrator *it = p->c.it;
    if (p->from - it->before.t < p->to - p->from) p->from = it->before.t; // no short step before it
    p->piece = (p->to - p->from) / PIECES;
    p->times = it->before.t == p->again ? p->times + 1 : 1;
    p->again = it->before.t;
    hol_state_copy(it->s, &it->x, &it->before);
    it->count.steps--;
    it->count.rejected++;
    it->count.limited[it->limit]--;
    return hol_integrator_restart(it);
}

hol_status hol_strips_check(hol_strips *p, bool *again)
{
    hol_integrator *it = p->c.it;
    const double h = it->x.t - it->before.t, last = 16 * DBL_EPSILON * fabs(it->x.t),
                 finest = fmax(last, FINEST * it->end);
    *again = false;
    if (!p->n || !(h > 16 * finest)) return HOL_OK;
    const double from = p->from, to = p->to;
    const bool within = isfinite(from) && it->before.t < to;
    const hol_evaluations count = it->s->count;
    hol_status st = hol_course_begin(&p->c);
    const double change = st ? 0 : hol_course_change(&p->c);
    p->from = HOL_INF;
    for (int i = 0; i < p->n && !st; i++) look_for(p, i, finest, change, within);
    it->s->count = count;
    if (st) return st;
    const bool found = isfinite(p->from), often = it->before.t == p->again && p->times >= MOST_TIMES;
    if (found && it->tolerance > 0 && !often) {
        p->found++;
        *again = true;
        return take_back(p);
    }
    p->undecided += found && often;
    p->from = from; // the one at hand, which may not be over
    p->to = to;
    return HOL_OK;
}

double hol_strips_next_time(const hol_strips *p, double end)
{
    if (!p->n || !isfinite(p->from)) return end;
    const double t = p->c.it->x.t;
    return t >= p->to ? end : fmin(end, p->from > t ? p->from : fmin(p->to, t + p->piece));
}

void hol_strips_archive(hol_strips *p, hol_archive *a)
{
    HOL_ARCHIVE(a, p->from);
    hol_archive_number(a, &p->to, -DBL_MAX, DBL_MAX);
    hol_archive_number(a, &p->piece, 0, DBL_MAX);
    HOL_ARCHIVE(a, p->again);
    hol_archive_int(a, &p->times, 0, MOST_TIMES);
    hol_archive_counts(a, &p->found, 1);
    hol_archive_counts(a, &p->undecided, 1);
    hol_archive_bytes(a, p->known, (size_t)p->n * sizeof *p->known);
    if (a->reading && isnan(p->from)) a->failed = true;
}
