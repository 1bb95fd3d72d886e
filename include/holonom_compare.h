// holonom: many runs of one model against each other. A race says which method is the fastest for which error, a certificate how many
// digits of a result are sure. What errors, references and times are: docs/theory.md, section 16. What `holonom compare` and
// `certify` print is made of these.
//
//     hol_race *race = hol_race_create(ctx, model, NULL);
//     for (int i = 0; race && i < race->n_choices; i++) {
//         const hol_choice *c = &race->choice[i];
//         printf("1e-%d .. 1e-%d: %s\n", c->first, c->last, race->run[c->run].run.method);
//     }
//     hol_race_destroy(race);
//
// Rules are those of holonom.h: one thread at a time has a context, nothing is printed, SI units, a message in the context where NULL is
// returned. A race or certificate is the caller's; all that it points to lives and dies with it, and needs the context, not the model.
// hol_context_cancel ends it (HOL_ERR_CANCELLED, NULL) when the runs that are under way have stopped.
#ifndef HOLONOM_COMPARE_H
#define HOLONOM_COMPARE_H

#include "holonom.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

// ---- runs -----------------------------------------------------------------------------------------------------

typedef enum hol_fate {
    HOL_RUN_FINISHED, // it reached its end
    HOL_RUN_REFUSED,  // the method does not take the model
    HOL_RUN_STOPPED,  // with an error
    HOL_RUN_TOO_SLOW, // ended by a limit of time
    HOL_RUN_DIED,     // its process ended without an outcome
    HOL_RUN_LEFT_OUT, // not begun: with a larger tolerance it was too slow or refused
    HOL_FATES
} hol_fate;
// "finished", "refused", "stopped", "too slow", "died", "left out"; NULL beyond the last.
const char *hol_fate_word(int fate);

// What a run leaves beside its rows. It holds no pointers: other processes hand it back as it is.
typedef struct hol_outcome {
    hol_status status;
    double
        cpu_seconds; // of its steps alone, without start and file: of the thread that makes them; the least of all rounds
    int rounds;  // times it was made
    double time; // reached [s]
    long steps, rejected, residuals, jacobians, factorizations, newton_iterations;
    double energy_drift_max, stiff_step; // as in hol_statistics
    double max_position_violation;       // there, at the ends of steps or in rows
    char stiff_cause[120];               // "" where stiff_step is 0
    char message[400];                   // of the error, "" if none
} hol_outcome;

typedef struct hol_run {
    const char *method;
    double tolerance;
    hol_fate fate;
    hol_outcome out;
    double wall_seconds;
    const char *failed; // why it has not reached its end, in words; NULL: it has
} hol_run;

// "rk at 1e-10"
void hol_run_name(const hol_run *run, char *text, size_t size);

// ---- executors ------------------------------------------------------------------------------------------------

// A run that is wanted. Its members say everything: a process with the same model file and overrides makes the same run.
typedef struct hol_job {
    const char *method;
    double tolerance;
    bool rows;                 // its rows are wanted; else its time
    double seconds;            // it is made again and again until so much of the wall clock is over; 0: once
    double output;             // time between rows [s]; 0: they are at every step
    double search;             // as simulate.search
    const char *const *signal; // names or groups                                    (n_signals)
    int n_signals;
    int n_columns; // of a row: the time and the signals
    void *own;     // the executor's
} hol_job;

// Makes the run here, as fast as it can, one thread. Returns its rows, to be destroyed by hol_result_destroy; NULL: none were wanted, or
// the run has failed, as out->status and the context say. A job that cannot be is HOL_ERR_USAGE.
hol_result *hol_job_run(hol_context *ctx, const hol_model *model, const hol_job *job, hol_outcome *out);

