// One run of a study, as its job says: the model's settings with another method, tolerance and output; its rows are kept in
// memory, and what it has taken goes into an outcome without pointers.
#include "io/record.h"
#include "study/plan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_ROUNDS = 1000 };

// The numbers of the job are such as a run can have.
static hol_status check(hol_context *ctx, const hol_job *job)
{
    const char *why = !(job->tolerance >= 1e-12 && job->tolerance <= 1)
                          ? "its tolerance is not between 1e-12 and 1"
                      : !(job->seconds >= 0)                       ? "its seconds are below 0"
                      : job->rows && !(job->output >= 0)           ? "the time between its rows is below 0"
                      : !(job->search >= 1 && job->search <= 1000) ? "its search is not between 1 and 1000"
                                                                   : NULL;
    hol_status st =
        why ? hol_study_refuse(ctx, "job", why) : hol_need(ctx, __func__, "job->method", job->method);
    return st ? st : hol_study_list(ctx, "job", job->signal, job->n_signals);
}

// Runs for their time have no results on the way.
hol_status hol_job_settings(hol_context *ctx, const hol_settings *given, const hol_job *job,
                            hol_settings *set)
{
    *set = *given;
    set->request = NULL;
    hol_status st = check(ctx, job);
    const hol_method *method = st ? NULL : hol_method_find(job->method);
    if (!st && !method)
        st = hol_fail(ctx, HOL_ERR_USAGE, "there is no method \"%s\"; `holonom methods` lists them",
                      job->method);
    hol_word *signal = st ? NULL : hol_calloc(ctx, (size_t)job->n_signals + 1, sizeof *signal);
    if (!signal) return st ? st : HOL_ERR_MEMORY;
    for (int i = 0; i < job->n_signals; i++) signal[i] = (hol_word){.name = job->signal[i]};
    set->request = signal;
    set->n_requests = job->n_signals;
    set->tolerance = job->tolerance;
    set->tolerance_given = set->output_given = true;
    set->step = 0;
    set->output = job->rows ? job->output : given->end;
    set->project = job->rows && given->project;
    set->search = job->search;
    set->threads = 1; // others run beside it
    return hol_settings_take(ctx, method, set);
}

void hol_settings_drop(hol_settings *set)
{
    hol_free((void *)set->request);
    set->request = NULL;
}

static void copy(char *out, size_t size, const char *text) { snprintf(out, size, "%s", text ? text : ""); }

// What is kept of a run's statistics.
static void note(hol_outcome *out, const hol_statistics *s)
{
    out->time = s->time;
    out->steps = s->steps;
    out->rejected = s->rejected;
    out->residuals = s->residuals;
    out->jacobians = s->jacobians;
    out->factorizations = s->factorizations;
    out->newton_iterations = s->newton_iterations;
    out->energy_drift_max = s->energy_drift_max;
    out->max_position_violation = fmax(s->max_position_violation, s->max_row_violation);
    out->stiff_step = s->stiff_step;
    copy(out->stiff_cause, sizeof out->stiff_cause, s->stiff_step > 0 ? s->stiff_cause : NULL);
}

// CPU time of this thread and of those that help it [s].
static double cpu_seconds(const hol_dynamics *d)
{
    return hol_clock_seconds(CLOCK_THREAD_CPUTIME_ID) + hol_team_seconds(d->team);
}

// One run; out->cpu_seconds becomes its time if that is less. rows NULL: none are wanted.
static hol_status run_once(hol_context *ctx, const hol_model_data *m, const hol_settings *set,
                           hol_result **rows, hol_outcome *out)
{
    hol_sink sink;
    bool done = false;
    hol_dynamics *d = hol_dynamics_create(ctx, m, set, false);
    if (!d) return hol_context_status(ctx);
    hol_status st = rows ? hol_record_open(ctx, d, &sink, rows) : HOL_OK;
    if (rows && !st) st = hol_dynamics_add_sink(d, &sink);
    const double start = cpu_seconds(d);
    while (!st && !done) {
        hol_context_clear(ctx);
        st = hol_dynamics_step(d, &done);
    }
    st = hol_dynamics_finish(d, st);
    const double cpu = cpu_seconds(d) - start;
    if (out->rounds++ == 0 || cpu < out->cpu_seconds) out->cpu_seconds = cpu;
    note(out, &d->stats);
    hol_dynamics_destroy(d);
    return st;
}

hol_result *hol_job_make(hol_context *ctx, const hol_model_data *m, const hol_settings *given,
                         const hol_job *job, hol_outcome *out)
{
    hol_settings set;
    hol_result *rows = NULL;
    memset(out, 0, sizeof *out);
    hol_status st = hol_job_settings(ctx, given, job, &set);
    const double start = hol_clock_seconds(CLOCK_MONOTONIC);
    if (!st) st = run_once(ctx, m, &set, job->rows ? &rows : NULL, out);
    while (!st && !job->rows && out->rounds < MOST_ROUNDS &&
           hol_clock_seconds(CLOCK_MONOTONIC) - start < job->seconds)
        st = run_once(ctx, m, &set, NULL, out);
    hol_settings_drop(&set);
    out->status = st;
    copy(out->message, sizeof out->message, st ? hol_context_error(ctx) : NULL);
    if (!st) return rows;
    hol_result_destroy(rows);
    return NULL;
}
