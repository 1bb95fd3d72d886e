// Parallel-axes primitive: the z axes stay parallel, in the same sense; in the plane: no relative rotation.
//     3D: x and y components of vec(conj(Q1) Q2) = 0
//     2D: theta2 - theta1 = const
#include "element/coordinate.h"
#include "element/element.h"

static const hol_option options[] = {HOL_TURNS_ROW("its angle"), HOL_END_OPTIONS};

static hol_status setup(const hol_setup *in, void *data, hol_element *e)
{
    hol_prims *joint = data;
    if (in->dimension == 3)
        hol_prims_parallel(joint, in);
    else
        hol_prims_angle(joint, in);
    hol_prims_done(joint, e);
    return HOL_OK;
}

const hol_element_type hol_joint_parallel_axes = {
    .name = "parallel-axes",
    .aliases = "parallel",
    .role = HOL_ROLE_JOINT,
    .dimensions = 5,
    .ends = 2,
    .axes = {HOL_AXES_BOTH, HOL_AXES_BOTH},
    .doc = "primitive: the z axes stay parallel (2D: no relative rotation)",
    .named = {hol_coordinates_shifts, hol_coordinates_axis},
    .options = options,
    .setup = setup,
    HOL_PRIMS_FUNCTIONS,
};
