// See bdf_matrix.h. Every entry of the system's matrix S knows up to seven places here.
#include "integrator/bdf_matrix.h"

#include <math.h>
#include <string.h>

// What an entry (i, j) of S gives: itself; its part by velocities in the column of u; H(mu) in the row of u;
// W and -Phi_q in the row of mu; -Phi_q^T in the column of mu; derivatives by users' states.
enum { OWN, SPEED, BEND, TURN, SLIDE, SLIDE_T, STATES, PLACES };
enum { PASSES = 6 };
#define LEAST_MASS 1e-6 // of the largest, in E

typedef struct {
    hol_bdf_matrix *b;
    hol_pattern_builder to;
    int *state_of; // state whose rate is equation k, -1: none                           (nz)
} builder;

// ---- pattern --------------------------------------------------------------------------------------------------

static int unknown(const hol_bdf_matrix *b, int i)
{
    const hol_system *s = b->s;
    if (i < s->nq) return i;
    if (i < s->nf) return b->first_z + i - s->nq;
    return i < s->nf + s->nc ? b->n_first + i - s->nf : b->first_kap + i - s->nf - s->nc;
}

static int entry(builder *w, int row, int col) { return hol_pattern_add_both(&w->to, row, col); }

static void places_of(builder *w, int i, int j, int place[PLACES])
{
    const hol_bdf_matrix *b = w->b;
    const hol_system *s = b->s;
    const int nq = s->nq, nf = s->nf, mu = b->first_mu - nf;
    const bool joint = i >= nf && i < nf + s->nc;
    for (int k = 0; k < PLACES; k++) place[k] = -1;
    place[OWN] = entry(w, unknown(b, i), unknown(b, j));
    if (j < nq && !joint) place[SPEED] = entry(w, unknown(b, i), nq + j);
    if (i < nq && j < nq) place[BEND] = entry(w, nq + i, j);
    if (joint && j < nq) {
        place[TURN] = entry(w, mu + i, j);
        place[SLIDE] = entry(w, mu + i, nq + j);
    }
    if (i < nq && j >= nf && j < nf + s->nc) place[SLIDE_T] = entry(w, nq + i, mu + j);
    if (i >= nq && i < nf && j >= nq && j < nf && w->state_of[j - nq] >= 0)
        place[STATES] = entry(w, unknown(b, i), b->first_state + w->state_of[j - nq]);
}

static void each_entry(builder *w)
{
    hol_bdf_matrix *b = w->b;
    const hol_system *s = b->s;
    for (int j = 0; j < s->n; j++)
        for (int k = s->pattern.start[j]; k < s->pattern.start[j + 1]; k++)
            places_of(w, s->pattern.index[k], j, b->place[k]);
    for (int i = 0; i < s->nq; i++) b->metric[i] = entry(w, s->nq + i, s->nq + i);
    for (int i = 0; i < s->nx; i++) {
        const int x = b->first_state + i;
        b->states[2 * i] = entry(w, x, x);
        b->states[2 * i + 1] = entry(w, x, b->first_z + s->m->state[i].equation);
    }
    for (int i = b->n_first; i < b->n; i++) entry(w, i, i);
}

static hol_status build_pattern(builder *w)
{
    hol_bdf_matrix *b = w->b;
    w->to = (hol_pattern_builder){.ctx = b->ctx, .pattern = &b->pattern, .n = b->n};
    while (hol_pattern_pass(&w->to)) each_entry(w);
    return w->to.status;
}

// ---- creation -------------------------------------------------------------------------------------------------

// E: masses and inertias as they are now, one number for the translations and one for the rotations of a
// body.
static void choose_metric(hol_bdf_matrix *b, const hol_state *x)
{
    static const hol_coefficients mass_only = {1, 0, 0, 0, HOL_WITH_ALL};
    hol_system *s = b->s;
    double most = 0;
    hol_system_matrix_into(s, x, &mass_only, b->own);
    for (int i = 0; i < s->nq; i++) most = fmax(most, b->own[s->diagonal[i]] * s->q_size[i] * s->q_size[i]);
    for (int k = 0; k < s->m->n_bodies; k++) {
        const hol_body *body = &s->m->body[k];
        double largest[2] = {0, 0};
        for (int i = 0; i < body->size; i++) {
            double *l = &largest[hol_model_is_length(s->m, k, i)];
            *l = fmax(*l, b->own[s->diagonal[body->q + i]]);
        }
        for (int i = 0; i < body->size; i++) {
            const double size = s->q_size[body->q + i], least = LEAST_MASS * (most > 0 ? most : 1);
            b->E[body->q + i] = fmax(largest[hol_model_is_length(s->m, k, i)], least / (size * size));
        }
    }
}

