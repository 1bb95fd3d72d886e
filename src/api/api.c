// holonom.h over the inner layers.
#include "analysis/advice.h"
#include "analysis/check.h"
#include "analysis/dynamics.h"
#include "analysis/modes.h"
#include "io/checkpoint.h"
#include "io/dot.h"
#include "io/gltf.h"
#include "io/modes_file.h"
#include "io/report.h"
#include "io/table.h"

#include <stdio.h>
#include <string.h>

struct hol_model {
    hol_model_data *data;
    hol_settings settings; // of `simulate:`
};

struct hol_simulation {
    hol_dynamics *d;
    hol_status status;
    bool finished;
};

// ---- models ---------------------------------------------------------------------------------------------------

static hol_model *wrap(hol_context *ctx, hol_spec *spec)
{
    hol_model_data *data = spec ? hol_model_compile(spec) : NULL;
    if (!data) return NULL;
    hol_model *model = hol_calloc(ctx, 1, sizeof *model);
    // a wrong `simulate:` is an error of the model, whatever is done with it
    if (model && hol_settings_read(data, &model->settings) == HOL_OK) {
        model->data = data;
        if (!spec->gravity_given)
            hol_note(ctx, HOL_NOTICE, "%s: no gravity is given: there is none", spec->file);
        return model;
    }
    hol_model_free(data);
    hol_free(model);
    return NULL;
}

hol_model *hol_model_load(hol_context *ctx, const char *path, const char *const *set, int n_set)
{
    hol_context_clear(ctx);
    return wrap(ctx, hol_spec_read_file(ctx, path, set, n_set));
}

hol_model *hol_model_parse(hol_context *ctx, const char *name, const char *text, size_t length,
                           const char *const *set, int n_set)
{
    hol_context_clear(ctx);
    return wrap(ctx, hol_spec_read_text(ctx, name, text, length, set, n_set));
}

void hol_model_destroy(hol_model *model)
{
    if (!model) return;
    hol_model_free(model->data);
    hol_free(model);
}

enum { MOST_OVERRIDES = 1024 };

// The lines of a text, in place.
static int split_lines(char *text, const char *line[MOST_OVERRIDES])
{
    int n = 0;
    for (char *p = text; *p && n < MOST_OVERRIDES; p++) {
        line[n++] = p;
        p += strcspn(p, "\n");
        if (!*p) break;
        *p = 0;
    }
    return n;
}

hol_model *hol_result_model(hol_context *ctx, const hol_result *r)
{
    const char *file = hol_result_note(r, "model_file"), *text = hol_result_note(r, "model_text"),
               *set = hol_result_note(r, "set"), *line[MOST_OVERRIDES];
    hol_context_clear(ctx);
    if (!file || (!text && strcmp(file, "-") == 0)) {
        hol_fail(ctx, HOL_ERR_USAGE, "%s does not say which model was run: give it (--model FILE)", r->file);
        return NULL;
    }
    FILE *there = text ? NULL : fopen(file, "rb");
    if (there) fclose(there);
    if (!text && !there) {
        hol_fail(ctx, HOL_ERR_USAGE, "%s is of the model %s, which cannot be read: give it (--model FILE)",
                 r->file, file);
        return NULL;
    }
    char *lines = hol_calloc(ctx, (set ? strlen(set) : 0) + 1, 1);
    if (!lines) return NULL;
    if (set) memcpy(lines, set, strlen(set));
    const int n = split_lines(lines, line);
    hol_model *model =
        text ? hol_model_parse(ctx, file, text, strlen(text), line, n) : hol_model_load(ctx, file, line, n);
    hol_free(lines);
    return model;
}

// No file that the model was made of is overwritten.
static hol_status keep(hol_context *ctx, const hol_model_data *m, const char *path)
{
    const char *file = hol_spec_reads(m->spec, path);
    return !file ? HOL_OK
                 : hol_fail(ctx, HOL_ERR_USAGE,
                            "%s is read by the model (%s) and would be overwritten: give another name", path,
                            file);
}

