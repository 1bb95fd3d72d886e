// Programs around a simulation, for every form of every method: advance, states, snapshots, reset; and every misuse.
#include "around.h"
#include "../allocations.h"
#include "checkpoints.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

// ---- snapshots --------------------------------------------------------------------------------------------------

typedef struct {
    const char *set, *model; // of form and model
    const hol_snapshot *snapshot;
    double value[1000];
    char message[300];
    const form *f;
} elsewhere;

// In another thread, with a context of its own: a new simulation goes on.
static void *go_on_elsewhere(void *data)
{
    elsewhere *e = data;
    enum { MOST = 16 };
    char text[FORM_TEXT + 100];
    const char *set[MOST];
    hol_context *own = hol_context_create();
    snprintf(text, sizeof text, "%s%s", e->f->set, e->set);
    const int n = split(text, set, MOST);
    hol_model *model = hol_model_parse(own, "test.yaml", e->model, strlen(e->model), set, n);
    hol_simulation *sim = model ? hol_simulation_create(own, model) : NULL;
    hol_status st = sim ? hol_simulation_restore(sim, e->snapshot) : HOL_ERR_USAGE;
    if (!st) st = hol_simulation_run(sim);
    const double *value = st ? NULL : hol_simulation_values(sim);
    if (value) memcpy(e->value, value, (size_t)hol_simulation_signals(sim) * sizeof *value);
    snprintf(e->message, sizeof e->message, "%s", value ? "" : hol_context_error(own));
    hol_simulation_destroy(sim);
    hol_model_destroy(model);
    hol_context_destroy(own);
    return NULL;
}

// The one that was saved, itself put back, another that has gone on, and one in another thread end with the same bits. false: refused.
static bool goes_on_from(const form *f, const char *model, bool within)
{
    static elsewhere other;
    motion a = open_either(f, model, ""), b = {0};
    if (!a.sim) return false;
    b = open_either(f, model, "");
    bool done = false;
    for (int i = 0; i < 9 && !done; i++) good(f, hol_simulation_step(a.sim, &done));
    if (within) good(f, hol_simulation_advance(a.sim, hol_simulation_time(a.sim) + 0.0031));
    assert_false(done);
    const double t = hol_simulation_time(a.sim);
    hol_snapshot *s = hol_simulation_save(a.sim);
    if (!s) fail_msg("%s: %s", f->set, hol_context_error(ctx));
    assert_true(hol_simulation_time(a.sim) == t);
    static double first[1000];
    const size_t size = (size_t)hol_simulation_signals(a.sim) * sizeof *first;
    assert_true(size <= sizeof first);
    memcpy(first, to_the_end(f, a.sim), size);
    good(f, hol_simulation_restore(a.sim, s));
    assert_true(hol_simulation_time(a.sim) == t);
    expect_same(f, "itself put back", a.sim, first, to_the_end(f, a.sim));
    for (int i = 0; i < 15 && !done; i++) good(f, hol_simulation_step(b.sim, &done));
    good(f, hol_simulation_restore(b.sim, s));
    expect_same(f, "another one", b.sim, first, to_the_end(f, b.sim));
    other = (elsewhere){hol_simulation_statistics(a.sim)->tolerance > 0 ? "simulate.tolerance=1e-4"
                                                                        : "simulate.step=0.01",
                        model,
                        s,
                        {0},
                        "",
                        f};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, go_on_elsewhere, &other), 0);
    pthread_join(thread, NULL);
    if (*other.message) fail_msg("%s: elsewhere: %s", f->set, other.message);
    expect_same(f, "elsewhere", a.sim, first, other.value);
    hol_snapshot_destroy(s);
    close_motion(&a);
    close_motion(&b);
    return true;
}

static bool goes_on(const form *f, const char *model)
{
    return goes_on_from(f, model, false) && goes_on_from(f, model, true);
}

static void every_form_goes_on_from_a_snapshot(void **state)
{
    (void)state;
    try_models(checkpoint_models, CHECKPOINT_MODELS, goes_on);
}

// ---- reset ------------------------------------------------------------------------------------------------------

static int counted;

