// See blocks.h. Row k of the elimination has the blocks B_i = A_ki, i > k, and with G = A_kk^-1
//
//     U_ki = G B_i,   A_ji -= B_j^T U_ki   (i >= j > k)
#include "linalg/blocks.h"
#include "linalg/strands.h"

#include <amd.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

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

typedef struct {
    unsigned begin, length;
} run;

struct hol_blocks {
    hol_blocks_size size;
    int uniform;        // rows of every block; 0: they differ
    int *order;         // block that is eliminated k-th                           (n)
    int *place;         // when a block is eliminated                              (n)
    int *rows, *row;    // rows of the k-th, the first of them in a vector         (n)
    int *start;         // blocks behind the diagonal of row k                     (n + 1)
    int *behind;        // which column's they are                                 (start[n])
    int *first;         // the first of its rows in a vector                       (start[n])
    unsigned *at;       // where they stand                                        (start[n])
    unsigned *diagonal; // the block there, those behind it follow                 (n)
    unsigned *target;   // of the products of each row, i by i from the last, j <= i (products)
    double *value;      //                                                         (numbers)
    double *before;     // diagonal of A in the order of elimination               (rows)
    run *fill;          // values that A has not, the last of length 0
    // counters of the context; NULL: there is none
    hol_solver_work *count;
};

typedef struct {
    int (*factor)(hol_blocks *b);
    void (*solve)(const hol_blocks *b, double *x);
} kernels;

// ---- layout ---------------------------------------------------------------------------------------------------

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
    run *last = b->fill;
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
    void *const arrays[] = {b->order,  b->behind, b->first,  b->at,   b->diagonal,
                            b->target, b->value,  b->before, b->fill, b};
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

// ---- numbers --------------------------------------------------------------------------------------------------

