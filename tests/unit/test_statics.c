// Statics against closed forms: stiff and soft models, loops, redundant rows, neutral directions, without masses; what has no
// equilibrium; poses that are written and read. docs/theory.md, section 20.
#include "at_rest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ---- stiff ----------------------------------------------------------------------------------------------------

// Five masses of 1 kg hang one below the other on springs of 1e7 N/m: spring i carries the masses below it.
static void masses_on_stiff_springs(void **state)
{
    enum { N = 5 };
    const double k = 1e7, g = 9.81;
    char text[2000] = "dimension: 2\ngravity: [0, -9.81]\nbodies:\n";
    (void)state;
    for (int i = 1; i <= N; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 "  - {name: m%d, type: point, mass: 1, position: [0, %d]}\n", i, -i);
    strcat(text, "forces:\n");
    for (int i = 1; i <= N; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 "  - {name: s%d, type: spring-damper, between: [%s, m%d], stiffness: 1e7, length: 1}\n", i,
                 i > 1 ? (const char *[]){"m1", "m2", "m3", "m4"}[i - 2] : "ground", i);
    hol_model *model;
    hol_statics *s = at_rest(text, NULL, 0, NULL, &model);
    assert_true(s->point[0].stable);
    assert_true(s->point[0].left <= 1e-9);
    double y = 0;
    for (int i = 1; i <= N; i++) {
        char name[8];
        snprintf(name, sizeof name, "m%d.y", i);
        y -= 1 + (N + 1 - i) * g / k;
        near(name, value(s, name), y, 1e-13);
        snprintf(name, sizeof name, "s%d.Fy", i);
        near(name, value(s, name), (N + 1 - i) * g, 1e-7); // 1e7 N/m times rounding of 1 m
    }
    leave(s, model);
}

// Ten beams of steel, clamped and loaded at the end: F L^3/(3 E I), and L^2 F/(2 E I) of rotation, to the square of the slope.
static void a_cantilever_of_beams(void **state)
{
    static const char text[] =
        "dimension: 2\ngravity: [0, 0]\nparameters: {n: 10, L: 1, E: 2.1e11, I: 1e-8, A: 4e-4, F: "
        "1}\nbodies:\n"
        "  - {for: i in 1..n, name: 'b{i}', mass: 1, inertia: 0.01, position: [i*L/n, 0]}\n"
        "forces:\n"
        "  - {name: first, type: beam, between: [ground, b1], modulus: E, area: A, second_moment: I}\n"
        "  - {for: i in 2..n, name: 'beam{i}', type: beam, between: ['b{i-1}', 'b{i}'], modulus: E, area: A, "
        "second_moment: I}\n"
        "  - {name: load, type: force, on: b10, value: [0, -F]}\n";
    hol_model *model;
    (void)state;
    hol_statics *s = at_rest(text, NULL, 0, NULL, &model);
    const double EI = 2.1e11 * 1e-8;
    assert_true(s->point[0].stable);
    near("deflection", value(s, "b10.y"), -1 / (3 * EI), 1e-10);
    near("slope", value(s, "b10.theta"), -1 / (2 * EI), 1e-10);
    near("moment at the clamp", fabs(value(s, "first.T")), 1.0 - 0.1, 1e-6); // on the second end, 0.1 m away
    leave(s, model);
}

