// `include:` and --set: both edit the tree of the model file before it is read.
#include "base/file.h"
#include "model/read.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static hol_node *new_node(hol_arena *arena, hol_node_kind kind, const char *text, hol_src at)
{
    hol_node *n = hol_arena_alloc(arena, 1, sizeof *n);
    if (!n) return NULL;
    n->kind = kind;
    n->text = text;
    n->at = at;
    return n;
}

// A value more of a map or list, the arrays copied.
static hol_status append(hol_arena *arena, hol_node *to, hol_node *key, hol_node *value)
{
    const size_t n = (size_t)to->n;
    hol_node **values = hol_arena_alloc(arena, n + 1, sizeof *values);
    hol_node **keys = key ? hol_arena_alloc(arena, n + 1, sizeof *keys) : NULL;
    if (!values || (key && !keys)) return HOL_ERR_MEMORY;
    if (n) memcpy(values, to->value, n * sizeof *values);
    if (n && keys) memcpy(keys, to->key, n * sizeof *keys);
    values[n] = value;
    if (keys) keys[n] = key;
    to->value = values;
    to->key = keys;
    to->n++;
    to->index = NULL; // small again for hol_node_find: the pairs are searched one by one
    return HOL_OK;
}

// What another override has set stays: then the result is true.
static bool remove_key(hol_node *map, const char *key)
{
    for (int i = 0; i < map->n; i++)
        if (strcmp(map->key[i]->text, key) == 0) {
            if (strncmp(map->value[i]->at.file, "--set ", 6) == 0) return true;
            memmove(map->key + i, map->key + i + 1, (size_t)(map->n - i - 1) * sizeof *map->key);
            memmove(map->value + i, map->value + i + 1, (size_t)(map->n - i - 1) * sizeof *map->value);
            map->n--;
            map->index = NULL;
            return false;
        }
    return false;
}

// Fixed steps and error control exclude each other: the one that is set takes the place of the file's keys. Both cannot be
// set: the key that is in the way is returned.
static const char *drop_alternatives(hol_node *simulate, const char *key, size_t length)
{
    static const struct {
        const char *set, *drop[2];
    } rows[] = {{"step", {"tolerance", "max_step"}}, {"tolerance", {"step"}}};
    for (int i = 0; i < HOL_COUNT(rows) && simulate->kind == HOL_NODE_MAP; i++)
        if (strlen(rows[i].set) == length && memcmp(rows[i].set, key, length) == 0)
            for (int k = 0; k < 2 && rows[i].drop[k]; k++)
                if (remove_key(simulate, rows[i].drop[k])) return rows[i].drop[k];
    return NULL;
}

// ---- include --------------------------------------------------------------------------------------------------

// The pairs of `into` in the order of an include: those of `from` first, so that parameters may use them.
static hol_status order_like(hol_arena *arena, hol_node *into, const hol_node *from)
{
    hol_node sorted = *into;
    sorted.n = 0;
    sorted.key = hol_arena_alloc(arena, (size_t)into->n, sizeof *sorted.key);
    sorted.value = hol_arena_alloc(arena, (size_t)into->n, sizeof *sorted.value);
    if (into->n && (!sorted.key || !sorted.value)) return HOL_ERR_MEMORY;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < into->n; i++)
            if ((hol_node_find(from, into->key[i]->text) != NULL) == (pass == 0)) {
                sorted.key[sorted.n] = into->key[i];
                sorted.value[sorted.n++] = into->value[i];
            }
    sorted.index = NULL;
    *into = sorted;
    return HOL_OK;
}

// The items of `from`, then those that are there.
static hol_status put_before(hol_arena *arena, hol_node *into, const hol_node *from)
{
    hol_node **all = hol_arena_alloc(arena, (size_t)from->n + (size_t)into->n + 1, sizeof(hol_node *));
    if (!all) return HOL_ERR_MEMORY;
    if (from->n) memcpy(all, from->value, (size_t)from->n * sizeof *all);
    if (into->n) memcpy(all + from->n, into->value, (size_t)into->n * sizeof *all);
    into->value = all;
    into->n += from->n;
    into->at = from->at;
    return HOL_OK;
}

