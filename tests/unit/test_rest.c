// Mechanisms at rest stay at rest, with every method: nothing moves by which a violation or an error could be measured.
#include "harness.h"
#include "integrator/integrator.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define REST (goes_far() ? 1000.0 : few() ? 40.0 : 400.0) // [s]
// Natural lengths and angles.
#define STILL 1e-8  // rounding, through steps as long as they are stable; the tolerance is 1e-5
#define OPEN 1e-5   // srm: how far the joints open below loads with eps = 0.01 s
#define DAMPED 2e-5 // a motion below the tolerance that a method with long steps damps slowly

typedef struct {
    const char *name, *text;
    bool loops;  // methods for trees refuse it
    bool fast;   // vibrations are too fast for fixed steps
    double from; // when it has come to rest [s]
} mechanism;

#define ROD "mass: 1, inertia: 0.1"
#define HUNG "markers: {top: [0, 0.5], end: [0, -0.5]}"
#define HUNG3 "markers: {top: [0, 0, 0.5], end: [0, 0, -0.5]}"

#define PARALLELOGRAM                                                                                        \
    "bodies:\n"                                                                                              \
    "  - {name: a, " ROD ", " HUNG ", position: [0, -0.5]}\n"                                                \
    "  - {name: b, " ROD                                                                                     \
    ", markers: {left: [-0.5, 0], middle: [0, 0], right: [0.5, 0]}, position: [0.5, -1]}\n"                  \
    "  - {name: c, " ROD ", " HUNG ", position: [1, -0.5]}\n"
#define JOINTS                                                                                               \
    "joints:\n"                                                                                              \
    "  - {name: j, type: revolute, between: [ground, a.top]}\n"                                              \
    "  - {name: k, type: revolute, between: [a.end, b.left]}\n"                                              \
    "  - {name: l, type: revolute, between: [b.right, c.end]}\n"                                             \
    "  - {name: m, type: revolute, between: [{ground: [1, 0]}, c.top]}\n"
#define TYRE "stiffness: 1e5, damping: 1000, length: 0.3 + 200*9.81/1e5"
#define CAR(height)                                                                                          \
    "bodies: [{name: car, mass: 400, inertia: 100, position: [0, " height                                    \
    "], markers: {f: [1, -0.2], r: [-1, -0.2]}}]\n"                                                          \
    "forces: [{name: f, type: tyre, on: car.f, " TYRE "}, {name: r, type: tyre, on: car.r, " TYRE "}]\n"

static const mechanism mechanisms[] = {
    {"pendulum that hangs straight down",
     "dimension: 2\n"
     "gravity: [0, -9.81]\n"
     "bodies: [{name: rod, " ROD ", " HUNG ", position: [0, -0.5]}]\n"
     "joints: [{name: j, type: revolute, between: [ground, rod.top]}]\n",
     .loops = false},
    {"rod held level by a constant torque",
     "dimension: 2\n"
     "gravity: [0, -9.81]\n"
     "bodies: [{name: rod, " ROD ", markers: {end: [-0.5, 0]}, position: [0.5, 0]}]\n"
     "joints: [{name: j, type: revolute, between: [ground, rod.end]}]\n"
     "forces: [{name: t, type: torque, on: rod, value: 9.81/2}]\n",
     .loops = false},
    {"rod held at a slant by a constant torque",
     "dimension: 2\n"
     "gravity: [0, -9.81]\n"
     "bodies: [{name: rod, mass: 1.3, inertia: 0.17, markers: {end: [0, 0.3]}, angle: 0.7,\n"
     "          position: [0.311 + 0.3*sin(0.7), 0.123 - 0.3*cos(0.7)]}]\n"
     "joints: [{name: j, type: revolute, between: [{ground: [0.311, 0.123]}, rod.end]}]\n"
     "forces: [{name: t, type: torque, on: rod, value: 1.3*9.81*0.3*sin(0.7)}]\n",
     .loops = false},
    {"body that hangs in space on a ball joint",
     "dimension: 3\n"
     "gravity: [0, 0, -9.81]\n"
     "bodies: [{name: rod, mass: 1, inertia: [0.1, 0.1, 0.01], " HUNG3 ", position: [0, 0, -0.5]}]\n"
     "joints: [{name: j, type: spherical, between: [ground, rod.top]}]\n",
     .loops = false},
    {"body that hangs in space on a hinge, far from the origin",
     "dimension: 3\n"
     "gravity: [0, 0, -9.81]\n"
     "bodies: [{name: rod, mass: 1, inertia: [0.1, 0.1, 0.01], " HUNG3 ", position: [300, -200, -0.5]}]\n"
     "joints: [{name: j, type: revolute, bodies: [ground, rod], at: [300, -200, 0], axis: [1, 0, 0]}]\n",
     .loops = false},
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
     .loops = false},
    {"mass on a spring",
     "dimension: 2\n"
     "gravity: [0, -9.81]\n"
     "bodies: [{name: m, type: point, mass: 1, position: [0, -1]}]\n"
     "joints: [{name: j, type: in-line, bodies: [ground, m], at: [0, -1], axis: [0, 1]}]\n"
     "forces: [{name: s, type: spring-damper, between: [ground, m], stiffness: 9.81, length: 0}]\n",
     .loops = false},
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
     .loops = true},
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
     .loops = true},
    {"body turned in space on a hinge and again by a ball joint, three equations redundant",
     "dimension: 3\n"
     "gravity: [9.81*sin(0.4)*cos(0.3), 9.81*sin(0.4)*sin(0.3), -9.81*cos(0.4)]\n"
     "bodies:\n"
     "  - {name: a, mass: 1, inertia: [0.1, 0.1, 0.01], position: [0.5*sin(0.4)*cos(0.3), "
     "0.5*sin(0.4)*sin(0.3), -0.5*cos(0.4)]}\n"
     "joints:\n"
     "  - {name: j, type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: [-sin(0.3), cos(0.3), 0]}\n"
     "  - {name: k, type: spherical, bodies: [ground, a], at: [0, 0, 0]}\n",
     .loops = true},
    {"parallelogram that hangs", "dimension: 2\ngravity: [0, -9.81]\n" PARALLELOGRAM JOINTS, .loops = true},
    {"parallelogram that hangs on three links, two equations redundant",
     "dimension: 2\n"
     "gravity: [0, -9.81]\n" PARALLELOGRAM "  - {name: d, " ROD ", " HUNG ", position: [0.5, -0.5]}\n" JOINTS
     "  - {name: n, type: revolute, between: [{ground: [0.5, 0]}, d.top]}\n"
     "  - {name: o, type: revolute, between: [b.middle, d.end]}\n",
     .loops = true},
    {"car on two tyres", "dimension: 2\ngravity: [0, -9.81]\n" CAR("0.5"), .fast = true},
    {"car dropped on two tyres", "dimension: 2\ngravity: [0, -9.81]\n" CAR("0.52"), .fast = true, .from = 20},
    {"mass on a spring that comes to rest",
     "dimension: 2\n"
     "gravity: [0, -9.81]\n"
     "bodies: [{name: m, type: point, mass: 1, position: [0, -1]}]\n"
     "joints: [{name: j, type: in-line, bodies: [ground, m], at: [0, -1], axis: [0, 1]}]\n"
     "forces: [{name: s, type: spring-damper, between: [ground, m], stiffness: 9.81, length: 0.3, damping: "
     "0.5}]\n",
     .from = 300}};

