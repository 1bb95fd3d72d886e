// KKT matrices on KLU (left-looking LU) with an order of our own (order.c) and a symmetric scaling.
//
// Scaling:   S' = D S D,   d_q = 1/sqrt(max_i |A_iq|),   d_r = 1/max_q |B_rq d_q|,   rounded to powers of two
// puts 1 on the diagonal of A and order 1 into B A^-1 B^T, whatever the units. Without it light or heavy bodies
// make threshold pivoting leave the diagonal, and the fill of order.c is lost: with masses of 0.001 and no scaling a planar net
// takes 1.5 to 18 times the operations, a spatial one 80 times. With it counts are the same from masses of 1e-3 to 1e5.
// A threshold of 0.1 instead of 0.001 costs 1.6 to 15 times the operations in nets. Block triangular form is off: the matrix is
// irreducible. Supernodes were tried in place of klu_refactor and klu_solve and did not pay: 1.2 to 2.4 columns are alike.
// Microseconds per body at sizes of 100 to 100 000: planar chains 0.2 and ladders 0.3 to factor again and 0.1 to solve, spatial ones 1 to 2.4
// and 0.2 to 0.6; nets cannot be linear, their factors grow like n log n.
#include "linalg/kkt.h"
#include "linalg/order.h"
#include <float.h>
#include <klu.h>
#include <limits.h>
#include <string.h>

// Smaller: growth; larger: row exchanges that cost fill. The next one is tried when the factors are useless, which a
// regular matrix may make them by growth.
static const double pivot_thresholds[] = {1e-3, 0.1, 1};
static const double regular = 1e-10; // rcond from which on growth was to blame and not the matrix
#define HIDES 1048576 // entry beside A from which on an unknown with its own equation is scaled apart
static const double pivot_decay = 1e-3; // a pivot below this part of its first value asks for a new sequence
static const double vanished =
    1e-10; // a diagonal entry below this part of its neighbours' does not scale its column
static const double fill_excess = 1.5; // flops over the symbolic count that make the other order worth trying

struct hol_kkt {
    hol_context *ctx;
    hol_pattern pattern;   // its arrays are the caller's
    int n, n_first, apart; // apart: first of the unknowns with equations of their own
    bool even;             // another scale is tried
    klu_symbolic *symbolic;
    klu_numeric *numeric;
    klu_common common;
    hol_order_cost expected; // of the order in use, all pivots on the diagonal
    bool order_settled;      // the other order was tried or is not needed
    bool usable;             // the numeric object holds a factorisation

    double *values;              // S, the caller's to fill                              (start[n])
    double *scaled;              // D S D - delta                                        (start[n])
    double *scale, *row;         // D; of rows, D too but for the last resort            (n)
    double *pivot;               // |pivots| of the last full factorisation              (n)
    double *pivoted;             // values of that factorisation                         (start[n])
    double pivoted_delta, delta; // regularisation then, and of the last factorisation
    double *rhs;                 // right-hand side kept during refinement               (n)
    double *residual;            //                                                      (n)
    double *terms;               // |S| |x| + |b|                                        (n)
    double *best;                // last x that lowered the residual                     (n)
    int *leader;                 // coordinate -> first of those with an equal column    (n_first)
    int *order;                  // elimination order                                    (n)
    double unit;                 // geometric mean of the diagonal of B A^-1 B^T
    double rcond;
    hol_kkt_stats stats;
};

// Refuses a pattern whose rows are not increasing and in range, or that lacks an entry of the diagonal.
static hol_status check_pattern(hol_context *ctx, const hol_pattern *p, int n_first)
{
    if (p->n < 1 || n_first < 0 || n_first > p->n)
        return hol_fail(ctx, HOL_ERR_USAGE, "sparse pattern: %d unknowns, %d before the multipliers", p->n,
                        n_first);
    for (int j = 0; j < p->n; j++) {
        bool diagonal = false;
        for (int k = p->start[j]; k < p->start[j + 1]; k++) {
            int i = p->index[k];
            if (i < 0 || i >= p->n || (k > p->start[j] && i <= p->index[k - 1]))
                return hol_fail(ctx, HOL_ERR_USAGE,
                                "sparse pattern: rows of column %d are not increasing in 0..%d", j, p->n - 1);
            diagonal |= i == j;
        }
        if (!diagonal)
            return hol_fail(ctx, HOL_ERR_USAGE, "sparse pattern: column %d has no diagonal entry", j);
    }
    return HOL_OK;
}

