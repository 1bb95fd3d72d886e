// Narrow strips of place, speed, angle and state: no method passes over them, fixed steps tell, and nothing is found where there is none.
#include "harness.h"
#include "integrator/integrator.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static char told[2000];

static void keep(void *user, hol_severity severity, const char *text)
{
    (void)user, (void)severity;
    if (strstr(text, "acts within a step")) snprintf(told, sizeof told, "%s", text);
}

#define POINT                                                                                                \
    "dimension: 2\nbodies: [{name: a, type: point, mass: 1, position: [0, 0], velocity: [1, 0]}]\n"          \
    "forces: [{name: f, type: force, on: a, value: [\"%s\", 0]}]\nsimulate: {end: 1, tolerance: 1e-3}\n"
#define WHEEL                                                                                                \
    "dimension: 2\nbodies: [{name: a, mass: 1, inertia: 1, omega: 1}]\n"                                     \
    "joints: [{name: j, type: revolute, between: [ground, a]}]\n"                                            \
    "forces: [{name: f, type: torque, on: a, value: \"%s\"}]\nsimulate: {end: 1, tolerance: 1e-3}\n"
#define FALLS                                                                                                \
    "dimension: 2\ngravity: [0, -10]\nbodies: [{name: a, type: point, mass: 1}]\n"                           \
    "forces: [{name: f, type: force, on: a, value: [0, \"%s\"]}]\nsimulate: {end: 1, tolerance: 1e-3}\n"
#define STATE                                                                                                \
    "dimension: 2\nbodies: [{name: a, type: point, mass: 1, velocity: [1, 0]}]\n"                            \
    "states: [{name: s, rate: \"%s\"}]\nsimulate: {end: 1, tolerance: 1e-3, signals: [all]}\n"

#define SWINGS                                                                                               \
    "dimension: 2\ngravity: [0, -9.81]\n"                                                                    \
    "bodies: [{name: a, mass: 1, inertia: 0.1, position: [0.5, 0], markers: {e: [-0.5, 0]}}]\n"              \
    "joints: [{name: j, type: revolute, between: [ground, a.e]}]\n"                                          \
    "forces: [{name: f, type: torque, on: a, value: \"%s\"}]\nsimulate: {end: 3, tolerance: 1e-3}\n"

#define CHAIN                                                                                                \
    "dimension: 2\nbodies: [{name: a, type: point, mass: 1, velocity: [1, 0]}]\n"                            \
    "variables: [{name: u, value: \"%s\"}, {name: w, value: 2*u}, {name: z, value: w - u}]\n"                \
    "forces: [{name: f, type: force, on: a, value: [z, 0]}]\nsimulate: {end: 1, tolerance: 1e-3}\n"

static const double pi = 3.14159265358979;

// v^2/2 after a strip of place is that before it and the area under the force: sqrt(pi) F w of a Gauss, pi F w of 1/(1 + x^2). States
// take the area by the speed.
static const struct {
    const char *model, *value, *signal;
    double right;
} rows[] = {
    {POINT, "1000*exp(-((DX(a)-0.5)/1e-3)^2)", "a.vx", 2.131879}, // sqrt(1 + 2 sqrt(pi))
    {CHAIN, "1000*exp(-((DX(a)-0.5)/1e-3)^2)", "a.vx",
     2.131879}, // behind variables that are plain themselves
    {POINT, "1e5*exp(-((DX(a)-0.5)/1e-5)^2)", "a.vx", 2.131879},
    {POINT, "if(DX(a)-0.5: 0, 0, if(DX(a)-0.52: 10, 0, 0))", "a.vx", 1.183216},  // sqrt(1.4)
    {POINT, "if(DX(a)-0.5: 0, 0, if(DX(a)-0.501: 30, 0, 0))", "a.vx", 1.029563}, // sqrt(1.06)
    {POINT, "-100*exp(-((DX(a)-0.3)/1e-3)^2)", "a.vx", 0.803437},                // sqrt(1 - 0.2 sqrt(pi))
    {POINT, "100/(1+((DX(a)-0.7)/1e-3)^2)", "a.vx",
     1.275560}, // sqrt(1 + 0.2 pi) less its ends, 2.9e-4 + 6.7e-4
    {POINT, "200*max(0, 1-abs(DX(a)-0.4)/1e-3)", "a.vx", 1.183216}, // a triangle: F w
    {POINT, "200*(step(DX(a),0.4,0,0.4005,1)-step(DX(a),0.4005,0,0.401,1))", "a.vx", 1.095445}, // F w/2 = 0.1
    {POINT, "100*exp(-((DM(a)-0.25)/2e-3)^2)", "a.vx", 1.307208}, // of a length: sqrt(1 + 0.4 sqrt(pi))
    {WHEEL, "300*exp(-((AZ(a)-0.6)/1e-3)^2)", "a.omega", 1.436453},
    {WHEEL, "30*exp(-(sin(4*AZ(a)-2)/4e-3)^2)", "a.omega", 1.0},
    // a pendulum that is braked at the bottom, three times in 3 s: 3 F w sqrt(pi) of energy
    {SWINGS, "-20*exp(-((AZ(a)+pi/2)/2e-3)^2)*if(WZ(a): -1, 0, 1)", "energy.total", -0.212694},
    // beside a wall with up to 1000 N, on the way into it only: F w sqrt(pi) = 0.10635 J
    {POINT, "-1e6*max(0, DX(a)-0.5) + 600*exp(-((DX(a)-0.5003)/1e-4)^2)*step(VX(a), -0.1, 0, 0.1, 1)", "a.vx",
     -1.10123},
    {FALLS, "5*exp(-((VY(a)+5)/0.01)^2)", "a.vy", 0},
    {STATE, "100*exp(-((DX(a)-0.5)/1e-3)^2)", "s", 0.177245},
    {STATE, "if(DX(a)-0.3: 0, 0, if(DX(a)-0.3001: 1000, 0, 0))", "s", 0.1},
};

