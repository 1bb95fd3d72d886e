// A restarted run equals the uninterrupted one bit for bit; a checkpoint that does not fit is refused.
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char file[] = "/tmp/holonom_checkpoint_XXXXXX";

// NULL: the method does not take the model, or not so.
static hol_simulation *open_run(hol_context *own, hol_model **model, const char *name, const char *method,
                                const char *size)
{
    char path[100], set_method[60];
    // before the singular pose of four_bar; with its own eps srm opens bricard's loops by more than it may
    const char *set[] = {set_method, size, "simulate.end=0.6", "srm.eps=1e-4"};
    snprintf(path, sizeof path, "models/%s.yaml", name);
    snprintf(set_method, sizeof set_method, "simulate.method=%s", method);
    const bool eps = strcmp(method, "srm") == 0 && strstr(size, "tolerance");
    *model = hol_model_load(own, path, set, eps ? 4 : 3);
    return *model ? hol_simulation_create(own, *model) : NULL;
}

// Values of all signals at the end of a run that is saved after `after` steps.
static double *finish(const hol_context *own, hol_simulation *sim, long after, int *n)
{
    bool done = false;
    long i = 0;
    for (; !done; i++) {
        if (i == after) assert_int_equal(hol_simulation_checkpoint(sim, file), HOL_OK);
        const hol_status st = hol_simulation_step(sim, &done);
        if (st) fail_msg("%s: %s", hol_simulation_statistics(sim)->method, hol_context_error(own));
    }
    assert_true(i > after);
    *n = hol_simulation_signals(sim);
    const double *value = hol_simulation_values(sim);
    double *copy = malloc((size_t)*n * sizeof *copy);
    assert_non_null(copy);
    memcpy(copy, value, (size_t)*n * sizeof *copy);
    return copy;
}

// false: the method refuses.
static bool compare(const char *name, const char *method, const char *size, long after)
{
    hol_context *own = hol_context_create();
    hol_model *model[2];
    int n, m;
    hol_simulation *whole = open_run(own, &model[0], name, method, size);
    if (!whole) {
        if (!strstr(hol_context_error(own), method))
            fail_msg("%s %s %s: %s", name, method, size, hol_context_error(own));
        hol_model_destroy(model[0]);
        hol_context_destroy(own);
        return false;
    }
    double *a = finish(own, whole, after, &n);
    hol_simulation *second = open_run(own, &model[1], name, method, size);
    assert_int_equal(hol_simulation_restart(second, file), HOL_OK);
    double *b = finish(own, second, -1, &m);
    assert_int_equal(n, m);
    for (int i = 0; i < n; i++)
        if (memcmp(&a[i], &b[i], sizeof *a) != 0)
            print_error("%s %s %s: %s is %.17g and %.17g\n", name, method, size,
                        hol_simulation_signal_name(whole, i), a[i], b[i]);
    assert_memory_equal(a, b, (size_t)n * sizeof *a);
    const hol_statistics *s = hol_simulation_finish(whole), *t = hol_simulation_finish(second);
    assert_int_equal(s->steps, t->steps);
    assert_int_equal(s->jacobians, t->jacobians);
    assert_int_equal(s->factorizations, t->factorizations);
    assert_true(s->energy_drift_max == t->energy_drift_max);
    free(a);
    free(b);
    hol_simulation_destroy(whole);
    hol_simulation_destroy(second);
    hol_model_destroy(model[0]);
    hol_model_destroy(model[1]);
    hol_context_destroy(own);
    return true;
}

// By every method of the table that takes the model: with fixed steps where they are not stiff, and with a tolerance.
static void a_restarted_run_is_the_same(void **state)
{
    static const struct {
        const char *name;
        const char *step; // NULL: too stiff for explicit methods with fixed steps
    } models[] = {{"pendulum", "simulate.step=1e-2"},
                  {"four_bar", "simulate.step=2e-3"},
                  {"double_pendulum", NULL},
                  {"bricard", "simulate.step=5e-3"},
                  {"flyball", NULL},
                  {"car_axis", NULL},
                  {"impact_stop", "simulate.step=2e-3"},
                  {"inverted_pendulum", "simulate.step=5e-3"}};
    hol_method_info method;
    (void)state;
    for (int k = 0; hol_method_list(k, &method); k++) {
        int taken = 0;
        for (int i = 0; i < HOL_COUNT(models); i++) {
            if (!in_sample(i + k, 2, 4)) continue;
            if (models[i].step) taken += compare(models[i].name, method.name, models[i].step, 37);
            if (!method.fixed_steps)
                taken += compare(models[i].name, method.name, "simulate.tolerance=1e-2", 6);
        }
        if (taken < (goes_far() ? 3 : 1)) fail_msg("%s takes %d of the runs", method.name, taken);
    }
}

static void a_checkpoint_that_does_not_fit_is_refused(void **state)
{
    (void)state;
    hol_context *own = hol_context_create();
    hol_model *model[2];
    hol_simulation *a = open_run(own, &model[0], "four_bar", "hht", "simulate.step=2e-3");
    assert_int_equal(hol_simulation_checkpoint(a, file), HOL_OK);
    hol_simulation *b = open_run(own, &model[1], "four_bar", "newmark", "simulate.step=1e-3");
    assert_int_equal(hol_simulation_restart(b, file), HOL_ERR_USAGE);
    assert_non_null(strstr(
        hol_context_error(own),
        "was made with method hht, this run has newmark: go on with --method hht and steps of 0.002 s"));
    hol_simulation_destroy(b);
    hol_model_destroy(model[1]);
    FILE *f = fopen(file, "r+b"); // one byte of the state is turned over
    assert_non_null(f);
    fseek(f, 100, SEEK_SET);
    const int byte = fgetc(f);
    fseek(f, 100, SEEK_SET);
    fputc(byte ^ 1, f);
    fclose(f);
    b = open_run(own, &model[1], "four_bar", "hht", "simulate.step=2e-3");
    assert_int_equal(hol_simulation_restart(b, file), HOL_ERR_USAGE);
    assert_non_null(strstr(hol_context_error(own), "damaged"));
    hol_simulation_destroy(a);
    hol_simulation_destroy(b);
    hol_model_destroy(model[0]);
    hol_model_destroy(model[1]);
    hol_context_destroy(own);
}

static int make_file(void **state)
{
    (void)state;
    const int fd = mkstemp(file);
    if (fd < 0) return -1;
    FILE *f = fdopen(fd, "w");
    return f ? fclose(f) : -1;
}

static int remove_file(void **state)
{
    (void)state;
    return remove(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_restarted_run_is_the_same),
                                       cmocka_unit_test(a_checkpoint_that_does_not_fit_is_refused)};
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
