// Items of drafts: making, changing and reading them. A call checks all before it changes anything.
#include "api/draft.h"
#include "io/number_text.h"
#include "text/characters.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LEAST_ROOM = 32,
    FIRST_CAPACITY = 4
}; // bytes of a text, as many as a number has; values of a map or list

static hol_item *item_of(hol_node *node) { return (hol_item *)node; }
static hol_item *child(const hol_item *item, int i) { return item_of(item->node.value[i]); }
static bool is_scalar(const hol_item *item) { return item->node.kind == HOL_NODE_SCALAR; }

static int depth_of(const hol_item *item) // maps and lists around it
{
    int n = 0;
    for (const hol_item *p = item->up; p; p = p->up) n++;
    return n;
}

// Maps and lists inside each other.
static int height_of(const hol_node *node)
{
    int most = 0;
    for (int i = 0; i < node->n; i++) {
        const int one = height_of(node->value[i]);
        if (one > most) most = one;
    }
    return most + (node->kind != HOL_NODE_SCALAR);
}

static bool is_removed(const hol_item *item)
{
    const hol_item *top = item;
    while (top->up) top = top->up;
    return top != item->draft->root;
}

// Its place among those of its parent.
static int place_in(const hol_item *item)
{
    int i = 0;
    while (item->up->node.value[i] != &item->node) i++;
    return i;
}

// ---- messages -------------------------------------------------------------------------------------------------

static void where(const hol_item *item, char out[HOL_NODE_PATH])
{
    char above[HOL_NODE_PATH];
    *out = 0;
    if (!item->up) return;
    where(item->up, above);
    hol_node_path(&item->up->node, place_in(item), above, out);
}

void hol_item_where(const hol_item *item, char *text, size_t size)
{
    char path[HOL_NODE_PATH] = "";
    if (!text || !size) return;
    if (item) where(item, path);
    snprintf(text, size, "%.*s", HOL_NODE_PATH - 1, path);
}

// HOL_ERR_USAGE of a value under a key of an item, or (key NULL) of the item.
static hol_status refuse(const hol_item *item, const char *key, const char *format, ...) HOL_PRINTF(3, 4);
// The message has the path of the item.
static hol_status refuse(const hol_item *item, const char *key, const char *format, ...)
{
    char path[HOL_NODE_PATH], whole[2 * HOL_NODE_PATH], text[600];
    va_list args;
    where(item, path);
    const bool map = key && item->node.kind == HOL_NODE_MAP;
    snprintf(whole, sizeof whole, "%s%s%.*s", path, map && *path ? "." : "", HOL_NODE_PATH - 1,
             key ? key : "");
    va_start(args, format);
    hol_decimal_vprint(text, sizeof text, format, args);
    va_end(args);
    const hol_src at = {.file = item->draft->shown};
    return hol_fail_at(item->draft->ctx, HOL_ERR_USAGE, at, "%s%s%s", whole, *whole ? ": " : "", text);
}

hol_status hol_draft_note(hol_draft *draft, hol_status st)
{
    if (!st || draft->status) return st;
    draft->status = st;
    snprintf(draft->said, sizeof draft->said, "%.*s", (int)sizeof draft->said - 1,
             hol_context_error(draft->ctx));
    return st;
}

static hol_status note(const hol_item *item, hol_status st) { return hol_draft_note(item->draft, st); }

// ---- items ----------------------------------------------------------------------------------------------------

// Into the bytes there are, or more.
static hol_status set_text(hol_item *item, const char *text, size_t length, bool quoted)
{
    if (item->room <= length) {
        const size_t room = length < LEAST_ROOM ? LEAST_ROOM : length + length / 2 + 1;
        char *own = hol_arena_alloc(item->draft->arena, room, 1);
        if (!own) return HOL_ERR_MEMORY;
        item->node.text = own;
        item->room = room;
    }
    char *own = (char *)item->node.text;
    memmove(own, text, length);
    own[length] = 0;
    item->node.quoted = quoted;
    return HOL_OK;
}

// Without text, keys, values; not yet in any other.
static hol_item *new_item(hol_draft *draft, hol_node_kind kind)
{
    hol_item *item = hol_arena_alloc(draft->arena, 1, sizeof *item);
    if (!item) return NULL;
    item->draft = draft;
    item->node.kind = kind;
    item->node.text = "";
    item->node.at.file = draft->shown;
    return item;
}

