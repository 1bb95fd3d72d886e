// Gear: the angles of two joints on one carrier are proportional, from the drawn pose on.
//     ratio a1 - a2 = const
// For wheels with z1 and z2 teeth whose joint axes point the same way: ratio = -z1/z2 if they mesh outside, z1/z2 if one
// of them is a ring. Radii instead of numbers of teeth do as well.
#include "element/element.h"

enum { RATIO };
static const hol_option options[] = {{"ratio", HOL_NUMBER, "", HOL_NONE, -HOL_INF, HOL_INF, HOL_REQUIRED,
                                      NULL,
                                      "turns of the second joint per turn of the first: -z1/z2 by teeth, "
                                      "z1/z2 in a ring, for axes in the same sense"},
                                     HOL_END_OPTIONS};

// Two joints that turn, on one carrier: ratio times the first angle less the second is kept.
static hol_status setup(const hol_setup *in, void *data, hol_element *e)
{
    const hol_value *ratio = &in->value[RATIO];
    if (ratio->num == 0)
        return hol_fail_at(in->ctx, HOL_ERR_MODEL, ratio->at, "%s.ratio: 0, must not be", in->path);
    for (int k = 0; k < 2; k++)
        if (in->joint_type[k]->coordinate == HOL_COORDINATE_STROKE)
            return hol_fail_at(
                in->ctx, HOL_ERR_MODEL, in->at,
                "%s.joints: the %s joint is of type %s and does not turn; use a rack-pinion or a coupler",
                in->path, k ? "second" : "first", in->joint_type[k]->name);
    hol_status st = hol_sum_add_joint(data, in, 0, ratio->num);
    if (!st) st = hol_sum_add_joint(data, in, 1, -1);
    if (!st) st = hol_sum_check_carrier(in);
    if (!st) hol_sum_done(data, e, "gear");
    return st;
}

const hol_element_type hol_joint_gear = {
    .name = "gear",
    .aliases = "gears|gear-pair",
    .role = HOL_ROLE_JOINT,
    .dimensions = 5,
    .joints = 2,
    .doc = "the angles of two joints that have a body in common, the carrier, turn in proportion",
    .options = options,
    .setup = setup,
    HOL_SUM_FUNCTIONS,
};
