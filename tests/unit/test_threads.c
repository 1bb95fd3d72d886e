// Simulations in several threads, each with a context of its own and one model for all: what they compute is what one
// thread computes alone, bit for bit. Under VARIANT=tsan every access to memory is watched too.
#include "base/base.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

enum { THREADS = 4, STEPS = 60 };

typedef struct {
    const char *file, *set[3];
} subject;

static const subject subjects[] = {
    {"models/four_bar.yaml", {"parameters.N=3", "simulate.tolerance=5e-3", "simulate.method=hht"}},
    {"models/bricard.yaml", {"simulate.step=1e-2", "simulate.end=1", "simulate.method=genalpha"}},
    {"models/flyball.yaml", {"simulate.tolerance=1e-1", "simulate.end=1", "simulate.method=newmark"}},
    {"models/andrews.yaml", {"simulate.tolerance=2e-2", "simulate.end=0.01", "simulate.method=hht"}},
    {"models/double_pendulum_3d.yaml", {"simulate.step=1e-3", "simulate.end=1", "simulate.method=newmark"}}};

typedef struct {
    const subject *what;
    const hol_model *model; // NULL: the thread loads its own
    uint64_t trace;         // of all values of all steps, of the counters and of the check
    hol_status status;
} task;

static uint64_t mix(uint64_t h, const void *data, size_t size) // FNV-1a
{
    const unsigned char *byte = data;
    for (size_t i = 0; i < size; i++) h = (h ^ byte[i]) * 0x100000001b3u;
    return h;
}

static uint64_t mix_check(uint64_t h, const hol_check *c)
{
    const double violation[] = {c->position_violation, c->velocity_violation};
    const int count[] = {c->rank, c->constraints, c->n_redundant, c->degrees_of_freedom};
    h = mix(h, violation, sizeof violation);
    return mix(h, count, sizeof count);
}

static uint64_t mix_run(uint64_t h, hol_simulation *sim, hol_status *st)
{
    bool done = false;
    for (int i = 0; i < STEPS && !done; i++) {
        *st = hol_simulation_step(sim, &done);
        const double t = hol_simulation_time(sim), *value = *st ? NULL : hol_simulation_values(sim);
        if (!value) return 0;
        h = mix(h, &t, sizeof t);
        h = mix(h, value, (size_t)hol_simulation_signals(sim) * sizeof *value);
    }
    const hol_statistics *s = hol_simulation_finish(sim);
    const long count[] = {s->steps,     s->rejected,       s->residuals,
                          s->jacobians, s->factorizations, s->newton_iterations};
    return mix(h, count, sizeof count);
}

// A whole piece of work: a model if there is none, a check, a simulation.
static void *work(void *data)
{
    task *t = data;
    hol_context *ctx = hol_context_create();
    hol_model *own = t->model ? NULL : hol_model_load(ctx, t->what->file, t->what->set, 3);
    const hol_model *model = t->model ? t->model : own;
    hol_check *check = model ? hol_check_create(ctx, model) : NULL;
    hol_simulation *sim = check ? hol_simulation_create(ctx, model) : NULL;
    t->trace = sim ? mix_run(mix_check(0xcbf29ce484222325u, check), sim, &t->status) : 0;
    if (!t->trace && !t->status) t->status = hol_context_status(ctx);
    hol_simulation_destroy(sim);
    hol_check_destroy(check);
    hol_model_destroy(own);
    hol_context_destroy(ctx);
    return NULL;
}

static void in_threads(task *t)
{
    pthread_t thread[THREADS];
    for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_create(&thread[i], NULL, work, &t[i]), 0);
    for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_join(thread[i], NULL), 0);
}

static void must_be_equal(const task *alone, const task *t)
{
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(t[i].status, HOL_OK);
        if (t[i].trace != alone->trace) print_error("%s, thread %d\n", alone->what->file, i);
        assert_true(t[i].trace == alone->trace);
    }
}

// First of all: what is set up once (OpenBLAS) is set up by threads at the same time.
static void models_of_their_own(void **state)
{
    (void)state;
    for (int k = 0; k < HOL_COUNT(subjects); k++) {
        task alone = {.what = &subjects[k]}, t[THREADS];
        for (int i = 0; i < THREADS; i++) t[i] = alone;
        in_threads(t);
        work(&alone);
        assert_int_equal(alone.status, HOL_OK);
        must_be_equal(&alone, t);
    }
}

