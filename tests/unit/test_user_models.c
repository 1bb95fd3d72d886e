// The tutorial models with users' equations against solutions found without this program: closed forms, and equations of
// motion in minimal coordinates integrated to twelve digits. tests/reference/user_models.py derives and prints the numbers.
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

enum { MAX_KNOWN = 9, MAX_SIGNALS = 6 };

enum {
    HHT,
    GENALPHA,
    NEWMARK,
    METHODS,
    RN4 = METHODS,
    ROS2W,
    ADAMS,
    RK,
    ALL
}; // METHODS: of the index-3 family

static const char *const method_names[ALL] = {"hht", "genalpha", "newmark", "rn4", "ros2w", "adams", "rk"};

// Of the methods on the state-space equations. ros2w is of order 2: its errors fall with the
// tolerance, its steps grow with the root of it, to tens of thousands at 1e-7.
static const double tight[ALL - METHODS] = {1e-7, 1e-4, 1e-7, 1e-7};

#define ROUNDING 1e-12 // relative

static int at_most(double x, double bound, const char *model, const char *method, const char *what)
{
    if (x <= bound) return 0;
    print_error("%s, %s: %s is %.4g, at most %.4g is wanted\n", model, method, what, x, bound);
    return 1;
}

// ---- runs -------------------------------------------------------------------------------------------------------

// step > 0: fixed steps, else a tolerance of a step. more: another setting, "path=value", or NULL.
static motion begin(const char *name, int method, double end, double step, double tolerance, const char *more)
{
    char text[3][100];
    const char *set[] = {text[0], text[1], text[2], more};
    snprintf(text[0], sizeof text[0], "simulate.method=%s", method_names[method]);
    snprintf(text[1], sizeof text[1], "simulate.end=%.17g", end);
    if (step > 0) snprintf(text[2], sizeof text[2], "simulate.step=%.17g", step);
    if (step <= 0)
        snprintf(text[2], sizeof text[2], "simulate.tolerance=%.17g",
                 tolerance_of_steps(method_names[method], tolerance));
    return open_motion(name, set, more ? 4 : 3);
}

static int signal_of(const motion *r, const char *name)
{
    const int i = hol_simulation_find_signal(r->sim, name);
    if (i < 0) fail_msg("no signal %s", name);
    return i;
}

// ---- references -------------------------------------------------------------------------------------------------

typedef struct {
    const char *signal;
    double exact, size;
} known;

typedef struct {
    const char *model;
    double end;
    double by_tolerance;        // hht, genalpha: largest error / tolerance^(2/3), about twice what it is
    double newmark;             // its largest error with tolerance 1e-7, about twice what it is
    double step;                // fixed step for orders of convergence; 0: not smooth
    double seen[ALL - METHODS]; // largest errors of rn4, ros2w, adams, rk with tolerances tight; 0: rounding
    known value[MAX_KNOWN];
} reference;

