// Explicit Runge-Kutta pairs on the index-1 equations: accelerations from the bordered system at every stage, positions and
// velocities projected onto their constraints after every step. docs/theory.md, section 9.5.
//
// The vector that is integrated is (q; v; X), its rate k = (v; a; X').
#include "integrator/one_step.h"
#include "integrator/pose.h"
#include "integrator/rk_pairs.h"
#include "integrator/stiffness.h"
#include "system/project.h"
#include "system/settle.h"

#include <math.h>
#include <string.h>

enum { ORDER };
static const hol_option options[] = {
    {"order", HOL_CHOICE, "", 0, 0, 0, 0, "auto|5|8",
     "Dormand-Prince 5(4) or 8(5,3); auto: 5 for tolerances above 1e-4, else 8, also with fixed steps"},
    HOL_END_OPTIONS};
#define LOOSE 1e-4 // tolerance from which on the pair of order 5 costs less
#define WRONG 100  // an error that a step a little too long does not have
#define SHORTER 8  // as an error: 0.7 times the step

typedef struct {
    const hol_runge_kutta *pair;
    int n; // 2 nq + nx
    double c[HOL_RK_STAGES];
    double *k;            // rates of the last step tried            (stages x n)
    double *x0, *y, *sum; // start of the step, its end, sums        (n)
    double *F;            // of the dense output                     (3 + n_dense, n)
    double *memory;
    double t0, h;        // of the last accepted step
    bool dense;          // F belongs to it
    hol_state x1, stage; // the new point; of the dense output
    hol_one_step one;
    hol_stiffness stiffness;
    hol_pose pose; // the singular pose ahead
    bool projects; // stages too: in steps around it
} rk;

// ---- the vector -----------------------------------------------------------------------------------------------

// y = x0 + h sum_j a_j k_j
static void combine(const rk *d, const double *a, int stages, double h, const double *x0, double *y)
{
    const int n = d->n;
    if (x0)
        memcpy(y, x0, (size_t)n * sizeof *y);
    else
        memset(y, 0, (size_t)n * sizeof *y);
    for (int j = 0; j < stages; j++) {
        const double f = h * a[j], *k = d->k + j * n;
        if (f == 0) continue;
        for (int i = 0; i < n; i++) y[i] += f * k[i];
    }
}

// ---- creation -------------------------------------------------------------------------------------------------

static const hol_runge_kutta *choose(const hol_integrator *it)
{
    const int choice = (int)it->option[ORDER].num;
    const bool loose = it->tolerance > LOOSE;
    return choice == 1 || (choice == 0 && loose) ? &hol_runge_kutta_5 : &hol_runge_kutta_8;
}

// Root mean square of the positions', of the velocities' and the states' part, the larger one, in units of the tolerance.
static double norm(const hol_integrator *it, const double *e, const double *before, const double *after)
{
    const hol_system *s = it->s;
    const int nq = s->nq, nx = s->nx;
    double sum[2] = {0, 0};
    for (int i = 0; i < 2 * nq + nx; i++) {
        const double size = i < nq       ? it->size[i]
                            : i < 2 * nq ? it->size[i - nq] / s->m->time_scale
                                         : it->size[i - nq];
        const double x = e[i] / (size + it->relative * fmax(fabs(before[i]), fabs(after[i])));
        sum[i >= nq] += x * x;
    }
    return sqrt(fmax(sum[0] / fmax(1, nq), sum[1] / fmax(1, nq + nx))) / it->tolerance;
}

// Hairer, Norsett, Wanner I, section II.4: from the size of the rates and of their change over a tiny explicit Euler step.
static void first_step(hol_integrator *it, rk *d)
{
    const hol_system *s = it->s;
    double *k1 = d->k + d->n;
    if (it->tolerance <= 0) return;
    hol_state_pack(s, &it->x, d->x0);
    hol_state_rate(s, &it->x, d->k);
    const double size = norm(it, d->x0, d->x0, d->x0), rate = norm(it, d->k, d->x0, d->x0);
    double h = size * it->tolerance < 1e-5 || rate * it->tolerance < 1e-5 ? 1e-6 * s->m->time_scale
                                                                          : 0.01 * size / rate;
    h = fmin(h, it->h_max);
    const double one = 1;
    combine(d, &one, 1, h, d->x0, d->y);
    hol_state_unpack(s, d->y, &d->x1);
    d->x1.t = it->x.t + h;
    memcpy(d->x1.z, it->x.z, (size_t)s->nz * sizeof *d->x1.z);
    double change = HOL_INF;
    if (hol_solve_accelerations(it->s, &d->x1) == HOL_OK) {
        hol_state_rate(s, &d->x1, k1);
        for (int i = 0; i < d->n; i++) k1[i] = (k1[i] - d->k[i]) / h;
        change = norm(it, k1, d->x0, d->x0);
    }
    const double most = fmax(rate, change);
    const double next = most * it->tolerance <= 1e-15 ? fmax(1e-6 * s->m->time_scale, 1e-3 * h)
                                                      : pow(0.01 / most, 1.0 / d->pair->order);
    it->h = fmin(it->h_max, isfinite(most) ? fmin(100 * h, next) : 1e-3 * h);
}

