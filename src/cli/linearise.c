// holonom linearise MODEL: the motion near a state as x' = A x + B u, y = C x + D u, its poles, zeros and frequency response.
#include "cli/linear_text.h"
#include "cli/names.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const cli_option options[] = {
    {"--at", NULL, "T", NULL, "run the model up to this time in seconds before; without it: the start"},
    {"--equilibrium", NULL, NULL, NULL, "look for a static equilibrium from there"},
    {"--inputs", NULL, "NAMES",
     "linearise.inputs=", "inputs, tunable parameters and drivers; without it: all inputs"},
    {"--outputs", NULL, "LIST",
     "linearise.outputs=", "expressions and signals, as \"AZ(crank), A.Fx\"; without it: all variables"},
    {"--coordinates", NULL, "LIST",
     "linearise.coordinates=", "measures that become states with their rates; without it: the program's own"},
    {"--frequencies", NULL, "A..B", NULL,
     "frequency response: a range, or a list with commas, in Hz, or with the unit behind: \"0.1..10 rad/s\""},
    {"--metric", NULL, "NAME", NULL, "of the program's own coordinates: mass (default), or natural"},
    {"--out", "-o", "FILE", NULL,
     "write all of it, .json, .nc (netCDF), .mat (Matlab) or .mtx (Matrix Market), or the response, .csv; "
     "may be "
     "given several times"},
    {"--transfer", NULL, NULL, NULL, "print the pairs as transfer_functions of a model file, too"},
    {"--json", NULL, NULL, NULL, "print JSON"},
    {"--method", NULL, "NAME", "simulate.method=", "with --at: integrator, see holonom methods"},
    {"--tol", NULL, "T", "simulate.tolerance=", "with --at: error of the motion up to then"},
    {"--step", NULL, "H", "simulate.step=", "with --at: instead, fixed steps of this size in seconds"},
    {"--set", NULL, "PATH=VALUE", "", "override a value of the model, e.g. parameters.N=40"},
    {"-q", NULL, NULL, NULL, "no notes"},
    {NULL, NULL, NULL, NULL, NULL}};

#define PI 3.14159265358979323846
enum { PER_RANGE = 200, AROUND = 9, SHOWN = 12, MOST_GIVEN = 1000 };
#define LIGHT 0.1 // damping ratios below which points are added

// ---- text -----------------------------------------------------------------------------------------------------

static void print_signals(const char *what, int n, const hol_linear_signal *s)
{
    for (int i = 0; i < n; i++) {
        printf("%-8s %3d  %s", i ? "" : what, i + 1, s[i].name);
        if (*s[i].unit) printf(" [%s]", s[i].unit);
        if (!isnan(s[i].value)) printf(" = %.9g", s[i].value);
        printf("\n");
    }
}

static void print_matrix(const char *name, int rows, int columns, const double *a)
{
    if (!rows || !columns) return;
    printf("%s\n", name);
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++) printf(" %16.9g", a[j * rows + i]);
        printf("\n");
    }
}

// Zeros and gain of each pair.
static hol_status print_pairs(hol_context *ctx, const hol_linear *l)
{
    double *re = calloc(2 * (size_t)l->n_x + 1, sizeof *re), *im = re + l->n_x;
    hol_status st = re ? HOL_OK : HOL_ERR_MEMORY;
    for (int i = 0; i < l->n_y && !st; i++)
        for (int j = 0; j < l->n_u && !st; j++) {
            int n = 0;
            st = hol_linear_zeros(ctx, l, i, j, &n, re, im);
            if (st) break;
            printf("%s from %s: gain %.9g, ", l->y[i].name, l->u[j].name, l->gain[j * l->n_y + i]);
            if (n < 0) printf("which is all: nothing comes through");
            if (n == 0) printf("no zeros");
            for (int k = 0; k < n; k++) {
                if (im[k] < 0) continue;
                printf("%s%.9g", k ? ", " : "zeros ", re[k]);
                if (im[k] > 0) printf(" +- %.9g i", im[k]);
            }
            printf("\n");
        }
    free(re);
    return st;
}

enum { MOST_ORDER = 8 }; // beyond, coefficients lose digits

