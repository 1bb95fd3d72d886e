// All joints cut: the Delassus matrix D M^-1 D^T of all loop rows, M the bodies' own inertia, factored by blocks of one joint each.
// For a forest without joints (hol_forest_none). docs/theory.md, section 15.9.
#ifndef HOL_RECURSION_JOINT_MATRIX_H
#define HOL_RECURSION_JOINT_MATRIX_H

#include "recursion/data.h"

typedef struct hol_joint_matrix hol_joint_matrix;

// most_products: of blocks in one factorisation. HOL_RECOVERABLE: more are needed, or a body has no inertia. r must outlive it.
hol_status hol_joint_matrix_create(hol_context *ctx, hol_tree *r, double most_products,
                                   hol_joint_matrix **out);
void hol_joint_matrix_destroy(hol_joint_matrix *o);

// At x: inverse masses, rows D and what follows from velocities; _forces of the recursion become the accelerations u without
// joints, and b = D u - tau. bias: tau is kept. Where only gravity acts in the plane, frames and twists of the recursion are not
// set.                                                                                                        (n_loops)
void hol_joint_matrix_prepare(hol_joint_matrix *o, const hol_state *x, bool bias, double *b);

// The bodies' inverse masses at the state that was placed (hol_tree_place); needed by all that follows.
void hol_joint_matrix_place(hol_joint_matrix *o);
// At the rows that were set (hol_tree_set_loops). x: half of hol_joint_matrix_solve is done on the way; NULL: none. Returns the
// rank.                                                                                                       (n_loops)
int hol_joint_matrix_factor(hol_joint_matrix *o, double *x);
// x <- (D M^-1 D^T)^-1 x, and what a factorisation with x leaves of it.                                       (n_loops)
void hol_joint_matrix_solve(const hol_joint_matrix *o, double *x);
void hol_joint_matrix_solve_back(const hol_joint_matrix *o, double *x);
void hol_joint_matrix_move(const hol_joint_matrix *o,
                           double *f); // f becomes M^-1 f                              (n)
// u -= M^-1 D^T d, of points in the plane with the arms that were set last, else as they were factored. x: x->a of u too, and
// false where it is not finite; NULL: no.                                                          (n_loops), (n)
bool hol_joint_matrix_take(const hol_joint_matrix *o, const double *d, double *u, hol_state *x);
// x->a of u; false: it is not finite.
bool hol_joint_matrix_put(const hol_joint_matrix *o, const double *u, hol_state *x);
// The least mass of a coordinate by natural size: M >= this diag(1/size^2). 0: not known, in space.
double hol_joint_matrix_lightest(const hol_joint_matrix *o);
// Operations of a factorisation with all that belongs to it, roughly: what else is slow counts as operations.
double hol_joint_matrix_operations(const hol_joint_matrix *o);

#endif
