// The equations of a Rosenbrock stage as one sparse system in the coordinates of the model, for many degrees of freedom:
// neither J1, J2 nor a basis of ker Phi_q is formed. docs/theory.md, section 9.2.
//
//     E dq - g h E dv + Phi_q^T s1 = E rho/h                 Phi_q dq = -Phi_t dt
//     (1/g) E dv - h E da + Phi_q^T s2 = E r                 Phi_q dv + W dq = -(Phi_q v + Phi_t)_t dt
//     M da + Phi_q^T dlam + K dq - D dv = (..)_t dt          Phi_q da + ((Phi_q a)_q - tau_q) dq - tau_v dv = (..)_t dt
//
// with users' unknowns among da and their states behind dv. The stage is the part of dv in ker Phi_q.
#ifndef HOL_STAGE_MATRIX_H
#define HOL_STAGE_MATRIX_H

#include "integrator/chart.h"

typedef struct hol_stage_matrix hol_stage_matrix;

// c: an implicit tangent chart of a model without velocity constraints, kept by pointer. NULL: the message is in ctx.
hol_stage_matrix *hol_stage_matrix_create(hol_context *ctx, hol_chart *c);
void hol_stage_matrix_destroy(hol_stage_matrix *b);
// Derivatives at x, the chart's point.
void hol_stage_matrix_find(hol_stage_matrix *b, const hol_state *x);
// wrong: for tests, what the Jacobian is multiplied by.
hol_status hol_stage_matrix_factor(hol_stage_matrix *b, double h, double gamma, double wrong);
// See hol_stages_solve; l and rho are (nq + nx).
hol_status hol_stage_matrix_solve(hol_stage_matrix *b, double dt, const double *rho, double *l);
void hol_stage_matrix_stats(const hol_stage_matrix *b, hol_kkt_stats *out);
void hol_stage_matrix_archive(hol_stage_matrix *b, hol_archive *a);

#endif
