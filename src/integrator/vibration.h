// The fastest vibration of a model, of each of its islands: how accelerations answer to displacements.
#ifndef HOL_VIBRATION_H
#define HOL_VIBRATION_H

#include "integrator/integrator.h"

// Are there vibrations so fast that they are not followed? With groups those of each island are noted there. A few solutions for the
// accelerations, which do not count as work of the method; room, direction (nq): to work in. The system's factors are others
// afterwards.
bool hol_vibration_find(hol_integrator *it, hol_state *room, double *direction);

#endif
