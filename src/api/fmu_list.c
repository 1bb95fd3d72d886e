// The variables of a model as an FMU: time, inputs, parameters, signals; and its simulation.
#include "analysis/ports.h"
#include "api/fmu.h"
#include "expr/expr.h"
#include "model/model.h"
#include "model/subsystem.h"

#include <math.h>
#include <string.h>

// ---- simulations ----------------------------------------------------------------------------------------------

// The list of requests lies with the model, for the simulation may begin anew by it.
hol_simulation *hol_fmu_simulate(hol_context *ctx, const hol_model *model, double tolerance)
{
    hol_settings set = model->settings;
    hol_context_clear(ctx);
    if (tolerance > 0 && set.step <= 0) set.tolerance = tolerance, set.tolerance_given = true;
    if (set.n_requests) {
        hol_word *request =
            hol_arena_alloc(model->data->spec->arena, (size_t)set.n_requests + 1, sizeof *request);
        if (!request) return NULL;
        memcpy(request, set.request, (size_t)set.n_requests * sizeof *request);
        request[set.n_requests] = (hol_word){"all", {0}};
        set.n_requests++;
        set.request = request;
    }
    return hol_simulation_of(ctx, hol_dynamics_create(ctx, model->data, &set, false));
}

enum { FINEST_SEARCH = 1000 }; // as of `simulate: search`

// Method, tolerance and largest step are those that were chosen for the first end: the steps go on as they were. Functions of time are searched
// as finely as they were too, which counts in parts of the run.
hol_simulation *hol_fmu_longer(const hol_simulation *sim, double end)
{
    hol_settings set = sim->d->set;
    hol_context_clear(sim->ctx);
    set.end = end;
    set.automatic = false;
    set.max_step_given = true;
    set.search = fmin(FINEST_SEARCH, fmax(1, set.search * end / sim->d->set.end));
    return hol_simulation_of(sim->ctx, hol_dynamics_create(sim->ctx, sim->d->m, &set, true));
}

hol_model *hol_fmu_change(hol_context *ctx, const hol_model *model, int n, const hol_fixed *fixed)
{
    hol_context_clear(ctx);
    hol_model *other = hol_model_of(ctx, hol_spec_read_again(model->data->spec, fixed, n, NULL));
    if (!other || hol_model_structure(other->data) == hol_model_structure(model->data)) return other;
    hol_model_destroy(other);
    hol_fail(
        ctx, HOL_ERR_USAGE,
        "%s: with these values of the parameters the model has other bodies, joints or signals than when "
        "it was exported: export it once more with these values (--set)",
        model->data->spec->file);
    return NULL;
}

// ---- the list -------------------------------------------------------------------------------------------------

typedef struct {
    hol_context *ctx;
    const hol_model *model;
    hol_simulation *sim;
    hol_fmu_list *list;
    hol_names *names;
} maker;

enum { UNIT = 80 }; // bytes of a unit's text

// The unit of SI of this dimension, "m kg/s^2"; "" of none and of broken powers.
static void unit_of(const hol_dimension *d, char text[UNIT])
{
    static const char *const base[] = {"m", "kg", "s", "rad"};
    size_t n = 0;
    *text = 0;
    for (int i = 0; i < HOL_COUNT(base); i++)
        if (d->power[i] % HOL_POWER_ONE) return;
    for (int under = 0; under < 2; under++)
        for (int i = 0; i < HOL_COUNT(base); i++) {
            const int p = d->power[i] / HOL_POWER_ONE * (under ? -1 : 1);
            if (p <= 0 || n >= UNIT) continue;
            if (under && !n) n += (size_t)snprintf(text, UNIT, "1");
            n += (size_t)snprintf(text + n, UNIT - n, under ? "/%s" : n ? " %s" : "%s", base[i]);
            if (p > 1 && n < UNIT) n += (size_t)snprintf(text + n, UNIT - n, "^%d", p);
        }
}

// A variable more, if no other one has its name: signals of inputs are these.
static hol_status add(maker *k, hol_fmu_variable v)
{
    hol_fmu_list *list = k->list;
    char si[UNIT];
    hol_unit unit;
    if (hol_names_find(k->names, v.name) >= 0) return HOL_OK;
    if (v.unit && hol_unit_read(v.unit, &unit) && unit.si != 1) // values are in SI
        unit_of(&unit.dimension, si), v.unit = si;
    v.name = hol_arena_copy(list->arena, v.name, strlen(v.name));
    v.unit = hol_arena_copy(list->arena, v.unit ? v.unit : "", v.unit ? strlen(v.unit) : 0);
    v.doc = hol_arena_copy(list->arena, v.doc ? v.doc : "", v.doc ? strlen(v.doc) : 0);
    if (v.shown)
        v.shown = strcmp(v.shown, v.unit) ? hol_arena_copy(list->arena, v.shown, strlen(v.shown)) : NULL;
    if (!v.name || !v.unit || !v.doc || !HOL_ARENA_GROW(list->arena, list->variable, list->n))
        return HOL_ERR_MEMORY;
    list->variable[list->n] = v;
    return hol_names_add(k->names, v.name, list->n++);
}

