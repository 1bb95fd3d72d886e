// See rosenbrock.h.
#include "integrator/rosenbrock.h"
#include "integrator/jacobian.h"
#include "linalg/dense.h"
#include "system/project.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const hol_option hol_rosenbrock_options[] = {
    {"coordinates", HOL_CHOICE, "", 0, 0, 0, 0, "auto|partition|tangent",
     "state-space coordinates: some of the model's own, or those of the tangent space, new at every step; "
     "auto: angles "
     "with rotational springs if there are any, else tangent"},
    {"jacobian", HOL_CHOICE, "", 0, 0, 0, 0, "exact|halved|zero",
     "for tests: what a wrong Jacobian does to the order"},
    {"filter", HOL_CHOICE, "", 0, 0, 0, 0, "auto|yes|no",
     "damp the stiff part of the velocities' error estimate by the matrix of the stages; auto: in the "
     "tangent space"},
    HOL_END_OPTIONS};

enum { TRIED = 6 };

typedef struct {
    const hol_rosenbrock *table;
    const hol_value *option;
    hol_chart chart;
    bool has_jacobian; // J1, J2, ft belong to it->x
    bool needs_solve;  // the system's factors do not belong to it->x
    bool held;         // the last attempt was rejected: the step may not grow
    hol_limit why;
    hol_state x1; // stage, then the new point
    int *pivot;   //                                                         (d)
    hol_jacobian j;
    double *E;                        // matrix of the stages, factored                          (d x d)
    double *l, *f;                    // stages                                                  (stages x d)
    double *w0, *y, *w, *ey, *ew, *r; //                                          (d)
    double *vector;                   // (nq)
    double *memory;
    double tried[TRIED];
} rosenbrock;

// ---- creation -------------------------------------------------------------------------------------------------

static bool wants_tangent(const hol_integrator *it, const rosenbrock *d)
{
    const double choice = d->option[HOL_ROSENBROCK_COORDINATES].num;
    if (choice > 0) return choice > 1;
    for (int k = it->s->m->n_bodies; k < it->s->m->n_elements && it->s->m->dimension == 2; k++)
        if (strcmp(it->s->m->element[k].type->name, "rotational-spring-damper") == 0) return false;
    return true;
}

static hol_status make_chart(hol_integrator *it, rosenbrock *d)
{
    hol_status st = hol_chart_create(it->ctx, it->s, wants_tangent(it, d), &d->chart);
    if (!st) st = hol_chart_choose(&d->chart, &it->x);
    if (st > 0)
        st = hol_fail(it->ctx, HOL_ERR_INTEGRATION,
                      "t = %.6g s: no coordinates of the state space were found: a singular pose", it->x.t);
    return st;
}

hol_status hol_rosenbrock_create(hol_integrator *it, const hol_rosenbrock *table)
{
    rosenbrock *d = hol_calloc(it->ctx, 1, sizeof *d);
    it->data = d;
    if (!d) return HOL_ERR_MEMORY;
    d->table = table;
    d->option = it->option + hol_option_count(it->method->options);
    hol_status st = make_chart(it, d);
    if (!st) st = hol_state_create(it->s, &d->x1);
    if (!st) st = hol_jacobian_create(it->ctx, &d->chart, &d->j);
    if (st) return st;
    const size_t n = (size_t)d->j.n, nq = (size_t)it->s->nq, stages = HOL_ROSENBROCK_STAGES;
    d->memory = hol_calloc(it->ctx, n * n + 2 * stages * n + 6 * n + nq + 1, sizeof *d->memory);
    d->pivot = hol_calloc(it->ctx, n + 1, sizeof *d->pivot);
    if (!d->memory || !d->pivot) return HOL_ERR_MEMORY;
    double *p = d->memory;
    const struct {
        double **array;
        size_t size;
    } parts[] = {{&d->E, n * n}, {&d->l, stages * n}, {&d->f, stages * n}, {&d->w0, n}, {&d->y, n},
                 {&d->w, n},     {&d->ey, n},         {&d->ew, n},         {&d->r, n},  {&d->vector, nq}};
    for (int i = 0; i < HOL_COUNT(parts); i++) {
        *parts[i].array = p;
        p += parts[i].size;
    }
    return hol_rosenbrock_restart(it);
}

