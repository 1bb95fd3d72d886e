// The motion as glTF, read back: poses as the result has them, capsules that meet at joints, solids closed and turned outwards.
#include "harness.h"
#include "io/gltf.h"
#include "scene/solid.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ---- a reader, for what gltf.c writes -------------------------------------------------------------------------

typedef struct {
    unsigned char *bytes, *numbers;
    char *json;
} glb;

static unsigned word(const unsigned char *p)
{
    return (unsigned)p[0] | (unsigned)p[1] << 8 | (unsigned)p[2] << 16 | (unsigned)p[3] << 24;
}

static glb open_glb(const char *path)
{
    glb g = {0};
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    fseek(f, 0, SEEK_END);
    const long n = ftell(f);
    rewind(f);
    g.bytes = malloc((size_t)n);
    assert_non_null(g.bytes);
    assert_int_equal(fread(g.bytes, 1, (size_t)n, f), n);
    fclose(f);
    unlink(path);
    assert_memory_equal(g.bytes, "glTF", 4);
    assert_int_equal(word(g.bytes + 8), n);
    const unsigned json = word(g.bytes + 12);
    g.json = malloc(json + 1);
    assert_non_null(g.json);
    memcpy(g.json, g.bytes + 20, json);
    g.json[json] = 0;
    g.numbers = g.bytes + 20 + json + 8;
    assert_int_equal(20 + json + 8 + word(g.numbers - 8), n);
    return g;
}

static void close_glb(glb *g)
{
    free(g->bytes);
    free(g->json);
}

// The k-th object of a list of the document; braces in names would mislead it, the models here have none.
static const char *item(const glb *g, const char *list, int k)
{
    char key[40];
    snprintf(key, sizeof key, "\"%s\": [{", list); // scenes have a list of numbers "nodes"
    const char *p = strstr(g->json, key);
    assert_non_null(p);
    p += strlen(key) - 1;
    for (int depth = 0; k > 0 || *p != '{'; p++) {
        assert_true(*p);
        depth += (*p == '{') - (*p == '}');
        if (*p == '}' && depth == 0) k--;
    }
    return p;
}

// Where an object ends.
static const char *end_of(const char *p)
{
    for (int depth = 0;; p++) {
        depth += (*p == '{') - (*p == '}');
        if (depth == 0) return p;
    }
}

// n numbers behind a key of an object; false: it has no such key.
static bool numbers(const char *object, const char *key, int n, double *out)
{
    char text[40];
    snprintf(text, sizeof text, "\"%s\": ", key);
    const char *p = strstr(object, text);
    if (!p || p > end_of(object)) return false;
    p += strlen(text);
    for (int k = 0; k < n; k++) {
        p += strspn(p, "[,");
        char *end;
        out[k] = strtod(p, &end);
        assert_ptr_not_equal(p, end);
        p = end;
    }
    return true;
}

static int number(const char *object, const char *key)
{
    double x;
    if (!numbers(object, key, 1, &x)) return -1;
    return (int)x;
}

static float value(const glb *g, int accessor, int size, int row, int k)
{
    const char *a = item(g, "accessors", accessor), *view = item(g, "bufferViews", number(a, "bufferView"));
    float x;
    assert_in_range(row, 0, number(a, "count") - 1);
    memcpy(&x, g->numbers + number(view, "byteOffset") + number(a, "byteOffset") + 4 * (size * row + k), 4);
    return x;
}

// Node of a body by its name, -1: none.
static int node(const glb *g, const char *name)
{
    char text[80];
    snprintf(text, sizeof text, "\"name\": \"%s\"", name);
    for (int k = 1; number(item(g, "nodes", k), "mesh") < 0; k++) {
        const char *p = item(g, "nodes", k), *found = strstr(p, text);
        if (found && found < end_of(p)) return k;
    }
    return -1;
}

