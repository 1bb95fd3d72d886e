// Eigenvalues of symmetric matrices whose entries differ by many orders of magnitude, each to digits of its own.
#ifndef HOL_GRADED_H
#define HOL_GRADED_H

#include "base/base.h"

// Eigenvalues of the symmetric a (n x n, column-major, both triangles; destroyed), ascending in values (n), and orthonormal eigenvectors
// in the columns of vectors (n x n). By Jacobi's rotations, which leave small entries their digits where rows and columns of large ones
// belong to few: a[i][j]^2 well below a[i][i] a[j][j]. HOL_RECOVERABLE: they do not come to an end.
hol_status hol_graded_eigen(hol_context *ctx, int n, double *a, double *values, double *vectors);

#endif
