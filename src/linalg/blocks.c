// Symmetric positive semi-definite block matrices A = U^T G^-1 U (blocks.h): the order of elimination, by minimum
// degree or in two strands, the fill, and where each block stands. docs/theory.md, section 15.9.
#include "linalg/blocks_data.h"
#include "linalg/strands.h"

#include <amd.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { PART = 4096 }; // numbers of a part, about: with what goes into them they stay in the caches

static hol_status order(hol_blocks *b, const hol_pattern *p)
{
    double info[AMD_INFO];
    const int st = amd_order(p->n, p->start, p->index, b->order, NULL, info);
    if (st != AMD_OK && st != AMD_OK_BUT_JUMBLED) return HOL_ERR_MEMORY;
    return HOL_OK;
}

static int compare(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;
    return x < y ? -1 : x > y;
}

typedef struct {
    int *list, n, room; // columns below the diagonal, of all columns so far
    int *mark, *child, *sibling;
} symbolic;

// Appends an index to the list of rows behind, which grows by doubling.
static hol_status append(hol_context *ctx, symbolic *s, int i)
{
    if (s->n == s->room) {
        int *more = hol_calloc(ctx, 2 * (size_t)s->room, sizeof *more);
        if (!more) return HOL_ERR_MEMORY;
        memcpy(more, s->list, (size_t)s->n * sizeof *more);
        hol_free(s->list);
        s->list = more;
        s->room *= 2;
    }
    s->list[s->n++] = i;
    return HOL_OK;
}

// Column k has what A has below its diagonal and what its children in the tree of eliminations pass on.
static hol_status fill_column(hol_context *ctx, hol_blocks *b, const hol_pattern *p, symbolic *s, int k)
{
    hol_status st = HOL_OK;
    const int begin = s->n, own = b->order[k];
    s->mark[k] = k;
    for (int e = p->start[own]; e < p->start[own + 1] && !st; e++) {
        const int i = b->place[p->index[e]];
        if (i <= k || s->mark[i] == k) continue;
        s->mark[i] = k;
        st = append(ctx, s, i);
    }
    for (int c = s->child[k]; c >= 0 && !st; c = s->sibling[c])
        for (int e = b->start[c]; e < b->start[c + 1] && !st; e++) {
            const int i = s->list[e];
            if (i <= k || s->mark[i] == k) continue;
            s->mark[i] = k;
            st = append(ctx, s, i);
        }
    if (st) return st;
    qsort(s->list + begin, (size_t)(s->n - begin), sizeof *s->list, compare);
    b->start[k + 1] = s->n;
    if (s->n > begin) {
        const int father = s->list[begin];
        s->sibling[k] = s->child[father];
        s->child[father] = k;
    }
    const double m = s->n - begin;
    b->size.products += 0.5 * m * (m + 1);
    return HOL_OK;
}

// Symbolic elimination in the present order: which blocks each row has, and how many products it takes; too
// many: recoverable.
static hol_status fill(hol_context *ctx, hol_blocks *b, const hol_pattern *p, double most_products)
{
    const size_t n = (size_t)b->size.n + 1;
    symbolic s = {.room = p->start[p->n] + 16};
    hol_free(b->behind);
    b->behind = NULL;
    b->size.products = 0;
    for (int k = 0; k < b->size.n; k++) b->place[b->order[k]] = k;
    s.list = hol_calloc(ctx, (size_t)s.room, sizeof *s.list);
    s.mark = hol_calloc(ctx, 3 * n, sizeof *s.mark);
    hol_status st = s.list && s.mark ? HOL_OK : HOL_ERR_MEMORY;
    if (!st) s.child = s.mark + n, s.sibling = s.child + n;
    for (int k = 0; k < b->size.n && !st; k++) s.mark[k] = s.child[k] = s.sibling[k] = -1;
    for (int k = 0; k < b->size.n && !st; k++) {
        st = fill_column(ctx, b, p, &s, k);
        if (!st && b->size.products > most_products) st = HOL_RECOVERABLE;
    }
    hol_free(s.mark);
    b->behind = s.list;
    return st;
}

#define AS_MANY 1.05 // products in two strands against those in one

