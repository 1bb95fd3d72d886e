// The matrix of a BDF step, a composite of the equations' own at the point: see bdf_matrix.h for its rows.
#include "integrator/bdf_matrix.h"

#include <math.h>
#include <string.h>

// The blocks: S itself; its part by velocities in the column of u; H(mu) in the row of u; W and -Phi_q in the row of mu;
// -Phi_q^T in the column of mu; derivatives by users' states, taken away where S has them and put where they belong.
enum { OWN, SPEED, BEND, TURN, SLIDE, SLIDE_T, RATES, STATES, BLOCKS };
enum { PASSES = 6 };
#define LEAST_MASS 1e-6 // of the largest, in E

// ---- pattern --------------------------------------------------------------------------------------------------

// Where the parts of S go in the BDF matrix (10.7), block by block.
static void lay_out(const hol_bdf_matrix *b, hol_composite_block block[BLOCKS])
{
    const int nq = b->s->nq, z = b->first_z, lam = b->n_first, mu = b->first_mu, kap = b->first_kap;
    const hol_composite_block all[BLOCKS] = {
        [OWN] = {{0, z, lam, kap}, {0, z, lam, kap}, HOL_Z_ALL},
        [SPEED] = {{0, z, -1, kap}, {nq, -1, -1, -1}, HOL_Z_ALL},
        [BEND] = {{nq, -1, -1, -1}, {0, -1, -1, -1}, HOL_Z_ALL},
        [TURN] = {{-1, -1, mu, -1}, {0, -1, -1, -1}, HOL_Z_ALL},
        [SLIDE] = {{-1, -1, mu, -1}, {nq, -1, -1, -1}, HOL_Z_ALL},
        [SLIDE_T] = {{nq, -1, -1, -1}, {-1, -1, mu, -1}, HOL_Z_ALL},
        [RATES] = {{-1, z, -1, -1}, {-1, z, -1, -1}, HOL_Z_OF_RATES},
        [STATES] = {{-1, z, -1, -1}, {-1, b->first_state, -1, -1}, HOL_Z_TO_STATES},
    };
    memcpy(block, all, sizeof all);
}

// -E in the rows of u, the rows of users' states.
static hol_status more(void *user, hol_pattern_builder *to)
{
    hol_bdf_matrix *b = user;
    const hol_equations *s = b->s;
    for (int i = 0; i < s->nq; i++) b->metric[i] = hol_pattern_add_both(to, s->nq + i, s->nq + i);
    for (int i = 0; i < s->nx; i++) {
        const int x = b->first_state + i;
        b->states[2 * i] = hol_pattern_add_both(to, x, x);
        b->states[2 * i + 1] = hol_pattern_add_both(to, x, b->first_z + s->m->state[i].equation);
    }
    return HOL_OK;
}

// ---- creation -------------------------------------------------------------------------------------------------

