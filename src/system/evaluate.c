// Residual, matrix and their relatives: one pass over the elements each, gather - evaluate - scatter.
#include "linalg/kkt.h"
#include "system/leaf.h"
#include "system/swarm.h"
#include "linalg/vector3.h"
#include "model/code.h"

#include <float.h>
#include <math.h>
#include <string.h>

// What joints, drivers and constraints take may be ahead.
static void gather(const hol_equations *s, const hol_element *e, double t, const double *q, const double *v,
                   double one, hol_real *y, hol_real *w)
{
    hol_element_gather(s->m, e, e->n_rows ? t + s->ahead : t, q, v, one, y, w);
}

static void gather_lam(const hol_equations *s, const hol_element *e, const double *lam, hol_real *out)
{
    for (int i = 0; i < e->n_rows; i++) {
        const int r = s->active[e->row + i];
        out[i] = r >= 0 ? lam[r] : 0;
    }
}

// out += c J^T lam, J (rows x ny)
static void add_border_force(const hol_equations *s, const hol_element *e, const hol_real *J,
                             const double *lam, double *out)
{
    const int ny = e->ny;
    hol_real l[HOL_MAX_ROWS], f[HOL_MAX_Y];
    gather_lam(s, e, lam, l);
    for (int j = 0; j < ny - 1; j++) f[j] = J[j] * l[0];
    for (int i = 1; i < e->n_rows; i++)
        for (int j = 0; j < ny - 1; j++) f[j] += J[i * ny + j] * l[i];
    hol_element_scatter(s->m, e, f, 1, out);
}

void hol_equations_inputs(const hol_element *e, const hol_state *x, hol_real *u)
{
    for (int i = 0; i < e->n_inputs; i++) {
        hol_real jet[4];
        if (e->input[i].time) hol_expr_jet(e->input[i].time, x->t, jet);
        u[i] = e->input[i].time ? jet[0] : x->z[e->input[i].z];
    }
}

// out += Psi_w^T kap
static void add_rate_force(const hol_equations *s, const hol_element *e, const hol_state *x,
                           const hol_real *y, const hol_real *w, double *out)
{
    hol_real J[HOL_MAX_ROWS * HOL_MAX_Y], f[HOL_MAX_Y] = {0};
    e->type->rate(e->data, e->ny, y, w, NULL, NULL, J);
    for (int i = 0; i < e->n_rates; i++)
        for (int j = 0; j < e->ny - 1; j++) f[j] += J[i * e->ny + j] * x->kap[e->rate + i];
    hol_element_scatter(s->m, e, f, 1, out);
}

static void add_inertia(const hol_equations *s, const hol_element *e, const double *b, const hol_real *y,
                        double *out)
{
    hol_real a[HOL_MAX_Y], f[HOL_MAX_Y], none[HOL_MAX_Y];
    hol_element_gather(s->m, e, 0, b, NULL, 0, a, none);
    e->type->mass_times(e->data, y, a, f);
    hol_element_scatter(s->m, e, f, 1, out);
}

// Phi_q, and what the accelerations leave of the rows, Phi_q a - tau.
static void accelerated_rows(const hol_equations *s, const hol_element *e, const hol_state *x,
                             const hol_real *y, const hol_real *w, hol_real *J, hol_real *out)
{
    hol_real a[HOL_MAX_Y], none[HOL_MAX_Y];
    hol_element_gather(s->m, e, 0, x->a, NULL, 0, a, none);
    hol_element_along(e, y, w, NULL, NULL, J, out);
    for (int i = 0; i < e->n_rows; i++)
        for (int j = 0; j < e->ny - 1; j++) out[i] += J[i * e->ny + j] * a[j];
}

