// Impacts (8.58): one linear complementarity problem for all stops that take part. A stop that is free has the impulse P as its unknown and
// the rate behind the impact as what belongs to it; where a row holds the coordinate it is the other way round: the matrix has the row.
#include "system/impact.h"
#include "linalg/lcp.h"

#include <math.h>
#include <string.h>

#define HELD 1e-12     // of what the same impulse would move alone: less is a coordinate that is held
#define PULLS 1e-9     // of the largest of what parts miss, by energy: less is no pull
#define ROUNDING 1e-13 // of the velocity, by energy: the same

// The direction in which the force acts, on all coordinates (nq).
static void direction(const hol_equations *s, const hol_state *x, const hol_element *e, double *g)
{
    hol_real y[HOL_MAX_Y], none[HOL_MAX_Y], Q[HOL_MAX_Y] = {0};
    memset(g, 0, (size_t)s->nq * sizeof *g);
    hol_element_gather(s->m, e, x->t, x->q, NULL, 1, y, none);
    e->type->force_u(e->data, e->ny, y, Q);
    for (int b = 0, at = 0; b < e->n_bodies; b++) {
        const hol_body *body = &s->m->body[e->body[b]];
        for (int i = 0; i < body->size; i++) g[body->q + i] += hol_re(Q[at++]);
    }
}

// How far an impulse g.g would move the coordinate if nothing held its bodies: of the size of 1/mass.
static double alone(const hol_equations *s, const double *g, const double *M)
{
    double sum = 0;
    for (int i = 0; i < s->nq; i++)
        if (M[s->diagonal[i]] > 0) sum += g[i] * g[i] / M[s->diagonal[i]];
    return sum;
}

