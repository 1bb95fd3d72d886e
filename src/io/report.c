// The report page; see report.h.
#include "io/report.h"
#include "analysis/check.h"
#include "io/json.h"
#include "io/pack.h"
#include "io/report_page.h"
#include "io/summary.h"
#include "scene/motion.h"
#include "scene/scene.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    MOST_VALUES = 4000000, // numbers of signals
    MOST_CHECKED = 2000,   // bodies of models that are looked at closely
    NOTICES = 12,
    SUMMARY = 4000 // [B]
};

// What the page shows.
typedef struct {
    hol_context *ctx, *told; // of the memory and errors here; of the notes
    hol_arena *arena;
    const hol_model_data *m;
    const char *title, *summary, *model_text;
    int n_signals, n_all; // shown, and there are
    const char **name, **unit;
    hol_names *number; // of each signal by its name
    hol_track value;
    hol_poses poses;
    hol_scene *scene;
    int n_notices;
    const char *notice[NOTICES];
    char *check; // what `holonom check` says
    size_t check_length;
    int check_room;
} page;

static hol_status start(page *p, hol_context *ctx, hol_context *told, const hol_model_data *m)
{
    *p = (page){.ctx = ctx, .told = told, .m = m, .title = "", .summary = "", .model_text = ""};
    p->arena = hol_arena_create(ctx);
    p->number = p->arena ? hol_names_create_in(ctx, p->arena) : NULL;
    return p->number ? HOL_OK : HOL_ERR_MEMORY;
}

static void finish(page *p)
{
    hol_scene_destroy(p->scene);
    hol_track_free(&p->value);
    hol_poses_free(&p->poses);
    hol_free(p->check);
    hol_arena_destroy(p->arena);
}

static void notice(page *p, bool tell, const char *format, ...) HOL_PRINTF(3, 4);
static void notice(page *p, bool tell, const char *format, ...)
{
    char text[1200];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (tell) hol_note(p->told, HOL_NOTICE, "report: %s", text);
    const char *copy = p->n_notices < NOTICES ? hol_arena_copy(p->arena, text, strlen(text)) : NULL;
    if (copy) p->notice[p->n_notices++] = copy;
}

// ---- signals --------------------------------------------------------------------------------------------------

// As many of n signals as there is room for in so many rows.
static hol_status start_signals(page *p, int n, double rows)
{
    const double most = fmax(1, MOST_VALUES / fmax(rows, 1));
    p->n_all = n;
    p->n_signals = n < most ? n : (int)most;
    p->name = hol_arena_alloc(p->arena, (size_t)n + 1, sizeof *p->name);
    p->unit = hol_arena_alloc(p->arena, (size_t)n + 1, sizeof *p->unit);
    if (!p->name || !p->unit) return HOL_ERR_MEMORY;
    return hol_track_start(p->ctx, (size_t)p->n_signals, MOST_VALUES, rows, &p->value);
}

static hol_status number_signals(page *p)
{
    for (int i = 0; i < p->n_signals; i++)
        if (hol_names_find(p->number, p->name[i]) < 0 && hol_names_add(p->number, p->name[i], i))
            return HOL_ERR_MEMORY;
    return HOL_OK;
}

// -1: it is not among those shown
static int signal_number(page *p, const char *element, const char *component)
{
    const hol_arena_mark here = hol_arena_here(p->arena);
    const char *name = hol_arena_print(p->arena, "%s.%s", element, component);
    const int i = name ? hol_names_find(p->number, name) : -1;
    hol_arena_release(p->arena, here);
    return i;
}

// ---- what the check says --------------------------------------------------------------------------------------

static void keep_text(void *user, const char *text)
{
    page *p = user;
    const size_t n = strlen(text);
    char *all = hol_grow(p->ctx, p->check, &p->check_room, (int)(p->check_length + n) + 1, 1);
    if (!all) return;
    p->check = all;
    memcpy(all + p->check_length, text, n + 1);
    p->check_length += n;
}

// Failures are no concern of the page: they have been told when the model was run.
static void check_model(page *p)
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
    hol_check *c = quiet ? hol_check_model(quiet, m) : NULL;
    if (c) hol_check_print(c, m->spec->file, keep_text, p);
    hol_check_free(c);
    hol_context_destroy(quiet);
}

