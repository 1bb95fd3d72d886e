// Public functions of holonom.h in orders that make no sense: it is said, by status and message, and nothing breaks. And the statistics
// one by one.
#include "interface.h"
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ---- wrong orders ---------------------------------------------------------------------------------------------

static hol_simulation *begin(void)
{
    hol_context_clear(ctx);
    hol_simulation *new = hol_simulation_create(ctx, model);
    assert_non_null(new);
    return new;
}

static void refuse_what_comes_first(hol_simulation *s)
{
    USAGE(hol_simulation_write(s, csv), "before the first step");
    USAGE(hol_simulation_report(s, html), "before the first step");
    USAGE(hol_simulation_restart(s, saved), "before the first step");
    assert_int_equal(access(csv, F_OK), -1); // nothing was begun
}

// The header promises it: files and restarts come before the first step, and the run is none the worse for asking later.
static void what_comes_too_late_is_refused(void **state)
{
    bool done = false;
    (void)state;
    hol_simulation *a = begin(), *b = begin();
    remove(csv);
    assert_int_equal(hol_simulation_checkpoint(a, saved), HOL_OK);
    for (int i = 0; !done; i++) {
        assert_int_equal(hol_simulation_step(a, &done), HOL_OK);
        if (i < 3) refuse_what_comes_first(a);
    }
    assert_int_equal(hol_simulation_run(b), HOL_OK);
    const size_t n = (size_t)hol_simulation_signals(a) * sizeof(double);
    double *value = malloc(n);
    assert_non_null(value);
    memcpy(value, hol_simulation_values(a), n);
    assert_memory_equal(value, hol_simulation_values(b), n);
    free(value);
    hol_simulation_finish(a);
    refuse_what_comes_first(a);
    refuse_what_comes_first(b);
    hol_simulation_destroy(a);
    hol_simulation_destroy(b);
}

static void nothing_goes_on_after_the_end(void **state)
{
    bool done = false;
    hol_cost cost[2];
    (void)state;
    hol_simulation *a = begin();
    assert_int_equal(hol_simulation_run(a), HOL_OK);
    const double t = hol_simulation_time(a);
    assert_int_equal(hol_simulation_step(a, &done), HOL_OK); // it is over: nothing is left to be done
    assert_true(done && hol_simulation_time(a) == t);
    assert_int_equal(hol_simulation_run(a), HOL_OK);
    assert_true(hol_simulation_finish(a) == hol_simulation_finish(a));
    assert_true(hol_simulation_costs(a, cost, 2) > 0);
    assert_int_equal(hol_simulation_costs(a, cost, 2), 0); // once
    hol_simulation_destroy(a);

    a = begin(); // finished on the way, it is not at its end
    assert_int_equal(hol_simulation_step(a, &done), HOL_OK);
    hol_simulation_finish(a);
    USAGE(hol_simulation_step(a, &done), "finished");
    assert_true(done);
    USAGE(hol_simulation_run(a), "finished");
    hol_simulation_destroy(a);

    a = begin(); // finished before it began
    hol_simulation_finish(a);
    refuse_what_comes_first(a);
    USAGE(hol_simulation_run(a), "finished");
    hol_simulation_destroy(a);
}

// A restart that is refused leaves the simulation at its own start; one that is taken over is refused nothing later.
static void a_refused_restart_does_no_harm(void **state)
{
    static const char *const other[] = {"bodies.arm.mass=2"};
    (void)state;
    hol_model *heavy = hol_model_parse(ctx, "a", ARM, strlen(ARM), other, 1);
    if (!heavy) fail_msg("%s", hol_context_error(ctx));
    hol_simulation *a = begin(), *b = begin(), *c = hol_simulation_create(ctx, heavy);
    bool done = false;
    for (int i = 0; i < 3; i++) assert_int_equal(hol_simulation_step(c, &done), HOL_OK);
    assert_int_equal(hol_simulation_checkpoint(c, saved), HOL_OK);
    USAGE(hol_simulation_restart(a, saved), "another model");
    assert_int_equal(hol_simulation_restart(a, "/tmp/no/such/file"), HOL_ERR_IO);
    assert_true(hol_simulation_time(a) == 0);
    assert_int_equal(hol_simulation_run(a), HOL_OK);
    assert_int_equal(hol_simulation_run(b), HOL_OK);
    const hol_statistics *s = hol_simulation_finish(a), *t = hol_simulation_finish(b);
    assert_true(s->steps == t->steps && s->energy_drift_max == t->energy_drift_max);
    const double x = hol_simulation_values(a)[1];
    assert_true(x == hol_simulation_values(b)[1]);
    hol_simulation_destroy(a);
    hol_simulation_destroy(b);
    hol_simulation_destroy(c);
    hol_model_destroy(heavy);
}

