// How joints are closed from poses that are far from it or singular, and what is said where they do not close.
#include "harness.h"

#include "system/initial.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static char warnings[4000];

static void listen(void *user, hol_severity severity, const char *text)
{
    (void)user;
    const size_t n = strlen(warnings);
    if (severity == HOL_WARNING) snprintf(warnings + n, sizeof warnings - n, "%s\n", text);
}

static int start_listening(void **state)
{
    const int st = start(state);
    if (!st) hol_context_set_log(ctx, listen, NULL);
    return st;
}

// ---- robots of others -----------------------------------------------------------------------------------------

static void freedom_of(const char *file, int freedom, int redundant)
{
    hol_model *model = hol_model_load(ctx, file, NULL, 0);
    assert_non_null(model);
    hol_check *c = hol_check_create(ctx, model);
    if (!c) print_error("%s: %s\n", file, hol_context_error(ctx));
    assert_non_null(c);
    assert_int_equal(c->degrees_of_freedom, freedom);
    assert_int_equal(c->n_redundant, redundant);
    hol_check_destroy(c);
    hol_model_destroy(model);
}

// tests/robots/README.md says where the figures come from.
static void robots_have_the_freedom_they_should(void **state)
{
    (void)state;
    freedom_of("tests/robots/strandbeest_assembled.yaml", 1, 138);
    freedom_of("tests/robots/strandbeest_open.yaml", 1, 138);
    freedom_of("tests/robots/talos_like_open.yaml", 7, 0);
    freedom_of("tests/robots/robot_delta_open.yaml", 5, 9);
}

static void run_for(const char *file, const char *method, const char *end, const char *tolerance,
                    const char *signal, double *at_end)
{
    char text[200];
    const char *set[4];
    snprintf(text, sizeof text, "simulate.method=%s simulate.end=%s simulate.tolerance=%s", method, end,
             tolerance);
    const int n = split(text, set, 4);
    hol_model *model = hol_model_load(ctx, file, set, n);
    hol_simulation *sim = model ? hol_simulation_create(ctx, model) : NULL;
    const hol_status st = sim ? hol_simulation_run(sim) : hol_context_status(ctx);
    if (st) print_error("%s, %s: %s\n", file, method, hol_context_error(ctx));
    assert_int_equal(st, HOL_OK);
    assert_true(hol_simulation_statistics(sim)->max_position_violation < 1e-5);
    *at_end = signal_value(sim, signal);
    hol_simulation_destroy(sim);
    hol_model_destroy(model);
}

// Two families of methods agree on where the foot is; the default runs too.
static void the_strandbeest_walks(void **state)
{
    static const char file[] = "tests/robots/strandbeest_assembled.yaml", foot[] = "pair04_leg1_bars_g_h_i.x";
    const char *end = few() ? "0.2" : "2";
    double best, x;
    (void)state;
    run_for(file, "rk", end, "1e-9", foot, &best);
    run_for(file, "auto", end, "1e-5", foot, &x);
    near("auto", x, best, 1e-4);
    run_for(file, "hht", end, "1e-5", foot, &x);
    near("hht", x, best, 1e-3); // of order 2: its error adds up over the steps
    run_for(file, "bdf", end, "1e-5", foot, &x);
    near("bdf", x, best, 1e-3);
}

static void robots_as_delivered_are_closed(void **state)
{
    double x;
    (void)state;
    warnings[0] = 0;
    run_for("tests/robots/strandbeest_open.yaml", "auto", "0.2", "1e-5", "crank_axle.x", &x);
    assert_non_null(strstr(warnings, "the pose as drawn is far from closing the joints"));
    run_for("tests/robots/talos_like_open.yaml", "auto", "0.2", "1e-5", "buste.z", &x);
    run_for("tests/robots/robot_delta_open.yaml", "hht", "0.2", "1e-5", "built.x",
            &x); // rk does not pass a singular pose
}

// ---- bodies at one place --------------------------------------------------------------------------------------

#define ROD2 "mass: 1, inertia: 0.1, markers: {a: [-0.5, 0], b: [0.5, 0]}"
#define ROD3 "mass: 1, inertia: 0.1, markers: {a: [-0.5, 0, 0], b: [0.5, 0, 0]}"

// None has a position or an angle: all lie at the origin.
static const char four_bar[] = "dimension: 2\n"
                               "parameters: {far: 1}\n"
                               "gravity: [0, -9.81]\n"
                               "bodies:\n"
                               "  - {name: crank, " ROD2 "}\n"
                               "  - {name: coupler, " ROD2 "}\n"
                               "  - {name: rocker, " ROD2 "}\n"
                               "joints:\n"
                               "  - {name: A, type: revolute, between: [ground, crank.a]}\n"
                               "  - {name: B, type: revolute, between: [crank.b, coupler.a]}\n"
                               "  - {name: C, type: revolute, between: [coupler.b, rocker.a]}\n"
                               "  - {name: D, type: revolute, between: [{ground: [far, 0]}, rocker.b]}\n"
                               "simulate: {end: 0.5}\n";

static const char ring_in_space[] = "dimension: 3\n"
                                    "gravity: [0, 0, -9.81]\n"
                                    "bodies:\n"
                                    "  - {name: a, " ROD3 "}\n"
                                    "  - {name: b, " ROD3 "}\n"
                                    "  - {name: c, " ROD3 "}\n"
                                    "joints:\n"
                                    "  - {name: A, type: spherical, between: [ground, a.a]}\n"
                                    "  - {name: B, type: spherical, between: [a.b, b.a]}\n"
                                    "  - {name: C, type: spherical, between: [b.b, c.a]}\n"
                                    "  - {name: D, type: spherical, between: [ground, c.b]}\n"
                                    "simulate: {end: 0.5}\n";