static const reference references[] = {
    {"inverted_pendulum",
     1,
     3,
     1.6e-3,
     4e-3,
     {6.1e-8, 6e-4, 3.8e-6, 1.1e-10},
     {{"cart.x", 0.321918005140559, 0.4},
      {"lean", -0.0306424127227819, 0.1},
      {"cart.vx", 0.228587662130602, 0.4},
      {"rod.omega", 0.0105937424768289, 0.1},
      {"sum_error", 0.027630763021275, 0.05},
      {"push", -0.4207064880514, 2},
      {"rail.Fy", 11.7722551561039, 10}}},
    {"inverted_pendulum",
     4,
     2,
     1.6e-3,
     4e-3,
     {1.7e-7, 4.2e-4, 3e-6, 3.3e-11},
     {{"cart.x", 0.351097081543672, 0.4},
      {"lean", 0.00309057677302684, 0.1},
      {"cart.vx", 0.00150067481028273, 0.4},
      {"rod.omega", 0.00240463377647368, 0.1},
      {"sum_error", 0.0023152733771624, 0.05},
      {"push", 0.0373019368529064, 2},
      {"rail.Fy", 11.7720000590551, 10}}},
    {"rolling_disc",
     2,
     60,
     0.2,
     2e-3,
     {2.6e-6, 3.6e-3, 5.6e-5, 1.2e-7},
     {{"disc.x", -0.692340997710194, 1},
      {"disc.y", -0.667658573449792, 1},
      {"disc.z", 0.228826183568239, 1},
      {"disc.axis.x", -0.692340997710194 - 0.756414442555765, 1},
      {"disc.axis.y", -0.667658573449792 - 0.098136497049315, 1},
      {"disc.axis.z", 0.228826183568239 + 0.64668881159329, 1},
      {"track_x", -0.884735187208295, 1},
      {"track_y", -0.692619614312776, 1},
      {"energy.total", 8.90603076594618, 10}}},
    {"knife_edge",
     7,
     20,
     0.06,
     4e-3,
     {1e-8, 1.2e-3, 8.4e-7, 3.9e-7},
     {{"sled.x", 0.576996495918247, 1},
      {"sled.y", 7.51693422199166, 1},
      {"sled.vx", 0.935720576198702, 1},
      {"sled.vy", 1.73098948775474, 1}}},
    {"cam_follower",
     0.329,
     5,
     1e-4,
     0,
     {0, 0, 0, 0},
     {{"follower.y", 0.0582667309527777, 0.1}, {"follower.vy", -0.377056729392138, 1}}},
    {"gear_train",
     0.2,
     0.8,
     5e-3,
     4e-3,
     {5e-9, 1.2e-4, 6.5e-9, 0},
     {{"motor.omega", 60.7246437516133, 100},
      {"motor.theta", 6.99082396232295, 10},
      {"motor.alpha", 185.062341845613, 100},
      {"middle.omega", -60.7246437516133 / 3, 100},
      {"drum.omega", 60.7246437516133 / 12, 100},
      {"load.y", -1 + 0.0582568663526912, 0.1},
      {"winding.lambda", 136.226234184561, 100},
      {"stage2.lambda", 15.0105909822982, 10},
      {"stage1.lambda", -4.24614732382952, 10}}},
    {"impact_stop",
     0.25,
     40,
     0.02,
     0,
     {3.6e-8, 1.8e-4, 1.4e-6, 2.5e-7},
     {{"crank.theta", 0.867616458604586, 1},
      {"crank.omega", 1.6085844610296, 10},
      {"slider.x", 0.354805165310055, 0.1},
      {"slider.vx", -0.150048031887331, 1},
      {"bump", 0, 1000}}},
    {"impact_stop",
     0.6,
     20,
     4e-3,
     0,
     {6.5e-7, 3.3e-4, 2.2e-6, 8.9e-7},
     {{"crank.theta", 0.690997050907006, 1},
      {"crank.omega", -0.0169243842054239, 10},
      {"slider.x", 0.370213638865679, 0.1},
      {"slider.vx", 0.00136213302489036, 1},
      {"bump", 31.6531129743584, 1000}}},
    {"hydraulic",
     0.25,
     0.05,
     3e-6,
     1e-3,
     {4.7e-8, 8.2e-5, 1.1e-7, 3.6e-9},
     {{"mass.x", 0.0663032727580796, 0.1},
      {"mass.vx", 0.30387394374688, 0.4},
      {"pressure1", 6621292.15500265, 1e7},
      {"pressure2", 1617629.13242661, 1e7}}},
    {"hydraulic",
     0.8,
     3,
     4e-4,
     1e-3,
     {1.9e-7, 1.7e-4, 5.4e-6, 1.7e-9},
     {{"mass.x", 0.119295318782591, 0.1},
      {"mass.vx", -0.00118416823441338, 0.4},
      {"pressure1", 10000209.6709573, 1e7},
      {"pressure2", 100027.832874103, 1e7}}},
    {"hydraulic",
     1.2,
     8,
     6e-4,
     0,
     {1.9e-6, 2.4e-4, 2.6e-6, 7.6e-8},
     {{"mass.x", 0.118879983406787, 0.1},
      {"mass.vx", -0.000860363031269417, 0.4},
      {"pressure1", 10187961.8471947, 1e7},
      {"pressure2", 427504.529704486, 1e7}}},
};