// Lists of the included file come first, its maps are filled up, the including file wins otherwise.
static hol_status merge(hol_arena *arena, hol_node *into, const hol_node *from)
{
    for (int i = 0; i < from->n; i++) {
        hol_node *mine = hol_node_find(into, from->key[i]->text), *theirs = from->value[i];
        hol_status st = HOL_OK;
        if (!mine) {
            st = append(arena, into, from->key[i], theirs);
        } else if (mine->kind == HOL_NODE_SEQUENCE && theirs->kind == HOL_NODE_SEQUENCE) {
            st = put_before(arena, mine, theirs);
        } else if (mine->kind == HOL_NODE_MAP && theirs->kind == HOL_NODE_MAP) {
            for (int k = 0; k < mine->n && strcmp(from->key[i]->text, "simulate") == 0; k++)
                drop_alternatives(theirs, mine->key[k]->text, strlen(mine->key[k]->text));
            st = merge(arena, mine, theirs);
        }
        if (st) return st;
    }
    return order_like(arena, into, from);
}

// What stands in this file, or in this value of the command line, is of that system.
static hol_status settle_in(hol_arena *arena, hol_systems *s, const char *file, int system)
{
    if (system == 0) return HOL_OK;
    if (!HOL_ARENA_GROW(arena, s->home, s->n_homes)) return HOL_ERR_MEMORY;
    s->home[s->n_homes++] = (hol_home){file, system};
    return HOL_OK;
}

// The units of an included file: its own, which hold nowhere else, or those of the file that includes it.
static hol_status own_units(hol_spec *spec, hol_node *file, int outer)
{
    hol_systems *s = &spec->systems;
    const hol_node *map = hol_node_find(file, "units");
    if (!map) return settle_in(spec->arena, s, file->at.file, outer);
    if (s->n == HOL_MOST_SYSTEMS)
        return hol_fail_at(
            spec->ctx, HOL_ERR_MODEL, map->at,
            "include: more than %d files have \"units:\" of their own; leave them away where they "
            "are those of the file that includes it",
            HOL_MOST_SYSTEMS - 1);
    const hol_status st = hol_read_units(&spec->reader, map, &s->system[s->n]);
    if (st) return st;
    remove_key(file, "units");
    return settle_in(spec->arena, s, file->at.file, s->n++);
}

// Reads a file that is included, and joins its lists and maps to those of the root.
static hol_status include_one(hol_spec *spec, const char *file, hol_node *root, const hol_node *what,
                              int depth)
{
    hol_context *ctx = spec->ctx;
    hol_arena *arena = spec->arena;
    if (what->kind != HOL_NODE_SCALAR)
        return hol_fail_at(ctx, HOL_ERR_MODEL, what->at, "include: a file name or a list of them is wanted");
    if (depth > 16)
        return hol_fail_at(ctx, HOL_ERR_MODEL, what->at,
                           "include: more than 16 files deep; does a file include itself?");
    const char *slash = strrchr(file, '/');
    const int folder = slash && what->text[0] != '/' ? (int)(slash - file) + 1 : 0;
    const char *path = hol_arena_print(arena, "%.*s%s", folder, file, what->text);
    hol_node *other;
    if (!path) return HOL_ERR_MEMORY;
    char why[160];
    FILE *there = hol_open_input(path, false, 0, why, sizeof why);
    if (!there)
        return hol_fail_at(ctx, HOL_ERR_MODEL, what->at, "include: the file \"%s\" cannot be read: %s",
                           what->text, errno == ENOENT ? "there is no such file" : why);
    fclose(there);
    hol_status st = hol_spec_note_file(spec, path);
    if (!st) st = hol_tree_read(ctx, arena, path, &other);
    if (!st && other->kind != HOL_NODE_MAP)
        st = hol_fail_at(ctx, HOL_ERR_MODEL, other->at,
                         "an included file is a map of keys and values like a model file");
    if (!st) st = own_units(spec, other, hol_system_at(&spec->systems, what->at));
    if (!st) st = hol_tree_include(spec, path, other, depth + 1);
    return st ? st : merge(arena, root, other);
}

