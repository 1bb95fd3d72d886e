// Motors and armatures of joints: a rotor behind a gear is the mass, the inertia and the momentum that it stands for, and motors arrive, wind
// up, follow and hold as closed forms and two integrators each say, named beside the values.
#include "laws.h"
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// 0.5 kg m^2 with a rotor of 2e-4 kg m^2 behind a gear of 50, kp = 6, ki = 4, kd = 2, at most 0.4 N m, against a load of 2 N m, to
// 4 rad: two integrators agree to 2.4e-12 on these values at 2 s.
static void a_motor_does_not_wind_up(void **state)
{
    (void)state;
    const char *model =
        "dimension: 2\nbodies: [{name: arm, mass: 1, inertia: 0.5}]\n"
        "joints: [{name: hinge, type: revolute, between: [ground, arm], preload: -2, armature: 2e-4,\n"
        "  motor: {angle: 4, kp: 6, ki: 4, kd: 2, max: 0.4, gear: 50, windup: 0.5}}]\n"
        "simulate: {signals: [all, coordinates], end: 2}\n";
    all_reach(0, model, 1e-4, 10, WANTED({"hinge.angle", 4.067141435}));
    assert_close(at_end(model, "hinge.rate", "rk", 1e-9), 0.070349063852, 1e-7);
    assert_close(at_end(model, "hinge.motor.integral", "rk", 1e-9), 0.14411276450, 1e-7);
}

// 3 sin(t) is asked of a motor that has 2, behind a gear of 10: it is at its end where |sin(t)| > 2/3, on either side; a force with `max` of
// an expression too. One without `max` has no end. A motor that has nothing left, with max: 2 sin(t)^2 - 1 = -cos(2 t) below 0, is at its end
// too; behind a gear of -1 it pulls the other way.
static void a_motor_says_where_it_is_at_its_end(void **state)
{
    static const struct {
        const char *end;
        double torque, saturated, weak;
    } rows[] = {{"simulate.end=0.5", 30 * 0.479425538604203, 0, 0}, // 30 sin(0.5)
                {"simulate.end=1", 20, 1, -0.416146836547142},      // cos(2)
                {"simulate.end=3", 30 * 0.141120008059867, 0, 0},
                {"simulate.end=4", -20, -1, 0.145500033808614}}; // -cos(8)
    (void)state;
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        motion m =
            move("dimension: 2\nparameters: {most: 2}\ntunable: [most]\nbodies:\n"
                 "  - {name: a, mass: 1, inertia: 2}\n  - {name: b, mass: 1, position: [1, 0], inertia: 2}\n"
                 "  - {name: c, mass: 1, inertia: 2}\n  - {name: d, mass: 1, inertia: 2}\n"
                 "joints:\n  - {name: h, type: revolute, between: [ground, a], motor: {torque: 3*sin(time), "
                 "max: 2, "
                 "gear: 10}}\n"
                 "  - {name: s, type: translational, between: [ground: [1, 0], b], motor: {force: "
                 "3*sin(time), max: "
                 "most, gear: 10}}\n"
                 "  - {name: k, type: revolute, between: [a, c], motor: {torque: time}}\n"
                 "  - {name: z, type: revolute, between: [ground, d], motor: {torque: 3*sin(time), "
                 "max: 2*sin(time)^2 - 1, gear: -1}}\n"
                 "simulate: {end: 4, method: rk}\n",
                 &rows[i].end, 1);
        assert_int_equal(m.end, HOL_OK);
        assert_close(value_of(&m, "h.motor.torque"), rows[i].torque, 1e-9);
        assert_close(value_of(&m, "h.motor.saturated"), rows[i].saturated, 0);
        assert_close(value_of(&m, "s.motor.force"), rows[i].torque, 1e-9);
        assert_close(value_of(&m, "s.motor.saturated"), rows[i].saturated, 0);
        assert_int_equal(hol_simulation_find_signal(m.sim, "k.motor.saturated"), -1);
        assert_close(value_of(&m, "z.motor.torque"), rows[i].weak, 1e-9);
        assert_close(value_of(&m, "z.motor.saturated"), i == 3 ? 1 : -1, 0);
        close_motion(&m);
    }
}

