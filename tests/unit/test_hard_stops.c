// Rest at hard stops: what bounces comes to rest, the stop holds it as long as it presses, lets it go, and never pulls. References: closed
// forms.
#include "harness.h"

#include "element/element.h"
#include "integrator/integrator.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double G = 9.81;

static motion run_with(const char *model, const char *method, double T)
{
    char how[2][60];
    const char *set[] = {how[0], how[1]};
    snprintf(how[0], sizeof how[0], "simulate.method=%s", method);
    snprintf(how[1], sizeof how[1], "simulate.tolerance=%g", T);
    motion m = move(model, set, 2);
    if (m.end) fail_msg("%s: %s", method, hol_context_error(ctx));
    return m;
}

// Every method of the table that chooses its steps and lets joints rest. *T: a tolerance that it can be asked for. Steps of order 1 are as
// long as the root of it, at 1e-5 a hundred times as many as those of order 2.
static const char *next_method(int *i, double *T)
{
    for (; hol_methods[*i]; ++*i)
        if (hol_methods[*i]->divisor && !hol_methods[*i]->open) {
            *T = hol_methods[*i]->order > 1 ? 1e-5 : 1e-3;
            return hol_methods[(*i)++]->name;
        }
    return NULL;
}

typedef struct {
    const char *signal;
    double is, within; // in tolerances; 0: to 1e-9
} expected;

static void ends_as(const char *model, const expected *e, int n, int resting)
{
    double T;
    int i = 0, k = 0;
    for (const char *method; (method = next_method(&i, &T));) {
        if (few() && k++ % 3) continue;
        motion m = run_with(model, method, T);
        for (int j = 0; j < n; j++) {
            const double x = value_of(&m, e[j].signal), allowed = e[j].within > 0 ? e[j].within * T : 1e-9;
            if (getenv("SEEN")) printf("%s: %s off by %.3g\n", method, e[j].signal, x - e[j].is);
            if (!(fabs(x - e[j].is) <= allowed))
                fail_msg("%s: %s is %.12g, not %.12g", method, e[j].signal, x, e[j].is);
        }
        const int rests = hol_simulation_statistics(m.sim)->resting;
        if (rests != resting) fail_msg("%s: %d joints rest, not %d", method, rests, resting);
        close_motion(&m);
    }
}

// ---- bouncing to rest --------------------------------------------------------------------------------------------

// What falls onto a stop comes to rest after t0 (1 + e)/(1 - e), of a slide down 1 m at 30 deg exactly. Of a rod the times of all arcs are
// summed: from sin(s) = -1/2 + e^(2k)/2 down to -1/2 with s'' = -3/4 g cos(s), by quadrature. Then the slide presses with m g sin(30 deg),
// the rod with its weight at 1 m.
// No error of a step, or of what is between steps, lets it through.
#define LIMITS(range) ", limits: {range: " range ", hard: yes, restitution: %g}}]\n"
static const struct {
    const char *name, *text, *signal, *effort;
    double least, presses, energy, at[3]; // when, by restitution
} falls[] = {{"slide",
              "dimension: 2\ngravity: [0, -9.81]\nbodies: [{name: b, mass: 2, inertia: 1, position: "
              "[0.8660254037844387, 0.5]}]\n"
              "joints: [{name: s, type: translational, between: [ground: {angle: 30 deg}, b: {angle: 30 "
              "deg}]" LIMITS("[0, 2]") "simulate: {end: 13, output: 0.01, signals: [s.stroke, "
                                       "s.limits.force, energy.total]}\n",
              "s.stroke",
              "s.limits.force",
              0,
              9.81,
              0,
              {0.638550856, 1.915652569, 12.13246627}},
             {"rod",
              "dimension: 2\ngravity: [0, -9.81]\nbodies: [{name: b, mass: 1, inertia: 1/3, position: [1, "
              "0]}]\n"
              "joints: [{name: s, type: revolute, bodies: [ground, b], at: [0, 0]" LIMITS(
                  "[-30 deg, 90 deg]") "simulate: {end: 9, output: 0.01, signals: [s.angle, "
                                       "s.limits.torque, energy.total]}\n",
              "s.angle",
              "s.limits.torque",
              -0.5235987755982988,
              8.495709211125343,
              -4.905,
              {0.379011140, 1.207603910, 7.691145028}}};

// The first row from which on the stop holds.
static double rest_of(const hol_result *x)
{
    size_t i = x->n_rows;
    while (i > 0 && x->value[4 * (i - 1) + 2] != 0) i--;
    return i < x->n_rows ? x->value[4 * i] : HOL_INF;
}

