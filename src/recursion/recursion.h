// Forward dynamics of a tree with cut loops in O(n): elimination from the leaves to the roots, substitution back.
//
// Unknowns are twists nu, one per body: (x', y', theta') in the plane, the velocity of the centre of mass and the angular
// velocity in space, both in global axes; point masses have zeros in place of a rotation. With B the rows of the tree:
//
//     M u + B^T lam = f,   B u = gam,   u = nu'                        the tree                          (14.3)
//     D nu + theta_t = 0                                               the loops                         (14.9)
//
// All vectors of twists and wrenches have d entries per body and n in all, in the order of the forest. Everything that
// depends on the positions is made by _set and _factor; any number of _apply may follow. Nothing allocates after create.
#ifndef HOL_RECURSION_RECURSION_H
#define HOL_RECURSION_RECURSION_H

#include "system/equations.h"
#include "system/forest.h"

typedef struct hol_recursion hol_recursion;

typedef struct hol_recursion_size {
    int d;                 // entries of a twist: 3 in the plane, 6 in space
    int n;                 // d * bodies
    int n_tree;            // rows of the tree
    int n_loops;           // loop rows that are active in the system
    int n_elements;        // loop elements
    long factors, applies; // counters
} hol_recursion_size;

// s: the system whose active rows, multipliers and states are meant; s and f must outlive it. Rows of the tree must be
// active (hol_forest_prefer). The order of bodies is that of f.
//   HOL_ERR_MODEL: refused by name: velocity constraints, rows of the tree that are left out
hol_status hol_recursion_create(hol_context *ctx, const hol_equations *s, const hol_forest *f,
                                hol_recursion **out);
void hol_recursion_destroy(hol_recursion *r);
// Other rows of the system are active (hol_equations_reselect): rows are numbered anew. Nothing is allocated.
hol_status hol_recursion_reselect(hol_recursion *r);
const hol_recursion_size *hol_recursion_sizes(const hol_recursion *r);

// ---- the tree -------------------------------------------------------------------------------------------------

// Everything at x->t, x->q, x->v, x->z: frames, twists, joints, forces (gravity, gyroscopic and all force elements).
void hol_recursion_set(hol_recursion *r, const hol_state *x);
// Its two parts: all but the force elements, and these, once.
void hol_recursion_place(hol_recursion *r, const hol_state *x);
void hol_recursion_add_forces(hol_recursion *r, const hol_state *x);
// The elimination that depends on positions only. HOL_ERR_MODEL: a body without inertia that its joints leave free,
// named; HOL_RECOVERABLE: not finite.
hol_status hol_recursion_factor(hol_recursion *r);

const double *
hol_recursion_twists(const hol_recursion *r);   // nu at the state that was set                        (n)
double *hol_recursion_forces(hol_recursion *r); // f there, of the free tree; the caller may add to it     (n)
// Power of the force elements there that is not derived from a potential [W], where it was asked for before.
void hol_recursion_want_power(hol_recursion *r, bool wanted);
double hol_recursion_power(const hol_recursion *r);
const double *
hol_recursion_bias(const hol_recursion *r); // jump with B jump = gam of the accelerations         (n)

// u with M u + B^T lam = f, B u = B jump. f or jump NULL: 0. f and u may be the same array.                        (n) each
void hol_recursion_apply(hol_recursion *r, const double *f, const double *jump, double *u);
// The same with _factor before, in one pass.
hol_status hol_recursion_factor_apply(hol_recursion *r, const double *f, const double *jump, double *u);
// The same with _forces and _bias; the accelerations stand in _room, and q'' in x->a.
hol_status hol_recursion_solve_accelerations(hol_recursion *r, hol_state *x);
// The multipliers of the tree that go with f and u, kept for _put_multipliers; the bias is lost.
void hol_recursion_multipliers(hol_recursion *r, const double *f, const double *u);
// Room for twists; the functions below that move or project use it.                                              (n)
double *hol_recursion_room(hol_recursion *r);

// q'' of the accelerations u at the state that was set into x->a; v of the twists nu at the positions that were set.
void hol_recursion_put_accelerations(const hol_recursion *r, const double *u, hol_state *x);
void hol_recursion_put_velocities(const hol_recursion *r, const double *nu, hol_state *x);
// Moves x->q along the twist u for a time h; Euler parameters turn by h omega and stay of unit length.
void hol_recursion_move(const hol_recursion *r, double h, const double *u, hol_state *x);
// Euler parameters in x->q and their rates in x->v put onto the unit sphere.
void hol_recursion_normalise(const hol_recursion *r, hol_state *x);
// Multipliers x->lam of all joints from those found last of the tree and those of the loops; mu NULL: 0.
void hol_recursion_put_multipliers(const hol_recursion *r, const double *mu, hol_state *x);
// The other way: those of the loops.
void hol_recursion_take_multipliers(const hol_recursion *r, const hol_state *x, double *mu);
// Those of the normalisations of Euler parameters, which hold nothing; x->lam of all joints must be there.
void hol_recursion_put_normalisations(hol_recursion *r, hol_state *x);

