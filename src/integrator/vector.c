// Vectors of SUNDIALS with the operations of a step written out. Its serial ones tell seven cases of a sum apart and
// cost more than the numbers where there are few; the results are the same to the last bit.
#include "integrator/vector.h"

#include <math.h>

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

// Root mean square of x w.
static realtype rms_norm(N_Vector x, N_Vector w)
{
    const realtype *u = NV_DATA_S(x), *v = NV_DATA_S(w);
    const sunindextype n = NV_LENGTH_S(x);
    realtype sum = 0;
    for (sunindextype i = 0; i < n; i++) sum += u[i] * v[i] * (u[i] * v[i]);
    return sqrt(sum / (realtype)n);
}

N_Vector hol_vector_create(int n, SUNContext context)
{
    const N_Vector v = N_VNew_Serial(n, context);
    if (!v) return NULL;
    v->ops->nvlinearsum = linear_sum;
    v->ops->nvscale = scale;
    v->ops->nvwrmsnorm = rms_norm;
    return v;
}
