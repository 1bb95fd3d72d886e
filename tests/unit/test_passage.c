// Singular poses are passed by every method with error control: on the right branch, with its rows, its account of energy and its
// checkpoints; models without such poses are left alone. docs/theory.md, section 9.7.
#include "harness.h"
#include "integrator/integrator.h"

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
        snprintf(with, sizeof with, "simulate.method=rk simulate.tolerance=1e-11 %s", m->set);
        run(&m->c, with, best);
        for (int j = 0; j < HOL_COUNT(methods); j++) {
            if (m->large && methods[j].small) continue;
            for (int k = 0; k < (HOL_SANITIZED ? 1 : 3) && methods[j].bound[k] > 0; k++) {
                snprintf(with, sizeof with, "simulate.tolerance=%s %s simulate.method=%s", tolerance[k],
                         m->set, methods[j].method);
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
    static const char *const models[] = {"slider_crank", "andrews", "double_pendulum"};
    static const char *const leds[] = {"hht", "tangent", "rn4", "bdf"};
    (void)state;
    for (int i = 0; i < HOL_COUNT(models); i++)
        for (int k = 0; k < HOL_COUNT(leds); k++) {
            char method[60];
            snprintf(method, sizeof method, "simulate.method=%s", leds[k]);
            const char *set[] = {method, "simulate.tolerance=1e-5", "simulate.end=0.05"};
            motion a = move(models[i], set, 3);
            assert_int_equal(a.end, HOL_OK);
            assert_int_equal(hol_simulation_statistics(a.sim)->passages, 0);
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

// A pole at the pose stops everyone: the words are those of the method that was asked for.
static void a_failure_is_told_in_the_methods_words(void **state)
{
    static const struct {
        const char *method, *words;
    } rows[] = {{"adams", "positions that satisfy the joints"},
                {"tangent", "the iteration does not converge"}};
    (void)state;
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        char method[60];
        snprintf(method, sizeof method, "simulate.method=%s", rows[i].method);
        const char *set[] = {method, "simulate.tolerance=1e-4", "simulate.end=1",
                             "forces=[{name: f, type: force, on: crank0.tip, value: [0, "
                             "\"0.001/DY(crank0.tip)\"]}]"};
        motion a = move("four_bar", set, 4);
        assert_int_equal(a.end, HOL_ERR_INTEGRATION);
        expect_message(rows[i].words);
        expect_message("singular pose");
        close_motion(&a);
    }
}

static int make_files(void **state) { return (void)state, make_results(folder, file, best); }
static int remove_files(void **state) { return (void)state, remove_results(folder, file, best); }

#define TEST(f) cmocka_unit_test_setup_teardown(f, start, stop)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(the_right_branch_is_taken), TEST(other_models_are_left_alone),
                                       TEST(the_account_of_energy_balances),
                                       TEST(a_checkpoint_within_a_passage),
                                       TEST(a_failure_is_told_in_the_methods_words)};
    return cmocka_run_group_tests(tests, make_files, remove_files);
}
