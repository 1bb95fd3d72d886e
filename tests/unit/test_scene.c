// What is drawn of a model: shapes as given, shapes inferred, loops, mesh files.
#include "model/mesh.h"
#include "scene/scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

static void near(double have, double want, double tolerance)
{
    if (!(fabs(have - want) <= tolerance)) fail_msg("%.17g, must be %.17g", have, want);
}

typedef struct {
    hol_context *ctx;
    hol_model_data *m;
    hol_scene *scene;
} fixture;

static fixture load(hol_spec *spec, hol_context *ctx)
{
    fixture f = {.ctx = ctx};
    f.m = spec ? hol_model_compile(spec) : NULL;
    f.scene = f.m ? hol_scene_create(ctx, f.m, f.m->q0) : NULL;
    if (!f.scene) fail_msg("%s", hol_context_error(ctx));
    return f;
}

static fixture load_file(const char *path)
{
    hol_context *ctx = hol_context_create();
    return load(hol_spec_read_file(ctx, path, NULL, 0), ctx);
}

static fixture load_text(const char *text)
{
    hol_context *ctx = hol_context_create();
    return load(hol_spec_read_text(ctx, "text", text, strlen(text), NULL, 0), ctx);
}

static void drop(fixture *f)
{
    hol_scene_destroy(f->scene);
    hol_model_free(f->m);
    hol_context_destroy(f->ctx);
}

// ---- geometry -------------------------------------------------------------------------------------------------

static double off_segment(const double *a, const double *b, const double *c)
{
    double along = 0, whole = 0, sum = 0;
    for (int i = 0; i < 3; i++) {
        along += (c[i] - a[i]) * (b[i] - a[i]);
        whole += (b[i] - a[i]) * (b[i] - a[i]);
    }
    const double part = whole > 0 ? fmin(fmax(along / whole, 0), 1) : 0;
    for (int i = 0; i < 3; i++) sum += pow(a[i] + part * (b[i] - a[i]) - c[i], 2);
    return sqrt(sum);
}

// How far a place of the body is outside a drawing of it; 0: on it or in it.
static double outside(const hol_drawing *d, const double *place)
{
    double R[9], p[3] = {0}, off = HOL_INF;
    hol_quat_matrix(d->quat, R);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) p[i] += R[3 * k + i] * (place[k] - d->position[k]);
    const double half = d->size[1] / 2, a[3] = {0, 0, -half}, b[3] = {0, 0, half};
    switch (d->kind) {
    case HOL_SHAPE_CAPSULE: off = off_segment(a, b, p) - d->size[0]; break;
    case HOL_SHAPE_SPHERE: off = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) - d->size[0]; break;
    case HOL_SHAPE_CYLINDER:
        off = fmax(sqrt(p[0] * p[0] + p[1] * p[1]) - d->size[0], fabs(p[2]) - half);
        break;
    case HOL_SHAPE_BOX:
        off =
            fmax(fmax(fabs(p[0]) - d->size[0] / 2, fabs(p[1]) - d->size[1] / 2), fabs(p[2]) - d->size[2] / 2);
        break;
    case HOL_SHAPE_POLYLINE:
        for (int k = 0; k + !d->closed < d->n_points; k++)
            off = fmin(off, off_segment(&d->point[3 * k], &d->point[3 * ((k + 1) % d->n_points)], p));
        off -= d->size[0];
        break;
    case HOL_SHAPE_MESH:
    case HOL_SHAPE_NONE: break;
    }
    return fmax(off, 0);
}

// ---- what is inferred -----------------------------------------------------------------------------------------

static bool has_place(const hol_scene_joint *j)
{
    static const char *const none[] = {"torque", "angle", "orientation", "perpendicular", "parallel-axes"};
    for (int i = 0; i < HOL_COUNT(none); i++)
        if (strcmp(j->type, none[i]) == 0) return false;
    return true;
}

