// Newmark on the index-3 equations (paper 004): gamma >= 1/2, beta.
//     gamma = 1/2: order 2; gamma > 1/2: order 1 and damping. Largest damping at infinity: beta = (gamma + 1/2)^2/4.
#include "integrator/index3.h"

enum { GAMMA, BETA };
static const hol_option options[] = {
    {"gamma", HOL_NUMBER, "", 0.75, 0.5, 1, 0, NULL, "velocity parameter; 0.5 is undamped, order 2; above: order 1"},
    {"beta", HOL_NUMBER, "", HOL_NONE, 0, 1, HOL_ABOVE, NULL, "position parameter; default (gamma + 1/2)^2/4"},
    HOL_END_OPTIONS};

static hol_status create(hol_integrator *it)
{
    const hol_value *o = it->option;
    hol_scheme s = {.gamma = o[GAMMA].num};
    s.beta = o[BETA].given ? o[BETA].num : (s.gamma + 0.5) * (s.gamma + 0.5) / 4;
    return hol_index3_create(it, &s);
}

const hol_method hol_method_newmark = {
    .name = "newmark",
    .doc = "Newmark on the index-3 equations (paper 004); order 1 for gamma > 1/2, 2 for gamma = 1/2",
    .options = options,
    .more_options = hol_index3_options,
    .create = create,
    .destroy = hol_index3_destroy,
    .step = hol_index3_step,
    .interpolate = hol_interpolate_hermite,
};
