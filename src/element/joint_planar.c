// Planar joint: the xy planes of the two frames coincide.
//     z1.(r2 - r1) = 0, x and y components of vec(conj(Q1) Q2) = 0
#include "element/coordinate.h"
#include "element/element.h"

static const hol_option options[] = {HOL_TURNS_ROW("its angle"), HOL_END_OPTIONS};

static hol_status setup(const hol_setup *in, void *data, hol_element *e)
{
    hol_prims *joint = data;
    hol_prims_add(joint, in, HOL_PRIM_ALONG, 2, 0, "z");
    hol_prims_parallel(joint, in);
    hol_prims_done(joint, e);
    return HOL_OK;
}

const hol_element_type hol_joint_planar = {
    .name = "planar",
    .aliases = NULL,
    .role = HOL_ROLE_JOINT,
    .dimensions = 3,
    .ends = 2,
    .axes = {HOL_AXES_BOTH, HOL_AXES_BOTH},
    .doc = "the xy planes of the two frames coincide",
    .named = {NULL, hol_coordinates_plane},
    .options = options,
    .setup = setup,
    HOL_PRIMS_FUNCTIONS,
};
