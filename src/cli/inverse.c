// holonom inverse MODEL: the forces that make a prescribed motion.
#include "api/draft.h"
#include "base/base.h"
#include "base/file.h"
#include "cli/names.h"
#include "cli/simulate.h"
#include "holonom_analyses.h"
#include "holonom_draft.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const cli_option options[] = {
    {"--motion", NULL, "FILE.csv", NULL,
     "a table of the motion: the time, then joint coordinates named by their heads (hinge.angle, "
     "slide.stroke) or measures (DX(platform.p)), in SI units or those of its line `# units: s,deg`; of more "
     "measures than motions the least squares, with the weights of its line `# weights: 1,4`"},
    {"--actuators", NULL, "U,U,..", NULL,
     "inputs of the model that take over from the drivers; without it: the drivers' own forces"},
    {"--weights", NULL, "W,W,..", NULL, "of their squares, where several would do; default: 1 each"},
    {"--bounds", NULL, "A..B,..", NULL, "what each may give at least and at most; \"..\": any"},
    {"--project", NULL, NULL, NULL,
     "where actuators cannot make the motion, the forces with which accelerations are nearest to it; drivers "
     "give the "
     "rest"},
    {"--feedforward", NULL, "FILE.yaml", NULL, "write what they give as splines and variables for `include`"},
    {"--end", NULL, "T", "simulate.end=", "end in seconds"},
    {"--max-step", NULL, "H", "simulate.max_step=", "largest step in seconds from pose to pose"},
    {"--set", NULL, "PATH=VALUE", "", "override a value, e.g. parameters.L=0.4 or simulate.output=0.01"},
    CLI_OUTPUTS,
    {"-q", NULL, NULL, NULL, "no progress, notes and summary"},
    {NULL, NULL, NULL, NULL, NULL}};

enum { MOST = CLI_LIST_MOST };

// Actuators of the command line.
typedef struct {
    char text[3][CLI_LIST_TEXT]; // names, weights, bounds, cut at commas
    const char *name[MOST];
    double weight[MOST], least[MOST], most[MOST];
    int n;
} wanted;

// One side of "A..B"; nothing: no bound.
static bool read_bound(const char *text, size_t length, double none, double *out)
{
    char number[60], *end;
    *out = none;
    if (length == 0) return true;
    if (length >= sizeof number) return false;
    memcpy(number, text, length);
    number[length] = 0;
    *out = strtod(number, &end);
    return *end == 0 && isfinite(*out);
}

// --weights, --bounds: as many as actuators.
static int read_numbers(const cli_options *o, wanted *w)
{
    const char *item[MOST];
    char *end;
    const int weights = o->weights ? cli_split(o->weights, w->text[1], item) : 0;
    for (int i = 0; i < weights; i++) {
        w->weight[i] = strtod(item[i], &end);
        if (end == item[i] || *end)
            return cli_wrong("--weights", o->weights, "positive numbers with commas between them are wanted");
    }
    if (o->weights && weights != w->n)
        return cli_wrong("--weights", o->weights, "one for each actuator is wanted");
    const int bounds = o->bounds ? cli_split(o->bounds, w->text[2], item) : 0;
    for (int i = 0; i < bounds; i++) {
        const char *dots = strstr(item[i], "..");
        if (!dots || !read_bound(item[i], (size_t)(dots - item[i]), -(double)INFINITY, &w->least[i]) ||
            !read_bound(dots + 2, strlen(dots + 2), (double)INFINITY, &w->most[i]))
            return cli_wrong("--bounds", o->bounds,
                             "as -40..40 with commas between them is wanted, in SI units");
    }
    return o->bounds && bounds != w->n
               ? cli_wrong("--bounds", o->bounds, "one pair for each actuator is wanted")
               : 0;
}

// What is asked for; returns the exit code.
static int read_wanted(const cli_options *o, wanted *w)
{
    const char *without = o->weights       ? "--weights"
                          : o->bounds      ? "--bounds"
                          : o->feedforward ? "--feedforward"
                                           : NULL;
    if (!o->actuators && without) return cli_wrong(without, "..", "it goes with --actuators");
    w->n = o->actuators ? cli_split(o->actuators, w->text[0], w->name) : 0;
    if (w->n < 0) return cli_wrong("--actuators", "..", "at most 50 names are wanted");
    return w->n ? read_numbers(o, w) : 0;
}

// Rows are kept for --feedforward, and have what the actuators give.
static bool keeps(hol_context *ctx, hol_simulation *sim, const wanted *w)
{
    for (int k = 0; k < w->n; k++) {
        bool found = false;
        for (int i = 0; i < hol_simulation_signals(sim) && !found; i++)
            found = strcmp(hol_simulation_signal_name(sim, i), w->name[k]) == 0;
        if (found) continue;
        hol_fail(ctx, HOL_ERR_USAGE, "--feedforward needs the signal \"%s\": add it to simulate.signals",
                 w->name[k]);
        return false;
    }
    return hol_simulation_record(sim) == HOL_OK;
}

