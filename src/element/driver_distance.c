// Distance driver: the distance of two points is a function of time.
//     (|r2 - r1|^2 - L(t)^2) / (2 L(0)) = 0
#include "element/element.h"

static const hol_option options[] = {HOL_DRIVER_ROWS("the distance, positive,", "m"), HOL_END_OPTIONS};

// The distance is set to the function, and must be positive at the start.
static hol_status setup(const hol_setup *in, void *data, hol_element *e)
{
    hol_prims *joint = data;
    const hol_value *value = &in->value[HOL_DRIVER_VALUE], *start = &in->value[HOL_DRIVER_START];
    const hol_expr *length;
    hol_real at_start[4];
    hol_prim *p = hol_prims_add(joint, in, HOL_PRIM_DISTANCE, 0, 0, "distance");
    hol_status st = hol_setup_driver(in, hol_drawn_distance(in), &length);
    if (st) return st;
    hol_expr_jet(length, 0, at_start);
    p->set = length;
    p->offset = hol_re(at_start[0]);
    if (!(p->offset > 0))
        return hol_fail_at(in->ctx, HOL_ERR_MODEL,
                           value->given   ? value->at
                           : start->given ? start->at
                                          : in->at,
                           "%s%s: the distance is %.6g m at time 0, it must be positive", in->path,
                           value->given ? ".value" : "", p->offset);
    hol_prims_done(joint, e);
    return HOL_OK;
}

const hol_element_type hol_driver_distance = {
    .name = "distance",
    .aliases = "length",
    .role = HOL_ROLE_DRIVER,
    .dimensions = 5,
    .ends = 2,
    .drives = {"distance", "distance"},
    .doc = "distance of two points as a function of time",
    .options = options,
    .setup = setup,
    HOL_PRIMS_FUNCTIONS,
};
