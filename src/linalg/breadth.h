// The nodes of a graph breadth first: those that are near each other there stand near each other in the list.
#ifndef HOL_BREADTH_H
#define HOL_BREADTH_H

#include "linalg/pattern.h"

// p: symmetric. Appends root and what can be reached from it by way of nodes of level -1 to node[0 .. n-1]; their levels
// count from 0. Returns the number of nodes in the list.                                                    (p->n) each
int hol_breadth_first(const hol_pattern *p, int root, int n, int *node, int *level);

// All nodes, one piece of the graph after the other, each from a node at an end of it.                      (p->n) each
void hol_breadth_order(const hol_pattern *p, int *node, int *level);

#endif
