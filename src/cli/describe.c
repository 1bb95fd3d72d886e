// holonom methods, elements, schema: what there is, from the option rows.
#include "cli/cli.h"

#include <stdio.h>

static const cli_option page_options[] = {{"--markdown", NULL, NULL, NULL, "print Markdown"},
                                          {NULL, NULL, NULL, NULL, NULL}};
static const cli_option no_options[] = {{NULL, NULL, NULL, NULL, NULL}};

static int run_methods(hol_context *ctx, const cli_options *o)
{
    (void)ctx;
    hol_describe_methods(o->markdown ? HOL_MARKDOWN : HOL_PLAIN_TEXT, cli_print, stdout);
    return 0;
}

static int run_elements(hol_context *ctx, const cli_options *o)
{
    (void)ctx;
    hol_describe_elements(o->markdown ? HOL_MARKDOWN : HOL_PLAIN_TEXT, cli_print, stdout);
    return 0;
}

static int run_schema(hol_context *ctx, const cli_options *o)
{
    (void)ctx;
    (void)o;
    hol_describe_schema(cli_print, stdout);
    return 0;
}

const cli_verb cli_methods = {"methods",
                              "[--markdown]",
                              "list the integration methods and their options",
                              "Examples:\n  holonom methods\n  holonom run models/pendulum.yaml --method "
                              "newmark --set newmark.gamma=0.75",
                              page_options,
                              run_methods};

const cli_verb cli_elements = {
    "elements",
    "[--markdown]",
    "list what a model file may contain: bodies, joints, drivers, forces, expressions",
    "Examples:\n  holonom elements | less\n  holonom elements | grep -A8 spring-damper",
    page_options,
    run_elements};

const cli_verb cli_schema = {
    "schema",
    "",
    "print the JSON Schema of model files, for editors that check while you type",
    "Examples:\n  holonom schema > holonom.schema.json\n"
    "  and as first line of a model: # yaml-language-server: $schema=holonom.schema.json",
    no_options,
    run_schema};
