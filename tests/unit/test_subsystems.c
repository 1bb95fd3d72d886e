// Subsystems: a file included as it is and as its mirror image moves alike. Every element type, every measure and every coordinate of
// a joint in the plane and in space, mirrored across each axis: signals are equal or opposite as theory.md, section 18, says.
#include "attached.h"
#include "harness.h"

#include "api/api.h"
#include "holonom_analyses.h"
#include "holonom_draft.h"
#include "element/coordinate.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/holonom_subsystems_XXXXXX", part[80], middle[80], name_of_model[80];

static int begin(void **state)
{
    if (start(state) || !mkdtemp(folder)) return -1;
    snprintf(part, sizeof part, "%s/part.yaml", folder);
    snprintf(middle, sizeof middle, "%s/middle.yaml", folder);
    snprintf(name_of_model, sizeof name_of_model, "%s/model.yaml", folder);
    return 0;
}

static int end(void **state)
{
    remove(part);
    remove(middle);
    rmdir(folder);
    return stop(state);
}

static void write_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

// Variables for all coordinates of the element e, its force, and measures in turn.
static void add_variables(const hol_element_type *t, int dimension, bool coupled, char *out)
{
    static const char *const reaction[2][6] = {{"FX", "FY", "TZ", "FM", "TM"},
                                               {"FX", "FY", "FZ", "TX", "TY", "TZ"}};
    static const char *const arguments[] = {"b.m", "b.m, a.m", "b.m, a, c", "b, a.m, ground.g, c"};
    char *p = out + strlen(out);
    p += sprintf(p, "variables:\n");
    for (const hol_joint_coordinate *c = t->named[dimension - 2]; c && c->name; c++) {
        hol_measured ignored;
        int n;
        (void)hol_measured_find(c->name, 1, dimension, &ignored, &n);
        if (strcmp(t->name, "total") == 0 ||
            (strcmp(t->name, "parallel-axes") == 0 && strcmp(c->name, "angle") == 0))
            continue;
        p += sprintf(p, "  - {name: own_%s, value: e.%s}\n", c->name, c->name);
    }
    if (t->ends && t->role != HOL_ROLE_CONSTRAINT && t->role != HOL_ROLE_BODY)
        for (int i = 0; i < 6 && reaction[dimension - 2][i]; i++)
            p += sprintf(p, "  - {name: r%d, value: %s(e)}\n", i, reaction[dimension - 2][i]);
    if (coupled)
        p += sprintf(p, "  - {name: turn, value: c1.angle + c1.rate + c1.accel}\n  - {name: slide, value: "
                        "c3.stroke - c3.accel}\n");
    for (const hol_quantity_name *q = hol_quantity_names; q->name; q++)
        for (int n = 1; n <= q->max_markers; n++)
            if (q->dimensions == 5 || dimension == 3)
                p += sprintf(p, "  - {name: m%s%d, value: \"%s(%s)\"}\n", q->name, n, q->name,
                             arguments[n - 1]);
    for (const hol_measured_name *m = hol_measured_names; m->name; m++)
        if (dimension == 3 || (strcmp(m->name, "WDTM") != 0))
            p += sprintf(p, "  - {name: m%s, value: \"%s(b.m, a)\"}\n", m->name, m->name);
    p += sprintf(p, "states:\n  - {name: sum, rate: \"DY(b, a) + VX(c) + time\", initial: 0.1}\n");
    p += sprintf(
        p, "events:\n  - {name: later, when: time - 0.025, set: {gain: 2*gain, sum: \"sum + DY(c, b)\"}}\n");
    sprintf(p, "inputs:\n  - {name: gain, value: 0.5}\n");
}

// ---- comparisons ------------------------------------------------------------------------------------------------

// The sign of a column under S: of vectors those of the axis at the end of its name, of turns the product of the other two. What has no
// axis is the same; so are coordinates of joints.
static int sign_of(const char *column, const int s[3], bool coordinate)
{
    static const char *const vectors[] = {"x",  "y",  "z",  "vx", "vy", "vz",
                                          "ax", "ay", "az", "Fx", "Fy", "Fz"},
                             *const turns[] = {"qx",  "qy",  "qz",  "wx", "wy", "wz",
                                               "alx", "aly", "alz", "Tx", "Ty", "Tz"};
    const char *word = strrchr(column, '.') + 1;
    const bool plane = strcmp(word, "theta") == 0 || strcmp(word, "omega") == 0 ||
                       strcmp(word, "alpha") == 0 || strcmp(word, "T") == 0;
    if (coordinate) return 1;
    for (int i = 0; i < 12; i++) {
        if (strcmp(word, vectors[i]) == 0) return s[i % 3];
        if (strcmp(word, turns[i]) == 0) return s[(i + 1) % 3] * s[(i + 2) % 3];
    }
    return plane ? s[0] * s[1] : 1;
}

