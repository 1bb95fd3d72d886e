// Consistent initial values: positions, velocities, accelerations, multipliers; every change is reported.
#ifndef HOL_INITIAL_H
#define HOL_INITIAL_H

#include "system/assembly.h"
#include "system/rank.h"

// The whole start of a simulation: assembles, finds the rank, chooses the rows in use, makes the state consistent.
//   k: the equations k->s and their matrix, which is at hand for whoever goes on; the caller's to give to hol_start_destroy, with
//   other kernels of these equations before. *x and *rank are the caller's to destroy, too.
// how: HOL_START_QUIET: changes of the user's data are not told. HOL_START_TERSE: far ones are, as warnings, and no others, for those
// who look at the start itself and say the rest in their own words. HOL_START_BARE: for methods that solve without the matrix.
// There is none then, and accelerations and multipliers are 0: the method finds them. It is made and given back where
// the drawn pose or the velocities violate the joints, or loops are small enough for their rank to be looked at.
// HOL_START_ALL_ROWS: redundant ones stay, for methods that do not mind; k->s->independent is rank->active then.
// HOL_START_TREE: of redundant ones those of the tree of joints stay; so it is with HOL_START_BARE.
enum {
    HOL_START_QUIET = 1,
    HOL_START_BARE = 2,
    HOL_START_ALL_ROWS = 4,
    HOL_START_TREE = 8,
    HOL_START_TERSE = 16
};
hol_status hol_initialise(hol_context *ctx, const hol_model_data *m, unsigned how, hol_kernel *k,
                          hol_state *x, hol_rank *rank);
void hol_start_destroy(hol_kernel *k);
// What runs alone know of a pose from which they start: which stops act there.
void hol_start_run(const hol_equations *s, hol_state *x);
// The pose alone, a->x, from what a is made with. HOL_ERR_ASSEMBLY: the joints cannot be closed, a->x is the nearest pose found. *least: as
// hol_assembly_settle has it.
hol_status hol_start_assemble(hol_context *ctx, hol_assembler *a, unsigned how, bool *least);
// Without what is required of it, and without a message. HOL_RECOVERABLE: the joints cannot be closed.
hol_status hol_start_find_pose(hol_context *ctx, hol_assembler *a, unsigned how, bool *least);
// The state in which the model begins, what is idle switched off; the caller's to destroy.
hol_status hol_start_state(const hol_equations *s, hol_state *x);
// Users' unknowns by their expressions, those in a circle again and again: a start for Newton's method.
hol_status hol_start_follow(hol_kernel *k, hol_state *x);

#endif
