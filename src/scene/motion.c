// Poses of all bodies over time, for pictures: kept while a run goes on or taken from a result, thinned where there are
// too many, and coded in 16 bits by second differences.
#include "scene/motion.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- rows -----------------------------------------------------------------------------------------------------

hol_status hol_track_start(hol_context *ctx, size_t width, size_t most, double expected, hol_track *out)
{
    *out = (hol_track){.ctx = ctx, .width = width, .most = most, .stride = 1};
    const double numbers = expected * (double)width;
    if (numbers > (double)most && expected < 1e15) out->stride = (size_t)ceil(numbers / (double)most);
    return HOL_OK;
}

static void take_pending(hol_track *t)
{
    if (t->pending && (t->seen - 1) % t->stride == 0) t->n++;
    t->pending = false;
}

static void move_row(hol_track *t, size_t to, size_t from)
{
    t->time[to] = t->time[from];
    memmove(t->value + to * t->width, t->value + from * t->width, t->width * sizeof *t->value);
}

static void thin(hol_track *t)
{
    size_t n = 0;
    for (size_t i = 0; i < t->n; i += 2) move_row(t, n++, i);
    t->n = n;
    t->stride *= 2;
}

double *hol_track_row(hol_track *t, double time)
{
    take_pending(t);
    if (t->n > 2 && (t->n + 1) * t->width > t->most) thin(t);
    double *times = hol_grow(t->ctx, t->time, &t->room[0], (int)t->n + 1, sizeof *times);
    if (times) t->time = times;
    double *value = hol_grow(t->ctx, t->value, &t->room[1], (int)t->n + 1, (t->width + 1) * sizeof *value);
    if (value) t->value = value;
    if (!times || !value) return NULL;
    t->time[t->n] = time;
    t->pending = true;
    t->seen++;
    return t->value + t->n * t->width;
}

void hol_track_drop(hol_track *t)
{
    if (t->pending) t->seen--;
    t->pending = false;
}

void hol_track_end(hol_track *t)
{
    if (t->pending) t->n++;
    t->pending = false;
}

void hol_track_free(hol_track *t)
{
    hol_free(t->time);
    hol_free(t->value);
    *t = (hol_track){0};
}

enum { MOST_DRAWN = 65535 }; // units of the box along an edge
#define MOST_NUMBER 1e30     // what is larger is as good as not a number

// ---- poses ----------------------------------------------------------------------------------------------------

