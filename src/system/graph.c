// The joint graph: adjacency, and its loops as biconnected components, found without recursion (Hopcroft and Tarjan).
#include "system/graph.h"

void hol_graph_destroy(hol_graph *g)
{
    void *const arrays[] = {g->end, g->element, g->first, g->edge_of, g->component, g->group, g->grouped};
    for (int i = 0; i < HOL_COUNT(arrays); i++) hol_free(arrays[i]);
}

// Edges of an element: a chain through its bodies. What measures against the global frame goes on to ground; joints of two
// bodies do not.
static int links(const hol_element *e)
{
    const bool global = e->type->role == HOL_ROLE_CONSTRAINT || e->type->joints;
    const int n = e->n_bodies - 1 + global;
    return n > 1 ? n : 1;
}

// Vertices and edges of the graph: bodies with the ground, and constraints between two of them.
static hol_status build(hol_context *ctx, const hol_model_data *m, hol_graph *g)
{
    int ne = 0;
    for (int i = m->n_bodies; i < m->n_elements; i++) ne += links(&m->element[i]);
    g->m = m;
    g->n_vertices = m->n_bodies + 1;
    g->end = hol_calloc(ctx, (size_t)ne + 1, sizeof *g->end);
    g->element = hol_calloc(ctx, (size_t)ne + 1, sizeof *g->element);
    g->component = hol_calloc(ctx, (size_t)ne + 1, sizeof *g->component);
    g->edge_of = hol_calloc(ctx, 2 * (size_t)ne + 1, sizeof *g->edge_of);
    g->first = hol_calloc(ctx, (size_t)g->n_vertices + 2, sizeof *g->first);
    if (!g->end || !g->element || !g->component || !g->edge_of || !g->first) return HOL_ERR_MEMORY;
    for (int i = m->n_bodies; i < m->n_elements; i++) {
        const hol_element *e = &m->element[i];
        for (int link = 0; link < (e->n_rows ? links(e) : 0); link++) {
            g->element[g->n_edges] = i;
            for (int k = 0; k < 2; k++) {
                const int v = link + k < e->n_bodies ? e->body[link + k] : m->n_bodies;
                g->end[g->n_edges][k] = v;
                g->first[v + 2]++;
            }
            g->component[g->n_edges++] = -1;
        }
    }
    for (int v = 0; v < g->n_vertices; v++) g->first[v + 2] += g->first[v + 1];
    for (int i = 0; i < g->n_edges; i++)
        for (int k = 0; k < 2; k++) g->edge_of[g->first[g->end[i][k] + 1]++] = i;
    return HOL_OK;
}

// Depth-first search without recursion (Hopcroft and Tarjan): a component is closed when a child's low point does not
// pass its father.
typedef struct {
    int *depth, *low, *next,
        *via;          // per vertex: discovery, low point, next adjacent edge, edge it was reached by
    int *path, *edges; // stacks of vertices and edges
} search;

static void close_component(hol_graph *g, const search *d, int *n_edges, int until)
{
    int edge;
    do {
        edge = d->edges[--*n_edges];
        g->component[edge] = g->n_components;
    } while (edge != until);
    g->n_components++;
}

// Depth first from a root with a stack of its own. A component is complete where nothing behind an edge
// reaches above the vertex before it (Hopcroft, Tarjan).
static void search_from(hol_graph *g, search *d, int root, int *time)
{
    int n_path = 0, n_edges = 0;
    d->path[n_path++] = root;
    d->depth[root] = ++*time;
    d->low[root] = *time;
    d->via[root] = -1;
    while (n_path) {
        const int v = d->path[n_path - 1];
        if (d->next[v] < g->first[v + 1]) {
            const int edge = g->edge_of[d->next[v]++];
            if (edge == d->via[v] || g->component[edge] >= 0) continue;
            const int u = g->end[edge][0] == v ? g->end[edge][1] : g->end[edge][0];
            if (!d->depth[u]) {
                d->edges[n_edges++] = edge;
                d->via[u] = edge;
                d->depth[u] = d->low[u] = ++*time;
                d->path[n_path++] = u;
            } else if (d->depth[u] < d->depth[v]) {
                d->edges[n_edges++] = edge;
                if (d->depth[u] < d->low[v]) d->low[v] = d->depth[u];
            }
            continue;
        }
        n_path--;
        if (!n_path) break;
        const int father = d->path[n_path - 1];
        if (d->low[v] < d->low[father]) d->low[father] = d->low[v];
        if (d->low[v] >= d->depth[father]) close_component(g, d, &n_edges, d->via[v]);
    }
}

