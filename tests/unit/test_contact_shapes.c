// Contacts by their shapes: which of them a rule names, what touches where, and shapes that touch in several places.
#include "harness.h"

#include "api/api.h"
#include "element/contact.h"
#include "model/contact_shapes.h"

#include <math.h>
#include <string.h>

// How many pairs may touch: "b*" are those of these names, "all" all bodies without ground, each pair once.
static void words_of_rules_name_bodies(void **state)
{
    (void)state;
#define BALLS(rule)                                                                                          \
    "dimension: 2\nground: {shape: {type: halfplane}}\nbodies:\n"                                            \
    "  - {name: 'b{i}', for: i in 1..4, mass: 1, inertia: 1, position: [i, 1], shape: {type: sphere, "       \
    "radius: 0.1}}\n"                                                                                        \
    "  - {name: c, mass: 1, inertia: 1, position: [9, 1], shape: [{type: sphere, radius: 0.1}, {type: "      \
    "sphere, radius: 0.1, name: nose, position: [1, 0]}, {type: sphere, radius: 0.3, name: halo, collide: "  \
    "no}]}\n"                                                                                                \
    "contacts: [{name: k, stiffness: 1, " rule "}]\nsimulate: {end: 1}\n"
    static const struct {
        const char *text;
        int pairs;
    } rows[] = {{BALLS("between: [b1, b2, b3]"), 3},
                {BALLS("between: [b*, ground]"), 4},
                {BALLS("between: [all, ground]"), 6},
                {BALLS("between: [all, all]"), 6 + 4 * 2},
                {BALLS("between: ['*', 'c']"), 4 * 2},
                {BALLS("between: [b1, b1, b2, c.nose]"), 3},
                {BALLS("between: ['*.nose', all]"), 4},
                {BALLS("between: [all, all], except: [b1, b2, b3]"), 14 - 3},
                {BALLS("between: [all, ground, all], except: [c, ground]"), 14 + 4}};
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        motion m = open_motion(rows[i].text, NULL, 0);
        int pairs = 0;
        for (int k = 0; k < m.model->data->n_elements; k++)
            pairs += m.model->data->element[k].type == &hol_force_contact;
        if (pairs != rows[i].pairs) fail_msg("%d: %d pairs, not %d", i, pairs, rows[i].pairs);
        close_motion(&m);
    }
}

// Shapes of every pair that meet head on, 0.02 m apart, each of what moves of 0.5 kg and 2 m/s: as a ball and a wall.
#define HEAD_ON(dimension, at, shape, touched, more)                                                         \
    "dimension: " dimension "\nlength_scale: 0.02\ntime_scale: 0.01\nparameters: {K: 1e6}\n" ROUND           \
    "ground: {shape: [" touched "]}\n"                                                                       \
    "bodies: [{name: b, mass: 0.5, inertia: " at ", shape: " shape "}]\n"                                    \
    "contacts: [{name: k, between: [b, ground], stiffness: K, damping: 0.1, deepest: 1" more "}]\n"          \
    "simulate: {end: 2, method: rk, tolerance: 1e-11, output: 2}\n"
#define ROUND                                                                                                \
    "splines: [{name: circle, kind: cubic, x: [0, 1, 3, 5, 2*pi], y: [0.2, 0.2, 0.2, 0.2, 0.2]}, {name: "    \
    "flat, "                                                                                                 \
    "kind: cubic, x: [-1, 0, 1], y: [0, 0, 0]}]\n"
#define PLANE(y, shape, touched, more)                                                                       \
    HEAD_ON("2", "1, position: [0, " y "], velocity: [0, -2]", shape, touched, more)
#define SPACE(z, shape, touched, more)                                                                       \
    HEAD_ON("3", "[1, 1, 1], position: [0, 0, " z "], velocity: [0, 0, -2]", shape, touched, more)
#define BALL "{type: sphere, radius: 0.2}"

