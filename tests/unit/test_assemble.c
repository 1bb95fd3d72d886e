// The start with the least change of what is drawn, and what is exact in it. docs/theory.md, sections 4.1 and 4.2.
#include "harness.h"

#include "holonom_analyses.h"
#include "system/initial.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static hol_assembly *assemble(const char *name, const char *const *set, int n)
{
    hol_model *model = load_model(name, set, n);
    hol_assembly *a = hol_assembly_create(ctx, model);
    if (!a) fail_msg("%s: %s", name, hol_context_error(ctx));
    hol_model_destroy(model);
    return a;
}

static const hol_assembly_value *find(const hol_assembly *a, const char *name)
{
    for (int i = 0; i < a->n_positions; i++)
        if (strcmp(a->position[i].name, name) == 0) return &a->position[i];
    for (int i = 0; i < a->n_velocities; i++)
        if (strcmp(a->velocity[i].name, name) == 0) return &a->velocity[i];
    fail_msg("there is no %s", name);
    return NULL;
}

static double used(const hol_assembly *a, const char *name) { return find(a, name)->used; }

// A bar on a pin in space, drawn apart from it and turned; the frame is not in the centre of mass.
#define BAR                                                                                                  \
    "dimension: 3\nlength_scale: 1\nbodies:\n"                                                               \
    "  - {name: bar, mass: 2, inertia: [1, 2, 2.5], com: [0.3, 0.1, 0], position: [0.1, 0.2, -0.1],\n"       \
    "     orientation: {axis: [1, 2, 3], angle: 0.7}, omega: [0.1, 0.2, 2]%s}\n"                             \
    "joints:\n  - {name: pin, type: %s, between: [ground, bar]}\n%s"

static hol_assembly *bar(const char *keys, const char *joint, const char *more)
{
    char text[1000];
    snprintf(text, sizeof text, BAR, keys, joint, more);
    return assemble(text, NULL, 0);
}

// ---- the pose -------------------------------------------------------------------------------------------------

// Every shipped model that is drawn to rounding starts with the bits that Newton's method leaves of it, and its velocities likewise.
static void what_holds_is_kept(void **state)
{
    (void)state;
    int count = 0;
    DIR *folder = opendir(getenv("MODELS"));
    assert_non_null(folder);
    for (struct dirent *f = readdir(folder); f; f = readdir(folder)) {
        const char *end = strrchr(f->d_name, '.');
        if (!end || strcmp(end, ".yaml") != 0) continue;
        char name[300];
        snprintf(name, sizeof name, "%.*s", (int)(end - f->d_name), f->d_name);
        hol_model_data *m = compile(name, NULL, 0);
        hol_kernel full = hol_kernel_of(hol_equations_create(ctx, m, NULL)), k;
        hol_state drawn, x;
        hol_rank rank;
        hol_measure open;
        full.s->dependent = true;
        assert_int_equal(hol_start_state(full.s, &drawn), HOL_OK);
        hol_equations_measure(full.s, &drawn, &open);
        if (open.position < 1e-12) {
            assert_int_equal(hol_project_positions(&full, &drawn, NULL), HOL_OK);
            assert_int_equal(hol_initialise(ctx, m, HOL_START_QUIET, &k, &x, &rank), HOL_OK);
            assert_memory_equal(x.q, drawn.q, (size_t)m->nq * sizeof *x.q);
            for (int i = 0; i < m->nq && open.velocity < 1e-12 && open.rate < 1e-12; i++)
                near(f->d_name, x.v[i], m->v0[i], 1e-12 * fmax(1, fabs(m->v0[i])));
            hol_state_destroy(&x);
            hol_rank_destroy(&rank);
            hol_start_destroy(&k);
            count++;
        }
        hol_state_destroy(&drawn);
        hol_start_destroy(&full);
        hol_model_free(m);
    }
    closedir(folder);
    assert_true(count > 30);
}

