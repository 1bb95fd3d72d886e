// Places at which a force is not smooth, such as the edges of a bump: steps of chosen size end there, and shortly after, so
// that none passes over what lies between two of them.
#ifndef HOL_EDGES_H
#define HOL_EDGES_H

#include "system/equations.h"

// When, by the present speeds, the next such place is reached; `end` if none is before. A place within a thousandth of the
// way to its neighbour counts as reached.
double hol_edges_next_time(const hol_model_data *m, const hol_state *x, double end);

#endif
