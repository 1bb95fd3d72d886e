// Laws of joints: limits, friction, springs and torques in joints, by every method that chooses its steps; and impacts.
// References: closed forms, quadratures and two integrators each, as said beside the values.
#include "laws.h"
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// A block of 2 kg that meets a stop with 1.5 m/s at 0.2 s, K = 4e5 N/m^1.5, e = 0.6. By quadrature of the first integral: it goes in
// for 0.01003142970917403 s to 0.0094631437407551 m, is out after 0.01420727242814388 s more, and rebounds with 0.9 m/s.
#define BLOCK(law)                                                                                           \
    "dimension: 2\nbodies: [{name: block, mass: 2, inertia: 0.1, velocity: [1.5, 0]}]\n"                     \
    "joints:\n  - {name: slide, type: translational, between: [ground, block],\n     " law "}\n"
#define SOFT "limits: {range: [-0.3, 0.3], stiffness: 4e5, restitution: 0.6}"

static void a_smooth_stop_gives_back_its_restitution(void **state)
{
    (void)state;
    const double out = 0.2 + 0.01003142970917403 + 0.01420727242814388;
    all_reach(0, BLOCK(SOFT) "simulate: {signals: [all, coordinates], end: 0.3}\n", 1e-4, 10,
              WANTED({"block.x", 0.3 - 0.9 * (0.3 - out)}, {"slide.speed", -0.9}));
    assert_close(at_end(BLOCK(SOFT) "simulate: {signals: [all, coordinates], end: 0.21003142970917403}\n",
                        "slide.stroke", "rk", 1e-9),
                 0.3094631437407551, 1e-8);
}

// The same at the lower end, and at every speed: restitution depends on neither.
static void so_it_does_at_every_speed(void **state)
{
    static const double e[] = {0.1, 0.5, 0.9, 0.99}, speed[] = {-0.2, 3, -20};
    (void)state;
    for (int i = 0; i < HOL_COUNT(e); i++)
        for (int k = 0; k < HOL_COUNT(speed); k++) {
            char model[600];
            snprintf(model, sizeof model,
                     "dimension: 2\nbodies: [{name: block, mass: 2, inertia: 0.1, velocity: [%g, 0]}]\n"
                     "joints: [{name: slide, type: translational, between: [ground, block],\n"
                     "  limits: {range: [-2, 2], stiffness: 4e5, restitution: %g}}]\n"
                     "simulate: {signals: [all, coordinates], end: %.17g}\n",
                     speed[k], e[i], 2.1 / fabs(speed[k]) + 0.15);
            const double v = at_end(model, "slide.speed", "rk", 1e-8);
            if (!(fabs(v / speed[k] + e[i]) < 1e-6))
                fail_msg("e = %g at %g: %.9g", e[i], speed[k], v / speed[k]);
        }
}

// What lies on its stop and is hit: a body of the same mass, which gives all of its speed, comes back with e times it, and the stop that holds
// what lies has set its damping by nearly nothing before. A stop was ten times too stiff then, and gave back nothing.
static void what_lies_at_a_smooth_stop_and_is_hit_gives_back(void **state)
{
    static const char *const kinds[][4] = {
        {"translational", "gravity: [1e-4, 0]\n", "velocity: [1, 0]", "b.vx"},
        {"revolute", "", "omega: 1", "b.omega"}};
    (void)state;
    for (int k = 0; k < HOL_COUNT(kinds); k++) {
        char model[900];
        const double from = k ? 0 : -0.3;
        snprintf(
            model, sizeof model,
            "dimension: 2\n%sbodies: [{name: a, mass: 2, inertia: 2}, {name: b, mass: 2, inertia: 2, "
            "position: [%g, "
            "0], %s}]\njoints:\n"
            "  - {name: A, type: %s, between: [ground, a], limits: {range: [-5, 0], stiffness: 1e6, "
            "restitution: "
            "0.6}, preload: 2e-4}\n"
            "  - {name: B, type: %s, between: [a, b], limits: {range: [-9, %g], hard: yes, restitution: 1}}\n"
            "simulate: {signals: [all, coordinates], end: 0.6}\n",
            kinds[k][1], from, kinds[k][2], kinds[k][0], kinds[k][0], k ? 0.3 : 0.0);
        all_reach(5 + k, model, 1e-4, 20, WANTED({kinds[k][3], -0.6}));
    }
}

