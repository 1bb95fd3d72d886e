// The motion as glTF; see gltf.h.
//
// The binary part is planned first: what stands where follows from counts alone. The JSON is then printed twice, to be
// counted and to be written, and the numbers go to the file body after body.
#include "io/gltf.h"
#include "base/file.h"
#include "io/json.h"
#include "io/summary.h"
#include "model/mesh.h"
#include "scene/motion.h"
#include "scene/scene.h"
#include "scene/solid.h"
#include "scene/swing.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

// Triangles that nodes share. Normals and faces are those of the first one of the same solid.
typedef struct {
    bool from_file;
    hol_solid kind;
    double length;             // of a capsule
    const hol_drawing *source; // of a mesh file
    hol_mesh mesh;
    int first, like; // its first accessor; the geometry with the same normals and faces
} geometry;

typedef struct {
    int geometry, color;
} surface; // a mesh of glTF: triangles and a material

// A solid on a body.
typedef struct {
    int body, surface;
    double position[3], quat[4], scale[3];
} solid;

typedef struct {
    hol_context *ctx;
    const hol_model_data *m;
    const char *title, *path;
    hol_poses poses;
    hol_scene *scene;
    const hol_modes *modes; // an animation for each; NULL: one of a run
    int n_animations;
    int n_frames, n_geometries, n_surfaces, n_colors, n_solids;
    int room[5];
    int *frame;   // rows of the poses that are written               (n_frames, of each animation)
    double start; // time of the first one if that is negative: glTF begins at 0 or later  [s]
    geometry *geometry;
    surface *surface;
    int *color;                       // 0xRRGGBB
    solid *solid;                     // by body, ground's first
    size_t motion, vertices, corners; // bytes
    FILE *file;
    size_t counted; // characters of the JSON
} document;

// One more item of a list, which may move; NULL: no memory.
static void *more(document *g, void *list, int which, int *n, size_t size)
{
    void *old;
    memcpy(&old, list, sizeof old);
    char *grown = hol_grow(g->ctx, old, &g->room[which], *n + 1, size);
    if (!grown) return NULL;
    memcpy(list, &grown, sizeof grown);
    return memset(grown + (size_t)(*n)++ * size, 0, size);
}

// ---- solids ---------------------------------------------------------------------------------------------------

// The colours of the report page (viewer/src/colours.js): by turns, of many bodies a run along their list.
static int body_color(int body, int n)
{
    static const int few[] = {0x5b8db8, 0xd69a5c, 0x6aa893, 0xb98aa6, 0x8fb3cf, 0xc9b35f, 0x8d90b8, 0xb07f6c};
    static const int run[] = {0x4f7ea8, 0x68a69a, 0xd2b46c, 0xc58268};
    enum { MANY = 16, GROUND = 0x9aa3ae };
    if (body < 0) return GROUND;
    if (n <= MANY) return few[body % HOL_COUNT(few)];
    const double x = (double)body / (n - 1) * (HOL_COUNT(run) - 1);
    const int i = x < HOL_COUNT(run) - 2 ? (int)x : HOL_COUNT(run) - 2;
    int color = 0;
    for (int shift = 16; shift >= 0; shift -= 8) {
        const int a = run[i] >> shift & 0xff, b = run[i + 1] >> shift & 0xff;
        color = color << 8 | (int)lround(a + (x - i) * (b - a));
    }
    return color;
}

enum { LEFT_OUT = -2 }; // a mesh that cannot be read, which has been told

// Has the mesh file been read, or tried in vain, for a drawing before this one?
static bool tried_before(const document *g, const hol_drawing *d)
{
    for (const hol_drawing *p = g->scene->drawing; p < d; p++)
        if (p->kind == HOL_SHAPE_MESH && hol_mesh_same(p, d)) return true;
    return false;
}

// -1: no memory, or the mesh file cannot be read.
static int find_geometry(document *g, geometry wanted)
{
    wanted.like = g->n_geometries;
    for (int i = g->n_geometries - 1; i >= 0; i--) {
        const geometry *a = &g->geometry[i];
        if (a->from_file != wanted.from_file) continue;
        if (a->from_file) {
            if (hol_mesh_same(a->source, wanted.source)) return i;
        } else if (a->kind == wanted.kind) {
            // as exactly as the file has lengths: equal links that differ by rounding share their triangles
            if ((float)a->length == (float)wanted.length) return i;
            wanted.like = a->like;
        }
    }
    if (wanted.from_file && tried_before(g, wanted.source)) return LEFT_OUT;
    if (wanted.from_file && hol_mesh_read(g->ctx, wanted.source, &wanted.mesh)) return -1;
    geometry *new = more(g, &g->geometry, 0, &g->n_geometries, sizeof *new);
    if (!new) {
        hol_mesh_destroy(&wanted.mesh);
        return -1;
    }
    *new = wanted;
    return g->n_geometries - 1;
}

