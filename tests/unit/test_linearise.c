// Linearised motions with inputs and outputs against closed forms: matrices, drivers that are moved, coordinates that close and such that do
// not, zeros, gains and responses; what a call refuses. docs/theory.md, section 22.
#include "harness.h"

#include "holonom_analyses.h"
#include "linalg/state_space.h"

#include <math.h>
#include <matio.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static hol_linear *linear_of(const char *text, const hol_linear_options *o, const char *const *set, int n)
{
    hol_model *model = load_model(text, set, n);
    hol_linear *l = hol_linear_create(ctx, model, o);
    if (!l) print_error("%s\n", hol_context_error(ctx));
    assert_non_null(l);
    hol_model_destroy(model);
    return l;
}

static void refused(const char *text, const char *setting, const char *words)
{
    hol_model *model = load_model(text, &setting, setting != NULL);
    assert_null(hol_linear_create(ctx, model, NULL));
    expect_message(words);
    hol_model_destroy(model);
}

static double A(const hol_linear *l, int i, int j) { return l->A[j * l->n_x + i]; }
static double B(const hol_linear *l, int i, int j) { return l->B[j * l->n_x + i]; }
static double C(const hol_linear *l, int i, int j) { return l->C[j * l->n_y + i]; }
static double D(const hol_linear *l, int i, int j) { return l->D[j * l->n_y + i]; }

// ---- inputs of the model --------------------------------------------------------------------------------------

// m x'' = F + k X - d x' - c x with X' = (F - X)/tau: outputs of positions, velocities, accelerations, reactions, states, inputs, time.
static const char carriage[] =
    "dimension: 2\nbodies:\n  - {name: cart, mass: 2, inertia: 1, position: [0.3, 0], velocity: [0.1, 0]}\n"
    "joints:\n  - {name: rail, type: translational, between: [ground, cart]}\n"
    "inputs:\n  - {name: F, value: 0.7, unit: N}\n  - {name: G, value: 0.2}\n"
    "states:\n  - {name: X, rate: (F - X)/0.05, initial: 0.4}\n"
    "variables:\n  - {name: pull, value: F + 3*X}\n"
    "forces:\n  - {name: push, type: force, on: cart, value: [\"pull - 0.6*VX(cart) - 5*DX(cart)\", 4*F]}\n"
    "linearise: {coordinates: [\"DX(cart)\"], outputs: [cart.x, cart.vx, cart.ax, rail.Fy, X, "
    "\"F^2*DX(cart)\", pull, \"G*X + time\"]}\n";

static void a_carriage_by_hand(void **state)
{
    static const double a[3][3] = {{0, 1, 0}, {-2.5, -0.3, 1.5}, {0, 0, -20}}, b[3] = {0, 0.5, 20};
    // Fy: what the rail does to the cart holds 4 F
    static const double c[8][3] = {{1, 0, 0}, {0, 1, 0},    {-2.5, -0.3, 1.5}, {0, 0, 0},
                                   {0, 0, 1}, {0.49, 0, 0}, {0, 0, 3},         {0, 0, 0.2}};
    static const double d[8][2] = {{0, 0}, {0, 0},  {0.5, 0}, {-4, 0}, {0, 0}, {2 * 0.7 * 0.3, 0},
                                   {1, 0}, {0, 0.4}};
    (void)state;
    hol_linear *l = linear_of(carriage, NULL, NULL, 0);
    assert_int_equal(l->n_x, 3);
    assert_int_equal(l->n_u, 2);
    assert_int_equal(l->n_y, 8);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) near("A", A(l, i, j), a[i][j], 1e-13);
        near("B", B(l, i, 0), b[i], 1e-13);
        near("B", B(l, i, 1), 0, 0);
    }
    for (int i = 0; i < 8; i++) {
        for (int j = 0; j < 3; j++) near(l->y[i].name, C(l, i, j), c[i][j], 1e-13);
        for (int j = 0; j < 2; j++) near(l->y[i].name, D(l, i, j), d[i][j], 1e-13);
    }
    assert_string_equal(l->x[0].name, "DX(cart)");
    assert_string_equal(l->x[0].unit, "m");
    assert_string_equal(l->x[1].name, "DX(cart)'");
    assert_string_equal(l->x[1].unit, "m/s");
    assert_string_equal(l->y[2].unit, "m/s^2");
    assert_string_equal(l->y[3].unit, "N");
    near("value", l->x[0].value, 0.3, 1e-15);
    near("value", l->u[0].value, 0.7, 0);
    near("value", l->y[2].value, (0.7 + 1.2 - 0.06 - 1.5) / 2, 1e-14);
    near("gain", l->gain[0], 0.8, 1e-13); // (F + 3 F)/5
    assert_non_null(l->warning);          // it moves
    hol_linear_destroy(l);
}

// A wheel in space beyond a turn, x = c^2: x'' = x'^2/(2 x) + 2 c u/J, c^3 and c u as outputs; in motion, and at rest where a spring of
// k = 0.5 holds 4.5.
static void coordinates_have_the_full_turns_of_angles(void **state)
{
    static const char text[] =
        "dimension: 3\ngravity: [0, 0, 0]\n"
        "bodies: [{name: b, mass: 1, inertia: [0.3, 0.3, 0.3], omega: [0, 0, %s], markers: {p: [0, 0, 0]}}]\n"
        "joints: [{name: h, type: revolute, between: [ground, b], stiffness: %s}]\n"
        "inputs: [{name: u, value: 0, unit: N m}]\n"
        "forces: [{name: f, type: torque, on: b, value: [0, 0, u + %s]}]\n"
        "simulate: {end: 5, method: rk, tolerance: 1e-10}\n"
        "linearise: {inputs: [u], coordinates: [\"%s^2\"], outputs: [\"AZ(b.p)^3\", \"h.angle*u\"]}\n";
    static const char *const angles[] = {"h.angle", "AZ(b.p)"};
    (void)state;
    for (int i = 0; i < 4; i++) {
        const bool rest = i > 1;
        const double k = rest ? 0.5 : 0, c = rest ? 9 : 12, x = c * c, rate = rest ? 0 : 6 * c;
        const hol_linear_options o = {.at = rest ? 0 : 4, .equilibrium = rest};
        char model[1000];
        snprintf(model, sizeof model, text, rest ? "0" : "3", rest ? "0.5" : "0", rest ? "4.5 N*m" : "0",
                 angles[i % 2]);
        hol_linear *l = linear_of(model, &o, NULL, 0);
        near("coordinate", l->x[0].value, x, 1e-9 * x);
        near("rate", l->x[1].value, rate, 1e-9 * x);
        near("A", A(l, 1, 0), -rate * rate / (2 * x * x) - k / 0.3, 1e-9);
        near("A", A(l, 1, 1), rate / x, 1e-9);
        near("B", B(l, 1, 0), 2 * c / 0.3, 1e-8);
        near("cube", l->y[0].value, x * c, 1e-8 * x);
        near("C", C(l, 0, 0), 1.5 * c, 1e-8);
        near("D", D(l, 1, 0), c, 1e-9);
        hol_linear_destroy(l);
    }
}