// The speed that a fall has when a force of the speed brakes it: the time it has is the integral of 1/(10 - F(v)), here by the midpoint rule.
static double fall(double from, double width, double height)
{
    double t = 0, v = 0;
    const double dv = 1e-5;
    while (t < 1) {
        const double x = (v + 0.5 * dv - from) / width;
        t += dv / (10 - height * exp(-x * x));
        v += dv;
    }
    return -v;
}

// A wheel that is turned by strips at the zeros of sin(4 a - 2): of width w/4, the first at 0.5 rad, the next at 1.29 rad, after the end.
static double right_of(int i)
{
    if (strstr(rows[i].value, "VY")) return fall(5, 0.01, 5);
    if (strstr(rows[i].value, "sin")) return sqrt(1 + 2 * sqrt(pi) * 30 * 4e-3 / 4);
    return rows[i].right;
}

static void no_method_passes_over_a_strip(void **state)
{
    int stopped = 0;
    (void)state;
    for (int i = 0; i < HOL_COUNT(rows); i++)
        for (int m = 0; hol_methods[m]; m++) {
            char text[1500], set[60];
            const char *const list[] = {set};
            const hol_method *method = hol_methods[m];
            if (method->teaching || !in_sample(i + m, 1, 2)) continue;
            snprintf(text, sizeof text, rows[i].model, rows[i].value);
            snprintf(set, sizeof set, "simulate.method=%s", method->name);
            motion a = move(text, list, 1);
            const double is = a.end == HOL_OK ? value_of(&a, rows[i].signal) : HOL_NONE, right = right_of(i);
            // Ten tolerances, and as much again where a jump is passed; a strip that is not seen is off by 0.02 at least. Methods of order 1
            // and 2 may stop where a force is too much for steps that rounding allows.
            if (a.end == HOL_ERR_INTEGRATION && method->order <= 2 &&
                strstr(hol_context_error(ctx), "step collapsed")) {
                stopped++;
            } else if (!(fabs(is - right) <= 0.01 * fmax(1, fabs(right)))) {
                fail_msg("%s, %s: %.9g instead of %.9g; %s", method->name, rows[i].value, is, right,
                         a.end ? hol_context_error(ctx) : "");
            }
            close_motion(&a);
        }
    assert_true(stopped <= 8);
}

// A strip of speed within the blow of a wall that is 500 times as strong: 20 N on 5 kg while the speed passes from 1.884 to 1.882 m/s. The
// wall brakes by sqrt(k/m (4 - v^2)) = 853 m/s^2 then, so that 20/5 0.002/853 = 9.38e-6 m/s are missing, and of the way out 1.883/2 times
// that; no tolerance was small enough for that before.
#define WALL "-8e6*max(0, DX(a)-0.5)"
#define STRIP "20*(1+tanh((VX(a)-1.882)/2e-4))*(1-tanh((VX(a)-1.884)/2e-4))/4"