static bool starts_again(const form *f, const char *model)
{
    static double first[1000];
    motion a = open_either(f, model, "");
    if (!a.sim) return false;
    memcpy(first, to_the_end(f, a.sim), (size_t)hol_simulation_signals(a.sim) * sizeof *first);
    const long steps = hol_simulation_finish(a.sim)->steps;
    for (int i = 0; i < 3; i++) {
        const long before = allocations, chosen = hol_context_work(ctx)->pivotings;
        good(f, hol_simulation_reset(a.sim));
        assert_true(hol_simulation_time(a.sim) == 0);
        expect_same(f, "again", a.sim, first, to_the_end(f, a.sim));
        assert_int_equal(hol_simulation_finish(a.sim)->steps, steps);
        const bool pivots =
            hol_context_work(ctx)->pivotings != chosen; // the sparse solver allocates for them
        if (i > 1 && INTERPOSED && !pivots && allocations != before)
            fail_msg("%s: %ld allocations", f->set, allocations - before);
        counted += !pivots;
    }
    close_motion(&a);
    return true;
}

static void a_simulation_starts_again(void **state)
{
    (void)state;
    try_models(checkpoint_models, CHECKPOINT_MODELS, starts_again);
    assert_true(counted > 20);
}

// ---- advance ----------------------------------------------------------------------------------------------------

// Times asked for leave the steps as they are.
static void advances(const form *f)
{
    static double first[1000];
    motion a = open_either(f, TOP, ""), b = open_either(f, TOP, "");
    if (!a.sim) return;
    memcpy(first, to_the_end(f, a.sim), (size_t)hol_simulation_signals(a.sim) * sizeof *first);
    for (int k = 1; k <= 73; k++) {
        const double t = k == 73 ? 0.5 : 0.5 * k / 73;
        good(f, hol_simulation_advance(b.sim, t));
        assert_true(hol_simulation_time(b.sim) == t);
        if (!hol_simulation_values(b.sim)) fail_msg("%s: %s", f->set, hol_context_error(ctx));
    }
    expect_same(f, "advanced", b.sim, first, hol_simulation_values(b.sim));
    assert_int_equal(hol_simulation_finish(a.sim)->steps, hol_simulation_finish(b.sim)->steps);
    close_motion(&a);
    close_motion(&b);
}

static void advance_leaves_the_steps(void **state)
{
    (void)state;
    for (form f = {0}; next_form(&f);)
        if (tried(&f)) advances(&f);
}

// ---- inputs -----------------------------------------------------------------------------------------------------

// Taken within a step, where no input changes: the next advance ends as that of the simulation that was saved.
static void advance_goes_on_from_a_snapshot(void **state)
{
    (void)state;
    for (form f = {0}; next_form(&f);) {
        if (f.index) continue;
        motion a = open_form(&f, ARM, "simulate.tolerance=1e-4"),
               b = open_form(&f, ARM, "simulate.tolerance=1e-4");
        if (!a.sim) continue;
        double there[1000];
        good(&f, hol_simulation_advance(a.sim, 0.2034));
        hol_snapshot *s = hol_simulation_save(a.sim);
        good(&f, hol_simulation_advance(a.sim, 0.4));
        const int n = hol_simulation_signals(a.sim);
        assert_in_range(n, 1, 1000);
        memcpy(there, hol_simulation_values(a.sim), (size_t)n * sizeof *there);
        for (int again = 0; again < 2; again++) { // the second time from the middle of a step
            good(&f, hol_simulation_restore(b.sim, s));
            good(&f, hol_simulation_advance(b.sim, 0.4));
            expect_same(&f, "advance", b.sim, there, hol_simulation_values(b.sim));
        }
        hol_snapshot_destroy(s);
        close_motion(&a);
        close_motion(&b);
    }
}

// ---- states -----------------------------------------------------------------------------------------------------

