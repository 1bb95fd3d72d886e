// Signals of a run against closed forms: places and rates of markers, reactions at their ends, names that begin alike.
#include "harness.h"
#include "analysis/signals.h"
#include "api/api.h"

#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static motion run(const char *text)
{
    motion m = move(text, NULL, 0);
    if (m.end) fail_msg("%s", hol_context_error(ctx));
    return m;
}

static void is(const motion *m, const char *signal, double want)
{
    near(signal, value_of(m, signal), want, 1e-6 * fmax(1, fabs(want)));
}

// ---- markers --------------------------------------------------------------------------------------------------

// A planar body that turns with 3 rad/s about its centre, which flies with (1, 2) m/s: a marker at 0.5 m is drawn inwards.
static void a_marker_on_a_turning_body(void **state)
{
    (void)state;
    motion m = run(
        "{dimension: 2, gravity: [0, 0], bodies: [{name: a, mass: 1, inertia: 1, velocity: [1, 2], omega: 3,"
        " markers: {p: [0.5, 0]}}], simulate: {end: 1, method: rk, tolerance: 1e-9, output: 0.5}}");
    is(&m, "a.p.x", 1 + 0.5 * cos(3));
    is(&m, "a.p.y", 2 + 0.5 * sin(3));
    is(&m, "a.p.vx", 1 - 1.5 * sin(3));
    is(&m, "a.p.vy", 2 + 1.5 * cos(3));
    is(&m, "a.p.ax", -4.5 * cos(3));
    is(&m, "a.p.ay", -4.5 * sin(3));
    is(&m, "a.omega", 3);
    close_motion(&m);
}

// The same in space, about x: the axis and the angular velocity of the body, and of its marker.
static void a_marker_on_a_turning_body_in_space(void **state)
{
    (void)state;
    motion m = run(
        "{dimension: 3, gravity: [0, 0, 0], bodies: [{name: a, mass: 1, inertia: [1, 2, 3], omega: [2, 0, 0],"
        " markers: {p: {position: [0, 0.5, 0]}}}], simulate: {end: 1, method: rk, tolerance: 1e-9, output: "
        "0.5}}");
    is(&m, "a.p.y", 0.5 * cos(2));
    is(&m, "a.p.z", 0.5 * sin(2));
    is(&m, "a.p.vy", -1 * sin(2));
    is(&m, "a.p.az", -2 * sin(2));
    is(&m, "a.p.ay", -2 * cos(2));
    is(&m, "a.wx", 2);
    is(&m, "a.wy", 0);
    is(&m, "a.alx", 0);
    close_motion(&m);
}

// A body that a driver turns by t + t^2 about y.
static void angular_velocities_are_those_of_their_driver(void **state)
{
    (void)state;
    motion m =
        run("{dimension: 3, gravity: [0, 0, 0], bodies: [{name: a, mass: 1, inertia: [1, 2, 3], omega: [0, "
            "1, 0]}],"
            " joints: [{name: J, type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: [0, 1, 0]}],"
            " drivers: [{name: D, type: angle, joint: J, value: time + time^2}],"
            " simulate: {end: 1, method: rk, tolerance: 1e-9, output: 0.5}}");
    is(&m, "a.wy", 3);
    is(&m, "a.aly", 2);
    is(&m, "a.wx", 0);
    close_motion(&m);
}

// A request names a whole marker, not its beginning, and what is asked for is what comes.
static void markers_are_found_by_their_whole_names(void **state)
{
    static const char *const set[] = {"simulate.signals=[a.t, a.tip.y]"};
    (void)state;
    motion m =
        open_motion("{dimension: 2, gravity: [0, 0], bodies: [{name: a, mass: 1, inertia: 1,"
                    " markers: {tip2: [3, 4], tip: [1, 2], t: [5, 6]}}], simulate: {end: 1, method: rk}}",
                    set, 1);
    assert_int_equal(hol_simulation_run(m.sim), HOL_OK);
    is(&m, "a.t.x", 5);
    is(&m, "a.tip.y", 2);
    assert_int_equal(hol_simulation_find_signal(m.sim, "a.tip2.x"), -1);
    close_motion(&m);
}

