// Discrete Fourier transform of real numbers.
#ifndef HOL_DFT_H
#define HOL_DFT_H

#include "base/base.h"

// X_k = sum_j x_j exp(-2 pi i j k / n), k = 0..n/2. n: a power of two, 4 at least; x is overwritten.    x (n), X (n/2 + 1)
hol_status hol_dft_real(hol_context *ctx, size_t n, double *x, double complex *X);

#endif
