// A reference by two methods of different families, whose tolerances fall until both agree; their difference is what
// the reference is known to. docs/theory.md, section 16.1.
#include "cli/plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST 1e-8 // tolerance of the first runs
#define FALLBACK 1e-7
#define TIGHTEN 1e-2
#define BETWEEN 10 // times a tolerance at which rounding stops a method
#define WORSE                                                                                                \
    0.3 // by so many decades a tighter pair may agree worse; of two that are lost it is so for longer
#define LAST 1e-12   // the smallest tolerance there is
#define PATIENCE 5.0 // how much longer than the second one the others may take

typedef struct {
    int n;
    const char *name[CLI_FIRST_OF_REFERENCE];
} methods;

// Those for references, or (2) those where these do not go.
static methods methods_for(int reference)
{
    methods found = {0};
    hol_method_info m;
    for (int i = 0; hol_method_list(i, &m) && found.n < CLI_FIRST_OF_REFERENCE; i++)
        if (m.reference == reference) found.name[found.n++] = m.name;
    return found;
}

void cli_job_name(const cli_job *job, char *out)
{
    snprintf(out, 64, "%s at %.0e", job->method, job->tolerance);
}

static const char *family(const char *method)
{
    hol_method_info m;
    for (int i = 0; hol_method_list(i, &m); i++)
        if (strcmp(m.name, method) == 0) return m.family;
    return "";
}

typedef struct {
    cli_plan *p;
    cli_reference *r;
    double second; // wall time of the second run that reached its end; infinite: not yet [s]
    int finished;
} search;

static double limit(void *user, const cli_job *job)
{
    const search *s = user;
    (void)job;
    return fmin(s->p->pool.patience, fmax(1, PATIENCE * s->second));
}

static void ended(void *user, const cli_job *job)
{
    search *s = user;
    if (job->fate == CLI_FINISHED && ++s->finished == 2) s->second = job->wall;
}

// Runs methods at one tolerance at the same time; far slower ones than the second are ended.
static int race(search *s, const char *const *method, int n, double tolerance)
{
    cli_reference *r = s->r;
    cli_job *from = r->job + r->n_jobs;
    s->second = HUGE_VAL;
    s->finished = 0;
    for (int i = 0; i < n; i++) r->job[r->n_jobs++] = cli_plan_job(s->p, method[i], tolerance, true);
    s->p->pool.limit = limit;
    s->p->pool.ended = ended;
    s->p->pool.user = s;
    return cli_pool_run(&s->p->pool, from, n);
}

// What a run took, counted: the same in every run, other than its time. The evaluations of rk cost a tenth of the others',
// which iterate.
static double work(const cli_job *j)
{
    const double count = (double)(j->out.residuals + j->out.jacobians + j->out.factorizations);
    return strcmp(j->method, "rk") == 0 ? 0.1 * count : count;
}

// The two of different families with the least work.
static bool choose_pair(const cli_reference *r, const cli_job *pair[2])
{
    pair[0] = pair[1] = NULL;
    for (int i = 0; i < r->n_jobs; i++) {
        const cli_job *j = &r->job[i];
        if (j->fate == CLI_FINISHED && (!pair[0] || work(j) < work(pair[0]))) pair[0] = j;
    }
    for (int i = 0; i < r->n_jobs && pair[0]; i++) {
        const cli_job *j = &r->job[i];
        if (j->fate != CLI_FINISHED || strcmp(family(j->method), family(pair[0]->method)) == 0) continue;
        if (!pair[1] || work(j) < work(pair[1])) pair[1] = j;
    }
    return pair[1];
}

// How well two runs agree, over all signals: the mean of the logarithms, so that one that cannot be had does not decide.
static double quality(const cli_reference *r)
{
    double sum = 0;
    for (int i = 0; i < r->scale.n; i++)
        if (!r->scale.signal[i].zero) sum += log10(fmax(r->apart.signal[i].max, 1e-16));
    return r->scale.n && isfinite(sum) ? sum / r->scale.n : HUGE_VAL;
}

// The pair, if it agrees better than the one there is, or worse by `slack` decades at most.
static hol_status take(cli_plan *p, cli_reference *r, const cli_job *const pair[2], double least,
                       double slack)
{
    cli_reference new = {.run = {pair[0], pair[1]}};
    hol_status st = HOL_OK;
    for (int k = 0; k < 2 && !st; k++)
        if (!(new.result[k] = cli_plan_read(p, pair[k]))) st = hol_context_status(p->ctx);
    if (!st && !cli_scale_make(new.result[0], new.result[1], least, &new.scale)) st = HOL_ERR_MEMORY;
    if (!st) st = cli_accuracy_find(p->ctx, &new.scale, new.result[1], new.result[0], &new.apart);
    if (st || (r->run[0] && !(quality(&new) < quality(r) + slack))) {
        cli_reference_free(&new);
        return st;
    }
    cli_reference_free(r);
    for (int k = 0; k < 2; k++) {
        r->run[k] = new.run[k];
        r->result[k] = new.result[k];
    }
    r->scale = new.scale;
    r->apart = new.apart;
    return HOL_OK;
}