hol_status hol_report_write(hol_context *ctx, const hol_result *result, const hol_model *model,
                            const hol_report_options *options, const char *path)
{
    hol_status st = hol_report_check_name(ctx, path);
    if (!st) st = keep(ctx, model->data, path);
    return st ? st : hol_report_of_result(ctx, result, model->data, options, path);
}

hol_status hol_motion_check_name(hol_context *ctx, const char *path)
{
    return hol_gltf_check_name(ctx, path);
}

hol_status hol_motion_export(hol_context *ctx, const hol_result *result, const hol_model *model,
                             const char *path)
{
    hol_status st = hol_gltf_check_name(ctx, path);
    if (!st) st = keep(ctx, model->data, path);
    return st ? st : hol_gltf_of_result(ctx, result, model->data, path);
}

hol_check *hol_check_create(hol_context *ctx, const hol_model *model)
{
    hol_context_clear(ctx);
    return hol_check_model(ctx, model->data);
}

void hol_check_destroy(hol_check *check) { hol_check_free(check); }

hol_status hol_graph_print(hol_context *ctx, const hol_model *model, hol_print_fn print, void *user)
{
    hol_context_clear(ctx);
    return hol_dot_print(ctx, model->data, print, user);
}

// ---- modes ----------------------------------------------------------------------------------------------------

hol_modes *hol_modes_create(hol_context *ctx, const hol_model *model, const hol_modes_options *options)
{
    hol_context_clear(ctx);
    return hol_modes_find(ctx, model->data, &model->settings, options);
}

void hol_modes_destroy(hol_modes *modes) { hol_modes_free(modes); }

hol_status hol_modes_write(hol_context *ctx, const hol_modes *modes, const char *path)
{
    hol_context_clear(ctx);
    return hol_modes_to_file(ctx, modes, path);
}

// ---- simulations ----------------------------------------------------------------------------------------------

hol_simulation *hol_simulation_create(hol_context *ctx, const hol_model *model)
{
    hol_context_clear(ctx);
    hol_simulation *sim = hol_calloc(ctx, 1, sizeof *sim);
    if (!sim) return NULL;
    sim->d = hol_dynamics_create(ctx, model->data, &model->settings, false);
    if (sim->d) return sim;
    hol_free(sim);
    return NULL;
}

void hol_simulation_destroy(hol_simulation *sim)
{
    if (!sim) return;
    hol_simulation_finish(sim);
    hol_dynamics_destroy(sim->d);
    hol_free(sim);
}

hol_status hol_model_keep(hol_context *ctx, const hol_model *model, const char *path)
{
    hol_context_clear(ctx);
    return keep(ctx, model->data, path);
}

hol_status hol_simulation_write(hol_simulation *sim, const char *path)
{
    if (keep(sim->d->ctx, sim->d->m, path)) return HOL_ERR_USAGE;
    hol_sink sink;
    const hol_format *format = hol_format_find(sim->d->ctx, path);
    hol_status st = format ? format->open(sim->d->ctx, path, sim->d, &sink) : HOL_ERR_USAGE;
    if (st) return st;
    st = hol_dynamics_add_sink(sim->d, &sink);
    if (st) sink.close(sink.data);
    return st;
}

hol_status hol_simulation_report(hol_simulation *sim, const char *path)
{
    hol_sink sink;
    if (keep(sim->d->ctx, sim->d->m, path)) return HOL_ERR_USAGE;
    hol_status st = hol_report_open(sim->d->ctx, path, sim->d, &sink);
    if (st) return st;
    st = hol_dynamics_add_sink(sim->d, &sink);
    if (st) sink.close(sink.data);
    return st;
}

hol_status hol_simulation_step(hol_simulation *sim, bool *done)
{
    if (!sim->status) {
        hol_context_clear(sim->d->ctx);
        sim->status = hol_dynamics_step(sim->d, done);
    }
    if (sim->status) *done = true;
    return sim->status;
}