static int find_color(document *g, int color)
{
    for (int i = g->n_colors - 1; i >= 0; i--)
        if (g->color[i] == color) return i;
    int *new = more(g, &g->color, 1, &g->n_colors, sizeof *new);
    if (!new) return -1;
    *new = color;
    return g->n_colors - 1;
}

static int find_surface(document *g, int of, int color)
{
    for (int i = g->n_surfaces - 1; i >= 0; i--)
        if (g->surface[i].geometry == of && g->surface[i].color == color) return i;
    surface *new = more(g, &g->surface, 2, &g->n_surfaces, sizeof *new);
    if (!new) return -1;
    *new = (surface){of, color};
    return g->n_surfaces - 1;
}

// A mesh whose file cannot be read is told and not drawn, as in the report.
static hol_status leave_out(const document *g)
{
    hol_note(g->ctx, HOL_NOTICE, "export: a mesh is not drawn: %s", hol_context_error(g->ctx));
    hol_context_clear(g->ctx);
    return HOL_OK;
}

// A solid of a body: its geometry once for all that are alike, its surface (geometry and colour), its place.
static hol_status add_solid(document *g, const hol_drawing *d, geometry wanted, const double position[3],
                            const double quat[4], const double scale[3])
{
    const int of = find_geometry(g, wanted), own = d->color;
    if (of == LEFT_OUT) return HOL_OK;
    if (of < 0 && hol_context_status(g->ctx) == HOL_ERR_MODEL) return leave_out(g);
    const int color = of < 0 ? -1 : find_color(g, own >= 0 ? own : body_color(d->body, g->m->n_bodies));
    const int number = color < 0 ? -1 : find_surface(g, of, color);
    solid *new = number < 0 ? NULL : more(g, &g->solid, 3, &g->n_solids, sizeof *new);
    if (!new) return hol_context_status(g->ctx) ? hol_context_status(g->ctx) : HOL_ERR_MEMORY;
    new->body = d->body;
    new->surface = number;
    memcpy(new->position, position, sizeof new->position);
    memcpy(new->quat, quat, sizeof new->quat);
    memcpy(new->scale, scale, sizeof new->scale);
    return HOL_OK;
}

// Inferred links of neighbours have one radius and meet in one place: there they would flicker.
static double thinner(const hol_drawing *d)
{
    return d->inferred && d->body > 0 ? 1 - 0.015 * (d->body % 4) : 1;
}

static hol_status add_capsule(document *g, const hol_drawing *d, const double position[3],
                              const double quat[4], double radius, double length)
{
    const double r = radius * thinner(d);
    return add_solid(g, d, (geometry){.kind = HOL_SOLID_CAPSULE, .length = r > 0 ? length / r : 0}, position,
                     quat, (const double[3]){r, r, r});
}

// The shortest turn of z to a direction of length 1.
static void turn_z_to(const double u[3], double quat[4])
{
    const double w = sqrt(fmax(0, (1 + u[2]) / 2));
    const bool back = w < 1e-8;
    quat[0] = back ? 0 : w;
    quat[1] = back ? 1 : -u[1] / (2 * w);
    quat[2] = back ? 0 : u[0] / (2 * w);
    quat[3] = 0;
}

