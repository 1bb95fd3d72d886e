// Coordinates of joints by name: hinge.angle, slide.speed. Their values against those of others at given poses, the same in
// results and in expressions, full turns counted by every form of every method.
#include "method_forms.h"

#include "element/coordinate.h"

#include <math.h>
#include <stdlib.h>

static char folder[] = "/tmp/holonom_coordinates_XXXXXX", file[60], checkpoint[60];

static int begin(void **state) { return start(state) || make_results(folder, file, checkpoint); }

static int end(void **state)
{
    stop(state);
    return remove_results(folder, file, checkpoint);
}

// ---- values of others -----------------------------------------------------------------------------------------

enum { FRAME = 19, MOST = 3 };

// q = (p, e), and its derivatives: e' = E(e)^T w/2, e'' = E(e)^T wd/2 - |w|^2 e/4
static void place_body(const double *f, hol_real *q, hol_real *v, hol_real *a)
{
    const double *e = f + 3, *w = f + 10, *wd = f + 16, ww = w[0] * w[0] + w[1] * w[1] + w[2] * w[2];
    hol_real p[4], E[3][4];
    for (int i = 0; i < 4; i++) p[i] = e[i];
    hol_global_rate(p, E);
    for (int i = 0; i < 3; i++) q[i] = f[i], v[i] = f[7 + i], a[i] = f[13 + i];
    for (int j = 0; j < 4; j++) {
        q[3 + j] = e[j], v[3 + j] = 0, a[3 + j] = -ww * e[j] / 4;
        for (int i = 0; i < 3; i++) {
            v[3 + j] += E[i][j] * w[i] / 2;
            a[3 + j] += E[i][j] * wd[i] / 2;
        }
    }
}

static double measure(const hol_element *joint, const char *name, const double *frames)
{
    static const int slots[3] = {-1, -1, -1};
    const hol_shape shape = {0, 0, 0};
    const hol_joint_coordinate *c = hol_joint_coordinate_find(joint, 3, name);
    hol_real y[15] = {0}, w[15] = {0}, b[15] = {0}, x[HOL_NUM_MAX];
    if (!c) fail_msg("%s has no %s", joint->type->name, name);
    for (int i = 0; i < 2; i++) place_body(frames + FRAME * i, y + 7 * i, w + 7 * i, b + 7 * i);
    w[14] = 1;
    const hol_quantity q = hol_joint_quantity(joint, 3, c);
    hol_quantity_eval(&q, &shape, 15, y, w, b, NULL, NULL, slots, x);
    return hol_re(x[0]);
}

// Angles to whole turns: what counts them has seen no motion here.
static void compare(const hol_element *joint, const char *name, const double *frames, double want)
{
    const double have = measure(joint, name, frames), turn = 2 * HOL_PI;
    const hol_joint_coordinate *c = hol_joint_coordinate_find(joint, 3, name);
    const double off = have - want, whole = hol_joint_coordinate_turns(c, 3) ? turn * rint(off / turn) : 0;
    near(name, off - whole, 0, 1e-12 * fmax(1, fabs(want)));
}

