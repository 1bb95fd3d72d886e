// Rotational spring-damper about z (RSDA):
//     torque T = k (theta - theta0) + c theta' + T,  -T on body 2 and T on body 1
//     2D: theta = theta2 - theta1 (frames included), 3D: theta = 2 atan2(z, w) of conj(Q1) Q2, full turns counted
#include "element/element.h"

enum { STIFFNESS, DAMPING, ANGLE, TORQUE };
static const hol_option options[] = {
    {"stiffness", HOL_NUMBER, "N m/rad", 0, -HOL_INF, HOL_INF, 0, NULL, "stiffness k"},
    {"damping", HOL_NUMBER, "N m s/rad", 0, -HOL_INF, HOL_INF, 0, NULL, "damping c"},
    {"angle", HOL_NUMBER, "rad", 0, -HOL_INF, HOL_INF, 0, NULL,
     "free angle theta0 of frame 2 against frame 1"},
    {"torque", HOL_FUNCTION, "N m", 0, -HOL_INF, HOL_INF, HOL_LEAVES, NULL,
     "additional torque, positive in the sense of the spring's"},
    HOL_END_OPTIONS};

// Angle since the drawn pose, with its turns counted in 3D; stiffness, damping and torque.
static hol_status setup(const hol_setup *in, void *data, hol_element *e)
{
    hol_law *law = data;
    if (!in->value[STIFFNESS].given && !in->value[DAMPING].given && !in->value[TORQUE].given)
        return hol_fail_at(in->ctx, HOL_ERR_MODEL, in->at,
                           "%s: it exerts nothing: give stiffness, damping or torque", in->path);
    law->n = 1;
    law->K[0] = in->value[STIFFNESS].num;
    law->C[0] = in->value[DAMPING].num;
    law->s0[0] = in->value[ANGLE].num;
    law->adds = in->value[TORQUE].given;
    if (in->dimension == 3) {
        law->s[0] = hol_prim_between(in, HOL_PRIM_TWIST, 0, 0, "rotation about z");
        law->counts_turns = true;
        e->n_mem = HOL_TURNS_SIZE;
    } else
        law->s[0] = hol_prim_between(in, HOL_PRIM_ANGLE, 0, 0, "rotation");
    e->n_rows = 0;
    return HOL_OK;
}

const hol_element_type hol_force_rotational_spring_damper = {
    .name = "rotational-spring-damper",
    .aliases = "rsda|torsion-spring|rotational-spring",
    .role = HOL_ROLE_FORCE,
    .turns = true,
    .dimensions = 5,
    .ends = 2,
    .axes = {HOL_AXES_BOTH, HOL_AXES_BOTH},
    .doc = "spring and damper on the rotation about z; counts full turns (RSDA)",
    .options = options,
    .setup = setup,
    HOL_LAW_FUNCTIONS,
};
