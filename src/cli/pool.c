// Runs of one model, each in a process of its own (fork): one that dies, hangs or wants too much memory leaves the
// others alone. What it finds comes back through a pipe; time and memory are limited.
#include "cli/pool.h"
#include "base/base.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_AT_ONCE = 64, MOST_ROUNDS = 1000, LOOK = 50 }; // LOOK: milliseconds between looks at the clock

static double seconds(clockid_t clock)
{
    struct timespec t;
    return clock_gettime(clock, &t) == 0 ? (double)t.tv_sec + 1e-9 * (double)t.tv_nsec : 0;
}

// ---- the run, in the child ------------------------------------------------------------------------------------

static void copy(char *out, size_t size, const char *text) { snprintf(out, size, "%s", text ? text : ""); }

// What is kept of a run's statistics.
static void note(cli_outcome *out, const hol_statistics *s)
{
    out->time = s->time;
    out->steps = s->steps;
    out->rejected = s->rejected;
    out->residuals = s->residuals;
    out->jacobians = s->jacobians;
    out->factorizations = s->factorizations;
    out->newton_iterations = s->newton_iterations;
    out->failures = s->corrector_failures;
    out->energy_drift = s->energy_drift_max;
    out->violation = s->max_position_violation;
    out->stiff_step = s->stiff_step;
    copy(out->form, sizeof out->form, s->chosen);
    copy(out->ended, sizeof out->ended, s->ended_by);
    copy(out->stiff_cause, sizeof out->stiff_cause, s->stiff_step > 0 ? s->stiff_cause : NULL);
}

// One run; `out->cpu` becomes its time if that is less.
static hol_status run_once(hol_context *ctx, const hol_model *model, const char *result, cli_outcome *out)
{
    hol_simulation *sim = hol_simulation_create(ctx, model);
    if (!sim) return hol_context_status(ctx);
    hol_status st = result ? hol_simulation_write(sim, result) : HOL_OK;
    const double start = seconds(CLOCK_PROCESS_CPUTIME_ID);
    if (!st) st = hol_simulation_run(sim);
    const double cpu = seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
    if (out->rounds++ == 0 || cpu < out->cpu) out->cpu = cpu;
    note(out, hol_simulation_finish(sim));
    hol_simulation_destroy(sim);
    return st;
}

void cli_result_path(const char *folder, int result, char out[CLI_PATH])
{
    snprintf(out, CLI_PATH, "%s/%d.csv", folder, result);
}

// Runs for their time have no results on the way.
static hol_status run_job(cli_pool *pool, const cli_job *job, cli_outcome *out)
{
    char method[64], tolerance[64], once[64], path[CLI_PATH];
    const bool written = job->result >= 0;
    const char **set = malloc(((size_t)pool->n_set + 5) * sizeof *set);
    if (!set) return HOL_ERR_MEMORY;
    int n = pool->n_set;
    for (int i = 0; i < n; i++) set[i] = pool->set[i];
    snprintf(method, sizeof method, "simulate.method=%s", job->method);
    snprintf(tolerance, sizeof tolerance, "simulate.tolerance=%.17g", job->tolerance);
    set[n++] = method;
    set[n++] = tolerance;
    snprintf(once, sizeof once, "simulate.output=%.17g s", pool->end);
    if (!written) set[n++] = once;
    if (!written) set[n++] = "simulate.project=no";
    set[n++] = "simulate.threads=1"; // others run beside it
    cli_result_path(pool->folder, job->result, path);
    const hol_model *model = hol_model_load(pool->ctx, pool->model, set, n);
    hol_status st = model ? HOL_OK : hol_context_status(pool->ctx);
    const double start = seconds(CLOCK_MONOTONIC);
    do {
        if (!st) st = run_once(pool->ctx, model, written ? path : NULL, out);
    } while (!st && !written && out->rounds < MOST_ROUNDS && seconds(CLOCK_MONOTONIC) - start < job->seconds);
    return st;
}

// The process of one run: limits its memory, runs, and writes the outcome to the pipe. It does not return.
static void child(cli_pool *pool, const cli_job *job, int output)
{
    const rlim_t room = (rlim_t)pool->memory;
    const struct rlimit limit = {room, room};
    cli_outcome out = {0};
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL); // nobody would end a run that takes too long
#endif
    if (!HOL_SANITIZED && pool->memory > 0) setrlimit(RLIMIT_AS, &limit);
    hol_context_set_log(pool->ctx, NULL, NULL);
    out.status = run_job(pool, job, &out);
    copy(out.message, sizeof out.message, out.status ? hol_context_error(pool->ctx) : "");
    const bool written = write(output, &out, sizeof out) == (ssize_t)sizeof out;
    _exit(written ? 0 : 1); // what the parent has not written yet stays its own
}

