// holonom compare MODEL: every method at several tolerances; which is the fastest for which error, and why.
#include "base/file.h"
#include "cli/compare_page.h"
#include "cli/names.h"

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
static void print_head(const cli_race *r)
{
    const cli_plan *p = &r->plan;
    const cli_reference *f = &r->reference;
    char a[64], b[64];
    cli_job_name(f->run[0], a);
    cli_job_name(f->run[1], b);
    printf("%s: %d %s, %d degree%s of freedom, 0 .. %.6g s\n", p->o->model, p->bodies,
           p->bodies == 1 ? "body" : "bodies", p->freedom, p->freedom == 1 ? "" : "s", f->run[0]->out.time);
    printf("errors: the largest of %d signals at %zu times, each in parts of its largest value", f->scale.n,
           f->result[0]->n_rows);
    if (p->n_all > p->n_signals) printf(" (of %d signals)", p->n_all);
    printf("\nreference: %s and %s differ by %.1e", a, b, f->apart.max);
    if (f->apart.worst >= 0) printf(" (%s at %.4g s)", f->scale.signal[f->apart.worst].name, f->apart.at);
    printf("; no smaller error is claimed\n");
    if (r->n_open)
        printf("%d signals are left out, in which the two runs of the reference differ by more than 0.01\n",
               r->n_open);
}

// CPU times of every method for every error, the fastest of each marked.
static void print_times(const cli_race *r)
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
            const int i = cli_race_fastest(r, m, error), best = cli_race_fastest(r, -1, error);
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
static void print_recommended(const cli_race *r)
{
    cli_choice choice[CLI_LEVELS];
    const int n = cli_race_choices(r, choice);
    printf("\nrecommended\n%-14s %-9s %9s %9s %8s %10s %10s %15s  next\n", "error", "method", "tolerance",
           "CPU [ms]", "steps", "residuals", "Jacobians", "factorizations");
    for (int i = 0; i < n; i++) {
        const cli_choice *c = &choice[i];
        const cli_job *j = &r->run[c->run].job;
        char time[32], from[32], range[64];
        cli_race_time(r, c->run, time);
        snprintf(from, sizeof from, "1e-%d", c->first);
        snprintf(range, sizeof range, c->last > c->first ? "%s .. 1e-%d" : "%s", from, c->last);
        printf("%-14s %-9s %9.0e %9s %8ld %10ld %10ld %15ld  ", range, j->method, j->tolerance, time,
               j->out.steps, j->out.residuals, j->out.jacobians, j->out.factorizations);
        if (c->second < 0)
            printf("no other method\n");
        else
            printf("%s, %.1f x\n", r->run[c->second].job.method, c->times);
    }
}

// ---- why ------------------------------------------------------------------------------------------------------

static void print_steps(const cli_outcome *x, const char *method)
{
    printf("%s takes %ld steps of %.3g us", method, x->steps, 1e6 * x->cpu / (double)x->steps);
    if (x->newton_iterations)
        printf(" (%.1f Newton iterations, %.2g factorizations)",
               (double)x->newton_iterations / (double)x->steps, (double)x->factorizations / (double)x->steps);
}

// What was seen: steps and their cost of the best and of the next one, and what held the steps of others.
static void print_seen(const cli_race *r)
{
    cli_choice choice[CLI_LEVELS];
    const int n = cli_race_choices(r, choice);
    const cli_choice *c = &choice[n / 2];
    if (!n) return;
    const cli_job *j = &r->run[c->run].job;
    printf("  for 1e-%d ", c->last);
    print_steps(&j->out, j->method);
    if (c->second >= 0) {
        printf(", ");
        print_steps(&r->run[c->second].job.out, r->run[c->second].job.method);
    }
    printf("\n  joints open by at most %.1e of the model's size, energy lost or made by errors %.2g J\n",
           j->out.violation, j->out.energy_drift);
    for (int i = 0; i < cli_race_runs(r); i++) {
        const cli_job *x = &r->run[i].job;
        if (x->fate != CLI_FINISHED || !*x->out.stiff_cause) continue;
        printf("  %s: the steps are held at %.2g s by %s, not by the error\n", x->method, x->out.stiff_step,
               x->out.stiff_cause);
        break;
    }
}

// How good the choice of `method: auto` was.
static void print_auto(const cli_race *r)
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
        const int run = cli_race_find(r, next, k);
        if (run < 0 || !r->run[run].judged || !(cli_race_ratio(r, run) > worst)) continue;
        worst = cli_race_ratio(r, run);
        at = k;
    }
    if (at >= 0)
        printf("; it needs at most %.2f times the time of the fastest run as accurate (at %.0e)", worst,
               r->tolerance[at]);
    if (n) printf("\n");
}

static void print_why(const cli_race *r)
{
    const hol_advice *a = &r->advice[r->n_tolerances / 2];
    printf("\nwhy\n");
    for (int i = 0; a->method && i < a->n_reasons; i++) printf("  %s\n", a->reason[i]);
    print_seen(r);
    print_auto(r);
}

// ---- runs -----------------------------------------------------------------------------------------------------

// The table of all runs that have an error, method by method.
static void print_runs(const cli_race *r)
{
    printf("\n%-9s %9s %9s %9s %9s %8s %10s %10s %15s  largest error\n", "method", "tolerance", "error",
           "rms", "CPU [ms]", "steps", "residuals", "Jacobians", "factorizations");
    for (int m = 0; m < r->n_methods; m++)
        for (int k = 0; k < r->n_tolerances; k++) {
            const int i = k * r->n_methods + m;
            const cli_entry *x = &r->run[i];
            const cli_outcome *y = &x->job.out;
            char time[32];
            if (!x->judged) continue;
            cli_race_time(r, i, time);
            printf("%-9s %9.0e %9.1e %9.1e %9s %8ld %10ld %10ld %15ld  ", x->job.method, x->job.tolerance,
                   x->error.max, x->error.rms, time, y->steps, y->residuals, y->jacobians, y->factorizations);
            printf("%s at %.4g s\n",
                   x->error.worst >= 0 ? r->reference.scale.signal[x->error.worst].name : "-", x->error.at);
        }
}

