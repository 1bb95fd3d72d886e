// A motion that is measured in more ways than the mechanism moves in: poses of least squares. docs/theory.md, section 21.
#ifndef HOL_FIT_MOTION_H
#define HOL_FIT_MOTION_H

#include "system/equations.h"

// Measures are the rows of drivers and constraints that hold them at values over time; weight: of their squares, by natural sizes.
typedef struct hol_fit_motion {
    int n, n_times;
    const int *element;   // of the model, each with one row                                          (n)
    const double *weight; //                                                                         (n)
    const double *time;   // [s]                                                                     (n_times)
    double *
        off; // by what each measure is above what is asked, in its unit, at the poses found       (n x n_times)
    int motions;  // in which the mechanism moves without them
    char *chosen; // as many measures that tell all of these, 1; else 0                             (n)
} hol_fit_motion;

// HOL_RECOVERABLE: there are no more measures than motions, or these leave one free, or the joints do not close: nothing is found.
hol_status hol_fit_motion_find(hol_context *ctx, const hol_model_data *m, hol_fit_motion *f);

#endif
