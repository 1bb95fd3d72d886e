// What is done with trees of nodes once they are there: finding, copying, paths.
#include "text/tree.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

hol_node *hol_node_find(const hol_node *map, const char *key)
{
    if (map->kind != HOL_NODE_MAP) return NULL;
    if (map->index) {
        int i = hol_names_find(map->index, key);
        return i >= 0 ? map->value[i] : NULL;
    }
    for (int i = 0; i < map->n; i++)
        if (strcmp(map->key[i]->text, key) == 0) return map->value[i];
    return NULL;
}

bool hol_text_number(const char *text, double *x)
{
    char *end;
    *x = hol_decimal_read(text, &end);
    return *end == 0 && end != text && isfinite(*x) && !strpbrk(text, "xXpPnN");
}

bool hol_text_flag(const char *text, bool *x)
{
    static const char *const words[] = {"no", "false", "off", "0", "yes", "true", "on", "1"};
    int i = 0;
    while (i < HOL_COUNT(words) && strcmp(text, words[i]) != 0) i++;
    *x = i >= HOL_COUNT(words) / 2 && i < HOL_COUNT(words);
    return i < HOL_COUNT(words);
}

void hol_node_path(const hol_node *up, int i, const char *path, char out[HOL_NODE_PATH])
{
    const hol_node *name = up->kind == HOL_NODE_SEQUENCE ? hol_node_find(up->value[i], "name") : NULL;
    const bool named = name && name->kind == HOL_NODE_SCALAR;
    if (up->kind == HOL_NODE_MAP)
        snprintf(out, HOL_NODE_PATH, "%s%s%s", path, *path ? "." : "", up->key[i]->text);
    else
        snprintf(out, HOL_NODE_PATH, "%s[%d]%s%s", path, i, named ? " " : "", named ? name->text : "");
    unsigned point;
    const char *what;
    size_t end = strlen(out);
    if (end == HOL_NODE_PATH - 1) { // cut, perhaps within a character
        while (end && ((unsigned char)out[end - 1] & 0xc0) == 0x80) end--;
        out[end - (end > 0)] = 0;
    }
    for (char *p = out; *p;) { // as in messages of the reader
        int length = hol_unseen_length(p, &point, &what);
        for (p += length == 0; length > 0; length--) *p++ = '?';
    }
}

static hol_status index_map(hol_context *ctx, hol_arena *arena, hol_node *map)
{
    map->index = hol_names_create_in(ctx, arena);
    hol_status st = map->index ? HOL_OK : HOL_ERR_MEMORY;
    for (int i = 0; i < map->n && !st; i++) st = hol_names_add(map->index, map->key[i]->text, i);
    return st;
}

// A node alone, with its text and its place.
static hol_node *copy_one(hol_arena *arena, const hol_node *from, const char *file, const char *path)
{
    hol_node *node = hol_arena_alloc(arena, 1, sizeof *node);
    if (!node) return NULL;
    node->kind = from->kind;
    node->quoted = from->quoted;
    node->text = hol_arena_copy(arena, from->text, strlen(from->text));
    node->comment = from->comment ? hol_arena_copy(arena, from->comment, strlen(from->comment)) : NULL;
    node->at = (hol_src){.file = file, .line = from->at.line, .col = from->at.col};
    if (from->at.line <= 0) node->at = (hol_src){.file = file};
    if (from->at.line <= 0 && *path)
        node->at = (hol_src){.file = hol_arena_print(arena, "%s%c%s", file, 0, path), .line = HOL_BY_PATH};
    return node->text && node->at.file && !node->comment == !from->comment ? node : NULL;
}

hol_node *hol_node_copy(hol_context *ctx, hol_arena *arena, const hol_node *from, const char *file,
                        const char *path)
{
    hol_node *node = copy_one(arena, from, file, path);
    if (!node || from->kind == HOL_NODE_SCALAR) return node;
    const bool map = from->kind == HOL_NODE_MAP;
    node->n = from->n;
    node->value = hol_arena_alloc(arena, (size_t)from->n, sizeof *node->value);
    node->key = map ? hol_arena_alloc(arena, (size_t)from->n, sizeof *node->key) : NULL;
    if (!node->value || (map && !node->key)) return NULL;
    for (int i = 0; i < from->n; i++) {
        char there[HOL_NODE_PATH];
        hol_node_path(from, i, path, there);
        node->value[i] = hol_node_copy(ctx, arena, from->value[i], file, there);
        if (map) node->key[i] = copy_one(arena, from->key[i], file, there);
        if (!node->value[i] || (map && !node->key[i])) return NULL;
    }
    return map && node->n > HOL_SMALL_MAP && index_map(ctx, arena, node) ? NULL : node;
}
