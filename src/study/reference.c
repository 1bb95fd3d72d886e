// A reference by two methods of different families, whose tolerances fall until both agree; their difference is what
// the reference is known to. docs/theory.md, section 16.1.
#include "study/accuracy.h"
#include "study/plan.h"

#include <math.h>
#include <string.h>

#define FIRST 1e-8 // tolerance of the first runs
#define FALLBACK 1e-7
#define TIGHTEN 1e-2
#define BETWEEN 10 // times a tolerance at which rounding stops a method
#define WORSE                                                                                                \
    0.3 // by so many decades a tighter pair may agree worse; of two that are lost it is so for longer
#define LAST 1e-12   // the smallest tolerance there is
#define PATIENCE 5.0 // how much longer than the second one the others may take

enum { FIRST_RUNS = 4, RUNS = HOL_REFERENCE_RUNS };

typedef struct {
    int n;
    const char *name[FIRST_RUNS];
} methods;

// HOL_SUITS_REFERENCE: those for references; HOL_SUITS_LAST: where these do not go.
static methods methods_for(unsigned what)
{
    methods found = {0};
    for (int i = 0; hol_methods[i] && found.n < FIRST_RUNS; i++)
        if (hol_methods[i]->suits & what) found.name[found.n++] = hol_methods[i]->name;
    return found;
}

static bool same(const char *a, const char *b) { return strcmp(a, b) == 0; }

static const char *family(const hol_run *run) { return hol_method_find(run->method)->family; }

typedef struct {
    hol_plan *p;
    hol_reference *r;
    hol_run *run; // of r
    double least;
    double second; // wall time of the second run that reached its end; infinite: not yet [s]
    int finished;
} search;

static double limit(void *user, const hol_task *task)
{
    const search *s = user;
    (void)task;
    return fmin(s->p->patience, fmax(1, PATIENCE * s->second));
}

// Its rows are kept, by the place of the run.
static hol_status ended(void *user, hol_task *task)
{
    search *s = user;
    s->p->kept[task->run - s->run] = task->rows;
    task->rows = NULL;
    if (task->run->fate == HOL_RUN_FINISHED && ++s->finished == 2) s->second = task->run->wall_seconds;
    return HOL_OK;
}

// Why a run has not reached its end; NULL: it has.
static const char *failure_of(const hol_run *run)
{
    return run->fate == HOL_RUN_FINISHED   ? NULL
           : run->fate == HOL_RUN_TOO_SLOW ? "took too long (--patience)"
                                           : run->out.message;
}

// Runs methods at one tolerance at the same time; far slower ones than the second are ended.
static hol_status race(search *s, const char *const *method, int n, double tolerance)
{
    hol_task task[FIRST_RUNS];
    hol_reference *r = s->r;
    hol_run *run = s->run + r->n_runs;
    s->second = HUGE_VAL;
    s->finished = 0;
    for (int i = 0; i < n; i++) task[i] = hol_plan_task(s->p, method[i], tolerance, true, &run[i]);
    r->n_runs += n;
    s->p->limit = limit;
    s->p->ended = ended;
    s->p->user = s;
    const hol_status st = hol_plan_run(s->p, task, n);
    for (int i = 0; i < n; i++) run[i].failed = failure_of(&run[i]);
    return st;
}

static bool is_finished(const hol_run *run) { return run->fate == HOL_RUN_FINISHED; }

// What a run took, counted: the same in every run, other than its time. The evaluations of rk cost a tenth of the others',
// which iterate.
static double work(const hol_run *run)
{
    const double count = (double)(run->out.residuals + run->out.jacobians + run->out.factorizations);
    return same(run->method, "rk") ? 0.1 * count : count;
}

// The two of different families with the least work.
static bool choose_pair(const search *s, const hol_run *pair[2])
{
    const hol_run *end = s->run + s->r->n_runs;
    pair[0] = pair[1] = NULL;
    for (const hol_run *run = s->run; run < end; run++)
        if (is_finished(run) && (!pair[0] || work(run) < work(pair[0]))) pair[0] = run;
    for (const hol_run *run = s->run; run < end && pair[0]; run++) {
        if (!is_finished(run) || same(family(run), family(pair[0]))) continue;
        if (!pair[1] || work(run) < work(pair[1])) pair[1] = run;
    }
    return pair[1];
}

// How well two runs agree, over all signals: the mean of the logarithms, so that one that cannot be had does not decide.
static double quality(const hol_reference *r)
{
    double sum = 0;
    for (int i = 0; i < r->n_signals; i++)
        if (!r->signal[i].zero) sum += log10(fmax(r->apart.signal[i].max, 1e-16));
    return r->n_signals && isfinite(sum) ? sum / r->n_signals : HUGE_VAL;
}