static void fall(int r, int k, const char *method, double T)
{
    static const double restitution[] = {0, 0.5, 0.9};
    char text[700], how[2][60], what[120];
    const char *set[] = {how[0], how[1]};
    snprintf(text, sizeof text, falls[r].text, restitution[k]);
    snprintf(how[0], sizeof how[0], "simulate.method=%s", method);
    snprintf(how[1], sizeof how[1], "simulate.tolerance=%g", T);
    snprintf(what, sizeof what, "%s, restitution %g, %s at %g", falls[r].name, restitution[k], method, T);
    hol_model *model = load_model(text, set, 2);
    hol_simulation *sim = hol_simulation_create(ctx, model);
    if (!sim) { // a method of order 1 that would take too long
        hol_model_destroy(model);
        return;
    }
    assert_int_equal(hol_simulation_record(sim), HOL_OK);
    if (hol_simulation_run(sim)) fail_msg("%s: %s", what, hol_context_error(ctx));
    assert_int_equal(hol_simulation_statistics(sim)->resting, 1);
    hol_result *x = hol_simulation_take_result(sim);
    const double rest = rest_of(x), *last = x->value + 4 * (x->n_rows - 1);
    if (getenv("SEEN")) printf("%s: %.9g, %.3g\n", what, rest, last[2] - falls[r].presses);
    if (fabs(rest - falls[r].at[k]) > 0.011 + sqrt(T) * falls[r].at[k])
        fail_msg("%s: rest at %.9g s, not %.9g", what, rest, falls[r].at[k]);
    if (fabs(last[1] - falls[r].least) > 1e-9 || fabs(last[2] - falls[r].presses) > 1e-6 ||
        fabs(last[3] - falls[r].energy) > 1e-8)
        fail_msg("%s: rests at %.12g, presses with %.12g, energy %.12g", what, last[1], last[2], last[3]);
    for (size_t i = 0; i < x->n_rows; i++)
        if (x->value[4 * i + 1] < falls[r].least - T)
            fail_msg("%s: %g beyond at %g s", what, falls[r].least - x->value[4 * i + 1], x->value[4 * i]);
    hol_result_destroy(x);
    hol_simulation_destroy(sim);
    hol_model_destroy(model);
}

static void what_bounces_comes_to_rest(void **state)
{
    static const double tolerance[] = {1e-1, 1e-2, 1e-3, 1e-4, 1e-6, 1e-9};
    (void)state;
    int n = 0;
    for (int r = 0; r < HOL_COUNT(falls); r++)
        for (int k = 0; k < 3; k++)
            for (int m = 0; hol_methods[m]; m++)
                for (int j = 0; j < HOL_COUNT(tolerance); j++) {
                    const hol_method *o = hol_methods[m];
                    const double T = tolerance[j];
                    if (!o->divisor || o->open || (o->order < 4 && T < 1e-3) || !in_sample(n++, 1, 7))
                        continue;
                    fall(r, k, o->name, T);
                }
}

// srm closes loops by what gives: it says so.
static void methods_whose_joints_give_refuse(void **state)
{
    (void)state;
    char text[700];
    snprintf(text, sizeof text, falls[0].text, 0.5);
    const char *set[] = {"simulate.method=srm"};
    motion m = move(text, set, 1);
    assert_int_equal(m.end, HOL_ERR_INTEGRATION);
    expect_message("the loops of srm give");
    close_motion(&m);
}

// ---- what presses, and lets go -----------------------------------------------------------------------------------

// 2 kg that 5 N push against a stop at 0.4 m, 0.5657 s on the way; from 1 s on the force falls by 5 N/s, and 1 s later the block leaves:
// 5/12 (t - 2)^3 m. Or the force is -1 N from 2 s on.
#define PUSHED(force, end)                                                                                   \
    "dimension: 2\nbodies: [{name: b, mass: 2, inertia: 1}]\n"                                               \
    "joints: [{name: s, type: translational, between: [ground, b], limits: {range: [-1, 0.4], hard: yes, "   \
    "restitution: 0.2}, motor: {force: \"" force "\"}}]\n"                                                   \
    "simulate: {end: " end ", signals: [coordinates, s.limits, energy]}\n"

static void a_motor_presses_and_lets_go(void **state)
{
    (void)state;
    ends_as(PUSHED("5 - 5*max(time - 1, 0)", "1.5"),
            (expected[]){{"s.stroke", 0.4, 0}, {"s.limits.force", -2.5, 0}, {"energy.kinetic", 0, 0}}, 3, 1);
    ends_as(PUSHED("5 - 5*max(time - 1, 0)", "3"),
            (expected[]){{"s.stroke", 0.4 - 5.0 / 12, 20}, {"s.speed", -1.25, 20}, {"s.limits.force", 0, 0}},
            3, 0);
    ends_as(PUSHED("if(time - 2: 5, 5, -1)", "3"),
            (expected[]){{"s.stroke", 0.15, 20}, {"s.speed", -0.5, 20}, {"s.limits.force", 0, 0}}, 3, 0);
    // and back onto it: 1 N, then 5 N again: it comes back after 1 s (1/5 + sqrt(1/5 (1 + 1/5))) behind 3 s with 5/2 sqrt(6)/5 m/s
    ends_as(PUSHED("if(time - 2: 5, 5, if(time - 3: -1, -1, 5))", "6"),
            (expected[]){{"s.stroke", 0.4, 0}, {"s.limits.force", -5, 0}, {"energy.total", 0, 0}}, 3, 1);
}

// A body that begins at its stop rests there, and leaves it if it is pulled.
static void what_begins_at_its_stop_rests(void **state)
{
    (void)state;
#define AT_STOP(force)                                                                                       \
    "dimension: 3\ngravity: [0, 0, -9.81]\nbodies: [{name: b, mass: 2, inertia: [1, 1, 1]}]\n"               \
    "joints: [{name: s, type: translational, between: [ground, b], limits: {range: [0, 1], hard: yes}, "     \
    "preload: " force "}]\nsimulate: {end: 0.5, signals: [coordinates, s.limits, energy]}\n"
    ends_as(AT_STOP("1"),
            (expected[]){{"s.stroke", 0, 0}, {"s.limits.force", 2 * G - 1, 0}, {"energy.work", 0, 0}}, 3, 1);
    ends_as(AT_STOP("2*9.81 + 1"), (expected[]){{"s.stroke", 0.0625, 20}, {"s.limits.force", 0, 0}}, 2, 0);
}

// ---- loops, redundant joints, several stops ------------------------------------------------------------------------