// The search from the ground and from what it does not reach.
static hol_status find_components(hol_context *ctx, hol_graph *g)
{
    const size_t n = (size_t)g->n_vertices;
    int *all = hol_calloc(ctx, 5 * n + (size_t)g->n_edges + 1, sizeof *all);
    if (!all) return HOL_ERR_MEMORY;
    search d = {all, all + n, all + 2 * n, all + 3 * n, all + 4 * n, all + 5 * n};
    for (int v = 0; v < g->n_vertices; v++) d.next[v] = g->first[v];
    int time = 0;
    for (int v = g->n_vertices - 1; v >= 0; v--) // ground first
        if (!d.depth[v]) search_from(g, &d, v, &time);
    hol_free(all);
    return HOL_OK;
}

// The edges of one element belong together: their components become one, and one edge of them is kept.
static hol_status unite(hol_context *ctx, hol_graph *g)
{
    int *name = hol_calloc(ctx, (size_t)g->n_components + 1, sizeof *name), kept = 0, n = 0;
    if (!name) return HOL_ERR_MEMORY;
    for (int c = 0; c < g->n_components; c++) name[c] = c;
    for (int i = 1; i < g->n_edges; i++) {
        if (g->element[i] != g->element[i - 1]) continue;
        const int a = name[g->component[i - 1]], b = name[g->component[i]];
        for (int c = 0; c < g->n_components && a != b; c++)
            if (name[c] == b) name[c] = a;
    }
    for (int i = 0; i < g->n_edges; i++) {
        if (i > 0 && g->element[i] == g->element[i - 1]) continue;
        g->element[kept] = g->element[i];
        g->end[kept][0] = g->end[i][0];
        g->end[kept][1] = g->end[i][1];
        g->component[kept++] = name[g->component[i]];
    }
    g->n_edges = kept;
    for (int c = 0; c < g->n_components; c++) // numbers without gaps: a name is the number of one of its own
        if (name[c] == c) name[c] = -1 - n++;
    for (int i = 0; i < kept; i++) g->component[i] = -1 - name[g->component[i]];
    g->n_components = n;
    hol_free(name);
    return HOL_OK;
}

// Counting sort of the edges by their component.
static hol_status group(hol_context *ctx, hol_graph *g)
{
    int *first = hol_calloc(ctx, (size_t)g->n_components + 2, sizeof *first);
    int *edge = hol_calloc(ctx, (size_t)g->n_edges + 1, sizeof *edge);
    g->group = first;
    g->grouped = edge;
    if (!first || !edge) return HOL_ERR_MEMORY;
    for (int i = 0; i < g->n_edges; i++) first[g->component[i] + 2]++;
    for (int c = 0; c < g->n_components; c++) first[c + 2] += first[c + 1];
    for (int i = 0; i < g->n_edges; i++) edge[first[g->component[i] + 1]++] = i;
    return HOL_OK;
}

hol_status hol_graph_create(hol_context *ctx, const hol_model_data *m, hol_graph *g)
{
    const hol_graph empty = {0};
    *g = empty;
    hol_status st = build(ctx, m, g);
    if (!st) st = find_components(ctx, g);
    if (!st) st = unite(ctx, g);
    return st ? st : group(ctx, g);
}

hol_status hol_graph_has_loops(hol_context *ctx, const hol_model_data *m, bool *loops)
{
    hol_graph g = {0};
    const hol_status st = hol_graph_create(ctx, m, &g);
    *loops = false;
    for (int c = 0; !st && c < g.n_components; c++) *loops = *loops || g.group[c + 1] - g.group[c] > 1;
    hol_graph_destroy(&g);
    return st;
}
