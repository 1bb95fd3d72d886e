// How signals depend on inputs at one time, the positions, velocities and states there being what they are: D of (22.1) with signals as outputs.
#ifndef HOL_PORTS_H
#define HOL_PORTS_H

#include "analysis/dynamics.h"

// What every signal changes by with each of n inputs or tunable parameters, numbered as hol_model_input does, at the present time
// (signals x n). Values of signals are found (hol_dynamics_values) and stay. HOL_RECOVERABLE: the equations do not determine them.
hol_status hol_ports_changes(hol_dynamics *d, int n, const int *input, double *out);
// Which signals may depend on an input or tunable parameter at once, in whatever state and with whatever is switched: 1 or 0  (signals).
hol_status hol_ports_depend(const hol_signals *g, int input, char *out);
// Is it a signal whose changes hol_ports_changes does not find?
bool hol_ports_lack(const hol_column *signal);

#endif
