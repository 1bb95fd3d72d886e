// Forces and rates that jump at a place, a speed or a state: every method passes them right, rows and events between steps too.
#include "harness.h"
#include "integrator/integrator.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char told[2000];

static void keep(void *user, hol_severity severity, const char *text)
{
    (void)user, (void)severity;
    if (strstr(text, "jumps to and fro")) snprintf(told, sizeof told, "%s", text);
}

// A free mass of 1 kg with 1 m/s.
#define POINT                                                                                                \
    "dimension: 2\nbodies: [{name: a, type: point, mass: 1, velocity: [1, 0]}]\n"                            \
    "forces: [{name: f, type: force, on: a, value: [\"%s\", 0]}]\n%s"                                        \
    "simulate: {end: 1, output: 1e-3, tolerance: %g}\n"

// From 0.5 m on, which it reaches after 0.5 s.
static double pushed(double t, double F) { return t < 0.5 ? t : t + 0.5 * F * (t - 0.5) * (t - 0.5); }
static double by_1000(double t) { return pushed(t, 1000); }
static double by_3(double t) { return pushed(t, 3); }
static double by_100(double t) { return pushed(t, 100); }
// On a spring of 1 N/m, with 3 N from 0.5 m on, which sin(t) reaches after pi/6.
static double on_a_spring(double t)
{
    const double since = t - 0.523598775598299;
    return since < 0 ? sin(t) : 3 - 2.5 * cos(since) + 0.866025403784439 * sin(since);
}
static double thrown_back(double t) { return t < 0.52 ? pushed(t, -100) : 1.02 - t; }
static const struct {
    const char *value;
    double (*place)(double t);
} rows[] = {
    {"if(DX(a)-0.5: 0, 0, 1000)", by_1000},
    {"if(DX(a)-0.5: 0, 0, 3)", by_3},
    {"if(DX(a)-0.5: 0, 1.5, 3)", by_3}, // a third value at the place itself
    {"3*if(0.5-DX(a): 1, 0, 0)", by_3},
    {"-DX(a) + if(DX(a)-0.5: 0, 0, 3)", on_a_spring},
    {"if(DX(a)-0.5: 0, 0, -100)", thrown_back},
    {"-100*spline(DX(a), stairs, 1)", by_100}, // the derivative of straight lines
    {"if(DX(a)-0.5: 0, 0, 3) + 0*mod(DX(a), 0.3)", by_3},
};

#define STAIRS "splines: [{name: stairs, kind: linear, x: [-10, 0.5, 200], y: [0, 0, -199.5]}]\n"

