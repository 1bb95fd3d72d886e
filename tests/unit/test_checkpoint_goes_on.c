// What a run that goes on from a checkpoint has in common with the one that wrote it and with one that wrote none, and what may be
// another one: for every method of the table.
#include "checkpoints.h"

#include "integrator/integrator.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

static char file[] = "/tmp/holonom_goes_on_XXXXXX";

typedef struct {
    hol_model *model;
    hol_simulation *sim;
} run;

static run open_with(int model, const hol_method_info *method, const char *more)
{
    run r = {0};
    r.sim = open_method(ctx, model, method, more, &r.model);
    return r;
}

static void close_run(run *r)
{
    hol_simulation_destroy(r->sim);
    if (r->sim) hol_model_destroy(r->model);
}

static void expect_ok(hol_status st)
{
    if (st) print_error("%s\n", hol_context_error(ctx));
    assert_int_equal(st, HOL_OK);
}

// To the end, with a checkpoint after so many steps (-1: none). The values at the end.
static double *finish(run *r, long after)
{
    bool done = false;
    for (long i = 0; !done; i++) {
        if (i == after) expect_ok(hol_simulation_checkpoint(r->sim, file));
        expect_ok(hol_simulation_step(r->sim, &done));
    }
    const size_t n = (size_t)hol_simulation_signals(r->sim);
    double *copy = malloc(n * sizeof *copy);
    assert_non_null(copy);
    const double *value = hol_simulation_values(r->sim);
    assert_non_null(value);
    memcpy(copy, value, n * sizeof *copy);
    return copy;
}

static void expect_same(const hol_method_info *method, int model, const run *r, const double *want,
                        const double *have)
{
    for (int i = 0; i < hol_simulation_signals(r->sim); i++) {
        const char *name = hol_simulation_signal_name(r->sim, i);
        if (strncmp(name, "step", 4) == 0 || strncmp(name, "newton", 6) == 0) continue;
        if (memcmp(&want[i], &have[i], sizeof *want) != 0)
            print_error("%s, model %d: %s is %.17g and %.17g\n", method->name, model, name, want[i], have[i]);
        assert_memory_equal(&want[i], &have[i], sizeof *want);
    }
}

// Everything that --stats tells, but for the time it took.
static void expect_same_statistics(const hol_method_info *method, int model, const run *want, const run *have)
{
    hol_statistic a, b;
    for (int i = 0; hol_simulation_statistic(want->sim, i, &a); i++) {
        assert_true(hol_simulation_statistic(have->sim, i, &b));
        if (strstr(a.name, "_seconds")) continue;
        const bool same = a.applies == b.applies && memcmp(&a.value, &b.value, sizeof a.value) == 0;
        if (!same)
            print_error("%s, model %d: %s is %.17g and %.17g\n", method->name, model, a.name, a.value,
                        b.value);
        assert_true(same);
    }
}

typedef void visit(const hol_method_info *method, int model);
// With sanitizers one of so many methods, from this one on.
static void all_methods(visit *work, int from, int sanitized)
{
    hol_method_info method;
    for (int i = 0; hol_method_list(i, &method); i++) {
        int taken = 0;
        if (!in_sample(i + sanitized - from, 1, sanitized)) continue;
        for (int k = 0; k < CHECKPOINT_MODELS && (goes_far() || taken == 0); k++) {
            const int model = (i + k) % CHECKPOINT_MODELS; // one a method, not always the same
            run r = open_with(model, &method, NULL);
            if (!r.sim) continue;
            close_run(&r);
            taken++;
            work(&method, model);
        }
        assert_true(taken > 0);
    }
}

static bool begins_anew(const hol_method_info *method) { return hol_method_find(method->name)->begins_anew; }

// ---- the same bits --------------------------------------------------------------------------------------------

