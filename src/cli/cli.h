// Command line: what its verbs share. The program uses the library through holonom.h only.
#ifndef HOL_CLI_H
#define HOL_CLI_H

#include "holonom.h"

enum { CLI_MAX_SET = 256, CLI_MAX_OUT = 16, CLI_MAX_MORE = 15, CLI_MAX_OPTIONS = 64 };

// Options of all verbs; a verb reads those it admits.
typedef struct cli_options {
    const char *model;              // MODEL, RESULT or NAME
    const char *other;              // second file of verbs that take two
    const char *more[CLI_MAX_MORE]; // further ones of verbs that take any number
    int n_more;
    const char *set[CLI_MAX_SET]; // path=value
    const char *option[CLI_MAX_SET],
        *written[CLI_MAX_SET]; // the option that gave it, and its value: --end, 0
    int n_set;
    const char *out[CLI_MAX_OUT];
    int n_out;
    const char *checkpoint, *restart, *report, *contacts;
    const char *model_file; // of report: the model of RESULT
    const char *graph;      // of check
    const char *stats, *signals, *title, *max;
    const char *x, *minus;                                           // plot
    const char *at, *count, *metric, *animate;                       // modes
    const char *svg, *markers;                                       // kinematics
    const char *frequencies;                                         // linearise
    const char *pose, *vary;                                         // static
    const char *motion, *actuators, *weights, *bounds, *feedforward; // inverse
    const char *methods, *tols, *digits, *jobs, *memory, *patience;  // compare, certify
    const char *root, *key;                                          // import
    const char *fmi;                                                 // fmu
    bool lenient;
    bool json, markdown, quiet, verbose, equilibrium, spectrum, unstable, branches, all, proceed, project,
        transfer, list_contacts;
} cli_options;

// One option a verb admits: "--end" with a value that becomes the override "simulate.end=", or a plain one.
typedef struct cli_option {
    const char *name, *alias, *argument; // argument NULL: a flag
    const char *set;                     // prefix of the override made of it, NULL: handled by parse
    const char *doc;
} cli_option;

typedef struct cli_verb {
    const char *name, *usage, *doc, *examples;
    const cli_option *options; // NULL name at the end
    int (*run)(hol_context *ctx, const cli_options *o);
} cli_verb;

extern const cli_verb cli_assemble, cli_check, cli_run, cli_kinematics, cli_inverse, cli_modes, cli_linearise,
    cli_import, cli_static, cli_report, cli_export, cli_fmu, cli_plot, cli_diff, cli_compare, cli_certify,
    cli_methods, cli_elements, cli_schema;

int cli_exit_code(hol_status st);
// Prints the context's error and returns its exit code.
int cli_fail(hol_context *ctx, hol_status st);
// Says what is wrong with the text of an option; returns the exit code of a wrong call.
int cli_wrong(const char *option, const char *text, const char *why);
void cli_print(void *stream, const char *text);        // hol_print_fn on a FILE
void cli_print_json(const char *text);                 // in quotes, to stdout
void cli_print_json_number(const char *key, double x); // , "key": x, or null where it is no number

#endif
