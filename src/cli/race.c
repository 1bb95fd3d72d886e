// Every method at every tolerance on one model against a reference (docs/theory.md, section 16): which runs there are,
// errors, work, and what is the fastest for which error.
#include "cli/race.h"
#include "base/base.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROUNDS = 4 };
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

// ---- options --------------------------------------------------------------------------------------------------

// The message for a method that there is not, that of `holonom methods NAME`.
static int no_method(hol_context *ctx, const char *word)
{
    (void)hol_describe_method(ctx, word, HOL_PLAIN_TEXT, cli_print, stdout); // it fails: nothing is printed
    fprintf(stderr, "holonom: error: --methods: %s\n", hol_context_error(ctx));
    return 2;
}

// Adds a method by name; one that knows no tolerance, and one named twice, are refused.
static int add_method(hol_context *ctx, cli_race *r, const char *word)
{
    hol_method_info m;
    int i = 0;
    while (hol_method_list(i, &m) && strcmp(m.name, word) != 0) i++;
    if (!hol_method_list(i, &m)) return no_method(ctx, word);
    for (int k = 0; k < r->n_methods; k++)
        if (strcmp(r->method[k], word) == 0) {
            fprintf(stderr, "holonom: error: --methods: %s is named twice\n", word);
            return 2;
        }
    if (m.fixed_steps) {
        fprintf(stderr, "holonom: error: --methods: %s takes fixed steps only, it knows no tolerance\n",
                word);
        return 2;
    }
    snprintf(r->method[r->n_methods++], CLI_METHOD, "%s", word);
    return 0;
}

// --methods: a list of names, or all that know a tolerance.
static int read_methods(hol_context *ctx, const char *list, cli_race *r)
{
    hol_method_info m;
    char word[CLI_METHOD];
    if (!list || strcmp(list, "all") == 0) {
        for (int i = 0; hol_method_list(i, &m) && r->n_methods < CLI_MOST_METHODS; i++)
            if (!m.fixed_steps) snprintf(r->method[r->n_methods++], CLI_METHOD, "%s", m.name);
        return 0;
    }
    for (const char *p = list;; p++) {
        const size_t n = strcspn(p, ",");
        snprintf(word, sizeof word, "%.*s", (int)n, p);
        const int code = add_method(ctx, r, word);
        if (code) return code;
        p += n;
        if (!*p) return 0;
    }
}

static int wrong_tolerances(const char *text, const char *why)
{
    fprintf(stderr, "holonom: error: --tols %s: %s\n", text, why);
    return 2;
}

// A tolerance; the text behind it into *end. NaN: none is there.
static double read_tolerance(const char *text, const char **end)
{
    char *after;
    const size_t n = strspn(text, "0123456789.eE+-");
    char word[32];
    snprintf(word, sizeof word, "%.*s", (int)n, text);
    char *dots = strstr(word, "..");
    if (dots) *dots = 0; // not a decimal point
    const double t = strtod(word, &after);
    *end = text + (after - word);
    return after == word ? (double)NAN : t;
}

static bool possible(double tolerance) { return tolerance >= 1e-12 && tolerance <= 1; }

static const char range_wanted[] = "a range as 1e-2..1e-8 is wanted, or a list as 1e-3,1e-5",
                  possible_wanted[] = "tolerances from 1e-12 to 1 are wanted";

// "1e-2..1e-8": each a tenth of the one before.
static int read_range(const char *text, double from, const char *rest, cli_race *r)
{
    const char *end;
    const double to = read_tolerance(rest, &end);
    if (isnan(to) || *end) return wrong_tolerances(text, range_wanted);
    if (!possible(from) || !possible(to)) return wrong_tolerances(text, possible_wanted);
    if (to > from) return wrong_tolerances(text, "the looser tolerance comes first, as in 1e-2..1e-8");
    for (double t = from; t > 0.9 * to && r->n_tolerances < CLI_MOST_TOLERANCES; t /= 10)
        r->tolerance[r->n_tolerances++] = t;
    return 0;
}

// --tols: a list, or "from..to" by powers of ten.
static int read_tolerances(const char *given, cli_race *r)
{
    const char *text = given ? given : "1e-2..1e-8", *end;
    const double from = read_tolerance(text, &end);
    if (!isnan(from) && strncmp(end, "..", 2) == 0) return read_range(text, from, end + 2, r);
    for (const char *p = text;; p = end + 1) {
        const double t = read_tolerance(p, &end);
        if (isnan(t) || (*end && *end != ',')) return wrong_tolerances(text, range_wanted);
        if (!possible(t)) return wrong_tolerances(text, possible_wanted);
        if (r->n_tolerances == CLI_MOST_TOLERANCES)
            return wrong_tolerances(text, "13 tolerances are the most");
        if (r->n_tolerances && !(t < r->tolerance[r->n_tolerances - 1]))
            return wrong_tolerances(text, "each tolerance must be smaller than the one before");
        r->tolerance[r->n_tolerances++] = t;
        if (!*end) return 0;
    }
}

