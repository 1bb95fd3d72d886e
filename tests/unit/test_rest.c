// Mechanisms at rest stay at rest, with every method: nothing moves by which a violation or an error could be measured.
#include "harness.h"
#include "integrator/integrator.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define REST 1000.0 // [s]
// Natural lengths and angles, at a tolerance of 1e-4: Newton's method and error control may leave as much.
#define STILL 1e-4

typedef struct {
    const char *name, *text;
    bool loops; // methods for trees refuse it
} mechanism;

#define ROD "mass: 1, inertia: 0.1"
#define HUNG "markers: {top: [0, 0.5], end: [0, -0.5]}"
#define HUNG3 "markers: {top: [0, 0, 0.5], end: [0, 0, -0.5]}"

static const mechanism mechanisms[] = {
    {"pendulum that hangs straight down",
     "dimension: 2\n"
     "gravity: [0, -9.81]\n"
     "bodies: [{name: rod, " ROD ", " HUNG ", position: [0, -0.5]}]\n"
     "joints: [{name: j, type: revolute, between: [ground, rod.top]}]\n",
     false},
    {"rod held level by a constant torque",
     "dimension: 2\n"
     "gravity: [0, -9.81]\n"
     "bodies: [{name: rod, " ROD ", markers: {end: [-0.5, 0]}, position: [0.5, 0]}]\n"
     "joints: [{name: j, type: revolute, between: [ground, rod.end]}]\n"
     "forces: [{name: t, type: torque, on: rod, value: 9.81/2}]\n",
     false},
    {"rod held at a slant by a constant torque",
     "dimension: 2\n"
     "gravity: [0, -9.81]\n"
     "bodies: [{name: rod, mass: 1.3, inertia: 0.17, markers: {end: [0, 0.3]}, angle: 0.7,\n"
     "          position: [0.311 + 0.3*sin(0.7), 0.123 - 0.3*cos(0.7)]}]\n"
     "joints: [{name: j, type: revolute, between: [{ground: [0.311, 0.123]}, rod.end]}]\n"
     "forces: [{name: t, type: torque, on: rod, value: 1.3*9.81*0.3*sin(0.7)}]\n",
     false},
    {"body that hangs in space on a ball joint",
     "dimension: 3\n"
     "gravity: [0, 0, -9.81]\n"
     "bodies: [{name: rod, mass: 1, inertia: [0.1, 0.1, 0.01], " HUNG3 ", position: [0, 0, -0.5]}]\n"
     "joints: [{name: j, type: spherical, between: [ground, rod.top]}]\n",
     false},
    {"body that hangs in space on a hinge, far from the origin",
     "dimension: 3\n"
     "gravity: [0, 0, -9.81]\n"
     "bodies: [{name: rod, mass: 1, inertia: [0.1, 0.1, 0.01], " HUNG3 ", position: [300, -200, -0.5]}]\n"
     "joints: [{name: j, type: revolute, bodies: [ground, rod], at: [300, -200, 0], axis: [1, 0, 0]}]\n",
     false},
    {"three rods that hang on each other",
     "dimension: 2\n"
     "gravity: [0, -9.81]\n"
     "bodies:\n"
     "  - {name: a, " ROD ", " HUNG ", position: [0, -0.5]}\n"
     "  - {name: b, " ROD ", " HUNG ", position: [0, -1.5]}\n"
     "  - {name: c, " ROD ", " HUNG ", position: [0, -2.5]}\n"
     "joints:\n"
     "  - {name: j, type: revolute, between: [ground, a.top]}\n"
     "  - {name: k, type: revolute, between: [a.end, b.top]}\n"
     "  - {name: l, type: revolute, between: [b.end, c.top]}\n",
     false},
    {"mass on a spring",
     "dimension: 2\n"
     "gravity: [0, -9.81]\n"
     "bodies: [{name: m, type: point, mass: 1, position: [0, -1]}]\n"
     "joints: [{name: j, type: in-line, bodies: [ground, m], at: [0, -1], axis: [0, 1]}]\n"
     "forces: [{name: s, type: spring-damper, between: [ground, m], stiffness: 9.81, length: 0}]\n",
     false},
    {"slider crank without gravity",
     "dimension: 2\n"
     "gravity: [0, 0]\n"
     "bodies:\n"
     "  - {name: crank, " ROD ", position: [sqrt(1/8), sqrt(1/8)], angle: 45 deg, markers: {o: [-0.5, 0], e: "
     "[0.5, 0]}}\n"
     "  - {name: rod, " ROD
     ", position: [3*sqrt(1/8), sqrt(1/8)], angle: -45 deg, markers: {o: [-0.5, 0], e: "
     "[0.5, 0]}}\n"
     "  - {name: block, " ROD ", position: [4*sqrt(1/8), 0]}\n"
     "joints:\n"
     "  - {name: j, type: revolute, between: [ground, crank.o]}\n"
     "  - {name: k, type: revolute, between: [crank.e, rod.o]}\n"
     "  - {name: l, type: revolute, between: [rod.e, block]}\n"
     "  - {name: m, type: translational, bodies: [ground, block], at: [0, 0], axis: [1, 0]}\n",
     true},
    {"parallelogram in space, three equations redundant",
     "dimension: 3\n"
     "gravity: [0, 0, -9.81]\n"
     "bodies:\n"
     "  - {name: a, " ROD ", " HUNG3 ", position: [0, 0, -0.5]}\n"
     "  - {name: b, " ROD ", position: [0.5, 0, -1]}\n"
     "  - {name: c, " ROD ", " HUNG3 ", position: [1, 0, -0.5]}\n"
     "joints:\n"
     "  - {name: j, type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: [0, 1, 0]}\n"
     "  - {name: k, type: revolute, bodies: [a, b], at: [0, 0, -1], axis: [0, 1, 0]}\n"
     "  - {name: l, type: revolute, bodies: [b, c], at: [1, 0, -1], axis: [0, 1, 0]}\n"
     "  - {name: m, type: revolute, bodies: [ground, c], at: [1, 0, 0], axis: [0, 1, 0]}\n",
     true},
    {"body turned in space on a hinge and again by a ball joint, three equations redundant",
     "dimension: 3\n"
     "gravity: [9.81*sin(0.4)*cos(0.3), 9.81*sin(0.4)*sin(0.3), -9.81*cos(0.4)]\n"
     "bodies:\n"
     "  - {name: a, mass: 1, inertia: [0.1, 0.1, 0.01], position: [0.5*sin(0.4)*cos(0.3), "
     "0.5*sin(0.4)*sin(0.3), -0.5*cos(0.4)]}\n"
     "joints:\n"
     "  - {name: j, type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: [-sin(0.3), cos(0.3), 0]}\n"
     "  - {name: k, type: spherical, bodies: [ground, a], at: [0, 0, 0]}\n",
     true}};

