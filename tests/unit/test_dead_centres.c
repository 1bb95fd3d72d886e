// Forces of drivers around a dead centre that they touch: the motion goes on, the force grows without bound, its power does not. In each row the
// power of what drives is what the energy of the bodies changes by, v . (M a - Q), from positions, velocities and accelerations of the
// same row; these have closed forms, as has the motion. docs/theory.md, section 19.1.
#include "harness.h"
#include "holonom_analyses.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TEXT = 4000, MOST_BODIES = 6 };
#define G 9.81
#define ROUGHLY 1e-4 // multipliers between steps of methods of low order

// A crank of 0.1 m and a rod of 0.26 m, driven at the slider: from 0.24 m out to 0.36 m, where they are in line, and back, the links going on
// through the line.
#define BODIES(n)                                                                                            \
    "  - {name: crank" n ", mass: 0.5, inertia: 0.01, position: [0, 0.05], angle: 90 deg, markers: {shaft: " \
    "[-0.05, 0], pin: [0.05, 0]}}\n"                                                                         \
    "  - {name: rod" n ", mass: 0.8, inertia: 0.02, position: [0.12, 0.05], angle: -asin(0.1/0.26), "        \
    "markers: {pin: [-0.13, 0], wrist: [0.13, 0]}}\n"                                                        \
    "  - {name: slider" n ", mass: 1.2, inertia: 0.001, position: [0.24, 0]}\n"
#define JOINTS(n)                                                                                            \
    "  - {name: shaft" n ", type: revolute, between: [ground, crank" n ".shaft]}\n"                          \
    "  - {name: pin" n ", type: revolute, between: [crank" n ".pin, rod" n ".pin]}\n"                        \
    "  - {name: wrist" n ", type: revolute, between: [rod" n ".wrist, slider" n "]}\n"                       \
    "  - {name: guide" n ", type: translational, between: [ground, slider" n "]}\n"
#define OUT(T) "\"0.24+0.12*sin(pi*time/" T ")\""
static const char slider_crank[] =
    "dimension: 2\ngravity: [0, -9.81]\nbodies:\n" BODIES("") "joints:\n" JOINTS(
        "") "drivers: [{name: d, type: stroke, joint: guide, value: " OUT("1") "}]\n"
                                                                               "simulate: {end: 1, output: "
                                                                               "0.001}\n";

static const double slider_crank_mass[] = {0.5, 0.8, 1.2}, slider_crank_inertia[] = {0.01, 0.02, 0.001};
static const char *const slider_crank_bodies[] = {"crank", "rod", "slider"};

// A four-bar whose rocker is driven to where crank and coupler are in line, by the sine of time, and back: a closed form of the rocker's
// angles is in the model.
static const char four_bar[] =
    "dimension: 2\ngravity: [0, -9.81]\n"
    "parameters: {a: 0.1, b: 0.38, c: 0.2, g: 0.3, th: 0.5, px: a*cos(th), py: a*sin(th), L: "
    "sqrt((g-px)^2+py^2), "
    "be: acos((b^2+L^2-c^2)/(2*b*L))-asin(py/L), qx: px+b*cos(be), qy: py+b*sin(be), ro: pi/2-atan((qx-g)/qy)"
    ", far: acos(((a+b)^2-g^2-c^2)/(2*g*c))}\nbodies:\n"
    "  - {name: crank, mass: 1, inertia: 0.05, position: [px/2, py/2], angle: th, markers: {a: [-a/2, 0], b: "
    "[a/2, 0]}}\n"
    "  - {name: rod, mass: 1.5, inertia: 0.1, position: [(px+qx)/2, (py+qy)/2], angle: be, markers: {a: "
    "[-b/2, 0], b: [b/2, 0]}}\n"
    "  - {name: slider, mass: 2, inertia: 0.2, position: [(g+qx)/2, qy/2], angle: ro, markers: {a: [-c/2, "
    "0], "
    "b: [c/2, 0]}}\n"
    "joints:\n"
    "  - {name: A, type: revolute, between: [ground, crank.a]}\n"
    "  - {name: B, type: revolute, between: [crank.b, rod.a]}\n"
    "  - {name: C, type: revolute, between: [rod.b, slider.b]}\n"
    "  - {name: D, type: revolute, between: [ground: [g, 0], slider.a]}\n"
    "drivers: [{name: d, type: angle, joint: D, value: \"ro+(far-ro)*sin(time)\"}]\n"
    "simulate: {end: 3, output: 0.002}\n";
