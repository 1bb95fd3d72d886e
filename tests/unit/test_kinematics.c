// Kinematics by the C interface: poses of driven mechanisms against runs that integrate them, what is refused, states, inputs, events,
// and how far drivers reach. tools/analyses/kinematics.py holds the values of references.
#include "harness.h"
#include "holonom_analyses.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char driven[] =
    "dimension: 3\n"
    "gravity: [0, 0, -9.81]\n"
    "inputs: [{name: load, value: 3}]\n"
    "bodies:\n"
    "  - {name: crank, mass: 1, inertia: [0.1, 0.2, 0.3], position: [0, 0, 0], orientation: {axis: [0, 0, "
    "1], angle: 0.7}, markers: {e: [0.9, 0, 0]}}\n"
    "  - {name: link, mass: 2, inertia: [0.1, 0.2, 0.3], position: [0.688358, 0.579796, 0], orientation: "
    "{axis: [0, 0, 1], "
    "angle: -0.245921}, markers: {e: [0.7, 0, 0]}}\n"
    "  - {name: rocker, mass: 3, inertia: [0.1, 0.2, 0.3], position: [1, 0, 0], orientation: {axis: [0, 0, "
    "1], angle: 0.83953}, "
    "markers: {e: [0.55, 0, 0]}}\n"
    "joints:\n"
    "  - {name: A, type: revolute, between: [ground, crank]}\n"
    "  - {name: B, type: revolute, between: [crank.e, link]}\n"
    "  - {name: C, type: spherical, between: [link.e, rocker.e]}\n"
    "  - {name: D, type: revolute, between: [{ground: [1, 0, 0]}, rocker]}\n"
    "forces: [{name: weight, type: torque, joint: D, value: load}]\n"
    "simulate: {end: 1, output: 0.1, signals: [crank, link, rocker, D, motor]}\n";

// The mechanism in space with its driver and more keys.
static const char *with(const char *value, const char *more)
{
    static char text[4000];
    snprintf(text, sizeof text, "%sdrivers: [{name: motor, type: angle, joint: A, value: \"%s\"}]\n%s",
             driven, value, more);
    return text;
}

static hol_simulation *create(const char *text, hol_model **model)
{
    *model = load_model(text, NULL, 0);
    return hol_kinematics_create(ctx, *model);
}

static hol_status go_to_end(hol_simulation *sim)
{
    bool done = false;
    hol_status st = HOL_OK;
    while (!done && !st) st = hol_simulation_step(sim, &done);
    return st;
}

// The largest difference of all signals at the end of both, relative to 1 + size. Reactions of D, which redundant equations share, have noise
// of 1e-9, the rounding of (4.6): it comes as 7.3e-10 or twice that, or not, whatever the tolerance.
static double apart(const char *text, const char *method)
{
    char set[60];
    const char *const all[] = {set, "simulate.tolerance=1e-10"};
    snprintf(set, sizeof set, "simulate.method=%s", method);
    hol_model *model;
    hol_simulation *sim = create(text, &model);
    assert_non_null(sim);
    assert_int_equal(go_to_end(sim), HOL_OK);
    motion a = move(text, all, 2);
    assert_int_equal(a.end, HOL_OK);
    const int n = hol_simulation_signals(sim);
    double most = 0;
    assert_int_equal(n, hol_simulation_signals(a.sim));
    assert_true(n > 20);
    for (int i = 0; i < n; i++) {
        const char *name = hol_simulation_signal_name(sim, i);
        const double x = signal_value(sim, name), y = signal_value(a.sim, name);
        const double noise = strncmp(name, "D.", 2) == 0 ? 5e-9 : 0;
        most = fmax(most, fabs(x - y) / (1 + fabs(y)) - noise);
    }
    close_motion(&a);
    hol_simulation_destroy(sim);
    hol_model_destroy(model);
    return most;
}

static void motion_is_that_of_a_run(void **state)
{
    (void)state;
    assert_true(apart(with("0.7 + 0.5*time + 0.1*sin(3*time)", ""), "adams") < 1e-9);
}