hol_status hol_rosenbrock_restart(hol_integrator *it)
{
    rosenbrock *d = it->data;
    d->has_jacobian = d->held = false;
    d->why = HOL_LIMIT_ERROR;
    if (it->tolerance > 0) it->h = fmin(it->h_max, 1e-5 * it->s->m->time_scale);
    return d->chart.d && memcmp(d->chart.q, it->x.q, (size_t)it->s->nq * sizeof *it->x.q) != 0
               ? hol_chart_set(&d->chart, &it->x)
               : HOL_OK;
}

void hol_rosenbrock_destroy(hol_integrator *it)
{
    rosenbrock *d = it->data;
    if (!d) return;
    hol_chart_destroy(&d->chart);
    hol_jacobian_destroy(&d->j);
    hol_state_destroy(&d->x1);
    hol_free(d->memory);
    hol_free(d->pivot);
    hol_free(d);
}

void hol_rosenbrock_rows_changed(hol_integrator *it)
{
    rosenbrock *d = it->data;
    hol_chart_destroy(&d->chart);
    d->has_jacobian = false;
    d->needs_solve = true;
    if (make_chart(it, d)) d->chart.d = -1; // the next step says so
}

// ---- Jacobians ------------------------------------------------------------------------------------------------

static hol_status find_jacobian(hol_integrator *it, rosenbrock *d)
{
    const double wrong[] = {1, 0.5, 0};
    const double factor = wrong[(int)d->option[HOL_ROSENBROCK_JACOBIAN].num];
    const int n = d->j.n;
    hol_status st = d->needs_solve || it->s->nz ? hol_solve_accelerations(it->s, &it->x) : HOL_OK;
    if (!st) st = hol_jacobian_find(&d->j, &d->chart, &it->x);
    if (st) return st;
    d->needs_solve = false;
    d->has_jacobian = true;
    for (int i = 0; i < 2 * n * n + n && factor != 1; i++) d->j.J1[i] *= factor; // J1, J2, ft stand together
    return HOL_OK;
}

// y += f A x
static void add_times(int n, double f, const double *A, const double *x, double *y)
{
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) y[i] += f * A[i + j * n] * x[j];
}

static hol_status factor_stage_matrix(hol_integrator *it, rosenbrock *d, double h)
{
    const int n = d->j.n;
    const double g = d->table->gamma;
    for (int i = 0; i < n * n; i++) d->E[i] = -h * d->j.J2[i] - g * h * h * d->j.J1[i];
    for (int i = 0; i < n; i++) d->E[i + i * n] += 1 / g;
    return n ? hol_dense_lu_factor(it->ctx, n, d->E, d->pivot) : HOL_OK;
}

// ---- one attempt ----------------------------------------------------------------------------------------------

// (P a; X')
static void take(const hol_integrator *it, const rosenbrock *d, const hol_state *x, double *f)
{
    hol_chart_project(&d->chart, x->a, f);
    for (int i = 0; i < it->s->nx; i++) f[d->chart.d + i] = x->z[it->s->m->state[i].equation];
}

// Accelerations at (y, w, t) in the chart; d->x1 is that state. HOL_RECOVERABLE: no state, or none is determined.
static hol_status evaluate(hol_integrator *it, rosenbrock *d, double t, const double *y, const double *w,
                           double *f)
{
    d->x1.t = t;
    memcpy(d->x1.X, w + d->chart.d, (size_t)it->s->nx * sizeof *w);
    hol_status st = hol_chart_positions(&d->chart, &d->x1, y);
    if (!st) st = hol_chart_velocities(&d->chart, &d->x1, w);
    if (!st) st = hol_solve_accelerations(it->s, &d->x1);
    d->needs_solve = true; // the factors belong to the stage
    if (!st && f) take(it, d, &d->x1, f);
    return st;
}

// The argument of stage i is that of the stage before: its f serves again.
static bool same_argument(const hol_rosenbrock *c, int i)
{
    if (i == 0 || c->alpha[i] != c->alpha[i - 1]) return false;
    for (int j = 0; j < i; j++)
        if (c->theta[i][j] != (j < i - 1 ? c->theta[i - 1][j] : 0) ||
            c->a[i][j] != (j < i - 1 ? c->a[i - 1][j] : 0))
            return false;
    return true;
}

