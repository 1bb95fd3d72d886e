// In-plane primitive: the origin of 2 stays in the xy plane of frame 1.
//     z1.(r2 - r1) = 0
#include "element/coordinate.h"
#include "element/element.h"

static const hol_option options[] = {HOL_END_OPTIONS};

static hol_status setup(const hol_setup *in, void *data, hol_element *e)
{
    hol_prims *joint = data;
    hol_prims_add(joint, in, HOL_PRIM_ALONG, 2, 0, "z");
    hol_prims_done(joint, e);
    return HOL_OK;
}

const hol_element_type hol_joint_in_plane = {
    .name = "in-plane",
    .aliases = "inplane|point-on-plane",
    .role = HOL_ROLE_JOINT,
    .dimensions = 3,
    .ends = 2,
    .axes = {HOL_AXES_FIRST, HOL_AXES_FIRST},
    .doc = "primitive: the second origin stays in the xy plane of the first frame",
    .named = {NULL, hol_coordinates_shifts},
    .options = options,
    .setup = setup,
    HOL_PRIMS_FUNCTIONS,
};
