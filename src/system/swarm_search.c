// The grid: balls by the hashes of their cells, a counting sort; then, of each ball, the cells around its own at its level and at each
// coarser one.
#include "system/swarm_search.h"

#include <math.h>
#include <string.h>

enum { LEVELS = 31, ENOUGH = 8 }; // pairs of each ball that there is room for at first
#define FARTHEST 1e9              // cells: what is farther away counts as there

// ---- rooms --------------------------------------------------------------------------------------------------------

hol_status hol_near_create(hol_context *ctx, const hol_swarm_rule *r, hol_near_list *list)
{
    const size_t n = (size_t)r->n_balls + 2;
    const int enough = ENOUGH * r->n_balls + ENOUGH;
    list->first = hol_calloc(ctx, n, sizeof *list->first);
    list->up_first = hol_calloc(ctx, n, sizeof *list->up_first);
    if (!list->first || !list->up_first || !HOL_GROW(ctx, list->pair, list->room, enough) ||
        !HOL_GROW(ctx, list->up, list->rooms, enough))
        return HOL_ERR_MEMORY;
    return HOL_OK;
}

void hol_near_destroy(hol_near_list *list)
{
    void *const arrays[] = {list->pair, list->first, list->up_first, list->up};
    for (int i = 0; i < HOL_COUNT(arrays); i++) hol_free(arrays[i]);
}

hol_status hol_search_create(hol_context *ctx, const hol_swarm_rule *r, int dimension, hol_search *o)
{
    const size_t n = (size_t)r->n_balls + 1;
    *o = (hol_search){.ctx = ctx, .r = r, .dimension = dimension, .n_buckets = 1};
    while (o->n_buckets < 2 * r->n_balls) o->n_buckets *= 2;
    o->bucket = hol_calloc(ctx, (size_t)o->n_buckets + 1, sizeof *o->bucket);
    o->order = hol_calloc(ctx, n, sizeof *o->order);
    o->cell = hol_calloc(ctx, n, sizeof *o->cell);
    return o->bucket && o->order && o->cell && HOL_GROW(ctx, o->found, o->room, ENOUGH * r->n_balls + ENOUGH)
               ? HOL_OK
               : HOL_ERR_MEMORY;
}

void hol_search_destroy(hol_search *o)
{
    void *const arrays[] = {o->bucket, o->order, o->cell, o->found};
    for (int i = 0; i < HOL_COUNT(arrays); i++) hol_free(arrays[i]);
}

// ---- cells --------------------------------------------------------------------------------------------------------

// The cell of a place at a level; edges of level 0: `edge`.
static void find_cell(const hol_search *o, const double c[3], double edge, int level, int cell[4])
{
    for (int i = 0; i < 3; i++) {
        const double at = i < o->dimension ? floor(c[i] / ldexp(edge, level)) : 0;
        cell[i] = (int)fmax(-FARTHEST, fmin(at, FARTHEST));
    }
    cell[3] = level;
}

static int bucket_of(const hol_search *o, const int cell[4])
{
    const unsigned h = (unsigned)cell[0] * 73856093u ^ (unsigned)cell[1] * 19349663u ^
                       (unsigned)cell[2] * 83492791u ^ (unsigned)cell[3] * 2654435761u;
    return (int)((h ^ h >> 15) & (unsigned)(o->n_buckets - 1));
}

static bool is_somewhere(const double c[3]) { return isfinite(c[0] + c[1] + c[2]); }

// The level whose cells are as wide as the reach of two such balls; the smallest reach is that of level 0.
static int level_of(double reach, double least)
{
    int level = 0;
    while (level < LEVELS - 1 && reach > ldexp(least, level)) level++;
    return level;
}

// Balls into buckets, in their order; which levels there are, as bits.
static unsigned sort_balls(hol_search *o, const double (*centre)[3], const double *reach, double least)
{
    const int n = o->r->n_balls;
    unsigned levels = 0;
    memset(o->bucket, 0, ((size_t)o->n_buckets + 1) * sizeof *o->bucket);
    for (int i = 0; i < n; i++) {
        if (!is_somewhere(centre[i])) continue;
        find_cell(o, centre[i], 2 * least, level_of(reach[i], least), o->cell[i]);
        levels |= 1u << o->cell[i][3];
        o->bucket[bucket_of(o, o->cell[i]) + 1]++;
    }
    for (int b = 0; b < o->n_buckets; b++) o->bucket[b + 1] += o->bucket[b];
    for (int i = n - 1; i >= 0; i--) // from the last, so that the end of a bucket moves to its beginning
        if (is_somewhere(centre[i])) o->order[--o->bucket[bucket_of(o, o->cell[i]) + 1]] = i;
    memmove(o->bucket, o->bucket + 1, (size_t)o->n_buckets * sizeof *o->bucket);
    int all = 0;
    for (int i = 0; i < n; i++) all += is_somewhere(centre[i]);
    o->bucket[o->n_buckets] = all;
    return levels;
}

// ---- pairs --------------------------------------------------------------------------------------------------------

static hol_status note(hol_search *o, int a, int b)
{
    if (!hol_swarm_may_touch(o->r, a, b)) return HOL_OK;
    if (o->n == o->room && !HOL_GROW(o->ctx, o->found, o->room, o->n + 1)) return HOL_ERR_MEMORY;
    o->found[o->n][0] = a < b ? a : b;
    o->found[o->n++][1] = a < b ? b : a;
    return HOL_OK;
}

