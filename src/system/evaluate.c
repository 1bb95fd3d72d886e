// Residual, matrix and their relatives: one pass over the elements each, gather - evaluate - scatter.
#include "system/system.h"

#include <math.h>
#include <string.h>

static void gather_lam(const hol_system *s, const hol_element *e, const double *lam, hol_real *out)
{
    for (int i = 0; i < e->n_rows; i++) {
        const int r = s->active[e->row + i];
        out[i] = r >= 0 ? lam[r] : 0;
    }
}

static void scatter_add(const hol_model_data *m, const hol_element *e, const hol_real *x, double c,
                        double *out)
{
    int n = 0;
    for (int i = 0; i < e->n_bodies; i++) {
        const hol_body *b = &m->body[e->body[i]];
        for (int k = 0; k < b->size; k++) out[b->q + k] += c * hol_re(x[n++]);
    }
}

// out += c J^T lam, J (rows x ny)
static void add_border_force(const hol_system *s, const hol_element *e, const hol_real *J, const double *lam,
                             double *out)
{
    const int ny = e->ny;
    hol_real l[HOL_MAX_ROWS], f[HOL_MAX_Y];
    gather_lam(s, e, lam, l);
    for (int j = 0; j < ny - 1; j++) {
        f[j] = 0;
        for (int i = 0; i < e->n_rows; i++) f[j] += J[i * ny + j] * l[i];
    }
    scatter_add(s->m, e, f, 1, out);
}

static void add_inertia(const hol_system *s, const hol_element *e, const hol_state *x, const hol_real *y,
                        double *out)
{
    const int nq = e->ny - 1;
    hol_real M[49], a[HOL_MAX_Y], f[HOL_MAX_Y];
    hol_real none[HOL_MAX_Y];
    hol_element_gather(s->m, e, 0, x->a, NULL, 0, a, none);
    e->type->mass(e->data, y, M);
    for (int i = 0; i < nq; i++) {
        f[i] = 0;
        for (int j = 0; j < nq; j++) f[i] += M[i * nq + j] * a[j];
    }
    scatter_add(s->m, e, f, 1, out);
}

void hol_system_residual(hol_system *s, const hol_state *x, double *eom, double *phi)
{
    const hol_model_data *m = s->m;
    if (eom) memset(eom, 0, (size_t)s->nq * sizeof *eom);
    s->residuals++;
    for (int k = 0; k < m->n_elements; k++) {
        const hol_element *e = &m->element[k];
        const hol_element_type *t = e->type;
        hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], J[HOL_MAX_ROWS * HOL_MAX_Y], p[HOL_MAX_ROWS];
        hol_element_gather(m, e, x->t, x->q, x->v, 1, y, w);
        if (eom && t->mass) add_inertia(s, e, x, y, eom);
        if (eom && t->force) {
            hol_real Q[HOL_MAX_Y] = {0};
            t->force(e->data, e->ny, y, w, x->mem + e->mem, Q);
            scatter_add(m, e, Q, -1, eom);
        }
        if (!e->n_rows) continue;
        t->phi(e->data, e->ny, y, phi ? p : NULL, eom ? J : NULL);
        if (eom) add_border_force(s, e, J, x->lam, eom);
        if (!phi) continue;
        for (int i = 0; i < e->n_rows; i++)
            if (s->scatter[k].row[i] >= 0) phi[s->scatter[k].row[i]] = hol_re(p[i]);
    }
}

