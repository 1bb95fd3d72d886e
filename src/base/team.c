// A thread pool on POSIX threads, made once and parked between the jobs. One number holds the job's own number and how
// many of its pieces are left: who lowers the latter has a piece of that job, and the job cannot end before this piece
// is done.
#include "base/team.h"

#include <math.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

enum { SPINS = 4000 }; // looks at the job before a thread goes to sleep, some microseconds

struct hol_team {
    int n; // threads but the caller's
    // the job; written by the caller while no piece is left
    hol_team_piece *function;
    void *with;
    int pieces;
    atomic_ullong left; // job << 32 | pieces that nobody has taken
    atomic_int done;    // pieces
    // sleep
    pthread_mutex_t lock;
    pthread_cond_t work, end;
    atomic_int sleepers;
    atomic_bool caller_sleeps, stop;
    pthread_t thread[];
};

int hol_team_processors(void)
{
    const long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : n > HOL_TEAM_MOST ? HOL_TEAM_MOST : (int)n;
}

static inline void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

static bool is_left(hol_team *t) { return (unsigned)atomic_load(&t->left) > 0; }

// Takes pieces until none is left.
static void work(hol_team *t)
{
    unsigned long long left = atomic_load(&t->left);
    while ((unsigned)left > 0) {
        if (!atomic_compare_exchange_weak(&t->left, &left, left - 1)) continue;
        const int pieces = t->pieces;
        t->function(t->with, pieces - (int)(unsigned)left);
        if (atomic_fetch_add(&t->done, 1) + 1 == pieces && atomic_load(&t->caller_sleeps)) {
            pthread_mutex_lock(&t->lock);
            pthread_cond_signal(&t->end);
            pthread_mutex_unlock(&t->lock);
        }
        left = atomic_load(&t->left);
    }
}

static void wait_for_work(hol_team *t)
{
    for (int i = 0; i < SPINS; i++, relax())
        if (is_left(t) || atomic_load(&t->stop)) return;
    pthread_mutex_lock(&t->lock);
    atomic_fetch_add(&t->sleepers, 1);
    while (!is_left(t) && !atomic_load(&t->stop)) pthread_cond_wait(&t->work, &t->lock);
    atomic_fetch_sub(&t->sleepers, 1);
    pthread_mutex_unlock(&t->lock);
}

static void *member(void *data)
{
    hol_team *t = data;
    while (!atomic_load(&t->stop)) {
        work(t);
        wait_for_work(t);
    }
    return NULL;
}

static void wake(hol_team *t)
{
    if (!atomic_load(&t->sleepers)) return;
    pthread_mutex_lock(&t->lock);
    pthread_cond_broadcast(&t->work);
    pthread_mutex_unlock(&t->lock);
}

// The caller, out of pieces of its own, waits for the others': for a moment by looking, then asleep.
static void wait_for_end(hol_team *t)
{
    const int pieces = t->pieces;
    for (int i = 0; i < SPINS; i++, relax())
        if (atomic_load(&t->done) == pieces) return;
    pthread_mutex_lock(&t->lock);
    atomic_store(&t->caller_sleeps, true);
    while (atomic_load(&t->done) < pieces) pthread_cond_wait(&t->end, &t->lock);
    atomic_store(&t->caller_sleeps, false);
    pthread_mutex_unlock(&t->lock);
}

void hol_team_run(hol_team *team, int pieces, hol_team_piece *function, void *with)
{
    if (!team || pieces < 2) {
        for (int i = 0; i < pieces; i++) function(with, i);
        return;
    }
    team->function = function;
    team->with = with;
    team->pieces = pieces;
    atomic_store(&team->done, 0);
    const unsigned long long job = (atomic_load(&team->left) >> 32) + 1;
    atomic_store(&team->left, job << 32 | (unsigned)pieces);
    wake(team);
    work(team);
    wait_for_end(team);
}

typedef struct {
    int n, length;
    hol_team_range *function;
    hol_team_part *part;
    void *with;
} ranges;

