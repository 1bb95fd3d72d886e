// The report: what is recorded while a run goes on, or read from a result, becomes one HTML page with scene, motion,
// signals and texts.
#include "io/report.h"
#include "base/file.h"
#include "analysis/check.h"
#include "io/report_data.h"
#include "io/result.h"
#include "io/summary.h"
#include "scene/swing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    MOST_VALUES = 4000000, // numbers of signals
    FEW_VALUES = 1000000,  // the same beside a motion of many numbers: for pages below 60 MB
    MANY_POSES = 9000000,  // numbers
    MOST_CHECKED = 2000,   // bodies of models that are looked at closely
    SUMMARY = 4000,        // [B]
    MOST_TOUCHES = 20000   // contacts in the table
};

// An empty page, to be freed by `finish` also after a failure.
static hol_status start(hol_page *p, hol_context *ctx, hol_context *told, const hol_model_data *m,
                        const hol_settings *set)
{
    *p = (hol_page){.ctx = ctx,
                    .told = told,
                    .m = m,
                    .set = set,
                    .title = "",
                    .summary = "",
                    .model_text = "",
                    .n_touches = -1};
    p->arena = hol_arena_create(ctx);
    p->number = p->arena ? hol_names_create_in(ctx, p->arena) : NULL;
    return p->number ? HOL_OK : HOL_ERR_MEMORY;
}

// Frees what the page holds.
static void finish(hol_page *p)
{
    for (int i = 0; i < p->n_meshes; i++) hol_mesh_destroy(&p->mesh[i].mesh);
    hol_free(p->mesh);
    hol_scene_destroy(p->scene);
    hol_track_free(&p->value);
    hol_poses_free(&p->poses);
    hol_free(p->check);
    hol_free(p->touch);
    hol_arena_destroy(p->arena);
}

static void notice(hol_page *p, bool tell, const char *format, ...) HOL_PRINTF(3, 4);
// A remark for the reader of the page; tell: and for the terminal.
static void notice(hol_page *p, bool tell, const char *format, ...)
{
    char text[1200];
    va_list list;
    va_start(list, format);
    hol_decimal_vprint(text, sizeof text, format, list);
    va_end(list);
    if (tell) hol_note(p->told, HOL_NOTICE, "report: %s", text);
    const char *copy = hol_arena_copy(p->arena, text, strlen(text));
    if (p->n_notices == HOL_PAGE_NOTICES)
        p->notice[HOL_PAGE_NOTICES - 1] = "there is more that is not shown: the program has told it";
    else if (copy)
        p->notice[p->n_notices++] = copy;
}

// ---- signals --------------------------------------------------------------------------------------------------

// As many of n signals as there is room for in so many rows. The width of the poses is known.
static hol_status start_signals(hol_page *p, int n, double rows)
{
    const int room = rows * (double)p->poses.pose.width > MANY_POSES ? FEW_VALUES : MOST_VALUES;
    const double most = fmax(1, room / fmax(rows, 1));
    p->n_all = n;
    p->n_signals = n < most ? n : (int)most;
    p->name = hol_arena_alloc(p->arena, (size_t)n + 1, sizeof *p->name);
    p->unit = hol_arena_alloc(p->arena, (size_t)n + 1, sizeof *p->unit);
    p->factor = hol_arena_alloc(p->arena, (size_t)n + 1, sizeof *p->factor);
    if (!p->name || !p->unit || !p->factor) return HOL_ERR_MEMORY;
    return hol_track_start(p->ctx, (size_t)p->n_signals, (size_t)room, rows, &p->value);
}

static hol_status number_signals(hol_page *p)
{
    for (int i = 0; i < p->n_signals; i++)
        if (hol_names_find(p->number, p->name[i]) < 0 && hol_names_add(p->number, p->name[i], i))
            return HOL_ERR_MEMORY;
    return HOL_OK;
}

static void open_on(hol_page *p, int signal)
{
    for (int i = 0; i < p->n_open; i++)
        if (p->open[i] == signal) return;
    if (p->n_open < HOL_PAGE_OPEN) p->open[p->n_open++] = signal;
}

