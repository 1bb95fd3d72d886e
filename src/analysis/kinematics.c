// Kinematics (docs/theory.md, section 19): a simulation by the method of integrator/kinematic.c. Users' states and speeds that are
// prescribed need an integration; the motion is put onto the joints at every row all the same.
#include "analysis/kinematics.h"
#include "integrator/kinematic.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define FINE 1e-10 // tolerance of the integration of states

// Options of the tolerances, none of them given.
static const hol_value none[HOL_TOLERANCE_OPTIONS];

static bool integrates(const hol_model_data *m)
{
    bool rates = false;
    for (int i = 0; i < m->n_elements; i++) rates = rates || m->element[i].all_rates;
    return m->n_states || rates;
}

// What the file says about steps, and the poses do not need.
static void tell_aside(hol_context *ctx, const hol_settings *set)
{
    const char *const word[] = {set->method_given ? "method" : NULL,
                                set->tolerance_given ? "tolerance" : NULL, set->step > 0 ? "step" : NULL};
    char text[60] = "";
    for (int i = 0; i < HOL_COUNT(word); i++)
        if (word[i])
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", *text ? ", " : "", word[i]);
    if (*text)
        hol_note(ctx, HOL_NOTICE, "simulate.%s of the file %s left aside: poses are exact, and need none",
                 text, strchr(text, ',') ? "are" : "is");
}

// The settings of `simulate:` with the method that fits; steps and tolerances are those of runs.
static hol_status adapt(hol_context *ctx, const hol_model_data *m, hol_settings *set)
{
    set->automatic = false;
    set->step = 0;
    set->tolerance = integrates(m) ? FINE : HOL_DEFAULT_TOLERANCE;
    set->tolerance_given = true;
    set->project = integrates(m);
    if (integrates(m)) return hol_settings_take(ctx, hol_method_find("rk"), set);
    set->method = &hol_method_kinematic;
    set->option = none;
    if (!set->max_step_given) set->max_step = set->end / hol_method_kinematic.fewest_steps;
    return HOL_OK;
}

hol_dynamics *hol_kinematics_begin(hol_context *ctx, const hol_model_data *m, const hol_settings *set)
{
    hol_settings own = *set;
    if (integrates(m) && m->n_switched > m->n_stops) {
        hol_fail(ctx, HOL_ERR_USAGE,
                 "kinematics: models with states or velocity constraints whose joints or drivers are "
                 "switched are not taken: what "
                 "is switched off may leave a motion free; use `holonom run`");
        return NULL;
    }
    if (adapt(ctx, m, &own)) return NULL;
    hol_dynamics *d = hol_dynamics_create(ctx, m, &own, false);
    hol_kernel k = hol_kernel_of(d ? d->s : NULL);
    const hol_status st = d && integrates(m) ? hol_kinematic_check(&k, &d->it->x) : HOL_OK;
    hol_kernel_drop(&k);
    if (d && !integrates(m)) d->stats.tolerance = (double)NAN; // there is none
    if (d && !st) tell_aside(ctx, set);
    if (!st) return d;
    hol_dynamics_destroy(d);
    return NULL;
}
