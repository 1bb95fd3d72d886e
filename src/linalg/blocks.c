// See blocks.h. Column k of the elimination has the blocks B_i = A_ik, i > k, and with G = A_kk^-1
//
//     L_ik = B_i G,   A_ij -= L_ik B_j^T   (i >= j > k)
#include "linalg/blocks.h"
#include "linalg/pattern.h"

#include <amd.h>
#include <stdlib.h>
#include <string.h>

// Sizes are constants to the compiler in the calls that matter; a sanitizer would take minutes over the copies.
#ifdef __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define KERNEL static inline
#endif
#endif
#ifndef KERNEL
#define KERNEL static inline __attribute__((always_inline))
#endif

enum { SQUARE = HOL_BLOCK * HOL_BLOCK };
#define DEPENDENT                                                                                            \
    1e-11 // a pivot this small against its row: rounding, for which small pivots before it are a lens

struct hol_blocks {
    hol_blocks_size size;
    int uniform;      // rows of every block; 0: they differ
    int most;         // blocks below the diagonal in the longest column
    int *order;       // block that is eliminated k-th                           (n)
    int *place;       // when a block is eliminated                              (n)
    int *rows, *row;  // rows of the k-th, the first of them in a vector         (n)
    int *start;       // blocks below the diagonal of column k                   (n + 1)
    int *below;       // which column's they are                                 (start[n])
    size_t *at;       // where they stand                                        (start[n])
    size_t *diagonal; //                                                        (n)
    size_t *target;   // of the products of each column, i by i, j <= i          (products)
    double *value;    //                                                         (numbers)
    double *before;   // diagonal of A                                           (rows)
    double *work;     // L of a column                                           (most x SQUARE)
    // counters of the context; NULL: there is none
    hol_solver_work *count;
};

// ---- layout ---------------------------------------------------------------------------------------------------

static hol_status order(hol_blocks *b, const hol_pattern *p)
{
    double info[AMD_INFO];
    const int st = amd_order(p->n, p->start, p->index, b->order, NULL, info);
    if (st != AMD_OK && st != AMD_OK_BUT_JUMBLED) return HOL_ERR_MEMORY;
    for (int k = 0; k < p->n; k++) b->place[b->order[k]] = k;
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
    b->most = s->n - begin > b->most ? s->n - begin : b->most;
    return HOL_OK;
}

static hol_status fill(hol_context *ctx, hol_blocks *b, const hol_pattern *p, double most_products)
{
    const size_t n = (size_t)b->size.n + 1;
    symbolic s = {.room = p->start[p->n] + 16};
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
    b->below = s.list;
    return st;
}

// Where everything stands.
static hol_status lay_out(hol_context *ctx, hol_blocks *b)
{
    const int n = b->size.n;
    size_t at = 0, t = 0;
    b->at = hol_calloc(ctx, (size_t)b->start[n] + 1, sizeof *b->at);
    b->target = hol_calloc(ctx, (size_t)b->size.products + 1, sizeof *b->target);
    if (!b->at || !b->target) return HOL_ERR_MEMORY;
    for (int k = 0; k < n; k++) {
        b->diagonal[k] = at;
        at += (size_t)(b->rows[k] * b->rows[k]);
        for (int e = b->start[k]; e < b->start[k + 1]; e++) {
            b->at[e] = at;
            at += (size_t)(b->rows[b->below[e]] * b->rows[k]);
        }
    }
    b->size.numbers = at;
    for (int k = 0; k < n; k++)
        for (int e = b->start[k]; e < b->start[k + 1]; e++)
            for (int f = b->start[k]; f <= e; f++) {
                bool swapped;
                b->target[t++] = hol_blocks_place(b, b->order[b->below[e]], b->order[b->below[f]], &swapped);
            }
    b->value = hol_calloc(ctx, at + 1, sizeof *b->value);
    b->before = hol_calloc(ctx, (size_t)b->size.rows + 1, sizeof *b->before);
    b->work = hol_calloc(ctx, (size_t)b->most * SQUARE + 1, sizeof *b->work);
    return b->value && b->before && b->work ? HOL_OK : HOL_ERR_MEMORY;
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
    hol_pattern_destroy(&p);
    if (st) return st;
    b->uniform = b->size.n ? size[0] : 0;
    for (int i = 0; i < b->size.n; i++) {
        b->rows[b->place[i]] = size[i];
        b->row[b->place[i]] = b->size.rows;
        b->size.rows += size[i];
        if (size[i] != b->uniform) b->uniform = 0;
    }
    return lay_out(ctx, b);
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
    void *const arrays[] = {b->order,  b->below, b->at, b->diagonal, b->target, b->value,
                            b->before, b->work,  b};
    for (int i = 0; i < HOL_COUNT(arrays); i++) hol_free(arrays[i]);
}

