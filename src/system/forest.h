// The spanning forest of a model: which joints form a tree, and which are cut because they close a loop.
//
// Vertices are the bodies and ground. Elements between just two bodies, or a body and ground, may belong to the tree;
// elements with rows that do not are cut: joints that close loops, couplers, constraints by expression. Bodies are joined
// to strands where they continue each other in nearly the same direction, a strand is attached once, where it is nearest to
// ground, and cut at all other crossings: the loop operator D K D^T of a ladder or a net then has eigenvalues that do not
// depend on the number of loops. The option `loop` of a joint overrides this. docs/theory.md, section 14.1.
#ifndef HOL_SYSTEM_FOREST_H
#define HOL_SYSTEM_FOREST_H

#include "system/equations.h"

typedef struct hol_forest {
    const hol_model_data *m;
    int *father; // of each body: a body, or -1, ground or none                            (m->n_bodies)
    int *order;  // the bodies, fathers before their children, a strand in one piece       (m->n_bodies)
    int *first;  // elements that tie body b to its father: tie[first[b] .. first[b+1]-1]  (m->n_bodies + 1)
    int *tie;
    int n_cut;
    int *cut;     // elements with rows that are not in the tree                          (n_cut)
    char *kept;   // 1: row of the tree                                                    (m->nc)
    int n_rows;   // rows of the tree, normalisations not counted
    int n_roots;  // bodies tied to ground, or to nothing
    int depth;    // bodies on the longest way from a root to a leaf
    long visited; // edges looked at while the forest was chosen
} hol_forest;

// q: a consistent pose (m->nq); directions and the independence of rows are judged there. Destroy it after a failure too.
//   HOL_ERR_MODEL: joints with `loop: no` form a loop; they are named.
hol_status hol_forest_create(hol_context *ctx, const hol_model_data *m, const double *q, hol_forest *f);
// The same where these elements are cut in any case: cut (m->n_elements).
hol_status hol_forest_create_without(hol_context *ctx, const hol_model_data *m, const double *q,
                                     const char *cut, hol_forest *f);
// All joints cut, every body a root. Of many bodies those that joints hold together stand near each other in `order`, and
// joints in `cut` near their bodies; else both are in the model's order.
hol_status hol_forest_none(hol_context *ctx, const hol_model_data *m, hol_forest *f);
void hol_forest_destroy(hol_forest *f);
// Of rows of which some are redundant, others are left out where one of the tree was: active (m->nc, 1: takes part) and
// *changed. Their number stays. To be called before the system is made, or followed by hol_kernel_reselect; x: a pose
// near which the rank is not smaller than elsewhere. This allocates.
hol_status hol_forest_prefer(hol_context *ctx, const hol_forest *f, const hol_state *x, char *active,
                             bool *changed);

#endif
