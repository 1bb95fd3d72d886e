// Partition of a large tree for threads, in pieces: subtrees that do not touch each other, and the top they hang on.
// Pieces follow from the tree alone, and so does the order of every sum. docs/theory.md, section 14.6.
#include "recursion/data.h"

#include <string.h>

enum {
    PIECES = 32, // at most
    SMALLER = 2  // subtrees that are not in the top have no more bodies than a piece divided by this
};

// ---- which -------------------------------------------------------------------------------------------------------

typedef struct {
    const hol_forest *f;
    int n;
    int *size;  // bodies of the subtree of each body                                       (n)
    int *piece; // of each body, -1: top                                                     (n)
    int n_pieces;
} division;

static int least(const hol_tree *r) { return r->s->divide ? r->s->divide : HOL_DIVIDE; }

// Large subtrees, and the children of their roots, are the top; below such a child its whole offspring is in one piece, so
// that two pieces never have the same father. The forest is depth first: what stands together there is in the same piece.
static void divide(division *o)
{
    const hol_forest *f = o->f;
    const int large = o->n / (PIECES * SMALLER),
              full = o->n / PIECES + 1; // then there are no more than PIECES
    int filled = 0, unit = -1;          // bodies in the last piece; the father of its last subtrees
    for (int i = 0; i < o->n; i++) o->size[i] = 1;
    for (int i = o->n - 1; i >= 0; i--) {
        const int body = f->order[i];
        if (f->father[body] >= 0) o->size[f->father[body]] += o->size[body];
    }
    for (int i = 0; i < o->n; i++) {
        const int body = f->order[i], father = f->father[body];
        if (father >= 0 && o->piece[father] >= 0) {
            o->piece[body] = o->piece[father];
        } else if (o->size[body] > large || (father >= 0 && o->size[father] > large)) {
            o->piece[body] = -1;
            continue;
        } else {
            if (o->n_pieces == 0 || (filled >= full && (father < 0 || father != unit)))
                o->n_pieces++, filled = 0;
            unit = father;
            o->piece[body] = o->n_pieces - 1;
        }
        filled++;
    }
}

static int depth_below(const hol_forest *f, const int *depth, int body)
{
    return f->father[body] < 0 ? 0 : depth[f->father[body]] + 1;
}

// Bodies by depth, within a depth as in the forest: neighbours belong to different strands and do not wait for each other
// in the passes along the tree.
static hol_status by_depth(hol_tree *r)
{
    const hol_forest *f = r->forest;
    int *next = hol_calloc(r->ctx, (size_t)f->depth + 2, sizeof *next), *depth = r->place;
    if (!next) return HOL_ERR_MEMORY;
    for (int i = 0; i < r->n_bodies; i++) {
        const int body = f->order[i];
        depth[body] = depth_below(f, depth, body);
        next[depth[body] + 1]++;
    }
    for (int i = 0; i < f->depth; i++) next[i + 1] += next[i];
    for (int i = 0; i < r->n_bodies; i++) r->order[next[depth[f->order[i]]]++] = f->order[i];
    hol_free(next);
    return HOL_OK;
}

// The order so far, top first, then piece by piece.
static void by_piece(hol_tree *r, const division *o, int *room)
{
    int next[PIECES + 2] = {0};
    memcpy(room, r->order, (size_t)o->n * sizeof *room);
    for (int i = 0; i < o->n; i++) next[o->piece[i] + 2]++;
    for (int p = 0; p < o->n_pieces; p++) next[p + 2] += next[p + 1];
    memcpy(r->piece, next + 1, ((size_t)o->n_pieces + 1) * sizeof *next);
    for (int i = 0; i < o->n; i++) r->order[next[o->piece[room[i]] + 1]++] = room[i];
}

// Divides a large tree and puts its bodies into the order of the pieces.
static hol_status order_pieces(hol_tree *r)
{
    division o = {.f = r->forest, .n = r->n_bodies};
    o.size = hol_calloc(r->ctx, 2 * (size_t)o.n, sizeof *o.size);
    if (!o.size) return HOL_ERR_MEMORY;
    o.piece = o.size + o.n;
    divide(&o);
    if (o.n_pieces > 1) {
        r->n_pieces = o.n_pieces;
        by_piece(r, &o, o.size);
    }
    hol_free(o.size);
    return HOL_OK;
}