// A state is integrated, the motion stays exact; so are speeds that are prescribed.
static void states_are_integrated(void **state)
{
    (void)state;
    assert_true(apart(with("0.7 + 0.5*time", "states: [{name: work, rate: D.rate*D.angle, initial: 1}]\n"),
                      "adams") < 1e-8);
    assert_true(apart("dimension: 2\nbodies: [{name: disc, mass: 1, inertia: 1}]\n"
                      "joints: [{name: hinge, type: revolute, between: [ground, disc]}]\n"
                      "constraints: [{name: speed, velocity: hinge.rate - 2 - time}]\n"
                      "forces: [{name: a, type: torque, on: disc, value: 1}]\n"
                      "simulate: {end: 1, signals: all}\n",
                      "rk") < 1e-9);
}

static void refuses(const char *text, const char *words)
{
    hol_model *model;
    hol_simulation *sim = create(text, &model);
    assert_null(sim);
    expect_message(words);
    hol_model_destroy(model);
}

static void what_is_free_is_named(void **state)
{
    (void)state;
    refuses(driven, "1 motion free");
    expect_message("\"crank\", \"link\", \"rocker\"");
    refuses("dimension: 2\nbodies: [{name: a, mass: 1, inertia: 1}, {name: b, mass: 1, inertia: 1, position: "
            "[1, 0]}]\n"
            "joints: [{name: h, type: revolute, between: [ground, a]}, {name: k, type: revolute, between: "
            "[ground, {b: [0, 0]}]}]\n"
            "drivers: [{name: d, type: angle, joint: h, value: time}]\nsimulate: {end: 1}\n",
            "what moves: \"b\". Give each");
    assert_null(hol_kinematics_create(NULL, NULL));
    assert_null(hol_kinematics_create(ctx, NULL));
    assert_int_equal(hol_context_status(ctx), HOL_ERR_USAGE);
}

// A driver that an event takes away leaves a motion free: the run ends there, and says so.
static void events_may_not_free_a_motion(void **state)
{
    hol_model *model;
    (void)state;
    hol_simulation *sim =
        create(with("0.7 + 0.5*time", "events: [{name: cut, at: 0.5, off: [motor]}]\n"), &model);
    assert_non_null(sim);
    assert_int_equal(go_to_end(sim), HOL_ERR_INTEGRATION);
    expect_message("stopped at t = 0.5 s: event cut");
    expect_message("leave 1 motion free");
    near("time", hol_simulation_time(sim), 0.5, 1e-12);
    hol_simulation_destroy(sim);
    hol_model_destroy(model);
}

// ---- the curve of poses ----------------------------------------------------------------------------------------

static const char press[] =
    "dimension: 2\nparameters: {r: 0.1, l: 0.3}\nbodies:\n"
    "  - {name: crank, mass: 1, inertia: 0.01, position: [0, 0], angle: 0.9, markers: {end: [r, 0]}}\n"
    "  - {name: rod, mass: 1, inertia: 0.01, position: [0.06, 0.08], angle: -0.27, markers: {end: [l, 0]}}\n"
    "  - {name: slider, mass: 1, inertia: 0.01, position: [0.35, 0]}\n"
    "joints:\n"
    "  - {name: shaft, type: revolute, between: [ground, crank]}\n"
    "  - {name: pin, type: revolute, between: [crank.end, rod]}\n"
    "  - {name: wrist, type: revolute, between: [rod.end, slider]}\n"
    "  - {name: guide, type: translational, between: [ground, slider]}\n"
    "drivers: [{name: press, type: stroke, between: [ground, slider], value: 0.35 + 0.2*time}]\n";

static hol_result *follow(const char *text, const char *end, hol_model **model)
{
    const char *set[] = {end};
    *model = load_model(text, set, 1);
    hol_result *r = hol_kinematics_follow(ctx, *model);
    if (!r) print_error("%s\n", hol_context_error(ctx));
    assert_non_null(r);
    return r;
}

static double at_row(const hol_result *r, size_t row, const char *name)
{
    return r->value[row * (size_t)r->n_columns + (size_t)column_of(r, name)];
}

