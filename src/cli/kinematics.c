// holonom kinematics MODEL: poses and forces of a mechanism whose every motion is driven.
#include "cli/simulate.h"
#include "holonom_analyses.h"

#include <stdio.h>
#include <string.h>

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

// The simulation, with how far its drivers reach told before.
static hol_simulation *create(hol_context *ctx, const hol_model *model, const cli_options *o, void *with)
{
    (void)with;
    hol_simulation *sim = hol_kinematics_create(ctx, model);
    hol_reach reach;
    for (int i = 0; sim && !o->quiet && hol_kinematics_reach(sim, i, &reach); i++) print_reach(&reach);
    return sim;
}

static int run(hol_context *ctx, const cli_options *o)
{
    return cli_simulate(ctx, o, cli_load_model, create, NULL, NULL);
}

static const cli_option options[] = {
    {"--end", NULL, "T", "simulate.end=", "end in seconds"},
    {"--max-step", NULL, "H", "simulate.max_step=", "largest step in seconds from pose to pose"},
    {"--set", NULL, "PATH=VALUE", "", "override a value, e.g. parameters.L=0.4 or simulate.output=0.01"},
    CLI_OUTPUTS,
    {"-q", NULL, NULL, NULL, "no progress, notes and summary"},
    {NULL, NULL, NULL, NULL, NULL}};

const cli_verb cli_kinematics = {
    "kinematics",
    "MODEL [options]",
    "poses, velocities, accelerations and forces of a mechanism whose every motion is driven",
    "Examples:\n  holonom kinematics models/double_wishbone.yaml -o camber.csv\n"
    "  holonom kinematics models/double_wishbone.yaml --report wishbone.html",
    options,
    run};
