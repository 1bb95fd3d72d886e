// Numbers without a unit that may be meant in another one, and what else a file may mean otherwise: what is told, and what is not.
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static char told[2000];
static void remember(void *user, hol_severity severity, const char *text)
{
    (void)user;
    const size_t n = strlen(told);
    snprintf(told + n, sizeof told - n, "%s: %s\n", severity == HOL_WARNING ? "warning" : "note", text);
}

// What is said when it is read, or made as well.
static const char *told_of(const char *text, bool made)
{
    told[0] = 0;
    hol_context_set_log(ctx, remember, NULL);
    hol_spec *spec = hol_spec_read_text(ctx, "m", text, strlen(text), NULL, 0);
    hol_model_data *m = spec && made ? hol_model_compile(spec) : NULL;
    if (!spec || (made && !m)) fail_msg("%s", hol_context_error(ctx));
    if (made)
        hol_model_free(m); // and what was read
    else
        hol_spec_destroy(spec);
    hol_context_set_log(ctx, NULL, NULL);
    return told;
}

#define BODY "bodies: [{name: a, mass: 1, inertia: 1}]\n"

#define KN "dimension: 2\nunits: {force: kN}\n"
#define PUSH(value) "forces: [{name: f, type: force, on: a, value: [\"" value "\", 0]}]\n"
#define CURVE(units) "splines: [{name: S, " units "x: [0, 1, 2], y: [0, 1, 2]}]\n"

