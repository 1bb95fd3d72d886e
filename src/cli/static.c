// holonom static MODEL: a pose in which the forces balance, whether it stays there, and all forces.
#include "cli/names.h"
#include "cli/select.h"
#include "holonom_analyses.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const cli_option options[] = {
    {"--unstable", NULL, NULL, NULL, "an equilibrium at which nothing stays will do: the first one found"},
    {"--vary", NULL, "NAME=A..B", NULL,
     "follow the equilibrium while a parameter goes from A to B, around folds too; exit 5 if it ends on the "
     "way"},
    {"--branches", NULL, NULL, NULL, "with --vary: follow other branches that cross it, too"},
    {"--signals", "-s", "A,B,...", NULL,
     "print these alone, as `plot` chooses them; with --vary beside the parameter"},
    {"--out", "-o", "FILE", NULL,
     "write the signals, .csv (text) or .nc (netCDF); may be given several times"},
    {"--pose", NULL, "FILE", NULL, "write the pose, to be included by a model whose bodies begin there"},
    {"--json", NULL, NULL, NULL, "print JSON"},
    {"--set", NULL, "PATH=VALUE", "", "override a value of the model, e.g. parameters.N=40"},
    {"-q", NULL, NULL, NULL, "no notes"},
    {NULL, NULL, NULL, NULL, NULL}};

#define ROUNDING 1e-12 // of a coordinate, or of the largest force
#define TOLD 1e-8      // to which a place is known without a word
#define TINY 1e-9      // components of a motion that are not told, against the largest

// ---- text -----------------------------------------------------------------------------------------------------

// "0", "1.5", "-1.2e-05"; what rounding leaves is 0.
static double told(double x, double size) { return fabs(x) <= TINY * size ? 0 : x; }

static bool moves(const double *body)
{
    double most = 0;
    for (int i = 0; i < 6; i++) most = fmax(most, fabs(body[i]));
    return most > TINY;
}

static bool same(const double *a, const double *b)
{
    bool alike = true;
    for (int i = 0; i < 6; i++) alike = alike && fabs(a[i] - b[i]) <= TINY;
    return alike;
}

// "(1, 0, 0) m", "turns (0, 0, 1)", or both.
static void print_motion(const double *body)
{
    for (int part = 0; part < 2; part++) {
        const double *v = body + 3 * part, size = hypot(v[0], hypot(v[1], v[2]));
        if (!(size > TINY)) continue;
        printf(" %s(", part ? "turns " : "moves ");
        for (int i = 0; i < 3; i++) printf("%s%.3g", i ? ", " : "", told(v[i], size));
        printf(")");
    }
}

// Those that move as body k does, which is the first of them.
static void print_alike(const hol_statics *s, const double *motion, int k)
{
    enum { NAMED = 3 };
    int count = 0;
    for (int j = k; j < s->n_bodies; j++)
        if (same(motion + 6 * j, motion + 6 * k) && count++ < NAMED)
            printf("%s %s", count > 1 ? "," : "", s->body[j]);
    if (count > NAMED) printf(count == s->n_bodies ? " and all others" : " and %d more", count - NAMED);
    print_motion(motion + 6 * k);
}

// Who takes part in a motion: bodies that move alike together, three ways of moving at most.
static void print_movers(const hol_statics *s, const double *motion)
{
    enum { MOST = 3 };
    int ways = 0, left = 0;
    for (int k = 0; k < s->n_bodies; k++) {
        bool told_before = !moves(motion + 6 * k);
        for (int j = 0; j < k; j++) told_before = told_before || same(motion + 6 * j, motion + 6 * k);
        if (told_before) continue;
        left += ++ways > MOST;
        if (ways > MOST) continue;
        if (ways > 1) printf(";");
        print_alike(s, motion, k);
    }
    if (left) printf("; and others");
    printf("\n");
}

