// Paths of markers as SVG. Solids are drawn as their shadows on the plane of the picture: the convex hulls of their corners.
#include "io/paths.h"
#include "base/file.h"
#include "model/mesh.h"
#include "scene/motion.h"
#include "scene/solid.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 900, HEIGHT = 700, MARGIN = 60, LEGEND = 170, LINE = 18 }; // [px]

typedef struct {
    const char *name;
    int body;
    double at[3]; // in body axes from the centre of mass
} point;

typedef struct {
    hol_context *ctx;
    const hol_model_data *m;
    hol_poses poses;
    hol_scene *scene;
    int n;
    point point[HOL_PATHS_MOST];
    char name[HOL_PATHS_MOST][200];
    int axis[2];            // of the picture: to the right, up
    double low[2], high[2]; // of what is drawn [m]
    double scale, height;   // [px/m], [px]
    FILE *f;
    // of a run
    hol_context *own, *told;
    const hol_dynamics *d;
    char *path;
} picture;

// ---- markers --------------------------------------------------------------------------------------------------

// "coupler.p" or "coupler", the longest name of a body in front; false: there is none.
static bool find_marker(const hol_model_data *m, const char *name, int *body, int *marker)
{
    char text[200];
    const char *dot = strrchr(name, '.');
    *body = hol_model_find_body(m, name);
    *marker = 0;
    if (*body >= 0 || !dot || (size_t)(dot - name) >= sizeof text) return *body >= 0;
    snprintf(text, sizeof text, "%.*s", (int)(dot - name), name);
    *body = hol_model_find_body(m, text);
    const int found = *body < 0 ? -1 : hol_model_find_marker(m, *body, dot + 1);
    *marker = found < 0 ? 0 : found - m->body[*body].marker;
    return found >= 0;
}

hol_status hol_paths_names(hol_context *ctx, const hol_model_data *m, int n, const char *const *marker,
                           const char *path)
{
    const char *dot = strrchr(path, '.');
    int body, k;
    if (!dot || strcmp(dot, ".svg") != 0)
        return hol_fail(ctx, HOL_ERR_USAGE, "%s: paths are drawn as SVG; give a name that ends in .svg",
                        path);
    if (n > HOL_PATHS_MOST)
        return hol_fail(ctx, HOL_ERR_USAGE, "paths of %d markers are asked for: at most %d are drawn", n,
                        HOL_PATHS_MOST);
    for (int i = 0; i < n; i++)
        if (!find_marker(m, marker[i], &body, &k))
            return hol_fail(
                ctx, HOL_ERR_USAGE,
                "there is no marker \"%.80s\" whose path could be drawn: name it BODY.MARKER, or BODY for "
                "its frame",
                marker[i]);
    return HOL_OK;
}

static void add_point(picture *p, const char *name, int body, int marker)
{
    const hol_marker_info *info = &p->m->marker[p->m->body[body].marker + marker];
    point *new = &p->point[p->n];
    snprintf(p->name[p->n], sizeof p->name[p->n], "%s", name);
    *new = (point){.name = p->name[p->n], .body = body};
    memcpy(new->at, info->marker.s, sizeof new->at);
    p->n++;
}

static bool is_drawn(const picture *p, int body)
{
    for (int i = 0; i < p->scene->n_drawings; i++)
        if (p->scene->drawing[i].body == body) return true;
    return false;
}

// All named markers of bodies that are drawn; the frames of bodies where none has a name.
static void add_all(picture *p)
{
    char name[200];
    for (int frames = 0; frames < 2 && !p->n; frames++)
        for (int i = 0; i < p->m->n_bodies; i++) {
            const hol_body *b = &p->m->body[i];
            if (!is_drawn(p, i)) continue;
            if (frames && p->n < HOL_PATHS_MOST) add_point(p, b->name, i, 0);
            for (int k = 1; k < b->n_markers && !frames && p->n < HOL_PATHS_MOST; k++) {
                const char *own = p->m->marker[b->marker + k].name;
                if (!own || !*own) continue;
                snprintf(name, sizeof name, "%s.%s", b->name, own);
                add_point(p, name, i, k);
            }
        }
}

