// Models in which something is missing, empty, locked or without meaning, by every method of the table: each call ends with a
// status and, if it is an error, with a message; none breaks, and what is said to have gone well has numbers.
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// What comes of a model: it is refused when it is read, its start cannot be found, or it is a matter of the method; no joint holds its
// weights without a lever arm.
typedef enum { REFUSED, NO_START, OPEN, UNBOUNDED } fate;

typedef struct {
    const char *name;
    fate fate;
    const char *text; // without its simulate, if that is `simulate`
    const char *simulate;
} degenerate;

#define SHORT "end: 0.1, output: 0.05"
#define FLAT "dimension: 2, gravity: [0, -9.81], "
#define SPACE "dimension: 3, gravity: [0, 0, -9.81], "
#define BAR "{name: a, mass: 1, inertia: 0.1, position: [0.5, 0], markers: {l: [-0.5, 0], r: [0.5, 0]}}"
#define BARS                                                                                                 \
    "bodies: [" BAR                                                                                          \
    ", {name: b, mass: 1, inertia: 0.1, position: [1.5, 0], markers: {l: [-0.5, 0], r: [0.5, 0]}}]"
#define BLOCK                                                                                                \
    "{name: a, mass: 1, inertia: [0.1, 0.2, 0.3], position: [0.5, 0, 0], markers: {l: [-0.5, 0, 0]}}"
#define PIN "{name: j, type: revolute, between: [ground, a.l]}"
#define WELD "{name: w, type: fixed, between: [ground, a.l]}"

