// Eigenvalues of M_R^-1 K_R without a basis of the null space of Phi_q (docs/theory.md, section 13.5): the slowest and
// fastest vibrations by Lanczos' or Arnoldi's method, each product one solution with a sparse KKT matrix (13.7).
#include "analysis/modes_sparse.h"
#include "system/linear.h"
#include "linalg/vector.h"

#include <math.h>
#include <string.h>

enum { FASTEST = 2, MORE = 8, MOST_SHIFTS = 8 };
#define SELF_ADJOINT 1e-9 // what an operator may lack in symmetry
#define FASTEST_ACCURACY 1e-10
#define SLOWEST_ACCURACY 1e-13
#define FIRST_SHIFT 1e-8 // against the square of omega_max
#define LAST_SHIFT 1e-14
#define CLOSER 1e-2  // factor from one shift to the next
#define AS_NEAR 1e-8 // eigenvalues of the same distance from the shift

// ---- what is not treated --------------------------------------------------------------------------------------

// What such models must not have: velocity constraints, redundancy that nobody has looked at.
static hol_status judge(hol_context *ctx, const hol_equations *s, int count)
{
    const hol_model_data *m = s->m;
    if (count && s->nk)
        return hol_fail(ctx, HOL_ERR_USAGE,
                        "modes of models with velocity constraints are computed by dense matrices only, and "
                        "%d degrees of "
                        "freedom are too many for them",
                        s->nq - s->nc);
    if (s->dependent)
        return hol_fail(
            ctx, HOL_ERR_USAGE,
            "there are no modes and no omega_max: a group of loops has so many equations that its degrees of "
            "freedom are not known");
    for (int k = 0; k < m->n_elements; k++)
        if (m->element[k].type->edges)
            return hol_fail(ctx, HOL_ERR_USAGE,
                            "\"%s\" has a force with edges: its modes and omega_max are computed by dense "
                            "matrices only, and "
                            "%d degrees of freedom are too many for them",
                            m->element[k].name, s->nq - s->nc);
    return HOL_OK;
}

// ---- creation -------------------------------------------------------------------------------------------------

hol_status hol_modes_sparse_create(hol_context *ctx, hol_reduced *r, int count, hol_modes_sparse *v)
{
    hol_equations *s = r->s;
    memset(v, 0, sizeof *v);
    v->ctx = ctx;
    v->s = s;
    v->r = r;
    hol_status st = judge(ctx, s, count);
    if (st) return st;
    v->room = count ? 2 * count + MORE : 0;
    const size_t nonzeros = (size_t)s->pattern.start[s->n], nq = (size_t)s->nq, n = (size_t)s->n,
                 values = count ? nonzeros : 0, room = (size_t)v->room;
    v->memory = hol_calloc(ctx, 2 * nonzeros + values + 2 * nq * room + 2 * nq + 1 + n, sizeof *v->memory);
    if (!v->memory) return HOL_ERR_MEMORY;
    v->K = v->memory;
    v->D = v->K + nonzeros;
    v->A1 = v->D + nonzeros;
    v->basis = v->A1 + values;
    v->Mbasis = v->basis + nq * room;
    v->direction = v->Mbasis + nq * room;
    v->z = v->direction + nq + 1;
    v->work = v->z + nq;
    if (count && !(v->A = hol_kkt_create(ctx, &s->pattern, s->nf))) return HOL_ERR_MEMORY;
    return hol_eigen_create(ctx, s->nq, count > FASTEST ? count : FASTEST, &v->eigen);
}

void hol_modes_sparse_destroy(hol_modes_sparse *v)
{
    hol_kkt_destroy(v->A);
    hol_eigen_destroy(&v->eigen);
    hol_free(v->memory);
    memset(v, 0, sizeof *v);
}

// ---- operators ------------------------------------------------------------------------------------------------

// y (nf) += (columns of the coordinates) x
static void add_times(const hol_equations *s, const double *values, const double *x, double *y)
{
    for (int j = 0; j < s->nq; j++)
        for (int k = s->pattern.start[j]; k < s->pattern.start[j + 1]; k++)
            if (s->pattern.index[k] < s->nf) y[s->pattern.index[k]] += values[k] * x[j];
}

static void metric(void *user, const double *x, double *y)
{
    const hol_modes_sparse *v = user;
    hol_reduced_mass_times(v->r, x, y);
}

