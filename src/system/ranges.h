// Where joints begin in the ranges that their limits give them.
#ifndef HOL_RANGES_H
#define HOL_RANGES_H

#include "system/equations.h"

// Beyond its end by less than this part of its natural size a coordinate is at its stop.
#define HOL_RANGE_TOUCHES 1e-9

// How far the coordinate is beyond an end of its range [m, rad], *end: which one; below 0: within.
double hol_range_beyond(const hol_equations *s, const hol_state *x, const hol_range *r, double *end);
// By how many full turns more the coordinate would be within its range; 0: by none.
double hol_range_turns(const hol_range *r, double c);
// Refuses a start beyond a hard stop, or full turns away from the range. x: on joints and drivers, with users' unknowns.
hol_status hol_ranges_check(hol_context *ctx, const hol_equations *s, const hol_state *x);

#endif
