// Events at the time of a state that no run has come to: analyses of the start are of the model before them.
#ifndef HOL_FIRST_EVENTS_H
#define HOL_FIRST_EVENTS_H

#include "system/equations.h"

// Tells of each event that is due at x, has not happened, and would change the model there; `what`: what that means here.
void hol_first_events_tell(const hol_equations *s, const hol_state *x, hol_severity level, const char *what);

#endif