// The simulation with its actuators, rows kept where they are written afterwards.
static hol_simulation *create(hol_context *ctx, const hol_model *model, const cli_options *o, void *with)
{
    const wanted *w = with;
    const hol_inverse_options inverse = {w->n,
                                         w->name,
                                         o->weights ? w->weight : NULL,
                                         o->bounds ? w->least : NULL,
                                         o->bounds ? w->most : NULL,
                                         o->project};
    hol_simulation *sim = hol_inverse_create(ctx, model, &inverse);
    if (!sim || !o->feedforward || keeps(ctx, sim, w)) return sim;
    hol_simulation_destroy(sim);
    return NULL;
}

// "name: [..]" of a column of the result.
static void write_column(FILE *f, const char *key, const hol_result *r, int column)
{
    fprintf(f, "%s: [", key);
    for (size_t i = 0; i < r->n_rows; i++)
        fprintf(f, "%s%.17g", i ? ", " : "", r->value[i * (size_t)r->n_columns + (size_t)column]);
    fprintf(f, "]");
}

static int column_of(const hol_result *r, const char *name)
{
    for (int i = 0; i < r->n_columns; i++)
        if (strcmp(r->name[i], name) == 0) return i;
    return -1;
}

// The name of an input without the dots of subsystems.
static const char *plain(const char *name, char text[200])
{
    snprintf(text, 200, "%s", name);
    for (char *p = text; (p = strchr(p, '.')) != NULL;) *p = '_';
    return text;
}

// What the actuators give, as splines and variables U_ff.
static int write_feedforward(hol_context *ctx, hol_simulation *sim, const cli_options *o, void *with)
{
    const wanted *w = with;
    hol_result *r = hol_simulation_take_result(sim);
    hol_output out = {.held = -1};
    char text[200];
    int code = r ? 0 : cli_fail(ctx, hol_context_status(ctx));
    if (!code && !hol_output_open(ctx, &out, o->feedforward, HOL_OUTPUT_WHOLE))
        code = cli_not_written(o->feedforward, out.why);
    if (!code) // units of its own: what includes it may have others
        fprintf(out.file,
                "# forces that make the motion of %s, to be included\nunits: {length: m}\nsplines:\n",
                o->model);
    for (int i = 0; !code && i < w->n; i++) {
        fprintf(out.file, "  - {name: %s_table, kind: not-a-knot, ", plain(w->name[i], text));
        write_column(out.file, "x", r, 0);
        write_column(out.file, ", y", r, column_of(r, w->name[i]));
        fprintf(out.file, "}\n");
    }
    if (!code) fprintf(out.file, "variables:\n");
    for (int i = 0; !code && i < w->n; i++)
        fprintf(out.file, "  - {name: %s_ff, value: \"spline(time, %s_table)\"}\n", plain(w->name[i], text),
                text);
    if (!code && !hol_output_close(&out, true)) code = cli_not_written(o->feedforward, out.why);
    hol_result_destroy(r);
    return code;
}

// The draft of a file that names a motion, or of --motion; NULL: neither, or an error, which the context has then. What is no file can be
// read only once, as a model.
static hol_draft *read_draft(hol_context *ctx, const cli_options *o)
{
    struct stat of;
    if (!o->motion && (stat(o->model, &of) != 0 || !S_ISREG(of.st_mode))) return NULL;
    hol_draft *draft = hol_draft_read(ctx, o->model);
    hol_status st = draft ? HOL_OK : HOL_ERR_MODEL;
    if (!st) st = hol_draft_set_all(draft, o->set, o->n_set);
    if (!st && (o->motion || hol_item_find(hol_draft_root(draft), "inverse.motion"))) return draft;
    hol_draft_destroy(draft);
    return NULL;
}

// The model with drivers for the table of --motion, or of its own.
static hol_model *load(hol_context *ctx, const cli_options *o)
{
    hol_draft *draft = read_draft(ctx, o);
    if (!draft) return o->motion ? NULL : cli_load_model(ctx, o);
    const hol_status st = hol_draft_add_motion(draft, o->motion);
    hol_model *model = st ? NULL : hol_draft_compile(draft);
    hol_draft_destroy(draft);
    return model;
}

static int run(hol_context *ctx, const cli_options *o)
{
    wanted *w = calloc(1, sizeof *w);
    int code = w ? read_wanted(o, w) : cli_exit_code(HOL_ERR_MEMORY);
    if (!code) code = cli_simulate(ctx, o, load, create, o->feedforward ? write_feedforward : NULL, w);
    free(w);
    return code;
}

const cli_verb cli_inverse = {
    "inverse",
    "MODEL [options]",
    "the forces that make a prescribed motion: of drivers, or of actuators in their place",
    "Examples:\n  holonom inverse models/double_wishbone.yaml -o forces.csv\n"
    "  holonom inverse arm.yaml --motion path.csv --actuators u1,u2 -o torques.csv",
    options,
    run};