static void look_at_terms(const char *variables, const char *force)
{
    static const char *const methods[] = {"simulate.method=rk", "simulate.method=bdf",
                                          "simulate.method=adams"};
    char text[1000];
    snprintf(
        text, sizeof text,
        "dimension: 2\nbodies: [{name: a, type: point, mass: 5, velocity: [2, 0]}]\n%s"
        "forces: [{name: f, type: force, on: a, value: [\"%s\", 0]}]\nsimulate: {end: 1, tolerance: 1e-8}\n",
        variables, force);
    for (int i = 0; i < HOL_COUNT(methods); i++) {
        motion a = move(text, &methods[i], 1);
        assert_int_equal(a.end, HOL_OK);
        const double v = value_of(&a, "a.vx");
        if (!(fabs(v + 2 + 8.83e-6) < 1e-6)) fail_msg("%s: %.9g", methods[i], v);
        close_motion(&a);
    }
}

static void terms_are_looked_at(void **state)
{
    (void)state;
    look_at_terms("", WALL " + " STRIP);
    look_at_terms("", "2*(-(" WALL ")/-2 + 3*" STRIP "/6)");
}

static void terms_of_variables_are_looked_at(void **state)
{
    (void)state;
    look_at_terms("variables: [{name: w, value: \"" WALL "\"}, {name: u, value: \"w + " STRIP "\"}]\n", "u");
    look_at_terms("variables: [{name: w, value: \"" WALL "\"}, {name: u, value: \"3*" STRIP "\"}]\n",
                  "w + u/3");
}

// The end of one run, against the right angle: rk, tolerances 1e-6 and 1e-7, differ by 8e-9. HOL_NONE: it has stopped, by name.
static double error_of_hold(const char *text, const char *name, double accuracy)
{
    char method[60], tolerance[60];
    const char *const set[] = {method, tolerance};
    snprintf(method, sizeof method, "simulate.method=%s", name);
    snprintf(tolerance, sizeof tolerance, "simulate.tolerance=%g", accuracy);
    motion a = move(text, set, 2);
    if (a.end && a.end != HOL_ERR_INTEGRATION) fail_msg("%s: %s", name, hol_context_error(ctx));
    const double error = a.end ? HOL_NONE : fabs(value_of(&a, "a.theta") + 0.87227568);
    close_motion(&a);
    return error;
}

// A strip of speed holds a pendulum for 0.23 s. rn4 was wrong by 0.2 rad at 1e-5. Where the steps lie in the strip is chosen by rounding:
// over 41 tolerances within 10 % rn4 is off by 1.2e-4 in the median and by up to 7e-4, and hht stops at half of them. So the median is
// looked at, and that none passes over the strip.
// by_variable: of the speed; hht is left out then.
static void hold(bool by_variable)
{
    static const struct {
        const char *method;
        double tolerance, allowed;
        int stops; // at most
    } runs[] = {{"rn4", 1e-5, 2.5e-4, 0},
                {"bdf", 1e-5, 2e-4, 0},
                {"tangent", 1e-4, 2e-3, 0},
                {"hht", 1e-4, 2e-3, CLOSE_BY - 1}};
    char text[1500];
    snprintf(text, sizeof text,
             "dimension: 2\ngravity: [0, -9.81]\n"
             "bodies: [{name: a, mass: 9.366, inertia: 0.7805, position: [0, -0.5], omega: 2.33, velocity: "
             "[1.165, 0], "
             "markers: {pin: [0, 0.5]}}]\n"
             "joints: [{name: pin, type: revolute, between: [ground, a.pin]}]\n"
             "%s"
             "forces: [{name: f, type: torque, on: a, value: '-27590*exp(-((time-2.57691)/0.000101)^2) + "
             "642.4*(step(AZ(a),0.248313,0,0.250056,1)-step(AZ(a),0.25238,0,0.254123,1)) - "
             "39.98*max(0, 1-abs(%s-1.74645)/0.000133)'}]\nsimulate: {end: 3}\n",
             by_variable ? "variables: [{name: w, value: WZ(a)}]\n" : "", by_variable ? "w" : "WZ(a)");
    for (int i = 0; i < HOL_COUNT(runs) - by_variable; i++) {
        if (!in_sample(i + by_variable, 1, 3)) continue;
        double sorted[CLOSE_BY];
        int n = 0;
        for (int k = 0; k < CLOSE_BY; k++) {
            const double error =
                error_of_hold(text, runs[i].method, tolerance_close_by(runs[i].tolerance, k));
            if (!isnan(error)) put_in_order(sorted, n++, error);
        }
        if (n < CLOSE_BY - runs[i].stops) fail_msg("%s: %s", runs[i].method, hol_context_error(ctx));
        if (!(sorted[n / 2] < runs[i].allowed && sorted[n - 1] < 1e-2))
            fail_msg("%s: off by %.3g in the median, by up to %.3g", runs[i].method, sorted[n / 2],
                     sorted[n - 1]);
    }
}

