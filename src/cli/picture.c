// Verbs that make a file of a result and the model that was run (report, export): reading both, the name of the file,
// and its writing.
#include "cli/picture.h"
#include "cli/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *cli_name_beside(const char *result, const char *ending)
{
    const char *slash = strrchr(result, '/'), *dot = strrchr(slash ? slash : result, '.');
    const size_t n = dot ? (size_t)(dot - result) : strlen(result), size = n + strlen(ending) + 1;
    char *name = malloc(size);
    if (name) snprintf(name, size, "%.*s%s", (int)n, result, ending);
    return name;
}

static int error(const char *format, const char *a)
{
    fprintf(stderr, "holonom: error: ");
    fprintf(stderr, format, a);
    fprintf(stderr, "\n");
    return 2;
}

static int check_options(const cli_options *o, const cli_picture *p)
{
    if (o->n_out > 1) return error("more than one --out: %s", p->what);
    if (o->n_set && !o->model_file)
        return error("%s", "--set goes with --model: a result knows what was set");
    if (!o->n_out && strcmp(o->model, "-") == 0)
        return error("a result from standard input has no name: say -o FILE%s", p->ending);
    return 0;
}

// Reads the result and its model, and has the file written.
static int make(hol_context *ctx, const cli_options *o, const cli_picture *p, const char *path)
{
    hol_result *result = hol_result_read(ctx, o->model);
    if (!result) return cli_fail(ctx, hol_context_status(ctx));
    hol_model *model =
        o->model_file ? hol_model_load(ctx, o->model_file, o->set, o->n_set) : hol_result_model(ctx, result);
    int code = model ? cli_keep_model(ctx, o, model) : cli_fail(ctx, hol_context_status(ctx));
    if (!code) code = p->write(ctx, o, result, model, path);
    if (!code && !o->quiet) printf("%s\n", path);
    hol_model_destroy(model);
    hol_result_destroy(result);
    return code;
}

int cli_make_picture(hol_context *ctx, const cli_options *o, const cli_picture *p)
{
    int code = check_options(o, p);
    if (code) return code;
    char *name = o->n_out ? NULL : cli_name_beside(o->model, p->ending);
    const char *path = o->n_out ? o->out[0] : name;
    if (!path)
        code = 1;
    else if (p->check_name(ctx, path))
        code = cli_fail(ctx, HOL_ERR_USAGE);
    else
        code = cli_keep_inputs(o, path, "-o");
    if (!code) code = make(ctx, o, p, path);
    free(name);
    return code;
}
