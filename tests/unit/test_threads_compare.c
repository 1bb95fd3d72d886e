// Races and certificates by the library: every function without what it needs, options that cannot be, executors of all kinds,
// a stop in the middle, and nothing left behind: no output, no process, no thread, no memory (with the sanitizer).
#include "harness.h"
#include "holonom_compare.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char PENDULUM[] = "dimension: 2\n"
                               "gravity: [0, -9.81]\n"
                               "bodies: [{name: bob, mass: 1, inertia: 0.1, position: [1, 0]}]\n"
                               "joints: [{name: pin, type: revolute, between: [ground, bob: [-1, 0]]}]\n"
                               "simulate: {end: 0.5}\n";
static const char *const methods[] = {"rk", "hht", "srm"};
static const double tolerances[] = {1e-3, 1e-4, 1e-5};

static hol_model *pendulum(void)
{
    hol_model *model = hol_model_parse(ctx, "pendulum", PENDULUM, strlen(PENDULUM), NULL, 0);
    assert_non_null(model);
    return model;
}

static hol_race_options small_race(void)
{
    return (hol_race_options){.method = methods,
                              .n_methods = HOL_COUNT(methods),
                              .tolerance = tolerances,
                              .n_tolerances = HOL_COUNT(tolerances)};
}

// ---- what is missing or cannot be -----------------------------------------------------------------------------

static void race_create(void)
{
    hol_model *model = pendulum();
    assert_null(hol_race_create(NULL, model, NULL));
    assert_null(hol_race_create(ctx, NULL, NULL));
    expect_message("model is NULL");
    hol_model_destroy(model);
}
static void race_destroy(void) { hol_race_destroy(NULL); }
static void race_fastest(void) { assert_int_equal(hol_race_fastest(NULL, -1, 1), -1); }
static void race_find(void) { assert_int_equal(hol_race_find(NULL, "rk", 0), -1); }
static void certificate_create(void)
{
    hol_model *model = pendulum();
    assert_null(hol_certificate_create(NULL, model, NULL));
    assert_null(hol_certificate_create(ctx, NULL, NULL));
    expect_message("model is NULL");
    hol_model_destroy(model);
}
static void certificate_destroy(void) { hol_certificate_destroy(NULL); }
static void fate_word(void)
{
    assert_null(hol_fate_word(-1));
    assert_null(hol_fate_word(HOL_FATES));
    for (int i = 0; i < HOL_FATES; i++) assert_true(*hol_fate_word(i));
}
static void run_name(void)
{
    char text[4] = "abc";
    const hol_run run = {.method = "rk", .tolerance = 1e-6};
    hol_run_name(NULL, text, sizeof text);
    assert_string_equal(text, "");
    hol_run_name(&run, NULL, 10);
    hol_run_name(&run, text, 0);
    hol_run_name(&run, text, sizeof text);
    assert_string_equal(text, "rk ");
}
static void job_run(void)
{
    static const char *const signal[] = {"poses"};
    const hol_job good = {.method = "rk", .tolerance = 1e-3, .search = 1, .signal = signal, .n_signals = 1};
    hol_job bad[] = {good, good, good, good, good, good, good, good};
    hol_model *model = pendulum();
    hol_outcome out;
    bad[0].method = NULL;
    bad[1].method = "none";
    bad[2].tolerance = (double)NAN;
    bad[3].seconds = -1;
    bad[4].rows = true;
    bad[4].output = -1;
    bad[5].search = 0;
    bad[6].n_signals = -1;
    bad[7].signal = NULL;
    for (int i = 0; i < HOL_COUNT(bad); i++) {
        assert_null(hol_job_run(ctx, model, &bad[i], &out));
        assert_int_equal(out.status, HOL_ERR_USAGE);
        assert_string_equal(out.message, hol_context_error(ctx));
    }
    assert_null(hol_job_run(NULL, model, &good, &out));
    assert_null(hol_job_run(ctx, NULL, &good, &out));
    assert_null(hol_job_run(ctx, model, NULL, &out));
    assert_null(hol_job_run(ctx, model, &good, NULL));
    expect_message("out is NULL");
    assert_null(hol_job_run(ctx, model, &good, &out)); // no rows were wanted
    assert_true(out.status == HOL_OK && out.steps > 10 && out.time == 0.5 && out.rounds == 1);
    hol_model_destroy(model);
}
static void job_ended(void)
{
    const hol_outcome out = {.status = HOL_OK};
    hol_job_ended(NULL, &out, NULL, 0);
}
static void job_lost(void) { hol_job_lost(NULL, "why"); }

