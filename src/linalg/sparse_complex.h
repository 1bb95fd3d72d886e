// A sparse complex matrix of a fixed pattern: analysed once, factored for many values (KLU). For frequency responses; real matrices of the
// motion are hol_kkt.
#ifndef HOL_SPARSE_COMPLEX_H
#define HOL_SPARSE_COMPLEX_H

#include "base/base.h"
#include "linalg/pattern.h"

typedef struct hol_sparse_complex hol_sparse_complex;

// n_first: unknowns behind are multipliers. The pattern outlives it. NULL: the message is in ctx.
hol_sparse_complex *hol_sparse_complex_create(hol_context *ctx, const hol_pattern *pattern, int n_first);
void hol_sparse_complex_destroy(hol_sparse_complex *A);
double *
hol_sparse_complex_values(hol_sparse_complex *A); // (2 start[n]), real and imaginary part of each entry
// With the pivots of the last one, or new ones where these have become small. HOL_RECOVERABLE: singular.
hol_status hol_sparse_complex_factor(hol_sparse_complex *A);
// x (2 n x cols) <- A^-1 x, with a correction by what the values leave. HOL_RECOVERABLE: not finite.
hol_status hol_sparse_complex_solve(hol_sparse_complex *A, int cols, double *x);

#endif
