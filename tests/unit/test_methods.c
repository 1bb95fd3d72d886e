// Every method of the table on two motions with closed forms, at steps and between them: positions, accelerations, the
// reaction, a state of a user. The bounds are twice what each method does here, so that an estimate that says a tenth shows; a
// method without a row has those of its order (method_forms.h). And what the teaching methods hold, which is an equation of what they write.
#include "method_forms.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POSITION, VELOCITY, ACCELERATION, FORCE, STATE, N_KINDS };
static const char *const kinds[] = {"position", "velocity", "acceleration", "force", "state"};

typedef struct {
    const char *method, *way; // of the steps
    double most[N_KINDS];
} bound;

typedef struct {
    const char *text;
    const char *signal[8];
    int kind[8];
    void (*exact)(double t, double *x); // in the order of the signals
} problem;

// Disc on an arm of 1 m that turns with 3 rad/s: m r omega^2 = 18 N pull it inwards, along its own -x. Y' = -Y.
static const char wheel_text[] =
    "{dimension: 2, gravity: [0, 0], bodies: [{name: p, mass: 2, inertia: 0.5, position: [1, 0], velocity: "
    "[0, 3],"
    " omega: 3}], joints: [{name: J, type: revolute, between: [ground, {p: [-1, 0]}]}],"
    " states: [{name: X, rate: cos(time), initial: 0}, {name: Y, rate: -Y, initial: 1}],"
    " simulate: {end: 3, output: 0.01}}";

static void turn_wheel(double t, double *x)
{
    const double exact[] = {cos(3 * t), -3 * sin(3 * t), -9 * cos(3 * t), -18, 0, sin(t), exp(-t)};
    memcpy(x, exact, sizeof exact);
}

static const problem wheel = {
    wheel_text,
    {"p.x", "p.vx", "p.ax", "J.Fx", "J.Fy", "X", "Y", NULL},
    {POSITION, VELOCITY, ACCELERATION, FORCE, FORCE, STATE, STATE},
    turn_wheel,
};

// A spring of 16 N/m with 1 kg, and a force that follows a state: Y = exp(-t), y'' = exp(-t), y = exp(-t).
static const char swing_text[] =
    "{dimension: 2, gravity: [0, 0], bodies: [{name: p, type: point, mass: 1, position: [1, 1], velocity: "
    "[0, -1]}],"
    " states: [{name: X, rate: VX(p), initial: 1}, {name: Y, rate: -Y, initial: 1}],"
    " forces: [{name: spring, type: force, on: p, value: [-16*DX(p), Y]}],"
    " simulate: {end: 3, output: 0.01}}";

static void swing_point(double t, double *x)
{
    const double exact[] = {cos(4 * t), exp(-t),          -4 * sin(4 * t), -exp(-t),
                            exp(-t),    -16 * cos(4 * t), cos(4 * t),      exp(-t)};
    memcpy(x, exact, sizeof exact);
}

static const problem swing = {
    swing_text,
    {"p.x", "p.y", "p.vx", "p.vy", "p.ay", "p.ax", "X", "Y"},
    {POSITION, POSITION, VELOCITY, VELOCITY, ACCELERATION, ACCELERATION, STATE, STATE},
    swing_point,
};

