// Joints, drivers and constraints that events switch: what is caught moves on with the momentum it had, what is let go flies on, the energy is
// accounted for, ranks follow. References: closed forms, conserved momenta, and motions of models in which nothing is switched.
#include "attached.h"
#include "harness.h"
#include "api/api.h"
#include "system/initial.h"

#include "integrator/integrator.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Every method that chooses its steps and has an order above 1.
static const char *next_method(int *i)
{
    for (; hol_methods[*i]; ++*i)
        if (hol_methods[*i]->divisor && hol_methods[*i]->order > 1) return hol_methods[(*i)++]->name;
    return NULL;
}

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

// Two bodies in space that a grip makes one: momentum and angular momentum stay, both have one angular velocity, and their frames stay to
// each other; then each goes its own way with the velocities it had.
#define DOCKING                                                                                              \
    "dimension: 3\nbodies:\n"                                                                                \
    "  - {name: a, mass: 2, inertia: [0.3, 0.4, 0.5], omega: [0.1, 0.2, -0.3], markers: {p: [0.5, 0.1, "     \
    "0]}}\n"                                                                                                 \
    "  - {name: b, mass: 3, inertia: [0.6, 0.6, 0.6], position: [2, 0.1, 0.05], velocity: [-1, 0.1, 0],\n"   \
    "     omega: [-0.2, 0.1, 0.3], orientation: {axis: [0, 0, 1], angle: 30 deg}, markers: {p: [-0.5, 0, "   \
    "0]}}\n"                                                                                                 \
    "joints: [{name: port, type: grip, between: [a.p, b.p], active: no}]\n"                                  \
    "events:\n  - {name: dock, when: \"DM(b.p, a.p) - 0.8\", direction: falling, on: port, once: yes}\n"     \
    "  - {name: part, at: [3], off: port}\n"

static void vector(const motion *m, const char *name, const char *first, double out[3])
{
    for (int i = 0; i < 3; i++) {
        char signal[40];
        snprintf(signal, sizeof signal, "%s%c", name, first[i]);
        out[i] = value_of(m, signal);
    }
}

static void what_docks_keeps_its_momentum(void **state)
{
    int i = 0;
    (void)state;
    for (const char *method; (method = next_method(&i));) {
        if (!in_sample(i + 1, 1, 3)) continue;
        motion m = run_with(DOCKING "simulate: {end: 2, signals: [a, b, port, energy]}\n", method, 1e-6);
        double v[2][3], w[2][3], r[2][3], L[3] = {0};
        for (int k = 0; k < 2; k++) {
            vector(&m, k ? "b.v" : "a.v", "xyz", v[k]);
            vector(&m, k ? "b.w" : "a.w", "xyz", w[k]);
            vector(&m, k ? "b." : "a.", "xyz", r[k]);
        }
        for (int x = 0; x < 3; x++) {
            static const double p[] = {-3, 0.3, 0};
            near(method, 2 * v[0][x] + 3 * v[1][x], p[x], 1e-5);
            near(method, w[0][x], w[1][x], 1e-6);
        }
        // of the second body, a ball, and of the motion of both; the first one's is what is left of the whole
        for (int x = 0; x < 3; x++) {
            const int y = (x + 1) % 3, z = (x + 2) % 3;
            for (int k = 0; k < 2; k++) L[x] += (k ? 3 : 2) * (r[k][y] * v[k][z] - r[k][z] * v[k][y]);
            L[x] += 0.6 * w[1][x];
        }
        const double q[4] = {value_of(&m, "a.qw"), value_of(&m, "a.qx"), value_of(&m, "a.qy"),
                             value_of(&m, "a.qz")};
        double body[3], spin[3]; // w in body axes, J w, and back
        for (int turn = 0; turn < 2; turn++) {
            static const double J[] = {0.3, 0.4, 0.5};
            const double *from = turn ? body : w[0], s = turn ? 1 : -1;
            double *to = turn ? spin : body, t[3];
            for (int x = 0; x < 3; x++) {
                const int y = (x + 1) % 3, z = (x + 2) % 3;
                t[x] = 2 * (s * q[1 + y] * from[z] - s * q[1 + z] * from[y]);
            }
            for (int x = 0; x < 3; x++) {
                const int y = (x + 1) % 3, z = (x + 2) % 3;
                to[x] = from[x] + q[0] * t[x] + s * q[1 + y] * t[z] - s * q[1 + z] * t[y];
            }
            for (int x = 0; x < 3 && !turn; x++) body[x] *= J[x];
        }
        // at the start: J w of a in global axes, 3 r x v + 0.6 w of b
        const double want[] = {0.3 * 0.1 + 3 * (0.1 * 0 - 0.05 * 0.1) + 0.6 * -0.2,
                               0.4 * 0.2 + 3 * (0.05 * -1 - 2 * 0) + 0.6 * 0.1,
                               0.5 * -0.3 + 3 * (2 * 0.1 - 0.1 * -1) + 0.6 * 0.3};
        for (int x = 0; x < 3; x++) near(method, L[x] + spin[x], want[x], 1e-5);
        close_motion(&m);
    }
}

