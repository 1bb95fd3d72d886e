// The vehicle of models/hmmwv.yaml against two independent solutions, and the tyres and roads that it drives on.
//
// The numbers below are those of a reduction to ten coordinates, integrated by Radau IIA of order 5; a recursive formulation
// with a multistep method gives the same, the chassis' height to 1e-8 m. They are rounded to 6 decimals.
#include "model/model.h"

#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <math.h>
#include <cmocka.h>

#define MODEL "models/hmmwv.yaml"
#define TYRES "forces.tyre_{rear}{left}"
#define NO_TENSION TYRES ".no_tension=yes"
#define CYLINDER TYRES ".road=cylinder parameters.w=r"

static hol_context *ctx;

static int start(void **state)
{
    (void)state;
    ctx = hol_context_create();
    return ctx ? 0 : -1;
}

static int stop(void **state)
{
    (void)state;
    hol_context_destroy(ctx);
    return 0;
}

static void near(const char *what, double t, double have, double want, double allowed)
{
    if (fabs(have - want) <= allowed) return;
    fail_msg("%s at t = %g s: %.9g, wanted is %.9g, allowed is an error of %.2g", what, t, have, want,
             allowed);
}

// ---- acceptance -----------------------------------------------------------------------------------------------

// z of the chassis, its pitch (nose down) and z of two spindles as the model is; z where tyres do not pull; roll (left side
// up) with the bump before the left wheels only; z from a height of 10 mm.
static const struct accepted {
    double t, z, pitch, front, rear, z_no_tension, roll_left, z_dropped;
} accepted[] = {
    {0.50, 0.710106, -0.000100, 0.448867, 0.448535, 0.710106, 0.000084, 0.708869},
    {0.51, 0.711420, -0.001325, 0.452142, 0.447758, 0.711420, 0.001120, 0.710708},
    {0.57, 0.718166, -0.005207, 0.465071, 0.447883, 0.719840, 0.004801, 0.719948},
    {0.70, 0.704747, 0.002421, 0.439488, 0.447479, 0.703934, -0.002681, 0.703890},
    {0.90, 0.712839, 0.001030, 0.449795, 0.453197, 0.713692, -0.000980, 0.713704},
    {1.20, 0.711127, -0.000081, 0.449856, 0.449588, 0.711494, -0.000317, 0.711503},
    {1.30, 0.716669, 0.005908, 0.445851, 0.465356, 0.717995, 0.005427, 0.716460},
    {1.50, 0.707682, 0.001892, 0.443267, 0.449513, 0.706745, 0.001009, 0.707844},
    {2.00, 0.709575, 0.000296, 0.447702, 0.448680, 0.709590, 0.000203, 0.709573},
    {3.00, 0.709983, -0.000001, 0.448584, 0.448582, 0.709971, 0.000006, 0.709985},
    {5.00, 0.710000, 0.000000, 0.448600, 0.448600, 0.710000, 0.000000, 0.710000},
};

static const struct accepted *accepted_at(double t)
{
    for (int i = 0; i < HOL_COUNT(accepted); i++)
        if (fabs(t - accepted[i].t) < 1e-9) return &accepted[i];
    return NULL;
}

typedef struct {
    double t, z, y, pitch, roll, front, rear;
    double spring_front; // tension of the left one
} pose;

