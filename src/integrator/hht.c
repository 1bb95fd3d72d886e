// HHT-alpha on the index-3 equations (Negrut, Rampalli, Ottarsson, Sajdak 2005): alpha in [-1/3, 0], order 2.
// Its coefficients: scheme.h; index3.h says why not 1/(1+alpha) (M a)_1 + ...
#include "integrator/index3.h"

enum { ALPHA };
static const hol_option options[] = {
    {"alpha", HOL_NUMBER, "", -0.3, -1.0 / 3, 0, 0, NULL, "numerical damping: 0 none, -1/3 most"},
    HOL_END_OPTIONS};

static hol_status create(hol_integrator *it)
{
    const double alpha = it->option[ALPHA].num;
    hol_scheme s = hol_scheme_hht(alpha);
    s.error = s.beta - 1 / (6 * (1 + alpha)); // the published constant, on the safe side of its own
    return hol_index3_create(it, &s);
}

static const char *refuse(const hol_value *o, bool variable)
{
    return variable && o[ALPHA].num > -0.05 ? "alpha above -0.05 has too little damping for varying steps: "
                                              "use alpha = -0.1 or below, or fixed steps"
                                            : NULL;
}

const hol_method hol_method_hht = {
    .name = "hht",
    .family = "Newmark",
    .suits = HOL_SUITS_LAST,
    .doc = "HHT-alpha on the index-3 equations; order 2 with adjustable damping",
    .order = 2,
    .divisor = 10,
    .own_estimate = true,
    .options = options,
    .fewest_steps = 50,
    .refuse = refuse,
    .create = create,
    HOL_INDEX3_FUNCTIONS,
};
