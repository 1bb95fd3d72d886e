// What a run says about its work: what limited the steps, which elements cost most, evaluations counted.
#include "harness.h"
#include "integrator/integrator.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const hol_statistics *statistics(const motion *m) { return hol_simulation_finish(m->sim); }

static motion run_with(const char *model, const char *settings)
{
    char text[300];
    const char *set[8];
    snprintf(text, sizeof text, "%s", settings);
    const int n = split(text, set, 8);
    motion m = move(model, set, n);
    if (m.end) print_error("%s %s: %s\n", model, settings, hol_context_error(ctx));
    assert_int_equal(m.end, HOL_OK);
    return m;
}

static long limited(const hol_statistics *s)
{
    long sum = 0;
    for (int i = 0; i < HOL_LIMITS; i++) {
        assert_true(s->limited[i] >= 0);
        sum += s->limited[i];
    }
    return sum;
}

// ---- what limited the steps -----------------------------------------------------------------------------------

static void every_step_has_its_limit(void **state)
{
    int tried = 0;
    (void)state;
    for (const hol_method *const *m = hol_methods; *m; m++)
        for (int fixed = 0; fixed < 2; fixed++) {
            char set[200];
            snprintf(set, sizeof set, "simulate.method=%s simulate.%s simulate.end=0.105", (*m)->name,
                     fixed ? "step=0.01" : "tolerance=1e-3");
            char text[200];
            const char *list[4];
            snprintf(text, sizeof text, "%s", set);
            const int n = split(text, list, 4);
            hol_model *model = hol_model_load(ctx, "models/slider_crank.yaml", list, n);
            hol_simulation *sim = model ? hol_simulation_create(ctx, model) : NULL;
            if (sim) { // a method may refuse one of the two
                tried++;
                assert_int_equal(hol_simulation_run(sim), HOL_OK);
                const hol_statistics *s = hol_simulation_finish(sim);
                assert_int_equal(limited(s), s->steps);
                assert_int_equal(s->limited[HOL_LIMIT_STOP], 1);
                assert_int_equal(s->limited[HOL_LIMIT_FIXED], fixed ? 10 : 0);
                char words[300];
                hol_limits_text(s, words, sizeof words);
                assert_non_null(strstr(words, "end 1 ("));
                if (fixed) assert_string_equal(words, "fixed step 10 (91 %), end 1 (9 %)");
            }
            hol_simulation_destroy(sim);
            hol_model_destroy(model);
        }
    assert_true(tried >= 20);
}

static const char falling[] =
    "{dimension: 2, gravity: [0, -10], bodies: [{name: stone, type: point, mass: 2, position: [0, 1]}],"
    " events: [{name: half, when: DY(stone) - 0.5, print: half}, {name: floor, when: DY(stone), stop: yes}],"
    " simulate: {end: 5}}";

static void limits_are_told_apart(void **state)
{
    static const struct {
        const char *model, *settings;
        hol_limit limit;
        double least, most; // share
        const char *word;
    } rows[] = {
        {"four_bar", "simulate.method=rk simulate.tolerance=1e-5", HOL_LIMIT_POSE, 0.1, 0.4, "singular pose"},
        {"four_bar", "simulate.method=rk simulate.tolerance=1e-5", HOL_LIMIT_ERROR, 0.6, 0.9, "error"},
        {"pendulum", "simulate.method=rk simulate.tolerance=1e-2 simulate.max_step=0.01", HOL_LIMIT_MAX_STEP,
         0.9, 1, "max_step"},
        {falling, "simulate.tolerance=1e-8", HOL_LIMIT_EVENT, 0.1, 0.5, "event"},
        {"impact_stop", "simulate.method=hht simulate.tolerance=1e-2", HOL_LIMIT_FAILURE, 0.001, 0.1,
         "Newton"},
        {"four_bar", "simulate.method=srm srm.eps=1e-4 simulate.tolerance=0.5 simulate.end=0.1",
         HOL_LIMIT_STABILITY, 0.5, 1, "stability"},
        {"oblique_sphere", "simulate.method=adams simulate.tolerance=1e-4 simulate.end=0.3",
         HOL_LIMIT_STABILITY, 0, 0, NULL},
    };
    (void)state;
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        motion m = run_with(rows[i].model, rows[i].settings);
        const hol_statistics *s = statistics(&m);
        const double share = (double)s->limited[rows[i].limit] / (double)s->steps;
        char text[300];
        hol_limits_text(s, text, sizeof text);
        print_message("%s %s: %s\n", rows[i].model, rows[i].settings, text);
        assert_int_equal(limited(s), s->steps);
        assert_true(share >= rows[i].least && share <= rows[i].most);
        if (rows[i].word) assert_non_null(strstr(text, rows[i].word));
        close_motion(&m);
    }
}

