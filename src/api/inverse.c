// Inverse dynamics of holonom_analyses.h.
#include "analysis/inverse.h"
#include "api/api.h"

hol_simulation *hol_inverse_create(hol_context *ctx, const hol_model *model,
                                   const hol_inverse_options *options)
{
    static const hol_inverse_options none;
    if (HOL_NEED(ctx, ctx) || HOL_NEED(ctx, model)) return NULL;
    if (options && hol_need_texts(ctx, __func__, "actuator", options->n_actuators, options->actuator))
        return NULL;
    hol_context_clear(ctx);
    return hol_simulation_of(
        ctx, hol_inverse_begin(ctx, model->data, &model->settings, options ? options : &none));
}
