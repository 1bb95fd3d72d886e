// The motion as glTF; see gltf.h.
//
// The binary part is planned first: what stands where follows from counts alone. The JSON is then printed twice, to be
// counted and to be written, and the numbers go to the file body after body.
#include "io/gltf.h"
#include "base/file.h"
#include "io/gltf_data.h"
#include "io/summary.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

// ---- the plan -------------------------------------------------------------------------------------------------

int hol_gltf_vertices(const hol_gltf_geometry *a)
{
    return a->from_file ? a->mesh.n_vertices : hol_solid_vertices(a->kind);
}

int hol_gltf_triangles(const hol_gltf_geometry *a)
{
    return a->from_file ? a->mesh.n_triangles : hol_solid_triangles(a->kind);
}

bool hol_gltf_turns(const hol_gltf *g, int body) { return hol_poses_letter(g->m, body) != 'o'; }

// Accessors: of each geometry positions and, if it is the first of its kind, normals (mesh files have none: viewers make
// them) and faces; then the times of all animations; then for each animation of each body positions and orientations.
static hol_status plan(hol_gltf *g)
{
    int n = 0;
    for (int i = 0; i < g->n_geometries; i++) {
        hol_gltf_geometry *a = &g->geometry[i];
        const bool first = a->like == i, smooth = first && !a->from_file;
        a->first = n;
        n += 1 + smooth + first;
        g->vertices += (size_t)hol_gltf_vertices(a) * HOL_GLTF_VECTOR * (size_t)(1 + smooth);
        g->corners += first ? (size_t)hol_gltf_triangles(a) * HOL_GLTF_CORNERS : 0;
    }
    g->motion = (size_t)g->n_frames * sizeof(float);
    for (int i = 0; i < g->m->n_bodies; i++)
        g->motion += (size_t)g->n_animations * (size_t)g->n_frames *
                     (size_t)(HOL_GLTF_VECTOR + (hol_gltf_turns(g, i) ? HOL_GLTF_TURN : 0));
    g->motion += hol_gltf_contact_bytes(g);
    if (g->motion + g->vertices + g->corners < UINT32_MAX / 2) return HOL_OK;
    return hol_fail(g->ctx, HOL_ERR_IO,
                    "%s: the file would be larger than 2 GB; write fewer times (simulate.output)", g->path);
}

// Times as the file has them must increase.
static hol_status choose_frames(hol_gltf *g)
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
static hol_status choose_modes(hol_gltf *g, int n)
{
    g->n_animations = n;
    g->n_frames = HOL_SWING_ROWS;
    g->frame = hol_calloc(g->ctx, (size_t)n * HOL_SWING_ROWS, sizeof *g->frame);
    if (!g->frame) return HOL_ERR_MEMORY;
    g->start = g->poses.pose.time[1]; // the first mode's
    for (int k = 0; k < n * HOL_SWING_ROWS; k++) g->frame[k] = 1 + k;
    return HOL_OK;
}

double hol_gltf_time(const hol_gltf *g, int k)
{
    return (double)(float)(g->poses.pose.time[g->frame[k]] - g->start);
}

static void tell(void *user, const char *text)
{
    const hol_gltf *g = user;
    hol_note(g->ctx, HOL_NOTICE, "export: %s", text);
}

// Notes on what the file does not show: times left out, a start before 0, forces whose length changes.
static void tell_what_is_missing(hol_gltf *g)
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

void hol_gltf_position(const hol_gltf *g, int body, int row, double out[3])
{
    const hol_track *t = &g->poses.pose;
    const double *p = t->value + (size_t)row * t->width + g->poses.first[body];
    out[0] = p[0];
    out[1] = p[1];
    out[2] = hol_poses_letter(g->m, body) == 'p' ? 0 : p[2];
}

void hol_gltf_turn(const hol_gltf *g, int body, int row, double out[4])
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
static void write_vertices(const hol_gltf *g)
{
    float position[HOL_SOLID_MOST_VERTICES][3], normal[HOL_SOLID_MOST_VERTICES][3];
    for (int i = 0; i < g->n_geometries; i++) {
        const hol_gltf_geometry *a = &g->geometry[i];
        const size_t n = (size_t)hol_gltf_vertices(a);
        if (a->from_file) {
            fwrite(a->mesh.position, HOL_GLTF_VECTOR, n, g->file);
            continue;
        }
        hol_solid_points(a->kind, a->length, position, normal);
        fwrite(position, HOL_GLTF_VECTOR, n, g->file);
        if (a->like == i) fwrite(normal, HOL_GLTF_VECTOR, n, g->file);
    }
}

// Vertices of the triangles of all geometries that are not like one before.
static void write_corners(const hol_gltf *g)
{
    unsigned corner[HOL_SOLID_MOST_TRIANGLES][3];
    static_assert(sizeof *corner == HOL_GLTF_CORNERS, "unsigned has 32 bits");
    for (int i = 0; i < g->n_geometries; i++) {
        const hol_gltf_geometry *a = &g->geometry[i];
        if (a->like != i) continue;
        if (!a->from_file) hol_solid_faces(a->kind, corner);
        fwrite(a->from_file ? a->mesh.index : *corner, HOL_GLTF_CORNERS, (size_t)hol_gltf_triangles(a),
               g->file);
    }
}

