// Elimination order of a KKT (saddle-point) matrix.
//     S = [ A  B^T ]   A: n_first square, regular diagonal;  B: multiplier rows, zero diagonal
//         [ B   0  ]
// A fill-reducing order alone is not enough: a multiplier eliminated before the coordinates it acts on meets a zero
// pivot, row exchanges follow, and with them fill that the order knew nothing of (two to four orders of magnitude in
// ladders of closed loops). So an order is accepted only if every leading block of S is structurally regular, which
// for a generic A means: each multiplier eliminated so far can be matched with a coordinate of its own that was
// eliminated before it.
//
// Candidates:  1. minimum degree on S, multipliers moved back to the first place where they can be matched;
//              2. minimum degree on S with each multiplier merged with its matched coordinate, so that the pair is
//                 eliminated at once.
// The cheaper one by symbolic factorisation is taken. If the first numeric one costs 1.5 times that count, the other order is tried
// (kkt.c).
//
// Operations of one factorisation per body, about 1000 bodies with random couplings, KLU 1.3 with its own scaling, and as chosen here:
//
//                              planar chain  spatial chain  planar ladder  planar net  spatial ladder  spatial net
//     KLU, AMD                           94           2270         194000      186000            1380        15100
//     KLU, COLAMD                        94           1830            263        6490            1530        40600
//     a body with its joint rows         94           2370              -           -               -            -
//     pairs by matching                   -              -            326       13800            1770        72000
//     chosen                             94           1810            398        7870            1380        15100
//
// With AMD alone the work per body in planar ladders grows with their length (8200 for 96 bodies, 667000 for 2997); a whole body
// as one node is too coarse in nets, but rows of one body alone, the norm of Euler parameters, may come first: the exchange stays inside a
// full block. Weak: dense couplings of all coordinates of neighbouring spatial bodies in nets (1145 nonzeros per body where
// 699 were counted).
#include "linalg/order.h"
#include <amd.h>
#include <string.h>

enum { search_limit = 256 }; // coordinates visited by one augmenting search: keeps the analysis linear

typedef struct finder {
    hol_context *ctx;
    const hol_pattern *s;
    int n, n_first;
    int *mate;      // coordinate -> multiplier matched with it, or -1         (n_first)
    int *mark;      // coordinate -> last search that saw it                   (n_first)
    int *from;      // coordinate -> coordinate the search came from           (n_first)
    int *queue;     //                                                         (n)
    char *free_row; // rows that need no repair: see mark_internal_rows       (n)
    int stamp;      // number of the current search
} finder;

bool hol_order_same_column(const hol_pattern *s, int i, int j)
{
    int size = s->start[i + 1] - s->start[i];
    return size == s->start[j + 1] - s->start[j] &&
           memcmp(s->index + s->start[i], s->index + s->start[j], (size_t)size * sizeof(int)) == 0;
}

// A row that acts only on coordinates with equal columns (the Euler-parameter norm of a body) may come anywhere:
// the exchange it causes stays inside a block that is full anyway.
static void mark_internal_rows(finder *f)
{
    const hol_pattern *s = f->s;
    for (int r = f->n_first; r < f->n; r++) {
        int first = -1;
        f->free_row[r] = 1;
        for (int p = s->start[r]; p < s->start[r + 1] && f->free_row[r]; p++) {
            if (s->index[p] >= f->n_first) continue;
            if (first < 0)
                first = s->index[p];
            else
                f->free_row[r] = hol_order_same_column(s, first, s->index[p]);
        }
        if (first < 0) f->free_row[r] = 0;
    }
}

// Adds row r to the matching by an augmenting path through coordinates with allowed[c] != 0 (NULL: all).
static bool augment(finder *f, int r, const char *allowed)
{
    const hol_pattern *s = f->s;
    int head = 0, tail = 0, found = -1;
    f->stamp++;
    for (int row = r, parent = -1;; parent = f->queue[head++], row = f->mate[parent]) {
        for (int p = s->start[row]; p < s->start[row + 1] && found < 0; p++) {
            int c = s->index[p];
            if (c >= f->n_first) break;
            if (f->mark[c] == f->stamp || (allowed && !allowed[c])) continue;
            f->mark[c] = f->stamp;
            f->from[c] = parent;
            f->queue[tail++] = c;
            if (f->mate[c] < 0) found = c;
        }
        if (found >= 0 || head == tail || tail > search_limit) break;
    }
    if (found < 0) return false;
    for (int c = found; c >= 0; c = f->from[c]) f->mate[c] = f->from[c] >= 0 ? f->mate[f->from[c]] : r;
    return true;
}

