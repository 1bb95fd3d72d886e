// Every form of every method (method_forms.h): goes on from a checkpoint, is not disturbed by an event that changes nothing;
// every method agrees with a reference on the shipped models that it takes, and says what it cannot do.
#include "checkpoints.h"
#include "method_forms.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>

static char folder[] = "/tmp/holonom_battery_XXXXXX", file[60], checkpoint[60];

static int begin(void **state) { return start(state) || make_results(folder, file, checkpoint); }

static int end(void **state)
{
    stop(state);
    return remove_results(folder, file, checkpoint);
}

// ---- checkpoints ------------------------------------------------------------------------------------------------

// Runs to the end; after step `after` (-1: none) a checkpoint is written. Values of all signals then, to be freed.
static double *values_at_the_end(const form *f, motion *m, long after)
{
    bool done = false;
    long i = 0;
    for (; !done; i++) {
        if (i == after) assert_int_equal(hol_simulation_checkpoint(m->sim, checkpoint), HOL_OK);
        if (hol_simulation_step(m->sim, &done)) fail_msg("%s: %s", f->set, hol_context_error(ctx));
    }
    assert_true(i > after);
    const size_t size = (size_t)hol_simulation_signals(m->sim) * sizeof(double);
    double *copy = malloc(size);
    assert_non_null(copy);
    memcpy(copy, hol_simulation_values(m->sim), size);
    return copy;
}

static void expect_same(const form *f, const char *what, const motion *m, const double *a, const double *b)
{
    for (int i = 0; i < hol_simulation_signals(m->sim); i++)
        if (memcmp(&a[i], &b[i], sizeof *a) != 0)
            fail_msg("%s, %s: %s is %.17g and %.17g", f->set, what, hol_simulation_signal_name(m->sim, i),
                     a[i], b[i]);
}

// false: refused
static bool goes_on(const form *f, const char *model)
{
    motion run[3]; // without a checkpoint, that writes one, that reads it
    double *value[3];
    for (int k = 0; k < 3; k++) {
        run[k] = open_somehow(f, model, 0.01, 1e-4, "");
        if (!run[k].sim) return false;
        if (k == 2) assert_int_equal(hol_simulation_restart(run[k].sim, checkpoint), HOL_OK);
        value[k] = values_at_the_end(f, &run[k], k == 1 ? 9 : -1);
    }
    expect_same(f, "gone on", &run[0], value[1], value[2]);
    if (!f->method->begins_anew) expect_same(f, "with and without", &run[0], value[0], value[1]);
    assert_int_equal(hol_simulation_finish(run[1].sim)->steps, hol_simulation_finish(run[2].sim)->steps);
    for (int k = 0; k < 3; k++) {
        free(value[k]);
        close_motion(&run[k]);
    }
    return true;
}

static void every_form_goes_on_from_a_checkpoint(void **state)
{
    (void)state;
    try_models(checkpoint_models, CHECKPOINT_MODELS, goes_on);
}

#define TOLERANCE 5e-3

// ---- events that change nothing -----------------------------------------------------------------------------------

#define SWING                                                                                                \
    "dimension: 2\ngravity: [0, -9.81]\nlength_scale: 1\nparameters: {idle: 0}\n"                            \
    "bodies: [{name: p, mass: 1, inertia: 0.1, position: [sin(0.6), -cos(0.6)], angle: 0.6}]\n"              \
    "joints: [{name: pin, type: revolute, between: [ground, p: [0, 1]]}]\n"                                  \
    "simulate: {end: 0.8}\n"

static double angle_at_the_end(const form *f, const char *model, double step, double tolerance)
{
    motion m = open_somehow(f, model, step, tolerance, "");
    if (!m.sim) fail_msg("%s: %s", f->set, hol_context_error(ctx));
    if (hol_simulation_run(m.sim)) fail_msg("%s: %s", f->set, hol_context_error(ctx));
    const double angle = value_of(&m, "p.theta");
    close_motion(&m);
    return angle;
}

