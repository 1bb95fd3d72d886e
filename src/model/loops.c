// Loops of items: `for: i in first..last`.
#include "model/loops.h"
#include "model/subsystem.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool find_index(const void *data, const char *name, size_t length, hol_constant *out)
{
    const hol_loop_index *i = data;
    if (strlen(i->name) != length || memcmp(i->name, name, length) != 0) return false;
    out->value = i->value;
    return true;
}

static void each_index(const void *data, hol_nearest *nearest)
{
    const hol_loop_index *i = data;
    hol_nearest_try(nearest, i->name);
}

hol_scope hol_loop_scope(const hol_scope *outer, const hol_loop_index *index)
{
    return (hol_scope){outer, find_index, each_index, index};
}

// A bound of a loop: an expression of whole value, at its own place in the text.
static hol_status bound(const hol_reader *r, const hol_node *node, const hol_path *path, const char *from,
                        size_t length, double *out)
{
    char text[200];
    if (length >= sizeof text) return hol_read_fail(r, node, path, "the bound is too long");
    memcpy(text, from, length);
    text[length] = 0;
    hol_src at = node->at;
    at.col += (int)(from - node->text);
    hol_status st = hol_read_constant(r, text, at, out);
    if (st) return st;
    if (*out != rint(*out))
        return hol_read_fail(r, node, path, "\"%s\": bounds must be whole numbers, %s is %.6g", node->text,
                             text, *out);
    return HOL_OK;
}

// A loop index is a name of expressions that hides none.
static hol_status check_index(const hol_reader *r, const hol_node *node, const hol_path *path,
                              const char *name)
{
    const char *full = hol_full_name(r->arena, node->at, name);
    if (!full) return HOL_ERR_MEMORY;
    if (!hol_is_identifier(name))
        return hol_read_fail(
            r, node, path, "\"%s\": a loop index is made of letters, digits and _, not a digit first", name);
    if (hol_name_is_reserved(name))
        return hol_read_fail(r, node, path, "\"%s\" is %s; choose another name for the loop index", name,
                             hol_name_is_reserved(name));
    if (hol_is_parameter_of_file(r, node->at, name) ||
        (r->known && r->known->names && hol_names_find(r->known->names, full) >= 0))
        return hol_read_fail(
            r, node, path,
            "\"%s\" is the name of a parameter, a variable or an outer loop too; choose another for the "
            "loop index",
            name);
    return HOL_OK;
}

// A loop counts upwards. Without an item is one that ends right before it begins, as 2..n for n = 1; by more it is turned round, most
// likely, and where it is written in numbers that is certain.
static void tell_empty(const hol_reader *r, const hol_node *node, const char *from, double lo, double hi)
{
    const bool numbers = strspn(from, " .+-0123456789") == strlen(from);
    if (hi >= lo || (!numbers && hi >= lo - 1)) return;
    hol_note_at(r->ctx, numbers ? HOL_WARNING : HOL_NOTICE, node->at,
                "\"%.60s\" means no item: a loop counts upwards, and this one goes from %.0f to %.0f",
                node->text, lo, hi);
}

hol_status hol_loop_parse(const hol_reader *r, const hol_node *node, const hol_path *path,
                          hol_loop_index *index, double *lo, double *hi)
{
    char *name = index->name;
    int n = 0;
    const char *dots = strstr(node->text, "..");
    if (node->kind != HOL_NODE_SCALAR || sscanf(node->text, " %39[A-Za-z_0-9] in %n", name, &n) != 1 || !n ||
        !dots)
        return hol_read_fail(r, node, path, "wanted is \"i in first..last\" (both included)");
    const char *from = node->text + n;
    hol_status st = check_index(r, node, path, name);
    if (!st) st = bound(r, node, path, from, (size_t)(dots - from), lo);
    if (!st) st = bound(r, node, path, dots + 2, strlen(dots + 2), hi);
    if (!st && *hi - *lo >= HOL_LOOP_MOST)
        st = hol_read_fail(r, node, path, "\"%s\" means %.0f items; the most is %d", node->text,
                           *hi - *lo + 1, HOL_LOOP_MOST);
    if (!st) tell_empty(r, node, from, *lo, *hi);
    return st;
}
