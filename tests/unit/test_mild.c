// Models in which nothing happens that a method could not take: a foot that leaves the ground, a body that rests by friction, a machine whose
// drivers stand. No method stops there, and the account of the energy is right in every row, at events too.
#include "harness.h"

#include "integrator/integrator.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// All methods with error control and an order above 1 end there at this tolerance.
static void everyone_ends(const char *model, double T, const char *signal, double want, double allowed)
{
    for (int i = 0; hol_methods[i]; i++) {
        char how[2][60];
        const char *set[] = {how[0], how[1]};
        if (!hol_methods[i]->divisor || hol_methods[i]->order == 1 || (few() && i % 3)) continue;
        snprintf(how[0], sizeof how[0], "simulate.method=%s", hol_methods[i]->name);
        snprintf(how[1], sizeof how[1], "simulate.tolerance=%g", T);
        motion m = move(model, set, 2);
        if (m.end) fail_msg("%s: %s", hol_methods[i]->name, hol_context_error(ctx));
        near(hol_methods[i]->name, value_of(&m, signal), want, allowed);
        close_motion(&m);
    }
}

// A point that falls on a floor of 4e5 depth^1.5 from 1 mm with 0.3 m/s, and leaves it, where the trial states of an iteration are above it and
// have no depth^1.5. In flight its energy is that of the start; the place is that of rk at 1e-10.
#define FLOOR                                                                                                \
    "dimension: 2\ngravity: [0, -9.81]\n"                                                                    \
    "bodies: [{name: p, type: point, mass: 1, position: [0, 0.001], velocity: [0.5, -0.3]}]\n"               \
    "variables:\n  - {name: depth, value: \"max(-DY(p), 0)\", size: 1e-3}\n"                                 \
    "  - {name: normal, value: \"4e5*depth^1.5\", size: 100}\n"                                              \
    "forces: [{name: floor_, type: force, on: p, value: [0, normal]}]\nsimulate: {signals: [p], end: "       \
    "0.09}\n"

static void a_foot_lifts_off(void **state)
{
    (void)state;
    motion m = move(FLOOR, (const char *const[]){"simulate.method=rk", "simulate.tolerance=1e-10"}, 2);
    const double y = value_of(&m, "p.y"), v = value_of(&m, "p.vy");
    close_motion(&m);
    near("energy", 0.5 * v * v + 9.81 * y, 0.5 * 0.09 + 9.81 * 0.001, 1e-8); // in flight
    everyone_ends(FLOOR, 1e-4, "p.y", y, 10 * 1e-4);
    if (!few()) everyone_ends(FLOOR, 1e-5, "p.y", y, 10 * 1e-5);
}

// 1.1 kg on a vertical rail, held by 20 N of friction, and a hinge alike: at rest from the start on.
static void friction_holds_from_the_start(void **state)
{
    (void)state;
    everyone_ends("dimension: 2\ngravity: [0, -9.81]\nbodies: [{name: q, mass: 1.1, inertia: 0.01}]\n"
                  "joints: [{name: slide, type: translational, between: [ground: {angle: -90 deg}, q: "
                  "{angle: -90 deg}],\n"
                  "  friction: {force: 20 N}}]\nsimulate: {end: 0.05, signals: [slide.stroke]}\n",
                  1e-5, "slide.stroke", 1.1 * 9.81 / (20 / 1e-5), 1e-6);
    everyone_ends(
        "dimension: 2\nbodies: [{name: q, mass: 1.1, inertia: 0.01}]\n"
        "joints: [{name: h, type: revolute, between: [ground, q], preload: 1, friction: {torque: 2}}]\n"
        "simulate: {end: 0.05, signals: [h.angle]}\n",
        1e-5, "h.angle", 1 / (2 / 1e-4), 1e-6);
}

