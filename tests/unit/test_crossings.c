// Runs through singular poses: rows, ends and events that fall on the pose itself, between steps and at their ends. All numbers are closed
// forms. docs/theory.md, section 9.8.
#include "harness.h"
#include "holonom_analyses.h"
#include "integrator/integrator.h"
#include "poses.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 3000 };
#define TURNS (2 * HOL_PI) // speed of the cranks

// Methods that hold the joints, with error control or with fixed steps.
static bool holds(const hol_method *m) { return !m->teaching && !m->open; }

// The value of a row in a column.
static double entry(const hol_result *r, size_t row, const char *name)
{
    return r->value[row * (size_t)r->n_columns + (size_t)column_of(r, name)];
}

// A row of the parallelogram, whose links turn with the crank: the driver holds the two cranks' and the coupler's weight, less what helps.
static void check_row(const char *what, const hol_result *r, size_t row, double allowed, double help)
{
    const double theta = HOL_PI / 2 + TURNS * entry(r, row, "t");
    near(what, entry(r, row, "c2.theta"), theta, allowed);
    near(what, entry(r, row, "c2.omega"), TURNS, 10 * allowed);
    near(what, entry(r, row, "c2.alpha"), 0, 1000 * allowed);
    near(what, entry(r, row, "m.torque"), 2 * 9.81 * cos(theta) - help, 1000 * allowed);
}

#define SIGNALS "simulate.signals=[c2.theta,c2.omega,c2.alpha,m.torque,C.Fx,C.Fy,energy.total]"
#define EXACT 1e-9 // joints and driver determine the motion

// Rows every quarter of a turn of a run to t = 1 s, of which every second one is at a pose.
static void check_rows(const char *text, const char *method, const char *way, const char *project,
                       double help)
{
    const char *const set[] = {method, way, project, SIGNALS, "simulate.end=1"};
    char what[120];
    hol_result *r = rows_written(text, set, HOL_COUNT(set), NULL);
    snprintf(what, sizeof what, "%s %s %s", method, way, project);
    assert_int_equal(r->n_rows, 5);
    for (size_t k = 1; k < 5; k += 2) {
        check_row(what, r, k, EXACT, k > 1 ? help : 0); // help begins behind the row at 0.25 s
        assert_true(isnan(entry(r, k, "C.Fx")));        // no bound there
        // of the cranks and the coupler, whose weights are at the height 0
        near(what, entry(r, k, "energy.total"), 0.5 * (2 * 0.35 + 1) * TURNS * TURNS, 1e-7);
    }
    for (size_t k = 2; k < 5; k += 2) { // half of the coupler, below or above
        near(what, entry(r, k, "C.Fx"), 0.5 * (TURNS * TURNS + (k == 2 ? 9.81 : -9.81)), 0.05);
        near(what, entry(r, k, "C.Fy"), 0, 0.3);
    }
    hol_result_destroy(r);
}

static void check_all(const char *text, double help)
{
    char method[60];
    for (int m = 0; hol_methods[m]; m++)
        for (int project = 0; project < 2 && holds(hol_methods[m]); project++) {
            if (!in_sample(m + project, 1, 3)) continue;
            snprintf(method, sizeof method, "simulate.method=%s", hol_methods[m]->name);
            check_rows(text, method, "simulate.output=0.25",
                       project ? "simulate.project=yes" : "simulate.project=no", help);
        }
}

static void rows_at_poses_are_right(void **state)
{
    (void)state;
    check_all(parallelogram, 0);
}

// A crank as long as its rod, driven by th + t + t^2/4 so that it stands `beside` a dead centre at 1 s; there the rod turns as the crank does,
// the other way, and the slider goes by 2 cos. No bridge leads over the pose, where the slider's guide feels a force without bound.
static const char dead_centre[] =
    "dimension: 2\nparameters: {beside: 1e-4, th: pi/2 - 1.25 - beside}\nbodies:\n"
    "  - {name: a, mass: 1, inertia: 0.1, angle: th, omega: 1, markers: {tip: [1, 0]}}\n"
    "  - {name: b, mass: 1e-3, inertia: 0.01, position: [cos(th), sin(th)], velocity: [-sin(th), cos(th)], "
    "angle: -th, omega: -1, markers: {tip: [1, 0]}}\n"
    "  - {name: s, mass: 2, inertia: 0.3, position: [2*cos(th), 0], velocity: [-2*sin(th), 0]}\n"
    "joints:\n"
    "  - {name: A, type: revolute, between: [ground, a]}\n"
    "  - {name: B, type: revolute, between: [a.tip, b]}\n"
    "  - {name: C, type: revolute, between: [b.tip, s]}\n"
    "  - {name: G, type: translational, between: [ground, s]}\n"
    "drivers: [{name: dr, type: angle, joint: A, value: \"th + time + time^2/4\"}]\n"
    "simulate: {end: 1.5, output: 0.5, signals: [b.alpha, s.ax, dr.torque]}\n";