// What was taken is given to a run of another method, which goes on from there as the first one does.
static void a_state_is_taken_and_given(void **state)
{
    (void)state;
    for (form f = {0}; next_form(&f);) {
        hol_state_view x;
        double q[7], v[7], change;
        if (f.index) continue;
        motion a = open_either(&f, TOP, ""), b = open_either(&f, TOP, "");
        if (!a.sim) continue;
        good(&f, hol_simulation_advance(a.sim, 0.2034));
        good(&f, hol_simulation_get_state(a.sim, &x));
        assert_int_equal(x.n_q, 7);
        memcpy(q, x.q, sizeof q);
        memcpy(v, x.v, sizeof v);
        good(&f, hol_simulation_set_state(b.sim, &(hol_state_view){x.t, 7, 0, q, v, NULL}, &change));
        near("nothing to be changed", change, 0, 1e-6);
        assert_true(hol_simulation_time(b.sim) == x.t);
        good(&f, hol_simulation_run(a.sim));
        good(&f, hol_simulation_run(b.sim));
        const double all = f.method->holds == HOL_HOLDS_MOTION ? 5e-3 : 2e-2;
        near(f.set, value_of(&b, "top.x"), value_of(&a, "top.x"), all);
        near(f.set, value_of(&b, "top.z"), value_of(&a, "top.z"), all);
        close_motion(&a);
        close_motion(&b);
    }
}

static void a_state_is_put_onto_the_joints(void **state)
{
    const char *set[] = {"simulate.method=rk"};
    double q[7] = {0.25, 0, 0, 1, 0, 0, 0}, v[7] = {0}, change;
    const form f = {.set = ""};
    hol_state_view x;
    (void)state;
    motion a = open_motion(TOP, set, 1);
    q[0] += 0.01; // by half of a hundredth of the distance to the joint, 0.25 m, which is the natural length
    good(&f, hol_simulation_set_state(a.sim, &(hol_state_view){0.1, 7, 0, q, v, NULL}, &change));
    assert_true(change > 0.01 && change < 0.05);
    good(&f, hol_simulation_get_state(a.sim, &x));
    near("x", x.q[0], 0.25, 1e-12);
    // far away there is none: the state stays
    for (int i = 0; i < 7; i++) q[i] = i == 3 ? 0 : 1e9;
    assert_int_equal(hol_simulation_set_state(a.sim, &(hol_state_view){0.1, 7, 0, q, v, NULL}, &change),
                     HOL_ERR_ASSEMBLY);
    good(&f, hol_simulation_get_state(a.sim, &x));
    near("x", x.q[0], 0.25, 1e-12);
    good(&f, hol_simulation_run(a.sim));
    near("the end", hol_simulation_time(a.sim), 0.5, 0);
    close_motion(&a);
}

// ---- found by others ----------------------------------------------------------------------------------------------

#define PENDULUM                                                                                             \
    "dimension: 2\ngravity: [0, -9.81]\nbodies: [{name: bob, type: point, mass: 1, position: [0, -1], "      \
    "velocity: [5, 0]}]\njoints: [{name: rod, type: distance, between: [ground, bob], length: 1}]\n"         \
    "simulate: {end: 1, method: rk, tolerance: 1e-6, output: 0.1}\n"

// The bob turned by a right angle: its velocity (5, 0) is along the rod there and goes, by 5 m/s in natural size and time.
static void changes_of_what_is_not_given_are_told(void **state)
{
    const form f = {.set = ""};
    const double q[] = {1, 0};
    double change;
    hol_state_view x;
    (void)state;
    motion a = open_motion(PENDULUM, NULL, 0);
    for (int given = 0; given < 3; given++) { // not at all, by another array, by the view
        good(&f, hol_simulation_reset(a.sim));
        good(&f, hol_simulation_get_state(a.sim, &x));
        const double v[] = {x.v[0], x.v[1]};
        const hol_state_view to = {.t = 0, .n_q = 2, .q = q, .v = given == 0 ? NULL : given == 1 ? v : x.v};
        good(&f, hol_simulation_set_state(a.sim, &to, &change));
        near("change", change, 5, 1e-9);
    }
    close_motion(&a);
}

