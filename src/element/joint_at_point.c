// At-point primitive: common origin.
//     r2 - r1 = 0
#include "element/coordinate.h"
#include "element/element.h"

static const hol_option options[] = {HOL_TURNS_ROW("its twist"), HOL_END_OPTIONS};

static hol_status setup(const hol_setup *in, void *data, hol_element *e)
{
    hol_prims *joint = data;
    hol_prims_point(joint, in);
    hol_prims_done(joint, e);
    return HOL_OK;
}

const hol_element_type hol_joint_at_point = {
    .name = "at-point",
    .aliases = "point|coincident",
    .role = HOL_ROLE_JOINT,
    .dimensions = 5,
    .ends = 2,
    .doc = "primitive: the origins coincide",
    .named = {hol_coordinates_turn, hol_coordinates_ball},
    .options = options,
    .setup = setup,
    HOL_PRIMS_FUNCTIONS,
};
