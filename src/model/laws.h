// Laws that a joint has on the coordinate that couplers take of it: spring, damping, preload, limits, motor, friction. Each becomes a
// force in the joint of its own, "hinge.motor", whose input is an expression (docs/theory.md, 8.14). A law more is a row of
// hol_laws, an object of read_laws.c and a function of compile_laws.c.
#ifndef HOL_LAWS_H
#define HOL_LAWS_H

#include "model/compile.h"

typedef enum hol_law_kind {
    HOL_LAW_TURNS, // no force: where the coordinate begins
    HOL_LAW_SPRING,
    HOL_LAW_ARMATURE,
    HOL_LAW_LIMITS,
    HOL_LAW_MOTOR,
    HOL_LAW_FRICTION,
    HOL_LAWS
} hol_law_kind;

// One that the file gives. value: by row of its object; of turns their number; of the spring by row of the joint's type; of limits as HOL_LIMITS_RANGE and those
// behind it, where a range without a lower end has -inf there.
typedef struct hol_spec_law {
    hol_law_kind kind;
    hol_src at;
    const hol_value *value;
    const char *coordinate; // of the joint, by its name; NULL: the one that couplers take
    const char *name;       // behind the joint's name and a dot: "limits.angle1"; NULL: that of its kind
} hol_spec_law;

extern const char *const hol_law_names[HOL_LAWS]; // "spring", "limits", ..: behind the joint's name and a dot

enum {
    HOL_LIMITS_RANGE,
    HOL_LIMITS_STIFFNESS,
    HOL_LIMITS_EXPONENT,
    HOL_LIMITS_RESTITUTION,
    HOL_LIMITS_DAMPING,
    HOL_LIMITS_SLOWEST,
    HOL_LIMITS_HARD
};
enum {
    HOL_MOTOR_EFFORT,
    HOL_MOTOR_PLACE,
    HOL_MOTOR_RATE,
    HOL_MOTOR_KP,
    HOL_MOTOR_KI,
    HOL_MOTOR_KD,
    HOL_MOTOR_MAX,
    HOL_MOTOR_GEAR,
    HOL_MOTOR_WINDUP,
    HOL_MOTOR_FEED_FORWARD // 1: of the rate
};
enum {
    HOL_FRICTION_EFFORT,
    HOL_FRICTION_COEFFICIENT,
    HOL_FRICTION_ENGAGED,
    HOL_FRICTION_STATIC,
    HOL_FRICTION_STRIBECK,
    HOL_FRICTION_RADIUS,
    HOL_FRICTION_PRELOAD,
    HOL_FRICTION_STIFFNESS,
    HOL_FRICTION_DAMPING,
    HOL_FRICTION_TRANSITION
};

// Reads those of a joint, whose values of its type are v.
hol_status hol_read_laws(hol_spec *spec, const hol_reader *r, const hol_node *item, const hol_path *path,
                         hol_spec_element *e);
// Makes forces of those of a joint, which is the last element of the model.
hol_status hol_compile_laws(hol_compiler *c, const hol_spec_element *joint);

#endif
