// bdf: errors fall with the tolerance in all formulations, stiff oscillatory problems, the guard against
// convergence for the wrong reason, users' equations, checkpoints, what it refuses.
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const formulations[] = {"ggl", "ggl-star", "cs", "cm", "cm-lambda"};

// ---- accuracy -------------------------------------------------------------------------------------------------

static char folder[] = "/tmp/holonom_bdf_XXXXXX", file[60], best[60];

static void run_with(const subject *c, const char *method, const char *formulation, const char *tolerance,
                     const char *to)
{
    char text[3][80];
    const char *set[] = {text[0], text[1], text[2]};
    snprintf(text[0], sizeof text[0], "simulate.tolerance=%s", tolerance);
    snprintf(text[1], sizeof text[1], "simulate.method=%s", method);
    snprintf(text[2], sizeof text[2], "bdf.formulation=%s", formulation);
    run_to_file(c, to, set, 3);
}

// Largest errors at all times of output, most of them inside steps; the bounds are 2.5 times the largest of
// the formulations.
static void errors_fall_with_the_tolerance(void **state)
{
    static const struct {
        subject c;
        double bound[3]; // for 1e-4, 1e-6, 1e-8
    } rows[] = {
        {{"pendulum", "pendulum", {"bob.x", "bob.y"}, {"x", "y"}, 4, 0.01}, {1.2e-3, 1.6e-5, 3.5e-7}},
        {{"andrews", "andrews", {"OF.theta"}, {"beta"}, 0.03, 1e-4}, {2.5e-2, 3.7e-4, 7.5e-6}},
        {{"bricard", "bricard", {"rod3.P3.x", "rod3.P3.y", "rod3.P3.z"}, {"P3x", "P3y", "P3z"}, 10, 0.05},
         {3.8e-3, 9e-5, 8.5e-7}},
        {{"double_pendulum", "double_pendulum_rest", {"rod1.theta"}, {"theta1"}, 2, 1e-2},
         {3.1e-4, 5.2e-6, 1.4e-7}},
        {{"car_axis",
          "car_axis",
          {"left.x", "left.y", "right.x", "right.y"},
          {"xl", "yl", "xr", "yr"},
          3,
          0.01},
         {1.7e-3, 2.9e-5, 7.7e-7}},
    };
    static const char *const tolerance[] = {"1e-4", "1e-6", "1e-8"};
    int wrong = 0;
    (void)state;
    for (int i = 0; i < HOL_COUNT(rows); i++)
        for (int k = 0; k < (few() ? 1 : 3); k++)
            for (int f = 0; f < HOL_COUNT(formulations); f++) {
                if (!in_sample(i + f + k, 2, 2)) continue;
                run_with(&rows[i].c, "bdf", formulations[f], tolerance[k], file);
                const double error = difference(&rows[i].c, file, best);
                if (getenv("SEEN"))
                    printf("%s %s %s %.2e\n", rows[i].c.model, tolerance[k], formulations[f], error);
                if (error <= rows[i].bound[k]) continue;
                print_error("%s, %s, %s: error %.2e, bound %.2e\n", rows[i].c.model, tolerance[k],
                            formulations[f], error, rows[i].bound[k]);
                wrong++;
            }
    assert_int_equal(wrong, 0);
}

