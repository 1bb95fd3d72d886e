// Couplings over hundreds of turns: their sums of angles keep all their digits, and no row of results is written that leaves the joints. What is
// driven rests, then turns.
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Two wheels on parallel axes, the first driven; ratio: of the second to the first.
static const char wheels[] =
    "dimension: 3\nbodies:\n  - {name: a, mass: 1, inertia: [0.1, 0.1, 0.1]}\n"
    "  - {name: b, mass: 1, inertia: [0.1, 0.1, 0.1], position: [1, 0, 0]}\njoints:\n"
    "  - {name: A, type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: [0, 0, 1]}\n"
    "  - {name: B, type: revolute, bodies: [ground, b], at: [1, 0, 0], axis: [0, %s, 1]}\n"
    "  - {name: G, joints: [A, B], %s}\n"
    "drivers: [{name: D, type: angle, joint: A, speed: \"%s\"}]\n"
    "simulate: {end: %g, output: %g, tolerance: 1e-4, signals: [coordinates]}\n";

// The driven angle and the coupled one in every row. Before, these runs stood still at 500 rad, or their rows
// there were off by parts of a radian.
static void sums_keep_their_digits(void **state)
{
    (void)state;
    static const struct {
        const char *method, *solve, *coupling;
        double ratio, speed, end;
    } runs[] = {
        {"rk", "rk.solve=tree", "type: gear, ratio: -2.5", -2.5, 200, 2},
        {"rk", "rk.solve=joints", "type: gear, ratio: -3", -3, 157, 2},
        {"rk", "rk.order=5", "type: coupler, ratios: [3, 1]", -3, 157, 2},
        {"joint_bdf", NULL, "type: gear, ratio: -3", -3, 10, 100},
        {"joint_bdf", NULL, "type: coupler, ratios: [7.3, 1]", -7.3, 1000, 2},
        {"adams", NULL, "type: gear, ratio: -2.5", -2.5, 100, 10},
        {"adams", "adams.solve=coordinates", "type: gear, ratio: -2.5", -2.5, 100, 10},
        {"rn4", NULL, "type: gear, ratio: -2.5", -2.5, 500, 2},
    };
    for (int i = 0; i < HOL_COUNT(runs); i++) {
        char text[2000], name[60], speed[30];
        const char *set[] = {name, runs[i].solve};
        snprintf(speed, sizeof speed, "%g", runs[i].speed);
        snprintf(text, sizeof text, wheels, "0", runs[i].coupling, speed, runs[i].end, runs[i].end / 100);
        snprintf(name, sizeof name, "simulate.method=%s", runs[i].method);
        hol_result *r = rows_written(text, set, runs[i].solve ? 2 : 1, NULL);
        const int a = column_of(r, "A.angle"), b = column_of(r, "B.angle");
        assert_int_equal(r->n_rows, 101);
        for (size_t k = 0; k < r->n_rows; k++) {
            const double *row = r->value + k * (size_t)r->n_columns, angle = runs[i].speed * row[0];
            near(runs[i].method, row[a], angle, 1e-5);
            near(runs[i].method, row[b], runs[i].ratio * angle, 1e-5);
        }
        hol_result_destroy(r);
    }
}

// A wheel that is locked after 1570 rad stays where it was, and nothing stands still. Methods whose first step behind it is long said that
// it had turned once more, by the rate before.
static void a_lock_holds_after_many_turns(void **state)
{
    (void)state;
    static const char *const methods[] = {"simulate.method=rk", "simulate.method=joint_bdf",
                                          "simulate.method=tangent"};
    static const char text[] =
        "dimension: 3\nbodies: [{name: a, mass: 1, inertia: [0.1, 0.1, 0.1], omega: [0, 0, 157]}]\njoints:\n"
        "  - {name: A, type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: [0, 0, 1]}\n"
        "  - {name: L, type: lock, joint: A, active: no}\nevents: [{name: e, at: 10, on: L}]\n"
        "simulate: {end: 20, output: 1, signals: [coordinates]}\n";
    for (int i = 0; i < HOL_COUNT(methods); i++) {
        hol_result *r = rows_written(text, &methods[i], 1, NULL);
        const double *last = r->value + (r->n_rows - 1) * (size_t)r->n_columns;
        near(methods[i], last[column_of(r, "A.angle")], 1570, 1);
        near(methods[i], last[column_of(r, "A.angle")], last[column_of(r, "A.angle") - r->n_columns], 1e-12);
        near(methods[i], last[column_of(r, "A.rate")], 0, 1e-12);
        hol_result_destroy(r);
    }
}

// Steps over several turns, between which no state on the joints is found: the run ends, and no row is wrong. With the shorter steps of the
// message it goes through. The angle: 100 t + 5 t^2.
static void rows_off_the_joints_end_the_run(void **state)
{
    (void)state;
    char text[2000];
    snprintf(text, sizeof text, wheels, "1", "type: gear, ratio: -7.3", "100 + 10*time", 2.0, 0.1);
    for (int i = 0; i < 2; i++) {
        const char *const set[] = {"simulate.method=tangent", "simulate.max_step=0.004"};
        hol_result *r =
            rows_written(text, set, 1 + i,
                         i ? NULL
                           : "leave \"G\" (gear) open by 3 of the natural size: the steps are too "
                             "long for what turns or moves meanwhile. Try --max-step 0.004");
        for (size_t k = 0; k < r->n_rows; k++) {
            const double *row = r->value + k * (size_t)r->n_columns;
            near("angle", row[column_of(r, "A.angle")], 100 * row[0] + 5 * row[0] * row[0], 1e-9);
        }
        hol_result_destroy(r);
    }
}

