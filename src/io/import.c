// Reads models of other programs: which format a file has, what is told of it, and names.
#include "io/import.h"

#include <stdio.h>
#include <string.h>

static const hol_import_format *const formats[] = {&hol_import_urdf, &hol_import_mjcf, &hol_import_adm};

// ---- reading --------------------------------------------------------------------------------------------------

// The format of a root element; NULL: the message is in the context.
static const hol_import_format *find_format(hol_import *in, const hol_xml *root)
{
    char known[200] = "";
    for (int i = 0; i < HOL_COUNT(formats); i++)
        if (formats[i]->element && strcmp(root->name, formats[i]->element) == 0) return formats[i];
    for (int i = 0; i < HOL_COUNT(formats); i++) {
        const size_t n = strlen(known);
        if (!formats[i]->element) continue;
        snprintf(known + n, sizeof known - n, "%s<%s>, %s", i ? "; " : "", formats[i]->element,
                 formats[i]->name);
    }
    hol_fail_at(in->ctx, HOL_ERR_MODEL, root->at,
                "<%.60s> is the root of no format that is read; known are: %s", root->name, known);
    return NULL;
}

// The format of a text that is no XML, by what it looks like; NULL: it may be XML.
static hol_status find_other(hol_import *in, const char *text, size_t length, const hol_import_format **out)
{
    const hol_src at = {.file = in->file};
    size_t i = 0;
    char known[200] = "";
    *out = NULL;
    while (i < length && text[i] && strchr(" \t\r\n\xef\xbb\xbf", text[i])) i++;
    if (i == length) return hol_fail_at(in->ctx, HOL_ERR_MODEL, at, "there is nothing in this file");
    if (text[i] == '<') return HOL_OK;
    for (int k = 0; k < HOL_COUNT(formats); k++) {
        const size_t n = strlen(known);
        snprintf(known + n, sizeof known - n, "%s%s", k ? ", " : "", formats[k]->name);
        if (formats[k]->begins && formats[k]->begins(text, length)) *out = formats[k];
    }
    if (*out || (unsigned char)text[i] >= 0x80 || !text[i]) return HOL_OK; // perhaps UTF-16
    return hol_fail_at(in->ctx, HOL_ERR_MODEL, at,
                       "this is no XML, and what is imported is: %s; a model file of YAML is no import, "
                       "`holonom run` reads it",
                       known);
}

// A tree with its head as a comment.
static hol_status read_model(hol_import *in, const char *text, size_t length, hol_node **root)
{
    hol_xml *xml = NULL;
    const hol_import_format *format;
    hol_status st = find_other(in, text, length, &format);
    if (!st && !format) st = hol_xml_parse(in->ctx, in->arena, in->file, text, length, &xml);
    if (st) return st;
    if (!format) format = find_format(in, xml);
    if (!format) return HOL_ERR_MODEL;
    if (in->options.key && format != &hol_import_mjcf)
        return hol_fail(in->ctx, HOL_ERR_USAGE, "--key: %s has no keyframes", format->name);
    const char *head;
    hol_node *model = NULL;
    st = xml ? format->read(in, xml, &model) : format->read_text(in, text, length, &model);
    if (in->no_memory) st = HOL_ERR_MEMORY; // what else is missed is so for that
    if (!st) st = hol_import_settle(in, &head);
    if (st) return st;
    model->comment = head;
    *root = model;
    return HOL_OK;
}

hol_status hol_import_parse(hol_context *ctx, hol_arena *arena, const char *name, const char *text,
                            size_t length, const hol_import_options *options, hol_node **root)
{
    const char *slash = strrchr(name, '/');
    hol_import in = {.ctx = ctx, .arena = arena, .sandbox = hol_context_most_items(ctx) > 0};
    *root = NULL;
    if (options) in.options = *options;
    in.file = hol_arena_copy(arena, name, strlen(name));
    in.folder = hol_arena_copy(arena, name, slash ? (size_t)(slash - name) + 1 : 0);
    in.told = hol_names_create_in(ctx, arena);
    if (!in.file || !in.folder || !in.told) return HOL_ERR_MEMORY;
    return read_model(&in, text, length, root);
}

hol_status hol_import_read(hol_context *ctx, hol_arena *arena, const char *path,
                           const hol_import_options *options, hol_node **root)
{
    char *text;
    size_t length;
    *root = NULL;
    hol_status st = hol_text_read(ctx, path, &text, &length);
    if (!st)
        st = hol_import_parse(ctx, arena, strcmp(path, "-") ? path : "<stdin>", text, length, options, root);
    hol_free(text);
    return st;
}
