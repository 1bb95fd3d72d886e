// An input beside masses of any size: the unknown of its equation hides none of them. docs/theory.md, section 5.2.
#include "at_rest.h"
#include "modes_of.h"

#include <math.h>
#include <stdio.h>

// A rod on a pivot, and a point on a spring at its tip, with a torque that is an input, 0; all lengths times L, all masses times m.
static void build(double L, double m, char text[2000])
{
    snprintf(
        text, 2000,
        "dimension: 2\ngravity: [0, -9.81]\ninputs: [{name: u, unit: N m}]\nbodies:\n"
        "  - {name: rod, mass: %.17g, inertia: %.17g, position: [%.17g, %.17g], angle: -0.6, markers: {top: "
        "[%.17g, 0], tip: [%.17g, 0]}}\n"
        "  - {name: b, type: point, mass: %.17g, position: [%.17g, %.17g]}\n"
        "joints: [{name: pivot, type: revolute, between: [ground, rod.top]}]\nforces:\n"
        "  - {name: s, type: spring-damper, between: [rod.tip, b], stiffness: %.17g, length: %.17g}\n"
        "  - {name: t, type: torque, joint: pivot, value: u}\n"
        "linearise: {inputs: [u], outputs: [AZ(rod)]}\nsimulate: {end: %.17g}\n",
        m, 0.15 * m * L * L, 0.41 * L, -0.28 * L, -0.5 * L, 0.5 * L, 0.5 * m, L, -0.8 * L, 98.1 * m / L,
        0.3 * L, 3 * sqrt(L / 9.81));
}

// Motions are those of 1 m and 1 kg in times by sqrt(L): modes, poles, the pose at rest, and where a run ends.
static void motions_are_similar(void **state)
{
    static const double rows[][2] = {{1, 1},    {1e-3, 1e-9}, {1e-4, 1e-9}, {1e-5, 1e-12}, {1e-6, 1e-12},
                                     {1e-6, 1}, {1, 1e-12},   {1, 1e-16},   {1, 1e-20},    {1e-2, 1e-12}};
    double omega[3], last = 0;
    char text[2000];
    (void)state;
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        const double L = rows[i][0];
        hol_model *model;
        build(L, rows[i][1], text);
        hol_statics *s = at_rest(text, NULL, 0, NULL, &model);
        near("rod.theta", value(s, "rod.theta"), -HOL_PI / 2, 1e-9);
        leave(s, model);
        hol_modes *m = modes_with(text, &(hol_modes_options){.equilibrium = true});
        assert_int_equal(m->n, 3);
        for (int k = 0; k < 3; k++) {
            const double scaled = m->mode[k].omega * sqrt(L);
            if (i == 0) omega[k] = scaled;
            close_to("omega", scaled, omega[k], 1e-10);
        }
        hol_modes_destroy(m);
        model = load_model(text, NULL, 0);
        hol_linear *l = hol_linear_create(ctx, model, &(hol_linear_options){.equilibrium = true});
        if (!l) fail_msg("%s", hol_context_error(ctx));
        double slowest = HOL_INF;
        for (int k = 0; k < l->n_x; k++) slowest = fmin(slowest, hypot(l->pole_re[k], l->pole_im[k]));
        close_to("pole", slowest * sqrt(L), omega[0], 1e-9);
        hol_linear_destroy(l);
        hol_model_destroy(model);
        motion run = move(text, NULL, 0);
        if (i == 0) last = value_of(&run, "rod.theta");
        near("rod.theta at the end", value_of(&run, "rod.theta"), last, 1e-4);
        close_motion(&run);
    }
}

// A physical pendulum of 1e-6 m and 1e-15 kg: omega^2 = m g l/(J + m l^2).
static void a_pendulum_of_a_micrometre(void **state)
{
    static const char text[] =
        "dimension: 2\ngravity: [0, -9.81]\ninputs: [{name: u}]\nbodies:\n"
        "  - {name: rod, mass: 1e-15, inertia: 1.5e-28, position: [0, -5e-7], angle: -90 deg, markers: {top: "
        "[-5e-7, 0], tip: [5e-7, 0]}}\n"
        "joints: [{name: pivot, type: revolute, between: [ground, rod.top]}]\n"
        "forces: [{name: t, type: torque, joint: pivot, value: u}]\n";
    (void)state;
    hol_modes *m = modes_of(text);
    assert_int_equal(m->n, 1);
    close_to("omega", m->mode[0].omega, sqrt(1e-15 * 9.81 * 5e-7 / (1.5e-28 + 1e-15 * 25e-14)), 1e-9);
    hol_modes_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(motions_are_similar),
                                       cmocka_unit_test(a_pendulum_of_a_micrometre)};
    return cmocka_run_group_tests(tests, start_listening, stop);
}