// Element by element: inertia if wanted, forces, Phi_q^T lam; and the rows, of positions or of accelerations.
HOL_INLINE void residual(const hol_equations *s, const hol_state *x, const bool inertia, const bool second,
                         double *eom, double *phi)
{
    const hol_model_data *m = s->m;
    if (eom) memset(eom, 0, (size_t)s->nq * sizeof *eom);
    for (int k = 0; k < m->n_elements; k++) {
        const hol_element *e = &m->element[k];
        const hol_element_type *t = e->type;
        hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], J[HOL_MAX_ROWS * HOL_MAX_Y], p[HOL_MAX_ROWS];
        gather(s, e, x->t, x->q, x->v, 1, y, w);
        if (eom && inertia && t->mass) add_inertia(s, e, x->a, y, eom);
        if (eom && t->force && hol_element_acts(e, x->mem)) {
            hol_real Q[HOL_MAX_Y] = {0}, u[HOL_MAX_ROWS];
            hol_equations_inputs(e, x, u);
            t->force(e->data, e->ny, y, w, x->mem + e->mem, u, Q);
            hol_element_scatter(m, e, Q, -1, eom);
        }
        if (eom && e->n_rates) add_rate_force(s, e, x, y, w, eom);
        if (!e->n_rows) continue;
        if (second)
            accelerated_rows(s, e, x, y, w, J, p);
        else
            t->phi(e->data, e->ny, y, x->mem + e->mem, phi ? p : NULL, eom ? J : NULL);
        if (eom) add_border_force(s, e, J, x->lam, eom);
        if (!phi) continue;
        for (int i = 0; i < e->n_rows; i++)
            if (s->active[e->row + i] >= 0) phi[s->active[e->row + i]] = hol_re(p[i]);
    }
    if (eom) hol_swarms_force(s, x, -1, eom);
}

void hol_equations_residual(hol_equations *s, const hol_state *x, double *eom, double *phi)
{
    s->count.residuals += eom != NULL;
    residual(s, x, true, false, eom, phi);
}

void hol_equations_accelerated(hol_equations *s, const hol_state *x, double *eom, double *rows)
{
    s->count.residuals++;
    residual(s, x, true, true, eom, rows);
}

void hol_equations_forces(const hol_equations *s, const hol_state *x, double *out)
{
    residual(s, x, false, false, out, NULL);
}

void hol_equations_mass_times(const hol_equations *s, const hol_state *x, const double *b, double *out)
{
    memset(out, 0, (size_t)s->nq * sizeof *out);
    for (int k = 0; k < s->m->n_elements; k++) {
        const hol_element *e = &s->m->element[k];
        hol_real y[HOL_MAX_Y], w[HOL_MAX_Y];
        if (!e->type->mass) continue;
        gather(s, e, x->t, x->q, x->v, 1, y, w);
        add_inertia(s, e, b, y, out);
    }
}

// Psi, or its time derivative, of every element with velocity constraints.
static void rates(const hol_equations *s, const hol_state *x, bool dot, double *out)
{
    for (int k = 0; k < s->m->n_elements && s->nk; k++) {
        const hol_element *e = &s->m->element[k];
        if (!e->n_rates) continue;
        hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], b[HOL_MAX_Y], none[HOL_MAX_Y], psi[HOL_MAX_ROWS];
        hol_real P[HOL_MAX_ROWS * HOL_MAX_Y], R[HOL_MAX_ROWS * HOL_MAX_Y];
        gather(s, e, x->t, x->q, x->v, 1, y, w);
        hol_element_gather(s->m, e, 0, x->a, NULL, 0, b, none);
        e->type->rate(e->data, e->ny, y, w, dot ? NULL : psi, dot ? P : NULL, dot ? R : NULL);
        for (int i = 0; i < e->n_rates; i++) {
            hol_real sum = dot ? 0 : psi[i];
            for (int j = 0; j < e->ny && dot; j++) sum += P[i * e->ny + j] * w[j] + R[i * e->ny + j] * b[j];
            out[e->rate + i] = hol_re(sum);
        }
    }
}

void hol_equations_rates(const hol_equations *s, const hol_state *x, double *psi) { rates(s, x, false, psi); }
void hol_equations_rates_dot(const hol_equations *s, const hol_state *x, double *out)
{
    rates(s, x, true, out);
}

// ---- users' equations -----------------------------------------------------------------------------------------