// No row of a stop pulls, though a motor tears the block away.
static void no_stop_pulls(void **state)
{
    (void)state;
    motion m = open_motion(
        BLOCK(SOFT ", motor: {force: \"IF(time - 0.21: 0, 0, -4000)\"}") "simulate: {signals: [all, "
                                                                         "coordinates], end: 0.22, output: "
                                                                         "1e-4, tolerance: 1e-6}\n",
        NULL, 0);
    double most = 0;
    for (bool done = false; !done;) {
        assert_int_equal(hol_simulation_step(m.sim, &done), 0);
        const double F = value_of(&m, "slide.limits.force");
        assert_true(F <= 0);
        most = fmax(most, -F);
    }
    assert_true(most > 100);
    close_motion(&m);
}

// Rigid stops: instants 0.2, 0.866.., 1.977.. and the place at 3 s from the constant e.
static void a_hard_stop_turns_the_speed_around(void **state)
{
    (void)state;
    const char *model =
        BLOCK("limits: {range: [-0.3, 0.3], hard: yes, restitution: 0.6}") "simulate: {signals: [all, "
                                                                           "coordinates], end: 3}\n";
    all_reach(1, model, 1e-4, 10, WANTED({"slide.stroke", -0.0312}, {"slide.speed", -0.324}));
}

// With a loop: the stop of one joint of a parallelogram stops the bar on top too. Angular momentum about the first pivot is not
// kept, since the second one takes part; the rate turns around by e in every case, and the energy by e^2.
#define LOOP                                                                                                 \
    "dimension: 2\ngravity: [0, 0]\nbodies:\n"                                                               \
    "  - {name: a, mass: 1, inertia: 0.1, position: [0, 0.5], velocity: [-0.6, 0], omega: 1.2,\n"            \
    "     markers: {o: [0, -0.5], e: [0, 0.5]}}\n"                                                           \
    "  - {name: b, mass: 2, inertia: 0.2, position: [0.5, 1], velocity: [-1.2, 0], markers: {o: [-0.5, 0], " \
    "e: [0.5, 0]}}\n"                                                                                        \
    "  - {name: c, mass: 1, inertia: 0.1, position: [1, 0.5], velocity: [-0.6, 0], omega: 1.2, markers: "    \
    "{o: [0, -0.5], e: [0, 0.5]}}\n"                                                                         \
    "joints:\n  - {name: A, type: revolute, between: [ground, a.o], limits: {range: [-1, 0.3], hard: yes, "  \
    "restitution: 0.5}}\n"                                                                                   \
    "  - {name: B, type: revolute, between: [a.e, b.o]}\n"                                                   \
    "  - {name: C, type: revolute, between: [b.e, c.e]}\n"                                                   \
    "  - {name: D, type: revolute, between: [c.o, ground: [1, 0]]}\n"                                        \
    "simulate: {signals: [all, coordinates], end: 0.35}\n"

static void hard_stops_stop_loops(void **state)
{
    (void)state;
    all_reach(2, LOOP, 1e-4, 10, WANTED({"A.rate", -0.6}, {"A.angle", 0.3 - 0.6 * (0.35 - 0.25)}));
    motion m = move(LOOP, NULL, 0);
    // links alike on both sides: T = (2 (0.1 + 0.25) + 2)/2 w^2
    assert_close(value_of(&m, "energy.kinetic"), 1.35 * 0.36, 1e-6);
    assert_close(value_of(&m, "energy.work"), 1.35 * (0.36 - 1.44), 1e-6);
    close_motion(&m);
}

// In space, where turns are counted: what is expected behind an impact goes the new way. Steps of free flight could be longer than it.
// Range -1 .. 1 rad at 2 rad/s with e = 0.9: the speed after n impacts is 2 e^n.
static void hard_stops_hold_in_space(void **state)
{
    double t = 0.5, v = 2, place = 1;
    (void)state;
    while (t + 2 / (0.9 * v) < 6) v *= 0.9, t += 2 / v, place = -place;
    v *= 0.9;
    all_reach(3,
              "dimension: 3\nbodies: [{name: arm, mass: 1, inertia: [1, 1, 2], omega: [0, 0, 2]}]\n"
              "joints: [{name: hinge, type: revolute, between: [ground, arm],\n"
              "  limits: {range: [-1, 1], hard: yes, restitution: 0.9}}]\n"
              "simulate: {signals: [all, coordinates], end: 6, max_step: 6}\n",
              1e-4, 10, WANTED({"hinge.angle", place - place * v * (6 - t)}));
}

