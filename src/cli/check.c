// holonom check MODEL: counts, rank, what is redundant.
#include "cli/cli.h"

#include <stdio.h>

static const cli_option options[] = {
    {"--json", NULL, NULL, NULL, "print JSON"},
    {"--set", NULL, "PATH=VALUE", "", "override a value of the model, e.g. parameters.N=40"},
    {"-q", NULL, NULL, NULL, "no notes"},
    {NULL, NULL, NULL, NULL, NULL}};

void cli_print_json(const char *text)
{
    putchar('"');
    for (const char *p = text; *p; p++) {
        if (*p == '"' || *p == '\\')
            printf("\\%c", *p);
        else if ((unsigned char)*p < 0x20)
            printf("\\u%04x", *p);
        else
            putchar(*p);
    }
    putchar('"');
}

static void print_json(const hol_check *c)
{
    printf("{\n  \"bodies\": %d,\n  \"coordinates\": %d,\n  \"constraints\": %d,\n  \"rank\": %d,\n"
           "  \"degrees_of_freedom\": %d,\n  \"rank_complete\": %s,\n  \"singular_pose\": %s,\n"
           "  \"velocity_constraints\": %d,\n  \"kinks\": %d,\n  \"position_violation\": %.6g,\n  "
           "\"velocity_violation\": %.6g,\n  \"length_scale\": %.6g,\n"
           "  \"redundant\": [",
           c->bodies, c->coordinates, c->constraints, c->rank, c->degrees_of_freedom,
           c->rank_complete ? "true" : "false", c->momentary ? "true" : "false", c->velocity_constraints,
           c->kinks, c->position_violation, c->velocity_violation, c->length_scale);
    for (int i = 0; i < c->n_redundant; i++) {
        printf("%s\n    {\"joint\": ", i ? "," : "");
        cli_print_json(c->redundant[i].joint);
        printf(", \"direction\": ");
        cli_print_json(c->redundant[i].direction);
        printf("}");
    }
    printf("%s]\n}\n", c->n_redundant ? "\n  " : "");
}

static void print_text(const hol_check *c, const char *file)
{
    printf("%s\n", c->title ? c->title : file);
    printf("  bodies                %d\n  coordinates           %d\n  constraint equations  %d, %d of them "
           "independent\n"
           "  degrees of freedom    %d\n",
           c->bodies, c->coordinates, c->constraints, c->rank, c->degrees_of_freedom);
    if (c->velocity_constraints)
        printf("  velocity constraints  %d: velocities have %d degrees of freedom\n", c->velocity_constraints,
               c->degrees_of_freedom - c->velocity_constraints);
    if (c->kinks)
        printf("  kinks                 %d functions in expressions whose derivative jumps somewhere: steps "
               "are short there\n",
               c->kinks);
    if (!c->rank_complete)
        printf("  a group of loops has too many equations for its rank to be computed: it counts as "
               "independent, and is\n"
               "  regularised\n");
    if (c->momentary) printf("  singular pose: here the rank is smaller than in the poses nearby\n");
    printf("  redundant             %s\n",
           c->n_redundant ? "these are left out; they hold all the same:" : "none");
    for (int i = 0; i < c->n_redundant; i++)
        printf("    %s: %s\n", c->redundant[i].joint, c->redundant[i].direction);
    printf("  joints of the data as given are open by %.3g, their velocities by %.3g (relative to %.3g m)\n",
           c->position_violation, c->velocity_violation, c->length_scale);
    printf("  masses and inertias possible\n");
}

static int run(hol_context *ctx, const cli_options *o)
{
    hol_model *model = hol_model_load(ctx, o->model, o->set, o->n_set);
    hol_check *c = model ? hol_check_create(ctx, model) : NULL;
    int code = 0;
    if (!c)
        code = cli_fail(ctx, hol_context_status(ctx));
    else if (o->json)
        print_json(c);
    else
        print_text(c, o->model);
    hol_check_destroy(c);
    hol_model_destroy(model);
    return code;
}

const cli_verb cli_check = {"check",
                            "MODEL [options]",
                            "count bodies and equations, find the rank and what is redundant",
                            "Examples:\n  holonom check models/bricard.yaml\n  holonom check "
                            "models/four_bar.yaml --set parameters.N=40 --json",
                            options,
                            run};