// Lines of a polyline are capsules.
static hol_status add_polyline(document *g, const hol_drawing *d)
{
    const int n = d->closed ? d->n_points : d->n_points - 1;
    double R[9];
    hol_status st = HOL_OK;
    hol_quat_matrix(d->quat, R);
    for (int i = 0; i < n && !st; i++) {
        const double *a = d->point + 3 * i, *b = d->point + 3 * ((i + 1) % d->n_points);
        double u[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, middle[3], turn[4], quat[4];
        const double length = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
        for (int k = 0; k < 3; k++) {
            u[k] = length > 0 ? u[k] / length : k == 2;
            middle[k] = d->position[k];
            for (int j = 0; j < 3; j++) middle[k] += R[3 * k + j] * (a[j] + b[j]) / 2;
        }
        turn_z_to(u, turn);
        hol_quat_multiply(d->quat, turn, quat);
        st = add_capsule(g, d, middle, quat, d->size[0], length);
    }
    return st;
}

// The solids a shape is made of.
static hol_status add_drawing(document *g, const hol_drawing *d)
{
    const double *s = d->size;
    switch (d->kind) {
    case HOL_SHAPE_BOX: return add_solid(g, d, (geometry){.kind = HOL_SOLID_BOX}, d->position, d->quat, s);
    case HOL_SHAPE_CYLINDER:
        return add_solid(g, d, (geometry){.kind = HOL_SOLID_CYLINDER}, d->position, d->quat,
                         (const double[3]){s[0], s[0], s[1]});
    case HOL_SHAPE_SPHERE:
        if (d->touch == HOL_TOUCH_ELLIPSOID)
            return add_solid(g, d, (geometry){.kind = HOL_SOLID_CAPSULE}, d->position, d->quat, s);
        return add_capsule(g, d, d->position, d->quat, s[0], 0);
    case HOL_SHAPE_CAPSULE: return add_capsule(g, d, d->position, d->quat, s[0], s[1]);
    case HOL_SHAPE_POLYLINE: return add_polyline(g, d);
    case HOL_SHAPE_MESH:
        return add_solid(g, d, (geometry){.from_file = true, .source = d}, d->position, d->quat,
                         (const double[3]){1, 1, 1});
    case HOL_SHAPE_NONE: break;
    }
    return HOL_OK;
}

// ---- the plan -------------------------------------------------------------------------------------------------

static int vertices(const geometry *a)
{
    return a->from_file ? a->mesh.n_vertices : hol_solid_vertices(a->kind);
}

static int triangles(const geometry *a)
{
    return a->from_file ? a->mesh.n_triangles : hol_solid_triangles(a->kind);
}

static bool turns(const document *g, int body) { return hol_poses_letter(g->m, body) != 'o'; }

enum { VECTOR = 3 * sizeof(float), TURN = 4 * sizeof(float), CORNERS = 3 * sizeof(uint32_t) };

// Accessors: of each geometry positions and, if it is the first of its kind, normals (mesh files have none: viewers make
// them) and faces; then the times of all animations; then for each animation of each body positions and orientations.
static hol_status plan(document *g)
{
    int n = 0;
    for (int i = 0; i < g->n_geometries; i++) {
        geometry *a = &g->geometry[i];
        const bool first = a->like == i, smooth = first && !a->from_file;
        a->first = n;
        n += 1 + smooth + first;
        g->vertices += (size_t)vertices(a) * VECTOR * (size_t)(1 + smooth);
        g->corners += first ? (size_t)triangles(a) * CORNERS : 0;
    }
    g->motion = (size_t)g->n_frames * sizeof(float);
    for (int i = 0; i < g->m->n_bodies; i++)
        g->motion +=
            (size_t)g->n_animations * (size_t)g->n_frames * (size_t)(VECTOR + (turns(g, i) ? TURN : 0));
    if (g->motion + g->vertices + g->corners < UINT32_MAX / 2) return HOL_OK;
    return hol_fail(g->ctx, HOL_ERR_IO,
                    "%s: the file would be larger than 2 GB; write fewer times (simulate.output)", g->path);
}

// Times as the file has them must increase.
static hol_status choose_frames(document *g)
{
    const hol_track *t = &g->poses.pose;
    g->frame = hol_calloc(g->ctx, t->n + 1, sizeof *g->frame);
    if (!g->frame) return HOL_ERR_MEMORY;
    g->start = t->time[0] < 0 ? t->time[0] : 0;
    g->n_animations = 1;
    for (size_t k = 0; k < t->n; k++) {
        const float before = g->n_frames ? (float)(t->time[g->frame[g->n_frames - 1]] - g->start) : -1;
        if ((float)(t->time[k] - g->start) > before) g->frame[g->n_frames++] = (int)k;
    }
    return HOL_OK;
}

// The rows of modes stand behind that of the pose, those of one after those of the other.
static hol_status choose_modes(document *g, int n)
{
    g->n_animations = n;
    g->n_frames = HOL_SWING_ROWS;
    g->frame = hol_calloc(g->ctx, (size_t)n * HOL_SWING_ROWS, sizeof *g->frame);
    if (!g->frame) return HOL_ERR_MEMORY;
    g->start = g->poses.pose.time[1]; // the first mode's
    for (int k = 0; k < n * HOL_SWING_ROWS; k++) g->frame[k] = 1 + k;
    return HOL_OK;
}

static double frame_time(const document *g, int k)
{
    return (double)(float)(g->poses.pose.time[g->frame[k]] - g->start);
}

static void tell(void *user, const char *text)
{
    const document *g = user;
    hol_note(g->ctx, HOL_NOTICE, "export: %s", text);
}

// Notes on what the file does not show: times left out, a start before 0, forces whose length changes.
static void tell_what_is_missing(document *g)
{
    char text[200];
    int forces = 0;
    hol_poses_tell(&g->poses, tell, g);
    const size_t dropped = g->modes ? 0 : g->poses.pose.n - (size_t)g->n_frames;
    snprintf(text, sizeof text, "%zu of the times are left out: they do not lie behind the one before them",
             dropped);
    if (dropped) tell(g, text);
    hol_decimal_print(text, sizeof text, "the animation begins at 0, which is t = %.6g s", g->start);
    if (g->start < 0) tell(g, text);
    for (int i = 0; i < g->scene->n_joints; i++)
        forces += g->scene->joint[i].role == HOL_ROLE_FORCE && g->scene->joint[i].n_ends == 2;
    snprintf(text, sizeof text,
             "left out are forces between two ends, such as springs, whose length changes: %d", forces);
    if (forces) tell(g, text);
}

// ---- the numbers ----------------------------------------------------------------------------------------------

static void position_of(const document *g, int body, int row, double out[3])
{
    const hol_track *t = &g->poses.pose;
    const double *p = t->value + (size_t)row * t->width + g->poses.first[body];
    out[0] = p[0];
    out[1] = p[1];
    out[2] = hol_poses_letter(g->m, body) == 'p' ? 0 : p[2];
}

// Scalar last, as glTF has it.
static void turn_of(const document *g, int body, int row, double out[4])
{
    const hol_track *t = &g->poses.pose;
    const double *p = t->value + (size_t)row * t->width + g->poses.first[body];
    const bool planar = hol_poses_letter(g->m, body) == 'p';
    out[0] = planar ? 0 : p[4];
    out[1] = planar ? 0 : p[5];
    out[2] = planar ? sin(p[2] / 2) : p[6];
    out[3] = planar ? cos(p[2] / 2) : p[3];
}

// Positions and normals of all vertices, in single precision.
static void write_vertices(const document *g)
{
    float position[HOL_SOLID_MOST_VERTICES][3], normal[HOL_SOLID_MOST_VERTICES][3];
    for (int i = 0; i < g->n_geometries; i++) {
        const geometry *a = &g->geometry[i];
        const size_t n = (size_t)vertices(a);
        if (a->from_file) {
            fwrite(a->mesh.position, VECTOR, n, g->file);
            continue;
        }
        hol_solid_points(a->kind, a->length, position, normal);
        fwrite(position, VECTOR, n, g->file);
        if (a->like == i) fwrite(normal, VECTOR, n, g->file);
    }
}

// Vertices of the triangles of all geometries that are not like one before.
static void write_corners(const document *g)
{
    unsigned corner[HOL_SOLID_MOST_TRIANGLES][3];
    static_assert(sizeof *corner == CORNERS, "unsigned has 32 bits");
    for (int i = 0; i < g->n_geometries; i++) {
        const geometry *a = &g->geometry[i];
        if (a->like != i) continue;
        if (!a->from_file) hol_solid_faces(a->kind, corner);
        fwrite(a->from_file ? a->mesh.index : *corner, CORNERS, (size_t)triangles(a), g->file);
    }
}

// float32, little endian as the machine is.
static void write_floats(const document *g, const double *x, int n)
{
    float out[4];
    for (int k = 0; k < n; k++) out[k] = (float)x[k];
    fwrite(out, sizeof *out, (size_t)n, g->file);
}

// Places, then rotations of each body in an animation.
static void write_animation(const document *g, int animation)
{
    const int *row = g->frame + animation * g->n_frames;
    double x[4];
    for (int i = 0; i < g->m->n_bodies; i++) {
        for (int k = 0; k < g->n_frames; k++) {
            position_of(g, i, row[k], x);
            write_floats(g, x, 3);
        }
        for (int k = 0; k < g->n_frames && turns(g, i); k++) {
            turn_of(g, i, row[k], x);
            write_floats(g, x, 4);
        }
    }
}

// Times, then one animation after the other.
static void write_motion(const document *g)
{
    double x[4];
    for (int k = 0; k < g->n_frames; k++) {
        x[0] = frame_time(g, k);
        write_floats(g, x, 1);
    }
    for (int a = 0; a < g->n_animations; a++) write_animation(g, a);
}

// ---- the JSON -------------------------------------------------------------------------------------------------

static void put_numbers(hol_json *j, const char *key, const double *x, int n)
{
    hol_json_open(j, key, '[');
    for (int i = 0; i < n; i++) hol_json_number(j, NULL, x[i]);
    hol_json_close(j, ']');
}

static void put_turn(hol_json *j, const double quat[4])
{
    put_numbers(j, "rotation", (const double[4]){quat[1], quat[2], quat[3], quat[0]}, 4);
}

// glTF has y upwards. Upwards is the axis nearest to the opposite of gravity, z without; planar models stand already.
static void put_upright(hol_json *j, const hol_model_data *m)
{
    const double h = sqrt(0.5), *gravity = m->spec->gravity;
    const double turn[3][2][4] = {{{h, 0, 0, h}, {h, 0, 0, -h}}, // scalar first, of x, -x, y, ..
                                  {{1, 0, 0, 0}, {0, 1, 0, 0}},
                                  {{h, -h, 0, 0}, {h, h, 0, 0}}};
    int axis = 2;
    for (int k = 0; k < 3; k++)
        if (fabs(gravity[k]) > fabs(gravity[axis])) axis = k;
    put_turn(j, m->dimension == 2 ? turn[1][0] : turn[axis][gravity[axis] > 0]);
}

// Nodes: the root, the bodies, the solids.
static int put_solids_of(hol_json *j, const document *g, int body, int next)
{
    for (; next < g->n_solids && g->solid[next].body == body; next++)
        hol_json_number(j, NULL, 1 + g->m->n_bodies + next);
    return next;
}

// The node above all, which stands upright by gravity; returns the node number after it.
static int put_root(hol_json *j, const document *g)
{
    hol_json_open(j, NULL, '{');
    hol_json_text(j, "name", g->title);
    put_upright(j, g->m);
    hol_json_open(j, "children", '[');
    for (int i = 0; i < g->m->n_bodies; i++) hol_json_number(j, NULL, 1 + i);
    const int next = put_solids_of(j, g, -1, 0);
    hol_json_close(j, ']');
    hol_json_close(j, '}');
    return next;
}

// A body's node with its place at the start; next: the number of its first solid. Returns the one after the
// last.
static int put_body(hol_json *j, const document *g, int body, int next)
{
    double x[4];
    hol_json_open(j, NULL, '{');
    hol_json_text(j, "name", g->m->body[body].name);
    position_of(g, body, 0, x);
    put_numbers(j, "translation", x, 3);
    if (turns(g, body)) {
        turn_of(g, body, 0, x);
        put_numbers(j, "rotation", x, 4);
    }
    if (next < g->n_solids && g->solid[next].body == body) {
        hol_json_open(j, "children", '[');
        next = put_solids_of(j, g, body, next);
        hol_json_close(j, ']');
    }
    hol_json_close(j, '}');
    return next;
}

// The tree of nodes: root, bodies, solids.
static void put_nodes(hol_json *j, const document *g)
{
    hol_json_open(j, "nodes", '[');
    int next = put_root(j, g);
    for (int i = 0; i < g->m->n_bodies; i++) next = put_body(j, g, i, next);
    for (int i = 0; i < g->n_solids; i++) {
        const solid *s = &g->solid[i];
        hol_json_open(j, NULL, '{');
        hol_json_number(j, "mesh", s->surface);
        put_numbers(j, "translation", s->position, 3);
        put_turn(j, s->quat);
        put_numbers(j, "scale", s->scale, 3);
        hol_json_close(j, '}');
    }
    hol_json_close(j, ']');
}

// Colours of screens are not proportional to light; those of glTF are (sRGB, IEC 61966-2-1).
static double light(int level)
{
    const double x = level / 255.0;
    return x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4);
}

