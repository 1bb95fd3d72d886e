// `include:`: other files become a part of the tree of the model file before it is read. Lists and maps of a plain one are joined to
// those of the file that includes it. One with a name (`as`) is a subsystem (subsystem.h): its lists are joined, in which each place
// says by which include it came, and all else stays its own.
#include "base/file.h"
#include "model/loops.h"
#include "model/read.h"
#include "model/subsystem.h"
#include "model/tree_edit.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum {
    INCLUDE_FOR,
    INCLUDE_FILE,
    INCLUDE_AS,
    INCLUDE_AT,
    INCLUDE_MIRROR,
    INCLUDE_KEEP_AXES,
    INCLUDE_SET,
    INCLUDE_KEYS
};
static const hol_option include_rows[] = {
    {"for", HOL_LOOPS, "", 0, 0, 0, 0, NULL,
     "loop: i in first..last, whole numbers, or a list of loops; `as` and `file` have {i}, `at` and `set` i"},
    {"file", HOL_TEXT, "", 0, 0, 0, HOL_REQUIRED | HOL_FILE, NULL,
     "model file, beside the one that names it"},
    {"as", HOL_NAME, "", 0, 0, 0, HOL_REQUIRED | HOL_IDENTIFIER, NULL,
     "name: letters, digits and _; it stands in front of the names of the file, as in fl.hub"},
    {"at", HOL_MARKER, "", 0, 0, 0, 0, "placement",
     "where the file is put: a position, or a map; default: at the origin"},
    {"mirror", HOL_CHOICE, "", 0, 0, 0, 0, "no|x|y|z",
     "the mirror image in the plane across this axis through the file's own origin, before it is put there"},
    {"keep_axes", HOL_FLAG, "", 0, 0, 1, 0, NULL,
     "with `mirror`: signals and other files see the angles of its joints about axes that are mirrored as "
     "directions, not as turns: equal in roll, opposite in bump"},
    {"set", HOL_PAIRS, "", 0, 0, 0, 0, "include_settings",
     "parameters of the file, with values that may use those of this one; the only place where a file sets "
     "them (a command line may too, --set parameters.fl.k=..)"},
    HOL_END_OPTIONS};
static const hol_rule include_rules[] = {{HOL_GOES_WITH, "keep_axes|mirror", "goes with mirror", NULL},
                                         HOL_END_RULES};
const hol_object hol_include_object = {
    .name = "include",
    .rows = include_rows,
    .rules = include_rules,
    .text =
        "`include: parts.yaml` joins a file's lists and maps to those of this one; what is given here holds; "
        "a "
        "list that is to be another one, such as the signals of the other file, takes `--set "
        "simulate.signals=[..]`. With "
        "`as` the file is a subsystem: its bodies, joints, variables, .. are there under the name of the "
        "include, "
        "`fl.hub`, and its parameters and units are its own. Within it a name means what the file itself "
        "calls "
        "so, else what the files around it do; `../hub` is looked for around it only. A file may be included "
        "many "
        "times, and include files in its turn, 16 deep. `ground`, positions, axes and what expressions "
        "measure against "
        "ground are those of the file: they are put and mirrored with it, so that it reads the same wherever "
        "it is. Only the road of a tyre stays where it is in the global frame. A point of a body of a file "
        "around it, `../chassis: [0, 0.5, 0.7]`, is in the frame of that body: `at` neither moves nor turns "
        "it, "
        "but `mirror` mirrors it. `../` says that this is meant; a warning tells of such a point without it. "
        "What "
        "`bodies` and `at` draw is in the frame of the file. "
        "In contacts `ground` and `ground.NAME` are what the file draws of it, with the files it includes; "
        "where that is nothing, or none of that name, they are what the files around it draw. From outside a "
        "shape or marker of its ground is `ground.fl.NAME`. "
        "In a mirror image every measure, coordinate of a joint, driver, force and spring has the numbers "
        "that it has "
        "in the file (theory.md, section 18); columns of results are global as ever, and coordinates of "
        "joints "
        "those of "
        "the file. `pose` and `assemble` of the file hold, unless a file around it says the same. Gravity, "
        "`simulate`, `static`, `inverse`, `linearise`, the title and the scales are those of the model file; "
        "those of an "
        "included file hold where it runs alone, which is told where they differ. Code of the user takes "
        "and gives numbers of expressions and knows nothing of mirrors.",
    .example = "include:\n"
               "  - {file: corner.yaml, as: fl, at: [1.2, 0, 0], set: {k: 25 N/mm}}\n"
               "  - {file: corner.yaml, as: fr, at: [1.2, 0, 0], set: {k: 25 N/mm}, mirror: y}\n"};