static const degenerate models[] = {
    // nothing
    {"no text", REFUSED, "", ""},
    {"no bodies", REFUSED, FLAT "bodies: []", SHORT},
    {"no bodies in space", REFUSED, SPACE "bodies: []", SHORT},
    {"bodies left away", REFUSED, "dimension: 2", SHORT},
    {"bodies null", REFUSED, "dimension: 2, bodies: ", SHORT},
    {"a loop of no bodies", REFUSED, FLAT "bodies: [{for: i in 0..-1, name: 'a{i}', mass: 1, inertia: 1}]",
     SHORT},
    {"only ground", REFUSED, FLAT "ground: {markers: {o: [1, 1]}}, bodies: []", SHORT},
    {"only a state", REFUSED, "dimension: 2, bodies: [], states: [{name: x, rate: -x, initial: 1}]", SHORT},
    {"ground to ground", REFUSED,
     FLAT "ground: {markers: {o: [1, 1], p: [1, 1]}}, bodies: [" BAR
          "], joints: [{name: j, type: fixed, between: [ground.o, "
          "ground.p]}]",
     SHORT},
    {"other lists empty", OPEN,
     FLAT "bodies: [" BAR
          "], joints: [], drivers: [], constraints: [], forces: [], variables: [], states: [], events: [], "
          "splines: []",
     SHORT},
    {"other lists null", REFUSED, FLAT "bodies: [" BAR "], joints: , forces: ", SHORT},
    {"a loop of no joints", OPEN,
     FLAT "bodies: [" BAR "], joints: [{for: i in 0..-1, name: 'j{i}', type: fixed, between: [ground, a.l]}]",
     SHORT},
    // free
    {"a free point", OPEN, "dimension: 2, bodies: [{name: a, type: point, mass: 1}]", SHORT},
    {"a free body", OPEN, FLAT "bodies: [" BAR "]", SHORT},
    {"a free body in space", OPEN, SPACE "bodies: [" BLOCK "]", SHORT},
    {"a free body at rest in space", OPEN, "dimension: 3, bodies: [" BLOCK "]", SHORT},
    {"no gravity and no forces", OPEN, "dimension: 2, bodies: [" BAR "], joints: [" PIN "]", SHORT},
    {"gravity of zeros", OPEN, "dimension: 2, gravity: [0, 0], bodies: [" BAR "], joints: [" PIN "]", SHORT},
    {"two bodies in one place", OPEN,
     FLAT "bodies: [{name: a, mass: 1, inertia: 1}, {name: b, mass: 1, inertia: 1}], joints: [{name: j, "
          "type: revolute, "
          "between: [a, b]}]",
     SHORT},
    // locked
    {"one fixed body", OPEN, FLAT "bodies: [" BAR "], joints: [" WELD "]", SHORT},
    {"one fixed body in space", OPEN, SPACE "bodies: [" BLOCK "], joints: [" WELD "]", SHORT},
    {"locked by two welds", OPEN,
     FLAT BARS ", joints: [" WELD
               ", {name: v, type: fixed, between: [a.r, b.l]}, {name: u, type: fixed, between: [b.r, ground: "
               "[2, 0]]}]",
     SHORT},
    {"one weld twice", OPEN,
     FLAT "bodies: [" BAR "], joints: [" WELD ", {name: v, type: fixed, between: [ground, a.l]}]", SHORT},
    {"one weld twice in space", OPEN,
     SPACE "bodies: [" BLOCK "], joints: [" WELD ", {name: v, type: fixed, between: [ground, a.l]}]", SHORT},
    {"one hinge twice", OPEN,
     FLAT "bodies: [" BAR "], joints: [" PIN ", {name: k, type: revolute, between: [ground, a.l]}]", SHORT},
    {"one name twice", REFUSED, FLAT "bodies: [" BAR "], joints: [" PIN ", " PIN "]", SHORT},
    {"a body to itself", REFUSED,
     FLAT "bodies: [" BAR "], joints: [{name: j, type: fixed, between: [a.l, a.r]}]", SHORT},
    {"joints that cannot close", NO_START,
     FLAT "bodies: [" BAR "], joints: [" WELD ", {name: v, type: fixed, between: [ground: [5, 0], a.l]}]",
     SHORT},
    {"only a driver", OPEN,
     FLAT "bodies: [" BAR "], joints: [" PIN "], drivers: [{name: d, type: angle, joint: j, value: 2*time}]",
     SHORT},
    {"driven twice", OPEN,
     FLAT "bodies: [" BAR "], joints: [" PIN
          "], drivers: [{name: d, type: angle, joint: j, value: 2*time}, {name: e, type: "
          "angle, joint: j, value: 2*time}]",
     SHORT},
    {"driven against each other", NO_START,
     FLAT "bodies: [" BAR "], joints: [" PIN
          "], drivers: [{name: d, type: angle, joint: j, value: time}, {name: e, type: "
          "angle, joint: j, value: 2*time}]",
     SHORT},
    {"a singular pose", UNBOUNDED,
     FLAT BARS ", joints: [" PIN
               ", {name: k, type: revolute, between: [a.r, b.l]}, {name: l, type: revolute, between: [b.r, "
               "ground: [2, 0]]}]",
     SHORT},
    {"a fixed body and a state", OPEN,
     FLAT "bodies: [" BAR "], joints: [" WELD "], states: [{name: x, rate: -x, initial: 1}]", SHORT},
    {"a fixed body and a variable", OPEN,
     FLAT "bodies: [" BAR "], joints: [" WELD "], variables: [{name: z, value: time^2}]", SHORT},
    {"a fixed body and a block", OPEN,
     FLAT "bodies: [" BAR "], joints: [" WELD
          "], transfer_functions: [{name: y, input: time, numerator: [1], denominator: [1, "
          "1]}]",
     SHORT},
    {"a fixed body and an event", OPEN,
     FLAT "bodies: [" BAR "], joints: [" WELD
          "], parameters: {p: 1}, events: [{name: e, every: 0.02, set: {p: 2*p}}]",
     SHORT},
    // velocities and equations
    {"only velocity rows", OPEN,
     FLAT
     "bodies: [" BAR
     "], constraints: [{name: c, velocity: VX(a)}, {name: d, velocity: VY(a)}, {name: e, velocity: WZ(a)}]",
     SHORT},
    {"only velocity rows in space", OPEN,
     SPACE "bodies: [" BLOCK "], constraints: [{name: c, velocity: VX(a)}, {name: d, velocity: VZ(a)}]",
     SHORT},
    {"velocity rows of a fixed body", NO_START,
     FLAT "bodies: [" BAR "], joints: [" WELD "], constraints: [{name: c, velocity: VX(a)}]", SHORT},
    {"a velocity row twice", NO_START,
     FLAT "bodies: [" BAR "], constraints: [{name: c, velocity: VX(a)}, {name: d, velocity: 2*VX(a)}]",
     SHORT},
    {"a constraint of nothing", REFUSED, FLAT "bodies: [" BAR "], constraints: [{name: c, position: 0}]",
     SHORT},
    {"a constraint that is wrong", REFUSED, FLAT "bodies: [" BAR "], constraints: [{name: c, position: 1}]",
     SHORT},
    {"a velocity row of nothing", REFUSED, FLAT "bodies: [" BAR "], constraints: [{name: c, velocity: 0}]",
     SHORT},
    {"a variable of itself", NO_START, FLAT "bodies: [" BAR "], variables: [{name: z, value: z}]", SHORT},
    {"a variable that is none", NO_START, FLAT "bodies: [" BAR "], variables: [{name: z, value: z + 1}]",
     SHORT},
    {"a state that runs away", OPEN,
     "dimension: 2, bodies: [" BAR "], states: [{name: x, rate: x^2, initial: 1e100}]", SHORT},
    {"a force that is no number", NO_START,
     FLAT "bodies: [" BAR "], forces: [{name: f, type: force, on: a, value: [0, sqrt(-1 - time)]}]", SHORT},
    {"a spring without length", NO_START,
     FLAT "bodies: [" BAR "], joints: [" PIN
          "], forces: [{name: f, type: spring-damper, between: [ground, a.l], stiffness: 5, "
          "length: 1}]",
     SHORT},
    {"an event all the time", OPEN,
     FLAT "bodies: [" BAR "], parameters: {p: 1}, events: [{name: e, when: 0*time, set: {p: 2}}]", SHORT},
    {"an end at the start", OPEN,
     FLAT "bodies: [" BAR "], events: [{name: e, every: 0.05, stop: yes}, {name: f, when: time, stop: yes}]",
     SHORT},
    // sizes
    {"numbers of 1e300", REFUSED,
     "dimension: 2, gravity: [0, -1e300], bodies: [{name: a, mass: 1e300, inertia: 1e300, position: [1e300, "
     "0]}], joints: "
     "[{name: j, type: revolute, between: [ground, {a: [-1e300, 0]}]}]",
     SHORT},
    {"numbers of 1e90", OPEN,
     "dimension: 2, gravity: [0, -1e90], bodies: [{name: a, mass: 1e90, inertia: 1e90, position: [1e90, "
     "0]}], joints: "
     "[{name: j, type: revolute, between: [ground, {a: [-1e90, 0]}]}]",
     SHORT},
    {"numbers of 1e-300", OPEN,
     "dimension: 2, gravity: [0, -1e-300], bodies: [{name: a, mass: 1e-300, inertia: 1e-300, position: "
     "[1e-300, 0]}], joints: "
     "[{name: j, type: revolute, between: [ground, {a: [-1e-300, 0]}]}]",
     SHORT},
    {"no mass", NO_START, "dimension: 2, bodies: [{name: a, mass: 0, inertia: 0}]", SHORT},
    // results
    {"no signals", REFUSED, FLAT "bodies: [" BAR "], joints: [" PIN "]", SHORT ", signals: []"},
    {"end 0", REFUSED, FLAT "bodies: [" BAR "], joints: [" PIN "]", "end: 0"},
    {"no end", OPEN, FLAT "bodies: [" BAR "], joints: [" PIN "]", ""},
    {"an end that is near", OPEN, FLAT "bodies: [" BAR "], joints: [" PIN "]", "end: 1e-99"},
    {"an end that is too near", REFUSED, FLAT "bodies: [" BAR "], joints: [" PIN "]", "end: 1e-300"},
    {"an end that is far", OPEN, FLAT "bodies: [" BAR "], joints: [" WELD "]", "end: 1e7, time_limit: 0.02"},
    {"an end that is too far", REFUSED, FLAT "bodies: [" BAR "], joints: [" WELD "]",
     "end: 1e300, time_limit: 0.02"},
    {"one output", OPEN, FLAT "bodies: [" BAR "], joints: [" PIN "]", "end: 0.1, output: 0.1"},
    {"an output beyond the end", OPEN, FLAT "bodies: [" BAR "], joints: [" PIN "]", "end: 0.1, output: 7"},
    {"output 0", OPEN, FLAT "bodies: [" BAR "], joints: [" PIN "]", "end: 0.1, output: 0"},
    {"omega_max of what is free", OPEN, FLAT "bodies: [" BAR "]", SHORT ", signals: [omega_max]"},
    {"omega_max of what is locked", OPEN, FLAT "bodies: [" BAR "], joints: [" WELD "]",
     SHORT ", signals: [omega_max]"},
    {"results projected", OPEN, FLAT "bodies: [" BAR "], joints: [" WELD "]", SHORT ", project: yes"},
};

