// Modes on the constraint manifold against closed forms, other charts and known eigenvalues. docs/theory.md, section 13.
#include "modes_of.h"
#include "harness.h"

#include "api/api.h"
#include "integrator/jacobian.h"
#include "scene/swing.h"
#include "io/table.h"
#include "linalg/dense.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ---- closed forms ---------------------------------------------------------------------------------------------

// A rod of mass m and length L that hangs at its end: omega^2 = (m g L/2) / (m L^2/3) = 3 g/(2 L).
static void a_rod_that_hangs(void **state)
{
    static const char text[] =
        "dimension: 2\ngravity: [0, -9.81]\nbodies:\n"
        "  - {name: rod, position: [0.35, 0], mass: 2.3, inertia: 2.3*0.7^2/12, markers: {top: [-0.35, 0]}}\n"
        "joints:\n  - {name: hinge, type: revolute, between: [ground, rod.top]}\n";
    (void)state;
    hol_modes *m = modes_with(text, &(hol_modes_options){.equilibrium = true}); // it begins lying
    assert_true(m->equilibrium);
    assert_int_equal(m->n, 1);
    assert_int_equal(m->mode[0].kind, HOL_MODE_OSCILLATION);
    close_to("omega", m->mode[0].omega, sqrt(1.5 * 9.81 / 0.7), 1e-10);
    close_to("frequency", m->mode[0].frequency, sqrt(1.5 * 9.81 / 0.7) / (2 * HOL_PI), 1e-10);
    close_to("omega_max", m->omega_max, sqrt(1.5 * 9.81 / 0.7), 1e-10);
    // unit modal mass: (m L^2/3) theta^2 = 1
    assert_string_equal(m->coordinate[2], "rod.theta");
    close_to("shape", fabs(m->mode[0].shape_re[2]), 1 / sqrt(2.3 * 0.49 / 3), 1e-12);
    hol_modes_destroy(m);
}

// The largest displacement and the largest turn of a body from the first row, over the rows of a mode.
static void reach_of(const hol_swings *w, int mode, double *far, double *turn)
{
    const hol_track *t = &w->poses.pose;
    *far = *turn = 0;
    for (int k = 0; k < HOL_SWING_ROWS; k++) {
        const double *row = t->value + (size_t)(1 + mode * HOL_SWING_ROWS + k) * t->width;
        for (int i = 0; i < w->poses.m->n_bodies; i++) {
            const double *p = row + w->poses.first[i], *p0 = t->value + w->poses.first[i];
            const bool planar = hol_poses_letter(w->poses.m, i) == 'p';
            *far = fmax(*far, hypot(hypot(p[0] - p0[0], p[1] - p0[1]), planar ? 0 : p[2] - p0[2]));
            if (planar) *turn = fmax(*turn, fabs(p[2] - p0[2]));
        }
    }
}

// The rod is 0.35 m from its hinge to its centre, which is the size of the model: 5 % of it, and 0.05 rad. Where the shape is complex
// one of the two bounds is met over the period, too.
static void shapes_are_drawn_at_a_visible_size(void **state)
{
    static const char rod[] = "dimension: 2\ngravity: [0, -9.81]\nbodies:\n"
                              "  - {name: rod, position: [0, -0.35], angle: -pi/2, mass: 2.3, inertia: 0.1, "
                              "markers: {top: [-0.35, 0]}}\n"
                              "joints:\n  - {name: hinge, type: revolute, between: [ground, rod.top]}\n";
    double far = 0, turn = 0;
    (void)state;
    for (int i = 0; i < 2; i++) {
        hol_model *model = load_model(i ? "double_pendulum" : rod, NULL, 0);
        hol_modes *m = hol_modes_create(ctx, model, &(hol_modes_options){.equilibrium = true});
        hol_swings w;
        assert_non_null(m);
        assert_int_equal(hol_swings_create(ctx, model->data, m, HOL_POSES_MOST, &w), HOL_OK);
        assert_int_equal(w.n, m->n);
        for (int k = 0; k < m->n; k++) {
            reach_of(&w, k, &far, &turn);
            assert_true(far <= 0.05 * w.size * (1 + 1e-12) && turn <= 0.2 * (1 + 1e-12));
            assert_true(far > 0.049 * w.size || turn > 0.199); // a row is not where the largest is
        }
        if (i == 0) close_to("size", w.size, 0.35, 1e-12);
        if (i == 0) close_to("moved", far, 0.0175, 1e-12);
        if (i == 0) close_to("turned", turn, 0.05, 1e-12);
        hol_swings_free(&w);
        hol_modes_destroy(m);
        hol_model_destroy(model);
    }
}