// E: masses and inertias as they are now, one number for the translations and one for the rotations of a
// body.
static void choose_metric(hol_bdf_matrix *b, const hol_state *x)
{
    static const hol_coefficients mass_only = {1, 0, 0, 0, HOL_WITH_ALL};
    hol_equations *s = b->s;
    double most = 0;
    hol_equations_matrix(s, x, &mass_only, b->own);
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

// The metric E, the numbers of all blocks, and vectors.
static hol_status make_room(hol_bdf_matrix *b)
{
    const hol_equations *s = b->s;
    const size_t nonzeros = (size_t)s->pattern.start[s->n], nq = (size_t)s->nq;
    b->metric = hol_calloc(b->ctx, nq, sizeof *b->metric);
    b->states = hol_calloc(b->ctx, 2 * (size_t)s->nx + 1, sizeof *b->states);
    b->own = hol_calloc(b->ctx, (s->nx ? 4 : 3) * nonzeros + nq + 4 * (size_t)b->n, sizeof *b->own);
    if (!b->metric || !b->states || !b->own) return HOL_ERR_MEMORY;
    b->rest = b->own + nonzeros;
    b->W = b->rest + nonzeros;
    b->E = b->W + nonzeros;
    b->row = b->E + nq;
    b->col = b->row + b->n;
    b->most = b->col + b->n;
    b->more = b->most + b->n;
    b->by_state = s->nx ? b->more + b->n : NULL;
    return HOL_OK;
}

hol_status hol_bdf_matrix_create(hol_context *ctx, hol_kernel *k, const hol_state *x, hol_bdf_matrix *b)
{
    hol_equations *s = k->s;
    hol_composite_block block[BLOCKS];
    memset(b, 0, sizeof *b);
    b->ctx = ctx;
    b->s = s;
    b->k = k;
    b->first_z = 2 * s->nq;
    b->first_state = b->first_z + s->nz;
    b->n_first = b->first_state + s->nx;
    b->first_mu = b->n_first + s->nc;
    b->first_kap = b->first_mu + s->nc;
    b->n = b->first_kap + s->nk;
    hol_status st = make_room(b);
    lay_out(b, block);
    if (!st)
        st = hol_composite_create(ctx, s, b->n, b->n_first, block, s->nx ? BLOCKS : RATES, more, b,
                                  &b->composite);
    if (st) return st;
    b->A = b->composite.A;
    hol_kkt_try_even_scale(b->A);
    choose_metric(b, x);
    return HOL_OK;
}

void hol_bdf_matrix_destroy(hol_bdf_matrix *b)
{
    hol_composite_destroy(&b->composite);
    void *const arrays[] = {b->metric, b->states, b->own};
    for (int i = 0; i < HOL_COUNT(arrays); i++) hol_free(arrays[i]);
    memset(b, 0, sizeof *b);
}

// ---- values ---------------------------------------------------------------------------------------------------

// W at the places of Phi_q, H(lam) at those of the coordinates.
static void geometry_into(hol_bdf_matrix *b, const hol_state *x, const double *lam, double *to)
{
    const hol_equations *s = b->s;
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

// Users' expressions may have slopes of any size, 1e12 for a stiff force, that no scaling of rows and columns
// by the same numbers makes up for: rows and columns are brought to about 1 in turns.
static void equilibrate(hol_bdf_matrix *b)
{
    const hol_pattern *p = &b->composite.pattern;
    double *row = b->row, *col = b->col, *most = b->most, *values = hol_kkt_values(b->A);
    for (int i = 0; i < b->n; i++) row[i] = col[i] = 1;
    if (b->first_z == b->n_first) return;
    for (int pass = 0; pass < PASSES; pass++) {
        memset(most, 0, (size_t)b->n * sizeof *most);
        for (int j = 0; j < b->n; j++) {
            double largest = 0;
            for (int k = p->start[j]; k < p->start[j + 1]; k++) {
                const double size = fabs(values[k]);
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
            for (int k = p->start[j]; k < p->start[j + 1]; k++) values[k] *= most[p->index[k]] * b->more[j];
    }
}

hol_status hol_bdf_matrix_set(hol_bdf_matrix *b, const hol_state *x, const double *mu, double c)
{
    const hol_coefficients all = {1, 1 / (c * c), 1 / (c * c), 1 / c, HOL_WITH_ALL},
                           speed = {1, 0, 0, 1 / c, HOL_WITH_ALL};
    const hol_equations *s = b->s;
    double *v = hol_kkt_values(b->A);
    b->c = 0;
    geometry_into(b, x, mu, b->W);
    hol_equations_matrix(b->s, x, &all, b->own);
    hol_equations_matrix(b->s, x, &speed, b->rest);
    b->s->count.jacobians++;
    if (s->nx) { // what a matrix without states does not have is by the states
        static const hol_coefficients none = {0, 0, 0, 0, HOL_WITH_ALL};
        hol_equations_matrix(b->s, x, &none, b->by_state);
        for (int k = 0; k < s->pattern.start[s->n]; k++) b->by_state[k] = b->rest[k] - b->by_state[k];
    }
    const double *const from[BLOCKS] = {b->own, b->rest, b->W,        b->W,
                                        b->own, b->own,  b->by_state, b->by_state};
    const double factor[BLOCKS] = {1, -1, -1 / c, 1 / c, -1, -1, -1, 1};
    hol_composite_fill(&b->composite, from, factor);
    for (int i = 0; i < s->nq; i++) v[b->metric[i]] -= b->E[i];
    for (int i = 0; i < s->nx; i++) {
        v[b->states[2 * i]] += 1;
        v[b->states[2 * i + 1]] -= 1;
    }
    equilibrate(b);
    const hol_status st = hol_kkt_factor(b->A, hol_equations_delta(s));
    if (!st) b->c = c;
    return st;
}

hol_status hol_bdf_matrix_solve(hol_bdf_matrix *b, double *x)
{
    for (int i = 0; i < b->n; i++) x[i] *= b->row[i];
    const hol_status st = hol_kkt_solve(b->A, 1, x, b->s->dependent ? HOL_KKT_REFINEMENTS : 1);
    for (int i = 0; i < b->n; i++) x[i] *= b->col[i];
    return st;
}

double hol_bdf_matrix_wrong(hol_bdf_matrix *b, const hol_state *x, const double *lam, double c)
{
    const hol_equations *s = b->s;
    double worst = 0, *sum = b->k->work;
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
