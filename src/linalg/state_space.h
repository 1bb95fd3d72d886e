// A linear system x' = A x + B u, y = C x + D u, dense: poles, zeros, gain and frequency response. docs/theory.md, section 22.
#ifndef HOL_STATE_SPACE_H
#define HOL_STATE_SPACE_H

#include "base/base.h"

typedef struct hol_state_space {
    int n, nu, ny;
    const double *A, *B, *C, *D; // column-major    (n x n), (n x nu), (ny x n), (ny x nu)
    bool exact;                  // entries of A that are rounding are 0, small ones are right
} hol_state_space;

// Eigenvalues of A by their absolute values, of a pair the one above first, (n), with their vectors (n x n), whose largest entry is 1; or
// NULL. HOL_RECOVERABLE: LAPACK does not converge.
hol_status hol_state_space_poles(hol_context *ctx, const hol_state_space *s, double *re, double *im,
                                 double *vector_re, double *vector_im);
// A complex vector (n) times a number after which its largest entry is 1.
void hol_state_space_unit(int n, double *re, double *im);
// Invariant zeros of a square system, (n); *count is -1 where its transfer function is singular everywhere.
hol_status hol_state_space_zeros(hol_context *ctx, const hol_state_space *s, int *count, double *re,
                                 double *im);
// The same from one input to one output.
hol_status hol_state_space_pair_zeros(hol_context *ctx, const hol_state_space *s, int output, int input,
                                      int *count, double *re, double *im);
// G(0) = -C A^-1 B + D (ny x nu), given the poles; where A is singular the limit, infinite where there is a pole.
hol_status hol_state_space_gain(hol_context *ctx, const hol_state_space *s, const double *pole_re,
                                const double *pole_im, double *gain);
// C (i omega - A)^-1 B + D at each omega, (ny x nu x count); infinite at a pole.
hol_status hol_state_space_response(hol_context *ctx, const hol_state_space *s, int count,
                                    const double *omega, double *re, double *im);

#endif