// Two arms that a gear ties together meet their stops at the same time: one impact turns both around, and the other finds nothing to do.
static void stops_that_are_met_together_act_once(void **state)
{
    (void)state;
    all_reach(4,
              "dimension: 2\nbodies:\n  - {name: a, mass: 1, inertia: 2, omega: 1}\n"
              "  - {name: b, mass: 1, inertia: 3, omega: -1}\n"
              "joints:\n  - {name: A, type: revolute, between: [ground, a], limits: {range: [-9, 0.5], hard: "
              "yes, restitution: 0.5}}\n"
              "  - {name: B, type: revolute, between: [ground, b], limits: {range: [-0.5, 9], hard: yes, "
              "restitution: 0.5}}\n"
              "  - {name: G, type: coupler, joints: [A, B], ratios: [1, 1]}\n"
              "simulate: {signals: [all, coordinates], end: 1}\n",
              1e-4, 10, WANTED({"A.rate", -0.5}));
}

// What a pose that closes only further on, or a program, puts beyond a rigid stop would never be brought back: it is refused.
static void nothing_begins_beyond_a_hard_stop(void **state)
{
    (void)state;
    hol_model *model = load_model("dimension: 2\nbodies: [{name: arm, mass: 1, inertia: 1, omega: 1}]\n"
                                  "joints: [{name: hinge, type: revolute, between: [ground, arm], limits: "
                                  "{range: [-1, 1], hard: yes}}]\n"
                                  "simulate: {end: 1}\n",
                                  NULL, 0);
    hol_simulation *sim = hol_simulation_create(ctx, model);
    double q[] = {0, 0, 1.5}, v[] = {0, 0, 1};
    const hol_state_view x = {0, 3, 0, q, v, NULL};
    assert_non_null(sim);
    assert_true(hol_simulation_set_state(sim, &x, false) < 0);
    expect_message("0.5 beyond its hard stop");
    hol_simulation_destroy(sim);
    hol_model_destroy(model);
}

// A spring of 8 N m/rad and a damper of 0.4 N m s/rad on 2 kg m^2: the closed form of a damped vibration.
static void springs_and_dampers_belong_to_joints(void **state)
{
    const double d = 0.1, w = sqrt(4 - d * d), t = 1.5, A = 0.3 - 0.05, c = exp(-d * t) * A;
    (void)state;
    all_reach(5,
              "dimension: 2\nbodies: [{name: arm, mass: 1, inertia: 2, angle: 0.3}]\n"
              "joints: [{name: hinge, type: revolute, between: [ground, arm],\n"
              "  stiffness: 8, damping: 0.4, angle: 0.05 rad}]\nsimulate: {signals: [all, coordinates], end: "
              "1.5}\n",
              1e-4, 10, WANTED({"hinge.angle", 0.05 + c * (cos(w * t) + d / w * sin(w * t))}));
}

// Dry friction of 3 N brings 2 kg from 1.5 m/s to rest after 0.75 m; 2.5 N do not move it again, and it does not creep.
static void friction_holds(void **state)
{
    (void)state;
    const char *model = BLOCK(
        "friction: {force: 3}, motor: {force: \"IF(time - 2: 0, 0, 2.5)\"}") "simulate: {signals: [all, "
                                                                             "coordinates], end: 40}\n";
    motion m = move(model, NULL, 0);
    const double rest = value_of(&m, "slide.stroke");
    assert_close(rest, 0.75, 2e-4); // the bristle gives way over some 1e-5 m
    assert_close(value_of(&m, "slide.friction.force"), -2.5, 1e-9);
    assert_true(fabs(value_of(&m, "slide.speed")) < 1e-12);
    close_motion(&m);
}

