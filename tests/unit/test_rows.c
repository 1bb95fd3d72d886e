// Rows of results: every kind of signal with every method against what the row's own state gives, by formulas written out here.
#include "method_forms.h"

#include <math.h>
#include <stdio.h>

// A body that spins about a vertical axis, its centre of mass 0.1 m beside it: its angle wraps, a relay and a saw jump.
#define SPIN                                                                                                 \
    "dimension: 3\ngravity: [0, 0, -9.81]\nbodies:\n"                                                        \
    "  - {name: a, mass: 2, inertia: [1, 1, 1], omega: [0, 0, 4], com: [0.1, 0, 0]}\n"                       \
    "joints: [{name: g, type: revolute, between: [ground, a]}]\n"                                            \
    "states: [{name: x, rate: 'cos(3*time) - x', initial: 0.5}]\n"                                           \
    "forces: [{name: brake, type: torque, on: a, value: [0, 0, '-0.3*WZ(a)']}]\n"                            \
    "variables:\n"                                                                                           \
    "  - {name: angle, value: AZ(a)}\n"                                                                      \
    "  - {name: relay, value: 'if(AZ(a)-2: 0, 0, 1)'}\n"                                                     \
    "  - {name: saw, value: 'mod(4*time, 1)'}\n"                                                             \
    "  - {name: twice, value: '2*angle + relay + x'}\n"
#define CIRCLE "  - {name: circle, value: 'cos(circle/2) + 0.1*WZ(a)*sin(AZ(a)/2)'}\n"
// Of accelerations and joint forces.
#define DEEP                                                                                                 \
    "  - {name: slowing, value: 'WDTZ(a) + 2*VX(a)'}\n"                                                      \
    "  - {name: pull, value: '2*FX(g) + FZ(g)'}\n"
#define SIGNALS "a, g, brake, x, energy, angle, relay, saw, twice"

typedef struct {
    const hol_result *r;
    const double *value;
} row;

static double at(const row *o, const char *name) { return o->value[column_of(o->r, name)]; }

// Off by a part of 1 or of the value.
static void same(const form *f, const row *o, const char *name, double expected, double most)
{
    const double found = at(o, name), off = fabs(found - expected) / fmax(1, fabs(expected));
    if (!(off <= most))
        fail_msg("%s, t = %g: %s is %.17g, the state of the row gives %.17g", f->set, o->value[0], name,
                 found, expected);
}

static double circle_of(double c)
{
    double u = 0;
    for (int i = 0; i < 200; i++) u -= (u - cos(u / 2) - c) / (1 + sin(u / 2) / 2);
    return u;
}

// Of the centre of mass and about it.
static double kinetic(const row *o)
{
    const double qw = at(o, "a.qw"), qx = at(o, "a.qx"), qy = at(o, "a.qy"), qz = at(o, "a.qz");
    const double r[] = {0.1 * (1 - 2 * (qy * qy + qz * qz)), 0.2 * (qx * qy + qw * qz),
                        0.2 * (qx * qz - qw * qy)};
    const double w[] = {at(o, "a.wx"), at(o, "a.wy"), at(o, "a.wz")},
                 v[] = {at(o, "a.vx"), at(o, "a.vy"), at(o, "a.vz")};
    double twice = 0;
    for (int i = 0, j = 1, k = 2; i < 3; i++, j = (j + 1) % 3, k = (k + 1) % 3) {
        const double c = v[i] + w[j] * r[k] - w[k] * r[j];
        twice += 2 * c * c + w[i] * w[i];
    }
    return twice / 2;
}