static void what_cannot_be_restored_leaves_all_as_it_was(void **state)
{
    const char *shorter[] = {"simulate.end=0.5"};
    const form f = {.set = ""};
    (void)state;
    motion a = open_motion(PENDULUM, NULL, 0), b = open_motion(PENDULUM, shorter, 1);
    good(&f, hol_simulation_advance(a.sim, 0.8));
    good(&f, hol_simulation_advance(b.sim, 0.1));
    hol_snapshot *s = hol_simulation_save(a.sim);
    const double x = value_of(&b, "bob.x");
    assert_int_equal(hol_simulation_restore(b.sim, s), HOL_ERR_USAGE);
    expect_message("the snapshot is of t = 0.8 s, the simulation ends at 0.5 s: give a later `end`");
    near("time", hol_simulation_time(b.sim), 0.1, 0);
    near("place", value_of(&b, "bob.x"), x, 0);
    good(&f, hol_simulation_run(b.sim));
    hol_snapshot_destroy(s);
    close_motion(&a);
    close_motion(&b);
}

// The same names and as many numbers, which mean other things: which of two inputs goes in a straight line.
static void memories_of_other_places_are_refused(void **state)
{
    const form f = {.set = ""};
    (void)state;
    motion a = open_motion(PENDULUM "inputs: [{name: u, hold: linear}, {name: v}]\n", NULL, 0),
           b = open_motion(PENDULUM "inputs: [{name: u}, {name: v, hold: linear}]\n", NULL, 0);
    good(&f, hol_simulation_advance(a.sim, 0.1));
    hol_snapshot *s = hol_simulation_save(a.sim);
    assert_int_equal(hol_simulation_restore(b.sim, s), HOL_ERR_USAGE);
    expect_message("of a model with other bodies, joints, forces, states or inputs");
    hol_snapshot_destroy(s);
    close_motion(&a);
    close_motion(&b);
}

// Rows never go back; what goes on from a snapshot can be recorded, and is another record.
static void records_go_forward(void **state)
{
    const form f = {.set = ""};
    (void)state;
    motion a = open_motion(PENDULUM, NULL, 0);
    good(&f, hol_simulation_record(a.sim));
    good(&f, hol_simulation_advance(a.sim, 0.3));
    hol_snapshot *s = hol_simulation_save(a.sim);
    assert_int_equal(hol_simulation_set_state(a.sim, &(hol_state_view){.t = 0.1}, NULL), HOL_ERR_USAGE);
    expect_message("cannot go back in time");
    good(&f, hol_simulation_set_state(a.sim, &(hol_state_view){.t = 0.4}, NULL));
    good(&f, hol_simulation_run(a.sim));
    good(&f, hol_simulation_restore(a.sim, s)); // nobody has taken the first record
    good(&f, hol_simulation_record(a.sim));
    good(&f, hol_simulation_run(a.sim));
    hol_result *r = hol_simulation_take_result(a.sim);
    assert_non_null(r);
    assert_true(r->value[0] >= 0.3 && r->n_rows > 5);
    for (size_t i = 1; i < r->n_rows; i++)
        assert_true(r->value[i * (size_t)r->n_columns] > r->value[(i - 1) * (size_t)r->n_columns]);
    hol_result_destroy(r);
    hol_snapshot_destroy(s);
    close_motion(&a);
}

static void another_state_goes_on_behind_an_event(void **state)
{
    const form f = {.set = ""};
    (void)state;
    motion a = open_motion(PENDULUM "events: [{name: up, when: \"0.1 - DX(bob)\", stop: yes}]\n", NULL, 0);
    assert_false(hol_simulation_is_over(a.sim));
    good(&f, hol_simulation_advance(a.sim, 1));
    assert_true(hol_simulation_is_over(a.sim) && hol_simulation_time(a.sim) < 0.03);
    good(&f, hol_simulation_set_state(
                 a.sim, &(hol_state_view){.t = 0, .n_q = 2, .q = (double[]){0, -1}, .v = (double[]){-1, 0}},
                 NULL));
    assert_false(hol_simulation_is_over(a.sim));
    good(&f, hol_simulation_advance(a.sim, 0.2));
    near("time", hol_simulation_time(a.sim), 0.2, 0);
    close_motion(&a);
}

