// A static equilibrium near a state. docs/theory.md, section 13.3.
#ifndef HOL_EQUILIBRIUM_H
#define HOL_EQUILIBRIUM_H

#include "analysis/reduced.h"
#include "system/rank.h"

#define HOL_BALANCED 1e-9 // speeds, accelerations and rates by natural size and time: below is rest

// What is not in balance at a state: V^T W a and X' (e + nx) into b, and whether the state is an equilibrium.
typedef struct hol_balance {
    double residual;                  // |V^T W a|
    double speed, acceleration, rate; // largest by natural size and time [-]; of states relative to 1 + |X|
    bool found;
} hol_balance;
void hol_equilibrium_judge(const hol_reduced *r, const hol_state *x, double *b, hol_balance *out);

// Newton's method on the reduced equations with v = 0. r is found at x afterwards. Other rows of redundant loops may be in
// use then.
hol_status hol_equilibrium_find(hol_context *ctx, hol_reduced *r, hol_rank *rank, hol_state *x);

#endif
