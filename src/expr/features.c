// The search for what a function of time does, (8.33) to (8.35) of docs/theory.md. Cells with a mark are halved down to FINEST of the
// interval, first of all; the others, the worst one first, while the function may leave a straight line there by more than FLAT of
// its range S,
//     min(|V|, max|D| w, |D| w/4) > FLAT S,    S >= max V.lo - min V.hi over the cells,
// with |.| the width of an enclosure and w that of the cell. Marked cells that touch are one place; its ends are refined to the
// last digits, and derivatives on both sides say what jumps.
#include "expr/features.h"
#include "expr/interval.h"

#include <stdlib.h>

#define FINEST 1e-9    // of the interval: cells with a mark are halved down to it
#define NARROWEST 1e-7 // those without
#define FLAT 0.05
#define SEEN 1e-3
#define WIDE (1.0 / 40) // of the interval: steps are not longer, and what lasts longer is seen by them
#define FEW                                                                                                  \
    (1.0 / 8) // of the usual width: cells that are not narrower than the function's usual ones are no feature
#define NATURAL                                                                                              \
    1e-6 // part of the range, or of the range over the time searched, that a derivative may change by in a few roundings
#define JUMP 1e-9      // of the derivative: less is rounding
#define UNDECIDED 1e-6 // of the interval: longer places are not single kinks
#define HUGE 1e290     // is near it
#define GROWTH 3       // of a pole, over a hundredth of the distance: x^-1/4 grows by 3.2
#define DISTANT 0.02   // of the interval: limits are looked for from there on
#define SETTLED 0.01   // of a derivative: less is not known of one that has a bound
#define SHARP 64       // last digits: a place that is wider is not known to them
enum { ROOTS = 16, MOST = 200000, DRILLS = 32, HALVINGS = 200, LIMITS = 16 };

typedef struct {
    double from, to, key; // by how much it may leave a straight line
    double above;         // key of the cell it is half of; 0: that one had a mark
} cell;

typedef struct {
    hol_context *ctx;
    const hol_timed *f;
    double start, length, finest, narrowest; // [s]
    double highest, lowest;                  // max V.lo, min V.hi
    cell *heap;                              // the largest key first                                     (n)
    int n, capacity;
    hol_hole *place; // cells with a mark that is not decided, kind: the marks           (n_places)
    int n_places, place_capacity;
    double last, next; // ends of the neighbours of the one that is examined, or of the interval
    long left;         // evaluations
    bool kinks;        // some cell may have a branch that is not decided
    bool lost;         // no memory
    hol_features *out;
} search;

// What grows above the largest number has no value there; what has one beside such a number, as 1/(1 + exp(..)), goes on.
static hol_enclosure look(search *s, double from, double to)
{
    hol_enclosure e;
    s->f->enclose(s->f, (hol_interval){from, to}, &e);
    s->left--;
    if (!(e.marks & HOL_MARK_LARGE)) return e;
    e.marks &= ~(unsigned)(HOL_MARK_LARGE | HOL_MARK_POLE);
    if (isinf(e.v.lo) || isinf(e.v.hi)) e.marks |= HOL_MARK_NONE;
    return e;
}

static double width(hol_interval a) { return a.hi - a.lo; }

// S: the range that the function has for certain, or a small part of its size, of which less is not looked at.
static double range_of(const search *s)
{
    const double size = fmax(s->highest, -s->lowest);
    return fmax(0, fmax(s->highest - s->lowest, SEEN * size));
}

// By how much the function may leave a straight line in a cell of width w.
static double bend(const hol_enclosure *e, double w)
{
    const double key = fmin(fmin(width(e->v), hol_most(e->d) * w), 0.25 * width(e->d) * w);
    return isnan(key) ? width(e->v) : key;
}

// ---- the heap --------------------------------------------------------------------------------------------------

static void push(search *s, cell c)
{
    cell *h = hol_grow(s->ctx, s->heap, &s->capacity, s->n + 1, sizeof *h);
    s->lost = s->lost || !h;
    if (!h) return;
    int i = s->n++;
    for (s->heap = h; i > 0 && h[(i - 1) / 2].key < c.key; i = (i - 1) / 2) h[i] = h[(i - 1) / 2];
    h[i] = c;
}

// The cell with the largest key.
static cell pop(search *s)
{
    cell *h = s->heap;
    const cell top = h[0], last = h[--s->n];
    int i = 0;
    for (int k; (k = 2 * i + 1) < s->n; i = k) {
        if (k + 1 < s->n && h[k + 1].key > h[k].key) k++;
        if (h[k].key <= last.key) break;
        h[i] = h[k];
    }
    h[i] = last;
    return top;
}

