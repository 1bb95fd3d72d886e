// The frequency response of a large model at rest by sparse matrices (docs/theory.md, section 22.4): one complex matrix with the pattern of S for
// each frequency, whose solutions are the changes of accelerations, users' unknowns and multipliers by the inputs.
#include "analysis/linearise_data.h"
#include "linalg/sparse_complex.h"

#include <math.h>
#include <string.h>

typedef struct {
    hol_linear_builder *b;
    hol_sparse_complex *A;
    double *S, *K, *D; // S = M with borders and 1 - E_z; what positions and velocities add         (entries)
    double *rhs;       // of all inputs                                                     (2 n x nu)
    double *N, *Z, *X, *change; // real and imaginary part of a direction
    double *memory;
} response;

// S(1, cK, cK, cD) = S + cK K + cD D is linear in its coefficients.
static void find_parts(response *r)
{
    static const hol_coefficients mass = {1, 0, 0, 0, HOL_WITH_ALL}, positions = {1, 1, 1, 0, HOL_WITH_ALL},
                                  velocities = {1, 0, 0, 1, HOL_WITH_ALL};
    hol_equations *s = r->b->s;
    const size_t entries = (size_t)s->pattern.start[s->n];
    hol_equations_matrix(s, r->b->x, &mass, r->S);
    hol_equations_matrix(s, r->b->x, &positions, r->K);
    hol_equations_matrix(s, r->b->x, &velocities, r->D);
    for (size_t i = 0; i < entries; i++) {
        r->K[i] -= r->S[i];
        r->D[i] -= r->S[i];
    }
}

// Room, and the parts of the matrix.
static hol_status create(hol_linear_builder *b, response *r)
{
    const hol_equations *s = b->s;
    const size_t entries = (size_t)s->pattern.start[s->n], n = (size_t)s->n, nq = (size_t)s->nq,
                 nx = (size_t)s->nx, nu = (size_t)b->nu;
    *r = (response){.b = b, .A = hol_sparse_complex_create(b->ctx, &s->pattern, s->nf)};
    if (!r->A) return HOL_ERR_MEMORY;
    double *at = r->memory =
        hol_calloc(b->ctx, 3 * entries + 2 * n * nu + 2 * (2 * nq + 1 + nx + n) + 1, sizeof *at);
    if (!at) return HOL_ERR_MEMORY;
    r->S = at, at += entries;
    r->K = at, at += entries;
    r->D = at, at += entries;
    r->rhs = at, at += 2 * n * nu;
    r->N = at, at += 2 * (nq + 1);
    r->Z = at, at += 2 * nq;
    r->X = at, at += 2 * nx;
    r->change = at;
    find_parts(r);
    return HOL_OK;
}

static void destroy(response *r)
{
    hol_sparse_complex_destroy(r->A);
    hol_free(r->memory);
}

// The matrix at i omega: dq = -da/omega^2, dv = da/(i omega), dX = dz/(i omega).
static hol_status factor_at(response *r, double omega)
{
    const hol_equations *s = r->b->s;
    double *value = hol_sparse_complex_values(r->A);
    for (int i = 0; i < s->pattern.start[s->n]; i++) {
        value[2 * i] = r->S[i] - r->K[i] / (omega * omega);
        value[2 * i + 1] = -r->D[i] / omega;
    }
    return hol_sparse_complex_factor(r->A);
}

// Right-hand sides: users' equations by the inputs.
static void fill_inputs(response *r)
{
    hol_linear_builder *b = r->b;
    const size_t n = (size_t)b->s->n;
    memset(r->rhs, 0, 2 * n * (size_t)b->nu * sizeof *r->rhs);
    for (int j = 0; j < b->nu; j++) {
        hol_linear_inputs(b->s, b->x, hol_linear_number_of(b->m, b->wanted->input[j].held), 1, r->change);
        for (size_t i = 0; i < n; i++) r->rhs[2 * ((size_t)j * n + i)] = r->change[i];
    }
}

// A solution as two directions, its real and its imaginary part.
static void take_direction(response *r, const double *x, double omega)
{
    const hol_equations *s = r->b->s;
    const size_t nq = (size_t)s->nq, n = (size_t)s->n, nx = (size_t)s->nx;
    for (size_t part = 0; part < 2; part++) {
        for (size_t i = 0; i < n; i++) r->change[part * n + i] = x[2 * i + part];
        for (size_t i = 0; i < nq; i++) {
            r->N[part * (nq + 1) + i] = -x[2 * i + part] / (omega * omega);
            r->Z[part * nq + i] =
                (part ? -x[2 * i] : x[2 * i + 1]) / omega; // (a + i b)/(i omega) = (b - i a)/omega
        }
        for (size_t k = 0; k < nx; k++) {
            const double *z = x + 2 * (nq + (size_t)s->m->state[k].equation);
            r->X[part * nx + k] = (part ? -z[0] : z[1]) / omega;
        }
    }
}

// All outputs by all inputs at a frequency, (ny x nu).
static hol_status respond(response *r, double omega, double *re, double *im)
{
    hol_linear_builder *b = r->b;
    hol_status st = factor_at(r, omega);
    fill_inputs(r);
    if (!st) st = hol_sparse_complex_solve(r->A, b->nu, r->rhs);
    for (int j = 0; j < b->nu && !st; j++) {
        take_direction(r, r->rhs + 2 * (size_t)j * (size_t)b->s->n, omega);
        for (int i = 0; i < b->ny; i++) {
            const hol_equation *e = &b->wanted->output[i];
            double out[2];
            hol_linear_expression(b->s, b->x, e, 2, r->N, r->Z, r->X, r->change, out, 1);
            re[j * b->ny + i] = out[0] + hol_linear_by_held(b->s, b->x, e, b->wanted->input[j].held);
            im[j * b->ny + i] = out[1];
        }
    }
    return st;
}

hol_status hol_linear_sparse_response(hol_linear_builder *b, int n, const double *omega, double *re,
                                      double *im)
{
    const size_t pairs = (size_t)b->ny * (size_t)b->nu;
    response r;
    hol_status st = create(b, &r);
    for (int k = 0; k < n && !st; k++) {
        st = respond(&r, omega[k], re + (size_t)k * pairs, im + (size_t)k * pairs);
        if (st > 0)
            st = hol_fail(b->ctx, HOL_ERR_INTEGRATION,
                          "there is no response at %.9g rad/s: an eigenvalue, or a singular pose", omega[k]);
    }
    destroy(&r);
    return st;
}