static void an_event_that_changes_nothing_changes_nothing(void **state)
{
    const form best = {.method = hol_method_find("rk"), .set = "simulate.method=rk "};
    const double exact = angle_at_the_end(&best, SWING, 0.01, 1e-9);
    (void)state;
    for (form f = {0}; next_form(&f);) {
        if (!tried(&f)) continue;
        const double none = fabs(angle_at_the_end(&f, SWING, 0.01, TOLERANCE) - exact),
                     some = fabs(angle_at_the_end(
                                     &f, SWING "events: [{name: e, every: 0.113, set: {idle: 1 - idle}}]\n",
                                     0.01, TOLERANCE) -
                                 exact);
        // those that begin anew with order 1 do so seven times; an error may be small by chance
        const double most = 5 * none + (f.method->begins_anew ? 3 * TOLERANCE : 0.1 * TOLERANCE);
        if (!(some <= most)) fail_msg("%s: off by %.2e, without events %.2e", f.set, some, none);
    }
}

// ---- shipped models -----------------------------------------------------------------------------------------------

enum { MOST_POSES = 1000 };
#define PROMISED 10.0 // tolerances
#define FIXED 1e-3    // [m], [rad] with 400 steps

typedef struct {
    hol_status end;
    int n;
    double value[MOST_POSES];
} poses;

static bool is_pose(const hol_simulation *sim, int i)
{
    const char *unit = hol_simulation_signal_unit(sim, i);
    return strcmp(unit, "m") == 0 || strcmp(unit, "rad") == 0;
}

// Positions and angles at the end; `end` is negative where there are none, and the context says why.
static void find_poses(const char *model, const form *f, const char *how, poses *out)
{
    char text[FORM_TEXT + 300];
    const char *set[16];
    snprintf(text, sizeof text, "%s%s", f->set, how);
    const int n = split(text, set, 16);
    hol_context_clear(ctx);
    hol_model *m = hol_model_load(ctx, model, set, n);
    hol_simulation *sim = m ? hol_simulation_create(ctx, m) : NULL;
    out->end = sim ? hol_simulation_run(sim) : hol_context_status(ctx);
    out->n = 0;
    for (int i = 0; !out->end && i < hol_simulation_signals(sim); i++)
        if (is_pose(sim, i) && out->n < MOST_POSES) out->value[out->n++] = hol_simulation_values(sim)[i];
    assert_true(out->end || out->n > 0);
    assert_true(out->end ? hol_context_error(ctx)[0] != 0 : !hol_context_error(ctx)[0]);
    hol_simulation_destroy(sim);
    hol_model_destroy(m);
}

static double end_of(const char *model)
{
    hol_model *m = hol_model_load(ctx, model, NULL, 0);
    hol_simulation *sim = m ? hol_simulation_create(ctx, m) : NULL;
    if (!sim) fail_msg("%s: %s", model, hol_context_error(ctx));
    const double end = hol_simulation_statistics(sim)->end;
    hol_simulation_destroy(sim);
    hol_model_destroy(m);
    return end;
}

static bool has_fixed_steps_only(const form *f)
{
    return f->method->refuse && f->method->refuse(f->value, true);
}

// 1: it agrees; 0: it does not take the model; or it stops, which teaching methods may on stiff models.
static int agrees(const char *model, const form *f, const poses *best, double end)
{
    static poses have;
    char how[150];
    // of order 1 smaller ones take too long, and cannot begin where a start is stiff
    const double tolerance = (order_of_form(f) == 1 ? 10 : 1) * TOLERANCE;
    double worst = 0, most = PROMISED * tolerance;
    const bool fixed = has_fixed_steps_only(f);
    snprintf(how, sizeof how, "simulate.end=%.17g simulate.%s=%.17g", end, fixed ? "step" : "tolerance",
             fixed ? end / 400 : tolerance);
    find_poses(model, f, how, &have);
    if (have.end == HOL_ERR_USAGE && strstr(hol_context_error(ctx), f->method->name)) return 0;
    if (fixed && have.end == HOL_ERR_INTEGRATION && strstr(hol_context_error(ctx), "the fixed step of"))
        return 0;
    if (have.end) fail_msg("%s, %s: %s", model, f->method->name, hol_context_error(ctx));
    if (fixed) most = FIXED;
    assert_int_equal(have.n, best->n);
    for (int i = 0; i < have.n; i++) worst = hol_larger(fabs(have.value[i] - best->value[i]), worst);
    if (!(worst <= most)) fail_msg("%s, %s: off by %.3g, allowed %.3g", model, f->method->name, worst, most);
    return 1;
}

