// Consistent initial values: positions, velocities, accelerations, multipliers; every change is reported.
#ifndef HOL_INITIAL_H
#define HOL_INITIAL_H

#include "system/rank.h"

// The whole start of a simulation: assembles, finds the rank, makes the working system and its consistent state.
//   *system and *x are the caller's to destroy; *rank too.
hol_status hol_initialise(hol_context *ctx, const hol_model_data *m, bool quiet, hol_system **system,
                          hol_state *x, hol_rank *rank);

#endif
