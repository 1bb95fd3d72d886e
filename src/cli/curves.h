// Curves of a picture: signals of results over the time, over another signal, or as amplitudes over the frequency.
#ifndef HOL_CLI_CURVES_H
#define HOL_CLI_CURVES_H

#include "cli/cli.h"

enum { CLI_MAX_CURVES = 200 };

typedef struct cli_curve {
    const char *name, *unit;
    int file, signal;    // of the results, of those chosen
    const double *x, *y; // every x_step-th and y_step-th of these numbers                  (n)
    size_t x_step, y_step, n;
} cli_curve;

typedef struct cli_curves {
    int n_files, n;
    hol_result *r[1 + CLI_MAX_MORE];                                       // as they were read     (n_files)
    hol_result *difference[1 + CLI_MAX_MORE], *spectrum[1 + CLI_MAX_MORE]; // made of them; NULL    (n_files)
    hol_result *minus;                                                     // is taken from each; NULL
    const char *x_name, *x_unit;                                           // of all curves
    bool over_signal;                                                      // x is neither time nor frequency
    cli_curve all[CLI_MAX_CURVES];                                         //                       (n)
} cli_curves;

// Reads the results of RESULT .. and --minus, and takes from them what --signals, --x and --spectrum ask for. Returns the exit
// code, after a message to stderr. out: to be freed also after a failure.
int cli_curves_make(hol_context *ctx, const cli_options *o, cli_curves *out);
void cli_curves_free(cli_curves *c);

#endif