#define ROW(name)                                                                                            \
    {                                                                                                        \
        "hol_" #name, name                                                                                   \
    }
static const lacking row[] = {ROW(race_create),
                              ROW(race_destroy),
                              ROW(race_fastest),
                              ROW(race_find),
                              ROW(certificate_create),
                              ROW(certificate_destroy),
                              ROW(fate_word),
                              ROW(run_name),
                              ROW(job_run),
                              ROW(job_ended),
                              ROW(job_lost)};

static void every_function_says_what_it_lacks(void **state)
{
    (void)state;
    expect_all_functions("include/holonom_compare.h", row, HOL_COUNT(row));
    call_all(row, HOL_COUNT(row));
}

static const char *never(void *user, hol_job *job)
{
    (void)user;
    (void)job;
    return "never";
}

// Each kind of option that cannot be has a text, which begins with its field.
static void options_that_cannot_be_are_refused(void **state)
{
    static const char *const unknown[] = {"newmrk"}, *const twice[] = {"rk", "rk"},
                             *const fixed[] = {"central"}, *const null[] = {NULL}, *const bbo[] = {"bbo"};
    static const double huge[] = {2}, none[] = {(double)NAN}, tiny[] = {1e-13}, rising[] = {1e-4, 1e-3},
                        many[HOL_RACE_TOLERANCES + 1];
    static const hol_executor half = {.start = never};
    const struct {
        hol_race_options o;
        const char *words;
    } bad[] = {
        {{.method = unknown, .n_methods = 1},
         "methods: there is no method \"newmrk\"; did you mean \"newmark\"?"},
        {{.method = twice, .n_methods = 2}, "methods: rk is named twice"},
        {{.method = fixed, .n_methods = 1}, "methods: central takes fixed steps only"},
        {{.method = null, .n_methods = 1}, "methods: one of them is NULL"},
        {{.n_methods = 2}, "methods: a list"},
        {{.n_methods = -1}, "methods: a list"},
        {{.tolerance = huge, .n_tolerances = 1}, "tolerances: tolerances from 1e-12 to 1"},
        {{.tolerance = none, .n_tolerances = 1}, "tolerances: tolerances from 1e-12 to 1"},
        {{.tolerance = tiny, .n_tolerances = 1}, "tolerances: tolerances from 1e-12 to 1"},
        {{.tolerance = rising, .n_tolerances = 2}, "tolerances: each tolerance must be smaller"},
        {{.tolerance = many, .n_tolerances = HOL_COUNT(many)}, "tolerances: 13 tolerances are the most"},
        {{.n_tolerances = 3}, "tolerances: a list"},
        {{.tolerance = huge, .n_tolerances = -3}, "tolerances: a list"},
        {{.study = {.signal = bbo, .n_signals = 1}}, "there is no signal \"bbo\"; did you mean \"bob\"?"},
        {{.study = {.signal = null, .n_signals = 1}}, "signals: one of them is NULL"},
        {{.study = {.n_signals = 1}}, "signals: a list"},
        {{.study = {.n_signals = -1}}, "signals: a list"},
        {{.study = {.jobs = -1}}, "jobs: a number of runs"},
        {{.study = {.jobs = 65}}, "jobs: a number of runs"},
        {{.study = {.patience = -1}}, "patience: a time in seconds"},
        {{.study = {.patience = (double)NAN}}, "patience: a time in seconds"},
        {{.study = {.executor = &half}}, "executor: one of its functions is NULL"}};
    (void)state;
    hol_model *model = pendulum();
    for (int i = 0; i < HOL_COUNT(bad); i++) {
        assert_null(hol_race_create(ctx, model, &bad[i].o));
        assert_int_equal(hol_context_status(ctx), HOL_ERR_USAGE);
        expect_message(bad[i].words);
        const hol_certificate_options same = {.study = bad[i].o.study};
        if (bad[i].o.method || bad[i].o.tolerance || bad[i].o.n_methods || bad[i].o.n_tolerances) continue;
        assert_null(hol_certificate_create(ctx, model, &same));
        expect_message(bad[i].words);
    }
    for (int digits = -1; digits <= 12; digits += 13) {
        const hol_certificate_options o = {.digits = digits};
        assert_null(hol_certificate_create(ctx, model, &o));
        expect_message("digits: a number of digits is wanted, 1 to 11");
    }
    hol_model_destroy(model);
}

