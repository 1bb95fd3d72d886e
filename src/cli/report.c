// holonom report RESULT: the motion and all that is known about it as one HTML page.
#include "cli/picture.h"
#include "cli/select.h"

#include <stddef.h>

static const cli_option options[] = {
    {"--out", "-o", "FILE.html", NULL, "the page; otherwise RESULT with .html for its ending"},
    {"--model", NULL, "FILE", NULL, "the model, for results that do not hold it"},
    {"--set", NULL, "PATH=VALUE", "", "with --model: override a value of it as the run did"},
    {"--signals", NULL, "A,B,...", NULL,
     "signals to plot: names or groups, with commas between: \"left arm.x,energy\"; otherwise all"},
    {"--title", NULL, "TEXT", NULL, "instead of the result's title"},
    {"-q", NULL, NULL, NULL, "no notes, do not print the name of the file"},
    {NULL, NULL, NULL, NULL, NULL}};

// The page with the signals that are asked for.
static int write(hol_context *ctx, const cli_options *o, const hol_result *r, const hol_model *m,
                 const char *path)
{
    cli_selection chosen = {0};
    int code = o->signals ? cli_select(ctx, r, o->signals, &chosen) : 0;
    const hol_report_options wanted = {o->title, chosen.n, o->signals ? chosen.column : NULL};
    const hol_status st = code ? HOL_OK : hol_report_write(ctx, r, m, &wanted, path);
    if (st) code = cli_fail(ctx, st);
    cli_selection_free(&chosen);
    return code;
}

static int run(hol_context *ctx, const cli_options *o)
{
    static const cli_picture page = {".html", "a report is one page", hol_report_check_name, write};
    return cli_make_picture(ctx, o, &page);
}

const cli_verb cli_report = {
    "report",
    "RESULT [options]",
    "write a web page that plays the motion, with plots, summary and model",
    "Examples:\n  holonom run models/bricard.yaml --out bricard.nc\n  holonom report bricard.nc\n"
    "  holonom report bricard.csv --model models/bricard.yaml -o bricard.html",
    options,
    run};