// ---- analysis ----------------------------------------------------------------------------------------------

// Coordinates with equal columns (the Euler parameters of a body) share one scale: alone, one of them may vanish.
static void find_leaders(hol_kkt *s)
{
    const hol_pattern *p = &s->pattern;
    for (int j = 0; j < s->n_first; j++) {
        s->leader[j] = j;
        for (int k = p->start[j]; k < p->start[j + 1] && p->index[k] < j; k++)
            if (hol_order_same_column(p, j, p->index[k])) {
                s->leader[j] = s->leader[p->index[k]];
                break;
            }
    }
}

// KLU's symbolic analysis of an order of elimination.
static hol_status analyze_given(hol_kkt *s, int *order, const hol_order_cost *cost, klu_symbolic **symbolic)
{
    const hol_pattern *p = &s->pattern;
    *symbolic = klu_analyze_given(p->n, p->start, p->index, order, order, &s->common);
    if (!*symbolic)
        return hol_fail(s->ctx, HOL_ERR_MEMORY, "sparse analysis of %d unknowns: out of memory", p->n);
    // sizes the first allocation of the factors: without, ten times the nonzeros of the matrix
    (*symbolic)->lnz = (*symbolic)->unz = (*symbolic)->Lnz[0] = (cost->nonzeros + p->n) / 2;
    return HOL_OK;
}

// An order of this kind, and its analysis.
static hol_status analyze(hol_kkt *s, hol_order_kind kind, int *order, klu_symbolic **symbolic,
                          hol_order_cost *cost)
{
    const hol_status st = hol_order_find(s->ctx, &s->pattern, s->n_first, kind, order, cost);
    return st ? st : analyze_given(s, order, cost, symbolic);
}

// Arrays of the numbers, what is found of the pattern or known of it by `like`, and the first analysis.
static hol_status setup(hol_kkt *s, const hol_kkt *like)
{
    size_t n = (size_t)s->n, nonzeros = (size_t)s->pattern.start[s->n];
    s->values = hol_calloc(s->ctx, nonzeros, sizeof(double));
    s->scaled = hol_calloc(s->ctx, nonzeros, sizeof(double));
    s->pivoted = hol_calloc(s->ctx, nonzeros, sizeof(double));
    s->scale = hol_calloc(s->ctx, 7 * n, sizeof(double)); // this and the next six arrays in one piece
    s->leader = hol_calloc(s->ctx, 2 * n, sizeof(int));
    if (!s->values || !s->scaled || !s->pivoted || !s->scale || !s->leader) return HOL_ERR_MEMORY;
    s->pivot = s->scale + n;
    s->rhs = s->scale + 2 * n;
    s->residual = s->scale + 3 * n;
    s->terms = s->scale + 4 * n;
    s->best = s->scale + 5 * n;
    s->row = s->scale + 6 * n;
    s->order = s->leader + n;

    klu_defaults(&s->common);
    s->common.btf = 0;
    s->common.scale = -1; // done here, symmetrically
    s->common.tol = pivot_thresholds[0];
    if (!like) {
        find_leaders(s);
        return analyze(s, HOL_ORDER_BEST, s->order, &s->symbolic, &s->expected);
    }
    memcpy(s->leader, like->leader, 2 * n * sizeof(int));
    s->expected = like->expected;
    s->order_settled = like->order_settled;
    return analyze_given(s, s->order, &s->expected, &s->symbolic);
}

// like: another one of the same pattern, or NULL.
static hol_kkt *create(hol_context *ctx, const hol_pattern *pattern, int n_first, const hol_kkt *like)
{
    hol_kkt *s = hol_calloc(ctx, 1, sizeof *s);
    if (!s) return NULL;
    s->ctx = ctx;
    s->pattern = *pattern;
    s->n = pattern->n;
    s->n_first = n_first;
    s->apart = like ? like->apart : n_first;
    if (!setup(s, like)) return s;
    hol_kkt_destroy(s);
    return NULL;
}

hol_kkt *hol_kkt_create(hol_context *ctx, const hol_pattern *pattern, int n_first)
{
    return check_pattern(ctx, pattern, n_first) ? NULL : create(ctx, pattern, n_first, NULL);
}

hol_kkt *hol_kkt_create_like(const hol_kkt *like)
{
    return create(like->ctx, &like->pattern, like->n_first, like);
}

