// What compare and certify have in common: options, one look at the model before anything runs, a folder for the
// results of runs, and reading them back.
#include "cli/plan.h"
#include "cli/names.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    TIMES = 200,
    MOST_SIGNALS = 300
};                     // results of a run, signals judged unless they are asked for by name
#define PATIENCE 120.0 // [s]
#define SHARE 0.8      // of the machine's memory, for all runs together

// ---- options --------------------------------------------------------------------------------------------------

static int wrong(const char *option, const char *text, const char *wanted)
{
    fprintf(stderr, "holonom: error: %s %s: %s\n", option, text, wanted);
    return 2;
}

// A number of an option: `fallback` without it, NaN if it is none.
static double number(const char *text, double fallback)
{
    char *end;
    if (!text) return fallback;
    const double x = strtod(text, &end);
    return end != text && !*end ? x : (double)NAN;
}

// Number of processes, memory and patience; the standard input cannot be read once for every run.
static int read_options(const cli_options *o, cli_plan *p)
{
    const double cores = (double)sysconf(_SC_NPROCESSORS_ONLN),
                 room = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    const double jobs = number(o->jobs, fmin(64, fmax(1, cores))), memory = number(o->memory, 0);
    if (strcmp(o->model, "-") == 0)
        return wrong("MODEL", "-", "the model is read once for every run: give a file");
    if (!(jobs >= 1 && jobs <= 64) || jobs != floor(jobs))
        return wrong("-j", o->jobs, "a number of runs at a time is wanted, 1 to 64");
    if (!(memory >= 0) || (o->memory && memory == 0))
        return wrong("--memory", o->memory, "what a run may take is wanted, in GB, above 0");
    p->pool.patience = number(o->patience, PATIENCE);
    if (!(p->pool.patience > 0))
        return wrong("--patience", o->patience, "a time in seconds is wanted, above 0");
    p->pool.at_once = (int)jobs;
    p->pool.memory = memory > 0 ? 1e9 * memory : SHARE * room / jobs;
    return 0;
}

// ---- the model ------------------------------------------------------------------------------------------------

static bool is_set(const cli_options *o, const char *path)
{
    for (int i = 0; i < o->n_set; i++)
        if (strncmp(o->set[i], path, strlen(path)) == 0) return true;
    return false;
}

static char *list_signals(const char *names)
{
    const size_t n = strlen(names) + 32;
    char *out = malloc(n);
    if (out) snprintf(out, n, "simulate.signals=[%s]", names);
    return out;
}

// All poses, or as many of them, evenly.
static char *choose_signals(const hol_simulation *sim, cli_plan *p)
{
    const int n = hol_simulation_signals(sim), every = (n + MOST_SIGNALS - 1) / MOST_SIGNALS;
    size_t room = 1;
    if (every <= 1) return list_signals("poses");
    for (int i = 0; i < n; i += every) room += strlen(hol_simulation_signal_name(sim, i)) + 1;
    char *names = malloc(room), *end = names;
    p->n_signals = 0;
    for (int i = 0; i < n && names; i += every, p->n_signals++)
        end += sprintf(end, "%s%s", i ? "," : "", hol_simulation_signal_name(sim, i));
    char *out = names ? list_signals(names) : NULL;
    free(names);
    return out;
}

static void count(const hol_simulation *sim, cli_plan *p)
{
    int coordinates, constraints, redundant, rates, variables, states;
    hol_simulation_counts(sim, &p->bodies, &coordinates, &constraints, &redundant);
    hol_simulation_user_counts(sim, &rates, &variables, &states, &p->events);
    p->freedom = coordinates - constraints + redundant + states;
    p->n_signals = p->n_all = hol_simulation_signals(sim);
    p->end = hol_simulation_statistics(sim)->end;
    p->undecided = hol_simulation_statistics(sim)->undecided;
}

static void add_set(cli_plan *p, char *text)
{
    p->own[p->n_set - p->o->n_set] = text;
    p->set[p->n_set++] = text;
}

void cli_plan_set(cli_plan *p, char *text)
{
    add_set(p, text);
    p->pool.n_set = p->n_set;
}

// The overrides of all runs: the user's, the signals, the times of results.
static int make_overrides(const hol_simulation *sim, cli_plan *p)
{
    char *every = malloc(64), *signals = p->o->signals ? NULL : choose_signals(sim, p);
    if (!every || (!signals && !p->o->signals)) {
        free(every);
        free(signals);
        return 1;
    }
    snprintf(every, 64, "simulate.output=%.17g s", p->end / TIMES);
    if (signals) {
        free(p->own[0]);
        p->own[0] = signals;
        p->set[p->o->n_set] = signals;
    }
    if (is_set(p->o, "simulate.output="))
        free(every);
    else
        add_set(p, every);
    return 0;
}