static hol_item *new_text(hol_draft *draft, const char *text, bool quoted)
{
    hol_item *item = new_item(draft, HOL_NODE_SCALAR);
    return item && !set_text(item, text, strlen(text), quoted) ? item : NULL;
}

static hol_node *new_key(hol_draft *draft, const char *text)
{
    hol_node *key = hol_arena_alloc(draft->arena, 1, sizeof *key);
    if (!key || !(key->text = hol_arena_copy(draft->arena, text, strlen(text)))) return NULL;
    key->at.file = draft->shown;
    return key;
}

// Keys of maps that are not small are found by an index, which is made when one more is added.
static hol_status index_key(hol_item *map)
{
    hol_node *node = &map->node;
    hol_status st = HOL_OK;
    if (node->n <= HOL_SMALL_MAP) return HOL_OK;
    const int first = node->index ? node->n - 1 : 0;
    if (!node->index) node->index = hol_names_create_in(map->draft->ctx, map->draft->arena);
    if (!node->index) return HOL_ERR_MEMORY;
    for (int i = first; i < node->n && !st; i++) st = hol_names_add(node->index, node->key[i]->text, i);
    return st;
}

// Room for one more in the lists of keys and values.
static hol_status grow(hol_item *item)
{
    hol_node *node = &item->node;
    const size_t n = (size_t)node->n;
    if (node->n < item->capacity) return HOL_OK;
    const int capacity = item->capacity ? 2 * item->capacity : FIRST_CAPACITY;
    const bool map = node->kind == HOL_NODE_MAP;
    hol_node **value = hol_arena_alloc(item->draft->arena, (size_t)capacity, sizeof *value),
             **key = map ? hol_arena_alloc(item->draft->arena, (size_t)capacity, sizeof *key) : NULL;
    if (!value || (map && !key)) return HOL_ERR_MEMORY;
    if (n) memcpy(value, node->value, n * sizeof *value);
    if (n && map) memcpy(key, node->key, n * sizeof *key);
    node->value = value;
    node->key = key;
    item->capacity = capacity;
    return HOL_OK;
}

// A value more, under the key in a map.
static hol_status append(hol_item *item, const char *key, hol_item *value)
{
    hol_node *name = item->node.kind == HOL_NODE_MAP ? new_key(item->draft, key) : NULL;
    if (!value || (item->node.kind == HOL_NODE_MAP && !name) || grow(item)) return HOL_ERR_MEMORY;
    const int i = item->node.n++;
    item->node.value[i] = &value->node;
    if (name) item->node.key[i] = name;
    if (name && index_key(item)) { // as it was
        item->node.n--;
        item->node.index = NULL;
        return HOL_ERR_MEMORY;
    }
    value->up = item;
    return HOL_OK;
}

static void leave_values(hol_item *item)
{
    for (int i = 0; i < item->node.n; i++) child(item, i)->up = NULL;
}

// An item gets what another one, which is in no draft yet, has.
static void take_over(hol_item *item, hol_item *made)
{
    leave_values(item);
    for (int i = 0; i < made->node.n; i++) child(made, i)->up = item;
    item->node = made->node;
    item->capacity = made->capacity;
    item->room = made->room;
}

hol_item *hol_item_make(hol_draft *draft, const hol_node *from, bool placed)
{
    hol_item *item = new_item(draft, from->kind);
    if (!item) return NULL;
    const hol_src at = from->at;
    const char *comment = from->comment;
    if (comment && !(item->node.comment = hol_arena_copy(draft->arena, comment, strlen(comment))))
        return NULL;
    if (placed) item->node.at.line = at.line, item->node.at.col = at.col;
    if (from->kind == HOL_NODE_SCALAR && set_text(item, from->text, strlen(from->text), from->quoted))
        return NULL;
    for (int i = 0; i < from->n; i++) {
        const char *key = from->kind == HOL_NODE_MAP ? from->key[i]->text : NULL;
        if (append(item, key, hol_item_make(draft, from->value[i], placed))) return NULL;
        if (!placed || !key) continue;
        item->node.key[i]->at.line = from->key[i]->at.line;
        item->node.key[i]->at.col = from->key[i]->at.col;
    }
    return item;
}

// From the map or list that holds it.
static void take_out(hol_item *item)
{
    hol_node *up = &item->up->node;
    const int i = place_in(item);
    const size_t behind = (size_t)(up->n - i - 1);
    memmove(up->value + i, up->value + i + 1, behind * sizeof *up->value);
    if (up->key) memmove(up->key + i, up->key + i + 1, behind * sizeof *up->key);
    up->n--;
    up->index = NULL;
    item->up = NULL;
}