// A pendulum of 1 g on a tower that springs of 1e9 N/m hold: the soft direction is found beside the stiff ones.
static void soft_beside_stiff(void **state)
{
    static const char text[] =
        "dimension: 2\ngravity: [0, -9.81]\nlength_scale: 1\nbodies:\n"
        "  - {name: tower, mass: 1000, inertia: 100, position: [0, 0]}\n"
        "  - {name: bob, type: point, mass: 1e-3, position: [0.3, -0.4]}\n"
        "joints:\n  - {name: rod, type: distance, between: [tower, bob], length: 0.5}\n"
        "forces:\n"
        "  - {name: left, type: spring-damper, between: [ground: [-1, -2], tower: [-1, -1]], stiffness: "
        "1e9}\n"
        "  - {name: right, type: spring-damper, between: [ground: [1, -2], tower: [1, -1]], stiffness: 1e9}\n"
        "  - {name: side, type: spring-damper, between: [ground: [-2, 0], tower: [-1, 0]], stiffness: 1e9}\n";
    hol_model *model;
    (void)state;
    hol_statics *s = at_rest(text, NULL, 0, NULL, &model);
    assert_true(s->point[0].stable);
    assert_int_equal(s->point[0].neutral, 0);
    near("the bob hangs below the tower", value(s, "bob.x"), value(s, "tower.x"), 1e-12);
    near("stiffness of the pendulum, m g/L", s->point[0].stiffness, 1e-3 * 9.81 / 0.5,
         1e-6); // 1e9 N/m times rounding
    assert_string_equal(s->body[s->point[0].softest], "bob");
    leave(s, model);
}

// ---- stability ------------------------------------------------------------------------------------------------

static const char pendulum[] = "dimension: 2\ngravity: [0, -9.81]\nlength_scale: 1\nbodies:\n"
                               "  - {name: rod, mass: 2, inertia: 0.5, angle: 90 deg, position: [0, 0.6], "
                               "markers: {foot: [-0.6, 0]}}\n"
                               "joints:\n  - {name: hinge, type: revolute, between: [ground, rod.foot]}\n";

// Drawn upright: it falls, unless that will do; m g l and its square root over the inertia are known.
static void an_upright_pendulum(void **state)
{
    const hol_statics_options any = {.unstable = true};
    const double k = 2 * 9.81 * 0.6, J = 0.5 + 2 * 0.36;
    hol_model *model;
    (void)state;
    hol_statics *s = at_rest(pendulum, NULL, 0, &any, &model);
    assert_false(s->point[0].stable);
    assert_int_equal(s->point[0].negative, 1);
    near("upright", value(s, "rod.y"), 0.6, 1e-14);
    near("stiffness", s->point[0].stiffness, -k, 1e-12);
    assert_string_equal(s->point[0].stiffness_unit, "N m/rad");
    near("growth", s->point[0].growth, sqrt(k / J), 1e-12);
    near("energy", s->point[0].potential, 2 * 9.81 * 0.6, 1e-12);
    leave(s, model);
    s = at_rest(pendulum, NULL, 0, NULL, &model);
    assert_true(s->point[0].stable && s->point[0].flowed && s->point[0].growth == 0);
    near("hanging", value(s, "rod.y"), -0.6, 1e-14);
    near("stiffness", s->point[0].stiffness, k, 1e-12);
    leave(s, model);
}

// A free plate on two springs that hold it in height and tilt: it may go along x, which is told as that.
static void what_nothing_holds(void **state)
{
    static const char text[] =
        "dimension: 2\ngravity: [0, -9.81]\nlength_scale: 1\nbodies:\n"
        "  - {name: plate, mass: 3, inertia: 1, position: [0.2, 0.1], markers: {l: [-1, 0], r: [1, 0]}}\n"
        "forces:\n"
        "  - {name: fl, type: force, on: plate.l, value: [0, -100*DY(plate.l)]}\n"
        "  - {name: fr, type: force, on: plate.r, value: [0, -100*DY(plate.r)]}\n";
    hol_model *model;
    (void)state;
    hol_statics *s = at_rest(text, NULL, 0, NULL, &model);
    const hol_static_point *p = &s->point[0];
    assert_true(p->stable);
    assert_int_equal(p->neutral, 1);
    for (int i = 0; i < 6; i++) near("the free motion", p->free_motion[i], i == 0, 1e-12);
    near("it stays where it is drawn along x", value(s, "plate.x"), 0.2, 1e-12);
    near("height", value(s, "plate.y"), -3 * 9.81 / 200, 1e-12);
    leave(s, model);
}

