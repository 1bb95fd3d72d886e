// Inverse dynamics by the C interface: what is refused, forces that depend on what they act on, motions of tables.
// tools/analyses/inverse.py holds the values of references.
#include "harness.h"
#include "holonom_analyses.h"
#include "holonom_draft.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// A disc on a hinge, turned by 0.5 + sin(time): inertia 2, so that T = -2 sin(time).
static const char disc[] =
    "dimension: 2\n"
    "inputs: [{name: u, value: 7}, {name: v, value: 0}, {name: w, value: 0, hold: linear}]\n"
    "bodies: [{name: disc, mass: 1, inertia: 2, angle: 0.5}]\n"
    "joints: [{name: hinge, type: revolute, between: [ground, disc]}]\n"
    "forces: [{name: motor, type: torque, joint: hinge, value: \"%s\"}]\n"
    "%s"
    "simulate: {end: 2, output: 0.1, signals: [all, hinge.angle]}\n";
static const char turned[] = "drivers: [{name: turn, type: angle, joint: hinge, value: 0.5 + sin(time)}]\n";

static hol_model *model_of(const char *torque, const char *more)
{
    char text[2000];
    snprintf(text, sizeof text, disc, torque, more);
    return load_model(text, NULL, 0);
}

static void refuses(hol_model *model, const hol_inverse_options *options, const char *words)
{
    assert_null(hol_inverse_create(ctx, model, options));
    assert_int_equal(hol_context_status(ctx), HOL_ERR_USAGE);
    expect_message(words);
}

// The torque that is missing, m g r cos(0.3), has its sign whatever turns the driver begins with: with an odd number of them its row has the other one.
static void what_is_missing_is_told_with_all_turns(void **state)
{
    static const char *const turns[] = {"0", "2*pi", "-6*pi", "4*pi"}, *const u[] = {"u"};
    char words[100];
    (void)state;
    snprintf(words, sizeof words, "the motion needs %.10g N m more of driver \"lean\"",
             2 * 9.81 * 0.5 * cos(0.3));
    for (int i = 0; i < HOL_COUNT(turns); i++) {
        char text[1000];
        snprintf(
            text, sizeof text,
            "dimension: 3\ngravity: [0, -9.81, 0]\ninputs: [{name: u, value: 0}]\n"
            "bodies:\n"
            "  - {name: rod, mass: 2, inertia: [0.1, 0.2, 0.3], com: [0.5, 0, 0], orientation: {axis: [0, 0, "
            "1], angle: 0.3}}\n"
            "  - {name: cart, mass: 1, inertia: [1, 1, 1], position: [0, 2, 0]}\n"
            "joints:\n"
            "  - {name: A, type: revolute, between: [ground, rod]}\n"
            "  - {name: B, type: translational, bodies: [ground, cart], at: [0, 2, 0], axis: [1, 0, 0]}\n"
            "drivers:\n"
            "  - {name: lean, type: angle, joint: A, value: \"0.3 + %s + 0.5*time\"}\n"
            "  - {name: move, type: stroke, joint: B, value: time^2}\n"
            "forces: [{name: push, type: force, on: cart, value: [u, 0, 0]}]\nsimulate: {end: 1}\n",
            turns[i]);
        hol_model *m = load_model(text, NULL, 0);
        refuses(m, &(hol_inverse_options){.n_actuators = 1, .actuator = u}, words);
        hol_model_destroy(m);
    }
}

static void what_cannot_be_is_refused(void **state)
{
    static const char *const u[] = {"u", "v"}, *const twice[] = {"u", "u"}, *const none[] = {NULL},
                             *const linear[] = {"w"}, *const wrong[] = {"uu"};
    static const double ones[] = {1, 1}, zero[] = {0, 1}, nan[] = {(double)NAN, 1}, high[] = {3, 3},
                        low[] = {-3, -3};
    hol_model *m = model_of("u", turned), *free_one = model_of("u", ""), *deaf = model_of("3", turned);
    (void)state;
    refuses(m, &(hol_inverse_options){.n_actuators = -1}, "-1 texts of actuator");
    refuses(m, &(hol_inverse_options){.n_actuators = 1}, "actuator is NULL");
    refuses(m, &(hol_inverse_options){.n_actuators = 1, .actuator = wrong},
            "no input \"uu\"; there are: u, v, w");
    refuses(m, &(hol_inverse_options){.n_actuators = 1, .actuator = none},
            "one of the texts of actuator is NULL");
    refuses(m, &(hol_inverse_options){.n_actuators = 2, .actuator = twice}, "u is given twice");
    refuses(m, &(hol_inverse_options){.n_actuators = 1, .actuator = linear}, "straight lines");
    refuses(m, &(hol_inverse_options){.n_actuators = 2, .actuator = u, .weight = zero}, "weight of u is 0");
    refuses(m, &(hol_inverse_options){.n_actuators = 2, .actuator = u, .weight = nan}, "weight of u");
    refuses(
        m,
        &(hol_inverse_options){.n_actuators = 2, .actuator = u, .weight = ones, .least = high, .most = low},
        "the least first");
    refuses(free_one, NULL, "1 motion free");
    refuses(deaf, &(hol_inverse_options){.n_actuators = 1, .actuator = u + 1}, "which no actuator gives");
    assert_null(hol_inverse_create(NULL, m, NULL));
    assert_null(hol_inverse_create(ctx, NULL, NULL));
    hol_model_destroy(m);
    hol_model_destroy(free_one);
    hol_model_destroy(deaf);
}