// Standing upright: lambda = +- sqrt(g/L).
static void a_pendulum_that_stands_diverges(void **state)
{
    static const char text[] =
        "dimension: 2\ngravity: [0, -9.81]\nbodies:\n"
        "  - {name: bob, type: point, mass: 2, position: [0, 1.7]}\n"
        "joints:\n  - {name: rod, type: distance, between: [ground, bob], length: 1.7}\n";
    (void)state;
    hol_modes *m = modes_of(text);
    assert_true(m->equilibrium);
    assert_null(m->warning);
    assert_int_equal(m->n, 2);
    assert_int_equal(m->mode[0].kind, HOL_MODE_DECAY);
    assert_int_equal(m->mode[1].kind, HOL_MODE_DIVERGENCE);
    close_to("decay", m->mode[0].re, -sqrt(9.81 / 1.7), 1e-10);
    close_to("divergence", m->mode[1].re, sqrt(9.81 / 1.7), 1e-10);
    assert_true(m->omega_max == 0);
    hol_modes_destroy(m);
}

// A point mass circles on a rod: its own vibration about that motion, sqrt(1 + 3 cos^2 theta) g/(L cos theta) squared, is not what
// the tangent in Cartesian coordinates tells. A rod leaning at rest does not balance. Neither claims to be stable or not.
static void a_state_in_motion_is_warned_of(void **state)
{
    static const char circling[] =
        "dimension: 3\ngravity: [0, 0, -9.81]\nparameters: {theta: 40.1 deg}\nbodies:\n"
        "  - {name: m, type: point, mass: 1, position: [sin(theta), 0, -cos(theta)],\n"
        "     velocity: [0, sqrt(9.81/cos(theta))*sin(theta), 0]}\n"
        "joints:\n  - {name: rod, type: distance, between: [ground, m]}\n";
    static const char leaning[] = "dimension: 2\ngravity: [0, -9.81]\nbodies:\n"
                                  "  - {name: bob, type: point, mass: 2, position: [1, 1.7]}\n"
                                  "joints:\n  - {name: rod, type: distance, between: [ground, bob]}\n";
    (void)state;
    hol_modes *m = modes_of(circling);
    assert_false(m->equilibrium);
    assert_non_null(m->warning);
    assert_non_null(strstr(m->warning, "this state is in motion"));
    hol_modes_destroy(m);
    m = modes_of(leaning);
    assert_non_null(m->warning);
    assert_non_null(strstr(m->warning, "this state is not an equilibrium"));
    for (int i = 0; i < m->n; i++) {
        assert_int_not_equal(m->mode[i].kind, HOL_MODE_DIVERGENCE);
        assert_int_not_equal(m->mode[i].kind, HOL_MODE_DECAY);
    }
    assert_int_equal(m->mode[0].kind, HOL_MODE_REAL);
    hol_modes_destroy(m);
}

// Below 1e-5 of its size in its natural time a motion counts as rest: frequencies are right to as much, and nothing is said to
// grow or decay that the motion itself may have moved.
static void a_slow_motion_counts_as_rest(void **state)
{
    static const char swinging[] =
        "dimension: 2\ngravity: [0, -9.81]\nparameters: {w: %g}\nbodies:\n"
        "  - {name: a, mass: 1, inertia: 0.1, position: [0, -1], markers: {p: [0, 1]}, omega: w,\n"
        "     velocity: [w, 0]}\n"
        "  - {name: free, mass: 1, inertia: 0.1, position: [3, 0], velocity: [w, 0]}\n"
        "joints:\n  - {name: pin, type: revolute, between: [ground, a.p]}\n"
        "forces:\n  - {name: held, type: force, on: free, value: [0, 9.81]}\n";
    const double speed[] = {0, 1e-10, 1e-6, 8e-6, 1e-4};
    (void)state;
    for (int i = 0; i < HOL_COUNT(speed); i++) {
        char text[800];
        snprintf(text, sizeof text, swinging, speed[i]);
        hol_modes *m = modes_of(text);
        const bool rest = m->speed < HOL_MODES_AT_REST;
        assert_int_equal(rest, speed[i] < 1e-5);
        assert_int_equal(m->equilibrium, rest);
        assert_int_equal(m->warning == NULL, rest);
        for (int k = 0; k < m->n; k++) {
            assert_int_not_equal(m->mode[k].kind, HOL_MODE_DIVERGENCE);
            assert_int_not_equal(m->mode[k].kind, HOL_MODE_DECAY);
            if (m->mode[k].omega > 1 && rest) near("omega", m->mode[k].omega, sqrt(9.81 / 1.1), 1e-5);
        }
        hol_modes_destroy(m);
    }
}

