// Dense kernels on LAPACK; blas.c says which.
#include "linalg/dense.h"
#include <lapacke.h>
#include <string.h>

// LAPACK result to status: positive is numerical, negative a bad argument (a NaN among them) or memory.
static hol_status check(hol_context *ctx, const char *routine, lapack_int info)
{
    if (info == 0) return HOL_OK;
    if (info > 0) return HOL_RECOVERABLE;
    if (info == LAPACK_WORK_MEMORY_ERROR || info == LAPACK_TRANSPOSE_MEMORY_ERROR)
        return hol_fail(ctx, HOL_ERR_MEMORY, "%s: out of memory", routine);
    return HOL_RECOVERABLE;
}

static int least(int a, int b) { return a < b ? a : b; }

static int most(int a, int b) { return a > b ? a : b; }

// ---- rank and null space -----------------------------------------------------------------------------------

hol_status hol_dense_qr_create(hol_context *ctx, hol_dense_qr *qr, int max_rows, int max_columns)
{
    *qr = (hol_dense_qr){.max_rows = max_rows, .max_columns = max_columns};
    if (hol_dense_ready(ctx)) return HOL_ERR_MEMORY;
    int m = most(max_rows, 1), n = most(max_columns, 1);
    double size = 0, other = 0;
    (void)LAPACKE_dgeqp3_work(LAPACK_COL_MAJOR, m, n, &size, m, NULL, NULL, &size, -1);
    (void)LAPACKE_dormqr_work(LAPACK_COL_MAJOR, 'L', 'N', m, m, least(m, n), &other, m, NULL, &other, m,
                              &other, -1);
    qr->work_size = most((int)fmax(size, other), 3 * n + 1 + m);
    qr->pivot = hol_calloc(ctx, (size_t)n, sizeof(int));
    qr->a = hol_calloc(ctx, (size_t)m * (size_t)n, sizeof(double));
    qr->tau = hol_calloc(ctx, (size_t)least(m, n), sizeof(double));
    qr->work = hol_calloc(ctx, (size_t)qr->work_size, sizeof(double));
    if (qr->pivot && qr->a && qr->tau && qr->work) return HOL_OK;
    hol_dense_qr_destroy(qr);
    return HOL_ERR_MEMORY;
}

void hol_dense_qr_destroy(hol_dense_qr *qr)
{
    hol_free(qr->pivot);
    hol_free(qr->a);
    hol_free(qr->tau);
    hol_free(qr->work);
    *qr = (hol_dense_qr){0};
}

hol_status hol_dense_qr_factor(hol_context *ctx, hol_dense_qr *qr, int rows, int columns, const double *a,
                               double threshold)
{
    if (rows < 0 || columns < 0 || rows > qr->max_rows || columns > qr->max_columns)
        return hol_fail(ctx, HOL_ERR_USAGE, "QR of %d x %d: storage is for %d x %d", rows, columns,
                        qr->max_rows, qr->max_columns);
    int diagonal = least(rows, columns);
    qr->rows = rows, qr->columns = columns, qr->rank = 0, qr->gap = 0;
    if (diagonal == 0) return HOL_OK;
    memcpy(qr->a, a, (size_t)rows * (size_t)columns * sizeof(double));
    memset(qr->pivot, 0, (size_t)columns * sizeof(int)); // 0: free to be moved
    hol_status status = check(ctx, "dgeqp3",
                              LAPACKE_dgeqp3_work(LAPACK_COL_MAJOR, rows, columns, qr->a, rows, qr->pivot,
                                                  qr->tau, qr->work, qr->work_size));
    if (status) return status;
    for (int k = 0; k < columns; k++) qr->pivot[k]--; // LAPACK counts from 1
    double first = fabs(qr->a[0]);
    if (isnan(first)) return HOL_RECOVERABLE;
    for (; qr->rank < diagonal; qr->rank++) {
        double r = fabs(qr->a[(size_t)qr->rank * (size_t)rows + (size_t)qr->rank]);
        if (isnan(r)) return HOL_RECOVERABLE;
        if (r > threshold * first) continue;
        qr->gap = first > 0 ? r / first : 0;
        break;
    }
    return HOL_OK;
}

hol_status hol_dense_qr_null_space(hol_context *ctx, hol_dense_qr *qr, double *basis)
{
    int rows = qr->rows, count = rows - qr->rank;
    if (count == 0) return HOL_OK;
    memset(basis, 0, (size_t)rows * (size_t)count * sizeof(double)); // the last columns of Q: Q [0; I]
    for (int k = 0; k < count; k++) basis[(size_t)k * (size_t)rows + (size_t)(qr->rank + k)] = 1;
    if (qr->rank == 0) return HOL_OK;
    return check(ctx, "dormqr",
                 LAPACKE_dormqr_work(LAPACK_COL_MAJOR, 'L', 'N', rows, count, qr->rank, qr->a, rows, qr->tau,
                                     basis, rows, qr->work, qr->work_size));
}

// ---- linear systems ----------------------------------------------------------------------------------------