static void the_end_may_be_missed_by_rounding(void **state)
{
    const char *set[] = {"simulate.end=0.3"};
    const form f = {.set = ""};
    (void)state;
    motion a = open_motion(PENDULUM, set, 1);
    for (int k = 1; k <= 3; k++) good(&f, hol_simulation_advance(a.sim, 0.1 * k)); // 0.30000000000000004
    assert_true(hol_simulation_is_over(a.sim));
    assert_int_equal(hol_simulation_advance(a.sim, 0.3000001), HOL_ERR_USAGE);
    expect_message("is behind the end of the simulation");
    assert_int_equal(
        hol_simulation_set_state(a.sim, &(hol_state_view){.t = 0, .n_q = 2, .q = (double[]){1e308, 0}}, NULL),
        HOL_ERR_ASSEMBLY);
    close_motion(&a);
}

// ---- what may not be ----------------------------------------------------------------------------------------------

static void misuse_is_told(void **state)
{
    const char *set[] = {"simulate.method=rk", "simulate.tolerance=1e-5"},
               *other[] = {"parameters.m=2", "simulate.method=hht"};
    (void)state;
    motion a = open_motion(ARM, set, 2), b = open_motion(BARS, set, 2), c = open_motion(ARM, other, 2);
    const form f = {.set = ""};
    good(&f, hol_simulation_advance(a.sim, 0.2));
    assert_int_equal(hol_simulation_advance(a.sim, 0.1), HOL_ERR_USAGE);
    expect_message("is before the present time");
    good(&f, hol_simulation_advance(a.sim, 0.2)); // nothing to do
    hol_snapshot *s = hol_simulation_save(a.sim);
    assert_int_equal(hol_simulation_restore(b.sim, s), HOL_ERR_USAGE);
    expect_message("of a model with other bodies, joints, forces, states or inputs");
    // of the same structure: another mass, another method
    good(&f, hol_simulation_restore(c.sim, s));
    assert_true(hol_simulation_time(c.sim) == 0.2);
    near("its state", value_of(&c, "sum"), value_of(&a, "sum"), 0);
    near("its place", value_of(&c, "arm.theta"), value_of(&a, "arm.theta"), 1e-9);
    good(&f, hol_simulation_run(c.sim));
    const size_t n = hol_snapshot_size(s);
    unsigned char *bytes = malloc(n), *copy = malloc(n);
    assert_true(bytes && copy && n > 100);
    good(&f, hol_snapshot_write(s, bytes, n));
    for (size_t i = 0; i < n; i += 1 + n / 200) { // damaged anywhere
        memcpy(copy, bytes, n);
        copy[i] ^= 16;
        assert_null(hol_snapshot_of_bytes(ctx, copy, n));
        expect_message("are no snapshot");
    }
    assert_null(hol_snapshot_of_bytes(ctx, bytes, n - 1));
    hol_snapshot *again = hol_snapshot_of_bytes(ctx, bytes, n);
    assert_non_null(again);
    const double *value = to_the_end(&f, a.sim), sum = value[hol_simulation_find_signal(a.sim, "sum")];
    good(&f, hol_simulation_restore(a.sim, again));
    near("from bytes", to_the_end(&f, a.sim)[hol_simulation_find_signal(a.sim, "sum")], sum, 0);
    hol_simulation_finish(a.sim);
    assert_int_equal(hol_simulation_advance(a.sim, 0.5), HOL_ERR_USAGE);
    expect_message("has been finished");
    assert_int_equal(hol_simulation_set_state(a.sim, &(hol_state_view){.t = 0.1}, NULL), HOL_ERR_USAGE);
    good(&f, hol_simulation_reset(a.sim)); // from there it lives again
    good(&f, hol_simulation_advance(a.sim, 0.5));
    free(bytes), free(copy);
    hol_snapshot_destroy(s);
    hol_snapshot_destroy(again);
    close_motion(&a);
    close_motion(&b);
    close_motion(&c);
}

