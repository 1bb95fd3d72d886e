// Eigenvalues of symmetric matrices whose entries differ by many orders of magnitude, each to digits of its own.
#ifndef HOL_GRADED_H
#define HOL_GRADED_H

#include "base/base.h"

// Eigenvalues of the symmetric a (n x n, column-major, both triangles; destroyed), ascending in values (n), and orthonormal eigenvectors
// in the columns of vectors (n x n). By Jacobi's rotations, which leave small entries their digits where rows and columns of large ones
// belong to few: a[i][j]^2 well below a[i][i] a[j][j]. HOL_RECOVERABLE: they do not come to an end.
hol_status hol_graded_eigen(int n, double *a, double *values, double *vectors);
// Rows and columns of a (n x n) by powers of 2, (n) each, after which the largest entry of each is about 1, but where there are none. What
// is multiplied to columns is to be multiplied to solutions too.
void hol_graded_equilibrate(int n, double *a, double *rows, double *columns);
// Indices (n) by the size of rows and columns of a, the largest first, with these sizes; do they differ by much?
bool hol_graded_order(int n, const double *a, int *order, double *size);
// hol_dense_eigen, with rows and columns from the largest to the smallest where they differ by much: the QR algorithm leaves what is small
// its digits then.
hol_status hol_graded_eigen_general(hol_context *ctx, int n, double *a, double *re, double *im,
                                    double *vectors);

#endif
