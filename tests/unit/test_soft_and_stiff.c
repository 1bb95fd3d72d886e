// Soft motions beside stiff ones: modes, poles, zeros, transfer functions and the verdict on equilibria against closed forms; what is free
// stays free whatever is stiff in it, and what rounding hides is said. docs/theory.md, section 13.6.
#include "modes_of.h"

#include "holonom_analyses.h"
#include "linalg/graded.h"

#include <stdlib.h>
#include <string.h>

// ---- the eigenvalues themselves -------------------------------------------------------------------------------

// [1 b; b 1e12] with b^2 a hundredth of the product: the product of both eigenvalues is 0.99e12, their sum 1e12 + 1.
static void each_eigenvalue_has_its_own_digits(void **state)
{
    const double sum = 1e12 + 1, product = 0.99e12, large = 0.5 * (sum + sqrt(sum * sum - 4 * product));
    double a[] = {1e12, 1e5, 0, 1e5, 1, 0, 0, 0, 0}, values[3], vectors[9];
    (void)state;
    assert_int_equal(hol_graded_eigen(3, a, values, vectors), HOL_OK);
    assert_true(values[0] == 0);
    close_to("small", values[1], product / large, 1e-15);
    close_to("large", values[2], large, 1e-15);
    close_to("vector", fabs(vectors[3]), 1e-7, 1e-9); // b/1e12, but for its square
    assert_true(fabs(vectors[8]) < 1e-300);
}

// Each row and column becomes about 1, but one that no power of 2 brings there.
static void rows_and_columns_become_one(void **state)
{
    double a[] = {1e12, 0, 0, 0, 3e-300, 0, 0, 0, 1e-310}, rows[3], columns[3];
    (void)state;
    hol_graded_equilibrate(3, a, rows, columns);
    for (int i = 0; i < 2; i++) assert_true(a[4 * i] >= 0.5 && a[4 * i] <= 2);
    assert_true(a[8] == 1e-310);
    for (int i = 0; i < 3; i++) assert_true(isfinite(rows[i]) && isfinite(columns[i]));
}

// ---- two masses on a rail -------------------------------------------------------------------------------------

// 1 N/m to ground, k between: s^4 + (2 k + 1) s^2 + k = 0, and zeros of the second mass at s^2 = -(k + 1).
static const char rail[] =
    "dimension: 2\nparameters: {k: 1e12}\nbodies:\n"
    "  - {name: a, mass: 1, inertia: 1, position: [1, 0]}\n"
    "  - {name: b, mass: 1, inertia: 1, position: [2, 0]}\njoints:\n"
    "  - {name: ja, type: translational, bodies: [ground, a], at: [0, 0], axis: [1, 0], stiffness: 1}\n"
    "  - {name: jb, type: translational, bodies: [ground, b], at: [0, 0], axis: [1, 0]}\nforces:\n"
    "  - {name: s, type: spring, between: [a, b], stiffness: k}\n"
    "  - {name: p, type: force, on: b, value: [u, 0]}\ninputs: [{name: u, value: 0, unit: N}]\n"
    "variables: [{name: x, value: jb.stroke}]\n"
    "linearise: {inputs: [u], outputs: [x], coordinates: [ja.stroke, jb.stroke]}\n";

static const char *const stiffnesses[] = {"parameters.k=1e2",  "parameters.k=1e6",  "parameters.k=1e9",
                                          "parameters.k=1e12", "parameters.k=1e14", "parameters.k=1e15"};
static double number(const char *set) { return strtod(strchr(set, '=') + 1, NULL); }

static void a_slow_pair_beside_a_fast_one(void **state)
{
    (void)state;
    for (int i = 0; i < HOL_COUNT(stiffnesses); i++) {
        const double k = number(stiffnesses[i]), b = 2 * k + 1, fast = 0.5 * (b + sqrt(b * b - 4 * k));
        hol_model *model = load_model(rail, &stiffnesses[i], 1);
        hol_modes *m = hol_modes_create(ctx, model, NULL);
        assert_non_null(m);
        assert_int_equal(m->n, 2);
        close_to("slow", m->mode[0].omega, sqrt(k / fast), 1e-9);
        close_to("fast", m->mode[1].omega, sqrt(fast), 1e-9);
        hol_modes_destroy(m);
        hol_model_destroy(model);
    }
}