// E and, with `slope` not NULL, its derivatives by the leaves and by time (n_leaves + 1).
static double expression(const hol_equations *s, const hol_state *x, const hol_equation *e, double *slope)
{
    const int n = e->n_leaves;
    hol_real number[n + 1]
                   [5 + n]; // leaf i: its value, gradient e_i; as many as there are: stacks may be small
    const hol_real *leaf[n + 1];
    const hol_shape shape = {.n = slope ? e->n_leaves + 1 : 0};
    hol_real time[4 + HOL_NUM_VARIABLES], value[4 + HOL_NUM_VARIABLES];
    for (int i = 0; i < e->n_leaves; i++) {
        hol_leaf_value v;
        hol_leaf_eval(s, x, &e->leaf[i], false, &v);
        hol_num_variable(&shape, slope ? i : -1, v.f, 0, number[i]);
        leaf[i] = number[i];
    }
    hol_num_variable(&shape, slope ? e->n_leaves : -1, x->t, 0, time);
    hol_expr_eval(e->expr, &shape, time, leaf, value);
    for (int i = 0; i < shape.n; i++) slope[i] = hol_re(value[4 + i]);
    return hol_re(value[0]);
}

void hol_equations_users(hol_equations *s, const hol_state *x, double *out)
{
    for (int k = 0; k < s->nz; k++)
        if (!s->m->equation[k].block) out[k] = x->z[k] - expression(s, x, &s->m->equation[k], NULL);
    for (int k = 0; k < s->m->n_blocks; k++) {
        const hol_block *c = &s->m->block[k];
        double *y = s->code, *f = y + c->n_outputs;
        const hol_status st =
            hol_code_eval(s->ctx, c->code, x->t, x->z + c->input, x->X + c->state, y, f, &s->fault);
        if (st < 0) s->fatal = st;
        for (int i = 0; i < c->n_outputs; i++)
            out[c->output + i] = st ? HOL_NONE : x->z[c->output + i] - y[i];
        for (int i = 0; i < c->n_states; i++) out[c->rate + i] = st ? HOL_NONE : x->z[c->rate + i] - f[i];
    }
}

// Rows of user code, -D.
static void add_block(hol_equations *s, const hol_state *x, int k, const hol_coefficients *c, double *values)
{
    const hol_block *b = &s->m->block[k];
    const hol_pair *p = s->pair + s->block_pair[k];
    const int rows = b->n_outputs + b->n_states, cols = b->n_inputs + b->n_states;
    double *D = s->code;
    const hol_status st = hol_code_derivative(s->ctx, b->code, x->t, x->z + b->input, x->X + b->state, D,
                                              D + rows * cols, &s->fault);
    if (st < 0) s->fatal = st;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++, p++)
            values[p->slot] -= (j < b->n_inputs ? 1 : c->cD) * (st ? HOL_NONE : D[i * cols + j]);
}

double hol_equations_expression(const hol_equations *s, const hol_state *x, const hol_equation *e)
{
    return expression(s, x, e, NULL);
}

void hol_equations_slopes(const hol_equations *s, const hol_state *x, const hol_equation *e, double *slope)
{
    expression(s, x, e, slope);
}

// The row of one leaf: -E_leaf times its derivatives by the unknowns, in the order in which structure.c has made the pairs.
static const hol_pair *add_leaf(hol_equations *s, const hol_state *x, const hol_leaf *l, double slope,
                                const hol_coefficients *c, const hol_pair *p, double *values)
{
    hol_leaf_value v;
    if (hol_leaf_is_given(l)) return p;
    if (l->kind == HOL_LEAF_VALUE || l->kind == HOL_LEAF_STATE) {
        values[p->slot] -= slope * (l->kind == HOL_LEAF_STATE ? c->cD : 1);
        return p + 1;
    }
    if (l->kind == HOL_LEAF_QUANTITY && hol_measured_level(&l->measured) < 2 && c->cK == 0 && c->cD == 0)
        return p + l->ny - 1; // no accelerations in it
    hol_leaf_eval(s, x, l, true, &v);
    for (int j = 0; j < l->ny - 1; j++, p++)
        values[p->slot] -= slope * hol_re(c->cK * v.y[j] + c->cD * v.w[j] + c->cM * v.b[j]);
    if (l->kind != HOL_LEAF_REACTION) return p;
    const hol_element *e = &s->m->element[l->index];
    for (int i = 0; i < e->n_rows; i++, p++)
        if (s->active[e->row + i] >= 0) values[p->slot] -= slope * hol_re(v.lam[i]);
    for (int i = 0; i < e->n_rates; i++, p++) values[p->slot] -= slope * hol_re(v.kap[i]);
    for (int i = 0; i < e->n_inputs; i++, p++)
        if (!e->input[i].time) values[p->slot] -= slope * hol_re(v.u[i]);
    return p;
}

