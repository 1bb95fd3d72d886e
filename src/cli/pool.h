// Runs of one model, each in a process of its own: one that dies, hangs or wants too much memory leaves the others alone.
#ifndef CLI_POOL_H
#define CLI_POOL_H

#include "holonom.h"

enum { CLI_METHOD = 32, CLI_MESSAGE = 400, CLI_WORDS = 120 };

typedef enum cli_fate {
    CLI_WAITING,  // not started yet
    CLI_RUNNING,  //
    CLI_FINISHED, // to its end
    CLI_REFUSED,  // the method does not take the model
    CLI_STOPPED,  // with an error
    CLI_TOO_SLOW, // ended by the time limit
    CLI_DIED,     // by a signal
    CLI_LEFT_OUT  // never started: no time was left for it
} cli_fate;

// What a run hands back through its pipe.
typedef struct cli_outcome {
    hol_status status;
    double cpu;  // of the integration alone [s], the least of all rounds
    int rounds;  // runs that were timed
    double time; // reached [s]
    long steps, rejected, residuals, jacobians, factorizations, newton_iterations, failures;
    double energy_drift, violation, stiff_step;
    char message[CLI_MESSAGE];                                      // of the error
    char form[CLI_WORDS], stiff_cause[CLI_WORDS], ended[CLI_WORDS]; // "" if there is none
} cli_outcome;

typedef struct cli_job {
    char method[CLI_METHOD];
    double tolerance;
    int result;     // number of the file of its results; -1: the run is for its time only
    double seconds; // runs are repeated until they have taken so long together; 0: once
    cli_fate fate;
    cli_outcome out;
    double wall;        // since the start [s]
    int process, input; // while it runs
} cli_job;

typedef struct cli_pool {
    hol_context *ctx;
    const char *model;
    const char *const *set; // overrides of all runs                                (n_set)
    int n_set, at_once;
    const char *folder; // of the results
    double end;         // of the simulation [s]
    double memory;      // address space that a run may take [B]
    double patience;    // the longest wall time of any run [s]
    // Seconds of the wall clock that this job may take, asked for again and again while it runs; 0 or less: it is not started.
    double (*limit)(void *user, const cli_job *job);
    void (*ended)(void *user, const cli_job *job); // NULL: nobody wants to know
    void *user;
} cli_pool;

enum { CLI_PATH = 96 };
void cli_result_path(const char *folder, int result, char out[CLI_PATH]);

// All jobs that wait, in their order. 0, 1 after trouble with a message, 130 if interrupted; no process is left in any case.
int cli_pool_run(cli_pool *pool, cli_job *job, int n);

#endif