// States and velocity constraints are not in poses: they are named, with what can be done. A slider of 2 kg on 0.6 m/s^2, at 0.3 m/s after 0.5 s:
// without actuators its driver gives 2*0.6 N and 2 N of friction, and with friction of the speed its actuator does.
static void what_is_integrated_is_named(void **state)
{
    static const struct {
        const char *friction, *more, *words;
    } list[] = {
        {"{force: 2}", "", "friction that sticks has states, which are integrated: s.friction.bristle"},
        {"{force: 2}", "states: [{name: lag, rate: u - lag}]\n", "has states, which are integrated (lag)"},
        {"{force: 2, transition: 1e-4}", "", NULL}};
    static const char *const u[] = {"u"};
    const hol_inverse_options one = {.n_actuators = 1, .actuator = u};
    (void)state;
    for (int i = 0; i < HOL_COUNT(list); i++) {
        char text[1000];
        snprintf(text, sizeof text,
                 "dimension: 2\ngravity: [0, 0]\ninputs: [{name: u, value: 0}]\n"
                 "bodies: [{name: a, mass: 2, inertia: 0.1}]\n"
                 "joints: [{name: s, type: translational, between: [ground, a], friction: %s}]\n"
                 "drivers: [{name: d, type: stroke, joint: s, value: 0.3*time^2}]\n"
                 "forces: [{name: mo, type: force, joint: s, value: u}]\n%ssimulate: {end: 1}\n",
                 list[i].friction, list[i].more);
        hol_model *m = load_model(text, NULL, 0);
        if (list[i].words) refuses(m, &one, list[i].words);
        for (int by = !list[i].words; by >= 0;
             by--) { // with actuators where they are taken, and always without
            hol_simulation *sim = hol_inverse_create(ctx, m, by ? &one : NULL);
            if (!sim) fail_msg("%d: %s", i, hol_context_error(ctx));
            assert_int_equal(hol_simulation_advance(sim, 0.5), HOL_OK);
            near("force", fabs(signal_value(sim, by ? "u" : "d.force")), 3.2, 1e-3);
            hol_simulation_destroy(sim);
        }
        hol_model_destroy(m);
    }
}

// The torque of the motor at a time by these actuators.
static double torque_at(const char *torque, double t, const char *signal)
{
    static const char *const u[] = {"u"};
    const hol_inverse_options one = {.n_actuators = 1, .actuator = u};
    hol_model *m = model_of(torque, turned);
    hol_simulation *sim = hol_inverse_create(ctx, m, &one);
    assert_non_null(sim);
    assert_int_equal(hol_simulation_advance(sim, t), HOL_OK);
    const double x = signal_value(sim, signal);
    near("driver", signal_value(sim, "turn.T"), 0, 1e-12);
    hol_simulation_destroy(sim);
    hol_model_destroy(m);
    return x;
}

// However the force depends on the input, on the motion and on itself.
static void forces_may_depend_on_anything(void **state)
{
    const double t = 0.7, T = -2 * sin(t), angle = 0.5 + sin(t), rate = cos(t);
    (void)state;
    near("plain", torque_at("u", t, "u"), T, 1e-13);
    near("gear", torque_at("40*u - 3*hinge.rate", t, "u"), (T + 3 * rate) / 40, 1e-13);
    near("cubed", torque_at("u^3 + u", t, "u"),
         cbrt(T / 2 + sqrt(T * T / 4 + 1.0 / 27)) + cbrt(T / 2 - sqrt(T * T / 4 + 1.0 / 27)), 1e-12);
    near("of the place", torque_at("u*cos(hinge.angle)", t, "u"), T / cos(angle), 1e-12);
    near("of the acceleration", torque_at("u - 0.5*WDTZ(disc)", t, "u"), T - 0.5 * sin(t), 1e-12);
    near("torque", torque_at("u^3 + u", t, "motor.torque"), T, 1e-12);
}

// With z = u - 7, z/(1 + z^2) gives 0.5 at most: Newton's method finds no input once 2 sin(t) is more, and no row may be written.
static void what_is_not_found_is_an_error(void **state)
{
    static const char *const u[] = {"u"};
    const hol_inverse_options one = {.n_actuators = 1, .actuator = u};
    const double last = asin(0.25);
    hol_model *m = model_of("(u - 7)/(1 + (u - 7)^2)", turned);
    hol_simulation *sim = hol_inverse_create(ctx, m, &one);
    (void)state;
    assert_non_null(sim);
    assert_int_equal(hol_simulation_advance(sim, 0.9 * last), HOL_OK);
    const double x = signal_value(sim, "u") - 7;
    near("torque", x / (1 + x * x), -2 * sin(0.9 * last), 1e-12);
    assert_int_equal(hol_simulation_advance(sim, 2), HOL_ERR_INTEGRATION);
    expect_message("no pose and no inputs are found");
    hol_simulation_destroy(sim);
    hol_model_destroy(m);
    m = model_of("u/(1 + u^2)", turned); // 0 is wanted, but from 7 the method goes away from it
    assert_null(hol_inverse_create(ctx, m, &one));
    assert_int_equal(hol_context_status(ctx), HOL_ERR_INTEGRATION);
    expect_message("no inputs are found");
    hol_model_destroy(m);
}

// A disc that stands needs nothing: 0 to the rounding of its natural force, whatever the inputs begin with.
static void what_stands_needs_nothing(void **state)
{
    static const char *const u[] = {"u"};
    const hol_inverse_options one = {.n_actuators = 1, .actuator = u};
    hol_model *m = model_of("3.7*u", "drivers: [{name: turn, type: angle, joint: hinge, value: 0.5}]\n");
    hol_simulation *sim = hol_inverse_create(ctx, m, &one);
    (void)state;
    assert_non_null(sim);
    assert_int_equal(hol_simulation_advance(sim, 0.3), HOL_OK);
    near("u", signal_value(sim, "u"), 0, 1e-12);
    hol_simulation_destroy(sim);
    hol_model_destroy(m);
}

