// Inverse dynamics (docs/theory.md, section 21): what is asked for is checked, and the kinematics of the model get their actuators.
#include "analysis/inverse.h"
#include "integrator/kinematic.h"

#include <math.h>
#include <string.h>

enum { MOST = 50, NAMES = 300 };

// The number of an input by its name, and -1 with the ones that there are.
static int find_input(hol_context *ctx, const hol_model_data *m, const char *name)
{
    char known[300] = "";
    size_t n = 0;
    hol_nearest nearest;
    hol_nearest_start(&nearest, name ? name : "");
    for (int i = 0, k; (k = hol_model_input(m, i)) >= 0; i++) {
        if (name && strcmp(m->held[k].name, name) == 0) return i;
        hol_nearest_try(&nearest, m->held[k].name);
        if (n < sizeof known - 70)
            n += (size_t)hol_decimal_print(known + n, sizeof known - n, "%s%.60s", i ? ", " : "",
                                           m->held[k].name);
    }
    hol_fail(ctx, HOL_ERR_USAGE,
             "inverse dynamics: there is no input \"%s\"; %s%s. An actuator is an input of the model that a "
             "force takes: `inputs: "
             "[{name: u, value: 0}]` and `value: u`",
             name ? name : "", *known ? "there are: " : "the model has none", known);
    return -1;
}

// A weight above 0, bounds in their order.
static hol_status check_numbers(hol_context *ctx, const hol_inverse_options *o, int i)
{
    const char *name = o->actuator[i];
    if (o->weight && !(o->weight[i] > 0 && isfinite(o->weight[i])))
        return hol_fail(ctx, HOL_ERR_USAGE,
                        "inverse dynamics: the weight of %s is %g: a positive number is wanted", name,
                        o->weight[i]);
    const double least = o->least ? o->least[i] : -HOL_INF, most = o->most ? o->most[i] : HOL_INF;
    return least <= most ? HOL_OK
                         : hol_fail(ctx, HOL_ERR_USAGE,
                                    "inverse dynamics: the bounds of %s are %g and %g: the least first", name,
                                    least, most);
}

// Their numbers as the model counts inputs, and nothing twice.
static hol_status find_inputs(hol_context *ctx, const hol_model_data *m, const hol_inverse_options *o,
                              int *input)
{
    hol_status st = HOL_OK;
    if (o->n_actuators > MOST)
        return hol_fail(ctx, HOL_ERR_USAGE, "inverse dynamics: at most %d actuators, not %d", MOST,
                        o->n_actuators);
    for (int i = 0; i < o->n_actuators && !st; i++) {
        input[i] = find_input(ctx, m, o->actuator[i]);
        if (input[i] < 0) return HOL_ERR_USAGE;
        st = check_numbers(ctx, o, i);
        if (!st && m->held[hol_model_input(m, input[i])].linear)
            st = hol_fail(ctx, HOL_ERR_USAGE,
                          "inverse dynamics: the input %s goes in straight lines (`hold: linear`)",
                          o->actuator[i]);
        for (int k = 0; k < i && !st; k++)
            if (input[k] == input[i])
                st = hol_fail(ctx, HOL_ERR_USAGE, "inverse dynamics: the actuator %s is given twice",
                              o->actuator[i]);
    }
    return st;
}

// States by their names, those of friction that sticks, or the others; how many there are.
static int name_states(const hol_model_data *m, bool bristles, char text[NAMES])
{
    int n = 0;
    *text = 0;
    for (int i = 0; i < m->n_states; i++) {
        if ((m->state[i].stiffness > 0) != bristles) continue;
        const size_t length = strlen(text);
        if (length < NAMES - 70)
            hol_decimal_print(text + length, NAMES - length, "%s%.60s", n ? ", " : "", m->state[i].name);
        n++;
    }
    return n;
}

// Actuators are looked for in poses alone. What is integrated instead, and what can be done: drivers go with states, too.
static hol_status refuse_states(hol_context *ctx, const hol_model_data *m)
{
    static const char drivers[] = "leave the actuators away: the drivers' own forces are found with them";
    char names[NAMES];
    if (name_states(m, false, names))
        return hol_fail(ctx, HOL_ERR_USAGE,
                        "inverse dynamics of actuators: the model has states, which are integrated (%s), and "
                        "actuators are those "
                        "of poses: %s",
                        names, drivers);
    if (m->nk)
        return hol_fail(
            ctx, HOL_ERR_USAGE,
            "inverse dynamics of actuators: velocity constraints are integrated, and actuators are "
            "those of poses: %s",
            drivers);
    name_states(m, true, names);
    return hol_fail(
        ctx, HOL_ERR_USAGE,
        "inverse dynamics of actuators: friction that sticks has states, which are integrated: %s. "
        "Give that friction a `transition`, which makes it one of the speed, or %s",
        names, drivers);
}

