// Local errors of the index-3 family: of positions, velocities and users' states. docs/theory.md, section 5.5.
#include "integrator/index3_data.h"
#include "system/kernel.h"

#include <math.h>
#include <string.h>

bool hol_index3_tests_first_order(const hol_integrator *it, const hol_index3 *d)
{
    const bool first = hol_scheme_first_order(&d->scheme);
    return d->scheme.velocity_test || (it->norm.groups && !it->norm.groups->skips && first);
}

// kE h^2 (w1 - w0) in the positions, (gamma - 1/2) h (w1 - w0) in the velocities, means.
static double mean_error(const hol_integrator *it, const hol_index3 *d, double h)
{
    double sum = 0, fast = 0;
    for (int i = 0; i < it->s->nq; i++) {
        const double x = d->w1[i] - d->ws[i],
                     rate = fmax(it->size[i] / it->s->m->time_scale, it->relative * fabs(d->x1.v[i]));
        sum += x * x / (d->weight[i] * d->weight[i]);
        fast += x * x / (rate * rate);
    }
    const double position = fabs(d->scheme.error) * h * h * sqrt(sum / it->s->nq);
    const double velocity = (d->scheme.gamma - 0.5) * h * sqrt(fast / it->s->nq);
    return fmax(position, d->scheme.velocity_test ? velocity : 0) / it->tolerance;
}

// (5.12b): of velocities by the third derivative of v, with less history by that of the start, else by the second;
// at order 1 by w.
static void velocity_error(const hol_integrator *it, const hol_index3 *d, double h, double *e)
{
    const hol_scheme *c = &d->scheme;
    const hol_history *p = &d->history;
    const double *a1 = d->x1.a, *a0 = p->past[0], before = p->n > 1 ? p->t[0] - p->t[1] : 0;
    for (int i = 0; i < it->s->nq; i++) {
        if (hol_scheme_first_order(c))
            e[i] = (c->gamma - 0.5) * h * (d->w1[i] - d->ws[i]);
        else if (before > 0)
            e[i] = 2 * c->rate_error * h * h * h / (h + before) *
                   ((a1[i] - a0[i]) / h - (a0[i] - p->past[1][i]) / before);
        else if (d->knows_jerk)
            e[i] = 2 * c->rate_error * h * (a1[i] - a0[i] - h * d->jerk[i]);
        else
            e[i] = h * (a1[i] - a0[i]) / 12;
    }
}

// (5.12c): takes out what lies across the constraints, where it comes and goes with the step size, and what stiff forces damp in the
// next step: S (e; .) = (M e; 0), with the factors at hand.
static void filter(hol_integrator *it, const hol_index3 *d, double *e)
{
    const hol_equations *s = it->s;
    double *b = it->k->rhs;
    memset(b, 0, (size_t)s->n * sizeof *b);
    hol_equations_mass_times(s, &d->x1, e, b);
    if (hol_kernel_solve(it->k, 1, b)) return;
    memcpy(e, b, (size_t)s->nq * sizeof *e);
}

#define PART 0.1 // of the tolerance: of the energy that a step may give away

// Would the filter give away more energy than the tolerance does? What stiff forces do to the velocities in this step is compared with the
// motion: by their change of the accelerations, as far as the velocities have really changed by it (a vibration of many radians in the step
// has come back). (5.12e)
static bool loses_energy(hol_integrator *it, const hol_index3 *d, double h, double *e)
{
    double *fast = d->as, along = 0, square = 0; // the step is made, and needs them no more
    for (int i = 0; i < it->s->nq; i++) e[i] = fast[i] = h / 2 * (d->x1.a[i] - it->x.a[i]);
    if (!(pow(hol_norm_speed(&it->norm, fast), 2) > PART * it->asked)) return false;
    filter(it, d, e);
    for (int i = 0; i < it->s->nq; i++) {
        const double size = it->size[i];
        fast[i] -= e[i];
        along += fast[i] * (d->x1.v[i] - it->x.v[i]) / (size * size);
        square += fast[i] * fast[i] / (size * size);
    }
    const double part = fmin(1, fabs(along) / square);
    return pow(part * hol_norm_speed(&it->norm, fast), 2) > PART * it->asked;
}

// Of the worst group; raw: the same of what is not filtered.
static double filtered_error(hol_integrator *it, hol_index3 *d, double h, double *raw)
{
    const hol_norm *z = &it->norm;
    double *e = d->e;
    for (int i = 0; i < it->s->nq; i++) e[i] = d->scheme.error * h * h * (d->w1[i] - d->ws[i]);
    *raw = hol_norm_positions(z, e, it->x.q, d->x1.q);
    if (it->s->nc == it->s->nq)
        return *raw; // nothing would be left, but forces of joints and drivers are to be right
    filter(it, d, e);
    const double position = hol_norm_positions(z, e, it->x.q, d->x1.q);
    if (z->groups->skips) return position;
    velocity_error(it, d, h, e);
    *raw = fmax(*raw, hol_norm_rates(z, e));
    filter(it, d, e);
    const double error = fmax(position, hol_norm_rates(z, e));
    return error > 1 || !(*raw > 1) || !loses_energy(it, d, h, e) ? error : *raw;
}

// An iterate that stretches a stiff spring has forces that would filter any error away. Where the filter decides, its matrix is that of the
// step's end.
static double group_error(hol_integrator *it, hol_index3 *d, double h)
{
    double raw;
    hol_norm_pace(&it->norm, 0, d->x1.q, it->x.v, d->x1.v);
    const double error = filtered_error(it, d, h, &raw);
    if (d->settled || error > 1 || !(raw > 1)) return error;
    if (hol_index3_refresh(it, d, h, hol_equations_delta(it->s))) return raw;
    d->settled = true;
    return filtered_error(it, d, h, &raw);
}

double hol_index3_error(hol_integrator *it, hol_index3 *d, double h)
{
    return it->norm.groups ? group_error(it, d, h) : mean_error(it, d, h);
}

double hol_index3_state_error(const hol_integrator *it, const hol_index3 *d, double h)
{
    const hol_equations *s = it->s;
    double worst = 0;
    for (int i = 0; i < s->nx; i++) {
        const double error = hol_scheme_state_error(&d->scheme, s, &d->history, i, d->x1.z, h,
                                                    d->knows_jerk ? d->jerk + s->nq : NULL);
        const double now = fmax(fabs(it->x.X[i]), fabs(d->x1.X[i])),
                     weight = it->norm.groups ? fmax(it->size[s->nq + i], it->relative * now)
                                              : d->weight[s->nq + i];
        worst = fmax(worst, fabs(error) / weight);
    }
    return worst / it->tolerance;
}
