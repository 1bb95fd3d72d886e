// What is not a finite number is named, wherever it stands and whichever method runs: the expression, its place in the file, the
// time, the function that has no value and what it was given. And what no branch takes is no fault.
#include "harness.h"

#include "integrator/integrator.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A rod that falls from level: DX(rod.tip) goes from 1 down, through 0.9 after 0.26 s.
#define HEAD                                                                                                 \
    "dimension: 2\ngravity: [0, -9.81]\nparameters: {k: 1}\n"                                                \
    "bodies: [{name: rod, mass: 1, inertia: 0.1, position: [0.5, 0], markers: {o: [-0.5, 0], tip: [0.5, "    \
    "0]}}]\n"                                                                                                \
    "joints: [{name: hinge, type: revolute, between: [ground, rod.o]}]\n"
#define TAIL "\nsimulate: {end: 1, output: 0.05}\n"

typedef struct {
    const char *what, *section; // the line after HEAD, which is line 6
    const char *words[4];       // of the message
    double from, to;            // the time it names
} fault;

static const fault faults[] = {
    {"force of time",
     "forces: [{name: f, type: force, on: rod.tip, value: [0, \"sqrt(0.4-time)\"]}]",
     {":6:58: error: ", "forces.f: \"sqrt(0.4-time)\" has no finite ", "sqrt needs x >= 0", "(time = 0.4"},
     0.4,
     0.42},
    {"force of the motion",
     "forces: [{name: f, type: force, on: rod.tip, value: [0, \"1+sqrt(DX(rod.tip)-0.9)\"]}]",
     {":6:60: error: ", "forces.f: \"1+sqrt(DX(rod.tip)-0.9)\" has no finite ", "sqrt", "(DX(rod.tip) = 0."},
     0.25,
     0.32},
    {"torque",
     "forces: [{name: f, type: torque, on: rod, value: \"log(0.4-time)\"}]",
     {":6:51: error: ", "forces.f: \"log(0.4-time)\"", "log needs x > 0", "(time = 0.4"},
     0.39,
     0.42},
    {"variable",
     "variables: [{name: u, value: \"3*acos(DY(rod.tip)-0.5)\"}]",
     {":6:33: error: ", "variables.u: \"3*acos(DY(rod.tip)-0.5)\" has no finite ", "acos",
      "(DY(rod.tip) = -0.5"},
     0.2,
     0.5},
    {"variable of a variable",
     "variables: [{name: u, value: \"0.4-time\"}, {name: w, value: \"u^0.5\"}]",
     {":6:", "variables.w: \"u^0.5\" has no finite ", "^0.5", "(u = "},
     0.39,
     0.42},
    {"rate of a state",
     "states: [{name: s, rate: \"asin(time/0.4)\", initial: 0}]",
     {":6:27: error: ", "states.s: \"asin(time/0.4)\" has no finite ", "asin", "(time = 0.4"},
     0.39,
     0.42},
    {"input of a transfer function",
     "transfer_functions: [{name: s, input: \"sqrt(0.4-time)\", numerator: [1], denominator: [1, 1]}]",
     {":6:40: error: ", "\"sqrt(0.4-time)\" has no finite ", "sqrt", "(time = 0.4"},
     0.39,
     0.42},
    {"driver",
     "drivers: [{name: d, type: angle, joint: hinge, value: \"if(time-0.4: time/9, 0.4/9, log(0.3-time))\"}]",
     {":6:84: error: ", "drivers.d: \"if(time-0.4: time/9, 0.4/9, log(0.3-time))\" has no finite value",
      "log(-0.1", "(time = 0.4"},
     0.4,
     0.42},
    {"moving ground",
     "ground: {markers: {table: {motion: {x: \"log(0.4-time)\"}}}}\n"
     "forces: [{name: s, type: spring-damper, between: [ground.table, rod.tip], stiffness: 1, length: 1}]",
     {":6:41: error: ", "ground.table: \"log(0.4-time)\" has no finite ", "log", "(time = 0.4"},
     0.39,
     0.42},
    {"velocity constraint",
     "constraints: [{name: c, velocity: \"WZ(rod)+if(time-0.4: 0.1, 0.1, log(0.3-time))\"}]",
     {":6:67: error: ",
      "constraints.c: \"WZ(rod)+if(time-0.4: 0.1, 0.1, log(0.3-time))\" has no finite value", "log(-0.1",
      "(time = 0.4"},
     0.4,
     0.42},
    {"when of an event",
     "events: [{name: e, when: \"2+sqrt(0.4-time)\", print: hello}]",
     {":6:29: error: ", "events.e.when: \"2+sqrt(0.4-time)\" has no finite value", "sqrt(-", "(time = 0.4"},
     0.4,
     0.45},
    {"when, of the motion",
     "events: [{name: e, when: \"2+sqrt(DX(rod.tip)-0.9)\", print: hello}]",
     {":6:29: error: ", "events.e.when: \"2+sqrt(DX(rod.tip)-0.9)\" has no finite value", "sqrt(-",
      "(DX(rod.tip) = 0."},
     0.25,
     0.3},
    {"set of an event",
     "events: [{name: e, at: [0.5], set: {k: \"1/(time-0.5)\"}}]\nvariables: [{name: u, value: k}]",
     {":6:42: error: ", "events.e.set: \"1/(time-0.5)\" has no finite value at t = 0.5 s", "1/0",
      "/ needs a divisor other than 0"},
     0.5,
     0.5},
    {"sampler",
     "events: [{name: e, every: 0.1, set: {k: \"log(0.25-time)\"}}]\nvariables: [{name: u, value: k}]",
     {":6:42: error: ", "events.e.set: \"log(0.25-time)\" has no finite value at t = 0.3 s", "log(-0.05)",
      "log needs x > 0"},
     0.3,
     0.3},
    {"overflow",
     "variables: [{name: u, value: \"exp(2000*time)\"}]",
     {":6:31: error: ", "variables.u: \"exp(2000*time)\" has no finite ", "exp(7", "(time = 0.3"},
     0.35,
     0.37},
};

