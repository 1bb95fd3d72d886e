// The joint graph and its loops.
#ifndef HOL_GRAPH_H
#define HOL_GRAPH_H

#include "model/model.h"

// Vertices are the bodies and ground (the last one), edges the joints and drivers. A biconnected component is a loop or a
// group of loops with common parts, or a single edge that lies in no loop. An element of more than two bodies joins the
// loops that it passes through.
typedef struct hol_graph {
    const hol_model_data *m;
    int n_vertices, n_edges;
    int (*end)[2];        // vertices of each edge
    int *element;         // element of each edge
    int *first, *edge_of; // adjacency while the graph is made
    int *component;       // of each edge
    int n_components;
    int *group, *grouped; // edges of component c are grouped[group[c] .. group[c+1]-1]
} hol_graph;

hol_status hol_graph_create(hol_context *ctx, const hol_model_data *m,
                            hol_graph *g); // destroy it after a failure too
void hol_graph_destroy(hol_graph *g);
// Does any joint or driver close a loop?
hol_status hol_graph_has_loops(hol_context *ctx, const hol_model_data *m, bool *loops);

#endif
