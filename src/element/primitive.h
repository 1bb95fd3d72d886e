// Geometric primitives: the scalar and vector functions s(y) from which joints, drivers and springs are composed.
//
//     POINT      r2 - r1                              one row per dimension             [m]
//     ALONG      u1 . (r2 - r1)                       u1 an axis of marker 1            [m]
//     DOT        u1 . u2                              an axis of each marker            [-]
//     DISTANCE   (|r2 - r1|^2 - L(t)^2) / (2 L0)                                        [m]
//     TURN       2 x component of conj(Q1) Q2         Q the marker's Euler parameters   [rad]
//     ANGLE      theta2 - theta1 - offset             planar bodies                     [rad]
//     TWIST_SET  2 (z cos(f/2) - w sin(f/2))          z, w components of conj(Q1) Q2    [rad]
//     LENGTH     |r2 - r1|                                                              [m]
//     TWIST      2 atan2(z, w), of which whole turns must be counted                    [rad]
//     ROTATION   component of the rotation vector of conj(Q1) Q2, up to a full turn     [rad]
//
// TURN vanishes only where the two frames really coincide about that axis (not half a turn away), so assembly cannot
// settle on the wrong side. Every primitive but POINT may have a function of time subtracted. docs/theory.md, section 3.
#ifndef HOL_PRIMITIVE_H
#define HOL_PRIMITIVE_H

#include "element/marker.h"
#include "expr/num.h"

typedef enum hol_prim_kind {
    HOL_PRIM_POINT,
    HOL_PRIM_ALONG,
    HOL_PRIM_DOT,
    HOL_PRIM_DISTANCE,
    HOL_PRIM_TURN,
    HOL_PRIM_ANGLE,
    HOL_PRIM_TWIST_SET,
    HOL_PRIM_LENGTH,
    HOL_PRIM_TWIST,
    HOL_PRIM_ROTATION
} hol_prim_kind;

typedef struct hol_prim {
    hol_prim_kind kind;
    signed char rows;         // 1, or the dimension for POINT
    signed char axis1, axis2; // axes of ALONG, DOT; component (0..2) of TURN, ROTATION
    const hol_marker *m1, *m2;
    double
        offset; // subtracted (ANGLE); the reference length L0 (DISTANCE); f without a function (TWIST_SET); of conj(Q1) Q2 the
                // sign that turns by less than half a turn, as drawn (ROTATION)
    const hol_expr *set; // f(t) subtracted; L(t) of DISTANCE; NULL: none
    const char *label; // what the row holds: "distance", "rotation about x"; the rows of POINT are x, y and z
} hol_prim;

// Value and derivatives of one row.
typedef struct hol_scalar {
    hol_real f, fw, fww;
    hol_real d[HOL_MAX_Y], dw[HOL_MAX_Y], dww[HOL_MAX_Y]; // s_y, (s_y w)_y, ((s_y w)_y w)_y     (ny)
} hol_scalar;

// Rows as numbers, and back, for functions of them. The shape has what an order of hol_prim_eval gives.
enum { HOL_SCALAR_NUM = 4 + 3 * HOL_MAX_Y };
hol_shape hol_scalar_shape(int ny, int order);
void hol_scalar_to_num(const hol_shape *shape, const hol_scalar *s, hol_real *out);
void hol_scalar_from_num(const hol_shape *shape, const hol_real *x, hol_scalar *out);

// order as in hol_feature_eval, or HOL_ALONG: f, fw, fww and d only. out is (rows).
enum { HOL_ALONG = 4 };
void hol_prim_eval(const hol_prim *p, int ny, const hol_real *y, const hol_real *w, int order,
                   hol_scalar *out);
// The three components of a rotation vector, p[0] .. p[2], at once, and their Hessians.
void hol_rotation_eval(const hol_prim *p, int ny, const hol_real *y, const hol_real *w, int order,
                       hol_scalar *out);
void hol_rotation_hessian(const hol_prim *p, int ny, const hol_real *y, const hol_real *c, hol_real *H);
// a, a' and a''/2, a'''/6 of a(x) = atan(sqrt(x))/sqrt(x), by its series for x below HOL_ARC_NEAR; the closed form loses its derivatives there.
#define HOL_ARC_NEAR 0.1
void hol_arc_series(hol_real x, hol_real a[4]);
// The derivative of a row by the function that is subtracted, or set, with its derivatives up to the second.
void hol_prim_by_function(const hol_prim *p, int ny, const hol_real *y, const hol_real *w, hol_scalar *out);
// H += (s_y^T c)_y, H (ny x ny), c (rows).
void hol_prim_hessian(const hol_prim *p, int ny, const hol_real *y, const hol_real *c, hol_real *H);
// Of a row that sets a coordinate to a function: its derivative by the coordinate, where it is fulfilled.
double hol_prim_set_slope(const hol_prim *p, int ny, const hol_real *y);
const char *hol_prim_label(const hol_prim *p, int row); // what the row holds
bool hol_prim_is_length(const hol_prim *p);             // natural size: a length, else an angle
// What a function is prescribed for, at a pose y, where the row has this residual: the value nearest to `near`, turns counted. And the
// derivative of the residual by it there.
double hol_prim_value(const hol_prim *p, int ny, const hol_real *y, double residual, double near);
double hol_prim_value_slope(const hol_prim *p, int ny, const hol_real *y, double value);

#endif