enum { REFERENCES = sizeof references / sizeof *references };

static double error_of(const reference *r, int method, double step, double tolerance)
{
    motion a = begin(r->model, method, r->end, step, tolerance, NULL);
    double error = 0;
    assert_int_equal(hol_simulation_run(a.sim), HOL_OK);
    for (int i = 0; i < MAX_KNOWN && r->value[i].signal; i++)
        error = fmax(error, fabs(value_of(&a, r->value[i].signal) - r->value[i].exact) / r->value[i].size);
    close_motion(&a);
    return error;
}

// The median over tolerances close by where the motion is not smooth. Shortly after a jump of a force the error of the velocity is that
// of where the last steps lie, and that is chosen by rounding: genalpha on the follower is off by 3e-7 to 2e-4 where the tolerance changes
// by 1e-11 of itself.
static double error_by_tolerance(const reference *r, int method, double tolerance)
{
    double sorted[CLOSE_BY];
    if (r->step > 0) return error_of(r, method, 0, tolerance);
    for (int k = 0; k < CLOSE_BY; k++)
        put_in_order(sorted, k, error_of(r, method, 0, tolerance_close_by(tolerance, k)));
    return sorted[CLOSE_BY / 2];
}

// Errors of hht and genalpha behave like tolerance^(2/3) (docs/theory.md, 5.5).
static void errors_follow_the_tolerance(void **state)
{
    static const double tolerances[] = {1e-5, 1e-7};
    int wrong = 0;
    (void)state;
    for (int i = 0; i < REFERENCES; i += few() ? 3 : 1)
        for (int m = HHT; m <= GENALPHA; m++)
            for (int k = 0; k < 2; k++)
                if (in_sample(i + m + k, 2, 2))
                    wrong +=
                        at_most(error_by_tolerance(&references[i], m, tolerances[k]),
                                references[i].by_tolerance * pow(tolerances[k], 2 / 3.), references[i].model,
                                method_names[m], k ? "error at 1e-7" : "error at 1e-5");
    for (int i = 0; i < REFERENCES; i += few() ? 3 : 1)
        wrong += at_most(error_by_tolerance(&references[i], NEWMARK, 1e-7), references[i].newmark,
                         references[i].model, method_names[NEWMARK], "error");
    assert_int_equal(wrong, 0);
}

// The hydraulic model is stiff for adams and rk after 0.3 s, and costs them thousands of steps, but no error.
static void state_space_methods_meet_the_references(void **state)
{
    int wrong = 0;
    (void)state;
    for (int i = 0; i < REFERENCES; i += few() ? 3 : 1)
        for (int m = METHODS; m < ALL; m++)
            wrong += at_most(error_of(&references[i], m, 0, tight[m - METHODS]),
                             2 * references[i].seen[m - METHODS] + ROUNDING, references[i].model,
                             method_names[m], "error");
    assert_int_equal(wrong, 0);
}

static void orders_of_convergence(void **state)
{
    static const double order[] = {2, 2, 1};
    int wrong = 0;
    (void)state;
    for (int i = few(); i < REFERENCES; i += few() ? 3 : 1)
        for (int m = 0; m < METHODS && references[i].step > 0; m++) {
            const double h = references[i].step;
            const double found =
                log2(error_of(&references[i], m, h, 0) / error_of(&references[i], m, h / 2, 0));
            wrong += at_most(fabs(found - order[m]), 0.15, references[i].model, method_names[m],
                             "distance from the order");
        }
    assert_int_equal(wrong, 0);
}

// ---- whole motions ------------------------------------------------------------------------------------------------