static const double four_bar_mass[] = {1, 1.5, 2}, four_bar_inertia[] = {0.05, 0.1, 0.2};

static double entry(const hol_result *r, size_t row, const char *name)
{
    return r->value[row * (size_t)r->n_columns + (size_t)column_of(r, name)];
}

static double of_body(const hol_result *r, size_t row, const char *body, const char *n, const char *what)
{
    char name[60];
    snprintf(name, sizeof name, "%s%s.%s", body, n, what);
    return entry(r, row, name);
}

// v . (M a - weight) of the three bodies whose names end in n.
static double power_of_motion(const hol_result *r, size_t row, const char *n, const double *mass,
                              const double *inertia)
{
    double power = 0;
    for (int b = 0; b < HOL_COUNT(slider_crank_bodies); b++) {
        const char *body = slider_crank_bodies[b];
        power += mass[b] * (of_body(r, row, body, n, "vx") * of_body(r, row, body, n, "ax") +
                            of_body(r, row, body, n, "vy") * (of_body(r, row, body, n, "ay") + G)) +
                 inertia[b] * of_body(r, row, body, n, "omega") * of_body(r, row, body, n, "alpha");
    }
    return power;
}

// All rows of a simulation that is recorded.
static hol_result *record(hol_simulation *sim)
{
    if (!sim) fail_msg("%s", hol_context_error(ctx));
    assert_int_equal(hol_simulation_record(sim), HOL_OK);
    if (hol_simulation_run(sim)) fail_msg("%s", hol_context_error(ctx));
    hol_result *r = hol_simulation_take_result(sim);
    assert_non_null(r);
    return r;
}

typedef struct {
    const char *what, *n;                            // for messages; what the names of bodies end in
    const double *mass, *inertia;                    // of crank, rod and slider, or rocker
    double pose[2];                                  // times at which something may be no number
    double allowed;                                  // part of a power, and of 1 W
    double (*load)(const hol_result *r, size_t row); // power of what else acts; NULL: nothing
} balance;

// The crank goes on through the line, and never turns back.
static void check_branch(const balance *o, const hol_result *r)
{
    for (size_t k = 1; k + 1 < r->n_rows; k++)
        if (!(entry(r, k, "crank.omega") < 0)) fail_msg("%s turns back at %g s", o->what, entry(r, k, "t"));
}

// Is the power `given` in each row the one of the motion?
static void check_powers(const balance *o, const hol_result *r, double (*given)(const hol_result *, size_t))
{
    for (size_t k = 0; k < r->n_rows; k++) {
        const double t = entry(r, k, "t"), power = given(r, k);
        const bool in_pose = fabs(t - o->pose[0]) < 1e-9 || fabs(t - o->pose[1]) < 1e-9;
        const double right = power_of_motion(r, k, o->n, o->mass, o->inertia) - (o->load ? o->load(r, k) : 0);
        char where[120];
        if (in_pose && isnan(power)) continue;
        snprintf(where, sizeof where, "%s at %g s", o->what, t);
        near(where, power, right, o->allowed * (1 + fabs(right)));
    }
}

static double power_of_d(const hol_result *r, size_t row) { return entry(r, row, "d.power"); }

static const char *const methods[] = {"rk", "hht", "bdf", "joint_bdf", "tangent", "rn4", "ros2w", "genalpha"};

// Kinematics, and runs by methods of each kind.
static void check_all_ways(balance o, const char *text, const char *const *set, int n, int most)
{
    for (int m = -1; m < most; m++) {
        char method[60];
        const char *all[8] = {method, "simulate.tolerance=1e-6"};
        for (int i = 0; i < n; i++) all[2 + i] = set[i];
        snprintf(method, sizeof method, "simulate.method=%s", methods[m < 0 ? 0 : m]);
        hol_model *model = load_model(text, all, 2 + n);
        hol_simulation *sim = m < 0 ? hol_kinematics_create(ctx, model) : hol_simulation_create(ctx, model);
        hol_result *r = record(sim);
        o.what = m < 0 ? "kinematics" : method;
        if (m > 0) o.allowed = ROUGHLY;
        check_powers(&o, r, power_of_d);
        check_branch(&o, r);
        hol_result_destroy(r);
        hol_simulation_destroy(sim);
        hol_model_destroy(model);
    }
}

