// Gauss-Newton on the joints, pose by pose: what they ask holds, and of what is left free the measures come as near as they can.
#include "analysis/fit_motion.h"
#include "linalg/dense.h"
#include "system/initial.h"
#include "linalg/vector.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_TURNS = 60, MOST_COORDINATES = 1500 };
#define INDEPENDENT 1e-9 // of rows, against the largest
#define FARTHEST 0.3     // natural sizes in one step
#define SETTLED 1e-12    // the last one

typedef struct {
    hol_context *ctx;
    hol_fit_motion *f;
    hol_equations *s;
    hol_state x;
    hol_dense_qr joints, measures; // of rows as columns, by natural sizes
    char *asked;                   // rows of measures, 1                                 (nc)
    double *phi, *still, *along;   //                                                     (nc)
    double *way;                   //                                                     (nq)
    double *rows, *asks;           // of the joints, (nq x own), and of measures, (nq x n)
    double *N, *J, *b, *step;      // (nq x nq), (n x nq), (nq + n), (nq)
    int own, d;
} fit;

static double *column(double *a, int j, int rows) { return a + (size_t)j * (size_t)rows; }

static int row_of(const fit *t, int k) { return t->s->m->element[t->f->element[k]].row; }

// Rows as they are at the pose, by natural sizes of coordinates and of rows; those of measures by their weights.
static void find_rows(fit *t)
{
    hol_equations *s = t->s;
    const int nq = s->nq, nc = s->m->nc;
    hol_equations_residual(s, &t->x, NULL, t->phi);
    hol_equations_phi_t_all(s, t->x.t, t->x.q, t->still);
    memset(t->way, 0, (size_t)nq * sizeof *t->way);
    for (int i = 0; i < nq; i++) {
        t->way[i] = s->q_size[i];
        hol_equations_phi_dot_all(s, t->x.t, t->x.q, t->way, t->along);
        t->way[i] = 0;
        for (int r = 0, own = 0; r < nc; r++)
            if (!t->asked[r]) column(t->rows, own++, nq)[i] = (t->along[r] - t->still[r]) / s->row_size[r];
        for (int k = 0; k < t->f->n; k++) {
            const int r = row_of(t, k);
            column(t->asks, k, nq)[i] = sqrt(t->f->weight[k]) * (t->along[r] - t->still[r]) / s->row_size[r];
        }
    }
}

// step: of least norm that closes the joints, by natural sizes; N: what they leave free.
static hol_status close_joints(fit *t)
{
    const hol_equations *s = t->s;
    const int nq = s->nq, own = t->own;
    int rank;
    hol_status st = hol_dense_qr_factor(t->ctx, &t->joints, nq, own, t->rows, INDEPENDENT);
    t->d = nq - t->joints.rank;
    if (!st) st = hol_dense_qr_null_space(t->ctx, &t->joints, t->N);
    for (int r = 0, o = 0; r < s->m->nc; r++)
        if (!t->asked[r]) t->b[o++] = -t->phi[r] / s->row_size[r];
    for (int o = 0; o < own; o++) // as rows
        for (int i = 0; i < nq; i++) t->J[(size_t)i * (size_t)own + (size_t)o] = column(t->rows, o, nq)[i];
    if (!st) st = hol_dense_least_norm(t->ctx, own, nq, t->J, t->b, INDEPENDENT, &rank);
    if (!st) memcpy(t->step, t->b, (size_t)nq * sizeof *t->step);
    return st;
}

// And goes on among what is free to where measures are the nearest. HOL_RECOVERABLE: they leave a motion free.
static hol_status come_near(fit *t)
{
    const int nq = t->s->nq, n = t->f->n, d = t->d;
    int rank;
    for (int k = 0; k < n; k++) {
        const double *ask = column(t->asks, k, nq);
        const int r = row_of(t, k);
        for (int j = 0; j < d; j++) column(t->J, j, n)[k] = hol_vector_dot(nq, ask, column(t->N, j, nq));
        t->b[k] = -sqrt(t->f->weight[k]) * t->phi[r] / t->s->row_size[r] - hol_vector_dot(nq, ask, t->step);
    }
    const hol_status st = hol_dense_least_norm(t->ctx, n, d, t->J, t->b, INDEPENDENT, &rank);
    if (st || rank < d) return st ? st : HOL_RECOVERABLE;
    for (int j = 0; j < d; j++)
        for (int i = 0; i < nq; i++) t->step[i] += t->b[j] * column(t->N, j, nq)[i];
    return HOL_OK;
}