// L (nq x nq) = cM M + cMa (M a)_q + cK (K_phi - Q_q) - cD Q_v of one element
static void element_block(const hol_system *s, const hol_element *e, const hol_state *x,
                          const hol_coefficients *c, const hol_real *y, const hol_real *w, hol_real *L)
{
    const hol_element_type *t = e->type;
    const int ny = e->ny, nq = ny - 1;
    hol_real A[HOL_MAX_Y * HOL_MAX_Y], B[HOL_MAX_Y * HOL_MAX_Y];
    for (int i = 0; i < nq * nq; i++) L[i] = 0;
    if (t->mass && c->cM != 0) {
        t->mass(e->data, y, A);
        for (int i = 0; i < nq * nq; i++) L[i] += c->cM * A[i];
    }
    for (int i = 0; i < nq * ny; i++) A[i] = 0;
    if (t->mass_a && c->cMa != 0) {
        hol_real a[HOL_MAX_Y], none[HOL_MAX_Y];
        hol_element_gather(s->m, e, 0, x->a, NULL, 0, a, none);
        t->mass_a(e->data, y, a, A);
        for (int i = 0; i < nq; i++)
            for (int j = 0; j < nq; j++) L[i * nq + j] += c->cMa * A[i * ny + j];
        for (int i = 0; i < nq * ny; i++) A[i] = 0;
    }
    if (c->cK == 0 && c->cD == 0) return;
    if (t->force_d) {
        for (int i = 0; i < nq * nq; i++) B[i] = 0;
        t->force_d(e->data, ny, y, w, x->mem + e->mem, A, B);
        for (int i = 0; i < nq; i++)
            for (int j = 0; j < nq; j++) L[i * nq + j] -= c->cK * A[i * ny + j] + c->cD * B[i * nq + j];
    }
    if (e->n_rows) {
        hol_real l[HOL_MAX_ROWS];
        for (int i = 0; i < ny * ny; i++) A[i] = 0;
        gather_lam(s, e, x->lam, l);
        t->phi_lam(e->data, ny, y, l, A);
        for (int i = 0; i < nq; i++)
            for (int j = 0; j < nq; j++) L[i * nq + j] += c->cK * A[i * ny + j];
    }
}

void hol_system_matrix(hol_system *s, const hol_state *x, const hol_coefficients *c)
{
    const hol_model_data *m = s->m;
    memset(s->values, 0, (size_t)s->pattern.start[s->n] * sizeof *s->values);
    s->jacobians++;
    for (int k = 0; k < m->n_elements; k++) {
        const hol_element *e = &m->element[k];
        const hol_scatter *sc = &s->scatter[k];
        const int nq = e->ny - 1;
        hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], L[HOL_MAX_Y * HOL_MAX_Y];
        hol_element_gather(m, e, x->t, x->q, x->v, 1, y, w);
        if (sc->n_entries) {
            element_block(s, e, x, c, y, w, L);
            const hol_entry *at = s->entry + sc->entry;
            for (int i = 0; i < sc->n_entries; i++)
                s->values[at[i].slot] += hol_re(L[at[i].i * nq + at[i].j]);
        }
        if (!sc->n_borders) continue;
        e->type->phi(e->data, e->ny, y, NULL, L);
        const hol_border *at = s->border + sc->border;
        for (int i = 0; i < sc->n_borders; i++) {
            const double g = hol_re(L[at[i].i * e->ny + at[i].j]);
            s->values[at[i].slot] += g;
            s->values[at[i].transposed] += g;
        }
    }
}

void hol_system_shift(hol_system *s, double w)
{
    for (int i = 0; i < s->nq; i++) s->values[s->diagonal[i]] += w / (s->q_size[i] * s->q_size[i]);
}

hol_status hol_system_factor(hol_system *s) { return hol_sparse_factor(s->solver, s->values, s->delta); }

hol_status hol_system_solve(hol_system *s, double *x)
{
    if (s->delta > 0)
        hol_sparse_solve_refined(s->solver, s->values, x, 10, NULL);
    else
        hol_sparse_solve(s->solver, x);
    double sum = 0;
    for (int i = 0; i < s->n; i++) sum += fabs(x[i]);
    return isfinite(sum) ? HOL_OK : HOL_RECOVERABLE;
}

void hol_system_phi_dot_all(const hol_system *s, double t, const double *q, const double *v, double *phi)
{
    for (int k = 0; k < s->m->n_elements; k++) {
        const hol_element *e = &s->m->element[k];
        if (!e->n_rows) continue;
        hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], J[HOL_MAX_ROWS * HOL_MAX_Y];
        hol_element_gather(s->m, e, t, q, v, 1, y, w);
        e->type->phi(e->data, e->ny, y, NULL, J);
        for (int i = 0; i < e->n_rows; i++) {
            hol_real sum = 0;
            for (int j = 0; j < e->ny; j++) sum += J[i * e->ny + j] * w[j];
            phi[e->row + i] = hol_re(sum);
        }
    }
}