// A parallelogram that falls over onto the stop of one of its legs at 0.3 rad: potential (0.5 m_legs + m_bar) g cos(angle). With a third
// leg one equation is redundant.
#define LEG(name, x)                                                                                         \
    "  - {name: " name ", mass: 1, inertia: 0.1, position: [" x ", 0.5], velocity: [-0.6, 0], omega: 1.2, "  \
    "markers: {o: [0, -0.5], e: [0, 0.5]}}\n"
#define PARALLELOGRAM(more_bodies, more_joints, law)                                                         \
    "dimension: 2\ngravity: [0, -9.81]\nbodies:\n" LEG("a", "0") LEG(                                        \
        "c", "1") "  - {name: b, mass: 2, inertia: 0.2, position: [0.5, 1], velocity: [-1.2, 0], markers: "  \
                  "{o: [-0.5, 0], e: [0.5, 0]}}\n" more_bodies                                               \
                  "joints:\n  - {name: A, type: revolute, between: [ground, a.o], limits: {range: [-1, "     \
                  "0.3], hard: yes, "                                                                        \
                  "restitution: 0.3}}\n"                                                                     \
                  "  - {name: B, type: revolute, between: [a.e, b.o]}\n  - {name: C, type: revolute, "       \
                  "between: [b.e, c.e]}\n"                                                                   \
                  "  - {name: D, type: revolute, between: [c.o, ground: [1, 0]]" law "}\n" more_joints       \
                  "simulate: {signals: [all, coordinates], end: 2}\n"

static void loops_rest(void **state)
{
    (void)state;
    const double legs = 3 * G * sin(0.3);
    ends_as(PARALLELOGRAM("", "", ""),
            (expected[]){{"A.angle", 0.3, 0}, {"A.limits.torque", -legs, 0}, {"energy.kinetic", 0, 0}}, 3, 1);
    ends_as(PARALLELOGRAM(LEG("d", "0.5"),
                          "  - {name: E, type: revolute, between: [ground: [0.5, 0], d.o]}\n"
                          "  - {name: F, type: revolute, between: [d.e, b]}\n",
                          ""),
            (expected[]){{"A.angle", 0.3, 0}, {"A.limits.torque", -legs - 0.5 * G * sin(0.3), 0}}, 2, 1);
}

// Both legs have a stop at the same angle: one holds, or both share what presses.
static void stops_in_a_loop_share(void **state)
{
    (void)state;
    int i = 0;
    double T;
    for (const char *method; (method = next_method(&i, &T));) {
        motion m = run_with(
            PARALLELOGRAM("", "", ", limits: {range: [-1, 0.3], hard: yes, restitution: 0.3}"), method, T);
        const double A = value_of(&m, "A.limits.torque"), D = value_of(&m, "D.limits.torque");
        near("angle", value_of(&m, "A.angle"), 0.3, 1e-9);
        near("torque", A + D, -3 * G * sin(0.3), 1e-8);
        assert_true(A <= 1e-9 && D <= 1e-9);
        assert_true(hol_simulation_statistics(m.sim)->resting >= 1);
        close_motion(&m);
    }
}

// A block on a block on ground, each with a stop: dropped together from 1 m they meet both at once, and the lower stop carries both.
static void a_pile_comes_to_rest(void **state)
{
    (void)state;
    ends_as("dimension: 2\ngravity: [0, -9.81]\nbodies:\n"
            "  - {name: a, mass: 1, inertia: 1, position: [0, 1]}\n"
            "  - {name: b, mass: 3, inertia: 1, position: [0, 1.5]}\n"
            "joints:\n"
            "  - {name: A, type: translational, between: [ground: {angle: 90 deg}, a: {angle: 90 deg}],\n"
            "     limits: {range: [0, 2], hard: yes, restitution: 0.4}}\n"
            "  - {name: B, type: translational, between: [a: {angle: 90 deg}, b: {angle: 90 deg}],\n"
            "     limits: {range: [0.5, 2], hard: yes, restitution: 0.4}}\n"
            "simulate: {end: 3, signals: [coordinates, A.limits, B.limits]}\n",
            (expected[]){{"A.stroke", 0, 0},
                         {"B.stroke", 0.5, 0},
                         {"A.limits.force", 4 * G, 0},
                         {"B.limits.force", 3 * G, 0}},
            4, 2);
}

// A box rests at its stop, pressed by 1 N, and a ball in it flies against a wall: what would pull the box off its stop takes it along, with
// the momentum of both; what presses it against the stop leaves it there.
#define BOX(v)                                                                                               \
    "dimension: 2\nbodies:\n  - {name: a, mass: 1, inertia: 1}\n"                                            \
    "  - {name: b, mass: 1, inertia: 1, velocity: [" v ", 0]}\n"                                             \
    "joints:\n"                                                                                              \
    "  - {name: A, type: translational, between: [ground, a], limits: {range: [0, 10], hard: yes}, "         \
    "preload: -1}\n"                                                                                         \
    "  - {name: B, type: translational, between: [a, b], limits: {range: [-0.5, 0.5], hard: yes, "           \
    "restitution: 0.5}}\n"                                                                                   \
    "simulate: {end: 1, signals: [coordinates, A.limits, B.limits]}\n"

static void an_impact_takes_off_what_it_would_pull(void **state)
{
    (void)state;
    ends_as(BOX("1"), (expected[]){{"A.stroke", 0.25, 20}, {"A.speed", 0.25, 20}, {"B.stroke", 0.375, 40}}, 3,
            0);
    ends_as(BOX("-1"), (expected[]){{"A.stroke", 0, 0}, {"A.limits.force", 1, 0}, {"B.stroke", -0.25, 20}}, 3,
            1);
}