// The three methods side by side with the same steps.
static void methods_agree(void **state)
{
    static const struct {
        const char *model;
        double step, end;
        double close, near; // hht and genalpha; newmark and hht
        const char *signal[MAX_SIGNALS];
        double size[MAX_SIGNALS];
    } motions[] = {
        {"inverted_pendulum",
         2e-3,
         4,
         4e-5,
         4e-3,
         {"cart.x", "lean", "cart.vx", "sum_error"},
         {0.4, 0.1, 0.4, 0.05}},
        {"rolling_disc", 1e-3, 2, 4e-5, 0.05, {"disc.x", "disc.y", "disc.z", "disc.axis.z"}, {1, 1, 1, 1}},
        {"knife_edge", 2e-3, 7, 4e-5, 0.04, {"sled.x", "sled.y", "sled.vx", "sled.vy"}, {1, 1, 1, 1}},
        {"cam_follower", 5e-4, 0.2, 1e-12, 1e-12, {"cam.theta", "follower.y"}, {1, 1}},
        {"gear_train", 2e-3, 1, 6e-6, 3e-3, {"motor.omega", "drum.theta", "load.y"}, {100, 10, 1}},
        {"impact_stop", 2e-4, 0.6, 8e-4, 0.06, {"crank.theta", "slider.x"}, {1, 0.1}},
        {"hydraulic",
         5e-4,
         1.2,
         6e-4,
         8e-3,
         {"mass.x", "mass.vx", "pressure1", "pressure2"},
         {0.1, 0.4, 1e7, 1e7}},
    };
    int wrong = 0;
    (void)state;
    for (size_t i = 0; i < sizeof motions / sizeof *motions; i++) {
        motion r[METHODS];
        double close = 0, near = 0;
        bool done = false;
        for (int m = 0; m < METHODS; m++)
            r[m] = begin(motions[i].model, m, motions[i].end, motions[i].step, 0, NULL);
        while (!done) {
            const double *x[METHODS];
            for (int m = 0; m < METHODS; m++) {
                assert_int_equal(hol_simulation_step(r[m].sim, &done), HOL_OK);
                x[m] = hol_simulation_values(r[m].sim);
            }
            for (int k = 0; k < MAX_SIGNALS && motions[i].signal[k]; k++) {
                const int s = signal_of(&r[0], motions[i].signal[k]);
                close = fmax(close, fabs(x[1][s] - x[0][s]) / motions[i].size[k]);
                near = fmax(near, fabs(x[2][s] - x[0][s]) / motions[i].size[k]);
            }
        }
        wrong += at_most(close, motions[i].close, motions[i].model, "genalpha", "distance from hht");
        wrong += at_most(near, motions[i].near, motions[i].model, "newmark", "distance from hht");
        for (int m = 0; m < METHODS; m++) close_motion(&r[m]);
    }
    assert_int_equal(wrong, 0);
}

static void velocity_constraints_are_kept(void **state)
{
    static const char *const models[] = {"rolling_disc", "knife_edge"};
    static const struct {
        double step, tolerance;
    } steps[] = {{1e-3, 0}, {1e-2, 0}, {0, 1e-3}, {0, 1e-4}, {0, 1e-6}};
    // The smallest steps are long runs; adams has no fixed ones.
    static const struct {
        int first, end;
    } of[ALL] = {{0, 5}, {0, 5}, {0, 5}, {1, 5}, {1, 4}, {2, 5}, {1, 5}};
    int wrong = 0;
    (void)state;
    for (int i = 0; i < 2; i++)
        for (int m = 0; m < ALL; m++)
            for (int k = of[m].first; k < of[m].end; k++) {
                char what[100];
                double worst = 0;
                bool done = false;
                motion r = begin(models[i], m, 2, steps[k].step, steps[k].tolerance, NULL);
                while (!done) {
                    assert_int_equal(hol_simulation_step(r.sim, &done), HOL_OK);
                    worst = fmax(worst, value_of(&r, "violation.rate"));
                }
                assert_true(hol_simulation_statistics(r.sim)->max_rate_violation >= worst);
                worst = hol_simulation_statistics(r.sim)->max_rate_violation;
                snprintf(what, sizeof what, "violation of the velocity constraints (step %g, tolerance %g)",
                         steps[k].step, steps[k].tolerance);
                wrong += at_most(worst, 1e-10, models[i], method_names[m], what);
                close_motion(&r);
            }
    assert_int_equal(wrong, 0);
}