// A pendulum, let go at rest in the horizontal, that a lock holds at -1 rad: at 2 kg, 0.5 m the lock carries -m g l cos(1); what the impact
// takes is what gravity gave, m g l sin(1). Let go at 1 s it swings as one that begins there; a driver that is let go turns on
// with the speed it had; the hinge let go, the body falls with the velocity it had.
#define PENDULUM                                                                                             \
    "dimension: 2\ngravity: [0, -9.81]\nbodies:\n"                                                           \
    "  - {name: p, mass: 2, inertia: 0.1, position: [0.5, 0], markers: {o: [-0.5, 0]}}\n"                    \
    "  - {name: arm, mass: 1, inertia: 0.05, position: [2, -1], omega: 2}\n"                                 \
    "joints:\n  - {name: hinge, type: revolute, between: [ground, p.o]}\n"                                   \
    "  - {name: pivot, type: revolute, between: [{ground: [2, -1]}, arm]}\n"                                 \
    "  - {name: brake, type: lock, joint: hinge, active: no}\n"                                              \
    "drivers: [{name: motor, type: angle, joint: pivot, value: 2*time + 0.1*time^2}]\n"                      \
    "events:\n  - {name: grab, when: hinge.angle + 1, direction: falling, on: brake, once: yes}\n"           \
    "  - {name: go, at: [1], off: brake}\n  - {name: free, at: [1.5], off: motor}\n"                         \
    "  - {name: drop, at: [1.7], off: hinge}\n"

static void what_is_caught_is_held_and_let_go(void **state)
{
    int i = 0;
    (void)state;
    motion swing = run_with("dimension: 2\ngravity: [0, -9.81]\n"
                            "bodies: [{name: p, mass: 2, inertia: 0.1, position: [0.2701511529340699, "
                            "-0.42073549240394825], angle: -1, markers: {o: [-0.5, 0]}}]\n"
                            "joints: [{name: hinge, type: revolute, between: [ground, p.o]}]\n"
                            "simulate: {end: 0.7, signals: [p]}\n",
                            "rk", 1e-11);
    const double theta = value_of(&swing, "p.theta"), omega = value_of(&swing, "p.omega"),
                 y = value_of(&swing, "p.y"), vy = value_of(&swing, "p.vy");
    close_motion(&swing);
    for (const char *method; (method = next_method(&i));) {
        if (!in_sample(i, 1, 3)) continue;
        motion m = run_with(PENDULUM "simulate: {end: 0.9, signals: [hinge.angle, brake, p, energy]}\n",
                            method, 1e-5);
        near(method, value_of(&m, "hinge.angle"), -1, 1e-4);
        near(method, value_of(&m, "brake.lambda"), -2 * 9.81 * 0.5 * cos(1), 1e-3);
        near(method, value_of(&m, "energy.work"), -2 * 9.81 * 0.5 * sin(1) + 0.05 * 0.5 * (2.18 * 2.18 - 4),
             1e-3);
        assert_int_equal(hol_simulation_statistics(m.sim)->switchings, 1);
        close_motion(&m);
        m = run_with(PENDULUM "simulate: {end: 2, signals: [p, arm, motor]}\n", method, 1e-5);
        near(method, value_of(&m, "p.theta"), theta + 0.3 * omega, 2e-4);
        near(method, value_of(&m, "p.omega"), omega, 2e-4);
        near(method, value_of(&m, "p.y"), y + 0.3 * vy - 9.81 * 0.045, 2e-4);
        near(method, value_of(&m, "arm.omega"), 2.3, 1e-4);
        near(method, value_of(&m, "arm.theta"), 2 * 1.5 + 0.1 * 2.25 + 2.3 * 0.5, 1e-4);
        near(method, value_of(&m, "motor.T"), 0, 1e-12);
        assert_int_equal(hol_simulation_statistics(m.sim)->switchings, 4);
        close_motion(&m);
    }
}

