// Adams methods of orders 1 to 12 with steps and orders of their own choice: CVODE of SUNDIALS on the state-space equations
// (state_space.h). docs/theory.md, section 9.4.
#include "integrator/history.h"
#include "integrator/state_space.h"
#include "integrator/stiffness.h"
#include "integrator/sundials.h"

#include <cvode/cvode.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <float.h>
#include <math.h>
#include <string.h>

enum { MAX_ORDER = 12 };

#define NEAR 0.1 // of the tolerance: a state so near to the new point serves as it

enum { ORDER };
static const hol_option options[] = {
    {"order", HOL_INTEGER, "", HOL_NONE, 1, MAX_ORDER, 0, NULL, "highest order; default: 12"},
    HOL_END_OPTIONS};

typedef struct {
    hol_state_space f;
    hol_state x1; // of the last evaluation, then the new point
    hol_stiffness stiffness;
    hol_sundials sun;
    N_Vector u;
    N_Vector at; // where the last evaluation was
    // From CVODE's vector to the state: what the constraints have moved it by, now and before the last step.
    N_Vector offset, last;
    hol_history history; // unknowns at accepted points, for results between them             (n)
} adams;

// ---- what CVODE calls -----------------------------------------------------------------------------------------

// At d->at.
static hol_status evaluate(hol_integrator *it, adams *d, double t, double *rate)
{
    const double *u = N_VGetArrayPointer(d->at);
    hol_status st = hol_state_space_evaluate(&d->f, t, u, &d->x1, rate);
    if (st > 0 && !hol_state_space_set(&d->f, &it->x)) // too far from the matrix?
        st = hol_state_space_evaluate(&d->f, t, u, &d->x1, rate);
    if (st < 0 || it->s->fatal) d->sun.status = st < 0 ? st : it->s->fatal;
    return d->sun.status ? d->sun.status : st;
}

// 0, 1: a smaller step, -1: the end
static int right_hand_side(double t, N_Vector u, N_Vector rate, void *user)
{
    hol_integrator *it = user;
    adams *d = it->data;
    N_VLinearSum(1, u, 1, d->offset, d->at);
    const hol_status st = evaluate(it, d, t, N_VGetArrayPointer(rate));
    return st < 0 ? -1 : st > 0;
}

// Such that the square of the norm is the sum of those of positions and of velocities and states, root mean squares each.
static int weights(N_Vector u, N_Vector weight, void *user)
{
    const hol_integrator *it = user;
    const hol_equations *s = it->s;
    const double *x = N_VGetArrayPointer(u), *offset = N_VGetArrayPointer(((adams *)it->data)->offset);
    double *w = N_VGetArrayPointer(weight);
    const int nq = s->nq, n = 2 * nq + s->nx;
    const double q = sqrt((double)n / nq), v = sqrt((double)n / (n - nq));
    for (int i = 0; i < n; i++) {
        const double rate = i >= nq && i < 2 * nq ? 1 / s->m->time_scale : 1;
        const double size = it->size[i < nq ? i : i - nq] * rate + it->relative * fabs(x[i] + offset[i]);
        w[i] = (i < nq ? q : v) / (size * it->tolerance);
    }
    return 0;
}

// ---- creation -------------------------------------------------------------------------------------------------

static const hol_sundials_calls calls;

// CVODE's solver with Adams' formulas and fixed-point iteration.
static hol_status create_cvode(hol_integrator *it, adams *d)
{
    const int choice = it->option[ORDER].given ? (int)it->option[ORDER].num : MAX_ORDER;
    N_Vector *const vectors[] = {&d->u, &d->at, &d->offset, &d->last};
    const hol_status st = hol_sundials_create(it, &d->sun, &calls, d->f.n, 0, vectors, HOL_COUNT(vectors));
    if (st) return st;
    d->sun.solver = CVodeCreate(CV_ADAMS, d->sun.context);
    d->sun.corrector = d->sun.solver ? SUNNonlinSol_FixedPoint(d->u, 0, d->sun.context) : NULL;
    if (!d->sun.corrector) return hol_sundials_out_of_memory(it);
    hol_state_pack(it->s, &it->x, N_VGetArrayPointer(d->u));
    N_VConst(0, d->offset);
    const bool good = hol_sundials_set_cvode(it, &d->sun, right_hand_side, weights, d->u, choice) &&
                      !CVodeSetNonlinearSolver(d->sun.solver, d->sun.corrector);
    return good ? HOL_OK : hol_sundials_out_of_memory(it);
}

