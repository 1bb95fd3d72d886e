// Jacobi's method: rotations of two rows and columns at a time, until each entry beside the diagonal is rounding of the two on it
// (J. Demmel, K. Veselic, Jacobi's method is more accurate than QR, SIAM J. Matrix Anal. Appl. 13, 1992).
#include "linalg/graded.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_SWEEPS = 60 };

// x <- c x - s y, y <- s x + c y
static void turn(int n, double *x, double *y, int step, double c, double s)
{
    for (int i = 0; i < n; i++, x += step, y += step) {
        const double a = *x, b = *y;
        *x = c * a - s * b;
        *y = s * a + c * b;
    }
}

// Makes a[p][q] 0 by the smaller of the two angles; the new entries on the diagonal by what they gain.
static void rotate(int n, double *a, double *vectors, int p, int q)
{
    const size_t ld = (size_t)n, P = (size_t)p, Q = (size_t)q;
    const double apq = a[Q * ld + P], app = a[P * ld + P], aqq = a[Q * ld + Q],
                 theta = (aqq - app) / (2 * apq), t = copysign(1, theta) / (fabs(theta) + hypot(theta, 1)),
                 c = 1 / hypot(t, 1), s = t * c;
    turn(n, a + P * ld, a + Q * ld, 1, c, s);
    turn(n, a + P, a + Q, n, c, s);
    turn(n, vectors + P * ld, vectors + Q * ld, 1, c, s);
    a[P * ld + P] = app - t * apq;
    a[Q * ld + Q] = aqq + t * apq;
    a[Q * ld + P] = a[P * ld + Q] = 0;
}

// One turn through all entries; false: none was more than rounding.
static bool sweep(int n, double *a, double *vectors)
{
    const size_t ld = (size_t)n;
    bool changed = false;
    for (int p = 0; p < n; p++)
        for (int q = p + 1; q < n; q++) {
            const double x = fabs(a[(size_t)q * ld + (size_t)p]),
                         product = sqrt(fabs(a[(size_t)p * ld + (size_t)p])) *
                                   sqrt(fabs(a[(size_t)q * ld + (size_t)q]));
            if (!(x > DBL_EPSILON * product) || x < DBL_MIN) continue;
            rotate(n, a, vectors, p, q);
            changed = true;
        }
    return changed;
}

static void swap(int n, double *x, double *y)
{
    for (int i = 0; i < n; i++) {
        const double kept = x[i];
        x[i] = y[i];
        y[i] = kept;
    }
}

hol_status hol_graded_eigen(hol_context *ctx, int n, double *a, double *values, double *vectors)
{
    const size_t ld = (size_t)n;
    (void)ctx;
    memset(vectors, 0, ld * ld * sizeof *vectors);
    for (size_t i = 0; i < ld; i++) vectors[i * ld + i] = 1;
    if (!hol_all_finite(a, ld * ld)) return HOL_RECOVERABLE;
    int sweeps = 0;
    while (sweeps < MOST_SWEEPS && sweep(n, a, vectors)) sweeps++;
    for (size_t i = 0; i < ld; i++) values[i] = a[i * ld + i];
    for (size_t i = 0; i < ld; i++) {
        size_t least = i;
        for (size_t j = i + 1; j < ld; j++)
            if (values[j] < values[least]) least = j;
        if (least == i) continue;
        swap(1, values + i, values + least);
        swap(n, vectors + i * ld, vectors + least * ld);
    }
    return sweeps < MOST_SWEEPS ? HOL_OK : HOL_RECOVERABLE;
}