// One thing the check says: "  bodies                5", or more lines, of which the others have more blanks in front.
typedef struct {
    char label[24]; // "": none
    char *text;     // its lines, without the label
    bool long_one;  // more than one line
} finding;

// Takes the next one off the text; false: there is none.
static bool next_finding(page *p, const char **rest, finding *out)
{
    const char *s = *rest, *end = s;
    if (!s || strncmp(s, "  ", 2) != 0) return false;
    size_t lines = 0;
    do {
        end = strchr(end, '\n');
        end = end ? end + 1 : s + strlen(s);
        lines++;
    } while (strncmp(end, "    ", 4) == 0);
    *rest = end;
    const char *gap = strstr(s + 2, "  "), *line = memchr(s, '\n', (size_t)(end - s));
    const size_t label =
        gap && (!line || gap < line) && (size_t)(gap - s) < sizeof out->label ? (size_t)(gap - s) - 2 : 0;
    memcpy(out->label, s + 2, label);
    out->label[label] = 0;
    const char *from = label ? gap + strspn(gap, " ") : s + 2;
    out->text = hol_arena_alloc(p->arena, (size_t)(end - from) + 1, 1);
    out->long_one = lines > 1;
    if (!out->text) return false;
    size_t n = 0;
    for (const char *c = from; c < end; c++) {
        out->text[n++] = *c;
        if (*c == '\n') c += strspn(c + 1, " ") < 4 ? 0 : 4;
    }
    while (n && out->text[n - 1] == '\n') n--;
    out->text[n] = 0;
    return true;
}

// ---- the scene as JSON ----------------------------------------------------------------------------------------

static void put_text(void *user, const char *text) { hol_pack_put(user, text, strlen(text)); }

static void put_numbers(hol_json *j, const char *key, const double *x, int n)
{
    hol_json_open(j, key, '[');
    for (int i = 0; i < n; i++) hol_json_number(j, NULL, x[i]);
    hol_json_close(j, ']');
}

static void put_pair(hol_json *j, const char *a, const char *b)
{
    hol_json_open(j, NULL, '[');
    hol_json_text(j, NULL, a);
    hol_json_text(j, NULL, b);
    hol_json_close(j, ']');
}

static void put_bodies(hol_json *j, page *p)
{
    const hol_model_data *m = p->m;
    hol_json_open(j, "bodies", '[');
    for (int i = 0; i < m->n_bodies; i++) hol_json_text(j, NULL, m->body[i].name);
    hol_json_close(j, ']');
    char *channels = hol_arena_alloc(p->arena, (size_t)m->n_bodies + 1, 1);
    for (int i = 0; i < m->n_bodies && channels; i++) channels[i] = hol_poses_letter(m, i);
    hol_json_text(j, "channels", channels ? channels : "");
}

static void put_shape(hol_json *j, const hol_drawing *d, int mesh)
{
    static const char *const word[] = {"box", "cylinder", "sphere", "capsule", "polyline", "mesh"};
    static const int sizes[] = {3, 2, 1, 2, 1, 0};
    char color[8];
    hol_json_open(j, NULL, '{');
    hol_json_number(j, "body", d->body);
    hol_json_text(j, "type", word[d->kind]);
    put_numbers(j, "size", d->size, sizes[d->kind]);
    put_numbers(j, "position", d->position, 3);
    put_numbers(j, "quaternion", d->quat, 4);
    if (d->kind == HOL_SHAPE_POLYLINE) {
        hol_json_flag(j, "closed", d->closed);
        hol_json_open(j, "points", '[');
        for (int i = 0; i < d->n_points; i++) put_numbers(j, NULL, d->point + 3 * i, 3);
        hol_json_close(j, ']');
    }
    if (mesh >= 0) hol_json_number(j, "mesh", mesh);
    snprintf(color, sizeof color, "#%06x", (unsigned)d->color & 0xffffff);
    if (d->color >= 0)
        hol_json_text(j, "color", color);
    else
        hol_json_null(j, "color");
    hol_json_flag(j, "inferred", d->inferred);
    hol_json_close(j, '}');
}

static void put_shapes(hol_json *j, const page *p)
{
    hol_json_open(j, "shapes", '[');
    for (int i = 0; i < p->scene->n_drawings; i++) {
        const hol_drawing *d = &p->scene->drawing[i];
        if (d->kind < HOL_SHAPE_MESH) put_shape(j, d, -1);
    }
    hol_json_close(j, ']');
    hol_json_open(j, "meshes", '[');
    hol_json_close(j, ']');
}