// Every body has drawings; if these are inferred, every end of a joint lies on one, and none is larger than the model.
static void check_connected(const char *name, const fixture *f)
{
    const hol_scene *s = f->scene;
    bool *seen = calloc((size_t)f->m->n_bodies + 1, sizeof *seen),
         *given = calloc((size_t)f->m->n_bodies + 1, 1);
    assert_true(seen && given && s->length > 0);
    for (int i = 0; i < s->n_drawings; i++) {
        const hol_drawing *d = &s->drawing[i];
        seen[d->body + 1] = true;
        given[d->body + 1] |= !d->inferred;
        assert_true(i == 0 || s->drawing[i - 1].body <= d->body);
        for (int k = 0; k < 3; k++) assert_true(isfinite(d->position[k]) && d->size[k] >= 0);
        if (d->kind != HOL_SHAPE_MESH) assert_true(d->size[0] > 0);
        near(d->quat[0] * d->quat[0] + d->quat[1] * d->quat[1] + d->quat[2] * d->quat[2] +
                 d->quat[3] * d->quat[3],
             1, 1e-12);
    }
    for (int i = 0; i < f->m->n_bodies; i++)
        if (!seen[i + 1]) fail_msg("%s: body %s is not drawn", name, f->m->body[i].name);
    for (int i = 0; i < s->n_joints; i++)
        for (int k = 0; k < s->joint[i].n_ends && has_place(&s->joint[i]); k++) {
            const hol_scene_end *end = &s->joint[i].end[k];
            double off = HOL_INF;
            if (end->body < 0 || given[end->body + 1]) continue;
            for (int a = 0; a < s->n_drawings; a++)
                if (s->drawing[a].body == end->body) off = fmin(off, outside(&s->drawing[a], end->position));
            if (!(off < 1e-6 * s->length))
                fail_msg("%s: end %d of %s is %g m off its body", name, k, s->joint[i].name, off);
        }
    free(seen);
    free(given);
}

static void bodies_are_connected_at_their_joints(void **state)
{
    (void)state;
    static const char *const models[] = {"pendulum",
                                         "double_pendulum",
                                         "four_bar",
                                         "slider_crank",
                                         "andrews",
                                         "bricard",
                                         "hmmwv",
                                         "net",
                                         "tower",
                                         "walker",
                                         "flyball",
                                         "rolling_disc",
                                         "valve_train",
                                         "knife_edge",
                                         "gear_train",
                                         "car_axis",
                                         "chain3d",
                                         "ladder",
                                         "impact_stop",
                                         "hydraulic",
                                         "ring",
                                         "double_pendulum_3d",
                                         "cam_follower",
                                         "bushing_pendulum",
                                         "inverted_pendulum",
                                         "oblique_sphere",
                                         "circle_spring",
                                         "stiff_chain",
                                         "stiff_pendulum",
                                         "stiff_pendulum_angle"};
    for (int i = 0; i < HOL_COUNT(models); i++) {
        char path[80];
        snprintf(path, sizeof path, "models/%s.yaml", models[i]);
        fixture f = load_file(path);
        check_connected(models[i], &f);
        drop(&f);
    }
}

static void assert_same_drawings(const hol_scene *a, const hol_scene *b)
{
    assert_int_equal(a->n_drawings, b->n_drawings);
    near(a->length, b->length, 1e-9 * a->length);
    for (int i = 0; i < a->n_drawings; i++) {
        const hol_drawing *d = &a->drawing[i], *e = &b->drawing[i];
        assert_int_equal(d->kind, e->kind);
        assert_int_equal(d->body, e->body);
        assert_int_equal(d->n_points, e->n_points);
        for (int k = 0; k < 3; k++) {
            near(d->position[k], e->position[k], 1e-9);
            near(d->size[k], e->size[k], 1e-9);
        }
    }
}

static const char loop_of[] =
    "dimension: 3\n"
    "bodies:\n"
    "  - {name: %s, mass: 1, inertia: [0.1, 0.2, 0.25], %s position: %s, com: [0.1, 0, 0]}\n"
    "  - {name: %s, mass: 2, inertia: [0.1, 0.2, 0.25], %s position: %s}\n"
    "joints:\n"
    "  - {name: j, type: spherical, between: [%s: [1, 0, 0], %s: [0, 0.5, 0.2]]}\n"
    "  - {name: k, type: spherical, between: [%s: [0, 1, 0], ground]}\n"
    "  - {name: l, type: spherical, between: [%s: [0, 0, 1], ground]}\n";

