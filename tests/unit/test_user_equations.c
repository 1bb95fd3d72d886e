// Users' equations against built-in elements, closed forms, and what methods accept.
#include "harness.h"

#include "integrator/integrator.h"
#include "system/initial.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 40 };

static hol_simulation *begin(const char *text, const char *const *set, int n_set, hol_model **model)
{
    const motion a = open_motion(text, set, n_set);
    *model = a.model;
    return a.sim;
}

// ---- expressions that say what an element does ----------------------------------------------------------------

// Largest difference of the bodies' signals (the same names in both) over a run of fixed steps.
static double difference_of(const char *one, const char *other, const char *method, const char *const *names,
                            int n)
{
    char choice[60], tight[60];
    snprintf(choice, sizeof choice, "simulate.method=%s", method);
    snprintf(tight, sizeof tight, "%s.newton_tolerance=1e-13", method);
    const char *set[] = {choice, tight};
    hol_model *m[2];
    hol_simulation *a = begin(one, set, 2, &m[0]), *b = begin(other, set, 2, &m[1]);
    double worst = 0;
    bool done = false;
    while (!done) {
        assert_int_equal(hol_simulation_step(a, &done), HOL_OK);
        assert_int_equal(hol_simulation_step(b, &done), HOL_OK);
        for (int i = 0; i < n; i++)
            worst = fmax(worst, fabs(signal_value(a, names[i]) - signal_value(b, names[i])));
    }
    hol_simulation_destroy(a);
    hol_simulation_destroy(b);
    hol_model_destroy(m[0]);
    hol_model_destroy(m[1]);
    return worst;
}

#define PLANE                                                                                                \
    "dimension: 2\ngravity: [0, -9.81]\nground: {markers: {anchor: [2, 1]}}\nbodies:\n"                      \
    "  - {name: a, mass: 2, inertia: 0.2, position: [0.5, 0], markers: {root: [-0.5, 0], tip: [0.5, 0]}}\n"  \
    "  - {name: b, mass: 1, inertia: 0.1, position: [1.5, 0], omega: 1, velocity: [0, 0.5], "                \
    "markers: {root: [-0.5, 0], tip: [0.5, 0]}}\n"                                                           \
    "joints:\n  - {name: h1, type: revolute, between: [ground, a.root]}\n"                                   \
    "  - {name: h2, type: revolute, between: [a.tip, b.root]}\nsimulate: {end: 0.5, step: 1e-3}\nforces:\n"
#define SPACE                                                                                                \
    "dimension: 3\ngravity: [0, 0, -9.81]\nbodies:\n"                                                        \
    "  - {name: a, mass: 2, inertia: [0.2, 0.3, 0.4], position: [0.5, 0, 0], omega: [0.1, 0, 0.5], "         \
    "velocity: [0, 0.25, 0], markers: {tip: [0.5, 0, 0]}}\n"                                                 \
    "joints:\n  - {name: h, type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: [0, 0, 1]}\n"          \
    "simulate: {end: 0.5, step: 1e-3}\nforces:\n"
#define FLOATING                                                                                             \
    "dimension: 3\nbodies:\n  - {name: a, mass: 2, inertia: [0.2, 0.3, 0.4], velocity: [1, 0.5, -0.3], "     \
    "omega: [0.1, -0.2, 0.15]}\nsimulate: {end: 0.3, step: 1e-3}\nforces:\n"