// What motors give and what they remember have the units of their joints, a turning one and a sliding one.
static void motors_have_the_units_of_their_joints(void **state)
{
    static const char text[] =
        "dimension: 2\ngravity: [0, 0]\nbodies:\n"
        "  - {name: a, mass: 1, inertia: 1}\n  - {name: b, mass: 1, inertia: 1}\njoints:\n"
        "  - {name: h, type: revolute, bodies: [ground, a], at: [0, 0], motor: {angle: 0, kp: 9, ki: 2}}\n"
        "  - {name: s, type: translational, bodies: [ground, b], at: [0, 0], axis: [1, 0], motor: {stroke: "
        "0, kp: 9, ki: 2}}\n"
        "linearise: {outputs: [h.motor.torque, s.motor.force, 2*h.motor.torque], coordinates: [h.angle, "
        "s.stroke]}\n";
    static const char *const states[] = {"rad", "m", "rad/s", "m/s", "rad s", "m s"}, *const outputs[] = {
                                                                                          "N m", "N", ""};
    (void)state;
    hol_linear *l = linear_of(text, NULL, NULL, 0);
    assert_int_equal(l->n_x, HOL_COUNT(states));
    for (int i = 0; i < l->n_x; i++) {
        bool known = false;
        for (int j = 0; j < HOL_COUNT(states); j++) known = known || strcmp(l->x[i].unit, states[j]) == 0;
        if (!known) fail_msg("%s: \"%s\"", l->x[i].name, l->x[i].unit);
        if (strstr(l->x[i].name, "h.motor")) assert_string_equal(l->x[i].unit, "rad s");
        if (strstr(l->x[i].name, "s.motor")) assert_string_equal(l->x[i].unit, "m s");
    }
    for (int i = 0; i < HOL_COUNT(outputs); i++) assert_string_equal(l->y[i].unit, outputs[i]);
    hol_linear_destroy(l);
}

// ---- drivers --------------------------------------------------------------------------------------------------

// A bob on a rope whose length a winch gives, L = 1.3 + t/2 + 0.3 t^2 + u:  L th'' = -g sin(th) - 2 L' th', tension m (L th'^2 + g cos(th) - L'').
static void a_winch_by_hand(void **state)
{
    static const char text[] =
        "dimension: 2\ngravity: [0, -9.81]\nparameters: {th: 0.4, om: 0.7, L: 1.3, Ld: 0.5}\nbodies:\n"
        "  - {name: bob, type: point, mass: 2, position: [L*sin(th), -L*cos(th)], velocity: [Ld*sin(th) + "
        "L*om*cos(th), -Ld*cos(th) + "
        "L*om*sin(th)]}\n"
        "drivers:\n  - {name: winch, type: distance, between: [ground, bob], value: L + Ld*time + "
        "0.3*time^2}\n"
        "linearise: {inputs: [winch], coordinates: [\"atan2(DX(bob), -DY(bob))\"], outputs: "
        "[\"sqrt(winch.Fx^2 + winch.Fy^2)\", \"FM(winch)\"]}\n";
    const double g = 9.81, th = 0.4, om = 0.7, L = 1.3, Ld = 0.5, m = 2;
    const double row[] = {-g * cos(th) / L, -2 * Ld / L, (g * sin(th) + 2 * Ld * om) / (L * L), -2 * om / L};
    const double tension[] = {-m * g * sin(th), 2 * m * L * om, m * om * om, 0};
    (void)state;
    hol_linear *l = linear_of(text, NULL, NULL, 0);
    assert_int_equal(l->n_x, 4);
    for (int j = 0; j < 4; j++) {
        near("A", A(l, 0, j), j == 1, 0);
        near("A", A(l, 1, j), row[j], 1e-13);
        near("A", A(l, 2, j), j == 3, 0);
        near("A", A(l, 3, j), 0, 0);
        near("B", B(l, j, 0), j == 3, 1e-14);
        for (int k = 0; k < 2; k++) near("tension", C(l, k, j), tension[j], 1e-12);
    }
    near("tension", D(l, 0, 0), -m, 1e-12);
    assert_int_equal(l->kind[2], HOL_LINEAR_INPUT);
    assert_int_equal(l->kind[3], HOL_LINEAR_INPUT_RATE);
    assert_string_equal(l->x[3].name, "winch'");
    assert_string_equal(l->x[3].unit, "m/s");
    assert_string_equal(l->u[0].unit, "m/s^2");
    hol_linear_destroy(l);
}

