// Projections onto the constraints, and accelerations. docs/theory.md, sections 4.1 and 4.2.
//
//     positions      [W  Phi_q^T; Phi_q  0][dq; mu] = [0; -Phi],             W = M + small
//     velocities     [W  Phi_q^T; Phi_q  0][dv; mu] = [0; -(Phi_q v + Phi_t)]
//     accelerations  [M  Phi_q^T; Phi_q  0][a; lam] = [Q; tau]
//
// Velocity constraints take part in the second with -Psi, in the third with Psi_v a = -Psi_q v - Psi_t; users' equations in
// the third, which is then solved by Newton's method (section 8.3).
#include "system/explicit.h"
#include "system/kernel.h"

#include <math.h>
#include <string.h>

#define ASSEMBLED 1e-12        // |Phi_i| / size_i after a good assembly
#define SETTLED 1e-10          // relative change of what Newton's method for accelerations looks for
#define ASSEMBLED_ENOUGH 1e-10 // accepted when rounding stops the iteration earlier

enum { MAX_ITERATIONS = 50, MAX_HALVINGS = 12, MAX_TURNS = 8 };

// The largest residual by the size of its row, and which one it is.
static double scaled_norm(const hol_equations *s, const double *phi, int *worst)
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
static void hold_norms(const hol_equations *s, const hol_state *x, double *values)
{
    for (int b = 0; b < s->m->n_bodies; b++) {
        const hol_body *body = &s->m->body[b];
        if (body->frame != HOL_FRAME_SPATIAL) continue;
        const hol_scatter *sc = &s->scatter[b];
        const hol_entry *at = s->entry + sc->entry;
        const double *p = x->q + body->q;
        double largest = 0;
        for (int i = 3; i < 7; i++) largest = fmax(largest, values[s->diagonal[body->q + i]]);
        for (int k = 0; k < sc->n_entries; k++)
            if (at[k].i >= 3 && at[k].j >= 3) values[at[k].slot] += largest * p[at[k].i] * p[at[k].j];
    }
}

#define METRIC 1e-6 // of the largest mass by natural size: w of (4.2), which lets massless bodies follow

// The matrix with W = M + w D in place of M, (4.2), factored; part: w by the largest mass.
static hol_status set_metric(hol_kernel *k, const hol_state *x, unsigned with, double part, double delta)
{
    const hol_coefficients mass_only = {1, 0, 0, 0, with};
    const hol_equations *s = k->s;
    double largest = 0;
    const hol_status st = hol_kernel_need(k);
    if (st) return st;
    double *values = hol_kkt_values(k->A);
    hol_kernel_matrix(k, x, &mass_only);
    for (int i = 0; i < s->nq; i++)
        largest = fmax(largest, values[s->diagonal[i]] * s->q_size[i] * s->q_size[i]);
    hold_norms(s, x, values);
    if (part > 0) hol_equations_shift(s, part * (largest > 0 ? largest : 1), values);
    if (s->nz) hol_kkt_try_even_scale(k->A); // users' unknowns have any size
    return hol_kkt_factor(k->A, delta);
}

hol_status hol_kernel_set_metric(hol_kernel *k, const hol_state *x, unsigned with)
{
    return set_metric(k, x, with, METRIC, hol_equations_delta(k->s));
}

hol_status hol_project_positions(hol_kernel *k, hol_state *x, int *worst)
{
    hol_equations *s = k->s;
    hol_status st = hol_kernel_need_room(k);
    if (st) return st;
    double *phi = k->rhs, *step = k->work, *trial = k->work + s->n;
    double norm = 0, scale = 1;
    for (int i = 0; i < s->nq; i++) scale = fmax(scale, fabs(x->q[i]) / s->q_size[i]);
    for (int i = 0; i < MAX_ITERATIONS; i++) {
        hol_equations_residual(s, x, NULL, phi);
        norm = scaled_norm(s, phi, worst);
        if (norm <= ASSEMBLED * 1e-2 * scale || (i > 0 && norm <= ASSEMBLED * scale)) return HOL_OK;
        if (!isfinite(norm)) return HOL_RECOVERABLE;
        for (int j = 0; j < s->nc; j++) phi[j] = -phi[j];
        st = hol_kernel_set_metric(k, x, 0);
        if (!st) st = hol_kernel_lift(k, s->nc, phi, step);
        if (st) return st;
        // full steps unless the residual grows
        memcpy(trial, x->q, (size_t)s->nq * sizeof *trial);
        double factor = 1, next = HOL_INF;
        for (int h = 0; h < MAX_HALVINGS; h++, factor *= 0.5) {
            for (int j = 0; j < s->nq; j++) x->q[j] = trial[j] + factor * step[j];
            hol_equations_residual(s, x, NULL, phi);
            next = scaled_norm(s, phi, worst);
            if (next < norm) break;
        }
        if (next < norm) continue;
        memcpy(x->q, trial, (size_t)s->nq * sizeof *trial);
        break;
    }
    hol_equations_residual(s, x, NULL, phi);
    return scaled_norm(s, phi, worst) <= ASSEMBLED_ENOUGH * scale ? HOL_OK : HOL_RECOVERABLE;
}