// In space, with turns: a wheel that a motor has turned 3 times comes to rest at its stop.
static void turns_are_counted_at_the_stop(void **state)
{
    (void)state;
    ends_as("dimension: 3\nbodies: [{name: w, mass: 1, inertia: [1, 1, 2]}]\n"
            "joints: [{name: h, type: revolute, between: [ground, w], motor: {torque: 8},\n"
            "  limits: {range: [-1, 6*pi], hard: yes, restitution: 0.3}}]\n"
            "simulate: {end: 8, signals: [coordinates, h.limits]}\n",
            (expected[]){{"h.angle", 6 * HOL_PI, 0}, {"h.limits.torque", -8, 0}}, 2, 1);
}

// ---- drawn at an end ---------------------------------------------------------------------------------------------

// Every type of joint with a coordinate that couplers take, drawn at either end of its range, at ends whose differences round to either side
// of 0, in turned frames, and pressed from the start: the joint stays, and its stop gives what presses. Joints fell through ends that are not 0.
static void add_required(char *text, size_t size, const hol_element_type *type)
{
    for (const hol_option *o = type->options; o && o->key; o++) {
        const size_t n = strlen(text);
        if (o->kind == HOL_NUMBER && o->flags & HOL_REQUIRED)
            snprintf(text + n, size - n, ", %s: 0.1", o->key);
    }
}

typedef struct {
    const hol_element_type *type;
    int dimension;
    double end, turned, presses; // presses: at the upper end with 1, at the lower one with -1
} drawn_at;

static void write_drawn_at(const drawn_at *a, char *text, size_t size)
{
    const bool stroke = a->type->coordinate == HOL_COORDINATE_STROKE, space = a->dimension == 3;
    const double A = a->turned, C = cos(A), S = sin(A), n[3] = {1.0 / 3, 2.0 / 3, 2.0 / 3},
                 far = a->end - 3 * a->presses;
    const double along[3] = {space ? S * n[1] + n[0] * n[2] * (1 - C) : C,
                             space ? -S * n[0] + n[1] * n[2] * (1 - C) : S, C + n[2] * n[2] * (1 - C)};
    const double d = stroke ? a->end : 0, turn = stroke ? 0 : a->end;
    char required[80] = "";
    add_required(required, sizeof required, a->type);
    if (space)
        snprintf(
            text, size,
            "dimension: 3\nbodies: [{name: b, mass: 2, inertia: [1, 1, 1], position: [%.17g, %.17g, %.17g], "
            "orientation: {axis: [1, 2, 2], angle: %.17g}, markers: {o: {orientation: {axis: [0, 0, 1], "
            "angle: "
            "%.17g}}}}]\n"
            "joints: [{name: j, type: %s, between: [ground: {orientation: {axis: [1, 2, 2], angle: %.17g}}, "
            "b.o]",
            d * along[0], d * along[1], d * along[2], A, turn, a->type->name, A);
    else
        snprintf(
            text, size,
            "dimension: 2\nbodies: [{name: b, mass: 2, inertia: 1, position: [%.17g, %.17g], angle: %.17g}]\n"
            "joints: [{name: j, type: %s, between: [ground: {angle: %.17g}, b]",
            d * along[0], d * along[1], A + turn, a->type->name, A);
    const size_t k = strlen(text);
    snprintf(text + k, size - k,
             "%s, limits: {range: [%.17g, %.17g], hard: yes, restitution: 0.5}}]\n"
             "forces: [{name: f, type: joint-%s, joint: j, value: %g}]\n"
             "simulate: {end: 0.3, signals: [coordinates, j.limits]}\n",
             required, fmin(a->end, far), fmax(a->end, far), stroke ? "force" : "torque", 3 * a->presses);
}

static void stays_at_its_end(const drawn_at *a)
{
    const bool stroke = a->type->coordinate == HOL_COORDINATE_STROKE;
    char text[1200];
    write_drawn_at(a, text, sizeof text);
    ends_as(text,
            (expected[]){{stroke ? "j.stroke" : "j.angle", a->end, 0},
                         {stroke ? "j.limits.force" : "j.limits.torque", -3 * a->presses, 0}},
            2, 1);
}

static void what_is_drawn_at_an_end_stays(void **state)
{
    static const double ends[] = {0, 0.5, 85 * HOL_PI / 180, HOL_PI, -1.1}, turned[] = {0, 0.7, 2.1};
    int n = 0;
    (void)state;
    for (const hol_element_type *const *t = hol_element_types; *t; t++)
        for (int k = 0; k < 2 * 2 * HOL_COUNT(ends) * HOL_COUNT(turned); k++) {
            const int of = k / 4;
            const drawn_at a = {*t, k & 1 ? 3 : 2, ends[of % HOL_COUNT(ends)], turned[of / HOL_COUNT(ends)],
                                k & 2 ? 1 : -1};
            const bool there = (*t)->dimensions == 5 || (*t)->dimensions == a.dimension;
            if ((*t)->coordinate == HOL_COORDINATE_NONE || !there || !in_sample(n++, 3, 29)) continue;
            stays_at_its_end(&a);
        }
}

// What touches a stop without a load, at rest or coasting with it, takes no more steps than without the stop; and then it is pressed, or
// leaves. bdf stayed at steps of 3e-7 s.
#define IDLE(limits, force)                                                                                  \
    "dimension: 2\nbodies:\n  - {name: a, mass: 2, inertia: 1, velocity: [-1, 0]}\n"                         \
    "  - {name: b, mass: 1, inertia: 1, velocity: [-1, 0]}\n"                                                \
    "joints:\n  - {name: A, type: translational, between: [ground, a]}\n"                                    \
    "  - {name: B, type: translational, between: [a, b]" limits "}\n"                                        \
    "forces: [{name: f, type: joint-force, joint: B, value: \"" force "\"}]\n"                               \
    "simulate: {end: 1, signals: [coordinates, all]}\n"

