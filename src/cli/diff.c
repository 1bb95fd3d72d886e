// holonom diff A B: how much two results differ, signal by signal.
#include "cli/cli.h"
#include "cli/select.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const cli_option options[] = {
    {"--signals", "-s", "A,B,...", NULL,
     "columns, or groups such as crank0 or energy, with commas between: \"left arm.x,energy\"; default: all"},
    {"--max", NULL, "E", NULL,
     "exit 6 if a signal differs by more than E, in its own unit, or not all could be compared"},
    {"--json", NULL, NULL, NULL, "print JSON"},
    {"-q", NULL, NULL, NULL, "print nothing; the exit code says it"},
    {NULL, NULL, NULL, NULL, NULL}};

typedef struct {
    const hol_result *a, *b;
    const hol_comparison *c;
    bool *shown;  // of c->item                                              (c->n)
    bool *absent; // of c->only_a                                           (c->n_only_a)
    bool all;     // signals only in b are listed
} report;

// ---- text -----------------------------------------------------------------------------------------------------

static void print_times(const report *r, const hol_result *x)
{
    const double *first = x->value, *last = first + (x->n_rows - 1) * (size_t)x->n_columns;
    if (*first != r->c->from || *last != r->c->to) printf("%s has %.9g .. %.9g s\n", x->file, *first, *last);
}

#define MOST_PERCENT 1e6

static void print_names(const char *file, const char *const *name, const bool *which, int n)
{
    int count = 0;
    for (int i = 0; i < n; i++) {
        if (which && !which[i]) continue;
        if (count++ == 0) printf("only in %s:", file);
        printf("%s %s", count > 1 ? "," : "", name[i]);
    }
    if (count) printf("\n");
}

#define MUCH 0.2 // of a difference

// Differences that come from rows of b which are too far apart to tell what is between them.
static void note_between(const report *r)
{
    const hol_comparison *c = r->c;
    int count = 0;
    for (int i = 0; i < c->n; i++) {
        const hol_difference *d = &c->item[i];
        if (!r->shown[i] || !(d->between > MUCH * d->error)) continue;
        if (count++ == 0)
            printf("between the rows of %s, which are a cubic's there, much of the difference may be that:",
                   r->b->file);
        printf("%s %s", count > 1 ? "," : "", d->name);
    }
    if (count) printf("; write both at the same times, or compare the one with more rows as the second\n");
}

// The table of differences: the largest and its time, relative and mean; then what is in one of the two only.
static void print_text(const report *r)
{
    const hol_comparison *c = r->c;
    int width = (int)strlen("signal");
    for (int i = 0; i < c->n; i++)
        if (r->shown[i] && (int)strlen(c->item[i].name) > width) width = (int)strlen(c->item[i].name);
    printf("%s against %s: %zu times, %.9g .. %.9g s\n", r->a->file, r->b->file, c->rows, c->from, c->to);
    print_times(r, r->a);
    print_times(r, r->b);
    printf("%-*s  %12s  %12s  %12s  %12s  unit\n", width, "signal", "largest", "at t [s]", "relative [%]",
           "RMS");
    for (int i = 0; i < c->n; i++) {
        const hol_difference *d = &c->item[i];
        if (!r->shown[i]) continue;
        printf("%-*s  %12.4g  %12.9g  ", width, d->name, d->error, d->time);
        if (d->percent < MOST_PERCENT)
            printf("%12.4g", d->percent);
        else
            printf("%12s", "-"); // the reference is 0, or nothing but rounding
        printf("  %12.4g  %s", d->rms, *d->unit ? d->unit : "1");
        if (strcmp(d->unit, d->unit_b) != 0) printf(" (the other in %s)", *d->unit_b ? d->unit_b : "1");
        printf("\n");
    }
    note_between(r);
    print_names(r->a->file, c->only_a, r->absent, c->n_only_a);
    if (r->all) print_names(r->b->file, c->only_b, NULL, c->n_only_b);
}

// ---- JSON -----------------------------------------------------------------------------------------------------

static void json_file(const char *key, const hol_result *x)
{
    printf("  \"%s\": {\"file\": ", key);
    cli_print_json(x->file);
    cli_print_json_number("from", x->value[0]);
    cli_print_json_number("to", x->value[(x->n_rows - 1) * (size_t)x->n_columns]);
    printf(", \"rows\": %zu, \"complete\": %s},\n", x->n_rows, x->complete ? "true" : "false");
}

