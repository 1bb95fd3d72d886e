// The poses of a driven mechanism along their curve, which goes on behind dead centres: drivers run backwards there.
// docs/theory.md, section 19.4.
#ifndef HOL_FOLLOW_H
#define HOL_FOLLOW_H

#include "analysis/dynamics.h"
#include "analysis/signals.h"
#include "system/curve.h"

typedef struct hol_follow {
    hol_dynamics *d; // its start
    hol_curve c;     // at the present pose; c.length: the arc length in natural sizes
    double elapsed;  // time that the drivers have run, forwards and backwards [s]
    double end;      // at which it ends [s]
    bool turned;     // the pose is a dead centre
    int turns;       // dead centres so far
    double ds;       // next step in natural sizes
    hol_state x;     // of the last pose, for a step that is taken again
    double *z, slope, length;
    hol_signals signals;    // of poses: positions, orientations, coordinates of joints
    int n, *column;         // columns of `signals` that are told                                (n)
    int n_drivers, *driver; // elements                                                       (n_drivers)
} hol_follow;

// From the start of kinematics until the drivers have run for simulate.end. HOL_ERR_USAGE: a motion is free, or what happens
// depends on more than the pose.
hol_status hol_follow_begin(hol_context *ctx, const hol_model_data *m, const hol_settings *set,
                            hol_follow *out);
void hol_follow_destroy(hol_follow *f);
// To the next pose, *done at the last one. HOL_ERR_INTEGRATION: it is not found.
hol_status hol_follow_next(hol_follow *f, bool *done);
// The value that driver i has now [m, rad].
double hol_follow_driver(const hol_follow *f, int i);

#endif