// What decays with 1e-6/s is told at rest and beside a motion much slower than that; a motion of that size could have made it.
static void a_slow_motion_hides_slow_decay(void **state)
{
    static const char drifting[] = "dimension: 2\nlength_scale: 1\ngravity: [0, 0]\n"
                                   "bodies: [{name: p, type: point, mass: 1, velocity: [%g, 0]}]\n"
                                   "forces: [{name: f, type: force, on: p, value: [-1e-6*VX(p), -DY(p)]}]\n";
    static const struct {
        double speed;
        hol_mode_kind kind;
    } rows[] = {{0, HOL_MODE_DECAY}, {1e-8, HOL_MODE_DECAY}, {1e-6, HOL_MODE_REAL}};
    (void)state;
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        char text[400];
        int found = 0;
        snprintf(text, sizeof text, drifting, rows[i].speed);
        hol_modes *m = modes_of(text);
        assert_true(m->equilibrium);
        for (int k = 0; k < m->n; k++) {
            if (m->mode[k].kind != HOL_MODE_DECAY && m->mode[k].kind != HOL_MODE_REAL) continue;
            found++;
            assert_int_equal(m->mode[k].kind, rows[i].kind);
            near("rate", m->mode[k].re, -1e-6, 1e-10);
        }
        assert_int_equal(found, 1);
        hol_modes_destroy(m);
    }
}

// A car in balance moves freely in seven ways, on the road and by its wheels, and nothing grows.
static void a_car_has_seven_free_motions(void **state)
{
    (void)state;
    static const char *const trimmed[] = {
        "parameters.l0f=0.489707738491808", "parameters.l0r=0.464610885261452",
        "parameters.rtf=0.324721819786096", "parameters.rtr=0.323281271122995"};
    hol_model *model = load_model("../tests/models_rest/car", trimmed, HOL_COUNT(trimmed));
    hol_modes *m = hol_modes_create(ctx, model, NULL);
    if (!m) fail_msg("%s", hol_context_error(ctx));
    assert_true(m->equilibrium);
    assert_int_equal(m->n, 14);
    for (int k = 0; k < m->n; k++)
        assert_int_equal(m->mode[k].kind, k < 7 ? HOL_MODE_RIGID : HOL_MODE_OSCILLATION);
    hol_modes_destroy(m);
    hol_model_destroy(model);
}

// Two equal masses on two equal massless rods: omega^2 = (2 -+ sqrt(2)) g/L. Turned by an angle, in another order.
static hol_modes *double_pendulum(double turn, bool other_order)
{
    char text[900], bodies[2][160], joints[2][160];
    const double L = 0.8, g = 9.81, c = cos(turn), s = sin(turn);
    const int a = other_order;
    snprintf(bodies[a], sizeof bodies[0],
             "  - {name: upper, type: point, mass: 1.5, position: [%.17g, %.17g]}\n", s * L, -c * L);
    snprintf(bodies[!a], sizeof bodies[0],
             "  - {name: lower, type: point, mass: 1.5, position: [%.17g, %.17g]}\n", s * 2 * L, -c * 2 * L);
    snprintf(joints[a], sizeof joints[0],
             "  - {name: A, type: distance, between: [ground, upper], length: %.17g}\n", L);
    snprintf(joints[!a], sizeof joints[0],
             "  - {name: B, type: distance, between: [upper, lower], length: %.17g}\n", L);
    snprintf(text, sizeof text, "dimension: 2\ngravity: [%.17g, %.17g]\nbodies:\n%s%sjoints:\n%s%s", s * g,
             -c * g, bodies[0], bodies[1], joints[0], joints[1]);
    return modes_of(text);
}

static void two_pendulums(void **state)
{
    (void)state;
    for (int k = 0; k < 8; k++) {
        hol_modes *m = double_pendulum(0.9 * (k / 2), k % 2);
        assert_int_equal(m->n, 2);
        assert_true(m->equilibrium);
        for (int i = 0; i < 2; i++)
            close_to("omega", m->mode[i].omega, sqrt((2 + (2 * i - 1) * sqrt(2)) * 9.81 / 0.8), 1e-10);
        // shape of the lower frequency: the lower mass moves (1 + sqrt(2)) times as far as the upper one
        const int upper = strcmp(m->body[0], "upper") == 0 ? 0 : 2, lower = 2 - upper;
        const double *u = m->mode[0].shape_re;
        close_to("shape", hypot(u[lower], u[lower + 1]) / hypot(u[upper], u[upper + 1]), 1 + sqrt(2), 1e-10);
        close_to("share", m->mode[0].share[upper / 2] + m->mode[0].share[lower / 2], 1, 1e-12);
        hol_modes_destroy(m);
    }
}

// Parallelogram of uniform rods, length L and mass m, that hangs: T = (2 m L^2/3 + m L^2) theta'^2/2,
// V = -(2 m L/2 + m L) g cos theta; omega^2 = (6/5) g/L. In space three of its equations are redundant.
static const char hanging_plane[] =
    "dimension: 2\ngravity: [0, -9.81]\nparameters: {L: 0.6, m: 1.3}\nbodies:\n"
    "  - {name: a, mass: m, inertia: m*L^2/12, position: [0, -L/2], angle: -90 deg}\n"
    "  - {name: b, mass: m, inertia: m*L^2/12, position: [L, -L/2], angle: -90 deg}\n"
    "  - {name: c, mass: m, inertia: m*L^2/12, position: [L/2, -L]}\n"
    "joints:\n"
    "  - {name: A, type: revolute, between: [ground: [0, 0], a: [-L/2, 0]]}\n"
    "  - {name: B, type: revolute, between: [ground: [L, 0], b: [-L/2, 0]]}\n"
    "  - {name: C, type: revolute, between: [a: [L/2, 0], c: [-L/2, 0]]}\n"
    "  - {name: D, type: revolute, between: [b: [L/2, 0], c: [L/2, 0]]}\n";