static void every_pair_meets_as_the_closed_forms_say(void **state)
{
    (void)state;
    static const struct {
        const char *what, *model;
    } rows[] = {
        {"segment", PLANE("0.22", BALL, "{type: segment, from: [1, 0], to: [-2, 0]}", "")},
        {"end of a segment", PLANE("0.22", BALL, "{type: segment, from: [0, 0], to: [0, -1]}", "")},
        {"arc, outside", PLANE("0.52", BALL, "{type: arc, radius: 0.3, start: 0, end: 180 deg}", "")},
        {"arc, inside",
         PLANE("0", BALL, "{type: arc, radius: 0.22, start: 0, end: 180 deg, angle: 180 deg}", "")},
        {"end of an arc",
         PLANE("0.22", BALL, "{type: arc, radius: 1, start: -90 deg, end: 0, position: [-1, 0]}", "")},
        {"box of the plane", PLANE("0.32", BALL, "{type: box, size: [1, 0.2]}", "")},
        {"corner of a box", PLANE("0.22 + sqrt(0.5)", BALL, "{type: box, size: [1, 1], angle: 45 deg}", "")},
        {"polygon", PLANE("0.22", BALL, "{type: polygon, points: [[1, 0], [0, -1], [-1, 0]]}", "")},
        {"notch of a polygon", PLANE("-1 + 0.22", BALL,
                                     "{type: polygon, points: [[-1, 0], [-1, -2], [1, -2], [1, 0], [0.5, 0], "
                                     "[0.5, -1], [-0.5, -1], [-0.5, 0]]}",
                                     "")},
        {"capsule of the plane", PLANE("0.32", BALL, "{type: capsule, radius: 0.1, length: 1}", "")},
        {"two capsules of the plane", PLANE("0.52", "{type: capsule, radius: 0.2, axis: [0, 1], length: 0.4}",
                                            "{type: capsule, radius: 0.1, length: 1}", "")},
        {"closed curve", PLANE("0.42", BALL, "{type: curve, curve: circle, polar: yes, angle: 1}", "")},
        {"open curve", PLANE("0.22", BALL, "{type: curve, curve: flat}", "")},
        {"cam on a half-plane",
         PLANE("0.22", "{type: curve, curve: circle, polar: yes, angle: 1}", "{type: halfplane}", "")},
        {"polyline",
         PLANE("0.32", BALL, "{type: polyline, radius: 0.1, points: [[-1, -1], [-0.5, 0], [0.5, 0]]}", "")},
        {"corner of a polygon on a box",
         PLANE("0.52", "{type: polygon, points: [[0, -0.4], [0.3, 0.4], [-0.3, 0.4]]}",
               "{type: box, size: [1, 0.2]}", "")},
        {"points of a box",
         PLANE("0.22", "{type: box, size: [0.4, 0.4]}", "{type: halfplane}", ", exponent: 1.5, points: 3")},
        {"ball on a box", SPACE("0.32", BALL, "{type: box, size: [1, 1, 0.2]}", "")},
        {"edge of a box",
         SPACE("0.22 + sqrt(0.5)", BALL,
               "{type: box, size: [1, 1, 1], orientation: {axis: [1, 0, 0], angle: 45 deg}}", "")},
        {"ball on a capsule",
         SPACE("0.32", BALL, "{type: capsule, radius: 0.1, length: 1, axis: [1, 1, 0]}", "")},
        {"crossed capsules", SPACE("0.32", "{type: capsule, radius: 0.2, length: 1, axis: [1, 0, 0]}",
                                   "{type: capsule, radius: 0.1, length: 1, axis: [1, 1, 0]}", "")},
        {"ball on the side of a cylinder",
         SPACE("0.52", BALL, "{type: cylinder, radius: 0.3, length: 1, axis: [1, 1, 0], rim: 0.1}", "")},
        {"ball on the end of a cylinder",
         SPACE("0.72", BALL, "{type: cylinder, radius: 0.3, length: 1}", "")},
        {"ball on a torus",
         SPACE("0.52", BALL, "{type: torus, radius: 0.2, tube: 0.1, axis: [1, 2, 0]}", "")},
        {"torus on a half-space",
         SPACE("0.32", "{type: torus, radius: 0.2, tube: 0.1, axis: [1, 2, 0]}", "{type: halfspace}", "")},
        {"cylinder on its side",
         SPACE("0.32", "{type: cylinder, radius: 0.3, length: 1, axis: [1, 2, 0]}", "{type: halfspace}", "")},
        {"ellipsoid", SPACE("0.32", "{type: ellipsoid, radii: [0.1, 0.2, 0.3]}", "{type: halfspace}", "")},
        {"ball on an ellipsoid", SPACE("0.32", BALL, "{type: ellipsoid, radii: [0.2, 0.3, 0.1]}", "")},
        {"two ellipsoids", SPACE("0.42",
                                 "{type: ellipsoid, radii: [0.2, 0.4, 0.3], orientation: {axis: [0, 0, "
                                 "1], angle: 1}}",
                                 "{type: ellipsoid, radii: [0.2, 0.3, 0.1]}", "")},
        {"points of a box in space", SPACE("0.22", "{type: box, size: [0.4, 0.6, 0.4]}", "{type: halfspace}",
                                           ", exponent: 1.5, points: 2")}};
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        const char *const half[] = {"parameters.K=5e5"}; // a cylinder has two edges
        motion m = move(rows[i].model, half, strncmp(rows[i].what, "cylinder", 8) == 0);
        if (m.end) fail_msg("%s: %s", rows[i].what, hol_context_error(ctx));
        const bool plane = strstr(rows[i].model, "dimension: 2") != NULL;
        near(rows[i].what, value_of(&m, plane ? "b.vy" : "b.vz") / 2, 0.882189986247306379, 1e-9);
        near(rows[i].what, hol_simulation_statistics(m.sim)->contact_depth, 5.46690607207190009e-3, 1e-11);
        close_motion(&m);
    }
}