static const char two_points[] = "dimension: 3\n"
                                 "gravity: [0, 0, -9.81]\n"
                                 "bodies:\n"
                                 "  - {name: p, type: point, mass: 1}\n"
                                 "  - {name: q, type: point, mass: 1}\n"
                                 "joints:\n"
                                 "  - {name: a, type: distance, length: 1, between: [ground, p]}\n"
                                 "  - {name: b, type: distance, length: 1, between: [p, q]}\n"
                                 "simulate: {end: 0.5}\n";

static void bodies_drawn_at_one_place_are_assembled(void **state)
{
    static const char *const texts[] = {four_bar, ring_in_space, two_points};
    (void)state;
    for (int i = 0; i < (int)(sizeof texts / sizeof *texts); i++) {
        double pose[2] = {0};
        for (int again = 0; again < 2; again++) {
            warnings[0] = 0;
            motion a = move(texts[i], NULL, 0);
            assert_int_equal(a.end, HOL_OK);
            assert_true(hol_simulation_statistics(a.sim)->max_position_violation < 1e-5);
            if (texts[i] != ring_in_space) assert_non_null(strstr(warnings, "bodies are drawn at one place"));
            pose[again] = hol_simulation_values(a.sim)[1];
            close_motion(&a);
        }
        assert_true(pose[0] == pose[1]); // the same in each run
    }
}

static void refused(const char *const *set, int n)
{
    hol_model *model = load_model(four_bar, set, n);
    assert_null(hol_simulation_create(ctx, model));
    hol_model_destroy(model);
}

static void what_cannot_close_says_what_is_the_case(void **state)
{
    const char *far[] = {"parameters.far=3.3"};
    (void)state;
    refused(far, 1);
    expect_message(
        "the joints cannot be closed: 3 of 3 bodies are drawn at one place (\"crank\", \"coupler\", ..)");
    assert_null(strstr(hol_context_error(ctx), "Check the lengths"));
    // drawn apart, the lengths are to blame
    static const char *const apart[] = {"parameters.far=3.3", "bodies.crank.position=[0.5, 0]",
                                        "bodies.coupler.position=[1.5, 0]",
                                        "bodies.rocker.position=[2.5, 0]"};
    refused(apart, 4);
    expect_message("Check the lengths between the markers");
}

// Rods in a line, end to end: Newton's method sees no way to shorten them.
static void a_dead_pose_is_left(void **state)
{
    static const char *const line[] = {"parameters.far=2.9", "bodies.crank.position=[0.5, 0]",
                                       "bodies.coupler.position=[1.5, 0]", "bodies.rocker.position=[2.5, 0]"};
    (void)state;
    warnings[0] = 0;
    motion a = move(four_bar, line, 4);
    assert_int_equal(a.end, HOL_OK);
    assert_non_null(strstr(warnings, "the pose as drawn is far from closing the joints and singular"));
    close_motion(&a);
}

// ---- thrown bodies ----------------------------------------------------------------------------------------------

// Every body somewhere within 10 m and turned by any angle, after the model is compiled.
static void throw(const hol_model_data *m, unsigned long long seed)
{
    hol_random dice = {1000 + seed};
    for (int b = 0; b < m->n_bodies; b++) {
        double *q = m->q0 + m->body[b].q, sum = 0;
        const int size = m->body[b].size,
                  lengths = size < 7 ? (size == 3 && m->dimension == 2 ? 2 : size) : 3;
        for (int i = 0; i < lengths; i++) q[i] += 10 * hol_random_uniform(&dice);
        for (int i = lengths; i < size; i++) q[i] = (size == 7 ? 1 : HOL_PI) * hol_random_uniform(&dice);
        for (int i = 3; i < size && size == 7; i++) sum += q[i] * q[i];
        for (int i = 3; i < size && size == 7; i++) q[i] /= sqrt(sum);
    }
}

// How many of so many throws close to 1e-12.
static int closed(const char *name, int throws)
{
    int count = 0;
    for (int i = 0; i < throws; i++) {
        hol_model_data *m = compile(name, NULL, 0);
        hol_kernel k;
        hol_state x;
        hol_rank rank;
        hol_measure open;
        throw(m, (unsigned long long)i);
        const hol_status st = hol_initialise(ctx, m, HOL_START_QUIET | HOL_START_ALL_ROWS, &k, &x, &rank);
        if (!st) {
            hol_equations_measure(k.s, &x, &open);
            count += open.position < 1e-12;
            hol_state_destroy(&x);
            hol_rank_destroy(&rank);
            hol_start_destroy(&k);
        }
        hol_model_free(m);
    }
    print_message("%s: %d of %d closed\n", name, count, throws);
    return count;
}

static void thrown_bodies_are_assembled(void **state)
{
    static const struct {
        const char *name;
        int least; // of 100
    } models[] = {{"four_bar", 100}, {"slider_crank", 100}, {"stewart", 95},
                  {"bricard", 95},   {"hmmwv", 95},         {"double_wishbone", 95}};
    const int throws = goes_far() ? 100 : 20;
    (void)state;
    for (int i = 0; i < (int)(sizeof models / sizeof *models); i++)
        assert_true(closed(models[i].name, throws) * 100 >= models[i].least * throws);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(robots_have_the_freedom_they_should),
                                       cmocka_unit_test(the_strandbeest_walks),
                                       cmocka_unit_test(robots_as_delivered_are_closed),
                                       cmocka_unit_test(bodies_drawn_at_one_place_are_assembled),
                                       cmocka_unit_test(what_cannot_close_says_what_is_the_case),
                                       cmocka_unit_test(a_dead_pose_is_left),
                                       cmocka_unit_test(thrown_bodies_are_assembled)};
    return cmocka_run_group_tests(tests, start_listening, stop);
}
