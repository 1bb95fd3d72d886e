// The equations of motion linearised on the constraint manifold, (p; w; X)' = A (p; w; X) (docs/theory.md, section
// 13.1; formulas in reduced.h): bases N and V of the null spaces by projection, then one right-hand side of linear.c
// for each direction.
#include "analysis/reduced.h"
#include "system/linear.h"
#include "linalg/vector.h"

#include <math.h>
#include <string.h>

static size_t nonzeros(const hol_equations *s) { return (size_t)s->pattern.start[s->n]; }

// Room for the bases and matrices, by the number of directions.
static hol_status create(hol_context *ctx, hol_kernel *k, bool natural, int directions, hol_reduced *r)
{
    const hol_equations *s = k->s;
    memset(r, 0, sizeof *r);
    r->k = k;
    r->s = k->s;
    r->positions = r->velocities = hol_kernel_of(k->s);
    r->natural = natural;
    r->d = directions;
    r->e = r->d > s->nk ? r->d - s->nk : 0;
    r->n = r->d + r->e + s->nx;
    const size_t nq = (size_t)s->nq, d = (size_t)r->d, e = s->nk ? (size_t)r->e : 0, n = (size_t)r->n,
                 own = natural ? nonzeros(s) : 0, nx = (size_t)s->nx, all = (size_t)s->n;
    r->memory = hol_calloc(ctx, 3 * nq * d + 2 * nq * e + n * n + own + n * (2 * nq + 1 + nx + all) + all + 1,
                           sizeof *r->memory);
    if (!r->memory) return HOL_ERR_MEMORY;
    double *p = r->memory;
    r->N = p, p += nq * d;
    r->WN = p, p += nq * d;
    r->Z = p, p += nq * d;
    r->V = s->nk ? p : r->N, p += nq * e;
    r->WV = s->nk ? p : r->WN, p += nq * e;
    r->A = p, p += n * n;
    r->mass = p, p += own;
    r->dq = p, p += n * (nq + 1);
    r->dv = p, p += n * nq;
    r->dX = p, p += n * nx;
    r->out = p, p += n * all;
    r->work = p;
    const hol_status st = hol_kernel_need(&r->positions);
    if (st) return st;
    r->metric = hol_kkt_values(r->positions.A);
    if (!natural) r->mass = r->metric;
    return s->nk ? hol_kernel_need(&r->velocities) : HOL_OK;
}

hol_status hol_reduced_create(hol_context *ctx, hol_kernel *k, bool natural, hol_reduced *r)
{
    return create(ctx, k, natural, k->s->nq - k->s->nc, r);
}

hol_status hol_reduced_create_part(hol_context *ctx, hol_kernel *k, int directions, hol_reduced *r)
{
    return create(ctx, k, false, directions, r);
}

hol_status hol_reduced_create_at_rest(hol_context *ctx, hol_kernel *k, hol_reduced *r)
{
    const hol_status st = create(ctx, k, true, k->s->nq - k->s->nc, r);
    r->rest = true;
    r->e = 0;
    r->n = r->d + k->s->nx;
    return st;
}

void hol_reduced_destroy(hol_reduced *r)
{
    hol_kernel_drop(&r->positions);
    hol_kernel_drop(&r->velocities);
    hol_free(r->noise);
    hol_free(r->memory);
    memset(r, 0, sizeof *r);
}

// ---- the metric -----------------------------------------------------------------------------------------------

// The block of the coordinates times x.
static void times(const hol_equations *s, const double *values, const double *x, double *y)
{
    memset(y, 0, (size_t)s->nq * sizeof *y);
    for (int j = 0; j < s->nq; j++)
        for (int k = s->pattern.start[j]; k < s->pattern.start[j + 1]; k++)
            if (s->pattern.index[k] < s->nq) y[s->pattern.index[k]] += values[k] * x[j];
}

void hol_reduced_mass_times(const hol_reduced *r, const double *x, double *y) { times(r->s, r->mass, x, y); }