// A rotor is what a mass on a slide is that a coupler moves by 1 m/rad: the same motion by other rows. In space, on a joint between two
// bodies that tumble.
#define TUMBLING(bodies, armature, joints)                                                                   \
    "dimension: 3\ngravity: [0, 0, -9.81]\nbodies:\n"                                                        \
    "  - {name: a, mass: 1, inertia: [0.2, 0.3, 0.4], position: [0.5, 0, 0], velocity: [0, 0.25, 0],\n"      \
    "     omega: [1, 0, 0.5], markers: {o: [-0.5, 0, 0], e: {position: [0.5, 0, 0], axis: [0, 1, 1]}}}\n"    \
    "  - {name: b, mass: 0.5, inertia: [0.1, 0.2, 0.1], position: [1.3, 0, 0], velocity: [0, 0.95, -0.3],\n" \
    "     omega: [1, 1, 1.5], markers: {o: {position: [-0.3, 0, 0], axis: [0, 1, 1]}}}\n" bodies             \
    "joints:\n  - {name: A, type: spherical, between: [ground, a.o]}\n"                                      \
    "  - {name: B, type: revolute, between: [a.e, b.o]" armature "}\n" joints                                \
    "simulate: {signals: [all, coordinates], end: 0.8, tolerance: 1e-9, method: rk}\n"

static void an_armature_is_a_coupled_mass(void **state)
{
    (void)state;
    motion m = move(TUMBLING("", ", armature: 0.3, rotor: classic", ""), NULL, 0);
    motion n = move(
        TUMBLING(
            "  - {name: r, mass: 0.3, inertia: [1, 1, 1], position: [5, 0, 0], velocity: [sqrt(2), 0, 0],\n"
            "     markers: {o: {position: [0, 0, 0], axis: [1, 0, 0]}}}\n",
            "",
            "  - {name: S, type: translational, between: [ground: {position: [5, 0, 0], axis: [1, 0, 0]}, "
            "r.o]}\n"
            "  - {name: C, type: coupler, joints: [B, S], ratios: [1, -1]}\n"),
        NULL, 0);
    static const char *const same[] = {"B.angle", "B.rate", "a.qw",         "b.wx",
                                       "A.Fx",    "B.Tx",   "energy.total", "energy.kinetic"};
    for (int i = 0; i < HOL_COUNT(same); i++)
        if (!(fabs(value_of(&m, same[i]) - value_of(&n, same[i])) < 1e-7))
            fail_msg("%s: %.12g, not %.12g", same[i], value_of(&m, same[i]), value_of(&n, same[i]));
    assert_true(fabs(value_of(&m, "B.angle")) > 0.1);
    close_motion(&m);
    close_motion(&n);
}

// A rotor that turns with the body that carries it, here as a body of its own: a ball at the centre of mass of the first one of the joint,
// on a hinge of the same axis that a coupler drives.
#define CARRIED(ends, a, b, extra, armature, joints)                                                         \
    "dimension: 3\ngravity: [0, 0, -9.81]\nbodies:\n"                                                        \
    "  - {name: a, " a ", position: [0.5, 0, 0], velocity: [0, 0.25, 0],\n"                                  \
    "     omega: [1, 0, 0.5], markers: {o: [-0.5, 0, 0], e: {position: [0.5, 0, 0], axis: [0, 1, 1]}, r: "   \
    "{axis: [0, 1, 1]}}}\n"                                                                                  \
    "  - {name: b, " b ", position: [1.3, 0, 0], velocity: [0, 0.95, -0.3],\n"                               \
    "     omega: [1, 1, 1.5], markers: {o: {position: [-0.3, 0, 0], axis: [0, 1, 1]}, r: "                   \
    "{axis: [0, 1, 1]}}}\n" extra "joints:\n  - {name: A, type: spherical, between: [ground, a.o]}\n"        \
    "  - {name: B, type: revolute, between: " ends ", motor: {torque: 0.1, gear: 5}" armature "}\n" joints   \
    "simulate: {signals: [all, coordinates], end: 0.8, tolerance: 1e-9, method: rk}\n"
#define BALL(at, motion)                                                                                     \
    "  - {name: r, mass: 0.1, inertia: [0.01, 0.01, 0.01], position: " at ", " motion                        \
    ", markers: {o: {axis: [0, 1, 1]}}}\n"
