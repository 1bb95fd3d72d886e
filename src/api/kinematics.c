// Kinematics of holonom_analyses.h.
#include "analysis/kinematics.h"
#include "api/api.h"
#include "holonom_analyses.h"

hol_simulation *hol_kinematics_create(hol_context *ctx, const hol_model *model)
{
    if (HOL_NEED(ctx, ctx) || HOL_NEED(ctx, model)) return NULL;
    hol_context_clear(ctx);
    return hol_simulation_of(ctx, hol_kinematics_begin(ctx, model->data, &model->settings));
}