static void the_transfer_function_beside_a_fast_pair(void **state)
{
    (void)state;
    for (int i = 0; i < HOL_COUNT(stiffnesses); i++) {
        const double k = number(stiffnesses[i]), b = 2 * k + 1, fast = 0.5 * (b + sqrt(b * b - 4 * k)),
                     want[] = {1, 0, b, 0, k};
        int degree, order, n;
        double above[5], below[5], re[4], im[4], out_re, out_im;
        hol_model *model = load_model(rail, &stiffnesses[i], 1);
        hol_linear *l = hol_linear_create(ctx, model, NULL);
        assert_non_null(l);
        assert_int_equal(l->n_x, 4);
        for (int p = 0; p < 4; p++) {
            assert_true(fabs(l->pole_re[p]) <= 1e-9 * fabs(l->pole_im[p]));
            close_to("pole", fabs(l->pole_im[p]), sqrt(p < 2 ? k / fast : fast), 1e-9);
        }
        assert_int_equal(hol_linear_zeros(ctx, l, 0, 0, &n, re, im), HOL_OK);
        assert_int_equal(n, 2);
        close_to("zero", fabs(im[0]), sqrt(k + 1), 1e-9);
        close_to("gain", l->gain[0], (k + 1) / k, 1e-9);
        assert_int_equal(hol_linear_response(ctx, l, 1, (const double[]){0.5}, &out_re, &out_im), HOL_OK);
        close_to("response", out_re, (k + 0.75) / (0.0625 - 0.25 * b + k), 1e-9);
        assert_int_equal(hol_linear_transfer(ctx, l, 0, 0, &degree, &order, above, below), HOL_OK);
        assert_int_equal(degree, 2);
        assert_int_equal(order, 4);
        close_to("numerator", above[2], k + 1, 1e-9);
        for (int c = 0; c <= 4; c += 2) close_to("denominator", below[c], want[c], 1e-9);
        for (int c = 1; c <= 3; c += 2)
            assert_true(fabs(below[c]) <= 1e-12 * sqrt(want[c - 1] * want[c + 1]));
        hol_linear_destroy(l);
        hol_model_destroy(model);
    }
}

// A pendulum of 10 kg with a damper and a sensor of 1 g on a stiff mount that slides across: with its angle and the stroke
// M = [J m; m m], K = [(10 + m) g, m g; m g, k], C = [c 0; 0 0].
static void a_sensor_on_a_pendulum(void **state)
{
    static const char text[] =
        "dimension: 2\ngravity: [0, -9.81]\nbodies:\n"
        "  - {name: rod, mass: 10, inertia: 1, position: [0, -1], markers: {o: [0, 1]}}\n"
        "  - {name: acc, mass: 1e-3, inertia: 1e-9, position: [0, -1]}\njoints:\n"
        "  - {name: h, type: revolute, between: [ground, rod.o], damping: 0.5}\n"
        "  - {name: mount, type: translational, bodies: [rod, acc], at: [0, -1], axis: [1, 0], stiffness: "
        "1e9}\n"
        "inputs: [{name: u, value: 0, unit: N m}]\nforces: [{name: m, type: torque, joint: h, value: u}]\n"
        "variables: [{name: th, value: h.angle}]\n"
        "linearise: {inputs: [u], outputs: [th], coordinates: [h.angle, mount.stroke]}\n";
    const double m = 1e-3, J = 11 + m + 1e-9, g = 9.81, k = 1e9, c = 0.5, lead = J * m - m * m,
                 want[] = {1, c * m / lead, (J * k + m * (10 + m) * g - 2 * m * m * g) / lead, c * k / lead,
                           ((10 + m) * g * k - m * m * g * g) / lead};
    int degree, order;
    double above[5], below[5];
    (void)state;
    hol_modes *modes = modes_of(text);
    assert_int_equal(modes->n, 2);
    assert_int_equal(modes->mode[0].kind, HOL_MODE_OSCILLATION);
    close_to("slow", modes->mode[0].omega, sqrt(want[4] / want[2]), 1e-9); // but for 1e-11 of the fast one
    close_to("damping", -2 * modes->mode[0].re, want[3] / want[2], 1e-9);
    hol_modes_destroy(modes);
    hol_model *model = load_model(text, NULL, 0);
    hol_linear *l = hol_linear_create(ctx, model, NULL);
    assert_non_null(l);
    assert_int_equal(hol_linear_transfer(ctx, l, 0, 0, &degree, &order, above, below), HOL_OK);
    assert_int_equal(order, 4);
    assert_int_equal(degree, 2);
    for (int i = 0; i <= 4; i++) close_to("denominator", below[i], want[i], 1e-9);
    close_to("numerator", above[2], k / lead, 1e-9);
    hol_linear_destroy(l);
    hol_model_destroy(model);
}

