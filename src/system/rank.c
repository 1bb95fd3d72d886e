// Rank of the constraints, loop by loop; see rank.h.
#include "system/rank.h"
#include "system/graph.h"
#include "system/project.h"
#include "linalg/dense.h"

#include <math.h>
#include <string.h>

#define RANK_THRESHOLD 1e-9 // relative to the first pivot; docs/theory.md, section 4.3

enum { POSES = 3 };

// ---- one component --------------------------------------------------------------------------------------------

typedef struct {
    int n_edges, *edge; // edges of the component
    int n_rows, *row;   // model rows
    int n_columns;
    int *column;      // first column of each body, -1: not in the component   (n_bodies)
    double *jacobian; // transposed: column k is row k of Phi_q                 (n_columns x n_rows)
    hol_dense_qr qr;
} loop;

static int velocity_size(const hol_body *b) { return b->frame == HOL_FRAME_SPATIAL ? 6 : b->size; }

// Row k of the loop's Jacobian with Euler parameter rates replaced by omega_body: p' = G^T omega / 2.
static void put_row(const hol_model_data *m, const loop *l, const hol_element *e, const double *q,
                    const hol_real *J, double *out)
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

static void fill_jacobian(const hol_graph *g, loop *l, double t, const double *q)
{
    const hol_model_data *m = g->m;
    int k = 0;
    memset(l->jacobian, 0, (size_t)l->n_columns * (size_t)l->n_rows * sizeof *l->jacobian);
    for (int i = 0; i < l->n_edges; i++) {
        const hol_element *e = &m->element[g->element[l->edge[i]]];
        hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], J[HOL_MAX_ROWS * HOL_MAX_Y];
        hol_element_gather(m, e, t, q, NULL, 0, y, w);
        e->type->phi(e->data, e->ny, y, NULL, NULL, J);
        for (int r = 0; r < e->n_rows; r++, k++) {
            double *out = l->jacobian + (size_t)k * (size_t)l->n_columns, norm = 0;
            put_row(m, l, e, q, J + r * e->ny, out);
            // lengths are measured in the natural length, so that the threshold does not depend on units
            for (int b = 0; b < e->n_bodies; b++) {
                const hol_body *body = &m->body[e->body[b]];
                const int lengths = body->frame == HOL_FRAME_SPATIAL  ? 3
                                    : body->frame == HOL_FRAME_PLANAR ? 2
                                                                      : body->size;
                for (int c = 0; c < lengths; c++) out[l->column[e->body[b]] + c] *= m->length_scale;
            }
            for (int c = 0; c < l->n_columns; c++) norm += out[c] * out[c];
            norm = sqrt(norm);
            for (int c = 0; c < l->n_columns && norm > 0; c++) out[c] /= norm;
        }
    }
}

static void count_loop(const hol_graph *g, loop *l)
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

static hol_status examine(hol_context *ctx, const hol_graph *g, loop *l, const hol_state *pose, int poses,
                          char *active, hol_rank *out)
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

static void leave_loop(const hol_graph *g, loop *l)
{
    for (int i = 0; i < l->n_edges; i++) {
        const hol_element *e = &g->m->element[g->element[l->edge[i]]];
        for (int k = 0; k < e->n_bodies; k++) l->column[e->body[k]] = -1;
    }
}

// Components of one edge are independent; the others are examined.
static hol_status examine_all(hol_context *ctx, const hol_graph *g, const hol_state *pose, int poses,
                              hol_rank *out)
{
    const hol_model_data *m = g->m;
    loop l = {.row = hol_calloc(ctx, (size_t)m->nc + 1, sizeof *l.row),
              .column = hol_calloc(ctx, (size_t)m->n_bodies, sizeof *l.column)};
    hol_status st = l.row && l.column ? HOL_OK : HOL_ERR_MEMORY;
    for (int i = 0; i < m->n_bodies && !st; i++) l.column[i] = -1;
    for (int c = 0; c < g->n_components && !st; c++) {
        l.edge = g->grouped + g->group[c];
        l.n_edges = g->group[c + 1] - g->group[c];
        if (l.n_edges < 2) continue;
        count_loop(g, &l);
        out->components++;
        if (l.n_rows > HOL_RANK_MAX_ROWS)
            out->large_components++;
        else
            st = examine(ctx, g, &l, pose, poses, out->active, out);
        leave_loop(g, &l);
    }
    hol_free(l.row);
    hol_free(l.column);
    return st;
}