// level: 1: with variables in a circle, 2: and with those of accelerations and joint forces. Moments about the axis: I = 1 + 2 * 0.1^2; the joint's force on the body, in its axes.
static void check_row(const form *f, const row *o, int level)
{
    const double wz = at(o, "a.wz"), alpha = at(o, "a.alz"), x = at(o, "x"), inertia = 1.02;
    // full turns count from 0, where the run begins, and it only goes on: Euler parameters tell the turns but for pairs of them
    const double wrapped = 2 * atan2(at(o, "a.qz"), at(o, "a.qw")), pair = 4 * HOL_PI,
                 angle = wrapped + pair * rint((at(o, "angle") - wrapped) / pair);
    const double relay = angle > 2, half = sin(angle / 2);
    same(f, o, "angle", angle, 1e-12);
    same(f, o, "relay", relay, 0);
    same(f, o, "saw", fmod(4 * o->value[0], 1), 1e-12);
    same(f, o, "twice", 2 * angle + relay + x, 1e-12);
    if (level > 0) same(f, o, "circle", circle_of(0.1 * wz * half), 1e-9);
    same(f, o, "brake.Tz", -0.3 * wz, 1e-12);
    same(f, o, "energy.kinetic", kinetic(o), 1e-12);
    if (level > 1) {
        same(f, o, "slowing", alpha + 2 * at(o, "a.vx"), 1e-12);
        same(f, o, "pull", 2 * at(o, "g.Fx") + at(o, "g.Fz"), 1e-12);
    }
    if (f->method->linear_unknowns && !level) return; // interpolated, as the manual says
    same(f, o, "a.alz", -0.3 * wz / inertia, 1e-9);
    same(f, o, "g.Fx", -0.2 * wz * wz, 1e-9);
    same(f, o, "g.Fy", 0.2 * alpha, 1e-9);
    same(f, o, "g.Fz", 19.62, 1e-9);
}

// Few of the rows are ends of steps.
static const char *way_of(const form *f)
{
    return f->method->refuse && f->method->refuse(f->value, true) ? "simulate.step=0.0053"
                                                                  : "simulate.tolerance=1e-3";
}

// 40 rows; none of them is an end of a step but the first and the last.
static void check_method(const form *f, int level)
{
    static const char *const text_of[] = {SPIN, SPIN CIRCLE, SPIN CIRCLE DEEP},
                             *const more_signals[] = {"", ", circle", ", circle, slowing, pull"};
    char folder[] = "/tmp/holonom_rows_XXXXXX", file[60], other[60], text[4000];
    assert_int_equal(make_results(folder, file, other), 0);
    snprintf(text, sizeof text, "%ssimulate: {end: 2.92, output: 0.073, signals: [%s%s]}\n", text_of[level],
             SIGNALS, more_signals[level]);
    motion m = open_form(f, text, way_of(f));
    if (m.sim) {
        assert_int_equal(hol_simulation_write(m.sim, file), HOL_OK);
        if (hol_simulation_run(m.sim)) fail_msg("%s: %s", f->set, hol_context_error(ctx));
        hol_simulation_finish(m.sim);
        hol_result *r = hol_result_read(ctx, file);
        assert_non_null(r);
        assert_int_equal(r->n_rows, 41);
        for (size_t k = 1; k + 1 < r->n_rows; k++) {
            const row o = {r, r->value + k * (size_t)r->n_columns};
            check_row(f, &o, level);
        }
        hol_result_destroy(r);
        close_motion(&m);
    } else {
        assert_true(level > 0); // only expressions that have to be solved for are refused
    }
    remove_results(folder, file, other);
}

static void a_row_agrees_with_its_state(void **state)
{
    form f = {0};
    int number = 0;
    (void)state;
    while (next_form(&f)) {
        if (f.index) continue;
        for (int level = 0; level < 3; level++)
            if (in_sample(number + level, 1, 2)) check_method(&f, level);
        number++;
    }
}

// ---- stiff forces ---------------------------------------------------------------------------------------------

// Three masses, in line with each other, fall from a horizontal line.
#define LINE(kind, key, more)                                                                                \
    "{dimension: 2, gravity: [0, -9.81], bodies: [{for: i in 0..2, name: 'm{i}', type: point, mass: 1, "     \
    "position: [i+1, 0]}], " key ": [{name: s0, type: " kind ", between: [ground, m0], length: 1" more       \
    "}, {name: s1, type: " kind ", between: [m0, m1], length: 1" more "}, {name: s2, type: " kind            \
    ", between: [m1, m2], length: 1" more "}], simulate: {end: 1.2, output: 0.001, signals: [f0, f1, f2]}, " \
    "variables: [{for: i in 0..2, name: 'f{i}', value: 'FM(s{i})'}]}"
