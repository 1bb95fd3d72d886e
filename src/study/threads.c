// The library's executor: a thread for each run, with a context of its own, over the one model.
#include "base/team.h"
#include "study/plan.h"

#include <math.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

enum { MOST_AT_ONCE = 64 };

struct hol_threads;

typedef struct {
    struct hol_threads *all;
    hol_job *job;     // NULL: nobody uses this one
    hol_context *ctx; // the run's own
    pthread_t thread;
    bool ended;
    hol_outcome out;
    hol_result *rows;
} runner;

struct hol_threads {
    const hol_model_data *m;
    const hol_settings *set;
    pthread_mutex_t lock; // of `ended`
    pthread_cond_t news;
    runner runner[MOST_AT_ONCE];
};

// The thread of a run.
static void *run(void *data)
{
    runner *r = data;
    struct hol_threads *t = r->all;
    r->rows = hol_job_make(r->ctx, t->m, t->set, r->job, &r->out);
    pthread_mutex_lock(&t->lock);
    r->ended = true;
    pthread_cond_signal(&t->news);
    pthread_mutex_unlock(&t->lock);
    return NULL;
}

static void release(runner *r)
{
    hol_result_destroy(r->rows);
    hol_context_destroy(r->ctx);
    r->rows = NULL;
    r->ctx = NULL;
    r->job = NULL;
}

// A free place, a context and a thread.
static const char *start(void *user, hol_job *job)
{
    struct hol_threads *t = user;
    int i = 0;
    while (t->runner[i].job) i++; // there are no more jobs than places
    runner *r = &t->runner[i];
    *r = (runner){.all = t, .job = job, .ctx = hol_context_create()};
    const int failed = r->ctx ? hol_thread_start(&r->thread, run, r) : 0;
    const char *why = !r->ctx ? "out of memory" : failed ? "the system gives no thread" : NULL;
    if (why) release(r);
    return why;
}

static struct timespec in_seconds(double seconds)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    const double then = (double)t.tv_nsec * 1e-9 + seconds;
    t.tv_sec += (time_t)floor(then);
    t.tv_nsec = (long)(1e9 * (then - floor(then)));
    return t;
}

// One that has ended; NULL: all run.
static runner *find_ended(struct hol_threads *t)
{
    for (int i = 0; i < MOST_AT_ONCE; i++)
        if (t->runner[i].job && t->runner[i].ended) return &t->runner[i];
    return NULL;
}

static runner *take_ended(struct hol_threads *t, const struct timespec *until)
{
    pthread_mutex_lock(&t->lock);
    runner *r = find_ended(t);
    if (!r && until) pthread_cond_timedwait(&t->news, &t->lock, until);
    if (!r) r = find_ended(t);
    pthread_mutex_unlock(&t->lock);
    return r;
}

// Waits for the first that ends, then takes all that have.
static void wait_for(void *user, double seconds)
{
    struct hol_threads *t = user;
    const struct timespec until = in_seconds(seconds);
    for (runner *r = take_ended(t, &until); r; r = take_ended(t, NULL)) {
        pthread_join(r->thread, NULL);
        hol_job_ended(r->job, &r->out, r->rows ? r->rows->value : NULL, r->rows ? r->rows->n_rows : 0);
        release(r);
    }
}

static void stop(void *user, hol_job *job)
{
    struct hol_threads *t = user;
    for (int i = 0; i < MOST_AT_ONCE; i++)
        if (t->runner[i].job == job) hol_context_cancel(t->runner[i].ctx);
}

struct hol_threads *hol_threads_create(hol_context *ctx, const hol_model_data *m, const hol_settings *set,
                                       hol_executor *out)
{
    pthread_condattr_t clock;
    struct hol_threads *t = hol_calloc(ctx, 1, sizeof *t);
    if (!t) return NULL;
    t->m = m;
    t->set = set;
    pthread_mutex_init(&t->lock, NULL);
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&t->news, &clock);
    pthread_condattr_destroy(&clock);
    *out = (hol_executor){t, start, wait_for, stop};
    return t;
}

void hol_threads_destroy(struct hol_threads *t)
{
    if (!t) return;
    pthread_cond_destroy(&t->news);
    pthread_mutex_destroy(&t->lock);
    hol_free(t);
}
