// Subsystems as mirror images: a file included as it is and as its mirror image moves alike. Every element type, every measure and every
// coordinate of a joint in the plane and in space, mirrored across each axis: signals are equal or opposite as theory.md, section 18, says.
#include "subsystems.h"
#include "harness.h"

#include "api/api.h"
#include "element/contact.h"
#include "holonom_analyses.h"
#include "holonom_draft.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ---- comparisons ------------------------------------------------------------------------------------------------

// The sign of a column under S: of vectors those of the axis at the end of its name, of turns the product of the other two. What has no
// axis is the same; so are coordinates of joints.
static int sign_of(const char *column, const int s[3], bool coordinate)
{
    static const char *const vectors[] = {"x",  "y",  "z",  "vx", "vy", "vz", "ax", "ay", "az",
                                          "Fx", "Fy", "Fz", "px", "py", "pz", "nx", "ny", "nz"},
                             *const turns[] = {"qx",  "qy",  "qz",  "wx", "wy", "wz",
                                               "alx", "aly", "alz", "Tx", "Ty", "Tz"};
    const char *word = strrchr(column, '.') + 1;
    const bool plane = strcmp(word, "theta") == 0 || strcmp(word, "omega") == 0 ||
                       strcmp(word, "alpha") == 0 || strcmp(word, "T") == 0;
    if (coordinate) return 1;
    for (int i = 0; i < HOL_COUNT(vectors); i++)
        if (strcmp(word, vectors[i]) == 0) return s[i % 3];
    for (int i = 0; i < HOL_COUNT(turns); i++)
        if (strcmp(word, turns[i]) == 0) return s[(i + 1) % 3] * s[(i + 2) % 3];
    return plane ? s[0] * s[1] : 1;
}

// All columns of `image.` against those of `file.`
static void compare_all(hol_simulation *sim, const hol_model_data *m, const char *image, const char *file,
                        const int s[3], const char *what, double allowed)
{
    const size_t n = strlen(file);
    int compared = 0;
    for (int i = 0; i < hol_simulation_signals(sim); i++) {
        const char *name = hol_simulation_signal_name(sim, i);
        char other[300], where[600];
        if (strncmp(name, file, n) != 0 || name[n] != '.') continue;
        snprintf(other, sizeof other, "%s%s", image, name + n);
        snprintf(where, sizeof where, "%s: %s", what, other);
        const double want = signal_value(sim, name), have = signal_value(sim, other);
        const int sign = strchr(name, '.') ? sign_of(name, s, is_coordinate(m, name)) : 1;
        near(where, have, sign * want, allowed * fmax(1, fabs(want)));
        compared++;
    }
    assert_true(compared > 20);
}

// ---- every element ----------------------------------------------------------------------------------------------

// The file as it is and mirrored across `axis`, in one model that its gravity does not break.
static void mirror_element(const hol_element_type *t, int dimension, int axis, int k)
{
    static char inner[TEXT];
    char outer[3000], what[200];
    bool coupled;
    const char *how = use_of(t, dimension, k, &coupled);
    int s[3] = {1, 1, 1};
    double g[3] = {1.1, -9.81, -3.7};
    s[axis] = -1;
    g[axis] = 0;
    write_element(t, dimension, how, "", coupled, inner);
    add_variables(t, dimension, coupled, inner);
    write_file(part, inner);
    snprintf(outer, sizeof outer,
             "dimension: %d\ngravity: [%g, %g%s%s]\n"
             "include:\n  - {file: part.yaml, as: o}\n  - {file: part.yaml, as: i, mirror: %c}\n"
             "simulate: {end: 0.04, step: 0.01, method: rk, output: 0.04, signals: [all, coordinates]}\n",
             dimension, g[0], g[1], dimension == 3 ? ", " : "",
             dimension == 3 ? (g[2] != 0 ? "-3.7" : "0") : "", "xyz"[axis]);
    snprintf(what, sizeof what, "%s %dD across %c", t->name, dimension, "xyz"[axis]);
    motion m = open_text(outer, NULL);
    const hol_status st = m.sim ? hol_simulation_run(m.sim) : HOL_ERR_MODEL;
    if (st) fail_msg("%s: %s\n%s", what, hol_context_error(ctx), inner);
    // where an event is located rounding goes further
    compare_all(m.sim, m.model->data, "i", "o", s, what, 1e-11);
    close_motion(&m);
}