static void poses_of_others(void **state)
{
    static const struct {
        const char *type, *name[3 * MOST];
    } rows[] = {{"revolute", {"angle", "rate", "accel"}},
                {"translational", {"stroke", "speed", "accel"}},
                {"cylindrical", {"angle", "rate", "angle_accel", "stroke", "speed", "stroke_accel"}},
                {"screw", {"angle", "rate", "angle_accel"}},
                {"planar", {"x", "vx", "ax", "y", "vy", "ay", "angle", "rate", "accel"}},
                {"universal", {"angle1", "rate1", "accel1", "angle2", "rate2", "accel2"}},
                {"spherical",
                 {"rx", "rx_rate", "rx_accel", "ry", "ry_rate", "ry_accel", "rz", "rz_rate", "rz_accel"}}};
    static const char model[] =
        "dimension: 3\ngravity: [0, 0, 0]\nbodies:\n"
        "  - {name: a, mass: 1, inertia: [1, 1, 1]}\n  - {name: b, mass: 1, inertia: [1, 1, 1]}\n"
        "joints: [{name: j, type: fixed, between: [a, b]}]\nsimulate: {end: 1, step: 1}\n";
    FILE *in = fopen("tests/reference/joints.csv", "r");
    char line[2000];
    int n = 0;
    (void)state;
    assert_non_null(in);
    while (fgets(line, sizeof line, in)) {
        double x[2 * FRAME + 3 * MOST] = {0};
        int count = 0, k = 0;
        if (*line == '#') continue;
        const char *type = strtok(line, ",\n");
        for (const char *word; (word = strtok(NULL, ",\n"));) x[count++] = strtod(word, NULL);
        hol_model_data *m = compile(model, NULL, 0);
        hol_element joint = m->element[m->n_elements - 1];
        for (const hol_element_type *const *t = hol_element_types; *t; t++)
            if (strcmp((*t)->name, type) == 0) joint.type = *t;
        while (strcmp(rows[k].type, type) != 0) assert_true(++k < HOL_COUNT(rows));
        for (int i = 0; i < count - 2 * FRAME; i++) compare(&joint, rows[k].name[i], x, x[2 * FRAME + i]);
        hol_model_free(m);
        n++;
    }
    fclose(in);
    assert_int_equal(n, 11);
}

// ---- results and expressions --------------------------------------------------------------------------------------

#define BODY_IN_SPACE(name)                                                                                  \
    "  - {name: " name ", mass: 1.3, inertia: [0.1, 0.2, 0.25], position: [0.3, -0.2, 0.5],\n"               \
    "     orientation: {rpy: [0.4, -0.3, 0.8]}, velocity: [0.1, 0.2, -0.1], omega: [0.4, -0.7, 0.9]}\n"

// Every joint that names coordinates, in every dimension: each of them is a column and a value in expressions, the same; drawn with
// `bodies: at:` each angle, stroke and displacement is 0.
static void expect_names(const hol_element_type *type, int dimension)
{
    static const char *const head[2] = {"dimension: 2\ngravity: [0, -9.81]\nbodies:\n"
                                        "  - {name: a, mass: 1.3, inertia: 0.2, position: [0.3, -0.2], "
                                        "angle: 0.4, velocity: [0.1, 0.2], omega: 0.9}\n"
                                        "  - {name: b, mass: 1.1, inertia: 0.3, position: [0.7, 0.4], angle: "
                                        "-0.3, velocity: [0.3, 0], omega: -0.5}\n",
                                        "dimension: 3\ngravity: [0, 0, -9.81]\nbodies:\n" BODY_IN_SPACE("a")
                                            BODY_IN_SPACE("b")};
    const hol_element like = {.type = type};
    char text[6000], where[200];
    const bool apart = strchr("rd", *type->name) && type->named[dimension - 2] != hol_coordinates_turn;
    snprintf(where, sizeof where,
             apart || strcmp(type->name, "total") == 0 || strcmp(type->name, "universal") == 0
                 ? "between: [a: %s, b: %s]"
                 : "between: [a, b]",
             dimension == 2 ? "[0.1, 0]" : "[0.1, 0, 0]", dimension == 2 ? "[-0.3, 0.4]" : "[-0.3, 0.4, 0]");
    int n = snprintf(text, sizeof text, "%sjoints: [{name: j, type: %s, %s%s}]\nvariables:\n",
                     head[dimension - 2], type->name, where,
                     strcmp(type->name, "total") == 0   ? dimension == 2 ? ", hold: x" : ", hold: rx ry"
                     : strcmp(type->name, "screw") == 0 ? ", pitch: 0.1"
                                                        : "");
    for (const hol_joint_coordinate *c = hol_joint_coordinates(&like, dimension); c->name; c++)
        n += snprintf(text + n, sizeof text - (size_t)n, "  - {name: own_%s, value: j.%s}\n", c->name,
                      c->name);
    snprintf(text + n, sizeof text - (size_t)n,
             "simulate: {end: 0.2, step: 0.01, method: rk, signals: [coordinates, all]}\n");
    motion m = move(text, NULL, 0);
    if (m.end) fail_msg("%s in %dD: %s\n%s", type->name, dimension, hol_context_error(ctx), text);
    for (const hol_joint_coordinate *c = hol_joint_coordinates(&like, dimension); c->name; c++) {
        char column[60], own[60];
        snprintf(column, sizeof column, "j.%s", c->name);
        snprintf(own, sizeof own, "own_%s", c->name);
        const double x = value_of(&m, column);
        near(own, value_of(&m, own), x, 1e-10 * fmax(1, fabs(x)));
    }
    close_motion(&m);
}

