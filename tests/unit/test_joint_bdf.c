// joint_bdf: errors fall with the tolerance, references of stiff trees, events, states, checkpoints, what it refuses.
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char folder[] = "/tmp/holonom_joint_bdf_XXXXXX", file[60], best[60];

// method: "joint_bdf", or another with its option, "adams adams.solve=coordinates".
static double error_by(const char *method, const subject *c, const char *tolerance, const char *to)
{
    enum { MOST = 4 };
    char text[160];
    const char *set[MOST];
    snprintf(text, sizeof text, "simulate.tolerance=%s simulate.method=%s", tolerance, method);
    const hol_statistics s = run_to_file(c, to, set, split(text, set, MOST));
    assert_true(s.max_position_violation < 1e-12);
    assert_true(s.max_velocity_violation < 1e-10);
    return c->reference || to != best ? difference(c, to, best) : 0;
}

static double error_of(const subject *c, const char *tolerance, const char *to)
{
    return error_by("joint_bdf", c, tolerance, to);
}

// ---- accuracy -------------------------------------------------------------------------------------------------

// Largest errors at all times of output, most of them inside steps; the bounds are 3 to 4 times what is seen.
static void errors_fall_with_the_tolerance(void **state)
{
    static const struct {
        subject c;
        double bound[3]; // for 1e-4, 1e-6, 1e-8
    } rows[] = {
        {{"double_pendulum", "double_pendulum_rest", {"rod1.theta"}, {"theta1"}, 2, 0.01},
         {5e-3, 1e-4, 2e-6}},
        {{"flyball", "flyball", {"slider.z"}, {"s"}, 10, 0.1}, {2e-2, 1e-4, 3e-6}},
        {{"chain3d", NULL, {"link10.x", "link10.z"}, {NULL}, 1, 0.01}, {6e-4, 8e-6, 4e-7}},
        {{"double_pendulum_3d", NULL, {"lower.x", "lower.z"}, {NULL}, 1, 0.01}, {4e-4, 6e-6, 2e-7}},
        {{"hydraulic", NULL, {"mass.x", "mass.vx"}, {NULL}, 0.2, 1e-3}, {9e-4, 2e-5, 4e-7}},
    };
    static const char *const tolerance[] = {"1e-4", "1e-6", "1e-8"};
    int wrong = 0;
    (void)state;
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        if (!rows[i].c.reference) error_of(&rows[i].c, "1e-11", best);
        for (int k = 0; k < 3; k++) {
            const double error = error_of(&rows[i].c, tolerance[k], file);
            if (getenv("SEEN")) printf("%s %s %.2e\n", rows[i].c.model, tolerance[k], error);
            if (error <= rows[i].bound[k]) continue;
            print_error("%s, %s: error %.2e, bound %.2e\n", rows[i].c.model, tolerance[k], error,
                        rows[i].bound[k]);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
}

// With closed loops, and joints without coordinates, which are closed like loops, by BDF and by Adams' methods, against the
// references of the problems of the field: the parallelograms through their singular poses; by Adams the first 10 ms of the vehicle, which is stiff, let go 10 mm too high, against BDF. The bounds
// are 3 times what is seen.
static void loops_are_closed_within_the_tolerance(void **state)
{
    static const char bdf[] = "joint_bdf", adams[] = "adams adams.solve=coordinates",
                      lifted[] = "adams adams.solve=coordinates parameters.lift=0.01",
                      best_lifted[] = "joint_bdf parameters.lift=0.01";
    static const subject
        andrews = {"andrews", "andrews", {"OF.theta"}, {"beta"}, 0.03, 1e-4},
        bricard = {"bricard", "bricard", {"rod3.P3.x", "rod3.P3.y", "rod3.P3.z"}, {"P3x", "P3y", "P3z"},
                   2,         0.05},
        four_bar = {"four_bar", "four_bar", {"crank0.tip.x"}, {"B0x"}, 10, 0.5},
        vehicle = {"hmmwv", "hmmwv", {"chassis.z"}, {"z"}, 1, 0.01},
        start = {"hmmwv", NULL, {"chassis.z", "chassis.vz"}, {NULL}, 0.01, 1e-3},
        axis = {"car_axis", "car_axis", {"left.x", "left.y", "right.x", "right.y"}, {"xl", "yl", "xr", "yr"},
                3,          0.01},
        chain = {"chain", NULL, {"link10.x", "link10.y"}, {NULL}, 1, 0.01};
    static const struct {
        const char *method;
        const subject *c;
        double bound[3]; // for 1e-4, 1e-6, 1e-8
    } rows[] = {
        {bdf, &andrews, {6e-3, 1.6e-4, 1.4e-6}},
        {adams, &andrews, {8e-3, 1.8e-5, 1.1e-6}},
        {bdf, &bricard, {4e-4, 6e-6, 3.4e-7}},
        {adams, &bricard, {5e-4, 3.6e-5, 2.5e-8}},
        {bdf, &four_bar, {0.13, 1.4e-3, 6e-5}},
        {adams, &four_bar, {0.18, 6.5e-4, 3.2e-5}},
        {bdf, &vehicle, {6.3e-5, 4.4e-6, 1.5e-7}},
        {lifted, &start, {2.5e-6, 2.5e-6, 2.5e-6}}, // its steps are held by stability
        {bdf, &axis, {7e-3, 1.3e-4, 2.8e-6}},
        {adams, &axis, {1.3e-3, 6e-5, 1.2e-6}},
        {adams, &chain, {1.9e-4, 6e-6, 1.4e-8}},
    };
    static const char *const tolerance[] = {"1e-4", "1e-6", "1e-8"};
    int wrong = 0;
    (void)state;
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        if (!in_sample(i, 1, 3)) continue; // both methods are among them
        if (!rows[i].c->reference)
            error_by(rows[i].method == lifted ? best_lifted : bdf, rows[i].c, "1e-11", best);
        for (int k = 0; k < 3; k++) {
            if (!in_sample(i + k, 2, 3)) continue;
            const double error = error_by(rows[i].method, rows[i].c, tolerance[k], file);
            if (getenv("SEEN"))
                printf("%s %s %s %.2e\n", rows[i].method, rows[i].c->model, tolerance[k], error);
            if (error <= rows[i].bound[k]) continue;
            print_error("%s, %s, %s: error %.2e, bound %.2e\n", rows[i].method, rows[i].c->model,
                        tolerance[k], error, rows[i].bound[k]);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
}

// The work of dampers is summed with the motion; in the first 0.01 ms of the pendulum it is nearly all of the energy.
static void the_account_of_energy_balances(void **state)
{
    static const char *const models[] = {"flyball", "double_pendulum", "chain3d"};
    (void)state;
    for (int i = 0; i < HOL_COUNT(models); i++) {
        static const char *const set[] = {"simulate.method=joint_bdf", "simulate.tolerance=1e-8",
                                          "simulate.end=0.5"};
        motion a = move(models[i], set, 3);
        const hol_statistics *s = hol_simulation_finish(a.sim);
        if (getenv("SEEN"))
            printf("%s: drift %.2e of %.2e J\n", models[i], s->energy_drift_max, s->energy_start);
        assert_int_equal(a.end, HOL_OK);
        assert_true(s->energy_drift_max < 3e-6 * fabs(s->energy_start));
        close_motion(&a);
    }
}

// A body that joins cannot move: all is known from the start.
static void bodies_that_do_not_move(void **state)
{
    static const char still[] =
        "dimension: 3\ngravity: [0, 0, -9.81]\nbodies:\n  - {name: a, mass: 2, inertia: 1, position: [1, 0, "
        "0]}\n"
        "joints:\n  - {name: weld, type: fixed, between: [ground: [1, 0, 0], a]}\n"
        "simulate: {method: joint_bdf, tolerance: 1e-4, end: 1, signals: [a, weld]}\n";
    (void)state;
    motion a = move(still, NULL, 0);
    if (a.end) print_error("%s\n", hol_context_error(ctx));
    assert_int_equal(a.end, HOL_OK);
    near("place", value_of(&a, "a.x"), 1, 1e-15);
    near("force", fabs(value_of(&a, "weld.Fz")), 19.62, 1e-12);
    close_motion(&a);
}

// Multipliers and accelerations are found where they are asked for: at any step.
static void reactions_are_there_at_every_step(void **state)
{
    static const char *const set[] = {"simulate.method=joint_bdf", "simulate.tolerance=1e-6",
                                      "simulate.end=0.2", "simulate.signals=all"};
    (void)state;
    motion a = open_motion("double_pendulum", set, 4);
    bool done = false;
    for (int k = 0; !done; k++) {
        assert_int_equal(hol_simulation_step(a.sim, &done), HOL_OK);
        if (k % 7) continue;
        const double up = 3 * (value_of(&a, "rod1.ay") + 9.81) + 0.3 * (value_of(&a, "rod2.ay") + 9.81);
        const double aside = 3 * value_of(&a, "rod1.ax") + 0.3 * value_of(&a, "rod2.ax");
        const double force = hypot(value_of(&a, "shoulder.Fx"), value_of(&a, "shoulder.Fy"));
        near("force", force, hypot(aside, up), 1e-10 * force);
    }
    close_motion(&a);
}

// ---- events, states -------------------------------------------------------------------------------------------

// A pendulum of one hinge; a torque that turns round where the rod passes the vertical, and ends at 1.5 s.
static const char switched[] = "dimension: 2\ngravity: [0, 0]\nparameters: {push: -2}\n"
                               "bodies:\n  - {name: p, mass: 1, inertia: 1, position: [0, 0], angle: 1}\n"
                               "joints:\n  - {name: hinge, type: revolute, bodies: [ground, p], at: [0, 0]}\n"
                               "forces:\n  - {name: f, type: torque, on: p, value: push}\n"
                               "events:\n  - {name: turn, when: AZ(p) - 0.5, set: {push: 4}, once: yes}\n"
                               "  - {name: off, at: 1.5, set: {push: 0}}\n"
                               "simulate: {method: joint_bdf, end: 2, tolerance: 1e-8}\n";

static void events_are_met(void **state)
{
    (void)state;
    motion a = move(switched, NULL, 0);
    if (a.end) print_error("%s\n", hol_context_error(ctx));
    assert_int_equal(a.end, HOL_OK);
    const double t1 = sqrt(0.5), t2 = 1.5 - t1, v2 = -2 * t1 + 4 * t2;
    near("angle", value_of(&a, "p.theta"), 0.5 - 2 * t1 * t2 + 2 * t2 * t2 + 0.5 * v2, 1e-6);
    close_motion(&a);
}

// ---- joints of every kind --------------------------------------------------------------------------------------

// A driven crane with a hook on a cross, a ball below it, a screw, a sleeve, a plate on a plane, a loose body on a spring, and
// a second hinge that holds nothing new.
static const char crane[] =
    "dimension: 3\ngravity: [0, 0, -9.81]\nlength_scale: 1\nbodies:\n"
    "  - {name: tower, mass: 5, inertia: [1, 1.2, 0.4], position: [0, 0, 0.5]}\n"
    "  - {name: arm, mass: 2, inertia: [0.1, 0.5, 0.5], position: [1, 0, 1], omega: [0, 0.3, 0]}\n"
    "  - {name: hook, mass: 1, inertia: [0.1, 0.1, 0.05], position: [2, 0, 0.5]}\n"
    "  - {name: load, mass: 3, inertia: [0.3, 0.2, 0.1], position: [2, 0.1, -0.5]}\n"
    "  - {name: nut, mass: 0.5, inertia: 0.02, position: [0.2, 0, 0.8]}\n"
    "  - {name: sleeve, mass: 0.5, inertia: [0.01, 0.02, 0.02], position: [0.7, 0, 1]}\n"
    "  - {name: plate, mass: 1, inertia: [0.1, 0.1, 0.2], position: [-1, 0, 0.2]}\n"
    "  - {name: loose, mass: 1, inertia: [0.1, 0.2, 0.3], position: [-1, 1, 0.4], omega: [3, 2, 1]}\n"
    "joints:\n"
    "  - {name: slew, type: revolute, bodies: [tower, ground], at: [0, 0, 0], axis: [0, 0, 1]}\n"
    "  - {name: luff, type: revolute, bodies: [tower, arm], at: [0, 0, 1], axis: [0, 1, 0]}\n"
    "  - {name: luff2, type: revolute, bodies: [tower, arm], at: [0, 0.2, 1], axis: [0, 1, 0]}\n"
    "  - {name: cross, type: universal, bodies: [hook, arm], at: [2, 0, 1], axis: [1, 0, 0], axis2: [0, 1, "
    "0]}\n"
    "  - {name: ball, type: spherical, bodies: [hook, load], at: [2, 0, 0]}\n"
    "  - {name: thread, type: screw, bodies: [tower, nut], at: [0.2, 0, 0.8], axis: [0, 0.2, 1], pitch: "
    "0.3}\n"
    "  - {name: tube, type: cylindrical, bodies: [sleeve, arm], at: [0.7, 0, 1], axis: [1, 0, 0]}\n"
    "  - {name: floor, type: planar, bodies: [ground, plate], at: [-1, 0, 0.2], axis: [0, 0, 1]}\n"
    "drivers:\n  - {name: turn, type: angle, joint: slew, value: 0.4*sin(3*time)}\n"
    "forces:\n"
    "  - {name: rope, type: spring-damper, between: [plate, loose], stiffness: 200, damping: 2}\n"
    "  - {name: stay, type: spring-damper, between: [tower, sleeve], stiffness: 5e3, damping: 50}\n"
    "  - {name: hold, type: spring-damper, between: [tower: [-0.5, 0, 0.2], arm], stiffness: 300, damping: "
    "5}\n"
    "simulate: {end: 1.5, tolerance: 1e-9, output: 0.05}\n";

static void joints_of_every_kind(void **state)
{
    static const char *const bodies[] = {"tower", "arm", "hook", "load", "nut", "sleeve", "plate", "loose"};
    static const char *const set[2] = {"simulate.method=joint_bdf", "simulate.method=rk"};
    (void)state;
    motion a = move(crane, &set[0], 1), b = move(crane, &set[1], 1);
    if (a.end || b.end) print_error("%s\n", hol_context_error(ctx));
    assert_int_equal(a.end, HOL_OK);
    assert_int_equal(b.end, HOL_OK);
    for (int i = 0; i < HOL_COUNT(bodies); i++)
        for (const char *c = "xyz"; *c; c++) {
            char name[30];
            snprintf(name, sizeof name, "%s.%c", bodies[i], *c);
            near(name, value_of(&a, name), value_of(&b, name), 1e-6);
        }
    const hol_statistics *s = hol_simulation_finish(a.sim);
    if (getenv("SEEN")) printf("crane: %ld steps, drift %.1e J\n", s->steps, s->energy_drift_max);
    assert_true(s->max_position_violation < 1e-13 && s->energy_drift_max < 1e-4);
    close_motion(&a);
    close_motion(&b);
    resume(crane, set, 1, file);
}

// ---- checkpoints ----------------------------------------------------------------------------------------------

// The run that is saved begins anew there with order 1, as the resumed one does.
static void a_resumed_run_is_the_same(void **state)
{
    static const char *const models[] = {"double_pendulum",    "flyball", "hydraulic",
                                         "double_pendulum_3d", "chain3d", "inverted_pendulum"};
    static const char *const set[] = {"simulate.method=joint_bdf", "simulate.tolerance=1e-5",
                                      "simulate.end=0.5"};
    (void)state;
    for (int i = 0; i < HOL_COUNT(models); i++) resume(models[i], set, 3, file);
}

// ---- what it refuses ------------------------------------------------------------------------------------------

static void refuses_by_name(void **state)
{
    static const struct {
        const char *model, *words, *joint;
    } rows[] = {
        {"pendulum", "method joint_bdf does not take \"rod\": its motions have no joint coordinates",
         "joints.rod.loop=no"},
        {"knife_edge", "method joint_bdf does not take velocity constraints", NULL},
    };
    const char *set[] = {"simulate.method=joint_bdf", "simulate.tolerance=1e-4", NULL};
    static const char *const fixed[] = {"simulate.method=joint_bdf", "simulate.step=1e-3"};
    (void)state;
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        set[2] = rows[i].joint;
        hol_model *m = load_model(rows[i].model, set, set[2] ? 3 : 2);
        assert_null(hol_simulation_create(ctx, m));
        assert_int_equal(hol_context_status(ctx), HOL_ERR_USAGE);
        expect_message(rows[i].words);
        hol_model_destroy(m);
    }
    assert_null(hol_model_load(ctx, "models/flyball.yaml", fixed, 2));
    expect_message("has no fixed steps: give a tolerance");
}

// Screws whose angle is driven go on by their pitch, with their ends in either order and in the image of a file; their strokes were 0, or
// no step was found. The images across y and z, of which only the second has z the other way.
static void driven_screws_go_on(void **state)
{
    (void)state;
    static const char part[] =
        "dimension: 3\nbodies:\n  - {name: e, mass: 0.5, inertia: [0.02, 0.02, 0.03]}\n"
        "  - {name: f, mass: 0.5, inertia: [0.02, 0.02, 0.03], position: [1, 0, 0]}\njoints:\n"
        "  - {name: E, type: screw, pitch: 0.05, bodies: [ground, e], at: [0, 0, 0], axis: [0, 0, 1]}\n"
        "  - {name: F, type: screw, pitch: -0.03, bodies: [f, ground], at: [1, 0, 0], axis: [0, 0, 1]}\n"
        "drivers:\n  - {name: U, type: angle, joint: E, value: 5*time}\n"
        "  - {name: V, type: angle, joint: F, value: -7*time}\n";
    static const char *const methods[][2] = {{"simulate.method=joint_bdf", NULL},
                                             {"simulate.method=adams", "adams.solve=coordinates"},
                                             {"simulate.method=rk", NULL}};
    char path[80], text[600];
    snprintf(path, sizeof path, "%s/part.yaml", folder);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs(part, f) >= 0);
    assert_int_equal(fclose(f), 0);
    snprintf(text, sizeof text,
             "dimension: 3\ngravity: [0, 0, -9.81]\ninclude:\n  - {file: %s, as: o}\n  - {file: %s, as: y, "
             "mirror: "
             "y}\n  - {file: %s, as: z, mirror: z}\nsimulate: {end: 2, signals: [all, coordinates]}\n",
             path, path, path);
    const double e = 0.05 * 10 / (2 * HOL_PI), g = -0.03 * -14 / (2 * HOL_PI);
    for (int i = 0; i < HOL_COUNT(methods); i++) {
        motion a = move(text, methods[i], methods[i][1] ? 2 : 1);
        if (a.end) fail_msg("%s: %s", methods[i][0], hol_context_error(ctx));
        near(methods[i][0], value_of(&a, "o.E.stroke"), e, 1e-12);
        near(methods[i][0], value_of(&a, "o.F.stroke"), g, 1e-12);
        near(methods[i][0], value_of(&a, "o.e.z"), e, 1e-12);
        near(methods[i][0], value_of(&a, "o.f.z"), -g, 1e-12);
        near(methods[i][0], value_of(&a, "y.e.z"), e, 1e-12);
        near(methods[i][0], value_of(&a, "y.f.z"), -g, 1e-12);
        near(methods[i][0], value_of(&a, "z.e.z"), -e, 1e-12);
        near(methods[i][0], value_of(&a, "z.f.z"), g, 1e-12);
        near(methods[i][0], value_of(&a, "o.U.power"), 0.5 * 9.81 * 0.05 * 5 / (2 * HOL_PI), 1e-9);
        close_motion(&a);
    }
    assert_int_equal(remove(path), 0);
}

