// Elimination order of a KKT matrix, from its pattern alone.
#ifndef HOL_ORDER_H
#define HOL_ORDER_H

#include "linalg/kkt.h"

typedef struct hol_order_cost {
    double nonzeros; // of L + U if every pivot is taken on the diagonal
    double flops;    // of the numeric factorisation, likewise
} hol_order_cost;

typedef enum hol_order_kind {
    HOL_ORDER_BEST,  // the cheaper of the candidates by symbolic count
    HOL_ORDER_PAIRED // each multiplier together with a coordinate: needs the fewest row exchanges
} hol_order_kind;

// order[k] is the unknown eliminated k-th                                      (n)
//   pattern: structurally symmetric; n_first: unknowns n_first..n-1 are multipliers (zero diagonal)
hol_status hol_order_find(hol_context *ctx, const hol_pattern *pattern, int n_first, hol_order_kind kind,
                          int *order, hol_order_cost *cost);

// True when columns i and j have the same rows.
bool hol_order_same_column(const hol_pattern *s, int i, int j);

#endif