static void clear_matching(finder *f)
{
    for (int c = 0; c < f->n_first; c++) f->mate[c] = -1;
}

// Moves multipliers back until each can be matched with a coordinate that precedes it, or all of its own do.
static hol_status repair(finder *f, int *order)
{
    const hol_pattern *s = f->s;
    char *done =
        hol_calloc(f->ctx, (size_t)f->n + 1, 1); // coordinate placed; multiplier: 1 waiting, 2 placed
    int *missing = hol_calloc(f->ctx, (size_t)f->n + 1, sizeof(int)); // coordinates of a row not yet placed
    int *out = hol_calloc(f->ctx, (size_t)f->n + 1, sizeof(int));
    if (!done || !missing || !out) {
        hol_free(done), hol_free(missing), hol_free(out);
        return HOL_ERR_MEMORY;
    }
    clear_matching(f);
    for (int r = f->n_first; r < f->n; r++)
        if (f->free_row[r]) (void)augment(f, r, NULL); // it uses up one coordinate of its block
    for (int r = f->n_first; r < f->n; r++)
        for (int p = s->start[r]; p < s->start[r + 1]; p++) missing[r] += s->index[p] < f->n_first;
    int count = 0;
    for (int k = 0; k < f->n; k++) {
        int i = order[k];
        if (i >= f->n_first) {
            bool place = f->free_row[i] || missing[i] == 0 || augment(f, i, done);
            done[i] = place ? 2 : 1;
            if (place) out[count++] = i;
            continue;
        }
        done[i] = 1;
        out[count++] = i;
        for (int p = s->start[i]; p < s->start[i + 1]; p++) {
            int r = s->index[p];
            if (r < f->n_first) continue;
            missing[r]--;
            if (done[r] == 1 && (augment(f, r, done) || missing[r] == 0)) {
                done[r] = 2;
                out[count++] = r;
            }
        }
    }
    memcpy(order, out, (size_t)f->n * sizeof(int));
    hol_free(done), hol_free(missing), hol_free(out);
    return HOL_OK;
}

// Minimum degree on S with the unknowns of equal group merged; inside a group coordinates come first.
//   group[i] in 0..groups-1                                                  (n)
static hol_status minimum_degree(finder *f, const int *group, int groups, int *order)
{
    const hol_pattern *s = f->s;
    size_t n = (size_t)f->n, m = (size_t)groups, nonzeros = (size_t)s->start[f->n];
    int *first = hol_calloc(f->ctx, m + 2, sizeof(int)), *member = hol_calloc(f->ctx, n + 1, sizeof(int));
    int *start = hol_calloc(f->ctx, m + 1, sizeof(int)),
        *index = hol_calloc(f->ctx, nonzeros + 1, sizeof(int));
    int *seen = hol_calloc(f->ctx, m + 1, sizeof(int)), *sequence = hol_calloc(f->ctx, m + 1, sizeof(int));
    hol_status status = HOL_ERR_MEMORY;
    if (!first || !member || !start || !index || !seen || !sequence) goto end;

    for (int i = 0; i < f->n; i++) first[group[i] + 2]++;
    for (int g = 1; g <= groups; g++) first[g + 1] += first[g];
    for (int i = 0; i < f->n; i++) member[first[group[i] + 1]++] = i;

    int count = 0;
    for (int g = 0; g < groups; g++) {
        start[g] = count;
        for (int k = first[g]; k < first[g + 1]; k++)
            for (int p = s->start[member[k]]; p < s->start[member[k] + 1]; p++) {
                int h = group[s->index[p]];
                if (seen[h] == g + 1) continue;
                seen[h] = g + 1;
                index[count++] = h;
            }
    }
    start[groups] = count;

    int result = amd_order(groups, start, index, sequence, NULL, NULL);
    if (result != AMD_OK && result != AMD_OK_BUT_JUMBLED) {
        status = hol_fail(f->ctx, HOL_ERR_MEMORY, "ordering of %d unknowns: out of memory", f->n);
        goto end;
    }
    count = 0;
    for (int k = 0; k < groups; k++)
        for (int q = first[sequence[k]]; q < first[sequence[k] + 1]; q++) order[count++] = member[q];
    status = HOL_OK;
end:
    hol_free(first), hol_free(member), hol_free(start), hol_free(index), hol_free(seen), hol_free(sequence);
    return status;
}

