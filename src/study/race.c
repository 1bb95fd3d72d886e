// Every method at every tolerance on one model against a reference (docs/theory.md, section 16): which runs there are,
// errors, work, and what is the fastest for which error.
#include "analysis/advice.h"
#include "study/accuracy.h"
#include "study/plan.h"
#include "study/study.h"

#include <math.h>
#include <string.h>

enum { ROUNDS = 4, LEVELS = 13, TOLERANCES = HOL_RACE_TOLERANCES };
#define LEAST 1e-3    // of the largest signal of a unit: what a signal is measured by at least
#define GOAL 1e-10    // agreement that a reference need not exceed
#define PATIENCE 20.0 // how much longer than the fastest a run may take
#define SHORTEST 2.0  // what it may take anyway [s]
#define SHORT 1.0     // runs up to this are timed again [s]
#define AGAIN 60.0    // and may then take this at most [s]
#define ROUND 0.02    // time of one round [s]
#define OPEN 0.01     // what the reference does not know better than this is not judged
#define CANDIDATE 2.5 // against the fastest of its accuracy
#define MANY 6.0

typedef struct {
    hol_race race; // first: what the caller has
    hol_plan plan;
    hol_task *task;             // of each run                        (n_runs)
    double fastest[TOLERANCES]; // wall time of those that reached the end [s]
} race;

// ---- options --------------------------------------------------------------------------------------------------

static void nothing(void *user, const char *text)
{
    (void)user;
    (void)text;
}

// The message for a method that there is not, that of `holonom methods NAME`.
static hol_status no_method(hol_context *ctx, const char *word)
{
    char why[300];
    hol_describe_method(ctx, word, HOL_PLAIN_TEXT, nothing, NULL); // it fails
    hol_decimal_print(why, sizeof why, "%s", hol_context_error(ctx));
    hol_context_clear(ctx);
    return hol_study_refuse(ctx, "methods", why);
}

// A method by name; one that knows no tolerance, and one named twice, are refused.
static hol_status add_method(hol_context *ctx, hol_race *r, const char *word)
{
    char why[100];
    const hol_method *m = hol_method_find(word);
    bool twice = false;
    if (!m) return no_method(ctx, word);
    for (int k = 0; k < r->n_methods; k++) twice = twice || r->method[k] == m->name;
    hol_decimal_print(why, sizeof why,
                      twice ? "%s is named twice" : "%s takes fixed steps only, it knows no tolerance", word);
    if (twice || m->teaching) return hol_study_refuse(ctx, "methods", why);
    r->method[r->n_methods++] = m->name;
    return HOL_OK;
}

// Those asked for, or all that know a tolerance.
static hol_status take_methods(race *r, const hol_race_options *o)
{
    hol_plan *p = &r->plan;
    int n = 0;
    hol_status st = hol_study_list(p->ctx, "methods", o->method, o->n_methods);
    if (st) return st;
    while (hol_methods[n]) n++;
    r->race.method = hol_arena_alloc(p->arena, (size_t)n + 1, sizeof *r->race.method);
    if (!r->race.method) return HOL_ERR_MEMORY;
    for (int i = 0; i < o->n_methods && !st; i++) st = add_method(p->ctx, &r->race, o->method[i]);
    for (int i = 0; i < n && !o->n_methods; i++)
        if (!hol_methods[i]->teaching) r->race.method[r->race.n_methods++] = hol_methods[i]->name;
    return st;
}

// From loose to tight.
static hol_status take_tolerances(race *r, const hol_race_options *o)
{
    static const double usual[] = {1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8};
    const double *t = o->n_tolerances ? o->tolerance : usual;
    const int n = o->n_tolerances ? o->n_tolerances : HOL_COUNT(usual);
    const char *why = n < 0 || !t      ? "a list and how long it is are wanted"
                      : n > TOLERANCES ? "13 tolerances are the most"
                                       : NULL;
    for (int i = 0; i < n && !why; i++)
        if (!(t[i] >= 1e-12 && t[i] <= 1))
            why = "tolerances from 1e-12 to 1 are wanted";
        else if (i && !(t[i] < t[i - 1]))
            why = "each tolerance must be smaller than the one before";
    if (why) return hol_study_refuse(r->plan.ctx, "tolerances", why);
    r->race.n_tolerances = n;
    r->race.tolerance = hol_arena_alloc(r->plan.arena, (size_t)n, sizeof *t);
    if (!r->race.tolerance) return HOL_ERR_MEMORY;
    memcpy(r->race.tolerance, t, (size_t)n * sizeof *t);
    return HOL_OK;
}

// ---- the runs -------------------------------------------------------------------------------------------------

