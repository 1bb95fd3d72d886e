// Singular poses are passed by every method with error control: on the right branch, with its rows, its account of energy and its
// checkpoints; models without such poses are left alone. docs/theory.md, section 9.7.
#include "harness.h"
#include "analysis/dynamics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char folder[] = "/tmp/holonom_passage_XXXXXX", file[60], best[60];

enum { MOST = 9, TEXT = 300 };

// A run of c to a file; with: "path=value path=value ..".
static hol_statistics run(const subject *c, const char *with, const char *to)
{
    char text[2 * TEXT];
    const char *set[MOST];
    snprintf(text, sizeof text, "%s simulate.signals=[%s]", with, c->signal[0]);
    return run_to_file(c, to, set, split(text, set, MOST));
}

// ---- the branch -----------------------------------------------------------------------------------------------

typedef struct {
    subject c;
    const char *set;
    bool large; // a few methods will do
    long poses; // that a method which is led at each of them passes
} mechanism;

static const mechanism mechanisms[] = {
    {{"ladder", NULL, {"top1.theta"}, {NULL}, 0.9, 0.01}, "parameters.K=1 parameters.g=9.81", false, 1},
    {{"ladder", NULL, {"bottom3.theta"}, {NULL}, 1.2, 0.01}, "parameters.K=3 parameters.g=9.81", false, 4},
    {{"ladder", NULL, {"bottom7.theta"}, {NULL}, 0.9, 0.01}, "parameters.K=7 parameters.g=9.81", false, 3},
    {{"four_bar", NULL, {"crank0.theta"}, {NULL}, 1.3, 0.01}, "parameters.N=2", false, 2},
    {{"four_bar", NULL, {"crank40.theta"}, {NULL}, 0.8, 0.05}, "parameters.N=40", true, 1},
};

static const struct {
    const char *method;
    bool small; // for small mechanisms alone
    bool waits; // it is led where it comes through no more
    double
        bound[3]; // of angles, at 1e-3, 1e-5, 1e-7; another branch is off by 0.4 and more. 0: takes too long
} methods[] = {
    {"hht", false, false, {0.12, 1e-2, 6e-4}},
    {"newmark", true, false, {0.6, 0.2, 0}},
    {"genalpha", true, false, {0.1, 1.2e-2, 6e-4}},
    {"tangent", false, false, {3e-2, 2e-3, 1e-4}},
    {"rn4", false, false, {2e-3, 1e-4, 1e-6}},
    {"ros2w", true, false, {1e-2, 0, 0}},
    {"adams", false, true, {1e-2, 5e-4, 6e-6}},
    {"adams adams.solve=coordinates", true, true, {2e-2, 5e-4, 6e-6}},
    {"bdf", false, true, {1e-2, 2e-4, 4e-6}},
    {"bdf bdf.formulation=ggl", true, true, {1e-2, 2e-4, 4e-6}},
    {"bdf bdf.formulation=cm", true, true, {4e-2, 2e-3, 2e-5}},
    {"joint_bdf", true, true, {4e-2, 1e-3, 1e-5}},
};

// Every 10 ms, most of which lie between steps, against rk at 1e-11.
static void the_right_branch_is_taken(void **state)
{
    static const char *const tolerance[] = {"1e-3", "1e-5", "1e-7"};
    int wrong = 0;
    (void)state;
    for (int i = 0; i < HOL_COUNT(mechanisms); i++) {
        const mechanism *m = &mechanisms[i];
        char with[TEXT];
        snprintf(with, sizeof with, "simulate.method=rk step_tolerance=1e-11 %s", m->set);
        run(&m->c, with, best);
        for (int j = 0; j < HOL_COUNT(methods); j++) {
            if (m->large && methods[j].small) continue;
            for (int k = 0; k < (few() ? 1 : 3) && methods[j].bound[k] > 0; k++) {
                snprintf(with, sizeof with, "step_tolerance=%s %s simulate.method=%s", tolerance[k], m->set,
                         methods[j].method);
                const hol_statistics s = run(&m->c, with, file);
                const double error = difference(&m->c, file, best);
                const bool led = methods[j].waits || s.passages >= m->poses;
                if (getenv("SEEN")) printf("%s: %.1e, %ld passages\n", with, error, s.passages);
                if (error <= methods[j].bound[k] && led) continue;
                print_error("%s: error %.1e, bound %.1e, %ld passages\n", with, error, methods[j].bound[k],
                            s.passages);
                wrong++;
            }
        }
    }
    assert_int_equal(wrong, 0);
}