static char folder[] = "/tmp/holonom_degenerate_XXXXXX";
static char csv[60], nc[60], html[60], glb[60], saved[60], table[60];
static const degenerate *now;
static const char *method; // of the table; NULL: that of the model

static int faults;

// One fault does not hide the next.
static void demand(bool true_, const char *call, const char *words)
{
    if (true_) return;
    faults++;
    print_error("%s, %s, %s: %s\n", now->name, method ? method : "auto", call, words);
}

// An answer: all is well and there is no error, or a status below 0 with the words for it.
static bool answered(const char *call, bool good)
{
    const hol_status st = hol_context_status(ctx);
    const char *words = hol_context_error(ctx);
    demand(good ? st == HOL_OK : st < 0 && *words, call, good ? words : "no status, or no message");
    hol_context_clear(ctx);
    return good;
}
#define ANSWERED(call) answered(#call, (call) == HOL_OK)

static void count(void *user, const char *text) { *(size_t *)user += strlen(text); }

static hol_model *read_model(void)
{
    char text[1200], step[60], name[60];
    const char *set[2] = {name, step};
    hol_method_info info = {0};
    for (int i = 0; method && hol_method_list(i, &info) && strcmp(info.name, method) != 0; i++) {
    }
    snprintf(text, sizeof text, *now->text ? "{%s, simulate: {%s}}" : "%s", now->text, now->simulate);
    snprintf(name, sizeof name, "simulate.method=%s", method ? method : "auto");
    snprintf(step, sizeof step, info.fixed_steps ? "simulate.step=0.01" : "simulate.tolerance=1e-4");
    return hol_model_parse(ctx, "model", text, strlen(text), set, 2);
}

