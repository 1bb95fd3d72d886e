// What adams (CVODE) and bdf (IDA) do alike: vectors, counters, what limits a step, and how a run fails.
#ifndef HOL_SUNDIALS_H
#define HOL_SUNDIALS_H

#include "integrator/integrator.h"

#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sundials/sundials_nonlinearsolver.h>

// Functions of the solver, and what its answers are called.
typedef struct hol_sundials_calls {
    void (*destroy)(void **solver);
    int (*corrector_failures)(void *solver, long *n);
    int (*test_failures)(void *solver, long *n);
    int (*next_step)(void *solver, double *h);
    int (*errors)(void *solver, N_Vector e);
    int (*weights)(void *solver, N_Vector weight);
    int stopped;  // a step ended at the stop time
    int rounding; // the tolerance is below rounding
} hol_sundials_calls;

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

// The context, and serial vectors of length n: those of d and `count` more.
hol_status hol_sundials_create(hol_integrator *it, hol_sundials *d, const hol_sundials_calls *call, int n,
                               N_Vector *const *vectors, int count);
// All of it with those vectors; what has not been made is NULL.
void hol_sundials_destroy(hol_sundials *d, N_Vector *const *vectors, int count);
hol_status hol_sundials_out_of_memory(const hol_integrator *it);
// For the solver's error handler: the library's messages are our own.
void hol_sundials_say_nothing(int code, const char *module, const char *function, char *message, void *user);

// After it->x was advanced by a step with this answer: size of the next one, error, counters, limit.
void hol_sundials_account(hol_integrator *it, hol_sundials *d, int answer);
// The message when there is no further step: why the answer is, and what to try. trial: the state evaluated last.
hol_status hol_sundials_fail(hol_integrator *it, const hol_sundials *d, const hol_state *trial, int answer,
                             const char *why, const char *what);

#endif