// What interpolation opens the joints by is divided by the square of the distance there, so that rows have to be on them.
static void rows_beside_a_pose(void **state)
{
    static const char *const beside[] = {"1e-4", "-1e-4", "1e-3"};
    (void)state;
    for (int m = 0; hol_methods[m]; m++)
        for (int i = 0; i < HOL_COUNT(beside); i++) {
            char method[60], place[60];
            const char *const set[] = {method, place, "simulate.tolerance=1e-6"};
            if (!holds(hol_methods[m]) || hol_methods[m]->order < 2 || !in_sample(m + i, 1, 3)) continue;
            snprintf(method, sizeof method, "simulate.method=%s", hol_methods[m]->name);
            snprintf(place, sizeof place, "parameters.beside=%s", beside[i]);
            hol_result *r = rows_written(dead_centre, set, HOL_COUNT(set), NULL);
            const double x = strtod(beside[i], NULL), w = 1.5, al = 0.5, c = sin(x),
                         s = cos(x); // of the angle
            near(method, entry(r, 2, "b.alpha"), -al, 2e-3);
            near(method, entry(r, 2, "s.ax"), -2 * (c * w * w + s * al), 2e-3);
            // what changes the energy of turning, 0.111 w^2/2, and of the slider, (2 s w)^2
            near(method, entry(r, 2, "dr.torque"), 0.111 * al + 8 * s * (c * w * w + s * al), 1e-2);
            hol_result_destroy(r);
        }
}

// Steps that end in the pose.
static void fixed_steps_end_in_poses(void **state)
{
    static const char *const methods[] = {"hht", "newmark", "genalpha", "tangent", "rk"};
    char method[60];
    (void)state;
    for (int m = 0; m < HOL_COUNT(methods); m++) {
        snprintf(method, sizeof method, "simulate.method=%s", methods[m]);
        check_rows(parallelogram, method, "simulate.step=0.01", "simulate.project=no", 0);
        check_rows(parallelogram, method, "simulate.step=0.01", "simulate.project=yes", 0);
    }
}

// A torque on the other crank from the pose on.
static void events_at_poses(void **state)
{
    static const char *const when[] = {"at: 0.25", "when: AZ(c1)-pi"};
    char text[TEXT];
    (void)state;
    for (int i = 0; i < 2; i++) {
        snprintf(text, sizeof text, "%sevents: [{name: load, %s, set: {u: 1}}]\n", parallelogram, when[i]);
        check_all(text, 1);
    }
}

// The row of the end, and a program that looks, sets the input and goes on.
static void ends_and_programs(void **state)
{
    (void)state;
    for (int m = 0; hol_methods[m]; m++) {
        char set[60];
        const char *const sets[] = {set, "simulate.end=0.25"};
        if (!holds(hol_methods[m])) continue;
        snprintf(set, sizeof set, "simulate.method=%s", hol_methods[m]->name);
        motion a = move(parallelogram, sets, 2);
        assert_int_equal(a.end, HOL_OK);
        near(set, value_of(&a, "c2.alpha"), 0, 1e-6);
        near(set, value_of(&a, "m.torque"), -2 * 9.81, 1e-6);
        close_motion(&a);
        a = open_motion(parallelogram, sets, 1);
        for (int k = 1; k <= 4; k++) {
            if (hol_simulation_advance(a.sim, 0.25 * k)) fail_msg("%s: %s", set, hol_context_error(ctx));
            near(set, value_of(&a, "c2.theta"), HOL_PI / 2 * (k + 1), 1e-6);
            near(set, value_of(&a, "c2.omega"), TURNS, 1e-4);
            if (k % 2) near(set, value_of(&a, "c2.alpha"), 0, 1e-6);
            if (k % 2)
                near(set, value_of(&a, "m.torque"), 2 * 9.81 * cos(HOL_PI / 2 * (k + 1)) - (k > 1), 1e-6);
            if (k == 1) assert_int_equal(hol_simulation_set_input(a.sim, 0, 1), HOL_OK);
        }
        close_motion(&a);
    }
}

