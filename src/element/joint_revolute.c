// Revolute joint: common origin; in space also a common z axis.
//     3D: r2 - r1 = 0, x and y components of vec(conj(Q1) Q2) = 0
//     2D: r2 - r1 = 0
#include "element/coordinate.h"
#include "element/element.h"

static const hol_option options[] = {HOL_ANGLE_LAWS, HOL_END_OPTIONS};

static hol_status setup(const hol_setup *in, void *data, hol_element *e)
{
    hol_prims *joint = data;
    hol_prims_point(joint, in);
    if (in->dimension == 3) hol_prims_parallel(joint, in);
    hol_prims_done(joint, e);
    return HOL_OK;
}

const hol_element_type hol_joint_revolute = {
    .name = "revolute",
    .aliases = "hinge|pin",
    .role = HOL_ROLE_JOINT,
    .dimensions = 5,
    .ends = 2,
    .coordinate = HOL_COORDINATE_ANGLE,
    .axes = {0, HOL_AXES_BOTH},
    .doc = "rotation about the common z axis (2D: about the common point)",
    .named = {hol_coordinates_turn, hol_coordinates_turn},
    .options = options,
    .setup = setup,
    HOL_PRIMS_FUNCTIONS,
};
