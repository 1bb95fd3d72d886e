// What tests of the elements share: random states of the elements of models that attach every type in every way, comparisons. The
// library is compiled with hol_real = double complex.
#ifndef ELEMENTS_H
#define ELEMENTS_H

#include "element_models.h"

static const double STEP = 1e-30, TOLERANCE = 1e-12;
enum { STATES = 3, MAX_OUT = HOL_MAX_Y * HOL_MAX_Y, ENOUGH = 10 };

static int failures;
static hol_random dice = {20240607};

// ---- states ---------------------------------------------------------------------------------------------------

typedef struct {
    const hol_model_data *m;
    const hol_element *e;
    int ny, nq;
    hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], a[HOL_MAX_Y], lam[HOL_MAX_ROWS], u[HOL_MAX_ROWS];
    double mem[HOL_MAX_MEMORY];
} probe;

// y and w random, Euler parameters not normalised; time is away from 0. State 1 has w = (a, 0).
static inline void draw(probe *s, const hol_model_data *m, const hol_element *e, int state)
{
    s->m = m;
    s->e = e;
    s->ny = e->ny;
    s->nq = e->ny - 1;
    for (int i = 0; i < s->ny; i++) {
        s->y[i] = random_in(&dice, -1.5, 1.5);
        s->w[i] = random_in(&dice, -1.5, 1.5);
        s->a[i] = random_in(&dice, -1.5, 1.5);
    }
    for (int i = 0; i < HOL_MAX_ROWS; i++) {
        s->lam[i] = random_in(&dice, -1.5, 1.5);
        s->u[i] = random_in(&dice, -1.5, 1.5);
    }
    for (int i = 0; i < HOL_MAX_MEMORY; i++)
        s->mem[i] = random_in(&dice, -3, 3) + (i % HOL_TURNS_SIZE ? 0
                                                                  : 2 * HOL_PI *
                                                                        (state == 0   ? 0
                                                                         : state == 1 ? 4
                                                                                      : -3));
    s->y[s->nq] = random_in(&dice, 0.2, 1.2);
    s->w[s->nq] = state == 1 ? 0 : 1;
}

// What the memory expects of an angle.
static inline double expected_angle(const probe *s, int slot)
{
    const double *mem = s->mem + slot;
    return mem[HOL_TURNS_VALUE] + mem[HOL_TURNS_RATE] * (hol_re(s->y[s->ny - 1]) - mem[HOL_TURNS_TIME]);
}

// Scales the Euler parameters of the element's bodies to length 1, and takes rates tangent to the sphere.
static inline void normalise(probe *s)
{
    for (int b = 0, at = 0; b < s->e->n_bodies; b++) {
        const hol_body *body = &s->m->body[s->e->body[b]];
        if (body->frame == HOL_FRAME_SPATIAL) {
            hol_real *p = s->y + at + 3, *v = s->w + at + 3;
            double pp = 0, pv = 0;
            for (int i = 0; i < 4; i++) pp += hol_re(p[i]) * hol_re(p[i]);
            for (int i = 0; i < 4; i++) p[i] = p[i] / sqrt(pp);
            for (int i = 0; i < 4; i++) pv += hol_re(p[i]) * hol_re(v[i]);
            for (int i = 0; i < 4; i++) v[i] = v[i] - pv * p[i];
        }
        at += body->size;
    }
}

// ---- comparing ------------------------------------------------------------------------------------------------

static inline void report(const probe *s, const char *what, int i, int j, double have, double want,
                          double scale)
{
    if (failures++ >= ENOUGH) return;
    const hol_element *e = s->e;
    char label[2][200] = {"", ""};
    for (int k = 0; k < 2 && k < e->n_ends; k++) hol_model_end(s->m, e, k, label[k], sizeof label[k]);
    const char *from = label[0], *to = label[1];
    print_error("%dD %s (%s %s %s): %s[%d][%d] = %.17g, must be %.17g; scale %.3g\n", s->m->dimension,
                e->type->name, e->name, from, to, what, i, j, have, want, scale);
}

static inline double largest(const hol_real *x, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(hol_re(x[i])));
    return most;
}

// have and want are (rows x cols); `values` are those of the function differentiated.
static inline void compare(const probe *s, const char *what, int rows, int cols, const hol_real *have,
                           const hol_real *want, double values)
{
    const double scale = fmax(values, fmax(largest(have, rows * cols), largest(want, rows * cols)));
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++) {
            const double x = hol_re(have[i * cols + j]), y = hol_re(want[i * cols + j]);
            if (!(fabs(x - y) <= TOLERANCE * scale)) report(s, what, i, j, x, y, scale);
        }
}

static inline void compare_number(const probe *s, const char *what, hol_real have, hol_real want,
                                  double values)
{
    compare(s, what, 1, 1, &have, &want, values);
}

// A function without derivative must not depend on anything: exactly.
static inline void must_be_zero(const probe *s, const char *what, int rows, int cols, const hol_real *step)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++)
            if (hol_re(step[i * cols + j]) != 0) report(s, what, i, j, 0, hol_re(step[i * cols + j]), 0);
}

// ---- the functions to differentiate ---------------------------------------------------------------------------

typedef void (*function)(const probe *s, const hol_real *y, const hol_real *w, hol_real *out);

static inline void phi_of(const probe *s, const hol_real *y, const hol_real *w, hol_real *out)
{
    (void)w;
    s->e->type->phi(s->e->data, s->ny, y, s->mem, out, NULL);
}

