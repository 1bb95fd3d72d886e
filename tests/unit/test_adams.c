// adams: errors fall with the tolerance, stiffness is named, checkpoints, no allocation, what it refuses.
#include "harness.h"
#include "integrator/vector.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static motion open_adams(const char *name, const char *const *set, int n)
{
    const char *all[12] = {"simulate.method=adams"};
    for (int i = 0; i < n; i++) all[i + 1] = set[i];
    return open_motion(name, all, n + 1);
}

// ---- accuracy -------------------------------------------------------------------------------------------------

static char folder[] = "/tmp/holonom_adams_XXXXXX", file[60], best[60];

static void run_adams(const subject *c, double tolerance, const char *to)
{
    char text[80];
    const char *set[] = {"simulate.method=adams", text};
    snprintf(text, sizeof text, "simulate.tolerance=%.17g", tolerance);
    const hol_statistics s = run_to_file(c, to, set, 2);
    // bricard goes through singular poses: seen 2.5e-12
    assert_true(s.max_position_violation < (strcmp(c->model, "bricard") ? 1e-12 : 1e-11));
    assert_true(s.max_velocity_violation < 1e-10); // 4.8e-11
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Largest error at all times of output, most of them inside steps. Where rounding decides how a motion goes on, at a singular pose,
// the error at one tolerance is one of a wide spread: the median of those at `runs` tolerances, from 0.63 to 1.6 of the given one.
static double error_of(const subject *c, double tolerance, int runs)
{
    enum { MOST = 9 };
    double error[MOST];
    assert_in_range(runs, 1, MOST);
    for (int i = 0; i < runs; i++) {
        run_adams(c, tolerance * pow(10, runs > 1 ? 0.4 * i / (runs - 1) - 0.2 : 0), file);
        error[i] = difference(c, file, best);
    }
    qsort(error, (size_t)runs, sizeof *error, by_size);
    return error[runs / 2];
}

// The bounds are 2.5 times what is seen, those of a median 1.5 times.
static void errors_fall_with_the_tolerance(void **state)
{
    static const struct {
        subject c;
        double bound[3]; // for 1e-4, 1e-6, 1e-8
        int runs;
    } rows[] = {
        {{"pendulum", "pendulum", {"bob.x", "bob.y"}, {"x", "y"}, 4, 0.01}, {7e-03, 2e-05, 4e-07}, 1},
        {{"andrews", "andrews", {"OF.theta"}, {"beta"}, 0.03, 1e-4}, {2e-03, 3e-05, 5e-07}, 1},
        {{"bricard", "bricard", {"rod3.P3.x", "rod3.P3.y", "rod3.P3.z"}, {"P3x", "P3y", "P3z"}, 10, 0.05},
         {4e-03, 4.3e-05, 2.3e-06},
         9}, // from 8e-4 to 6e-3, 1.4e-5 to 6e-5, 1.3e-7 to 3.3e-6
        {{"car_axis",
          "car_axis",
          {"left.x", "left.y", "right.x", "right.y"},
          {"xl", "yl", "xr", "yr"},
          3,
          0.01},
         {1e-03, 5e-05, 1e-06},
         1},
        {{"double_pendulum", "double_pendulum_rest", {"rod1.theta"}, {"theta1"}, 0.05, 1e-3},
         {4e-05, 3e-05, 9e-10},
         1},
        {{"flyball", NULL, {"slider.z"}, {NULL}, 0.2, 0.01}, {2e-04, 7e-05, 2e-08}, 1},
        {{"hydraulic", NULL, {"mass.x", "mass.vx"}, {NULL}, 0.2, 1e-3}, {4e-04, 8e-06, 2e-07}, 1},
        {{"impact_stop", NULL, {"slider.x", "crank.theta"}, {NULL}, 0.6, 1e-3}, {3e-03, 1e-04, 2e-07}, 1},
        {{"rolling_disc", NULL, {"disc.x", "disc.y", "disc.z"}, {NULL}, 2, 0.01}, {2e-03, 4e-04, 1e-06}, 1},
        {{"chain3d", NULL, {"link10.x", "link10.z"}, {NULL}, 1, 0.01}, {2e-4, 1e-5, 3e-7}, 1},
    };
    static const double tolerance[] = {1e-4, 1e-6, 1e-8};
    int wrong = 0;
    (void)state;
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        if (!rows[i].c.reference) run_adams(&rows[i].c, 1e-11, best);
        for (int k = 0; k < (few() ? 1 : 3); k++) {
            const double error = error_of(&rows[i].c, tolerance[k], rows[i].runs);
            if (getenv("SEEN")) printf("%s %g %.2e\n", rows[i].c.model, tolerance[k], error);
            if (error <= rows[i].bound[k]) continue;
            print_error("%s, %g: error %.2e, bound %.2e\n", rows[i].c.model, tolerance[k], error,
                        rows[i].bound[k]);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
}

// Largest change of the energy at the ends of steps, and at given times.
static void energy_errors(const char *name, double *ends, double *inside)
{
    static const char *const set[] = {"simulate.tolerance=1e-10", "simulate.end=2", "simulate.signals=energy",
                                      "simulate.output=7e-4"};
    motion it = open_adams(name, set, 4);
    hol_simulation *sim = it.sim;
    const int i = hol_simulation_find_signal(sim, "energy.total");
    const double start_energy = hol_simulation_values(sim)[i];
    bool done = false;
    *ends = *inside = 0;
    assert_int_equal(hol_simulation_write(sim, file), HOL_OK);
    while (!done) {
        assert_int_equal(hol_simulation_step(sim, &done), HOL_OK);
        *ends = fmax(*ends, fabs(hol_simulation_values(sim)[i] - start_energy));
    }
    hol_simulation_finish(sim);
    close_motion(&it);
    hol_result *r = hol_result_read(ctx, file);
    assert_non_null(r);
    const int j = column_of(r, "energy.total");
    for (size_t k = 0; k < r->n_rows; k++)
        *inside = fmax(*inside, fabs(r->value[k * (size_t)r->n_columns + (size_t)j] - start_energy));
    hol_result_destroy(r);
}

static void results_inside_steps_are_as_good(void **state)
{
    static const char *const models[] = {"pendulum", "bricard", "chain3d"};
    (void)state;
    for (int i = 0; i < HOL_COUNT(models); i++) { // seen: 1.1e-8, 2.1e-8, 2.0e-7 J, at the ends and inside
        double ends, inside;
        energy_errors(models[i], &ends, &inside);
        const bool good = inside < 2 * ends;
        if (!good || getenv("SEEN"))
            print_message("%s: %.2e at the ends, %.2e inside\n", models[i], ends, inside);
        assert_true(good);
    }
}

// Forces inside steps against those of the equations at the same state, by the largest force.
static void forces_inside_steps_are_as_good(void **state)
{
    static const char *const tolerance[] = {"1e-4", "1e-7", "1e-10"};
    static const double bound[] = {0.03, 1.5e-4, 4e-6}; // seen: 1.2e-2, 6.4e-5, 1.7e-6
    (void)state;
    for (int i = 0; i < 3; i++) {
        double worst = 0, most = 0;
        for (int k = 0; k < 2; k++) {
            char set[60];
            const char *list[] = {set, k ? "simulate.project=yes" : "simulate.project=no", "simulate.end=2",
                                  "simulate.output=7e-3", "simulate.signals=P2"};
            snprintf(set, sizeof set, "simulate.tolerance=%s", tolerance[i]);
            motion it = open_adams("bricard", list, 5);
            hol_simulation *sim = it.sim;
            assert_int_equal(hol_simulation_write(sim, k ? best : file), HOL_OK);
            assert_int_equal(hol_simulation_run(sim), HOL_OK);
            hol_simulation_finish(sim);
            close_motion(&it);
        }
        hol_result *a = hol_result_read(ctx, file), *b = hol_result_read(ctx, best);
        assert_true(a && b && a->n_rows == b->n_rows);
        const int j = column_of(a, "P2.Fx");
        for (size_t k = 0; k < a->n_rows; k++) {
            const double x = a->value[k * (size_t)a->n_columns + (size_t)j],
                         y = b->value[k * (size_t)b->n_columns + (size_t)j];
            worst = fmax(worst, fabs(x - y));
            most = fmax(most, fabs(y));
        }
        if (getenv("SEEN")) printf("forces, %s: %.2e\n", tolerance[i], worst / most);
        assert_true(worst < bound[i] * most);
        hol_result_destroy(a);
        hol_result_destroy(b);
    }
}

// ---- what it refuses ------------------------------------------------------------------------------------------

static void fixed_steps_are_refused(void **state)
{
    static const char *const set[] = {"simulate.method=adams", "simulate.step=1e-3"};
    (void)state;
    assert_null(hol_model_load(ctx, "models/pendulum.yaml", set, 2));
    assert_non_null(strstr(hol_context_error(ctx), "has no fixed steps: give a tolerance"));
}

// ---- events ---------------------------------------------------------------------------------------------------

// A force of -2 N turns to 4 N where x passes 0.5 m, and to 0 at 1.5 s: parabolas and a line.
static void events_are_met(void **state)
{
    static const char text[] = "dimension: 2\nparameters: {push: -2}\n"
                               "bodies:\n  - {name: p, type: point, mass: 1, position: [1, 0]}\n"
                               "forces:\n  - {name: f, type: force, on: p, value: [push, 0]}\n"
                               "events:\n  - {name: turn, when: DX(p) - 0.5, set: {push: 4}, once: yes}\n"
                               "  - {name: off, at: 1.5, set: {push: 0}}\n"
                               "simulate: {method: adams, end: 2, tolerance: 1e-8}\n";
    (void)state;
    motion a = move(text, NULL, 0);
    assert_int_equal(a.end, HOL_OK);
    const double t1 = sqrt(0.5), t2 = 1.5 - t1, v2 = -2 * t1 + 4 * t2;
    const double x = 0.5 - 2 * t1 * t2 + 2 * t2 * t2 + 0.5 * v2;
    const double seen = value_of(&a, "p.x");
    if (!(fabs(seen - x) < 1e-7)) print_error("x = %.15g, %.15g is wanted\n", seen, x); // 1.1e-8 is seen
    assert_true(fabs(seen - x) < 1e-7);
    close_motion(&a);
}

// ---- stiffness ------------------------------------------------------------------------------------------------

typedef struct {
    long steps, evaluations;
    double size;
    char cause[120];
} outcome;

// key: simulate.tolerance or step_tolerance.
static outcome outcome_by(const char *key, const char *name, const char *tolerance, double end,
                          const char *more)
{
    char set[2][80];
    const char *list[] = {set[0], set[1], more};
    snprintf(set[0], sizeof set[0], "%s=%s", key, tolerance);
    snprintf(set[1], sizeof set[1], "simulate.end=%.17g", end);
    motion it = open_adams(name, list, more ? 3 : 2);
    hol_simulation *sim = it.sim;
    if (hol_simulation_run(sim)) print_error("%s: %s\n", name, hol_context_error(ctx));
    const hol_statistics *s = hol_simulation_finish(sim);
    assert_int_equal(s->status, HOL_OK);
    outcome o = {s->steps, s->residuals, s->stiff_step, ""};
    memcpy(o.cause, s->stiff_cause, sizeof o.cause);
    if (o.size > 0) assert_non_null(s->stiff_instead);
    if (getenv("SEEN"))
        printf("%s %s: %ld steps, %ld evaluations, %.2g %s\n", name, tolerance, o.steps, o.evaluations,
               o.size, o.cause);
    close_motion(&it);
    return o;
}

static outcome outcome_of(const char *name, const char *tolerance, double end, const char *more)
{
    return outcome_by("simulate.tolerance", name, tolerance, end, more);
}

static void stiffness_is_named(void **state)
{
    static const struct {
        const char *model, *tolerance, *cause;
        double end, low, high; // size of the steps
    } rows[] = {{"double_pendulum", "1e-3", "the damping of \"spring2\"", 0.05, 3e-6, 3e-5},
                {"double_pendulum", "1e-4", "the damping of \"spring2\"", 0.05, 3e-6, 3e-5},
                {"hmmwv", "1e-3", "the damping of \"", 0.01, 1e-6, 1e-5},
                {"hydraulic", "1e-4", "the state \"pressure", 1.2, 1e-5, 1e-3}};
    (void)state;
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        const outcome o = outcome_of(rows[i].model, rows[i].tolerance, rows[i].end,
                                     strcmp(rows[i].model, "hmmwv") ? NULL : "parameters.lift=0.01");
        if (strncmp(o.cause, rows[i].cause, strlen(rows[i].cause)))
            print_error("%s: found %s\n", rows[i].model, o.cause);
        assert_int_equal(strncmp(o.cause, rows[i].cause, strlen(rows[i].cause)), 0);
        assert_true(o.size > rows[i].low && o.size < rows[i].high);
    }
}

static void what_is_not_stiff_is_not_called_so(void **state)
{
    static const struct {
        const char *model;
        double end;
    } rows[] = {{"andrews", 0.05}, {"bricard", 10},  {"four_bar", 0.6},
                {"chain3d", 3},    {"pendulum", 20}, {"car_axis", 3}};
    static const char *const tolerance[] = {"1e-2", "1e-4", "1e-6", "1e-8"};
    (void)state;
    for (int i = 0; i < HOL_COUNT(rows); i++)
        for (int k = 0; k < HOL_COUNT(tolerance); k++)
            assert_true(outcome_of(rows[i].model, tolerance[k], rows[i].end, NULL).size == 0);
}

// The vehicle, dropped from 10 mm: the steps are those that stability allows, whatever the tolerance.
// Tolerances of a step. SEEN=1 shows the evaluations.
static void the_tolerance_does_not_matter_to_the_vehicle(void **state)
{
    static const char *const tolerance[] = {"1e-4", "1e-5", "1e-6", "1e-7"};
    long least = 0, most = 0;
    (void)state;
    if (few()) return; // it is about numbers, from code that the others run
    for (int i = 0; i < HOL_COUNT(tolerance); i++) {
        const outcome o = outcome_by("step_tolerance", "hmmwv", tolerance[i], 0.01, "parameters.lift=0.01");
        if (i == 0 || o.evaluations < least) least = o.evaluations;
        if (o.evaluations > most) most = o.evaluations;
    }
    if (!((double)most < 1.1 * (double)least)) print_error("%ld .. %ld evaluations\n", least, most);
    assert_true((double)most < 1.1 * (double)least);
}

// ---- checkpoints ----------------------------------------------------------------------------------------------

// The run that is saved begins anew there with order 1, as the resumed one does.
static void a_resumed_run_is_the_same(void **state)
{
    static const char *const models[] = {"pendulum", "double_pendulum", "bricard",   "flyball",
                                         "car_axis", "rolling_disc",    "hydraulic", "impact_stop"};
    static const char *const set[] = {"simulate.method=adams", "simulate.tolerance=1e-5",
                                      "simulate.end=0.05"};
    (void)state;
    for (int i = 0; i < HOL_COUNT(models); i++) resume(models[i], set, 3, file);
}

// ---- failure --------------------------------------------------------------------------------------------------

// The message is the program's, with the time and what to do; the library underneath says nothing.
static void a_failure_is_told_in_own_words(void **state)
{
    static const char *const set[] = {"simulate.tolerance=1e-4", "simulate.end=10", "adams.errors=paper"};
    (void)state;
    motion it = open_adams("four_bar", set, 3);
    hol_simulation *sim = it.sim; // through singular poses, which the method as published is not led through
    assert_int_equal(hol_simulation_run(sim), HOL_ERR_INTEGRATION);
    const char *text = hol_context_error(ctx);
    if (!strstr(text, "singular pose")) print_error("%s\n", text);
    assert_non_null(strstr(text, "stopped at t = "));
    assert_non_null(strstr(text, "singular pose"));
    assert_non_null(strstr(text, "another --method"));
    close_motion(&it);
}

// ---- vectors --------------------------------------------------------------------------------------------------

// Own operations give the bits of SUNDIALS' own, also where a result takes the place of an operand.
static void vectors_are_those_of_sundials(void **state)
{
    static const double factor[] = {1, -1, 0, 0.3, -0.3, 0.7};
    enum { N = 7, FACTORS = HOL_COUNT(factor) };
    hol_random random = {7};
    SUNContext context;
    N_Vector v[2][3];
    (void)state;
    assert_int_equal(SUNContext_Create(NULL, &context), 0);
    for (int k = 0; k < 2; k++) {
        v[k][0] = k ? N_VNew_Serial(N, context) : hol_vector_create(N, NULL, context);
        for (int i = 1; i < 3; i++) v[k][i] = N_VClone(v[k][0]);
    }
    assert_ptr_not_equal(v[0][2]->ops->nvlinearsum, v[1][2]->ops->nvlinearsum);
    for (int t = 0; t < FACTORS * FACTORS * 3; t++) {
        const double a = factor[t % FACTORS], b = factor[t / FACTORS % FACTORS];
        const int to = t / (FACTORS * FACTORS);
        for (int i = 0; i < 3 * N; i++)
            NV_Ith_S(v[0][i / N], i % N) = NV_Ith_S(v[1][i / N], i % N) = hol_random_uniform(&random);
        assert_true(N_VWrmsNorm(v[0][0], v[0][1]) == N_VWrmsNorm(v[1][0], v[1][1]));
        for (int k = 0; k < 2; k++) {
            N_VLinearSum(a, v[k][0], b, v[k][1], v[k][to]);
            N_VScale(a, v[k][1], v[k][(to + 1) % 3]);
        }
        for (int i = 0; i < 3 * N; i++)
            assert_true(NV_Ith_S(v[0][i / N], i % N) == NV_Ith_S(v[1][i / N], i % N));
    }
    for (int i = 0; i < 6; i++) N_VDestroy(v[i / 3][i % 3]);
    SUNContext_Free(&context);
}

static int make_files(void **state) { return (void)state, make_results(folder, file, best); }
static int remove_files(void **state) { return (void)state, remove_results(folder, file, best); }

#define TEST(f) cmocka_unit_test_setup_teardown(f, start, stop)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(errors_fall_with_the_tolerance),
                                       TEST(results_inside_steps_are_as_good),
                                       TEST(forces_inside_steps_are_as_good),
                                       TEST(fixed_steps_are_refused),
                                       TEST(events_are_met),
                                       TEST(stiffness_is_named),
                                       TEST(what_is_not_stiff_is_not_called_so),
                                       TEST(the_tolerance_does_not_matter_to_the_vehicle),
                                       TEST(a_resumed_run_is_the_same),
                                       TEST(a_failure_is_told_in_own_words),
                                       TEST(vectors_are_those_of_sundials)};
    return cmocka_run_group_tests(tests, make_files, remove_files);
}