// G = A^-1 in place by its factors L P L^T; rows whose pivot is rounding against what their diagonal was before any
// elimination count as 0. Returns how many were not.
KERNEL int invert(const int n, double *A, const double *before)
{
    double L[SQUARE], pivot[HOL_BLOCK];
    int rank = 0;
    if (n == 2) { // written out; with one division for the next row to wait for
        const double a = A[0], b = A[1], c = A[3], det = a * c - b * b;
        if (a > DEPENDENT * before[0] && det > DEPENDENT * before[1] * a) {
            const double inverse = 1 / det;
            A[0] = c * inverse, A[1] = A[2] = -b * inverse, A[3] = a * inverse;
            return 2;
        }
        const bool first = a > DEPENDENT * before[0], second = !first && c > DEPENDENT * before[1];
        A[0] = first ? 1 / a : 0, A[1] = A[2] = 0, A[3] = second ? 1 / c : 0;
        return first || second;
    }
    for (int i = 0; i < n; i++) {
        double rest = A[i * n + i];
        for (int p = 0; p < i; p++) {
            double x = A[p * n + i]; // P L so far
            for (int q = 0; q < p; q++) x -= L[i * n + q] * A[q * n + p];
            L[i * n + p] = x * pivot[p];
            rest -= x * L[i * n + p];
            A[p * n + i] = x;
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

// Rows of blocks of two are vectors of the machine.
typedef double two __attribute__((vector_size(2 * sizeof(double))));
static inline two get(const double *from)
{
    two x;
    memcpy(&x, from, sizeof x);
    return x;
}
static inline void put(two x, double *to) { memcpy(to, &x, sizeof x); }

double *hol_blocks_values(hol_blocks *b)
{
    for (const run *f = b->fill; f->length; f++) {
        double *to = b->value + f->begin, *const end = to + f->length;
        if (b->uniform == 2) // short runs: no call for each
            do put((two){0}, to), put((two){0}, to + 2);
            while ((to += 4) < end);
        else
            while (to < end) *to++ = 0;
    }
    return b->value;
}

// U = G B
KERNEL void divide_sized(const int nk, const int ni, const double *restrict G, const double *restrict B,
                         double *restrict U)
{
    for (int p = 0; p < nk; p++) {
        double row[HOL_BLOCK] = {0};
        for (int q = 0; q < nk; q++)
            for (int c = 0; c < ni; c++) row[c] += G[p * nk + q] * B[q * ni + c];
        for (int c = 0; c < ni; c++) U[p * ni + c] = row[c];
    }
}

// to -= B^T U
KERNEL void subtract_sized(const int nk, const int nj, const int ni, const double *restrict B,
                           const double *restrict U, double *restrict to)
{
    for (int r = 0; r < nj; r++) {
        double row[HOL_BLOCK];
        for (int c = 0; c < ni; c++) row[c] = to[r * ni + c];
        for (int p = 0; p < nk; p++)
            for (int c = 0; c < ni; c++) row[c] -= B[p * nj + r] * U[p * ni + c];
        for (int c = 0; c < ni; c++) to[r * ni + c] = row[c];
    }
}

// Where sizes differ, the common ones are constants all the same.
static void divide_5(const double *G, const double *B, double *U) { divide_sized(5, 5, G, B, U); }
static void subtract_5(const double *B, const double *U, double *to) { subtract_sized(5, 5, 5, B, U, to); }
static void divide_3(const double *G, const double *B, double *U) { divide_sized(3, 3, G, B, U); }
static void subtract_3(const double *B, const double *U, double *to) { subtract_sized(3, 3, 3, B, U, to); }

KERNEL void divide(const int uniform, int nk, int ni, const double *G, const double *B, double *U)
{
    if (uniform)
        divide_sized(uniform, uniform, G, B, U);
    else if (nk == 5 && ni == 5)
        divide_5(G, B, U);
    else if (nk == 3 && ni == 3)
        divide_3(G, B, U);
    else
        divide_sized(nk, ni, G, B, U);
}

KERNEL void subtract(const int uniform, int nk, int nj, int ni, const double *B, const double *U, double *to)
{
    if (uniform)
        subtract_sized(uniform, uniform, uniform, B, U, to);
    else if (nk == 5 && nj == 5 && ni == 5)
        subtract_5(B, U, to);
    else if (nk == 3 && nj == 3 && ni == 3)
        subtract_3(B, U, to);
    else
        subtract_sized(nk, nj, ni, B, U, to);
}

static int invert_5(double *A, const double *before) { return invert(5, A, before); }
static int invert_any(int n, double *A, const double *before)
{
    return n == 5 ? invert_5(A, before) : invert(n, A, before);
}

KERNEL void remember_diagonal(hol_blocks *b, const int uniform)
{
    double *before = b->before;
    for (int k = 0; k < b->size.n; k++) {
        const int n = uniform ? uniform : b->rows[k];
        const double *A = b->value + b->diagonal[k];
        for (int i = 0; i < n; i++) *before++ = A[i * (n + 1)];
    }
}

// Row k, uniform: rows of every block, known to the compiler; 0: they differ. Returns the target of the next product.
KERNEL const unsigned *eliminate(const hol_blocks *b, const int uniform, int k, const unsigned *target)
{
    const int nk = uniform ? uniform : b->rows[k], begin = b->start[k];
    const double *G = b->value + b->diagonal[k];
    for (int e = b->start[k + 1] - 1; e >= begin; e--) { // from the end: the products need the B before it
        const int ni = uniform ? uniform : b->rows[b->behind[e]];
        double U[SQUARE], *own = b->value + b->at[e];
        const double *B = G + nk * nk;
        divide(uniform, nk, ni, G, own, U);
        for (int f = begin; f <= e; f++) {
            const int nj = uniform ? uniform : b->rows[b->behind[f]];
            subtract(uniform, nk, nj, ni, B, U, b->value + *target++);
            B += nk * nj;
        }
        for (int i = 0; i < nk * ni; i++) own[i] = U[i];
    }
    return target;
}

#ifdef __x86_64__
// The same of blocks of two rows, a block at a time, to the same bits.
__attribute__((target("avx2"))) static inline const unsigned *eliminate_2_wide(const hol_blocks *b, int k,
                                                                               const unsigned *target)
{
    double *const value = b->value, *const G = value + b->diagonal[k], *const first = G + 4;
    const double g0 = G[0], g1 = G[1], g2 = G[3];
    for (double *own = first + 4 * (b->start[k + 1] - b->start[k] - 1); own >= first; own -= 4) {
        const two x = get(own), y = get(own + 2), u = g0 * x + g1 * y, v = g1 * x + g2 * y;
        const __m256d uu = _mm256_set_m128d(u, u), vv = _mm256_set_m128d(v, v);
        for (const double *B = first; B <= own; B += 4) {
            double *to = value + *target++;
            const __m256d A = _mm256_loadu_pd(B), rows = _mm256_loadu_pd(to);
            const __m256d upper = _mm256_permute4x64_pd(A, 0x50), lower = _mm256_permute4x64_pd(A, 0xfa);
            _mm256_storeu_pd(to, rows - upper * uu - lower * vv);
        }
        put(u, own), put(v, own + 2);
    }
    return target;
}
#endif

typedef const unsigned *eliminator(const hol_blocks *b, int k, const unsigned *target);

// own: for rows of this size, NULL: there is none.
KERNEL int factor(hol_blocks *b, const int uniform, eliminator *const own)
{
    const double *before = b->before;
    const unsigned *target = b->target;
    int rank = 0;
    remember_diagonal(b, uniform);
    for (int k = 0; k < b->size.n; k++) {
        const int n = uniform ? uniform : b->rows[k];
        double *G = b->value + b->diagonal[k];
        rank += uniform ? invert(uniform, G, before) : invert_any(n, G, before);
        before += n;
        target = own ? own(b, k, target) : eliminate(b, uniform, k, target);
    }
    return rank;
}

KERNEL void solve(const hol_blocks *b, const int uniform, double *x)
{
    for (int k = 0; k < b->size.n; k++) {
        const int nk = uniform ? uniform : b->rows[k];
        const double *U = b->value + b->diagonal[k] + nk * nk, *z = x + b->row[k];
        for (int e = b->start[k]; e < b->start[k + 1]; e++) {
            const int ni = uniform ? uniform : b->rows[b->behind[e]];
            double *y = x + b->first[e];
            for (int p = 0; p < nk; p++, U += ni)
                for (int q = 0; q < ni; q++) y[q] -= z[p] * U[q];
        }
    }
    for (int k = b->size.n - 1; k >= 0; k--) {
        const int nk = uniform ? uniform : b->rows[k];
        const double *G = b->value + b->diagonal[k], *U = G + nk * nk;
        double *z = x + b->row[k], y[HOL_BLOCK] = {0};
        for (int q = 0; q < nk; q++)
            for (int p = 0; p < nk; p++) y[p] += G[q * nk + p] * z[q];
        for (int e = b->start[k]; e < b->start[k + 1]; e++) {
            const int ni = uniform ? uniform : b->rows[b->behind[e]];
            const double *w = x + b->first[e];
            for (int p = 0; p < nk; p++, U += ni)
                for (int q = 0; q < ni; q++) y[p] -= U[q] * w[q];
        }
        for (int p = 0; p < nk; p++) z[p] = y[p];
    }
}

// The same of blocks of two rows.
static void solve_2(const hol_blocks *b, double *x)
{
    const int n = b->size.n, *row = b->row, *start = b->start, *first = b->first;
    const double *U = b->value;
    for (int k = 0, e = 0; k < n; k++) {
        const double z0 = x[row[k]], z1 = x[row[k] + 1];
        U += 4;
        for (const int end = start[k + 1]; e < end; e++, U += 4) {
            double *y = x + first[e];
            put(get(y) - z0 * get(U) - z1 * get(U + 2), y);
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        const double *G = b->value + b->diagonal[k];
        double *z = x + row[k];
        const double y0 = G[0] * z[0] + G[1] * z[1], y1 = G[2] * z[0] + G[3] * z[1];
        two s0 = {0}, s1 = {0}; // beside y: near a singular pose its terms are large and cancel
        U = G + 4;
        for (int e = start[k], end = start[k + 1]; e < end; e++, U += 4) {
            const two w = get(x + first[e]);
            s0 += get(U) * w, s1 += get(U + 2) * w;
        }
        z[0] = y0 - (s0[0] + s0[1]), z[1] = y1 - (s1[0] + s1[1]);
    }
}

// One function for each common size, so that each has the registers to itself.
static int factor_0(hol_blocks *b) { return factor(b, 0, NULL); }
static int factor_3(hol_blocks *b) { return factor(b, 3, NULL); }
static int factor_5(hol_blocks *b) { return factor(b, 5, NULL); }
#ifdef __x86_64__
__attribute__((target("avx2"))) static int factor_2_wide(hol_blocks *b)
{
    return factor(b, 2, eliminate_2_wide);
}
static int factor_2(hol_blocks *b)
{
    return __builtin_cpu_supports("avx2") ? factor_2_wide(b) : factor(b, 2, NULL);
}
#else
static int factor_2(hol_blocks *b) { return factor(b, 2, NULL); }
#endif
static void solve_0(const hol_blocks *b, double *x) { solve(b, 0, x); }
static void solve_3(const hol_blocks *b, double *x) { solve(b, 3, x); }
static void solve_5(const hol_blocks *b, double *x) { solve(b, 5, x); }

static const kernels sized[] = {[0] = {factor_0, solve_0},
                                [2] = {factor_2, solve_2},
                                [3] = {factor_3, solve_3},
                                [5] = {factor_5, solve_5}};

static const kernels *kernels_of(const hol_blocks *b)
{
    const bool common = b->uniform < HOL_COUNT(sized) && sized[b->uniform].factor;
    return &sized[common ? b->uniform : 0];
}

int hol_blocks_factor(hol_blocks *b)
{
    if (b->count) b->count->factorizations++;
    return kernels_of(b)->factor(b);
}

void hol_blocks_solve(const hol_blocks *b, double *x)
{
    if (b->count) b->count->solves++;
    kernels_of(b)->solve(b, x);
}