// Whether it stays there, what is softest, and what nothing holds.
static void print_stability(const hol_statics *s, const hol_static_point *p)
{
    static const char *const kinks[] = {"", "stable, on both sides of a kink",
                                        "unstable: on one side of a kink forces drive it away",
                                        "not known whether it is stable: a kink"};
    if (p->kink)
        printf("  %s", kinks[p->kink]);
    else if (p->stable)
        printf("  stable");
    else if (p->negative)
        printf("  unstable");
    else if (p->falls)
        printf("  unstable: forces of higher order drive it away");
    else
        printf("  unstable: a motion about it grows by itself");
    if (p->growth > 0) printf("%s %.6g 1/s", p->negative ? ": it is left at" : ", at", p->growth);
    printf("\n");
    if (p->softest >= 0) {
        printf("  %s stiffness %.8g %s:", p->negative ? "negative" : "least", p->stiffness,
               p->stiffness_unit);
        print_movers(s, p->shape);
    }
    if (p->neutral) printf("  %d direction%s without stiffness:\n", p->neutral, p->neutral == 1 ? "" : "s");
    for (int k = 0; k < p->neutral; k++) {
        printf("   %s%s", p->falls && k == 0 ? " away:" : "",
               k >= p->neutral - p->held ? " held by forces of higher order:" : "");
        print_movers(s, p->free_motion + (size_t)k * 6 * (size_t)s->n_bodies);
    }
}

// Of which 1e-12 is rounding: of forces the largest.
static double size_of(const hol_statics *s, const hol_static_point *p, hol_static_signal kind)
{
    double size = kind == HOL_STATIC_FORCE ? 0 : 1;
    for (int i = 0; i < s->n_signals && kind == HOL_STATIC_FORCE; i++)
        if (s->kind[i] == kind) size = fmax(size, fabs(p->value[i]));
    return size;
}

// A line of a signal in the unit in which it is shown.
static void print_signal(const hol_statics *s, const hol_static_point *p, int i, double size)
{
    printf("  %-30s %16.9g %s\n", s->signal[i], told(p->value[i], ROUNDING * size / TINY) * s->factor[i],
           s->shown[i]);
}

// A table of signals of one kind, a line each, in the units in which they are shown; rates are 0 at rest and not told, and what rounding leaves is 0.
static void print_signals(const hol_statics *s, const hol_static_point *p, hol_static_signal kind,
                          const char *title)
{
    bool any = false;
    const double size = size_of(s, p, kind);
    for (int i = 0; i < s->n_signals; i++) {
        const bool rate = strstr(s->unit[i], "/s") != NULL,
                   own = strncmp(s->signal[i], "energy.", 7) == 0 ||
                         strncmp(s->signal[i], "violation.", 10) == 0;
        if (s->kind[i] != kind || rate || own) continue;
        if (!any) printf("%s\n", title);
        any = true;
        print_signal(s, p, i, size);
    }
}

// The equilibrium as text; signals: those chosen, NULL: all.
static void print_text(const hol_statics *s, const cli_selection *signals)
{
    const hol_static_point *p = s->point;
    printf("%s\n  t = %.6g s, %d degree%s of freedom\n", s->title ? s->title : s->model, s->time,
           s->degrees_of_freedom, s->degrees_of_freedom == 1 ? "" : "s");
    printf("  equilibrium, found with %d matri%s%s; forces balance to %.2g of %.4g N m (by natural sizes)\n",
           p->iterations, p->iterations == 1 ? "x" : "ces", p->flowed ? ", downhill" : "", p->left, p->force);
    if (p->known > TOLD)
        printf("  the place is known to %.1g natural sizes: nearer, rounding hides the forces\n", p->known);
    print_stability(s, p);
    printf("  potential energy %.10g J\n", p->potential);
    if (s->n_trimmed) printf("trimmed parameters\n");
    for (int i = 0; i < s->n_trimmed; i++)
        printf("  %-30s %20.15g%s%s\n", s->trimmed[i], s->trim_value[i], *s->trim_unit[i] ? " " : "",
               s->trim_unit[i]);
    for (int i = 0; signals && i < signals->n; i++) {
        const int k = signals->column[i] - 1;
        print_signal(s, p, k, size_of(s, p, s->kind[k]));
    }
    if (signals) return;
    print_signals(s, p, HOL_STATIC_POSE, "bodies");
    print_signals(s, p, HOL_STATIC_COORDINATE, "joint coordinates");
    print_signals(s, p, HOL_STATIC_OTHER, "variables");
    print_signals(s, p, HOL_STATIC_FORCE, "forces and reactions");
}