// ---- watch ----------------------------------------------------------------------------------------------------

#define WEAK 0.03 // smallest over largest pivot of the rows in use, below which others are sought

struct hol_rank_watch {
    hol_context *ctx;
    hol_graph g;
    loop l; // work space for the largest of the loops
    int n_loops;
    int *component; // components with redundant rows                               (n_loops)
    double *chosen; // columns of the rows in use
    long calls;
};

static bool has_redundant_row(const hol_graph *g, int c, const char *active)
{
    for (int i = g->group[c]; i < g->group[c + 1]; i++) {
        const hol_element *e = &g->m->element[g->element[g->grouped[i]]];
        for (int r = 0; r < e->n_rows; r++)
            if (!active[e->row + r]) return true;
    }
    return false;
}

static void enter_loop(hol_rank_watch *w, int c)
{
    w->l.edge = w->g.grouped + w->g.group[c];
    w->l.n_edges = w->g.group[c + 1] - w->g.group[c];
    count_loop(&w->g, &w->l);
}

static hol_status create_watch(hol_rank_watch *w, const hol_model_data *m, const hol_rank *rank)
{
    hol_context *ctx = w->ctx;
    int rows = 0, columns = 0;
    w->l.row = hol_calloc(ctx, (size_t)m->nc + 1, sizeof *w->l.row);
    w->l.column = hol_calloc(ctx, (size_t)m->n_bodies, sizeof *w->l.column);
    hol_status st = w->l.row && w->l.column ? hol_graph_create(ctx, m, &w->g) : HOL_ERR_MEMORY;
    if (!st && !(w->component = hol_calloc(ctx, (size_t)w->g.n_components, sizeof *w->component)))
        st = HOL_ERR_MEMORY;
    for (int i = 0; i < m->n_bodies && !st; i++) w->l.column[i] = -1;
    for (int c = 0; c < w->g.n_components && !st; c++) {
        if (!has_redundant_row(&w->g, c, rank->active)) continue;
        w->component[w->n_loops++] = c;
        enter_loop(w, c);
        rows = w->l.n_rows > rows ? w->l.n_rows : rows;
        columns = w->l.n_columns > columns ? w->l.n_columns : columns;
        leave_loop(&w->g, &w->l);
    }
    if (st || rows == 0) return st;
    const size_t size = (size_t)rows * (size_t)columns;
    w->l.jacobian = hol_calloc(ctx, size, sizeof *w->l.jacobian);
    w->chosen = hol_calloc(ctx, size, sizeof *w->chosen);
    return w->l.jacobian && w->chosen ? hol_dense_qr_create(ctx, &w->l.qr, columns, rows) : HOL_ERR_MEMORY;
}

hol_status hol_rank_watch_create(hol_context *ctx, const hol_model_data *m, const hol_rank *rank,
                                 hol_rank_watch **out)
{
    *out = NULL;
    if (rank->n_redundant == 0) return HOL_OK;
    hol_rank_watch *w = hol_calloc(ctx, 1, sizeof *w);
    if (!w) return HOL_ERR_MEMORY;
    w->ctx = ctx;
    hol_status st = create_watch(w, m, rank);
    if (st)
        hol_rank_watch_destroy(w);
    else
        *out = w;
    return st;
}

void hol_rank_watch_destroy(hol_rank_watch *w)
{
    if (!w) return;
    hol_dense_qr_destroy(&w->l.qr);
    hol_graph_destroy(&w->g);
    void *const arrays[] = {w->l.row, w->l.column, w->l.jacobian, w->component, w->chosen, w};
    for (int i = 0; i < HOL_COUNT(arrays); i++) hol_free(arrays[i]);
}