// What the page opens on: the signals asked for, in their order, each once.
static void find_open(hol_page *p)
{
    int signal[HOL_PAGE_OPEN];
    for (int i = 0; i < p->set->n_requests && !p->all_open && p->n_open < HOL_PAGE_OPEN; i++) {
        const int n = hol_page_signals(p, p->set->request[i].name, signal, HOL_PAGE_OPEN);
        for (int k = 0; k < n; k++) open_on(p, signal[k]);
    }
    for (int i = 0; i < p->n_signals && p->all_open && i < HOL_PAGE_OPEN; i++) open_on(p, i);
}

static void tell_no_signal(hol_page *p, const char *where, const char *name)
{
    int signal;
    if (!hol_page_signals(p, name, &signal, 1))
        notice(p, true,
               "%s: \"%s\" is not among the signals of the result, which `simulate.signals` asks for", where,
               name);
}

// Of the pictures that the model wants; who chooses signals for the page knows that others are not there.
static void tell_missing_plots(hol_page *p)
{
    const hol_spec *spec = p->m->spec;
    for (int i = 0; i < spec->n_plots && !p->all_open; i++) {
        const hol_spec_plot *plot = &spec->plot[i];
        tell_no_signal(p, plot->x_path, plot->x.name);
        for (int k = 0; k < plot->n; k++) tell_no_signal(p, plot->y_path, plot->y[k].name);
    }
}

// ---- what the check says --------------------------------------------------------------------------------------

static void keep_text(void *user, const char *text)
{
    hol_page *p = user;
    const size_t n = strlen(text);
    char *all = hol_grow(p->ctx, p->check, &p->check_room, (int)(p->check_length + n) + 1, 1);
    if (!all) return;
    p->check = all;
    memcpy(all + p->check_length, text, n + 1);
    p->check_length += n;
}

// Failures are no concern of the page: they have been told when the model was run.
static void check_model(hol_page *p)
{
    const hol_model_data *m = p->m;
    char text[400];
    if (m->n_bodies > MOST_CHECKED) {
        snprintf(text, sizeof text,
                 "large\n  bodies                %d\n  coordinates           %d\n  constraint equations  %d\n"
                 "  of a large model the report does not find the rank; `holonom check` does\n",
                 m->n_bodies, m->nq, m->nc);
        keep_text(p, text);
        return;
    }
    hol_context *quiet = hol_context_create();
    hol_check *c = quiet ? hol_check_model(quiet, m, p->set) : NULL;
    if (c) hol_check_print(c, m->spec->file, keep_text, p);
    hol_check_free(c);
    hol_context_destroy(quiet);
}

// ---- numbers --------------------------------------------------------------------------------------------------

static void pack_plain(hol_pack *pack, const char *name, const void *bytes, size_t n)
{
    hol_pack_begin(pack, name);
    hol_pack_put(pack, bytes, n);
    hol_pack_end(pack);
}

// The poses of all bodies, coded as whole numbers of a fine grid over the box of the motion.
static void pack_poses(hol_pack *pack, const hol_page *p, const double low[3], double edge)
{
    const hol_track *t = &p->poses.pose;
    const size_t n = 2 * t->n * t->width;
    unsigned char *code = hol_calloc(p->ctx, n + 1, 1);
    pack_plain(pack, "time", t->time, t->n * sizeof *t->time);
    if (code) {
        hol_poses_code(&p->poses, low, edge, code);
        pack_plain(pack, "poses", code, n);
    } else if (!pack->status) {
        pack->status = HOL_ERR_MEMORY;
    }
    hol_free(code);
}

static void pack_meshes(hol_pack *pack, const hol_page *p)
{
    for (int i = 0; i < p->n_meshes; i++) {
        const hol_mesh *m = &p->mesh[i].mesh;
        pack_plain(pack, p->mesh[i].positions, m->position, 3 * (size_t)m->n_vertices * sizeof *m->position);
        pack_plain(pack, p->mesh[i].indices, m->index, 3 * (size_t)m->n_triangles * sizeof *m->index);
    }
}

