// Coordinates of joints as users name them: hinge.angle, slide.speed. Each is a measure between the two frames of the joint, of the
// second against the first (quantity.h; docs/theory.md, 8.13).
#ifndef HOL_COORDINATE_H
#define HOL_COORDINATE_H

#include "element/element.h"

// Lists of rows X(name, unit, doc, what in the plane, what in space, arm, along the second frame).
#define HOL_OF(kind, axis) (hol_quantity_kind)(HOL_QUANTITY_##kind + (axis))
#define HOL_TURN(X, name, rate, accel)                                                                       \
    X(name, "rad", "angle about the joint's axis, full turns counted", HOL_OF(A, 2), HOL_OF(A, 2), NONE, 0)  \
    X(rate, "rad/s", "rate of the angle", HOL_OF(W, 2), HOL_OF(W, 2), NONE, 0)                               \
    X(accel, "rad/s^2", "second derivative of the angle", HOL_OF(WDT, 2), HOL_OF(WDT, 2), NONE, 0)
#define HOL_SHIFT(X, name, rate, accel, plane, space)                                                        \
    X(name, "m", "displacement", HOL_OF(D, plane), HOL_OF(D, space), NONE, 0)                                \
    X(rate, "m/s", "rate of the displacement", HOL_OF(V, plane), HOL_OF(V, space), NONE, 0)                  \
    X(accel, "m/s^2", "second derivative of the displacement", HOL_OF(ACC, plane), HOL_OF(ACC, space), NONE, \
      0)
#define HOL_ARM(X, name, rate, accel, arm, second)                                                           \
    X(name, "rad", "angle about an arm of the cross, full turns counted", HOL_OF(A, 2), HOL_OF(A, 2), arm,   \
      second)                                                                                                \
    X(rate, "rad/s", "rate of the angle", HOL_OF(W, 2), HOL_OF(W, 2), NONE, second)                          \
    X(accel, "rad/s^2", "second derivative of the angle", HOL_OF(WDT, 2), HOL_OF(WDT, 2), NONE, second)
#define HOL_COORDINATES_TURN(X) HOL_TURN(X, "angle", "rate", "accel")
#define HOL_COORDINATES_SLIDE(X) HOL_SHIFT(X, "stroke", "speed", "accel", 0, 2)
#define HOL_COORDINATES_CYLINDER(X)                                                                          \
    HOL_TURN(X, "angle", "rate", "angle_accel") HOL_SHIFT(X, "stroke", "speed", "stroke_accel", 0, 2)
#define HOL_COORDINATES_PLANE(X)                                                                             \
    HOL_SHIFT(X, "x", "vx", "ax", 0, 0)                                                                      \
    HOL_SHIFT(X, "y", "vy", "ay", 1, 1) HOL_TURN(X, "angle", "rate", "accel")
#define HOL_COORDINATES_CROSS(X)                                                                             \
    HOL_ARM(X, "angle1", "rate1", "accel1", FIRST, 0) HOL_ARM(X, "angle2", "rate2", "accel2", SECOND, 1)

typedef struct hol_joint_coordinate {
    const char *name, *unit, *doc;
    hol_quantity_kind what[2]; // in the plane, in space
    hol_arm arm;               // angles of universal joints
    bool second;               // along the axes of the second frame, and as seen from it
} hol_joint_coordinate;

// Lists that types of joints have (hol_element_type.named); name NULL at the end.
extern const hol_joint_coordinate hol_coordinates_turn[], hol_coordinates_slide[], hol_coordinates_cylinder[],
    hol_coordinates_plane[], hol_coordinates_cross[];

// Of a type by its name; NULL: the type has none of this name.
const hol_joint_coordinate *hol_joint_coordinate_find(const hol_element_type *type, const char *name);
// Of any type of joint: the same name means the same kind of thing everywhere.
const hol_joint_coordinate *hol_joint_coordinate_any(const char *name);
// What it measures between the frames of a joint.
hol_quantity hol_joint_quantity(const hol_joint_coordinate *c, int dimension, const hol_marker *first,
                                const hol_marker *second);
// Does it count full turns in the memory? In the plane angles do so by themselves.
bool hol_joint_coordinate_turns(const hol_joint_coordinate *c, int dimension);
// How many coordinates of a type do so, and the place of one of them among these.
int hol_joint_turns(const hol_element_type *type, int dimension, const hol_joint_coordinate *until);

#endif
