// Parameters that hold a pose or a force at rest: beams, what floats, a car. docs/theory.md, section 20.
#include "at_rest.h"

#include <math.h>
#include <stdio.h>

// A beam on two springs: their free lengths for a height and an angle. With F the weight at 1/4 of the way the springs carry 3/4 and 1/4 of it.
static const char beam[] =
    "dimension: 2\ngravity: [0, -9.81]\nlength_scale: 1\nparameters: {l1: 1, l2: 1, k: 2000, tilt: "
    "0.01}\nbodies:\n"
    "  - {name: beam, mass: 8, inertia: 3, position: [0, 1], markers: {l: [-0.5, 0], r: [1.5, 0]}}\n"
    "joints: [{name: guide, type: in-line, between: [ground: {position: [0, 0], axis: [0, 1]}, beam]}]\n"
    "variables: [{name: angle, value: AZ(beam)}]\n"
    "forces:\n"
    "  - {name: s1, type: force, on: beam.l, value: [0, k*(l1 - DY(beam.l))]}\n"
    "  - {name: s2, type: force, on: beam.r, value: [0, k*(l2 - DY(beam.r))]}\n"
    "static: {trim: {parameters: [l1, l2], hold: [{signal: beam.y, value: 1.2 m}, {signal: angle, value: "
    "tilt}]}}\n";

static void a_beam_is_trimmed(void **state)
{
    hol_model *model;
    (void)state;
    hol_statics *s = at_rest(beam, NULL, 0, NULL, &model);
    assert_int_equal(s->n_trimmed, 2);
    assert_string_equal(s->trimmed[0], "l1");
    const double F = 8 * 9.81;
    near("l1", s->trim_value[0], 1.2 - 0.5 * sin(0.01) + 0.75 * F / 2000, 1e-12);
    near("l2", s->trim_value[1], 1.2 + 1.5 * sin(0.01) + 0.25 * F / 2000, 1e-12);
    near("height", value(s, "beam.y"), 1.2, 1e-12);
    near("angle", value(s, "angle"), 0.01, 1e-12);
    assert_true(s->point[0].stable);
    leave(s, model);
}

