// Trimming where there is no equilibrium with other parameters, or one in every place, as that of a body that floats: pose, states and
// parameters by one Newton's method (docs/theory.md, section 20.6)
//
//     [ J  b_P ; y_p  y_P ] (p; P) = (-b; w - y)                                                (20.6)
//
// with b and J those of (20.5). The matrix is regular where J is not, if the parameters hold the pose.
#include "analysis/trim.h"
#include "linalg/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_STEPS = 60, MOST_CUTS = 12 };
#define DIFFERENCE 1e-6 // of a natural size, or of a state or 1
#define FLAT 1e-12      // singular values below this part of the largest
#define FARTHEST 1.0    // natural sizes in one step

typedef struct {
    hol_trimmer *t;
    hol_slice c;   // at t->x with t->p
    hol_state x;   // another pose
    double force;  // what b is measured by [N m]
    double *left;  // of the signals                                                            (n of t)
    double *J, *z; // of (20.6), all parts of their sizes                                 (size^2), (size)
    double *side;  // signals, and what else is left, at the other pose                       (n of t), (nq)
} together;

static int unknowns(const together *g) { return g->c.at.e.r.n + g->t->n; }

static double state_size(const together *g, int k) { return 1 + fabs(g->c.at.x.X[k]); }

// What row i of b is divided by.
static double row_size(const together *g, int i)
{
    const hol_reduced *r = &g->c.at.e.r;
    return i < r->d ? g->force : state_size(g, i - r->d) / r->s->m->time_scale;
}

// Forces and rates, and signals, of which nothing is to be left.
static double merit(const together *g)
{
    const hol_reduced *r = &g->c.at.e.r;
    double sum = 0;
    for (int i = 0; i < r->n; i++) sum += pow(g->c.at.e.left[i] / row_size(g, i), 2);
    for (int i = 0; i < g->t->n; i++) sum += g->left[i] * g->left[i];
    return sqrt(sum);
}

// The model with p at the state x, and what is left there.
static hol_status look(together *g, const hol_fixed *p, const hol_state *x)
{
    hol_trimmer *t = g->t;
    hol_slice_close(&g->c);
    hol_status st = hol_trim_open(t, p, x, &g->c);
    if (!st) st = hol_equilibrium_look(t->o->ctx, &g->c.at.k, &g->c.at.rank, &g->c.at.x, false, &g->c.at.e);
    if (!st) st = hol_trim_miss(t, &g->c, g->left);
    if (!st && g->force == 0) g->force = g->c.at.e.balance.against > 0 ? g->c.at.e.balance.against : 1;
    return st;
}

// Signals by unknown j of p and X: at a pose aside, of the same model.
static hol_status find_signals(together *g, int j, double *column)
{
    const hol_reduced *r = &g->c.at.e.r;
    const hol_equations *s = r->s;
    const size_t nq = (size_t)s->nq;
    double *u = g->side + g->t->n;
    hol_state_copy(s, &g->x, &g->c.at.x);
    for (size_t i = 0; i < nq && j < r->d; i++) g->c.at.x.q[i] += DIFFERENCE * r->N[(size_t)j * nq + i];
    if (j >= r->d) g->c.at.x.X[j - r->d] += DIFFERENCE * state_size(g, j - r->d);
    hol_status st = hol_equilibrium_rest(&g->c.at.k, &g->c.at.x, u);
    if (!st) st = hol_trim_miss(g->t, &g->c, g->side);
    for (int i = 0; i < g->t->n && !st; i++) column[r->n + i] = (g->side[i] - g->left[i]) / DIFFERENCE;
    hol_state_copy(s, &g->c.at.x, &g->x);
    return st;
}

// All by parameter j: of another model at the same pose, which its joints move.
static hol_status find_column(together *g, int j, double *column)
{
    hol_trimmer *t = g->t;
    const hol_reduced *r = &g->c.at.e.r;
    const size_t nq = (size_t)r->s->nq;
    double *u = g->side + t->n;
    hol_slice c = {0};
    double h = HOL_TRIM_DIFFERENCE;
    hol_status st = HOL_RECOVERABLE;
    for (int side = 0; side < 2 && st > 0; side++) { // to the other side where the file ends on one
        h = side ? -HOL_TRIM_DIFFERENCE : HOL_TRIM_DIFFERENCE;
        memcpy(t->trial, t->p, (size_t)t->n * sizeof *t->p);
        t->trial[j].value += h * hol_trim_scale(&t->p[j]);
        st = hol_trim_open(t, t->trial, &g->c.at.x, &c);
    }
    if (!st) st = hol_equilibrium_rest(&c.at.k, &c.at.x, u);
    if (!st) st = hol_trim_miss(t, &c, g->side);
    for (int i = 0; i < r->n && !st; i++) {
        double left = i < r->d ? 0 : c.at.x.z[r->s->m->state[i - r->d].equation];
        for (size_t k = 0; k < nq && i < r->d; k++) left += r->WN[(size_t)i * nq + k] * u[k];
        column[i] = (left - g->c.at.e.left[i]) / row_size(g, i) / h;
    }
    for (int i = 0; i < t->n && !st; i++) column[r->n + i] = (g->side[i] - g->left[i]) / h;
    hol_slice_close(&c);
    return st;
}

