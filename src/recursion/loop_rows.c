// Loop closures: values of their rows, products with D and D^T, and the blocks of D M^-1 D^T that precondition the
// Delassus operator D K D^T. docs/theory.md, section 14.5.
#include "recursion/spatial.h"

#include <math.h>
#include <string.h>

// ---- points held together: D = [I -arm~] of the second body, its opposite of the first; arms stand in place of D -----

// What set_point makes beside the arms.
enum { OPENINGS = 1, BIAS = 2 }; // values and rates; what follows from velocities at acceleration level

// A common point: arms, opening, its rate, and what follows from velocities at acceleration level.
HOL_INLINE void set_point(hol_tree *r, const int d, const hol_state *x, const hol_loop_element *l,
                          const int what)
{
    const int n = hol_point_size(d);
    const double *s = r->s_loop + l->s;
    double *arm = r->D + l->D, *theta = r->theta + l->first, *rate = r->rate + l->first,
           *tau = r->tau + l->first;
    hol_point a, b;
    hol_point_of(r, d, x, l->end[0], s, &a);
    hol_point_of(r, d, x, l->end[1], s + n, &b);
    for (int i = 0; i < n; i++) {
        arm[i] = a.arm[i], arm[n + i] = b.arm[i];
        if (what & OPENINGS) theta[i] = b.at[i] - a.at[i], rate[i] = b.v[i] - a.v[i];
        if (what & BIAS) tau[i] = a.bias[i] - b.bias[i];
    }
}

// D u of a common point: the difference of both ends' accelerations.
HOL_INLINE void point_times(const hol_tree *r, const int d, const hol_loop_element *l, const double *u,
                            double *out)
{
    const int n = hol_point_size(d);
    double v[3] = {0}, t[3];
    for (int i = 0; i < 2; i++) {
        if (l->end[i] < 0) continue;
        const double *arm = r->D + l->D + n * i, *w = u + d * l->end[i], sign = i ? 1 : -1;
        spin_of(d, w + n, arm, t);
        for (int c = 0; c < n; c++) v[c] += sign * (w[c] + t[c]);
    }
    for (int c = 0; c < n; c++) out[c] = v[c];
}

// f += factor D^T mu; only: of the body at this place, -1: of all
HOL_INLINE void point_force(const hol_tree *r, const int d, const hol_loop_element *l, double factor,
                            const double *mu, int only, double *f)
{
    const int n = hol_point_size(d);
    for (int i = 0; i < 2; i++) {
        if (l->end[i] < 0 || (only >= 0 && l->end[i] != only)) continue;
        const double *arm = r->D + l->D + n * i, sign = i ? factor : -factor;
        double *h = f + d * l->end[i], g[3], t[3];
        for (int c = 0; c < n; c++) g[c] = sign * mu[c];
        moment_of(d, arm, g, t);
        for (int c = 0; c < d; c++) h[c] += c < n ? g[c] : t[c - n];
    }
}

// D M^-1 D^T, lower triangle: I/m + arm~ J^-1 arm~^T of both ends.
HOL_INLINE void point_block(const hol_tree *r, const int d, const hol_loop_element *l, double *A)
{
    const int n = hol_point_size(d);
    for (int i = 0; i < n * n; i++) A[i] = 0;
    for (int i = 0; i < 2; i++) {
        double G[6];
        if (l->end[i] < 0) continue;
        const double inverse = hol_inverse_mass(r, d, l->end[i], G);
        for (int c = 0; c < n; c++) A[c * (n + 1)] += inverse;
        add_turned(d, r->D + l->D + n * i, G, A);
    }
}

// ---- elements of any kind -----------------------------------------------------------------------------------------

// out = D u
HOL_INLINE void rows_times(const hol_tree *r, const int d, const hol_loop_element *l, const double *u,
                           double *out)
{
    const hol_element *e = hol_loop_joint(r, l);
    const double *D = r->D + l->D;
    for (int i = 0; i < l->rows; i++) {
        double x = 0;
        for (int b = 0; b < e->n_bodies; b++, D += d) {
            const double *w = u + (size_t)d * (size_t)r->place[e->body[b]];
            for (int c = 0; c < d; c++) x += D[c] * w[c];
        }
        out[i] = x;
    }
}

static void element_times(const hol_tree *r, const hol_loop_element *l, const double *u, double *out)
{
    HOL_SIZED(r->d, rows_times, r, l, u, out);
}

