// Central differences; with constraints in the form of SHAKE and RATTLE (Ryckaert, Ciccotti, Berendsen 1977; Andersen 1983),
// w the velocity in the middle of the step, mu the multipliers that hold Phi and mu' those that hold Phi':
//
//     M0 (w - v0)/(h/2) + Phi_q0^T mu  = Q0,     q1 = q0 + h w,     Phi(q1, t1) = 0
//     M1 (v1 - w)/(h/2) + Phi_q1^T mu' = Q1(q1, v1, t1),            Phi_q1 v1 + Phi_t = 0
//
// Without constraints: a_n = (q_n+1 - 2 q_n + q_n-1)/h^2, v_n = (q_n+1 - q_n-1)/(2 h). Accelerations and multipliers of the
// state are those of the index-1 equations at (q1, v1).
#include "integrator/teaching.h"
#include "system/kernel.h"

#define SLOW 0.9 // part of the last error that may remain: the matrix stays that of t0

// q1: the accelerations of the state satisfy the first line with mu = lam; what Phi misses changes q1 along
// M^-1 Phi_q^T at t0 only.
static hol_status positions(hol_integrator *it, hol_teaching *d, double h)
{
    static const hol_coefficients mass_only = {1, 0, 0, 0, HOL_WITH_ALL};
    static const hol_closing closing = {.most = 30, .slow = SLOW};
    const hol_equations *s = it->s;
    const hol_state *x = &it->x;
    int count = 0;
    hol_kernel_matrix(it->k, x, &mass_only);
    hol_status st = hol_kernel_factor(it->k);
    if (st) return st;
    for (int i = 0; i < s->nq; i++) d->x1.q[i] = d->q[i] = x->q[i] + h * (x->v[i] + h / 2 * x->a[i]);
    st = hol_kernel_positions(it->k, &d->x1, &closing, &count);
    it->count.newton_iterations += count;
    if (st) return st;
    for (int i = 0; i < s->nq; i++) {
        d->v[i] = x->v[i] + h / 2 * x->a[i] + (d->x1.q[i] - d->q[i]) / h; // w
        d->q[i] = d->x1.q[i];
    }
    for (int i = 0; i < s->nx; i++) d->X[i] = x->X[i] + h / 2 * x->z[s->m->state[i].equation];
    return HOL_OK;
}

// The positions by forces at the beginning, then velocities and accelerations at the end, (12.4).
static hol_status step(hol_integrator *it, double t1)
{
    static const hol_level velocities = {.velocity = 1};
    hol_teaching *d = it->data;
    const double h = t1 - it->x.t;
    hol_teaching_begin(it, t1);
    hol_status st = positions(it, d, h);
    if (!st) st = hol_teaching_solve(it, 0, h / 2, &velocities);
    if (!st) st = hol_solve_accelerations(it->k, &d->x1);
    if (st) return st > 0 ? hol_teaching_fail(it) : st;
    hol_teaching_accept(it);
    return HOL_OK;
}

// (1/omega) times 2: z^2 - (2 - (omega h)^2) z + 1 = 0 has a root at -1.
static double limit(const hol_value *option, bool variable)
{
    (void)option;
    (void)variable;
    return 2;
}

const hol_method hol_method_central = {
    .name = "central",
    .family = "Newmark",
    .doc = "central differences, explicit, order 2; with constraints in the form of SHAKE and RATTLE; fixed "
           "steps",
    .order = 2,
    .holds = HOL_HOLDS_MOTION,
    .limit = limit,
    .step = step,
    HOL_TEACHING_FUNCTIONS,
};
