// Coordinates of joints as users name them: hinge.angle, slide.speed. Each is a measure between the two frames of the joint, of the
// second against the first (quantity.h; docs/theory.md, 8.13).
#ifndef HOL_COORDINATE_H
#define HOL_COORDINATE_H

#include "element/element.h"

// Lists of rows X(name, unit, doc, what in the plane, what in space, along the second frame, derivative).
#define HOL_OF(kind, axis) (hol_quantity_kind)(HOL_QUANTITY_##kind + (axis))
#define HOL_ANGLE_NAMED(X, name, rate, accel, doc, kind)                                                     \
    X(name, "rad", doc, kind, kind, 0, 0)                                                                    \
    X(rate, "rad/s", "its rate", kind, kind, 0, 1)                                                           \
    X(accel, "rad/s^2", "its second derivative", kind, kind, 0, 2)
#define HOL_TURN_NAMED(X, name, rate, accel)                                                                 \
    X(name, "rad", "angle about the joint's axis, full turns counted", HOL_OF(A, 2), HOL_OF(A, 2), 0, 0)     \
    X(rate, "rad/s", "its rate", HOL_OF(W, 2), HOL_OF(W, 2), 0, 0)                                           \
    X(accel, "rad/s^2", "its second derivative", HOL_OF(WDT, 2), HOL_OF(WDT, 2), 0, 0)
#define HOL_SHIFT_NAMED(X, name, rate, accel, plane, space)                                                  \
    X(name, "m", "displacement", HOL_OF(D, plane), HOL_OF(D, space), 0, 0)                                   \
    X(rate, "m/s", "its rate", HOL_OF(V, plane), HOL_OF(V, space), 0, 0)                                     \
    X(accel, "m/s^2", "its second derivative", HOL_OF(ACC, plane), HOL_OF(ACC, space), 0, 0)
#define HOL_ARM_NAMED(X, name, rate, accel, kind, second)                                                    \
    X(name, "rad", "angle about an arm of the cross, full turns counted", kind, kind, second, 0)             \
    X(rate, "rad/s", "its rate", HOL_OF(W, 2), HOL_OF(W, 2), second, 0)                                      \
    X(accel, "rad/s^2", "its second derivative", HOL_OF(WDT, 2), HOL_OF(WDT, 2), second, 0)
#define HOL_VECTOR_NAMED(X, letter, axis)                                                                    \
    HOL_ANGLE_NAMED(X, "r" letter, "r" letter "_rate", "r" letter "_accel",                                  \
                    "component of the rotation vector in the first frame, up to a full turn",                \
                    HOL_OF(ROTATION, axis))
#define HOL_COORDINATES_TURN(X) HOL_TURN_NAMED(X, "angle", "rate", "accel")
#define HOL_COORDINATES_SLIDE(X) HOL_SHIFT_NAMED(X, "stroke", "speed", "accel", 0, 2)
#define HOL_COORDINATES_CYLINDER(X)                                                                          \
    HOL_SHIFT_NAMED(X, "stroke", "speed", "stroke_accel", 0, 2)                                              \
    HOL_TURN_NAMED(X, "angle", "rate", "angle_accel")
#define HOL_COORDINATES_SHIFTS(X)                                                                            \
    HOL_SHIFT_NAMED(X, "x", "vx", "ax", 0, 0) HOL_SHIFT_NAMED(X, "y", "vy", "ay", 1, 1)
#define HOL_COORDINATES_PLANE(X)                                                                             \
    HOL_COORDINATES_SHIFTS(X)                                                                                \
    HOL_TURN_NAMED(X, "angle", "rate", "accel")
#define HOL_COORDINATES_POINT(X)                                                                             \
    HOL_COORDINATES_SHIFTS(X)                                                                                \
    HOL_SHIFT_NAMED(X, "z", "vz", "az", 2, 2)