static fixture load_loop(const char *a, const char *b, const char *turn, const char *xa, const char *xb)
{
    char text[1200];
    snprintf(text, sizeof text, loop_of, a, turn, xa, b, turn, xb, a, b, a, a);
    return load_text(text);
}

static void drawings_do_not_depend_on_names_or_axes(void **state)
{
    (void)state;
    fixture f = load_loop("a", "b", "", "[0, 0, 0]", "[1, -0.5, -0.2]");
    fixture renamed = load_loop("zulu", "alpha", "", "[0, 0, 0]", "[1, -0.5, -0.2]");
    fixture turned =
        load_loop("a", "b", "orientation: {axis: [0, 0, 1], angle: 90 deg},", "[3, 0, 0]", "[3.5, 1, -0.2]");
    check_connected("loop", &f);
    assert_same_drawings(f.scene, renamed.scene);
    assert_same_drawings(f.scene, turned.scene);
    drop(&f);
    drop(&renamed);
    drop(&turned);
}

static const hol_drawing *only(const fixture *f)
{
    assert_int_equal(f->scene->n_drawings, 1);
    return &f->scene->drawing[0];
}

// Springs of lengths 1, 2 and 9 between centres of mass, in both orders.
static void the_typical_length_does_not_depend_on_the_order_of_forces(void **state)
{
    static const char *const spring[] = {
        "{name: s, type: spring-damper, between: [ground, a], stiffness: 1}",
        "{name: t, type: spring-damper, between: [ground, b], stiffness: 1}",
        "{name: u, type: spring-damper, between: [ground, c], stiffness: 1}"};
    (void)state;
    for (int more = 0; more < 2; more++) { // a body of length 3 says it alone
        double length[2];
        for (int order = 0; order < 2; order++) {
            char text[1000];
            snprintf(text, sizeof text,
                     "dimension: 2\ngravity: [0, 0]\nbodies:\n- {name: a, type: point, mass: 1, position: "
                     "[1, 0]}\n"
                     "- {name: b, type: point, mass: 1, position: [9, 0]}\n"
                     "- {name: c, type: point, mass: 1, position: [0, 2]}\n%sforces:\n- %s\n- %s\n- %s\n",
                     more ? "- {name: d, mass: 1, inertia: 1, markers: {left: [-1, 0], right: [2, 0]}}\n"
                          : "",
                     spring[order ? 2 : 0], spring[1], spring[order ? 0 : 2]);
            fixture f = load_text(text);
            length[order] = f.scene->length;
            drop(&f);
        }
        near(length[0], more ? 3 : 2, 1e-12);
        near(length[1], length[0], 1e-12);
    }
}

static void a_body_without_places_has_its_inertia(void **state)
{
    (void)state;
    // a brick of 1 m x 2 m x 3 m and 12 kg, and the same turned in its frame
    fixture f = load_text("dimension: 3\nbodies: [{name: a, mass: 12, inertia: [13, 10, 5]}]\n");
    const hol_drawing *d = only(&f);
    assert_int_equal(d->kind, HOL_SHAPE_BOX);
    for (int i = 0; i < 3; i++) near(d->size[i], i + 1, 1e-12);
    drop(&f);
    f = load_text("dimension: 3\nbodies: [{name: a, mass: 12, inertia: [11.5, 11.5, 5, 1.5, 0, 0]}]\n");
    d = only(&f);
    double R[9];
    hol_quat_matrix(d->quat, R);
    for (int i = 0; i < 3; i++) // its edges along the axes of the tensor
        for (int k = 0; k < 3; k++) {
            const double J[9] = {11.5, 1.5, 0, 1.5, 11.5, 0, 0, 0, 5};
            double along = 0;
            for (int a = 0; a < 3; a++)
                for (int b = 0; b < 3; b++) along += R[3 * a + i] * J[3 * a + b] * R[3 * b + k];
            const double *e = d->size;
            const double want =
                i == k ? e[(i + 1) % 3] * e[(i + 1) % 3] + e[(i + 2) % 3] * e[(i + 2) % 3] : 0;
            near(along, want, 1e-12);
        }
    drop(&f);
    f = load_text("dimension: 2\nbodies: [{name: a, mass: 2, inertia: 0.25}]\n");
    d = f.scene->drawing;
    assert_int_equal(f.scene->n_drawings, 2); // and a spoke
    assert_int_equal(d->kind, HOL_SHAPE_CYLINDER);
    near(d->size[0], 0.5, 1e-12); // m r^2/2
    drop(&f);
    f = load_text("dimension: 2\nbodies: [{name: a, type: point, mass: 2}]\n");
    assert_int_equal(only(&f)->kind, HOL_SHAPE_SPHERE);
    drop(&f);
}

