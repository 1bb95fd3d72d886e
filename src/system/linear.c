// How accelerations change with positions, velocities and time: right-hand sides for many directions at once (formulas
// in linear.h). One pass over the elements: their derivatives are evaluated once and applied to every direction.
#include "system/linear.h"
#include "system/leaf.h"
#include "system/wrench.h"

#include <math.h>
#include <string.h>

typedef struct {
    hol_equations *s;
    const hol_state *x;
    int cols;
    const double *N, *Z, *X;
    double *out;
} directions;

// So many directions at once: a row of an element's derivatives is read for all of them, and the compiler takes them together.
enum { WIDE = 4 };

// Directions seen from the bodies of an element or leaf: dy = (n, tau), dw = (z, 0).
typedef struct {
    int cols;                                        // those behind them are 0
    double y[HOL_MAX_Y * WIDE], w[HOL_MAX_Y * WIDE]; // (ny x WIDE)
} seen;

// The entries of the directions that belong to the bodies of an element, a few directions at a time.
static void gather(const directions *d, int n_bodies, const int *body, int col, seen *o)
{
    const size_t nq = (size_t)d->s->nq;
    o->cols = d->cols - col < WIDE ? d->cols - col : WIDE;
    if (o->cols < WIDE) *o = (seen){.cols = o->cols};
    for (int c = 0; c < o->cols; c++) {
        const double *N = d->N + (size_t)(col + c) * (nq + 1),
                     *Z = d->Z ? d->Z + (size_t)(col + c) * nq : NULL;
        int k = 0;
        for (int i = 0; i < n_bodies; i++) {
            const hol_body *b = &d->s->m->body[body[i]];
            for (int j = b->q; j < b->q + b->size; j++, k++)
                o->y[k * WIDE + c] = N[j], o->w[k * WIDE + c] = Z ? Z[j] : 0;
        }
        o->y[k * WIDE + c] = N[nq], o->w[k * WIDE + c] = 0;
    }
}

// sum += row (n) d
HOL_INLINE void add_times(int n, const hol_real *row, const double *d, double *sum)
{
    for (int j = 0; j < n; j++)
        for (int c = 0; c < WIDE; c++) sum[c] += hol_re(row[j]) * d[j * WIDE + c];
}

// A (nq x ny) += Q_y, B (nq x nq) += Q_v of one element, its inputs that are functions of time included.
static void add_applied(const hol_element *e, const hol_state *x, const hol_real *y, const hol_real *w,
                        hol_real *A, hol_real *B)
{
    const hol_element_type *t = e->type;
    const int ny = e->ny, nq = ny - 1;
    hol_real u[HOL_MAX_ROWS];
    if (!t->force || !hol_element_acts(e, x->mem)) return;
    hol_equations_inputs(e, x, u);
    if (t->force_d) t->force_d(e->data, ny, y, w, x->mem + e->mem, u, A, B);
    for (int k = 0; k < e->n_inputs; k++) {
        hol_real jet[4], Q_u[HOL_MAX_Y * HOL_MAX_ROWS] = {0};
        if (!e->input[k].time) continue;
        hol_expr_jet(e->input[k].time, x->t, jet);
        t->force_u(e->data, ny, y, Q_u);
        for (int i = 0; i < nq; i++) A[i * ny + nq] += Q_u[i * e->n_inputs + k] * jet[1];
    }
}

