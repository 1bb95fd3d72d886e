// Departures: how a mechanism without a free motion leaves a singular pose in which it begins. docs/theory.md, section 4.2.
#ifndef HOL_DEPARTURE_H
#define HOL_DEPARTURE_H

#include "system/kernel.h"

typedef struct hol_departure {
    bool found;     // the velocities of the start are those of a branch
    double *mu, *w; // left and right null vectors of Phi_q in natural sizes                     (nc), (nq)
} hol_departure;

// The velocities x->v, which satisfy the constraints to first order, become those of the branch that they lie near. Nothing happens where
// the pose is not singular, where motions are free, and where second order does not tell either. HOL_ERR_ASSEMBLY: no motion
// leads on, or two do and none is meant.
hol_status hol_departure_find(hol_context *ctx, hol_kernel *k, hol_state *x, hol_departure *d);
// Accelerations of the branch, by third order, from any that satisfy the constraints. They are left as they are where the drivers
// have no value a little before.
hol_status hol_departure_accelerate(const hol_departure *d, hol_kernel *k, hol_state *x);
void hol_departure_destroy(hol_departure *d);

#endif
