// The matrix of a Rosenbrock stage, a composite of the equations' own. Unknowns in this order, in units that make h disappear
// from most places:
//
//     dq/h (nq)   dv (nq)   h da, h dz (nf)   dX (nx)   |   s1 (nc)   s2 (nc)   h dlam (nc)
//
// Forces with edges may depend on more at some places than S has seen: their other entries stand apart.
#include "integrator/stage_matrix.h"
#include "system/composite.h"
#include "system/linear.h"

#include <math.h>
#include <string.h>

// The blocks: S itself; K and D in the columns of dq and dv; Phi_q in the rows of s1 and s2 and its transpose; W in the rows of
// s2 and columns of dq; derivatives by users' states.
enum { OWN, STIFF, DAMP, FIRST, FIRST_T, SECOND, SECOND_T, TURN, STATES, BLOCKS };

typedef struct { // an entry of a force that S does not have
    int element;
    short i, j;
    int stiff, damp;
    double K, D;
} extra;

struct hol_stage_matrix {
    hol_context *ctx;
    hol_chart *c;
    hol_equations *s;
    int n, n_first;
    hol_composite composite;
    hol_kkt *A;      // its matrix
    int *projection; // of E, -g E, E/g, -E                                     (4 nq)
    int *states;     // of 1/g and -1 in the rows of states                     (2 nx)
    extra *more;
    int n_more;
    double *S, *K, *D;        // with the pattern of S
    double *by_state;         // the same, what is by users' states; NULL without them
    double *size;             // of users' unknowns and states: they are solved for in these (nf - nq + nx)
    double *phi_t, *turn_t;   // -Phi_t, -(Phi_q v + Phi_t)_t                            (nc)
    double *all_t;            // right-hand side of the accelerations for dt = 1         (n of S)
    double *direction, *rest; // time alone                                              (nq + 1, nq + nx)
    double *x;                // right-hand side, unknowns                               (n)
    double h;
};

// ---- pattern --------------------------------------------------------------------------------------------------

// Where the parts of S go in the matrix of a stage, block by block.
static void lay_out(const hol_stage_matrix *b, hol_composite_block block[BLOCKS])
{
    const hol_equations *s = b->s;
    const int nq = s->nq, a = 2 * nq, z = 3 * nq, s1 = b->n_first, s2 = s1 + s->nc, lam = s2 + s->nc;
    const hol_composite_block all[BLOCKS] = {
        [OWN] = {{a, z, lam, -1}, {a, z, lam, -1}, HOL_Z_ALL},
        [STIFF] = {{a, z, lam, -1}, {0, -1, -1, -1}, HOL_Z_ALL},
        [DAMP] = {{a, z, lam, -1}, {nq, -1, -1, -1}, HOL_Z_ALL},
        [FIRST] = {{-1, -1, s1, -1}, {0, -1, -1, -1}, HOL_Z_ALL},
        [FIRST_T] = {{0, -1, -1, -1}, {-1, -1, s1, -1}, HOL_Z_ALL},
        [SECOND] = {{-1, -1, s2, -1}, {nq, -1, -1, -1}, HOL_Z_ALL},
        [SECOND_T] = {{nq, -1, -1, -1}, {-1, -1, s2, -1}, HOL_Z_ALL},
        [TURN] = {{-1, -1, s2, -1}, {0, -1, -1, -1}, HOL_Z_ALL},
        [STATES] = {{-1, z, -1, -1}, {-1, 2 * nq + s->nf, -1, -1}, HOL_Z_TO_STATES},
    };
    memcpy(block, all, sizeof all);
}

// Entries of forces with edges beyond those of S.
static void each_extra(hol_stage_matrix *b, hol_pattern_builder *to)
{
    const hol_equations *s = b->s;
    int count = 0;
    for (int k = 0; k < s->m->n_elements; k++) {
        const hol_element *e = &s->m->element[k];
        const int nq = e->ny - 1;
        int column[HOL_MAX_Y], n = 0;
        if (!e->type->edges) continue;
        for (int i = 0; i < e->n_bodies; i++)
            for (int j = 0; j < s->m->body[e->body[i]].size; j++) column[n++] = s->m->body[e->body[i]].q + j;
        for (int i = 0; i < nq; i++)
            for (int j = 0; j < nq; j++) {
                if (hol_pattern_find(&s->pattern, column[i], column[j]) >= 0) continue;
                const int row = 2 * s->nq + column[i], stiff = hol_pattern_add_both(to, row, column[j]),
                          damp = hol_pattern_add_both(to, row, s->nq + column[j]);
                if (b->more) b->more[count] = (extra){k, (short)i, (short)j, stiff, damp, 0, 0};
                count++;
            }
    }
    b->n_more = count;
}