#define DRIVEN(on, ratios)                                                                                   \
    "  - {name: R, type: revolute, between: [" on ".r, r.o]}\n"                                              \
    "  - {name: C, type: coupler, joints: [B, R], ratios: " ratios "}\n"

// {with an armature, with the ball}
static const char *const carried[][2] = {
    {CARRIED("[a.e, b.o]", "mass: 1, inertia: [0.2, 0.3, 0.4]", "mass: 0.5, inertia: [0.1, 0.2, 0.15]", "",
             ", armature: 0.01", ""),
     CARRIED("[a.e, b.o]", "mass: 0.9, inertia: [0.19, 0.29, 0.39]", "mass: 0.5, inertia: [0.1, 0.2, 0.15]",
             BALL("[0.5, 0, 0]", "velocity: [0, 0.25, 0], omega: [1, 5, 5.5]"), "", DRIVEN("a", "[5, -1]"))},
    {CARRIED("[b.o, a.e]", "mass: 1, inertia: [0.2, 0.3, 0.4]", "mass: 0.5, inertia: [0.1, 0.2, 0.15]", "",
             ", armature: 0.01", ""),
     CARRIED("[b.o, a.e]", "mass: 1, inertia: [0.2, 0.3, 0.4]", "mass: 0.4, inertia: [0.09, 0.19, 0.14]",
             BALL("[1.3, 0, 0]", "velocity: [0, 0.95, -0.3], omega: [1, -4, -3.5]"), "",
             DRIVEN("b", "[5, -1]"))}};

static void a_rotor_turns_with_what_carries_it(void **state)
{
    static const char *const ways[] = {"simulate.rk.solve=sparse",      "simulate.rk.solve=tree",
                                       "simulate.rk.solve=coordinates", "simulate.method=joint_bdf",
                                       "simulate.method=genalpha",      "simulate.method=bdf",
                                       "simulate.method=adams",         "simulate.method=rn4"};
    static const char *const same[] = {"B.angle", "B.rate",       "B.accel",       "a.qw", "b.wx",
                                       "A.Fx",    "A.Fz",         "B.Fx",          "B.Fy", "B.Tx",
                                       "B.Ty",    "energy.total", "energy.kinetic"};
    (void)state;
    for (int i = 0; i < HOL_COUNT(carried); i++) {
        motion n = move(carried[i][1], NULL, 0);
        if (n.end) fail_msg("%d: %s", i, hol_context_error(ctx));
        assert_true(fabs(value_of(&n, "B.Ty")) > 0.01);
        for (int k = 0; k < HOL_COUNT(ways); k++) {
            const char *const how[] = {ways[k],
                                       k == 4 ? "simulate.tolerance=1e-7" : "simulate.tolerance=1e-9"};
            motion m = move(carried[i][0], how, 2);
            if (m.end) fail_msg("%d, %s: %s", i, ways[k], hol_context_error(ctx));
            for (int j = 0; j < HOL_COUNT(same); j++) {
                const double want = value_of(&n, same[j]), have = value_of(&m, same[j]);
                if (!(fabs(have - want) < (k < 3 ? 1e-7 : 2e-5) * (1 + fabs(want))))
                    fail_msg("%d, %s: %s is %.12g, not %.12g", i, ways[k], same[j], have, want);
            }
            close_motion(&m);
        }
        close_motion(&n);
    }
}

