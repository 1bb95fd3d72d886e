// A spring-damper released at zero length: its force is the limit along the relative velocity.
#include "harness.h"

#include <math.h>
#include <stdio.h>

static const char falling[] =
    "dimension: 3\n"
    "gravity: [0, 0, -9.81]\n"
    "bodies: [{name: m, mass: 1, inertia: 1}]\n"
    "forces: [{name: s, type: spring-damper, between: [ground, m], stiffness: 10, damping: 0.5, length: 0}]\n"
    "simulate: {end: 0.25, tolerance: 1e-7}\n";

// z'' = -g - k z - c z', from rest at 0. Adams has -0.2792 for g = 9.80665.
static double height(double t)
{
    const double g = 9.81, k = 10, a = 0.25, w = sqrt(k - a * a);
    return -g / k * (1 - exp(-a * t) * (cos(w * t) + a / w * sin(w * t)));
}

static void it_falls_as_a_damped_oscillator(void **state)
{
    static const char *const methods[] = {"hht",   "newmark", "genalpha", "rk",     "rn4",
                                          "ros2w", "adams",   "bdf",      "tangent"};
    (void)state;
    for (int i = 0; i < (int)(sizeof methods / sizeof *methods); i++) {
        char text[60];
        const char *set[2];
        snprintf(text, sizeof text, "simulate.method=%s", methods[i]);
        motion a = move(falling, set, split(text, set, 2));
        if (a.end) print_error("%s: %s\n", methods[i], hol_context_error(ctx));
        assert_int_equal(a.end, HOL_OK);
        near(methods[i], value_of(&a, "m.z"), height(0.25), 1e-3);
        assert_true(hol_simulation_statistics(a.sim)->energy_drift_max < 1e-2);
        close_motion(&a);
    }
}

// With a velocity the force of a preload has a direction too: 3 N against the motion, at zero length and after.
static void a_preload_acts_against_the_velocity(void **state)
{
    static const char text[] =
        "dimension: 2\n"
        "gravity: [0, 0]\n"
        "bodies: [{name: m, type: point, mass: 2, velocity: [0.6, 0.8]}]\n"
        "forces: [{name: s, type: spring-damper, between: [ground, m], stiffness: 0, length: 0, force: 3}]\n"
        "simulate: {end: 0.5, method: rk, tolerance: 1e-7}\n";
    (void)state;
    motion a = move(text, NULL, 0);
    assert_int_equal(a.end, HOL_OK);
    near("x", value_of(&a, "m.x"), 0.6 * (0.5 - 0.75 * 0.25), 1e-6);
    near("y", value_of(&a, "m.y"), 0.8 * (0.5 - 0.75 * 0.25), 1e-6);
    close_motion(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(it_falls_as_a_damped_oscillator),
                                       cmocka_unit_test(a_preload_acts_against_the_velocity)};
    return cmocka_run_group_tests(tests, start, stop);
}