void hol_kkt_destroy(hol_kkt *s)
{
    if (!s) return;
    klu_free_numeric(&s->numeric, &s->common);
    klu_free_symbolic(&s->symbolic, &s->common);
    hol_free(s->values);
    hol_free(s->scaled);
    hol_free(s->pivoted);
    hol_free(s->scale);
    hol_free(s->leader);
    hol_free(s);
}

// ---- scaling -----------------------------------------------------------------------------------------------

static double power_of_two(double x)
{
    int exponent;
    if (!(x > 0) || isinf(x)) return 1;
    (void)frexp(x, &exponent);
    return ldexp(1, exponent - 1);
}

// D from the values; also the unit of delta.
static void choose_scale(hol_kkt *s, const double *values)
{
    const hol_pattern *p = &s->pattern;
    double *d = s->scale, logarithms = 0;
    memset(d, 0, (size_t)s->n * sizeof(double));
    for (int j = 0; j < s->n_first; j++) { // largest entry of A in the column, of all columns alike
        double *largest = &d[s->leader[j]];
        for (int k = p->start[j]; k < p->start[j + 1] && p->index[k] < s->n_first; k++)
            *largest = fmax(*largest, fabs(values[k]));
    }
    // Euler parameters whose columns are not equal (a joint's entries between two bodies have zeros) have no leader
    double *floor = s->terms;
    for (int j = 0; j < s->n_first; j++) {
        floor[j] = 0;
        for (int k = p->start[j]; k < p->start[j + 1] && p->index[k] < (j < s->apart ? s->apart : s->n_first);
             k++)
            floor[j] = fmax(floor[j], vanished * d[s->leader[p->index[k]]]);
    }
    for (int j = 0; j < s->n_first; j++)
        if (d[s->leader[j]] > 0) d[s->leader[j]] = fmax(d[s->leader[j]], floor[j]); // 0 is scaled by 1
    for (int j = s->n_first - 1; j >= 0; j--) d[j] = power_of_two(1 / sqrt(d[s->leader[j]]));
    for (int r = s->n_first; r < s->n; r++) {
        double largest = 0;
        for (int k = p->start[r]; k < p->start[r + 1] && p->index[k] < s->n_first; k++)
            largest = fmax(largest, fabs(values[k]) * d[p->index[k]]);
        d[r] = power_of_two(1 / largest);
        logarithms -= 2 * log(d[r]);
    }
    s->unit = s->n > s->n_first ? exp(logarithms / (s->n - s->n_first)) : 0;
}

// Columns of unknowns with equations of their own, where entries are so large beside A that its pivots would look like rounding, as a torque
// of 1 N m beside an inertia of 1e-18 kg m^2: by their largest entry, and their rows by the inverse, so that the diagonal stays 1. One that stands
// in the equation of another asks for its scale first.
static void scale_apart(hol_kkt *s)
{
    enum { PASSES = 8 };
    const hol_pattern *p = &s->pattern;
    bool changed = true;
    for (int pass = 0; pass < PASSES && changed; pass++) {
        changed = false;
        for (int j = s->apart; j < s->n_first; j++) {
            double most = 0;
            for (int k = p->start[j]; k < p->start[j + 1]; k++)
                if (p->index[k] != j)
                    most = fmax(most, fabs(s->pivoted[k]) * s->row[p->index[k]] * s->scale[j]);
            if (!(most > HIDES) || isinf(most)) continue;
            const double factor = power_of_two(1 / most);
            s->scale[j] *= factor;
            s->row[j] /= factor;
            changed = true;
        }
    }
}

static int leader_of(const hol_kkt *s, int j) { return j < s->n_first ? s->leader[j] : j; }

// The other D, by which no row has a larger entry than about 1: for a matrix that is regular by its border alone in columns
// where A has but rounding, which the largest entry of A would blow up (a turned body without inertia).
static void choose_even_scale(hol_kkt *s, const double *values)
{
    enum { PASSES = 6 };
    const hol_pattern *p = &s->pattern;
    double *d = s->scale, *most = s->terms, logarithms = 0;
    for (int j = 0; j < s->n; j++) d[j] = 1;
    for (int pass = 0; pass < PASSES; pass++) {
        memset(most, 0, (size_t)s->n * sizeof(double));
        for (int j = 0; j < s->n; j++)
            for (int k = p->start[j]; k < p->start[j + 1]; k++) {
                const int row = leader_of(s, p->index[k]), column = leader_of(s, j);
                const double size = fabs(values[k]) * d[p->index[k]] * d[j];
                most[row] = fmax(most[row], size);
                most[column] = fmax(most[column], size);
            }
        for (int j = 0; j < s->n; j++) d[j] *= power_of_two(1 / sqrt(most[leader_of(s, j)]));
    }
    for (int r = s->n_first; r < s->n; r++) logarithms -= 2 * log(d[r]);
    s->unit = s->n > s->n_first ? exp(logarithms / (s->n - s->n_first)) : 0;
}