// Rows of users' unknowns: 1 on the diagonal and the derivatives of their expressions.
static void add_equations(hol_equations *s, const hol_state *x, const hol_coefficients *c, double *values)
{
    double slope[HOL_NUM_VARIABLES + 1];
    for (int k = 0; k < s->nz; k++) {
        const hol_equation *e = &s->m->equation[k];
        const hol_pair *p = s->pair + s->equation_pair[k];
        values[s->diagonal[s->nq + k]] += 1;
        if (!(c->with & HOL_WITH_EQUATIONS) || e->block) continue;
        expression(s, x, e, slope);
        for (int i = 0; i < e->n_leaves; i++) p = add_leaf(s, x, &e->leaf[i], slope[i], c, p, values);
    }
    for (int k = 0; k < s->m->n_blocks && c->with & HOL_WITH_EQUATIONS; k++) add_block(s, x, k, c, values);
}

// Columns of the inputs that are unknowns, -Q_u.
static void add_inputs(const hol_equations *s, const hol_element *e, const hol_scatter *sc, const hol_real *y,
                       double *values)
{
    const hol_pair *p = s->pair + sc->input;
    const int nq = e->ny - 1;
    hol_real B[HOL_MAX_Y * HOL_MAX_ROWS] = {0};
    e->type->force_u(e->data, e->ny, y, B);
    for (int k = 0; k < e->n_inputs; k++)
        for (int i = 0; i < nq && !e->input[k].time; i++, p++)
            values[p->slot] -= hol_re(B[i * e->n_inputs + k]);
}

// Rows Psi_v + (cK/cD) Psi_q: the derivative of Psi/cD, since dv = cD da and dq = cK da. Columns Psi_v^T.
static void add_rates(const hol_equations *s, const hol_element *e, const hol_scatter *sc,
                      const hol_coefficients *c, const hol_real *y, const hol_real *w, double *values)
{
    const hol_pair *p = s->pair + sc->rate;
    const int ny = e->ny;
    const double ratio = c->cD != 0 ? c->cK / c->cD : 0;
    hol_real P[HOL_MAX_ROWS * HOL_MAX_Y], R[HOL_MAX_ROWS * HOL_MAX_Y];
    e->type->rate(e->data, ny, y, w, NULL, P, R);
    for (int i = 0; i < e->n_rates; i++)
        for (int j = 0; j < ny - 1; j++, p++) {
            values[p->slot] += hol_re(R[i * ny + j] + ratio * P[i * ny + j]);
            values[p->transposed] += hol_re(R[i * ny + j]);
        }
}

// ---- the matrix -----------------------------------------------------------------------------------------------

