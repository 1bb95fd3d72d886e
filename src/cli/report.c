// holonom report RESULT: the motion and all that is known about it as one HTML page.
#include "cli/cli.h"
#include "cli/select.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const cli_option options[] = {
    {"--out", "-o", "FILE.html", NULL, "the page; otherwise RESULT with .html for its ending"},
    {"--model", NULL, "FILE", NULL, "the model, for results that do not hold it"},
    {"--set", NULL, "PATH=VALUE", "", "with --model: override a value of it as the run did"},
    {"--signals", NULL, "A,B,...", NULL, "signals to plot: names or groups; otherwise all"},
    {"--title", NULL, "TEXT", NULL, "instead of the result's title"},
    {"-q", NULL, NULL, NULL, "no notes"},
    {NULL, NULL, NULL, NULL, NULL}};

// RESULT without its ending, and .html; to be freed by the caller.
static char *page_name(const char *result)
{
    const char *slash = strrchr(result, '/'), *dot = strrchr(slash ? slash : result, '.');
    const size_t n = dot ? (size_t)(dot - result) : strlen(result), size = n + sizeof ".html";
    char *name = malloc(size);
    if (name) snprintf(name, size, "%.*s.html", (int)n, result);
    return name;
}

static int check_options(const cli_options *o)
{
    const char *what = o->n_out > 1                 ? "more than one --out: a report is one page"
                       : o->n_set && !o->model_file ? "--set goes with --model: a result knows what was set"
                       : !o->n_out && strcmp(o->model, "-") == 0
                           ? "a result from standard input has no name: say -o FILE.html"
                           : NULL;
    if (!what) return 0;
    fprintf(stderr, "holonom: error: %s\n", what);
    return 2;
}

static int write(hol_context *ctx, const cli_options *o, const char *path)
{
    cli_selection chosen = {0};
    hol_result *result = hol_result_read(ctx, o->model);
    if (!result) return cli_fail(ctx, hol_context_status(ctx));
    int code = o->signals ? cli_select(result, o->signals, &chosen) : 0;
    hol_model *model = code            ? NULL
                       : o->model_file ? hol_model_load(ctx, o->model_file, o->set, o->n_set)
                                       : hol_result_model(ctx, result);
    const hol_report_options wanted = {o->title, chosen.n, o->signals ? chosen.column : NULL};
    if (!code && (!model || hol_report_write(ctx, result, model, &wanted, path)))
        code = cli_fail(ctx, hol_context_status(ctx));
    if (!code) printf("%s\n", path);
    if (o->signals) cli_selection_free(&chosen);
    hol_model_destroy(model);
    hol_result_destroy(result);
    return code;
}

static int run(hol_context *ctx, const cli_options *o)
{
    int code = check_options(o);
    if (code) return code;
    char *name = o->n_out ? NULL : page_name(o->model);
    const char *path = o->n_out ? o->out[0] : name;
    if (!path)
        code = 1;
    else if (hol_report_check_name(ctx, path))
        code = cli_fail(ctx, HOL_ERR_USAGE);
    else
        code = write(ctx, o, path);
    free(name);
    return code;
}

const cli_verb cli_report = {
    "report",
    "RESULT [options]",
    "write a web page that plays the motion, with plots, summary and model",
    "Examples:\n  holonom run models/bricard.yaml --out bricard.nc\n  holonom report bricard.nc\n"
    "  holonom report bricard.csv --model models/bricard.yaml -o bricard.html",
    options,
    run};
