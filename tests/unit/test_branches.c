// Mechanisms that can leave their branch: redundant constraints and singular poses on the way. Every method must end on the
// branch it started on; angles are compared with a solution known otherwise, since the energy does not show the branch.
//
// Without gravity one coordinate is left, T = G(theta) theta'^2/2 is constant, and theta' = sqrt(G(theta_0)/G(theta)) omega_0.
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PI 3.14159265358979323846

// ---- solutions known otherwise --------------------------------------------------------------------------------

// The classical Runge-Kutta method in many steps; error below 1e-11.
static double angle_at(double (*G)(double), double theta, double omega, double t)
{
    enum { STEPS = 20000 };
    const double h = t / STEPS, c = G(theta);
    for (int i = 0; i < STEPS; i++) {
        const double k1 = omega * sqrt(c / G(theta)), k2 = omega * sqrt(c / G(theta + h / 2 * k1)),
                     k3 = omega * sqrt(c / G(theta + h / 2 * k2)), k4 = omega * sqrt(c / G(theta + h * k3));
        theta += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    return theta;
}

// Uniform rods of length and mass 1, angles theta and -theta, the second one's end on the x axis.
static double slider_crank(double theta)
{
    const double c = cos(theta), s = sin(theta);
    return 1.0 / 3 + 1.0 / 12 + 0.25 * c * c + 2.25 * s * s;
}

// A parallelogram with equal cranks: the angle grows evenly.
static double even(double theta)
{
    (void)theta;
    return 1;
}

// Crank and rocker: ground 1, crank 0.3, coupler 0.9, rocker 0.8, uniform rods of mass 1.
#define CRANK 0.3
#define COUPLER 0.9
#define ROCKER 0.8

static void crank_rocker_pose(double theta, double P[2], double Q[2])
{
    P[0] = CRANK * cos(theta);
    P[1] = CRANK * sin(theta);
    const double x = 1 - P[0], y = -P[1], l = sqrt(x * x + y * y); // from P to the rocker's foot
    const double along = (COUPLER * COUPLER - ROCKER * ROCKER + l * l) / (2 * l);
    const double up = sqrt(COUPLER * COUPLER - along * along);
    Q[0] = P[0] + (along * x - up * y) / l;
    Q[1] = P[1] + (along * y + up * x) / l;
}

static double crank_rocker(double theta)
{
    double P[2], Q[2];
    crank_rocker_pose(theta, P, Q);
    const double b[2] = {Q[0] - P[0], Q[1] - P[1]}, c[2] = {Q[0] - 1, Q[1]}, dP[2] = {-P[1], P[0]};
    const double rocker = (dP[0] * b[0] + dP[1] * b[1]) / (-c[1] * b[0] + c[0] * b[1]);
    const double dQ[2] = {-rocker * c[1], rocker * c[0]};
    const double coupler = (b[0] * (dQ[1] - dP[1]) - b[1] * (dQ[0] - dP[0])) / (COUPLER * COUPLER);
    const double x = (dP[0] + dQ[0]) / 2, y = (dP[1] + dQ[1]) / 2;
    return CRANK * CRANK / 3 + x * x + y * y + COUPLER * COUPLER / 12 * coupler * coupler +
           ROCKER * ROCKER / 3 * rocker * rocker;
}

// ---- models ---------------------------------------------------------------------------------------------------

#define ROD "mass: 1, inertia: 1/12, markers: {a: [-1/2, 0], b: [1/2, 0]}"

static const char slider_crank_text[] =
    "dimension: 2\n"
    "gravity: [0, 0]\n"
    "parameters: {phi: 60 deg, w: 12}\n"
    "bodies:\n"
    "  - {name: crank, " ROD ", position: [cos(phi)/2, sin(phi)/2], angle: phi, omega: w}\n"
    "  - {name: rod, " ROD ", position: [1.5*cos(phi), sin(phi)/2], angle: -phi, omega: -w}\n"
    "joints:\n"
    "  - {name: shaft, type: revolute, between: [ground, crank.a]}\n"
    "  - {name: pin, type: revolute, between: [crank.b, rod.a]}\n"
    "  - {name: guide, type: in-line, between: [ground, rod.b]}\n"
    "simulate: {end: 1}\n";

// In space, with four revolute joints: three equations more than are independent.
static const char crank_rocker_text[] =
    "dimension: 3\n"
    "gravity: [0, 0, 0]\n"
    "length_scale: 1\n"
    "parameters: {Px: 0, Py: 0, Qx: 0, Qy: 0, phi: 60 deg, w: 3.6}\n"
    "bodies:\n"
    "  - {name: crank, mass: 1, inertia: [1e-3, 0.3^2/12, 0.3^2/12], position: [Px/2, Py/2, 0],\n"
    "     orientation: {axis: [0, 0, 1], angle: phi}, omega: [0, 0, w]}\n"
    "  - {name: coupler, mass: 1, inertia: [1e-3, 0.9^2/12, 0.9^2/12], position: [(Px + Qx)/2, (Py + Qy)/2, "
    "0],\n"
    "     orientation: {axis: [0, 0, 1], angle: \"atan2(Qy - Py, Qx - Px)\"}}\n"
    "  - {name: rocker, mass: 1, inertia: [1e-3, 0.8^2/12, 0.8^2/12], position: [(1 + Qx)/2, Qy/2, 0],\n"
    "     orientation: {axis: [0, 0, 1], angle: \"atan2(Qy, Qx - 1)\"}}\n"
    "joints:\n"
    "  - {name: A, type: revolute, bodies: [ground, crank], at: [0, 0, 0], axis: [0, 0, 1]}\n"
    "  - {name: B, type: revolute, bodies: [crank, coupler], at: [Px, Py, 0], axis: [0, 0, 1]}\n"
    "  - {name: C, type: revolute, bodies: [coupler, rocker], at: [Qx, Qy, 0], axis: [0, 0, 1]}\n"
    "  - {name: D, type: revolute, bodies: [rocker, ground], at: [1, 0, 0], axis: [0, 0, 1]}\n"
    "simulate: {end: 1}\n";

enum { SETTINGS = 12 };

typedef struct {
    const char *text; // NULL: the shipped model `name`
    const char *name;
    const char *set[6];
    double end;
} mechanism;

static hol_model *load(const mechanism *k, const char *const *more)
{
    char path[100], pose[4][60], last[60];
    const char *set[2 * SETTINGS];
    int n = 0;
    for (int i = 0; i < 6 && k->set[i]; i++) set[n++] = k->set[i];
    while (*more) set[n++] = *more++;
    snprintf(last, sizeof last, "simulate.end=%.17g", k->end);
    set[n++] = last;
    if (k->text == crank_rocker_text) {
        double P[2], Q[2];
        crank_rocker_pose(PI / 3, P, Q);
        const char *const name[] = {"Px", "Py", "Qx", "Qy"};
        for (int i = 0; i < 4; i++) {
            snprintf(pose[i], sizeof pose[i], "parameters.%s=%.17g", name[i], i < 2 ? P[i] : Q[i - 2]);
            set[n++] = pose[i];
        }
    }
    snprintf(path, sizeof path, "models/%s.yaml", k->name);
    hol_model *model = k->text ? hol_model_parse(ctx, k->name, k->text, strlen(k->text), set, n)
                               : hol_model_load(ctx, path, set, n);
    if (!model) print_error("%s: %s\n", k->name, hol_context_error(ctx));
    assert_non_null(model);
    return model;
}

// Runs to the end; the values of the signals there. omega: of the crank at the start, where the velocities given have
// become those nearest to them that the joints admit.
static hol_status run(const mechanism *k, const char *const *settings, const char *speed, double *omega,
                      const char *const *signal, double *out)
{
    hol_model *model = load(k, settings);
    hol_simulation *sim = hol_simulation_create(ctx, model);
    if (!sim) print_error("%s: %s\n", k->name, hol_context_error(ctx));
    assert_non_null(sim);
    *omega = signal_value(sim, speed);
    const hol_status st = hol_simulation_run(sim);
    for (; !st && *signal; signal++) *out++ = signal_value(sim, *signal);
    hol_simulation_destroy(sim);
    hol_model_destroy(model);
    return st;
}

// ---- the methods ----------------------------------------------------------------------------------------------

typedef struct {
    const char *title;
    const char *set[4];
    double bound; // of the error over 1 + |value|: the longer the way, the larger
} method;

// Classical Newmark with gamma = 1/2 does not come through the singular poses; above it its order is 1.
static const method methods[] = {
    {"tangent", {"simulate.method=tangent", "simulate.step=1e-3"}, 1e-4},
    {"newmark", {"simulate.method=newmark", "simulate.step=1e-3", "newmark.gamma=0.51"}, 5e-3},
    {"rk", {"simulate.method=rk", "simulate.tolerance=1e-8"}, 1e-6}};

static int check(const char *what, const method *m, double value, double known)
{
    const double error = fabs(value - known);
    print_message("%-16s %-8s at %.3f, error %.1e\n", what, m->title, known, error);
    if (error < m->bound * (1 + fabs(known))) return 0;
    print_error("%s with %s: %.8f instead of %.8f\n", what, m->title, value, known);
    return 1;
}

static void mechanisms_stay_on_their_branch(void **state)
{
    (void)state;
    int failed = 0;
    for (int i = 0; i < (int)(sizeof methods / sizeof *methods); i++) {
        const method *m = &methods[i];
        const char *const list[] = {m->set[0], m->set[1], m->set[2], m->set[3], NULL};
        double x[4], omega;
        // passes its change points at t = pi/2, 3 pi/2
        const mechanism parallelogram = {
            NULL, "four_bar", {"parameters.N=1", "gravity=[0, 0]", "simulate.output=7"}, 7};
        const char *const cranks[] = {"crank0.theta", "crank1.theta", NULL};
        assert_int_equal(run(&parallelogram, list, "crank0.omega", &omega, cranks, x), HOL_OK);
        for (int k = 0; k < 2; k++) failed += check("parallelogram", m, x[k], angle_at(even, PI / 2, -1, 7));
        // singular seven times; the last rows of tests/reference/four_bar.csv and bricard.csv
        const mechanism chain = {NULL, "four_bar", {"simulate.output=10"}, 10};
        const char *const three[] = {"crank0.theta", "crank1.theta", "crank2.theta", NULL};
        assert_int_equal(run(&chain, list, "crank0.omega", &omega, three, x), HOL_OK);
        for (int k = 0; k < 3; k++) failed += check("two four-bars", m, x[k], -30.179800860191217);
        const mechanism bricard = {NULL, "bricard", {"simulate.output=10"}, 10};
        const char *const P3[] = {"rod3.P3.x", "rod3.P3.y", "rod3.P3.z", NULL};
        const double known[] = {0.99999996380635012, -1.0002690126961642, 0.99973095111992042};
        assert_int_equal(run(&bricard, list, "rod3.wx", &omega, P3, x), HOL_OK);
        for (int k = 0; k < 3; k++) failed += check("Bricard", m, x[k], known[k]);
        // several turns
        const mechanism rocker = {crank_rocker_text, "crank_rocker", {"simulate.output=3"}, 3};
        const char *const pose[] = {"crank.x", "crank.y", "rocker.x", "rocker.y", NULL};
        assert_int_equal(run(&rocker, list, "crank.wz", &omega, pose, x), HOL_OK);
        double P[2], Q[2], theta = angle_at(crank_rocker, PI / 3, omega, 3);
        crank_rocker_pose(theta, P, Q);
        failed += check("four-bar, space", m, x[0], P[0] / 2) + check("", m, x[1], P[1] / 2);
        failed += check("its rocker", m, x[2], (1 + Q[0]) / 2) + check("", m, x[3], Q[1] / 2);
    }
    assert_int_equal(failed, 0);
}

// At 90 degrees both rods lie on each other: there the second may turn alone. A method goes through with the crank and the
// rod symmetric, or stops and names the joints.
static void slider_crank_passes_its_dead_centre_or_says_why_not(void **state)
{
    (void)state;
    static const mechanism k = {slider_crank_text, "slider_crank", {"simulate.output=2"}, 2};
    int failed = 0;
    for (int i = 0; i < (int)(sizeof methods / sizeof *methods); i++) {
        const method *m = &methods[i];
        const char *const list[] = {m->set[0], m->set[1], m->set[2], m->set[3], NULL};
        const char *const signals[] = {"crank.theta", "rod.theta", NULL};
        double x[2], omega;
        if (run(&k, list, "crank.omega", &omega, signals, x)) {
            print_message("slider-crank     %-8s %s\n", m->title, hol_context_error(ctx));
            failed += !strstr(hol_context_error(ctx), "guide") && !strstr(hol_context_error(ctx), "pin");
            continue;
        }
        const double theta = angle_at(slider_crank, PI / 3, omega, 2);
        failed += check("slider-crank", m, x[0], theta) + check("its rod", m, x[1], -theta);
    }
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(mechanisms_stay_on_their_branch, start, stop),
        cmocka_unit_test_setup_teardown(slider_crank_passes_its_dead_centre_or_says_why_not, start, stop)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
