// Rank of the constraints, loop by loop; see rank.h.
#include "system/rank.h"
#include "system/initial.h"
#include "linalg/dense.h"

#include <math.h>
#include <string.h>

#define RANK_THRESHOLD 1e-9 // relative to the first pivot; docs/theory.md, section 4.3

enum { POSES = 3 };

// Joint graph: vertices are bodies and ground (the last one), edges are the elements with rows that are not bodies.
typedef struct {
    const hol_model_data *m;
    int n_vertices, n_edges;
    int (*end)[2];   // vertices of each edge
    int *element;    // element of each edge
    int *first, *edge_of; // adjacency: edges at vertex v are edge_of[first[v] .. first[v+1]-1]
    int *component;  // of each edge
    int n_components;
} graph;

static void destroy_graph(graph *g)
{
    void *const arrays[] = {g->end, g->element, g->first, g->edge_of, g->component};
    for (int i = 0; i < HOL_COUNT(arrays); i++) hol_free(arrays[i]);
}

static hol_status build_graph(hol_context *ctx, const hol_model_data *m, graph *g)
{
    const int ne = m->n_elements;
    g->m = m;
    g->n_vertices = m->n_bodies + 1;
    g->end = hol_calloc(ctx, (size_t)ne, sizeof *g->end);
    g->element = hol_calloc(ctx, (size_t)ne, sizeof *g->element);
    g->component = hol_calloc(ctx, (size_t)ne, sizeof *g->component);
    g->edge_of = hol_calloc(ctx, 2 * (size_t)ne, sizeof *g->edge_of);
    g->first = hol_calloc(ctx, (size_t)g->n_vertices + 2, sizeof *g->first);
    if (!g->end || !g->element || !g->component || !g->edge_of || !g->first) return HOL_ERR_MEMORY;
    for (int i = m->n_bodies; i < ne; i++) {
        const hol_element *e = &m->element[i];
        if (!e->n_rows) continue;
        g->element[g->n_edges] = i;
        for (int k = 0; k < 2; k++) {
            const int v = k < e->n_bodies ? e->body[k] : m->n_bodies;
            g->end[g->n_edges][k] = v;
            g->first[v + 2]++;
        }
        g->component[g->n_edges++] = -1;
    }
    for (int v = 0; v < g->n_vertices; v++) g->first[v + 2] += g->first[v + 1];
    for (int i = 0; i < g->n_edges; i++)
        for (int k = 0; k < 2; k++) g->edge_of[g->first[g->end[i][k] + 1]++] = i;
    return HOL_OK;
}

// Depth-first search without recursion (Hopcroft and Tarjan): a component is closed when a child's low point does not
// pass its father.
typedef struct {
    int *depth, *low, *next, *via; // per vertex: discovery, low point, next adjacent edge, edge it was reached by
    int *path, *edges;             // stacks of vertices and edges
} search;

static void close_component(graph *g, const search *d, int *n_edges, int until)
{
    int edge;
    do {
        edge = d->edges[--*n_edges];
        g->component[edge] = g->n_components;
    } while (edge != until);
    g->n_components++;
}

static void search_from(graph *g, search *d, int root, int *time)
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

static hol_status find_components(hol_context *ctx, graph *g)
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

// ---- one component --------------------------------------------------------------------------------------------

typedef struct {
    int n_edges, *edge;    // edges of the component
    int n_rows, *row;      // model rows
    int n_columns;
    int *column;           // first column of each body, -1: not in the component   (n_bodies)
    double *jacobian;      // transposed: column k is row k of Phi_q                 (n_columns x n_rows)
    hol_dense_qr qr;
} loop;

static int velocity_size(const hol_body *b)
{
    return b->frame == HOL_FRAME_SPATIAL ? 6 : b->size;
}