static const char hanging_space[] =
    "dimension: 3\ngravity: [0, -9.81, 0]\nparameters: {L: 0.6, m: 1.3, I: m*L^2/12}\nbodies:\n"
    "  - {name: a, mass: m, inertia: [I, I/9, I], position: [0, -L/2, 0]}\n"
    "  - {name: b, mass: m, inertia: [I, I/9, I], position: [L, -L/2, 0]}\n"
    "  - {name: c, mass: m, inertia: [I/9, I, I], position: [L/2, -L, 0]}\n"
    "joints:\n"
    "  - {name: A, type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: [0, 0, 1]}\n"
    "  - {name: B, type: revolute, bodies: [ground, b], at: [L, 0, 0], axis: [0, 0, 1]}\n"
    "  - {name: C, type: revolute, bodies: [a, c], at: [0, -L, 0], axis: [0, 0, 1]}\n"
    "  - {name: D, type: revolute, bodies: [b, c], at: [L, -L, 0], axis: [0, 0, 1]}\n";

static void a_four_bar_that_hangs(void **state)
{
    static const char *const text[] = {hanging_plane, hanging_space};
    (void)state;
    for (int k = 0; k < 2; k++) {
        hol_modes *m = modes_of(text[k]);
        assert_true(m->equilibrium);
        assert_int_equal(m->n, 1);
        close_to("omega", m->mode[0].omega, sqrt(1.2 * 9.81 / 0.6), 1e-10);
        hol_modes_destroy(m);
    }
}

// J theta'' + c theta' + k theta = 0: damping ratio c/(2 sqrt(k J)); overdamped, two decays; without a spring, one and
// a rigid-body motion.
static hol_modes *turning(double k, double c)
{
    char text[600];
    snprintf(text, sizeof text,
             "dimension: 2\ngravity: [0, 0]\nbodies:\n  - {name: wheel, mass: 1, inertia: 0.5}\njoints:\n"
             "  - {name: axle, type: revolute, between: [ground, wheel]}\nforces:\n"
             "  - {name: spring, type: rotational-spring-damper, between: [ground, wheel], stiffness: %g, "
             "damping: %g, "
             "angle: 0}\n",
             k, c);
    return modes_of(text);
}

static void damping(void **state)
{
    (void)state;
    hol_modes *m = turning(8, 0.3);
    assert_int_equal(m->n, 1);
    close_to("omega", m->mode[0].omega, 4, 1e-10);
    close_to("damping", m->mode[0].damping, 0.3 / (2 * sqrt(4)), 1e-10);
    hol_modes_destroy(m);
    m = turning(8, 10);
    assert_int_equal(m->n, 2);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(m->mode[i].kind, HOL_MODE_DECAY);
        assert_true(isnan(m->mode[i].omega) && isnan(m->mode[i].damping));
        close_to("decay", m->mode[i].re, -10 + (i ? -1 : 1) * sqrt(100 - 16), 1e-10);
    }
    close_to("omega_max", m->omega_max, 4, 1e-10); // damping does not matter to it
    hol_modes_destroy(m);
    m = turning(0, 10);
    assert_int_equal(m->n, 2);
    assert_int_equal(m->mode[0].kind, HOL_MODE_RIGID);
    assert_int_equal(m->mode[1].kind, HOL_MODE_DECAY);
    close_to("decay", m->mode[1].re, -20, 1e-10);
    hol_modes_destroy(m);
    m = turning(0, 0);
    assert_int_equal(m->n, 1);
    assert_int_equal(m->mode[0].kind, HOL_MODE_RIGID);
    assert_true(m->mode[0].frequency == 0);
    hol_modes_destroy(m);
}

// m x'' = -k x + b y', m y'' = -k y - b x': omega = sqrt(k/m + (b/2m)^2) -+ b/2m, undamped, x and y by 90 degrees apart.
static void gyroscopic_forces(void **state)
{
    static const char text[] =
        "dimension: 2\ngravity: [0, 0]\nbodies:\n"
        "  - {name: p, type: point, mass: 2, position: [0, 0]}\nforces:\n"
        "  - {name: f, type: force, on: p, value: [-18*DX(p) + 5*VY(p), -18*DY(p) - 5*VX(p)]}\n";
    (void)state;
    hol_modes *m = modes_of(text);
    assert_true(m->equilibrium);
    assert_int_equal(m->n, 2);
    for (int i = 0; i < 2; i++) {
        close_to("omega", m->mode[i].omega, sqrt(9 + 1.5625) + (2 * i - 1) * 1.25, 1e-10);
        assert_true(fabs(m->mode[i].damping) < 1e-12);
        close_to("a circle", fabs(m->mode[i].shape_im[1]), fabs(m->mode[i].shape_re[0]), 1e-10);
    }
    close_to("omega_max", m->omega_max, 3, 1e-10);
    hol_modes_destroy(m);
}