static void go_on(const hol_method_info *method, int model)
{
    const long after = 9;
    run none = open_with(model, method, NULL), wrote = open_with(model, method, NULL),
        second = open_with(model, method, NULL);
    double *a = finish(&none, -1), *b = finish(&wrote, after);
    expect_ok(hol_simulation_restart(second.sim, file));
    double *c = finish(&second, -1);
    expect_same(method, model, &wrote, b, c);
    if (!begins_anew(method)) expect_same(method, model, &wrote, a, b);
    assert_int_equal(hol_simulation_finish(wrote.sim)->steps, hol_simulation_finish(second.sim)->steps);
    expect_same_statistics(method, model, &wrote, &second);
    double *const all[] = {a, b, c};
    for (int i = 0; i < 3; i++) free(all[i]);
    close_run(&none);
    close_run(&wrote);
    close_run(&second);
}

static void the_same_bits_as_promised(void **state)
{
    (void)state;
    all_methods(go_on, 0, 2);
}

// A run that writes a checkpoint makes other steps there with the methods whose history is not in it: what the header says.
static void three_methods_begin_anew(void **state)
{
    (void)state;
    hol_method_info method;
    for (int i = 0; hol_method_list(i, &method); i++) {
        if (!begins_anew(&method)) continue;
        run none = open_with(0, &method, NULL), wrote = open_with(0, &method, NULL);
        free(finish(&none, -1));
        free(finish(&wrote, 9));
        assert_true(hol_simulation_finish(none.sim)->steps < hol_simulation_finish(wrote.sim)->steps);
        close_run(&none);
        close_run(&wrote);
    }
}

// ---- a later end ------------------------------------------------------------------------------------------------

// From a checkpoint at the end, where an event happens too (0.5 is a multiple of 0.125), to a later one: as near to a run that
// went on at once as two runs of this tolerance (1e-4) are; steps of 0.01 s meet 0.5 s and are of low order in some methods.
static void extend(const hol_method_info *method, int model)
{
    run first = open_with(model, method, NULL), whole = open_with(model, method, "simulate.end=0.65"),
        second = open_with(model, method, "simulate.end=0.65");
    free(finish(&first, -1));
    expect_ok(hol_simulation_checkpoint(first.sim, file));
    run again = open_with(model, method, NULL);
    assert_int_equal(hol_simulation_restart(again.sim, file), HOL_ERR_USAGE);
    expect_message("give a later --end");
    close_run(&again);
    expect_ok(hol_simulation_restart(second.sim, file));
    assert_true(hol_simulation_time(second.sim) == 0.5);
    double *a = finish(&whole, -1), *b = finish(&second, -1);
    assert_true(hol_simulation_time(second.sim) == 0.65);
    const int x = hol_simulation_find_signal(whole.sim, model == 0 ? "arm.theta" : "top.x");
    assert_true(x >= 0);
    near(method->name, b[x], a[x], 0.05);
    free(a);
    free(b);
    close_run(&first);
    close_run(&whole);
    close_run(&second);
}

static void a_later_end(void **state)
{
    (void)state;
    all_methods(extend, 0, 2);
}

// The rows of a run to its end; saved: with a checkpoint there.
static hol_result *rows_of(run *r, bool saved)
{
    bool done = false;
    expect_ok(hol_simulation_record(r->sim));
    while (!done) expect_ok(hol_simulation_step(r->sim, &done));
    if (saved) expect_ok(hol_simulation_checkpoint(r->sim, file));
    expect_ok(hol_simulation_finish(r->sim)->status);
    hol_result *rows = hol_simulation_take_result(r->sim);
    assert_non_null(rows);
    return rows;
}

static double time_of(const hol_result *r, size_t row) { return r->value[row * (size_t)r->n_columns]; }

