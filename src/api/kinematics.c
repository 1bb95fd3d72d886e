// Kinematics of holonom_analyses.h.
#include "analysis/kinematics.h"
#include "analysis/reach.h"
#include "api/api.h"
#include "holonom_analyses.h"

hol_simulation *hol_kinematics_create(hol_context *ctx, const hol_model *model)
{
    if (HOL_NEED(ctx, ctx) || HOL_NEED(ctx, model)) return NULL;
    hol_context_clear(ctx);
    return hol_simulation_of(ctx, hol_kinematics_begin(ctx, model->data, &model->settings));
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