// ---- places ---------------------------------------------------------------------------------------------------

// Where a point of a body is in a row.
static void place(const picture *p, size_t row, int body, const double at[3], double x[3])
{
    hol_poses_place(&p->poses, p->poses.pose.value + row * p->poses.pose.width, body, at, x);
}

// The axes of the picture: x and y in the plane; in space those without the one along which the paths extend least, up the later one.
static void choose_axes(picture *p)
{
    double low[3] = {DBL_MAX, DBL_MAX, DBL_MAX}, high[3] = {-DBL_MAX, -DBL_MAX, -DBL_MAX}, x[3];
    int least = 2;
    p->axis[0] = 0;
    p->axis[1] = 1;
    if (p->m->dimension == 2) return;
    for (int i = 0; i < p->n; i++)
        for (size_t k = 0; k < p->poses.pose.n; k++) {
            place(p, k, p->point[i].body, p->point[i].at, x);
            for (int a = 0; a < 3; a++) {
                low[a] = fmin(low[a], x[a]);
                high[a] = fmax(high[a], x[a]);
            }
        }
    for (int a = 1; a >= 0; a--)
        if (high[a] - low[a] < (high[least] - low[least]) * (1 - 1e-9)) least = a;
    p->axis[0] = least == 0 ? 1 : 0;
    p->axis[1] = least == 2 ? 1 : 2;
}

// ---- shadows --------------------------------------------------------------------------------------------------

typedef struct {
    double x[2];
} flat;

static int by_place(const void *a, const void *b)
{
    const flat *p = a, *q = b;
    for (int k = 0; k < 2; k++)
        if (p->x[k] != q->x[k]) return p->x[k] < q->x[k] ? -1 : 1;
    return 0;
}

static double turn(const flat *a, const flat *b, const flat *c)
{
    return (b->x[0] - a->x[0]) * (c->x[1] - a->x[1]) - (b->x[1] - a->x[1]) * (c->x[0] - a->x[0]);
}

// The convex hull of n points, anticlockwise, into hull (2 n); how many. Andrew's monotone chain.
static int hull_of(int n, flat *p, flat *hull)
{
    int k = 0;
    qsort(p, (size_t)n, sizeof *p, by_place);
    for (int pass = 0; pass < 2; pass++) {
        const int first = k;
        for (int j = 0; j < n; j++) {
            const flat *next = &p[pass ? n - 1 - j : j];
            while (k >= first + 2 && turn(&hull[k - 2], &hull[k - 1], next) <= 0) k--;
            hull[k++] = *next;
        }
        if (k > 1) k--; // the last is the first of the way back
    }
    return k;
}

// A point in a shape's own axes, on the picture at the start [m].
static flat shadow(const picture *p, const hol_drawing *d, const double own[3])
{
    double R[9], at[3], x[3];
    hol_quat_matrix(d->quat, R);
    for (int i = 0; i < 3; i++) {
        at[i] = d->position[i];
        for (int j = 0; j < 3; j++) at[i] += R[3 * i + j] * own[j];
    }
    place(p, 0, d->body, at, x);
    return (flat){{x[p->axis[0]], x[p->axis[1]]}};
}

// Corners of a shape in its own axes; how many, at most HOL_SOLID_MOST_VERTICES.
static int corners_of(const hol_drawing *d, double (*corner)[3])
{
    const bool round = d->kind == HOL_SHAPE_SPHERE || d->kind == HOL_SHAPE_CAPSULE;
    const hol_solid kind = round                           ? HOL_SOLID_CAPSULE
                           : d->kind == HOL_SHAPE_CYLINDER ? HOL_SOLID_CYLINDER
                                                           : HOL_SOLID_BOX;
    const bool own = kind == HOL_SOLID_BOX || d->touch == HOL_TOUCH_ELLIPSOID;
    const double r = d->size[0], *s = d->size,
                 scale[3] = {r, own ? s[1] : r,
                             own                          ? s[2]
                             : kind == HOL_SOLID_CYLINDER ? s[1]
                                                          : r};
    float at[HOL_SOLID_MOST_VERTICES][3];
    hol_solid_points(kind, d->kind == HOL_SHAPE_CAPSULE && r > 0 ? s[1] / r : 0, at, NULL);
    for (int i = 0; i < hol_solid_vertices(kind); i++)
        for (int k = 0; k < 3; k++) corner[i][k] = (double)at[i][k] * scale[k];
    return hol_solid_vertices(kind);
}