// A rod on an arm that a motor turns, in the plane and in space: the rows of the drivers are other ones, the motion is the same.
static void a_motor_in_the_plane_and_in_space(void **state)
{
    static const char plane[] =
        "dimension: 2\ngravity: [0, -9.81]\nbodies:\n"
        "  - {name: arm, mass: 2, inertia: 0.3, position: [0.5, 0], omega: 1.5, velocity: [0, 0.75], "
        "markers: {o: [-0.5, 0], tip: [0.5, 0]}}\n"
        "  - {name: rod, mass: 3, inertia: 0.2, position: [1.4, 0], omega: -0.4, velocity: [0, 1.34], "
        "markers: {o: [-0.4, 0]}}\n"
        "joints:\n  - {name: A, type: revolute, between: [ground, arm.o]}\n  - {name: B, type: revolute, "
        "between: [arm.tip, rod.o]}\n"
        "drivers:\n  - {name: motor, type: angle, between: [ground, arm], value: 1.5*time + 0.4*time^2 + "
        "0.2*time^3}\n"
        "linearise: {inputs: [motor], coordinates: [\"AZ(rod)\"], outputs: [motor.T, A.Fx, rod.alpha]}\n";
    static const char space[] =
        "dimension: 3\ngravity: [0, -9.81, 0]\nbodies:\n"
        "  - {name: arm, mass: 2, inertia: 0.3, position: [0.5, 0, 0], omega: [0, 0, 1.5], velocity: [0, "
        "0.75, 0], markers: {o: [-0.5, 0, 0], tip: "
        "[0.5, 0, 0]}}\n"
        "  - {name: rod, mass: 3, inertia: 0.2, position: [1.4, 0, 0], omega: [0, 0, -0.4], velocity: [0, "
        "1.34, 0], markers: {o: [-0.4, 0, 0]}}\n"
        "joints:\n  - {name: A, type: revolute, between: [ground, arm.o]}\n  - {name: B, type: revolute, "
        "between: [arm.tip, rod.o]}\n"
        "drivers:\n  - {name: motor, type: angle, between: [ground, arm.o], value: 1.5*time + 0.4*time^2 + "
        "0.2*time^3}\n"
        "linearise: {inputs: [motor], coordinates: [\"AZ(rod)\"], outputs: [motor.Tz, A.Fx, rod.alz]}\n";
    (void)state;
    for (int at = 0; at < 2; at++) {
        static const char *const exact[] = {"simulate.method=rk", "simulate.tolerance=1e-11",
                                            "simulate.end=1"};
        const hol_linear_options o = {.at = 0.37 * at};
        hol_linear *p = linear_of(plane, &o, exact, 3), *s = linear_of(space, &o, exact, 3);
        const double allowed = at ? 1e-7 : 1e-11;
        assert_int_equal(p->n_x, 4);
        assert_int_equal(s->n_x, 4);
        for (int i = 0; i < 4; i++) {
            for (int j = 0; j < 4; j++) near("A", A(s, i, j), A(p, i, j), allowed);
            near("B", B(s, i, 0), B(p, i, 0), allowed);
        }
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 4; j++) near(p->y[i].name, C(s, i, j), C(p, i, j), allowed * 10);
            near(p->y[i].name, D(s, i, 0), D(p, i, 0), allowed * 10);
        }
        hol_linear_destroy(p);
        hol_linear_destroy(s);
    }
}

// A tilted plate on a ball joint, held by two rods and a motor between axes that are not one: all that a reaction does when its value changes is what
// other values give.
static void a_motor_across_axes(void **state)
{
    static const char text[] =
        "dimension: 3\ngravity: [0.5, 1, -9.81]\nparameters: {off: 0}\nbodies:\n"
        "  - {name: plate, mass: 2, inertia: [0.3, 0.2, 0.4], position: [0.1, 0.2, 0.15], orientation: {rpy: "
        "[0.5, 0.3, 0.4]}, markers: {a: [1, 0, "
        "0], b: [0, 0.8, 0.2], o: [-0.1, -0.2, -0.1]}}\n"
        "joints:\n  - {name: ball, type: spherical, bodies: [ground, plate], at: [0, 0, 0]}\n"
        "  - {name: r1, type: distance, between: [ground: [2, 0, 1], plate.a], length: 1.3}\n"
        "  - {name: r2, type: distance, between: [ground: [0, 2, 1.5], plate.b], length: 1.6}\n"
        "drivers:\n  - {name: motor, type: angle, between: [ground, plate.o], value: 0.3 + off}\n"
        "linearise: {inputs: [motor], outputs: [motor.Tx, motor.Ty, motor.Tz, TM(motor), r1.Fx]}\n";
    static const char *const sides[] = {"parameters.off=2e-5", "parameters.off=-2e-5"};
    (void)state;
    hol_linear *l = linear_of(text, NULL, NULL, 0), *more = linear_of(text, NULL, &sides[0], 1),
               *less = linear_of(text, NULL, &sides[1], 1);
    assert_int_equal(l->n_x, 2);
    assert_true(fabs(C(l, 2, 0)) > 0.1);
    for (int i = 0; i < 5; i++)
        near(l->y[i].name, C(l, i, 0), (more->y[i].value - less->y[i].value) / 4e-5,
             2e-6 * (1 + fabs(C(l, i, 0))));
    hol_linear_destroy(l);
    hol_linear_destroy(more);
    hol_linear_destroy(less);
}

// Products of unknowns, in equilibria where one factor is 0 so that the first correction of accelerations is the last one: a force of
// (R + 1 N) 2/m x, R = 10 N the reaction of the slide, and friction of joints, 1e4 N/m and 20 N s/m whatever presses.
static void products_of_unknowns_by_hand(void **state)
{
    static const char
        slide[] = "dimension: 2\ngravity: [0, -10]\nbodies: [{name: block, mass: 1, inertia: 0.4}]\n"
                  "inputs: [{name: u, value: 0, unit: N}]\n",
        pushed[] =
            "joints: [{name: s, type: translational, bodies: [ground, block], at: [0, 0], axis: [1, 0]}]\n"
            "variables: [{name: N, value: \"FY(s) + (1 N)\"}, {name: b, value: 2*DX(block)}]\n"
            "forces: [{name: push, type: force, on: block, value: [u - N*b, 0]}]\n"
            "linearise: {inputs: [u], outputs: [push.Fx], coordinates: [DX(block)]}\n",
        rubbed[] =
            "joints: [{name: s, type: translational, bodies: [ground, block], at: [0, 0], axis: [1, 0],\n"
            "  friction: {coefficient: 0.5, preload: %s, stiffness: 1e4, damping: 20}}]\n"
            "forces: [{name: push, type: force, on: block, value: [u, 0]}]\n"
            "linearise: {inputs: [u], outputs: [s.friction.force], coordinates: [s.stroke]}\n";
    static const char *const preload[] = {"0", "2"};
    char text[1500], friction[700];
    (void)state;
    snprintf(text, sizeof text, "%s%s", slide, pushed);
    hol_linear *l = linear_of(text, NULL, NULL, 0);
    near("stiffness", A(l, 1, 0), -22, 1e-12);
    near("force", C(l, 0, 0), -22, 1e-12);
    hol_linear_destroy(l);
    for (int i = 0; i < HOL_COUNT(preload); i++) {
        snprintf(friction, sizeof friction, rubbed, preload[i]);
        snprintf(text, sizeof text, "%s%s", slide, friction);
        l = linear_of(text, NULL, NULL, 0);
        near("bristle", A(l, 1, 2), -1e4, 1e-8);
        near("damping", A(l, 1, 1), -20, 1e-11);
        near("gain", l->gain[0], -1, 1e-9);
        hol_linear_destroy(l);
    }
}