// Next to a pose, too: rows of accelerations had the errors of the joints by the square of the distance.
static void rows_next_to_poses(void **state)
{
    static const char *const drawn[] = {"pi/2+1e-9", "pi/2-1e-7", "pi/2+1e-5", "pi/2-1e-3", "pi/2+0.01"};
    static const double off[] = {1e-9, -1e-7, 1e-5, -1e-3, 0.01};
    static const char *const methods[] = {"hht", "rk", "bdf", "joint_bdf"};
    (void)state;
    for (int m = 0; m < HOL_COUNT(methods); m++)
        for (int i = 0; i < HOL_COUNT(drawn); i++) {
            char method[60], th0[60];
            const char *const set[] = {method, th0, SIGNALS, "simulate.end=0.5"};
            snprintf(method, sizeof method, "simulate.method=%s", methods[m]);
            snprintf(th0, sizeof th0, "parameters.th0=%s", drawn[i]);
            hol_result *r = rows_written(parallelogram, set, HOL_COUNT(set), NULL);
            const double theta = HOL_PI + off[i];
            near(method, entry(r, 1, "c2.theta"), theta, EXACT);
            near(method, entry(r, 1, "c2.omega"), TURNS, EXACT);
            near(method, entry(r, 1, "c2.alpha"), 0, 1e-7);
            near(method, entry(r, 1, "m.torque"), 2 * 9.81 * cos(theta), 1e-7);
            hol_result_destroy(r);
        }
}

// ---- free motions -----------------------------------------------------------------------------------------------

// Without a driver and weights a torque T turns all of it evenly, by T/1.7: J = 2 (0.1 + 1/4) + 1 kg m^2. It comes into line at 0.5 s.
#define FREE                                                                                                 \
    "dimension: 2\nparameters: {w: 2, th0: 0.3, al: (pi-th0-w/2)*8}\nbodies:\n"                              \
    "  - {name: c1, mass: 1, inertia: 0.1, position: [0.5*cos(th0), 0.5*sin(th0)], angle: th0, omega: w, "   \
    "velocity: [-w/2*sin(th0), w/2*cos(th0)], markers: {o: [-0.5, 0], p: [0.5, 0]}}\n"                       \
    "  - {name: c2, mass: 1, inertia: 0.1, position: [2+0.5*cos(th0), 0.5*sin(th0)], angle: th0, omega: w, " \
    "velocity: [-w/2*sin(th0), w/2*cos(th0)], markers: {o: [-0.5, 0], p: [0.5, 0]}}\n"                       \
    "  - {name: cp, mass: 1, inertia: 0.1, position: [cos(th0)+1, sin(th0)], velocity: [-w*sin(th0), "       \
    "w*cos(th0)], markers: {o: [-1, 0], p: [1, 0]}}\n"                                                       \
    "joints:\n"                                                                                              \
    "  - {name: A, type: revolute, between: [ground, c1.o]}\n"                                               \
    "  - {name: D, type: revolute, between: [ground: [2, 0], c2.o]}\n"                                       \
    "  - {name: B, type: revolute, between: [c1.p, cp.o]}\n"                                                 \
    "  - {name: C, type: revolute, between: [cp.p, c2.p]}\n"                                                 \
    "forces: [{name: mt, type: torque, joint: A, value: 1.7*al}]\n"                                          \
    "simulate: {end: 1, output: 0.125, signals: [c2.theta, c2.omega, c1.alpha, c2.alpha, C.Fx, C.Fy, "       \
    "C.T]}\n"

static void free_motions(void **state)
{
    const double al = (HOL_PI - 1.3) * 8;
    (void)state;
    for (int m = 0; hol_methods[m]; m++)
        for (int project = 0; project < 2; project++) {
            char method[60];
            const char *const set[] = {method, "simulate.tolerance=1e-6",
                                       project ? "simulate.project=yes" : "simulate.project=no"};
            if (!holds(hol_methods[m]) || hol_methods[m]->order < 2 || !in_sample(m + project, 1, 3))
                continue;
            snprintf(method, sizeof method, "simulate.method=%s", hol_methods[m]->name);
            hol_result *r = rows_written(FREE, set, HOL_COUNT(set), NULL);
            assert_int_equal(r->n_rows, 9);
            for (size_t k = 1; k < r->n_rows; k++) {
                const double t = entry(r, k, "t");
                near(method, entry(r, k, "c2.theta"), 0.3 + t * (2 + al / 2 * t), 1e-5);
                near(method, entry(r, k, "c2.omega"), 2 + al * t, 1e-4);
            }
            near(method, entry(r, 4, "c1.alpha"), al, 1e-7);
            near(method, entry(r, 4, "c2.alpha"), al, 1e-7);
            assert_true(isnan(entry(r, 4, "C.Fx")));
            assert_true(isnan(entry(r, 4, "C.Fy")));   // in which they have no part in the pose alone
            near(method, entry(r, 4, "C.T"), 0, 1e-9); // nor beside it
            hol_result_destroy(r);
        }
}

