// The vehicle of models/hmmwv.yaml against two independent solutions, and the tyres and roads that it drives on.
//
// The numbers below are those of a reduction to ten coordinates, integrated by Radau IIA of order 5; a recursive formulation
// with a multistep method gives the same, the chassis' height to 1e-8 m. They are rounded to 6 decimals.
#include "harness.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <math.h>
#include <stdlib.h>

#define MODEL "models/hmmwv.yaml"
#define TYRES(set) "forces.fl.tyre." set " forces.fr.tyre." set " forces.rl.tyre." set " forces.rr.tyre." set
#define LEFT "parameters.right=0"
#define NO_TENSION TYRES("no_tension=yes")
#define DROPPED "parameters.lift=0.01"
#define TURNING "parameters.spin=9.965"
#define CYLINDER TYRES("road=cylinder") " parameters.w=r"

static void near_at(const char *what, double t, double have, double want, double allowed)
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
                                        "chassis.qy",   "chassis.qz",   "fl.spindle.z", "rl.spindle.z",
                                        "fl.spring.Fx", "fl.spring.Fy", "fl.spring.Fz"};
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
static hol_model *load_with(const char *settings)
{
    enum { MOST = 12 };
    char text[600];
    const char *set[MOST];
    snprintf(text, sizeof text, "%s", settings);
    const int n = split(text, set, MOST);
    hol_context_clear(ctx);
    hol_model *model = hol_model_load(ctx, MODEL, set, n);
    assert_string_equal(hol_context_error(ctx), "");
    return model;
}

static hol_simulation *simulate(const char *settings, hol_model **model)
{
    *model = load_with(settings);
    hol_simulation *sim = hol_simulation_create(ctx, *model);
    assert_string_equal(hol_context_error(ctx), "");
    return sim;
}

#define SIGNALS "simulate.signals=[chassis,fl.spindle,rl.spindle,fl.spring] "

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

static void counts_are_right_with(const char *settings)
{
    hol_model *model = load_with(settings);
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

static void the_counts_are_right(void **state)
{
    static const char *const variants[] = {"", LEFT, NO_TENSION, DROPPED, TURNING, CYLINDER};
    (void)state;
    for (int i = 0; i < HOL_COUNT(variants); i++) counts_are_right_with(variants[i]);
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
                near_at(hol_simulation_signal_name(sim, i), 0, value[i], 0, 1e-8);
                seen++;
            }
    assert_int_equal(seen, 14 * 6 + 4 * 3); // of bodies, and of the markers of the tie rods
    near_at("tension of the spring", 0, pose_of(sim).spring_front, -1486.7485451, 1e-4);
    hol_simulation_destroy(sim);
    hol_model_destroy(model);
}

