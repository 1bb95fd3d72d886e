// Angle driver: the rotation of frame 2 against frame 1 about z is a function of time.
//     3D: 2 (z cos(f/2) - w sin(f/2)) = 0 with conj(Q1) Q2 = (w, ., ., z): zero only at f, whole turns included
//     2D: theta2 - theta1 - const - f(t) = 0
#include "element/element.h"

static const hol_option options[] = {HOL_DRIVER_ROWS("the angle", "rad"), HOL_END_OPTIONS};

// In 3D a rotation about z that is set to the function, in 2D the angle less those of the markers.
static hol_status setup(const hol_setup *in, void *data, hol_element *e)
{
    hol_prims *joint = data;
    const int sign = hol_mirror_axial(in->mirror, 2);
    const bool space = in->dimension == 3;
    const hol_expr *angle;
    if (space)
        hol_prims_add(joint, in, HOL_PRIM_TWIST_SET, 0, 0, "rotation about z");
    else
        hol_prims_angle(joint, in);
    // the frames' fixed angles only: the turns are the function's business
    if (!space) joint->p[0].offset = -hol_marker_angle(in);
    const hol_prim twist = hol_coordinate_prim(in, HOL_COORDINATE_ANGLE, in->end, 0);
    hol_status st = hol_setup_driver(in, sign * hol_prim_drawn(in, space ? &twist : joint->p), &angle);
    if (!st) st = hol_setup_function(in, sign, &angle);
    joint->p[0].set = angle;
    hol_prims_done(joint, e);
    return st;
}

const hol_element_type hol_driver_angle = {
    .name = "angle",
    .aliases = "rotation",
    .role = HOL_ROLE_DRIVER,
    .dimensions = 5,
    .ends = 2,
    .drives = {"rotation", "rotation about z"},
    .axes = {HOL_AXES_BOTH, HOL_AXES_BOTH},
    .doc = "rotation about the joint axis as a function of time",
    .options = options,
    .setup = setup,
    HOL_PRIMS_FUNCTIONS,
};
