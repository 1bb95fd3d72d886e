// Motors of joints: the units of their gains, and the most that they give.
#include "harness.h"

#include <math.h>
#include <stdio.h>

// A mass of 2 (kg, kg m^2) under a motor with the gains of a model in SI, and of one in mm and degrees whose gains are the same by hand.
static void plain_gains_are_in_the_units_of_the_file(void **state)
{
    static const struct {
        const char *joint, *si, *other;
    } rows[] = {
        {"translational", "stroke: 0.01, kp: 3, ki: 2, kd: 5", "stroke: 10, kp: 0.003, ki: 0.002, kd: 0.005"},
        {"translational", "speed: 0.01, kp: 3, ki: 2", "speed: 10, kp: 0.003, ki: 0.002"},
        {"revolute", "angle: pi/180, kp: 3*180/pi, ki: 180/pi, kd: 2*180/pi",
         "angle: 1, kp: 3e3, ki: 1e3, kd: 2e3"},
        {"revolute", "speed: pi/180, kp: 3*180/pi, ki: 180/pi", "speed: 1, kp: 3e3, ki: 1e3"},
        {"revolute", "angle: pi/180, kp: 3*180/pi", "angle: 1, kp: 3 N m/deg"}};
    (void)state;
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        double end[2];
        for (int k = 0; k < 2; k++) {
            char text[500];
            snprintf(text, sizeof text,
                     "dimension: 2\n%sgravity: [0, 0]\nbodies: [{name: a, mass: 2, inertia: 2 kg m^2}]\n"
                     "joints: [{name: h, type: %s, between: [ground, a], motor: {%s}}]\n"
                     "simulate: {end: 1, method: rk, tolerance: 1e-10, signals: [coordinates]}\n",
                     k ? "units: {length: mm, angle: deg}\n" : "", rows[i].joint,
                     k ? rows[i].other : rows[i].si);
            motion m = move(text, NULL, 0);
            if (m.end) fail_msg("%s", hol_context_error(ctx));
            end[k] = value_of(&m, rows[i].joint[0] == 't' ? "h.stroke" : "h.angle");
            close_motion(&m);
        }
        near(rows[i].other, end[1], end[0], 1e-9 * fabs(end[0]));
    }
}

// max: 2 - w. w' = 3 + (2 - w) up to w = 2 at t = ln(5/3), then the load of 3 drives alone: w(2) = 2 + 3 (2 - ln(5/3)).
static void a_motor_beyond_its_fastest_gives_nothing(void **state)
{
    (void)state;
    motion m = move(
        "dimension: 2\ngravity: [0, 0]\nbodies: [{name: a, mass: 1, inertia: 1}]\n"
        "joints: [{name: h, type: revolute, between: [ground, a], motor: {torque: 5, max: \"2 - h.rate\"}}]\n"
        "forces: [{name: f, type: torque, on: a, value: 3}]\n"
        "simulate: {end: 2, method: rk, tolerance: 1e-9, signals: [coordinates]}\n",
        NULL, 0);
    near("rate", value_of(&m, "h.rate"), 2 + 3 * (2 - log(5.0 / 3)), 1e-7);
    close_motion(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(plain_gains_are_in_the_units_of_the_file, start, stop),
        cmocka_unit_test_setup_teardown(a_motor_beyond_its_fastest_gives_nothing, start, stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