static const struct {
    const char *what, *element, *expression;
    int n;
    const char *name[6];
} pairs[] = {
    {"torque",
     PLANE "  - {name: t, type: torque, on: a, value: 3*sin(5*time)}\n",
     PLANE "  - {name: t, type: torque, on: a, value: u}\nvariables:\n  - {name: u, value: 3*sin(5*time)}\n",
     2,
     {"a.theta", "b.theta"}},
    {"TSDA",
     PLANE "  - {name: s, type: spring-damper, between: [ground.anchor, b.tip], stiffness: 300, damping: 3, "
           "length: 0.8}\n",
     PLANE "  - {name: s, type: spring-damper, between: [ground.anchor, b.tip], force: \"300*(DM(b.tip, "
           "ground.anchor) - 0.8) + 3*VR(b.tip, ground.anchor)\"}\n",
     2,
     {"a.theta", "b.theta"}},
    {"TSDA by components",
     PLANE "  - {name: s, type: spring-damper, between: [ground.anchor, b.tip], stiffness: 300, damping: 3, "
           "length: 0.8}\n",
     PLANE "  - {name: s, type: force, on: b.tip, value: [\"-f*DX(b.tip, ground.anchor)/DM(b.tip, "
           "ground.anchor)\", \"-f*DY(b.tip, ground.anchor)/DM(b.tip, ground.anchor)\"]}\n"
           "variables:\n  - {name: f, value: \"300*(DM(b.tip, ground.anchor) - 0.8) + 3*VR(b.tip, "
           "ground.anchor)\"}\n",
     2,
     {"a.theta", "b.theta"}},
    {"RSDA",
     PLANE "  - {name: s, type: rotational-spring-damper, between: [a, b], stiffness: 40, damping: 0.5, "
           "angle: 0.1}\n",
     PLANE "  - {name: s, type: rotational-spring-damper, between: [a, b], torque: \"40*(AZ(b, a) - 0.1) + "
           "0.5*WZ(b, a)\"}\n",
     2,
     {"a.theta", "b.theta"}},
    {"RSDA in space",
     SPACE "  - {name: s, type: rotational-spring-damper, between: [ground, a], stiffness: 40, damping: 0.5, "
           "angle: 0.1}\n",
     SPACE "  - {name: s, type: torque, on: a, value: [0, 0, \"-40*(AZ(a) - 0.1) - 0.5*WZ(a)\"]}\n",
     4,
     {"a.x", "a.y", "a.qw", "a.qz"}},
    {"bushing",
     PLANE "  - {name: s, type: bushing, between: [ground.anchor, b.tip], stiffness: [100, 200, 30], "
           "damping: [1, 2, 0.3]}\n",
     PLANE "  - {name: f, type: force, on: b.tip, value: [\"-100*DX(b.tip, ground.anchor) - VX(b.tip, "
           "ground.anchor)\", \"-200*DY(b.tip, ground.anchor) - 2*VY(b.tip, ground.anchor)\"]}\n"
           "  - {name: t, type: torque, on: b, value: \"-30*AZ(b, ground) - 0.3*WZ(b, ground)\"}\n",
     2,
     {"a.theta", "b.theta"}},
    {"bushing with full matrices",
     PLANE "  - {name: s, type: bushing, between: [ground.anchor, b.tip],\n"
           "     stiffness: [[100, 20, -8], [30, 200, 11], [7, -9, 30]],\n"
           "     damping: [[1, 0.2, -0.1], [0.3, 2, 0.4], [0.5, -0.6, 0.3]]}\n",
     PLANE "  - {name: f, type: force, on: b.tip, value: [-100*x - 20*y + 8*r - u - 0.2*v + 0.1*w, "
           "-30*x - 200*y - 11*r - 0.3*u - 2*v - 0.4*w]}\n"
           "  - {name: t, type: torque, on: b, value: -7*x + 9*y - 30*r - 0.5*u + 0.6*v - 0.3*w}\n"
           "variables:\n  - {name: x, value: \"DX(b.tip, ground.anchor)\"}\n"
           "  - {name: y, value: \"DY(b.tip, ground.anchor)\"}\n  - {name: r, value: AZ(b)}\n"
           "  - {name: u, value: VX(b.tip)}\n  - {name: v, value: VY(b.tip)}\n  - {name: w, value: WZ(b)}\n",
     2,
     {"a.theta", "b.theta"}},
    {"bushing in space",
     FLOATING "  - {name: s, type: bushing, between: [ground, a], stiffness: [100, 200, 300, 0, 0, 0], "
              "damping: [1, 2, 3, 0, 0, 0]}\n",
     FLOATING "  - {name: f, type: force, on: a, value: [\"-100*DX(a) - VX(a)\", \"-200*DY(a) - 2*VY(a)\", "
              "\"-300*DZ(a) - 3*VZ(a)\"]}\n",
     6,
     {"a.x", "a.y", "a.z", "a.qx", "a.qy", "a.qz"}},
};