// f += D^T mu of a loop element with rows of its own; only: of one body.
HOL_INLINE void rows_force(const hol_tree *r, const int d, const hol_loop_element *l, const double *mu,
                           int only, double *f)
{
    const hol_element *e = hol_loop_joint(r, l);
    const double *D = r->D + l->D;
    for (int i = 0; i < l->rows; i++)
        for (int b = 0; b < e->n_bodies; b++, D += d) {
            const int j = r->place[e->body[b]];
            double *w = f + (size_t)d * (size_t)j;
            for (int c = 0; c < d && (only < 0 || j == only); c++) w[c] += mu[i] * D[c];
        }
}

static void element_force(const hol_tree *r, const hol_loop_element *l, const double *mu, int only, double *f)
{
    HOL_SIZED(r->d, rows_force, r, l, mu, only, f);
}

// Rows of an element that is no common point, by its Jacobian in twists.
static void set_element(hol_tree *r, const hol_state *x, const hol_loop_element *l)
{
    double B[HOL_MAX_ROWS * HOL_MAX_BODIES * HOL_TWIST], value[HOL_MAX_ROWS], gam[HOL_MAX_ROWS],
        time[HOL_MAX_ROWS];
    const hol_element *e = hol_loop_joint(r, l);
    const int width = e->n_bodies * r->d;
    hol_twist_rows(r->s->m, e, x, B, value, gam, time);
    for (int i = 0; i < l->rows; i++) {
        memcpy(r->D + l->D + i * width, B + l->row[i] * width, (size_t)width * sizeof *B);
        r->theta[l->first + i] = value[l->row[i]];
        r->tau[l->first + i] = gam[l->row[i]];
    }
    element_times(r, l, r->nu, r->rate + l->first);
    for (int i = 0; i < l->rows; i++) r->rate[l->first + i] += time[l->row[i]];
}

// Block D M^-1 D^T of an element with rows of its own.
static void element_block(const hol_tree *r, const hol_loop_element *l, double *A)
{
    const hol_element *e = hol_loop_joint(r, l);
    const int d = r->d, width = e->n_bodies * d;
    const double *D = r->D + l->D;
    double T[HOL_MAX_BODIES * HOL_TWIST];
    for (int i = 0; i < l->rows; i++) {
        for (int b = 0; b < e->n_bodies; b++) {
            double G[6];
            const double inverse = hol_inverse_mass(r, d, r->place[e->body[b]], G);
            inverse_times(d, inverse, G, D + i * width + b * d, T + b * d);
        }
        for (int p = i; p < l->rows; p++) {
            double x = 0;
            for (int c = 0; c < width; c++) x += D[p * width + c] * T[c];
            A[p * l->rows + i] = x;
        }
    }
}

// ---- all of them --------------------------------------------------------------------------------------------------

// Rows of one loop element at x, by its kind.
HOL_INLINE void set_loop(hol_tree *r, const hol_state *x, const hol_loop_element *l, const int what)
{
    if (l->turns)
        hol_joint_rows(r, x, l);
    else if (!l->point)
        set_element(r, x, l);
    else
        HOL_SIZED(r->d, set_point, r, x, l, what);
}

typedef struct { // what a pass over the loops needs of this
    hol_tree *r;
    const hol_state *x;
    const hol_regularization *c;
    int what;
    double factor;
    const double *mu, *u;
    double *out, *gain, *f;
} loops;

HOL_WIDE static void set_range(void *with, int from, int to)
{
    const loops *o = with;
    for (int k = from; k < to; k++) set_loop(o->r, o->x, &o->r->loop[k], o->what);
}

void hol_tree_set_loops(hol_tree *r, const hol_state *x)
{
    loops o = {.r = r, .x = x, .what = OPENINGS | BIAS};
    hol_tree_each_loop(r, set_range, &o);
}

HOL_INLINE void loop_times(const hol_tree *r, const hol_loop_element *l, const double *u, double *out)
{
    if (!l->point)
        element_times(r, l, u, out);
    else
        HOL_SIZED(r->d, point_times, r, l, u, out);
}

// What accelerations u miss in the rows: D u - tau.
static void miss_range(void *with, int from, int to)
{
    const loops *o = with;
    hol_tree *r = o->r;
    for (int k = from; k < to; k++) {
        const hol_loop_element *l = &r->loop[k];
        set_loop(r, o->x, l, BIAS);
        loop_times(r, l, o->u, o->out + l->first);
        for (int i = l->first; i < l->first + l->rows; i++) o->out[i] -= r->tau[i];
    }
}