// What the motors, dampers, controllers and pressures put in and take out is in energy.work. (The other methods' steps are
// too long for this: the rule that adds up the power over each of them has larger errors than the motion.)
static void energy_is_balanced(void **state)
{
    static const struct {
        const char *model;
        double end, size, by_tolerance, power; // of the energies [J]; drift / size / tolerance^power at most
    } models[] = {{"inverted_pendulum", 4, 0.6, 4, 2 / 3.},
                  {"rolling_disc", 5, 9, 8, 2 / 3.},
                  {"knife_edge", 7, 80, 0.2, 2 / 3.},
                  {"cam_follower", 0.4, 0.8, 5, 1 / 3.}, // jumps of the acceleration cost an order
                  {"gear_train", 2, 100, 1, 2 / 3.},
                  {"impact_stop", 0.6, 2, 30, 2 / 3.},
                  {"hydraulic", 1.2, 700, 10, 2 / 3.}};
    static const double tolerances[] = {1e-5, 1e-7};
    int wrong = 0;
    (void)state;
    for (size_t i = 0; i < sizeof models / sizeof *models; i++)
        for (int m = HHT; m <= GENALPHA; m++)
            for (int k = 0; k < 2; k++) {
                double first = 0, drift = 0;
                bool done = false;
                motion r = begin(models[i].model, m, models[i].end, 0, tolerances[k], NULL);
                first = value_of(&r, "energy.total");
                while (!done) {
                    assert_int_equal(hol_simulation_step(r.sim, &done), HOL_OK);
                    drift =
                        fmax(drift, fabs(value_of(&r, "energy.total") - value_of(&r, "energy.work") - first));
                }
                wrong += at_most(drift / models[i].size,
                                 models[i].by_tolerance * pow(tolerances[k], models[i].power),
                                 models[i].model, method_names[m], k ? "drift at 1e-7" : "drift at 1e-5");
                close_motion(&r);
            }
    assert_int_equal(wrong, 0);
}

// An event ends the run: how far is its time from that of the reference?
static void events_are_on_time(void **state)
{
    static const struct {
        const char *model, *when, *direction;
        double time, seen[5]; // [s] with hht at 1e-7, and the others with tolerances tight
    } events[] = {
        {"inverted_pendulum", "lean", "falling", 0.52009807287117, {1e-5, 1.8e-8, 1.3e-4, 1.3e-6, 1.1e-8}},
        {"rolling_disc", "DX(disc)", "falling", 1.34082694724438, {1.1e-4, 5.1e-7, 7.1e-4, 6.4e-6, 1.2e-8}},
        {"knife_edge",
         "DX(sled) - 9.81*sin(slope)/(4*spin^2)",
         "rising",
         PI / 6,
         {1.3e-5, 2e-9, 3.5e-5, 4.1e-8, 2.4e-12}},
        {"gear_train",
         "WZ(motor) - 50",
         "rising",
         0.148627307731393,
         {4.6e-7, 1.9e-10, 3.9e-5, 3.2e-9, 3.5e-10}},
        {"impact_stop", "gap", "falling", 0.186343293967418, {9.5e-7, 8.9e-10, 2.3e-5, 5.4e-8, 2.8e-10}},
        {"hydraulic",
         "DX(mass) - 0.05",
         "rising",
         0.199960585723422,
         {1.5e-7, 3.6e-11, 3e-5, 8.2e-10, 5.8e-10}},
    };
    int wrong = 0;
    (void)state;
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        for (int k = 0; k < 5; k++) {
            const int m = k ? METHODS + k - 1 : HHT;
            char text[200], method[60], value[60];
            const char *const set[] = {method, value, "simulate.end=2"};
            motion r;
            const int length = snprintf(
                text, sizeof text,
                "include: models/%s.yaml\nevents:\n  - {name: it, when: \"%s\", direction: %s, stop: yes}\n",
                events[i].model, events[i].when, events[i].direction);
            snprintf(method, sizeof method, "simulate.method=%s", method_names[m]);
            snprintf(value, sizeof value, "simulate.tolerance=%.17g",
                     tolerance_of_steps(method_names[m], k ? tight[k - 1] : 1e-7));
            r.model = hol_model_parse(ctx, "event.yaml", text, (size_t)length, set, 3);
            assert_string_equal(hol_context_error(ctx), "");
            r.sim = hol_simulation_create(ctx, r.model);
            assert_non_null(r.sim);
            assert_int_equal(hol_simulation_run(r.sim), HOL_OK);
            const hol_statistics *s = hol_simulation_finish(r.sim);
            assert_string_equal(s->ended_by, "it");
            wrong += at_most(fabs(s->time - events[i].time), 2 * events[i].seen[k] + ROUNDING,
                             events[i].model, method_names[m], "error of the time of the event");
            close_motion(&r);
        }
    assert_int_equal(wrong, 0);
}