// Two inputs that act alike have no condition: infinite, whatever rounding makes of it.
static void what_acts_alike_has_no_condition(void **state)
{
    static const char *const both[] = {"u", "v"};
    const hol_inverse_options two = {.n_actuators = 2, .actuator = both};
    hol_random dice = {3};
    (void)state;
    for (int i = 0; i < 10; i++) {
        char text[2000];
        const double g = random_in(&dice, 0.1, 3), h = random_in(&dice, 0.1, 3),
                     part = random_in(&dice, 0.2, 5);
        snprintf(
            text, sizeof text,
            "dimension: 2\ninputs: [{name: u, value: 0}, {name: v, value: 0}]\n"
            "bodies: [{name: a, mass: 1, inertia: 2}, {name: b, mass: 1, inertia: 1, position: [1, 0]}]\n"
            "joints: [{name: h, type: revolute, between: [ground, a]}, {name: k, type: revolute, between: "
            "[a: [1, "
            "0], b]}]\n"
            "drivers: [{name: d, type: angle, joint: h, value: 0}, {name: e, type: angle, joint: k, value: "
            "0}]\n"
            "forces: [{name: f, type: torque, joint: h, value: \"%.17g*(u + %.17g*v)\"}, {name: g, type: "
            "torque, "
            "joint: k, value: \"%.17g*(u + %.17g*v)\"}]\n"
            "simulate: {end: 1, signals: [inverse]}\n",
            g, part, h, part);
        hol_model *m = load_model(text, NULL, 0);
        hol_simulation *sim = hol_inverse_create(ctx, m, &two);
        if (!sim) fail_msg("%s", hol_context_error(ctx));
        assert_int_equal(hol_simulation_advance(sim, 0.1), HOL_OK);
        assert_true(isinf(signal_value(sim, "inverse.condition")));
        hol_simulation_destroy(sim);
        hol_model_destroy(m);
    }
}

enum { SHARING = 4 };

// The torque of inputs u_j = lambda g_j/w_j, cut at their bounds: of least weighted squares for what they sum to.
static double share(double lambda, const double *g, const double *w, const double *least, const double *most,
                    double *u)
{
    double sum = 0;
    for (int j = 0; j < SHARING; j++)
        sum += g[j] * (u[j] = fmax(least[j], fmin(most[j], lambda * g[j] / w[j])));
    return sum;
}

// Random gains, weights and bounds on a disc that needs -2 sin(1): against bisection for lambda, also where it is out of reach.
static void bounds_are_kept_at_least_cost(void **state)
{
    static const char *const names[] = {"u0", "u1", "u2", "u3"};
    hol_random dice = {11};
    int out_of_reach = 0, at_bounds = 0;
    (void)state;
    for (int trial = 0; trial < 60; trial++) {
        double g[SHARING], w[SHARING], least[SHARING], most[SHARING], u[SHARING], lo = -1e9, hi = 1e9;
        const double T = -2 * sin(1.0);
        char text[2000];
        int n = snprintf(
            text, sizeof text,
            "dimension: 2\nbodies: [{name: disc, mass: 1, inertia: 2, angle: 0.5}]\n"
            "joints: [{name: hinge, type: revolute, between: [ground, disc]}]\n"
            "drivers: [{name: turn, type: angle, joint: hinge, value: 0.5 + sin(time + 1) - sin(1)}]\n"
            "inputs: [{name: u0, value: 0}, {name: u1, value: 0}, {name: u2, value: 0}, {name: u3, value: "
            "0}]\n"
            "simulate: {end: 1}\nforces: [{name: motor, type: torque, joint: hinge, value: \"0");
        for (int j = 0; j < SHARING; j++) {
            g[j] = random_in(&dice, -2, 2);
            w[j] = pow(10, random_in(&dice, -2, 2));
            least[j] = random_in(&dice, -1.2, 0.1);
            most[j] = least[j] + random_in(&dice, 0.1, 1.5);
            n += snprintf(text + n, sizeof text - (size_t)n, " + %.17g*u%d", g[j], j);
        }
        snprintf(text + n, sizeof text - (size_t)n, "\"}]\n");
        const hol_inverse_options all = {SHARING, names, w, least, most, false};
        hol_model *m = load_model(text, NULL, 0);
        hol_simulation *sim = hol_inverse_create(ctx, m, &all);
        const bool reached = share(lo, g, w, least, most, u) <= T && share(hi, g, w, least, most, u) >= T;
        for (int i = 0; i < 200; i++)
            *(share((lo + hi) / 2, g, w, least, most, u) < T ? &lo : &hi) = (lo + hi) / 2;
        if (reached != (sim != NULL)) fail_msg("trial %d: %s", trial, hol_context_error(ctx));
        if (!reached) expect_message("within its bounds");
        for (int j = 0; j < SHARING && reached; j++) {
            near(names[j], signal_value(sim, names[j]), u[j], 1e-9);
            at_bounds += u[j] == least[j] || u[j] == most[j];
        }
        out_of_reach += !reached;
        hol_simulation_destroy(sim);
        hol_model_destroy(m);
    }
    print_message("%d out of reach, %d inputs at bounds\n", out_of_reach, at_bounds);
    assert_true(out_of_reach > 3 && at_bounds > 20);
}

static hol_status add_motion(const char *table, hol_draft **draft)
{
    char name[] = "/tmp/holonom-motion-XXXXXX", text[2000];
    const int file = mkstemp(name);
    assert_true(file >= 0 && write(file, table, strlen(table)) == (ssize_t)strlen(table));
    close(file);
    snprintf(text, sizeof text, disc, "u", "");
    *draft = hol_draft_parse(ctx, "disc", text, strlen(text));
    assert_non_null(*draft);
    const hol_status st = hol_draft_add_motion(*draft, name);
    hol_model *m = st ? NULL : hol_draft_compile(*draft);
    hol_simulation *sim = m ? hol_inverse_create(ctx, m, NULL) : NULL;
    if (sim) assert_int_equal(hol_simulation_advance(sim, 0.5), HOL_OK);
    if (sim) near("angle", signal_value(sim, "hinge.angle"), 0.5 + 0.125, 1e-14); // 0.5 + t^3
    hol_simulation_destroy(sim);
    hol_model_destroy(m);
    unlink(name);
    return st ? st : m ? HOL_OK : hol_context_status(ctx);
}

