// Local (minimal) coordinates around a point: a partition of the coordinates, or a null-space basis of Phi_q that is
// orthonormal in natural sizes (docs/theory.md, section 9.1; formulas in chart.h). Here are the choice of a partition,
// the basis, and positions and velocities for given coordinates, all by kernels at the point.
#include "integrator/chart.h"
#include "integrator/crossing.h"
#include "system/constraint_jacobian.h"
#include "linalg/dense.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

enum { SLOW_CORRECTIONS = 12 };
#define WORN 0.1 // of the pivot ratio at the choice
#define SINGULAR                                                                                             \
    1e-12 // pivot ratio below which coordinates are not a partition; 1e-6 is that of a good one of a stiff vehicle
#define HINTED 1e-3 // weight of coordinates that should stay independent
#define WISHED 1e-6 // and of those the user has named

// ---- creation -------------------------------------------------------------------------------------------------

// Angles on which rotational springs act should be coordinates of the state: stiff forces are linear in them.
static void find_hints(hol_chart *c)
{
    const hol_model_data *m = c->s->m;
    for (int i = 0; i < m->nq; i++) c->hint[i] = 1;
    for (int k = m->n_bodies; k < m->n_elements; k++) {
        const hol_element *e = &m->element[k];
        for (int i = 0; i < e->n_bodies && e->type->turns; i++) {
            const hol_body *b = &m->body[e->body[i]];
            if (b->frame == HOL_FRAME_PLANAR) c->hint[b->q + 2] = HINTED;
        }
    }
}

hol_status hol_chart_create(hol_context *ctx, hol_equations *s, unsigned kind, hol_chart *c)
{
    const bool implicit = kind & HOL_CHART_NO_BASIS;
    memset(c, 0, sizeof *c);
    c->s = s;
    c->ctx = ctx;
    c->tangent = kind & HOL_CHART_TANGENT;
    c->implicit = implicit;
    c->d = s->nq - s->nc;
    c->size = implicit ? s->nq : c->d;
    const size_t nq = (size_t)s->nq, d = (size_t)c->d;
    c->index = hol_calloc(ctx, d + 1, sizeof *c->index);
    c->E = hol_calloc(ctx, nq, sizeof *c->E);
    c->hint = hol_calloc(ctx, nq, sizeof *c->hint);
    c->wish = hol_calloc(ctx, nq, sizeof *c->wish);
    c->q = hol_calloc(ctx, nq, sizeof *c->q);
    c->N = implicit ? NULL : hol_calloc(ctx, nq * d + 1, sizeof *c->N);
    c->drift = hol_calloc(ctx, nq, sizeof *c->drift);
    c->positions = c->velocities = hol_kernel_of(s);
    c->work = hol_calloc(ctx, HOL_CHART_COLUMNS * (size_t)s->n, sizeof *c->work);
    if (!c->index || !c->E || !c->hint || !c->wish || !c->q || !(c->N || implicit) || !c->drift || !c->work)
        return HOL_ERR_MEMORY;
    find_hints(c);
    for (int i = 0; i < s->nq; i++) c->wish[i] = 1;
    const hol_status st = hol_kernel_need(&c->positions);
    return !st && s->nk ? hol_kernel_need_like(&c->velocities, &c->positions) : st;
}

void hol_chart_destroy(hol_chart *c)
{
    if (!c->s) return;
    hol_kernel_drop(&c->positions);
    hol_kernel_drop(&c->velocities);
    void *const arrays[] = {c->index, c->E, c->hint, c->wish, c->q, c->N, c->drift, c->work};
    for (int i = 0; i < HOL_COUNT(arrays); i++) hol_free(arrays[i]);
    memset(c, 0, sizeof *c);
}

// ---- choice ---------------------------------------------------------------------------------------------------

// Coordinate of a name such as rod.theta, -1: there is none.
static int find_coordinate(const hol_model_data *m, const char *name, size_t length)
{
    static const char *const words[] = {"x", "y", "z", "e0", "e1", "e2", "e3"};
    for (int k = 0; k < m->n_bodies; k++) {
        const hol_body *b = &m->body[k];
        const size_t n = strlen(b->name);
        if (n + 1 >= length || strncmp(b->name, name, n) != 0 || name[n] != '.') continue;
        for (int i = 0; i < b->size; i++) {
            const char *word = b->frame == HOL_FRAME_PLANAR && i == 2 ? "theta" : words[i];
            if (strlen(word) == length - n - 1 && strncmp(word, name + n + 1, length - n - 1) == 0)
                return b->q + i;
        }
    }
    return -1;
}