// ---- what does not depend on the method -------------------------------------------------------------------------

static void look_at_modes(const hol_model *model)
{
    static const hol_modes_options ways[] = {
        {0}, {.metric = HOL_METRIC_NATURAL}, {.equilibrium = true}, {.at = 0.05}, {.count = 2}};
    for (int i = 0; i < HOL_COUNT(ways); i++) {
        hol_modes *modes = hol_modes_create(ctx, model, &ways[i]);
        if (answered("hol_modes_create", modes)) ANSWERED(hol_modes_write(ctx, modes, table));
        for (int k = 0; modes && k < modes->n; k++)
            demand(isfinite(modes->mode[k].re), "hol_modes_create", "no number");
        hol_modes_destroy(modes);
    }
}

static void look_at(const hol_model *model)
{
    size_t n = 0;
    hol_advice advice;
    hol_check *check = hol_check_create(ctx, model);
    demand(answered("hol_check_create", check) == (now->fate != NO_START), "hol_check_create",
           "another fate");
    hol_check_print(check, now->name, count, &n);
    demand((n > 0) == (check != NULL), "hol_check_print", "no text");
    hol_check_destroy(check);
    ANSWERED(hol_graph_print(ctx, model, count, &n));
    ANSWERED(hol_advise(ctx, model, 0, &advice));
    look_at_modes(model);
}

// ---- runs -----------------------------------------------------------------------------------------------------

static void read_results(const hol_model *model, const char *file, bool good)
{
    hol_result *r = hol_result_read(ctx, file);
    if (!answered("hol_result_read", r)) {
        demand(!good, "hol_result_read", "what a run has written cannot be read");
        return;
    }
    hol_comparison *same = hol_comparison_create(ctx, r, r);
    answered("hol_comparison_create", same);
    hol_comparison_destroy(same);
    ANSWERED(hol_report_write(ctx, r, model, NULL, html));
    ANSWERED(hol_motion_export(ctx, r, model, glb));
    hol_model *again = hol_result_model(ctx, r);
    answered("hol_result_model", again);
    hol_model_destroy(again);
    hol_result_destroy(r);
}

// From the checkpoint to the end: the same values.
static void go_on(const hol_model *model, const double *want, int n)
{
    hol_simulation *sim = hol_simulation_create(ctx, model);
    answered("hol_simulation_create", sim);
    if (ANSWERED(hol_simulation_restart(sim, saved)) && ANSWERED(hol_simulation_run(sim)) && want && n)
        demand(memcmp(want, hol_simulation_values(sim), (size_t)n * sizeof *want) == 0,
               "hol_simulation_restart", "other values at the end");
    hol_simulation_destroy(sim);
}

static bool take_steps(hol_simulation *sim)
{
    bool done = false, good = true;
    for (int i = 0; i < 3 && good && !done; i++) good = ANSWERED(hol_simulation_step(sim, &done));
    return good;
}

