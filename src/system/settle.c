// Newton's method for the equations of motion at a given acceleration, positions following accelerations as in a step of the trapezoidal
// rule, (5.20):
//
//     S da = Q - Phi_q^T lam - M a,   Phi_q da = -Phi/b;      q += b da,   v += g da,      b = h^2/4,  g = h/2
//
// with S of (5.7) at x: in stiff directions it is b K, so that the position moves until the force carries the acceleration.
#include "system/settle.h"

#include <math.h>
#include <string.h>

#define ENOUGH 1e-3    // of the largest acceleration
#define ROUNDING 1e-14 // of the largest coordinate

enum { MOST_TURNS = 4 };

// What is missing, (n), and in *most the force of the largest acceleration, *off what is missing of the forces: by natural size.
static void missing(hol_kernel *k, const hol_state *x, const hol_coefficients *c, double *off, double *most)
{
    hol_equations *s = k->s;
    double *e = k->rhs, *force = k->work;
    hol_equations_residual(s, x, e, e + s->nf);
    hol_equations_users(s, x, e + s->nq);
    hol_equations_rates(s, x, e + s->nf + s->nc);
    hol_equations_forces(s, x, force);
    *off = *most = 0;
    for (int i = 0; i < s->nq; i++) {
        *off = hol_larger(fabs(e[i]) * s->q_size[i], *off);
        *most = hol_larger(fabs(e[i] - force[i]) * s->q_size[i], *most);
    }
    for (int i = 0; i < s->nc; i++) e[s->nf + i] /= c->cK;
    for (int i = 0; i < s->nk; i++) e[s->nf + s->nc + i] /= c->cD;
    for (int i = 0; i < s->n; i++) e[i] = -e[i];
}

// Are positions moved by no more than their rounding?
static bool is_rounding(const hol_equations *s, const hol_state *x, const hol_coefficients *c,
                        const double *step)
{
    return c->cK * hol_equations_coordinate_norm(s, step) <=
           ROUNDING * fmax(1, hol_equations_coordinate_norm(s, x->q));
}

static void correct(const hol_equations *s, hol_state *x, const hol_coefficients *c, const double *step)
{
    for (int i = 0; i < s->n; i++) x->a[i] += step[i]; // all unknowns
    for (int i = 0; i < s->nq; i++) {
        x->q[i] += c->cK * step[i];
        x->v[i] += c->cD * step[i];
    }
    for (int i = 0; i < s->nx; i++) x->X[i] += c->cD * step[s->nq + s->m->state[i].equation];
}

hol_status hol_settle_forces(hol_kernel *k, hol_state *x, double h)
{
    const hol_coefficients c = {1, h * h / 4, h * h / 4, h / 2, HOL_WITH_ALL};
    hol_equations *s = k->s;
    hol_status st = hol_kernel_need(k);
    double off = 0, most = 0, last = HOL_INF;
    for (int i = 0; i < MOST_TURNS && !st; i++) {
        missing(k, x, &c, &off, &most);
        if (off <= ENOUGH * most) return HOL_OK;
        if (!(off < last)) return HOL_RECOVERABLE;
        last = off;
        hol_kernel_matrix(k, x, &c);
        st = hol_kernel_factor(k);
        if (!st) st = hol_kernel_solve(k, 1, k->rhs);
        if (!st) correct(s, x, &c, k->rhs);
        if (!st && is_rounding(s, x, &c, k->rhs)) return HOL_OK;
    }
    if (st) return st;
    missing(k, x, &c, &off, &most);
    return off <= ENOUGH * most || off < 0.1 * last ? HOL_OK : HOL_RECOVERABLE;
}