// The potential of springs and stops is of the coordinate that their law has, with its turns, in images too: nothing is left for the work.
static void elastic_laws_of_images_do_no_work(void **state)
{
    static const char *const how[] = {
        "x", "y", "z", "x, keep_axes: yes", "y, keep_axes: yes", "z, keep_axes: yes"};
    (void)state;
    write_file(part,
               "dimension: 3\nbodies: [{name: b, mass: 2, inertia: [0.1, 0.2, 0.15], omega: [0, 0, 6]}]\n"
               "joints: [{name: j, between: [ground, b], type: revolute, stiffness: 0.05, angle: 1, "
               "limits: {range: [-8, 8], stiffness: 1e3}}]\n");
    for (int i = 0; i < HOL_COUNT(how); i++) {
        char text[300];
        snprintf(text, sizeof text,
                 "dimension: 3\ninclude: {file: part.yaml, as: p, mirror: %s}\n"
                 "simulate: {end: 3, method: rk, tolerance: 1e-9, signals: [energy]}\n",
                 how[i]);
        motion m = open_text(text, NULL);
        double least = value_of(&m, "energy.kinetic"), most = 0;
        for (bool done = false; !done;) {
            if (hol_simulation_step(m.sim, &done)) fail_msg("mirror: %s: %s", how[i], hol_context_error(ctx));
            near(how[i], value_of(&m, "energy.work"), 0, 1e-9);
            least = fmin(least, value_of(&m, "energy.kinetic"));
            most = fmax(most, value_of(&m, "energy.potential"));
        }
        close_motion(&m);
        if (!(most > 2 && least < 0.1))
            fail_msg("mirror: %s: no stop is met, %g J, %g J", how[i], most, least);
    }
}

// Who acts on a joint of an image from outside acts on the coordinate that he sees: the same as on that of the file, in space and with
// `keep_axes` its opposite. 2 kg m^2 that 3 N m drive, 0.1 N m brake by friction and 0.5 kg m^2 resist.
static void forces_from_outside_drive_what_they_see(void **state)
{
    (void)state;
    write_file(part, "dimension: 3\nbodies: [{name: b, mass: 1, inertia: [1, 1, 2]}]\n"
                     "joints: [{name: s, type: revolute, between: [ground, b]}]\n");
    motion m = open_text(
        "dimension: 3\ninclude:\n  - {file: part.yaml, as: o}\n  - {file: part.yaml, as: i, mirror: y}\n"
        "  - {file: part.yaml, as: k, mirror: y, keep_axes: yes}\n"
        "forces:\n"
        "  - {name: f0, type: torque, joint: o.s, value: 3}\n  - {name: f1, type: torque, joint: i.s, value: "
        "3}\n"
        "  - {name: f2, type: torque, joint: k.s, value: 3}\n"
        "  - {name: r0, type: friction, joint: o.s, coefficient: 0.1, radius: 0.1, transition: 1e-4}\n"
        "  - {name: r1, type: friction, joint: i.s, coefficient: 0.1, radius: 0.1, transition: 1e-4}\n"
        "  - {name: r2, type: friction, joint: k.s, coefficient: 0.1, radius: 0.1, transition: 1e-4}\n"
        "  - {name: p0, type: force, on: o.b, value: [10, 0, 0]}\n  - {name: p1, type: force, on: i.b, "
        "value: [10, 0, 0]}\n"
        "  - {name: p2, type: force, on: k.b, value: [10, 0, 0]}\n"
        "  - {name: w0, type: rotor, joint: o.s, inertia: 0.5}\n  - {name: w1, type: rotor, joint: i.s, "
        "inertia: 0.5}\n"
        "  - {name: w2, type: rotor, joint: k.s, inertia: 0.5}\n"
        "simulate: {end: 0.5, signals: [coordinates, o.b, i.b, k.b]}\n",
        NULL);
    if (!m.sim || hol_simulation_run(m.sim)) fail_msg("%s", hol_context_error(ctx));
    static const char *const joint[] = {"o.s.accel", "i.s.accel", "k.s.accel"}, *const body[] = {"o.b.wz",
                                                                                                 "i.b.wz",
                                                                                                 "k.b.wz"};
    for (int i = 0; i < 3; i++) near(joint[i], signal_value(m.sim, joint[i]), (3 - 0.1) / 2.5, 1e-6);
    for (int i = 0; i < 3; i++)
        near(body[i], signal_value(m.sim, body[i]), (i == 1 ? -1 : 1) * 0.5 * 2.9 / 2.5, 1e-3);
    close_motion(&m);
}