void hol_tree_bend_loops(hol_tree *r, const hol_state *x, const double *u, double *b)
{
    loops o = {.r = r, .x = x, .what = BIAS, .u = u, .out = b};
    hol_tree_each_loop(r, u ? miss_range : set_range, &o);
}

static void times_range(void *with, int from, int to)
{
    const loops *o = with;
    for (int k = from; k < to; k++) {
        const hol_loop_element *l = &o->r->loop[k];
        loop_times(o->r, l, o->u, o->out + l->first);
    }
}

void hol_tree_loops_times(const hol_tree *r, const double *u, double *out)
{
    loops o = {.r = (hol_tree *)r, .u = u, .out = out};
    hol_tree_each_loop(r, times_range, &o);
}

// f += factor D^T mu of one loop element.
HOL_INLINE void loop_force(const hol_tree *r, const hol_loop_element *l, double factor, const double *mu,
                           int only, double *f)
{
    if (l->point) {
        HOL_SIZED(r->d, point_force, r, l, factor, mu + l->first, only, f);
        return;
    }
    double g[HOL_MAX_ROWS];
    for (int i = 0; i < l->rows; i++) g[i] = factor * mu[l->first + i];
    element_force(r, l, g, only, f);
}

// Each body's from its loops, in the order of these, as if one thread went from loop to loop.
static void gather_range(void *with, int from, int to)
{
    const loops *o = with;
    const hol_tree *r = o->r;
    for (int j = from; j < to; j++)
        for (int i = r->first_loop[j]; i < r->first_loop[j + 1]; i++)
            loop_force(r, &r->loop[r->loop_of[i]], o->factor, o->mu, j, o->f);
}

void hol_tree_loops_force(const hol_tree *r, double factor, const double *mu, double *f)
{
    loops o = {.r = (hol_tree *)r, .factor = factor, .mu = mu, .f = f};
    if (r->loop_of) {
        hol_tree_each(r, gather_range, &o);
        return;
    }
    for (int k = 0; k < r->n_loop_elements; k++) loop_force(r, &r->loop[k], factor, mu, -1, f);
}

#define DEPENDENT 1e-12 // a pivot this small against its row: the row depends on those before

// A = L P L^T in place, L with ones, the diagonal 1/P; 0 stands for a row that is left out.
HOL_INLINE void factor_block(const int n, double *A)
{
    for (int i = 0; i < n; i++) {
        const double before = A[i * n + i];
        double pivot = before;
        for (int p = 0; p < i; p++) {
            double x = A[i * n + p]; // P L so far
            for (int q = 0; q < p; q++) x -= A[i * n + q] * A[p * n + q];
            A[i * n + p] = x;
        }
        for (int p = 0; p < i; p++) {
            const double x = A[i * n + p];
            A[i * n + p] = x * A[p * n + p];
            pivot -= x * A[i * n + p];
        }
        A[i * n + i] = pivot > DEPENDENT * before ? 1 / pivot : 0;
    }
}

HOL_INLINE void solve_block(const int n, const double *A, double *z)
{
    for (int i = 0; i < n; i++)
        for (int p = 0; p < i; p++) z[i] -= A[i * n + p] * z[p];
    for (int i = n - 1; i >= 0; i--) {
        z[i] *= A[i * n + i];
        for (int p = i + 1; p < n; p++) z[i] -= A[p * n + i] * z[p];
    }
}

HOL_INLINE void factor_point(const hol_tree *r, const int d, const hol_loop_element *l, double *A)
{
    point_block(r, d, l, A);
    factor_block(hol_point_size(d), A);
}

// Blocks D M^-1 D^T of the loop elements, factored each on its own.
static void factor_range(void *with, int from, int to)
{
    const loops *o = with;
    hol_tree *r = o->r;
    for (int k = from; k < to; k++) {
        const hol_loop_element *l = &r->loop[k];
        double *A = r->block + l->block;
        if (l->point) {
            HOL_SIZED(r->d, factor_point, r, l, A);
        } else {
            element_block(r, l, A);
            factor_block(l->rows, A);
        }
    }
}

void hol_tree_factor_blocks(hol_tree *r)
{
    loops o = {.r = r};
    hol_tree_each_loop(r, factor_range, &o);
}

static void solve_range(void *with, int from, int to)
{
    const loops *o = with;
    for (int k = from; k < to; k++) {
        const hol_loop_element *l = &o->r->loop[k];
        solve_block(l->rows, o->r->block + l->block, o->out + l->first);
    }
}