// A parallelogram whose fifth bar comes and goes: redundant while it is there, the motion is that without it. The bar is carried by the
// coupler all the time, so that masses stay.
static void a_redundant_bar_changes_no_motion(void **state)
{
    int i = 0;
    (void)state;
#define BARS                                                                                                 \
    "dimension: 2\ngravity: [0, -9.81]\nbodies:\n"                                                           \
    "  - {name: l, mass: 1, inertia: 0.1, position: [0, 0.5], omega: 3, markers: {o: [0, -0.5], e: [0, "     \
    "0.5]}}\n"                                                                                               \
    "  - {name: r, mass: 1, inertia: 0.1, position: [2, 0.5], omega: 3, markers: {o: [0, -0.5], e: [0, "     \
    "0.5]}}\n"                                                                                               \
    "  - {name: m, mass: 1, inertia: 0.1, position: [1, 0.5], omega: 3, markers: {o: [0, -0.5], e: [0, "     \
    "0.5]}}\n"                                                                                               \
    "  - {name: c, mass: 2, inertia: 0.3, position: [1, 1], velocity: [-3, 0], markers: {a: [-1, 0], b: "    \
    "[1, 0], d: [0, 0]}}\n"                                                                                  \
    "joints:\n  - {name: lo, type: revolute, between: [ground, l.o]}\n"                                      \
    "  - {name: ro, type: revolute, between: [{ground: [2, 0]}, r.o]}\n"                                     \
    "  - {name: la, type: revolute, between: [l.e, c.a]}\n  - {name: rb, type: revolute, between: [r.e, "    \
    "c.b]}\n"                                                                                                \
    "  - {name: md, type: revolute, between: [m.e, c.d]}\n"                                                  \
    "  - {name: mo, type: revolute, between: [{ground: [1, 0]}, m.o]%s}\n"                                   \
    "events:\n%s  - {name: last, at: [0.9], print: on}\nsimulate: {end: 1, signals: [c, l]}\n"
    char with[2500], without[2500];
    snprintf(with, sizeof with, BARS, "",
             "  - {name: first, at: [0.3], off: mo}\n  - {name: then, at: [0.3004], on: mo}\n");
    snprintf(without, sizeof without, BARS, "", "");
    for (const char *method; (method = next_method(&i));) {
        if (hol_methods[i - 1]->open || (few() && i % 2)) continue; // srm takes 10 s
        motion a = run_with(with, method, 1e-5), b = run_with(without, method, 1e-5);
        near(method, value_of(&a, "c.x"), value_of(&b, "c.x"), 2e-4);
        near(method, value_of(&a, "l.theta"), value_of(&b, "l.theta"), 2e-4);
        assert_int_equal(hol_simulation_statistics(a.sim)->switchings, 2);
        close_motion(&a);
        close_motion(&b);
    }
}

static motion open_as_given(const char *text, const char *set)
{
    motion m = {.model =
                    hol_model_parse(ctx, "test.yaml", text, strlen(text), set ? &set : NULL, set != NULL)};
    if (m.model) m.sim = hol_simulation_create(ctx, m.model);
    return m;
}

// Where an event is refused, and what the message says.
static void fails_with(const char *model, const char *words)
{
    motion m = open_as_given(model, NULL);
    if (m.sim) assert_int_not_equal(hol_simulation_run(m.sim), HOL_OK);
    expect_message(words);
    close_motion(&m);
}

#define BALL                                                                                                 \
    "dimension: 2\nbodies: [{name: q, mass: 1, inertia: 0.1, position: [0.4, 0], velocity: [1, 0]}]\n"
static void what_does_not_hold_is_not_switched_on(void **state)
{
    (void)state;
    fails_with(BALL "joints: [{name: pin, type: revolute, between: [ground, q], active: no}]\n"
                    "events: [{name: now, at: [0.1], on: pin}]\nsimulate: {end: 1}\n",
               "event now cannot switch on \"pin\": its equation of x is off by 0.5 m");
    fails_with(BALL "joints: [{name: pin, type: revolute, between: [{ground: [0.4, 0]}, q]}]\n"
                    "events: [{name: now, at: [0.1], on: pinn}]\nsimulate: {end: 1}\n",
               "did you mean \"pin\"");
    // two that contradict each other
    fails_with(BALL "joints: [{name: s, type: translational, between: [ground, q]}]\n"
                    "drivers:\n  - {name: d, type: stroke, joint: s, value: 0.4 + time}\n"
                    "  - {name: other, type: stroke, joint: s, value: 0.5, active: no}\n"
                    "events: [{name: now, at: [0.1], on: other}]\nsimulate: {end: 1}\n",
               "event now (other on): the motion cannot go on");
}

// A checkpoint and a snapshot know what acts: a run that goes on from there is the run that was not broken off.
static void saved_runs_know_what_acts(void **state)
{
    (void)state;
    const char *set[] = {"simulate.tolerance=1e-5"};
    resume(DOCKING "simulate: {end: 3.6, signals: [a, b], max_step: 0.05}\n", set, 1,
           "/tmp/holonom_switched.ckp");
#define SWINGS PENDULUM "simulate: {end: 2, signals: [p, arm]}\n"
    const char *const other[] = {"simulate.method=bdf", "simulate.tolerance=1e-6"};
    motion whole = move(SWINGS, NULL, 0);
    static const double at[] = {0.2, 0.6, 1.2, 1.6, 1.9};
    for (int i = 0; i < HOL_COUNT(at); i++)
        go_on_from_snapshot(SWINGS, NULL, 0, other, HOL_COUNT(other), at[i], "p.y", value_of(&whole, "p.y"),
                            1e-3);
    motion held = open_motion(SWINGS, NULL, 0);
    assert_int_equal(hol_simulation_advance(held.sim, 0.6), 0);
    near("held", value_of(&held, "p.y"), -0.5 * sin(1), 1e-4);
    close_motion(&held);
    close_motion(&whole);
}