// At the start.
static const fault starts[] = {
    {"variable",
     "variables: [{name: u, value: \"1/(DX(rod.tip)-1)\"}]",
     {":6:32: error: the start: ", "variables.u: \"1/(DX(rod.tip)-1)\" has no finite value at t = 0 s",
      "1/0 is not", "(DX(rod.tip) = 1)"},
     0,
     0},
    {"force",
     "forces: [{name: f, type: force, on: rod.tip, value: [0, \"0^(DX(rod.tip)-2)\"]}]",
     {":6:59: error: the start: ", "forces.f: \"0^(DX(rod.tip)-2)\" has no finite value at t = 0 s",
      "0^-1 is not", "(DX(rod.tip) = 1)"},
     0,
     0},
    {"when",
     "events: [{name: e, when: \"sqrt(-1-time)\", print: hello}]",
     {":6:27: error: ", "events.e.when: \"sqrt(-1-time)\" has no finite value at t = 0 s", "sqrt(-1)",
      "(time = 0)"},
     0,
     0},
    {"overflow",
     "variables: [{name: u, value: \"1e300*exp(100*DX(rod.tip))\"}]",
     {":6:36: error: the start: ", "variables.u: ", "1e+300*2.68812e+43 is above", "(DX(rod.tip) = 1)"},
     0,
     0},
};

// The message of a run with this method; "": it has come to its end. Not every method takes every model: then NULL.
static const char *run(const char *text, const hol_method *method)
{
    static char message[2000];
    char name[60];
    const bool teaching = method->teaching;
    const char *set[] = {name, teaching ? "simulate.step=0.01" : "step_tolerance=1e-5"};
    snprintf(name, sizeof name, "simulate.method=%s", method->name);
    hol_context_clear(ctx);
    hol_model *model = load_model(text, set, 2);
    hol_simulation *sim = hol_simulation_create(ctx, model);
    if (sim) hol_simulation_run(sim);
    snprintf(message, sizeof message, "%s", hol_context_error(ctx));
    const bool refused = hol_context_status(ctx) == HOL_ERR_USAGE;
    hol_simulation_destroy(sim);
    hol_model_destroy(model);
    if (!refused) return message;
    if (!strstr(message, "does not take")) fail_msg("%s: \"%s\"", method->name, message);
    return NULL;
}

