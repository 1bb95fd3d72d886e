// Statics of holonom_analyses.h: arguments are checked, analysis/statics.h does the work.
#include "analysis/statics.h"
#include "api/api.h"
#include "io/statics_file.h"

hol_statics *hol_statics_create(hol_context *ctx, const hol_model *model, const hol_statics_options *options)
{
    static const hol_statics_options defaults = {0};
    if (HOL_NEED(ctx, ctx) || HOL_NEED(ctx, model)) return NULL;
    hol_context_clear(ctx);
    return hol_statics_find(ctx, model->data, options ? options : &defaults);
}

void hol_statics_destroy(hol_statics *statics) { hol_statics_free(statics); }

hol_status hol_statics_write(hol_context *ctx, const hol_statics *statics, const char *path)
{
    if (HOL_NEED(ctx, ctx) || HOL_NEED(ctx, statics) || HOL_NEED(ctx, path)) return HOL_ERR_USAGE;
    hol_context_clear(ctx);
    return hol_statics_to_file(ctx, statics, path);
}

hol_status hol_statics_write_pose(hol_context *ctx, const hol_statics *statics, int point, const char *path)
{
    if (HOL_NEED(ctx, ctx) || HOL_NEED(ctx, statics) || HOL_NEED(ctx, path)) return HOL_ERR_USAGE;
    hol_context_clear(ctx);
    return hol_statics_pose_to_file(ctx, statics, point, path);
}
