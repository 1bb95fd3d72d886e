// Redundant equations cost no steps: a leg of two planar linkages, each closed by a ball joint (two equations too many), against
// the same leg closed by joints that leave the two out. The cranks are short, so that all sets of rows are weak.
#include "harness.h"
#include "integrator/integrator.h"

#include <stdio.h>
#include <string.h>

static const char leg[] =
    "dimension: 3\n"
    "gravity: [0, 0, -9.81]\n"
    "parameters: {r: 0.01}\n"
    "bodies:\n"
    "  - {name: hip, mass: 2, inertia: [0.02, 0.02, 0.01], position: [0, 0, -0.1]}\n"
    "  - {name: thigh, mass: 3, inertia: [0.05, 0.05, 0.01], position: [0, 0, -0.4]}\n"
    "  - {name: rodA, mass: 0.3, inertia: [0.004, 0.004, 0.0004], position: [r, 0, -0.4]}\n"
    "  - {name: crankA, mass: 0.2, inertia: 0.001, position: [r/2, 0, -0.2]}\n"
    "  - {name: shank, mass: 2, inertia: [0.04, 0.04, 0.01], position: [0, 0, -0.9]}\n"
    "  - {name: crankB, mass: 0.2, inertia: 0.001, position: [-0.6*r, 0, -0.35]}\n"
    "  - {name: rodB, mass: 0.3, inertia: [0.006, 0.006, 0.0004], position: [-1.1*r, 0, -0.75]}\n"
    "  - {name: foot, mass: 1, inertia: [0.003, 0.004, 0.003], position: [0.05, 0, -1.2]}\n"
    "joints:\n"
    "  - {name: hip_x, type: revolute, bodies: [ground, hip], at: [0, 0, 0], axis: [1, 0, 0]}\n"
    "  - {name: hip_y, type: revolute, bodies: [hip, thigh], at: [0, 0, -0.2], axis: [0, 1, 0]}\n"
    "  - {name: motorA, type: revolute, bodies: [hip, crankA], at: [0, 0, -0.2], axis: [0, 1, 0]}\n"
    "  - {name: pinA, type: revolute, bodies: [crankA, rodA], at: [r, 0, -0.2], axis: [0, 1, 0]}\n"
    "  - {name: knee, type: revolute, bodies: [thigh, shank], at: [0, 0, -0.6], axis: [0, 1, 0]}\n"
    "  - {name: ballA, %s, bodies: [rodA, shank], at: [r, 0, -0.6]}\n"
    "  - {name: motorB, type: revolute, bodies: [thigh, crankB], at: [0, 0, -0.35], axis: [0, 1, 0]}\n"
    "  - {name: pinB, type: revolute, bodies: [crankB, rodB], at: [-1.1*r, 0, -0.35], axis: [0, 1, 0]}\n"
    "  - {name: ankle, type: revolute, bodies: [shank, foot], at: [0, 0, -1.15], axis: [0, 1, 0]}\n"
    "  - {name: ballB, %s, bodies: [rodB, foot], at: [-1.1*r, 0, -1.15]}\n"
    "simulate: {end: 1}\n";

static const char ball[] = "type: spherical", in_plane_of_motion[] = "type: in-line, axis: [0, 1, 0]";

// Steps to the end, rejected ones too; -1: it does not get there.
static long steps_of(const char *closed_by, const char *how, int redundant, double *foot)
{
    char text[sizeof leg + 200], settings[200];
    const char *set[8];
    snprintf(text, sizeof text, leg, closed_by, closed_by);
    snprintf(settings, sizeof settings, "%s", how);
    hol_model *model = hol_model_parse(ctx, "leg", text, strlen(text), set, split(settings, set, 8));
    assert_non_null(model);
    hol_check *check = hol_check_create(ctx, model);
    assert_non_null(check);
    assert_int_equal(check->n_redundant, redundant);
    hol_check_destroy(check);
    hol_simulation *sim = hol_simulation_create(ctx, model);
    const hol_status st = sim ? hol_simulation_run(sim) : hol_context_status(ctx);
    if (st) print_error("%s, %s: %s\n", closed_by, how, hol_context_error(ctx));
    const hol_statistics *s = st ? NULL : hol_simulation_statistics(sim);
    const long steps = s ? s->steps + s->rejected : -1;
    *foot = s ? signal_value(sim, "foot.z") : 0;
    hol_simulation_destroy(sim);
    hol_model_destroy(model);
    return steps;
}

static int compare(const char *how)
{
    double with_foot, foot;
    const long with = steps_of(ball, how, 2, &with_foot),
               without = steps_of(in_plane_of_motion, how, 0, &foot);
    print_message("%-60s %5ld steps, %5ld without\n", how, with, without);
    // two runs at a tolerance of 1e-4 that round differently
    if (with > 0 && without > 0 && 2 * with <= 3 * without && with_foot - foot < 1e-2 &&
        foot - with_foot < 1e-2)
        return 0;
    print_error("%s: %ld steps, %ld without the redundant rows; foot at %.6f and %.6f m\n", how, with,
                without, with_foot, foot);
    return 1;
}

static void bdf_in_all_formulations(void **state)
{
    static const char *const formulation[] = {"cm-lambda", "ggl", "ggl-star", "cs", "cm", "ggl-star-pinv"};
    int failed = 0;
    (void)state;
    for (int i = 0; i < HOL_COUNT(formulation); i += 1 + few()) {
        char how[120];
        snprintf(how, sizeof how, "simulate.method=bdf simulate.tolerance=1e-2 bdf.formulation=%s",
                 formulation[i]);
        failed += compare(how);
    }
    assert_int_equal(failed, 0);
}

static void every_other_method(void **state)
{
    int failed = 0;
    (void)state;
    for (int m = 0; hol_methods[m]; m++) {
        const char *name = hol_methods[m]->name;
        char how[120];
        if (strcmp(name, "bdf") == 0 || !in_sample(m, 1, 4)) continue; // above
        if (hol_methods[m]->teaching)
            snprintf(how, sizeof how, "simulate.method=%s simulate.step=1e-3", name);
        else
            snprintf(how, sizeof how, "simulate.method=%s simulate.tolerance=%.17g%s", name,
                     tolerance_of_steps(name, 1e-4), strcmp(name, "srm") == 0 ? " srm.eps=3e-3" : "");
        failed += compare(how);
    }
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bdf_in_all_formulations),
                                       cmocka_unit_test(every_other_method)};
    return cmocka_run_group_tests(tests, start, stop);
}
