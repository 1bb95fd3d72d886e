// Smooth Coulomb friction in a joint: against the rate s' of its coordinate, proportional to the force F_n that the joint
// transmits.
//
//     f = -mu F_n tanh(s'/v),       torque: f r,   r the radius of the pin
//
// F_n and so f depend on the multipliers of the joint: f is an unknown of its own (section 8). The element only applies
// it: Q = s_q^T f.
#include "element/element.h"

enum { COEFFICIENT, RADIUS, TRANSITION };
static const hol_option options[] = {
    {"coefficient", HOL_NUMBER, "", HOL_NONE, 0, HOL_INF, HOL_REQUIRED, NULL, "coefficient of friction mu"},
    {"radius", HOL_NUMBER, "m", HOL_NONE, 0, HOL_INF, HOL_ABOVE, NULL,
     "rotation: radius of the pin at which the friction acts"},
    {"transition", HOL_NUMBER, "m/s", HOL_NONE, 0, HOL_INF, HOL_ABOVE | HOL_REQUIRED, NULL,
     "speed of sliding v at which 3/4 of the friction is reached; below it the joint creeps instead of "
     "sticking"},
    HOL_END_OPTIONS};

// The joint's own coordinate, whose rate is braked: angle on a pin of given radius, or stroke.
static hol_status setup(const hol_setup *in, void *data, hol_element *e)
{
    hol_effort *f = data;
    const bool turns = in->joint_type[0]->coordinate == HOL_COORDINATE_ANGLE;
    if (turns && !in->value[RADIUS].given)
        return hol_fail_at(in->ctx, HOL_ERR_MODEL, in->at,
                           "%s: \"radius\" is missing: that of the pin of the %s joint", in->path,
                           in->joint_type[0]->name);
    if (!turns && in->value[RADIUS].given)
        return hol_fail_at(in->ctx, HOL_ERR_MODEL, in->value[RADIUS].at,
                           "%s.radius: a %s joint slides, it has no pin", in->path, in->joint_type[0]->name);
    e->n_rows = 0;
    return hol_joint_take(in, in->joint_type[0]->coordinate, "", &f->s);
}

// The law as text: F is the size of the joint's force, v the rate of its coordinate.
static const char *law(const hol_value *value, hol_arena *arena)
{
    const double r = value[RADIUS].given ? value[RADIUS].num : 1;
    return hol_arena_print(arena, "-%.17g*F*tanh(v*%.17g)", value[COEFFICIENT].num * r,
                           r / value[TRANSITION].num);
}

const hol_element_type hol_force_friction = {
    .name = "friction",
    .aliases = "joint-friction",
    .role = HOL_ROLE_FORCE,
    .dimensions = 5,
    .joints = 1,
    .law = law,
    .doc = "Coulomb friction in a joint, smooth, proportional to the force the joint transmits",
    .options = options,
    .setup = setup,
    HOL_EFFORT_FUNCTIONS,
};