// Without friction what rests on round shapes swings: an arc of radius R with a disc in it as a pendulum of the length R - r + depth, an
// ellipsoid of half axes a, b, c, which lies on the end of c, with m g (a^2 - c^2)/(c J) and m g (b^2 - c^2)/(c J); and half a cylinder, of
// centre of mass b below its middle, rocks with g b/(R^2/2 - b^2). A box of n parts of its face L on a foundation k: k A L^2/12 (1 - 1/n^2) - m g H: H above the face.
static void what_rests_on_curves_swings_as_the_closed_forms_say(void **state)
{
    (void)state;
    const double R = 0.1, b = 4 * R / (3 * HOL_PI);
    static const double K = 1e5, m = 0.5, g = 9.81, J[2] = {0.02, 0.03}; // J: about y, x
    const double other = m * g * (0.04 - 0.01) / (0.1 * J[1]);
    const struct {
        const char *model;
        double square;
    } rows[] = {
        {"dimension: 2\ngravity: [0, -9.81]\nground: {shape: {type: arc, radius: 0.5}}\n"
         "bodies: [{name: b, mass: 0.5, inertia: 1, position: [0, -0.4], shape: {type: sphere, radius: "
         "0.1}}]\n"
         "contacts: [{name: k, between: [b, ground], stiffness: 1e5}]\nsimulate: {end: 1}\n",
         g / (0.4 + pow(m * g / K, 2.0 / 3))},
        {"dimension: 3\ngravity: [0, 0, -9.81]\nground: {shape: {type: halfspace}}\n"
         "bodies: [{name: b, mass: 0.5, inertia: [0.03, 0.02, 0.04], position: [0, 0, 0.1], shape: {type: "
         "ellipsoid, radii: [0.3, 0.2, 0.1]}}]\n"
         "contacts: [{name: k, between: [b, ground], stiffness: 1e5}]\nsimulate: {end: 1}\n",
         m * g * (0.09 - 0.01) / (0.1 * J[0])},
        {"dimension: 2\ngravity: [0, -9.81]\nparameters: {R: 0.1, b: 4*R/(3*pi)}\nground: {shape: {type: "
         "halfplane}}\n"
         "bodies: [{name: b, mass: 0.5, inertia: 0.5*(R^2/2 - b^2), position: [0, R - b], shape: {type: "
         "sphere, radius: R, position: [0, b]}}]\n"
         "contacts: [{name: k, between: [b, ground], stiffness: 1e5}]\nsimulate: {end: 1}\n",
         g * b / (R * R / 2 - b * b)},
        {"dimension: 2\ngravity: [0, -9.81]\nground: {shape: {type: halfplane}}\n"
         "bodies: [{name: b, mass: 0.5, inertia: 0.01, position: [0, 0.1], shape: {type: box, size: [0.4, "
         "0.2], thickness: 0.05}}]\n"
         "contacts: [{name: k, between: [b, ground], law: foundation, stiffness: 1e6, points: "
         "4}]\nsimulate: {end: 1}\n",
         (1e6 * 0.4 * 0.05 * 0.16 / 12 * (1 - 1.0 / 16) - m * g * 0.1) / 0.01}};
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        motion o = open_motion(rows[i].model, NULL, 0);
        hol_modes *found = hol_modes_create(ctx, o.model, &(hol_modes_options){.equilibrium = true});
        double nearest[2] = {HOL_INF, HOL_INF};
        if (!found) fail_msg("%s", hol_context_error(ctx));
        for (int k = 0; k < found->n; k++) {
            const double square = found->mode[k].omega * found->mode[k].omega;
            nearest[0] = fmin(nearest[0], fabs(square / rows[i].square - 1));
            nearest[1] = fmin(nearest[1], fabs(square / other - 1));
        }
        near("square of a mode", nearest[0], 0, 1e-9);
        if (i == 1) near("square of the other one", nearest[1], 0, 1e-9);
        hol_modes_destroy(found);
        close_motion(&o);
    }
}