// A rotor of 2e-4 kg m^2 about x behind a gear of 50 on a body that turns by 3 rad/s about z; the joint's rate is 12 rad/s, its acceleration
// 30 rad/s^2. What holds the body gives J N c'' along x and J N c' times the turning along y more than without the rotor.
static void a_rotor_on_a_turning_body_pushes_it(void **state)
{
    static const char *const ways[] = {"rk.solve=sparse", "rk.solve=tree", "method=joint_bdf", "method=bdf"};
    double T[3][2];
    (void)state;
    for (int w = 0; w < HOL_COUNT(ways); w++) {
        for (int i = 0; i < 3; i++) {
            char model[900], set[60];
            const char *const how[] = {set};
            snprintf(set, sizeof set, "simulate.%s", ways[w]);
            snprintf(
                model, sizeof model,
                "dimension: 3\ngravity: [0, 0, 0]\nbodies:\n"
                "  - {name: base, mass: 1, inertia: [1, 1, 1], omega: [0, 0, 3], markers: {m: {axis: [1, "
                "0, 0]}}}\n"
                "  - {name: arm, mass: 1, inertia: [1, 2, 2], omega: [12, 0, 3], markers: {m: {axis: [1, "
                "0, 0]}}}\n"
                "joints:\n  - {name: A, type: revolute, between: [ground, base]}\n"
                "  - {name: B, type: revolute, between: [base.m, arm.m], motor: {torque: 0, gear: 50}%s}\n"
                "drivers:\n  - {name: D, type: angle, joint: A, value: 3*time}\n"
                "  - {name: E, type: angle, joint: B, value: 12*time + 15*time^2}\n"
                "simulate: {end: 1e-9, method: rk, signals: all}\n",
                i == 0   ? ""
                : i == 1 ? ", armature: 2e-4, rotor: classic"
                         : ", armature: 2e-4");
            motion m = move(model, how, 1);
            if (m.end) fail_msg("%s: %s", ways[w], hol_context_error(ctx));
            T[i][0] = value_of(&m, "A.Tx");
            T[i][1] = value_of(&m, "A.Ty");
            close_motion(&m);
        }
        assert_close(T[2][0] - T[0][0], 0.3, 1e-5);
        assert_close(T[2][1] - T[0][1], 0.36, 1e-5);
        assert_close(T[1][1] - T[0][1], 0, 1e-5); // as if the body did not turn
    }
}

// Along the tree of joints rotors are part of the recursion: the same motion, energies and reactions as by the sparse matrix, of a chain
// that tumbles, of one that ends in an inerter, and of five bars whose two cranks have rotors, which close a loop.
static const char *const rotors[] = {
    TUMBLING("", ", armature: 0.3, rotor: classic", ""),
    TUMBLING("", ", armature: 0.03, motor: {torque: 0.2, gear: -4}", ""),
    "dimension: 3\ngravity: [0, 0, -9.81]\nbodies:\n"
    "  - {name: a, mass: 1, inertia: [0.2, 0.3, 0.4], position: [0.5, 0, 0], omega: [0, 0, 2], velocity: [0, "
    "1, 0]}\n"
    "  - {name: b, mass: 2, inertia: [0.1, 0.1, 0.2], position: [0.9, 0, 0.2], omega: [0, 0, 2], velocity: "
    "[0, "
    "1.8, 0]}\n"
    "joints:\n  - {name: A, type: cylindrical, bodies: [a, ground], at: [0, 0, 0], axis: [0, 0.1, 1], "
    "armature: 0.1}\n"
    "  - {name: B, type: translational, bodies: [b, a], at: [0.7, 0, 0], axis: [1, 0.2, 0.3], armature: 3,\n"
    "     stiffness: 40, damping: 0.2}\n"
    "simulate: {signals: [all, coordinates], end: 0.8, tolerance: 1e-9, method: rk}\n",
    "dimension: 2\ngravity: [0, -9.81]\nbodies:\n"
    "  - {name: a, mass: 1, inertia: 0.1, position: [0, 0.5]}\n"
    "  - {name: b, mass: 1, inertia: 0.1, position: [0.5, 1.25]}\n"
    "  - {name: c, mass: 1, inertia: 0.1, position: [1.5, 1.25]}\n"
    "  - {name: d, mass: 1, inertia: 0.1, position: [2, 0.5]}\n"
    "joints:\n  - {name: A, type: revolute, bodies: [ground, a], at: [0, 0], armature: 0.7}\n"
    "  - {name: B, type: revolute, bodies: [a, b], at: [0, 1]}\n"
    "  - {name: C, type: revolute, bodies: [b, c], at: [1, 1.5]}\n"
    "  - {name: D, type: revolute, bodies: [c, d], at: [2, 1], armature: 0.016, preload: 2, motor: {torque: "
    "0, "
    "gear: 5}}\n"
    "  - {name: E, type: revolute, bodies: [d, ground], at: [2, 0]}\n"
    "simulate: {signals: [all, coordinates], end: 0.5, tolerance: 1e-9, method: rk}\n"};