// Rows and columns each by their own, so that both have a largest entry of about 1: for users' equations, whose entries are on one
// side of the diagonal and of any size. For D too, multipliers and coordinates are balanced before.
static void choose_two_scales(hol_kkt *s, const double *values)
{
    enum { PASSES = 4 };
    const hol_pattern *p = &s->pattern;
    double *most = s->terms;
    choose_even_scale(s, values);
    memcpy(s->row, s->scale, (size_t)s->n * sizeof *s->row);
    for (int pass = 0; pass < 2 * PASSES; pass++) {
        const bool rows = pass % 2 == 0;
        memset(most, 0, (size_t)s->n * sizeof *most);
        for (int j = 0; j < s->n; j++)
            for (int k = p->start[j]; k < p->start[j + 1]; k++) {
                double *at = &most[rows ? p->index[k] : j];
                *at = fmax(*at, fabs(values[k]) * s->row[p->index[k]] * s->scale[j]);
            }
        for (int j = 0; j < s->n; j++) (rows ? s->row : s->scale)[j] *= power_of_two(1 / most[j]);
    }
}

// D S D - delta; false: NaN or infinity among the values.
static bool apply_scale(hol_kkt *s, const double *values, double delta)
{
    const hol_pattern *p = &s->pattern;
    double check = 0;
    for (int j = 0; j < s->n; j++)
        for (int k = p->start[j]; k < p->start[j + 1]; k++) {
            double v = values[k] * s->row[p->index[k]] * s->scale[j];
            check += v * 0;
            if (p->index[k] == j && j >= s->n_first) v -= delta * s->unit * s->row[j] * s->scale[j];
            s->scaled[k] = v;
        }
    return check == 0;
}

// ---- factorisation -----------------------------------------------------------------------------------------

// Looks at the pivots. With `fresh` they become the reference, else false means one of them has decayed.
static bool inspect_pivots(hol_kkt *s, bool fresh)
{
    const double *u = s->numeric->Udiag;
    double least = HUGE_VAL, most = 0;
    bool good = true;
    for (int k = 0; k < s->n; k++) {
        double size = fabs(u[k]);
        least = fmin(least, size);
        most = fmax(most, size);
        if (fresh) s->pivot[k] = size;
        if (!(size >= pivot_decay * s->pivot[k])) good = false; // also when NaN
    }
    s->rcond = good && most > 0 && most <= DBL_MAX ? least / most : 0;
    return good && s->rcond > DBL_EPSILON;
}

// First factorisation only: when row exchanges made the fill exceed the symbolic count, try the paired order.
static hol_status settle_order(hol_kkt *s)
{
    const hol_pattern *p = &s->pattern;
    s->order_settled = true;
    klu_flops(s->symbolic, s->numeric, &s->common);
    double flops = s->common.flops;
    if (flops <= fill_excess * s->expected.flops) return HOL_OK;

    int *order = hol_calloc(s->ctx, (size_t)s->n, sizeof(int));
    hol_order_cost cost;
    klu_symbolic *symbolic = NULL;
    klu_numeric *numeric = NULL;
    hol_status st = order ? analyze(s, HOL_ORDER_PAIRED, order, &symbolic, &cost) : HOL_ERR_MEMORY;
    if (!st) numeric = klu_factor(p->start, p->index, s->scaled, symbolic, &s->common);
    if (numeric) klu_flops(symbolic, numeric, &s->common);
    if (numeric && s->common.flops < flops) {
        klu_free_numeric(&s->numeric, &s->common);
        klu_free_symbolic(&s->symbolic, &s->common);
        s->numeric = numeric;
        s->symbolic = symbolic;
        s->expected = cost;
        memcpy(s->order, order, (size_t)s->n * sizeof(int));
    } else {
        klu_free_numeric(&numeric, &s->common);
        klu_free_symbolic(&symbolic, &s->common);
    }
    hol_free(order);
    return st;
}