// Accessor of the numbers that move a node along a path.
static int output(const glb *g, int of, const char *path)
{
    for (int k = 0;; k++) {
        const char *channel = item(g, "channels", k), *found = strstr(channel, path);
        if (number(channel, "node") == of && found && found < end_of(channel))
            return number(item(g, "samplers", number(channel, "sampler")), "output");
    }
}

static int times(const glb *g) { return number(item(g, "samplers", 0), "input"); }

// ---- models ---------------------------------------------------------------------------------------------------

typedef struct {
    hol_model *model;
    hol_result *result;
    glb g;
} exported;

static exported export_model(const char *name, const char *const *set, int n)
{
    exported x;
    char rows[40], scene[40]; // other tests of this program may run beside it
    snprintf(rows, sizeof rows, "gltf_test_%d.nc", (int)getpid());
    snprintf(scene, sizeof scene, "gltf_test_%d.glb", (int)getpid());
    motion a = open_motion(name, set, n);
    assert_int_equal(hol_simulation_write(a.sim, rows), HOL_OK);
    assert_int_equal(hol_simulation_run(a.sim), HOL_OK);
    close_motion(&a);
    x.model = load_model(name, set, n);
    x.result = hol_result_read(ctx, rows);
    unlink(rows);
    assert_non_null(x.result);
    if (hol_motion_export(ctx, x.result, x.model, scene)) fail_msg("%s", hol_context_error(ctx));
    x.g = open_glb(scene);
    return x;
}

static void drop(exported *x)
{
    close_glb(&x->g);
    hol_result_destroy(x->result);
    hol_model_destroy(x->model);
}

static double of_result(const exported *x, const char *body, const char *what, int row)
{
    char name[100];
    snprintf(name, sizeof name, "%s.%s", body, what);
    return x->result->value[(size_t)row * (size_t)x->result->n_columns + (size_t)column_of(x->result, name)];
}

// Every frame of a body whose frame is at its centre of mass.
static void compare(const exported *x, const char *body, bool spatial)
{
    static const char *const axis[] = {"x", "y", "z"}, *const part[] = {"qx", "qy", "qz", "qw"};
    const int n = node(&x->g, body), move = output(&x->g, n, "translation"),
              turn = output(&x->g, n, "rotation");
    assert_int_equal(number(item(&x->g, "accessors", move), "count"), (int)x->result->n_rows);
    for (int row = 0; row < (int)x->result->n_rows; row++) {
        double along = 0, want[4] = {0};
        near("time", (double)value(&x->g, times(&x->g), 1, row, 0),
             x->result->value[(size_t)row * (size_t)x->result->n_columns], 1e-6);
        for (int k = 0; k < (spatial ? 3 : 2); k++)
            near(axis[k], (double)value(&x->g, move, 3, row, k), of_result(x, body, axis[k], row), 1e-6);
        for (int k = 0; k < 4 && spatial; k++) want[k] = of_result(x, body, part[k], row);
        if (!spatial) want[2] = sin(of_result(x, body, "theta", row) / 2);
        if (!spatial) want[3] = cos(of_result(x, body, "theta", row) / 2);
        for (int k = 0; k < 4; k++) along += want[k] * (double)value(&x->g, turn, 4, row, k);
        near("orientation", fabs(along), 1, 1e-6);
    }
}

static void poses_are_those_of_the_result(void **state)
{
    (void)state;
    exported x = export_model("four_bar", (const char *[]){"simulate.end=1", "parameters.N=2"}, 2);
    for (int k = 0; k < 3; k++) compare(&x, k == 0 ? "crank0" : k == 1 ? "crank1" : "crank2", false);
    drop(&x);
    x = export_model("bricard", (const char *[]){"simulate.end=2"}, 1);
    assert_true(node(&x.g, "rod1") > 0);
    compare(&x, "rod1", true);
    drop(&x);
}