// States, events, velocity constraints, redundant joints, drivers: against adams with 1e-11.
static void users_equations_are_taken(void **state)
{
    static const struct {
        subject c;
        double bound[2]; // for 1e-5, 1e-8
    } rows[] = {
        {{"flyball", NULL, {"slider.z"}, {NULL}, 0.2, 0.01}, {2e-5, 2.2e-8}},
        {{"hydraulic", NULL, {"mass.x", "mass.vx"}, {NULL}, 0.2, 1e-3}, {2.8e-5, 1e-7}},
        {{"impact_stop", NULL, {"slider.x", "crank.theta"}, {NULL}, 0.6, 1e-3}, {2.4e-4, 4.7e-7}},
        {{"rolling_disc", NULL, {"disc.x", "disc.y", "disc.z"}, {NULL}, 2, 0.01}, {4.6e-4, 3.3e-7}},
        {{"knife_edge", NULL, {"sled.x", "sled.y"}, {NULL}, 1, 0.01}, {4.7e-5, 3.4e-8}},
        {{"slider_crank", NULL, {"slider.x"}, {NULL}, 1, 0.01}, {4.1e-5, 7.8e-8}},
    };
    static const char *const tolerance[] = {"1e-5", "1e-8"};
    int wrong = 0;
    (void)state;
    for (int i = 0; i < HOL_COUNT(rows); i += few() ? 3 : 1) {
        run_with(&rows[i].c, "adams", "ggl", "1e-11", best);
        for (int f = 0; f < HOL_COUNT(formulations); f++)
            for (int k = 0; k < (few() ? 1 : 2); k++) {
                const bool refused = f == 2 && strstr("rolling_disc knife_edge", rows[i].c.model);
                if (refused || !in_sample(i + f + k, 2, 2)) continue;
                run_with(&rows[i].c, "bdf", formulations[f], tolerance[k], file);
                const double error = difference(&rows[i].c, file, best);
                if (getenv("SEEN"))
                    printf("%s %s %s %.2e\n", rows[i].c.model, tolerance[k], formulations[f], error);
                if (error <= rows[i].bound[k]) continue;
                print_error("%s, %s, %s: error %.2e, bound %.2e\n", rows[i].c.model, tolerance[k],
                            formulations[f], error, rows[i].bound[k]);
                wrong++;
            }
    }
    assert_int_equal(wrong, 0);
}

// ---- stiff oscillatory problems -------------------------------------------------------------------------------

// A point on a sphere with a stiff force across the splitting, and a chain of three stiff in bending: eta is
// forced by a small noise. The slow solution, eta = 0, is known.
static const char sphere[] = "dimension: 3\n"
                             "gravity: [0.70710678118654752, -0.70710678118654752, 0]\n"
                             "length_scale: 1\n"
                             "parameters: {eps: 1e-5, delta: 1e-6, k: 1/eps^2, e: 1/sqrt(3)}\n"
                             "bodies:\n"
                             "  - {name: p, type: point, mass: 1,\n"
                             "     position: [0.9170462934160327, 0.2553138153029789, -0.3063347049345731]}\n"
                             "joints:\n"
                             "  - {name: rod, type: distance, between: [ground, p], length: 1}\n"
                             "variables:\n"
                             "  - {name: eta, value: e*(DX(p) + DY(p) + DZ(p)) - 0.5 - delta*sin(977*t)}\n"
                             "forces:\n"
                             "  - {name: f, type: force, on: p, value: [-k*e*eta, -k*e*eta, -k*e*eta]}\n"
                             "simulate: {method: bdf, end: 5, output: 0.1}\n";
static const char chain[] = "dimension: 2\n"
                            "gravity: [0, -1]\n"
                            "length_scale: 1\n"
                            "parameters: {eps: 1e-5, delta: 1e-6, k: 1/eps^2, th: 0.8}\n"
                            "bodies:\n"
                            "  - {name: p0, type: point, mass: 1, position: [sin(th), -cos(th)]}\n"
                            "  - {name: p1, type: point, mass: 1, position: [2*sin(th), -2*cos(th)]}\n"
                            "  - {name: p2, type: point, mass: 1, position: [3*sin(th), -3*cos(th)]}\n"
                            "joints:\n"
                            "  - {name: r0, type: distance, between: [ground, p0], length: 1}\n"
                            "  - {name: r1, type: distance, between: [p0, p1], length: 1}\n"
                            "  - {name: r2, type: distance, between: [p1, p2], length: 1}\n"
                            "variables:\n"
                            "  - {name: eta1, value: -2*DX(p0) + DX(p1) - delta*sin(977*t*1.1)}\n"
                            "  - {name: eta2, value: DX(p0) - 2*DX(p1) + DX(p2) - delta*sin(977*t*1.2)}\n"
                            "forces:\n"
                            "  - {name: f0, type: force, on: p0, value: [-k*(-2*eta1 + eta2), 0]}\n"
                            "  - {name: f1, type: force, on: p1, value: [-k*(eta1 - 2*eta2), 0]}\n"
                            "  - {name: f2, type: force, on: p2, value: [-k*eta2, 0]}\n"
                            "simulate: {method: bdf, end: 4, output: 0.1}\n";