// M_R^-1 K_R x: how accelerations change, without those parts that constraints add orthogonally. x is projected first: what
// rounding has left of it in the kernel of M would not be seen by the norm, and grow.
static hol_status stiffness(void *user, const double *x, double *y)
{
    hol_modes_sparse *v = user;
    const hol_equations *s = v->s;
    double *b = v->work;
    memcpy(v->direction, x, (size_t)s->nq * sizeof *x);
    hol_status st = hol_reduced_project(v->r, v->direction);
    memset(b, 0, (size_t)s->n * sizeof *b);
    add_times(v->s, v->K, v->direction, b);
    if (!st && v->follows) {
        st = hol_reduced_follow(v->r, v->x, v->direction, v->z);
        add_times(v->s, v->D, v->z, b);
    }
    if (!st) st = hol_kernel_solve(v->r->k, 1, b);
    memcpy(y, b, (size_t)s->nq * sizeof *y);
    return st;
}

// (K_R - shift M_R)^-1 M_R x, orthogonal to the directions found.
static hol_status inverse(void *user, const double *x, double *y)
{
    hol_modes_sparse *v = user;
    const hol_equations *s = v->s;
    const size_t nq = (size_t)s->nq;
    double *b = v->work;
    memset(b, 0, (size_t)s->n * sizeof *b);
    add_times(s, v->A1, x, b);
    const hol_status st = hol_kkt_solve(v->A, 1, b, 1);
    memcpy(y, b, nq * sizeof *y);
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < v->found; k++) {
            const double f = hol_vector_dot(s->nq, v->Mbasis + (size_t)k * nq, y);
            for (size_t i = 0; i < nq; i++) y[i] -= f * v->basis[(size_t)k * nq + i];
        }
    return st;
}

static double length(hol_modes_sparse *v, const double *x, double *weighed)
{
    metric(v, x, weighed);
    return sqrt(fmax(0, hol_vector_dot(v->s->nq, x, weighed)));
}

// Tried with two random directions. They stand where the basis will be.
static hol_status try_symmetry(hol_modes_sparse *v, const hol_operator *op, bool *symmetric)
{
    const int nq = v->s->nq;
    double *weighed = v->eigen.basis, *side[2], *image[2], size[2], product[2];
    hol_random random = {1234};
    for (int k = 0; k < 2; k++) {
        side[k] = weighed + (size_t)(1 + 2 * k) * (size_t)nq;
        image[k] = side[k] + nq;
        for (int i = 0; i < nq; i++) side[k][i] = hol_random_uniform(&random) * v->s->q_size[i];
        hol_status st = hol_reduced_project(v->r, side[k]);
        if (!st) st = op->apply(v, side[k], image[k]);
        if (st) return st;
        size[k] = length(v, side[k], weighed);
    }
    for (int k = 0; k < 2; k++) {
        size[!k] *= length(v, image[k], weighed);
        product[k] = hol_vector_dot(nq, side[!k], weighed);
    }
    *symmetric = fabs(product[0] - product[1]) <= SELF_ADJOINT * (size[0] + size[1]);
    return HOL_OK;
}

// ---- the fastest ----------------------------------------------------------------------------------------------

static void prepare(hol_modes_sparse *v, const hol_state *x)
{
    static const hol_coefficients stiff = {0, 1, 1, 0, HOL_WITH_ALL}, damp = {0, 0, 0, 1, HOL_WITH_ALL};
    const hol_equations *s = v->s;
    v->x = x;
    hol_equations_matrix(v->s, v->x, &stiff, v->K);
    hol_equations_matrix(v->s, v->x, &damp, v->D);
    v->follows = s->nk > 0;
    for (int i = 0; i < s->nq; i++) v->follows = v->follows || x->v[i] != 0;
}

hol_status hol_modes_sparse_fastest(hol_modes_sparse *v, const hol_state *x, double *omega)
{
    const hol_operator op = {v, stiffness, metric};
    bool symmetric = false;
    prepare(v, x);
    hol_status st = try_symmetry(v, &op, &symmetric);
    if (!st)
        st = hol_eigen_find(&v->eigen, &op, symmetric, HOL_EIGEN_RIGHTMOST, symmetric ? 1 : FASTEST,
                            FASTEST_ACCURACY);
    *omega = 0;
    for (int k = 0; k < v->eigen.found && !st; k++)
        if (v->eigen.re[k] > 0) *omega = fmax(*omega, sqrt(hypot(v->eigen.re[k], v->eigen.im[k])));
    return st;
}