static hol_kernel *velocity_kernel(hol_reduced *r) { return r->s->nk ? &r->velocities : &r->positions; }

hol_status hol_reduced_project(hol_reduced *r, double *b)
{
    times(r->s, r->metric, b, r->work);
    return hol_kernel_project(velocity_kernel(r), r->work, b);
}

// Vector j of B, projected and made orthonormal to those before: Gram-Schmidt, twice for the sake of rounding.
static hol_status add_direction(hol_reduced *r, hol_kernel *k, int j, double *B, double *WB)
{
    const hol_equations *s = r->s;
    const int nq = s->nq;
    double *b = B + (size_t)j * (size_t)nq, *Wb = WB + (size_t)j * (size_t)nq, before = 0;
    for (int pass = 0; pass < 2; pass++) {
        times(s, r->metric, b, Wb);
        hol_status st = hol_kernel_project(k, Wb, b); // the second time for what the first has lost in digits
        if (st) return st;
        times(s, r->metric, b, Wb);
        if (pass == 0) before = hol_vector_dot(nq, b, Wb);
        for (int o = 0; o < j; o++) {
            const double f = hol_vector_dot(nq, WB + (size_t)o * (size_t)nq, b);
            for (int i = 0; i < nq; i++) b[i] -= f * B[(size_t)o * (size_t)nq + (size_t)i];
        }
    }
    times(s, r->metric, b, Wb);
    const double size = hol_vector_dot(nq, b, Wb);
    if (!(size > 1e-20 * before)) return HOL_RECOVERABLE;
    for (int i = 0; i < nq; i++) {
        b[i] /= sqrt(size);
        Wb[i] /= sqrt(size);
    }
    return HOL_OK;
}

// Random directions, the same every time.
static hol_status find_basis(hol_reduced *r, hol_kernel *k, int count, double *B, double *WB)
{
    const hol_equations *s = r->s;
    hol_random random = {4711};
    hol_status st = HOL_OK;
    for (int j = 0; j < count && !st; j++) {
        double *b = B + (size_t)j * (size_t)s->nq;
        for (int i = 0; i < s->nq; i++) b[i] = hol_random_uniform(&random) * s->q_size[i];
        st = add_direction(r, k, j, B, WB);
    }
    return st;
}

// ---- the matrix -----------------------------------------------------------------------------------------------

hol_status hol_reduced_follow(hol_reduced *r, const hol_state *x, const double *n, double *z)
{
    return hol_reduced_follow_driven(r, x, n, -1, 0, z);
}

hol_status hol_reduced_follow_driven(hol_reduced *r, const hol_state *x, const double *n, int row,
                                     double more, double *z)
{
    hol_equations *s = r->s;
    double *b = r->work;
    memset(b, 0, (size_t)s->n * sizeof *b);
    hol_linear_velocities(s, x, 1, n, s->nc + s->nk, b + s->nf);
    hol_linear_rates(s, x, 1, n, NULL, s->nc + s->nk, b + s->nf + s->nc);
    if (row >= 0) b[s->nf + row] += more;
    const hol_status st = hol_kernel_solve(velocity_kernel(r), 1, b);
    memcpy(z, b, (size_t)s->nq * sizeof *z);
    return st;
}

// d changes of p, e of w, nx of users' states.
static hol_status find_directions(hol_reduced *r, const hol_state *x)
{
    const hol_equations *s = r->s;
    const size_t nq = (size_t)s->nq, n = (size_t)r->n, d = (size_t)r->d, first = (size_t)(r->d + r->e);
    memset(r->dq, 0, n * (nq + 1) * sizeof *r->dq);
    memset(r->dv, 0, n * nq * sizeof *r->dv);
    memset(r->dX, 0, n * (size_t)s->nx * sizeof *r->dX);
    for (size_t j = 0; j < d; j++) {
        memcpy(r->dq + j * (nq + 1), r->N + j * nq, nq * sizeof *r->dq);
        const hol_status st = hol_reduced_follow(r, x, r->dq + j * (nq + 1), r->Z + j * nq);
        if (st) return st;
    }
    memcpy(r->dv, r->Z, d * nq * sizeof *r->dv);
    memcpy(r->dv + d * nq, r->V, (size_t)r->e * nq * sizeof *r->dv);
    for (size_t k = 0; k < (size_t)s->nx; k++) r->dX[(first + k) * (size_t)s->nx + k] = 1;
    return HOL_OK;
}