// Groups {coordinate, its multiplier}; rows without a partner stand alone. Returns the number of groups.
static int pair_groups(finder *f, int *group)
{
    const hol_pattern *s = f->s;
    clear_matching(f);
    for (int r = f->n_first; r < f->n; r++) { // the coordinate with the fewest neighbours costs least
        int best = -1, least = 0;
        for (int p = s->start[r]; p < s->start[r + 1] && s->index[p] < f->n_first; p++) {
            int c = s->index[p], size = s->start[c + 1] - s->start[c];
            if (f->mate[c] < 0 && (best < 0 || size < least)) best = c, least = size;
        }
        if (best >= 0)
            f->mate[best] = r;
        else
            (void)augment(f, r, NULL);
    }
    for (int i = 0; i < f->n; i++) group[i] = i < f->n_first ? i : -1;
    for (int c = 0; c < f->n_first; c++)
        if (f->mate[c] >= 0) group[f->mate[c]] = c;
    int groups = f->n_first;
    for (int r = f->n_first; r < f->n; r++)
        if (group[r] < 0) group[r] = groups++;
    return groups;
}

// Nonzeros of L by walking the elimination tree, row by row; false as soon as there are more than `limit`.
static bool count_fill(finder *f, const int *order, double limit, int *work, hol_order_cost *cost)
{
    const hol_pattern *s = f->s;
    int n = f->n, *place = work, *parent = work + n, *size = work + 2 * n, *flag = work + 3 * n; // (n) each
    double nonzeros = n;
    for (int k = 0; k < n; k++) place[order[k]] = k;
    for (int k = 0; k < n; k++) {
        parent[k] = -1;
        size[k] = 0;
        flag[k] = k;
        for (int p = s->start[order[k]]; p < s->start[order[k] + 1]; p++)
            for (int j = place[s->index[p]]; j < k && flag[j] != k; j = parent[j]) {
                if (parent[j] < 0) parent[j] = k;
                flag[j] = k;
                size[j]++;
                nonzeros += 2;
            }
        if (nonzeros > limit) return false;
    }
    cost->nonzeros = nonzeros;
    cost->flops = 0;
    for (int k = 0; k < n; k++)
        cost->flops += size[k] + 2.0 * size[k] * size[k]; // U: one column, L: its products
    return true;
}

// Time of a refactorisation in units of one multiply-add in the innermost loop.
static double price(const hol_order_cost *c)
{
    const double per_nonzero = 5;
    return c->flops + per_nonzero * c->nonzeros;
}

// Both orders with their symbolic cost; the cheaper one is taken.
static hol_status find(finder *f, hol_order_kind kind, int *order, hol_order_cost *cost, int *group,
                       int *trial, int *work)
{
    mark_internal_rows(f);
    int groups = pair_groups(f, group);
    hol_status status = minimum_degree(f, group, groups, order);
    if (!status) status = repair(f, order);
    if (status) return status;
    (void)count_fill(f, order, HUGE_VAL, work, cost);
    if (kind == HOL_ORDER_PAIRED) return HOL_OK;

    for (int i = 0; i < f->n; i++) group[i] = i;
    status = minimum_degree(f, group, f->n, trial);
    if (!status) status = repair(f, trial);
    if (status) return status;
    hol_order_cost other;
    if (count_fill(f, trial, 2 * cost->nonzeros, work, &other) && price(&other) < price(cost)) {
        *cost = other;
        memcpy(order, trial, (size_t)f->n * sizeof(int));
    }
    return HOL_OK;
}

hol_status hol_order_find(hol_context *ctx, const hol_pattern *pattern, int n_first, hol_order_kind kind,
                          int *order, hol_order_cost *cost)
{
    size_t n = (size_t)pattern->n + 1;
    finder f = {.ctx = ctx, .s = pattern, .n = pattern->n, .n_first = n_first};
    int *block = hol_calloc(ctx, n, 10 * sizeof(int)); // all index arrays in one piece
    f.free_row = hol_calloc(ctx, n, 1);
    hol_status status = HOL_ERR_MEMORY;
    if (block && f.free_row) {
        f.mate = block, f.mark = block + n, f.from = block + 2 * n, f.queue = block + 3 * n;
        status = find(&f, kind, order, cost, block + 4 * n, block + 5 * n, block + 6 * n);
    }
    hol_free(block), hol_free(f.free_row);
    return status;
}
