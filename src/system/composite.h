// A matrix whose blocks are blocks of the KKT matrix S of the equations, by a table. What a method makes of several levels
// (positions, velocities, accelerations and their multipliers) is such a matrix:
//
//     values = sum over blocks of  factor * (parts of S, moved to where the block has them)
//
// S here stands for any values in its pattern: mass, stiffness, damping, turned rows.
#ifndef HOL_COMPOSITE_H
#define HOL_COMPOSITE_H

#include "linalg/kkt.h"
#include "system/equations.h"

enum { HOL_PART_Q, HOL_PART_Z, HOL_PART_LAM, HOL_PART_KAP, HOL_PARTS };

// What becomes of the columns of users' unknowns z: all taken; those that are rates of states, at the place of their state
// (col: the first state) or at their own.
typedef enum hol_z_columns { HOL_Z_ALL, HOL_Z_TO_STATES, HOL_Z_OF_RATES } hol_z_columns;

typedef struct hol_composite_block {
    int row[HOL_PARTS],
        col[HOL_PARTS]; // where the parts q, z, lam, kap of S begin in the matrix; -1: not in this block
    hol_z_columns z;
} hol_composite_block;

typedef struct hol_composite {
    hol_context *ctx;
    const hol_equations *s;
    int n, n_first; // unknowns, those before the multipliers
    int n_blocks;
    hol_pattern pattern;
    hol_kkt *A;
    int *
        place; // of each entry of S in each block, -1: none                         (nonzeros of S x n_blocks)
} hol_composite;

// Adds entries beyond the blocks; called in every pass over the entries.
typedef hol_status hol_composite_more(void *user, hol_pattern_builder *to);

// The diagonal of the multipliers is always there; every entry comes with the opposite one. HOL_ERR_MEMORY.
hol_status hol_composite_create(hol_context *ctx, hol_equations *s, int n, int n_first,
                                const hol_composite_block *block, int n_blocks, hol_composite_more *more,
                                void *user, hol_composite *b);
void hol_composite_destroy(hol_composite *b);
// The values of all blocks: from[k], in the pattern of S, times factor[k]; from[k] NULL: without it. Other entries are 0.
void hol_composite_fill(hol_composite *b, const double *const *from, const double *factor);

#endif
