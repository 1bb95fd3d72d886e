// holonom compare MODEL: every method at several tolerances; which is the fastest for which error, and why.
#include "base/file.h"
#include "cli/compare_page.h"
#include "cli/names.h"
#include "cli/study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const cli_option options[] = {
    {"--methods", NULL, "A,B,...", NULL, "methods to compare; default: all that choose their steps"},
    {"--tols", NULL, "A..B", NULL, "tolerances, 1e-2..1e-8 by default, or a list as 1e-3,1e-5"},
    {"--signals", "-s", "A,B,...", NULL, "signals whose errors count; default: positions of all bodies"},
    {"--end", NULL, "T", "simulate.end=", "end in seconds"},
    {"--max-step", NULL, "H", "simulate.max_step=", "largest step in seconds"},
    {"--set", NULL, "PATH=VALUE", "", "override a value, e.g. parameters.N=40 or hht.alpha=-0.1"},
    {"-j", NULL, "N", NULL, "runs at a time; default: as many as there are cores"},
    {"--patience", NULL, "SECONDS", NULL, "the longest time one run may take; default: 120"},
    {"--memory", NULL, "GB", NULL, "memory one run may take; default: its share of the machine's"},
    {"--report", NULL, "FILE.html", NULL, "write a web page with plots of work against precision"},
    {"--json", NULL, NULL, NULL, "print JSON"},
    {"-q", NULL, NULL, NULL, "no progress and no notes"},
    {NULL, NULL, NULL, NULL, NULL}};

enum { CELL = 9 };

// ---- text -----------------------------------------------------------------------------------------------------

typedef struct {
    const char *bold, *dim, *plain;
} colors;

static colors colors_of_terminal(void)
{
    const char *none = getenv("NO_COLOR");
    const bool wanted = isatty(1) && !(none && *none);
    return wanted ? (colors){"\033[1;32m", "\033[2m", "\033[0m"} : (colors){"", "", ""};
}

// What is compared: the model, the reference, and how the errors are measured.
static void print_head(const hol_race *r)
{
    const hol_reference *f = &r->reference;
    const hol_run *first = &f->run[f->pair[0]];
    char a[64], b[64];
    hol_run_name(first, a, sizeof a);
    hol_run_name(&f->run[f->pair[1]], b, sizeof b);
    printf("%s: %d %s, %d degree%s of freedom, ", r->model, r->bodies, r->bodies == 1 ? "body" : "bodies",
           r->freedom, r->freedom == 1 ? "" : "s");
    if (r->states) printf("%d state%s, ", r->states, r->states == 1 ? "" : "s");
    printf("0 .. %.6g s\n", first->out.time);
    printf("errors: the largest of %d signals at %zu times, each in parts of its largest value", f->n_signals,
           f->result[0]->n_rows);
    if (r->n_all > r->n_signals) printf(" (of %d signals)", r->n_all);
    printf("\nreference: %s and %s differ by %.1e", a, b, f->apart.max);
    if (f->apart.worst >= 0) printf(" (%s at %.4g s)", f->signal[f->apart.worst].name, f->apart.at);
    printf("; no smaller error is claimed\n");
    if (r->n_open)
        printf("%d signals are left out, in which the two runs of the reference differ by more than 0.01\n",
               r->n_open);
}

// CPU times of every method for every error, the fastest of each marked.
static void print_times(const hol_race *r)
{
    const colors c = colors_of_terminal();
    char text[32];
    printf("\nCPU [ms] for an error of\n%-9s", "at most");
    for (int k = r->first; k <= r->last; k++) {
        snprintf(text, sizeof text, "1e-%d", k);
        printf(" %*s%s", CELL - 1, text, k < r->last ? " " : "\n");
    }
    for (int m = 0; m < r->n_methods; m++) {
        printf("%-9s", r->method[m]);
        for (int k = r->first; k <= r->last; k++) {
            const double error = pow(10, -k);
            const int i = hol_race_fastest(r, m, error), best = hol_race_fastest(r, -1, error);
            const bool mark = i >= 0 && i == best;
            cli_race_time(r, i, text);
            printf(" %s%*s%s%s",
                   mark    ? c.bold
                   : i < 0 ? c.dim
                           : "",
                   CELL - 1, text, mark ? "*" : "", c.plain);
            printf("%s", k == r->last ? "\n" : mark ? "" : " ");
        }
    }
}