static const hol_option setting_rows[] = {{"NAME", HOL_NUMBER, HOL_ANY_UNIT, HOL_NONE, -HOL_INF, HOL_INF, 0,
                                           NULL, "the value of a parameter of the file"},
                                          HOL_END_OPTIONS};
const hol_object hol_include_settings_object = {
    .name = "include_settings", .rows = setting_rows, .pairs = true, .keys = "^[A-Za-z_][A-Za-z_0-9]*$"};

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
            st = hol_tree_append(arena, into, from->key[i], theirs);
        } else if (mine->kind == HOL_NODE_SEQUENCE && theirs->kind == HOL_NODE_SEQUENCE) {
            st = put_before(arena, mine, theirs);
        } else if (mine->kind == HOL_NODE_MAP && theirs->kind == HOL_NODE_MAP) {
            for (int k = 0; k < mine->n && strcmp(from->key[i]->text, "simulate") == 0; k++)
                hol_tree_drop_alternatives(theirs, mine->key[k]->text, strlen(mine->key[k]->text));
            st = merge(arena, mine, theirs);
        }
        if (st) return st;
    }
    return order_like(arena, into, from);
}

// The units of an included file: its own, which hold nowhere else, or those of the file that includes it.
static hol_status own_units(hol_spec *spec, hol_node *file, int outer)
{
    hol_systems *s = &spec->systems;
    const hol_node *map = hol_node_find(file, "units");
    if (!map) return hol_tree_settle(spec->arena, s, file->at.file, outer);
    for (int i = 0; i < s->n_homes; i++) { // the same file, by another include
        const hol_node *own = s->system[s->home[i].system].map;
        if (!own || own->at.file != s->home[i].file || strcmp(own->at.file, map->at.file) != 0) continue;
        hol_tree_remove(file, "units");
        return hol_tree_settle(spec->arena, s, file->at.file, s->home[i].system);
    }
    if (s->n == HOL_MOST_SYSTEMS)
        return hol_fail_at(
            spec->ctx, HOL_ERR_MODEL, map->at,
            "include: more than %d files have \"units:\" of their own; leave them away where they "
            "are those of the file that includes it",
            HOL_MOST_SYSTEMS - 1);
    const hol_status st = hol_read_units(&spec->reader, map, &s->system[s->n]);
    if (st) return st;
    hol_tree_remove(file, "units");
    return hol_tree_settle(spec->arena, s, file->at.file, s->n++);
}

// The files that are being included, from the innermost outwards.
typedef struct trail {
    const struct trail *up;
    const char *path;
    int depth;
} trail;

static hol_status include_all(hol_spec *spec, const trail *in, const hol_include *by, hol_node *root);

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

// A file within itself would never end.
static hol_status refuse_loop(hol_spec *spec, const trail *in, hol_src at, const char *path)
{
    const char *chain = file_name(path);
    const trail *same = in;
    while (same && !hol_same_place(same->path, path)) same = same->up;
    if (!same && in->depth < 16) return HOL_OK;
    if (!same) return hol_fail_at(spec->ctx, HOL_ERR_MODEL, at, "include: more than 16 files deep");
    for (const trail *t = in; chain; t = t->up) {
        chain = hol_arena_print(spec->arena, "%s -> %s", file_name(t->path), chain);
        if (t == same) break;
    }
    return chain ? hol_fail_at(spec->ctx, HOL_ERR_MODEL, at, "include: a file includes itself: %s", chain)
                 : HOL_ERR_MEMORY;
}

