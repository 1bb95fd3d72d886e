// Perpendicular primitive: the z axes stay at right angles.
//     z1.z2 = 0
#include "element/element.h"

static const hol_option options[] = {HOL_END_OPTIONS};

static hol_status setup(const hol_setup *in, void *data, hol_element *e)
{
    hol_prims *joint = data;
    hol_prims_add(joint, in, HOL_PRIM_DOT, 2, 2, "angle between the z axes");
    hol_prims_done(joint, e);
    return HOL_OK;
}

const hol_element_type hol_joint_perpendicular = {
    .name = "perpendicular",
    .aliases = NULL,
    .role = HOL_ROLE_JOINT,
    .dimensions = 3,
    .ends = 2,
    .two_axes = HOL_TWO_ARMS,
    .axes = {HOL_AXES_BOTH, HOL_AXES_BOTH},
    .doc = "primitive: the z axes of the frames stay perpendicular",
    .options = options,
    .setup = setup,
    HOL_PRIMS_FUNCTIONS,
};