void hol_system_jacobian_times(const hol_system *s, double t, const double *q, const double *x, double *out)
{
    for (int k = 0; k < s->m->n_elements; k++) {
        const hol_element *e = &s->m->element[k];
        if (!e->n_rows) continue;
        hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], J[HOL_MAX_ROWS * HOL_MAX_Y];
        hol_element_gather(s->m, e, t, q, x, 0, y, w);
        e->type->phi(e->data, e->ny, y, NULL, J);
        for (int i = 0; i < e->n_rows; i++) {
            hol_real sum = 0;
            for (int j = 0; j < e->ny - 1; j++) sum += J[i * e->ny + j] * w[j];
            if (s->scatter[k].row[i] >= 0) out[s->scatter[k].row[i]] = hol_re(sum);
        }
    }
}

void hol_system_tau(const hol_system *s, const hol_state *x, double *tau)
{
    for (int k = 0; k < s->m->n_elements; k++) {
        const hol_element *e = &s->m->element[k];
        if (!e->n_rows) continue;
        hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], J[HOL_MAX_ROWS * HOL_MAX_Y];
        hol_element_gather(s->m, e, x->t, x->q, x->v, 1, y, w);
        e->type->phi_yw(e->data, e->ny, y, w, J);
        for (int i = 0; i < e->n_rows; i++) {
            const int r = s->scatter[k].row[i];
            hol_real sum = 0;
            for (int j = 0; j < e->ny; j++) sum -= J[i * e->ny + j] * w[j];
            if (r >= 0) tau[r] = hol_re(sum);
        }
    }
}

void hol_system_constraint_force(const hol_system *s, const hol_state *x, double *out)
{
    memset(out, 0, (size_t)s->nq * sizeof *out);
    for (int k = 0; k < s->m->n_elements; k++) {
        const hol_element *e = &s->m->element[k];
        if (!e->n_rows) continue;
        hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], J[HOL_MAX_ROWS * HOL_MAX_Y];
        hol_element_gather(s->m, e, x->t, x->q, NULL, 0, y, w);
        e->type->phi(e->data, e->ny, y, NULL, J);
        add_border_force(s, e, J, x->lam, out);
    }
}

void hol_system_remember(const hol_system *s, const hol_state *x)
{
    if (!s->m->n_mem) return;
    for (int k = 0; k < s->m->n_elements; k++) {
        const hol_element *e = &s->m->element[k];
        if (!e->n_mem) continue;
        hol_real y[HOL_MAX_Y], w[HOL_MAX_Y];
        hol_element_gather(s->m, e, x->t, x->q, NULL, 0, y, w);
        e->type->remember(e->data, e->ny, y, x->mem + e->mem);
    }
}

// ---- states ---------------------------------------------------------------------------------------------------

hol_status hol_state_create(const hol_system *s, hol_state *x)
{
    const size_t nq = (size_t)s->nq, nc = (size_t)s->nc, nm = (size_t)s->m->n_mem;
    double *p = hol_calloc(s->ctx, 3 * nq + nc + nm + 1, sizeof *p);
    if (!p) return HOL_ERR_MEMORY;
    x->t = 0;
    x->q = p;
    x->v = p + nq;
    x->a = p + 2 * nq;
    x->lam = p + 3 * nq;
    x->mem = p + 3 * nq + nc;
    return HOL_OK;
}

void hol_state_destroy(hol_state *x)
{
    hol_free(x->q);
    x->q = NULL;
}

void hol_state_copy(const hol_system *s, hol_state *to, const hol_state *from)
{
    to->t = from->t;
    memcpy(to->q, from->q, (size_t)(3 * s->nq + s->nc + s->m->n_mem) * sizeof *to->q);
}

void hol_state_archive(const hol_system *s, hol_state *x, hol_archive *a)
{
    HOL_ARCHIVE(a, x->t);
    hol_archive_bytes(a, x->q, (size_t)(3 * s->nq + s->nc + s->m->n_mem) * sizeof *x->q);
}

void hol_system_archive(hol_system *s, hol_archive *a)
{
    hol_archive_bytes(a, s->values, (size_t)s->pattern.start[s->n] * sizeof *s->values);
    hol_sparse_archive(s->solver, a, s->values);
    HOL_ARCHIVE(a, s->residuals);
    HOL_ARCHIVE(a, s->jacobians);
}
