// A spline as one polynomial c0 + c1 h + c2 h^2 + c3 h^3, h = x - x_i, for every interval and for both sides beyond.
#include "expr/interval.h"
#include "expr/spline.h"
#include <string.h>

struct hol_spline {
    hol_spline_kind kind;
    int n;
    const double *x, *y; // (n) nodes
    double range;        // of y
    const char *name;
    hol_spline_beyond beyond;
    double end_slope[2]; // of the first and the last polynomial at the ends
    double (*c)[4]; // (n + 1) left of x[0], about x[0]; from x[0], about x[0]; from x[1], about x[1]; ...
    const double (*sum)
        [2]; // integral from x[0] and the integral of that, where each begins; NULL: not wanted   (n + 1)
};

static double slope(const hol_spline *s, int i) // of the chord from node i to i + 1
{
    return (s->y[i + 1] - s->y[i]) / (s->x[i + 1] - s->x[i]);
}

static void line(const hol_spline *s, int piece, double y, double rise)
{
    s->c[piece][0] = y;
    s->c[piece][1] = rise;
}

// ---- cubic ----------------------------------------------------------------------------------------------------

// The second derivatives M of the nodes: with h_i = x_(i+1) - x_i and chords d_i,
//     h_(i-1) M_(i-1) + 2 (h_(i-1) + h_i) M_i + h_i M_(i+1) = 6 (d_i - d_(i-1))
// natural:     M_0 = M_(n-1) = 0
// not a knot:  the third derivative goes on at the second and the last but one node, M_0 = M_1 + (h_0/h_1) (M_1 - M_2); of three
//              nodes one parabola
// by elimination without pivoting, which is safe for a dominant diagonal. Until the end the arrays c[i + 1] keep
// M_i in [2] and the eliminated neighbour in [3].
static void second_derivatives(const hol_spline *s, bool natural)
{
    double(*at)[4] = s->c + 1;
    const int last = s->n - 1;
    for (int i = 1; i < last; i++) {
        const double before = s->x[i] - s->x[i - 1], after = s->x[i + 1] - s->x[i];
        double lower = before, upper = after, diagonal = 2 * (before + after);
        if (!natural && i == 1) {
            diagonal += before + (last > 2 ? before * before / after : 0);
            upper -= before * before / after;
            lower = 0;
        }
        if (!natural && i == last - 1) {
            diagonal += after + (last > 2 ? after * after / before : 0);
            lower -= last > 2 ? after * after / before : lower;
            upper = 0;
        }
        diagonal -= lower * at[i - 1][3];
        at[i][3] = upper / diagonal;
        at[i][2] = (6 * (slope(s, i) - slope(s, i - 1)) - lower * at[i - 1][2]) / diagonal;
    }
    for (int i = last - 1; i > 0; i--) at[i][2] -= at[i][3] * at[i + 1][2];
}

// M_0 and M_(n-1) of a spline without a knot beside its ends.
static void continue_to_ends(const hol_spline *s)
{
    double(*at)[4] = s->c + 1;
    const int last = s->n - 1;
    if (last < 2) return;
    const double first = (s->x[1] - s->x[0]) / (s->x[2] - s->x[1]),
                 end = (s->x[last] - s->x[last - 1]) / (s->x[last - 1] - s->x[last - 2]);
    at[0][2] = at[1][2] + (last > 2 ? first * (at[1][2] - at[2][2]) : 0);
    at[last][2] = at[last - 1][2] + (last > 2 ? end * (at[last - 1][2] - at[last - 2][2]) : 0);
}

// Natural: of least curvature, with second derivative 0 at both ends. Straight lines beyond.
static void cubic(const hol_spline *s, bool natural)
{
    second_derivatives(s, natural);
    if (!natural) continue_to_ends(s);
    const int last = s->n - 1;
    double(*at)[4] = s->c + 1;
    const double before_last = at[last - 1][2], ending = at[last][2];
    for (int i = 0; i < last; i++) {
        const double h = s->x[i + 1] - s->x[i], m = at[i][2], next = at[i + 1][2];
        at[i][0] = s->y[i];
        at[i][1] = slope(s, i) - h * (2 * m + next) / 6;
        at[i][2] = m / 2;
        at[i][3] = (next - m) / (6 * h);
    }
    const double h = s->x[last] - s->x[last - 1];
    line(s, 0, s->y[0], at[0][1]);
    line(s, s->n, s->y[last], slope(s, last - 1) + h * (before_last + 2 * ending) / 6);
    s->c[s->n][2] = s->c[s->n][3] = 0;
}

// ---- Akima ---------------------------------------------------------------------------------------------------

