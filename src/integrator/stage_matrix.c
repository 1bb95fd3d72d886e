// See stage_matrix.h. Unknowns in this order, in units that make h disappear from most places:
//
//     dq/h (nq)   dv (nq)   h da, h dz (nf)   dX (nx)   |   s1 (nc)   s2 (nc)   h dlam (nc)
//
// The blocks have the pattern of the system's matrix S, so every entry of S knows up to nine places here. Forces with edges
// may depend on more at some places than S has seen: their other entries stand apart.
#include "integrator/stage_matrix.h"
#include "system/linear.h"

#include <math.h>
#include <string.h>

// What an entry (i, j) of S gives: itself; K and D in the columns of dq and dv; Phi_q in the rows of s1 and s2 and its
// transpose; W in the rows of s2 and columns of dq; derivatives by users' states.
enum { OWN, STIFF, DAMP, FIRST, FIRST_T, SECOND, SECOND_T, TURN, STATES, PLACES };

typedef struct { // an entry of a force that S does not have
    int element;
    short i, j;
    int stiff, damp;
    double K, D;
} extra;

struct hol_stage_matrix {
    hol_context *ctx;
    hol_chart *c;
    hol_system *s;
    int n, n_first;
    hol_pattern pattern;
    hol_sparse *solver;
    int (*place)[PLACES]; // of each entry of S, -1: none                            (nonzeros of S)
    int *projection;      // of E, -g E, E/g, -E                                     (4 nq)
    int *states;          // of 1/g and -1 in the rows of states                     (2 nx)
    extra *more;
    int n_more;
    double *S, *K, *D;        // with the pattern of S
    double *values;           //                                                         (nonzeros)
    double *size;             // of users' unknowns and states: they are solved for in these (nf - nq + nx)
    double *phi_t, *turn_t;   // -Phi_t, -(Phi_q v + Phi_t)_t                            (nc)
    double *all_t;            // right-hand side of the accelerations for dt = 1         (n of S)
    double *direction, *rest; // time alone                                              (nq + 1, nq + nx)
    double *x;                // right-hand side, unknowns                               (n)
    double h;
};

// ---- pattern --------------------------------------------------------------------------------------------------

typedef struct {
    hol_stage_matrix *b;
    hol_pattern_builder to;
    int *state_of; // state whose rate is equation k, -1: none                           (nz)
} builder;

static int unknown(const hol_stage_matrix *b, int i)
{
    const hol_system *s = b->s;
    return i < s->nf ? 2 * s->nq + i : b->n_first + 2 * s->nc + i - s->nf;
}

static int entry(builder *w, int row, int col) { return hol_pattern_add_both(&w->to, row, col); }

static void entries_of(builder *w, int i, int j, int place[PLACES])
{
    const hol_stage_matrix *b = w->b;
    const hol_system *s = b->s;
    const int nq = s->nq, nf = s->nf, first = b->n_first - nf, second = first + s->nc;
    for (int k = 0; k < PLACES; k++) place[k] = -1;
    place[OWN] = entry(w, unknown(b, i), unknown(b, j));
    if (j < nq) {
        place[STIFF] = entry(w, unknown(b, i), j);
        place[DAMP] = entry(w, unknown(b, i), nq + j);
    }
    if (i >= nf && j < nq) {
        place[FIRST] = entry(w, first + i, j);
        place[SECOND] = entry(w, second + i, nq + j);
        place[TURN] = entry(w, second + i, j);
    }
    if (i < nq && j >= nf) {
        place[FIRST_T] = entry(w, i, first + j);
        place[SECOND_T] = entry(w, nq + i, second + j);
    }
    if (i >= nq && i < nf && j >= nq && j < nf && w->state_of[j - nq] >= 0)
        place[STATES] = entry(w, unknown(b, i), 2 * nq + nf + w->state_of[j - nq]);
}

// Entries of forces with edges beyond those of S.
static void each_extra(builder *w)
{
    hol_stage_matrix *b = w->b;
    const hol_system *s = b->s;
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
                const int stiff = entry(w, unknown(b, column[i]), column[j]),
                          damp = entry(w, unknown(b, column[i]), s->nq + column[j]);
                if (b->more) b->more[count] = (extra){k, (short)i, (short)j, stiff, damp, 0, 0};
                count++;
            }
    }
    b->n_more = count;
}