// ---- one by one -----------------------------------------------------------------------------------------------

// Number i by its name; NaN: it does not apply.
static double statistic(const hol_simulation *s, const char *name)
{
    hol_statistic one;
    for (int i = 0; hol_simulation_statistic(s, i, &one); i++)
        if (strcmp(one.name, name) == 0) return one.value;
    fail_msg("there is no statistic %s", name);
    return 0;
}

// The statistics one by one are members of the structure; what does not apply has no value.
static void statistics_one_by_one(void **state)
{
    static const char *const with[][2] = {{"simulate.method=hht", "simulate.step=0.01"},
                                          {"simulate.method=hht", "simulate.tolerance=1e-4"},
                                          {"simulate.method=srm", "simulate.tolerance=1e-4"}};
    (void)state;
    for (int k = 0; k < HOL_COUNT(with); k++) {
        hol_model *m = load_model("four_bar", with[k], 2);
        hol_simulation *s = hol_simulation_create(ctx, m);
        bool done = false;
        for (int i = 0; i < 20 && !done; i++) assert_int_equal(hol_simulation_step(s, &done), HOL_OK);
        const hol_statistics *all = hol_simulation_finish(s);
        hol_statistic one;
        for (int i = 0; hol_simulation_statistic(s, i, &one); i++) {
            assert_true(*one.name && *one.doc && one.unit && (one.applies || isnan(one.value)));
            if (k == 2 && strncmp(one.name, "srm", 3) == 0) assert_true(one.applies);
        }
        assert_true(all->steps == 20 && statistic(s, "steps") == 20);
        assert_true(all->residuals && statistic(s, "residuals") == (double)all->residuals);
        assert_true(statistic(s, "h_max") == all->h_max && all->h_max > 0);
        assert_true(statistic(s, "energy_drift_max") == all->energy_drift_max);
        if (k)
            assert_true(statistic(s, "tolerance") == 1e-4);
        else
            assert_true(isnan(statistic(s, "tolerance")));
        if (k == 2)
            assert_true(all->srm_most > 0 && statistic(s, "srm_most") == all->srm_most);
        else
            assert_true(isnan(statistic(s, "srm_most")));
        hol_simulation_destroy(s);
        hol_model_destroy(m);
    }
}

// ---- the files -------------------------------------------------------------------------------------------------

// A result belongs to the simulation that writes it: nothing else of the same program takes its place.
static void a_result_being_written_is_not_replaced(void **state)
{
    bool done;
    (void)state;
    hol_simulation *other = hol_simulation_create(ctx, model), *writer = hol_simulation_create(ctx, model);
    hol_modes *m = hol_modes_create(ctx, model, NULL);
    assert_true(other && writer && m);
    char place[80];
    snprintf(place, sizeof place, "%s/held.csv", folder);
    assert_int_equal(hol_simulation_write(writer, place), HOL_OK);
    assert_int_equal(hol_simulation_step(writer, &done), HOL_OK);
    const hol_status refused[] = {hol_simulation_checkpoint(writer, place),
                                  hol_simulation_checkpoint(other, place), hol_simulation_write(other, place),
                                  hol_modes_write(ctx, m, place)};
    assert_non_null(
        strstr(hol_context_error(ctx), "held.csv: cannot be written: it is being written already"));
    for (int i = 0; i < (int)(sizeof refused / sizeof *refused); i++) {
        if (refused[i] != HOL_ERR_IO) print_error("writer %d\n", i);
        assert_int_equal(refused[i], HOL_ERR_IO);
    }
    assert_int_equal(hol_simulation_run(writer), HOL_OK);
    assert_int_equal(hol_simulation_finish(writer)->status, HOL_OK);
    hol_result *r = hol_result_read(ctx, place);
    assert_non_null(r);
    assert_true(r->complete);
    hol_result_destroy(r);
    assert_int_equal(hol_simulation_checkpoint(other, place), HOL_OK); // the place is free
    assert_int_equal(unlink(place), 0);
    hol_modes_destroy(m);
    hol_simulation_destroy(other);
    hol_simulation_destroy(writer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_comes_too_late_is_refused), cmocka_unit_test(nothing_goes_on_after_the_end),
        cmocka_unit_test(a_refused_restart_does_no_harm),
        cmocka_unit_test(a_result_being_written_is_not_replaced), cmocka_unit_test(statistics_one_by_one)};
    return cmocka_run_group_tests(tests, prepare, clean);
}