// A method that was too slow is so at smaller tolerances too; one that does not take the model does not at any.
static bool hopeless(const race *r, int at)
{
    for (int k = at - r->race.n_methods; k >= 0; k -= r->race.n_methods) {
        const hol_fate fate = r->race.run[k].run.fate;
        const bool over = r->task[k].state == HOL_TASK_OVER;
        if (over && (fate == HOL_RUN_TOO_SLOW || fate == HOL_RUN_REFUSED || fate == HOL_RUN_LEFT_OUT))
            return true;
    }
    return false;
}

static double limit(void *user, const hol_task *task)
{
    const race *r = user;
    const int at = (int)(task - r->task);
    const double fastest = r->fastest[at / r->race.n_methods];
    if (task->state == HOL_TASK_WAITS && hopeless(r, at)) return 0;
    return fmin(r->plan.patience, fmax(SHORTEST, PATIENCE * fastest));
}

// The error of a run that has reached its end, at least that of the reference.
static hol_status judge(void *user, hol_task *task)
{
    race *r = user;
    const int at = (int)(task - r->task);
    hol_race_run *run = &r->race.run[at];
    const hol_reference *f = &r->race.reference;
    double *fastest = &r->fastest[at / r->race.n_methods];
    if (task->run->fate != HOL_RUN_FINISHED) return HOL_OK;
    *fastest = fmin(*fastest, task->run->wall_seconds);
    const hol_status st =
        hol_judge_errors(r->plan.ctx, r->plan.arena, f->signal, task->rows, f->result[0], &run->error);
    run->error.max = fmax(run->error.max, r->race.floor);
    run->error.rms = fmax(run->error.rms, fmin(r->race.floor, f->apart.rms));
    run->judged = !st && isfinite(run->error.max);
    return st;
}

// Why a run has not reached its end, or has no errors; NULL: it has.
static const char *failure_of(hol_arena *arena, const hol_race_run *x)
{
    if (x->judged) return NULL;
    switch (x->run.fate) {
    case HOL_RUN_TOO_SLOW:
        return hol_arena_print(arena, "ended after %.3g s: far slower than others", x->run.wall_seconds);
    case HOL_RUN_LEFT_OUT: return "not tried: it was too slow or refused before";
    case HOL_RUN_FINISHED: return "its results are not numbers";
    default: return x->run.out.message;
    }
}

// Runs all, from loose to tight tolerances, so that what is far too slow is known early.
static hol_status run_all(race *r)
{
    hol_race *x = &r->race;
    hol_plan *p = &r->plan;
    const int n = x->n_methods * x->n_tolerances;
    x->run = hol_arena_alloc(p->arena, (size_t)n, sizeof *x->run);
    r->task = hol_arena_alloc(p->arena, (size_t)n, sizeof *r->task);
    if (!x->run || !r->task) return HOL_ERR_MEMORY;
    x->n_runs = n;
    for (int k = 0; k < TOLERANCES; k++) r->fastest[k] = HUGE_VAL;
    for (int i = 0; i < n; i++)
        r->task[i] = hol_plan_task(p, x->method[i % x->n_methods], x->tolerance[i / x->n_methods], true,
                                   &x->run[i].run);
    p->limit = limit;
    p->ended = judge;
    p->user = r;
    p->done = 0;
    p->wanted = n;
    const hol_status st = hol_plan_run(p, r->task, n);
    for (int i = 0; i < n; i++) x->run[i].run.failed = failure_of(p->arena, &x->run[i]);
    return st;
}

// ---- times ----------------------------------------------------------------------------------------------------

// These have taken less than SHORT before.
static double limit_again(void *user, const hol_task *task)
{
    (void)user;
    (void)task;
    return AGAIN;
}

// Once more without results on the way, those of `which`, all of them one after the other, so that none has a quiet moment alone.
// `again` has room for what they leave.
static hol_status time_again(race *r, const bool *which, hol_run *again, bool anew)
{
    hol_race *x = &r->race;
    int n = 0;
    for (int i = 0; i < x->n_runs; i++) {
        if (!which[i]) continue;
        r->task[n] = hol_plan_task(&r->plan, x->run[i].run.method, x->run[i].run.tolerance, false, &again[i]);
        r->task[n++].job.seconds = ROUND;
    }
    r->plan.limit = limit_again;
    r->plan.ended = NULL;
    const hol_status st = hol_plan_run(&r->plan, r->task, n);
    for (int i = 0; i < x->n_runs && !st; i++) {
        hol_outcome *out = &x->run[i].run.out;
        if (!which[i] || again[i].fate != HOL_RUN_FINISHED) continue;
        const double before = out->cpu_seconds;
        *out = again[i].out; // its counters too: results on the way take evaluations
        if (!anew) out->cpu_seconds = fmin(before, out->cpu_seconds);
    }
    return st;
}

static bool is_automatic(const hol_race *r, int run)
{
    const char *method = r->advice[run / r->n_methods].method;
    return method && strcmp(method, r->run[run].run.method) == 0;
}