static const char *const space_components[] = {"Fx", "Fy", "Fz", "Tx", "Ty", "Tz"};

// Columns of the reaction among the signals: it acts at the last end, on that end's body.
static void put_reaction(hol_json *j, page *p, const hol_scene_joint *s)
{
    const hol_element *e = &p->m->element[s->element];
    const bool planar = p->m->dimension == 2;
    int column[6], any = 0;
    for (int k = 0; k < 6; k++) {
        const char *component = !planar  ? space_components[k]
                                : k < 2  ? space_components[k]
                                : k == 5 ? "T"
                                         : NULL;
        column[k] = component ? signal_number(p, s->name, component) : -1;
        any += column[k] >= 0;
    }
    if (!any || e->n_ends < 1) {
        hol_json_null(j, "reaction");
        return;
    }
    const bool axes = e->end[e->n_ends - 1].marker->frame != HOL_FRAME_POINT;
    hol_json_open(j, "reaction", '{');
    for (int k = 0; k < 6; k++) {
        if (k % 3 == 0) hol_json_open(j, k ? "torque" : "columns", '[');
        hol_json_number(j, NULL, column[k]);
        if (k % 3 == 2) hol_json_close(j, ']');
    }
    hol_json_text(j, "axes", axes ? "end" : "global");
    hol_json_close(j, '}');
}

static void put_joints(hol_json *j, page *p)
{
    static const char *const kind[HOL_ROLES] = {"body", "joint", "driver", "constraint", "force"};
    hol_json_open(j, "joints", '[');
    for (int i = 0; i < p->scene->n_joints; i++) {
        const hol_scene_joint *s = &p->scene->joint[i];
        hol_json_open(j, NULL, '{');
        hol_json_text(j, "name", s->name);
        hol_json_text(j, "kind", kind[s->role]);
        hol_json_text(j, "type", s->type);
        hol_json_open(j, "ends", '[');
        for (int k = 0; k < s->n_ends; k++) {
            hol_json_open(j, NULL, '{');
            hol_json_number(j, "body", s->end[k].body);
            put_numbers(j, "position", s->end[k].position, 3);
            put_numbers(j, "quaternion", s->end[k].quat, 4);
            hol_json_close(j, '}');
        }
        hol_json_close(j, ']');
        hol_json_flag(j, "cut", s->cut);
        put_reaction(j, p, s);
        hol_json_close(j, '}');
    }
    hol_json_close(j, ']');
}

static void put_indices(hol_json *j, const char *key, const int *x, int n)
{
    hol_json_open(j, key, '[');
    for (int i = 0; i < n; i++) hol_json_number(j, NULL, x[i]);
    hol_json_close(j, ']');
}

static void put_loops(hol_json *j, const hol_scene *s)
{
    hol_json_open(j, "loops", '[');
    for (int i = 0; i < s->n_loops; i++) {
        hol_json_open(j, NULL, '{');
        put_indices(j, "joints", s->loop[i].joint, s->loop[i].n_joints);
        put_indices(j, "bodies", s->loop[i].body, s->loop[i].n_bodies);
        hol_json_close(j, '}');
    }
    hol_json_close(j, ']');
}

static void put_signals(hol_json *j, const page *p)
{
    hol_json_open(j, "signals", '[');
    for (int i = 0; i < p->n_signals; i++) {
        hol_json_open(j, NULL, '{');
        hol_json_text(j, "name", p->name[i]);
        hol_json_text(j, "unit", p->unit[i]);
        hol_json_text(j, "doc", hol_signal_doc_of(p->m, p->name[i]));
        hol_json_close(j, '}');
    }
    hol_json_close(j, ']');
}

// Lines `label: text` as pairs.
static void put_summary(hol_json *j, page *p)
{
    hol_json_open(j, "summary", '[');
    for (const char *s = p->summary; *s;) {
        const size_t n = strcspn(s, "\n");
        char *line = hol_arena_copy(p->arena, s, n), *cut = line ? strstr(line, ": ") : NULL;
        if (cut) {
            *cut = 0;
            put_pair(j, line, cut + 2);
        }
        s += n + (s[n] == '\n');
    }
    hol_json_close(j, ']');
}

