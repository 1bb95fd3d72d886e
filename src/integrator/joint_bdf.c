// BDF of orders 1 to 5 with steps and orders of their own choice, CVODE of SUNDIALS, in joint coordinates: models whose joints
// form trees. The vector is y = (q; u; X; W), joint coordinates, their rates, users' states and the work of the forces,
// which takes no part in the tests; accelerations come from the elimination along the tree. docs/theory.md, section 17.
#include "integrator/one_step.h"
#include "integrator/sundials.h"
#include "recursion/coordinates.h"
#include "recursion/loop_solve.h"
#include "system/fault.h"

#include <cvode/cvode.h>
#include <cvode/cvode_ls.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <float.h>
#include <math.h>
#include <string.h>

enum { MAX_ORDER = 5 };
// Part of the error of a step that Newton's iteration may leave. What it leaves of fast, damped motions looks like an error of
// the method: with CVODE's 0.1 the steps of stiff trees are half as long.
#define NEWTON 0.02
enum { ORDER };
static const hol_option options[] = {{"max_order", HOL_INTEGER, "", MAX_ORDER, 1, MAX_ORDER, 0, NULL,
                                      "highest order; 2 where fast vibrations are to be damped"},
                                     HOL_END_OPTIONS};

typedef struct {
    hol_loops tree;
    hol_coordinates *c;
    const hol_coordinates_size *size;
    int n;          // n_q + n_u + nx + 1
    double *weight; // absolute sizes of y in units of the tolerance               (n - 1)
    hol_state x1;   // of the last evaluation, then the new point
    bool eager;     // accelerations and multipliers are found at the end of every step
    bool complete;  // those of it->x are there
    double work;    // W at it->x [J]
    hol_sundials sun;
    N_Vector y, rate;
    SUNMatrix J;
    SUNLinearSolver linear;
} joint_bdf;

// ---- what CVODE calls -------------------------------------------------------------------------------------------

static void put(const joint_bdf *d, const hol_equations *s, double t, const double *y, hol_state *x)
{
    x->t = t;
    hol_coordinates_put(d->c, y, y + d->size->n_q, x);
    memcpy(x->X, y + d->size->n_q + d->size->n_u, (size_t)s->nx * sizeof *x->X);
}

static hol_status evaluate(hol_integrator *it, hol_state *x)
{
    joint_bdf *d = it->data;
    return hol_one_step_tried(hol_loops_accelerations(&d->tree, x, false));
}

static bool finite(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += fabs(x[i]);
    return isfinite(sum);
}

// 0, 1: a smaller step, -1: the end
static int right_hand_side(double t, N_Vector at, N_Vector rate, void *user)
{
    hol_integrator *it = user;
    joint_bdf *d = it->data;
    const hol_equations *s = it->s;
    const double *y = N_VGetArrayPointer(at), *u = y + d->size->n_q;
    double *f = N_VGetArrayPointer(rate);
    put(d, s, t, y, &d->x1);
    const hol_status st = evaluate(it, &d->x1);
    if (st < 0 || s->fatal) d->sun.status = st < 0 ? st : s->fatal;
    if (st || d->sun.status) return d->sun.status ? -1 : 1;
    hol_coordinates_rates(d->c, y, u, f);
    hol_coordinates_accelerations(d->c, f + d->size->n_q);
    f += d->size->n_q + d->size->n_u;
    for (int i = 0; i < s->nx; i++) f[i] = d->x1.z[s->m->state[i].equation];
    f[s->nx] = it->sums_work ? hol_recursion_power(d->tree.r) : 0;
    return !finite(N_VGetArrayPointer(rate), d->n);
}

// By differences; nothing depends on W.
static int jacobian(double t, N_Vector at, N_Vector rate, SUNMatrix J, void *user, N_Vector f, N_Vector w,
                    N_Vector z)
{
    hol_integrator *it = user;
    joint_bdf *d = it->data;
    double *y = N_VGetArrayPointer(at), *after = N_VGetArrayPointer(f);
    const double *before = N_VGetArrayPointer(rate);
    (void)w, (void)z;
    for (int j = 0; j < d->n - 1; j++) {
        const double held = y[j], size = fmax(fabs(held), d->weight[j]), h = held + sqrt(DBL_EPSILON) * size;
        double *column = SM_COLUMN_D(J, j);
        y[j] = h;
        const int answer = right_hand_side(t, at, f, user);
        y[j] = held;
        if (answer) return answer;
        for (int i = 0; i < d->n; i++) column[i] = (after[i] - before[i]) / (h - held);
    }
    return 0;
}

// Such that the square of the norm is the sum of those of positions and of rates and states, root mean squares each.
static int weights(N_Vector at, N_Vector weight, void *user)
{
    const hol_integrator *it = user;
    const joint_bdf *d = it->data;
    const double *y = N_VGetArrayPointer(at);
    double *w = N_VGetArrayPointer(weight);
    const int nq = d->size->n_q, n = d->n - 1;
    const double q = sqrt((double)d->n / fmax(1, nq)), v = sqrt((double)d->n / fmax(1, n - nq));
    w[n] = 0;
    for (int i = 0; i < n; i++)
        w[i] = (i < nq ? q : v) / ((d->weight[i] + it->relative * fabs(y[i])) * it->tolerance);
    return 0;
}