// A clutch: 5 N m take 0.4 kg m^2 from 30 rad/s and give it to 0.6 kg m^2; they turn alike after 1.44 s, with 12 rad/s.
static void a_clutch_brings_two_shafts_together(void **state)
{
    (void)state;
    const char *model = "dimension: 2\nbodies:\n  - {name: a, mass: 1, inertia: 0.4, omega: 30}\n  - {name: "
                        "b, mass: 1, inertia: 0.6}\n"
                        "joints:\n  - {name: A, type: revolute, between: [ground, a]}\n"
                        "  - {name: C, type: revolute, between: [a, b], friction: {torque: 5, engaged: "
                        "\"IF(time - 0.5: 0, 0, 1)\"}}\n"
                        "simulate: {signals: [all, coordinates], end: 3}\n";
    motion m = move(model, NULL, 0);
    assert_close(value_of(&m, "a.omega"), 12, 1e-6);
    assert_close(value_of(&m, "b.omega"), 12, 1e-6);
    close_motion(&m);
    const char *until[] = {"simulate.end=1.5"}; // after 1 s of 5 N m
    m = move(model, until, 1);
    assert_close(value_of(&m, "b.omega"), 5 / 0.6, 1e-3);
    close_motion(&m);
}

// A torque in a joint, in space too, acts on both bodies: it is what two torques on the bodies are.
static void torques_act_in_joints(void **state)
{
    (void)state;
    const char *bodies =
        "dimension: 3\ngravity: [0, 0, -9.81]\nbodies:\n"
        "  - {name: a, mass: 1, inertia: [0.2, 0.3, 0.4], position: [0.5, 0, 0], markers: "
        "{o: {position: [-0.5, 0, 0], axis: [0, 1, 0]}, "
        "e: {position: [0.5, 0, 0], axis: [0, 1, 1]}}}\n"
        "  - {name: b, mass: 0.5, inertia: [0.1, 0.2, 0.15], position: [1.3, 0, 0], markers: "
        "{o: {position: [-0.3, 0, 0], axis: [0, 1, 1]}}}\n"
        "joints:\n  - {name: A, type: revolute, between: [{ground: {position: [0, 0, 0], "
        "axis: [0, 1, 0]}}, a.o]}\n"
        "  - {name: B, type: revolute, between: [a.e, b.o]}\n";
    char one[1500], two[1500];
    snprintf(one, sizeof one,
             "%sforces: [{name: f, type: torque, joint: B, value: 2*cos(3*time)}]\nsimulate: {signals: [all, "
             "coordinates], end: 0.6, "
             "tolerance: 1e-9, method: rk}\n",
             bodies);
    snprintf(two, sizeof two,
             "%sforces:\n  - {name: f, type: torque, on: b.o, frame: body, value: [0, 0, 2*cos(3*time)]}\n"
             "  - {name: g, type: torque, on: a.e, frame: body, value: [0, 0, -2*cos(3*time)]}\nsimulate: "
             "{signals: [all, coordinates], end: 0.6, tolerance: 1e-9, method: rk}\n",
             bodies);
    motion m = move(one, NULL, 0), n = move(two, NULL, 0);
    assert_close(value_of(&m, "B.angle"), value_of(&n, "B.angle"), 1e-7);
    assert_close(value_of(&m, "A.angle"), value_of(&n, "A.angle"), 1e-7);
    close_motion(&m);
    close_motion(&n);
}

// A platform whose six legs are driven: it is where the path says, at every time, and its legs carry it along.
static void a_platform_follows_its_path(void **state)
{
    (void)state;
    motion m = open_motion("stewart", NULL, 0);
    for (bool done = false; !done;) {
        assert_int_equal(hol_simulation_step(m.sim, &done), 0);
        const double t = hol_simulation_time(m.sim), half = 0.125 * sin(1.7 * t);
        assert_close(value_of(&m, "platform.x"), 0.15 * sin(1.3 * t), 1e-12);
        assert_close(value_of(&m, "platform.z"), 1.2 + 0.2 * sin(2 * t), 1e-12);
        assert_close(value_of(&m, "platform.qz"), sin(half), 1e-12);
        double up =
            0; // on the platform, along z of the ground: the axes of its markers are the platform's, upright
        for (int i = 1; i <= 6; i++) {
            char name[10];
            snprintf(name, sizeof name, "leg%d.Fz", i);
            up += value_of(&m, name);
        }
        assert_close(up, 80 * (9.81 - 0.8 * sin(2 * t)), 1e-7);
    }
    close_motion(&m);
}