// The same driver that begins to turn at 0.5 s: steps are short where its speed changes, and behind it no longer than rows can follow.
static void a_speed_that_jumps_has_rows_on_the_joints(void **state)
{
    (void)state;
    char text[2000];
    const char *const set[] = {"simulate.method=tangent"};
    snprintf(text, sizeof text, wheels, "1", "type: gear, ratio: -7.3", "100*step(time, 0.5, 0, 0.51, 1)",
             2.0, 0.1);
    hol_result *r = rows_written(text, set, 1, NULL);
    for (size_t k = 0; k < r->n_rows; k++) {
        const double *row = r->value + k * (size_t)r->n_columns;
        near("angle", row[column_of(r, "A.angle")], fmax(0, 100 * (row[0] - 0.505)), 1e-9);
    }
    hol_result_destroy(r);
}

// What functions of time move only later: the entries of the matrix that are 0 until then are there. Methods with a matrix stood still, or said
// that the driver had locked the mechanism, when the angle had gone on by half a turn, or the frame by a quarter. Newmark's first velocities
// behind 0.5 s are a third below those that the driver asks for, which is no violation by all that moves.
static void what_moves_later_moves(void **state)
{
    (void)state;
    static const char *const methods[] = {"simulate.method=rk",    "simulate.method=bdf",
                                          "simulate.method=hht",   "simulate.method=rn4",
                                          "simulate.method=adams", "simulate.method=genalpha"};
    static const char disc[] =
        "dimension: 3\nbodies: [{name: a, mass: 1, inertia: [0.1, 0.1, 0.1]}]\njoints: [{name: A, type: "
        "revolute, bodies: "
        "[ground, a], at: [0, 0, 0], axis: [0, 0, 1]}]\ndrivers: [{name: D, type: angle, joint: A, speed: "
        "\"100*step(time, 0.5, 0, 0.51, 1)\"}]\nsimulate: {end: 1, signals: [coordinates]}\n";
    static const char frame[] =
        "dimension: 2\nground: {markers: {m: {motion: {angle: \"3*step(time, 0.5, 0, 0.6, 1)\"}}}}\n"
        "bodies: [{name: a, mass: 1, inertia: 0.1, position: [1, 0]}]\n"
        "joints: [{name: B, type: translational, between: [ground.m, a]}]\n"
        "drivers: [{name: D, type: distance, between: [ground, a], value: 1}]\nsimulate: {end: 1, signals: "
        "[a]}\n";
    for (int i = 0; i < HOL_COUNT(methods); i++) {
        motion m = move(disc, &methods[i], 1);
        if (m.end) fail_msg("%s: %s", methods[i], hol_context_error(ctx));
        near(methods[i], value_of(&m, "A.angle"), 100 * (1 - 0.505), 1e-6);
        near(methods[i], value_of(&m, "A.rate"), 100, 1e-2);
        close_motion(&m);
        m = move(frame, &methods[i], 1);
        if (m.end) fail_msg("%s: %s", methods[i], hol_context_error(ctx));
        near(methods[i], value_of(&m, "a.x"), cos(3), 1e-9);
        near(methods[i], value_of(&m, "a.y"), sin(3), 1e-9);
        close_motion(&m);
    }
}

// A joint in space begins with the turns that it is given: it moves as the same in the plane, whose body is drawn with them.
static void a_start_has_the_turns_that_are_given(void **state)
{
    static const char bodies[2][120] = {
        "dimension: 2\nbodies: [{name: a, mass: 1, inertia: 1, angle: %g deg}]\n",
        "dimension: 3\nbodies: [{name: a, mass: 1, inertia: [1, 1, 1], "
        "orientation: {rpy: [0, 0, %g deg]}}]\n"};
    static const struct {
        double drawn;
        const char *turns, *laws;
        double start; // [deg]
    } rows[] = {
        {270, ", turns: 1", "motor: {angle: 275 deg, kp: 10, kd: 3}", 270},
        {-190, ", turns: -1", "stiffness: 4, angle: -3.5, damping: 0.5", -190},
        {180, ", turns: 0", "stiffness: 4", 180},
        {540, ", turns: 1", "stiffness: 4, angle: 8, limits: {range: [500 deg, 600 deg], hard: yes}", 540}};
    (void)state;
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        double at[2][2];
        for (int d = 0; d < 2; d++) {
            char text[1000];
            int n = snprintf(text, sizeof text, bodies[d], rows[i].drawn);
            snprintf(text + n, sizeof text - (size_t)n,
                     "gravity: %s\njoints: [{name: j, type: revolute, between: [ground, a]%s, %s}]\n"
                     "simulate: {end: 0.5, method: rk, tolerance: 1e-9, signals: [j.angle]}\n",
                     d ? "[0, 0, 0]" : "[0, 0]", d ? rows[i].turns : "", rows[i].laws);
            motion m = open_motion(text, NULL, 0);
            at[d][0] = signal_value(m.sim, "j.angle");
            if (hol_simulation_run(m.sim)) fail_msg("%s", hol_context_error(ctx));
            at[d][1] = signal_value(m.sim, "j.angle");
            close_motion(&m);
        }
        near(rows[i].laws, at[1][0], rows[i].start * acos(-1) / 180, 1e-12);
        for (int k = 0; k < 2; k++) near(rows[i].laws, at[1][k], at[0][k], 1e-7);
        assert_true(fabs(at[1][1] - at[1][0]) > 1e-3);
    }
}