// A slider-crank driven at its slider, x = r cos a + sqrt(l^2 - r^2 sin^2 a): dead centres where crank and rod are in line, x = l + r
// and l - r, a = 0, -pi, -2 pi, at t = 0.25, -0.75, 0.25 of a driver that runs with 0.2 m/s; the time goes there and back.
static void drivers_run_backwards_behind_dead_centres(void **state)
{
    static const double turn[3][3] = {{0.25, 0.4, 0}, {-0.75, 0.2, -HOL_PI}, {0.25, 0.4, -2 * HOL_PI}};
    hol_model *model;
    (void)state;
    hol_result *r = follow(press, "simulate.end=2.35", &model);
    double elapsed = 0;
    int turns = 0;
    for (size_t k = 0; k < r->n_rows; k++) {
        const double a = at_row(r, k, "crank.theta"), x = at_row(r, k, "press.value"), s = 0.1 * sin(a);
        near("place", at_row(r, k, "slider.x"), x, 1e-13);
        near("closed form", x, 0.1 * cos(a) + sqrt(0.09 - s * s), 1e-13);
        near("driver", x, 0.35 + 0.2 * at_row(r, k, "curve.time"), 1e-15);
        near("angle of the joint", at_row(r, k, "shaft.angle"), a, 1e-12);
        if (k) {
            assert_true(at_row(r, k, "t") > at_row(r, k - 1, "t") && a < at_row(r, k - 1, "crank.theta"));
            elapsed += fabs(at_row(r, k, "curve.time") - at_row(r, k - 1, "curve.time"));
        }
        if (at_row(r, k, "curve.turned") == 0) continue;
        assert_true(turns < 3);
        near("time of a dead centre", at_row(r, k, "curve.time"), turn[turns][0], 1e-12);
        near("its place", x, turn[turns][1], 1e-12);
        near("its crank", a, turn[turns][2], 1e-10);
        turns++;
    }
    assert_int_equal(turns, 3);
    near("the drivers' time in all", elapsed, 2.35, 1e-12);
    near("the last pose", at_row(r, r->n_rows - 1, "curve.time"), 0.15, 1e-12);
    hol_result_destroy(r);
    hol_model_destroy(model);
}

// Where there is no dead centre the rows are poses of kinematics: the one at the end is.
static void the_curve_has_the_poses_of_kinematics(void **state)
{
    hol_model *model, *same;
    (void)state;
    const char *text = with("0.7 + 0.4*sin(time)", "");
    hol_result *r = follow(text, "simulate.end=1", &model);
    hol_simulation *sim = create(text, &same);
    assert_int_equal(go_to_end(sim), HOL_OK);
    near("time", at_row(r, r->n_rows - 1, "curve.time"), 1, 1e-12);
    near("rocker", at_row(r, r->n_rows - 1, "rocker.qz"), signal_value(sim, "rocker.qz"), 1e-11);
    near("link", at_row(r, r->n_rows - 1, "link.x"), signal_value(sim, "link.x"), 1e-11);
    hol_result_destroy(r);
    hol_simulation_destroy(sim);
    hol_model_destroy(same);
    hol_model_destroy(model);
}

static void refuses_to_follow(const char *text, const char *words)
{
    hol_model *model = load_model(text, NULL, 0);
    assert_null(hol_kinematics_follow(ctx, model));
    expect_message(words);
    hol_model_destroy(model);
}

static void what_remembers_is_not_followed(void **state)
{
    (void)state;
    refuses_to_follow(driven, "1 motion free");
    refuses_to_follow(with("0.7 + 0.5*time", "events: [{name: cut, at: 0.5, off: [motor]}]\n"),
                      "not continued with events");
    refuses_to_follow(with("0.7 + 0.5*time", "states: [{name: heat, rate: 1, initial: 0}]\n"),
                      "not continued with states");
}

