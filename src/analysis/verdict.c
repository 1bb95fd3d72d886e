// The verdict on an equilibrium (docs/theory.md, section 20.3): by its stiffness, each eigenvalue against what rounding may make of it,
// and by the motion about it.
#include "analysis/verdict.h"
#include "analysis/omega.h"
#include "analysis/separate.h"
#include "linalg/dense.h"
#include "linalg/graded.h"
#include "linalg/vector.h"

#include <math.h>
#include <string.h>

#define SYMMETRIC 1e-9 // what K_R may lack in symmetry
#define LACKS                                                                                                \
    8 // times what counts as no stiffness: rounding of many forces, which machines do each their own way

static double entry(const hol_reduced *r, int i, int j) { return r->A[(size_t)j * (size_t)r->n + (size_t)i]; }

// The symmetric part of K_R; whether it is all of it, but for what counts as no stiffness.
static bool fill(const hol_reduced *r, double flat, double *K)
{
    const int d = r->d;
    double stiff = 0;
    bool symmetric = true;
    for (int j = 0; j < d; j++)
        for (int i = 0; i < d; i++) stiff = fmax(stiff, fabs(entry(r, i, j)));
    for (int j = 0; j < d; j++)
        for (int i = 0; i < d; i++) {
            const double a = entry(r, i, j), b = entry(r, j, i);
            K[(size_t)j * (size_t)d + (size_t)i] = -0.5 * (a + b);
            const double lacks = fmax(LACKS * flat, hol_separate_may_lack(r, i, j, SYMMETRIC, stiff));
            if (fabs(a - b) > lacks) symmetric = false;
        }
    return symmetric;
}

// Those that soften first, then those without stiffness, each in their order; they are sorted, but what is known differs.
static void put_in_order(hol_equilibrium *e, double flat)
{
    const size_t d = (size_t)e->r.d;
    e->neutral = e->negative = 0;
    e->hidden = 0;
    for (size_t j = 0; j < d && e->symmetric; j++) {
        double *value = e->stiffness;
        const double unsure = hol_separate_unsure(&e->r, e->shape + j * d);
        const bool none = fabs(value[j]) <= fmax(flat, unsure);
        if (none) e->hidden = fmax(e->hidden, unsure);
        if (!none && value[j] > 0) continue;
        const size_t to = (size_t)(e->negative + (none ? e->neutral : 0));
        for (size_t k = j; k > to; k--) {
            hol_vector_swap(1, value + k, value + k - 1);
            hol_vector_swap(e->r.d, e->shape + k * d, e->shape + (k - 1) * d);
        }
        e->neutral += none;
        e->negative += !none;
    }
}

hol_status hol_verdict_find(hol_context *ctx, hol_equilibrium *e, double flat)
{
    const hol_reduced *r = &e->r;
    const size_t d = (size_t)r->d;
    double *K = r->noise ? hol_calloc(ctx, d * d + 1, sizeof *K) : e->shape;
    if (!K) return HOL_ERR_MEMORY;
    e->symmetric = fill(r, flat, K);
    e->conservative = e->symmetric && !r->s->nx;
    const hol_status st = r->noise ? hol_graded_eigen(r->d, K, e->stiffness, e->shape)
                                   : hol_dense_eigen_symmetric(ctx, r->d, K, true, e->stiffness);
    if (!st) put_in_order(e, flat);
    if (r->noise) hol_free(K);
    return st > 0 ? hol_fail(ctx, HOL_ERR_INTEGRATION,
                             "the stiffness at the equilibrium is not found: LAPACK does not converge")
                  : st;
}

// Of eigenvalues whose real part is more than `least` of them.
static hol_status find_growth(hol_context *ctx, const hol_equations *s, const hol_state *x, double least,
                              double *out)
{
    hol_omega *omega = NULL;
    hol_status st = hol_omega_create(ctx, s, &omega);
    if (!st) st = hol_omega_growth_exactly(omega, s, x, least, out);
    hol_omega_destroy(omega);
    if (st >= 0 && st != HOL_OK) *out = (double)NAN;
    if (st != HOL_ERR_USAGE) return st < 0 ? st : HOL_OK;
    hol_context_clear(ctx); // a large model
    *out = (double)NAN;
    return HOL_OK;
}

hol_status hol_verdict_growth(hol_context *ctx, const hol_equations *s, const hol_state *x, double *out)
{
    return find_growth(ctx, s, x, HOL_BALANCED, out);
}

hol_status hol_verdict_growth_exactly(hol_context *ctx, const hol_equations *s, const hol_state *x,
                                      double *out)
{
    return find_growth(ctx, s, x, 0, out);
}

bool hol_verdict_stays(const hol_equilibrium *e, double growth)
{
    return !e->falls && !(growth > 0) && (!e->negative || (!e->conservative && !isnan(growth)));
}