// The points of branches, a line each, and what happens at them.
static void print_branches(const hol_statics *s, const cli_selection *signals)
{
    static const char *const kinds[] = {"", "fold", "bifurcation", "stability changes"};
    printf("%s\n  t = %.6g s, %d degree%s of freedom, %d points over %s\n", s->title ? s->title : s->model,
           s->time, s->degrees_of_freedom, s->degrees_of_freedom == 1 ? "" : "s", s->n_points, s->parameter);
    char head[200];
    snprintf(head, sizeof head, *s->parameter_unit ? "%s[%s]" : "%s", s->parameter, s->parameter_unit);
    printf("branch %20s %16s %16s", head, "stiffness", "energy[J]");
    for (int i = 0; signals && i < signals->n; i++) {
        const int k = signals->column[i] - 1;
        snprintf(head, sizeof head, *s->shown[k] ? "%s[%s]" : "%s", s->signal[k], s->shown[k]);
        printf(" %16s", head);
    }
    printf("\n");
    for (int k = 0; k < s->n_points; k++) {
        const hol_static_point *p = &s->point[k];
        printf("%6d %20.12g ", p->branch, p->parameter);
        if (isnan(p->stiffness))
            printf("%16s", "-");
        else
            printf("%16.8g", p->stiffness);
        printf(" %16.8g", p->potential);
        for (int i = 0; signals && i < signals->n; i++) {
            const int j = signals->column[i] - 1;
            printf(
                " %*.8g",
                (int)fmax(16, (double)(strlen(s->signal[j]) + strlen(s->shown[j]) + (*s->shown[j] ? 2 : 0))),
                p->value[j] * s->factor[j]);
        }
        printf("  %s%s%s\n",
               p->at == HOL_STATIC_FOLD || p->at == HOL_STATIC_BIFURCATION ? ""
               : p->kink == HOL_STATIC_KINK_UNKNOWN                        ? "not known: a kink"
               : p->stable                                                 ? "stable"
                                                                           : "unstable",
               p->at == HOL_STATIC_CHANGE ? ", " : "", kinds[p->at]);
    }
}

// ---- JSON -----------------------------------------------------------------------------------------------------

static void json_numbers(const char *key, int n, const double *x)
{
    printf(",\n     \"%s\": [", key);
    for (int i = 0; i < n; i++)
        if (isnan(x[i]))
            printf("%snull", i ? ", " : "");
        else
            printf("%s%.17g", i ? ", " : "", x[i]);
    printf("]");
}

static void json_names(const char *key, int n, const char *const *name)
{
    printf(",\n  \"%s\": [", key);
    for (int i = 0; i < n; i++) {
        if (i) printf(", ");
        cli_print_json(name[i]);
    }
    printf("]");
}

// All of a point.
static void json_point(const hol_statics *s, const hol_static_point *p)
{
    static const char *const words[] = {"regular", "fold", "bifurcation", "change"};
    static const char *const kinks[] = {"smooth", "stays", "leaves", "unknown"};
    const int motion = 6 * s->n_bodies;
    printf(
        "{\"stable\": %s, \"kink\": \"%s\", \"neutral\": %d, \"negative\": %d, \"held\": %d, \"falls\": %s, "
        "\"iterations\": %d, \"downhill\": %s",
        p->stable ? "true" : "false", kinks[p->kink], p->neutral, p->negative, p->held,
        p->falls ? "true" : "false", p->iterations, p->flowed ? "true" : "false");
    cli_print_json_number("known", p->known);
    cli_print_json_number("potential", p->potential);
    cli_print_json_number("stiffness", p->stiffness);
    printf(", \"stiffness_unit\": ");
    cli_print_json(p->stiffness_unit);
    printf(", \"softest\": ");
    if (p->softest >= 0)
        cli_print_json(s->body[p->softest]);
    else
        printf("null");
    printf(", \"branch\": %d, \"at\": \"%s\"", p->branch, words[p->at]);
    cli_print_json_number("parameter", p->parameter);
    cli_print_json_number("slope", p->slope);
    cli_print_json_number("growth", p->growth);
    cli_print_json_number("left", p->left);
    cli_print_json_number("force", p->force);
    json_numbers("values", s->n_signals, p->value);
    json_numbers("shape", motion, p->shape);
    json_numbers("free_motions", motion * p->neutral, p->free_motion);
    printf("}");
}

