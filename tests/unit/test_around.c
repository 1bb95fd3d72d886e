// Programs around a simulation, for every form of every method: inputs, advance, states, snapshots, reset; and every misuse.
#include "../allocations.h"
#include "checkpoints.h"
#include "method_forms.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

// Fixed steps where the form has them, else a tolerance.
static motion open_somehow(const form *f, const char *model, const char *more)
{
    char how[300];
    snprintf(how, sizeof how, "simulate.step=0.01 %s", more);
    motion m = open_form(f, model, how);
    if (m.sim) return m;
    snprintf(how, sizeof how, "simulate.tolerance=1e-4 %s", more);
    return open_form(f, model, how);
}

static void good(const form *f, hol_status st)
{
    if (st) fail_msg("%s: %s", f->set, hol_context_error(ctx));
}

// Values at the end, which the simulation owns.
static const double *to_the_end(const form *f, hol_simulation *sim)
{
    bool done = false;
    while (!done) good(f, hol_simulation_step(sim, &done));
    const double *value = hol_simulation_values(sim);
    if (!value) fail_msg("%s: %s", f->set, hol_context_error(ctx));
    return value;
}

static void expect_same(const form *f, const char *what, const hol_simulation *sim, const double *a, const double *b)
{
    for (int i = 0; i < hol_simulation_signals(sim); i++)
        if (memcmp(&a[i], &b[i], sizeof *a) != 0)
            fail_msg("%s, %s: %s is %.17g and %.17g", f->set, what, hol_simulation_signal_name(sim, i), a[i], b[i]);
}

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
static bool goes_on(const form *f, const char *model, bool within)
{
    static elsewhere other;
    motion a = open_somehow(f, model, ""), b = {0};
    if (!a.sim) return false;
    b = open_somehow(f, model, "");
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
                        model, s, {0}, "", f};
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

static void every_form_goes_on_from_a_snapshot(void **state)
{
    (void)state;
    for (form f = {0}; next_form(&f);) {
        int taken = 0;
        if (!tried(&f)) continue;
        for (int i = 0; i < CHECKPOINT_MODELS; i++)
            for (int within = 0; within < 2; within++) taken += goes_on(&f, checkpoint_models[i], within);
        if (taken < 4) fail_msg("%s takes %d models", f.set, taken);
    }
}

// ---- reset ------------------------------------------------------------------------------------------------------

static int counted;