// K over that of a sphere of the mean curvature: from tables of the elliptic integrals, to the four digits printed there.
static void hertz_knows_two_curvatures(void **state)
{
    (void)state;
    static const double rows[][2] = {{1, 1},          {1.709, 1.0060}, {2.843, 1.0227},
                                     {6.240, 1.0692}, {11.83, 1.1254}, {36.54, 1.2647}};
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        const double A = 0.3, B = A * rows[i][0], sphere = 4.0 / 3 * sqrt(1 / (2 * sqrt(A * B)));
        near("K", hol_hertz_stiffness(A, B) / sphere, rows[i][1], 6e-5);
    }
    near("K", hol_hertz_stiffness(1, 1.0001) / hol_hertz_stiffness(1, 1), pow(1.0001, -0.25), 1e-9);
    near("K", hol_hertz_stiffness(1, 1 + 1e-7) / hol_hertz_stiffness(1, 1), 1 - 0.25e-7, 1e-12);
}

// ---- several places -----------------------------------------------------------------------------------------------

// A ball on two planes, and in the hollow corner of one polygon, which has others behind it: the same, to the tolerance. A ball that meets a
// polygon in a side that two of its parts share meets a half-plane.
#define HOLLOW(ground, at, rest)                                                                             \
    "dimension: 2\ngravity: [0, -9.81]\nground: {shape: [" ground "]}\n"                                     \
    "bodies: [{name: b, mass: 0.5, inertia: 1e-3, position: " at ", omega: 2, shape: "                       \
    "{type: "                                                                                                \
    "sphere, radius: 0.1}}]\n"                                                                               \
    "contacts: [{name: k, between: [b, ground], stiffness: 1e5" rest "}]\n"                                  \
    "simulate: {end: 0.8, method: rk, tolerance: 1e-9, output: 0.8}\n"
#define LOSSY ", restitution: 0.5, friction: {coefficient: 0.2, transition: 0.01}"
#define TWO(left, right)                                                                                     \
    "{type: halfplane, name: a, angle: " left "}, {type: halfplane, name: c, angle: " right "}"