// An end between two times of output (0.33 s, 0.05 s): its row is there with a checkpoint and without, and the run that goes on has what
// comes behind it: of both together every time of output once.
static void rows_about(const hol_method_info *method, int model)
{
    run plain = open_with(model, method, "simulate.end=0.33"),
        first = open_with(model, method, "simulate.end=0.33"), second = open_with(model, method, NULL);
    hol_result *a = rows_of(&plain, false), *b = rows_of(&first, true);
    assert_int_equal(a->n_rows, 8); // 0 .. 0.3 and the end
    assert_int_equal(b->n_rows, 8);
    assert_memory_equal(a->value, b->value, a->n_rows * (size_t)a->n_columns * sizeof *a->value);
    assert_true(time_of(b, 7) == 0.33);
    expect_ok(hol_simulation_restart(second.sim, file));
    hol_result *c = rows_of(&second, false);
    assert_int_equal(c->n_rows, 4); // 0.35 .. 0.5
    for (size_t i = 0; i < 4; i++) near(method->name, time_of(c, i), 0.35 + 0.05 * (double)i, 1e-12);
    hol_result_destroy(a);
    hol_result_destroy(b);
    hol_result_destroy(c);
    close_run(&plain);
    close_run(&first);
    close_run(&second);
}

static void every_row_is_in_one_of_both_parts(void **state)
{
    (void)state;
    all_methods(rows_about, 0, 2);
}

// ---- at rest ----------------------------------------------------------------------------------------------------

// A pendulum that begins at rest, swings and comes to rest again. Its velocities have missed the joint by more than it moves at the
// end: only against the whole motion, with what was before the checkpoint, is that little.
static const char RESTING[] =
    "dimension: 2\n"
    "gravity: [0, -9.81]\n"
    "bodies: [{name: rod, mass: 1, inertia: 1/12, position: [0.5, 0]}]\n"
    "joints: [{name: p, type: revolute, between: [ground, rod: [-0.5, 0]]}]\n"
    "forces: [{name: d, type: rotational-spring-damper, between: [ground, rod], damping: 2}]\n"
    "simulate: {end: 20}\n";

static void what_rests_at_the_checkpoint_goes_on(void **state)
{
    (void)state;
    hol_method_info method;
    int missed = 0; // methods whose velocities miss the joint by more than is moved after the checkpoint
    for (int i = 0; hol_method_list(i, &method); i++) {
        run first = {0}, second = {0};
        first.sim = open_text(ctx, RESTING, &method, NULL, &first.model);
        if (!first.sim) continue;
        second.sim = open_text(ctx, RESTING, &method, "simulate.end=21", &second.model);
        assert_non_null(second.sim);
        expect_ok(hol_simulation_run(first.sim));
        expect_ok(hol_simulation_checkpoint(first.sim, file));
        missed += hol_simulation_statistics(first.sim)->max_velocity_violation > 1e-7; // of e^-60 that moves
        expect_ok(hol_simulation_restart(second.sim, file));
        const hol_status st = hol_simulation_run(second.sim);
        if (st) print_error("%s: %s\n", method.name, hol_context_error(ctx));
        assert_int_equal(st, HOL_OK);
        close_run(&first);
        close_run(&second);
    }
    assert_true(missed > 2);
}

// ---- what may change ------------------------------------------------------------------------------------------

// Each is the other way of writing what holds anyway, or says nothing about the motion: the same bits.
static void change(const hol_method_info *method, int model)
{
    static const char *const more[] = {
        "simulate.output=0.07", "simulate.signals=[all]", "simulate.time_limit=100", "simulate.threads=2",
        "simulate.project=no",  "simulate.max_step=0.5",  "units.length=m",          "title=another"};
    run wrote = open_with(model, method, NULL);
    double *a = finish(&wrote, 9);
    for (int i = 0; i < HOL_COUNT(more); i++) {
        if (!in_sample(i + model, 2, 4)) continue;
        if (method->fixed_steps && strstr(more[i], "max_step")) continue; // goes with a tolerance
        const bool other_steps = strstr(more[i], "max_step") != NULL;
        run r = open_with(model, method, more[i]);
        assert_non_null(r.sim);
        const hol_status st = hol_simulation_restart(r.sim, file);
        if (st) print_error("%s, %s: %s\n", method->name, more[i], hol_context_error(ctx));
        assert_int_equal(st, HOL_OK);
        double *b = finish(&r, -1);
        if (!other_steps) expect_same(method, model, &r, a, b);
        free(b);
        close_run(&r);
    }
    free(a);
    close_run(&wrote);
}

