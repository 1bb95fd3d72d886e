// Friction of contacts: what sticks does not creep, what rolls and spins is resisted, bristles in flight and at onsets, by all methods.
#include "harness.h"

#include "api/api.h"
#include "integrator/integrator.h"

#include <math.h>
#include <string.h>

// (4.1) of contact mechanics: at rest the bristle has m g sin/k, and nothing creeps.
#define SLOPE                                                                                                \
    "dimension: 2\ngravity: [\"9.81*sin(atan(0.35))\", \"-9.81*cos(atan(0.35))\"]\n"                         \
    "ground: {shape: {type: halfplane}}\n"                                                                   \
    "bodies: [{name: b, mass: 1, inertia: 1, position: [0, 0.09990500139637377], velocity: [1, 0], "         \
    "shape: {type: sphere, radius: 0.1}}]\n"                                                                 \
    "joints: [{name: g, type: orientation, between: [ground, b]}]\n"                                         \
    "contacts: [{name: k, between: [b, ground], stiffness: 1e7, damping: 0.5, joined: yes, "                 \
    "friction: {coefficient: 0.5, stiffness: 1e5, damping: 400}}]\n"                                         \
    "simulate: {end: 3, output: 0.5}\n"

static void what_rests_does_not_creep(void **state)
{
    (void)state;
    static const char *const methods[] = {"simulate.method=rk", "simulate.method=bdf"};
    for (int i = 0; i < 2; i++) {
        const char *at_2[] = {methods[i], "simulate.tolerance=1e-7", "simulate.end=2"},
                   *at_3[] = {methods[i], "simulate.tolerance=1e-7", "simulate.end=3"};
        motion m = move(SLOPE, at_2, 3), n = move(SLOPE, at_3, 3);
        assert_int_equal(m.end | n.end, HOL_OK);
        near("place at rest", value_of(&n, "b.x"), 0.359972619449979688, 1e-7);
        near("creep in a second", value_of(&n, "b.x"), value_of(&m, "b.x"), 1e-12);
        near("bristle", value_of(&n, "k.bristle"), 3.240737666582720766e-5, 1e-13);
        near("friction", value_of(&n, "k.friction"), 9.81 * sin(atan(0.35)), 1e-8);
        close_motion(&m);
        close_motion(&n);
    }
}

// What rests holds no step short: from 3 s to 50 s methods that are stable there take few steps. joint_bdf took 25000, by a vibration of 1e-11 m across
// the slope that formulas of order 4 and 5 kept alive.
static void steps_grow_where_it_rests(void **state)
{
    (void)state;
    static const char *const methods[] = {"simulate.method=bdf", "simulate.method=joint_bdf",
                                          "simulate.method=rn4", "simulate.method=hht"};
    for (int i = 0; i < HOL_COUNT(methods); i++) {
        const char *at_3[] = {methods[i], "simulate.tolerance=1e-6"},
                   *at_50[] = {methods[i], "simulate.tolerance=1e-6", "simulate.end=50"};
        motion m = move(SLOPE, at_3, 2), n = move(SLOPE, at_50, 3);
        assert_int_equal(m.end | n.end, HOL_OK);
        const long more = hol_simulation_statistics(n.sim)->steps - hol_simulation_statistics(m.sim)->steps;
        if (more > 300) fail_msg("%s: %ld steps more", methods[i], more);
        near("place at rest", value_of(&n, "b.x"), 0.359972619449979688, 1e-7);
        close_motion(&m);
        close_motion(&n);
    }
}

