// The library's interface, holonom.h, over the inner layers: each function checks its arguments, calls one of them, and
// leaves messages in the context.
#include "api/api.h"
#include "analysis/advice.h"
#include "analysis/check.h"
#include "analysis/dynamics.h"
#include "analysis/modes.h"
#include "analysis/statistics.h"
#include "analysis/warnings.h"
#include "holonom_analyses.h"
#include "io/checkpoint.h"
#include "io/contacts_file.h"
#include "io/dot.h"
#include "io/gltf.h"
#include "io/modes_file.h"
#include "io/paths.h"
#include "io/record.h"
#include "io/report.h"
#include "io/snapshot.h"
#include "io/summary.h"
#include "io/table.h"
#include "model/swarm.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- models ---------------------------------------------------------------------------------------------------

hol_model *hol_model_of(hol_context *ctx, hol_spec *spec)
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

hol_status hol_need_texts(hol_context *ctx, const char *call, const char *name, int n,
                          const char *const *text)
{
    char one[100];
    if (!ctx) return HOL_ERR_USAGE;
    if (n < 0) {
        hol_context_begin(ctx);
        return hol_fail(ctx, HOL_ERR_USAGE, "%s: %d texts of %s are asked for", call, n, name);
    }
    hol_status st = n > 0 ? hol_need(ctx, call, name, text) : HOL_OK;
    snprintf(one, sizeof one, "one of the texts of %s", name);
    for (int i = 0; i < n && !st; i++) st = hol_need(ctx, call, one, text[i]);
    return st;
}

// Every text of the list is there.
static hol_status need_set(hol_context *ctx, const char *call, const char *const *set, int n_set)
{
    if (n_set < 0) {
        hol_context_begin(ctx);
        return hol_fail(ctx, HOL_ERR_USAGE, "a model with n_set = %d overrides is asked for", n_set);
    }
    return hol_need_texts(ctx, call, "set", n_set, set);
}

hol_model *hol_model_load(hol_context *ctx, const char *path, const char *const *set, int n_set)
{
    if (HOL_NEED(ctx, ctx) || HOL_NEED(ctx, path) || need_set(ctx, __func__, set, n_set)) return NULL;
    hol_context_clear(ctx);
    return hol_model_of(ctx, hol_spec_read_file(ctx, path, set, n_set));
}

