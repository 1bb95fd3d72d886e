// What adams and joint_bdf (CVODE) and bdf (IDA) do alike: vectors, counters, what limits a step, and how a run fails.
#ifndef HOL_SUNDIALS_H
#define HOL_SUNDIALS_H

#include "integrator/integrator.h"

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sundials/sundials_nonlinearsolver.h>

// Functions of a solver, and what its answers are called; below 0 they say that there is no step.
typedef struct hol_sundials_library {
    void (*destroy)(void **solver);
    int (*set_stop_time)(void *solver, double t);
    int (*corrector_failures)(void *solver, long *n);
    int (*test_failures)(void *solver, long *n);
    int (*next_step)(void *solver, double *h);
    int (*errors)(void *solver, N_Vector e);
    int (*weights)(void *solver, N_Vector weight);
    int stopped;  // a step ended at the stop time
    int rounding; // the tolerance is below rounding
    int no_step;  // the error test is not met
} hol_sundials_library;
extern const hol_sundials_library hol_sundials_cvode;

// Functions of a method.
typedef struct hol_sundials_calls {
    const hol_sundials_library *library;
    // Makes the solver begin at it->x with order 1; false: it cannot.
    bool (*start)(hol_integrator *it);
    // One step of the solver; aim only says how long the first one may be.
    int (*step)(hol_integrator *it, double aim, double *t);
    // Its result at t into the trial state.
    int (*arrive)(hol_integrator *it, double t);
} hol_sundials_calls;

enum { HOL_SUNDIALS_NO_START = -1000 }; // an answer of hol_sundials_step beside those of the solver

typedef struct hol_sundials {
    const hol_sundials_calls *call;
    SUNContext context;
    void *solver;
    SUNNonlinearSolver corrector;
    N_Vector e, weight; // local errors, their weights
    bool again;         // start from it->x with order 1
    double t;           // end of the last step of the solver [s]
    long failed, tests; // the solver's counters so far
    hol_status status;  // of an evaluation that has ended the run
} hol_sundials;

// The context, and serial vectors of length n with a norm: those of d and `count` more. matrices: dense ones (n x n) that the
// solver will have.
hol_status hol_sundials_create(hol_integrator *it, hol_sundials *d, const hol_sundials_calls *call, int n,
                               const hol_norm *norm, int matrices, N_Vector *const *vectors, int count);
// All of it with those vectors; what has not been made is NULL.
void hol_sundials_destroy(hol_sundials *d, N_Vector *const *vectors, int count);
hol_status hol_sundials_out_of_memory(const hol_integrator *it);
// For the solver's error handler: the library's messages are our own.
void hol_sundials_say_nothing(int code, const char *module, const char *function, char *message, void *user);

// CVODE, which is there, at it->x.t and y: equations, weights, limits of orders and steps, and how often a step may be tried.
bool hol_sundials_set_cvode(hol_integrator *it, hol_sundials *d, CVRhsFn equations, CVEwtFn weights,
                            N_Vector y, int max_order);
// Of a method: fixed steps.
const char *hol_sundials_refuse(const hol_value *option, bool variable);

// One step from it->x to the trial state, not beyond t_stop, if need be with the solver begun anew; its answer.
int hol_sundials_step(hol_integrator *it, hol_sundials *d, double t_stop);
// After it->x was advanced by a step with this answer: size of the next one, error, counters, limit.
void hol_sundials_account(hol_integrator *it, hol_sundials *d, int answer);
// The message when there is no further step: see hol_stop.
hol_status hol_sundials_fail(hol_integrator *it, const hol_sundials *d, const hol_state *trial, int answer,
                             const char *why, const char *way);

#endif