// Two masses of 1 kg, held by 1 N/m and 2 N/m, with a damper between them: s^4 + 2 c s^3 + 3 s^2 + 3 c s + 2 = 0. But for 1/c^2 of themselves
// its roots are -2 c, -2/(3 c) and -1/(24 c) +- i sqrt(3/2).
static void slow_decays_beside_a_stiff_damper(void **state)
{
    static const char text[] =
        "dimension: 2\nparameters: {c: 1e6}\nbodies:\n"
        "  - {name: a, mass: 1, inertia: 1, position: [1, 0]}\n"
        "  - {name: b, mass: 1, inertia: 1, position: [2, 0]}\njoints:\n"
        "  - {name: ja, type: translational, bodies: [ground, a], at: [0, 0], axis: [1, 0], stiffness: 1}\n"
        "  - {name: jb, type: translational, bodies: [ground, b], at: [0, 0], axis: [1, 0], stiffness: 2}\n"
        "forces:\n  - {name: s, type: spring, between: [a, b], stiffness: 0, damping: c}\n"
        "  - {name: p, type: force, on: b, value: [u, 0]}\ninputs: [{name: u, value: 0, unit: N}]\n"
        "variables: [{name: x, value: jb.stroke}]\n"
        "linearise: {inputs: [u], outputs: [x], coordinates: [ja.stroke, jb.stroke]}\n";
    static const char *const all[] = {"parameters.c=1e4", "parameters.c=1e5", "parameters.c=1e6"};
    (void)state;
    for (int i = 0; i < HOL_COUNT(all); i++) {
        const double c = number(all[i]);
        hol_model *model = load_model(text, &all[i], 1);
        hol_modes *m = hol_modes_create(ctx, model, NULL);
        assert_non_null(m);
        assert_int_equal(m->n, 3);
        close_to("slow", m->mode[0].re, -2 / (3 * c), 1e-6);
        close_to("damping", m->mode[1].re, -1 / (24 * c), 1e-6);
        close_to("fast", m->mode[2].re, -2 * c, 1e-6);
        hol_modes_destroy(m);
        warning[0] = 0;
        hol_linear *l = hol_linear_create(ctx, model, NULL);
        assert_non_null(l);
        close_to("slow", l->pole_re[0], -2 / (3 * c), 1e-6);
        close_to("damping", l->pole_re[1], -1 / (24 * c), 1e-6);
        close_to("gain", l->gain[0], 0.5, 1e-6);
        assert_int_equal(strstr(warning, "may be told as 0") != NULL, i > 0);
        hol_linear_destroy(l);
        hol_model_destroy(model);
    }
}

// ---- what is free ---------------------------------------------------------------------------------------------