static void widen(picture *p, const flat *a)
{
    for (int k = 0; k < 2; k++) {
        p->low[k] = fmin(p->low[k], a->x[k]);
        p->high[k] = fmax(p->high[k], a->x[k]);
    }
}

static void put(const picture *p, const char *format, ...) HOL_PRINTF(2, 3);
// A piece of the file, numbers with a point whatever the locale is.
static void put(const picture *p, const char *format, ...)
{
    char text[600];
    va_list list;
    va_start(list, format);
    hol_decimal_vprint(text, sizeof text, format, list);
    va_end(list);
    fputs(text, p->f);
}

static double right(const picture *p, double x) { return MARGIN + (x - p->low[0]) * p->scale; }
static double down(const picture *p, double y) { return MARGIN + (p->high[1] - y) * p->scale; }

// An outline or a line of n points; only the box is widened while nothing is written.
static void put_outline(picture *p, int n, const flat *at, bool closed, const char *style)
{
    for (int i = 0; i < n && !p->f; i++) widen(p, &at[i]);
    if (!p->f || !n) return;
    put(p, "<path d=\"");
    for (int i = 0; i < n; i++)
        put(p, "%c%.2f %.2f", i ? 'L' : 'M', right(p, at[i].x[0]), down(p, at[i].x[1]));
    put(p, "%s\" %s/>\n", closed ? "Z" : "", style);
}

static const char body_style[] =
    "fill=\"#9aa3ae\" fill-opacity=\"0.35\" stroke=\"#5c6672\" stroke-width=\"1\"",
                  line_style[] = "fill=\"none\" stroke=\"#5c6672\" stroke-width=\"2\"";

// A shape at the start.
static hol_status put_shape(picture *p, const hol_drawing *d)
{
    double corner[HOL_SOLID_MOST_VERTICES][3];
    hol_mesh mesh = {0};
    if (d->kind == HOL_SHAPE_NONE || d->hole) return HOL_OK;
    if (d->kind == HOL_SHAPE_MESH && hol_mesh_read(p->ctx, d, &mesh)) return hol_context_status(p->ctx);
    const bool line = d->kind == HOL_SHAPE_POLYLINE, file = d->kind == HOL_SHAPE_MESH;
    const int n = line ? d->n_points : file ? mesh.n_vertices : corners_of(d, corner);
    flat *at = hol_calloc(p->ctx, 3 * (size_t)n + 3, sizeof *at), *hull = at ? at + n : NULL;
    for (int i = 0; i < n && at; i++) {
        double own[3];
        for (int k = 0; k < 3; k++)
            own[k] = line ? d->point[3 * i + k] : file ? (double)mesh.position[3 * i + k] : corner[i][k];
        at[i] = shadow(p, d, own);
    }
    if (at && line) put_outline(p, n, at, d->closed, line_style);
    if (at && !line) put_outline(p, hull_of(n, at, hull), hull, true, body_style);
    hol_mesh_destroy(&mesh);
    hol_free(at);
    return at ? HOL_OK : HOL_ERR_MEMORY;
}

// ---- paths and axes -------------------------------------------------------------------------------------------