static void run(const hol_model *model)
{
    hol_cost cost[3];
    char text[200];
    hol_simulation *sim = hol_simulation_create(ctx, model);
    if (!answered("hol_simulation_create", sim)) return;
    demand(now->fate >= OPEN, "hol_simulation_create", "another fate");
    const int n = hol_simulation_signals(sim);
    ANSWERED(hol_simulation_write(sim, csv));
    ANSWERED(hol_simulation_write(sim, nc));
    ANSWERED(hol_simulation_report(sim, html));
    bool good = take_steps(sim);
    const bool kept = ANSWERED(hol_simulation_checkpoint(sim, saved));
    good = good && ANSWERED(hol_simulation_run(sim));
    const double *value = hol_simulation_values(sim);
    answered("hol_simulation_values", value || !n);
    for (int i = 0; good && i < n; i++)
        demand(isfinite(value[i]) || now->fate == UNBOUNDED, hol_simulation_signal_name(sim, i), "no number");
    const hol_statistics *s = hol_simulation_finish(sim);
    demand((s->status == HOL_OK) == good, "hol_simulation_finish", "another status than that of the run");
    hol_limits_text(s, text, sizeof text);
    hol_simulation_costs(sim, cost, 3);
    hol_context_clear(ctx);
    if (kept) go_on(model, good ? value : NULL, n);
    hol_simulation_destroy(sim);
    read_results(model, csv, good);
    read_results(model, nc, good);
}

static void by_every_method(void (*work)(const hol_model *))
{
    hol_method_info info;
    for (int k = 0; k < HOL_COUNT(models); k++) {
        now = &models[k];
        for (int i = 0; hol_method_list(i, &info) && (i == 0 || now->fate != REFUSED); i++) {
            if (now->fate != REFUSED && !in_sample(i + k, 2, 2)) continue;
            method = info.name;
            hol_model *model = read_model();
            demand(answered("hol_model_parse", model) == (now->fate != REFUSED), "hol_model_parse",
                   "another fate");
            if (model) work(model);
            hol_model_destroy(model);
        }
    }
}

static void every_method_runs_or_says_why_not(void **state)
{
    (void)state;
    faults = 0;
    by_every_method(run);
    assert_int_equal(faults, 0);
}

static void each_can_be_looked_at(void **state)
{
    (void)state;
    method = NULL;
    faults = 0;
    for (int k = 0; k < HOL_COUNT(models); k++) {
        now = &models[k];
        hol_model *model = read_model();
        demand(answered("hol_model_parse", model) == (now->fate != REFUSED), "hol_model_parse",
               "another fate");
        if (model) look_at(model);
        if (model) run(model);
        hol_model_destroy(model);
    }
    assert_int_equal(faults, 0);
}

// ---- words ----------------------------------------------------------------------------------------------------

static void every_word_can_be_asked_for(void **state)
{
    static const char *const words[] = {"",         " ",     "-",      "a",        "%s%n",     "revolute ",
                                        "units",    "N",     "N/",     "/",        "(",        "()",
                                        "\xff\xfe", "1e999", "ground", "simulate", "hht.alpha"};
    static const hol_text_form forms[] = {HOL_PLAIN_TEXT, HOL_MARKDOWN, (hol_text_form)7};
    (void)state;
    faults = 0;
    now = &models[0];
    for (int k = 0; k < HOL_COUNT(forms); k++) {
        char word[3] = "";
        size_t n = 0;
        hol_describe_methods(forms[k], count, &n);
        hol_describe_elements(forms[k], count, &n);
        assert_true(n > 1000);
        for (int i = 0; i < HOL_COUNT(words); i++) {
            ANSWERED(hol_describe_element(ctx, words[i], forms[k], count, &n));
            ANSWERED(hol_describe_method(ctx, words[i], forms[k], count, &n));
        }
        for (int c = 1; c < 256; c++) { // one byte, alone and before another
            word[0] = (char)c;
            word[1] = c % 2 ? '\0' : '2';
            ANSWERED(hol_describe_element(ctx, word, forms[k], count, &n));
            ANSWERED(hol_describe_method(ctx, word, forms[k], count, &n));
        }
    }
    assert_int_equal(faults, 0);
}

// ---- the files ------------------------------------------------------------------------------------------------

static char *const files[] = {csv, nc, html, glb, saved, table};

static int prepare(void **state)
{
    static const char *const names[] = {"a.csv", "a.nc", "a.html", "a.glb", "a.ck", "modes.csv"};
    if (!mkdtemp(folder)) return -1;
    for (int i = 0; i < HOL_COUNT(files); i++) snprintf(files[i], sizeof csv, "%s/%s", folder, names[i]);
    return start(state);
}

static int clean(void **state)
{
    for (int i = 0; i < HOL_COUNT(files); i++) remove(files[i]);
    return remove(folder) || stop(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_can_be_looked_at),
                                       cmocka_unit_test(every_method_runs_or_says_why_not),
                                       cmocka_unit_test(every_word_can_be_asked_for)};
    return cmocka_run_group_tests(tests, prepare, clean);
}
