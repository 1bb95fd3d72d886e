// Edits of the tree of the model file before it is read: --set, and what includes (tree_include.c) need too.
#include "base/file.h"
#include "model/read.h"
#include "model/subsystem.h"
#include "model/tree_edit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

hol_node *hol_tree_new(hol_arena *arena, hol_node_kind kind, const char *text, hol_src at)
{
    hol_node *n = hol_arena_alloc(arena, 1, sizeof *n);
    if (!n) return NULL;
    n->kind = kind;
    n->text = text;
    n->at = at;
    return n;
}

// A value more of a map or list, the arrays copied.
hol_status hol_tree_append(hol_arena *arena, hol_node *to, hol_node *key, hol_node *value)
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
bool hol_tree_remove(hol_node *map, const char *key)
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
const char *hol_tree_drop_alternatives(hol_node *simulate, const char *key, size_t length)
{
    static const struct {
        const char *set, *drop[2];
    } rows[] = {{"step", {"tolerance", "max_step"}}, {"tolerance", {"step"}}};
    for (int i = 0; i < HOL_COUNT(rows) && simulate->kind == HOL_NODE_MAP; i++)
        if (strlen(rows[i].set) == length && memcmp(rows[i].set, key, length) == 0)
            for (int k = 0; k < 2 && rows[i].drop[k]; k++)
                if (hol_tree_remove(simulate, rows[i].drop[k])) return rows[i].drop[k];
    return NULL;
}

