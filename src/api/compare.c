// The interface of holonom_compare.h over the folder study: each function checks what it must be given, and calls one of them.
#include "api/api.h"
#include "study/plan.h"
#include "study/study.h"

hol_race *hol_race_create(hol_context *ctx, const hol_model *model, const hol_race_options *options)
{
    static const hol_race_options defaults = {0};
    if (HOL_NEED(ctx, ctx) || HOL_NEED(ctx, model)) return NULL;
    hol_context_clear(ctx);
    return hol_race_make(ctx, model->data, &model->settings, options ? options : &defaults);
}

hol_certificate *hol_certificate_create(hol_context *ctx, const hol_model *model,
                                        const hol_certificate_options *options)
{
    static const hol_certificate_options defaults = {0};
    if (HOL_NEED(ctx, ctx) || HOL_NEED(ctx, model)) return NULL;
    hol_context_clear(ctx);
    return hol_certificate_make(ctx, model->data, &model->settings, options ? options : &defaults);
}

hol_result *hol_job_run(hol_context *ctx, const hol_model *model, const hol_job *job, hol_outcome *out)
{
    if (HOL_NEED(ctx, ctx) || HOL_NEED(ctx, model) || HOL_NEED(ctx, job) || HOL_NEED(ctx, out)) return NULL;
    hol_context_clear(ctx);
    return hol_job_make(ctx, model->data, &model->settings, job, out);
}