// ---- coordinates ----------------------------------------------------------------------------------------------

// Whatever the coordinates, poles and the way from inputs to outputs are the same at an equilibrium.
static void coordinates_leave_the_response_alone(void **state)
{
    static const char *const choices[] = {"linearise.coordinates=[]", "linearise.coordinates=[\"AZ(crank)\"]",
                                          "linearise.coordinates=[\"AZ(rocker)\"]",
                                          "linearise.coordinates=[\"DX(coupler.p)^3 + DY(coupler.p)\"]",
                                          "linearise.coordinates=[C.angle]"};
    char path[200];
    double first[2][8];
    (void)state;
    snprintf(path, sizeof path, "../tests/analyses/four_bar_linear");
    for (int k = 0; k < HOL_COUNT(choices); k++)
        for (int metric = 0; metric < (k ? 1 : 2); metric++) {
            const hol_linear_options o = {.metric = metric ? HOL_METRIC_NATURAL : HOL_METRIC_MASS};
            const double omega[] = {3.3};
            double G[2][4], poles[4];
            hol_linear *l = linear_of(path, &o, &choices[k], 1);
            assert_int_equal(l->n_x, 2);
            assert_true(l->equilibrium);
            assert_int_equal(hol_linear_response(ctx, l, 1, omega, G[0], G[1]), HOL_OK);
            memcpy(poles, (double[]){l->pole_re[0], l->pole_im[0], l->pole_re[1], l->pole_im[1]},
                   sizeof poles);
            if (k == 0 && metric == 0) {
                memcpy(first[0], G, sizeof G);
                memcpy(first[1], poles, sizeof poles);
            }
            for (int i = 0; i < 8; i++) near("response", G[i / 4][i % 4], first[0][i], 1e-10);
            for (int i = 0; i < 4; i++) near("pole", poles[i], first[1][i], 1e-11);
            hol_linear_destroy(l);
        }
}

static void what_does_not_close(void **state)
{
    (void)state;
    refused("bicycle", "linearise.coordinates=[steer]", "steer'' depends on");
    refused("bicycle", "linearise.coordinates=[steer, lean, head.angle]",
            "head.angle depends on the coordinates before it");
    refused("bicycle", "linearise.outputs=[frame.vx]", "\"frame.vx\" depends on the velocity of");
    refused("bicycle", "linearise.coordinates=[lean, steer, \"DZ(rear)\"]", "DZ(rear)");
    refused("four_bar", "linearise.coordinates=[\"AZ(crank0)\", \"AZ(crank1)\"]", "more than the 2 states");
}

// ---- sparse matrices ------------------------------------------------------------------------------------------

// The response by one sparse matrix for each frequency is that of A, B, C and D.
static void sparse_responses_are_the_dense_ones(void **state)
{
    static const struct {
        const char *model, *set[2];
    } rows[] = {{"../tests/analyses/cart_pole_lag",
                 {"linearise.outputs=[cart.x, rod.alpha, hinge.Fx, X, \"u + 3*X\", \"DIF1(X)\"]", NULL}},
                {"../tests/analyses/four_bar_linear",
                 {"linearise.outputs=[rocker.omega, A.Fx, spring.Fy, coupler.p.ay]", NULL}},
                {"bicycle", {"linearise.outputs=[lean, steer, frame.ay, head.Fx]", "parameters.v=0"}},
                {"cart_pole", {"linearise.outputs=[lean, cart.vx]", "parameters.lean0=0"}}};
    static const double omega[] = {0.02, 1, 7.5, 900};
    (void)state;
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        const int n = rows[i].set[1] ? 2 : 1;
        const char *set[3] = {rows[i].set[0], "linearise.coordinates=[]", rows[i].set[1]};
        hol_linear *dense = linear_of(rows[i].model, NULL, set, n + 1);
        hol_linear *sparse = linear_of(
            rows[i].model, &(hol_linear_options){.sparse = true, .n_omega = 4, .omega = omega}, set, n + 1);
        double G[4][40];
        const int pairs = dense->n_u * dense->n_y;
        assert_true(sparse->sparse && !dense->sparse && 4 * pairs <= 40);
        assert_int_equal(hol_linear_response(ctx, dense, 4, omega, G[0], G[1]), HOL_OK);
        assert_int_equal(hol_linear_response(ctx, sparse, 4, omega, G[2], G[3]), HOL_OK);
        for (int k = 0; k < 4 * pairs; k++) {
            const double allowed = 1e-9 * hypot(G[0][k], G[1][k]) + 1e-12;
            near(dense->y[k % pairs % dense->n_y].name, G[2][k], G[0][k], allowed);
            near(dense->y[k % pairs % dense->n_y].name, G[3][k], G[1][k], allowed);
        }
        assert_int_equal(hol_linear_response(ctx, sparse, 1, (double[]){2}, G[0], G[1]), HOL_ERR_USAGE);
        expect_message("and not at 2 rad/s");
        assert_int_equal(hol_linear_zeros(ctx, sparse, 0, 0, &(int){0}, G[0], G[1]), HOL_ERR_USAGE);
        hol_linear_destroy(dense);
        hol_linear_destroy(sparse);
    }
}

