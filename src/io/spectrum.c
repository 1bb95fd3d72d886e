// Amplitudes of a result's signals over the frequency.
//
// N samples x_j, dt apart, times Hann's window w_j = 1/2 - cos(2 pi j/N)/2, less their mean, filled up with zeros to M >= 16 N:
//     A_k = 2 / sum w |sum_j w_j (x_j - m) exp(-2 pi i j k/M)|,   f_k = k/(M dt),   m = sum w x / sum w
// A sine that lasts some ten periods has its amplitude at its frequency to 7e-4: between two f_k Hann's window falls by no more.
#include "base/base.h"
#include "io/compare.h"
#include "io/result.h"
#include "linalg/dft.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FEWEST = 8, MOST = 1 << 20, FINER = 16, MOST_RESAMPLED = 4 }; // samples; samples for each row
static const double EVEN = 1e-6;                                     // of the time between rows

typedef struct {
    hol_context *ctx;
    const hol_result *r;
    size_t n, m; // samples; with the zeros behind them
    double dt;
    bool even;         // the rows are the samples
    double *x;         // (m)
    double complex *X; // (m/2 + 1)
} spectrum;

static double time_of(const hol_result *r, size_t k) { return r->value[k * (size_t)r->n_columns]; }

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Half of the steps between rows are longer.
static hol_status usual_step(const spectrum *s, double *out)
{
    const size_t n = s->r->n_rows - 1;
    double *step = hol_calloc(s->ctx, n, sizeof *step);
    if (!step) return HOL_ERR_MEMORY;
    for (size_t k = 0; k < n; k++) step[k] = time_of(s->r, k + 1) - time_of(s->r, k);
    qsort(step, n, sizeof *step, by_size);
    *out = step[n / 2];
    hol_free(step);
    return HOL_OK;
}

// The rows, if they are even; else as many times as fit by their usual step, up to a few for each row.
static hol_status choose_times(spectrum *s)
{
    const hol_result *r = s->r;
    const size_t rows = r->n_rows;
    if (rows < FEWEST || rows > MOST)
        return hol_fail(s->ctx, HOL_ERR_USAGE, "%s: %zu rows: a spectrum takes %d to %d", r->file, rows,
                        FEWEST, MOST);
    const double whole = time_of(r, rows - 1) - time_of(r, 0);
    if (!(whole > 0))
        return hol_fail(s->ctx, HOL_ERR_USAGE, "%s: all rows have one time: no spectrum", r->file);
    s->n = rows;
    s->dt = whole / (double)(rows - 1);
    s->even = true;
    for (size_t k = 0; k < rows; k++)
        s->even = s->even && fabs(time_of(r, k) - time_of(r, 0) - (double)k * s->dt) <= EVEN * s->dt;
    double usual = 0;
    hol_status st = s->even ? HOL_OK : usual_step(s, &usual);
    if (!s->even) s->n = 1 + (size_t)fmin(round(whole / usual), (double)(MOST_RESAMPLED * (rows - 1)));
    s->n = s->n < FEWEST ? FEWEST : s->n;
    s->dt = whole / (double)(s->n - 1);
    for (s->m = 1; s->m < FINER * s->n;) s->m *= 2;
    return st;
}

// The samples of a signal, in s->x.
static hol_status sample(const spectrum *s, int column)
{
    const hol_result *r = s->r;
    const size_t width = (size_t)r->n_columns;
    for (size_t k = 0; k < r->n_rows; k++)
        if (!isfinite(r->value[k * width + (size_t)column]))
            return hol_fail(s->ctx, HOL_ERR_USAGE, "%s: \"%s\" is not finite at t = %.9g s: no spectrum",
                            r->file, r->name[column], time_of(r, k));
    size_t before = 0;
    for (size_t j = 0; j < s->n; j++) {
        const double t = fmin(time_of(r, 0) + (double)j * s->dt, time_of(r, r->n_rows - 1));
        while (before + 1 < r->n_rows && time_of(r, before + 1) <= t) before++;
        const hol_stencil between = hol_result_stencil(r, before, t, true);
        s->x[j] = s->even ? r->value[j * width + (size_t)column] : hol_result_between(r, &between, column);
    }
    return HOL_OK;
}