// x->a of a model without loop rows (with them: of the free tree): set, factor and apply in one go. It sets x->lam of the
// joints only when multipliers are wanted.
hol_status hol_recursion_accelerations(hol_recursion *r, hol_state *x, bool multipliers);

// Positions and velocities of the tree put onto its joints, by the smallest changes in the metric of the masses.
// tolerance [-]: of the rows by their natural size; *count is raised by the steps made. HOL_RECOVERABLE: no convergence.
hol_status hol_recursion_project_positions(hol_recursion *r, hol_state *x, double tolerance, int *count);
hol_status hol_recursion_project_velocities(hol_recursion *r, hol_state *x);
// Both, where they are violated by more than the given parts of the natural sizes; velocities that have been put onto the
// joints before positions were moved keep the square of what was violated. near: factors of a pose near x are there; only
// the metric depends on them. *set: nothing was changed, and x is set.
hol_status hol_recursion_project(hol_recursion *r, hol_state *x, double position, double velocity, bool near,
                                 bool *set);
// The parts of these, at a state that is set. What the joints of the tree are open by, in position or velocity, in natural
// sizes; the gaps stand in _room.
double hol_recursion_gaps(const hol_recursion *r, const hol_state *x, bool velocity);
// The twists that close them, in _room, by the factors that are there, or made for it; the bias is lost.
hol_status hol_recursion_close_gaps(hol_recursion *r, bool factored);

// ---- the loops ------------------------------------------------------------------------------------------------

// Rows of the loops at the state that was set: values, D, and what follows from velocities.
void hol_recursion_set_loops(hol_recursion *r, const hol_state *x);
// D and tau only; values and rates need not be there. u not NULL: b = D u - tau.                                   (n), (n_loops)
void hol_recursion_bend_loops(hol_recursion *r, const hol_state *x, const double *u, double *b);
const double *
hol_recursion_theta(const hol_recursion *r); // values                                     (n_loops)
const double *
hol_recursion_theta_rate(const hol_recursion *r); // theta' = D nu + theta_t                (n_loops)
const double *
hol_recursion_theta_tau(const hol_recursion *r); // D nu' = tau is theta'' = 0                 (n_loops)
void hol_recursion_loops_times(const hol_recursion *r, const double *u, double *out); // out = D u
void hol_recursion_loops_force(const hol_recursion *r, double c, const double *mu,
                               double *f); // f += c D^T mu
// Blocks of D M^-1 D^T, one per loop element, factored at the state that was set. A dependent row counts as 0.
void hol_recursion_factor_blocks(hol_recursion *r);
void hol_recursion_solve_blocks(const hol_recursion *r,
                                double *x); // x <- blockdiag(D M^-1 D^T)^-1 x   (n_loops)
// With E = blockdiag(..)^-1 = H^T H: x <- H x, or transposed x <- H^T x.
void hol_recursion_solve_half(const hol_recursion *r, bool transposed, double *x);
// u = K D^T x (n), out = D u (n_loops), K the inverse mass of the tree; needs _factor, and _set_loops. x and out may be
// the same.
void hol_recursion_operator(hol_recursion *r, const double *x, double *u, double *out);
// Estimates of the extreme eigenvalues of A = D K D^T, or of E A (scaled), from inside; exact up to as many loop rows as
// steps. After _factor and _set_loops. This allocates.
enum { HOL_RECURSION_STEPS = 20 };
hol_status hol_recursion_spectrum(hol_context *ctx, hol_recursion *r, bool scaled, double *least,
                                  double *most);
// Multipliers from the openings, (15.4), at the state x that was set: gain = E (theta' + alpha theta)/eps, mu += gain, and
// the force -D^T (mu + carry gain) is added to _forces. Leaves theta and theta', not tau.
typedef struct hol_regularization {
    double alpha, eps, carry;
    bool scaled; // E: the inverse blocks; or the identity
} hol_regularization;
void hol_recursion_regularize(hol_recursion *r, const hol_state *x, const hol_regularization *c, double *mu,
                              double *gain);                  // (n_loops) each
const double *hol_recursion_row_size(const hol_recursion *r); // natural sizes of the loop rows (n_loops)
double hol_recursion_loop_norm(const hol_recursion *r, const double *x); // largest x_i by them

#endif