static void turn(const double q[4], const double v[3], double out[3]) // q: scalar last
{
    for (int k = 0; k < 3; k++) {
        const int a = (k + 1) % 3, b = (k + 2) % 3;
        const double ca = q[b] * v[k] - q[k] * v[b] + q[3] * v[a],
                     cb = q[k] * v[a] - q[a] * v[k] + q[3] * v[b];
        out[k] = v[k] + 2 * (q[a] * cb - q[b] * ca);
    }
}

// Distance of a place in body axes from the nearest end of a capsule of the body, as drawn.
static double off_ends(const glb *g, int body, const double place[3])
{
    double best = HUGE_VAL, child[16];
    const char *p = item(g, "nodes", body), *list = strstr(p, "\"children\": [");
    assert_true(list && list < end_of(p));
    const int n = (int)(strcspn(list, "]"));
    int count = 1;
    for (int k = (int)strlen("\"children\": ["); k < n; k++) count += list[k] == ',';
    assert_in_range(count, 1, 16);
    numbers(p, "children", count, child);
    for (int i = 0; i < count; i++) {
        const char *s = item(g, "nodes", (int)child[i]);
        const char *mesh = item(g, "meshes", number(s, "mesh")),
                   *a = item(g, "accessors", number(mesh, "POSITION"));
        double at[3], quat[4], scale[3], high[3];
        assert_true(numbers(s, "translation", 3, at) && numbers(s, "rotation", 4, quat));
        assert_true(numbers(s, "scale", 3, scale) && numbers(a, "max", 3, high));
        for (int side = -1; side <= 1; side += 2) {
            const double tip[3] = {0, 0, side * scale[2] * (high[2] - 1)}; // centre of the cap
            double there[3], sum = 0;
            turn(quat, tip, there);
            for (int k = 0; k < 3; k++) sum += pow(at[k] + there[k] - place[k], 2);
            best = fmin(best, sqrt(sum));
        }
    }
    return best;
}

// The joint of a double pendulum: the place where both have an end of their capsules, in every frame.
static void links_meet_at_joints(void **state)
{
    (void)state;
    exported x = export_model("double_pendulum", (const char *[]){"simulate.end=0.5"}, 1);
    const hol_model_data *m = compile("double_pendulum", NULL, 0);
    int joints = 0;
    for (int e = 0; e < m->n_elements; e++) {
        const hol_element *j = &m->element[e];
        if (j->type->role != HOL_ROLE_JOINT || j->n_ends != 2) continue;
        for (int k = 0; k < 2; k++) {
            const int body = j->end[k].body;
            if (body < 0) continue;
            const double *s = j->end[k].marker->s;
            joints++;
            near("from the joint to the end of the link",
                 off_ends(&x.g, node(&x.g, m->body[body].name), (const double[3]){s[0], s[1], 0}), 0, 1e-6);
        }
    }
    assert_true(joints >= 3);
    hol_model_free((hol_model_data *)m);
    drop(&x);
}

// ---- where up is ----------------------------------------------------------------------------------------------

static void root_turn(const glb *g, double q[4])
{
    assert_true(numbers(item(g, "nodes", 0), "rotation", 4, q));
}