static bool is_coordinate(const hol_model_data *m, const char *column)
{
    char object[200];
    snprintf(object, sizeof object, "%.*s", (int)(strrchr(column, '.') - column), column);
    const int e = hol_model_find_element(m, object);
    return e >= 0 && hol_joint_coordinate_find(&m->element[e], m->dimension, strrchr(column, '.') + 1);
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

static motion open_text(const char *text, const char *set)
{
    motion a = {.model =
                    hol_model_parse(ctx, name_of_model, text, strlen(text), set ? &set : NULL, set != NULL)};
    if (a.model) a.sim = hol_simulation_create(ctx, a.model);
    return a;
}

static motion run_text(const char *text, const char *set)
{
    motion a = open_text(text, set);
    a.end = a.sim ? hol_simulation_run(a.sim) : HOL_ERR_MODEL;
    if (a.end) fail_msg("%s\n%s", hol_context_error(ctx), text);
    return a;
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
                    if (in_sample(n++, 3, 12)) mirror_element(*t, d, axis, k);
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

// A file with a joint, friction, a driver, all measures and blocks that use each other's outputs, in space or in the plane.
static void write_part(int dimension)
{
    static char inner[TEXT];
    const hol_element_type *friction = hol_element_find(HOL_ROLE_FORCE, dimension, "friction");
    snprintf(inner, sizeof inner,
             "%s%s  - {name: e, type: friction, joint: c2, coefficient: 0.3, radius: 0.2, transition: "
             "0.4}\n%sjoints:\n%s"
             "drivers: [{name: d, type: angle, joint: c2, value: k/100*sin(time)}]\n",
             bodies[dimension - 2], springs[dimension - 2], spline, hinges[dimension - 2]);
    add_variables(friction, dimension, true, inner);
    strcat(inner,
           "state_spaces: [{name: block, inputs: [\"DX(b, a)\", lag], outputs: [near, far], A: [[-3]], B: "
           "[[1, 2]], C: [[1], [2]], D: [[0, 0], [0.5, 0]]}]\n"
           "transfer_functions: [{name: lag, input: far + turn, numerator: [1], denominator: [0.1, 1]}]\n");
    write_file(part, inner);
}

#define RUN "simulate: {end: 0.04, step: 0.01, method: rk, output: 0.04, signals: [all, coordinates]}\n"

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

// What a file measures does not depend on where it is put, nor whether it is mirrored there: coordinates, variables, states.
static void a_file_reads_the_same_wherever_it_is(void **state)
{
    (void)state;
    for (int d = 2; d <= 3; d++) {
        char text[900];
        int compared = 0;
        write_part(d);
        write_file(
            middle,
            d == 2
                ? "include: {file: part.yaml, as: i, at: {position: [0.3, 0.2], angle: 90 deg}, mirror: x}\n"
                : "include: {file: part.yaml, as: i, mirror: x, at: {position: [0.3, 0.2, 0.1], orientation: "
                  "{rpy: [0, 90 deg, 0]}}}\n");
        snprintf(text, sizeof text,
                 "dimension: %d\ninclude:\n  - {file: part.yaml, as: o}\n"
                 "  - {file: middle.yaml, as: m, mirror: y, at: %s}\n" RUN,
                 d,
                 d == 2 ? "{position: [2, -1], angle: -180 deg}"
                        : "{position: [2, -1, 1], orientation: {rpy: [90 deg, 0, 0]}}");
        motion m = run_text(text, NULL);
        for (int i = 0; i < hol_simulation_signals(m.sim); i++) {
            const char *name = hol_simulation_signal_name(m.sim, i);
            char other[300], object[300];
            snprintf(object, sizeof object, "%.*s", (int)(strrchr(name, '.') ? strrchr(name, '.') - name : 0),
                     name);
            if (strncmp(name, "o.", 2) != 0 || hol_model_find_body(m.model->data, object) >= 0) continue;
            const bool variable = strcmp(object, "o") == 0;
            if (!variable && !is_coordinate(m.model->data, name)) continue;
            snprintf(other, sizeof other, "m.i.%s", name + 2);
            const double want = signal_value(m.sim, name);
            near(other, signal_value(m.sim, other), want, 1e-10 * fmax(1, fabs(want)));
            compared++;
        }
        assert_true(compared > 25);
        close_motion(&m);
    }
}

// ---- names ----------------------------------------------------------------------------------------------------------

#define ARM                                                                                                  \
    "parameters: {L: 0.5, m: 2}\nbodies:\n  - {name: rod, mass: m, inertia: 0.1, position: [L, 0], "         \
    "markers: {tip: [L, 0]}}\n"                                                                              \
    "joints:\n  - {name: pin, type: revolute, bodies: [../frame, rod], at: [0, 0]}\n"                        \
    "variables:\n  - {name: turn, value: pin.angle + offset}\n  - {name: height, value: \"DY(rod.tip, "      \
    "frame)\"}\n"                                                                                            \
    "events:\n  - {name: late, at: 0.01, set: {count: count + 1}}\n"
#define FRAME                                                                                                \
    "dimension: 2\ngravity: [0, -9.81]\nparameters: {count: 0, L: 3}\n"                                      \
    "include:\n  - {file: part.yaml, as: a, set: {L: L/10}}\n  - {file: part.yaml, as: b, mirror: x, "       \
    "keep_axes: yes}\n"                                                                                      \
    "bodies:\n  - {name: frame, mass: 1, inertia: 1}\njoints: [{name: weld, type: fixed, between: [ground, " \
    "frame]}]\n"                                                                                             \
    "variables:\n  - {name: offset, value: 10}\n  - {name: both, value: a.turn + b.turn + a.pin.angle}\n"    \
    "  - {name: seen, value: b.pin.angle}\n  - {name: counted, value: count}\n  - {name: apart, value: "     \
    "\"DX(a.rod.tip, b.rod)\"}\n"                                                                            \
    "forces: [{name: s, type: spring-damper, between: [a.rod.tip, b.rod.tip], stiffness: 3, length: "        \
    "0.1}]\n" RUN

// Inside first, then outside; with the name of the include from outside. Parameters are the file's own, `set` ones of the outer file.
static void names_mean_what_the_file_says(void **state)
{
    (void)state;
    write_file(part, ARM);
    motion m = run_text(FRAME, NULL);
    const double a = signal_value(m.sim, "a.pin.angle"), b = signal_value(m.sim, "b.pin.angle");
    near("a.turn", signal_value(m.sim, "a.turn"), a + 10, 1e-12);
    near("b.turn", signal_value(m.sim, "b.turn"), -b + 10, 1e-12); // keep_axes: others see the other sign
    near("seen", signal_value(m.sim, "seen"), b, 1e-12);
    near("b falls the other way", b > 0 && a < 0, 1, 0);
    near("both", signal_value(m.sim, "both"), 20 - b + 2 * a, 1e-12);
    near("counted", signal_value(m.sim, "counted"), 2, 0); // both files set what the outer one has
    near("a.rod", signal_value(m.sim, "a.rod.x"), 0.3 * cos(a), 1e-9);
    near("b.rod", signal_value(m.sim, "b.rod.x"), -0.5 * cos(b), 1e-9);
    near("height", signal_value(m.sim, "b.height"), signal_value(m.sim, "b.rod.tip.y"), 1e-12);
    near("apart", signal_value(m.sim, "apart"),
         signal_value(m.sim, "a.rod.tip.x") - signal_value(m.sim, "b.rod.x"), 1e-12);
    close_motion(&m);
    m = run_text(FRAME, "parameters.b.L=0.7");
    near("longer", signal_value(m.sim, "b.rod.x"), -0.7 * cos(signal_value(m.sim, "b.pin.angle")), 1e-9);
    close_motion(&m);
    static const char *const misspelt[][2] = {
        {"parameters.m=1", "a.m"}, {"parameters.aa.L=1", "a.L"}, {"parameters.b.l=1", "L"}};
    for (int i = 0; i < HOL_COUNT(misspelt); i++) {
        char words[100];
        snprintf(words, sizeof words, "did you mean \"%s\"?", misspelt[i][1]);
        assert_null(hol_model_parse(ctx, name_of_model, FRAME, strlen(FRAME), misspelt[i], 1));
        expect_message(words);
    }
    m = run_text(FRAME, "parameters.a.L=0.6"); // before what the include sets
    near("longer", signal_value(m.sim, "a.rod.x"), 0.6 * cos(signal_value(m.sim, "a.pin.angle")), 1e-9);
    close_motion(&m);
    m = run_text(FRAME, "bodies.b.rod.mass=5");
    close_motion(&m);
}

// ---- drafts, checkpoints, limits --------------------------------------------------------------------------------------

static void a_draft_sets_what_an_include_sets(void **state)
{
    (void)state;
    write_file(part, ARM);
    hol_draft *draft = hol_draft_parse(ctx, name_of_model, FRAME, strlen(FRAME));
    assert_non_null(draft);
    assert_int_equal(hol_draft_set(draft, "parameters.b.L=0.7"), HOL_OK);
    assert_int_equal(hol_draft_set(draft, "parameters.a.L=L/5"), HOL_OK);
    hol_model *model = hol_draft_compile(draft);
    if (!model) fail_msg("%s", hol_context_error(ctx));
    hol_simulation *sim = hol_simulation_create(ctx, model);
    near("b.rod.x", signal_value(sim, "b.rod.x"), -0.7, 1e-12);
    near("a.rod.x", signal_value(sim, "a.rod.x"), 0.6, 1e-12);
    hol_simulation_destroy(sim);
    hol_model_destroy(model);
    hol_draft_destroy(draft);
}

static void a_run_goes_on_from_its_checkpoint(void **state)
{
    char text[sizeof FRAME + 300] = FRAME, checkpoint[100], *at;
    const char *const set[] = {"simulate.end=0.3", "method=hht"};
    (void)state;
    write_file(part, ARM);
    while ((at = strstr(text, "file: part"))) { // by its whole name: the model of `resume` lies nowhere
        char tail[sizeof text];
        snprintf(tail, sizeof tail, "%s", at + strlen("file: part.yaml"));
        snprintf(at, sizeof text - (size_t)(at - text), "file: %s%s", part, tail);
    }
    snprintf(checkpoint, sizeof checkpoint, "%s/run.checkpoint", folder);
    resume(text, set, 1, checkpoint);
    resume(text, set, 2, checkpoint);
    remove(checkpoint);
}

// Files in each other, and files with units of their own, one more than is admitted.
static void limits_are_told(void **state)
{
    char path[30][100], text[3000];
    (void)state;
    for (int i = 0; i < 18; i++) {
        snprintf(path[i], sizeof path[i], "%s/deep%d.yaml", folder, i);
        snprintf(text, sizeof text, "units: {length: mm}\ninclude: {file: deep%d.yaml, as: in}\n", i + 1);
        write_file(path[i], i == 17 ? "bodies: [{name: b, mass: 1, inertia: 1}]\n" : strchr(text, '\n') + 1);
    }
    motion m = open_text("dimension: 2\ninclude: {file: deep1.yaml, as: in}\n", NULL);
    assert_null(m.model);
    expect_message("deep16.yaml:1:17: error: include: more than 16 files deep");
    hol_context_clear(ctx);
    snprintf(text, sizeof text, "dimension: 2\ninclude:\n");
    for (int i = 0; i < 15; i++) {
        write_file(path[i],
                   "units: {length: mm}\nbodies: [{name: b, mass: 1, inertia: 1, position: [1000, 0]}]\n");
        sprintf(text + strlen(text), "  - {file: deep%d.yaml, as: n%d}\n  - {file: deep0.yaml, as: m%d}\n", i,
                i, i);
    }
    m = open_text(text, NULL);
    assert_null(m.model);
    expect_message("include: more than 14 files have \"units:\" of their own");
    hol_context_clear(ctx);
    *strstr(text, "  - {file: deep14") = 0; // the same file many times counts once
    m = open_text(text, "simulate.end=1");
    if (!m.sim) fail_msg("%s", hol_context_error(ctx));
    near("n3.b.x", m.model->data->q0[m.model->data->body[hol_model_find_body(m.model->data, "n3.b")].q], 1,
         1e-15);
    close_motion(&m);
    for (int i = 0; i < 18; i++) remove(path[i]);
}

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

// ---- ground, pose, assemble -----------------------------------------------------------------------------------------

static void write_ball(const char *ground, const char *with, bool one)
{
    char inner[500];
    snprintf(inner, sizeof inner,
             "dimension: 3\n%sbodies: [{name: ball, mass: 0.5, position: [0, 0, 0.3], shape: {type: sphere, "
             "radius: 0.1}}]\ncontacts: [{name: floor, between: [ball, %s], law: hertz, stiffness: 1e5}]\n"
             "events: [{name: later, at: 0.1, off: %s}]\n",
             ground, with, one ? "floor" : "[floor.1, floor.2]");
    write_file(part, inner);
}

// A ball touches the ground that its file draws, and where that draws none that of the files around it. Events of the file take it off.
static void ground_is_what_the_file_draws(void **state)
{
    static const char own[] =
        "ground: {shape: [{name: flat, type: halfspace}, {name: wall, type: halfspace, position: [-1, 0, "
        "0], orientation: {rpy: [0, 90 deg, 0]}}]}\n",
                      one[] = "ground: {shape: {name: flat, type: halfspace}}\n",
                      road[] = "ground: {shape: {name: road, type: halfspace, position: [0, 0, -0.2]}}\n";
    static const struct {
        const char *inner, *with, *outer;
        int contacts; // of each ball
    } rows[] = {{own, "ground.flat", "", 1},   {one, "ground", "", 1},
                {one, "ground", road, 1},      {own, "ground", road, 2},
                {"", "ground", road, 1},       {"", "ground.road", road, 1},
                {one, "ground.road", road, 1}, {one, "../ground.road", road, 1},
                {one, "../ground", road, 3}}; // all that is there: the road and both floors
    (void)state;
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        char text[600];
        int n = 0;
        write_ball(rows[i].inner, rows[i].with, rows[i].contacts == 1);
        snprintf(text, sizeof text,
                 "dimension: 3\ngravity: [0, 0, -10]\n%sinclude:\n  - {file: part.yaml, as: l}\n"
                 "  - {file: part.yaml, as: r, at: [9, 0, 0.05]}\nsimulate: {end: 0.19, tolerance: 1e-8}\n",
                 rows[i].outer);
        motion m = open_text(text, NULL);
        if (!m.sim) fail_msg("%s", hol_context_error(ctx));
        for (int e = m.model->data->n_bodies; e < m.model->data->n_elements; e++)
            n += strstr(m.model->data->element[e].name, ".floor") != NULL;
        if (n != 2 * rows[i].contacts)
            fail_msg("%s, %s: %d contacts of two balls", rows[i].inner, rows[i].with, n);
        close_motion(&m);
    }
}

// An outer file names the shape that a file draws, as it names its markers; what it calls `ground` is all of it.
static void ground_of_a_file_has_its_name(void **state)
{
    static const struct {
        const char *with;
        int contacts;
    } rows[] = {{"ground.l.flat", 1}, {"ground", 2}};
    (void)state;
    write_file(part, "ground: {shape: {name: flat, type: halfspace}}\nbodies: []\n");
#define TWO_FLOORS                                                                                           \
    "dimension: 3\ninclude: [{file: part.yaml, as: l}, {file: part.yaml, as: r, at: [0, 0, -1]}]\n"          \
    "bodies: [{name: ball, mass: 1, position: [0, 0, 1], shape: {type: sphere, radius: 0.1}}]\n"             \
    "contacts: [{name: c, between: [ball, %s], law: hertz, stiffness: 1e5}]\nsimulate: {end: 1}\n"
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        char text[500];
        int n = 0;
        snprintf(text, sizeof text, TWO_FLOORS, rows[i].with);
        motion m = open_text(text, NULL);
        if (!m.sim) fail_msg("%s", hol_context_error(ctx));
        for (int e = m.model->data->n_bodies; e < m.model->data->n_elements; e++)
            n += m.model->data->element[e].name[0] == 'c';
        assert_int_equal(n, rows[i].contacts);
        close_motion(&m);
    }
    char text[500];
    snprintf(text, sizeof text, TWO_FLOORS, "ground.flat");
    assert_null(hol_model_parse(ctx, name_of_model, text, strlen(text), NULL, 0));
    expect_message("there are: l.flat, r.flat");
}