static void motions_come_from_tables(void **state)
{
    static const struct {
        const char *table, *words; // NULL: it is taken
    } cases[] = {
        {"t, hinge.angle\n0, 0.5\n0.4, 0.564\n1, 1.5\n2, 8.5\n", NULL},
        {"# made by hand\n\"t\";\"hinge.angle\"\n0;0.5\n0.4;0.564\n1;1.5\n2;8.5\n", NULL},
        {"t, hinge.rate\n0, 0\n1, 1\n", "headed \"hinge.rate\""},
        {"t, hinge\n0, 0\n1, 1\n", "headed \"hinge\""},
        {"0, 0\n1, 1\n", "headed \"0\""},
        {"t\n0\n1\n", "and this is one column"},
        {"", "one or more of coordinates"},
        {"t, hing.angle\n0, 0.5\n1, 1\n2, 2\n", "hing"},
        {"t, hinge.stroke\n0, 0.5\n1, 1\n2, 2\n", "hinge"},
        {"t, hinge.angle\n0, 0.5\n1, x\n2, 2\n", "x"},
    };
    hol_draft *draft;
    (void)state;
    for (int i = 0; i < HOL_COUNT(cases); i++) {
        const hol_status st = add_motion(cases[i].table, &draft);
        if ((st != HOL_OK) != (cases[i].words != NULL)) fail_msg("%d: %s", i, hol_context_error(ctx));
        if (cases[i].words) expect_message(cases[i].words);
        hol_draft_destroy(draft);
    }
    draft = hol_draft_create(ctx, NULL, 2);
    assert_int_equal(hol_draft_add_motion(draft, "/nowhere/at/all.csv"), HOL_ERR_IO);
    assert_int_equal(hol_draft_add_motion(draft, NULL), HOL_ERR_USAGE);
    assert_int_equal(hol_draft_add_motion(NULL, NULL), HOL_ERR_USAGE);
    hol_draft_destroy(draft);
}

// ---- more measures than motions -------------------------------------------------------------------------------

static char said[600];

static void listen(void *user, hol_severity severity, const char *text)
{
    (void)user;
    (void)severity;
    if (strstr(text, "least squares")) snprintf(said, sizeof said, "%s", text);
}

// The simulation of a model with the motion of a table, at time t.
static hol_simulation *moved(const char *text, const char *table, double t, hol_draft **draft,
                             hol_model **model)
{
    char name[] = "/tmp/holonom-motion-XXXXXX";
    const int file = mkstemp(name);
    assert_true(file >= 0 && write(file, table, strlen(table)) == (ssize_t)strlen(table));
    close(file);
    said[0] = 0;
    hol_context_set_log(ctx, listen, NULL);
    *draft = hol_draft_parse(ctx, "moved", text, strlen(text));
    assert_non_null(*draft);
    if (hol_draft_add_motion(*draft, name)) fail_msg("%s", hol_context_error(ctx));
    *model = hol_draft_compile(*draft);
    if (!*model) fail_msg("%s", hol_context_error(ctx));
    hol_simulation *sim = hol_inverse_create(ctx, *model, NULL);
    if (!sim) fail_msg("%s", hol_context_error(ctx));
    assert_int_equal(hol_simulation_advance(sim, t), HOL_OK);
    unlink(name);
    return sim;
}

static void leave_moved(hol_simulation *sim, hol_draft *draft, hol_model *model)
{
    hol_simulation_destroy(sim);
    hol_model_destroy(model);
    hol_draft_destroy(draft);
}

// 2 kg on a rail, whose place three sensors measure, one of them wrong by 0.004 t^2 with the weight 3 of 5: x = t^3 + 0.0024 t^2 is the mean, u = 2
// x'', and the others are 0.0024 off at the end. Without weights a third.
static void measures_that_contradict_are_averaged(void **state)
{
    static const char text[] =
        "dimension: 2\ngravity: [0, 0]\nlength_scale: 1\nbodies:\n"
        "  - {name: b, mass: 2, inertia: 1, markers: {q: [0.3, 0]}}\njoints:\n"
        "  - {name: rail, type: translational, bodies: [ground, b], at: [0, 0], axis: [1, 0]}\n"
        "inputs: [{name: u, value: 0, unit: N}]\n"
        "forces: [{name: f, type: force, on: b, value: [u, 0]}]\n"
        "inverse: {actuators: [u]}\nsimulate: {end: 1, signals: [coordinates, u]}\n";
    static const char *const weights[] = {"# weights: 1, 3, 1\n", ""};
    static const double part[] = {0.6, 1.0 / 3}, others[] = {0.0024, 0.004 * 2 / 3};
    (void)state;
    for (int i = 0; i < HOL_COUNT(weights); i++) {
        char table[4000], words[100];
        int n = snprintf(table, sizeof table, "%st, rail.stroke, DX(b), DX(b.q)\n", weights[i]);
        for (int k = 0; k <= 20; k++) {
            const double t = k / 20.0, x = t * t * t;
            n += snprintf(table + n, sizeof table - (size_t)n, "%.17g, %.17g, %.17g, %.17g\n", t, x,
                          x + 0.004 * t * t, x + 0.3);
        }
        hol_draft *draft;
        hol_model *model;
        hol_simulation *sim = moved(text, table, 0.475, &draft, &model);
        const double t = 0.475, off = 0.004 * part[i];
        near("x", signal_value(sim, "rail.stroke"), t * t * t + off * t * t, 1e-12);
        near("u", signal_value(sim, "u"), 2 * (6 * t + 2 * off), 1e-9);
        snprintf(words, sizeof words, "by %s%.3g at t = 1 s", i == 0 ? "" : "-", others[i]);
        assert_non_null(strstr(said, "3 measures of 1 motion"));
        assert_non_null(strstr(said, "contradict each other"));
        assert_non_null(strstr(said, words));
        leave_moved(sim, draft, model);
    }
}

