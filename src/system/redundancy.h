// What redundant constraints are made of: minimal groups of dependent rows, and which reactions they leave open.
//
// With A = Phi_q^T of a loop and A P = Q [R11 R12; 0 0], the columns of P [-R11^-1 R12; 1] span ker A, and each of them has
// minimal support: it is the fundamental circuit of one row with respect to the rows of R11. Exchanges of rows between the two
// sets make the supports small. docs/theory.md, section 4.6.
#ifndef HOL_REDUNDANCY_H
#define HOL_REDUNDANCY_H

#include "system/rank.h"

typedef struct hol_redundancies {
    hol_arena *arena; // owns all below
    int poses, n_loops;
    hol_redundant_loop *loop;
    int instantaneous;
    hol_dependency *momentary;    //                                              (instantaneous)
    unsigned char (*reaction)[6]; // hol_uniqueness of the components by element     (n_elements)
} hol_redundancies;

// x: a consistent state of any system of the model. rank: what hol_rank_find has found there. explain: loops, groups and
// replacements too; otherwise only `reaction`.
hol_status hol_redundancy_find(hol_context *ctx, const hol_model_data *m, const hol_state *x,
                               const hol_rank *rank, bool explain, hol_redundancies *out);
void hol_redundancy_destroy(hol_redundancies *r);

#endif
