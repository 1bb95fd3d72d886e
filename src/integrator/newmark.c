// Newmark on the index-3 equations (Gavrea, Negrut, Potra 2005): gamma >= 1/2, beta.
//     gamma = 1/2: order 2; gamma > 1/2: order 1 and damping. Largest damping at infinity: beta = (gamma + 1/2)^2/4.
#include "integrator/index3.h"
#include "integrator/newmark.h"

#include <math.h>

enum { VELOCITY_TEST = HOL_NEWMARK_OWN, CONTROL };
static const hol_option options[] = {
    {"gamma", HOL_NUMBER, "", 0.75, 0.5, 1, 0, NULL,
     "velocity parameter; 0.5 is undamped, order 2; above: order 1"},
    {"beta", HOL_NUMBER, "", HOL_NONE, 0, 1, HOL_ABOVE, NULL,
     "position parameter; default (gamma + 1/2)^2/4"},
    {"velocity_test", HOL_FLAG, "", 0, 0, 1, 0, NULL,
     "error control: test the error of the velocities too, which are of order 1 (more and smaller steps)"},
    HOL_CONTROL_OPTIONS,
    HOL_END_OPTIONS};

double hol_newmark_beta(const hol_value *o)
{
    const double gamma = o[HOL_NEWMARK_GAMMA].num;
    return o[HOL_NEWMARK_BETA].given ? o[HOL_NEWMARK_BETA].num : (gamma + 0.5) * (gamma + 0.5) / 4;
}

static hol_status create(hol_integrator *it)
{
    const hol_value *o = it->option;
    hol_scheme s = hol_scheme_newmark(o[HOL_NEWMARK_GAMMA].num, hol_newmark_beta(o));
    s.velocity_test = o[VELOCITY_TEST].num > 0;
    it->control = hol_control_read(o + CONTROL);
    return hol_index3_create(it, &s);
}

// docs/theory.md, 5.5. Measured on two problems, gamma = 0.51 still needs 40 times the steps of 0.55.
static const char *refuse(const hol_value *o, bool variable)
{
    const double gamma = o[HOL_NEWMARK_GAMMA].num, beta = hol_newmark_beta(o);
    if (!variable) return NULL;
    if (gamma < 0.55)
        return "gamma below 0.55 is unstable with varying steps (multipliers oscillate and the step "
               "collapses): use a "
               "larger gamma, hht, or fixed steps";
    if (beta < gamma / 2)
        return "beta below gamma/2 is stable for small steps only, which error control does not know: use a "
               "larger beta "
               "(default (gamma + 1/2)^2/4), or fixed steps";
    if (fabs(beta - 1.0 / 6) < 0.02)
        return "with beta near 1/6 the error estimate vanishes: use another beta, or fixed steps";
    return NULL;
}

double hol_newmark_limit(const hol_value *o, bool variable)
{
    (void)variable;
    const double room = o[HOL_NEWMARK_GAMMA].num / 2 - hol_newmark_beta(o);
    return room > 0 ? 1 / sqrt(room) : HOL_INF;
}

int hol_newmark_order(const hol_value *o) { return o[HOL_NEWMARK_GAMMA].num > 0.5 ? 1 : 2; }

const hol_method hol_method_newmark = {
    .name = "newmark",
    .family = "Newmark",
    .doc = "Newmark on the index-3 equations (Gavrea, Negrut, Potra 2005); order 1 for gamma > 1/2, 2 for "
           "gamma = 1/2",
    .order = 1,
    .divisor = 10,
    .own_estimate = true,
    .order_of = hol_newmark_order,
    .options = options,
    .fewest_steps = 40,
    .refuse = refuse,
    .limit = hol_newmark_limit,
    .create = create,
    HOL_INDEX3_FUNCTIONS,
};