static const char rods[] = LINE("distance", "joints", ""),
                  springs[] = LINE("spring-damper", "forces", ", stiffness: 1e8");

static hol_result *line_of(const char *text, const char *method, const char *way)
{
    return rows_written(text, (const char *const[]){method, way}, 2, NULL);
}

// Largest difference of the tensions in every tenth row from the first on, which are steps, or in the others.
static double worst_of(const hol_result *r, const hol_result *exact, bool steps)
{
    double worst = 0;
    for (size_t k = 1; k < r->n_rows; k++)
        for (int i = 1; i <= 3 && (k % 10 == 0) == steps; i++)
            worst = fmax(worst, fabs(r->value[k * (size_t)r->n_columns + (size_t)i] -
                                     exact->value[k * (size_t)exact->n_columns + (size_t)i]));
    return worst;
}

// Against rods, by rk at 1e-11. Rows that were evaluated at cubics were off by hundreds of N. Before 1.2 s nothing is as fast as
// the steps.
static void stiff_forces_are_between_steps_what_they_are_at_steps(void **state)
{
    static const char *const methods[] = {"hht", "genalpha", "tangent"};
    hol_result *exact = line_of(rods, "simulate.method=rk", "simulate.tolerance=1e-11");
    (void)state;
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        char method[60];
        snprintf(method, sizeof method, "simulate.method=%s", methods[i]);
        hol_result *r = line_of(springs, method, "simulate.step=0.01");
        const double at_steps = worst_of(r, exact, true), between = worst_of(r, exact, false);
        print_message("%s: %.3g N at steps, %.3g N between\n", methods[i], at_steps, between);
        if (!(between <= 1.5 * at_steps)) fail_msg("%s: %g N, %g N", methods[i], at_steps, between);
        hol_result_destroy(r);
    }
    hol_result_destroy(exact);
}

// ---- what holds velocities -----------------------------------------------------------------------------------

// The largest difference of a column from a function of time, over all rows, by every method that takes the model; the number of these.
static int worst_of_all(const char *text, const char *name, double (*exact)(double t), double most)
{
    int taken = 0;
    for (int k = 0; hol_methods[k]; k++) {
        char method[60];
        const char *const set[] = {method};
        snprintf(method, sizeof method, "simulate.method=%s", hol_methods[k]->name);
        if (hol_methods[k]->teaching) continue;
        hol_model *model = load_model(text, set, 1);
        hol_simulation *sim = hol_simulation_create(ctx, model);
        const bool takes = sim != NULL;
        if (!takes) expect_message("does not take");
        hol_simulation_destroy(sim);
        hol_model_destroy(model);
        if (!takes) continue;
        hol_result *r = rows_written(text, set, 1, NULL);
        for (size_t i = 0; i < r->n_rows; i++) {
            const double *value = r->value + i * (size_t)r->n_columns;
            near(hol_methods[k]->name, value[column_of(r, name)], exact(value[0]), most);
        }
        hol_result_destroy(r);
        taken++;
    }
    return taken;
}

static double of_bell(double t) { return exp(-pow((t - 1.2345) / 1e-3, 2)); }
static double of_front(double t) { return tanh(1000 * (t - 1.2345)) + 1; }

// A speed that is held is held in every row, to a hundredth of the tolerance: cubics between steps left it by 0.87 m/s.
static void rows_between_steps_hold_velocities(void **state)
{
#define HELD(speed)                                                                                          \
    "{dimension: 2, gravity: [0, 0], bodies: [{name: b, mass: 2, inertia: 1}],"                              \
    " joints: [{name: j, type: translational, between: [ground, b]}],"                                       \
    " constraints: [{name: c, velocity: VX(b) - (" speed ")}],"                                              \
    " simulate: {end: 3, tolerance: 1e-3, output: 0.005, signals: [b.vx]}}"
    (void)state;
    assert_true(worst_of_all(HELD("exp(-((time-1.2345)/1e-3)^2)"), "b.vx", of_bell, 1e-5) >= 8);
    assert_true(worst_of_all(HELD("tanh(1000*(time-1.2345))+1"), "b.vx", of_front, 1e-5) >= 8);
}