// The path of the crank's end is a circle: its points in the file, taken back to metres by the two places of the legend's scale.
static void paths_are_drawn_in_true_proportion(void **state)
{
    static const char *const end[] = {"crank.end"}, *const none[] = {"crank.middle"};
    hol_model *model;
    char text[200000];
    (void)state;
    hol_result *r = follow(press, "simulate.end=2.3", &model);
    assert_int_equal(hol_paths_write(ctx, r, model, 1, end, "paths.svg"), HOL_OK);
    FILE *f = fopen("paths.svg", "r");
    assert_non_null(f);
    text[fread(text, 1, sizeof text - 1, f)] = 0;
    fclose(f);
    remove("paths.svg");
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL}, x[2];
    char *path = strstr(text, "stroke=\"#0072b2\"");
    assert_non_null(path);
    *path = 0;
    path = strrchr(text, 'M');
    for (int n; sscanf(path + 1, "%lf %lf%n", &x[0], &x[1], &n) == 2; path += 1 + n)
        for (int k = 0; k < 2; k++) {
            low[k] = fmin(low[k], x[k]);
            high[k] = fmax(high[k], x[k]);
        }
    near("as wide as high", high[0] - low[0], high[1] - low[1],
         0.5); // [px]; rows are not at all four quarters
    assert_true(high[0] - low[0] > 100);
    assert_int_equal(hol_paths_write(ctx, r, model, 1, none, "paths.svg"), HOL_ERR_USAGE);
    expect_message("there is no marker \"crank.middle\"");
    assert_int_equal(hol_paths_write(ctx, r, model, 1, end, "paths.png"), HOL_ERR_USAGE);
    expect_message("ends in .svg");
    hol_result_destroy(r);
    hol_model_destroy(model);
}

// ---- inputs, reach ---------------------------------------------------------------------------------------------

// The torque of the motor follows an input at once: the rest is geometry.
static void inputs_change_forces_alone(void **state)
{
    hol_model *model;
    (void)state;
    hol_simulation *sim = create(with("0.7 + 0.5*time", ""), &model);
    assert_int_equal(hol_simulation_advance(sim, 0.3), HOL_OK);
    const double x = signal_value(sim, "rocker.x"), angle = signal_value(sim, "rocker.qz"),
                 torque = signal_value(sim, "motor.Tz");
    assert_int_equal(hol_simulation_set_input(sim, 0, 5), HOL_OK);
    assert_int_equal(hol_simulation_advance(sim, 0.3), HOL_OK);
    near("place", signal_value(sim, "rocker.x"), x, 0);
    near("angle", signal_value(sim, "rocker.qz"), angle, 1e-14);
    assert_true(fabs(signal_value(sim, "motor.Tz") - torque) > 0.1);
    hol_simulation_destroy(sim);
    hol_model_destroy(model);
}

// A four-bar in space, the dead centres of tests/reference/analyses/kinematics.json (K3), from several angles; and the other driver
// of a mechanism with two.
static void drivers_reach(void **state)
{
    (void)state;
    static const struct {
        const char *value;
        double now, turned; // turned: in whole turns [rad]
    } from[] = {{"0.7", 0.7, 0},
                {"1.3 - 0.1*time", 1.3, 0},
                {"0.2 + 0.1*time", 0.2, 0},
                {"0.7 + 8*pi", 0.7, 8 * HOL_PI},
                {"0.7 - 6*pi", 0.7, -6 * HOL_PI}};
    for (int i = 0; i < HOL_COUNT(from); i++) {
        hol_model *model;
        hol_reach reach;
        hol_simulation *sim = create(with(from[i].value, ""), &model);
        assert_non_null(sim);
        assert_true(hol_kinematics_reach(sim, 0, &reach));
        assert_string_equal(reach.driver, "motor");
        assert_string_equal(reach.unit, "rad");
        assert_true(reach.least_bounded && reach.most_bounded);
        near("now", reach.now, from[i].now + from[i].turned, 1e-12);
        near("least", reach.least, 0.1179194378679406 + from[i].turned, 1e-10);
        near("most", reach.most, 1.432859330376512 + from[i].turned, 1e-10);
        assert_false(hol_kinematics_reach(sim, 1, &reach));
        assert_false(hol_kinematics_reach(sim, -1, &reach));
        assert_false(hol_kinematics_reach(NULL, 0, &reach));
        assert_false(hol_kinematics_reach(sim, 0, NULL));
        hol_simulation_destroy(sim);
        hol_model_destroy(model);
    }
}

