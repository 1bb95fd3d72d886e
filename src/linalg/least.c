// Least eigenvalue of a symmetric positive definite matrix of which solutions are at hand: a few steps of inverse
// iteration from a random vector.
#include "linalg/least.h"
#include "base/option.h"

#include <math.h>

enum { STEPS = 3 };

double hol_least_root(int m, const double *size, double *x, hol_status (*solve)(void *with, double *x),
                      void *with)
{
    hol_random random = {99};
    double scale = 1; // keeps the numbers in range
    for (int i = 0; i < m; i++) x[i] = hol_random_uniform(&random);
    for (int k = 0; k < STEPS; k++) {
        double before = 0, after = 0;
        for (int i = 0; i < m; i++) {
            x[i] *= scale;
            before += x[i] * x[i];
            x[i] *= size[i];
        }
        if (solve(with, x)) return HOL_INF;
        for (int i = 0; i < m; i++) {
            x[i] *= size[i];
            after += x[i] * x[i];
        }
        scale = sqrt(before / after);
    }
    return sqrt(scale);
}