// Names that are the beginning of a marker's name are none.
static void beginnings_of_names_are_no_names(void **state)
{
    static const char *const set[] = {"simulate.signals=[a.ti]"};
    (void)state;
    hol_model *model =
        load_model("{dimension: 2, bodies: [{name: a, mass: 1, inertia: 1, markers: {tip: [1, 2]}}],"
                   " simulate: {end: 1}}",
                   set, 1);
    assert_null(hol_simulation_create(ctx, model));
    expect_message("there is no signal \"a.ti\"; did you mean \"a.tip\"?");
    hol_model_destroy(model);
}

// Every word that asks for signals is taken: no object may have it for a name. Each of them, or "did you mean" it.
static void words_of_signals_are_no_names(void **state)
{
    const char *word, *doc;
    int n = 0;
    (void)state;
    for (; hol_signal_word(n, &word, &doc); n++) {
        char text[200], set[80], message[160];
        const char *const request = set;
        snprintf(text, sizeof text, "{dimension: 2, bodies: [{name: %s, mass: 1, inertia: 1}]}", word);
        assert_null(hol_model_parse(ctx, "m", text, strlen(text), NULL, 0));
        snprintf(message, sizeof message, "the name \"%s\" is taken", word);
        expect_message(message);
        snprintf(set, sizeof set, "simulate.signals=[%s]", word);
        static const char one[] =
            "{dimension: 2, bodies: [{name: b, mass: 1, inertia: 1}], joints: [{name: p, type: revolute, "
            "between: [ground, b]}], simulate: {end: 1}}";
        motion m = open_motion(one, &request, 1);
        assert_true(hol_simulation_signals(m.sim) > 0);
        close_motion(&m);
        snprintf(set, sizeof set, "simulate.signals=[%sq]", word);
        hol_model *model = load_model(one, &request, 1);
        assert_null(hol_simulation_create(ctx, model));
        snprintf(message, sizeof message, "\"%sq\"; did you mean \"%s\"?", word, word);
        if (strlen(word) > 3) expect_message(message); // shorter ones are too far from their misspelling
        hol_model_destroy(model);
    }
    assert_true(n >= 6);
}

// What is asked for twice is one column; energies and violations beside each other are what they are alone.
static void groups_share_a_row(void **state)
{
    static const char *const list[] = {"simulate.signals=[energy, violation, energy.total]",
                                       "simulate.signals=[violation]", "simulate.signals=[energy]"};
    double value[3][7] = {{0}};
    (void)state;
    for (int k = 0; k < 3; k++) {
        motion m = open_motion("double_pendulum", &list[k], 1);
        if (k != 1) near("at rest", hol_simulation_values(m.sim)[0], 0, 0);
        for (int i = 0; i < 20; i++) {
            bool done;
            assert_int_equal(hol_simulation_step(m.sim, &done), HOL_OK);
        }
        const int n = hol_simulation_signals(m.sim);
        assert_int_equal(n, k == 0 ? 7 : k == 1 ? 3 : 4);
        memcpy(value[k], hol_simulation_values(m.sim), (size_t)n * sizeof(double));
        close_motion(&m);
    }
    assert_memory_equal(value[0], value[2], 4 * sizeof(double));
    assert_memory_equal(value[0] + 4, value[1], 3 * sizeof(double));
    assert_true(value[0][4] > 0 || value[0][5] > 0);
    assert_true(value[0][0] > 0); // not the row of the start
}

// ---- reactions ------------------------------------------------------------------------------------------------

// A beam of 3 kg held at 2 m from its middle: the hold carries 30 N and 60 N m. On the beam, or as what ground is pushed by.
static void a_clamped_beam_is_carried(void **state)
{
    (void)state;
    motion m =
        run("{dimension: 2, gravity: [0, -10], bodies: [{name: beam, mass: 3, inertia: 1, position: [2, 0]}],"
            " joints: [{name: J, type: fixed, between: [ground, {beam: [-2, 0]}]}],"
            " simulate: {end: 0.1, method: rk}}");
    is(&m, "J.Fx", 0);
    is(&m, "J.Fy", 30);
    is(&m, "J.T", 60);
    close_motion(&m);
    m = run("{dimension: 2, gravity: [0, -10], bodies: [{name: beam, mass: 3, inertia: 1, position: [2, 0]}],"
            " joints: [{name: J, type: fixed, between: [{beam: [-2, 0]}, ground]}],"
            " simulate: {end: 0.1, method: rk}}");
    is(&m, "J.Fy", -30); // on ground
    is(&m, "J.T", -60);
    close_motion(&m);
}