// Signal after signal.
static void pack_values(hol_pack *pack, const hol_page *p)
{
    const hol_track *t = &p->value;
    double *turned = hol_calloc(p->ctx, t->n * t->width + 1, sizeof *turned);
    if (!turned) pack->status = pack->status ? pack->status : HOL_ERR_MEMORY;
    for (size_t i = 0; i < t->width && turned; i++)
        for (size_t k = 0; k < t->n; k++) turned[i * t->n + k] = t->value[k * t->width + i] * p->factor[i];
    pack_plain(pack, "value_time", t->time, t->n * sizeof *t->time);
    if (turned) hol_pack_planes(pack, "values", turned, t->n * t->width, sizeof *turned);
    hol_free(turned);
}

// ---- what was left out ----------------------------------------------------------------------------------------

static void tell_notice(void *user, const char *text) { notice(user, true, "%s", text); }

// One more contact in the table, as far as there is room.
static hol_status add_touch(hol_page *p, const hol_contact_event *event)
{
    if (p->n_touches == MOST_TOUCHES) {
        p->touches_left_out++;
        return HOL_OK;
    }
    if (!HOL_GROW(p->ctx, p->touch, p->touch_room, p->n_touches + 1)) return HOL_ERR_MEMORY;
    p->touch[p->n_touches++] = *event;
    return HOL_OK;
}

// What the page lacks: signals left out or thinned out, loops left out, and what the poses tell.
static void tell_what_is_missing(hol_page *p)
{
    const hol_track *value = &p->value;
    hol_poses_tell(&p->poses, tell_notice, p);
    if (p->n_signals < p->n_all)
        notice(p, true,
               "%d of the %d signals are left out, from \"%.80s\" on: the most is %zu million numbers; "
               "others can be chosen (--signals)",
               p->n_all - p->n_signals, p->n_all, p->name[p->n_signals], value->most / 1000000);
    if (value->stride > 1) notice(p, true, "signals are shown at %zu of %zu times", value->n, value->seen);
    tell_missing_plots(p);
    if (p->touches_left_out)
        notice(p, true, "the table of contacts has the first %d; %ld are left out (holonom run --contacts)",
               p->n_touches, p->touches_left_out);
    if (p->scene->loops_left_out) notice(p, true, "%d of the loops are left out", p->scene->loops_left_out);
}

// Has the mesh file been tried in vain for a drawing before this one?
static bool told_before(const hol_page *p, const hol_drawing *d)
{
    const hol_drawing *all = p->scene->drawing;
    for (int i = 0; &all[i] < d; i++)
        if (all[i].kind == HOL_SHAPE_MESH && p->mesh_of[i] < 0 && hol_mesh_same(&all[i], d)) return true;
    return false;
}

// The mesh of a drawing: one read already, or the next. -1: it cannot be read, which is told once; a run is not lost for it.
static hol_status find_mesh(hol_page *p, hol_context *quiet, const hol_drawing *d, int *out)
{
    hol_mesh mesh;
    for (int i = 0; i < p->n_meshes; i++)
        if (hol_mesh_same(p->mesh[i].of, d)) {
            *out = i;
            return HOL_OK;
        }
    *out = -1;
    if (told_before(p, d)) return HOL_OK;
    hol_context_clear(quiet);
    hol_status st = hol_mesh_read(quiet, d, &mesh);
    if (st == HOL_ERR_MEMORY) return hol_fail(p->ctx, st, "out of memory");
    if (st) {
        notice(p, true, "a mesh is not drawn: %s", hol_context_error(quiet));
        return HOL_OK;
    }
    struct hol_page_mesh *list = hol_grow(p->ctx, p->mesh, &p->mesh_room, p->n_meshes + 1, sizeof *list);
    if (list) p->mesh = list;
    if (!list) {
        hol_mesh_destroy(&mesh);
        return HOL_ERR_MEMORY;
    }
    *out = p->n_meshes;
    list[p->n_meshes++] = (struct hol_page_mesh){d, mesh, hol_arena_print(p->arena, "mesh%d.positions", *out),
                                                 hol_arena_print(p->arena, "mesh%d.indices", *out)};
    return list[*out].positions && list[*out].indices ? HOL_OK : HOL_ERR_MEMORY;
}

