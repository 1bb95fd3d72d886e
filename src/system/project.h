// Projections onto the constraints, and accelerations, with the rows that are active in the system.
#ifndef HOL_PROJECT_H
#define HOL_PROJECT_H

#include "system/system.h"

// Moves x->q by Gauss-Newton steps that are smallest in the metric of the mass matrix until Phi(q, t) = 0.
//   HOL_RECOVERABLE: no convergence; *worst (may be NULL) is the model row with the largest residual.
hol_status hol_project_positions(hol_system *s, hol_state *x, int *worst);
// The smallest change of x->v with Phi_q v + Phi_t = 0.
hol_status hol_project_velocities(hol_system *s, hol_state *x);
// a and lam from [M Phi_q^T; Phi_q 0][a; lam] = [Q; tau]. HOL_RECOVERABLE: singular.
hol_status hol_solve_accelerations(hol_system *s, hol_state *x);

// S = [W  Phi_q^T; Phi_q  0] at x, factored: what the projections use.
hol_status hol_project_metric(hol_system *s, const hol_state *x);

#endif