// Forces are measured by the stiffest of their rows from here on: a row of (20.6) has no entry above 1.
static void even_rows(together *g)
{
    const int size = unknowns(g);
    for (int i = 0; i < size; i++) {
        double most = 0;
        for (int j = 0; j < size; j++)
            most = hol_larger(fabs(g->J[(size_t)j * (size_t)size + (size_t)i]), most);
        for (int j = 0; j < size && most > 0; j++) g->J[(size_t)j * (size_t)size + (size_t)i] /= most;
        if (most > 0) g->z[i] /= most;
    }
}

// The step of (20.6) into g->z.
static hol_status find_step(together *g)
{
    const hol_reduced *r = &g->c.at.e.r;
    const int size = unknowns(g), n = r->n;
    int rank;
    hol_status st = HOL_OK;
    for (int j = 0; j < size && !st; j++) {
        double *column = g->J + (size_t)j * (size_t)size;
        for (int i = 0; i < n && j < n; i++)
            column[i] = r->A[(size_t)j * (size_t)n + (size_t)i] / row_size(g, i) *
                        (j < r->d ? 1 : state_size(g, j - r->d));
        st = j < n ? find_signals(g, j, column) : find_column(g, j - n, column);
    }
    for (int i = 0; i < size; i++) g->z[i] = i < n ? -g->c.at.e.left[i] / row_size(g, i) : -g->left[i - n];
    if (!st) even_rows(g);
    if (!st) st = hol_dense_least_norm(g->t->o->ctx, size, size, g->J, g->z, FLAT, &rank);
    return st > 0 || hol_all_finite(g->z, (size_t)size) ? st : HOL_RECOVERABLE;
}

// The part of the step that takes no coordinate too far.
static double allowed(const together *g)
{
    const hol_reduced *r = &g->c.at.e.r;
    const size_t nq = (size_t)r->s->nq;
    double most = 0;
    for (size_t i = 0; i < nq; i++) {
        double way = 0;
        for (int j = 0; j < r->d; j++) way += r->N[(size_t)j * nq + i] * g->z[j];
        most = hol_larger(fabs(way) / r->s->q_size[i], most);
    }
    return most > FARTHEST ? FARTHEST / most : 1;
}

// As far along the step as less is left. HOL_RECOVERABLE: nowhere.
static hol_status go(together *g)
{
    hol_trimmer *t = g->t;
    const hol_reduced *r = &g->c.at.e.r;
    const hol_equations *s = t->start->k.s;
    const int n = r->n, d = r->d;
    const size_t nq = (size_t)s->nq;
    const double now = merit(g), force = g->force;
    double factor = allowed(g),
           *way = g->side + t->n; // of the coordinates; the slice is another one at each try
    memset(way, 0, nq * sizeof *way);
    for (int j = 0; j < d; j++)
        for (size_t i = 0; i < nq; i++) way[i] += g->z[j] * r->N[(size_t)j * nq + i];
    for (int k = d; k < n; k++) g->z[k] *= state_size(g, k - d);
    hol_state_copy(s, &t->x, &g->c.at.x);
    for (int cuts = 0; cuts < MOST_CUTS && factor > DBL_EPSILON; factor /= 2, cuts += !t->refused) {
        hol_state_copy(s, &g->x, &t->x);
        for (size_t i = 0; i < nq; i++) g->x.q[i] += factor * way[i];
        for (int k = d; k < n; k++) g->x.X[k - d] += factor * g->z[k];
        memcpy(t->trial, t->p, (size_t)t->n * sizeof *t->p);
        for (int i = 0; i < t->n; i++) t->trial[i].value += factor * g->z[n + i] * hol_trim_scale(&t->p[i]);
        const hol_status st = look(g, t->trial, &g->x);
        if (st == HOL_ERR_MEMORY || st == HOL_ERR_CANCELLED) return st;
        if (st < 0) hol_context_clear(t->o->ctx); // no model with these values
        g->force = force;
        if (st || !(merit(g) < now)) continue;
        memcpy(t->p, t->trial, (size_t)t->n * sizeof *t->p);
        hol_state_copy(s, &t->x, &g->c.at.x);
        return HOL_OK;
    }
    const hol_status st = look(g, t->p, &t->x); // back
    return st < 0 ? st : HOL_RECOVERABLE;
}

hol_status hol_trim_together(hol_trimmer *t)
{
    const hol_equations *s = t->start->k.s;
    const size_t n = (size_t)t->n, nq = (size_t)s->nq, size = (size_t)(s->nq - s->nc + s->nx) + n;
    together g = {.t = t};
    g.J = hol_calloc(t->o->ctx, size * size + size + 2 * n + nq + 1, sizeof *g.J);
    hol_status st = g.J ? hol_state_create(s, &g.x) : HOL_ERR_MEMORY;
    if (!st) {
        g.z = g.J + size * size;
        g.left = g.z + size;
        g.side = g.left + n;
        st = look(&g, t->p, &t->x);
    }
    for (int i = 0; i < MOST_STEPS && !st && merit(&g) > DBL_EPSILON; i++) {
        st = find_step(&g);
        if (!st) st = go(&g);
    }
    const bool found = st >= 0 && g.c.at.e.balanced && hol_trim_size(t, g.left) <= HOL_TRIMMED;
    if (st == HOL_ERR_INTEGRATION) hol_context_clear(t->o->ctx);
    hol_slice_close(&g.c);
    hol_state_destroy(&g.x);
    hol_free(g.J);
    return st < 0 && st != HOL_ERR_INTEGRATION ? st : found ? HOL_OK : HOL_RECOVERABLE;
}