static double product(int n, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

// The problem: column k is what unknown k = 1 makes, column n what comes without any.
typedef struct {
    const hol_equations *s;
    hol_impact_part *part;
    int n;
    double least; // unknowns that are no larger are 0, besides those of rates that are no motion
    double *g;    // directions of the rates, away from the stops   (n nq)
    double *move; // dv and mu                                      ((n + 1) (nq + nc))
    double *free; // 1/mass of each part alone, then its scale      (n)
    double *H, *q, *z, *room;
    int *basis;
} problem;

static size_t room_of(const problem *p)
{
    const size_t n = (size_t)p->n, nq = (size_t)p->s->nq, width = nq + (size_t)p->s->nc;
    return n * nq + (n + 1) * width + n + n * n + 2 * n + HOL_LCP_ROOM(n);
}

// All numbers of the problem, in one piece of memory.
static void lay_out(problem *p, double *at)
{
    const size_t n = (size_t)p->n, nq = (size_t)p->s->nq, width = nq + (size_t)p->s->nc;
    p->g = at, at += n * nq;
    p->move = at, at += (n + 1) * width;
    p->free = at, at += n;
    p->H = at, at += n * n;
    p->q = at, at += n;
    p->z = at, at += n;
    p->room = at;
}

static double *column(const problem *p, int k) { return p->move + (size_t)k * (size_t)(p->s->nq + p->s->nc); }
static double *towards(const problem *p, int k) { return p->g + (size_t)k * (size_t)p->s->nq; }

static hol_status mass_matrix(hol_kernel *k, const hol_state *x)
{
    static const hol_coefficients mass_only = {1, 0, 0, 0, HOL_WITH_RATES};
    hol_kernel_forget_accelerations(k);
    hol_status st = hol_kernel_need_room(k);
    if (!st) st = hol_kernel_need(k);
    if (!st) hol_equations_matrix(k->s, x, &mass_only, hol_kkt_values(k->A));
    return st;
}

// One column from its right hand side in k->work.
static hol_status solve_column(hol_kernel *k, problem *p, int i)
{
    const hol_equations *s = k->s;
    const hol_status st = hol_kernel_solve(k, 1, k->work);
    memcpy(column(p, i), k->work, (size_t)s->nq * sizeof(double));
    memcpy(column(p, i) + s->nq, k->work + s->nf, (size_t)s->nc * sizeof(double));
    return st;
}

// What unknown i = 1 makes: an impulse along g, or a rate of 1 with which a row opens. An impulse that nothing lets move leaves rounding.
static hol_status make_column(hol_kernel *k, problem *p, int i)
{
    const hol_equations *s = k->s;
    const hol_impact_part *part = &p->part[i];
    memset(k->work, 0, (size_t)s->n * sizeof *k->work);
    if (part->row < 0)
        memcpy(k->work, towards(p, i), (size_t)s->nq * sizeof *k->work);
    else
        k->work[s->nf + part->row] = -part->sense;
    const hol_status st = solve_column(k, p, i);
    if (!st && part->row < 0 && !(product(s->nq, towards(p, i), column(p, i)) > HELD * p->free[i]))
        memset(column(p, i), 0, (size_t)s->nq * sizeof(double));
    return st;
}

// What belongs to unknown k in a column: the rate along g, or the impulse with which a row presses.
static double answer(const problem *p, int k, const double *move)
{
    const hol_impact_part *part = &p->part[k];
    return part->row < 0 ? product(p->s->nq, towards(p, k), move) : part->sense * move[p->s->nq + part->row];
}

// What counts as nothing, of an unknown and of what belongs to it, by energy.
static double nothing(const problem *p, int i)
{
    const double scale = p->part[i].row < 0 ? p->free[i] : 1 / p->free[i];
    return p->least + scale * p->part[i].slowest;
}

// With one matrix: what each unknown makes, and what the rows miss.
static hol_status make_columns(hol_kernel *k, const hol_state *x, problem *p)
{
    hol_status st = mass_matrix(k, x);
    for (int i = 0; i < p->n && !st; i++) {
        double *g = towards(p, i);
        direction(p->s, x, p->part[i].force, g);
        for (int j = 0; j < p->s->nq; j++) g[j] *= -p->part[i].sense;
        p->free[i] = alone(p->s, g, hol_kkt_values(k->A));
    }
    if (!st) st = hol_kernel_factor(k);
    for (int i = 0; i < p->n && !st; i++) st = make_column(k, p, i);
    if (st) return st;
    memset(k->work, 0, (size_t)p->s->n * sizeof *k->work);
    hol_kernel_missing_velocities(k, x);
    return solve_column(k, p, p->n);
}

// Unknowns and what belongs to them, by energy: H has ones on its diagonal.
static void make_problem(problem *p, double energy)
{
    const int n = p->n;
    double most = 0;
    for (int i = 0; i < n; i++) {
        const hol_impact_part *part = &p->part[i];
        const double own = answer(p, i, column(p, i)), first = answer(p, i, column(p, n));
        p->free[i] = 1 / sqrt(own > 0 ? own : part->row < 0 ? p->free[i] : 1 / p->free[i]);
        p->q[i] = p->free[i] * (part->row < 0 ? first - (1 + part->restitution) * part->rate : first);
        most = fmax(most, fabs(p->q[i]));
    }
    p->least = PULLS * most + ROUNDING * energy;
    for (int i = 0; i < n; i++) {
        const bool comes = p->part[i].row < 0 && p->part[i].rate > 0;
        if (!comes && p->q[i] < 0 && -p->q[i] <= nothing(p, i)) p->q[i] = 0;
        for (int j = 0; j < n; j++) p->H[i * n + j] = p->free[i] * p->free[j] * answer(p, i, column(p, j));
    }
}

// Velocities and impulses with the unknowns that were found.
static void take(const problem *p, hol_state *x, bool *leave)
{
    const int nq = p->s->nq, n = p->n;
    double *sum = column(p, n);
    for (int i = 0; i < n; i++) {
        if (p->part[i].row >= 0 && p->z[i] <= nothing(p, i)) p->z[i] = 0;
        const double z = p->z[i] * p->free[i], *move = column(p, i);
        for (int j = 0; j < nq + p->s->nc; j++) sum[j] += z * move[j];
    }
    for (int j = 0; j < nq; j++) x->v[j] += sum[j];
    *leave = false;
    for (int i = 0; i < n; i++) {
        hol_impact_part *part = &p->part[i];
        const double z = p->z[i] * p->free[i];
        part->impulse = part->row < 0 ? z : answer(p, i, sum);
        part->opens = part->row < 0 ? 0 : z;
        *leave = *leave || part->opens > 0;
    }
}

// The one that nothing can turn around.
static int find_held(const problem *p)
{
    int found = 0;
    for (int i = 1; i < p->n; i++) {
        const bool held = p->H[i * p->n + i] == 0, before = p->H[found * p->n + found] == 0;
        if (held != before ? held && p->q[i] < 0 : p->q[i] < p->q[found]) found = i;
    }
    return found;
}

// Columns, problem, unknowns, and what follows from them.
static hol_status impact(hol_kernel *k, hol_state *x, problem *p, bool *leave, int *held, double *mu)
{
    const hol_equations *s = k->s;
    hol_measure now;
    const hol_status st = make_columns(k, x, p);
    if (st) return st;
    hol_equations_measure_parts(s, x, 0, &now);
    make_problem(p, sqrt(fmax(2 * now.kinetic, 0)));
    if (!hol_lcp_solve(p->n, p->H, p->q, p->z, p->room, p->basis)) {
        *held = find_held(p);
        memcpy(mu, column(p, *held) + s->nq, (size_t)s->nc * sizeof *mu);
        return HOL_RECOVERABLE;
    }
    take(p, x, leave);
    memcpy(mu, column(p, p->n) + s->nq, (size_t)s->nc * sizeof *mu);
    return *leave ? HOL_OK : hol_project_velocities(k, x);
}

hol_status hol_impact(hol_kernel *k, hol_state *x, int n, hol_impact_part *part, bool *leave, int *held,
                      double *mu)
{
    problem p = {.s = k->s, .part = part, .n = n};
    double *numbers = hol_calloc(k->s->ctx, room_of(&p), sizeof *numbers);
    p.basis = hol_calloc(k->s->ctx, (size_t)n + 1, sizeof *p.basis);
    if (numbers) lay_out(&p, numbers);
    const hol_status st = numbers && p.basis ? impact(k, x, &p, leave, held, mu) : HOL_ERR_MEMORY;
    hol_free(numbers);
    hol_free(p.basis);
    return st;
}

hol_status hol_impact_mobility(hol_kernel *k, const hol_state *x, const hol_element *force, double *out)
{
    double *g = hol_calloc(k->s->ctx, 2 * (size_t)k->s->nq, sizeof *g);
    if (!g) return HOL_ERR_MEMORY;
    hol_status st = mass_matrix(k, x);
    direction(k->s, x, force, g);
    const double free = st ? 0 : alone(k->s, g, hol_kkt_values(k->A));
    if (!st) st = hol_kernel_factor(k);
    if (!st) st = hol_kernel_project(k, g, g + k->s->nq);
    *out = st ? free : product(k->s->nq, g, g + k->s->nq);
    if (!(*out > HELD * free)) *out = free;
    hol_free(g);
    return st;
}

hol_status hol_push_find(hol_kernel *k, const hol_state *x, const hol_element *force, hol_push *out)
{
    const hol_equations *s = k->s;
    hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], u[HOL_MAX_ROWS] = {0}, Q[HOL_MAX_Y] = {0};
    double *g = hol_calloc(s->ctx, 2 * (size_t)s->nq, sizeof *g);
    if (!g) return HOL_ERR_MEMORY;
    hol_element_gather(s->m, force, x->t, x->q, x->v, 1, y, w);
    hol_equations_inputs(force, x, u);
    force->type->force(force->data, force->ny, y, w, x->mem + force->mem, u, Q);
    hol_element_scatter(s->m, force, Q, 1, g);
    hol_status st = mass_matrix(k, x);
    if (!st) st = hol_kernel_factor(k);
    if (!st) st = hol_kernel_project(k, g, g + s->nq);
    *out = (hol_push){st ? 0 : product(s->nq, g, g + s->nq), product(s->nq, g, x->a)};
    hol_free(g);
    return st;
}
