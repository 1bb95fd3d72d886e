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

static double signal_at(const hol_statics *s, int point, const char *name)
{
    for (int i = 0; i < s->n_signals; i++)
        if (strcmp(s->signal[i], name) == 0) return s->point[point].value[i];
    fail_msg("no signal %s", name);
    return 0;
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
    near("angle", signal_at(s, 0, "l.h.angle"), c + 2 * HOL_PI, 1e-9);
    near("wheel", signal_at(s, 0, "r.g.angle"), 170 * HOL_PI / 180 - 0.3 * c, 1e-9);
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

// ---- branches -------------------------------------------------------------------------------------------------

// A beam-column of two rods with a torsion spring between, pressed: it buckles at 4 k/L for rods of L/2; every length that the joints hold
// depends on the parameter, as the rods get longer with it.
static const char strut[] =
    "dimension: 2\ngravity: [0, 0]\nlength_scale: 1\nparameters: {P: 1, L: 2, k: 3, lean: 0}\nbodies:\n"
    "  - {name: a, mass: 1, inertia: 1, position: [L/4, 0], markers: {l: [-L/4, 0], r: [L/4, 0]}}\n"
    "  - {name: b, mass: 1, inertia: 1, position: [3*L/4, 0], markers: {l: [-L/4, 0], r: [L/4, 0]}}\n"
    "joints:\n"
    "  - {name: A, type: revolute, between: [ground, a.l]}\n"
    "  - {name: B, type: revolute, between: [a.r, b.l]}\n"
    "  - {name: C, type: in-line, between: [ground, b.r]}\n"
    "forces:\n"
    "  - {name: spring, type: rotational-spring-damper, between: [a, b], stiffness: k, angle: lean}\n"
    "  - {name: press, type: force, on: b.r, value: [-P, 0]}\n";

static hol_statics *followed(const char *text, const char *vary, bool branches, hol_model **model)
{
    const hol_statics_options o = {.vary = vary, .branches = branches, .unstable = true};
    *model = load_model(text, NULL, 0);
    hol_statics *s = hol_statics_create(ctx, *model, &o);
    if (!s) print_error("%s\n", hol_context_error(ctx));
    assert_non_null(s);
    return s;
}

static const hol_static_point *the(const hol_statics *s, hol_static_kind kind)
{
    const hol_static_point *found = NULL;
    for (int i = 0; i < s->n_points; i++)
        if (s->point[i].at == kind) {
            assert_null(found);
            found = &s->point[i];
        }
    assert_non_null(found);
    return found;
}

// Critical load 4 k/L, by the load and by the length.
static void a_strut_buckles(void **state)
{
    hol_model *model;
    (void)state;
    hol_statics *s = followed(strut, "P=1..10", false, &model);
    near("load", the(s, HOL_STATIC_BIFURCATION)->parameter, 6, 1e-9);
    near("end", s->point[s->n_points - 1].parameter, 10, 1e-12);
    assert_true(s->point[0].stable && !s->point[s->n_points - 1].stable && !s->ended);
    leave(s, model);
    s = followed(strut, "L=2..20", true, &model);
    near("length", the(s, HOL_STATIC_BIFURCATION)->parameter, 12, 1e-9);
    int last = 0;
    for (int i = 0; i < s->n_points; i++) last = s->point[i].branch > last ? s->point[i].branch : last;
    assert_int_equal(last, 2);
    leave(s, model);
}

// A four-bar linkage is drawn out to a + b + c = 5.2, where its links come into line and what holds them has no limit.
static void branches_end_where_links_come_into_line(void **state)
{
    static const char text[] =
        "dimension: 2\ngravity: [0, -10]\nparameters: {d: 2.5}\nbodies:\n"
        "  - {name: crank, mass: 1, inertia: 0.1, position: [0.25, 0.43], angle: 60 deg, markers: {o: [-0.5, "
        "0], p: [0.5, 0]}}\n"
        "  - {name: coup, mass: 1.5, inertia: 0.2, position: [1.5, 1.3], angle: 25 deg,\n"
        "     markers: {o: [-1.1, 0], p: [1.1, 0], m: [0.3, 0.4]}}\n"
        "  - {name: rock, mass: 1.2, inertia: 0.3, position: [2.3, 1], angle: 100 deg, markers: {o: [-1, 0], "
        "p: [1, 0]}}\n"
        "joints:\n  - {name: A, type: revolute, between: [ground, crank.o]}\n"
        "  - {name: B, type: revolute, between: [crank.p, coup.o]}\n"
        "  - {name: C, type: revolute, between: [coup.p, rock.p]}\n"
        "  - {name: D, type: revolute, between: [ground: [d, 0], rock.o]}\nforces:\n"
        "  - {name: sp, type: spring-damper, between: [ground: [0.5, 3], coup.m], stiffness: 60, length: 1, "
        "damping: 2}\n";
    hol_model *model;
    (void)state;
    hol_statics *s = followed(text, "d=2.5..5.3", false, &model);
    assert_non_null(s->ended);
    assert_non_null(strstr(s->ended, "singular pose is near: the equations of A, B, C and D"));
    assert_true(s->n_points < 500);
    near("d", s->point[s->n_points - 1].parameter, 5.2, 1e-3);
    leave(s, model);
}

// Where a force grows along a direction that nothing holds there is one point, and no branch: a wheel on a road that P pushes, however stiff
// the road; a cart on a rail that tilts, and that P pushes; a box on a floor whose friction is smooth; a rod that a moment turns. Half way, by
// a force that begins at P = 1: the points up to there are equilibria, and there is none beyond.
static void branches_end_where_nothing_holds(void **state)
{
    static const char wheel[] = "dimension: 2\ngravity: [0, -9.81]\nparameters: {P: 0}\n"
                                "bodies: [{name: w, type: point, mass: 20, position: [0, 0.5]}]\nforces:\n"
                                "  - {name: f, type: force, on: w, value: [\"%s\", 0]}\n"
                                "  - {name: t, type: tyre, on: w, stiffness: %s, length: 0.5}\n",
                      cart[] = "dimension: 2\ngravity: [0, -9.81]\nparameters: {P: 0, th: 0}\nbodies:\n"
                               "  - {name: cart, mass: 20, inertia: 0.3}\n"
                               "  - {name: pen, mass: 2, inertia: 0.1, com: [0, -0.5]}\njoints:\n"
                               "  - {name: rail, type: translational, between: [ground.g, cart]}\n"
                               "  - {name: h, type: revolute, between: [cart, pen]}\n"
                               "ground: {markers: {g: {angle: th}}}\n"
                               "forces: [{name: f, type: force, on: cart, value: [P, 0]}]\n",
                      box[] =
                          "dimension: 2\ngravity: [0, -9.81]\nparameters: {P: 0}\n"
                          "ground: {shape: [{name: fl, type: halfplane}]}\n"
                          "bodies: [{name: box, mass: 20, inertia: 0.3, position: [0, 0.15], markers: {top: "
                          "[0, 0.15]}, shape: {type: box, size: [0.3, 0.3]}}]\n"
                          "forces: [{name: f, type: force, on: box.top, value: [P, 0]}]\n"
                          "contacts: [{name: c, between: [box, ground.fl], stiffness: 1e7, damping: 0, "
                          "friction: {coefficient: 0.6, law: tanh, transition: 0.001}}]\n",
                      rod[] = "dimension: 2\ngravity: [0, 0]\nparameters: {P: 0}\n"
                              "bodies: [{name: rod, mass: 1, inertia: 0.3}]\n"
                              "joints: [{name: j, type: revolute, between: [ground, rod]}]\n"
                              "forces: [{name: f, type: torque, on: rod, value: -P}]\n";
    static const struct {
        const char *text, *push, *stiffness, *vary, *why;
        double end;
    } list[] = {
        {wheel, "P", "1e8", "P=0..10", "\"w\" along x, and P drives it there", 0},
        {wheel, "-P", "1e3", "P=0..10", "\"w\" along -x, and P drives it there", 0},
        {wheel, "P", "1e10", "P=0..10", "\"w\" along x, and P drives it there", 0},
        {wheel, "max(0, P - 1)", "1e5", "P=0..10", "\"w\" along x, and P drives it there", 1},
        {cart, "", "", "th=0..0.2", "\"cart\" along -x, and th drives it there", 0},
        {cart, "", "", "P=0..10", "\"cart\" along x, and P drives it there", 0},
        {box, "", "", "P=0..1", "\"box\" along x, and P drives it there", 0},
        {rod, "", "", "P=0..1", "\"rod\" against turning about -z, and P turns it", 0},
    };
    (void)state;
    for (int i = 0; i < HOL_COUNT(list); i++) {
        char text[2000];
        snprintf(text, sizeof text, list[i].text, list[i].push, list[i].stiffness);
        hol_model *model;
        hol_statics *s = followed(text, list[i].vary, false, &model);
        if (!s->ended || !strstr(s->ended, list[i].why))
            fail_msg("%d: %s", i, s->ended ? s->ended : "reached");
        near("end", s->point[s->n_points - 1].parameter, list[i].end, 1e-6);
        assert_true(list[i].end > 0 || s->n_points == 1);
        for (int k = 0; k < s->n_points; k++) assert_true(s->point[k].left < 1e-9);
        leave(s, model);
    }
}

static const char follower[] =
    "dimension: 2\ngravity: [0, 0]\nlength_scale: 1\nparameters: {P: 1, c: 0}\nbodies:\n"
    "  - {name: a, mass: 1e-9, inertia: 1e-9, position: [0.5, 0], markers: {l: [-0.5, 0], r: [0.5, 0]}}\n"
    "  - {name: b, mass: 1e-9, inertia: 1e-9, position: [1.5, 0], markers: {l: [-0.5, 0], r: [0.5, 0]}}\n"
    "  - {name: m1, type: point, mass: 2, position: [1, 0]}\n"
    "  - {name: m2, type: point, mass: 1, position: [2, 0]}\n"
    "joints:\n"
    "  - {name: A, type: revolute, between: [ground, a.l]}\n"
    "  - {name: B, type: revolute, between: [a.r, b.l]}\n"
    "  - {name: C, type: at-point, between: [a.r, m1]}\n"
    "  - {name: D, type: at-point, between: [b.r, m2]}\n"
    "forces:\n"
    "  - {name: s1, type: rotational-spring-damper, between: [ground, a], stiffness: 1, damping: c}\n"
    "  - {name: s2, type: rotational-spring-damper, between: [a, b], stiffness: 1, damping: c}\n"
    "  - {name: follow, type: force, on: b.r, frame: body, value: [-P, 0]}\n";

// A rod on a hinge whose end a follower force presses, with damping: two rods flutter. Beck's column of two rods with m, 2 m, k and
// stiffness k in both hinges, L = 1: P = (7/2 - sqrt(2)) k/L without damping (Herrmann and Bungay 1964).
static void a_follower_force_makes_flutter(void **state)
{
    hol_model *model;
    (void)state;
    hol_statics *s = followed(follower, "P=1..3", false, &model);
    near("load", the(s, HOL_STATIC_CHANGE)->parameter, 3.5 - sqrt(2),
         1e-5); // where both frequencies meet growth begins as a root
    leave(s, model);
}

// The same with equal dampers: 41/28 + c^2/2 (G. Herrmann, I.-C. Jong, J. Applied Mechanics 32, 1965), where a pair crosses the axis alone.
static void dampers_make_flutter_sooner(void **state)
{
    static const double c[] = {0.01, 0.1, 0.5};
    (void)state;
    for (int i = 0; i < HOL_COUNT(c); i++) {
        char set[40];
        const hol_statics_options o = {.vary = "P=1..3"};
        snprintf(set, sizeof set, "parameters.c=%g", c[i]);
        hol_model *model = load_model(follower, (const char *const[]){set}, 1);
        hol_statics *s = hol_statics_create(ctx, model, &o);
        if (!s) fail_msg("%s", hol_context_error(ctx));
        near("load", the(s, HOL_STATIC_CHANGE)->parameter, 41.0 / 28 + c[i] * c[i] / 2,
             2e-8); // by the masses of 1e-9
        leave(s, model);
    }
}

// A pendulum that stands on a spring, k = 3 .. 12, hangs aside below k = m g l = 10, and stands above it: the branch of what hangs comes to
// the pitchfork from its side. It goes on to the end of the range, and leaves the other half and the way back to branches.
static void a_pitchfork_from_its_side(void **state)
{
    static const struct {
        const char *vary;
        double at, end, stiffness;
    } list[] = {{"k=3..12", 10, 12, 2}, {"k=9..11", 10, 11, 1}, {"k=5..10.1", 10, 10.1, 0.1}};
    static const char text[] = "dimension: 2\ngravity: [0, -10]\nparameters: {k: 3}\n"
                               "bodies: [{name: d, mass: 1, inertia: 0.1, com: [0, 1], angle: 0}]\n"
                               "joints: [{name: p, type: revolute, between: [ground, d], stiffness: k}]\n";
    (void)state;
    for (int i = 0; i < HOL_COUNT(list); i++) {
        const hol_statics_options o = {.vary = list[i].vary, .branches = i == 1};
        hol_model *model = load_model(text, NULL, 0);
        hol_statics *s = hol_statics_create(ctx, model, &o);
        int last[3] = {-1, -1, -1};
        if (!s) fail_msg("%s", hol_context_error(ctx));
        near("load", the(s, HOL_STATIC_BIFURCATION)->parameter, list[i].at, 1e-6);
        for (int k = 0; k < s->n_points; k++) {
            assert_true(s->point[k].branch < 3);
            last[s->point[k].branch] = k;
        }
        const hol_static_point *end = &s->point[last[0]];
        near("end", end->parameter, list[i].end, 1e-12);
        near("stiffness there", end->stiffness, list[i].stiffness, 1e-9);
        assert_true(end->stable);
        assert_true((i == 1) == (last[1] >= 0));
        if (i == 1) near("the other half", s->point[last[1]].parameter, 9, 1e-12);
        if (i == 1) near("the way back", s->point[last[2]].stiffness, -1, 1e-9);
        if (i == 1) assert_true(s->point[last[1]].stable && !s->point[last[2]].stable);
        leave(s, model);
    }
}

// Angles in space go on through half a turn, and so does what depends on them: a spring that a torque winds up, k c = M, U = k c^2/2, and a
// motor whose place is varied, with a gear behind it.
static void branches_count_full_turns(void **state)
{
    static const char *const texts[] = {
        "dimension: 3\ngravity: [0, 0, 0]\nparameters: {p: 0}\n"
        "bodies: [{name: b, mass: 1, inertia: [0.3, 0.3, 0.3], markers: {m: [0, 0, 0]}}]\n"
        "joints: [{name: h, type: revolute, between: [ground, b], stiffness: 2}]\n"
        "forces: [{name: f, type: torque, on: b, value: [0, 0, p]}]\n"
        "variables: [{name: twice, value: 2*AZ(b.m)}]\n",
        "dimension: 3\ngravity: [0, 0, 0]\nparameters: {p: 0}\n"
        "bodies: [{name: b, mass: 1, inertia: [0.3, 0.3, 0.3], markers: {m: [0, 0, 0]}},\n"
        "  {name: c, mass: 1, inertia: [0.3, 0.3, 0.3], position: [1, 0, 0]}]\n"
        "joints:\n  - {name: h, type: revolute, between: [ground, b], motor: {angle: p/2, kp: 3, kd: 1}}\n"
        "  - {name: g, type: revolute, between: [ground: [1, 0, 0], c]}\n"
        "  - {name: wheels, type: gear, joints: [h, g], ratio: -0.5}\n"
        "variables: [{name: twice, value: -4*g.angle}]\n"};
    (void)state;
    for (int i = 0; i < HOL_COUNT(texts); i++) {
        hol_model *model;
        hol_statics *s = followed(texts[i], "p=0..-30", false, &model);
        assert_true(!s->ended && s->n_points > 20);
        for (int k = 0; k < s->n_points; k++) {
            const double p = s->point[k].parameter;
            near("angle", signal_at(s, k, "h.angle"), p / 2, 1e-12);
            near("expression", signal_at(s, k, "twice"), p, 1e-12);
            if (i == 0) near("energy", s->point[k].potential, p * p / 4, 1e-10);
        }
        near("end", s->point[s->n_points - 1].parameter, -30, 1e-12);
        leave(s, model);
    }
}

static void branches_that_cannot_be(void **state)
{
    static const struct {
        const char *vary, *words;
    } list[] = {{"P", "NAME=A..B is wanted"},
                {"P=1..1", "both values are 1"},
                {"Q=1..2", "the model file has no parameter \"Q\""},
                {"P=1..two", "vary \"P=1..two\": two: unknown name"}};
    hol_model *model = load_model(strut, NULL, 0);
    (void)state;
    for (int i = 0; i < HOL_COUNT(list); i++) {
        const hol_statics_options o = {.vary = list[i].vary};
        assert_null(hol_statics_create(ctx, model, &o));
        expect_message(list[i].words);
    }
    hol_model_destroy(model);
}

// ---- trimming -------------------------------------------------------------------------------------------------

// A beam on two springs: their free lengths for a height and an angle. With F the weight at 1/4 of the way the springs carry 3/4 and 1/4 of it.
static const char beam[] =
    "dimension: 2\ngravity: [0, -9.81]\nlength_scale: 1\nparameters: {l1: 1, l2: 1, k: 2000, tilt: "
    "0.01}\nbodies:\n"
    "  - {name: beam, mass: 8, inertia: 3, position: [0, 1], markers: {l: [-0.5, 0], r: [1.5, 0]}}\n"
    "joints: [{name: guide, type: in-line, between: [ground: {position: [0, 0], axis: [0, 1]}, beam]}]\n"
    "variables: [{name: angle, value: AZ(beam)}]\n"
    "forces:\n"
    "  - {name: s1, type: force, on: beam.l, value: [0, k*(l1 - DY(beam.l))]}\n"
    "  - {name: s2, type: force, on: beam.r, value: [0, k*(l2 - DY(beam.r))]}\n"
    "static: {trim: {parameters: [l1, l2], hold: [{signal: beam.y, value: 1.2 m}, {signal: angle, value: "
    "tilt}]}}\n";

static void a_beam_is_trimmed(void **state)
{
    hol_model *model;
    (void)state;
    hol_statics *s = at_rest(beam, NULL, 0, NULL, &model);
    assert_int_equal(s->n_trimmed, 2);
    assert_string_equal(s->trimmed[0], "l1");
    const double F = 8 * 9.81;
    near("l1", s->trim_value[0], 1.2 - 0.5 * sin(0.01) + 0.75 * F / 2000, 1e-12);
    near("l2", s->trim_value[1], 1.2 + 1.5 * sin(0.01) + 0.25 * F / 2000, 1e-12);
    near("height", value(s, "beam.y"), 1.2, 1e-12);
    near("angle", value(s, "angle"), 0.01, 1e-12);
    assert_true(s->point[0].stable);
    leave(s, model);
}

// What floats has an equilibrium with one lift alone, and then in every place: F = m g, at the height asked for, from any F. A wheel that a slope
// of gravity drives along a road; a beam carried by two lifts that are turned with nothing, F1 l1 = F2 l2 at any tilt; a mass on a spring
// that a valve's state loads, x' = (P - x)/tau.
static void what_floats_is_trimmed(void **state)
{
    static const char lift[] = "dimension: 2\ngravity: [0, -9.81]\nparameters: {F: %s}\n"
                               "bodies: [{name: b, type: point, mass: 10, position: [0, 1]}]\n"
                               "joints: [{name: j, type: in-line, between: [ground.v, b]}]\n"
                               "ground: {markers: {v: {angle: 90 deg}}}\n"
                               "forces: [{name: f, type: force, on: b, value: [0, F]}]\n"
                               "static: {trim: {parameters: [F], hold: [{signal: b.y, value: 2}]}}\n",
                      wheel[] = "dimension: 2\ngravity: [1, -9.81]\nparameters: {P: %s}\n"
                                "bodies: [{name: b, type: point, mass: 20, position: [0, 0.5]}]\nforces:\n"
                                "  - {name: f, type: force, on: b, value: [P, 0]}\n"
                                "  - {name: w, type: tyre, on: b, stiffness: 1e5, length: 0.5}\n"
                                "static: {trim: {parameters: [P], hold: [{signal: b.x, value: 0.1}]}}\n",
                      beam2[] =
                          "dimension: 2\ngravity: [0, -9.81]\nparameters: {F: %s, G: 50}\nbodies:\n"
                          "  - {name: b, mass: 8, inertia: 3, position: [0.2, 1], markers: {l: [-0.5, 0], r: "
                          "[1.5, 0]}}\n"
                          "joints: [{name: guide, type: in-line, between: [ground: {position: [0, 0], axis: "
                          "[0, 1]}, b]}]\nforces:\n"
                          "  - {name: s1, type: force, on: b.l, value: [0, F]}\n"
                          "  - {name: s2, type: force, on: b.r, value: [0, G]}\n"
                          "static: {trim: {parameters: [F, G], hold: [{signal: b.y, value: 1.5}, {signal: "
                          "b.theta, value: 0.2}]}}\n",
                      valve[] = "dimension: 2\ngravity: [0, -9.81]\nparameters: {P: %s}\n"
                                "bodies: [{name: b, type: point, mass: 10, position: [0, 1]}]\n"
                                "joints: [{name: j, type: in-line, between: [ground.v, b]}]\n"
                                "ground: {markers: {v: {angle: 90 deg}}}\n"
                                "states: [{name: x, rate: (P - x)/0.2}]\n"
                                "forces: [{name: f, type: force, on: b, value: [0, 2*x]}]\n"
                                "static: {trim: {parameters: [P], hold: [{signal: b.y, value: 2}]}}\n";
    static const struct {
        const char *text, *from, *signal;
        double parameter, value;
    } list[] = {{lift, "100", "b.y", 98.1, 2},   {lift, "98.1", "b.y", 98.1, 2},
                {lift, "0", "b.y", 98.1, 2},     {wheel, "0", "b.x", -20, 0.1},
                {wheel, "-20", "b.x", -20, 0.1}, {beam2, "50", "b.y", 8 * 9.81 * 0.75, 1.5},
                {valve, "3", "b.y", 98.1 / 2, 2}};
    (void)state;
    for (int i = 0; i < HOL_COUNT(list); i++) {
        char text[1500];
        snprintf(text, sizeof text, list[i].text, list[i].from);
        hol_model *model = load_model(text, NULL, 0);
        hol_statics *s = hol_statics_create(ctx, model, NULL);
        if (!s) fail_msg("%d: %s", i, hol_context_error(ctx));
        near("parameter", s->trim_value[0], list[i].parameter, 1e-9);
        near("held", value(s, list[i].signal), list[i].value, 1e-9);
        assert_true(s->point[0].left < 1e-9);
        if (list[i].text == beam2) near("other", s->trim_value[1], 8 * 9.81 * 0.25, 1e-9);
        leave(s, model);
    }
}

// Of a tyre, along axes that turn with the wheel.
static double load(const hol_statics *s, const char *corner)
{
    char x[20], z[20];
    snprintf(x, sizeof x, "%s.tyre.Fx", corner);
    snprintf(z, sizeof z, "%s.tyre.Fz", corner);
    return hypot(value(s, x), value(s, z));
}

// A car rests anywhere on the road and whatever its wheels have turned by: from every height it is found, with the free lengths and loads of
// weight and lever arms, and is stable (rounding made it grow at 1.5e-6/s, or not be found).
static void a_car_is_trimmed_and_stays(void **state)
{
    static const double drop[] = {0, 0.01, 0.02, 0.03, 0.045, 0.06, 0.09, 0.1};
    const double weight = 9.81 * (1100 + 4 * (6 + 3 + 12 + 18)), arms = 9.81 * 2 * (6 * 0 + 3 * -0.01) * 2;
    (void)state;
    for (int i = 0; i < HOL_COUNT(drop); i++) {
        char set[60];
        const char *const sets[] = {set};
        snprintf(set, sizeof set, "parameters.drop=%g", drop[i]);
        hol_model *model = load_model("../tests/models_rest/car", sets, 1);
        hol_statics *s = hol_statics_create(ctx, model, NULL);
        if (!s) fail_msg("%s", hol_context_error(ctx));
        assert_true(s->point[0].stable);
        assert_int_equal(s->point[0].neutral, 7);
        const double front = load(s, "fl"), rear = load(s, "rl");
        near("weight", front + rear + load(s, "fr") + load(s, "rr"), weight, 1e-8);
        near("left", front, load(s, "fr"), 1e-6);
        // moments about the rear axle; arms and uprights are where the file draws them to a millimetre
        near("front", 2 * front * 2.55, 9.81 * (1100 * 1.35 + 78 * 2.55) + 0.5 * arms, 1);
        near("height", value(s, "fl.wheel.z"), 0.31, 1e-9);
        near("road", value(s, "chassis.x"), 0.05, 1e-4);
        leave(s, model);
    }
}

// Parameters are told in a unit of SI where the file gives one, else as plain numbers; a length is written in the units of output.
static void parameters_have_their_units(void **state)
{
    static const struct {
        const char *height, *free, *vary, *unit, *trim_unit, *shown;
        double value;
    } row[] = {{"0.1", "1.4", "h=0.1..0.2", "", "", "", 0.2},
               {"100 mm", "1.4 m", "parameters.h=100 mm..0.2 m", "m", "m", "mm", 200}};
    (void)state;
    for (int i = 0; i < HOL_COUNT(row); i++) {
        char text[1200], folder[60] = "/tmp/holonom_branch_XXXXXX", file[60], other[60];
        hol_model *model;
        snprintf(
            text, sizeof text,
            "dimension: 2\ngravity: [0, -9.81]\nlength_scale: 1\nunits: {output: {length: mm}}\n"
            "parameters: {h: %s, l: %s}\nbodies: [{name: a, type: point, mass: 8, position: [0, 1]}]\n"
            "joints: [{name: guide, type: in-line, between: [ground: {position: [0, 0], axis: [0, 1]}, a]}]\n"
            "forces: [{name: s, type: spring-damper, between: [ground: [0, 2], a], stiffness: 2000, length: "
            "l - h}]\n",
            row[i].height, row[i].free);
        hol_statics *s = followed(text, row[i].vary, false, &model);
        assert_string_equal(s->parameter, "h");
        assert_string_equal(s->parameter_unit, row[i].unit);
        near("end", s->point[s->n_points - 1].parameter, 0.2, 1e-12);
        assert_int_equal(make_results(folder, file, other), 0);
        assert_int_equal(hol_statics_write(ctx, s, file), HOL_OK);
        hol_result *r = hol_result_read(ctx, file);
        assert_string_equal(r->name[1], "parameters.h");
        assert_string_equal(r->unit[1], row[i].unit);
        assert_string_equal(r->shown[1], row[i].shown);
        near("shown", r->value[(size_t)(r->n_rows - 1) * r->n_columns + 1] * r->factor[1], row[i].value,
             1e-9);
        hol_result_destroy(r);
        remove_results(folder, file, other);
        leave(s, model);
        strcat(text, "static: {trim: {parameters: [l], hold: [{signal: a.y, value: 1.2 m}]}}\n");
        s = at_rest(text, NULL, 0, NULL, &model);
        assert_string_equal(s->trim_unit[0], row[i].trim_unit);
        near("free length", s->trim_value[0], 0.8 - 8 * 9.81 / 2000 + 0.1, 1e-12); // it hangs 0.8 m below
        leave(s, model);
    }
}

static void what_is_not_trimmed(void **state)
{
    static const struct {
        const char *set, *words;
    } list[] = {{"static.trim.parameters=[l1]", "1 parameter for 2 signals"},
                {"static.trim.parameters=[l1, l1]", "\"l1\" is named twice"},
                {"static.trim.parameters=[l1, l3]", "the model file has no parameter \"l3\""},
                {"static.trim.parameters=[l1, tilt]", "move only"},
                {"static.trim.hold=[{signal: beam.y, value: 1}, {signal: beam.vy, value: 1}]",
                 "move only 1 of what is held"},
                {"static.trim.hold=[{signal: beam.y, value: 1}, {signal: bean.x, value: 1}]",
                 "there is no signal \"bean.x\""},
                {"static.trim.hold=[{signal: beam.y, value: 0.9 N}, {signal: angle, value: 0}]",
                 "dimension: the value is length mass time^-2, and \"beam.y\" is length, in m"},
                {"static.trim.hold=[{signal: beam.y, value: 0.9 rad}, {signal: angle, value: 0}]",
                 "dimension: the value is angle, and"},
                {"static.trim.hold=[{signal: beam.y, value: 1}, {signal: beam, value: 1}]",
                 "one signal is wanted for each value"}};
    (void)state;
    for (int i = 0; i < HOL_COUNT(list); i++) {
        hol_model *model = load_model(beam, &list[i].set, 1);
        assert_null(hol_statics_create(ctx, model, NULL));
        expect_message(list[i].words);
        hol_model_destroy(model);
    }
    const hol_statics_options both = {.vary = "k=1000..2000"};
    hol_model *model = load_model(beam, NULL, 0);
    assert_null(hol_statics_create(ctx, model, &both));
    expect_message("the model file trims parameters");
    hol_model_destroy(model);
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

// Every allocation that fails is an error, and nothing is lost; of a branch every 997th.
static void no_memory_on_a_branch(void **state)
{
    const hol_statics_options o = {.vary = "P=5..6.5", .unstable = true};
    hol_model *model = load_model(strut, NULL, 0);
    (void)state;
    for (int n = 1, done = 0; !done; n += 997) {
        hol_memory_fail_after(ctx, n);
        hol_statics *s = hol_statics_create(ctx, model, &o);
        done = hol_memory_fail_after(ctx, 0) != 0;
        assert_int_equal(hol_context_status(ctx), done ? HOL_OK : HOL_ERR_MEMORY);
        assert_true(!s == !done);
        hol_statics_destroy(s);
    }
    hol_model_destroy(model);
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
                                       cmocka_unit_test(a_strut_buckles),
                                       cmocka_unit_test(branches_end_where_links_come_into_line),
                                       cmocka_unit_test(branches_end_where_nothing_holds),
                                       cmocka_unit_test(a_follower_force_makes_flutter),
                                       cmocka_unit_test(dampers_make_flutter_sooner),
                                       cmocka_unit_test(a_pitchfork_from_its_side),
                                       cmocka_unit_test(branches_count_full_turns),
                                       cmocka_unit_test(branches_that_cannot_be),
                                       cmocka_unit_test(a_beam_is_trimmed),
                                       cmocka_unit_test(what_floats_is_trimmed),
                                       cmocka_unit_test(a_car_is_trimmed_and_stays),
                                       cmocka_unit_test(parameters_have_their_units),
                                       cmocka_unit_test(what_is_not_trimmed),
                                       cmocka_unit_test(runs_stay_at_rest),
                                       cmocka_unit_test(the_vehicle_drives_on),
                                       cmocka_unit_test(what_does_not_begin_at_rest),
                                       cmocka_unit_test(checkpoints_of_such_runs),
                                       cmocka_unit_test(arguments),
                                       cmocka_unit_test(no_memory_on_a_branch),
                                       cmocka_unit_test(no_memory)};
    return cmocka_run_group_tests(tests, start, stop);
}
