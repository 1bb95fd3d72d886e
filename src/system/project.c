// Projections onto the constraints, and accelerations. docs/theory.md, sections 4.1 and 4.2.
//
//     positions      [W  Phi_q^T; Phi_q  0][dq; mu] = [0; -Phi],             W = M + small
//     velocities     [W  Phi_q^T; Phi_q  0][dv; mu] = [0; -(Phi_q v + Phi_t)]
//     accelerations  [M  Phi_q^T; Phi_q  0][a; lam] = [Q; tau]
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
        if (!(x <= largest)) {
            largest = x;
            if (worst) *worst = s->model_row[i];
        }
    }
    return largest;
}

// S = [M + w  Phi_q^T; Phi_q  0] at x, factored
hol_status hol_project_metric(hol_system *s, const hol_state *x)
{
    static const hol_coefficients mass_only = {1, 0, 0, 0};
    double largest = 0;
    hol_system_matrix(s, x, &mass_only);
    for (int i = 0; i < s->nq; i++)
        largest = fmax(largest, s->values[s->diagonal[i]] * s->q_size[i] * s->q_size[i]);
    hol_system_shift(s, 1e-6 * (largest > 0 ? largest : 1));
    return hol_system_factor(s);
}

hol_status hol_project_positions(hol_system *s, hol_state *x, int *worst)
{
    double *phi = s->rhs, *step = s->work, *trial = s->work + s->n;
    double norm = 0, scale = 1;
    for (int i = 0; i < s->nq; i++) scale = fmax(scale, fabs(x->q[i]) / s->q_size[i]);
    for (int k = 0; k < MAX_ITERATIONS; k++) {
        hol_system_residual(s, x, NULL, phi);
        norm = scaled_norm(s, phi, worst);
        if (norm <= ASSEMBLED * 1e-2 * scale || (k > 0 && norm <= ASSEMBLED * scale)) return HOL_OK;
        if (!isfinite(norm)) return HOL_RECOVERABLE;
        hol_status st = hol_project_metric(s, x);
        memset(step, 0, (size_t)s->nq * sizeof *step);
        for (int i = 0; i < s->nc; i++) step[s->nq + i] = -phi[i];
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
    double *step = s->work, *all = s->work + s->n;
    hol_status st = hol_project_metric(s, x);
    for (int k = 0; k < 2 && !st; k++) { // the second pass removes what rounding or regularisation left
        hol_system_phi_dot_all(s, x->t, x->q, x->v, all);
        memset(step, 0, (size_t)s->nq * sizeof *step);
        for (int i = 0; i < s->nc; i++) step[s->nq + i] = -all[s->model_row[i]];
        st = hol_system_solve(s, step);
        for (int i = 0; i < s->nq && !st; i++) x->v[i] += step[i];
    }
    return st;
}

hol_status hol_solve_accelerations(hol_system *s, hol_state *x)
{
    static const hol_coefficients mass_only = {1, 0, 0, 0};
    double *rhs = s->rhs;
    memset(x->a, 0, (size_t)s->nq * sizeof *x->a);
    memset(x->lam, 0, (size_t)s->nc * sizeof *x->lam);
    hol_system_residual(s, x, rhs, NULL);
    for (int i = 0; i < s->nq; i++) rhs[i] = -rhs[i];
    hol_system_tau(s, x, rhs + s->nq);
    hol_system_matrix(s, x, &mass_only);
    hol_status st = hol_system_factor(s);
    if (!st) st = hol_system_solve(s, rhs);
    if (st) return st;
    memcpy(x->a, rhs, (size_t)s->nq * sizeof *rhs);
    memcpy(x->lam, rhs + s->nq, (size_t)s->nc * sizeof *rhs);
    return HOL_OK;
}