hol_status hol_chart_wish(hol_chart *c, const char *names)
{
    static const char between[] = " ,;\t\n";
    for (const char *p = names + strspn(names, between); *p; p += strspn(p, between)) {
        const size_t length = strcspn(p, between);
        const int i = find_coordinate(c->s->m, p, length);
        if (i < 0)
            return hol_fail(
                c->ctx, HOL_ERR_MODEL,
                "independent: no coordinate \"%.*s\"; they are called body.x, body.y, body.theta, ..",
                (int)length, p);
        c->wish[i] = WISHED;
        p += length;
    }
    return HOL_OK;
}

// The columns that a pivoted QR takes are the dependent coordinates, the others the independent ones; small columns are the
// last to be taken.
static hol_status pick(hol_chart *c, const hol_state *x, const double *weight, double *A, hol_dense_qr *qr)
{
    const hol_equations *s = c->s;
    hol_status st = HOL_OK;
    if (s->nc) {
        hol_constraint_jacobian(s, x, weight, A);
        st = hol_dense_qr_factor(c->ctx, qr, s->nc, s->nq, A, 1e-12);
    }
    for (int i = 0; i < s->nq; i++) c->E[i] = 1;
    for (int k = 0; k < s->nc && !st; k++) c->E[qr->pivot[k]] = 0;
    if (!st && s->nc && qr->rank < s->nc) st = HOL_RECOVERABLE;
    int n = 0;
    for (int i = 0; i < s->nq && !st; i++)
        if (c->E[i] > 0) c->index[n++] = i;
    return st;
}

// A partition that has worn out (in_use) would be chosen again as long as its coordinates are preferred.
static hol_status choose_partition(hol_chart *c, const hol_state *x, bool in_use)
{
    const hol_equations *s = c->s;
    const size_t nq = (size_t)s->nq, size = (size_t)c->d * sizeof *c->index;
    hol_dense_qr qr;
    double *A = hol_calloc(c->ctx, ((size_t)s->nc + 1) * nq + 1, sizeof *A),
           *weight = A ? A + (size_t)s->nc * nq : NULL;
    int *old = hol_calloc(c->ctx, (size_t)c->d + 1, sizeof *old);
    hol_status st = A && old ? hol_dense_qr_create(c->ctx, &qr, s->nc ? s->nc : 1, s->nq) : HOL_ERR_MEMORY;
    if (!st) {
        memcpy(old, c->index, size);
        for (int level = 0; level < 3; level++) {
            for (int i = 0; i < s->nq; i++)
                weight[i] = level == 0 ? c->hint[i] * c->wish[i] : level == 1 ? c->hint[i] : 1;
            st = pick(c, x, weight, A, &qr);
            if (st || !in_use || memcmp(old, c->index, size) != 0) break;
        }
        hol_dense_qr_destroy(&qr);
    }
    hol_free(A);
    hol_free(old);
    return st;
}

// d random directions; hol_chart_set makes an orthonormal basis of them.
static void first_basis(hol_chart *c)
{
    hol_random r = {4711};
    for (int i = 0; i < c->s->nq; i++) c->E[i] = 1 / (c->s->q_size[i] * c->s->q_size[i]);
    for (int j = 0; j < c->d && c->N; j++)
        for (int i = 0; i < c->s->nq; i++)
            c->N[i + (size_t)j * (size_t)c->s->nq] = hol_random_uniform(&r) * c->s->q_size[i];
}

hol_status hol_chart_choose(hol_chart *c, const hol_state *x)
{
    hol_status st = HOL_OK;
    const bool in_use = c->pivot0 > 0;
    c->pivot0 = HOL_INF; // fresh pivots
    if (c->tangent)
        first_basis(c);
    else
        st = choose_partition(c, x, in_use);
    if (!st) st = hol_chart_set(c, x);
    c->pivot0 = c->pivot;
    c->growth0 = c->growth;
    return st;
}

hol_status hol_chart_begin(hol_chart *c, hol_kernel *k, const hol_state *x, bool *beside)
{
    hol_state next = {0};
    hol_status st = hol_chart_choose(c, x);
    *beside = st > 0;
    if (!*beside) return st;
    st = hol_crossing_beside(k, x, &next);
    if (!st) st = hol_chart_choose(c, &next);
    hol_state_destroy(&next);
    return st;
}

