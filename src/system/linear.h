// How accelerations change with positions, velocities and time: right-hand sides of the KKT system for many
// directions at once. docs/theory.md, section 9.2.
//
// A direction is dq = n, dt = tau (the last row of N, which has nq + 1 rows), dv = z, and dX for users' states. With S = [M Phi_q^T; Phi_q 0] at
// the state, users' equations included, the change of (a; z; lam; kap) is S^-1 of the columns found here:
//
//     rows of a       -(K_M + K_phi - Q_q) n + Q_v z + (..)_t tau
//     rows of z         E_q n + E_v z + E_X dX + E_t tau
//     rows of lam      (tau_q - (Phi_q a)_q) n + tau_v z + (..)_t tau
//     rows of kap     -(Psi_v a + Psi_q v + Psi_t)_q n - (..)_v z - (..)_t tau
//
// and K_phi n, Q_v z have (Psi_v^T kap)_q n + (Psi_v^T kap)_v z taken off.
#ifndef HOL_LINEAR_H
#define HOL_LINEAR_H

#include "system/equations.h"

// N (nq + 1 x cols), Z (nq x cols), X (nx x cols), out (n x cols), all column-major.
void hol_linear_accelerations(hol_equations *s, const hol_state *x, int cols, const double *N,
                              const double *Z, const double *X, double *out);
// The forces alone: rows of a Q_q n + Q_v z + Q_t tau, rows of z as above, the others 0. Users' unknowns change by (1 - E_z)^-1 of
// their rows, and Q by Q_z times that.
void hol_linear_forces(hol_equations *s, const hol_state *x, int cols, const double *N, const double *Z,
                       const double *X, double *out);
// The change of the force of one element along n (nq) and z (nq), its unknown inputs as they are (ny - 1).
void hol_linear_force(const hol_equations *s, const hol_state *x, const hol_element *e, const double *n,
                      const double *z, double *out);
// Rows of z by inputs and tunable parameters: E_u of the inputs first .. first + cols - 1, numbered as hol_model_input does; the other
// rows are 0. A linear input changes at its value, its slope stays.
void hol_linear_inputs(hol_equations *s, const hol_state *x, int first, int cols, double *out);
// -((Phi_q v + Phi_t)_q n + (..)_t tau): what Phi_q z must be, (nc x cols) with leading dimension ld.
void hol_linear_velocities(hol_equations *s, const hol_state *x, int cols, const double *N, int ld,
                           double *out);
// -(Psi_q n + Psi_v z + Psi_t tau), (nk x cols) with leading dimension ld: what Psi_v times a further change must be. Z may be NULL.
void hol_linear_rates(hol_equations *s, const hol_state *x, int cols, const double *N, const double *Z,
                      int ld, double *out);
// A driver whose value is f(t) + u: how its row, its rate and its acceleration (with that of the state) change by it, P, P' and P''; the
// forces of its multiplier that u gives are taken off those of the bodies in out (n). The active row; -1: it is left out.
int hol_linear_driver(const hol_equations *s, const hol_state *x, const hol_element *e, double P[3],
                      double *out);
// How an expression changes: along directions with changes of all unknowns (n x cols) that belong to them into out (cols, ld apart), and by
// an input or tunable parameter, numbered as all that is held. One without an expression is its leaf (model.h). The first returns the
// largest sum of what its changes are made of, without signs: rounding is a part of this.
double hol_linear_expression(hol_equations *s, const hol_state *x, const hol_equation *e, int cols,
                             const double *N, const double *Z, const double *X, const double *change,
                             double *out, int ld);
double hol_linear_by_held(hol_equations *s, const hol_state *x, const hol_equation *e, int held);
// By what is added to a driver's value, beside its direction: reactions of the driver itself change with P_q (22.4).
double hol_linear_by_driver(hol_equations *s, const hol_state *x, const hol_equation *e, int driver);
// A coordinate y(q, t) or rate s(q, v, t), an element of a constraint by an expression (model.h): values and changes of y, y' and y'', of
// a rate of s and s' in the places of y' and y''. out[k] (cols, ld apart); out[0] of a rate is left alone. size: of the changes of y'' or s',
// as above.
void hol_linear_coordinate(hol_equations *s, const hol_state *x, const hol_element *e, int cols,
                           const double *N, const double *Z, const double *change, double value[3],
                           double *const out[3], int ld, double *size);
// The same rows as matrices, at the places of Phi_q in the pattern of S: (Phi_q a)_q - tau_q into K, -tau_v into D.
void hol_linear_rows(hol_equations *s, const hol_state *x, double *K, double *D);
// K and D of one element alone, -Q_q + .. and -Q_v (nq x nq of its bodies, row-major).
void hol_linear_element(hol_equations *s, const hol_state *x, const hol_element *e, double *K, double *D);

#endif
