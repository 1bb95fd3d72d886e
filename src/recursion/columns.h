// A = D K D^T of few loop rows, all of it at once, and products with K D^T. The wrenches of the rows are carried inwards along
// the tree as in (14.7) without a jump; with the alpha that row k leaves at body j
//
//     A_kl = sum over j of alpha_jk . alpha_jl                                                     (14.10)
//
// since K = T T^T, alpha = T^T f. Only bodies between the ends of a loop and the roots take part: half an application, or
// less, for each row. docs/theory.md, section 14.5.
#ifndef HOL_RECURSION_COLUMNS_H
#define HOL_RECURSION_COLUMNS_H

#include "recursion/recursion.h"

typedef struct hol_columns hol_columns;

// r must outlive it. For other rows of the system make it anew. Destroy it after a failure too.
hol_status hol_columns_create(hol_context *ctx, hol_recursion *r, hol_columns **out);
void hol_columns_destroy(hol_columns *c);
// A (n_loops x n_loops), after _factor and _set_loops.
void hol_columns_matrix(hol_columns *c, double *A);
// u = K D^T mu (n) with the rows of the last _matrix, mu (n_loops).
void hol_columns_move(const hol_columns *c, const double *mu, double *u);

#endif
