// Projections onto the constraints, and accelerations. docs/theory.md, sections 4.1 and 4.2.
//
//     positions      [W  Phi_q^T; Phi_q  0][dq; mu] = [0; -Phi],             W = M + small
//     velocities     [W  Phi_q^T; Phi_q  0][dv; mu] = [0; -(Phi_q v + Phi_t)]
//     accelerations  [M  Phi_q^T; Phi_q  0][a; lam] = [Q; tau]
//
// Velocity constraints take part in the second with -Psi, in the third with Psi_v a = -Psi_q v - Psi_t; users' equations in
// the third, which is then solved by Newton's method (section 8.3).
#include "system/project.h"

#include <math.h>
#include <string.h>

#define ASSEMBLED 1e-12        // |Phi_i| / size_i after a good assembly
#define ASSEMBLED_ENOUGH 1e-10 // accepted when rounding stops the iteration earlier

enum { MAX_ITERATIONS = 50, MAX_HALVINGS = 12 };

static double scaled_norm(const hol_system *s, const double *phi, int *worst)
{
    double largest = 0;
    for (int i = 0; i < s->nc; i++) {
        const double x = fabs(phi[i]) / s->row_size[i];
        if (hol_is_larger(x, largest)) {
            largest = x;
            if (worst) *worst = s->model_row[i];
        }
    }
    return largest;
}

// M is 0 along the Euler parameters, where the normalisation alone determines the change of every solution: p p^T there changes
// none of them and keeps W regular without w.
static void hold_norms(hol_system *s, const hol_state *x)
{
    for (int b = 0; b < s->m->n_bodies; b++) {
        const hol_body *body = &s->m->body[b];
        if (body->frame != HOL_FRAME_SPATIAL) continue;
        const hol_scatter *sc = &s->scatter[b];
        const hol_entry *at = s->entry + sc->entry;
        const double *p = x->q + body->q;
        double largest = 0;
        for (int i = 3; i < 7; i++) largest = fmax(largest, s->values[s->diagonal[body->q + i]]);
        for (int k = 0; k < sc->n_entries; k++)
            if (at[k].i >= 3 && at[k].j >= 3) s->values[at[k].slot] += largest * p[at[k].i] * p[at[k].j];
    }
}

// S = [M + w  Phi_q^T; Phi_q  0] at x, factored; with the velocity constraints' rows if they are asked for.
static hol_status metric(hol_system *s, const hol_state *x, unsigned with)
{
    const hol_coefficients mass_only = {1, 0, 0, 0, with};
    double largest = 0;
    hol_status st = hol_system_need_matrix(s);
    if (st) return st;
    hol_system_matrix(s, x, &mass_only);
    for (int i = 0; i < s->nq; i++)
        largest = fmax(largest, s->values[s->diagonal[i]] * s->q_size[i] * s->q_size[i]);
    hold_norms(s, x);
    hol_system_shift(s, 1e-6 * (largest > 0 ? largest : 1));
    return hol_system_factor(s);
}

hol_status hol_project_metric(hol_system *s, const hol_state *x) { return metric(s, x, 0); }

hol_status hol_project_positions(hol_system *s, hol_state *x, int *worst)
{
    hol_status st = hol_system_need_room(s);
    if (st) return st;
    double *phi = s->rhs, *step = s->work, *trial = s->work + s->n;
    double norm = 0, scale = 1;
    for (int i = 0; i < s->nq; i++) scale = fmax(scale, fabs(x->q[i]) / s->q_size[i]);
    for (int k = 0; k < MAX_ITERATIONS; k++) {
        hol_system_residual(s, x, NULL, phi);
        norm = scaled_norm(s, phi, worst);
        if (norm <= ASSEMBLED * 1e-2 * scale || (k > 0 && norm <= ASSEMBLED * scale)) return HOL_OK;
        if (!isfinite(norm)) return HOL_RECOVERABLE;
        st = hol_project_metric(s, x);
        memset(step, 0, (size_t)s->n * sizeof *step);
        for (int i = 0; i < s->nc; i++) step[s->nf + i] = -phi[i];
        if (!st) st = hol_system_solve(s, step);
        if (st) return st;
        // full steps unless the residual grows
        memcpy(trial, x->q, (size_t)s->nq * sizeof *trial);
        double factor = 1, next = HOL_INF;
        for (int h = 0; h < MAX_HALVINGS; h++, factor *= 0.5) {
            for (int i = 0; i < s->nq; i++) x->q[i] = trial[i] + factor * step[i];
            hol_system_residual(s, x, NULL, phi);
            next = scaled_norm(s, phi, worst);
            if (next < norm) break;
        }
        if (next < norm) continue;
        memcpy(x->q, trial, (size_t)s->nq * sizeof *trial);
        break;
    }
    hol_system_residual(s, x, NULL, phi);
    return scaled_norm(s, phi, worst) <= ASSEMBLED_ENOUGH * scale ? HOL_OK : HOL_RECOVERABLE;
}