// The model with other lines for its drivers.
static const char *driven_by(char text[TEXT], const char *model, const char *drivers)
{
    const char *at = strstr(model, "drivers:"), *behind = strstr(at, "simulate:");
    snprintf(text, TEXT, "%.*s%s%s", (int)(at - model), model, drivers, behind);
    return text;
}

static void slider_cranks(void **state)
{
    const balance o = {.n = "",
                       .mass = slider_crank_mass,
                       .inertia = slider_crank_inertia,
                       .pose = {0.5, 0.5},
                       .allowed = 1e-6};
    char text[TEXT];
    (void)state;
    check_all_ways(o, slider_crank, NULL, 0, HOL_COUNT(methods));
    check_all_ways(
        o,
        driven_by(text, slider_crank,
                  "drivers: [{name: d, type: distance, between: [ground, slider], value: " OUT("1") "}]\n"),
        NULL, 0, 1);
}

static void four_bars(void **state)
{
    const balance o = {.n = "",
                       .mass = four_bar_mass,
                       .inertia = four_bar_inertia,
                       .pose = {HOL_PI / 2, 0},
                       .allowed = 1e-6};
    // to rounding: rn4 and ros2w turned back there
    static const char *const digits[] = {"drivers.d.value=0.6337469448410101-0.05411932775709971*sin(time)"};
    (void)state;
    check_all_ways(o, four_bar, NULL, 0, HOL_COUNT(methods));
    check_all_ways(o, four_bar, digits, 1, HOL_COUNT(methods));
}

// Drawn in line, with the speed at which the driver leaves the dead centre: all rows but the first, and the account of the energy.
static void starts_there(void **state)
{
    static const char *const set[] = {"bodies.crank.position=[0.05, 0]",  "bodies.crank.angle=0",
                                      "bodies.crank.omega=1.2",           "bodies.crank.velocity=[0, 0.06]",
                                      "bodies.rod.position=[0.23, 0]",    "bodies.rod.angle=0",
                                      "bodies.slider.position=[0.36, 0]", "drivers.d.value=0.36-0.1*time^2"};
    const balance o = {.n = "", .mass = slider_crank_mass, .inertia = slider_crank_inertia, .allowed = 1e-6};
    (void)state;
    for (int run = 0; run < 2; run++) {
        hol_model *model = load_model(slider_crank, set, HOL_COUNT(set));
        hol_simulation *sim = run ? hol_simulation_create(ctx, model) : hol_kinematics_create(ctx, model);
        hol_result *r = record(sim);
        assert_true(isnan(entry(r, 0, "d.force")));
        balance here = o;
        here.what = run ? "run" : "kinematics";
        check_powers(&here, r, power_of_d);
        near("energy", hol_simulation_statistics(sim)->energy_drift_max, 0, 1e-8);
        hol_result_destroy(r);
        hol_simulation_destroy(sim);
        hol_model_destroy(model);
    }
}

// Friction that turns round with the slider at the dead centre, and a stop that is reached just before it: no polynomial through places beside the
// pose has their kinks.
static double power_of_friction(const hol_result *r, size_t row)
{
    const double v = entry(r, row, "slider.vx");
    return -50 * tanh(v / 0.001) * v;
}

static double power_of_stop(const hol_result *r, size_t row)
{
    return -5e4 * fmax(entry(r, row, "slider.x") - 0.3599, 0) * entry(r, row, "slider.vx");
}

#define LOADED(force)                                                                                        \
    "forces: [{name: h, type: force, on: slider, value: [\"" force                                           \
    "\", 0]}]\ndrivers: [{name: d, type: stroke, joint: guide, value: " OUT("1") "}]\n"

static void loads_with_kinks(void **state)
{
    balance o = {.n = "",
                 .mass = slider_crank_mass,
                 .inertia = slider_crank_inertia,
                 .pose = {0.5, 0.5},
                 .allowed = 1e-6,
                 .load = power_of_friction};
    char text[TEXT];
    (void)state;
    check_all_ways(o, driven_by(text, slider_crank, LOADED("-50*tanh(VX(slider)/0.001)")), NULL, 0, 1);
    o.load = power_of_stop;
    check_all_ways(o, driven_by(text, slider_crank, LOADED("-5e4*max(DX(slider)-0.3599, 0)")), NULL, 0, 1);
}

