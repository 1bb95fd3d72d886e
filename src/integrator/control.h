// Step size control shared by the methods: from an error estimate to the next step. docs/theory.md, section 5.5.
#ifndef HOL_CONTROL_H
#define HOL_CONTROL_H

#include "base/base.h"

// h_new/h for an error of `ratio` times the tolerance when the error is proportional to h^power.
//   grow: false after a rejected or failed step. Within the dead band 1 .. 1.2 the step is kept, which saves matrices.
double hol_control_factor(double ratio, double power, bool grow);

// The same without a dead band: for methods that make a new matrix at every step anyway.
double hol_control_factor_plain(double ratio, double power, bool grow);

// The step to try from t: at most wanted and h_max, ending exactly at t_stop, without a tiny step before it.
double hol_control_step(double t, double wanted, double h_max, double t_stop, hol_limit *limit);

#endif
