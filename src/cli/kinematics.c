// holonom kinematics MODEL: poses and forces of a mechanism whose every motion is driven.
#include "cli/names.h"
#include "cli/simulate.h"
#include "holonom_analyses.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Markers whose paths are drawn; n 0: all.
typedef struct {
    char text[CLI_LIST_TEXT];
    const char *name[CLI_LIST_MOST];
    int n;
} marker_list;

// "motor: 0.1179 .. 1.4329 rad can be reached from 0.7"
static void print_reach(const hol_reach *r)
{
    printf("%s: ", r->driver);
    if (!r->known)
        printf("how far it reaches is not found, as the poses cannot be followed");
    else if (!r->least_bounded && !r->most_bounded && strcmp(r->unit, "rad") == 0)
        printf("turns all the way round");
    else if (!r->least_bounded && !r->most_bounded)
        printf("no end of its way is found");
    else if (!r->least_bounded)
        printf("reaches %.12g %s at most", r->most, r->unit);
    else if (!r->most_bounded)
        printf("reaches %.12g %s at least", r->least, r->unit);
    else
        printf("reaches %.12g .. %.12g %s", r->least, r->most, r->unit);
    printf(", from %.12g %s at the start with other drivers still\n", r->now, r->unit);
}

// The simulation, with how far its drivers reach told before; the paths are drawn when it ends.
static hol_simulation *create(hol_context *ctx, const hol_model *model, const cli_options *o, void *with)
{
    const marker_list *markers = with;
    hol_simulation *sim = hol_kinematics_create(ctx, model);
    if (sim && o->svg && hol_simulation_paths(sim, markers->n, markers->name, o->svg)) {
        hol_simulation_destroy(sim);
        return NULL;
    }
    hol_reach reach;
    for (int i = 0; sim && !o->quiet && hol_kinematics_reach(sim, i, &reach); i++) print_reach(&reach);
    return sim;
}

// "dead centre at t = 0.25 s of the drivers: press 0.4 m"
static void print_turns(const hol_result *r)
{
    for (size_t k = 0; k < r->n_rows; k++) {
        const double *row = r->value + k * (size_t)r->n_columns;
        if (row[2] != 1) continue;
        printf("dead centre at t = %.9g s of the drivers:", row[1]);
        for (int i = 3; i < r->n_columns; i++) {
            const char *dot = strrchr(r->name[i], '.');
            if (!dot || strcmp(dot, ".value") != 0) break;
            printf("%s %.*s %.9g %s", i > 3 ? "," : "", (int)(dot - r->name[i]), r->name[i], row[i],
                   r->unit[i]);
        }
        printf("\n");
    }
}

// The text, and the files that are asked for; returns the exit code.
static int write_all(hol_context *ctx, const hol_result *r, const hol_model *model, const cli_options *o,
                     const marker_list *markers)
{
    hol_status st = HOL_OK;
    if (!o->quiet) {
        const double *last = r->value + (r->n_rows - 1) * (size_t)r->n_columns;
        printf("%zu poses along %.6g natural sizes of the curve, drivers from 0 to t = %.6g s\n", r->n_rows,
               last[0], last[1]);
        print_turns(r);
    }
    if (o->svg)
        st = hol_paths_write(ctx, r, model, markers->n, markers->name,
                             o->svg); // which may know no such marker
    for (int i = 0; i < o->n_out && !st; i++) st = hol_result_write(ctx, r, o->out[i]);
    if (!st && o->report) st = hol_report_write(ctx, r, model, NULL, o->report);
    return st ? cli_fail(ctx, st) : 0;
}

// The poses along their curve, behind dead centres too.
static int follow(hol_context *ctx, const cli_options *o, const marker_list *markers)
{
    if (o->stats)
        return cli_wrong("--stats", o->stats, "it does not go with --continue, which takes no steps in time");
    for (int i = 0; i < o->n_out; i++)
        if (hol_result_check_name(ctx, o->out[i])) return cli_fail(ctx, HOL_ERR_USAGE);
    if (o->report && hol_report_check_name(ctx, o->report)) return cli_fail(ctx, HOL_ERR_USAGE);
    int code = cli_check_outputs(o);
    hol_model *model = code ? NULL : cli_load_model(ctx, o);
    if (!code && !model) return cli_fail(ctx, hol_context_status(ctx));
    if (!code) code = cli_keep_model(ctx, o, model);
    hol_result *r = code ? NULL : hol_kinematics_follow(ctx, model);
    if (!code) code = r ? write_all(ctx, r, model, o, markers) : cli_fail(ctx, hol_context_status(ctx));
    hol_result_destroy(r);
    hol_model_destroy(model);
    return code;
}

static int run(hol_context *ctx, const cli_options *o)
{
    marker_list markers = {.n = 0};
    if (o->markers && !o->svg) return cli_wrong("--markers", o->markers, "it goes with --svg");
    if (o->markers) markers.n = cli_split(o->markers, markers.text, markers.name);
    if (markers.n < 0) return cli_wrong("--markers", "..", "at most 50 names are wanted");
    return o->proceed ? follow(ctx, o, &markers)
                      : cli_simulate(ctx, o, cli_load_model, create, NULL, &markers);
}

static const cli_option options[] = {
    {"--end", NULL, "T", "simulate.end=", "end in seconds"},
    {"--max-step", NULL, "H", "simulate.max_step=", "largest step in seconds from pose to pose"},
    {"--set", NULL, "PATH=VALUE", "", "override a value, e.g. parameters.L=0.4 or simulate.output=0.01"},
    {"--continue", NULL, NULL, NULL,
     "go on behind dead centres, where drivers run backwards, until they have run for --end in all; rows "
     "stand along the "
     "curve of poses"},
    {"--svg", NULL, "FILE.svg", NULL, "draw the paths of markers beside the mechanism at its start"},
    {"--markers", NULL, "A.P,B.Q,..", NULL, "these; without it: all named markers of bodies that are drawn"},
    CLI_OUTPUTS,
    {"-q", NULL, NULL, NULL, "no progress, notes and summary"},
    {NULL, NULL, NULL, NULL, NULL}};

const cli_verb cli_kinematics = {
    "kinematics",
    "MODEL [options]",
    "poses, velocities, accelerations and forces of a mechanism whose every motion is driven",
    "Examples:\n  holonom kinematics models/double_wishbone.yaml -o camber.csv\n"
    "  holonom kinematics models/double_wishbone.yaml --report wishbone.html\n"
    "  holonom kinematics crank_rocker.yaml --svg coupler.svg --markers coupler.p\n"
    "  holonom kinematics press.yaml --continue --end \"4 s\" -o press.csv",
    options,
    run};