// Models that no race can be about.
static void models_without_a_motion_are_refused(void **state)
{
    static const struct {
        const char *model, *set, *words;
    } bad[] = {{"models/cam_follower.yaml", "simulate.output=0.1", "no degree of freedom and no state"},
               {"models/pendulum.yaml", "parameters.angle=0", "nothing moves: every signal keeps its value"}};
    (void)state;
    for (int i = 0; i < HOL_COUNT(bad); i++) {
        hol_model *model = hol_model_load(ctx, bad[i].model, &bad[i].set, 1);
        assert_null(hol_race_create(ctx, model, NULL));
        assert_int_equal(hol_context_status(ctx), HOL_ERR_USAGE);
        expect_message(bad[i].words);
        hol_model_destroy(model);
    }
}

// ---- verdicts -------------------------------------------------------------------------------------------------

static void count_runs(void *user, const hol_run *run, int done, int wanted)
{
    int *n = user;
    assert_non_null(run->method);
    n[wanted > 0]++;
    if (wanted) assert_int_equal(done, n[1]);
}

// Models with users' states, laws with states of their own, redundant joints, elements that are switched off.
static void freedom_is_that_of_check(void **state)
{
    static const char *const path[] = {"models/hydraulic.yaml", "models/clutch.yaml",
                                       "models/walking_leg.yaml", "models/bricard.yaml",
                                       "models/docking.yaml"};
    static const char *const method[] = {"rk"}, *const set = "simulate.end=0.001";
    static const double tolerance[] = {1e-3};
    (void)state;
    for (int i = 0; i < HOL_COUNT(path); i++) {
        hol_model *model = hol_model_load(ctx, path[i], &set, 1);
        hol_check *c = hol_check_create(ctx, model);
        hol_race_options o = small_race();
        o.method = method;
        o.tolerance = tolerance;
        o.n_methods = o.n_tolerances = 1;
        hol_race *r = hol_race_create(ctx, model, &o);
        if (!c || !r) fail_msg("%s: %s", path[i], hol_context_error(ctx));
        if (r->freedom != c->degrees_of_freedom)
            fail_msg("%s: %d degrees of freedom, %d by check", path[i], r->freedom, c->degrees_of_freedom);
        hol_race_destroy(r);
        hol_check_destroy(c);
        hol_model_destroy(model);
    }
}

