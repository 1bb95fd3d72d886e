// Generalized-alpha on the index-3 equations (Chung, Hulbert 1993; Arnold, Bruels 2007): rho in [0, 1], order 2. Its
// coefficients: scheme.h.
#include "integrator/index3.h"

enum { RHO };
static const hol_option options[] = {
    {"rho", HOL_NUMBER, "", 0.8, 0, 1, 0, NULL, "spectral radius at infinity: 1 no damping, 0 most"},
    HOL_END_OPTIONS};

static hol_status create(hol_integrator *it)
{
    const hol_scheme s = hol_scheme_genalpha(it->option[RHO].num);
    return hol_index3_create(it, &s);
}

static const char *refuse(const hol_value *o, bool variable)
{
    return variable && o[RHO].num > 0.9 ? "rho above 0.9 has too little damping for varying steps: use rho = "
                                          "0.8 or below, or fixed steps"
                                        : NULL;
}

const hol_method hol_method_genalpha = {
    .name = "genalpha",
    .family = "Newmark",
    .doc = "generalized-alpha on the index-3 equations; order 2 with adjustable damping",
    .order = 2,
    .divisor = 10,
    .own_estimate = true,
    .options = options,
    .fewest_steps = 50,
    .refuse = refuse,
    .create = create,
    HOL_INDEX3_FUNCTIONS,
};