// Five masses anywhere in space with springs of 1e12 N/m between all of them: six motions are free. A spring of 3 N/m from the first to
// ground takes one of them; its frequency is that of a rigid body, omega^2 = k n^T (1/m + ..) n, about sqrt(k/mass) and not 0.
static void rigid_motions_stay_free(void **state)
{
    static const char text[] =
        "dimension: 3\ngravity: [0, 0, 0]\nparameters: {k: 1e12, soft: 0}\nbodies:\n"
        "  - {name: b1, type: point, mass: 1.4, position: [0.41, -0.23, 1.17]}\n"
        "  - {name: b2, type: point, mass: 0.3, position: [-1.31, 0.77, 0.29]}\n"
        "  - {name: b3, type: point, mass: 2.2, position: [0.63, 1.91, -0.37]}\n"
        "  - {name: b4, type: point, mass: 0.9, position: [-0.59, -1.03, -0.83]}\n"
        "  - {name: b5, type: point, mass: 1.7, position: [1.49, 0.07, 0.53]}\nforces:\n"
        "  - {for: i in 2..5, name: 'sa{i}', type: spring, between: [b1, 'b{i}'], stiffness: k}\n"
        "  - {for: i in 3..5, name: 'sb{i}', type: spring, between: [b2, 'b{i}'], stiffness: k}\n"
        "  - {for: i in 4..5, name: 'sc{i}', type: spring, between: [b3, 'b{i}'], stiffness: k}\n"
        "  - {name: d, type: spring, between: [b4, b5], stiffness: k}\n"
        "  - {name: g, type: spring, between: [ground: [4.41, -0.23, 1.17], b1], stiffness: soft}\n";
    static const char *const all[] = {"parameters.k=1e3", "parameters.k=1e6", "parameters.k=1e9",
                                      "parameters.k=1e12"};
    double slow = 0;
    (void)state;
    for (int i = 0; i < HOL_COUNT(all); i++)
        for (int held = 0; held < 2; held++) {
            const char *const set[] = {all[i], held ? "parameters.soft=3" : "parameters.soft=0"};
            int free = 0;
            hol_model *model = load_model(text, set, 2);
            warning[0] = 0;
            hol_modes *m = hol_modes_create(ctx, model, NULL);
            assert_non_null(m);
            assert_int_equal(m->n, 15);
            while (free < m->n && m->mode[free].kind == HOL_MODE_RIGID) free++;
            assert_int_equal(free, 6 - held);
            for (int k = free; k < m->n; k++) assert_int_equal(m->mode[k].kind, HOL_MODE_OSCILLATION);
            // 1e12 N/m and places of 1 m leave 1e-4 N/m in doubles: a frequency of 0.03 rad/s looks like none
            assert_int_equal(strstr(warning, "rounding") != NULL, i == 3);
            if (i == 1) slow = m->mode[free].omega;
            if (i > 1 && held) close_to("slow", m->mode[free].omega, slow, i == 2 ? 1e-6 : 1e-4);
            hol_modes_destroy(m);
            hol_model_destroy(model);
        }
}

// A pendulum of 1 m on a spring: places of 1 m leave k 1e-16 of force, and the swing is that of the force, sqrt(g/L).
static void what_rounding_hides_is_said(void **state)
{
    static const char text[] =
        "dimension: 2\ngravity: [0, -9.81]\nparameters: {k: 1e9}\nbodies:\n"
        "  - {name: m, type: point, mass: 0.13, position: [0.1, -0.8]}\nforces:\n"
        "  - {name: s, type: spring, between: [ground: [0.1, 0.2], m], stiffness: k, length: 1}\n";
    static const char *const all[] = {"parameters.k=1e9", "parameters.k=1e12", "parameters.k=1e15",
                                      "parameters.k=1e17"};
    (void)state;
    for (int i = 0; i < HOL_COUNT(all); i++) {
        hol_model *model = load_model(text, &all[i], 1);
        warning[0] = 0;
        hol_modes *m = hol_modes_create(ctx, model, &(hol_modes_options){.equilibrium = true});
        if (m && i < 2) close_to("swing", m->mode[0].omega, sqrt(9.81), i ? 1e-3 : 1e-6);
        if (m && i < 1) assert_string_equal(warning, "");
        if (m && i > 1) assert_true(strstr(warning, "rounding") != NULL);
        if (!m) assert_true(i > 1);
        hol_modes_destroy(m);
        hol_model_destroy(model);
    }
}

// ---- the verdict ----------------------------------------------------------------------------------------------

