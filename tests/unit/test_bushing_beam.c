// Bushings with full matrices and beams in motion: against beam theory, energy lost in dampers, another view of the same.
// Derivatives and stiffness matrices themselves: complex_elements.c.
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static motion moved(const char *text)
{
    const motion a = move(text, NULL, 0);
    if (a.end) fail_msg("%s", hol_context_error(ctx));
    return a;
}

// ---- beams ----------------------------------------------------------------------------------------------------

// Length 2, modulus 1e7, area 0.01, second moments 1e-5 about y and 2e-5 about z, G J = 4e6 x 3e-5.
#define BEAM "modulus: 1e7, area: 0.01, length: 2"
#define BEAM_3D                                                                                              \
    BEAM ", second_moment_y: 1e-5, second_moment_z: 2e-5, shear_modulus: 4e6, torsion_constant: 3e-5"

// A cantilever that has come to rest under a load at its tip: F L^3/3EI and F L^2/2EI, M L^2/2EI and M L/EI. The load is
// small, so that sizes of the second order stay below 1e-6 of them.
static void cantilevers_bend_as_they_must(void **state)
{
    (void)state;
    motion a = moved("dimension: 2\nbodies:\n  - {name: tip, mass: 1, inertia: 0.1, position: [2, 0]}\n"
                     "forces:\n  - {name: b, type: beam, between: [ground, tip], damping: 0.2, " BEAM
                     ", second_moment: 2e-5}\n"
                     "  - {name: f, type: force, on: tip, value: [0, 1e-3]}\n"
                     "  - {name: t, type: torque, on: tip, value: 3e-3}\n"
                     "simulate: {end: 20, tolerance: 1e-10}\n");
    const double EI = 200, F = 1e-3, M = 3e-3;
    near("deflection", value_of(&a, "tip.y"), F * 8 / (3 * EI) + M * 4 / (2 * EI), 1e-10);
    near("slope", value_of(&a, "tip.theta"), F * 4 / (2 * EI) + M * 2 / EI, 1e-10);
    close_motion(&a);
}

// In space, clamped to a frame that stands across: its x is the global y, its y the global z, its z the global x. Of a beam that gives way to
// shear the tip goes further by a F L/GA, and turns no further.
static void cantilevers_in_space_bend_as_they_must(const char *shear, double a_y, double a_z)
{
    char text[1200];
    snprintf(text, sizeof text,
             "dimension: 3\nground: {markers: {wall: {orientation: {z: [1, 0, 0], x: [0, 1, 0]}}}}\n"
             "bodies:\n  - {name: tip, mass: 1, inertia: 0.1, position: [0, 2, 0],\n"
             "     orientation: {z: [1, 0, 0], x: [0, 1, 0]}}\n"
             "forces:\n  - {name: b, type: beam, between: [ground.wall, tip], damping: 0.2, " BEAM_3D "%s}\n"
             "  - {name: f, type: force, on: tip, value: [1e-3, 0.5, 2e-3]}\n"
             "  - {name: t, type: torque, on: tip, value: [3e-3, 4e-3, 5e-3]}\n"
             "simulate: {end: 40, tolerance: 1e-10}\n",
             shear);
    motion a = moved(text);
    const double EIy = 100, EIz = 200, GJ = 120, GA = 4e4;
    // global x is the beam's z: bending about its y, which is the global z
    near("along the beam", value_of(&a, "tip.y") - 2, 0.5 * 2 / 1e5, 1e-8);
    near("deflection in xz", value_of(&a, "tip.x"),
         1e-3 * 8 / (3 * EIy) - 5e-3 * 4 / (2 * EIy) + a_z * 1e-3 * 2 / GA, 1e-8);
    near("deflection in xy", value_of(&a, "tip.z"),
         2e-3 * 8 / (3 * EIz) + 3e-3 * 4 / (2 * EIz) + a_y * 2e-3 * 2 / GA, 1e-8);
    // the rotation from the drawn pose, as a vector: 2 q conj(q0); the drawn pose has q0 = (1, 1, 1, 1)/2
    const double q[4] = {value_of(&a, "tip.qw"), value_of(&a, "tip.qx"), value_of(&a, "tip.qy"),
                         value_of(&a, "tip.qz")};
    const double sign = q[0] > 0 ? 1 : -1;
    near("slope about x", sign * (-q[0] + q[1] - q[2] + q[3]), 2e-3 * 4 / (2 * EIz) + 3e-3 * 2 / EIz, 1e-8);
    near("twist", sign * (-q[0] + q[1] + q[2] - q[3]), 4e-3 * 2 / GJ, 1e-8);
    near("slope about z", sign * (-q[0] - q[1] + q[2] + q[3]), -1e-3 * 4 / (2 * EIy) + 5e-3 * 2 / EIy, 1e-8);
    close_motion(&a);
}

