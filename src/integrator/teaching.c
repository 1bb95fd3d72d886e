// What the teaching methods share (equations in teaching.h). Newton's iteration with the exact matrix, made anew every
// time:
//
//     S' [da; dz; dlam] = -[e1; e2; e3],     n = w2 + w1 g + w0 b                                  docs/theory.md (12.2)
//     S' = S(1, b, b, g) with  Phi_q + (w2 b/n) ((Phi_q a)_q - tau_q) - (w2 g + w1 b/2)/n tau_v  in the rows of Phi_q
#include "integrator/teaching.h"
#include "integrator/stop.h"
#include "system/linear.h"

#include <math.h>
#include <string.h>

enum { MAX_NEWTON = 30 };
#define CLOSE                                                                                                \
    1e-12          // largest correction of the positions, h^2 da, at which the iteration stops, by their size
#define EXACT 1e-9 // the same of users' unknowns; one more correction would square it

hol_status hol_teaching_create(hol_integrator *it)
{
    hol_equations *s = it->s;
    const size_t nq = (size_t)s->nq, entries = (size_t)s->pattern.start[s->n];
    hol_teaching *d = hol_calloc(it->ctx, 1, sizeof *d);
    it->data = d;
    if (!d) return HOL_ERR_MEMORY;
    const hol_status st = hol_state_create(s, &d->x1);
    if (st) return st;
    d->memory = hol_calloc(it->ctx, 2 * nq + (size_t)s->nx + (size_t)s->n + 2 * entries, sizeof *d->memory);
    if (!d->memory) return HOL_ERR_MEMORY;
    d->q = d->memory;
    d->v = d->q + nq;
    d->X = d->v + nq;
    d->e = d->X + s->nx;
    d->K = d->e + s->n;
    d->D = d->K + entries;
    return HOL_OK;
}

void hol_teaching_destroy(hol_integrator *it)
{
    hol_teaching *d = it->data;
    if (!d) return;
    hol_state_destroy(&d->x1);
    hol_free(d->memory);
    hol_free(d);
}

hol_status hol_teaching_restart(hol_integrator *it)
{
    (void)it;
    return HOL_OK;
}

void hol_teaching_archive(hol_integrator *it, hol_archive *a)
{
    (void)it;
    (void)a;
}

const char *hol_teaching_refuse(const hol_value *option, bool variable)
{
    (void)option;
    return variable
               ? "this teaching method has fixed steps only: give `step` (--step), or take another method"
               : NULL;
}

void hol_teaching_begin(hol_integrator *it, double t1)
{
    hol_teaching *d = it->data;
    hol_state_copy(it->s, &d->x1, &it->x);
    d->x1.t = t1;
}

static void move(const hol_equations *s, hol_teaching *d, double b, double g)
{
    for (int i = 0; i < s->nq; i++) {
        d->x1.q[i] = d->q[i] + b * d->x1.a[i];
        d->x1.v[i] = d->v[i] + g * d->x1.a[i];
    }
    for (int i = 0; i < s->nx; i++) d->x1.X[i] = d->X[i] + g * d->x1.z[s->m->state[i].equation];
}

// -[e1; e2; e3]: equations of motion, users' equations, constraints at their level divided by n.
static void residual(hol_kernel *k, hol_teaching *d, double n, const hol_level *w)
{
    hol_equations *s = k->s;
    double *e = d->e, *phi = e + s->nf, *all = k->work, *a = all + s->m->nc, *tau = a + s->nc;
    hol_equations_residual(s, &d->x1, e, phi);
    hol_equations_users(s, &d->x1, e + s->nq);
    hol_equations_phi_dot_all(s, d->x1.t, d->x1.q, d->x1.v, all);
    hol_equations_jacobian_times(s, d->x1.t, d->x1.q, d->x1.a, a);
    hol_equations_tau(s, &d->x1, tau);
    for (int i = 0; i < s->nf; i++) e[i] = -e[i];
    for (int i = 0; i < s->nc; i++)
        phi[i] =
            -(w->acceleration * (a[i] - tau[i]) + w->velocity * all[s->model_row[i]] + w->position * phi[i]) /
            n;
}