// A block that slides in space, in both directions at once, is the one of the plane: all that is turned by 0.7 about the normal.
static void in_space_it_sticks_as_in_the_plane(void **state)
{
    (void)state;
    static const char model[] =
        "dimension: 3\ngravity: [\"9.81*sin(atan(0.35))*cos(0.7)\", \"9.81*sin(atan(0.35))*sin(0.7)\", "
        "\"-9.81*cos(atan(0.35))\"]\n"
        "ground: {shape: {type: halfspace}}\n"
        "bodies: [{name: b, mass: 1, inertia: [1, 1, 1], position: [0, 0, 0.09990500139637377], "
        "velocity: [cos(0.7), sin(0.7), 0], shape: {type: sphere, radius: 0.1}}]\n"
        "joints: [{name: g, type: orientation, between: [ground, b]}]\n"
        "contacts: [{name: k, between: [b, ground], stiffness: 1e7, damping: 0.5, joined: yes, "
        "friction: {coefficient: 0.5, stiffness: 1e5, damping: 400}}]\n"
        "simulate: {end: 3, output: 0.5, method: bdf, tolerance: 1e-7}\n";
    motion m = move(model, NULL, 0);
    assert_int_equal(m.end, HOL_OK);
    const double x = value_of(&m, "b.x"), y = value_of(&m, "b.y");
    near("way", hypot(x, y), 0.359972619449979688, 1e-6);
    near("direction", atan2(y, x), 0.7, 1e-9);
    near("bristle", hypot(value_of(&m, "k.bristle_x"), value_of(&m, "k.bristle_y")), 3.240737666582720766e-5,
         1e-12);
    close_motion(&m);
}

// (23.9a): what rolls without slipping is slowed down by mu g/(1 + J/(m R^2)), what spins by c m g/J; bristles turn with half the spin,
// by which friction goes a little aside. A ball on a slope that is less steep than mu stays, and creeps no more than rounding: g sin/k of the bristles of friction and
// rolling.
#define ROLLING(gravity, motion, friction)                                                                   \
    "dimension: 3\ngravity: " gravity "\nground: {shape: {type: halfspace}}\n"                               \
    "bodies: [{name: b, mass: 0.5, inertia: [2e-3, 2e-3, 2e-3], position: [0, 0, 0.1 - 2.8868e-4], " motion  \
    "shape: {type: sphere, radius: 0.1}}]\n"                                                                 \
    "contacts: [{name: k, between: [b, ground], stiffness: 1e6, damping: 1000, point: first, "               \
    "friction: {coefficient: 0.5" friction "}, rolling: 0.3, spinning: 1 mm}]\n"                             \
    "simulate: {end: 0.2, output: 0.2, method: rk, tolerance: 1e-8}\n"

static void rolling_and_spinning_are_resisted(void **state)
{
    (void)state;
    static const char *const models[] = {
        ROLLING("[0, 0, -9.81]", "velocity: [0.6, 0.8, 0], omega: [-8, 6, 20], ", ""),
        ROLLING("[0, 0, -9.81]", "velocity: [0.6, 0.8, 0], omega: [-8, 6, 20], ", ", transition: 1e-5")};
    const double slower = 0.3 * 9.81 / 1.4, v = 1 - 0.2 * slower;
    for (int i = 0; i < 2; i++) {
        const char *implicit[] = {
            "simulate.method=bdf"}; // the second law is stiff: 56000 steps of rk, 364 of bdf
        motion m = move(models[i], implicit, i);
        if (m.end) fail_msg("%s", hol_context_error(ctx));
        near("speed", hypot(value_of(&m, "b.vx"), value_of(&m, "b.vy")), v, 2e-4);
        near("direction", atan2(value_of(&m, "b.vy"), value_of(&m, "b.vx")), atan2(0.8, 0.6), 2e-3);
        near("spin", value_of(&m, "b.wz"), 20 - 0.2 * 1e-3 * 0.5 * 9.81 / 2e-3, 1e-3);
        assert_true(hol_simulation_statistics(m.sim)->contact_friction > 0);
        close_motion(&m);
    }
}

static void a_ball_on_a_slope_stays(void **state)
{
    (void)state;
    static const char model[] =
        ROLLING("[9.81*sin(10 deg)*cos(0.7), 9.81*sin(10 deg)*sin(0.7), -9.81*cos(10 deg)]", "", "");
    const char *at_3[] = {"simulate.end=3", "simulate.method=bdf"},
               *at_20[] = {few() ? "simulate.end=5" : "simulate.end=20", "simulate.method=bdf"};
    motion m = move(model, at_3, 2), n = move(model, at_20, 2);
    assert_int_equal(m.end | n.end, HOL_OK);
    const double k = 1.4 / 1.7 * 1.5 * 1e6 * cbrt(0.5 * 9.81 / 1e6);
    near("creep from 3 s on",
         hypot(value_of(&m, "b.x") - value_of(&n, "b.x"), value_of(&m, "b.y") - value_of(&n, "b.y")), 0,
         1e-12);
    near("way", hypot(value_of(&n, "b.x"), value_of(&n, "b.y")), 2 * 0.5 * 9.81 * sin(HOL_PI / 18) / k, 1e-7);
    close_motion(&m);
    close_motion(&n);
}