static bool is_pose(const hol_simulation *sim, int i)
{
    const char *unit = hol_simulation_signal_unit(sim, i);
    return strcmp(unit, "m") == 0 || strcmp(unit, "rad") == 0;
}

// Runs with these settings; 1: it does not stay where it is.
static int moves(const mechanism *k, const hol_method *method, const char *how)
{
    enum { MOST = 200 };
    char text[200];
    const char *set[8];
    double at_start[MOST];
    int failed = 0;
    snprintf(text, sizeof text, "simulate.end=%g simulate.method=%s %s", REST, method->name, how);
    const int n_set = split(text, set, 8);
    hol_model *model = hol_model_parse(ctx, k->name, k->text, strlen(k->text), set, n_set);
    hol_simulation *sim = model ? hol_simulation_create(ctx, model) : NULL;
    const int n = sim ? hol_simulation_signals(sim) : 0;
    assert_in_range(n, sim ? 1 : 0, MOST);
    const double *value = sim ? hol_simulation_values(sim) : NULL;
    if (value) memcpy(at_start, value, (size_t)n * sizeof *value);
    hol_status st = value ? hol_simulation_run(sim) : hol_context_status(ctx);
    value = st ? NULL : hol_simulation_values(sim);
    for (int i = 0; value && i < n; i++) {
        const double way = fabs(value[i] - at_start[i]);
        if (!is_pose(sim, i) || way <= STILL) continue;
        failed = 1;
        print_error("%s, %s %s: %s moves by %g\n", k->name, method->name, how,
                    hol_simulation_signal_name(sim, i), way);
    }
    if (st) print_error("%s, %s %s: %s\n", k->name, method->name, how, hol_context_error(ctx));
    if (!st && hol_simulation_statistics(sim)->time != REST) failed = 1;
    hol_simulation_destroy(sim);
    hol_model_destroy(model);
    return failed || st;
}

// The fastest vibration has 9 rad/s: fixed steps are below the limit of stability of central differences, 2/omega.
static void rest_stays_rest(void **state)
{
    (void)state;
    int failed = 0, runs = 0;
    for (int i = 0; i < (int)(sizeof mechanisms / sizeof *mechanisms); i++)
        for (int m = 0; hol_methods[m]; m++) {
            const mechanism *k = &mechanisms[i];
            const hol_method *method = hol_methods[m];
            const bool tree_only = method->exact, srm = method->open,
                       adams = strcmp(method->name, "adams") == 0;
            if (tree_only && k->loops) continue;
            // at rest the steps of explicit methods of low order grow until they are unstable; those of srm follow eps
            const char *controlled = srm     ? "simulate.max_step=0.1 srm.eps=0.01"
                                     : adams ? "simulate.max_step=0.1"
                                             : "simulate.tolerance=1e-4";
            const bool fixed_only = method->teaching;
            if (!fixed_only) failed += moves(k, method, controlled), runs++;
            if (srm || method->orders) continue; // no fixed steps, or those follow eps
            failed += moves(k, method, "simulate.step=0.1"), runs++;
        }
    print_message("%d runs of %g s\n", runs, REST);
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rest_stays_rest)};
    return cmocka_run_group_tests(tests, start, stop);
}
