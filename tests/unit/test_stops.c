// Stiff stops and relays: forces that begin within a step and change all of the motion, by every method with error control.
#include "harness.h"

#include "integrator/integrator.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double G = 9.81;

static double at_end(const char *model, const char *signal, const char *method, double T, double k)
{
    char how[3][60];
    const char *set[] = {how[0], how[1], how[2]};
    snprintf(how[0], sizeof how[0], "simulate.method=%s", method);
    snprintf(how[1], sizeof how[1], "simulate.tolerance=%g", T);
    snprintf(how[2], sizeof how[2], "parameters.k=%g", k);
    motion m = move(model, set, 3);
    if (m.end) fail_msg("%s, T = %g, k = %g: %s", method, T, k, hol_context_error(ctx));
    const double x = value_of(&m, signal);
    close_motion(&m);
    return x;
}

// The next method that chooses its steps; NULL: that was the last one.
static const hol_method *next_method(int *i)
{
    while (hol_methods[*i] && !hol_methods[*i]->divisor) ++*i;
    const hol_method *m = hol_methods[*i];
    *i += m != NULL;
    return m;
}

// Each stiffness and tolerance with each method; a third of the pairs where little is tried.
static void stop_rebounds(const char *model, const char *signal, double (*known)(double k), double least)
{
    static const double stiffness[] = {1e8, 1e9, 1e10, 1e11}, tolerance[] = {1e-2, 1e-3, 1e-4};
    const hol_method *m;
    for (int i = 0; (m = next_method(&i));)
        for (int k = 0; k < HOL_COUNT(stiffness); k++)
            for (int j = 0; j < HOL_COUNT(tolerance); j++) {
                const double T = tolerance[j], want = known(stiffness[k]);
                // steps of order 1 in an impact of 1e-4 s are then of 1e-9 s, below what rounding leaves of index 3: they are refused
                if (m->order == 1 && T < 1e-2) continue;
                if (few() && (i + k + j) % 3) continue;
                if (T < 1e-3 && stiffness[k] > 1e10)
                    continue; // index 3: rounding hides what steps of 4e-9 s do
                const double error = fabs(at_end(model, signal, m->name, T, stiffness[k]) - want);
                if (!(error <= least * T))
                    fail_msg("%s, T = %g, k = %g: off by %.3g", m->name, T, stiffness[k], error);
            }
}

// Falls 0.9 m with a point 0.1 m below its centre, which is in touch for (2/w)(pi - atan(v w/g)), and rises again.
#define FLOOR                                                                                                \
    "dimension: 2\ngravity: [0, -9.81]\nparameters: {k: 1e9}\n"                                              \
    "bodies: [{name: b, mass: 1, inertia: 0.004, position: [0, 1], markers: {low: [0, -0.1]}}]\n"            \
    "forces: [{name: s, type: force, on: b.low, "                                                            \
    "value: [0, \"impact(DY(b.low), VY(b.low), 0, k, 1, 0, 1e-4)\"]}]\n"                                     \
    "simulate: {end: 1, output: 0.01}\n"
static double height(double k)
{
    const double v = sqrt(2 * G * 0.9), w = sqrt(k), touch = 2 / w * (HOL_PI - atan(v * w / G)),
                 rise = 1 - v / G - touch;
    return 0.1 + v * rise - G * rise * rise / 2;
}

// 1 m/s onto a spring, half a period of which turns it back.
#define BUFFER                                                                                               \
    "dimension: 2\nparameters: {k: 1e8}\n"                                                                   \
    "bodies: [{name: b, type: point, mass: 1, position: [0, 0], velocity: [1, 0]}]\n"                        \
    "joints: [{name: g, type: in-line, between: [ground, b]}]\n"                                             \
    "forces: [{name: s, type: force, on: b, value: [\"-max(0, DX(b) - 0.4)*k\", 0]}]\n"                      \
    "simulate: {end: 0.9, output: 0.01}\n"
static double place(double k) { return 0.4 - (0.5 - HOL_PI / sqrt(k)); }

static void hard_floors_give_back_what_falls(void **state)
{
    (void)state;
    stop_rebounds(FLOOR, "b.y", height, 4);
}

static void hard_buffers_turn_motions_back(void **state)
{
    (void)state;
    stop_rebounds(BUFFER, "b.x", place, 4);
}