hol_status hol_tree_include(hol_spec *spec, const char *file, hol_node *root, int depth)
{
    hol_context *ctx = spec->ctx;
    const hol_node *list = hol_node_find(root, "include");
    if (!list) return HOL_OK;
    if (hol_context_most_items(ctx))
        return hol_fail_at(ctx, HOL_ERR_MODEL, list->at, "include: other files may not be read here");
    remove_key(root, "include");
    if (list->kind == HOL_NODE_SCALAR) return include_one(spec, file, root, list, depth);
    for (int i = list->n - 1; i >= 0; i--) { // the last one wins over earlier ones
        hol_status st =
            list->kind == HOL_NODE_SEQUENCE
                ? include_one(spec, file, root, list->value[i], depth)
                : hol_fail_at(ctx, HOL_ERR_MODEL, list->at, "include: a list of file names is wanted");
        if (st) return st;
    }
    return HOL_OK;
}

// ---- --set path=value -----------------------------------------------------------------------------------------

static hol_node *child(hol_node *map, const char *key, size_t length)
{
    for (int i = 0; map->kind == HOL_NODE_MAP && i < map->n; i++)
        if (strlen(map->key[i]->text) == length && memcmp(map->key[i]->text, key, length) == 0)
            return map->value[i];
    return NULL;
}

// Items of bodies, joints, ... are found by their name.
static hol_node *named_item(const hol_node *list, const char *name, size_t length)
{
    for (int i = 0; i < list->n; i++) {
        hol_node *item = list->value[i],
                 *own = item->kind == HOL_NODE_MAP ? hol_node_find(item, "name") : NULL;
        if (own && strlen(own->text) == length && memcmp(own->text, name, length) == 0) return item;
    }
    return NULL;
}

// What a map has under a key, or the item of a list by its name; NULL: none.
static hol_node *below(hol_node *node, const char *key, size_t length)
{
    return node->kind == HOL_NODE_SEQUENCE ? named_item(node, key, length) : child(node, key, length);
}

// "; there are a, b, c", or nothing for none
static const char *names_text(hol_arena *arena, const char *const *name, int n)
{
    enum { MOST = 12 };
    const char *text = "";
    for (int i = 0; i < n && i < MOST; i++)
        if (!(text = hol_arena_print(arena, "%s%s%s", text, i ? ", " : "; there are ", name[i]))) return "";
    const char *all = n > MOST ? hol_arena_print(arena, "%s and %d more", text, n - MOST) : text;
    return all ? all : "";
}

// A value of the command line, which has no line; columns tell what stands close to what.
static void place(hol_node *node, hol_src at)
{
    at.col = node->at.col;
    node->at = at;
    for (int i = 0; i < node->n; i++) {
        if (node->key) place(node->key[i], at);
        place(node->value[i], at);
    }
}

// gravity.y or gravity.1 of a list of plain values: the place of the item, which may be none; -1: the key is no such word.
static int place_of(const hol_node *list, const char *word)
{
    const bool axis = *word >= 'x' && *word <= 'z' && !word[1];
    const bool digits = *word && !word[strspn(word, "0123456789")] && strlen(word) < 6;
    for (int i = 0; i < list->n; i++)
        if (list->value[i]->kind != HOL_NODE_SCALAR) return -1;
    return axis ? *word - 'x' : digits ? atoi(word) : -1;
}

