// How far each driver can move a mechanism that has no other free motion. docs/theory.md, section 19.3.
#ifndef HOL_REACH_H
#define HOL_REACH_H

#include "holonom_analyses.h"
#include "system/rank.h"

// Into out, (number of drivers that act); *n of them. HOL_RECOVERABLE: other motions are free, or there are too many coordinates.
hol_status hol_reach_find(hol_context *ctx, hol_equations *s, const hol_state *x, hol_reach *out, int most,
                          int *n);

#endif