static void results_and_expressions_have_every_coordinate(void **state)
{
    int n = 0;
    (void)state;
    for (const hol_element_type *const *t = hol_element_types; *t; t++)
        for (int d = 2; d <= 3; d++)
            if ((*t)->named[d - 2]) expect_names(*t, d), n++;
    assert_true(n >= 20);
}

// ---- full turns -----------------------------------------------------------------------------------------------

// Euler parameters (0.8, 0.6, 0, 0) have the z axis (0, -0.96, 0.28).
#define OBLIQUE                                                                                              \
    "dimension: 3\nlength_scale: 1\n"                                                                        \
    "ground: {markers: {o: {position: [0.2, 0.1, -0.3], orientation: {quat_wxyz: [0.8, 0.6, 0, 0]}}}}\n"     \
    "bodies: [{name: rod, mass: 1, inertia: [1, 1, 1], position: [0.2, 0.1, -0.3], "                         \
    "orientation: {quat_wxyz: [0.8, 0.6, 0, 0]}, omega: [0, -0.96*rate, 0.28*rate], "                        \
    "markers: {tip: [0.7, 0.1, 0.2]}}]\n"                                                                    \
    "joints: [{name: hinge, type: revolute, between: [ground.o, rod]}]\n"                                    \
    "variables:\n"                                                                                           \
    "  - {name: around, value: \"AZ(rod.tip, ground.o)\"}\n"

// Known: an angle that a driver turns evenly, whatever the steps are.
#define DRIVEN                                                                                               \
    "gravity: [0, 0, -9.81]\nparameters: {turns: %g, idle: 0, rate: 2*pi*turns/10}\n" OBLIQUE                \
    "drivers: [{name: motor, type: angle, joint: hinge, value: rate*time}]\n"                                \
    "events: [{name: often, every: 1.7, set: {idle: 1 - idle}}]\n"                                           \
    "simulate: {end: 10, output: 2.5, signals: [coordinates, all]}\n"

// Known: q'' = 100 (40 - q) - 20 q' from rest is q = 40 (1 - (1 + 10 t) exp(-10 t)). `sum` is the integral of the rate, which has no
// turns to count.
#define CONTROLLED(end)                                                                                      \
    "gravity: [0, 0, 0]\nparameters: {rate: 0}\n" OBLIQUE                                                    \
    "  - {name: u, value: 100*(40 - hinge.angle) - 20*hinge.rate}\n"                                         \
    "forces: [{name: pd, type: torque, on: rod, value: [0, -0.96*u, 0.28*u]}]\n"                             \
    "states: [{name: sum, rate: hinge.rate, initial: 0}]\n"                                                  \
    "simulate: {end: " end ", output: 0.001, signals: [coordinates, all]}\n"

// The count of an angle, and that of the same angle measured elsewhere, against what they must be; less its turns the angle is that of
// the pose of this row, up to what rounding leaves of it.
// Without turns: -y2.x1 and y2.y1 of the body's Euler parameters in the row.
static double angle_of_pose(const motion *m)
{
    static const double back[4] = {0.8, -0.6, 0, 0};
    const double p[4] = {value_of(m, "rod.qw"), value_of(m, "rod.qx"), value_of(m, "rod.qy"),
                         value_of(m, "rod.qz")};
    double relative[4], R[9];
    hol_quat_multiply(back, p, relative);
    hol_quat_matrix(relative, R);
    return atan2(-R[1], R[4]);
}

static void expect_angle(const form *f, const motion *m, double want, double allowed)
{
    static const double turn = 2 * HOL_PI;
    const double have = value_of(m, "hinge.angle"), pose = angle_of_pose(m),
                 off = have - pose - turn * rint((have - pose) / turn), around = value_of(m, "around");
    if (!(fabs(have - want) <= allowed)) fail_msg("%s: angle %.17g, must be %.17g", f->set, have, want);
    if (!(fabs(off) <= 1e-12 + 2.3e-16 * fabs(have))) fail_msg("%s: pose off by %.3e", f->set, off);
    if (!(fabs(around - have) <= 1e-6)) fail_msg("%s: AZ is %.17g, angle %.17g", f->set, around, have);
}