// A link of 1 kg and 1 m stands on a bushing, held by a hinge of c N m/rad against m g L = 10 N m: what is left is c - 10, and it falls as
// 1.1 s^2 + 0.1 s + (c - 10) = 0 says.
static void an_upright_link_on_a_bushing(void **state)
{
    static const char text[] =
        "dimension: 2\ngravity: [0, -10]\nparameters: {k: 1e10, c: 9}\nbodies:\n"
        "  - {name: base, mass: 1, inertia: 0.1, position: [0, 0]}\n"
        "  - {name: p, mass: 1, inertia: 0.1, position: [0, 1], markers: {o: [0, -1]}}\njoints:\n"
        "  - {name: h, type: revolute, between: [base, p.o], stiffness: c, damping: 0.1}\nforces:\n"
        "  - {name: b, type: bushing, between: [ground, base], stiffness: [k, k, k], damping: [10, 10, "
        "10]}\n";
    static const char *const soft[] = {"parameters.c=9", "parameters.c=9.99", "parameters.c=10.01",
                                       "parameters.c=11"};
    (void)state;
    for (int i = 3; i < 5; i++) // 1e12, 1e14
        for (int j = 0; j < HOL_COUNT(soft); j++) {
            const char *const set[] = {stiffnesses[i], soft[j]};
            const double left = number(soft[j]) - 10;
            hol_model *model = load_model(text, set, 2);
            warning[0] = 0;
            hol_statics *s = hol_statics_create(ctx, model, &(hol_statics_options){.unstable = true});
            assert_non_null(s);
            const hol_static_point *p = &s->point[0];
            const bool hidden = fabs(left) < 0.1 && i > 3; // k 1e-16 is as large
            assert_int_equal(p->neutral, hidden);
            assert_int_equal(strstr(warning, "nor its sign") != NULL, hidden);
            assert_int_equal(p->negative, left < 0 && !hidden);
            if (!hidden) assert_int_equal(p->stable, left > 0);
            if (!hidden) close_to("stiffness", p->stiffness, left, 1e-6);
            if (left < 0 && i == 3)
                close_to("growth", p->growth, (sqrt(0.01 - 4.4 * left) - 0.1) / 2.2, 1e-6);
            if (left > 0) assert_true(p->growth == 0);
            hol_statics_destroy(s);
            hol_model_destroy(model);
        }
}

// A box that lies on its bottom stays, however it was tilted before; along the floor and about the vertical nothing holds it but friction.
// One that has fallen down is held by bristles that are stretched to their limits, and its stiffness has no symmetric matrix to count by.
static void a_box_on_the_floor_stays(void **state)
{
    static const char text[] =
        "dimension: 3\ngravity: [0, 0, -10]\nparameters: {z: 0.5, an: 0.2}\n"
        "ground: {shape: {name: floor, type: halfspace}}\nbodies:\n"
        "  - {name: box, mass: 2, inertia: [0.1, 0.12, 0.15], position: [0, 0, z], "
        "orientation: {axis: [1, 0.5, 0], angle: an}, shape: {type: box, size: [1, 0.8, 0.5]}}\ncontacts:\n"
        "  - {name: c, between: [box, ground.floor], law: power, exponent: 1, stiffness: 1e5, damping: 1, "
        "friction: {coefficient: 0.5, law: stick}}\n";
    static const char *const set[][2] = {{"parameters.z=0.5", "parameters.an=0.2"},
                                         {"parameters.z=0.25", "parameters.an=0"},
                                         {"parameters.z=0.3", "parameters.an=0.1"}};
    (void)state;
    for (int i = 0; i < HOL_COUNT(set); i++) {
        hol_model *model = load_model(text, set[i], 2);
        hol_statics *s = hol_statics_create(ctx, model, NULL);
        if (!s) print_error("%s\n", hol_context_error(ctx));
        assert_non_null(s);
        assert_true(s->point[0].stable);
        assert_int_equal(s->point[0].negative, 0);
        const bool drawn_flat = i == 1;
        if (drawn_flat) assert_int_equal(s->point[0].neutral, 3);
        hol_statics_destroy(s);
        hol_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_eigenvalue_has_its_own_digits),
        cmocka_unit_test(rows_and_columns_become_one),
        cmocka_unit_test(a_slow_pair_beside_a_fast_one),
        cmocka_unit_test(the_transfer_function_beside_a_fast_pair),
        cmocka_unit_test(a_sensor_on_a_pendulum),
        cmocka_unit_test(slow_decays_beside_a_stiff_damper),
        cmocka_unit_test(rigid_motions_stay_free),
        cmocka_unit_test(what_rounding_hides_is_said),
        cmocka_unit_test(an_upright_link_on_a_bushing),
        cmocka_unit_test(a_box_on_the_floor_stays),
    };
    return cmocka_run_group_tests(tests, start_listening, stop);
}