// A hundredth beside the pose, with the tolerance of README's first command, forces that have no bound in it are those of the row's state.
// The coupler's weightless motion a = al (-s, c) - w^2 (c, s) needs F_B + F_C = -a, half of it across from each side as it does not turn,
// and the torques F_C has about the hinge of c2 turn that one: 0.35 al.
static void free_motions_beside_a_pose(void **state)
{
    static const char *const methods[] = {"hht", "genalpha"};
    static const char *const times[] = {"0.4995", "0.5005", "0.5003"};
    const double al = (HOL_PI - 1.3) * 8;
    (void)state;
    for (int m = 0; m < HOL_COUNT(methods); m++)
        for (int i = 0; i < HOL_COUNT(times); i++) {
            char method[60], output[60];
            const char *const set[] = {method, output, "simulate.tolerance=1e-3", "simulate.end=0.6"};
            snprintf(method, sizeof method, "simulate.method=%s", methods[m]);
            snprintf(output, sizeof output, "simulate.output=%s", times[i]);
            hol_result *r = rows_written(FREE, set, HOL_COUNT(set), NULL);
            const double c = cos(entry(r, 1, "c2.theta")), s = sin(entry(r, 1, "c2.theta")),
                         w = entry(r, 1, "c2.omega"), y = -0.5 * (al * c - w * w * s),
                         x = (c * y - 0.35 * al) / s;
            near(method, entry(r, 1, "C.Fx") / (c * x + s * y), 1, 1e-3);
            near(method, entry(r, 1, "C.Fy"), c * y - s * x, 1e-2);
            hol_result_destroy(r);
        }
}

// Drawn in the pose, from which its velocities lead: al = -8 there. Others stop by name at this tolerance.
static void free_starts_in_poses(void **state)
{
    static const char *const methods[] = {"hht", "rk", "rn4", "ros2w", "joint_bdf", "tangent"};
    (void)state;
    for (int m = 0; m < HOL_COUNT(methods); m++) {
        char method[60];
        const char *const set[] = {method, "simulate.tolerance=1e-6", "parameters.th0=pi",
                                   "simulate.end=0.25"};
        snprintf(method, sizeof method, "simulate.method=%s", methods[m]);
        hol_result *r = rows_written(FREE, set, HOL_COUNT(set), NULL);
        for (size_t k = 0; k < r->n_rows; k++) {
            const double t = entry(r, k, "t");
            near(method, entry(r, k, "c2.theta"), HOL_PI + t * (2 - 4 * t), 1e-5);
            near(method, entry(r, k, "c2.alpha"), -8, k ? 1e-3 : 1e-7);
        }
        hol_result_destroy(r);
    }
}

// A crank of 1 m and a base of 1 m, a coupler and a link of `b`: with the crank at 0 its end is on the link's hinge, where no driver of the crank
// holds the link. A kite opens from there, with the link's end on the bisector of crank and base; a rhombus (b = 1) goes on in parallel.
static const char kite[] =
    "dimension: 2\nparameters: {b: 2, w: 2, al: 1, v: w*(1+b)/2}\nbodies:\n"
    "  - {name: c1, mass: 1, inertia: 0.1, position: [0.5, 0], omega: w, velocity: [0, w/2], markers: {o: "
    "[-0.5, 0], p: [0.5, 0]}}\n"
    "  - {name: c2, mass: 1, inertia: 0.1, position: [1+b/2, 0], omega: v/b, velocity: [0, v/2], markers: "
    "{o: "
    "[-b/2, 0], p: [b/2, 0]}}\n"
    "  - {name: cp, mass: 1, inertia: 0.1, position: [1+b/2, 0], omega: (v-w)/b, velocity: [0, (v+w)/2], "
    "markers: {o: [-b/2, 0], p: [b/2, 0]}}\n"
    "joints:\n"
    "  - {name: A, type: revolute, between: [ground, c1.o]}\n"
    "  - {name: D, type: revolute, between: [ground: [1, 0], c2.o]}\n"
    "  - {name: B, type: revolute, between: [c1.p, cp.o]}\n"
    "  - {name: C, type: revolute, between: [cp.p, c2.p]}\n"
    "drivers: [{name: m, type: angle, joint: A, value: \"w*time+al/2*time^2\"}]\n"
    "simulate: {end: 1, output: 0.5, method: rk, tolerance: 1e-6, signals: [c2.theta, c2.omega, c2.alpha, "
    "cp.alpha]}\n";

// The end of the link is at cos(theta/2) + sqrt(b^2 - sin^2(theta/2)) along the bisector; its angle is an odd function of theta, so that its
// acceleration at 0 is that of theta times the rate v/(w b).
static void check_kite(const char *what, const hol_result *r, double b, double al)
{
    const double part = (1 + b) / (2 * b), theta = 2 + al / 2, u = theta / 2,
                 along = cos(u) + sqrt(b * b - sin(u) * sin(u));
    assert_int_equal(r->n_rows, 3);
    near(what, entry(r, 0, "c2.omega"), 2 * part, 1e-9);
    near(what, entry(r, 0, "c2.alpha"), part * al, 1e-8);
    near(what, entry(r, 0, "cp.alpha"), (1 - part) * al,
         1e-8); // the coupler mirrors the link in the bisector
    near(what, entry(r, 2, "c2.theta"), atan2(along * sin(u), along * cos(u) - 1), 1e-9);
}