// The same as JSON.
static void print_json(const hol_statics *s)
{
    printf("{\n  \"title\": ");
    cli_print_json(s->title ? s->title : s->model);
    cli_print_json_number("time", s->time);
    printf(",\n  \"degrees_of_freedom\": %d, \"parameter\": ", s->degrees_of_freedom);
    if (s->parameter)
        cli_print_json(s->parameter);
    else
        printf("null");
    if (s->parameter) {
        printf(", \"parameter_unit\": ");
        cli_print_json(s->parameter_unit);
    }
    printf(", \"ended\": ");
    if (s->ended)
        cli_print_json(s->ended);
    else
        printf("null");
    printf(", \"trimmed\": {");
    for (int i = 0; i < s->n_trimmed; i++) {
        if (i) printf(", ");
        cli_print_json(s->trimmed[i]);
        printf(": %.17g", s->trim_value[i]);
    }
    printf("}");
    json_names("bodies", s->n_bodies, s->body);
    json_names("signals", s->n_signals, s->signal);
    json_names("units", s->n_signals, s->unit);
    printf(",\n  \"points\": [");
    for (int k = 0; k < s->n_points; k++) {
        printf("%s\n    ", k ? "," : "");
        json_point(s, &s->point[k]);
    }
    printf("\n  ]\n}\n");
}

// ---- the verb -------------------------------------------------------------------------------------------------

static int write_files(hol_context *ctx, const cli_options *o, const hol_statics *s)
{
    for (int i = 0; i < o->n_out; i++) {
        const hol_status st = hol_statics_write(ctx, s, o->out[i]);
        if (st) return cli_fail(ctx, st);
    }
    const hol_status st = o->pose ? hol_statics_write_pose(ctx, s, s->n_points - 1, o->pose) : HOL_OK;
    return st ? cli_fail(ctx, st) : 0;
}

// Signals by their names, as columns behind the time. Returns the exit code.
static int choose(hol_context *ctx, const hol_statics *s, const char *signals, cli_selection *out)
{
    const size_t n = (size_t)s->n_signals;
    const char **text = malloc((2 * n + 2) * sizeof *text);
    double *row = calloc(n + 1, sizeof *row);
    int code = text && row ? 0 : cli_fail(ctx, HOL_ERR_MEMORY);
    if (!code) {
        text[0] = "t";
        text[n + 1] = "s";
        memcpy(text + 1, s->signal, n * sizeof *text);
        memcpy(text + n + 2, s->unit, n * sizeof *text);
        memcpy(row + 1, s->point[0].value, n * sizeof *row);
        const hol_result r = {.file = s->model,
                              .n_columns = s->n_signals + 1,
                              .name = text,
                              .unit = text + n + 1,
                              .n_rows = 1,
                              .value = row};
        code = cli_select(ctx, &r, signals, out);
    }
    free(text);
    free(row);
    return code;
}

// A branch that ends before its range does is as a run that stops before its end: what there is of it is told, and that there is no more.
static int tell_end(const hol_statics *s)
{
    fflush(stdout);
    fprintf(stderr, "holonom: error: %s\n", s->ended);
    return -HOL_ERR_INTEGRATION;
}

// The verb: finds the equilibrium, writes and prints it.
static int run(hol_context *ctx, const cli_options *o)
{
    const hol_statics_options wanted = {.unstable = o->unstable, .vary = o->vary, .branches = o->branches};
    for (int i = 0; i < o->n_out; i++)
        if (hol_result_check_name(ctx, o->out[i])) return cli_fail(ctx, HOL_ERR_USAGE);
    if (o->json && o->signals) return cli_wrong("--signals", o->signals, "--json has all of them");
    cli_selection chosen = {0};
    int code = cli_check_outputs(o);
    if (code) return code;
    hol_model *model = hol_model_load(ctx, o->model, o->set, o->n_set);
    code = model ? cli_keep_model(ctx, o, model) : 0;
    hol_statics *s = model && !code ? hol_statics_create(ctx, model, &wanted) : NULL;
    if (!s && !code) code = cli_fail(ctx, hol_context_status(ctx));
    if (!code && o->signals) code = choose(ctx, s, o->signals, &chosen);
    if (!code) code = write_files(ctx, o, s);
    if (!code && o->json) print_json(s);
    if (!code && !o->json) (s->parameter ? print_branches : print_text)(s, o->signals ? &chosen : NULL);
    if (!code && s->ended) code = tell_end(s);
    cli_selection_free(&chosen);
    hol_statics_destroy(s);
    hol_model_destroy(model);
    return code;
}

const cli_verb cli_static = {"static",
                             "MODEL [options]",
                             "equilibrium: pose, stability, forces",
                             "Examples:\n  holonom static models/chain.yaml\n"
                             "  holonom static models/hmmwv.yaml -o rest.csv --pose rest.yaml\n"
                             "  holonom static models/double_pendulum.yaml --unstable",
                             options,
                             run};