// The chord i, beyond the table continued by a parabola: m_(-1) = 2 m_0 - m_1, m_(-2) = 3 m_0 - 2 m_1
static double chord(const hol_spline *s, int i)
{
    const int last = s->n - 2;
    if (last == 0) return slope(s, 0);
    if (i < 0) return (1 - i) * slope(s, 0) + i * slope(s, 1);
    if (i > last) return (1 + i - last) * slope(s, last) - (i - last) * slope(s, last - 1);
    return slope(s, i);
}

// H. Akima: A new method of interpolation and smooth curve fitting based on local procedures. J. ACM 17 (1970) 589-602.
// Where both weights vanish but for rounding, the two chords count the same.
static double akima_slope(const hol_spline *s, int i)
{
    const double a = chord(s, i - 2), b = chord(s, i - 1), c = chord(s, i), d = chord(s, i + 1);
    const double left = fabs(d - c), right = fabs(b - a);
    if (left + right <= 1e-12 * (fabs(a) + fabs(b) + fabs(c) + fabs(d))) return (b + c) / 2;
    return (left * b + right * c) / (left + right);
}

// Piecewise cubics of Akima: slopes follow from five neighbours, straight lines beyond the ends.
static void akima(const hol_spline *s)
{
    const int last = s->n - 1;
    double before = akima_slope(s, 0);
    line(s, 0, s->y[0], before);
    for (int i = 0; i < last; i++) {
        const double h = s->x[i + 1] - s->x[i], m = slope(s, i), after = akima_slope(s, i + 1);
        double *c = s->c[i + 1];
        line(s, i + 1, s->y[i], before);
        c[2] = (3 * m - 2 * before - after) / h;
        c[3] = (before + after - 2 * m) / (h * h);
        before = after;
    }
    line(s, s->n, s->y[last], before);
}

// ---- all -----------------------------------------------------------------------------------------------------

static void linear(const hol_spline *s)
{
    const int last = s->n - 1;
    for (int i = 0; i < last; i++) line(s, i + 1, s->y[i], slope(s, i));
    line(s, 0, s->y[0], slope(s, 0));
    line(s, s->n, s->y[last], slope(s, last - 1));
}

static void level(const hol_spline *s)
{
    const double width = s->x[1] - s->x[0], rise = s->y[1] - s->y[0];
    line(s, 0, s->y[0], 0);
    line(s, 1, s->y[0], 0);
    line(s, 2, s->y[1], 0);
    s->c[1][2] = 3 * rise / (width * width);
    s->c[1][3] = -2 * rise / (width * width * width);
}

const hol_spline *hol_spline_create(hol_arena *arena, hol_spline_kind kind, int n, const double *x,
                                    const double *y)
{
    hol_spline *s = hol_arena_alloc(arena, 1, sizeof *s);
    double *nodes = hol_arena_alloc(arena, 2 * (size_t)n, sizeof *nodes);
    double(*c)[4] = hol_arena_alloc(arena, (size_t)n + 1, sizeof *c);
    if (!s || !nodes || !c) return NULL;
    memcpy(nodes, x, (size_t)n * sizeof *x);
    memcpy(nodes + n, y, (size_t)n * sizeof *y);
    *s = (hol_spline){.kind = kind, .n = n, .x = nodes, .y = nodes + n, .c = c};
    double least = y[0], most = y[0];
    for (int i = 1; i < n; i++) {
        least = fmin(least, y[i]);
        most = fmax(most, y[i]);
    }
    s->range = most - least;
    if (kind == HOL_SPLINE_LINEAR) linear(s);
    if (kind == HOL_SPLINE_CUBIC || kind == HOL_SPLINE_NOT_A_KNOT) cubic(s, kind == HOL_SPLINE_CUBIC);
    if (kind == HOL_SPLINE_AKIMA) akima(s);
    if (kind == HOL_SPLINE_STEP) level(s);
    s->end_slope[0] = c[0][1];
    s->end_slope[1] = c[n][1];
    return s;
}

const hol_spline *hol_spline_as(hol_arena *arena, hol_spline_kind kind, const hol_spline *s)
{
    const hol_spline *other = s->kind == kind ? s : hol_spline_create(arena, kind, s->n, s->x, s->y);
    return other && other != s ? hol_spline_named(arena, other, s->name, s->beyond) : other;
}