static hol_status create_state_space(hol_integrator *it, adams *d)
{
    hol_status st = hol_state_space_create(it->ctx, it->k, &d->f);
    if (!st) st = hol_state_space_set(&d->f, &it->x);
    if (st > 0)
        st = hol_fail(it->ctx, HOL_ERR_INTEGRATION,
                      "t = %.6g s: no coordinates of the state space were found: a singular pose", it->x.t);
    return st;
}

// The form, the solver, and what watches stiffness and interpolates.
static hol_status create(hol_integrator *it)
{
    adams *d = hol_calloc(it->ctx, 1, sizeof *d);
    it->data = d;
    if (!d) return HOL_ERR_MEMORY;
    hol_status st = create_state_space(it, d);
    if (!st) st = hol_state_create(it->s, &d->x1);
    if (!st) st = hol_stiffness_create(it, &d->stiffness);
    if (!st) st = hol_history_create(it->ctx, MAX_ORDER + 1, it->s->n, &d->history);
    if (st) return st;
    return create_cvode(it, d);
}

// Frees all that create made, as far as it came.
static void destroy(hol_integrator *it)
{
    adams *d = it->data;
    if (!d) return;
    N_Vector *const vectors[] = {&d->u, &d->at, &d->offset, &d->last};
    hol_sundials_destroy(&d->sun, vectors, HOL_COUNT(vectors));
    hol_state_space_destroy(&d->f);
    hol_state_destroy(&d->x1);
    hol_stiffness_destroy(&d->stiffness);
    hol_history_destroy(&d->history);
    hol_free(d);
}

// ---- steps ----------------------------------------------------------------------------------------------------

static hol_status restart(hol_integrator *it)
{
    adams *d = it->data;
    d->sun.again = true;
    hol_stiffness_restart(&d->stiffness);
    return HOL_OK;
}

static hol_status rows_changed(hol_integrator *it)
{
    adams *d = it->data;
    hol_state_space_destroy(&d->f);
    const hol_status st = create_state_space(it, d);
    restart(it);
    return st;
}

static bool start(hol_integrator *it)
{
    adams *d = it->data;
    d->history.n = 0;
    hol_history_push(&d->history, it->x.t, it->x.a);
    hol_state_pack(it->s, &it->x, N_VGetArrayPointer(d->u));
    N_VConst(0, d->offset);
    return CVodeReInit(d->sun.solver, it->x.t, d->u) == CV_SUCCESS && !hol_state_space_set(&d->f, &it->x);
}

static hol_status fail(hol_integrator *it, const adams *d, int flag)
{
    return hol_sundials_fail(it, &d->sun, &d->x1, flag,
                             flag == CV_ERR_FAILURE ? "the error test is not met"
                             : flag == CV_CONV_FAILURE
                                 ? "the corrector does not converge"
                                 : "positions that satisfy the joints, or their accelerations, are not found",
                             "a larger tolerance");
}

static void accept(hol_integrator *it, adams *d)
{
    hol_integrator_advance(it, &d->x1);
    d->sun.t = it->x.t;
    hol_history_push(&d->history, it->x.t, it->x.a);
}

// The new point with its accelerations into d->x1. They are there already if the corrector's last evaluation was as near to
// the result as its own test asks for: a tenth of the tolerance.
static int arrive(hol_integrator *it, double t)
{
    adams *d = it->data;
    CVodeGetErrWeights(d->sun.solver, d->sun.weight);
    N_VLinearSum(1, d->u, 1, d->offset, d->u);
    N_VLinearSum(1, d->u, -1, d->at, d->sun.e);
    if (fabs(d->x1.t - t) <= 1e-9 * (t - it->x.t) && N_VWrmsNorm(d->sun.e, d->sun.weight) < NEAR) {
        d->x1.t = t;
        return CV_SUCCESS;
    }
    N_VScale(1, d->u, d->at);
    return evaluate(it, d, t, NULL) ? CV_REPTD_RHSFUNC_ERR : CV_SUCCESS;
}