// What a race says follows from its runs.
static void the_fastest_of_those_as_accurate(void **state)
{
    (void)state;
    int n[2] = {0, 0};
    hol_model *model = pendulum();
    hol_race_options o = small_race();
    o.study.ended = count_runs;
    o.study.user = n;
    hol_race *r = hol_race_create(ctx, model, &o);
    hol_model_destroy(model);
    if (!r) fail_msg("%s", hol_context_error(ctx));
    assert_int_equal(r->status, HOL_OK);
    assert_null(r->why);
    assert_int_equal(r->n_runs, HOL_COUNT(methods) * HOL_COUNT(tolerances));
    assert_true(n[1] == r->n_runs && n[0] == r->reference.n_runs && n[0] >= 2);
    assert_true(r->bodies == 1 && r->freedom == 1 && r->end == 0.5 && r->n_signals == 3 && r->n_all == 3);
    assert_true(r->reference.result[0]->n_rows == 201 && r->floor < 1e-7 &&
                r->floor == r->reference.apart.max);
    for (int i = 0; i < r->n_runs; i++) {
        const hol_race_run *x = &r->run[i];
        assert_string_equal(x->run.method, methods[i % HOL_COUNT(methods)]);
        assert_true(x->run.tolerance == tolerances[i / HOL_COUNT(methods)]);
        assert_int_equal(hol_race_find(r, x->run.method, i / HOL_COUNT(methods)), i);
        assert_true(x->judged == !x->run.failed && x->judged == (x->run.fate == HOL_RUN_FINISHED));
        if (!x->judged) continue;
        const int best = hol_race_fastest(r, -1, x->error.max);
        assert_true(x->run.out.cpu_seconds > 0 && x->error.max >= r->floor && x->error.rms <= x->error.max);
        assert_true(x->ratio == x->run.out.cpu_seconds / r->run[best].run.out.cpu_seconds && x->ratio >= 1);
        assert_true(x->error.signal[x->error.worst].max <= x->error.max);
    }
    assert_true(r->n_choices > 0);
    for (int i = 0; i < r->n_choices; i++) {
        const hol_choice *c = &r->choice[i];
        assert_true(c->first <= c->last && r->run[c->run].error.max <= pow(10, -c->last));
        if (c->second >= 0) assert_string_not_equal(r->run[c->run].run.method, r->run[c->second].run.method);
    }
    assert_string_equal(r->advice[0].method, "rk");
    hol_race_destroy(r);
}

// A certificate of the pendulum against what it is made of: the two results.
static void digits_are_those_of_the_two_runs(void **state)
{
    static const char *const signal[] = {"bob.x", "step.size"};
    (void)state;
    const hol_certificate_options o = {.study = {.signal = signal, .n_signals = 2}, .digits = 7};
    hol_model *model = pendulum();
    hol_certificate *c = hol_certificate_create(ctx, model, &o);
    hol_model_destroy(model);
    if (!c) fail_msg("%s", hol_context_error(ctx));
    const hol_reference *r = &c->reference;
    assert_true(c->status == HOL_OK && !c->why && !c->because && c->cause == HOL_CAUSE_NONE &&
                c->wanted == 7);
    assert_int_equal(r->n_signals, 2);
    hol_comparison *d = hol_comparison_create(ctx, r->result[1], r->result[0]);
    assert_true(c->signal[0].error == 2 * d->item[0].error && c->signal[0].at == d->item[0].time);
    assert_int_equal(c->signal[0].digits, (int)floor(-log10(c->signal[0].error / r->signal[0].size)));
    assert_true(isnan(c->signal[0].until));
    assert_true(r->signal[1].of_run && c->signal[1].digits == 0);
    assert_string_equal(hol_result_note(r->result[0], "method"), r->run[r->pair[0]].method);
    near("tolerance", atof(hol_result_note(r->result[1], "tolerance")), r->run[r->pair[1]].tolerance, 1e-20);
    hol_comparison_destroy(d);
    hol_certificate_destroy(c);
}

// Results at the ends of steps, which are others in every run, are compared by interpolation.
static void rows_at_every_step(void **state)
{
    static const char *const set[] = {"simulate.output=0"};
    (void)state;
    const hol_certificate_options o = {.digits = 3};
    hol_model *model = hol_model_parse(ctx, "pendulum", PENDULUM, strlen(PENDULUM), set, 1);
    hol_certificate *c = hol_certificate_create(ctx, model, &o);
    if (!c) fail_msg("%s", hol_context_error(ctx));
    if (c->status) fail_msg("%s", c->why);
    const hol_result *const *r = c->reference.result;
    assert_int_equal(r[0]->n_rows, c->reference.run[c->reference.pair[0]].out.steps + 1);
    assert_true(r[0]->n_rows != r[1]->n_rows);
    hol_certificate_destroy(c);
    hol_model_destroy(model);
}