// In space, the beam along y, then along z with a load aside; torques about the place of the joint.
static void a_clamped_beam_in_space(void **state)
{
    (void)state;
    motion m = run("{dimension: 3, gravity: [0, 0, -10], bodies: [{name: beam, mass: 3, inertia: [1, 1, 1], "
                   "position: [0, 2, 0]}],"
                   " joints: [{name: J, type: fixed, between: [ground, {beam: [0, -2, 0]}]}],"
                   " simulate: {end: 0.1, method: rk}}");
    is(&m, "J.Fz", 30);
    is(&m, "J.Tx", 60);
    is(&m, "J.Ty", 0);
    close_motion(&m);
    m = run("{dimension: 3, gravity: [0, 0, -10], bodies: [{name: beam, mass: 3, inertia: [1, 1, 1], "
            "position: [1.5, 0, 4]}],"
            " joints: [{name: J, type: fixed, between: [{beam: [-1.5, 0, -4]}, ground]}],"
            " simulate: {end: 0.1, method: rk}}");
    is(&m, "J.Fz", -30);
    is(&m, "J.Ty", 45); // on ground: (1.5, 0, 4) x (0, 0, -30)
    is(&m, "J.Tx", 0);
    close_motion(&m);
}

// A torque on a free end is carried as it is, about each axis.
static void torques_are_handed_on(void **state)
{
    (void)state;
    motion m = run(
        "{dimension: 3, gravity: [0, 0, 0], bodies: [{name: a, mass: 1, inertia: [1, 2, 3]}],"
        " joints: [{name: J, type: fixed, between: [ground, a]}],"
        " forces: [{name: M, type: torque, on: a, value: [1, -2, 3]}], simulate: {end: 0.1, method: rk}}");
    is(&m, "J.Tx", -1);
    is(&m, "J.Ty", 2);
    is(&m, "J.Tz", -3);
    is(&m, "J.Fx", 0);
    close_motion(&m);
}

// The same on a body that stands turned by 90 degrees about x, its joint's axes with it: the global torque (0, 0, 6) is along
// its own y.
static void torques_are_in_the_axes_of_the_joint(void **state)
{
    (void)state;
    motion m =
        run("{dimension: 3, gravity: [0, 0, 0], bodies: [{name: a, mass: 1, inertia: [1, 2, 3],"
            " orientation: {axis: [1, 0, 0], angle: 90 deg}}],"
            " joints: [{name: J, type: fixed, between: [{ground: {position: [0, 0, 0], orientation: {axis: "
            "[1, 0, 0],"
            " angle: 90 deg}}}, a]}],"
            " forces: [{name: M, type: torque, on: a, value: [0, 0, 6]}], simulate: {end: 0.1, method: rk}}");
    is(&m, "J.Tx", 0);
    is(&m, "J.Ty", -6);
    is(&m, "J.Tz", 0);
    close_motion(&m);
}

