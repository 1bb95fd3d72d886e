// Vectors of SUNDIALS with the operations of a step written out. Its serial ones tell seven cases of a sum apart and
// cost more than the numbers where there are few; the results are the same to the last bit.
#include "integrator/vector.h"

#include <stdlib.h>

// z = a x + b y; factors alike are taken out, as SUNDIALS does.
static void linear_sum(realtype a, N_Vector x, realtype b, N_Vector y, N_Vector z)
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

// z = c x
static void scale(realtype c, N_Vector x, N_Vector z)
{
    const realtype *u = NV_DATA_S(x);
    realtype *w = NV_DATA_S(z);
    for (sunindextype i = 0, n = NV_LENGTH_S(z); i < n; i++) w[i] = c * u[i];
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
    v->ops->nvscale = scale;
    v->ops->nvwrmsnorm = norm;
    v->ops->nvclone = clone_measured;
    return v;
}
