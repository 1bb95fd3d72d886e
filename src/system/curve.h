// The curve of poses of a mechanism with one motion: joints and drivers where the time is free too, or where one driver's function is
// let go. It is followed by its arc length, so that dead centres are points like others. docs/theory.md, section 19.2.
#ifndef HOL_CURVE_H
#define HOL_CURVE_H

#include "linalg/dense.h"
#include "system/kernel.h"

enum { HOL_CURVE_MOST = 300 }; // coordinates: matrices are dense

typedef struct hol_curve {
    hol_equations *s;
    int free; // row in use that is let go, as of a driver; -1: none, the time goes along
    int n, m; // coordinates of the curve (q, and t); equations: n - 1 where there is one motion
    hol_state x, trial;
    double *z;     // unit tangent at x, in natural sizes                                       (n)
    double slope;  // of what is driven along z, by natural size: of the time, or of the row that is let go
    double length; // arc length gone since the start, in natural sizes
    double bend;   // angle between the tangents of the last step [rad]
    hol_dense_qr qr;
    double *memory, *J, *B, *r, *next;
    int *pivot;
} hol_curve;

// From the pose x, on which the equations hold, in the direction in which what is driven grows. HOL_ERR_USAGE: too many coordinates,
// with a text; HOL_RECOVERABLE: more than one motion is free there.
hol_status hol_curve_create(hol_context *ctx, hol_equations *s, const hol_state *x, int free, hol_curve *c);
void hol_curve_destroy(hol_curve *c);
// The same way back.
void hol_curve_turn(hol_curve *c);
// By ds in natural sizes along the curve. HOL_RECOVERABLE: no pose is found; c stays where it is.
hol_status hol_curve_step(hol_curve *c, double ds);
// To the place near by where the slope is 0. HOL_RECOVERABLE: there is none within `far`.
hol_status hol_curve_turning_point(hol_curve *c, double far);

#endif