#define HANGING                                                                                              \
    "dimension: 2\nbodies: [{name: a, mass: 1, inertia: 1, position: [1, 0]}]\n"                             \
    "joints: [{name: h, type: revolute, between: [ground, a: [-1, 0]]}]\n"
#define PLACED                                                                                               \
    "dimension: 2\ninclude:\n  - {file: part.yaml, as: l}\n  - {file: part.yaml, as: r, mirror: y, "         \
    "at: {position: [2, -1], angle: 90 deg}, keep_axes: %s}\n%ssimulate: {end: 1, signals: [all, "           \
    "coordinates]}\n"

// `pose` of a file is in its axes, and `assemble` of its joints, wherever it is put: (x, y) is at (2 + y, -1 + x) in the mirrored one that is
// turned by a quarter. What the file around it says of the same holds.
static void pose_and_assemble_of_a_file_hold(void **state)
{
    static const struct {
        const char *inner, *keep, *outer;
        double angle, rate, seen_angle, seen_rate; // of the one, and of the image as it is seen
    } rows[] = {
        {"pose: {a: {position: [0.8, 0.6], angle: 0.643501108793284, velocity: [-1.2, 1.6], omega: 2}}\n",
         "no", "", 0.643501108793284, 2, 0.643501108793284, 2},
        {"assemble: {exact: {joints: [{joint: h, angle: 0.3, rate: 2}]}}\n", "no", "", 0.3, 2, 0.3, 2},
        {"assemble: {exact: {joints: [{joint: h, angle: 0.3, rate: 2}]}}\n", "yes", "", 0.3, 2, -0.3, -2},
        {"assemble: {exact: {joints: [{joint: h, angle: 0.3, rate: 2}]}}\n", "yes",
         "assemble: {exact: {joints: [{joint: r.h, rate: 5}, {joint: l.h, angle: 0.1}]}}\n", 0.1, 2, -0.3, 5},
        {"", "yes", "assemble: {exact: {joints: [{joint: r.h, angle: 0.4, rate: 5}]}}\n", 0, 0, 0.4, 5},
        {"pose: {a: {omega: 2}}\n", "no", "pose: {l.a: {omega: 3, velocity: [0, 3]}}\n", 0, 3, 0, 2}};
    (void)state;
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        char text[700];
        snprintf(text, sizeof text, HANGING "%s", rows[i].inner);
        write_file(part, text);
        snprintf(text, sizeof text, PLACED, rows[i].keep, rows[i].outer);
        motion m = open_text(text, NULL);
        if (!m.sim) fail_msg("%s\n%s", hol_context_error(ctx), text);
        const double file_angle = strcmp(rows[i].keep, "yes") ? rows[i].seen_angle : -rows[i].seen_angle;
        near("l.h.angle", signal_value(m.sim, "l.h.angle"), rows[i].angle, 1e-12);
        near("l.h.rate", signal_value(m.sim, "l.h.rate"), rows[i].rate, 1e-12);
        near("r.h.angle", signal_value(m.sim, "r.h.angle"), rows[i].seen_angle, 1e-12);
        near("r.h.rate", signal_value(m.sim, "r.h.rate"), rows[i].seen_rate, 1e-12);
        near("l.a.x", signal_value(m.sim, "l.a.x"), cos(rows[i].angle), 1e-12);
        near("l.a.y", signal_value(m.sim, "l.a.y"), sin(rows[i].angle), 1e-12);
        near("r.a.x", signal_value(m.sim, "r.a.x"), 2 + sin(file_angle), 1e-12);
        near("r.a.y", signal_value(m.sim, "r.a.y"), -1 + cos(file_angle), 1e-12);
        close_motion(&m);
    }
}