static void a_hollow_corner_is_two_planes(void **state)
{
    (void)state;
    static const struct {
        const char *what, *one, *two;
    } rows[] = {
        {"90 deg",
         HOLLOW("{type: polygon, points: [[0, 0], [1, 1], [1, -1], [-1, -1], [-1, 1]]}",
                "[0.05, 0.4], velocity: [0.3, 0]", LOSSY),
         HOLLOW(TWO("45 deg", "-45 deg"), "[0.05, 0.4], velocity: [0.3, 0]", LOSSY)},
        {"140 deg",
         HOLLOW("{type: polygon, points: [[0, 0], [-3*cos(20 deg), 3*sin(20 deg)], [-3, -1], [3, -1], "
                "[3*cos(20 deg), 3*sin(20 deg)]]}",
                "[0.05, 0.2], velocity: [0.3, 0]", LOSSY),
         HOLLOW(TWO("20 deg", "-20 deg"), "[0.05, 0.2], velocity: [0.3, 0]", LOSSY)},
        {"50 deg, between others",
         HOLLOW("{type: polygon, points: [[0, -0.1], [2*sin(25 deg), 2*cos(25 deg)-0.1], [0.9, 1], [1.5, 1], "
                "[1.5, -1], [-1.5, -1], [-1.5, 1], [-0.9, 1], [-2*sin(25 deg), 2*cos(25 deg)-0.1]]}",
                "[0.02, 0.3], velocity: [0.3, 0]", LOSSY),
         HOLLOW("{type: halfplane, name: a, angle: 65 deg, position: [0, -0.1]}, {type: halfplane, name: c, "
                "angle: -65 deg, position: [0, -0.1]}",
                "[0.02, 0.3], velocity: [0.3, 0]", LOSSY)},
        {"a side that two parts share",
         HOLLOW("{type: polygon, points: [[-2, 0], [-2, -3], [0, -1], [2, -3], [2, 0]]}",
                "[-0.4, 0.12], velocity: [0.3, 0]", ", restitution: 0.7"),
         HOLLOW("{type: halfplane}", "[-0.4, 0.12], velocity: [0.3, 0]", ", restitution: 0.7")},
        {"rolls on it",
         HOLLOW("{type: polygon, points: [[-1, 0], [-1, -3], [0, -1], [1, -3], [1, 0]]}",
                "[-0.4, 0.1-1e-4], velocity: [2, 0]", LOSSY),
         HOLLOW("{type: halfplane}", "[-0.4, 0.1-1e-4], velocity: [2, 0]", LOSSY)}};
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        if (!in_sample(i + 1, 1, 2)) continue; // 140 deg and the side that two parts share
        motion one = move(rows[i].one, NULL, 0), two = move(rows[i].two, NULL, 0);
        if (one.end || two.end) fail_msg("%s: %s", rows[i].what, hol_context_error(ctx));
        static const char *const signals[] = {"b.x", "b.y", "b.vx", "b.vy", "b.omega"};
        for (int k = 0; k < HOL_COUNT(signals); k++)
            near(rows[i].what, value_of(&one, signals[k]), value_of(&two, signals[k]), 2e-7);
        assert_true(hol_simulation_statistics(one.sim)->energy_drift_max < 1e-7);
        near(rows[i].what, hol_simulation_statistics(one.sim)->contact_damping,
             hol_simulation_statistics(two.sim)->contact_damping, 1e-6);
        close_motion(&one);
        close_motion(&two);
    }
}