// Loops whose constraints stay independent, and a tree: nobody is led.
static void other_models_are_left_alone(void **state)
{
    static const struct {
        const char *name, *tolerance, *end;
    } models[] = {
        {"slider_crank", "simulate.tolerance=1e-4", "simulate.end=0.05"},
        {"andrews", "simulate.tolerance=1e-4", "simulate.end=0.05"},
        {"double_pendulum", "simulate.tolerance=1e-4", "simulate.end=0.05"},
        // a small linkage at the end of a long arm: sigma is small everywhere, and half as large for a while
        {"excavator", "simulate.tolerance=1e-1", "simulate.end=9"},
        {"excavator", "simulate.tolerance=1e-2", "simulate.end=9"}};
    static const char *const leds[] = {"hht", "tangent", "rn4", "bdf", "adams"};
    (void)state;
    for (int i = 0; i < HOL_COUNT(models); i++)
        for (int k = 0; k < HOL_COUNT(leds); k++) {
            char method[60];
            if (!in_sample(i + k, 1, 3)) continue;
            snprintf(method, sizeof method, "simulate.method=%s", leds[k]);
            const char *set[] = {method, models[i].tolerance, models[i].end};
            motion a = move(models[i].name, set, 3);
            assert_int_equal(a.end, HOL_OK);
            if (hol_simulation_statistics(a.sim)->passages)
                fail_msg("%s, %s is led", models[i].name, leds[k]);
            close_motion(&a);
        }
}

// ---- energy, checkpoints, words --------------------------------------------------------------------------------

#define BRAKE                                                                                                \
    "forces=[{name: brake, type: force, on: crank0.tip, value: [\"-9*VX(crank0.tip)\", "                     \
    "\"-9*VY(crank0.tip)\"]}]"

// A brake takes much of the energy; what the account misses is of the size of the errors.
static void the_account_of_energy_balances(void **state)
{
    static const struct {
        const char *method;
        double bound; // [J], 3 times what is seen
    } rows[] = {{"hht", 2e-2}, {"tangent", 2e-2}, {"rn4", 1e-4}, {"ros2w", 1e-1}};
    (void)state;
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        char method[60];
        snprintf(method, sizeof method, "simulate.method=%s", rows[i].method);
        const char *set[] = {method, "simulate.tolerance=1e-6", "simulate.end=1.5", BRAKE};
        motion a = move("four_bar", set, 4);
        assert_int_equal(a.end, HOL_OK);
        const hol_statistics *s = hol_simulation_statistics(a.sim);
        assert_true(s->passages >= 1);
        if (getenv("SEEN")) printf("%s: %.1e J\n", rows[i].method, s->energy_drift_max);
        assert_true(s->energy_drift_max < rows[i].bound);
        close_motion(&a);
    }
}

// Saved after the n-th step from the first passage on, and resumed: the same bits at the end.
static void resume_within(const char *method, int n)
{
    const char *set[] = {method, "simulate.tolerance=1e-5", "simulate.end=1.5", BRAKE,
                         "simulate.signals=[crank0,step]"};
    motion a = open_motion("four_bar", set, 5), b = open_motion("four_bar", set, 5);
    bool done = false, within = false;
    while (!done) {
        assert_int_equal(hol_simulation_step(a.sim, &done), HOL_OK);
        within = within || signal_value(a.sim, "step.limit") == HOL_LIMIT_POSE;
        if (within && n-- == 0) assert_int_equal(hol_simulation_checkpoint(a.sim, file), HOL_OK);
    }
    assert_true(n < 0);
    assert_int_equal(hol_simulation_restart(b.sim, file), HOL_OK);
    assert_int_equal(hol_simulation_run(b.sim), HOL_OK);
    const size_t size = (size_t)hol_simulation_signals(a.sim) * sizeof(double);
    assert_memory_equal(hol_simulation_values(a.sim), hol_simulation_values(b.sim), size);
    const hol_statistics *s = hol_simulation_finish(a.sim), *t = hol_simulation_finish(b.sim);
    assert_int_equal(s->steps, t->steps);
    assert_int_equal(s->passages, t->passages);
    assert_true(s->energy_drift_max == t->energy_drift_max);
    close_motion(&a);
    close_motion(&b);
}