static const char *const colors[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"};

// A text with what SVG takes for something else written out.
static void put_text(const picture *p, double x, double y, const char *more, const char *text)
{
    put(p, "<text x=\"%.1f\" y=\"%.1f\"%s>", x, y, more);
    for (; *text; text++)
        if (strchr("&<>\"'", *text))
            put(p, "&#%d;", *text);
        else
            putc(*text, p->f);
    put(p, "</text>\n");
}

// The path of a marker, its start as a dot, its name beside the picture.
static hol_status put_path(picture *p, int i)
{
    const size_t n = p->poses.pose.n;
    const char *color = colors[i % HOL_COUNT(colors)];
    char style[100];
    flat *at = hol_calloc(p->ctx, n + 1, sizeof *at);
    if (!at) return HOL_ERR_MEMORY;
    for (size_t k = 0; k < n; k++) {
        double x[3];
        place(p, k, p->point[i].body, p->point[i].at, x);
        at[k] = (flat){{x[p->axis[0]], x[p->axis[1]]}};
    }
    snprintf(style, sizeof style, "fill=\"none\" stroke=\"%s\" stroke-width=\"1.8\"", color);
    put_outline(p, (int)n, at, false, style);
    if (p->f) {
        const double y = MARGIN + LINE * (i + 1);
        put(p, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"4\" fill=\"%s\"/>\n", right(p, at[0].x[0]),
            down(p, at[0].x[1]), color);
        put(p, "<circle cx=\"%d\" cy=\"%.1f\" r=\"4\" fill=\"%s\"/>\n", WIDTH - LEGEND + 10, y - 4, color);
        put_text(p, WIDTH - LEGEND + 22, y, "", p->point[i].name);
    }
    hol_free(at);
    return HOL_OK;
}

// Lines at round lengths, with their numbers.
static void put_axis(const picture *p, int k)
{
    static const char letter[] = "xyz";
    const double wanted = (p->high[k] - p->low[k]) / 6, power = pow(10, floor(log10(wanted))),
                 step = power * (wanted / power > 5   ? 10
                                 : wanted / power > 2 ? 5
                                 : wanted / power > 1 ? 2
                                                      : 1);
    const double x0 = right(p, p->low[0]), x1 = right(p, p->high[0]), y0 = down(p, p->low[1]),
                 y1 = down(p, p->high[1]);
    char text[40];
    for (double i = ceil(p->low[k] / step); i * step <= p->high[k] * (1 + 1e-12) + 1e-12 * step; i++) {
        const double x = right(p, i * step), y = down(p, i * step);
        hol_decimal_print(text, sizeof text, "%.6g", i == 0 ? 0 : i * step); // no -0
        if (k == 0)
            put(p, "<path d=\"M%.2f %.2fV%.2f\" stroke=\"#dfe3e8\"/>\n", x, y0, y1);
        else
            put(p, "<path d=\"M%.2f %.2fH%.2f\" stroke=\"#dfe3e8\"/>\n", x0, y, x1);
        put_text(p, k ? x0 - 6 : x, k ? y + 4 : y0 + 18,
                 k ? " text-anchor=\"end\"" : " text-anchor=\"middle\"", text);
    }
    snprintf(text, sizeof text, "%c [m]", letter[p->axis[k]]);
    put_text(p, k ? x0 : x1, k ? y1 - 10 : y0 + 38, k ? "" : " text-anchor=\"end\"", text);
}

// Everything in metres: shapes, then paths.
static hol_status put_all(picture *p)
{
    hol_status st = HOL_OK;
    for (int i = 0; i < p->scene->n_drawings && !st; i++) st = put_shape(p, &p->scene->drawing[i]);
    for (int i = 0; i < p->n && !st; i++) st = put_path(p, i);
    return st;
}

// One scale for both axes, with a little room around.
static void fit(picture *p)
{
    const double most = fmax(p->high[0] - p->low[0], p->high[1] - p->low[1]),
                 room = most > 0 ? 0.03 * most : 0.5;
    for (int k = 0; k < 2; k++) {
        p->low[k] -= room;
        p->high[k] += room;
    }
    p->scale = fmin((WIDTH - MARGIN - LEGEND - 20) / (p->high[0] - p->low[0]),
                    (HEIGHT - 2 * MARGIN) / (p->high[1] - p->low[1]));
    p->height = fmax((p->high[1] - p->low[1]) * p->scale + 2 * MARGIN, LINE * p->n + 2 * MARGIN);
}

// Paper, axes, mechanism and paths.
static hol_status draw(picture *p, const char *title)
{
    put(p,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\" viewBox=\"0 0 %d %.0f\" "
        "font-family=\"sans-serif\" font-size=\"12\" fill=\"#1c2430\">\n"
        "<rect width=\"%d\" height=\"%.0f\" fill=\"#ffffff\"/>\n",
        WIDTH, p->height, WIDTH, p->height, WIDTH, p->height);
    put_text(p, MARGIN, MARGIN / 2.0, " font-size=\"15\" font-weight=\"bold\"", title);
    for (int k = 0; k < 2; k++) put_axis(p, k);
    const hol_status st = put_all(p);
    put(p, "</svg>\n");
    return st;
}

// The box first, then the file.
static hol_status write_picture(picture *p, const char *path)
{
    hol_output o;
    p->low[0] = p->low[1] = DBL_MAX;
    p->high[0] = p->high[1] = -DBL_MAX;
    hol_status st = put_all(p); // for the box
    if (st) return st;
    if (p->low[0] > p->high[0])
        return hol_fail(p->ctx, HOL_ERR_USAGE, "%s: nothing of the model is drawn, and no marker has a path",
                        path);
    fit(p);
    bool good = hol_output_open(p->ctx, &o, path, HOL_OUTPUT_WHOLE);
    p->f = o.file;
    if (good) st = draw(p, p->m->title ? p->m->title : p->m->spec->file);
    good = good && !st;
    return hol_output_close(&o, good) ? HOL_OK : st ? st : hol_output_fail(p->ctx, &o, path);
}

// The picture of the poses, which are there unless `st` says why not.
static hol_status make(picture *p, hol_status st, const char *path)
{
    if (!st && !(p->scene = hol_poses_scene(&p->poses))) st = hol_context_status(p->ctx);
    if (!st && p->n == 0) add_all(p);
    if (!st) choose_axes(p);
    return st ? st : write_picture(p, path);
}

static void forget(picture *p)
{
    hol_scene_destroy(p->scene);
    hol_poses_free(&p->poses);
    hol_context_destroy(p->own);
    hol_free(p->path);
    hol_free(p);
}

// With the markers that are named, which are good.
static picture *begin(hol_context *ctx, const hol_model_data *m, int n, const char *const *marker)
{
    picture *p = hol_calloc(ctx, 1, sizeof *p);
    if (!p) return NULL;
    *p = (picture){.ctx = ctx, .m = m};
    for (int i = 0; i < n; i++) {
        int body = 0, k = 0;
        if (find_marker(m, marker[i], &body, &k)) add_point(p, marker[i], body, k);
    }
    return p;
}

hol_status hol_paths_to_file(hol_context *ctx, const hol_result *r, const hol_model_data *m, int n,
                             const char *const *marker, const char *path)
{
    picture *p = begin(ctx, m, n, marker);
    if (!p) return HOL_ERR_MEMORY;
    const hol_status st = make(p, hol_poses_read(ctx, m, r, &p->poses), path);
    forget(p);
    return st;
}

// ---- of a run -------------------------------------------------------------------------------------------------

static hol_status record(void *data, double t, const double *value, int n)
{
    picture *p = data;
    (void)value;
    (void)n;
    return hol_poses_add(&p->poses, t, p->d->written->q);
}

static hol_status close_picture(void *data)
{
    picture *p = data;
    hol_context *told = p->told;
    hol_status st = hol_poses_end(&p->poses, p->path);
    st = make(p, st, p->path);
    if (st) st = hol_fail(told, st, "%s", hol_context_error(p->own));
    forget(p);
    return st;
}

hol_status hol_paths_open(hol_context *ctx, const hol_dynamics *d, int n, const char *const *marker,
                          const char *path, hol_sink *out)
{
    hol_context *own = hol_context_create(); // errors of the picture must not be lost behind that of the run
    picture *p = own ? begin(own, d->m, n, marker) : NULL;
    if (!p) {
        hol_context_destroy(own);
        return HOL_ERR_MEMORY;
    }
    p->own = own;
    p->told = ctx;
    p->d = d;
    p->path = hol_calloc(own, strlen(path) + 1, 1);
    hol_status st =
        p->path ? hol_poses_start(own, d->m, hol_settings_rows(&d->set), &p->poses) : HOL_ERR_MEMORY;
    if (st) {
        forget(p);
        return st;
    }
    memcpy(p->path, path, strlen(path));
    *out = (hol_sink){p, record, close_picture, NULL};
    return HOL_OK;
}