// The least change is stationary: no motion that the joints allow makes it smaller. Here a turn about the pin's axis, in closed form: the
// frame's axes that are nearest to those drawn, of those about z.
static void least_change_of_a_hinge(void **state)
{
    (void)state;
    hol_assembly *a = bar("", "revolute", "");
    const double u = 0.7 / 2, n = sqrt(14);
    assert_true(a->closed && a->least);
    // the centre of mass moves too: its change and that of the orientation, over the angle
    double best = HOL_INF, at = 0;
    double R[9], p0[4] = {cos(u), sin(u) / n, 2 * sin(u) / n, 3 * sin(u) / n}, com[2] = {0.1, 0.2}, z = -0.1;
    hol_quat_matrix(p0, R);
    for (int i = 0; i < 2; i++) com[i] += R[3 * i] * 0.3 + R[3 * i + 1] * 0.1;
    z += R[6] * 0.3 + R[7] * 0.1;
    for (double c = 0, h = 1; h > 1e-10; h /= 2) // a search along the angle, by halving
        for (int i = -40; i <= 40; i++) {
            const double f = c + i * h / 10, w = cos(f / 2) * p0[0] + sin(f / 2) * p0[3];
            const double x = 0.3 * cos(f) - 0.1 * sin(f) - com[0], y = 0.3 * sin(f) + 0.1 * cos(f) - com[1];
            const double change = x * x + y * y + z * z + 4 * (2 - 2 * fabs(w));
            if (change < best) {
                best = change;
                at = f;
            }
            if (i == 40) c = at;
        }
    near("change", a->change, best, 1e-12);
    near("angle", 2 * atan2(used(a, "bar.qz"), used(a, "bar.qw")), at, 1e-6);
    hol_assembly_destroy(a);
}

// A weight of 0 lets a body go where the others need it: the crank alone decides.
static void a_body_without_weight(void **state)
{
    (void)state;
    static const char model[] =
        "dimension: 2\nlength_scale: 1\nbodies:\n"
        "  - {name: a, mass: 1, inertia: 1, position: [0.1, 0], angle: 0.3, markers: {tip: [1, 0]}}\n"
        "  - {name: b, mass: 1, inertia: 1, position: [3, 2], angle: 1, weight: 0}\n"
        "joints:\n  - {name: A, type: revolute, between: [ground, a]}\n  - {name: B, type: revolute, "
        "between: [a.tip, b]}\n";
    hol_assembly *a = assemble(model, NULL, 0);
    near("angle of a", used(a, "a.theta"), 0.3, 1e-14);
    near("x of b", used(a, "b.x"), cos(0.3), 1e-14);
    near("angle of b", used(a, "b.theta"), 1, 1e-12);
    near("change", a->change, 0.01, 1e-14);
    hol_assembly_destroy(a);
}

// ---- exact ----------------------------------------------------------------------------------------------------

static void exact_in_space(void **state)
{
    (void)state;
    static const char *const part[] = {"bar.qw", "bar.qx", "bar.qy", "bar.qz", "bar.x", "bar.y", "bar.z"};
    hol_assembly *a = bar(", exact: orientation", "spherical", "");
    for (int i = 0; i < 4; i++) {
        near(part[i], find(a, part[i])->used, find(a, part[i])->asked, 1e-14);
        assert_true(find(a, part[i])->exact && find(a, part[i])->given);
    }
    for (int i = 4; i < 7; i++) near(part[i], used(a, part[i]), 0, 1e-14);
    assert_false(find(a, "bar.x")->exact);
    hol_assembly_destroy(a);
    a = bar(", exact: [position]", "orientation", "");
    for (int i = 4; i < 7; i++) near(part[i], find(a, part[i])->used, find(a, part[i])->asked, 1e-14);
    near("qw", used(a, "bar.qw"), 1, 1e-14);
    hol_assembly_destroy(a);
}