static double hann(const spectrum *s, size_t j)
{
    return j < s->n ? 0.5 - 0.5 * cos(2 * HOL_PI * (double)j / (double)s->n) : 0;
}

// Amplitudes of a signal, in X; the last one is met once by the transform, all others twice.
static hol_status transform(const spectrum *s, int column)
{
    double sum = 0, mean = 0;
    hol_status st = sample(s, column);
    if (st) return st;
    for (size_t j = 0; j < s->n; j++) {
        sum += hann(s, j);
        mean += hann(s, j) * s->x[j];
    }
    mean /= sum;
    for (size_t j = 0; j < s->m; j++) s->x[j] = j < s->n ? hann(s, j) * (s->x[j] - mean) : 0;
    st = hol_dft_real(s->ctx, s->m, s->x, s->X);
    for (size_t k = 0; k <= s->m / 2 && !st; k++) s->X[k] = (k < s->m / 2 ? 2 : 1) * cabs(s->X[k]) / sum;
    return st;
}

// A row for each frequency, a column for each signal.
static hol_status fill(spectrum *s, const int *column, int n, hol_result_data *d)
{
    const size_t width = (size_t)n + 1, rows = s->m / 2 + 1;
    hol_status st = hol_result_columns(d, n + 1);
    if (!st) st = hol_result_name(d, 0, "frequency", "Hz");
    double *value = st ? NULL : hol_result_rows(d, rows);
    if (!value) return st ? st : hol_context_status(s->ctx);
    d->r.n_rows = rows;
    for (size_t k = 0; k < rows; k++) value[k * width] = (double)k / ((double)s->m * s->dt);
    for (int i = 0; i < n && !st; i++) {
        st = hol_result_name(d, i + 1, s->r->name[column[i]], s->r->unit[column[i]]);
        if (!st) st = transform(s, column[i]);
        for (size_t k = 0; k < rows && !st; k++) value[k * width + (size_t)i + 1] = creal(s->X[k]);
    }
    return st;
}

// What was done to the rows, for who looks at the amplitudes.
static hol_status tell(const spectrum *s, hol_result_data *d)
{
    char text[300];
    hol_decimal_print(
        text, sizeof text,
        "%zu samples, one every %.6g s%s; Hann's window, the mean taken off; frequencies nearer than "
        "%.3g Hz are not told apart",
        s->n, s->dt, s->even ? "" : ", interpolated, because the rows are not evenly spaced",
        2 / ((double)s->n * s->dt));
    return hol_result_add_note(d, "spectrum", text);
}

static hol_status check_columns(hol_context *ctx, const hol_result *r, const int *column, int n)
{
    for (int i = 0; i < n; i++)
        if (column[i] < 1 || column[i] >= r->n_columns)
            return hol_fail(ctx, HOL_ERR_USAGE,
                            "a spectrum of column %d is asked for: the signals are 1 to %d", column[i],
                            r->n_columns - 1);
    return n > 0 ? HOL_OK : hol_fail(ctx, HOL_ERR_USAGE, "a spectrum of no signal is asked for");
}

hol_result *hol_result_spectrum(hol_context *ctx, const hol_result *result, const int *column, int n_columns)
{
    if (HOL_NEED(ctx, ctx) || HOL_NEED(ctx, result) || HOL_NEED(ctx, column)) return NULL;
    hol_context_clear(ctx);
    spectrum s = {.ctx = ctx, .r = result};
    hol_result_data *d = hol_calloc(ctx, 1, sizeof *d);
    if (!d) return NULL;
    hol_status st = hol_result_begin(d, ctx, result->file);
    if (!st) st = check_columns(ctx, result, column, n_columns);
    if (!st) st = hol_result_check_times(ctx, result);
    if (!st) st = choose_times(&s);
    s.x = st ? NULL : hol_calloc(ctx, s.m, sizeof *s.x);
    s.X = s.x ? hol_calloc(ctx, s.m / 2 + 1, sizeof *s.X) : NULL;
    if (!st && !s.X) st = HOL_ERR_MEMORY;
    if (!st) st = fill(&s, column, n_columns, d);
    if (!st) st = tell(&s, d);
    hol_free(s.x);
    hol_free(s.X);
    if (!st) return &d->r;
    hol_result_destroy(&d->r);
    return NULL;
}
