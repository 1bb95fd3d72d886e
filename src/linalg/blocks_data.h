// What blocks.c lays out and blocks_factor.c fills with numbers.
#ifndef HOL_BLOCKS_DATA_H
#define HOL_BLOCKS_DATA_H

#include "linalg/blocks.h"

typedef struct hol_blocks_run {
    unsigned begin, length;
} hol_blocks_run;

// Rows that are eliminated at once, and how far what they change reaches: rows before `reach` have their values by then.
typedef struct hol_blocks_part {
    int end, reach;
} hol_blocks_part;

struct hol_blocks {
    hol_blocks_size size;
    int uniform;           // rows of every block; 0: they differ
    int *order;            // block that is eliminated k-th                           (n)
    int *place;            // when a block is eliminated                              (n)
    int *rows, *row;       // rows of the k-th, the first of them in a vector         (n)
    int *start;            // blocks behind the diagonal of row k                     (n + 1)
    int *behind;           // which column's they are                                 (start[n])
    int *first;            // the first of its rows in a vector                       (start[n])
    unsigned *at;          // where they stand                                        (start[n])
    unsigned *diagonal;    // the block there, those behind it follow                 (n)
    unsigned *target;      // of the products of each row, i by i from the last, j <= i (products)
    double *value;         //                                                         (numbers)
    double *before;        // diagonal of A in the order of elimination               (rows)
    hol_blocks_run *fill;  // values that A has not, the last of length 0
    hol_blocks_part *part; // the last ends with the last row
    // counters of the context; NULL: there is none
    hol_solver_work *count;
};

#endif
