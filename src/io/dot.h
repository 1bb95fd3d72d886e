// The topology of a model as a graph in the language of Graphviz.
#ifndef HOL_DOT_H
#define HOL_DOT_H

#include "model/model.h"

// Bodies are vertices, ground is one; joints, drivers and constraints are edges, or vertices of their own if they hold more
// than two bodies. Dashed: cut, where a tree is made of the joints (system/forest.h). Red: some of its equations are left
// out as redundant. The model is assembled for that. Errors as those of hol_initialise.
hol_status hol_dot_print(hol_context *ctx, const hol_model_data *m, hol_print_fn print, void *user);

#endif