// Laws go with their joint: a hinge with a spring, a motor and a stop that is let go turns freely, and one whose stop it is beyond is not
// caught by it.
static void laws_go_with_their_joint(void **state)
{
    (void)state;
#define WHEEL(law, more)                                                                                     \
    "dimension: 2\nbodies: [{name: q, mass: 1, inertia: 0.1, omega: 1}]\n"                                   \
    "joints: [{name: h, type: revolute, between: [ground, q], " law "}]\n"                                   \
    "events: [{name: off_, at: [0.2], off: h}" more                                                          \
    "]\nsimulate: {end: 1.5, tolerance: 1e-7, signals: [q]}\n"
    motion m = move(WHEEL("preload: 0.1", ""), NULL, 0);
    near("preload", value_of(&m, "q.omega"), 1.2, 1e-6);
    close_motion(&m);
    m = move(WHEEL("limits: {range: [-1, 1], hard: yes, restitution: 0.5}", ""), NULL, 0);
    near("stop", value_of(&m, "q.theta"), 1.5, 1e-6);
    close_motion(&m);
    fails_with(
        WHEEL("limits: {range: [-1, 1], hard: yes, restitution: 0.5}", ", {name: on_, at: [1.2], on: h}"),
        "0.2 beyond its hard stop");
    fails_with(WHEEL("armature: 0.1", ""), "has an armature, and what has inertia is not switched");
}

// Momentum is kept whatever the masses, and a ship that is tied to nothing changes nothing: a of 1 kg and 2 m/s catches b.
static void masses_of_any_size_keep_their_momentum(void **state)
{
    static const double mass[] = {1e-6, 1e-3, 1, 3, 1e3, 1e6}, ship[] = {1, 1e6, 1e9};
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int i = 0; i < HOL_COUNT(mass); i++)
            for (int k = 0; k < HOL_COUNT(ship); k++) {
                char text[900];
                const char *J = dimension == 2 ? "0.1" : "[0.1, 0.1, 0.1]",
                           *zero = dimension == 2 ? "" : ", 0";
                snprintf(
                    text, sizeof text,
                    "dimension: %d\nbodies:\n"
                    "  - {name: a, mass: 1, inertia: %s, velocity: [2, 0%s]}\n"
                    "  - {name: b, mass: %.17g, inertia: %s, position: [1, 0%s]}\n"
                    "  - {name: ship, mass: %g, inertia: %s, position: [50, 0%s]}\n"
                    "joints: [{name: k, type: grip, between: [a, b], active: no}]\n"
                    "events: [{name: c, at: [0.1], on: k}]\nsimulate: {end: 0.2, signals: [a, b, ship]}\n",
                    dimension, J, zero, mass[i], J, zero, ship[k], J, zero);
                motion m = move(text, NULL, 0);
                if (m.end) fail_msg("%s", hol_context_error(ctx));
                const double want = 2 / (1 + mass[i]);
                near("a", value_of(&m, "a.vx"), want, 1e-9 * want);
                near("b", value_of(&m, "b.vx"), want, 1e-9 * want);
                near("ship", value_of(&m, "ship.vx"), 0, 1e-15);
                close_motion(&m);
            }
}

// A latch that holds 5 N is switched on while 10 N pull: it lets go at once. So does a clutch below a speed that the impact has passed.
static void what_the_impact_passes_happens_at_once(void **state)
{
    (void)state;
    motion m = move("dimension: 2\nbodies: [{name: a, mass: 2, inertia: 1}]\n"
                    "joints: [{name: k, type: grip, between: [ground, a], active: no}]\n"
                    "forces: [{name: f, type: force, on: a, value: [10, 0]}]\n"
                    "events:\n  - {name: on_, at: [0.5], on: k}\n  - {name: rel, when: FM(k) - 5, direction: "
                    "rising, off: k}\n"
                    "simulate: {end: 1, signals: [a]}\n",
                    NULL, 0);
    near("let go", value_of(&m, "a.vx"), 10 / 2.0 * 0.5, 1e-6); // it was stopped at 0.5 s, and goes on
    assert_int_equal(hol_simulation_statistics(m.sim)->switchings, 2);
    close_motion(&m);
    m = move("dimension: 2\nbodies:\n  - {name: a, mass: 1, inertia: 0.5, omega: 2}\n  - {name: b, mass: 1, "
             "inertia: 1.5}\n"
             "joints:\n  - {name: r, type: revolute, between: [a, b]}\n  - {name: k, type: lock, joint: r, "
             "active: no}\n"
             "events:\n  - {name: c, at: [0.5], on: k}\n  - {name: slow, when: WZ(a) - 1, direction: "
             "falling, stop: yes}\n"
             "simulate: {end: 1, signals: [a]}\n",
             NULL, 0);
    near("time", hol_simulation_time(m.sim), 0.5, 1e-12);
    near("speed", value_of(&m, "a.omega"), 0.5, 1e-9);
    close_motion(&m);
}

