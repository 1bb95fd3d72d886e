// Vectors at the last accepted points and the polynomial through them, in Lagrange's form: predictors, and results
// between points.
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