// What is not verified has its cause. Eleven digits are more than two methods agree to in a motion that grows a little apart; where a
// force has a kink it is that.
static void causes_are_told(void **state)
{
    static const char kinked[] =
        "dimension: 2\n"
        "bodies: [{name: bob, mass: 1, inertia: 0.1, velocity: [1, 0.3]}]\n"
        "forces: [{name: pull, type: force, on: bob, value: [\"-100*abs(DX(bob) - 0.1)\", 0]}]\n"
        "simulate: {end: 2}\n";
    static const struct {
        const char *model, *set[2], *words;
        hol_cause cause;
    } c[] = {{kinked,
              {"simulate.end=2", "simulate.output=0.1"},
              "discontinuous: the model has functions with a jump in the derivative",
              HOL_CAUSE_DISCONTINUOUS},
             {"chain",
              {"simulate.end=7", "parameters.n=2"},
              "at the limit: no two methods of different families agree better, of ",
              HOL_CAUSE_LIMIT}};
    (void)state;
    for (int i = 0; i < (few() ? 1 : HOL_COUNT(c)); i++) {
        const hol_certificate_options o = {.digits = 11};
        hol_model *model = load_model(c[i].model, c[i].set, 2);
        hol_certificate *x = hol_certificate_create(ctx, model, &o);
        if (!x) fail_msg("%s", hol_context_error(ctx));
        assert_int_equal(x->status, HOL_ERR_ACCURACY);
        assert_true(strncmp(x->because, c[i].words, strlen(c[i].words)) == 0);
        assert_int_equal(x->cause, c[i].cause);
        assert_non_null(strstr(x->why, "11 digits are not verified of "));
        int missed = 0;
        for (int k = 0; k < x->reference.n_signals; k++) {
            const bool zero = x->reference.signal[k].zero, less = !zero && x->signal[k].digits < 11;
            assert_int_equal(less, !isnan(x->signal[k].until));
            missed += less;
        }
        assert_true(missed > 0 && missed == x->n_missed);
        hol_certificate_destroy(x);
        hol_model_destroy(model);
    }
}

// Without a reference there are its runs, each with what became of it.
static void runs_without_a_reference_are_there(void **state)
{
    (void)state;
    hol_model *model = pendulum();
    hol_race_options o = small_race();
    o.study.patience = 1e-9;
    hol_race *r = hol_race_create(ctx, model, &o);
    assert_non_null(r);
    assert_true(r->status == HOL_ERR_INTEGRATION && r->n_runs == 0 && r->reference.pair[0] == -1);
    assert_string_equal(
        r->why,
        "pendulum: no reference: two methods of different families must reach the end at a tight tolerance");
    assert_true(r->reference.n_runs >= 4);
    for (int i = 0; i < r->reference.n_runs; i++) {
        assert_int_equal(r->reference.run[i].fate, HOL_RUN_TOO_SLOW);
        assert_string_equal(r->reference.run[i].failed, "took too long (--patience)");
    }
    hol_race_destroy(r);
    const hol_certificate_options same = {.study = o.study};
    hol_certificate *c = hol_certificate_create(ctx, model, &same);
    assert_true(c && c->status == HOL_ERR_ACCURACY && !c->signal && c->reference.n_runs >= 4);
    hol_certificate_destroy(c);
    hol_model_destroy(model);
}

// ---- executors ------------------------------------------------------------------------------------------------

enum { PLACES = 64 };

