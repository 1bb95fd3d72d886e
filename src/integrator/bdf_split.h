// The coordinate splitting of method bdf: which coordinates are independent, the others following from Phi(q,
// t) = 0, and multipliers as the splitting sees them. docs/theory.md, section 10.3.
#ifndef HOL_BDF_SPLIT_H
#define HOL_BDF_SPLIT_H

#include "linalg/dense.h"
#include "system/equations.h"

enum { HOL_BDF_SPLIT_ROWS = 1000 }; // models with more rows are not split

typedef struct hol_bdf_split {
    hol_equations *s;
    hol_context *ctx;
    bool known;        // false: singular pose, or too many rows
    char *independent; //                                                        (nq)
    int *dependent;    //                                                        (nc)
    double *A;         // Phi_q in natural sizes                                 (nc x nq)
    double *LU, *W;    // of its dependent columns Y; Y^-1 times the others      (nc x nc), (nc x (nq - nc))
    int *pivot;        //                                                        (nc)
    double growth;     // largest entry of W when the splitting was chosen
    hol_dense_qr qr;
} hol_bdf_split;

hol_status hol_bdf_split_create(hol_context *ctx, hol_equations *s, hol_bdf_split *p);
void hol_bdf_split_destroy(hol_bdf_split *p);
// Chooses the independent coordinates at x.
void hol_bdf_split_choose(hol_bdf_split *p, const hol_state *x);
// Chooses anew if the present ones have become bad; true: they are others now.
bool hol_bdf_split_follow(hol_bdf_split *p, const hol_state *x);
// Y^T of Phi_q at x, factored. HOL_RECOVERABLE: singular.
hol_status hol_bdf_split_factor(hol_bdf_split *p, const hol_state *x);
// l (nc) with Y^T l = r in the dependent coordinates, r (nq).
hol_status hol_bdf_split_multipliers(const hol_bdf_split *p, const double *r, double *l);

#endif