// The message when no two methods reach the end, with what became of each.
static int no_pair(const cli_plan *p, const cli_reference *r)
{
    fprintf(
        stderr,
        "holonom: error: %s: no reference: two methods of different families must reach the end at a tight "
        "tolerance\n",
        p->o->model);
    for (int i = 0; i < r->n_jobs; i++) {
        const cli_job *j = &r->job[i];
        char name[64];
        cli_job_name(j, name);
        fprintf(stderr, "  %s: %s\n", name,
                j->fate == CLI_FINISHED   ? "reached the end"
                : j->fate == CLI_TOO_SLOW ? "took too long (--patience)"
                                          : j->out.message);
    }
    return 5;
}

// Both methods of the pair with the tolerance t, one that stops there with BETWEEN t. A run that reaches the end takes the
// place of the one before. changed: one of them did.
static int tighten(search *s, double t, const cli_job *pair[2], bool *changed)
{
    const char *const name[2] = {pair[0]->method, pair[1]->method};
    const cli_job *next = s->r->job + s->r->n_jobs;
    int code = race(s, name, 2, t);
    for (int i = 0; i < 2 && !code; i++) {
        const cli_job *run = &next[i];
        if (run->fate == CLI_STOPPED && BETWEEN * t < 0.9 * pair[i]->tolerance) {
            run = s->r->job + s->r->n_jobs;
            code = race(s, &name[i], 1, BETWEEN * t);
        }
        if (code || run->fate != CLI_FINISHED) continue;
        pair[i] = run;
        *changed = true;
    }
    return code;
}

// Is it one of the two tightest of its method that came to their end?
static bool is_tight(const cli_reference *r, const cli_job *j)
{
    int tighter = 0;
    for (int i = 0; i < r->n_jobs; i++)
        tighter += r->job[i].fate == CLI_FINISHED && strcmp(r->job[i].method, j->method) == 0 &&
                   r->job[i].tolerance < 0.9 * j->tolerance;
    return j->fate == CLI_FINISHED && tighter < 2;
}

// Of all runs made, the two of different families that agree best.
static hol_status take_best(cli_plan *p, cli_reference *r, double least)
{
    hol_status st = HOL_OK;
    for (int i = 0; i < r->n_jobs && !st; i++)
        for (int k = 0; k < i && !st; k++) {
            const bool swap = r->job[i].tolerance < r->job[k].tolerance;
            const cli_job *const pair[2] = {&r->job[swap ? i : k], &r->job[swap ? k : i]};
            const bool apart = strcmp(family(pair[0]->method), family(pair[1]->method)) != 0;
            if (apart && is_tight(r, pair[0]) && is_tight(r, pair[1])) st = take(p, r, pair, least, 0);
        }
    return st;
}

// Before it is said that no two agree better: the methods that were left aside for their work, with smaller tolerances too.
static int try_others(search *s, const cli_job *const pair[2])
{
    cli_reference *r = s->r;
    const methods first = methods_for(1);
    const char *name[2];
    int n = 0, code = 0;
    for (int i = 0; i < first.n && n < 2; i++) { // the first runs are theirs
        const char *own = first.name[i];
        const bool paired = strcmp(own, pair[0]->method) == 0 || strcmp(own, pair[1]->method) == 0;
        if (!paired && r->job[i].fate == CLI_FINISHED) name[n++] = own;
    }
    for (double t = FIRST * TIGHTEN; t > 0.9 * LAST && !code && n; t *= TIGHTEN) {
        const int from = r->n_jobs;
        int left = 0;
        code = race(s, name, n, t);
        for (int i = 0; i < n && !code; i++)
            if (r->job[from + i].fate == CLI_FINISHED) name[left++] = name[i];
        n = left;
    }
    return code;
}

int cli_reference_find(cli_plan *p, double goal, double least, bool thorough, cli_reference *r)
{
    const methods first = methods_for(1), last = methods_for(2);
    const cli_job *pair[2];
    search s = {p, r, HUGE_VAL, 0};
    memset(r, 0, sizeof *r);
    int code = race(&s, first.name, first.n, FIRST);
    bool found = !code && choose_pair(r, pair);
    if (!code && !found) {
        code = race(&s, last.name, last.n, FALLBACK);
        found = !code && choose_pair(r, pair);
    }
    if (!code && !found) code = no_pair(p, r);
    hol_status st = code ? HOL_OK : take(p, r, pair, least, WORSE);
    for (double t = FIRST * TIGHTEN; !code && !st && t > 0.9 * LAST && r->apart.max > goal; t *= TIGHTEN) {
        bool changed = false;
        code = tighten(&s, t, pair, &changed);
        if (!code && changed) st = take(p, r, pair, least, WORSE);
    }
    if (!code && !st && thorough && r->apart.max > goal) {
        st = take_best(p, r, least);
        if (!st && r->apart.max > goal) code = try_others(&s, pair);
        if (!code && !st && r->apart.max > goal) st = take_best(p, r, least);
    }
    return code ? code : st ? cli_fail(p->ctx, st) : 0;
}

void cli_reference_free(cli_reference *r)
{
    for (int i = 0; i < 2; i++) {
        hol_result_destroy(r->result[i]);
        r->result[i] = NULL;
        r->run[i] = NULL;
    }
    cli_scale_free(&r->scale);
    cli_accuracy_free(&r->apart);
}