// float32, little endian as the machine is.
static void write_floats(const hol_gltf *g, const double *x, int n)
{
    float out[4];
    for (int k = 0; k < n; k++) out[k] = (float)x[k];
    fwrite(out, sizeof *out, (size_t)n, g->file);
}

// Places, then rotations of each body in an animation.
static void write_animation(const hol_gltf *g, int animation)
{
    const int *row = g->frame + animation * g->n_frames;
    double x[4];
    for (int i = 0; i < g->m->n_bodies; i++) {
        for (int k = 0; k < g->n_frames; k++) {
            hol_gltf_position(g, i, row[k], x);
            write_floats(g, x, 3);
        }
        for (int k = 0; k < g->n_frames && hol_gltf_turns(g, i); k++) {
            hol_gltf_turn(g, i, row[k], x);
            write_floats(g, x, 4);
        }
    }
}

// Times, then one animation after the other, then contacts.
static void write_motion(const hol_gltf *g)
{
    double x[4];
    for (int k = 0; k < g->n_frames; k++) {
        x[0] = hol_gltf_time(g, k);
        write_floats(g, x, 1);
    }
    for (int a = 0; a < g->n_animations; a++) write_animation(g, a);
    for (int i = 0, node; i < hol_gltf_contact_tracks(g); i++) {
        const char *path;
        const int n = hol_gltf_contact_track(g, i, &node, &path);
        for (int k = 0; k < g->n_frames; k++) {
            hol_gltf_contact_values(g, i, k, x);
            write_floats(g, x, n);
        }
    }
}

// ---- the file -------------------------------------------------------------------------------------------------

static void count_text(void *user, const char *text)
{
    hol_gltf *g = user;
    g->counted += strlen(text);
}

static void write_text(void *user, const char *text)
{
    const hol_gltf *g = user;
    fputs(text, g->file);
}

static void write_word(const hol_gltf *g, size_t x)
{
    const uint32_t word = (uint32_t)x;
    fwrite(&word, sizeof word, 1, g->file);
}

// A GLB file: head, JSON chunk, binary chunk, each of a multiple of four bytes.
static void write_binary(hol_gltf *g)
{
    enum { MAGIC = 0x46546C67, JSON = 0x4E4F534A, BIN = 0x004E4942, HEADER = 12, CHUNK = 8 };
    hol_gltf_put(g, count_text);
    const size_t json = (g->counted + 3) / 4 * 4, numbers = g->motion + g->vertices + g->corners;
    write_word(g, MAGIC);
    write_word(g, 2);
    write_word(g, HEADER + CHUNK + json + CHUNK + numbers);
    write_word(g, json);
    write_word(g, JSON);
    hol_gltf_put(g, write_text);
    for (size_t i = g->counted; i < json; i++) putc(' ', g->file);
    write_word(g, numbers);
    write_word(g, BIN);
    write_motion(g);
    write_vertices(g);
    write_corners(g);
}

static hol_status write_file(hol_gltf *g)
{
    hol_output o;
    const bool open = hol_output_open(g->ctx, &o, g->path, HOL_OUTPUT_WHOLE);
    g->file = o.file;
    if (open) write_binary(g);
    return hol_output_close(&o, open) ? HOL_OK : hol_output_fail(g->ctx, &o, g->path);
}

// Frees what the document holds.
static void forget(hol_gltf *g)
{
    for (int i = 0; i < g->n_geometries; i++) hol_mesh_destroy(&g->geometry[i].mesh);
    hol_free(g->geometry);
    hol_free(g->surface);
    hol_free(g->color);
    hol_free(g->solid);
    hol_free(g->frame);
    hol_gltf_free_contacts(g);
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
static hol_status make(hol_gltf *g, hol_status st)
{
    if (!st && !(g->scene = hol_poses_scene(&g->poses))) st = hol_context_status(g->ctx);
    for (int i = 0; !st && i < g->scene->n_drawings; i++) st = hol_gltf_add(g, &g->scene->drawing[i]);
    if (!st) st = hol_gltf_find_contacts(g, tell);
    if (!st) st = plan(g);
    if (!st) tell_what_is_missing(g);
    if (!st) st = write_file(g);
    forget(g);
    return st;
}

hol_status hol_gltf_of_result(hol_context *ctx, const hol_result *r, const hol_model_data *m,
                              const char *path)
{
    hol_gltf g = {.ctx = ctx, .m = m, .path = path, .result = r};
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
    hol_gltf g = {.ctx = ctx, .m = m, .path = path, .modes = modes};
    hol_swings swings;
    g.title = m->title ? m->title : m->spec->file;
    hol_status st = hol_swings_create(ctx, m, modes, HOL_POSES_MOST, &swings);
    if (st) return st;
    g.poses = swings.poses;
    hol_swing_tell(&swings, modes, tell, &g);
    st = choose_modes(&g, swings.n);
    return make(&g, st);
}