// The message for --set list.NAME with a name that the list has not.
static hol_status no_item(hol_context *ctx, hol_arena *arena, const hol_node *list, const char *text,
                          const char *key, size_t length)
{
    const char **names = hol_arena_alloc(arena, (size_t)list->n + 1, sizeof *names);
    const char *word = hol_arena_copy(arena, key, length);
    hol_nearest nearest;
    int n = 0;
    if (!names || !word) return HOL_ERR_MEMORY;
    hol_nearest_start(&nearest, word);
    for (int i = 0; i < list->n; i++) {
        const hol_node *name =
            list->value[i]->kind == HOL_NODE_MAP ? hol_node_find(list->value[i], "name") : NULL;
        if (!name || name->kind != HOL_NODE_SCALAR) continue;
        names[n++] = name->text;
        hol_nearest_try(&nearest, name->text);
    }
    const int nth = list->n ? place_of(list, word) : -1, above = (int)(key - text) - 1;
    if (nth >= list->n)
        return hol_fail(ctx, HOL_ERR_USAGE, "--set %s: \"%.*s\" is a list of %d, the last is %.*s[%d]", text,
                        above, text, list->n, above, text, list->n - 1);
    if (nth >= 0)
        return hol_fail(ctx, HOL_ERR_USAGE,
                        "--set %s: \"%.*s\" is a list, its items have places, from [0] on: write %.*s[%d]%s",
                        text, above, text, above, text, nth, key + length);
    if (n == 0 && list->n > 0)
        return hol_fail(ctx, HOL_ERR_USAGE,
                        "--set %s: \"%.*s\" is a list in the file, of items without names, and \"%s\" is a "
                        "key: write a map there, `%.*s: {%s: ..}`",
                        text, (int)(key - text) - 1, text, word, (int)(key - text) - 1, text, word);
    if (n > 0 && strspn(word, "0123456789") == length && length > 0) // key is a part of text
        return hol_fail(ctx, HOL_ERR_USAGE,
                        "--set %s: there is no item named \"%s\"; one by its place is %.*s[%s]%s", text, word,
                        (int)(key - text) - 1, text, word, key + length);
    if (nearest.best)
        return hol_fail(ctx, HOL_ERR_USAGE, "--set %s: there is no item named \"%s\"; did you mean \"%s\"?",
                        text, word, nearest.best);
    return hol_fail(ctx, HOL_ERR_USAGE, "--set %s: there is no item named \"%s\"%s", text, word,
                    names_text(arena, names, n));
}

// --set parameters.NAME may not make a new parameter: a misspelt name would change nothing.
static hol_status set_parameter_exists(hol_context *ctx, hol_arena *arena, const hol_node *root,
                                       const char *text, const char *name, size_t length)
{
    const hol_node *map = hol_node_find(root, "parameters");
    char word[100];
    hol_nearest nearest;
    snprintf(word, sizeof word, "%.*s", (int)length, name);
    if (map && child((hol_node *)map, name, length)) return HOL_OK;
    hol_nearest_start(&nearest, word);
    for (int i = 0; map && i < map->n; i++) hol_nearest_try(&nearest, map->key[i]->text);
    if (nearest.best)
        return hol_fail(ctx, HOL_ERR_USAGE,
                        "--set %s: the model has no parameter \"%s\"; did you mean \"%s\"?", text, word,
                        nearest.best);
    const char **names = hol_arena_alloc(arena, map ? (size_t)map->n + 1 : 1, sizeof *names);
    if (!names) return HOL_ERR_MEMORY;
    for (int i = 0; map && i < map->n; i++) names[i] = map->key[i]->text;
    return hol_fail(ctx, HOL_ERR_USAGE, "--set %s: the model has no parameter \"%s\"%s", text, word,
                    names_text(arena, names, map ? map->n : 0));
}

// bodies, variables, events, ..
static bool is_list_of_items(const char *key, size_t length)
{
    for (const hol_option *o = hol_objects[0]->rows; o->key; o++)
        if (o->kind == HOL_LIST && strlen(o->key) == length && memcmp(o->key, key, length) == 0) return true;
    return false;
}

