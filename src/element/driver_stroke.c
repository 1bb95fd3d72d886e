// Stroke driver: the displacement of point 2 along the joint axis of frame 1 is a function of time.
//     3D: z1.(r2 - r1) - f(t) = 0,   2D: x1.(r2 - r1) - f(t) = 0
#include "element/element.h"

enum { VALUE };
static const hol_option options[] = {{"value", HOL_FUNCTION, "m", HOL_NONE, -HOL_INF, HOL_INF, HOL_REQUIRED,
                                      NULL, "the stroke as a function of time"},
                                     HOL_END_OPTIONS};

static hol_status setup(const hol_setup *in, void *data, hol_element *e)
{
    hol_prims *joint = data;
    const int axis = in->dimension == 3 ? 2 : 0;
    hol_prim *p = hol_prims_add(joint, in, HOL_PRIM_ALONG, axis, 0, "stroke");
    p->set = in->value[VALUE].fn[0];
    hol_prims_done(joint, e);
    return hol_setup_function(in, hol_mirror_polar(in->mirror, axis), &p->set);
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