// What floats has an equilibrium with one lift alone, and then in every place: F = m g, at the height asked for, from any F. A wheel that a slope
// of gravity drives along a road; a beam carried by two lifts that are turned with nothing, F1 l1 = F2 l2 at any tilt; a mass on a spring
// that a valve's state loads, x' = (P - x)/tau.
static void what_floats_is_trimmed(void **state)
{
    static const char lift[] = "dimension: 2\ngravity: [0, -9.81]\nparameters: {F: %s}\n"
                               "bodies: [{name: b, type: point, mass: 10, position: [0, 1]}]\n"
                               "joints: [{name: j, type: in-line, between: [ground.v, b]}]\n"
                               "ground: {markers: {v: {angle: 90 deg}}}\n"
                               "forces: [{name: f, type: force, on: b, value: [0, F]}]\n"
                               "static: {trim: {parameters: [F], hold: [{signal: b.y, value: 2}]}}\n",
                      wheel[] = "dimension: 2\ngravity: [1, -9.81]\nparameters: {P: %s}\n"
                                "bodies: [{name: b, type: point, mass: 20, position: [0, 0.5]}]\nforces:\n"
                                "  - {name: f, type: force, on: b, value: [P, 0]}\n"
                                "  - {name: w, type: tyre, on: b, stiffness: 1e5, length: 0.5}\n"
                                "static: {trim: {parameters: [P], hold: [{signal: b.x, value: 0.1}]}}\n",
                      beam2[] =
                          "dimension: 2\ngravity: [0, -9.81]\nparameters: {F: %s, G: 50}\nbodies:\n"
                          "  - {name: b, mass: 8, inertia: 3, position: [0.2, 1], markers: {l: [-0.5, 0], r: "
                          "[1.5, 0]}}\n"
                          "joints: [{name: guide, type: in-line, between: [ground: {position: [0, 0], axis: "
                          "[0, 1]}, b]}]\nforces:\n"
                          "  - {name: s1, type: force, on: b.l, value: [0, F]}\n"
                          "  - {name: s2, type: force, on: b.r, value: [0, G]}\n"
                          "static: {trim: {parameters: [F, G], hold: [{signal: b.y, value: 1.5}, {signal: "
                          "b.theta, value: 0.2}]}}\n",
                      valve[] = "dimension: 2\ngravity: [0, -9.81]\nparameters: {P: %s}\n"
                                "bodies: [{name: b, type: point, mass: 10, position: [0, 1]}]\n"
                                "joints: [{name: j, type: in-line, between: [ground.v, b]}]\n"
                                "ground: {markers: {v: {angle: 90 deg}}}\n"
                                "states: [{name: x, rate: (P - x)/0.2}]\n"
                                "forces: [{name: f, type: force, on: b, value: [0, 2*x]}]\n"
                                "static: {trim: {parameters: [P], hold: [{signal: b.y, value: 2}]}}\n";
    static const struct {
        const char *text, *from, *signal;
        double parameter, value;
    } list[] = {{lift, "100", "b.y", 98.1, 2},   {lift, "98.1", "b.y", 98.1, 2},
                {lift, "0", "b.y", 98.1, 2},     {wheel, "0", "b.x", -20, 0.1},
                {wheel, "-20", "b.x", -20, 0.1}, {beam2, "50", "b.y", 8 * 9.81 * 0.75, 1.5},
                {valve, "3", "b.y", 98.1 / 2, 2}};
    (void)state;
    for (int i = 0; i < HOL_COUNT(list); i++) {
        char text[1500];
        snprintf(text, sizeof text, list[i].text, list[i].from);
        hol_model *model = load_model(text, NULL, 0);
        hol_statics *s = hol_statics_create(ctx, model, NULL);
        if (!s) fail_msg("%d: %s", i, hol_context_error(ctx));
        near("parameter", s->trim_value[0], list[i].parameter, 1e-9);
        near("held", value(s, list[i].signal), list[i].value, 1e-9);
        assert_true(s->point[0].left < 1e-9);
        if (list[i].text == beam2) near("other", s->trim_value[1], 8 * 9.81 * 0.25, 1e-9);
        leave(s, model);
    }
}

// Of a tyre, along axes that turn with the wheel.
static double load(const hol_statics *s, const char *corner)
{
    char x[20], z[20];
    snprintf(x, sizeof x, "%s.tyre.Fx", corner);
    snprintf(z, sizeof z, "%s.tyre.Fz", corner);
    return hypot(value(s, x), value(s, z));
}

// A car rests anywhere on the road and whatever its wheels have turned by: from every height it is found, with the free lengths and loads of
// weight and lever arms, and is stable (rounding made it grow at 1.5e-6/s, or not be found).
static void a_car_is_trimmed_and_stays(void **state)
{
    static const double drop[] = {0, 0.01, 0.02, 0.03, 0.045, 0.06, 0.09, 0.1};
    const double weight = 9.81 * (1100 + 4 * (6 + 3 + 12 + 18)), arms = 9.81 * 2 * (6 * 0 + 3 * -0.01) * 2;
    (void)state;
    for (int i = 0; i < HOL_COUNT(drop); i++) {
        char set[60];
        const char *const sets[] = {set};
        snprintf(set, sizeof set, "parameters.drop=%g", drop[i]);
        hol_model *model = load_model("../tests/models_rest/car", sets, 1);
        hol_statics *s = hol_statics_create(ctx, model, NULL);
        if (!s) fail_msg("%s", hol_context_error(ctx));
        assert_true(s->point[0].stable);
        assert_int_equal(s->point[0].neutral, 7);
        const double front = load(s, "fl"), rear = load(s, "rl");
        near("weight", front + rear + load(s, "fr") + load(s, "rr"), weight, 1e-8);
        near("left", front, load(s, "fr"), 1e-6);
        // moments about the rear axle; arms and uprights are where the file draws them to a millimetre
        near("front", 2 * front * 2.55, 9.81 * (1100 * 1.35 + 78 * 2.55) + 0.5 * arms, 1);
        near("height", value(s, "fl.wheel.z"), 0.31, 1e-9);
        near("road", value(s, "chassis.x"), 0.05, 1e-4);
        leave(s, model);
    }
}