static void rotors_turn_along_the_tree(void **state)
{
    static const char *const ways[] = {"simulate.rk.solve=tree", "simulate.rk.solve=coordinates",
                                       "simulate.method=joint_bdf", "simulate.method=srm"};
    static const char *const same[] = {"B.angle",      "B.stroke",       "A.Fx",       "A.Fy",
                                       "B.Fx",         "B.Fy",           "B.Tx",       "B.Ty",
                                       "energy.total", "energy.kinetic", "energy.work"};
    (void)state;
    for (int i = 0; i < HOL_COUNT(rotors); i++) {
        const char *const sparse[] = {"simulate.rk.solve=sparse"};
        motion m = move(rotors[i], sparse, 1);
        if (m.end) fail_msg("%d: %s", i, hol_context_error(ctx));
        for (int k = 0; k < HOL_COUNT(ways); k++) {
            const char *const how[] = {ways[k],
                                       k == 3 ? "simulate.tolerance=3e-5" : "simulate.tolerance=1e-9"};
            motion n = move(rotors[i], how, 2);
            if (n.end) fail_msg("%d, %s: %s", i, ways[k], hol_context_error(ctx));
            for (int j = 0; j < HOL_COUNT(same); j++) {
                if (hol_simulation_find_signal(m.sim, same[j]) < 0) continue;
                const double want = value_of(&m, same[j]), have = value_of(&n, same[j]);
                const bool multiplier = same[j][1] == '.' && strchr("FT", same[j][2]);
                const double allowed = (k == 3                 ? 1e-3
                                        : k == 2 || multiplier ? 2e-6
                                                               : 1e-7) *
                                       (1 + fabs(want));
                if (!(fabs(have - want) < allowed))
                    fail_msg("%d, %s: %s is %.12g, not %.12g", i, ways[k], same[j], have, want);
            }
            close_motion(&n);
        }
        close_motion(&m);
    }
}

// Where rotors turn with all joints of a loop, one of them is not in the tree: that is said, and the sparse matrix has no such end.
static void rotors_all_around_a_loop_are_refused(void **state)
{
#define HINGE(name, ends, at)                                                                                \
    "  - {name: " name ", type: revolute, bodies: " ends ", at: " at ", armature: 0.1}\n"
    static const char square[] =
        "dimension: 2\ngravity: [0, -1]\nbodies:\n  - {name: a, mass: 1, inertia: 1, position: [0, 0.5]}\n"
        "  - {name: b, mass: 1, inertia: 1, position: [0.5, 1]}\n  - {name: c, mass: 1, inertia: 1, "
        "position: [1, 0.5]}\n"
        "joints:\n" HINGE("A", "[ground, a]", "[0, 0]") HINGE("B", "[a, b]", "[0, 1]")
            HINGE("C", "[b, c]", "[1, 1]")
                HINGE("D", "[c, ground]", "[1, 0]") "simulate: {end: 0.1, method: rk}\n";
    static const char *const how[][2] = {{"simulate.method=joint_bdf", "its joint is not in the tree"},
                                         {"simulate.method=srm", "its joint is not in the tree"},
                                         {"simulate.rk.solve=tree", "its joint is not in the tree"},
                                         {"simulate.rk.solve=coordinates", "its joint is not in the tree"},
                                         {"simulate.rk.solve=joints", "only a tree of joints carries"}};
    (void)state;
    for (int k = 0; k < HOL_COUNT(how); k++) {
        hol_model *m = load_model(square, how[k], 1);
        hol_simulation *sim = hol_simulation_create(ctx, m);
        assert_null(sim);
        expect_message(how[k][1]);
        expect_message(".armature");
        hol_model_destroy(m);
    }
    motion m = move(square, NULL, 0); // auto
    assert_int_equal(m.end, HOL_OK);
    close_motion(&m);
}

