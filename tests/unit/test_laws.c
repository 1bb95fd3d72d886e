// Laws of joints: limits, motors, friction, springs and torques in joints, by every method that chooses its steps; and impacts.
// References: closed forms, quadratures and two integrators each, as said beside the values.
#include "harness.h"

#include "integrator/integrator.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double at_end(const char *model, const char *signal, const char *method, double T)
{
    char how[2][60];
    const char *set[] = {how[0], how[1]};
    snprintf(how[0], sizeof how[0], "simulate.method=%s", method);
    snprintf(how[1], sizeof how[1], "simulate.tolerance=%g", T);
    motion m = move(model, set, 2);
    if (m.end) fail_msg("%s, T = %g: %s", method, T, hol_context_error(ctx));
    const double x = value_of(&m, signal);
    close_motion(&m);
    return x;
}

#define assert_close(have, want, allowed) near(#have, have, want, allowed)

// Every method with error control reaches the value to `factor` tolerances.
static void all_reach(const char *model, const char *signal, double want, double T, double factor)
{
    for (int i = 0; hol_methods[i]; i++) {
        if (!hol_methods[i]->divisor || hol_methods[i]->order == 1) continue;
        if (few() && i % 3) continue;
        const double x = at_end(model, signal, hol_methods[i]->name, T);
        if (!(fabs(x - want) <= factor * T))
            fail_msg("%s: %s is %.9g, not %.9g", hol_methods[i]->name, signal, x, want);
    }
}

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
    all_reach(BLOCK(SOFT) "simulate: {signals: [all, coordinates], end: 0.3}\n", "block.x",
              0.3 - 0.9 * (0.3 - out), 1e-4, 10);
    all_reach(BLOCK(SOFT) "simulate: {signals: [all, coordinates], end: 0.3}\n", "slide.speed", -0.9, 1e-4,
              10);
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
    all_reach(model, "slide.stroke", -0.0312, 1e-4, 10);
    all_reach(model, "slide.speed", -0.324, 1e-4, 10);
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
    all_reach(LOOP, "A.rate", -0.6, 1e-4, 10);
    all_reach(LOOP, "A.angle", 0.3 - 0.6 * (0.35 - 0.25), 1e-4, 10);
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
    all_reach("dimension: 3\nbodies: [{name: arm, mass: 1, inertia: [1, 1, 2], omega: [0, 0, 2]}]\n"
              "joints: [{name: hinge, type: revolute, between: [ground, arm],\n"
              "  limits: {range: [-1, 1], hard: yes, restitution: 0.9}}]\n"
              "simulate: {signals: [all, coordinates], end: 6, max_step: 6}\n",
              "hinge.angle", place - place * v * (6 - t), 1e-4, 10);
}

// Two arms that a gear ties together meet their stops at the same time: one impact turns both around, and the other finds nothing to do.
static void stops_that_are_met_together_act_once(void **state)
{
    (void)state;
    all_reach("dimension: 2\nbodies:\n  - {name: a, mass: 1, inertia: 2, omega: 1}\n"
              "  - {name: b, mass: 1, inertia: 3, omega: -1}\n"
              "joints:\n  - {name: A, type: revolute, between: [ground, a], limits: {range: [-9, 0.5], hard: "
              "yes, restitution: 0.5}}\n"
              "  - {name: B, type: revolute, between: [ground, b], limits: {range: [-0.5, 9], hard: yes, "
              "restitution: 0.5}}\n"
              "  - {name: G, type: coupler, joints: [A, B], ratios: [1, 1]}\n"
              "simulate: {signals: [all, coordinates], end: 1}\n",
              "A.rate", -0.5, 1e-4, 10);
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
    all_reach(model, "hinge.angle", 4.067141435, 1e-4, 10);
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
                                       k == 3 ? "simulate.tolerance=1e-5" : "simulate.tolerance=1e-9"};
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
    all_reach(model, "hinge.angle", want, 1e-5, 20);
    // e'' + 8 e' + 120 e = 0 from e = 0, e' = 1
    const double w = sqrt(120 - 16), s = 0.8;
    const char *ramp =
        FOLLOWER("angle: 0", "angle: \"max(time - 0.5, 0)\", kp: 60, kd: 4, feed_forward: rate");
    all_reach(ramp, "hinge.angle", s - exp(-4 * s) * sin(w * s) / w, 1e-5, 20);
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
        if (!hol_methods[i]->divisor || hol_methods[i]->order == 1 || (few() && i % 3)) continue;
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
    all_reach("dimension: 2\nbodies: [{name: block, mass: 2, inertia: 0.1}]\n"
              "joints: [{name: slide, type: translational, between: [ground, block], preload: -3,\n"
              "  motor: {speed: 0.5, kp: 20}}]\nsimulate: {signals: [all, coordinates], end: 0.2}\n",
              "slide.speed", (1 - exp(-2)) * (0.5 - 3.0 / 20), 1e-4, 10);
}

// A spring of 8 N m/rad and a damper of 0.4 N m s/rad on 2 kg m^2: the closed form of a damped vibration.
static void springs_and_dampers_belong_to_joints(void **state)
{
    const double d = 0.1, w = sqrt(4 - d * d), t = 1.5, A = 0.3 - 0.05, c = exp(-d * t) * A;
    (void)state;
    all_reach("dimension: 2\nbodies: [{name: arm, mass: 1, inertia: 2, angle: 0.3}]\n"
              "joints: [{name: hinge, type: revolute, between: [ground, arm],\n"
              "  stiffness: 8, damping: 0.4, angle: 0.05 rad}]\nsimulate: {signals: [all, coordinates], end: "
              "1.5}\n",
              "hinge.angle", 0.05 + c * (cos(w * t) + d / w * sin(w * t)), 1e-4, 10);
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
    all_reach(cross, "u.angle1", want, 1e-5, 100);
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
    all_reach("dimension: 3\nbodies: [{name: b, mass: 2, inertia: [0.1, 0.1, 0.1], omega: [1.8, 2.4, 0]}]\n"
              "joints: [{name: s, type: spherical, between: [ground, b], limits: {swing: 20 deg" STOPPED
              "}]\n"
              "simulate: {end: 0.2, signals: [all, coordinates]}\n",
              "b.wx", -0.9, 1e-5, 100);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_smooth_stop_gives_back_its_restitution, start, stop),
        cmocka_unit_test_setup_teardown(so_it_does_at_every_speed, start, stop),
        cmocka_unit_test_setup_teardown(no_stop_pulls, start, stop),
        cmocka_unit_test_setup_teardown(a_hard_stop_turns_the_speed_around, start, stop),
        cmocka_unit_test_setup_teardown(hard_stops_stop_loops, start, stop),
        cmocka_unit_test_setup_teardown(hard_stops_hold_in_space, start, stop),
        cmocka_unit_test_setup_teardown(stops_that_are_met_together_act_once, start, stop),
        cmocka_unit_test_setup_teardown(nothing_begins_beyond_a_hard_stop, start, stop),
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
        cmocka_unit_test_setup_teardown(a_motor_says_where_it_is_at_its_end, start, stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