// L (nq x nq) = cM M + cMa (M a)_q + cK (K_phi - Q_q) - cD Q_v of one element
static void element_block(const hol_equations *s, const hol_element *e, const hol_state *x,
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
    if (t->force_d && hol_element_acts(e, x->mem)) {
        hol_real u[HOL_MAX_ROWS];
        for (int i = 0; i < nq * nq; i++) B[i] = 0;
        hol_equations_inputs(e, x, u);
        t->force_d(e->data, ny, y, w, x->mem + e->mem, u, A, B);
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
    if (e->n_rates && c->with & HOL_WITH_RATES) {
        hol_real kap[HOL_MAX_ROWS];
        for (int i = 0; i < ny * ny; i++) A[i] = B[i] = 0;
        for (int i = 0; i < e->n_rates; i++) kap[i] = x->kap[e->rate + i];
        t->rate_kap(e->data, ny, y, w, kap, A, B);
        for (int i = 0; i < nq; i++)
            for (int j = 0; j < nq; j++) L[i * nq + j] += c->cK * A[i * ny + j] + c->cD * B[i * ny + j];
    }
}

void hol_equations_matrix(hol_equations *s, const hol_state *x, const hol_coefficients *c, double *values)
{
    const hol_model_data *m = s->m;
    memset(values, 0, (size_t)s->pattern.start[s->n] * sizeof *values);
    for (int k = 0; k < m->n_elements; k++) {
        const hol_element *e = &m->element[k];
        const hol_scatter *sc = &s->scatter[k];
        const int nq = e->ny - 1;
        hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], L[HOL_MAX_Y * HOL_MAX_Y];
        gather(s, e, x->t, x->q, x->v, 1, y, w);
        if (sc->n_entries) {
            element_block(s, e, x, c, y, w, L);
            const hol_entry *at = s->entry + sc->entry;
            for (int i = 0; i < sc->n_entries; i++) values[at[i].slot] += hol_re(L[at[i].i * nq + at[i].j]);
        }
        if (e->n_rates && c->with & HOL_WITH_RATES) add_rates(s, e, sc, c, y, w, values);
        if (e->n_inputs && s->nz && c->with & HOL_WITH_EQUATIONS && hol_element_acts(e, x->mem))
            add_inputs(s, e, sc, y, values);
        if (!sc->n_borders) continue;
        e->type->phi(e->data, e->ny, y, NULL, NULL, L);
        const hol_border *at = s->border + sc->border;
        for (int i = 0; i < sc->n_borders; i++) {
            const double g = hol_re(L[at[i].i * e->ny + at[i].j]);
            values[at[i].slot] += g;
            values[at[i].transposed] += g;
        }
    }
    add_equations(s, x, c, values);
    for (int i = 0; i < s->nk && !(c->with & HOL_WITH_RATES); i++) values[s->diagonal[s->nf + s->nc + i]] = 1;
}

void hol_equations_add_curvature(const hol_equations *s, const hol_state *x, const double *lam,
                                 double *values)
{
    for (int k = 0; k < s->m->n_elements; k++) {
        const hol_element *e = &s->m->element[k];
        const hol_scatter *sc = &s->scatter[k];
        const hol_entry *at = s->entry + sc->entry;
        hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], l[HOL_MAX_ROWS], H[HOL_MAX_Y * HOL_MAX_Y];
        if (!e->n_rows) continue;
        for (int i = 0; i < e->ny * e->ny; i++) H[i] = 0;
        gather(s, e, x->t, x->q, NULL, 0, y, w);
        gather_lam(s, e, lam, l);
        e->type->phi_lam(e->data, e->ny, y, l, H);
        for (int i = 0; i < sc->n_entries; i++) values[at[i].slot] += hol_re(H[at[i].i * e->ny + at[i].j]);
    }
}

// Phi_q of one element into the matrix, tau into r.
static void border_and_tau(const hol_equations *s, const hol_element *e, const hol_scatter *sc,
                           const hol_real *y, const hol_real *w, double *values, double *r)
{
    const int ny = e->ny;
    hol_real J[HOL_MAX_ROWS * HOL_MAX_Y], along[HOL_MAX_ROWS];
    hol_element_along(e, y, w, NULL, NULL, J, along);
    for (int i = 0; i < e->n_rows; i++)
        if (sc->row[i] >= 0) r[s->nf + sc->row[i]] = -hol_re(along[i]);
    const hol_border *at = s->border + sc->border;
    for (int i = 0; i < sc->n_borders; i++) {
        const double g = hol_re(J[at[i].i * ny + at[i].j]);
        values[at[i].slot] += g;
        values[at[i].transposed] += g;
    }
}