// Who makes the runs. All three are called by the thread that called hol_race_create or hol_certificate_create, never at the same time.
// That of the library (NULL) starts a thread for each run, with a context of its own, silent, over the one model. It stops runs between two
// steps, or between two parts of a start, and cannot limit memory: threads share that of their process, and with it its crashes.
// Runs that may crash or grow want an executor with processes, as the program has.
typedef struct hol_executor {
    void *user;
    // Begins the job and returns at once; NULL: it runs, else why it cannot be started, in words. At most as many run as
    // hol_study.jobs says.
    const char *(*start)(void *user, hol_job *job);
    // Waits until a job has ended, but no longer than so many seconds. For each that has it calls hol_job_ended or hol_job_lost.
    void (*wait)(void *user, double seconds);
    // Ends the job early. `wait` tells of it as of the others.
    void (*stop)(void *user, hol_job *job);
} hol_executor;

// Called from `wait`, once for each job that was started: its outcome, and the rows it was asked for, the time first
// (n_rows x job->n_columns); value NULL: none. Both are copied.
void hol_job_ended(hol_job *job, const hol_outcome *out, const double *value, size_t n_rows);
// Instead: it has ended without an outcome. why: in words that follow "the run died: ".
void hol_job_lost(hol_job *job, const char *why);

// ---- what races and certificates have in common ---------------------------------------------------------------

// What is judged, and how the runs are made. Every member may be 0.
typedef struct hol_study {
    // Names or groups of signals, as in `signals:` of a model; none: positions and orientations of all bodies, evenly chosen 300 of
    // them where there are more. All results have 201 rows, at the same times, unless the model was loaded with an override of
    // simulate.output.
    const char *const *signal; //                                                    (n_signals)
    int n_signals;
    int jobs;        // runs at a time, 1 to 64; 0: as many as there are processors
    double patience; // the longest time one run may take [s]; 0: 120
    const hol_executor *executor;
    // Called when a run is over, by the calling thread. done: runs so far, of `wanted`; 0: nobody knows how many (reference). Not
    // called where a run is made again for its time.
    void (*ended)(void *user, const hol_run *run, int done, int wanted);
    void *user;
} hol_study;

// A signal that is judged.
typedef struct hol_judged {
    const char *name, *unit; // unit "" for pure numbers
    double size;             // errors are in parts of it
    double largest;          // absolute value in both runs of the reference
    bool zero;               // it stays at 0, against others of its unit, or is of the run
    bool of_run; // of the steps (step.size, violation.position): no property of the motion, not compared
    bool open;   // race: the two runs of the reference differ by more than 0.01 of it: not judged
} hol_judged;

typedef struct hol_signal_error {
    double max, rms; // in parts of the signal's size
    double at;       // when the largest is [s]
} hol_signal_error;

typedef struct hol_run_errors {
    double max, rms;          // the largest of all signals
    double at;                // when the first is [s]
    int worst;                // the signal it is in; -1: none is judged
    bool ends_apart;          // the two end at different times: every error is infinite
    hol_signal_error *signal; //                                                            (n_signals)
} hol_run_errors;

// Two runs by methods of different families that agree best.
typedef struct hol_reference {
    int n_runs;
    const hol_run *run;          // all that were made                               (n_runs)
    int pair[2];                 // of these; -1: no two methods of different families reached the end
    const hol_result *result[2]; // theirs
    int n_signals;
    hol_judged *signal;   //                                                           (n_signals)
    hol_run_errors apart; // how much the two differ
} hol_reference;

// ---- races ----------------------------------------------------------------------------------------------------

enum { HOL_RACE_TOLERANCES = 13 };

typedef struct hol_race_options {
    hol_study study;
    const char *const *method; // none: all that choose their steps                  (n_methods)
    int n_methods;
    const double *tolerance; // from loose to tight, 1 to 1e-12; none: 1e-2, 1e-3 .. 1e-8      (n_tolerances)
    int n_tolerances;        // HOL_RACE_TOLERANCES at most
} hol_race_options;

typedef struct hol_race_run {
    hol_run run;
    bool judged; // it reached the end, and its errors are numbers
    hol_run_errors error;
    double ratio; // its CPU time against the fastest run that is as accurate; NaN unless judged
} hol_race_run;