// out = J w for the rows of the element, w frozen
static inline void times_w(const probe *s, const hol_real *J, hol_real *out)
{
    for (int i = 0; i < s->e->n_rows; i++) {
        out[i] = 0;
        for (int j = 0; j < s->ny; j++) out[i] += J[i * s->ny + j] * s->w[j];
    }
}

static inline void phi_y_w_of(const probe *s, const hol_real *y, const hol_real *w, hol_real *out)
{
    hol_real J[HOL_MAX_ROWS * HOL_MAX_Y] = {0};
    (void)w;
    if (s->e->type->phi) s->e->type->phi(s->e->data, s->ny, y, NULL, NULL, J);
    times_w(s, J, out);
}

static inline void phi_yw_w_of(const probe *s, const hol_real *y, const hol_real *w, hol_real *out)
{
    hol_real J[HOL_MAX_ROWS * HOL_MAX_Y] = {0};
    (void)w;
    if (s->e->type->phi_yw) s->e->type->phi_yw(s->e->data, s->ny, y, s->w, J);
    times_w(s, J, out);
}

static inline void phi_y_lam_of(const probe *s, const hol_real *y, const hol_real *w, hol_real *out)
{
    hol_real J[HOL_MAX_ROWS * HOL_MAX_Y] = {0};
    (void)w;
    if (s->e->type->phi) s->e->type->phi(s->e->data, s->ny, y, NULL, NULL, J);
    for (int j = 0; j < s->ny; j++) {
        out[j] = 0;
        for (int i = 0; i < s->e->n_rows; i++) out[j] += J[i * s->ny + j] * s->lam[i];
    }
}

static inline void mass_a_of(const probe *s, const hol_real *y, const hol_real *w, hol_real *out)
{
    hol_real M[MAX_OUT];
    (void)w;
    s->e->type->mass(s->e->data, y, M);
    for (int i = 0; i < s->nq; i++) {
        out[i] = 0;
        for (int j = 0; j < s->nq; j++) out[i] += M[i * s->nq + j] * s->a[j];
    }
}

static inline void force_of(const probe *s, const hol_real *y, const hol_real *w, hol_real *out)
{
    for (int i = 0; i < s->nq; i++) out[i] = 0;
    s->e->type->force(s->e->data, s->ny, y, w, s->mem, s->u, out);
}

static inline void energy_of(const probe *s, const hol_real *y, const hol_real *w, hol_real *out)
{
    hol_real rate;
    s->e->type->energy(s->e->data, s->ny, y, w, s->mem, out, &rate);
}

// x + i h d
static hol_real beside(hol_real x, double d) { return x + STEP * d * (hol_real)_Complex_I; }

// D (rows x cols): derivative with respect to the first `cols` entries of y, or of w.
static inline double complex_step(const probe *s, function f, int rows, int cols, bool in_w, hol_real *D)
{
    hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], out[HOL_MAX_Y] = {0};
    double values = 0;
    for (int j = 0; j < cols; j++) {
        memcpy(y, s->y, sizeof y);
        memcpy(w, s->w, sizeof w);
        hol_real *moved = in_w ? w : y;
        moved[j] = beside(moved[j], 1);
        f(s, y, w, out);
        for (int i = 0; i < rows; i++) D[i * cols + j] = cimag(out[i]) / STEP;
        values = fmax(values, largest(out, rows));
    }
    return values;
}

// The inputs' columns of the force.
static inline void check_inputs(const probe *s)
{
    const hol_element *e = s->e;
    const int n = e->n_inputs;
    hol_real Q_u[HOL_MAX_Y * HOL_MAX_ROWS], D[HOL_MAX_Y * HOL_MAX_ROWS], Q[HOL_MAX_Y];
    if (!e->type->force) return;
    for (int k = 0; k < HOL_MAX_ROWS; k++) {
        probe moved = *s;
        moved.u[k] = beside(s->u[k], 1);
        force_of(&moved, s->y, s->w, Q);
        for (int i = 0; i < s->nq; i++) Q[i] = cimag(Q[i]) / STEP;
        if (k >= n) must_be_zero(s, "Q_u beyond the inputs", 1, s->nq, Q);
        for (int i = 0; i < s->nq && k < n; i++) D[i * n + k] = Q[i];
    }
    for (int i = 0; i < s->nq * n; i++) Q_u[i] = 1;
    if (n) e->type->force_u(e->data, s->ny, s->y, Q_u);
    for (int i = 0; i < s->nq * n; i++) Q_u[i] -= 1;
    compare(s, "Q_u", s->nq, n, Q_u, D, 1);
}

typedef void (*check)(const probe *s);

static inline void on_all_elements(check each, bool on_sphere)
{
    failures = 0;
    for (int d = 2; d <= 3; d++) {
        hol_model_data *m = model_of(d);
        for (int i = 0; i < m->n_elements; i++)
            for (int state = 0; state < STATES; state++) {
                probe s;
                draw(&s, m, &m->element[i], state);
                if (on_sphere) normalise(&s);
                each(&s);
            }
        hol_model_free(m);
    }
    if (failures > ENOUGH) print_error("... %d entries in all\n", failures);
    assert_int_equal(failures, 0);
}

static inline bool is_sum(const hol_element *e)
{
    return e->type->remember == hol_sum_remember || strcmp(e->type->name, "screw") == 0;
}

#endif