// A spring of a joint has the energy k (c - c0)^2/2 of all its turns, as its torque has them, and no work makes it: in space with the
// turns that are given, in the plane with those that are drawn.
static void springs_have_the_energy_of_their_turns(void **state)
{
    static const struct {
        const char *body, *turns;
        double start; // [deg]
    } rows[] = {{"dimension: 2\ngravity: [0, 0]\nbodies: [{name: a, mass: 1, inertia: 1, angle: 350 deg}]\n",
                 "", 350},
                {"dimension: 3\ngravity: [0, 0, 0]\nbodies: [{name: a, mass: 1, inertia: [1, 1, 1], "
                 "orientation: {rpy: [0, 0, -10 deg]}}]\n",
                 ", turns: 1", 350},
                {"dimension: 3\ngravity: [0, 0, 0]\nbodies: [{name: a, mass: 1, inertia: [1, 1, 1], "
                 "orientation: {rpy: [0, 0, -10 deg]}}]\n",
                 ", turns: -2", -730}};
    (void)state;
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        char text[1000];
        const double c = rows[i].start * acos(-1) / 180 - 0.5;
        snprintf(text, sizeof text,
                 "%sjoints: [{name: j, type: revolute, between: [ground, a], stiffness: 4, angle: 0.5%s}]\n"
                 "simulate: {end: 1, method: rk, tolerance: 1e-10, signals: [j.angle, energy]}\n",
                 rows[i].body, rows[i].turns);
        motion m = open_motion(text, NULL, 0);
        near("energy", signal_value(m.sim, "energy.potential"), 2 * c * c, 1e-10);
        if (hol_simulation_run(m.sim)) fail_msg("%s", hol_context_error(ctx));
        near("angle", signal_value(m.sim, "j.angle"), 0.5 + c * cos(2), 1e-7);
        near("energy", signal_value(m.sim, "energy.potential"), 2 * pow(c * cos(2), 2), 1e-6);
        near("work", signal_value(m.sim, "energy.work"), 0, 1e-10);
        close_motion(&m);
    }
}

// Every joint in space with an angle that counts takes turns: it begins there, and goes on from there as its body turns freely about z, by
// 9.5 rad. Frames are made of the coordinates; where a body is held, as in a constant-velocity joint, its angle stays.
static void all_that_count_take_turns(void **state)
{
    (void)state;
    static const struct {
        const char *joint, *signal;
        double drawn, turns, rate;
    } rows[] = {
        {"type: revolute, between: [ground, a], turns: 3", "j.angle", 0.5, 3, 19},
        {"type: cylindrical, between: [ground, a], turns: -2", "j.angle", 0.5, -2, 19},
        {"type: planar, between: [ground, a], turns: 2", "j.angle", 0.5, 2, 19},
        {"type: parallel-axes, between: [ground, a], turns: -1", "j.angle", 0.5, -1, 19},
        {"type: total, hold: x y z rx ry, between: [ground, a], turns: 5", "j.angle", 0.5, 5, 19},
        {"type: spherical, between: [ground, a], turns: 4", "j.twist", 0.5, 4, 19},
        {"type: at-point, between: [ground, a], turns: -4", "j.twist", 0.5, -4, 19},
        {"type: constant-velocity, between: [ground, a], turns: 1", "j.angle", 0.5, 1, 0},
        // the link from ground to the point (cos 0.5, sin 0.5, 0) of the body
        {"type: revolute-spherical, between: [ground, a.m], turns: 7", "j.angle", 0.5, 7, 19},
        // R = Rz(a1) Rx(pi/2) Rz(a2): the second frame is drawn with a1 = 0.5, a2 = 0
        {"type: universal, between: [ground, a.n], turns: {angle1: -3, angle2: 1}", "j.angle1", 0.5, -3, 19},
        {"type: universal, between: [ground, a.n], turns: {angle2: 2}", "j.angle2", 0, 2, 0},
        {"type: universal, between: [ground, a.n], turns: {angle2: 2}", "j.angle1", 0.5, 0, 19},
    };
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        char text[1000], signals[60];
        const bool turns = rows[i].rate != 0 || strstr(rows[i].signal, "angle2");
        snprintf(text, sizeof text,
                 "dimension: 3\ngravity: [0, 0, 0]\nbodies: [{name: a, mass: 1, inertia: [1, 1, 1], "
                 "orientation: {rpy: [0, 0, 0.5]}, omega: [0, 0, %g], markers: {m: [1, 0, 0], n: {position: "
                 "[0, 0, 0], orientation: {rpy: [90 deg, 0, 0]}}}}]\njoints: [{name: j, %s}]\n"
                 "simulate: {end: 0.5, method: rk, tolerance: 1e-9}\n",
                 turns ? 19.0 : 0, rows[i].joint);
        snprintf(signals, sizeof signals, "simulate.signals=%s", rows[i].signal);
        const char *set[] = {signals};
        motion m = open_motion(text, set, 1);
        const double start = rows[i].drawn + 2 * acos(-1) * rows[i].turns;
        near(rows[i].joint, signal_value(m.sim, rows[i].signal), start, 1e-12);
        if (hol_simulation_run(m.sim)) fail_msg("%s: %s", rows[i].joint, hol_context_error(ctx));
        near(rows[i].joint, signal_value(m.sim, rows[i].signal), start + 0.5 * rows[i].rate, 1e-6);
        close_motion(&m);
    }
}