// 2 m/s within 1 ms, by 3 u^2 - 2 u^3: the way is 2 ms (u^3 - u^4/2).
static double driven(double t)
{
    const double u = fmin(fmax((t - 1) / 1e-3, 0), 1);
    return 2e-3 * (pow(u, 3) - pow(u, 4) / 2) + 2 * fmax(t - 1.001, 0);
}

// A driver given by its speed: no step goes over what that does in 1 ms. Rows of srm were off by 0.03 m.
static void steps_see_what_a_driven_speed_does(void **state)
{
    (void)state;
    assert_true(
        worst_of_all("{dimension: 2, gravity: [0, 0], bodies: [{name: b, mass: 2, inertia: 1}],"
                     " joints: [{name: j, type: translational, between: [ground, b]}],"
                     " drivers: [{name: d, type: stroke, joint: j, speed: \"step(time,1,0,1.001,2)\"}],"
                     " simulate: {end: 3, tolerance: 1e-3, output: 0.005, signals: [b.x]}}",
                     "b.x", driven, 1e-5) >= 11);
}

// A crank and a rocker with a rod between; at 1e-3 steps are long, and what is interpolated leaves the joints.
#define ROCKER                                                                                               \
    "{dimension: 2, gravity: [0, -9.81],"                                                                    \
    " bodies: [{name: a, mass: 1, inertia: 0.1, position: [0, 0.3], angle: 90 deg, omega: 8, velocity: "     \
    "[-2.4, 0], markers: {tip: [0.2, 0]}},"                                                                  \
    " {name: b, mass: 1, inertia: 0.1, position: [2, 0.6], angle: 90 deg, markers: {tip: [0.6, 0]}}],"       \
    " joints: [{name: A, type: revolute, bodies: [ground, a], at: [0, 0]}, {name: B, type: revolute, "       \
    "bodies: [ground, b], at: [2, 0]},"                                                                      \
    " {name: rod, type: distance, between: [a.tip, b.tip]}],"                                                \
    " simulate: {end: 1.5, output: 0.01, signals: [violation.position]}}"

// Rows are on the joints to 1e-10, or as steps are; the summary says how far. Without a word rows were 1e-2 of the tolerance off.
static void rows_are_on_the_joints(void **state)
{
    form f = {0};
    (void)state;
    while (next_form(&f)) {
        if (f.index || f.method->open) continue;
        motion m = open_form(&f, ROCKER, way_of(&f));
        hol_simulation_record(m.sim);
        if (hol_simulation_run(m.sim)) fail_msg("%s: %s", f.set, hol_context_error(ctx));
        const hol_statistics *s = hol_simulation_statistics(m.sim);
        const double told = fmax(s->max_position_violation, s->max_row_violation);
        hol_result *r = hol_simulation_take_result(m.sim);
        double most = 0;
        for (size_t i = 0; i < r->n_rows; i++)
            most =
                fmax(most, r->value[i * (size_t)r->n_columns + (size_t)column_of(r, "violation.position")]);
        if (!(most <= fmax(1e-10, 2 * s->max_position_violation) &&
              most <= told + 1e-11)) // what a projection leaves
            fail_msg("%s: %g in rows, %g told", f.set, most, told);
        hol_result_destroy(r);
        close_motion(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_agrees_with_its_state),
        cmocka_unit_test(stiff_forces_are_between_steps_what_they_are_at_steps),
        cmocka_unit_test(rows_between_steps_hold_velocities),
        cmocka_unit_test(steps_see_what_a_driven_speed_does),
        cmocka_unit_test(rows_are_on_the_joints),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