// A damper of 1e5 1/s: an explicit method can take steps of about 3e-5 s, however slow the motion is.
static void stability_limits_an_explicit_method(void **state)
{
    static const char damped[] =
        "{dimension: 2, gravity: [0, 0],"
        " bodies: [{name: slow, type: point, mass: 1, position: [1, 0], velocity: [0, 1]}],"
        " forces: [{name: damper, type: spring-damper, between: [ground, slow], length: 1, stiffness: 1e5, "
        "damping: 1e5}],"
        " simulate: {method: rk, tolerance: 1e-4, end: 0.1}}";
    (void)state;
    static const char *const method[] = {"simulate.method=rk", "simulate.method=adams"};
    for (int i = 0; i < 2; i++) {
        motion m = run_with(damped, method[i]);
        const hol_statistics *s = statistics(&m);
        char text[300];
        hol_limits_text(s, text, sizeof text);
        print_message("%s: %ld steps: %s, stiff step %.1e\n", method[i], s->steps, text, s->stiff_step);
        assert_int_equal(limited(s), s->steps);
        assert_true((double)s->limited[HOL_LIMIT_STABILITY] > 0.5 * (double)s->steps);
        close_motion(&m);
    }
}

// ---- what elements cost ---------------------------------------------------------------------------------------

static int costs_of(const char *model, const char *settings, hol_cost *cost, int most)
{
    motion m = run_with(model, settings);
    statistics(&m);
    const int n = hol_simulation_costs(m.sim, cost, most);
    double share = 0;
    assert_in_range(n, 0, most);
    for (int i = 0; i < n; i++) {
        assert_true(cost[i].cpu_seconds > 0 && isfinite(cost[i].cpu_seconds));
        assert_true(i == 0 || cost[i].cpu_seconds <= cost[i - 1].cpu_seconds);
        share += cost[i].share;
        print_message("%.60s %s: %s (%s), %ld: %.3g s, %.3g\n", model, settings, cost[i].name, cost[i].type,
                      cost[i].elements, cost[i].cpu_seconds, cost[i].share);
    }
    assert_true(n == 0 ||
                (share > 0.01 && share < 10)); // the machine may be slower at one time than at another
    close_motion(&m);
    return n;
}

static const hol_cost *cost_of(const hol_cost *cost, int n, const char *type)
{
    for (int i = 0; i < n; i++)
        if (strcmp(cost[i].type, type) == 0) return &cost[i];
    return NULL;
}

static void elements_alike_are_one(void **state)
{
    hol_cost c[8];
    (void)state;
    int n = costs_of("chain", "parameters.n=300 simulate.end=0.2 simulate.method=hht", c, 8);
    assert_int_equal(n, 3);
    const hol_cost *joints = cost_of(c, n, "revolute"), *links = cost_of(c, n, "rigid");
    assert_non_null(joints);
    assert_non_null(links);
    assert_string_equal(joints->name, "J2 .. J300");
    assert_int_equal(joints->elements, 299);
    assert_string_equal(links->name, "link1 .. link300");
    assert_int_equal(links->elements, 300);
    assert_string_equal(c[2].name, "J1");
    assert_true(c[2].cpu_seconds < 0.1 * joints->cpu_seconds);
    n = costs_of("chain", "parameters.n=300 simulate.end=0.2", c, 2);
    assert_int_equal(n, 2);
    n = costs_of("chain", "parameters.n=300 simulate.end=0.2 simulate.method=rk rk.solve=tree", c, 8);
    const hol_cost *tree = cost_of(c, n, "along the tree");
    assert_non_null(tree);
    assert_int_equal(tree->elements, 600);
    n = costs_of("inverted_pendulum", "simulate.end=1 simulate.method=hht", c, 8);
    assert_non_null(cost_of(c, n, "users' equations"));
    assert_non_null(cost_of(c, n, "translational"));
}