// Those of E and of the rows of users' states.
static hol_status more(void *user, hol_pattern_builder *to)
{
    hol_stage_matrix *b = user;
    const hol_equations *s = b->s;
    const int nq = s->nq;
    for (int i = 0; i < nq; i++) {
        const int at[4] = {hol_pattern_add_both(to, i, i), hol_pattern_add_both(to, i, nq + i),
                           hol_pattern_add_both(to, nq + i, nq + i),
                           hol_pattern_add_both(to, nq + i, 2 * nq + i)};
        memcpy(b->projection + 4 * i, at, sizeof at);
    }
    for (int i = 0; i < s->nx; i++) {
        const int x = 2 * nq + s->nf + i;
        b->states[2 * i] = hol_pattern_add_both(to, x, x);
        b->states[2 * i + 1] = hol_pattern_add_both(to, x, 3 * nq + s->m->state[i].equation);
    }
    each_extra(b, to);
    if (!b->more) b->more = hol_calloc(b->ctx, (size_t)b->n_more + 1, sizeof *b->more); // counted now
    return b->more ? HOL_OK : HOL_ERR_MEMORY;
}

// ---- creation -------------------------------------------------------------------------------------------------

// Numbers of all blocks and vectors, in one piece of memory.
static hol_status make_room(hol_stage_matrix *b)
{
    const hol_equations *s = b->s;
    const size_t nonzeros = (size_t)s->pattern.start[s->n], nq = (size_t)s->nq, nc = (size_t)s->nc;
    const size_t users = (size_t)(s->nz + s->nx),
                 vectors = 2 * nc + (size_t)s->n + 2 * nq + 1 + (size_t)s->nx;
    double *p = hol_calloc(b->ctx, (s->nx ? 4 : 3) * nonzeros + vectors + (size_t)b->n + users, sizeof *p);
    b->projection = hol_calloc(b->ctx, 4 * nq, sizeof *b->projection);
    b->states = hol_calloc(b->ctx, 2 * (size_t)s->nx + 1, sizeof *b->states);
    b->S = p;
    if (!p || !b->projection || !b->states) return HOL_ERR_MEMORY;
    b->K = b->S + nonzeros;
    b->D = b->K + nonzeros;
    b->phi_t = b->D + nonzeros;
    b->turn_t = b->phi_t + nc;
    b->all_t = b->turn_t + nc;
    b->direction = b->all_t + s->n;
    b->rest = b->direction + nq + 1;
    b->x = b->rest + nq + s->nx;
    b->size = b->x + b->n;
    b->by_state = s->nx ? b->size + users : NULL;
    for (int i = 0; i < s->nz; i++) b->size[i] = s->m->equation[i].size;
    for (int i = 0; i < s->nx; i++) b->size[s->nz + i] = s->m->state[i].size;
    return HOL_OK;
}

// The composite with the entries that S has no place for.
static hol_status create(hol_stage_matrix *b)
{
    const hol_equations *s = b->s;
    hol_composite_block block[BLOCKS];
    b->n_first = 2 * s->nq + s->nf + s->nx;
    b->n = b->n_first + 3 * s->nc;
    hol_status st = make_room(b);
    lay_out(b, block);
    if (!st)
        st = hol_composite_create(b->ctx, b->s, b->n, b->n_first, block, s->nx ? BLOCKS : STATES, more, b,
                                  &b->composite);
    if (st) return st;
    b->direction[s->nq] = 1;
    b->A = b->composite.A;
    return HOL_OK;
}

hol_stage_matrix *hol_stage_matrix_create(hol_context *ctx, hol_chart *c)
{
    hol_stage_matrix *b = hol_calloc(ctx, 1, sizeof *b);
    if (!b) return NULL;
    b->ctx = ctx;
    b->c = c;
    b->s = c->s;
    if (!create(b)) return b;
    hol_stage_matrix_destroy(b);
    return NULL;
}

void hol_stage_matrix_destroy(hol_stage_matrix *b)
{
    if (!b) return;
    hol_composite_destroy(&b->composite);
    void *const arrays[] = {b->projection, b->states, b->more, b->S, b};
    for (int i = 0; i < HOL_COUNT(arrays); i++) hol_free(arrays[i]);
}

// ---- values ---------------------------------------------------------------------------------------------------

// Derivatives K and D of elements, for the entries that S has no place for.
static void find_extra(hol_stage_matrix *b, const hol_state *x)
{
    double K[HOL_MAX_Y * HOL_MAX_Y], D[HOL_MAX_Y * HOL_MAX_Y];
    for (int k = 0; k < b->n_more; k++) { // those of an element stand together
        extra *a = &b->more[k];
        const hol_element *e = &b->s->m->element[a->element];
        if (k == 0 || a[-1].element != a->element) hol_linear_element(b->s, x, e, K, D);
        a->K = K[a->i * (e->ny - 1) + a->j];
        a->D = D[a->i * (e->ny - 1) + a->j];
    }
}