double hol_chart_growth(const hol_chart *c)
{
    const hol_equations *s = c->s;
    hol_random r = {4711};
    double *b = c->work;
    memset(b, 0, (size_t)s->n * sizeof *b);
    for (int i = 0; i < s->nq; i++)
        if (c->E[i] > 0) b[i] = s->q_size[i] * (hol_random_uniform(&r) > 0 ? 1 : -1);
    hol_kkt_solve(c->positions.A, 1, b, 0);
    return hol_equations_coordinate_norm(s, b);
}

bool hol_chart_is_worn(const hol_chart *c)
{
    if (c->tangent) return false;
    return c->pivot < WORN * c->pivot0 || WORN * c->growth > c->growth0 ||
           c->most_corrections > SLOW_CORRECTIONS;
}

// ---- the point ------------------------------------------------------------------------------------------------

// Both matrices, E on the diagonal. No regularisation: what is singular asks for another partition.
static hol_status factor(hol_chart *c, const hol_state *x)
{
    hol_kernel *k = &c->positions;
    hol_status st = hol_kernel_fill(k, x, 0, c->E);
    if (st) return st;
    st = hol_kkt_factor(k->A, 0);
    if (st || hol_kkt_rcond(k->A) < WORN * c->pivot0) {
        hol_kkt_forget_pivots(k->A);
        st = hol_kkt_factor(k->A, 0);
    }
    c->pivot = hol_kkt_rcond(k->A);
    if (!st && c->s->nk) st = hol_kernel_fill(&c->velocities, x, HOL_WITH_RATES, c->E);
    return !st && c->s->nk ? hol_kkt_factor(c->velocities.A, 0) : st;
}

hol_kernel *hol_chart_velocity_kernel(hol_chart *c) { return c->s->nk ? &c->velocities : &c->positions; }

// Column j of a partition's N: 1 in its own coordinate, the dependent ones follow.
static void partition_column(hol_chart *c, int j, const double *b)
{
    const hol_equations *s = c->s;
    memcpy(c->N + (size_t)j * (size_t)s->nq, b, (size_t)s->nq * sizeof *b);
    for (int i = 0; i < s->nq; i++)
        c->growth = fmax(c->growth, fabs(b[i]) * s->q_size[c->index[j]] / s->q_size[i]);
}

// The columns of N of a partition, a few at a time, and how fast others move for a unit of the independent
// coordinates.
static hol_status partition_basis(hol_chart *c)
{
    const size_t n = (size_t)c->s->n;
    double *b = c->work;
    hol_status st = HOL_OK;
    c->growth = 0;
    for (int j = 0; j < c->d && !st; j += HOL_CHART_COLUMNS) {
        const int cols = c->d - j < HOL_CHART_COLUMNS ? c->d - j : HOL_CHART_COLUMNS;
        memset(b, 0, n * (size_t)cols * sizeof *b);
        for (int k = 0; k < cols; k++) b[(size_t)k * n + (size_t)c->index[j + k]] = 1;
        st = hol_kernel_solve(&c->positions, cols, b);
        for (int k = 0; k < cols && !st; k++) partition_column(c, j + k, b + (size_t)k * n);
    }
    return st;
}

static double dot(const hol_chart *c, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < c->s->nq; i++) sum += a[i] * c->E[i] * b[i];
    return sum;
}

// Orthonormal to those before it: Gram-Schmidt, twice for the sake of rounding.
static hol_status tangent_column(hol_chart *c, int j, double *b)
{
    const size_t nq = (size_t)c->s->nq;
    double *column = c->N + (size_t)j * nq;
    const double before = sqrt(dot(c, b, b));
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < j; k++) {
            const double *other = c->N + (size_t)k * nq;
            const double f = dot(c, other, b);
            for (size_t i = 0; i < nq; i++) b[i] -= f * other[i];
        }
    const double size = sqrt(dot(c, b, b));
    if (!(size > 1e-10 * before)) return HOL_RECOVERABLE;
    for (size_t i = 0; i < nq; i++) column[i] = b[i] / size;
    return HOL_OK;
}

// The old basis projected onto ker Phi_q and made orthonormal.
static hol_status tangent_basis(hol_chart *c)
{
    const size_t n = (size_t)c->s->n, nq = (size_t)c->s->nq;
    double *b = c->work;
    hol_status st = HOL_OK;
    for (int j = 0; j < c->d && !st; j += HOL_CHART_COLUMNS) {
        const int cols = c->d - j < HOL_CHART_COLUMNS ? c->d - j : HOL_CHART_COLUMNS;
        memset(b, 0, n * (size_t)cols * sizeof *b);
        for (size_t k = 0; k < (size_t)cols; k++)
            for (size_t i = 0; i < nq; i++) b[k * n + i] = c->E[i] * c->N[((size_t)j + k) * nq + i];
        st = hol_kernel_solve(&c->positions, cols, b); // the nearest vectors of the kernel
        for (int k = 0; k < cols && !st; k++) st = tangent_column(c, j + k, b + (size_t)k * n);
    }
    return st;
}