// No horizontal force acts from outside, whatever the road does: all that joints and Euler parameters do to it must cancel.
// The index-3 family keeps the momentum to rounding, rn4 within its tolerance: 2e-8 of it at 1e-5, 4e-10 at 1e-7.
static void the_momentum_stays(void **state)
{
    static const char *const corner[] = {"fr", "fl", "rr", "rl"};
    static const struct {
        const char *name;
        double mass;
    } parts[] = {{"upper", 5.813}, {"lower", 23.965}, {"spindle", 90.555}};
    static const char *const methods[] = {"hht simulate.step=5e-3", "genalpha simulate.step=5e-3",
                                          "rn4 simulate.tolerance=1e-7"};
    (void)state;
    for (int m = 0; m < HOL_COUNT(methods); m++) {
        char settings[200];
        hol_model *model;
        bool done = false;
        snprintf(settings, sizeof settings, "simulate.end=0.8 simulate.method=%s", methods[m]);
        hol_simulation *sim = simulate(settings, &model);
        while (!done) {
            assert_int_equal(hol_simulation_step(sim, &done), HOL_OK);
            const double *v = hol_simulation_values(sim);
            double p = 2086.52 * v[hol_simulation_find_signal(sim, "chassis.vx")] +
                       9.072 * v[hol_simulation_find_signal(sim, "rack.vx")];
            for (int i = 0; i < 4; i++)
                for (int k = 0; k < 3; k++) {
                    char name[40];
                    snprintf(name, sizeof name, "%s.%s.vx", corner[i], parts[k].name);
                    p += parts[k].mass * v[hol_simulation_find_signal(sim, name)];
                }
            near_at("momentum", hol_simulation_time(sim), p, 2576.924 * 4.4704, 1e-9 * 11519.88);
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
    near_at("z", p->t, p->z, want->z, allowed);
    near_at("pitch", p->t, p->pitch, want->pitch, allowed);
    near_at("z of the front spindle", p->t, p->front, want->front, 2.5 * allowed);
    near_at("z of the rear spindle", p->t, p->rear, want->rear, 2.5 * allowed);
    near_at("y", p->t, p->y, 0, 1e-9); // left and right are the same
    near_at("roll", p->t, p->roll, 0, 1e-9);
    if (p->t > 4) near_at("z at rest", p->t, p->z, 0.71, 1e-5);
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
    follow("simulate.method=genalpha simulate.end=3 " TURNING, 3.5e-5, look_at_base);
    static const char *const settings = "simulate.method=genalpha simulate.step=5e-3 ";
    char turning[200];
    snprintf(turning, sizeof turning, "%s" TURNING, settings);
    const pose still = at_end(1.3, settings), spun = at_end(1.3, turning);
    near_at("z", 1.3, spun.z, still.z, 1e-9);
    near_at("pitch", 1.3, spun.pitch, still.pitch, 1e-9);
    near_at("roll", 1.3, spun.roll, 0, 1e-9);
}

static void look_at_roll(const pose *p, const struct accepted *want, double allowed)
{
    near_at("roll", p->t, p->roll, want->roll_left, allowed);
}

static void look_at_no_tension(const pose *p, const struct accepted *want, double allowed)
{
    near_at("z", p->t, p->z, want->z_no_tension, allowed);
}

static void look_at_dropped(const pose *p, const struct accepted *want, double allowed)
{
    near_at("z", p->t, p->z, want->z_dropped, allowed);
}

// The same bound as before; where tyres lift off the force has kinks, which steps of this size pass well enough.
static void variants_meet_the_reference(void **state)
{
    (void)state;
    follow("simulate.method=genalpha simulate.end=3 " LEFT, 3.5e-5, look_at_roll);
    follow("simulate.method=genalpha simulate.end=3 " NO_TENSION, 3.5e-5, look_at_no_tension);
    follow("simulate.method=genalpha simulate.end=3 " DROPPED, 3.5e-5, look_at_dropped);
}

// The tolerance bounds the local error. With order 2 the steps are as its third root, so the error in the end falls by 4.6
// per decade. Seen: 1.7e-3 at 1e-3, where the steps of 10 ms are cut at the road's edges (4e-4 while they were not, all of
// them equal); 1.6e-4 at 1e-5; 1.6e-5 at 1e-7.
static void tolerances_are_met(void **state)
{
    static const struct {
        const char *tolerance;
        double allowed;
    } runs[] = {{"1e-1", 2e-3}, {"5e-3", 2e-4}, {"2e-4", 2e-5}};
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
                near_at(settings, p.t, p.z, accepted_at(p.t)->z, runs[i].allowed);
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
        near_at("tension", rows[i].t, p.spring_front, rows[i].tension,
                1); // 0.6 N are found, four times as much for 2 ms
    }
    // Where a step ends; between steps the interpolated pose says nothing about a spring as stiff as this. Seen: 4.2, 3.1,
    // 14.6 N.
    for (int i = 0; i < 3; i++) {
        const pose p = at_end(rows[i].t, "simulate.method=rn4 simulate.tolerance=1e-7");
        near_at("tension, rn4", rows[i].t, p.spring_front, rows[i].tension, 30);
    }
}

// Half a cylinder has the bump's height and area, and so the same effect to 1.2e-4 m. The tolerance is small because a step
// across an edge has an error of order 1.
static void the_sharp_road_does_the_same(void **state)
{
    static const double times[] = {0.51, 0.57, 0.90};
    (void)state;
    for (int i = 0; i < HOL_COUNT(times); i++) {
        const pose p = at_end(times[i], "simulate.method=genalpha simulate.tolerance=1e-3 " CYLINDER);
        near_at("z on half a cylinder", p.t, p.z, accepted_at(p.t)->z, 2e-4);
    }
}

// ---- rn4 ------------------------------------------------------------------------------------------------------

// Steps of any length: the edges of the road are all that tells them of the bump.
#define RN4 "simulate.method=rn4 simulate.max_step=5 simulate.signals=[chassis] "

// The chassis at the times of a file.
typedef struct {
    int n;
    struct {
        double t, y, z, vz, az, roll, yaw;
    } at[520];
    long steps, repartitions;
} ride;

static double cell(const hol_result *r, size_t row, const char *name)
{
    for (int k = 0; k < r->n_columns; k++)
        if (strcmp(r->name[k], name) == 0) return r->value[row * (size_t)r->n_columns + (size_t)k];
    return HOL_NONE;
}

static void read_ride(const char *path, ride *out)
{
    hol_result *r = hol_result_read(ctx, path);
    assert_string_equal(hol_context_error(ctx), "");
    assert_in_range(r->n_rows, 1, HOL_COUNT(out->at));
    out->n = (int)r->n_rows;
    for (size_t i = 0; i < r->n_rows; i++) {
        out->at[i].t = r->value[i * (size_t)r->n_columns];
        if (isnan(cell(r, i, "chassis.z"))) { // a reference; what it does not have is 0
            out->at[i].z = cell(r, i, "z");
            out->at[i].y = cell(r, i, "y");
            out->at[i].roll = cell(r, i, "roll");
            out->at[i].yaw = cell(r, i, "yaw");
            if (isnan(out->at[i].y)) out->at[i].y = out->at[i].roll = out->at[i].yaw = 0;
            continue;
        }
        double e[4];
        static const char *const names[] = {"chassis.qw", "chassis.qx", "chassis.qy", "chassis.qz"};
        for (int k = 0; k < 4; k++) e[k] = cell(r, i, names[k]);
        out->at[i].y = cell(r, i, "chassis.y");
        out->at[i].z = cell(r, i, "chassis.z");
        out->at[i].vz = cell(r, i, "chassis.vz");
        out->at[i].az = cell(r, i, "chassis.az");
        out->at[i].roll = atan2(2 * (e[0] * e[1] + e[2] * e[3]), 1 - 2 * (e[1] * e[1] + e[2] * e[2]));
        out->at[i].yaw = atan2(2 * (e[0] * e[3] + e[1] * e[2]), 1 - 2 * (e[2] * e[2] + e[3] * e[3]));
    }
    hol_result_destroy(r);
}

// Every 0.01 s.
static void drive(const char *settings, ride *out)
{
    char text[600], path[60];
    hol_model *model;
    snprintf(path, sizeof path, "/tmp/holonom_vehicle_%ld.csv", (long)getpid());
    snprintf(text, sizeof text, RN4 "%s", settings);
    hol_simulation *sim = simulate(text, &model);
    assert_int_equal(hol_simulation_write(sim, path), HOL_OK);
    if (hol_simulation_run(sim)) fail_msg("%s: %s", settings, hol_context_error(ctx));
    const hol_statistics *s = hol_simulation_finish(sim);
    out->steps = s->steps;
    out->repartitions = s->repartitions;
    hol_simulation_destroy(sim);
    hol_model_destroy(model);
    read_ride(path, out);
    remove(path);
}

// Fails where `have` is further away from `want` than allowed; compares at the times of both.
static void stays_with(const char *what, const ride *have, const ride *want, double allowed, double sideways)
{
    int seen = 0;
    for (int i = 0, k = 0; i < have->n; i++) {
        while (k < want->n - 1 && want->at[k].t < have->at[i].t - 1e-6) k++;
        if (fabs(want->at[k].t - have->at[i].t) > 1e-6) continue;
        char text[200];
        const double t = have->at[i].t;
        snprintf(text, sizeof text, "%s: z", what);
        near_at(text, t, have->at[i].z, want->at[k].z, allowed);
        snprintf(text, sizeof text, "%s: y, roll, yaw", what);
        near_at(text, t, have->at[i].y, want->at[k].y, sideways);
        near_at(text, t, have->at[i].roll, want->at[k].roll, sideways);
        near_at(text, t, have->at[i].yaw, want->at[k].yaw, sideways);
        seen++;
    }
    assert_true(seen > 20);
}

// Largest error of z seen: 6.7e-4, 9.2e-6, 2.2e-9 m; asked for are 1e-3, 2e-5, 1e-6, known of a reduced model with a method
// of the same kind 6.3e-4, 1.1e-5. Left and right are the same: y, roll and yaw are rounding, 2e-11 at most with 1e-5, 1e-9
// with 1e-3. `make papers` drives 5 s with 1e-8.
static void rn4_meets_the_reference(void **state)
{
    static const struct {
        const char *settings;
        double allowed, sideways;
    } runs[] = {{"simulate.tolerance=1e-3", 1e-3, 1e-8},
                {"simulate.tolerance=1e-5", 2e-5, 1e-9},
                {"simulate.tolerance=1e-8 simulate.end=0.9", 2e-8, 1e-9}};
    static ride here, known;
    (void)state;
    read_ride("tests/reference/hmmwv.csv", &known);
    for (int i = 0; i < HOL_COUNT(runs); i++) {
        drive(runs[i].settings, &here);
        stays_with(runs[i].settings, &here, &known, runs[i].allowed, runs[i].sideways);
        for (int k = 0; k < here.n; k++) // seen: 2.1e-6; 1.1e-5 with 1e-3
            if (i > 0 && here.at[k].t >= 4) near_at("z at rest", here.at[k].t, here.at[k].z, 0.71, 1e-5);
    }
}

// Seen: 2.7e-9 rad (1e-6 is asked for) and 1.6e-9 m; with 1e-5, 3.8e-6 rad and 2.9e-6 m.
static void rn4_meets_the_reference_on_a_bump_to_the_left(void **state)
{
    static ride here, known;
    (void)state;
    read_ride("tests/reference/hmmwv_left.csv", &known);
    drive("simulate.tolerance=1e-8 simulate.end=0.9 " LEFT, &here);
    stays_with("bump to the left", &here, &known, 2e-8, 2e-8);
    drive("simulate.tolerance=1e-5 simulate.end=2 " LEFT, &here);
    stays_with("bump to the left", &here, &known, 2e-5, 1e-5);
}

// Turning wheels change nothing: z is that of the reference, seen 2e-8 m. A partition must be chosen anew, as Euler
// parameters of the spindles swap roles with every half turn (four times in 0.7 s are seen), and gives the same, seen 4e-8 m.
static void rn4_follows_turning_wheels(void **state)
{
    static ride here, known;
    (void)state;
    read_ride("tests/reference/hmmwv.csv", &known);
    drive("simulate.tolerance=1e-7 simulate.end=0.9 " TURNING, &here);
    stays_with("turning wheels", &here, &known, 2e-7, 1e-9);
    assert_int_equal(here.repartitions, 0); // the tangent space needs none
    drive("simulate.tolerance=1e-6 simulate.end=0.7 rn4.coordinates=partition " TURNING, &here);
    stays_with("turning wheels, partition", &here, &known, 2e-7, 1e-8);
    assert_true(here.repartitions > 0);
}

// Seen at 1e-5: 3.6e-6 m without tension, where kinks cost a third more rejected steps, 4.8e-6 m dropped. The table is
// rounded to 5e-7 m, which is what remains at 1e-8.
static void rn4_meets_the_reference_where_tyres_lift_off(void **state)
{
    static ride here;
    (void)state;
    for (int v = 0; v < 2; v++) {
        int seen = 0;
        drive(v ? "simulate.tolerance=1e-5 simulate.end=2 " DROPPED
                : "simulate.tolerance=1e-5 simulate.end=2 " NO_TENSION,
              &here);
        for (int i = 0; i < here.n; i++) {
            const struct accepted *want = accepted_at(here.at[i].t);
            if (!want) continue;
            near_at(v ? "z, dropped" : "z, no tension", want->t, here.at[i].z,
                    v ? want->z_dropped : want->z_no_tension, 1e-5);
            seen++;
        }
        assert_int_equal(seen, 9);
    }
}

// The sharp road differs from the smooth one of the reference by 1.1e-4 m (two reduced models), 1.13e-4 seen. Steps of a
// reduced model to 1 s, accepted and rejected: 141 and 74; seen 115 and 26.
static void rn4_passes_half_a_cylinder(void **state)
{
    static ride here, known;
    double most = 0;
    (void)state;
    read_ride("tests/reference/hmmwv.csv", &known);
    drive("simulate.tolerance=1e-4 simulate.end=1 " CYLINDER, &here);
    stays_with("half a cylinder", &here, &known, 1.25e-4, 1e-8); // seen sideways: 1e-9
    for (int i = 0; i < here.n; i++) most = fmax(most, fabs(here.at[i].z - known.at[i].z));
    assert_true(most > 1e-4);
    assert_true(here.steps <= 141);
    // At rest on the flat road, whatever the force at the foot is, where a step of 0.3 s ends.
    for (int i = 0; i < here.n && here.at[i].t < 0.4999; i++)
        if (!(fabs(here.at[i].vz) < 1e-3) || !(fabs(here.at[i].az) < 0.1))
            fail_msg("%g s: %g m/s, %g m/s^2", here.at[i].t, here.at[i].vz, here.at[i].az);
}

// The second before the bump is at rest, so steps grow fivefold each; the edge of the bump stops them. Without it rn4 took 7
// steps for the second and missed the bump, 8 mm. Seen at 0.57 s: 7e-5 m with rn4, 3.9e-4 m with ros2w. The first second
// takes 73 steps with 1e-4 (a reduced model: 74), at most 200 are asked.
static void steps_do_not_jump_over_the_bump(void **state)
{
    static const char *const methods[] = {"rn4", "ros2w"};
    (void)state;
    for (int m = 0; m < 2; m++) {
        char settings[200];
        snprintf(settings, sizeof settings, "simulate.method=%s simulate.max_step=5 simulate.tolerance=1e-1",
                 methods[m]);
        near_at(methods[m], 0.57, at_end(0.57, settings).z, accepted_at(0.57)->z, 1e-3);
    }
    static ride here;
    drive("simulate.tolerance=1e-4 simulate.end=1", &here);
    assert_in_range(here.steps, 30, 90);
}

// ---- tyres and roads ------------------------------------------------------------------------------------------

static const char *const roads =
    "dimension: 2\n"
    "units: {length: mm, force: N}\n"
    "bodies:\n"
    "  - {name: hub, type: point, mass: 1, position: [100, 400]}\n"
    "splines:\n"
    "  - {name: steps, kind: linear, x: [0, 600, 1000, 2000], y: [0, 120, 200, 100]}\n"
    "forces:\n"
    "  - {name: flat, type: tyre, on: hub, stiffness: 2, damping: 0.03}\n"
    "  - {name: lifting, type: tyre, on: hub, stiffness: 2, damping: 0.03, length: 500, no_tension: yes}\n"
    "  - {name: bump, type: tyre, on: hub, stiffness: 2, damping: 0.03, length: 500, road: bump, middle: "
    "3000,\n"
    "     height: 100, half_width: 500}\n"
    "  - {name: hole, type: tyre, on: hub, stiffness: 2, length: 500, road: cylinder, middle: -1000,\n"
    "     height: -100, half_width: 300}\n"
    "  - {name: half, type: tyre, on: hub, stiffness: 2, damping: 0.03, length: 500, road: cylinder,\n"
    "     middle: 3000, height: 100, steepest: 2}\n"
    "  - {name: none, type: tyre, on: hub, stiffness: 2, length: 500, road: cylinder, middle: 0, height: "
    "0}\n"
    "  - {name: table, type: tyre, on: hub, stiffness: 2, damping: 0.03, length: 500, road: table,\n"
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

static void close_to(double have, double want) { near_at("load", 0, have, want, 1e-9 * fmax(1, fabs(want))); }

// Lengths are in mm; stiffnesses in kg/s^2 and dampings in kg/s, which are N/m and N s/m.
static void tyres_push_as_they_should(void **state)
{
    const double k = 2000, c = 30;
    (void)state;
    hol_model_data *m = compile(roads, NULL, 0);
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
    hol_model_data *m = compile(roads, NULL, 0);
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        const hol_element *e = tyre_of(m, rows[i].name);
        double x[5] = {7, 7, 7, 7, 7};
        const double y[] = {12.5, 0.4, 0};
        assert_true(e->type->edge_argument(e->data, e->ny, y) == 12.5);
        assert_int_equal(e->type->edges(e->data, x, 0), rows[i].n);
        assert_true(x[0] == 7); // only counted
        assert_int_equal(e->type->edges(e->data, x, 5), rows[i].n);
        for (int k = 0; k < rows[i].n; k++) near_at(rows[i].name, 0, x[k], rows[i].x[k], 1e-12);
        assert_true(x[rows[i].n] == 7);
    }
    hol_model_free(m);
}