static hol_status stage(hol_integrator *it, rosenbrock *d, int i, double h)
{
    const hol_rosenbrock *c = d->table;
    const int n = d->j.n;
    double *f = d->f + i * n, *l = d->l + i * n;
    for (int k = 0; k < n; k++) {
        d->y[k] = c->alpha[i] * h * d->w0[k];
        d->w[k] = d->w0[k];
        for (int j = 0; j < i; j++) {
            d->y[k] += h * c->theta[i][j] * d->l[j * n + k];
            d->w[k] += c->a[i][j] * d->l[j * n + k];
        }
    }
    hol_status st = HOL_OK;
    if (i == 0)
        take(it, d, &it->x, f);
    else if (same_argument(c, i))
        memcpy(f, f - n, (size_t)n * sizeof *f);
    else
        st = evaluate(it, d, it->x.t + c->alpha[i] * h, d->y, d->w, f);
    if (st) return st;
    for (int k = 0; k < n; k++) { // r: what J1 is applied to
        l[k] = h * f[k] + c->gammas[i] * h * h * d->j.ft[k];
        d->r[k] = c->gammas[i] * h * h * d->w0[k];
        for (int j = 0; j < i; j++) {
            l[k] += c->c[i][j] * d->l[j * n + k];
            d->r[k] += h * h * c->delta[i][j] * d->l[j * n + k];
        }
    }
    add_times(n, 1, d->j.J1, d->r, l);
    return n ? hol_dense_lu_solve(it->ctx, n, d->E, d->pivot, false, 1, l) : HOL_OK;
}

// New y, w and their errors.
static hol_status combine(hol_integrator *it, rosenbrock *d, double h)
{
    const hol_rosenbrock *c = d->table;
    const int n = d->j.n;
    for (int k = 0; k < n; k++) {
        d->y[k] = h * d->w0[k];
        d->w[k] = d->w0[k];
        d->ey[k] = d->ew[k] = 0;
        for (int i = 0; i < c->stages; i++) {
            const double l = d->l[i * n + k];
            d->y[k] += h * c->mu[i] * l;
            d->w[k] += c->m[i] * l;
            d->ey[k] += h * c->emu[i] * l;
            d->ew[k] += c->e[i] * l;
        }
    }
    const double filter = d->option[HOL_ROSENBROCK_FILTER].num;
    const bool wanted = filter == 0 ? d->chart.tangent : filter == 1;
    if (!wanted || d->option[HOL_ROSENBROCK_JACOBIAN].num > 0 || !n) return HOL_OK;
    const hol_status st = hol_dense_lu_solve(it->ctx, n, d->E, d->pivot, false, 1, d->ew);
    for (int k = 0; k < n; k++) d->ew[k] /= c->gamma;
    return st;
}

// Root mean square of an error in the chart against atol + rtol max(|before|, |after|), over the chart's own coordinates or,
// in the tangent space, over all of them.
static double norm(const hol_integrator *it, const rosenbrock *d, const double *e, const double *before,
                   const double *after, double rate, const hol_state *x1)
{
    const hol_chart *c = &d->chart;
    const int nq = it->s->nq, count = c->tangent ? nq : c->d, states = x1 ? it->s->nx : 0;
    double sum = 0;
    if (c->tangent) hol_chart_embed(c, e, d->vector);
    for (int k = 0; k < count; k++) {
        const int i = c->tangent ? k : c->index[k];
        const double size = it->size[i] * rate + it->relative * fmax(fabs(before[i]), fabs(after[i]));
        const double x = (c->tangent ? d->vector[i] : e[k]) / size;
        sum += x * x;
    }
    for (int i = 0; i < states; i++) {
        const double size = it->size[nq + i] + it->relative * fmax(fabs(it->x.X[i]), fabs(x1->X[i]));
        sum += e[c->d + i] * e[c->d + i] / (size * size);
    }
    return count + states ? sqrt(sum / (count + states)) / it->tolerance : 0;
}