// Values of a map or list that are in both, by key or by place.
static hol_status follow_values(hol_item *item, const hol_node *node)
{
    const bool map = node->kind == HOL_NODE_MAP;
    for (int i = item->node.n - 1; i >= 0; i--)
        if (map ? !hol_node_find(node, item->node.key[i]->text) : i >= node->n) take_out(child(item, i));
    hol_status st = HOL_OK;
    for (int i = 0; i < node->n && !st; i++) {
        const char *key = map ? node->key[i]->text : NULL;
        hol_node *there = map                ? hol_node_find(&item->node, key)
                          : i < item->node.n ? item->node.value[i]
                                             : NULL;
        st = there ? hol_item_follow(item_of(there), node->value[i])
                   : append(item, key, hol_item_make(item->draft, node->value[i], false));
    }
    return st;
}

hol_status hol_item_follow(hol_item *item, const hol_node *node)
{
    if (item->node.kind == node->kind && node->kind != HOL_NODE_SCALAR) return follow_values(item, node);
    if (item->node.kind == node->kind && strcmp(item->node.text, node->text) == 0) return HOL_OK;
    hol_item *made = hol_item_make(item->draft, node, false);
    if (made) take_over(item, made);
    return made ? HOL_OK : HOL_ERR_MEMORY;
}

// ---- what is given --------------------------------------------------------------------------------------------

static hol_status check_key(const hol_item *item, const char *key)
{
    char why[HOL_CHARACTER_WHY];
    bool coded;
    const size_t length = strlen(key);
    if (!length) return refuse(item, NULL, "a key is empty");
    if (length > HOL_DRAFT_KEY) return refuse(item, NULL, "a key has at most %d bytes", HOL_DRAFT_KEY);
    if (hol_text_good(key, length, why, &coded) < length) return refuse(item, NULL, "a key: %s", why);
    return HOL_OK;
}

static hol_status check_text(const hol_item *item, const char *key, const char *text)
{
    char why[HOL_CHARACTER_WHY];
    bool coded;
    const size_t length = strlen(text);
    if (length > HOL_LONGEST_TEXT)
        return refuse(item, key, "a text has at most %d MB", HOL_LONGEST_TEXT >> 20);
    return hol_text_good(text, length, why, &coded) < length ? refuse(item, key, "%s", why) : HOL_OK;
}

// Keys of a tree that others have made, and how deep it is.
static hol_status check_below(const hol_draft *draft, const hol_node *node, int depth, hol_status wrong)
{
    hol_status st = HOL_OK;
    if (depth >= HOL_DRAFT_DEPTH && node->kind != HOL_NODE_SCALAR)
        return hol_fail_at(draft->ctx, wrong, node->at, "more than %d maps and lists inside each other",
                           HOL_DRAFT_DEPTH);
    for (int i = 0; i < node->n && !st; i++) {
        const size_t length = node->kind == HOL_NODE_MAP ? strlen(node->key[i]->text) : 1;
        if (!length) return hol_fail_at(draft->ctx, wrong, node->key[i]->at, "a key is empty");
        if (length > HOL_DRAFT_KEY)
            return hol_fail_at(draft->ctx, wrong, node->key[i]->at, "a key has at most %d bytes",
                               HOL_DRAFT_KEY);
        st = check_below(draft, node->value[i], depth + 1, wrong);
    }
    return st;
}

hol_status hol_item_check(const hol_draft *draft, const hol_node *node, hol_status wrong)
{
    return check_below(draft, node, 0, wrong);
}

// "[2]": 2; else -1.
static int place_of(const char *key)
{
    char *end;
    if (key[0] != '[' || key[1] < '0' || key[1] > '9') return -1;
    const long i = strtol(key + 1, &end, 10);
    return strcmp(end, "]") == 0 && i < 1 << 30 ? (int)i : -1;
}