// One step down the path; missing keys of maps are made, missing list items are an error.
static hol_status descend(hol_context *ctx, hol_arena *arena, const char *text, const char *key,
                          size_t length, bool last, hol_src at, hol_node **node)
{
    hol_node *next = below(*node, key, length);
    if (!next && (*node)->kind == HOL_NODE_SEQUENCE) return no_item(ctx, arena, *node, text, key, length);
    if (!next && (*node)->kind == HOL_NODE_SCALAR)
        return hol_fail(ctx, HOL_ERR_USAGE, "--set %s: \"%.*s\" lies below a plain value", text, (int)length,
                        key);
    if (!next && !last && key == text && is_list_of_items(key, length))
        return hol_fail(ctx, HOL_ERR_USAGE, "--set %s: the model has no %.*s", text, (int)length, key);
    if (!next) {
        const char *name = hol_arena_copy(arena, key, length);
        hol_node *k = name ? new_node(arena, HOL_NODE_SCALAR, name, at) : NULL;
        next = new_node(arena, last ? HOL_NODE_SCALAR : HOL_NODE_MAP, "", at);
        if (!k || !next || append(arena, *node, k, next)) return HOL_ERR_MEMORY;
    }
    *node = next;
    return HOL_OK;
}

// Does a step of the path end in an index, bodies[0], which is no part of a name? The length of what stands before it, else n.
static size_t before_index(hol_node *node, const char *key, size_t n)
{
    if (n == 0 || key[n - 1] != ']' || below(node, key, n)) return n;
    const char *open = memchr(key, '[', n);
    return open ? (size_t)(open - key) : n;
}

// [2][0]: items of lists by their places in the file, from 0 on, as messages write them.
static hol_status by_index(hol_context *ctx, const char *text, const char *p, const char *end,
                           hol_node **node)
{
    while (p < end) {
        char *close;
        const bool digits = *p == '[' && p[1] >= '0' && p[1] <= '9';
        const long i = digits ? strtol(p + 1, &close, 10) : 0;
        if (!digits || *close != ']')
            return hol_fail(
                ctx, HOL_ERR_USAGE,
                "--set %s: an index is wanted in the brackets, such as bodies[0]; an item by its name "
                "is bodies.NAME",
                text);
        if ((*node)->kind != HOL_NODE_SEQUENCE)
            return hol_fail(ctx, HOL_ERR_USAGE,
                            "--set %s: what stands before \"%.*s\" is no list of the file", text,
                            (int)(end - p), p);
        if (i >= (*node)->n)
            return hol_fail(ctx, HOL_ERR_USAGE,
                            "--set %s: there is no item %.*s; the list has %d, the first is [0]", text,
                            (int)(close + 1 - p), p, (*node)->n);
        *node = (*node)->value[i];
        p = close + 1;
    }
    return HOL_OK;
}

// One step with an index: the list must be there.
static hol_status descend_to_item(hol_context *ctx, const char *text, const char *key, size_t length,
                                  size_t name, hol_node **node)
{
    hol_node *list = below(*node, key, name);
    if (!list)
        return hol_fail(ctx, HOL_ERR_USAGE, "--set %s: the file has no list \"%.*s\" there", text, (int)name,
                        key);
    *node = list;
    return by_index(ctx, text, key + name, key + length, node);
}

// bodies[0] rod, as messages write an item: its place or its name is enough.
static hol_status refuse_both(hol_context *ctx, const char *text, const char *key, size_t length)
{
    const char *open = memchr(key, '[', length), *end = key + length;
    const char *close = open ? memchr(open, ']', (size_t)(end - open)) : NULL;
    if (!close || close + 1 == end || close[1] == '[') return HOL_OK;
    const char *name = close + 1 + strspn(close + 1, " ");
    return hol_fail(ctx, HOL_ERR_USAGE,
                    "--set %s: an item is named by its place or by its name: write %.*s%s, or %.*s.%s", text,
                    (int)(close + 1 - text), text, end, (int)(open - text), text, name);
}

// rod.mass: an item of a list, whose key it has, without the list.
static hol_status refuse_without_list(hol_context *ctx, const hol_node *root, const char *text, size_t first)
{
    const char *key = text + first + (text[first] == '.');
    for (int i = 0; i < root->n; i++) {
        const hol_node *list = root->value[i],
                       *item = list->kind == HOL_NODE_SEQUENCE ? named_item(list, text, first) : NULL;
        if (item && child((hol_node *)item, key, strcspn(key, ".=[")))
            return hol_fail(ctx, HOL_ERR_USAGE, "--set %s: \"%.*s\" is one of %s: write %s.%s", text,
                            (int)first, text, root->key[i]->text, root->key[i]->text, text);
    }
    return HOL_OK;
}

