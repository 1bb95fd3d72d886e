// Rows of the loops: values, products with D and D^T, blocks of D M^-1 D^T. docs/theory.md, section 14.5.
#include "recursion/data.h"
#include "recursion/frames.h"

#include <math.h>
#include <string.h>

// A point of a body (place -1: ground): arm in global axes, position, velocity, and w x (w x arm).
typedef struct {
    double arm[3], at[3], v[3], bend[3];
} point;

static void point_of(const hol_recursion *r, const hol_state *x, int j, const double *s, point *o)
{
    const int d = r->d;
    memset(o, 0, sizeof *o);
    if (j < 0) {
        memcpy(o->at, s, sizeof o->at);
        return;
    }
    const double *nu = r->nu + (size_t)d * (size_t)j, *q = x->q + r->link[j].q;
    if (d == 3) {
        const hol_frame3 *f = &r->frame3[j];
        const double w = nu[2];
        o->arm[0] = f->c * s[0] - f->s * s[1], o->arm[1] = f->s * s[0] + f->c * s[1];
        o->v[0] = nu[0] - w * o->arm[1], o->v[1] = nu[1] + w * o->arm[0];
        for (int i = 0; i < 2; i++) o->at[i] = q[i] + o->arm[i], o->bend[i] = -w * w * o->arm[i];
        return;
    }
    double t[3];
    hol_turn3(r->frame6[j].R, s, o->arm);
    hol_cross3(nu + 3, o->arm, t);
    hol_cross3(nu + 3, t, o->bend);
    for (int i = 0; i < 3; i++) o->at[i] = q[i] + o->arm[i], o->v[i] = nu[i] + t[i];
}

// ---- points held together: D = [I -arm~] of the second body, its opposite of the first; arms stand in place of D -----

static void set_point(hol_recursion *r, const hol_state *x, const hol_loop_element *l)
{
    point p[2];
    for (int i = 0; i < 2; i++) {
        point_of(r, x, l->end[i], l->s[i], &p[i]);
        memcpy(r->D + l->D + 3 * i, p[i].arm, sizeof p[i].arm);
    }
    for (int i = 0; i < l->rows; i++) {
        r->theta[l->first + i] = p[1].at[i] - p[0].at[i];
        r->theta_t[l->first + i] = 0;
        r->tau[l->first + i] = p[0].bend[i] - p[1].bend[i];
    }
}

static void point_times(const hol_recursion *r, const hol_loop_element *l, const double *u, double *out)
{
    double v[2][3] = {{0}}, t[3];
    for (int i = 0; i < 2; i++) {
        if (l->end[i] < 0) continue;
        const double *arm = r->D + l->D + 3 * i, *w = u + (size_t)r->d * (size_t)l->end[i];
        if (r->d == 3) {
            v[i][0] = w[0] - w[2] * arm[1], v[i][1] = w[1] + w[2] * arm[0];
            continue;
        }
        hol_cross3(w + 3, arm, t);
        for (int c = 0; c < 3; c++) v[i][c] = w[c] + t[c];
    }
    for (int c = 0; c < l->rows; c++) out[l->first + c] = v[1][c] - v[0][c];
}

static void point_force(const hol_recursion *r, const hol_loop_element *l, double factor, const double *mu,
                        double *f)
{
    double g[3] = {0}, t[3];
    for (int i = 0; i < 2; i++) {
        if (l->end[i] < 0) continue;
        const double *arm = r->D + l->D + 3 * i, sign = i ? factor : -factor;
        double *h = f + (size_t)r->d * (size_t)l->end[i];
        for (int c = 0; c < l->rows; c++) h[c] += g[c] = sign * mu[l->first + c];
        if (r->d == 3) {
            h[2] += arm[0] * g[1] - arm[1] * g[0];
            continue;
        }
        hol_cross3(arm, g, t);
        for (int c = 0; c < 3; c++) h[3 + c] += t[c];
    }
}

// ---- all elements -----------------------------------------------------------------------------------------------