// A wheel in space that turns by 1.2 turns, by its angle and the place of a point on it, which agree: the torque J phi'' of the angle alone.
static void measures_that_agree(void **state)
{
    static const char text[] =
        "dimension: 3\ngravity: [0, 0, 0]\nbodies:\n"
        "  - {name: w, mass: 1, inertia: [1, 1, 0.5], markers: {p: [0.2, 0, 0.1]}}\njoints:\n"
        "  - {name: h, type: revolute, bodies: [ground, w], at: [0, 0, 0], axis: [0, 0, 1]}\n"
        "inputs: [{name: u, value: 0, unit: N m}]\n"
        "forces: [{name: f, type: torque, joint: h, value: u}]\n"
        "inverse: {actuators: [u]}\nsimulate: {end: 2, signals: [coordinates, u]}\n";
    char table[6000];
    int n =
        snprintf(table, sizeof table, "# units: s, deg, m, m, m\nt, h.angle, DX(w.p), DY(w.p), DZ(w.p)\n");
    (void)state;
    for (int k = 0; k <= 40; k++) {
        const double t = k / 20.0, phi = 0.3 + t * t * t - 0.1 * t;
        n += snprintf(table + n, sizeof table - (size_t)n, "%.17g, %.17g, %.17g, %.17g, 0.1\n", t,
                      phi * 180 / 3.14159265358979323846, 0.2 * cos(phi), 0.2 * sin(phi));
    }
    hol_draft *draft;
    hol_model *model;
    const double t = 1.975;
    hol_simulation *sim = moved(text, table, t, &draft, &model);
    near("angle", signal_value(sim, "h.angle"), 0.3 + t * t * t - 0.1 * t, 1e-11);
    near("u", signal_value(sim, "u"), 0.5 * 6 * t, 1e-8);
    assert_non_null(strstr(said, "4 measures of 1 motion"));
    assert_null(strstr(said, "contradict"));
    leave_moved(sim, draft, model);
}

// The same wheel by AZ alone, and beside the place of a point, through 1.2 turns forwards and back: a pose tells no turns, and the row that
// holds it does not ask for them. J phi'' of the closed form.
static void measures_of_angles_go_beyond_a_turn(void **state)
{
    static const char text[] =
        "dimension: 3\ngravity: [0, 0, 0]\nbodies:\n"
        "  - {name: w, mass: 1, inertia: [1, 1, 0.5], markers: {p: [0.2, 0, 0.1]}}\njoints:\n"
        "  - {name: h, type: revolute, bodies: [ground, w], at: [0, 0, 0], axis: [0, 0, 1]}\n"
        "inputs: [{name: u, value: 0, unit: N m}]\n"
        "forces: [{name: f, type: torque, joint: h, value: u}]\n"
        "inverse: {actuators: [u]}\nsimulate: {end: 2, output: 0.05, signals: [coordinates, u]}\n";
    (void)state;
    for (int i = 0; i < 4; i++) {
        const bool more = i > 1;
        const double sign = i % 2 ? -1 : 1, t = 1.975;
        char table[6000];
        int n = snprintf(table, sizeof table, "t, AZ(w.p)%s\n", more ? ", DX(w.p), DY(w.p)" : "");
        for (int k = 0; k <= 40; k++) {
            const double s = k / 20.0, phi = sign * (0.3 + s * s * s - 0.1 * s);
            n += snprintf(table + n, sizeof table - (size_t)n, "%.17g, %.17g", s, phi);
            if (more)
                n += snprintf(table + n, sizeof table - (size_t)n, ", %.17g, %.17g", 0.2 * cos(phi),
                              0.2 * sin(phi));
            n += snprintf(table + n, sizeof table - (size_t)n, "\n");
        }
        hol_draft *draft;
        hol_model *model;
        hol_simulation *sim = moved(text, table, t, &draft, &model);
        near("angle", signal_value(sim, "h.angle"), sign * (0.3 + t * t * t - 0.1 * t), 1e-11);
        near("u", signal_value(sim, "u"), sign * 0.5 * 6 * t, 1e-8);
        assert_true(!strstr(said, "contradict"));
        leave_moved(sim, draft, model);
    }
}

static void weights_of_measures_are_checked(void **state)
{
    static const char *const weights[] = {"1, 2, 3", "1, -1", "1", "1, x", "", "1, 2\n# weights: 1, 2"};
    (void)state;
    for (int i = 0; i < HOL_COUNT(weights); i++) {
        char table[200];
        hol_draft *draft;
        snprintf(table, sizeof table, "# weights: %s\nt, hinge.angle, AZ(disc)\n0, 0, 0\n1, 1, 1\n2, 2, 2\n",
                 weights[i]);
        assert_int_equal(add_motion(table, &draft), HOL_ERR_USAGE);
        expect_message("weights");
        expect_message(strchr(weights[i], '\n') ? ":2: " : ":1: ");
        hol_draft_destroy(draft);
    }
}

// ---- what the model file says ---------------------------------------------------------------------------------