// A bar that a cylinder of two bodies holds, whose stroke stands: no freedom, nothing moves.
static void a_machine_stands(void **state)
{
    (void)state;
    everyone_ends(
        "dimension: 2\ngravity: [0, -9.81]\nbodies:\n"
        "  - {name: bar, mass: 1, inertia: 0.1, position: [0, 0], markers: {e: [1, 0]}}\n"
        "  - {name: barrel, mass: 1, inertia: 0.1, position: [0, -1], angle: 45 deg}\n"
        "  - {name: rod, mass: 1, inertia: 0.1, position: [1, 0], angle: 45 deg}\n"
        "joints:\n  - {name: h, type: revolute, between: [ground, bar]}\n"
        "  - {name: f, type: revolute, between: [ground: [0, -1], barrel]}\n"
        "  - {name: s, type: translational, between: [barrel, rod]}\n"
        "  - {name: e, type: revolute, between: [bar.e, rod]}\n"
        "drivers: [{name: d, type: stroke, joint: s, value: sqrt(2)}]\nsimulate: {end: 1, signals: [bar]}\n",
        1e-4, "bar.theta", 0, 1e-10);
}

// total - work stays what it was at the start, in every row: a stop met by a block within long steps of rk; a spring of 1000 N/m that is cut
// while it holds energy.
static double worst_row(const char *model, const char *method)
{
    char set[60];
    const char *how[] = {set};
    snprintf(set, sizeof set, "simulate.method=%s", method);
    motion m = open_motion(model, how, 1);
    assert_int_equal(hol_simulation_record(m.sim), HOL_OK);
    assert_int_equal(hol_simulation_run(m.sim), HOL_OK);
    hol_result *r = hol_simulation_take_result(m.sim);
    assert_non_null(r);
    int total = -1, work = -1;
    for (int i = 0; i < r->n_columns; i++) {
        if (strcmp(r->name[i], "energy.total") == 0) total = i;
        if (strcmp(r->name[i], "energy.work") == 0) work = i;
    }
    assert_true(total >= 0 && work >= 0 && r->n_rows > 50);
    double most = 0, start = r->value[total];
    for (size_t k = 0; k < r->n_rows; k++) {
        const double *row = r->value + k * (size_t)r->n_columns;
        most = fmax(most, fabs(row[total] - row[work] - start));
    }
    hol_result_destroy(r);
    close_motion(&m);
    return most;
}

static void rows_have_the_work_up_to_them(void **state)
{
    static const char *const method[] = {"rk", "adams", "bdf", "rn4", "hht"};
    (void)state;
    for (int i = 0; i < HOL_COUNT(method); i++) {
        // 2.25 J, and of these a tolerance of 1e-4 of all that moves about
        near(method[i],
             worst_row("dimension: 2\nbodies: [{name: s, mass: 2, inertia: 0.01, position: [0.1, 0], "
                       "velocity: [1.5, 0]}]\n"
                       "joints: [{name: rail, type: translational, between: [ground, s],\n"
                       "  limits: {range: [0, 0.4], stiffness: 2e5, restitution: 0.5}}]\n"
                       "simulate: {end: 0.3, output: 0.001, tolerance: 1e-4, signals: [energy]}\n",
                       method[i]),
             0, 2.25e-3);
        near(method[i],
             worst_row("dimension: 2\nbodies: [{name: q, mass: 1, inertia: 0.01, position: [0.1, 0]}]\n"
                       "joints: [{name: slide, type: translational, between: [ground, q]}]\n"
                       "forces: [{name: sp, type: spring-damper, between: [ground, q], stiffness: 1000, "
                       "length: 0.001}]\n"
                       "events: [{name: cut, at: [0.02], off: sp}]\n"
                       "simulate: {end: 0.1, output: 0.001, tolerance: 1e-6, signals: [energy]}\n",
                       method[i]),
             0, 1e-3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_foot_lifts_off), cmocka_unit_test(friction_holds_from_the_start),
        cmocka_unit_test(a_machine_stands), cmocka_unit_test(rows_have_the_work_up_to_them)};
    return cmocka_run_group_tests(tests, start, stop);
}