// Makes each run at once, when it is started, and hands it in later, the last one first. Some it loses, some it cannot start.
typedef struct {
    hol_context *own;
    hol_model *model;
    int started, stopped, handed, n;
    int fails, loses; // every so many; 0: none
    bool empty;       // rows are forgotten
    hol_job *job[PLACES];
    hol_outcome out[PLACES];
    hol_result *rows[PLACES];
} inline_executor;

static const char *begin_inline(void *user, hol_job *job)
{
    inline_executor *e = user;
    assert_true(e->n < PLACES);
    if (e->fails && ++e->started % e->fails == 0) return "no more of them";
    e->rows[e->n] = hol_job_run(e->own, e->model, job, &e->out[e->n]);
    assert_int_equal(!e->out[e->n].status && job->rows, e->rows[e->n] != NULL);
    if (e->rows[e->n]) assert_int_equal(e->rows[e->n]->n_columns, job->n_columns);
    e->job[e->n++] = job;
    return NULL;
}

static void hand_in(void *user, double seconds)
{
    inline_executor *e = user;
    assert_true(seconds > 0 && e->n > 0); // nobody waits for nothing
    while (e->n) {
        hol_result *r = e->rows[--e->n];
        const bool all = r && !e->empty;
        if (e->loses && ++e->handed % e->loses == 0)
            hol_job_lost(e->job[e->n], "out of sight");
        else
            hol_job_ended(e->job[e->n], &e->out[e->n], all ? r->value : NULL, all ? r->n_rows : 0);
        hol_job_ended(e->job[e->n], &e->out[e->n], NULL, 0); // once is enough
        hol_result_destroy(r);
    }
}

static void stop_inline(void *user, hol_job *job)
{
    inline_executor *e = user;
    (void)job;
    e->stopped++;
}

static hol_certificate *certify_inline(inline_executor *e, hol_executor *by)
{
    *by = (hol_executor){e, begin_inline, hand_in, stop_inline};
    const hol_certificate_options o = {.study = {.executor = by, .jobs = 3}};
    return hol_certificate_create(ctx, e->model, &o);
}

// Whoever makes the runs: the certificate is the same, bit for bit.
static void executors_make_the_same_runs(void **state)
{
    (void)state;
    hol_executor by;
    inline_executor e = {.own = hol_context_create(), .model = pendulum()};
    hol_certificate *a = hol_certificate_create(ctx, e.model, NULL), *b = certify_inline(&e, &by);
    if (!a || !b) fail_msg("%s", hol_context_error(ctx));
    const hol_reference *x = &a->reference, *y = &b->reference;
    assert_int_equal(x->n_runs, y->n_runs);
    for (int k = 0; k < 2; k++) {
        const hol_result *r = x->result[k], *s = y->result[k];
        assert_int_equal(x->pair[k], y->pair[k]);
        assert_int_equal(r->n_rows, s->n_rows);
        assert_memory_equal(r->value, s->value, r->n_rows * (size_t)r->n_columns * sizeof *r->value);
    }
    for (int i = 0; i < x->n_signals; i++)
        assert_memory_equal(&a->signal[i].error, &b->signal[i].error, sizeof(double));
    hol_certificate_destroy(a);
    hol_certificate_destroy(b);
    hol_model_destroy(e.model);
    hol_context_destroy(e.own);
}

static void runs_that_are_lost_are_told(void **state)
{
    (void)state;
    hol_executor by;
    inline_executor e = {.own = hol_context_create(), .model = pendulum(), .loses = 1};
    hol_certificate *c = certify_inline(&e, &by);
    assert_true(c && c->status == HOL_ERR_ACCURACY);
    for (int i = 0; i < c->reference.n_runs; i++) {
        assert_int_equal(c->reference.run[i].fate, HOL_RUN_DIED);
        assert_string_equal(c->reference.run[i].failed, "the run died: out of sight");
    }
    hol_certificate_destroy(c);
    e.loses = 4; // the other three are enough
    c = certify_inline(&e, &by);
    assert_true(c && c->status == HOL_OK);
    hol_certificate_destroy(c);
    e.loses = 0;
    e.empty = true;
    c = certify_inline(&e, &by);
    assert_true(c && c->status == HOL_ERR_ACCURACY);
    assert_string_equal(c->reference.run[0].failed, "the run died: its rows are missing");
    hol_certificate_destroy(c);
    e.fails = 3; // the two before are stopped, and waited for
    e.empty = false;
    assert_null(certify_inline(&e, &by));
    assert_int_equal(hol_context_status(ctx), HOL_ERR_IO);
    expect_message("a run cannot be started: no more of them");
    assert_true(e.stopped == 2 && e.n == 0);
    hol_model_destroy(e.model);
    hol_context_destroy(e.own);
}