static void expressions_equal_elements(void **state)
{
    static const char *const methods[] = {"hht", "genalpha", "newmark"};
    (void)state;
    for (int i = 0; i < HOL_COUNT(pairs); i++)
        for (int k = 0; k < HOL_COUNT(methods); k++) {
            const double d =
                difference_of(pairs[i].element, pairs[i].expression, methods[k], pairs[i].name, pairs[i].n);
            if (!(d < 1e-10)) print_error("%s, %s: off by %.3g\n", pairs[i].what, methods[k], d);
            assert_true(d < 1e-10);
        }
}

// ---- states ---------------------------------------------------------------------------------------------------

#define BODY "dimension: 2\nbodies:\n  - {name: a, mass: 1, inertia: 1}\n"

// x' = -x + cos(3 t), x(0) = 1: x = (9/10) e^-t + (cos 3t + 3 sin 3t)/10; a stiff one, and an oscillator of two states
static const char states_text[] = BODY "states:\n"
                                       "  - {name: x, rate: -x + cos(3*time), initial: 1}\n"
                                       "  - {name: fast, rate: -1000*(fast - sin(time)), initial: 0}\n"
                                       "  - {name: u, rate: 2*w, initial: 1}\n  - {name: w, rate: -2*u}\n"
                                       "variables:\n  - {name: sum, value: u^2 + w^2}\n";

static void state_errors(const char *method, double h, double *slow, double *oscillator)
{
    char choice[60], step[60];
    snprintf(choice, sizeof choice, "simulate.method=%s", method);
    snprintf(step, sizeof step, "simulate.step=%.17g", h);
    const char *set[] = {choice, step, "simulate.end=2"};
    hol_model *m;
    hol_simulation *sim = begin(states_text, set, 3, &m);
    bool done = false;
    *slow = *oscillator = 0;
    while (!done) {
        assert_int_equal(hol_simulation_step(sim, &done), HOL_OK);
        const double t = hol_simulation_time(sim);
        *slow =
            fmax(*slow, fabs(signal_value(sim, "x") - 0.9 * exp(-t) - 0.1 * (cos(3 * t) + 3 * sin(3 * t))));
        *oscillator = fmax(*oscillator,
                           hypot(signal_value(sim, "u") - cos(2 * t), signal_value(sim, "w") + sin(2 * t)));
    }
    assert_true(fabs(signal_value(sim, "fast") - sin(2) + 1e-3 * cos(2)) < 1e-3);
    hol_simulation_destroy(sim);
    hol_model_destroy(m);
}

static void states_converge_with_the_order_of_the_method(void **state)
{
    static const struct {
        const char *method;
        int order;
    } rows[] = {{"hht", 2}, {"genalpha", 2}, {"newmark", 1}};
    (void)state;
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        double slow[2], oscillator[2];
        for (int k = 0; k < 2; k++) state_errors(rows[i].method, k ? 1e-3 : 2e-3, &slow[k], &oscillator[k]);
        print_message("%s: x off by %.2e and %.2e, oscillator by %.2e and %.2e\n", rows[i].method, slow[0],
                      slow[1], oscillator[0], oscillator[1]);
        assert_true(fabs(log2(slow[0] / slow[1]) - rows[i].order) < 0.1);
        assert_true(fabs(log2(oscillator[0] / oscillator[1]) - rows[i].order) < 0.1);
    }
}

