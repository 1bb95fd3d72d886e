// Accelerations and projections through the tree solve, loop multipliers exact: conjugate gradients on
//
//     A mu = D u_free - tau,    A = D K D^T,    u = u_free - K D^T mu                              (15.8)
//
// with the tree solve as operator, preconditioned by the blocks of D M^-1 D^T; for few rows A is made and factored with
// pivoting. At singular poses both find a solution, the first the one of smallest norm. What the sparse matrix does in
// system/kernel.h is done here in O(n). docs/theory.md, section 15.5.
#ifndef HOL_RECURSION_LOOP_SOLVE_H
#define HOL_RECURSION_LOOP_SOLVE_H

#include "system/explicit.h"
#include "recursion/recursion.h"

enum { HOL_LOOPS_DENSE = 50 }; // rows up to which A is factored

typedef struct hol_delassus hol_delassus;
typedef struct hol_joint_matrix hol_joint_matrix;
typedef struct hol_loop_solver hol_loop_solver;

typedef struct hol_loops {
    hol_equations *s;
    hol_forest forest;
    hol_tree *r;
    hol_explicit users;
    const hol_tree_size *size;
    const hol_loop_solver *solver; // which of three: loop_solver.h
    double accuracy;               // of the accelerations: part of the right-hand side that may be left
    const double *row_size;        // natural size of each loop row                                  (n_loops)
    double *mu;                // multipliers of the accelerations found last, the next start      (n_loops)
    double *b, *g, *p, *z, *d; // right-hand side, residual, direction, preconditioned, change  (n_loops)
    double *u, *w, *k;         // twists and wrenches; with joints u are the recursion's forces     (n)
    double *A;                 // factored, (n_loops x n_loops); NULL: conjugate gradients
    hol_delassus *delassus;    // of A
    int *pivot, rank;
    hol_joint_matrix *joints; // all joints are loops, and A is factored by blocks; NULL: one of the above
    bool refine;              // with joints: what rounding leaves of the accelerations is solved for again
    double *memory;
    long solves, iterations;
} hol_loops;

// Does the model suit? HOL_RECOVERABLE: no, *obstacle says why.
hol_status hol_loops_possible(hol_context *ctx, const hol_model_data *m, hol_obstacle *obstacle);
// x: a consistent state; cut: as hol_forest_create_without, or NULL: the tree laid before, or any. Where rows of the tree are left out
// as redundant, other rows of s are in use afterwards. Destroy it after a failure too. HOL_RECOVERABLE: *obstacle says what the
// tree does not carry.
hol_status hol_loops_create(hol_context *ctx, hol_equations *s, const hol_state *x, const char *cut,
                            double accuracy, hol_loops *o, hol_obstacle *obstacle);
// The same with all joints cut and A = D M^-1 D^T factored by blocks. HOL_RECOVERABLE: that takes more than most_products of
// blocks, or a body has no inertia.
hol_status hol_loops_create_joints(hol_context *ctx, hol_equations *s, double accuracy, double most_products,
                                   hol_loops *o, hol_obstacle *obstacle);
// The tree is that of a method from now on (hol_equations.cut).
hol_status hol_loops_keep(const hol_loops *o);
void hol_loops_destroy(hol_loops *o);
// Gives back the room of the solver: forest, recursion and users' equations stay.
void hol_loops_release(hol_loops *o);

// What is wanted of x->z, x->a, x->lam; HOL_WANT_RATES at least. HOL_RECOVERABLE: not determined.
hol_status hol_loops_accelerations(hol_loops *o, hol_state *x, hol_wanted wanted);
// The accelerations of all bodies that were found last, as twists; NULL: by the tree alone.              (size->n)
const double *hol_loops_found(const hol_loops *o);
// Positions and velocities by the smallest changes in the metric of the masses, then accelerations and the multipliers of the
// joints.
hol_status hol_loops_settle(hol_loops *o, hol_state *x);
// Those of the normalisations of Euler parameters, which nothing but the reactions of redundant joints asks for.
void hol_loops_complete(hol_loops *o, hol_state *x);
// Smallest singular value of D by the metric K, in some unit, at the state of the last accelerations: how near a singular
// pose is. INFINITY: not known, where A is not factored.
double hol_loops_distance(hol_loops *o);
// At that distance: the smallest singular value of the constraints in natural sizes is not below this. 0: not known. (9.19a)
double hol_loops_clearance(const hol_loops *o, double distance);
// Least sine of the angle between a row of D and those before it in the order of the pivots, by the metric K, at the state of
// the last factors of A: (15.16). 0: not known, or rows are dependent.
double hol_loops_independence(const hol_loops *o);
void hol_loops_archive(hol_loops *o, hol_archive *a);
// Operations of one evaluation, roughly, to choose by.
double hol_loops_operations(const hol_loops *o);
// Is hol_loops_distance not known?
bool hol_loops_blind(const hol_loops *o);

#endif
