// Principal moments of inertia tensors, and the rules that those of bodies keep.
#include "element/inertia.h"
#include "linalg/dense.h"

#include <math.h>
#include <string.h>

// What a file's digits leave of a moment that is 0, or of a sum that equals the third, against the largest moment.
#define DIGITS 1e-9

static void swap_if_greater(double *a, double *b)
{
    const double less = fmin(*a, *b);
    *b = fmax(*a, *b);
    *a = less;
}

// Increasing. Those of a diagonal tensor are its entries, to the bit.
static hol_status principal_moments(hol_context *ctx, const double J[9], double e[3])
{
    double tensor[9];
    for (int i = 0; i < 3; i++) e[i] = J[4 * i];
    swap_if_greater(&e[0], &e[1]);
    swap_if_greater(&e[1], &e[2]);
    swap_if_greater(&e[0], &e[1]);
    if (J[1] == 0 && J[2] == 0 && J[5] == 0) return HOL_OK;
    memcpy(tensor, J, sizeof tensor);
    return hol_dense_eigen_symmetric(ctx, 3, tensor, false, e);
}

hol_status hol_inertia_judge(hol_context *ctx, const double J[9], double moment[3], hol_inertia_fault *fault)
{
    const hol_status st = principal_moments(ctx, J, moment);
    const double slack = st ? 0 : DIGITS * fabs(moment[2]);
    *fault = HOL_INERTIA_GOOD;
    if (st) return st;
    if (moment[0] < -slack)
        *fault = HOL_INERTIA_NEGATIVE;
    else if (moment[0] + moment[1] < moment[2] - slack)
        *fault = HOL_INERTIA_TRIANGLE;
    return HOL_OK;
}
