// Coupler: a weighted sum of the coordinates of two or three joints keeps its drawn value.
//     r1 s1 + r2 s2 (+ r3 s3) = const
// A coordinate is the angle of a revolute, cylindrical or screw joint about z, full turns counted, or the stroke of a
// translational one, of the second end against the first.
#include "element/element.h"

enum { RATIOS };
static const hol_option options[] = {
    {"ratios", HOL_NUMBERS, HOL_ANY_UNIT, HOL_NONE, -HOL_INF, HOL_INF, HOL_REQUIRED, NULL,
     "one factor per joint: r1*s1 + r2*s2 (+ r3*s3) stays as drawn; angles s in rad, strokes in m, whatever "
     "`units:` says (`50 mm` for 50 mm of stroke per rad)"},
    HOL_END_OPTIONS};

// Do angles and strokes go together?
static bool is_mixed(const hol_setup *in)
{
    bool mixed = false;
    for (int k = 1; k < in->n_joints; k++)
        mixed = mixed || in->joint_type[k]->coordinate != in->joint_type[0]->coordinate;
    return mixed;
}

// One ratio for each joint, none of them 0.
static hol_status setup(const hol_setup *in, void *data, hol_element *e)
{
    const hol_value *ratios = &in->value[RATIOS];
    if (ratios->n != in->n_joints)
        return hol_fail_at(in->ctx, HOL_ERR_MODEL, ratios->at,
                           "%s.ratios: as many numbers as joints are wanted, %d, here is %d%s", in->path,
                           in->n_joints, ratios->n, ratios->comma);
    for (int k = 0; k < in->n_joints; k++) {
        if (ratios->list[k] == 0)
            return hol_fail_at(in->ctx, HOL_ERR_MODEL, ratios->at,
                               "%s.ratios: a ratio of 0 couples nothing; leave that joint out", in->path);
        hol_status st = hol_sum_add_joint(data, in, k, ratios->list[k]);
        if (st) return st;
    }
    if (ratios->plain && is_mixed(in))
        hol_note_at(in->ctx, HOL_WARNING, ratios->at,
                    "%s.ratios: plain ratios between angles and strokes are for angles in rad and strokes in "
                    "m, whatever "
                    "`units:` says; give those of angles a unit of length, such as 50 mm for a stroke of 50 "
                    "mm per rad",
                    in->path);
    hol_sum_done(data, e, "coupling");
    return HOL_OK;
}

const hol_element_type hol_joint_coupler = {
    .name = "coupler",
    .aliases = NULL,
    .role = HOL_ROLE_JOINT,
    .dimensions = 5,
    .joints = -1,
    .doc = "a weighted sum of the angles and strokes of two or three joints is constant",
    .options = options,
    .setup = setup,
    HOL_SUM_FUNCTIONS,
};