static pose pose_of(hol_simulation *sim)
{
    static const char *const names[] = {"chassis.y",    "chassis.z",    "chassis.qw",   "chassis.qx",
                                        "chassis.qy",   "chassis.qz",   "spindle_01.z", "spindle_11.z",
                                        "spring_01.Fx", "spring_01.Fy", "spring_01.Fz"};
    double x[HOL_COUNT(names)];
    const double *value = hol_simulation_values(sim);
    assert_non_null(value);
    for (int i = 0; i < HOL_COUNT(names); i++) {
        const int k = hol_simulation_find_signal(sim, names[i]);
        if (k < 0) fail_msg("no signal %s", names[i]);
        x[i] = value[k];
    }
    const double *e = x + 2, force = sqrt(x[8] * x[8] + x[9] * x[9] + x[10] * x[10]);
    return (pose){.t = hol_simulation_time(sim),
                  .y = x[0],
                  .z = x[1],
                  .pitch = asin(2 * (e[0] * e[2] - e[1] * e[3])),
                  .roll = atan2(2 * (e[0] * e[1] + e[2] * e[3]), 1 - 2 * (e[1] * e[1] + e[2] * e[2])),
                  .front = x[6],
                  .rear = x[7],
                  .spring_front = x[10] > 0 ? -force : force}; // it stands on the chassis
}