// A block whose load swings below the limit. The bristle of LuGre drifts: 1.72e-3 m in 10 s by an independent integration of its equation.
#define SHAKEN(law)                                                                                          \
    "dimension: 2\ngravity: [0, -9.81]\nground: {shape: {type: halfplane}}\n"                                \
    "bodies: [{name: b, mass: 1, inertia: 1, position: [0, 0.1 - (9.81/1e7)^(2/3)], "                        \
    "shape: {type: sphere, radius: 0.1}}]\n"                                                                 \
    "joints: [{name: g, type: orientation, between: [ground, b]}]\n"                                         \
    "contacts: [{name: k, between: [b, ground], stiffness: 1e7, damping: 0.5, joined: yes, "                 \
    "friction: {coefficient: 0.5, stiffness: 1e5, damping: 400" law "}}]\n"                                  \
    "forces: [{name: f, type: force, on: b, value: ['0.5*9.81*(0.35 + 0.2*sin(2*pi*10*time))', 0]}]\n"       \
    "parameters: {T: 1}\n"                                                                                   \
    "simulate: {end: T, output: T, method: bdf, tolerance: 1e-6}\n"

static void what_vibrates_below_the_limit_does_not_drift(void **state)
{
    (void)state;
    const char *at_1[] = {"parameters.T=1"}, *at_10[] = {few() ? "parameters.T=2" : "parameters.T=10"},
               *at_01[] = {"parameters.T=0.1"};
    motion a = move(SHAKEN(""), at_1, 1), b = move(SHAKEN(""), at_10, 1);
    assert_int_equal(a.end | b.end, HOL_OK);
    near("drift from 1 s on", value_of(&b, "b.x"), value_of(&a, "b.x"), 1e-12);
    close_motion(&a);
    close_motion(&b);
    motion c = move(SHAKEN(", law: lugre"), at_01, 1), d = move(SHAKEN(", law: lugre"), at_1, 1);
    assert_int_equal(c.end | d.end, HOL_OK);
    near("drift of LuGre in 0.9 s", value_of(&d, "b.x") - value_of(&c, "b.x"), 0.9 * 1.72e-4, 5e-6);
    close_motion(&c);
    close_motion(&d);
}

// A ball that slides, bounces twice and flies: its bristle, whose rate would be the slip over a limit of nothing, rests in flight, unstretched,
// and holds no step short. In space the motion goes aside by 0.3.
#define BOUNCES(dimension, gravity, ground, inertia, place, speed, law)                                      \
    "dimension: " dimension "\ngravity: " gravity "\nground: {shape: {type: " ground "}}\n"                  \
    "bodies: [{name: b, mass: 1, inertia: " inertia ", position: " place ", velocity: " speed ", shape: "    \
    "{type: sphere, radius: 0.1}}]\n"                                                                        \
    "contacts: [{name: k, between: [b, ground], stiffness: 1e7, restitution: 0.5, friction: {coefficient: "  \
    "0.5, law: " law "}}]\n"                                                                                 \
    "simulate: {end: 0.5, method: rk, tolerance: 1e-6, output: 0.5}\n"
#define IN_PLANE(law) BOUNCES("2", "[0, -9.81]", "halfplane", "4e-3", "[0, 0.3]", "[1, 0]", law)
#define IN_SPACE(law)                                                                                        \
    BOUNCES("3", "[0, 0, -9.81]", "halfspace", "[4e-3, 4e-3, 4e-3]", "[0, 0, 0.3]", "[1, 0.3, 0]", law)