void hol_poses_place(const hol_poses *w, const double *row, int body, const double at[3], double x[3])
{
    memcpy(x, at, 3 * sizeof *x);
    if (body < 0) return;
    const char letter = hol_poses_letter(w->m, body);
    const double *p = row + w->first[body];
    double R[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    if (letter == 'p')
        hol_quat_matrix((const double[4]){cos(p[2] / 2), 0, 0, sin(p[2] / 2)}, R);
    else if (letter == 's')
        hol_quat_matrix(p + 3, R);
    for (int i = 0; i < 3; i++) {
        x[i] = i < 2 || letter != 'p' ? p[i] : 0;
        for (int j = 0; j < 3; j++) x[i] += R[3 * i + j] * at[j];
    }
}

char hol_poses_letter(const hol_model_data *m, int body)
{
    const hol_frame frame = m->body[body].frame;
    return frame == HOL_FRAME_PLANAR ? 'p' : frame == HOL_FRAME_SPATIAL ? 's' : 'o';
}

hol_status hol_poses_start(hol_context *ctx, const hol_model_data *m, double expected, hol_poses *out)
{
    *out = (hol_poses){.m = m};
    out->first = hol_calloc(ctx, (size_t)m->n_bodies + 1, sizeof *out->first);
    if (!out->first) return HOL_ERR_MEMORY;
    for (int i = 0; i < m->n_bodies; i++)
        out->first[i + 1] = out->first[i] + (hol_poses_letter(m, i) == 's' ? 7 : 3);
    return hol_track_start(ctx, (size_t)out->first[m->n_bodies], HOL_POSES_MOST, expected, &out->pose);
}

// Of length 1, on the side of the row before.
static void turn_like(double *p, const double *before)
{
    double norm = 0, along = 0;
    for (int i = 0; i < 4; i++) norm += p[i] * p[i];
    for (int i = 0; i < 4 && before; i++) along += p[i] * before[i];
    const double c = (along < 0 ? -1 : 1) / sqrt(norm);
    for (int i = 0; i < 4; i++) p[i] *= c;
}

// The row given last is complete: what is not a number is left out.
static void finish_row(hol_poses *w, double *row)
{
    hol_track *t = &w->pose;
    const double *before = t->n ? row - t->width : NULL;
    bool good = true;
    for (int i = 0; i < w->m->n_bodies; i++) {
        const int k = w->first[i];
        if (hol_poses_letter(w->m, i) == 's') turn_like(row + k + 3, before ? before + k + 3 : NULL);
    }
    for (size_t k = 0; k < t->width && good; k++) good = fabs(row[k]) <= MOST_NUMBER;
    if (good) return;
    if (w->bad++ == 0) w->bad_time = t->time[t->n];
    hol_track_drop(t);
}

hol_status hol_poses_add(hol_poses *w, double t, const double *q)
{
    const hol_model_data *m = w->m;
    double *row = hol_track_row(&w->pose, t);
    if (!row) return HOL_ERR_MEMORY;
    for (int i = 0; i < m->n_bodies; i++) {
        double *out = row + w->first[i];
        const int size = m->body[i].size;
        for (int k = 0; k < size; k++) out[k] = q[m->body[i].q + k];
        if (size == 2) out[2] = 0; // a point of the plane
    }
    finish_row(w, row);
    return HOL_OK;
}

hol_status hol_poses_end(hol_poses *w, const char *file)
{
    hol_track_end(&w->pose);
    if (w->pose.n) return HOL_OK;
    return hol_fail(w->pose.ctx, HOL_ERR_IO,
                    "%s: error: no row has poses that are numbers: nothing can be drawn", file);
}

void hol_poses_free(hol_poses *w)
{
    hol_free(w->first);
    hol_track_free(&w->pose);
    *w = (hol_poses){0};
}

// The planar body that turns most from one row to the next, if by more than half a turn; -1: none. Quaternions do not tell.
static int fastest(const hol_poses *w)
{
    const hol_track *t = &w->pose;
    double most = HOL_PI;
    int body = -1;
    for (int i = 0; i < w->m->n_bodies; i++) {
        if (hol_poses_letter(w->m, i) != 'p') continue;
        const double *theta = t->value + w->first[i] + 2;
        for (size_t k = 1; k < t->n; k++) {
            const double turn = fabs(theta[k * t->width] - theta[(k - 1) * t->width]);
            if (turn <= most) continue;
            most = turn;
            body = i;
        }
    }
    return body;
}

void hol_poses_tell(const hol_poses *w, hol_print_fn tell, void *user)
{
    const hol_track *t = &w->pose;
    char text[240];
    if (w->bad) {
        hol_decimal_print(
            text, sizeof text,
            "%zu of the times, from t = %.6g s on, have poses that are not numbers and are not drawn", w->bad,
            w->bad_time);
        tell(user, text);
    }
    const int turning = fastest(w);
    if (turning >= 0) {
        snprintf(text, sizeof text,
                 "body %.40s turns by more than half a turn between two times: its sense of rotation is not "
                 "to be trusted; make simulate.output smaller",
                 w->m->body[turning].name);
        tell(user, text);
    }
    if (t->stride > 1) {
        hol_decimal_print(
            text, sizeof text,
            "the motion is drawn at %zu of %zu times: all would be %.3g million numbers, the most is %d",
            t->n, t->seen, 1e-6 * (double)t->seen * (double)t->width, HOL_POSES_MOST / 1000000);
        tell(user, text);
    }
}

hol_scene *hol_poses_scene(const hol_poses *w)
{
    const hol_model_data *m = w->m;
    double *q = hol_calloc(w->pose.ctx, (size_t)m->nq + 1, sizeof *q);
    if (!q) return NULL;
    for (int i = 0; i < m->n_bodies; i++)
        memcpy(q + m->body[i].q, w->pose.value + w->first[i], (size_t)m->body[i].size * sizeof *q);
    hol_scene *scene = hol_scene_create(w->pose.ctx, m, q);
    hol_free(q);
    return scene;
}

// ---- from a result --------------------------------------------------------------------------------------------

typedef struct {
    hol_context *ctx;
    const hol_model_data *m;
    const hol_result *r;
    hol_arena *arena;
    hol_names *columns;
    int *column; // of each channel, -1: 0
} reader;

// Columns by name; those of one name have the same values.
static hol_status number_columns(reader *in)
{
    in->columns = hol_names_create_in(in->ctx, in->arena);
    if (!in->columns) return HOL_ERR_MEMORY;
    hol_status st = HOL_OK;
    for (int i = 1; i < in->r->n_columns && !st; i++) {
        const int first = hol_names_find(in->columns, in->r->name[i]);
        st = first < 0 ? hol_names_add(in->columns, in->r->name[i], i)
                       : hol_result_check_twins(in->ctx, in->r, first, i);
    }
    return st;
}

// False: the result lacks one of the body's columns.
static bool find_body(reader *in, int body, int *column)
{
    static const char *const planar[] = {"x", "y", "theta"}, *const flat[] = {"x", "y", NULL},
                             *const point[] = {"x", "y", "z"}, *const spatial[] = {"x",  "y",  "z", "qw",
                                                                                   "qx", "qy", "qz"};
    const char letter = hol_poses_letter(in->m, body);
    const char *const *name = letter == 'p'           ? planar
                              : letter == 's'         ? spatial
                              : in->m->dimension == 2 ? flat
                                                      : point;
    bool found = true;
    for (int k = 0; k < (letter == 's' ? 7 : 3); k++) {
        column[k] = -1;
        if (!name[k]) continue;
        const hol_arena_mark here = hol_arena_here(in->arena);
        const char *whole = hol_arena_print(in->arena, "%s.%s", in->m->body[body].name, name[k]);
        column[k] = whole ? hol_names_find(in->columns, whole) : -1;
        hol_arena_release(in->arena, here);
        found = found && column[k] >= 0;
    }
    return found;
}

enum { NAMED = 6, LIST = 600 };

// "a, b and 3 more"
static void add_name(char list[LIST], int count, const char *name, int length)
{
    const size_t n = strlen(list);
    if (count <= NAMED)
        snprintf(list + n, LIST - n, "%s%.*s", count > 1 ? ", " : "", length > 80 ? 80 : length, name);
}

static void end_list(char list[LIST], int count)
{
    const size_t n = strlen(list);
    if (count > NAMED) snprintf(list + n, LIST - n, " and %d more", count - NAMED);
}

// Bodies of the result that the model has not: what has an orientation.
static int strangers(const reader *in, char list[LIST])
{
    int count = 0;
    for (int i = 1; i < in->r->n_columns; i++) {
        const char *name = in->r->name[i], *dot = strrchr(name, '.');
        if (!dot || (strcmp(dot, ".theta") != 0 && strcmp(dot, ".qw") != 0)) continue;
        const char *body = hol_arena_copy(in->arena, name, (size_t)(dot - name));
        if (body && hol_model_find_body(in->m, body) < 0) add_name(list, ++count, body, (int)strlen(body));
    }
    end_list(list, count);
    return count;
}

// The message for a result that lacks bodies of the model, or is one of another model.
static hol_status missing(const reader *in, const char *list, int n)
{
    char other[LIST] = "";
    const char *model = in->m->spec->file;
    if (strangers(in, other))
        return hol_fail(
            in->ctx, HOL_ERR_USAGE,
            "%s does not fit the model %s: the result has bodies that the model has not: %s; and lacks: %s",
            in->r->file, model, other, list);
    return hol_fail(
        in->ctx, HOL_ERR_USAGE,
        "%s has no poses of %d of the %d bodies of %s: %s; run the model with `simulate: {signals: "
        "[poses, ...]}`, or without `signals`, which writes everything",
        in->r->file, n, in->m->n_bodies, model, list);
}

// Finds the columns of places and rotations of every body; refuses a result of another model.
static hol_status find_columns(reader *in, const hol_poses *w)
{
    char list[LIST] = "", other[LIST] = "";
    int n = 0;
    for (int i = 0; i < in->m->n_bodies; i++)
        if (!find_body(in, i, in->column + w->first[i]))
            add_name(list, ++n, in->m->body[i].name, (int)strlen(in->m->body[i].name));
    end_list(list, n);
    if (n) return missing(in, list, n);
    if (strangers(in, other))
        return hol_fail(in->ctx, HOL_ERR_USAGE,
                        "%s does not fit the model %s: the result has bodies that the model has not: %s",
                        in->r->file, in->m->spec->file, other);
    return HOL_OK;
}

// From the origin of the body's frame to its centre of mass.
static void shift(const hol_model_data *m, int body, char letter, double *out)
{
    double c[3];
    hol_model_com(m, body, c);
    if (letter == 'p') {
        out[0] += cos(out[2]) * c[0] - sin(out[2]) * c[1];
        out[1] += sin(out[2]) * c[0] + cos(out[2]) * c[1];
    } else if (letter == 's') {
        double R[9];
        hol_quat_matrix(out + 3, R);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) out[i] += R[3 * i + j] * c[j];
    }
}