// Without any mass: a triangle of springs under a load.
static void without_masses(void **state)
{
    static const char text[] = "dimension: 2\ngravity: [0, 0]\nlength_scale: 1\nbodies:\n"
                               "  - {name: p, type: point, mass: 0, position: [0, 0]}\n"
                               "forces:\n"
                               "  - {name: s, type: force, on: p, value: [-40*DX(p), -90*DY(p)]}\n"
                               "  - {name: load, type: force, on: p, value: [4, -18]}\n";
    hol_model *model;
    (void)state;
    hol_statics *s = at_rest(text, NULL, 0, NULL, &model);
    near("x", value(s, "p.x"), 0.1, 1e-14);
    near("y", value(s, "p.y"), -0.2, 1e-14);
    assert_true(s->point[0].stable && isnan(s->point[0].growth));
    near("stiffness", s->point[0].stiffness, 40, 1e-12);
    leave(s, model);
}

// Every shipped model that has an equilibrium is left where it is by a second search from the pose that was written.
static void poses_come_back(void **state)
{
    static const char *const list[] = {"four_bar", "double_pendulum_3d", "hmmwv", "chain", "double_wishbone"};
    (void)state;
    for (int k = 0; k < HOL_COUNT(list); k++) {
        char pose[] = "/tmp/holonom_pose_XXXXXX", text[300], folder[200];
        const int file = mkstemp(pose);
        assert_true(file >= 0 && getcwd(folder, sizeof folder));
        close(file);
        hol_model *model, *again;
        hol_statics *s = at_rest(list[k], NULL, 0, NULL, &model);
        assert_int_equal(hol_statics_write_pose(ctx, s, 0, pose), HOL_OK);
        snprintf(text, sizeof text, "include: [%s/models/%s.yaml, %s]\n", folder, list[k], pose);
        hol_statics *t = at_rest(text, NULL, 0, NULL, &again);
        assert_true(t->point[0].iterations <= 5 && !t->point[0].flowed);
        for (int i = 0; i < s->n_signals; i++)
            if (s->kind[i] == HOL_STATIC_POSE)
                near(s->signal[i], t->point[0].value[i], s->point[0].value[i], 1e-9);
        leave(t, again);
        leave(s, model);
        unlink(pose);
    }
}

// In space with the full turns of joints, of springs and couplers that count from where these are drawn, and of expressions, in mirrors too:
// k c = M with k = 3 for both springs, which are free as drawn, wheels by -0.3 and 0.7 of it. There the model rests at once, and so a run begins.
static void poses_come_back_with_their_turns(void **state)
{
    static const char part[] =
        "dimension: 3\nbodies:\n"
        "  - {name: b, mass: 1, inertia: [0.3, 0.3, 0.3], markers: {p: [0, 0, 0]}}\n"
        "  - {name: c, mass: 1, inertia: [0.3, 0.3, 0.3], position: [1, 0, 0], orientation: {rpy: [0, 0, 170 "
        "deg]}}\n"
        "  - {name: d, mass: 1, inertia: [0.3, 0.3, 0.3], position: [2, 0, 0]}\n"
        "joints:\n"
        "  - {name: h, type: revolute, between: [ground, b], stiffness: 2, turns: 1, angle: 2*pi}\n"
        "  - {name: g, type: revolute, between: [ground: [1, 0, 0], c]}\n"
        "  - {name: s, type: screw, between: [ground: [2, 0, 0], d], pitch: 0.1}\n"
        "  - {name: w, type: gear, joints: [h, g], ratio: -0.3}\n"
        "  - {name: v, type: gear, joints: [h, s], ratio: 0.7}\n"
        "forces:\n"
        "  - {name: rs, type: rotational-spring-damper, between: [ground, b], stiffness: 1}\n"
        "  - {name: f, type: torque, joint: h, value: 40}\n"
        "variables: [{name: x, value: \"AZ(b.p)^2\"}]\n";
    static const char *const runs[] = {"simulate.start=drawn", "simulate.start=equilibrium"};
    char files[2][40] = {"/tmp/holonom_part_XXXXXX", "/tmp/holonom_pose_XXXXXX"}, text[2][500];
    (void)state;
    for (int i = 0; i < 2; i++) {
        const int file = mkstemp(files[i]);
        assert_true(file >= 0 && (i || write(file, part, strlen(part)) == (ssize_t)strlen(part)));
        close(file);
        snprintf(text[i], sizeof text[i],
                 "dimension: 3\ngravity: [0, 0, 0]\ninclude:\n  - {file: %s, as: l}\n"
                 "  - {file: %s, as: r, mirror: y}\n  - {file: %s, as: k, mirror: x, keep_axes: yes}\n"
                 "%s%s\nsimulate: {end: 1, signals: [coordinates, all]}\n",
                 files[0], files[0], files[0], i ? "  - " : "", i ? files[1] : "");
    }
    hol_model *model, *again;
    hol_statics *s = at_rest(text[0], NULL, 0, NULL, &model);
    const double c = 40.0 / 3;
    near("angle", value_at_point(s, 0, "l.h.angle"), c + 2 * HOL_PI, 1e-9);
    near("wheel", value_at_point(s, 0, "r.g.angle"), 170 * HOL_PI / 180 - 0.3 * c, 1e-9);
    assert_int_equal(hol_statics_write_pose(ctx, s, 0, files[1]), HOL_OK);
    hol_statics *t = at_rest(text[1], NULL, 0, NULL, &again);
    assert_true(t->point[0].iterations <= 5 && !t->point[0].flowed);
    for (int i = 0; i < s->n_signals; i++)
        near(s->signal[i], t->point[0].value[i], s->point[0].value[i], 1e-8);
    leave(t, again);
    for (int i = 0; i < HOL_COUNT(runs); i++) {
        motion m = open_motion(text[1], &runs[i], 1);
        for (int k = 0; k < s->n_signals; k++)
            if (s->kind[k] != HOL_STATIC_FORCE && !strstr(s->signal[k], "violation"))
                near(s->signal[k], signal_value(m.sim, s->signal[k]), s->point[0].value[k], 1e-8);
        close_motion(&m);
    }
    leave(s, model);
    for (int i = 0; i < 2; i++) unlink(files[i]);
}