#define HOL_COORDINATES_AXIS(X)                                                                              \
    HOL_COORDINATES_POINT(X)                                                                                 \
    HOL_TURN_NAMED(X, "angle", "rate", "accel")
#define HOL_COORDINATES_CROSS(X)                                                                             \
    HOL_ARM_NAMED(X, "angle1", "rate1", "accel1", HOL_QUANTITY_ARM_FIRST, 0)                                 \
    HOL_ARM_NAMED(X, "angle2", "rate2", "accel2", HOL_QUANTITY_ARM_SECOND, 1)
#define HOL_COORDINATES_BALL(X)                                                                              \
    HOL_VECTOR_NAMED(X, "x", 0)                                                                              \
    HOL_VECTOR_NAMED(X, "y", 1)                                                                              \
    HOL_VECTOR_NAMED(X, "z", 2)                                                                              \
    HOL_ANGLE_NAMED(X, "swing", "swing_rate", "swing_accel", "angle between the z axes, 0 to pi",            \
                    HOL_QUANTITY_SWING)                                                                      \
    HOL_ANGLE_NAMED(X, "twist", "twist_rate", "twist_accel",                                                 \
                    "turn about z with the swing undone, full turns counted", HOL_QUANTITY_TWIST)
#define HOL_COORDINATES_SHAFTS(X)                                                                            \
    HOL_ANGLE_NAMED(X, "bend", "bend_rate", "bend_accel", "angle between the shafts, 0 to pi",               \
                    HOL_QUANTITY_SWING)                                                                      \
    HOL_ANGLE_NAMED(X, "angle", "rate", "accel", "turn of shaft 2 against shaft 1 with the bend undone",     \
                    HOL_QUANTITY_TWIST)
#define HOL_COORDINATES_LENGTH(X)                                                                            \
    X("length", "m", "distance of the two ends", HOL_QUANTITY_LENGTH, HOL_QUANTITY_LENGTH, 0, 0)
#define HOL_COORDINATES_LINK(X)                                                                              \
    HOL_ANGLE_NAMED(X, "angle", "rate", "accel", "angle of the link about the hinge, full turns counted",    \
                    HOL_QUANTITY_HINGE)                                                                      \
    HOL_COORDINATES_LENGTH(X)

// Every list: LIST(name of the list, its rows, joints that have it).
#define HOL_COORDINATE_LISTS(LIST)                                                                           \
    LIST(turn, HOL_COORDINATES_TURN, "revolute joint; at-point joint in the plane")                          \
    LIST(slide, HOL_COORDINATES_SLIDE, "translational joint; in-line joint in space")                        \
    LIST(cylinder, HOL_COORDINATES_CYLINDER, "cylindrical joint, screw; in-line joint in the plane")         \
    LIST(shifts, HOL_COORDINATES_SHIFTS, "in-plane joint; orientation and parallel-axes in the plane")       \
    LIST(plane, HOL_COORDINATES_PLANE, "planar joint; total in the plane")                                   \
    LIST(point, HOL_COORDINATES_POINT, "orientation joint in space")                                         \
    LIST(axis, HOL_COORDINATES_AXIS, "parallel-axes and total in space (angle: where only z turns)")         \
    LIST(cross, HOL_COORDINATES_CROSS, "universal joint")                                                    \
    LIST(ball, HOL_COORDINATES_BALL, "spherical joint; at-point joint in space")                             \
    LIST(shafts, HOL_COORDINATES_SHAFTS, "constant-velocity joint")                                          \
    LIST(link, HOL_COORDINATES_LINK, "revolute-spherical joint")                                             \
    LIST(length, HOL_COORDINATES_LENGTH, "distance and revolute-revolute joint")

typedef struct hol_joint_coordinate {
    const char *name, *unit, *doc;
    hol_quantity_kind what[2]; // in the plane, in space
    bool second;               // along the axes of the second frame, and as seen from it
    int rate;                  // of kinds whose name is not one of a level: how often it is differentiated
} hol_joint_coordinate;

