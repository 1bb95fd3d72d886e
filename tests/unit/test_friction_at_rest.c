// What friction that sticks does of equilibria: nothing where nothing presses, in modes, statics and linearised models.
#include "at_rest.h"
#include "modes_of.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- what does not touch ----------------------------------------------------------------------------------------

// A ball hangs 0.3 m above the floor on a bushing: sqrt(k/m) = 10 rad/s along, and sqrt(k/J) = sqrt(1/0.004) about each axis. What
// would stick, roll or spin on the floor does nothing there.
static void what_does_not_touch_sticks_to_nothing(void **state)
{
    static const char *const text[] = {
        "dimension: 2\ngravity: [0, -9.81]\nground: {shape: [{name: fl, type: halfplane}]}\nbodies:\n"
        "  - {name: ball, mass: 1, inertia: 0.004, position: [0, 0.5], shape: {type: sphere, radius: 0.1}}\n"
        "forces:\n  - {name: b, type: bushing, between: [ground: [0, 0.5], ball], stiffness: [100, 100, 1]}\n"
        "contacts:\n  - {name: c, between: [ball, ground.fl], stiffness: 1e6, rolling: 0.1, "
        "friction: {coefficient: 0.6, law: stick}}\n",
        "dimension: 3\ngravity: [0, 0, -9.81]\nground: {shape: [{name: fl, type: halfspace}]}\nbodies:\n"
        "  - {name: ball, mass: 1, inertia: [0.004, 0.004, 0.004], position: [0, 0, 0.5], shape: {type: "
        "sphere, radius: 0.1}}\n"
        "forces:\n  - {name: b, type: bushing, between: [ground: [0, 0, 0.5], ball], stiffness: [100, 100, "
        "100, 1, 1, 1]}\n"
        "contacts:\n  - {name: c, between: [ball, ground.fl], stiffness: 1e6, rolling: 0.1, spinning: 0.01, "
        "friction: {coefficient: 0.6, law: stick}}\n"};
    (void)state;
    for (int i = 0; i < 4; i++) {
        const bool space = i % 2;
        hol_modes *m = modes_with(text[i % 2], &(hol_modes_options){.equilibrium = i >= 2});
        int along = 0, about = 0, all = 0;
        for (int k = 0; k < m->n; k++) {
            if (m->mode[k].kind == HOL_MODE_RIGID) continue; // states of bristles, which rest
            assert_int_equal(m->mode[k].kind, HOL_MODE_OSCILLATION);
            near("damping", m->mode[k].damping, 0, 1e-9);
            along += fabs(m->mode[k].omega - 10) < 1e-8 * 10;
            about += fabs(m->mode[k].omega - sqrt(250)) < 1e-8 * sqrt(250);
            all++;
        }
        assert_int_equal(along, space ? 3 : 2);
        assert_int_equal(about, space ? 3 : 1);
        assert_int_equal(all, along + about);
        hol_modes_destroy(m);
    }
}

// A joint of no load whose friction is a part of it: a pendulum of inertia 0.1 + 2 * 0.3^2 about it on 40 N m/rad.
static void a_joint_without_load_sticks_to_nothing(void **state)
{
    static const char text[] =
        "dimension: 2\ngravity: [0, 0]\nbodies: [{name: a, mass: 2, inertia: 0.1, com: [0.3, 0]}]\n"
        "joints:\n  - {name: j, type: revolute, between: [ground, a], stiffness: 40, friction: {coefficient: "
        "0.3, radius: 0.02, stiffness: 1000}}\n";
    (void)state;
    hol_modes *m = modes_of(text);
    assert_int_equal(m->n, 2);
    assert_int_equal(m->mode[0].kind, HOL_MODE_RIGID);
    close_to("omega", m->mode[1].omega, sqrt(40 / 0.28), 1e-9);
    near("damping", m->mode[1].damping, 0, 1e-9);
    hol_modes_destroy(m);
}

// ---- where some places of a body touch ---------------------------------------------------------------------------

// All motions of b that are no rest are motions of a.
static void contains(const hol_modes *a, const hol_modes *b)
{
    for (int k = 0; k < b->n; k++) {
        const hol_mode *want = &b->mode[k];
        double best = HOL_INF;
        if (want->kind == HOL_MODE_RIGID) continue;
        for (int i = 0; i < a->n; i++)
            best = fmin(best, hypot(a->mode[i].re - want->re, a->mode[i].im - want->im));
        if (!(best <= 1e-7 * hypot(want->re, want->im)))
            fail_msg("%g %+gi is off by %g", want->re, want->im, best);
    }
}