// A block without damping in the normal direction that sticks and is pushed: with linear contacts its bounce takes what bristles have stored,
// (place - 1/4) 2.7e-10 P^2/s of 316 rad/s by how far within the overlap friction acts, which is no growth. With Hertz' law and near the limit of
// friction bouncing and sliding couple, and it is.
static void growth_is_seen_beside_its_vibration(void **state)
{
    static const struct {
        const char *law;
        double P, growth;
    } rows[] = {{"exponent: 1", 0.5, 0}, {"exponent: 1", 3, 0},
                {"exponent: 1", 5, 0},   {"exponent: 1, point: second", 3, 0},
                {"exponent: 1.5", 3, 0}, {"exponent: 1.5", 8, 0.0338}};
    (void)state;
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        char text[1000];
        snprintf(
            text, sizeof text,
            "dimension: 2\ngravity: [0, -9.81]\nground: {shape: [{type: halfplane, name: floor}]}\n"
            "bodies: [{name: b, mass: 2, inertia: 0.3, position: [0, 0.1], shape: {type: box, size: [0.4, "
            "0.2]}}]\ncontacts: [{name: c, between: [b, ground.floor], stiffness: 1e5, restitution: 1, %s, "
            "friction: {coefficient: 0.5}}]\nforces: [{name: f, type: force, on: b, value: [%g, 0]}]\n",
            rows[i].law, rows[i].P);
        const hol_statics_options o = {.unstable = rows[i].growth > 0};
        hol_model *model = load_model(text, NULL, 0);
        hol_statics *s = hol_statics_create(ctx, model, &o);
        if (!s) fail_msg("%s, %g: %s", rows[i].law, rows[i].P, hol_context_error(ctx));
        near(rows[i].law, s->point[0].growth, rows[i].growth, 1e-4);
        assert_int_equal(s->point[0].growth == 0, rows[i].growth == 0);
        assert_int_equal(s->point[0].stable, rows[i].growth == 0);
        leave(s, model);
    }
}

// ---- runs that begin there ------------------------------------------------------------------------------------