static void all_methods_name(const fault *f)
{
    char text[2000];
    int n = 0;
    snprintf(text, sizeof text, HEAD "%s" TAIL, f->section);
    for (const hol_method *const *m = hol_methods; *m; m++) {
        const char *message = run(text, *m);
        if (!message) continue;
        n++;
        for (int i = 0; i < 4; i++)
            if (!strstr(message, f->words[i]))
                fail_msg("%s, %s: \"%s\" does not say \"%s\"", f->what, (*m)->name, message, f->words[i]);
        const char *slope = strstr(message, " has no finite "), *t = slope ? strstr(slope, " at t = ") : NULL;
        const double time = t ? atof(t + strlen(" at t = ")) : -1;
        if (!(time >= f->from - 1e-3 && time <= f->to))
            fail_msg("%s, %s: t = %g in \"%s\"", f->what, (*m)->name, time, message);
    }
    assert_true(n >= 8); // methods that take the model
}

static void on_the_way_every_method_names_it(void **state)
{
    (void)state;
    for (int i = 0; i < HOL_COUNT(faults); i++) all_methods_name(&faults[i]);
}

static void at_the_start_every_method_names_it(void **state)
{
    (void)state;
    for (int i = 0; i < HOL_COUNT(starts); i++) all_methods_name(&starts[i]);
}

// Branches that are not taken, events that are over, a passage that ends the run before: none of them is a fault.
static void what_is_not_taken_is_no_fault(void **state)
{
    (void)state;
    static const char *const fine[] = {
        "variables: [{name: u, value: \"if(time-2: 1, 0, log(-time))\"}]",
        "variables: [{name: u, value: \"if(DX(rod.tip)-0.9: 0, 0, sqrt(max(DX(rod.tip)-0.9, 0.001)))\"}]",
        "forces: [{name: f, type: force, on: rod.tip, value: [0, \"if(0.4-time: 0, 0, 0.1*sqrt(max(0.4-time, "
        "1e-3)))\"]}]",
        "events: [{name: e, when: \"if(time-2: time-0.5, 0, log(-time))\", print: hello}]",
        "events: [{name: e, when: \"sqrt(0.8-time)-0.5\", once: yes, print: hello}]",
        "events: [{name: e, when: \"time-0.3\", stop: yes}, {name: f, when: \"2+sqrt(0.302-time)\", print: "
        "hello}]",
        "variables: [{name: u, value: \"min(1, 1/max(DX(rod.tip), 0.5))\"}]",
    };
    for (int i = 0; i < HOL_COUNT(fine); i++)
        for (const hol_method *const *m = hol_methods; *m; m++) {
            char text[2000];
            snprintf(text, sizeof text, HEAD "%s" TAIL, fine[i]);
            const char *message = run(text, *m);
            if (message && *message) fail_msg("%s, %s: \"%s\"", fine[i], (*m)->name, message);
        }
}

// u = u^2 + time/2 has no real root after 0.5 s.
static void a_variable_that_loses_its_root_is_named(void **state)
{
    (void)state;
    static const char *const methods[] = {"hht",     "newmark", "genalpha", "rn4",     "ros2w",
                                          "tangent", "rk",      "adams",    "central", "bdf"};
    for (int i = 0; i < HOL_COUNT(methods); i++) {
        const char *message =
            run(HEAD "variables: [{name: u, value: \"u^2 + time/2\"}]" TAIL, hol_method_find(methods[i]));
        assert_non_null(message);
        if (!strstr(message, ":6:13: error: stopped at t = 0.5") ||
            !strstr(message, "variables.u depends on itself, alone or through others, by a factor of "))
            fail_msg("%s: \"%s\"", methods[i], message);
    }
}