// Stops of a counted angle that a joint reaches with turns only: full turns away the way out is `turns`, and it works.
static void turns_are_the_way_out_of_stops(void **state)
{
    (void)state;
    static const char *const rows[][3] = {
        {"type: spherical, between: [ground, a]%s, limits: {twist: [300 deg, 400 deg], stiffness: 10}",
         ", turns: 1", "give the joint `turns: 1`"},
        {"type: universal, between: [ground, a.n]%s, limits: {angle2: [-800 deg, -700 deg], stiffness: 10}",
         ", turns: {angle2: -2}", "give the joint `turns: {angle2: -2}`"}};
    for (int i = 0; i < HOL_COUNT(rows); i++)
        for (int k = 0; k < 2; k++) {
            char joint[300], text[700];
            snprintf(joint, sizeof joint, rows[i][0], k ? rows[i][1] : ""); // NOLINT: from the table above
            snprintf(text, sizeof text,
                     "dimension: 3\nbodies: [{name: a, mass: 1, inertia: [1, 1, 1], markers: {n: {position: "
                     "[0, 0, 0], orientation: {rpy: [90 deg, 0, 0]}}}}]\njoints: [{name: j, %s}]\n",
                     joint);
            strcat(text, "simulate: {end: 1}\n");
            hol_model *m = load_model(text, NULL, 0);
            hol_simulation *sim = hol_simulation_create(ctx, m);
            assert_int_equal(sim != NULL, k);
            if (!k) assert_non_null(strstr(hol_context_error(ctx), rows[i][2]));
            hol_context_clear(ctx);
            hol_simulation_destroy(sim);
            hol_model_destroy(m);
        }
}

// A driver that begins elsewhere than the turns of its joint is refused by name, also where these are 0.
static void turns_and_a_driver_must_agree(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        char text[500];
        snprintf(text, sizeof text,
                 "dimension: 3\nbodies: [{name: a, mass: 1, inertia: [1, 1, 1]}]\njoints: [{name: j, type: "
                 "revolute, between: [ground, a], turns: 1}]\ndrivers: [{name: d, type: angle, joint: j, "
                 "value: %s + time}]\nsimulate: {end: 1, signals: [j.angle]}\n",
                 k ? "0.5" : "2*pi");
        motion m = {load_model(text, NULL, 0), NULL, HOL_OK};
        m.sim = hol_simulation_create(ctx, m.model);
        if (k) {
            assert_null(m.sim);
            assert_non_null(strstr(hol_context_error(ctx),
                                   "drivers.d: it begins at 0.5 rad, and the angle of "
                                   "\"j\" at 6.28319 rad"));
        } else
            near("start", signal_value(m.sim, "j.angle"), 2 * acos(-1), 1e-12);
        close_motion(&m);
    }
}

// `turns: 0` of a joint that is drawn at 0 says as much as any other number; and a driver between the same frames as a universal joint
// says nothing of its angles about the arms.
static void no_turns_are_turns_too(void **state)
{
    (void)state;
    static const char text[] =
        "dimension: 3\nbodies: [{name: a, mass: 1, inertia: [1, 1, 1], orientation: {rpy: [0, 0, %g]}}]\n"
        "joints: [{name: j, type: %s, between: [ground, a]%s}]\ndrivers: [{name: d, type: angle, between: "
        "[ground, a], value: 2*pi + time}]\nsimulate: {end: 1, signals: [j.twist]}\n";
    for (int k = 0; k < 2; k++) {
        char of[600];
        snprintf(of, sizeof of, text, 0.0, "spherical", k ? ", turns: 0" : ""); // NOLINT: from above
        motion m = {load_model(of, NULL, 0), NULL, HOL_OK};
        m.sim = hol_simulation_create(ctx, m.model);
        if (k)
            assert_non_null(strstr(hol_context_error(ctx), "drivers.d: it begins at 6.28319 rad, and the "
                                                           "angle of \"j\" at 0 rad"));
        else
            near("start", signal_value(m.sim, "j.twist"), 2 * acos(-1), 1e-12);
        assert_int_equal(m.sim == NULL, k);
        close_motion(&m);
    }
    static const char cross[] =
        "dimension: 3\ngravity: [0, 0, 0]\nbodies: [{name: a, mass: 1, inertia: [1, 1, 1], orientation: "
        "{rpy: "
        "[90 deg, 0, 0]}}]\njoints: [{name: j, type: universal, between: [ground, a]}]\ndrivers: [{name: d, "
        "type: angle, between: [ground, a], value: 4*pi + time}]\nsimulate: {end: 0.1, signals: "
        "[j.angle1]}\n";
    motion m = {load_model(cross, NULL, 0), NULL, HOL_OK};
    m.sim = hol_simulation_create(ctx, m.model);
    if (!m.sim) fail_msg("%s", hol_context_error(ctx));
    near("angle1", signal_value(m.sim, "j.angle1"), 0, 1e-9);
    close_motion(&m);
}

