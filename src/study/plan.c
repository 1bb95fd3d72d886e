// What races and certificates have in common before anything runs: their options, one look at the model, and what all runs
// share: signals, times of results, names of columns.
#include "study/plan.h"
#include "analysis/check.h"
#include "base/team.h"
#include "io/record.h"

#include <math.h>
#include <string.h>

enum { TIMES = 200, MOST_SIGNALS = 300, MOST_JOBS = 64 };
#define PATIENCE 120.0 // [s]

// ---- options --------------------------------------------------------------------------------------------------

hol_status hol_study_refuse(hol_context *ctx, const char *field, const char *why)
{
    return hol_fail(ctx, HOL_ERR_USAGE, "%s: %s", field, why);
}

hol_status hol_study_list(hol_context *ctx, const char *field, const char *const *list, int n)
{
    if (n < 0 || (n > 0 && !list))
        return hol_study_refuse(ctx, field, "a list and how long it is are wanted");
    for (int i = 0; i < n; i++)
        if (!list[i]) return hol_study_refuse(ctx, field, "one of them is NULL");
    return HOL_OK;
}

static hol_status check_study(hol_context *ctx, const hol_study *o)
{
    const hol_executor *e = o->executor;
    if (o->jobs < 0 || o->jobs > MOST_JOBS)
        return hol_study_refuse(ctx, "jobs", "a number of runs at a time is wanted, 1 to 64");
    if (!(o->patience >= 0)) return hol_study_refuse(ctx, "patience", "a time in seconds is wanted, above 0");
    if (e && (!e->start || !e->wait || !e->stop))
        return hol_study_refuse(ctx, "executor", "one of its functions is NULL");
    return hol_study_list(ctx, "signals", o->signal, o->n_signals);
}

// ---- the model ------------------------------------------------------------------------------------------------

// Is it set by an override, as `simulate.output=`?
static bool is_set(const hol_model_data *m, const char *path)
{
    const hol_spec *spec = m->spec;
    for (int i = 0; i < spec->n_overrides; i++)
        if (strncmp(spec->override[i], path, strlen(path)) == 0) return true;
    return false;
}

// All poses are asked for; of too many some, evenly.
static hol_status choose_signals(hol_plan *p)
{
    hol_result *r = p->like;
    const int n = r->n_columns - 1, every = (n + MOST_SIGNALS - 1) / MOST_SIGNALS;
    if (every <= 1) return HOL_OK;
    const char **name = hol_arena_alloc(p->arena, MOST_SIGNALS, sizeof *name);
    if (!name) return HOL_ERR_MEMORY;
    r->n_columns = 1;
    for (int i = 1; i <= n; i += every, r->n_columns++) {
        r->unit[r->n_columns] = r->unit[i];
        name[r->n_columns - 1] = r->name[r->n_columns] = r->name[i];
    }
    p->job.signal = name;
    p->job.n_signals = r->n_columns - 1;
    return HOL_OK;
}

// What is known at the start; the head of all results is that of this one, whose sink is never used.
static hol_status look(hol_plan *p, const hol_dynamics *d)
{
    hol_sink sink;
    p->bodies = p->m->n_bodies;
    p->freedom = d->m->nq - d->rank.independent;
    p->states = d->m->n_states;
    p->undecided = d->stats.undecided;
    p->end = d->set.end;
    p->n_all = d->signals.n;
    if (p->freedom + p->states == 0)
        return hol_fail(p->ctx, HOL_ERR_USAGE,
                        "%s: no degree of freedom and no state: joints and drivers alone give the motion, "
                        "nothing is integrated",
                        p->m->spec->file);
    if (!p->n_all)
        return hol_study_refuse(p->ctx, "signals", "there are no bodies: name what is to be judged");
    hol_status st = hol_record_open(p->ctx, d, &sink, &p->like);
    if (!st && !p->o->n_signals) st = choose_signals(p);
    if (st) return st;
    p->job.n_columns = p->like->n_columns;
    p->n_signals = p->like->n_columns - 1;
    return HOL_OK;
}

// Starts the model once, with the method that takes every model.
hol_status hol_plan_look(hol_plan *p)
{
    static const char *const poses[] = {"poses"};
    hol_settings set;
    p->job = (hol_job){.method = hol_methods[0]->name,
                       .tolerance = 0.1, // it is but started
                       .search = p->set->search,
                       .signal = p->o->n_signals ? p->o->signal : poses,
                       .n_signals = p->o->n_signals ? p->o->n_signals : 1};
    hol_status st = hol_job_settings(p->ctx, p->set, &p->job, &set);
    hol_dynamics *d = st ? NULL : hol_dynamics_create(p->ctx, p->m, &set, false);
    if (!st) st = d ? look(p, d) : hol_context_status(p->ctx);
    hol_dynamics_destroy(d);
    hol_settings_drop(&set);
    p->job.output = is_set(p->m, "simulate.output=") ? p->set->output : p->end / TIMES;
    return st;
}

hol_status hol_plan_start(hol_context *ctx, const hol_model_data *m, const hol_settings *set,
                          const hol_study *study, hol_plan *p)
{
    memset(p, 0, sizeof *p);
    p->ctx = ctx;
    p->m = m;
    p->set = set;
    p->o = study;
    p->jobs = study->jobs > 0 ? study->jobs : (int)fmin(MOST_JOBS, hol_team_processors());
    p->patience = study->patience > 0 ? study->patience : PATIENCE;
    const hol_status st = check_study(ctx, study);
    if (st) return st;
    if (study->executor)
        p->by = *study->executor;
    else if (!(p->threads = hol_threads_create(ctx, m, set, &p->by)))
        return HOL_ERR_MEMORY;
    p->arena = hol_arena_create(ctx);
    return p->arena ? HOL_OK : HOL_ERR_MEMORY;
}

void hol_plan_free(hol_plan *p)
{
    for (int i = 0; i < HOL_REFERENCE_RUNS; i++) hol_result_destroy(p->kept[i]);
    hol_result_destroy(p->like);
    hol_threads_destroy(p->threads);
    hol_arena_destroy(p->arena);
}

hol_task hol_plan_task(hol_plan *p, const char *method, double tolerance, bool rows, hol_run *run)
{
    *run = (hol_run){.method = method, .tolerance = tolerance};
    hol_task task = {.job = p->job, .plan = p, .run = run};
    task.job.method = method;
    task.job.tolerance = tolerance;
    task.job.rows = rows;
    return task;
}

int hol_plan_kinks(hol_plan *p)
{
    hol_check *check = hol_check_model(p->ctx, p->m, p->set);
    const int kinks = check ? check->kinks : 0;
    hol_check_free(check);
    hol_context_clear(p->ctx);
    return kinks;
}