// An element some ten times as dear as the others together comes first, whatever method evaluates it: the order is that of
// times, which differ by less on a busy machine.
static void the_dearest_comes_first(void **state)
{
    static const char *const method[] = {"hht", "rk", "adams", "bdf", "rn4", "tangent"};
    enum { SINES = 100 };
    (void)state;
    char model[400 + 24 * SINES];
    int n = snprintf(model, sizeof model,
                     "{dimension: 2, bodies: [{name: stone, type: point, mass: 1, position: [1, 0]}], "
                     "forces: [{name: spring, type: spring-damper, between: [ground, stone], length: 1, "
                     "stiffness: 10}, {name: wind, type: force, on: stone, value: [0");
    for (int i = 1; i <= SINES; i++)
        n += snprintf(model + n, sizeof model - (size_t)n, " + 0.001*sin(%d*t)", i);
    snprintf(model + n, sizeof model - (size_t)n, ", 0]}], simulate: {end: 1}}");
    for (int i = 0; i < HOL_COUNT(method); i++) {
        char set[100];
        hol_cost c[1];
        snprintf(set, sizeof set, "simulate.method=%s simulate.end=0.3 simulate.tolerance=1e-4", method[i]);
        assert_int_equal(costs_of(model, set, c, 1), 1);
        assert_string_equal(c[0].name, "wind");
    }
}

static void nothing_before_the_end(void **state)
{
    hol_cost c[3];
    (void)state;
    motion m = open_motion("chain", NULL, 0);
    assert_int_equal(hol_simulation_costs(m.sim, c, 3), 0);
    close_motion(&m);
}

// ---- evaluations ----------------------------------------------------------------------------------------------

// The same motion by the matrix and along the tree: right-hand sides are counted alike.
static void right_hand_sides_are_counted_alike(void **state)
{
    static const char *const solve[] = {"sparse", "tree"};
    static const char *const model[] = {"chain", "ladder", "chain3d"};
    (void)state;
    for (int k = 0; k < HOL_COUNT(model); k++) {
        long residuals[2];
        for (int i = 0; i < 2; i++) {
            char set[120];
            snprintf(set, sizeof set,
                     "simulate.method=rk rk.solve=%s rk.order=8 simulate.step=0.01 simulate.end=0.2",
                     solve[i]);
            motion m = run_with(model[k], set);
            residuals[i] = statistics(&m)->residuals;
            print_message("%s %s: %ld\n", model[k], solve[i], residuals[i]);
            close_motion(&m);
        }
        // one more along the tree, at the start; 11 stages, the end and four or more for points within the step
        assert_true(residuals[1] - residuals[0] >= 0 && residuals[1] - residuals[0] <= 1);
        assert_in_range(residuals[0], 20 * 12, 20 * 20);
    }
}

// With fixed steps there is no tolerance by which the work of a driver were in doubt: three points within a step, not a hundred.
static void the_work_of_drivers_has_a_price_that_is_known(void **state)
{
    (void)state;
    motion m = run_with("slider_crank", "simulate.method=rk simulate.step=0.01 simulate.end=0.5 rk.order=8");
    motion w = run_with("walker", "simulate.method=rk simulate.step=0.01 simulate.end=0.5 rk.order=8");
    assert_in_range(statistics(&m)->residuals, 50 * 12, 50 * 20);
    assert_in_range(statistics(&w)->residuals, 50 * 12, 50 * 20);
    close_motion(&w);
    close_motion(&m);
}

// The pair of order 8 sums the powers of its stages, wherever these are sure of it: a step has 11 stages and its end, an attempt that is
// rejected 11, the start two evaluations.
static void rk_sums_the_work_of_drivers_over_its_stages(void **state)
{
    static const char *const model[] = {"walker", "stewart"};
    (void)state;
    for (int k = 0; k < HOL_COUNT(model); k++) {
        motion m = run_with(model[k], "simulate.method=rk rk.order=8 simulate.tolerance=1e-3");
        const hol_statistics *s = statistics(&m);
        print_message("%s: %ld steps, %ld rejected, %ld evaluations\n", model[k], s->steps, s->rejected,
                      s->residuals);
        assert_true(s->residuals <= 12 * s->steps + 11 * s->rejected + 2);
        close_motion(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_step_has_its_limit),
        cmocka_unit_test(limits_are_told_apart),
        cmocka_unit_test(stability_limits_an_explicit_method),
        cmocka_unit_test(elements_alike_are_one),
        cmocka_unit_test(the_dearest_comes_first),
        cmocka_unit_test(nothing_before_the_end),
        cmocka_unit_test(right_hand_sides_are_counted_alike),
        cmocka_unit_test(the_work_of_drivers_has_a_price_that_is_known),
        cmocka_unit_test(rk_sums_the_work_of_drivers_over_its_stages),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