// A mass rests on a tyre by m g/k below its length, over the road wherever that lies.
static void a_road_lies_at_its_level(void **state)
{
    (void)state;
    static const char *const levels[] = {"0", "0.3", "-0.4"};
    for (int i = 0; i < HOL_COUNT(levels); i++) {
        char text[500];
        const double rests = strtod(levels[i], NULL) + 0.5 - 200 * 9.81 / 1e5;
        snprintf(text, sizeof text,
                 "dimension: 2\ngravity: [0, -9.81]\n"
                 "bodies: [{name: a, mass: 200, inertia: 20, position: [0, %.17g], velocity: [3, 0]}]\n"
                 "forces: [{name: b, type: tyre, on: a, stiffness: 1e5, damping: 500, length: 0.5, "
                 "no_tension: yes, level: %s}]\n"
                 "simulate: {end: 1, method: rk, tolerance: 1e-9, output: 1}\n",
                 rests, levels[i]);
        motion m = move(text, NULL, 0);
        if (m.end) fail_msg("%s: %s", levels[i], hol_context_error(ctx));
        near_at(levels[i], 1, value_of(&m, "a.y"), rests, 1e-12);
        near_at(levels[i], 1, value_of(&m, "a.x"), 3, 1e-12);
        close_motion(&m);
    }
}