static hol_status create(hol_integrator *it)
{
    rk *d = hol_calloc(it->ctx, 1, sizeof *d);
    it->data = d;
    if (!d) return HOL_ERR_MEMORY;
    d->pair = choose(it);
    d->n = 2 * it->s->nq + it->s->nx;
    const size_t n = (size_t)d->n;
    hol_status st = hol_state_create(it->s, &d->x1);
    if (!st) st = hol_state_create(it->s, &d->stage);
    if (st) return st;
    d->memory = hol_calloc(it->ctx, n * (HOL_RK_STAGES + 3 + 3 + HOL_RK_DENSE), sizeof *d->memory);
    if (!d->memory) return HOL_ERR_MEMORY;
    d->k = d->memory;
    d->x0 = d->k + HOL_RK_STAGES * n;
    d->y = d->x0 + n;
    d->sum = d->y + n;
    d->F = d->sum + n;
    for (int i = 0; i < HOL_RK_STAGES; i++)
        for (int j = 0; j < i; j++) d->c[i] += d->pair->a[i][j];
    hol_pose_restart(&d->pose);
    hol_one_step_restart(&d->one);
    hol_state_copy(it->s, &d->x1, &it->x);
    first_step(it, d);
    return it->tolerance > 0 ? hol_stiffness_create(it, &d->stiffness) : HOL_OK;
}

static void destroy(hol_integrator *it)
{
    rk *d = it->data;
    if (!d) return;
    hol_stiffness_destroy(&d->stiffness);
    hol_state_destroy(&d->x1);
    hol_state_destroy(&d->stage);
    hol_free(d->memory);
    hol_free(d);
}

static hol_status restart(hol_integrator *it)
{
    rk *d = it->data;
    hol_one_step_restart(&d->one);
    hol_pose_restart(&d->pose);
    d->projects = false;
    if (it->tolerance > 0) hol_stiffness_restart(&d->stiffness);
    return HOL_OK;
}

static hol_status rows_changed(hol_integrator *it)
{
    rk *d = it->data;
    hol_pose_restart(&d->pose); // measured in other rows
    return HOL_OK;
}

// ---- a step ---------------------------------------------------------------------------------------------------

// k_i at x = x0 + h sum a_ij k_j
static hol_status stage(hol_integrator *it, rk *d, int i, const double *x0, double t, double h, hol_state *x)
{
    combine(d, d->pair->a[i], i, h, x0, d->sum);
    hol_state_unpack(it->s, d->sum, x);
    x->t = t;
    const hol_status st = d->projects ? hol_settle(it->s, x) : hol_solve_accelerations(it->s, x);
    if (!st) hol_state_rate(it->s, x, d->k + i * d->n);
    return st;
}

// The new point: onto the constraints, with its accelerations.
static hol_status finish(hol_integrator *it, rk *d, double t1)
{
    const int s = d->pair->stages;
    hol_state_unpack(it->s, d->y, &d->x1);
    d->x1.t = t1;
    const hol_status st = hol_settle(it->s, &d->x1);
    if (st) return st;
    hol_state_rate(it->s, &d->x1, d->k + s * d->n);
    hol_state_pack(it->s, &d->x1, d->y);
    return HOL_OK;
}

static double estimate(const hol_integrator *it, const rk *d, double h)
{
    const hol_runge_kutta *p = d->pair;
    double *e = d->F; // room; d->y is the new point
    combine(d, p->e, p->stages + 1, h, NULL, e);
    const double e5 = norm(it, e, d->x0, d->y);
    if (p->e3[0] == 0) return e5;
    combine(d, p->e3, p->stages + 1, h, NULL, e);
    const double e3 = norm(it, e, d->x0, d->y), sum = e5 * e5 + 0.01 * e3 * e3;
    return sum > 0 ? e5 * e5 / sqrt(sum) : 0;
}

static hol_status try_step(hol_integrator *it, double t1, double h, double *error)
{
    rk *d = it->data;
    const hol_runge_kutta *p = d->pair;
    const int s = p->stages;
    const bool ends = p->e[s] != 0; // the estimate uses the end point
    hol_status st = HOL_OK;
    *error = 0;
    d->dense = false;
    memcpy(d->x1.z, it->x.z, (size_t)it->s->nz * sizeof *d->x1.z);
    for (int i = 1; i < s && !st; i++) st = stage(it, d, i, d->x0, it->x.t + d->c[i] * h, h, &d->x1);
    if (st) return st;
    combine(d, p->a[s], s, h, d->x0, d->y);
    if (it->tolerance > 0 && !ends && (*error = estimate(it, d, h)) > 1) return HOL_OK;
    st = finish(it, d, t1);
    if (it->tolerance > 0 && ends && !st) *error = estimate(it, d, h);
    d->t0 = it->x.t;
    d->h = t1 - it->x.t;
    return st;
}

// ---- singular poses -------------------------------------------------------------------------------------------

