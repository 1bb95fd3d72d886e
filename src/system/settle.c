// See settle.h.
#include "system/settle.h"
#include "system/project.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MAX_CORRECTIONS = 30, MAX_MATRICES = 8 };
#define SLOW 0.1 // of hol_settle

// What positions miss, signs turned, into the multiplier rows of s->work; its largest entry by natural size.
static double missing_positions(hol_system *s, const hol_state *x)
{
    double *r = s->work + s->nf;
    hol_system_residual(s, x, NULL, r);
    s->count.residuals--; // no forces
    for (int i = 0; i < s->nc; i++) r[i] = -r[i];
    memset(r + s->nc, 0, (size_t)s->nk * sizeof *r);
    return hol_system_row_norm(s, r, s->nc);
}

static double missing_velocities(hol_system *s, const hol_state *x)
{
    double *r = s->work + s->nf, *all = s->work + s->n;
    hol_system_phi_dot_all(s, x->t, x->q, x->v, all);
    hol_system_rates(s, x, r + s->nc);
    for (int i = 0; i < s->nc + s->nk; i++) r[i] = i < s->nc ? -all[s->model_row[i]] : -r[i];
    return hol_system_row_norm(s, r, s->nc + s->nk);
}

// Corrections of part (q or v of x) until no more than `exact` is missing.
static hol_status chord(hol_system *s, const hol_state *x, double *part,
                        double (*missing)(hol_system *s, const hol_state *x), double exact, double slow,
                        int *count)
{
    double last = HOL_INF;
    for (int k = 0; k < MAX_CORRECTIONS; k++) {
        const double size = missing(s, x);
        if (size <= exact || (size <= 100 * exact && size > 0.5 * last)) return HOL_OK;
        if (!isfinite(size) || (k > 2 && size > slow * last)) return HOL_RECOVERABLE;
        memset(s->work, 0, (size_t)s->nf * sizeof *s->work);
        const hol_status st = hol_system_solve(s, s->work);
        if (st) return st;
        for (int i = 0; i < s->nq; i++) part[i] += s->work[i];
        ++*count;
        if (isfinite(last) && size * (size / last) < 0.1 * exact)
            return HOL_OK; // the next one would find nothing
        last = size;
    }
    return HOL_RECOVERABLE;
}

hol_status hol_chord_positions(hol_system *s, hol_state *x, double slow, int *count)
{
    return chord(s, x, x->q, missing_positions,
                 4 * DBL_EPSILON * fmax(1, hol_system_coordinate_norm(s, x->q)), slow, count);
}

hol_status hol_chord_velocities(hol_system *s, hol_state *x, double slow, int *count)
{
    const double exact = 8 * DBL_EPSILON * fmax(1 / s->m->time_scale, hol_system_coordinate_norm(s, x->v));
    return chord(s, x, x->v, missing_velocities, exact, slow, count);
}

static hol_status factor_mass(hol_system *s, const hol_state *x)
{
    static const hol_coefficients mass_only = {1, 0, 0, 0, HOL_WITH_ALL};
    hol_system_matrix_into(s, x, &mass_only, s->values);
    return hol_system_factor(s);
}

typedef hol_status hol_chord(hol_system *s, hol_state *x, double slow, int *count);

static hol_status with_new_matrices(hol_system *s, hol_state *x, hol_chord *step)
{
    int count = 0;
    hol_status st = step(s, x, SLOW, &count);
    for (int k = 0; k < MAX_MATRICES && st > 0; k++) {
        st = factor_mass(s, x);
        if (!st) st = step(s, x, SLOW, &count);
    }
    return st;
}

hol_status hol_settle(hol_system *s, hol_state *x)
{
    hol_status st = factor_mass(s, x);
    if (!st) st = with_new_matrices(s, x, hol_chord_positions);
    if (!st) st = with_new_matrices(s, x, hol_chord_velocities);
    return st ? st : hol_solve_accelerations(s, x);
}

// ---- (q; v; X) ------------------------------------------------------------------------------------------------

void hol_state_pack(const hol_system *s, const hol_state *x, double *u)
{
    memcpy(u, x->q, (size_t)s->nq * sizeof *u);
    memcpy(u + s->nq, x->v, (size_t)s->nq * sizeof *u);
    memcpy(u + 2 * s->nq, x->X, (size_t)s->nx * sizeof *u);
}

void hol_state_unpack(const hol_system *s, const double *u, hol_state *x)
{
    memcpy(x->q, u, (size_t)s->nq * sizeof *u);
    memcpy(x->v, u + s->nq, (size_t)s->nq * sizeof *u);
    memcpy(x->X, u + 2 * s->nq, (size_t)s->nx * sizeof *u);
}

void hol_state_rate(const hol_system *s, const hol_state *x, double *rate)
{
    memcpy(rate, x->v, (size_t)s->nq * sizeof *rate);
    memcpy(rate + s->nq, x->a, (size_t)s->nq * sizeof *rate);
    for (int i = 0; i < s->nx; i++) rate[2 * s->nq + i] = x->z[s->m->state[i].equation];
}
