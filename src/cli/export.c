// holonom export RESULT: the motion for programs that show or render it.
#include "cli/picture.h"

#include <stddef.h>

static const cli_option options[] = {
    {"--out", "-o", "FILE.glb", NULL, "the file; otherwise RESULT with .glb for its ending"},
    {"--model", NULL, "FILE", NULL, "the model, for results that do not hold it"},
    {"--set", NULL, "PATH=VALUE", "", "with --model: override a value of it as the run did"},
    {"-q", NULL, NULL, NULL, "no notes, do not print the name of the file"},
    {NULL, NULL, NULL, NULL, NULL}};

static int write(hol_context *ctx, const cli_options *o, const hol_result *r, const hol_model *m,
                 const char *path)
{
    (void)o;
    const hol_status st = hol_motion_export(ctx, r, m, path);
    return st ? cli_fail(ctx, st) : 0;
}

static int run(hol_context *ctx, const cli_options *o)
{
    static const cli_picture motion = {".glb", "a motion is one file", hol_motion_check_name, write};
    return cli_make_picture(ctx, o, &motion);
}

const cli_verb cli_export = {"export",
                             "RESULT [options]",
                             "write the motion as glTF, which Blender and other programs open",
                             "Examples:\n  holonom run models/bricard.yaml --out bricard.nc\n  holonom "
                             "export bricard.nc -o bricard.glb\n"
                             "  holonom export bricard.csv --model models/bricard.yaml",
                             options,
                             run};