// ---- the race -------------------------------------------------------------------------------------------------

typedef struct {
    cli_race *r;
    cli_job *job;
    int done;
    double fastest[CLI_MOST_TOLERANCES]; // wall time of those that reached the end [s]
} state;

static int place(const state *s, const cli_job *job) { return (int)(job - s->job); }

// A method that was too slow is so at smaller tolerances too; one that does not take the model does not at any.
static bool hopeless(const state *s, int at)
{
    for (int k = at - s->r->n_methods; k >= 0; k -= s->r->n_methods)
        if (s->job[k].fate == CLI_TOO_SLOW || s->job[k].fate == CLI_REFUSED || s->job[k].fate == CLI_LEFT_OUT)
            return true;
    return false;
}

static double limit(void *user, const cli_job *job)
{
    const state *s = user;
    const int at = place(s, job), row = at / s->r->n_methods;
    double fastest = s->fastest[row];
    if (job->fate == CLI_WAITING && hopeless(s, at)) return 0;
    return fmin(s->r->plan.pool.patience, fmax(SHORTEST, PATIENCE * fastest));
}

static void ended(void *user, const cli_job *job)
{
    state *s = user;
    double *fastest = &s->fastest[place(s, job) / s->r->n_methods];
    if (job->fate == CLI_FINISHED) *fastest = fmin(*fastest, job->wall);
    s->done++;
    if (!isatty(2) || s->r->plan.o->quiet) return;
    fprintf(stderr, "\r%d of %d runs ", s->done, cli_race_runs(s->r));
    fflush(stderr);
}

int cli_race_runs(const cli_race *r) { return r->n_methods * r->n_tolerances; }

// Runs all jobs, from loose to tight tolerances, so that what is far too slow is known early.
static int run_all(cli_race *r)
{
    const int n = cli_race_runs(r);
    cli_job *job = calloc((size_t)n, sizeof *job);
    state s = {.r = r, .job = job};
    cli_pool *pool = &r->plan.pool;
    if (!job) return 1;
    for (int k = 0; k < CLI_MOST_TOLERANCES; k++) s.fastest[k] = HUGE_VAL;
    for (int i = 0; i < n; i++)
        job[i] = cli_plan_job(&r->plan, r->method[i % r->n_methods], r->tolerance[i / r->n_methods], true);
    pool->limit = limit;
    pool->ended = ended;
    pool->user = &s;
    const int code = cli_pool_run(pool, job, n);
    if (isatty(2) && !r->plan.o->quiet) fprintf(stderr, "\r%30s\r", "");
    for (int i = 0; i < n; i++) r->run[i].job = job[i];
    free(job);
    return code;
}

// The error of each run that reached the end, at least that of the reference.
static int judge(cli_race *r)
{
    for (int i = 0; i < cli_race_runs(r); i++) {
        cli_entry *run = &r->run[i];
        hol_result *result = cli_plan_read(&r->plan, &run->job);
        if (!result) continue;
        const hol_status st =
            cli_accuracy_find(r->plan.ctx, &r->reference.scale, result, r->reference.result[0], &run->error);
        hol_result_destroy(result);
        if (st) return cli_fail(r->plan.ctx, st);
        run->error.max = fmax(run->error.max, r->floor);
        run->error.rms = fmax(run->error.rms, fmin(r->floor, r->reference.apart.rms));
        run->judged = isfinite(run->error.max);
    }
    return 0;
}

// ---- times ----------------------------------------------------------------------------------------------------

// These have taken less than SHORT before.
static double limit_again(void *user, const cli_job *job)
{
    (void)user;
    (void)job;
    return AGAIN;
}