// All places of a file say by which include it came.
static void came_by(hol_node *node, const hol_include *by)
{
    node->at.by = by;
    for (int i = 0; i < node->n; i++) {
        if (node->key) node->key[i]->at.by = by;
        came_by(node->value[i], by);
    }
}

// The tree of a file that `what` names, with all that it includes.
static hol_status read_file(hol_spec *spec, const trail *in, const hol_include *by, const hol_node *what,
                            hol_node **out)
{
    hol_context *ctx = spec->ctx;
    const char *slash = strrchr(in->path, '/');
    const int folder = slash && what->text[0] != '/' ? (int)(slash - in->path) + 1 : 0;
    const char *path = hol_arena_print(spec->arena, "%.*s%s", folder, in->path, what->text);
    if (!path) return HOL_ERR_MEMORY;
    char why[160];
    FILE *there = hol_open_input(path, false, 0, why, sizeof why);
    if (!there)
        return hol_fail_at(ctx, HOL_ERR_MODEL, what->at, "include: the file \"%s\" cannot be read: %s",
                           what->text, errno == ENOENT ? "there is no such file" : why);
    fclose(there);
    const trail here = {in, path, in->depth + 1};
    hol_status st = refuse_loop(spec, in, what->at, path);
    if (!st) st = hol_spec_note_file(spec, path);
    if (!st) st = hol_tree_read(ctx, spec->arena, path, out);
    if (!st && (*out)->kind != HOL_NODE_MAP)
        st = hol_fail_at(ctx, HOL_ERR_MODEL, (*out)->at,
                         "an included file is a map of keys and values like a model file");
    if (st) return st;
    came_by(*out, by);
    st = own_units(spec, *out, hol_system_at(&spec->systems, what->at));
    return st ? st : include_all(spec, &here, by, *out);
}

// The name of a subsystem: of expressions, and of nothing else.
static hol_status check_as(hol_spec *spec, const hol_node *item, const hol_path *up, hol_subsystem *s)
{
    const hol_reader *r = &spec->reader;
    const hol_path path = {up, "as", 0, NULL};
    const hol_node *node = hol_node_find(item, "as");
    const char *name = node->text;
    if (!hol_is_identifier(name))
        return hol_read_fail(
            r, node, &path,
            "\"%s\": this name stands in expressions: letters, digits and _, not a digit first", name);
    if (hol_name_is_reserved(name) || hol_name_is_taken(name))
        return hol_read_fail(r, node, &path, "\"%s\" is %s; choose another name", name,
                             hol_name_is_reserved(name) ? hol_name_is_reserved(name) : "taken");
    s->include.name = hol_full_name(spec->arena, item->at, name);
    s->prefix = s->include.name ? hol_arena_print(spec->arena, "%s.", s->include.name) : NULL;
    if (!s->prefix) return HOL_ERR_MEMORY;
    const int twin = hol_names_find(spec->subsystems.number, s->include.name);
    char place[HOL_PLACE];
    if (twin >= 0)
        return hol_read_fail(r, node, &path, "the name \"%s\" is given to two includes, first in %s", name,
                             hol_src_text(spec->subsystems.list[twin]->include.at, place));
    return HOL_OK;
}

