// Adams methods of orders 1 to 12 with steps and orders of their own choice: CVODE of SUNDIALS on the state-space equations
// (state_space.h). docs/theory.md, section 9.4.
#include "integrator/history.h"
#include "integrator/state_space.h"
#include "integrator/stiffness.h"
#include "system/settle.h"

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <float.h>
#include <math.h>
#include <string.h>

enum { MAX_ORDER = 12, ERROR_FAILURES = 15, CONVERGENCE_FAILURES = 20 };

#define NEAR 0.1 // of the tolerance: a state so near to the new point serves as it

enum { ORDER };
static const hol_option options[] = {
    {"order", HOL_INTEGER, "", HOL_NONE, 1, MAX_ORDER, 0, NULL, "highest order; default: 12"},
    HOL_END_OPTIONS};

typedef struct {
    hol_state_space f;
    hol_state x1; // of the last evaluation, then the new point
    hol_stiffness stiffness;
    SUNContext context;
    void *cvode;
    SUNNonlinearSolver corrector;
    N_Vector u, e, weight;
    N_Vector at; // where the last evaluation was
    // From CVODE's vector to the state: what the constraints have moved it by, now and before the last step.
    N_Vector offset, last;
    bool again;          // start from it->x with order 1
    double t;            // end of the last step of CVODE [s]
    long failed, tests;  // CVODE's counters so far
    hol_status status;   // of an evaluation that has ended the run
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
    if (st < 0 || it->s->fatal) d->status = st < 0 ? st : it->s->fatal;
    return d->status ? d->status : st;
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
    const hol_system *s = it->s;
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

static void say_nothing(int code, const char *module, const char *function, char *message, void *user)
{
    (void)code, (void)module, (void)function, (void)message, (void)user;
}

// ---- creation -------------------------------------------------------------------------------------------------

static const char *refuse(const hol_value *option, bool variable)
{
    (void)option;
    return variable
               ? NULL
               : "it chooses steps and order by the error and has no fixed steps: give a tolerance instead "
                 "of a step, or use rk or another method";
}

static hol_status out_of_memory(hol_context *ctx)
{
    return hol_fail(ctx, HOL_ERR_MEMORY, "adams: out of memory");
}

static hol_status create_cvode(hol_integrator *it, adams *d)
{
    const int choice = it->option[ORDER].given ? (int)it->option[ORDER].num : MAX_ORDER;
    if (SUNContext_Create(NULL, &d->context)) return out_of_memory(it->ctx);
    d->u = N_VNew_Serial(d->f.n, d->context);
    N_Vector *const others[] = {&d->e, &d->weight, &d->at, &d->offset, &d->last};
    for (int i = 0; i < HOL_COUNT(others) && d->u; i++)
        if (!(*others[i] = N_VClone(d->u))) return out_of_memory(it->ctx);
    d->cvode = d->u ? CVodeCreate(CV_ADAMS, d->context) : NULL;
    d->corrector = d->cvode ? SUNNonlinSol_FixedPoint(d->u, 0, d->context) : NULL;
    if (!d->corrector) return out_of_memory(it->ctx);
    hol_state_pack(it->s, &it->x, N_VGetArrayPointer(d->u));
    N_VConst(0, d->offset);
    const bool good =
        !CVodeSetErrHandlerFn(d->cvode, say_nothing, NULL) && !CVodeSetUserData(d->cvode, it) &&
        !CVodeSetMaxOrd(d->cvode, choice) && !CVodeInit(d->cvode, right_hand_side, it->x.t, d->u) &&
        !CVodeWFtolerances(d->cvode, weights) && !CVodeSetNonlinearSolver(d->cvode, d->corrector) &&
        !CVodeSetMaxStep(d->cvode, it->h_max) && !CVodeSetMaxNumSteps(d->cvode, -1) &&
        !CVodeSetMaxErrTestFails(d->cvode, ERROR_FAILURES) &&
        !CVodeSetMaxConvFails(d->cvode, CONVERGENCE_FAILURES);
    return good ? HOL_OK : out_of_memory(it->ctx);
}

static hol_status create_state_space(hol_integrator *it, adams *d)
{
    hol_status st = hol_state_space_create(it->ctx, it->s, &d->f);
    if (!st) st = hol_state_space_set(&d->f, &it->x);
    if (st > 0)
        st = hol_fail(it->ctx, HOL_ERR_INTEGRATION,
                      "t = %.6g s: no coordinates of the state space were found: a singular pose", it->x.t);
    return st;
}

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
    d->again = true;
    return create_cvode(it, d);
}