// The balls of one cell that ball i is near to, those of its own level once.
static hol_status look_into(hol_search *o, const double (*centre)[3], const double *reach, int i,
                            const int cell[4])
{
    const int bucket = bucket_of(o, cell);
    hol_status st = HOL_OK;
    for (int k = o->bucket[bucket]; k < o->bucket[bucket + 1] && !st; k++) {
        const int j = o->order[k];
        double square = 0;
        if (memcmp(o->cell[j], cell, sizeof o->cell[j]) != 0 || (cell[3] == o->cell[i][3] && j <= i))
            continue;
        for (int c = 0; c < 3; c++) square += (centre[i][c] - centre[j][c]) * (centre[i][c] - centre[j][c]);
        if (square < (reach[i] + reach[j]) * (reach[i] + reach[j])) st = note(o, i, j);
    }
    return st;
}

// The cells of a level around a ball.
static hol_status look_around(hol_search *o, const double (*centre)[3], const double *reach, int i,
                              double edge, int level)
{
    int own[4], cell[4];
    hol_status st = HOL_OK;
    const int z = o->dimension == 3 ? 1 : 0;
    find_cell(o, centre[i], edge, level, own);
    memcpy(cell, own, sizeof cell);
    for (int dx = -1; dx <= 1 && !st; dx++)
        for (int dy = -1; dy <= 1 && !st; dy++)
            for (int dz = -z; dz <= z && !st; dz++) {
                cell[0] = own[0] + dx, cell[1] = own[1] + dy, cell[2] = own[2] + dz;
                st = look_into(o, centre, reach, i, cell);
            }
    return st;
}

// The half-spaces that ball i is near to.
static hol_status meet_faces(hol_search *o, const double c[3], double reach, int i)
{
    hol_status st = HOL_OK;
    for (int k = o->r->n_balls; k < o->r->n && !st; k++) {
        const hol_swarm_shape *h = &o->r->shape[k];
        const double height =
            h->n[0] * (c[0] - h->s[0]) + h->n[1] * (c[1] - h->s[1]) + h->n[2] * (c[2] - h->s[2]);
        if (height < reach) st = note(o, i, k);
    }
    return st;
}

// A few pairs of one ball, by the second one.
static void insert(hol_near *pair, int n)
{
    for (int k = 1; k < n; k++) {
        const hol_near p = pair[k];
        int at = k;
        for (; at > 0 && pair[at - 1].b > p.b; at--) pair[at] = pair[at - 1];
        pair[at] = p;
    }
}

// From as they were found into their order: by the first, a counting sort, and of few each by the second.
static hol_status sort_pairs(hol_search *o, hol_near_list *out)
{
    const int n = o->r->n_balls;
    if (o->n > out->room && !HOL_GROW(o->ctx, out->pair, out->room, o->n)) return HOL_ERR_MEMORY;
    if (o->n > out->rooms && !HOL_GROW(o->ctx, out->up, out->rooms, o->n)) return HOL_ERR_MEMORY;
    memset(out->first, 0, ((size_t)n + 2) * sizeof *out->first);
    memset(out->up_first, 0, ((size_t)n + 2) * sizeof *out->up_first);
    for (int k = 0; k < o->n; k++) {
        out->first[o->found[k][0] + 2]++;
        if (o->found[k][1] < n) out->up_first[o->found[k][1] + 2]++;
    }
    for (int i = 0; i < n; i++) {
        out->first[i + 2] += out->first[i + 1];
        out->up_first[i + 2] += out->up_first[i + 1];
    }
    for (int k = 0; k < o->n; k++) {
        const int a = o->found[k][0];
        out->pair[out->first[a + 1]++] = (hol_near){.a = a, .b = o->found[k][1]};
    }
    for (int i = 0; i < n; i++) insert(out->pair + out->first[i], out->first[i + 1] - out->first[i]);
    out->n = o->n;
    for (int k = 0; k < o->n; k++)
        if (out->pair[k].b < n) out->up[out->up_first[out->pair[k].b + 1]++] = k;
    return HOL_OK;
}

hol_status hol_search_near(hol_search *o, const double (*centre)[3], const double *reach, int most,
                           hol_near_list *out)
{
    double least = HOL_INF;
    hol_status st = HOL_OK;
    for (int i = 0; i < o->r->n_balls; i++) least = fmin(least, reach[i]);
    const unsigned levels = sort_balls(o, centre, reach, least);
    o->n = 0;
    o->made++;
    for (int i = 0; i < o->r->n_balls && !st; i++) {
        if (!is_somewhere(centre[i])) continue;
        for (int level = o->cell[i][3]; level < LEVELS && levels >> level && !st; level++)
            if (levels >> level & 1) st = look_around(o, centre, reach, i, 2 * least, level);
        if (!st) st = meet_faces(o, centre[i], reach[i], i);
        if (!st && o->n > most) st = HOL_RECOVERABLE;
    }
    return st ? st : sort_pairs(o, out);
}

void hol_near_take(const hol_near *lasting, int n, hol_near_list *list)
{
    for (int k = 0, old = 0; k < list->n; k++) {
        hol_near *p = &list->pair[k];
        while (old < n && (lasting[old].a < p->a || (lasting[old].a == p->a && lasting[old].b < p->b))) old++;
        if (old < n && lasting[old].a == p->a && lasting[old].b == p->b) *p = lasting[old];
    }
}
