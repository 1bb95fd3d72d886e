// What holonom chooses for the person who does not: the time between results, and what is said about all such choices.
#ifndef HOL_DEFAULTS_H
#define HOL_DEFAULTS_H

#include "analysis/dynamics.h"

// The largest of 1, 2, 5 times a power of ten [s] that fits at least HOL_DEFAULT_ROWS times into `end` [s].
enum { HOL_DEFAULT_ROWS = 400 };
double hol_default_output(double end);
// Method, tolerance and rows, as far as the user has left them open, and why: one sentence in d->stats.defaults.
void hol_defaults_tell(hol_dynamics *d);

#endif