// Two mechanisms whose dead centres are near each other in time: around one of them the forces of the other have a pole too.
static double power_of_second(const hol_result *r, size_t row) { return entry(r, row, "d2.power"); }

static void poses_near_each_other(void **state)
{
    static const char text[] =
        "dimension: 2\ngravity: [0, -9.81]\nbodies:\n" BODIES("") BODIES("2") "joints:\n" JOINTS("")
            JOINTS("2") "drivers:\n"
                        "  - {name: d, type: stroke, joint: guide, value: " OUT(
                            "1") "}\n"
                                 "  - {name: d2, type: stroke, joint: guide2, value: " OUT(
                                     "0.9") "}\n"
                                            "simulate: {end: 1, "
                                            "output: 0.001}\n";
    balance o = {.what = "first",
                 .n = "",
                 .mass = slider_crank_mass,
                 .inertia = slider_crank_inertia,
                 .pose = {0.5, 0.45},
                 .allowed = 1e-6};
    (void)state;
    for (int run = 0; run < 2; run++) {
        hol_model *model = load_model(text, NULL, 0);
        hol_simulation *sim = run ? hol_simulation_create(ctx, model) : hol_kinematics_create(ctx, model);
        hol_result *r = record(sim);
        o.what = run ? "run" : "kinematics";
        o.n = "";
        check_powers(&o, r, power_of_d);
        o.n = "2";
        check_powers(&o, r, power_of_second);
        hol_result_destroy(r);
        hol_simulation_destroy(sim);
        hol_model_destroy(model);
    }
}

// What an actuator in the driver's place gives, also against friction, and a variable made of the driver's force.
static double power_of_actuator(const hol_result *r, size_t row)
{
    return entry(r, row, "w") * entry(r, row, "slider.vx");
}

static void actuators_in_the_place_of_the_driver(void **state)
{
    static const char *const force[] = {"w", "w-50 N*tanh(VX(slider)/0.001)"}, *const actuator[] = {"w"};
    const hol_inverse_options options = {.n_actuators = 1, .actuator = actuator};
    (void)state;
    for (int i = 0; i < HOL_COUNT(force); i++) {
        const balance o = {.what = force[i],
                           .n = "",
                           .mass = slider_crank_mass,
                           .inertia = slider_crank_inertia,
                           .pose = {0.5, 0.5},
                           .allowed = 1e-6,
                           .load = i ? power_of_friction : NULL};
        char text[TEXT], lines[600];
        snprintf(lines, sizeof lines,
                 "inputs: [{name: w, value: 0, unit: N}]\nforces: [{name: h, type: force, on: slider, value: "
                 "[\"%s\", 0]}]\ndrivers: [{name: d, type: stroke, joint: guide, value: " OUT("1") "}]\n",
                 force[i]);
        hol_model *model = load_model(driven_by(text, slider_crank, lines), NULL, 0);
        hol_simulation *sim = hol_inverse_create(ctx, model, &options);
        hol_result *r = record(sim);
        check_powers(&o, r, power_of_actuator);
        hol_result_destroy(r);
        hol_simulation_destroy(sim);
        hol_model_destroy(model);
    }
}

static void variables_of_the_force(void **state)
{
    char text[TEXT];
    (void)state;
    driven_by(text, slider_crank,
              "drivers: [{name: d, type: distance, between: [ground, slider], value: " OUT(
                  "1") "}]\nvariables: [{name: y, value: \"2*FX(d)\", unit: N}]\n");
    for (int run = 0; run < 2; run++) {
        hol_model *model = load_model(text, NULL, 0);
        hol_simulation *sim = run ? hol_simulation_create(ctx, model) : hol_kinematics_create(ctx, model);
        hol_result *r = record(sim);
        for (size_t k = 0; k < r->n_rows; k++) {
            const double force = entry(r, k, "d.force"), y = entry(r, k, "y");
            assert_true(isnan(y) == (k == 500));
            if (k != 500) near("variable", fabs(y), 2 * fabs(force), 1e-9 * (1 + fabs(force)));
        }
        hol_result_destroy(r);
        hol_simulation_destroy(sim);
        hol_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slider_cranks),          cmocka_unit_test(four_bars),
        cmocka_unit_test(starts_there),           cmocka_unit_test(loads_with_kinks),
        cmocka_unit_test(poses_near_each_other),  cmocka_unit_test(actuators_in_the_place_of_the_driver),
        cmocka_unit_test(variables_of_the_force),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
