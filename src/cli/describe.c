// holonom methods, elements, schema: what there is, from the option rows.
#include "cli/cli.h"

#include <stdio.h>

static const cli_option page_options[] = {{"--markdown", NULL, NULL, NULL, "print Markdown"},
                                          {NULL, NULL, NULL, NULL, NULL}};
static const cli_option no_options[] = {{NULL, NULL, NULL, NULL, NULL}};

static int run_methods(hol_context *ctx, const cli_options *o)
{
    const hol_text_form form = o->markdown ? HOL_MARKDOWN : HOL_PLAIN_TEXT;
    if (!o->model) hol_describe_methods(form, cli_print, stdout);
    const hol_status st = o->model ? hol_describe_method(ctx, o->model, form, cli_print, stdout) : HOL_OK;
    return st ? cli_fail(ctx, st) : 0;
}

// All there is, or what is asked for by one word or several.
static int run_elements(hol_context *ctx, const cli_options *o)
{
    const hol_text_form form = o->markdown ? HOL_MARKDOWN : HOL_PLAIN_TEXT;
    char words[200]; // "loop operator", with quotes or without
    size_t n = (size_t)snprintf(words, sizeof words, "%s", o->model ? o->model : "");
    for (int i = 0; i < o->n_more && n < sizeof words; i++)
        n += (size_t)snprintf(words + n, sizeof words - n, " %s", o->more[i]);
    if (!o->model) hol_describe_elements(form, cli_print, stdout);
    const hol_status st = o->model ? hol_describe_element(ctx, words, form, cli_print, stdout) : HOL_OK;
    return st ? cli_fail(ctx, st) : 0;
}

static int run_schema(hol_context *ctx, const cli_options *o)
{
    (void)ctx;
    (void)o;
    hol_describe_schema(cli_print, stdout);
    return 0;
}

const cli_verb cli_methods = {
    "methods",
    "[NAME] [--markdown]",
    "list the integration methods and their options",
    "Examples:\n  holonom methods\n  holonom methods hht\n  holonom run models/pendulum.yaml --method "
    "newmark --set newmark.gamma=0.75",
    page_options,
    run_methods};

const cli_verb cli_elements = {
    "elements",
    "[NAME ...] [--markdown]",
    "list what a model file may contain, or explain a word: key, measure, unit, function, signal, term",
    "Examples:\n  holonom elements | less\n  holonom elements spring-damper\n  holonom elements redundant",
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