// Two inputs on one hinge, T = -2 sin(t): by weights 1 and 3, u = 3/4 T, v = T/4; then u held within 1 N m.
static void the_model_file_says_it(void **state)
{
    hol_model *model;
    (void)state;
    for (int bounded = 0; bounded < 2; bounded++) {
        char more[400];
        snprintf(more, sizeof more, "%sinverse: {actuators: [u, v], weights: [1, 3]%s}\n", turned,
                 bounded ? ", bounds: {u: [-1, 1]}" : "");
        model = model_of("u + v", more);
        hol_simulation *sim = hol_inverse_create(ctx, model, NULL);
        assert_non_null(sim);
        assert_int_equal(hol_simulation_advance(sim, 1.5), HOL_OK);
        const double torque = -2 * sin(1.5), u = bounded ? -1 : 0.75 * torque;
        near("u", signal_value(sim, "u"), u, 1e-12);
        near("v", signal_value(sim, "v"), torque - u, 1e-12);
        hol_simulation_destroy(sim);
        static const char *const one[] = {"v"}; // the caller's go first, all together
        sim = hol_inverse_create(ctx, model, &(hol_inverse_options){.n_actuators = 1, .actuator = one});
        assert_non_null(sim);
        assert_int_equal(hol_simulation_advance(sim, 1.5), HOL_OK);
        near("v alone", signal_value(sim, "v") + signal_value(sim, "u"), torque, 1e-12);
        hol_simulation_destroy(sim);
        hol_model_destroy(model);
    }
    model = model_of("u", "inverse: {motion: nowhere.csv}\n");
    refuses(model, NULL, "the drivers for \"nowhere.csv\" are not in the model");
    hol_model_destroy(model);
    model = model_of("u", "inverse: {drives: [turn]}\n");
    assert_null(hol_inverse_create(ctx, model, NULL));
    expect_message("no constraint of positions \"turn\"");
    hol_model_destroy(model);
}

// 2 u + u^3 = 18 has the root 2.36723578936609, which Newton's method takes seven steps to; what another driver goes on giving does not change.
static void a_projected_choice_is_found_to_the_end(void **state)
{
    static const char *const u[] = {"u"};
    hol_model *model = load_model(
        "dimension: 2\ngravity: [0, 0]\nbodies: [{name: a, mass: 1, inertia: 1}, {name: b, mass: 1, inertia: "
        "1}]\n"
        "joints:\n"
        "  - {name: h, type: revolute, between: [ground, a], stiffness: 18, angle: -1}\n"
        "  - {name: k, type: revolute, between: [ground, b], stiffness: 1, angle: -1}\n"
        "drivers: [{name: d, type: angle, joint: h, value: 0}, {name: e, type: angle, joint: k, value: 0}]\n"
        "inputs: [{name: u, value: 0}]\nforces: [{name: U, type: torque, joint: h, value: \"2*u + u^3\"}]\n"
        "simulate: {end: 1, signals: [u, d, e]}\n",
        NULL, 0);
    (void)state;
    hol_simulation *sim = hol_inverse_create(
        ctx, model, &(hol_inverse_options){.n_actuators = 1, .actuator = u, .project = true});
    assert_non_null(sim);
    near("u", signal_value(sim, "u"), 2.36723578936609, 1e-12);
    near("its driver", signal_value(sim, "d.torque"), 0, 1e-10);
    near("the other one", signal_value(sim, "e.torque"), 1, 1e-12);
    hol_simulation_destroy(sim);
    hol_model_destroy(model);
}

// A cart with a pole that has no motor. f: the forces of both drivers, M: the masses that they move; the push that comes nearest by the masses
// is (M^-1 f)_1 / (M^-1)_11 (Gauss); the hinge's driver goes on giving what it gave.
static void the_nearest_accelerations(void **state)
{
    static const char *const u[] = {"u"};
    const double m = 0.5, l = 0.6, k = m * l / 2;
    hol_model *model = load_model("../tests/analyses/i4_cart_pole",
                                  (const char *const[]){"simulate.signals=[u, go, lean, pole, inverse]"}, 1);
    (void)state;
    hol_simulation *own = hol_inverse_create(ctx, model, NULL),
                   *sim = hol_inverse_create(
                       ctx, model, &(hol_inverse_options){.n_actuators = 1, .actuator = u, .project = true});
    assert_true(own && sim);
    assert_true(isnan(signal_value(own, "inverse.condition")));
    for (double t = 0.07; t < 1; t += 0.07) {
        assert_int_equal(hol_simulation_advance(own, t), HOL_OK);
        assert_int_equal(hol_simulation_advance(sim, t), HOL_OK);
        const double force = signal_value(own, "go.Fx"), torque = signal_value(own, "lean.T"),
                     coupled = -k * sin(signal_value(own, "pole.theta")),
                     inertia = m * l * l / 12 + m * l * l / 4, push = force - coupled / inertia * torque;
        near("push", signal_value(sim, "u"), push, 1e-12);
        near("the cart's driver", signal_value(sim, "go.Fx"), force - push, 1e-12);
        near("the pole's driver", signal_value(sim, "lean.T"), torque, 1e-12);
        near("one actuator", signal_value(sim, "inverse.condition"), 1, 1e-12);
        assert_true(signal_value(sim, "inverse.missing") > 1e-3);
    }
    hol_simulation_destroy(own);
    hol_simulation_destroy(sim);
    hol_model_destroy(model);
}

