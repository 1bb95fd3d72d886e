// Sparse complex matrices, on KLU (T. A. Davis, E. Palamadai Natarajan, Algorithm 907, ACM TOMS 37, 2010).
#include "linalg/sparse_complex.h"
#include "linalg/order.h"

#include <klu.h>
#include <string.h>

#define SMALL 1e-14 // smallest against largest pivot below which pivots are chosen anew

struct hol_sparse_complex {
    hol_context *ctx;
    hol_pattern pattern;
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
    double *values, *left; // left: (2 n), of a correction
};

// KLU has found no memory, or no pivot.
static hol_status trouble(const hol_sparse_complex *A)
{
    return A->common.status == KLU_OUT_OF_MEMORY ? hol_fail(A->ctx, HOL_ERR_MEMORY, "out of memory")
                                                 : HOL_RECOVERABLE;
}

// Room, and the order of elimination that KKT matrices of this pattern have.
static hol_status setup(hol_sparse_complex *A, int n_first)
{
    const hol_pattern *p = &A->pattern;
    hol_order_cost cost;
    A->values = hol_calloc(A->ctx, 2 * (size_t)p->start[p->n] + 1, sizeof *A->values);
    A->left = hol_calloc(A->ctx, 4 * (size_t)p->n + 1, sizeof *A->left);
    int *order = hol_calloc(A->ctx, (size_t)p->n + 1, sizeof *order);
    hol_status st = A->values && A->left && order ? HOL_OK : HOL_ERR_MEMORY;
    klu_defaults(&A->common);
    A->common.btf = 0;
    if (!st) st = hol_order_find(A->ctx, p, n_first, HOL_ORDER_BEST, order, &cost);
    if (!st) A->symbolic = klu_analyze_given(p->n, p->start, p->index, order, order, &A->common);
    hol_free(order);
    if (!st && !A->symbolic)
        st = hol_fail(A->ctx, HOL_ERR_MEMORY, "sparse analysis of %d unknowns: out of memory", p->n);
    return st;
}

hol_sparse_complex *hol_sparse_complex_create(hol_context *ctx, const hol_pattern *pattern, int n_first)
{
    hol_sparse_complex *A = hol_calloc(ctx, 1, sizeof *A);
    if (!A) return NULL;
    A->ctx = ctx;
    A->pattern = *pattern;
    if (!setup(A, n_first)) return A;
    hol_sparse_complex_destroy(A);
    return NULL;
}

void hol_sparse_complex_destroy(hol_sparse_complex *A)
{
    if (!A) return;
    if (A->numeric) klu_z_free_numeric(&A->numeric, &A->common);
    if (A->symbolic) klu_free_symbolic(&A->symbolic, &A->common);
    hol_free(A->values);
    hol_free(A->left);
    hol_free(A);
}

double *hol_sparse_complex_values(hol_sparse_complex *A) { return A->values; }

hol_status hol_sparse_complex_factor(hol_sparse_complex *A)
{
    int *start = A->pattern.start, *index = A->pattern.index;
    if (A->numeric && klu_z_refactor(start, index, A->values, A->symbolic, A->numeric, &A->common) &&
        klu_z_rcond(A->symbolic, A->numeric, &A->common) && A->common.rcond > SMALL)
        return HOL_OK;
    if (A->numeric) klu_z_free_numeric(&A->numeric, &A->common);
    A->numeric = klu_z_factor(start, index, A->values, A->symbolic, &A->common);
    return A->numeric && A->common.status == KLU_OK ? HOL_OK : trouble(A);
}

// left = b - A x
static void residual(const hol_sparse_complex *A, const double *b, const double *x, double *left)
{
    const hol_pattern *p = &A->pattern;
    memcpy(left, b, 2 * (size_t)p->n * sizeof *left);
    for (int j = 0; j < p->n; j++)
        for (int k = p->start[j]; k < p->start[j + 1]; k++) {
            const double re = A->values[2 * k], im = A->values[2 * k + 1];
            left[2 * p->index[k]] -= re * x[2 * j] - im * x[2 * j + 1];
            left[2 * p->index[k] + 1] -= re * x[2 * j + 1] + im * x[2 * j];
        }
}

hol_status hol_sparse_complex_solve(hol_sparse_complex *A, int cols, double *x)
{
    const size_t n = 2 * (size_t)A->pattern.n;
    double *left = A->left, *b = left + n;
    for (int c = 0; c < cols; c++, x += n) {
        memcpy(b, x, n * sizeof *b);
        if (!klu_z_solve(A->symbolic, A->numeric, A->pattern.n, 1, x, &A->common)) return trouble(A);
        residual(A, b, x, left);
        if (!klu_z_solve(A->symbolic, A->numeric, A->pattern.n, 1, left, &A->common)) return trouble(A);
        for (size_t i = 0; i < n; i++) x[i] += left[i];
        if (!hol_all_finite(x, n)) return HOL_RECOVERABLE;
    }
    return HOL_OK;
}
