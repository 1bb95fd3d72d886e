// An order of elimination in two strands: a structure that is long and thin is cut at a narrow level of a breadth-first
// search, both halves are eliminated towards the cut (camd), and the two lists are merged. docs/theory.md, section
// 15.9.
#include "linalg/strands.h"
#include "linalg/breadth.h"

#include <camd.h>

enum {
    FEW = 16, // nodes of a graph that is not worth it
    CUT = 12  // nodes of a cut at most
};
enum { LOWER, UPPER, BETWEEN }; // in the order in which camd eliminates them

typedef struct {
    const hol_pattern *p;
    int *node;  // as they are visited, breadth first                                                  (p->n)
    int *level; // of each node, -1: not seen                                                          (p->n)
    int *set;   // of each node                                                                        (p->n)
    int *order; // of camd                                                                             (p->n)
} graph;

// Returns the number of nodes that can be reached.
static int visit(const graph *g, int root)
{
    for (int i = 0; i < g->p->n; i++) g->level[i] = -1;
    return hol_breadth_first(g->p, root, 0, g->node, g->level);
}

// By the level that the middle node has. Returns the nodes of the cut.
static int divide(const graph *g, int count[3])
{
    const int middle = g->level[g->node[g->p->n / 2]];
    count[LOWER] = count[UPPER] = count[BETWEEN] = 0;
    for (int i = 0; i < g->p->n; i++) {
        g->set[i] = g->level[i] < middle ? LOWER : g->level[i] > middle ? UPPER : BETWEEN;
        count[g->set[i]]++;
    }
    return count[BETWEEN];
}

// The two halves in turn, the cut last.
static void merge(const graph *g, const int count[3], int *order)
{
    const int lower = count[LOWER], upper = count[UPPER];
    int at[2] = {0};
    for (int k = 0; k < lower + upper; k++) {
        const bool first = (double)at[LOWER] * upper <= (double)at[UPPER] * lower && at[LOWER] < lower;
        order[k] = first ? g->order[at[LOWER]++] : g->order[lower + at[UPPER]++];
    }
    for (int k = lower + upper; k < g->p->n; k++) order[k] = g->order[k];
}

// The order from one end, if the graph is connected and a narrow cut leaves two halves.
static hol_status find(graph *g, int end, int *order, bool *found)
{
    int count[3];
    if (visit(g, end) < g->p->n) return HOL_OK;
    visit(g, g->node[g->p->n - 1]); // from the other end: its levels are the narrowest
    if (divide(g, count) > CUT || !count[LOWER] || !count[UPPER]) return HOL_OK;
    const int st = camd_order(g->p->n, g->p->start, g->p->index, g->order, NULL, NULL, g->set);
    if (st != CAMD_OK && st != CAMD_OK_BUT_JUMBLED) return HOL_ERR_MEMORY;
    merge(g, count, order);
    *found = true;
    return HOL_OK;
}

hol_status hol_strands_order(hol_context *ctx, const hol_pattern *p, int end, int *order, bool *found)
{
    const size_t n = (size_t)p->n;
    *found = false;
    if (p->n < FEW) return HOL_OK;
    graph g = {.p = p, .node = hol_calloc(ctx, 4 * n, sizeof(int))};
    if (!g.node) return HOL_ERR_MEMORY;
    g.level = g.node + n, g.set = g.level + n, g.order = g.set + n;
    const hol_status st = find(&g, end, order, found);
    hol_free(g.node);
    return st;
}