// Settings are "path=value", separated by blanks.
static hol_simulation *simulate(const char *settings, hol_model **model)
{
    enum { MOST = 12 };
    char text[600], *save;
    const char *set[MOST];
    int n = 0;
    snprintf(text, sizeof text, "%s", settings);
    for (char *word = strtok_r(text, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
        assert_true(n < MOST);
        set[n++] = word;
    }
    hol_context_clear(ctx);
    *model = hol_model_load(ctx, MODEL, set, n);
    assert_string_equal(hol_context_error(ctx), "");
    hol_simulation *sim = hol_simulation_create(ctx, *model);
    assert_string_equal(hol_context_error(ctx), "");
    return sim;
}

#define SIGNALS "simulate.signals=[chassis,spindle_01,spindle_11,spring_01] "

// The pose at the end of a run.
static pose at_end(double end, const char *settings)
{
    char text[600];
    hol_model *model;
    snprintf(text, sizeof text, SIGNALS "simulate.end=%.17g %s", end, settings);
    hol_simulation *sim = simulate(text, &model);
    assert_int_equal(hol_simulation_run(sim), HOL_OK);
    const pose p = pose_of(sim);
    hol_simulation_destroy(sim);
    hol_model_destroy(model);
    return p;
}

typedef void (*look)(const pose *p, const struct accepted *want, double allowed);

// Calls look() at the accepted times of a run with fixed steps that meet them, all its steps if `want` may be NULL.
static void follow(const char *settings, double allowed, look at)
{
    char text[600];
    hol_model *model;
    bool done = false;
    int seen = 0;
    snprintf(text, sizeof text, SIGNALS "simulate.step=2.5e-3 %s", settings);
    hol_simulation *sim = simulate(text, &model);
    while (!done) {
        assert_int_equal(hol_simulation_step(sim, &done), HOL_OK);
        const struct accepted *want = accepted_at(hol_simulation_time(sim));
        if (!want) continue;
        const pose p = pose_of(sim);
        at(&p, want, allowed);
        seen++;
    }
    assert_true(seen >= 10);
    hol_simulation_destroy(sim);
    hol_model_destroy(model);
}

// ---- the model ------------------------------------------------------------------------------------------------

static void the_counts_are_right(void **state)
{
    (void)state;
    hol_model *model = hol_model_load(ctx, MODEL, NULL, 0);
    assert_string_equal(hol_context_error(ctx), "");
    hol_check *c = hol_check_create(ctx, model);
    assert_non_null(c);
    assert_int_equal(c->bodies, 14);
    assert_int_equal(c->coordinates, 98);
    assert_int_equal(c->constraints, 80);
    assert_int_equal(c->rank, 80);
    assert_int_equal(c->degrees_of_freedom, 18);
    assert_int_equal(c->n_redundant, 0);
    assert_false(c->momentary);
    assert_true(c->position_violation < 1e-14 && c->velocity_violation < 1e-14);
    hol_check_destroy(c);
    hol_model_destroy(model);
}

static bool ends_in(const char *text, const char *end)
{
    const size_t n = strlen(text), k = strlen(end);
    return n > k && strcmp(text + n - k, end) == 0;
}

static void it_starts_in_equilibrium(void **state)
{
    static const char *const accelerations[] = {".ax", ".ay", ".az", ".alx", ".aly", ".alz"};
    hol_model *model;
    hol_simulation *sim = simulate("simulate.step=0.01", &model);
    const double *value = hol_simulation_values(sim);
    int seen = 0;
    (void)state;
    assert_non_null(value);
    for (int i = 0; i < hol_simulation_signals(sim); i++)
        for (int k = 0; k < HOL_COUNT(accelerations); k++)
            if (ends_in(hol_simulation_signal_name(sim, i), accelerations[k])) {
                near(hol_simulation_signal_name(sim, i), 0, value[i], 0, 1e-8);
                seen++;
            }
    assert_int_equal(seen, 14 * 6);
    near("tension of the spring", 0, pose_of(sim).spring_front, -1486.7485451, 1e-4);
    hol_simulation_destroy(sim);
    hol_model_destroy(model);
}

// No horizontal force acts from outside, whatever the road does: all that joints and Euler parameters do to it must cancel.
static void the_momentum_stays(void **state)
{
    static const char *const corner[] = {"00", "01", "10", "11"};
    static const struct {
        const char *name;
        double mass;
    } parts[] = {{"upper", 5.813}, {"lower", 23.965}, {"spindle", 90.555}};
    static const char *const methods[] = {"hht", "genalpha"};
    (void)state;
    for (int m = 0; m < 2; m++) {
        char settings[200];
        hol_model *model;
        bool done = false;
        snprintf(settings, sizeof settings, "simulate.method=%s simulate.step=5e-3 simulate.end=1.4",
                 methods[m]);
        hol_simulation *sim = simulate(settings, &model);
        while (!done) {
            assert_int_equal(hol_simulation_step(sim, &done), HOL_OK);
            const double *v = hol_simulation_values(sim);
            double p = 2086.52 * v[hol_simulation_find_signal(sim, "chassis.vx")] +
                       9.072 * v[hol_simulation_find_signal(sim, "rack.vx")];
            for (int i = 0; i < 4; i++)
                for (int k = 0; k < 3; k++) {
                    char name[40];
                    snprintf(name, sizeof name, "%s_%s.vx", parts[k].name, corner[i]);
                    p += parts[k].mass * v[hol_simulation_find_signal(sim, name)];
                }
            near("momentum", hol_simulation_time(sim), p, 2576.924 * 4.4704, 1e-9 * 11519.88);
        }
        hol_simulation_destroy(sim);
        hol_model_destroy(model);
    }
}

// ---- trajectories ---------------------------------------------------------------------------------------------

// Methods of order 2 with h = 2.5 ms, a fifteenth of the time on the bump: the largest errors over all times are 3.3e-5 m
// and 2.4e-5 rad at the second bump, a quarter of those with 5 ms. Spindles are nearer to the road: 7.4e-5 m.
static void look_at_base(const pose *p, const struct accepted *want, double allowed)
{
    near("z", p->t, p->z, want->z, allowed);
    near("pitch", p->t, p->pitch, want->pitch, allowed);
    near("z of the front spindle", p->t, p->front, want->front, 2.5 * allowed);
    near("z of the rear spindle", p->t, p->rear, want->rear, 2.5 * allowed);
    near("y", p->t, p->y, 0, 1e-9); // left and right are the same
    near("roll", p->t, p->roll, 0, 1e-9);
    if (p->t > 4) near("z at rest", p->t, p->z, 0.71, 1e-5);
}

static void it_meets_the_reference(void **state)
{
    (void)state;
    follow("simulate.method=hht", 3.5e-5, look_at_base);
    follow("simulate.method=genalpha", 3.5e-5, look_at_base);
}

// Wheels that turn, 30 rad in all: their Euler parameters swap roles, everything else stays.
static void turning_wheels_change_nothing(void **state)
{
    (void)state;
    follow("simulate.method=genalpha parameters.spin=9.965 simulate.end=3", 3.5e-5, look_at_base);
    static const char *const settings = "simulate.method=genalpha simulate.step=5e-3 ";
    char turning[200];
    snprintf(turning, sizeof turning, "%sparameters.spin=9.965", settings);
    const pose still = at_end(1.3, settings), spun = at_end(1.3, turning);
    near("z", 1.3, spun.z, still.z, 1e-9);
    near("pitch", 1.3, spun.pitch, still.pitch, 1e-9);
    near("roll", 1.3, spun.roll, 0, 1e-9);
}

static void look_at_roll(const pose *p, const struct accepted *want, double allowed)
{
    near("roll", p->t, p->roll, want->roll_left, allowed);
}

static void look_at_no_tension(const pose *p, const struct accepted *want, double allowed)
{
    near("z", p->t, p->z, want->z_no_tension, allowed);
}

static void look_at_dropped(const pose *p, const struct accepted *want, double allowed)
{
    near("z", p->t, p->z, want->z_dropped, allowed);
}

// The same bound as before; where tyres lift off the force has kinks, which steps of this size pass well enough.
static void variants_meet_the_reference(void **state)
{
    (void)state;
    follow("simulate.method=genalpha simulate.end=3 parameters.right=0", 3.5e-5, look_at_roll);
    follow("simulate.method=genalpha simulate.end=3 " NO_TENSION, 3.5e-5, look_at_no_tension);
    follow("simulate.method=genalpha simulate.end=3 parameters.lift=0.01", 3.5e-5, look_at_dropped);
}

// The tolerance bounds the local error. With order 2 the steps are as its third root, so the error in the end falls by 4.6
// per decade. Seen: 1.7e-3 at 1e-3, where the steps of 10 ms are cut at the road's edges (4e-4 while they were not, all of
// them equal); 1.6e-4 at 1e-5; 1.6e-5 at 1e-7.
static void tolerances_are_met(void **state)
{
    static const struct {
        const char *tolerance;
        double allowed;
    } runs[] = {{"1e-3", 2e-3}, {"1e-5", 2e-4}, {"1e-7", 2e-5}};
    static const char *const methods[] = {"hht", "genalpha"};
    static const double times[] = {0.57, 0.90, 1.30};
    (void)state;
    for (int m = 0; m < 2; m++)
        for (int i = 0; i < HOL_COUNT(runs); i++)
            for (int k = 0; k < HOL_COUNT(times); k++) {
                char settings[200];
                snprintf(settings, sizeof settings, "simulate.method=%s simulate.tolerance=%s", methods[m],
                         runs[i].tolerance);
                const pose p = at_end(times[k], settings);
                near(settings, p.t, p.z, accepted_at(p.t)->z, runs[i].allowed);
            }
}

// The stiff spring-dampers hardly move, so heights say nothing about them; their forces are those of the tyres, levered.
static void stiff_springs_carry_the_right_force(void **state)
{
    static const struct {
        double t, tension;
    } rows[] = {{0.50, -5339.25}, {0.51, -4746.30}, {0.52, 1364.81}, {0.57, -511.65}, {0.70, -2047.01}};
    (void)state;
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        const pose p = at_end(rows[i].t, "simulate.method=genalpha simulate.step=1e-3");
        near("tension", rows[i].t, p.spring_front, rows[i].tension,
             1); // 0.6 N are found, four times as much for 2 ms
    }
}

