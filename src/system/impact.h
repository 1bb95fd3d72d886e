// Impacts: velocities that jump at once, where stops push and never pull. docs/theory.md, sections 8.14 and 8.15.
#ifndef HOL_IMPACT_H
#define HOL_IMPACT_H

#include "system/kernel.h"

// A stop that takes part, at which a coordinate c ends.
typedef struct hol_impact_part {
    const hol_element *force; // along c, with one input
    double sense;             // of c' into the stop
    double rate;              // sense c' before; read where no row holds it
    double slowest;           // rates that are no larger are no motion
    double restitution;
    int row;        // equation that holds the coordinate there, as long as that presses; -1: none
    double impulse; // out: away from the stop
    double opens;   // out, with a row: the rate with which it leaves the stop; above 0 the row has to go
} hol_impact_part;

// What jumps with the impulses P >= 0 of all parts together,
//     M dv + Phi_q^T mu + Psi_v^T nu = sum of g P,   Phi_q (v + dv) = -Phi_t,   Psi(v + dv) = 0,   g = -sense c_q^T,
//     u+ + restitution u- >= 0,   P (u+ + restitution u-) = 0,     u = -sense c'
// with the rows of those that leave left out. *leave: are there any? Else x->v is on the rows.
// HOL_RECOVERABLE: no such impulses; *held is the part that nothing can turn around, and mu (nc) the impulses of the rows for P = 1.
hol_status hol_impact(hol_kernel *k, hol_state *x, int n, hol_impact_part *part, bool *leave, int *held,
                      double *mu);

// How far P = 1 along the coordinate moves it, 1/mass; of what is held, how far it would alone.
hol_status hol_impact_mobility(hol_kernel *k, const hol_state *x, const hol_element *force, double *out);

// A force at a state with accelerations: what it would do alone along itself, Q^T M^-1 Q with the rows, and what all forces do there, Q^T a.
typedef struct hol_push {
    double alone, all; // [N^2/kg]
} hol_push;
hol_status hol_push_find(hol_kernel *k, const hol_state *x, const hol_element *force, hol_push *out);

#endif