// ---- one by one ---------------------------------------------------------------------------------------------------

static void the_models_have_the_right_counts(void **state)
{
    static const struct {
        const char *name;
        int bodies, coordinates, constraints;
    } models[] = {{"inverted_pendulum", 2, 6, 4}, {"rolling_disc", 1, 7, 2}, {"knife_edge", 1, 3, 0},
                  {"cam_follower", 2, 6, 6},      {"gear_train", 4, 12, 11}, {"impact_stop", 3, 9, 8},
                  {"hydraulic", 1, 3, 2}};
    (void)state;
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        motion r = begin(models[i].name, 0, 1, 0, 1e-4, NULL);
        hol_check *c = hol_check_create(ctx, r.model);
        assert_non_null(c);
        assert_int_equal(c->bodies, models[i].bodies);
        assert_int_equal(c->coordinates, models[i].coordinates);
        assert_int_equal(c->constraints, models[i].constraints);
        assert_int_equal(c->n_redundant, 0);
        assert_true(c->position_violation < 1e-12 && c->velocity_violation < 1e-12);
        hol_check_destroy(c);
        close_motion(&r);
    }
}

static void the_pendulum_is_stable_and_the_cart_arrives(void **state)
{
    (void)state;
    for (int m = 0; m < ALL; m++) {
        motion r = begin("inverted_pendulum", m, 12, 0, 1e-5, NULL);
        assert_int_equal(hol_simulation_run(r.sim), HOL_OK);
        assert_true(fabs(value_of(&r, "cart.x") - 0.4) < 1e-3);
        assert_true(fabs(value_of(&r, "lean")) < 1e-4);
        assert_true(fabs(value_of(&r, "push")) < 1e-2);
        close_motion(&r);
    }
}

// The skate on the inclined plane: x = a/(2 w^2) sin^2 wt, y = a/(2 w^2) (wt - sin(2wt)/2), a = g sin(slope), and the force
// across the blade 2 m a sin wt.
static void the_sled_follows_its_cycloid(void **state)
{
    const double w = 1.5, a = 9.81 * sin(20 * PI / 180);
    int wrong = 0;
    (void)state;
    for (int m = 0; m < ALL; m++) {
        if (m == NEWMARK || m == ROS2W || m == ADAMS) continue; // larger errors, no fixed steps
        double path = 0, force = 0;
        bool done = false;
        motion r = begin("knife_edge", m, 7, 2e-3, 0, NULL);
        while (!done) {
            assert_int_equal(hol_simulation_step(r.sim, &done), HOL_OK);
            const double u = w * hol_simulation_time(r.sim);
            path = fmax(path, hypot(value_of(&r, "sled.x") - a / (2 * w * w) * sin(u) * sin(u),
                                    value_of(&r, "sled.y") - a / (2 * w * w) * (u - sin(2 * u) / 2)));
            force = fmax(force, fabs(value_of(&r, "blade.lambda") + 10 * a * sin(u)));
        }
        wrong += at_most(path, 5e-5, "knife_edge", method_names[m], "error of the path");
        wrong += at_most(force, 1e-4, "knife_edge", method_names[m], "error of the force");
        close_motion(&r);
    }
    assert_int_equal(wrong, 0);
}