static void what_touches_needs_no_steps(void **state)
{
    (void)state;
    int i = 0;
    double T;
    for (const char *method; (method = next_method(&i, &T));) {
        motion with = run_with(IDLE(", limits: {range: [0, 5], hard: yes, restitution: 0.5}", "0"), method,
                               10 * T),
               without = run_with(IDLE("", "0"), method, 10 * T);
        const long n = hol_simulation_statistics(with.sim)->steps,
                   m = hol_simulation_statistics(without.sim)->steps;
        if (n > m + 5) fail_msg("%s: %ld steps, %ld without the stop", method, n, m);
        near("stays", value_of(&with, "B.stroke"), 0, 1e-12);
        close_motion(&with);
        close_motion(&without);
    }
#define STOPS ", limits: {range: [0, 5], hard: yes, restitution: 0.5}"
    ends_as(IDLE(STOPS, "-3*max(time - 0.5, 0)"),
            (expected[]){{"B.stroke", 0, 0}, {"B.limits.force", 1.5, 0}}, 2, 1);
    // 4.5 max(t - 1/2, 0) is the acceleration of the one against the other
    ends_as(IDLE(STOPS, "3*max(time - 0.5, 0)"),
            (expected[]){{"B.stroke", 0.75 / 8, 20}, {"B.limits.force", 0, 0}}, 2, 0);
}

// ---- jumps together ------------------------------------------------------------------------------------------------

// A load rests at the rear stop of a cart, pressed, and the cart is caught at 0.5 s by whatever an event may switch on: what would pull the
// load flies on, 1 J of it; what presses it holds it. Stops pulled it back.
#define CAUGHT(v, how)                                                                                       \
    "dimension: 2\nbodies:\n  - {name: a, mass: 2, inertia: 1, velocity: [" v ", 0]}\n"                      \
    "  - {name: b, mass: 1, inertia: 1, velocity: [" v ", 0]}\n"                                             \
    "joints:\n  - {name: A, type: translational, between: [ground, a]}\n"                                    \
    "  - {name: B, type: translational, between: [a, b], limits: {range: [0, 5], hard: yes, "                \
    "restitution: 0.5}}\n" how "forces: [{name: f, type: joint-force, joint: A, value: 6}]\n"                \
    "events: [{name: e, at: 0.5, on: k}]\n"                                                                  \
    "simulate: {end: 1, signals: [coordinates, energy, B.limits]}\n"

static void what_is_caught_flies_on(void **state)
{
    (void)state;
    static const char *const flies[] = {
        CAUGHT("0", "  - {name: k, type: lock, joint: A, active: no}\n"),
        CAUGHT("0", "  - {name: k, type: grip, between: [a, ground], active: no}\n"),
        CAUGHT("0", "  - {name: k, type: fixed, between: [a, ground: [0.25, 0]], active: no}\n"),
        CAUGHT("0", "drivers: [{name: k, type: stroke, joint: A, value: 0.25, active: no}]\n"),
        CAUGHT("0", "constraints: [{name: k, position: \"A.stroke - 0.25\", active: no}]\n")};
    static const char *const stays[] = {
        CAUGHT("-2", "  - {name: k, type: lock, joint: A, active: no}\n"),
        CAUGHT("-2", "  - {name: k, type: grip, between: [a, ground], active: no}\n"),
        CAUGHT("-2", "drivers: [{name: k, type: stroke, joint: A, value: -0.75, active: no}]\n")};
    for (int i = 0; i < HOL_COUNT(flies); i++)
        ends_as(flies[i], (expected[]){{"B.speed", 1, 20}, {"A.speed", 0, 20}, {"energy.kinetic", 0.5, 20}},
                3, 0);
    for (int i = 0; i < HOL_COUNT(stays); i++)
        ends_as(stays[i], (expected[]){{"B.speed", 0, 0}, {"A.speed", 0, 0}}, 2, 1);
}

// Two loads that are one, each at a stop of its own, of which one row is redundant: both are let go, by a catch, or by what pulls.
#define TWIN(force, how)                                                                                     \
    "dimension: 2\nbodies:\n  - {name: a, mass: 2, inertia: 1}\n"                                            \
    "  - {name: b, mass: 1, inertia: 1}\n  - {name: c, mass: 1, inertia: 1, position: [0, 1]}\n"             \
    "joints:\n  - {name: A, type: translational, between: [ground, a]}\n"                                    \
    "  - {name: B, type: translational, between: [a, b], limits: {range: [0, 5], hard: yes}}\n"              \
    "  - {name: C, type: translational, between: [a: [0, 1], c], limits: {range: [0, 5], hard: yes}}\n"      \
    "  - {name: f, type: fixed, between: [b: [0, 1], c]}\n" how                                              \
    "forces: [{name: g, type: joint-force, joint: " force "}]\n"                                             \
    "simulate: {end: 1, signals: [coordinates, energy, B.limits, C.limits]}\n"

