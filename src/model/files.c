// Finds the values of a model file that name other files (include, tables, meshes, user code) by walking its tree along the grammar.
#include "model/files.h"
#include "model/grammar.h"

#include <string.h>

enum { DEEPEST = 8 }; // objects inside each other that lead to the name of a file

// What stands below a row; NULL: no object.
static const hol_object *below(const hol_option *o)
{
    return o->kind >= HOL_MARKER ? hol_object_find(o->choices) : NULL;
}

static bool has_files(const hol_object *object, int depth);

static bool rows_have_files(const hol_option *o, int depth)
{
    for (; o && o->key; o++)
        if (o->flags & HOL_FILE || (below(o) && has_files(below(o), depth + 1))) return true;
    return false;
}

// May a value of the object, or one below it, name a file?
static bool has_files(const hol_object *object, int depth)
{
    hol_type type;
    bool any = depth < DEEPEST && rows_have_files(object->rows, depth);
    for (int i = 0; depth < DEEPEST && object->type && !any && object->type(object, i, 0, &type); i++)
        any = rows_have_files(type.rows, depth);
    return any;
}

// The row of a key, of the object or of one of its types.
static const hol_option *find_row(const hol_object *object, const char *key)
{
    hol_type type;
    const hol_option *row = object->pairs ? object->rows : hol_option_find(object->rows, key);
    for (int i = 0; !row && object->type && object->type(object, i, 0, &type); i++)
        row = hol_option_find(type.rows, key);
    return row;
}

static hol_status each_name(hol_node *node, hol_file_fn *each, void *user)
{
    hol_status st = HOL_OK;
    if (node->kind == HOL_NODE_SCALAR) return each(user, node);
    for (int i = 0; i < node->n && !st; i++)
        if (node->value[i]->kind == HOL_NODE_SCALAR) st = each(user, node->value[i]);
    return st;
}

// An object, or a list of them.
static hol_status walk(const hol_object *object, hol_node *node, hol_file_fn *each, void *user, int depth)
{
    hol_status st = HOL_OK;
    if (depth > HOL_DEEPEST || !has_files(object, 0)) return HOL_OK;
    for (int i = 0; i < node->n && !st; i++) {
        const bool list = node->kind == HOL_NODE_SEQUENCE;
        const hol_option *row = list ? NULL : find_row(object, node->key[i]->text);
        if (list)
            st = walk(object, node->value[i], each, user, depth + 1);
        else if (row && row->flags & HOL_FILE)
            st = each_name(node->value[i], each, user);
        if (!st && row && below(row)) // the reader refuses what has no row
            st = walk(below(row), node->value[i], each, user, depth + 1);
    }
    return st;
}

hol_status hol_tree_files(hol_node *root, hol_file_fn *each, void *user)
{
    return walk(hol_objects[0], root, each, user, 0);
}