static void one_model_for_all(void **state)
{
    (void)state;
    for (int k = 0; k < HOL_COUNT(subjects); k++) {
        hol_context *ctx = hol_context_create();
        hol_model *model = hol_model_load(ctx, subjects[k].file, subjects[k].set, 3);
        assert_non_null(model);
        task alone = {.what = &subjects[k], .model = model}, t[THREADS];
        for (int i = 0; i < THREADS; i++) t[i] = alone;
        work(&alone);
        assert_int_equal(alone.status, HOL_OK);
        in_threads(t);
        must_be_equal(&alone, t);
        hol_model_destroy(model);
        hol_context_destroy(ctx);
    }
}

static void messages_go_to_the_context_of_the_caller(void **state)
{
    (void)state;
    hol_context *ctx = hol_context_create();
    const char *set[] = {"simulate.signals=nothing_of_this_name", "simulate.step=1e-3"};
    // two drivers of one angle that do not agree
    static const char rivals[] = "{dimension: 2, gravity: [0, 0], bodies: [{name: b, mass: 1, inertia: 1}],"
                                 " joints: [{name: j, type: revolute, between: [ground, b]}],"
                                 " drivers: [{name: d, type: angle, joint: j, value: time}, {name: e, type: "
                                 "angle, joint: j, value: 2*time}],"
                                 " simulate: {end: 1}}";
    hol_model *model[] = {hol_model_load(ctx, "models/pendulum.yaml", set, 2),
                          hol_model_parse(ctx, "rivals", rivals, strlen(rivals), NULL, 0)};
    hol_context *other = hol_context_create();
    for (int i = 0; i < 2; i++) {
        assert_non_null(model[i]);
        assert_null(hol_simulation_create(other, model[i]));
        assert_string_not_equal(hol_context_error(other), "");
        assert_string_equal(hol_context_error(ctx), "");
        hol_model_destroy(model[i]);
    }
    assert_non_null(strstr(hol_context_error(other), "both prescribe the angle"));
    hol_context_destroy(other);
    hol_context_destroy(ctx);
}

// ---- one simulation for two threads ---------------------------------------------------------------------------------

typedef struct {
    hol_simulation *sim;
    hol_context *ctx;
    int refused, others;
    atomic_bool over;
} intruder;

static void *go_in(void *data)
{
    intruder *in = data;
    while (in->refused < 100 && !in->others) {
        const hol_status st = hol_simulation_set_input(in->sim, 0, 1);
        const bool told = st == HOL_ERR_USAGE && hol_context_status(in->ctx) == HOL_ERR_USAGE &&
                          strstr(hol_context_error(in->ctx), "another thread is at work");
        in->refused += told;
        in->others += st && !told;
    }
    atomic_store(&in->over, true);
    return NULL;
}

// The second one is told so, the first one goes on as if it were alone.
static void two_threads_in_one_simulation_are_told(void **state)
{
    static const char text[] =
        "dimension: 2\nbodies: [{name: p, type: point, mass: 2}]\ninputs: [{name: u}]\n"
        "forces: [{name: f, type: force, on: p, value: [1, 0]}]\n"
        "simulate: {end: 1e6, method: rk, step: 1e-3}\n";
    (void)state;
    hol_context *ctx = hol_context_create();
    hol_model *model = hol_model_parse(ctx, "intruder", text, strlen(text), NULL, 0);
    intruder in = {hol_simulation_create(ctx, model), ctx, 0, 0, false};
    pthread_t thread;
    assert_non_null(in.sim);
    assert_int_equal(pthread_create(&thread, NULL, go_in, &in), 0);
    double t = 0;
    while (!atomic_load(&in.over)) {
        const hol_status st = hol_simulation_advance(in.sim, t + 0.05);
        if (st) assert_non_null(strstr(hol_context_error(ctx), "another thread is at work"));
        if (!st) t += 0.05;
    }
    pthread_join(thread, NULL);
    assert_int_equal(in.others, 0);
    assert_int_equal(in.refused, 100);
    assert_int_equal(hol_simulation_advance(in.sim, t + 1), HOL_OK); // neither of them holds it
    assert_true(hol_simulation_time(in.sim) == t + 1);
    hol_simulation_destroy(in.sim);
    hol_model_destroy(model);
    hol_context_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(models_of_their_own),
                                       cmocka_unit_test(one_model_for_all),
                                       cmocka_unit_test(messages_go_to_the_context_of_the_caller),
                                       cmocka_unit_test(two_threads_in_one_simulation_are_told)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
