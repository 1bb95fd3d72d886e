// The constraint rows of one loop, or group of loops, as a dense matrix: angular velocities in place of rates of Euler
// parameters, lengths by the natural one, rows of length 1, so that thresholds know no units. docs/theory.md, section
// 4.3.
#include "system/loop.h"

#include <math.h>
#include <string.h>

static int velocity_size(const hol_body *b) { return b->frame == HOL_FRAME_SPATIAL ? 6 : b->size; }

// Row of the loop's Jacobian with Euler parameter rates replaced by omega_body: p' = G^T omega / 2.
static void put_row(const hol_model_data *m, const hol_loop *l, const hol_element *e, const double *q,
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

void hol_loop_rows(const hol_model_data *m, const hol_loop *l, const hol_element *e, double t,
                   const double *q, double *rows, double *norms)
{
    hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], J[HOL_MAX_ROWS * HOL_MAX_Y];
    memset(rows, 0, (size_t)l->n_columns * (size_t)e->n_rows * sizeof *rows);
    hol_element_gather(m, e, t, q, NULL, 0, y, w);
    e->type->phi(e->data, e->ny, y, NULL, NULL, J);
    for (int r = 0; r < e->n_rows; r++) {
        double *out = rows + (size_t)r * (size_t)l->n_columns, norm = 0;
        put_row(m, l, e, q, J + r * e->ny, out);
        // lengths are measured in the natural length, so that the threshold does not depend on units
        for (int b = 0; b < e->n_bodies; b++) {
            const hol_body *body = &m->body[e->body[b]];
            const int lengths = body->frame == HOL_FRAME_SPATIAL  ? 3
                                : body->frame == HOL_FRAME_PLANAR ? 2
                                                                  : body->size;
            double *own = out + l->column[e->body[b]];
            for (int c = 0; c < lengths; c++) own[c] *= m->length_scale;
            for (int c = 0; c < velocity_size(body); c++) norm += own[c] * own[c];
        }
        norm = sqrt(norm);
        for (int b = 0; b < e->n_bodies && norm > 0; b++) {
            double *own = out + l->column[e->body[b]];
            for (int c = 0; c < velocity_size(&m->body[e->body[b]]); c++) own[c] /= norm;
        }
        if (norms) norms[r] = norm > 0 ? norm : 1;
    }
}

void hol_loop_jacobian(const hol_graph *g, hol_loop *l, double t, const double *q)
{
    double *out = l->jacobian;
    for (int i = 0; i < l->n_edges; i++) {
        const hol_element *e = &g->m->element[g->element[l->edge[i]]];
        hol_loop_rows(g->m, l, e, t, q, out, NULL);
        out += (size_t)e->n_rows * (size_t)l->n_columns;
    }
}

// Pivots of J J^T = L L^T are those of the orthogonal factors of J^T: enough to tell whether the last one is small. A row has
// entries of its own bodies alone, and norm 1: so has the first pivot.
double hol_loop_independence(const hol_loop *l, const char *active, double *work, int *order)
{
    const size_t columns = (size_t)l->n_columns, size = (size_t)l->n_rows;
    double *const left = work + size * size; // of the diagonal
    double last = 1;
    int n = 0;
    for (int k = 0; k < l->n_rows; k++)
        if (active[l->row[k]]) left[k] = 1, order[n++] = k;
    for (int k = 0; k < n; k++) {
        int best = k, n_own = 0, own[HOL_MAX_Y];
        for (int i = k + 1; i < n; i++)
            if (left[order[i]] > left[order[best]]) best = i;
        const int p = order[best];
        order[best] = order[k];
        if (!(left[p] > HOL_RANK_THRESHOLD * HOL_RANK_THRESHOLD)) return 0;
        last = sqrt(left[p]);
        const double *const row = l->jacobian + columns * (size_t)p, *const Lp = work + size * (size_t)p;
        const double inverse = 1 / last;
        for (int c = 0; c < l->n_columns; c++)
            if (row[c] != 0) own[n_own++] = c;
        for (int i = k + 1; i < n; i++) {
            const int j = order[i];
            const double *const other = l->jacobian + columns * (size_t)j;
            double *const L = work + size * (size_t)j, x = 0;
            for (int c = 0; c < n_own; c++) x += row[own[c]] * other[own[c]];
            for (int c = 0; c + 1 < k; c += 2) x -= L[c] * Lp[c] + L[c + 1] * Lp[c + 1];
            if (k % 2) x -= L[k - 1] * Lp[k - 1];
            L[k] = x * inverse;
            left[j] -= L[k] * L[k];
        }
    }
    return last;
}

hol_status hol_loop_create(hol_context *ctx, const hol_model_data *m, hol_loop *l)
{
    *l = (hol_loop){.row = hol_calloc(ctx, (size_t)m->nc + 1, sizeof *l->row),
                    .column = hol_calloc(ctx, (size_t)m->n_bodies + 1, sizeof *l->column)};
    if (!l->row || !l->column) return HOL_ERR_MEMORY;
    for (int i = 0; i < m->n_bodies; i++) l->column[i] = -1;
    return HOL_OK;
}

void hol_loop_destroy(hol_loop *l)
{
    hol_loop_release(l);
    hol_free(l->row);
    hol_free(l->column);
    l->row = l->column = NULL;
}

hol_status hol_loop_reserve(hol_context *ctx, hol_loop *l, int columns, int rows)
{
    l->jacobian = hol_calloc(ctx, (size_t)columns * (size_t)rows, sizeof *l->jacobian);
    return l->jacobian ? hol_dense_qr_create(ctx, &l->qr, columns, rows) : HOL_ERR_MEMORY;
}

void hol_loop_release(hol_loop *l)
{
    hol_free(l->jacobian);
    l->jacobian = NULL;
    hol_dense_qr_destroy(&l->qr);
}

void hol_loop_enter(const hol_graph *g, int component, hol_loop *l)
{
    const hol_model_data *m = g->m;
    l->edge = g->grouped + g->group[component];
    l->n_edges = g->group[component + 1] - g->group[component];
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

void hol_loop_leave(const hol_graph *g, hol_loop *l)
{
    for (int i = 0; i < l->n_edges; i++) {
        const hol_element *e = &g->m->element[g->element[l->edge[i]]];
        for (int k = 0; k < e->n_bodies; k++) l->column[e->body[k]] = -1;
    }
}

#define PREFERRED 1e5
#define AT_STOP 1e-3

void hol_loop_prefer(const hol_graph *g, hol_loop *l, const char *preferred)
{
    double *row = l->jacobian;
    int k = 0;
    for (int i = 0; i < l->n_edges; i++) {
        const hol_element *e = &g->m->element[g->element[l->edge[i]]];
        for (int r = 0; r < e->n_rows; r++, k++, row += l->n_columns) {
            const double size = e->type == &hol_joint_stop               ? AT_STOP
                                : preferred && preferred[l->row[k]] != 0 ? PREFERRED
                                                                         : 1;
            for (int c = 0; c < l->n_columns && size != 1; c++) row[c] *= size;
        }
    }
}
