// holonom fmu MODEL: the model as a part of other programs' simulations.
#include "cli/cli.h"

#include <stdio.h>
#include <string.h>

static const cli_option options[] = {
    {"--out", "-o", "FILE.fmu", NULL, "the file; otherwise MODEL with .fmu for its ending, in this folder"},
    {"--fmi", NULL, "2|3", NULL, "the version of FMI; 2 if it is not given"},
    {"--set", NULL, "PATH=VALUE", "", "override a value of the model"},
    {"-q", NULL, NULL, NULL, "no notes, do not print the name of the file"},
    {NULL, NULL, NULL, NULL, NULL}};

enum { NAME = 300 };

static bool ends_in(const char *name, const char *end)
{
    const size_t n = strlen(name), k = strlen(end);
    return n > k && strcmp(name + n - k, end) == 0;
}

// The name that was given, or one made of the model's; NULL: it is none.
static const char *find_name(const cli_options *o, char name[NAME])
{
    if (o->n_out) return o->out[0];
    const char *slash = strrchr(o->model, '/'), *from = slash ? slash + 1 : o->model,
               *dot = strrchr(from, '.');
    snprintf(name, NAME, "%.*s.fmu", dot && dot > from ? (int)(dot - from) : (int)strlen(from), from);
    return name;
}

// The verb: loads, writes.
static int run(hol_context *ctx, const cli_options *o)
{
    char own[NAME];
    if (o->n_out > 1) return cli_wrong("--out", o->out[1], "an FMU is one file");
    const char *name = find_name(o, own);
    if (!ends_in(name, ".fmu")) return cli_wrong("--out", name, "the name of an FMU ends in .fmu");
    if (o->fmi && strcmp(o->fmi, "2") != 0 && strcmp(o->fmi, "3") != 0)
        return cli_wrong("--fmi", o->fmi, "it is 2 or 3");
    hol_model *model = hol_model_load(ctx, o->model, o->set, o->n_set);
    const hol_status st =
        model ? hol_fmu_write(ctx, model, o->fmi && *o->fmi == '3' ? 3 : 2, name) : hol_context_status(ctx);
    hol_model_destroy(model);
    if (st) return cli_fail(ctx, st);
    if (!o->quiet) printf("%s\n", name);
    return 0;
}

const cli_verb cli_fmu = {"fmu",
                          "MODEL [options]",
                          "write the model as an FMU (FMI 2 or 3), which other programs simulate with theirs",
                          "Examples:\n  holonom fmu models/cart_pole.yaml -o cart_pole.fmu\n"
                          "  holonom fmu models/cart_pole.yaml --fmi 3 --set parameters.l=0.6 -o long.fmu",
                          options,
                          run};