// Counts as pairs; what takes more words as findings.
static void put_check(hol_json *j, page *p)
{
    for (int pass = 0; pass < 2; pass++) {
        const char *rest = p->check ? strchr(p->check, '\n') : NULL; // the first line is the title
        finding f;
        rest = rest ? rest + 1 : NULL;
        hol_json_open(j, pass ? "findings" : "check", '[');
        while (next_finding(p, &rest, &f)) {
            const bool count = *f.label && !f.long_one;
            if (count == (pass > 0)) continue;
            if (count)
                put_pair(j, f.label, f.text);
            else
                hol_json_text(j, NULL,
                              *f.label ? hol_arena_print(p->arena, "%s: %s", f.label, f.text) : f.text);
        }
        hol_json_close(j, ']');
    }
}

static void put_model(hol_json *j, const page *p)
{
    const hol_spec *spec = p->m->spec;
    hol_json_open(j, "model", '{');
    hol_json_text(j, "file", spec->file);
    hol_json_text(j, "text", p->model_text);
    hol_json_open(j, "set", '[');
    for (int i = 0; i < spec->n_overrides; i++) hol_json_text(j, NULL, spec->override[i]);
    hol_json_close(j, ']');
    hol_json_close(j, '}');
}

static void pack_scene(hol_pack *pack, page *p, const double low[3], double edge)
{
    hol_json json = {.print = put_text, .user = pack, .flat = true}, *j = &json;
    const hol_spec *spec = p->m->spec;
    const double high[3] = {low[0] + edge, low[1] + edge, low[2] + edge};
    hol_pack_begin(pack, "scene");
    hol_json_open(j, NULL, '{');
    hol_json_text(j, "title", p->title);
    hol_json_number(j, "dimension", p->m->dimension);
    if (spec->gravity_given)
        put_numbers(j, "gravity", spec->gravity, 3);
    else
        hol_json_null(j, "gravity");
    hol_json_number(j, "length", p->scene->length);
    hol_json_number(j, "frames", (double)p->poses.pose.n);
    hol_json_open(j, "box", '{');
    put_numbers(j, "min", low, 3);
    put_numbers(j, "max", high, 3);
    hol_json_close(j, '}');
    put_bodies(j, p);
    put_shapes(j, p);
    put_joints(j, p);
    put_loops(j, p->scene);
    put_signals(j, p);
    hol_json_open(j, "notices", '[');
    for (int i = 0; i < p->n_notices; i++) hol_json_text(j, NULL, p->notice[i]);
    hol_json_close(j, ']');
    put_summary(j, p);
    put_check(j, p);
    put_model(j, p);
    hol_json_text(j, "version", "holonom " HOL_VERSION);
    hol_json_close(j, '}');
    hol_pack_end(pack);
}

// ---- numbers --------------------------------------------------------------------------------------------------

static void pack_plain(hol_pack *pack, const char *name, const void *bytes, size_t n)
{
    hol_pack_begin(pack, name);
    hol_pack_put(pack, bytes, n);
    hol_pack_end(pack);
}

static void pack_poses(hol_pack *pack, const page *p, const double low[3], double edge)
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

// Signal after signal.
static void pack_values(hol_pack *pack, const page *p)
{
    const hol_track *t = &p->value;
    double *turned = hol_calloc(p->ctx, t->n * t->width + 1, sizeof *turned);
    if (!turned) pack->status = pack->status ? pack->status : HOL_ERR_MEMORY;
    for (size_t i = 0; i < t->width && turned; i++)
        for (size_t k = 0; k < t->n; k++) turned[i * t->n + k] = t->value[k * t->width + i];
    pack_plain(pack, "value_time", t->time, t->n * sizeof *t->time);
    if (turned) hol_pack_planes(pack, "values", turned, t->n * t->width, sizeof *turned);
    hol_free(turned);
}

// ---- the page -------------------------------------------------------------------------------------------------

static void write_escaped(FILE *f, const char *text)
{
    for (; *text; text++)
        if (strchr("&<>\"'", *text))
            fprintf(f, "&#%d;", *text);
        else
            putc(*text, f);
}

static void write_head(FILE *f, const hol_pack *pack)
{
    fprintf(f, "{\"format\":1,\"blocks\":{");
    for (int i = 0; i < pack->n_blocks; i++) {
        const hol_pack_block *b = &pack->block[i];
        fprintf(f, "%s\"%s\":{\"offset\":%zu,\"bytes\":%zu,\"raw\":%zu}", i ? "," : "", b->name, b->offset,
                b->bytes, b->raw);
    }
    fprintf(f, "}}");
}