// One material per colour.
static void put_materials(hol_json *j, const document *g)
{
    hol_json_open(j, "materials", '[');
    for (int i = 0; i < g->n_colors; i++) {
        const int c = g->color[i];
        char name[8];
        snprintf(name, sizeof name, "#%06x", (unsigned)c & 0xffffff);
        hol_json_open(j, NULL, '{');
        hol_json_text(j, "name", name);
        hol_json_open(j, "pbrMetallicRoughness", '{');
        put_numbers(j, "baseColorFactor",
                    (const double[4]){light(c >> 16 & 0xff), light(c >> 8 & 0xff), light(c & 0xff), 1}, 4);
        hol_json_number(j, "metallicFactor", 0);
        hol_json_number(j, "roughnessFactor", 0.6);
        hol_json_close(j, '}');
        hol_json_close(j, '}');
    }
    hol_json_close(j, ']');
}

// One mesh per surface: a geometry with a material.
static void put_meshes(hol_json *j, const document *g)
{
    hol_json_open(j, "meshes", '[');
    for (int i = 0; i < g->n_surfaces; i++) {
        const geometry *a = &g->geometry[g->surface[i].geometry], *like = &g->geometry[a->like];
        hol_json_open(j, NULL, '{');
        hol_json_open(j, "primitives", '[');
        hol_json_open(j, NULL, '{');
        hol_json_open(j, "attributes", '{');
        hol_json_number(j, "POSITION", a->first);
        if (!a->from_file) hol_json_number(j, "NORMAL", like->first + 1);
        hol_json_close(j, '}');
        hol_json_number(j, "indices", like->first + (a->from_file ? 1 : 2));
        hol_json_number(j, "material", g->surface[i].color);
        hol_json_close(j, '}');
        hol_json_close(j, ']');
        hol_json_close(j, '}');
    }
    hol_json_close(j, ']');
}