// The same in the counters of the context.
static void tell(const hol_kkt *s, long factorizations, long pivotings, long solves)
{
    hol_solver_work *w = hol_context_work(s->ctx);
    if (!w) return;
    w->factorizations += factorizations;
    w->pivotings += pivotings;
    w->solves += solves;
    w->nonzeros = s->pattern.start[s->n] > w->nonzeros ? s->pattern.start[s->n] : w->nonzeros;
    w->factor_nonzeros = s->stats.factor_nonzeros > (double)w->factor_nonzeros
                             ? (long)s->stats.factor_nonzeros
                             : w->factor_nonzeros;
}

// A full factorisation of the scaled matrix with the given threshold.
static hol_status pivot_with(hol_kkt *s, double threshold)
{
    const hol_pattern *p = &s->pattern;
    klu_free_numeric(&s->numeric, &s->common);
    s->common.tol = threshold;
    s->stats.pivotings++;
    s->numeric = klu_factor(p->start, p->index, s->scaled, s->symbolic, &s->common);
    if (!s->numeric)
        return s->common.status == KLU_SINGULAR
                   ? HOL_RECOVERABLE
                   : hol_fail(s->ctx, HOL_ERR_MEMORY, "sparse factorisation of %d unknowns: %s", s->n,
                              s->common.status == KLU_TOO_LARGE ? "too large" : "out of memory");
    const hol_status st = s->order_settled ? HOL_OK : settle_order(s);
    if (st) return st;
    klu_flops(s->symbolic, s->numeric, &s->common);
    s->stats.factor_flops = s->common.flops;
    s->stats.factor_nonzeros = (double)s->numeric->lnz + s->numeric->unz;
    tell(s, 0, 1, 0);
    return inspect_pivots(s, true) ? HOL_OK : HOL_RECOVERABLE;
}

// Factors with a new choice of pivots, at rising thresholds and with another scaling, until the factors are
// of use.
static hol_status pivot_anew(hol_kkt *s, const double *values, double delta)
{
    static void (*const scale[])(hol_kkt *, const double *) = {choose_scale, choose_even_scale,
                                                               choose_two_scales};
    hol_status st = HOL_RECOVERABLE;
    s->rcond = 0;
    if (values != s->pivoted) memcpy(s->pivoted, values, (size_t)s->pattern.start[s->n] * sizeof *values);
    s->pivoted_delta = delta;
    for (int k = 0; k < (s->even ? HOL_COUNT(scale) : 1) && st > 0; k++) {
        scale[k](s, values);
        if (scale[k] != choose_two_scales) memcpy(s->row, s->scale, (size_t)s->n * sizeof *s->row);
        if (scale[k] == choose_scale) scale_apart(s);
        if (!apply_scale(s, values, delta)) return HOL_RECOVERABLE;
        for (int i = 0; i < HOL_COUNT(pivot_thresholds) && st > 0; i++) {
            st = pivot_with(s, pivot_thresholds[i]);
            if (i + k > 0 && !st && s->rcond < regular) st = HOL_RECOVERABLE;
        }
    }
    return st;
}

void hol_kkt_scale_apart(hol_kkt *s, int first) { s->apart = first; }

double *hol_kkt_values(hol_kkt *s) { return s->values; }

hol_status hol_kkt_factor(hol_kkt *s, double delta)
{
    const hol_pattern *p = &s->pattern;
    s->stats.factorizations++;
    tell(s, 1, 0, 0);
    s->delta = delta;
    if (s->usable) {
        s->usable = false;
        if (!apply_scale(s, s->values, delta)) {
            s->rcond = 0;
            return HOL_RECOVERABLE;
        }
        if (klu_refactor(p->start, p->index, s->scaled, s->symbolic, s->numeric, &s->common) &&
            s->common.status == KLU_OK && inspect_pivots(s, false)) {
            s->usable = true;
            return HOL_OK;
        }
    }
    hol_status status = pivot_anew(s, s->values, delta);
    s->usable = status == HOL_OK;
    return status;
}

