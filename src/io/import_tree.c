// Nodes of the trees that imports make.
#include "io/import.h"
#include "io/number_text.h"

#include <string.h>

static hol_node *make(hol_import *in, hol_node_kind kind, const char *text)
{
    hol_node *node = in->no_memory ? NULL : hol_arena_alloc(in->arena, 1, sizeof *node);
    if (node)
        *node = (hol_node){.kind = kind, .at = in->at, .text = hol_arena_copy(in->arena, text, strlen(text))};
    if (node && node->text) return node;
    in->no_memory = true;
    return NULL;
}

void hol_import_put(hol_import *in, hol_node *into, const char *key, hol_node *value)
{
    hol_node *name = key ? make(in, HOL_NODE_SCALAR, key) : NULL;
    if (in->no_memory || !into || !value) return;
    if ((key && !HOL_ARENA_GROW(in->arena, into->key, into->n)) ||
        !HOL_ARENA_GROW(in->arena, into->value, into->n)) {
        in->no_memory = true;
        return;
    }
    if (key) into->key[into->n] = name;
    into->value[into->n++] = value;
}

static hol_node *put(hol_import *in, hol_node *into, const char *key, hol_node_kind kind, const char *text)
{
    hol_node *node = make(in, kind, text);
    if (into) hol_import_put(in, into, key, node);
    return node;
}

hol_node *hol_import_map(hol_import *in, hol_node *into, const char *key)
{
    return put(in, into, key, HOL_NODE_MAP, "");
}

hol_node *hol_import_list(hol_import *in, hol_node *into, const char *key)
{
    return put(in, into, key, HOL_NODE_SEQUENCE, "");
}

void hol_import_text(hol_import *in, hol_node *into, const char *key, const char *text)
{
    put(in, into, key, HOL_NODE_SCALAR, text);
}

void hol_import_number(hol_import *in, hol_node *into, const char *key, double x)
{
    char text[32];
    hol_number_text(x + 0.0, text); // without the sign of 0
    hol_import_text(in, into, key, text);
}

void hol_import_numbers(hol_import *in, hol_node *into, const char *key, int n, const double *x)
{
    hol_node *list = hol_import_list(in, into, key);
    for (int i = 0; i < n; i++) hol_import_number(in, list, NULL, x[i]);
}