// A relay in speed that the motion crosses thrice. No row has more than 97.21 m/s^2 there, at the largest of the motion between its
// switches (rk at 1e-10); a method that rings behind a switch had up to 55000.
#define RELAY                                                                                                \
    "dimension: 2\ngravity: [0, -9.81]\nbodies:\n"                                                           \
    "  - {name: u, mass: 1, inertia: 0.09, position: [0.5, 0], markers: {e: [0.5, 0]}}\n"                    \
    "  - {name: w, mass: 0.5, inertia: 0.03, position: [1, -0.4], angle: -90 deg, markers: {a: [-0.4, "      \
    "0]}}\n"                                                                                                 \
    "joints:\n  - {name: A, type: revolute, between: [ground, u: [-0.5, 0]]}\n"                              \
    "  - {name: B, type: revolute, between: [u.e, w.a]}\n"                                                   \
    "variables: [{name: sg, value: \"if(WZ(u) - 1: -1, 0, 1)\"}]\n"                                          \
    "forces: [{name: f, type: torque, on: u, value: -0.7*sg}]\n"                                             \
    "simulate: {end: 3, output: 0}\n"

static void largest_row(const char *method, double T)
{
    char how[2][60];
    const char *set[] = {how[0], how[1]};
    double most = 0;
    snprintf(how[0], sizeof how[0], "simulate.method=%s", method);
    snprintf(how[1], sizeof how[1], "simulate.tolerance=%g", T);
    motion m = open_motion(RELAY, set, 2);
    for (bool done = false; !done;) {
        if (hol_simulation_step(m.sim, &done)) fail_msg("%s, T = %g: %s", method, T, hol_context_error(ctx));
        most = fmax(most, fabs(value_of(&m, "w.ay")));
    }
    close_motion(&m);
    if (!(most < 100)) fail_msg("%s, T = %g: a row has %.4g m/s^2", method, T, most);
}

static void rows_behind_a_relay_do_not_ring(void **state)
{
    static const double tolerance[] = {1e-2, 5e-3, 2e-3, 1.5e-3, 1e-3, 7e-4, 5e-4, 3e-4, 2e-4, 1e-4};
    const hol_method *m;
    (void)state;
    for (int i = 0; (m = next_method(&i));)
        for (int j = few() ? i % 3 : 0; j < HOL_COUNT(tolerance); j += few() ? 3 : 1)
            if (m->order != 1 || tolerance[j] >= 5e-3) largest_row(m->name, tolerance[j]);
}

// What is found in a strip of speed that a loose tolerance may jump is told; a tighter one is not warned of.
static char warned[600];
static void remember(void *user, hol_severity severity, const char *text)
{
    (void)user;
    if (severity == HOL_WARNING) snprintf(warned, sizeof warned, "%s", text);
}

static void narrow_strips_of_speed_are_told(void **state)
{
    static const char model[] = "dimension: 2\nbodies: [{name: b, type: point, mass: 1, velocity: [2, 0]}]\n"
                                "joints: [{name: g, type: in-line, between: [ground, b]}]\n"
                                "forces: [{name: f, type: force, on: b, value: "
                                "[\"-1 + 50*exp(-((VX(b) - 1.5)/2e-3)^2)\", 0]}]\n"
                                "simulate: {end: 1.5, method: rk}\n";
    const char *const sets[] = {"simulate.tolerance=1e-1", "simulate.tolerance=1e-6"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        warned[0] = 0;
        hol_context_set_log(ctx, remember, NULL);
        motion m = move(model, &sets[i], 1);
        hol_context_set_log(ctx, NULL, NULL);
        close_motion(&m);
        if ((strstr(warned, "narrower than a tolerance of") != NULL) != (i == 0))
            fail_msg("%s: told \"%s\"", sets[i], warned);
    }
}

// Nothing moves, or flies straight on: nothing is told of how the run goes on.
static void what_does_not_turn_is_not_warned_of(void **state)
{
    static const char *const models[] = {
        "dimension: 2\ngravity: [0, -9.81]\nbodies: [{name: b, mass: 1, inertia: 0.1, position: [0, -1]}]\n"
        "joints: [{name: p, type: revolute, between: [ground, b: [0, 1]]}]\n"
        "simulate: {end: 120, method: newmark, tolerance: 0.1}\n",
        "dimension: 2\ngravity: [0, -9.81]\nbodies: [{name: b, mass: 0.005, inertia: 1e-6, velocity: [300, "
        "0]}]\n"
        "length_scale: 0.02\nsimulate: {end: 2, method: newmark, tolerance: 0.01}\n"};
    (void)state;
    for (int i = 0; i < HOL_COUNT(models); i++) {
        warned[0] = 0;
        hol_context_set_log(ctx, remember, NULL);
        motion m = move(models[i], NULL, 0);
        hol_context_set_log(ctx, NULL, NULL);
        assert_int_equal(m.end, HOL_OK);
        close_motion(&m);
        if (warned[0]) fail_msg("model %d: told \"%s\"", i, warned);
    }
}