static void driven_starts_of_kites(void **state)
{
    static const char *const methods[] = {"rk", "hht", "rn4", "ros2w", "bdf", "joint_bdf", "tangent"};
    static const char *const b[] = {"parameters.b=2", "parameters.b=1"}, // a rhombus too
        *const al[] = {"parameters.al=1", "parameters.al=0", "parameters.al=-0.5"};
    (void)state;
    for (int m = 0; m < HOL_COUNT(methods); m++)
        for (int i = 0; i < 6; i++) {
            char method[60];
            const char *const set[] = {method, b[i % 2], al[i / 2]};
            snprintf(method, sizeof method, "simulate.method=%s", methods[m]);
            hol_result *r = rows_written(kite, set, HOL_COUNT(set), NULL);
            check_kite(method, r, i % 2 ? 1 : 2, i < 2 ? 1 : i < 4 ? 0 : -0.5);
            hol_result_destroy(r);
        }
}

// Its first step out of the pose is long: short ones lie where accelerations are those of rounding, of which it took a thousand.
static void first_steps_out_of_a_pose(void **state)
{
    (void)state;
    motion a = move(kite, NULL, 0);
    assert_int_equal(a.end, HOL_OK);
    const hol_statistics *s = hol_simulation_finish(a.sim);
    near("rejected", (double)s->rejected, 0, 1);
    assert_true(s->steps < 30);
    close_motion(&a);
}

// ---- slow motions, rest -----------------------------------------------------------------------------------------

// All that holds of a row of the parallelogram in its pose at pi whose crank turns by `speed`: the driver holds the weights of two cranks
// and the coupler, less what the torque u helps.
static void check_pose(const char *what, const hol_result *r, size_t row, double speed, double help)
{
    near(what, entry(r, row, "c2.theta"), HOL_PI, EXACT);
    near(what, entry(r, row, "c2.omega"), speed, 1e-8 * fabs(speed));
    near(what, entry(r, row, "c2.alpha"), 0, 1e-7);
    near(what, entry(r, row, "m.torque"), -2 * 9.81 - help, 1e-5);
}

// A crank that needs nine hours for a turn, and one that swings by a hundredth: nodes of a bridge on a way of their own, at any speed.
static void slow_motions(void **state)
{
    static const char *const slow[] = {"drivers.m.speed=2e-4", "parameters.th0=pi-5e-5",
                                       "drivers.m.speed=0.02*pi*sin(2*pi*time)", "parameters.th0=pi-0.01"};
    static const double speed[] = {2e-4, 0.02 * HOL_PI};
    static const char *const methods[] = {"hht", "rk", "rn4", "bdf", "joint_bdf", "tangent"};
    (void)state;
    for (int m = 0; m < HOL_COUNT(methods); m++)
        for (int i = 0; i < 2; i++) {
            char method[60];
            const char *const set[] = {method,
                                       slow[2 * i],
                                       slow[2 * i + 1],
                                       SIGNALS,
                                       "simulate.end=0.25",
                                       "simulate.output=0.25",
                                       "simulate.tolerance=1e-6"};
            if (!in_sample(m + i, 1, 3)) continue;
            snprintf(method, sizeof method, "simulate.method=%s", methods[m]);
            hol_result *r = rows_written(parallelogram, set, HOL_COUNT(set), NULL);
            check_pose(method, r, 1, speed[i], 0);
            hol_result_destroy(r);
        }
}

// A torque that changes much while the motion goes from node to node is that of the time of the row.
static void forces_are_those_of_the_row(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        const char *const set[] = {i ? "simulate.method=rk" : "simulate.method=hht",
                                   "forces.mt.value=10*sin(500*time)",
                                   "drivers.m.speed=1",
                                   "parameters.th0=pi-0.5",
                                   SIGNALS,
                                   "simulate.end=0.5",
                                   "simulate.output=0.5",
                                   "simulate.tolerance=1e-6"};
        hol_result *r = rows_written(parallelogram, set, HOL_COUNT(set), NULL);
        check_pose(set[0], r, 1, 1, 10 * sin(250));
        hol_result_destroy(r);
    }
}