static bool write_page(FILE *f, const char *title, const hol_pack *pack)
{
    static const char *const place[] = {"<!--TITLE-->", "<!--HEAD-->", "<!--DATA-->"};
    const char *from = hol_report_page;
    bool good = true;
    for (int i = 0; i < HOL_COUNT(place); i++) {
        const char *to = strstr(from, place[i]);
        if (!to) return false; // the build checks them
        fwrite(from, 1, (size_t)(to - from), f);
        if (i == 0) write_escaped(f, title);
        if (i == 1) write_head(f, pack);
        if (i == 2) good = hol_base64_write(f, pack->data, pack->n);
        from = to + strlen(place[i]);
    }
    fwrite(from, 1, strlen(from), f);
    return good && !ferror(f);
}

static hol_status write_file(page *p, const char *path, const hol_pack *pack)
{
    FILE *f = fopen(path, "wb");
    bool good = f && write_page(f, p->title, pack);
    if (f && fclose(f) != 0) good = false;
    return good ? HOL_OK : hol_fail(p->ctx, HOL_ERR_IO, "%s: cannot be written: %s", path, strerror(errno));
}

// ---- what was left out ----------------------------------------------------------------------------------------

static void tell_what_is_missing(page *p)
{
    const hol_track *pose = &p->poses.pose, *value = &p->value;
    if (p->poses.bad)
        notice(p, true,
               "%zu of the times, from t = %.6g s on, have poses that are not numbers and are not drawn",
               p->poses.bad, p->poses.bad_time);
    if (pose->stride > 1)
        notice(p, true,
               "the motion is drawn at %zu of %zu times: all would be %.3g million numbers, the most is %d",
               pose->n, pose->seen, 1e-6 * (double)pose->seen * (double)pose->width,
               HOL_POSES_MOST / 1000000);
    if (p->n_signals < p->n_all)
        notice(p, true,
               "%d of the %d signals are left out, from \"%.80s\" on: the most is %d million numbers",
               p->n_all - p->n_signals, p->n_all, p->name[p->n_signals], MOST_VALUES / 1000000);
    if (value->stride > 1) notice(p, true, "signals are shown at %zu of %zu times", value->n, value->seen);
    if (p->scene->loops_left_out) notice(p, true, "%d of the loops are left out", p->scene->loops_left_out);
}

static hol_status make_scene(page *p)
{
    const hol_model_data *m = p->m;
    double *q = hol_calloc(p->ctx, (size_t)m->nq + 1, sizeof *q);
    if (!q) return HOL_ERR_MEMORY;
    for (int i = 0; i < m->n_bodies; i++)
        memcpy(q + m->body[i].q, p->poses.pose.value + p->poses.first[i],
               (size_t)m->body[i].size * sizeof *q);
    p->scene = hol_scene_create(p->ctx, m, q);
    hol_free(q);
    return p->scene ? HOL_OK : hol_context_status(p->ctx);
}

// Poses, signals and texts are there.
static hol_status make(page *p, const char *path)
{
    hol_pack pack = {.ctx = p->ctx};
    double low[3], edge;
    hol_status st = number_signals(p);
    if (!st) st = make_scene(p);
    if (st) return st;
    tell_what_is_missing(p);
    hol_poses_box(&p->poses, low, &edge);
    pack_scene(&pack, p, low, edge);
    pack_poses(&pack, p, low, edge);
    pack_values(&pack, p);
    st = pack.status ? pack.status : write_file(p, path, &pack);
    hol_pack_free(&pack);
    return st;
}

hol_status hol_report_check_name(hol_context *ctx, const char *path)
{
    const char *dot = strrchr(path, '.');
    hol_context_clear(ctx);
    if (dot && strcmp(dot, ".html") == 0) return HOL_OK;
    return hol_fail(ctx, HOL_ERR_USAGE, "%s: a report is a web page; give a name that ends in .html", path);
}

// ---- of a result ----------------------------------------------------------------------------------------------