// A second correction removes what rounding or regularisation left; Psi need not be linear, and its matrix is made anew. Rows that
// contradict each other leave something, which the caller measures.
static hol_status project_velocities(hol_kernel *k, hol_state *x, double part, double delta)
{
    static const hol_closing first = {.least = 2, .most = 2, .slow = HOL_INF, .loose = HOL_INF},
                             again = {.most = 2, .slow = HOL_INF, .loose = HOL_INF};
    hol_status st = set_metric(k, x, HOL_WITH_RATES, part, delta);
    int count = 0;
    if (!st) st = hol_kernel_velocities(k, x, &first, &count);
    for (int i = 0; i < MAX_TURNS && k->s->nk && count && !st; i++) {
        count = 0;
        st = set_metric(k, x, HOL_WITH_RATES, part, delta);
        if (!st) st = hol_kernel_velocities(k, x, &again, &count);
    }
    return st;
}

hol_status hol_project_velocities_with(hol_kernel *k, hol_state *x, double delta)
{
    return project_velocities(k, x, METRIC, delta);
}

hol_status hol_project_velocities(hol_kernel *k, hol_state *x)
{
    return hol_project_velocities_with(k, x, hol_equations_delta(k->s));
}

hol_status hol_join_velocities(hol_kernel *k, hol_state *x)
{
    const hol_status st = project_velocities(k, x, 0, hol_equations_delta(k->s));
    return st > 0 ? project_velocities(k, x, 0, HOL_KKT_DELTA)
                  : st; // a singular pose: the masses stay what they are
}

// The equations at acceleration level with the present a, z, lam, kap, signs turned: what is missing, (n).
static void missing(hol_kernel *k, const hol_state *x, double *r)
{
    hol_equations *s = k->s;
    hol_equations_accelerated(s, x, r, r + s->nf);
    hol_equations_users(s, x, r + s->nq);
    hol_equations_rates_dot(s, x, r + s->nf + s->nc);
    for (int i = 0; i < s->n; i++) r[i] = -r[i];
}

// The largest force that an acceleration of 1 by natural size takes, from the matrix: forces of that size do not count as small.
static double unit_force(const hol_equations *s, const double *values)
{
    double force = 0;
    for (int i = 0; i < s->nq; i++) force = fmax(force, values[s->diagonal[i]] * s->q_size[i]);
    return force;
}

// Largest change against the size of what is changed: accelerations, multipliers, users' unknowns. What is nearly 0 need not
// settle but for a part of 1 by natural size, and of the force that this takes.
static double relative_change(const hol_equations *s, const hol_state *x, const double *step, double force)
{
    double a = 0, da = 0, worst = 0;
    for (int i = 0; i < s->nq; i++) {
        a = fmax(a, fabs(x->a[i]) / s->q_size[i]);
        da = fmax(da, fabs(step[i]) / s->q_size[i]);
    }
    worst = da / (1 + a);
    for (int i = 0; i < s->nz; i++)
        worst = fmax(worst, fabs(step[s->nq + i]) / fmax(s->m->equation[i].size, fabs(x->z[i])));
    double lam = force, dlam = 0;
    for (int i = 0; i < s->nc + s->nk; i++) {
        lam = fmax(lam, fabs(x->lam[i]));
        dlam = fmax(dlam, fabs(step[s->nf + i]));
    }
    return lam > 0 ? fmax(worst, dlam / lam) : worst;
}

