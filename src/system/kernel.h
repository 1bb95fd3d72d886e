// The kernel of the constraints at a state: one KKT matrix and all that is found with its factors.
//
//     [W  Phi_q^T  Psi_v^T; Phi_q  0  0; Psi_v  0  0] [x; mu; nu] = [b; r; s]        W any metric            (4.1), (4.2)
//
//     b = 0:          lifting, the smallest x in W with Phi_q x = r, Psi_v x = s
//     r = 0, s = 0:   projection, x is the vector of the kernel of Phi_q and Psi_v that is nearest to W^-1 b
//
// A kernel is a matrix of its own over equations that several may share; W is the mass matrix, a diagonal, or what a method puts
// there. Everything that puts a point onto the constraints is here. docs/theory.md, sections 4.1, 4.2, 9.4 and 9.5.
#ifndef HOL_KERNEL_H
#define HOL_KERNEL_H

#include "linalg/kkt.h"
#include "system/equations.h"

typedef struct hol_kernel {
    hol_equations *s;
    hol_kkt *A;         // NULL until hol_kernel_need
    long selection;     // of the rows that A was made for
    double *rhs, *work; // room of those who solve, as long as A lives: (n), (2 (n + m->nc + nk))
    // the factorisation with which accelerations were found last (0: none), of which state (its q) and time
    long solved;
    const double *solved_of;
    double solved_at;
} hol_kernel;

// Without a matrix: pattern, order and factors of a large model are most of the memory. What needs them asks for them.
hol_kernel hol_kernel_of(hol_equations *s);
// Room and matrix, made if they are not there or belong to other rows. Whoever uses a kernel in the step loop has called this in
// create.
hol_status hol_kernel_need(hol_kernel *k);
// The same in the order of another kernel, where that has a matrix of these equations: finding it is most of what making one costs.
hol_status hol_kernel_need_like(hol_kernel *k, const hol_kernel *like);
hol_status hol_kernel_need_room(hol_kernel *k);
// Gives matrix and room back; the equations stay.
void hol_kernel_drop(hol_kernel *k);
// Are the factors at hand those with which the accelerations of x were found? It has to be the same state still, not only its time; who
// gives it other numbers forgets.
bool hol_kernel_has_accelerations(const hol_kernel *k, const hol_state *x);
void hol_kernel_note_accelerations(hol_kernel *k, const hol_state *x);
void hol_kernel_forget_accelerations(hol_kernel *k);
// The values, and the factors with them, bit for bit.
void hol_kernel_archive(hol_kernel *k, hol_archive *a);

// ---- the matrix -----------------------------------------------------------------------------------------------

// S of these coefficients at x, counted; not factored.
void hol_kernel_matrix(hol_kernel *k, const hol_state *x, const hol_coefficients *c);
// Factors what is there with the regularisation of the rows in use.
hol_status hol_kernel_factor(hol_kernel *k);
// W = diag(E), NULL: 1/size^2 by natural size; factored. with: the velocity constraints too, HOL_WITH_RATES.
hol_status hol_kernel_set(hol_kernel *k, const hol_state *x, unsigned with, const double *E);
// The same without the factors.
hol_status hol_kernel_fill(hol_kernel *k, const hol_state *x, unsigned with, const double *E);
// W = M.
hol_status hol_kernel_set_mass(hol_kernel *k, const hol_state *x);
// W = M + small, regular where M alone is not.
hol_status hol_kernel_set_metric(hol_kernel *k, const hol_state *x, unsigned with);
// Solves in place, b (n x cols). HOL_RECOVERABLE: not finite.
hol_status hol_kernel_solve(hol_kernel *k, int cols, double *b);

// ---- liftings and projections, with the matrix at hand --------------------------------------------------------

// Smallest x (nq) with Phi_q x = r: rows = nc; and Psi_v x = what stands behind: rows = nc + nk.
hol_status hol_kernel_lift(hol_kernel *k, int rows, const double *r, double *x);
// The vector v (nq) of the kernel nearest to W^-1 b, from b = W v (nq).
hol_status hol_kernel_project(hol_kernel *k, const double *b, double *v);

// What the rows miss at the velocities of x, signs turned: where k->work has the right hand side of the rows.
void hol_kernel_missing_velocities(hol_kernel *k, const hol_state *x);

// When corrections end.
typedef struct hol_closing {
    int least;    // corrections that are made in any case
    int most;     // corrections
    double slow;  // part of the last error that may remain after one, from the third on
    double loose; // what may be missing where they end without success, by what rounding leaves; 0: nothing
} hol_closing;

// Corrections of x->q until Phi(q, t) = 0 to rounding, by the matrix at hand (chord steps); *count is raised by their number. A
// constraint's error is a force where a stiff spring hangs on it. HOL_RECOVERABLE: too slow, or not within `most`.
hol_status hol_kernel_positions(hol_kernel *k, hol_state *x, const hol_closing *limits, int *count);
// The same of x->v until Phi_q v + Phi_t = 0 and Psi = 0.
hol_status hol_kernel_velocities(hol_kernel *k, hol_state *x, const hol_closing *limits, int *count);
// Positions and velocities with the mass matrix at x, made anew where corrections are slow (near a singular pose), then
// accelerations. HOL_RECOVERABLE: singular, or too far away.
hol_status hol_kernel_settle(hol_kernel *k, hol_state *x);

// ---- projections from afar, accelerations ---------------------------------------------------------------------

// Moves x->q by Gauss-Newton steps that are smallest in the metric of the mass matrix until Phi(q, t) = 0.
//   HOL_RECOVERABLE: no convergence; *worst (may be NULL) is the model row with the largest residual.
hol_status hol_project_positions(hol_kernel *k, hol_state *x, int *worst);
// The smallest change of x->v with Phi_q v + Phi_t = 0, as far as the rows allow. delta: regularisation.
hol_status hol_project_velocities(hol_kernel *k, hol_state *x);
hol_status hol_project_velocities_with(hol_kernel *k, hol_state *x, double delta);
// The velocities behind an inelastic impact, (8.59): nearest in the metric of the masses alone, so that momenta stay.
hol_status hol_join_velocities(hol_kernel *k, hol_state *x);
// a and lam from [M Phi_q^T; Phi_q 0][a; lam] = [Q; tau]. HOL_RECOVERABLE: singular.
hol_status hol_solve_accelerations(hol_kernel *k, hol_state *x);
hol_status hol_solve_accelerations_with(hol_kernel *k, hol_state *x, double delta);
// The matrix of these at x, factored, for derivatives: that with which they were found may be the one of the iterate before, where products of
// unknowns had other values. HOL_RECOVERABLE: singular.
hol_status hol_factor_accelerations(hol_kernel *k, const hol_state *x);
// a and lam where x lies near another state and has its unknowns: by one correction if the factors are still those of that state. It
// leaves an error of second order in the distance.
hol_status hol_solve_accelerations_near(hol_kernel *k, const hol_state *other, hol_state *x);
// One correction of these by what the equations themselves miss, with the factors at hand: for who wants them to rounding.
hol_status hol_refine_accelerations(hol_kernel *k, hol_state *x);

// Other rows take part from now on, as many as before; the multipliers of these states are converted so that Phi_q^T lam
// stays the same. This allocates. Other kernels of the same equations notice by themselves.
hol_status hol_kernel_reselect(hol_kernel *k, const char *active, hol_state *const *x, int n_states);

#endif