// A hanging chain of 1200 links: a slow push at its end moves it as the weight of a chain answers, x = F/(g m) sum 1/(n - i + 1/2) of its links.
static void a_long_chain(void **state)
{
    static const char text[] = "dimension: 2\ngravity: [0, -9.81]\nparameters: {n: 1200}\nbodies:\n"
                               "  - {for: i in 1..n, name: \"link{i}\", mass: 0.1, inertia: 1e-4, position: "
                               "[0, -(i - 1/2)*0.1], markers: {top: [0, 0.05], low: [0, -0.05]}}\n"
                               "joints:\n  - {name: pin, type: revolute, between: [link1.top, ground]}\n"
                               "  - {for: i in 2..n, name: \"J{i}\", type: revolute, between: "
                               "[\"link{i-1}.low\", \"link{i}.top\"]}\n"
                               "inputs: [{name: F, value: 0, unit: N}]\n"
                               "forces: [{name: push, type: force, on: link1200.low, value: [F, 0]}]\n"
                               "linearise: {outputs: [link1200.low.x, pin.Fx]}\n";
    const double omega[] = {1e-5, 3};
    double want = 0, re[4], im[4];
    (void)state;
    hol_model *model = load_model(text, NULL, 0);
    assert_null(hol_linear_create(ctx, model, NULL));
    expect_message("give frequencies");
    hol_linear *l = hol_linear_create(ctx, model, &(hol_linear_options){.n_omega = 2, .omega = omega});
    if (!l) print_error("%s\n", hol_context_error(ctx));
    assert_non_null(l);
    assert_int_equal(l->degrees_of_freedom, 1200);
    assert_int_equal(hol_linear_response(ctx, l, 2, omega, re, im), HOL_OK);
    for (int i = 1; i <= 1200; i++)
        want += 0.1 / (0.1 * 9.81 * (1200 - i + 0.5)); // length times F over the tension in the middle
    near("x", re[0], want, 1e-6 * want);
    near("force on ground", re[1], 1, 1e-6);
    hol_linear_destroy(l);
    hol_model_destroy(model);
}

// ---- the numbers of a system ----------------------------------------------------------------------------------

// G = (s^2 + 2 s + 5)(s - 3)/((s + 1)(s + 2)(s + 4)(s + 6)) in a basis that is turned, and its square, two by two with no way across.
static void zeros_of_a_known_system(void **state)
{
    // numerator s^3 - s^2 - s - 15, denominator s^4 + 13 s^3 + 56 s^2 + 92 s + 48
    static const double a[16] = {0, 0, 0, -48, 1, 0, 0, -92, 0, 1, 0, -56, 0, 0, 1, -13}, b[4] = {0, 0, 0, 1},
                        c[4] = {-15, -1, -1, 1}, d[1] = {0};
    static const double none[4] = {0, 0, 0, 0};
    const hol_state_space s = {4, 1, 1, a, b, c, d, false}, silent = {4, 1, 1, a, b, none, d, false};
    double re[4], im[4], vr[16], vi[16], gain, omega = 2, Gr, Gi;
    int n;
    (void)state;
    assert_int_equal(hol_state_space_zeros(ctx, &s, &n, re, im), HOL_OK);
    assert_int_equal(n, 3);
    near("zero", re[0], -1, 1e-12);
    near("zero", im[0], 2, 1e-12);
    near("zero", im[1], -2, 1e-12);
    near("zero", re[2], 3, 1e-12);
    assert_int_equal(hol_state_space_zeros(ctx, &silent, &n, re, im), HOL_OK);
    assert_int_equal(n, -1);
    assert_int_equal(hol_state_space_poles(ctx, &s, re, im, vr, vi), HOL_OK);
    for (int i = 0; i < 4; i++) near("pole", re[i], (double[]){-1, -2, -4, -6}[i], 1e-11);
    assert_int_equal(hol_state_space_gain(ctx, &s, re, im, &gain), HOL_OK);
    near("gain", gain, -15.0 / 48, 1e-14);
    assert_int_equal(hol_state_space_response(ctx, &s, 1, &omega, &Gr, &Gi), HOL_OK);
    // (-8 i + 4 - 2 i - 15)/(16 - 104 i - 224 + 184 i + 48) = (-11 - 10 i)/(-160 + 80 i)
    near("G", Gr, 960.0 / 32000, 1e-15);
    near("G", Gi, 2480.0 / 32000, 1e-15);
}