static void what_says_nothing_about_the_steps_may_change(void **state)
{
    (void)state;
    all_methods(change, 1, 2);
}

static void refuse(const hol_method_info *method, int model)
{
    static const struct {
        const char *set, *words;
    } other[] = {
        {"parameters.m=2", "another model, or to other values in it"},
        {"gravity=[0, 0]", "another model, or to other values in it"},
        {"simulate.tolerance=2e-4", "was made with the tolerance 0.0001, this run has the tolerance 0.0002"},
        {"simulate.step=0.005", "was made with steps of 0.01 s, this run has steps of 0.005 s"},
        {"simulate.hht.atol_length=1e-5", "other options of method hht"},
        {"simulate.rk.order=5", "other options of method rk"}};
    run wrote = open_with(model, method, NULL);
    double *a = finish(&wrote, 9);
    for (int i = 0; i < HOL_COUNT(other); i++) {
        if (i < 4 && !in_sample(i + model, 2, 2)) continue;
        if (model == 2 && i == 1) continue; // of three numbers
        if (i == 2 && method->fixed_steps) continue;
        if (i == 3 && !method->fixed_steps) continue;
        if (i == 4 && strcmp(method->name, "hht") != 0) continue;
        if (i == 5 && strcmp(method->name, "rk") != 0) continue;
        run r = open_with(model, method, other[i].set), own = open_with(model, method, other[i].set);
        assert_int_equal(hol_simulation_restart(r.sim, file), HOL_ERR_USAGE);
        expect_message(other[i].words);
        double *b = finish(&r, -1), *c = finish(&own, -1); // it goes from its own start
        expect_same(method, model, &r, b, c);
        free(b);
        free(c);
        close_run(&r);
        close_run(&own);
    }
    free(a);
    close_run(&wrote);
}

static void what_changes_the_steps_is_refused(void **state)
{
    (void)state;
    all_methods(refuse, 0, 2);
}

// Defaults written out: of the model, of the run, of the method, in another order.
static void a_default_is_the_same_whether_it_is_written_or_not(void **state)
{
    static const char PLAIN[] = "dimension: 2\n"
                                "bodies: [{name: a, mass: 1, inertia: 0.1, position: [0.5, 0]}]\n"
                                "joints: [{name: p, type: revolute, between: [ground, a: [-0.5, 0]]}]\n"
                                "gravity: [0, -9.81]\n"
                                "simulate: {end: 1, method: hht}\n";
    static const char WRITTEN[] = "title: written out\n"
                                  "gravity: [0, -9.81]\n"
                                  "units: {length: m, mass: kg, time: s, angle: rad}\n"
                                  "joints: [{type: revolute, name: p, between: [ground, a: [-0.5, 0]]}]\n"
                                  "forces: []\n"
                                  "bodies: [{mass: 1, name: a, inertia: 0.1, position: [0.5, 0], velocity: "
                                  "[0, 0], omega: 0, angle: 0, com: [0, 0]}]\n"
                                  "dimension: 2\n"
                                  "simulate: {tolerance: 1e-3, end: 1, method: hht, max_step: 0.02, project: "
                                  "no, hht: {alpha: -0.3, predictor: 2}, "
                                  "newmark: {gamma: 0.75}}\n";
    const char *const text[] = {PLAIN, WRITTEN};
    hol_model *model[2];
    hol_simulation *sim[2];
    bool done;
    (void)state;
    for (int i = 0; i < 2; i++) {
        model[i] = hol_model_parse(ctx, "m", text[i], strlen(text[i]), NULL, 0);
        if (!model[i]) print_error("%s\n", hol_context_error(ctx));
        assert_non_null(model[i]);
        sim[i] = hol_simulation_create(ctx, model[i]);
        assert_non_null(sim[i]);
    }
    for (int i = 0; i < 5; i++) expect_ok(hol_simulation_step(sim[0], &done));
    expect_ok(hol_simulation_checkpoint(sim[0], file));
    expect_ok(hol_simulation_restart(sim[1], file));
    expect_ok(hol_simulation_run(sim[0]));
    expect_ok(hol_simulation_run(sim[1]));
    assert_true(signal_value(sim[0], "a.theta") == signal_value(sim[1], "a.theta"));
    for (int i = 0; i < 2; i++) {
        hol_simulation_destroy(sim[i]);
        hol_model_destroy(model[i]);
    }
}

