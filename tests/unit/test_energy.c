// The energy as a check of a run: what is lost by errors, and not explained by the tolerance, is warned of.
#include "harness.h"
#include "analysis/energy.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

static char told[2000];

static void keep(void *user, hol_severity severity, const char *text)
{
    (void)user, (void)severity;
    if (strstr(text, "lost or made by errors")) snprintf(told, sizeof told, "%s", text);
}

// A mass of 1 kg that falls 1 m on a spring instead of a rod, 5 s. With 1e10 N/m and hht at 2e-2 and 5e-3 the energy at the end is that
// of another motion (off by more than its 9.81 J); at 2e-4 it is right to 5e-4 J, and at 1e4 N/m all of these are right to 6e-2 J.
static void a_spring_too_stiff_for_its_steps_is_told(void **state)
{
    static const struct {
        const char *stiffness, *tolerance, *method;
        bool lost;
    } rows[] = {{"1e10", "1e-1", "hht", true},  {"1e10", "2e-2", "hht", true}, {"1e10", "5e-3", "hht", true},
                {"1e10", "2e-4", "hht", false}, {"1e4", "2e-2", "hht", false}, {"1e4", "5e-3", "hht", false},
                {"1e4", "1e-3", "bdf", false},  {"1e4", "5e-4", "rk", false}};
    char text[600];
    (void)state;
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        snprintf(
            text, sizeof text,
            "dimension: 2\ngravity: [0, -9.81]\nbodies: [{name: a, type: point, mass: 1, position: [1, 0]}]\n"
            "forces: [{name: f, type: spring-damper, between: [ground, a], stiffness: %s, length: 1}]\n"
            "simulate: {end: 5, method: %s, tolerance: %s, output: 0.1}\n",
            rows[i].stiffness, rows[i].method, rows[i].tolerance);
        *told = 0;
        hol_context_set_log(ctx, keep, NULL);
        motion a = move(text, NULL, 0);
        assert_int_equal(a.end, HOL_OK);
        close_motion(&a);
        if ((*told != 0) != rows[i].lost)
            fail_msg("%s N/m, %s at %s: \"%s\"", rows[i].stiffness, rows[i].method, rows[i].tolerance, told);
    }
    hol_context_set_log(ctx, NULL, NULL);
}

// A driver that goes from one angle to another in 0.02 s of 2 s: its power is summed to some percent, and the motion is exact.
static void the_sum_of_a_quick_power_is_no_loss(void **state)
{
    static const char *const methods[] = {"simulate.method=rk", "simulate.method=rn4", "simulate.method=bdf"};
    (void)state;
    for (int i = 0; i < HOL_COUNT(methods); i++) {
        *told = 0;
        hol_context_set_log(ctx, keep, NULL);
        motion a =
            move("dimension: 2\ngravity: [0, -9.81]\nbodies: [{name: rod, mass: 1, inertia: 1}]\n"
                 "joints: [{name: p, type: revolute, bodies: [ground, rod], at: [0, 0]}]\n"
                 "drivers: [{name: d, type: angle, joint: p, value: 'step5(time, 1, 0.2, 1.02, 0.7)'}]\n"
                 "simulate: {end: 2, tolerance: 1e-4}\n",
                 &methods[i], 1);
        assert_int_equal(a.end, HOL_OK);
        close_motion(&a);
        if (*told) fail_msg("%s: %s", methods[i], told);
    }
    hol_context_set_log(ctx, NULL, NULL);
}

// Numbers by hand: 2 J move about, of which hht at 1e-3, 1e-6 for a step, may lose 30 * 10 * 1e-4 = 3 %, rk at 5e-6 300e-6.
static void what_is_allowed_follows_the_tolerance(void **state)
{
    static const char *const text =
        "dimension: 2\nbodies: [{name: a, type: point, mass: 1}]\n%ssimulate: {end: 1, "
        "method: %s, tolerance: %s}\n";
    static const struct {
        const char *method, *more;
        double turns, drift;
        bool told;
    } rows[] = {{"hht", "", 1, 0.059, false},
                {"hht", "", 1, 0.061, true},
                {"hht", "", 15, 0.061, false}, // longer, in proportion, but at most 5 %
                {"hht", "", 15, 0.089, false},
                {"hht", "", 1000, 0.101, true},
                {"rk", "", 1, 5.9e-4, false},
                {"rk", "", 1, 6.1e-4, true},
                {"rk", "", 100, 5.9e-3, false},
                {"rk", "", 100, 6.1e-3, true},
                {"rk", "", 0.9e-6, 1, false}, // nothing has moved by a tolerance
                {"rk", "", 1.1e-6, 1, true},
                {"rk", "parameters: {p: 1}\nevents: [{name: e, at: 0.5, set: {p: 2}}]\n", 1, 1, false}};
    (void)state;
    hol_context_set_log(ctx, keep, NULL);
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        char model[600];
        hol_settings set;
        snprintf(model, sizeof model, text, rows[i].more, rows[i].method,
                 *rows[i].method == 'h' ? "1e-3" : "5e-6");
        hol_model_data *m = compile(model, NULL, 0);
        assert_int_equal(hol_settings_read(m, &set), HOL_OK);
        hol_energy e = {0};
        hol_energy_add(&e, &(hol_measure){.kinetic = 1, .potential = 5}, 0, 0, 0);
        hol_energy_add(&e, &(hol_measure){.kinetic = 0, .potential = 7}, 1, -1.5, rows[i].turns);
        *told = 0;
        hol_energy_judge(&e, m, &set, rows[i].drift);
        if ((*told != 0) != rows[i].told) fail_msg("row %d: \"%s\"", i, told);
        hol_model_free(m);
    }
    hol_context_set_log(ctx, NULL, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_spring_too_stiff_for_its_steps_is_told),
                                       cmocka_unit_test(the_sum_of_a_quick_power_is_no_loss),
                                       cmocka_unit_test(what_is_allowed_follows_the_tolerance)};
    return cmocka_run_group_tests(tests, start, stop);
}
