// The JSON part of an export as glTF.
#include "io/gltf_data.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

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
static int put_solids_of(hol_json *j, const hol_gltf *g, int body, int next)
{
    for (; next < g->n_solids && g->solid[next].body == body; next++)
        hol_json_number(j, NULL, 1 + g->m->n_bodies + next);
    return next;
}

// The node above all, which stands upright by gravity; returns the node number after it.
static int put_root(hol_json *j, const hol_gltf *g)
{
    hol_json_open(j, NULL, '{');
    hol_json_text(j, "name", g->title);
    put_upright(j, g->m);
    hol_json_open(j, "children", '[');
    for (int i = 0; i < g->m->n_bodies; i++) hol_json_number(j, NULL, 1 + i);
    const int next = put_solids_of(j, g, -1, 0);
    hol_gltf_put_contact_roots(j, g);
    hol_json_close(j, ']');
    hol_json_close(j, '}');
    return next;
}

// A body's node with its place at the start; next: the number of its first solid. Returns the one after the
// last.
static int put_body(hol_json *j, const hol_gltf *g, int body, int next)
{
    double x[4];
    hol_json_open(j, NULL, '{');
    hol_json_text(j, "name", g->m->body[body].name);
    hol_gltf_position(g, body, 0, x);
    put_numbers(j, "translation", x, 3);
    if (hol_gltf_turns(g, body)) {
        hol_gltf_turn(g, body, 0, x);
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
static void put_nodes(hol_json *j, const hol_gltf *g)
{
    hol_json_open(j, "nodes", '[');
    int next = put_root(j, g);
    for (int i = 0; i < g->m->n_bodies; i++) next = put_body(j, g, i, next);
    for (int i = 0; i < g->n_solids; i++) {
        const hol_gltf_solid *s = &g->solid[i];
        hol_json_open(j, NULL, '{');
        hol_json_number(j, "mesh", s->surface);
        put_numbers(j, "translation", s->position, 3);
        put_turn(j, s->quat);
        put_numbers(j, "scale", s->scale, 3);
        hol_json_close(j, '}');
    }
    hol_gltf_put_contact_nodes(j, g);
    hol_json_close(j, ']');
}

// Colours of screens are not proportional to light; those of glTF are (sRGB, IEC 61966-2-1).
static double light(int level)
{
    const double x = level / 255.0;
    return x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4);
}

// One material per colour.
static void put_materials(hol_json *j, const hol_gltf *g)
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
static void put_meshes(hol_json *j, const hol_gltf *g)
{
    hol_json_open(j, "meshes", '[');
    for (int i = 0; i < g->n_surfaces; i++) {
        const hol_gltf_geometry *a = &g->geometry[g->surface[i].geometry], *like = &g->geometry[a->like];
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
static void reach(const hol_gltf_geometry *a, double low[3], double high[3])
{
    float position[HOL_SOLID_MOST_VERTICES][3];
    if (!a->from_file) hol_solid_points(a->kind, a->length, position, NULL);
    const float *p = a->from_file ? a->mesh.position : *position;
    for (int i = 0; i < hol_gltf_vertices(a); i++)
        for (int k = 0; k < 3; k++) {
            const double x = (double)p[3 * i + k];
            low[k] = i ? fmin(low[k], x) : x;
            high[k] = i ? fmax(high[k], x) : x;
        }
}

// Where in the binary part vertices, corners and motion stand, in the order in which they are written.
static void put_accessors(hol_json *j, const hol_gltf *g)
{
    size_t vertex = 0, corner = 0, motion = 0;
    hol_json_open(j, "accessors", '[');
    for (int i = 0; i < g->n_geometries; i++) {
        const hol_gltf_geometry *a = &g->geometry[i];
        double low[3], high[3];
        reach(a, low, high);
        put_accessor(j, VERTEX_VIEW, &vertex, hol_gltf_vertices(a), 3, low, high);
        if (a->like != i) continue;
        if (!a->from_file) put_accessor(j, VERTEX_VIEW, &vertex, hol_gltf_vertices(a), 3, NULL, NULL);
        put_accessor(j, CORNER_VIEW, &corner, 3 * hol_gltf_triangles(a), 1, NULL, NULL);
    }
    const double first = hol_gltf_time(g, 0), last = hol_gltf_time(g, g->n_frames - 1);
    put_accessor(j, MOTION_VIEW, &motion, g->n_frames, 1, &first, &last);
    for (int i = 0; i < g->n_animations * g->m->n_bodies; i++) {
        put_accessor(j, MOTION_VIEW, &motion, g->n_frames, 3, NULL, NULL);
        if (hol_gltf_turns(g, i % g->m->n_bodies))
            put_accessor(j, MOTION_VIEW, &motion, g->n_frames, 4, NULL, NULL);
    }
    for (int i = 0, node; i < hol_gltf_contact_tracks(g); i++) {
        const char *path;
        const int numbers = hol_gltf_contact_track(g, i, &node, &path);
        put_accessor(j, MOTION_VIEW, &motion, g->n_frames, numbers, NULL, NULL);
    }
    hol_json_close(j, ']');
}

static int time_accessor(const hol_gltf *g)
{
    int n = 0;
    for (int i = 0; i < g->n_geometries; i++)
        n += 1 + (g->geometry[i].like == i ? 1 + !g->geometry[i].from_file : 0);
    return n;
}

static void put_sampler(hol_json *j, int input, int output)
{
    hol_json_open(j, NULL, '{');
    hol_json_number(j, "input", input);
    hol_json_number(j, "output", output);
    hol_json_text(j, "interpolation", "LINEAR");
    hol_json_close(j, '}');
}

// A sampler for places and one for rotations of each body that turns, and those of contacts, all with the same times.
static void put_samplers(hol_json *j, const hol_gltf *g, int animation)
{
    const int input = time_accessor(g);
    int each = 0;
    for (int i = 0; i < g->m->n_bodies; i++) each += 1 + hol_gltf_turns(g, i);
    const int first = input + 1 + animation * each, n = each + hol_gltf_contact_tracks(g);
    hol_json_open(j, "samplers", '[');
    for (int i = 0; i < n; i++) put_sampler(j, input, first + i);
    hol_json_close(j, ']');
}

static void put_channel(hol_json *j, int sampler, int node, const char *path)
{
    hol_json_open(j, NULL, '{');
    hol_json_number(j, "sampler", sampler);
    hol_json_open(j, "target", '{');
    hol_json_number(j, "node", node);
    hol_json_text(j, "path", path);
    hol_json_close(j, '}');
    hol_json_close(j, '}');
}

// Which sampler moves which node, and whether its place, its rotation or its size.
static void put_channels(hol_json *j, const hol_gltf *g)
{
    int sampler = 0;
    hol_json_open(j, "channels", '[');
    for (int i = 0; i < g->m->n_bodies; i++)
        for (int k = 0; k < 1 + hol_gltf_turns(g, i); k++)
            put_channel(j, sampler++, 1 + i, k ? "rotation" : "translation");
    for (int i = 0, node; i < hol_gltf_contact_tracks(g); i++) {
        const char *path;
        (void)hol_gltf_contact_track(g, i, &node, &path);
        put_channel(j, sampler++, node, path);
    }
    hol_json_close(j, ']');
}

// The motion of a run, or one for each mode.
static void put_animations(hol_json *j, const hol_gltf *g)
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
    if (target == ARRAY_BUFFER) hol_json_number(j, "byteStride", HOL_GLTF_VECTOR);
    if (target) hol_json_number(j, "target", target);
    hol_json_close(j, '}');
}

// The three views of the one buffer: motion, vertices, corners.
static void put_buffers(hol_json *j, const hol_gltf *g)
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

void hol_gltf_put(hol_gltf *g, hol_print_fn print)
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
    if (g->n_surfaces) {
        put_materials(j, g);
        put_meshes(j, g);
    }
    put_animations(j, g);
    put_accessors(j, g);
    put_buffers(j, g);
    hol_json_close(j, '}');
}