static void turns_are_counted_by_every_form(void **state)
{
    int counted = 0;
    (void)state;
    for (form f = {0}; next_form(&f);) {
        const double turns = goes_far() ? 1000 : f.index == 0 && !few() ? 100 : 10;
        char model[sizeof DRIVEN + 40];
        if (!tried(&f)) continue;
        snprintf(model, sizeof model, DRIVEN, turns);
        motion m = open_somehow(&f, model, 10 / (40 * turns), 1e-3, "");
        if (!m.sim) continue;
        const hol_status st = hol_simulation_run(m.sim);
        const bool drifts = st && strstr(hol_context_error(ctx), "no longer hold it"); // index 1 and 2
        if (st && !drifts) fail_msg("%s: %s", f.set, hol_context_error(ctx));
        if (!st) expect_angle(&f, &m, 2 * HOL_PI * turns, 1e-3);
        close_motion(&m);
        counted += !st;
    }
    assert_true(counted > 10);
}

// The largest error of the angle and of its integral, row by row.
static hol_status follow_controller(const form *f, motion *m, double *error)
{
    bool done = false;
    *error = 0;
    while (!done) {
        const hol_status st = hol_simulation_step(m->sim, &done);
        const double t = hol_simulation_time(m->sim), q = 40 * (1 - (1 + 10 * t) * exp(-10 * t));
        if (st) return st;
        expect_angle(f, m, q, HOL_PI);
        *error = fmax(*error, fabs(value_of(m, "hinge.angle") - q));
        *error = fmax(*error, fabs(value_of(m, "sum") - value_of(m, "hinge.angle")));
    }
    return HOL_OK;
}

// To a tolerance of the 40 rad turned through, or refused for the energy that a variant of a paper loses.
static void a_controller_goes_beyond_half_a_turn(void **state)
{
    int taken = 0;
    (void)state;
    for (form f = {0}; next_form(&f);) {
        double error;
        if (!tried(&f) || (!goes_far() && f.index % 4 != 0)) continue;
        motion m =
            open_form(&f, CONTROLLED("1"),
                      few() ? "simulate.tolerance=1e-3 simulate.end=0.2 " : "simulate.tolerance=1e-3 ");
        if (!m.sim) continue;
        const hol_status st = follow_controller(&f, &m, &error);
        if (st && !strstr(hol_context_error(ctx), "lost or made by errors"))
            fail_msg("%s: %s", f.set, hol_context_error(ctx));
        if (!st && !(error <= 40 * 1e-3)) fail_msg("%s: off by %g", f.set, error);
        close_motion(&m);
        taken += !st;
    }
    assert_true(taken > 10);
}

// Two wheels, coupled 1 : 2, that turn by 160 and 320 turns a second; joint_bdf takes eight turns a step. A coupler that remembered its
// angles alone ended 0.8 and 0.4 turns off.
static void coupled_wheels_turn_many_times_a_step(void **state)
{
    static const char model[] =
        "dimension: 3\ngravity: [0, 0, 0]\nbodies:\n"
        "  - {name: a, mass: 1, inertia: [1, 1, 1], omega: [0, 0, 1000]}\n"
        "  - {name: b, mass: 1, inertia: [1, 1, 1], position: [0, 2, 0], omega: [0, 0, 2000]}\n"
        "joints:\n  - {name: one, type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: [0, 0, 1]}\n"
        "  - {name: two, type: revolute, bodies: [ground, b], at: [0, 2, 0], axis: [0, 0, 1]}\n"
        "  - {name: gears, type: coupler, joints: [two, one], ratios: [1, -2]}\n"
        "simulate: {end: 1, method: joint_bdf, tolerance: 1e-4, signals: [coordinates]}\n";
    (void)state;
    motion m = move(model, NULL, 0);
    if (m.end) fail_msg("%s", hol_context_error(ctx));
    near("one", value_of(&m, "one.angle"), 1000, 1e-9);
    near("two", value_of(&m, "two.angle"), 2000, 1e-9);
    close_motion(&m);
}