// The pair, if it agrees better than the one there is, or worse by `slack` decades at most.
static hol_status take(search *s, const hol_run *const pair[2], double slack)
{
    hol_reference *r = s->r, new = *r;
    hol_arena *arena = s->p->arena;
    const hol_arena_mark mark = hol_arena_here(arena);
    for (int k = 0; k < 2; k++) {
        new.pair[k] = (int)(pair[k] - s->run);
        new.result[k] = s->p->kept[new.pair[k]];
    }
    new.n_signals = new.result[0]->n_columns - 1;
    new.signal = hol_judge_scale(arena, new.result[0], new.result[1], s->least);
    if (!new.signal) return HOL_ERR_MEMORY;
    const hol_status st =
        hol_judge_errors(s->p->ctx, arena, new.signal, new.result[1], new.result[0], &new.apart);
    if (!st && (r->pair[0] < 0 || quality(&new) < quality(r) + slack))
        *r = new;
    else
        hol_arena_release(arena, mark);
    return st;
}

// Both methods of the pair with the tolerance t, one that stops there with BETWEEN t. A run that reaches the end takes the
// place of the one before. changed: one of them did.
static hol_status tighten(search *s, double t, const hol_run *pair[2], bool *changed)
{
    const char *const name[2] = {pair[0]->method, pair[1]->method};
    const hol_run *next = s->run + s->r->n_runs;
    hol_status st = race(s, name, 2, t);
    for (int i = 0; i < 2 && !st; i++) {
        const hol_run *run = &next[i];
        if (run->fate == HOL_RUN_STOPPED && BETWEEN * t < 0.9 * pair[i]->tolerance) {
            run = s->run + s->r->n_runs;
            st = race(s, &name[i], 1, BETWEEN * t);
        }
        if (st || !is_finished(run)) continue;
        pair[i] = run;
        *changed = true;
    }
    return st;
}

// Is it one of the two tightest of its method that came to their end?
static bool is_tight(const hol_reference *r, const hol_run *run)
{
    int tighter = 0;
    for (int i = 0; i < r->n_runs; i++)
        tighter += is_finished(&r->run[i]) && same(r->run[i].method, run->method) &&
                   r->run[i].tolerance < 0.9 * run->tolerance;
    return is_finished(run) && tighter < 2;
}

// Of all runs made, the two of different families that agree best.
static hol_status take_best(search *s)
{
    const hol_reference *r = s->r;
    hol_status st = HOL_OK;
    for (int i = 0; i < r->n_runs && !st; i++)
        for (int k = 0; k < i && !st; k++) {
            const bool swap = r->run[i].tolerance < r->run[k].tolerance;
            const hol_run *const pair[2] = {&r->run[swap ? i : k], &r->run[swap ? k : i]};
            const bool apart = !same(family(pair[0]), family(pair[1]));
            if (apart && is_tight(r, pair[0]) && is_tight(r, pair[1])) st = take(s, pair, 0);
        }
    return st;
}

// Before it is said that no two agree better: the methods that were left aside for their work, with smaller tolerances too.
static hol_status try_others(search *s, const hol_run *const pair[2])
{
    const methods first = methods_for(HOL_SUITS_REFERENCE);
    const char *name[2];
    int n = 0;
    hol_status st = HOL_OK;
    for (int i = 0; i < first.n && n < 2; i++) { // the first runs are theirs
        const char *own = first.name[i];
        const bool paired = same(own, pair[0]->method) || same(own, pair[1]->method);
        if (!paired && is_finished(&s->run[i])) name[n++] = own;
    }
    for (double t = FIRST * TIGHTEN; t > 0.9 * LAST && !st && n; t *= TIGHTEN) {
        const hol_run *run = s->run + s->r->n_runs;
        int left = 0;
        st = race(s, name, n, t);
        for (int i = 0; i < n && !st; i++)
            if (is_finished(&run[i])) name[left++] = name[i];
        n = left;
    }
    return st;
}

// The pair with the least work, then smaller tolerances of it until both agree, then, if that is wanted, all other pairs.
static hol_status refine(search *s, const hol_run *pair[2], double goal, bool thorough)
{
    const hol_run_errors *apart = &s->r->apart;
    hol_status st = take(s, pair, WORSE);
    for (double t = FIRST * TIGHTEN; !st && t > 0.9 * LAST && apart->max > goal; t *= TIGHTEN) {
        bool changed = false;
        st = tighten(s, t, pair, &changed);
        if (!st && changed) st = take(s, pair, WORSE);
    }
    if (st || !thorough || apart->max <= goal) return st;
    st = take_best(s);
    if (!st && apart->max > goal) st = try_others(s, pair);
    return !st && apart->max > goal ? take_best(s) : st;
}

hol_status hol_reference_find(hol_plan *p, double goal, double least, bool thorough, hol_reference *r)
{
    const methods first = methods_for(HOL_SUITS_REFERENCE), last = methods_for(HOL_SUITS_LAST);
    const hol_run *pair[2];
    search s = {.p = p, .r = r, .run = hol_arena_alloc(p->arena, RUNS, sizeof *s.run), .least = least};
    *r = (hol_reference){.run = s.run, .pair = {-1, -1}};
    if (!s.run) return HOL_ERR_MEMORY;
    hol_status st = race(&s, first.name, first.n, FIRST);
    bool found = !st && choose_pair(&s, pair);
    if (!st && !found) {
        st = race(&s, last.name, last.n, FALLBACK);
        found = !st && choose_pair(&s, pair);
    }
    return found ? refine(&s, pair, goal, thorough) : st;
}