// Steps are laid so that the pose falls into the widest gap between the stages: accelerations near it are wrong by rounding
// over the cube of the distance.
static double plan(const hol_integrator *it, double h)
{
    const rk *d = it->data;
    return hol_pose_plan(&d->pose, it->x.t, h, d->pair->gap);
}

// What a stage misses the constraints by is divided by their smallest singular value there: near a singular pose the
// accelerations are smooth on the constraints only. With every stage projected the same function is smooth around them too.
static hol_status attempt(hol_integrator *it, double t1, double h, double *error)
{
    rk *d = it->data;
    hol_status st = try_step(it, t1, h, error);
    const bool through = d->pose.time > it->x.t && d->pose.time < t1;
    const bool suspect = st || *error > WRONG || (*error > 1 && (d->one.held || through));
    if (st >= 0 && !d->projects && suspect && hol_pose_is_near(&d->pose, it->x.t, h)) {
        d->projects = true;
        st = try_step(it, t1, h, error);
    }
    if (st || *error > 1) return st;
    hol_pose_measure(&d->pose, it->s);
    if (it->tolerance > 0 && hol_pose_spoils(&d->pose)) *error = SHORTER;
    return HOL_OK;
}

static hol_status step(hol_integrator *it, double t_stop)
{
    rk *d = it->data;
    double h = it->h;
    hol_state_pack(it->s, &it->x, d->x0);
    hol_state_rate(it->s, &it->x, d->k);
    memcpy(d->x1.mem, it->x.mem, (size_t)it->s->m->n_mem * sizeof *d->x1.mem);
    const hol_status st = hol_one_step_take(it, &d->one, d->pair->order, t_stop, attempt, plan, &h);
    if (st > 0)
        return hol_one_step_fail(
            it, &d->one, &d->x1, h,
            "the error test is not met, or accelerations are not determined: a force that jumps, "
            "stiffness, or a singular pose? Try a larger tolerance or another --method");
    if (st) return st;
    const hol_state old = it->before;
    it->before = it->x;
    it->x = d->x1;
    d->x1 = old;
    hol_pose_accept(&d->pose, it->x.t, d->h);
    d->projects = d->projects && hol_pose_is_near(&d->pose, it->x.t, d->h);
    if (it->tolerance > 0) hol_stiffness_watch(it, &d->stiffness);
    return HOL_OK;
}

static void archive(hol_integrator *it, hol_archive *a)
{
    rk *d = it->data;
    hol_one_step_archive(&d->one, a);
    hol_pose_archive(&d->pose, a);
    HOL_ARCHIVE(a, d->projects);
    if (it->tolerance > 0) hol_stiffness_archive(&d->stiffness, a);
}

// ---- dense output ---------------------------------------------------------------------------------------------

// (9.14): F of the last step.
static hol_status prepare(hol_integrator *it, rk *d)
{
    const hol_runge_kutta *p = d->pair;
    const int n = d->n, s = p->stages;
    hol_status st;
    double *F0 = d->F, *F1 = F0 + n, *F2 = F1 + n;
    for (int i = 0; i < n; i++) {
        F0[i] = d->y[i] - d->x0[i];
        F1[i] = d->h * d->k[i] - F0[i];
        F2[i] = F0[i] - d->h * d->k[s * n + i] - F1[i];
    }
    hol_state_copy(it->s, &d->stage, &it->x);
    for (int i = s + 1; i <= s + p->extra; i++)
        if ((st = stage(it, d, i, d->x0, d->t0 + d->c[i] * d->h, d->h, &d->stage))) return st;
    for (int m = 0; m < p->n_dense; m++)
        combine(d, p->dense[m], s + 1 + p->extra, d->h, NULL, d->F + (3 + m) * n);
    d->dense = true;
    return HOL_OK;
}

static hol_status interpolate(hol_integrator *it, double t, hol_state *out)
{
    rk *d = it->data;
    const double u = d->h > 0 ? (t - d->t0) / d->h : 1;
    hol_interpolate_hermite(it, t, out);
    if (t >= it->x.t || t <= it->before.t || d->h <= 0) return HOL_OK;
    const hol_status st = d->dense ? HOL_OK : prepare(it, d);
    if (st) return st;
    const int n = d->n, last = 2 + d->pair->n_dense;
    for (int i = 0; i < n; i++) {
        double y = 0;
        for (int m = last; m >= 0; m--) y = (y + d->F[m * n + i]) * (m % 2 ? 1 - u : u);
        d->sum[i] = d->x0[i] + y;
    }
    hol_state_unpack(it->s, d->sum, out);
    return hol_solve_accelerations(it->s, out);
}

const hol_method hol_method_rk = {
    .name = "rk",
    .doc = "explicit Runge-Kutta pairs of Dormand and Prince with projection; order 5 or 8, for motion that "
           "is not stiff",
    .order = 8,
    .accepts = HOL_ACCEPTS_ALL,
    .options = options,
    .fewest_steps = 20,
    .create = create,
    .destroy = destroy,
    .step = step,
    .restart = restart,
    .rows_changed = rows_changed,
    .archive = archive,
    .interpolate = interpolate,
};
