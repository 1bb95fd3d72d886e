// holonom import FILE: another program's model as a model file.
#include "cli/cli.h"
#include "holonom_draft.h"

#include <stdio.h>
#include <string.h>

static const cli_option options[] = {
    {"--out", "-o", "FILE", NULL, "the model file, .yaml; otherwise it goes to standard output"},
    {"--root", NULL, "WHAT", NULL,
     "of URDF; fixed: the first link is fixed to ground; free: it floats. Otherwise it is fixed, which is "
     "told"},
    {"--key", NULL, "NAME", NULL,
     "of MJCF: begin in this keyframe, which is its number, from 0, where it has no name; otherwise at the "
     "reference"},
    {"--lenient", NULL, NULL, NULL,
     "leave out what cannot be taken though the motion may depend on it, repair inertias that no body has, "
     "and tell"},
    {"-q", NULL, NULL, NULL, "no notes; warnings are printed"},
    {NULL, NULL, NULL, NULL, NULL}};

// The import as it is asked for; the exit code.
static int read_options(const cli_options *o, hol_import_options *import)
{
    import->lenient = o->lenient;
    import->key = o->key;
    if (!o->root) return 0;
    if (strcmp(o->root, "fixed") == 0)
        import->root = HOL_IMPORT_FIXED;
    else if (strcmp(o->root, "free") == 0)
        import->root = HOL_IMPORT_FREE;
    else
        return cli_wrong("--root", o->root, "it is fixed or free");
    return 0;
}

// The draft is written only if it is a model.
static hol_status write(hol_draft *draft, const cli_options *o)
{
    hol_model *model = hol_draft_compile(draft);
    if (!model) return HOL_ERR_MODEL;
    hol_model_destroy(model);
    return o->n_out ? hol_draft_write(draft, o->out[0]) : hol_draft_print(draft, cli_print, stdout);
}

// The verb: imports, compiles, writes.
static int run(hol_context *ctx, const cli_options *o)
{
    hol_import_options import = {.root = HOL_IMPORT_ROOT};
    const int code = read_options(o, &import);
    if (code) return code;
    if (o->n_out > 1) return cli_wrong("--out", o->out[1], "a model is one file");
    hol_draft *draft = hol_draft_import(ctx, o->model, &import);
    const hol_status st = draft ? write(draft, o) : hol_context_status(ctx);
    hol_draft_destroy(draft);
    return st ? cli_fail(ctx, hol_context_status(ctx)) : 0;
}

const cli_verb cli_import = {"import",
                             "FILE [options]",
                             "make a model file of a model of another program (URDF, MJCF, Adams)",
                             "Examples:\n  holonom import robot.urdf -o robot.yaml\n"
                             "  holonom import walker.urdf --root free -o walker.yaml\n"
                             "  holonom import humanoid.xml --lenient -o humanoid.yaml\n"
                             "  holonom import press.adm -o press.yaml",
                             options,
                             run};