static void a_strip_of_speed_holds(void **state)
{
    (void)state;
    hold(false);
    hold(true);
}

static void fixed_steps_tell(void **state)
{
    static const char *const methods[] = {"simulate.method=hht", "simulate.method=rk",
                                          "simulate.method=central"};
    (void)state;
    for (int i = 0; i < HOL_COUNT(methods); i++) {
        char text[1500];
        const char *const set[] = {methods[i], "simulate.step=0.013"};
        snprintf(text, sizeof text, POINT, rows[0].value);
        *told = 0;
        hol_context_set_log(ctx, keep, NULL);
        motion a = move(text, set, 2);
        assert_int_equal(a.end, HOL_OK);
        close_motion(&a);
        if (!strstr(told, "forces.f (\"1000*exp(-((DX(a)-0.5)/1e-3)^2)\") acts within a step at t = 0.49"))
            fail_msg("%s: \"%s\"", methods[i], told);
    }
    hol_context_set_log(ctx, NULL, NULL);
}

// Forces that are smooth, stiff, or pass from one value to another: no step is made again, and nothing is left undecided.
static void nothing_is_found_where_nothing_is(void **state)
{
    static const char *const values[] = {
        "-40*sin(3*DX(a))", "-1e6*(sqrt(DX(a)^2 + 1) - 1)*DX(a)", "-0.3*tanh(VX(a)/0.01)",
        "exp(-DX(a))",      "0.2*step5(DX(a), 0.2, 0, 0.8, 1)",   "-3*VX(a)*abs(VX(a))",
        "1/(1 + DX(a)^2)"};
    (void)state;
    for (int i = 0; i < HOL_COUNT(values); i++)
        for (int m = 0; hol_methods[m]; m++) {
            char text[1500], set[60];
            const char *const list[] = {set};
            if (hol_methods[m]->teaching) continue;
            snprintf(text, sizeof text, POINT, values[i]);
            snprintf(set, sizeof set, "simulate.method=%s", hol_methods[m]->name);
            motion a = move(text, list, 1);
            assert_int_equal(a.end, HOL_OK);
            const hol_statistics *s = hol_simulation_finish(a.sim);
            if (s->strips || s->strips_undecided)
                fail_msg("%s, %s: %ld found, %ld undecided", hol_methods[m]->name, values[i], s->strips,
                         s->strips_undecided);
            close_motion(&a);
        }
}

static void shipped_models_have_none(void **state)
{
    static const char *const models[] = {"hydraulic", "impact_stop", "stiff_chain", "inverted_pendulum",
                                         "cam_follower"};
    static const char *const methods[] = {"hht", "rk", "bdf", "rn4"};
    (void)state;
    for (int i = 0; i < HOL_COUNT(models); i++)
        for (int m = 0; m < HOL_COUNT(methods); m++) {
            char file[100], set[60];
            const char *const list[] = {set, "simulate.end=0.15"};
            snprintf(file, sizeof file, "models/%s.yaml", models[i]);
            snprintf(set, sizeof set, "simulate.method=%s", methods[m]);
            hol_model *model = hol_model_load(ctx, file, list, 2);
            assert_non_null(model);
            hol_simulation *sim = hol_simulation_create(ctx, model);
            assert_non_null(sim);
            if (hol_simulation_run(sim))
                fail_msg("%s, %s: %s", models[i], methods[m], hol_context_error(ctx));
            const hol_statistics *s = hol_simulation_finish(sim);
            if (s->strips || s->strips_undecided)
                fail_msg("%s, %s: %ld found, %ld undecided", models[i], methods[m], s->strips,
                         s->strips_undecided);
            hol_simulation_destroy(sim);
            hol_model_destroy(model);
        }
}

// Saved before a strip and in it.
static void a_resumed_run_is_the_same(void **state)
{
    char text[1500];
    (void)state;
    snprintf(text, sizeof text, POINT, "50*exp(-((DX(a)-0.02)/1e-3)^2)");
    resume_all(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_method_passes_over_a_strip),
                                       cmocka_unit_test(terms_are_looked_at),
                                       cmocka_unit_test(terms_of_variables_are_looked_at),
                                       cmocka_unit_test(fixed_steps_tell),
                                       cmocka_unit_test(nothing_is_found_where_nothing_is),
                                       cmocka_unit_test(shipped_models_have_none),
                                       cmocka_unit_test(a_strip_of_speed_holds),
                                       cmocka_unit_test(a_resumed_run_is_the_same)};
    return cmocka_run_group_tests(tests, start, stop);
}