// Takes the order in two strands instead, if it takes hardly more products.
static hol_status try_strands(hol_context *ctx, hol_blocks *b, const hol_pattern *p, double most_products)
{
    const size_t size = (size_t)p->n * sizeof *b->order;
    const double products = b->size.products;
    bool found = false;
    int *other = hol_calloc(ctx, 2 * (size_t)p->n + 1, sizeof *other);
    if (!other) return HOL_ERR_MEMORY;
    int *own = other + p->n;
    hol_status st = hol_strands_order(ctx, p, b->order[0], other, &found);
    if (!st && found) {
        memcpy(own, b->order, size);
        memcpy(b->order, other, size);
        st = fill(ctx, b, p, most_products);
        if (st == HOL_RECOVERABLE || (!st && b->size.products > AS_MANY * products)) {
            memcpy(b->order, own, size);
            st = fill(ctx, b, p, most_products);
        }
    }
    hol_free(other);
    return st;
}

// Which block behind the diagonal of row k is that of column i.
static int find(const hol_blocks *b, int k, int i)
{
    int from = b->start[k], end = b->start[k + 1]; // increasing
    while (end - from > 1) {
        const int middle = from + (end - from) / 2;
        if (b->behind[middle] <= i)
            from = middle;
        else
            end = middle;
    }
    return from;
}

static size_t count_numbers(const hol_blocks *b)
{
    size_t sum = 0;
    for (int k = 0; k < b->size.n; k++) {
        int width = b->rows[k];
        for (int e = b->start[k]; e < b->start[k + 1]; e++) width += b->rows[b->behind[e]];
        sum += (size_t)(b->rows[k] * width);
    }
    return sum;
}

// Where everything stands.
static hol_status lay_out(hol_context *ctx, hol_blocks *b)
{
    const int n = b->size.n;
    size_t at = 0, t = 0;
    b->at = hol_calloc(ctx, (size_t)b->start[n] + 1, sizeof *b->at);
    b->first = hol_calloc(ctx, (size_t)b->start[n] + 1, sizeof *b->first);
    b->target = hol_calloc(ctx, (size_t)b->size.products + 1, sizeof *b->target);
    if (!b->at || !b->first || !b->target) return HOL_ERR_MEMORY;
    for (int k = 0; k < n; k++) {
        b->diagonal[k] = (unsigned)at;
        at += (size_t)(b->rows[k] * b->rows[k]);
        for (int e = b->start[k]; e < b->start[k + 1]; e++) {
            b->at[e] = (unsigned)at;
            b->first[e] = b->row[b->behind[e]];
            at += (size_t)(b->rows[b->behind[e]] * b->rows[k]);
        }
    }
    for (int k = 0; k < n; k++)
        for (int e = b->start[k + 1] - 1; e >= b->start[k]; e--)
            for (int f = b->start[k]; f <= e; f++) {
                bool swapped;
                b->target[t++] =
                    (unsigned)hol_blocks_place(b, b->order[b->behind[f]], b->order[b->behind[e]], &swapped);
            }
    b->value = hol_calloc(ctx, at + 1, sizeof *b->value);
    b->before = hol_calloc(ctx, (size_t)b->size.rows + 1, sizeof *b->before);
    return b->value && b->before ? HOL_OK : HOL_ERR_MEMORY;
}

static void number_rows(hol_blocks *b, const int *size)
{
    b->uniform = b->size.n ? size[0] : 0;
    for (int i = 0; i < b->size.n; i++) {
        b->rows[b->place[i]] = size[i];
        b->row[b->place[i]] = b->size.rows;
        b->size.rows += size[i];
        if (size[i] != b->uniform) b->uniform = 0;
    }
}

static hol_status make_pattern(hol_context *ctx, int n, int n_pairs, const int (*pair)[2], hol_pattern *p)
{
    hol_pattern_builder to = {.ctx = ctx, .pattern = p, .n = n};
    while (hol_pattern_pass(&to)) {
        for (int i = 0; i < n; i++) hol_pattern_add(&to, i, i);
        for (int k = 0; k < n_pairs; k++) hol_pattern_add_both(&to, pair[k][0], pair[k][1]);
    }
    return to.status;
}

