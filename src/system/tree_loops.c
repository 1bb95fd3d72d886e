// Rows of the loops: values, products with D and D^T, blocks of D M^-1 D^T. docs/theory.md, section 14.5.
#include "system/tree_data.h"
#include "system/tree_frames.h"

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

// Rows [I -s~] (2D: [1 0 -s_y; 0 1 s_x]) with a sign.
static void put_point(int d, const double *s, double sign, int stride, double *D)
{
    const int n = d == 6 ? 3 : 2;
    for (int i = 0; i < n; i++)
        for (int c = 0; c < d; c++) D[i * stride + c] = sign * (i == c);
    if (d == 3) {
        D[2] = -sign * s[1], D[stride + 2] = sign * s[0];
        return;
    }
    D[4] = sign * s[2], D[5] = -sign * s[1];
    D[stride + 3] = -sign * s[2], D[stride + 5] = sign * s[0];
    D[2 * stride + 3] = sign * s[1], D[2 * stride + 4] = -sign * s[0];
}

static void set_point(hol_recursion *r, const hol_state *x, const hol_loop_element *l)
{
    point p[2];
    const int stride = l->n_bodies * r->d;
    for (int i = 0; i < 2; i++) point_of(r, x, l->end[i], l->s[i], &p[i]);
    for (int i = 0; i < l->rows; i++) {
        r->theta[l->first + i] = p[1].at[i] - p[0].at[i];
        r->theta_t[l->first + i] = 0;
        r->tau[l->first + i] = p[0].bend[i] - p[1].bend[i];
    }
    for (int i = 0; i < 2; i++)
        for (int b = 0; b < l->n_bodies; b++)
            if (l->body[b] == l->end[i])
                put_point(r->d, p[i].arm, i ? 1 : -1, stride, r->D + l->D + b * r->d);
}

void hol_recursion_set_loops(hol_recursion *r, const hol_state *x)
{
    for (int k = 0; k < r->n_loop_elements; k++) {
        const hol_loop_element *l = &r->loop[k];
        if (l->point) {
            set_point(r, x, l);
            continue;
        }
        double B[HOL_MAX_ROWS * HOL_MAX_BODIES * HOL_TWIST], value[HOL_MAX_ROWS], gam[HOL_MAX_ROWS],
            time[HOL_MAX_ROWS];
        const int width = l->n_bodies * r->d;
        hol_twist_rows(r, l->e, x, B, value, gam, time);
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
        for (int i = 0; i < l->rows; i++) {
            const double x = factor * mu[l->first + i];
            for (int b = 0; b < l->n_bodies; b++, D += d) {
                double *w = f + (size_t)d * (size_t)l->body[b];
                for (int c = 0; c < d; c++) w[c] += x * D[c];
            }
        }
    }
}

// out = M^-1 f of one body. What has no inertia does not move.
static void own_solve(const hol_recursion *r, int j, const double *f, double *out)
{
    const hol_link *l = &r->link[j];
    const double inverse = l->m > 0 ? 1 / l->m : 0;
    out[0] = inverse * f[0], out[1] = inverse * f[1];
    if (r->d == 3) {
        out[2] = l->J[8] > 0 ? f[2] / l->J[8] : 0;
        return;
    }
    out[2] = inverse * f[2];
    const double *J = r->frame6[j].J; // by cofactors
    const double a = J[3] * J[5] - J[4] * J[4], b = J[2] * J[4] - J[1] * J[5], c = J[1] * J[4] - J[2] * J[3];
    const double det = J[0] * a + J[1] * b + J[2] * c, g = det > 0 ? 1 / det : 0;
    const double I[6] = {
        a, b, c, J[0] * J[5] - J[2] * J[2], J[1] * J[2] - J[0] * J[4], J[0] * J[3] - J[1] * J[1]};
    hol_sym3(I, f + 3, out + 3);
    for (int i = 3; i < 6; i++) out[i] *= g;
}

void hol_recursion_mass_solve(const hol_recursion *r, const double *f, double *out)
{
    for (int j = 0; j < r->n_bodies; j++)
        own_solve(r, j, f + (size_t)r->d * (size_t)j, out + (size_t)r->d * (size_t)j);
}

#define DEPENDENT 1e-12 // a pivot this small against its row: the row depends on those before

void hol_recursion_factor_blocks(hol_recursion *r)
{
    const int d = r->d;
    for (int k = 0; k < r->n_loop_elements; k++) {
        const hol_loop_element *l = &r->loop[k];
        const int n = l->rows, width = l->n_bodies * d;
        const double *D = r->D + l->D;
        double *L = r->D + l->block, T[HOL_MAX_ROWS * HOL_MAX_BODIES * HOL_TWIST];
        for (int i = 0; i < n; i++)
            for (int b = 0; b < l->n_bodies; b++)
                own_solve(r, l->body[b], D + i * width + b * d, T + i * width + b * d);
        for (int i = 0; i < n; i++) { // Cholesky; a pivot of 0 stands for a row that is left out
            for (int p = 0; p <= i; p++) {
                double x = 0;
                for (int c = 0; c < width; c++) x += D[i * width + c] * T[p * width + c];
                const double before = x;
                for (int q = 0; q < p; q++) x -= L[i * n + q] * L[p * n + q];
                if (p < i)
                    L[i * n + p] = L[p * n + p] > 0 ? x / L[p * n + p] : 0;
                else
                    L[i * n + i] = x > DEPENDENT * before ? sqrt(x) : 0;
            }
        }
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
            z[i] = L[i * n + i] > 0 ? z[i] / L[i * n + i] : 0;
        }
        for (int i = n - 1; i >= 0; i--) {
            for (int p = i + 1; p < n; p++) z[i] -= L[p * n + i] * z[p];
            z[i] = L[i * n + i] > 0 ? z[i] / L[i * n + i] : 0;
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
    int k = 0;
    while (i >= r->loop[k].first + r->loop[k].rows) k++;
    *row = r->loop[k].row[i - r->loop[k].first];
    return r->loop[k].e;
}