// The lists that types of joints have (hol_element_type.named); name NULL at the end.
#define HOL_DECLARE(list, rows, joints) extern const hol_joint_coordinate hol_coordinates_##list[];
HOL_COORDINATE_LISTS(HOL_DECLARE)

// Those of an element in a model of this dimension; one by its name, NULL: it has none of this name.
const hol_joint_coordinate *hol_joint_coordinates(const hol_element *e, int dimension);
const hol_joint_coordinate *hol_joint_coordinate_find(const hol_element *e, int dimension, const char *name);
// Is one of its ends a point mass, which does not turn?
bool hol_joint_holds_point(const hol_element *e);
// Does this joint leave it free? The angle of a joint that holds chosen directions is there where only z turns, none where it holds a
// point mass. What may not be free stands last in its list.
bool hol_joint_coordinate_is_free(const hol_element *e, int dimension, const hol_joint_coordinate *c);
// Of any type of joint: the same name means the same kind of thing everywhere, but for `accel`, which is of a stroke or of an angle.
const hol_joint_coordinate *hol_joint_coordinate_any(const char *name);
// Of a type of joint; NULL: it has none of this name.
const hol_joint_coordinate *hol_joint_coordinate_of(const hol_element_type *type, int dimension,
                                                    const char *name);
// Does a name mean another kind of thing at this type than hol_joint_coordinate_any says?
bool hol_joint_coordinates_differ(const hol_element_type *type, int dimension);
// What it measures between the frames of the joint.
hol_quantity hol_joint_quantity(const hol_element *e, int dimension, const hol_joint_coordinate *c);
// The same of frame `second` against frame `first`, not flipped.
hol_quantity hol_coordinate_between(const hol_marker *first, const hol_marker *second, hol_mirror mirror,
                                    int dimension, const hol_joint_coordinate *c);
// May a force drive it (force_joint.c)? It is a position that its joint leaves free, and no component of a rotation vector.
bool hol_joint_coordinate_is_driven(const hol_joint_coordinate *c, int dimension);
// "angle1, angle2": those of a type that a force drives (length), or a torque.
void hol_joint_name_driven(const hol_element_type *joint, int dimension, bool length, char *text,
                           size_t room);
// Of a joint in space at y, the drawn pose: which of the two signs of Euler parameters its rotation vector starts from.
bool hol_joint_is_flipped(const hol_element *e, const hol_real *y);
// 0: of positions, 1: of velocities too, 2: of accelerations too.
int hol_joint_coordinate_level(const hol_joint_coordinate *c);
// Does it count full turns in the memory? In the plane angles do so by themselves.
bool hol_joint_coordinate_turns(const hol_joint_coordinate *c, int dimension);
// Does a driver move what is between the ends of this joint?
bool hol_joint_is_driven(const hol_element *joint, const hol_element *driver);
// The angle of this joint that counts full turns and that a driver of the angle between its ends sets: that about z, with what is not
// about z undone. NULL: it has none.
const hol_joint_coordinate *hol_joint_driven_turn(const hol_element *joint, int dimension);
// The sign in the frames of the coordinate that a driver's file means: -1 in mirrors that turn it around.
int hol_driven_sign(const hol_element *driver);
// What a driver gives to that coordinate by its multiplier lam: of a row C(q, t) that sets c it is -dC/dc at y, times lam.
double hol_driver_effort(const hol_element *driver, const hol_real *y);
// The value that an angle driver asks for at a time, of the frames whatever is mirrored [rad].
extern const hol_element_type hol_driver_angle;
double hol_driven_angle(const hol_element *driver, double t);
// How many coordinates of a joint do so; `until` this one, NULL: all.
int hol_joint_turns(const hol_element *e, int dimension, const hol_joint_coordinate *until);
// The memory slots of one that does, which lie behind those of the element itself: the first of HOL_TURNS_SIZE.
int hol_joint_memory(const hol_element *e, int dimension, const hol_joint_coordinate *c);

#endif
