// tree_json FILE: the tree of a model file as JSON, the way a schema validator sees it. Exit status 1: not readable.
#include "io/json.h"
#include "text/tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print(void *stream, const char *text) { fputs(text, stream); }

static void scalar(hol_json *j, const char *key, const hol_node *node)
{
    char *end;
    const double x = strtod(node->text, &end);
    const bool number = !*end && *node->text && isfinite(x) && !strpbrk(node->text, "xXpPnN");
    if (node->quoted)
        hol_json_text(j, key, node->text);
    else if (!*node->text)
        hol_json_null(j, key);
    else if (number)
        hol_json_number(j, key, x);
    else if (strcmp(node->text, "true") == 0 || strcmp(node->text, "false") == 0)
        hol_json_flag(j, key, *node->text == 't');
    else
        hol_json_text(j, key, node->text);
}

static void write(hol_json *j, const char *key, const hol_node *node)
{
    const bool map = node->kind == HOL_NODE_MAP;
    if (node->kind == HOL_NODE_SCALAR) {
        scalar(j, key, node);
        return;
    }
    hol_json_open(j, key, map ? '{' : '[');
    for (int i = 0; i < node->n; i++) write(j, map ? node->key[i]->text : NULL, node->value[i]);
    hol_json_close(j, map ? '}' : ']');
}

int main(int argc, char **argv)
{
    hol_context *ctx = hol_context_create();
    hol_arena *arena = ctx ? hol_arena_create(ctx) : NULL;
    hol_node *root = NULL;
    hol_json json = {.print = print, .user = stdout};
    const bool good = argc == 2 && arena && hol_tree_read(ctx, arena, argv[1], &root) == HOL_OK;
    if (good)
        write(&json, NULL, root);
    else if (ctx)
        fprintf(stderr, "%s\n", hol_context_error(ctx));
    hol_arena_destroy(arena);
    hol_context_destroy(ctx);
    return !good;
}
