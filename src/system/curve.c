// The curve of poses y(s), followed by its arc length s (docs/theory.md, section 19.2):
//
//     Phi(y) = 0,   Phi_y z = 0,   |z| = 1        y = q, or (q, t), in natural sizes                                (19.3)
//     y1 = y + ds z,   [Phi_y; z^T] dy = -[Phi; 0]  until Phi = 0                                                 (19.4)
//
// Where what drives the mechanism comes to a dead centre, its slope along the curve goes through 0; the place is found by secants.
#include "system/curve.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_CORRECTIONS = 8, MOST_SECANTS = 40 };
#define CLOSED 1e-15 // residual by natural size at which no more is to be gained
#define HOLDS 1e-12  // and that a pose may have
#define ALONG 0.94   // cosine of the angle between tangents of one step: 20 degrees
#define RANK 1e-10   // diagonal of R against the largest: fewer motions than one
#define PROBE 1e-4   // first step of the secants, in natural sizes
#define FLAT 1e-14   // slope of a dead centre

static double size_of(const hol_curve *c, int i)
{
    return i < c->s->nq ? c->s->q_size[i] : c->s->m->time_scale;
}

// Row of the curve's equations for a row in use; -1: it is let go.
static int place_of(const hol_curve *c, int row)
{
    return row == c->free ? -1 : row - (c->free >= 0 && row > c->free);
}

// Phi_y of all rows in use by columns of J (m x n), in natural sizes; that of the row that is let go in let_go (n).
static void fill(hol_curve *c, const hol_state *x, double *J, double *let_go)
{
    hol_equations *s = c->s;
    double *unit = c->B, *column = unit + s->nq, *all = column + s->nc;
    memset(unit, 0, (size_t)s->nq * sizeof *unit);
    for (int j = 0; j < c->n; j++) {
        if (j < s->nq) {
            unit[j] = s->q_size[j];
            hol_equations_jacobian_times(s, x->t, x->q, unit, column);
            unit[j] = 0;
        } else {
            hol_equations_phi_dot_all(s, x->t, x->q, unit, all);
            for (int i = 0; i < s->nc; i++) column[i] = all[s->model_row[i]] * s->m->time_scale;
        }
        for (int i = 0; i < s->nc; i++) {
            const int row = place_of(c, i);
            if (row >= 0)
                J[(size_t)j * (size_t)c->m + (size_t)row] = column[i] / s->row_size[i];
            else
                let_go[j] = column[i] / s->row_size[i];
        }
    }
}

// The tangent at x into z, on the side of `along`, NULL: where the slope is positive.
static hol_status find_tangent(hol_curve *c, const hol_state *x, const double *along, double *z,
                               double *slope)
{
    double *let_go = c->r, side = 0;
    fill(c, x, c->J, let_go);
    for (int j = 0; j < c->n; j++) // the transpose: its left null space
        for (int i = 0; i < c->m; i++)
            c->B[(size_t)i * (size_t)c->n + (size_t)j] = c->J[(size_t)j * (size_t)c->m + (size_t)i];
    hol_status st = hol_dense_qr_factor(c->s->ctx, &c->qr, c->n, c->m, c->B, RANK);
    if (!st && c->n - c->qr.rank != 1) return HOL_RECOVERABLE;
    if (!st) st = hol_dense_qr_null_space(c->s->ctx, &c->qr, z);
    if (st) return st;
    *slope = c->free < 0 ? z[c->s->nq] : 0;
    for (int j = 0; j < c->n && c->free >= 0; j++) *slope += let_go[j] * z[j];
    for (int j = 0; j < c->n && along; j++) side += along[j] * z[j];
    if ((along ? side : *slope) >= 0) return HOL_OK;
    for (int j = 0; j < c->n; j++) z[j] = -z[j];
    *slope = -*slope;
    return HOL_OK;
}

hol_status hol_curve_create(hol_context *ctx, hol_equations *s, const hol_state *x, int free, hol_curve *c)
{
    *c = (hol_curve){.s = s, .free = free, .n = s->nq + (free < 0), .m = s->nc - (free >= 0)};
    if (c->n > HOL_CURVE_MOST)
        return hol_fail(ctx, HOL_ERR_USAGE,
                        "poses are followed along a curve for at most %d coordinates, not %d", HOL_CURVE_MOST,
                        c->n);
    if (c->m != c->n - 1) return HOL_RECOVERABLE;
    const size_t n = (size_t)c->n, room = n * n + (size_t)(s->nq + s->nc + s->m->nc);
    c->memory = hol_calloc(ctx, 2 * room + 4 * n, sizeof *c->memory);
    c->pivot = hol_calloc(ctx, n, sizeof *c->pivot);
    if (!c->memory || !c->pivot) return HOL_ERR_MEMORY;
    c->J = c->memory;
    c->B = c->J + room;
    c->r = c->B + room;
    c->z = c->r + n;
    c->next = c->z + n;
    hol_status st = hol_dense_qr_create(ctx, &c->qr, c->n, c->n);
    if (!st) st = hol_state_create(s, &c->x);
    if (!st) st = hol_state_create(s, &c->trial);
    if (st) return st;
    hol_state_copy(s, &c->x, x);
    return find_tangent(c, &c->x, NULL, c->z, &c->slope);
}