static void a_bristle_rests_in_flight(void **state)
{
    (void)state;
    static const struct {
        const char *model, *bristle, *speed;
        long most; // steps; before there were 572, 10^5 in 0.2 s, and far more
    } rows[] = {{IN_PLANE("stick"), "k.bristle", "b.vx", 400},
                {IN_SPACE("stick"), "k.bristle_x", "b.vx", 400},
                {IN_PLANE("lugre"), "k.bristle", "b.vx", 5000}};
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        const char *const fine[] = {"simulate.tolerance=1e-9"};
        motion m = move(rows[i].model, NULL, 0), n = move(rows[i].model, fine, 1);
        if (m.end || n.end) fail_msg("%s", hol_context_error(ctx));
        assert_true(hol_simulation_statistics(m.sim)->steps < rows[i].most);
        assert_int_equal(hol_simulation_statistics(m.sim)->contact_onsets, 2);
        near("bristle", value_of(&m, rows[i].bristle), 0, 0);
        near("speed", value_of(&m, rows[i].speed), value_of(&n, rows[i].speed), 1e-5);
        assert_true(value_of(&m, rows[i].speed) < 0.9);
        close_motion(&m);
        close_motion(&n);
    }
}

// A box that slides from the start on, on corners that press nothing yet: the limit of their friction is 0 there.
#define CORNERS(speed, method)                                                                               \
    "dimension: 2\ngravity: [0, -9.81]\nground: {shape: {type: halfplane}}\n"                                \
    "bodies: [{name: a, mass: 1, inertia: 7e-3, position: [0, 0.1], velocity: [" speed                       \
    ", 0], shape: {type: "                                                                                   \
    "box, size: [0.2, 0.2]}}]\n"                                                                             \
    "contacts: [{name: k, between: [a, ground], stiffness: 1e7, restitution: 0.5, friction: {coefficient: "  \
    "0.4}}]\n"                                                                                               \
    "simulate: {end: 0.2, method: " method ", tolerance: 1e-4, output: 0.2}\n"

static void corners_slide_from_the_start(void **state)
{
    (void)state;
    static const char *const going[] = {CORNERS("1", "rk"),  CORNERS("1", "bdf"), CORNERS("1", "joint_bdf"),
                                        CORNERS("1", "hht"), CORNERS("0", "hht"), CORNERS("0", "genalpha")};
    for (int i = 0; i < HOL_COUNT(going); i++) {
        motion m = move(going[i], NULL, 0);
        if (m.end) fail_msg("%s", hol_context_error(ctx));
        const double slides = 1 - 0.4 * (9.81 * 0.2 + value_of(&m, "a.vy")); // mu times the impulse
        near("speed", value_of(&m, "a.vx"), i < 4 ? slides : 0, 1e-4);
        close_motion(&m);
    }
}

// What slides loses mu times what the normal force has given it, whatever the bristle: v = v0 - mu (g t + v_n - v_n0) while a ball of 0.4 m R^2
// has a slip, v0 - 3.5 mu (g t + v_n - v_n0) > 0. By every method of the table that tests errors; where it begins to press on the way, and
// where it touches from the start on.
#define SLIDES(dimension, gravity, ground, place, speed, end)                                                \
    "dimension: " dimension "\ngravity: " gravity "\nground: {shape: {type: " ground "}}\n"                  \
    "bodies: [{name: b, mass: 1, inertia: 0.004, position: " place ", velocity: " speed ", shape: {type: "   \
    "sphere, radius: 0.1}}]\n"                                                                               \
    "contacts: [{name: k, between: [b, ground], stiffness: 1e6, restitution: 0.5, friction: {coefficient: "  \
    "0.3}}]\n"                                                                                               \
    "simulate: {end: " end ", output: " end ", tolerance: 1e-4}\n"
#define SLIDES_PLANE(height, end) SLIDES("2", "[0, -9.81]", "halfplane", "[0, " height "]", "[1, 0]", end)
#define SLIDES_SPACE(height, end)                                                                            \
    SLIDES("3", "[0, 0, -9.81]", "halfspace", "[0, 0, " height "]", "[0.6, 0.8, 0]", end)