// Ports that face each other are drawn with half a turn between their frames.
static void ports_may_face_each_other(void **state)
{
    (void)state;
    motion m =
        move("dimension: 3\nbodies:\n  - {name: a, mass: 1, inertia: [1, 1, 1], markers: {p: [0.5, 0, 0]}}\n"
             "  - {name: b, mass: 2, inertia: [1, 1, 1], position: [1, 0, 0], omega: [0.3, 0.5, 0],\n"
             "     orientation: {axis: [0, 0, 1], angle: 180 deg}, markers: {p: [0.5, 0, 0]}}\n"
             "joints: [{name: k, type: grip, between: [a.p, b.p], active: no}]\n"
             "events: [{name: c, at: [0.4], on: k}]\nsimulate: {end: 1, tolerance: 1e-7, signals: [a, b]}\n",
             NULL, 0);
    if (m.end) fail_msg("%s", hol_context_error(ctx));
    near("one body", value_of(&m, "a.wy"), value_of(&m, "b.wy"), 1e-9);
    near("one body", value_of(&m, "a.wx"), value_of(&m, "b.wx"), 1e-9);
    close_motion(&m);
}

// conj(Q_a) Q_b, with a scalar part that is not negative.
static void relative_attitude(hol_simulation *sim, double out[4])
{
    static const char *const part[] = {"w", "x", "y", "z"};
    double q[2][4];
    for (int b = 0; b < 2; b++)
        for (int i = 0; i < 4; i++) {
            char name[8];
            snprintf(name, sizeof name, "%c.q%s", "ab"[b], part[i]);
            q[b][i] = signal_value(sim, name) * (b == 0 && i > 0 ? -1 : 1);
        }
    const double *p = q[0], *r = q[1];
    out[0] = p[0] * r[0] - p[1] * r[1] - p[2] * r[2] - p[3] * r[3];
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        out[1 + i] = p[0] * r[1 + i] + p[1 + i] * r[0] + p[1 + j] * r[1 + k] - p[1 + k] * r[1 + j];
    }
    const double sign = out[0] < 0 ? -1 : 1;
    for (int i = 0; i < 4; i++) out[i] *= sign;
}

// Bodies that tumble are held as they are, in whatever attitude: both have one angular velocity, and what turns one into the other stays what
// it was just before. Spins of 3 and -5 rad/s take 229 degrees up to then, in which the scalar part of the quaternions is negative.
static void a_grip_holds_every_attitude(void **state)
{
    static const char *const omega[][2] = {{"[0, 0, 3]", "[0, 0, -5]"},
                                           {"[1, 2, 3]", "[-1, 0.5, 0.2]"},
                                           {"[1, 2, 3]", "[7.283185307179586, 2, 3]"},
                                           {"[0.5, -4, 1]", "[-1, 5, 0.3]"}};
    static const char *const methods[] = {"rk", "hht", "bdf"};
    (void)state;
    for (int i = 0; i < HOL_COUNT(methods); i++)
        for (int k = 0; k < (i ? 1 : HOL_COUNT(omega)); k++) {
            char text[1200], set[60];
            const char *const sets[] = {set, "simulate.tolerance=1e-5"};
            double before[4], after[4], w[2][3];
            snprintf(
                text, sizeof text,
                "dimension: 3\nbodies:\n"
                "  - {name: a, mass: 2, inertia: [0.3, 0.3, 0.3], omega: %s, velocity: [0.3, 0, 0]}\n"
                "  - {name: b, mass: 3, inertia: [0.5, 0.5, 0.5], com: [0, 0.1, 0.2], position: [1, 0.5, "
                "0.2], omega: %s, orientation: {axis: [1, 2, 3], angle: %d deg}}\n"
                "joints: [{name: g, type: grip, between: [a, b], active: no}]\n"
                "events:\n  - {name: e, at: 0.5, on: g}\n"
                "simulate: {end: 1.1, signals: [all]}\n",
                omega[k][0], omega[k][1], k % 2 ? 170 : 0);
            snprintf(set, sizeof set, "simulate.method=%s", methods[i]);
            motion m = open_motion(text, sets, 2);
            assert_int_equal(hol_simulation_advance(m.sim, 0.5 - 1e-7), HOL_OK);
            relative_attitude(m.sim, before);
            if (hol_simulation_run(m.sim)) fail_msg("%s: %s", methods[i], hol_context_error(ctx));
            relative_attitude(m.sim, after);
            for (int b = 0; b < 2; b++) vector(&m, b ? "b.w" : "a.w", "xyz", w[b]);
            for (int x = 0; x < 3; x++) near(methods[i], w[0][x], w[1][x], 1e-4);
            for (int x = 0; x < 4; x++) near(omega[k][1], after[x], before[x], 1e-4);
            close_motion(&m);
        }
}