static void cantilevers_give_way_to_shear(void **state)
{
    (void)state;
    cantilevers_in_space_bend_as_they_must("", 0, 0);
    cantilevers_in_space_bend_as_they_must(", shear_y: 60, shear_z: 40", 60, 40);
}

// A moment at its end rolls a beam of eight parts up to a circle: an angle of M L/EI, each part M l/EI. The exact circle has
// its end at r (sin, 1 - cos); the ends of parts with the deflection l phi/2 come near to it.
static void a_beam_rolls_up(void **state)
{
    (void)state;
    motion a = moved(
        "dimension: 2\nparameters: {n: 8, l: 0.25, EI: 200, angle: 1.5*pi}\nbodies:\n"
        "  - {for: i in 1..n, name: \"b{i}\", mass: 1, inertia: 0.05, position: [i*l, 0]}\n"
        "forces:\n"
        "  - {name: s1, type: beam, between: [ground, b1], modulus: 1e7, area: 0.1, second_moment: EI/1e7,\n"
        "     damping: 0.3}\n"
        "  - {for: i in 2..n, name: \"s{i}\", type: beam, between: [\"b{i-1}\", \"b{i}\"], modulus: 1e7, "
        "area: 0.1,\n"
        "     second_moment: EI/1e7, damping: 0.3}\n"
        "  - {name: roll, type: torque, on: b8, value: \"EI*angle/(n*l)*min(time/20, 1)\"}\n"
        "simulate: {end: 60, tolerance: 1e-8}\n");
    const double angle = 1.5 * acos(-1), r = 2 / angle;
    near("angle of the end", value_of(&a, "b8.theta"), angle, 1e-6);
    near("x of the end", value_of(&a, "b8.x"), r * sin(angle), 0.03);
    near("y of the end", value_of(&a, "b8.y"), r * (1 - cos(angle)), 0.03);
    near("x is l, y is l phi/2 seen from the part before",
         hypot(value_of(&a, "b1.x") - 0.25, value_of(&a, "b1.y") - 0.25 * angle / 16), 0, 1e-6);
    close_motion(&a);
}

// ---- turns of any size ------------------------------------------------------------------------------------------

// About one axis the torque is k phi, also beyond half a turn: I phi'' = -k phi from phi' = w has phi = w/o sin(o t), o^2 = k/I. About an
// oblique axis with one stiffness of all rotations, and about an axis of the frames with others beside it. Of a damper alone
// phi = w I/c (1 - exp(-c t/I)); a beam's torsion is that of k = G J/L.
static void torques_are_linear_in_the_angle(void **state)
{
    static const struct {
        const char *force, *omega;
        double axis[3], k, c, w;
    } cases[] = {{"type: bushing, stiffness: [1, 1, 1, 12, 12, 12]", "[0, 0, 2]", {0, 0, 1}, 12, 0, 2},
                 {"type: bushing, stiffness: [1, 1, 1, 1, 2, 12]", "[0, 0, 2]", {0, 0, 1}, 12, 0, 2},
                 {"type: bushing, stiffness: [1, 1, 1, 0.75, 0.75, 0.75]",
                  "[0.9, 0, 1.2]",
                  {0.6, 0, 0.8},
                  0.75,
                  0,
                  1.5},
                 {"type: bushing, stiffness: [1, 1, 1, 0.03, 0.03, 0.03]",
                  "[2, -1, -2]",
                  {2. / 3, -1. / 3, -2. / 3},
                  0.03,
                  0,
                  3},
                 {"type: bushing, stiffness: [1, 1, 1, 0, 0, 0], damping: [0, 0, 0, 6, 6, 6]",
                  "[0, 2, 0]",
                  {0, 1, 0},
                  0,
                  6,
                  2},
                 {"type: beam, modulus: 1, area: 1, length: 1e-3, second_moment_y: 1e-3, second_moment_z: "
                  "1e-3, shear_modulus: 1, "
                  "torsion_constant: 12e-3",
                  "[2, 0, 0]",
                  {1, 0, 0},
                  12,
                  0,
                  2}};
    (void)state;
    for (int i = 0; i < HOL_COUNT(cases); i++) {
        const double I = 3, t = i == 3 ? 1.5 : 1, k = cases[i].k, c = cases[i].c, w = cases[i].w,
                     o = sqrt(k / I);
        const double angle = k > 0 ? w / o * sin(o * t) : w * I / c * (1 - exp(-c * t / I)),
                     rate = k > 0 ? w * cos(o * t) : w * exp(-c * t / I);
        const bool beam = strncmp(cases[i].force, "type: beam", 10) == 0;
        char text[900];
        snprintf(text, sizeof text,
                 "dimension: 3\nbodies:\n  - {name: a, mass: 2, inertia: [3, 3, 3], position: [%s, 0, 0], "
                 "omega: %s}\n"
                 "forces:\n  - {name: b, between: [ground, a], %s}\n"
                 "simulate: {end: %g, method: rk, tolerance: 1e-11, signals: [a, energy]}\n",
                 beam ? "1e-3" : "0", cases[i].omega, cases[i].force, t);
        motion m = moved(text);
        const char *const q[] = {"a.qx", "a.qy", "a.qz"}, *const v[] = {"a.wx", "a.wy", "a.wz"};
        const double sign = value_of(&m, "a.qw") * cos(angle / 2) < 0 ? -1 : 1;
        for (int j = 0; j < 3; j++) {
            near(q[j], sign * value_of(&m, q[j]), sin(angle / 2) * cases[i].axis[j], 1e-9);
            near(v[j], value_of(&m, v[j]), rate * cases[i].axis[j], 1e-9);
        }
        if (i < 4) near("potential", value_of(&m, "energy.potential"), k * angle * angle / 2, 1e-8);
        close_motion(&m);
    }
}

