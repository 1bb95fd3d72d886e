// omega_max and the largest stable step. docs/theory.md, section 13.
#include "modes_of.h"
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- omega_max ------------------------------------------------------------------------------------------------

// sqrt(g/L) = 3.1304951 1/s in Fernandez de Bustos et al. 2021.
static void the_stiff_pendulum(void **state)
{
    (void)state;
    hol_modes *m = modes_of("stiff_pendulum");
    close_to("omega_max", m->omega_max, sqrt(9.8), 1e-12);
    assert_true(fabs(m->omega_max - 3.1304951) < 1e-7);
    hol_modes_destroy(m);
}

static void it_is_a_signal_by_its_name_only(void **state)
{
    const char *set[] = {"simulate.signals=[omega_max,bob.theta,bob.omega]", "simulate.end=3",
                         "parameters.theta=0.8", "parameters.T0=0"};
    (void)state;
    hol_model *model = load_model("stiff_pendulum", set, 4);
    hol_simulation *sim = hol_simulation_create(ctx, model);
    bool done = false;
    assert_int_equal(hol_simulation_find_signal(sim, "omega_max"), 0);
    assert_string_equal(hol_simulation_signal_unit(sim, 0), "rad/s");
    while (!done) {
        assert_int_equal(hol_simulation_step(sim, &done), HOL_OK);
        const double *value = hol_simulation_values(sim);
        close_to("omega_max", value[0], sqrt(9.8 * cos(value[1]) + value[2] * value[2]), 1e-9);
    }
    const long before = hol_memory_count(ctx);
    hol_simulation_values(sim);
    assert_int_equal(hol_memory_count(ctx), before);
    hol_simulation_destroy(sim);
    hol_model_destroy(model);
    model = load_model("stiff_pendulum", (const char *[]){"simulate.signals=[all]"}, 1);
    sim = hol_simulation_create(ctx, model);
    assert_int_equal(hol_simulation_find_signal(sim, "omega_max"), -1);
    hol_simulation_destroy(sim);
    hol_model_destroy(model);
}

// Redundant loops whose rows are chosen anew on the way.
static void it_follows_the_rows(void **state)
{
    const char *set[] = {"simulate.signals=[omega_max]", "simulate.end=3"};
    double most = 0;
    bool done = false;
    (void)state;
    hol_model *model = load_model("bricard", set, 2);
    hol_simulation *sim = hol_simulation_create(ctx, model);
    while (!done) {
        assert_int_equal(hol_simulation_step(sim, &done), HOL_OK);
        const double w = hol_simulation_values(sim)[0];
        assert_true(isfinite(w));
        most = fmax(most, w);
    }
    assert_true(most > 1 && most < 1e3);
    hol_simulation_destroy(sim);
    hol_model_destroy(model);
}

static double stable_step(const char *step, const char *beta)
{
    char line[60];
    snprintf(line, sizeof line, "newmark.beta=%s", beta);
    const char *set[] = {"simulate.method=newmark", step, "newmark.gamma=0.5", line, "simulate.end=0.01"};
    *warning = 0;
    hol_model *model = load_model("stiff_pendulum", set, 5);
    hol_simulation *sim = hol_simulation_create(ctx, model);
    assert_non_null(sim);
    const double h = hol_simulation_statistics(sim)->stable_step;
    hol_simulation_destroy(sim);
    hol_model_destroy(model);
    return h;
}

static void the_largest_stable_step(void **state)
{
    (void)state;
    close_to("Fox-Goodwin", stable_step("simulate.step=0.79", "1/12"), sqrt(6 / 9.8), 1e-9);
    assert_non_null(strstr(warning, "the step of 0.79 s is above the largest stable one, 0.782461 s"));
    close_to("linear acceleration", stable_step("simulate.step=0.79", "1/6"), sqrt(12 / 9.8), 1e-9);
    assert_string_equal(warning, "");
    assert_true(stable_step("simulate.step=0.79", "1/4") == 0); // stable for all
    assert_string_equal(warning, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_stiff_pendulum),
        cmocka_unit_test(it_is_a_signal_by_its_name_only),
        cmocka_unit_test(it_follows_the_rows),
        cmocka_unit_test(the_largest_stable_step),
    };
    return cmocka_run_group_tests(tests, start_listening, stop);
}
