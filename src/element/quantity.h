// What users' expressions measure between markers: displacements, angles, velocities, accelerations.
//
//     D     u.(r_to - r_from)                             u an axis of `along`
//     A     angles of `to` as seen from `from`: projections, each exact while the other two are zero
//     V     u.(r_to - r_from)'                            the derivative as seen from `ref`
//     W     u.(omega_to - omega_from)
//     ACC   u.(r_to - r_from)''                           as seen from `ref`
//     WDT   u.(omega_to - omega_from)'                    as seen from `ref`
//
// They are functions of y = (q of the bodies, t), w = y' and b = y'' = (a, 0). docs/theory.md, section 8.
#ifndef HOL_QUANTITY_H
#define HOL_QUANTITY_H

#include "element/marker.h"
#include "expr/num.h"

typedef enum hol_quantity_kind { // three of each, for x, y, z
    HOL_QUANTITY_D,
    HOL_QUANTITY_A = 3,
    HOL_QUANTITY_V = 6,
    HOL_QUANTITY_W = 9,
    HOL_QUANTITY_ACC = 12,
    HOL_QUANTITY_WDT = 15,
    HOL_QUANTITIES = 18
} hol_quantity_kind;

// Angles between the arms of a universal joint, which are the z axes of its frames.
typedef enum hol_arm {
    HOL_ARM_NONE,
    HOL_ARM_FIRST, // atan2(x1.z, -y1.z): the turn about z1 that brings -y1 to z
    HOL_ARM_SECOND // atan2(x1.z, y1.z): about z1, from y1
} hol_arm;

// NULL markers stand for the origin and the axes of the global frame; `to` must be given.
typedef struct hol_quantity {
    hol_quantity_kind what; // kind + 0, 1, 2 for x, y, z
    bool planar;            // in the plane AZ counts full turns
    hol_arm arm;            // AZ of an arm in place of the frame
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

// As a number with derivatives (num.h) along the direction (dy, dw) of (y, w), which order 0 does not read. slots: the
// first gradient variable of the blocks y, w, b (ny each), -1: not among the variables. w is read from level 1 on, b at
// level 2.
//     level 0: any shape        level 1: order 0 and 1        level 2: order 0
void hol_quantity_eval(const hol_quantity *m, const hol_shape *shape, int ny, const hol_real *y,
                       const hol_real *w, const hol_real *b, const hol_real *dy, const hol_real *dw,
                       const int slots[3], hol_real *out);

#endif
