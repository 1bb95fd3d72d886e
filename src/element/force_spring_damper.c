// Translational spring-damper between two points (TSDA):
//     tension f = k (l - l0) + c l' + F,  l = |r2 - r1|
#include "element/element.h"

enum { STIFFNESS, DAMPING, LENGTH, FORCE };
static const hol_option options[] = {
    {"stiffness", HOL_NUMBER, "N/m", 0, -HOL_INF, HOL_INF, 0, NULL, "stiffness k"},
    {"damping", HOL_NUMBER, "N s/m", 0, -HOL_INF, HOL_INF, 0, NULL, "damping c"},
    {"length", HOL_NUMBER, "m", HOL_NONE, 0, HOL_INF, 0, NULL, "free length l0; default: as drawn"},
    {"force", HOL_FUNCTION, "N", 0, -HOL_INF, HOL_INF, HOL_LEAVES, NULL, "additional tension"},
    HOL_END_OPTIONS};

// Distance of the two points with stiffness, damping and force.
static hol_status setup(const hol_setup *in, void *data, hol_element *e)
{
    hol_law *law = data;
    if (!in->value[STIFFNESS].given && !in->value[DAMPING].given && !in->value[FORCE].given)
        return hol_fail_at(in->ctx, HOL_ERR_MODEL, in->at,
                           "%s: it exerts nothing: give stiffness, damping or force", in->path);
    law->n = 1;
    law->s[0] = hol_prim_between(in, HOL_PRIM_LENGTH, 0, 0, "length");
    law->K[0] = in->value[STIFFNESS].num;
    law->C[0] = in->value[DAMPING].num;
    law->s0[0] = in->value[LENGTH].given ? in->value[LENGTH].num : hol_drawn_distance(in);
    law->adds = in->value[FORCE].given;
    e->n_rows = 0;
    return HOL_OK;
}

const hol_element_type hol_force_spring_damper = {
    .name = "spring-damper",
    .aliases = "tsda|spring|damper|translational-spring-damper",
    .role = HOL_ROLE_FORCE,
    .dimensions = 5,
    .ends = 2,
    .doc = "spring and damper between two points, tension positive (TSDA)",
    .options = options,
    .setup = setup,
    HOL_LAW_FUNCTIONS,
};