hol_status hol_dense_lu_factor(hol_context *ctx, int n, double *a, int *pivot)
{
    if (hol_dense_ready(ctx)) return HOL_ERR_MEMORY;
    return n ? check(ctx, "dgetrf", LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, a, n, pivot)) : HOL_OK;
}

hol_status hol_dense_lu_solve(hol_context *ctx, int n, const double *a, const int *pivot, bool transposed,
                              int count, double *x)
{
    if (hol_dense_ready(ctx)) return HOL_ERR_MEMORY;
    if (n == 0 || count == 0) return HOL_OK;
    char mode = transposed ? 'T' : 'N';
    return check(ctx, "dgetrs", LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, mode, n, count, a, n, pivot, x, n));
}

// ---- eigenvalues -------------------------------------------------------------------------------------------

// LAPACKE's own work arrays come with a message on stderr when there is no memory: these are ours. `double` first, then
// integers, as large as the call asked for.
typedef struct {
    double size, *real;
    lapack_int n_integers, *integer;
} room;

static hol_status make_room(hol_context *ctx, room *r)
{
    r->real = hol_calloc(ctx, (size_t)r->size + 1, sizeof *r->real);
    r->integer = hol_calloc(ctx, (size_t)r->n_integers + 1, sizeof *r->integer);
    return r->real && r->integer ? HOL_OK : HOL_ERR_MEMORY;
}

static hol_status leave(hol_context *ctx, room *r, const char *routine, hol_status st, lapack_int info)
{
    hol_free(r->real);
    hol_free(r->integer);
    return st ? st : check(ctx, routine, info);
}

hol_status hol_dense_eigen_symmetric(hol_context *ctx, int n, double *a, bool vectors, double *values)
{
    if (hol_dense_ready(ctx)) return HOL_ERR_MEMORY;
    if (n == 0) return HOL_OK;
    const char job = vectors ? 'V' : 'N';
    room r = {0};
    lapack_int info =
        LAPACKE_dsyevd_work(LAPACK_COL_MAJOR, job, 'L', n, a, n, values, &r.size, -1, &r.n_integers, -1);
    const hol_status st = make_room(ctx, &r);
    if (!st && !info)
        info = LAPACKE_dsyevd_work(LAPACK_COL_MAJOR, job, 'L', n, a, n, values, r.real, (lapack_int)r.size,
                                   r.integer, r.n_integers);
    return leave(ctx, &r, "dsyevd", st, info);
}

hol_status hol_dense_eigen(hol_context *ctx, int n, double *a, double *re, double *im, double *vectors)
{
    if (hol_dense_ready(ctx)) return HOL_ERR_MEMORY;
    if (n == 0) return HOL_OK;
    const char job = vectors ? 'V' : 'N';
    double unused, *right = vectors ? vectors : &unused;
    room r = {0};
    lapack_int info = LAPACKE_dgeev_work(LAPACK_COL_MAJOR, 'N', job, n, a, n, re, im, &unused, 1, right,
                                         vectors ? n : 1, &r.size, -1);
    const hol_status st = make_room(ctx, &r);
    if (!st && !info)
        info = LAPACKE_dgeev_work(LAPACK_COL_MAJOR, 'N', job, n, a, n, re, im, &unused, 1, right,
                                  vectors ? n : 1, r.real, (lapack_int)r.size);
    return leave(ctx, &r, "dgeev", st, info);
}

hol_status hol_dense_eigenvalues(hol_context *ctx, int n, double *a, double *re, double *im, double *work)
{
    if (hol_dense_ready(ctx)) return HOL_ERR_MEMORY;
    double unused;
    return n ? check(ctx, "dgeev",
                     LAPACKE_dgeev_work(LAPACK_COL_MAJOR, 'N', 'N', n, a, n, re, im, &unused, 1, &unused, 1,
                                        work, 4 * n))
             : HOL_OK;
}

hol_status hol_dense_least_norm(hol_context *ctx, int rows, int columns, double *a, double *b,
                                double threshold, int *rank)
{
    *rank = 0;
    if (hol_dense_ready(ctx)) return HOL_ERR_MEMORY;
    const int least_one = least(rows, columns);
    if (least_one == 0) return HOL_OK;
    double *singular = hol_calloc(ctx, (size_t)least_one, sizeof *singular);
    const int ld = most(rows, columns);
    lapack_int found = 0;
    room r = {0};
    lapack_int info = LAPACKE_dgelsd_work(LAPACK_COL_MAJOR, rows, columns, 1, a, rows, b, ld, singular,
                                          threshold, &found, &r.size, -1, &r.n_integers);
    hol_status st = make_room(ctx, &r);
    if (!singular) st = HOL_ERR_MEMORY;
    if (!st && !info)
        info = LAPACKE_dgelsd_work(LAPACK_COL_MAJOR, rows, columns, 1, a, rows, b, ld, singular, threshold,
                                   &found, r.real, (lapack_int)r.size, r.integer);
    st = leave(ctx, &r, "dgelsd", st, info);
    hol_free(singular);
    *rank = (int)found;
    return st;
}
