// Consistent initial values. docs/theory.md, sections 4.1 and 4.2.
//
//     positions      [W  Phi_q^T; Phi_q  0][dq; mu] = [0; -Phi],             W = M + small
//     velocities     [W  Phi_q^T; Phi_q  0][dv; mu] = [0; -(Phi_q v + Phi_t)]
//     accelerations  [M  Phi_q^T; Phi_q  0][a; lam] = [Q; tau]
#include "system/initial.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ASSEMBLED 1e-12        // |Phi_i| / size_i after a good assembly
#define ASSEMBLED_ENOUGH 1e-10 // accepted when rounding stops the iteration earlier
#define SINGULAR_DELTA 1e-9    // regularisation at a singular pose, see sparse.h
#define REPORT 1e-6 // changes of the user's data above this (relative to natural sizes) are reported

enum { MAX_ITERATIONS = 50, MAX_HALVINGS = 12 };

// ---- projections ----------------------------------------------------------------------------------------------

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
static hol_status factor_metric(hol_system *s, const hol_state *x)
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
        hol_status st = factor_metric(s, x);
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
    hol_status st = factor_metric(s, x);
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

// ---- reports --------------------------------------------------------------------------------------------------

static const char *coordinate_name(const hol_body *b, int k)
{
    static const char *const names[] = {"x", "y", "z", "qw", "qx", "qy", "qz"};
    return b->frame == HOL_FRAME_PLANAR && k == 2 ? "theta" : names[k];
}

// Body by body: asked -> used for whatever the projection changed.
static void report(hol_context *ctx, const hol_system *s, const char *what, double rate, const double *asked,
                   const double *used)
{
    enum { SHOWN = 8 };
    int shown = 0, hidden = 0;
    const hol_model_data *m = s->m;
    for (int b = 0; b < m->n_bodies; b++)
        for (int k = 0; k < m->body[b].size; k++) {
            const int i = m->body[b].q + k;
            const double size = s->q_size[i] * rate;
            if (fabs(used[i] - asked[i]) <= REPORT * fmax(size, fabs(asked[i]))) continue;
            if (shown++ >= SHOWN)
                hidden++;
            else
                hol_note(ctx, HOL_NOTICE,
                         "start: %s of %s.%s: %.9g asked -> %.9g used, so that the joints hold", what,
                         m->body[b].name, coordinate_name(&m->body[b], k), asked[i], used[i]);
        }
    if (hidden) hol_note(ctx, HOL_NOTICE, "start: %d more %s changed", hidden, what);
}

static hol_status fail_assembly(hol_context *ctx, hol_system *s, const hol_state *x)
{
    // the joints with the largest residuals, by name
    char text[600];
    size_t n = 0;
    int element[4];
    double size[4];
    double *r = s->work;
    memset(r, 0, (size_t)s->nq * sizeof *r);
    hol_system_residual(s, x, NULL, r + s->nq);
    for (int i = 0; i < s->nc; i++) r[s->nq + i] /= s->row_size[i];
    hol_system_worst(s, r, 4, element, size);
    for (int i = 0; i < 4 && element[i] >= 0 && n < sizeof text - 100; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%s (%.3g)", i ? ", " : "",
                              s->m->element[element[i]].name, size[i]);
    const hol_src at = element[0] >= 0 ? s->m->element[element[0]].at : (hol_src){0};
    return hol_fail_at(
        ctx, HOL_ERR_ASSEMBLY, at,
        "the joints cannot be closed: what remains, relative to the size of the bodies: %s. Check the "
        "lengths between the markers, or draw the bodies nearer to a pose in which they fit",
        text);
}

// A body without inertia that its joints do not hold: found by the direction in which the bordered matrix is singular.
static hol_status fail_accelerations(hol_context *ctx, hol_system *s, hol_state *x, hol_status st)
{
    const char *what;
    if (st < 0) return st;
    const hol_element *e = hol_system_blame(s, x, &what);
    if (e)
        return hol_fail_at(ctx, HOL_ERR_INTEGRATION, e->at, "%s: its %s is not a finite number at t = %.6g s",
                           e->name, what, x->t);
    double *r = s->work;
    hol_random random = {7};
    if (factor_metric(s, x) == HOL_OK) { // inverse iteration: masses against masses with a small addition
        int element[1];
        double size[1];
        for (int i = 0; i < s->n; i++) r[i] = i < s->nq ? hol_random_uniform(&random) / s->q_size[i] : 0;
        if (hol_system_solve(s, r) == HOL_OK) {
            for (int i = 0; i < s->nq; i++) r[i] /= s->q_size[i];
            memset(r + s->nq, 0, (size_t)s->nc * sizeof *r);
            hol_system_worst(s, r, 1, element, size);
            if (element[0] >= 0)
                return hol_fail_at(
                    ctx, HOL_ERR_MODEL, s->m->element[element[0]].at,
                    "bodies.%s: its mass or inertia is 0 and its joints do not determine its motion: give "
                    "it a mass and an inertia, or hold it by another joint",
                    s->m->element[element[0]].name);
        }
    }
    return hol_fail(
        ctx, HOL_ERR_INTEGRATION,
        "the accelerations are not determined at the start: the matrix of masses and joints is singular");
}