// A polygon with points of its own that falls into a hollow one keeps its energy.
static void a_polygon_in_a_hollow_one_keeps_its_energy(void **state)
{
    (void)state;
    motion m =
        move("dimension: 2\ngravity: [0, -9.81]\nground: {shape: {type: polygon, points: [[0, 0], [1, 1], "
             "[1, -1], [-1, -1], [-1, 1]]}}\n"
             "bodies: [{name: b, mass: 0.5, inertia: 2e-3, position: [0.05, 0.4], omega: 3, shape: "
             "{type: polygon, points: [[0.1, 0], [0.03, 0.03], [0, 0.1], [-0.1, 0], [0, -0.1]]}}]\n"
             "contacts: [{name: k, between: [b, ground], stiffness: 1e6}]\n"
             "simulate: {end: 1, method: rk, tolerance: 1e-8, output: 1}\n",
             NULL, 0);
    if (m.end) fail_msg("%s", hol_context_error(ctx));
    assert_true(hol_simulation_statistics(m.sim)->energy_drift_max < 1e-6);
    assert_true(hol_simulation_statistics(m.sim)->contact_onsets > 4);
    close_motion(&m);
}

// In a bowl of radius R of twenty sides.
#define BOWL(R)                                                                                              \
    "parameters: {R: " R "}\n" HOLLOW("{type: polygon, points: [" RIM ", [-0.3, 0], [-0.3, -1], [0.3, -1], " \
                                      "[0.3, 0]]}",                                                          \
                                      "[0.01, 0.15]", LOSSY)
#define RIM                                                                                                  \
    "[R*cos(0 deg), -R*sin(0 deg)], [R*cos(9 deg), -R*sin(9 deg)], "                                         \
    "[R*cos(18 deg), -R*sin(18 deg)], [R*cos(27 deg), -R*sin(27 deg)], "                                     \
    "[R*cos(36 deg), -R*sin(36 deg)], [R*cos(45 deg), -R*sin(45 deg)], "                                     \
    "[R*cos(54 deg), -R*sin(54 deg)], [R*cos(63 deg), -R*sin(63 deg)], "                                     \
    "[R*cos(72 deg), -R*sin(72 deg)], [R*cos(81 deg), -R*sin(81 deg)], "                                     \
    "[R*cos(90 deg), -R*sin(90 deg)], [R*cos(99 deg), -R*sin(99 deg)], "                                     \
    "[R*cos(108 deg), -R*sin(108 deg)], [R*cos(117 deg), -R*sin(117 deg)], "                                 \
    "[R*cos(126 deg), -R*sin(126 deg)], [R*cos(135 deg), -R*sin(135 deg)], "                                 \
    "[R*cos(144 deg), -R*sin(144 deg)], [R*cos(153 deg), -R*sin(153 deg)], "                                 \
    "[R*cos(162 deg), -R*sin(162 deg)], [R*cos(171 deg), -R*sin(171 deg)], "                                 \
    "[R*cos(180 deg), -R*sin(180 deg)]"

// Of one line, arc or curve the nearest place alone pushes: a run ends where there are two, and not before.
static void one_line_in_two_places_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *what, *model;
        double by; // when it is refused [s]; 0: it is not
    } rows[] = {
        {"hollow",
         HOLLOW("{type: polyline, radius: 1 mm, points: [[1, 1], [0, 0], [-1, 1]]}",
                "[0.05, 0.4], velocity: [0.3, 0]", LOSSY),
         1},
        {"its outside",
         HOLLOW("{type: polyline, radius: 1 mm, points: [[1, -1], [0, 0], [-1, -1]]}",
                "[0.05, 0.15], velocity: [0.3, 0]", ""),
         0},
        {"two ends of a line",
         HOLLOW("{type: polyline, radius: 1 mm, points: [[-0.05, 0], [-0.5, -1], [0.5, -1], [0.05, 0]]}",
                "[0.001, 0.15]", LOSSY),
         1},
        {"a hollow of many sides", BOWL("0.2"), 0},
        {"its lips", BOWL("0.09"), 1},
        {"a wall at the beginning of a floor of short sides",
         HOLLOW("{type: polyline, radius: 1 mm, points: [[-0.1, 1], [-0.1, 0], [-0.06, 0], [-0.02, 0], "
                "[0.02, 0], "
                "[0.06, 0], [0.1, 0], [0.14, 0], [0.18, 0], [0.22, 0], [0.26, 0], [1, 0]]}",
                "[0.0012, 0.10095], velocity: [-0.002, 0]", ", restitution: 0.5"),
         0.11},
        {"a wall at its end",
         HOLLOW("{type: polyline, radius: 1 mm, points: [[-1, 0], [-0.26, 0], [-0.22, 0], [-0.18, 0], "
                "[-0.14, 0], "
                "[-0.1, 0], [-0.06, 0], [-0.02, 0], [0.02, 0], [0.06, 0], [0.1, 0], [0.1, 1]]}",
                "[-0.0012, 0.10095], velocity: [0.002, 0]", ", restitution: 0.5"),
         0.11},
        {"ends of an arc",
         HOLLOW("{type: arc, radius: 0.09, start: 180 deg, end: 360 deg}", "[0.001, 0.2]", LOSSY), 1},
        {"in an arc", HOLLOW("{type: arc, radius: 0.2, start: 180 deg, end: 360 deg}", "[0, 0]", ""), 0}};
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        motion m = move(rows[i].model, NULL, 0);
        if ((m.end == HOL_ERR_INTEGRATION) != (rows[i].by > 0) ||
            (m.end && hol_simulation_time(m.sim) > rows[i].by))
            fail_msg("%s: %d, %s", rows[i].what, m.end, hol_context_error(ctx));
        if (m.end) {
            expect_message("touches one shape of \"ground\" in two places at once");
            hol_context_clear(ctx);
        }
        close_motion(&m);
    }
}