// A motor of 4 N m speeds up a pinion and its rack, 4/(0.03 + 8*0.05^2) = 80 rad/s^2: 40 t^2 rad, and 0.05 m for each. Methods that go along
// the joints take steps in which an even motion misses it by many turns; such a count, or rack, was off by whole turns, with exit 0.
static void turns_are_counted_while_speed_grows(void **state)
{
    static const char model[] =
        "dimension: 3\nbodies: [{name: a, mass: 5, inertia: 0.03}, {name: b, mass: 8, inertia: "
        "0.4}]\njoints:\n"
        "  - {name: m, type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: [0, 0, 1], motor: {torque: "
        "4}}\n"
        "  - {name: f, type: translational, bodies: [ground, b], at: [0, 0, 0], axis: [1, 0, 0]}\n"
        "  - {name: g, type: rack-pinion, joints: [m, f], radius: 0.05}\n"
        "events: [{name: half, when: m.angle - 320, print: there}]\n"
        "simulate: {end: 4, signals: [coordinates]}\n";
    int counted = 0;
    (void)state;
    for (form f = {0}; next_form(&f);) {
        // With order 1 and where eps goes with the root of the tolerance steps are so short that no turn is at stake.
        const bool strides =
            (f.index == 0 || goes_far()) && order_of_form(&f) > 1 && !f.method->open && !few();
        const double end = !strides ? 1 : goes_far() ? 4 : 3;
        char set[60];
        if (!tried(&f)) continue;
        snprintf(set, sizeof set, "simulate.tolerance=1e-3 simulate.end=%g ", end);
        motion m = open_form(&f, model, set);
        if (!m.sim) continue;
        const hol_status st = hol_simulation_run(m.sim);
        const bool kept = strstr(f.set, "cm-kept"); // its projection is that of the start
        if (st && !kept && !strstr(hol_context_error(ctx), "lost or made by errors"))
            fail_msg("%s: %s", f.set, hol_context_error(ctx));
        if (!st && !(fabs(value_of(&m, "m.angle") - 40 * end * end) < 3))
            fail_msg("%s: %g rad", f.set, value_of(&m, "m.angle"));
        if (!st && !(fabs(value_of(&m, "f.stroke") - 2 * end * end) < 0.15))
            fail_msg("%s: %g m", f.set, value_of(&m, "f.stroke"));
        close_motion(&m);
        counted += !st;
    }
    assert_true(counted > 10);
}

// A motor of 2.4 N m turns a body of 0.03 kg m^2 through 40 t^2 rad: what a step leaves of the length of its Euler parameters is neither angle
// nor speed, in rows between steps as at their ends. It was: rk was up to 8.2 rad and 5 rad/s off, adams 0.3 rad and 0.2 rad/s.
static void lengths_of_euler_parameters_cost_no_speed(void **state)
{
    static const char model[] =
        "dimension: 3\nbodies: [{name: a, mass: 5, inertia: 0.03}]\njoints:\n"
        "  - {name: m, type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: [0, 0, 1], motor: {torque: "
        "2.4}}\n"
        "simulate: {end: 4, output: 0.0137, tolerance: 1e-3, signals: [coordinates]}\n";
    static const char *const set[][2] = {{"simulate.method=rk", "simulate.rk.order=5"},
                                         {"simulate.method=rk", "simulate.rk.order=8"},
                                         {"simulate.method=rk", "simulate.rk.solve=sparse"},
                                         {"simulate.method=rk", "simulate.rk.solve=joints"},
                                         {"simulate.method=adams", "simulate.end=4"}};
    (void)state;
    for (int i = 0; i < HOL_COUNT(set); i++) {
        double angle = 0, rate = 0;
        hol_model *m = load_model(model, set[i], 2);
        hol_simulation *sim = hol_simulation_create(ctx, m);
        if (!sim) fail_msg("%s", hol_context_error(ctx));
        for (bool done = false; !done;) {
            if (hol_simulation_step(sim, &done)) fail_msg("%s", hol_context_error(ctx));
            const double t = hol_simulation_time(sim);
            angle = fmax(angle, fabs(signal_value(sim, "m.angle") - 40 * t * t));
            rate = fmax(rate, fabs(signal_value(sim, "m.rate") - 80 * t));
        }
        if (!(angle < 0.1) || !(rate < 0.05)) fail_msg("%s: %g rad, %g rad/s", set[i][1], angle, rate);
        hol_simulation_destroy(sim);
        hol_model_destroy(m);
    }
}

