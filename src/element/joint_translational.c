// Translational joint: sliding along the joint axis without rotation.
//     3D: origin of 2 on the z axis of 1 (x1.(r2 - r1) = y1.(r2 - r1) = 0), frames parallel (three rows)
//     2D: origin of 2 on the x axis of 1 (y1.(r2 - r1) = 0), theta2 - theta1 = const
#include "element/coordinate.h"
#include "element/element.h"

static const hol_option options[] = {HOL_STROKE_LAWS, HOL_END_OPTIONS};

// One direction free: two displacements across it in space and parallel axes, one in the plane, and no
// turning.
static hol_status setup(const hol_setup *in, void *data, hol_element *e)
{
    hol_prims *joint = data;
    if (in->dimension == 3) {
        hol_prims_add(joint, in, HOL_PRIM_ALONG, 0, 0, "x");
        hol_prims_add(joint, in, HOL_PRIM_ALONG, 1, 0, "y");
        hol_prims_parallel(joint, in);
    } else
        hol_prims_add(joint, in, HOL_PRIM_ALONG, 1, 0, "y");
    hol_prims_angle(joint, in);
    hol_prims_done(joint, e);
    return HOL_OK;
}

const hol_element_type hol_joint_translational = {
    .name = "translational",
    .aliases = "prismatic|slider|slide",
    .role = HOL_ROLE_JOINT,
    .dimensions = 5,
    .ends = 2,
    .coordinate = HOL_COORDINATE_STROKE,
    .axes = {HOL_AXES_BOTH, HOL_AXES_BOTH},
    .doc = "sliding along the joint axis: z of the first frame (2D: its x axis), no rotation",
    .named = {hol_coordinates_slide, hol_coordinates_slide},
    .options = options,
    .setup = setup,
    HOL_PRIMS_FUNCTIONS,
};
