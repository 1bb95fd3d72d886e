// Runs side by side by an executor: which one is begun when, how long each may take, and what became of it.
#include "analysis/dynamics.h"
#include "io/number_text.h"
#include "io/result.h"
#include "study/plan.h"

#include <math.h>
#include <string.h>

#define LOOK 0.05 // time between looks at the clock [s]

const char *hol_fate_word(int fate)
{
    static const char *const word[] = {"finished", "refused", "stopped", "too slow", "died", "left out"};
    return fate >= 0 && fate < HOL_FATES ? word[fate] : NULL;
}

void hol_run_name(const hol_run *run, char *text, size_t size)
{
    if (text && size) *text = 0;
    if (run && text && size) hol_decimal_print(text, size, "%s at %.0e", run->method, run->tolerance);
}

// ---- results --------------------------------------------------------------------------------------------------

// The notes of the head, with the method and the tolerance of this run. Texts stay those of the plan.
static hol_status make_notes(const hol_task *task, hol_result *out)
{
    const hol_plan *p = task->plan;
    const size_t n = (size_t)p->like->n_notes;
    char number[32];
    hol_number_text(task->job.tolerance, number);
    const char *tolerance = hol_arena_copy(p->arena, number, strlen(number));
    out->key = hol_calloc(p->ctx, n, sizeof *out->key);
    out->text = hol_calloc(p->ctx, n, sizeof *out->text);
    if (!tolerance || !out->key || !out->text) return HOL_ERR_MEMORY;
    for (size_t i = 0; i < n; i++) {
        out->key[i] = p->like->key[i];
        out->text[i] = strcmp(out->key[i], "method") == 0      ? task->run->method
                       : strcmp(out->key[i], "tolerance") == 0 ? tolerance
                                                               : p->like->text[i];
    }
    return HOL_OK;
}

// A copy of the rows as a result, whose names are those of the plan.
static hol_status take_rows(hol_task *task, const double *value, size_t n_rows)
{
    const hol_plan *p = task->plan;
    const size_t n = n_rows * (size_t)p->job.n_columns;
    hol_result_data *out = hol_calloc(p->ctx, 1, sizeof *out);
    if (!out) return HOL_ERR_MEMORY;
    out->r = *p->like;
    out->r.key = out->r.text = NULL;
    out->r.n_rows = n_rows;
    out->r.value = hol_calloc(p->ctx, n, sizeof *out->r.value);
    const hol_status st = out->r.value ? make_notes(task, &out->r) : HOL_ERR_MEMORY;
    task->rows = &out->r;
    if (!st) memcpy(out->r.value, value, n * sizeof *value);
    return st;
}

// ---- the end of a run -----------------------------------------------------------------------------------------

// It is over: whoever wants to know is told.
static void end(hol_task *task, hol_fate fate)
{
    hol_plan *p = task->plan;
    task->state = HOL_TASK_OVER;
    task->run->fate = fate;
    if (p->ended && !p->status) p->status = p->ended(p->user, task);
    hol_result_destroy(task->rows); // nobody has taken them
    task->rows = NULL;
    if (task->job.seconds > 0) return; // made again for its time
    p->done++;
    if (p->o->ended) p->o->ended(p->o->user, task->run, p->done, p->wanted);
}

// The wall clock, and whether it was too slow: told to stop, or late between two looks.
static bool was_slow(hol_task *task)
{
    hol_run *run = task->run;
    run->wall_seconds = hol_clock_seconds(CLOCK_MONOTONIC) - task->begun;
    return task->stopped || run->wall_seconds > task->plan->patience;
}