// With `keep_axes` others see angles the other way: so they see torques on them, what motors are commanded and have summed, what bristles
// hold. Torque times rate is the power whoever gave the torque; what has no direction, and bodies, are as without.
#define EVERY_LAW                                                                                            \
    "dimension: 3\nbodies:\n  - for: i in 1..7\n    name: b{i}\n    mass: 1\n    inertia: [1, 1, 2]\n"       \
    "    omega: [0, 0, 1]\n"                                                                                 \
    "joints:\n  - {name: given, type: revolute, between: [ground, b1], motor: {torque: 3}}\n"                \
    "  - {name: led, type: revolute, between: [ground, b2], motor: {angle: 0.5, kp: 20, ki: 4, kd: 2, "      \
    "max: 5}, armature: 0.1}\n"                                                                              \
    "  - {name: sprung, type: revolute, between: [ground, b3], stiffness: 5, angle: 0.2, damping: 0.3, "     \
    "preload: 1}\n"                                                                                          \
    "  - {name: held, type: revolute, between: [ground, b4], friction: {torque: 2}}\n"                       \
    "  - {name: slips, type: revolute, between: [ground, b5], friction: {torque: 2, transition: 0.1}}\n"     \
    "  - {name: stopped, type: revolute, between: [ground, b6], limits: {range: [-1, 0.1], stiffness: 500, " \
    "damping: 0.1}}\n"                                                                                       \
    "  - {name: driven, type: revolute, between: [ground, b7]}\n"                                            \
    "drivers: [{name: drive, type: angle, joint: driven, value: sin(time) + time^2}]\n"                      \
    "forces:\n  - {name: own, type: torque, joint: given, value: 0.5}\n"                                     \
    "  - {name: rubs, type: friction, joint: given, coefficient: 0.1, radius: 0.1, transition: 0.1}\n"

// The joint whose rate goes with what is called so; NULL: it is no torque in a joint.
static const char *joint_of(const char *object)
{
    static const char *const of[][2] = {{"drive", "driven"}, {"own", "given"}, {"rubs", "given"}};
    static char joint[40];
    for (int i = 0; i < HOL_COUNT(of); i++)
        if (strcmp(object, of[i][0]) == 0) return of[i][1];
    snprintf(joint, sizeof joint, "%.*s", (int)strcspn(object, "."), object);
    return joint;
}

static void compare_seen(const motion *m, const char *name, const char *as, int sign)
{
    static const char *const turned[] = {"angle",   "rate",     "accel",  "torque",
                                         "command", "integral", "bristle"};
    const size_t n = strlen(name);
    int opposite = 0, powers = 0;
    for (int i = 0; i < hol_simulation_signals(m->sim); i++) {
        const char *own = hol_simulation_signal_name(m->sim, i), *word = strrchr(own, '.');
        char other[200], joint[200];
        const bool placed =
            own[n] && own[n + 1] == 'b'; // bodies and reactions are elsewhere in another mirror
        if (strncmp(own, name, n) != 0 || own[n] != '.' || (sign > 0 && (placed || isupper(word[1]))))
            continue;
        bool turns = false;
        for (int k = 0; k < HOL_COUNT(turned); k++) turns = turns || strcmp(word + 1, turned[k]) == 0;
        snprintf(other, sizeof other, "%s%s", as, own + n);
        const double value = signal_value(m->sim, own), without = signal_value(m->sim, other);
        near(own, value, (turns ? sign : 1) * without, 1e-9 * fmax(1, fabs(without)));
        opposite += turns && value != 0;
        if (strcmp(word, ".power") != 0) continue;
        snprintf(other, sizeof other, "%.*s", (int)(word - own - (long)n - 1), own + n + 1);
        snprintf(joint, sizeof joint, "%s.%s.rate", name, joint_of(other));
        snprintf(other, sizeof other, "%.*s.torque", (int)(word - own), own);
        near(own, value, signal_value(m->sim, other) * signal_value(m->sim, joint), 1e-9);
        powers += value != 0;
    }
    if (opposite < 7 * 3 + 8 + 3 || powers < 8)
        fail_msg("%s: %d opposite, %d powers", name, opposite, powers);
}