enum { MOTION_VIEW, VERTEX_VIEW, CORNER_VIEW }; // the last two only if there are solids
enum { UNSIGNED_INT = 5125, FLOAT = 5126, ARRAY_BUFFER = 34962, ELEMENT_ARRAY_BUFFER = 34963 };

// low, high: what the file's numbers reach, NULL: not said. *offset is moved behind it.
static void put_accessor(hol_json *j, int view, size_t *offset, int count, int numbers, const double *low,
                         const double *high)
{
    static const char *const type[] = {NULL, "SCALAR", NULL, "VEC3", "VEC4"};
    hol_json_open(j, NULL, '{');
    hol_json_number(j, "bufferView", view);
    hol_json_number(j, "byteOffset", (double)*offset);
    hol_json_number(j, "componentType", view == CORNER_VIEW ? UNSIGNED_INT : FLOAT);
    hol_json_number(j, "count", count);
    hol_json_text(j, "type", type[numbers]);
    if (low) put_numbers(j, "min", low, numbers);
    if (high) put_numbers(j, "max", high, numbers);
    hol_json_close(j, '}');
    *offset += (size_t)count * (size_t)numbers * sizeof(float);
}

// The box that a geometry fills, which a file of this format must name.
static void reach(const geometry *a, double low[3], double high[3])
{
    float position[HOL_SOLID_MOST_VERTICES][3];
    if (!a->from_file) hol_solid_points(a->kind, a->length, position, NULL);
    const float *p = a->from_file ? a->mesh.position : *position;
    for (int i = 0; i < vertices(a); i++)
        for (int k = 0; k < 3; k++) {
            const double x = (double)p[3 * i + k];
            low[k] = i ? fmin(low[k], x) : x;
            high[k] = i ? fmax(high[k], x) : x;
        }
}