// The fastest run for errors of 10^-first to 10^-last, and the best of the other methods.
typedef struct hol_choice {
    int run, first, last;
    int second;   // the next best method's run for 10^-last; -1: none reaches it
    double times; // how much longer that takes
} hol_choice;

typedef struct hol_race {
    // HOL_OK; HOL_ERR_INTEGRATION: no reference, or no run that can be judged; HOL_ERR_ACCURACY: the two runs of the reference differ
    // too much in every signal. `why` says it, else it is NULL. Without a reference there are no runs but its own.
    hol_status status;
    const char *why;
    const char *model;           // its file
    int bodies, freedom, states; // degrees of freedom, as `hol_check` counts them; users' states
    double end;                  // [s]
    int n_signals, n_all;        // judged, and those there are without a choice
    hol_reference reference;
    int n_open;   // signals that the reference does not know
    double floor; // what the reference is known to: no smaller error is claimed
    int n_methods, n_tolerances;
    const char **method; //                                                      (n_methods)
    double *tolerance;   //                                                      (n_tolerances)
    int n_runs;          // n_methods * n_tolerances, or 0
    hol_race_run *run;   // those of one tolerance side by side                  (n_tolerances x n_methods)
    hol_advice *advice;  // what `method: auto` takes; method NULL: not known    (n_tolerances)
    int first, last;     // some run stays below errors of 10^-first .. 10^-last
    int n_choices;
    hol_choice *choice; // for these                                            (n_choices)
} hol_race;

// Runs every method at every tolerance. options NULL: all 0. NULL: HOL_ERR_USAGE (options that cannot be, a model in which nothing
// moves or nothing is integrated), and what the start of a run may return.
hol_race *hol_race_create(hol_context *ctx, const hol_model *model, const hol_race_options *options);
void hol_race_destroy(hol_race *race);
// The fastest run with an error of at most `error`, of one method (its index) or of all (-1); -1: there is none.
int hol_race_fastest(const hol_race *race, int method, double error);
// The run of a method at the k-th tolerance; -1: it is not among them.
int hol_race_find(const hol_race *race, const char *method, int k);

// ---- certificates ---------------------------------------------------------------------------------------------

typedef struct hol_certificate_options {
    hol_study study;
    int digits; // wanted of all signals, 1 to 11; 0: 6
} hol_certificate_options;

typedef struct hol_certified {
    int digits;        // that are sure; 0 where it is zero or of the run
    double error, rms; // bounds: twice what the two runs differ by; in the signal's unit
    double at;         // when that is largest [s]
    double until;      // the digits wanted are there before that time; NaN: to the end
} hol_certified;

// What keeps the two runs apart where digits are missing.
typedef enum hol_cause {
    HOL_CAUSE_NONE,
    HOL_CAUSE_ENDS,    // they end at different times
    HOL_CAUSE_CHAOTIC, // small differences grow with the motion
    HOL_CAUSE_DISCONTINUOUS, // events or functions with a jump in the derivative; or they part at the same time whatever the tolerance
    HOL_CAUSE_LIMIT, // no two methods agree better
    HOL_CAUSE_UNKNOWN
} hol_cause;

typedef struct hol_certificate {
    // HOL_OK: every signal has the digits; HOL_ERR_ACCURACY: it has not, or there is no reference, or nothing that can be judged.
    // `why` says it, else it is NULL.
    hol_status status;
    const char *why;
    const char *model; // its file
    double end;        // [s]
    int wanted;        // digits
    int n_missed;      // signals with fewer
    hol_reference reference;
    hol_certified *signal; // of each that the reference has; NULL without one         (n_signals)
    hol_cause cause;
    const char *because; // the cause in words; NULL: no digits are missing
} hol_certificate;

// NULL: see hol_race_create; and HOL_ERR_ACCURACY where functions of time may jump at times that no run knows of.
hol_certificate *hol_certificate_create(hol_context *ctx, const hol_model *model,
                                        const hol_certificate_options *options);
void hol_certificate_destroy(hol_certificate *certificate);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