// The box of an_impact_takes_off_what_it_would_pull in two halves.
#define TWIN_BOX                                                                                             \
    "dimension: 2\nbodies:\n  - {name: a, mass: 0.5, inertia: 1}\n"                                          \
    "  - {name: c, mass: 0.5, inertia: 1, position: [0, 1]}\n"                                               \
    "  - {name: b, mass: 1, inertia: 1, velocity: [1, 0]}\n"                                                 \
    "joints:\n"                                                                                              \
    "  - {name: A, type: translational, between: [ground, a], limits: {range: [0, 10], hard: yes}, "         \
    "preload: -1}\n"                                                                                         \
    "  - {name: C, type: translational, between: [ground: [0, 1], c], limits: {range: [0, 10], hard: "       \
    "yes}}\n"                                                                                                \
    "  - {name: f, type: fixed, between: [a: [0, 1], c]}\n"                                                  \
    "  - {name: B, type: translational, between: [a, b], limits: {range: [-0.5, 0.5], hard: yes, "           \
    "restitution: 0.5}}\n"                                                                                   \
    "simulate: {end: 1, signals: [coordinates, A.limits, C.limits]}\n"

static void redundant_stops_let_go(void **state)
{
    (void)state;
    ends_as(TWIN_BOX, (expected[]){{"A.stroke", 0.25, 20}, {"A.speed", 0.25, 20}, {"B.stroke", 0.375, 40}}, 3,
            0);
    ends_as(TWIN("A, value: 8",
                 "  - {name: k, type: lock, joint: A, active: no}\nevents: [{name: e, at: 0.5, on: k}]\n"),
            (expected[]){{"B.speed", 1, 20}, {"C.speed", 1, 20}, {"A.speed", 0, 20}}, 3, 0);
    ends_as(
        TWIN("B, value: \"if(time - 0.5: -8, -8, 1)\"", ""),
        (expected[]){
            {"B.speed", 0.5, 20}, {"C.speed", 0.5, 20}, {"B.limits.force", 0, 0}, {"C.limits.force", 0, 0}},
        4, 0);
}

// What is slower than rebounds that end is no less a motion: it comes to rest at its stop. It went through.
static void slow_joints_stop(void **state)
{
    (void)state;
    ends_as("dimension: 2\nbodies: [{name: b, mass: 2, inertia: 1, velocity: [5e-6, 0]}]\n"
            "joints: [{name: s, type: translational, between: [ground, b], limits: {range: [-1, 1e-5], hard: "
            "yes, slowest: 0.1}}]\n"
            "simulate: {end: 4, signals: [coordinates]}\n",
            (expected[]){{"s.stroke", 1e-5, 0}, {"s.speed", 0, 0}}, 2, 1);
}

// A beam on two guides, drawn askew or not, that meets the stops of both at once: with one restitution it turns around as it came, and
// whatever they give back, it does so whichever joint comes first in the file; the energy falls.
#define GUIDE(name, at, x, e)                                                                                \
    "  - {name: " name ", type: translational, between: [ground: {position: [" x ", 0], angle: 90 deg}, " at \
    "], limits: {range: [-1, 0.5], hard: yes, restitution: " e "}}\n"
#define BEAM_LEFT(e) GUIDE("gl", "sl", "-1", e)
#define BEAM_RIGHT(e) GUIDE("gr", "sr", "1", e)
#define BEAM(first, second)                                                                                  \
    "dimension: 2\nbodies:\n  - {name: bar, mass: 6, inertia: 2, velocity: [0, 1], markers: {l: [-1, 0], "   \
    "r: "                                                                                                    \
    "[1, 0]}}\n"                                                                                             \
    "  - {name: sl, mass: 1, inertia: 0.1, position: [-1, 0], angle: 90 deg, velocity: [0, 1]}\n"            \
    "  - {name: sr, mass: 1, inertia: 0.1, position: [1, 0], angle: 90 deg, velocity: [0, 1]}\n"             \
    "joints:\n" first second "  - {name: pl, type: revolute, between: [bar.l, sl]}\n  - {name: pr, type: "   \
    "in-line, between: [bar.r, sr]}\n"                                                                       \
    "simulate: {end: 0.50001, signals: [gl.speed, gr.speed, bar.omega, bar.vy, energy]}\n"

static void stops_met_together_act_together(void **state)
{
    static const struct {
        const char *text;
        double left, right;
    } rows[] = {{BEAM(BEAM_LEFT("0.5"), BEAM_RIGHT("0.5")), -0.5, -0.5},
                {BEAM(BEAM_RIGHT("0.5"), BEAM_LEFT("0.5")), -0.5, -0.5},
                {BEAM(BEAM_LEFT("0.9"), BEAM_RIGHT("0.2")), -0.9, -0.2},
                {BEAM(BEAM_RIGHT("0.2"), BEAM_LEFT("0.9")), -0.9, -0.2},
                {BEAM(BEAM_LEFT("1"), BEAM_RIGHT("0")), -1, 0},
                {BEAM(BEAM_RIGHT("0"), BEAM_LEFT("1")), -1, 0}};
    (void)state;
    int i = 0;
    double T;
    for (const char *method; (method = next_method(&i, &T));)
        for (int k = 0; k < HOL_COUNT(rows); k++) {
            motion m = run_with(rows[k].text, method, 0.1 * T);
            near(method, value_of(&m, "gl.speed"), rows[k].left, T);
            near(method, value_of(&m, "gr.speed"), rows[k].right, T);
            const double v = 0.5 * (rows[k].left + rows[k].right), w = 0.5 * (rows[k].right - rows[k].left);
            near(method, value_of(&m, "energy.kinetic"),
                 3 * v * v + w * w + 0.5 * (rows[k].left * rows[k].left + rows[k].right * rows[k].right),
                 1e-5);
            assert_true(value_of(&m, "energy.kinetic") < 4);
            close_motion(&m);
        }
}