static void destroy(hol_integrator *it)
{
    adams *d = it->data;
    if (!d) return;
    if (d->cvode) CVodeFree(&d->cvode);
    if (d->corrector) SUNNonlinSolFree(d->corrector);
    N_Vector const vectors[] = {d->u, d->e, d->weight, d->at, d->offset, d->last};
    for (int i = 0; i < HOL_COUNT(vectors); i++)
        if (vectors[i]) N_VDestroy(vectors[i]);
    if (d->context) SUNContext_Free(&d->context);
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
    d->again = true;
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

static bool start(hol_integrator *it, adams *d)
{
    d->again = false;
    d->failed = d->tests = 0;
    d->history.n = 0;
    hol_history_push(&d->history, it->x.t, it->x.a);
    hol_state_pack(it->s, &it->x, N_VGetArrayPointer(d->u));
    N_VConst(0, d->offset);
    return CVodeReInit(d->cvode, it->x.t, d->u) == CV_SUCCESS && !hol_state_space_set(&d->f, &it->x);
}

static hol_status fail(hol_integrator *it, const adams *d, int flag)
{
    const double t = it->x.t;
    hol_status st = d->status;
    if (!st) st = hol_system_report_blame(it->s, &d->x1, t);
    if (!st) st = hol_system_report_blame(it->s, &it->x, t);
    if (st) return st;
    if (flag == CV_TOO_MUCH_ACC)
        return hol_fail(it->ctx, HOL_ERR_INTEGRATION,
                        "stopped at t = %.6g s: the tolerance asks for more than rounding allows: give a "
                        "larger one",
                        t);
    return hol_fail(it->ctx, HOL_ERR_INTEGRATION,
                    "stopped at t = %.6g s: no step is found, neither of %.3g s nor shorter: %s; a force "
                    "that jumps, or a "
                    "singular pose? Try a larger tolerance or another --method",
                    t, it->h,
                    flag == CV_ERR_FAILURE ? "the error test is not met"
                    : flag == CV_CONV_FAILURE
                        ? "the corrector does not converge"
                        : "positions that satisfy the joints, or their accelerations, are not found");
}

static hol_limit limit_of(const hol_integrator *it, int flag, long failures)
{
    if (flag == CV_TSTOP_RETURN) return HOL_LIMIT_STOP;
    if (failures) return HOL_LIMIT_FAILURE;
    return it->x.t - it->before.t > 0.999 * it->h_max ? HOL_LIMIT_MAX_STEP : HOL_LIMIT_ERROR;
}

// After a step of CVODE to d->x1.
static void account(hol_integrator *it, adams *d, int flag)
{
    long failed = 0, tests = 0;
    CVodeGetNumNonlinSolvConvFails(d->cvode, &failed);
    CVodeGetNumErrTestFails(d->cvode, &tests);
    CVodeGetCurrentStep(d->cvode, &it->h);
    CVodeGetEstLocalErrors(d->cvode, d->e);
    CVodeGetErrWeights(d->cvode, d->weight);
    it->error = N_VWrmsNorm(d->e, d->weight);
    it->count.corrector_failures += failed - d->failed;
    it->count.rejected += tests - d->tests;
    it->limit = limit_of(it, flag, failed - d->failed);
    d->failed = failed;
    d->tests = tests;
}

static void accept(hol_integrator *it, adams *d)
{
    hol_integrator_advance(it, &d->x1);
    d->t = it->x.t;
    hol_history_push(&d->history, it->x.t, it->x.a);
}

// The new point with its accelerations into d->x1. They are there already if the corrector's last evaluation was as near to
// the result as its own test asks for: a tenth of the tolerance.
static hol_status arrive(hol_integrator *it, adams *d, double t)
{
    CVodeGetErrWeights(d->cvode, d->weight);
    N_VLinearSum(1, d->u, 1, d->offset, d->u);
    N_VLinearSum(1, d->u, -1, d->at, d->e);
    if (fabs(d->x1.t - t) <= 1e-9 * (t - it->x.t) && N_VWrmsNorm(d->e, d->weight) < NEAR) {
        d->x1.t = t;
        return HOL_OK;
    }
    N_VScale(1, d->u, d->at);
    return evaluate(it, d, t, NULL);
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

// One step of CVODE to d->x1; its answer.
static int advance(hol_integrator *it, adams *d, double t_stop)
{
    double t = it->x.t;
    // the time aimed at only says how long the first step may be
    const double aim = fmax(t_stop, t + 1e-3 * it->s->m->time_scale);
    CVodeSetStopTime(d->cvode, t_stop);
    const int flag = CVode(d->cvode, aim, d->u, &t, CV_ONE_STEP);
    if (flag < 0) return flag;
    if (flag != CV_TSTOP_RETURN && t <= it->x.t) return CV_ERR_FAILURE;
    return arrive(it, d, flag == CV_TSTOP_RETURN ? t_stop : t) ? CV_REPTD_RHSFUNC_ERR : flag;
}

static hol_status step(hol_integrator *it, double t_stop)
{
    adams *d = it->data;
    const bool fresh = d->again || it->x.t != d->t; // an event may have cut the last step
    if (!d->f.n) return fail(it, d, 0);
    memcpy(d->x1.mem, it->x.mem, (size_t)it->s->m->n_mem * sizeof *d->x1.mem);
    memcpy(d->x1.z, it->x.z, (size_t)it->s->nz * sizeof *d->x1.z);
    if (fresh && !start(it, d)) return fail(it, d, 0);
    int flag = advance(it, d, t_stop);
    if (flag < 0 && !fresh && !d->status) { // anew, with order 1 and a short step
        it->count.corrector_failures++;
        flag = start(it, d) ? advance(it, d, t_stop) : flag;
    }
    if (flag < 0) return fail(it, d, flag);
    move_offset(d);
    accept(it, d);
    account(it, d, flag);
    hol_stiffness_watch(it, &d->stiffness);
    const hol_status st = hol_state_space_follow(&d->f, &it->x);
    return st > 0 ? fail(it, d, 0) : st;
}

// CVODE's history stays inside it: the run begins anew with order 1 at a checkpoint, the one that goes on like the one that
// is resumed, so that both are the same.
static void archive(hol_integrator *it, hol_archive *a)
{
    adams *d = it->data;
    hol_stiffness_archive(&d->stiffness, a);
    if (rows_changed(it)) d->f.n = 0; // the next step says so
}

// ---- dense output ---------------------------------------------------------------------------------------------

static hol_status interpolate(hol_integrator *it, double t, hol_state *out)
{
    adams *d = it->data;
    hol_state_copy(it->s, out, &it->x);
    if (t >= it->x.t || d->again) return HOL_OK;
    const double s = (t - it->before.t) / (d->t - it->before.t);
    const bool found = CVodeGetDky(d->cvode, t, 0, d->e) == CV_SUCCESS;
    N_VLinearSum(1, d->e, 1 - s, d->last, d->e);
    N_VLinearSum(1, d->e, s, d->offset, d->e);
    if (!found || hol_state_space_settle(&d->f, t, N_VGetArrayPointer(d->e), out)) {
        hol_interpolate_hermite(it, t, out);
        return HOL_RECOVERABLE;
    }
    int order = 1;
    CVodeGetLastOrder(d->cvode, &order);
    hol_history_extrapolate(&d->history, t, order, out->a); // all unknowns
    return HOL_OK;
}

const hol_method hol_method_adams = {
    .name = "adams",
    .doc =
        "Adams with orders 1 to 12 (CVODE) on the state-space equations, for smooth motion that is not stiff",
    .order = MAX_ORDER,
    .accepts = HOL_ACCEPTS_ALL,
    .options = options,
    .fewest_steps = 20,
    .refuse = refuse,
    .create = create,
    .destroy = destroy,
    .step = step,
    .restart = restart,
    .rows_changed = rows_changed,
    .archive = archive,
    .interpolate = interpolate,
};