// Half a cylinder has the bump's height and area, and so the same effect to 1.2e-4 m. The tolerance is small because a step
// across an edge has an error of order 1.
static void the_sharp_road_does_the_same(void **state)
{
    static const double times[] = {0.51, 0.57, 0.90};
    (void)state;
    for (int i = 0; i < HOL_COUNT(times); i++) {
        const pose p = at_end(times[i], "simulate.method=genalpha simulate.tolerance=1e-8 " CYLINDER);
        near("z on half a cylinder", p.t, p.z, accepted_at(p.t)->z, 2e-4);
    }
}

// ---- tyres and roads ------------------------------------------------------------------------------------------

static hol_model_data *compile(const char *text)
{
    hol_context_clear(ctx);
    hol_spec *spec = hol_spec_read_text(ctx, "test.yaml", text, strlen(text), NULL, 0);
    hol_model_data *m = spec ? hol_model_compile(spec) : NULL;
    assert_string_equal(hol_context_error(ctx), "");
    return m;
}

static const char *const roads =
    "dimension: 2\n"
    "units: {length: mm}\n"
    "bodies:\n"
    "  - {name: hub, type: point, mass: 1, position: [100, 400]}\n"
    "splines:\n"
    "  - {name: steps, kind: linear, x: [0, 600, 1000, 2000], y: [0, 120, 200, 100]}\n"
    "forces:\n"
    "  - {name: flat, type: tyre, on: hub, stiffness: 2000, damping: 30}\n"
    "  - {name: lifting, type: tyre, on: hub, stiffness: 2000, damping: 30, length: 500, no_tension: yes}\n"
    "  - {name: bump, type: tyre, on: hub, stiffness: 2000, damping: 30, length: 500, road: bump, middle: "
    "3000,\n"
    "     height: 100, half_width: 500}\n"
    "  - {name: hole, type: tyre, on: hub, stiffness: 2000, length: 500, road: cylinder, middle: -1000,\n"
    "     height: -100, half_width: 300}\n"
    "  - {name: half, type: tyre, on: hub, stiffness: 2000, damping: 30, length: 500, road: cylinder,\n"
    "     middle: 3000, height: 100, steepest: 2}\n"
    "  - {name: none, type: tyre, on: hub, stiffness: 2000, length: 500, road: cylinder, middle: 0, height: "
    "0}\n"
    "  - {name: table, type: tyre, on: hub, stiffness: 2000, damping: 30, length: 500, road: table,\n"
    "     heights: steps}\n";

