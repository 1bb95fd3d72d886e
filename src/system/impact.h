// Impacts: velocities that turn around at once. docs/theory.md, section 8.14.
#ifndef HOL_IMPACT_H
#define HOL_IMPACT_H

#include "system/kernel.h"

// The rate c' (its value is `rate`) of the coordinate that a force with one input drives becomes -restitution c', by an impulse P along
// it: M dv + Phi_q^T mu + Psi_v^T nu = g P, Phi_q dv = 0, Psi_v dv = 0 with g = c_q^T.
// mu (nc): the impulses of the rows. HOL_RECOVERABLE: nothing can move along the coordinate, mu are those of P = 1.
hol_status hol_impact(hol_kernel *k, hol_state *x, const hol_element *force, double rate, double restitution,
                      double *mu);

#endif
