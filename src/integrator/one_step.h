// Steps of one-step methods with error control: attempts until one is accepted. docs/theory.md, section 5.5.
#ifndef HOL_ONE_STEP_H
#define HOL_ONE_STEP_H

#include "integrator/stop.h"

typedef struct hol_one_step {
    bool held;     // the last attempt was rejected: the step may not grow
    hol_limit why; // what keeps the next step from being longer
    bool planned;  // the last attempt was not made with the step wanted but with that of the plan
    double tried[HOL_TRIED];
} hol_one_step;

// One attempt from it->x to t1 by h; *error in units of the tolerance. HOL_RECOVERABLE: no state there.
typedef hol_status hol_attempt(hol_integrator *it, double t1, double h, double *error);

// A step that suits the method better than the wanted one; may be NULL.
typedef double hol_plan(const hol_integrator *it, double h);

void hol_one_step_restart(hol_one_step *o);
// Attempts with steps of their own choice up to t_stop, or one to t_stop if there is no error control. order: exponent of
// the step control. HOL_RECOVERABLE: the step collapsed, *h is the last one.
hol_status hol_one_step_take(hol_integrator *it, hol_one_step *o, double order, double t_stop,
                             hol_attempt *attempt, hol_plan *plan, double *h);
void hol_one_step_archive(hol_one_step *o, hol_archive *a);

#endif