// Parameters are told in a unit of SI where the file gives one, else as plain numbers; a length is written in the units of output.
static void parameters_have_their_units(void **state)
{
    static const struct {
        const char *height, *free, *vary, *unit, *trim_unit, *shown;
        double value;
    } row[] = {{"0.1", "1.4", "h=0.1..0.2", "", "", "", 0.2},
               {"100 mm", "1.4 m", "parameters.h=100 mm..0.2 m", "m", "m", "mm", 200}};
    (void)state;
    for (int i = 0; i < HOL_COUNT(row); i++) {
        char text[1200], folder[60] = "/tmp/holonom_branch_XXXXXX", file[60], other[60];
        hol_model *model;
        snprintf(
            text, sizeof text,
            "dimension: 2\ngravity: [0, -9.81]\nlength_scale: 1\nunits: {output: {length: mm}}\n"
            "parameters: {h: %s, l: %s}\nbodies: [{name: a, type: point, mass: 8, position: [0, 1]}]\n"
            "joints: [{name: guide, type: in-line, between: [ground: {position: [0, 0], axis: [0, 1]}, a]}]\n"
            "forces: [{name: s, type: spring-damper, between: [ground: [0, 2], a], stiffness: 2000, length: "
            "l - h}]\n",
            row[i].height, row[i].free);
        hol_statics *s = followed(text, row[i].vary, false, &model);
        assert_string_equal(s->parameter, "h");
        assert_string_equal(s->parameter_unit, row[i].unit);
        near("end", s->point[s->n_points - 1].parameter, 0.2, 1e-12);
        assert_int_equal(make_results(folder, file, other), 0);
        assert_int_equal(hol_statics_write(ctx, s, file), HOL_OK);
        hol_result *r = hol_result_read(ctx, file);
        assert_string_equal(r->name[1], "parameters.h");
        assert_string_equal(r->unit[1], row[i].unit);
        assert_string_equal(r->shown[1], row[i].shown);
        near("shown", r->value[(size_t)(r->n_rows - 1) * r->n_columns + 1] * r->factor[1], row[i].value,
             1e-9);
        hol_result_destroy(r);
        remove_results(folder, file, other);
        leave(s, model);
        strcat(text, "static: {trim: {parameters: [l], hold: [{signal: a.y, value: 1.2 m}]}}\n");
        s = at_rest(text, NULL, 0, NULL, &model);
        assert_string_equal(s->trim_unit[0], row[i].trim_unit);
        near("free length", s->trim_value[0], 0.8 - 8 * 9.81 / 2000 + 0.1, 1e-12); // it hangs 0.8 m below
        leave(s, model);
    }
}

static void what_is_not_trimmed(void **state)
{
    static const struct {
        const char *set, *words;
    } list[] = {{"static.trim.parameters=[l1]", "1 parameter for 2 signals"},
                {"static.trim.parameters=[l1, l1]", "\"l1\" is named twice"},
                {"static.trim.parameters=[l1, l3]", "the model file has no parameter \"l3\""},
                {"static.trim.parameters=[l1, tilt]", "move only"},
                {"static.trim.hold=[{signal: beam.y, value: 1}, {signal: beam.vy, value: 1}]",
                 "move only 1 of what is held"},
                {"static.trim.hold=[{signal: beam.y, value: 1}, {signal: bean.x, value: 1}]",
                 "there is no signal \"bean.x\""},
                {"static.trim.hold=[{signal: beam.y, value: 0.9 N}, {signal: angle, value: 0}]",
                 "dimension: the value is length mass time^-2, and \"beam.y\" is length, in m"},
                {"static.trim.hold=[{signal: beam.y, value: 0.9 rad}, {signal: angle, value: 0}]",
                 "dimension: the value is angle, and"},
                {"static.trim.hold=[{signal: beam.y, value: 1}, {signal: beam, value: 1}]",
                 "one signal is wanted for each value"}};
    (void)state;
    for (int i = 0; i < HOL_COUNT(list); i++) {
        hol_model *model = load_model(beam, &list[i].set, 1);
        assert_null(hol_statics_create(ctx, model, NULL));
        expect_message(list[i].words);
        hol_model_destroy(model);
    }
    const hol_statics_options both = {.vary = "k=1000..2000"};
    hol_model *model = load_model(beam, NULL, 0);
    assert_null(hol_statics_create(ctx, model, &both));
    expect_message("the model file trims parameters");
    hol_model_destroy(model);
}