// A (nq x ny) = -(M a)_y - (Phi_y^T lam)_y + Q_y, B (nq x nq) = Q_v of one element
static void force_derivatives(const directions *d, const hol_element *e, const hol_real *y, const hol_real *w,
                              hol_real *A, hol_real *B)
{
    const hol_element_type *t = e->type;
    const hol_state *x = d->x;
    const int ny = e->ny, nq = ny - 1;
    hol_real H[HOL_MAX_Y * HOL_MAX_Y];
    memset(A, 0, (size_t)(ny * ny) * sizeof *A);
    memset(B, 0, (size_t)(nq * nq) * sizeof *B);
    add_applied(e, x, y, w, A, B);
    if (t->mass_a) {
        hol_real a[HOL_MAX_Y], none[HOL_MAX_Y];
        memset(H, 0, (size_t)(nq * ny) * sizeof *H);
        hol_element_gather(d->s->m, e, 0, x->a, NULL, 0, a, none);
        t->mass_a(e->data, y, a, H);
        for (int i = 0; i < nq * ny; i++) A[i] -= H[i];
    }
    if (e->n_rows) {
        hol_real lam[HOL_MAX_ROWS];
        memset(H, 0, (size_t)(ny * ny) * sizeof *H);
        for (int i = 0; i < e->n_rows; i++) {
            const int r = d->s->active[e->row + i];
            lam[i] = r >= 0 ? x->lam[r] : 0;
        }
        t->phi_lam(e->data, ny, y, lam, H);
        for (int i = 0; i < nq * ny; i++) A[i] -= H[i];
    }
    if (e->n_rates) {
        hol_real kap[HOL_MAX_ROWS], R[HOL_MAX_Y * HOL_MAX_Y];
        memset(H, 0, (size_t)(ny * ny) * sizeof *H);
        memset(R, 0, (size_t)(ny * ny) * sizeof *R);
        for (int i = 0; i < e->n_rates; i++) kap[i] = x->kap[e->rate + i];
        t->rate_kap(e->data, ny, y, w, kap, H, R);
        for (int i = 0; i < nq * ny; i++) A[i] -= H[i];
        for (int i = 0; i < nq; i++)
            for (int j = 0; j < nq; j++) B[i * nq + j] -= R[i * ny + j];
    }
}

// C (rows x ny) = tau_y - (Phi_y b)_y with b = (a, 0), D (rows x ny) = tau_w = -2 (Phi_y w)_y
static void row_derivatives(const directions *d, const hol_element *e, const hol_real *y, const hol_real *w,
                            hol_real *C, hol_real *D)
{
    const int n = e->n_rows * e->ny;
    hol_real b[HOL_MAX_Y], none[HOL_MAX_Y], W[HOL_MAX_ROWS * HOL_MAX_Y];
    hol_element_gather(d->s->m, e, 0, d->x->a, NULL, 0, b, none);
    e->type->phi_yww(e->data, e->ny, y, w, C);
    e->type->phi_yw(e->data, e->ny, y, b, D);
    e->type->phi_yw(e->data, e->ny, y, w, W);
    for (int i = 0; i < n; i++) {
        C[i] = -C[i] - D[i];
        D[i] = -2 * W[i];
    }
}

// The same of the velocity constraints, at acceleration level.
static void rate_derivatives(const directions *d, const hol_element *e, const hol_real *y, const hol_real *w,
                             hol_real *C, hol_real *D)
{
    const int n = e->n_rates * e->ny;
    hol_real b[HOL_MAX_Y], none[HOL_MAX_Y];
    hol_element_gather(d->s->m, e, 0, d->x->a, NULL, 0, b, none);
    e->type->rate_dot(e->data, e->ny, y, w, b, C, D);
    for (int i = 0; i < n; i++) {
        C[i] = -C[i];
        D[i] = -D[i];
    }
}

// out (ld apart) += factor (C dy + D dw)
static void add_row(int ny, const hol_real *C, const hol_real *D, const seen *o, double factor, int ld,
                    double *out)
{
    double sum[WIDE] = {0};
    for (int j = 0; j < ny; j++)
        for (int c = 0; c < WIDE; c++)
            sum[c] += hol_re(C[j]) * o->y[j * WIDE + c] + hol_re(D[j]) * o->w[j * WIDE + c];
    for (int c = 0; c < o->cols; c++) out[(size_t)c * (size_t)ld] += factor * sum[c];
}