static void doubtful_units_are_told(void **state)
{
    (void)state;
    const struct {
        const char *model, *words; // NULL: nothing is said
    } rows[] = {
        {"dimension: 2\nunits: {length: mm, force: N}\ngravity: [0, -9.81]\n" BODY,
         "warning: m:3:10: gravity is 0.00981 m/s^2: plain numbers are in the units of the file; if m/s^2 "
         "are meant, "
         "write 9.81 m/s^2, or 9810"},
        {"dimension: 2\nunits: {length: mm, force: N}\ngravity: [0, -9810]\n" BODY, NULL},
        {"dimension: 2\nunits: {length: mm, force: N}\ngravity: [0, -9.81 m/s^2]\n" BODY, NULL},
        {"dimension: 2\nunits: {length: mm, force: N}\ngravity: [0, 0]\n" BODY, NULL},
        {"dimension: 2\ngravity: [0, -9.81]\n" BODY, NULL},
        {"dimension: 2\nunits: {length: mm}\n" BODY, "note: m:2:8: units: no unit of force is given: plain "
                                                     "forces are in N, stiffnesses in N/mm, torques in N mm; "
                                                     "\"force: N\" says so"},
        {"dimension: 2\nunits: {length: m}\n" BODY, NULL},
        {"dimension: 2\nunits: {system: mm-N-t-s}\n" BODY, NULL},
        {"dimension: 2\nunits: {system: mm-kg-s}\n" BODY, "no unit of force is given"},
        {"dimension: 2\nunits: {system: mm-kg-ms}\n" BODY, "stiffnesses in N/mm, torques in N mm; "},
        {"dimension: 2\nunits: {system: s-cm-g}\n" BODY, "stiffnesses in N/cm, torques in N cm; "},
        {"dimension: 2\nunits: {system: mm-N-t-s}\n" BODY
         "forces: [{name: f, type: force, on: a, value: [5*time, 0]}]\n",
         "warning: m:4:48: a number without a unit stands in an expression, a variable, a state or an input; "
         "there "
         "it is in SI units"},
        {"dimension: 2\nunits: {system: mm-N-t-s}\n" BODY
         "forces: [{name: f, type: force, on: a, value: [5 N/s*time, 3*time]},\n"
         "         {name: h, type: force, on: a, value: [\"5*DX(a)\", 0]}]\n",
         "m:4:60: a number without a unit stands in an expression, a variable, a state or an input, at "
         "m:5:48; "
         "there"},
        {KN BODY "variables: [{name: v, value: 500}]\n", "warning: m:4:30: a number without a unit"},
        {KN BODY "variables: [{name: v, value: 500 N}]\n", NULL},
        {KN BODY "variables: [{name: v, value: 0}]\n", NULL},
        {KN "parameters: {p: 5}\n" BODY "variables: [{name: v, value: p}]\n",
         "m:5:30: a number without a unit"},
        {KN BODY "states: [{name: x, rate: 0, initial: 5}]\n", "m:4:38: a number without a unit"},
        {KN BODY "states: [{name: x, rate: 0 N/s, initial: 5 N}]\n", NULL},
        {KN BODY "transfer_functions: [{name: f, input: 5, numerator: [1], denominator: [2, 1]}]\n",
         "m:4:39: a number without a unit"},
        {KN BODY
         "transfer_functions: [{name: f, input: time, numerator: [1], denominator: [2, 1], initial: [3]}]\n",
         "m:4:92: a number without a unit"},
        {KN BODY "state_spaces: [{name: s, inputs: [7], outputs: [y], A: [[-1]], B: [[1]], C: [[1]]}]\n",
         "m:4:35: a number without a unit"},
        {KN BODY "states: [{name: x, rate: 0}]\nevents: [{name: e, at: 1, set: {x: 4}}]\n",
         "m:5:36: a number without a unit"},
        {KN BODY CURVE("") PUSH("spline(time, S)"), "m:5:48: a number without a unit"},
        {KN BODY CURVE("units: {y: N}, ") PUSH("spline(time, S)"), "m:5:48: a number without a unit"},
        {KN BODY CURVE("units: {x: s, y: N}, ") PUSH("spline(time, S)"), NULL},
        {KN BODY CURVE("") PUSH("5 N*sin(spline(3, S)*time)"), NULL},
        {KN "parameters: {w: 3}\n" BODY PUSH("sin(w*time)"), "m:5:48: a number without a unit"},
        // a parameter that events set to plain numbers is a plain number; set to quantities it is in SI
        {KN "parameters: {F: 0.4}\n" BODY PUSH("F") "events: [{name: e, at: 1, set: {F: 2*F}}]\n", NULL},
        {KN "parameters: {F: 0.4}\n" BODY PUSH("F") "events: [{name: e, at: 1, set: {F: 2 N}}]\n",
         "m:5:48: a number without a unit"},
        {KN "parameters: {F: 0}\n" BODY PUSH("F") "events: [{name: e, at: 1, set: {F: 2 N}}]\n", NULL},
        {KN "parameters: {F: 0.4 kN}\n" BODY PUSH("F") "events: [{name: e, at: 1, set: {F: 0.4}}]\n",
         "m:6:36: a number without a unit"},
        {KN "parameters: {F: 0.4}\n" BODY PUSH("F*time") "events: [{name: e, at: 1, set: {F: 0.4}}]\n",
         "m:5:48: a number without a unit"},
        {"dimension: 2\nunits: {system: mm-N-t-s}\n" BODY
         "forces: [{name: f, type: force, on: a, value: [\"5 N/mm*DX(a)\", 0]}]\n",
         NULL},
        {"dimension: 2\nunits: {system: mm-N-t-s}\n" BODY "forces: [{name: f, type: force, on: a, value: "
         "[\"impact(DX(a), VX(a), 0 mm, 1e5, 1.5, 1 N s/mm, 1 mm)\", 0]}]\n",
         "warning: m:4:48: a number without a unit stands in an expression"},
        {"dimension: 2\nunits: {system: mm-N-t-s}\n" BODY "forces: [{name: f, type: force, on: a, value: "
         "[\"impact(DX(a), VX(a), 0 mm, 1e5 N/mm^1.5, 1.5, 1 N s/mm, 1 mm)\", 0]}]\n",
         NULL},
        {"dimension: 2\nunits: {system: mm-N-t-s}\n" BODY
         "transfer_functions: [{name: f, input: time, numerator: [1], denominator: [2, 1]}]\n",
         NULL},
        // a parameter that has no unit as a factor of what has one: 3 kN or 3 N, 5 kN/mm or 5 N/m, 30 deg or 30 rad
        {KN "parameters: {F: 3}\n" BODY PUSH("F*DX(a)/(150 mm)"),
         "m:5:48: a number without a unit stands in an expression, a variable, a state or an input; there it "
         "is in "
         "SI units (m, kg, s, rad, N), whatever \"units:\" says: give \"F\" its unit where it gets its "
         "value"},
        {KN "parameters: {k: 5}\n" BODY PUSH("-k*(DX(a) - 100 mm)"), "m:5:48: a number without a unit"},
        {KN "parameters: {k: 5}\n" BODY "variables: [{name: v, value: \"k*(DX(a) - 100 mm)\"}]\n",
         "m:5:30: a number without a unit"},
        {"dimension: 2\nunits: {angle: deg}\nparameters: {A: 30}\n" BODY
         "joints: [{name: h, type: revolute, bodies: [ground, a], at: [0, 0]}]\n"
         "drivers: [{name: d, type: angle, joint: h, value: \"A*time/(1 s)\"}]\n",
         "m:6:51: a number without a unit"},
        {"dimension: 2\nunits: {angle: deg}\nparameters: {A: 30}\n" BODY
         "joints: [{name: h, type: revolute, bodies: [ground, a], at: [0, 0]}]\n"
         "constraints: [{name: c, position: \"AZ(a) - A*time/(1 s)\"}]\n",
         "m:6:35: a number without a unit"},
        // what it lacks is no dimension, or one whose unit is that of SI; a unit of its own
        {KN "parameters: {F: 3}\n" BODY PUSH("F*(2 N)*DX(a)/(150 mm)"), NULL},
        {KN "parameters: {F: 3 kN}\n" BODY PUSH("F*DX(a)/(150 mm)"), NULL},
        {KN "parameters: {k: 5}\n" BODY PUSH("(k N/m)*(DX(a) - 100 mm)"), NULL},
        {KN "parameters: {k: 5 m/m}\n" BODY "variables: [{name: v, value: \"k*(DX(a) - 100 mm)\"}]\n", NULL},
        {"dimension: 2\nunits: {angle: deg, force: N}\nparameters: {F: 3}\n" BODY PUSH("F*DX(a)/(150 mm)"),
         NULL},
        {"dimension: 2\nparameters: {F: 3}\n" BODY PUSH("F*DX(a)/(150 mm)"), NULL},
        {"dimension: 2\nparameters: {e: 3}\n" BODY
         "forces: [{name: f, type: force, on: a, value: [\"5*e^(-2*time)\", 0]}]\n",
         "warning: m:4:51: \"e\" is a name of this file here, not 2.71828"},
        {"dimension: 2\nparameters: {e: 3}\n" BODY
         "forces: [{name: f, type: force, on: a, value: [\"5*e^2 + (e)^(-time)\", 0]}]\n",
         NULL},
        {"dimension: 2\n" BODY "forces: [{name: f, type: force, on: a, value: [\"5*e^(-2*time)\", 0]}]\n",
         NULL},
        {"dimension: 2\nparameters: {N: 2, m: 3}\n" BODY
         "forces: [{name: f, type: spring-damper, between: [ground: [1, 1], a], stiffness: 10 N/m}]\n",
         "warning: m:4:87: \"m\" is read as the unit here, and a value has this name too"},
        {"dimension: 2\nparameters: {m: 3}\nbodies: [{for: i in 1..3, name: \"a{i}\", mass: 1, inertia: 1, "
         "position: [2 m*m/1 m, 0]}]\n",
         "warning: m:3:77: \"m\" is read"},
        {"dimension: 2\nparameters: {N: 2, k: 3}\n" BODY
         "forces: [{name: f, type: spring-damper, between: [ground: [1, 1], a], stiffness: 10 N/m}]\n",
         NULL}};
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        const char *text = told_of(rows[i].model, false), *again = strstr(text, "is read as the unit");
        if (again) assert_null(strstr(again + 1, "is read as the unit")); // once, in loops too
        if (rows[i].words ? !strstr(text, rows[i].words) : *text)
            fail_msg("row %d: said is \"%s\"%s%s", i, text, rows[i].words ? ", wanted " : "",
                     rows[i].words ? rows[i].words : "");
    }
}