// Where a value is to go: in the place of *there, or (NULL) as a new one. height: of what goes there.
static hol_status find_spot(hol_item *item, const char *key, int height, hol_item **there)
{
    *there = NULL;
    if (is_removed(item)) return refuse(item, NULL, "this item has been removed");
    if (is_scalar(item)) return refuse(item, NULL, "it is a value, which has no keys");
    if (depth_of(item) + 1 + height > HOL_DRAFT_DEPTH)
        return refuse(item, NULL, "more than %d maps and lists inside each other", HOL_DRAFT_DEPTH);
    if (item->node.kind == HOL_NODE_MAP) {
        if (!key) return refuse(item, NULL, "it is a map: a key is wanted, not NULL");
        const hol_status st = check_key(item, key);
        if (!st) *there = item_of(hol_node_find(&item->node, key));
        return st;
    }
    const int i = key ? place_of(key) : 0;
    if (i < 0)
        return refuse(
            item, NULL,
            "it is a list: the key is NULL, for a new item, or the place of one that is there, such as "
            "[0], not \"%.60s\"",
            key);
    if (key && i >= item->node.n)
        return refuse(item, NULL, "there is no item %s: the list has %d", key, item->node.n);
    if (key) *there = child(item, i);
    return HOL_OK;
}

// Puts an item, which is in no draft yet, to where it is to go. *out: the item that has its value then; may be NULL.
static hol_status put(hol_item *item, const char *key, hol_item *made, hol_item **out)
{
    hol_item *there;
    if (!made) return HOL_ERR_MEMORY;
    hol_status st = find_spot(item, key, height_of(&made->node), &there);
    if (!st && there)
        take_over(there, made);
    else if (!st)
        st = append(item, key, made);
    if (!st && out) *out = there ? there : made;
    return st;
}

// ---- making and changing --------------------------------------------------------------------------------------

// The map or list there, made where there is none.
static hol_item *collection(hol_item *item, const char *key, hol_node_kind kind)
{
    hol_item *there = NULL;
    if (!item) return NULL;
    hol_context_begin(item->draft->ctx);
    hol_status st = find_spot(item, key, 1, &there);
    if (!st && there && there->node.kind != kind)
        st = refuse(there, NULL, "it is a %s, a %s is wanted",
                    is_scalar(there)                   ? "value"
                    : there->node.kind == HOL_NODE_MAP ? "map"
                                                       : "list",
                    kind == HOL_NODE_MAP ? "map" : "list");
    hol_item *made = st || there ? NULL : new_item(item->draft, kind);
    if (!st && !there) st = made ? append(item, key, made) : HOL_ERR_MEMORY;
    return note(item, st) ? NULL : there ? there : made;
}

hol_item *hol_item_map(hol_item *item, const char *key) { return collection(item, key, HOL_NODE_MAP); }
hol_item *hol_item_list(hol_item *item, const char *key) { return collection(item, key, HOL_NODE_SEQUENCE); }

// One value; what is there already, and is one too, is written over.
static hol_status set_scalar(hol_item *item, const char *key, const char *text, bool quoted)
{
    hol_item *there;
    hol_status st = find_spot(item, key, 0, &there);
    if (st) return st;
    if (!there || !is_scalar(there)) return put(item, key, new_text(item->draft, text, quoted), NULL);
    st = set_text(there, text, strlen(text), quoted);
    if (!st) there->node.at.line = 0;
    return st;
}

hol_status hol_item_text(hol_item *item, const char *key, const char *text)
{
    if (!item) return HOL_ERR_USAGE;
    hol_context *ctx = item->draft->ctx;
    hol_context_begin(ctx);
    hol_status st = HOL_NEED(ctx, text);
    if (!st) st = check_text(item, key, text);
    if (!st) st = set_scalar(item, key, text, true);
    return note(item, st);
}

static hol_status number_text(const hol_item *item, const char *key, double x, char text[32])
{
    if (!isfinite(x)) return refuse(item, key, "%g: a number is finite", x);
    hol_number_text(x, text);
    return HOL_OK;
}

hol_status hol_item_number(hol_item *item, const char *key, double value)
{
    char text[32];
    if (!item) return HOL_ERR_USAGE;
    hol_context_begin(item->draft->ctx);
    hol_status st = number_text(item, key, value, text);
    if (!st) st = set_scalar(item, key, text, false);
    return note(item, st);
}

hol_status hol_item_flag(hol_item *item, const char *key, bool value)
{
    if (!item) return HOL_ERR_USAGE;
    hol_context_begin(item->draft->ctx);
    return note(item, set_scalar(item, key, value ? "yes" : "no", false));
}

// Texts or numbers of the caller, one of which is NULL.
typedef struct {
    const char *const *text;
    const double *number;
} values;

// Checks the i-th, and gives it as text.
static hol_status value_text(const hol_item *item, const char *key, const values *v, int i, char number[32],
                             const char **text)
{
    *text = v->text ? v->text[i] : number;
    if (!v->text) return number_text(item, key, v->number[i], number);
    const hol_status st = hol_need(item->draft->ctx, "hol_item_texts", "one of the texts", *text);
    return st ? st : check_text(item, key, *text);
}

