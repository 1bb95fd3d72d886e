// How accelerations change with positions, velocities and time: right-hand sides for many directions at once (formulas
// in linear.h). One pass over the elements: their derivatives are evaluated once and applied to every direction.
#include "system/linear.h"
#include "system/leaf.h"

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
        if (e->leaf[i].kind == HOL_LEAF_RAMP)
            slope[e->n_leaves] += slope[i] * d->x->mem[e->leaf[i].index + 1];
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
