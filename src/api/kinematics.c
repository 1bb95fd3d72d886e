// Kinematics of holonom_analyses.h.
#include "analysis/kinematics.h"
#include "analysis/reach.h"
#include "api/api.h"
#include "io/follow_file.h"
#include "io/paths.h"
#include "holonom_analyses.h"

hol_simulation *hol_kinematics_create(hol_context *ctx, const hol_model *model)
{
    if (HOL_NEED(ctx, ctx) || HOL_NEED(ctx, model)) return NULL;
    hol_context_clear(ctx);
    return hol_simulation_of(ctx, hol_kinematics_begin(ctx, model->data, &model->settings));
}

hol_result *hol_kinematics_follow(hol_context *ctx, const hol_model *model)
{
    if (HOL_NEED(ctx, ctx) || HOL_NEED(ctx, model)) return NULL;
    hol_context_clear(ctx);
    return hol_follow_result(ctx, model->data, &model->settings);
}

hol_status hol_paths_write(hol_context *ctx, const hol_result *result, const hol_model *model, int n,
                           const char *const *marker, const char *path)
{
    if (HOL_NEED(ctx, ctx) || HOL_NEED(ctx, result) || HOL_NEED(ctx, model) || HOL_NEED(ctx, path) ||
        hol_need_texts(ctx, __func__, "marker", n, marker))
        return HOL_ERR_USAGE;
    hol_context_clear(ctx);
    const hol_status st = hol_paths_names(ctx, model->data, n, marker, path);
    return st ? st : hol_paths_to_file(ctx, result, model->data, n, marker, path);
}

bool hol_kinematics_reach(hol_simulation *sim, int i, hol_reach *out)
{
    if (!sim || !out || i < 0) return false;
    hol_equations *s = sim->d->s;
    const hol_evaluations count = s->count;
    const hol_status st = hol_reach_find(sim->ctx, s, &sim->d->it->x, i, out);
    s->count = count;
    return !st;
}