static void each_entry(builder *w)
{
    hol_stage_matrix *b = w->b;
    const hol_system *s = b->s;
    const int nq = s->nq;
    for (int j = 0; j < s->n; j++)
        for (int k = s->pattern.start[j]; k < s->pattern.start[j + 1]; k++)
            entries_of(w, s->pattern.index[k], j, b->place[k]);
    for (int i = 0; i < nq; i++) {
        const int at[4] = {entry(w, i, i), entry(w, i, nq + i), entry(w, nq + i, nq + i),
                           entry(w, nq + i, 2 * nq + i)};
        memcpy(b->projection + 4 * i, at, sizeof at);
    }
    for (int i = 0; i < s->nx; i++) {
        const int x = 2 * nq + s->nf + i;
        b->states[2 * i] = entry(w, x, x);
        b->states[2 * i + 1] = entry(w, x, unknown(b, nq + s->m->state[i].equation));
    }
    each_extra(w);
    for (int i = b->n_first; i < b->n; i++) entry(w, i, i);
}

static hol_status build_pattern(builder *w)
{
    hol_stage_matrix *b = w->b;
    w->to = (hol_pattern_builder){.ctx = b->ctx, .pattern = &b->pattern, .n = b->n};
    while (hol_pattern_pass(&w->to)) {
        each_entry(w);
        if (!b->more) b->more = hol_calloc(b->ctx, (size_t)b->n_more + 1, sizeof *b->more); // counted now
        if (!b->more) return HOL_ERR_MEMORY;
    }
    return w->to.status;
}

// ---- creation -------------------------------------------------------------------------------------------------

static hol_status make_room(hol_stage_matrix *b)
{
    const hol_system *s = b->s;
    const size_t nonzeros = (size_t)s->pattern.start[s->n], nq = (size_t)s->nq, nc = (size_t)s->nc;
    const size_t users = (size_t)(s->nz + s->nx),
                 vectors = 2 * nc + (size_t)s->n + 2 * nq + 1 + (size_t)s->nx;
    double *p = hol_calloc(b->ctx, 3 * nonzeros + vectors + (size_t)b->n + users, sizeof *p);
    b->place = hol_calloc(b->ctx, nonzeros, sizeof *b->place);
    b->projection = hol_calloc(b->ctx, 4 * nq, sizeof *b->projection);
    b->states = hol_calloc(b->ctx, 2 * (size_t)s->nx + 1, sizeof *b->states);
    b->S = p;
    if (!p || !b->place || !b->projection || !b->states) return HOL_ERR_MEMORY;
    b->K = b->S + nonzeros;
    b->D = b->K + nonzeros;
    b->phi_t = b->D + nonzeros;
    b->turn_t = b->phi_t + nc;
    b->all_t = b->turn_t + nc;
    b->direction = b->all_t + s->n;
    b->rest = b->direction + nq + 1;
    b->x = b->rest + nq + s->nx;
    b->size = b->x + b->n;
    for (int i = 0; i < s->nz; i++) b->size[i] = s->m->equation[i].size;
    for (int i = 0; i < s->nx; i++) b->size[s->nz + i] = s->m->state[i].size;
    return HOL_OK;
}

static hol_status create(hol_stage_matrix *b)
{
    const hol_system *s = b->s;
    builder w = {.b = b, .state_of = hol_calloc(b->ctx, (size_t)s->nz + 1, sizeof(int))};
    b->n_first = 2 * s->nq + s->nf + s->nx;
    b->n = b->n_first + 3 * s->nc;
    hol_status st = w.state_of ? make_room(b) : HOL_ERR_MEMORY;
    for (int i = 0; i < s->nz && !st; i++) w.state_of[i] = -1;
    for (int i = 0; i < s->nx && !st; i++) w.state_of[s->m->state[i].equation] = i;
    if (!st) st = build_pattern(&w);
    hol_free(w.state_of);
    if (st) return st;
    b->direction[s->nq] = 1;
    b->values = hol_calloc(b->ctx, (size_t)b->pattern.start[b->n], sizeof *b->values);
    b->solver = b->values ? hol_sparse_create(b->ctx, &b->pattern, b->n_first) : NULL;
    return b->solver ? HOL_OK : HOL_ERR_MEMORY;
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
    hol_sparse_destroy(b->solver);
    hol_pattern_destroy(&b->pattern);
    void *const arrays[] = {b->place, b->projection, b->states, b->more, b->S, b->values, b};
    for (int i = 0; i < HOL_COUNT(arrays); i++) hol_free(arrays[i]);
}