// What an executor says that no run can have, in words; NULL: nothing. The last row of a run is at its end.
static const char *wrong(const hol_job *job, const hol_outcome *out, const double *value, size_t n_rows)
{
    if (!out) return "its outcome is missing";
    if (out->status || !job->rows) return NULL;
    if (!value || !n_rows) return "its rows are missing";
    const size_t n = (size_t)job->n_columns;
    if (!hol_all_finite(value, n_rows * n)) return "a value in its rows is not a finite number";
    if (fabs(value[(n_rows - 1) * n] - out->time) > 1e-9 * fabs(out->time))
        return "its rows end before it does";
    for (size_t i = 1; i < n_rows; i++)
        if (value[i * n] < value[(i - 1) * n]) return "the times of its rows go back";
    return NULL;
}

void hol_job_ended(hol_job *job, const hol_outcome *out, const double *value, size_t n_rows)
{
    hol_task *task = (hol_task *)job;
    if (!job || task->state != HOL_TASK_RUNS) return;
    const char *why = wrong(job, out, value, n_rows);
    if (why) {
        hol_job_lost(job, why);
        return;
    }
    const bool slow = was_slow(task), finished = !slow && !out->status;
    task->run->out = *out;
    if (finished && job->rows) {
        const hol_status st = take_rows(task, value, n_rows);
        if (st && !task->plan->status) task->plan->status = st;
    }
    end(task, slow                           ? HOL_RUN_TOO_SLOW
              : finished                     ? HOL_RUN_FINISHED
              : out->status == HOL_ERR_USAGE ? HOL_RUN_REFUSED
                                             : HOL_RUN_STOPPED);
}

void hol_job_lost(hol_job *job, const char *why)
{
    hol_task *task = (hol_task *)job;
    if (!job || task->state != HOL_TASK_RUNS) return;
    hol_outcome *out = &task->run->out;
    hol_decimal_print(out->message, sizeof out->message, "the run died: %s",
                      why ? why : "no reason is known");
    end(task, was_slow(task) ? HOL_RUN_TOO_SLOW : HOL_RUN_DIED);
}

// ---- the run of all -------------------------------------------------------------------------------------------

static int count(const hol_task *task, int n, int state)
{
    int found = 0;
    for (int i = 0; i < n; i++) found += (int)task[i].state == state;
    return found;
}

// Begins what waits while there is room.
static hol_status fill(hol_plan *p, hol_task *task, int n)
{
    int running = count(task, n, HOL_TASK_RUNS);
    for (int i = 0; i < n && running < p->jobs && !p->status; i++) {
        if (task[i].state != HOL_TASK_WAITS) continue;
        if (!(p->limit(p->user, &task[i]) > 0)) {
            end(&task[i], HOL_RUN_LEFT_OUT);
            continue;
        }
        task[i].begun = hol_clock_seconds(CLOCK_MONOTONIC);
        const char *why = p->by.start(p->by.user, &task[i].job);
        if (why) return hol_fail(p->ctx, HOL_ERR_IO, "a run cannot be started: %s", why);
        task[i].state = HOL_TASK_RUNS;
        running++;
    }
    return p->status;
}

// Waits for news, and tells those whose time is over to stop. all: every one.
static void look(hol_plan *p, hol_task *task, int n, bool all)
{
    for (int i = 0; i < n; i++) {
        if (task[i].state != HOL_TASK_RUNS || task[i].stopped) continue;
        const double taken = hol_clock_seconds(CLOCK_MONOTONIC) - task[i].begun;
        if (!all && taken <= p->limit(p->user, &task[i])) continue;
        task[i].stopped = true;
        p->by.stop(p->by.user, &task[i].job);
    }
    if (count(task, n, HOL_TASK_RUNS)) p->by.wait(p->by.user, LOOK);
}

hol_status hol_plan_run(hol_plan *p, hol_task *task, int n)
{
    hol_status st = HOL_OK;
    while (!st && count(task, n, HOL_TASK_OVER) < n) {
        st = hol_check_cancelled(p->ctx, "interrupted");
        if (!st) st = fill(p, task, n);
        if (!st) look(p, task, n, false);
    }
    while (count(task, n, HOL_TASK_RUNS)) look(p, task, n, true);
    return st ? st : p->status;
}
