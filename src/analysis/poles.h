// Poles of expressions of places, speeds and states, and ends of their domains, within the steps of a run.
#ifndef HOL_POLES_H
#define HOL_POLES_H

#include "expr/enclose.h"
#include "integrator/integrator.h"
#include "system/explicit.h"

typedef struct hol_pole_leaf { // of a leaf at one time: value and rate, NaN where that is not known
    double f, d;
} hol_pole_leaf;

enum { HOL_POLE_LEVELS = 48 };

typedef struct hol_poles {
    hol_integrator *it;
    hol_explicit follow;         // equations as they follow from each other
    char *implicit;              // those that do not                                              (nz)
    char *taken;                 // a force, a rate or user code takes it                          (nz)
    char *needed;                // an expression that is watched takes it                         (nz)
    int *first;                  // leaf of each needed equation among all                         (nz)
    int n, *equation;            // that are watched                                               (n)
    int n_leaves;                // of all needed equations
    bool rates;                  // accelerations are needed for rates of leaves
    hol_pole_leaf *node;         // at the times of a search          (HOL_POLE_LEVELS + 2) x (n_leaves)
    hol_enclosure *range;        // of the equations                                               (nz)
    hol_enclosure *leaf;         // of one equation                                           (n_leaves)
    const hol_enclosure **given; //                                                     (n_leaves)
    hol_state trial;
    bool ahead;     // times are behind the last step: states are extrapolated
    long undecided; // steps in which a place was not decided
} hol_poles;

// Destroy it after a failure too.
hol_status hol_poles_create(hol_integrator *it, hol_poles *p);
void hol_poles_destroy(hol_poles *p);
// After an accepted step. HOL_ERR_INTEGRATION, with the time and the name, where it has passed over a pole or has left a domain.
hol_status hol_poles_check(hol_poles *p);
// After a step that failed: the message about a pole in place of the method's, if there is one within dt.
hol_status hol_poles_explain(hol_poles *p, double dt);

#endif