// ---- the start ------------------------------------------------------------------------------------------------

static hol_status start_state(const hol_system *s, hol_state *x)
{
    hol_status st = hol_state_create(s, x);
    if (st) return st;
    memcpy(x->q, s->m->q0, (size_t)s->nq * sizeof *x->q);
    memcpy(x->v, s->m->v0, (size_t)s->nq * sizeof *x->v);
    return HOL_OK;
}

static hol_status assemble(hol_context *ctx, const hol_model_data *m, hol_state *q, hol_rank *rank)
{
    hol_system *full = hol_system_create(ctx, m, NULL);
    hol_status st = full ? start_state(full, q) : HOL_ERR_MEMORY;
    if (st) {
        hol_system_destroy(full);
        return st;
    }
    full->delta = 1e-9; // redundant rows are still in
    st = hol_project_positions(full, q, NULL);
    if (st > 0) st = fail_assembly(ctx, full, q);
    if (!st) st = hol_rank_find(ctx, full, q, rank);
    if (st) hol_state_destroy(q);
    hol_system_destroy(full);
    return st;
}

static hol_status make_consistent(hol_context *ctx, hol_system *s, hol_state *x, const hol_rank *rank,
                                  bool quiet)
{
    hol_measure v;
    if (!quiet) report(ctx, s, "position", 1, s->m->q0, x->q);
    hol_status st = hol_project_velocities(s, x);
    const double delta = s->delta;
    if (st > 0) {
        s->delta = SINGULAR_DELTA;
        st = hol_project_velocities(s, x);
        s->delta = delta;
    }
    if (st) return fail_accelerations(ctx, s, x, st);
    if (!quiet) report(ctx, s, "velocity", 1 / s->m->time_scale, s->m->v0, x->v);
    hol_system_remember(s, x);
    hol_system_measure(s, x, &v);
    if (v.velocity_row >= 0 && v.velocity > 1e-6) {
        const char *element;
        const hol_row row = hol_model_row(s->m, v.velocity_row, &element);
        return hol_fail_at(
            ctx, HOL_ERR_ASSEMBLY, s->m->element[s->m->row_element[v.velocity_row]].at,
            "%s (%s): no velocities satisfy the redundant constraints together, %.3g remains: two "
            "drivers may contradict each other",
            element, row.direction, v.velocity);
    }
    st = hol_solve_accelerations(s, x);
    if (!st) return HOL_OK;
    // a singular pose, in which the rows are dependent for a moment only; or loops too large for a rank
    s->delta = SINGULAR_DELTA;
    if (st > 0 && (rank->momentary || rank->large_components)) st = hol_solve_accelerations(s, x);
    if (st || !rank->large_components) s->delta = delta;
    if (st) return fail_accelerations(ctx, s, x, st);
    if (rank->large_components) {
        hol_note(ctx, HOL_WARNING,
                 "start: a group of loops with more than %d equations seems to hold redundant ones: it is "
                 "regularised, and the run stops if joints open",
                 HOL_RANK_MAX_ROWS);
        return HOL_OK;
    }
    hol_note(ctx, HOL_NOTICE, "start: a singular pose, in which the joints lose independence for a moment");
    return HOL_OK;
}

hol_status hol_initialise(hol_context *ctx, const hol_model_data *m, bool quiet, hol_system **system,
                          hol_state *x, hol_rank *rank)
{
    hol_state assembled = {0};
    *system = NULL;
    x->q = NULL;
    hol_status st = assemble(ctx, m, &assembled, rank);
    if (st) return st;
    hol_system *s = hol_system_create(ctx, m, rank->active);
    st = s ? start_state(s, x) : HOL_ERR_MEMORY;
    if (!st) {
        memcpy(x->q, assembled.q, (size_t)s->nq * sizeof *x->q);
        st = make_consistent(ctx, s, x, rank, quiet);
    }
    hol_state_destroy(&assembled);
    if (!st) {
        *system = s;
        return HOL_OK;
    }
    hol_state_destroy(x);
    hol_system_destroy(s);
    hol_rank_destroy(rank);
    return st;
}