hol_status hol_tree_order(hol_tree *r)
{
    r->n_pieces = 1;
    r->piece = hol_calloc(r->ctx, PIECES + 2, sizeof *r->piece);
    if (!r->piece) return HOL_ERR_MEMORY;
    r->piece[1] = r->n_bodies;
    hol_status st = by_depth(r);
    if (!st && r->n_bodies >= least(r) && r->forest->n_roots < r->n_bodies) st = order_pieces(r);
    for (int j = 0; j < r->n_bodies; j++) r->place[r->order[j]] = j;
    return st;
}

// ---- loops by body -----------------------------------------------------------------------------------------------

// Once for each body of the loop.
static void count_loop(const hol_tree *r, int k, int *next, int *list)
{
    const hol_element *e = &r->s->m->element[r->loop[k].joint];
    for (int i = 0; i < e->n_bodies; i++) {
        bool again = false;
        for (int p = 0; p < i; p++) again = again || e->body[p] == e->body[i];
        if (again) continue;
        const int at = next[r->place[e->body[i]]]++;
        if (list) list[at] = k;
    }
}

hol_status hol_tree_list_loops(hol_tree *r)
{
    const size_t n = (size_t)r->n_bodies;
    int total = 0;
    if (!r->s->team || r->n_bodies < least(r) || !r->n_loop_elements) return HOL_OK;
    int *next = hol_calloc(r->ctx, n + 1, sizeof *next);
    if (!next) return HOL_ERR_MEMORY;
    for (int k = 0; k < r->n_loop_elements; k++) count_loop(r, k, next, NULL);
    r->first_loop = hol_calloc(r->ctx, n + 1, sizeof *r->first_loop);
    for (size_t j = 0; r->first_loop && j < n; j++) {
        r->first_loop[j] = total;
        total += next[j];
        next[j] = r->first_loop[j];
    }
    r->loop_of = hol_calloc(r->ctx, (size_t)total + 1, sizeof *r->loop_of);
    const bool made = r->first_loop && r->loop_of;
    if (made) r->first_loop[n] = total;
    for (int k = 0; k < r->n_loop_elements && made; k++) count_loop(r, k, next, r->loop_of);
    hol_free(next);
    return made ? HOL_OK : HOL_ERR_MEMORY;
}

// ---- passes ------------------------------------------------------------------------------------------------------

typedef struct {
    const hol_tree *r;
    hol_team_range *function;
    void *with;
} pass;

static void do_piece(void *with, int p)
{
    const pass *o = with;
    o->function(o->with, o->r->piece[p], o->r->piece[p + 1]);
}

// Bodies that are all roots are pieces of their own.
static void do_pieces(const hol_tree *r, hol_team_range *function, void *with)
{
    pass o = {r, function, with};
    if (r->forest->n_roots == r->n_bodies)
        hol_tree_each(r, function, with);
    else if (r->n_pieces == 1)
        function(with, r->piece[0], r->piece[1]);
    else
        hol_team_run(r->s->team, r->n_pieces, do_piece, &o);
}

void hol_tree_inwards(const hol_tree *r, hol_team_range *function, void *with)
{
    do_pieces(r, function, with);
    if (r->piece[0] > 0) function(with, 0, r->piece[0]);
}

void hol_tree_outwards(const hol_tree *r, hol_team_range *function, void *with)
{
    if (r->piece[0] > 0) function(with, 0, r->piece[0]);
    do_pieces(r, function, with);
}

void hol_tree_each(const hol_tree *r, hol_team_range *function, void *with)
{
    hol_team_each(r->s->team, r->n_bodies, function, with);
}

void hol_tree_each_loop(const hol_tree *r, hol_team_range *function, void *with)
{
    hol_team_each(r->s->team, r->n_loop_elements, function, with);
}