const hol_blocks_size *hol_blocks_sizes(const hol_blocks *b) { return &b->size; }

size_t hol_blocks_place(const hol_blocks *b, int i, int j, bool *swapped)
{
    int row = b->place[i], column = b->place[j];
    *swapped = row < column;
    if (row == column) return b->diagonal[row];
    if (*swapped) {
        const int held = row;
        row = column, column = held;
    }
    int from = b->start[column], end = b->start[column + 1]; // increasing
    while (end - from > 1) {
        const int middle = from + (end - from) / 2;
        if (b->below[middle] <= row)
            from = middle;
        else
            end = middle;
    }
    return b->at[from];
}

// ---- numbers --------------------------------------------------------------------------------------------------

double *hol_blocks_clear(hol_blocks *b)
{
    memset(b->value, 0, b->size.numbers * sizeof *b->value);
    return b->value;
}

// G = A^-1 in place by its factors L P L^T; rows whose pivot is rounding against what their diagonal was before any
// elimination count as 0. Returns how many were not.
KERNEL int invert(const int n, double *A, const double *before)
{
    double L[SQUARE], pivot[HOL_BLOCK];
    int rank = 0;
    if (n == 2) { // written out
        const double p = A[0] > DEPENDENT * before[0] ? 1 / A[0] : 0, l = p * A[2], rest = A[3] - l * A[2];
        const double q = rest > DEPENDENT * before[1] ? 1 / rest : 0, x = -q * l;
        A[0] = p - l * x, A[1] = A[2] = x, A[3] = q;
        return (p != 0) + (q != 0);
    }
    for (int i = 0; i < n; i++) {
        double rest = A[i * n + i];
        for (int p = 0; p < i; p++) {
            double x = A[i * n + p]; // P L so far
            for (int q = 0; q < p; q++) x -= L[i * n + q] * A[p * n + q];
            L[i * n + p] = x * pivot[p];
            rest -= x * L[i * n + p];
            A[i * n + p] = x;
        }
        pivot[i] = rest > DEPENDENT * before[i] ? 1 / rest : 0;
        rank += pivot[i] != 0;
    }
    for (int c = 0; c < n; c++) { // columns of the inverse
        double z[HOL_BLOCK];
        for (int i = 0; i < n; i++) {
            z[i] = i == c;
            for (int p = c; p < i; p++) z[i] -= L[i * n + p] * z[p];
        }
        for (int i = n - 1; i >= 0; i--) {
            z[i] *= pivot[i];
            for (int p = i + 1; p < n; p++) z[i] -= L[p * n + i] * z[p];
            if (pivot[i] == 0) z[i] = 0;
        }
        for (int i = 0; i < n; i++) A[i * n + c] = z[i];
    }
    return rank;
}

// L = B G
KERNEL void divide_sized(const int ni, const int nk, const double *B, const double *G, double *L)
{
    for (int i = 0; i < ni; i++)
        for (int c = 0; c < nk; c++) {
            double x = 0;
            for (int p = 0; p < nk; p++) x += B[i * nk + p] * G[p * nk + c];
            L[i * nk + c] = x;
        }
}

// to -= L C^T
KERNEL void subtract_sized(const int ni, const int nj, const int nk, const double *L, const double *C,
                           double *to)
{
    for (int i = 0; i < ni; i++)
        for (int j = 0; j < nj; j++) {
            double x = to[i * nj + j];
            for (int p = 0; p < nk; p++) x -= L[i * nk + p] * C[j * nk + p];
            to[i * nj + j] = x;
        }
}

// Where sizes differ, the common ones are constants all the same.
static void divide_5(const double *B, const double *G, double *L) { divide_sized(5, 5, B, G, L); }
static void subtract_5(const double *L, const double *C, double *to) { subtract_sized(5, 5, 5, L, C, to); }
static void divide_3(const double *B, const double *G, double *L) { divide_sized(3, 3, B, G, L); }
static void subtract_3(const double *L, const double *C, double *to) { subtract_sized(3, 3, 3, L, C, to); }

KERNEL void divide(const int uniform, int ni, int nk, const double *B, const double *G, double *L)
{
    if (uniform)
        divide_sized(uniform, uniform, B, G, L);
    else if (ni == 5 && nk == 5)
        divide_5(B, G, L);
    else if (ni == 3 && nk == 3)
        divide_3(B, G, L);
    else
        divide_sized(ni, nk, B, G, L);
}