void hol_equations_bordered(hol_equations *s, const hol_state *x, double *values, double *r)
{
    static const hol_coefficients mass_only = {1, 0, 0, 0, HOL_WITH_ALL};
    const hol_model_data *m = s->m;
    memset(values, 0, (size_t)s->pattern.start[s->n] * sizeof *values);
    memset(r, 0, (size_t)s->n * sizeof *r);
    s->count.jacobians++;
    s->count.residuals++;
    s->count.bordered++;
    for (int k = 0; k < m->n_elements; k++) {
        const hol_element *e = &m->element[k];
        const hol_element_type *t = e->type;
        const hol_scatter *sc = &s->scatter[k];
        hol_real y[HOL_MAX_Y], w[HOL_MAX_Y];
        gather(s, e, x->t, x->q, x->v, 1, y, w);
        if (t->mass) {
            hol_real M[HOL_MAX_Y * HOL_MAX_Y];
            t->mass(e->data, y, M);
            const hol_entry *at = s->entry + sc->entry;
            for (int i = 0; i < sc->n_entries; i++)
                values[at[i].slot] += hol_re(M[at[i].i * (e->ny - 1) + at[i].j]);
        }
        if (t->force && hol_element_acts(e, x->mem)) {
            hol_real Q[HOL_MAX_Y] = {0}, u[HOL_MAX_ROWS];
            hol_equations_inputs(e, x, u);
            t->force(e->data, e->ny, y, w, x->mem + e->mem, u, Q);
            hol_element_scatter(m, e, Q, 1, r);
        }
        if (e->n_inputs && s->nz && hol_element_acts(e, x->mem)) add_inputs(s, e, sc, y, values);
        if (e->n_rows) border_and_tau(s, e, sc, y, w, values, r);
    }
    hol_swarms_force(s, x, 1, r);
    add_equations(s, x, &mass_only, values);
}

void hol_equations_shift(const hol_equations *s, double w, double *values)
{
    for (int i = 0; i < s->nq; i++) values[s->diagonal[i]] += w / (s->q_size[i] * s->q_size[i]);
}

double hol_equations_delta(const hol_equations *s) { return s->dependent ? HOL_KKT_DELTA : 0; }

double hol_equations_coordinate_norm(const hol_equations *s, const double *x)
{
    double most = 0;
    for (int i = 0; i < s->nq; i++) most = hol_larger(fabs(x[i]) / s->q_size[i], most);
    return most;
}

double hol_equations_distance(const hol_equations *s, const double *x, const double *y)
{
    double most = 0;
    for (int i = 0; i < s->nq; i++) most = hol_larger(fabs(x[i] - y[i]) / s->q_size[i], most);
    return most;
}

double hol_equations_row_norm(const hol_equations *s, const double *r, int rows)
{
    double most = 0;
    for (int i = 0; i < rows; i++)
        most = hol_larger(fabs(r[i]) / (i < s->nc ? s->row_size[i] : s->m->length_scale), most);
    return most;
}

// Rows of all elements times (x, one): of the Jacobian, or of its derivative along x (bends), with this sign. all: numbered as
// in the model, else those in use.
static void rows_times(const hol_equations *s, double t, const double *q, const double *x, double one,
                       bool bends, bool all, double sign, double *out)
{
    for (int k = 0; k < s->m->n_elements; k++) {
        const hol_element *e = &s->m->element[k];
        if (!e->n_rows) continue;
        hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], J[HOL_MAX_ROWS * HOL_MAX_Y];
        const int n = one != 0 ? e->ny : e->ny - 1;
        gather(s, e, t, q, x, one, y, w);
        if (bends)
            e->type->phi_yw(e->data, e->ny, y, w, J);
        else
            e->type->phi(e->data, e->ny, y, NULL, NULL, J);
        for (int i = 0; i < e->n_rows; i++) {
            const int row = all ? e->row + i : s->active[e->row + i];
            hol_real sum = 0;
            for (int j = 0; j < n; j++) sum += J[i * e->ny + j] * w[j];
            if (row >= 0) out[row] = sign * hol_re(sum);
        }
    }
}

void hol_equations_phi_dot_all(const hol_equations *s, double t, const double *q, const double *v,
                               double *phi)
{
    rows_times(s, t, q, v, 1, false, true, 1, phi);
}