// Is it a list of so many values, which numbers can be written over? Texts of the caller may be those of the list.
static bool is_list_of(const hol_item *item, int n, const values *v)
{
    bool is = item && v->number && item->node.kind == HOL_NODE_SEQUENCE && item->node.n == n;
    for (int i = 0; i < n && is; i++) is = is_scalar(child(item, i));
    return is;
}

// A list of values in the place of what is there.
static hol_status set_list(hol_item *item, const char *key, int n, const values *v)
{
    char number[32];
    const char *text;
    hol_item *there;
    hol_status st = find_spot(item, key, 1, &there);
    for (int i = 0; i < n && !st; i++)
        st = value_text(item, key, v, i, number, &text); // before anything changes
    const bool over = !st && is_list_of(there, n, v);
    hol_item *list = over ? there : st ? NULL : new_item(item->draft, HOL_NODE_SEQUENCE);
    if (!st && !list) st = HOL_ERR_MEMORY;
    for (int i = 0; i < n && !st; i++) {
        st = value_text(item, key, v, i, number, &text);
        if (!st && over) {
            st = set_text(child(list, i), text, strlen(text), false);
            child(list, i)->node.at.line = 0;
        } else if (!st)
            st = append(list, NULL, new_text(item->draft, text, v->text));
    }
    return st || over ? st : put(item, key, list, NULL);
}

static hol_status list(hol_item *item, const char *call, const char *key, int n, const values *v)
{
    hol_context *ctx = item->draft->ctx;
    hol_context_begin(ctx);
    hol_status st =
        n > 0 ? hol_need(ctx, call, "the list", v->text ? (const void *)v->text : v->number) : HOL_OK;
    if (n < 0) st = refuse(item, key, "a list of %d values is asked for", n);
    return note(item, st ? st : set_list(item, key, n, v));
}

hol_status hol_item_texts(hol_item *item, const char *key, int n, const char *const *text)
{
    return item ? list(item, __func__, key, n, &(values){.text = text}) : HOL_ERR_USAGE;
}

hol_status hol_item_numbers(hol_item *item, const char *key, int n, const double *value)
{
    return item ? list(item, __func__, key, n, &(values){.number = value}) : HOL_ERR_USAGE;
}

hol_item *hol_item_copy(hol_item *item, const char *key, const hol_item *source)
{
    hol_item *out = NULL;
    if (!item) return NULL;
    hol_context *ctx = item->draft->ctx;
    hol_context_begin(ctx);
    hol_status st = HOL_NEED(ctx, source);
    if (!st) st = put(item, key, hol_item_make(item->draft, &source->node, false), &out);
    return note(item, st) ? NULL : out;
}

// An item whose place is to be changed.
static hol_status need_place(const hol_item *item, const char *what)
{
    if (is_removed(item)) return refuse(item, NULL, "this item has been removed");
    return item->up ? HOL_OK : refuse(item, NULL, "the root of a draft cannot be %s", what);
}

hol_status hol_item_remove(hol_item *item)
{
    if (!item) return HOL_ERR_USAGE;
    hol_context_begin(item->draft->ctx);
    const hol_status st = need_place(item, "removed");
    if (!st) take_out(item);
    return note(item, st);
}

// Another key for a value of a map, in its place.
static hol_status rename_key(hol_item *item, const char *key)
{
    hol_status st = need_place(item, "renamed");
    if (!st && item->up->node.kind != HOL_NODE_MAP)
        st = refuse(item, NULL, "it is an item of a list, which has no keys");
    if (!st) st = check_key(item->up, key);
    if (st) return st;
    const hol_node *there = hol_node_find(&item->up->node, key);
    if (there == &item->node) return HOL_OK;
    if (there) return refuse(item, NULL, "there is a \"%.60s\" beside it already", key);
    hol_node *name = new_key(item->draft, key);
    if (!name) return HOL_ERR_MEMORY;
    item->up->node.key[place_in(item)] = name;
    item->up->node.index = NULL;
    return HOL_OK;
}

hol_status hol_item_rename(hol_item *item, const char *key)
{
    if (!item) return HOL_ERR_USAGE;
    hol_context *ctx = item->draft->ctx;
    hol_context_begin(ctx);
    const hol_status st = HOL_NEED(ctx, key);
    return note(item, st ? st : rename_key(item, key));
}