static const double slow_sphere[][4] = {{1, 0.995658774, -0.0533886562, -0.0762447144},
                                        {2, 0.693313724, -0.415840047, 0.588551727},
                                        {3, 0.326771033, -0.34185587, 0.881110241},
                                        {4, 0.569784318, -0.41378089, 0.710021976},
                                        {5, 0.982147244, -0.177736836, 0.061614995}};
static const double slow_chain[][4] = {{0.8, 0.646667239, -0.762772235, 1.94000172},
                                       {1.6, 0.419280633, -0.90785668, 1.2578419},
                                       {2.4, 0.0504621122, -0.998725976, 0.151386337},
                                       {3.2, -0.338235875, -0.941061365, -1.01470762},
                                       {4, -0.6057569, -0.795649784, -1.8172707}};

typedef struct {
    const char *name, *text;
    const char *signal[3];
    const double (*slow)[4];
    double bound[3]; // of the error for 1e-3, 1e-4, 1e-5
} stiff_problem;
static const stiff_problem stiff[] = {
    {"oblique sphere", sphere, {"p.x", "p.y", "p.z"}, slow_sphere, {6e-2, 2e-2, 5e-3}},
    {"stiff chain", chain, {"p0.x", "p0.y", "p2.x"}, slow_chain, {3e-2, 6e-3, 1e-3}},
};

typedef struct {
    hol_status status;
    long steps, residuals, failures, rejected;
    double time, error;
    char text[300];
} outcome;

// With order 2, the tolerance being that of a step as published; stops after most steps.
static outcome outcome_of(const stiff_problem *p, const char *formulation, const char *tolerance,
                          const char *eps, long most)
{
    char set[4][80];
    const char *list[] = {set[0], set[1], set[2], set[3], "bdf.errors=paper"};
    outcome o = {.error = 0};
    bool done = false;
    snprintf(set[0], sizeof set[0], "simulate.tolerance=%s", tolerance);
    snprintf(set[1], sizeof set[1], "parameters.eps=%s", eps);
    snprintf(set[2], sizeof set[2], "bdf.formulation=%s", formulation);
    snprintf(set[3], sizeof set[3], "bdf.max_order=2");
    motion it = open_motion(p->text ? p->text : p->name, list, 5);
    hol_simulation *sim = it.sim;
    assert_int_equal(hol_simulation_write(sim, file), HOL_OK);
    for (long i = 0; !done && !o.status && i < most; i++) o.status = hol_simulation_step(sim, &done);
    snprintf(o.text, sizeof o.text, "%s", o.status ? hol_context_error(ctx) : "");
    const hol_statistics *s = hol_simulation_finish(sim);
    o.steps = s->steps;
    o.residuals = s->residuals;
    o.failures = s->corrector_failures;
    o.rejected = s->rejected;
    o.time = s->time;
    close_motion(&it);
    hol_result *r = hol_result_read(ctx, file);
    assert_non_null(r);
    for (size_t i = 0; i < r->n_rows; i++)
        for (int k = 0; k < 5; k++) {
            const double *x = r->value + i * (size_t)r->n_columns;
            if (fabs(x[0] - p->slow[k][0]) > 1e-9) continue;
            for (int j = 0; j < 3; j++)
                o.error = fmax(o.error, fabs(x[column_of(r, p->signal[j])] - p->slow[k][j + 1]));
        }
    hol_result_destroy(r);
    if (getenv("SEEN"))
        printf("%s %s %s eps %s: %ld steps, %ld rejected, %ld failures, %ld residuals, t = %g, error %.2e\n",
               p->name, formulation, tolerance, eps, o.steps, o.rejected, o.failures, o.residuals, o.time,
               o.error);
    return o;
}