static hol_status find_drift(hol_chart *c, const hol_state *x)
{
    hol_equations *s = c->s;
    double *all = c->positions.work + s->n, *r = all + s->m->nc;
    memset(c->drift, 0, (size_t)s->nq * sizeof *c->drift);
    hol_equations_phi_dot_all(s, x->t, x->q, c->drift, all); // Phi_t: at rest
    for (int i = 0; i < s->nc; i++) r[i] = -all[s->model_row[i]];
    return hol_kernel_lift(&c->positions, s->nc, r, c->drift);
}

hol_status hol_chart_set(hol_chart *c, const hol_state *x)
{
    memcpy(c->q, x->q, (size_t)c->s->nq * sizeof *c->q);
    c->t = x->t;
    c->most_corrections = 0;
    hol_status st = factor(c, x);
    if (!st && !c->tangent && c->pivot < SINGULAR) st = HOL_RECOVERABLE;
    if (!st && c->N) st = c->tangent ? tangent_basis(c) : partition_basis(c);
    return st ? st : find_drift(c, x);
}

// ---- use ------------------------------------------------------------------------------------------------------

// The vector of the kernel that is nearest to v.
static void project_implicitly(hol_chart *c, const double *v, double *p)
{
    for (int i = 0; i < c->s->nq; i++) p[i] = c->E[i] * v[i];
    hol_kernel_project(&c->positions, p, p);
}

void hol_chart_project(hol_chart *c, const double *v, double *p)
{
    if (c->implicit) {
        project_implicitly(c, v, p);
        return;
    }
    for (int j = 0; j < c->d; j++)
        p[j] = c->tangent ? dot(c, c->N + (size_t)j * (size_t)c->s->nq, v) : v[c->index[j]];
}

void hol_chart_embed(const hol_chart *c, const double *p, double *v)
{
    const int nq = c->s->nq;
    if (c->implicit) {
        memcpy(v, p, (size_t)nq * sizeof *v);
        return;
    }
    memset(v, 0, (size_t)nq * sizeof *v);
    for (int j = 0; j < c->d; j++) {
        const double *column = c->N + (size_t)j * (size_t)nq;
        for (int i = 0; i < nq; i++) v[i] += p[j] * column[i];
    }
}

// Far from the point corrections may be slow; the step control shall decide, not they.
static const hol_closing closing = {.most = 25, .slow = 2, .loose = 1e3};

hol_status hol_chart_positions(hol_chart *c, hol_state *x, const double *y)
{
    int count = 0;
    hol_chart_embed(c, y, x->q);
    for (int i = 0; i < c->s->nq; i++) x->q[i] += c->q[i] + c->drift[i] * (x->t - c->t);
    const hol_status st = hol_kernel_positions(&c->positions, x, &closing, &count);
    if (count > c->most_corrections) c->most_corrections = count;
    return st;
}

hol_status hol_chart_velocities(hol_chart *c, hol_state *x, const double *w)
{
    int count = 0;
    hol_chart_embed(c, w, x->v);
    for (int i = 0; i < c->s->nq; i++) x->v[i] += c->drift[i];
    return hol_kernel_velocities(hol_chart_velocity_kernel(c), x, &closing, &count);
}

void hol_chart_archive(hol_chart *c, hol_archive *a)
{
    const hol_equations *s = c->s;
    const size_t nq = (size_t)s->nq;
    for (int i = 0; i < c->d; i++) hol_archive_int(a, &c->index[i], 0, s->nq - 1);
    hol_archive_numbers(a, c->E, nq);
    if (c->N) hol_archive_numbers(a, c->N, nq * (size_t)c->d);
    hol_archive_numbers(a, c->drift, nq);
    hol_archive_numbers(a, c->q, nq);
    hol_kernel_archive(&c->positions, a);
    hol_kernel_archive(&c->velocities, a);
    HOL_ARCHIVE(a, c->t);
    HOL_ARCHIVE(a, c->pivot0);
    HOL_ARCHIVE(a, c->pivot);
    HOL_ARCHIVE(a, c->growth0);
    HOL_ARCHIVE(a, c->growth);
    hol_archive_int(a, &c->most_corrections, 0, INT_MAX / 2);
}
