// Other joints in the place of some of a loop, so that it keeps its degrees of freedom and has no redundant equations.
#ifndef HOL_REMEDY_H
#define HOL_REMEDY_H

#include "system/loop.h"
#include "system/equations.h"

typedef struct hol_remedy {
    hol_context *ctx;
    const hol_graph *g;
    hol_loop *l; // entered, with room for its matrix (which is overwritten)
    int rank;    // of l in each of these poses
    int n_poses;
    const hol_state *const *pose;
    int k;              // redundant rows among the joints below
    const double *null; // their null vectors of Phi_q^T at pose[0], in rows of length 1    (l->n_rows x k)
    int n_parts;
    const int *part;  // edges of l, by place: those whose rows take part                  (n_parts)
    const int *first; // first row of each edge of l                                       (l->n_edges)
} hol_remedy;

// Fills removed and the replacements, from the arena.
hol_status hol_remedy_find(const hol_remedy *question, hol_arena *arena, hol_redundant_loop *out);

#endif