// What two free bodies do to each other makes neither momentum nor angular momentum, whatever marker its components belong to.
static void vector_forces_are_equal_and_opposite(void **state)
{
    static const char axis[] = "xyz";
    (void)state;
    motion m = move("dimension: 3\nbodies:\n"
                    "  - {name: a, mass: 2, inertia: [0.3, 0.3, 0.3], position: [1, 2, 3], markers: {e: "
                    "[0.2, 0.1, -0.3]}}\n"
                    "  - {name: b, mass: 3, inertia: [0.5, 0.5, 0.5], position: [-1, 0.5, 0], markers: {o: "
                    "[0.3, -0.2, 0.1]}}\n"
                    "  - {name: c, mass: 1, inertia: [1, 1, 1], omega: [0.5, 1, -2]}\n"
                    "forces: [{name: f, type: vector-force, between: [a.e, b.o], axes: c,\n"
                    "  force: [3, 2*cos(time), -1], torque: [0.2, -0.4, time]}]\n"
                    "simulate: {end: 1.5, method: rk, tolerance: 1e-10}\n",
                    NULL, 0);
    double p[3] = {0}, L[3] = {0}, moved = 0;
    for (int k = 0; k < 2; k++) {
        const double mass = k ? 3 : 2, I = k ? 0.5 : 0.3;
        double r[3], v[3], w[3];
        for (int i = 0; i < 3; i++) {
            char name[3][8];
            snprintf(name[0], 8, "%c.%c", "ab"[k], axis[i]);
            snprintf(name[1], 8, "%c.v%c", "ab"[k], axis[i]);
            snprintf(name[2], 8, "%c.w%c", "ab"[k], axis[i]);
            r[i] = value_of(&m, name[0]), v[i] = value_of(&m, name[1]), w[i] = value_of(&m, name[2]);
            p[i] += mass * v[i];
            moved = fmax(moved, fabs(w[i]));
        }
        for (int i = 0; i < 3; i++)
            L[i] += I * w[i] + mass * (r[(i + 1) % 3] * v[(i + 2) % 3] - r[(i + 2) % 3] * v[(i + 1) % 3]);
    }
    for (int i = 0; i < 3; i++) assert_close(p[i], 0, 1e-9), assert_close(L[i], 0, 1e-8);
    assert_true(moved > 0.5);
    close_motion(&m);
}

// A spring pulls a body out of its smooth stop faster than that would push it: the force ends at a corner within the stop, 0.02 m deep. By an own integration that
// stops there (DOP853, 1e-12); rk was 10 tolerances of 1e-5 off in the speed.
static void stops_that_are_left_fast_have_a_corner(void **state)
{
    static const char model[] =
        "dimension: 2\ngravity: [0, 0]\nbodies: [{name: b, mass: 1, inertia: 1, velocity: "
        "[15.821697266114901, 0]}]\n"
        "joints: [{name: J, type: translational, between: [ground, b], stiffness: 158.4594014165444, "
        "limits: {range: [-1000, 0.1], "
        "stiffness: 190.38814922539962, restitution: 0.36212035201511017}}]\n"
        "simulate: {end: 0.4766419305068624, signals: [coordinates]}\n";
    (void)state;
    assert_close(at_end(model, "J.speed", "rk", 1e-5), 8.495413521825, 2e-5);
    assert_close(at_end(model, "J.stroke", "rk", 1e-5), 0.357695812885, 2e-6);
    assert_close(at_end(model, "J.speed", "adams", 1e-5), 8.495413521825, 7e-5);
}

// Joints whose names expressions cannot have, in loops, with laws that events switch.
static void laws_have_any_name(void **state)
{
    (void)state;
    motion m = move(
        "dimension: 2\nbodies: [{name: \"arm {i}\", for: i in 1..3, mass: 1, inertia: 1}]\n"
        "joints:\n  - {name: \"hinge {i}\", for: i in 1..3, type: revolute, between: [ground, \"arm {i}\"],\n"
        "     motor: {torque: i}}\n"
        "events: [{name: cut, at: 1, off: hinge 2.motor}]\nsimulate: {signals: [all, coordinates], end: 2}\n",
        NULL, 0);
    assert_close(value_of(&m, "hinge 3.angle"), 6, 1e-5);
    assert_close(value_of(&m, "hinge 2.rate"), 2, 1e-5);
    assert_close(value_of(&m, "hinge 2.motor.torque"), 0, 0); // what is off gives nothing
    assert_close(value_of(&m, "hinge 2.motor.power"), 0, 0);
    assert_close(value_of(&m, "hinge 3.motor.torque"), 3, 0);
    assert_close(value_of(&m, "hinge 3.motor.power"), 18, 1e-4);
    close_motion(&m);
}