// The rows of the bodies: A dy + B dw, B NULL: 0.
static void add_forces(const directions *d, const hol_element *e, const hol_real *A, const hol_real *B,
                       const seen *o, double *out)
{
    const int ny = e->ny, nq = ny - 1;
    int i = 0;
    for (int k = 0; k < e->n_bodies; k++) {
        const hol_body *b = &d->s->m->body[e->body[k]];
        for (int g = b->q; g < b->q + b->size; g++, i++) {
            double sum[WIDE] = {0};
            add_times(ny, A + i * ny, o->y, sum);
            if (B) add_times(nq, B + i * nq, o->w, sum);
            for (int c = 0; c < o->cols; c++) out[(size_t)c * (size_t)d->s->n + (size_t)g] += sum[c];
        }
    }
}

// What one element adds to the right-hand sides of all directions.
static void add_element(const directions *d, const hol_element *e, const hol_scatter *sc)
{
    const hol_equations *s = d->s;
    const int ny = e->ny;
    hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], A[HOL_MAX_Y * HOL_MAX_Y], B[HOL_MAX_Y * HOL_MAX_Y];
    hol_real C[HOL_MAX_ROWS * HOL_MAX_Y], D[HOL_MAX_ROWS * HOL_MAX_Y];
    hol_real R[HOL_MAX_ROWS * HOL_MAX_Y], T[HOL_MAX_ROWS * HOL_MAX_Y];
    hol_element_gather(s->m, e, d->x->t, d->x->q, d->x->v, 1, y, w);
    force_derivatives(d, e, y, w, A, B);
    if (e->n_rows) row_derivatives(d, e, y, w, C, D);
    if (e->n_rates) rate_derivatives(d, e, y, w, R, T);
    const bool damped = e->type->force_d || e->n_rates;
    for (int c = 0; c < d->cols; c += WIDE) {
        seen o;
        double *out = d->out + (size_t)c * (size_t)s->n;
        gather(d, e->n_bodies, e->body, c, &o);
        add_forces(d, e, A, damped ? B : NULL, &o, out);
        for (int r = 0; r < e->n_rows; r++)
            if (sc->row[r] >= 0) add_row(ny, C + r * ny, D + r * ny, &o, 1, s->n, out + s->nf + sc->row[r]);
        for (int r = 0; r < e->n_rates; r++)
            add_row(ny, R + r * ny, T + r * ny, &o, 1, s->n, out + s->nf + s->nc + e->rate + r);
    }
}

// Row k of users' equations: E_q n + E_v z + E_t tau.
static void add_equation(const directions *d, int k)
{
    const hol_equations *s = d->s;
    const hol_equation *e = &s->m->equation[k];
    double slope[HOL_NUM_VARIABLES + 1];
    if (e->block)
        return; // user code does not say how it depends on time; its inputs are equations of their own
    hol_equations_slopes(s, d->x, e, slope);
    for (int i = 0; i < e->n_leaves; i++)
        if (hol_leaf_is_given(&e->leaf[i])) slope[e->n_leaves] += slope[i] * hol_leaf_pace(d->x, &e->leaf[i]);
    for (int c = 0; c < d->cols; c++)
        d->out[(size_t)c * (size_t)s->n + (size_t)(s->nq + k)] +=
            slope[e->n_leaves] * d->N[(size_t)c * (size_t)(s->nq + 1) + (size_t)s->nq];
    for (int i = 0; i < e->n_leaves; i++) {
        const hol_leaf *l = &e->leaf[i];
        hol_leaf_value v;
        for (int c = 0; c < d->cols && l->kind == HOL_LEAF_STATE; c++)
            d->out[(size_t)c * (size_t)s->n + (size_t)(s->nq + k)] +=
                slope[i] * d->X[(size_t)c * (size_t)s->nx + (size_t)l->index];
        if (l->kind != HOL_LEAF_QUANTITY && l->kind != HOL_LEAF_REACTION)
            continue; // the change of z is unknown
        hol_leaf_eval(s, d->x, l, true, &v);
        for (int c = 0; c < d->cols; c += WIDE) {
            seen o;
            gather(d, l->n_bodies, l->body, c, &o);
            add_row(l->ny, v.y, v.w, &o, slope[i], s->n, d->out + (size_t)c * (size_t)s->n + s->nq + k);
        }
    }
}