// A box on two of its corners, or balanced on one: at rest the law of LuGre is the same bristle, and another code, and holds nothing
// where nothing touches. Stuck to its upper corners, too, it rocked at 219.5 rad/s for 134.9, and did not tip over from one.
#define BOX                                                                                                  \
    "dimension: 2\ngravity: [0, -9.81]\nparameters: {h: 0.14955, an: 0}\n"                                   \
    "ground: {shape: [{name: fl, type: halfplane}]}\ninputs: [{name: u, value: 0}]\n"                        \
    "variables: [{name: x, value: AZ(box)}, {name: y, value: DX(box)}]\nbodies:\n"                           \
    "  - {name: box, mass: 20, inertia: 0.3, position: [0, h], angle: an, shape: {type: box, size: [0.3, "   \
    "0.3]}}\n"                                                                                               \
    "forces:\n  - {name: t, type: torque, on: box, value: u}\n"                                              \
    "  - {name: f, type: force, on: box, value: [u, 0]}\n"                                                   \
    "linearise: {inputs: [u], outputs: [x, y]}\n"                                                            \
    "contacts:\n  - {name: c, between: [box, ground.fl], stiffness: 1e7, damping: 5, friction: "

static void corners_in_the_air_hold_nothing(void **state)
{
    static const char *const sets[][2] = {{"parameters.h=0.14955", "parameters.an=0"},
                                          {"parameters.h=0.2118", "parameters.an=45 deg"}};
    static const char stick[] = BOX "{coefficient: 0.6}}\n",
                      lugre[] = BOX "{coefficient: 0.6, law: lugre}}\n";
    const double r = 0.15 * sqrt(2);
    (void)state;
    for (int i = 0; i < 2; i++) {
        hol_model *a = load_model(stick, sets[i], 2), *b = load_model(lugre, sets[i], 2);
        const hol_modes_options at_rest = {.equilibrium = true};
        hol_modes *m = hol_modes_create(ctx, a, &at_rest), *n = hol_modes_create(ctx, b, &at_rest);
        assert_true(m && n && m->n == n->n);
        contains(m, n);
        contains(n, m);
        double growth = 0;
        for (int k = 0; k < m->n; k++) growth = fmax(growth, m->mode[k].re);
        // of a rigid box that turns about its corner, which gives way a little
        near("growth", growth, i ? sqrt(9.81 * r / (0.3 / 20 + r * r)) : 0, i ? 0.02 : 1e-9);
        hol_modes_destroy(m);
        hol_modes_destroy(n);
        hol_model_destroy(a);
        hol_model_destroy(b);
    }
}

// What a torque and a force do to it, by both laws, is alike at frequencies around the one at which it rocks; it was twice as much.
static void what_moves_a_box_on_its_corners(void **state)
{
    static const char *const text[] = {BOX "{coefficient: 0.6}}\n", BOX "{coefficient: 0.6, law: lugre}}\n"};
    static const double omega[] = {20, 130, 400};
    double re[2][6], im[2][6];
    (void)state;
    for (int i = 0; i < 2; i++) {
        hol_model *model = load_model(text[i], NULL, 0);
        hol_linear *l = hol_linear_create(ctx, model, &(hol_linear_options){.equilibrium = true});
        assert_non_null(l);
        assert_int_equal(hol_linear_response(ctx, l, 3, omega, re[i], im[i]), HOL_OK);
        hol_linear_destroy(l);
        hol_model_destroy(model);
    }
    for (int k = 0; k < 6; k++)
        near("response", hypot(re[0][k] - re[1][k], im[0][k] - im[1][k]), 0,
             1e-7 * hypot(re[1][k], im[1][k]));
}