// A grip that lets go and takes hold anew, elsewhere; a run that goes on from between, and one that goes back to before.
static void a_grip_takes_hold_anew(void **state)
{
    static const char text[] =
        "dimension: 3\nbodies:\n  - {name: a, mass: 2, inertia: [0.2, 0.3, 0.4], omega: [1, 2, 3]}\n"
        "  - {name: b, mass: 3, inertia: [0.5, 0.3, 0.4], position: [1, 0.5, 0.2], omega: [-1, 0.5, 0.2]}\n"
        "joints: [{name: g, type: grip, between: [a, b], active: no}]\n"
        "forces: [{name: f, type: torque, on: b, value: [3, 1, 2]}]\n"
        "events:\n  - {name: on1, at: 0.3, on: g}\n  - {name: off1, at: 0.8, off: g}\n  - {name: on2, at: "
        "1.5, on: g}\n"
        "simulate: {end: 2, tolerance: 1e-8, method: rk, signals: [all]}\n";
    (void)state;
    double q[2][4];
    motion m = move(text, NULL, 0);
    if (m.end) fail_msg("%s", hol_context_error(ctx));
    near("violation", value_of(&m, "violation.position"), 0, 1e-9);
    vector(&m, "b.q", "xyz", q[0]);
    close_motion(&m);
    hol_model *model = load_model(text, NULL, 0);
    hol_simulation *sim = hol_simulation_create(ctx, model);
    assert_int_equal(hol_simulation_advance(sim, 0.5), HOL_OK);
    hol_snapshot *first = hol_simulation_save(sim);
    assert_int_equal(hol_simulation_advance(sim, 1.8), HOL_OK);
    assert_int_equal(hol_simulation_restore(sim, first), HOL_OK); // held as it was then
    assert_int_equal(hol_simulation_advance(sim, 2), HOL_OK);
    static const char *const name[] = {"b.qx", "b.qy", "b.qz"};
    for (int x = 0; x < 3; x++) near(name[x], signal_value(sim, name[x]), q[0][x], 1e-6);
    hol_snapshot_destroy(first);
    hol_simulation_destroy(sim);
    hol_model_destroy(model);
}

// What may be switched on later is part of what a method must take.
static void methods_look_at_what_is_off(void **state)
{
    (void)state;
#define LATER                                                                                                \
    "dimension: 2\ngravity: [0, -9.81]\nbodies: [{name: a, mass: 1, inertia: 1}]\n"                          \
    "joints: [{name: h, type: revolute, between: [ground, a: [0.5, 0]], stiffness: 1e5, damping: 100}]\n"    \
    "constraints: [{name: c, velocity: \"WZ(a) + 0.1\", active: no}]\n"                                      \
    "events: [{name: e, at: [0.3], on: c}]\n"
    fails_with(LATER "simulate: {end: 1, method: joint_bdf}\n", "does not take velocity constraints (\"c\")");
    motion m = move(LATER "simulate: {end: 0.6, signals: [a]}\n", NULL, 0);
    if (m.end) fail_msg("%s", hol_context_error(ctx));
    near("omega", value_of(&m, "a.omega"), -0.1, 1e-6);
    close_motion(&m);
}

// Opens a model whose velocities are to be those of the start of another one, v (NULL: they are as given).
static motion open_with(const char *text, const char *set, const double *v)
{
    motion m = {.model = hol_model_parse(ctx, "test.yaml", text, strlen(text), &set, 1)};
    if (m.model && v) memcpy(m.model->data->v0, v, (size_t)m.model->data->nq * sizeof *v);
    if (m.model) m.sim = hol_simulation_create(ctx, m.model);
    return m;
}

// The velocities with which a model starts; *drawn: its pose is the one drawn. Where an element acts from the start they are those of least
// change by natural size, where it is switched on then those behind an impact: both have to begin with velocities that it admits. A gap is
// closed in these two ways, too.
static bool start_velocities(const char *text, double v[100], bool *drawn)
{
    hol_model *model = hol_model_parse(ctx, "test.yaml", text, strlen(text), NULL, 0);
    hol_kernel k;
    hol_state x;
    hol_rank rank;
    const bool found =
        model && !hol_initialise(ctx, model->data, HOL_START_QUIET | HOL_START_ALL_ROWS, &k, &x, &rank);
    *drawn = found;
    for (int i = 0; found && i < model->data->nq; i++) {
        v[i] = x.v[i];
        *drawn = *drawn && fabs(x.q[i] - model->data->q0[i]) < 1e-9;
    }
    if (found) {
        hol_state_destroy(&x);
        hol_rank_destroy(&rank);
        hol_start_destroy(&k);
    }
    hol_model_destroy(model);
    return found;
}

static int compared; // elements that act from the start with one that is switched on then

