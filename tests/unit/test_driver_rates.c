// Drivers by speed and by acceleration are the driver whose value is the integral in closed form, within the tolerance of every method: angle,
// stroke and distance, in the plane and in space, over whole turns, switched on late. In mirrored subsystems: attached.h.
#include "harness.h"

#include "integrator/integrator.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// A pendulum of length l, mass m and inertia J about its hinge: torque = J q'' + m g l sin q.
static const char pendulum[] =
    "dimension: %d\ngravity: %s\nparameters: {l: 0.4, m: 3, J: 0.7}\n"
    "splines:\n  - {name: trapeze, kind: linear, x: [0, 0.5, 1, 1.5], y: [0, 6, 6, 0]}\n"
    "bodies:\n  - {name: rod, mass: m, inertia: %s, position: %s, markers: {top: %s}}\n"
    "joints:\n  - {name: hinge, type: revolute, between: [{ground: %s}, rod.top]}\n"
    "drivers:\n  - {name: drive, type: angle, joint: hinge, %s}\n"
    "simulate: {end: %.17g, signals: [all, coordinates]}\n";

static void write_pendulum(char text[2000], int dimension, const char *driver, double end)
{
    const bool space = dimension == 3;
    snprintf(text, 2000, pendulum, dimension, space ? "[0, -9.81, 0]" : "[0, -9.81]",
             space ? "[1, 1, J - m*l^2]" : "J - m*l^2", space ? "[0, -l, 0]" : "[0, -l]",
             space ? "[0, l, 0]" : "[0, l]", space ? "[0, 0, 0]" : "[0, 0]", driver, end);
}

static const char *const drivers[] = {
    "speed: \"1.5 + 4*sin(3*time) + 1.5*time^2\"",
    "acceleration: \"6 - 3*exp(-time/2)\", start: 20 deg, start_speed: 2",
    "speed: \"spline(time, trapeze)\", start: -1",
    "speed: \"step(time, 0.2, 0, 1, 10)\"",
    "speed: 30 rpm",
    "acceleration: \"spline(time, trapeze)\"",
};

// Angle, rate and second derivative, by hand.
static void closed(int form, double t, double q[3])
{
    switch (form) {
    case 0:
        q[0] = 1.5 * t + 4 * (1 - cos(3 * t)) / 3 + t * t * t / 2;
        q[1] = 1.5 + 4 * sin(3 * t) + 1.5 * t * t;
        q[2] = 12 * cos(3 * t) + 3 * t;
        break;
    case 1: // rate: 2 + 6 t - 6 (1 - e), angle: -4 t + 3 t^2 + 12 (1 - e)
        q[0] = HOL_PI / 9 - 4 * t + 3 * t * t + 12 * (1 - exp(-t / 2));
        q[1] = -4 + 6 * t + 6 * exp(-t / 2);
        q[2] = 6 - 3 * exp(-t / 2);
        break;
    case 2: // 6 t^2 to 0.5, then at 6, then down at 12
        q[0] = -1 + 1.5 + 3 + 6 * (t - 1) - 6 * (t - 1) * (t - 1);
        q[1] = 6 - 12 * (t - 1);
        q[2] = -12;
        break;
    case 3: // half of the ramp's width at 10, behind it
        q[0] = 10 * 0.4 + 10 * (t - 1);
        q[1] = 10;
        q[2] = 0;
        break;
    case 4:
        q[0] = HOL_PI * t;
        q[1] = HOL_PI;
        q[2] = 0;
        break;
    default: // 2 t^3 to 0.5: 0.25, 1.5; to 1: 0.25 + 0.75 + 0.75, 4.5; then 4.5 s + 3 s^2 - 2 s^3
        q[0] = 1.75 + 4.5 * (t - 1) + 3 * (t - 1) * (t - 1) - 2 * pow(t - 1, 3);
        q[1] = 4.5 + 6 * (t - 1) - 6 * (t - 1) * (t - 1);
        q[2] = 6 - 12 * (t - 1);
    }
}

static void compare(int dimension, int form, const char *method, double tolerance)
{
    const double t = 1.4;
    double q[3];
    char text[2000], name[60], accuracy[60], what[120];
    const char *set[] = {name, accuracy};
    closed(form, t, q);
    write_pendulum(text, dimension, drivers[form], t);
    snprintf(name, sizeof name, "simulate.method=%s", method);
    snprintf(accuracy, sizeof accuracy, "simulate.tolerance=%g", tolerance);
    snprintf(what, sizeof what, "%dD, form %d, %s, %g", dimension, form, method, tolerance);
    motion a = move(text, set, 2);
    if (a.end) fail_msg("%s: %s", what, hol_context_error(ctx));
    const double torque = 0.7 * q[2] + 3 * 9.81 * 0.4 * sin(q[0]);
    const double size = fmax(20, 0.7 * q[1] * q[1]); // of torques: of gravity and J q'', or of J q'^2
    near(what, value_of(&a, "hinge.angle"), q[0], 10 * tolerance);
    near(what, value_of(&a, "hinge.rate"), q[1], 10 * tolerance * fmax(1, fabs(q[1])));
    near(what, value_of(&a, "drive.torque"), torque, 10 * size * tolerance);
    near(what, value_of(&a, "drive.power"), torque * q[1], 100 * size * tolerance);
    close_motion(&a);
}