// The same at rest, of p and X alone.
static void find_directions_at_rest(hol_reduced *r)
{
    const hol_equations *s = r->s;
    const size_t nq = (size_t)s->nq, n = (size_t)r->n, d = (size_t)r->d, nx = (size_t)s->nx;
    memset(r->dq, 0, n * (nq + 1) * sizeof *r->dq);
    memset(r->dv, 0, n * nq * sizeof *r->dv);
    memset(r->dX, 0, n * nx * sizeof *r->dX);
    for (size_t j = 0; j < d; j++) memcpy(r->dq + j * (nq + 1), r->N + j * nq, nq * sizeof *r->dq);
    for (size_t k = 0; k < nx; k++) r->dX[(d + k) * nx + k] = 1;
}

void hol_reduced_take(const hol_reduced *r, const double *change, double *column)
{
    const hol_equations *s = r->s;
    const size_t nq = (size_t)s->nq;
    const int d = r->d, e = r->e;
    memset(column, 0, (size_t)d * sizeof *column);
    for (int i = 0; i < e; i++) column[d + i] = hol_vector_dot(s->nq, r->WV + (size_t)i * nq, change);
    for (int i = 0; i < s->nx; i++) column[d + e + i] = change[s->nq + s->m->state[i].equation];
}

// Column j of A: p' from the change of velocities dv, w' and X' from that of the unknowns.
static void take(const hol_reduced *r, int j, const double *dv, const double *change, double *A)
{
    const size_t nq = (size_t)r->s->nq;
    double *column = A + (size_t)j * (size_t)r->n;
    hol_reduced_take(r, change, column);
    for (int i = 0; i < r->d; i++) // without velocity constraints p' = w
        column[i] =
            r->s->nk ? hol_vector_dot(r->s->nq, r->WN + (size_t)i * nq, dv + (size_t)j * nq) : j == r->d + i;
}

hol_status hol_reduced_prepare(hol_reduced *r, const hol_state *x)
{
    hol_equations *s = r->s;
    const hol_coefficients metric = {r->natural ? 0 : 1, 0, 0, 0, 0}, mass = {1, 0, 0, 0, 0},
                           with_rates = {metric.cM, 0, 0, 0, HOL_WITH_RATES};
    hol_equations_matrix(s, x, &metric, r->metric);
    if (r->natural) hol_equations_shift(s, 1, r->metric);
    if (r->natural) hol_equations_matrix(s, x, &mass, r->mass);
    hol_status st = hol_factor_accelerations(r->k, x);
    if (!st) st = hol_kkt_factor(r->positions.A, 0);
    if (st || !s->nk) return st;
    double *W = hol_kkt_values(r->velocities.A);
    hol_equations_matrix(s, x, &with_rates, W);
    if (r->natural) hol_equations_shift(s, 1, W);
    return hol_kkt_factor(r->velocities.A, 0);
}

// Column j of A at rest: what the forces leave, and X'.
static void take_at_rest(const hol_reduced *r, int j, const double *change, double *A)
{
    const size_t nq = (size_t)r->s->nq;
    double *column = A + (size_t)j * (size_t)r->n;
    for (int i = 0; i < r->d; i++) column[i] = hol_vector_dot(r->s->nq, r->WN + (size_t)i * nq, change);
    for (int i = 0; i < r->s->nx; i++) column[r->d + i] = change[r->s->nq + r->s->m->state[i].equation];
}

