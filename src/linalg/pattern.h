// The sparsity pattern of a square matrix in compressed columns: column j has the rows index[start[j] .. start[j+1]-1],
// increasing.
#ifndef HOL_PATTERN_H
#define HOL_PATTERN_H

#include "base/base.h"

typedef struct hol_pattern {
    int n;      // order
    int *start; //                (n+1)
    int *index; // row numbers    (start[n])
} hol_pattern;

// Builds a pattern from entries that are added in any order and any number of times. They are added three times, which
// takes no room for a list of them: to be counted, put into their columns, and to learn their places.
//
//     hol_pattern_builder b = {.ctx = ctx, .pattern = &pattern, .n = n};
//     while (hol_pattern_pass(&b))
//         place = hol_pattern_add(&b, row, col);   // .. and all others
//     return b.status;
typedef struct hol_pattern_builder {
    hol_context *ctx;
    hol_pattern *pattern; // empty; the caller's to destroy, also after an error
    int n;
    enum { HOL_PATTERN_NEW, HOL_PATTERN_COUNTS, HOL_PATTERN_FILLS, HOL_PATTERN_FINDS } pass;
    hol_status status; // HOL_ERR_MEMORY
} hol_pattern_builder;

bool hol_pattern_pass(hol_pattern_builder *b);
// The place of the entry among the values in the last pass, before that -1.
int hol_pattern_add(hol_pattern_builder *b, int row, int col);
// The same for the entry and its mirror image, which keeps a pattern symmetric where the values are not.
int hol_pattern_add_both(hol_pattern_builder *b, int row, int col);

// The place of an entry, -1: there is none.
int hol_pattern_find(const hol_pattern *p, int row, int col);
void hol_pattern_destroy(hol_pattern *p);

#endif
