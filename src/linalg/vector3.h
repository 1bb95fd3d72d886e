// Vectors in space.
#ifndef HOL_VECTOR3_H
#define HOL_VECTOR3_H

#include "base/base.h"

#include <math.h>

// out may be a or b.
HOL_INLINE void hol_cross3(const double *a, const double *b, double *out)
{
    const double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
    out[0] = x, out[1] = y, out[2] = z;
}
HOL_INLINE double hol_dot3(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

HOL_INLINE double hol_dot4(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

// The attitude and the angular velocity that p and rate stand for, (2.11a): p of length 1, its rate across it.
HOL_INLINE void hol_hold_norm(double *restrict p, double *restrict rate)
{
    const double length = sqrt(hol_dot4(p, p));
    for (int i = 0; i < 4; i++) p[i] /= length;
    const double along = hol_dot4(p, rate);
    for (int i = 0; i < 4; i++) rate[i] = (rate[i] - along * p[i]) / length;
}

#endif
