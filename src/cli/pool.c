// Runs of one model, each in a process of its own (fork): one that dies, hangs or wants too much memory leaves the
// others alone. What it finds comes back through a pipe; its memory is limited.
#include "cli/pool.h"
#include "base/base.h"

#include <errno.h>
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
#include <unistd.h>

// ---- the run, in the child ------------------------------------------------------------------------------------

// Writes all of it: a pipe takes a part at a time.
static bool put(int output, const void *data, size_t n)
{
    const char *from = data;
    while (n) {
        const ssize_t written = write(output, from, n);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        from += written;
        n -= (size_t)written;
    }
    return true;
}

// The process of one run: limits its memory, runs, and writes outcome and rows to the pipe. It does not return.
static void child(const cli_pool *pool, const hol_job *job, int output)
{
    const rlim_t room = (rlim_t)pool->memory;
    const struct rlimit limit = {room, room};
    hol_outcome out;
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL); // nobody would end a run that takes too long
#endif
    if (!HOL_SANITIZED && pool->memory > 0) setrlimit(RLIMIT_AS, &limit);
    hol_context_set_log(pool->ctx, NULL, NULL);
    const hol_result *rows = hol_job_run(pool->ctx, pool->model, job, &out);
    const size_t n = rows ? rows->n_rows * (size_t)rows->n_columns : 0;
    const bool written =
        put(output, &out, sizeof out) && (!n || put(output, rows->value, n * sizeof *rows->value));
    _exit(written ? 0 : 1); // what the parent has not written yet stays its own
}

// ---- the parent -----------------------------------------------------------------------------------------------

// Starts a job in a process of its own.
static const char *start(void *user, hol_job *job)
{
    cli_pool *pool = user;
    cli_process *p = pool->process;
    int ends[2];
    while (p->job) p++; // there are no more jobs than places
    if (pipe(ends) != 0) return strerror(errno);
    fflush(NULL);
    const pid_t id = fork();
    if (id == 0) {
        close(ends[0]);
        child(pool, job, ends[1]);
    }
    close(ends[1]);
    if (id < 0) close(ends[0]);
    if (id < 0) return strerror(errno);
    *p = (cli_process){.job = job, .id = id, .input = ends[0]};
    return NULL;
}

// The process has ended: what it has left is handed on.
static void collect(cli_process *p)
{
    int status = 0;
    hol_outcome out;
    close(p->input);
    while (waitpid(p->id, &status, 0) < 0 && errno == EINTR) {
    }
    const size_t row = (size_t)p->job->n_columns * sizeof(double), rest = p->n - sizeof out;
    const bool whole = WIFEXITED(status) && !WEXITSTATUS(status) && p->n >= sizeof out && rest % row == 0;
    if (whole) {
        memcpy(&out, p->data, sizeof out);
        memmove(p->data, p->data + sizeof out, rest); // numbers begin where memory does
        hol_job_ended(p->job, &out, rest ? (const double *)(void *)p->data : NULL, rest / row);
    } else {
        hol_job_lost(p->job, WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "no result");
    }
    free(p->data);
    *p = (cli_process){0};
}

// Takes what the process has written since; at its end there is no more.
static void receive(cli_process *p)
{
    enum { PIECE = 1 << 16 };
    if (p->room - p->n < PIECE) {
        char *data = realloc(p->data, 2 * p->room + PIECE);
        if (!data) kill(p->id, SIGKILL); // it has died for the caller
        if (!data) collect(p);
        if (!data) return;
        p->data = data;
        p->room = 2 * p->room + PIECE;
    }
    const ssize_t n = read(p->input, p->data + p->n, p->room - p->n);
    if (n > 0)
        p->n += (size_t)n;
    else if (n == 0 || errno != EINTR)
        collect(p);
}

// Waits until some process has written or ended, and takes what it has.
static void wait_for(void *user, double seconds)
{
    cli_pool *pool = user;
    struct pollfd ends[CLI_MOST_AT_ONCE];
    cli_process *which[CLI_MOST_AT_ONCE];
    int n = 0;
    for (int i = 0; i < CLI_MOST_AT_ONCE; i++)
        if (pool->process[i].job) {
            which[n] = &pool->process[i];
            ends[n++] = (struct pollfd){pool->process[i].input, POLLIN, 0};
        }
    if (poll(ends, (nfds_t)n, (int)(1e3 * seconds)) < 0) return; // a signal
    for (int k = 0; k < n; k++)
        if (ends[k].revents) receive(which[k]);
}

static void stop(void *user, hol_job *job)
{
    cli_pool *pool = user;
    for (int i = 0; i < CLI_MOST_AT_ONCE; i++)
        if (pool->process[i].job == job) kill(pool->process[i].id, SIGKILL);
}

void cli_pool_make(cli_pool *pool, hol_context *ctx, const hol_model *model, double memory)
{
    memset(pool, 0, sizeof *pool);
    pool->executor = (hol_executor){pool, start, wait_for, stop};
    pool->ctx = ctx;
    pool->model = model;
    pool->memory = memory;
}