// A list of names; which: those that count, NULL: all.
static void json_names(const char *key, const char *const *name, const bool *which, int n)
{
    int count = 0;
    printf(",\n  \"%s\": [", key);
    for (int i = 0; i < n; i++) {
        if (which && !which[i]) continue;
        if (count++) printf(", ");
        cli_print_json(name[i]);
    }
    printf("]");
}

// The same as JSON.
static void print_json(const report *r)
{
    const hol_comparison *c = r->c;
    int count = 0;
    printf("{\n");
    json_file("a", r->a);
    json_file("b", r->b);
    printf("  \"from\": %.17g,\n  \"to\": %.17g,\n  \"times\": %zu,\n  \"signals\": [", c->from, c->to,
           c->rows);
    for (int i = 0; i < c->n; i++) {
        const hol_difference *d = &c->item[i];
        if (!r->shown[i]) continue;
        printf("%s\n    {\"name\": ", count++ ? "," : "");
        cli_print_json(d->name);
        printf(", \"unit\": ");
        cli_print_json(d->unit);
        cli_print_json_number("largest", d->error);
        cli_print_json_number("time", d->time);
        cli_print_json_number("reference", d->reference);
        cli_print_json_number("percent", d->percent);
        cli_print_json_number("rms", d->rms);
        cli_print_json_number("between", d->between);
        printf("}");
    }
    printf("\n  ]");
    json_names("only_a", c->only_a, r->absent, c->n_only_a);
    json_names("only_b", c->only_b, NULL, r->all ? c->n_only_b : 0);
    printf("\n}\n");
}

// ---- the verb -------------------------------------------------------------------------------------------------

// Both lists keep the order of a's columns, so one walk finds the chosen ones in them.
static int choose(hol_context *ctx, report *r, const char *signals)
{
    cli_selection s = {0};
    int code = cli_select(ctx, r->a, signals, &s), item = 0, only = 0, chosen = 0;
    bool *wanted = calloc((size_t)r->a->n_columns, sizeof *wanted);
    r->all = !signals;
    r->shown = calloc((size_t)r->c->n + 1, sizeof *r->shown);
    r->absent = calloc((size_t)r->c->n_only_a + 1, sizeof *r->absent);
    if (!code && (!wanted || !r->shown || !r->absent)) {
        fprintf(stderr, "holonom: error: out of memory\n");
        code = 1;
    }
    for (int i = 0; !code && i < s.n; i++) wanted[s.column[i]] = true;
    for (int i = 1; !code && i < r->a->n_columns; i++) {
        if (item < r->c->n && r->a->name[i] == r->c->item[item].name)
            chosen += r->shown[item++] = wanted[i];
        else if (only < r->c->n_only_a && r->a->name[i] == r->c->only_a[only])
            r->absent[only++] = wanted[i];
    }
    if (!code && !chosen) {
        fprintf(stderr, "holonom: error: %s has no signal of --signals %s\n", r->b->file, signals);
        code = 2;
    }
    cli_selection_free(&s);
    free(wanted);
    return code;
}

static int read_limit(const char *text, double *limit)
{
    char *end;
    *limit = strtod(text, &end);
    if (end != text && !*end && *limit >= 0) return 0;
    fprintf(stderr, "holonom: error: --max %s: a number is wanted, 0 or more\n", text);
    return 2;
}

// Exit code 6 if a signal differs by more than the limit, or by what is not a number.
static int judge(const report *r, double limit)
{
    const hol_difference *worst = NULL;
    int n = 0;
    for (int i = 0; i < r->c->n; i++) {
        const hol_difference *d = &r->c->item[i];
        if (!r->shown[i] || d->error <= limit) continue;
        if (!worst || d->error > worst->error || isnan(d->error)) worst = d;
        n++;
    }
    if (!n) return 0;
    const char *space = *worst->unit ? " " : "";
    fprintf(stderr,
            "holonom: error: %s differs by %.4g%s%s at t = %.9g s; %d of the signals differ%s by more than "
            "%.4g\n",
            worst->name, worst->error, space, worst->unit, worst->time, n, n == 1 ? "s" : "", limit);
    return 6;
}