// A rod that turns between two stops which give back half of its 2.5 rad/s, met at +-0.5 rad (0.2 s, then about 1 s): 0.625 rad/s at 1.5 s,
// whatever the stiffness (8.54). The state at the onset, taken out of a step that the stop had bent, was off by up to 11 tolerances.
static const char between_stops[] =
    "dimension: 2\ngravity: [0, 0]\nparameters: {k: 1}\n"
    "bodies: [{name: rod, mass: 1, inertia: 0.1, position: [0, -1], velocity: [2.5, 0], omega: 2.5}]\n"
    "joints:\n  - {name: pin, type: revolute, between: [ground, rod: [0, 1]], limits: {range: [-0.5, 0.5], "
    "stiffness: k, restitution: 0.5}}\n"
    "simulate: {end: 1.5, signals: [pin.rate]}\n";

static void steps_end_at_the_onset_of_stops(void **state)
{
    (void)state;
    for (double T = 1e-5; T > 5e-10; T /= 10) {
        char what[40];
        snprintf(what, sizeof what, "rk, T = %g", T);
        near(what, at_end(between_stops, "pin.rate", "rk", T, 1e4), 0.625, 4 * 2.5 * T);
    }
}

// The same by every method. Newmark's of order 1 takes ten times the steps for a tenth of the tolerance, and is off by a tenth of what it was.
static void every_method_leaves_stops_as_asked(void **state)
{
    const hol_method *m;
    (void)state;
    for (int i = 0; (m = next_method(&i));) {
        const double loose = m->order > 1 ? 1e-3 : 3e-2;
        double off[2];
        for (int k = 0; k < 2; k++) {
            const double T = k ? loose / 10 : loose;
            off[k] = fabs(at_end(between_stops, "pin.rate", m->name, T, 1e4) - 0.625);
            if (!(off[k] <= 2.5 * T)) fail_msg("%s, T = %g: off by %.3g", m->name, T, off[k]);
        }
        if (m->order == 1 && !(off[1] < 0.2 * off[0]))
            fail_msg("%s: off by %.3g, then by %.3g", m->name, off[0], off[1]);
    }
}

// A block at 1 m/s that a lock catches while it is pressed into a stop, at the depth d, and lets go again. What holds it is K d^1.5. Energy over
// depth, with v0 = 1 m/s and x of (8.54), integrates to K d^2.5/2.5 = (-ln(1 - x w) - x w)/x^2 for the speed w with which it comes out.
static void a_stop_is_pressed_while_a_lock_holds(void **state)
{
    static const char model[] =
        "dimension: 2\ngravity: [0, 0]\nparameters: {k: 1e4}\n"
        "bodies: [{name: b, mass: 1, inertia: 1, velocity: [1, 0]}]\njoints:\n"
        "  - {name: s, type: translational, between: [ground, b], limits: {range: [-1, 0.5], stiffness: k, "
        "restitution: 0.5}}\n"
        "  - {name: L, type: lock, joint: s, active: no}\n"
        "events: [{name: catch, at: 0.52, on: L}, {name: let_go, at: 1, off: L}]\n"
        "simulate: {signals: [s.stroke, s.speed, s.limits, L, energy], end: ";
    static const char *const ends[] = {"0.9}\n", "1.3}\n"};
    const double x = 1.432750533271375; // x - ln(1 + x) = -x/2 - ln(1 - x/2)
    const hol_method *m;
    (void)state;
    for (int i = 0; (m = next_method(&i));) {
        const double T = m->order > 1 ? 1e-5 : 1e-3;
        char text[2][900], how[2][60];
        const char *set[] = {how[0], how[1]};
        if (m->open) continue; // joints that give
        snprintf(how[0], sizeof how[0], "simulate.method=%s", m->name);
        snprintf(how[1], sizeof how[1], "simulate.tolerance=%g", T);
        for (int k = 0; k < 2; k++) snprintf(text[k], sizeof text[k], "%s%s", model, ends[k]);
        motion held = move(text[0], set, 2), free = move(text[1], set, 2);
        if (held.end || free.end) fail_msg("%s: %s", m->name, hol_context_error(ctx));
        const double d = value_of(&held, "s.stroke") - 0.5, F = 1e4 * pow(d, 1.5);
        double w = 0, more = 0.5 / x;
        for (; more > 1e-15; more /= 2)
            if (-log(1 - x * (w + more)) - x * (w + more) < x * x * 1e4 * pow(d, 2.5) / 2.5) w += more;
        near(m->name, d, 0.017290147663195265, 10 * T);
        near(m->name, value_of(&held, "s.limits.force"), -F, 1e-9 * F);
        near(m->name, value_of(&held, "L.lambda"), -F, 1e-9 * F);
        near(m->name, value_of(&held, "energy.kinetic"), 0, 1e-20);
        near(m->name, value_of(&held, "energy.potential"), 1e4 * pow(d, 2.5) / 2.5, 1e-12);
        near(m->name, value_of(&held, "energy.total") - value_of(&held, "energy.work"), 0.5, 10 * T);
        near(m->name, value_of(&free, "s.speed"), -w, 10 * T);
        near(m->name, value_of(&free, "energy.total") - value_of(&free, "energy.work"), 0.5, 10 * T);
        close_motion(&held);
        close_motion(&free);
    }
}