// Seen: sphere 55, 113, 250 steps, chain 34, 70, 163, the same for all eps; no failure, 2.0 residuals per
// step; errors 2.4e-2, 5.2e-3, 1.0e-3 and 2.4e-2, 4.7e-3, 7.0e-4.
static void eps_does_not_matter_to_cm_lambda(void **state)
{
    static const char *const tolerance[] = {"1e-3", "1e-4", "1e-5"}, *const eps[] = {"1e-4", "1e-5", "1e-6"};
    (void)state;
    for (int i = 0; i < HOL_COUNT(stiff); i++)
        for (int k = 0; k < 3; k++) {
            long least = 0, most = 0;
            for (int j = 0; j < 3; j++) {
                const outcome o = outcome_of(&stiff[i], "cm-lambda", tolerance[k], eps[j], 5000);
                assert_int_equal(o.status, HOL_OK);
                assert_true(o.failures <= 1);
                assert_true((double)o.residuals <= 2.2 * (double)o.steps);
                assert_true(o.error <= stiff[i].bound[k]);
                least = j == 0 || o.steps < least ? o.steps : least;
                most = o.steps > most ? o.steps : most;
            }
            assert_true((double)most <= 1.1 * (double)least);
        }
}

// Does the run need so many times the steps of cm-lambda, or stop, or exceed 5000?
static void cs_is_slow(const stiff_problem *p, const char *tolerance, const char *eps, double times)
{
    const outcome cm = outcome_of(p, "cm-lambda", tolerance, eps, 5000),
                  cs = outcome_of(p, "cs", tolerance, eps, 5000);
    assert_int_equal(cm.status, HOL_OK);
    const double ratio = (double)cs.steps / (double)cm.steps;
    if (cs.status == HOL_OK && cs.steps < 5000 && ratio < times) print_error("%s: %.2f\n", p->name, ratio);
    assert_true(cs.status != HOL_OK || cs.steps >= 5000 || ratio >= times);
}

static void stiff_forces_across_the_splitting_hold_cs(void **state)
{
    (void)state;
    cs_is_slow(&stiff[1], "1e-4", "1e-5", 3); // seen: 244 against 70
    cs_is_slow(&stiff[0], "1e-5", "1e-5", 5); // seen: 1738 against 250
}

// Without the guard cs reaches the end of this problem in 24 steps, without an error test failed, wrong by
// 1.2.
static void wrong_convergence_is_no_success(void **state)
{
    static const char *const tolerance[] = {"1e-3", "1e-4"};
    (void)state;
    for (int k = 0; k < 2; k++) {
        const outcome o = outcome_of(&stiff[0], "cs", tolerance[k], "1e-6", 20000);
        if (o.status == HOL_OK) assert_true(o.error <= stiff[0].bound[0]);
        if (o.status) assert_non_null(strstr(o.text, "Newton's iteration"));
        assert_true(o.status != HOL_OK || o.steps > 1000);
    }
}

// ggl and ggl-star: IDA's prediction of the multipliers is as good as having none.
static void all_but_cs_take_the_stiff_chain(void **state)
{
    static const int which[] = {0, 1, 3};
    (void)state;
    for (int i = 0; i < HOL_COUNT(which); i++)
        for (int k = 0; k < HOL_COUNT(stiff);
             k++) { // seen: at most 116 steps, errors up to 6.5e-3; the bound is that of cm-lambda
            const outcome o = outcome_of(&stiff[k], formulations[which[i]], "1e-4", "1e-5", 1000);
            assert_int_equal(o.status, HOL_OK);
            assert_true(o.error <= 1.2 * stiff[k].bound[1]);
        }
}