// Reads the meshes of the shapes, each file once; one that cannot be read is told, not fatal.
static hol_status read_meshes(hol_page *p)
{
    const hol_scene *s = p->scene;
    const int most = hol_context_most_items(p->told);
    hol_context *quiet = NULL;
    hol_status st = HOL_OK;
    p->mesh_of = hol_arena_alloc(p->arena, (size_t)s->n_drawings + 1, sizeof *p->mesh_of);
    if (!p->mesh_of) return HOL_ERR_MEMORY;
    for (int i = 0; i < s->n_drawings && !st; i++) {
        p->mesh_of[i] = -1;
        if (s->drawing[i].kind != HOL_SHAPE_MESH) continue;
        if (!quiet && !(quiet = hol_context_create()))
            return hol_fail(p->ctx, HOL_ERR_MEMORY, "out of memory");
        if (most) hol_context_sandbox(quiet, most);
        st = find_mesh(p, quiet, &s->drawing[i], &p->mesh_of[i]);
    }
    hol_context_destroy(quiet);
    return st;
}

// Poses, signals and texts are there.
static hol_status make(hol_page *p, const char *path, hol_output *output)
{
    hol_pack pack = {.ctx = p->ctx};
    double low[3], edge;
    hol_status st = number_signals(p);
    if (!st) find_open(p);
    if (!st && !(p->scene = hol_poses_scene(&p->poses))) st = hol_context_status(p->ctx);
    if (!st) st = read_meshes(p);
    if (st) return st;
    hol_poses_box(&p->poses, low, &edge);
    tell_what_is_missing(p);
    hol_poses_tell_box(p->scene->length, edge, tell_notice, p);
    hol_page_pack_scene(&pack, p, low, edge);
    pack_poses(&pack, p, low, edge);
    pack_values(&pack, p);
    pack_meshes(&pack, p);
    st = pack.status ? pack.status : hol_context_status(p->ctx); // a text that found no memory
    if (!st) st = hol_page_write(p, path, output, &pack);
    hol_pack_free(&pack);
    return st;
}

hol_status hol_report_check_name(hol_context *ctx, const char *path)
{
    if (HOL_NEED(ctx, ctx) || HOL_NEED(ctx, path)) return HOL_ERR_USAGE;
    const char *dot = strrchr(path, '.');
    hol_context_clear(ctx);
    if (dot && strcmp(dot, ".html") == 0) return HOL_OK;
    return hol_fail(ctx, HOL_ERR_USAGE, "%s: a report is a web page; give a name that ends in .html", path);
}

// ---- of a result ----------------------------------------------------------------------------------------------

// What the run has left about itself; CSV files have a few words only.
static hol_status tell_run(hol_page *p, const hol_result *r)
{
    static const char *const key[] = {"stopped", "method", "tolerance", "step"}, stopped[] = "stopped: ";
    const char *summary = hol_result_note(r, "summary");
    if (summary && strspn(summary, " ") == strlen(summary)) summary = NULL;
    for (int i = 0; i < HOL_COUNT(key) && !summary; i++) {
        const char *text = hol_result_note(r, key[i]);
        if (text) p->summary = hol_arena_print(p->arena, "%s%s: %s\n", p->summary, key[i], text);
        if (!p->summary) return HOL_ERR_MEMORY;
    }
    if (summary) p->summary = summary;
    if (strncmp(p->summary, stopped, strlen(stopped)) == 0) {
        const char *text = p->summary + strlen(stopped);
        notice(p, false, "the run stopped: %.*s", (int)strcspn(text, "\n"), text);
    }
    return HOL_OK;
}

// The signals that the page shows: those asked for, or all, up to a limit.
static hol_status read_signals(hol_page *p, const hol_result *r, const hol_report_options *o)
{
    const int n = o->column ? o->n_columns : r->n_columns - 1;
    for (int i = 0; o->column && i < n; i++)
        if (o->column[i] < 0 || o->column[i] >= r->n_columns)
            return hol_fail(p->ctx, HOL_ERR_USAGE,
                            "a report of column %d is asked for: the result has 0 to %d", o->column[i],
                            r->n_columns - 1);
    p->all_open = o->column;
    hol_status st = start_signals(p, n > 0 ? n : 0, (double)r->n_rows);
    if (st) return st;
    for (int i = 0; i < n; i++) {
        const int column = o->column ? o->column[i] : i + 1;
        p->name[i] = r->name[column];
        p->unit[i] = hol_result_shown(r, column, &p->factor[i]);
    }
    for (size_t k = 0; k < r->n_rows; k++) {
        const double *value = r->value + k * (size_t)r->n_columns;
        double *row = hol_track_row(&p->value, value[0]);
        if (!row) return HOL_ERR_MEMORY;
        for (int i = 0; i < p->n_signals; i++) row[i] = value[o->column ? o->column[i] : i + 1];
    }
    hol_track_end(&p->value);
    return HOL_OK;
}