// Outputs and rates of user code by its own states.
static void add_block(const directions *d, const hol_block *b)
{
    hol_equations *s = d->s; // its room for user code
    const int rows = b->n_outputs + b->n_states, cols = b->n_inputs + b->n_states;
    double *D = s->code;
    if (hol_code_derivative(s->ctx, b->code, d->x->t, d->x->z + b->input, d->x->X + b->state, D,
                            D + rows * cols, &s->fault))
        return; // the accelerations there have said so already
    for (int c = 0; c < d->cols; c++)
        for (int i = 0; i < rows; i++) {
            const int row = s->nq + (i < b->n_outputs ? b->output + i : b->rate + i - b->n_outputs);
            for (int j = 0; j < b->n_states; j++)
                d->out[(size_t)c * (size_t)s->n + (size_t)row] +=
                    D[i * cols + b->n_inputs + j] * d->X[(size_t)c * (size_t)s->nx + (size_t)(b->state + j)];
        }
}

// The rows of users' unknowns.
static void add_users(const directions *d)
{
    for (int k = 0; k < d->s->nz; k++) add_equation(d, k);
    for (int k = 0; k < d->s->m->n_blocks; k++) add_block(d, &d->s->m->block[k]);
}

void hol_linear_accelerations(hol_equations *s, const hol_state *x, int cols, const double *N,
                              const double *Z, const double *X, double *out)
{
    const directions d = {s, x, cols, N, Z, X, out};
    memset(out, 0, (size_t)cols * (size_t)s->n * sizeof *out);
    for (int k = 0; k < s->m->n_elements; k++) add_element(&d, &s->m->element[k], &s->scatter[k]);
    add_users(&d);
}

// What an element's force adds to the right-hand sides of all directions.
static void add_applied_along(const directions *d, const hol_element *e)
{
    hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], A[HOL_MAX_Y * HOL_MAX_Y] = {0}, B[HOL_MAX_Y * HOL_MAX_Y] = {0};
    hol_element_gather(d->s->m, e, d->x->t, d->x->q, d->x->v, 1, y, w);
    add_applied(e, d->x, y, w, A, B);
    for (int c = 0; c < d->cols; c += WIDE) {
        seen o;
        gather(d, e->n_bodies, e->body, c, &o);
        add_forces(d, e, A, B, &o, d->out + (size_t)c * (size_t)d->s->n);
    }
}

void hol_linear_force(const hol_equations *s, const hol_state *x, const hol_element *e, const double *n,
                      const double *z, double *out)
{
    const int ny = e->ny, nq = ny - 1;
    hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], A[HOL_MAX_Y * HOL_MAX_Y] = {0}, B[HOL_MAX_Y * HOL_MAX_Y] = {0};
    hol_real dy[HOL_MAX_Y], dw[HOL_MAX_Y];
    hol_element_gather(s->m, e, x->t, x->q, x->v, 1, y, w);
    hol_element_gather(s->m, e, 0, n, z, 0, dy, dw);
    add_applied(e, x, y, w, A, B);
    for (int i = 0; i < nq; i++) {
        out[i] = 0;
        for (int j = 0; j < nq; j++) out[i] += hol_re(A[i * ny + j] * dy[j] + B[i * nq + j] * dw[j]);
    }
}

void hol_linear_forces(hol_equations *s, const hol_state *x, int cols, const double *N, const double *Z,
                       const double *X, double *out)
{
    const directions d = {s, x, cols, N, Z, X, out};
    memset(out, 0, (size_t)cols * (size_t)s->n * sizeof *out);
    for (int k = 0; k < s->m->n_elements; k++)
        if (s->m->element[k].type->force) add_applied_along(&d, &s->m->element[k]);
    add_users(&d);
}

// Which of so many inputs has this place in the memory; -1: none.
static int input_at(const hol_model_data *m, int slot, int first, int cols)
{
    for (int c = 0; c < cols; c++)
        if (m->held[hol_model_input(m, first + c)].slot == slot) return c;
    return -1;
}