// ---- cells -----------------------------------------------------------------------------------------------------

// A cell with a mark that is not decided; cells that touch are one place.
static void keep_place(search *s, double from, double to, unsigned marks)
{
    if (s->n_places && s->place[s->n_places - 1].after == from) { // it goes on
        hol_hole *last = &s->place[s->n_places - 1];
        last->after = to;
        last->kind |= marks;
        return;
    }
    if (!HOL_GROW(s->ctx, s->place, s->place_capacity, s->n_places + 1))
        s->lost = true;
    else
        s->place[s->n_places++] = (hol_hole){from, to, (hol_hole_kind)marks};
}

// A cell: one with a mark is halved at once, one without goes to the heap.
static void take(search *s, double from, double to, double above)
{
    const double w = to - from, middle = from + 0.5 * w;
    if (s->left <= 0 || s->lost) return;
    const hol_enclosure e = look(s, from, to);
    s->kinks = s->kinks || e.marks & HOL_MARK_KINK;
    if (e.marks & HOL_MARK_NONE) return; // no value, and none to be found
    if (e.marks && w > s->finest && middle > from && middle < to) {
        take(s, from, middle, 0);
        take(s, middle, to, 0);
        return;
    }
    if (e.marks) {
        keep_place(s, from, to, e.marks);
        return;
    }
    s->highest = fmax(s->highest, e.v.lo);
    s->lowest = fmin(s->lowest, e.v.hi);
    push(s, (cell){from, to, bend(&e, w), above});
}

// Halves the worst cell until all are nearly straight.
static void refine(search *s)
{
    while (s->n && s->left > 0 && !s->lost) {
        if (s->heap[0].key <= FLAT * range_of(s)) return;
        cell c = pop(s);
        if (c.to - c.from <= s->narrowest) {
            c.above = c.key; // something shorter than what is looked for
            c.key = 0;
            push(s, c);
            continue;
        }
        const double middle = c.from + 0.5 * (c.to - c.from);
        take(s, c.from, middle, c.key);
        take(s, middle, c.to, c.key);
    }
}

static int by_width(const void *a, const void *b)
{
    const cell *p = a, *q = b;
    const double x = p->to - p->from, y = q->to - q->from;
    return (x > y) - (x < y);
}

// The width that half of the interval has cells of at least.
static double usual_width(search *s)
{
    double sum = 0, whole = 0;
    if (s->n) qsort(s->heap, (size_t)s->n, sizeof *s->heap, by_width);
    for (int i = 0; i < s->n; i++) whole += s->heap[i].to - s->heap[i].from;
    for (int i = 0; i < s->n; i++) {
        sum += s->heap[i].to - s->heap[i].from;
        if (sum >= 0.5 * whole) return s->heap[i].to - s->heap[i].from;
    }
    return s->length;
}

static int by_time(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b; // their first member
    return (x > y) - (x < y);
}

// Cells that are narrow because of what the function does in them.
static void keep_cells(search *s)
{
    const double range = range_of(s), most = fmin(WIDE * s->length, FEW * usual_width(s));
    hol_features *out = s->out;
    for (int i = 0; i < s->n && !s->lost; i++) {
        const cell *c = &s->heap[i];
        if (c->to - c->from > most || c->above <= FLAT * range) continue;
        if (!HOL_GROW(s->ctx, out->cell, out->cell_capacity, out->n_cells + 1))
            s->lost = true;
        else
            out->cell[out->n_cells++] = (hol_cell){c->from, c->to};
    }
    if (out->n_cells) qsort(out->cell, (size_t)out->n_cells, sizeof *out->cell, by_time);
}

// ---- places with marks -------------------------------------------------------------------------------------------

static double last_digit(double t) { return DBL_EPSILON * fabs(t) + DBL_MIN; }

// From `clear` towards `marked` as far as there are no marks.
static double sharpen(search *s, double clear, double marked)
{
    for (int k = 0; k < HALVINGS; k++) {
        const double middle = clear + 0.5 * (marked - clear);
        if (middle == clear || middle == marked || fabs(marked - clear) <= last_digit(clear)) break;
        const hol_enclosure e = look(s, fmin(clear, middle), fmax(clear, middle));
        if (e.marks)
            marked = middle;
        else
            clear = middle;
    }
    return clear;
}

static double value(const hol_timed *f, double t)
{
    double y[4];
    f->jet(f, t, y);
    return y[0];
}