static void what_slides_loses_mu_times_the_impulse(void **state)
{
    (void)state;
    static const struct {
        const char *model, *normal;
        double end;
    } rows[] = {{SLIDES_PLANE("0.1", "0.05"), "b.vy", 0.05},
                {SLIDES_PLANE("0.11", "0.08"), "b.vy", 0.08},
                {SLIDES_SPACE("0.1", "0.05"), "b.vz", 0.05},
                {SLIDES_SPACE("0.11", "0.08"), "b.vz", 0.08}};
    for (int i = 0; hol_methods[i]; i++) {
        const hol_method *method = hol_methods[i];
        // order 1 takes 2e5 steps, srm 2e4 by stability
        if (!method->divisor || method->order == 1 || strcmp(method->name, "newmark") == 0 ||
            strcmp(method->name, "srm") == 0)
            continue;
        char set[60];
        const char *by[] = {set};
        snprintf(set, sizeof set, "simulate.method=%s", method->name);
        for (int k = 0; k < HOL_COUNT(rows); k++) {
            motion m = move(rows[k].model, by, 1);
            if (m.end) fail_msg("%s, %d: %s", method->name, k, hol_context_error(ctx));
            const double impulse = 9.81 * rows[k].end + value_of(&m, rows[k].normal),
                         v = k < 2 ? value_of(&m, "b.vx") : hypot(value_of(&m, "b.vx"), value_of(&m, "b.vy"));
            if (!(fabs(v + 0.3 * impulse - 1) < 1e-5)) fail_msg("%s, %d: %.9g", method->name, k, v);
            close_motion(&m);
        }
    }
}

// The slip at an onset, the falling limit at an end, and rolling between: hht, by whose steps it could not be followed, as rk.
static void what_lands_and_rolls_is_alike_by_all(void **state)
{
    (void)state;
    static const char model[] =
        "dimension: 3\ngravity: [0, 0, -9.81]\nground: {shape: {type: halfspace}}\n"
        "bodies: [{name: b, mass: 1, inertia: 0.004, position: [0, 0, 0.12], velocity: [1, 0, 0], "
        "shape: {type: sphere, radius: 0.1}}]\n"
        "contacts: [{name: k, between: [b, ground], stiffness: 1e6, friction: {coefficient: 0.3}}]\n"
        "simulate: {end: 0.3, output: 0.3, tolerance: 1e-5}\n";
    static const char *const methods[] = {"rk", "hht", "genalpha", "tangent", "bdf", "joint_bdf", "adams"};
    double first[2] = {0};
    for (int i = 0; i < HOL_COUNT(methods); i++) {
        char set[60];
        const char *by[] = {set};
        snprintf(set, sizeof set, "simulate.method=%s", methods[i]);
        motion m = move(model, by, 1);
        if (m.end) fail_msg("%s: %s", methods[i], hol_context_error(ctx));
        const double x[2] = {value_of(&m, "b.x"), value_of(&m, "b.z")};
        for (int k = 0; k < 2; k++) {
            if (i == 0) first[k] = x[k];
            if (!(fabs(x[k] - first[k]) < 1e-5)) fail_msg("%s: %.9g, %.9g", methods[i], x[k], first[k]);
        }
        close_motion(&m);
    }
}

// A box above a floor of the exponent 1 begins by every form of the motion: derivatives by the ratio of a limit of nothing hid its masses in joint
// coordinates.
static void a_box_above_a_stiff_floor_begins(void **state)
{
    (void)state;
    motion m = move("dimension: 2\ngravity: [0, -10]\nground: {shape: {name: floor, type: halfplane}}\n"
                    "bodies: [{name: box, mass: 2, inertia: 0.1, position: [0, 0.8], shape: {type: box, "
                    "size: [1, 0.5]}}]\n"
                    "contacts: [{name: c, between: [box, ground.floor], law: power, exponent: 1, stiffness: "
                    "1e5, damping: 1, friction: {coefficient: 0.5}}]\n"
                    "simulate: {end: 0.2, output: 0.2, method: joint_bdf}\n",
                    NULL, 0);
    if (m.end) fail_msg("%s", hol_context_error(ctx));
    near("height", value_of(&m, "box.y"), 0.8 - 0.5 * 10 * 0.2 * 0.2, 1e-6);
    close_motion(&m);
}

