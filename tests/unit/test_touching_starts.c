// Runs that begin in touch: what a contact, a stop or a bristle knows of the speed is what joints and drivers make of it at the start.
#include "harness.h"

#include "integrator/integrator.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Each model by each method with error control: what the signal is at the end.
static void all_end_at(const char *model, const char *signal, double want, double within)
{
    for (int i = 0; hol_methods[i]; i++) {
        const hol_method *m = hol_methods[i];
        char how[2][60], what[200];
        const char *set[] = {how[0], how[1]};
        const double T = m->order > 1 ? 1e-4 : 1e-2;
        if (!m->divisor || (few() && i % 3)) continue;
        snprintf(how[0], sizeof how[0], "simulate.method=%s", m->name);
        snprintf(how[1], sizeof how[1], "simulate.tolerance=%g", T);
        motion end = move(model, set, 2);
        snprintf(what, sizeof what, "%s, %s of %.60s", m->name, signal, model);
        if (end.end) fail_msg("%s: %s", what, hol_context_error(ctx));
        near(what, value_of(&end, signal), want, within * (m->order > 1 ? 1 : 10));
        close_motion(&end);
    }
}

// A driver takes the joint into its stop at 1 m/s from there: K d^1.5 (1 + x v/v0) with x of (8.54) for e = 0.5, whether the file says the speed
// or not.
static void a_driven_joint_begins_at_its_stop(void **state)
{
#define DRIVEN(speed)                                                                                        \
    "dimension: 2\ngravity: [0, 0]\nbodies: [{name: b, mass: 1, inertia: 1" speed "}]\n"                     \
    "joints: [{name: j, type: translational, between: [ground, b], limits: {range: [-1, 0], stiffness: "     \
    "1e4, restitution: 0.5}}]\ndrivers: [{name: d, type: stroke, joint: j, value: time}]\n"                  \
    "simulate: {end: 0.1, signals: [d]}\n"
    const double want = 1e4 * pow(0.1, 1.5) * (1 + 1.432750533271375);
    (void)state;
    all_end_at(DRIVEN(""), "d.force", want, 1e-5 * want);
    all_end_at(DRIVEN(", velocity: [1, 0]"), "d.force", want, 1e-5 * want);
}

// A ball lies on a plate that is driven away at 1 m/s, or is put in touch by its driver: it leaves with 1 + e.
static void a_plate_strikes_what_lies_on_it(void **state)
{
#define STRUCK(height, at)                                                                                   \
    "dimension: 2\ngravity: [0, 0]\nground: {markers: {m: {angle: 90 deg}}}\nbodies:\n"                      \
    "  - {name: p, mass: 10, inertia: 1, shape: {type: halfplane}, markers: {m: {angle: 90 deg}}}\n"         \
    "  - {name: b, mass: 1, inertia: 4e-3, position: [0, " height "], shape: {type: sphere, radius: 0.1}}\n" \
    "joints: [{name: j, type: translational, between: [ground.m, p.m]}]\n"                                   \
    "drivers: [{name: d, type: stroke, joint: j, value: " at "}]\n"                                          \
    "contacts: [{name: c, between: [b, p], stiffness: 1e6, restitution: 0.5}]\n"                             \
    "simulate: {end: 0.1, signals: [b.vy]}\n"
    (void)state;
    all_end_at(STRUCK("0.1", "time"), "b.vy", 1.5, 1e-3);
    all_end_at(STRUCK("0.2", "0.1 + time"), "b.vy", 1.5, 1e-3);
}