static char warned[2000];
static void note_warnings(void *user, hol_severity severity, const char *text)
{
    (void)user;
    const size_t n = strlen(warned);
    if (severity == HOL_WARNING) snprintf(warned + n, sizeof warned - n, "%s\n", text);
}

static int count_of(const char *text, const char *word)
{
    int n = 0;
    while ((text = strstr(text, word))) n++, text++;
    return n;
}

// A body that turns about x through a quarter turn, where AY and AZ are atan2(0, 0): each is told once, with the time, however often the
// body comes by (at (pi/2 - 0.8)/2 = 0.385 s first), AX not. At the start `check` says so too. What spins fast about z alone is not told.
static void angles_without_a_value_are_told(void **state)
{
    (void)state;
    static const char text[] =
        "dimension: 3\ngravity: [0, 0, 0]\nbodies: [{name: a, mass: 1, inertia: [1, 1, 1], orientation: "
        "{rpy: "
        "[%s, 0, 0]}, omega: [%s]}]\nvariables: [{name: z, value: \"AZ(a)\"}, {name: y, value: \"AY(a)\"}, "
        "{name: x, value: \"AX(a)\"}]\nsimulate: {end: 5, output: 0.1, method: %s, signals: [x, y, z]}\n";
    static const struct {
        const char *roll, *omega, *method, *told;
        bool start;
    } rows[] = {
        {"0.8", "2, 0, 0", "rk", "s: AZ(a) has no value in the pose that the last step has gone over", false},
        {"90 deg", "2, 0, 0", "rk", "t = 0 s: AZ(a) has no value in the pose there", true},
        {"90 deg", "0, 0, 0", "bdf", "t = 0 s: AY(a) has no value in the pose there", true},
        {"0", "0, 0, 300", "joint_bdf", NULL, false},
        {"0.8", "0, 0, 3", "rk", NULL, false}};
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        char of[700];
        snprintf(of, sizeof of, text, rows[i].roll, rows[i].omega, rows[i].method); // NOLINT: from above
        hol_model *m = load_model(of, NULL, 0);
        hol_check *c = hol_check_create(ctx, m);
        int at_start = 0;
        for (int k = 0; c && k < c->n_warnings; k++) at_start += !strcmp(c->warning[k].name, "undefined");
        assert_int_equal(at_start, rows[i].start ? 2 : 0);
        hol_check_destroy(c);
        hol_model_destroy(m);
        warned[0] = 0;
        hol_context_set_log(ctx, note_warnings, NULL);
        motion run = move(of, NULL, 0);
        hol_context_set_log(ctx, NULL, NULL);
        if (run.end) fail_msg("%s", hol_context_error(ctx));
        close_motion(&run);
        if (count_of(warned, "has no value") != (rows[i].told ? 2 : 0) ||
            (rows[i].told && !strstr(warned, rows[i].told)) || strstr(warned, "AX(a)"))
            fail_msg("%s, %s: told \"%s\"", rows[i].roll, rows[i].omega, warned);
    }
}

// A start in such a pose has accelerations, also where both legs of an angle are 0 to the last bit: a universal joint whose second arm is drawn
// so that AZ of the body is atan2(0, 0), with one of its rates held. h.angle1 = 0.3 + 0.7 t.
static void a_start_where_an_angle_has_no_value(void **state)
{
    static const char text[] =
        "dimension: 3\ngravity: [0, 0, -9.81]\nbodies:\n"
        "  - {name: b, mass: 1, inertia: [0.3, 0.3, 0.3], orientation: {quat_wxyz: [0.6991667342497078, "
        "0.6991667342497078, 0.10566871683993562, 0.10566871683993562]}, markers: {p: [0, 0, 0]}}\n"
        "joints: [{name: h, type: universal, between: [ground, b]}]\n"
        "constraints: [{name: k, velocity: \"h.rate1 - (0.7)\"}]\n"
        "variables: [{name: a1, value: h.angle1}, {name: a2, value: h.angle2}, {name: az, value: AZ(b.p)}]\n"
        "simulate: {end: 1, tolerance: 1e-7, signals: [h.angle1, a1, a2]}\n";
    static const char *const methods[] = {"simulate.method=rk", "simulate.method=adams",
                                          "simulate.method=bdf", "simulate.method=rn4"};
    (void)state;
    for (int i = 0; i < HOL_COUNT(methods); i++) {
        warned[0] = 0;
        hol_context_set_log(ctx, note_warnings, NULL);
        motion m = move(text, &methods[i], 1);
        hol_context_set_log(ctx, NULL, NULL);
        if (m.end) fail_msg("%s: %s", methods[i], hol_context_error(ctx));
        near(methods[i], signal_value(m.sim, "h.angle1"), 1, 1e-6);
        near(methods[i], signal_value(m.sim, "a1"), 1, 1e-6);
        near(methods[i], signal_value(m.sim, "a2"), 0, 1e-6);
        assert_int_equal(count_of(warned, "AZ(b.p) has no value in the pose there"), 1);
        close_motion(&m);
    }
}