// ---- the slowest ----------------------------------------------------------------------------------------------

static hol_status factor(hol_modes_sparse *v)
{
    const hol_coefficients c = {-v->shift, 1, 1, 0, HOL_WITH_ALL};
    hol_equations_matrix(v->s, v->x, &c, hol_kkt_values(v->A));
    return hol_kkt_factor(v->A, 0);
}

// M and the accelerations in users' equations: what the shift is multiplied by.
static void fill_inertia(hol_modes_sparse *v)
{
    static const hol_coefficients one = {1, 0, 0, 0, HOL_WITH_ALL}, none = {0, 0, 0, 0, HOL_WITH_ALL};
    double *rest = hol_kkt_values(v->A); // free until the first shift
    hol_equations_matrix(v->s, v->x, &none, rest);
    hol_equations_matrix(v->s, v->x, &one, v->A1);
    for (int k = 0; k < v->s->pattern.start[v->s->n]; k++) v->A1[k] -= rest[k];
}

static hol_status append(hol_modes_sparse *v)
{
    const hol_eigen *e = &v->eigen;
    const size_t nq = (size_t)v->s->nq;
    if (v->found + e->found > v->room) return HOL_RECOVERABLE;
    memcpy(v->basis + (size_t)v->found * nq, e->basis, (size_t)e->found * nq * sizeof *v->basis);
    for (int k = 0; k < e->found; k++, v->found++)
        metric(v, v->basis + (size_t)v->found * nq, v->Mbasis + (size_t)v->found * nq);
    return HOL_OK;
}

// Eigenvalues far below the shift cannot be told apart: it is made smaller until one of them is as large.
static hol_status find_near(hol_modes_sparse *v, const hol_operator *op, int count, double least,
                            bool *symmetric)
{
    hol_eigen *e = &v->eigen;
    for (int trial = 0; trial < MOST_SHIFTS; trial++) {
        double most = 0;
        hol_status st = factor(v);
        if (!st) st = try_symmetry(v, op, symmetric);
        if (!st) st = hol_eigen_find(e, op, *symmetric, HOL_EIGEN_LARGEST, count, SLOWEST_ACCURACY);
        if (st < 0) return st;
        for (int k = 0; k < e->found && !st; k++) { // 1/(eigenvalue - shift)
            const double size = e->re[k] * e->re[k] + e->im[k] * e->im[k];
            most = fmax(most, hypot(e->re[k] / size + v->shift, e->im[k] / size));
        }
        if (!st && (most >= -v->shift || -v->shift <= least)) return HOL_OK;
        v->shift *= st ? 1.7 : CLOSER; // an eigenvalue at the shift
    }
    return HOL_RECOVERABLE;
}

// Lanczos' method may miss one of several equal eigenvalues. What is left is looked at until it is farther than all found.
static hol_status find_missed(hol_modes_sparse *v, const hol_operator *op, bool symmetric)
{
    const hol_eigen *e = &v->eigen;
    double farthest = HOL_INF;
    for (int k = 0; k < e->found; k++) farthest = fmin(farthest, hypot(e->re[k], e->im[k]));
    hol_status st = append(v);
    while (!st && v->found < v->s->nq - v->s->nc) {
        double nearest = 0;
        st = hol_eigen_find(&v->eigen, op, symmetric, HOL_EIGEN_LARGEST, symmetric ? 1 : FASTEST,
                            SLOWEST_ACCURACY);
        for (int k = 0; k < e->found; k++) nearest = fmax(nearest, hypot(e->re[k], e->im[k]));
        if (st || nearest <= farthest * (1 + AS_NEAR)) break;
        st = append(v);
    }
    return st;
}

hol_status hol_modes_sparse_slowest(hol_modes_sparse *v, int count, double omega_max)
{
    const hol_operator op = {v, inverse, metric};
    const double T = v->s->m->time_scale, stiffest = omega_max > 0 ? omega_max * omega_max : 1 / (T * T);
    bool symmetric = false;
    fill_inertia(v);
    v->found = 0;
    v->shift = -FIRST_SHIFT * stiffest;
    hol_status st = find_near(v, &op, count, LAST_SHIFT * stiffest, &symmetric);
    return st ? st : find_missed(v, &op, symmetric);
}