// Row k of the loop's Jacobian with Euler parameter rates replaced by omega_body: p' = G^T omega / 2.
static void put_row(const hol_model_data *m, const loop *l, const hol_element *e, const double *q, const hol_real *J,
                    double *out)
{
    int local = 0;
    for (int i = 0; i < e->n_bodies; i++) {
        const hol_body *b = &m->body[e->body[i]];
        double *column = out + l->column[e->body[i]];
        const bool spatial = b->frame == HOL_FRAME_SPATIAL;
        const int plain = spatial ? 3 : b->size;
        for (int k = 0; k < plain; k++) column[k] = hol_re(J[local + k]);
        if (spatial) {
            hol_real p[4], G[3][4];
            for (int k = 0; k < 4; k++) p[k] = q[b->q + 3 + k];
            hol_body_rate(p, G);
            for (int k = 0; k < 3; k++) {
                column[3 + k] = 0;
                for (int j = 0; j < 4; j++) column[3 + k] += 0.5 * hol_re(G[k][j] * J[local + 3 + j]);
            }
        }
        local += b->size;
    }
}

static void fill_jacobian(const graph *g, loop *l, double t, const double *q)
{
    const hol_model_data *m = g->m;
    int k = 0;
    memset(l->jacobian, 0, (size_t)l->n_columns * (size_t)l->n_rows * sizeof *l->jacobian);
    for (int i = 0; i < l->n_edges; i++) {
        const hol_element *e = &m->element[g->element[l->edge[i]]];
        hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], J[HOL_MAX_ROWS * HOL_MAX_Y];
        hol_element_gather(m, e, t, q, NULL, 0, y, w);
        e->type->phi(e->data, e->ny, y, NULL, J);
        for (int r = 0; r < e->n_rows; r++, k++) {
            double *out = l->jacobian + (size_t)k * (size_t)l->n_columns, norm = 0;
            put_row(m, l, e, q, J + r * e->ny, out);
            // lengths are measured in the natural length, so that the threshold does not depend on units
            for (int b = 0; b < e->n_bodies; b++) {
                const hol_body *body = &m->body[e->body[b]];
                const int lengths = body->frame == HOL_FRAME_SPATIAL ? 3 : body->frame == HOL_FRAME_PLANAR ? 2 : body->size;
                for (int c = 0; c < lengths; c++) out[l->column[e->body[b]] + c] *= m->length_scale;
            }
            for (int c = 0; c < l->n_columns; c++) norm += out[c] * out[c];
            norm = sqrt(norm);
            for (int c = 0; c < l->n_columns && norm > 0; c++) out[c] /= norm;
        }
    }
}

static void count_loop(const graph *g, loop *l)
{
    const hol_model_data *m = g->m;
    l->n_rows = l->n_columns = 0;
    for (int i = 0; i < l->n_edges; i++) {
        const hol_element *e = &m->element[g->element[l->edge[i]]];
        for (int r = 0; r < e->n_rows; r++) l->row[l->n_rows++] = e->row + r;
        for (int b = 0; b < e->n_bodies; b++)
            if (l->column[e->body[b]] < 0) {
                l->column[e->body[b]] = l->n_columns;
                l->n_columns += velocity_size(&m->body[e->body[b]]);
            }
    }
}

static hol_status examine(hol_context *ctx, const graph *g, loop *l, const hol_state *pose, int poses, char *active,
                          hol_rank *out)
{
    int best = -1, first = 0;
    hol_status st = hol_dense_qr_create(ctx, &l->qr, l->n_columns, l->n_rows);
    l->jacobian = hol_calloc(ctx, (size_t)l->n_columns * (size_t)l->n_rows, sizeof *l->jacobian);
    if (!st && !l->jacobian) st = HOL_ERR_MEMORY;
    for (int p = 0; p < poses && !st; p++) {
        fill_jacobian(g, l, pose[p].t, pose[p].q);
        st = hol_dense_qr_factor(ctx, &l->qr, l->n_columns, l->n_rows, l->jacobian, RANK_THRESHOLD);
        if (p == 0) first = l->qr.rank;
        if (st || l->qr.rank <= best) continue;
        best = l->qr.rank;
        for (int k = 0; k < l->n_rows; k++) active[l->row[l->qr.pivot[k]]] = k < best;
    }
    if (first < best) out->momentary = true;
    hol_free(l->jacobian);
    hol_dense_qr_destroy(&l->qr);
    return st;
}