// A body that turns evenly, by w t, away from a pose in which AY and AZ have no value: it leaves within half a turn, whatever their rates there
// have been of rounding. AY = atan2(z.x1, z.z1), AZ = atan2(-y.x1, y.y1) of the axes by Rodrigues' formula.
static void angles_come_from_where_they_have_no_value(void **state)
{
    static const char text[] =
        "dimension: 3\ngravity: [0, 0, 0]\nbodies: [{name: a, mass: 1, inertia: [1, 1, 1], orientation: "
        "{rpy: "
        "[90 deg, 0, 0]}, omega: [0.5, 0.3, 0.2]}]\n"
        "variables: [{name: z, value: AZ(a)}, {name: y, value: AY(a)}]\n"
        "simulate: {end: 0.7, output: 0.1, method: rk, tolerance: 1e-9, signals: [y, z]}\n";
    const double w[3] = {0.5, 0.3, 0.2}, size = sqrt(0.38), t = 0.7, s = sin(size * t) / size,
                 c = (1 - cos(size * t)) / (size * size), drawn[2][3] = {{0, 0, 1}, {0, -1, 0}}; // y, z
    double axis[2][3];
    (void)state;
    for (int k = 0; k < 2; k++) {
        const double *u = drawn[k], along = w[0] * u[0] + w[1] * u[1] + w[2] * u[2];
        for (int i = 0; i < 3; i++) {
            const int j = (i + 1) % 3, l = (i + 2) % 3;
            axis[k][i] = cos(size * t) * u[i] + s * (w[j] * u[l] - w[l] * u[j]) + c * along * w[i];
        }
    }
    motion m = move(text, NULL, 0);
    if (m.end) fail_msg("%s", hol_context_error(ctx));
    near("AY", signal_value(m.sim, "y"), atan2(axis[1][0], axis[1][2]), 1e-8);
    near("AZ", signal_value(m.sim, "z"), atan2(-axis[0][0], axis[0][1]), 1e-8);
    close_motion(&m);
}

// `turns:` of the model chooses full turns for what a pose leaves open, over those that a joint gives its drawing; a driver must agree, what has
// no angle is refused, and an angle that is elsewhere is warned of.
static void turns_of_a_start(void **state)
{
    static const struct {
        const char *joint, *rest, *turns, *told;
        double angle, twice;
    } rows[] = {
        {"", "", "h.angle: 450 deg", NULL, 2.5 * HOL_PI, HOL_PI},
        {", turns: 3", "", "h.angle: -630 deg", NULL, -3.5 * HOL_PI, HOL_PI},
        {"", "", "AZ(a): -270 deg", NULL, HOL_PI / 2, -3 * HOL_PI},
        {"", "", "h.angle: 10.5, AZ( a ): 8 rad", "turns.h.angle: the angle begins at 7.85398 rad",
         2.5 * HOL_PI, 5 * HOL_PI},
        {"", "drivers: [{name: d, type: angle, joint: h, value: 5*pi/2}]\n", "h.angle: 450 deg", NULL,
         2.5 * HOL_PI, HOL_PI},
        {"", "drivers: [{name: d, type: angle, joint: h, value: 5*pi/2}]\n", "h.angle: 90 deg",
         "drivers.d: it begins", (double)NAN, 0},
        {"", "", "h.angel: 0", "did you mean \"h.angle\"?", (double)NAN, 0},
        {"", "", "h.rate: 0", "turns.h.rate: there is no joint, spring or expression", (double)NAN, 0},
        {"", "", "a: 0", "turns.a: there is no joint, spring or expression", (double)NAN, 0},
        {"", "", "h.angle: 1 m", "rad", (double)NAN, 0}};
    (void)state;
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        char text[1000];
        snprintf(text, sizeof text,
                 "dimension: 3\nbodies: [{name: a, mass: 1, inertia: [1, 1, 1], orientation: {rpy: [0, 0, 90 "
                 "deg]}}]\njoints: [{name: h, type: revolute, between: [ground, a]%s}]\n%s"
                 "variables: [{name: twice, value: 2*AZ(a)}]\nturns: {%s}\n"
                 "simulate: {end: 1, signals: [h.angle, twice]}\n",
                 rows[i].joint, rows[i].rest, rows[i].turns);
        warned[0] = 0;
        hol_context_set_log(ctx, note_warnings, NULL);
        hol_model *model = hol_model_parse(ctx, "test.yaml", text, strlen(text), NULL, 0);
        hol_simulation *sim = model ? hol_simulation_create(ctx, model) : NULL;
        hol_context_set_log(ctx, NULL, NULL);
        if (isnan(rows[i].angle)) {
            assert_null(sim);
            expect_message(rows[i].told);
        } else {
            if (!sim) fail_msg("%s: %s", rows[i].turns, hol_context_error(ctx));
            near(rows[i].turns, signal_value(sim, "h.angle"), rows[i].angle, 1e-12);
            near(rows[i].turns, signal_value(sim, "twice"), rows[i].twice, 1e-12);
            if (rows[i].told && !strstr(warned, rows[i].told)) fail_msg("told \"%s\"", warned);
        }
        hol_simulation_destroy(sim);
        hol_model_destroy(model);
    }
    static const char plane[] = "dimension: 2\nbodies: [{name: a, mass: 1, inertia: 1}]\njoints: [{name: h, "
                                "type: revolute, between: [ground, a]}]\nturns: {h.angle: 7}\n";
    assert_null(hol_model_parse(ctx, "test.yaml", plane, strlen(plane), NULL, 0));
    expect_message("turns.h.angle: in the plane bodies are drawn with their full turns");
}