// ---- the parent -----------------------------------------------------------------------------------------------

static volatile sig_atomic_t interrupted;

static void interrupt(int signal_number)
{
    (void)signal_number;
    interrupted = 1;
}

// Starts a job in a process of its own; -1: no process, or no pipe.
static int start(cli_pool *pool, cli_job *job)
{
    int ends[2];
    if (pipe(ends) != 0) return -1;
    fflush(NULL);
    job->process = fork();
    if (job->process == 0) {
        close(ends[0]);
        child(pool, job, ends[1]);
    }
    close(ends[1]);
    job->input = ends[0];
    job->wall = seconds(CLOCK_MONOTONIC);
    if (job->process > 0) {
        job->fate = CLI_RUNNING;
        return 0;
    }
    close(ends[0]);
    return -1;
}

// The process has ended, or is ended here.
static void collect(cli_pool *pool, cli_job *job, bool stop)
{
    int status = 0;
    if (stop) kill(job->process, SIGKILL);
    const bool told = !stop && read(job->input, &job->out, sizeof job->out) == (ssize_t)sizeof job->out;
    close(job->input);
    while (waitpid(job->process, &status, 0) < 0 && errno == EINTR) {
    }
    job->wall = seconds(CLOCK_MONOTONIC) - job->wall;
    const bool late = told && job->wall > pool->patience; // between two looks
    job->fate = stop || late                       ? CLI_TOO_SLOW
                : !told                            ? CLI_DIED
                : !job->out.status                 ? CLI_FINISHED
                : job->out.status == HOL_ERR_USAGE ? CLI_REFUSED
                                                   : CLI_STOPPED;
    if (job->fate == CLI_DIED)
        snprintf(job->out.message, sizeof job->out.message, "the run died: %s",
                 WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "no result");
    if (pool->ended) pool->ended(pool->user, job);
}

static double limit_of(const cli_pool *pool, const cli_job *job)
{
    return pool->limit ? pool->limit(pool->user, job) : HUGE_VAL;
}

// Waits for the next news of those that run, and ends those whose time is over.
static void look(cli_pool *pool, cli_job *job, int n)
{
    struct pollfd ends[MOST_AT_ONCE];
    int which[MOST_AT_ONCE], running = 0;
    for (int i = 0; i < n; i++)
        if (job[i].fate == CLI_RUNNING) {
            which[running] = i;
            ends[running++] = (struct pollfd){job[i].input, POLLIN, 0};
        }
    if (poll(ends, (nfds_t)running, LOOK) < 0) return; // a signal
    for (int k = 0; k < running; k++) {
        cli_job *j = &job[which[k]];
        const double taken = seconds(CLOCK_MONOTONIC) - j->wall;
        if (ends[k].revents)
            collect(pool, j, false);
        else if (taken > limit_of(pool, j))
            collect(pool, j, true);
    }
}

static int count(const cli_job *job, int n, cli_fate fate)
{
    int found = 0;
    for (int i = 0; i < n; i++) found += job[i].fate == fate;
    return found;
}

// Starts what waits while there is room.
static int fill(cli_pool *pool, cli_job *job, int n)
{
    const int most = pool->at_once < MOST_AT_ONCE ? pool->at_once : MOST_AT_ONCE;
    int running = count(job, n, CLI_RUNNING);
    for (int i = 0; i < n && running < most; i++) {
        if (job[i].fate != CLI_WAITING) continue;
        if (!(limit_of(pool, &job[i]) > 0)) {
            job[i].fate = CLI_LEFT_OUT;
            continue;
        }
        if (start(pool, &job[i])) {
            fprintf(stderr, "holonom: error: a run cannot be started: %s\n", strerror(errno));
            return 1;
        }
        running++;
    }
    return 0;
}

int cli_pool_run(cli_pool *pool, cli_job *job, int n)
{
    struct sigaction mine = {.sa_handler = interrupt}, old[2];
    int code = 0;
    if (hol_context_cancelled(pool->ctx)) return 130; // between two pools
    interrupted = 0;
    sigemptyset(&mine.sa_mask);
    sigaction(SIGINT, &mine, &old[0]);
    sigaction(SIGTERM, &mine, &old[1]);
    while (!code && (count(job, n, CLI_WAITING) || count(job, n, CLI_RUNNING))) {
        code = fill(pool, job, n);
        if (!code && count(job, n, CLI_RUNNING)) look(pool, job, n);
        if (interrupted) code = 130;
    }
    for (int i = 0; i < n && code; i++)
        if (job[i].fate == CLI_RUNNING) collect(pool, &job[i], true);
    sigaction(SIGINT, &old[0], NULL);
    sigaction(SIGTERM, &old[1], NULL);
    if (code == 130) fprintf(stderr, "holonom: interrupted\n");
    return code;
}
