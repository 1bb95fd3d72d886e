// Impacts (8.58): the impulse P along g = c_q^T is -(1 + e) c'/(g.u), where u is the motion that P = 1 leaves.
#include "system/impact.h"

#include <math.h>
#include <string.h>

#define HELD 1e-12 // of what the same impulse would move alone: less is a coordinate that is held

// The direction in which the force acts, on all coordinates (nq).
static void direction(const hol_equations *s, const hol_state *x, const hol_element *e, double *g)
{
    hol_real y[HOL_MAX_Y], none[HOL_MAX_Y], Q[HOL_MAX_Y] = {0};
    memset(g, 0, (size_t)s->nq * sizeof *g);
    hol_element_gather(s->m, e, x->t, x->q, NULL, 1, y, none);
    e->type->force_u(e->data, e->ny, y, Q);
    for (int b = 0, at = 0; b < e->n_bodies; b++) {
        const hol_body *body = &s->m->body[e->body[b]];
        for (int i = 0; i < body->size; i++) g[body->q + i] += hol_re(Q[at++]);
    }
}

// How far an impulse g.g would move the coordinate if nothing held its bodies: of the size of 1/mass.
static double alone(const hol_equations *s, const double *g, const double *M)
{
    double sum = 0;
    for (int i = 0; i < s->nq; i++)
        if (M[s->diagonal[i]] > 0) sum += g[i] * g[i] / M[s->diagonal[i]];
    return sum;
}

hol_status hol_impact(hol_kernel *k, hol_state *x, const hol_element *force, double rate, double restitution,
                      double *mu)
{
    hol_equations *s = k->s;
    hol_kernel_forget_accelerations(k);
    hol_status st = hol_kernel_need_room(k);
    if (st) return st;
    double *g = hol_calloc(s->ctx, 2 * (size_t)s->nq, sizeof *g);
    if (!g) return HOL_ERR_MEMORY;
    double *u = g + s->nq, mobility = 0;
    direction(s, x, force, g);
    static const hol_coefficients mass_only = {1, 0, 0, 0, HOL_WITH_RATES};
    st = hol_kernel_need(k);
    if (!st) hol_equations_matrix(s, x, &mass_only, hol_kkt_values(k->A));
    const double free = st ? 0 : alone(s, g, hol_kkt_values(k->A));
    if (!st) st = hol_kernel_factor(k);
    if (!st) st = hol_kernel_project(k, g, u);
    for (int i = 0; i < s->nq && !st; i++) mobility += g[i] * u[i];
    const bool held = !(mobility > HELD * free);
    const double P = held ? 1 : -(1 + restitution) * rate / mobility;
    for (int i = 0; i < s->nc && !st; i++)
        mu[i] = k->work[s->nf + i] * P; // behind u, where it was solved for
    for (int i = 0; i < s->nq && !st && !held; i++) x->v[i] += P * u[i];
    hol_free(g);
    return st ? st : held ? HOL_RECOVERABLE : hol_project_velocities(k, x);
}
