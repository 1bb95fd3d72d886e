// Motions by tables that turn back next to a dead centre, between the points of a table: what lies behind is the table's rounding, not the
// motion that was measured. docs/theory.md, section 21.
#ifndef HOL_FOLDS_H
#define HOL_FOLDS_H

#include "analysis/loads.h"
#include "integrator/integrator.h"

// A table along which a driver or a constraint leads.
typedef struct hol_led {
    const hol_load *load;
    const struct hol_spline *table;
    const hol_expr *argument; // a function of time
} hol_led;

typedef struct hol_folds {
    hol_integrator *it; // NULL: nothing is looked at
    int n;
    hol_led *list; //                                                                            (n)
    double speed;  // the largest of late, forgotten with the time between points [natural sizes per s]
    double fast;   // the last time at which it went half as fast [s]
} hol_folds;

// Of kinematics, whose velocities are exact. HOL_ERR_MEMORY.
hol_status hol_folds_create(hol_integrator *it, const hol_loads *loads, hol_folds *f);
void hol_folds_destroy(hol_folds *f);
// After an accepted step: ends the run where the motion has turned back in it, in a small part of the time between two points.
hol_status hol_folds_look(hol_folds *f);
void hol_folds_archive(hol_folds *f, hol_archive *a);

#endif