// ---- joints with several coordinates ----------------------------------------------------------------------------

// A pendulum that meets the stops of +-20 deg, on a revolute joint (the first frames) or a universal one, whose second arm rests.
#define SWINGING(joint)                                                                                      \
    "dimension: 3\ngravity: [0, 0, -9.81]\nbodies:\n"                                                        \
    "  - {name: b, mass: 2, inertia: [0.1, 0.2, 0.15], position: [0, 0, -0.5], omega: [0, 3, 0], velocity: " \
    "[-1.5, 0, 0], markers: {\n     m: {position: [0, 0, 0.5], orientation: {axis: [1, 0, 0], angle: 90 "    \
    "deg}},\n     n: {position: [0, 0, 0.5], orientation: {axis: [1, 0, 0], angle: 180 deg}}}}\n"            \
    "ground: {markers: {g: {position: [0, 0, 0], orientation: {axis: [1, 0, 0], angle: 90 deg}}}}\n"         \
    "joints:\n  - {name: u, " joint "}\n"                                                                    \
    "simulate: {end: 0.9, signals: [all, coordinates]}\n"
#define STOPPED ", stiffness: 1e4, restitution: 0.5}"

static void a_universal_joint_stops_as_a_revolute_one(void **state)
{
    const char *const
        turn =
            SWINGING("type: revolute, between: [ground.g, b.m], limits: {range: [-20 deg, 20 deg]" STOPPED),
        *const cross = SWINGING("type: universal, between: [ground.g, b.n], limits: {angle1: [-20 deg, "
                                "20 deg], angle2: [-5 deg, 5 deg]" STOPPED);
    const double want = at_end(turn, "u.angle", "rk", 1e-11);
    (void)state;
    assert_close(at_end(cross, "u.angle1", "rk", 1e-11), want, 1e-9);
    assert_close(at_end(cross, "u.limits.angle1.torque", "rk", 1e-11),
                 at_end(turn, "u.limits.torque", "rk", 1e-11), 1e-6);
    assert_close(at_end(cross, "u.angle2", "rk", 1e-11), 0, 1e-9);
    all_reach(1, cross, 1e-5, 100, WANTED({"u.angle1", want}));
}

// A ball that turns freely on its centre by 3 rad/s, from swing 0, where this coordinate has a kink: the stop gives back e of the speed
// whatever its direction, and no other speed comes.
static void a_cone_gives_back_its_restitution(void **state)
{
    static const char *const omega[] = {"3, 0, 0", "1.8, 2.4, 0", "0, 0, 3"};
    (void)state;
    for (int i = 0; i < HOL_COUNT(omega); i++) {
        char model[600];
        snprintf(model, sizeof model,
                 "dimension: 3\nbodies: [{name: b, mass: 2, inertia: [0.1, 0.1, 0.1], omega: [%s]}]\n"
                 "joints:\n  - {name: s, type: spherical, between: [ground, b], limits: {swing: 20 deg, "
                 "twist: [-20 deg, 20 deg], stiffness: 1e4, restitution: 0.5}}\n"
                 "simulate: {end: 0.2, signals: [all, coordinates]}\n",
                 omega[i]);
        double before[3], after[3];
        sscanf(omega[i], "%lf, %lf, %lf", &before[0], &before[1], &before[2]);
        for (int k = 0; k < 3; k++) {
            const char *const names[] = {"b.wx", "b.wy", "b.wz"};
            after[k] = at_end(model, names[k], "rk", 1e-9);
            assert_close(after[k], -0.5 * before[k], 1e-6);
        }
    }
    all_reach(2,
              "dimension: 3\nbodies: [{name: b, mass: 2, inertia: [0.1, 0.1, 0.1], omega: [1.8, 2.4, 0]}]\n"
              "joints: [{name: s, type: spherical, between: [ground, b], limits: {swing: 20 deg" STOPPED
              "}]\n"
              "simulate: {end: 0.2, signals: [all, coordinates]}\n",
              1e-5, 100, WANTED({"b.wx", -0.9}));
}

