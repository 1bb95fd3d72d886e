// Revolute-spherical joint: a massless link with a hinge at end 1, about its z axis, and a ball at end 2.
//     z1.d = 0, (|d|^2 - L^2) / (2 L) = 0,  d = r2 - r1
// E. J. Haug: Computer Aided Kinematics and Dynamics of Mechanical Systems, Allyn and Bacon 1989, chapter 9.
#include "element/coordinate.h"
#include "element/element.h"

enum { LENGTH };
static const hol_option options[] = {{"length", HOL_NUMBER, "m", HOL_NONE, 0, HOL_INF, HOL_ABOVE, NULL,
                                      "length of the link; default: as drawn"},
                                     HOL_TURNS_ROW("its angle"),
                                     HOL_END_OPTIONS};

static hol_status setup(const hol_setup *in, void *data, hol_element *e)
{
    hol_prims *joint = data;
    hol_prims_add(joint, in, HOL_PRIM_ALONG, 2, 0, "z");
    hol_status st = hol_prims_distance(joint, in, &in->value[LENGTH], "use a spherical joint");
    hol_prims_done(joint, e);
    return st;
}

const hol_element_type hol_joint_revolute_spherical = {
    .name = "revolute-spherical",
    .aliases = NULL,
    .role = HOL_ROLE_JOINT,
    .dimensions = 3,
    .ends = 2,
    .axes = {HOL_AXES_FIRST, HOL_AXES_FIRST},
    .doc = "massless link, hinged about z of the first frame, with a ball at the second end",
    .named = {NULL, hol_coordinates_link},
    .options = options,
    .setup = setup,
    HOL_PRIMS_FUNCTIONS,
};