// Largest errors of all rows.
static void errors_of(const problem *p, const bound *b, double worst[N_KINDS])
{
    char folder[] = "/tmp/holonom_methods_XXXXXX", file[60], other[60], set[2][60];
    const char *const list[] = {set[0], set[1]};
    assert_int_equal(make_results(folder, file, other), 0);
    snprintf(set[0], sizeof set[0], "simulate.method=%s", b->method);
    snprintf(set[1], sizeof set[1], "simulate.%s", b->way);
    motion m = open_motion(p->text, list, 2);
    assert_int_equal(hol_simulation_write(m.sim, file), HOL_OK);
    if (hol_simulation_run(m.sim)) fail_msg("%s: %s", b->method, hol_context_error(ctx));
    hol_simulation_finish(m.sim);
    hol_result *r = hol_result_read(ctx, file);
    assert_non_null(r);
    assert_int_equal(r->n_rows, 301);
    memset(worst, 0, N_KINDS * sizeof *worst);
    for (size_t k = 0; k < r->n_rows; k++) {
        const double *row = r->value + k * (size_t)r->n_columns;
        double exact[8];
        p->exact(row[0], exact);
        for (int i = 0; i < 8 && p->signal[i]; i++) {
            const double off = fabs(row[column_of(r, p->signal[i])] - exact[i]);
            worst[p->kind[i]] = hol_larger(off, worst[p->kind[i]]);
        }
    }
    hol_result_destroy(r);
    close_motion(&m);
    remove_results(folder, file, other);
}

// What the order of a method promises of positions and states; the rest is not bounded.
static bound promised(const hol_method *method)
{
    enum { FACTOR = 30 }; // as in test_method_order.c
    form f;
    make_form(method, 0, &f);
    const bool fixed = method->refuse && method->refuse(f.value, true);
    const double most =
        fixed ? FACTOR * pow(0.005, order_of_form(&f)) : FACTOR * pow(1e-6, exponent_of_form(&f));
    return (bound){
        method->name, fixed ? "step=0.005" : "tolerance=1e-6", {most, HOL_INF, HOL_INF, HOL_INF, most}};
}

// Every method of the table, by its row or by what its order promises.
static void check(const problem *p, const bound *rows, int n)
{
    int found = 0;
    for (const hol_method *const *m = hol_methods; *m; m++) {
        double worst[N_KINDS];
        bound b = promised(*m);
        for (int k = 0; k < n; k++)
            if (strcmp(rows[k].method, (*m)->name) == 0) b = rows[k], found++;
        if (few() && (m - hol_methods) % 6 != (p == &wheel)) continue; // a sixth of them each
        errors_of(p, &b, worst);
        if (getenv("SEEN"))
            for (int i = 0; i < N_KINDS; i++) printf("%s%.1e", i ? ", " : "\n", 2 * worst[i]);
        for (int i = 0; i < N_KINDS; i++)
            if (!(worst[i] <= b.most[i]))
                fail_msg("%s: %s off by %.2e, allowed %.2e", b.method, kinds[i], worst[i], b.most[i]);
    }
    assert_int_equal(found, n);
}

static void a_wheel_turns(void **state)
{
    static const bound bounds[] = {
        {"hht", "tolerance=1e-6", {4.6e-04, 1.4e-03, 1.5e-02, 2.9e-02, 1.1e-05}},
        {"newmark", "tolerance=1e-4", {7.0e-01, 1.6e+00, 7.1e+00, 6.4e+00, 1.9e-02}},
        {"genalpha", "tolerance=1e-6", {5.9e-04, 1.9e-03, 4.7e-02, 1.2e-01, 1.2e-05}},
        {"rk", "tolerance=1e-6", {1.0e-09, 1.0e-09, 1.0e-09, 1.0e-09, 1.0e-09}},
        {"rn4", "tolerance=1e-6", {1.7e-05, 5.2e-05, 1.2e-03, 6.3e-02, 4.5e-08}},
        {"ros2w", "tolerance=1e-4", {2.6e-03, 8.1e-03, 1.2e+00, 3.1e-03, 2.9e-05}},
        {"adams", "tolerance=1e-6", {8.9e-06, 3.0e-05, 1.1e-04, 1.3e-04, 4.0e-08}},
        {"bdf", "tolerance=1e-6", {5.7e-05, 1.8e-04, 7.6e-04, 9.3e-04, 8.7e-08}},
        {"joint_bdf", "tolerance=1e-6", {1.0e-09, 1.0e-09, 1.0e-09, 1.0e-09, 1.6e-05}},
        {"srm", "tolerance=1e-6", {8.6e-06, 2.7e-05, 7.7e-05, 2.1e-05, 7.6e-08}},
        {"tangent", "tolerance=1e-6", {7.1e-04, 2.2e-03, 7.2e-03, 5.1e-03, 1.9e-05}},
        {"central", "step=0.02", {7.6e-03, 2.4e-02, 6.8e-02, 1.6e-02, 6.7e-05}},
        {"projected", "step=0.02", {3.7e-03, 8.6e-01, 1.7e+02, 5.6e+02, 6.7e-05}},
        {"newmark-index2", "step=0.02", {1.2e-03, 3.4e-05, 1.1e-02, 2.2e-02, 6.7e-05}},
        {"newmark-index1", "step=0.005", {1.5e-04, 1.1e-04, 1.0e-09, 1.0e-09, 4.2e-06}},
    };
    (void)state;
    check(&wheel, bounds, HOL_COUNT(bounds));
}