// ---- energy ---------------------------------------------------------------------------------------------------

#define COUPLED "stiffness: [[90, 20, -8], [20, 60, 6], [-8, 6, 30]]"

// Without damping the energy stays; with it, what goes is the integral of v^T C v, here integrated by the model itself.
static void energies_balance(void **state)
{
    static const char *const damping[] = {"", ", damping: [[1, 0.2, -0.1], [0.3, 2, 0.4], [0.5, -0.6, 0.3]]"};
    (void)state;
    for (int damped = 0; damped < 2; damped++) {
        char text[1500];
        snprintf(
            text, sizeof text,
            "dimension: 2\nground: {markers: {g: {position: [0.2, 0.1], angle: 0.4}}}\nbodies:\n"
            "  - {name: a, mass: 2, inertia: 0.3, position: [0.4, -0.2], velocity: [1, -2], omega: 0.7,\n"
            "     markers: {m: [0.3, 0.2]}}\n"
            "forces:\n  - {name: b, type: bushing, between: [ground.g, a.m], " COUPLED "%s}\n"
            "variables:\n  - {name: u, value: \"VX(a.m, ground.g, ground.g)\"}\n"
            "  - {name: v, value: \"VY(a.m, ground.g, ground.g)\"}\n  - {name: w, value: WZ(a)}\n"
            "states:\n  - {name: lost, rate: %d*(u*u + 2*v*v + 0.3*w*w + 0.5*u*v + 0.4*u*w - 0.2*v*w)}\n"
            "simulate: {end: 2, tolerance: 1e-9, signals: [energy, lost]}\n",
            damping[damped], damped);
        motion a = open_motion(text, NULL, 0);
        const double before = value_of(&a, "energy.total");
        close_motion(&a);
        a = moved(text);
        const double lost = value_of(&a, "lost");
        if (damped) assert_true(lost > 0.3 * before);
        near("energy and what was lost", value_of(&a, "energy.total") + lost, before, 2e-5 * before);
        near("work", value_of(&a, "energy.work"), -lost, 2e-5 * before);
        close_motion(&a);
    }
}

// ---- another view ---------------------------------------------------------------------------------------------

