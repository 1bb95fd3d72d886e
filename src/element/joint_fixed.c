// Fixed joint: the two frames coincide.
//     3D: r2 - r1 = 0, vec(conj(Q1) Q2) = 0 (three rows that vanish for equal frames only)
//     2D: r2 - r1 = 0, theta2 - theta1 = const
#include "element/element.h"

static const hol_option options[] = {HOL_END_OPTIONS};

static hol_status setup(const hol_setup *in, void *data, hol_element *e)
{
    hol_prims *joint = data;
    hol_prims_point(joint, in);
    if (in->dimension == 3) hol_prims_parallel(joint, in);
    hol_prims_angle(joint, in);
    hol_prims_done(joint, e);
    return HOL_OK;
}

const hol_element_type hol_joint_fixed = {
    .name = "fixed",
    .aliases = "weld|rigid",
    .role = HOL_ROLE_JOINT,
    .dimensions = 5,
    .ends = 2,
    .any_frame = true,
    .axes = {HOL_AXES_BOTH, HOL_AXES_BOTH},
    .doc = "the two frames coincide",
    .options = options,
    .setup = setup,
    HOL_PRIMS_FUNCTIONS,
};