// What is switched on at the start moves as what acts from there on, and what is off as if it were not there. Forces too.
static void switch_element(const hol_element_type *t, int dimension, int k, const char *method)
{
    static const char *const behind[] = {"", ", active: no", ", active: no"},
                             *const then[] = {"", "events: [{name: now, at: [0], on: e}]\n",
                                              "events: [{name: now, at: [0], off: e}]\n"};
    static char text[4][TEXT];
    motion m[4];
    bool coupled, refused = false;
    char what[300], set[60];
    double v[100];
    bool started = false, drawn = false;
    char how[2000];
    snprintf(how, sizeof how, "%s", use_of(t, dimension, k, &coupled));
    static const char inertia[] = ", armature: 0.01";
    char *stays = strstr(how, inertia);
    if (stays) memmove(stays, stays + strlen(inertia), strlen(stays + strlen(inertia)) + 1);
    snprintf(what, sizeof what, "%s %dD by %s", t->name, dimension, method);
    snprintf(set, sizeof set, "simulate.method=%s", method);
    for (int i = 0; i < 4; i++) {
        if (i < 3)
            write_element(t, dimension, how, behind[i], coupled, text[i]);
        else { // without it
            sprintf(text[3], "%s%s%s%s%s", bodies[dimension - 2], springs[dimension - 2], spline,
                    coupled ? "joints:\n" : "", coupled ? hinges[dimension - 2] : "");
        }
        sprintf(text[i] + strlen(text[i]),
                "inputs: [{name: gain, value: 0.5}]\n%sgravity: [1.1, -9.81%s]\n"
                "simulate: {end: 0.1, tolerance: 1e-7, signals: [coordinates, a, b, c, p]}\n",
                i < 3 ? then[i] : "", dimension == 3 ? ", -3.7" : "");
        if (!i) started = start_velocities(text[0], v, &drawn);
        m[i] = open_with(text[i], set, started && i < 2 ? v : NULL);
        if (!i && !m[0].sim && strstr(hol_context_error(ctx), "does not take")) {
            close_motion(&m[0]);
            return;
        }
        const hol_status st = m[i].sim ? hol_simulation_run(m[i].sim) : HOL_ERR_MODEL;
        const bool open =
            i == 1 && st &&
            strstr(hol_context_error(ctx), "cannot switch on"); // it is not drawn where it holds
        refused = refused || open;
        if (st && !open) fail_msg("%s, %d: %s\n%s", what, i, hol_context_error(ctx), text[i]);
    }
    for (int i = 0; i < hol_simulation_signals(m[0].sim); i++) {
        const char *name = hol_simulation_signal_name(m[0].sim, i);
        char where[600];
        if (strlen(name) < 3 || name[1] != '.') continue;
        snprintf(where, sizeof where, "%s: %s", what, name);
        const double want = signal_value(m[0].sim, name), size = fmax(1, fabs(want));
        const bool fast = strchr(name, 'a') && name[2] == 'a'; // accelerations
        if (!refused && drawn) near(where, signal_value(m[1].sim, name), want, (fast ? 1e-3 : 1e-5) * size);
        if (strncmp(name, "e.", 2) == 0) continue;
        const double without = signal_value(m[3].sim, name);
        near(where, signal_value(m[2].sim, name), without, (fast ? 1e-3 : 1e-5) * fmax(1, fabs(without)));
    }
    for (int i = 0; i < 4; i++) close_motion(&m[i]);
    compared += !refused && drawn;
}

static void every_element_can_be_switched(void **state)
{
    static const char *const method[] = {"rk",        "bdf",     "hht",   "rn4",
                                         "joint_bdf", "tangent", "adams", "genalpha"};
    int n = 0;
    (void)state;
    for (const hol_element_type *const *t = hol_element_types; *t; t++)
        for (int d = 2; d <= 3; d++) {
            bool ignored;
            if ((*t)->role == HOL_ROLE_BODY || (*t)->mass || ((*t)->dimensions != 5 && (*t)->dimensions != d))
                continue;
            for (int k = 0; use_of(*t, d, k, &ignored); k++, n++)
                for (int i = 0; i < HOL_COUNT(method); i++)
                    if (in_sample(n + i, 8, 64)) switch_element(*t, d, k, method[i]);
        }
    print_message("%d compared with what acts from the start\n", compared);
    assert_true(n > 50 && compared > (few() ? 5 : 20));
}