// How much a value grows on one side of a hole, from a distance to a hundredth of it; 0: there is none.
static double growth(const search *s, double t, double sign)
{
    const double far = value(s->f, t + sign * 100 * s->finest), near = value(s->f, t + sign * s->finest);
    if (!isfinite(far) || !isfinite(near)) return isfinite(far) && isinf(near) ? (double)INFINITY : 0;
    return near == 0 ? 1 : fabs(near) / fabs(far);
}

// Value and derivatives of one side of a place, and how much of each is not known.
typedef struct {
    double y[4], unknown[4];
} side;

// The Taylor series of the function around t + h, at t, (8.35a).
static void carry_on(const search *s, double t, double h, double y[4])
{
    double f[4];
    s->f->jet(s->f, t + h, f);
    y[0] = f[0] - h * (f[1] - h / 2 * (f[2] - h / 3 * f[3]));
    y[1] = f[1] - h * (f[2] - h / 2 * f[3]);
    y[2] = f[2] - h * f[3];
    y[3] = f[3];
}

// Does the k-th derivative grow without bound towards t? As x^-1/4 or faster.
static bool is_steep(const search *s, int k, double t, double h)
{
    double near[4], far[4];
    s->f->jet(s->f, t + h, near);
    s->f->jet(s->f, t + 100 * h, far);
    return isinf(near[k]) || fabs(near[k]) > GROWTH * fabs(far[k]);
}

// The limits at t from one side, where series near it are lost to rounding: by series from distances that fall by 4 from h on to `least`,
// of each derivative that which differs least from its neighbours. What has no bound is infinite.
static bool find_limits(const search *s, double t, double h, double least, side *out)
{
    double y[LIMITS][4];
    int n = 0;
    for (; n < LIMITS && fabs(h) >= least; n++, h /= 4) carry_on(s, t, h, y[n]);
    if (n < 3) return false;
    for (int k = 0; k < 4; k++) out->unknown[k] = (double)INFINITY;
    for (int i = 1; i + 1 < n; i++)
        for (int k = 0; k < 4; k++) {
            const double apart = fmax(fabs(y[i][k] - y[i - 1][k]), fabs(y[i + 1][k] - y[i][k]));
            if (!isfinite(y[i - 1][k] + y[i][k] + y[i + 1][k]) || !(apart < out->unknown[k])) continue;
            out->unknown[k] = apart;
            out->y[k] = y[i][k];
        }
    for (int k = 1; k < 3; k++) {
        if (out->unknown[k] < SETTLED * fabs(out->y[k]) || !is_steep(s, k, t, 4 * h)) continue;
        out->y[k] = copysign((double)INFINITY, y[n - 1][k]);
        out->unknown[k] = 0;
    }
    return isfinite(out->unknown[0]);
}

// What is known of both sides at their own last digits.
static void look_close(const search *s, double before, double after, side *a, side *b)
{
    *a = *b = (side){.y = {0}};
    s->f->jet(s->f, before, a->y);
    s->f->jet(s->f, after, b->y);
}

// The same from a distance, where what is not decided is wider than a few roundings: near where an argument of it rests, as sin(t) at 1
// in asin(sin(t)). false: other places are too near.
static bool look_from_afar(const search *s, double before, double after, side *a, side *b)
{
    const double t = before + 0.5 * (after - before), gap = after - before;
    const double least = fmax(16 * gap, s->finest);
    return find_limits(s, t, fmax(-DISTANT * s->length, 0.5 * (s->last - t)), least, a) &&
           find_limits(s, t, fmin(DISTANT * s->length, 0.5 * (s->next - t)), least, b);
}

// What jumps between two times that little parts; false: nothing up to the third derivative. afar: the sides are known from there.
static bool find_jump(const search *s, double before, double after, const side *left, const side *right,
                      bool afar, hol_jump *out)
{
    const double *a = left->y, *b = right->y, range = range_of(s), gap = after - before;
    double time = 1;
    for (int k = 0; k < 4; k++, time *= s->length) {
        const double next = k < 3 ? fabs(a[k + 1]) + fabs(b[k + 1]) : 0;
        // what the next derivative explains, unless that has no bound itself: the slope of sqrt(abs(time)) jumps
        const double natural = range / time, most = afar ? (double)INFINITY : NATURAL * natural,
                     explained = fmin(4 * gap * next, isinf(next) ? NATURAL * natural : most);
        const double small = JUMP * (fabs(a[k]) + fabs(b[k])) + 1e-12 * natural + explained +
                             3 * (left->unknown[k] + right->unknown[k]);
        *out = (hol_jump){before, after, k, a[k], b[k]};
        if (isinf(a[k]) || isinf(b[k]) || !(fabs(b[k] - a[k]) <= small)) return true;
    }
    return false;
}