static void torques_are_seen_on_the_angles_that_are_seen(void **state)
{
    (void)state;
    write_file(part, EVERY_LAW);
    write_file(middle, "dimension: 3\ninclude: {file: part.yaml, as: p, mirror: y, keep_axes: yes}\n");
    motion m = run_text("dimension: 3\ninclude:\n  - {file: part.yaml, as: i, mirror: y}\n"
                        "  - {file: part.yaml, as: k, mirror: y, keep_axes: yes}\n"
                        "  - {file: middle.yaml, as: m}\n"
                        "  - {file: middle.yaml, as: t, mirror: x, keep_axes: yes}\n"
                        "forces: [{name: out, type: torque, joint: k.given, value: 0.25},\n"
                        "  {name: in, type: torque, joint: i.given, value: -0.25},\n"
                        "  {name: mid, type: torque, joint: m.p.given, value: 0.25},\n"
                        "  {name: twice, type: torque, joint: t.p.given, value: -0.25}]\n"
                        "simulate: {end: 0.3, step: 0.01, method: rk, signals: [all, coordinates]}\n",
                        NULL);
    compare_seen(&m, "k", "i", -1);
    compare_seen(&m, "m.p", "i", -1);
    compare_seen(&m, "t.p", "i", 1); // the other way of the other way
    near("out", signal_value(m.sim, "out.torque"), 0.25, 0);
    near("power", signal_value(m.sim, "out.power"), 0.25 * signal_value(m.sim, "k.given.rate"), 1e-12);
    close_motion(&m);
}

// How far a driver reaches is told in the numbers of its file: two cranks of 2 m, 2.5 m apart, and a rod of the length it is drawn with.
static void drivers_reach_as_in_their_file(void **state)
{
    static const char *const mirror[] = {"", ", mirror: y", ", mirror: x"};
    hol_reach reach[HOL_COUNT(mirror)];
    (void)state;
    write_file(part,
               "dimension: 2\nbodies:\n"
               "  - {name: a, mass: 1, inertia: 1, angle: 100 deg, markers: {t: [2, 0]}}\n"
               "  - {name: c, mass: 1, inertia: 1, position: [2.5, 0], angle: 60 deg, markers: {t: [2, 0]}}\n"
               "joints:\n  - {name: p, type: revolute, between: [ground, a]}\n"
               "  - {name: q, type: revolute, between: [ground: [2.5, 0], c]}\n"
               "  - {name: r, type: distance, between: [a.t, c.t]}\n"
               "drivers: [{name: d, type: angle, joint: p, value: 100 deg + 0.1*time}]\n");
    for (int i = 0; i < HOL_COUNT(mirror); i++) {
        char text[200];
        snprintf(
            text, sizeof text,
            "dimension: 2\ngravity: [0, 0]\ninclude: [{file: part.yaml, as: o%s}]\nsimulate: {end: 0.1}\n",
            mirror[i]);
        hol_model *model = hol_model_parse(ctx, name_of_model, text, strlen(text), NULL, 0);
        hol_simulation *sim = model ? hol_kinematics_create(ctx, model) : NULL;
        if (!sim) fail_msg("%s", hol_context_error(ctx));
        assert_true(hol_kinematics_reach(sim, 0, &reach[i]));
        near("now", reach[i].now, 100 * acos(-1) / 180, 1e-12);
        near("least", reach[i].least, reach[0].least, 1e-9);
        near("most", reach[i].most, reach[0].most, 1e-9);
        hol_simulation_destroy(sim);
        hol_model_destroy(model);
    }
    // the rod and the other crank stretched: the tip is as far from the other bearing as both are long
    const double b = sqrt(pow(2.5 + 2 * cos(60 * acos(-1) / 180) - 2 * cos(100 * acos(-1) / 180), 2) +
                          pow(2 * sin(60 * acos(-1) / 180) - 2 * sin(100 * acos(-1) / 180), 2));
    const double close = acos((4 + 6.25 - pow(b - 2, 2)) / 10);
    near("least", reach[0].least, close, 1e-9);
    near("most", reach[0].most, 2 * acos(-1) - close, 1e-9);
}

static void every_element_moves_as_its_image(void **state)
{
    int n = 0;
    (void)state;
    for (const hol_element_type *const *t = hol_element_types; *t; t++)
        for (int d = 2; d <= 3; d++) {
            bool ignored;
            if ((*t)->role == HOL_ROLE_BODY || ((*t)->dimensions != 5 && (*t)->dimensions != d)) continue;
            if (!use_of(*t, d, 0, &ignored)) fail_msg("%s: say in this test how it is attached", (*t)->name);
            for (int k = 0; use_of(*t, d, k, &ignored); k++)
                for (int axis = 0; axis < d; axis++) {
                    const bool tyre = strcmp((*t)->name, "tyre") == 0; // its road is that of the world
                    if (tyre && (axis == d - 1 || (axis == 0 && strstr(use_of(*t, d, k, &ignored), "road:"))))
                        continue;
                    if (in_sample(n++, 2, 7)) mirror_element(*t, d, axis, k);
                }
        }
    assert_true(n > 120);
}