// A run at its start, whatever moves freely.
static hol_simulation *begin(hol_model **model, const char *format, ...)
{
    char text[2000];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    *model = load_model(text, NULL, 0);
    hol_simulation *sim = hol_simulation_create(ctx, *model);
    if (!sim) fail_msg("%s", hol_context_error(ctx));
    return sim;
}

#define FIRST 0.8726646259971648  // 50 deg
#define SECOND 0.4621127497685768 // of the coupler of 2.5 m, by the cosine rule
#define ROCKER 1.2235769020545155
#define LINKS                                                                                                \
    "dimension: 2\ngravity: [0, 0]\nbodies:\n"                                                               \
    "  - {name: a, mass: 1, inertia: 0.1, angle: 50 deg, markers: {t: [1, 0]}}\n"                            \
    "  - {name: b, mass: 1, inertia: 0.1, position: [0.6427876096865394, 0.766044443118978], angle: "        \
    "0.4621127497685768, markers: {t: [2.5, 0]}}\n"                                                          \
    "  - {name: c, mass: 1, inertia: 0.1, position: [2.2, 0], angle: 1.2235769020545155, markers: {t: [2, "  \
    "0]}}\n"

static const int some_turns[] = {0, 1, -3, 7, 10};

// In the plane a pose is the same with whole turns more of the crank: the rocker of a four-bar is where it is drawn, by a driver and by what the
// assembly is asked for, with the torque of that pose.
static void cranks_begin_with_any_number_of_turns(void **state)
{
    (void)state;
    for (int i = 0; i < HOL_COUNT(some_turns); i++)
        for (int exact = 0; exact < 2; exact++) {
            char how[200];
            hol_model *model;
            snprintf(how, sizeof how,
                     exact ? "assemble: {exact: {joints: [{joint: p, angle: 2*pi*%d + 50 deg}]}}\n"
                           : "drivers: [{name: d, type: angle, joint: p, value: \"2*pi*%d + 50 deg\"}]\n",
                     some_turns[i]);
            hol_simulation *sim =
                begin(&model,
                      LINKS "joints:\n"
                            "  - {name: p, type: revolute, between: [ground, a]}\n"
                            "  - {name: q, type: revolute, between: [a.t, b]}\n"
                            "  - {name: r, type: revolute, between: [b.t, c.t]}\n"
                            "  - {name: s, type: revolute, between: [{ground: [2.2, 0]}, c], stiffness: 3}\n"
                            "%ssimulate: {end: 0.01, output: 0.01, signals: [p.angle, s.angle%s]}\n",
                      how, exact ? "" : ", d");
            near("crank", signal_value(sim, "p.angle"), FIRST + 2 * HOL_PI * some_turns[i], 1e-12);
            near("rocker", signal_value(sim, "s.angle"), ROCKER, 1e-12);
            // of the rocker's spring by the ratio of rates
            if (!exact) near("torque", signal_value(sim, "d.torque"), 1.0616546716, 1e-8);
            hol_simulation_destroy(sim);
            hol_model_destroy(model);
        }
}

// A crank of two bodies that are welded together closes its loop by the second one, which turns with the first.
static void welded_cranks_begin_with_any_number_of_turns(void **state)
{
    (void)state;
    for (int i = 0; i < HOL_COUNT(some_turns); i++) {
        hol_model *model;
        hol_simulation *sim = begin(
            &model,
            LINKS
            "  - {name: w, mass: 1, inertia: 0.1, position: [0.6427876096865394, 0.766044443118978]}\n"
            "joints:\n"
            "  - {name: p, type: revolute, between: [ground, a]}\n"
            "  - {name: weld, type: fixed, bodies: [w, a], at: [0.6427876096865394, 0.766044443118978]}\n"
            "  - {name: q, type: revolute, between: [w, b]}\n"
            "  - {name: r, type: revolute, between: [b.t, c.t]}\n"
            "  - {name: s, type: revolute, between: [{ground: [2.2, 0]}, c], stiffness: 3}\n"
            "drivers: [{name: d, type: angle, joint: p, value: \"2*pi*%d + 50 deg\"}]\n"
            "simulate: {end: 0.01, output: 0.01, signals: [d, w.theta, s.angle]}\n",
            some_turns[i]);
        near("welded", signal_value(sim, "w.theta"), 2 * HOL_PI * some_turns[i], 1e-12);
        near("rocker", signal_value(sim, "s.angle"), ROCKER, 1e-12);
        near("torque", signal_value(sim, "d.torque"), 1.0616546716, 1e-8);
        hol_simulation_destroy(sim);
        hol_model_destroy(model);
    }
}