static void add_jump(search *s, const hol_jump *found)
{
    hol_features *out = s->out;
    if (!HOL_GROW(s->ctx, out->jump, out->jump_capacity, out->n_jumps + 1))
        s->lost = true;
    else
        out->jump[out->n_jumps++] = *found;
}

// Is it without a value somewhere in the place, or without a derivative up to the third?
static bool lacks(const search *s, double before, double after, int derivatives)
{
    enum { LOOKS = 64 };
    bool found = false;
    double y[4];
    for (int i = 0; i <= LOOKS && !found; i++) {
        s->f->jet(s->f, before + (after - before) * i / LOOKS, y);
        for (int k = 0; k <= derivatives; k++) found = found || !isfinite(y[k]);
    }
    return found;
}

// A place at which something jumps up to the third derivative. What an argument at rest leaves undecided is looked at from afar, and
// so is a hole, whose sides are. false: nothing jumps.
static bool keep_jump(search *s, double before, double after, bool hole)
{
    hol_jump found;
    side a, b;
    const bool starts = before <= s->start, wide = after - before > SHARP * last_digit(after);
    const bool far = wide || hole || lacks(s, before, after, 3);
    const bool afar = far && !starts && look_from_afar(s, before, after, &a, &b);
    if (!afar) look_close(s, before, after, &a, &b);
    if (!find_jump(s, before, after, &a, &b, afar, &found)) return false;
    if (starts && !isfinite(found.left)) return false; // the start has no value, which is not another one
    add_jump(s, &found);
    return true;
}

static void add_hole(search *s, double before, double after, hol_hole_kind kind)
{
    hol_features *out = s->out;
    if (!HOL_GROW(s->ctx, out->hole, out->hole_capacity, out->n_holes + 1))
        s->lost = true;
    else
        out->hole[out->n_holes++] = (hol_hole){before, after, kind};
}

// A pole, an overflow, a hole with a value on both sides, or the edge of a domain, which may be touched alone. Where there is a value on
// both sides something may jump.
static void keep_hole(search *s, double before, double after, bool ends)
{
    const double left = growth(s, before, -1), right = growth(s, after, 1);
    hol_features *out = s->out;
    hol_hole_kind kind = HOL_HOLE_EDGE;
    if (left > GROWTH || right > GROWTH)
        kind = HOL_HOLE_POLE;
    else if (fmax(fabs(value(s->f, before)), fabs(value(s->f, after))) > HUGE)
        kind = HOL_HOLE_LARGE;
    else if (left > 0 && right > 0) {
        const bool jumps = !ends && keep_jump(s, before, after, true);
        if (jumps && out->jump[out->n_jumps - 1].order == HOL_JUMP_VALUE) return;
        kind = lacks(s, before, after, 0) ? HOL_HOLE_REMOVABLE : HOL_HOLE_TOUCHED;
    }
    add_hole(s, before, after, kind);
}

// A kink, perhaps, and perhaps a value without all derivatives: the second one of (x^2)^0.75 at 0.
static void keep_kink(search *s, double before, double after, bool ends)
{
    if (!ends) keep_jump(s, before, after, false);
    if (lacks(s, before, after, 3)) add_hole(s, before, after, HOL_HOLE_TOUCHED);
}

// One place: its ends to the last digits, and what happens there. What happens at the end of the interval does not part anything; a jump
// at the start is one of what the function is there from what it is right behind, as step(time, 0, 0, 1, 1) has no curvature at 0.
static void examine(search *s, const hol_hole *p)
{
    const double end = s->start + s->length, edge = 4 * s->finest;
    if (p->after - p->before > UNDECIDED * s->length) {
        s->out->undecided = true;
        s->out->branches = s->out->branches || (unsigned)p->kind & HOL_MARK_KINK;
        return;
    }
    const bool starts = p->before <= s->start + s->finest, ends = p->after >= end - s->finest;
    const double before = starts ? s->start : sharpen(s, p->before - edge / 8, p->after);
    const double after = ends ? end : sharpen(s, p->after + edge / 8, before);
    if ((unsigned)p->kind & (HOL_MARK_POLE | HOL_MARK_DOMAIN))
        keep_hole(s, before, after, ends);
    else
        keep_kink(s, before, after, ends);
}