// A force that follows the position late, m x'' = -F, F' = (k x - F)/T: T s^3 + s^2 + k/m = 0 and a state of its own.
static void users_states(void **state)
{
    static const char text[] =
        "dimension: 2\ngravity: [0, 0]\nbodies:\n"
        "  - {name: p, type: point, mass: 1, position: [0, 0]}\n"
        "joints:\n  - {name: way, type: in-line, bodies: [ground, p], at: [0, 0], axis: [1, 0]}\n"
        "states:\n  - {name: F, rate: (4*DX(p) - F)/0.5}\n  - {name: alone, rate: -7*alone}\n"
        "forces:\n  - {name: f, type: force, on: p, value: [-F, 0]}\n";
    (void)state;
    hol_modes *m = modes_of(text);
    int found = 0;
    for (int i = 0; i < m->n; i++) {
        const hol_mode *mode = &m->mode[i];
        if (mode->kind == HOL_MODE_DECAY && fabs(mode->re + 7) < 1e-10) {
            found |= 1;
            close_to("state", mode->state_re[1], 1, 1e-12);
            assert_true(mode->share[0] == 0);
            continue;
        }
        double re = mode->re, im = mode->im, p = re * re - im * im, q = 2 * re * im; // s^2
        assert_true(hypot(0.5 * (p * re - q * im) + p + 4, 0.5 * (p * im + q * re) + q) < 1e-10);
        found |= mode->kind == HOL_MODE_OSCILLATION ? 2 : 4;
        if (mode->kind == HOL_MODE_OSCILLATION) assert_true(mode->damping < 0); // the late force feeds it
    }
    assert_int_equal(found, 7);
    hol_modes_destroy(m);
}

static void users_velocity_constraints(void **state)
{
    hol_modes *m = modes_of("rolling_disc");
    (void)state;
    assert_int_equal(m->velocity_constraints, 2);
    hol_modes_destroy(m);
    hol_model *model = load_model("rolling_disc", NULL, 0);
    assert_null(hol_modes_create(ctx, model, &(hol_modes_options){.equilibrium = true}));
    assert_int_equal(hol_context_status(ctx), HOL_ERR_USAGE);
    hol_model_destroy(model);
}

// ---- against the charts of rn4 --------------------------------------------------------------------------------

typedef struct {
    hol_model_data *m;
    hol_settings set;
    hol_dynamics *d;
    hol_equations *s;
    hol_kernel *k;
    hol_state *x;
} bench;

// The state after a run up to t, on the constraints.
static void open_at(bench *b, const char *name, double t)
{
    char path[100];
    bool done = false;
    snprintf(path, sizeof path, "models/%.60s.yaml", name);
    hol_spec *spec = strchr(name, ':') ? hol_spec_read_text(ctx, "text", name, strlen(name), NULL, 0)
                                       : hol_spec_read_file(ctx, path, NULL, 0);
    b->m = spec ? hol_model_compile(spec) : NULL;
    assert_non_null(b->m);
    assert_int_equal(hol_settings_read(b->m, &b->set), HOL_OK);
    b->set.end = t > 0 ? t : 1;
    b->set.output = 0;
    b->d = hol_dynamics_create(ctx, b->m, &b->set, true);
    assert_non_null(b->d);
    while (!done && t > 0) assert_int_equal(hol_dynamics_step(b->d, &done), HOL_OK);
    b->s = b->d->s;
    b->k = &b->d->kernel;
    b->x = &b->d->it->x;
    assert_int_equal(hol_project_positions(b->k, b->x, NULL), HOL_OK);
    assert_int_equal(hol_project_velocities(b->k, b->x), HOL_OK);
    assert_int_equal(hol_solve_accelerations(b->k, b->x), HOL_OK);
}

static void close_at(bench *b)
{
    hol_dynamics_destroy(b->d);
    hol_model_free(b->m);
}