// Of a body and of a joint's coordinate; what is not given follows.
static void exact_rates(void **state)
{
    (void)state;
    hol_assembly *a =
        bar("", "revolute", "assemble: {exact: {joints: [{joint: pin, angle: -70 deg, rate: 3}]}}\n");
    near("angle", 2 * atan2(used(a, "bar.qz"), used(a, "bar.qw")), -70 * HOL_PI / 180, 1e-14);
    near("rate", used(a, "bar.wz"), 3, 1e-14);
    hol_assembly_destroy(a);
    a = bar(", exact: omega", "spherical", "");
    near("wx", used(a, "bar.wx"), 0.1, 1e-14);
    near("wz", used(a, "bar.wz"), 2, 1e-14);
    hol_assembly_destroy(a);
    a = bar(", velocity: [1, 2, 4]", "cylindrical",
            "assemble: {exact: {joints: [{joint: pin, stroke: 20 mm, speed: 5}]}}\n");
    near("stroke", used(a, "bar.z"), 0.02, 1e-14);
    near("speed", used(a, "bar.vz"), 5, 1e-14);
    hol_assembly_destroy(a);
    a = bar(", velocity: [1, 2, 4], exact: velocity", "orientation", "");
    near("vx", used(a, "bar.vx"), 1, 1e-14);
    near("vz", used(a, "bar.vz"), 4, 1e-14);
    near("wz", used(a, "bar.wz"), 0, 1e-14);
    hol_assembly_destroy(a);
}

// What the file gives is kept before what it does not, to the last bit that equations leave.
static void given_before_the_rest(void **state)
{
    (void)state;
    hol_assembly *a = bar("", "revolute", "");
    near("wz", used(a, "bar.wz"), 2, 1e-14);
    near("wx", used(a, "bar.wx"), 0, 1e-14);
    hol_assembly_destroy(a);
    const char *const set[] = {"bodies.crank.omega=7"};
    a = assemble("slider_crank", set, 1);
    near("omega of the crank", used(a, "crank.omega"), 7, 1e-14);
    hol_assembly_destroy(a);
}

static void contradictions(void **state)
{
    (void)state;
    hol_assembly *a = bar(", exact: [orientation]", "revolute", "");
    assert_false(a->closed);
    assert_non_null(
        strstr(a->why, "bar.orientation is exact: together with pin they are too many equations"));
    assert_int_equal(a->n_velocities, 0);
    hol_assembly_destroy(a);
    char text[1000];
    snprintf(text, sizeof text, BAR, ", exact: [omega]", "revolute", "");
    hol_model *model = load_model(text, NULL, 0);
    assert_null(hol_assembly_create(ctx, model));
    expect_message(
        "bar.omega is exact: together with pin they are too many equations, which no velocities satisfy");
    assert_int_equal(hol_context_status(ctx), HOL_ERR_ASSEMBLY);
    hol_model_destroy(model);
}

// ---- the interface --------------------------------------------------------------------------------------------

static void bad_arguments(void **state)
{
    (void)state;
    hol_model *model = load_model("slider_crank", NULL, 0);
    assert_null(hol_assembly_create(NULL, model));
    assert_null(hol_assembly_create(ctx, NULL));
    hol_assembly *a = hol_assembly_create(ctx, model);
    assert_int_equal(hol_assembly_write(ctx, NULL, "a.yaml"), HOL_ERR_USAGE);
    assert_int_equal(hol_assembly_write(ctx, a, NULL), HOL_ERR_USAGE);
    assert_int_equal(hol_assembly_write(ctx, a, "a.csv"), HOL_ERR_USAGE);
    expect_message("a pose is written as .yaml");
    hol_assembly_destroy(a);
    hol_assembly_destroy(NULL);
    hol_model_destroy(model);
}

// The pose that is written is that of the bodies of a model, and starts without a change.
static void a_pose_is_written(void **state)
{
    (void)state;
    char folder[] = "/tmp/holonom-pose-XXXXXX", path[80], line[400];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/pose.yaml", folder);
    hol_assembly *a = bar("", "revolute", "");
    assert_int_equal(hol_assembly_write(ctx, a, path), HOL_OK);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    bool found = false;
    while (fgets(line, sizeof line, file)) found = found || strstr(line, "  bar: {position: [") != NULL;
    assert_true(found);
    assert_non_null(strstr(line, "orientation: {quat_wxyz: ["));
    assert_non_null(strstr(line, "omega: ["));
    fclose(file);
    // included, it is the start, to the last bit
    char include[200];
    snprintf(include, sizeof include, "include: %s\n", path);
    hol_assembly *b = bar("", "revolute", include);
    assert_true(b->closed && b->change < 1e-28);
    for (int i = 0; i < a->n_positions; i++)
        near(a->position[i].name, b->position[i].asked, a->position[i].used, 1e-15);
    for (int i = 0; i < a->n_velocities; i++)
        near(a->velocity[i].name, b->velocity[i].used, a->velocity[i].used, 1e-15);
    assert_true(b->velocity[3].given && !b->velocity[0].given);
    hol_assembly_destroy(b);
    remove(path);
    rmdir(folder);
    hol_assembly_destroy(a);
}