// Where in the binary part vertices, corners and motion stand, in the order in which they are written.
static void put_accessors(hol_json *j, const document *g)
{
    size_t vertex = 0, corner = 0, motion = 0;
    hol_json_open(j, "accessors", '[');
    for (int i = 0; i < g->n_geometries; i++) {
        const geometry *a = &g->geometry[i];
        double low[3], high[3];
        reach(a, low, high);
        put_accessor(j, VERTEX_VIEW, &vertex, vertices(a), 3, low, high);
        if (a->like != i) continue;
        if (!a->from_file) put_accessor(j, VERTEX_VIEW, &vertex, vertices(a), 3, NULL, NULL);
        put_accessor(j, CORNER_VIEW, &corner, 3 * triangles(a), 1, NULL, NULL);
    }
    const double first = frame_time(g, 0), last = frame_time(g, g->n_frames - 1);
    put_accessor(j, MOTION_VIEW, &motion, g->n_frames, 1, &first, &last);
    for (int i = 0; i < g->n_animations * g->m->n_bodies; i++) {
        put_accessor(j, MOTION_VIEW, &motion, g->n_frames, 3, NULL, NULL);
        if (turns(g, i % g->m->n_bodies)) put_accessor(j, MOTION_VIEW, &motion, g->n_frames, 4, NULL, NULL);
    }
    hol_json_close(j, ']');
}