// Two balls that turn evenly about (cos a, 0, sin a), in both senses: twist = 2 atan2(sin a sin(th/2), cos(th/2)), and a turn more for each turn th of it. The z axes are opposite but
// for 2 a each time; of these rows a third were whole turns off.
static void twists_are_counted_beside_opposite_axes(void **state)
{
    static const char *const methods[] = {"rk", "adams", "bdf", "joint_bdf", "hht", "rn4"},
                             *const tolerances[] = {"1e-3", "1e-5", "1e-7"};
    static const double angles[] = {0.5, 0.1, 0.03, 0.003};
    (void)state;
    for (int i = 0; i < HOL_COUNT(angles) * HOL_COUNT(methods); i++) {
        const double a[2] = {angles[i % HOL_COUNT(angles)], -angles[i % HOL_COUNT(angles)]},
                     w[2] = {6.4717, 6.1};
        const char *const method = methods[i / HOL_COUNT(angles)], *const signals[2] = {"S.twist", "R.twist"};
        char text[900];
        snprintf(text, sizeof text,
                 "dimension: 3\ngravity: [0, 0, 0]\nbodies: [{name: b, mass: 1, inertia: [0.1, 0.1, 0.1], "
                 "omega: [%.17g, 0, %.17g]}, "
                 "{name: c, mass: 1, inertia: [0.1, 0.1, 0.1], omega: [%.17g, 0, %.17g]}]\n"
                 "joints: [{name: S, type: spherical, between: [ground, b]}, {name: R, type: spherical, "
                 "between: [ground, c]}]\n"
                 "simulate: {end: 3, output: 0.01, signals: [S.twist, R.twist], method: %s, tolerance: %s}\n",
                 w[0] * cos(a[0]), w[0] * sin(a[0]), w[1] * cos(a[1]), w[1] * sin(a[1]), method,
                 strcmp(method, "hht") ? tolerances[i % 3] : "1e-3");
        hol_result *r = rows_written(text, NULL, 0, NULL);
        for (int k = 0; k < 2; k++) {
            const int c = column_of(r, signals[k]);
            for (size_t row = 0; row < r->n_rows; row++) {
                const double *x = r->value + row * (size_t)r->n_columns, half = w[k] * x[0] / 2,
                             turns = round(half / HOL_PI),
                             want = 2 * atan2(sin(a[k]) * sin(half - turns * HOL_PI),
                                              cos(half - turns * HOL_PI)) +
                                    (a[k] > 0 ? 2 : -2) * HOL_PI * turns;
                if (!(fabs(x[c] - want) < 1))
                    fail_msg("%s\n%s is %g at t = %g, not %g", text, signals[k], x[c], x[0], want);
            }
        }
        hol_result_destroy(r);
    }
}

// From where it starts an angle goes on: of a start next to half a turn the first step told a turn less, exit 0.
static void the_first_step_goes_on_from_the_start(void **state)
{
    static const char *const methods[] = {"rk", "adams", "bdf", "joint_bdf", "hht", "rn4", "tangent"},
                             *const steps[] = {"tolerance: 1e-3", "step: 0.02"};
    (void)state;
    for (int i = 0; i < 2 * HOL_COUNT(methods); i++) {
        char text[900];
        const bool fixed = i % 2 && strcmp(methods[i / 2], "adams") && strcmp(methods[i / 2], "bdf") &&
                           strcmp(methods[i / 2], "joint_bdf");
        snprintf(text, sizeof text,
                 "dimension: 3\ngravity: [0, 0, 0]\nbodies: [{name: b, mass: 1, inertia: [0.1, 0.1, 0.1], "
                 "omega: [0, 0, 10], orientation: {axis: [0, 0, 1], angle: 3}, exact: true}]\n"
                 "joints: [{name: h, type: revolute, between: [ground, b]}]\n"
                 "simulate: {end: 0.4, output: 0.1, signals: [h.angle], method: %s, %s}\n",
                 methods[i / 2], steps[fixed]);
        hol_result *r = rows_written(text, NULL, 0, NULL);
        for (size_t row = 0; row < r->n_rows; row++)
            near(text, r->value[row * (size_t)r->n_columns + 1],
                 3 + 10 * r->value[row * (size_t)r->n_columns], 1e-2);
        hol_result_destroy(r);
    }
}