// [0 1; J1 J2] of a chart at the state; re, im (2 d)
static int chart_eigenvalues(bench *b, bool tangent, double *re, double *im)
{
    hol_chart c;
    hol_jacobian j;
    assert_int_equal(hol_chart_create(ctx, b->s, tangent ? HOL_CHART_TANGENT : HOL_CHART_PARTITION, &c),
                     HOL_OK);
    assert_int_equal(hol_chart_choose(&c, b->x), HOL_OK);
    assert_int_equal(hol_solve_accelerations(b->k, b->x), HOL_OK);
    assert_int_equal(hol_jacobian_create(ctx, &c, &j), HOL_OK);
    assert_int_equal(hol_jacobian_find(&j, &c, b->k, b->x), HOL_OK);
    const int d = c.d, n = 2 * d;
    double *A = calloc((size_t)(n * n) + 1, sizeof *A);
    assert_non_null(A);
    for (int k = 0; k < d; k++) {
        A[k + (d + k) * n] = 1;
        for (int i = 0; i < d; i++) {
            A[d + i + k * n] = j.J1[i + k * d];
            A[d + i + (d + k) * n] = j.J2[i + k * d];
        }
    }
    assert_int_equal(hol_dense_eigen(ctx, n, A, re, im, NULL), HOL_OK);
    free(A);
    hol_jacobian_destroy(&j);
    hol_chart_destroy(&c);
    return n;
}

// Largest distance of an eigenvalue of one set from the nearest of the other, against the largest of all.
static double distance(int n, const double *re, const double *im, const double *re2, const double *im2)
{
    double worst = 0, most = 0;
    for (int i = 0; i < n; i++) {
        double nearest = HOL_INF;
        for (int k = 0; k < n; k++) nearest = fmin(nearest, hypot(re[i] - re2[k], im[i] - im2[k]));
        worst = fmax(worst, nearest);
        most = fmax(most, hypot(re[i], im[i]));
    }
    return worst / most;
}

enum { ROOM = 64 };

static double against_chart(const char *name, double t, bool natural, bool tangent)
{
    bench b = {0};
    double re[ROOM], im[ROOM], re2[ROOM], im2[ROOM];
    hol_reduced r;
    open_at(&b, name, t);
    const int n = chart_eigenvalues(&b, tangent, re, im);
    assert_int_equal(hol_solve_accelerations(b.k, b.x), HOL_OK);
    assert_int_equal(hol_reduced_create(ctx, b.k, natural, &r), HOL_OK);
    assert_int_equal(hol_reduced_find(&r, b.x), HOL_OK);
    assert_int_equal(r.n, n);
    assert_int_equal(hol_dense_eigen(ctx, n, r.A, re2, im2, NULL), HOL_OK);
    hol_reduced_destroy(&r);
    close_at(&b);
    return distance(n, re, im, re2, im2);
}

static void the_tangent_chart_agrees_in_motion(void **state)
{
    static const struct {
        const char *name;
        double t;
    } list[] = {{"andrews", 0.013},    {"four_bar", 0.4},        {"bricard", 0.35},
                {"slider_crank", 0.2}, {"double_pendulum", 0.3}, {"double_pendulum_3d", 0.4},
                {"chain3d", 0.3},      {"flyball", 0.3},         {"car_axis", 0.5}};
    (void)state;
    for (int i = 0; i < HOL_COUNT(list); i++) {
        const double off = against_chart(list[i].name, list[i].t, true, true);
        print_message("%s at %g s: eigenvalues of the tangent chart differ by %.1e\n", list[i].name,
                      list[i].t, off);
        assert_true(off < 1e-7);
        // the metric matters there: what follows is no accident
        if (i == 0) assert_true(against_chart(list[i].name, list[i].t, false, true) > 1e-3);
    }
}

// A rod that a spring holds upright on a cart that a spring and a damper hold.
static const char upright[] =
    "dimension: 2\ngravity: [0, -9.81]\nbodies:\n"
    "  - {name: cart, mass: 2, inertia: 1, position: [0, 0]}\n"
    "  - {name: rod, mass: 1, inertia: 0.1, position: [0, 0.5]}\n"
    "joints:\n  - {name: rail, type: translational, bodies: [ground, cart], at: [0, 0], axis: [1, 0]}\n"
    "  - {name: pin, type: revolute, bodies: [cart, rod], at: [0, 0]}\nforces:\n"
    "  - {name: k, type: rotational-spring-damper, between: [cart, rod], stiffness: 30, damping: 0.4, angle: "
    "0}\n"
    "  - {name: f, type: force, on: cart, value: [-50*DX(cart) - 3*VX(cart), 0]}\n";

static void every_chart_agrees_at_an_equilibrium(void **state)
{
    static const char *const list[] = {hanging_plane, hanging_space, upright};
    (void)state;
    for (int i = 0; i < HOL_COUNT(list); i++)
        for (int k = 0; k < 4; k++) {
            const double off = against_chart(list[i], 0, k / 2, k % 2);
            if (!(off < 1e-7)) fail_msg("model %d: eigenvalues differ by %.1e", i, off);
        }
}

