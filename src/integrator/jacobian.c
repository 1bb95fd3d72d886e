// Exact derivatives J1, J2, f_t of the state-space equations at the point of a chart by implicit differentiation
// (docs/theory.md, section 9.2): one factorisation, right-hand sides of linear.c for 2 d + nx + 1 directions, projected
// onto the chart.
#include "integrator/jacobian.h"
#include "system/linear.h"

#include <string.h>

hol_status hol_jacobian_create(hol_context *ctx, const hol_chart *c, hol_jacobian *j)
{
    const size_t d = (size_t)c->d, nx = (size_t)c->s->nx, nq = (size_t)c->s->nq, cols = 2 * d + nx + 1,
                 n = d + nx, first = c->s->nk ? d : 0;
    memset(j, 0, sizeof *j);
    j->n = (int)n;
    const size_t room = 2 * n * n + n + cols * (2 * nq + 1 + nx + (size_t)c->s->n);
    j->memory = hol_calloc(ctx, room + 2 * first * d + first + 1, sizeof *j->memory);
    if (!j->memory) return HOL_ERR_MEMORY;
    j->J1 = j->memory;
    j->J2 = j->J1 + n * n;
    j->ft = j->J2 + n * n;
    j->N = j->ft + n;
    j->Z = j->N + cols * (nq + 1);
    j->X = j->Z + cols * nq;
    j->out = j->X + cols * nx;
    if (!c->s->nk) return HOL_OK;
    j->V1 = j->memory + room;
    j->V2 = j->V1 + d * d;
    j->vt = j->V2 + d * d;
    return HOL_OK;
}

void hol_jacobian_destroy(hol_jacobian *j)
{
    hol_free(j->memory);
    memset(j, 0, sizeof *j);
}

// Z of these columns: to what is there, the change that keeps all constraints on velocities.
static hol_status complete(hol_jacobian *j, hol_chart *c, const hol_state *x, int from, int cols)
{
    const hol_equations *s = c->s;
    const size_t n = (size_t)s->n, nq = (size_t)s->nq;
    const double *N = j->N + (size_t)from * (nq + 1);
    double *Z = j->Z + (size_t)from * nq, *r = j->out;
    memset(r, 0, (size_t)cols * n * sizeof *r);
    hol_linear_velocities(c->s, x, cols, N, s->n, r + s->nf);
    hol_linear_rates(c->s, x, cols, N, Z, s->n, r + s->nf + s->nc);
    const hol_status st = hol_kernel_solve(hol_chart_velocity_kernel(c), cols, r);
    for (int k = 0; k < cols && !st; k++, Z += nq, r += n)
        for (size_t i = 0; i < nq; i++) Z[i] += r[i];
    return st;
}

// d changes of y at fixed w, d + nx changes of w, one of time.
static hol_status fill_directions(hol_jacobian *j, hol_chart *c, const hol_state *x)
{
    const int d = c->d, nq = c->s->nq, nx = c->s->nx, last = 2 * d + nx;
    const size_t ld = (size_t)nq + 1, cols = (size_t)last + 1;
    memset(j->N, 0, cols * ld * sizeof *j->N);
    memset(j->Z, 0, cols * (size_t)nq * sizeof *j->Z);
    memset(j->X, 0, cols * (size_t)nx * sizeof *j->X);
    for (int k = 0; k < nx; k++) j->X[(size_t)(2 * d + k) * (size_t)nx + (size_t)k] = 1;
    for (int k = 0; k < d; k++) {
        const double *column = c->N + (size_t)k * (size_t)nq;
        memcpy(j->N + (size_t)k * ld, column, (size_t)nq * sizeof *column);
        memcpy(j->Z + (size_t)(d + k) * (size_t)nq, column, (size_t)nq * sizeof *column);
    }
    double *time = j->N + (size_t)last * ld;
    memcpy(time, c->drift, (size_t)nq * sizeof *time);
    time[nq] = 1;
    // changes of w keep the joints as they are, velocity constraints they do not
    const hol_status st = complete(j, c, x, 0, c->s->nk ? 2 * d : d);
    return st ? st : complete(j, c, x, last, 1);
}

// How y' = P v changes.
static void fill_rates(hol_jacobian *j, hol_chart *c)
{
    const int d = c->d, nq = c->s->nq, last = 2 * d + c->s->nx;
    for (int k = 0; k < d; k++) {
        hol_chart_project(c, j->Z + (size_t)k * (size_t)nq, j->V1 + k * d);
        hol_chart_project(c, j->Z + (size_t)(d + k) * (size_t)nq, j->V2 + k * d);
    }
    hol_chart_project(c, j->Z + (size_t)last * (size_t)nq, j->vt);
}

// (P a; X') out of the changes of all unknowns.
static void take(hol_chart *c, const double *change, double *f)
{
    const hol_equations *s = c->s;
    hol_chart_project(c, change, f);
    for (int i = 0; i < s->nx; i++) f[c->d + i] = change[s->nq + s->m->state[i].equation];
}

hol_status hol_jacobian_find(hol_jacobian *j, hol_chart *c, hol_kernel *k, const hol_state *x)
{
    hol_equations *s = c->s;
    const int d = c->d, n = j->n, last = d + n;
    hol_status st = fill_directions(j, c, x);
    if (st) return st;
    if (c->s->nk) fill_rates(j, c);
    hol_linear_accelerations(s, x, last + 1, j->N, j->Z, j->X, j->out);
    s->count.jacobians++;
    st = hol_factor_accelerations(k, x);
    if (!st) st = hol_kernel_solve(k, last + 1, j->out);
    for (int i = 0; i <= last && !st; i++)
        take(c, j->out + (size_t)i * (size_t)s->n,
             i < d      ? j->J1 + i * n
             : i < last ? j->J2 + (i - d) * n
                        : j->ft);
    return st;
}