static void a_point_swings(void **state)
{
    static const bound bounds[] = {
        {"hht", "tolerance=1e-6", {1.5e-03, 5.4e-03, 2.4e-02, 1.0e-09, 1.5e-03}},
        {"newmark", "tolerance=1e-4", {8.5e-02, 3.6e-01, 1.4e+00, 1.0e-09, 8.0e-02}},
        {"genalpha", "tolerance=1e-6", {1.4e-03, 5.0e-03, 2.3e-02, 1.0e-09, 1.4e-03}},
        {"rk", "tolerance=1e-6", {4.3e-08, 1.7e-07, 6.8e-07, 1.0e-09, 4.3e-08}},
        {"rn4", "tolerance=1e-6", {2.7e-05, 1.1e-04, 2.8e-03, 1.0e-09, 2.7e-05}},
        {"ros2w", "tolerance=1e-4", {5.6e-03, 2.1e-02, 3.5e+00, 1.0e-09, 5.6e-03}},
        {"adams", "tolerance=1e-6", {4.8e-05, 1.8e-04, 7.7e-04, 1.0e-09, 4.8e-05}},
        {"bdf", "tolerance=1e-6", {4.4e-05, 2.1e-04, 7.1e-04, 1.0e-09, 4.4e-05}},
        {"joint_bdf", "tolerance=1e-6", {2.1e-05, 9.8e-05, 3.3e-04, 1.0e-09, 2.1e-05}},
        {"srm", "tolerance=1e-6", {1.6e-05, 6.0e-05, 2.6e-04, 1.0e-09, 1.6e-05}},
        {"tangent", "tolerance=1e-6", {8.9e-04, 3.3e-03, 1.5e-02, 1.0e-09, 8.9e-04}},
        {"central", "step=0.02", {5.9e-03, 2.5e-02, 9.5e-02, 1.0e-09, 9.7e-03}},
        {"projected", "step=0.02", {1.2e-02, 4.3e-02, 1.9e-01, 1.0e-09, 1.2e-02}},
        {"newmark-index2", "step=0.02", {1.2e-02, 4.3e-02, 1.9e-01, 1.0e-09, 1.2e-02}},
        {"newmark-index1", "step=0.02", {1.2e-02, 4.3e-02, 1.9e-01, 1.0e-09, 1.2e-02}},
    };
    (void)state;
    check(&swing, bounds, HOL_COUNT(bounds));
}

// ---- what teaching methods hold -------------------------------------------------------------------------------

// At the end of a run the level that a method holds is zero: c2 Phi'' + c1 Phi' + c0 Phi of what the rows say.
static const struct {
    const char *method, *settings;
    double level[3]; // c0, c1, c2
} holds[] = {
    {"central", "simulate.step=0.01", {1, 0, 0}},
    {"central", "simulate.step=0.01", {0, 1, 0}},
    {"projected", "simulate.step=0.01", {1, 0, 0}},
    {"newmark-index2", "simulate.step=0.01", {0, 1, 0}},
    {"newmark-index2", "simulate.step=0.01 newmark-index2.baumgarte=4", {4, 1, 0}},
    {"newmark-index1", "simulate.step=0.01", {0, 0, 1}},
    {"newmark-index1",
     "simulate.step=0.01 newmark-index1.baumgarte_alpha=3 newmark-index1.baumgarte_beta=5",
     {25, 6, 1}},
};