static void a_checkpoint_within_a_passage(void **state)
{
    (void)state;
    for (int n = 0; n < 4; n++) {
        resume_within("simulate.method=hht", n);
        resume_within("simulate.method=rn4", n);
        resume_within("simulate.method=tangent", n);
    }
}

// Where a pole is the cause of a failure near a pose, it is told, whoever found no step.
static void a_pole_at_the_pose_is_told(void **state)
{
    static const char *const stopped[] = {"adams", "tangent", "bdf"};
    (void)state;
    for (int i = 0; i < HOL_COUNT(stopped); i++) {
        char method[60];
        snprintf(method, sizeof method, "simulate.method=%s", stopped[i]);
        const char *set[] = {method, "simulate.tolerance=1e-4", "simulate.end=1",
                             "forces=[{name: f, type: force, on: crank0.tip, value: [0, "
                             "\"0.001/DY(crank0.tip)\"]}]"};
        motion a = move("four_bar", set, 4);
        assert_int_equal(a.end, HOL_ERR_INTEGRATION);
        expect_message("grows without bound there, a pole");
        close_motion(&a);
    }
}

// With `errors: paper` nothing but the published method runs, to where it stops with its own words.
static void methods_as_published_are_not_led(void **state)
{
    static const struct {
        const char *method, *errors;
        hol_status end;
    } rows[] = {{"adams", "adams.errors=paper", HOL_ERR_INTEGRATION}, {"rn4", "rn4.errors=paper", HOL_OK}};

    (void)state;
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        char method[60];
        snprintf(method, sizeof method, "simulate.method=%s", rows[i].method);
        const char *set[] = {method, rows[i].errors, "simulate.tolerance=1e-4", "simulate.end=10"};
        motion a = move("four_bar", set, 4);
        assert_int_equal(a.end, rows[i].end);
        assert_int_equal(hol_simulation_statistics(a.sim)->passages, 0);
        if (a.end) expect_message("positions that satisfy the joints");
        if (a.end) expect_message("singular pose");
        close_motion(&a);
    }
}

// ---- starts near and in a pose ---------------------------------------------------------------------------------

// A parallelogram with its cranks at an angle a, turning with w.
static const char parallelogram[] =
    "{dimension: 2, gravity: [0, -9.81], parameters: {a: 0, w: 0}, bodies: ["
    "{name: left, mass: 1, inertia: 1/12, position: [cos(a)/2, sin(a)/2], angle: a, omega: w, velocity: "
    "[-sin(a)/2*w, cos(a)/2*w], markers: {foot: [-1/2, 0], tip: [1/2, 0]}},"
    "{name: right, mass: 1, inertia: 1/12, position: [1 + cos(a)/2, sin(a)/2], angle: a, omega: w, velocity: "
    "[-sin(a)/2*w, cos(a)/2*w], markers: {foot: [-1/2, 0], tip: [1/2, 0]}},"
    "{name: rod, mass: 1, inertia: 1/12, position: [1/2 + cos(a), sin(a)], velocity: [-sin(a)*w, cos(a)*w], "
    "markers: {left: [-1/2, 0], right: [1/2, 0]}}], joints: ["
    "{name: A, type: revolute, between: [ground, left.foot]},"
    "{name: B, type: revolute, between: [ground: [1, 0], right.foot]},"
    "{name: C, type: revolute, between: [left.tip, rod.left]},"
    "{name: D, type: revolute, between: [rod.right, right.tip]}], simulate: {end: 1, output: 0.01}}";

