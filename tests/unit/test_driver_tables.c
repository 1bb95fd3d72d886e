// Drivers by tables: angle, rate, second derivative and torque of a pendulum that a table of angles drives, by every method that takes it. The
// numbers come from splines of another program in 30 digits, and torque = J q'' + m g l sin q with J about the hinge; they agree with a
// library to 5e-14.
#include "harness.h"

#include "integrator/integrator.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 7 };
#define LARGEST 20 // of the torques [N m]

static const struct {
    const char *kind;
    double row[ROWS][5]; // t, q, q', q'', torque
} tables[] = {{"cubic",
               {{0.05, 0.01962498069488294, 0.4068329987113043, 0.8600030888187294, 0.833012605691695},
                {0.3, 0.1948149292155085, 1.213778944664853, 6.248883397655592, 6.653100626166693},
                {0.61, 0.9975253192876475, 4.138275550058696, 8.368751197339227, 15.74815190052368},
                {0.85, 2.154277305030977, 5.147176473666132, -0.3802048916423823, 9.558178311544059},
                {1.2, 3.68461980945533, 3.09879088781596, -9.230990472766493, -12.54463947798516},
                {1.44, 4.129475532150299, 0.542118993787761, -8.510339694105673, -15.78523869774818},
                {1.9, 4.05387018859517, -0.5188100621223898, -0.5967547148792449, -9.728197429464928}}},
              {"akima",
               {{0.05, 0.004947916666666667, 0.2690972222222222, 6.319444444444444, 4.481857748445908},
                {0.3, 0.2041785375118708, 1.247863247863248, 5.185185185185185, 6.016553657788342},
                {0.61, 1.001351923076923, 4.211346153846154, 7.269230769230769, 15.00284774052814},
                {0.85, 2.154120879120879, 5.258241758241758, -0.3663003663003663, 9.568925871095665},
                {1.2, 3.660714285714286, 3.089285714285714, -8.035714285714286, -11.46529734983872},
                {1.44, 4.136103896103896, 0.6082251082251082, -13.85281385281385, -19.56770618673571},
                {1.9, 4.05870303030303, -0.4823030303030303, -1.92969696969697, -10.69596310721278}}}};

// value: of the driver.
static void pendulum(char text[1500], const char *kind, const char *value)
{
    snprintf(
        text, 1500,
        "dimension: 2\ngravity: [0, -9.81]\nparameters: {l: 0.4, m: 3, J: 0.7}\n"
        "splines:\n  - {name: s, kind: %s, x: [0, 0.2, 0.5, 0.7, 1, 1.4, 1.5, 2], y: [0, 0.1, 0.6, 1.4, 2.9, "
        "4.1, "
        "4.15, 4]}\n"
        "  - {name: degrees, kind: %s, x: [0, 200, 500, 700, 1000, 1400, 1500, 2000], y: [0, 0.1, 0.6, 1.4, "
        "2.9, 4.1, "
        "4.15, 4], units: {x: ms, y: rad}}\n"
        "bodies:\n  - {name: rod, mass: m, inertia: J - m*l^2, position: [0, -l], markers: {top: [0, l]}}\n"
        "joints:\n  - {name: hinge, type: revolute, between: [ground, rod.top]}\n"
        "drivers:\n  - {name: drive, type: angle, joint: hinge, value: \"%s\"}\n",
        kind, kind, value);
}

// Runs to each of the times, and compares by ten times the tolerance, the torque by its natural size.
static void compare(const char *text, int table, const char *method, double tolerance)
{
    for (int i = 0; i < ROWS; i++) {
        const double *want = tables[table].row[i];
        char end[60], name[60], accuracy[60], what[120];
        const char *set[] = {end, name, accuracy};
        snprintf(end, sizeof end, "simulate.end=%g", want[0]);
        snprintf(name, sizeof name, "simulate.method=%s", method);
        snprintf(accuracy, sizeof accuracy, "simulate.tolerance=%g", tolerance);
        snprintf(what, sizeof what, "%s, %s, %g, t = %g", tables[table].kind, method, tolerance, want[0]);
        motion a = move(text, set, 3);
        if (a.end) fail_msg("%s: %s", what, hol_context_error(ctx));
        near(what, value_of(&a, "rod.theta"), want[1], 10 * tolerance);
        near(what, value_of(&a, "rod.omega"), want[2], 10 * tolerance);
        near(what, fabs(value_of(&a, "drive.T")), fabs(want[4]), 10 * tolerance * LARGEST);
        close_motion(&a);
    }
}

// newmark is of order 1 and srm holds a driver by a stiff regularisation: both take 1e6 steps for less than 1e-4.
static void every_method(void **state)
{
    (void)state;
    char text[1500];
    int n = 0;
    for (int k = 0; k < HOL_COUNT(tables); k++) {
        pendulum(text, tables[k].kind, "spline(time, s)");
        for (const hol_method *const *m = hol_methods; *m; m++) {
            const bool slow = strcmp((*m)->name, "newmark") == 0 || strcmp((*m)->name, "srm") == 0;
            if ((*m)->teaching || slow || !in_sample(n++, 1, 4)) continue;
            compare(text, k, (*m)->name, 1e-4);
            compare(text, k, (*m)->name, 1e-6);
        }
        compare(text, k, "rk", 1e-9);
        compare(text, k, "rn4", 1e-9);
        compare(text, k, "bdf", 1e-9);
        compare(text, k, "adams", 1e-9);
    }
    assert_true(n >= 9);
}

// The same table in milliseconds, joined by the function's name, times a parameter and a function of time beside it.
static void tables_with_units_and_more(void **state)
{
    (void)state;
    static const char *const values[] = {"spline(time, degrees)", "cubspl(time, 0, s)", "2*spline(time, s)/2",
                                         "spline(time, s) + 0*sin(time)"};
    char text[1500];
    for (int i = 0; i < HOL_COUNT(values); i++) {
        pendulum(text, "cubic", values[i]);
        compare(text, 0, "rk", 1e-7);
    }
}

// Straight lines have corners, which no force can follow; a stroke and a moving marker take tables too.
static void others(void **state)
{
    (void)state;
    char text[1500];
    pendulum(text, "linear", "spline(time, s)");
    hol_model *m =
        hol_model_parse(ctx, "model.yaml", text, strlen(text), (const char *const[]){"simulate.end=1"}, 1);
    assert_non_null(m);
    assert_null(hol_simulation_create(ctx, m));
    expect_message("a motion that no force can make; ");
    hol_model_destroy(m);
    motion a;
    static const char slide[] =
        "dimension: 2\nsplines: [{name: s, kind: cubic, x: [0, 1, 2], y: [0, 1, 0]}]\n"
        "ground: {markers: {table: {motion: {y: \"spline(time, s)\"}}}}\n"
        "bodies: [{name: a, mass: 1, inertia: 1}]\n"
        "joints: [{name: j, type: translational, between: [ground.table, a]}]\n"
        "drivers: [{name: d, type: stroke, joint: j, value: \"3*spline(time, s)\"}]\nsimulate: {end: 0.5}\n";
    a = move(slide, NULL, 0); // natural cubic through 0, 1, 0: 1.5 t - 0.5 t^3
    near("stroke", value_of(&a, "a.x"), 3 * (0.75 - 0.0625), 1e-9);
    near("marker", value_of(&a, "a.y"), 0.75 - 0.0625, 1e-9);
    close_motion(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method),
        cmocka_unit_test(tables_with_units_and_more),
        cmocka_unit_test(others),
    };
    return cmocka_run_group_tests_name("driver_tables", tests, start, stop);
}