// A box in space on four of its eight corners has the motions of the one in the plane on two of twice the stiffness.
static void a_box_in_space_rocks_as_in_the_plane(void **state)
{
    static const char
        space[] =
            "dimension: 3\ngravity: [0, 0, -9.81]\nground: {shape: [{name: fl, type: halfspace}]}\nbodies:\n"
            "  - {name: box, mass: 10, inertia: [0.1, 0.1, 0.1], position: [0, 0, 0.0995], shape: {type: "
            "box, "
            "size: [0.3, 0.3, 0.2]}}\n"
            "contacts:\n  - {name: c, between: [box, ground.fl], law: power, exponent: 1, stiffness: 1e5, "
            "damping: 5, friction: {coefficient: 0.6, stiffness: 7e4, damping: 300}}\n",
        plane[] =
            "dimension: 2\ngravity: [0, -9.81]\nground: {shape: [{name: fl, type: halfplane}]}\nbodies:\n"
            "  - {name: box, mass: 10, inertia: 0.1, position: [0, 0.0995], shape: {type: box, size: [0.3, "
            "0.2]}}\n"
            "contacts:\n  - {name: c, between: [box, ground.fl], law: power, exponent: 1, stiffness: 2e5, "
            "damping: 5, friction: {coefficient: 0.6, law: lugre, stiffness: 14e4, damping: 600}}\n";
    const hol_modes_options at_rest = {.equilibrium = true};
    (void)state;
    hol_modes *m = modes_with(space, &at_rest), *n = modes_with(plane, &at_rest);
    contains(m, n);
    hol_modes_destroy(m);
    hol_modes_destroy(n);
}

// A box that is drawn flat on the floor and pushed by less than the friction holds lies flat, on corners that are (m g/(4 K))^(2/3) deep
// but for what the push tilts it by, and has gone no farther along than the push and the weight drive it in before it sticks; the search put
// it on an edge.
static void a_box_that_is_pushed_lies_flat(void **state)
{
    static const char text[] =
        "dimension: 3\ngravity: [0, 0, -9.81]\nparameters: {P: 0}\n"
        "ground: {shape: [{name: fl, type: halfspace}]}\nbodies:\n"
        "  - {name: box, mass: 20, inertia: [0.2, 0.2, 0.2], position: [0, 0, 0.05], shape: {type: box, "
        "size: "
        "[0.3, 0.3, 0.1]}}\n"
        "forces: [{name: f, type: force, on: box, value: [P, 0, 0]}]\n"
        "contacts:\n  - {name: c, between: [box, ground.fl], stiffness: 1e5, restitution: 0.5, friction: "
        "{coefficient: 0.6}}\n";
    static const char *const push[] = {"parameters.P=1", "parameters.P=5", "parameters.P=10",
                                       "parameters.P=20", "parameters.P=30"};
    const double deep = pow(20 * 9.81 / 4e5, 2.0 / 3);
    (void)state;
    for (int i = 0; i < HOL_COUNT(push); i++) {
        hol_model *model;
        hol_statics *s = at_rest(text, &push[i], 1, NULL, &model);
        assert_true(s->point[0].stable);
        near("height", value(s, "box.z"), 0.05 - deep, 3e-6);
        near("way", value(s, "box.x"), 0, deep * atof(strchr(push[i], '=') + 1) / (20 * 9.81));
        leave(s, model);
    }
}

// ---- runs that begin at rest --------------------------------------------------------------------------------------

// On slopes of 15 degrees, where friction holds m g sin 15 deg and a ball stays by what resists its rolling, mu_r R F.
#define SLIDES                                                                                               \
    "dimension: 2\ngravity: [0, -9.81]\nground: {shape: [{name: fl, type: halfplane, angle: 15 deg}]}\n"     \
    "bodies:\n  - {name: b, mass: 20, inertia: 0.2, position: [-0.013, 0.048], angle: 15 deg, shape: "       \
    "{type: "                                                                                                \
    "box, size: [0.3, 0.1]}}\ncontacts:\n  - {name: c, between: [b, ground.fl], stiffness: 1e5, friction: "  \
    "{coefficient: 0.6}}\nsimulate: {end: 1, output: 0.1, start: equilibrium}\n"
#define SLIDES_IN_SPACE                                                                                      \
    "dimension: 3\ngravity: [9.81*sin(15 deg)*0.6, 9.81*sin(15 deg)*0.8, -9.81*cos(15 deg)]\n"               \
    "ground: {shape: [{name: fl, type: halfspace}]}\nbodies:\n"                                              \
    "  - {name: b, mass: 20, inertia: [0.2, 0.2, 0.2], position: [0, 0, 0.048], shape: {type: box, size: "   \
    "[0.3, 0.3, 0.1]}}\ncontacts:\n  - {name: c, between: [b, ground.fl], stiffness: 1e5, friction: "        \
    "{coefficient: 0.6}}\nsimulate: {end: 1, output: 0.1, start: equilibrium}\n"