// A marker's columns in the result, and where it is by the model's geometry and the row's pose of its body; false: the
// result lacks them.
static bool find_marker(const reader *in, const hol_poses *w, int body, const hol_marker_info *info,
                        const double *value, double result[3], double model[3])
{
    static const char *const axis[] = {"x", "y", "z"};
    const hol_body *b = &in->m->body[body];
    const double *origin = in->m->marker[b->marker].marker.s;
    hol_real y[7];
    hol_feature f;
    bool found = true;
    for (int k = 0; k < in->m->dimension; k++) {
        const hol_arena_mark here = hol_arena_here(in->arena);
        const char *name = hol_arena_print(in->arena, "%s.%s.%s", b->name, info->name, axis[k]);
        const int column = name ? hol_names_find(in->columns, name) : -1;
        hol_arena_release(in->arena, here);
        found = found && column >= 0;
        if (column >= 0) result[k] = value[column];
    }
    if (!found) return false;
    for (int k = 0; k < b->size; k++) y[k] = value[in->column[w->first[body] + k]];
    hol_marker marker = info->marker; // from the origin of the frame, which the columns are of
    for (int k = 0; k < 3; k++) marker.s[k] -= origin[k];
    hol_feature_eval(&marker, HOL_ORIGIN, y, NULL, 0, &f);
    for (int k = 0; k < in->m->dimension; k++) model[k] = (double)f.f[k];
    return true;
}

