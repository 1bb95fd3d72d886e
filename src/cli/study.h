// What compare and certify have in common: their options as those of holonom_compare.h, the model, and an executor with processes.
#ifndef CLI_STUDY_H
#define CLI_STUDY_H

#include "cli/cli.h"
#include "cli/pool.h"

// Words of a list "A,B,..", without blanks around them.
typedef struct cli_words {
    char *text;
    const char **word; //                                                            (n)
    int n;
} cli_words;

typedef struct cli_study {
    hol_model *model;
    hol_study study;
    cli_pool pool;
    cli_words signals, methods;
    double tolerance[HOL_RACE_TOLERANCES];
} cli_study;

// Exit code, after a message. What it has made is freed by cli_study_free, also after a failure.
int cli_study_make(hol_context *ctx, const cli_options *o, cli_study *out);
void cli_study_free(cli_study *s);
// --methods and --tols. Exit code, after a message.
int cli_race_options(const cli_options *o, cli_study *s, hol_race_options *out);
// A whole number of an option: 0 without it, -1 if it is none above 0.
int cli_count(const char *text);
// Prints the context's error, in the words of the options where one of them is to blame, and returns the exit code.
int cli_study_fail(hol_context *ctx, const cli_options *o);

// To stderr: what became of each run of a reference that there is not.
void cli_print_reference(const hol_reference *r);
// For people: the CPU time of a run in ms, "-" for -1.
void cli_race_time(const hol_race *r, int run, char out[32]);

#endif