// Once more without results on the way, those of `which`, all of them one after the other, so that none has a quiet moment alone.
static int time_again(cli_race *r, const bool *which, bool anew)
{
    cli_job *job = calloc(CLI_MOST_RUNS, sizeof *job);
    int index[CLI_MOST_RUNS], n = 0;
    if (!job) {
        fprintf(stderr, "holonom: error: out of memory\n");
        return 1;
    }
    for (int i = 0; i < cli_race_runs(r); i++) {
        if (!which[i]) continue;
        index[n] = i;
        job[n] = cli_plan_job(&r->plan, r->run[i].job.method, r->run[i].job.tolerance, false);
        job[n++].seconds = ROUND;
    }
    r->plan.pool.limit = limit_again;
    r->plan.pool.ended = NULL;
    const int code = cli_pool_run(&r->plan.pool, job, n);
    for (int k = 0; k < n && !code; k++) {
        cli_outcome *out = &r->run[index[k]].job.out;
        const double cpu = anew ? job[k].out.cpu : fmin(out->cpu, job[k].out.cpu);
        if (job[k].fate != CLI_FINISHED) continue;
        *out = job[k].out; // its counters too: results on the way take evaluations
        out->cpu = cpu;
    }
    free(job);
    return code;
}

static bool is_automatic(const cli_race *r, int run)
{
    const char *method = r->advice[run / r->n_methods].method;
    return method && strcmp(method, r->run[run].job.method) == 0;
}

// All short runs without results twice, then those that may be the fastest of their accuracy, and those of `method: auto`, in
// more rounds.
static int measure(cli_race *r)
{
    bool which[CLI_MOST_RUNS];
    const int at_once = r->plan.pool.at_once;
    int code = 0;
    r->plan.pool.at_once = 1; // two would share caches
    for (int round = 0; round <= ROUNDS && !code; round++) {
        for (int i = 0; i < cli_race_runs(r); i++)
            which[i] = r->run[i].judged && r->run[i].job.out.cpu < SHORT &&
                       (is_automatic(r, i) || cli_race_ratio(r, i) < (round > 1 ? CANDIDATE : MANY));
        code = time_again(r, which, round == 0);
    }
    r->plan.pool.at_once = at_once;
    return code;
}

int cli_race_fastest(const cli_race *r, int method, double error)
{
    int best = -1;
    for (int i = 0; i < cli_race_runs(r); i++) {
        const cli_entry *run = &r->run[i];
        if (!run->judged || !(run->error.max <= error) || (method >= 0 && i % r->n_methods != method))
            continue;
        if (best < 0 || run->job.out.cpu < r->run[best].job.out.cpu) best = i;
    }
    return best;
}

double cli_race_ratio(const cli_race *r, int run)
{
    const int best = cli_race_fastest(r, -1, r->run[run].error.max);
    return best < 0 ? (double)NAN : r->run[run].job.out.cpu / r->run[best].job.out.cpu;
}

// The powers of ten between the largest and the smallest error of all runs.
static void find_levels(cli_race *r)
{
    double least = HUGE_VAL, most = 0;
    for (int i = 0; i < cli_race_runs(r); i++) {
        if (!r->run[i].judged) continue;
        least = fmin(least, r->run[i].error.max);
        most = fmax(most, r->run[i].error.max);
    }
    r->first = (int)fmax(1, floor(-log10(fmax(fmin(most, 1), 1e-12))));
    r->last = (int)fmin(CLI_LEVELS - 1, fmax(0, floor(-log10(fmax(fmin(least, 1), 1e-12)) + 1e-9)));
    if (r->first > r->last) r->first = r->last;
}

// Signals in which the two runs of the reference follow different motions say nothing about others.
static int leave_out_open(cli_race *r)
{
    cli_reference *f = &r->reference;
    int judged = 0;
    f->apart.max = f->apart.rms = 0;
    f->apart.worst = -1;
    for (int i = 0; i < f->scale.n; i++) {
        const cli_error *e = &f->apart.signal[i];
        if (f->scale.signal[i].zero) continue;
        f->scale.signal[i].open = !(e->max < OPEN);
        r->n_open += f->scale.signal[i].open;
        if (f->scale.signal[i].open) continue;
        judged++;
        f->apart.rms = hol_larger(e->rms, f->apart.rms);
        if (e->max <= f->apart.max && f->apart.worst >= 0) continue;
        f->apart.max = e->max;
        f->apart.worst = i;
        f->apart.at = e->at;
    }
    if (judged) return 0;
    fprintf(stderr,
            "holonom: error: %s: no reference: %s and %s at tight tolerances differ by more than %g in every "
            "signal; "
            "holonom certify says why and from when on, --end ends before\n",
            r->plan.o->model, f->run[0]->method, f->run[1]->method, OPEN);
    return 6;
}

static void find_advice(cli_race *r)
{
    hol_model *model = hol_model_load(r->plan.ctx, r->plan.o->model, r->plan.set, r->plan.n_set);
    for (int k = 0; k < r->n_tolerances && model; k++)
        if (hol_advise(r->plan.ctx, model, r->tolerance[k], &r->advice[k])) r->advice[k].method = NULL;
    hol_model_destroy(model);
}

