// A plane curve by a spline: y of x, or in polar form the radius of the angle, once around. docs/theory.md, sections 3 and 23.1.
#ifndef HOL_PROFILE_H
#define HOL_PROFILE_H

#include "element/element.h"
#include "expr/spline.h"

typedef struct hol_profile {
    const hol_spline *f;
    bool polar;
    double x_unit, y_unit; // SI units per unit of the table
    double from, to;       // what it goes over, x [m] or the angle [rad]
    double sign[2];        // of x and y, in a mirror
} hol_profile;

// Of the table of a value, whose messages begin with in->path and ".curve": it must have no corners, and in polar form close.
hol_status hol_profile_make(const hol_setup *in, const hol_value *value, bool polar, hol_profile *out);
// The place at s, in polar form any angle, and its first and second derivatives by s.
void hol_profile_at(const hol_profile *p, hol_real s, hol_real X[2], hol_real X1[2], hol_real X2[2]);
// Its curvature, above 0 where it turns to the left [1/m].
double hol_profile_bend(const hol_profile *p, double s);

#endif
