// The way to a pose in which the joints close, from one that is far from it or singular.
#ifndef HOL_APPROACH_H
#define HOL_APPROACH_H

#include "system/kernel.h"

// Moves x->q by Levenberg-Marquardt steps until the joints are nearly closed; hol_project_positions does the rest.
// HOL_RECOVERABLE: they stay open; x->q is the best pose found. The system has all rows.
hol_status hol_approach(hol_kernel *k, hol_state *x);

// Adds random numbers of this natural size to the coordinates, the same in each run.
void hol_disturb(const hol_equations *s, hol_state *x, double size);

// How many bodies are drawn at the place that most share, two of them by number; 0: each has its own.
hol_status hol_bodies_at_one_place(const hol_equations *s, const double *q, int *count, int named[2]);

#endif