void hol_recursion_set_loops(hol_recursion *r, const hol_state *x)
{
    for (int k = 0; k < r->n_loop_elements; k++) {
        const hol_loop_element *l = &r->loop[k];
        if (l->point) { // closed form
            set_point(r, x, l);
            continue;
        }
        double B[HOL_MAX_ROWS * HOL_MAX_BODIES * HOL_TWIST], value[HOL_MAX_ROWS], gam[HOL_MAX_ROWS],
            time[HOL_MAX_ROWS];
        const int width = l->n_bodies * r->d;
        hol_twist_rows(r->s->m, l->e, x, B, value, gam, time);
        for (int i = 0; i < l->rows; i++) {
            memcpy(r->D + l->D + i * width, B + l->row[i] * width, (size_t)width * sizeof *B);
            r->theta[l->first + i] = value[l->row[i]];
            r->theta_t[l->first + i] = time[l->row[i]];
            r->tau[l->first + i] = gam[l->row[i]];
        }
    }
}

void hol_recursion_loops_times(const hol_recursion *r, const double *u, double *out)
{
    const int d = r->d;
    for (int k = 0; k < r->n_loop_elements; k++) {
        const hol_loop_element *l = &r->loop[k];
        const double *D = r->D + l->D;
        if (l->point) {
            point_times(r, l, u, out);
            continue;
        }
        for (int i = 0; i < l->rows; i++) {
            double sum = 0;
            for (int b = 0; b < l->n_bodies; b++, D += d) {
                const double *w = u + (size_t)d * (size_t)l->body[b];
                for (int c = 0; c < d; c++) sum += D[c] * w[c];
            }
            out[l->first + i] = sum;
        }
    }
}

void hol_recursion_loops_force(const hol_recursion *r, double factor, const double *mu, double *f)
{
    const int d = r->d;
    for (int k = 0; k < r->n_loop_elements; k++) {
        const hol_loop_element *l = &r->loop[k];
        const double *D = r->D + l->D;
        if (l->point) {
            point_force(r, l, factor, mu, f);
            continue;
        }
        for (int i = 0; i < l->rows; i++) {
            const double x = factor * mu[l->first + i];
            for (int b = 0; b < l->n_bodies; b++, D += d) {
                double *w = f + (size_t)d * (size_t)l->body[b];
                for (int c = 0; c < d; c++) w[c] += x * D[c];
            }
        }
    }
}

// M^-1 of one body: of the mass, and of the inertia, in space xx xy xz yy yz zz. What has no inertia does not move.
static double inverse_mass(const hol_recursion *r, int j, double *G)
{
    const hol_link *l = &r->link[j];
    if (r->d == 3) {
        G[0] = l->J[8] > 0 ? 1 / l->J[8] : 0;
    } else {
        const double *J = r->frame6[j].J; // by cofactors
        const double a = J[3] * J[5] - J[4] * J[4], b = J[2] * J[4] - J[1] * J[5],
                     c = J[1] * J[4] - J[2] * J[3];
        const double det = J[0] * a + J[1] * b + J[2] * c, g = det > 0 ? 1 / det : 0;
        G[0] = g * a, G[1] = g * b, G[2] = g * c;
        G[3] = g * (J[0] * J[5] - J[2] * J[2]), G[4] = g * (J[1] * J[2] - J[0] * J[4]);
        G[5] = g * (J[0] * J[3] - J[1] * J[1]);
    }
    return l->m > 0 ? 1 / l->m : 0;
}

static void own_solve(const hol_recursion *r, int j, const double *f, double *out)
{
    double G[6];
    const double inverse = inverse_mass(r, j, G);
    out[0] = inverse * f[0], out[1] = inverse * f[1];
    if (r->d == 3) {
        out[2] = G[0] * f[2];
        return;
    }
    out[2] = inverse * f[2];
    hol_sym3(G, f + 3, out + 3);
}

void hol_recursion_mass_solve(const hol_recursion *r, const double *f, double *out)
{
    for (int j = 0; j < r->n_bodies; j++)
        own_solve(r, j, f + (size_t)r->d * (size_t)j, out + (size_t)r->d * (size_t)j);
}

#define DEPENDENT 1e-12 // a pivot this small against its row: the row depends on those before

// D M^-1 D^T, lower triangle
static void general_block(const hol_recursion *r, const hol_loop_element *l, double *A)
{
    const int d = r->d, width = l->n_bodies * d;
    const double *D = r->D + l->D;
    double T[HOL_MAX_BODIES * HOL_TWIST];
    for (int i = 0; i < l->rows; i++) {
        for (int b = 0; b < l->n_bodies; b++) own_solve(r, l->body[b], D + i * width + b * d, T + b * d);
        for (int p = i; p < l->rows; p++) {
            double x = 0;
            for (int c = 0; c < width; c++) x += D[p * width + c] * T[c];
            A[p * l->rows + i] = x;
        }
    }
}