void hol_equations_phi_t_all(const hol_equations *s, double t, const double *q, double *phi)
{
    for (int k = 0; k < s->m->n_elements; k++) {
        const hol_element *e = &s->m->element[k];
        if (!e->n_rows) continue;
        hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], J[HOL_MAX_ROWS * HOL_MAX_Y];
        gather(s, e, t, q, NULL, 0, y, w);
        e->type->phi(e->data, e->ny, y, NULL, NULL, J);
        for (int i = 0; i < e->n_rows; i++) phi[e->row + i] = hol_re(J[i * e->ny + e->ny - 1]);
    }
}

void hol_equations_jacobian_times(const hol_equations *s, double t, const double *q, const double *x,
                                  double *out)
{
    rows_times(s, t, q, x, 0, false, false, 1, out);
}

void hol_equations_tau(const hol_equations *s, const hol_state *x, double *tau)
{
    rows_times(s, x->t, x->q, x->v, 1, true, false, -1, tau);
}

void hol_equations_constraint_force(const hol_equations *s, const hol_state *x, double *out)
{
    memset(out, 0, (size_t)s->nq * sizeof *out);
    for (int k = 0; k < s->m->n_elements; k++) {
        const hol_element *e = &s->m->element[k];
        if (!e->n_rows) continue;
        hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], J[HOL_MAX_ROWS * HOL_MAX_Y];
        gather(s, e, x->t, x->q, NULL, 0, y, w);
        e->type->phi(e->data, e->ny, y, NULL, NULL, J);
        add_border_force(s, e, J, x->lam, out);
    }
}

void hol_equations_stop_turns(const hol_equations *s, hol_state *x)
{
    for (int k = 0; k < s->m->n_elements; k++) {
        const hol_element *e = &s->m->element[k];
        for (int i = 0; i < e->n_mem; i += HOL_TURNS_SIZE) x->mem[e->mem + i + HOL_TURNS_RATE] = 0;
    }
    for (int i = 0; i < s->n_counters; i++) x->mem[s->counter[i].turns - 1 + HOL_TURNS_RATE] = 0;
}

double hol_equations_turns_missed(const hol_equations *s, const hol_state *before, const hol_state *x,
                                  const char **name)
{
    double most = 0;
    *name = NULL;
    const int n = s->m->n_mem ? s->m->n_elements : 0;
    for (int k = 0; k < n; k++) {
        const hol_element *e = &s->m->element[k];
        if (!e->n_mem) continue;
        for (int i = e->mem; i < e->mem + e->n_mem; i += HOL_TURNS_SIZE) {
            const double missed = hol_turns_missed(before->mem + i, x->mem + i);
            if (missed > most) *name = e->name;
            most = fmax(missed, most);
        }
    }
    for (int i = 0; i < s->n_counters; i++) {
        const int slot = s->counter[i].turns - 1;
        if (hol_leaf_is_twist(&s->counter[i])) continue;
        const double missed = hol_turns_missed(before->mem + slot, x->mem + slot);
        if (missed > most) *name = NULL;
        most = fmax(missed, most);
    }
    return most;
}

void hol_equations_remember(const hol_equations *s, const hol_state *x)
{
    if (!s->m->n_mem) return;
    for (int k = 0; k < s->m->n_elements; k++) {
        const hol_element *e = &s->m->element[k];
        if (!e->n_mem) continue;
        hol_real y[HOL_MAX_Y], w[HOL_MAX_Y];
        gather(s, e, x->t, x->q, x->v, 1, y, w);
        e->type->remember(e->data, e->ny, y, w, x->mem + e->mem);
    }
    for (int i = 0; i < s->n_counters; i++) hol_leaf_count(s, x, &s->counter[i]);
}

// ---- states ---------------------------------------------------------------------------------------------------

// q, v, the unknowns, X and the memory, one after the other
static size_t state_size(const hol_equations *s) { return (size_t)(2 * s->nq + s->n + s->nx + s->m->n_mem); }

