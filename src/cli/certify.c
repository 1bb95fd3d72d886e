// holonom certify MODEL: how many digits of a result are sure, by two methods of different families.
#include "base/file.h"
#include "cli/names.h"
#include "cli/plan.h"

#include <math.h>
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

// Two runs that agree may still both be wrong by as much as they differ.
#define DOUBT 2
#define LOST 1e-3  // apart by so much they follow different motions
#define LATER 0.02 // of the simulation: that much later with a smaller tolerance
enum { MOST_DIGITS = 11, ALL_DIGITS = 15 };

typedef struct {
    cli_plan plan;
    cli_reference reference;
    int wanted, missed; // digits; signals with fewer
    double limit;       // what a signal may differ by for them, in its size
    hol_output out[CLI_MAX_OUT];
    int n_out;
} certificate;

static int read_digits(const char *text, int *out)
{
    char *end;
    const long n = text ? strtol(text, &end, 10) : 6;
    *out = (int)n;
    if (!text || (end != text && !*end && n >= 1 && n <= MOST_DIGITS)) return 0;
    fprintf(stderr, "holonom: error: --digits %s: a number of digits is wanted, 1 to %d\n", text,
            MOST_DIGITS);
    return 2;
}

static double bound(const certificate *c, int i) { return DOUBT * c->reference.apart.signal[i].max; }

static int digits(const certificate *c, int i)
{
    const double e = bound(c, i);
    if (!(e < 1)) return 0;
    return e > 0 ? (int)fmin(ALL_DIGITS, floor(-log10(e))) : ALL_DIGITS;
}

// ---- why not --------------------------------------------------------------------------------------------------

// When the two runs of one tolerance part; NaN: they do not, or there is no such pair.
static double end_of(const hol_result *r) { return r->value[(r->n_rows - 1) * (size_t)r->n_columns]; }

// How far the two methods were apart at another tolerance that both have run with; NaN: they have not.
static double parts_at(certificate *c, double tolerance)
{
    const cli_reference *r = &c->reference;
    const cli_job *pair[2] = {NULL, NULL};
    double first = (double)NAN;
    for (int i = 0; i < r->n_jobs; i++)
        for (int k = 0; k < 2; k++)
            if (strcmp(r->job[i].method, r->run[k]->method) == 0 &&
                fabs(r->job[i].tolerance / tolerance - 1) < 1e-6)
                pair[k] = &r->job[i];
    hol_result *a = pair[0] ? cli_plan_read(&c->plan, pair[0]) : NULL,
               *b = pair[1] ? cli_plan_read(&c->plan, pair[1]) : NULL;
    for (int i = 0; i < r->scale.n && a && b; i++)
        if (!r->scale.signal[i].zero) first = fmin(first, cli_accuracy_until(&r->scale, i, a, b, LOST));
    hol_result_destroy(a);
    hol_result_destroy(b);
    return first;
}

// The methods of all runs made, each with the smallest tolerance at which it came to the end.
static void print_limit(const cli_reference *r)
{
    const char *comma = "";
    printf("at the limit: no two methods of different families agree better, of ");
    for (int i = 0; i < r->n_jobs; i++) {
        char name[64];
        bool tightest = r->job[i].fate == CLI_FINISHED;
        for (int k = 0; k < r->n_jobs && tightest; k++)
            tightest = strcmp(r->job[k].method, r->job[i].method) != 0 || r->job[k].fate != CLI_FINISHED ||
                       r->job[k].tolerance >= r->job[i].tolerance;
        if (!tightest) continue;
        cli_job_name(&r->job[i], name);
        printf("%s%s", comma, name);
        comma = ", ";
    }
    printf("\n");
}

