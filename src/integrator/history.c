// Vectors at the last accepted points and the polynomial through them: predictors, results between points, integrals.
#include "integrator/history.h"

#include <string.h>

hol_status hol_history_create(hol_context *ctx, int most, int size, hol_history *h)
{
    memset(h, 0, sizeof *h);
    h->most = most;
    h->size = size;
    h->memory = hol_calloc(ctx, (size_t)most * (size_t)size + 1, sizeof *h->memory);
    for (int k = 0; k < most && h->memory; k++) h->past[k] = h->memory + (size_t)k * (size_t)size;
    return h->memory ? HOL_OK : HOL_ERR_MEMORY;
}

void hol_history_destroy(hol_history *h)
{
    hol_free(h->memory);
    memset(h, 0, sizeof *h);
}

void hol_history_push(hol_history *h, double t, const double *x)
{
    double *oldest = h->past[h->most - 1];
    for (int k = h->most - 1; k > 0; k--) {
        h->past[k] = h->past[k - 1];
        h->t[k] = h->t[k - 1];
    }
    h->past[0] = oldest;
    h->t[0] = t;
    memcpy(oldest, x, (size_t)h->size * sizeof *oldest);
    if (h->n < h->most) h->n++;
}

void hol_history_extrapolate(const hol_history *h, double t, int degree, double *out)
{
    const int n = degree + 1 < h->n ? degree + 1 : h->n;
    memset(out, 0, (size_t)h->size * sizeof *out);
    for (int k = 0; k < n; k++) {
        double c = 1;
        for (int j = 0; j < n; j++)
            if (j != k) c *= (t - h->t[j]) / (h->t[k] - h->t[j]);
        for (int i = 0; i < h->size; i++) out[i] += c * h->past[k][i];
    }
}

void hol_history_archive(hol_history *h, hol_archive *a)
{
    for (int k = 0; k < h->most; k++) hol_archive_numbers(a, h->past[k], (size_t)h->size);
    hol_archive_numbers(a, h->t, (size_t)h->most);
    hol_archive_int(a, &h->n, 0, h->most);
}

void hol_differences_push(hol_differences *d, double t, double x)
{
    for (int k = 0; k <= d->n && k < HOL_DIFFERENCES_MOST; k++) {
        const double before = d->c[k];
        d->c[k] = x;
        if (k < d->n) x = (x - before) / (t - d->t[k]);
    }
    memmove(d->t + 1, d->t, sizeof d->t - sizeof *d->t);
    d->t[0] = t;
    if (d->n < HOL_DIFFERENCES_MOST) d->n++;
}

// By Gauss' rule, which is exact up to degree 5.
double hol_differences_integral(const hol_differences *d, int degree)
{
    static const double node[] = {0.5, 0.5 - 0.38729833462074169, 0.5 + 0.38729833462074169}, // sqrt(0.15)
        weight[] = {4. / 9, 5. / 18, 5. / 18};
    const double step = d->t[0] - d->t[1];
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        const double t = d->t[1] + node[i] * step;
        int k = degree < d->n ? degree : d->n - 1;
        double x = d->c[k];
        while (k-- > 0) x = d->c[k] + (t - d->t[k]) * x;
        sum += weight[i] * x;
    }
    return sum * step;
}