// Where memory ends there is an error, and nothing is lost.
static void without_memory(void **state)
{
    (void)state;
    hol_model *model = load_model("slider_crank", NULL, 0);
    int failures = 0;
    for (int i = 1; i < 2000; i += i < 40 ? 1 : 13) {
        hol_memory_fail_after(ctx, i);
        hol_assembly *a = hol_assembly_create_all(ctx, model);
        hol_memory_fail_after(ctx, 0);
        if (a) {
            hol_assembly_destroy(a);
            break;
        }
        assert_int_equal(hol_context_status(ctx), HOL_ERR_MEMORY);
        failures++;
    }
    assert_true(failures > 20);
    hol_model_destroy(model);
}

// ---- whole turns ----------------------------------------------------------------------------------------------

// A four-bar that is thrown: its crank a, and with a welded flag f on the rocker, or geared to a wheel g that a driver of a turns.
static hol_assembly *thrown(unsigned *seed, double far, const char *more, const char *ends)
{
    double r[12];
    char text[2000];
    for (int i = 0; i < HOL_COUNT(r); i++) {
        *seed = *seed * 1664525u + 1013904223u;
        r[i] = (*seed >> 8) / 8388608.0 - 1;
    }
    snprintf(
        text, sizeof text,
        "dimension: 2\ngravity: [0, 0]\nground: {markers: {g: [0.9, 0]}}\nbodies:\n"
        "  - {name: a, mass: 1, inertia: 0.1, position: [%.3f, %.3f], angle: %.3f, markers: {e: [0.3, 0]}}\n"
        "  - {name: b, mass: 1, inertia: 0.1, position: [%.3f, %.3f], angle: %.3f, markers: {e: [0.8, 0]}}\n"
        "  - {name: c, mass: 1, inertia: 0.1, position: [%.3f, %.3f], angle: %.3f, markers: {e: [0.6, 0]}}\n"
        "  - {name: f, mass: 1, inertia: 0.1, position: [%.3f, %.3f], angle: %.3f}\n"
        "joints:\n"
        "  - {name: A, type: revolute, between: [ground, a]}\n"
        "  - {name: B, type: revolute, between: [a.e, b]}\n"
        "  - {name: C, type: revolute, between: [b.e, c.e]}\n"
        "  - {name: D, type: revolute, between: [ground.g, c], stiffness: 1, angle: %.3f}\n%s%s",
        far * r[0], far * r[1], 3.5 * r[2], far * r[3], far * r[4], 3.5 * r[5], far * r[6], far * r[7],
        3.5 * r[8], far * r[9], far * r[10], 3.5 * r[11], 3.5 * r[8], more, ends);
    return assemble(text, NULL, 0);
}

static double turned(const hol_assembly *a, const char *name)
{
    const hol_assembly_value *v = find(a, name);
    return v->used - v->asked;
}

// However far a mechanism of the plane is drawn from where it closes, its angles are those within half a turn of the drawing. What is welded goes
// together, from the turns between both that the drawing is nearest to, and a gear goes as its joints do since the drawing.
static void angles_are_the_nearest_to_those_drawn(void **state)
{
    static const double far[] = {0.3, 1, 5};
    unsigned seed = 1;
    (void)state;
    for (int i = 0; i < 3 * 40; i++) {
        hol_assembly *a =
            thrown(&seed, far[i % 3], "  - {name: E, type: revolute, between: [ground: [3, 0], f]}\n", "");
        for (int k = 0; k < 4; k++) {
            const char name[] = {"abcf"[k], '.', 't', 'h', 'e', 't', 'a', 0};
            if (a->closed && !(fabs(turned(a, name)) <= 3.1416))
                fail_msg("%d: %s by %g", i, name, turned(a, name));
        }
        hol_assembly_destroy(a);
        a = thrown(&seed, far[i % 3], "  - {name: E, type: fixed, between: [c.e, f]}\n", "");
        const double both = turned(a, "c.theta") + turned(a, "f.theta"); // of both together the least squares
        if (a->closed && !(fabs(both) / 2 <= 3.1416)) fail_msg("%d: c and f by %g", i, both);
        if (a->closed)
            near("weld", remainder(used(a, "f.theta") - used(a, "c.theta"), 2 * acos(-1)), 0, 1e-9);
        hol_assembly_destroy(a);
        a = thrown(&seed, far[i % 3],
                   "  - {name: E, type: revolute, between: [ground: [3, 0], f]}\n"
                   "  - {name: G, type: gear, joints: [A, E], ratio: -2}\n",
                   "drivers: [{name: m, type: angle, joint: A, value: 1.1}]\n");
        if (a->closed) near("driver", used(a, "a.theta"), 1.1, 1e-9);
        const double slip =
            turned(a, "f.theta") + 2 * turned(a, "a.theta"); // the driver may begin a turn off the drawing
        if (a->closed) near("gear", remainder(slip, 4 * acos(-1)), 0, 1e-9);
        if (a->closed)
            assert_true(fabs(turned(a, "b.theta")) <= 3.1416 && fabs(turned(a, "c.theta")) <= 3.1416);
        hol_assembly_destroy(a);
    }
}

