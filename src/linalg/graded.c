// Symmetric matrices by Jacobi's method: rotations of two rows and columns at a time, until each entry beside the diagonal is rounding of the two on it
// (J. Demmel, K. Veselic, Jacobi's method is more accurate than QR, SIAM J. Matrix Anal. Appl. 13, 1992).
#include "linalg/graded.h"
#include "linalg/dense.h"
#include "linalg/vector.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_SWEEPS = 60, TURNS = 8 };
#define BESIDE                                                                                               \
    1e-14        // of two entries on the diagonal: an entry beside them that moves eigenvalues by its square
#define MUCH 1e4 // by which rows and columns must differ to be put in order

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
            if (!(x > BESIDE * product) || x < DBL_MIN) continue;
            rotate(n, a, vectors, p, q);
            changed = true;
        }
    return changed;
}

hol_status hol_graded_eigen(int n, double *a, double *values, double *vectors)
{
    const size_t ld = (size_t)n;
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
        hol_vector_swap(1, values + i, values + least);
        hol_vector_swap(n, vectors + i * ld, vectors + least * ld);
    }
    return sweeps < MOST_SWEEPS ? HOL_OK : HOL_RECOVERABLE;
}

// ---- matrices that are not symmetric --------------------------------------------------------------------------

// The largest of n entries, `step` apart.
static double largest(int n, const double *a, int step)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(a[(size_t)i * (size_t)step]));
    return most;
}

static void multiply(int n, double *a, int step, double by)
{
    for (int i = 0; i < n; i++) a[(size_t)i * (size_t)step] *= by;
}

// The power of 2 that makes x about 1; 1 for 0 and for what is so small that there is none.
static double to_one(double x) { return x >= DBL_MIN ? exp2(-round(log2(x))) : 1; }

void hol_graded_equilibrate(int n, double *a, double *rows, double *columns)
{
    const size_t ld = (size_t)n;
    for (int j = 0; j < n; j++) rows[j] = columns[j] = 1;
    for (int turn = 0; turn < TURNS; turn++) {
        for (int i = 0; i < n; i++) {
            const double by = to_one(largest(n, a + i, n));
            multiply(n, a + i, n, by);
            rows[i] *= by;
        }
        for (int j = 0; j < n; j++) {
            const double by = to_one(largest(n, a + (size_t)j * ld, 1));
            multiply(n, a + (size_t)j * ld, 1, by);
            columns[j] *= by;
        }
    }
}

bool hol_graded_order(int n, const double *a, int *order, double *size)
{
    double most = 0, least = HUGE_VAL;
    for (int i = 0; i < n; i++) {
        size[i] = fmin(largest(n, a + i, n), largest(n, a + (size_t)i * (size_t)n, 1));
        most = fmax(most, size[i]);
        if (size[i] > 0) least = fmin(least, size[i]);
        int at = i;
        for (; at > 0 && size[order[at - 1]] < size[i]; at--) order[at] = order[at - 1];
        order[at] = i;
    }
    return most > MUCH * least;
}

hol_status hol_graded_eigen_general(hol_context *ctx, int n, double *a, double *re, double *im,
                                    double *vectors)
{
    const size_t ld = (size_t)n;
    int *order = hol_calloc(ctx, ld + 1, sizeof *order);
    double *kept = order ? hol_calloc(ctx, ld * ld + ld + 1, sizeof *kept) : NULL;
    hol_status st = kept ? HOL_OK : HOL_ERR_MEMORY;
    const bool moved = !st && hol_graded_order(n, a, order, kept);
    if (moved) memcpy(kept, a, ld * ld * sizeof *kept);
    for (size_t j = 0; j < ld && moved; j++)
        for (size_t i = 0; i < ld; i++) a[j * ld + i] = kept[(size_t)order[j] * ld + (size_t)order[i]];
    if (!st) st = hol_dense_eigen(ctx, n, a, re, im, vectors);
    if (moved && vectors && !st) memcpy(kept, vectors, ld * ld * sizeof *kept);
    for (size_t j = 0; j < ld && moved && vectors && !st; j++)
        for (size_t i = 0; i < ld; i++) vectors[j * ld + (size_t)order[i]] = kept[j * ld + i];
    hol_free(kept);
    hol_free(order);
    return st;
}