// A run that begins in an equilibrium stays there, whatever the method.
static void runs_stay_at_rest(void **state)
{
    static const char *const methods[] = {"hht", "rk", "rn4", "bdf", "adams", "tangent", "joint_bdf"};
    (void)state;
    for (int k = 0; k < HOL_COUNT(methods); k++) {
        char method[40];
        snprintf(method, sizeof method, "simulate.method=%s", methods[k]);
        const char *set[] = {"parameters.n=4", "simulate.start=equilibrium", "simulate.end=0.5", method};
        motion a = move("chain", set, HOL_COUNT(set));
        assert_int_equal(a.end, HOL_OK);
        near("hanging", value_of(&a, "link4.right.y"), -4, 1e-9);
        near("at rest", value_of(&a, "link4.omega"), 0, 1e-8);
        close_motion(&a);
    }
}

// The vehicle, drawn 10 mm above its equilibrium, drives on there at the speed that the file gives.
static void the_vehicle_drives_on(void **state)
{
    const char *set[] = {"parameters.lift=0.01", "simulate.start=equilibrium", "simulate.end=0.3",
                         "parameters.bump=100"};
    (void)state;
    motion a = move("hmmwv", set, HOL_COUNT(set));
    assert_int_equal(a.end, HOL_OK);
    near("height", value_of(&a, "chassis.z"), 0.71, 1e-9); // that of the drawing without the lift
    near("speed", value_of(&a, "chassis.vx"), 4.4704, 1e-9);
    close_motion(&a);
}

static void not_begun(const char *name, const char *words)
{
    const char *set[] = {"simulate.start=equilibrium", "simulate.end=0.1"};
    hol_model *model = load_model(name, set, HOL_COUNT(set));
    assert_null(hol_simulation_create(ctx, model));
    expect_message(words);
    hol_model_destroy(model);
}

static void what_does_not_begin_at_rest(void **state)
{
    (void)state;
    not_begun("four_bar", "gives \"crank0\" a velocity in a direction in which forces hold it");
    not_begun("car_axis", "there is no equilibrium: a driver moves");
    not_begun("slider_crank", "no equilibrium is found near the start");
}

static void checkpoints_of_such_runs(void **state)
{
    const char *set[] = {"parameters.n=3", "simulate.start=equilibrium", "simulate.end=1"};
    (void)state;
    resume("chain", set, HOL_COUNT(set), "/tmp/holonom_statics.chk");
}

// ---- what has none, what is wrong -----------------------------------------------------------------------------

static void refused(const char *name, hol_status st, const char *words)
{
    hol_model *model = load_model(name, NULL, 0);
    assert_null(hol_statics_create(ctx, model, NULL));
    assert_int_equal(hol_context_status(ctx), st);
    expect_message(words);
    hol_model_destroy(model);
}

static void what_has_no_equilibrium(void **state)
{
    (void)state;
    refused("dimension: 2\ngravity: [0, -9.81]\nbodies:\n"
            "  - {name: stone, type: point, mass: 1, position: [0, 0]}\n",
            HOL_ERR_INTEGRATION, "nothing holds \"stone\" along -y, and a force of 9.81 N drives it there");
    refused("slider_crank", HOL_ERR_INTEGRATION, "no equilibrium is found near the start");
    refused("dimension: 2\ngravity: [0, 0]\nbodies:\n"
            "  - {name: p, type: point, mass: 1, position: [0, 0]}\n"
            "states: [{name: s, rate: 1}]\n",
            HOL_ERR_INTEGRATION, "states change at");
    // two straight cranks in line
    refused("dimension: 2\ngravity: [0, -9.81]\nbodies:\n"
            "  - {name: a, mass: 1, inertia: 0.1, position: [0.5, 0], markers: {l: [-0.5, 0], r: [0.5, 0]}}\n"
            "  - {name: b, mass: 1, inertia: 0.1, position: [1.5, 0], markers: {l: [-0.5, 0], r: [0.5, 0]}}\n"
            "  - {name: c, mass: 1, inertia: 0.1, position: [1.5, 0], markers: {l: [-0.5, 0], r: [0.5, 0]}}\n"
            "joints:\n"
            "  - {name: A, type: revolute, between: [ground, a.l]}\n"
            "  - {name: B, type: revolute, between: [a.r, b.l]}\n"
            "  - {name: C, type: revolute, between: [b.r, c.r]}\n"
            "  - {name: D, type: revolute, between: [c.l, ground: [1, 0]]}\n",
            HOL_ERR_INTEGRATION, "it is a singular pose");
}