static void a_slender_bar_goes_through_its_centre(void **state)
{
    (void)state;
    fixture f =
        load_text("dimension: 2\nbodies: [{name: a, mass: 3, inertia: 1, position: [0, -1], com: [0, -1]}]\n"
                  "joints: [{name: j, type: revolute, between: [ground: [0, -1], a]}]\n");
    const hol_drawing *d = only(&f);
    assert_int_equal(d->kind, HOL_SHAPE_CAPSULE);
    near(d->size[1], 2, 1e-12);
    for (int i = 0; i < 3; i++) near(d->position[i], 0, 1e-12); // about the centre of mass
    drop(&f);
    // too small an inertia for a bar: a link and a disc
    f = load_text(
        "dimension: 2\nbodies: [{name: a, mass: 3, inertia: 0.01, position: [0, -1], com: [0, -1]}]\n"
        "joints: [{name: j, type: revolute, between: [ground: [0, -1], a]}]\n");
    assert_int_equal(f.scene->n_drawings, 2);
    check_connected("bob", &f);
    drop(&f);
}

static void many_places_make_a_frame_or_a_star(void **state)
{
    (void)state;
    fixture f = load_text("dimension: 2\nbodies:\n  - {name: a, mass: 1, inertia: 1, markers: {a: [0, 0], b: "
                          "[2, 0], c: [2, 2], "
                          "d: [0, 2], within: [0.5, 1], edge: [1, 0], twin: [2, 2]}}\n");
    assert_int_equal(f.scene->n_drawings, 2);
    const hol_drawing *d = f.scene->drawing;
    assert_int_equal(d[0].kind, HOL_SHAPE_POLYLINE);
    assert_true(d[0].closed);
    assert_int_equal(d[0].n_points, 4);
    assert_int_equal(d[1].kind, HOL_SHAPE_CAPSULE); // to the place within
    drop(&f);
    f = load_text("dimension: 2\nbodies: [{name: a, mass: 1, inertia: 1, markers: {a: [0, 0], b: [2, 2], c: "
                  "[1, 1]}}]\n");
    near(only(&f)->size[1], sqrt(8), 1e-9);
    drop(&f);
    f = load_text("dimension: 3\nbodies: [{name: a, mass: 1, inertia: 1, markers: {a: [0, 0, 0], b: [2, 0, "
                  "0], c: [0, 1, 0]}}]\n");
    assert_int_equal(f.scene->n_drawings, 3);
    drop(&f);
}

// ---- what is given --------------------------------------------------------------------------------------------