// The next steps start from the constraints: CVODE's vector stays, its distance to the state changes.
static void move_offset(adams *d)
{
    double *u = N_VGetArrayPointer(d->u);
    N_VScale(1, d->offset, d->last);
    hol_state_pack(d->f.s, &d->x1, u);
    N_VLinearSum(1, d->u, -1, d->at, d->u);
    N_VLinearSum(1, d->offset, 1, d->u, d->offset);
}

static int solve(hol_integrator *it, double aim, double *t)
{
    adams *d = it->data;
    return CVode(d->sun.solver, aim, d->u, t, CV_ONE_STEP);
}

static const hol_sundials_calls calls = {&hol_sundials_cvode, start, solve, arrive};

// A step of CVODE, after which the offset takes over what the constraints have moved (9.10) and stiffness is
// watched.
static hol_status step(hol_integrator *it, double t_stop)
{
    adams *d = it->data;
    if (!d->f.n) return fail(it, d, HOL_SUNDIALS_NO_START);
    memcpy(d->x1.mem, it->x.mem, (size_t)it->s->m->n_mem * sizeof *d->x1.mem);
    memcpy(d->x1.z, it->x.z, (size_t)it->s->nz * sizeof *d->x1.z);
    const int flag = hol_sundials_step(it, &d->sun, t_stop);
    if (flag < 0) return fail(it, d, flag);
    move_offset(d);
    accept(it, d);
    hol_sundials_account(it, &d->sun, flag);
    hol_stiffness_watch(it, &d->stiffness);
    const hol_status st = hol_state_space_follow(&d->f, &it->x);
    return st > 0 ? fail(it, d, HOL_SUNDIALS_NO_START) : st;
}

// CVODE's history stays inside it: the run begins anew with order 1 at a checkpoint, the one that goes on like the one that
// is resumed, so that both are the same.
static void archive(hol_integrator *it, hol_archive *a)
{
    adams *d = it->data;
    hol_stiffness_archive(it, &d->stiffness, a);
    if (!rows_changed(it)) return;
    d->f.n = 0; // no step goes on from here
    a->failed = true;
}

// ---- dense output ---------------------------------------------------------------------------------------------

// CVODE's polynomial with the offset blended, put onto the constraints; other unknowns from those at accepted
// points.
static hol_status interpolate(hol_integrator *it, double t, hol_state *out)
{
    adams *d = it->data;
    hol_state_copy(it->s, out, &it->x);
    if (t >= it->x.t || d->sun.again) return HOL_OK;
    const double s = (t - it->before.t) / (d->sun.t - it->before.t);
    const bool found = CVodeGetDky(d->sun.solver, t, 0, d->sun.e) == CV_SUCCESS;
    N_VLinearSum(1, d->sun.e, 1 - s, d->last, d->sun.e);
    N_VLinearSum(1, d->sun.e, s, d->offset, d->sun.e);
    if (!found || hol_state_space_settle(&d->f, t, N_VGetArrayPointer(d->sun.e), out)) {
        hol_interpolate_hermite(it, t, out);
        return HOL_RECOVERABLE;
    }
    int order = 1;
    CVodeGetLastOrder(d->sun.solver, &order);
    hol_history_extrapolate(&d->history, t, order, out->a); // all unknowns
    return HOL_OK;
}

const hol_method hol_method_adams = {
    .name = "adams",
    .family = "Adams",
    .doc =
        "Adams with orders 1 to 12 (CVODE) on the state-space equations, for smooth motion that is not stiff",
    .order = MAX_ORDER,
    .orders = true,
    .begins_anew = true,
    .holds = HOL_HOLDS_MOTION,
    .accepts = HOL_ACCEPTS_ALL,
    .options = options,
    .fewest_steps = 20,
    .refuse = hol_sundials_refuse,
    .create = create,
    .destroy = destroy,
    .step = step,
    .restart = restart,
    .rows_changed = rows_changed,
    .archive = archive,
    .interpolate = interpolate,
};