// A loop that goes down has no item, which is told unless a parameter leaves none.
static void loops_that_go_down_are_told(void **state)
{
    static const struct {
        const char *loop, *words; // NULL: nothing is said
    } rows[] = {
        {"i in 3..1", "warning: m:4:16: \"i in 3..1\" means no item: a loop counts upwards, and this one "
                      "goes from 3 to 1"},
        {"i in 1..0", "warning: m:4:16: "},
        {"i in N..1", "note: m:4:16: \"i in N..1\" means no item"},
        {"i in 1..3", NULL},
        {"i in N+1..N", NULL},
        {"i in 1..N-3", NULL},
    };
    (void)state;
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        char model[300];
        snprintf(model, sizeof model,
                 "dimension: 2\nparameters: {N: 3}\ngravity: [0, 0]\nbodies: [{for: %s, name: \"b{i}\", "
                 "mass: 1, inertia: "
                 "1}, {name: a, mass: 1, inertia: 1}]\n",
                 rows[i].loop);
        const char *text = told_of(model, false);
        if (rows[i].words ? !strstr(text, rows[i].words) : *text)
            fail_msg("%s: said is \"%s\"", rows[i].loop, text);
    }
}

// The factor that makes SI of a value is that of its place, whether an event sets the parameter there or not.
static void events_leave_units_as_they_are(void **state)
{
    (void)state;
    static const char *const value[] = {"F", "2*F - F", "F*exp(0)"};
    for (int i = 0; i < 2 * HOL_COUNT(value); i++) {
        char model[600];
        snprintf(
            model, sizeof model,
            KN "parameters: {F: 0.4, G: 0}\n" BODY PUSH("%s") "events: [{name: e, at: 1, set: {%s: 0.3}}]\n",
            value[i / 2], i % 2 ? "F" : "G");
        hol_spec *spec = hol_spec_read_text(ctx, "m", model, strlen(model), NULL, 0);
        if (!spec) fail_msg("%s: %s", model, hol_context_error(ctx));
        const hol_shape shape = {.n = 0, .order = 0};
        hol_real F[HOL_NUM_MAX] = {0.4}, out[HOL_NUM_MAX];
        const hol_real *const leaf[] = {F};
        hol_expr_eval(spec->element[0]->value[0].fn[0], &shape, NULL, leaf, out);
        near(model, (double)out[0], 400, 4e-10); // 0.4 kN
        hol_spec_destroy(spec);
    }
}