// Without velocity constraints, and where users' equations follow one after the other: linear, and everything from one pass.
static hol_status solve_bordered(hol_kernel *k, hol_state *x, double delta)
{
    hol_equations *s = k->s;
    hol_status st = hol_explicit_evaluate(s->users, s, x);
    if (st) return st;
    hol_equations_bordered(s, x, hol_kkt_values(k->A), k->rhs);
    hol_kkt_try_even_scale(k->A); // users' unknowns have any size
    st = hol_kkt_factor(k->A, delta);
    if (!st) st = hol_kernel_solve(k, 1, k->rhs);
    if (st) return st;
    memcpy(x->a, k->rhs, (size_t)s->nq * sizeof *x->a);
    memcpy(x->lam, k->rhs + s->nf, (size_t)s->nc * sizeof *x->lam);
    return HOL_OK;
}

static void add_step(const hol_equations *s, hol_state *x, const double *step)
{
    for (int i = 0; i < s->n; i++) x->a[i] += step[i];
}

// Is what is missing, r, so little that the factors of the iterate before do to find it? Then it is added.
static bool is_settled(hol_kernel *k, hol_state *x, const double *r, double force)
{
    const hol_equations *s = k->s;
    double *step = k->work;
    memcpy(step, r, (size_t)s->n * sizeof *step);
    if (hol_kernel_solve(k, 1, step) || !(relative_change(s, x, step, force) < SETTLED)) return false;
    add_step(s, x, step);
    return true;
}

static const hol_coefficients mass_only = {1, 0, 0, 0, HOL_WITH_ALL};

// Newton's method (8.20).
static hol_status iterate(hol_kernel *k, hol_state *x, double delta)
{
    hol_equations *s = k->s;
    double *r = k->rhs, force = 0;
    memset(x->a, 0, (size_t)s->nq * sizeof *x->a);
    memset(x->lam, 0, (size_t)(s->nc + s->nk) * sizeof *x->lam);
    for (int i = 0; i < MAX_ITERATIONS; i++) {
        // what follows from the iterate is taken from it, so that a chain of kinks is one function and not several lines
        hol_status st = i > 0 && s->follow ? hol_explicit_evaluate(s->follow, s, x) : HOL_OK;
        if (st) return st;
        missing(k, x, r);
        if (i > 0 && is_settled(k, x, r, force)) return HOL_OK;
        hol_kernel_matrix(k, x, &mass_only);
        force = unit_force(s, hol_kkt_values(k->A));
        if (s->nz) hol_kkt_try_even_scale(k->A);
        st = hol_kkt_factor(k->A, delta);
        if (!st) st = hol_kernel_solve(k, 1, r);
        if (st) return st;
        add_step(s, x, r);
        if (!s->nz || relative_change(s, x, r, force) < SETTLED)
            return HOL_OK; // linear without users' equations
    }
    return HOL_RECOVERABLE;
}

hol_status hol_solve_accelerations_with(hol_kernel *k, hol_state *x, double delta)
{
    hol_equations *s = k->s;
    hol_status st = hol_kernel_need(k);
    if (st) return st;
    // users' unknowns begin with those of the last success: user code may have no value at those of a failure
    double *kept = k->work + s->n + s->m->nc + s->nk;
    memcpy(kept, x->z, (size_t)s->nz * sizeof *kept);
    st = s->users && !s->nk ? solve_bordered(k, x, delta) : iterate(k, x, delta);
    if (st)
        memcpy(x->z, kept, (size_t)s->nz * sizeof *kept);
    else
        hol_kernel_note_accelerations(k, x);
    return st;
}

// Are users' equations among those that are solved, and not evaluated one after the other?
static bool has_unknowns(const hol_equations *s) { return s->nz > 0 && !(s->users && !s->nk); }

hol_status hol_factor_accelerations(hol_kernel *k, const hol_state *x)
{
    if (!has_unknowns(k->s)) return HOL_OK; // linear: there is one matrix
    hol_kernel_matrix(k, x, &mass_only);
    const hol_status st = hol_kernel_factor(k);
    if (!st) hol_kernel_note_accelerations(k, x);
    return st;
}

hol_status hol_refine_accelerations(hol_kernel *k, hol_state *x)
{
    missing(k, x, k->rhs);
    const hol_status st = hol_kernel_solve(k, 1, k->rhs);
    if (!st) add_step(k->s, x, k->rhs);
    return st;
}

hol_status hol_solve_accelerations_near(hol_kernel *k, const hol_state *other, hol_state *x)
{
    return hol_kernel_has_accelerations(k, other) ? hol_refine_accelerations(k, x)
                                                  : hol_solve_accelerations(k, x);
}

hol_status hol_solve_accelerations(hol_kernel *k, hol_state *x)
{
    return hol_solve_accelerations_with(k, x, hol_equations_delta(k->s));
}