// What keeps the two apart: a sentence.
static void print_cause(certificate *c)
{
    const cli_reference *r = &c->reference;
    const double tight = fmax(r->run[0]->tolerance, r->run[1]->tolerance), late = parts_at(c, tight);
    double early = parts_at(c, 100 * tight), looser = 100;
    if (isnan(early)) early = parts_at(c, 0.01 * tight), looser = 0.01;
    if (looser < 1 && early < late)
        looser = 100; // the tighter pair parts sooner: not a question of tolerance
    cli_plan *p = &c->plan;
    const int kinks = cli_plan_kinks(p);
    if (r->apart.ends_apart)
        printf("they end at different times, %.6g s and %.6g s: an event that one of the two does not meet\n",
               end_of(r->result[0]), end_of(r->result[1]));
    else if (r->apart.max > LOST && (looser > 1 ? late - early : early - late) > LATER * p->end)
        printf("chaotic: with a hundredth of the tolerance the two stay together until %.4g s instead of "
               "%.4g s, a factor of "
               "10 each %.2g s\n",
               fmax(late, early), fmin(late, early), fabs(late - early) / 2);
    else if (p->events || kinks)
        printf("discontinuous: the model has %s%s%s, over which no method keeps its order\n",
               p->events ? "events" : "", p->events && kinks ? " and " : "",
               kinks ? "functions with a jump in the derivative" : "");
    else if (r->apart.max > LOST && isnan(early))
        printf("not known: the two part at %.4g s, and no other tolerance reached the end\n", late);
    else if (r->apart.max > LOST)
        printf("discontinuous: the two part at %.4g s with every tolerance: there the motion branches, as at "
               "a singular "
               "pose, or a force jumps\n",
               late);
    else
        print_limit(r);
}

// ---- text -----------------------------------------------------------------------------------------------------

static void print_head(const certificate *c)
{
    const cli_reference *r = &c->reference;
    char a[64], b[64];
    cli_job_name(r->run[0], a);
    cli_job_name(r->run[1], b);
    printf("%s, 0 .. %.6g s: %s against %s, %zu times\n", c->plan.o->model,
           r->result[0]->value[(r->result[0]->n_rows - 1) * (size_t)r->result[0]->n_columns], a, b,
           r->result[0]->n_rows);
}

// Digits and errors of each signal, as a table.
static void print_text(certificate *c)
{
    const cli_reference *r = &c->reference;
    int width = (int)strlen("signal");
    bool steps = false;
    for (int i = 0; i < r->scale.n; i++) {
        steps = steps || r->scale.signal[i].of_run;
        if ((int)strlen(r->scale.signal[i].name) > width) width = (int)strlen(r->scale.signal[i].name);
    }
    print_head(c);
    printf("%-*s  digits  largest error  at t [s]   RMS error  largest value  unit\n", width, "signal");
    for (int i = 0; i < r->scale.n; i++) {
        const cli_signal *s = &r->scale.signal[i];
        const cli_error *e = &r->apart.signal[i];
        if (s->zero) {
            printf("%-*s  %6s  %13s  %8s  %10s  %13.2g  %s\n", width, s->name, s->of_run ? "-" : "zero", "",
                   "", "", s->own, *s->unit ? s->unit : "1");
            continue;
        }
        const int n = digits(c, i);
        printf("%-*s  %6d  %13.1e  %8.4g  %10.1e  %13.6g  %s", width, s->name, n, bound(c, i) * s->size,
               e->at, DOUBT * e->rms * s->size, s->own, *s->unit ? s->unit : "1");
        if (n < c->wanted)
            printf("  (%d until %.4g s)", c->wanted,
                   cli_accuracy_until(&r->scale, i, r->result[0], r->result[1], c->limit));
        printf("\n");
    }
    if (c->missed)
        print_cause(c);
    else
        printf("verified: %d digits of all signals%s\n", c->wanted, steps ? " but those of the steps" : "");
}

// ---- JSON -----------------------------------------------------------------------------------------------------

