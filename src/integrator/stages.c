// The linear algebra of Rosenbrock stages (docs/theory.md, section 9.2; both forms in stages.h): a dense matrix of the
// chart's coordinates, or the sparse one of stage_matrix.h, factored once for a step size.
#include "integrator/stages.h"
#include "linalg/dense.h"

#include <string.h>

hol_status hol_stages_create(hol_context *ctx, hol_chart *c, hol_stages *out)
{
    memset(out, 0, sizeof *out);
    out->ctx = ctx;
    out->c = c;
    out->wrong = 1;
    out->first_order = c->s->nk > 0;
    out->n = c->size + c->s->nx;
    out->m = out->n + (out->first_order ? c->size : 0);
    if (c->implicit) return hol_stages_rows_changed(out);
    const size_t m = (size_t)out->m;
    out->E = hol_calloc(ctx, m * m + 1, sizeof *out->E);
    out->pivot = hol_calloc(ctx, m + 1, sizeof *out->pivot);
    return out->E && out->pivot ? hol_jacobian_create(ctx, c, &out->j) : HOL_ERR_MEMORY;
}

void hol_stages_destroy(hol_stages *g)
{
    hol_stage_matrix_destroy(g->sparse);
    hol_jacobian_destroy(&g->j);
    hol_free(g->E);
    hol_free(g->pivot);
    memset(g, 0, sizeof *g);
}

hol_status hol_stages_rows_changed(hol_stages *g)
{
    if (!g->c->implicit) return HOL_OK;
    hol_stage_matrix_destroy(g->sparse);
    g->sparse = hol_stage_matrix_create(g->ctx, g->c);
    return g->sparse ? HOL_OK : HOL_ERR_MEMORY;
}

bool hol_stages_need_factors(const hol_stages *g) { return !g->sparse; }

void hol_stages_archive(hol_stages *g, hol_archive *a)
{
    if (g->sparse) hol_stage_matrix_archive(g->sparse, a); // its pivots depend on the past
}

hol_status hol_stages_find(hol_stages *g, hol_kernel *k, const hol_state *x)
{
    hol_jacobian *j = &g->j;
    const int n = g->n, d = g->c->d;
    if (g->sparse) {
        hol_stage_matrix_find(g->sparse, x);
        return HOL_OK;
    }
    const hol_status st = hol_jacobian_find(j, g->c, k, x);
    if (st || g->wrong == 1) return st;
    for (int i = 0; i < 2 * n * n + n; i++) j->J1[i] *= g->wrong; // J1, J2, ft stand together
    for (int i = 0; i < 2 * d * d + d && g->first_order; i++) j->V1[i] *= g->wrong;
    return HOL_OK;
}

// to (rows x cols, leading dimension m) -= f A
static void subtract(int m, int rows, int cols, double f, const double *A, double *to)
{
    for (int k = 0; k < cols; k++)
        for (int i = 0; i < rows; i++) to[i + k * m] -= f * A[i + k * rows];
}

hol_status hol_stages_factor(hol_stages *g, double h, double gamma)
{
    const int n = g->n, m = g->m, d = g->c->d;
    if (g->sparse) return hol_stage_matrix_factor(g->sparse, h, gamma, g->wrong);
    g->h = h;
    g->gamma = gamma;
    memset(g->E, 0, (size_t)m * (size_t)m * sizeof *g->E);
    if (g->first_order) { // y, then w and X
        subtract(m, d, d, h, g->j.V1, g->E);
        subtract(m, d, d, h, g->j.V2, g->E + d * m);
        subtract(m, n, d, h, g->j.J1, g->E + d);
        subtract(m, n, n, h, g->j.J2, g->E + d + d * m);
    } else {
        subtract(m, n, n, h, g->j.J2, g->E);
        subtract(m, n, n, gamma * h * h, g->j.J1, g->E);
    }
    for (int i = 0; i < m; i++) g->E[i + i * m] += 1 / gamma;
    return m ? hol_dense_lu_factor(g->ctx, m, g->E, g->pivot) : HOL_OK;
}

hol_status hol_stages_solve(hol_stages *g, double dt, const double *rho, double *l)
{
    const hol_jacobian *j = &g->j;
    const int n = g->n, y = g->m - n;
    if (g->sparse) return hol_stage_matrix_solve(g->sparse, dt, rho, l);
    for (int i = 0; i < y; i++) l[i] += g->h * dt * j->vt[i];
    for (int i = 0; i < n; i++) l[y + i] += g->h * dt * j->ft[i];
    for (int k = 0; k < n && rho; k++)
        for (int i = 0; i < n; i++) l[i] += rho[k] * j->J1[i + k * n];
    return g->m ? hol_dense_lu_solve(g->ctx, g->m, g->E, g->pivot, false, 1, l) : HOL_OK;
}