// One line for the errors that the same run serves best.
static void print_recommended(const hol_race *r)
{
    printf("\nrecommended\n%-14s %-9s %9s %9s %8s %10s %10s %15s  next\n", "error", "method", "tolerance",
           "CPU [ms]", "steps", "residuals", "Jacobians", "factorizations");
    for (int i = 0; i < r->n_choices; i++) {
        const hol_choice *c = &r->choice[i];
        const hol_run *j = &r->run[c->run].run;
        char time[32], from[32], range[64];
        cli_race_time(r, c->run, time);
        snprintf(from, sizeof from, "1e-%d", c->first);
        snprintf(range, sizeof range, c->last > c->first ? "%s .. 1e-%d" : "%s", from, c->last);
        printf("%-14s %-9s %9.0e %9s %8ld %10ld %10ld %15ld  ", range, j->method, j->tolerance, time,
               j->out.steps, j->out.residuals, j->out.jacobians, j->out.factorizations);
        if (c->second < 0)
            printf("no other method\n");
        else
            printf("%s, %.1f x\n", r->run[c->second].run.method, c->times);
    }
}

// ---- why ------------------------------------------------------------------------------------------------------

static void print_steps(const hol_outcome *x, const char *method)
{
    printf("%s takes %ld steps of %.3g us", method, x->steps, 1e6 * x->cpu_seconds / (double)x->steps);
    if (x->newton_iterations)
        printf(" (%.1f Newton iterations, %.2g factorizations)",
               (double)x->newton_iterations / (double)x->steps, (double)x->factorizations / (double)x->steps);
}

// What was seen: steps and their cost of the best and of the next one, and what held the steps of others.
static void print_seen(const hol_race *r)
{
    const hol_choice *c = &r->choice[r->n_choices / 2];
    if (!r->n_choices) return;
    const hol_run *j = &r->run[c->run].run;
    printf("  for 1e-%d ", c->last);
    print_steps(&j->out, j->method);
    if (c->second >= 0) {
        printf(", ");
        print_steps(&r->run[c->second].run.out, r->run[c->second].run.method);
    }
    printf("\n  joints open by at most %.1e of the model's size, energy lost or made by errors %.2g J\n",
           j->out.max_position_violation, j->out.energy_drift_max);
    for (int i = 0; i < r->n_runs; i++) {
        const hol_run *x = &r->run[i].run;
        if (x->fate != HOL_RUN_FINISHED || !*x->out.stiff_cause) continue;
        printf("  %s: the steps are held at %.2g s by %s, not by the error\n", x->method, x->out.stiff_step,
               x->out.stiff_cause);
        break;
    }
}

// How good the choice of `method: auto` was.
static void print_auto(const hol_race *r)
{
    double worst = 0;
    int at = -1, n = 0;
    const char *method = NULL;
    for (int k = 0; k < r->n_tolerances; k++) {
        const char *next = r->advice[k].method;
        if (!next) continue;
        if (!method || strcmp(method, next) != 0)
            printf("%s%s from %.0e on", n++ ? ", " : "  method: auto takes ", next, r->tolerance[k]);
        method = next;
        const int run = hol_race_find(r, next, k);
        if (run < 0 || !r->run[run].judged || !(r->run[run].ratio > worst)) continue;
        worst = r->run[run].ratio;
        at = k;
    }
    if (at >= 0)
        printf("; it needs at most %.2f times the time of the fastest run as accurate (at %.0e)", worst,
               r->tolerance[at]);
    if (n) printf("\n");
}

static void print_why(const hol_race *r)
{
    const hol_advice *a = &r->advice[r->n_tolerances / 2];
    printf("\nwhy\n");
    for (int i = 0; a->method && i < a->n_reasons; i++) printf("  %s\n", a->reason[i]);
    print_seen(r);
    print_auto(r);
}

// ---- runs -----------------------------------------------------------------------------------------------------

