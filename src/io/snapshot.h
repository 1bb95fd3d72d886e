// Snapshots: all that a simulation knows, in memory, to go on from there again, in this simulation or in another one.
#ifndef HOL_SNAPSHOT_H
#define HOL_SNAPSHOT_H

#include "analysis/dynamics.h"

typedef struct hol_snapshot hol_snapshot;

// The present state, which is the end of a step (hol_drive_settle). NULL: no memory.
hol_snapshot *hol_snapshot_take(hol_dynamics *d);
// The same into a snapshot of the same simulation, without allocation.
hol_status hol_snapshot_retake(hol_dynamics *d, hol_snapshot *s);
// The run goes on from there: bit for bit where model, method and options are those of the snapshot. Where the model has other values, or the
// method is another one, with its positions, velocities, states and memory, put onto the joints. HOL_ERR_USAGE: the structure is another one.
// *broken: the simulation is no longer of use.
hol_status hol_snapshot_put(hol_dynamics *d, const hol_snapshot *s, bool *broken);
void hol_snapshot_free(hol_snapshot *s);

// As bytes in a row, with their hash, and back; NULL: they are none, or no memory, with a message.
size_t hol_snapshot_bytes(const hol_snapshot *s);
void hol_snapshot_copy(const hol_snapshot *s, void *bytes);
hol_snapshot *hol_snapshot_from_bytes(hol_context *ctx, const void *data, size_t n);

#endif