// Nor do modes know of the second place.
static void modes_refuse_one_line_in_two_places(void **state)
{
    (void)state;
    static const char *const drawn[] = {
        HOLLOW("{type: polyline, radius: 1 mm, points: [[1, 1], [0, 0], [-1, 1]]}", "[0, 0.142]", ""),
        HOLLOW("{type: polyline, radius: 1 mm, points: [[1, 1], [0, 0], [-1, 1]]}", "[0.1, 0.242]", "")};
    for (int i = 0; i < HOL_COUNT(drawn); i++) {
        hol_model *model = load_model(drawn[i], NULL, 0);
        hol_modes *found = hol_modes_create(ctx, model, &(hol_modes_options){0});
        assert_int_equal(found == NULL, i == 0);
        if (!found) expect_message("modes: contacts.k: \"b\" touches one shape of \"ground\" in two places");
        hol_context_clear(ctx);
        hol_modes_destroy(found);
        hol_model_destroy(model);
    }
}

// Pin and slots without play, whose gaps are rounding while they slide along each other: the wheel turns by a quarter, less what the contacts give
// way: 3.8962e-4 rad by rk and by bdf at 1e-8.
static void a_pin_without_play_slides_in_its_slot(void **state)
{
    (void)state;
    static const char *const tolerances[] = {"simulate.tolerance=1e-2", "simulate.tolerance=1e-3",
                                             "simulate.tolerance=3e-4", "simulate.tolerance=1e-4",
                                             "simulate.tolerance=1e-5"};
    for (int i = 0; i < HOL_COUNT(tolerances); i++) {
        if (!in_sample(i, 1, 3)) continue;
        motion m = move("geneva_drive", &tolerances[i], 1);
        if (m.end) fail_msg("%s: %s", tolerances[i], hol_context_error(ctx));
        near(tolerances[i], value_of(&m, "wheel.theta"), -HOL_PI / 2 - 3.8962e-4, 1e-4);
        close_motion(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_of_rules_name_bodies),
        cmocka_unit_test(every_pair_meets_as_the_closed_forms_say),
        cmocka_unit_test(what_rests_on_curves_swings_as_the_closed_forms_say),
        cmocka_unit_test(hertz_knows_two_curvatures),
        cmocka_unit_test(a_hollow_corner_is_two_planes),
        cmocka_unit_test(a_polygon_in_a_hollow_one_keeps_its_energy),
        cmocka_unit_test(one_line_in_two_places_is_refused),
        cmocka_unit_test(modes_refuse_one_line_in_two_places),
        cmocka_unit_test(a_pin_without_play_slides_in_its_slot),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