// mass=3: the first item of a list that has the key; "": none has it, NULL: no memory.
static const char *key_of_items(hol_arena *arena, const hol_node *root, const char *word, const char *text)
{
    for (int i = 0; i < root->n; i++)
        for (int k = 0; k < root->value[i]->n && root->value[i]->kind == HOL_NODE_SEQUENCE; k++) {
            const hol_node *item = root->value[i]->value[k];
            const hol_node *name = item->kind == HOL_NODE_MAP ? hol_node_find(item, "name") : NULL;
            if (!name || strcmp(word, "name") == 0 || !hol_node_find(item, word)) continue;
            return hol_arena_print(arena, "items have it: write %s.%s.%s", root->key[i]->text, name->text,
                                   text);
        }
    return "";
}

// Rod.mass=2: an item of a list with a name like it.
static const char *like_an_item(hol_arena *arena, const hol_node *root, const char *word, const char *rest)
{
    const char *list = "";
    hol_nearest item;
    hol_nearest_start(&item, word);
    for (int i = 0; i < root->n && *rest == '.'; i++)
        for (int k = 0; k < root->value[i]->n && root->value[i]->kind == HOL_NODE_SEQUENCE; k++) {
            const hol_node *one = root->value[i]->value[k];
            const hol_node *name = one->kind == HOL_NODE_MAP ? hol_node_find(one, "name") : NULL;
            if (!name) continue;
            hol_nearest_try(&item, name->text);
            if (item.best == name->text) list = root->key[i]->text;
        }
    return item.best ? hol_arena_print(arena, "did you mean %s.%s%s?", list, item.best, rest) : "";
}

// What the first word of a path may mean, which is no key of the file; said if it is no option of `simulate` either. "": nothing
// is like it; NULL: no memory.
static const char *other_meaning(hol_arena *arena, const hol_node *root, const char *text, size_t first)
{
    const char *word = hol_arena_copy(arena, text, first);
    const hol_node *parameters = hol_node_find(root, "parameters");
    hol_nearest key;
    if (!word) return NULL;
    if (parameters && parameters->kind == HOL_NODE_MAP && hol_node_find(parameters, word))
        return hol_arena_print(arena, "it is a parameter: write parameters.%s", text);
    const char *items = key_of_items(arena, root, word, text);
    if (!items || *items) return items;
    hol_nearest_start(&key, word);
    for (const hol_option *o = hol_objects[0]->rows; o->key; o++) hol_nearest_try(&key, o->key);
    return key.best ? hol_arena_print(arena, "did you mean %s%s?", key.best, text + first)
                    : like_an_item(arena, root, word, text + first);
}

// [0].mass=2: in which list?
static hol_status refuse_bare_index(hol_context *ctx, const char *text)
{
    return text[0] != '[' ? HOL_OK
                          : hol_fail(ctx, HOL_ERR_USAGE,
                                     "--set %s: an index stands behind the name of its list, as in bodies%s",
                                     text, text);
}