static bool starts_again(const form *f, const char *model)
{
    static double first[1000];
    motion a = open_somehow(f, model, "");
    if (!a.sim) return false;
    memcpy(first, to_the_end(f, a.sim), (size_t)hol_simulation_signals(a.sim) * sizeof *first);
    const long steps = hol_simulation_finish(a.sim)->steps;
    for (int i = 0; i < 3; i++) {
        const long before = allocations, chosen = hol_context_work(ctx)->pivotings;
        good(f, hol_simulation_reset(a.sim));
        assert_true(hol_simulation_time(a.sim) == 0);
        expect_same(f, "again", a.sim, first, to_the_end(f, a.sim));
        assert_int_equal(hol_simulation_finish(a.sim)->steps, steps);
        const bool pivots = hol_context_work(ctx)->pivotings != chosen; // the sparse solver allocates for them
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
    for (form f = {0}; next_form(&f);) {
        int taken = 0;
        if (!tried(&f)) continue;
        for (int i = 0; i < CHECKPOINT_MODELS; i++) taken += starts_again(&f, checkpoint_models[i]);
        if (taken < 2) fail_msg("%s takes %d models", f.set, taken);
    }
    assert_true(counted > 20);
}

// ---- advance ----------------------------------------------------------------------------------------------------

// Times asked for leave the steps as they are.
static void advances(const form *f)
{
    static double first[1000];
    motion a = open_somehow(f, TOP, ""), b = open_somehow(f, TOP, "");
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

// The same controller as sampled events and outside: the push of every millisecond is found from the state of its beginning.
#define CART(inputs, events)                                                                                         \
    "dimension: 2\ngravity: [0, -9.81]\nparameters: {l: 0.5, lean0: 0.1" inputs                                        \
    "bodies:\n"                                                                                                       \
    "  - {name: cart, mass: 1, inertia: 1}\n"                                                                         \
    "  - {name: pole, mass: 0.1, inertia: 0.01, position: [l*sin(lean0), l*cos(lean0)], angle: -lean0}\n"             \
    "joints:\n"                                                                                                       \
    "  - {name: rail, type: translational, between: [ground, cart]}\n"                                                \
    "  - {name: hinge, type: revolute, between: [cart, pole: [0, -l]]}\n"                                             \
    "forces:\n"                                                                                                       \
    "  - {name: motor, type: force, on: cart, value: [u, 0]}\n"                                                       \
    events "simulate: {end: 0.4, output: 0.1}\n"
#define SAMPLED                                                                                                       \
    CART(", u: 0}\n", "events: [{name: sample, every: 1e-3, set: {u: -40*AZ(pole) - 10*WZ(pole) + DX(cart) + "          \
                      "2*VX(cart)}}]\n")
#define DRIVEN CART("}\ninputs: [{name: u, unit: N}]\n", "")

static void control(const form *f, hol_simulation *sim)
{
    for (int k = 0; k < 400; k++) {
        hol_state_view x;
        good(f, hol_simulation_get_state(sim, &x));
        const double u = -40 * x.q[5] - 10 * x.v[5] + x.q[0] + 2 * x.v[0];
        good(f, hol_simulation_set_input(sim, 0, u));
        good(f, hol_simulation_advance(sim, 1e-3 * (k + 1)));
    }
}

static void controls(const form *f, const char *how, double most)
{
    motion a = open_form(f, SAMPLED, how), b = open_form(f, DRIVEN, how);
    if (!a.sim) {
        assert_null(b.sim);
        return;
    }
    good(f, hol_simulation_run(a.sim));
    control(f, b.sim);
    const char *const signal[] = {"cart.x", "cart.vx", "pole.theta", "pole.omega"};
    for (int i = 0; i < HOL_COUNT(signal); i++) {
        const double want = value_of(&a, signal[i]), have = value_of(&b, signal[i]);
        if (!(fabs(have - want) <= most))
            fail_msg("%s%s: %s is %.15g outside, %.15g by events", f->set, how, signal[i], have, want);
    }
    close_motion(&a);
    close_motion(&b);
}

// Fixed steps of the period: both are the same steps. With a tolerance both are as right as it says.
static void a_controller_outside_is_that_inside(void **state)
{
    (void)state;
    for (form f = {0}; next_form(&f);) {
        if (!tried(&f)) continue;
        controls(&f, "simulate.step=1e-3", 1e-9);
        if (order_of_form(&f) > 2) controls(&f, "simulate.tolerance=1e-9", 1e-8);
    }
}

// u(t) is 3 t from 0.1 s to 0.3 s, then constant: by a linear input, and by an expression of time.
static void an_input_in_a_straight_line(void **state)
{
    const char *set[] = {"simulate.method=rk", "simulate.tolerance=1e-9"};
    motion a = open_motion(CART(", u: 0}\n", ""), set, 0);
    close_motion(&a);
    (void)state;
    a = move("dimension: 2\nbodies: [{name: p, type: point, mass: 2}]\n"
             "forces: [{name: f, type: force, on: p, value: [\"3*(max(time, 0.1) - 0.1) - 3*(max(time, 0.3) - 0.3)\", 0]}]\n"
             "simulate: {end: 0.5}\n",
             set, 2);
    for (form f = {0}; next_form(&f);) {
        if (f.index || order_of_form(&f) < 3) continue;
        motion b = open_form(&f,
                             "dimension: 2\nbodies: [{name: p, type: point, mass: 2}]\n"
                             "inputs: [{name: u, unit: N, hold: linear}]\n"
                             "forces: [{name: f, type: force, on: p, value: [u, 0]}]\n"
                             "simulate: {end: 0.5}\n",
                             "simulate.tolerance=1e-9");
        if (!b.sim) continue;
        good(&f, hol_simulation_advance(b.sim, 0.1));
        good(&f, hol_simulation_set_input(b.sim, 0, 0.3));
        good(&f, hol_simulation_advance(b.sim, 0.2));
        near("half way", value_of(&b, "u"), 0.3, 1e-12);
        good(&f, hol_simulation_set_input(b.sim, 0, 0.6));
        good(&f, hol_simulation_advance(b.sim, 0.25));
        near("u", value_of(&b, "u"), 0.6, 1e-12); // reached with the advance
        good(&f, hol_simulation_restore(b.sim, hol_simulation_save(b.sim)));
        close_motion(&b);
        (void)a;
    }
    near("x", value_of(&a, "p.x"), (0.2 * 0.2 * 0.2 * 3 / 6 + 0.6 * 0.2 * 0.2 / 2 + 3 * 0.2 * 0.2 / 2 * 0.2) / 2, 1e-9);
    close_motion(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_form_goes_on_from_a_snapshot),
                                       cmocka_unit_test(a_simulation_starts_again),
                                       cmocka_unit_test(advance_leaves_the_steps),
                                       cmocka_unit_test(a_controller_outside_is_that_inside),
                                       cmocka_unit_test(an_input_in_a_straight_line)};
    return cmocka_run_group_tests(tests, start, stop);
}