#define ROLLS                                                                                                \
    "dimension: 2\ngravity: [9.81*sin(15 deg), -9.81*cos(15 deg)]\n"                                         \
    "ground: {shape: [{name: fl, type: halfplane}]}\nbodies:\n"                                              \
    "  - {name: b, mass: 20, inertia: 0.08, position: [0, 0.098], shape: {type: sphere, radius: 0.1}}\n"     \
    "contacts:\n  - {name: c, between: [b, ground.fl], stiffness: 1e6, rolling: 0.4, friction: "             \
    "{coefficient: 0.6}}\nsimulate: {end: 1, output: 0.1, start: equilibrium}\n"

// Bristles begin as the equilibrium has them: friction holds at once, and nothing moves. They began with nothing, and the box slid by 1.6 mm.
static void what_begins_in_equilibrium_rests(void **state)
{
    static const struct {
        const char *text, *angle;
    } rows[] = {{SLIDES, "b.theta"}, {SLIDES_IN_SPACE, "b.qx"}, {ROLLS, "b.theta"}};
    static const char *const methods[] = {"simulate.method=rk", "simulate.method=bdf",
                                          "simulate.method=joint_bdf", "simulate.method=auto"};
    (void)state;
    for (int i = 0; i < HOL_COUNT(rows) * HOL_COUNT(methods); i++) {
        const int k = i / HOL_COUNT(methods);
        motion m = open_motion(rows[k].text, &methods[i % HOL_COUNT(methods)], 1);
        const double x = value_of(&m, "b.x"), angle = value_of(&m, rows[k].angle);
        near("friction at the start", value_of(&m, "c.friction"), 20 * 9.81 * sin(15 * HOL_PI / 180), 1e-6);
        near("acceleration", value_of(&m, "b.ax"), 0, 1e-9);
        close_motion(&m);
        m = move(rows[k].text, &methods[i % HOL_COUNT(methods)], 1);
        assert_int_equal(m.end, HOL_OK);
        near("place", value_of(&m, "b.x"), x, 1e-12);
        near("angle", value_of(&m, rows[k].angle), angle, 1e-12);
        near("friction at the end", value_of(&m, "c.friction"), 20 * 9.81 * sin(15 * HOL_PI / 180), 1e-6);
        close_motion(&m);
    }
}

// A pose has no states: those that a run from it would lack are told, with what brings them back, and with it the run rests.
static void a_pose_has_no_bristles(void **state)
{
    static const char pose[] = "build/friction_at_rest.pose.yaml";
    char text[1200];
    hol_model *model;
    (void)state;
    hol_statics *s = at_rest(SLIDES, NULL, 0, NULL, &model);
    warning[0] = 0;
    assert_int_equal(hol_statics_write_pose(ctx, s, 0, pose), HOL_OK);
    assert_non_null(strstr(warning, "a pose has no states: in this equilibrium \"c.1.bristle\" is -0.00"));
    assert_non_null(strstr(warning, "as 1 other does"));
    assert_non_null(strstr(warning, "simulate: {start: equilibrium}"));
    const double x = value(s, "b.x");
    leave(s, model);
    snprintf(text, sizeof text, "include: %s\n%s", pose, SLIDES);
    motion m = move(text, NULL, 0);
    near("place", value_of(&m, "b.x"), x, 1e-9);
    close_motion(&m);
    const char *level[] = {"ground.shape=[{name: fl, type: halfplane}]",
                           "bodies=[{name: b, mass: 20, inertia: 0.2, "
                           "position: [0, 0.048], shape: {type: box, size: [0.3, 0.1]}}]"};
    s = at_rest(SLIDES, level, 2, NULL, &model);
    warning[0] = 0;
    assert_int_equal(hol_statics_write_pose(ctx, s, 0, pose), HOL_OK);
    assert_string_equal(warning, "");
    leave(s, model);
    remove(pose);
}

// ---- at the limit -------------------------------------------------------------------------------------------------