// Loads and starts the model once, with a method that takes every model, keeps what is known of it, and
// refuses one where nothing is integrated.
static int check_model(hol_context *ctx, cli_plan *p)
{
    const char *set[CLI_MAX_SET + 8];
    int n = 0;
    for (; n < p->n_set; n++) set[n] = p->set[n];
    set[n++] = "simulate.method=hht";    // it takes every model
    set[n++] = "simulate.tolerance=0.1"; // it is but started
    hol_model *model = hol_model_load(ctx, p->o->model, set, n);
    int code = model ? cli_keep_model(ctx, p->o, model) : 0;
    hol_simulation *sim = model && !code ? hol_simulation_create(ctx, model) : NULL;
    if (!sim && !code) code = cli_fail(ctx, hol_context_status(ctx));
    if (!code) count(sim, p);
    if (!code && p->freedom == 0) {
        fprintf(stderr,
                "holonom: error: %s: no degree of freedom and no state: joints and drivers alone give the "
                "motion, nothing is integrated\n",
                p->o->model);
        code = 2;
    }
    if (!code && (code = make_overrides(sim, p))) fprintf(stderr, "holonom: error: out of memory\n");
    hol_simulation_destroy(sim);
    hol_model_destroy(model);
    return code;
}

// A temporary folder for the results of the runs.
static int make_folder(cli_plan *p)
{
    const char *where = getenv("TMPDIR");
    const int n =
        snprintf(p->folder, sizeof p->folder, "%s/holonom-XXXXXX", where && *where ? where : "/tmp");
    if (n > 0 && (size_t)n < sizeof p->folder && mkdtemp(p->folder)) return 0;
    const bool room = n > 0 && (size_t)n < sizeof p->folder;
    fprintf(stderr,
            "holonom: error: no folder for results of the runs can be made in %s: %s; TMPDIR names another\n",
            where && *where ? where : "/tmp", room ? strerror(errno) : "its path is too long");
    p->folder[0] = 0;
    return 1;
}

int cli_plan_make(hol_context *ctx, const cli_options *o, cli_plan *p)
{
    memset(p, 0, sizeof *p);
    p->ctx = ctx;
    p->o = o;
    p->set = calloc(CLI_MAX_SET + 8, sizeof *p->set);
    char *signals = list_signals(o->signals ? o->signals : "poses");
    int code = p->set && signals ? read_options(o, p) : 1;
    for (; !code && p->n_set < o->n_set; p->n_set++) p->set[p->n_set] = o->set[p->n_set];
    if (p->set && signals && !code)
        add_set(p, signals);
    else
        free(signals);
    if (!code) code = check_model(ctx, p);
    if (!code) code = make_folder(p);
    p->pool.ctx = ctx;
    p->pool.model = o->model;
    p->pool.set = p->set;
    p->pool.n_set = p->n_set;
    p->pool.end = p->end;
    p->pool.folder = p->folder;
    return code;
}

void cli_plan_free(cli_plan *p)
{
    char path[CLI_PATH];
    for (int i = 0; i < p->n_results; i++) {
        cli_result_path(p->folder, i, path);
        unlink(path);
    }
    if (p->folder[0]) rmdir(p->folder);
    for (int i = 0; i < 3; i++) free(p->own[i]);
    free(p->set);
    memset(p, 0, sizeof *p);
}

cli_job cli_plan_job(cli_plan *p, const char *method, double tolerance, bool written)
{
    cli_job job = {.tolerance = tolerance, .result = -1};
    snprintf(job.method, sizeof job.method, "%s", method);
    if (!written) return job;
    job.result = p->n_results++;
    return job;
}

hol_result *cli_plan_read(cli_plan *p, const cli_job *job)
{
    char path[CLI_PATH];
    if (job->result < 0 || job->fate != CLI_FINISHED) return NULL;
    cli_result_path(p->folder, job->result, path);
    return hol_result_read(p->ctx, path);
}

int cli_plan_kinks(cli_plan *p)
{
    hol_model *model = hol_model_load(p->ctx, p->o->model, p->set, p->n_set);
    hol_check *check = model ? hol_check_create(p->ctx, model) : NULL;
    const int kinks = check ? check->kinks : 0;
    hol_check_destroy(check);
    hol_model_destroy(model);
    return kinks;
}