// What the method of kinematics does not take, or forgets.
static hol_status check_model(hol_context *ctx, const hol_model_data *m, const hol_dynamics *d)
{
    if (d->set.method != &hol_method_kinematic) return refuse_states(ctx, m);
    if (m->n_switched > m->n_stops)
        return hol_fail(ctx, HOL_ERR_USAGE,
                        "inverse dynamics: models whose joints or drivers are switched are not taken");
    return HOL_OK;
}

// Those of the model file.
typedef struct {
    const char *name[MOST];
    double least[MOST], most[MOST];
} own_names;

// In the order of the actuators; those that are not named have none.
static hol_status take_bounds(hol_context *ctx, const hol_spec_inverse *own, own_names *n)
{
    for (int i = 0; i < own->n && i < MOST; i++) n->least[i] = -HOL_INF, n->most[i] = HOL_INF;
    for (int k = 0; k < own->n_bounds; k++) {
        int i = 0;
        while (i < own->n && i < MOST && strcmp(own->actuator[i].name, own->bound[k].name) != 0) i++;
        if (i == own->n || i == MOST)
            return hol_fail_at(ctx, HOL_ERR_MODEL, own->bound[k].at,
                               "inverse.bounds: \"%s\" is none of the actuators", own->bound[k].name);
        n->least[i] = own->range[2 * k];
        n->most[i] = own->range[2 * k + 1];
    }
    return HOL_OK;
}

// What the model file says where the caller says nothing.
static hol_status take_file(hol_context *ctx, const hol_model_data *m, hol_inverse_options *o, own_names *n)
{
    const hol_spec_inverse *own = &m->spec->inverse;
    if (own->motion)
        return hol_fail_at(
            ctx, HOL_ERR_USAGE, own->at,
            "inverse.motion: the drivers for \"%s\" are not in the model: `holonom inverse` and "
            "hol_draft_add_motion make them",
            own->motion);
    o->project = o->project || own->project;
    if (o->n_actuators || !own->n) return HOL_OK;
    if (own->n_weights && own->n_weights != own->n)
        return hol_fail_at(ctx, HOL_ERR_MODEL, own->at,
                           "inverse.weights: %d weights for %d actuators: one for each is wanted",
                           own->n_weights, own->n);
    for (int i = 0; i < own->n && i < MOST; i++) n->name[i] = own->actuator[i].name;
    o->n_actuators = own->n;
    o->actuator = n->name;
    o->weight = own->n_weights ? own->weight : NULL;
    o->least = own->n_bounds ? n->least : NULL;
    o->most = own->n_bounds ? n->most : NULL;
    return own->n_bounds ? take_bounds(ctx, own, n) : HOL_OK;
}

// Constraints that are to prescribe the motion: they are there, and hold positions.
static hol_status check_drives(hol_context *ctx, const hol_model_data *m)
{
    const hol_spec_inverse *own = &m->spec->inverse;
    for (int i = 0; i < own->n_drives; i++) {
        const int k = hol_model_find_element(m, own->drives[i].name);
        if (k < 0 || m->element[k].type->role != HOL_ROLE_CONSTRAINT || !m->element[k].n_rows)
            return hol_fail_at(ctx, HOL_ERR_MODEL, own->drives[i].at,
                               "inverse.drives: there is no constraint of positions \"%s\"",
                               own->drives[i].name);
    }
    return HOL_OK;
}

hol_dynamics *hol_inverse_begin(hol_context *ctx, const hol_model_data *m, const hol_settings *set,
                                const hol_inverse_options *options)
{
    own_names name;
    hol_inverse_options own = *options, *o = &own;
    int input[MOST];
    if (take_file(ctx, m, o, &name) || check_drives(ctx, m)) return NULL;
    if (find_inputs(ctx, m, o, input)) return NULL;
    hol_dynamics *d = hol_kinematics_begin(ctx, m, set);
    hol_actuators a = {0};
    hol_status st = d ? HOL_OK : HOL_ERR_USAGE;
    if (!st && o->n_actuators) st = check_model(ctx, m, d);
    if (!st && o->n_actuators) {
        st = hol_actuators_create(ctx, m, o->n_actuators, input, o->weight, o->least, o->most, &a);
        a.project = o->project;
        if (st)
            hol_actuators_destroy(&a);
        else
            st = hol_kinematic_actuate(d->it, a);
        if (!st) d->signals.actuators = hol_kinematic_actuators(d->it);
    }
    if (!st) return d;
    hol_dynamics_destroy(d);
    return NULL;
}