static hol_status attempt(hol_integrator *it, rosenbrock *d, double t1, double h, double *error)
{
    *error = 0;
    hol_status st = factor_stage_matrix(it, d, h);
    for (int i = 0; i < d->table->stages && !st; i++) st = stage(it, d, i, h);
    if (!st) st = combine(it, d, h);
    if (!st) st = evaluate(it, d, t1, d->y, d->w, NULL);
    if (st || it->tolerance <= 0) return st;
    *error = fmax(norm(it, d, d->ey, it->x.q, d->x1.q, 1, NULL),
                  norm(it, d, d->ew, it->x.v, d->x1.v, 1 / it->s->m->time_scale, &d->x1));
    return HOL_OK;
}

// ---- steps ----------------------------------------------------------------------------------------------------

static hol_status fail(hol_integrator *it, const rosenbrock *d, double h)
{
    const double t = it->x.t;
    char sizes[TRIED * 12] = "";
    hol_status st = hol_system_report_blame(it->s, &d->x1, t);
    if (!st) st = hol_system_report_blame(it->s, &it->x, t);
    if (st) return st;
    for (int i = 0, n = 0; i < TRIED && d->tried[i] > 0; i++)
        n += snprintf(sizes + n, sizeof sizes - (size_t)n, "%s%.2g",
                      i ? ", " : "; tried before: ", d->tried[i]);
    return hol_fail(
        it->ctx, HOL_ERR_INTEGRATION,
        "stopped at t = %.6g s: the step collapsed to %.3g s%s: the error test is not met, or positions "
        "that satisfy the joints are not found; a force that jumps, or a singular pose? Try a larger "
        "tolerance, other rn4.coordinates or another --method",
        t, h, sizes);
}

// The chart follows the accepted state; a partition that has worn out is chosen anew.
static hol_status move_chart(hol_integrator *it, rosenbrock *d)
{
    hol_chart *c = &d->chart;
    const int corrections = c->most_corrections;
    hol_status st = hol_chart_set(c, &it->x);
    c->most_corrections = corrections;
    if (!st && !hol_chart_is_worn(c)) return HOL_OK;
    st = hol_chart_choose(c, &it->x);
    if (st > 0)
        return hol_fail(
            it->ctx, HOL_ERR_INTEGRATION,
            "stopped at t = %.6g s: the joints lose their independence here, no coordinates of the state "
            "space are left: a singular pose",
            it->x.t);
    it->count.repartitions++;
    return st;
}

static hol_status accept(hol_integrator *it, rosenbrock *d)
{
    hol_state old = it->before;
    memcpy(d->x1.mem, it->x.mem, (size_t)it->s->m->n_mem * sizeof *d->x1.mem);
    it->before = it->x;
    it->x = d->x1;
    d->x1 = old;
    d->has_jacobian = false;
    d->needs_solve = false; // the last evaluation was this point
    return move_chart(it, d);
}

static hol_status variable_step(hol_integrator *it, rosenbrock *d, double t_stop)
{
    for (;;) {
        hol_limit limit = d->why;
        double error;
        const double h = hol_control_step(it->x.t, it->h, it->h_max, t_stop, &limit);
        const double t1 = limit == HOL_LIMIT_STOP ? t_stop : it->x.t + h;
        if (h < 16 * DBL_EPSILON * fmax(fabs(it->x.t), 1e-6) && limit != HOL_LIMIT_STOP)
            return fail(it, d, h);
        memmove(d->tried + 1, d->tried, (TRIED - 1) * sizeof *d->tried);
        d->tried[0] = h;
        const hol_status st = attempt(it, d, t1, h, &error);
        if (st < 0) return st;
        if (st || !(error <= 1)) {
            if (st)
                it->count.corrector_failures++;
            else
                it->count.rejected++;
            it->h = st ? 0.2 * h : h * fmin(0.9, hol_control_factor(error, d->table->order, false));
            d->why = st ? HOL_LIMIT_NEWTON : HOL_LIMIT_ERROR;
            d->held = true;
            continue;
        }
        const double factor = hol_control_factor_plain(error, d->table->order, !d->held);
        it->error = error;
        it->limit = limit;
        it->h = limit == HOL_LIMIT_STOP ? fmax(it->h, h * factor) : h * factor;
        if (factor > 1 || limit == HOL_LIMIT_STOP) d->why = HOL_LIMIT_ERROR;
        d->held = false;
        return accept(it, d);
    }
}