// What acts on one body, in the axes of its marker: on a body held turned by 90 degrees a global (3, 4) is (4, -3). The signal
// is what the measures FX and TZ say; `all` has none of them.
static void forces_on_one_body_have_signals(void **state)
{
    (void)state;
#define HELD                                                                                                 \
    "bodies: [{name: a, mass: 1, inertia: 1, position: [0, 2], angle: 90 deg, markers: {p: [0.5, 0]}}],"     \
    " joints: [{name: J, type: fixed, between: [{ground: {position: [0, 2], angle: 90 deg}}, a]}],"
    static const char planar[] =
        "{dimension: 2, gravity: [0, 0], " HELD " forces: [{name: f, type: force, on: a.p, value: [3, 4]},"
        " {name: b, type: force, on: a.p, value: [3, \"4*cos(time)\"], frame: body},"
        " {name: t, type: torque, on: a, value: \"5*AZ(a)\"},"
        " {name: w, type: tyre, on: a.p, stiffness: 10, length: 4}],"
        " variables: [{name: v, value: FX(f)}, {name: u, value: TZ(t)}, {name: l, value: FX(w)}],"
        " simulate: {end: 0.1, method: hht, step: 0.01%s}}";
    char text[1200];
    snprintf(text, sizeof text, planar, ", signals: [f, b.Fx, t.T, w, v, u, l, J.Fx]");
    motion m = run(text);
    is(&m, "f.Fx", 4);
    is(&m, "f.Fy", -3);
    is(&m, "f.T", 0);
    is(&m, "b.Fx", 3);
    is(&m, "t.T", 2.5 * HOL_PI);
    is(&m, "w.Fx", 15); // squeezed from 4 m to 2.5 m
    is(&m, "w.Fy", 0);
    is(&m, "v", 4);
    is(&m, "u", 2.5 * HOL_PI);
    is(&m, "l", 15);
    assert_int_equal(hol_simulation_find_signal(m.sim, "b.Fy"), -1);
    close_motion(&m);
    snprintf(text, sizeof text, planar, "");
    m = run(text);
    assert_int_equal(hol_simulation_find_signal(m.sim, "f.Fx"), -1); // the file says it
    is(&m, "w.Fx", 15);                                              // but not what a tyre carries
    close_motion(&m);
    static const char *const wrong[][2] = {
        {"simulate.signals=[w.xyz]", "there is no signal \"w.xyz\"; \"w\" has Fx, Fy, T"},
        {"simulate.signals=[J.reaction]", "there is no signal \"J.reaction\"; \"J\" has Fx, Fy, T"},
        {"simulate.signals=[no.thing]",
         "there is no signal \"no.thing\"; \"all\" asks for what `holonom elements all` says"},
        {"simulate.signals=[nothing]",
         "there is no signal \"nothing\"; \"all\" asks for what `holonom elements all` says"}};
    for (int i = 0; i < HOL_COUNT(wrong); i++) {
        hol_model *model = load_model(text, wrong[i], 1);
        assert_null(hol_check_create(ctx, model));
        expect_message(wrong[i][1]);
        hol_model_destroy(model);
    }
    m = run("{dimension: 3, gravity: [0, 0, 0], bodies: [{name: a, mass: 1e9, inertia: [1e9, 1e9, 1e9],"
            " orientation: {axis: [1, 0, 0], angle: 90 deg}}],"
            " forces: [{name: M, type: torque, on: a, value: [1, 2, 6]}],"
            " simulate: {end: 0.1, method: rk, signals: [M, M.Tx]}}");
    is(&m, "M.Tx", 1);
    is(&m, "M.Ty", 6);
    is(&m, "M.Tz", -2);
    is(&m, "M.Fx", 0);
    close_motion(&m);
}

// `check` refuses the names that a run would refuse.
static void a_check_knows_the_signals(void **state)
{
    static const char *const good[] = {"simulate.signals=[rod.theta, tor]"},
                             *const bad[] = {"simulate.signals=[rod.thet]"},
                             *const near_tor[] = {"simulate.signals=[tr]"};
    static const char text[] = "{dimension: 2, bodies: [{name: rod, mass: 1, inertia: 1}],"
                               " forces: [{name: tor, type: torque, on: rod, value: 1}], simulate: {end: 1}}";
    (void)state;
    hol_model *model = load_model(text, good, 1);
    hol_check *check = hol_check_create(ctx, model);
    assert_non_null(check);
    hol_check_destroy(check);
    hol_model_destroy(model);
    model = load_model(text, bad, 1);
    assert_null(hol_check_create(ctx, model));
    expect_message("there is no signal \"rod.thet\"; did you mean \"rod.theta\"?");
    hol_model_destroy(model);
    model = load_model(text, near_tor, 1);
    assert_null(hol_check_create(ctx, model));
    expect_message("there is no signal \"tr\"; did you mean \"tor\"?");
    hol_model_destroy(model);
}