// Without a change of tilt the centre runs on a circle: the spin follows from the tilt and the turn. Ground reactions at
// t = 2 s of the wobbling motion besides.
static void the_disc_rolls_on_a_circle(void **state)
{
    int wrong = 0;
    (void)state;
    for (int m = 0; m < 2; m++) {
        const char *set[] = {"parameters.turn=2", "parameters.spin=-3.60669615082772", "simulate.end=3",
                             "simulate.step=1e-3", m ? "simulate.method=genalpha" : "simulate.method=hht"};
        const double radius = 0.508377863752462, tilt = 70 * PI / 180;
        motion r;
        double off = 0, sink = 0;
        bool done = false;
        r.model = hol_model_load(ctx, "models/rolling_disc.yaml", set, 5);
        r.sim = hol_simulation_create(ctx, r.model);
        assert_non_null(r.sim);
        while (!done) {
            assert_int_equal(hol_simulation_step(r.sim, &done), HOL_OK);
            off = fmax(off, fabs(hypot(value_of(&r, "disc.x"), value_of(&r, "disc.y") + radius) - radius));
            sink = fmax(sink, fabs(value_of(&r, "disc.z") - 0.3 * sin(tilt)));
        }
        wrong += at_most(off, 2e-6, "rolling_disc", method_names[m], "distance from the circle");
        wrong += at_most(sink, 2e-7, "rolling_disc", method_names[m], "change of height");
        wrong += at_most(
            hypot(value_of(&r, "disc.x") + 0.0517046559090109, value_of(&r, "disc.y") + 0.00263615011708507),
            1e-4, "rolling_disc", method_names[m], "error of the position");
        wrong += at_most(fabs(value_of(&r, "touch.lambda") + 2 * 9.81), 1e-3, "rolling_disc", method_names[m],
                         "error of the ground's force");
        close_motion(&r);
        r = begin("rolling_disc", m, 2, 1e-3, 0, NULL);
        assert_int_equal(hol_simulation_run(r.sim), HOL_OK);
        const double error = hypot(hypot(value_of(&r, "roll_x.lambda") + 11.6306499315178,
                                         value_of(&r, "roll_y.lambda") + 1.16007108650725),
                                   value_of(&r, "touch.lambda") + 24.5124362152214);
        wrong += at_most(error, 1e-3, "rolling_disc", method_names[m], "error of the ground's forces");
        close_motion(&r);
    }
    assert_int_equal(wrong, 0);
}

// At 600 turns per minute, with the table joined by a natural cubic spline, the force of the cam passes through 0 at
// 113.602 degrees. (The accelerations of Akima's spline jump, and with them what the methods take for the force.)
static void the_follower_leaves_the_cam(void **state)
{
    static const char *const change[][2] = {{"kind: akima", "kind: cubic"}, {"once: yes", "stop: yes"}};
    char text[6000];
    FILE *file = fopen("models/cam_follower.yaml", "r");
    (void)state;
    assert_non_null(file);
    const size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = 0;
    for (int i = 0; i < 2; i++) {
        char *place = strstr(text, change[i][0]);
        assert_non_null(place);
        memcpy(place, change[i][1], strlen(change[i][1]));
    }
    for (int m = 0; m < ALL; m++) {
        char method[60], value[60];
        snprintf(method, sizeof method, "simulate.method=%s", method_names[m]);
        snprintf(value, sizeof value, "simulate.tolerance=%.17g", tolerance_of_steps(method_names[m], 1e-6));
        const char *set[] = {method, "parameters.turns=600", value};
        motion r;
        r.model = hol_model_parse(ctx, "cam.yaml", text, length, set, 3);
        r.sim = hol_simulation_create(ctx, r.model);
        assert_non_null(r.sim);
        assert_int_equal(hol_simulation_run(r.sim), HOL_OK);
        const hol_statistics *s = hol_simulation_finish(r.sim);
        assert_string_equal(s->ended_by, "lift_off");
        assert_true(fabs(s->time - 0.0315560441237784) < 1e-8);
        close_motion(&r);
    }
}

