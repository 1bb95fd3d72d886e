// What verbs that simulate share: run, kinematics, inverse.
#ifndef HOL_CLI_SIMULATE_H
#define HOL_CLI_SIMULATE_H

#include "cli/cli.h"

#define CLI_OUTPUTS                                                                                          \
    {"--out", "-o", "FILE", NULL, "write results, .csv (text) or .nc (netCDF); may be given several times"}, \
        {"--report", NULL, "FILE.html", NULL,                                                                \
         "write a web page that plays the motion, as holonom report does"},                                  \
    {                                                                                                        \
        "--stats", NULL, "FILE.json", NULL, "write the statistics"                                           \
    }

typedef hol_model *cli_load(hol_context *ctx, const cli_options *o);
typedef hol_simulation *cli_create(hol_context *ctx, const hol_model *model, const cli_options *o,
                                   void *with);

// The model of the command line with its overrides.
hol_model *cli_load_model(hol_context *ctx, const cli_options *o);
// What is left to do with a simulation that has come to its end; returns the exit code.
typedef int cli_leave(hol_context *ctx, hol_simulation *sim, const cli_options *o, void *with);

// Simulates to the end, with progress, outputs and summary; returns the exit code. leave: NULL, nothing is left. with: of
// the verb, handed to create and leave.
int cli_simulate(hol_context *ctx, const cli_options *o, cli_load *load, cli_create *create, cli_leave *leave,
                 void *with);

#endif