static int time_accessor(const document *g)
{
    int n = 0;
    for (int i = 0; i < g->n_geometries; i++)
        n += 1 + (g->geometry[i].like == i ? 1 + !g->geometry[i].from_file : 0);
    return n;
}

// A sampler for places and one for rotations of each body that turns, all with the same times.
static void put_samplers(hol_json *j, const document *g, int animation)
{
    const int input = time_accessor(g);
    int each = 0;
    for (int i = 0; i < g->m->n_bodies; i++) each += 1 + turns(g, i);
    int output = input + 1 + animation * each;
    hol_json_open(j, "samplers", '[');
    for (int i = 0; i < g->m->n_bodies; i++)
        for (int k = 0; k < 1 + turns(g, i); k++) {
            hol_json_open(j, NULL, '{');
            hol_json_number(j, "input", input);
            hol_json_number(j, "output", output++);
            hol_json_text(j, "interpolation", "LINEAR");
            hol_json_close(j, '}');
        }
    hol_json_close(j, ']');
}

// Which sampler moves which node, and whether its place or its rotation.
static void put_channels(hol_json *j, const document *g)
{
    int sampler = 0;
    hol_json_open(j, "channels", '[');
    for (int i = 0; i < g->m->n_bodies; i++)
        for (int k = 0; k < 1 + turns(g, i); k++) {
            hol_json_open(j, NULL, '{');
            hol_json_number(j, "sampler", sampler++);
            hol_json_open(j, "target", '{');
            hol_json_number(j, "node", 1 + i);
            hol_json_text(j, "path", k ? "rotation" : "translation");
            hol_json_close(j, '}');
            hol_json_close(j, '}');
        }
    hol_json_close(j, ']');
}

// The motion of a run, or one for each mode.
static void put_animations(hol_json *j, const document *g)
{
    char label[100] = "motion", name[120];
    hol_json_open(j, "animations", '[');
    for (int a = 0; a < g->n_animations; a++) {
        hol_json_open(j, NULL, '{');
        if (g->modes) hol_swing_label(&g->modes->mode[a], label, sizeof label);
        snprintf(name, sizeof name, "mode %d: %s", a + 1, label);
        hol_json_text(j, "name", g->modes ? name : label);
        put_samplers(j, g, a);
        put_channels(j, g);
        hol_json_close(j, '}');
    }
    hol_json_close(j, ']');
}

static void put_view(hol_json *j, size_t offset, size_t bytes, int target)
{
    hol_json_open(j, NULL, '{');
    hol_json_number(j, "buffer", 0);
    hol_json_number(j, "byteOffset", (double)offset);
    hol_json_number(j, "byteLength", (double)bytes);
    if (target == ARRAY_BUFFER) hol_json_number(j, "byteStride", VECTOR);
    if (target) hol_json_number(j, "target", target);
    hol_json_close(j, '}');
}

// The three views of the one buffer: motion, vertices, corners.
static void put_buffers(hol_json *j, const document *g)
{
    hol_json_open(j, "bufferViews", '[');
    put_view(j, 0, g->motion, 0);
    if (g->n_geometries) put_view(j, g->motion, g->vertices, ARRAY_BUFFER);
    if (g->n_geometries) put_view(j, g->motion + g->vertices, g->corners, ELEMENT_ARRAY_BUFFER);
    hol_json_close(j, ']');
    hol_json_open(j, "buffers", '[');
    hol_json_open(j, NULL, '{');
    hol_json_number(j, "byteLength", (double)(g->motion + g->vertices + g->corners));
    hol_json_close(j, '}');
    hol_json_close(j, ']');
}

// The whole JSON part.
static void put_document(document *g, hol_print_fn print)
{
    hol_json json = {.print = print, .user = g, .flat = true}, *j = &json;
    hol_json_open(j, NULL, '{');
    hol_json_open(j, "asset", '{');
    hol_json_text(j, "version", "2.0");
    hol_json_text(j, "generator", "holonom " HOL_VERSION);
    hol_json_close(j, '}');
    hol_json_number(j, "scene", 0);
    hol_json_open(j, "scenes", '[');
    hol_json_open(j, NULL, '{');
    hol_json_text(j, "name", g->title);
    put_numbers(j, "nodes", (const double[1]){0}, 1);
    hol_json_close(j, '}');
    hol_json_close(j, ']');
    put_nodes(j, g);
    if (g->n_solids) {
        put_materials(j, g);
        put_meshes(j, g);
    }
    put_animations(j, g);
    put_accessors(j, g);
    put_buffers(j, g);
    hol_json_close(j, '}');
}

