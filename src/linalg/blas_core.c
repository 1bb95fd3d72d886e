// Reference BLAS and LAPACK below the dense kernels of the core library: nothing is to be made ready. What they ask of the run-time
// library of Fortran, and CAMD of the caller's standard output, is here instead, so that neither prints, ends the program or
// brings anything along.
#include "linalg/dense.h"
#include <stdio.h>
#include <string.h>

void xerbla_(const char *routine, const int *argument, size_t length);
void LAPACKE_xerbla(const char *routine, int argument);
void _gfortran_concat_string(size_t size, char *out, size_t n, const char *a, size_t m, const char *b);
int hol_core_fflush(FILE *file);
extern FILE *const hol_core_stdout;

hol_status hol_dense_ready(hol_context *ctx)
{
    (void)ctx;
    return HOL_OK;
}

// An argument that cannot be: dense.c is told by `info` too.
void xerbla_(const char *routine, const int *argument, size_t length)
{
    (void)routine, (void)argument, (void)length;
}

void LAPACKE_xerbla(const char *routine, int argument) { (void)routine, (void)argument; }

// out (size) = a (n), then b (m), then blanks.
void _gfortran_concat_string(size_t size, char *out, size_t n, const char *a, size_t m, const char *b)
{
    const size_t first = n < size ? n : size, second = m < size - first ? m : size - first;
    memcpy(out, a, first);
    memcpy(out + first, b, second);
    memset(out + first + second, ' ', size - first - second);
}

// The Makefile gives CAMD these for stdout, which code that is not position-independent cannot name in a shared library, and
// fflush: it asks for them where its debugging prints were.
FILE *const hol_core_stdout = NULL;

int hol_core_fflush(FILE *file)
{
    (void)file;
    return 0;
}