// A parallelogram turns with 3 rad/s when three of its joints are locked at once, of which one would do: the loop closes to rounding, also with
// methods whose loops give until then. Where it stands then is 3 x 0.3 s from where it began; its cranks swing no further while one lock is left.
static void locks_of_one_loop_agree(void **state)
{
    static const char text[] =
        "dimension: 2\ngravity: [0, 0]\nbodies:\n"
        "  - {name: c1, mass: 1, inertia: 0.1, position: [0, 0.5], angle: 90 deg, omega: 3, velocity: [-1.5, "
        "0], markers: {f: "
        "[-0.5, 0], t: [0.5, 0]}}\n"
        "  - {name: cp, mass: 1.5, inertia: 0.2, position: [0.6, 1], velocity: [-3, 0], markers: {l: [-0.6, "
        "0], r: [0.6, 0]}}\n"
        "  - {name: c2, mass: 2, inertia: 0.2, position: [1.2, 0.5], angle: 90 deg, omega: 3, velocity: "
        "[-1.5, 0], markers: {f: "
        "[-0.5, 0], t: [0.5, 0]}}\n"
        "joints:\n  - {name: A, type: revolute, between: [ground, c1.f]}\n  - {name: B, type: revolute, "
        "between: [c1.t, cp.l]}\n"
        "  - {name: C, type: revolute, between: [cp.r, c2.t]}\n"
        "  - {name: D, type: revolute, between: [ground: [1.2, 0], c2.f]}\n"
        "  - {name: LA, type: lock, joint: A, active: no}\n  - {name: LD, type: lock, joint: D, active: no}\n"
        "  - {name: LB, type: lock, joint: B, active: no}\n"
        "events:\n  - {name: e1, at: [0.3], on: [LA, LD, LB]}\n  - {name: e2, at: [0.4], off: [LA, LB]}\n"
        "simulate: {end: 0.5, signals: [c1, coordinates]}\n";
    (void)state;
    for (int i = 0; hol_methods[i]; i++) {
        if (!hol_methods[i]->divisor || hol_methods[i]->order < 2) continue;
        motion m = run_with(text, hol_methods[i]->name, 1e-3);
        near(hol_methods[i]->name, value_of(&m, "c1.theta"), 0.5 * acos(-1) + 0.9, 2e-3);
        near(hol_methods[i]->name, value_of(&m, "A.rate"), 0, 1e-6);
        close_motion(&m);
    }
}

// A hoist whose drum is locked while it hangs: the lock of the drum gives m g r, that of the load m g; the one that slips at half of it does so at once. By statics.
static void locks_tell_what_they_hold(void **state)
{
    static const char model[] =
        "{dimension: 2, gravity: [0, -9.81], parameters: {most: %s, slipped: 0}, bodies: [{name: drum, mass: "
        "1, inertia: 2}, {name: load, mass: "
        "10, inertia: 1, position: [1, 0]}], joints: [{name: hinge, type: revolute, at: [0, 0], bodies: "
        "[ground, drum]}, "
        "{name: slide, type: "
        "translational, bodies: [ground, load], at: [1, 0], axis: [0, 1]}, {name: rope, type: rack-pinion, "
        "joints: [hinge, "
        "slide], radius: 0.2}, {name: brake, type: lock, joint: hinge, active: no}, {name: pawl, type: lock, "
        "joint: slide, "
        "active: no}], events: [{name: e, at: 0.5, on: %s}, {name: s, when: FQ(%s) - most, direction: "
        "rising, off: %s, set: {slipped: "
        "1}}], variables: [{name: held, value: FQ(%s)}, {name: seen, value: slipped}], simulate: {end: 1, "
        "method: %s, signals: [held, seen, brake.torque, "
        "pawl.force, rope.lambda]}}";
    static const char *const locks[] = {"brake", "pawl"}, *const signals[] = {"brake.torque", "pawl.force"};
    const double holds[] = {10 * 9.81 * 0.2, 10 * 9.81};
    const char *method;
    (void)state;
    for (int i = 0, k = 0; (method = next_method(&k)); i++) {
        if (strcmp(method, "joint_bdf") == 0 || strcmp(method, "srm") == 0)
            continue; // they take no joint forces
        for (int slips = 0; slips < 2; slips++) {
            char text[1600];
            const char *const lock = locks[i % 2];
            snprintf(text, sizeof text, model, slips ? "9" : "1000", lock, lock, lock, lock, method);
            motion m = move(text, NULL, 0);
            if (m.end) fail_msg("%s: %s", method, hol_context_error(ctx));
            near(signals[i % 2], value_of(&m, signals[i % 2]), slips ? 0 : holds[i % 2], 1e-9);
            near("held", value_of(&m, "held"), slips ? 0 : holds[i % 2], 1e-9);
            near("seen", value_of(&m, "seen"), slips, 0);
            close_motion(&m);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_docks_keeps_its_momentum),
                                       cmocka_unit_test(what_is_caught_is_held_and_let_go),
                                       cmocka_unit_test(a_redundant_bar_changes_no_motion),
                                       cmocka_unit_test(what_does_not_hold_is_not_switched_on),
                                       cmocka_unit_test(saved_runs_know_what_acts),
                                       cmocka_unit_test(laws_go_with_their_joint),
                                       cmocka_unit_test(masses_of_any_size_keep_their_momentum),
                                       cmocka_unit_test(what_the_impact_passes_happens_at_once),
                                       cmocka_unit_test(ports_may_face_each_other),
                                       cmocka_unit_test(a_grip_holds_every_attitude),
                                       cmocka_unit_test(a_grip_takes_hold_anew),
                                       cmocka_unit_test(locks_of_one_loop_agree),
                                       cmocka_unit_test(methods_look_at_what_is_off),
                                       cmocka_unit_test(every_element_can_be_switched),
                                       cmocka_unit_test(locks_tell_what_they_hold)};
    return cmocka_run_group_tests(tests, start, stop);
}