// One degree of freedom and a multiplier of order 1: nothing to tell cs from cm.
static void cs_is_cm_on_a_circle(void **state)
{
    static const char text[] = "dimension: 2\ngravity: [0, -1]\nlength_scale: 1\n"
                               "parameters: {eps: 1e-3}\n"
                               "bodies:\n"
                               "  - {name: p, type: point, mass: 1, position: [0.04471, -0.999]}\n"
                               "joints:\n  - {name: rod, type: distance, between: [ground, p], length: 1}\n"
                               "forces:\n  - {name: f, type: force, on: p, value: [-DX(p)/eps^2, 0]}\n"
                               "simulate: {method: bdf, end: 0.025, tolerance: 1e-4}\n";
    long steps[2];
    (void)state;
    for (int k = 0; k < 2; k++) {
        const char *const set[] = {k ? "bdf.formulation=cs" : "bdf.formulation=cm", "bdf.max_order=2"};
        motion it = open_motion(text, set, 2);
        hol_simulation *sim = it.sim;
        assert_int_equal(hol_simulation_run(sim), HOL_OK);
        steps[k] = hol_simulation_finish(sim)->steps;
        close_motion(&it);
    }
    if (getenv("SEEN")) printf("circle: cm %ld steps, cs %ld\n", steps[0], steps[1]);
    assert_true(labs(steps[0] - steps[1]) <= steps[0] / 50);
}

// A turned body without inertia is a point mass on a rod. Its Euler parameters have no mass: what rounding leaves of joint forces
// stands in its place.
static void bodies_without_inertia_are_points(void **state)
{
    static const char *const names[] = {"cm-lambda", "ggl", "ggl-star", "cs", "cm"};
    static const char text[] =
        "dimension: 3\ngravity: [0, 0, -9.81]\n"
        "bodies:\n"
        "  - {name: a, mass: 1, inertia: 0, position: [1, 0, 0]}\n"
        "  - {name: b, type: point, mass: 1, position: [1, 0, 0]}\n"
        "joints:\n"
        "  - {name: hinge, type: revolute, axis: [0, 1, 0], bodies: [ground, a], at: [0, 0, 0]}\n"
        "  - {name: rod, type: distance, between: [ground, b], length: 1}\n"
        "simulate: {method: bdf, end: 1, tolerance: 1e-6}\n";
    (void)state;
    for (int i = 0; i < HOL_COUNT(names); i++) {
        char choice[60];
        const char *const set[] = {choice};
        snprintf(choice, sizeof choice, "bdf.formulation=%s", names[i]);
        motion m = move(text, set, 1);
        if (m.end) print_error("%s: %s\n", names[i], hol_context_error(ctx));
        assert_int_equal(m.end, HOL_OK);
        near(names[i], value_of(&m, "a.x"), value_of(&m, "b.x"), 1e-4);
        near(names[i], value_of(&m, "a.z"), value_of(&m, "b.z"), 1e-4);
        close_motion(&m);
    }
}

// ---- what it refuses ------------------------------------------------------------------------------------------

static void fixed_steps_are_refused(void **state)
{
    static const char *const set[] = {"simulate.method=bdf", "simulate.step=1e-3"};
    (void)state;
    assert_null(hol_model_load(ctx, "models/pendulum.yaml", set, 2));
    assert_non_null(strstr(hol_context_error(ctx), "has no fixed steps: give a tolerance"));
}

static void cs_refuses_velocity_constraints_by_name(void **state)
{
    static const char *const set[] = {"simulate.method=bdf", "bdf.formulation=cs"};
    (void)state;
    hol_model *model = hol_model_load(ctx, "models/knife_edge.yaml", set, 2);
    assert_non_null(model);
    assert_null(hol_simulation_create(ctx, model));
    assert_non_null(strstr(hol_context_error(ctx), "does not take velocity constraints (\""));
    assert_non_null(strstr(hol_context_error(ctx), "use cm-lambda"));
    hol_model_destroy(model);
}