// 2 kN for 10 us on 2 kg that go at 1 m/s: 0.01 m/s more, F dt (v + 0.01/2) = 0.0201 J. A brake of 20 kN s/m for as long: exp(-0.1) m/s are left,
// exp(-0.2) - 1 J. Both are far shorter than the steps around them, and powers of steps that were tried and rejected are no part of it.
static void short_pulses_do_their_work(void **state)
{
    static const struct {
        const char *force;
        double work, part; // of the tolerance that it may miss: a constant force leaves rounding
    } rows[] = {{"2000*if(time-0.3: 0, 0, if(time-0.30001: 1, 0, 0))", 0.0201, 1e-6},
                {"-20000*VX(a)*if(time-0.3: 0, 0, if(time-0.30001: 1, 0, 0))", -0.18126924692201814, 0.1}};
    (void)state;
    for (int i = 0; i < HOL_COUNT(rows); i++)
        for (int k = 0; k < 2; k++) {
            char text[600];
            const double T = k ? 1e-6 : 1e-3;
            snprintf(
                text, sizeof text,
                "dimension: 2\ngravity: [0, 0]\n"
                "bodies: [{name: a, mass: 2, inertia: 1, velocity: [1, 0]}]\n"
                "joints: [{name: s, type: translational, bodies: [ground, a], at: [0, 0], axis: [1, 0]}]\n"
                "forces: [{name: f, type: force, on: a, value: ['%s', 0]}]\n"
                "simulate: {end: 1, method: joint_bdf, tolerance: %g}\n",
                rows[i].force, T);
            motion a = move(text, NULL, 0);
            if (a.end) fail_msg("%s", hol_context_error(ctx));
            near(rows[i].force, value_of(&a, "energy.work"), rows[i].work, rows[i].part * T + 1e-11);
            close_motion(&a);
        }
}

static int make_files(void **state) { return (void)state, make_results(folder, file, best); }
static int remove_files(void **state) { return (void)state, remove_results(folder, file, best); }

#define TEST(f) cmocka_unit_test_setup_teardown(f, start, stop)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(errors_fall_with_the_tolerance),
                                       TEST(loops_are_closed_within_the_tolerance),
                                       TEST(the_account_of_energy_balances),
                                       TEST(bodies_that_do_not_move),
                                       TEST(reactions_are_there_at_every_step),
                                       TEST(events_are_met),
                                       TEST(joints_of_every_kind),
                                       TEST(driven_screws_go_on),
                                       TEST(short_pulses_do_their_work),
                                       TEST(a_resumed_run_is_the_same),
                                       TEST(refuses_by_name)};
    return cmocka_run_group_tests(tests, make_files, remove_files);
}