// Every request for memory of the caller's context fails once in turn; the runs have contexts of their own.
static void every_failing_request_is_survived(void **state)
{
    (void)state;
    hol_executor by;
    inline_executor e = {.own = hol_context_create(), .model = pendulum()};
    bool done = false;
    for (long n = 1; !done; n += 1 + (few() ? n / 5 : 0)) {
        hol_context_clear(ctx);
        hol_memory_fail_after(ctx, n);
        hol_certificate *c = certify_inline(&e, &by);
        done = hol_memory_fail_after(ctx, 0) > 0;
        if (!done && c) fail_msg("a failing request, the %ld-th, is not told", n);
        if (!c) assert_int_equal(hol_context_status(ctx), HOL_ERR_MEMORY);
        hol_certificate_destroy(c);
    }
    hol_model_destroy(e.model);
    hol_context_destroy(e.own);
}

// ---- nothing is left behind -----------------------------------------------------------------------------------

typedef struct {
    int left; // runs until it is cancelled
} countdown;

static void cancel_later(void *user, const hol_run *run, int done, int wanted)
{
    countdown *c = user;
    (void)run;
    (void)done;
    (void)wanted;
    if (--c->left == 0) hol_context_cancel(ctx);
}

static void rest(double seconds)
{
    const struct timespec t = {.tv_nsec = (long)(1e9 * seconds)};
    nanosleep(&t, NULL);
}

// Threads of this process; they are gone a moment after they were joined.
static int threads(void)
{
    int n = 0;
    DIR *d = opendir("/proc/self/task");
    for (struct dirent *e; d && (e = readdir(d));) n += *e->d_name != '.';
    if (d) closedir(d);
    return n;
}

static void expect_threads(int most)
{
    for (int i = 0; i < 1000 && threads() > most; i++) rest(1e-3);
    assert_true(threads() <= most);
    assert_true(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD);
}

// Cancelled after the k-th run, before the first, and between the runs that are made again for their time.
static void a_stop_in_the_middle_leaves_nothing(void **state)
{
    (void)state;
    hol_model *model = pendulum();
    hol_race_options o = small_race();
    const int before = threads();
    countdown c = {1};
    o.study.ended = cancel_later;
    o.study.user = &c;
    hol_race *r = NULL;
    for (int k = 1; !r; k += few() ? 4 : 1) {
        c.left = k;
        r = hol_race_create(ctx, model, &o);
        if (!r) assert_int_equal(hol_context_status(ctx), HOL_ERR_CANCELLED);
        if (!r) expect_message("interrupted");
        expect_threads(before);
    }
    assert_true(c.left > 0 && !hol_context_cancelled(ctx)); // all runs were over before
    hol_race_destroy(r);
    hol_context_cancel(ctx);
    assert_null(hol_certificate_create(ctx, model, NULL));
    assert_int_equal(hol_context_status(ctx), HOL_ERR_CANCELLED);
    expect_threads(before);
    hol_model_destroy(model);
}

static void *cancel_soon(void *user)
{
    rest(*(const double *)user);
    hol_context_cancel(ctx);
    return NULL;
}

