// Sparsity patterns in compressed columns, built in two passes over the same entries: the first counts, the second
// stores; entries twice at one place become one.
#include "linalg/pattern.h"

#include <stdlib.h>

// Counts stand two places behind their column, so that their sums are where each column is filled from.
static hol_status begin_counting(hol_pattern_builder *b)
{
    b->pattern->n = b->n;
    b->pattern->start = hol_calloc(b->ctx, (size_t)b->n + 2, sizeof *b->pattern->start);
    return b->pattern->start ? HOL_OK : HOL_ERR_MEMORY;
}

static hol_status begin_filling(hol_pattern_builder *b)
{
    hol_pattern *p = b->pattern;
    for (int j = 0; j < p->n; j++) p->start[j + 2] += p->start[j + 1];
    p->index = hol_calloc(b->ctx, (size_t)p->start[p->n + 1] + 1, sizeof *p->index);
    return p->index ? HOL_OK : HOL_ERR_MEMORY;
}

static int compare_ints(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

// Sorts every column and drops what stands twice. start[j + 1] is the end of column j by now.
static void compress(hol_pattern *p)
{
    int out = 0;
    for (int j = 0, from = 0; j < p->n; j++) {
        const int to = p->start[j + 1];
        qsort(p->index + from, (size_t)(to - from), sizeof *p->index, compare_ints);
        p->start[j] = out;
        for (int k = from; k < to; k++)
            if (k == from || p->index[k] != p->index[k - 1]) p->index[out++] = p->index[k];
        from = to;
    }
    p->start[p->n] = out;
}

bool hol_pattern_pass(hol_pattern_builder *b)
{
    switch (b->pass) {
    case HOL_PATTERN_NEW: b->status = begin_counting(b); break;
    case HOL_PATTERN_COUNTS: b->status = begin_filling(b); break;
    case HOL_PATTERN_FILLS: compress(b->pattern); break;
    case HOL_PATTERN_FINDS: return false;
    }
    b->pass++;
    return b->status == HOL_OK;
}

int hol_pattern_add(hol_pattern_builder *b, int row, int col)
{
    hol_pattern *p = b->pattern;
    if (b->pass == HOL_PATTERN_FINDS) return hol_pattern_find(p, row, col);
    if (b->pass == HOL_PATTERN_COUNTS)
        p->start[col + 2]++;
    else
        p->index[p->start[col + 1]++] = row;
    return -1;
}

int hol_pattern_add_both(hol_pattern_builder *b, int row, int col)
{
    if (b->pass != HOL_PATTERN_FINDS) hol_pattern_add(b, col, row);
    return hol_pattern_add(b, row, col);
}

int hol_pattern_find(const hol_pattern *p, int row, int col)
{
    int lo = p->start[col], hi = p->start[col + 1] - 1;
    while (lo < hi) {
        const int mid = lo + (hi - lo) / 2;
        if (p->index[mid] < row)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo == hi && p->index[lo] == row ? lo : -1;
}

void hol_pattern_destroy(hol_pattern *p)
{
    hol_free(p->start);
    hol_free(p->index);
    *p = (hol_pattern){0};
}
