// holonom certify MODEL: how many digits of a result are sure, by two methods of different families.
#include "base/file.h"
#include "cli/names.h"
#include "cli/study.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const cli_option options[] = {
    {"--signals", "-s", "A,B,...", NULL, "signals or groups; default: positions of all bodies"},
    {"--digits", NULL, "D", NULL, "digits wanted, 1 to 11; default: 6"},
    {"--end", NULL, "T", "simulate.end=", "end in seconds"},
    {"--set", NULL, "PATH=VALUE", "", "override a value, e.g. parameters.N=40 or simulate.output=0.05"},
    {"-j", NULL, "N", NULL, "runs at a time; default: as many as there are cores"},
    {"--patience", NULL, "SECONDS", NULL, "the longest time one run may take; default: 120"},
    {"--memory", NULL, "GB", NULL, "memory one run may take; default: its share of the machine's"},
    {"--out", "-o", "FILE.csv", NULL, "write the results that are certified"},
    {"--json", NULL, NULL, NULL, "print JSON"},
    {"-q", NULL, NULL, NULL, "print nothing; the exit code says it"},
    {NULL, NULL, NULL, NULL, NULL}};

// ---- text -----------------------------------------------------------------------------------------------------

static void print_head(const hol_certificate *c)
{
    const hol_reference *r = &c->reference;
    const hol_result *first = r->result[0];
    char a[64], b[64];
    hol_run_name(&r->run[r->pair[0]], a, sizeof a);
    hol_run_name(&r->run[r->pair[1]], b, sizeof b);
    printf("%s, 0 .. %.6g s: %s against %s, %zu times\n", c->model,
           first->value[(first->n_rows - 1) * (size_t)first->n_columns], a, b, first->n_rows);
}

// Digits and errors of each signal, as a table.
static void print_text(const hol_certificate *c)
{
    const hol_reference *r = &c->reference;
    int width = (int)strlen("signal");
    bool steps = false;
    for (int i = 0; i < r->n_signals; i++) {
        steps = steps || r->signal[i].of_run;
        if ((int)strlen(r->signal[i].name) > width) width = (int)strlen(r->signal[i].name);
    }
    print_head(c);
    printf("%-*s  digits  largest error  at t [s]   RMS error  largest value  unit\n", width, "signal");
    for (int i = 0; i < r->n_signals; i++) {
        const hol_judged *s = &r->signal[i];
        const hol_certified *e = &c->signal[i];
        if (s->zero) {
            printf("%-*s  %6s  %13s  %8s  %10s  %13.2g  %s\n", width, s->name, s->of_run ? "-" : "zero", "",
                   "", "", s->largest, *s->unit ? s->unit : "1");
            continue;
        }
        printf("%-*s  %6d  %13.1e  %8.4g  %10.1e  %13.6g  %s", width, s->name, e->digits, e->error, e->at,
               e->rms, s->largest, *s->unit ? s->unit : "1");
        if (e->digits < c->wanted) printf("  (%d until %.4g s)", c->wanted, e->until);
        printf("\n");
    }
    if (c->because)
        printf("%s\n", c->because);
    else
        printf("verified: %d digits of all signals%s\n", c->wanted, steps ? " but those of the steps" : "");
}

// ---- JSON -----------------------------------------------------------------------------------------------------

// The same as JSON.
static void print_json(const hol_certificate *c)
{
    const hol_reference *r = &c->reference;
    printf("{\n  \"wanted\": %d, \"verified\": %s,\n  \"runs\": [", c->wanted,
           c->n_missed ? "false" : "true");
    for (int k = 0; k < 2; k++)
        printf("%s{\"method\": \"%s\", \"tolerance\": %g}", k ? ", " : "", r->run[r->pair[k]].method,
               r->run[r->pair[k]].tolerance);
    printf("],\n  \"signals\": [");
    for (int i = 0; i < r->n_signals; i++) {
        const hol_judged *s = &r->signal[i];
        const hol_certified *e = &c->signal[i];
        printf("%s\n    {\"name\": ", i ? "," : "");
        cli_print_json(s->name);
        printf(", \"unit\": ");
        cli_print_json(s->unit);
        printf(", \"compared\": %s, \"zero\": %s, \"digits\": %d", s->of_run ? "false" : "true",
               s->zero && !s->of_run ? "true" : "false", e->digits);
        cli_print_json_number("max", s->zero ? s->largest : e->error);
        cli_print_json_number("rms", e->rms);
        cli_print_json_number("time", e->at);
        cli_print_json_number("size", s->largest);
        printf("}");
    }
    printf("\n  ]\n}\n");
}

// ---- the verb -------------------------------------------------------------------------------------------------

// Results are written as .csv only.
static int check_out(const cli_options *o)
{
    for (int i = 0; i < o->n_out; i++) {
        const char *dot = strrchr(o->out[i], '.');
        if (!dot || strcmp(dot, ".csv") != 0) {
            fprintf(stderr,
                    "holonom: error: %s: certified results are written as .csv; give a name that ends so\n",
                    o->out[i]);
            return 2;
        }
    }
    return cli_check_outputs(o);
}

typedef struct {
    hol_output file[CLI_MAX_OUT];
    int n;
} outputs;

// Opened before anything runs: what takes long must not be lost for a wrong name.
static int open_out(hol_context *ctx, const cli_options *o, outputs *out)
{
    for (; out->n < o->n_out; out->n++)
        if (!hol_output_open(ctx, &out->file[out->n], o->out[out->n], HOL_OUTPUT_WHOLE))
            return cli_not_written(o->out[out->n], out->file[out->n].why);
    return 0;
}

// The results of the first of the two runs. Their places were held until now.
static int write_out(hol_context *ctx, const cli_options *o, const hol_certificate *c, outputs *out)
{
    for (int i = 0; i < o->n_out; i++) {
        (void)hol_output_close(&out->file[i], false);
        const hol_status st = hol_result_write(ctx, c->reference.result[0], o->out[i]);
        if (st) return cli_fail(ctx, st);
    }
    return 0;
}

// Prints, and says what is not verified.
static int tell(const cli_options *o, const hol_certificate *c)
{
    const bool judged = c->signal && (c->n_missed || !c->status);
    if (judged && !o->quiet) (o->json ? print_json : print_text)(c);
    if (!c->status) return 0;
    fflush(stdout);
    fprintf(stderr, "holonom: error: %s\n", c->why);
    if (!c->signal) cli_print_reference(&c->reference);
    return cli_exit_code(c->status);
}

// The verb: the options, the certificate, what is printed and written.
static int run(hol_context *ctx, const cli_options *o)
{
    outputs out = {.n = 0};
    cli_study s = {0};
    int code = check_out(o);
    if (!code) code = cli_study_make(ctx, o, &s);
    if (!code) code = open_out(ctx, o, &out);
    const hol_certificate_options wanted = {.study = s.study, .digits = cli_count(o->digits)};
    hol_certificate *c = code ? NULL : hol_certificate_create(ctx, s.model, &wanted);
    if (!code) code = c ? tell(o, c) : cli_study_fail(ctx, o);
    if (!code) code = write_out(ctx, o, c, &out);
    for (int i = 0; i < out.n; i++) (void)hol_output_close(&out.file[i], false); // what was not written
    hol_certificate_destroy(c);
    cli_study_free(&s);
    return code;
}

const cli_verb cli_certify = {
    "certify",
    "MODEL [options]",
    "say how many digits of a result are sure",
    "Examples:\n  holonom certify models/slider_crank.yaml --signals crank,slider --digits 8\n"
    "  holonom certify models/double_pendulum.yaml --end 1 -q || echo not sure",
    options,
    run};
