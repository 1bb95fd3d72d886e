// Linearised motions as text, of the verbs linearise and modes.
#ifndef HOL_CLI_LINEAR_TEXT_H
#define HOL_CLI_LINEAR_TEXT_H

#include "holonom_analyses.h"

// What was linearised and where, with a warning in front of all.
void cli_print_linear_head(const hol_linear *l);
// The eigenvalues with frequency, damping and the states that move most.
void cli_print_poles(const hol_linear *l);

#endif