// The method that auto takes, and its name.
static void auto_and_the_name_are_the_same(void **state)
{
    (void)state;
    const hol_method_info none = {.name = "auto"};
    run a = open_with(0, &none, NULL);
    hol_method_info taken = {.name = hol_simulation_statistics(a.sim)->method};
    run b = open_with(0, &taken, NULL);
    free(finish(&a, 5));
    expect_ok(hol_simulation_restart(b.sim, file));
    close_run(&a);
    close_run(&b);
}

// A later end would let auto choose another method (the vibration that dies out is short, then long) or, where neighbouring motions
// part, another tolerance: the run goes on with those of the checkpoint, as if they had been named.
static void auto_goes_on_with_the_method_of_the_checkpoint(void **state)
{
    static const char *const texts[] = {
        "dimension: 2\ngravity: [0, 0]\nlength_scale: 1\n"
        "bodies: [{name: m, type: point, mass: 1, position: [0.1, 0], velocity: [0, 1]}]\n"
        "forces: [{name: f, type: force, on: m, value: [-1e6*DX(m)-1e3*VX(m), -DY(m)]}]\n"
        "simulate: {end: 0.01}\n",
        "dimension: 2\ngravity: [0, 0]\nlength_scale: 1\n"
        "bodies: [{name: m, type: point, mass: 1, position: [1e-6, 0.1]}]\n"
        "forces: [{name: f, type: force, on: m, value: [16*DX(m), -16*DY(m)]}]\n"
        "simulate: {end: 1}\n"};
    static const char *const later[] = {"simulate.end=1", "simulate.end=4"};
    (void)state;
    for (int k = 0; k < 2; k++) {
        char named[2][60];
        const char *const set[] = {later[k], named[0], named[1]};
        motion a = move(texts[k], NULL, 0), b = open_motion(texts[k], set, 1);
        const hol_statistics *first = hol_simulation_statistics(a.sim),
                             *other = hol_simulation_statistics(b.sim);
        assert_true(strcmp(first->method, other->method) != 0 || first->tolerance != other->tolerance);
        snprintf(named[0], sizeof named[0], "simulate.method=%s", first->method);
        snprintf(named[1], sizeof named[1], "simulate.tolerance=%.17g", first->tolerance);
        motion c = open_motion(texts[k], set, 3);
        expect_ok(hol_simulation_checkpoint(a.sim, file));
        expect_ok(hol_simulation_restart(b.sim, file));
        expect_ok(hol_simulation_restart(c.sim, file));
        expect_ok(hol_simulation_run(b.sim));
        expect_ok(hol_simulation_run(c.sim));
        other = hol_simulation_statistics(b.sim);
        assert_string_equal(other->method, first->method);
        assert_true(other->tolerance == first->tolerance);
        assert_true(strstr(other->defaults, "because the checkpoint was made with it") != NULL);
        assert_true(value_of(&b, "m.x") == value_of(&c, "m.x"));
        assert_true(value_of(&b, "m.y") == value_of(&c, "m.y"));
        assert_true(other->steps == hol_simulation_statistics(c.sim)->steps);
        close_motion(&a);
        close_motion(&b);
        close_motion(&c);
    }
}