// Places in order, joined where they are one.
static void examine_places(search *s)
{
    if (!s->n_places) return;
    qsort(s->place, (size_t)s->n_places, sizeof *s->place, by_time);
    int n = 1; // places that touch, or are closer to each other than what is told apart
    for (int i = 1; i < s->n_places; i++) {
        hol_hole *last = &s->place[n - 1];
        if (s->place[i].before - last->after > s->finest) {
            s->place[n++] = s->place[i];
            continue;
        }
        last->after = fmax(last->after, s->place[i].after);
        last->kind |= s->place[i].kind;
    }
    for (int i = 0; i < n; i++) {
        s->last = i > 0 ? s->place[i - 1].after : s->start;
        s->next = i + 1 < n ? s->place[i + 1].before : s->start + s->length;
        examine(s, &s->place[i]);
    }
}

// ---- a function that changes all the time ------------------------------------------------------------------------

// The width around a place in which the function is decided and nearly straight; 0: not even in the narrowest cell.
static double drill(search *s, double place)
{
    const double range = range_of(s);
    for (double w = s->length; w > s->narrowest; w *= 0.5) {
        const double from = s->start + fmin(place, s->length - w);
        const hol_enclosure e = look(s, from, from + w);
        if (e.marks & HOL_MARK_NONE) return s->length;
        if (!e.marks && bend(&e, w) <= FLAT * range) return w;
    }
    return 0;
}

// One of the places that are spread over the interval and periodic with nothing.
static double place_of(const search *s, int i)
{
    const double part = (i + 0.5) * 0.618033988749895;
    return (part - floor(part)) * s->length;
}

// In how short a time it changes: first what it takes at all, at the places, then how far each is to be halved.
static void measure(search *s)
{
    int undecided = 0;
    s->out->shortest = s->length;
    for (int i = 0; i < DRILLS; i++) {
        const double t = s->start + place_of(s, i);
        const hol_enclosure e = look(s, t, t);
        if (e.marks) continue;
        s->highest = fmax(s->highest, e.v.lo);
        s->lowest = fmin(s->lowest, e.v.hi);
    }
    for (int i = 0; i < DRILLS; i++) {
        const double w = drill(s, place_of(s, i));
        if (w > 0) s->out->shortest = fmin(s->out->shortest, w);
        undecided += w == 0;
    }
    s->out->undecided = undecided > 0;
    s->out->branches = s->kinks;
    s->out->dense = undecided < DRILLS / 2;
}

// All that the function does in the interval.
static void find(search *s)
{
    for (int i = 0; i < ROOTS; i++)
        take(s, s->start + s->length * i / ROOTS, s->start + s->length * (i + 1) / ROOTS, 0);
    refine(s);
    if (s->left <= 0) {
        measure(s);
        return;
    }
    examine_places(s);
    keep_cells(s);
}

hol_status hol_features_find(hol_context *ctx, const hol_timed *f, double from, double to, double finest,
                             hol_features *out)
{
    const double length = to - from;
    search s = {.ctx = ctx,
                .f = f,
                .start = from,
                .length = length,
                .finest = FINEST * length / finest,
                .narrowest = NARROWEST * length / finest,
                .highest = -DBL_MAX,
                .lowest = DBL_MAX,
                .left = (long)(MOST * finest),
                .out = out};
    *out = (hol_features){.n_jumps = 0};
    if (length > 0) find(&s);
    out->evaluations = (long)(MOST * finest) - s.left;
    hol_free(s.heap);
    hol_free(s.place);
    if (!s.lost) return HOL_OK;
    hol_features_free(out);
    return HOL_ERR_MEMORY;
}

static void enclose_expr(const hol_timed *f, hol_interval t, hol_enclosure *out)
{
    const hol_enclosure time = {t, {1, 1}, 0};
    hol_expr_enclose(((const hol_time_expr *)f)->e, &time, NULL, out);
}

static void jet_of_expr(const hol_timed *f, double t, double y[4])
{
    hol_real jet[4];
    hol_expr_jet(((const hol_time_expr *)f)->e, t, jet);
    for (int k = 0; k < 4; k++) y[k] = hol_re(jet[k]);
}

hol_time_expr hol_time_expr_of(const hol_expr *e) { return (hol_time_expr){{enclose_expr, jet_of_expr}, e}; }

void hol_features_free(hol_features *f)
{
    hol_free(f->jump);
    hol_free(f->hole);
    hol_free(f->cell);
    *f = (hol_features){.n_jumps = 0};
}