void hol_stage_matrix_find(hol_stage_matrix *b, const hol_state *x)
{
    static const hol_coefficients own = {1, 0, 0, 0, HOL_WITH_ALL}, stiff = {0, 1, 1, 0, HOL_WITH_ALL},
                                  damp = {0, 0, 0, 1, HOL_WITH_ALL};
    const hol_coefficients *const all[] = {&own, &stiff, &damp};
    double *const to[] = {b->S, b->K, b->D};
    hol_equations *s = b->s;
    double *model_rows = b->c->positions.work;
    for (int k = 0; k < 3; k++) hol_equations_matrix(s, x, all[k], to[k]);
    s->count.jacobians++;
    hol_linear_rows(s, x, b->K, b->D);
    for (int k = 0; k < s->pattern.start[s->n] && s->nx; k++) // what both have is not by the state
        b->by_state[k] = b->D[k] - b->S[k];
    find_extra(b, x);
    hol_linear_accelerations(s, x, 1, b->direction, b->rest, b->rest, b->all_t);
    hol_linear_velocities(s, x, 1, b->direction, s->nc, b->turn_t);
    hol_equations_phi_dot_all(s, x->t, x->q, b->rest, model_rows);
    for (int i = 0; i < s->nc; i++) b->phi_t[i] = -model_rows[s->model_row[i]];
}

// Users' unknowns and states stand one behind the other; their columns times their sizes, their rows divided by them.
static void scale_users(hol_stage_matrix *b)
{
    const hol_equations *s = b->s;
    const hol_pattern *p = &b->composite.pattern;
    const int first = 3 * s->nq, end = first + s->nz + s->nx;
    double *values = hol_kkt_values(b->A);
    for (int j = 0; j < b->n && end > first; j++)
        for (int k = p->start[j]; k < p->start[j + 1]; k++) {
            const int i = p->index[k];
            if (j >= first && j < end) values[k] *= b->size[j - first];
            if (i >= first && i < end) values[k] /= b->size[i - first];
        }
}

hol_status hol_stage_matrix_factor(hol_stage_matrix *b, double h, double gamma, double wrong)
{
    const hol_equations *s = b->s;
    const int nq = s->nq;
    double *v = hol_kkt_values(b->A);
    b->h = h;
    const double *const from[BLOCKS] = {b->S, b->K, b->D, b->S, b->S, b->S, b->S, b->D, b->by_state};
    const double factor[BLOCKS] = {1, h * h, h, 1, 1, 1, 1, 0.5 * h, h}; // TURN: W = -tau_v/2
    hol_composite_fill(&b->composite, from, factor);
    for (int k = 0; k < b->n_more; k++) {
        v[b->more[k].stiff] += h * h * b->more[k].K;
        v[b->more[k].damp] += h * b->more[k].D;
    }
    for (int i = 0; i < nq; i++) {
        const int *at = b->projection + 4 * i;
        const double E = b->c->E[i];
        v[at[0]] += E;
        v[at[1]] -= gamma * E;
        v[at[2]] += E / gamma;
        v[at[3]] -= wrong * E;
    }
    for (int i = 0; i < s->nx; i++) {
        v[b->states[2 * i]] += 1 / gamma;
        v[b->states[2 * i + 1]] -= wrong;
    }
    scale_users(b);
    return hol_kkt_factor(b->A, 0);
}

hol_status hol_stage_matrix_solve(hol_stage_matrix *b, double dt, const double *rho, double *l)
{
    const hol_equations *s = b->s;
    const int nq = s->nq, nc = s->nc, nf = s->nf, nx = s->nx;
    const double h = b->h, *E = b->c->E;
    double *x = b->x;
    for (int i = 0; i < nq; i++) {
        x[i] = rho ? E[i] * rho[i] / (h * h) : 0;
        x[nq + i] = E[i] * l[i];
    }
    for (int i = 0; i < nf; i++) x[2 * nq + i] = h * dt * b->all_t[i];
    for (int i = 0; i < nx; i++) x[2 * nq + nf + i] = l[nq + i];
    for (int i = 0; i < nc; i++) {
        x[b->n_first + i] = dt / h * b->phi_t[i];
        x[b->n_first + nc + i] = dt * b->turn_t[i];
        x[b->n_first + 2 * nc + i] = h * dt * b->all_t[nf + i];
    }
    for (int i = 0; i < s->nz + nx; i++) x[3 * nq + i] /= b->size[i];
    const hol_status st = hol_kkt_solve(b->A, 1, x, 2);
    if (st) return st;
    hol_chart_project(b->c, x + nq, l);
    for (int i = 0; i < nx; i++) l[nq + i] = b->size[s->nz + i] * x[2 * nq + nf + i];
    return HOL_OK;
}

void hol_stage_matrix_stats(const hol_stage_matrix *b, hol_kkt_stats *out) { hol_kkt_get_stats(b->A, out); }

void hol_stage_matrix_archive(hol_stage_matrix *b, hol_archive *a) { hol_kkt_archive(b->A, a); }