hol_status hol_report_of_result(hol_context *ctx, const hol_result *r, const hol_model_data *m,
                                const hol_settings *set, const hol_report_options *options, const char *path)
{
    static const hol_report_options plain = {0};
    const hol_report_options *o = options ? options : &plain;
    hol_page p;
    hol_status st = start(&p, ctx, ctx, m, set);
    if (!st) {
        p.title = o->title ? o->title : r->title ? r->title : m->title ? m->title : r->file;
        const char *file = hol_result_note(r, "model_file"), *text = hol_result_note(r, "model_text");
        const bool own = text && file && strcmp(file, m->spec->file) == 0 &&
                         hol_result_origin(r, m->spec) == HOL_OF_THIS_MODEL;
        p.model_text = own ? text : hol_model_text(p.arena, m->spec);
        if (!r->complete)
            notice(&p, false, "the run that writes this result was killed or goes on: it reaches t = %.6g s",
                   r->value[(r->n_rows - 1) * (size_t)r->n_columns]);
        st = p.model_text ? tell_run(&p, r) : HOL_ERR_MEMORY;
    }
    if (!st) st = hol_poses_read(ctx, m, r, &p.poses);
    char remark[HOL_REMARK];
    if (!st && hol_result_remark(r, m->spec, remark)) notice(&p, true, "%s", remark);
    if (!st) st = read_signals(&p, r, o);
    if (!st && r->n_contacts >= 0) p.n_touches = 0;
    for (int i = 0; i < r->n_contacts && !st; i++) st = add_touch(&p, &r->contact[i]);
    if (!st) check_model(&p);
    hol_output output = {.held = -1};
    if (!st && !hol_output_open(ctx, &output, path, HOL_OUTPUT_WHOLE))
        st = hol_output_fail(ctx, &output, path);
    if (!st) st = make(&p, path, &output);
    (void)hol_output_close(&output, false); // when nothing came of it
    finish(&p);
    return st;
}

// ---- of modes -------------------------------------------------------------------------------------------------

static void keep_line(void *user, const char *text)
{
    hol_page *p = user;
    const char *all = hol_arena_print(p->arena, "%spicture: %s\n", p->summary, text);
    if (all) p->summary = all;
}

// What the modes are of, for the page's summary.
static hol_status tell_modes(hol_page *p, const hol_modes *modes, const hol_swings *swings)
{
    char time[60];
    hol_decimal_print(time, sizeof time, "%.6g s", modes->time);
    p->summary =
        hol_arena_print(p->arena, "analysis: modes\ntime: %s\nmetric: %s\ndegrees of freedom: %d\n%s", time,
                        modes->metric == HOL_METRIC_MASS ? "mass" : "natural", modes->degrees_of_freedom,
                        modes->equilibrium ? "equilibrium: yes\n" : "equilibrium: no\n");
    if (!p->summary) return HOL_ERR_MEMORY;
    hol_swing_tell(swings, modes, keep_line, p);
    if (modes->warning) notice(p, false, "%s", modes->warning);
    return HOL_OK;
}

hol_status hol_report_of_modes(hol_context *ctx, const hol_modes *modes, const hol_model_data *m,
                               const hol_settings *set, const char *path)
{
    hol_page p;
    hol_swings swings = {0};
    hol_output output = {.held = -1};
    hol_status st = start(&p, ctx, ctx, m, set);
    if (!st) {
        p.title = m->title ? m->title : m->spec->file;
        p.model_text = hol_model_text(p.arena, m->spec);
        p.all_open = true;
        p.modes = modes;
        st = p.model_text ? hol_swings_create(ctx, m, modes, MANY_POSES, &swings) : HOL_ERR_MEMORY;
    }
    if (!st) st = tell_modes(&p, modes, &swings);
    p.poses = swings.poses;
    p.n_modes = swings.n;
    if (!st) st = start_signals(&p, 0, 0);
    if (!st) check_model(&p);
    if (!st && !hol_output_open(ctx, &output, path, HOL_OUTPUT_WHOLE))
        st = hol_output_fail(ctx, &output, path);
    if (!st) st = make(&p, path, &output);
    (void)hol_output_close(&output, false); // when nothing came of it
    finish(&p);
    return st;
}