const hol_spline *hol_spline_named(hol_arena *arena, const hol_spline *s, const char *name,
                                   hol_spline_beyond beyond)
{
    hol_spline *out = hol_arena_alloc(arena, 1, sizeof *out);
    double(*c)[4] = hol_arena_alloc(arena, (size_t)s->n + 1, sizeof *c);
    if (!out || !c) return NULL;
    *out = *s;
    memcpy(c, s->c, ((size_t)s->n + 1) * sizeof *c);
    out->c = c;
    out->name = name;
    out->beyond = beyond;
    if (beyond == HOL_SPLINE_HOLD) c[0][1] = c[s->n][1] = 0;
    return out;
}

const char *hol_spline_name(const hol_spline *s) { return s->name; }
hol_spline_beyond hol_spline_goes_on(const hol_spline *s) { return s->beyond; }

int hol_spline_nodes(const hol_spline *s, const double **x, const double **y)
{
    *x = s->x;
    *y = s->y;
    return s->n;
}

// Of not-a-knot the second one is continuous between its ends only.
static int smooth_inside(const hol_spline *s)
{
    return s->kind == HOL_SPLINE_CUBIC ? 2 : s->kind == HOL_SPLINE_LINEAR ? 0 : 1;
}

int hol_spline_smooth(const hol_spline *s)
{
    const bool bends = s->beyond == HOL_SPLINE_HOLD && (s->end_slope[0] != 0 || s->end_slope[1] != 0);
    return bends ? 0 : smooth_inside(s);
}

bool hol_spline_kinks(const hol_spline *s) { return hol_spline_smooth(s) == 0; }

bool hol_spline_breaks_off(const hol_spline *s, double x)
{
    const double near = 1e-9 * (s->x[s->n - 1] - s->x[0]);
    bool off = false;
    for (int end = 0; end < 2 && s->beyond == HOL_SPLINE_HOLD; end++)
        off = off || (s->end_slope[end] != 0 && !(fabs(x - s->x[end ? s->n - 1 : 0]) > near));
    return off;
}

