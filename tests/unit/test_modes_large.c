// Modes and omega_max of large models by Lanczos' and Arnoldi's methods, against dense matrices and closed forms.
// docs/theory.md, section 13.5.
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A rope of n rods, length 10 m, mass 1 kg. It hangs from J1.
#define ROPE(gravity, joints)                                                                                \
    "dimension: 2\ngravity: " gravity "\nparameters: {n: 305, L: 10, l: L/n, c: 0}\nbodies:\n"               \
    "  - {for: i in 1..n, name: \"r{i}\", mass: 1/n, inertia: l^2/(12*n), position: [0, -(i - 1/2)*l],\n"    \
    "     angle: -90 deg, markers: {a: [-l/2, 0], b: [l/2, 0]}}\n"                                           \
    "joints:\n" joints                                                                                       \
    "  - {for: i in 2..n, name: \"J{i}\", type: revolute, between: [\"r{i-1}.b\", \"r{i}.a\"]}\n"
#define HELD "  - {name: J1, type: revolute, between: [ground, r1.a]}\n"
static const char rope[] = ROPE("[0, -9.81]", HELD);
static const char beam[] =
    ROPE("[0, -9.81]", HELD) "forces:\n  - {for: i in 2..n, name: \"s{i}\", type: rotational-spring-damper, "
                             "between: [\"r{i-1}\", \"r{i}\"],\n"
                             "     stiffness: 0.5, damping: c, angle: 0}\n";
static const char free_beam[] =
    ROPE("[0, 0]", "") "forces:\n  - {for: i in 2..n, name: \"s{i}\", type: rotational-spring-damper, "
                       "between: [\"r{i-1}\", \"r{i}\"],\n"
                       "     stiffness: 0.5, damping: c, angle: 0}\n";
static const char pushed[] =
    ROPE("[0, -9.81]",
         HELD) "states:\n  - {name: alone, rate: -0.5*alone}\n"
               "forces:\n  - {name: f, type: force, on: r100, value: [-18*DX(r100) + 0.5*DX(r300), 0]}\n"
               "  - {name: g, type: force, on: r300, value: [3*DX(r200), 0]}\n";

// Parallelograms in space that hang, with three redundant equations each; springs from one to the next.
static const char loops[] =
    "dimension: 3\ngravity: [0, -9.81, 0]\n"
    "parameters: {N: 302, L: 0.6, m: 1.3, I: m*L^2/12, k: 0, c: 0}\nbodies:\n"
    "  - {for: i in 1..N, name: \"a{i}\", mass: m, inertia: [I, I/9, I], position: [i, -L/2, 0]}\n"
    "  - {for: i in 1..N, name: \"b{i}\", mass: m, inertia: [I, I/9, I], position: [i + L, -L/2, 0]}\n"
    "  - {for: i in 1..N, name: \"c{i}\", mass: m, inertia: [I/9, I, I], position: [i + L/2, -L, 0]}\n"
    "joints:\n"
    "  - {for: i in 1..N, name: \"A{i}\", type: revolute, bodies: [ground, \"a{i}\"], at: [i, 0, 0], axis: "
    "[0, 0, 1]}\n"
    "  - {for: i in 1..N, name: \"B{i}\", type: revolute, bodies: [ground, \"b{i}\"], at: [i + L, 0, 0], "
    "axis: [0, 0, 1]}\n"
    "  - {for: i in 1..N, name: \"C{i}\", type: revolute, bodies: [\"a{i}\", \"c{i}\"], at: [i, -L, 0], "
    "axis: [0, 0, 1]}\n"
    "  - {for: i in 1..N, name: \"D{i}\", type: revolute, bodies: [\"b{i}\", \"c{i}\"], at: [i + L, -L, 0], "
    "axis: [0, 0, 1]}\n"
    "forces:\n"
    "  - {for: i in 2..N, name: \"s{i}\", type: spring-damper, between: [\"c{i-1}\": [0, 0, 0], \"c{i}\": "
    "[0, 0, 0]],\n"
    "     stiffness: k, damping: c, length: 1}\n";

static hol_modes *modes_with(const char *text, const char *set, const hol_modes_options *o)
{
    hol_model *model = load_model(text, &set, set ? 1 : 0);
    hol_modes *m = hol_modes_create(ctx, model, o);
    if (!m) print_error("%s\n", hol_context_error(ctx));
    assert_non_null(m);
    hol_model_destroy(model);
    return m;
}