hol_status hol_simulation_run(hol_simulation *sim)
{
    bool done = false;
    while (!done && !sim->status) hol_simulation_step(sim, &done);
    hol_simulation_finish(sim);
    return sim->status;
}

const hol_statistics *hol_simulation_finish(hol_simulation *sim)
{
    if (!sim->finished) {
        sim->status = hol_dynamics_finish(sim->d, sim->status);
        sim->finished = true;
    }
    return &sim->d->stats;
}

int hol_simulation_costs(hol_simulation *sim, hol_cost *cost, int most)
{
    return sim->finished ? hol_dynamics_costs(sim->d, cost, most) : 0;
}

const hol_statistics *hol_simulation_statistics(const hol_simulation *sim) { return &sim->d->stats; }

hol_status hol_simulation_checkpoint(hol_simulation *sim, const char *path)
{
    return keep(sim->d->ctx, sim->d->m, path) ? HOL_ERR_USAGE : hol_checkpoint_write(sim->d, path);
}

hol_status hol_simulation_restart(hol_simulation *sim, const char *path)
{
    return hol_checkpoint_read(sim->d, path);
}

double hol_simulation_time(const hol_simulation *sim) { return sim->d->it->x.t; }

int hol_simulation_signals(const hol_simulation *sim) { return sim->d->signals.n; }

const char *hol_simulation_signal_name(const hol_simulation *sim, int i)
{
    return sim->d->signals.column[i].name;
}

const char *hol_simulation_signal_unit(const hol_simulation *sim, int i)
{
    return sim->d->signals.column[i].unit;
}

int hol_simulation_find_signal(const hol_simulation *sim, const char *name)
{
    for (int i = 0; i < sim->d->signals.n; i++)
        if (strcmp(sim->d->signals.column[i].name, name) == 0) return i;
    return -1;
}

const double *hol_simulation_values(hol_simulation *sim)
{
    hol_dynamics *d = sim->d;
    if (hol_integrator_complete(d->it) == HOL_OK &&
        hol_signals_evaluate(&d->signals, &d->it->x, d->work) == HOL_OK)
        return d->signals.value;
    hol_fail(d->ctx, HOL_ERR_INTEGRATION, "the reactions are not determined at t = %.6g s", d->it->x.t);
    return NULL;
}

void hol_simulation_user_counts(const hol_simulation *sim, int *velocity_constraints, int *variables,
                                int *states, int *events)
{
    const hol_model_data *m = sim->d->m;
    *velocity_constraints = m->nk;
    *states = m->n_states;
    *variables = m->n_equations - m->n_states;
    *events = m->n_events;
}

void hol_simulation_counts(const hol_simulation *sim, int *bodies, int *coordinates, int *constraints,
                           int *redundant)
{
    *bodies = sim->d->m->n_bodies;
    *coordinates = sim->d->m->nq;
    *constraints = sim->d->m->nc;
    *redundant = sim->d->rank.n_redundant;
}

hol_status hol_advise(hol_context *ctx, const hol_model *model, double tolerance, hol_advice *out)
{
    hol_settings set = model->settings;
    hol_context_clear(ctx);
    if (tolerance > 0) set.tolerance = tolerance;
    if (tolerance > 0) set.step = 0;
    return hol_advice_find(ctx, model->data, &set, out);
}

bool hol_method_list(int i, hol_method_info *out)
{
    int n = 0;
    while (hol_methods[n]) n++;
    if (i < 0 || i >= n) return false;
    const hol_method *m = hol_methods[i];
    *out = (hol_method_info){m->name, m->doc, m->family, m->teaching};
    return true;
}

const char *hol_suggest(const char *word, const char *const *names, int n_names)
{
    hol_nearest nearest;
    hol_nearest_start(&nearest, word);
    for (int i = 0; i < n_names; i++) hol_nearest_try(&nearest, names[i]);
    return nearest.best;
}