// Two inputs, two outputs, D singular: zeros by (s I - A, B; C, D) of order 3, found by hand.
// A cart that nothing holds with a pole on it and an integral of its place, and a cart that nothing pushes. Poles and zeros 0 have no rounding,
// and what does not come through has no gain.
static void what_nothing_holds(void **state)
{
    static const char text[] =
        "dimension: 2\ngravity: [0, -9.81]\ninputs: [{name: u, value: 0}]\nbodies:\n"
        "  - {name: cart, mass: 2, inertia: 1}\n"
        "  - {name: rod, mass: 1, inertia: 0.1, position: [0, -0.5], angle: -90 deg, markers: {o: [-0.5, "
        "0]}}\n"
        "  - {name: other, mass: 1, inertia: 1, position: [3, 0]}\njoints:\n"
        "  - {name: s, type: translational, between: [ground, cart]}\n"
        "  - {name: r, type: translational, between: [ground, other]}\n"
        "  - {name: h, type: revolute, between: [cart, rod.o]}\n"
        "forces: [{name: f, type: force, on: cart, value: [u, 0]}]\n"
        "states: [{name: X, rate: s.stroke}, {name: slow, rate: -1e-7*slow, initial: 1}]\n"
        "linearise: {inputs: [u], outputs: [X, s.speed, h.angle, r.stroke]}\nsimulate: {end: 1}\n";
    hol_model *model = load_model(text, NULL, 0);
    hol_linear *l = hol_linear_create(ctx, model, NULL);
    double re[8], im[8];
    (void)state;
    if (!l) fail_msg("%s", hol_context_error(ctx));
    assert_int_equal(l->n_x, 8);
    for (int i = 0; i < 5; i++) {
        assert_true(l->pole_re[i] == 0 && l->pole_im[i] == 0);
        for (int r = 0; r < 8; r++) { // A v = 0, but for the root of rounding
            double sum = 0;
            for (int c = 0; c < 8; c++) sum += l->A[c * 8 + r] * l->vector_re[i * 8 + c];
            near("vector", sum, 0, 1e-3);
        }
    }
    near("slow", l->pole_re[5], -1e-7, 1e-19); // nearer to 0 than what rounding makes of the others
    // M = 2, m = 1, c = 1/2, I = 0.1: omega^2 = m g c (M + m)/((I + m c^2)(M + m) - m^2 c^2)
    near("omega", l->pole_im[6], sqrt(9.81 * 0.5 * 3 / (0.35 * 3 - 0.25)), 1e-12);
    assert_true(l->pole_re[6] == 0);
    for (int i = 0; i < 3; i++) { // those of the pole alone are not 0: k^2 = m g c/(I + m c^2)
        int n = 0, none = 0, pair = 0;
        assert_int_equal(hol_linear_zeros(ctx, l, i, 0, &n, re, im), HOL_OK);
        for (int k = 0; k < n; k++) {
            none += re[k] == 0 && im[k] == 0;
            pair += fabs(fabs(im[k]) - sqrt(9.81 * 0.5 / 0.35)) < 1e-12;
        }
        assert_int_equal(n, i == 0 ? 5 : i == 1 ? 7 : 6);
        assert_int_equal(pair, i < 2 ? 2 : 0);
        assert_int_equal(none + pair, n - 1); // and the slow one
    }
    assert_true(l->gain[3] == 0 && isinf(l->gain[0]));
    hol_linear_destroy(l);
    hol_model_destroy(model);
}

static void zeros_of_two_by_two(void **state)
{
    // x1' = u1, x2' = -x2 + u2, x3' = -3 x3 + u1 + u2; y1 = x1 + x2, y2 = x3 + u1: det of the transfer function times the poles is
    // |1/s  1/(s+1); 1 + 1/(s+3)  1/(s+3)| s (s+1)(s+3) = (s+1) - s (s+4) = -(s^2 + 3 s - 1)
    static const double a[9] = {0, 0, 0, 0, -1, 0, 0, 0, -3}, b[6] = {1, 0, 1, 0, 1, 1},
                        c[6] = {1, 0, 1, 0, 0, 1}, d[4] = {0, 1, 0, 0};
    const hol_state_space s = {3, 2, 2, a, b, c, d, false};
    double re[3], im[3], gain[4];
    int n;
    (void)state;
    assert_int_equal(hol_state_space_zeros(ctx, &s, &n, re, im), HOL_OK);
    assert_int_equal(n, 2);
    near("zero", re[0], (-3 + sqrt(13)) / 2, 1e-12);
    near("zero", re[1], (-3 - sqrt(13)) / 2, 1e-12);
    assert_int_equal(hol_state_space_poles(ctx, &s, re, im, NULL, NULL), HOL_OK);
    assert_int_equal(hol_state_space_gain(ctx, &s, re, im, gain), HOL_OK);
    assert_true(isinf(gain[0])); // y1 by u1: 1/s
    near("gain", gain[1], 4.0 / 3, 1e-12);
    near("gain", gain[2], 1, 1e-12);
    near("gain", gain[3], 1.0 / 3, 1e-12);
}

// ---- files ----------------------------------------------------------------------------------------------------

static void files(void **state)
{
    static const char *const names[] = {"test_linearise.json", "test_linearise.nc", "test_linearise.mtx",
                                        "test_linearise.csv"};
    const double omega[] = {1, 10};
    char path[300];
    (void)state;
    hol_linear *l = linear_of(carriage, NULL, NULL, 0);
    for (int i = 0; i < HOL_COUNT(names); i++) {
        snprintf(path, sizeof path, "/tmp/%d_%s", (int)getpid(), names[i]);
        assert_int_equal(hol_linear_write(ctx, l, 2, omega, path), HOL_OK);
        unlink(path);
        char *end = strrchr(path, '.');
        for (const char *part = "BCD"; i == 2 && *part; part++) {
            snprintf(end, 20, "_%c.mtx", *part);
            assert_int_equal(unlink(path), 0);
        }
    }
    assert_int_equal(hol_linear_write(ctx, l, 0, NULL, "/tmp/x.csv"), HOL_ERR_USAGE);
    expect_message("give frequencies");
    assert_int_equal(hol_linear_write(ctx, l, 0, NULL, "/tmp/x.xls"), HOL_ERR_USAGE);
    expect_message(".json, .nc");
    hol_linear_destroy(l);
}

// A .mat read again: matrices column by column, the response by three axes, names as cells.
static void files_of_matlab(void **state)
{
    const double omega[] = {1, 10};
    double re[40], im[40];
    char path[100];
    (void)state;
    hol_linear *l = linear_of(carriage, NULL, NULL, 0);
    snprintf(path, sizeof path, "/tmp/%d_test_linearise.mat", (int)getpid());
    assert_int_equal(hol_linear_write(ctx, l, 2, omega, path), HOL_OK);
    assert_int_equal(hol_linear_response(ctx, l, 2, omega, re, im), HOL_OK);
    mat_t *file = Mat_Open(path, MAT_ACC_RDONLY);
    assert_non_null(file);
    matvar_t *c = Mat_VarRead(file, "C"), *response = Mat_VarRead(file, "response_im"),
             *names = Mat_VarRead(file, "output_names");
    assert_true(c && response && names);
    assert_true(c->rank == 2 && (int)c->dims[0] == l->n_y && (int)c->dims[1] == l->n_x);
    assert_memory_equal(c->data, l->C, (size_t)(l->n_y * l->n_x) * sizeof *l->C);
    assert_true(response->rank == 3 && response->dims[0] == 2 && (int)response->dims[1] == l->n_y);
    for (int f = 0; f < 2; f++)
        for (int i = 0; i < l->n_y * l->n_u; i++) // [f, y, u]; here y goes first
            assert_true(((double *)response->data)[f + 2 * i] == im[f * l->n_y * l->n_u + i]);
    const matvar_t *last = Mat_VarGetCell(names, l->n_y - 1);
    assert_int_equal(last->dims[1], strlen(l->y[l->n_y - 1].name));
    Mat_VarFree(c);
    Mat_VarFree(response);
    Mat_VarFree(names);
    Mat_Close(file);
    unlink(path);
    hol_linear_destroy(l);
}