// 0.5 kg m^2 that follow a sine by kp = 60 and kd = 4 and a ramp that begins at 0.5 s. With feed_forward the error e obeys
// 0.5 e'' + 4 e' + 60 e = 0.5 ref'': it begins in its periodic solution, or is 0 until the ramp begins.
#define FOLLOWER(start, follow)                                                                              \
    "dimension: 2\nbodies: [{name: arm, mass: 1, inertia: 0.5, " start "}]\n"                                \
    "joints: [{name: hinge, type: revolute, between: [ground, arm], motor: {" follow "}}]\n"                 \
    "simulate: {signals: [all, coordinates], end: 1.3}\n"

static void a_motor_follows_the_rate_of_its_place(void **state)
{
    (void)state;
    // e = P sin 3t + Q cos 3t of ref = 0.2 sin 3t: (60 - 4.5) P - 12 Q = -0.9, 12 P + (60 - 4.5) Q = 0
    const double a = 55.5, b = 12, D = a * a + b * b, P = -0.9 * a / D, Q = 0.9 * b / D, t = 1.3;
    const double want = 0.2 * sin(3 * t) - P * sin(3 * t) - Q * cos(3 * t);
    char model[700];
    snprintf(
        model, sizeof model,
        FOLLOWER("angle: %.17g, omega: %.17g", "angle: 0.2*sin(3*time), kp: 60, kd: 4, feed_forward: rate"),
        -Q, 0.6 - 3 * P);
    all_reach(1, model, 1e-5, 20, WANTED({"hinge.angle", want}));
    // e'' + 8 e' + 120 e = 0 from e = 0, e' = 1
    const double w = sqrt(120 - 16), s = 0.8;
    const char *ramp =
        FOLLOWER("angle: 0", "angle: \"max(time - 0.5, 0)\", kp: 60, kd: 4, feed_forward: rate");
    all_reach(2, ramp, 1e-5, 20, WANTED({"hinge.angle", s - exp(-4 * s) * sin(w * s) / w}));
    // what does not move has no rate, and `no` is as before: a brake
    const char *const still[] = {FOLLOWER("angle: 0", "angle: 1, kp: 60, kd: 4, feed_forward: rate"),
                                 FOLLOWER("angle: 0", "angle: 1, kp: 60, kd: 4, feed_forward: no")};
    for (int i = 0; i < 2; i++)
        assert_close(at_end(still[i], "hinge.angle", "rk", 1e-9),
                     1 - exp(-4 * t) * (cos(w * t) + 4 / w * sin(w * t)), 1e-8);
}

// The rate of a table is that of its polynomials: the same as by `speed`.
static void a_motor_follows_the_rate_of_a_table(void **state)
{
#define TABLE(rate)                                                                                          \
    "dimension: 3\nsplines: [{name: way, x: [0, 0.3, 0.7, 1, 1.5], y: [0, 1, 0.4, 2, 3]}]\n"                 \
    "bodies: [{name: arm, mass: 1, inertia: [1, 1, 0.5]}]\n"                                                 \
    "joints: [{name: hinge, type: revolute, between: [ground, arm],\n"                                       \
    "  motor: {angle: \"2*spline(time, way)\", kp: 60, kd: 4, ki: 3, max: 30, gear: 2, " rate "}}]\n"        \
    "simulate: {signals: [all, coordinates], end: 1.3, method: rk, tolerance: 1e-10}\n"
    (void)state;
    motion m = move(TABLE("feed_forward: rate"), NULL, 0),
           n = move(TABLE("speed: \"2*spline(time, way, 1)\""), NULL, 0);
    assert_close(value_of(&m, "hinge.angle"), value_of(&n, "hinge.angle"), 1e-9);
    assert_close(value_of(&m, "hinge.motor.command"), value_of(&n, "hinge.motor.command"), 1e-7);
    close_motion(&m);
    close_motion(&n);
}

// A place that jumps has a rate without end.
static void no_rate_of_a_jump_is_followed(void **state)
{
    (void)state;
    hol_model *m = load_model(
        FOLLOWER("angle: 0", "angle: \"if(time - 0.5: 0, 1, 1)\", kp: 60, kd: 4, feed_forward: rate"), NULL,
        0);
    hol_simulation *sim = m ? hol_simulation_create(ctx, m) : NULL;
    assert_null(sim);
    expect_message("jumps by 1 rad at 0.5 s");
    hol_model_destroy(m);
}

