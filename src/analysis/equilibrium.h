// A static equilibrium near a state. docs/theory.md, section 20.
//
// Forces alone decide: with v = 0 and W = diag(1/size^2) in place of the masses
//
//     [W Phi_q^T; Phi_q 0] (u; lam) = (Q; 0),     z = E                                            (20.2)
//
// gives multipliers that hold the forces as well as any can, and W u is what they leave. All is in units of an energy by natural
// sizes, whatever the masses are.
#ifndef HOL_EQUILIBRIUM_H
#define HOL_EQUILIBRIUM_H

#include "analysis/reduced.h"
#include "system/rank.h"

#define HOL_BALANCED                                                                                         \
    1e-9 // what is left of the forces on a body, against those that cancel; speeds and rates by natural size and time
enum { HOL_EQUILIBRIUM_MOST = 1000 }; // degrees of freedom, by dense matrices

// What the forces on a body leave.
typedef struct hol_unbalanced {
    double left;    // the largest, by natural size [N m]
    double against; // the forces that cancel there [N m]
    double part;    // left against what may be left: 1 is the bound [-]
    int body;       // where that is largest
} hol_unbalanced;

typedef struct hol_equilibrium {
    hol_reduced r;     // about it, at rest: -K_R in its A
    double *left;      // N^T W u, and X'                                                      (d + nx)
    double *stiffness; // eigenvalues of the symmetric part of K_R, ascending [N m]                (d)
    double *shape;     // their directions, in coordinates p                                       (d x d)
    bool symmetric;    // K_R: all forces have a potential
    bool conservative; // and no states change them
    int neutral;       // then directions without stiffness
    int negative;      // and those with a negative one
    int held;          // of the neutral ones, the last: forces of higher order hold them
    bool falls;        // such forces drive it away, along `away`
    double *away;      //                                                                             (d)
    double place;      // the last step, by natural size: the place is known to it
    double reach;      // from which way on such forces are seen: the place is known to it, by natural size
    double hidden;     // a stiffness that rounding lets look like none [N m]; 0: no direction has none
    bool behind;       // the forces balance behind a hard stop: none is found
    bool flowed;       // Newton's method alone did not find it
    int iterations;    // matrices made
    bool balanced; // what the forces leave is what the search takes for nothing, and so are rates of states
    hol_unbalanced balance;
} hol_equilibrium;

// Changes x to an equilibrium with v = a = 0, its multipliers and unknowns. stable: not one with a negative stiffness. Time stands:
// drivers are where they are at x->t, velocity constraints hold nothing. The factors of k are those of (20.2) then, and other
// rows of redundant loops may be in use. What is found is the caller's to destroy.
hol_status hol_equilibrium_find(hol_context *ctx, hol_kernel *k, hol_rank *rank, hol_state *x, bool stable,
                                hol_equilibrium *out);
// The same of the pose x as it is, in balance or not. aside: it is, and forces of higher order are looked at where stiffness vanishes.
hol_status hol_equilibrium_look(hol_context *ctx, hol_kernel *k, hol_rank *rank, hol_state *x, bool aside,
                                hol_equilibrium *out);
// u (nq) of (20.2) at x, which is put onto the joints, with its unknowns. HOL_RECOVERABLE: none.
hol_status hol_equilibrium_rest(hol_kernel *k, hol_state *x, double *u);
void hol_equilibrium_destroy(hol_equilibrium *e);
// For those who linearise there: the first equilibrium that Newton's method finds, stable or not, without velocity constraints or moving
// drivers, with its accelerations, of which rounding is left.
hol_status hol_equilibrium_go(hol_context *ctx, hol_kernel *k, hol_rank *rank, hol_state *x);
// Those who look for one and do not trim the model's parameters say so.
void hol_equilibrium_warn_of_trim(hol_context *ctx, const hol_model_data *m);

// What is not in balance at a state.
typedef struct hol_balance {
    double residual;                  // |V^T W a|
    double speed, acceleration, rate; // largest by natural size and time [-]; of states relative to 1 + |X|
    bool found;                       // nothing is: the state is an equilibrium
} hol_balance;
// V^T W a and X' (e + nx) into b.
void hol_equilibrium_judge(const hol_reduced *r, const hol_state *x, double *b, hol_balance *out);
// A driver moves: rest is not possible.
bool hol_equilibrium_is_driven(hol_kernel *k, const hol_state *x);

#endif