// Joints share a speed that the file gives one body alone: 2 kg and half of the speed, at a stop, and a body whose turning is given alone.
static void joints_share_the_speed_of_a_start(void **state)
{
    static const char welded[] =
        "dimension: 2\ngravity: [0, 0]\nbodies:\n  - {name: a, mass: 1, inertia: 0.01, velocity: [1, 0]}\n"
        "  - {name: b, mass: 1, inertia: 0.01, position: [1, 0]}\njoints:\n"
        "  - {name: k, type: translational, between: [ground, a], limits: {range: [-1, 0], stiffness: 1e6, "
        "restitution: 0.5}}\n  - {name: j, type: fixed, bodies: [a, b], at: [0, 0]}\n"
        "simulate: {end: 0.1, signals: [a.vx]}\n";
    static const char swings[] =
        "dimension: 2\ngravity: [0, 0]\nground: {shape: {type: halfplane, angle: -90 deg, position: [-0.1, "
        "0]}}\n"
        "bodies: [{name: b, mass: 1, inertia: 4e-3, position: [0, -1], omega: -1, shape: {type: sphere, "
        "radius: 0.1}, markers: {h: [0, 1]}}]\njoints: [{name: j, type: revolute, between: [ground, b.h]}]\n"
        "contacts: [{name: c, between: [b, ground], stiffness: 1e6, restitution: 0.5, joined: yes}]\n"
        "simulate: {end: 0.1, signals: [b.omega]}\n";
    (void)state;
    motion m = open_motion(welded, NULL, 0);
    const double shared = value_of(&m, "a.vx");
    close_motion(&m);
    all_end_at(welded, "a.vx", -0.5 * shared, 1e-3);
    m = open_motion(swings, NULL, 0);
    const double turning = value_of(&m, "b.omega");
    close_motion(&m);
    assert_true(shared > 0.1 && turning < -0.1);
    all_end_at(swings, "b.omega", -0.5 * turning, 1e-3);
}

// A slide that its driver moves at 1 m/s from the start is braked by all of its friction from there on.
static void a_driven_bristle_is_stretched(void **state)
{
    static const char model[] =
        "dimension: 2\ngravity: [0, 0]\nbodies: [{name: b, mass: 1, inertia: 1}]\njoints: [{name: j, type: "
        "translational, between: [ground, b], friction: {force: 20, stiffness: 1e3}}]\n"
        "drivers: [{name: d, type: stroke, joint: j, value: time}]\nsimulate: {end: 1, signals: [d]}\n";
    (void)state;
    motion m = open_motion(model, NULL, 0);
    near("force of the driver at the start", fabs(value_of(&m, "d.force")), 20, 1e-6);
    close_motion(&m);
}

// A block that 20 N, from 1 s on 40 N, press onto a stop, from its equilibrium: drawn at it or before it, it creeps in the same way.
static void equilibria_have_speeds_of_approach(void **state)
{
#define LYING(limits, x)                                                                                     \
    "dimension: 2\ngravity: [0, 0]\nbodies: [{name: b, "                                                     \
    "mass: 2, inertia: 1, position: [" x ", 0"                                                               \
    "]}]\njoints: [{name: j, type: translational, between: [ground, b]" limits                               \
    "}]\nforces: [{name: f, type: "                                                                          \
    "force, joint: j, value: \"if(time - 1: 20, 20, 40) - 1e-9*j.stroke\"}]\n"                               \
    "simulate: {start: equilibrium, end: 3, method: rk, tolerance: 1e-6, signals: [j.stroke, j.speed]}\n"
#define STOP ", limits: {range: [-1, 0], stiffness: 3000, restitution: 0.5}"
    (void)state;
    motion at = move(LYING(STOP, "0"), NULL, 0), before = move(LYING(STOP, "-0.5"), NULL, 0);
    assert_int_equal(at.end, HOL_OK);
    assert_int_equal(before.end, HOL_OK);
    near("speed", value_of(&before, "j.speed"), value_of(&at, "j.speed"), 1e-6);
    near("stroke", value_of(&before, "j.stroke"), value_of(&at, "j.stroke"), 1e-5);
    if (!(fabs(value_of(&at, "j.speed")) < 0.01)) fail_msg("it swings at %g m/s", value_of(&at, "j.speed"));
    close_motion(&at);
    close_motion(&before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_driven_joint_begins_at_its_stop),
                                       cmocka_unit_test(a_plate_strikes_what_lies_on_it),
                                       cmocka_unit_test(joints_share_the_speed_of_a_start),
                                       cmocka_unit_test(a_driven_bristle_is_stretched),
                                       cmocka_unit_test(equilibria_have_speeds_of_approach)};
    return cmocka_run_group_tests(tests, start, stop);
}
