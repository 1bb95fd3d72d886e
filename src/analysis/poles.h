// Poles of expressions of places, speeds and states, and ends of their domains, within the steps of a run.
#ifndef HOL_POLES_H
#define HOL_POLES_H

#include "analysis/course.h"

typedef struct hol_poles {
    hol_course c;
    char *taken; // a force, a rate or user code takes it          (n_equations)
    int n;
    hol_course_term *term; // that are watched                          (n)
    long undecided;        // steps in which a place was not decided
} hol_poles;

// Destroy it after a failure too.
hol_status hol_poles_create(hol_integrator *it, hol_poles *p);
void hol_poles_destroy(hol_poles *p);
// After an accepted step. HOL_ERR_INTEGRATION, with the time and the name, where it has passed over a pole or has left a domain.
hol_status hol_poles_check(hol_poles *p);
// After a step that failed: the message about a pole in place of the method's, if there is one within dt.
hol_status hol_poles_explain(hol_poles *p, double dt);

#endif
