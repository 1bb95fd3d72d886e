// What users' expressions measure between markers: displacements, angles, velocities, accelerations.
//
//     D     u.(r_to - r_from)                             u an axis of `along`
//     A     angles of `to` as seen from `from`: projections, each exact while the other two are zero
//     V     u.(r_to - r_from)'                            the derivative as seen from `ref`
//     W     u.(omega_to - omega_from)
//     ACC   u.(r_to - r_from)''                           as seen from `ref`
//     WDT   u.(omega_to - omega_from)'                    as seen from `ref`
//
// and, for the coordinates of joints in space (docs/theory.md, 8.13), of frame `to` against frame `from`:
//
//     ROTATION   components of the rotation vector in the axes of `from`
//     ARM        turns between the arms z of a universal joint, about z of `from`
//     TWIST      the turn about z that is left when z is brought onto z of `from` the shortest way
//     SWING      the angle between the z axes, 0 .. pi; below 1e-12 rad it is 0, and so beside pi
//     HINGE      the direction of r_to - r_from in the xy plane of `from`
//     LENGTH     |r_to - r_from|
//
// They are functions of y = (q of the bodies, t), w = y' and b = y'' = (a, 0). docs/theory.md, section 8.
#ifndef HOL_QUANTITY_H
#define HOL_QUANTITY_H

#include "element/marker.h"
#include "element/mirror.h"
#include "expr/num.h"

typedef enum hol_quantity_kind { // three of each, for x, y, z
    HOL_QUANTITY_D,
    HOL_QUANTITY_A = 3,
    HOL_QUANTITY_V = 6,
    HOL_QUANTITY_W = 9,
    HOL_QUANTITY_ACC = 12,
    HOL_QUANTITY_WDT = 15,
    HOL_QUANTITIES = 18, // of those with a name of their own in expressions
    HOL_QUANTITY_ROTATION = 18,
    HOL_QUANTITY_ARM_FIRST = 21, // atan2(x1.z, -y1.z): the turn about z1 that brings -y1 to z
    HOL_QUANTITY_ARM_SECOND,     // atan2(x1.z, y1.z): from y1
    HOL_QUANTITY_TWIST,
    HOL_QUANTITY_SWING,
    HOL_QUANTITY_HINGE,
    HOL_QUANTITY_LENGTH,
    HOL_QUANTITY_TILT_X, // what the swing is made of: components of z along x and y of `from`
    HOL_QUANTITY_TILT_Y,
    HOL_QUANTITY_KINDS
} hol_quantity_kind;

// The directions of a swing below this are rounding [rad].
#define HOL_QUANTITY_STRAIGHT 1e-12

// NULL markers stand for the origin and the axes of the global frame; `to` must be given.
typedef struct hol_quantity {
    hol_quantity_kind what; // kind + 0, 1, 2 for x, y, z
    bool planar;            // in the plane AZ counts full turns
    bool principal;         // but not this one, which is from -pi to pi as in space
    bool flipped;           // ROTATION: the frames are drawn with Euler parameters of opposite sign
    hol_mirror mirror;      // of what is measured
    int rate;               // ROTATION and those after it: how often it is differentiated by time, 0, 1, 2
    const hol_marker *to, *from, *along, *ref;
} hol_quantity;

// A name in expressions, with its arguments in the order to, from, along, ref.
typedef struct hol_quantity_name {
    const char *name; // upper case
    hol_quantity_kind what;
    int max_markers; // at least 1
    int dimensions;  // 3, or 5 for both
    const char *arguments, *doc;
} hol_quantity_name;

extern const hol_quantity_name hol_quantity_names[];                         // NULL name at the end
const hol_quantity_name *hol_quantity_find(const char *name, size_t length); // any case; NULL: unknown

int hol_quantity_level(const hol_quantity *m);      // 0: of y, 1: of y and w, 2: of y, w and b
bool hol_quantity_is_angle(hol_quantity_kind what); // else a length (over time, over time^2)
// `to` and `from` must have axes, which point masses have not; `along` and `ref` must in any case.
bool hol_quantity_needs_axes(hol_quantity_kind what);

// How long the projection is whose direction an angle of space is, at most 1: where it is 0 the angle is atan2(0, 0). Of a twist |(w, z)| of the
// Euler parameters. Of all else 1.
#define HOL_QUANTITY_NARROW                                                                                  \
    1e-3 // below, the angle is called undefined: a revolute joint that is a thousandth open has 1 - 1e-6
double hol_quantity_breadth(const hol_quantity *m, int ny, const hol_real *y);
// As a number with derivatives (num.h) along the direction (dy, dw) of (y, w), which order 0 does not read. slots: the
// first gradient variable of the blocks y, w, b (ny each), -1: not among the variables. w is read from level 1 on, b at
// level 2.
//     level 0: any shape        level 1: order 0 and 1        level 2: order 0
void hol_quantity_eval(const hol_quantity *m, const hol_shape *shape, int ny, const hol_real *y,
                       const hol_real *w, const hol_real *b, const hol_real *dy, const hol_real *dw,
                       const int slots[3], hol_real *out);
// The same of a quantity with m->rate > 0, from its derivatives at level 0.
void hol_quantity_rate(const hol_quantity *m, const hol_shape *shape, int ny, const hol_real *y,
                       const hol_real *w, const hol_real *b, const hol_real *dy, const hol_real *dw,
                       const int slots[3], hol_real *out);

#endif
