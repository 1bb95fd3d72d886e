// An order of elimination in two strands. The rows of a structure that is long and thin are eliminated one after the other
// from one end, and each waits for the one before it. Cut in the middle, both halves are eliminated from their ends towards
// the cut, in turn: the processor works on one while the other waits, with as much fill. docs/theory.md, section 15.9.
#ifndef HOL_STRANDS_H
#define HOL_STRANDS_H

#include "linalg/pattern.h"

// p: symmetric; end: a node near an end; order: which node is eliminated k-th                                   (p->n)
// *found false: the graph is small, in pieces or has no cut of few nodes near its middle; order is then undefined.
hol_status hol_strands_order(hol_context *ctx, const hol_pattern *p, int end, int *order, bool *found);

#endif