// ---- creation ---------------------------------------------------------------------------------------------------

static const hol_sundials_calls calls;

// CVODE's solver with BDF, Newton's method and a dense matrix by differences.
static hol_status create_cvode(hol_integrator *it, joint_bdf *d)
{
    enum { MATRICES = 2 }; // the Jacobian, and CVODE's copy
    N_Vector *const vectors[] = {&d->y, &d->rate};
    const hol_status st =
        hol_sundials_create(it, &d->sun, &calls, d->n, MATRICES, vectors, HOL_COUNT(vectors));
    if (st) return st;
    d->sun.solver = CVodeCreate(CV_BDF, d->sun.context);
    d->J = SUNDenseMatrix(d->n, d->n, d->sun.context);
    d->linear = d->J ? SUNLinSol_Dense(d->y, d->J, d->sun.context) : NULL;
    if (!d->sun.solver || !d->linear) return hol_sundials_out_of_memory(it);
    const bool good =
        hol_sundials_set_cvode(it, &d->sun, right_hand_side, weights, d->y, (int)it->option[ORDER].num) &&
        !CVodeSetLinearSolver(d->sun.solver, d->linear, d->J) && !CVodeSetJacFn(d->sun.solver, jacobian) &&
        !CVodeSetNonlinConvCoef(d->sun.solver, NEWTON);
    return good ? HOL_OK : hol_sundials_out_of_memory(it);
}

static hol_status refuse_model(const hol_integrator *it, const hol_obstacle *o)
{
    return hol_fail_at(it->ctx, HOL_ERR_USAGE, o->at,
                       "method joint_bdf does not take \"%s\": %s; bdf, rn4 and hht take all joints", o->name,
                       o->why);
}

static hol_status create_coordinates(hol_integrator *it, joint_bdf *d)
{
    hol_obstacle obstacle;
    const hol_status st = hol_coordinates_of_tree(it->ctx, it->s, &it->x, &d->tree, &d->c, &obstacle);
    return st > 0 ? refuse_model(it, &obstacle) : st;
}

static hol_status make_weights(hol_integrator *it, joint_bdf *d)
{
    const int nq = d->size->n_q, n = nq + d->size->n_u;
    d->weight = hol_calloc(it->ctx, (size_t)d->n, sizeof *d->weight);
    if (!d->weight) return HOL_ERR_MEMORY;
    for (int i = 0; i < n; i++)
        d->weight[i] = it->size[d->size->like[i]] / (i < nq ? 1 : it->s->m->time_scale);
    for (int i = 0; i < it->s->nx; i++) d->weight[n + i] = it->size[it->s->nq + i];
    return HOL_OK;
}

// Coordinates of the tree, vectors, then CVODE.
static hol_status create(hol_integrator *it)
{
    joint_bdf *d = hol_calloc(it->ctx, 1, sizeof *d);
    it->data = d;
    if (!d) return HOL_ERR_MEMORY;
    hol_status st = create_coordinates(it, d);
    if (st) return st;
    d->size = hol_coordinates_sizes(d->c);
    d->n = d->size->n_q + d->size->n_u + it->s->nx + 1;
    d->eager = it->s->m->n_events || hol_model_powers(it->s->m) == HOL_POWER_ROWS;
    d->complete = true;
    st = make_weights(it, d);
    if (!st) st = hol_state_create(it->s, &d->x1);
    if (!st) st = hol_loops_accelerations(&d->tree, &it->x, true);
    if (st > 0) st = hol_fault_report_start(it->s, &it->x, st);
    if (st > 0)
        st = hol_fail(it->ctx, HOL_ERR_INTEGRATION, "the accelerations are not determined at the start");
    return st ? st : create_cvode(it, d);
}

// Frees all that create made, as far as it came.
static void destroy(hol_integrator *it)
{
    joint_bdf *d = it->data;
    if (!d) return;
    N_Vector *const vectors[] = {&d->y, &d->rate};
    if (d->linear) SUNLinSolFree(d->linear);
    if (d->J) SUNMatDestroy(d->J);
    hol_sundials_destroy(&d->sun, vectors, HOL_COUNT(vectors));
    hol_coordinates_destroy(d->c);
    if (d->tree.s) hol_loops_destroy(&d->tree);
    hol_state_destroy(&d->x1);
    hol_free(d->weight);
    hol_free(d);
}

static bool matrix_free(const hol_value *option)
{
    (void)option;
    return true;
}

// ---- steps ------------------------------------------------------------------------------------------------------

static hol_status restart(hol_integrator *it)
{
    joint_bdf *d = it->data;
    d->sun.again = d->complete = true;
    return HOL_OK;
}

// The tree may be another one now.
static hol_status rows_changed(hol_integrator *it)
{
    destroy(it);
    return create(it);
}

