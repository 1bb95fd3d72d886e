// A KKT matrix made of blocks of another one: the pattern is built once from the table of blocks, after which every entry of S
// knows its place in each block and filling is one pass over the entries.
#include "system/composite.h"

#include <string.h>

typedef struct {
    hol_composite *b;
    const hol_composite_block *block;
    hol_pattern_builder to;
    int *state_of; // state whose rate is equation k, -1: none                           (nz)
} builder;

static int part_of(const hol_equations *s, int i)
{
    if (i < s->nq) return HOL_PART_Q;
    if (i < s->nf) return HOL_PART_Z;
    return i < s->nf + s->nc ? HOL_PART_LAM : HOL_PART_KAP;
}

static int first_of(const hol_equations *s, int part)
{
    const int first[] = {0, s->nq, s->nf, s->nf + s->nc};
    return first[part];
}

// Where unknown i of S stands when its part begins at to[part]; -1: nowhere.
static int moved(const hol_equations *s, int i, const int *to)
{
    const int part = part_of(s, i);
    return to[part] < 0 ? -1 : to[part] + i - first_of(s, part);
}

static int column_of(const builder *w, const hol_composite_block *block, int j)
{
    const hol_equations *s = w->b->s;
    if (block->z == HOL_Z_ALL || part_of(s, j) != HOL_PART_Z) return moved(s, j, block->col);
    const int state = w->state_of[j - s->nq];
    if (state < 0) return -1;
    return block->z == HOL_Z_TO_STATES ? block->col[HOL_PART_Z] + state : moved(s, j, block->col);
}

// Every entry of S at its place in each block that holds it.
static void each_entry(builder *w)
{
    hol_composite *b = w->b;
    const hol_equations *s = b->s;
    for (int j = 0; j < s->n; j++)
        for (int k = s->pattern.start[j]; k < s->pattern.start[j + 1]; k++)
            for (int p = 0; p < b->n_blocks; p++) {
                const int row = moved(s, s->pattern.index[k], w->block[p].row),
                          col = column_of(w, &w->block[p], j);
                b->place[k * b->n_blocks + p] =
                    row < 0 || col < 0 ? -1 : hol_pattern_add_both(&w->to, row, col);
            }
    for (int i = b->n_first; i < b->n; i++) hol_pattern_add(&w->to, i, i);
}

// The pattern: entries of the blocks, then those of the caller, in two passes.
static hol_status build_pattern(builder *w, hol_composite_more *more, void *user)
{
    hol_composite *b = w->b;
    w->to = (hol_pattern_builder){.ctx = b->ctx, .pattern = &b->pattern, .n = b->n};
    while (hol_pattern_pass(&w->to)) {
        each_entry(w);
        const hol_status st = more(user, &w->to);
        if (st) return st;
    }
    return w->to.status;
}

hol_status hol_composite_create(hol_context *ctx, hol_equations *s, int n, int n_first,
                                const hol_composite_block *block, int n_blocks, hol_composite_more *more,
                                void *user, hol_composite *b)
{
    builder w = {.b = b, .block = block, .state_of = hol_calloc(ctx, (size_t)s->nz + 1, sizeof(int))};
    memset(b, 0, sizeof *b);
    b->ctx = ctx;
    b->s = s;
    b->n = n;
    b->n_first = n_first;
    b->n_blocks = n_blocks;
    b->place = hol_calloc(ctx, (size_t)s->pattern.start[s->n] * (size_t)n_blocks + 1, sizeof *b->place);
    hol_status st = w.state_of && b->place ? HOL_OK : HOL_ERR_MEMORY;
    for (int i = 0; i < s->nz && !st; i++) w.state_of[i] = -1;
    for (int i = 0; i < s->nx && !st; i++) w.state_of[s->m->state[i].equation] = i;
    if (!st) st = build_pattern(&w, more, user);
    hol_free(w.state_of);
    if (!st && !(b->A = hol_kkt_create(ctx, &b->pattern, n_first))) st = HOL_ERR_MEMORY;
    return st;
}

void hol_composite_destroy(hol_composite *b)
{
    hol_kkt_destroy(b->A);
    hol_pattern_destroy(&b->pattern);
    hol_free(b->place);
    memset(b, 0, sizeof *b);
}

void hol_composite_fill(hol_composite *b, const double *const *from, const double *factor)
{
    double *values = hol_kkt_values(b->A);
    const int entries = b->s->pattern.start[b->s->n];
    memset(values, 0, (size_t)b->pattern.start[b->n] * sizeof *values);
    for (int k = 0; k < entries; k++) {
        const int *at = b->place + (size_t)k * (size_t)b->n_blocks;
        for (int p = 0; p < b->n_blocks; p++)
            if (at[p] >= 0 && from[p]) values[at[p]] += factor[p] * from[p][k];
    }
}
