// How far each driver can move a mechanism that has no other free motion. docs/theory.md, section 19.3.
#ifndef HOL_REACH_H
#define HOL_REACH_H

#include "holonom_analyses.h"
#include "system/equations.h"

// Of the i-th driver that acts. HOL_RECOVERABLE: there is none; none is asked for where other motions are free, or where there are too
// many coordinates.
hol_status hol_reach_find(hol_context *ctx, hol_equations *s, const hol_state *x, int i, hol_reach *out);

#endif