// 100 N/m times what a wheel at 0.4 m in its file is squeezed by, over a road at `level` with a bump of 0.2 m at x = 2: by hand.
static void roads_are_those_of_the_world(void **state)
{
    static const struct {
        const char *include;
        double load;
    } rows[] = {
        {"", 100 * (0.5 - 0.4 + 0.05)},
        {", at: [0, 0, 0.07]", 100 * (0.5 - 0.47 + 0.05)}, // the road does not rise with its wheel
        {", at: [2, 0, 0]", 100 * (0.5 - 0.4 + 0.05 + 0.2)},
        {", at: {position: [2, 0, 0], orientation: {rpy: [0, 0, 0.4]}}", 100 * (0.5 - 0.4 + 0.05 + 0.2)},
        {", at: [2, 0, 0], mirror: x", 100 * (0.5 - 0.4 + 0.05 + 0.2)},
        {", at: [0, 0, 0.8], mirror: z", 100 * (0.5 - 0.4 + 0.05)}}; // upside down: at 0.8 - 0.4
    (void)state;
    write_file(
        part,
        "dimension: 3\nbodies: [{name: hub, mass: 1e9, inertia: [1, 1, 1], position: [0, 0, 0.4]}]\n"
        "forces: [{name: tyre, type: tyre, on: hub, stiffness: 100, length: 0.5, level: 0.05, road: bump, "
        "middle: 2, height: 0.2, half_width: 0.5}]\n");
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        char text[500];
        snprintf(text, sizeof text,
                 "dimension: 3\ninclude: [{file: part.yaml, as: o%s}]\nvariables: [{name: load, value: "
                 "FZ(o.tyre)}]\n"
                 "simulate: {end: 1e-3, method: rk}\n",
                 rows[i].include);
        motion m = run_text(text, NULL);
        near(rows[i].include, signal_value(m.sim, "load"), rows[i].load, 1e-9);
        close_motion(&m);
    }
}

// Half-spaces and half-planes of ground and of bodies are solid on the side of the image, across any axis: balls bounce there alike.
static void what_is_solid_stays_on_its_side(void **state)
{
    static const char *const parts[2][2] = {
        {"dimension: 2\nground: {shape: [{name: fl, type: halfplane, position: [0.1, -0.2], angle: 0.3}]}\n"
         "bodies: [{name: ball, mass: 0.5, inertia: 0.01, position: [0, 0.3], velocity: [0.3, -2], shape: "
         "{type: sphere, radius: 0.1}}]\n"
         "contacts: [{name: floor, between: [ball, ground.fl], law: hertz, stiffness: 1e5, friction: {law: "
         "tanh, coefficient: 0.2, transition: 0.01}}]\n",
         "dimension: 2\nbodies:\n"
         "  - {name: plate, mass: 3, inertia: 2, angle: 0.2, shape: {name: fl, type: halfplane, position: "
         "[0.1, -0.2], angle: 0.3}}\n"
         "  - {name: ball, mass: 0.5, inertia: 0.01, position: [0, 0.3], velocity: [0.3, -2], shape: {type: "
         "sphere, radius: 0.1}}\n"
         "contacts: [{name: floor, between: [ball, plate], law: hertz, stiffness: 1e5, friction: {law: tanh, "
         "coefficient: 0.2, transition: 0.01}}]\n"},
        {"dimension: 3\nground: {shape: [{name: fl, type: halfspace, position: [0.1, 0, -0.2], orientation: "
         "{rpy: [0.3, 0.2, 0.1]}}]}\n"
         "bodies: [{name: ball, mass: 0.5, inertia: [0.01, 0.01, 0.01], position: [0, 0, 0.3], velocity: "
         "[0.3, 0.1, -2], shape: {type: sphere, radius: 0.1}}]\n"
         "contacts: [{name: floor, between: [ball, ground.fl], law: hertz, stiffness: 1e5, friction: {law: "
         "tanh, coefficient: 0.2, transition: 0.01}}]\n",
         "dimension: 3\nbodies:\n"
         "  - {name: plate, mass: 3, inertia: [2, 2, 2], orientation: {rpy: [0, 0.2, 0]}, shape: {name: fl, "
         "type: halfspace, position: [0.1, 0, -0.2], orientation: {rpy: [0.3, 0.2, 0.1]}}}\n"
         "  - {name: ball, mass: 0.5, inertia: [0.01, 0.01, 0.01], position: [0, 0, 0.3], velocity: [0.3, "
         "0.1, -2], shape: {type: sphere, radius: 0.1}}\n"
         "contacts: [{name: floor, between: [ball, plate], law: hertz, stiffness: 1e5, friction: {law: tanh, "
         "coefficient: 0.2, transition: 0.01}}]\n"}};
    static const char *const speed[3] = {"vx", "vy", "vz"};
    (void)state;
    for (int k = 0; k < 4; k++) {
        const int d = k / 2 + 2;
        double want[3];
        write_file(part, parts[k / 2][k % 2]);
        for (int axis = -1; axis < d; axis++) {
            char text[400], mirror[20] = "", name[40];
            if (axis >= 0) snprintf(mirror, sizeof mirror, ", mirror: %c", "xyz"[axis]);
            snprintf(text, sizeof text,
                     "dimension: %d\ngravity: %s\ninclude: [{file: part.yaml, as: o%s}]\n"
                     "simulate: {end: 0.5, method: rk, tolerance: 1e-8, signals: [all]}\n",
                     d, d == 2 ? "[0, 0]" : "[0, 0, 0]", mirror);
            motion m = run_text(text, NULL);
            for (int i = 0; i < d; i++) {
                snprintf(name, sizeof name, "o.ball.%s", speed[i]);
                if (axis < 0) want[i] = signal_value(m.sim, name);
                near(name, signal_value(m.sim, name), want[i] * (i == axis ? -1 : 1), 1e-6);
            }
            assert_true(want[d - 1] > -1); // it came with -2
            close_motion(&m);
        }
    }
}

