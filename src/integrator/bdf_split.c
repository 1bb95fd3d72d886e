// The coordinate splitting of method bdf (docs/theory.md, section 10.3): independent coordinates by a QR of Phi_q with
// column pivoting in natural sizes, W = Phi_Y^-1 Phi_X with its growth, and multipliers s of (10.5).
#include "integrator/bdf_split.h"
#include "system/constraint_jacobian.h"

#include <math.h>
#include <string.h>

#define SINGULAR 1e-10 // last pivot against the first
#define GROWN 3 // largest entry of W, and times that of the choice, where another splitting is looked for

hol_status hol_bdf_split_create(hol_context *ctx, hol_equations *s, hol_bdf_split *p)
{
    const size_t nc = (size_t)s->nc, nq = (size_t)s->nq;
    memset(p, 0, sizeof *p);
    p->s = s;
    p->ctx = ctx;
    p->independent = hol_calloc(ctx, nq, sizeof *p->independent);
    if (!p->independent) return HOL_ERR_MEMORY;
    memset(p->independent, 1, nq);
    if (!s->nc || s->nc > HOL_BDF_SPLIT_ROWS) return HOL_OK;
    p->dependent = hol_calloc(ctx, 2 * nc, sizeof *p->dependent);
    p->A = hol_calloc(ctx, nc * (2 * nq), sizeof *p->A);
    if (!p->dependent || !p->A) return HOL_ERR_MEMORY;
    p->pivot = p->dependent + nc;
    p->LU = p->A + nc * nq;
    p->W = p->LU + nc * nc;
    return hol_dense_qr_create(ctx, &p->qr, s->nc, s->nq);
}

void hol_bdf_split_destroy(hol_bdf_split *p)
{
    if (p->A) hol_dense_qr_destroy(&p->qr);
    hol_free(p->independent);
    hol_free(p->dependent);
    hol_free(p->A);
    memset(p, 0, sizeof *p);
}

static hol_status factor(hol_bdf_split *p)
{
    const size_t nc = (size_t)p->s->nc;
    for (size_t k = 0; k < nc; k++)
        memcpy(p->LU + k * nc, p->A + (size_t)p->dependent[k] * nc, nc * sizeof *p->A);
    return hol_dense_lu_factor(p->ctx, (int)nc, p->LU, p->pivot);
}

hol_status hol_bdf_split_factor(hol_bdf_split *p, const hol_state *x)
{
    if (!p->known) return p->A ? HOL_RECOVERABLE : HOL_OK;
    hol_constraint_jacobian(p->s, x, NULL, p->A);
    return factor(p);
}

// The largest entry of W; A and LU are those of the pose.
static double growth(hol_bdf_split *p)
{
    const hol_equations *s = p->s;
    const size_t nc = (size_t)s->nc;
    double most = 0;
    size_t n = 0;
    for (int j = 0; j < s->nq; j++)
        if (p->independent[j]) memcpy(p->W + n++ * nc, p->A + (size_t)j * nc, nc * sizeof *p->W);
    if (n && hol_dense_lu_solve(p->ctx, s->nc, p->LU, p->pivot, false, (int)n, p->W)) return HOL_INF;
    for (size_t i = 0; i < n * nc; i++)
        if (!(fabs(p->W[i]) <= most)) most = fabs(p->W[i]);
    return isfinite(most) ? most : HOL_INF;
}

// Chooses the dependent coordinates; nothing is known where the rows are dependent.
static void choose(hol_bdf_split *p)
{
    const hol_equations *s = p->s;
    p->known = !hol_dense_qr_factor(p->ctx, &p->qr, s->nc, s->nq, p->A, SINGULAR) && p->qr.rank == s->nc;
    memset(p->independent, 1, (size_t)s->nq);
    for (int k = 0; k < s->nc && p->known; k++) {
        p->dependent[k] = p->qr.pivot[k];
        p->independent[p->qr.pivot[k]] = 0;
    }
    p->growth = p->known && !factor(p) ? growth(p) : HOL_INF;
}

void hol_bdf_split_choose(hol_bdf_split *p, const hol_state *x)
{
    if (!p->A) return;
    hol_constraint_jacobian(p->s, x, NULL, p->A);
    choose(p);
}

bool hol_bdf_split_follow(hol_bdf_split *p, const hol_state *x)
{
    if (!p->A) return false;
    hol_constraint_jacobian(p->s, x, NULL, p->A);
    if (p->known && !factor(p)) {
        const double now = growth(p);
        if (now <= GROWN || now <= GROWN * p->growth) return false;
    }
    choose(p);
    return p->known;
}

hol_status hol_bdf_split_multipliers(const hol_bdf_split *p, const double *r, double *l)
{
    const hol_equations *s = p->s;
    for (int k = 0; k < s->nc && p->known; k++) l[k] = r[p->dependent[k]] * s->q_size[p->dependent[k]];
    if (!p->known) return s->nc ? HOL_RECOVERABLE : HOL_OK;
    if (hol_dense_lu_solve(p->ctx, s->nc, p->LU, p->pivot, true, 1, l)) return HOL_RECOVERABLE;
    for (int k = 0; k < s->nc; k++) l[k] /= s->row_size[k];
    return HOL_OK;
}