// With error control the states alone choose the steps: nothing else moves.
static void steps_follow_the_states(void **state)
{
    static const char *const methods[] = {"hht", "genalpha", "newmark"};
    static const char text[] =
        BODY "states:\n  - {name: u, rate: 2*w, initial: 1}\n  - {name: w, rate: -2*u}\nsimulate: {end: 3}\n";
    (void)state;
    for (int i = 0; i < HOL_COUNT(methods); i++) {
        double error[2];
        for (int k = 0; k < 2; k++) {
            char choice[60];
            snprintf(choice, sizeof choice, "simulate.method=%s", methods[i]);
            const char *set[] = {choice, k ? "step_tolerance=1e-8" : "step_tolerance=1e-5"};
            hol_model *m;
            hol_simulation *sim = begin(text, set, 2, &m);
            assert_int_equal(hol_simulation_run(sim), HOL_OK);
            error[k] = hypot(signal_value(sim, "u") - cos(6), signal_value(sim, "w") + sin(6));
            hol_simulation_destroy(sim);
            hol_model_destroy(m);
        }
        print_message("%s: off by %.2e at 1e-5 of a step, %.2e at 1e-8\n", methods[i], error[0], error[1]);
        // order 2: error ~ tolerance of a step^(2/3), a factor 100; newmark, whose states are of order 1: its root, 32
        assert_true(error[0] / error[1] > (i < 2 ? 60 : 20));
        assert_true(error[0] < (i < 2 ? 2e-3 : 3e-2));
    }
}

// Step response of 1/(s^2 + 2 z w s + w^2), as polynomials and as matrices.
static void blocks_have_their_step_response(void **state)
{
    static const char text[] =
        BODY "transfer_functions:\n  - {name: y, input: 1, numerator: [1], denominator: [1, 2, 4]}\n"
             "  - {name: lead, input: 1, numerator: [3, 2], denominator: [0.5, 1]}\n"
             "state_spaces:\n  - {name: block, inputs: [1, 2], outputs: [y2, y3], A: [[0, 1], [-4, -2]], B: "
             "[[0, 0], [1, 0]], "
             "C: [[1, 0], [0, 1]], D: [[0, 0], [0, 3]]}\n"
             "simulate: {end: 1.5, tolerance: 1e-8}\n";
    hol_model *m;
    (void)state;
    hol_simulation *sim = begin(text, NULL, 0, &m);
    assert_int_equal(hol_simulation_run(sim), HOL_OK);
    const double t = 1.5, d = sqrt(3);
    const double y = (1 - exp(-t) * (cos(d * t) + sin(d * t) / d)) / 4, rate = exp(-t) * sin(d * t) / d;
    assert_true(fabs(signal_value(sim, "y") - y) < 1e-5);
    assert_true(fabs(signal_value(sim, "y2") - y) < 1e-5);
    assert_true(fabs(signal_value(sim, "y3") - rate - 6) < 1e-5);
    assert_true(fabs(signal_value(sim, "lead") - (2 + (6 - 2) * exp(-2 * t))) < 1e-5);
    hol_simulation_destroy(sim);
    hol_model_destroy(m);
}

// ---- algebraic loops, friction --------------------------------------------------------------------------------

// p = cos(q), q = p: a loop, solved with the rest. A force that depends on the acceleration it causes: m a = F - 0.5 a.
static void loops_are_solved(void **state)
{
    static const char text[] =
        BODY "variables:\n  - {name: p, value: cos(q)}\n  - {name: q, value: p}\n"
             "forces:\n  - {name: f, type: force, on: a, value: [3 - 0.5*ACCX(a), 0]}\n"
             "simulate: {end: 1, tolerance: 1e-6, signals: [p, a]}\n";
    hol_model *m;
    (void)state;
    hol_simulation *sim = begin(text, NULL, 0, &m);
    assert_int_equal(hol_simulation_run(sim), HOL_OK);
    assert_true(fabs(signal_value(sim, "p") - 0.7390851332151607) < 1e-9); // cos x = x
    assert_true(fabs(signal_value(sim, "a.ax") - 2) < 1e-9);
    assert_true(fabs(signal_value(sim, "a.x") - 1) < 1e-5);
    hol_simulation_destroy(sim);
    hol_model_destroy(m);
}

