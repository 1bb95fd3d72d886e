// Linear complementarity: z >= 0, w = q + H z >= 0, z w = 0, for few unknowns.
#ifndef HOL_LCP_H
#define HOL_LCP_H

#include <stdbool.h>

// Numbers that hol_lcp_solve takes as room, and places.
#define HOL_LCP_ROOM(n) ((n) * (2 * (n) + 2))

// Lemke's pivots: they find z wherever H is positive semidefinite, symmetric or not, and there is one. false: there is none.
// H (n x n, by rows), q and z (n), room (HOL_LCP_ROOM), basis (n).
bool hol_lcp_solve(int n, const double *H, const double *q, double *z, double *room, int *basis);

#endif