static void product(const double a[4], const double b[4], double out[4])
{
    out[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    out[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    out[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    out[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

// Euler parameters of a free body of inertia (A, A, C) with omega w in its own axes: p(t) = exp(L t/(2 A)) p0 exp(z (1 - C/A) w_z t/2), L in space.
static void precess(const double p0[4], const double w[3], double ratio, double t, double out[4])
{
    const double own[3] = {w[0], w[1], ratio * w[2]}, // L/A
        rate = sqrt(own[0] * own[0] + own[1] * own[1] + own[2] * own[2]), half = 0.5 * rate * t,
                 spin = 0.5 * (1 - ratio) * w[2] * t;
    const double first[4] = {cos(half), sin(half) * own[0] / rate, sin(half) * own[1] / rate,
                             sin(half) * own[2] / rate},
                 second[4] = {cos(spin), 0, 0, sin(spin)};
    double between[4];
    product(p0, first, between); // L in space: p0 exp(L_own) = exp(L) p0
    product(between, second, out);
}

// Tops without weight that start beside the pose in which their twist has no value, each another way: a third of them was a turn off from the first step on.
static void twists_of_tops_are_counted_from_the_start(void **state)
{
    static const char *const methods[] = {"rk", "rk", "rk", "rk", "adams", "bdf"};
    enum { TOPS = 60, FINE = 20000 };
    (void)state;
    for (int i = 0; i < TOPS; i++) {
        const double swing = HOL_PI - 0.2 * pow(0.85, i % 20), turn = i % 2 ? 0.7 * i : 3.1, way = 2.3 * i;
        const double w[3] = {7 * cos(1.1 * i), 7 * sin(1.7 * i), 5 * cos(2.9 * i)}, ratio = 0.5;
        const double tilt[4] = {cos(swing / 2), sin(swing / 2) * cos(way), sin(swing / 2) * sin(way), 0},
                     own[4] = {cos(turn / 2), 0, 0, sin(turn / 2)};
        double p0[4], p[4];
        char text[900];
        product(tilt, own, p0);
        snprintf(text, sizeof text,
                 "dimension: 3\ngravity: [0, 0, 0]\nbodies: [{name: b, mass: 1, inertia: [0.1, 0.1, 0.05], "
                 "omega_body: [%.17g, %.17g, %.17g], orientation: {quat_wxyz: [%.17g, %.17g, %.17g, %.17g]}, "
                 "exact: true}]\njoints: [{name: S, type: spherical, between: [ground, b]}]\n"
                 "simulate: {end: 1, output: 0.01, signals: [S.twist], method: %s, tolerance: %s}\n",
                 w[0], w[1], w[2], p0[0], p0[1], p0[2], p0[3], methods[i % 6], i % 4 < 2 ? "1e-6" : "1e-4");
        hol_result *r = rows_written(text, NULL, 0, NULL);
        double angle = 2 * atan2(p0[3], p0[0]);
        angle -= 2 * HOL_PI * round(angle / (2 * HOL_PI));
        for (int k = 0; k <= FINE; k++) {
            precess(p0, w, ratio, (double)k / FINE, p);
            const double next = 2 * atan2(p[3], p[0]);
            angle = next + 2 * HOL_PI * round((angle - next) / (2 * HOL_PI));
            const double *row = r->value + (size_t)(k * 100 / FINE) * (size_t)r->n_columns;
            if (k % (FINE / 100) == 0 && !(fabs(row[1] - angle) < 1))
                fail_msg("%s\ntwist is %g at t = %g, not %g", text, row[1], row[0], angle);
        }
        hol_result_destroy(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_keep_their_digits),
        cmocka_unit_test(a_lock_holds_after_many_turns),
        cmocka_unit_test(rows_off_the_joints_end_the_run),
        cmocka_unit_test(a_speed_that_jumps_has_rows_on_the_joints),
        cmocka_unit_test(what_moves_later_moves),
        cmocka_unit_test(turns_and_a_driver_must_agree),
        cmocka_unit_test(no_turns_are_turns_too),
        cmocka_unit_test(angles_without_a_value_are_told),
        cmocka_unit_test(all_that_count_take_turns),
        cmocka_unit_test(turns_are_the_way_out_of_stops),
        cmocka_unit_test(a_start_has_the_turns_that_are_given),
        cmocka_unit_test(springs_have_the_energy_of_their_turns),
        cmocka_unit_test(turns_of_a_start),
        cmocka_unit_test(a_start_where_an_angle_has_no_value),
        cmocka_unit_test(angles_come_from_where_they_have_no_value),
        cmocka_unit_test(twists_are_counted_beside_opposite_axes),
        cmocka_unit_test(the_first_step_goes_on_from_the_start),
        cmocka_unit_test(twists_of_tops_are_counted_from_the_start),
    };
    return cmocka_run_group_tests_name("turns", tests, start, stop);
}