// What the keys that are read later must look like.
static hol_status check_forms(const hol_reader *r, const hol_node *item, const hol_path *path)
{
    const hol_node *at = hol_node_find(item, "at"), *set = hol_node_find(item, "set");
    const hol_path place = {path, "at", 0, NULL}, settings = {path, "set", 0, NULL};
    if (at && at->kind == HOL_NODE_SCALAR)
        return hol_read_fail(r, at, &place,
                             "a position, [1, 0, 0], or a map of position and orientation is wanted");
    if (set && set->kind != HOL_NODE_MAP)
        return hol_read_fail(r, set, &settings,
                             "a map of parameters of the file and their values is wanted: {k: 2 N/mm}");
    for (int i = 0; set && i < set->n; i++) {
        const char *name = set->key[i]->text, *dot = strrchr(name, '.');
        if (hol_is_identifier(name)) continue;
        if (dot)
            return hol_read_fail(
                r, set->key[i], &settings,
                "\"%s\" is no parameter of the file itself: give the file a parameter, which it "
                "passes on where it includes \"%.*s\", `set: {%s: ..}`",
                name, (int)(dot - name), name, dot + 1);
        return hol_read_fail(r, set->key[i], &settings,
                             "a parameter's name is made of letters, digits and _");
    }
    return HOL_OK;
}

// What is included: a file by its name, or, of a turn of loops, a map with the indices that it knows.
typedef struct {
    hol_node *what;
    int n_loops;
    hol_scope *loop; // outer ones first
} one;

typedef struct {
    hol_spec *spec;
    const hol_path *path;
    int n;
    one *list;
} turns;

// A map whose values may be changed, which `--set` does with those of `set`.
static hol_node *copy_map(hol_arena *arena, const hol_node *map)
{
    hol_node *copy = hol_arena_alloc(arena, 1, sizeof *copy),
             *value = hol_arena_alloc(arena, (size_t)map->n + 1, sizeof *value);
    if (!copy || !value) return NULL;
    *copy = *map;
    copy->index = NULL;
    copy->key = hol_arena_alloc(arena, (size_t)map->n + 1, sizeof(hol_node *));
    copy->value = hol_arena_alloc(arena, (size_t)map->n + 1, sizeof(hol_node *));
    if (!copy->key || !copy->value) return NULL;
    for (int i = 0; i < map->n; i++) {
        value[i] = *map->value[i];
        copy->key[i] = map->key[i];
        copy->value[i] = &value[i];
    }
    return copy;
}

// {i} of this text becomes its number.
static hol_status put_numbers(const turns *x, const hol_reader *r, const char *key, hol_node *item)
{
    for (int i = 0; i < item->n; i++) {
        const hol_path path = {x->path, key, 0, NULL};
        const char *text;
        if (strcmp(item->key[i]->text, key) != 0) continue;
        const hol_status st = hol_read_text(r, item->value[i], &path, &text);
        if (st) return st;
        item->value[i]->text = text;
    }
    return HOL_OK;
}

// The turn at which the loops are: `r` knows their indices.
static hol_status add_turn(turns *x, const hol_reader *r, const hol_node *item, int n_loops)
{
    hol_arena *arena = x->spec->arena;
    hol_node *copy = copy_map(arena, item);
    one *o = HOL_ARENA_GROW(arena, x->list, x->n) ? &x->list[x->n++] : NULL;
    if (!o || !copy) return HOL_ERR_MEMORY;
    *o = (one){copy, n_loops, hol_arena_alloc(arena, (size_t)n_loops + 1, sizeof(hol_scope))};
    if (!o->loop) return HOL_ERR_MEMORY;
    for (int i = 0; i < copy->n; i++)
        if (strcmp(copy->key[i]->text, "set") == 0 && copy->value[i]->kind == HOL_NODE_MAP &&
            !(copy->value[i] = copy_map(arena, copy->value[i])))
            return HOL_ERR_MEMORY;
    const hol_scope *s = r->scope;
    for (int k = n_loops - 1; k >= 0; k--, s = s->outer) {
        hol_loop_index *index = hol_arena_alloc(arena, 1, sizeof *index);
        if (!index) return HOL_ERR_MEMORY;
        *index = *(const hol_loop_index *)s->data;
        o->loop[k] = hol_loop_scope(k ? &o->loop[k - 1] : NULL, index);
    }
    const hol_status st = put_numbers(x, r, "as", copy);
    return st ? st : put_numbers(x, r, "file", copy);
}

