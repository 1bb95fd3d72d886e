// Spherical joint: common origin.
//     r2 - r1 = 0
#include "element/coordinate.h"
#include "element/element.h"

static const hol_option options[] = {
    {"limits", HOL_MAP, "", 0, 0, 0, HOL_OF_LAW, "limits_ball", "stops at the ends of ranges"},
    HOL_TURNS_ROW("its twist"),
    HOL_END_OPTIONS};

static hol_status setup(const hol_setup *in, void *data, hol_element *e)
{
    hol_prims *joint = data;
    hol_prims_point(joint, in);
    hol_prims_done(joint, e);
    return HOL_OK;
}

const hol_element_type hol_joint_spherical = {
    .name = "spherical",
    .aliases = "ball|ball-and-socket",
    .role = HOL_ROLE_JOINT,
    .dimensions = 3,
    .ends = 2,
    .doc = "common point, all rotations free",
    .named = {NULL, hol_coordinates_ball},
    .options = options,
    .setup = setup,
    HOL_PRIMS_FUNCTIONS,
};
