// Universal joint: common origin; z of each frame is one arm of the cross, and they stay perpendicular.
//     r2 - r1 = 0, z1.z2 = 0
#include "element/coordinate.h"
#include "element/element.h"

#include <math.h>

static const hol_option options[] = {
    {"limits", HOL_MAP, "", 0, 0, 0, HOL_OF_LAW, "limits_cross", "stops at the ends of ranges"},
    {"turns", HOL_MAP, "", 0, 0, 0, HOL_OF_LAW, "turns_cross", "full turns in which its angles begin"},
    HOL_END_OPTIONS};

#define NEAR_PARALLEL 0.5 // |z1.z2| as drawn

// Frames of another convention, with z along the shafts, have them nearly parallel.
static void doubt_axes(const hol_setup *in)
{
    hol_feature z[2];
    hol_real dot = 0;
    for (int i = 0; i < 2; i++) hol_feature_eval(in->end[i].marker, 2, in->y, NULL, 0, &z[i]);
    for (int i = 0; i < 3; i++) dot += z[0].f[i] * z[1].f[i];
    if (hol_re(dot) > -NEAR_PARALLEL && hol_re(dot) < NEAR_PARALLEL) return;
    hol_note_at(
        in->ctx, HOL_WARNING, in->at,
        "%s: z of the two frames are the arms of the cross and stay perpendicular; as drawn they are at %.3g "
        "deg. Frames with z along the shafts (HOOKE in Adams) must be turned: z of each across its own shaft",
        in->path, 180 / HOL_PI * acos(fmax(-1, fmin(1, hol_re(dot)))));
}

static hol_status setup(const hol_setup *in, void *data, hol_element *e)
{
    hol_prims *joint = data;
    hol_prims_point(joint, in);
    hol_prims_add(joint, in, HOL_PRIM_DOT, 2, 2, "angle between the cross arms");
    hol_prims_done(joint, e);
    doubt_axes(in);
    return HOL_OK;
}

const hol_element_type hol_joint_universal = {
    .name = "universal",
    .aliases = "hooke|cardan",
    .role = HOL_ROLE_JOINT,
    .dimensions = 3,
    .ends = 2,
    .two_axes = HOL_TWO_ARMS,
    .axes = {HOL_AXES_BOTH, HOL_AXES_BOTH},
    .doc = "common point; the z axes of the frames (arms of the cross) stay perpendicular",
    .named = {NULL, hol_coordinates_cross},
    .options = options,
    .setup = setup,
    HOL_PRIMS_FUNCTIONS,
};