// A pendulum in a cone that loses nothing: energy and the angular momentum about the vertical are those of the start.
static void a_cone_keeps_energy_and_momentum(void **state)
{
    (void)state;
    motion m = open_motion(
        "dimension: 3\ngravity: [0, 0, -9.81]\nbodies:\n"
        "  - {name: b, mass: 2, inertia: [0.1, 0.1, 0.05], position: [0, 0, -0.5], omega: [0, 3, 1], "
        "velocity: "
        "[-1.5, 0, 0], markers: {t: [0, 0, 0.5]}}\n"
        "joints:\n  - {name: s, type: spherical, between: [ground: [0, 0, 0], b.t], limits: {swing: 25 deg, "
        "stiffness: 1e4}}\n"
        "simulate: {signals: [all, coordinates], end: 3, tolerance: 1e-9, method: rk}\n",
        NULL, 0);
    const double E = value_of(&m, "energy.total");
    double most = 0;
    for (bool done = false; !done;) {
        assert_int_equal(hol_simulation_step(m.sim, &done), 0);
        const double x = value_of(&m, "b.x"), y = value_of(&m, "b.y"), vx = value_of(&m, "b.vx"),
                     vy = value_of(&m, "b.vy");
        // J omega + m r x v about z, the pendulum's own inertia being symmetric about its axis a = -2 r
        const double r[3] = {x, y, value_of(&m, "b.z")};
        const double w[3] = {value_of(&m, "b.wx"), value_of(&m, "b.wy"), value_of(&m, "b.wz")};
        const double along = (r[0] * w[0] + r[1] * w[1] + r[2] * w[2]) / 0.25;
        assert_close(0.1 * w[2] + (0.05 - 0.1) * along * r[2] + 2 * (x * vy - y * vx), 0.05, 1e-6);
        assert_close(value_of(&m, "energy.total") - E, value_of(&m, "energy.work"), 1e-6);
        most = fmax(most, value_of(&m, "s.swing"));
    }
    assert_true(most > 25 * HOL_PI / 180 && most < 28 * HOL_PI / 180); // 2.6 deg deep by its energy
    close_motion(&m);
}

// The stroke of a cylindrical joint, as that of a translational one (above), while the angle has a stop of its own; a torque and a force
// in coordinates that are named are the accelerations that they make.
static void strokes_and_arms_are_driven_by_name(void **state)
{
#define SLIDING(law)                                                                                         \
    "dimension: 3\nbodies: [{name: b, mass: 2, inertia: [0.1, 0.2, 0.3], velocity: [0, 0, 1.5], omega: [0, " \
    "0, 1]}]\njoints: [{name: c, type: cylindrical, between: [ground, b]" law "}]\n"
    static const char stopped[] =
        SLIDING(", limits: {range: [-0.1, 0.1], stiffness: 1e5, restitution: 0.5}, stroke_limits: {range: "
                "[-0.3, 0.3], "
                "stiffness: 4e5, restitution: 0.6}") "simulate: {end: 0.3, signals: [all, coordinates]}\n";
    static const char pushed[] =
        SLIDING("") "forces: [{name: F, type: force, joint: c, coordinate: stroke, "
                    "value: 4}, {name: T, type: torque, joint: c, coordinate: angle, "
                    "value: 0.6}]\nsimulate: {end: 1, signals: [all, coordinates]}\n";
    static const char turned[] =
        SWINGING("type: universal, between: [ground.g, b.n]") "forces: [{name: T, type: torque, joint: u, "
                                                              "coordinate: angle1, value: -20*u.angle1}]\n",
                      sprung[] = SWINGING("type: revolute, between: [ground.g, b.m], stiffness: 20");
    (void)state;
    assert_close(at_end(stopped, "c.speed", "rk", 1e-8), -0.9, 1e-6);
    assert_close(at_end(stopped, "c.rate", "rk", 1e-8), -0.5, 1e-6);
    assert_close(at_end(pushed, "c.speed", "rk", 1e-8), 3.5, 1e-9);
    assert_close(at_end(pushed, "c.rate", "rk", 1e-8), 3, 1e-9);
    assert_close(at_end(pushed, "F.power", "rk", 1e-8), 14, 1e-8);
    assert_close(at_end(turned, "u.angle1", "rk", 1e-11), at_end(sprung, "u.angle", "rk", 1e-11), 1e-9);
}