// In space: the pose of a body of the file, as it is placed when it is drawn there.
static void a_pose_is_placed_as_what_is_drawn(void **state)
{
    static const char frame[] =
        "position: [1, 2, 3], orientation: {rpy: [0.3, 0.5, 0.7]}, velocity: [4, 5, 6], omega: [7, 8, 9]";
    static const char *const column[] = {"x",  "y",  "z",  "qw", "qx", "qy", "qz",
                                         "vx", "vy", "vz", "wx", "wy", "wz"};
    char text[600];
    (void)state;
    snprintf(text, sizeof text,
             "dimension: 3\nbodies:\n  - {name: a, mass: 1, inertia: [1, 1, 1], %s}\n"
             "  - {name: b, mass: 1, inertia: [1, 1, 1]}\npose: {b: {%s}}\n",
             frame, frame);
    write_file(part, text);
    motion m =
        open_text("dimension: 3\ninclude: {file: part.yaml, as: r, mirror: y, at: {position: [2, -1, 4], "
                  "orientation: {rpy: [0.2, 0.4, 0.6]}}}\nsimulate: {end: 1, signals: [all]}\n",
                  NULL);
    if (!m.sim) fail_msg("%s", hol_context_error(ctx));
    for (int i = 0; i < HOL_COUNT(column); i++) {
        char drawn[40], posed[40];
        snprintf(drawn, sizeof drawn, "r.a.%s", column[i]);
        snprintf(posed, sizeof posed, "r.b.%s", column[i]);
        near(posed, signal_value(m.sim, posed), signal_value(m.sim, drawn), 1e-14);
    }
    close_motion(&m);
}