hol_status hol_rosenbrock_step(hol_integrator *it, double t_stop)
{
    rosenbrock *d = it->data;
    double error;
    hol_status st = d->chart.d < 0 ? fail(it, d, it->h) : HOL_OK;
    memcpy(d->x1.mem, it->x.mem, (size_t)it->s->m->n_mem * sizeof *d->x1.mem);
    memcpy(d->x1.z, it->x.z, (size_t)it->s->nz * sizeof *d->x1.z);
    hol_chart_project(&d->chart, it->x.v, d->w0);
    memcpy(d->w0 + d->chart.d, it->x.X, (size_t)it->s->nx * sizeof *d->w0);
    if (!st && !d->has_jacobian) st = find_jacobian(it, d);
    if (st > 0) st = fail(it, d, it->h);
    if (st) return st;
    if (it->tolerance > 0) return variable_step(it, d, t_stop);
    st = attempt(it, d, t_stop, t_stop - it->x.t, &error);
    return st > 0 ? fail(it, d, t_stop - it->x.t) : st ? st : accept(it, d);
}

void hol_rosenbrock_archive(hol_integrator *it, hol_archive *a)
{
    rosenbrock *d = it->data;
    hol_chart *c = &d->chart;
    HOL_ARCHIVE(a, d->held);
    HOL_ARCHIVE(a, d->why);
    HOL_ARCHIVE(a, d->needs_solve);
    hol_archive_bytes(a, c->index, (size_t)c->d * sizeof *c->index);
    hol_archive_bytes(a, c->E, (size_t)it->s->nq * sizeof *c->E);
    hol_archive_bytes(a, c->N, (size_t)it->s->nq * (size_t)c->d * sizeof *c->N);
    hol_archive_bytes(a, c->drift, (size_t)it->s->nq * sizeof *c->drift);
    hol_archive_bytes(a, c->q, (size_t)it->s->nq * sizeof *c->q);
    hol_archive_bytes(a, c->values, (size_t)it->s->pattern.start[it->s->n] * sizeof *c->values);
    hol_sparse_archive(c->solver, a, c->values);
    HOL_ARCHIVE(a, c->t);
    HOL_ARCHIVE(a, c->pivot0);
    HOL_ARCHIVE(a, c->pivot);
    HOL_ARCHIVE(a, c->most_corrections);
    if (a->reading) d->has_jacobian = false;
}

// ---- dense output ---------------------------------------------------------------------------------------------

void hol_interpolate_quintic(const hol_integrator *it, double t, hol_state *out)
{
    const hol_state *x0 = &it->before, *x1 = &it->x;
    const double h = x1->t - x0->t, s = h > 0 ? (t - x0->t) / h : 1;
    hol_interpolate_hermite(it, t, out);
    if (s >= 1 || s <= 0) return;
    for (int i = 0; i < it->s->nq; i++) {
        const double c1 = h * x0->v[i], c2 = 0.5 * h * h * x0->a[i], d0 = x1->q[i] - x0->q[i] - c1 - c2,
                     d1 = h * x1->v[i] - c1 - 2 * c2, d2 = h * h * x1->a[i] - 2 * c2;
        const double c3 = 10 * d0 - 4 * d1 + 0.5 * d2, c4 = -15 * d0 + 7 * d1 - d2,
                     c5 = 6 * d0 - 3 * d1 + 0.5 * d2;
        // a layer: what the last terms add is not small against what the velocities say
        if (fabs(c4) + fabs(c5) > 0.5 * (fabs(h * x0->v[i]) + fabs(h * x1->v[i])) &&
            fabs(c4) + fabs(c5) > 1e-9 * it->s->q_size[i])
            continue;
        out->q[i] = x0->q[i] + s * (c1 + s * (c2 + s * (c3 + s * (c4 + s * c5))));
        out->v[i] = (c1 + s * (2 * c2 + s * (3 * c3 + s * (4 * c4 + s * 5 * c5)))) / h;
        out->a[i] = (2 * c2 + s * (6 * c3 + s * (12 * c4 + s * 20 * c5))) / (h * h);
    }
}
