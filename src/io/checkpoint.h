// Checkpoints: all a run needs to go on as the run that wrote it does, bit for bit.
#ifndef HOL_CHECKPOINT_H
#define HOL_CHECKPOINT_H

#include "analysis/dynamics.h"

// Written beside the file and renamed, so that a file of this name is always complete.
hol_status hol_checkpoint_write(hol_dynamics *d, const char *path);
// Takes over the state of a run of the same model and method. To be called before the first step.
//   HOL_ERR_USAGE: no checkpoint, damaged, or of another model, method, step, tolerance or program version.
//   *taken: something of the file was taken over; after an error no run can go on from there. Only a file that was made to
//   deceive, or memory that is missing, leads to that.
hol_status hol_checkpoint_read(hol_dynamics *d, const char *path, bool *taken);
// What snapshots have in common with them: the options by which a run makes its steps, and all that it knows.
unsigned long long hol_checkpoint_options(const hol_dynamics *d);
void hol_checkpoint_move(hol_dynamics *d, hol_archive *a);

#endif