static hol_status make_room(hol_bdf_matrix *b)
{
    const hol_system *s = b->s;
    const size_t nonzeros = (size_t)s->pattern.start[s->n], nq = (size_t)s->nq;
    b->place = hol_calloc(b->ctx, nonzeros, sizeof *b->place);
    b->metric = hol_calloc(b->ctx, nq, sizeof *b->metric);
    b->states = hol_calloc(b->ctx, 2 * (size_t)s->nx + 1, sizeof *b->states);
    b->own = hol_calloc(b->ctx, 3 * nonzeros + nq + 4 * (size_t)b->n, sizeof *b->own);
    if (!b->place || !b->metric || !b->states || !b->own) return HOL_ERR_MEMORY;
    b->rest = b->own + nonzeros;
    b->W = b->rest + nonzeros;
    b->E = b->W + nonzeros;
    b->row = b->E + nq;
    b->col = b->row + b->n;
    b->most = b->col + b->n;
    b->more = b->most + b->n;
    return HOL_OK;
}

hol_status hol_bdf_matrix_create(hol_context *ctx, hol_system *s, const hol_state *x, hol_bdf_matrix *b)
{
    builder w = {.b = b, .state_of = hol_calloc(ctx, (size_t)s->nz + 1, sizeof(int))};
    memset(b, 0, sizeof *b);
    b->ctx = ctx;
    b->s = s;
    b->first_z = 2 * s->nq;
    b->first_state = b->first_z + s->nz;
    b->n_first = b->first_state + s->nx;
    b->first_mu = b->n_first + s->nc;
    b->first_kap = b->first_mu + s->nc;
    b->n = b->first_kap + s->nk;
    hol_status st = w.state_of ? make_room(b) : HOL_ERR_MEMORY;
    for (int i = 0; i < s->nz && !st; i++) w.state_of[i] = -1;
    for (int i = 0; i < s->nx && !st; i++) w.state_of[s->m->state[i].equation] = i;
    if (!st) st = build_pattern(&w);
    hol_free(w.state_of);
    if (st) return st;
    choose_metric(b, x);
    b->values = hol_calloc(ctx, (size_t)b->pattern.start[b->n], sizeof *b->values);
    b->solver = b->values ? hol_sparse_create(ctx, &b->pattern, b->n_first) : NULL;
    if (b->solver) hol_sparse_try_even_scale(b->solver);
    return b->solver ? HOL_OK : HOL_ERR_MEMORY;
}

void hol_bdf_matrix_destroy(hol_bdf_matrix *b)
{
    hol_sparse_destroy(b->solver);
    hol_pattern_destroy(&b->pattern);
    void *const arrays[] = {b->place, b->metric, b->states, b->own, b->values};
    for (int i = 0; i < HOL_COUNT(arrays); i++) hol_free(arrays[i]);
    memset(b, 0, sizeof *b);
}

// ---- values ---------------------------------------------------------------------------------------------------

// W at the places of Phi_q, H(lam) at those of the coordinates.
static void geometry_into(hol_bdf_matrix *b, const hol_state *x, const double *lam, double *to)
{
    const hol_system *s = b->s;
    memset(to, 0, (size_t)s->pattern.start[s->n] * sizeof *to);
    for (int k = 0; k < s->m->n_elements; k++) {
        const hol_element *e = &s->m->element[k];
        const hol_scatter *sc = &s->scatter[k];
        const int ny = e->ny;
        hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], l[HOL_MAX_ROWS], W[HOL_MAX_ROWS * HOL_MAX_Y];
        hol_real H[HOL_MAX_Y * HOL_MAX_Y] = {0};
        if (!e->n_rows) continue;
        hol_element_gather(s->m, e, x->t, x->q, x->v, 1, y, w);
        for (int i = 0; i < e->n_rows; i++) l[i] = sc->row[i] >= 0 ? lam[sc->row[i]] : 0;
        e->type->phi_yw(e->data, ny, y, w, W);
        e->type->phi_lam(e->data, ny, y, l, H);
        for (int i = 0; i < sc->n_borders; i++) {
            const hol_border *at = s->border + sc->border + i;
            to[at->slot] += hol_re(W[at->i * ny + at->j]);
        }
        for (int i = 0; i < sc->n_entries; i++) {
            const hol_entry *at = s->entry + sc->entry + i;
            to[at->slot] += hol_re(H[at->i * ny + at->j]);
        }
    }
}

static void put(double *values, int at, double x)
{
    if (at >= 0) values[at] += x;
}

