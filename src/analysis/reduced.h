// The equations of motion linearised on the constraint manifold at a state: coordinates p of the positions, w of the
// velocities, users' states X, and the matrix A of
//
//     (p; w; X)' = A (p; w; X),      q = q_n + N p + ..,      v = v_n + Z p + V w
//
// N a basis of ker Phi_q, V of ker (Phi_q; Psi_v) (V = N without velocity constraints), both orthonormal in a metric W. With
// W = M its blocks are -M_R^-1 K_R and -M_R^-1 C_R. All derivatives are exact. docs/theory.md, section 13.1.
#ifndef HOL_REDUCED_H
#define HOL_REDUCED_H

#include "system/kernel.h"

typedef struct hol_reduced {
    hol_equations *s;
    hol_kernel *k;         // with the factors of the accelerations, the caller's
    bool natural;          // W = diag(1/size^2), the metric of the tangent charts; else the mass matrix
    bool rest;             // of forces alone, without velocities: A has p and X alone, n = d + nx, e = 0
    int d, e;              // coordinates p, velocities w: e = d - nk; of a part: directions in use
    int n;                 // d + e + nx
    double *N, *V;         // directions                                            (nq x d), (nq x e)
    double *WN, *WV;       // W times them                                          (nq x d), (nq x e)
    double *Z;             // what velocities change by p                           (nq x d)
    double *A;             // column-major                                          (n x n)
    hol_kernel positions;  // [W Phi_q^T; Phi_q 0]
    hol_kernel velocities; // the same with Psi_v; not made without velocity constraints
    double *metric, *mass; // values of W and M with their borders, in the pattern of S
    double *dq, *dv, *dX;  // directions for linear.h
    double *out;           // changes of all unknowns
    double *work;          // (n of the system)
    double *noise;         // what rounding may make of the entries of A (separate.h), or NULL (n x n)
    double *memory;
} hol_reduced;

hol_status hol_reduced_create(hol_context *ctx, hol_kernel *k, bool natural, hol_reduced *r);
// The equations projected onto a few directions of ker Phi_q, at most so many; W = M. With 0 no matrix A, only what follows it.
hol_status hol_reduced_create_part(hol_context *ctx, hol_kernel *k, int directions, hol_reduced *r);
// w' and X' of a change of all unknowns, as rows of a column of A; the rows of p are 0.
void hol_reduced_take(const hol_reduced *r, const double *change, double *column);
// Of forces alone, W = diag(1/size^2) in place of the masses (20.2): A = [-K_R, ..] over (p; X), a state with v = a = 0. Velocity
// constraints hold nothing.
hol_status hol_reduced_create_at_rest(hol_context *ctx, hol_kernel *k, hol_reduced *r);
void hol_reduced_destroy(hol_reduced *r);
// At a consistent state, the factors of k being those of the accelerations there. Nothing is allocated.
// HOL_RECOVERABLE: a singular pose. At rest the factors of k are those of (20.2).
hol_status hol_reduced_find(hol_reduced *r, const hol_state *x);
// The same for a part: basis (nq x count), of independent vectors.
hol_status hol_reduced_find_part(hol_reduced *r, const hol_state *x, int count, const double *basis);
// N becomes N U (d x d, orthogonal), and A that of these; without velocity constraints or at rest. room: (nq x d).
hol_status hol_reduced_rotate(hol_reduced *r, const hol_state *x, const double *U, double *room);
// A (n x n) at x by the factors there are, along directions dq, dv, dX about as those of r; out: the changes of all unknowns.
hol_status hol_reduced_matrix(const hol_reduced *r, const hol_state *x, const double *dq, const double *dv,
                              const double *dX, double *out, double *A);
// The kernels at x alone.
hol_status hol_reduced_prepare(hol_reduced *r, const hol_state *x);
// z: how velocities must change along n (nq + 1) so that all constraints on them hold; W-orthogonal to V.
hol_status hol_reduced_follow(hol_reduced *r, const hol_state *x, const double *n, double *z);
// The same where Phi_q z must be by `more` as well in an active row; -1: nowhere.
hol_status hol_reduced_follow_driven(hol_reduced *r, const hol_state *x, const double *n, int row,
                                     double more, double *z);
// The vector of ker Phi_q, or with velocity constraints of V, that is nearest to b in W, in place.
hol_status hol_reduced_project(hol_reduced *r, double *b);
// y = M x (nq), with the mass matrix of the last state.
void hol_reduced_mass_times(const hol_reduced *r, const double *x, double *y);
// -M_R^-1 K_R over the velocities w: how w' changes when p goes along V, (e x e).
void hol_reduced_stiffness(const hol_reduced *r, double *out);

#endif
