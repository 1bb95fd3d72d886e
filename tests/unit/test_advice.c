// Rules of thumb: which method is taken for which model, and that they say why. docs/theory.md, section 16.3.
#include "harness.h"
#include "integrator/integrator.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void every_method_has_a_family(void **state)
{
    hol_method_info m;
    int n = 0, fixed = 0, references[3] = {0};
    (void)state;
    for (; hol_method_list(n, &m); n++) {
        assert_true(*m.name && *m.doc && m.family && *m.family);
        fixed += m.fixed_steps;
        assert_in_range(m.reference, 0, 2);
        references[m.reference]++;
    }
    assert_in_range(references[1], 2, 4); // CLI_FIRST_OF_REFERENCE; a reference needs two
    assert_in_range(references[2], 1, 2);
    int all = 0, teaching = 0;
    for (const hol_method *const *k = hol_methods; *k; k++, all++) teaching += (*k)->teaching;
    assert_int_equal(n, all);
    assert_int_equal(fixed, teaching); // those have no error control
    assert_false(hol_method_list(-1, &m));
}

// The method that is taken, and words of one of its reasons. The model is given back.
static void expect_advice(const char *what, hol_model *m, double tolerance, const char *method,
                          const char *reason)
{
    hol_advice a;
    bool said = false;
    assert_int_equal(hol_advise(ctx, m, tolerance, &a), HOL_OK);
    for (int k = 0; k < a.n_reasons; k++) said = said || strstr(a.reason[k], reason);
    if (strcmp(a.method, method) != 0 || !said)
        fail_msg("%s, %s wanted since %s: %s, since %s", what, method, reason, a.method, a.reason[0]);
    hol_model_destroy(m);
}

