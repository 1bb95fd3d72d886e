// Revolute-revolute joint: a massless link with hinges at both ends, about parallel z axes.
//     x and y components of vec(conj(Q1) Q2) = 0, z1.d = 0, (|d|^2 - L^2) / (2 L) = 0,  d = r2 - r1
// E. J. Haug: Computer Aided Kinematics and Dynamics of Mechanical Systems, Allyn and Bacon 1989, chapter 9.
#include "element/coordinate.h"
#include "element/element.h"

enum { LENGTH };
static const hol_option options[] = {{"length", HOL_NUMBER, "m", HOL_NONE, 0, HOL_INF, HOL_ABOVE, NULL,
                                      "length of the link; default: as drawn"},
                                     HOL_END_OPTIONS};

static hol_status setup(const hol_setup *in, void *data, hol_element *e)
{
    hol_prims *joint = data;
    hol_prims_add(joint, in, HOL_PRIM_ALONG, 2, 0, "z");
    hol_prims_parallel(joint, in);
    hol_status st = hol_prims_distance(joint, in, &in->value[LENGTH], "use a revolute joint");
    hol_prims_done(joint, e);
    return st;
}

const hol_element_type hol_joint_revolute_revolute = {
    .name = "revolute-revolute",
    .aliases = NULL,
    .role = HOL_ROLE_JOINT,
    .dimensions = 3,
    .ends = 2,
    .axes = {HOL_AXES_BOTH, HOL_AXES_BOTH},
    .doc = "massless link, hinged at both ends about parallel z axes; 2D: a distance joint is the same",
    .named = {NULL, hol_coordinates_length},
    .options = options,
    .setup = setup,
    HOL_PRIMS_FUNCTIONS,
};
