// Universal joint: common origin; z of each frame is one arm of the cross, and they stay perpendicular.
//     r2 - r1 = 0, z1.z2 = 0
#include "element/element.h"

static const hol_option options[] = {HOL_END_OPTIONS};

static hol_status setup(const hol_setup *in, void *data, hol_element *e)
{
    hol_prims *joint = data;
    hol_prims_point(joint, in);
    hol_prims_add(joint, in, HOL_PRIM_DOT, 2, 2, "angle between the cross arms");
    hol_prims_done(joint, e);
    return HOL_OK;
}

const hol_element_type hol_joint_universal = {
    .name = "universal",
    .aliases = "hooke|cardan",
    .role = HOL_ROLE_JOINT,
    .dimensions = 3,
    .ends = 2,
    .two_axes = true,
    .axes = {HOL_AXES_BOTH, HOL_AXES_BOTH},
    .doc = "common point; the z axes of the frames (arms of the cross) stay perpendicular",
    .options = options,
    .setup = setup,
    HOL_PRIMS_FUNCTIONS,
};