// A driver that comes to rest in the pose, at 0.5 s: nothing leads over it, and no row is one of rounding. rk crept on and on.
static void what_comes_to_rest_in_a_pose_stops(void **state)
{
    static const char *const set[] = {"simulate.method=rk", "simulate.tolerance=1e-6", SIGNALS,
                                      "drivers.m.speed=2*pi*(1-step(time,0,0,0.5,1))"};
    (void)state;
    hol_result *r = rows_written(parallelogram, set, HOL_COUNT(set), "at a singular pose");
    for (size_t k = 0; k < r->n_rows; k++) {
        const double u = 2 * entry(r, k, "t"); // of the time to the pose
        near("in parallel", entry(r, k, "c2.alpha"), -24 * HOL_PI * u * (1 - u), 1e-4);
    }
    hol_result_destroy(r);
    motion a = move(parallelogram, set, HOL_COUNT(set));
    assert_true(hol_simulation_finish(a.sim)->steps < 1000);
    close_motion(&a);
    hol_model *model = load_model(parallelogram, set, HOL_COUNT(set));
    hol_simulation *sim = hol_kinematics_create(ctx, model);
    assert_int_equal(hol_simulation_run(sim), HOL_ERR_INTEGRATION);
    assert_true(hol_simulation_finish(sim)->time < 0.5);
    hol_simulation_destroy(sim);
    hol_model_destroy(model);
}

// At rest in the pose, what pulls along the links is shared by both sides as the smallest multipliers have it, half and half.
static void loads_at_rest(void **state)
{
    static const char *const methods[] = {"rk", "joint_bdf"};
    char text[TEXT];
    (void)state;
    snprintf(text, sizeof text, "%s", FREE);
    char *mt = strstr(text, "forces: ");
    snprintf(mt, sizeof text - (size_t)(mt - text),
             "forces: [{name: pull, type: force, on: cp, value: [100, 0]}]\n"
             "simulate: {end: 0.5, output: 0.25, signals: [c2.theta, c2.alpha, A.Fx, C.Fx]}\n");
    for (int m = 0; m < HOL_COUNT(methods); m++) {
        char method[60];
        const char *const set[] = {method, "parameters.th0=pi", "parameters.w=0", "parameters.al=0"};
        snprintf(method, sizeof method, "simulate.method=%s", methods[m]);
        hol_result *r = rows_written(text, set, HOL_COUNT(set), NULL);
        for (size_t k = 0; k < r->n_rows; k++) {
            near(method, entry(r, k, "c2.theta"), HOL_PI, 1e-9);
            near(method, entry(r, k, "c2.alpha"), 0, 1e-9);
            near(method, entry(r, k, "A.Fx"), 50, 1e-4);
            near(method, entry(r, k, "C.Fx"), -50, 1e-4);
        }
        hol_result_destroy(r);
    }
}

// A torque drives it off along either of two motions, and a driver holds weights that need forces without bound.
static void what_rest_leaves_open(void **state)
{
    static const char *const slow[] = {"parameters.w=0", "parameters.w=1e-3"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        const char *const set[] = {"parameters.th0=pi", slow[i], "forces.mt.value=1.7"};
        hol_model *model = load_model(FREE, set, HOL_COUNT(set));
        assert_non_null(model);
        assert_null(hol_simulation_create(ctx, model));
        assert_non_null(strstr(hol_context_error(ctx), "along one of several motions"));
        hol_context_clear(ctx);
        hol_model_destroy(model);
    }
    const char *const held[] = {"parameters.th0=pi", "drivers.m.speed=0", SIGNALS, "simulate.end=0.5",
                                "simulate.method=joint_bdf"};
    hol_result *r = rows_written(parallelogram, held, HOL_COUNT(held), NULL);
    for (size_t k = 0; k < r->n_rows; k++) {
        near("held", entry(r, k, "c2.theta"), HOL_PI, 1e-9);
        if (!k) near("held", entry(r, k, "c2.alpha"), 0, 1e-9);
        assert_true(isnan(entry(r, k, "m.torque"))); // -19.62 N m along one branch, -6.54 N m along the other
        assert_true(isnan(entry(r, k, "C.Fx")));
    }
    hol_result_destroy(r);
}

// A slider of 2 kg on a rod of 1 g: the place of the pose was looked for with masses, which hid it. The pose is at 1 s.
static void light_rods_and_heavy_sliders(void **state)
{
    (void)state;
    for (int m = 0; hol_methods[m]; m++) {
        char method[60];
        const char *const set[] = {method, "parameters.beside=0", "simulate.tolerance=1e-6",
                                   "simulate.signals=[b.omega, s.vx, b.alpha, s.ax, dr.torque, G.Fy]"};
        if (!holds(hol_methods[m]) || hol_methods[m]->order < 2) continue;
        snprintf(method, sizeof method, "simulate.method=%s", hol_methods[m]->name);
        hol_result *r = rows_written(dead_centre, set, HOL_COUNT(set), NULL);
        near(method, entry(r, 2, "b.omega"), -1.5, 1e-9);
        near(method, entry(r, 2, "s.vx"), -3, 1e-9);
        near(method, entry(r, 2, "b.alpha"), -0.5, 1e-7);
        near(method, entry(r, 2, "s.ax"), -1, 1e-7);
        near(method, entry(r, 2, "dr.torque"), 0.111 * 0.5 + 8 * 0.5, 1e-6);
        assert_true(isnan(entry(r, 2, "G.Fy")));
        hol_result_destroy(r);
    }
}