static int one_model(const char *model, int number)
{
    static poses best;
    form reference;
    char how[150];
    const double end = end_of(model) / 400;
    int n = 0, m = 0;
    make_form(hol_method_find("rn4"), 0, &reference);
    snprintf(how, sizeof how, "simulate.end=%.17g simulate.tolerance=1e-6", end);
    find_poses(model, &reference, how, &best);
    if (best.end) fail_msg("%s: %s", model, hol_context_error(ctx));
    for (form f = {0}; next_form(&f);)
        if (!f.index && in_sample(number + m++, 2, 2)) n += agrees(model, &f, &best, end);
    if (n < (goes_far() ? 7 : 3)) fail_msg("%s: %d methods", model, n);
    return 1;
}

static void shipped_models_agree(void **state)
{
    DIR *d = opendir("models");
    struct dirent *e;
    int n = 0, every = few() ? 4 : 1, i = -1;
    (void)state;
    assert_non_null(d);
    while ((e = readdir(d))) {
        char model[300];
        const char *dot = strrchr(e->d_name, '.');
        if (!dot || strcmp(dot, ".yaml") != 0 || ++i % every) continue;
        snprintf(model, sizeof model, "models/%s", e->d_name);
        n += one_model(model, i / every);
    }
    closedir(d);
    assert_true(n >= 8);
}

// ---- what cannot be done ------------------------------------------------------------------------------------------

#define ARM_2D(body, rest)                                                                                   \
    "dimension: 2\ngravity: [0, -9.81]\n"                                                                    \
    "bodies: [{name: p, mass: 1, inertia: 0.1, position: [1, 0], markers: {o: [-1, 0]}" body "}]\n"          \
    "joints: [{name: pin, type: revolute, between: [ground, p.o]}]\n" rest

static const struct {
    const char *name, *text;
    double step; // fixed [s]
    bool may;    // it may as well be done
} troubles[] = {
    {"joints that cannot meet",
     "dimension: 2\n"
     "bodies: [{name: p, mass: 1, inertia: 0.1, position: [1, 0]}]\n"
     "joints:\n"
     "  - {name: a, type: revolute, between: [ground, p: [-1, 0]]}\n"
     "  - {name: b, type: revolute, between: [ground: [5, 0], p: [1, 0]]}\n"
     "simulate: {end: 1}\n",
     0.01, false},
    {"drivers that contradict each other",
     ARM_2D("", "drivers:\n"
                "  - {name: a, type: angle, joint: pin, value: time}\n"
                "  - {name: b, type: angle, joint: pin, value: 2*time}\n"
                "simulate: {end: 1}\n"),
     0.01, false},
    {"a pole at the start",
     ARM_2D("", "forces: [{name: f, type: torque, on: p, value: 1/time}]\nsimulate: {end: 1}\n"), 0.01,
     false},
    {"no number on the way",
     ARM_2D("", "forces: [{name: f, type: torque, on: p, value: sqrt(0.305 - time)}]\nsimulate: {end: 1}\n"),
     0.01, false},
    {"no number in a measure",
     ARM_2D("", "forces: [{name: f, type: torque, on: p, value: sqrt(0.5 + DY(p))}]\nsimulate: {end: 1}\n"),
     0.01, false},
    {"a rate that grows without bound",
     ARM_2D("", "states: [{name: s, rate: 1 + s*s}]\nforces: [{name: f, type: torque, on: p, value: s}]\n"
                "simulate: {end: 4}\n"),
     0.01, true}, // at a fixed step it may be stepped over
    {"steps far too large", ARM_2D(", omega: 30", "simulate: {end: 20}\n"), 5, true},
    {"steps too large for a spring",
     ARM_2D("", "forces: [{name: s, type: rotational-spring-damper, between: [ground, p], stiffness: 1e12}]\n"
                "simulate: {end: 1e-3}\n"),
     1e-4, true},
};