static bool start(hol_integrator *it)
{
    joint_bdf *d = it->data;
    double *y = N_VGetArrayPointer(d->y);
    hol_coordinates_take(d->c, &it->x, y, y + d->size->n_q);
    memcpy(y + d->size->n_q + d->size->n_u, it->x.X, (size_t)it->s->nx * sizeof *y);
    y[d->n - 1] = d->work = 0;
    hol_recursion_want_power(d->tree.r, it->sums_work);
    return CVodeReInit(d->sun.solver, it->x.t, d->y) == CV_SUCCESS;
}

static int solve(hol_integrator *it, double aim, double *t)
{
    joint_bdf *d = it->data;
    return CVode(d->sun.solver, aim, d->y, t, CV_ONE_STEP);
}

static int arrive(hol_integrator *it, double t)
{
    joint_bdf *d = it->data;
    put(d, it->s, t, N_VGetArrayPointer(d->y), &d->x1);
    const hol_status st = hol_explicit_evaluate(&d->tree.users, it->s, &d->x1);
    if (st < 0 || it->s->fatal) d->sun.status = st < 0 ? st : it->s->fatal;
    return st || d->sun.status ? CV_REPTD_RHSFUNC_ERR : CV_SUCCESS;
}

static const hol_sundials_calls calls = {&hol_sundials_cvode, start, solve, arrive};

static hol_status fail(hol_integrator *it, const joint_bdf *d, int flag)
{
    return hol_sundials_fail(it, &d->sun, &d->x1, flag,
                             flag == CV_ERR_FAILURE    ? "the error test is not met"
                             : flag == CV_CONV_FAILURE ? "the corrector does not converge"
                                                       : "the accelerations are not found",
                             "a larger tolerance");
}

static void sum_work(hol_integrator *it, joint_bdf *d)
{
    const double work = N_VGetArrayPointer(d->y)[d->n - 1];
    it->work = work - d->work;
    it->work_end = it->x.t;
    d->work = work;
}

static hol_status complete(hol_integrator *it)
{
    joint_bdf *d = it->data;
    if (d->complete) return HOL_OK;
    const hol_status st = hol_one_step_tried(hol_loops_accelerations(&d->tree, &it->x, true));
    d->complete = st == HOL_OK;
    return st;
}

// A step of CVODE; accelerations follow only where they are wanted.
static hol_status step(hol_integrator *it, double t_stop)
{
    joint_bdf *d = it->data;
    if (!d->c) return fail(it, d, HOL_SUNDIALS_NO_START);
    memcpy(d->x1.mem, it->x.mem, (size_t)it->s->m->n_mem * sizeof *d->x1.mem);
    const int flag = hol_sundials_step(it, &d->sun, t_stop);
    if (flag < 0) return fail(it, d, flag);
    hol_integrator_advance(it, &d->x1);
    d->sun.t = it->x.t;
    d->complete = false;
    hol_sundials_account(it, &d->sun, flag);
    if (it->sums_work) sum_work(it, d);
    if (!d->eager && it->x.t < t_stop) return HOL_OK;
    const hol_status st = complete(it);
    return st > 0 ? fail(it, d, CV_REPTD_RHSFUNC_ERR) : st;
}

// CVODE's history stays inside it: the run begins anew with order 1 at a checkpoint, the one that goes on like the one that
// is resumed, so that both are the same.
static void archive(hol_integrator *it, hol_archive *a)
{
    (void)a;
    restart(it);
}

// ---- dense output -----------------------------------------------------------------------------------------------

static hol_status interpolate_motion(hol_integrator *it, double t, hol_state *out)
{
    joint_bdf *d = it->data;
    hol_state_copy(it->s, out, &it->x);
    if (t >= it->x.t || d->sun.again) return HOL_OK;
    if (CVodeGetDky(d->sun.solver, t, 0, d->rate) != CV_SUCCESS) return HOL_RECOVERABLE;
    put(d, it->s, t, N_VGetArrayPointer(d->rate), out);
    return HOL_OK;
}

static hol_status interpolate(hol_integrator *it, double t, hol_state *out)
{
    joint_bdf *d = it->data;
    const hol_status st = interpolate_motion(it, t, out);
    return st || out->t == it->x.t ? st : hol_one_step_tried(hol_loops_accelerations(&d->tree, out, true));
}

const hol_method hol_method_joint_bdf = {
    .name = "joint_bdf",
    .family = "BDF",
    .doc = "BDF of orders 1 to 5 (CVODE) in joint coordinates, for trees of joints: robots, vehicles, stiff "
           "springs",
    .order = MAX_ORDER,
    .orders = true,
    .begins_anew = true,
    .holds = HOL_HOLDS_MOTION,
    .accepts = HOL_ACCEPTS_ALL & ~(unsigned)(HOL_ACCEPTS_RATES | HOL_ACCEPTS_UNKNOWNS),
    .options = options,
    .exact = true,
    .tree = true,
    .matrix_free = matrix_free,
    .fewest_steps = 20,
    .refuse = hol_sundials_refuse,
    .create = create,
    .destroy = destroy,
    .step = step,
    .restart = restart,
    .complete = complete,
    .evaluate = evaluate,
    .rows_changed = rows_changed,
    .archive = archive,
    .interpolate = interpolate,
    .interpolate_motion = interpolate_motion,
};
