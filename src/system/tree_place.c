// A body at a time, by Levenberg and Marquardt's steps in its own coordinates:
//
//     (sum J^T R^-2 J + delta E^-2) dq = - sum J^T R^-2 phi       over the rows of the joints with its father
#include "system/tree_place.h"

#include "linalg/dense.h"
#include "system/forest.h"

#include <math.h>
#include <string.h>

enum { MOST_STEPS = 60, TRIES = 4, N = 7 };
#define CLOSED 1e-9 // rows by natural size
#define FIRST 1e-2  // delta
#define MOST 1e6

void hol_turn_body(const hol_model_data *m, int body, double angle, hol_random *dice, double *q)
{
    const hol_body *b = &m->body[body];
    double *p = q + b->q + 3, turn[4] = {cos(angle / 2)}, sum = 0;
    if (b->frame == HOL_FRAME_PLANAR) q[b->q + 2] += angle;
    if (b->frame != HOL_FRAME_SPATIAL) return;
    for (int i = 1; i < 4; i++) {
        turn[i] = hol_random_uniform(dice);
        sum += turn[i] * turn[i];
    }
    for (int i = 1; i < 4; i++) turn[i] *= sin(angle / 2) / sqrt(sum > 0 ? sum : 1);
    hol_quat_multiply(turn, p, p);
}

// The rows of an element by natural size in one body's coordinates, added to A (N x N), g (N); the sum of squares.
static double add_rows(const hol_equations *s, const hol_element *e, int body, const hol_state *x, double *A,
                       double *g)
{
    const hol_model_data *m = s->m;
    hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], phi[HOL_MAX_ROWS], J[HOL_MAX_ROWS * HOL_MAX_Y];
    double sum = 0;
    int at = 0;
    if (!e->n_rows) return 0;
    for (int i = 0; i < e->n_bodies && e->body[i] != body; i++) at += m->body[e->body[i]].size;
    hol_element_gather(m, e, x->t, x->q, NULL, 0, y, w);
    e->type->phi(e->data, e->ny, y, x->mem + e->mem, phi, J);
    for (int i = 0; i < e->n_rows; i++) {
        const double size = hol_model_row_size(m, e->row + i), r = hol_re(phi[i]) / size;
        const hol_real *row = J + i * e->ny + at;
        sum += r * r;
        for (int k = 0; k < m->body[body].size; k++) {
            g[k] -= hol_re(row[k]) / size * r;
            for (int l = 0; l < m->body[body].size; l++)
                A[k + l * N] += hol_re(row[k]) * hol_re(row[l]) / (size * size);
        }
    }
    return sum;
}

// The same of all joints with the father, and of the body itself, whose Euler parameters have a length.
static double add_all(const hol_equations *s, const hol_forest *f, int body, const hol_state *x, double *A,
                      double *g)
{
    memset(A, 0, N * N * sizeof *A);
    memset(g, 0, N * sizeof *g);
    double sum = add_rows(s, &s->m->element[body], body, x, A, g);
    for (int i = f->first[body]; i < f->first[body + 1]; i++)
        sum += add_rows(s, &s->m->element[f->tie[i]], body, x, A, g);
    return sum;
}

// (A + delta E^-2) step = g, both of n; false: singular.
static bool solve(const hol_equations *s, int q, int n, const double *A, const double *g, double delta,
                  double *step)
{
    double a[N * N];
    int pivot[N];
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) a[i + j * n] = A[i + j * N];
        a[j + j * n] += delta / (s->q_size[q + j] * s->q_size[q + j]);
        step[j] = g[j];
    }
    return hol_dense_lu_factor(s->ctx, n, a, pivot) == HOL_OK &&
           hol_dense_lu_solve(s->ctx, n, a, pivot, false, 1, step) == HOL_OK;
}

// What remains of the joints with the father, as a sum of squares.
static double fit(const hol_equations *s, const hol_forest *f, int body, hol_state *x)
{
    const int q = s->m->body[body].q, n = s->m->body[body].size;
    double A[N * N], g[N], step[N], from[N], delta = FIRST, open = add_all(s, f, body, x, A, g);
    for (int i = 0; i < MOST_STEPS && open > CLOSED * CLOSED && delta < MOST; i++) {
        memcpy(from, x->q + q, (size_t)n * sizeof *from);
        const bool found = solve(s, q, n, A, g, delta, step);
        for (int k = 0; k < n && found; k++) x->q[q + k] += step[k];
        const double next = found ? add_all(s, f, body, x, A, g) : HOL_INF;
        if (next < open) {
            open = next;
            delta /= 5;
            continue;
        }
        memcpy(x->q + q, from, (size_t)n * sizeof *from);
        open = add_all(s, f, body, x, A, g);
        delta *= 4;
    }
    return open;
}

// The first joint's ends come to one place.
static void join(const hol_equations *s, const hol_forest *f, int body, hol_state *x)
{
    const hol_model_data *m = s->m;
    for (int i = f->first[body]; i < f->first[body + 1]; i++) {
        const hol_element *e = &m->element[f->tie[i]];
        hol_real y[HOL_MAX_Y], w[HOL_MAX_Y];
        hol_feature end[2];
        if (e->n_ends != 2 || !e->n_rows) continue;
        hol_element_gather(m, e, x->t, x->q, NULL, 0, y, w);
        for (int k = 0; k < 2; k++) hol_feature_eval(e->end[k].marker, HOL_ORIGIN, y, NULL, 0, &end[k]);
        const int own = e->end[1].body == body;
        for (int k = 0; k < m->dimension && hol_model_is_length(m, body, k); k++)
            x->q[m->body[body].q + k] += hol_re(end[!own].f[k] - end[own].f[k]);
        return;
    }
}

hol_status hol_place_along_tree(hol_equations *s, hol_state *x, hol_random *dice)
{
    hol_forest f = {0};
    hol_status st = hol_dense_ready(s->ctx);
    if (!st) st = hol_forest_create(s->ctx, s->m, x->q, &f);
    for (int i = 0; i < s->m->n_bodies && !st; i++) {
        const int b = f.order[i];
        double best[N], least = HOL_INF;
        for (int k = 0; k < TRIES && least > CLOSED; k++) {
            if (k) hol_turn_body(s->m, b, HOL_PI * hol_random_uniform(dice), dice, x->q);
            join(s, &f, b, x);
            const double open = fit(s, &f, b, x);
            if (!(open < least)) continue;
            least = open;
            memcpy(best, x->q + s->m->body[b].q, (size_t)s->m->body[b].size * sizeof *best);
        }
        if (least < HOL_INF) memcpy(x->q + s->m->body[b].q, best, (size_t)s->m->body[b].size * sizeof *best);
    }
    hol_forest_destroy(&f);
    return st;
}