// No row of the results has what is no number.
static void rows_are_numbers(const char *what, const form *f)
{
    hol_result *r = hol_result_read(ctx, file);
    if (!r) fail_msg("%s, %s: %s", f->set, what, hol_context_error(ctx));
    for (size_t i = 0; i < r->n_rows * (size_t)r->n_columns; i++)
        if (!isfinite(r->value[i])) fail_msg("%s, %s: a row has what is no number", f->set, what);
    hol_result_destroy(r);
}

static void one_trouble(const form *f, int k, bool fixed)
{
    char text[FORM_TEXT + 200], how[80];
    const char *set[16];
    snprintf(how, sizeof how, fixed ? "simulate.step=%g" : "simulate.tolerance=%.17g",
             fixed ? troubles[k].step : tolerance_of_steps(f->method->name, 1e-4));
    snprintf(text, sizeof text, "%s%s simulate.time_limit=60", f->set, how);
    const int n = split(text, set, 16);
    hol_context_clear(ctx);
    hol_model *m = hol_model_parse(ctx, "test.yaml", troubles[k].text, strlen(troubles[k].text), set, n);
    hol_simulation *sim = m ? hol_simulation_create(ctx, m) : NULL;
    hol_status st = sim ? hol_simulation_write(sim, file) : hol_context_status(ctx);
    if (sim && !st) st = hol_simulation_run(sim);
    char message[1000];
    snprintf(message, sizeof message, "%s", hol_context_error(ctx));
    if (sim) hol_simulation_finish(sim);
    const double open = sim ? hol_simulation_statistics(sim)->max_position_violation : 0;
    const long failures = sim ? hol_simulation_statistics(sim)->corrector_failures : 0;
    hol_simulation_destroy(sim);
    hol_model_destroy(m);
    if (sim) rows_are_numbers(troubles[k].name, f);
    if (st == HOL_OK && !troubles[k].may) fail_msg("%s%s, %s: it was done", f->set, how, troubles[k].name);
    // index 2 and 1 drift; nothing may be open without a word otherwise
    if (st == HOL_OK && f->method->holds & HOL_HOLDS_POSITIONS && open > (fixed ? 1e-6 : 1e-4))
        fail_msg("%s%s, %s: open by %.3g", f->set, how, troubles[k].name, open);
    if (sim && !fixed && !troubles[k].may && failures == 0) // shorter steps were tried
        fail_msg("%s%s, %s: no failed attempt is counted", f->set, how, troubles[k].name);
    if (st != HOL_OK &&
        (strlen(message) < 20 || st == HOL_RECOVERABLE || st == HOL_ERR_MEMORY || st == HOL_ERR_LIMIT))
        fail_msg("%s%s, %s: %d \"%s\"", f->set, how, troubles[k].name, st, message);
}

static void what_cannot_be_done_is_said(void **state)
{
    (void)state;
    for (form f = {0}; next_form(&f);)
        for (int k = 0; k < HOL_COUNT(troubles) && tried(&f); k++) {
            if (f.index && !in_sample(f.index + k, 3, 2)) continue;
            if (!f.method->refuse || !f.method->refuse(f.value, false)) one_trouble(&f, k, true);
            if (!has_fixed_steps_only(&f)) one_trouble(&f, k, false);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_form_goes_on_from_a_checkpoint),
                                       cmocka_unit_test(an_event_that_changes_nothing_changes_nothing),
                                       cmocka_unit_test(shipped_models_agree),
                                       cmocka_unit_test(what_cannot_be_done_is_said)};
    return cmocka_run_group_tests(tests, begin, end);
}