// What hangs on a driven joint turns with it, whichever of its bodies is named first: the other joints of an arm keep their angles, and the
// spring in the driven one is wound.
static void arms_begin_with_any_number_of_turns(void **state)
{
    (void)state;
    for (int i = 0; i < HOL_COUNT(some_turns); i++)
        for (int way = 0; way < 3; way++) {
            const double turn = 2 * HOL_PI * some_turns[i], sign = way == 2 ? -1 : 1;
            hol_model *model;
            hol_simulation *sim = begin(
                &model,
                LINKS "joints:\n"
                      "  - {name: p, type: revolute, between: [ground, a]}\n"
                      "  - {name: q, type: revolute, between: %s, stiffness: 2}\n"
                      "  - {name: s, type: revolute, between: [b.t, c]}\n"
                      "drivers:\n"
                      "  - {name: d, type: angle, joint: p, value: 50 deg + %.17g}\n"
                      "  - {name: e, type: angle, joint: q, value: %.17g}\n"
                      "  - {name: f, type: angle, joint: s, value: 1.2235769020545155 - 0.4621127497685768}\n"
                      "simulate: {end: 0.01, output: 0.01, signals: [d, e, p.angle, q.angle, s.angle]}\n",
                way == 2 ? "[b, a.t]" : "[a.t, b]", way == 0 ? turn : 0,
                sign * (SECOND - FIRST) + (way == 0 ? 0 : turn));
            near("first", signal_value(sim, "p.angle"), FIRST + (way == 0 ? turn : 0), 1e-12);
            near("last", signal_value(sim, "s.angle"), ROCKER - SECOND, 1e-12);
            near("torque", signal_value(sim, "e.torque"), 2 * signal_value(sim, "q.angle"), 1e-9);
            near("second", signal_value(sim, "q.angle"), sign * (SECOND - FIRST) + (way == 0 ? 0 : turn),
                 1e-12);
            hol_simulation_destroy(sim);
            hol_model_destroy(model);
        }
}

// A cylinder stretches two rods of an arm whose foot is turned: 1 + 0.6 m at most, 0.4 m at least, whatever the foot does.
static void reach_is_that_of_one_driver(void **state)
{
    hol_model *model;
    hol_reach reach[2];
    (void)state;
    hol_simulation *sim =
        create("dimension: 2\n"
               "bodies:\n"
               "  - {name: upper, mass: 1, inertia: 1, angle: 0.5, markers: {e: [1, 0]}}\n"
               "  - {name: lower, mass: 1, inertia: 1, position: [0.8776, 0.4794], angle: -0.3, markers: {e: "
               "[0.6, 0]}}\n"
               "joints:\n"
               "  - {name: A, type: revolute, between: [ground, upper]}\n"
               "  - {name: P, type: revolute, between: [upper.e, lower]}\n"
               "drivers:\n"
               "  - {name: turn, type: angle, joint: A, value: 0.5 + time}\n"
               "  - {name: cylinder, type: distance, between: [ground, lower.e], value: 1.45 + 0.01*time}\n"
               "simulate: {end: 1}\n",
               &model);
    assert_non_null(sim);
    assert_true(hol_kinematics_reach(sim, 0, &reach[0]) && hol_kinematics_reach(sim, 1, &reach[1]));
    assert_false(reach[0].least_bounded || reach[0].most_bounded);
    near("least", reach[1].least, 0.4, 1e-10);
    near("most", reach[1].most, 1.6, 1e-10);
    assert_string_equal(reach[1].unit, "m");
    hol_simulation_destroy(sim);
    hol_model_destroy(model);
}