// The same as JSON.
static void print_json(const certificate *c)
{
    const cli_reference *r = &c->reference;
    printf("{\n  \"wanted\": %d, \"verified\": %s,\n  \"runs\": [", c->wanted, c->missed ? "false" : "true");
    for (int k = 0; k < 2; k++)
        printf("%s{\"method\": \"%s\", \"tolerance\": %g}", k ? ", " : "", r->run[k]->method,
               r->run[k]->tolerance);
    printf("],\n  \"signals\": [");
    for (int i = 0; i < r->scale.n; i++) {
        const cli_signal *s = &r->scale.signal[i];
        const cli_error *e = &r->apart.signal[i];
        printf("%s\n    {\"name\": ", i ? "," : "");
        cli_print_json(s->name);
        printf(", \"unit\": ");
        cli_print_json(s->unit);
        printf(", \"compared\": %s, \"zero\": %s, \"digits\": %d", s->of_run ? "false" : "true",
               s->zero && !s->of_run ? "true" : "false", s->zero ? 0 : digits(c, i));
        cli_print_json_number("max", s->zero ? s->own : bound(c, i) * s->size);
        cli_print_json_number("rms", DOUBT * e->rms * s->size);
        cli_print_json_number("time", e->at);
        cli_print_json_number("size", s->own);
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

// Opened before anything runs: what takes long must not be lost for a wrong name.
static int open_out(hol_context *ctx, const cli_options *o, certificate *c)
{
    for (; c->n_out < o->n_out; c->n_out++)
        if (!hol_output_open(ctx, &c->out[c->n_out], o->out[c->n_out], HOL_OUTPUT_WHOLE))
            return cli_not_written(o->out[c->n_out], c->out[c->n_out].why);
    return 0;
}

// The results of the first of the two runs, as they are.
static int write_out(const certificate *c, const char *path, hol_output *out)
{
    char from[CLI_PATH], block[1 << 14];
    cli_result_path(c->plan.folder, c->reference.run[0]->result, from);
    FILE *in = fopen(from, "rb");
    bool good = in;
    for (size_t n; good && (n = fread(block, 1, sizeof block, in)) > 0;)
        good = fwrite(block, 1, n, out->file) == n;
    good = good && !ferror(in);
    if (in) fclose(in);
    return hol_output_close(out, good) ? 0 : cli_not_written(path, out->why);
}

// Compares the digits of all signals with those asked for, prints, and tells the worst; exit code 6 if some
// are missed.
static int judge(certificate *c)
{
    const cli_reference *r = &c->reference;
    int worst = -1, judged = 0, compared = 0;
    for (int i = 0; i < r->scale.n; i++) {
        compared += !r->scale.signal[i].of_run;
        judged += !r->scale.signal[i].zero;
        if (r->scale.signal[i].zero || digits(c, i) >= c->wanted) continue;
        c->missed++;
        if (worst < 0 || digits(c, i) < digits(c, worst)) worst = i;
    }
    if (!judged) {
        fprintf(stderr, "holonom: error: %s: there are no digits to verify; name others with --signals\n",
                compared ? "all signals stay at zero" : "what belongs to the steps is not compared");
        return 6;
    }
    if (!c->plan.o->quiet) (c->plan.o->json ? print_json(c) : print_text(c));
    if (!c->missed) return 0;
    fflush(stdout);
    fprintf(stderr, "holonom: error: %d digits are not verified of %d of %d signals; %s has %d\n", c->wanted,
            c->missed, compared, r->scale.signal[worst].name, digits(c, worst));
    return 6;
}

// Functions of time are searched ten times finer than in other runs; where whether they jump cannot be known, nothing is sure.
static int look_closer(certificate *c)
{
    static const char closer[] = "simulate.search=10";
    char *text = malloc(sizeof closer);
    if (!text) return 1;
    memcpy(text, closer, sizeof closer);
    cli_plan_set(&c->plan, text);
    if (!c->plan.undecided) return 0;
    fprintf(stderr,
            "holonom: error: not known: %d function%s of time may jump at times that no run knows of; "
            "`holonom check` "
            "names %s\n",
            c->plan.undecided, c->plan.undecided == 1 ? "" : "s", c->plan.undecided == 1 ? "it" : "them");
    return 6;
}

// The verb: a plan of the model, a reference by two methods, the digits in which they agree.
static int run(hol_context *ctx, const cli_options *o)
{
    certificate *c = calloc(1, sizeof *c);
    int code = c ? read_digits(o->digits, &c->wanted) : 1;
    if (!code) code = check_out(o);
    if (c) c->limit = pow(10, -c->wanted) / DOUBT;
    if (!code) code = cli_plan_make(ctx, o, &c->plan);
    if (!code) code = look_closer(c);
    if (!code) code = open_out(ctx, o, c);
    if (!code) code = cli_reference_find(&c->plan, c->limit, 0, true, &c->reference);
    if (code == 5)
        code = 6; // nothing is verified by one method
    else if (!code)
        code = judge(c);
    for (int i = 0; i < o->n_out && !code; i++) code = write_out(c, o->out[i], &c->out[i]);
    for (int i = 0; c && i < c->n_out; i++) (void)hol_output_close(&c->out[i], false); // what was not written
    if (c) cli_reference_free(&c->reference);
    if (c) cli_plan_free(&c->plan);
    free(c);
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