// Equations without a solution, or without one that is found: the variable is to blame, and not what takes it.
static void a_variable_without_a_root_is_named(void **state)
{
    static const struct {
        const char *text, *name;
    } rows[] = {
        {"variables: [{name: u, value: u^2 + 1}]", "variables.u"},
        {"variables: [{name: u, value: exp(2*u)}]", "variables.u"},
        {"variables: [{name: w, value: 100*u}, {name: u, value: \"if(u: 1, 1, -1)\"}]", "variables.u"},
        {"variables: [{name: u, value: v^2 + 1}, {name: v, value: u + DX(rod)}]", "variables."},
        {"states: [{name: x, rate: \"1 + DIF1(x)^2\"}]", "states.x"},
        {"forces: [{name: f, type: force, on: rod, value: [\"10 + FX(f)^2\", 0]}]", "forces.f"}};
    (void)state;
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        char text[2000];
        snprintf(text, sizeof text, HEAD "%s" TAIL, rows[i].text);
        hol_model *model = load_model(text, NULL, 0);
        assert_null(hol_simulation_create(ctx, model));
        const char *message = hol_context_error(ctx);
        if (!strstr(message, ":6:") || !strstr(message, rows[i].name) ||
            !strstr(message, "no value was found at the start"))
            fail_msg("%s: \"%s\"", rows[i].text, message);
        hol_context_clear(ctx);
        hol_model_destroy(model);
    }
}

// ---- user code --------------------------------------------------------------------------------------------------

static char folder[1000]; // of the libraries made for tests

static void user_code_is_named_with_its_place_and_what_takes_it(void **state)
{
    (void)state;
    int n = 0;
    for (const hol_method *const *m = hol_methods; *m; m++) {
        char text[3000];
        snprintf(text, sizeof text,
                 HEAD
                 "code: [{name: c, library: \"%s/trouble.so\", function: troubled, inputs: [\"4*time\"], "
                 "outputs: [one, two], states: [p, q], parameters: [0]}]\n"
                 "forces: [{name: pull, type: force, on: rod.tip, value: [0, \"two\"]}]" TAIL,
                 folder);
        const char *message = run(text, *m);
        if (!message) continue;
        n++;
        if (!strstr(message, ":6:") || !strstr(message, "\"troubled\" of \"") ||
            !strstr(message, "trouble.so\" gives output two as nan at t = 0.2") ||
            !strstr(message, "; \"forces.pull\" takes it"))
            fail_msg("%s: \"%s\"", (*m)->name, message);
    }
    assert_true(n >= 6);
}

// No method steps over it; most name it, others the force that has become too large, or the step.
static void a_pole_is_named(void **state)
{
    static const struct {
        const char *text, *words;
    } poles[] = {
        {"forces: [{name: f, type: force, on: a, value: [\"0.01/(0.5 - DX(a))\", 0]}]\n",
         "forces.f (\"0.01/(0.5 - DX(a))\") grows without bound there, a pole; --end 0.49"},
        {"variables: [{name: u, value: \"0.01/(0.5 - DX(a))\"}]\n"
         "forces: [{name: f, type: force, on: a, value: [u, 0]}]\n",
         "variables.u (\"0.01/(0.5 - DX(a))\") grows without bound there, a pole; --end 0.49"},
        {"states: [{name: x, rate: x^2, initial: 2}]\n",
         "states.x (\"x^2\") grows without bound there, a pole; --end 0.49"},
        {"transfer_functions: [{name: lag, input: \"0.01/(0.5 - DX(a))\", numerator: [1], denominator: [1, "
         "1]}]\n"
         "forces: [{name: f, type: force, on: a, value: [lag_u, 0]}]\n",
         "transfer_functions.lag (\"0.01/(0.5 - DX(a))\") grows without bound there, a pole; --end 0.49"},
        {"state_spaces: [{name: plant, A: [[-1]], B: [[1]], C: [[1]], inputs: [\"0.01/(0.5 - DX(a))\"], "
         "outputs: [y]}]\n"
         "forces: [{name: f, type: force, on: a, value: [plant_u1, 0]}]\n",
         "state_spaces.plant (\"0.01/(0.5 - DX(a))\") grows without bound there, a pole; --end 0.49"}};
    (void)state;
    for (int i = 0; i < HOL_COUNT(poles); i++) {
        int named = 0;
        for (const hol_method *const *m = hol_methods; *m; m++) {
            char text[600];
            snprintf(text, sizeof text,
                     "dimension: 2\nbodies: [{name: a, mass: 1, inertia: 1, velocity: [1, 0]}]\n%ssimulate: "
                     "{end: 2}\n",
                     poles[i].text);
            const char *message = run(text, *m);
            if (!message) continue;
            if (!*message) fail_msg("%s: no pole in %s", (*m)->name, poles[i].text);
            if (!strstr(message, "a pole")) continue;
            named++;
            if (!strstr(message, poles[i].words)) fail_msg("%s: \"%s\"", (*m)->name, message);
        }
        assert_true(named >= 8);
    }
}

