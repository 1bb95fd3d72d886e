// The Delassus matrix A = D K D^T of few loop rows, all of it at once, and products with K D^T. The wrenches of the rows are
// carried inwards along the tree as in (14.7) without a jump; with the alpha that row k leaves at body j
//
//     A_kl = sum over j of alpha_jk . alpha_jl                                                     (14.10)
//
// since K = T T^T, alpha = T^T f. Only bodies between the ends of a loop and the roots take part: half an application, or
// less, for each row. docs/theory.md, section 14.5.
#ifndef HOL_RECURSION_DELASSUS_H
#define HOL_RECURSION_DELASSUS_H

#include "recursion/data.h"

typedef struct hol_delassus hol_delassus;

// r must outlive it. For other rows of the system make it anew. Destroy it after a failure too.
hol_status hol_delassus_create(hol_context *ctx, hol_tree *r, hol_delassus **out);
void hol_delassus_destroy(hol_delassus *c);
// Lower triangle of A (n_loops x n_loops) by columns, after _factor and _set_loops.
void hol_delassus_matrix(hol_delassus *c, double *A);
// Twists u = K f + .. - K D^T mu in two passes, with multipliers that may depend on what the free tree does: out = D u (n_loops)
// for mu = 0, without these twists being made, then u (n), which stands for them until then. A: _factor and _matrix are made on the
// way, and may fail as the first; or NULL: they are there.
hol_status hol_delassus_begin(hol_delassus *c, double *A, const double *f, const double *jump, double *u,
                              double *out);
void hol_delassus_end(const hol_delassus *c, const double *jump, const double *mu, double *u);

#endif
