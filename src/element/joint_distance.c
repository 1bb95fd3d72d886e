// Distance joint: the origins keep their distance, a massless rod.
//     (|r2 - r1|^2 - L^2) / (2 L) = 0
// The square keeps every derivative polynomial; the factor makes the row a length and its multiplier the rod's force.
#include "element/element.h"

#include <math.h>

enum { LENGTH };
static const hol_option options[] = {
    {"length", HOL_NUMBER, "m", HOL_NONE, 0, HOL_INF, HOL_ABOVE, NULL, "distance; default: as drawn"},
    HOL_END_OPTIONS};

static hol_status setup(const hol_setup *in, void *data, hol_element *e)
{
    hol_prims *joint = data;
    const double *a = in->end[0].origin, *b = in->end[1].origin;
    const double dx = b[0] - a[0], dy = b[1] - a[1], dz = b[2] - a[2];
    hol_prim *p = hol_prims_add(joint, in, HOL_PRIM_DISTANCE, 0, 0, "distance");
    p->offset = in->value[LENGTH].given ? in->value[LENGTH].num : sqrt(dx * dx + dy * dy + dz * dz);
    if (!(p->offset > 0))
        return hol_fail_at(
            in->ctx, HOL_ERR_MODEL, in->at,
            "%s: the drawn points coincide, a distance must be positive: give \"length\", or use a "
            "spherical or revolute joint",
            in->path);
    hol_prims_done(joint, e);
    return HOL_OK;
}

const hol_element_type hol_joint_distance = {
    .name = "distance",
    .aliases = "link|rod",
    .role = HOL_ROLE_JOINT,
    .dimensions = 5,
    .ends = 2,
    .doc = "the distance of the two points is constant (massless rod)",
    .options = options,
    .setup = setup,
    HOL_PRIMS_FUNCTIONS,
};
