// How the multipliers of closed loops are found: by A factored where rows are few, by conjugate gradients, or by the matrix of all
// joints. One interface, which loop_solve.c chooses by. docs/theory.md, section 15.5.
#ifndef HOL_RECURSION_LOOP_SOLVER_H
#define HOL_RECURSION_LOOP_SOLVER_H

#include "recursion/coordinates.h"
#include "recursion/loop_solve.h"

// What is corrected: joint coordinates q and rates u of the tree, or, NULL, the bodies' own coordinates and velocities.
typedef struct hol_joint_state {
    hol_coordinates *c;
    double *q, *u, *room; // room: (n_q + n_u)
} hol_joint_state;

struct hol_loop_solver {
    // x->a, o->mu, o->u and with `multipliers` x->lam, at a state whose users' equations are evaluated.
    hol_status (*accelerate)(hol_loops *o, hol_state *x, bool multipliers);
    // x->lam of the accelerations found last.
    void (*multipliers)(hol_loops *o, hol_state *x);
    // Into o->w twists of smallest energy that close what is open: the change of the positions, or the velocities then, or in
    // joint coordinates their change, which keeps the joints of the tree whole. fresh: by new factors. part, exact: what may be
    // left, of what is open or by the rows' natural size.
    hol_status (*close)(hol_loops *o, const hol_joint_state *to, bool velocity, bool fresh, double part,
                        double exact);
    // The positions are settled. *fresh: `close` for velocities is to make new factors.
    hol_status (*settled)(hol_loops *o, bool *fresh);
    // The accelerations and multipliers of a settled state whose users' equations are evaluated. fresh: no factors are there yet.
    hol_status (*finish)(hol_loops *o, bool fresh, hol_state *x);
    // x <- A^-1 b by the factors; NULL: there are none.
    void (*divide)(const hol_loops *o, const double *b, double *x);
    // Of one evaluation, roughly.
    double (*operations)(const hol_loops *o);
};

extern const hol_loop_solver hol_loop_dense, hol_loop_gradients, hol_loop_joints;

#endif