// What did not reach the end: a line for each reason of a method.
static void print_failures(const cli_race *r)
{
    bool any = false;
    char text[CLI_MESSAGE + 64];
    for (int m = 0; m < r->n_methods; m++)
        for (int k = 0; k < r->n_tolerances; k++) {
            const int from = k;
            if (!cli_race_failure(r, k * r->n_methods + m, text)) continue;
            while (k + 1 < r->n_tolerances &&
                   cli_race_same_failure(r, from * r->n_methods + m, (k + 1) * r->n_methods + m))
                k++;
            printf("%s%-9s %.0e", any ? "" : "\nnot at the end\n", r->method[m], r->tolerance[from]);
            if (k > from) printf(" .. %.0e", r->tolerance[k]);
            printf("  %s\n", text);
            any = true;
        }
    hol_method_info m;
    int n = 0;
    for (int i = 0; hol_method_list(i, &m); i++)
        if (m.fixed_steps) printf("%s%s", n++ ? ", " : any ? "" : "\n", m.name);
    if (n) printf(": fixed steps only, not compared\n");
}

static void print_text(const cli_race *r)
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
static void json_run(const cli_race *r, int i)
{
    const cli_entry *x = &r->run[i];
    const cli_outcome *y = &x->job.out;
    char text[CLI_MESSAGE + 64];
    printf("    {\"method\": \"%s\", \"tolerance\": %g", x->job.method, x->job.tolerance);
    if (!x->judged) {
        cli_race_failure(r, i, text);
        printf(", \"failed\": ");
        cli_print_json(text);
        printf("}");
        return;
    }
    cli_print_json_number("error", x->error.max);
    cli_print_json_number("rms", x->error.rms);
    cli_print_json_number("cpu_seconds", y->cpu);
    cli_print_json_number("ratio", cli_race_ratio(r, i));
    printf(", \"steps\": %ld, \"rejected\": %ld, \"residuals\": %ld, \"jacobians\": %ld, "
           "\"factorizations\": %ld, \"newton_iterations\": %ld",
           y->steps, y->rejected, y->residuals, y->jacobians, y->factorizations, y->newton_iterations);
    cli_print_json_number("energy_drift_max", y->energy_drift);
    cli_print_json_number("max_position_violation", y->violation);
    printf(", \"signals\": {");
    for (int k = 0; k < r->reference.scale.n; k++) {
        printf("%s", k ? ", " : "");
        cli_print_json(r->reference.scale.signal[k].name);
        printf(": [%.3g, %.3g]", x->error.signal[k].max, x->error.signal[k].rms);
    }
    printf("}}");
}

// All runs, the reference, and what is recommended for which error.
static void print_json(const cli_race *r)
{
    const cli_reference *f = &r->reference;
    cli_choice choice[CLI_LEVELS];
    const int n = cli_race_choices(r, choice);
    printf("{\n  \"model\": ");
    cli_print_json(r->plan.o->model);
    printf(",\n  \"reference\": {\"runs\": [");
    for (int k = 0; k < 2; k++)
        printf("%s{\"method\": \"%s\", \"tolerance\": %g}", k ? ", " : "", f->run[k]->method,
               f->run[k]->tolerance);
    printf("], \"differ\": %.17g},\n  \"recommended\": [", f->apart.max);
    for (int i = 0; i < n; i++)
        printf("%s\n    {\"error\": [1e-%d, 1e-%d], \"method\": \"%s\", \"tolerance\": %g}", i ? "," : "",
               choice[i].first, choice[i].last, r->run[choice[i].run].job.method,
               r->run[choice[i].run].job.tolerance);
    printf("\n  ],\n  \"auto\": [");
    for (int k = 0; k < r->n_tolerances; k++) {
        const int i = r->advice[k].method ? cli_race_find(r, r->advice[k].method, k) : -1;
        printf("%s{\"tolerance\": %g, \"method\": \"%s\"", k ? ", " : "", r->tolerance[k],
               r->advice[k].method ? r->advice[k].method : "");
        cli_print_json_number("ratio", i >= 0 && r->run[i].judged ? cli_race_ratio(r, i) : (double)NAN);
        printf("}");
    }
    printf("],\n  \"runs\": [\n");
    for (int i = 0; i < cli_race_runs(r); i++) {
        json_run(r, i);
        printf("%s\n", i + 1 < cli_race_runs(r) ? "," : "");
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

// The verb: opens the page before anything runs, then runs and prints.
static int run(hol_context *ctx, const cli_options *o)
{
    hol_output page;
    bool drawn = false;
    int code = open_page(ctx, o, &page);
    cli_race *r = code ? NULL : malloc(sizeof *r);
    if (!code && !r) code = 1;
    if (r) {
        code = cli_race_make(ctx, o, r);
        if (!code) (o->json ? print_json : print_text)(r);
        drawn = !code && page.file;
        if (drawn) cli_compare_page(r, page.file);
        if (!code && cli_race_fastest(r, -1, HUGE_VAL) < 0) {
            fprintf(
                stderr,
                "holonom: error: no run reached the end with a result that can be judged; other --methods or "
                "--tols?\n");
            code = 5;
        }
        cli_race_free(r);
    }
    free(r);
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
