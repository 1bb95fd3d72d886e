// The state in which a run begins: velocities that fit the joints, forces that act until they are switched off, states and
// parameters with their first values.
#include "harness.h"
#include "integrator/integrator.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static motion run_by(const char *text, const char *method)
{
    char set[60];
    const char *const list[] = {set};
    snprintf(set, sizeof set, "simulate.method=%s", method);
    motion m = move(text, list, 1);
    if (m.end) fail_msg("%s: %s", method, hol_context_error(ctx));
    return m;
}

static const char *const methods[] = {"hht", "rk", "rn4", "srm", "joint_bdf", "bdf", "tangent"};

// A point mass on a rod of 2 m along x, thrown with (7, 3): the rod takes the 7.
static void a_rod_takes_what_is_along_it(void **state)
{
    (void)state;
    for (int k = 0; k < HOL_COUNT(methods); k++) {
        if (strcmp(methods[k], "joint_bdf") == 0) continue; // which takes trees
        motion m = run_by(
            "{dimension: 2, gravity: [0, 0], bodies: [{name: p, type: point, mass: 1, position: [2, 0],"
            " velocity: [7, 3]}], joints: [{name: J, type: distance, between: [ground, p]}],"
            " simulate: {end: 1e-3, tolerance: 1e-6}}",
            methods[k]);
        near(methods[k], hypot(value_of(&m, "p.vx"), value_of(&m, "p.vy")), 3, 1e-4);
        close_motion(&m);
    }
}

// A wheel on its axle with a velocity that it cannot have: the axle takes it, the turning stays, in the metric of the masses.
static void an_axle_takes_the_rest(void **state)
{
    (void)state;
    for (int k = 0; k < HOL_COUNT(methods); k++) {
        motion m = run_by(
            "{dimension: 3, gravity: [0, 0, 0], bodies: [{name: w, mass: 2, inertia: [2, 2, 3], velocity: "
            "[4, 5, 6],"
            " omega: [0, 0, 2]}], joints: [{name: J, type: revolute, bodies: [ground, w], at: [0, 0, 0],"
            " axis: [0, 0, 1]}], simulate: {end: 1e-3, tolerance: 1e-6}}",
            methods[k]);
        near(methods[k], value_of(&m, "w.wz"), 2, 1e-6);
        near(methods[k], fabs(value_of(&m, "w.vx")) + fabs(value_of(&m, "w.vy")) + fabs(value_of(&m, "w.vz")),
             0, 1e-6);
        near(methods[k], value_of(&m, "energy.kinetic"), 0.5 * 3 * 4, 1e-4);
        close_motion(&m);
    }
}

// 2 N on 1 kg for half of a second, then nothing: 1 m/s.
static void forces_act_until_they_are_switched_off(void **state)
{
    (void)state;
    for (int k = 0; k < HOL_COUNT(methods); k++) {
        motion m = run_by("{dimension: 2, gravity: [0, 0], bodies: [{name: p, mass: 1, inertia: 1}],"
                          " forces: [{name: wind, type: force, on: p, value: [2, 0]}],"
                          " events: [{name: calm, at: 0.5, off: wind}], simulate: {end: 1, tolerance: 1e-6}}",
                          methods[k]);
        near(methods[k], value_of(&m, "p.vx"), 1, 1e-4);
        close_motion(&m);
    }
}

// States and parameters that events change begin with what is given: X' = a, X(0) = 4, a = 3 until 0.5 s, then 1.
static void states_and_parameters_have_their_first_values(void **state)
{
    (void)state;
    for (int k = 0; k < HOL_COUNT(methods); k++) {
        motion m = run_by(
            "{dimension: 2, gravity: [0, 0], parameters: {a: 3}, bodies: [{name: p, mass: 1, inertia: 1}],"
            " states: [{name: X, rate: a, initial: 4}], events: [{name: e, at: 0.5, set: {a: 1}}],"
            " simulate: {end: 1, tolerance: 1e-6}}",
            methods[k]);
        near(methods[k], value_of(&m, "X"), 6, 1e-4);
        close_motion(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rod_takes_what_is_along_it),
        cmocka_unit_test(an_axle_takes_the_rest),
        cmocka_unit_test(forces_act_until_they_are_switched_off),
        cmocka_unit_test(states_and_parameters_have_their_first_values),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
