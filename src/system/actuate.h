// Inverse dynamics: inputs of the model take over from its drivers, so that the motion stays what it is and no driver gives a force.
// docs/theory.md, section 21.
#ifndef HOL_ACTUATE_H
#define HOL_ACTUATE_H

#include "system/kernel.h"

// What was found at a time: how unevenly the actuators act along the driven motions, and what of the forces they cannot give.
typedef struct hol_actuated {
    double t; // [s]
    double
        condition; // singular values of G, the largest against the least; infinite: some act alike, or not at all
    double missing; // the largest force that is missing, against the largest of all
    double lever; // of as many actuators as driven motions: the determinant of their gains; 0: there is none
    double most;  // the largest input
} hol_actuated;

// Inputs that take over from all drivers, with what is asked of them; arrays (n).
typedef struct hol_actuators {
    int n;
    int *input;                    // which, as hol_model_input counts
    double *weight, *least, *most; // of their squares; bounds
    int n_rows;
    int *row;              // model rows of the drivers                                              (n_rows)
    bool project;          // what they cannot give is left to the drivers
    bool told;             // that they cannot give all
    int passed;            // times at which their lever passes 0, told so far
    hol_actuated now, end; // at the state that was looked at last, and at the last step's end
    double *memory;        // numbers above, and room
} hol_actuators;

// Inputs that a motion needs beyond what they can give are refused, but for `project`: then the accelerations that the drivers' absence would
// leave are as near to the motion as can be, in the metric of the masses along the driven motions. Constraints that prescribe the motion
// (`inverse: {drives: ..}`) count as drivers.
// Copies the arrays; weight NULL: all 1; least, most NULL: no bounds. HOL_ERR_USAGE: the model has no drivers. Destroy it after a failure
// too.
hol_status hol_actuators_create(hol_context *ctx, const hol_model_data *m, int n, const int *input,
                                const double *weight, const double *least, const double *most,
                                hol_actuators *a);
void hol_actuators_destroy(hol_actuators *a);
// Warns that their lever passes 0 at t, between times that were looked at.
void hol_actuators_tell_passage(const hol_equations *s, hol_actuators *a, double t);

// The inputs of x, and what follows from them: accelerations, multipliers. Positions and velocities stay; factors are those of the
// accelerations. HOL_ERR_USAGE: the motion needs a force that no actuator gives, which the text names; HOL_RECOVERABLE: no inputs
// are found, as forces depend on them unevenly.
hol_status hol_actuate(hol_kernel *k, hol_actuators *a, hol_state *x);
// The same where the accelerations of x are known, as next to a singular pose: they stay.
hol_status hol_actuate_moving(hol_kernel *k, hol_actuators *a, hol_state *x);

#endif