static void print_place(char text[100], const double *at, int n)
{
    if (n == 2)
        hol_decimal_print(text, 100, "(%.6g, %.6g)", at[0], at[1]);
    else
        hol_decimal_print(text, 100, "(%.6g, %.6g, %.6g)", at[0], at[1], at[2]);
}

// A model of the same names and other lengths: its markers are not where the result has them.
static hol_status check_markers(const reader *in, const hol_poses *w, const double *value)
{
    const hol_model_data *m = in->m;
    double result[3] = {0}, model[3] = {0};
    for (int i = 0; i < m->n_bodies; i++)
        for (int a = 1; a < m->body[i].n_markers; a++) { // the first is the body frame
            const hol_marker_info *info = &m->marker[m->body[i].marker + a];
            if (!find_marker(in, w, i, info, value, result, model)) continue;
            double off = 0, size = m->length_scale;
            for (int k = 0; k < m->dimension; k++) {
                off = fmax(off, fabs(result[k] - model[k]));
                size = fmax(size, fmax(fabs(result[k]), fabs(model[k]))); // a table may have few digits
            }
            if (!(off > 1e-6 * size)) continue;
            char there[100], here[100];
            print_place(there, result, m->dimension);
            print_place(here, model, m->dimension);
            return hol_fail(in->ctx, HOL_ERR_USAGE,
                            "%s does not fit the model %s: %s.%s is at %s in the result, at %s by the model; "
                            "was the model changed since? Run it again",
                            in->r->file, m->spec->file, m->body[i].name, info->name, there, here);
        }
    return HOL_OK;
}

// Takes the poses row by row; once, markers of the result are held against those of the model.
static hol_status read_rows(reader *in, hol_poses *w)
{
    const hol_result *r = in->r;
    bool checked = false;
    for (size_t k = 0; k < r->n_rows; k++) {
        const double *value = r->value + k * (size_t)r->n_columns;
        double *row = hol_track_row(&w->pose, value[0]);
        if (!row) return HOL_ERR_MEMORY;
        for (size_t i = 0; i < w->pose.width; i++) row[i] = in->column[i] < 0 ? 0 : value[in->column[i]];
        for (int i = 0; i < w->m->n_bodies; i++) shift(w->m, i, hol_poses_letter(w->m, i), row + w->first[i]);
        finish_row(w, row);
        if (checked || !w->pose.pending) continue;
        const hol_status st = check_markers(in, w, value);
        if (st) return st;
        checked = true;
    }
    return hol_poses_end(w, r->file);
}