// Largest error over all rows, in parts of the tolerance; negative: the run has not ended well.
static double worst(const char *text, const char *const *set, double (*place)(double t), double T)
{
    char folder[] = "/tmp/holonom_jumps_XXXXXX", file[60];
    double most = 0;
    assert_non_null(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/rows.csv", folder);
    motion a = open_motion(text, set, 1);
    assert_int_equal(hol_simulation_write(a.sim, file), HOL_OK);
    a.end = hol_simulation_run(a.sim);
    hol_simulation_finish(a.sim);
    if (!a.end) {
        hol_result *r = hol_result_read(ctx, file);
        assert_non_null(r);
        const int t = column_of(r, "t"), x = column_of(r, "a.x");
        assert_true(r->n_rows > 1000);
        for (size_t i = 0; i < r->n_rows; i++) {
            const double *row = r->value + i * (size_t)r->n_columns;
            most = fmax(most, fabs(row[x] - place(row[t])));
        }
        hol_result_destroy(r);
    }
    const long met = hol_simulation_statistics(a.sim)->jumps_met;
    if (!a.end && !met) fail_msg("%s: no jump was met", set[0]);
    const bool ended = !a.end;
    close_motion(&a);
    remove(file);
    rmdir(folder);
    return ended ? most / T : -1;
}

// The tolerance of who sets none: of all methods of an order the same.
static double tolerance_of(const hol_method *method)
{
    return method->order < 2 ? 1e-2 : method->order == 2 ? 1e-4 : 1e-6;
}

// Positions of all rows are right to ten tolerances; before, hht, newmark and genalpha stopped at jumps, and adams and bdf were wrong by
// some hundred tolerances.
static void every_method_passes_jumps(void **state)
{
    (void)state;
    for (int i = 0; i < HOL_COUNT(rows); i++)
        for (int m = 0; hol_methods[m]; m++) {
            char text[1500], set[60];
            const char *const list[] = {set};
            if (hol_methods[m]->teaching || !in_sample(m + i, 1, 3)) continue;
            const double T = tolerance_of(hol_methods[m]);
            snprintf(text, sizeof text, POINT, rows[i].value, STAIRS, T);
            snprintf(set, sizeof set, "simulate.method=%s", hol_methods[m]->name);
            const double error = worst(text, list, rows[i].place, T);
            if (error < 0) fail_msg("%s, %s: %s", rows[i].value, set, hol_context_error(ctx));
            if (!(error <= 10)) fail_msg("%s, %s: %.3g tolerances", rows[i].value, set, error);
        }
}

// The potential of the spring and of the jump, 3 N (x - 0.5), is the work: what is lost is far below the tolerance.
static void energy_is_kept(void **state)
{
    (void)state;
    for (int m = 0; hol_methods[m]; m++) {
        char text[1500], set[60];
        const char *const list[] = {set};
        if (hol_methods[m]->teaching) continue;
        const double T = tolerance_of(hol_methods[m]);
        snprintf(text, sizeof text, POINT, "-DX(a) + if(DX(a)-0.5: 0, 0, 3)", "", T);
        snprintf(set, sizeof set, "simulate.method=%s", hol_methods[m]->name);
        motion a = move(text, list, 1);
        assert_int_equal(a.end, HOL_OK);
        const double lost = hol_simulation_statistics(a.sim)->energy_drift_max;
        if (!(lost <= 10 * T)) fail_msg("%s: %g J lost", set, lost);
        close_motion(&a);
    }
}

// An event at the place of a jump.
static void events_at_jumps_happen(void **state)
{
    (void)state;
    for (int m = 0; hol_methods[m]; m++) {
        char text[1500], set[60];
        const char *const list[] = {set};
        if (hol_methods[m]->teaching) continue;
        snprintf(text, sizeof text, POINT, "if(DX(a)-0.5: 0, 0, 100)",
                 "events: [{name: e, when: DX(a)-0.5, stop: true}]\n", tolerance_of(hol_methods[m]));
        snprintf(set, sizeof set, "simulate.method=%s", hol_methods[m]->name);
        motion a = move(text, list, 1);
        assert_int_equal(a.end, HOL_OK);
        const double t = hol_simulation_time(a.sim), x = value_of(&a, "a.x");
        if (!(fabs(t - 0.5) < 1e-6 && fabs(x - 0.5) < 1e-6))
            fail_msg("%s: ended at %.9g s, %.9g m", set, t, x);
        close_motion(&a);
    }
}

// Dry friction that is written with a sign: the user is told what holds the motion, and it is held. genalpha takes 23 steps in a
// microsecond of it, all alike.
static void a_motion_that_is_held_is_told_of(void **state)
{
    const char *const methods[][2] = {{"simulate.method=genalpha", "simulate.end=0.51"},
                                      {"simulate.method=adams", "simulate.end=0.5001"},
                                      {"simulate.method=rk", "simulate.end=0.5001"}};
    (void)state;
    for (int i = 0; i < HOL_COUNT(methods); i++) {
        char text[1500];
        snprintf(text, sizeof text, POINT, "-if(VX(a): -2, 0, 2)", "", 1e-4);
        *told = 0;
        hol_context_set_log(ctx, keep, NULL);
        motion a = move(text, methods[i], 2);
        hol_context_set_log(ctx, NULL, NULL);
        if (!strstr(told, "forces.f") || !strstr(told, "t = 0.5"))
            fail_msg("%s: \"%s\"", methods[i][0], told);
        if (!a.end) assert_float_equal(value_of(&a, "a.x"), 0.25, 1e-4);
        close_motion(&a);
    }
}

// Not those whose steps at a jump are long enough to come to the end, or that see none at the start.
static bool ends_by_name(const hol_method *method, bool of_states)
{
    static const char *const others[] = {"srm", "ros2w", "rk", "rn4"};
    bool found = !method->teaching;
    for (int i = 0; i < (of_states ? 4 : 2); i++) found = found && strcmp(method->name, others[i]) != 0;
    return found;
}

// Such a run does not go on without an end: after some thousand steps, or where steps collapse, the expression is named with a way out. The
// second and the fourth begin on the jump, where nothing ended ways of 1e-320 s. Rates of states are held as well.
static void a_motion_that_is_held_ends_by_name(void **state)
{
    static const struct {
        const char *value, *more, *name;
    } held[] = {{"-if(VX(a): -2, 0, 2) + 0.5", "", "forces.f"},
                {"-if(VX(a)-1: -2, 0, 2) + 0.5", "", "forces.f"},
                {"-s", "states: [{name: s, rate: 'if(s: 3, 1, -1)', initial: 0.3}]\n", "states.s"},
                {"-s", "states: [{name: s, rate: 'if(s: 3, 1, -1)', initial: 0}]\n", "states.s"}};
    (void)state;
    for (int i = 0; i < HOL_COUNT(held); i++)
        for (int m = 0; hol_methods[m]; m++) {
            char text[1500], set[60];
            const char *const list[] = {set};
            if (!ends_by_name(hol_methods[m], i > 1) || !in_sample(m + i, 2, 3)) continue;
            snprintf(text, sizeof text, POINT, held[i].value, held[i].more, 1e-4);
            snprintf(set, sizeof set, "simulate.method=%s", hol_methods[m]->name);
            motion a = move(text, list, 1);
            const char *said = hol_context_error(ctx);
            if (!a.end) fail_msg("%d, %s: came to the end", i, set);
            if (!strstr(said, held[i].name) || !strstr(said, "pushes the motion back from both sides"))
                fail_msg("%d, %s: %s", i, set, said);
            const long steps = hol_simulation_statistics(a.sim)->steps;
            if (steps > 20000) fail_msg("%d, %s: %ld steps", i, set, steps);
            close_motion(&a);
        }
}

// Jumps of several terms, of states and speeds, in one step: each is met once.
static void several_at_once_are_met(void **state)
{
    static const struct {
        const char *text, *signal;
        double right;
        long most; // jumps
    } models[] = {
        // s is 0.5 at 0.4 s and 0.7 at 0.5 s, when 1 N begins; a tenth of a metre on, after sqrt(1.2) - 1 s, it ends
        {"dimension: 2\nbodies: [{name: a, type: point, mass: 1, velocity: [1, 0]}]\n"
         "states: [{name: s, rate: 'if(s-0.5: 1, 1, 2)', initial: 0.1}]\n"
         "forces: [{name: f, type: force, on: a, value: ['if(s-0.7: 0, 0, 1) + if(DX(a)-0.6: 0, 0, -1) + "
         "if(DX(a)-s: 0, 0, 1)', 0]}]\nsimulate: {end: 2}\n",
         "a.x", 2.13861278752583, 4},
        // the angle by the midpoint rule with 2e6 steps
        {"dimension: 2\nbodies: [{name: a, mass: 1, inertia: 1, omega: 3}]\n"
         "joints: [{name: j, type: revolute, between: [ground, a]}]\n"
         "forces: [{name: f, type: torque, on: a, value: '-if(WZ(a)-2: 0, 0, 1) - 0.5*if(WZ(a)-1: 0, 0, 1) + "
         "0.2*mod(AZ(a), 0.5)'}]\nsimulate: {end: 2}\n",
         "a.theta", 3.9578144, 40},
    };
    (void)state;
    for (int i = 0; i < HOL_COUNT(models); i++)
        for (int m = 0; hol_methods[m]; m++) {
            char set[60], tolerance[60];
            const char *const list[] = {set, tolerance};
            if (hol_methods[m]->teaching || !in_sample(i + m, 2, 3)) continue;
            snprintf(set, sizeof set, "simulate.method=%s", hol_methods[m]->name);
            snprintf(tolerance, sizeof tolerance, "simulate.tolerance=%g", tolerance_of(hol_methods[m]));
            motion a = move(models[i].text, list, 2);
            if (a.end) fail_msg("%d, %s: %s", i, set, hol_context_error(ctx));
            const double is = value_of(&a, models[i].signal);
            if (!(fabs(is - models[i].right) <= 10 * tolerance_of(hol_methods[m]) * fmax(1, fabs(is))))
                fail_msg("%d, %s: %.9g instead of %.9g", i, set, is, models[i].right);
            const long met = hol_simulation_statistics(a.sim)->jumps_met;
            if (met < 1 || met > models[i].most) fail_msg("%d, %s: %ld jumps", i, set, met);
            close_motion(&a);
        }
}

// Saved on the way to a jump, at it and behind.
static void a_resumed_run_is_the_same(void **state)
{
    (void)state;
    for (double where = 0.05; where < 0.4; where += 0.05) {
        char text[1500], value[60];
        snprintf(value, sizeof value, "if(DX(a)-%g: 0, 0, 100)", where);
        snprintf(text, sizeof text, POINT, value, "", 1e-3);
        resume_all(text);
    }
}

// A block at rest on dry friction that is written with a sign, without a load: nothing moves, and the jump beside the rest is no stiffness.
static void a_jump_beside_rest_bounds_no_step(void **state)
{
    static const char *const set[] = {"simulate.method=rk", "simulate.method=adams", "simulate.method=bdf"};
    (void)state;
    for (int i = 0; i < HOL_COUNT(set); i++) {
        motion a = open_motion("dimension: 2\nbodies: [{name: b, mass: 1.5, inertia: 0.3}]\njoints: [{name: "
                               "j, type: translational, "
                               "between: [ground, b]}]\nforces: [{name: f, type: force, joint: j, value: "
                               "\"if(j.speed: 3, 0, -3)\"}]\n"
                               "simulate: {end: 1, signals: [j.stroke]}\n",
                               &set[i], 1);
        assert_int_equal(hol_simulation_run(a.sim), HOL_OK);
        const long steps = hol_simulation_statistics(a.sim)->steps;
        if (steps > 100) fail_msg("%s: %ld steps", set[i], steps);
        near(set[i], value_of(&a, "j.stroke"), 0, 1e-15);
        close_motion(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_method_passes_jumps),
                                       cmocka_unit_test(energy_is_kept),
                                       cmocka_unit_test(several_at_once_are_met),
                                       cmocka_unit_test(events_at_jumps_happen),
                                       cmocka_unit_test(a_motion_that_is_held_is_told_of),
                                       cmocka_unit_test(a_motion_that_is_held_ends_by_name),
                                       cmocka_unit_test(a_jump_beside_rest_bounds_no_step),
                                       cmocka_unit_test(a_resumed_run_is_the_same)};
    return cmocka_run_group_tests(tests, start, stop);
}
