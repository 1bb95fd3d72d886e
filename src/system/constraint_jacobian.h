// Phi_q as a dense matrix, for those who choose independent coordinates by a pivoted QR or LU.
#ifndef HOL_CONSTRAINT_JACOBIAN_H
#define HOL_CONSTRAINT_JACOBIAN_H

#include "system/equations.h"

// A = diag(1/row size) Phi_q diag(size) of the active rows at (x->t, x->q), columns one behind the other (nc x nq).
// weight: what the columns are multiplied by besides (nq); NULL: nothing.
void hol_constraint_jacobian(const hol_equations *s, const hol_state *x, const double *weight, double *A);

#endif