// How many nodes are at or before x, which is the number of its polynomial.
static int piece_of(const hol_spline *s, double x)
{
    int low = 0, high = s->n;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (s->x[middle] <= x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// ---- integrals -------------------------------------------------------------------------------------------------

// Of a piece, h behind its beginning, with the sums S1, S2 there, (8.23c) of docs/theory.md:
//     S1 + h (c0 + h (c1/2 + h (c2/3 + h c3/4))),    S2 + h (S1 + h (c0/2 + h (c1/6 + h (c2/12 + h c3/20))))
static void integrate(const double c[4], const double sum[2], hol_real h, hol_real out[2])
{
    out[0] = sum[0] + h * (c[0] + h * (c[1] / 2 + h * (c[2] / 3 + h * c[3] / 4)));
    out[1] = sum[1] + h * (sum[0] + h * (c[0] / 2 + h * (c[1] / 6 + h * (c[2] / 12 + h * c[3] / 20))));
}

const hol_spline *hol_spline_integrable(hol_arena *arena, const hol_spline *s)
{
    if (s->sum) return s;
    hol_spline *out = hol_arena_alloc(arena, 1, sizeof *out);
    double(*sum)[2] = hol_arena_alloc(arena, (size_t)s->n + 1, sizeof *sum);
    if (!out || !sum) return NULL;
    for (int i = 1; i < s->n; i++) {
        hol_real end[2];
        integrate(s->c[i], sum[i], s->x[i] - s->x[i - 1], end);
        for (int k = 0; k < 2; k++) sum[i + 1][k] = hol_re(end[k]);
    }
    *out = *s;
    out->sum = (const double(*)[2])sum;
    return out;
}

void hol_spline_eval(const hol_spline *s, int derivative, hol_real x, hol_real f[4])
{
    const bool at_end = s->kind == HOL_SPLINE_NOT_A_KNOT &&
                        hol_re(x) == s->x[s->n - 1]; // its curvature, not that of the line beyond
    const int piece = at_end ? s->n - 1 : piece_of(s, hol_re(x));
    const double *c = s->c[piece];
    const hol_real h = x - s->x[piece > 0 ? piece - 1 : 0];
    f[0] = c[0] + h * (c[1] + h * (c[2] + h * c[3]));
    f[1] = c[1] + h * (2 * c[2] + 3 * h * c[3]);
    f[2] = c[2] + 3 * h * c[3];
    f[3] = c[3];
    for (int d = 0; d < derivative; d++) { // f' has the coefficients f1, 2 f2, 3 f3
        for (int k = 0; k < 3; k++) f[k] = (k + 1) * f[k + 1];
        f[3] = 0;
    }
    if (derivative >= 0) return;
    hol_real sum[2];
    integrate(c, s->sum[piece], h, sum);
    for (int d = 0; d < -derivative; d++) {
        for (int k = 3; k > 0; k--) f[k] = f[k - 1] / k;
        f[0] = sum[d];
    }
}

// ---- enclosures ------------------------------------------------------------------------------------------------

// What c0 + c1 h + c2 h^2 + c3 h^3 takes for h in [h]: at the ends and where its derivative is 0. The sum is wrong by a few
// roundings of its largest term.
static hol_interval cubic_over(const double c[4], hol_interval h)
{
    const double disc = c[2] * c[2] - 3 * c[1] * c[3], root = disc > 0 ? sqrt(disc) : 0;
    const double at[4] = {h.lo, h.hi, c[3] != 0 ? (-c[2] - root) / (3 * c[3]) : -c[1] / (2 * c[2]),
                          c[3] != 0 ? (-c[2] + root) / (3 * c[3]) : h.lo};
    const double m = hol_most(h), loose = HOL_INTERVAL_LAST * 2 *
                                          (fabs(c[0]) + m * (fabs(c[1]) + m * (fabs(c[2]) + m * fabs(c[3]))));
    hol_interval out = {DBL_MAX, -DBL_MAX};
    for (int i = 0; i < 4; i++) {
        if (!hol_holds(h, at[i])) continue;
        const double y = c[0] + at[i] * (c[1] + at[i] * (c[2] + at[i] * c[3]));
        out = hol_hull(out, (hol_interval){y, y});
    }
    return (hol_interval){out.lo - loose, out.hi + loose};
}

// c becomes its derivative.
static void derive(double c[4])
{
    for (int k = 0; k < 3; k++) c[k] = (k + 1) * c[k + 1];
    c[3] = 0;
}

// Does the line change at node i by what can be seen? Data of a smooth function in fine steps have no kinks.
static bool bends(const hol_spline *s, int i)
{
    const double before = i > 0 ? s->x[i] - s->x[i - 1] : s->x[1] - s->x[0],
                 after = i < s->n - 1 ? s->x[i + 1] - s->x[i] : before;
    return fabs(s->c[i + 1][1] - s->c[i][1]) * fmin(before, after) > 1e-6 * s->range;
}

// Does the `derivative`-th derivative, or its slope, jump at node i?
static bool jumps_at(const hol_spline *s, int derivative, int i)
{
    if (smooth_inside(s) <= derivative) return derivative || bends(s, i);
    const bool ends = s->beyond == HOL_SPLINE_HOLD && (i == 0 || i == s->n - 1);
    const double step = i == 0 ? s->x[1] - s->x[0] : s->x[s->n - 1] - s->x[s->n - 2];
    return ends && fabs(s->end_slope[i > 0]) * step > 1e-6 * s->range;
}

// An integral is smooth, and where the interval ends it is what it was at its beginning and what the slope adds.
static bool enclose_integral(const hol_spline *s, int derivative, hol_interval x, hol_interval *f,
                             hol_interval *slope)
{
    hol_interval unused;
    hol_real at[4];
    hol_spline_enclose(s, derivative + 1, x, slope, &unused);
    *f = hol_whole;
    if (!isfinite(x.lo) || !isfinite(x.hi)) return false;
    hol_spline_eval(s, derivative, x.lo, at);
    const double begin = hol_re(at[0]);
    *f = hol_plus(hol_outward(begin, begin), hol_times(*slope, hol_outward(0, x.hi - x.lo)));
    return false;
}

bool hol_spline_enclose(const hol_spline *s, int derivative, hol_interval x, hol_interval *f,
                        hol_interval *slope)
{
    if (derivative < 0) return enclose_integral(s, derivative, x, f, slope);
    const int first = isfinite(x.lo) ? piece_of(s, x.lo) : 0,
              last = isfinite(x.hi) ? piece_of(s, x.hi) : s->n;
    bool found = first > 0 && s->x[first - 1] == x.lo && jumps_at(s, derivative, first - 1);
    *f = *slope = (hol_interval){DBL_MAX, -DBL_MAX};
    for (int i = first; i <= last; i++) {
        const double from = s->x[i > 0 ? i - 1 : 0];
        const double lo = i > first ? from : x.lo, hi = i < last ? s->x[i] : x.hi;
        double c[4];
        memcpy(c, s->c[i], sizeof c);
        for (int d = 0; d < derivative; d++) derive(c);
        const hol_interval h = hol_outward(lo - from, hi - from);
        *f = hol_hull(*f, cubic_over(c, h));
        derive(c);
        *slope = hol_hull(*slope, cubic_over(c, h));
        found = found || (i > first && jumps_at(s, derivative, i - 1));
    }
    return found;
}