void hol_tree_solve_blocks(const hol_tree *r, double *x)
{
    loops o = {.r = (hol_tree *)r, .out = x};
    hol_tree_each_loop(r, solve_range, &o);
}

void hol_tree_solve_half(const hol_tree *r, bool transposed, double *x)
{
    for (int k = 0; k < r->n_loop_elements; k++) {
        const hol_loop_element *l = &r->loop[k];
        const double *A = r->block + l->block;
        const int n = l->rows;
        double *z = x + l->first;
        for (int i = 0; i < n && !transposed; i++)
            for (int p = 0; p < i; p++) z[i] -= A[i * n + p] * z[p];
        for (int i = 0; i < n; i++) z[i] *= sqrt(A[i * n + i]);
        for (int i = n - 1; i >= 0 && transposed; i--)
            for (int p = i + 1; p < n; p++) z[i] -= A[p * n + i] * z[p];
    }
}

void hol_tree_operator(hol_tree *r, const double *x, double *u, double *out)
{
    memset(u, 0, (size_t)r->size.n * sizeof *u);
    hol_tree_loops_force(r, 1, x, u);
    hol_tree_apply(r, u, NULL, u);
    hol_tree_loops_times(r, u, out);
}

// ---- multipliers from the openings, (15.4) ------------------------------------------------------------------------

// g <- mu: what the multipliers gain, and are
HOL_INLINE void raise(const hol_regularization *c, const int n, double *mu, double *gain, double *g)
{
    const double inverse = 1 / c->eps;
    for (int i = 0; i < n; i++) {
        gain[i] = g[i] * inverse;
        mu[i] += gain[i];
        g[i] = -mu[i] - c->carry * gain[i];
    }
}

// g: the multipliers of the force.
HOL_INLINE void regularize_point(hol_tree *r, const int d, const hol_state *x, const hol_loop_element *l,
                                 const hol_regularization *c, double *mu, double *gain, double *g)
{
    const int n = hol_point_size(d);
    double A[9];
    set_point(r, d, x, l, OPENINGS);
    for (int i = 0; i < n; i++) g[i] = r->rate[l->first + i] + c->alpha * r->theta[l->first + i];
    if (c->scaled) {
        point_block(r, d, l, A);
        factor_block(n, A);
        solve_block(n, A, g);
    }
    raise(c, n, mu + l->first, gain + l->first, g);
}

// mu of the regularized loops (15.4), of an element with rows of its own.
static void regularize_element(hol_tree *r, const hol_state *x, const hol_loop_element *l,
                               const hol_regularization *c, double *mu, double *gain, double *g)
{
    double A[HOL_MAX_ROWS * HOL_MAX_ROWS];
    if (l->turns)
        hol_joint_rows(r, x, l);
    else
        set_element(r, x, l);
    for (int i = 0; i < l->rows; i++) g[i] = r->rate[l->first + i] + c->alpha * r->theta[l->first + i];
    if (c->scaled) {
        element_block(r, l, A);
        factor_block(l->rows, A);
        solve_block(l->rows, A, g);
    }
    raise(c, l->rows, mu + l->first, gain + l->first, g);
}

// The multipliers of the force in tau; one thread adds the force at once.
HOL_INLINE void regularize(const loops *o, const bool alone, int from, int to)
{
    hol_tree *r = o->r;
    for (int k = from; k < to; k++) {
        const hol_loop_element *l = &r->loop[k];
        double *g = r->tau + l->first;
        if (!l->point)
            regularize_element(r, o->x, l, o->c, o->out, o->gain, g);
        else
            HOL_SIZED(r->d, regularize_point, r, o->x, l, o->c, o->out, o->gain, g);
        if (alone) loop_force(r, l, 1, r->tau, -1, r->f);
    }
}

static void regularize_range(void *with, int from, int to) { regularize(with, false, from, to); }

void hol_tree_regularize(hol_tree *r, const hol_state *x, const hol_regularization *c, double *mu,
                         double *gain)
{
    loops o = {.r = r, .x = x, .c = c, .out = mu, .gain = gain};
    if (!r->loop_of) {
        regularize(&o, true, 0, r->n_loop_elements);
        return;
    }
    hol_tree_each_loop(r, regularize_range, &o);
    hol_tree_loops_force(r, 1, r->tau, r->f);
}

double hol_tree_loop_norm(const hol_tree *r, const double *x)
{
    return hol_team_largest(r->s->team, r->size.n_loops, x, NULL, r->row_size);
}