// Friction by the load of its own hinge, mu r = 0.01 m, on a swinging rod: whatever holds it, bristles of 10 to 1e5 N m/rad or a transition
// of 1 mrad/s, it is the same to 2e-4 m after 3 s. The reaction, the limit, the bristle and its pull are one chain of kinks.
static void friction_by_the_load_is_followed(void **state)
{
#define LOADED(friction)                                                                                     \
    "{dimension: 2, gravity: [0, -9.81], bodies: [{name: a, mass: 2, inertia: 0.1, position: [0.5, 0]}],"    \
    " joints: [{name: j, type: revolute, between: [ground, a: [-0.5, 0]], friction: {coefficient: 0.2,"      \
    " radius: 0.05, " friction "}}], simulate: {end: 3, signals: [a]}}"
    static const char *const held[] = {LOADED("stiffness: 10"), LOADED("stiffness: 1e3"),
                                       LOADED("stiffness: 1e5")};
    static const char *const methods[] = {"rk", "rn4", "adams", "hht", "genalpha", "tangent"};
    (void)state;
    motion smooth = move(LOADED("transition: 0.001"), (const char *const[]){"simulate.tolerance=1e-7"}, 1);
    const double x = value_of(&smooth, "a.x"), y = value_of(&smooth, "a.y");
    close_motion(&smooth);
    for (int i = 0; i < HOL_COUNT(held); i++)
        for (int k = 0; k < HOL_COUNT(methods); k++) {
            char set[60];
            snprintf(set, sizeof set, "simulate.method=%s", methods[k]);
            motion m = move(held[i], (const char *const[]){set}, 1);
            if (m.end) fail_msg("%s: %s", methods[k], hol_context_error(ctx));
            near(methods[k], value_of(&m, "a.x"), x, 2e-4);
            near(methods[k], value_of(&m, "a.y"), y, 2e-4);
            close_motion(&m);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_smooth_stop_gives_back_its_restitution, start, stop),
        cmocka_unit_test_setup_teardown(so_it_does_at_every_speed, start, stop),
        cmocka_unit_test_setup_teardown(what_lies_at_a_smooth_stop_and_is_hit_gives_back, start, stop),
        cmocka_unit_test_setup_teardown(no_stop_pulls, start, stop),
        cmocka_unit_test_setup_teardown(a_hard_stop_turns_the_speed_around, start, stop),
        cmocka_unit_test_setup_teardown(hard_stops_stop_loops, start, stop),
        cmocka_unit_test_setup_teardown(hard_stops_hold_in_space, start, stop),
        cmocka_unit_test_setup_teardown(stops_that_are_met_together_act_once, start, stop),
        cmocka_unit_test_setup_teardown(nothing_begins_beyond_a_hard_stop, start, stop),
        cmocka_unit_test_setup_teardown(springs_and_dampers_belong_to_joints, start, stop),
        cmocka_unit_test_setup_teardown(friction_holds, start, stop),
        cmocka_unit_test_setup_teardown(a_clutch_brings_two_shafts_together, start, stop),
        cmocka_unit_test_setup_teardown(torques_act_in_joints, start, stop),
        cmocka_unit_test_setup_teardown(a_platform_follows_its_path, start, stop),
        cmocka_unit_test_setup_teardown(vector_forces_are_equal_and_opposite, start, stop),
        cmocka_unit_test_setup_teardown(a_universal_joint_stops_as_a_revolute_one, start, stop),
        cmocka_unit_test_setup_teardown(a_cone_gives_back_its_restitution, start, stop),
        cmocka_unit_test_setup_teardown(a_cone_keeps_energy_and_momentum, start, stop),
        cmocka_unit_test_setup_teardown(strokes_and_arms_are_driven_by_name, start, stop),
        cmocka_unit_test_setup_teardown(laws_have_any_name, start, stop),
        cmocka_unit_test_setup_teardown(stops_that_are_left_fast_have_a_corner, start, stop),
        cmocka_unit_test_setup_teardown(friction_by_the_load_is_followed, start, stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