void hol_linear_inputs(hol_equations *s, const hol_state *x, int first, int cols, double *out)
{
    double slope[HOL_NUM_VARIABLES + 1];
    memset(out, 0, (size_t)cols * (size_t)s->n * sizeof *out);
    for (int k = 0; k < s->nz; k++) {
        const hol_equation *e = &s->m->equation[k];
        bool known = false;
        for (int i = 0; i < e->n_leaves && !e->block; i++) {
            const hol_leaf *l = &e->leaf[i];
            const bool held = l->kind == HOL_LEAF_HELD || l->kind == HOL_LEAF_RAMP;
            const int c = held ? input_at(s->m, l->index, first, cols) : -1;
            if (c < 0) continue;
            if (!known) hol_equations_slopes(s, x, e, slope);
            known = true;
            out[(size_t)c * (size_t)s->n + (size_t)(s->nq + k)] += slope[i];
        }
    }
}

// ---- drivers --------------------------------------------------------------------------------------------------

int hol_linear_driver(const hol_equations *s, const hol_state *x, const hol_element *e, double P[3],
                      double *out)
{
    const hol_prims *p = e->data;
    const int row = e->n_rows ? s->active[e->row] : -1;
    hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], b[HOL_MAX_Y], none[HOL_MAX_Y];
    hol_scalar by;
    hol_element_gather(s->m, e, x->t, x->q, x->v, 1, y, w);
    hol_element_gather(s->m, e, 0, x->a, NULL, 0, b, none);
    hol_prim_by_function(&p->p[0], e->ny, y, w, &by);
    P[0] = hol_re(by.f);
    P[1] = hol_re(by.fw);
    P[2] = hol_re(by.fww);
    for (int j = 0; j < e->ny; j++) P[2] += hol_re(by.d[j] * b[j]);
    if (row >= 0) hol_element_scatter(s->m, e, by.d, -x->lam[row], out);
    return row;
}

// ---- outputs and coordinates ----------------------------------------------------------------------------------

// A sum, and that of the sizes of its terms.
typedef struct {
    double is, size;
} total;

static void add_term(total *sum, double x)
{
    sum->is += x;
    sum->size += fabs(x);
}

// The part of a leaf in a change, its derivatives being v.
static total leaf_change(const hol_equations *s, const hol_leaf *l, const hol_leaf_value *v, const double *n,
                         const double *z, const double *change)
{
    total sum = {0};
    int k = 0;
    add_term(&sum, hol_re(v->y[l->ny - 1]) * n[s->nq]);
    for (int i = 0; i < l->n_bodies; i++) {
        const hol_body *b = &s->m->body[l->body[i]];
        for (int j = b->q; j < b->q + b->size; j++, k++) {
            add_term(&sum, hol_re(v->y[k]) * n[j]);
            add_term(&sum, hol_re(v->w[k]) * z[j]);
            if (l->kind == HOL_LEAF_QUANTITY) add_term(&sum, hol_re(v->b[k]) * change[j]);
        }
    }
    if (l->kind != HOL_LEAF_REACTION) return sum;
    const hol_element *e = &s->m->element[l->index];
    for (int i = 0; i < e->n_rows; i++)
        if (s->active[e->row + i] >= 0)
            add_term(&sum, hol_re(v->lam[i]) * change[s->nf + s->active[e->row + i]]);
    for (int i = 0; i < e->n_rates; i++)
        add_term(&sum, hol_re(v->kap[i]) * change[s->nf + s->nc + e->rate + i]);
    for (int i = 0; i < e->n_inputs; i++)
        if (!e->input[i].time) add_term(&sum, hol_re(v->u[i]) * change[s->nq + e->input[i].z]);
    return sum;
}

static void slopes_of(const hol_equations *s, const hol_state *x, const hol_equation *e, double *slope)
{
    slope[0] = 1;
    slope[e->n_leaves] = 0;
    if (e->expr) hol_equations_slopes(s, x, e, slope);
}