// ---- values ---------------------------------------------------------------------------------------------------

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
    hol_system *s = b->s;
    double *model_rows = s->work;
    for (int k = 0; k < 3; k++) hol_system_matrix_into(s, x, all[k], to[k]);
    s->count.jacobians++;
    hol_linear_rows(s, x, b->K, b->D);
    find_extra(b, x);
    hol_linear_accelerations(s, x, 1, b->direction, b->rest, b->rest, b->all_t);
    hol_linear_velocities(s, x, 1, b->direction, s->nc, b->turn_t);
    hol_system_phi_dot_all(s, x->t, x->q, b->rest, model_rows);
    for (int i = 0; i < s->nc; i++) b->phi_t[i] = -model_rows[s->model_row[i]];
}

static void put(double *values, int at, double x)
{
    if (at >= 0) values[at] += x;
}

// Users' unknowns and states stand one behind the other; their columns times their sizes, their rows divided by them.
static void scale_users(hol_stage_matrix *b)
{
    const hol_system *s = b->s;
    const hol_pattern *p = &b->pattern;
    const int first = 3 * s->nq, end = first + s->nz + s->nx;
    for (int j = 0; j < b->n && end > first; j++)
        for (int k = p->start[j]; k < p->start[j + 1]; k++) {
            const int i = p->index[k];
            if (j >= first && j < end) b->values[k] *= b->size[j - first];
            if (i >= first && i < end) b->values[k] /= b->size[i - first];
        }
}

hol_status hol_stage_matrix_factor(hol_stage_matrix *b, double h, double gamma, double wrong)
{
    const hol_system *s = b->s;
    const int nq = s->nq, nonzeros = s->pattern.start[s->n];
    double *v = b->values;
    b->h = h;
    memset(v, 0, (size_t)b->pattern.start[b->n] * sizeof *v);
    for (int k = 0; k < nonzeros; k++) {
        const int *at = b->place[k];
        put(v, at[OWN], b->S[k]);
        put(v, at[STIFF], h * h * b->K[k]);
        put(v, at[DAMP], h * b->D[k]);
        put(v, at[FIRST], b->S[k]);
        put(v, at[FIRST_T], b->S[k]);
        put(v, at[SECOND], b->S[k]);
        put(v, at[SECOND_T], b->S[k]);
        put(v, at[TURN], 0.5 * h * b->D[k]);         // W = -tau_v/2
        put(v, at[STATES], h * (b->D[k] - b->S[k])); // what both have is not by the state
    }
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
    return hol_sparse_factor(b->solver, v, 0);
}

hol_status hol_stage_matrix_solve(hol_stage_matrix *b, double dt, const double *rho, double *l)
{
    const hol_system *s = b->s;
    const int nq = s->nq, nc = s->nc, nf = s->nf, nx = s->nx;
    const double h = b->h, *E = b->c->E;
    double *x = b->x, sum = 0;
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
    hol_sparse_solve_refined(b->solver, b->values, x, 2, NULL);
    for (int i = 0; i < b->n; i++) sum += fabs(x[i]);
    if (!isfinite(sum)) return HOL_RECOVERABLE;
    hol_chart_project(b->c, x + nq, l);
    for (int i = 0; i < nx; i++) l[nq + i] = b->size[s->nz + i] * x[2 * nq + nf + i];
    return HOL_OK;
}

void hol_stage_matrix_stats(const hol_stage_matrix *b, hol_sparse_stats *out)
{
    hol_sparse_get_stats(b->solver, out);
}

void hol_stage_matrix_archive(hol_stage_matrix *b, hol_archive *a)
{
    hol_archive_numbers(a, b->values, (size_t)b->pattern.start[b->n]);
    hol_sparse_archive(b->solver, a, b->values);
}
