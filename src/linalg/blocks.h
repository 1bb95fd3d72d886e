// Symmetric positive semi-definite matrices of small blocks with a fixed pattern: A = U^T G^-1 U, U with unit blocks on its
// diagonal, the inverse blocks G kept. The elimination is laid out once as a list of block products, so that a factorisation
// searches nothing. docs/theory.md, section 15.9.
#ifndef HOL_BLOCKS_H
#define HOL_BLOCKS_H

#include "base/base.h"

enum { HOL_BLOCK = 6 }; // rows of a block at most

typedef struct hol_blocks hol_blocks;

typedef struct hol_blocks_size {
    int n, rows;     // blocks, rows
    double products; // of blocks in one factorisation
    size_t numbers;  // of U and G
} hol_blocks_size;

// size: rows of each block (n), 1 .. HOL_BLOCK; pair: blocks (i, j) that may be nonzero, in any order, also more than once.
// Beyond most_products the elimination is not laid out: HOL_RECOVERABLE, and *out is NULL.
hol_status hol_blocks_create(hol_context *ctx, int n, const int *size, int n_pairs, const int (*pair)[2],
                             double most_products, hol_blocks **out);
void hol_blocks_destroy(hol_blocks *b);
const hol_blocks_size *hol_blocks_sizes(const hol_blocks *b);

// Where the block of i and j stands among the values, by rows; *swapped: its rows are those of j. The pair must have been
// given, or i == j.
size_t hol_blocks_place(const hol_blocks *b, int i, int j, bool *swapped);
// Sets the values from `begin` to before `end`, both where rows of the elimination begin or end: diagonal blocks and those of
// pairs; the others are 0.                                                                                    (numbers)
typedef void hol_blocks_setter(void *with, size_t begin, size_t end, double *value);
// The matrix is made and factored from its first row to its last, a part at a time while it is in the caches. A row whose
// pivot is rounding is left out. x: half of hol_blocks_solve is done on the way; NULL: there is none (rows). Returns the rank.
int hol_blocks_factor(hol_blocks *b, hol_blocks_setter *set, void *with, double *x);
// x <- A^-1 x, rows of the blocks one behind the other; 0 for rows that were left out.                           (rows)
void hol_blocks_solve(const hol_blocks *b, double *x);
// The half of it that a factorisation with x leaves.
void hol_blocks_solve_back(const hol_blocks *b, double *x);

#endif