static hol_modes *lowest(const char *text, const char *set, int count)
{
    hol_modes *m = modes_with(text, set, &(hol_modes_options){.count = count});
    assert_int_equal(m->n, count ? count : 20);
    return m;
}

// Largest relative distance of the 20 lowest eigenvalues from those of dense matrices, which many modes take.
static double against_dense(const char *text, const char *set, double at)
{
    enum { MANY = 105 };
    hol_modes *a = modes_with(text, set, &(hol_modes_options){.at = at, .count = 20}),
              *b = modes_with(text, set, &(hol_modes_options){.at = at, .count = MANY});
    double worst = 0;
    assert_true(a->projected >= 20 && b->projected == 0);
    assert_int_equal(a->n, 20);
    assert_true(a->equilibrium == b->equilibrium);
    assert_true(fabs(a->omega_max - b->omega_max) <= 1e-8 * b->omega_max);
    assert_true(fabs(a->residual - b->residual) <= 1e-8 * (1 + b->residual));
    for (int i = 0; i < a->n; i++) { // of decay and divergence either may come first
        const hol_mode *x = &a->mode[i];
        double nearest = HOL_INF, size = hypot(x->re, x->im);
        for (int k = 0; k < b->n; k++)
            nearest = fmin(nearest, hypot(x->re - b->mode[k].re, x->im - b->mode[k].im));
        worst = fmax(worst, nearest / fmax(size, 1e-3));
        assert_true(fabs(hypot(b->mode[i].re, b->mode[i].im) - size) <= 1e-4 * size);
    }
    print_message("off by %.1e, accelerations beyond %.1e\n", worst, a->outside);
    hol_modes_destroy(a);
    hol_modes_destroy(b);
    return worst;
}

static void chains(void **state)
{
    (void)state;
    assert_true(against_dense(rope, NULL, 0) < 1e-8);
    if (!few()) assert_true(against_dense(rope, "parameters.n=419", 0) < 1e-8);
    assert_true(against_dense(beam, "parameters.n=305", 0) < 1e-8);
}

// 302 equal ones: no copy is missed.
static void equal_frequencies(void **state)
{
    (void)state;
    hol_modes *m = lowest(loops, NULL, 0);
    assert_true(m->equilibrium);
    assert_int_equal(m->degrees_of_freedom, 302);
    for (int i = 0; i < m->n; i++)
        assert_true(fabs(m->mode[i].omega - sqrt(1.2 * 9.81 / 0.6)) < 1e-9 * m->mode[i].omega);
    assert_true(fabs(m->omega_max - sqrt(1.2 * 9.81 / 0.6)) < 1e-9 * m->omega_max);
    hol_modes_destroy(m);
}

static void redundant_loops(void **state)
{
    (void)state;
    if (few()) return; // it is about numbers, from code that the others run
    assert_true(against_dense(loops, "parameters.k=200", 0) < 1e-8);
}

// A hanging rope: omega_k = j_0k/2 sqrt(g/L), zeros of the Bessel function J_0; of n rods they differ by O(1/n^2).
static void a_rope_of_rods(void **state)
{
    static const double zero[] = {2.404825557695773, 5.520078110286311, 8.653727912911013, 11.79153443901428,
                                  14.93091770848779, 18.07106396791092, 21.21163662987926, 24.35247153074930,
                                  27.49347913204025, 30.63460646843198};
    static const char *const set[] = {"parameters.n=1000", "parameters.n=2000"};
    double off[2] = {0};
    (void)state;
    for (int k = 0; k < 2; k++) {
        hol_modes *m = lowest(rope, set[k], 10);
        for (int i = 0; i < 10; i++)
            off[k] = fmax(off[k], fabs(m->mode[i].omega / (0.5 * zero[i] * sqrt(0.981)) - 1));
        hol_modes_destroy(m);
    }
    print_message("ten frequencies of a rope, off by %.2e and %.2e\n", off[0], off[1]);
    assert_true(off[0] < 3e-4 && off[1] < 0.3 * off[0]);
}

