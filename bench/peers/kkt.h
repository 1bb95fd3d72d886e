// The matrix [M G^T; G 0] by columns, its entries written in an order of the caller's that is always the same, and KLU.
#ifndef PEERS_KKT_H
#define PEERS_KKT_H

#include <klu.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int n, entries, used, room;
    int *row, *column, *slot; // of the entries as they are written              (room)
    int *start, *index;       // columns                                          (n + 1), (nonzeros)
    double *value;
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
} kkt;

// Entries are written from number `from` on: what was written before it stays. 0: all, which are 0 then.
static inline void kkt_begin(kkt *k, int from)
{
    k->used = from;
    if (k->start && from == 0) memset(k->value, 0, (size_t)k->start[k->n] * sizeof *k->value);
}

// Adds to an entry; the first time round its place is learnt.
static inline void kkt_put(kkt *k, int row, int column, double value)
{
    if (k->start) {
        k->value[k->slot[k->used++]] += value;
        return;
    }
    if (k->used == k->room) {
        k->room = 2 * k->room + 1000;
        k->row = realloc(k->row, (size_t)k->room * sizeof *k->row);
        k->column = realloc(k->column, (size_t)k->room * sizeof *k->column);
    }
    k->row[k->used] = row;
    k->column[k->used++] = column;
}

// G's entries: two places that no other entry has.
static inline void kkt_set(kkt *k, int row, int column, double value)
{
    if (k->start) {
        k->value[k->slot[k->used]] = k->value[k->slot[k->used + 1]] = value;
        k->used += 2;
        return;
    }
    kkt_put(k, row, column, value);
    kkt_put(k, column, row, value);
}

static int kkt_by_place(const void *a, const void *b)
{
    const long *x = a, *y = b;
    return (x[0] > y[0]) - (x[0] < y[0]);
}

// After the first time round: the columns; the caller writes its entries again.
static inline bool kkt_learn(kkt *k, int n)
{
    k->n = n;
    k->slot = malloc((size_t)k->used * sizeof *k->slot);
    k->start = calloc((size_t)n + 1, sizeof *k->start);
    k->index = malloc((size_t)k->used * sizeof *k->index);
    k->value = calloc((size_t)k->used, sizeof *k->value);
    long *place = malloc(2 * (size_t)k->used * sizeof *place);
    if (!k->slot || !k->start || !k->index || !k->value || !place) return false;
    for (int i = 0; i < k->used; i++) {
        place[2 * i] = (long)k->column[i] * n + k->row[i];
        place[2 * i + 1] = i;
    }
    qsort(place, (size_t)k->used, 2 * sizeof *place, kkt_by_place);
    int count = 0;
    for (int i = 0; i < k->used; i++) {
        if (i == 0 || place[2 * i] != place[2 * i - 2]) {
            k->index[count++] = (int)(place[2 * i] % n);
            k->start[place[2 * i] / n + 1]++;
        }
        k->slot[place[2 * i + 1]] = count - 1;
    }
    for (int i = 0; i < n; i++) k->start[i + 1] += k->start[i];
    free(place);
    klu_defaults(&k->common);
    k->symbolic = klu_analyze(n, k->start, k->index, &k->common);
    return k->symbolic;
}

// With the pivots of the first time while they are good enough.
static inline bool kkt_factor(kkt *k)
{
    if (k->numeric && klu_refactor(k->start, k->index, k->value, k->symbolic, k->numeric, &k->common) &&
        klu_rcond(k->symbolic, k->numeric, &k->common) && k->common.rcond > 1e-14)
        return true;
    if (k->numeric) klu_free_numeric(&k->numeric, &k->common);
    k->numeric = klu_factor(k->start, k->index, k->value, k->symbolic, &k->common);
    return k->numeric && k->common.status == KLU_OK;
}

static inline void kkt_solve(kkt *k, double *b)
{
    klu_solve(k->symbolic, k->numeric, k->n, 1, b, &k->common);
}

static inline void kkt_free(kkt *k)
{
    if (k->numeric) klu_free_numeric(&k->numeric, &k->common);
    if (k->symbolic) klu_free_symbolic(&k->symbolic, &k->common);
    free(k->row);
    free(k->column);
    free(k->slot);
    free(k->start);
    free(k->index);
    free(k->value);
    memset(k, 0, sizeof *k);
}

#endif