// ---- checkpoints ----------------------------------------------------------------------------------------------

static void resume_bdf(const char *name, const char *formulation)
{
    char choice[60];
    const char *const set[] = {"simulate.method=bdf", "simulate.tolerance=1e-5", "simulate.end=0.05", choice};
    snprintf(choice, sizeof choice, "bdf.formulation=%s", formulation);
    resume(name, set, 4, file);
}

// The run that is saved begins anew there with order 1, as the resumed one does.
static void a_resumed_run_is_the_same(void **state)
{
    static const char *const models[] = {"pendulum", "double_pendulum", "bricard",   "flyball",
                                         "car_axis", "rolling_disc",    "hydraulic", "impact_stop"};
    (void)state;
    for (int i = 0; i < HOL_COUNT(models); i++) resume_bdf(models[i], "cm-lambda");
    for (int f = 0; f < 4; f++) resume_bdf("bricard", formulations[f]);
}

static int make_files(void **state) { return (void)state, make_results(folder, file, best); }
static int remove_files(void **state) { return (void)state, remove_results(folder, file, best); }

#define TEST(f) cmocka_unit_test_setup_teardown(f, start, stop)

// ---- what the constants were not chosen on --------------------------------------------------------------------

// Angle of N masses on a straight line of rods after 4 s from 0.8 rad at rest, gravity 1: theta'' = -c sin(theta).
static double straight_chain(int N)
{
    double first = 0, second = 0, x = 0.8, v = 0;
    const double h = 1e-4;
    for (int i = 1; i <= N; i++) {
        first += i;
        second += i * i;
    }
    const double c = first / second;
    for (int k = 0; k < 40000; k++) { // classical Runge-Kutta-Nystrom, error below 1e-14
        const double a1 = -c * sin(x), a2 = -c * sin(x + 0.5 * h * v),
                     a3 = -c * sin(x + 0.5 * h * v + 0.25 * h * h * a1),
                     a4 = -c * sin(x + h * v + 0.5 * h * h * a2);
        x += h * v + h * h / 6 * (a1 + a2 + a3);
        v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
    return x;
}

// The fraction of the tolerance and others of the method's constants were chosen with chains of three masses and the oblique
// sphere in view. Longer chains behave alike: seen 64/64, 58/58 steps for eps = 1e-4/1e-6, two residuals a step, no failure,
// the last mass off by 6.2e-3 and 8.1e-3.
static void longer_chains_behave_alike(void **state)
{
    (void)state;
    for (int N = 4; N <= (few() ? 4 : 6); N += 2) {
        const double theta = straight_chain(N);
        long steps[2] = {0};
        for (int k = 0; k < 2; k++) {
            char number[40], x[20], y[20];
            const char *set[] = {number,
                                 k ? "parameters.eps=1e-6" : "parameters.eps=1e-4",
                                 "simulate.method=bdf",
                                 "bdf.max_order=2",
                                 "simulate.tolerance=1e-4",
                                 "simulate.max_step=4"};
            snprintf(number, sizeof number, "parameters.N=%d", N);
            snprintf(x, sizeof x, "p%d.x", N);
            snprintf(y, sizeof y, "p%d.y", N);
            motion it = open_motion("stiff_chain", set, HOL_COUNT(set));
            hol_simulation *sim = it.sim;
            assert_int_equal(hol_simulation_run(sim), HOL_OK);
            const hol_statistics *s = hol_simulation_statistics(sim);
            const double *value = hol_simulation_values(sim);
            const double off = hypot(value[hol_simulation_find_signal(sim, x)] - N * sin(theta),
                                     value[hol_simulation_find_signal(sim, y)] + N * cos(theta));
            print_message("N = %d: %ld steps, %ld residuals, off by %.1e\n", N, s->steps, s->residuals, off);
            steps[k] = s->steps;
            assert_true(off < 1.2e-2);
            assert_int_equal(s->corrector_failures, 0);
            assert_true((double)s->residuals <= 2.2 * (double)s->steps);
            close_motion(&it);
        }
        assert_true(labs(steps[0] - steps[1]) * 10 <= steps[0]);
    }
}

// Stiff vibrations whose energy, 4e-4 of the motion's, is more than a tolerance of 1e-7 gives away: steps that admit its velocities by
// their own frequency let it die out (results refused, off by 1.9 tolerances after 0.5 s; by 66 on models/stiff_chain.yaml after 4 s at
// 1e-8). Seen: 0.0044 tolerances.
static void vibrations_that_count_are_followed(void **state)
{
    static const subject c = {"oblique_sphere", NULL, {"p.x", "p.y", "p.z"}, {NULL}, 0.5, 0.02};
    static const char *const set[] = {"parameters.eps=2e-4", "parameters.delta=2e-5", "simulate.method=bdf",
                                      "simulate.tolerance=1e-7"},
                             *const reference[] = {"parameters.eps=2e-4", "parameters.delta=2e-5",
                                                   "simulate.method=rk", "simulate.tolerance=1e-9"};
    (void)state;
    if (few()) return; // it is about numbers, from code that the others run
    run_to_file(&c, best, reference, HOL_COUNT(reference));
    run_to_file(&c, file, set, HOL_COUNT(set));
    const double error = difference(&c, file, best);
    if (!(error < 1e-7)) fail_msg("off by %.2e", error);
}

// What the tolerance gives away is not: the same with 1/400 of the energy takes the steps of a plane at rest.
static void vibrations_that_do_not_count_are_not(void **state)
{
    static const char *const set[] = {"parameters.delta=1e-6", "simulate.method=bdf",
                                      "simulate.tolerance=1e-5", "simulate.end=0.5"};
    (void)state;
    motion a = move("oblique_sphere", set, HOL_COUNT(set));
    assert_int_equal(a.end, HOL_OK);
    const long steps = hol_simulation_statistics(a.sim)->steps;
    if (steps > 6000) fail_msg("%ld steps", steps); // followed: 21000
    close_motion(&a);
}

// Formulations whose matrix serves for several steps leave velocities off the joints by what their iteration leaves, here 1e-4 of the motion: that is
// no projection that has failed.
static void formulations_that_keep_a_matrix_go_on(void **state)
{
    static const char *const formulation[] = {"ggl", "ggl-star", "ggl-star-pinv"};
    (void)state;
    for (int i = 0; i < HOL_COUNT(formulation); i++) {
        char form[60];
        const char *const set[] = {"simulate.method=bdf", "simulate.tolerance=1e-2", form};
        snprintf(form, sizeof form, "bdf.formulation=%s", formulation[i]);
        motion a = move("oblique_sphere", set, HOL_COUNT(set));
        if (a.end) fail_msg("%s: %s", form, hol_context_error(ctx));
        close_motion(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(errors_fall_with_the_tolerance),
                                       TEST(longer_chains_behave_alike),
                                       TEST(vibrations_that_count_are_followed),
                                       TEST(vibrations_that_do_not_count_are_not),
                                       TEST(users_equations_are_taken),
                                       TEST(eps_does_not_matter_to_cm_lambda),
                                       TEST(stiff_forces_across_the_splitting_hold_cs),
                                       TEST(wrong_convergence_is_no_success),
                                       TEST(all_but_cs_take_the_stiff_chain),
                                       TEST(cs_is_cm_on_a_circle),
                                       TEST(bodies_without_inertia_are_points),
                                       TEST(fixed_steps_are_refused),
                                       TEST(cs_refuses_velocity_constraints_by_name),
                                       TEST(formulations_that_keep_a_matrix_go_on),
                                       TEST(a_resumed_run_is_the_same)};
    return cmocka_run_group_tests(tests, make_files, remove_files);
}
