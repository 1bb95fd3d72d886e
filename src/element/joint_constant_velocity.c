// Constant-velocity joint (Rzeppa, homokinetic): common point, and the two shafts, the z axes, turn at equal rates.
//     r2 - r1 = 0, 2 (z cos(f/2) - w sin(f/2)) = 0 with conj(Q1) Q2 = (w, ., ., z) and f as drawn
// Shafts at the angle b that turned by a1 and a2 have z = cos(b/2) sin((a2 - a1 + f)/2), w = cos(b/2) cos((a2 - a1 + f)/2):
// the row is 2 cos(b/2) sin((a2 - a1)/2), zero for equal angles only. The usual x1.y2 - y1.x2 = 0 is 4 w z = 0, which
// shafts folded back on themselves satisfy too.
#include "element/coordinate.h"
#include "element/element.h"

static const hol_option options[] = {HOL_TURNS_ROW("its angle"), HOL_END_OPTIONS};

// Common point, and a rotation about z that keeps its drawn value; as drawn the shafts are less than a right
// angle apart.
static hol_status setup(const hol_setup *in, void *data, hol_element *e)
{
    hol_prims *joint = data;
    hol_prim twist = hol_prim_between(in, HOL_PRIM_TWIST, 0, 0, "");
    twist.m1 = in->end[0].marker, twist.m2 = in->end[1].marker; // as the row below has it, mirrored or not
    const hol_prim bend = hol_prim_between(in, HOL_PRIM_DOT, 2, 2, "");
    if (!(hol_prim_drawn(in, &bend) > 0))
        return hol_fail_at(
            in->ctx, HOL_ERR_MODEL, in->at,
            "%s: the z axes of the two frames are more than a right angle apart as drawn; both must point "
            "the same way along the shafts",
            in->path);
    hol_prims_point(joint, in);
    hol_prims_add(joint, in, HOL_PRIM_TWIST_SET, 0, 0, "rotation about z")->offset =
        hol_prim_drawn(in, &twist);
    hol_prims_done(joint, e);
    return HOL_OK;
}

const hol_element_type hol_joint_constant_velocity = {
    .name = "constant-velocity",
    .aliases = "cv|homokinetic|rzeppa",
    .role = HOL_ROLE_JOINT,
    .dimensions = 3,
    .ends = 2,
    .two_axes = HOL_TWO_SHAFTS,
    .axes = {HOL_AXES_BOTH, HOL_AXES_BOTH},
    .doc = "common point; the shafts, the z axes of the frames in the same sense, turn at equal rates",
    .named = {NULL, hol_coordinates_shafts},
    .options = options,
    .setup = setup,
    HOL_PRIMS_FUNCTIONS,
};