// Inputs and tunable parameters.
static hol_status add_inputs(maker *k)
{
    const hol_model_data *m = k->model->data;
    hol_status st = HOL_OK;
    for (int i = 0; i < hol_model_inputs(m) && !st; i++) {
        const hol_held *h = &m->held[hol_model_input(m, i)];
        st = add(k, (hol_fmu_variable){h->input ? HOL_FMU_INPUT : HOL_FMU_TUNABLE, h->name, h->unit,
                                       h->input ? "input" : "parameter, tunable", i, h->initial, NULL, 1});
    }
    return st;
}

// Those of all files that neither programs nor events set.
static hol_status add_parameters(maker *k)
{
    const hol_spec *spec = k->model->data->spec;
    hol_arena *arena = k->list->arena;
    char unit[UNIT];
    hol_parameter p;
    hol_status st = HOL_OK;
    for (int i = 0; !st && hol_parameter_of(spec, i, &p); i++) {
        const char *name = hol_arena_print(arena, "%s%s", p.prefix, p.name);
        if (!name) return HOL_ERR_MEMORY;
        if (spec->held_names && hol_names_find(spec->held_names, name) >= 0) continue;
        unit[0] = 0;
        if (p.value.nature.flags & HOL_NATURE_UNIT) unit_of(&p.value.nature.dimension, unit);
        st = add(k, (hol_fmu_variable){p.formula ? HOL_FMU_CALCULATED : HOL_FMU_PARAMETER, name, unit,
                                       p.formula ? hol_arena_print(arena, "parameter, %s", p.formula)
                                                 : "parameter",
                                       i, p.value.value, NULL, 1});
    }
    return st;
}

// How many of the simulation's signals are those that the model asks for.
static hol_status count_outputs(const maker *k, int *n)
{
    const hol_settings *set = &k->model->settings;
    hol_signals own;
    *n = k->sim->d->signals.n;
    if (!set->n_requests) return HOL_OK;
    const hol_status st = hol_signals_create(k->ctx, k->sim->d->s, set->request, set->n_requests, &own);
    if (st) return st;
    *n = own.n;
    hol_signals_destroy(&own);
    return HOL_OK;
}

// In the order of the simulation, whose first ones are the outputs.
static hol_status add_signals(maker *k)
{
    int outputs = 0;
    const hol_signals *g = &k->sim->d->signals;
    hol_status st = count_outputs(k, &outputs);
    for (int i = 0; i < g->n && !st; i++) {
        const hol_column *c = &g->column[i];
        st = add(k, (hol_fmu_variable){i < outputs ? HOL_FMU_OUTPUT : HOL_FMU_LOCAL, c->name, c->unit, c->doc,
                                       i, 0, c->shown, c->factor});
    }
    return st;
}

// Of all of them or of none.
static void find_derivatives(hol_fmu_list *list, const hol_signals *g)
{
    bool inputs = false;
    int outputs = 0;
    for (int i = 0; i < list->n; i++) {
        inputs |= list->variable[i].kind == HOL_FMU_INPUT;
        outputs += list->variable[i].kind == HOL_FMU_OUTPUT;
        if (list->variable[i].kind == HOL_FMU_OUTPUT && !list->lacking &&
            hol_ports_lack(&g->column[list->variable[i].index]))
            list->lacking = list->variable[i].name;
    }
    list->derivatives = inputs && outputs && !list->lacking;
}

hol_status hol_fmu_list_create(hol_context *ctx, const hol_model *model, hol_simulation *sim,
                               hol_fmu_list *list)
{
    *list = (hol_fmu_list){.arena = hol_arena_create(ctx)};
    maker k = {ctx, model, sim, list, list->arena ? hol_names_create_in(ctx, list->arena) : NULL};
    hol_status st = k.names ? HOL_OK : HOL_ERR_MEMORY;
    if (!st) st = add(&k, (hol_fmu_variable){HOL_FMU_TIME, "time", "s", "time", 0, 0, NULL, 1});
    if (!st) st = add_inputs(&k);
    if (!st) st = add_parameters(&k);
    if (!st) st = add_signals(&k);
    if (!st) find_derivatives(list, &sim->d->signals);
    if (st) hol_fmu_list_destroy(list);
    return st;
}

void hol_fmu_list_destroy(hol_fmu_list *list)
{
    hol_arena_destroy(list->arena);
    *list = (hol_fmu_list){0};
}