static double cpu_of(const hol_race *r, int run) { return r->run[run].run.out.cpu_seconds; }

// Its time against that of the fastest run that is as accurate.
static double ratio(const hol_race *r, int run)
{
    const int best = r->run[run].judged ? hol_race_fastest(r, -1, r->run[run].error.max) : -1;
    return best < 0 ? (double)NAN : cpu_of(r, run) / cpu_of(r, best);
}

// All short runs without results twice, then those that may be the fastest of their accuracy, and those of `method: auto`, in
// more rounds.
static hol_status measure(race *r)
{
    hol_race *x = &r->race;
    const int at_once = r->plan.jobs;
    bool *which = hol_arena_alloc(r->plan.arena, (size_t)x->n_runs, sizeof *which);
    hol_run *again = hol_arena_alloc(r->plan.arena, (size_t)x->n_runs, sizeof *again);
    hol_status st = which && again ? HOL_OK : HOL_ERR_MEMORY;
    r->plan.jobs = 1; // two would share caches
    for (int round = 0; round <= ROUNDS && !st; round++) {
        for (int i = 0; i < x->n_runs; i++)
            which[i] = x->run[i].judged && cpu_of(x, i) < SHORT &&
                       (is_automatic(x, i) || ratio(x, i) < (round > 1 ? CANDIDATE : MANY));
        st = time_again(r, which, again, round == 0);
    }
    r->plan.jobs = at_once;
    for (int i = 0; i < x->n_runs; i++) x->run[i].ratio = ratio(x, i);
    return st;
}

// ---- choices --------------------------------------------------------------------------------------------------

int hol_race_fastest(const hol_race *r, int method, double error)
{
    int best = -1;
    for (int i = 0; r && i < r->n_runs; i++) {
        const hol_race_run *x = &r->run[i];
        if (!x->judged || !(x->error.max <= error) || (method >= 0 && i % r->n_methods != method)) continue;
        if (best < 0 || x->run.out.cpu_seconds < cpu_of(r, best)) best = i;
    }
    return best;
}

int hol_race_find(const hol_race *r, const char *method, int k)
{
    if (!r || !method || !r->n_runs || k < 0 || k >= r->n_tolerances) return -1;
    for (int m = 0; m < r->n_methods; m++)
        if (strcmp(r->method[m], method) == 0) return k * r->n_methods + m;
    return -1;
}

// The powers of ten between the largest and the smallest error of all runs.
static void find_levels(hol_race *r)
{
    double least = HUGE_VAL, most = 0;
    for (int i = 0; i < r->n_runs; i++) {
        if (!r->run[i].judged) continue;
        least = fmin(least, r->run[i].error.max);
        most = fmax(most, r->run[i].error.max);
    }
    r->first = (int)fmax(1, floor(-log10(fmax(fmin(most, 1), 1e-12))));
    r->last = (int)fmin(LEVELS - 1, fmax(0, floor(-log10(fmax(fmin(least, 1), 1e-12)) + 1e-9)));
    if (r->first > r->last) r->first = r->last;
}

// The best run of any other method.
static int find_second(const hol_race *r, int best, double error)
{
    int second = -1;
    for (int m = 0; m < r->n_methods; m++) {
        const int i = m == best % r->n_methods ? -1 : hol_race_fastest(r, m, error);
        if (i >= 0 && (second < 0 || cpu_of(r, i) < cpu_of(r, second))) second = i;
    }
    return second;
}

// For each power of ten the fastest run, runs that are so for several powers taken together.
static hol_status choose(race *r)
{
    hol_race *x = &r->race;
    hol_choice *out = x->choice = hol_arena_alloc(r->plan.arena, LEVELS, sizeof *out);
    if (!out) return HOL_ERR_MEMORY;
    find_levels(x);
    for (int k = x->first; k <= x->last; k++) {
        const int best = hol_race_fastest(x, -1, pow(10, -k));
        if (best < 0) continue;
        if (x->n_choices && out[x->n_choices - 1].run == best)
            out[x->n_choices - 1].last = k;
        else
            out[x->n_choices++] = (hol_choice){.run = best, .first = k, .last = k};
    }
    for (int i = 0; i < x->n_choices; i++) {
        out[i].second = find_second(x, out[i].run, pow(10, -out[i].last));
        if (out[i].second >= 0) out[i].times = cpu_of(x, out[i].second) / cpu_of(x, out[i].run);
    }
    if (hol_race_fastest(x, -1, HUGE_VAL) >= 0) return HOL_OK;
    x->status = HOL_ERR_INTEGRATION;
    x->why = "no run reached the end with a result that can be judged; other --methods or --tols?";
    return HOL_OK;
}

// ---- the reference --------------------------------------------------------------------------------------------

