// What adams and joint_bdf (CVODE) and bdf (IDA) do alike: contexts and vectors, step sizes and their limits, counters,
// and the message when a run fails.
#include "integrator/sundials.h"
#include "integrator/stop.h"
#include "integrator/vector.h"
#include "system/fault.h"

#include <math.h>

enum { ERROR_FAILURES = 15, CONVERGENCE_FAILURES = 20 }; // of a step in CVODE

const hol_sundials_library hol_sundials_cvode = {CVodeFree,
                                                 CVodeSetStopTime,
                                                 CVodeGetNumNonlinSolvConvFails,
                                                 CVodeGetNumErrTestFails,
                                                 CVodeGetCurrentStep,
                                                 CVodeGetEstLocalErrors,
                                                 CVodeGetErrWeights,
                                                 CV_TSTOP_RETURN,
                                                 CV_TOO_MUCH_ACC,
                                                 CV_ERR_FAILURE};

hol_status hol_sundials_out_of_memory(const hol_integrator *it)
{
    return hol_fail(it->ctx, HOL_ERR_MEMORY, "%s: out of memory", it->method->name);
}

// SUNDIALS uses what malloc gives it without a look (N_VClone, SUNContext_Create, ..): a run that has no memory for it is to end
// here, with a message.
static bool has_room(hol_integrator *it, int n, int matrices)
{
    enum { OBJECTS = 1 << 16, VECTORS = 30 };
    const size_t numbers = (size_t)n * (VECTORS + (size_t)matrices * (size_t)n);
    return hol_memory_has_room(it->ctx, OBJECTS + numbers * sizeof(double), it->method->name);
}

hol_status hol_sundials_create(hol_integrator *it, hol_sundials *d, const hol_sundials_calls *call, int n,
                               const hol_norm *norm, int matrices, N_Vector *const *vectors, int count)
{
    d->call = call;
    d->again = true;
    if (!has_room(it, n, matrices) || SUNContext_Create(NULL, &d->context))
        return hol_sundials_out_of_memory(it);
    d->e = hol_vector_create(n, norm, d->context);
    d->weight = hol_vector_create(n, norm, d->context);
    bool good = d->e && d->weight;
    for (int i = 0; i < count && good; i++)
        good = (*vectors[i] = hol_vector_create(n, norm, d->context)) != NULL;
    return good ? HOL_OK : hol_sundials_out_of_memory(it);
}

static void destroy_vector(N_Vector v)
{
    if (v) N_VDestroy(v);
}

void hol_sundials_destroy(hol_sundials *d, N_Vector *const *vectors, int count)
{
    if (d->solver) d->call->library->destroy(&d->solver);
    if (d->corrector) SUNNonlinSolFree(d->corrector);
    for (int i = 0; i < count; i++) destroy_vector(*vectors[i]);
    destroy_vector(d->e);
    destroy_vector(d->weight);
    if (d->context) SUNContext_Free(&d->context);
}

void hol_sundials_say_nothing(int code, const char *module, const char *function, char *message, void *user)
{
    (void)code, (void)module, (void)function, (void)message, (void)user;
}

bool hol_sundials_set_cvode(hol_integrator *it, hol_sundials *d, CVRhsFn equations, CVEwtFn weights,
                            N_Vector y, int max_order)
{
    void *const solver = d->solver;
    return !CVodeSetErrHandlerFn(solver, hol_sundials_say_nothing, NULL) && !CVodeSetUserData(solver, it) &&
           !CVodeSetMaxOrd(solver, max_order) && !CVodeInit(solver, equations, it->x.t, y) &&
           !CVodeWFtolerances(solver, weights) && !CVodeSetMaxStep(solver, it->h_max) &&
           !CVodeSetMaxNumSteps(solver, -1) && !CVodeSetMaxErrTestFails(solver, ERROR_FAILURES) &&
           !CVodeSetMaxConvFails(solver, CONVERGENCE_FAILURES);
}

const char *hol_sundials_refuse(const hol_value *option, bool variable)
{
    (void)option;
    return variable
               ? NULL
               : "it chooses steps and order by the error and has no fixed steps: give a tolerance instead "
                 "of a step, or use hht, rk or another method";
}

static bool start(hol_integrator *it, hol_sundials *d)
{
    d->again = false;
    d->failed = d->tests = 0;
    d->status = HOL_OK; // of a run before a reset
    return d->call->start(it);
}

static int advance(hol_integrator *it, hol_sundials *d, double t_stop)
{
    double t = it->x.t;
    d->call->library->set_stop_time(d->solver, t_stop);
    const int answer = d->call->step(it, fmax(t_stop, t + 1e-3 * it->s->m->time_scale), &t);
    if (answer < 0) return answer;
    if (answer != d->call->library->stopped && t <= it->x.t) return d->call->library->no_step;
    const int result = d->call->arrive(it, answer == d->call->library->stopped ? t_stop : t);
    return result < 0 ? result : answer;
}

int hol_sundials_step(hol_integrator *it, hol_sundials *d, double t_stop)
{
    const bool fresh = d->again || it->x.t != d->t; // an event may have cut the last step
    if (fresh && !start(it, d)) return HOL_SUNDIALS_NO_START;
    int answer = advance(it, d, t_stop);
    if (answer < 0 && !fresh && !d->status) { // anew, with order 1 and a short step
        it->count.corrector_failures++;
        answer = start(it, d) ? advance(it, d, t_stop) : answer;
    }
    return answer;
}

static hol_limit limit_of(const hol_integrator *it, const hol_sundials *d, int answer, long failures)
{
    if (answer == d->call->library->stopped) return HOL_LIMIT_STOP;
    if (failures) return HOL_LIMIT_FAILURE;
    return it->x.t - it->before.t > 0.999 * it->h_max ? HOL_LIMIT_MAX_STEP : HOL_LIMIT_ERROR;
}

void hol_sundials_account(hol_integrator *it, hol_sundials *d, int answer)
{
    long failed = 0, tests = 0;
    d->call->library->corrector_failures(d->solver, &failed);
    d->call->library->test_failures(d->solver, &tests);
    d->call->library->next_step(d->solver, &it->h);
    d->call->library->errors(d->solver, d->e);
    d->call->library->weights(d->solver, d->weight);
    it->error = N_VWrmsNorm(d->e, d->weight);
    it->count.corrector_failures += failed - d->failed;
    it->count.rejected += tests - d->tests;
    it->limit = limit_of(it, d, answer, failed - d->failed);
    d->failed = failed;
    d->tests = tests;
}

hol_status hol_sundials_fail(hol_integrator *it, const hol_sundials *d, const hol_state *trial, int answer,
                             const char *why, const char *way)
{
    if (d->status) return d->status;
    if (answer == d->call->library->rounding && !hol_fault_report(it->s, trial, &it->x)) {
        it->stopped = HOL_STOPPED_STEP;
        return hol_fail(it->ctx, HOL_ERR_INTEGRATION,
                        "stopped at t = %.6g s: the tolerance asks for more than rounding allows: give a "
                        "larger one",
                        it->x.t);
    }
    return hol_stop(it, trial, it->h, NULL, why, way);
}