static void a_run_that_an_event_has_ended(void **state)
{
    (void)state;
    static const char TEXT[] = "dimension: 2\n"
                               "gravity: [0, -9.81]\n"
                               "bodies: [{name: a, mass: 1, inertia: 0.1}]\n"
                               "events: [{name: ground_hit, when: DY(a) + 0.5, stop: yes}]\n"
                               "simulate: {end: 1, method: rk}\n";
    const char *later = "simulate.end=2";
    hol_model *model = hol_model_parse(ctx, "m", TEXT, strlen(TEXT), NULL, 0),
              *other = hol_model_parse(ctx, "m", TEXT, strlen(TEXT), &later, 1);
    hol_simulation *sim = hol_simulation_create(ctx, model), *next = hol_simulation_create(ctx, other);
    expect_ok(hol_simulation_run(sim));
    expect_ok(hol_simulation_checkpoint(sim, file));
    assert_int_equal(hol_simulation_restart(next, file), HOL_ERR_USAGE);
    expect_message("was ended by event ground_hit at t = 0.3");
    hol_simulation_destroy(sim);
    hol_simulation_destroy(next);
    hol_model_destroy(model);
    hol_model_destroy(other);
}

// A cart that is pushed from rest to 2 m/s at 0.5 s, and that friction stops at 1.5 s: its speed is 0 but for rounding from there on, and stays that
// behind a checkpoint, where nothing but what it has kept says that 2 m/s are much.
static void what_has_come_to_rest_does_not_pass_again(void **state)
{
    static const char TEXT[] =
        "{dimension: 2, gravity: [0, 0], parameters: {n: 0, P: 12}, bodies: [{name: c, mass: 2, inertia: "
        "0.5}], "
        "joints: [{name: s, type: translational, between: [ground, c], preload: P, friction: {force: 4}}],"
        " variables: [{name: seen, value: n}], events: [{name: e, when: s.speed, set: {n: n + 1}},"
        " {name: off, at: 0.5, set: {P: 0}}], simulate: {end: 5, method: rk, output: 0.5}}";
    (void)state;
    for (int k = 1; k < 8; k++) {
        bool done = false;
        hol_model *model = hol_model_parse(ctx, "m", TEXT, strlen(TEXT), NULL, 0);
        hol_simulation *sim = hol_simulation_create(ctx, model), *next = hol_simulation_create(ctx, model);
        while (hol_simulation_time(sim) < 0.6 * k) expect_ok(hol_simulation_step(sim, &done));
        expect_ok(hol_simulation_checkpoint(sim, file));
        expect_ok(hol_simulation_restart(next, file));
        run rest = {model, next};
        double *have = finish(&rest, -1);
        near("passes", have[hol_simulation_find_signal(next, "seen")], 1, 0);
        free(have);
        hol_simulation_destroy(sim);
        close_run(&rest);
    }
}

// ---- the file ---------------------------------------------------------------------------------------------------

static int prepare(void **state)
{
    const int fd = mkstemp(file);
    if (fd < 0) return -1;
    close(fd);
    return start(state);
}

static int clean(void **state)
{
    remove(file);
    return stop(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_same_bits_as_promised),
                                       cmocka_unit_test(three_methods_begin_anew),
                                       cmocka_unit_test(a_later_end),
                                       cmocka_unit_test(every_row_is_in_one_of_both_parts),
                                       cmocka_unit_test(what_rests_at_the_checkpoint_goes_on),
                                       cmocka_unit_test(what_says_nothing_about_the_steps_may_change),
                                       cmocka_unit_test(what_changes_the_steps_is_refused),
                                       cmocka_unit_test(a_default_is_the_same_whether_it_is_written_or_not),
                                       cmocka_unit_test(auto_and_the_name_are_the_same),
                                       cmocka_unit_test(auto_goes_on_with_the_method_of_the_checkpoint),
                                       cmocka_unit_test(a_run_that_an_event_has_ended),
                                       cmocka_unit_test(what_has_come_to_rest_does_not_pass_again)};
    return cmocka_run_group_tests(tests, prepare, clean);
}