// 2 kg at 1 m/s between two stops of +-0.1 m without loss. With d the largest depth an impact lasts for 2 d/v times the integral of
// (1 - u^(n + 1))^(-1/2) from 0 to 1, (sqrt(pi)/(n + 1)) gamma(1/(n + 1))/gamma(1/(n + 1) + 1/2): after 83 of them, each behind 0.2 m of free
// flight, it is in the middle, and goes back at 1 m/s. Impacts that are wrong by the tolerance each leave 83 of it at the most.
static void stops_without_loss_keep_time_and_energy(void **state)
{
    const double K = 1e5, n = 1.5, d = pow(2 * (n + 1) / (2 * K), 1 / (n + 1)),
                 lasts = 2 * d * sqrt(HOL_PI) / (n + 1) * tgamma(1 / (n + 1)) / tgamma(1 / (n + 1) + 0.5);
    const hol_method *m;
    (void)state;
    for (int i = 0; (m = next_method(&i));)
        for (double T = 1e-3; T > 5e-7 && m->order > 1; T /= 10) {
            char model[600], how[2][60], what[60];
            const char *set[] = {how[0], how[1]};
            const bool exact = strcmp(m->name, "rk") == 0;
            if (!exact && (few() || (T < 5e-4 && !getenv("LONG")))) continue;
            if (m->order < 3 && T < 1e-4) continue;
            snprintf(model, sizeof model,
                     "dimension: 2\nbodies: [{name: b, mass: 2, inertia: 1, velocity: [1, 0]}]\n"
                     "joints: [{name: s, type: translational, between: [ground, b], limits: {range: [-0.1, "
                     "0.1], stiffness: 1e5}}]\nsimulate: {end: %.17g, signals: [s.stroke, energy]}\n",
                     83 * (0.2 + lasts));
            snprintf(how[0], sizeof how[0], "simulate.method=%s", m->name);
            snprintf(how[1], sizeof how[1], "simulate.tolerance=%g", T);
            snprintf(what, sizeof what, "%s, T = %g", m->name, T);
            motion end = move(model, set, 2);
            if (end.end) fail_msg("%s: %s", what, hol_context_error(ctx));
            near(what, value_of(&end, "energy.work"), 0, exact ? 1e-9 : 20 * T);
            near(what, value_of(&end, "energy.total"), 1, 83 * T);
            near(what, value_of(&end, "s.stroke"), 0, (exact && T < 5e-4 ? 10 : 20 * 83) * T);
            close_motion(&end);
        }
}

