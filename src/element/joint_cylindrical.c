// Cylindrical joint: common z axis, free to slide and turn.
//     x1.(r2 - r1) = y1.(r2 - r1) = 0, x and y components of vec(conj(Q1) Q2) = 0
#include "element/coordinate.h"
#include "element/element.h"

static const hol_option options[] = {
    HOL_ANGLE_LAWS,
    {"stroke_limits", HOL_MAP, "", 0, 0, 0, HOL_OF_LAW, "limits_stroke", "smooth stops of its stroke"},
    HOL_END_OPTIONS};

static hol_status setup(const hol_setup *in, void *data, hol_element *e)
{
    hol_prims *joint = data;
    hol_prims_add(joint, in, HOL_PRIM_ALONG, 0, 0, "x");
    hol_prims_add(joint, in, HOL_PRIM_ALONG, 1, 0, "y");
    hol_prims_parallel(joint, in);
    hol_prims_done(joint, e);
    return HOL_OK;
}

const hol_element_type hol_joint_cylindrical = {
    .name = "cylindrical",
    .aliases = NULL,
    .role = HOL_ROLE_JOINT,
    .dimensions = 3,
    .ends = 2,
    .coordinate = HOL_COORDINATE_ANGLE,
    .axes = {HOL_AXES_BOTH, HOL_AXES_BOTH},
    .doc = "sliding along and rotation about the common z axis",
    .named = {NULL, hol_coordinates_cylinder},
    .options = options,
    .setup = setup,
    HOL_PRIMS_FUNCTIONS,
};