// Cancelled by another thread at some time, while runs are under way that would take minutes.
static void a_long_run_stops_soon(void **state)
{
    static const char *const set[] = {"simulate.end=1000"};
    (void)state;
    hol_model *model = hol_model_load(ctx, "models/andrews.yaml", set, 1);
    const int before = threads();
    for (double wait = 0.1; wait < 0.22; wait += 0.05) {
        pthread_t other;
        assert_int_equal(pthread_create(&other, NULL, cancel_soon, &wait), 0);
        assert_null(hol_certificate_create(ctx, model, NULL));
        assert_int_equal(hol_context_status(ctx), HOL_ERR_CANCELLED);
        pthread_join(other, NULL);
        expect_threads(before);
    }
    hol_model_destroy(model);
}

static void *certify_with(void *model)
{
    hol_context *own = hol_context_create();
    hol_certificate *c = hol_certificate_create(own, model, NULL);
    void *good = c && c->status == HOL_OK ? model : NULL;
    hol_certificate_destroy(c);
    hol_context_destroy(own);
    return good;
}

// Two certificates of one model at the same time, in threads with 256 kB of stack.
static void two_at_the_same_time(void **state)
{
    (void)state;
    pthread_attr_t small;
    pthread_t thread[2];
    hol_model *model = pendulum();
    pthread_attr_init(&small);
    if (!HOL_SANITIZED) pthread_attr_setstacksize(&small, 256 << 10);
    for (int i = 0; i < 2; i++) assert_int_equal(pthread_create(&thread[i], &small, certify_with, model), 0);
    for (int i = 0; i < 2; i++) {
        void *good;
        pthread_join(thread[i], &good);
        assert_ptr_equal(good, model);
    }
    pthread_attr_destroy(&small);
    hol_model_destroy(model);
}

// Nothing on standard output and error, also where runs fail and options are wrong.
static void the_library_is_silent(void **state)
{
    char name[] = "/tmp/holonom_silent_XXXXXX";
    (void)state;
    hol_model *model = pendulum();
    hol_race_options o = small_race();
    const hol_race_options wrong = {.n_methods = -1};
    const int file = mkstemp(name), out = dup(1), err = dup(2);
    fflush(NULL);
    dup2(file, 1);
    dup2(file, 2);
    hol_race *r = hol_race_create(ctx, model, &o), *none = hol_race_create(ctx, model, &wrong);
    o.study.patience = 1e-9;
    hol_race *late = hol_race_create(ctx, model, &o);
    hol_certificate *c = hol_certificate_create(ctx, model, NULL);
    fflush(NULL);
    dup2(out, 1);
    dup2(err, 2);
    assert_int_equal(lseek(file, 0, SEEK_END), 0);
    assert_true(r && !none && late && c);
    close(file);
    close(out);
    close(err);
    unlink(name);
    hol_race_destroy(r);
    hol_race_destroy(late);
    hol_certificate_destroy(c);
    hol_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_function_says_what_it_lacks),
                                       cmocka_unit_test(options_that_cannot_be_are_refused),
                                       cmocka_unit_test(models_without_a_motion_are_refused),
                                       cmocka_unit_test(freedom_is_that_of_check),
                                       cmocka_unit_test(the_fastest_of_those_as_accurate),
                                       cmocka_unit_test(digits_are_those_of_the_two_runs),
                                       cmocka_unit_test(rows_at_every_step),
                                       cmocka_unit_test(causes_are_told),
                                       cmocka_unit_test(runs_without_a_reference_are_there),
                                       cmocka_unit_test(executors_make_the_same_runs),
                                       cmocka_unit_test(runs_that_are_lost_are_told),
                                       cmocka_unit_test(every_failing_request_is_survived),
                                       cmocka_unit_test(a_stop_in_the_middle_leaves_nothing),
                                       cmocka_unit_test(a_long_run_stops_soon),
                                       cmocka_unit_test(two_at_the_same_time),
                                       cmocka_unit_test(the_library_is_silent)};
    return cmocka_run_group_tests(tests, start, stop);
}
