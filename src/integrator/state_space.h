// The equations of motion as an ordinary differential equation of u = (q; v; X), for methods that are linear in u. What such
// a method does to all coordinates it does to those of any chart y = P (q - q_n), so that the chart may be another one from
// one evaluation to the next. docs/theory.md, section 9.4.
//
//     q' = v*,  v' = a(q*, v*, X, t),  X' = z        q* = q + x: Phi(q*, t) = 0, N^T E x = 0; v* likewise
//
// N is a basis of ker Phi_q, E = diag(1/size^2): the tangent chart of chart.h. One matrix at a point near by serves,
// [E  Phi_q^T  Psi_v^T; Phi_q  0  0; Psi_v  0  0].
#ifndef HOL_STATE_SPACE_H
#define HOL_STATE_SPACE_H

#include "integrator/integrator.h"

typedef struct hol_state_space {
    hol_equations *s;
    hol_context *ctx;
    int n;             // 2 nq + nx
    hol_kernel *k;     // of the accelerations
    hol_kernel kernel; // of the point near by
    int last;          // corrections of the last evaluation
    int least;         // the fewest of one evaluation at this point, -1: none yet
    int spent;         // those beyond the fewest since the matrix was made
} hol_state_space;

hol_status hol_state_space_create(hol_context *ctx, hol_kernel *k, hol_state_space *f);
void hol_state_space_destroy(hol_state_space *f);
// The matrix at x. HOL_RECOVERABLE: singular.
hol_status hol_state_space_set(hol_state_space *f, const hol_state *x);
// The same when the corrections since the last time have cost as much as a new matrix does.
hol_status hol_state_space_follow(hol_state_space *f, const hol_state *x);
// q*, v*, X of u at t into x. HOL_RECOVERABLE: too far from the constraints.
hol_status hol_state_space_settle(hol_state_space *f, double t, const double *u, hol_state *x);
// The same with accelerations and all other unknowns; rate (may be NULL) is u'.
hol_status hol_state_space_evaluate(hol_state_space *f, double t, const double *u, hol_state *x,
                                    double *rate);

#endif