static void shapes_are_as_given(void **state)
{
    (void)state;
    fixture f = load_text(
        "dimension: 3\n"
        "units: {length: mm, angle: deg}\n"
        "parameters: {r: 50}\n"
        "ground: {shape: {type: box, size: [1000, 2000, 10], position: [0, 0, -500], color: \"#0A80fF\"}}\n"
        "bodies:\n"
        "  - name: a\n"
        "    mass: 1\n"
        "    inertia: 1e6\n"
        "    com: [0, 0, 100]\n"
        "    shape: [{type: cylinder, radius: 2*r, length: 200, axis: [2, 0, 0], position: [0, 10, 0]},\n"
        "            {type: capsule, from: [0, 0, 0], to: [0, 300, 0], radius: r}]\n"
        "  - {name: b, mass: 1, inertia: 1e6, shape: none}\n"
        "  - for: i in 1..2\n"
        "    name: c{i}\n"
        "    mass: 1\n"
        "    inertia: 1e6\n"
        "    shape: [{type: polyline, points: [[0, 0, 0], [100*i, 0, 0]], closed: yes},\n"
        "            {type: mesh, file: part{i}.stl, scale: 1, orientation: {axis: [0, 0, 1], angle: "
        "180}}]\n");
    const hol_drawing *d = f.scene->drawing;
    assert_int_equal(f.scene->n_drawings, 7);
    assert_int_equal(d[0].body, -1);
    assert_int_equal(d[0].color, 0x0a80ff);
    near(d[0].size[1], 2, 1e-12);
    near(d[0].position[2], -0.5, 1e-12);
    double R[9];
    hol_quat_matrix(d[1].quat, R);
    near(R[2], 1, 1e-12); // its z axis is x
    near(d[1].size[0], 0.1, 1e-12);
    near(d[1].size[1], 0.2, 1e-12);
    near(d[1].position[1], 0.01, 1e-12);
    near(d[1].position[2], -0.1, 1e-12); // from the centre of mass
    assert_int_equal(d[1].color, -1);
    near(d[2].position[1], 0.15, 1e-12);
    near(d[2].size[1], 0.3, 1e-12);
    assert_int_equal(d[3].body, 2);
    near(d[5].point[3], 0.2, 1e-12);
    assert_true(d[3].closed && d[3].size[0] > 0);
    assert_string_equal(d[6].file, "part2.stl");
    near(d[6].scale, 1e-3, 1e-15);
    near(fabs(d[6].quat[3]), 1, 1e-12);
    for (int i = 0; i < 7; i++) assert_false(d[i].inferred);
    drop(&f);
}

static void planar_shapes_stand_on_the_plane(void **state)
{
    (void)state;
    fixture f =
        load_text("dimension: 2\nbodies:\n  - name: a\n    mass: 1\n    inertia: 1\n"
                  "    shape: [{type: cylinder, radius: 1}, {type: box, size: [1, 2], angle: 90 deg},\n"
                  "            {type: capsule, radius: 0.1, length: 1, angle: 90 deg},\n"
                  "            {type: cylinder, radius: 0.1, from: [0, 0], to: [1, 0]}]\n");
    const hol_drawing *d = f.scene->drawing;
    double R[9];
    near(d[0].quat[0], 1, 1e-12);
    assert_true(d[0].size[1] > 0 && d[1].size[2] > 0);
    hol_quat_matrix(d[1].quat, R);
    near(R[3], 1, 1e-12); // x is y
    hol_quat_matrix(d[2].quat, R);
    near(R[5], 1, 1e-12); // along y
    hol_quat_matrix(d[3].quat, R);
    near(R[2], 1, 1e-12); // along x
    drop(&f);
}

static void shapes_take_no_part_in_the_mechanics(void **state)
{
    (void)state;
    static const char *const text[] = {
        "dimension: 2\nground: {markers: {m: [1, 0]}}\nbodies: [{name: a, mass: 1, inertia: 1}]\n",
        "dimension: 2\nground: {markers: {m: [1, 0]}, shape: none}\n"
        "bodies: [{name: a, mass: 1, inertia: 1, shape: [{type: sphere, radius: 1}]}]\n",
        "dimension: 2\nparameters: {shape: 1}\nground: {markers: {m: [1, 0]}}\n"
        "bodies: [{name: a, mass: 1, inertia: 1}]\n"};
    unsigned long long hash[3];
    for (int i = 0; i < 3; i++) {
        fixture f = load_text(text[i]);
        hash[i] = f.m->spec->hash;
        drop(&f);
    }
    assert_true(hash[0] == hash[1]); // a checkpoint of one serves the other
    assert_true(hash[0] != hash[2]);
}

// ---- loops ----------------------------------------------------------------------------------------------------