// The same: I/m + arm~ J^-1 arm~^T of both ends.
static void point_block(const hol_recursion *r, const hol_loop_element *l, double *A)
{
    const int n = l->rows;
    memset(A, 0, (size_t)(n * n) * sizeof *A);
    for (int i = 0; i < 2; i++) {
        const double *a = r->D + l->D + 3 * i;
        double G[6];
        if (l->end[i] < 0) continue;
        const double inverse = inverse_mass(r, l->end[i], G);
        for (int c = 0; c < n; c++) A[c * (n + 1)] += inverse;
        if (r->d == 3) {
            A[0] += a[1] * a[1] * G[0], A[2] -= a[0] * a[1] * G[0], A[3] += a[0] * a[0] * G[0];
            continue;
        }
        const double turn[3][3] = {{0, a[2], -a[1]}, {-a[2], 0, a[0]}, {a[1], -a[0], 0}};
        for (int c = 0; c < 3; c++) {
            double g[3];
            hol_sym3(G, turn[c], g);
            for (int p = c; p < 3; p++) A[p * 3 + c] += hol_dot3(turn[p], g);
        }
    }
}

// Cholesky factor in place, its diagonal inverted; a pivot of 0 stands for a row that is left out.
HOL_INLINE void factor_block(const int n, double *L)
{
    for (int i = 0; i < n; i++)
        for (int p = 0; p <= i; p++) {
            const double before = L[i * n + p];
            double x = before;
            for (int q = 0; q < p; q++) x -= L[i * n + q] * L[p * n + q];
            if (p < i)
                L[i * n + p] = x * L[p * n + p];
            else
                L[i * n + i] = x > DEPENDENT * before ? 1 / sqrt(x) : 0;
        }
}

void hol_recursion_factor_blocks(hol_recursion *r)
{
    for (int k = 0; k < r->n_loop_elements; k++) {
        const hol_loop_element *l = &r->loop[k];
        double *L = r->D + l->block;
        if (!l->point) {
            general_block(r, l, L);
            factor_block(l->rows, L);
            continue;
        }
        point_block(r, l, L);
        if (r->d == 3) // sizes that the compiler knows
            factor_block(2, L);
        else
            factor_block(3, L);
    }
}

void hol_recursion_solve_blocks(const hol_recursion *r, double *x)
{
    for (int k = 0; k < r->n_loop_elements; k++) {
        const hol_loop_element *l = &r->loop[k];
        const double *L = r->D + l->block;
        const int n = l->rows;
        double *z = x + l->first;
        for (int i = 0; i < n; i++) {
            for (int p = 0; p < i; p++) z[i] -= L[i * n + p] * z[p];
            z[i] *= L[i * n + i];
        }
        for (int i = n - 1; i >= 0; i--) {
            for (int p = i + 1; p < n; p++) z[i] -= L[p * n + i] * z[p];
            z[i] *= L[i * n + i];
        }
    }
}

void hol_recursion_operator(hol_recursion *r, double *x)
{
    memset(r->step, 0, (size_t)r->size.n * sizeof *r->step);
    hol_recursion_loops_force(r, 1, x, r->step);
    hol_recursion_apply(r, r->step, NULL, r->step);
    hol_recursion_loops_times(r, r->step, x);
}

const double *hol_recursion_theta(const hol_recursion *r) { return r->theta; }
const double *hol_recursion_theta_t(const hol_recursion *r) { return r->theta_t; }
const double *hol_recursion_theta_tau(const hol_recursion *r) { return r->tau; }

const hol_element *hol_recursion_loop_row(const hol_recursion *r, int i, int *row)
{
    int k = 0, end = r->n_loop_elements; // the last with first <= i has rows: the next begins behind i
    while (end - k > 1) {
        const int middle = k + (end - k) / 2;
        if (r->loop[middle].first <= i)
            k = middle;
        else
            end = middle;
    }
    *row = r->loop[k].row[i - r->loop[k].first];
    return r->loop[k].e;
}