// Edges of each component in turn; components of one edge are independent.
static hol_status examine_all(hol_context *ctx, const graph *g, const hol_state *pose, int poses, hol_rank *out)
{
    const hol_model_data *m = g->m;
    const size_t ne = (size_t)g->n_edges;
    int *first = hol_calloc(ctx, (size_t)g->n_components + 2, sizeof *first), *edge = hol_calloc(ctx, ne + 1, sizeof *edge);
    loop l = {.row = hol_calloc(ctx, (size_t)m->nc + 1, sizeof *l.row),
              .column = hol_calloc(ctx, (size_t)m->n_bodies, sizeof *l.column)};
    hol_status st = first && edge && l.row && l.column ? HOL_OK : HOL_ERR_MEMORY;
    for (int i = 0; i < g->n_edges && !st; i++) first[g->component[i] + 2]++;
    for (int c = 0; c < g->n_components && !st; c++) first[c + 2] += first[c + 1];
    for (int i = 0; i < g->n_edges && !st; i++) edge[first[g->component[i] + 1]++] = i;
    for (int i = 0; i < m->n_bodies && !st; i++) l.column[i] = -1;
    for (int c = 0; c < g->n_components && !st; c++) {
        l.edge = edge + first[c];
        l.n_edges = first[c + 1] - first[c];
        if (l.n_edges < 2) continue;
        count_loop(g, &l);
        out->components++;
        if (l.n_rows > HOL_RANK_MAX_ROWS)
            out->large_components++;
        else
            st = examine(ctx, g, &l, pose, poses, out->active, out);
        for (int i = 0; i < l.n_edges; i++)
            for (int k = 0; k < 2; k++)
                if (g->end[l.edge[i]][k] < m->n_bodies) l.column[g->end[l.edge[i]][k]] = -1;
    }
    hol_free(first);
    hol_free(edge);
    hol_free(l.row);
    hol_free(l.column);
    return st;
}

// ---- poses ----------------------------------------------------------------------------------------------------

// An admissible pose near x: a step along a random admissible velocity, projected.
static hol_status nearby(hol_system *full, const hol_state *x, hol_random *r, hol_state *out)
{
    const double step = 1e-2;
    hol_state_copy(full, out, x);
    for (int i = 0; i < full->nq; i++) out->v[i] = hol_random_uniform(r) * full->q_size[i];
    hol_status st = hol_project_velocities(full, out); // rheonomic terms are harmless here: the pose is projected
    double largest = 0;
    for (int i = 0; i < full->nq; i++) largest = fmax(largest, fabs(out->v[i]) / full->q_size[i]);
    for (int i = 0; i < full->nq && largest > 0; i++) out->q[i] += step / largest * out->v[i];
    return st ? st : hol_project_positions(full, out, NULL);
}

hol_status hol_rank_find(hol_context *ctx, hol_system *full, const hol_state *x, hol_rank *out)
{
    const hol_model_data *m = full->m;
    graph g = {0};
    hol_state pose[POSES];
    hol_random r = {2024};
    memset(out, 0, sizeof *out);
    memset(pose, 0, sizeof pose);
    out->active = hol_calloc(ctx, (size_t)m->nc + 1, 1);
    out->redundant = hol_calloc(ctx, (size_t)m->nc + 1, sizeof *out->redundant);
    hol_status st = out->active && out->redundant ? build_graph(ctx, m, &g) : HOL_ERR_MEMORY;
    if (!st) st = find_components(ctx, &g);
    if (!st) memset(out->active, 1, (size_t)m->nc);
    int poses = 0;
    const bool loops = g.n_components < g.n_edges;
    for (int i = 0; i < POSES && !st && loops; i++) {
        st = hol_state_create(full, &pose[poses]);
        if (st) break;
        if (i == 0)
            hol_state_copy(full, &pose[0], x);
        else if (nearby(full, x, &r, &pose[poses])) { // no admissible neighbour found: the pose itself must do
            hol_state_destroy(&pose[poses]);
            continue;
        }
        poses++;
    }
    if (!st && loops) st = examine_all(ctx, &g, pose, poses, out);
    for (int i = 0; i < poses; i++) hol_state_destroy(&pose[i]);
    destroy_graph(&g);
    for (int i = 0; i < m->nc && !st; i++) {
        out->independent += out->active[i];
        if (!out->active[i]) out->redundant[out->n_redundant++] = i;
    }
    if (st) hol_rank_destroy(out);
    return st;
}

void hol_rank_destroy(hol_rank *r)
{
    hol_free(r->active);
    hol_free(r->redundant);
    r->active = NULL;
    r->redundant = NULL;
}