// ---- checkpoints -------------------------------------------------------------------------------------------------

static void saved_runs_know_what_rests(void **state)
{
    (void)state;
#define SAVED PUSHED("5 - 5*max(time - 1, 0)", "3")
    const char *const methods[] = {"simulate.method=rk", "simulate.method=hht", "simulate.method=bdf",
                                   "simulate.method=joint_bdf"};
    static const double at[] = {0.3, 0.8, 1.5, 2.5};
    motion whole = move(SAVED, NULL, 0);
    for (int k = 0; k < HOL_COUNT(methods); k++)
        for (int i = 0; i < HOL_COUNT(at); i++)
            go_on_from_snapshot(SAVED, &methods[k], 1, &methods[(k + 1) % HOL_COUNT(methods)], 1, at[i],
                                "s.stroke", value_of(&whole, "s.stroke"), 1e-2);
    close_motion(&whole);
    resume(SAVED, methods, 1, "/tmp/holonom_hard_stops.ckp");
}

// A program puts a body that rests elsewhere: it is free there, and comes back to rest.
static void what_a_program_moves_is_free(void **state)
{
    (void)state;
    motion m = open_motion(PUSHED("5", "2"), NULL, 0);
    assert_int_equal(hol_simulation_advance(m.sim, 1), 0);
    double q[] = {0.2, 0, 0}, v[] = {0, 0, 0};
    const hol_state_view there = {1, 3, 0, q, v, NULL};
    assert_int_equal(hol_simulation_set_state(m.sim, &there, false), 0);
    near("free", value_of(&m, "s.stroke"), 0.2, 1e-12);
    assert_int_equal(hol_simulation_run(m.sim), 0);
    near("rests again", value_of(&m, "s.stroke"), 0.4, 1e-9);
    near("presses", value_of(&m, "s.limits.force"), -5, 1e-9);
    close_motion(&m);
}

// A rest that ends beside a second arm: the rate into the stop is then what velocities on the joints are rounded by, and no impact takes that
// away. One stop was said to push the joint into another without an end. Angles at 6 s: three methods agree to 1e-9.
static void rounding_goes_into_no_stop(void **state)
{
    (void)state;
    static const char *const methods[] = {"simulate.method=rk", "simulate.method=adams",
                                          "simulate.method=bdf"};
    static const char text[] =
        "dimension: 2\ngravity: [0, -9.81]\nbodies:\n"
        "  - {name: a, mass: 1, inertia: 0.1, position: [0.5, 0], markers: {o: [-0.5, 0], r: [0.5, 0]}}\n"
        "  - {name: b, mass: 1, inertia: 0.1, position: [1.5, 0], markers: {o: [-0.5, 0]}}\njoints:\n"
        "  - {name: A, type: revolute, between: [ground, a.o], limits: {range: [-0.4, 0.5], hard: yes, "
        "restitution: 0},\n"
        "     motor: {angle: \"0.8*sin(3*time+0.2)\", kp: 30, kd: 3, ki: 2, max: 15, feed_forward: rate}}\n"
        "  - {name: B, type: revolute, between: [a.r, b.o]}\n"
        "simulate: {end: 6, tolerance: 1e-9, signals: [coordinates]}\n";
    for (int i = 0; i < HOL_COUNT(methods); i++) {
        motion m = move(text, &methods[i], 1);
        if (m.end) fail_msg("%s: %s", methods[i], hol_context_error(ctx));
        near(methods[i], value_of(&m, "A.angle"), -0.4, 1e-9);
        near(methods[i], value_of(&m, "B.angle"), -2.422443266, 1e-7);
        close_motion(&m);
    }
}

// A joint that cannot turn around at its stop: what leads it there is told, a driver with what it prescribes, or the joints that hold it.
static void what_holds_a_joint_at_its_stop_is_told(void **state)
{
    static const struct {
        const char *part, *words;
    } rows[] = {
        {"drivers: [{name: d, type: angle, joint: h, value: 2*time}]",
         "stopped at t = 0.5 s: h.limits.above: the joint is at its hard stop, and driver \"d\" leads it "
         "beyond with 2 "
         "rad/s, by \"2*time\""},
        {"drivers: [{name: d, type: angle, joint: k, value: -3*time}]\nconstraints: [{name: c, position: "
         "\"h.angle + 2*k.angle\"}]",
         "driver \"d\" leads it beyond with 6 rad/s, by \"-3*time\""},
        {"constraints: [{name: c, position: \"h.angle - 4*time\"}]", "cannot turn around: \"c\" holds it"}};
    (void)state;
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        char text[900];
        snprintf(text, sizeof text,
                 "dimension: 2\nbodies: [{name: a, mass: 1, inertia: 2}, {name: b, mass: 1, inertia: "
                 "1}]\njoints:\n"
                 "  - {name: h, type: revolute, between: [ground, a], limits: {range: [-1, 1], hard: yes}}\n"
                 "  - {name: k, type: revolute, between: [ground, b]}\n%s\nsimulate: {end: 1, method: rk}\n",
                 rows[i].part);
        motion m = move(text, NULL, 0);
        assert_int_equal(m.end, HOL_ERR_INTEGRATION);
        expect_message(rows[i].words);
        close_motion(&m);
    }
}

// ---- dead centres -------------------------------------------------------------------------------------------------