// A contact that an event switches off forgets what its bristle held, which went on moving and was a pole of its own in linearised motions.
static void what_is_switched_off_forgets(void **state)
{
    (void)state;
    static const char model[] =
        "dimension: 2\ngravity: [0, -10]\nground: {shape: {name: floor, type: halfplane}}\n"
        "bodies: [{name: b, mass: 1, inertia: 0.004, position: [0, h], velocity: [1, 0], shape: {type: "
        "sphere, "
        "radius: 0.1}}]\n"
        "contacts: [{name: k, between: [b, ground.floor], stiffness: 1e6, deepest: 0.09, friction: "
        "{coefficient: 0.5}}]\n"
        "parameters: {h: 0.1 - 1e-5^(2/3), to: 0.01}\n"
        "events: [{name: off, at: to, off: k}, {name: 'on', at: to + 0.01, on: k}]\n"
        "simulate: {end: to + 0.005, output: 0.005}\n";
    static const char *const methods[] = {"simulate.method=rk", "simulate.method=hht",
                                          "simulate.method=joint_bdf", "simulate.method=bdf"};
    for (int i = 0; i < HOL_COUNT(methods); i++) {
        const char *set[] = {methods[i], "parameters.to=1e-7"}; // before it has met anything
        motion m = move(model, set, 1), n = move(model, set, 2);
        assert_int_equal(m.end | n.end, HOL_OK);
        near("bristle of what has slid", value_of(&m, "k.bristle"), 0, 0);
        near("rate of what falls through", value_of(&n, "b.vy"), -10 * 0.005, 1e-4);
        near("its bristle", value_of(&n, "k.bristle"), 0, 0);
        close_motion(&m);
        close_motion(&n);
    }
}

// A ball that slides and spins above a floor, beside a body that rests: all methods begin, since so little presses in flight that its ratio must
// not hide the masses of all others; and the ball then meets the floor as it does alone.
#define BESIDE(other, method, end)                                                                           \
    "dimension: 3\ngravity: [0, 0, -9.81]\nground: {shape: {type: halfspace}}\n"                             \
    "bodies:\n" other                                                                                        \
    "  - {name: b, mass: 1, inertia: 0.004, position: [0.9, 0.5, 0.12], velocity: [1, 0.5, 0], "             \
    "omega: [1, 2, -1], shape: {type: sphere, radius: 0.1}}\n"                                               \
    "contacts: [{name: k, between: [b, ground], stiffness: 1e6, friction: {coefficient: 0.3, law: "          \
    "stick}}]\n"                                                                                             \
    "simulate: {end: " end ", output: " end ", method: " method ", tolerance: 1e-6}\n"
#define FAN "  - {name: a, mass: 2, inertia: [0.3, 0.4, 0.5], position: [0.5, 0.2, 9]}\n"
#define POINT "  - {name: a, type: point, mass: 1, position: [0.5, 0.2, 9]}\n"
#define FLIES(method) BESIDE(FAN, method, "0.05"), BESIDE(POINT, method, "0.05")

static void what_slips_in_flight_hides_no_other_body(void **state)
{
    (void)state;
    static const char *const flights[] = {FLIES("rk"),  FLIES("bdf"),   FLIES("hht"),
                                          FLIES("rn4"), FLIES("adams"), FLIES("joint_bdf")},
                             *const meets[] = {BESIDE("", "rk", "0.08"), BESIDE(FAN, "rk", "0.08"),
                                               BESIDE(POINT, "rk", "0.08")};
    for (int i = 0; i < HOL_COUNT(flights); i++) {
        motion m = move(flights[i], NULL, 0);
        if (m.end) fail_msg("%d: %s", i, hol_context_error(ctx));
        near("x", value_of(&m, "b.x"), 0.95, 1e-6); // in free flight
        near("z", value_of(&m, "b.z"), 0.12 - 0.5 * 9.81 * 0.05 * 0.05, 1e-6);
        close_motion(&m);
    }
    double alone[2] = {0};
    for (int i = 0; i < HOL_COUNT(meets); i++) {
        motion m = move(meets[i], NULL, 0);
        if (m.end) fail_msg("%d: %s", i, hol_context_error(ctx));
        const double v[2] = {value_of(&m, "b.vx"), value_of(&m, "b.vy")};
        for (int k = 0; k < 2; k++) {
            if (i == 0) alone[k] = v[k];
            near("speed", v[k], alone[k], 1e-4);
        }
        close_motion(&m);
    }
}