static const hol_element *tyre_of(const hol_model_data *m, const char *name)
{
    return &m->element[hol_model_find_element(m, name)];
}

// The upward force on a hub at (x, y) with the velocity (vx, vy) [m, m/s, N].
static double load(const hol_model_data *m, const char *name, double x, double y, double vx, double vy)
{
    const hol_element *e = tyre_of(m, name);
    const double at[] = {x, y, 0}, rate[] = {vx, vy, 1};
    double Q[2] = {0, 0};
    e->type->force(e->data, e->ny, at, rate, NULL, NULL, Q);
    assert_true(Q[0] == 0);
    return Q[1];
}

static void close_to(double have, double want) { near("load", 0, have, want, 1e-9 * fmax(1, fabs(want))); }

// Lengths are in mm; stiffnesses in kg/s^2 and dampings in kg/s, which are N/m and N s/m.
static void tyres_push_as_they_should(void **state)
{
    const double k = 2000, c = 30;
    (void)state;
    hol_model_data *m = compile(roads);
    close_to(load(m, "flat", 7, 0.35, 2, 0), k * 0.05); // free at 0.4 m, as drawn
    close_to(load(m, "flat", 7, 0.45, 2, -0.3), -k * 0.05 + c * 0.3);
    close_to(load(m, "lifting", 0, 0.49, 2, 0.3), k * 0.01 - c * 0.3);
    close_to(load(m, "lifting", 0, 0.51, 2, 0), 0);
    close_to(load(m, "lifting", 0, 0.51, 2, -900), 0); // off the road a damper does nothing
    close_to(load(m, "lifting", 0, 0.49, 2, 900), 0);  // nor does it hold on to the road

    // h = 0.1 (1 - 0.4^2)^3, h' = -6 0.1 (1 - 0.4^2)^2 0.4/0.5 at xi = 0.4
    close_to(load(m, "bump", 3.2, 0.45, 2, 0.1),
             k * (0.05 + 0.1 * pow(0.84, 3)) - c * (0.1 + 2 * 0.48 * 0.84 * 0.84));
    close_to(load(m, "bump", 3, 0.45, 2, 0), k * 0.15);
    close_to(load(m, "bump", 2.5, 0.45, 2, 0), k * 0.05);
    close_to(load(m, "bump", 3.7, 0.45, 2, 0), k * 0.05);

    // a circle of radius 0.5 through the hole's ends, 0.1 deep
    close_to(load(m, "hole", -1, 0.45, 2, 0), k * (0.05 - 0.1));
    close_to(load(m, "hole", -1.2, 0.45, 2, 0), k * (0.05 - (sqrt(0.25 - 0.04) - 0.4)));
    close_to(load(m, "hole", -1.3, 0.45, 2, 0), k * 0.05);
    close_to(load(m, "half", 3.06, 0.45, 2, 0), k * (0.05 + 0.08) - c * 2 * 0.75);
    close_to(load(m, "half", 2.92, 0.45, 2, 0), k * (0.05 + 0.06) + c * 2 * 4.0 / 3);
    close_to(load(m, "half", 2.904, 0.45, 2, 0), k * (0.05 + 0.028) + c * 2 * 2); // its slope is 3.4
    close_to(load(m, "half", 3.096, 0.45, 2, 0), k * (0.05 + 0.028) - c * 2 * 2);
    close_to(load(m, "none", 0, 0.45, 2, 0), k * 0.05);
    close_to(load(m, "table", 0.5, 0.45, 2, 0), k * (0.05 + 0.1) + c * 2 * 0.2);
    close_to(load(m, "table", 1.5, 0.45, 2, 0), k * (0.05 + 0.15) - c * 2 * 0.1);
    hol_model_free(m);
}