// A four-bar 2 m off whose rocker was drawn at 4 rad, where its spring rests: of its two poses that of the lesser change, with the rocker at
// 3.778 rad (by tools of geometry: 0.9 + 0.6 exp(i c) = 0.3 exp(i a) + 0.8 exp(i b)), and the same angle in the list of all.
static void a_spring_does_not_begin_wound(void **state)
{
    (void)state;
    hol_model *model = load_model(
        "dimension: 2\ngravity: [0, 0]\nground: {markers: {g: [0.9, 0]}}\nbodies:\n"
        "  - {name: a, mass: 1, inertia: 0.1, position: [-0.42, 0.21], angle: 3.82, markers: {e: [0.3, 0]}}\n"
        "  - {name: b, mass: 1, inertia: 0.1, position: [0.04, 2.37], angle: 1.09, markers: {e: [0.8, 0]}}\n"
        "  - {name: c, mass: 1, inertia: 0.1, position: [0.52, 2.04], angle: 4.0, markers: {e: [0.6, 0]}}\n"
        "joints:\n  - {name: A, type: revolute, between: [ground, a]}\n"
        "  - {name: B, type: revolute, between: [a.e, b]}\n"
        "  - {name: C, type: revolute, between: [b.e, c.e]}\n"
        "  - {name: D, type: revolute, between: [ground.g, c], stiffness: 1, angle: 4.0}\n"
        "simulate: {end: 0.1}\n",
        NULL, 0);
    hol_assembly *a = hol_assembly_create_all(ctx, model);
    assert_non_null(a);
    const double th = used(a, "a.theta"), b = used(a, "b.theta"), c = used(a, "c.theta");
    near("x", 0.3 * cos(th) + 0.8 * cos(b), 0.9 + 0.6 * cos(c), 1e-12);
    near("y", 0.3 * sin(th) + 0.8 * sin(b), 0.6 * sin(c), 1e-12);
    assert_true(fabs(c - 4) < 0.5 && fabs(th - 3.82) < 3.1416 && fabs(b - 1.09) < 3.1416);
    for (int i = 0; i < a->n_poses; i++) {
        const hol_assembly_pose *p = &a->pose[i];
        assert_true(a->change <= p->change * (1 + 1e-9));
        for (int k = 0; k < p->n_coordinates && p->used; k++)
            if (strcmp(p->coordinate[k].name, "D.angle") == 0) near("D", p->coordinate[k].value, c, 1e-12);
    }
    hol_assembly_destroy(a);
    hol_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_holds_is_kept),
        cmocka_unit_test(least_change_of_a_hinge),
        cmocka_unit_test(a_body_without_weight),
        cmocka_unit_test(exact_in_space),
        cmocka_unit_test(exact_rates),
        cmocka_unit_test(given_before_the_rest),
        cmocka_unit_test(contradictions),
        cmocka_unit_test(bad_arguments),
        cmocka_unit_test(a_pose_is_written),
        cmocka_unit_test(without_memory),
        cmocka_unit_test(angles_are_the_nearest_to_those_drawn),
        cmocka_unit_test(a_spring_does_not_begin_wound),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
