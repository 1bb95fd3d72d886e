// What races and certificates have in common: the model and the settings of its runs, signals that are judged, results at the same
// times for every run, runs side by side by an executor, and a reference by two methods of different families.
#ifndef HOL_PLAN_H
#define HOL_PLAN_H

#include "analysis/settings.h"
#include "holonom_compare.h"

typedef struct hol_plan hol_plan;

// A run on its way.
typedef struct hol_task {
    hol_job job; // first: what the executor has
    hol_plan *plan;
    hol_run *run;
    hol_result *
        rows; // of a run that has finished and was asked for them, while `ended` is called, which may take them
    enum { HOL_TASK_WAITS, HOL_TASK_RUNS, HOL_TASK_OVER } state;
    double begun; // on the clock [s]
    bool stopped; // it was told to stop
} hol_task;

enum { HOL_REFERENCE_RUNS = 20 };

struct hol_plan {
    hol_context *ctx;
    const hol_model_data *m;
    const hol_settings *set; // the model's
    const hol_study *o;
    hol_arena *arena; // of everything that is handed out
    hol_job job;      // what is common to all
    hol_executor by;
    struct hol_threads *threads; // of it; NULL: it is the caller's
    int jobs;
    double patience;
    hol_result *like;                     // names, units and notes of all results, without rows
    hol_result *kept[HOL_REFERENCE_RUNS]; // rows of the runs of the reference; NULL: it has none
    int bodies, freedom, states;          // degrees of freedom; users' states
    int undecided;                        // functions of time that may jump at unknown times
    int n_signals, n_all;                 // judged, and there without a choice
    double end;                           // [s]
    int done, wanted;                     // runs, for hol_study.ended
    // Seconds of the wall clock that a task may take, asked for again and again while it runs; 0 or less: it is not begun.
    double (*limit)(void *user, const hol_task *task);
    hol_status (*ended)(void *user, hol_task *task); // NULL: nobody wants to know
    void *user;
    hol_status status; // of what a task handed in
};

// "FIELD: why" into the context, with HOL_ERR_USAGE: an option that cannot be.
hol_status hol_study_refuse(hol_context *ctx, const char *field, const char *why);
// Words of a list; each is there. field: whose.
hol_status hol_study_list(hol_context *ctx, const char *field, const char *const *list, int n);

// Takes the options, and then looks at the model, so that what can be wrong with both is told before anything runs. What they make is freed by
// hol_plan_free, also after a failure.
hol_status hol_plan_start(hol_context *ctx, const hol_model_data *m, const hol_settings *set,
                          const hol_study *study, hol_plan *out);
hol_status hol_plan_look(hol_plan *p);
void hol_plan_free(hol_plan *p);
// A task that waits. rows: its rows are wanted.
hol_task hol_plan_task(hol_plan *p, const char *method, double tolerance, bool rows, hol_run *run);
// All that wait, in their order. HOL_ERR_CANCELLED, or the first error of `ended` and `start`; nothing runs any more in any case.
hol_status hol_plan_run(hol_plan *p, hol_task *task, int n);
// Functions of the model with a jump in the derivative. It looks at the whole model, so it is asked where that matters only.
int hol_plan_kinks(hol_plan *p);

// The settings of the run that a job says; hol_settings_drop frees what they hold, also after a failure.
hol_status hol_job_settings(hol_context *ctx, const hol_settings *given, const hol_job *job,
                            hol_settings *set);
void hol_settings_drop(hol_settings *set);
// See hol_job_run.
hol_result *hol_job_make(hol_context *ctx, const hol_model_data *m, const hol_settings *set,
                         const hol_job *job, hol_outcome *out);

// The executor of the library. NULL: no memory. Its threads have ended when it is destroyed.
struct hol_threads *hol_threads_create(hol_context *ctx, const hol_model_data *m, const hol_settings *set,
                                       hol_executor *out);
void hol_threads_destroy(struct hol_threads *t);

// Tightens the tolerance until the two agree to `goal` sizes in all signals or can do no better; least: see hol_judge_scale. thorough:
// before that is said, all methods are tightened and all pairs of different families compared. *out has no pair where no two methods of
// different families reach the end.
hol_status hol_reference_find(hol_plan *p, double goal, double least, bool thorough, hol_reference *out);

#endif
