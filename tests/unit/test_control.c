// What users may set of the error control: fac, facmin, facmax, and the mean of the error test of the Rosenbrock methods.
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_STEPS = 20000 };

typedef struct {
    long steps, rejected;
    double growth; // largest ratio of a step to the one before it
    double angle;  // rod1.theta at the end
} control_run;

// The stiff double pendulum over 2 s; more: settings.
static control_run steps_of(const char *method, const char *tolerance, const char *more)
{
    char text[300];
    const char *set[12];
    snprintf(text, sizeof text, "simulate.method=%s step_tolerance=%s simulate.end=2 simulate.max_step=2 %s",
             method, tolerance, more);
    motion a = open_motion("double_pendulum", set, split(text, set, 12));
    control_run out = {0};
    double before = 0, t = 0;
    for (bool done = false; !done;) {
        assert_int_equal(hol_simulation_step(a.sim, &done), HOL_OK);
        const double h = hol_simulation_time(a.sim) - t;
        if (before > 0 && !done) out.growth = fmax(out.growth, h / before);
        before = h;
        t += h;
    }
    out.angle = signal_value(a.sim, "rod1.theta");
    const hol_statistics *s = hol_simulation_finish(a.sim);
    out.steps = s->steps;
    out.rejected = s->rejected;
    close_motion(&a);
    return out;
}

static const char *const methods[] = {"newmark", "rn4", "ros2w"};

// A step is at most facmax times the one before; the usual 5 is used where it is allowed.
static void steps_grow_by_facmax_at_most(void **state)
{
    (void)state;
    for (int i = 0; i < HOL_COUNT(methods); i++) {
        char set[60];
        const control_run usual = steps_of(methods[i], "1e-4", "");
        assert_true(usual.growth > 1.5 && usual.growth <= 5 * (1 + 1e-12));
        for (double most = 1.2; most < 4; most *= 1.6) {
            snprintf(set, sizeof set, "simulate.%s.facmax=%.17g", methods[i], most);
            const control_run r = steps_of(methods[i], "1e-4", set);
            print_message("%s, facmax %.3g: %ld steps, growth %.3g\n", methods[i], most, r.steps, r.growth);
            assert_true(r.growth <= most * (1 + 1e-9) && r.growth > 1.1);
        }
        snprintf(set, sizeof set, "simulate.%s.facmax=%.17g", methods[i], 5.0); // the default, bit for bit
        const control_run same = steps_of(methods[i], "1e-4", set);
        assert_true(same.angle == usual.angle && same.steps == usual.steps);
    }
}

// Errors go with the power of the step, so that steps settle at a size that is proportional to fac.
static void steps_are_proportional_to_fac(void **state)
{
    (void)state;
    for (int i = 0; i < HOL_COUNT(methods); i++) {
        char set[60];
        const control_run usual = steps_of(methods[i], "1e-5", "");
        snprintf(set, sizeof set, "simulate.%s.fac=0.5", methods[i]);
        const control_run half = steps_of(methods[i], "1e-5", set);
        print_message("%s: %ld steps, %ld with fac 0.5\n", methods[i], usual.steps, half.steps);
        near("ratio of the steps", (double)half.steps / (double)usual.steps, 0.9 / 0.5, 0.25);
        assert_true(half.rejected <= usual.rejected);
    }
}

// Where the motion wants a step much shorter than the last, attempts that may shrink by a tenth only are many.
static void attempts_shrink_by_facmin_at_most(void **state)
{
    (void)state;
    const control_run usual = steps_of("newmark", "1e-3", ""),
                      slow = steps_of("newmark", "1e-3", "simulate.newmark.facmin=0.9");
    print_message("newmark: %ld rejected, %ld with facmin 0.9\n", usual.rejected, slow.rejected);
    assert_true(slow.rejected > usual.rejected);
}

static void factors_that_cannot_be_are_refused(void **state)
{
    static const char *const wrong[] = {
        "simulate.newmark.fac=1.01", "simulate.newmark.fac=0.09",  "simulate.rn4.facmin=0.91",
        "simulate.rn4.facmin=0.001", "simulate.ros2w.facmax=1.19", "simulate.ros2w.facmax=-3",
        "simulate.hht.fac=0.9", // not the method's
    };
    (void)state;
    for (int i = 0; i < HOL_COUNT(wrong); i++)
        if (hol_model_load(ctx, "models/pendulum.yaml", &wrong[i], 1)) fail_msg("%s is taken", wrong[i]);
}

// ---- the mean of the error test -------------------------------------------------------------------------------

static long welded(const char *chart, const char *errors, int bodies)
{
    char text[2000], setting[200];
    const char *set[8];
    int n = snprintf(text, sizeof text,
                     "dimension: 2\ngravity: [0, -9.81]\nlength_scale: 1\nbodies:\n"
                     "  - {name: bob, type: point, mass: 1, position: [0.8, -0.6]}\n");
    for (int i = 0; i < bodies; i++)
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "  - {name: still%d, mass: 1, inertia: 1, position: [3, %d]}\n", i, i);
    n += snprintf(text + n, sizeof text - (size_t)n,
                  "joints:\n  - {name: rod, type: distance, between: [ground, bob], length: 1}\n");
    for (int i = 0; i < bodies; i++)
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "  - {name: weld%d, type: fixed, between: [ground: [3, %d], still%d]}\n", i, i, i);
    snprintf(setting, sizeof setting,
             "simulate.end=4 simulate.method=rn4 simulate.tolerance=1e-6 simulate.rn4.coordinates=%s "
             "simulate.rn4.errors=%s",
             chart, errors);
    motion a = move(text, set, split(setting, set, 8));
    assert_int_equal(a.end, HOL_OK);
    const long steps = hol_simulation_statistics(a.sim)->steps;
    close_motion(&a);
    return steps;
}

// As published the mean is over the degrees of freedom: bodies that cannot move take no part in it, in either chart. By bodies the worst counts.
static void the_published_mean_is_over_the_degrees_of_freedom(void **state)
{
    (void)state;
    const char *const charts[] = {"partition", "tangent"};
    for (int i = 0; i < 2; i++) {
        const long alone = welded(charts[i], "paper", 0), among = welded(charts[i], "paper", 8);
        print_message("%s: %ld steps alone, %ld beside 8 bodies at rest\n", charts[i], alone, among);
        assert_int_equal(alone, among);
    }
    assert_int_equal(welded("tangent", "bodies", 8), welded("tangent", "bodies", 0));
}

static void the_published_mean_needs_coordinates(void **state)
{
    const char *set[] = {"simulate.method=rn4", "simulate.rn4.errors=paper", "simulate.rn4.linear=sparse",
                         "simulate.rn4.coordinates=tangent"};
    (void)state;
    hol_model *model = load_model("pendulum", set, 4);
    assert_null(hol_simulation_create(ctx, model));
    expect_message("errors: paper");
    hol_model_destroy(model);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(steps_grow_by_facmax_at_most),
        TEST(steps_are_proportional_to_fac),
        TEST(attempts_shrink_by_facmin_at_most),
        TEST(factors_that_cannot_be_are_refused),
        TEST(the_published_mean_is_over_the_degrees_of_freedom),
        TEST(the_published_mean_needs_coordinates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