// A bar on a pivot that 2 N m hold, at 300 N m/rad, turned by M: below 0.7 of the limit it sticks on both sides, sqrt(300/0.1), and nothing is
// said; above, and at the limit, to which M is what a spring of 1 N m/rad does not take, what turns on slips and what turns back sticks.
static void the_limit_is_an_edge(void **state)
{
    static const struct {
        const char *turn, *pulls;
    } rows[] = {{"parameters.M=1.3", NULL},
                {"parameters.M=1.5", "pulls with 1.5 "},
                {"parameters.M=2.5", "pulls with 2 "}};
    static const char text[] =
        "dimension: 2\ngravity: [0, 0]\nparameters: {M: 0}\nbodies: [{name: a, mass: 1, inertia: 0.1}]\n"
        "inputs: [{name: u, value: 0}]\nvariables: [{name: y, value: AZ(a)}]\n"
        "linearise: {inputs: [u], outputs: [y]}\n"
        "joints: [{name: j, type: revolute, between: [ground, a], stiffness: 1, friction: {torque: 2, "
        "stiffness: 300}}]\nforces: [{name: t, type: torque, on: a, value: M+u}]\n";
    (void)state;
    for (int i = 0; i < HOL_COUNT(rows) * 3; i++) {
        const int k = i / 3;
        hol_model *model = load_model(text, &rows[k].turn, 1);
        warning[0] = 0;
        hol_modes *m =
            i % 3 == 0 ? hol_modes_create(ctx, model, &(hol_modes_options){.equilibrium = true}) : NULL;
        hol_linear *l =
            i % 3 == 1 ? hol_linear_create(ctx, model, &(hol_linear_options){.equilibrium = true}) : NULL;
        hol_statics *s = i % 3 == 2 ? hol_statics_create(ctx, model, NULL) : NULL;
        assert_true(m || l || s);
        if (m && !rows[k].pulls) near("it sticks", m->omega_max, sqrt(1 / 0.1), 1e-9); // with states held
        const char *edge = strstr(warning, "friction is at an edge at \"j.friction\"");
        if (!edge != !rows[k].pulls || (edge && !strstr(edge, rows[k].pulls)))
            fail_msg("%s: \"%s\"", rows[k].turn, warning);
        hol_modes_destroy(m);
        hol_linear_destroy(l);
        hol_statics_destroy(s);
        hol_model_destroy(model);
    }
}

// ---- branches -----------------------------------------------------------------------------------------------------

// A box of 20 kg whose top edge is pushed: m g L/H tips it over where its other corner opens, as deep as that is, d, in the floor, turned by an/0.3 m
// of it; or mu m g makes it slide.
#define PUSHED                                                                                               \
    "dimension: 2\ngravity: [0, -9.81]\nparameters: {P: 0, mu: 0.6, T: 0}\nground: {shape: [{name: fl, "     \
    "type: "                                                                                                 \
    "halfplane}]}\nbodies:\n  - {name: box, mass: 20, inertia: 0.3, position: [0, 0.15], markers: {top: "    \
    "[0, "                                                                                                   \
    "0.15]}, shape: {type: box, size: [0.3, 0.3]}}\n"                                                        \
    "contacts:\n  - {name: c, between: [box, ground.fl], stiffness: 1e7, damping: 50, friction: "            \
    "{coefficient: mu}}\nsimulate: {end: 22, start: equilibrium}\n"                                          \
    "forces: [{name: f, type: force, on: box.top, value: ["

static const char slowly[] = PUSHED "\"P*min(time/20,1)\", 0]}]\n", at_once[] = PUSHED "P, 0]}]\n";

// The last point of a branch that goes up all the way, without folds.
static const hol_static_point *last_of(const hol_statics *s)
{
    for (int i = 0; i < s->n_points; i++) {
        assert_true(s->point[i].at == HOL_STATIC_REGULAR || s->point[i].at == HOL_STATIC_CHANGE);
        assert_true(!i || s->point[i].parameter > s->point[i - 1].parameter);
    }
    return &s->point[s->n_points - 1];
}

static double value_at(const hol_statics *s, const hol_static_point *p, const char *name)
{
    for (int i = 0; i < s->n_signals; i++)
        if (strcmp(s->signal[i], name) == 0) return p->value[i];
    fail_msg("there is no signal %s", name);
    return 0;
}

static hol_statics *varied(const char *text, const char *set, const char *vary, hol_model **model)
{
    *model = load_model(text, &set, 1);
    hol_statics *s = hol_statics_create(ctx, *model, &(hol_statics_options){.vary = vary});
    if (!s) fail_msg("%s", hol_context_error(ctx));
    return s;
}

// The branch ended at 95.5 N, or came back along itself to 0.003 N with folds that are none.
static void a_branch_ends_where_a_box_tips_over_or_slides(void **state)
{
    const double W = 20 * 9.81, d = pow(W / 1e7, 2.0 / 3), an = asin(d / 0.3), L = 0.15 * (cos(an) - sin(an)),
                 H = 0.3 * cos(an) + 0.15 * sin(an) - d / 2;
    hol_model *model;
    (void)state;
    hol_statics *s = varied(at_once, "parameters.mu=0.6", "P=0..110", &model);
    near("it tips over", last_of(s)->parameter, W * L / H, 1e-4 * W);
    assert_non_null(strstr(s->ended, "contact c.1 opens there"));
    leave(s, model);
    s = varied(at_once, "parameters.mu=0.3", "P=0..110", &model);
    near("it slides", last_of(s)->parameter, 0.3 * W, 1e-5 * W);
    assert_non_null(strstr(s->ended, "bristle is stretched by slides"));
    leave(s, model);
}