hol_status hol_reduced_matrix(const hol_reduced *r, const hol_state *x, const double *dq, const double *dv,
                              const double *dX, double *out, double *A)
{
    hol_equations *s = r->s;
    const size_t n = (size_t)s->n;
    hol_linear_accelerations(s, x, r->n, dq, dv, dX, out);
    for (size_t j = 0; j < (size_t)r->n && r->rest; j++) // rows of the constraints ask nothing of the changes
        memset(out + j * n + s->nf, 0, (n - (size_t)s->nf) * sizeof *out);
    const hol_status st = hol_kernel_solve(r->k, r->n, out);
    for (int j = 0; j < r->n && !st; j++)
        if (r->rest)
            take_at_rest(r, j, out + (size_t)j * n, A);
        else
            take(r, j, dv, out + (size_t)j * n, A);
    return st;
}

// A from the directions.
static hol_status find_matrix(hol_reduced *r, const hol_state *x)
{
    const hol_status st = r->rest ? (find_directions_at_rest(r), HOL_OK) : find_directions(r, x);
    if (st) return st;
    r->s->count.jacobians++;
    return hol_reduced_matrix(r, x, r->dq, r->dv, r->dX, r->out, r->A);
}

// The same where nothing moves.
static hol_status find_at_rest(hol_reduced *r, const hol_state *x)
{
    hol_status st = hol_kernel_set(&r->positions, x, 0, NULL);
    if (!st) st = find_basis(r, &r->positions, r->d, r->N, r->WN);
    return st ? st : find_matrix(r, x);
}

hol_status hol_reduced_find(hol_reduced *r, const hol_state *x)
{
    hol_free(r->noise);
    r->noise = NULL;
    if (r->rest) return find_at_rest(r, x);
    hol_status st = hol_reduced_prepare(r, x);
    if (!st) st = find_basis(r, &r->positions, r->d, r->N, r->WN);
    if (!st && r->s->nk) st = find_basis(r, &r->velocities, r->e, r->V, r->WV);
    return st ? st : find_matrix(r, x);
}

hol_status hol_reduced_rotate(hol_reduced *r, const hol_state *x, const double *U, double *room)
{
    const size_t nq = (size_t)r->s->nq, d = (size_t)r->d;
    hol_status st = HOL_OK;
    memset(room, 0, nq * d * sizeof *room);
    for (size_t j = 0; j < d; j++)
        for (size_t k = 0; k < d; k++)
            for (size_t i = 0; i < nq; i++) room[j * nq + i] += U[j * d + k] * r->N[k * nq + i];
    memcpy(r->N, room, nq * d * sizeof *room);
    for (int j = 0; j < r->d && !st; j++) st = add_direction(r, &r->positions, j, r->N, r->WN);
    return st ? st : find_matrix(r, x);
}

hol_status hol_reduced_find_part(hol_reduced *r, const hol_state *x, int count, const double *basis)
{
    const size_t nq = (size_t)r->s->nq;
    hol_status st = hol_reduced_prepare(r, x);
    r->d = r->e = count;
    r->n = 2 * count + r->s->nx;
    memcpy(r->N, basis, (size_t)count * nq * sizeof *r->N);
    for (int j = 0; j < count && !st; j++) st = add_direction(r, &r->positions, j, r->N, r->WN);
    return st ? st : find_matrix(r, x);
}

void hol_reduced_stiffness(const hol_reduced *r, double *out)
{
    const int e = r->e, d = r->d;
    const size_t nq = (size_t)r->s->nq, n = (size_t)r->n;
    for (int j = 0; j < e; j++)
        for (int i = 0; i < e; i++) {
            double sum = 0;
            if (!r->s->nk)
                sum = r->A[(size_t)j * n + (size_t)(d + i)];
            else
                for (int k = 0; k < d; k++)
                    sum += r->A[(size_t)k * n + (size_t)(d + i)] *
                           hol_vector_dot(r->s->nq, r->WN + (size_t)k * nq, r->V + (size_t)j * nq);
            out[(size_t)j * (size_t)e + (size_t)i] = sum;
        }
}
