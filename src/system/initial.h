// Consistent initial values: positions, velocities, accelerations, multipliers; every change is reported.
#ifndef HOL_INITIAL_H
#define HOL_INITIAL_H

#include "system/rank.h"

// The whole start of a simulation: assembles, finds the rank, makes the working system and its consistent state.
//   *system and *x are the caller's to destroy; *rank too.
// how: HOL_START_QUIET: changes of the user's data are not told. HOL_START_BARE: for methods that solve without the matrix.
// *system has none then, and accelerations and multipliers are 0: the method finds them. It is made and given back where
// the drawn pose or the velocities violate the joints, or loops are small enough for their rank to be looked at.
// HOL_START_ALL_ROWS: redundant ones stay, for methods that do not mind; (*system)->independent is rank->active then.
// HOL_START_TREE: of redundant ones those of the tree of joints stay; so it is with HOL_START_BARE.
enum { HOL_START_QUIET = 1, HOL_START_BARE = 2, HOL_START_ALL_ROWS = 4, HOL_START_TREE = 8 };
hol_status hol_initialise(hol_context *ctx, const hol_model_data *m, unsigned how, hol_system **system,
                          hol_state *x, hol_rank *rank);

#endif