// Two hinges with torques u and u + 0.1 v on them: G = [1 1; 0 0.1] by rows of natural size; singular values of it in closed form. Where nothing
// is missing projecting changes nothing.
static void the_condition_of_the_actuators(void **state)
{
    static const char text[] =
        "dimension: 2\ninputs: [{name: u, value: 0}, {name: v, value: 0}]\n"
        "bodies: [{name: a, mass: 1, inertia: 2}, {name: b, mass: 1, inertia: 3, position: [1, 0]}]\n"
        "joints:\n  - {name: A, type: revolute, between: [ground, a]}\n"
        "  - {name: B, type: revolute, between: [{ground: [1, 0]}, b]}\n"
        "drivers: [{name: d, type: angle, joint: A, value: time^2}, {name: e, type: angle, joint: B, value: "
        "time^2}]\n"
        "forces: [{name: f, type: torque, joint: A, value: u + v}, {name: g, type: torque, joint: B, value: "
        "0.1*v}]\n"
        "inverse: {actuators: [u, v], project: yes}\nsimulate: {end: 1, signals: [u, v, inverse]}\n";
    hol_model *model = load_model(text, NULL, 0);
    (void)state;
    hol_simulation *sim = hol_inverse_create(ctx, model, NULL);
    assert_non_null(sim);
    assert_int_equal(hol_simulation_advance(sim, 0.5), HOL_OK);
    const double sum = 2 + 0.01, root = sqrt(sum * sum - 4 * 0.01); // of G^T G: s^2 - (1 + 1 + 0.01) s + 0.01
    near("condition", signal_value(sim, "inverse.condition"), sqrt((sum + root) / (sum - root)), 1e-9);
    near("u", signal_value(sim, "u"), 2 * 2 - 60, 1e-10);
    near("v", signal_value(sim, "v"), 60, 1e-10);
    near("missing", signal_value(sim, "inverse.missing"), 0, 1e-12);
    hol_simulation_destroy(sim);
    hol_model_destroy(model);
}

// A plate that is moved by the place of a point on it and its angle: T about the centre of mass, F = m a of it; the draft's own table.
static void motions_are_measures_too(void **state)
{
    static const char text[] =
        "dimension: 2\ninputs: [{name: fx, value: 0}, {name: fy, value: 0}, {name: tz, value: 0}]\n"
        "bodies: [{name: plate, mass: 2, inertia: 0.3, markers: {p: [0.2, 0]}}]\n"
        "forces:\n  - {name: push, type: force, on: plate, value: [fx, fy]}\n"
        "  - {name: twist, type: torque, on: plate, value: tz}\n"
        "inverse: {motion: /tmp/test_inverse_motion.csv, actuators: [fx, fy, tz]}\n"
        "simulate: {end: 1, signals: [fx, fy, tz, plate]}\n";
    FILE *f = fopen("/tmp/test_inverse_motion.csv", "w");
    (void)state;
    assert_non_null(f);
    fprintf(f, "t, DX(plate.p), \"DY(plate.p)\", AZ(plate)\n");
    for (int i = 0; i <= 20; i++) {
        const double t = i / 20.0;
        fprintf(f, "%.17g, %.17g, %.17g, %.17g\n", t, 0.2 + t * t * t, 0.5 * t * t, 0.3 * t * t);
    }
    fclose(f);
    hol_draft *draft = hol_draft_parse(ctx, "plate", text, strlen(text));
    assert_non_null(draft);
    assert_int_equal(hol_draft_add_motion(draft, NULL), HOL_OK);
    assert_null(hol_item_find(hol_draft_root(draft), "inverse.motion"));
    hol_model *model = hol_draft_compile(draft);
    assert_non_null(model);
    hol_simulation *sim = hol_inverse_create(ctx, model, NULL);
    assert_non_null(sim);
    for (double t = 0; t < 1; t += 0.25) { // p = c + 0.2 (cos A, sin A), A = 0.3 t^2
        assert_int_equal(hol_simulation_advance(sim, t), HOL_OK);
        const double a = 0.3 * t * t, w = 0.6 * t;
        near("fx", signal_value(sim, "fx"), 2 * (6 * t + 0.2 * (sin(a) * 0.6 + cos(a) * w * w)), 1e-9);
        near("fy", signal_value(sim, "fy"), 2 * (1 - 0.2 * (cos(a) * 0.6 - sin(a) * w * w)), 1e-9);
        near("tz", signal_value(sim, "tz"), 0.3 * 0.6, 1e-9);
    }
    hol_simulation_destroy(sim);
    hol_model_destroy(model);
    assert_int_equal(hol_draft_add_motion(draft, NULL), HOL_ERR_USAGE);
    expect_message("names no motion");
    hol_draft_destroy(draft);
    unlink("/tmp/test_inverse_motion.csv");
}

// A level force at the tip of a rod that the driver turns steadily: -w sin A = m g/2 cos A, A = (time - 1)/2.
static const char level_force[] =
    "dimension: 2\ngravity: [0, -g]\nparameters: {g: 9.81, from: 1}\ninputs: [{name: w, value: 0}]\n"
    "bodies: [{name: rod, mass: 2, inertia: 0.3, position: [0.438791, -0.239713], angle: "
    "-0.5, markers: {top: [-0.5, 0], tip: [0.5, 0]}}]\n"
    "joints: [{name: pivot, type: revolute, between: [ground, rod.top]}]\n"
    "forces: [{name: h, type: force, on: rod.tip, value: [w, 0]}]\n"
    "drivers: [{name: d, type: angle, joint: pivot, value: 0.5*(time - from)}]\n"
    "simulate: {end: 2, output: 0.1, signals: [w, inverse, pivot.angle]}\n";

// Where the rod, which is drawn to six digits, is level but for rounding, the force has no lever, and is none.
static void rounding_is_no_lever(void **state)
{
    static const char *const w[] = {"w"};
    hol_inverse_options options = {.n_actuators = 1, .actuator = w};
    hol_model *model = load_model(level_force, NULL, 0);
    (void)state;
    hol_simulation *sim = hol_inverse_create(ctx, model, &options);
    assert_non_null(sim);
    assert_int_equal(hol_simulation_advance(sim, 0.75), HOL_OK);
    near("w", signal_value(sim, "w"), -9.81 / tan(-0.125), 1e-9);
    assert_int_equal(hol_simulation_advance(sim, 1), HOL_ERR_USAGE);
    expect_message(
        "at t = 1 s the motion needs 9.81 N m more of driver \"d\", which no actuator gives (\"w\" has no "
        "lever there)");
    hol_simulation_destroy(sim);
    options.project = true;
    sim = hol_inverse_create(ctx, model, &options);
    assert_non_null(sim);
    assert_int_equal(hol_simulation_advance(sim, 1), HOL_OK);
    near("w", signal_value(sim, "w"), 0, 0);
    near("missing", signal_value(sim, "inverse.missing"), 0.5, 1e-12); // of the pivot, which holds the weight
    assert_true(isinf(signal_value(sim, "inverse.condition")));
    hol_simulation_destroy(sim);
    hol_model_destroy(model);
}