static int told;
static void count_outer(void *user, hol_severity severity, const char *text)
{
    (void)user;
    told += severity == HOL_WARNING &&
            strstr(text, "a body of a file around this one, is in the frame of that body");
}

// A point of an outer body reads as a place of the file, and is none where the file is put elsewhere: that is told, unless it is said to be
// meant, or nothing is moved.
static void a_point_of_an_outer_body_is_told(void **state)
{
    static const struct {
        const char *end, *put;
        int told;
    } rows[] = {{"c: [1, 0]", ", at: {position: [3, 0]}", 1},
                {"c: [1, 0]", "", 0},
                {"c: [1, 0]", ", mirror: y", 0},
                {"../c: [1, 0]", ", at: {position: [3, 0]}", 0},
                {"c.m", ", at: {position: [3, 0]}", 0}};
    (void)state;
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        char inner[300], outer[400];
        snprintf(inner, sizeof inner,
                 "bodies: [{name: b, type: point, mass: 1, position: [2, 0]}]\n"
                 "joints: [{name: rod, type: distance, between: [%s, b]}]\n",
                 rows[i].end);
        write_file(part, inner);
        snprintf(outer, sizeof outer,
                 "dimension: 2\nbodies: [{name: c, mass: 1, inertia: 1, markers: {m: [1, 0]}}]\n"
                 "include: {file: part.yaml, as: i%s}\nsimulate: {end: 1}\n",
                 rows[i].put);
        told = 0;
        hol_context_set_log(ctx, count_outer, NULL);
        motion m = open_text(outer, NULL);
        hol_context_set_log(ctx, NULL, NULL);
        if (!m.sim) fail_msg("%s", hol_context_error(ctx));
        if (told != rows[i].told) fail_msg("%s%s: told %d times", rows[i].end, rows[i].put, told);
        close_motion(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_from_outside_drive_what_they_see),
        cmocka_unit_test(torques_are_seen_on_the_angles_that_are_seen),
        cmocka_unit_test(drivers_reach_as_in_their_file),
        cmocka_unit_test(every_element_moves_as_its_image),
        cmocka_unit_test(roads_are_those_of_the_world),
        cmocka_unit_test(what_is_solid_stays_on_its_side),
        cmocka_unit_test(twice_mirrored_is_the_file),
        cmocka_unit_test(mirrors_within_mirrors_multiply),
        cmocka_unit_test(a_file_reads_the_same_wherever_it_is),
        cmocka_unit_test(names_mean_what_the_file_says),
        cmocka_unit_test(a_draft_sets_what_an_include_sets),
        cmocka_unit_test(a_run_goes_on_from_its_checkpoint),
        cmocka_unit_test(limits_are_told),
        cmocka_unit_test(ground_is_what_the_file_draws),
        cmocka_unit_test(ground_of_a_file_has_its_name),
        cmocka_unit_test(pose_and_assemble_of_a_file_hold),
        cmocka_unit_test(a_pose_is_placed_as_what_is_drawn),
        cmocka_unit_test(a_point_of_an_outer_body_is_told),
        cmocka_unit_test(a_vehicle_moves_as_its_image),
        cmocka_unit_test(a_wishbone_has_the_poses_of_others),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
