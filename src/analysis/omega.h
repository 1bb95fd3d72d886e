// The fastest vibration, omega_max: what bounds the step of a conditionally stable method; and the fastest growth. docs/theory.md,
// sections 13.4 and 9.4.
#ifndef HOL_OMEGA_H
#define HOL_OMEGA_H

#include "analysis/reduced.h"

enum {
    HOL_OMEGA_MOST = 400
}; // degrees of freedom by dense matrices, half a second for each value; above by Lanczos' method

typedef struct hol_omega hol_omega;

// Largest sqrt|k| over the eigenvalues k of M_R^-1 K_R with positive real part [rad/s]; 0: none. Allocates.
hol_status hol_omega_of(hol_context *ctx, const hol_reduced *r, double *out);

// For many states: with a system of its own, in the mass metric. HOL_ERR_USAGE: a large model with what is not treated there.
hol_status hol_omega_create(hol_context *ctx, const hol_equations *s, hol_omega **out);
void hol_omega_destroy(hol_omega *o);
// Nothing is allocated, unless other rows of redundant loops (those of `s`) are in use than before. NaN: a singular pose.
double hol_omega_at(hol_omega *o, const hol_equations *s, const hol_state *x);
// Largest real part of the eigenvalues of the linearised motion [1/s], 0 where none is positive by more than rounding.
// HOL_RECOVERABLE: a singular pose, or a large model.
hol_status hol_omega_growth_at(hol_omega *o, const hol_equations *s, const hol_state *x, double *out);
// The same to digits of its own where some motions are far faster than others (separate.h), of eigenvalues whose real part is more than
// `least` of them. Allocates.
hol_status hol_omega_growth_exactly(hol_omega *o, const hol_equations *s, const hol_state *x, double least,
                                    double *out);

#endif
