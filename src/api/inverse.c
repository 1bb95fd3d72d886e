// Inverse dynamics of holonom_analyses.h.
#include "analysis/inverse.h"
#include "api/api.h"

hol_simulation *hol_inverse_create(hol_context *ctx, const hol_model *model,
                                   const hol_inverse_options *options)
{
    static const hol_inverse_options none;
    if (HOL_NEED(ctx, ctx) || HOL_NEED(ctx, model)) return NULL;
    hol_context_clear(ctx);
    if (options && (options->n_actuators < 0 || (options->n_actuators && !options->actuator))) {
        hol_fail(ctx, HOL_ERR_USAGE, "hol_inverse_create: %d actuators%s", options->n_actuators,
                 options->actuator ? "" : " without names");
        return NULL;
    }
    return hol_simulation_of(
        ctx, hol_inverse_begin(ctx, model->data, &model->settings, options ? options : &none));
}