static void roads_announce_their_edges(void **state)
{
    const struct {
        const char *name;
        int n;
        double x[4];
    } rows[] = {{"flat", 0, {0}},          {"bump", 2, {2.5, 3.5}},
                {"hole", 2, {-1.3, -0.7}}, {"half", 4, {2.9, 3 - 0.2 / sqrt(5), 3 + 0.2 / sqrt(5), 3.1}},
                {"none", 0, {0}},          {"table", 3, {0, 1, 2}}};
    (void)state;
    hol_model_data *m = compile(roads);
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        const hol_element *e = tyre_of(m, rows[i].name);
        double x[5] = {7, 7, 7, 7, 7};
        const double y[] = {12.5, 0.4, 0};
        assert_true(e->type->edge_argument(e->data, e->ny, y) == 12.5);
        assert_int_equal(e->type->edges(e->data, x, 0), rows[i].n);
        assert_true(x[0] == 7); // only counted
        assert_int_equal(e->type->edges(e->data, x, 5), rows[i].n);
        for (int k = 0; k < rows[i].n; k++) near(rows[i].name, 0, x[k], rows[i].x[k], 1e-12);
        assert_true(x[rows[i].n] == 7);
    }
    hol_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_counts_are_right, start, stop),
        cmocka_unit_test_setup_teardown(it_starts_in_equilibrium, start, stop),
        cmocka_unit_test_setup_teardown(the_momentum_stays, start, stop),
        cmocka_unit_test_setup_teardown(it_meets_the_reference, start, stop),
        cmocka_unit_test_setup_teardown(turning_wheels_change_nothing, start, stop),
        cmocka_unit_test_setup_teardown(variants_meet_the_reference, start, stop),
        cmocka_unit_test_setup_teardown(tolerances_are_met, start, stop),
        cmocka_unit_test_setup_teardown(stiff_springs_carry_the_right_force, start, stop),
        cmocka_unit_test_setup_teardown(the_sharp_road_does_the_same, start, stop),
        cmocka_unit_test_setup_teardown(tyres_push_as_they_should, start, stop),
        cmocka_unit_test_setup_teardown(roads_announce_their_edges, start, stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