// Fixed steps that are too long for the turns say so: 3000 rad/s^2 over 0.1 s miss an even motion by 15 rad.
static void fixed_steps_may_be_too_long_for_turns(void **state)
{
    static const char model[] =
        "dimension: 3\nbodies: [{name: a, mass: 5, inertia: 0.03}]\njoints:\n"
        "  - {name: m, type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: [0, 0, 1], motor: {torque: "
        "90}}\n"
        "simulate: {end: 1, step: 0.1, method: rk, rk: {solve: coordinates}, signals: [coordinates]}\n";
    (void)state;
    motion m = move(model, NULL, 0);
    assert_int_equal(m.end, HOL_ERR_INTEGRATION);
    expect_message("full turns cannot be counted");
    close_motion(&m);
}

static int warnings;

static void count_warnings(void *user, hol_severity severity, const char *text)
{
    (void)user, (void)text;
    warnings += severity == HOL_WARNING;
}

// Steps to the end; what is left of the angle beside the sum of the angular velocity, which every method has evenly.
static bool spin(hol_simulation *sim, double *off)
{
    double sum = 0, rate = 1000, t = 0;
    for (bool done = false; !done;) {
        if (hol_simulation_step(sim, &done)) return false;
        const double h = hol_simulation_time(sim) - t, next = signal_value(sim, "f.wz");
        sum += 0.5 * h * (rate + next);
        rate = next;
        t += h;
    }
    *off = fabs(signal_value(sim, "w") - sum);
    return true;
}

// A body that spins freely at 1000 rad/s: no fixed step of any form of any method ends with an angle that its angular velocity does not lead
// to without a word. rk was 24 rad off after 1 s in steps of 10 rad, whose angular velocity and energy are right; newmark-index2 20 rad in
// steps of 1 rad.
static void attitudes_are_not_lost_silently(void **state)
{
    static const char model[] =
        "dimension: 3\nbodies: [{name: f, mass: 1, inertia: [2, 2, 3], omega: [0, 0, 1000]}]\n"
        "variables: [{name: w, value: AZ(f)}]\nsimulate: {end: 0.12, output: 0.12, step: %s}\n";
    static const char *const steps[] = {"1e-3", "4e-3", "1e-2", "2e-2"};
    int right = 0;
    (void)state;
    hol_context_set_log(ctx, count_warnings, NULL);
    for (form f = {0}; next_form(&f);)
        for (int i = 0; i < HOL_COUNT(steps); i++) {
            char text[sizeof model + 20], set[FORM_TEXT];
            const char *list[8];
            double off = 0;
            if (f.method->refuse && f.method->refuse(f.value, false)) continue;
            snprintf(text, sizeof text, model, steps[i]);
            snprintf(set, sizeof set, "%s", f.set);
            warnings = 0;
            hol_model *m = load_model(text, list, split(set, list, 8));
            hol_simulation *sim = hol_simulation_create(ctx, m);
            const bool ended = sim && spin(sim, &off);
            hol_simulation_destroy(sim);
            hol_model_destroy(m);
            right += ended && off < 0.1;
            if (!(off < 0.6) && !warnings) fail_msg("%s, step %s: off by %g rad", f.set, steps[i], off);
        }
    hol_context_set_log(ctx, NULL, NULL);
    assert_true(right >= 4); // rk of order 8 among them, in steps of 4 rad too
}

// A joint with a point mass has displacements and no angle.
static void points_do_not_turn(void **state)
{
    static const char model[] = "dimension: 2\nbodies: [{name: p, type: point, mass: 1, velocity: [2, 0]}]\n"
                                "joints: [{name: rail, type: in-line, between: [ground, p]}]\n"
                                "simulate: {end: 1, step: 0.1, signals: [coordinates]}\n";
    (void)state;
    motion m = move(model, NULL, 0);
    assert_int_equal(m.end, HOL_OK);
    near("stroke", value_of(&m, "rail.stroke"), 2, 1e-9);
    assert_int_equal(hol_simulation_find_signal(m.sim, "rail.angle"), -1);
    close_motion(&m);
}