// Names of outputs and inputs as a name of a model file.
static void print_name(const char *name)
{
    bool gap = false;
    for (const char *p = name; *p; p++) {
        const bool good = (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || (*p >= '0' && *p <= '9');
        if (good && gap) putchar('_');
        if (good) putchar(*p);
        gap = !good && (gap || p > name);
    }
}

static void print_coefficients(const char *key, int n, const double *c)
{
    printf(", %s: [", key);
    for (int i = 0; i <= n; i++) printf("%s%.17g", i ? ", " : "", c[i]);
    printf("]");
}

// The pairs as `transfer_functions` of a model file.
static hol_status print_transfer(hol_context *ctx, const hol_linear *l)
{
    double *numerator = calloc(2 * (size_t)l->n_x + 2, sizeof *numerator),
           *denominator = numerator ? numerator + l->n_x + 1 : NULL;
    hol_status st = numerator ? HOL_OK : HOL_ERR_MEMORY;
    if (!st) printf("transfer_functions: # of changes about the state\n");
    for (int i = 0; i < l->n_y && !st; i++)
        for (int j = 0; j < l->n_u && !st; j++) {
            int degree = 0, order = 0;
            st = hol_linear_transfer(ctx, l, i, j, &degree, &order, numerator, denominator);
            if (st) break;
            if (order > MOST_ORDER)
                printf(
                    "  # warning: order %d: above %d coefficients lose digits; -o FILE.json has A, B, C, D\n",
                    order, MOST_ORDER);
            printf(order ? "  - {name: " : "  # no state, a gain alone: {name: ");
            print_name(l->y[i].name);
            printf("_by_");
            print_name(l->u[j].name);
            printf(", input: %s", l->u[j].name);
            print_coefficients("numerator", degree, numerator);
            print_coefficients("denominator", order, denominator);
            printf("}\n");
        }
    free(numerator);
    return st;
}

// Everything that fits on a page.
static hol_status print_text(hol_context *ctx, const hol_linear *l, int n, const double *omega)
{
    cli_print_linear_head(l);
    if (l->sparse) printf("  too large for matrices: the frequency response alone\n");
    print_signals("states", l->n_x, l->x);
    print_signals("inputs", l->n_u, l->u);
    print_signals("outputs", l->n_y, l->y);
    if (!l->sparse && l->n_x <= SHOWN && l->n_u <= SHOWN && l->n_y <= SHOWN) {
        print_matrix("A", l->n_x, l->n_x, l->A);
        print_matrix("B", l->n_x, l->n_u, l->B);
        print_matrix("C", l->n_y, l->n_x, l->C);
        print_matrix("D", l->n_y, l->n_u, l->D);
    } else if (!l->sparse)
        printf("matrices above %d rows are written to files: -o FILE.json, .nc, .mat, .mtx\n", SHOWN);
    if (!l->sparse) cli_print_poles(l);
    const hol_status st = l->sparse ? HOL_OK : print_pairs(ctx, l);
    if (n)
        printf("frequency response at %d frequencies, %.6g to %.6g Hz: -o FILE.csv, or --json\n", n,
               omega[0] / (2 * PI), omega[n - 1] / (2 * PI));
    return st;
}

// ---- frequencies ----------------------------------------------------------------------------------------------

static int ascending(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

static const char wanted_frequencies[] =
    "wanted is a range from a frequency above 0, \"0.1..100 Hz\", or a list, \"1, 4, 12 rad/s\"";

// Numbers with a unit behind: a range or a list, in rad/s. range: of two numbers, from and to. Returns how many; -1: it is none.
static int read_numbers(const char *text, double *out, int most, bool *range)
{
    const char *p = text;
    int n = 0;
    *range = false;
    for (;; n++) {
        char *end;
        if (n == most) return -1;
        out[n] = strtod(p, &end);
        if (end == p && n == 0) return -1;
        if (end > p + 1 && *end == '.' && end[-1] == '.') end--; // "1..2" is 1. and .2 to strtod
        if (end == p) return -1;
        p = end + strspn(end, " ");
        if (strncmp(p, "..", 2) == 0 && n == 0)
            *range = true, p += 2;
        else if (*p == ',' && !*range)
            p++;
        else
            break;
    }
    double factor = 2 * PI;
    if (strcmp(p, "rad/s") == 0)
        factor = 1;
    else if (*p && strcmp(p, "Hz") != 0)
        return -1;
    for (int i = 0; i <= n; i++) {
        if (!isfinite(out[i]) || out[i] < 0) return -1;
        out[i] *= factor;
    }
    return n + 1;
}

// Points of a range in equal ratios; with l more around the poles that are lightly damped, where a curve has its peaks.
static int fill_range(const hol_linear *l, double from, double to, double *out)
{
    int n = 0;
    for (int i = 0; i < PER_RANGE; i++) out[n++] = from * pow(to / from, i / (PER_RANGE - 1.0));
    for (int k = 0; l && k < l->n_x; k++) {
        const double size = hypot(l->pole_re[k], l->pole_im[k]), damping = fabs(l->pole_re[k]) / size;
        if (!(l->pole_im[k] > 0) || damping > LIGHT || size < from || size > to) continue;
        for (int i = 0; i < AROUND; i++) {
            const double w = l->pole_im[k] * (1 + fmax(damping, 1e-4) * (i - AROUND / 2));
            if (w > from && w < to) out[n++] = w;
        }
    }
    qsort(out, (size_t)n, sizeof *out, ascending);
    return n;
}

// Into *omega, to be freed. l: to add points to a range; NULL: none are.
static int read_frequencies(const char *text, const hol_linear *l, int *n, double **omega)
{
    double given[MOST_GIVEN];
    bool range;
    free(*omega);
    *n = 0;
    *omega = NULL;
    if (!text) return 0;
    const int count = read_numbers(text, given, MOST_GIVEN, &range);
    if (count < 1 || (range && (count != 2 || !(given[0] > 0) || !(given[1] > given[0]))))
        return cli_wrong("--frequencies", text, wanted_frequencies);
    *omega = calloc((size_t)(range ? PER_RANGE + AROUND * (l ? l->n_x : 0) : count) + 1, sizeof **omega);
    if (!*omega) return 1;
    *n = range ? fill_range(l, given[0], given[1], *omega) : count;
    if (!range) memcpy(*omega, given, (size_t)count * sizeof *given);
    return 0;
}

// ---- the verb -------------------------------------------------------------------------------------------------

// The verb: finds the matrices and writes or prints them.
static int run(hol_context *ctx, const cli_options *o)
{
    hol_linear_options wanted = {0};
    double *omega = NULL;
    int n = 0, code = cli_read_linear(o, options, &wanted);
    if (!code) code = cli_check_outputs(o);
    if (!code && o->transfer && o->json)
        code = cli_wrong("--transfer", "--json", "they do not go together: what is printed would be no JSON");
    if (!code) code = read_frequencies(o->frequencies, NULL, &n, &omega);
    if (code) return code;
    wanted.n_omega = n;
    wanted.omega = omega;
    hol_model *model = hol_model_load(ctx, o->model, o->set, o->n_set);
    code = model ? cli_keep_model(ctx, o, model) : 0;
    hol_linear *l = model && !code ? hol_linear_create(ctx, model, &wanted) : NULL;
    if (!l && !code) code = cli_fail(ctx, hol_context_status(ctx));
    if (!code && o->transfer && (l->sparse || !l->n_u || !l->n_y))
        code = cli_wrong("--transfer", o->model,
                         l->sparse ? "it is too large for matrices, and has frequency responses alone"
                                   : "it has no input or no output; name them with --inputs and --outputs");
    if (!code && !l->sparse) code = read_frequencies(o->frequencies, l, &n, &omega);
    for (int i = 0; i < o->n_out && !code; i++) {
        const hol_status st = hol_linear_write(ctx, l, n, omega, o->out[i]);
        if (st) code = cli_fail(ctx, st);
    }
    if (!code) {
        const hol_status st =
            o->json ? hol_linear_print(ctx, l, n, omega, cli_print, stdout) : print_text(ctx, l, n, omega);
        if (st) code = cli_fail(ctx, st);
    }
    if (!code && o->transfer) {
        const hol_status st = print_transfer(ctx, l);
        if (st) code = cli_fail(ctx, st);
    }
    free(omega);
    hol_linear_destroy(l);
    hol_model_destroy(model);
    return code;
}

const cli_verb cli_linearise = {
    "linearise",
    "MODEL [options]",
    "matrices A, B, C, D of the motion near a state, poles, zeros, frequency response",
    "Examples:\n  holonom linearise models/double_pendulum.yaml --equilibrium\n"
    "  holonom linearise models/four_bar.yaml --coordinates \"AZ(crank0)\" -o four_bar.json",
    options,
    run};