hol_model *hol_model_parse(hol_context *ctx, const char *name, const char *text, size_t length,
                           const char *const *set, int n_set)
{
    if (HOL_NEED(ctx, ctx) || HOL_NEED(ctx, name) || HOL_NEED(ctx, text) ||
        need_set(ctx, __func__, set, n_set))
        return NULL;
    hol_context_clear(ctx);
    return hol_model_of(ctx, hol_spec_read_text(ctx, name, text, length, set, n_set));
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

// A model that is found beside its result is refused where it is another one by now.
static hol_status same_as_then(hol_context *ctx, const hol_result *r, const hol_model *model)
{
    const char *file = model->data->spec->file;
    const hol_origin origin = hol_result_origin(r, model->data->spec);
    if (origin == HOL_OF_ANOTHER_MODEL)
        return hol_fail(
            ctx, HOL_ERR_USAGE,
            "%s is of the model %s as it was when it ran, and the file, or one that it reads, has "
            "changed: run it again, or give the model that was run (--model FILE)",
            r->file, file);
    if (origin == HOL_OF_OTHER_SHAPES)
        hol_note(ctx, HOL_NOTICE, "the shapes are those of %s as it is now: they have changed since %s", file,
                 r->file);
    return HOL_OK;
}

hol_model *hol_result_model(hol_context *ctx, const hol_result *result)
{
    if (HOL_NEED(ctx, ctx) || HOL_NEED(ctx, result)) return NULL;
    const hol_result *r = result;
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
    if (!model || !same_as_then(ctx, r, model)) return model;
    hol_model_destroy(model);
    return NULL;
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
    if (HOL_NEED(ctx, ctx) || HOL_NEED(ctx, result) || HOL_NEED(ctx, model) || HOL_NEED(ctx, path))
        return HOL_ERR_USAGE;
    hol_status st = hol_report_check_name(ctx, path);
    if (!st) st = keep(ctx, model->data, path);
    return st ? st : hol_report_of_result(ctx, result, model->data, &model->settings, options, path);
}

hol_status hol_motion_check_name(hol_context *ctx, const char *path)
{
    return HOL_NEED(ctx, ctx) || HOL_NEED(ctx, path) ? HOL_ERR_USAGE : hol_gltf_check_name(ctx, path);
}

hol_status hol_motion_export(hol_context *ctx, const hol_result *result, const hol_model *model,
                             const char *path)
{
    if (HOL_NEED(ctx, ctx) || HOL_NEED(ctx, result) || HOL_NEED(ctx, model) || HOL_NEED(ctx, path))
        return HOL_ERR_USAGE;
    hol_status st = hol_gltf_check_name(ctx, path);
    if (!st) st = keep(ctx, model->data, path);
    return st ? st : hol_gltf_of_result(ctx, result, model->data, path);
}

hol_check *hol_check_create(hol_context *ctx, const hol_model *model)
{
    if (HOL_NEED(ctx, ctx) || HOL_NEED(ctx, model)) return NULL;
    hol_context_clear(ctx);
    return hol_check_model(ctx, model->data, &model->settings);
}

void hol_check_destroy(hol_check *check) { hol_check_free(check); }

hol_status hol_model_warn(hol_context *ctx, const hol_model *model)
{
    if (HOL_NEED(ctx, ctx) || HOL_NEED(ctx, model)) return HOL_ERR_USAGE;
    hol_context_clear(ctx);
    return hol_warnings_tell(ctx, model->data, &model->settings);
}

hol_status hol_graph_print(hol_context *ctx, const hol_model *model, hol_print_fn print, void *user)
{
    if (HOL_NEED(ctx, ctx) || HOL_NEED(ctx, model)) return HOL_ERR_USAGE;
    if (hol_need(ctx, __func__, "print", print ? ctx : NULL)) return HOL_ERR_USAGE;
    hol_context_clear(ctx);
    return hol_dot_print(ctx, model->data, print, user);
}

// ---- modes ----------------------------------------------------------------------------------------------------

// The numbers of the options are such as hol_modes_options says.
static hol_status check_options(hol_context *ctx, const hol_modes_options *o)
{
    if (!(o->at >= 0) || isinf(o->at))
        return hol_fail(ctx, HOL_ERR_USAGE, "modes at t = %.6g s are asked for: give a time from 0 on",
                        o->at);
    if (o->metric != HOL_METRIC_MASS && o->metric != HOL_METRIC_NATURAL)
        return hol_fail(ctx, HOL_ERR_USAGE,
                        "there is no metric %d: give HOL_METRIC_MASS or HOL_METRIC_NATURAL", (int)o->metric);
    if (o->count < 0)
        return hol_fail(ctx, HOL_ERR_USAGE, "%d modes are asked for: give 0, which is all, or more",
                        o->count);
    return HOL_OK;
}

hol_modes *hol_modes_create(hol_context *ctx, const hol_model *model, const hol_modes_options *options)
{
    static const hol_modes_options defaults = {0};
    if (HOL_NEED(ctx, ctx) || HOL_NEED(ctx, model)) return NULL;
    hol_context_clear(ctx);
    if (!options) options = &defaults;
    return check_options(ctx, options) ? NULL : hol_modes_find(ctx, model->data, &model->settings, options);
}

void hol_modes_destroy(hol_modes *modes) { hol_modes_free(modes); }

hol_status hol_modes_write(hol_context *ctx, const hol_modes *modes, const char *path)
{
    if (HOL_NEED(ctx, ctx) || HOL_NEED(ctx, modes) || HOL_NEED(ctx, path)) return HOL_ERR_USAGE;
    hol_context_clear(ctx);
    return hol_modes_to_file(ctx, modes, path);
}

// The modes are of that model, and the file is none that it is made of.
static hol_status check_drawn(hol_context *ctx, const hol_modes *modes, const hol_model *model,
                              const char *path)
{
    if (modes->n_coordinates == model->data->nq && modes->n_bodies == model->data->n_bodies)
        return keep(ctx, model->data, path);
    return hol_fail(ctx, HOL_ERR_USAGE, "the modes are those of another model than %s: give the one of %s",
                    model->data->spec->file, modes->model);
}

hol_status hol_modes_report(hol_context *ctx, const hol_modes *modes, const hol_model *model,
                            const char *path)
{
    if (HOL_NEED(ctx, ctx) || HOL_NEED(ctx, modes) || HOL_NEED(ctx, model) || HOL_NEED(ctx, path))
        return HOL_ERR_USAGE;
    hol_status st = hol_report_check_name(ctx, path);
    if (!st) st = check_drawn(ctx, modes, model, path);
    return st ? st : hol_report_of_modes(ctx, modes, model->data, &model->settings, path);
}

hol_status hol_modes_export(hol_context *ctx, const hol_modes *modes, const hol_model *model,
                            const char *path)
{
    if (HOL_NEED(ctx, ctx) || HOL_NEED(ctx, modes) || HOL_NEED(ctx, model) || HOL_NEED(ctx, path))
        return HOL_ERR_USAGE;
    hol_status st = hol_gltf_check_name(ctx, path);
    if (!st) st = check_drawn(ctx, modes, model, path);
    return st ? st : hol_gltf_of_modes(ctx, modes, model->data, path);
}

// ---- simulations ----------------------------------------------------------------------------------------------

hol_simulation *hol_simulation_of(hol_context *ctx, hol_dynamics *d)
{
    hol_simulation *sim = d ? hol_calloc(ctx, 1, sizeof *sim) : NULL;
    if (!sim) {
        hol_dynamics_destroy(d);
        return NULL;
    }
    sim->ctx = ctx;
    sim->d = d;
    return sim;
}

hol_simulation *hol_simulation_create(hol_context *ctx, const hol_model *model)
{
    if (HOL_NEED(ctx, ctx) || HOL_NEED(ctx, model)) return NULL;
    hol_context_clear(ctx);
    return hol_simulation_of(ctx, hol_dynamics_create(ctx, model->data, &model->settings, false));
}

void hol_simulation_destroy(hol_simulation *sim)
{
    if (!sim) return;
    hol_simulation_finish(sim);
    hol_dynamics_destroy(sim->d);
    hol_snapshot_free(sim->start);
    hol_result_destroy(sim->record);
    hol_free(sim);
}

hol_status hol_model_keep(hol_context *ctx, const hol_model *model, const char *path)
{
    if (HOL_NEED(ctx, ctx) || HOL_NEED(ctx, model) || HOL_NEED(ctx, path)) return HOL_ERR_USAGE;
    hol_context_clear(ctx);
    return keep(ctx, model->data, path);
}

// What must be done before the first step.
static hol_status before_the_first_step(const hol_simulation *sim, const char *call)
{
    hol_context *ctx = sim->ctx;
    hol_context_begin(ctx);
    if (!sim->begun && !sim->finished && !sim->status) return HOL_OK;
    return hol_fail(ctx, HOL_ERR_USAGE, "%s is to be called before the first step: the simulation has %s",
                    call,
                    sim->finished ? "been finished"
                    : sim->begun  ? "begun"
                                  : "failed");
}

// The format opens the file and says what it wants.
static hol_status add_sink(hol_simulation *sim, hol_status opened, hol_sink *sink)
{
    if (opened) return opened;
    const hol_status st = hol_dynamics_add_sink(sim->d, sink);
    if (st) sink->close(sink->data);
    return st;
}

hol_status hol_simulation_write(hol_simulation *sim, const char *path)
{
    HOL_ALONE(sim, HOL_ERR_USAGE);
    if (HOL_NEED(sim->ctx, path)) return HOL_ERR_USAGE;
    hol_context *ctx = sim->ctx;
    if (before_the_first_step(sim, __func__) || keep(ctx, sim->d->m, path)) return HOL_ERR_USAGE;
    hol_sink sink;
    const hol_format *format = hol_format_find(ctx, path);
    return format ? add_sink(sim, format->open(ctx, path, sim->d, &sink), &sink) : HOL_ERR_USAGE;
}

hol_status hol_simulation_report(hol_simulation *sim, const char *path)
{
    HOL_ALONE(sim, HOL_ERR_USAGE);
    if (HOL_NEED(sim->ctx, path)) return HOL_ERR_USAGE;
    hol_context *ctx = sim->ctx;
    if (before_the_first_step(sim, __func__) || keep(ctx, sim->d->m, path)) return HOL_ERR_USAGE;
    hol_sink sink;
    return add_sink(sim, hol_report_open(ctx, path, sim->d, &sink), &sink);
}

hol_status hol_simulation_paths(hol_simulation *sim, int n, const char *const *marker, const char *path)
{
    HOL_ALONE(sim, HOL_ERR_USAGE);
    if (HOL_NEED(sim->ctx, path) || hol_need_texts(sim->ctx, __func__, "marker", n, marker))
        return HOL_ERR_USAGE;
    hol_context *ctx = sim->ctx;
    if (before_the_first_step(sim, __func__) || keep(ctx, sim->d->m, path)) return HOL_ERR_USAGE;
    hol_sink sink;
    hol_status st = hol_paths_names(ctx, sim->d->m, n, marker, path);
    if (!st) st = hol_paths_open(ctx, sim->d, n, marker, path, &sink);
    return add_sink(sim, st, &sink);
}

hol_status hol_simulation_write_contacts(hol_simulation *sim, const char *path)
{
    HOL_ALONE(sim, HOL_ERR_USAGE);
    if (HOL_NEED(sim->ctx, path)) return HOL_ERR_USAGE;
    hol_context *ctx = sim->ctx;
    if (before_the_first_step(sim, __func__) || keep(ctx, sim->d->m, path)) return HOL_ERR_USAGE;
    if (sim->d->m->n_swarms)
        hol_note(
            ctx, HOL_NOTICE,
            "the table of contacts has none of \"%s\" and other rules of more than `locate` pairs, which "
            "have no names: statistics have their sums",
            sim->d->m->swarm[0].name);
    hol_sink sink;
    return add_sink(sim, hol_contacts_open(ctx, path, sim->d, &sink), &sink);
}

hol_status hol_simulation_record(hol_simulation *sim)
{
    HOL_ALONE(sim, HOL_ERR_USAGE);
    if (before_the_first_step(sim, __func__)) return HOL_ERR_USAGE;
    hol_context *ctx = sim->ctx;
    if (sim->recorded) return hol_fail(ctx, HOL_ERR_USAGE, "%s: the run is recorded already", __func__);
    hol_sink sink;
    hol_result *record = NULL;
    const hol_status st = add_sink(sim, hol_record_open(ctx, sim->d, &sink, &record), &sink);
    if (st) hol_result_destroy(record);
    if (!st) sim->record = record;
    sim->recorded = !st;
    return st;
}

hol_result *hol_simulation_take_result(hol_simulation *sim)
{
    HOL_ALONE(sim, NULL);
    hol_context_begin(sim->ctx);
    hol_result *r = sim->record;
    const char *why = !sim->recorded   ? "hol_simulation_record is to be called before the first step"
                      : !sim->finished ? "the simulation has not been finished"
                      : !r             ? "the result has been taken"
                      : !r->n_rows     ? "there is no row of results: the simulation has not begun"
                                       : NULL;
    if (why) {
        hol_fail(sim->ctx, HOL_ERR_USAGE, "%s: %s", __func__, why);
        return NULL;
    }
    sim->record = NULL;
    return r;
}

static bool is_over(const hol_simulation *sim)
{
    return hol_drive_now(sim->d) >= sim->d->set.end || (sim->d->events.ended && !sim->d->drive.waiting);
}

bool hol_simulation_is_over(const hol_simulation *sim)
{
    return !sim || sim->status || sim->finished || is_over(sim);
}

hol_status hol_simulation_step(hol_simulation *sim, bool *done)
{
    HOL_ALONE(sim, HOL_ERR_USAGE);
    if (HOL_NEED(sim->ctx, done)) return HOL_ERR_USAGE;
    hol_context *ctx = sim->ctx;
    *done = true;
    if (sim->status) return sim->status;
    hol_context_clear(ctx);
    if (sim->finished)
        return is_over(sim) ? HOL_OK
                            : hol_fail(ctx, HOL_ERR_USAGE, "%s: the simulation has been finished", __func__);
    sim->begun = true;
    sim->valued = false;
    sim->status = hol_drive_step(sim->d, done);
    if (sim->status) *done = true;
    return sim->status;
}

hol_status hol_simulation_run(hol_simulation *sim)
{
    bool done = false;
    hol_status st = HOL_OK;
    HOL_ALONE(sim, HOL_ERR_USAGE);
    while (!done && !st) st = hol_simulation_step(sim, &done);
    hol_simulation_finish(sim);
    return sim->status ? sim->status : st;
}

const hol_statistics *hol_simulation_finish(hol_simulation *sim)
{
    HOL_ALONE(sim, NULL);
    sim->valued = false;
    if (!sim->finished) {
        if (!sim->status && sim->d->drive.waiting) sim->status = hol_drive_settle(sim->d);
        sim->status = hol_dynamics_finish(sim->d, sim->status);
        sim->finished = true;
    }
    return &sim->d->stats;
}

int hol_simulation_costs(hol_simulation *sim, hol_cost *cost, int most)
{
    HOL_ALONE(sim, 0);
    if (!cost || most <= 0 || !sim->finished || sim->costed) return 0;
    sim->costed = true;
    return hol_dynamics_costs(sim->d, cost, most);
}

const hol_statistics *hol_simulation_statistics(const hol_simulation *sim)
{
    return sim ? &sim->d->stats : NULL;
}

bool hol_simulation_statistic(const hol_simulation *sim, int i, hol_statistic *out)
{
    return out && (sim ? hol_statistic_of(sim->d, i, out) : hol_statistic_row(i, out));
}

hol_status hol_simulation_checkpoint(hol_simulation *sim, const char *path)
{
    HOL_ALONE(sim, HOL_ERR_USAGE);
    if (HOL_NEED(sim->ctx, path)) return HOL_ERR_USAGE;
    hol_context *ctx = sim->ctx;
    hol_context_begin(ctx);
    const bool stopped = sim->status == HOL_ERR_CANCELLED || sim->status == HOL_ERR_LIMIT;
    if (sim->costed || (sim->status && !stopped))
        return hol_fail(ctx, HOL_ERR_USAGE, "%s: %s: its state is none to go on from", __func__,
                        sim->costed ? "hol_simulation_costs was called" : "the simulation has failed");
    if (keep(ctx, sim->d->m, path)) return HOL_ERR_USAGE;
    sim->valued = false;
    hol_status st = sim->finished ? HOL_OK : hol_drive_settle(sim->d);
    if (!st && stopped) st = hol_dynamics_catch_up(sim->d); // rows of what the next run begins behind
    return st ? st : hol_checkpoint_write(sim->d, path);
}

hol_status hol_simulation_restart(hol_simulation *sim, const char *path)
{
    bool taken;
    HOL_ALONE(sim, HOL_ERR_USAGE);
    if (HOL_NEED(sim->ctx, path) || before_the_first_step(sim, __func__)) return HOL_ERR_USAGE;
    const hol_status st = hol_checkpoint_read(sim->d, path, &taken);
    sim->valued = false;
    if (taken) sim->status = st; // nobody goes on from what is half taken over
    return st;
}

double hol_simulation_time(const hol_simulation *sim) { return sim ? hol_drive_now(sim->d) : 0; }

int hol_simulation_signals(const hol_simulation *sim) { return sim ? sim->d->signals.n : 0; }

const char *hol_simulation_signal_name(const hol_simulation *sim, int i)
{
    return sim && i >= 0 && i < sim->d->signals.n ? sim->d->signals.column[i].name : NULL;
}

const char *hol_simulation_signal_unit(const hol_simulation *sim, int i)
{
    return sim && i >= 0 && i < sim->d->signals.n ? sim->d->signals.column[i].unit : NULL;
}

int hol_simulation_find_signal(const hol_simulation *sim, const char *name)
{
    for (int i = 0; sim && name && i < sim->d->signals.n; i++)
        if (strcmp(sim->d->signals.column[i].name, name) == 0) return i;
    return -1;
}

const double *hol_simulation_values(hol_simulation *sim)
{
    HOL_ALONE(sim, NULL);
    hol_dynamics *d = sim->d;
    hol_context_begin(d->ctx);
    if (sim->costed) {
        hol_fail(d->ctx, HOL_ERR_USAGE, "%s: hol_simulation_costs was called: the last values are gone",
                 __func__);
        return NULL;
    }
    if (sim->valued) return d->signals.value;
    if (!sim->finished && d->drive.changed && hol_drive_settle(d)) return NULL;
    const hol_status st = hol_dynamics_values(d);
    sim->valued = !st;
    if (!st) return d->signals.value;
    if (st > 0)
        hol_fail(d->ctx, HOL_ERR_INTEGRATION, "the reactions are not determined at t = %.6g s",
                 hol_drive_now(d));
    return NULL;
}

static void put(int *to, int value)
{
    if (to) *to = value;
}

void hol_simulation_user_counts(const hol_simulation *sim, int *velocity_constraints, int *variables,
                                int *states, int *events)
{
    const hol_model_data *m = sim ? sim->d->m : NULL;
    put(velocity_constraints, m ? m->nk : 0);
    put(states, m ? m->n_states : 0);
    put(variables, m ? m->n_equations - m->n_states : 0);
    put(events, m ? m->n_events : 0);
}

void hol_simulation_counts(const hol_simulation *sim, int *bodies, int *coordinates, int *constraints,
                           int *redundant)
{
    const hol_model_data *m = sim ? sim->d->m : NULL;
    put(bodies, m ? m->n_bodies : 0);
    put(coordinates, m ? m->nq : 0);
    put(constraints, m ? m->nc : 0);
    put(redundant, m ? sim->d->rank.n_redundant : 0);
}

hol_status hol_advise(hol_context *ctx, const hol_model *model, double tolerance, hol_advice *out)
{
    if (HOL_NEED(ctx, ctx) || HOL_NEED(ctx, model) || HOL_NEED(ctx, out)) return HOL_ERR_USAGE;
    hol_context_clear(ctx);
    if (!(tolerance == 0 || (tolerance >= 1e-12 && tolerance <= 1)))
        return hol_fail(ctx, HOL_ERR_USAGE, "%s: the tolerance %.6g is not between 1e-12 and 1", __func__,
                        tolerance);
    hol_settings set = model->settings;
    if (tolerance > 0) set.tolerance = tolerance;
    if (tolerance > 0) set.step = 0;
    return hol_advice_find(ctx, model->data, &set, out);
}

bool hol_method_list(int i, hol_method_info *out)
{
    if (!out) return false;
    int n = 0;
    while (hol_methods[n]) n++;
    if (i < 0 || i >= n) return false;
    const hol_method *m = hol_methods[i];
    const int reference = m->suits & HOL_SUITS_REFERENCE ? 1 : m->suits & HOL_SUITS_LAST ? 2 : 0;
    *out = (hol_method_info){m->name, m->doc, m->family, m->teaching, reference};
    return true;
}

const char *hol_suggest(const char *word, const char *const *names, int n_names)
{
    if (!word || !names) return NULL;
    hol_nearest nearest;
    hol_nearest_start(&nearest, word);
    for (int i = 0; i < n_names; i++)
        if (names[i]) hol_nearest_try(&nearest, names[i]);
    return nearest.best;
}