// A crank of r = 0.1 m and a rod of 0.3 m drive a slider along x, without a load.
#define CRANK(range, restitution)                                                                            \
    "dimension: 2\ngravity: [0, 0]\nparameters: {p: 1}\nbodies:\n"                                           \
    "  - {name: c, mass: 0.5, inertia: 0.02, position: [0.05*cos(p), 0.05*sin(p)], angle: p, omega: 5, "     \
    "velocity: [-0.25*sin(p), 0.25*cos(p)], markers: {s: [-0.05, 0], p: [0.05, 0]}}\n"                       \
    "  - {name: r, mass: 0.8, inertia: 0.006, position: [0.1*cos(p) + 0.5*sqrt(0.09 - 0.01*sin(p)^2), "      \
    "0.05*sin(p)], angle: \"-asin(sin(p)/3)\", markers: {p: [-0.15, 0], w: [0.15, 0]}}\n"                    \
    "  - {name: s, mass: 1.2, inertia: 1e-3, position: [0.1*cos(p) + sqrt(0.09 - 0.01*sin(p)^2), 0]}\n"      \
    "joints:\n  - {name: shaft, type: revolute, between: [ground, c.s]}\n"                                   \
    "  - {name: pin, type: revolute, between: [c.p, r.p]}\n"                                                 \
    "  - {name: wrist, type: revolute, between: [r.w, s]}\n"                                                 \
    "  - {name: guide, type: translational, between: [ground, s], limits: {range: " range                    \
    ", hard: yes, restitution: " restitution "}}\n"                                                          \
    "simulate: {end: 2, signals: [coordinates, all]}\n"

// A range that is the stroke of the slider: where it turns back by itself there is no impact, and the crank goes as without stops.
static void a_stop_in_the_dead_centre_takes_nothing(void **state)
{
    static const char *const stops[] = {CRANK("[0.2, 0.4]", "0"), CRANK("[0.2, 0.4]", "1"),
                                        CRANK("[0.2, 0.5]", "0.5"), CRANK("[0.1, 0.4]", "0.5")};
    static const char *const methods[] = {"simulate.method=rk", "simulate.method=bdf", "simulate.method=rn4",
                                          "simulate.method=adams", "simulate.method=hht"};
    (void)state;
    for (int k = 0; k < HOL_COUNT(methods); k++) {
        const char *const set[] = {methods[k], "simulate.tolerance=1e-5"};
        motion free = move(CRANK("[0.1, 0.5]", "0"), set, 2);
        if (free.end || !free.sim) fail_msg("%s: %s", methods[k], hol_context_error(ctx));
        const double phi = value_of(&free, "shaft.angle"), omega = value_of(&free, "shaft.rate");
        for (int i = 0; i < HOL_COUNT(stops); i++) {
            motion m = move(stops[i], set, 2);
            if (m.end || !m.sim) fail_msg("%s, %d: %s", methods[k], i, hol_context_error(ctx));
            near(methods[k], value_of(&m, "shaft.angle"), phi, 1e-3);
            near(methods[k], value_of(&m, "shaft.rate"), omega, 1e-2);
            close_motion(&m);
        }
        close_motion(&free);
    }
}

// A stop a little before it has a lever: an elastic one throws the crank back, with all of its energy.
static void a_stop_before_the_dead_centre_throws_back(void **state)
{
    (void)state;
    motion m = move(CRANK("[0.2, 0.3999]", "1"), NULL, 0);
    if (m.end || !m.sim) fail_msg("%s", hol_context_error(ctx));
    assert_true(value_of(&m, "shaft.angle") < 2 * HOL_PI && value_of(&m, "shaft.angle") > 0);
    assert_true(value_of(&m, "energy.kinetic") > 0.1);
    close_motion(&m);
}

// A slider that the dead centre drives on into its stop jams the mechanism: stop, joints and a way out are named.
static void a_jam_names_its_stop(void **state)
{
    (void)state;
    const char *const set[] = {"parameters.p=180 deg"};
    motion m = move(CRANK("[0.1, 0.2]", "0"), set, 1);
    assert_int_equal(m.end, HOL_ERR_INTEGRATION);
    expect_message(
        "the accelerations are not determined after the hard stop of guide.limits, in a singular pose: the "
        "equations of shaft, pin, wrist and guide.limits.rest");
    hol_context_clear(ctx);
    close_motion(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_bounces_comes_to_rest),
                                       cmocka_unit_test(methods_whose_joints_give_refuse),
                                       cmocka_unit_test(a_motor_presses_and_lets_go),
                                       cmocka_unit_test(what_begins_at_its_stop_rests),
                                       cmocka_unit_test(what_is_drawn_at_an_end_stays),
                                       cmocka_unit_test(what_touches_needs_no_steps),
                                       cmocka_unit_test(what_is_caught_flies_on),
                                       cmocka_unit_test(redundant_stops_let_go),
                                       cmocka_unit_test(slow_joints_stop),
                                       cmocka_unit_test(stops_met_together_act_together),
                                       cmocka_unit_test(loops_rest),
                                       cmocka_unit_test(rounding_goes_into_no_stop),
                                       cmocka_unit_test(stops_in_a_loop_share),
                                       cmocka_unit_test(a_pile_comes_to_rest),
                                       cmocka_unit_test(an_impact_takes_off_what_it_would_pull),
                                       cmocka_unit_test(turns_are_counted_at_the_stop),
                                       cmocka_unit_test(what_holds_a_joint_at_its_stop_is_told),
                                       cmocka_unit_test(what_a_program_moves_is_free),
                                       cmocka_unit_test(saved_runs_know_what_rests),
                                       cmocka_unit_test(a_stop_in_the_dead_centre_takes_nothing),
                                       cmocka_unit_test(a_stop_before_the_dead_centre_throws_back),
                                       cmocka_unit_test(a_jam_names_its_stop)};
    return cmocka_run_group_tests(tests, start, stop);
}