// A slider that a constraint holds at the speed of a crank that turns evenly takes it through its dead centre at pi/4 s: the weights need a force without bound there, and the
// row of rk, for which none is found, had 0 for it and for all reactions.
static void no_reaction_that_is_not_found_is_zero(void **state)
{
    static const char text[] =
        "{dimension: 2, gravity: [0, -9.81], parameters: {r: 0.2, l: 0.5, h: sqrt(l^2-r^2)}, bodies: "
        "[\n{name: crank, mass: 1, inertia: 0.01, position: [0, r/2], angle: pi/2, markers: {o: [-r/2, 0], "
        "t: [r/2, 0]}},\n{name: rod, mass: 1, inertia: 0.05, position: [h/2, r/2], angle: -asin(r/l), "
        "markers: {a: [-l/2, 0], b: [l/2, 0]}},\n{name: s, mass: 1, inertia: 0.01, position: [h, 0]}], "
        "joints: [{name: o, type: revolute, between: [ground, crank.o]},{name: a, type: revolute, between: "
        "[crank.t, rod.a]}, {name: b, type: revolute, between: [rod.b, s]},{name: g, type: translational, "
        "between: [ground, s]}],\nconstraints: [{name: c, velocity: \"VX(s) + 2*r*cos(2*time) - "
        "2*r^2*cos(2*time)*sin(2*time)/sqrt(l^2 - r^2*cos(2*time)^2)\"}],simulate: {end: pi/2, output: "
        "pi/40, method: rk, signals: [crank.theta, c.lambda, o.Fx]}}\n";
    (void)state;
    hol_result *r = rows_written(text, NULL, 0, NULL);
    for (size_t k = 0; k < r->n_rows; k++) {
        near("crank", entry(r, k, "crank.theta"), HOL_PI / 2 + 2 * entry(r, k, "t"), 1e-5);
        if (k != 10) assert_true(fabs(entry(r, k, "c.lambda")) < 120);
    }
    assert_false(fabs(entry(r, 10, "c.lambda")) < 1e3);
    assert_false(fabs(entry(r, 10, "o.Fx")) < 1e3);
    hol_result_destroy(r);
}

// ---- fixed steps, events --------------------------------------------------------------------------------------------

// Steps end in the dead centre at 1 s to the last bit, where Newton's iteration of most methods has no matrix; a half second behind it the
// crank stands at pi/2 + 13/16 and turns by 1.75.
static void fixed_steps_go_on_through_poses(void **state)
{
    (void)state;
    for (int m = 0; hol_methods[m]; m++) {
        char method[60];
        const char *const set[] = {method, "parameters.beside=0", "simulate.step=0.01",
                                   "simulate.signals=[a.omega, b.omega, s.vx, b.alpha, s.ax]"};
        if (hol_methods[m]->open || hol_methods[m]->orders) continue; // which choose their steps
        snprintf(method, sizeof method, "simulate.method=%s", hol_methods[m]->name);
        hol_result *r = rows_written(dead_centre, set, HOL_COUNT(set), NULL);
        near(method, entry(r, 2, "b.omega"), -1.5, 1e-9);
        near(method, entry(r, 2, "b.alpha"), -0.5, 1e-7);
        near(method, entry(r, 2, "s.ax"), -1, 1e-7);
        near(method, entry(r, 3, "b.omega"), -1.75, 1e-6);
        near(method, entry(r, 3, "s.vx"), -3.5 * cos(0.8125),
             1e-3); // of Newmark's formulas with steps of 0.01 s
        hol_result_destroy(r);
    }
}

// A step that ends 2e-8 beside the pose, at 2.656875 s, may not add to what the other steps take: 9e-7 J each.
static void fixed_steps_end_beside_a_pose(void **state)
{
    static const char *const set[] = {"simulate.method=hht",     "hht.alpha=-0.3",
                                      "simulate.step=6.25e-4",   "simulate.end=2.6575",
                                      "simulate.output=6.25e-4", "simulate.signals=[energy.total]"};
    (void)state;
    hol_result *r = rows_written("four_bar", set, HOL_COUNT(set), NULL);
    const size_t last = r->n_rows - 1;
    near("t", entry(r, last - 1, "t"), 2.656875, 1e-9);
    for (size_t k = last - 4; k < last; k++)
        near("energy", entry(r, k + 1, "energy.total"), entry(r, k, "energy.total"), 2e-6);
    hol_result_destroy(r);
}

