// Rack and pinion: the stroke of the second joint follows the angle of the first, from the drawn pose on.
//     radius a1 - s2 = const
// The carrier is the body both joints have in common.
#include "element/element.h"

enum { RADIUS };
static const hol_option options[] = {
    {"radius", HOL_NUMBER, "m", HOL_NONE, -HOL_INF, HOL_INF, HOL_REQUIRED, NULL,
     "stroke per radian, the pitch radius; negative if a positive angle means a negative stroke"},
    HOL_END_OPTIONS};

// An angle and a stroke, on one carrier: radius times the angle less the stroke is kept.
static hol_status setup(const hol_setup *in, void *data, hol_element *e)
{
    static const hol_coordinate wanted[2] = {HOL_COORDINATE_ANGLE, HOL_COORDINATE_STROKE};
    const hol_value *radius = &in->value[RADIUS];
    if (radius->num == 0)
        return hol_fail_at(in->ctx, HOL_ERR_MODEL, radius->at, "%s.radius: 0, must not be", in->path);
    for (int k = 0; k < 2; k++)
        if (in->joint_type[k]->coordinate != wanted[k])
            return hol_fail_at(
                in->ctx, HOL_ERR_MODEL, in->at,
                "%s.joints: the %s joint is of type %s; first the pinion's joint is wanted (revolute), then "
                "the rack's (translational)",
                in->path, k ? "second" : "first", in->joint_type[k]->name);
    hol_status st = hol_sum_add_joint(data, in, 0, radius->num);
    if (!st) st = hol_sum_add_joint(data, in, 1, -1);
    if (!st) st = hol_sum_check_carrier(in);
    if (!st) hol_sum_done(data, e, "rack");
    return st;
}

const hol_element_type hol_joint_rack_pinion = {
    .name = "rack-pinion",
    .aliases = "rack-and-pinion|rack",
    .role = HOL_ROLE_JOINT,
    .dimensions = 5,
    .joints = 2,
    .doc = "the stroke of the second joint is the radius times the angle of the first; both have the carrier "
           "in common",
    .options = options,
    .setup = setup,
    HOL_SUM_FUNCTIONS,
};