static void multiply(const double a[4], const double b[4], double c[4])
{
    c[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    c[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    c[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    c[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

static void turn(const double p[4], const double u[3], double out[3])
{
    const double v[4] = {0, u[0], u[1], u[2]}, conj[4] = {p[0], -p[1], -p[2], -p[3]};
    double a[4], b[4];
    multiply(p, v, a);
    multiply(a, conj, b);
    for (int i = 0; i < 3; i++) out[i] = b[i + 1];
}

// Two bodies, free, a beam and a bushing with full matrices between them; everything turned by p. Positions at the end.
static void free_pair(const double p[4], double r[2][3])
{
    static const double given[4][3] = {
        {0.1, -0.2, 0.3}, {1.2, 0.1, -0.1}, {0.4, -0.6, 0.9}, {-0.8, 0.5, 0.7}};
    static const double second[4] = {0.5, -0.5, 0.5, 0.5};
    double x[4][3], q[4];
    char text[2500];
    for (int i = 0; i < 4; i++) turn(p, given[i], x[i]);
    multiply(p, second, q);
    snprintf(
        text, sizeof text,
        "dimension: 3\nbodies:\n"
        "  - {name: a, mass: 2, inertia: [0.2, 0.3, 0.4], position: [%.17g, %.17g, %.17g],\n"
        "     orientation: {quat_wxyz: [%.17g, %.17g, %.17g, %.17g]}, velocity: [%.17g, %.17g, %.17g],\n"
        "     omega: [%.17g, %.17g, %.17g], markers: {m: [0.2, 0.1, -0.1]}}\n"
        "  - {name: b, mass: 1, inertia: [0.1, 0.2, 0.15], position: [%.17g, %.17g, %.17g],\n"
        "     orientation: {quat_wxyz: [%.17g, %.17g, %.17g, %.17g]},\n"
        "     markers: {m: {position: [0.1, 0.2, 0.2], orientation: {quat_wxyz: [0.5, 0.5, -0.5, -0.5]}}}}\n"
        "forces:\n  - {name: beam, type: beam, between: [a.m, b.m], damping: 0.01, " BEAM_3D "}\n"
        "  - {name: bush, type: bushing, between: [b, a.m], stiffness: [\n"
        "     [11, 1, 2, 3, 4, 5], [1, 22, -6, 7, 8, -9], [2, -6, 33, 1, 2, 3], [3, 7, 1, 14, 4, 5],\n"
        "     [4, 8, 2, 4, 15, -6], [5, -9, 3, 5, -6, 16]], damping: [1, 2, 3, 0.4, 0.5, 0.6]}\n"
        "simulate: {end: 0.2, step: 1e-3, hht: {newton_tolerance: 1e-13}}\n",
        x[0][0], x[0][1], x[0][2], p[0], p[1], p[2], p[3], x[2][0], x[2][1], x[2][2], x[3][0], x[3][1],
        x[3][2], x[1][0], x[1][1], x[1][2], q[0], q[1], q[2], q[3]);
    motion a = moved(text);
    static const char *const names[2][3] = {{"a.x", "a.y", "a.z"}, {"b.x", "b.y", "b.z"}};
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 3; k++) r[i][k] = value_of(&a, names[i][k]);
    close_motion(&a);
}

static void the_view_does_not_matter(void **state)
{
    static const double same[4] = {1, 0, 0, 0}, p[4] = {0.1, -0.5, 0.7, 0.5}; // of length 1
    double r[2][3], other[2][3], turned[3];
    (void)state;
    free_pair(same, r);
    free_pair(p, other);
    for (int i = 0; i < 2; i++) {
        turn(p, r[i], turned);
        for (int k = 0; k < 3; k++) near("position", other[i][k], turned[k], 1e-9);
    }
}

// Three quarters of a turn are told once, by name; less is not.
static char told[600];
static int times;
static void remember(void *user, hol_severity severity, const char *text)
{
    (void)user;
    if (severity == HOL_WARNING) times++, snprintf(told, sizeof told, "%s", text);
}

static void whole_turns_are_warned_of(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        const char *end = k ? "simulate.end=1" : "simulate.end=0.4";
        times = 0;
        hol_context_set_log(ctx, remember, NULL);
        motion m = move(
            "dimension: 3\ngravity: [0, 0, 0]\nbodies: [{name: b, mass: 1, inertia: [0.01, 0.01, 0.015], "
            "omega: [0, "
            "0, 10]}]\nforces: [{name: f, type: bushing, between: [ground, b], stiffness: [1e4, 1e4, 1e4, "
            "10, 10, 0]}]\nsimulate: {end: 1, method: rk}\n",
            &end, 1);
        hol_context_set_log(ctx, NULL, NULL);
        close_motion(&m);
        assert_int_equal(times, k);
        if (k && !strstr(told, "bushing \"f\" is turned by")) fail_msg("told: %s", told);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(cantilevers_bend_as_they_must, start, stop),
        cmocka_unit_test_setup_teardown(cantilevers_give_way_to_shear, start, stop),
        cmocka_unit_test_setup_teardown(a_beam_rolls_up, start, stop),
        cmocka_unit_test_setup_teardown(torques_are_linear_in_the_angle, start, stop),
        cmocka_unit_test_setup_teardown(energies_balance, start, stop),
        cmocka_unit_test_setup_teardown(the_view_does_not_matter, start, stop),
        cmocka_unit_test_setup_teardown(whole_turns_are_warned_of, start, stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