// The slider drives the crank, out to its dead centre and back, where an event happens: the links go on through the line.
static void events_where_a_driver_touches(void **state)
{
    static const char *const methods[] = {"hht", "rk", "rn4", "bdf", "joint_bdf", "tangent"};
    char text[TEXT];
    (void)state;
    snprintf(text, sizeof text, "%s", dead_centre);
    char *dr = strstr(text, "drivers: ");
    snprintf(
        dr, sizeof text - (size_t)(dr - text),
        "drivers: [{name: dr, type: distance, between: [ground, s], value: 2*cos(th+time)}]\n"
        "inputs: [{name: u, value: 0, unit: N}]\nforces: [{name: f, type: force, on: s, value: [u, 0]}]\n"
        "events: [{name: load, at: 0.5, set: {u: 1}}]\n"
        "simulate: {end: 1, output: 0.5, signals: [a.theta, a.omega, b.omega, a.alpha, dr.force]}\n");
    for (int m = 0; m < HOL_COUNT(methods); m++) {
        char method[60];
        const char *const set[] = {method, "parameters.th=-0.5", "simulate.tolerance=1e-6"};
        if (!in_sample(m, 1, 3)) continue;
        snprintf(method, sizeof method, "simulate.method=%s", methods[m]);
        hol_result *r = rows_written(text, set, HOL_COUNT(set), NULL);
        for (size_t k = 1; k < 3; k++) {
            near(method, entry(r, k, "a.omega"), 1, 1e-6);
            near(method, entry(r, k, "b.omega"), -1, 1e-6);
            near(method, entry(r, k, "a.alpha"), 0, 1e-4);
            // the slider of 2 kg is slowed down by 2 cos; the force of 1 N helps behind the event
            near(method, entry(r, k, "dr.force"), -4 * cos(k == 1 ? 0 : 0.5) - (k > 1), 1e-3);
        }
        hol_result_destroy(r);
    }
}

// srm lets joints open; under the torque it came out of the pose 0.1 rad from the motion.
static void open_loops_are_led(void **state)
{
    static const double tolerance[] = {1e-3, 1e-4};
    const double al = (HOL_PI - 1.3) * 8;
    (void)state;
    for (int i = 0; i < 2; i++) {
        char asked[60];
        const char *const set[] = {"simulate.method=srm", asked, "simulate.signals=[c1.theta, c2.theta]"};
        snprintf(asked, sizeof asked, "simulate.tolerance=%g", tolerance[i]);
        hol_result *r = rows_written(FREE, set, HOL_COUNT(set), NULL);
        assert_int_equal(r->n_rows, 9);
        for (size_t k = 1; k < r->n_rows; k++) {
            const double t = entry(r, k, "t"), theta = 0.3 + t * (2 + al / 2 * t);
            near(asked, entry(r, k, "c1.theta"), theta, tolerance[i]);
            near(asked, entry(r, k, "c2.theta"), theta, tolerance[i]);
        }
        hol_result_destroy(r);
    }
}

// Kinematics, too, have the torque of the row's time, not one between those of the times of the nodes.
static void forces_in_kinematics(void **state)
{
    const char *const set[] = {"forces.mt.value=10*sin(500*time)", "drivers.m.speed=1",
                               "parameters.th0=pi-0.5", "simulate.end=0.5", SIGNALS};
    (void)state;
    hol_model *model = load_model(parallelogram, set, HOL_COUNT(set));
    hol_simulation *sim = hol_kinematics_create(ctx, model);
    assert_non_null(sim);
    assert_int_equal(hol_simulation_run(sim), HOL_OK);
    near("kinematics", signal_value(sim, "m.torque"), -2 * 9.81 - 10 * sin(250), 1e-6);
    hol_simulation_destroy(sim);
    hol_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_at_poses_are_right),
        cmocka_unit_test(rows_beside_a_pose),
        cmocka_unit_test(fixed_steps_end_in_poses),
        cmocka_unit_test(events_at_poses),
        cmocka_unit_test(ends_and_programs),
        cmocka_unit_test(rows_next_to_poses),
        cmocka_unit_test(free_motions),
        cmocka_unit_test(free_motions_beside_a_pose),
        cmocka_unit_test(free_starts_in_poses),
        cmocka_unit_test(driven_starts_of_kites),
        cmocka_unit_test(first_steps_out_of_a_pose),
        cmocka_unit_test(no_reaction_that_is_not_found_is_zero),
        cmocka_unit_test(slow_motions),
        cmocka_unit_test(forces_are_those_of_the_row),
        cmocka_unit_test(what_comes_to_rest_in_a_pose_stops),
        cmocka_unit_test(loads_at_rest),
        cmocka_unit_test(what_rest_leaves_open),
        cmocka_unit_test(light_rods_and_heavy_sliders),
        cmocka_unit_test(fixed_steps_go_on_through_poses),
        cmocka_unit_test(fixed_steps_end_beside_a_pose),
        cmocka_unit_test(events_where_a_driver_touches),
        cmocka_unit_test(open_loops_are_led),
        cmocka_unit_test(forces_in_kinematics),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