static void advice_follows_the_rules(void **state)
{
    static const struct {
        const char *model, *set;
        double tolerance;
        const char *method, *reason;
    } cases[] = {
        {"pendulum", "simulate.end=4", 1e-5, "rk", "not stiff"},
        {"double_pendulum", "simulate.end=2", 1e-5, "joint_bdf", "form a tree"},
        {"double_pendulum", "simulate.end=2", 1e-10, "joint_bdf", "form a tree"},
        {"double_pendulum", "simulate.end=1e-4", 1e-5, "rk", "not stiff"}, // too short for it
        {"inverted_pendulum", "simulate.end=12", 1e-5, "joint_bdf", "stiff: the fastest motion"},
        {"inverted_pendulum", "simulate.end=12", 1e-7, "joint_bdf", "form a tree"},
        {"hmmwv", "simulate.end=5", 5e-3, "hht", "cheap steps"},      // with loops
        {"circle_linear", "simulate.end=1", 1e-5, "rk", "not stiff"}, // as few steps as for so small an error
        {"circle_linear", "simulate.end=1 parameters.x0=0", 1e-3, "hht", "stepped over"},
        {"circle_linear", "simulate.end=1 parameters.x0=0 parameters.eps=1e-5", 1e-10, "bdf", "high order"},
        {"stiff_pendulum", "simulate.end=200", 1e-3, "joint_bdf", "stepped over"},
        {"stiff_pendulum", "simulate.end=50", 1e-3, "rk", "not stiff"},
        {"stiff_pendulum", "simulate.end=200", 1e-6, "rk", "to be followed"},
        {"hydraulic", "simulate.end=1.2", 1e-6, "rk", "to be followed"}, // dies out, in 180 steps
        {"hydraulic", "simulate.end=2.4", 1e-6, "joint_bdf", "stepped over"},
        {"hydraulic", "simulate.end=1.2", 1e-3, "joint_bdf", "stepped over"},
        {"double_pendulum_3d", "simulate.end=2", 1e-6, "joint_bdf", "form a tree"},
        {"double_pendulum_3d", "simulate.end=1", 1e-6, "rk", "not stiff"},
        {"stiff_pendulum", "simulate.end=20 parameters.theta=3.1", 1e-6, "rk",
         "not stiff"}, // falls, nothing damps it
        {"chain", "simulate.end=1 parameters.n=400", 1e-5, "rk", "no force"},
        {"net", "simulate.end=1 parameters.L=9 parameters.breeze=1", 5e-3, "hht", "may be stiff"},
        {"bricard", "simulate.end=1", 0, "rk", "not stiff"},
        {"newtons_cradle", "simulate.end=2", 1e-4, "rk",
         "not stiff"}, // its balls touch, and none lies on another
        {"shoe_brake", "simulate.end=1", 1e-4, "joint_bdf", "once contact brake is pressed"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[200];
        const char *set[8];
        strcpy(text, cases[i].set);
        hol_model *m = load_model(cases[i].model, set, split(text, set, 8));
        expect_advice(cases[i].model, m, cases[i].tolerance, cases[i].method, cases[i].reason);
    }
}

// Of the fastest vibration of a point mass with the given force, in natural sizes (1 m); -1: not spoken of.
static double amplitude(const char *force, double x, double y, double end)
{
    static const char words[] = "has an amplitude of ";
    char text[700];
    hol_advice a;
    double out = -1;
    snprintf(text, sizeof text,
             "dimension: 2\n"
             "gravity: [0, 0]\n"
             "length_scale: 1\n"
             "bodies: [{name: m, type: point, mass: 2, position: [%.9g, %.9g]}]\n"
             "forces: [{name: f, type: force, on: m, value: [%s]}]\n"
             "simulate: {end: %.9g, tolerance: 1e-4}\n",
             x, y, force, end);
    hol_model *m = load_model(text, NULL, 0);
    assert_int_equal(hol_advise(ctx, m, 1e-4, &a), HOL_OK);
    for (int k = 0; k < a.n_reasons; k++) {
        const char *at = strstr(a.reason[k], words);
        if (at) out = strtod(at + sizeof words - 1, NULL);
    }
    hol_model_destroy(m);
    return out;
}

// The vibration across the diagonal is the fast one; one along it does not excite it. Then faster and slower than 1 rad/s, and
// two that are equally fast.
static void amplitudes_are_those_of_the_mode(void **state)
{
    static const char stiff[] = "-1e8*(DX(m)-DY(m))-3*DX(m), 1e8*(DX(m)-DY(m))-3*DY(m)",
                      soft[] = "-0.5*(DX(m)-DY(m))-3e-4*DX(m), 0.5*(DX(m)-DY(m))-3e-4*DY(m)",
                      round[] = "-1e8*DX(m), -1e8*DY(m)";
    (void)state;
    near("across", amplitude(stiff, 0.1, -0.1, 1), 0.1, 5e-3);
    near("along", amplitude(stiff, 0.1, 0.1, 1), 0, 1e-6);
    near("half", amplitude(stiff, 0.1, 0, 1), 0.05, 5e-3);
    near("soft across", amplitude(soft, 0.1, -0.1, 1e4), 0.1, 5e-3);
    near("soft along", amplitude(soft, 0.1, 0.1, 1e4), 0, 1e-6);
    near("soft half", amplitude(soft, 0.1, 0, 1e4), 0.05, 5e-3);
    near("x", amplitude(round, 0.1, 0, 1), 0.1, 5e-3);
    near("y", amplitude(round, 0, 0.1, 1), 0.1, 5e-3);
    near("both", amplitude(round, 0.1, 0.1, 1), 0.1, 5e-3);
}

// A load put onto a spring at once: the vibration is far below the tolerance, its velocity is not. joint_bdf takes 26 000 steps of it with
// 1e8 N/m, 262 000 with 1e10; they grow as the frequency.
static void a_vibration_seen_in_velocities_alone_is_stepped_over(void **state)
{
    static const char text[] =
        "{dimension: 2, gravity: [0, -9.81], parameters: {k: 1}, bodies: [{name: m, type: point, mass: 1, "
        "position: [0, "
        "-1]}],"
        " joints: [{name: j, type: in-line, bodies: [ground, m], at: [0, -1], axis: [0, 1]}],"
        " forces: [{name: s, type: spring-damper, between: [ground, m], stiffness: k, length: 1}], simulate: "
        "{end: 1}}";
    static const char *const stiffness[] = {"parameters.k=1e8", "parameters.k=1e10", "parameters.k=1e14"};
    (void)state;
    for (int i = 0; i < HOL_COUNT(stiffness); i++) {
        motion a = move(text, &stiffness[i], 1);
        assert_int_equal(a.end, HOL_OK);
        assert_in_range(hol_simulation_statistics(a.sim)->steps, 1, 200);
        near(stiffness[i], value_of(&a, "m.y"), -1, 3e-7); // sinks by less than 2 m g/k
        close_motion(&a);
    }
}

#define SOFT                                                                                                 \
    "{dimension: 2, length_scale: 1, gravity: [0, 0], parameters: {k: 1e8, v: 1}, bodies: [{name: m, type: " \
    "point, mass: 1, velocity: [v, 0]}, {name: n, type: point, mass: 1, position: [1, 0]}], forces: "        \
    "[{name: f, type: force, on: m, value: ['%s', 0]}, {name: g, type: force, on: n, value: [0, "            \
    "-1e3*DY(n)]}], simulate: {end: 2}}"

// A regularised sign of place is as stiff as 3e8 N/m over 1e-8 m, and for a speed of 1 m/s a wall of 3 N: the vibration turns back after 1/6 m. Its
// rate is what remains at the amplitude, or that of another motion which is faster. Stepped over it was 9 to 16 tolerances off, with exit 0.
// What goes on to the end as it begins, on one side at least, is no softer.
static void a_vibration_that_softens_is_as_slow_as_it_is(void **state)
{
    static const struct {
        const char *force, *set, *method, *reason;
    } cases[] = {
        {"-3*DX(m)/sqrt(DX(m)^2 + 1e-16)", "parameters.v=1", "rk", "with 31.6 rad/s"}, // that of n
        {"-3*DX(m)/sqrt(DX(m)^2 + 1e-16)", "parameters.v=0.05", "rk", "rad/s"},
        {"-3*DX(m)/sqrt(DX(m)^2 + 1e-16)", "parameters.v=-1", "rk", "with 31.6 rad/s"},
        {"-3*DX(m)/sqrt(DX(m)^2 + 1e-16)", "parameters.v=1e-5", "bdf", "1.73e+04 rad/s"},
        {"-k*DX(m)", "parameters.v=0.1", "bdf", "1e+04 rad/s"},
        {"-k*DX(m) - 1e3*k*DX(m)^2", "parameters.v=0.1", "bdf", "1e+04 rad/s"},
        {"if(DX(m): 0, -0.5*k*DX(m), -k*DX(m))", "parameters.v=0.1", "bdf", "rad/s"},
        {"-1e-5*k*atan(1e5*DX(m))", "parameters.v=0.1", "bdf", "1e+04 rad/s"}}; // 0.785 of k at the end
    (void)state;
    for (int i = 0; i < HOL_COUNT(cases); i++) {
        char text[700];
        snprintf(text, sizeof text, SOFT, cases[i].force);
        expect_advice(cases[i].force, load_model(text, &cases[i].set, 1), 1e-4, cases[i].method,
                      cases[i].reason);
    }
}

// After 2 s of v = 1: three turns at 1/6 m, of 2/3 s each, and the speed is reversed.
static void what_softens_is_followed(void **state)
{
    char text[700];
    (void)state;
    snprintf(text, sizeof text, SOFT, "-3*DX(m)/sqrt(DX(m)^2 + 1e-16)");
    motion a = move(text, NULL, 0);
    assert_int_equal(a.end, HOL_OK);
    near("m.x", value_of(&a, "m.x"), 0, 1e-5);
    near("m.vx", value_of(&a, "m.vx"), -1, 1e-4);
    close_motion(&a);
}

static void without_memory_it_says_so(void **state)
{
    static const char *const models[] = {
        "pendulum", "double_pendulum", // the second asks for the tree
        "{dimension: 2, length_scale: 1, gravity: [0, 0], bodies: [{name: m, type: point, mass: 1, velocity: "
        "[1, 0]}], "
        "forces: [{name: f, type: force, on: m, value: ['-3*tanh(1e8*DX(m))', 0]}], simulate: {end: 2}}"};
    (void)state;
    for (int i = 0; i < HOL_COUNT(models); i++) {
        hol_model *m = load_model(models[i], NULL, 0);
        hol_advice a;
        int n = 1;
        for (;; n++) {
            hol_memory_fail_after(ctx, n);
            const hol_status st = hol_advise(ctx, m, 1e-5, &a);
            hol_memory_fail_after(ctx, 0);
            if (!st) break;
            assert_int_equal(st, HOL_ERR_MEMORY);
        }
        assert_true(n > 20);
        hol_model_destroy(m);
    }
}

// A weight let go on an unloaded spring of 1e7 N/m swings by 1e-6 m, and the force between 0 and twice the weight: that is told.
// Hung with the spring stretched by its weight it does not swing.
static void a_vibration_in_the_forces_alone_is_told(void **state)
{
    static const struct {
        const char *y;
        double tolerance;
        bool told;
    } cases[] = {{"-1", 1e-5, true}, {"-1.000000981", 1e-5, false}, {"-1", 1e-7, false}};
    (void)state;
    for (size_t i = 0; i < HOL_COUNT(cases); i++) {
        char text[400];
        hol_advice a;
        snprintf(
            text, sizeof text,
            "{dimension: 2, gravity: [0, -9.81], length_scale: 1, bodies: [{name: m, type: point, mass: 1, "
            "position: [0, %s]}], forces: [{name: s, type: spring-damper, between: [ground, m], "
            "stiffness: 1e7, length: 1}], simulate: {end: 10}}",
            cases[i].y);
        hol_model *m = load_model(text, NULL, 0);
        assert_int_equal(hol_advise(ctx, m, cases[i].tolerance, &a), HOL_OK);
        if (cases[i].told != (strstr(a.unseen, "m vibrates with 3.16e+03 rad/s") != NULL))
            fail_msg("%s at %g: \"%s\"", cases[i].y, cases[i].tolerance, a.unseen);
        hol_model_destroy(m);
    }
}

// What is drawn in touch pushes with nothing at the start. It is as stiff as it will be under the weight, and as its bristle, which slides or
// sticks; an elastic one opens in every period, which no method steps over. Balls that hang side by side are not pressed.
static void what_touches_is_seen_as_if_pressed(void **state)
{
    static const struct {
        const char *lies, *contact, *method, *reason;
    } cases[] = {{"position: [0, 0.05]", "restitution: 0.5, friction: {coefficient: 0.5}", "joint_bdf",
                  "once contact c is pressed"},
                 {"position: [0, 0.05], velocity: [1, 0]", "restitution: 0.5, friction: {coefficient: 0.5}",
                  "joint_bdf", "once contact c is pressed"},
                 {"position: [0, 0.05]",
                  "restitution: 0.5, friction: {law: tanh, coefficient: 0.5, transition: 1e-3}", "joint_bdf",
                  "once contact c is pressed"},
                 {"position: [0, 0.05]", "exponent: 1.5", "rk", "not stiff"},
                 {"position: [0, 0.15]", "exponent: 1.5", "rk", "not stiff"}};
    (void)state;
    for (size_t i = 0; i < HOL_COUNT(cases); i++) {
        char text[700];
        bool said = false;
        hol_advice a;
        snprintf(text, sizeof text,
                 "{dimension: 2, gravity: [2, -9.6], length_scale: 1, ground: {shape: {type: halfplane, "
                 "name: floor}}, "
                 "bodies: [{name: m, mass: 1, inertia: 0.01, %s, shape: {type: sphere, radius: 0.05}}], "
                 "joints: [{name: guide, type: orientation, between: [ground, m]}], "
                 "contacts: [{name: c, between: [m, ground.floor], stiffness: 1e6, joined: yes, %s}], "
                 "simulate: {end: 100}}",
                 cases[i].lies, cases[i].contact);
        hol_model *m = load_model(text, NULL, 0);
        assert_int_equal(hol_advise(ctx, m, 1e-4, &a), HOL_OK);
        for (int k = 0; k < a.n_reasons; k++) said = said || strstr(a.reason[k], cases[i].reason);
        if (strcmp(a.method, cases[i].method) != 0 || !said)
            fail_msg("%s, %s: %s, since %s", cases[i].lies, cases[i].contact, a.method, a.reason[0]);
        hol_model_destroy(m);
    }
}

// Fixed steps of a vibration of 2 rad/s: rk of order 8 follows it to 1e-6 in a period up to 1 rad a step.
static void fixed_steps_are_judged_by_themselves(void **state)
{
    static const struct {
        double step;
        const char *method, *words;
    } cases[] = {{0.05, "rk", "not stiff"},
                 {0.45, "rk", "not stiff"},
                 {0.55, "hht", "has less than 7 of them in a period"}};
    (void)state;
    for (size_t i = 0; i < HOL_COUNT(cases); i++) {
        char text[400];
        snprintf(
            text, sizeof text,
            "{dimension: 2, gravity: [0, 0], bodies: [{name: m, type: point, mass: 1, position: [1, 0]}], "
            "forces: [{name: f, type: force, on: m, value: [\"-4*DX(m)\", 0]}], "
            "simulate: {end: 31.41592653589793, step: %g, signals: [m]}}",
            cases[i].step);
        hol_model *m = load_model(text, NULL, 0);
        hol_simulation *sim = hol_simulation_create(ctx, m);
        if (!sim || hol_simulation_run(sim)) fail_msg("%s", hol_context_error(ctx));
        const char *said = hol_simulation_statistics(sim)->defaults;
        if (strncmp(said, cases[i].method, strlen(cases[i].method)) != 0 || !strstr(said, cases[i].words))
            fail_msg("%g s: \"%s\"", cases[i].step, said);
        if (strcmp(cases[i].method, "rk") == 0) near("ten periods", signal_value(sim, "m.x"), 1, 1e-5);
        hol_simulation_destroy(sim);
        hol_model_destroy(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_method_has_a_family),
                                       cmocka_unit_test(advice_follows_the_rules),
                                       cmocka_unit_test(a_vibration_in_the_forces_alone_is_told),
                                       cmocka_unit_test(amplitudes_are_those_of_the_mode),
                                       cmocka_unit_test(a_vibration_seen_in_velocities_alone_is_stepped_over),
                                       cmocka_unit_test(what_touches_is_seen_as_if_pressed),
                                       cmocka_unit_test(fixed_steps_are_judged_by_themselves),
                                       cmocka_unit_test(a_vibration_that_softens_is_as_slow_as_it_is),
                                       cmocka_unit_test(what_softens_is_followed),
                                       cmocka_unit_test(without_memory_it_says_so)};
    return cmocka_run_group_tests(tests, start, stop);
}
