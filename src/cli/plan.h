// What compare and certify have in common: the model, the signals that are judged, results at the same times for every run,
// and a reference by two methods of different families.
#ifndef CLI_PLAN_H
#define CLI_PLAN_H

#include "cli/accuracy.h"
#include "cli/cli.h"
#include "cli/pool.h"

enum { CLI_MOST_METHODS = 16, CLI_FIRST_OF_REFERENCE = 4, CLI_RUNS_OF_REFERENCE = 18 };

typedef struct cli_plan {
    hol_context *ctx;
    const cli_options *o;
    cli_pool pool;
    char folder[200];    // results of runs, removed by cli_plan_free
    int n_results;       // files made there so far
    int bodies, freedom; // degrees of freedom
    int undecided;       // functions of time that may jump at unknown times
    int events;
    int n_signals, n_all; // judged, and there without a choice
    double end;           // [s]
    const char **set;     // overrides of all runs, one's own first
    int n_set;
    char *own[3];
} cli_plan;

// Two runs by methods of different families.
typedef struct cli_reference {
    cli_job job[CLI_RUNS_OF_REFERENCE]; // all that were made
    int n_jobs;
    const cli_job *run[2]; // the two that agree best
    hol_result *result[2];
    cli_scale scale;
    cli_accuracy apart; // how much they differ
} cli_reference;

// Reads the model and everything that can be wrong with it, before anything runs. Exit code, after a message.
int cli_plan_make(hol_context *ctx, const cli_options *o, cli_plan *out);
void cli_plan_free(cli_plan *p);
// One more override of all runs, "path=value"; its text belongs to the plan. One at most.
void cli_plan_set(cli_plan *p, char *text);
// A job that waits. written: its results are wanted.
cli_job cli_plan_job(cli_plan *p, const char *method, double tolerance, bool written);
hol_result *cli_plan_read(cli_plan *p, const cli_job *job); // NULL: there is none, or an error in the context
// Functions of the model with a jump in the derivative. Looks at the whole model, so it is asked for where that matters only.
int cli_plan_kinks(cli_plan *p);

// Tightens the tolerance until the two agree to `goal` sizes in all signals or can do no better; least: see cli_signal. thorough:
// before that is said, all methods are tightened and all pairs of different families compared.
// Exit code; 5 without two methods that reach the end.
int cli_reference_find(cli_plan *p, double goal, double least, bool thorough, cli_reference *out);
void cli_reference_free(cli_reference *r);

// "rk at 1e-10": into a text of 64 characters.
void cli_job_name(const cli_job *job, char *out);

#endif