static bool is_pose(const char *unit) { return strcmp(unit, "m") == 0 || strcmp(unit, "rad") == 0; }

// Largest change of a position or an angle from the first row at `from` on, rows between steps among them; *column: whose.
static double way_of(const hol_result *r, double from, int *column)
{
    double most = 0;
    size_t first = 0;
    *column = 0;
    while (first < r->n_rows - 1 && r->value[first * (size_t)r->n_columns] < from) first++;
    const double *start = r->value + first * (size_t)r->n_columns;
    for (size_t i = first; i < r->n_rows; i++)
        for (int j = 1; j < r->n_columns; j++) {
            const double way = fabs(r->value[i * (size_t)r->n_columns + (size_t)j] - start[j]);
            if (!is_pose(r->unit[j]) || way <= most) continue;
            most = way;
            *column = j;
        }
    return most;
}

// Runs with these settings and a row every 2 s, most of them between steps; 1: it does not stay where it is.
static int moves(const mechanism *k, const hol_method *method, const char *how)
{
    char text[200], folder[] = "/tmp/holonom_rest_XXXXXX", file[60], other[60];
    const char *set[8];
    assert_int_equal(make_results(folder, file, other), 0);
    snprintf(text, sizeof text, "simulate.end=%g simulate.output=2 simulate.method=%s %s", REST, method->name,
             how);
    const int n_set = split(text, set, 8);
    hol_model *model = hol_model_parse(ctx, k->name, k->text, strlen(k->text), set, n_set);
    hol_simulation *sim = model ? hol_simulation_create(ctx, model) : NULL;
    hol_status st = sim ? hol_simulation_write(sim, file) : hol_context_status(ctx);
    if (!st) st = hol_simulation_run(sim);
    if (st) print_error("%s, %s %s: %s\n", k->name, method->name, how, hol_context_error(ctx));
    const bool ended = !st && hol_simulation_finish(sim)->time == REST;
    hol_result *r = ended ? hol_result_read(ctx, file) : NULL;
    int column = 0;
    const double way = r ? way_of(r, k->from, &column) : HOL_INF;
    const bool opens = method->open && k->loops;
    const bool still = way <= (opens ? OPEN : k->from > 0 ? DAMPED : STILL);
    if (r && !still)
        print_error("%s, %s %s: %s moves by %g\n", k->name, method->name, how, r->name[column], way);
    hol_result_destroy(r);
    hol_simulation_destroy(sim);
    hol_model_destroy(model);
    remove_results(folder, file, other);
    return !still;
}

// The fastest vibration has 9 rad/s where steps are fixed: they are below the limit of stability of central differences, 2/omega.
static void rest_stays_rest(void **state)
{
    (void)state;
    int failed = 0, runs = 0;
    for (int i = 0; i < (int)(sizeof mechanisms / sizeof *mechanisms); i++)
        for (int m = 0; hol_methods[m]; m++) {
            const mechanism *k = &mechanisms[i];
            const hol_method *method = hol_methods[m];
            const bool tree_only = method->exact, srm = method->open;
            if ((tree_only && k->loops) || k->from >= REST || !in_sample(i + m, 1, 3)) continue;
            const char *how = srm && k->loops ? "simulate.max_step=0.1 srm.eps=0.01" : "";
            if (!method->teaching) failed += moves(k, method, how), runs++;
            if (srm && !k->loops && k->from == 0) failed += moves(k, method, "srm.pair=5"), runs++;
            if (srm || method->orders || k->fast) continue; // no fixed steps, or those follow eps
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