static void loops_go_round(void **state)
{
    (void)state;
    fixture f = load_file("models/slider_crank.yaml");
    const hol_scene *s = f.scene;
    assert_int_equal(s->n_loops, 1);
    assert_int_equal(s->loops_left_out, 0);
    assert_int_equal(s->loop[0].n_bodies, 3);
    assert_int_equal(s->loop[0].n_joints, 4);
    assert_true(s->joint[s->loop[0].joint[0]].cut);
    drop(&f);
    f = load_file("models/net.yaml"); // each joint of a loop shares a body with the next one
    s = f.scene;
    assert_int_equal(s->n_loops, 16);
    for (int i = 0; i < s->n_loops; i++)
        for (int k = 0; k < s->loop[i].n_joints; k++) {
            const hol_scene_joint *a = &s->joint[s->loop[i].joint[k]];
            const hol_scene_joint *b = &s->joint[s->loop[i].joint[(k + 1) % s->loop[i].n_joints]];
            bool shared = false;
            for (int p = 0; p < 2; p++)
                for (int q = 0; q < 2; q++) shared = shared || a->end[p].body == b->end[q].body;
            assert_true(shared);
        }
    drop(&f);
}

static void ends_of_moving_ground_are_those_at_the_start(void **state)
{
    (void)state;
    fixture f = load_text(
        "dimension: 2\nground: {markers: {table: {position: [1, 0], angle: 30 deg, motion: {y: 2 + time, "
        "angle: 60 deg}}}}\n"
        "bodies: [{name: a, mass: 1, inertia: 1, position: [1, 2]}]\n"
        "joints: [{name: j, type: revolute, between: [ground.table, a]}]\n");
    const hol_scene_end *end = &f.scene->joint[0].end[0];
    assert_non_null(end->motion);
    near(end->position[0], 1, 1e-12);
    near(end->position[1], 2, 1e-12);
    near(end->quat[3], sqrt(0.5), 1e-12); // 90 degrees
    drop(&f);
}

// ---- meshes ---------------------------------------------------------------------------------------------------

