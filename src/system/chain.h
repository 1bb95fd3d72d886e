// What an expression takes of unknowns that have equations of their own, and these of others: in an order in which each stands behind
// what it takes itself. Without recursion: chains may be long, and many may share one.
#ifndef HOL_SYSTEM_CHAIN_H
#define HOL_SYSTEM_CHAIN_H

#include "model/model.h"

typedef struct hol_chain {
    const hol_model_data *m;
    int n, *list;      // equations that were found                       (n of n_equations)
    int *stack, *next; // the way, and the next leaf of each on it        (n_equations)
    long *seen, finds; // in which search each was met                    (n_equations)
} hol_chain;

// Is leaf j of an expression to be followed? It stands for an unknown (HOL_LEAF_VALUE).
typedef bool hol_chain_fn(const void *user, const hol_expr *e, int j, const hol_leaf *leaf);

hol_status hol_chain_create(hol_context *ctx, const hol_model_data *m, hol_chain *c);
void hol_chain_destroy(hol_chain *c);
// Of expression e with its leaves (n); it is not listed itself.
void hol_chain_find(hol_chain *c, const hol_expr *e, int n, const hol_leaf *leaf, hol_chain_fn *follows,
                    const void *user);

#endif