// Beside the mass, at the start. Somewhat less than the size that is told can be computed with.
static void a_force_that_is_too_large_is_named(void **state)
{
    static const char *const methods[] = {"rk", "hht", "newmark"};
    (void)state;
    for (int i = 0; i < HOL_COUNT(methods); i++) {
        char text[600];
        double less = 1e20;
        for (int again = 0; again < 2; again++) {
            snprintf(text, sizeof text,
                     HEAD "forces: [{name: t, type: torque, on: rod, value: %.17g}]\n"
                          "simulate: {end: 1e-5}\n",
                     less);
            const char *message = run(text, hol_method_find(methods[i]));
            assert_non_null(message);
            if (again && *message) fail_msg("%s at %g: \"%s\"", methods[i], less, message);
            if (again) continue;
            const char *told = strstr(message, "; less than ");
            if (!told || !strstr(message, ":6:10: error: stopped at t = ") ||
                !strstr(message,
                        "forces.t acts on \"rod\" with a size of 1e+20 (N, N m), too large to compute"))
                fail_msg("%s: \"%s\"", methods[i], message);
            less = 0.5 * strtod(told + strlen("; less than "), NULL);
        }
    }
}

// The same later, when it comes by a jump.
static void a_force_that_becomes_too_large_is_named(void **state)
{
    static const char *const methods[] = {"hht", "newmark", "bdf", "adams", "rn4"};
    (void)state;
    for (int i = 0; i < HOL_COUNT(methods); i++) {
        const char *message =
            run(HEAD "forces: [{name: t, type: torque, on: rod, value: \"if(time-0.1: 0, 0, 1e30)\"}]\n"
                     "simulate: {end: 1}\n",
                hol_method_find(methods[i]));
        assert_non_null(message);
        if (!strstr(message,
                    ":6:10: error: stopped at t = 0.1 s: forces.t acts on \"rod\" with a size of 1e+30 (N, "
                    "N m), too large to compute"))
            fail_msg("%s: \"%s\"", methods[i], message);
    }
}

int main(int argc, char **argv)
{
    (void)argc;
    const char *slash = strrchr(argv[0], '/');
    snprintf(folder, sizeof folder, "%.*s/../user_code", slash ? (int)(slash - argv[0]) : 1,
             slash ? argv[0] : ".");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(on_the_way_every_method_names_it),
        cmocka_unit_test(at_the_start_every_method_names_it),
        cmocka_unit_test(what_is_not_taken_is_no_fault),
        cmocka_unit_test(a_variable_that_loses_its_root_is_named),
        cmocka_unit_test(a_variable_without_a_root_is_named),
        cmocka_unit_test(a_pole_is_named),
        cmocka_unit_test(a_force_that_is_too_large_is_named),
        cmocka_unit_test(a_force_that_becomes_too_large_is_named),
        cmocka_unit_test(user_code_is_named_with_its_place_and_what_takes_it),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