// The unit of a signal with the chosen ones in the place of those of SI, word by word: "N m/s" becomes "N mm/s".
static void chosen(const char *unit, char *text, size_t size)
{
    static const char *const base[][2] = {{"m", "mm"}, {"kg", "t"}, {"rad", "deg"}};
    size_t n = 0;
    text[0] = 0;
    for (size_t k; *unit && n + 8 < size; unit += k) {
        const char *word = NULL;
        k = strspn(unit, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
        for (int i = 0; i < HOL_COUNT(base); i++)
            if (k == strlen(base[i][0]) && strncmp(unit, base[i][0], k) == 0) word = base[i][1];
        if (!k) k = 1;
        n += (size_t)snprintf(text + n, size - n, "%.*s", word ? (int)strlen(word) : (int)k,
                              word ? word : unit);
    }
}

// Is it what a user calls a variable, a state or an input of his own, whose unit he says or nobody knows?
static bool is_users(const hol_model_data *m, const char *name)
{
    bool found = false;
    for (int i = 0; i < m->n_equations; i++)
        found = found || (!m->equation[i].law && strcmp(m->equation[i].name, name) == 0);
    for (int i = 0; i < m->n_states; i++)
        found = found || (!m->equation[m->state[i].equation].law && strcmp(m->state[i].name, name) == 0);
    for (int i = 0; i < m->n_held; i++)
        found = found || (m->held[i].input && strcmp(m->held[i].name, name) == 0);
    return found;
}

// Numbers without a dimension: Euler parameters, violations and steps, multipliers of expressions.
static bool has_no_unit(const char *name)
{
    static const char *const end[] = {".nx",
                                      ".ny",
                                      ".nz",
                                      ".qw",
                                      ".qx",
                                      ".qy",
                                      ".qz",
                                      ".lambda",
                                      ".saturated",
                                      ".newton",
                                      ".error",
                                      ".limit",
                                      "violation.position",
                                      "violation.velocity",
                                      "violation.rate"};
    bool found = false;
    for (int i = 0; i < HOL_COUNT(end); i++) {
        const size_t n = strlen(name), k = strlen(end[i]);
        found = found || (n >= k && strcmp(name + n - k, end[i]) == 0);
    }
    return found;
}

// All signals of all models, with what laws of joints have of their own: none stays in SI beside others in mm, t and deg.
static void every_signal_is_in_the_chosen_units(void **state)
{
    static const char *const set[] = {"units.output.length=mm", "units.output.mass=t",
                                      "units.output.angle=deg",
                                      "simulate.signals=[all, coordinates, omega_max]", "simulate.end=1e-5"};
    static const char laws[] =
        "{dimension: 2, units: {output: {length: mm, mass: t, angle: deg}}, bodies: [{name: a, mass: 1, "
        "inertia: 1},"
        " {name: b, mass: 1, inertia: 1}], joints: [{name: h, type: revolute, between: [ground, a], motor: "
        "{angle: 1,"
        " kp: 1, ki: 1, max: 1}, friction: {torque: 1}, limits: {range: [-1, 1], stiffness: 1}},"
        " {name: s, type: translational, between: [ground, b], motor: {speed: 1, kp: 1, ki: 1}, friction: "
        "{force: 1}}],"
        " forces: [{name: f, type: force, on: b, value: [1, 2]}, {name: w, type: tyre, on: b, stiffness: 1}],"
        " simulate: {end: 1e-5, signals: [all, coordinates, f]}}";
    glob_t found;
    int n = 0;
    (void)state;
    assert_int_equal(glob("models/*.yaml", 0, NULL, &found), 0);
    for (size_t i = 0; i <= found.gl_pathc; i++) {
        const bool last = i == found.gl_pathc;
        hol_model *model = last ? hol_model_parse(ctx, "laws", laws, strlen(laws), NULL, 0)
                                : hol_model_load(ctx, found.gl_pathv[i], set, HOL_COUNT(set));
        hol_simulation *sim = model ? hol_simulation_create(ctx, model) : NULL;
        if (!sim || hol_simulation_record(sim) || hol_simulation_run(sim))
            fail_msg("%s: %s", last ? "laws" : found.gl_pathv[i], hol_context_error(ctx));
        hol_result *r = hol_simulation_take_result(sim);
        for (int k = 0; k < r->n_columns; k++) {
            char want[100];
            if (is_users(model->data, r->name[k])) continue;
            chosen(r->unit[k], want, sizeof want);
            if (strcmp(r->shown[k], want) != 0)
                fail_msg("%s: %s is in %s, not in %s", r->file, r->name[k], r->shown[k], want);
            if (!*want && !has_no_unit(r->name[k])) fail_msg("%s: %s has no unit", r->file, r->name[k]);
            n++;
        }
        hol_result_destroy(r);
        hol_simulation_destroy(sim);
        hol_model_destroy(model);
    }
    globfree(&found);
    assert_true(n > 5000);
}

// Drivers of angles, strokes and distances: the sum of their powers over the time is what kinetic and potential energy have gained, and
// power is torque or force times the rate of the function, over two full turns too, as in a file so in its image.
static void drivers_give_what_energy_takes(void **state)
{
#define TURNS "3*time + 0.7*time^2", "3 + 1.4*time"
#define SWAYS "0.4*sin(3*time)", "1.2*cos(3*time)"
#define GROWS "1 + 0.3*time^2", "0.6*time"
    static const struct {
        int dimension;
        const char *joint, *driver, *value, *rate, *signal;
    } rows[] = {{2, "revolute, bodies: [ground, a], at: [0, 0]", "angle, joint: j", TURNS, "torque"},
                {3, "revolute, bodies: [ground, a], at: [0, 0, 0], axis: [0, 1, 0.3]", "angle, joint: j",
                 TURNS, "torque"},
                {3, "revolute, bodies: [a, ground], at: [0, 0, 0], axis: [1, 0, 0]", "angle, joint: j", TURNS,
                 "torque"},
                {2, "translational, bodies: [ground, a], at: [1, 0], axis: [0.6, 0.8]", "stroke, joint: j",
                 SWAYS, "force"},
                {3, "translational, bodies: [ground, a], at: [1, 0, 0], axis: [0, 0.6, 0.8]",
                 "stroke, joint: j", SWAYS, "force"},
                {2, "translational, bodies: [ground, a], at: [1, 0], axis: [1, 0]",
                 "distance, between: [ground, a]", GROWS, "force"},
                {3, "spherical, between: [ground: [1, 0, 2], a: [0, 0, 2]]",
                 "distance, between: [ground, a: [0, 0, 0]]", "1 + 0.1*time^2", "0.2*time", "force"}};
    char folder[] = "/tmp/holonom_driver_XXXXXX", path[60], whole[60];
    assert_non_null(mkdtemp(folder));
    snprintf(whole, sizeof whole, "%s/whole.yaml", folder);
    snprintf(path, sizeof path, "%s/part.yaml", folder);
    (void)state;
    for (int i = 0; i < HOL_COUNT(rows); i++)
        for (int image = 0; image < 2; image++) {
            const bool plane = rows[i].dimension == 2;
            char part[700], text[1500], what[100], column[40];
            snprintf(what, sizeof what, "%s in %dD%s", rows[i].driver, rows[i].dimension,
                     image ? ", image" : "");
            snprintf(part, sizeof part,
                     "bodies: [{name: a, mass: 2, inertia: %s, position: [1, 0%s]}]\njoints: [{name: j, "
                     "type: %s}]\n"
                     "drivers: [{name: d, type: %s, value: %s}]\n",
                     plane ? "1" : "[1, 2, 2.5]", plane ? "" : ", 0", rows[i].joint, rows[i].driver,
                     rows[i].value);
            FILE *f = fopen(path, "w");
            assert_non_null(f);
            assert_true(fputs(part, f) >= 0 && fclose(f) == 0);
            snprintf(
                text, sizeof text,
                "dimension: %d\ngravity: [0, %s]\ninclude: [{file: part.yaml, as: p, mirror: %s}]\n"
                "variables: [{name: rate, value: \"%s\"}]\n"
                "simulate: {end: 3, output: 1e-3, method: rk, tolerance: 1e-9, signals: [p.d.%s, p.d.power, "
                "rate, energy]}\n",
                rows[i].dimension, plane ? "-9.81" : "0, -9.81", image ? "y" : "no", rows[i].rate,
                rows[i].signal);
            hol_model *model = hol_model_parse(ctx, whole, text, strlen(text), NULL, 0);
            hol_simulation *sim = model ? hol_simulation_create(ctx, model) : NULL;
            if (!sim || hol_simulation_record(sim) || hol_simulation_run(sim))
                fail_msg("%s: %s", what, hol_context_error(ctx));
            hol_result *r = hol_simulation_take_result(sim);
            double work = 0, most = 0;
            snprintf(column, sizeof column, "p.d.%s", rows[i].signal);
            assert_string_equal(r->name[1], column);
            assert_string_equal(r->unit[1], strcmp(rows[i].signal, "force") ? "N m" : "N");
            for (size_t k = 0; k < r->n_rows; k++) {
                const double *x = r->value + k * (size_t)r->n_columns, *before = x - r->n_columns;
                if (k) work += (x[0] - before[0]) * (x[2] + before[2]) / 2;
                most = fmax(most, fabs(x[2]));
                near(what, x[1] * x[3], x[2], 1e-7 * fmax(1, fabs(x[2])));
            }
            const double *first = r->value, *last = r->value + (r->n_rows - 1) * (size_t)r->n_columns;
            assert_true(most > 1);
            near(what, work, last[6] - first[6], 1e-5 * most); // trapezoids of 1 ms
            near(what, work, last[7], 1e-5 * most);
            hol_result_destroy(r);
            hol_simulation_destroy(sim);
            hol_model_destroy(model);
        }
    remove(path);
    rmdir(folder);
}

// Two like hinges share a weight; the multipliers of smallest norm give each of them half.
static void like_joints_share_alike(void **state)
{
    (void)state;
    motion m =
        run("{dimension: 3, gravity: [0, 0, -10], bodies: [{name: door, mass: 3, inertia: [1, 1, 1]}],"
            " joints: [{name: A, type: revolute, bodies: [ground, door], at: [0, 0, 1], axis: [0, 0, 1]},"
            " {name: B, type: revolute, bodies: [ground, door], at: [0, 0, -1], axis: [0, 0, 1]}],"
            " simulate: {end: 0.1, method: hht, step: 0.01}}");
    is(&m, "A.Fz", 15);
    is(&m, "B.Fz", 15);
    close_motion(&m);
}

// Four balls carry a plate: a quarter each, whatever the order.
static void four_legs_share_alike(void **state)
{
    (void)state;
    motion m =
        run("{dimension: 3, gravity: [0, 0, -10], bodies: [{name: plate, mass: 4, inertia: [1, 1, 1]}],"
            " joints: [{name: A, type: spherical, bodies: [ground, plate], at: [1, 1, 0]},"
            " {name: B, type: spherical, bodies: [ground, plate], at: [-1, 1, 0]},"
            " {name: C, type: spherical, bodies: [ground, plate], at: [-1, -1, 0]},"
            " {name: D, type: spherical, bodies: [ground, plate], at: [1, -1, 0]}],"
            " simulate: {end: 0.1, method: hht, step: 0.01}}");
    static const char *const leg[] = {"A.Fz", "B.Fz", "C.Fz", "D.Fz"};
    for (int i = 0; i < 4; i++) is(&m, leg[i], 10);
    close_motion(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_marker_on_a_turning_body),
        cmocka_unit_test(a_marker_on_a_turning_body_in_space),
        cmocka_unit_test(angular_velocities_are_those_of_their_driver),
        cmocka_unit_test(markers_are_found_by_their_whole_names),
        cmocka_unit_test(beginnings_of_names_are_no_names),
        cmocka_unit_test(words_of_signals_are_no_names),
        cmocka_unit_test(groups_share_a_row),
        cmocka_unit_test(a_clamped_beam_is_carried),
        cmocka_unit_test(a_clamped_beam_in_space),
        cmocka_unit_test(torques_are_handed_on),
        cmocka_unit_test(torques_are_in_the_axes_of_the_joint),
        cmocka_unit_test(forces_on_one_body_have_signals),
        cmocka_unit_test(a_check_knows_the_signals),
        cmocka_unit_test(every_signal_is_in_the_chosen_units),
        cmocka_unit_test(drivers_give_what_energy_takes),
        cmocka_unit_test(like_joints_share_alike),
        cmocka_unit_test(four_legs_share_alike),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
