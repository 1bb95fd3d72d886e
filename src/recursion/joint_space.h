// Inertia and bias of a tree of joints in the coordinates p and rates u of its joints, (17.1):
//
//     v = N u + v0,      a = N u' + c,      H u' + h = tau,      H = N^T M N,      h = N^T (M c - Q)            (17.8)
//
// The reactions of the joints are not in it: N^T Phi_q^T = 0.
#ifndef HOL_RECURSION_JOINT_SPACE_H
#define HOL_RECURSION_JOINT_SPACE_H

#include "recursion/coordinates.h"

typedef struct hol_joint_space {
    hol_loops tree;
    hol_coordinates *c;
    int n_p, n_u;
    double *p, *u;  // those that were put last                                             (n_p), (n_u)
    double *N, *v0; //                                                                (nq x n_u), (nq)
    double *H, *h;  // those found last                                           (n_u x n_u), (n_u)
    double *Mx, *a; // room                                                          (nq), (nq)
    double *twist;  // room                                                      (of all bodies)
    double *rate;   //                                                                        (n_u)
    hol_state x;    // room
    double *memory;
} hol_joint_space;

// s: all rows of the tree in use; x: consistent. HOL_RECOVERABLE: the model has no such coordinates, *obstacle says why. Destroy it
// after a failure too.
hol_status hol_joint_space_create(hol_context *ctx, hol_equations *s, const hol_state *x, hol_joint_space *o,
                                  hol_obstacle *obstacle);
void hol_joint_space_destroy(hol_joint_space *o);
// p and u of a consistent state, or the other way: x->q and x->v of p and u at x->t. This is the state that all below are of.
void hol_joint_space_take(hol_joint_space *o, const hol_state *x);
void hol_joint_space_put(hol_joint_space *o, const double *p, const double *u, hol_state *x);
// N and v0.
void hol_joint_space_find_basis(hol_joint_space *o);
// u' of the accelerations x->a.
void hol_joint_space_rates(hol_joint_space *o, const hol_state *x, double *rate);
// H, after the basis.
void hol_joint_space_inertia(hol_joint_space *o, const hol_state *x);
// h of the forces Q (nq), after the basis; x->a: any accelerations with Phi_q a = gamma.
void hol_joint_space_bias(hol_joint_space *o, const hol_state *x, const double *Q);

#endif