// Turns count whether somebody asks for the angle or not: a motor of kp and kd on 2 kg m^2 comes to 9 rad as its closed form says.
static void motors_count_turns(void **state)
{
    (void)state;
    const double w = sqrt(20 - 1), t = 3, c = exp(-t) * -9, angle = 9 + c * (cos(w * t) + sin(w * t) / w);
    motion m = move(
        "dimension: 3\nbodies: [{name: arm, mass: 1, inertia: [1, 1, 2]}]\n"
        "joints: [{name: hinge, type: revolute, between: [ground, arm], motor: {angle: 9, kp: 40, kd: 4}}]\n"
        "simulate: {signals: [arm], method: rk, tolerance: 1e-8, end: 3}\n",
        NULL, 0);
    assert_close(value_of(&m, "arm.wz"), exp(-t) * 9 * (w + 1 / w) * sin(w * t), 1e-6);
    assert_close(fabs(value_of(&m, "arm.qz")), fabs(sin(angle / 2)), 1e-7);
    assert_true(hol_simulation_statistics(m.sim)->jumps_met == 0);
    close_motion(&m);
}

// An arm of six hinges with armatures and motors to +-4 rad: recursive Newton-Euler equations by DOP853 and equations by Jacobians by
// LSODA agree to 1.2e-12 on its angles after 4 s.
static void an_arm_arrives(void **state)
{
    static const double q[] = {4.000001005905,  0.9486901340271, -1.1324824524,
                               -4.026910478401, 1.508402250936,  3.996234222191};
    (void)state;
    for (int i = 0; hol_methods[i]; i++) {
        char set[60], name[] = "A1.angle";
        if (!hol_methods[i]->divisor || hol_methods[i]->order == 1 || !in_sample(i + 2, 1, 3)) continue;
        snprintf(set, sizeof set, "simulate.method=%s", hol_methods[i]->name);
        const char *const how[] = {set, "simulate.tolerance=1e-4"};
        motion m = move("six_axis_arm", how, 2);
        if (m.end) fail_msg("%s: %s", hol_methods[i]->name, hol_context_error(ctx));
        for (int k = 0; k < 6; k++) {
            name[1] = (char)('1' + k);
            const double have = value_of(&m, name);
            if (!(fabs(have - q[k]) < 1e-3)) fail_msg("%s, %s: %.9g", hol_methods[i]->name, name, have);
        }
        close_motion(&m);
    }
}

// A speed motor with kp against a load: v = (1 - exp(-k t/m)) (v0 - F/k).
static void a_motor_holds_a_speed(void **state)
{
    (void)state;
    all_reach(0,
              "dimension: 2\nbodies: [{name: block, mass: 2, inertia: 0.1}]\n"
              "joints: [{name: slide, type: translational, between: [ground, block], preload: -3,\n"
              "  motor: {speed: 0.5, kp: 20}}]\nsimulate: {signals: [all, coordinates], end: 0.2}\n",
              1e-4, 10, WANTED({"slide.speed", (1 - exp(-2)) * (0.5 - 3.0 / 20)}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_motor_does_not_wind_up, start, stop),
        cmocka_unit_test_setup_teardown(an_armature_is_a_coupled_mass, start, stop),
        cmocka_unit_test_setup_teardown(rotors_turn_along_the_tree, start, stop),
        cmocka_unit_test_setup_teardown(rotors_all_around_a_loop_are_refused, start, stop),
        cmocka_unit_test_setup_teardown(a_rotor_turns_with_what_carries_it, start, stop),
        cmocka_unit_test_setup_teardown(a_rotor_on_a_turning_body_pushes_it, start, stop),
        cmocka_unit_test_setup_teardown(a_motor_follows_the_rate_of_its_place, start, stop),
        cmocka_unit_test_setup_teardown(a_motor_follows_the_rate_of_a_table, start, stop),
        cmocka_unit_test_setup_teardown(no_rate_of_a_jump_is_followed, start, stop),
        cmocka_unit_test_setup_teardown(motors_count_turns, start, stop),
        cmocka_unit_test_setup_teardown(an_arm_arrives, start, stop),
        cmocka_unit_test_setup_teardown(a_motor_holds_a_speed, start, stop),
        cmocka_unit_test_setup_teardown(a_motor_says_where_it_is_at_its_end, start, stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