double hol_linear_expression(hol_equations *s, const hol_state *x, const hol_equation *e, int cols,
                             const double *N, const double *Z, const double *X, const double *change,
                             double *out, int ld)
{
    const size_t nq = (size_t)s->nq;
    double slope[HOL_NUM_VARIABLES + 1], most = 0;
    slopes_of(s, x, e, slope);
    for (int c = 0; c < cols; c++)
        out[(size_t)c * (size_t)ld] = slope[e->n_leaves] * N[(size_t)c * (nq + 1) + nq];
    for (int i = 0; i < e->n_leaves; i++) {
        const hol_leaf *l = &e->leaf[i];
        const bool measured = l->kind == HOL_LEAF_QUANTITY || l->kind == HOL_LEAF_REACTION;
        hol_leaf_value v;
        if (measured) hol_leaf_eval(s, x, l, true, &v);
        for (int c = 0; c < cols; c++) {
            const double *n = N + (size_t)c * (nq + 1), *own = change + (size_t)c * (size_t)s->n;
            total by = {0};
            if (measured)
                by = leaf_change(s, l, &v, n, Z + (size_t)c * nq, own);
            else
                add_term(&by, l->kind == HOL_LEAF_VALUE   ? own[nq + (size_t)l->index]
                              : l->kind == HOL_LEAF_STATE ? X[(size_t)c * (size_t)s->nx + (size_t)l->index]
                                                          : hol_leaf_pace(x, l) * n[nq]);
            out[(size_t)c * (size_t)ld] += slope[i] * by.is;
            most = fmax(most, fabs(slope[i]) * by.size);
        }
    }
    return most;
}

double hol_linear_by_held(hol_equations *s, const hol_state *x, const hol_equation *e, int held)
{
    double slope[HOL_NUM_VARIABLES + 1], sum = 0;
    slopes_of(s, x, e, slope);
    for (int i = 0; i < e->n_leaves; i++) {
        const hol_leaf *l = &e->leaf[i];
        if ((l->kind == HOL_LEAF_HELD || l->kind == HOL_LEAF_RAMP) && l->index == s->m->held[held].slot)
            sum += slope[i];
    }
    return sum;
}

// How component k (0..5) of a driver's reaction changes by P_q.
static double component_by_driver(const hol_equations *s, const hol_state *x, const hol_element *e, int k)
{
    const int row = s->active[e->row];
    hol_real y[HOL_MAX_Y], w[HOL_MAX_Y];
    hol_wrench_map map;
    hol_scalar by;
    double sum = 0;
    hol_element_gather(s->m, e, x->t, x->q, x->v, 1, y, w);
    hol_wrench_map_at(s->m, e, y, false, &map);
    hol_prim_by_function(((const hol_prims *)e->data)->p, e->ny, y, w, &by);
    for (int i = 0; i < map.size && row >= 0; i++)
        sum -= hol_re(map.c[k][i] * by.d[map.iy + i]) * x->lam[row];
    return sum;
}

double hol_linear_by_driver(hol_equations *s, const hol_state *x, const hol_equation *e, int driver)
{
    double slope[HOL_NUM_VARIABLES + 1], sum = 0;
    const hol_element *d = &s->m->element[driver];
    slopes_of(s, x, e, slope);
    for (int i = 0; i < e->n_leaves; i++) {
        const hol_leaf *l = &e->leaf[i];
        const int first = l->component < 6 ? l->component : 3 * (l->component - 6);
        hol_leaf_value whole, part;
        if (l->kind != HOL_LEAF_REACTION || l->index != driver) continue;
        if (l->component < 6) {
            sum += slope[i] * (l->negative ? -1 : 1) * component_by_driver(s, x, d, first);
            continue;
        }
        hol_leaf_eval(s, x, l, false, &whole);
        for (int k = first; k < first + 3 && hol_re(whole.f) > 0; k++) {
            hol_leaf one = *l;
            one.component = k;
            hol_leaf_eval(s, x, &one, false, &part);
            sum += slope[i] * hol_re(part.f / whole.f) * component_by_driver(s, x, d, k);
        }
    }
    return sum;
}