// Smallest over largest pivot of the rows in use.
static double strength(hol_rank_watch *w, const char *active, int *rank)
{
    loop *l = &w->l;
    const size_t column = (size_t)l->n_columns;
    int n = 0;
    for (int k = 0; k < l->n_rows; k++)
        if (active[l->row[k]])
            memcpy(w->chosen + column * (size_t)n++, l->jacobian + column * (size_t)k,
                   column * sizeof *w->chosen);
    *rank = n;
    if (hol_dense_qr_factor(w->ctx, &l->qr, l->n_columns, n, w->chosen, RANK_THRESHOLD)) return 1;
    const size_t last = (size_t)(n - 1);
    return fabs(l->qr.a[last + last * column]) / fabs(l->qr.a[0]);
}

void hol_rank_watch_archive(hol_rank_watch *w, hol_archive *a) { HOL_ARCHIVE(a, w->calls); }

bool hol_rank_watch_check(hol_rank_watch *w, const hol_state *x, char *active)
{
    bool changed = false;
    const long call = w->calls++;
    for (int i = 0; i < w->n_loops; i++) {
        enter_loop(w, w->component[i]);
        loop *l = &w->l;
        const double rows =
            l->n_rows; // large loops are looked at more seldom: a look costs rows^3 operations
        int rank;
        if (call % (2 + (long)(rows * rows * rows / 1e6)) == 0) {
            fill_jacobian(&w->g, l, x->t, x->q);
            if (strength(w, active, &rank) < WEAK &&
                !hol_dense_qr_factor(w->ctx, &l->qr, l->n_columns, l->n_rows, l->jacobian, RANK_THRESHOLD)) {
                for (int k = 0; k < l->n_rows; k++) {
                    const int row = l->row[l->qr.pivot[k]];
                    changed = changed || active[row] != (k < rank);
                    active[row] = k < rank;
                }
            }
        }
        leave_loop(&w->g, l);
    }
    return changed;
}

// ---- poses ----------------------------------------------------------------------------------------------------

// An admissible pose near x: a step along a random admissible velocity, projected.
static hol_status nearby(hol_system *full, const hol_state *x, hol_random *r, hol_state *out)
{
    const double step = 1e-2;
    hol_state_copy(full, out, x);
    for (int i = 0; i < full->nq; i++) out->v[i] = hol_random_uniform(r) * full->q_size[i];
    hol_status st =
        hol_project_velocities(full, out); // rheonomic terms are harmless here: the pose is projected
    double largest = 0;
    for (int i = 0; i < full->nq; i++) largest = fmax(largest, fabs(out->v[i]) / full->q_size[i]);
    for (int i = 0; i < full->nq && largest > 0; i++) out->q[i] += step / largest * out->v[i];
    return st ? st : hol_project_positions(full, out, NULL);
}

hol_status hol_rank_find(hol_context *ctx, hol_system *full, const hol_state *x, hol_rank *out)
{
    const hol_model_data *m = full->m;
    hol_graph g = {0};
    hol_state pose[POSES];
    hol_random r = {2024};
    memset(out, 0, sizeof *out);
    memset(pose, 0, sizeof pose);
    out->active = hol_calloc(ctx, (size_t)m->nc + 1, 1);
    out->redundant = hol_calloc(ctx, (size_t)m->nc + 1, sizeof *out->redundant);
    hol_status st = out->active && out->redundant ? hol_graph_create(ctx, m, &g) : HOL_ERR_MEMORY;
    if (!st) memset(out->active, 1, (size_t)m->nc);
    int poses = 0;
    const bool loops = g.n_components < g.n_edges;
    for (int i = 0; i < POSES && !st && loops; i++) {
        st = hol_state_create(full, &pose[poses]);
        if (st) break;
        if (i == 0)
            hol_state_copy(full, &pose[0], x);
        else if ((st = nearby(full, x, &r, &pose[poses])) != HOL_OK) {
            hol_state_destroy(&pose[poses]);
            if (st > 0) st = HOL_OK; // no admissible neighbour found: the pose itself must do
            continue;
        }
        poses++;
    }
    if (!st && loops) st = examine_all(ctx, &g, pose, poses, out);
    for (int i = 0; i < poses; i++) hol_state_destroy(&pose[i]);
    hol_graph_destroy(&g);
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
