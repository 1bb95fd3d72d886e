// The assembly of holonom_analyses.h.
#include "api/api.h"
#include "io/pose_file.h"

hol_assembly *hol_assembly_create(hol_context *ctx, const hol_model *model)
{
    if (HOL_NEED(ctx, ctx) || HOL_NEED(ctx, model)) return NULL;
    hol_context_clear(ctx);
    return hol_assembly_find(ctx, model->data);
}

void hol_assembly_destroy(hol_assembly *assembly) { hol_assembly_free(assembly); }

hol_status hol_assembly_write(hol_context *ctx, const hol_assembly *assembly, const char *path)
{
    if (HOL_NEED(ctx, ctx) || HOL_NEED(ctx, assembly) || HOL_NEED(ctx, path)) return HOL_ERR_USAGE;
    hol_context_clear(ctx);
    return hol_pose_to_file(ctx, assembly, path);
}