// The table of all runs that have an error, method by method.
static void print_runs(const hol_race *r)
{
    printf("\n%-9s %9s %9s %9s %9s %8s %10s %10s %15s  largest error\n", "method", "tolerance", "error",
           "rms", "CPU [ms]", "steps", "residuals", "Jacobians", "factorizations");
    for (int m = 0; m < r->n_methods; m++)
        for (int k = 0; k < r->n_tolerances; k++) {
            const int i = k * r->n_methods + m;
            const hol_race_run *x = &r->run[i];
            const hol_outcome *y = &x->run.out;
            char time[32];
            if (!x->judged) continue;
            cli_race_time(r, i, time);
            printf("%-9s %9.0e %9.1e %9.1e %9s %8ld %10ld %10ld %15ld  ", x->run.method, x->run.tolerance,
                   x->error.max, x->error.rms, time, y->steps, y->residuals, y->jacobians, y->factorizations);
            printf("%s at %.4g s\n", x->error.worst >= 0 ? r->reference.signal[x->error.worst].name : "-",
                   x->error.at);
        }
}

// Has another run of the method failed for the same reason?
static bool same_failure(const hol_race_run *x, const hol_race_run *y)
{
    if (y->judged) return false;
    if (y->run.fate == HOL_RUN_LEFT_OUT) return true; // for that reason
    return x->run.fate == y->run.fate && strcmp(x->run.out.message, y->run.out.message) == 0;
}

// What did not reach the end: a line for each reason of a method.
static void print_failures(const hol_race *r)
{
    bool any = false;
    for (int m = 0; m < r->n_methods; m++)
        for (int k = 0; k < r->n_tolerances; k++) {
            const int from = k;
            const hol_race_run *x = &r->run[k * r->n_methods + m];
            if (!x->run.failed) continue;
            while (k + 1 < r->n_tolerances && same_failure(x, &r->run[(k + 1) * r->n_methods + m])) k++;
            printf("%s%-9s %.0e", any ? "" : "\nnot at the end\n", r->method[m], r->tolerance[from]);
            if (k > from) printf(" .. %.0e", r->tolerance[k]);
            printf("  %s\n", x->run.failed);
            any = true;
        }
    hol_method_info m;
    int n = 0;
    for (int i = 0; hol_method_list(i, &m); i++)
        if (m.fixed_steps) printf("%s%s", n++ ? ", " : any ? "" : "\n", m.name);
    if (n) printf(": fixed steps only, not compared\n");
}

static void print_text(const hol_race *r)
{
    print_head(r);
    print_times(r);
    print_recommended(r);
    print_why(r);
    print_runs(r);
    print_failures(r);
}

// ---- JSON -----------------------------------------------------------------------------------------------------

// One run, or why it failed.
static void json_run(const hol_race *r, int i)
{
    const hol_race_run *x = &r->run[i];
    const hol_outcome *y = &x->run.out;
    printf("    {\"method\": \"%s\", \"tolerance\": %g", x->run.method, x->run.tolerance);
    if (!x->judged) {
        printf(", \"failed\": ");
        cli_print_json(x->run.failed);
        printf("}");
        return;
    }
    cli_print_json_number("error", x->error.max);
    cli_print_json_number("rms", x->error.rms);
    cli_print_json_number("cpu_seconds", y->cpu_seconds);
    cli_print_json_number("ratio", x->ratio);
    printf(", \"steps\": %ld, \"rejected\": %ld, \"residuals\": %ld, \"jacobians\": %ld, "
           "\"factorizations\": %ld, \"newton_iterations\": %ld",
           y->steps, y->rejected, y->residuals, y->jacobians, y->factorizations, y->newton_iterations);
    cli_print_json_number("energy_drift_max", y->energy_drift_max);
    cli_print_json_number("max_position_violation", y->max_position_violation);
    printf(", \"signals\": {");
    for (int k = 0; k < r->reference.n_signals; k++) {
        printf("%s", k ? ", " : "");
        cli_print_json(r->reference.signal[k].name);
        printf(": [%.3g, %.3g]", x->error.signal[k].max, x->error.signal[k].rms);
    }
    printf("}}");
}