// glTF has y upwards: what points against gravity points there; z without gravity, and planar models stand as they are.
static void upwards_is_against_gravity(void **state)
{
    static const struct {
        int dimension;
        double gravity[3], up[3];
    } rows[] = {{3, {0, 0, -9.81}, {0, 0, 1}}, {3, {0, 0, 9.81}, {0, 0, -1}}, {3, {0, -9.81, 0}, {0, 1, 0}},
                {3, {0, 9.81, 0}, {0, -1, 0}}, {3, {-9.81, 0, 0}, {1, 0, 0}}, {3, {9.81, 0, 0}, {-1, 0, 0}},
                {3, {0, 0, 0}, {0, 0, 1}},     {2, {9.81, 0, 0}, {0, 1, 0}}};
    (void)state;
    for (int k = 0; k < HOL_COUNT(rows); k++) {
        const double *a = rows[k].gravity;
        char text[300];
        snprintf(text, sizeof text,
                 "{dimension: %d, gravity: [%g, %g%s%s], bodies: [{name: a, type: point, mass: 1}], "
                 "simulate: {end: 0.1,"
                 " output: 0.05}}",
                 rows[k].dimension, a[0], a[1], rows[k].dimension == 3 ? ", " : "",
                 rows[k].dimension == 2 ? ""
                 : a[2] > 0             ? "9.81"
                 : a[2] < 0             ? "-9.81"
                                        : "0");
        exported x = export_model(text, NULL, 0);
        double q[4], up[3];
        root_turn(&x.g, q);
        turn(q, rows[k].up, up);
        near("x", up[0], 0, 1e-12);
        near("y", up[1], 1, 1e-12);
        near("z", up[2], 0, 1e-12);
        drop(&x);
    }
}

// A stone in free fall, whatever the axis: down by g t^2/2, and aside by nothing.
static void stones_fall_down(void **state)
{
    static const char *const gravity[] = {"[-10, 0, 0]", "[10, 0, 0]",  "[0, -10, 0]",
                                          "[0, 10, 0]",  "[0, 0, -10]", "[0, 0, 10]"};
    (void)state;
    for (int k = 0; k < HOL_COUNT(gravity); k++) {
        char text[300];
        snprintf(text, sizeof text,
                 "{dimension: 3, gravity: %s, bodies: [{name: a, type: point, mass: 1}], simulate: {end: 1, "
                 "method: rk,"
                 " tolerance: 1e-8, output: 0.1}}",
                 gravity[k]);
        exported x = export_model(text, NULL, 0);
        const int move = output(&x.g, node(&x.g, "a"), "translation");
        double q[4], at[3], fallen[3];
        for (int i = 0; i < 3; i++) at[i] = (double)value(&x.g, move, 3, 10, i);
        root_turn(&x.g, q);
        turn(q, at, fallen);
        near("height", fallen[1], -5, 1e-5);
        near("aside", hypot(fallen[0], fallen[2]), 0, 1e-5);
        drop(&x);
    }
}

// A body that spins about an axis with 2 rad/s: Euler parameters cos t and sin t along it.
static void a_spinning_body_turns(void **state)
{
    static const char *const axis[] = {"[2, 0, 0]", "[0, 2, 0]", "[0, 0, 2]"};
    (void)state;
    for (int k = 0; k < 3; k++) {
        char text[300];
        snprintf(text, sizeof text,
                 "{dimension: 3, gravity: [0, 0, 0], bodies: [{name: a, mass: 1, inertia: [1, 1.2, 1.4], "
                 "omega: %s}],"
                 " simulate: {end: 1, method: rk, tolerance: 1e-9, output: 0.1}}",
                 axis[k]);
        exported x = export_model(text, NULL, 0);
        const int of = output(&x.g, node(&x.g, "a"), "rotation");
        for (int row = 0; row <= 10; row++) {
            const double t = 0.1 * row, sign = (double)value(&x.g, of, 4, row, 3) < 0 ? -1 : 1;
            for (int i = 0; i < 4; i++)
                near("Euler parameter", sign * (double)value(&x.g, of, 4, row, i),
                     i == 3   ? cos(t)
                     : i == k ? sin(t)
                              : 0,
                     1e-5);
        }
        drop(&x);
    }
}

// ---- polylines ------------------------------------------------------------------------------------------------