// From one place of a list to another; those between move up or down.
static void shift(hol_node **list, int from, int to)
{
    hol_node *moved = list[from];
    for (; from < to; from++) list[from] = list[from + 1];
    for (; from > to; from--) list[from] = list[from - 1];
    list[to] = moved;
}

hol_status hol_item_move(hol_item *item, int i)
{
    if (!item) return HOL_ERR_USAGE;
    hol_context_begin(item->draft->ctx);
    hol_status st = need_place(item, "moved");
    if (!st && (i < 0 || i >= item->up->node.n))
        st = refuse(item, NULL, "there is no place %d: it is one of %d", i, item->up->node.n);
    if (st) return note(item, st);
    hol_node *up = &item->up->node;
    const int from = place_in(item);
    shift(up->value, from, i);
    if (up->key) shift(up->key, from, i);
    up->index = NULL;
    return HOL_OK;
}

// ---- reading --------------------------------------------------------------------------------------------------

hol_item_kind hol_item_kind_of(const hol_item *item)
{
    double x;
    if (!item) return HOL_ITEM_NONE;
    if (item->node.kind == HOL_NODE_MAP) return HOL_ITEM_MAP;
    if (item->node.kind == HOL_NODE_SEQUENCE) return HOL_ITEM_LIST;
    return hol_item_as_number(item, &x) ? HOL_ITEM_NUMBER : HOL_ITEM_TEXT;
}

int hol_item_count(const hol_item *item) { return item ? item->node.n : 0; }

hol_item *hol_item_at(const hol_item *item, int i)
{
    return item && i >= 0 && i < item->node.n ? child(item, i) : NULL;
}

const char *hol_item_key(const hol_item *item, int i)
{
    const bool there = item && item->node.kind == HOL_NODE_MAP && i >= 0 && i < item->node.n;
    return there ? item->node.key[i]->text : NULL;
}

hol_item *hol_item_parent(const hol_item *item) { return item ? item->up : NULL; }

const char *hol_item_as_text(const hol_item *item)
{
    return item && is_scalar(item) ? item->node.text : NULL;
}

bool hol_item_as_number(const hol_item *item, double *value)
{
    double x = 0;
    const bool is = item && is_scalar(item) && !item->node.quoted && hol_text_number(item->node.text, &x);
    if (value) *value = is ? x : (double)NAN;
    return is;
}

bool hol_item_as_flag(const hol_item *item, bool *value)
{
    bool yes = false;
    const bool is = item && is_scalar(item) && hol_text_flag(item->node.text, &yes);
    if (value) *value = yes;
    return is;
}

// The item of a list by its name.
static hol_item *named(const hol_item *list, const char *name)
{
    for (int i = 0; i < list->node.n; i++) {
        const hol_node *own = hol_node_find(list->node.value[i], "name");
        if (own && own->kind == HOL_NODE_SCALAR && strcmp(own->text, name) == 0) return child(list, i);
    }
    return NULL;
}

hol_item *hol_item_get(const hol_item *item, const char *key)
{
    if (!item || !key) return NULL;
    if (item->node.kind == HOL_NODE_MAP) return item_of(hol_node_find(&item->node, key));
    hol_item *found = item->node.kind == HOL_NODE_SEQUENCE ? named(item, key) : NULL;
    return found ? found : item->node.kind == HOL_NODE_SEQUENCE ? hol_item_at(item, place_of(key)) : NULL;
}

// One step of a path, "markers" or "bodies[2]"; names may have brackets too.
static hol_item *step(const hol_item *item, const char *word)
{
    char key[HOL_NODE_PATH];
    hol_item *found = hol_item_get(item, word);
    const size_t n = strcspn(word, "[");
    if (found || !word[n]) return found;
    snprintf(key, sizeof key, "%.*s", (int)n, word);
    found = n ? hol_item_get(item, key) : (hol_item *)item;
    for (const char *p = word + n; *p && found; p += strlen(key)) {
        snprintf(key, sizeof key, "%.*s", (int)strcspn(p, "]") + 1, p);
        found = found->node.kind == HOL_NODE_SEQUENCE ? hol_item_at(found, place_of(key)) : NULL;
    }
    return found;
}

hol_item *hol_item_find(const hol_item *item, const char *path)
{
    char word[HOL_NODE_PATH];
    if (!item || !path) return NULL;
    while (item && *path) {
        const size_t n = strcspn(path, ".");
        if (n >= sizeof word) return NULL;
        memcpy(word, path, n);
        word[n] = 0;
        item = step(item, word);
        path += n + (path[n] == '.');
    }
    return (hol_item *)item;
}