// units={length: mm}: the keys are set one by one. {i} is a part of a name.
static hol_status refuse_map(hol_context *ctx, const char *text, const char *equal)
{
    static const char word[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    if (equal[1] != '{') return HOL_OK;
    const char *key = equal + 2 + strspn(equal + 2, " ");
    const size_t n = strspn(key, word);
    if (n == 0 || key[n] != ':' || key[n + 1] != ' ') return HOL_OK;
    const char *value = key + n + 1 + strspn(key + n + 1, " ");
    const bool plain = *value && !strchr("[{,}", *value);
    return hol_fail(
        ctx, HOL_ERR_USAGE, "--set %s: the values of a map are set one by one: write %.*s.%.*s=%.*s", text,
        (int)(equal - text), text, (int)n, key, plain ? (int)strcspn(value, ",}") : 2, plain ? value : "..");
}

// What can be said of the text before its path is looked at.
static hol_status check_override(hol_context *ctx, hol_node *root, const char *text, const char *equal)
{
    if (strpbrk(text, "\n\r")) // results have a line for each
        return hol_fail(
            ctx, HOL_ERR_USAGE,
            "--set %.*s: a line ends in it: give each path=value in a --set of its own, on one line",
            (int)strcspn(text, "\n\r"), text);
    if (equal && equal != text && !equal[1])
        return hol_fail(ctx, HOL_ERR_USAGE, "--set %s: a value is missing behind \"=\"", text);
    if (!equal || equal == text)
        return hol_fail(ctx, HOL_ERR_USAGE, "--set %s: wanted is path=value, e.g. parameters.N=40", text);
    hol_node *simulate = hol_node_find(root, "simulate");
    const char *other = simulate && strncmp(text, "simulate.", 9) == 0
                            ? drop_alternatives(simulate, text + 9, (size_t)(equal - text) - 9)
                            : NULL;
    if (other)
        return hol_fail(ctx, HOL_ERR_USAGE,
                        "--set %s: %s is set too: keep one, steps are fixed or chosen by a tolerance", text,
                        other);
    if (strcspn(text, ".=[") == 7 && memcmp(text, "include", 7) == 0)
        return hol_fail(ctx, HOL_ERR_USAGE,
                        "--set %s: files are included before anything is set: write `include:` in the model "
                        "file",
                        text);
    return HOL_OK;
}

// Is the first word of a path, so long, one of the model file? Files are included already.
static bool is_of_model(const char *path, size_t first)
{
    for (const hol_option *o = hol_objects[0]->rows; o->key; o++)
        if (strcmp(o->key, "include") != 0 && strlen(o->key) == first && memcmp(o->key, path, first) == 0)
            return true;
    return false;
}

// Along a path from *node on; *system: the units that hold there.
static hol_status follow_path(hol_context *ctx, hol_arena *arena, const hol_systems *systems, hol_node *root,
                              const char *text, hol_src at, hol_node **node, int *system)
{
    const char *equal = strchr(text, '=');
    hol_status st = HOL_OK;
    for (const char *p = text; !st && p < equal;) {
        const size_t n = strcspn(p, ".=");
        const bool parameter = *node == root && n == 10 && memcmp(p, "parameters", 10) == 0;
        if (parameter && p[n] == '.')
            st = set_parameter_exists(ctx, arena, root, text, p + n + 1, strcspn(p + n + 1, ".="));
        const size_t name = before_index(*node, p, n);
        if (!st && !below(*node, p, n)) st = refuse_both(ctx, text, p, n);
        if (!st && name < n) st = descend_to_item(ctx, text, p, n, name, node);
        if (!st && name == n) st = descend(ctx, arena, text, p, n, p + n == equal, at, node);
        if ((*node)->at.file != at.file) *system = hol_system_at(systems, (*node)->at); // else it is new
        p += n + (p[n] == '.');
    }
    return st;
}

// The value behind the equal sign takes the place of the node. Lists such as gravity=[0,-9.81] are read like model text.
static hol_status put_value(hol_context *ctx, hol_arena *arena, const char *text, const char *value,
                            hol_src at, hol_node *node)
{
    if (node->kind == HOL_NODE_MAP && node->n)
        return hol_fail(ctx, HOL_ERR_USAGE, "--set %s: this is a group of values, name one of them", text);
    if (*value == '[') {
        hol_node *list;
        const hol_status st = hol_tree_parse(ctx, arena, at.file, value, strlen(value), &list);
        if (!st) place(list, at);
        if (!st) *node = *list;
        return st;
    }
    node->kind = HOL_NODE_SCALAR;
    node->n = 0;
    node->quoted = false;
    node->text = hol_arena_print(arena, "%s", value);
    node->at = at;
    return node->text && at.file ? HOL_OK : HOL_ERR_MEMORY;
}

hol_status hol_tree_override(hol_context *ctx, hol_arena *arena, hol_systems *systems, hol_node *root,
                             const char *text)
{
    const char *equal = strchr(text, '=');
    hol_status st = check_override(ctx, root, text, equal);
    if (st) return st;
    const hol_src at = {.file = hol_arena_print(arena, "--set %s", text)};
    const size_t first = strcspn(text, ".=[");
    const bool known = is_of_model(text, first);
    hol_node *node = root;
    int system = 0;
    if (!known) st = refuse_without_list(ctx, root, text, first);
    if (!known && !st) st = refuse_bare_index(ctx, text);
    if (!known && !st) // method options may be written without "simulate."
        st = descend(ctx, arena, text, "simulate", 8, false, at, &node);
    const hol_node *simulated = !known && !st ? node : NULL;
    const int n_simulated = simulated ? simulated->n : 0;
    if (!st) st = follow_path(ctx, arena, systems, root, text, at, &node, &system);
    if (!st && simulated && simulated->n > n_simulated) {
        simulated->key[n_simulated]->hint = other_meaning(arena, root, text, first);
        if (!simulated->key[n_simulated]->hint) st = HOL_ERR_MEMORY;
    }
    if (!st) st = settle_in(arena, systems, at.file, system);
    if (!st) st = refuse_map(ctx, text, equal);
    return st ? st : put_value(ctx, arena, text, equal + 1, at, node);
}

// ---- drafts ---------------------------------------------------------------------------------------------------

static const char parameters[] = "parameters";

// "parameters.N=40" of a parameter that only an included file has: the draft's own takes its place, here still without a value.
static hol_status own_parameter(hol_arena *arena, hol_node *root, const char *text)
{
    const size_t word = sizeof parameters - 1;
    if (strncmp(text, parameters, word) != 0 || text[word] != '.') return HOL_OK;
    const char *name = text + word + 1;
    const size_t length = strcspn(name, ".=[");
    hol_node *map = hol_node_find(root, parameters);
    if (map && (map->kind != HOL_NODE_MAP || child(map, name, length))) return HOL_OK;
    const char *copy = hol_arena_copy(arena, name, length);
    hol_node *key = copy ? new_node(arena, HOL_NODE_SCALAR, copy, root->at) : NULL;
    hol_node *value = new_node(arena, HOL_NODE_SCALAR, "", root->at);
    if (!key || !value) return HOL_ERR_MEMORY;
    if (map) return append(arena, map, key, value);
    map = new_node(arena, HOL_NODE_MAP, "", root->at);
    key = map && !append(arena, map, key, value) ? new_node(arena, HOL_NODE_SCALAR, parameters, root->at)
                                                 : NULL;
    return key ? append(arena, root, key, map) : HOL_ERR_MEMORY;
}

// The model of a draft that includes files must take the value; then the draft itself.
static hol_status set_including(hol_spec *spec, hol_arena *arena, hol_node *root, const char *text)
{
    hol_context *ctx = spec->ctx;
    hol_node *whole = hol_node_copy(ctx, spec->arena, root, root->at.file, "");
    hol_status st = whole ? hol_tree_include(spec, spec->file, whole, 0) : HOL_ERR_MEMORY;
    const bool units = spec->systems.n > 1;
    if (!st) st = hol_tree_override(ctx, spec->arena, &spec->systems, whole, text);
    if (!st && !units) st = own_parameter(arena, root, text);
    hol_systems own = {.n = 1};
    if (st || !(st = hol_tree_override(ctx, arena, &own, root, text)) || st == HOL_ERR_MEMORY) return st;
    hol_context_clear(ctx);
    return hol_fail(
        ctx, HOL_ERR_USAGE,
        "--set %s: this stands in an included file: change it there, or, of a parameter, give the draft one "
        "of its own",
        text);
}

hol_status hol_tree_assign(hol_context *ctx, hol_arena *arena, const char *name, hol_node *root,
                           const char *text)
{
    hol_systems own = {.n = 1};
    if (!hol_node_find(root, "include")) return hol_tree_override(ctx, arena, &own, root, text);
    hol_spec *spec = hol_spec_start(ctx, name);
    if (!spec) return HOL_ERR_MEMORY;
    const hol_status st = set_including(spec, arena, root, text);
    hol_spec_destroy(spec);
    return st;
}