static void a_run_goes_on_with_its_turns(void **state)
{
    (void)state;
    resume_all(CONTROLLED("0.2")); // 3.8 turns
}

// A stroke held by a constraint is one that is driven, and a rate held at velocity level is a driver by speed: the same motion by every method
// that takes both.
static void a_constraint_holds_coordinates(void **state)
{
#define ARM                                                                                                  \
    "dimension: 3\ngravity: [0, 0, -9.81]\nbodies:\n"                                                        \
    "  - {name: a, mass: 2, inertia: [0.3, 0.4, 0.5], position: [0.5, 0, 0]}\n"                              \
    "  - {name: b, mass: 1, inertia: [0.1, 0.2, 0.3], position: [1, 0.2, 0.3]}\n"                            \
    "joints:\n  - {name: turn, type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: [0.1, 0.2, 1]}\n"   \
    "  - {name: tube, type: cylindrical, bodies: [a, b], at: [1, 0, 0], axis: [1, 0.3, 0.2]}\n"
    static const char held[] =
        ARM "constraints:\n  - {name: out, position: \"tube.stroke - 0.1*sin(2*time)\"}\n"
            "  - {name: round, velocity: \"turn.rate - 0.5*cos(time)\"}\n"
            "simulate: {end: 1, signals: [coordinates, b]}\n",
                      driven[] =
                          ARM "drivers:\n  - {name: out, type: stroke, joint: tube, value: 0.1*sin(2*time)}\n"
                              "  - {name: round, type: angle, joint: turn, value: 0.5*sin(time)}\n"
                              "simulate: {end: 1, signals: [coordinates, b]}\n";
    static const char *const signal[] = {"turn.angle", "tube.stroke", "tube.angle", "b.x", "b.z", "b.qy"};
    const char *set[] = {"simulate.method=rk", "simulate.tolerance=1e-9"};
    (void)state;
    motion m = move(driven, set, 2);
    for (int i = 0; hol_methods[i]; i++) {
        char how[60];
        const char *other[] = {how, "simulate.tolerance=1e-5"};
        const unsigned rates = HOL_ACCEPTS_RATES;
        if (!hol_methods[i]->divisor || hol_methods[i]->order == 1 || !(hol_methods[i]->accepts & rates))
            continue;
        snprintf(how, sizeof how, "simulate.method=%s", hol_methods[i]->name);
        motion n = move(held, other, 2);
        if (n.end) fail_msg("%s: %s", hol_methods[i]->name, hol_context_error(ctx));
        for (int k = 0; k < HOL_COUNT(signal); k++)
            near(how, value_of(&n, signal[k]), value_of(&m, signal[k]), 1e-4);
        close_motion(&n);
    }
    close_motion(&m);
}

// The arms of a cross that is drawn by its axes: both angles are 0, also where the axes are not at right angles: what closes the joint then
// turns it about the axis that both frames share.
static void a_cross_is_drawn_at_zero(void **state)
{
    static const char *const axes[][2] = {{"[0, 1, 0]", "[0, 0, 1]"}, {"[1, 2, 0.3]", "[-2, 1, 0.5]"}};
    (void)state;
    for (int i = 0; i < HOL_COUNT(axes); i++) {
        char text[900];
        snprintf(text, sizeof text,
                 "dimension: 3\ngravity: [0, 0, 0]\nbodies:\n" BODY_IN_SPACE("a")
                     BODY_IN_SPACE("b") "joints: [{name: j, type: universal, bodies: [a, b], at: [0.1, 0.2, "
                                        "0.3], axis: %s, axis2: %s}]\n"
                                        "simulate: {end: 1e-9, method: rk, signals: [coordinates]}\n",
                 axes[i][0], axes[i][1]);
        hol_model *m = load_model(text, NULL, 0);
        hol_simulation *sim = hol_simulation_create(ctx, m);
        if (!sim) fail_msg("%s", hol_context_error(ctx));
        near("angle1", signal_value(sim, "j.angle1"), 0, i ? 1e-2 : 1e-12);
        near("angle2", signal_value(sim, "j.angle2"), 0, i ? 1e-2 : 1e-12);
        hol_simulation_destroy(sim);
        hol_model_destroy(m);
    }
}

