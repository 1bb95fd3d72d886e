// Consistent initial values: positions, velocities, accelerations, multipliers; every change is reported.
#ifndef HOL_INITIAL_H
#define HOL_INITIAL_H

#include "system/rank.h"

// Moves x->q by Gauss-Newton steps that are smallest in the metric of the mass matrix until Phi(q, t) = 0.
//   HOL_RECOVERABLE: no convergence; *worst (may be NULL) is the model row with the largest residual.
hol_status hol_project_positions(hol_system *s, hol_state *x, int *worst);
// The smallest change of x->v with Phi_q v + Phi_t = 0.
hol_status hol_project_velocities(hol_system *s, hol_state *x);
// a and lam from [M Phi_q^T; Phi_q 0][a; lam] = [Q; tau]. HOL_RECOVERABLE: singular.
hol_status hol_solve_accelerations(hol_system *s, hol_state *x);

// The whole start of a simulation: assembles, finds the rank, makes the working system and its consistent state.
//   *system and *x are the caller's to destroy; *rank too.
hol_status hol_initialise(hol_context *ctx, const hol_model_data *m, bool quiet, hol_system **system,
                          hol_state *x, hol_rank *rank);

#endif