hol_status hol_project_velocities(hol_system *s, hol_state *x)
{
    hol_status st = metric(s, x, HOL_WITH_RATES);
    if (st) return st;
    double *step = s->work, *all = s->work + s->n;
    // a second pass removes what rounding or regularisation left; Psi need not be linear
    for (int k = 0; k < (s->nk ? 10 : 2) && !st; k++) {
        if (k > 1) st = metric(s, x, HOL_WITH_RATES);
        hol_system_phi_dot_all(s, x->t, x->q, x->v, all);
        memset(step, 0, (size_t)s->n * sizeof *step);
        for (int i = 0; i < s->nc; i++) step[s->nf + i] = -all[s->model_row[i]];
        hol_system_rates(s, x, all);
        double most = 0;
        for (int i = 0; i < s->nk; i++) {
            step[s->nf + s->nc + i] = -all[i];
            most = fmax(most, fabs(all[i]));
        }
        if (k > 1 && most < 1e-14 * s->m->length_scale / s->m->time_scale) break;
        if (!st) st = hol_system_solve(s, step);
        for (int i = 0; i < s->nq && !st; i++) x->v[i] += step[i];
    }
    return st;
}

// The equations at acceleration level with the present a, z, lam, kap, signs turned: what is missing, (n).
static void missing(hol_system *s, const hol_state *x, double *r)
{
    double *held = s->work;
    hol_system_residual(s, x, r, NULL);
    hol_system_equations(s, x, r + s->nq);
    hol_system_jacobian_times(s, x->t, x->q, x->a, held);
    hol_system_tau(s, x, r + s->nf);
    hol_system_rates_dot(s, x, r + s->nf + s->nc);
    for (int i = 0; i < s->nf; i++) r[i] = -r[i];
    for (int i = 0; i < s->nc; i++) r[s->nf + i] -= held[i];
    for (int i = 0; i < s->nk; i++) r[s->nf + s->nc + i] *= -1;
}

// Largest change against the size of what is changed: accelerations, multipliers, users' unknowns.
static double relative_change(const hol_system *s, const hol_state *x, const double *step)
{
    double a = 0, da = 0, worst = 0;
    for (int i = 0; i < s->nq; i++) {
        a = fmax(a, fabs(x->a[i]) / s->q_size[i]);
        da = fmax(da, fabs(step[i]) / s->q_size[i]);
    }
    worst = da / (1 + a);
    for (int i = 0; i < s->nz; i++)
        worst = fmax(worst, fabs(step[s->nq + i]) / fmax(s->m->equation[i].size, fabs(x->z[i])));
    double lam = 0, dlam = 0;
    for (int i = 0; i < s->nc + s->nk; i++) {
        lam = fmax(lam, fabs(x->lam[i]));
        dlam = fmax(dlam, fabs(step[s->nf + i]));
    }
    return lam > 0 ? fmax(worst, dlam / lam) : worst;
}

// Without users' equations and velocity constraints: linear, and everything from one pass.
static hol_status solve_bordered(hol_system *s, hol_state *x)
{
    hol_status st = hol_system_need_matrix(s);
    if (st) return st;
    hol_system_bordered(s, x, s->rhs);
    st = hol_system_factor(s);
    if (!st) st = hol_system_solve(s, s->rhs);
    if (!st) memcpy(x->a, s->rhs, (size_t)s->n * sizeof *x->a);
    return st;
}

hol_status hol_solve_accelerations(hol_system *s, hol_state *x)
{
    if (!s->nz && !s->nk) return solve_bordered(s, x);
    static const hol_coefficients mass_only = {1, 0, 0, 0, HOL_WITH_ALL};
    hol_status st = hol_system_need_matrix(s);
    if (st) return st;
    // users' unknowns begin with those of the last success: user code may have no value at those of a failure
    double *r = s->rhs, *kept = s->work + s->n + s->m->nc + s->nk;
    memcpy(kept, x->z, (size_t)s->nz * sizeof *kept);
    memset(x->a, 0, (size_t)s->nq * sizeof *x->a);
    memset(x->lam, 0, (size_t)(s->nc + s->nk) * sizeof *x->lam);
    for (int k = 0; k < MAX_ITERATIONS; k++) {
        missing(s, x, r);
        hol_system_matrix(s, x, &mass_only);
        st = hol_system_factor(s);
        if (!st) st = hol_system_solve(s, r);
        if (st) break;
        for (int i = 0; i < s->n; i++) x->a[i] += r[i];
        if (!s->nz || relative_change(s, x, r) < 1e-10) return HOL_OK; // linear without users' equations
    }
    memcpy(x->z, kept, (size_t)s->nz * sizeof *kept);
    return st ? st : HOL_RECOVERABLE;
}
