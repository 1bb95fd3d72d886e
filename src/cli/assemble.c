// holonom assemble MODEL: the pose and the velocities of the start, beside what the model gives.
#include "cli/names.h"
#include "holonom_analyses.h"

#include <math.h>
#include <stdio.h>

static const cli_option options[] = {
    {"--out", "-o", "FILE", NULL,
     "write the pose and the velocities as bodies of a model file, .yaml; may be given several times"},
    {"--json", NULL, NULL, NULL, "print JSON"},
    {"--set", NULL, "PATH=VALUE", "", "override a value of the model, e.g. parameters.N=40"},
    {"-q", NULL, NULL, NULL, "no notes"},
    {NULL, NULL, NULL, NULL, NULL}};

// ---- text -----------------------------------------------------------------------------------------------------

#define UNCHANGED 1e-9 // changes by less, relative to 1 and the value, are rounding

static bool is_changed(const hol_assembly_value *v)
{
    return fabs(v->used - v->asked) > UNCHANGED * fmax(1, fabs(v->asked));
}

// What is changed, and what was to be kept.
static void print_values(const char *what, int n, const hol_assembly_value *v)
{
    int shown = 0;
    for (int i = 0; i < n; i++) {
        if (!is_changed(&v[i]) && !v[i].exact) continue;
        if (!shown++) printf("%-20s %18s %18s %12s\n", what, "asked", "used", "change");
        printf("%-20s %18.12g %18.12g %12.4g %s%s\n", v[i].name, v[i].asked, v[i].used,
               v[i].used - v[i].asked, v[i].unit,
               v[i].exact   ? ", exact"
               : v[i].given ? ""
                            : ", not given");
    }
    if (!shown && n) printf("%s: as given\n", what);
}

// Which joint costs the most; where they are open, by how much.
static void print_joints(const hol_assembly *a)
{
    int dearest = -1;
    for (int i = 0; i < a->n_joints; i++)
        if (dearest < 0 || a->joint[i].cost > a->joint[dearest].cost) dearest = i;
    if (a->closed && a->change > 0 && dearest >= 0 && a->joint[dearest].cost > 0)
        printf("%s costs the most: the change grows by %.4g with its gap, by natural size\n",
               a->joint[dearest].name, a->joint[dearest].cost);
    for (int i = 0; i < a->n_joints && !a->closed; i++)
        printf("%-20s open by %.7g\n", a->joint[i].name, a->joint[i].open);
}

// What was found, as tables.
static void print_text(const hol_assembly *a)
{
    printf("%s\n", a->title ? a->title : a->model);
    if (a->closed)
        printf("the joints hold; %s change by natural size and weight %.15g\n",
               a->least ? "least" : "no least", a->change);
    else
        printf("the joints do not hold in the nearest pose\n");
    print_values("position", a->n_positions, a->position);
    print_values("velocity", a->n_velocities, a->velocity);
    print_joints(a);
}

// ---- JSON -----------------------------------------------------------------------------------------------------

// A list of coordinates or rates.
static void json_values(const char *key, int n, const hol_assembly_value *v)
{
    printf(",\n  \"%s\": [", key);
    for (int i = 0; i < n; i++) {
        printf("%s\n    {\"name\": ", i ? "," : "");
        cli_print_json(v[i].name);
        printf(", \"unit\": ");
        cli_print_json(v[i].unit);
        cli_print_json_number("asked", v[i].asked);
        cli_print_json_number("used", v[i].used);
        printf(", \"given\": %s, \"exact\": %s}", v[i].given ? "true" : "false",
               v[i].exact ? "true" : "false");
    }
    printf("]");
}

// The whole object.
static void print_json(const hol_assembly *a)
{
    printf("{\n  \"title\": ");
    cli_print_json(a->title ? a->title : a->model);
    printf(", \"closed\": %s, \"least\": %s, \"why\": ", a->closed ? "true" : "false",
           a->least ? "true" : "false");
    if (a->why)
        cli_print_json(a->why);
    else
        printf("null");
    printf(", \"loop\": ");
    if (a->loop)
        cli_print_json(a->loop);
    else
        printf("null");
    cli_print_json_number("gap", a->gap);
    cli_print_json_number("change", a->change);
    json_values("positions", a->n_positions, a->position);
    json_values("velocities", a->n_velocities, a->velocity);
    printf(",\n  \"joints\": [");
    for (int i = 0; i < a->n_joints; i++) {
        printf("%s\n    {\"name\": ", i ? "," : "");
        cli_print_json(a->joint[i].name);
        cli_print_json_number("open", a->joint[i].open);
        cli_print_json_number("cost", a->joint[i].cost);
        printf("}");
    }
    printf("]\n}\n");
}

// ---- the verb -------------------------------------------------------------------------------------------------

// Writes and prints what was found; what is open is an error all the same.
static int show(hol_context *ctx, const cli_options *o, const hol_assembly *a)
{
    if (!a->closed) (void)cli_fail(ctx, HOL_ERR_ASSEMBLY);
    for (int i = 0; i < o->n_out; i++) {
        const hol_status st = hol_assembly_write(ctx, a, o->out[i]);
        if (st) return cli_fail(ctx, st);
    }
    if (o->json)
        print_json(a);
    else
        print_text(a);
    return a->closed ? 0 : cli_exit_code(HOL_ERR_ASSEMBLY);
}

// The verb: assembles, writes, prints.
static int run(hol_context *ctx, const cli_options *o)
{
    int code = cli_check_outputs(o);
    if (code) return code;
    hol_model *model = hol_model_load(ctx, o->model, o->set, o->n_set);
    if (!model) return cli_fail(ctx, hol_context_status(ctx));
    code = cli_keep_model(ctx, o, model);
    hol_assembly *a = code ? NULL : hol_assembly_create(ctx, model);
    if (a)
        code = show(ctx, o, a);
    else if (!code)
        code = cli_fail(ctx, hol_context_status(ctx));
    hol_assembly_destroy(a);
    hol_model_destroy(model);
    return code;
}

const cli_verb cli_assemble = {"assemble",
                               "MODEL [options]",
                               "closes the joints and shows what that changes",
                               "Examples:\n  holonom assemble models/walker.yaml\n"
                               "  holonom assemble models/walker.yaml -o pose.yaml",
                               options,
                               run};
