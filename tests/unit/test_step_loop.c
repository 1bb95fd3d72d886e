// The step loop allocates nothing: every malloc of the process is counted, libraries included.
#include "../allocations.h"
#include "holonom.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void steps_of_size(const char *file, const char *method, const char *option, const char *size)
{
    char set[2][60];
    const char *list[] = {set[0], set[1], option, size};
    snprintf(set[0], sizeof set[0], "simulate.method=%s", method);
    const bool steps = !strstr(option, "tolerance") && !strstr(option, "step"); // of the usual size
    snprintf(set[1], sizeof set[1], "simulate.end=0.2");
    hol_context *ctx = hol_context_create();
    hol_model *model = hol_model_load(ctx, file, list, steps ? 4 : 3);
    assert_non_null(model);
    hol_simulation *sim = hol_simulation_create(ctx, model);
    assert_non_null(sim);
    bool done = false;
    assert_int_equal(hol_simulation_step(sim, &done), HOL_OK);
    const long before = allocations;
    while (!done) assert_int_equal(hol_simulation_step(sim, &done), HOL_OK);
    const long made = allocations - before;
    assert_non_null(hol_simulation_values(sim));
    if (made) print_error("%s, %s: %ld allocations in the step loop\n", file, method, made);
    assert_int_equal(made, 0);
    hol_simulation_destroy(sim);
    hol_model_destroy(model);
    hol_context_destroy(ctx);
}

static void steps_of(const char *file, const char *method, const char *option)
{
    steps_of_size(file, method, option, "simulate.step=1e-3");
}

static void the_step_loop_allocates_nothing(void **state)
{
    static const char *const models[] = {"models/pendulum.yaml", "models/double_pendulum.yaml",
                                         "models/four_bar.yaml", "models/bricard.yaml",
                                         "models/flyball.yaml",  "models/car_axis.yaml"};
    static const char *const methods[] = {"hht", "newmark", "genalpha"};
    (void)state;
    if (!INTERPOSED) skip();
    for (size_t i = 0; i < sizeof models / sizeof *models; i++)
        for (size_t k = 0; k < sizeof methods / sizeof *methods; k++)
            steps_of(models[i], methods[k], "simulate.output=0.1");
    for (size_t i = 0; i < sizeof models / sizeof *models; i++)
        if (!strstr(models[i], "flyball")) // as the shaft turns, the sparse solver chooses its pivots anew
            steps_of(models[i], "adams", "simulate.tolerance=1e-5");
    for (size_t i = 0; i < sizeof models / sizeof *models; i++)
        if (!strstr(models[i], "flyball")) steps_of(models[i], "bdf", "simulate.tolerance=1e-5");
}

// Models in which the sparse solver need not choose its pivots anew on the way.
static void nor_do_rosenbrock_methods(void **state)
{
    static const struct {
        const char *model, *method, *option;
    } rows[] = {{"models/pendulum.yaml", "rn4", "rn4.linear=dense"},
                {"models/pendulum.yaml", "rn4", "rn4.coordinates=partition"},
                {"models/double_pendulum.yaml", "ros2w", "ros2w.gamma=small"},
                {"models/bricard.yaml", "rn4", "rn4.linear=dense"},
                {"models/bricard.yaml", "rn4", "rn4.linear=sparse"},
                {"models/car_axis.yaml", "ros2w", "ros2w.linear=sparse"},
                {"models/hydraulic.yaml", "rn4", "rn4.linear=sparse"},
                {"models/rolling_disc.yaml", "rn4", "rn4.linear=dense"},
                {"models/knife_edge.yaml", "ros2w", "ros2w.gamma=small"},
                {"models/pendulum.yaml", "tangent", "tangent.basis=sparse"},
                {"models/bricard.yaml", "tangent", "simulate.step=1e-2"},
                {"models/car_axis.yaml", "tangent", "tangent.rule=fox-goodwin"},
                {"models/hydraulic.yaml", "tangent", "tangent.rule=hht"},
                {"models/knife_edge.yaml", "tangent", "tangent.rule=genalpha"}};
    (void)state;
    if (!INTERPOSED) skip();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        steps_of(rows[i].model, rows[i].method, rows[i].option);
}

static void nor_do_teaching_methods(void **state)
{
    static const char *const models[] = {"models/pendulum.yaml", "models/four_bar.yaml",
                                         "models/bricard.yaml", "models/car_axis.yaml"};
    hol_method_info method;
    (void)state;
    if (!INTERPOSED) skip();
    for (size_t i = 0; i < sizeof models / sizeof *models; i++)
        for (int k = 0; hol_method_list(k, &method); k++)
            if (method.fixed_steps) steps_of(models[i], method.name, "simulate.output=0.1");
}

// Along the tree of joints, without the system's matrix.
static void nor_do_tree_solvers(void **state)
{
    static const char *const models[] = {"models/ladder.yaml", "models/net.yaml", "models/ring.yaml"};
    (void)state;
    if (!INTERPOSED) skip();
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        steps_of(models[i], "srm", "simulate.output=0.1");
        steps_of(models[i], "srm", "simulate.tolerance=1e-3");
        steps_of(models[i], "rk", "rk.solve=tree");
    }
    // Not hydraulic: where its growth is looked for, the sparse solver chooses its pivots anew.
    static const char *const open[] = {"models/flyball.yaml", "models/double_pendulum.yaml",
                                       "models/double_pendulum_3d.yaml"};
    for (size_t i = 0; i < sizeof open / sizeof *open; i++)
        steps_of(open[i], "joint_bdf", "simulate.tolerance=1e-5");
}

static void the_count_sees_an_allocation(void **state)
{
    (void)state;
    if (!INTERPOSED) skip();
    const long before = allocations;
    void *volatile p = malloc(10);
    free(p);
    assert_int_equal(allocations - before, 1);
}

// Pairs that come near each other and part again, in rooms that are there.
static void swarms_allocate_nothing(void **state)
{
    (void)state;
    if (!INTERPOSED) skip();
    steps_of_size("models/swarms/heap.yaml", "rk", "parameters.Z=2", "simulate.step=2e-4");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nor_do_tree_solvers),
                                       cmocka_unit_test(the_count_sees_an_allocation),
                                       cmocka_unit_test(the_step_loop_allocates_nothing),
                                       cmocka_unit_test(swarms_allocate_nothing),
                                       cmocka_unit_test(nor_do_rosenbrock_methods),
                                       cmocka_unit_test(nor_do_teaching_methods)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
