// The assembly of holonom_analyses.h.
#include "api/api.h"
#include "io/pose_file.h"

static hol_assembly *create(hol_context *ctx, const hol_model *model, bool all)
{
    if (HOL_NEED(ctx, ctx) || HOL_NEED(ctx, model)) return NULL;
    hol_context_clear(ctx);
    return hol_assembly_find(ctx, model->data, all);
}

hol_assembly *hol_assembly_create(hol_context *ctx, const hol_model *model)
{
    return create(ctx, model, false);
}

hol_assembly *hol_assembly_create_all(hol_context *ctx, const hol_model *model)
{
    return create(ctx, model, true);
}

void hol_assembly_destroy(hol_assembly *assembly) { hol_assembly_free(assembly); }

hol_status hol_assembly_write(hol_context *ctx, const hol_assembly *assembly, const char *path)
{
    if (HOL_NEED(ctx, ctx) || HOL_NEED(ctx, assembly) || HOL_NEED(ctx, path)) return HOL_ERR_USAGE;
    hol_context_clear(ctx);
    return hol_pose_to_file(ctx, assembly, -1, path);
}

hol_status hol_assembly_write_pose(hol_context *ctx, const hol_assembly *assembly, int pose, const char *path)
{
    if (HOL_NEED(ctx, ctx) || HOL_NEED(ctx, assembly) || HOL_NEED(ctx, path)) return HOL_ERR_USAGE;
    hol_context_clear(ctx);
    if (pose < 0 || pose >= assembly->n_poses)
        return hol_fail(ctx, HOL_ERR_USAGE, "there is no pose %d: there are %d", pose, assembly->n_poses);
    return hol_pose_to_file(ctx, assembly, pose, path);
}