// ---- units ----------------------------------------------------------------------------------------------------

// What a type needs beside its ends.
static const char *needs(const hol_element_type *type, int dimension)
{
    const char *const rows[][2] = {{"screw", ", pitch: 0.1"},
                                   {"distance", ", length: 1"},
                                   {"revolute-revolute", ", length: 1"},
                                   {"revolute-spherical", ", length: 1"},
                                   {"total", dimension == 2 ? ", hold: x" : ", hold: \"rx ry\""}};
    for (int i = 0; i < HOL_COUNT(rows); i++)
        if (strcmp(type->name, rows[i][0]) == 0) return rows[i][1];
    return "";
}

// An expression that is a coordinate has the unit of the list that results and the reference have, and is taken where that is wanted alone.
static void units_are_those_of_results(void **state)
{
    char draft[80];
    int names = 0;
    (void)state;
    snprintf(draft, sizeof draft, "%s/units.yaml", folder);
    for (const hol_element_type *const *t = hol_element_types; *t; t++)
        for (int dimension = 2; dimension <= 3; dimension++) {
            const hol_joint_coordinate *c = (*t)->named[dimension - 2];
            if ((*t)->role != HOL_ROLE_JOINT || !c ||
                ((*t)->dimensions != 5 && (*t)->dimensions != dimension))
                continue;
            for (; c->name; c++, names++) {
                char text[1000];
                snprintf(text, sizeof text,
                         "dimension: %d\nbodies: [{name: a, mass: 1, inertia: 1, position: [%s]}]\n"
                         "variables: [{name: v, value: j.%s, unit: %s}]\n"
                         "joints: [{name: j, type: %s, between: [ground, a]%s}]\n"
                         "linearise: {outputs: [j.%s]}\n",
                         dimension, dimension == 2 ? "1, 0" : "1, 0, 0", c->name, c->unit, (*t)->name,
                         needs(*t, dimension), c->name);
                hol_model_data *m = compile(text, NULL, 0);
                if (strcmp(m->linearise->output[0].unit, c->unit) != 0)
                    fail_msg("%s %s: %s, not %s", (*t)->name, c->name, m->linearise->output[0].unit, c->unit);
                hol_model_free(m);
                write_file(draft, text);
                hol_model *taken = hol_model_load(ctx, draft, NULL, 0);
                if (!taken) fail_msg("%s", hol_context_error(ctx));
                hol_model_destroy(taken);
                char *unit = strstr(text, "unit: ") + strlen("unit: ");
                const bool angle = *unit == 'r';
                memmove(unit + (angle ? 1 : 3), unit + (angle ? 3 : 1), strlen(unit + (angle ? 3 : 1)) + 1);
                memcpy(unit, angle ? "m" : "rad", angle ? 1 : 3);
                write_file(draft, text);
                hol_model *refused = hol_model_load(ctx, draft, NULL, 0);
                if (refused) fail_msg("%s %s is taken with a wrong unit", (*t)->name, c->name);
                expect_message("dimension");
            }
        }
    remove(draft);
    assert_true(names > 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(poses_of_others),
        cmocka_unit_test(results_and_expressions_have_every_coordinate),
        cmocka_unit_test(turns_are_counted_by_every_form),
        cmocka_unit_test(a_controller_goes_beyond_half_a_turn),
        cmocka_unit_test(coupled_wheels_turn_many_times_a_step),
        cmocka_unit_test(turns_are_counted_while_speed_grows),
        cmocka_unit_test(lengths_of_euler_parameters_cost_no_speed),
        cmocka_unit_test(fixed_steps_may_be_too_long_for_turns),
        cmocka_unit_test(attitudes_are_not_lost_silently),
        cmocka_unit_test(points_do_not_turn),
        cmocka_unit_test(a_cross_is_drawn_at_zero),
        cmocka_unit_test(a_constraint_holds_coordinates),
        cmocka_unit_test(a_run_goes_on_with_its_turns),
        cmocka_unit_test(units_are_those_of_results),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