static void starts_near_a_pose(void **state)
{
    static const struct {
        const char *set, *method;
        double bound;
    } rows[] = {
        {"parameters.a=0.02", "hht", 3e-3},       {"parameters.a=0.02", "rn4", 1e-5},
        {"parameters.a=0.02", "ros2w", 1e-4},     {"parameters.a=0.02", "tangent", 2e-3},
        {"parameters.a=0.02", "bdf", 1e-4},       {"parameters.a=0.02", "bdf bdf.formulation=ggl", 1e-4},
        {"parameters.a=0.02", "joint_bdf", 1e-3}, {"parameters.w=-3", "hht", 3e-3},
        {"parameters.w=-3", "bdf", 1e-4},         {"parameters.w=-3", "bdf bdf.formulation=ggl", 1e-4},
        {"parameters.w=-3", "joint_bdf", 1e-3},
    };
    const subject c = {parallelogram, NULL, {"right.theta"}, {NULL}, 1, 0.01};
    const char *before = "";
    (void)state;
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        char with[TEXT];
        snprintf(with, sizeof with, "simulate.method=rk step_tolerance=1e-11 %s", rows[i].set);
        if (strcmp(before, rows[i].set) != 0) run(&c, with, best);
        before = rows[i].set;
        snprintf(with, sizeof with, "step_tolerance=1e-6 %s simulate.method=%s", rows[i].set, rows[i].method);
        run(&c, with, file);
        const double error = difference(&c, file, best);
        if (getenv("SEEN")) printf("%s: %.1e\n", with, error);
        if (!(error <= rows[i].bound)) fail_msg("%s: error %.1e, bound %.1e", with, error, rows[i].bound);
    }
}

// ---- steps that fail behind their new point --------------------------------------------------------------------

#define OUTPUT 0.002 // time between rows
#define FAILS 0.6    // where a step fails, near the pose at 0.714 s

static const hol_method *real;
static hol_method failing;
static int failures;

// The method's own step, and a failure after it has taken its new point.
static hol_status step_and_fail(hol_integrator *it, double t_stop)
{
    const hol_status st = real->step(it, t_stop);
    if (st || it->x.t < FAILS || failures++) return st;
    return hol_fail(it->ctx, HOL_ERR_INTEGRATION, "stopped at t = %.6g s: a failure behind the point",
                    it->x.t);
}

typedef struct {
    long rows;
    double wrong; // largest error of the angle
} seen;

static hol_status see_row(void *data, double t, const double *value, int n)
{
    seen *a = data;
    (void)n;
    assert_true(fabs(t - (double)a->rows++ * OUTPUT) < 1e-9);
    a->wrong = fmax(a->wrong, fabs(value[0] - angle_of_the_parallelogram(2, t)));
    return HOL_OK;
}

static hol_status see_end(void *data) { return (void)data, HOL_OK; }

// Every row is there, and the account of energy has the work of all steps.
static void no_row_is_lost_where_a_step_fails(void **state)
{
    const char *set[] = {"simulate.method=bdf", "simulate.tolerance=1e-6", "simulate.end=0.9",
                         "simulate.output=0.002", "simulate.signals=[crank0.theta]"};
    hol_settings settings;
    seen a = {0};
    const hol_sink sink = {&a, see_row, see_end, NULL};
    bool done = false;
    (void)state;
    hol_model_data *m = compile("four_bar", set, HOL_COUNT(set));
    assert_int_equal(hol_settings_read(m, &settings), HOL_OK);
    hol_dynamics *d = hol_dynamics_create(ctx, m, &settings, true);
    assert_non_null(d);
    assert_int_equal(hol_dynamics_add_sink(d, &sink), HOL_OK);
    real = d->it->method;
    failing = *real;
    failing.step = step_and_fail;
    failures = 0;
    d->it->method = &failing;
    while (!done) assert_int_equal(hol_dynamics_step(d, &done), HOL_OK);
    assert_int_equal(hol_dynamics_finish(d, HOL_OK), HOL_OK);
    if (getenv("SEEN")) printf("%ld rows, error %.1e, %.1e J\n", a.rows, a.wrong, d->stats.energy_drift_max);
    assert_true(failures > 1 && d->it->count.passages >= 1);
    assert_int_equal(a.rows, 451);
    assert_true(a.wrong < 1e-4);
    assert_true(d->stats.energy_drift_max < 1e-3);
    d->it->method = real;
    hol_dynamics_destroy(d);
    hol_model_free(m);
}

static int make_files(void **state) { return (void)state, make_results(folder, file, best); }
static int remove_files(void **state) { return (void)state, remove_results(folder, file, best); }

#define TEST(f) cmocka_unit_test_setup_teardown(f, start, stop)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(the_right_branch_is_taken),
                                       TEST(other_models_are_left_alone),
                                       TEST(the_account_of_energy_balances),
                                       TEST(a_checkpoint_within_a_passage),
                                       TEST(a_pole_at_the_pose_is_told),
                                       TEST(methods_as_published_are_not_led),
                                       TEST(starts_near_a_pose),
                                       TEST(no_row_is_lost_where_a_step_fails)};
    return cmocka_run_group_tests(tests, make_files, remove_files);
}