static void ignore(void *user, const char *text) { (void)user, (void)text; }

static void bad_calls(void **state)
{
    double re[8], im[8], omega = 1;
    int n;
    (void)state;
    hol_model *model = load_model(carriage, NULL, 0);
    assert_null(hol_linear_create(NULL, model, NULL));
    assert_null(hol_linear_create(ctx, NULL, NULL));
    assert_null(hol_linear_create(ctx, model, &(hol_linear_options){.at = -1}));
    assert_null(hol_linear_create(ctx, model, &(hol_linear_options){.metric = (hol_metric)7}));
    hol_linear *l = hol_linear_create(ctx, model, NULL);
    hol_model_destroy(model); // the result has what it needs
    assert_int_equal(hol_linear_zeros(ctx, l, 8, 0, &n, re, im), HOL_ERR_USAGE);
    assert_int_equal(hol_linear_zeros(ctx, l, -1, 0, &n, re, im), HOL_ERR_USAGE);
    assert_int_equal(hol_linear_zeros(ctx, l, -1, -1, &n, re, im), HOL_ERR_USAGE);
    expect_message("as many outputs as inputs");
    assert_int_equal(hol_linear_zeros(ctx, l, 0, 0, NULL, re, im), HOL_ERR_USAGE);
    assert_int_equal(hol_linear_response(ctx, l, 1, NULL, re, im), HOL_ERR_USAGE);
    omega = (double)NAN;
    assert_int_equal(hol_linear_response(ctx, l, 1, &omega, re, im), HOL_ERR_USAGE);
    assert_int_equal(hol_linear_write(ctx, l, 0, NULL, NULL), HOL_ERR_USAGE);
    assert_int_equal(hol_linear_print(ctx, l, 0, NULL, NULL, NULL), HOL_ERR_USAGE);
    assert_int_equal(hol_linear_print(ctx, l, 0, NULL, ignore, NULL), HOL_OK);
    hol_linear_destroy(l);
    hol_linear_destroy(NULL);
}

// Refused where the model is read, with what there is.
static void bad_models(void **state)
{
    static const struct {
        const char *set, *words;
    } rows[] = {{"linearise.inputs=[push]", "there is no input, tunable parameter or driver \"push\""},
                {"linearise.inputs=[F, F]", "named twice"},
                {"linearise.outputs=[cart.q]", "cart.q"},
                {"linearise.coordinates=[\"ACCX(cart)\"]", "may not measure accelerations"},
                {"linearise.coordinates=[X]", "a coordinate is what is measured between markers"},
                {"linearise.coordinates=[3]", "it measures no body"},
                {"linearise.output=[X]", "did you mean \"outputs\""}};
    (void)state;
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        assert_null(hol_model_parse(ctx, "text", carriage, strlen(carriage), &rows[i].set, 1));
        expect_message(rows[i].words);
    }
}

// ---- transfer functions ---------------------------------------------------------------------------------------

// Text of a coefficient list.
static void put_list(char *out, size_t room, int n, const double *c)
{
    *out = 0;
    for (int i = 0; i <= n; i++)
        snprintf(out + strlen(out), room - strlen(out), "%s%.17g", i ? ", " : "", c[i]);
}

// A pair, put into another model as `transfer_functions`, answers as the mechanism does, at frequencies from far below to far above its poles.
static void answers_alike(const hol_linear *l, int output, int input, int wanted_order)
{
    enum { MOST = 20, N = 9 };
    double num[MOST], den[MOST], omega[N], re[200], im[200], own_re[N], own_im[N];
    char text[3000], a[1000], b[1000];
    int degree, order;
    assert_int_equal(hol_linear_transfer(ctx, l, output, input, &degree, &order, num, den), HOL_OK);
    assert_true(degree <= order);
    assert_true(den[0] == 1);
    assert_int_equal(order, wanted_order);
    put_list(a, sizeof a, degree, num);
    put_list(b, sizeof b, order, den);
    snprintf(text, sizeof text,
             "dimension: 2\nbodies: [{name: b, mass: 1, inertia: 1}]\ninputs: [{name: u, value: 0}]\n"
             "transfer_functions: [{name: y, input: u, numerator: [%s], denominator: [%s]}]\n"
             "linearise: {inputs: [u], outputs: [y]}\n",
             a, b);
    hol_linear *pasted = linear_of(text, NULL, NULL, 0);
    for (int i = 0; i < N; i++) omega[i] = pow(10, -2 + i / 2.0);
    assert_int_equal(hol_linear_response(ctx, l, N, omega, re, im), HOL_OK);
    assert_int_equal(hol_linear_response(ctx, pasted, N, omega, own_re, own_im), HOL_OK);
    for (int i = 0; i < N; i++) {
        const int k = (i * l->n_u + input) * l->n_y + output;
        const double off = hypot(own_re[i] - re[k], own_im[i] - im[k]), size = hypot(re[k], im[k]);
        if (!(off <= 1e-9 * size)) fail_msg("omega %g: off by %.3g of %.3g", omega[i], off, size);
    }
    hol_linear_destroy(pasted);
}

