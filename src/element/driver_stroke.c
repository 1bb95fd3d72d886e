// Stroke driver: the displacement of point 2 along the joint axis of frame 1 is a function of time.
//     3D: z1.(r2 - r1) - f(t) = 0,   2D: x1.(r2 - r1) - f(t) = 0
#include "element/element.h"

static const hol_option options[] = {HOL_DRIVER_ROWS("the stroke", "m"), HOL_END_OPTIONS};

// The displacement along the axis is set to the function.
static hol_status setup(const hol_setup *in, void *data, hol_element *e)
{
    hol_prims *joint = data;
    const int axis = in->dimension == 3 ? 2 : 0, sign = hol_mirror_polar(in->mirror, axis);
    const hol_expr *stroke;
    hol_prim *p = hol_prims_add(joint, in, HOL_PRIM_ALONG, axis, 0, "stroke");
    hol_status st = hol_setup_driver(in, sign * hol_prim_drawn(in, p), &stroke);
    if (!st) st = hol_setup_function(in, sign, &stroke);
    p->set = stroke;
    hol_prims_done(joint, e);
    return st;
}

const hol_element_type hol_driver_stroke = {
    .name = "stroke",
    .aliases = "translation|displacement",
    .role = HOL_ROLE_DRIVER,
    .dimensions = 5,
    .ends = 2,
    .drives = {"x", "z"},
    .axes = {HOL_AXES_FIRST, HOL_AXES_FIRST},
    .doc = "displacement along the joint axis as a function of time",
    .options = options,
    .setup = setup,
    HOL_PRIMS_FUNCTIONS,
};