static motion run_held(const char *text, int k)
{
    char settings[200];
    const char *set[6];
    snprintf(settings, sizeof settings, "simulate.method=%s %s", holds[k].method, holds[k].settings);
    const int n = split(settings, set, 6);
    motion m = move(text, set, n);
    if (m.end) fail_msg("%s: %s", holds[k].method, hol_context_error(ctx));
    return m;
}

static void level_is(int k, const char *what, double phi, double rate, double acceleration)
{
    const double *c = holds[k].level, level = c[2] * acceleration + c[1] * rate + c[0] * phi;
    char text[100];
    snprintf(text, sizeof text, "%s, %s: %s", holds[k].method, holds[k].settings, what);
    near(text, level, 0, 1e-8);
}

// The hinge of a rod that swings: Phi is where it is.
static void hinges_are_held_at_their_level(void **state)
{
    (void)state;
    for (int k = 0; k < HOL_COUNT(holds); k++) {
        motion m = run_held(
            "{dimension: 2, gravity: [0, -10], bodies: [{name: rod, mass: 1, inertia: 1/3, position: [1, 0],"
            " markers: {tip: [-1, 0]}}], joints: [{name: J, type: revolute, between: [ground, rod.tip]}],"
            " simulate: {end: 0.4, output: 0.1}}",
            k);
        level_is(k, "x", value_of(&m, "rod.tip.x"), value_of(&m, "rod.tip.vx"), value_of(&m, "rod.tip.ax"));
        level_is(k, "y", value_of(&m, "rod.tip.y"), value_of(&m, "rod.tip.vy"), value_of(&m, "rod.tip.ay"));
        close_motion(&m);
    }
}

// A wheel that a driver turns by t + t^4: Phi is the angle that is missing.
static void drivers_are_held_at_their_level(void **state)
{
    (void)state;
    for (int k = 0; k < HOL_COUNT(holds); k++) {
        motion m =
            run_held("{dimension: 2, gravity: [0, 0], bodies: [{name: w, mass: 1, inertia: 1, omega: 1}],"
                     " joints: [{name: J, type: revolute, between: [ground, w]}],"
                     " drivers: [{name: motor, type: angle, joint: J, value: time + time^4}],"
                     " simulate: {end: 0.5, output: 0.1}}",
                     k);
        level_is(k, "angle", value_of(&m, "w.theta") - 0.5625, value_of(&m, "w.omega") - 1.5,
                 value_of(&m, "w.alpha") - 3);
        close_motion(&m);
    }
}

// One iterate takes out of a ladder what it says: the energy that is gone without work.
static void what_regularization_dissipates_is_gone(void **state)
{
    (void)state;
    for (int k = 1; k <= 3; k += 2) {
        char text[200];
        const char *set[8];
        snprintf(text, sizeof text,
                 "simulate.method=srm srm.form=penalty srm.eps=3e-3 simulate.step=2e-4 simulate.end=0.5 "
                 "parameters.K=%d",
                 k);
        const int n = split(text, set, 8);
        motion m = move("ladder", set, n);
        if (m.end) fail_msg("%s", hol_context_error(ctx));
        const hol_statistics *s = hol_simulation_finish(m.sim);
        const double lost = s->energy_start - value_of(&m, "energy.total");
        print_message("K = %d: %.4g J lost, %.4g J said\n", k, lost, s->srm_dissipated);
        assert_true(lost > 1e-7);
        near("dissipated", s->srm_dissipated, lost, 0.01 * lost);
        close_motion(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wheel_turns),
        cmocka_unit_test(a_point_swings),
        cmocka_unit_test(hinges_are_held_at_their_level),
        cmocka_unit_test(drivers_are_held_at_their_level),
        cmocka_unit_test(what_regularization_dissipates_is_gone),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
