// How accelerations change with positions, velocities and time: right-hand sides of the bordered system for many
// directions at once. docs/theory.md, section 9.2.
//
// A direction is dq = n, dt = tau (the last row of N, which has nq + 1 rows), dv = z, and dX for users' states. With S = [M Phi_q^T; Phi_q 0] at
// the state, users' equations included, the change of (a; z; lam; kap) is S^-1 of the columns found here:
//
//     rows of a       -(K_M + K_phi - Q_q) n + Q_v z + (..)_t tau
//     rows of z         E_q n + E_v z + E_X dX + E_t tau
//     rows of lam      (tau_q - (Phi_q a)_q) n + tau_v z + (..)_t tau
#ifndef HOL_LINEAR_H
#define HOL_LINEAR_H

#include "system/system.h"

// N (nq + 1 x cols), Z (nq x cols), X (nx x cols), out (n x cols), all column-major. Velocity constraints are not treated: nk = 0.
void hol_linear_accelerations(hol_system *s, const hol_state *x, int cols, const double *N, const double *Z,
                              const double *X, double *out);
// -((Phi_q v + Phi_t)_q n + (..)_t tau): what Phi_q z must be, (nc x cols) with leading dimension ld.
void hol_linear_velocities(hol_system *s, const hol_state *x, int cols, const double *N, int ld, double *out);

#endif