// The lines are capsules that end in the points.
static void polylines_go_through_their_points(void **state)
{
    static const double point[4][3] = {{0, 0, 0}, {1, 0.5, 0}, {1, -0.7, 0}, {-0.4, -0.7, 0}};
    (void)state;
    exported x = export_model(
        "{dimension: 2, bodies: [{name: a, mass: 1, inertia: 1, shape: {type: polyline, radius: 0.01,"
        " points: [[0, 0], [1, 0.5], [1, -0.7], [-0.4, -0.7]]}}], simulate: {end: 0.1, output: 0.05}}",
        NULL, 0);
    for (int k = 0; k < 4; k++)
        near("from the point to a line", off_ends(&x.g, node(&x.g, "a"), point[k]), 0, 1e-6);
    drop(&x);
}

// The same in space, closed, in a frame of its own: turned by 90 degrees about x and moved.
static void polylines_in_space_too(void **state)
{
    static const double point[3][3] = {{0.1, 0, 1}, {1.1, -0.5, 1}, {0.1, 0.3, 1.9}};
    (void)state;
    exported x = export_model(
        "{dimension: 3, bodies: [{name: a, mass: 1, inertia: [1, 1, 1], shape: {type: polyline,"
        " radius: 0.01, closed: yes, position: [0.1, 0, 1], orientation: {axis: [1, 0, 0], angle: 90 deg},"
        " points: [[0, 0, 0], [1, 0, 0.5], [0, 0.9, -0.3]]}}], simulate: {end: 0.1, output: 0.05}}",
        NULL, 0);
    for (int k = 0; k < 3; k++)
        near("from the point to a line", off_ends(&x.g, node(&x.g, "a"), point[k]), 0, 1e-6);
    drop(&x);
}

// ---- solids ---------------------------------------------------------------------------------------------------

static double volume(hol_solid kind, double length)
{
    float p[HOL_SOLID_MOST_VERTICES][3], normal[HOL_SOLID_MOST_VERTICES][3];
    unsigned c[HOL_SOLID_MOST_TRIANGLES][3];
    double sum = 0;
    hol_solid_points(kind, length, p, normal);
    hol_solid_faces(kind, c);
    for (int i = 0; i < hol_solid_triangles(kind); i++) {
        double a[3], b[3], n[3], out = 0;
        for (int k = 0; k < 3; k++) {
            a[k] = (double)(p[c[i][1]][k] - p[c[i][0]][k]);
            b[k] = (double)(p[c[i][2]][k] - p[c[i][0]][k]);
        }
        for (int k = 0; k < 3; k++) n[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
        for (int k = 0; k < 3; k++) {
            sum += n[k] * (double)p[c[i][0]][k] / 6;
            out += n[k] * (double)(normal[c[i][0]][k] + normal[c[i][1]][k] + normal[c[i][2]][k]);
        }
        assert_true(out > -1e-12); // normals point where the face looks; a sphere has triangles without area
    }
    return sum;
}

static void solids_are_closed_and_look_outwards(void **state)
{
    (void)state;
    const double pi = acos(-1), prism = 12 * sin(pi / 12); // area of the polygon of 24 sides
    near("box", volume(HOL_SOLID_BOX, 0), 1, 1e-6);
    near("cylinder", volume(HOL_SOLID_CYLINDER, 0), prism, 1e-5);
    near("capsule by its length", volume(HOL_SOLID_CAPSULE, 3) - volume(HOL_SOLID_CAPSULE, 0), 3 * prism,
         1e-5);
    near("arrow", volume(HOL_SOLID_ARROW, 0), prism * (0.4 * 0.4 * 0.7 + 0.3 / 3), 1e-5);
    near("sphere", volume(HOL_SOLID_CAPSULE, 0), 4 * pi / 3, 0.15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(poses_are_those_of_the_result),
        cmocka_unit_test(links_meet_at_joints),
        cmocka_unit_test(upwards_is_against_gravity),
        cmocka_unit_test(stones_fall_down),
        cmocka_unit_test(a_spinning_body_turns),
        cmocka_unit_test(polylines_go_through_their_points),
        cmocka_unit_test(polylines_in_space_too),
        cmocka_unit_test(solids_are_closed_and_look_outwards),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