// Files are read before parameters are known: bounds are numbers.
static hol_status refuse_bounds(const turns *x, const hol_node *node, const hol_path *path)
{
    const char *in = strstr(node->text, " in ");
    if (!in || strcspn(in + 4, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz") == strlen(in + 4))
        return HOL_OK;
    return hol_read_fail(&x->spec->reader, node, path,
                         "\"%s\": bounds of an include are whole numbers, since files are read before "
                         "parameters are known",
                         node->text);
}

// Runs through the loops of an include from the outermost inwards.
static hol_status add_turns(turns *x, const hol_reader *r, const hol_node *item, const hol_node *loops,
                            int depth)
{
    const bool many = loops->kind == HOL_NODE_SEQUENCE;
    if (depth == (many ? loops->n : 1)) return add_turn(x, r, item, depth);
    const hol_node *node = many ? loops->value[depth] : loops;
    const hol_path at = {x->path, "for", 0, NULL};
    hol_loop_index index;
    double lo = 0, hi = -1;
    hol_status st = refuse_bounds(x, node, &at);
    if (!st) st = hol_loop_parse(r, node, &at, &index, &lo, &hi);
    const hol_scope scope = hol_loop_scope(r->scope, &index);
    hol_reader inner = *r;
    inner.scope = &scope;
    for (index.value = lo; !st && index.value <= hi; index.value++)
        st = add_turns(x, &inner, item, loops, depth + 1);
    return st;
}

// What the keys of an include with a name say, but for those that need the parameters of the file around it.
static hol_status begin_subsystem(hol_spec *spec, const one *o, const hol_path *path, hol_subsystem **out)
{
    const hol_node *item = o->what;
    hol_value v[INCLUDE_KEYS + 1];
    hol_subsystems *all = &spec->subsystems;
    hol_subsystem *s = hol_arena_alloc(spec->arena, 1, sizeof *s);
    if (!s || (!all->number && !(all->number = hol_names_create_in(spec->ctx, spec->arena))))
        return HOL_ERR_MEMORY;
    hol_status st = hol_read_object(&spec->reader, &hol_include_object, NULL, item, path, v);
    if (st) return st;
    st = check_forms(&spec->reader, item, path);
    if (st) return st;
    s->include.at = item->at;
    s->all = all;
    s->item = item;
    s->n_loops = o->n_loops;
    s->loop = o->loop;
    s->quat[0] = 1;
    s->mirror = v[INCLUDE_MIRROR].num > 0 ? (hol_mirror)(1 << ((int)v[INCLUDE_MIRROR].num - 1)) : 0;
    s->keep_axes = v[INCLUDE_KEEP_AXES].num > 0 && s->mirror;
    st = check_as(spec, item, path, s);
    if (!st && !HOL_ARENA_GROW(spec->arena, all->list, all->n)) st = HOL_ERR_MEMORY;
    if (!st) st = hol_names_add(all->number, s->include.name, all->n);
    if (st) return st;
    all->list[all->n++] = s;
    *out = s;
    return HOL_OK;
}

// The lists of a subsystem's file come before those of the file around it.
static hol_status join_lists(hol_spec *spec, hol_node *into, const hol_node *from)
{
    for (int i = 0; i < from->n; i++) {
        const hol_option *o = hol_option_find(hol_objects[0]->rows, from->key[i]->text);
        hol_node *mine = hol_node_find(into, from->key[i]->text), *theirs = from->value[i];
        hol_status st = HOL_OK;
        if (!o || o->kind != HOL_LIST) continue;
        if (theirs->kind != HOL_NODE_SEQUENCE)
            return hol_fail_at(spec->ctx, HOL_ERR_MODEL, theirs->at,
                               "%s: a list (lines starting with -) is wanted", from->key[i]->text);
        if (!mine) {
            mine = hol_tree_new(spec->arena, HOL_NODE_SEQUENCE, "", theirs->at);
            st = mine ? hol_tree_append(spec->arena, into, from->key[i], mine) : HOL_ERR_MEMORY;
        }
        if (!st && mine->kind == HOL_NODE_SEQUENCE) st = put_before(spec->arena, mine, theirs);
        if (st) return st;
    }
    return HOL_OK;
}

static hol_status read_subsystem(hol_spec *spec, const trail *in, const one *o, const hol_path *path,
                                 hol_node **file)
{
    hol_subsystem *s = NULL;
    hol_status st = begin_subsystem(spec, o, path, &s);
    if (!st) st = read_file(spec, in, &s->include, hol_node_find(o->what, "file"), file);
    if (!st) s->root = *file;
    return st;
}

// One of what is included: a file by its name, or a map.
static hol_status read_one(hol_spec *spec, const trail *in, const hol_include *by, const one *o,
                           const hol_path *path, hol_node **file)
{
    const hol_node *what = o->what;
    if (what->kind == HOL_NODE_MAP) return read_subsystem(spec, in, o, path, file);
    if (what->kind == HOL_NODE_SCALAR) return read_file(spec, in, by, what, file);
    return hol_fail_at(spec->ctx, HOL_ERR_MODEL, what->at,
                       "include: a file name, {file: .., as: ..} or a list of them is wanted");
}

// An item of `include:`, or the turns of its loops.
static hol_status list_item(turns *all, hol_node *item)
{
    const hol_node *loops = item->kind == HOL_NODE_MAP ? hol_node_find(item, "for") : NULL;
    const hol_reader r = hol_reader_at(&all->spec->reader, item->at);
    if (loops) return add_turns(all, &r, item, loops, 0);
    if (!HOL_ARENA_GROW(all->spec->arena, all->list, all->n)) return HOL_ERR_MEMORY;
    all->list[all->n++] = (one){.what = item};
    return HOL_OK;
}

// All that a file includes; what is joined last comes first, and wins where one value alone can hold.
static hol_status include_all(hol_spec *spec, const trail *in, const hol_include *by, hol_node *root)
{
    hol_node *list = hol_node_find(root, "include");
    const hol_path path = {NULL, "include", 0, NULL};
    if (!list) return HOL_OK;
    if (hol_context_most_items(spec->ctx))
        return hol_fail_at(spec->ctx, HOL_ERR_MODEL, list->at, "include: other files may not be read here");
    hol_tree_remove(root, "include");
    const bool many = list->kind == HOL_NODE_SEQUENCE;
    turns all = {.spec = spec, .path = &path};
    hol_status st = HOL_OK;
    for (int i = 0; i < (many ? list->n : 1) && !st; i++) st = list_item(&all, many ? list->value[i] : list);
    hol_node **file = hol_arena_alloc(spec->arena, (size_t)all.n + 1, sizeof *file);
    if (!file) return HOL_ERR_MEMORY;
    for (int i = 0; i < all.n && !st; i++) {
        const hol_node *what = all.list[i].what;
        const hol_node *name = what->kind == HOL_NODE_MAP ? hol_node_find(what, "as") : NULL;
        const hol_path at = {&path, NULL, i, name && name->kind == HOL_NODE_SCALAR ? name->text : NULL};
        st = read_one(spec, in, by, &all.list[i], many ? &at : &path, &file[i]);
    }
    for (int i = all.n - 1; i >= 0 && !st; i--)
        st = all.list[i].what->kind == HOL_NODE_MAP ? join_lists(spec, root, file[i])
                                                    : merge(spec->arena, root, file[i]);
    return st;
}

hol_status hol_tree_include(hol_spec *spec, const char *file, hol_node *root)
{
    const trail in = {NULL, file, 0};
    return include_all(spec, &in, NULL, root);
}