// What stops and springs without loss do is no work, whatever coordinate they are of: their potential is of the number that their law has. Each is
// pushed into, or wound up by more than a turn.
static void elastic_laws_of_joints_do_no_work(void **state)
{
#define BODY "dimension: 3\nbodies: [{name: b, mass: 2, inertia: [0.1, 0.2, 0.15], "
#define BETWEEN "}]\njoints: [{name: j, between: [ground, b], type: "
#define AND "}]\nsimulate: {end: 2, method: rk, tolerance: 1e-9, signals: [energy]}\n"
    static const char *const models[] = {
        "dimension: 2\nbodies: [{name: b, mass: 2, inertia: 0.1, omega: 3" BETWEEN
        "revolute, limits: {range: [-1, 0.5], stiffness: 1e3}" AND,
        "dimension: 2\nbodies: [{name: b, mass: 2, inertia: 0.1, velocity: [0.3, 0]" BETWEEN
        "translational, stiffness: 20, length: 0.1, limits: {range: [-0.1, 0.1], stiffness: 1e3, exponent: "
        "1}" AND,
        BODY "omega: [0, 0, 6]" BETWEEN "revolute, limits: {range: [-1, 8], stiffness: 1e3}" AND,
        BODY "omega: [0, 0, -6]" BETWEEN "revolute, stiffness: 0.05, angle: 1" AND,
        BODY "omega: [0, 0, 6], velocity: [0, 0, 0.4]" BETWEEN
             "cylindrical, limits: {range: [-7, 9], stiffness: 1e3}, stroke_limits: {range: [-1, 0.2], "
             "stiffness: 1e3}" AND,
        BODY "omega: [1, 0.3, 0]" BETWEEN
             "spherical, limits: {swing: 20 deg, twist: [-5 deg, 5 deg], stiffness: 1e3}" AND,
        BODY "omega: [2, 1.5, 0]" BETWEEN
             "universal, limits: {angle1: [-20 deg, 30 deg], angle2: [-10 deg, 10 deg], stiffness: 1e3}" AND};
    (void)state;
    for (int i = 0; i < HOL_COUNT(models); i++) {
        motion m = open_motion(models[i], NULL, 0);
        double least = value_of(&m, "energy.kinetic"), most = 0;
        for (bool done = false; !done;) {
            if (hol_simulation_step(m.sim, &done)) fail_msg("model %d: %s", i, hol_context_error(ctx));
            near("work", value_of(&m, "energy.work"), 0, 1e-9);
            least = fmin(least, value_of(&m, "energy.kinetic"));
            most = fmax(most, value_of(&m, "energy.potential"));
        }
        close_motion(&m);
        if (!(most > 0.05 && least < 0.9 * (least + most)))
            fail_msg("model %d: nothing is pressed: %g", i, most);
    }
}

// A pendulum that meets its stop ever more slowly, until it just touches it: at 2.7 s by rk at 1e-8, 1e-10 and by bdf at 1e-9, which agree to 1e-9. No row
// of any step knows of a force that is not there yet.
static void what_nearly_touches_feels_nothing(void **state)
{
    static const char model[] =
        "dimension: 2\ngravity: [0, -9.81]\nbodies: [{name: b, mass: 1, inertia: 0.08, angle: -1, position: "
        "[0.5*cos(-1), 0.5*sin(-1)], markers: {h: [-0.5, 0]}}]\njoints: [{name: j, type: revolute, between: "
        "[ground, b.h], limits: {range: [-2.141, -0.5], stiffness: 1e7, restitution: 0.9}}]\n"
        "simulate: {end: 30, output: 0.05, method: rk, tolerance: 1e-4, signals: [j.angle, energy]}\n";
    (void)state;
    motion m = open_motion(model, NULL, 0);
    const double E = value_of(&m, "energy.total");
    for (bool done = false; !done;) {
        if (hol_simulation_step(m.sim, &done)) fail_msg("%s", hol_context_error(ctx));
        near("energy", value_of(&m, "energy.total") - value_of(&m, "energy.work"), E, 1e-3);
        if (fabs(hol_simulation_time(m.sim) - 2.7) < 1e-6)
            near("angle", value_of(&m, "j.angle"), -1.92408, 1e-3);
    }
    close_motion(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_nearly_touches_feels_nothing),
                                       cmocka_unit_test(stops_without_loss_keep_time_and_energy),
                                       cmocka_unit_test(elastic_laws_of_joints_do_no_work),
                                       cmocka_unit_test(hard_floors_give_back_what_falls),
                                       cmocka_unit_test(hard_buffers_turn_motions_back),
                                       cmocka_unit_test(rows_behind_a_relay_do_not_ring),
                                       cmocka_unit_test(narrow_strips_of_speed_are_told),
                                       cmocka_unit_test(what_does_not_turn_is_not_warned_of),
                                       cmocka_unit_test(every_method_leaves_stops_as_asked),
                                       cmocka_unit_test(a_stop_is_pressed_while_a_lock_holds),
                                       cmocka_unit_test(steps_end_at_the_onset_of_stops)};
    return cmocka_run_group_tests(tests, start, stop);
}