void hol_kkt_archive(hol_kkt *s, hol_archive *a)
{
    hol_archive_numbers(a, s->values, (size_t)s->pattern.start[s->n]);
    const double delta = s->pivoted_delta;
    const bool same = hol_archive_numbers_same(a, s->pivoted, (size_t)s->pattern.start[s->n]);
    hol_archive_number(a, &s->pivoted_delta, 0, 1);
    hol_archive_number(a, &s->delta, 0, 1);
    hol_kkt_stats stats = s->stats;
    hol_archive_counts(a, &stats.factorizations, 1);
    hol_archive_counts(a, &stats.pivotings, 1);
    hol_archive_counts(a, &stats.solves, 1);
    hol_archive_number(a, &stats.factor_flops, -1, DBL_MAX);         // -1: not known
    hol_archive_number(a, &stats.factor_nonzeros, 0, 2.0 * INT_MAX); // two counters of KLU
    if (!a->reading || a->failed) return;
    if (!(same && s->usable && s->numeric && delta == s->pivoted_delta)) // else they are the pivots at hand
        s->usable = pivot_anew(s, s->pivoted, s->pivoted_delta) == HOL_OK;
    hol_kkt_factor(s, s->delta); // a singular matrix was singular then too, and is not used
    s->stats = stats;
}

// ---- solution ----------------------------------------------------------------------------------------------

static void scale_columns(const hol_kkt *s, const double *scale, int cols, double *x)
{
    for (int c = 0; c < cols; c++, x += s->n)
        for (int i = 0; i < s->n; i++) x[i] *= scale[i];
}

static void solve_scaled(hol_kkt *s, int cols, double *x)
{
    scale_columns(s, s->row, cols, x);
    klu_solve(s->symbolic, s->numeric, s->n, cols, x, &s->common);
    scale_columns(s, s->scale, cols, x);
}

// residual = rhs - S x; returns its largest scaled entry over the largest scaled term.
static double find_residual(hol_kkt *s, const double *x)
{
    const hol_pattern *p = &s->pattern;
    double *r = s->residual, *terms = s->terms, largest = 0, reference = 0;
    for (int i = 0; i < s->n; i++) {
        r[i] = s->rhs[i];
        terms[i] = fabs(s->rhs[i]);
    }
    for (int j = 0; j < s->n; j++)
        for (int k = p->start[j]; k < p->start[j + 1]; k++) {
            double product = s->values[k] * x[j];
            r[p->index[k]] -= product;
            terms[p->index[k]] += fabs(product);
        }
    for (int i = 0; i < s->n; i++) {
        largest = hol_larger(fabs(r[i]) * s->row[i], largest);
        reference = fmax(reference, terms[i] * s->row[i]);
    }
    return reference > 0 ? largest / reference : 0;
}

// Solves for one right-hand side and corrects the solution.
static void solve_refined(hol_kkt *s, double *x, int most)
{
    const double rounding = 2 * DBL_EPSILON;
    size_t size = (size_t)s->n * sizeof(double);
    memcpy(s->rhs, x, size);
    solve_scaled(s, 1, x);
    double error = find_residual(s, x);
    int count = 0;
    while (count < most && error > rounding) {
        memcpy(s->best, x, size);
        solve_scaled(s, 1, s->residual); // dx = (S - delta)^-1 (b - S x)
        for (int i = 0; i < s->n; i++) x[i] += s->residual[i];
        double next = find_residual(s, x);
        count++;
        if (!(next < error)) {
            memcpy(x, s->best, size);
            break;
        }
        bool stagnant = next > error / 2;
        error = next;
        if (stagnant) break;
    }
    s->stats.refinements = count;
    s->stats.residual = error;
}

void hol_kkt_try_even_scale(hol_kkt *s) { s->even = true; }

hol_status hol_kkt_solve(hol_kkt *s, int cols, double *x, int refinements)
{
    const size_t n = (size_t)s->n, all = n * (size_t)cols;
    const int most = refinements >= 0 ? refinements : s->delta > 0 ? HOL_KKT_REFINEMENTS : 0;
    s->stats.solves += cols;
    tell(s, 0, 0, cols);
    if (most > 0)
        for (size_t at = 0; at < all; at += n) solve_refined(s, x + at, most);
    else
        solve_scaled(s, cols, x);
    return hol_all_finite(x, all) ? HOL_OK : HOL_RECOVERABLE;
}

void hol_kkt_forget_pivots(hol_kkt *s) { s->usable = false; }

double hol_kkt_rcond(const hol_kkt *s) { return s->rcond; }

void hol_kkt_get_stats(const hol_kkt *s, hol_kkt_stats *out)
{
    static const hol_kkt_stats none = {0};
    *out = s ? s->stats : none;
}

void hol_kkt_take_stats(hol_kkt *s, const hol_kkt *from)
{
    const double flops = s->stats.factor_flops, nonzeros = s->stats.factor_nonzeros;
    s->stats = from->stats;
    s->stats.factor_flops = flops;
    s->stats.factor_nonzeros = nonzeros;
}