// Derivatives of y, y' and y'' by y, w and b, row by row; of a rate the last two.
typedef struct {
    hol_real y[3][HOL_MAX_Y], w[3][HOL_MAX_Y], b[HOL_MAX_Y];
} gradients;

static total product(int n, const hol_real *row, const hol_real *x)
{
    total sum = {0};
    for (int i = 0; i < n; i++) add_term(&sum, hol_re(row[i] * x[i]));
    return sum;
}

// Of a coordinate: y, y' = y_q w and y'' = y_q b + (y_q w)_q w.
static void position_gradients(const hol_element *e, const hol_real *y, const hol_real *w, const hol_real *b,
                               gradients *g, double value[3])
{
    const hol_element_type *t = e->type;
    const int ny = e->ny;
    hol_real phi, J[HOL_MAX_Y], along;
    t->phi(e->data, ny, y, NULL, &phi, g->y[0]);
    t->phi_yw(e->data, ny, y, w, g->y[1]);
    hol_element_along(e, y, w, NULL, NULL, J, &along);
    t->phi_yww(e->data, ny, y, w, g->y[2]);
    t->phi_yw(e->data, ny, y, b, J);
    for (int j = 0; j < ny; j++) {
        g->y[2][j] += J[j];
        g->w[1][j] = g->b[j] = g->y[0][j];
        g->w[2][j] = 2 * g->y[1][j];
    }
    value[0] = hol_re(phi);
    value[1] = product(ny, g->y[0], w).is;
    value[2] = product(ny, g->y[0], b).is + hol_re(along);
}

static void rate_gradients(const hol_element *e, const hol_real *y, const hol_real *w, const hol_real *b,
                           gradients *g, double value[3])
{
    hol_real psi;
    e->type->rate(e->data, e->ny, y, w, &psi, g->y[1], g->w[1]);
    e->type->rate_dot(e->data, e->ny, y, w, b, g->y[2], g->w[2]);
    memcpy(g->b, g->w[1], sizeof g->b);
    value[1] = hol_re(psi);
    value[2] = product(e->ny, g->y[1], w).is + product(e->ny, g->w[1], b).is;
}

void hol_linear_coordinate(hol_equations *s, const hol_state *x, const hol_element *e, int cols,
                           const double *N, const double *Z, const double *change, double value[3],
                           double *const out[3], int ld, double *size)
{
    const hol_model_data *m = s->m;
    const size_t nq = (size_t)s->nq;
    const int ny = e->ny, first = e->type->rate ? 1 : 0;
    hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], b[HOL_MAX_Y], n[HOL_MAX_Y], z[HOL_MAX_Y], a[HOL_MAX_Y],
        none[HOL_MAX_Y];
    gradients g;
    memset(&g, 0, sizeof g);
    *size = 0;
    hol_element_gather(m, e, x->t, x->q, x->v, 1, y, w);
    hol_element_gather(m, e, 0, x->a, NULL, 0, b, none);
    (first ? rate_gradients : position_gradients)(e, y, w, b, &g, value);
    for (int c = 0; c < cols; c++) {
        const double *along = N + (size_t)c * (nq + 1);
        hol_element_gather(m, e, along[nq], along, Z + (size_t)c * nq, 0, n, z);
        hol_element_gather(m, e, 0, change + (size_t)c * (size_t)s->n, NULL, 0, a, none);
        for (int k = first; k < 3; k++) {
            const total by_y = product(ny, g.y[k], n), by_w = product(ny, g.w[k], z),
                        by_b = product(k == 2 ? ny : 0, g.b, a);
            out[k][(size_t)c * (size_t)ld] = by_y.is + by_w.is + by_b.is;
            *size = fmax(*size, by_y.size + by_w.size + by_b.size);
        }
    }
}