// A block that slides to a stop: v0^2/(2 mu g) = 1.529052 m; a rod in a pin loses mu F r dphi.
static void friction_brakes(void **state)
{
    static const char *const methods[] = {"hht", "genalpha", "newmark"};
    static const char text[] =
        "dimension: 2\ngravity: [0, -9.81]\nbodies:\n"
        "  - {name: block, mass: 2, inertia: 0.1, velocity: [3, 0]}\n"
        "joints:\n  - {name: slide, type: translational, between: [ground, block]}\n"
        "forces:\n  - {name: drag, type: friction, joint: slide, coefficient: 0.3, transition: 1e-4}\n"
        "variables:\n  - {name: normal, value: FM(slide)}\n"
        "simulate: {end: 2}\n";
    (void)state;
    for (int i = 0; i < HOL_COUNT(methods); i++) {
        char choice[60];
        snprintf(choice, sizeof choice, "simulate.method=%s", methods[i]);
        const char *set[] = {choice, "step_tolerance=1e-7"};
        hol_model *m;
        hol_simulation *sim = begin(text, set, 2, &m);
        assert_int_equal(hol_simulation_run(sim), HOL_OK);
        const double off = signal_value(sim, "block.x") - 9 / (2 * 0.3 * 9.81);
        print_message("%s: stops %.2e m off\n", methods[i], off);
        assert_true(fabs(off) < 2e-5);
        assert_true(fabs(signal_value(sim, "normal") - 2 * 9.81) < 1e-6);
        assert_true(fabs(signal_value(sim, "block.vx")) < 1e-6);
        hol_simulation_destroy(sim);
        hol_model_destroy(m);
    }
}

// ---- what methods accept --------------------------------------------------------------------------------------

static void what_a_method_does_not_take_is_refused(void **state)
{
    static const struct {
        unsigned bit;
        const char *text, *message;
    } rows[] = {
        {HOL_ACCEPTS_VARIABLES, BODY "variables:\n  - {name: p, value: 1}\n",
         "does not take variables and forces by expressions (\"p\")"},
        {HOL_ACCEPTS_STATES, BODY "states:\n  - {name: s, rate: 1}\n", "does not take states (\"s\")"},
        {HOL_ACCEPTS_RATES, BODY "constraints:\n  - {name: roll, velocity: VX(a)}\n",
         "does not take velocity constraints (\"roll\")"},
        {HOL_ACCEPTS_UNKNOWNS, BODY "variables:\n  - {name: p, value: ACCX(a)}\n",
         "does not take expressions of accelerations and joint forces (\"p\")"},
        {HOL_ACCEPTS_EVENTS, BODY "events:\n  - {name: ev, at: 1, stop: yes}\n",
         "does not take events (\"ev\")"},
    };
    (void)state;
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        hol_method method = *hol_method_find("hht");
        hol_spec *spec = hol_spec_read_text(ctx, "text", rows[i].text, strlen(rows[i].text), NULL, 0);
        hol_model_data *m = spec ? hol_model_compile(spec) : NULL;
        if (!m) print_error("%s\n", hol_context_error(ctx));
        assert_non_null(m);
        assert_int_equal(hol_method_check(ctx, &method, m), HOL_OK);
        method.accepts &= ~rows[i].bit;
        assert_int_equal(hol_method_check(ctx, &method, m), HOL_ERR_USAGE);
        if (!strstr(hol_context_error(ctx), rows[i].message)) print_error("%s\n", hol_context_error(ctx));
        assert_non_null(strstr(hol_context_error(ctx), rows[i].message));
        assert_non_null(strstr(hol_context_error(ctx), "newmark"));
        hol_context_clear(ctx);
        hol_model_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(expressions_equal_elements, start, stop),
        cmocka_unit_test_setup_teardown(states_converge_with_the_order_of_the_method, start, stop),
        cmocka_unit_test_setup_teardown(steps_follow_the_states, start, stop),
        cmocka_unit_test_setup_teardown(blocks_have_their_step_response, start, stop),
        cmocka_unit_test_setup_teardown(loops_are_solved, start, stop),
        cmocka_unit_test_setup_teardown(friction_brakes, start, stop),
        cmocka_unit_test_setup_teardown(what_a_method_does_not_take_is_refused, start, stop)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
