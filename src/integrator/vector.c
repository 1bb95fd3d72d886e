// Vectors and the dense solver of SUNDIALS with the operations of a step written out. Its serial ones tell seven cases of a sum apart
// and cost more than the numbers where there are few; packages have all of it compiled without optimisation. The results are the same
// to the last bit.
#include "integrator/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// z = a x + b y; factors alike are taken out, as SUNDIALS does.
static inline void add(realtype a, N_Vector x, realtype b, N_Vector y, N_Vector z)
{
    const realtype *u = NV_DATA_S(x), *v = NV_DATA_S(y);
    realtype *w = NV_DATA_S(z);
    const sunindextype n = NV_LENGTH_S(z);
    if (a == b)
        for (sunindextype i = 0; i < n; i++) w[i] = a * (u[i] + v[i]);
    else if (a == -b)
        for (sunindextype i = 0; i < n; i++) w[i] = a * (u[i] - v[i]);
    else
        for (sunindextype i = 0; i < n; i++) w[i] = a * u[i] + b * v[i];
}

static void linear_sum(realtype a, N_Vector x, realtype b, N_Vector y, N_Vector z) { add(a, x, b, y, z); }

// z_i = a_i x + y_i
static int scale_add(int n, realtype *a, N_Vector x, N_Vector *y, N_Vector *z)
{
    for (int i = 0; i < n; i++) add(a[i], x, 1, y[i], z[i]);
    return 0;
}

// z = c x
static void scale(realtype c, N_Vector x, N_Vector z)
{
    const realtype *u = NV_DATA_S(x);
    realtype *w = NV_DATA_S(z);
    for (sunindextype i = 0, n = NV_LENGTH_S(z); i < n; i++) w[i] = c * u[i];
}

static void set_all(realtype c, N_Vector z)
{
    realtype *w = NV_DATA_S(z);
    for (sunindextype i = 0, n = NV_LENGTH_S(z); i < n; i++) w[i] = c;
}

// What a serial vector has, and its norm behind it.
typedef struct {
    struct _N_VectorContent_Serial serial;
    const hol_norm *norm;
} measured;

static realtype norm(N_Vector x, N_Vector w)
{
    const measured *c = x->content;
    return hol_norm_weighted(c->norm, (int)NV_LENGTH_S(x), NV_DATA_S(x), NV_DATA_S(w));
}

// v with its norm; NULL, v being destroyed: out of memory.
static N_Vector measure(N_Vector v, const hol_norm *norm)
{
    measured *c = v ? realloc(v->content, sizeof *c) : NULL; // SUNDIALS frees it by free
    if (!c) {
        if (v) N_VDestroy(v);
        return NULL;
    }
    c->norm = norm;
    v->content = c;
    return v;
}

static N_Vector clone_measured(N_Vector v)
{
    const measured *c = v->content;
    return measure(N_VClone_Serial(v), c->norm);
}

N_Vector hol_vector_create(int n, const hol_norm *how, SUNContext context)
{
    const N_Vector v = measure(N_VNew_Serial(n, context), how);
    if (!v) return NULL;
    v->ops->nvlinearsum = linear_sum;
    v->ops->nvscaleaddmulti = scale_add;
    v->ops->nvscale = scale;
    v->ops->nvconst = set_all;
    v->ops->nvwrmsnorm = norm;
    v->ops->nvclone = clone_measured;
    return v;
}

// ---- the dense solver -----------------------------------------------------------------------------------------

// y -= c x, from .. to - 1
static inline void subtract(sunindextype from, sunindextype to, realtype c, const realtype *x, realtype *y)
{
    for (sunindextype i = from; i < to; i++) y[i] -= c * x[i];
}

// The row of the largest entry of column k at and below the diagonal.
static sunindextype find_pivot(sunindextype n, sunindextype k, const realtype *column)
{
    sunindextype p = k;
    for (sunindextype i = k + 1; i < n; i++)
        if (fabs(column[i]) > fabs(column[p])) p = i;
    return p;
}

// P A = L U in place, column after column.
static int factor(SUNLinearSolver S, SUNMatrix A)
{
    const SUNLinearSolverContent_Dense o = S->content;
    const sunindextype n = o->N;
    for (sunindextype k = 0; k < n; k++) {
        realtype *const column = SM_COLUMN_D(A, k);
        const sunindextype p = o->pivots[k] = find_pivot(n, k, column);
        if (column[p] == 0) {
            o->last_flag = k + 1;
            return SUNLS_LUFACT_FAIL;
        }
        for (sunindextype j = 0; j < n && p != k; j++) {
            const realtype held = SM_ELEMENT_D(A, p, j);
            SM_ELEMENT_D(A, p, j) = SM_ELEMENT_D(A, k, j);
            SM_ELEMENT_D(A, k, j) = held;
        }
        const realtype inverse = 1 / column[k];
        for (sunindextype i = k + 1; i < n; i++) column[i] *= inverse;
        for (sunindextype j = k + 1; j < n; j++)
            subtract(k + 1, n, SM_ELEMENT_D(A, k, j), column, SM_COLUMN_D(A, j));
    }
    o->last_flag = SUNLS_SUCCESS;
    return SUNLS_SUCCESS;
}

// x = U^-1 L^-1 P b, column after column.
static int solve(SUNLinearSolver S, SUNMatrix A, N_Vector x, N_Vector b, realtype tolerance)
{
    const SUNLinearSolverContent_Dense o = S->content;
    const sunindextype n = o->N;
    realtype *const u = NV_DATA_S(x);
    (void)tolerance;
    memmove(u, NV_DATA_S(b), (size_t)n * sizeof *u);
    for (sunindextype k = 0; k < n; k++) {
        const sunindextype p = o->pivots[k];
        const realtype held = u[k];
        u[k] = u[p], u[p] = held;
    }
    for (sunindextype k = 0; k < n; k++) subtract(k + 1, n, u[k], SM_COLUMN_D(A, k), u);
    for (sunindextype k = n - 1; k >= 0; k--) {
        u[k] /= SM_ELEMENT_D(A, k, k);
        subtract(0, k, u[k], SM_COLUMN_D(A, k), u);
    }
    return SUNLS_SUCCESS;
}

SUNLinearSolver hol_dense_solver_create(N_Vector y, SUNMatrix A, SUNContext context)
{
    const SUNLinearSolver S = SUNLinSol_Dense(y, A, context);
    if (!S) return NULL;
    S->ops->setup = factor;
    S->ops->solve = solve;
    return S;
}
