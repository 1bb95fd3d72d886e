// What a method can integrate, compared with what a model contains, before a run begins.
#include "integrator/integrator.h"
#include "model/code.h"
#include "model/swarm.h"

#include <stdio.h>
#include <string.h>

static const char *a_variable(const hol_model_data *m)
{
    return m->n_equations > m->n_states ? m->equation[0].name : NULL;
}

static const char *a_state(const hol_model_data *m) { return m->n_states ? m->state[0].name : NULL; }

static const char *a_velocity_constraint(const hol_model_data *m)
{
    for (int i = 0; i < m->n_elements; i++)
        if (m->element[i].all_rates) return m->element[i].name; // those that events may switch on too
    return NULL;
}

// A user's equation that is an unknown of the accelerations: it depends on them, or on reactions of
// constraints. NULL: none.
static const char *an_unknown(const hol_model_data *m)
{
    for (int i = 0; i < m->n_equations; i++)
        for (int k = 0; k < m->equation[i].n_leaves; k++) {
            const hol_leaf *l = &m->equation[i].leaf[k];
            const bool a = l->kind == HOL_LEAF_QUANTITY && hol_measured_level(&l->measured) > 1;
            if (a || (l->kind == HOL_LEAF_REACTION && m->element[l->index].all_rows))
                return m->equation[i].name;
        }
    return NULL;
}

static const char *an_event(const hol_model_data *m) { return m->n_events ? m->event[0].name : NULL; }

static const char *an_inexact_code(const hol_model_data *m)
{
    for (int i = 0; i < m->n_blocks; i++)
        if (!hol_code_exact(m->block[i].code)) return m->equation[m->block[i].output].name;
    return NULL;
}

static const char *a_swarm(const hol_model_data *m) { return m->n_swarms ? m->swarm[0].name : NULL; }

static const struct {
    unsigned bit;
    const char *what;
    const char *(*first)(const hol_model_data *m); // a name of that kind in the model; NULL: there is none
} features[] = {
    {HOL_ACCEPTS_VARIABLES, "variables and forces by expressions", a_variable},
    {HOL_ACCEPTS_STATES, "states", a_state},
    {HOL_ACCEPTS_RATES, "velocity constraints", a_velocity_constraint},
    {HOL_ACCEPTS_UNKNOWNS, "expressions of accelerations and joint forces", an_unknown},
    {HOL_ACCEPTS_EVENTS, "events", an_event},
    {HOL_ACCEPTS_INEXACT, "user code without exact derivatives", an_inexact_code},
    {HOL_ACCEPTS_SWARMS, "contacts of more pairs than `locate`", a_swarm},
};

static bool accepts_all(const hol_method *method, const hol_model_data *m)
{
    bool all = true;
    for (int i = 0; i < HOL_COUNT(features); i++)
        all = all && (method->accepts & features[i].bit || !features[i].first(m));
    return all;
}

hol_status hol_method_check(hol_context *ctx, const hol_method *method, const hol_model_data *m)
{
    for (int i = 0; i < HOL_COUNT(features); i++) {
        const char *name = features[i].first(m);
        if (!name || method->accepts & features[i].bit) continue;
        char others[200] = "";
        size_t n = 0;
        for (const hol_method *const *o = hol_methods; *o; o++)
            if (!(*o)->teaching && accepts_all(*o, m) && n < sizeof others - 40)
                n += (size_t)snprintf(others + n, sizeof others - n, "%s%s", n ? ", " : "", (*o)->name);
        return hol_fail(ctx, HOL_ERR_USAGE,
                        "method %s does not take %s (\"%s\"); these methods take all of this model: %s",
                        method->name, features[i].what, name, n ? others : "none");
    }
    return HOL_OK;
}