static bool moves(const hol_result *x)
{
    for (int i = 1; i < x->n_columns; i++)
        for (size_t k = 1; k < x->n_rows; k++)
            if (fabs(x->value[k * (size_t)x->n_columns + (size_t)i] - x->value[i]) >
                1e-12 * fabs(x->value[i]))
                return true;
    return false;
}

// Signals in which the two runs of the reference follow different motions say nothing about others. Are some left?
static bool leave_out_open(hol_race *r)
{
    hol_reference *f = &r->reference;
    f->apart.max = f->apart.rms = 0;
    f->apart.worst = -1;
    bool judged = false;
    for (int i = 0; i < f->n_signals; i++) {
        const hol_signal_error *e = &f->apart.signal[i];
        if (f->signal[i].zero) continue;
        f->signal[i].open = !(e->max < OPEN);
        r->n_open += f->signal[i].open;
        if (f->signal[i].open) continue;
        judged = true;
        f->apart.rms = hol_larger(e->rms, f->apart.rms);
        if (e->max <= f->apart.max && f->apart.worst >= 0) continue;
        f->apart.max = e->max;
        f->apart.worst = i;
        f->apart.at = e->at;
    }
    return judged;
}

// What all runs are judged by; without it the race has a status and says why.
static hol_status find_reference(race *r)
{
    hol_race *x = &r->race;
    hol_reference *f = &x->reference;
    hol_plan *p = &r->plan;
    hol_status st = hol_reference_find(p, GOAL, LEAST, false, f);
    if (st) return st;
    if (f->pair[0] < 0) {
        x->status = HOL_ERR_INTEGRATION;
        x->why = hol_arena_print(p->arena, HOL_NO_REFERENCE, x->model);
        return x->why ? HOL_OK : HOL_ERR_MEMORY;
    }
    if (!moves(f->result[0]))
        return hol_fail(p->ctx, HOL_ERR_USAGE, "%s: nothing moves: every signal keeps its value", x->model);
    if (!leave_out_open(x)) {
        x->status = HOL_ERR_ACCURACY;
        x->why = hol_arena_print(
            p->arena,
            "%s: no reference: %s and %s at tight tolerances differ by more than %g in every signal; holonom "
            "certify says why and from when on, --end ends before",
            x->model, f->run[f->pair[0]].method, f->run[f->pair[1]].method, OPEN);
        return x->why ? HOL_OK : HOL_ERR_MEMORY;
    }
    x->floor = f->apart.max;
    return HOL_OK;
}

// What `method: auto` would take at each tolerance.
static hol_status find_advice(race *r)
{
    hol_race *x = &r->race;
    x->advice = hol_arena_alloc(r->plan.arena, (size_t)x->n_tolerances, sizeof *x->advice);
    if (!x->advice) return HOL_ERR_MEMORY;
    for (int k = 0; k < x->n_tolerances; k++) {
        hol_settings set = *r->plan.set;
        set.tolerance = x->tolerance[k];
        set.step = 0;
        if (hol_advice_find(r->plan.ctx, r->plan.m, &set, &x->advice[k])) x->advice[k].method = NULL;
        hol_context_clear(r->plan.ctx);
    }
    return HOL_OK;
}

// ---- the race -------------------------------------------------------------------------------------------------

// What is known of the model.
static void take_head(race *r)
{
    hol_race *x = &r->race;
    const hol_plan *p = &r->plan;
    x->model = p->like->file;
    x->bodies = p->bodies;
    x->freedom = p->freedom;
    x->states = p->states;
    x->end = p->end;
    x->n_signals = p->n_signals;
    x->n_all = p->n_all;
}

// Finds the reference, runs, judges, and chooses.
static hol_status hold(race *r)
{
    hol_status st = find_reference(r);
    if (st || r->race.status) return st;
    st = find_advice(r);
    if (!st) st = run_all(r);
    if (!st) st = measure(r);
    return st ? st : choose(r);
}

// Options, then the model, then the runs; what was made before a failure is freed.
hol_race *hol_race_make(hol_context *ctx, const hol_model_data *m, const hol_settings *set,
                        const hol_race_options *o)
{
    race *r = hol_calloc(ctx, 1, sizeof *r);
    if (!r) return NULL;
    hol_status st = hol_plan_start(ctx, m, set, &o->study, &r->plan);
    if (!st) st = take_methods(r, o);
    if (!st) st = take_tolerances(r, o);
    if (!st) st = hol_plan_look(&r->plan);
    if (!st) take_head(r);
    if (!st) st = hold(r);
    if (!st) return &r->race;
    hol_race_destroy(&r->race);
    return NULL;
}

void hol_race_destroy(hol_race *r)
{
    if (!r) return;
    hol_plan_free(&((race *)r)->plan);
    hol_free(r);
}