// Users' expressions may have slopes of any size, 1e12 for a stiff force, that no scaling of rows and columns
// by the same numbers makes up for: rows and columns are brought to about 1 in turns.
static void equilibrate(hol_bdf_matrix *b)
{
    const hol_pattern *p = &b->pattern;
    double *row = b->row, *col = b->col, *most = b->most;
    for (int i = 0; i < b->n; i++) row[i] = col[i] = 1;
    if (b->first_z == b->n_first) return;
    for (int pass = 0; pass < PASSES; pass++) {
        memset(most, 0, (size_t)b->n * sizeof *most);
        for (int j = 0; j < b->n; j++) {
            double largest = 0;
            for (int k = p->start[j]; k < p->start[j + 1]; k++) {
                const double size = fabs(b->values[k]);
                largest = fmax(largest, size);
                most[p->index[k]] = fmax(most[p->index[k]], size);
            }
            b->more[j] = largest > 0 ? 1 / sqrt(largest) : 1;
        }
        for (int i = 0; i < b->n; i++) {
            most[i] = most[i] > 0 ? 1 / sqrt(most[i]) : 1;
            row[i] *= most[i];
            col[i] *= b->more[i];
        }
        for (int j = 0; j < b->n; j++)
            for (int k = p->start[j]; k < p->start[j + 1]; k++)
                b->values[k] *= most[p->index[k]] * b->more[j];
    }
}

hol_status hol_bdf_matrix_set(hol_bdf_matrix *b, const hol_state *x, const double *mu, double c)
{
    const hol_coefficients all = {1, 1 / (c * c), 1 / (c * c), 1 / c, HOL_WITH_ALL},
                           speed = {1, 0, 0, 1 / c, HOL_WITH_ALL};
    const hol_system *s = b->s;
    double *v = b->values;
    b->c = 0;
    geometry_into(b, x, mu, b->W);
    hol_system_matrix_into(b->s, x, &all, b->own);
    hol_system_matrix_into(b->s, x, &speed, b->rest);
    b->s->count.jacobians++;
    memset(v, 0, (size_t)b->pattern.start[b->n] * sizeof *v);
    for (int k = 0; k < s->pattern.start[s->n]; k++) {
        const int *at = b->place[k];
        put(v, at[OWN], b->own[k]);
        put(v, at[SPEED], -b->rest[k]);
        put(v, at[BEND], -b->W[k] / c);
        put(v, at[TURN], b->W[k] / c);
        put(v, at[SLIDE], -b->own[k]);
        put(v, at[SLIDE_T], -b->own[k]);
    }
    if (s->nx) { // what a matrix without states does not have is by the states
        static const hol_coefficients none = {0, 0, 0, 0, HOL_WITH_ALL};
        hol_system_matrix_into(b->s, x, &none, b->W);
        for (int k = 0; k < s->pattern.start[s->n]; k++) {
            if (b->place[k][STATES] < 0) continue;
            const double by_state = b->rest[k] - b->W[k];
            v[b->place[k][OWN]] -= by_state;
            v[b->place[k][STATES]] += by_state;
        }
    }
    for (int i = 0; i < s->nq; i++) v[b->metric[i]] -= b->E[i];
    for (int i = 0; i < s->nx; i++) {
        v[b->states[2 * i]] += 1;
        v[b->states[2 * i + 1]] -= 1;
    }
    equilibrate(b);
    const hol_status st = hol_sparse_factor(b->solver, v, s->delta);
    if (!st) b->c = c;
    return st;
}

hol_status hol_bdf_matrix_solve(hol_bdf_matrix *b, double *x)
{
    double sum = 0;
    for (int i = 0; i < b->n; i++) x[i] *= b->row[i];
    hol_sparse_solve_refined(b->solver, b->values, x, b->s->delta > 0 ? 10 : 1, NULL);
    for (int i = 0; i < b->n; i++) {
        x[i] *= b->col[i];
        sum += fabs(x[i]);
    }
    return isfinite(sum) ? HOL_OK : HOL_RECOVERABLE;
}

double hol_bdf_matrix_wrong(hol_bdf_matrix *b, const hol_state *x, const double *lam, double c)
{
    const hol_system *s = b->s;
    double worst = 0, *sum = s->work;
    geometry_into(b, x, lam, b->W);
    memset(sum, 0, (size_t)s->nq * sizeof *sum);
    for (int j = 0; j < s->nq; j++)
        for (int k = s->pattern.start[j]; k < s->pattern.start[j + 1]; k++) {
            const int i = s->pattern.index[k];
            if (i < s->nq) sum[i] += fabs(b->W[k]) * s->q_size[j] / s->q_size[i];
        }
    for (int i = 0; i < s->nq; i++) worst = fmax(worst, sum[i] / (c * c * b->E[i]));
    return worst;
}
