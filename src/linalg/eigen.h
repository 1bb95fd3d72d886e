// A few eigenvalues of a large operator, by the implicitly restarted Lanczos and Arnoldi methods of ARPACK.
// Lehoucq, Sorensen and Yang, ARPACK Users' Guide, SIAM 1998.
#ifndef HOL_EIGEN_H
#define HOL_EIGEN_H

#include "base/base.h"

// y = OP x and y = B x, with B symmetric and positive on the range of OP. Self-adjoint: (B OP) is symmetric there.
typedef struct hol_operator {
    void *user;
    hol_status (*apply)(void *user, const double *x, double *y);
    void (*metric)(void *user, const double *x, double *y);
} hol_operator;

typedef enum hol_eigen_which {
    HOL_EIGEN_LARGEST,   // in absolute value
    HOL_EIGEN_RIGHTMOST, // with the largest real part
} hol_eigen_which;

typedef struct hol_eigen {
    int n, most;      // order; eigenvalues at most
    int room;         // length of the basis
    int found;        // eigenvalues: `wanted`, or one more to make a pair complete
    double *re, *im;  // eigenvalues                                                   (most + 1)
    double *basis;    // of the space they belong to, B-orthonormal: eigenvectors if self-adjoint (n x found)
    double *residual; // start, residual                                                    (n)
    double *work, *small, *extra;
    int *select;
} hol_eigen;

hol_status hol_eigen_create(hol_context *ctx, int n, int most, hol_eigen *e);
void hol_eigen_destroy(hol_eigen *e);
// wanted <= most; tolerance: of the eigenvalues, relative, 0: rounding. The start is random, the same every time. Nothing is
// allocated. ARPACK keeps state between calls, so only one thread at a time is in here, and `op` must not call it again.
// HOL_RECOVERABLE: not found, or the operator is not finite.
hol_status hol_eigen_find(hol_eigen *e, const hol_operator *op, bool self_adjoint, hol_eigen_which which,
                          int wanted, double tolerance);

#endif