// One slider on another, each pushed to its stop: F moves each by F/K beyond it, the first by F - 10 (0.5 + F/K) of a spring. However stiff.
static void stiff_stops_are_met(void **state)
{
    (void)state;
    for (double K = 1e3; K < 1e13; K *= 1e3) {
        char text[1000];
        snprintf(
            text, sizeof text,
            "dimension: 2\ngravity: [0, 0]\nbodies:\n"
            "  - {name: a, mass: 1, inertia: 0.1}\n  - {name: b, mass: 1, inertia: 0.1, position: [1, "
            "0]}\njoints:\n"
            "  - {name: ga, type: translational, between: [ground, a],\n"
            "     limits: {range: [-1, 0.5], stiffness: %g, exponent: 1}}\n"
            "  - {name: ab, type: translational, between: [a, b],\n"
            "     limits: {range: [0.5, 2], stiffness: %g, exponent: 1}}\n"
            "forces:\n  - {name: s, type: spring-damper, between: [ground, a], stiffness: 10, length: 0}\n"
            "  - {name: f, type: force, on: b, value: [50, 0]}\nsimulate: {signals: [coordinates]}\n",
            K, K);
        hol_model *model = load_model(text, NULL, 0);
        hol_statics *s = hol_statics_create(ctx, model, NULL);
        if (!s) fail_msg("K = %g: %s", K, hol_context_error(ctx));
        const double own = (50 - 5) / (K + 10), other = 50 / K;
        near("a", value(s, "a.x"), 0.5 + own, 1e-9);
        near("b", value(s, "b.x"), 0.5 + own + 2 + other, 1e-9);
        hol_statics_destroy(s);
        hol_model_destroy(model);
    }
}

// What hangs in the air falls until it rests, friction or not: a ball by K d^1.5 = m g, a box on both of its corners by K (2/2) d^1.5 each.
static void what_is_free_falls_onto_the_floor(void **state)
{
    static const struct {
        const char *body, *friction;
        double height, corners;
    } rows[] = {
        {"position: [0, 0.3], shape: {type: sphere, radius: 0.1}", "", 0.1, 1},
        {"position: [0, 0.3], shape: {type: sphere, radius: 0.1}", ", friction: {coefficient: 0.3}", 0.1, 1},
        {"position: [0, 0.4], angle: 0.2, shape: {type: box, size: [0.4, 0.2]}",
         ", friction: {coefficient: 0.3}", 0.1, 2}};
    (void)state;
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        char text[600];
        snprintf(
            text, sizeof text,
            "dimension: 2\ngravity: [0, -9.81]\nground: {shape: {type: halfplane}}\n"
            "bodies: [{name: b, mass: 0.5, inertia: 1e-3, %s}]\n"
            "contacts: [{name: k, between: [b, ground], stiffness: 1e5, damping: 1%s}]\nsimulate: {end: 1}\n",
            rows[i].body, rows[i].friction);
        hol_model *model = load_model(text, NULL, 0);
        hol_statics *s = hol_statics_create(ctx, model, NULL);
        if (!s) fail_msg("%s: %s", rows[i].body, hol_context_error(ctx));
        near("b.y", value(s, "b.y"), rows[i].height - pow(0.5 * 9.81 / (1e5 * rows[i].corners), 2.0 / 3),
             1e-9);
        hol_statics_destroy(s);
        hol_model_destroy(model);
    }
}