// Every shipped model either moves by kinematics, with joints that hold to rounding, or is refused for what is free.
static void every_model_moves_or_is_refused(void **state)
{
    const char *folder = getenv("MODELS");
    DIR *all = opendir(folder);
    int moved = 0, refused = 0;
    (void)state;
    assert_non_null(all);
    for (const struct dirent *e; (e = readdir(all)) != NULL;) {
        char name[300];
        if (!strstr(e->d_name, ".yaml")) continue;
        snprintf(name, sizeof name, "%s/%s", folder, e->d_name);
        hol_model *model = hol_model_load(ctx, name, NULL, 0);
        assert_non_null(model);
        hol_simulation *sim = hol_kinematics_create(ctx, model);
        if (!sim && !strstr(hol_context_error(ctx), "free, so that forces decide"))
            fail_msg("%s: %s", e->d_name, hol_context_error(ctx));
        if (sim && hol_simulation_advance(sim, 0.2)) fail_msg("%s: %s", e->d_name, hol_context_error(ctx));
        if (sim && hol_simulation_statistics(sim)->max_position_violation > 1e-11)
            fail_msg("%s: open by %g", e->d_name, hol_simulation_statistics(sim)->max_position_violation);
        moved += sim != NULL;
        refused += !sim;
        hol_simulation_destroy(sim);
        hol_model_destroy(model);
    }
    closedir(all);
    print_message("%d move, %d are refused\n", moved, refused);
    assert_true(moved > 0 && refused > 20);
}

// A constraint on AZ in space goes through any number of turns, however the sum is written; h.angle = t^2 + 5/3 t.
static void constraints_of_angles_go_beyond_a_turn(void **state)
{
    static const char *const sums[] = {"AZ(b) - time^2 - 5/3*time", "-3*(time^2 - AZ(b)) - 5*time",
                                       "2*(time^2 + DZ(b)/(1 m)) - AZ(b)*2 + 10/3*time",
                                       "time^2/4 + 5/12*time - (AZ(b))/4"};
    (void)state;
    for (int i = 0; i < HOL_COUNT(sums); i++) {
        char text[700];
        hol_model *model;
        snprintf(text, sizeof text,
                 "dimension: 3\nbodies: [{name: b, mass: 1, inertia: [0.3, 0.3, 0.3]}]\n"
                 "joints: [{name: h, type: revolute, between: [ground, b]}]\n"
                 "constraints: [{name: k, position: \"%s\"}]\n"
                 "simulate: {end: 4, output: 0.1, signals: [h.angle, h.rate]}\n",
                 sums[i]);
        hol_simulation *sim = create(text, &model);
        if (!sim || hol_simulation_run(sim)) fail_msg("%s: %s", sums[i], hol_context_error(ctx));
        near(sums[i], signal_value(sim, "h.angle"), 16 + 20 / 3.0, 1e-11);
        near(sums[i], signal_value(sim, "h.rate"), 8 + 5 / 3.0, 1e-11);
        hol_simulation_destroy(sim);
        hol_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(motion_is_that_of_a_run),
        cmocka_unit_test(states_are_integrated),
        cmocka_unit_test(what_is_free_is_named),
        cmocka_unit_test(events_may_not_free_a_motion),
        cmocka_unit_test(drivers_run_backwards_behind_dead_centres),
        cmocka_unit_test(the_curve_has_the_poses_of_kinematics),
        cmocka_unit_test(what_remembers_is_not_followed),
        cmocka_unit_test(paths_are_drawn_in_true_proportion),
        cmocka_unit_test(inputs_change_forces_alone),
        cmocka_unit_test(cranks_begin_with_any_number_of_turns),
        cmocka_unit_test(welded_cranks_begin_with_any_number_of_turns),
        cmocka_unit_test(arms_begin_with_any_number_of_turns),
        cmocka_unit_test(constraints_of_angles_go_beyond_a_turn),
        cmocka_unit_test(drivers_reach),
        cmocka_unit_test(reach_is_that_of_one_driver),
        cmocka_unit_test(every_model_moves_or_is_refused),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
