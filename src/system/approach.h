// The way to a pose in which the joints close, from one that is far from it or singular.
#ifndef HOL_APPROACH_H
#define HOL_APPROACH_H

#include "system/kernel.h"

// Moves x->q by Levenberg-Marquardt steps until the joints are nearly closed; hol_project_positions does the rest.
// HOL_RECOVERABLE: they stay open; x->q is the best pose found. The system has all rows.
hol_status hol_approach(hol_kernel *k, hol_state *x);

// How a pose was reached: after how many ways, from bodies placed along the tree, turned at random, or disturbed by so much.
typedef struct hol_approached {
    int ways;
    bool tree, turned;
    double disturbed;
} hol_approached;

#define HOL_ASSEMBLY_SEED 1 // of all that is random in it

// The same from many poses: as drawn, beside it, with bodies placed along the tree of joints, with bodies turned, the same in each run, until
// one way ends where the joints are nearly closed. HOL_RECOVERABLE: none does; x->q is the best pose found.
hol_status hol_approach_far(hol_kernel *k, hol_state *x, hol_approached *how);

// How many bodies are drawn at the place that most share, two of them by number; 0: each has its own.
hol_status hol_bodies_at_one_place(const hol_equations *s, const double *q, int *count, int named[2]);

#endif