static int end_of(const ranges *o, int piece)
{
    const int from = piece * o->length;
    return o->n - from < o->length ? o->n : from + o->length;
}

static void do_range(void *with, int piece)
{
    const ranges *o = with;
    o->function(o->with, piece * o->length, end_of(o, piece));
}

static void do_part(void *with, int piece)
{
    const ranges *o = with;
    o->part(o->with, piece, piece * o->length, end_of(o, piece));
}

void hol_team_each(hol_team *team, int n, hol_team_range *function, void *with)
{
    ranges o = {.n = n, .length = HOL_TEAM_RANGE, .function = function, .with = with};
    if (team && n > o.length)
        hol_team_run(team, (n - 1) / o.length + 1, do_range, &o);
    else
        function(with, 0, n);
}

int hol_team_parts(hol_team *team, int n, hol_team_part *function, void *with)
{
    const int length = (n - 1) / HOL_TEAM_PARTS + 1;
    ranges o = {
        .n = n, .length = length < HOL_TEAM_PART ? HOL_TEAM_PART : length, .part = function, .with = with};
    const int parts = n > 0 ? (n - 1) / o.length + 1 : 1;
    hol_team_run(team, parts, do_part, &o);
    return parts;
}

typedef struct {
    const double *x, *before, *size;
    double most[HOL_TEAM_PARTS];
} largest;

static void find_largest(void *with, int part, int from, int to)
{
    largest *o = with;
    double most = 0;
    if (o->before)
        for (int i = from; i < to; i++) most = hol_larger(fabs(o->x[i] - o->before[i]) / o->size[i], most);
    else
        for (int i = from; i < to; i++) most = hol_larger(fabs(o->x[i]) / o->size[i], most);
    o->most[part] = most;
}

double hol_team_largest(hol_team *team, int n, const double *x, const double *before, const double *size)
{
    largest o;
    o.x = x, o.before = before, o.size = size;
    const int parts = hol_team_parts(team, n, find_largest, &o);
    double most = o.most[0];
    for (int p = 1; p < parts; p++) most = hol_larger(o.most[p], most);
    return most;
}

int hol_thread_start(pthread_t *thread, void *(*function)(void *), void *with)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int failed = pthread_create(thread, NULL, function, with);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failed;
}

hol_status hol_team_create(hol_context *ctx, int threads, hol_team **out)
{
    *out = NULL;
    if (threads < 2) return HOL_OK;
    hol_team *t = hol_calloc(ctx, 1, sizeof *t + (size_t)threads * sizeof *t->thread);
    if (!t) return HOL_ERR_MEMORY;
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->work, NULL);
    pthread_cond_init(&t->end, NULL);
    while (t->n < threads - 1 && !hol_thread_start(&t->thread[t->n], member, t)) t->n++;
    if (t->n < threads - 1)
        hol_note(ctx, HOL_WARNING, "the system gives %d threads instead of %d", t->n + 1, threads);
    *out = t;
    return HOL_OK;
}

void hol_team_destroy(hol_team *team)
{
    if (!team) return;
    atomic_store(&team->stop, true);
    pthread_mutex_lock(&team->lock);
    pthread_cond_broadcast(&team->work);
    pthread_mutex_unlock(&team->lock);
    for (int i = 0; i < team->n; i++) pthread_join(team->thread[i], NULL);
    pthread_cond_destroy(&team->work);
    pthread_cond_destroy(&team->end);
    pthread_mutex_destroy(&team->lock);
    hol_free(team);
}

int hol_team_threads(const hol_team *team) { return team ? team->n + 1 : 1; }

double hol_team_seconds(const hol_team *team)
{
    double sum = 0;
    for (int i = 0; team && i < team->n; i++) {
        clockid_t clock;
        struct timespec t;
        if (pthread_getcpuclockid(team->thread[i], &clock) || clock_gettime(clock, &t)) continue;
        sum += (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
    }
    return sum;
}
