// Which inertia tensors a body may have: random ones, discs and needles in any direction and of any size, and those of no body.
#include "harness.h"
#include "integrator/integrator.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define BODIES (goes_far() ? 4000 : few() ? 200 : 1000)

static const char free_body[] =
    "dimension: 3\n"
    "gravity: [0, 0, 0]\n"
    "bodies: [{name: b, mass: 1, inertia: [%.17g, %.17g, %.17g, %.17g, %.17g, %.17g]}]\n"
    "simulate: {end: 1}\n";

// R diag(moment) R^T of a random rotation R, as Ixx, Iyy, Izz, Ixy, Ixz, Iyz.
static void turned(hol_random *dice, const double moment[3], double I[6])
{
    double p[4], n = 0;
    for (int i = 0; i < 4; i++) p[i] = random_in(dice, -1, 1), n += p[i] * p[i];
    for (int i = 0; i < 4; i++) p[i] /= sqrt(n);
    const double w = p[0], x = p[1], y = p[2], z = p[3];
    const double R[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                            {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                            {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    static const int at[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    for (int k = 0; k < 6; k++) {
        I[k] = 0;
        for (int i = 0; i < 3; i++) I[k] += R[at[k][0]][i] * moment[i] * R[at[k][1]][i];
    }
}

static hol_model *with_inertia(const double I[6])
{
    char text[400];
    snprintf(text, sizeof text, free_body, I[0], I[1], I[2], I[3], I[4], I[5]);
    return hol_model_parse(ctx, "b", text, strlen(text), NULL, 0);
}

static int refused(const char *what, const double moment[3], const double I[6])
{
    hol_model *m = with_inertia(I);
    const int bad = m == NULL;
    if (bad) print_error("%s %g %g %g: %s\n", what, moment[0], moment[1], moment[2], hol_context_error(ctx));
    hol_model_destroy(m);
    return bad;
}

// Moments of bodies made of mass: a = y + z, b = x + z, c = x + y with x, y, z >= 0. With one of these 0 a disc, with two a
// needle; a ball and other bodies of revolution have equal ones.
static void bodies_that_exist_are_taken(void **state)
{
    (void)state;
    hol_random dice = {22};
    int failed = 0;
    for (int i = 0; i < BODIES; i++) {
        const double size = pow(10, random_in(&dice, -12, 12));
        double s[3], moment[3], I[6];
        for (int k = 0; k < 3; k++) s[k] = size * random_in(&dice, 0, 1);
        if (i % 4 == 1) s[i % 3] = 0;
        if (i % 4 == 2) s[i % 3] = s[(i + 1) % 3] = 0;
        if (i % 4 == 3) s[i % 3] = s[(i + 1) % 3] = 1e-10 * s[(i + 2) % 3];
        if (i % 8 == 0) s[1] = s[2] = s[0];
        for (int k = 0; k < 3; k++) moment[k] = s[(k + 1) % 3] + s[(k + 2) % 3];
        turned(&dice, moment, I);
        failed += refused("turned", moment, I);
        const double straight[6] = {moment[0], moment[1], moment[2], 0, 0, 0};
        failed += refused("straight", moment, straight);
    }
    assert_int_equal(failed, 0);
}

static void bodies_that_do_not_exist_are_refused(void **state)
{
    (void)state;
    hol_random dice = {23};
    for (int i = 0; i < BODIES / 2; i++) {
        const double size = pow(10, random_in(&dice, -12, 12)), a = size * random_in(&dice, 0, 1),
                     b = size * random_in(&dice, 0, 1);
        const double moment[3] = {a, b, i % 2 ? (a + b) * (1 + 1e-7) : -1e-7 * fmax(a, b)};
        const double straight[6] = {moment[0], moment[1], moment[2], 0, 0, 0};
        double I[6];
        turned(&dice, moment, I);
        assert_null(with_inertia(I));
        expect_message(i % 2 ? "breaks the triangle inequality" : "not positive");
        assert_null(with_inertia(straight));
    }
}

// A rod of mass 1 and length 1 with its centre of mass at x that swings about the origin under gravity.
static void swing(double x, const char *joint, const char *inertia, const char *method, hol_status *st,
                  double *z)
{
    char text[600];
    snprintf(text, sizeof text,
             "dimension: 3\n"
             "gravity: [0, 0, -9.81]\n"
             "bodies: [{name: rod, mass: 1, inertia: %s, position: [%g, 0, 0]}]\n"
             "joints: [{name: j, %s, bodies: [ground, rod], at: [0, 0, 0]}]\n"
             "simulate: {end: 1, step: 1e-3, method: %s}\n",
             inertia, x, joint, method);
    hol_model *m = hol_model_parse(ctx, "rod", text, strlen(text), NULL, 0);
    hol_simulation *sim = m ? hol_simulation_create(ctx, m) : NULL;
    *st = sim ? hol_simulation_run(sim) : hol_context_status(ctx);
    *z = sim && !*st ? signal_value(sim, "rod.z") : (double)NAN;
    hol_simulation_destroy(sim);
    hol_model_destroy(m);
}

// phi'' = 1.5 g cos phi for the angle below the horizontal, by the classical Runge-Kutta method.
static double height_of_the_rod(double t)
{
    enum { STEPS = 20000 };
    const double h = t / STEPS, c = 1.5 * 9.81;
    double x = 0, v = 0;
    for (int i = 0; i < STEPS; i++) {
        const double a1 = c * cos(x), v2 = v + h / 2 * a1, a2 = c * cos(x + h / 2 * v), v3 = v + h / 2 * a2,
                     a3 = c * cos(x + h / 2 * v2), v4 = v + h * a3, a4 = c * cos(x + h * v3);
        x += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
        v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
    return -0.5 * sin(x);
}

static void a_needle_swings_where_its_spin_is_held(void **state)
{
    (void)state;
    static const char *const methods[] = {"hht", "genalpha", "rk", "rn4", "ros2w", "tangent"};
    static const char *const joints[] = {"type: universal, axis: [0, 1, 0], axis2: [0, 0, 1]",
                                         "type: revolute, axis: [0, 1, 0]"};
    for (int m = 0; m < (int)(sizeof methods / sizeof *methods); m++)
        for (int j = 0; j < 2; j++) {
            hol_status st;
            double z;
            swing(0.5, joints[j], "[0, 1/12, 1/12]", methods[m], &st, &z);
            if (st) print_error("%s, %s: %s\n", methods[m], joints[j], hol_context_error(ctx));
            assert_int_equal(st, HOL_OK);
            near(methods[m], z, height_of_the_rod(1), 1e-4); // of order 2 with steps of 1e-3
        }
}

static void a_needle_that_may_spin_is_refused_by_its_axis(void **state)
{
    (void)state;
    hol_status st;
    double z;
    swing(0.5, "type: spherical", "[0, 1/12, 1/12]", "hht", &st, &z);
    assert_int_equal(st, HOL_ERR_MODEL);
    expect_message("bodies.rod: its moment of inertia is 0 about the axis [1, 0, 0] of the body");
    swing(0, "type: spherical", "[1/24, 1/24, 1/12, -1/24, 0, 0]", "rk", &st, &z); // the line x = y
    assert_int_equal(st, HOL_ERR_MODEL);
    expect_message("its moment of inertia is 0 about the axis [0.7071, 0.7071, 0] of the body");
    hol_random dice = {24};
    for (int i = 0; i < BODIES / 40; i++) { // moments of rounding
        char inertia[200];
        double I[6];
        turned(&dice, (const double[3]){0, 1, 1}, I);
        snprintf(inertia, sizeof inertia, "[%.17g, %.17g, %.17g, %.17g, %.17g, %.17g]", I[0], I[1], I[2],
                 I[3], I[4], I[5]);
        swing(0, "type: spherical", inertia, i % 2 ? "hht" : "rk", &st, &z);
        assert_int_equal(st, HOL_ERR_MODEL);
        expect_message("its moment of inertia is 0 about the axis");
    }
}

#define HANGS(mass, rest, joints)                                                                            \
    "dimension: 3\ngravity: [0, 0, -9.81]\nlength_scale: 1\nparameters: {I: 1e-20}\nbodies:\n"               \
    "  - {name: a, mass: " mass ", inertia: [I, I, I], position: [1, 0, 0]}\n" rest                          \
    "joints:\n  - {name: j, bodies: [ground, a], at: [0, 0, 0], " joints                                     \
    "simulate: {method: hht, end: 0.1}\n"

// It falls as a point at the end of a rod of 1 m does, theta'' = g cos(theta): after 0.1 s by 0.0490264 m (by quadrature).
static void falls_as_a_point(const char *text, const char *way)
{
    motion a = move(text, &way, 1);
    assert_int_equal(a.end, HOL_OK);
    near(way, value_of(&a, "a.z"), -0.0490264, 1e-6);
    close_motion(&a);
}

// A moment of inertia that rounding of the mass covers is no matter where a joint says how the body turns. Where the equations do not tell it, it
// is refused by name; both ways out that the message names work.
static void a_moment_lost_beside_the_mass_is_no_matter_or_named(void **state)
{
    static const char hinged[] = HANGS("1", "", "type: revolute, axis: [0, 1, 0]}\n"),
                      strung[] = HANGS("1e11", "  - {name: b, mass: 1, inertia: 1, position: [3, 0.5, 0]}\n",
                                       "type: spherical}\n"
                                       "  - {name: k, bodies: [a, b], at: [2, 0.3, 0], type: spherical}\n");
    (void)state;
    falls_as_a_point(hinged, "parameters.I=1e-20");
    falls_as_a_point(hinged, "parameters.I=0");
    hol_model *m = load_model(strung, NULL, 0);
    assert_null(hol_simulation_create(ctx, m));
    expect_message("bodies.a: its inertia of 1e-20 kg m^2 is lost beside its mass");
    expect_message("give it 0.1 kg m^2 or more, or 0");
    hol_model_destroy(m);
    falls_as_a_point(strung, "parameters.I=0");
    falls_as_a_point(strung, "parameters.I=0.1");
}

static int warnings;

static void count_warnings(void *user, hol_severity severity, const char *text)
{
    (void)user;
    warnings += severity == HOL_WARNING && strstr(text, "breaks the triangle inequality") != NULL;
}

// Euler's equations of a free body, moment w' = .., by Runge and Kutta's method of order 4: the speed of turning at time 1.
static double speed_of_turning(const double moment[3], double w[3])
{
    const int steps = 2000;
    for (int n = 0; n < steps; n++) {
        double k[4][3], at[3];
        for (int s = 0; s < 4; s++) {
            const double part = s == 0 ? 0 : s == 3 ? 1 : 0.5;
            for (int i = 0; i < 3; i++) at[i] = w[i] + (s ? part / steps * k[s - 1][i] : 0);
            for (int i = 0; i < 3; i++) {
                const int a = (i + 1) % 3, b = (i + 2) % 3;
                k[s][i] = (moment[a] - moment[b]) * at[a] * at[b] / moment[i];
            }
        }
        for (int i = 0; i < 3; i++) w[i] += (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]) / (6 * steps);
    }
    return sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
}

// 1 + 2 < 4: refused, but for `inertia_check: warn`, by which it moves as Euler's equations say; a negative moment is refused in any case.
static void a_tensor_that_no_body_has_moves_as_it_is_given(void **state)
{
    (void)state;
    static const char text[] = "dimension: 3\ngravity: [0, 0, 0]\nbodies: [{name: b, mass: 1, inertia: [%g, "
                               "2, 4], inertia_check: %s, "
                               "omega: [1, 2, 0.5]}]\nsimulate: {end: 1, method: rk, tolerance: 1e-10}\n";
    char model[400];
    snprintf(model, sizeof model, text, 1.0, "error");
    assert_null(hol_model_parse(ctx, "b", model, strlen(model), NULL, 0));
    expect_message("Ixx + Iyy < Izz breaks the triangle inequality");
    snprintf(model, sizeof model, text, -1.0, "warn");
    assert_null(hol_model_parse(ctx, "b", model, strlen(model), NULL, 0));
    expect_message("not positive");
    snprintf(model, sizeof model, text, 1.0, "warn");
    warnings = 0;
    hol_context_set_log(ctx, count_warnings, NULL);
    hol_model *m = hol_model_parse(ctx, "b", model, strlen(model), NULL, 0);
    hol_context_set_log(ctx, NULL, NULL);
    assert_non_null(m);
    assert_int_equal(warnings, 1);
    hol_simulation *sim = hol_simulation_create(ctx, m);
    assert_non_null(sim);
    assert_int_equal(hol_simulation_run(sim), HOL_OK);
    double speed = 0, w[3] = {1, 2, 0.5};
    for (int i = 0; i < 3; i++) {
        const char *const names[] = {"b.wx", "b.wy", "b.wz"};
        const double v = hol_simulation_values(sim)[hol_simulation_find_signal(sim, names[i])];
        speed += v * v;
    }
    near("speed of turning", sqrt(speed), speed_of_turning((const double[]){1, 2, 4}, w), 1e-8);
    hol_simulation_destroy(sim);
    hol_model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_moment_lost_beside_the_mass_is_no_matter_or_named),
                                       cmocka_unit_test(bodies_that_exist_are_taken),
                                       cmocka_unit_test(bodies_that_do_not_exist_are_refused),
                                       cmocka_unit_test(a_needle_swings_where_its_spin_is_held),
                                       cmocka_unit_test(a_needle_that_may_spin_is_refused_by_its_axis),
                                       cmocka_unit_test(a_tensor_that_no_body_has_moves_as_it_is_given)};
    return cmocka_run_group_tests(tests, start, stop);
}