// A box falls flat onto corners that stick, with forces of exponent 1: in flight the bristle's damping over next to no force, 1e11, stands
// beside the masses. It lies by m g/(2 K) in the floor, whatever the method.
static void a_box_lands_on_linear_corners(void **state)
{
    static const char text[] =
        "dimension: 2\ngravity: [0, -10]\nground: {shape: {name: floor, type: halfplane}}\nbodies:\n"
        "  - {name: box, mass: 2, inertia: 0.1, position: [0, 0.4], shape: {type: box, size: [1, 0.5]}}\n"
        "contacts:\n  - {name: c, between: [box, ground.floor], law: power, exponent: 1, stiffness: 1e5, "
        "damping: 1, friction: {coefficient: 0.5}}\nsimulate: {end: 2, signals: [poses]}\n";
    static const char *const methods[] = {"simulate.method=rk", "simulate.method=joint_bdf"};
    (void)state;
    for (int i = 0; i < HOL_COUNT(methods); i++) {
        motion a = move(text, &methods[i], 1);
        assert_int_equal(a.end, HOL_OK);
        near(methods[i], value_of(&a, "box.y"), 0.25 - 20 / 2e5, 1e-6);
        near(methods[i], value_of(&a, "box.x"), 0, 1e-9);
        close_motion(&a);
    }
}

// A steel ball of 1 um that falls straight down: friction, which nothing calls on, changes nothing, and masses of 1e-14 kg are enough.
#define POWDER(friction)                                                                                     \
    "dimension: 2\ngravity: [0, -9.81]\nground: {shape: {type: halfplane}}\n"                                \
    "bodies: [{name: b, mass: 3.26726e-14, inertia: 1.3069e-26, position: [0, 1.5e-6], shape: {type: "       \
    "sphere, radius: 1e-6}}]\n"                                                                              \
    "contacts: [{name: c, between: [b, ground], stiffness: 1.33333e8, restitution: 0.7" friction             \
    "}]\nsimulate: {end: 0.0012771, signals: [all]}\n"

static void a_ball_of_a_micrometre_bounces(void **state)
{
    static const char *const methods[] = {"rk", "bdf", "joint_bdf", "adams", "rn4", "genalpha"};
    (void)state;
    motion free = move(POWDER(""), NULL, 0);
    for (int i = 0; i < HOL_COUNT(methods); i++) {
        char how[60];
        snprintf(how, sizeof how, "simulate.method=%s", methods[i]);
        const char *const set[] = {how};
        motion m = move(POWDER(", friction: {coefficient: 0.3}"), set, 1);
        if (m.end || !m.sim) fail_msg("%s: %s", methods[i], hol_context_error(ctx));
        near(methods[i], 1e6 * value_of(&m, "b.y"), 1e6 * value_of(&free, "b.y"), 1e-3);
        close_motion(&m);
    }
    close_motion(&free);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_rests_does_not_creep),
        cmocka_unit_test(steps_grow_where_it_rests),
        cmocka_unit_test(in_space_it_sticks_as_in_the_plane),
        cmocka_unit_test(rolling_and_spinning_are_resisted),
        cmocka_unit_test(a_ball_on_a_slope_stays),
        cmocka_unit_test(what_vibrates_below_the_limit_does_not_drift),
        cmocka_unit_test(a_bristle_rests_in_flight),
        cmocka_unit_test(corners_slide_from_the_start),
        cmocka_unit_test(what_is_switched_off_forgets),
        cmocka_unit_test(what_slides_loses_mu_times_the_impulse),
        cmocka_unit_test(what_lands_and_rolls_is_alike_by_all),
        cmocka_unit_test(a_box_above_a_stiff_floor_begins),
        cmocka_unit_test(what_slips_in_flight_hides_no_other_body),
        cmocka_unit_test(a_box_lands_on_linear_corners),
        cmocka_unit_test(a_ball_of_a_micrometre_bounces),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