// ---- nesting, places ----------------------------------------------------------------------------------------------

// The file twice mirrored across one axis is the file, to the last bit.
static void twice_mirrored_is_the_file(void **state)
{
    (void)state;
    for (int d = 2; d <= 3; d++)
        for (int axis = 0; axis < d; axis++) {
            char inner[200], twice[400], once[400];
            write_part(d);
            snprintf(inner, sizeof inner, "include: {file: part.yaml, as: i, mirror: %c}\n", "xyz"[axis]);
            write_file(middle, inner);
            snprintf(twice, sizeof twice,
                     "dimension: %d\ninclude: {file: middle.yaml, as: m, mirror: %c}\n" RUN, d, "xyz"[axis]);
            snprintf(once, sizeof once, "dimension: %d\ninclude: {file: part.yaml, as: o}\n" RUN, d);
            motion a = run_text(once, NULL), b = run_text(twice, NULL);
            const int n = hol_simulation_signals(a.sim);
            int same = 0;
            assert_int_equal(n, hol_simulation_signals(b.sim));
            for (int i = 0; i < n; i++) {
                const char *name = hol_simulation_signal_name(a.sim, i);
                char other[300];
                if (strncmp(name, "o.", 2) != 0) continue;
                snprintf(other, sizeof other, "m.i.%s", name + 2);
                const double want = signal_value(a.sim, name), have = signal_value(b.sim, other);
                if (memcmp(&want, &have, sizeof want) != 0)
                    fail_msg("%s: %.17g, not %.17g", other, have, want);
                same++;
            }
            assert_true(same > 100);
            close_motion(&a);
            close_motion(&b);
        }
}

// Two mirrors across different axes are half a turn about the third: signs multiply.
static void mirrors_within_mirrors_multiply(void **state)
{
    (void)state;
    for (int d = 2; d <= 3; d++) {
        int s[3] = {-1, -1, 1};
        char text[500];
        write_part(d);
        write_file(middle, "include: {file: part.yaml, as: i, mirror: x}\n");
        snprintf(text, sizeof text,
                 "dimension: %d\ngravity: [0, 0%s]\ninclude:\n  - {file: part.yaml, as: o}\n"
                 "  - {file: middle.yaml, as: m, mirror: y}\n" RUN,
                 d, d == 3 ? ", -4" : "");
        motion m = run_text(text, NULL);
        compare_all(m.sim, m.model->data, "m.i", "o", s, "x in y", 1e-11);
        close_motion(&m);
    }
}