hol_status hol_state_create(const hol_equations *s, hol_state *x)
{
    double *p = hol_calloc(s->ctx, state_size(s) + 1, sizeof *p);
    if (!p) return HOL_ERR_MEMORY;
    x->t = 0;
    x->q = p;
    x->v = x->q + s->nq;
    x->a = x->v + s->nq;
    x->z = x->a + s->nq;
    x->lam = x->z + s->nz;
    x->kap = x->lam + s->nc;
    x->X = x->kap + s->nk;
    x->mem = x->X + s->nx;
    return HOL_OK;
}

void hol_state_destroy(hol_state *x)
{
    hol_free(x->q);
    x->q = NULL;
}

void hol_state_hold_norms(const hol_equations *s, hol_state *x)
{
    for (int b = 0; b < s->m->n_bodies && s->m->dimension == 3; b++) {
        if (s->m->body[b].frame != HOL_FRAME_SPATIAL) continue;
        hol_hold_norm(x->q + s->m->body[b].q + 3, x->v + s->m->body[b].q + 3);
    }
}

void hol_state_copy(const hol_equations *s, hol_state *to, const hol_state *from)
{
    to->t = from->t;
    memcpy(to->q, from->q, state_size(s) * sizeof *to->q);
}

void hol_state_carry_on(const hol_equations *s, const hol_state *from, double dt, hol_state *to)
{
    hol_state_copy(s, to, from);
    to->t = from->t + dt;
    for (int i = 0; i < s->nq; i++) {
        const double a = isfinite(from->a[i]) ? from->a[i] : 0;
        to->q[i] += dt * (from->v[i] + 0.5 * dt * a);
        to->v[i] += dt * a;
    }
    for (int i = 0; i < s->nx; i++) {
        const double rate = from->z[s->m->state[i].equation];
        if (isfinite(rate)) to->X[i] += dt * rate;
    }
}

void hol_state_carry_better(const hol_equations *s, const hol_state *from, hol_state *to)
{
    const double dt = to->t - from->t;
    for (int i = 0; i < s->nq; i++) {
        const double change = to->a[i] - from->a[i];
        if (!isfinite(change)) continue;
        to->q[i] += dt * dt / 6 * change;
        to->v[i] += dt / 2 * change;
    }
    for (int i = 0; i < s->nx; i++) {
        const int rate = s->m->state[i].equation;
        if (isfinite(to->z[rate] - from->z[rate])) to->X[i] += dt / 2 * (to->z[rate] - from->z[rate]);
    }
}

// The vector u = (q; v; X) with its rate (v; a; X'), for methods that integrate all coordinates.

void hol_state_pack(const hol_equations *s, const hol_state *x, double *u)
{
    memcpy(u, x->q, (size_t)s->nq * sizeof *u);
    memcpy(u + s->nq, x->v, (size_t)s->nq * sizeof *u);
    memcpy(u + 2 * s->nq, x->X, (size_t)s->nx * sizeof *u);
}

void hol_state_unpack(const hol_equations *s, const double *u, hol_state *x)
{
    memcpy(x->q, u, (size_t)s->nq * sizeof *u);
    memcpy(x->v, u + s->nq, (size_t)s->nq * sizeof *u);
    memcpy(x->X, u + 2 * s->nq, (size_t)s->nx * sizeof *u);
}

void hol_state_rate(const hol_equations *s, const hol_state *x, double *rate)
{
    memcpy(rate, x->v, (size_t)s->nq * sizeof *rate);
    memcpy(rate + s->nq, x->a, (size_t)s->nq * sizeof *rate);
    for (int i = 0; i < s->nx; i++) rate[2 * s->nq + i] = x->z[s->m->state[i].equation];
}

void hol_state_archive(const hol_equations *s, hol_state *x, hol_archive *a)
{
    hol_archive_number(a, &x->t, 0, DBL_MAX);
    hol_archive_numbers(a, x->q, state_size(s));
}

void hol_equations_archive(hol_equations *s, hol_archive *a)
{
    long *const counts[] = {&s->count.residuals, &s->count.jacobians, &s->count.bordered,
                            &s->count.along_tree, &s->count.light};
    for (int i = 0; i < HOL_COUNT(counts); i++) hol_archive_counts(a, counts[i], 1);
}
