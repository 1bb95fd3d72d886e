// Least eigenvalue of a symmetric positive definite matrix of which solutions are at hand.
#ifndef HOL_LINALG_LEAST_H
#define HOL_LINALG_LEAST_H

#include "base/base.h"

// Square root of the least eigenvalue of S^-1 A S^-1, with S the diagonal `size` (m), by a few steps of inverse iteration
// from a random start that is always the same. solve: x <- A^-1 x (m) in place; it may work on x's surroundings, too.
// HOL_INF where it fails. One step alone can be wrong by a factor of three.
double hol_least_root(int m, const double *size, double *x, hol_status (*solve)(void *with, double *x),
                      void *with);

#endif