static void every_method(void **state)
{
    (void)state;
    int n = 0;
    for (int form = 0; form < HOL_COUNT(drivers); form++)
        for (int dimension = 2; dimension <= 3; dimension++) {
            for (const hol_method *const *m = hol_methods; *m; m++) {
                const bool slow = strcmp((*m)->name, "newmark") == 0 || strcmp((*m)->name, "srm") == 0;
                if (!(*m)->teaching && !slow && in_sample(n++, 2, 7))
                    compare(dimension, form, (*m)->name, 1e-5);
            }
            compare(dimension, form, "rk", 1e-9);
        }
}

// A start that is not given is the drawn one: half a turn and more is counted as drawn in the plane, in (-pi, pi] in space.
static void where_it_starts(void **state)
{
    (void)state;
    static const struct {
        const char *text, *coordinate, *effort;
        double x[2]; // at 0.5
    } models[] = {
        {"dimension: 2\nbodies: [{name: a, mass: 1, inertia: 1, angle: 400 deg}]\n"
         "joints: [{name: j, type: revolute, between: [{ground: {angle: 30 deg}}, a]}]\n"
         "drivers: [{name: d, type: angle, joint: j, speed: 90 deg/s}]\n"
         "simulate: {signals: [all, coordinates]}\n",
         "j.angle",
         "d.torque",
         {(370 + 45) * HOL_PI / 180, 0}},
        {"dimension: 3\nbodies: [{name: a, mass: 1, inertia: [1, 1, 1], orientation: {rpy: [0, 0, 100 "
         "deg]}}]\n"
         "joints: [{name: j, type: revolute, between: [{ground: {orientation: {rpy: [0, 0, 30 deg]}}}, a]}]\n"
         "drivers: [{name: d, type: angle, joint: j, acceleration: 20}]\n"
         "simulate: {signals: [all, coordinates]}\n",
         "j.angle",
         "d.torque",
         {70 * HOL_PI / 180 + 2.5, 20}},
        {"dimension: 2\nunits: {length: mm}\nbodies: [{name: a, mass: 1, inertia: 1, position: [120, 0]}]\n"
         "joints: [{name: j, type: translational, between: [ground, a]}]\n"
         "drivers: [{name: d, type: stroke, joint: j, speed: \"40 mm/s^2*time\"}]\n"
         "simulate: {signals: [all, coordinates]}\n",
         "j.stroke",
         "d.force",
         {0.125, 0.04}},
        {"dimension: 3\nunits: {length: mm}\nbodies: [{name: a, mass: 1, inertia: [1, 1, 1], position: [0, "
         "0, -120]}]\n"
         "joints: [{name: j, type: translational, between: [ground, a]}]\n"
         "drivers: [{name: d, type: stroke, joint: j, acceleration: 40, start_speed: 3 m/s, start: 2 m}]\n"
         "simulate: {signals: [all, coordinates]}\n",
         "j.stroke",
         "d.force",
         {3.505, 0.04}},
        {"dimension: 2\nbodies: [{name: a, type: point, mass: 2, position: [3, 4]}]\n"
         "joints: [{name: j, type: in-line, between: [{ground: {angle: \"atan2(4, 3)\"}}, a]}]\n"
         "drivers: [{name: d, type: distance, between: [ground, a], speed: 1 + 6*time}]\n"
         "variables: [{name: x, value: \"DM(a, ground)\"}]\nsimulate: {signals: [all, coordinates]}\n",
         "x",
         "d.force",
         {6.25, 12}},
    };
    for (int i = 0; i < HOL_COUNT(models); i++) {
        motion a = move(
            models[i].text,
            (const char *const[]){"simulate.end=0.5", "simulate.method=rk", "simulate.tolerance=1e-9"}, 3);
        if (a.end) fail_msg("%d: %s", i, hol_context_error(ctx));
        near(models[i].text, value_of(&a, models[i].coordinate), models[i].x[0], 1e-8);
        near(models[i].text, value_of(&a, models[i].effort), models[i].x[1], 1e-7);
        close_motion(&a);
    }
}

// Switched on late it takes the value that it has by then, as every driver does: the pendulum hangs where the driver comes in.
static void switched_on_late(void **state)
{
    (void)state;
    char text[2000], both[2300];
    write_pendulum(text, 2, "active: no, speed: \"8*time - 4\"", 1.5);
    snprintf(both, sizeof both, "%sevents: [{name: go, at: 1, on: drive}]\n", text);
    motion a = move(both, NULL, 0);
    if (a.end) fail_msg("%s", hol_context_error(ctx));
    near("angle", value_of(&a, "hinge.angle"), 4 * 1.5 * 1.5 - 4 * 1.5, 1e-9);
    near("rate", value_of(&a, "hinge.rate"), 8, 1e-9);
    close_motion(&a);
}

// What has no integral, and what has another dimension, is refused at its place.
static void refused(void **state)
{
    (void)state;
    static const struct {
        const char *driver, *message;
    } wrong[] = {
        {"speed: tanh(time)", "drivers.drive.speed: the integral of \"tanh\" has no closed form here"},
        {"acceleration: \"step(time, 0, 0, 1, 1)^2\"", "drivers.drive.acceleration: the integral of \"^\""},
        {"speed: 2 m/s", "speed: dimension"},
    };
    for (int i = 0; i < HOL_COUNT(wrong); i++) {
        char text[2000];
        write_pendulum(text, 2, wrong[i].driver, 1);
        assert_null(hol_model_parse(ctx, "model.yaml", text, strlen(text), NULL, 0));
        expect_message(wrong[i].message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method),
        cmocka_unit_test(where_it_starts),
        cmocka_unit_test(switched_on_late),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests_name("driver_rates", tests, start, stop);
}