// Files that are being written cannot go back in time.
static void files_are_not_taken_back(void **state)
{
    char folder[] = "/tmp/holonom_around_XXXXXX", path[60];
    const char *set[] = {"simulate.method=rk"};
    const form f = {.set = ""};
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a.csv", folder);

    motion a = open_motion(ARM, set, 1);
    good(&f, hol_simulation_write(a.sim, path));
    good(&f, hol_simulation_advance(a.sim, 0.2375));
    hol_snapshot *s = hol_simulation_save(a.sim);
    assert_int_equal(hol_simulation_restore(a.sim, s), HOL_ERR_USAGE);
    assert_int_equal(hol_simulation_reset(a.sim), HOL_ERR_USAGE);
    expect_message("call hol_simulation_finish before");
    hol_simulation_finish(a.sim);
    hol_result *r = hol_result_read(ctx, path); // rows up to where the program stopped, and that one
    assert_non_null(r);
    assert_int_equal(r->n_rows, 6);
    near("the last row", r->value[(r->n_rows - 1) * (size_t)r->n_columns], 0.2375, 1e-12);
    near("the one before", r->value[(r->n_rows - 2) * (size_t)r->n_columns], 0.2, 1e-12);
    good(&f, hol_simulation_reset(a.sim));
    hol_result_destroy(r);
    hol_snapshot_destroy(s);
    close_motion(&a);
    remove(path);
    rmdir(folder);
}

// Of each run after a reset; rows that nobody took are forgotten.
static void each_run_may_be_recorded(void **state)
{
    const char *set[] = {"simulate.method=rk"};
    const form f = {.set = ""};
    hol_result *r[2] = {NULL};
    (void)state;
    motion a = open_motion(ARM, set, 1);
    for (int k = 0; k < 2; k++) {
        good(&f, hol_simulation_record(a.sim));
        good(&f, hol_simulation_run(a.sim));
        if (k) { // not taken: forgotten
            good(&f, hol_simulation_reset(a.sim));
            assert_null(hol_simulation_take_result(a.sim));
            good(&f, hol_simulation_record(a.sim));
            assert_int_equal(hol_simulation_record(a.sim), HOL_ERR_USAGE);
            good(&f, hol_simulation_run(a.sim));
        }
        r[k] = hol_simulation_take_result(a.sim);
        assert_non_null(r[k]);
        good(&f, hol_simulation_reset(a.sim));
    }
    assert_int_equal(r[0]->n_rows, r[1]->n_rows);
    assert_memory_equal(r[0]->value, r[1]->value,
                        r[0]->n_rows * (size_t)r[0]->n_columns * sizeof *r[0]->value);
    for (int k = 0; k < 2; k++) hol_result_destroy(r[k]);
    close_motion(&a);
}

static void *run_elsewhere(void *sim) { return hol_simulation_run(sim) ? NULL : sim; }

// Of a thread's clock that was never started nothing is told.
static void computing_time_of_two_threads_is_not_known(void **state)
{
    const char *set[] = {"simulate.method=rk"};
    pthread_t thread;
    void *done;
    (void)state;
    motion a = open_motion(ARM, set, 1), b = move(ARM, set, 1);
    assert_int_equal(pthread_create(&thread, NULL, run_elsewhere, a.sim), 0);
    pthread_join(thread, &done);
    assert_true(done == a.sim);
    assert_true(isnan(hol_simulation_statistics(a.sim)->cpu_seconds));
    assert_true(hol_simulation_statistics(b.sim)->cpu_seconds > 0);
    close_motion(&a);
    close_motion(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_form_goes_on_from_a_snapshot),
                                       cmocka_unit_test(a_simulation_starts_again),
                                       cmocka_unit_test(advance_goes_on_from_a_snapshot),
                                       cmocka_unit_test(advance_leaves_the_steps),
                                       cmocka_unit_test(a_state_is_taken_and_given),
                                       cmocka_unit_test(a_state_is_put_onto_the_joints),
                                       cmocka_unit_test(changes_of_what_is_not_given_are_told),
                                       cmocka_unit_test(what_cannot_be_restored_leaves_all_as_it_was),
                                       cmocka_unit_test(memories_of_other_places_are_refused),
                                       cmocka_unit_test(records_go_forward),
                                       cmocka_unit_test(another_state_goes_on_behind_an_event),
                                       cmocka_unit_test(the_end_may_be_missed_by_rounding),
                                       cmocka_unit_test(misuse_is_told),
                                       cmocka_unit_test(files_are_not_taken_back),
                                       cmocka_unit_test(each_run_may_be_recorded),
                                       cmocka_unit_test(computing_time_of_two_threads_is_not_known)};
    return cmocka_run_group_tests(tests, start, stop);
}
