// Loops whose equations depend on each other but for the digits of their numbers: what redundant ones leave open at a start, and those
// that are independent by digits alone.
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// A parallelogram in space with axes along z: six equations of each of four hinges hold nine that a plane one has, 3 are redundant. The
// second ground hinge lies higher by `rise`, and the coupler's hinge is askew by `tilt`.
static void make(char *text, size_t size, double rise, double tilt)
{
    snprintf(
        text, size,
        "dimension: 3\ngravity: [0, -9.81, 0]\nbodies:\n"
        "  - {name: crank, mass: 1, inertia: [0.1, 0.1, 0.1], com: [0.5, 0, 0], markers: {b: {position: [1, "
        "0, 0], orientation: {axis: [0.8, 0.6, 0], angle: %.17g}}}, "
        "orientation: {x: [0.6, 0.8, 0], z: [0, 0, 1]}}\n"
        "  - {name: coupler, mass: 1, inertia: [0.1, 0.1, 0.1], com: [1, 0, 0], position: [0.6, 0.8, 0],\n"
        "     markers: {b: {position: [0, 0, 0], orientation: {axis: [0, 1, 0], angle: %.17g}}, c: [2, 0, "
        "0]}}\n"
        "  - {name: rocker, mass: 1, inertia: [0.1, 0.1, 0.1], com: [0.5, 0, 0], position: [2, 0, 0], "
        "markers: {c: "
        "[1, 0, 0]}, orientation: {x: [0.6, 0.8, 0], z: [0, 0, 1]}}\n"
        "joints:\n  - {name: A, type: revolute, between: [ground, crank]}\n"
        "  - {name: B, type: revolute, between: [crank.b, coupler.b]}\n"
        "  - {name: C, type: revolute, between: [coupler.c, rocker.c]}\n"
        "  - {name: D, type: revolute, between: [ground: [2, 0, %.17g], rocker]}\n"
        "simulate: {end: 0.3, tolerance: 1e-5}\n",
        tilt, tilt, rise);
}

// phi'' = -k cos phi by energy: T = (0.35 + 0.35 + 1)/2 phi'^2, V = 9.81 (0.5 + 0.5 + 1) sin phi; steps of Runge and Kutta.
static double angle_after(double end)
{
    enum { STEPS = 2000 };
    const double k = 9.81 * 2 / 1.7, h = end / STEPS;
    double u[2] = {atan2(0.8, 0.6), 0};
    for (int i = 0; i < STEPS; i++) {
        double d[4][2], at[2];
        for (int s = 0; s < 4; s++) {
            const double part = s == 0 ? 0 : s == 3 ? h : h / 2;
            for (int j = 0; j < 2; j++) at[j] = u[j] + (s ? part * d[s - 1][j] : 0);
            d[s][0] = at[1];
            d[s][1] = -k * cos(at[0]);
        }
        for (int j = 0; j < 2; j++) u[j] += h / 6 * (d[0][j] + 2 * d[1][j] + 2 * d[2][j] + d[3][j]);
    }
    return u[0];
}

static void what_redundant_equations_leave_open_is_told(void **state)
{
    (void)state;
    char text[2000];
    const double want = angle_after(0.3);
    static const char *const methods[] = {"simulate.method=rk", "simulate.method=hht", "simulate.method=bdf",
                                          "simulate.method=joint_bdf"};
    for (int k = 0; k < HOL_COUNT(methods); k++) {
        make(text, sizeof text, 4e-11, 0);
        hol_context_clear(ctx);
        motion m = move(text, (const char *[]){methods[k], "simulate.signals=A.angle"}, 2);
        if (m.end) fail_msg("%s: %s", methods[k], hol_context_error(ctx));
        near(methods[k], value_of(&m, "A.angle"), want, 1e-4);
        hol_check *check = hol_check_create(ctx, m.model);
        assert_non_null(check);
        assert_int_equal(check->degrees_of_freedom, 1);
        assert_int_equal(check->n_redundant, 3);
        hol_check_destroy(check);
        close_motion(&m);
    }
    // a gap that is no rounding is refused, and so is one of equations that are independent: links in line that do not reach
    make(text, sizeof text, 1e-7, 0);
    hol_model *m = load_model(text, NULL, 0);
    assert_null(hol_simulation_create(ctx, m));
    expect_message("the joints cannot be closed");
    hol_model_destroy(m);
    m = load_model("dimension: 2\nbodies:\n  - {name: a, mass: 1, inertia: 1, markers: {b: [1, 0]}}\n"
                   "  - {name: b, mass: 1, inertia: 1, position: [1, 0], markers: {c: [1, 0]}}\n"
                   "joints:\n  - {name: A, type: revolute, between: [ground, a]}\n  - {name: B, type: "
                   "revolute, between: [a.b, b]}\n"
                   "  - {name: C, type: revolute, between: [ground: [2.0000000004, 0], b.c]}\n"
                   "simulate: {end: 1}\n",
                   NULL, 0);
    assert_null(hol_simulation_create(ctx, m));
    expect_message("the joints cannot be closed");
    hol_model_destroy(m);
}

static bool warns(const char *text, const char *words)
{
    hol_model *m = load_model(text, NULL, 0);
    hol_check *check = hol_check_create(ctx, m);
    bool found = false;
    assert_non_null(check);
    for (int i = 0; i < check->n_warnings; i++)
        found =
            found || (strcmp(check->warning[i].name, "nearly") == 0 && strstr(check->warning[i].text, words));
    hol_check_destroy(check);
    hol_model_destroy(m);
    return found;
}

static void equations_that_digits_make_independent_are_told(void **state)
{
    (void)state;
    char text[2000];
    static const struct {
        double tilt;
        bool told;
    } cases[] = {{0, false}, {1e-12, false}, {1e-6, true}, {1e-5, true}, {1e-2, false}};
    for (int k = 0; k < HOL_COUNT(cases); k++) {
        make(text, sizeof text, 0, cases[k].tilt);
        if (warns(text, "take 1 degree of freedom") != cases[k].told) fail_msg("tilt %g", cases[k].tilt);
    }
    make(text, sizeof text, 0, 1e-8); // no matrix has so many digits
    hol_model *m = load_model(text, NULL, 0);
    assert_null(hol_check_create(ctx, m));
    expect_message(
        "take 1 degree of freedom. Write directions and angles of the joints there with ten digits");
    hol_model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_redundant_equations_leave_open_is_told),
        cmocka_unit_test(equations_that_digits_make_independent_are_told),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