// Half a cylinder rises without bound at its foot, where a step ends: the power of the spring there is no number to sum work by. Two ways to
// the same energy, kinetic and stored against the work that is summed, within 5e-5 of the 1881 J (rk was off by 7600 J).
static void work_over_half_a_cylinder_is_that_of_the_motion(void **state)
{
    (void)state;
    static const char *const methods[] = {"simulate.method=rk", "simulate.method=adams",
                                          "simulate.method=bdf", "simulate.method=rn4"};
    for (int i = 0; i < HOL_COUNT(methods); i++) {
        const char *set[] = {methods[i]};
        motion m =
            move("dimension: 2\ngravity: [0, -9.81]\n"
                 "bodies: [{name: a, mass: 200, inertia: 20, position: [0, 0.5], velocity: [3, 0]}]\n"
                 "forces: [{name: b, type: tyre, on: a, stiffness: 1e5, damping: 500, length: 0.5, road: "
                 "cylinder, middle: 1, height: 0.05}]\n"
                 "simulate: {end: 1, tolerance: 1e-4, output: 1e-3}\n",
                 set, 1);
        if (m.end) fail_msg("%s: %s", methods[i], hol_context_error(ctx));
        near_at(methods[i], 1, hol_simulation_statistics(m.sim)->energy_drift_max, 0, 0.1);
        close_motion(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_counts_are_right, start, stop),
        cmocka_unit_test_setup_teardown(it_starts_in_equilibrium, start, stop),
        cmocka_unit_test_setup_teardown(the_momentum_stays, start, stop),
        cmocka_unit_test_setup_teardown(a_road_lies_at_its_level, start, stop),
        cmocka_unit_test_setup_teardown(it_meets_the_reference, start, stop),
        cmocka_unit_test_setup_teardown(turning_wheels_change_nothing, start, stop),
        cmocka_unit_test_setup_teardown(variants_meet_the_reference, start, stop),
        cmocka_unit_test_setup_teardown(tolerances_are_met, start, stop),
        cmocka_unit_test_setup_teardown(stiff_springs_carry_the_right_force, start, stop),
        cmocka_unit_test_setup_teardown(the_sharp_road_does_the_same, start, stop),
        cmocka_unit_test_setup_teardown(rn4_meets_the_reference, start, stop),
        cmocka_unit_test_setup_teardown(rn4_meets_the_reference_on_a_bump_to_the_left, start, stop),
        cmocka_unit_test_setup_teardown(rn4_follows_turning_wheels, start, stop),
        cmocka_unit_test_setup_teardown(rn4_meets_the_reference_where_tyres_lift_off, start, stop),
        cmocka_unit_test_setup_teardown(rn4_passes_half_a_cylinder, start, stop),
        cmocka_unit_test_setup_teardown(steps_do_not_jump_over_the_bump, start, stop),
        cmocka_unit_test_setup_teardown(tyres_push_as_they_should, start, stop),
        cmocka_unit_test_setup_teardown(roads_announce_their_edges, start, stop),
        cmocka_unit_test_setup_teardown(work_over_half_a_cylinder_is_that_of_the_motion, start, stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