static const char tetrahedron[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

// Writes a file into a folder of its own and reads it as a mesh of scale 0.5.
static hol_status read_mesh(hol_context *ctx, const char *name, const char *text, hol_mesh *mesh)
{
    char folder[] = "/tmp/holonom-mesh-XXXXXX", path[100];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (text) {
        FILE *f = fopen(path, "w");
        assert_non_null(f);
        fputs(text, f);
        fclose(f);
    }
    const hol_drawing d = {.kind = HOL_SHAPE_MESH,
                           .file = path,
                           .scale = 0.5,
                           .at = {.file = "model.yaml", .line = 7, .col = 3}};
    hol_context_clear(ctx);
    const hol_status st = hol_mesh_read(ctx, &d, mesh);
    unlink(path);
    rmdir(folder);
    return st;
}

static void meshes_are_read_and_scaled(void **state)
{
    (void)state;
    static const char stl[] =
        "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 2 0 0\nvertex 0 2 0\n"
        "endloop\nendfacet\nendsolid s\n";
    static const char gltf[] = "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"
                               "\"nodes\":[{\"mesh\":0,\"translation\":[1,0,0]}],\"meshes\":[{\"primitives\":"
                               "[{\"attributes\":{\"POSITION\":0}}]}],"
                               "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":"
                               "\"VEC3\",\"min\":[0,0,0],\"max\":[1,1,0]}],"
                               "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],\"buffers\":[{"
                               "\"byteLength\":36,\"uri\":\"data:application/"
                               "octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA\"}]}";
    hol_context *ctx = hol_context_create();
    hol_mesh mesh;
    if (read_mesh(ctx, "a.obj", tetrahedron, &mesh)) fail_msg("%s", hol_context_error(ctx));
    assert_int_equal(mesh.n_triangles, 4);
    assert_int_equal(mesh.n_vertices, 4);
    double sum = 0, volume = 0;
    for (int i = 0; i < 12; i++) sum += (double)mesh.position[i];
    near(sum, 1.5, 1e-6);
    for (int i = 0; i < 4; i++) { // the triangles look outwards
        const float *a = &mesh.position[3 * mesh.index[3 * i]],
                    *b = &mesh.position[3 * mesh.index[3 * i + 1]],
                    *c = &mesh.position[3 * mesh.index[3 * i + 2]];
        volume += (double)(a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                           a[2] * (b[0] * c[1] - b[1] * c[0])) /
                  6;
    }
    near(volume, 0.125 / 6, 1e-7);
    hol_mesh_destroy(&mesh);
    if (read_mesh(ctx, "a.STL", stl, &mesh)) fail_msg("%s", hol_context_error(ctx));
    assert_int_equal(mesh.n_triangles, 1);
    hol_mesh_destroy(&mesh);
    if (read_mesh(ctx, "a.gltf", gltf, &mesh)) fail_msg("%s", hol_context_error(ctx));
    assert_int_equal(mesh.n_triangles, 1);
    sum = 0;
    for (int i = 0; i < 9; i += 3) sum += (double)mesh.position[i];
    near(sum, 0.5 * 4, 1e-6); // the node's translation too
    hol_mesh_destroy(&mesh);
    hol_context_destroy(ctx);
}

static void broken_meshes_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text, *message;
    } wrong[] = {
        {"a.obj", NULL, "cannot be read: No such file or directory; give another file, or `shape: none`"},
        {"a.obj", "", "cannot be read: it is empty"},
        {"a.glb", "garbage", "cannot be read: "},
        {"a.stl", "solid nothing\nendsolid nothing\n", ""},
        {"a.obj", "v 0 0 0\nv 1 0 0\nl 1 2\n", ""},
        {"a.obj", "v 0 0 0\nv 1 0 0\nv 0 1e39 0\nf 1 2 3\n", "has points that are not finite"},
    };
    hol_context *ctx = hol_context_create();
    hol_mesh mesh;
    for (int i = 0; i < HOL_COUNT(wrong); i++) {
        assert_int_equal(read_mesh(ctx, wrong[i].name, wrong[i].text, &mesh), HOL_ERR_MODEL);
        const char *text = hol_context_error(ctx);
        if (strncmp(text, "model.yaml:7:3: error: shape: the mesh file \"/tmp/", 50) != 0 ||
            !strstr(text, wrong[i].message))
            fail_msg("%s", text);
        assert_null(mesh.position);
    }
    hol_context_sandbox(ctx, 100);
    assert_int_equal(read_mesh(ctx, "a.obj", tetrahedron, &mesh), HOL_ERR_MODEL);
    assert_non_null(strstr(hol_context_error(ctx), "may not be read here"));
    hol_context_destroy(ctx);
}

// Every request for memory fails once: an error each time, and nothing is lost (the sanitizers look).
static void without_memory_there_is_an_error(void **state)
{
    (void)state;
    fixture f = load_file("models/walker.yaml");
    long n = 1;
    for (;; n++) {
        hol_memory_fail_after(f.ctx, n);
        hol_scene *s = hol_scene_create(f.ctx, f.m, f.m->q0);
        const bool failed = hol_memory_fail_after(f.ctx, 0) == 0;
        if (s) {
            hol_scene_destroy(s);
            assert_false(failed);
            break;
        }
        assert_int_equal(hol_context_status(f.ctx), HOL_ERR_MEMORY);
        hol_context_clear(f.ctx);
    }
    assert_true(n > 10);
    drop(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_are_connected_at_their_joints),
        cmocka_unit_test(drawings_do_not_depend_on_names_or_axes),
        cmocka_unit_test(a_body_without_places_has_its_inertia),
        cmocka_unit_test(the_typical_length_does_not_depend_on_the_order_of_forces),
        cmocka_unit_test(a_slender_bar_goes_through_its_centre),
        cmocka_unit_test(many_places_make_a_frame_or_a_star),
        cmocka_unit_test(shapes_are_as_given),
        cmocka_unit_test(planar_shapes_stand_on_the_plane),
        cmocka_unit_test(shapes_take_no_part_in_the_mechanics),
        cmocka_unit_test(loops_go_round),
        cmocka_unit_test(ends_of_moving_ground_are_those_at_the_start),
        cmocka_unit_test(meshes_are_read_and_scaled),
        cmocka_unit_test(broken_meshes_are_refused),
        cmocka_unit_test(without_memory_there_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