static double column(const hol_result *r, size_t row, const char *name)
{
    for (int i = 0; i < r->n_columns; i++)
        if (strcmp(r->name[i], name) == 0) return r->value[row * (size_t)r->n_columns + (size_t)i];
    fail_msg("no column %s", name);
    return 0;
}

// With `project: yes` the forces are those of the closed form at every result, jumps of the acceleration or not; at 300
// turns per minute that of the cam never falls below 20.25 N.
static void the_force_of_the_cam_is_exact(void **state)
{
    static const struct {
        int row; // of 5e-4 s
        known value[4];
    } rows[] = {{125,
                 {{"follower.ay", -24.2117854251011, 50},
                  {"contact", 34.0985437057187, 50},
                  {"surface.lambda", -34.0985437057187, 50},
                  {"motor.T", 0.793706677309838, 1}}},
                {658,
                 {{"follower.ay", -51.9619780852076, 50},
                  {"contact", 30.5393051950835, 50},
                  {"surface.lambda", -30.5393051950835, 50},
                  {"motor.T", -0.366535442512212, 1}}}};
    char folder[] = "/tmp/holonom_cam_XXXXXX", path[100];
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/cam.csv", folder);
    for (int m = 0; m < ALL; m++) {
        double least = HUGE_VAL;
        motion r = begin("cam_follower", m, 0.4, 0, 1e-5, NULL);
        assert_int_equal(hol_simulation_write(r.sim, path), HOL_OK);
        assert_int_equal(hol_simulation_run(r.sim), HOL_OK);
        close_motion(&r);
        hol_result *result = hol_result_read(ctx, path);
        assert_non_null(result);
        for (int i = 0; i < 2; i++)
            for (int k = 0; k < 4; k++) {
                const known *v = &rows[i].value[k];
                assert_true(fabs(column(result, (size_t)rows[i].row, v->signal) - v->exact) < 1e-9 * v->size);
            }
        for (size_t i = 0; i < result->n_rows; i++) least = fmin(least, column(result, i, "contact"));
        assert_true(least > 20.25 && least < 22);
        hol_result_destroy(result);
        remove(path);
    }
    remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_models_have_the_right_counts, start, stop),
        cmocka_unit_test_setup_teardown(errors_follow_the_tolerance, start, stop),
        cmocka_unit_test_setup_teardown(state_space_methods_meet_the_references, start, stop),
        cmocka_unit_test_setup_teardown(orders_of_convergence, start, stop),
        cmocka_unit_test_setup_teardown(methods_agree, start, stop),
        cmocka_unit_test_setup_teardown(velocity_constraints_are_kept, start, stop),
        cmocka_unit_test_setup_teardown(events_are_on_time, start, stop),
        cmocka_unit_test_setup_teardown(energy_is_balanced, start, stop),
        cmocka_unit_test_setup_teardown(the_pendulum_is_stable_and_the_cart_arrives, start, stop),
        cmocka_unit_test_setup_teardown(the_sled_follows_its_cycloid, start, stop),
        cmocka_unit_test_setup_teardown(the_disc_rolls_on_a_circle, start, stop),
        cmocka_unit_test_setup_teardown(the_follower_leaves_the_cam, start, stop),
        cmocka_unit_test_setup_teardown(the_force_of_the_cam_is_exact, start, stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
