// In-line primitive: the origin of 2 stays on a line of frame 1.
//     3D, the z axis: x1.(r2 - r1) = y1.(r2 - r1) = 0
//     2D, the x axis: y1.(r2 - r1) = 0
#include "element/coordinate.h"
#include "element/element.h"

static const hol_option options[] = {HOL_END_OPTIONS};

static hol_status setup(const hol_setup *in, void *data, hol_element *e)
{
    hol_prims *joint = data;
    if (in->dimension == 3) hol_prims_add(joint, in, HOL_PRIM_ALONG, 0, 0, "x");
    hol_prims_add(joint, in, HOL_PRIM_ALONG, 1, 0, "y");
    hol_prims_done(joint, e);
    return HOL_OK;
}

const hol_element_type hol_joint_in_line = {
    .name = "in-line",
    .aliases = "inline|point-on-line",
    .role = HOL_ROLE_JOINT,
    .dimensions = 5,
    .ends = 2,
    .axes = {HOL_AXES_FIRST, HOL_AXES_FIRST},
    .doc = "primitive: the second origin stays on the z axis of the first frame (2D: on its x axis)",
    .named = {hol_coordinates_cylinder, hol_coordinates_slide},
    .options = options,
    .setup = setup,
    HOL_PRIMS_FUNCTIONS,
};