// ---- the file -------------------------------------------------------------------------------------------------

static void count_text(void *user, const char *text)
{
    document *g = user;
    g->counted += strlen(text);
}

static void write_text(void *user, const char *text)
{
    const document *g = user;
    fputs(text, g->file);
}

static void write_word(const document *g, size_t x)
{
    const uint32_t word = (uint32_t)x;
    fwrite(&word, sizeof word, 1, g->file);
}

// A GLB file: head, JSON chunk, binary chunk, each of a multiple of four bytes.
static void write_binary(document *g)
{
    enum { MAGIC = 0x46546C67, JSON = 0x4E4F534A, BIN = 0x004E4942, HEADER = 12, CHUNK = 8 };
    put_document(g, count_text);
    const size_t json = (g->counted + 3) / 4 * 4, numbers = g->motion + g->vertices + g->corners;
    write_word(g, MAGIC);
    write_word(g, 2);
    write_word(g, HEADER + CHUNK + json + CHUNK + numbers);
    write_word(g, json);
    write_word(g, JSON);
    put_document(g, write_text);
    for (size_t i = g->counted; i < json; i++) putc(' ', g->file);
    write_word(g, numbers);
    write_word(g, BIN);
    write_motion(g);
    write_vertices(g);
    write_corners(g);
}

static hol_status write_file(document *g)
{
    hol_output o;
    const bool open = hol_output_open(g->ctx, &o, g->path, HOL_OUTPUT_WHOLE);
    g->file = o.file;
    if (open) write_binary(g);
    return hol_output_close(&o, open) ? HOL_OK : hol_output_fail(g->ctx, &o, g->path);
}

// Frees what the document holds.
static void forget(document *g)
{
    for (int i = 0; i < g->n_geometries; i++) hol_mesh_destroy(&g->geometry[i].mesh);
    hol_free(g->geometry);
    hol_free(g->surface);
    hol_free(g->color);
    hol_free(g->solid);
    hol_free(g->frame);
    hol_scene_destroy(g->scene);
    hol_poses_free(&g->poses);
}

hol_status hol_gltf_check_name(hol_context *ctx, const char *path)
{
    const char *dot = strrchr(path, '.');
    hol_context_clear(ctx);
    if (dot && strcmp(dot, ".glb") == 0) return HOL_OK;
    return hol_fail(ctx, HOL_ERR_USAGE,
                    "%s: a motion is exported as binary glTF; give a name that ends in .glb", path);
}

// The poses and the frames are there, unless `st` says why not.
static hol_status make(document *g, hol_status st)
{
    if (!st && !(g->scene = hol_poses_scene(&g->poses))) st = hol_context_status(g->ctx);
    for (int i = 0; !st && i < g->scene->n_drawings; i++) st = add_drawing(g, &g->scene->drawing[i]);
    if (!st) st = plan(g);
    if (!st) tell_what_is_missing(g);
    if (!st) st = write_file(g);
    forget(g);
    return st;
}

hol_status hol_gltf_of_result(hol_context *ctx, const hol_result *r, const hol_model_data *m,
                              const char *path)
{
    document g = {.ctx = ctx, .m = m, .path = path};
    g.title = r->title ? r->title : m->title ? m->title : r->file;
    hol_status st = hol_poses_read(ctx, m, r, &g.poses);
    if (st) return st;
    char remark[HOL_REMARK];
    if (hol_result_remark(r, m->spec, remark)) hol_note(ctx, HOL_NOTICE, "%s", remark);
    st = choose_frames(&g);
    return make(&g, st);
}

hol_status hol_gltf_of_modes(hol_context *ctx, const hol_modes *modes, const hol_model_data *m,
                             const char *path)
{
    document g = {.ctx = ctx, .m = m, .path = path, .modes = modes};
    hol_swings swings;
    g.title = m->title ? m->title : m->spec->file;
    hol_status st = hol_swings_create(ctx, m, modes, HOL_POSES_MOST, &swings);
    if (st) return st;
    g.poses = swings.poses;
    hol_swing_tell(&swings, modes, tell, &g);
    st = choose_modes(&g, swings.n);
    return make(&g, st);
}