// Blocks that are not in the pattern, those behind each other as one.
static hol_status list_fill(hol_context *ctx, hol_blocks *b, const hol_pattern *p)
{
    const int n = b->size.n;
    char *given = hol_calloc(ctx, (size_t)b->start[n] + 1, sizeof *given);
    b->fill = hol_calloc(ctx, (size_t)b->start[n] + 1, sizeof *b->fill);
    hol_blocks_run *last = b->fill;
    if (!given || !last) {
        hol_free(given);
        return HOL_ERR_MEMORY;
    }
    for (int own = 0; own < n; own++)
        for (int e = p->start[own]; e < p->start[own + 1]; e++) {
            const int k = b->place[own], i = b->place[p->index[e]];
            if (i > k) given[find(b, k, i)] = 1;
        }
    for (int k = 0; k < n; k++)
        for (int e = b->start[k]; e < b->start[k + 1]; e++) {
            if (given[e]) continue;
            if (last->length && last->begin + last->length != b->at[e]) last++;
            if (!last->length) last->begin = b->at[e];
            last->length += (unsigned)(b->rows[k] * b->rows[b->behind[e]]);
        }
    hol_free(given);
    return HOL_OK;
}

// Cuts the rows into parts of some thousand numbers, so that a part is filled, eliminated and used while it
// is in the caches. reach: the last row that a part's elimination changes.
static hol_status cut_parts(hol_context *ctx, hol_blocks *b)
{
    const int n = b->size.n;
    hol_blocks_part *p = b->part = hol_calloc(ctx, b->size.numbers / PART + 2, sizeof *p);
    unsigned begin = 0;
    if (!p) return HOL_ERR_MEMORY;
    for (int k = 0, reach = 0; k < n; k++) {
        const int last = b->start[k + 1] > b->start[k] ? b->behind[b->start[k + 1] - 1] : k;
        const unsigned end = k + 1 < n ? b->diagonal[k + 1] : (unsigned)b->size.numbers;
        if (last >= reach) reach = last + 1;
        *p = (hol_blocks_part){k + 1, reach};
        if (end - begin >= PART && k + 1 < n) p++, begin = end;
    }
    return HOL_OK;
}

// Order, fill, places of the blocks, and parts.
static hol_status make(hol_context *ctx, hol_blocks *b, const int *size, int n_pairs, const int (*pair)[2],
                       double most_products)
{
    const size_t n = (size_t)b->size.n + 1;
    hol_pattern p = {0};
    b->order = hol_calloc(ctx, 5 * n + 1, sizeof *b->order);
    b->diagonal = hol_calloc(ctx, n, sizeof *b->diagonal);
    if (!b->order || !b->diagonal) return HOL_ERR_MEMORY;
    b->place = b->order + n, b->rows = b->place + n, b->row = b->rows + n, b->start = b->row + n;
    hol_status st = make_pattern(ctx, b->size.n, n_pairs, pair, &p);
    if (!st) st = order(b, &p);
    if (!st) st = fill(ctx, b, &p, most_products);
    if (!st && p.n) st = try_strands(ctx, b, &p, most_products);
    if (!st) {
        number_rows(b, size);
        b->size.numbers = count_numbers(b);
        if (b->size.numbers > UINT_MAX) st = HOL_RECOVERABLE;
    }
    if (!st) st = lay_out(ctx, b);
    if (!st) st = list_fill(ctx, b, &p);
    if (!st) st = cut_parts(ctx, b);
    hol_pattern_destroy(&p);
    return st;
}

hol_status hol_blocks_create(hol_context *ctx, int n, const int *size, int n_pairs, const int (*pair)[2],
                             double most_products, hol_blocks **out)
{
    hol_blocks *b = hol_calloc(ctx, 1, sizeof *b);
    *out = NULL;
    if (!b) return HOL_ERR_MEMORY;
    b->size.n = n;
    b->count = hol_context_work(ctx);
    const hol_status st = make(ctx, b, size, n_pairs, pair, most_products);
    if (st)
        hol_blocks_destroy(b);
    else
        *out = b;
    return st;
}

void hol_blocks_destroy(hol_blocks *b)
{
    if (!b) return;
    void *const arrays[] = {b->order,  b->behind, b->first, b->at, b->diagonal, b->target, b->value,
                            b->before, b->fill,   b->part,  b};
    for (int i = 0; i < HOL_COUNT(arrays); i++) hol_free(arrays[i]);
}

const hol_blocks_size *hol_blocks_sizes(const hol_blocks *b) { return &b->size; }

size_t hol_blocks_place(const hol_blocks *b, int i, int j, bool *swapped)
{
    const int row = b->place[i], column = b->place[j];
    *swapped = row > column;
    if (row == column) return b->diagonal[row];
    return b->at[*swapped ? find(b, column, row) : find(b, row, column)];
}
