// What compare and certify have in common: options, the model, which is loaded once, and messages.
#include "cli/study.h"
#include "cli/names.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SHARE 0.8 // of the machine's memory, for all runs together
enum { MOST_JOBS = 64 };

// ---- words and numbers ----------------------------------------------------------------------------------------

static int no_memory(void)
{
    fprintf(stderr, "holonom: error: out of memory\n");
    return 1;
}

static void free_words(cli_words *w)
{
    free(w->text);
    free(w->word);
}

// Splits a list at its commas; NULL: there are none.
static int read_words(const char *list, cli_words *out)
{
    if (!list) return 0;
    size_t most = 1;
    for (const char *p = list; *p; p++) most += *p == ',';
    out->text = strdup(list);
    out->word = calloc(most, sizeof *out->word);
    if (!out->text || !out->word) return no_memory();
    for (char *p = out->text, *next; p; p = next) {
        next = strchr(p, ',');
        if (next) *next++ = 0;
        p += strspn(p, " ");
        for (size_t n = strlen(p); n && p[n - 1] == ' '; n--) p[n - 1] = 0;
        out->word[out->n++] = p;
    }
    return 0;
}

// A number of an option: 0 without it, -1 if it is none above 0.
static double number(const char *text)
{
    char *end;
    if (!text) return 0;
    const double x = strtod(text, &end);
    return end != text && !*end && x > 0 ? x : -1;
}

int cli_count(const char *text)
{
    const double x = number(text);
    return x <= 1e9 && x == floor(x) ? (int)x : -1;
}

// ---- tolerances -----------------------------------------------------------------------------------------------

// A tolerance; the text behind it into *end. NaN: none is there.
static double read_tolerance(const char *text, const char **end)
{
    char *after;
    const size_t n = strspn(text, "0123456789.eE+-");
    char word[32];
    snprintf(word, sizeof word, "%.*s", (int)n, text);
    char *dots = strstr(word, "..");
    if (dots) *dots = 0; // not a decimal point
    const double t = strtod(word, &after);
    *end = text + (after - word);
    return after == word ? (double)NAN : t;
}

static const char range_wanted[] = "a range as 1e-2..1e-8 is wanted, or a list as 1e-3,1e-5";

// "1e-2..1e-8": each a tenth of the one before.
static int read_range(const char *text, double from, const char *rest, double *out, int *n)
{
    const char *end;
    const double to = read_tolerance(rest, &end);
    if (isnan(to) || *end) return cli_wrong("--tols", text, range_wanted);
    if (to > from) return cli_wrong("--tols", text, "the looser tolerance comes first, as in 1e-2..1e-8");
    for (double t = from; t > 0.9 * to && *n < HOL_RACE_TOLERANCES; t /= 10) out[(*n)++] = t;
    return 0;
}

// --tols: a list, or "from..to" by powers of ten.
static int read_tolerances(const char *text, double *out, int *n)
{
    const char *end;
    if (!text) return 0;
    const double from = read_tolerance(text, &end);
    if (!isnan(from) && strncmp(end, "..", 2) == 0) return read_range(text, from, end + 2, out, n);
    for (const char *p = text;; p = end + 1) {
        const double t = read_tolerance(p, &end);
        if (isnan(t) || (*end && *end != ',')) return cli_wrong("--tols", text, range_wanted);
        if (*n == HOL_RACE_TOLERANCES) return cli_wrong("--tols", text, "13 tolerances are the most");
        out[(*n)++] = t;
        if (!*end) return 0;
    }
}

int cli_race_options(const cli_options *o, cli_study *s, hol_race_options *out)
{
    const bool all = o->methods && strcmp(o->methods, "all") == 0;
    int code = read_words(all ? NULL : o->methods, &s->methods);
    if (!code) code = read_tolerances(o->tols, s->tolerance, &out->n_tolerances);
    out->method = s->methods.word;
    out->n_methods = s->methods.n;
    out->tolerance = s->tolerance;
    return code;
}

// ---- the study ------------------------------------------------------------------------------------------------

// Memory of one run: what is asked for, or its share of the machine's.
static double memory_of(double asked, int jobs)
{
    const double cores = (double)sysconf(_SC_NPROCESSORS_ONLN),
                 room = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    return asked > 0 ? 1e9 * asked : SHARE * room / (jobs > 0 ? jobs : fmin(MOST_JOBS, fmax(1, cores)));
}

// The options, then the model; the standard input cannot be read once for every run.
int cli_study_make(hol_context *ctx, const cli_options *o, cli_study *s)
{
    memset(s, 0, sizeof *s);
    const double memory = number(o->memory);
    const int jobs = cli_count(o->jobs);
    if (strcmp(o->model, "-") == 0)
        return cli_wrong("MODEL", "-", "the model is read once for every run: give a file");
    if (memory < 0) return cli_wrong("--memory", o->memory, "what a run may take is wanted, in GB, above 0");
    int code = read_words(o->signals, &s->signals);
    if (code) return code;
    s->model = hol_model_load(ctx, o->model, o->set, o->n_set);
    code = s->model ? cli_keep_model(ctx, o, s->model) : cli_fail(ctx, hol_context_status(ctx));
    s->study = (hol_study){.signal = s->signals.word,
                           .n_signals = s->signals.n,
                           .jobs = jobs,
                           .patience = number(o->patience),
                           .executor = &s->pool.executor};
    cli_pool_make(&s->pool, ctx, s->model, memory_of(memory, jobs));
    return code;
}

void cli_study_free(cli_study *s)
{
    free_words(&s->signals);
    free_words(&s->methods);
    hol_model_destroy(s->model);
}

int cli_study_fail(hol_context *ctx, const cli_options *o)
{
    const struct {
        const char *field, *option, *value;
    } rows[] = {{"methods: ", "--methods", NULL},     {"tolerances: ", "--tols ", o->tols},
                {"jobs: ", "-j ", o->jobs},           {"patience: ", "--patience ", o->patience},
                {"digits: ", "--digits ", o->digits}, {"signals: ", "--signals", NULL}};
    const char *text = hol_context_error(ctx);
    const hol_status st = hol_context_status(ctx);
    for (size_t i = 0; i < sizeof rows / sizeof *rows && st == HOL_ERR_USAGE; i++) {
        const size_t n = strlen(rows[i].field);
        if (strncmp(text, rows[i].field, n) != 0) continue;
        fprintf(stderr, "holonom: error: %s%s: %s\n", rows[i].option, rows[i].value ? rows[i].value : "",
                text + n);
        return 2;
    }
    return cli_fail(ctx, st);
}

// ---- for people -----------------------------------------------------------------------------------------------

void cli_print_reference(const hol_reference *r)
{
    for (int i = 0; i < r->n_runs; i++) {
        char name[64];
        hol_run_name(&r->run[i], name, sizeof name);
        fprintf(stderr, "  %s: %s\n", name, r->run[i].failed ? r->run[i].failed : "reached the end");
    }
}

void cli_race_time(const hol_race *r, int run, char out[32])
{
    const double ms = run < 0 ? 0 : 1e3 * r->run[run].run.out.cpu_seconds;
    snprintf(out, 32, run < 0 ? "-" : ms < 9.95 ? "%.2f" : ms < 99.5 ? "%.1f" : "%.0f", ms);
}
