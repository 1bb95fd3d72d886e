// Distance joint: the origins keep their distance, a massless rod.
//     (|r2 - r1|^2 - L^2) / (2 L) = 0
// The square keeps every derivative polynomial; the factor makes the row a length and its multiplier the rod's force.
#include "element/coordinate.h"
#include "element/element.h"

enum { LENGTH };
static const hol_option options[] = {
    {"length", HOL_NUMBER, "m", HOL_NONE, 0, HOL_INF, HOL_ABOVE, NULL, "distance; default: as drawn"},
    HOL_END_OPTIONS};

static hol_status setup(const hol_setup *in, void *data, hol_element *e)
{
    hol_prims *joint = data;
    hol_status st = hol_prims_distance(joint, in, &in->value[LENGTH], "use a spherical or revolute joint");
    hol_prims_done(joint, e);
    return st;
}

const hol_element_type hol_joint_distance = {
    .name = "distance",
    .aliases = "link|rod",
    .role = HOL_ROLE_JOINT,
    .dimensions = 5,
    .ends = 2,
    .doc = "the distance of the two points is constant (massless rod)",
    .named = {hol_coordinates_length, hol_coordinates_length},
    .options = options,
    .setup = setup,
    HOL_PRIMS_FUNCTIONS,
};