// A ring of an even number of rods folds onto a line, in which the equations that close it depend on each other: no pose for growth rates
// and forces. One of three rods stays a triangle: a physical pendulum upside down, I = 3 (1/12 + 1/12) + 3/3, growth^2 = 3 g s/I with
// s = 1/sqrt 3.
static void rings_fold_flat(void **state)
{
    const hol_statics_options unstable = {.unstable = true};
    (void)state;
    for (int n = 4; n <= 10; n += 2) {
        char count[40];
        snprintf(count, sizeof count, "parameters.N=%d", n);
        hol_model *ring = load_model("ring", (const char *const[]){count}, 1);
        assert_null(hol_statics_create(ctx, ring, &unstable));
        expect_message("in a singular pose, in which the equations of J0, J1");
        hol_model_destroy(ring);
    }
    hol_model *ring = load_model("ring", (const char *const[]){"parameters.N=3"}, 1);
    hol_statics *s = hol_statics_create(ctx, ring, &unstable);
    if (!s) fail_msg("%s", hol_context_error(ctx));
    const double h = 1 / sqrt(3), inertia = 3 * (1.0 / 12 + h * h / 4) + 3 * h * h;
    near("growth", s->point[0].growth, sqrt(3 * h / inertia), 1e-9);
    hol_statics_destroy(s);
    hol_model_destroy(ring);
}

static void arguments(void **state)
{
    hol_model *model;
    (void)state;
    hol_statics *s = at_rest(pendulum, NULL, 0, NULL, &model);
    assert_null(hol_statics_create(NULL, model, NULL));
    assert_null(hol_statics_create(ctx, NULL, NULL));
    assert_int_equal(hol_context_status(ctx), HOL_ERR_USAGE);
    assert_int_equal(hol_statics_write(ctx, s, NULL), HOL_ERR_USAGE);
    assert_int_equal(hol_statics_write(ctx, NULL, "x.csv"), HOL_ERR_USAGE);
    assert_int_equal(hol_statics_write(ctx, s, "/tmp/x.txt"), HOL_ERR_USAGE);
    assert_int_equal(hol_statics_write_pose(ctx, s, 1, "/tmp/x.yaml"), HOL_ERR_USAGE);
    expect_message("there is no point 1");
    assert_int_equal(hol_statics_write_pose(ctx, s, 0, NULL), HOL_ERR_USAGE);
    hol_statics_destroy(NULL);
    leave(s, model);
}

static void no_memory(void **state)
{
    static const char *const list[] = {"double_pendulum", "bricard"};
    (void)state;
    for (int k = 0; k < HOL_COUNT(list); k++) {
        hol_model *model = load_model(list[k], NULL, 0);
        int n = 1 + k; // most are those of iterations, again and again
        for (bool done = false; !done; n += goes_far() ? 1 : few() ? 5 : 3) {
            hol_memory_fail_after(ctx, n);
            hol_statics *s = hol_statics_create(ctx, model, NULL);
            done = hol_memory_fail_after(ctx, 0) != 0;
            assert_int_equal(hol_context_status(ctx), done ? HOL_OK : HOL_ERR_MEMORY);
            assert_true(!s == !done);
            hol_statics_destroy(s);
        }
        assert_in_range(n, 20, 20000);
        hol_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(masses_on_stiff_springs),
                                       cmocka_unit_test(a_cantilever_of_beams),
                                       cmocka_unit_test(soft_beside_stiff),
                                       cmocka_unit_test(an_upright_pendulum),
                                       cmocka_unit_test(what_nothing_holds),
                                       cmocka_unit_test(without_masses),
                                       cmocka_unit_test(poses_come_back),
                                       cmocka_unit_test(poses_come_back_with_their_turns),
                                       cmocka_unit_test(growth_is_seen_beside_its_vibration),
                                       cmocka_unit_test(what_has_no_equilibrium),
                                       cmocka_unit_test(rings_fold_flat),
                                       cmocka_unit_test(stiff_stops_are_met),
                                       cmocka_unit_test(what_is_free_falls_onto_the_floor),
                                       cmocka_unit_test(runs_stay_at_rest),
                                       cmocka_unit_test(the_vehicle_drives_on),
                                       cmocka_unit_test(what_does_not_begin_at_rest),
                                       cmocka_unit_test(checkpoints_of_such_runs),
                                       cmocka_unit_test(arguments),
                                       cmocka_unit_test(no_memory)};
    return cmocka_run_group_tests(tests, start, stop);
}