// Poles without a part in a pair are left out: the acceleration has all three of the carriage, the state X its own one.
static void transfer_functions_are_pasted(void **state)
{
    static const int order[8] = {3, 3, 3, 0, 1, 3, 1, 1};
    int n, m;
    double c[10];
    (void)state;
    hol_linear *l = linear_of(carriage, NULL, NULL, 0);
    for (int i = 0; i < 8; i++)
        if (order[i]) answers_alike(l, i, 0, order[i]);
    assert_int_equal(hol_linear_transfer(ctx, l, 3, 0, &n, &m, c, c + 5),
                     HOL_OK); // a gain alone: the reaction
    assert_true(n == 0 && m == 0 && fabs(c[0] + 4) < 1e-12);
    assert_int_equal(hol_linear_transfer(ctx, l, 0, 1, &n, &m, c, c + 5), HOL_OK); // nothing comes through
    assert_true(n == 0 && m == 0 && c[0] == 0);
    assert_int_equal(hol_linear_transfer(ctx, l, 0, 2, &n, &m, c, c + 5), HOL_ERR_USAGE);
    expect_message("there are 2 and 8");
    hol_linear_destroy(l);
    l = linear_of("bicycle", NULL, NULL, 0);
    for (int i = 0; i < l->n_y; i++) answers_alike(l, i, 0, 4);
    hol_linear_destroy(l);
}

// A cart with a pole out of balance, at rest or in motion, by coordinates of the user's: poles are the eigenvalues of A as it is given, whose sum and sum
// of squares are traces, though A is no image of the program's own there.
static void poles_are_those_of_the_matrices_given(void **state)
{
    static const char *const speeds[] = {"0", "3"};
    (void)state;
    for (int i = 0; i < HOL_COUNT(speeds); i++) {
        char text[900];
        double sum[2] = {0, 0}, trace[2] = {0, 0};
        snprintf(text, sizeof text,
                 "dimension: 2\ngravity: [0, -10]\nbodies:\n"
                 "  - {name: cart, mass: 3, inertia: 1}\n"
                 "  - {name: pole, mass: 0.5, inertia: 0.02, com: [0, 0.4], angle: 0.3, omega: %s}\n"
                 "joints:\n"
                 "  - {name: s, type: translational, between: [ground, cart], damping: 0.4}\n"
                 "  - {name: h, type: revolute, between: [cart, pole], damping: 0.05}\n"
                 "inputs: [{name: u, value: 0.3}]\nforces: [{name: F, type: force, joint: s, value: u}]\n"
                 "linearise: {coordinates: [s.stroke, h.angle], outputs: [h.angle]}\nsimulate: {end: 1}\n",
                 speeds[i]);
        hol_model *model = load_model(text, NULL, 0);
        hol_linear *l = hol_linear_create(ctx, model, NULL);
        assert_non_null(l);
        assert_int_equal(l->n_x, 4);
        for (int k = 0; k < 4; k++) {
            sum[0] += l->pole_re[k];
            sum[1] += l->pole_re[k] * l->pole_re[k] - l->pole_im[k] * l->pole_im[k];
            trace[0] += l->A[5 * k];
            for (int j = 0; j < 4; j++) trace[1] += l->A[4 * k + j] * l->A[4 * j + k];
        }
        near("sum of poles", sum[0], trace[0], 1e-12);
        near("sum of their squares", sum[1], trace[1], 1e-11);
        hol_linear_destroy(l);
        hol_model_destroy(model);
    }
}

// A stroke has no first derivative in a dead centre of its crank, to rounding where that is folded in.
static void what_is_at_its_extreme_is_no_coordinate(void **state)
{
    static const char *const angle[] = {"0", "pi"};
    (void)state;
    for (int i = 0; i < HOL_COUNT(angle); i++) {
        char text[1500];
        snprintf(
            text, sizeof text,
            "dimension: 2\ngravity: [9.81, 0]\nparameters: {a: %s, r: 0.1, l: 0.26}\nbodies:\n"
            "  - {name: crank, mass: 0.5, inertia: 0.01, position: [r/2*cos(a), 0], angle: a, markers: {o: "
            "[-r/2, 0], p: [r/2, 0]}}\n"
            "  - {name: rod, mass: 0.8, inertia: 0.02, position: [r*cos(a)+l/2, 0], markers: {o: [-l/2, 0], "
            "p: [l/2, 0]}}\n"
            "  - {name: slider, mass: 1.2, inertia: 0.001, position: [r*cos(a)+l, 0]}\n"
            "joints:\n"
            "  - {name: A, type: revolute, between: [ground, crank.o]}\n"
            "  - {name: B, type: revolute, between: [crank.p, rod.o]}\n"
            "  - {name: C, type: revolute, between: [rod.p, slider]}\n"
            "  - {name: guide, type: translational, between: [ground, slider]}\n"
            "linearise: {coordinates: [guide.stroke]}\n",
            angle[i]);
        hol_model *model = load_model(text, NULL, 0);
        assert_null(hol_linear_create(ctx, model, NULL));
        assert_int_equal(hol_context_status(ctx), HOL_ERR_USAGE);
        expect_message("guide.stroke does not change with the motion in this pose, to first order");
        expect_message("or it is at an extreme, as in a dead centre");
        hol_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(poles_are_those_of_the_matrices_given),
        cmocka_unit_test(what_is_at_its_extreme_is_no_coordinate),
        cmocka_unit_test(a_carriage_by_hand),
        cmocka_unit_test(coordinates_have_the_full_turns_of_angles),
        cmocka_unit_test(motors_have_the_units_of_their_joints),
        cmocka_unit_test(a_winch_by_hand),
        cmocka_unit_test(a_motor_in_the_plane_and_in_space),
        cmocka_unit_test(a_motor_across_axes),
        cmocka_unit_test(products_of_unknowns_by_hand),
        cmocka_unit_test(coordinates_leave_the_response_alone),
        cmocka_unit_test(what_does_not_close),
        cmocka_unit_test(sparse_responses_are_the_dense_ones),
        cmocka_unit_test(a_long_chain),
        cmocka_unit_test(zeros_of_a_known_system),
        cmocka_unit_test(what_nothing_holds),
        cmocka_unit_test(zeros_of_two_by_two),
        cmocka_unit_test(files),
        cmocka_unit_test(files_of_matlab),
        cmocka_unit_test(transfer_functions_are_pasted),
        cmocka_unit_test(bad_calls),
        cmocka_unit_test(bad_models),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