// A coupler between an angle and a stroke takes plain ratios in rad and m: 50 for 50 mm/rad was 50 m/rad, without a word.
static void plain_ratios_of_couplers_are_told(void **state)
{
    static const struct {
        const char *units, *joints, *ratios;
        bool told;
    } rows[] = {{"{length: mm}", "[h, s]", "[50, -1]", true},
                {"{angle: deg}", "[s, h]", "[-1, 50]", true},
                {"{length: mm}", "[h, k, s]", "[50, 1, -1]", true},
                {"{length: mm}", "[h, s]", "[r, -1]", true},
                {"{length: mm}", "[h, s]", "[50 mm, -1]", false},
                {"{length: mm}", "[h, s]", "[50 mm/rad, -1]", false},
                {"{length: mm}", "[h, k]", "[50, -1]", false},
                {"{length: m}", "[h, s]", "[50, -1]", false}};
    (void)state;
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        char model[900];
        snprintf(model, sizeof model,
                 "dimension: 2\nunits: %s\nparameters: {r: 50}\ngravity: [0, 0]\nbodies: [{name: a, mass: 1, "
                 "inertia: 1}, {name: "
                 "b, mass: 1, inertia: 1, position: [0, 100]}, {name: c, mass: 1, inertia: 1}]\njoints:\n"
                 "  - {name: h, type: revolute, between: [ground, a]}\n"
                 "  - {name: k, type: revolute, between: [ground, c]}\n"
                 "  - {name: s, type: translational, bodies: [ground, b], at: [0, 100], axis: [1, 0]}\n"
                 "  - {name: g, type: coupler, joints: %s, ratios: %s}\nsimulate: {end: 1}\n",
                 rows[i].units, rows[i].joints, rows[i].ratios);
        told[0] = 0;
        hol_context_set_log(ctx, remember, NULL);
        hol_model_destroy(load_model(model, NULL, 0));
        hol_context_set_log(ctx, NULL, NULL);
        if (rows[i].told !=
            (strstr(told, "joints.g.ratios: plain ratios between angles and strokes") != NULL))
            fail_msg("row %d: said is \"%s\"", i, told);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(doubtful_units_are_told),
        cmocka_unit_test(loops_that_go_down_are_told),
        cmocka_unit_test(events_leave_units_as_they_are),
        cmocka_unit_test(plain_ratios_of_couplers_are_told),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