// ---- of a run -------------------------------------------------------------------------------------------------

typedef struct {
    hol_page page;
    hol_context *own;
    const hol_dynamics *d;
    char *path;
    hol_output output;
} recorder;

static hol_status record(void *data, double t, const double *value, int n)
{
    recorder *r = data;
    double *row = hol_track_row(&r->page.value, t);
    (void)n;
    if (!row || hol_poses_add(&r->page.poses, t, r->d->written->q))
        return hol_fail(r->page.told, HOL_ERR_MEMORY, "out of memory");
    memcpy(row, value, (size_t)r->page.n_signals * sizeof *row);
    return HOL_OK;
}

static hol_status record_contact(void *data, const hol_contact_event *event)
{
    recorder *r = data;
    return add_touch(&r->page, event) ? hol_fail(r->page.told, HOL_ERR_MEMORY, "out of memory") : HOL_OK;
}

// The end of the run: what was recorded becomes the page.
static hol_status write_report(recorder *r)
{
    hol_page *p = &r->page;
    char *summary = hol_arena_alloc(p->arena, SUMMARY, 1);
    hol_status st = hol_poses_end(&p->poses, r->path);
    hol_track_end(&p->value);
    if (!summary) return HOL_ERR_MEMORY;
    hol_summary_text(r->d, summary, SUMMARY);
    p->summary = summary;
    if (r->d->stats.status) notice(p, false, "the run stopped: %s", hol_context_error(p->told));
    return st ? st : make(p, r->path, &r->output);
}

static void forget(recorder *r)
{
    finish(&r->page);
    (void)hol_output_close(&r->output, false); // when nothing came of it
    hol_context_destroy(r->own);
    hol_free(r->path);
    hol_free(r);
}

static hol_status close_report(void *data)
{
    recorder *r = data;
    hol_status st = write_report(r);
    if (st) st = hol_fail(r->page.told, st, "%s", hol_context_error(r->own));
    forget(r);
    return st;
}

hol_status hol_report_open(hol_context *ctx, const char *path, const hol_dynamics *d, hol_sink *out)
{
    const double rows = hol_settings_rows(&d->set);
    const hol_signals *g = &d->signals;
    hol_status st = hol_report_check_name(ctx, path);
    recorder *r = st ? NULL : hol_calloc(ctx, 1, sizeof *r);
    if (!r) return st ? st : HOL_ERR_MEMORY;
    r->d = d;
    // errors of the page must not be lost behind that of the run, nor that one be cleared
    r->own = hol_context_create();
    r->path = hol_calloc(ctx, strlen(path) + 1, 1);
    st = r->own && r->path ? start(&r->page, r->own, ctx, d->m, &d->set) : HOL_ERR_MEMORY;
    hol_page *p = &r->page;
    if (!st) {
        memcpy(r->path, path, strlen(path));
        p->title = d->m->title ? d->m->title : d->m->spec->file;
        p->model_text = hol_model_text(p->arena, d->m->spec);
        p->n_touches = 0;
        st = p->model_text ? hol_poses_start(r->own, d->m, rows, &p->poses) : HOL_ERR_MEMORY;
    }
    if (!st) st = start_signals(p, g->n, rows);
    for (int i = 0; i < g->n && !st; i++) {
        p->name[i] = g->column[i].name;
        p->unit[i] = g->column[i].shown;
        p->factor[i] = g->column[i].factor;
    }
    // now: a run must not be lost for a wrong name
    if (!st && !hol_output_open(ctx, &r->output, path, HOL_OUTPUT_WHOLE))
        st = hol_output_fail(ctx, &r->output, path);
    if (!st) check_model(p);
    if (st) {
        forget(r);
        return st == HOL_ERR_MEMORY ? hol_fail(ctx, st, "out of memory") : st;
    }
    *out = (hol_sink){r, record, close_report, record_contact};
    return HOL_OK;
}