// What the run has left about itself; CSV files have a few words only.
static hol_status tell_run(page *p, const hol_result *r)
{
    static const char *const key[] = {"method", "tolerance", "step"}, stopped[] = "stopped: ";
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

static hol_status read_signals(page *p, const hol_result *r, const hol_report_options *o)
{
    const int n = o->column ? o->n_columns : r->n_columns - 1;
    hol_status st = start_signals(p, n, (double)r->n_rows);
    if (st) return st;
    for (int i = 0; i < n; i++) {
        const int column = o->column ? o->column[i] : i + 1;
        p->name[i] = r->name[column];
        p->unit[i] = r->unit[column];
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
                                const hol_report_options *options, const char *path)
{
    static const hol_report_options plain = {0};
    const hol_report_options *o = options ? options : &plain;
    page p;
    hol_status st = start(&p, ctx, ctx, m);
    if (!st) {
        p.title = o->title ? o->title : r->title ? r->title : m->title ? m->title : r->file;
        const char *file = hol_result_note(r, "model_file"), *text = hol_result_note(r, "model_text");
        const bool own = text && file && strcmp(file, m->spec->file) == 0;
        p.model_text = own ? text : hol_model_text(p.arena, m->spec->file);
        if (!r->complete)
            notice(&p, false, "the run that writes this result was killed or goes on: it reaches t = %.6g s",
                   r->value[(r->n_rows - 1) * (size_t)r->n_columns]);
        st = tell_run(&p, r);
    }
    if (!st) st = hol_poses_read(ctx, m, r, &p.poses);
    if (!st) st = read_signals(&p, r, o);
    if (!st) check_model(&p);
    if (!st) st = make(&p, path);
    finish(&p);
    return st;
}

// ---- of a run -------------------------------------------------------------------------------------------------

typedef struct {
    page page;
    hol_context *own;
    const hol_dynamics *d;
    char *path;
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

static hol_status write_report(recorder *r)
{
    page *p = &r->page;
    char *summary = hol_arena_alloc(p->arena, SUMMARY, 1);
    hol_status st = hol_poses_end(&p->poses, r->path);
    hol_track_end(&p->value);
    if (!summary) return HOL_ERR_MEMORY;
    hol_summary_text(r->d, summary, SUMMARY);
    p->summary = summary;
    if (r->d->stats.status) notice(p, false, "the run stopped: %s", hol_context_error(p->told));
    return st ? st : make(p, r->path);
}

static void forget(recorder *r)
{
    finish(&r->page);
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

static double expected_rows(const hol_settings *set)
{
    if (set->output > 0) return floor(set->end / set->output) + 2;
    return set->step > 0 ? ceil(set->end / set->step) + 1 : 1000; // of a usual run with a tolerance
}

hol_status hol_report_open(hol_context *ctx, const char *path, const hol_dynamics *d, hol_sink *out)
{
    const double rows = expected_rows(&d->set);
    const hol_signals *g = &d->signals;
    hol_status st = hol_report_check_name(ctx, path);
    recorder *r = st ? NULL : hol_calloc(ctx, 1, sizeof *r);
    if (!r) return st ? st : HOL_ERR_MEMORY;
    r->d = d;
    // errors of the page must not be lost behind that of the run, nor that one be cleared
    r->own = hol_context_create();
    r->path = hol_calloc(ctx, strlen(path) + 1, 1);
    st = r->own && r->path ? start(&r->page, r->own, ctx, d->m) : HOL_ERR_MEMORY;
    page *p = &r->page;
    if (!st) {
        memcpy(r->path, path, strlen(path));
        p->title = d->m->title ? d->m->title : d->m->spec->file;
        p->model_text = hol_model_text(p->arena, d->m->spec->file);
        st = start_signals(p, g->n, rows);
    }
    for (int i = 0; i < g->n && !st; i++) {
        p->name[i] = g->column[i].name;
        p->unit[i] = g->column[i].unit;
    }
    if (!st) st = hol_poses_start(r->own, d->m, rows, &p->poses);
    FILE *f = st ? NULL : fopen(path, "wb"); // now: a run must not be lost for a wrong name
    if (!st && !f) st = hol_fail(ctx, HOL_ERR_IO, "%s: cannot be written: %s", path, strerror(errno));
    if (f) fclose(f);
    if (!st) check_model(p);
    if (st) {
        forget(r);
        return st == HOL_ERR_MEMORY ? hol_fail(ctx, st, "out of memory") : st;
    }
    *out = (hol_sink){r, record, close_report};
    return HOL_OK;
}