// Numbered contacts of an image are the images of those of the file: k.3 has the gap and the force that k.3 has there. All of them
// press, so that bodies move as their images do.
static void contacts_have_the_numbers_of_their_images(void **state)
{
#define BODY2                                                                                                \
    "dimension: 2\nbodies: [{name: h, mass: 1, inertia: 0.2, position: [0.02, 0.1], velocity: [0.3, -1], "   \
    "omega: 2, angle: 8 deg, shape: "
#define BODY3                                                                                                \
    "dimension: 3\nbodies: [{name: h, mass: 1, inertia: [0.3, 0.4, 0.5], position: [0.02, 0.05, 0.1], "      \
    "velocity: [0.3, 0.2, -1], omega: [1, 2, 3], orientation: {rpy: [8 deg, 3 deg, 20 deg]}, shape: "
#define ON(ground, more)                                                                                     \
    "}]\nground: {shape: " ground "}\ncontacts: [{name: k, between: [h, ground], deepest: 5" more "}]\n"
#define HALF2 "{type: halfplane, angle: 5 deg}"
#define HALF3 "{type: halfspace, orientation: {rpy: [4 deg, 2 deg, 0]}}"
#define LINEAR ", stiffness: 1e3, exponent: 1.5, friction: {law: tanh, coefficient: 0.2, transition: 0.01}"
#define HOOK "[[-0.3, 0], [0.3, 0], [0.3, 0.5], [0.1, 0.5], [0.1, 0.2], [-0.1, 0.3], [-0.2, 0.1]]"
    static const struct {
        int dimension, contacts;
        const char *part;
    } rows[] = {
        {2, 4, BODY2 "{type: box, size: [0.5, 0.3]}" ON(HALF2, LINEAR)},
        {2, 8, BODY2 "{type: box, size: [0.5, 0.3]}" ON(HALF2, LINEAR ", points: 1")},
        {2, 8,
         BODY2 "{type: box, size: [0.5, 0.3], thickness: 0.2}" ON(
             HALF2, ", law: foundation, points: 2, stiffness: 1e4")},
        {2, 5,
         BODY2 "{type: polygon, points: [[0, -0.2], [0.2, 0], [0.3, 0.2], [-0.1, 0.3], [-0.3, 0]]}" ON(
             HALF2, LINEAR)},
        {2, 2, BODY2 "{type: capsule, radius: 0.1, length: 0.4}" ON(HALF2, LINEAR)},
        {2, 8, BODY2 "{type: box, size: [0.5, 0.3]}" ON("{type: box, size: [0.6, 0.2]}", LINEAR)},
        {2, 4, BODY2 "{type: sphere, radius: 0.1}" ON("{type: polygon, points: " HOOK "}", LINEAR)},
        {2, 3,
         BODY2 "{type: sphere, radius: 0.1}" ON("{type: polygon, points: [[-1, -1], [1, -1], [1, 0.3], [0.1, "
                                                "0.3], [0, 0], [-0.1, 0.3], [-1, 0.3]]}",
                                                LINEAR)},
        {3, 8, BODY3 "{type: box, size: [0.3, 0.4, 0.5]}" ON(HALF3, LINEAR)},
        {3, 26, BODY3 "{type: box, size: [0.3, 0.4, 0.5]}" ON(HALF3, LINEAR ", points: 1")},
        {3, 24,
         BODY3
         "{type: box, size: [0.3, 0.4, 0.5]}" ON(HALF3, ", law: foundation, points: 2, stiffness: 1e4")},
        {3, 2, BODY3 "{type: capsule, radius: 0.1, length: 0.4}" ON(HALF3, LINEAR)},
        {3, 2, BODY3 "{type: cylinder, radius: 0.2, length: 0.3, rim: 0.01}" ON(HALF3, LINEAR)},
        {3, 10,
         BODY3 "{type: cylinder, radius: 0.2, length: 0.3, rim: 0.01}" ON(HALF3, LINEAR ", points: 5")},
        {3, 52,
         BODY3 "{type: box, size: [0.3, 0.4, 0.5]}" ON("{type: box, size: [0.4, 0.6, 0.2]}",
                                                       LINEAR ", points: 1")}};
    (void)state;
    for (int r = 0; r < HOL_COUNT(rows); r++)
        for (int axis = 0; axis < rows[r].dimension; axis++) {
            char outer[500], what[60];
            const int d = rows[r].dimension;
            int s[3] = {1, 1, 1}, n = 0;
            s[axis] = -1;
            snprintf(what, sizeof what, "row %d across %c", r, "xyz"[axis]);
            write_file(part, rows[r].part);
            snprintf(outer, sizeof outer,
                     "dimension: %d\ngravity: %s\ninclude:\n  - {file: part.yaml, as: o}\n"
                     "  - {file: part.yaml, as: i, mirror: %c}\n"
                     "simulate: {end: 0.01, step: 0.001, method: rk, output: 0.01, signals: [all]}\n",
                     d, d == 2 ? "[0, 0]" : "[0, 0, 0]", "xyz"[axis]);
            motion m = run_text(outer, NULL);
            compare_all(m.sim, m.model->data, "i", "o", s, what, 1e-10);
            for (int i = 0; i < m.model->data->n_elements; i++)
                n += m.model->data->element[i].type == &hol_force_contact;
            if (n != 2 * rows[r].contacts) fail_msg("%s: %d contacts, not 2 * %d", what, n, rows[r].contacts);
            close_motion(&m);
        }
}