static bool moves(const hol_result *x)
{
    for (int i = 1; i < x->n_columns; i++)
        for (size_t k = 1; k < x->n_rows; k++)
            if (fabs(x->value[k * (size_t)x->n_columns + (size_t)i] - x->value[i]) >
                1e-12 * fabs(x->value[i]))
                return true;
    return false;
}

// Reads the options, finds the reference, runs and judges.
int cli_race_make(hol_context *ctx, const cli_options *o, cli_race *r)
{
    memset(r, 0, sizeof *r);
    int code = read_methods(ctx, o->methods, r);
    if (!code) code = read_tolerances(o->tols, r);
    if (!code) code = cli_plan_make(ctx, o, &r->plan);
    if (!code) code = cli_reference_find(&r->plan, GOAL, LEAST, false, &r->reference);
    if (!code && !moves(r->reference.result[0])) {
        fprintf(stderr, "holonom: error: %s: nothing moves: every signal keeps its value\n", o->model);
        code = 2;
    }
    if (!code) code = leave_out_open(r);
    if (code) return code;
    r->floor = r->reference.apart.max;
    find_advice(r);
    code = run_all(r);
    if (!code) code = judge(r);
    if (!code) code = measure(r);
    find_levels(r);
    return code;
}

void cli_race_free(cli_race *r)
{
    for (int i = 0; i < cli_race_runs(r); i++) cli_accuracy_free(&r->run[i].error);
    cli_reference_free(&r->reference);
    cli_plan_free(&r->plan);
}

// ---- for people -----------------------------------------------------------------------------------------------

void cli_race_time(const cli_race *r, int run, char out[32])
{
    const double ms = run < 0 ? 0 : 1e3 * r->run[run].job.out.cpu;
    snprintf(out, 32, run < 0 ? "-" : ms < 9.95 ? "%.2f" : ms < 99.5 ? "%.1f" : "%.0f", ms);
}

// The best run of any other method.
static int find_second(const cli_race *r, int best, double error)
{
    int second = -1;
    for (int m = 0; m < r->n_methods; m++) {
        const int i = m == best % r->n_methods ? -1 : cli_race_fastest(r, m, error);
        if (i >= 0 && (second < 0 || r->run[i].job.out.cpu < r->run[second].job.out.cpu)) second = i;
    }
    return second;
}

// For each power of ten the fastest run, runs that are so for several powers taken together.
int cli_race_choices(const cli_race *r, cli_choice out[CLI_LEVELS])
{
    int n = 0;
    for (int k = r->first; k <= r->last; k++) {
        const int best = cli_race_fastest(r, -1, pow(10, -k));
        if (best < 0) continue;
        if (n && out[n - 1].run == best)
            out[n - 1].last = k;
        else
            out[n++] = (cli_choice){.run = best, .first = k, .last = k};
    }
    for (int i = 0; i < n; i++) {
        out[i].second = find_second(r, out[i].run, pow(10, -out[i].last));
        if (out[i].second >= 0)
            out[i].times = r->run[out[i].second].job.out.cpu / r->run[out[i].run].job.out.cpu;
    }
    return n;
}

int cli_race_find(const cli_race *r, const char *method, int k)
{
    for (int m = 0; m < r->n_methods; m++)
        if (strcmp(r->method[m], method) == 0) return k * r->n_methods + m;
    return -1;
}

bool cli_race_failure(const cli_race *r, int run, char *out)
{
    const cli_entry *x = &r->run[run];
    const cli_job *j = &x->job;
    if (x->judged) return false;
    const size_t room = CLI_MESSAGE + 64;
    switch (j->fate) {
    case CLI_TOO_SLOW: snprintf(out, room, "ended after %.3g s: far slower than others", j->wall); break;
    case CLI_LEFT_OUT: snprintf(out, room, "not tried: it was too slow or refused before"); break;
    case CLI_FINISHED: snprintf(out, room, "its results are not numbers"); break;
    default: snprintf(out, room, "%s", j->out.message);
    }
    return true;
}

bool cli_race_same_failure(const cli_race *r, int a, int b)
{
    const cli_entry *x = &r->run[a], *y = &r->run[b];
    if (y->judged) return false;
    if (y->job.fate == CLI_LEFT_OUT) return true; // for that reason
    return x->job.fate == y->job.fate && strcmp(x->job.out.message, y->job.out.message) == 0;
}