static void listen_for_levers(void *user, hol_severity severity, const char *text)
{
    if (severity == HOL_WARNING && strstr(text, "lever")) snprintf(said, sizeof said, "%s", text);
    ++*(int *)user;
}

// A lever that passes 0 between rows is told with its time, if what is needed there is not 0 too.
static void levers_that_pass_zero_are_told(void **state)
{
    static const char *const w[] = {"w"};
    static const char *const heavy[] = {"parameters.from=1.02"}, *const light[] = {"parameters.from=1.02",
                                                                                   "parameters.g=0"};
    const hol_inverse_options options = {.n_actuators = 1, .actuator = w};
    (void)state;
    for (int i = 0; i < 2; i++) {
        int notes = 0;
        hol_model *model = load_model(level_force, i ? light : heavy, 1 + i);
        said[0] = 0;
        hol_context_set_log(ctx, listen_for_levers, &notes);
        hol_simulation *sim = hol_inverse_create(ctx, model, &options);
        assert_non_null(sim);
        assert_int_equal(hol_simulation_advance(sim, 2), HOL_OK);
        near("w", signal_value(sim, "w"), i ? 0 : -9.81 / tan(0.49), 1e-9);
        if (!i)
            assert_non_null(strstr(said, "at t = 1.02 s, between rows, \"w\" has no lever on the motion"));
        if (i) assert_string_equal(said, "");
        hol_context_set_log(ctx, NULL, NULL);
        hol_simulation_destroy(sim);
        hol_model_destroy(model);
    }
}

// The rod swings by A = t^2/2 - 90 deg through level at sqrt(pi) s, measured by how far its tip is: a table touches 1 m to its rounding alone, and
// what comes behind is not known. One that stays well below turns back where it says so: sin B = 0.8 sin(t^2/2), A = B - 90 deg.
static void measures_at_their_extreme_do_not_tell_the_motion(void **state)
{
    static const char text[] =
        "dimension: 2\ninputs: [{name: u, value: 0, unit: N m}]\n"
        "bodies: [{name: rod, mass: 2, inertia: 0.3, position: [0, -0.5], angle: -90 deg, markers: {top: "
        "[-0.5, 0], "
        "tip: [0.5, 0]}}]\n"
        "joints: [{name: pivot, type: revolute, between: [ground, rod.top]}]\n"
        "forces: [{name: m, type: torque, joint: pivot, value: u}]\ninverse: {actuators: [u]}\n"
        "simulate: {end: 2, output: 0.1, signals: [pivot.angle]}\n";
    (void)state;
    for (int far = 0; far < 2; far++) {
        char table[4000];
        hol_draft *draft;
        hol_model *model;
        int n = snprintf(table, sizeof table, "t,DX(rod.tip)\n");
        for (int i = 0; i <= 40; i++)
            n += snprintf(table + n, sizeof table - (size_t)n, "%.17g,%.17g\n", i * 0.05,
                          (far ? 0.8 : 1) * sin(i * i * 0.05 * 0.05 / 2));
        hol_simulation *sim = moved(text, table, 1.6, &draft, &model);
        if (far) {
            assert_int_equal(hol_simulation_advance(sim, 2), HOL_OK);
            near("angle", signal_value(sim, "pivot.angle"), asin(0.8 * sin(2)) - HOL_PI / 2, 1e-6);
        } else {
            near("angle", signal_value(sim, "pivot.angle"), 1.6 * 1.6 / 2 - HOL_PI / 2, 1e-5);
            assert_int_equal(hol_simulation_advance(sim, 2), HOL_ERR_INTEGRATION);
            expect_message("drive_1: stopped at t = 1.772");
            expect_message("the points of the table motion_1 are 0.05 s apart");
            near("time", hol_simulation_time(sim), sqrt(HOL_PI), 1e-3);
        }
        leave_moved(sim, draft, model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_cannot_be_is_refused),
                                       cmocka_unit_test(what_is_integrated_is_named),
                                       cmocka_unit_test(what_is_missing_is_told_with_all_turns),
                                       cmocka_unit_test(forces_may_depend_on_anything),
                                       cmocka_unit_test(what_is_not_found_is_an_error),
                                       cmocka_unit_test(what_stands_needs_nothing),
                                       cmocka_unit_test(what_acts_alike_has_no_condition),
                                       cmocka_unit_test(bounds_are_kept_at_least_cost),
                                       cmocka_unit_test(motions_come_from_tables),
                                       cmocka_unit_test(the_model_file_says_it),
                                       cmocka_unit_test(a_projected_choice_is_found_to_the_end),
                                       cmocka_unit_test(the_nearest_accelerations),
                                       cmocka_unit_test(the_condition_of_the_actuators),
                                       cmocka_unit_test(motions_are_measures_too),
                                       cmocka_unit_test(measures_that_contradict_are_averaged),
                                       cmocka_unit_test(measures_that_agree),
                                       cmocka_unit_test(measures_of_angles_go_beyond_a_turn),
                                       cmocka_unit_test(weights_of_measures_are_checked),
                                       cmocka_unit_test(rounding_is_no_lever),
                                       cmocka_unit_test(levers_that_pass_zero_are_told),
                                       cmocka_unit_test(measures_at_their_extreme_do_not_tell_the_motion)};
    return cmocka_run_group_tests(tests, start, stop);
}
