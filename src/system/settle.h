// A state between steps whose stiff forces belong to its accelerations. docs/theory.md, (5.20).
#ifndef HOL_SETTLE_H
#define HOL_SETTLE_H

#include "system/kernel.h"

// Moves x->q, and v, lam, z, kap with it, until forces and accelerations agree: where forces are stiff by far less than the
// state is wrong. h: the step that x lies in. HOL_RECOVERABLE: they do not, x is as it was but for its unknowns.
hol_status hol_settle_forces(hol_kernel *k, hol_state *x, double h);

#endif