// The first names that could not be compared.
static void tell_names(const char *file, const char *const *name, const bool *which, int n)
{
    enum { SHOWN = 3 };
    int count = 0;
    for (int i = 0; i < n; i++) {
        if (which && !which[i]) continue;
        if (!count) fprintf(stderr, " only %s has", file);
        if (count < SHOWN) fprintf(stderr, "%s %s", count ? "," : "", name[i]);
        count++;
    }
    if (count > SHOWN) fprintf(stderr, " and %d more", count - SHOWN);
    if (count) fprintf(stderr, ";");
}

static bool reaches_beyond(const hol_comparison *c, const hol_result *x)
{
    const double first = x->value[0], last = x->value[(x->n_rows - 1) * (size_t)x->n_columns];
    const double slack = 1e-9 * fmax(c->to - c->from, fmax(fabs(c->from), fabs(c->to)));
    return first < c->from - slack || last > c->to + slack;
}

static void tell_times(const hol_comparison *c, const hol_result *x)
{
    if (!reaches_beyond(c, x)) return;
    fprintf(stderr, " of %s, %.9g .. %.9g s, only %.9g .. %.9g s;", x->file, x->value[0],
            x->value[(x->n_rows - 1) * (size_t)x->n_columns], c->from, c->to);
}

static bool chosen(const bool *which, int n)
{
    for (int i = 0; i < n; i++)
        if (which[i]) return true;
    return false;
}

// Exit code 6 if something that was asked for is in one of the results only: two results that agree where they can be compared are
// not said to agree.
static int judge_whole(const report *r)
{
    const hol_comparison *c = r->c;
    const bool names = chosen(r->absent, c->n_only_a) || (r->all && c->n_only_b > 0);
    const bool times = reaches_beyond(c, r->a) || reaches_beyond(c, r->b);
    if (!names && !times) return 0;
    fprintf(stderr, "holonom: error: not all was compared:");
    tell_names(r->a->file, c->only_a, r->absent, c->n_only_a);
    if (r->all) tell_names(r->b->file, c->only_b, NULL, c->n_only_b);
    tell_times(c, r->a);
    tell_times(c, r->b);
    fprintf(stderr, "%s%s%s\n", names ? " --signals chooses what both have" : "",
            names && times ? ", and" : "", times ? " both runs must last the same time (--end)" : "");
    return 6;
}

// The verb: reads both results, compares them, and with --max says by the exit code whether they agree.
static int run(hol_context *ctx, const cli_options *o)
{
    report r = {0};
    double limit = HUGE_VAL;
    int code = o->max ? read_limit(o->max, &limit) : 0;
    if (!code && strcmp(o->model, "-") == 0 && strcmp(o->other, "-") == 0) {
        fprintf(stderr,
                "holonom: error: both results are -, and the standard input is read once: give a file\n");
        code = 2;
    }
    hol_result *a = code ? NULL : hol_result_read(ctx, o->model),
               *b = a ? hol_result_read(ctx, o->other) : NULL;
    hol_comparison *c = b ? hol_comparison_create(ctx, a, b) : NULL;
    r.a = a;
    r.b = b;
    r.c = c;
    if (!code && !c) code = cli_fail(ctx, hol_context_status(ctx));
    if (!code) code = choose(ctx, &r, o->signals);
    if (!code && !o->quiet) (o->json ? print_json : print_text)(&r);
    if (!code && o->max) code = judge(&r, limit);
    if (!code && o->max) code = judge_whole(&r);
    free(r.shown);
    free(r.absent);
    hol_comparison_destroy(c);
    hol_result_destroy(a);
    hol_result_destroy(b);
    return code;
}

const cli_verb cli_diff = {"diff",
                           "A B [options]",
                           "compare two results, B being the reference",
                           "Examples:\n  holonom run models/four_bar.yaml --tol 1e-8 -o reference.nc\n"
                           "  holonom run models/four_bar.yaml --tol 1e-4 -o four_bar.nc\n"
                           "  holonom diff four_bar.nc reference.nc --signals crank0,energy.total\n"
                           "  holonom diff four_bar.nc reference.nc --max 1e-3 -q || echo too far apart",
                           options,
                           run};
