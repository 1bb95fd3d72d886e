// Fast Fourier transform of a power of two of real numbers: neighbours are taken for real and imaginary parts of half as many
// complex numbers, whose transform (Cooley and Tukey's, in place) is taken apart afterwards.
#include "linalg/dft.h"

#include <math.h>

static const double complex i1 = (double complex)_Complex_I;

// Puts each number where its place, read from the last bit to the first, says.
static void reverse_bits(size_t n, double complex *z)
{
    for (size_t i = 1, j = 0; i < n; i++) {
        size_t bit = n / 2;
        for (; j & bit; bit /= 2) j ^= bit;
        j ^= bit;
        if (i >= j) continue;
        const double complex swap = z[i];
        z[i] = z[j];
        z[j] = swap;
    }
}

// root[k] = exp(-2 pi i k / (2 n)), k < n
static void transform(size_t n, double complex *z, const double complex *root)
{
    reverse_bits(n, z);
    for (size_t half = 1; half < n; half *= 2)
        for (size_t from = 0; from < n; from += 2 * half)
            for (size_t k = 0; k < half; k++) {
                const double complex a = z[from + k], b = z[from + k + half] * root[k * (n / half)];
                z[from + k] = a + b;
                z[from + k + half] = a - b;
            }
}

hol_status hol_dft_real(hol_context *ctx, size_t n, double *x, double complex *X)
{
    const size_t half = n / 2;
    double complex *root = hol_calloc(ctx, half, sizeof *root);
    if (!root) return HOL_ERR_MEMORY;
    for (size_t k = 0; k < half; k++) {
        const double angle = 2 * HOL_PI * (double)k / (double)n;
        root[k] = cos(angle) - i1 * sin(angle);
    }
    for (size_t k = 0; k < half; k++) X[k] = x[2 * k] + i1 * x[2 * k + 1];
    transform(half, X, root);
    const double complex first = X[0];
    for (size_t k = 1; k <= half / 2; k++) {
        const double complex a = X[k], b = conj(X[half - k]), even = (a + b) / 2,
                             odd = root[k] * (a - b) * (-0.5 * i1);
        X[k] = even + odd;
        X[half - k] = conj(even - odd);
    }
    X[0] = creal(first) + cimag(first);
    X[half] = creal(first) - cimag(first);
    hol_free(root);
    return HOL_OK;
}