// Three rigid-body motions; then the figures of a free beam, (k l)^2 sqrt(EI/(rho A l^4)).
static void a_free_chain(void **state)
{
    static const double kl[] = {4.730040744862704, 7.853204624095838, 10.99560783800167};
    (void)state;
    hol_modes *m = lowest(free_beam, "parameters.n=1000", 0);
    for (int i = 0; i < 3; i++) assert_int_equal(m->mode[i].kind, HOL_MODE_RIGID);
    for (int i = 0; i < 3; i++) // EI = 0.5 l, mass per length 1/L
        assert_true(fabs(m->mode[3 + i].omega / (kl[i] * kl[i] * sqrt(0.5 * 0.01 / 1e3)) - 1) < 1e-4);
    hol_modes_destroy(m);
}

// Damping is projected onto the undamped modes: with little of it the ratios are right, and what is left out is said.
static void damping_is_projected(void **state)
{
    (void)state;
    assert_true(against_dense(beam, "parameters.c=1e-5", 0) < 1e-6);
    hol_modes *m = lowest(beam, "parameters.c=1e-5", 0), *strong = lowest(beam, "parameters.c=0.02", 0);
    assert_true(m->mode[9].damping > 0 && m->outside < 1e-3);
    assert_true(strong->outside > 0.01);
    hol_modes_destroy(m);
    hol_modes_destroy(strong);
}

// Not symmetric, with users' unknowns, a state, a divergence.
static void users_forces(void **state)
{
    (void)state;
    assert_true(against_dense(pushed, NULL, 0) < 1e-8);
}

static void in_motion(void **state)
{
    (void)state;
    assert_true(against_dense("chain", "parameters.n=305", 0.1) < 1e-8);
}

static void the_signal(void **state)
{
    const char *set[] = {"parameters.n=401", "simulate.signals=[omega_max]", "simulate.end=0.01"};
    (void)state;
    hol_model *model = load_model(beam, set, 3);
    hol_simulation *sim = hol_simulation_create(ctx, model);
    if (!sim) print_error("%s\n", hol_context_error(ctx));
    assert_non_null(sim);
    hol_modes *dense = modes_with(beam, set[0], &(hol_modes_options){.count = 200});
    assert_int_equal(dense->projected, 0);
    assert_true(fabs(hol_simulation_values(sim)[0] - dense->omega_max) < 1e-8 * dense->omega_max);
    hol_modes_destroy(dense);
    const long before = hol_memory_count(ctx);
    hol_simulation_values(sim);
    assert_int_equal(hol_memory_count(ctx), before);
    hol_simulation_destroy(sim);
    hol_model_destroy(model);
}

static void refused(const char *text, const char *set, const hol_modes_options *o, const char *wanted)
{
    hol_model *model = load_model(text, &set, set ? 1 : 0);
    assert_null(hol_modes_create(ctx, model, o));
    assert_int_equal(hol_context_status(ctx), HOL_ERR_USAGE);
    expect_message(wanted);
    hol_model_destroy(model);
}

static void what_only_dense_matrices_do_is_refused(void **state)
{
    const char *set = "parameters.n=1001";
    (void)state;
    refused(rope, set, &(hol_modes_options){.equilibrium = true}, "1001 degrees of freedom: an equilibrium");
    refused(rope, set, &(hol_modes_options){.metric = HOL_METRIC_NATURAL}, "in the natural metric");
    refused(rope, set, &(hol_modes_options){.count = 251}, "251 modes of 1001 degrees of freedom");
}

// Every allocation of the last ones that fails is an error, and nothing is lost.
static void no_memory(void **state)
{
    const char *set = "parameters.n=301";
    (void)state;
    hol_model *model = load_model(rope, &set, 1);
    const long before = hol_memory_count(ctx);
    hol_modes *m = hol_modes_create(ctx, model, &(hol_modes_options){0});
    const long all = hol_memory_count(ctx) - before;
    assert_non_null(m);
    hol_modes_destroy(m);
    for (long n = all - 60; n <= all; n += 4) {
        hol_memory_fail_after(ctx, (int)n);
        m = hol_modes_create(ctx, model, &(hol_modes_options){0});
        hol_memory_fail_after(ctx, 0);
        assert_null(m);
        assert_int_equal(hol_context_status(ctx), HOL_ERR_MEMORY);
    }
    hol_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chains),          cmocka_unit_test(equal_frequencies),
        cmocka_unit_test(redundant_loops), cmocka_unit_test(a_rope_of_rods),
        cmocka_unit_test(a_free_chain),    cmocka_unit_test(damping_is_projected),
        cmocka_unit_test(users_forces),    cmocka_unit_test(in_motion),
        cmocka_unit_test(the_signal),      cmocka_unit_test(what_only_dense_matrices_do_is_refused),
        cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