hol_status hol_poses_read(hol_context *ctx, const hol_model_data *m, const hol_result *r, hol_poses *out)
{
    reader in = {.ctx = ctx, .m = m, .r = r};
    hol_status st = hol_poses_start(ctx, m, (double)r->n_rows, out);
    if (!st && !(in.arena = hol_arena_create(ctx))) st = HOL_ERR_MEMORY;
    if (!st) in.column = hol_arena_alloc(in.arena, out->pose.width + 1, sizeof *in.column);
    if (!st && !in.column) st = HOL_ERR_MEMORY;
    if (!st) st = number_columns(&in);
    if (!st) st = find_columns(&in, out);
    if (!st) st = read_rows(&in, out);
    hol_arena_destroy(in.arena);
    if (st) hol_poses_free(out);
    return st;
}

// ---- coding ---------------------------------------------------------------------------------------------------

void hol_poses_box(const hol_poses *w, double low[3], double *edge)
{
    double high[3] = {0};
    bool begun = false;
    for (int a = 0; a < 3; a++) low[a] = 0;
    for (size_t k = 0; k < w->pose.n; k++)
        for (int i = 0; i < w->m->n_bodies; i++) {
            const double *p = w->pose.value + k * w->pose.width + w->first[i];
            const int axes = hol_poses_letter(w->m, i) == 'p' ? 2 : 3;
            for (int a = 0; a < axes; a++) {
                if (!begun || p[a] < low[a]) low[a] = p[a];
                if (!begun || p[a] > high[a]) high[a] = p[a];
            }
            begun = true;
        }
    *edge = fmax(fmax(high[0] - low[0], high[1] - low[1]), high[2] - low[2]);
    if (!(*edge > 0)) *edge = 1;
}

// What a channel holds: one of the axes, or these.
enum { ANGLE = 3, QUATERNION = 4 };

static unsigned quantise(int what, double x, const double low[3], double edge)
{
    if (what == ANGLE)
        return (unsigned)(long long)llround(fmod(x, 2 * HOL_PI) / (2 * HOL_PI) * 65536) & 0xffff;
    if (what == QUATERNION) return (unsigned)(lround(x * 32767) + 32768);
    return (unsigned)lround((x - low[what]) / edge * MOST_DRAWN);
}

// One coordinate over time as whole numbers, second differences of which are written, low byte and high byte
// apart: they deflate well.
static void code_channel(const hol_poses *w, size_t channel, int what, const double low[3], double edge,
                         unsigned char *out)
{
    const hol_track *t = &w->pose;
    const size_t planes = t->n * t->width;
    unsigned x = 0, x1 = 0, x2 = 0; // now, before, before that
    for (size_t k = 0; k < t->n; k++) {
        x2 = x1;
        x1 = x;
        x = quantise(what, t->value[k * t->width + channel], low, edge);
        const unsigned d = (k == 0 ? x : k == 1 ? x - x1 : x - 2 * x1 + x2) & 0xffff;
        const unsigned zigzag = (d & 0x8000 ? 2 * (0x10000 - d) - 1 : 2 * d) & 0xffff;
        out[channel * t->n + k] = (unsigned char)(zigzag & 0xff);
        out[planes + channel * t->n + k] = (unsigned char)(zigzag >> 8);
    }
}

void hol_poses_tell_box(double length, double edge, hol_print_fn tell, void *user)
{
    char text[200];
    if (!(edge / MOST_DRAWN > 1e-3 * length)) return;
    hol_decimal_print(text, sizeof text, "positions are drawn to %.2g m only, as bodies travel %.3g m",
                      edge / MOST_DRAWN, edge);
    tell(user, text);
}

void hol_poses_code(const hol_poses *w, const double low[3], double edge, unsigned char *out)
{
    for (int i = 0; i < w->m->n_bodies; i++) {
        const char letter = hol_poses_letter(w->m, i);
        const int first = w->first[i], n = w->first[i + 1] - first;
        for (int k = 0; k < n; k++) {
            const int what = k == 2 && letter == 'p' ? ANGLE : k > 2 ? QUATERNION : k;
            code_channel(w, (size_t)(first + k), what, low, edge, out);
        }
    }
}