static void metrics_agree_at_an_equilibrium(void **state)
{
    static const char *const list[] = {"chain", "double_pendulum", "inverted_pendulum", "andrews", "bricard"};
    (void)state;
    for (int i = 0; i < HOL_COUNT(list); i++) {
        hol_modes *a = modes_with(list[i], &(hol_modes_options){.equilibrium = true}),
                  *b = modes_with(list[i],
                                  &(hol_modes_options){.equilibrium = true, .metric = HOL_METRIC_NATURAL});
        assert_int_equal(a->n, b->n);
        for (int k = 0; k < a->n; k++)
            assert_true(hypot(a->mode[k].re - b->mode[k].re, a->mode[k].im - b->mode[k].im) <
                        1e-7 * hypot(a->mode[k].re, a->mode[k].im));
        hol_modes_destroy(a);
        hol_modes_destroy(b);
    }
}

// The eigenvalues at rest of two reduced models of other hands, but for 11 motions that nothing drives back.
static void the_vehicle(void **state)
{
    static const struct {
        double re, im;
    } known[] = {{-260144, 0},     {-252674, 0},     {-234984, 0},    {-214553, 0},
                 {-10.009, 0},     {-10.001, 0},     {-10.0005, 0},   {-10.0003, 0},
                 {-4.442, 27.023}, {-3.990, 25.594}, {-2.714, 21.246}};
    (void)state;
    hol_modes *m = modes_of("hmmwv");
    int rigid = 0;
    for (int i = 0; i < m->n; i++) rigid += m->mode[i].kind == HOL_MODE_RIGID;
    assert_int_equal(rigid, 11);
    assert_int_equal(m->n, rigid + HOL_COUNT(known));
    for (int k = 0; k < HOL_COUNT(known); k++) {
        double nearest = HOL_INF;
        for (int i = 0; i < m->n; i++)
            nearest = fmin(nearest, hypot(m->mode[i].re - known[k].re, m->mode[i].im - known[k].im));
        if (!(nearest < 1e-4 * hypot(known[k].re, known[k].im)))
            fail_msg("%g %+g i: nearest is off by %g", known[k].re, known[k].im, nearest);
    }
    hol_modes_destroy(m);
}

// ---- along a run, files, refusals -----------------------------------------------------------------------------

static void along_a_run(void **state)
{
    (void)state;
    const char *set[] = {"simulate.tolerance=1e-6", "simulate.max_step=1e-2", "simulate.end=0.4"};
    hol_model *model = load_model("pendulum", set, 3);
    hol_modes *m = hol_modes_create(ctx, model, &(hol_modes_options){.at = 0.4});
    assert_non_null(m);
    assert_true(!m->equilibrium && fabs(m->time - 0.4) < 1e-12);
    // The coordinate of the chart is s = L sin(theta - theta_n), so omega^2 = g cos(theta)/L + theta'^2.
    hol_simulation *sim = hol_simulation_create(ctx, model);
    assert_int_equal(hol_simulation_run(sim), HOL_OK);
    const double *value = hol_simulation_values(sim), y = value[hol_simulation_find_signal(sim, "bob.y")],
                 vx = value[hol_simulation_find_signal(sim, "bob.vx")],
                 vy = value[hol_simulation_find_signal(sim, "bob.vy")];
    close_to("omega", m->mode[0].omega, sqrt(9.81 * -y + vx * vx + vy * vy), 1e-6);
    hol_simulation_destroy(sim);
    hol_model_destroy(model);
    hol_modes_destroy(m);
}

static void files_hold_the_shapes(void **state)
{
    (void)state;
    hol_modes *m = modes_with("double_pendulum", &(hol_modes_options){.equilibrium = true, .count = 2});
    assert_int_equal(m->n, 2);
    assert_int_equal(m->n_all, 3);
    for (const hol_format *const *f = hol_formats; *f; f++) {
        char path[60], nowhere[60];
        snprintf(path, sizeof path, "/tmp/holonom_modes_%d%s", (int)getpid(), (*f)->suffix);
        snprintf(nowhere, sizeof nowhere, "/nowhere/x%s", (*f)->suffix);
        assert_int_equal(hol_modes_write(ctx, m, nowhere), (*f)->missing ? HOL_ERR_USAGE : HOL_ERR_IO);
        assert_int_equal(hol_modes_write(ctx, m, path), (*f)->missing ? HOL_ERR_USAGE : HOL_OK);
        if ((*f)->missing) continue;
        assert_null(hol_result_read(ctx, path)); // no motion: neither plotted nor compared
        assert_non_null(strstr(hol_context_error(ctx), "a table of modes"));
        hol_result_data *data = hol_calloc(ctx, 1, sizeof *data);
        data->ctx = ctx;
        data->arena = hol_arena_create(ctx);
        data->r.file = path;
        assert_int_equal(hol_format_read(data, path), HOL_OK);
        hol_result *r = &data->r;
        assert_int_equal(r->n_rows, 2);
        assert_string_equal(r->name[0], "mode");
        int seen = 0;
        for (int c = 0; c < r->n_columns; c++)
            for (int i = 0; i < m->n_coordinates; i++) {
                const size_t n = strlen(m->coordinate[i]);
                if (strncmp(r->name[c], m->coordinate[i], n) != 0) continue;
                const bool im = strcmp(r->name[c] + n, ".im") == 0;
                if (!im && strcmp(r->name[c] + n, ".re") != 0) continue;
                for (int row = 0; row < 2; row++)
                    assert_true(r->value[(size_t)(row * r->n_columns + c)] ==
                                (im ? m->mode[row].shape_im[i] : m->mode[row].shape_re[i]));
                seen++;
            }
        assert_int_equal(seen, 2 * m->n_coordinates);
        hol_result_destroy(r);
        unlink(path);
    }
    assert_int_equal(hol_modes_write(ctx, m, "/tmp/x.txt"), HOL_ERR_USAGE);
    hol_modes_destroy(m);
}