// ---- drafts, checkpoints, limits --------------------------------------------------------------------------------------

// A whole vehicle, of mirrored corners, mirrored once more: with the bump before its left wheels, and before the right ones of the image.
// Poses, at equal steps, are those of the image to rounding.
static void a_vehicle_moves_as_its_image(void **state)
{
    static const char *const set[] = {"simulate.method=rn4", "simulate.method=newmark"};
    static const int s[3] = {1, -1, 1};
    char text[2000], here[500];
    (void)state;
    assert_non_null(getcwd(here, sizeof here));
    snprintf(text, sizeof text,
             "dimension: 3\ngravity: [0, 0, -9.81]\nlength_scale: 1\ninclude:\n"
             "  - {file: %s/models/hmmwv.yaml, as: o, set: {right: 0}}\n"
             "  - {file: %s/models/hmmwv.yaml, as: i, mirror: y, set: {right: 0}}\n"
             "simulate: {end: 0.7, step: 0.01, signals: [poses]}\n",
             here, here);
    for (int k = 0; k < (few() ? 1 : HOL_COUNT(set)); k++) {
        int compared = 0;
        motion m = run_text(text, set[k]);
        for (int i = 0; i < hol_simulation_signals(m.sim); i++) {
            const char *name = hol_simulation_signal_name(m.sim, i);
            char other[200];
            if (strncmp(name, "o.", 2) != 0) continue;
            snprintf(other, sizeof other, "i.%s", name + 2);
            near(other, signal_value(m.sim, other), sign_of(name, s, false) * signal_value(m.sim, name),
                 1e-12);
            compared++;
        }
        assert_int_equal(compared, 14 * 7);
        near("it rolls", fabs(signal_value(m.sim, "o.chassis.qx")) > 1e-4, 1, 0);
        close_motion(&m);
    }
}

// ---- a suspension ------------------------------------------------------------------------------------------------------

// models/double_wishbone.yaml in the poses of tests/reference/double_wishbone.csv: closed-form intersections with one root. The right
// side, a mirror image, is with the rack to one side as the left one with the rack to the other.
static void a_wishbone_has_the_poses_of_others(void **state)
{
    static const char *const signal[] = {"upright.x", "upright.y", "upright.z", "toe", "camber", "rise"};
    double row[30][8];
    char line[400];
    int n = 0;
    (void)state;
    FILE *in = fopen("tests/reference/double_wishbone.csv", "r");
    assert_non_null(in);
    while (fgets(line, sizeof line, in)) {
        char *p = line;
        if (*line == '#') continue;
        for (int k = 0; k < 8; k++) row[n][k] = strtod(p, &p), p++;
        n++;
    }
    fclose(in);
    assert_int_equal(n, 27);
    for (int i = 0; i < n; i++) {
        char rack[60], travel[60];
        const char *const set[] = {rack, travel, "parameters.bump=0", "simulate.signals=[all]"};
        snprintf(rack, sizeof rack, "parameters.rack=%.17g", row[i][0]);
        snprintf(travel, sizeof travel, "parameters.travel=%.17g", row[i][1]);
        motion m = open_motion("double_wishbone", set, 4);
        for (int k = 0; k < n; k++)
            for (int side = 0; side < 2; side++)
                for (int j = 0;
                     j < 6 && row[k][1] == row[i][1] && row[k][0] == (side ? -row[i][0] : row[i][0]); j++) {
                    char name[60];
                    snprintf(name, sizeof name, "%s.%s", side ? "right" : "left", signal[j]);
                    near(name, signal_value(m.sim, name), side && j == 1 ? -row[k][3] : row[k][2 + j], 1e-11);
                }
        close_motion(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elastic_laws_of_images_do_no_work),
        cmocka_unit_test(forces_from_outside_drive_what_they_see),
        cmocka_unit_test(torques_are_seen_on_the_angles_that_are_seen),
        cmocka_unit_test(drivers_reach_as_in_their_file),
        cmocka_unit_test(every_element_moves_as_its_image),
        cmocka_unit_test(roads_are_those_of_the_world),
        cmocka_unit_test(what_is_solid_stays_on_its_side),
        cmocka_unit_test(twice_mirrored_is_the_file),
        cmocka_unit_test(mirrors_within_mirrors_multiply),
        cmocka_unit_test(contacts_have_the_numbers_of_their_images),
        cmocka_unit_test(a_vehicle_moves_as_its_image),
        cmocka_unit_test(a_wishbone_has_the_poses_of_others),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