void hol_curve_destroy(hol_curve *c)
{
    hol_state_destroy(&c->x);
    hol_state_destroy(&c->trial);
    hol_dense_qr_destroy(&c->qr);
    hol_free(c->memory);
    hol_free(c->pivot);
    *c = (hol_curve){0};
}

void hol_curve_turn(hol_curve *c)
{
    for (int j = 0; j < c->n; j++) c->z[j] = -c->z[j];
    c->slope = -c->slope;
}

// Largest residual of the trial pose by natural size; r = -Phi.
static double residual(hol_curve *c, double *r)
{
    hol_equations *s = c->s;
    double most = 0, *phi = c->J;
    hol_equations_residual(s, &c->trial, NULL, phi);
    for (int i = 0; i < s->nc; i++) {
        const int row = place_of(c, i);
        if (row < 0) continue;
        r[row] = -phi[i] / s->row_size[i];
        most = hol_larger(fabs(r[row]), most);
    }
    return most;
}

static void move(hol_curve *c, const double *way, double factor)
{
    for (int i = 0; i < c->s->nq; i++) c->trial.q[i] += factor * way[i] * size_of(c, i);
    if (c->free < 0) c->trial.t += factor * way[c->s->nq] * size_of(c, c->s->nq);
}

// (19.4) once: factors of [Phi_y; z^T] at the trial pose, and a correction in c->r.
static hol_status correct(hol_curve *c)
{
    const size_t n = (size_t)c->n, m = (size_t)c->m;
    fill(c, &c->trial, c->J, c->next);
    for (size_t j = 0; j < n; j++) {
        memcpy(c->B + j * n, c->J + j * m, m * sizeof *c->B);
        c->B[j * n + m] = c->z[j];
    }
    c->r[m] = 0;
    hol_status st = hol_dense_lu_factor(c->s->ctx, c->n, c->B, c->pivot);
    return st ? st : hol_dense_lu_solve(c->s->ctx, c->n, c->B, c->pivot, false, 1, c->r);
}

hol_status hol_curve_step(hol_curve *c, double ds)
{
    double last = HOL_INF, slope, cosine = 0;
    hol_state_copy(c->s, &c->trial, &c->x);
    move(c, c->z, ds);
    for (int i = 0;; i++) {
        const double now = residual(c, c->r);
        if (now <= CLOSED || (now <= HOLDS && !(now < 0.5 * last))) break;
        if (i == MOST_CORRECTIONS || !isfinite(now) || now > 2 * last) return HOL_RECOVERABLE;
        const hol_status st = correct(c);
        if (st) return st;
        move(c, c->r, 1);
        last = now;
    }
    const hol_status st = find_tangent(c, &c->trial, c->z, c->next, &slope);
    if (st) return st;
    for (int j = 0; j < c->n; j++) cosine += c->z[j] * c->next[j];
    if (cosine < ALONG) return HOL_RECOVERABLE;
    c->bend = acos(fmin(1, cosine));
    memcpy(c->z, c->next, (size_t)c->n * sizeof *c->z);
    c->slope = slope;
    c->length += ds;
    hol_state_copy(c->s, &c->x, &c->trial);
    return HOL_OK;
}

hol_status hol_curve_turning_point(hol_curve *c, double far)
{
    double before = c->slope, step = PROBE, way = 0;
    for (int i = 0; i < MOST_SECANTS; i++) {
        const hol_status st = hol_curve_step(c, step);
        if (st) return st;
        way += step;
        const double change = c->slope - before;
        if (fabs(c->slope) < FLAT || change == 0)
            return fabs(c->slope) < 1e3 * FLAT ? HOL_OK : HOL_RECOVERABLE;
        step *= -c->slope / change;
        before = c->slope;
        if (!(fabs(way + step) < far)) return HOL_RECOVERABLE;
        if (fabs(step) < DBL_EPSILON) return HOL_OK;
    }
    return HOL_RECOVERABLE;
}
