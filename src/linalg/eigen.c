// A few eigenvalues of a large operator by ARPACK (Lehoucq, Sorensen, Yang 1998): implicitly restarted Lanczos' method
// where the operator is symmetric, Arnoldi's where not. "Mode 3" throughout: it takes any operator, and returns
// 1/eigenvalue.
#include "linalg/eigen.h"
#include "linalg/dense.h"

#include <arpack/arpack.h>
#include <math.h>
#include <pthread.h>
#include <string.h>

enum { MOST_RESTARTS = 1000, ONE_MORE = 1, NO_START = -9 };

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

typedef struct {
    hol_eigen *e;
    const hol_operator *op;
    const char *which;
    bool self_adjoint;
    int wanted, small_size;
    double tolerance;
    int param[11], at[14], info;
} search;

static size_t small_for(size_t room) { return 3 * room * room + 8 * room; } // of dnaupd; dsaupd needs less

hol_status hol_eigen_create(hol_context *ctx, int n, int most, hol_eigen *e)
{
    memset(e, 0, sizeof *e);
    if (hol_dense_ready(ctx)) return HOL_ERR_MEMORY;
    e->n = n;
    e->most = most;
    e->room = 2 * most + 20 < n ? 2 * most + 20 : n;
    const size_t rows = (size_t)n, room = (size_t)e->room, values = (size_t)most + 2;
    e->basis = hol_calloc(ctx, rows * (room + 4) + small_for(room) + 2 * values + 3 * room, sizeof *e->basis);
    e->select = hol_calloc(ctx, room, sizeof *e->select);
    if (!e->basis || !e->select) return HOL_ERR_MEMORY;
    e->residual = e->basis + rows * room;
    e->work = e->residual + rows;
    e->re = e->work + 3 * rows;
    e->im = e->re + values;
    e->extra = e->im + values;
    e->small = e->extra + 3 * room;
    return HOL_OK;
}

void hol_eigen_destroy(hol_eigen *e)
{
    hol_free(e->basis);
    hol_free(e->select);
    memset(e, 0, sizeof *e);
}

// One step of the iteration: what ARPACK wants next.
static int next(search *f, int *ido)
{
    hol_eigen *e = f->e;
    if (f->self_adjoint)
        dsaupd_c(ido, "G", e->n, f->which, f->wanted, f->tolerance, e->residual, e->room, e->basis, e->n,
                 f->param, f->at, e->work, e->small, f->small_size, &f->info);
    else
        dnaupd_c(ido, "G", e->n, f->which, f->wanted, f->tolerance, e->residual, e->room, e->basis, e->n,
                 f->param, f->at, e->work, e->small, f->small_size, &f->info);
    return *ido;
}

// ARPACK's reverse communication: it asks for products with the operator or the metric until it has
// converged.
static hol_status iterate(search *f)
{
    hol_eigen *e = f->e;
    int ido = 0;
    hol_status st = HOL_OK;
    while (!st && next(f, &ido) != 99) {
        const double *x = e->work + f->at[0] - 1;
        double *y = e->work + f->at[1] - 1;
        if (ido == 2)
            f->op->metric(f->op->user, x, y);
        else
            st = f->op->apply(f->op->user, x, y);
        if (!st && !hol_all_finite(y, (size_t)e->n)) st = HOL_RECOVERABLE;
    }
    return st;
}

// Eigenvalues and, in place of the basis, that of their space: eigenvectors, or Schur vectors.
static void extract(search *f)
{
    hol_eigen *e = f->e;
    int info = 0;
    if (f->self_adjoint)
        dseupd_c(1, "A", e->select, e->re, e->basis, e->n, 0, "G", e->n, f->which, f->wanted, f->tolerance,
                 e->residual, e->room, e->basis, e->n, f->param, f->at, e->work, e->small, f->small_size,
                 &info);
    else
        dneupd_c(1, "P", e->select, e->re, e->im, e->basis, e->n, 0, 0, e->extra, "G", e->n, f->which,
                 f->wanted, f->tolerance, e->residual, e->room, e->basis, e->n, f->param, f->at, e->work,
                 e->small, f->small_size, &info);
    f->info = info;
    e->found = f->param[4];
    if (e->found > e->most + ONE_MORE) e->found = e->most + ONE_MORE;
    for (int k = 0; k < e->found; k++) { // of 1/(re + i im)
        if (f->self_adjoint) e->im[k] = 0;
        const double size = e->re[k] * e->re[k] + e->im[k] * e->im[k];
        e->re[k] /= size;
        e->im[k] /= -size;
    }
}

hol_status hol_eigen_find(hol_eigen *e, const hol_operator *op, bool self_adjoint, hol_eigen_which which,
                          int wanted, double tolerance)
{
    const char *const rightmost = self_adjoint ? "LA" : "LR";
    search f = {.e = e, .op = op, .self_adjoint = self_adjoint, .wanted = wanted, .tolerance = tolerance};
    f.which = which == HOL_EIGEN_LARGEST ? "LM" : rightmost;
    f.small_size = (int)small_for((size_t)e->room);
    f.param[0] = 1; // exact shifts
    f.param[2] = MOST_RESTARTS;
    f.param[6] = 3;
    f.info = 1; // the start is given
    hol_random random = {4711};
    for (int i = 0; i < e->n; i++) e->residual[i] = hol_random_uniform(&random);
    e->found = 0;
    pthread_mutex_lock(&one_at_a_time);
    hol_status st = iterate(&f);
    if (!st && f.info == 0) extract(&f);
    pthread_mutex_unlock(&one_at_a_time);
    if (st) return st;
    if (f.info == NO_START) return HOL_OK; // the operator is 0
    return f.info == 0 ? HOL_OK : HOL_RECOVERABLE;
}