// The matrix (5.7) with the rows (12.2) of the level at which the constraints are held.
static hol_status factor(hol_kernel *k, hol_teaching *d, double b, double g, double n, const hol_level *w)
{
    const hol_coefficients c = {1, b, b, g, HOL_WITH_ALL};
    hol_equations *s = k->s;
    double *values = hol_kkt_values(k->A);
    const double cK = w->acceleration * b / n, cD = (w->acceleration * g + w->velocity * b / 2) / n;
    hol_kernel_matrix(k, &d->x1, &c);
    if (cK != 0 || cD != 0) {
        hol_linear_rows(s, &d->x1, d->K, d->D);
        for (int i = 0; i < s->pattern.start[s->n]; i++) values[i] += cK * d->K[i] + cD * d->D[i];
    }
    return hol_kernel_factor(k);
}

// Size of a correction; at most 1 is convergence.
static double correction(const hol_equations *s, const hol_teaching *d, double h)
{
    double dq = 0, q = 1, dz = 0;
    for (int i = 0; i < s->nq; i++) {
        dq = fmax(dq, h * h * fabs(d->e[i]) / s->q_size[i]);
        q = fmax(q, fabs(d->x1.q[i]) / s->q_size[i]);
        if (!isfinite(d->e[i])) return HOL_INF;
    }
    for (int i = 0; i < s->nz; i++)
        dz = fmax(dz, fabs(d->e[s->nq + i]) / fmax(s->m->equation[i].size, fabs(d->x1.z[i])));
    return fmax(dq / (CLOSE * q), dz / EXACT);
}

hol_status hol_teaching_solve(hol_integrator *it, double b, double g, const hol_level *w)
{
    hol_equations *s = it->s;
    hol_teaching *d = it->data;
    const double h = d->x1.t - it->x.t, n = w->acceleration + w->velocity * g + w->position * b;
    for (int k = 0; k < MAX_NEWTON; k++) {
        move(s, d, b, g);
        residual(it->k, d, n, w);
        hol_status st = factor(it->k, d, b, g, n, w);
        if (!st) st = hol_kernel_solve(it->k, 1, d->e);
        if (st) return st;
        for (int i = 0; i < s->n; i++) d->x1.a[i] += d->e[i];
        it->count.newton_iterations++;
        const double size = correction(s, d, h);
        if (size <= 1) {
            move(s, d, b, g);
            return HOL_OK;
        }
        if (!isfinite(size)) break;
    }
    return HOL_RECOVERABLE;
}

void hol_teaching_accept(hol_integrator *it) { hol_integrator_advance(it, &((hol_teaching *)it->data)->x1); }

hol_status hol_teaching_fail(hol_integrator *it)
{
    const hol_teaching *d = it->data;
    return hol_stop(it, &d->x1, d->x1.t - it->x.t, NULL, "Newton's iteration does not converge", NULL);
}

hol_status hol_teaching_newmark(hol_integrator *it, double t1, const hol_level *level)
{
    const hol_equations *s = it->s;
    hol_teaching *d = it->data;
    const hol_state *x = &it->x;
    const double h = t1 - x->t, gamma = it->option[HOL_NEWMARK_GAMMA].num,
                 beta = hol_newmark_beta(it->option);
    for (int i = 0; i < s->nq; i++) {
        d->q[i] = x->q[i] + h * (x->v[i] + h * (0.5 - beta) * x->a[i]);
        d->v[i] = x->v[i] + h * (1 - gamma) * x->a[i];
    }
    for (int i = 0; i < s->nx; i++) d->X[i] = x->X[i] + h * (1 - gamma) * x->z[s->m->state[i].equation];
    hol_teaching_begin(it, t1);
    hol_status st = hol_teaching_solve(it, beta * h * h, gamma * h, level);
    if (st > 0) { // once more from a = 0: large accelerations at the start mislead
        it->count.corrector_failures++;
        hol_teaching_begin(it, t1);
        memset(d->x1.a, 0, (size_t)s->nq * sizeof *d->x1.a);
        st = hol_teaching_solve(it, beta * h * h, gamma * h, level);
    }
    if (st) return st > 0 ? hol_teaching_fail(it) : st;
    hol_teaching_accept(it);
    return HOL_OK;
}
