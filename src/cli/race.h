// Every method at every tolerance on one model, against a reference: errors and work. docs/theory.md, section 16.
#ifndef CLI_RACE_H
#define CLI_RACE_H

#include "cli/plan.h"

enum { CLI_MOST_TOLERANCES = 13, CLI_MOST_RUNS = CLI_MOST_METHODS * CLI_MOST_TOLERANCES, CLI_LEVELS = 13 };

typedef struct cli_entry {
    cli_job job;
    cli_accuracy error;
    bool judged; // it reached the end and its error is known
} cli_entry;

typedef struct cli_race {
    cli_plan plan;
    cli_reference reference;
    int n_methods, n_tolerances;
    char method[CLI_MOST_METHODS][CLI_METHOD];
    double tolerance[CLI_MOST_TOLERANCES]; // from loose to tight
    cli_entry run[CLI_MOST_RUNS];          // of one tolerance side by side       (n_tolerances x n_methods)
    int n_open;                            // signals that the reference does not know
    double floor;                          // no error below this is claimed
    hol_advice
        advice[CLI_MOST_TOLERANCES]; // what `method: auto` takes at each tolerance; method NULL: not known
    // Errors 10^-first .. 10^-last that some run stays below
    int first, last;
} cli_race;

int cli_race_make(hol_context *ctx, const cli_options *o, cli_race *out); // exit code, after a message
void cli_race_free(cli_race *r);

int cli_race_runs(const cli_race *r);
// The fastest run with an error of at most `error`, of one method or of all (-1); -1: there is none.
int cli_race_fastest(const cli_race *r, int method, double error);
// Its time against that of the fastest run that is as accurate.
double cli_race_ratio(const cli_race *r, int run);
// For people: its CPU time in ms, "-" for -1.
void cli_race_time(const cli_race *r, int run, char out[32]);

// The fastest run for errors of 10^-first to 10^-last, and the best of the other methods.
typedef struct cli_choice {
    int run, first, last;
    int second;   // the next best method's run for 10^-last; -1: none reaches it
    double times; // how much longer it takes
} cli_choice;
int cli_race_choices(const cli_race *r, cli_choice out[CLI_LEVELS]); // how many

// The run of a method at the k-th tolerance, -1: it is not among them.
int cli_race_find(const cli_race *r, const char *method, int k);

// Why a run has no error: false if it has one. The same for two runs?
bool cli_race_failure(const cli_race *r, int run, char *out); // CLI_MESSAGE + 64
bool cli_race_same_failure(const cli_race *r, int a, int b);

#endif