// What stands in this file, or in this value of the command line, is of that system.
hol_status hol_tree_settle(hol_arena *arena, hol_systems *s, const char *file, int system)
{
    if (system == 0) return HOL_OK;
    if (!HOL_ARENA_GROW(arena, s->home, s->n_homes)) return HOL_ERR_MEMORY;
    s->home[s->n_homes++] = (hol_home){file, system};
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

// Items of bodies, joints, ... are found by their name, those of subsystems by that in the model.
static hol_node *named_item(const hol_node *list, const char *name, size_t length)
{
    for (int i = 0; i < list->n; i++) {
        hol_node *item = list->value[i],
                 *own = item->kind == HOL_NODE_MAP ? hol_node_find(item, "name") : NULL;
        const hol_subsystem *of = hol_subsystem_at(item->at);
        const size_t prefix = of ? strlen(of->prefix) : 0;
        if (own && prefix + strlen(own->text) == length &&
            memcmp(own->text, name + prefix, length - prefix) == 0 &&
            (!of || memcmp(of->prefix, name, prefix) == 0))
            return item;
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
        if (!(names[n] = hol_full_name(arena, name->at, name->text))) return HOL_ERR_MEMORY;
        hol_nearest_try(&nearest, names[n++]);
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

// Parameters of included files, "fl.k", for "did you mean": the one that is called `word` in its own file, else the nearest.
static hol_status try_inner(hol_arena *arena, const hol_subsystems *all, const char *word,
                            hol_nearest *nearest)
{
    for (int i = 0; all && i < all->n; i++) {
        const hol_node *map = hol_node_find(all->list[i]->root, "parameters");
        for (int k = 0; map && k < map->n; k++) {
            const char *own = map->key[k]->text, *full = hol_full_name(arena, map->key[k]->at, own);
            if (!full) return HOL_ERR_MEMORY;
            hol_nearest_try(nearest, full);
            if (strcmp(own, word) != 0) continue;
            nearest->best = full;
            return HOL_OK;
        }
    }
    return HOL_OK;
}

// --set parameters.NAME may not make a new parameter: a misspelt name would change nothing. all: files that it may be of; or NULL.
static hol_status set_parameter_exists(hol_context *ctx, hol_arena *arena, const hol_node *root,
                                       const hol_subsystems *all, const char *text, const char *name,
                                       size_t length)
{
    const hol_node *map = hol_node_find(root, "parameters");
    char word[100];
    hol_nearest nearest;
    if (map && child((hol_node *)map, name, length)) return HOL_OK;
    snprintf(word, sizeof word, "%.*s", all ? (int)strcspn(name, "=") : (int)length, name);
    hol_nearest_start(&nearest, word);
    for (int i = 0; map && i < map->n; i++) hol_nearest_try(&nearest, map->key[i]->text);
    if (try_inner(arena, all, word, &nearest)) return HOL_ERR_MEMORY;
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
        at.by = (*node)->at.by;
        const char *name = hol_arena_copy(arena, key, length);
        hol_node *k = name ? hol_tree_new(arena, HOL_NODE_SCALAR, name, at) : NULL;
        next = hol_tree_new(arena, last ? HOL_NODE_SCALAR : HOL_NODE_MAP, "", at);
        if (!k || !next || hol_tree_append(arena, *node, k, next)) return HOL_ERR_MEMORY;
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
                            ? hol_tree_drop_alternatives(simulate, text + 9, (size_t)(equal - text) - 9)
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

// As much of a path as names a subsystem, "front.left"; 0: it names none.
static size_t named_subsystem(const hol_subsystems *all, const char *path)
{
    char name[500];
    size_t found = 0;
    for (size_t n = strcspn(path, ".="); all && all->n && n < sizeof name;
         n += 1 + strcspn(path + n + 1, ".=")) {
        memcpy(name, path, n);
        name[n] = 0;
        if (hol_names_find(all->number, name) < 0) break;
        found = n;
        if (path[n] != '.') break;
    }
    return found;
}

// One step of a path; the name of an item has those of its subsystems before it.
static size_t length_of_step(const hol_subsystems *all, const hol_node *node, const char *p)
{
    const size_t inner = node->kind == HOL_NODE_SEQUENCE ? named_subsystem(all, p) : 0;
    return inner && p[inner] == '.' ? inner + 1 + strcspn(p + inner + 1, ".=") : strcspn(p, ".=");
}

// "fl.k" behind "parameters.": what the include sets, or what stands in its file.
static hol_status parameter_of(hol_context *ctx, hol_arena *arena, const hol_subsystems *all,
                               const char *text, const char *path, size_t inner, hol_node **node)
{
    const char *of = hol_arena_copy(arena, path, inner), *name = path + inner + (path[inner] == '.');
    const size_t length = strcspn(name, ".=");
    if (!of) return HOL_ERR_MEMORY;
    const hol_subsystem *s = all->list[hol_names_find(all->number, of)];
    hol_node *settings = hol_node_find(s->item, "set");
    hol_status st =
        path[inner] != '.'
            ? hol_fail(ctx, HOL_ERR_USAGE, "--set %s: this is a group of values, name one of them", text)
            : set_parameter_exists(ctx, arena, s->root, NULL, text, name, length);
    if (st) return st;
    *node = settings ? child(settings, name, length) : NULL;
    if (!*node) *node = child(hol_node_find(s->root, "parameters"), name, length);
    return HOL_OK;
}

// Along a path from *node on; *system: the units that hold there.
static hol_status follow_path(hol_context *ctx, hol_arena *arena, const hol_systems *systems,
                              const hol_subsystems *subsystems, hol_node *root, const char *text, hol_src at,
                              hol_node **node, int *system)
{
    const char *equal = strchr(text, '=');
    hol_status st = HOL_OK;
    for (const char *p = text; !st && p < equal;) {
        const size_t n = length_of_step(subsystems, *node, p);
        const bool parameter = *node == root && n == 10 && memcmp(p, "parameters", 10) == 0;
        const size_t inner = parameter && p[n] == '.' ? named_subsystem(subsystems, p + n + 1) : 0;
        if (inner) {
            st = parameter_of(ctx, arena, subsystems, text, p + n + 1, inner, node);
            *system = st ? 0 : hol_system_at(systems, (*node)->at);
            return st;
        }
        if (parameter && p[n] == '.')
            st = set_parameter_exists(ctx, arena, root, subsystems && subsystems->n ? subsystems : NULL, text,
                                      p + n + 1, strcspn(p + n + 1, ".="));
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
                            hol_src at, bool once, hol_node *node)
{
    if (node->kind == HOL_NODE_MAP && node->n)
        return hol_fail(ctx, HOL_ERR_USAGE, "--set %s: this is a group of values, name one of them", text);
    if (once && node->at.file != at.file && strncmp(node->at.file, "--set ", strlen("--set ")) == 0)
        return hol_fail(ctx, HOL_ERR_USAGE, "--set %s: this is set already, by %s: keep one of them", text,
                        node->at.file);
    at.by = node->at.by; // it stays in its file
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

// Is it a number with a unit behind it?
static bool has_unit(const char *text)
{
    char *rest;
    hol_unit unit;
    (void)hol_decimal_read(text, &rest);
    while (*rest == ' ') rest++;
    return rest != text && *rest && hol_unit_read(rest, &unit);
}

// A plain number in place of one with a unit is that of `units:` in some places and of SI in expressions: who sets it says which.
static hol_status refuse_plain(hol_context *ctx, const hol_node *root, const char *text, const char *value,
                               const hol_node *old)
{
    static const char *const bases[] = {"system", "length", "mass", "time", "angle", "force"};
    const hol_node *units = hol_node_find(root, "units");
    char *rest;
    bool others = false;
    for (int i = 0; i < HOL_COUNT(bases) && units && units->kind == HOL_NODE_MAP; i++)
        others = others || hol_node_find(units, bases[i]);
    const double x = hol_decimal_read(value, &rest);
    if (!others || strncmp(text, "parameters.", 11) != 0 || rest == value || *rest || x == 0 ||
        old->kind != HOL_NODE_SCALAR || !has_unit(old->text))
        return HOL_OK;
    return hol_fail(
        ctx, HOL_ERR_USAGE,
        "--set %s: the file gives it with a unit, %s, and a plain number would be in SI units where "
        "expressions take it, in those of `units:` elsewhere: give it its unit, too",
        text, old->text);
}

hol_status hol_tree_override(hol_context *ctx, hol_arena *arena, hol_systems *systems,
                             const hol_subsystems *subsystems, hol_node *root, const char *text, bool once)
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
    if (!st) st = follow_path(ctx, arena, systems, subsystems, root, text, at, &node, &system);
    if (!st && simulated && simulated->n > n_simulated) {
        simulated->key[n_simulated]->hint = other_meaning(arena, root, text, first);
        if (!simulated->key[n_simulated]->hint) st = HOL_ERR_MEMORY;
    }
    if (!st) st = hol_tree_settle(arena, systems, at.file, system);
    if (!st) st = refuse_map(ctx, text, equal);
    if (!st) st = refuse_plain(ctx, root, text, equal + 1, node);
    return st ? st : put_value(ctx, arena, text, equal + 1, at, once, node);
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
    hol_node *key = copy ? hol_tree_new(arena, HOL_NODE_SCALAR, copy, root->at) : NULL;
    hol_node *value = hol_tree_new(arena, HOL_NODE_SCALAR, "", root->at);
    if (!key || !value) return HOL_ERR_MEMORY;
    if (map) return hol_tree_append(arena, map, key, value);
    map = hol_tree_new(arena, HOL_NODE_MAP, "", root->at);
    key = map && !hol_tree_append(arena, map, key, value)
              ? hol_tree_new(arena, HOL_NODE_SCALAR, parameters, root->at)
              : NULL;
    return key ? hol_tree_append(arena, root, key, map) : HOL_ERR_MEMORY;
}

// "parameters.fl.k=3" of a draft: what its include sets.
static hol_status setting_of_include(hol_spec *spec, hol_arena *arena, hol_node *root, const char *text)
{
    static const char set[] = "set";
    const char *as = text + sizeof parameters, *equal = strchr(text, '=');
    const size_t inner = named_subsystem(&spec->subsystems, as), length = (size_t)(equal - as) - inner - 1;
    hol_node *list = hol_node_find(root, "include"), *item = NULL;
    for (int i = 0; i < (list->kind == HOL_NODE_SEQUENCE ? list->n : 1); i++) {
        hol_node *one = list->kind == HOL_NODE_SEQUENCE ? list->value[i] : list;
        const hol_node *name = one->kind == HOL_NODE_MAP ? hol_node_find(one, "as") : NULL;
        if (name && strlen(name->text) == inner && memcmp(name->text, as, inner) == 0) item = one;
    }
    if (!item)
        return hol_fail(spec->ctx, HOL_ERR_USAGE,
                        "--set %s: this include stands in an included file: change it there", text);
    hol_node *map = hol_node_find(item, set), *value = map ? child(map, as + inner + 1, length) : NULL;
    hol_status st = HOL_OK;
    if (!map) {
        hol_node *key = hol_tree_new(arena, HOL_NODE_SCALAR, set, root->at);
        map = hol_tree_new(arena, HOL_NODE_MAP, "", root->at);
        st = key && map ? hol_tree_append(arena, item, key, map) : HOL_ERR_MEMORY;
    }
    if (!st && !value) {
        const char *name = hol_arena_copy(arena, as + inner + 1, length);
        hol_node *key = name ? hol_tree_new(arena, HOL_NODE_SCALAR, name, root->at) : NULL;
        value = hol_tree_new(arena, HOL_NODE_SCALAR, "", root->at);
        st = key && value ? hol_tree_append(arena, map, key, value) : HOL_ERR_MEMORY;
    }
    return st ? st : put_value(spec->ctx, arena, text, equal + 1, root->at, false, value);
}

// The model of a draft that includes files must take the value; then the draft itself.
static hol_status set_including(hol_spec *spec, hol_arena *arena, hol_node *root, const char *text)
{
    hol_context *ctx = spec->ctx;
    hol_node *whole = hol_node_copy(ctx, spec->arena, root, root->at.file, "");
    hol_status st = whole ? hol_tree_include(spec, spec->file, whole) : HOL_ERR_MEMORY;
    const bool units = spec->systems.n > 1;
    if (!st) st = hol_tree_override(ctx, spec->arena, &spec->systems, &spec->subsystems, whole, text, false);
    if (!st && strncmp(text, "parameters.", 11) == 0 && named_subsystem(&spec->subsystems, text + 11))
        return setting_of_include(spec, arena, root, text);
    if (!st && !units) st = own_parameter(arena, root, text);
    hol_systems own = {.n = 1};
    if (st || !(st = hol_tree_override(ctx, arena, &own, NULL, root, text, false)) || st == HOL_ERR_MEMORY)
        return st;
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
    if (!hol_node_find(root, "include")) return hol_tree_override(ctx, arena, &own, NULL, root, text, false);
    hol_spec *spec = hol_spec_start(ctx, name);
    if (!spec) return HOL_ERR_MEMORY;
    const hol_status st = set_including(spec, arena, root, text);
    hol_spec_destroy(spec);
    return st;
}