KERNEL void subtract(const int uniform, int ni, int nj, int nk, const double *L, const double *C, double *to)
{
    if (uniform)
        subtract_sized(uniform, uniform, uniform, L, C, to);
    else if (ni == 5 && nj == 5 && nk == 5)
        subtract_5(L, C, to);
    else if (ni == 3 && nj == 3 && nk == 3)
        subtract_3(L, C, to);
    else
        subtract_sized(ni, nj, nk, L, C, to);
}

static int invert_5(double *A, const double *before) { return invert(5, A, before); }
static int invert_any(int n, double *A, const double *before)
{
    return n == 5 ? invert_5(A, before) : invert(n, A, before);
}

// uniform: rows of every block, known to the compiler; 0: they differ
KERNEL int factor(hol_blocks *b, const int uniform)
{
    const size_t *target = b->target, room = (size_t)(uniform ? uniform * uniform : SQUARE);
    int rank = 0;
    for (int k = 0; k < b->size.n; k++) {
        const int nk = uniform ? uniform : b->rows[k], begin = b->start[k], end = b->start[k + 1];
        double *G = b->value + b->diagonal[k];
        const double *before = b->before + b->row[k];
        rank += uniform ? invert(uniform, G, before) : invert_any(nk, G, before);
        for (int e = begin; e < end; e++) {
            const int ni = b->rows[b->below[e]];
            double *L = b->work + (size_t)(e - begin) * room;
            divide(uniform, ni, nk, b->value + b->at[e], G, L);
            for (int f = begin; f <= e; f++)
                subtract(uniform, ni, b->rows[b->below[f]], nk, L, b->value + b->at[f], b->value + *target++);
        }
        for (int e = begin; e < end; e++) {
            const int n = uniform ? uniform * uniform : b->rows[b->below[e]] * nk;
            const double *L = b->work + (size_t)(e - begin) * room;
            double *to = b->value + b->at[e];
            for (int i = 0; i < n; i++) to[i] = L[i];
        }
    }
    return rank;
}

int hol_blocks_factor(hol_blocks *b)
{
    if (b->count) b->count->factorizations++;
    for (int k = 0; k < b->size.n; k++) {
        const int n = b->rows[k];
        const double *A = b->value + b->diagonal[k];
        for (int i = 0; i < n; i++) b->before[b->row[k] + i] = A[i * (n + 1)];
    }
    switch (b->uniform) {
    case 2: return factor(b, 2);
    case 3: return factor(b, 3);
    case 5: return factor(b, 5);
    default: return factor(b, 0);
    }
}

KERNEL void solve(const hol_blocks *b, const int uniform, double *x)
{
    for (int k = 0; k < b->size.n; k++) {
        const int nk = uniform ? uniform : b->rows[k];
        const double *z = x + b->row[k];
        for (int e = b->start[k]; e < b->start[k + 1]; e++) {
            const int i = b->below[e], ni = uniform ? uniform : b->rows[i];
            const double *L = b->value + b->at[e];
            double *y = x + b->row[i];
            for (int p = 0; p < ni; p++) {
                double s = y[p];
                for (int q = 0; q < nk; q++) s -= L[p * nk + q] * z[q];
                y[p] = s;
            }
        }
    }
    for (int k = b->size.n - 1; k >= 0; k--) {
        const int nk = uniform ? uniform : b->rows[k];
        const double *G = b->value + b->diagonal[k];
        double *z = x + b->row[k], y[HOL_BLOCK];
        for (int p = 0; p < nk; p++) {
            y[p] = 0;
            for (int q = 0; q < nk; q++) y[p] += G[p * nk + q] * z[q];
        }
        for (int e = b->start[k]; e < b->start[k + 1]; e++) {
            const int i = b->below[e], ni = uniform ? uniform : b->rows[i];
            const double *L = b->value + b->at[e], *w = x + b->row[i];
            for (int p = 0; p < ni; p++)
                for (int q = 0; q < nk; q++) y[q] -= L[p * nk + q] * w[p];
        }
        for (int p = 0; p < nk; p++) z[p] = y[p];
    }
}

void hol_blocks_solve(const hol_blocks *b, double *x)
{
    if (b->count) b->count->solves++;
    switch (b->uniform) {
    case 2: solve(b, 2, x); break;
    case 3: solve(b, 3, x); break;
    case 5: solve(b, 5, x); break;
    default: solve(b, 0, x);
    }
}