// All runs, the reference, and what is recommended for which error.
static void print_json(const hol_race *r)
{
    const hol_reference *f = &r->reference;
    printf("{\n  \"model\": ");
    cli_print_json(r->model);
    printf(",\n  \"reference\": {\"runs\": [");
    for (int k = 0; k < 2; k++)
        printf("%s{\"method\": \"%s\", \"tolerance\": %g}", k ? ", " : "", f->run[f->pair[k]].method,
               f->run[f->pair[k]].tolerance);
    printf("], \"differ\": %.17g},\n  \"recommended\": [", f->apart.max);
    for (int i = 0; i < r->n_choices; i++) {
        const hol_run *run = &r->run[r->choice[i].run].run;
        printf("%s\n    {\"error\": [1e-%d, 1e-%d], \"method\": \"%s\", \"tolerance\": %g}", i ? "," : "",
               r->choice[i].first, r->choice[i].last, run->method, run->tolerance);
    }
    printf("\n  ],\n  \"auto\": [");
    for (int k = 0; k < r->n_tolerances; k++) {
        const int i = r->advice[k].method ? hol_race_find(r, r->advice[k].method, k) : -1;
        printf("%s{\"tolerance\": %g, \"method\": \"%s\"", k ? ", " : "", r->tolerance[k],
               r->advice[k].method ? r->advice[k].method : "");
        cli_print_json_number("ratio", i >= 0 ? r->run[i].ratio : (double)NAN);
        printf("}");
    }
    printf("],\n  \"runs\": [\n");
    for (int i = 0; i < r->n_runs; i++) {
        json_run(r, i);
        printf("%s\n", i + 1 < r->n_runs ? "," : "");
    }
    printf("  ]\n}\n");
}

// ---- the verb -------------------------------------------------------------------------------------------------

// Opened before the race, which must not be lost for a wrong name.
static int open_page(hol_context *ctx, const cli_options *o, hol_output *page)
{
    *page = (hol_output){.held = -1};
    if (!o->report) return 0;
    if (hol_report_check_name(ctx, o->report)) return cli_fail(ctx, HOL_ERR_USAGE);
    const int code = cli_check_outputs(o);
    if (code) return code;
    return hol_output_open(ctx, page, o->report, HOL_OUTPUT_WHOLE) ? 0
                                                                   : cli_not_written(o->report, page->why);
}

// A reference that there is not, with what became of each of its runs; or why nothing can be judged.
static int fail(const hol_race *r)
{
    if (!r->status) return 0;
    fprintf(stderr, "holonom: error: %s\n", r->why);
    if (r->reference.pair[0] < 0) cli_print_reference(&r->reference);
    return cli_exit_code(r->status);
}

// How many runs of the race are over, on a terminal.
static void progress(void *user, const hol_run *run, int done, int wanted)
{
    (void)user;
    (void)run;
    if (!wanted) return;
    fprintf(stderr, "\r%d of %d runs ", done, wanted);
    if (done == wanted) fprintf(stderr, "\r%30s\r", "");
    fflush(stderr);
}

// Runs all, and prints; *race is there where there is something to be drawn.
static int hold(hol_context *ctx, const cli_options *o, hol_race **race)
{
    hol_race_options wanted = {0};
    cli_study s;
    int code = cli_study_make(ctx, o, &s);
    if (!code) code = cli_race_options(o, &s, &wanted);
    wanted.study = s.study;
    if (isatty(2) && !o->quiet) wanted.study.ended = progress;
    if (!code && !(*race = hol_race_create(ctx, s.model, &wanted))) code = cli_study_fail(ctx, o);
    cli_study_free(&s);
    if (code) return code;
    if ((*race)->n_runs) (o->json ? print_json : print_text)(*race);
    return fail(*race);
}

// The verb: opens the page before anything runs, then runs and prints.
static int run(hol_context *ctx, const cli_options *o)
{
    hol_output page;
    hol_race *race = NULL;
    int code = open_page(ctx, o, &page);
    if (!code) code = hold(ctx, o, &race);
    const bool drawn = race && race->n_runs && page.file;
    if (drawn) cli_compare_page(race, page.file);
    hol_race_destroy(race);
    if (hol_output_close(&page, drawn) || !drawn) return code;
    return code ? code : cli_not_written(o->report, page.why);
}

const cli_verb cli_compare = {"compare",
                              "MODEL [options]",
                              "run every method on a model: which is the fastest for which error",
                              "Examples:\n  holonom compare models/slider_crank.yaml\n"
                              "  holonom compare models/hmmwv.yaml --methods hht,rn4,bdf --tols 1e-2..1e-5 "
                              "--signals chassis --report hmmwv.html",
                              options,
                              run};