// The pose at the state's time, from the one there is.
static hol_status find_pose(fit *t)
{
    hol_equations *s = t->s;
    double size = HOL_INF;
    for (int turn = 0; turn < MOST_TURNS; turn++) {
        const double last = size;
        find_rows(t);
        hol_status st = close_joints(t);
        if (!st) st = come_near(t);
        if (st) return st;
        size = 0;
        for (int i = 0; i < s->nq; i++) size = fmax(size, fabs(t->step[i]));
        if (!isfinite(size)) break;
        if (size <= SETTLED || (size < 1e-8 && size > 0.5 * last))
            return HOL_OK; // rounding, or what they contradict each other by
        const double part = fmin(1, FARTHEST / size);
        for (int i = 0; i < s->nq; i++) t->x.q[i] += part * t->step[i] * s->q_size[i];
        hol_equations_remember(s, &t->x);
    }
    return HOL_RECOVERABLE;
}

// What measures are above what is asked: (3.8) has half angles in space.
static void take_off(fit *t, int moment)
{
    hol_equations_residual(t->s, &t->x, NULL, t->phi);
    for (int k = 0; k < t->f->n; k++) {
        const hol_element *e = &t->s->m->element[t->f->element[k]];
        const double phi = t->phi[e->row];
        const bool half = t->s->m->dimension == 3 && strcmp(e->type->name, "angle") == 0;
        column(t->f->off, moment, t->f->n)[k] = half ? 2 * asin(fmax(-1, fmin(1, phi / 2))) : phi;
    }
}

// The measures that tell the motions the best, at the first pose.
static hol_status choose(fit *t)
{
    const int nq = t->s->nq, n = t->f->n, d = t->d;
    for (int k = 0; k < n; k++)
        for (int j = 0; j < d; j++)
            column(t->J, k, d)[j] = hol_vector_dot(nq, column(t->asks, k, nq), column(t->N, j, nq));
    const hol_status st = hol_dense_qr_factor(t->ctx, &t->measures, d, n, t->J, INDEPENDENT);
    if (st || t->measures.rank < d) return st ? st : HOL_RECOVERABLE;
    memset(t->f->chosen, 0, (size_t)n);
    for (int j = 0; j < d; j++) t->f->chosen[t->measures.pivot[j]] = 1;
    t->f->motions = d;
    return HOL_OK;
}

// Room by the sizes of the model.
static hol_status make_room(fit *t, const hol_model_data *m)
{
    const size_t nq = (size_t)m->nq, n = (size_t)t->f->n, own = (size_t)t->own, nc = (size_t)m->nc,
                 most = own > n ? own : n;
    t->asked = hol_calloc(t->ctx, nc + 1, 1);
    t->phi =
        hol_calloc(t->ctx, 3 * nc + 2 * nq + nq * own + nq * n + nq * nq + (nq + 1) * (most + 1) + nq + most,
                   sizeof *t->phi);
    if (!t->asked || !t->phi) return HOL_ERR_MEMORY;
    t->still = t->phi + nc;
    t->along = t->still + nc;
    t->way = t->along + nc;
    t->step = t->way + nq;
    t->rows = t->step + nq;
    t->asks = t->rows + nq * own;
    t->N = t->asks + nq * n;
    t->J = t->N + nq * nq;
    t->b = t->J + (nq + 1) * (most + 1);
    for (int k = 0; k < t->f->n; k++) t->asked[m->element[t->f->element[k]].row] = 1;
    const hol_status st = hol_dense_qr_create(t->ctx, &t->joints, m->nq, t->own + 1);
    return st ? st : hol_dense_qr_create(t->ctx, &t->measures, m->nq, t->f->n);
}

hol_status hol_fit_motion_find(hol_context *ctx, const hol_model_data *m, hol_fit_motion *f)
{
    fit t = {.ctx = ctx, .f = f, .own = m->nc - f->n};
    if (m->nq > MOST_COORDINATES || m->nq - m->nc >= 0) return HOL_RECOVERABLE;
    t.s = hol_equations_create(ctx, m, NULL);
    hol_status st = t.s ? hol_start_state(t.s, &t.x) : HOL_ERR_MEMORY;
    if (!st) st = make_room(&t, m);
    for (int i = 0; i < f->n_times && !st; i++) {
        t.x.t = f->time[i];
        st = find_pose(&t);
        if (!st) take_off(&t, i);
        if (!st && i == 0) st = t.d < f->n ? choose(&t) : HOL_RECOVERABLE;
    }
    hol_dense_qr_destroy(&t.measures);
    hol_dense_qr_destroy(&t.joints);
    hol_free(t.phi);
    hol_free(t.asked);
    hol_state_destroy(&t.x);
    hol_equations_destroy(t.s);
    return st;
}