static void refused(const char *name, const char *const *set, int n, const hol_modes_options *o,
                    hol_status st, const char *text)
{
    hol_model *model = load_model(name, set, n);
    assert_null(hol_modes_create(ctx, model, o));
    assert_int_equal(hol_context_status(ctx), st);
    expect_message(text);
    hol_model_destroy(model);
}

static void what_has_no_modes_is_refused(void **state)
{
    static const char falling[] = "dimension: 2\ngravity: [0, -9.81]\nbodies:\n"
                                  "  - {name: stone, type: point, mass: 1, position: [0, 0]}\n";
    const hol_modes_options still = {.equilibrium = true}, before = {.at = -1};
    (void)state;
    refused(falling, NULL, 0, &still, HOL_ERR_INTEGRATION,
            "nothing holds \"stone\" along -y, and a force of 9.81 N drives it there");
    refused("car_axis", NULL, 0, &still, HOL_ERR_USAGE, "a driver moves at t = 0 s");
    refused("pendulum", NULL, 0, &before, HOL_ERR_USAGE, "give a time from 0 on");
}

// No degree of freedom, no mode; under UBSan nothing is done with what is not there.
static void what_cannot_move_has_none(void **state)
{
    static const hol_modes_options options = {0};
    (void)state;
    hol_model *model = load_model("dimension: 2\n"
                                  "gravity: [0, 0]\n"
                                  "bodies: [{name: b, mass: 1, inertia: 0.1}]\n"
                                  "joints: [{name: f, type: fixed, between: [ground, b]}]\n"
                                  "simulate: {end: 0.1}\n",
                                  NULL, 0);
    hol_modes *modes = hol_modes_create(ctx, model, &options);
    if (!modes) fail_msg("%s", hol_context_error(ctx));
    assert_int_equal(modes->degrees_of_freedom, 0);
    assert_int_equal(modes->n, 0);
    hol_modes_destroy(modes);
    hol_model_destroy(model);
}

// Every allocation that fails is an error, and nothing is lost.
static void no_memory(void **state)
{
    static const char *const list[] = {"double_pendulum", "hydraulic", "bricard", "chain"};
    (void)state;
    for (int k = 0; k < HOL_COUNT(list); k++) {
        const hol_modes_options o = {.equilibrium = k < 3, .at = k == 3 ? 1e-3 : 0};
        hol_model *model = load_model(list[k], NULL, 0);
        int n = 1;
        for (bool done = false; !done; n++) {
            hol_memory_fail_after(ctx, n);
            hol_modes *m = hol_modes_create(ctx, model, &o);
            done = hol_memory_fail_after(ctx, 0) != 0;
            assert_int_equal(hol_context_status(ctx), done ? HOL_OK : HOL_ERR_MEMORY);
            assert_true(!m == !done);
            hol_modes_destroy(m);
        }
        assert_in_range(n, 20, 20000);
        hol_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rod_that_hangs),
        cmocka_unit_test(shapes_are_drawn_at_a_visible_size),
        cmocka_unit_test(a_pendulum_that_stands_diverges),
        cmocka_unit_test(a_state_in_motion_is_warned_of),
        cmocka_unit_test(a_slow_motion_counts_as_rest),
        cmocka_unit_test(a_slow_motion_hides_slow_decay),
        cmocka_unit_test(a_car_has_seven_free_motions),
        cmocka_unit_test(two_pendulums),
        cmocka_unit_test(a_four_bar_that_hangs),
        cmocka_unit_test(damping),
        cmocka_unit_test(gyroscopic_forces),
        cmocka_unit_test(users_states),
        cmocka_unit_test(users_velocity_constraints),
        cmocka_unit_test(the_tangent_chart_agrees_in_motion),
        cmocka_unit_test(every_chart_agrees_at_an_equilibrium),
        cmocka_unit_test(metrics_agree_at_an_equilibrium),
        cmocka_unit_test(the_vehicle),
        cmocka_unit_test(along_a_run),
        cmocka_unit_test(files_hold_the_shapes),
        cmocka_unit_test(what_has_no_modes_is_refused),
        cmocka_unit_test(what_cannot_move_has_none),
        cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests(tests, start_listening, stop);
}