// A load that grows slowly: the branch is what a run of 20 s comes to, by the way of its bristles.
static void a_branch_is_a_slow_run(void **state)
{
    static const char *const at_80[] = {"parameters.P=80", "simulate.method=bdf", "simulate.tolerance=1e-7"};
    static const struct {
        const char *name;
        double allowed; // of steps of the branch
    } rows[] = {{"box.x", 1e-6}, {"box.theta", 1e-6}, {"c.1.bristle", 5e-7}, {"c.3.bristle", 5e-7}};
    hol_model *model;
    (void)state;
    hol_statics *s = varied(at_once, "parameters.mu=0.6", "P=0..80", &model);
    motion m = move(slowly, at_80, 3);
    assert_int_equal(m.end, HOL_OK);
    for (int i = 0; i < HOL_COUNT(rows); i++)
        near(rows[i].name, value_at(s, last_of(s), rows[i].name), value_of(&m, rows[i].name),
             rows[i].allowed);
    close_motion(&m);
    leave(s, model);
}

// A pivot that 2 N m hold beside a spring of 1 N m/rad: what is above 2 N m turns it.
static void a_pivot_slips_along_a_branch(void **state)
{
    static const char text[] =
        "dimension: 2\ngravity: [0, 0]\nparameters: {M: 0, T: 0}\nbodies: [{name: a, mass: 1, inertia: "
        "0.1}]\n"
        "joints: [{name: j, type: revolute, between: [ground, a], stiffness: 1, friction: {torque: 2, "
        "stiffness: 300}}]\nforces: [{name: t, type: torque, on: a, value: M}]\n";
    hol_model *model;
    (void)state;
    hol_statics *s = varied(text, "parameters.T=0", "M=0..3", &model);
    near("all of it", last_of(s)->parameter, 3, 0);
    near("angle", value_at(s, last_of(s), "a.theta"), 1, 1e-3);
    leave(s, model);
}

// 10 degrees, and 0.7 of the friction that would hold there: what holds it no more is named.
static void friction_that_does_not_hold_is_named(void **state)
{
    (void)state;
    hol_model *model = load_model("dimension: 2\ngravity: [0, -9.81]\nparameters: {a: 10 deg}\nground: "
                                  "{shape: {type: halfplane, angle: a}}\n"
                                  "bodies:\n  - {name: b, mass: 2, inertia: 0.02, position: [-0.05*sin(a), "
                                  "0.05*cos(a)], angle: a, shape: {type: "
                                  "box, size: [0.4, 0.1]}}\ncontacts:\n  - {name: c, between: [b, ground], "
                                  "exponent: 1, stiffness: 1e6, "
                                  "restitution: 0.3, friction: {coefficient: 0.7*tan(a), stiffness: 1e6}}\n",
                                  NULL, 0);
    assert_null(hol_statics_create(ctx, model, NULL));
    expect_message("Friction at \"c.");
    expect_message("has come to its limit");
    hol_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_does_not_touch_sticks_to_nothing),
                                       cmocka_unit_test(a_joint_without_load_sticks_to_nothing),
                                       cmocka_unit_test(corners_in_the_air_hold_nothing),
                                       cmocka_unit_test(what_moves_a_box_on_its_corners),
                                       cmocka_unit_test(a_box_in_space_rocks_as_in_the_plane),
                                       cmocka_unit_test(a_box_that_is_pushed_lies_flat),
                                       cmocka_unit_test(what_begins_in_equilibrium_rests),
                                       cmocka_unit_test(a_pose_has_no_bristles),
                                       cmocka_unit_test(the_limit_is_an_edge),
                                       cmocka_unit_test(a_branch_ends_where_a_box_tips_over_or_slides),
                                       cmocka_unit_test(a_branch_is_a_slow_run),
                                       cmocka_unit_test(friction_that_does_not_hold_is_named),
                                       cmocka_unit_test(a_pivot_slips_along_a_branch)};
    return cmocka_run_group_tests(tests, start_listening, stop);
}
