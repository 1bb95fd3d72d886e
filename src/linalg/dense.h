// Dense kernels for small systems, on LAPACK. All matrices are column-major: entry (i, j) of an (m x n) matrix a
// stands at a[i + j*m]. One thread computes, so results do not depend on the machine's load.
#ifndef HOL_DENSE_H
#define HOL_DENSE_H

#include "base/base.h"

// Before any call of BLAS or LAPACK (blas.c); all functions here do so. HOL_ERR_MEMORY: they have no room to work.
hol_status hol_dense_ready(hol_context *ctx);

// Column-pivoted QR, A P = Q R. Needs the storage below; nothing is allocated after hol_dense_qr_create.
typedef struct hol_dense_qr {
    int rows, columns; // m, n of the last matrix
    int rank;          // diagonal entries of R above threshold * first one
    int *pivot;        // column of A that stands k-th; the first `rank` are independent   (n)
    double *a;         // R above the diagonal, Householder vectors below              (m x n)
    double *tau;       // Householder factors                                    (min(m, n))
    double gap;        // |R(rank,rank)| / |R(0,0)|, the first one dropped [-]; 0 if none
    double *work;
    int work_size, max_rows, max_columns;
} hol_dense_qr;

// Storage for matrices of at most (max_rows x max_columns).
hol_status hol_dense_qr_create(hol_context *ctx, hol_dense_qr *qr, int max_rows, int max_columns);
void hol_dense_qr_destroy(hol_dense_qr *qr);
// Factors a (rows x columns; copied). Scale the columns first: the threshold is relative to the largest of them.
hol_status hol_dense_qr_factor(hol_context *ctx, hol_dense_qr *qr, int rows, int columns, const double *a,
                               double threshold);
// Orthonormal basis of ker A^T, the directions orthogonal to all columns of A.
//   basis (rows x (rows - rank)); with A = Phi_q^T this is the null space of Phi_q.
hol_status hol_dense_qr_null_space(hol_context *ctx, hol_dense_qr *qr, double *basis);

// LU factorisation in place: a (n x n), pivot (n). HOL_RECOVERABLE: a pivot is exactly 0.
hol_status hol_dense_lu_factor(hol_context *ctx, int n, double *a, int *pivot);
// x (n x count) <- A^-1 x, or A^-T x when transposed.
hol_status hol_dense_lu_solve(hol_context *ctx, int n, const double *a, const int *pivot, bool transposed,
                              int count, double *x);

// Eigenvalues of the symmetric a (n x n, lower triangle read; overwritten by orthonormal eigenvectors when wanted),
// ascending in values (n).
hol_status hol_dense_eigen_symmetric(hol_context *ctx, int n, double *a, bool vectors, double *values);
// Eigenvalues re + i im of a (n x n, destroyed). vectors (n x n) or NULL: a real eigenvalue has its vector in its
// column; a pair (positive im first) has real and imaginary part in two.
hol_status hol_dense_eigen(hol_context *ctx, int n, double *a, double *re, double *im, double *vectors);
// The eigenvalues alone, without allocation: work (4 n).
hol_status hol_dense_eigenvalues(hol_context *ctx, int n, double *a, double *re, double *im, double *work);
// x (columns) of least norm that comes nearest to A x = b; a (rows x columns, destroyed), b (max(rows, columns)) becomes
// x. Singular values below threshold * largest count as 0; *rank is what remains.
hol_status hol_dense_least_norm(hol_context *ctx, int rows, int columns, double *a, double *b,
                                double threshold, int *rank);

#endif
