// The rows of a run in memory, as a result.
#ifndef HOL_RECORD_H
#define HOL_RECORD_H

#include "analysis/dynamics.h"

// A sink that keeps its rows in *result, whose names, units and notes are copies: it outlives the run, and is the caller's at once,
// also where the sink is never closed. When the sink is closed the summary is added, and after trouble what it was.
hol_status hol_record_open(hol_context *ctx, const hol_dynamics *d, hol_sink *out, hol_result **result);

#endif