// Newton's steps from far leave what the keys allow: the second moment of a cantilever by m g l^3/(3 E I), a mass and a stiffness by that of a
// stop of exponent 1.5, K d^1.5 = m g, from both sides and by five orders of magnitude. A deflection upwards has none of them, and the search
// ends at the edge of what is allowed.
static void values_stay_within_what_keys_allow(void **state)
{
    static const char cantilever[] =
        "dimension: 2\ngravity: [0, -9.81]\nparameters: {P: %g}\n"
        "bodies: [{name: a, mass: 2, inertia: 0.01, position: [1, 0]}]\n"
        "forces: [{name: b, type: beam, between: [ground, a], modulus: 2e11, area: "
        "1e-4, second_moment: P}]\n"
        "static: {trim: {parameters: [P], hold: [{signal: a.y, value: %g}]}}\n",
                      stop[] =
                          "dimension: 2\ngravity: [0, -9.81]\nparameters: {%s: %g, %s}\n"
                          "bodies: [{name: a, mass: m, inertia: 1, angle: -90 deg}]\n"
                          "joints: [{name: s, type: translational, between: [ground: {angle: -90 deg}, a], "
                          "limits: {range: [-1, 0], stiffness: K}}]\n"
                          "static: {trim: {parameters: [%s], hold: [{signal: s.stroke, value: %g}]}}\n";
    static const struct {
        char name;
        double from, depth;
    } rows[] = {{'I', 1e-6, 0},   {'I', 1e-5, 0},  {'I', 1e-10, 0}, {'m', 200, 1e-3}, {'m', 2000, 1e-4},
                {'m', 1e-3, 0.1}, {'K', 1e4, 0.1}, {'K', 1e7, 0.1}, {'K', 1e3, 1e-3}};
    char text[1000];
    hol_model *model;
    (void)state;
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        const double d = rows[i].depth;
        const char name[2] = {rows[i].name};
        if (*name == 'I')
            snprintf(text, sizeof text, cantilever, rows[i].from, -0.001);
        else
            snprintf(text, sizeof text, stop, name, rows[i].from, *name == 'm' ? "K: 1e4" : "m: 2", name, d);
        const double want = *name == 'I'   ? 2 * 9.81 / (3 * 2e11 * 0.001)
                            : *name == 'm' ? 1e4 * pow(d, 1.5) / 9.81
                                           : 2 * 9.81 / pow(d, 1.5);
        hol_statics *s = at_rest(text, NULL, 0, NULL, &model);
        near(name, s->trim_value[0], want, 1e-8 * want);
        leave(s, model);
    }
    snprintf(text, sizeof text, cantilever, 1e-6, 0.001);
    model = load_model(text, NULL, 0);
    assert_null(hol_statics_create(ctx, model, NULL));
    assert_int_equal(hol_context_status(ctx), HOL_ERR_INTEGRATION);
    expect_message("beyond what the file allows");
    hol_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_beam_is_trimmed),          cmocka_unit_test(what_floats_is_trimmed),
        cmocka_unit_test(a_car_is_trimmed_and_stays), cmocka_unit_test(parameters_have_their_units),
        cmocka_unit_test(what_is_not_trimmed),        cmocka_unit_test(values_stay_within_what_keys_allow)};
    return cmocka_run_group_tests(tests, start, stop);
}