void hol_linear_velocities(hol_equations *s, const hol_state *x, int cols, const double *N, int ld,
                           double *out)
{
    const directions d = {s, x, cols, N, NULL, NULL, NULL};
    for (int k = 0; k < s->m->n_elements; k++) {
        const hol_element *e = &s->m->element[k];
        if (!e->n_rows) continue;
        hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], W[HOL_MAX_ROWS * HOL_MAX_Y];
        hol_element_gather(s->m, e, x->t, x->q, x->v, 1, y, w);
        e->type->phi_yw(e->data, e->ny, y, w, W);
        for (int c = 0; c < cols; c += WIDE) {
            seen o;
            gather(&d, e->n_bodies, e->body, c, &o);
            for (int r = 0; r < e->n_rows; r++) {
                const int row = s->scatter[k].row[r];
                double sum[WIDE] = {0};
                add_times(e->ny, W + r * e->ny, o.y, sum);
                for (int i = 0; i < o.cols && row >= 0; i++)
                    out[(size_t)(c + i) * (size_t)ld + (size_t)row] = -sum[i];
            }
        }
    }
}

void hol_linear_rates(hol_equations *s, const hol_state *x, int cols, const double *N, const double *Z,
                      int ld, double *out)
{
    const directions d = {s, x, cols, N, Z, NULL, NULL};
    for (int k = 0; k < s->m->n_elements && s->nk; k++) {
        const hol_element *e = &s->m->element[k];
        if (!e->n_rates) continue;
        hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], P[HOL_MAX_ROWS * HOL_MAX_Y], R[HOL_MAX_ROWS * HOL_MAX_Y];
        hol_element_gather(s->m, e, x->t, x->q, x->v, 1, y, w);
        e->type->rate(e->data, e->ny, y, w, NULL, P, R);
        for (int c = 0; c < cols; c += WIDE) {
            seen o;
            gather(&d, e->n_bodies, e->body, c, &o);
            for (int r = 0; r < e->n_rates; r++) {
                double *to = out + (size_t)c * (size_t)ld + e->rate + r;
                for (int i = 0; i < o.cols; i++) to[(size_t)i * (size_t)ld] = 0;
                add_row(e->ny, P + r * e->ny, R + r * e->ny, &o, -1, ld, to);
            }
        }
    }
}

void hol_linear_rows(hol_equations *s, const hol_state *x, double *K, double *D)
{
    const directions d = {s, x, 0, NULL, NULL, NULL, NULL};
    for (int k = 0; k < s->m->n_elements; k++) {
        const hol_element *e = &s->m->element[k];
        const hol_scatter *sc = &s->scatter[k];
        if (!sc->n_borders) continue;
        hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], A[HOL_MAX_ROWS * HOL_MAX_Y], B[HOL_MAX_ROWS * HOL_MAX_Y];
        hol_element_gather(s->m, e, x->t, x->q, x->v, 1, y, w);
        row_derivatives(&d, e, y, w, A, B);
        const hol_border *at = s->border + sc->border;
        for (int i = 0; i < sc->n_borders; i++) {
            K[at[i].slot] = -hol_re(A[at[i].i * e->ny + at[i].j]);
            D[at[i].slot] = -hol_re(B[at[i].i * e->ny + at[i].j]);
        }
    }
}

void hol_linear_element(hol_equations *s, const hol_state *x, const hol_element *e, double *K, double *D)
{
    const directions d = {s, x, 0, NULL, NULL, NULL, NULL};
    const int ny = e->ny, nq = ny - 1;
    hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], A[HOL_MAX_Y * HOL_MAX_Y], B[HOL_MAX_Y * HOL_MAX_Y];
    hol_element_gather(s->m, e, x->t, x->q, x->v, 1, y, w);
    force_derivatives(&d, e, y, w, A, B);
    for (int i = 0; i < nq; i++)
        for (int j = 0; j < nq; j++) {
            K[i * nq + j] = -hol_re(A[i * ny + j]);
            D[i * nq + j] = -hol_re(B[i * nq + j]);
        }
}
