// What the verbs linearise and modes share: where they linearise, and linearised motions as text.
#ifndef HOL_CLI_LINEAR_TEXT_H
#define HOL_CLI_LINEAR_TEXT_H

#include "cli/cli.h"
#include "holonom_analyses.h"

// --at, --equilibrium, --metric into out. Settings of the way to --at, which are among the verb's options, are refused where no such
// time is given. Returns the exit code.
int cli_read_linear(const cli_options *o, const cli_option *options, hol_linear_options *out);
// What was linearised and where, with a warning in front of all.
void cli_print_linear_head(const hol_linear *l);
// The eigenvalues with frequency, damping and the states that move most.
void cli_print_poles(const hol_linear *l);

#endif
