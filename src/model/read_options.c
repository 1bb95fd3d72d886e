// Values by option rows: their kinds, keys and defaults, and the rules that tie the keys of an object to each other.
#include "model/reader.h"
#include "element/element.h"
#include "model/elsewhere.h"
#include "model/grammar.h"
#include "model/subsystem.h"
#include "text/characters.h"
#include "text/cut.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- option rows ----------------------------------------------------------------------------------------------

int hol_option_count(const hol_option *table)
{
    int n = 0;
    while (table[n].key) n++;
    return n;
}

// Refuses what is below or above the bounds of an option.
static hol_status in_range(const hol_reader *r, const hol_option *o, const hol_node *node,
                           const hol_path *path, double x)
{
    const bool low = o->flags & HOL_ABOVE ? x <= o->min : x < o->min;
    if (!low && !(x > o->max)) return HOL_OK;
    const double bound = low ? o->min : o->max;
    const int n = hol_decimal_digits(x, bound);
    return hol_read_fail(r, node, path, "%.*g, must be %s %.*g", n, x,
                         !low                   ? "at most"
                         : o->flags & HOL_ABOVE ? "greater than"
                                                : "at least",
                         n, bound);
}

// One of the words of o->choices; else the message with the nearest one.
static hol_status read_choice(const hol_reader *r, const hol_option *o, const hol_node *node,
                              const hol_path *path, hol_value *out)
{
    hol_status st = hol_need_scalar(r, node, path, "a word");
    if (st) return st;
    hol_nearest nearest;
    hol_nearest_start(&nearest, node->text);
    int i = 0;
    for (const char *p = o->choices; p; i++) {
        const char *end = strchr(p, '|'),
                   *word = hol_arena_copy(r->draft, p, end ? (size_t)(end - p) : strlen(p));
        if (!word) return HOL_ERR_MEMORY;
        if (strcmp(node->text, word) == 0) {
            out->num = i;
            out->text = node->text;
            return HOL_OK;
        }
        hol_nearest_try(&nearest, word);
        p = end ? end + 1 : NULL;
    }
    const hol_path *in = path->up;
    while (in && !in->key) in = in->up; // an item of a list
    const char *where = hol_arena_print(r->draft, "%s.%s", in ? in->key : "", o->key),
               *hint = where ? hol_elsewhere(where, node->text, r->dimension) : NULL;
    if (hint) return hol_read_fail(r, node, path, "there is no \"%s\": %s", node->text, hint);
    return hol_read_fail(r, node, path, "\"%s\" is not among %s%s%s%s", node->text, o->choices,
                         nearest.best ? "; did you mean \"" : "", nearest.best ? nearest.best : "",
                         nearest.best ? "\"?" : "");
}

static hol_status read_flag(const hol_reader *r, const hol_node *node, const hol_path *path, hol_value *out)
{
    bool yes;
    const hol_status st = hol_need_scalar(r, node, path, "yes or no");
    if (st) return st;
    if (!hol_text_flag(node->text, &yes))
        return hol_read_fail(r, node, path, "\"%s\": yes or no is wanted", node->text);
    out->num = yes;
    return HOL_OK;
}

// A number or an expression; a constant is within the bounds of the option.
static hol_status one_function(const hol_reader *r, const hol_option *o, const hol_node *node,
                               const hol_path *path, const char *unit, int i, hol_value *out)
{
    hol_status st = o->flags & HOL_LEAVES ? hol_read_formula(r, node, path, unit, &out->formula[i])
                                          : hol_read_function(r, node, path, unit, &out->fn[i]);
    if (st) return st;
    if (o->flags & HOL_LEAVES) out->fn[i] = out->formula[i]->expr;
    return hol_expr_is_constant(out->fn[i]) ? in_range(r, o, node, path, hol_expr_value(out->fn[i])) : HOL_OK;
}

// "N/m, N m/rad": the second unit is that of the entries beyond the dimension, the rotations.
static hol_status two_units(const hol_reader *r, const hol_option *o, const char *out[2])
{
    const char *comma = strchr(o->unit, ',');
    out[0] = comma ? hol_arena_copy(r->draft, o->unit, (size_t)(comma - o->unit)) : o->unit;
    out[1] = comma ? comma + 1 + strspn(comma + 1, " ") : o->unit;
    return out[0] ? HOL_OK : HOL_ERR_MEMORY;
}

// Numbers or functions; one alone stands for a list of one.
static hol_status read_list(const hol_reader *r, const hol_option *o, const hol_node *node,
                            const hol_path *path, hol_value *out)
{
    const bool list = node->kind == HOL_NODE_SEQUENCE, functions = o->kind == HOL_FUNCTIONS;
    out->n = list ? node->n : 1;
    if (out->n == 0 && o->flags & HOL_MAY_BE_EMPTY) return HOL_OK;
    if (out->n == 0) return hol_read_fail(r, node, path, "the list is empty");
    if (functions) {
        out->fn = hol_arena_alloc(r->draft, (size_t)out->n, sizeof *out->fn);
        out->formula = hol_arena_alloc(r->draft, (size_t)out->n, sizeof *out->formula);
    } else
        out->list = hol_arena_alloc(r->draft, (size_t)out->n, sizeof *out->list);
    if (functions ? !out->fn || !out->formula : !out->list) return HOL_ERR_MEMORY;
    const char *units[2];
    hol_status two = two_units(r, o, units);
    if (two) return two;
    for (int i = 0; i < out->n; i++) {
        const hol_path item = {path, NULL, i, NULL};
        const hol_path *at = list ? &item : path;
        const hol_node *x = list ? node->value[i] : node;
        const char *unit = units[i >= r->dimension];
        hol_status st = functions ? one_function(r, o, x, at, unit, i, out)
                                  : hol_read_number(r, x, at, unit, &out->list[i]);
        if (!st && !functions) st = in_range(r, o, x, at, out->list[i]);
        if (st) return st;
    }
    return HOL_OK;
}

// Row i, column j: a displacement is a length times what a rotation is, and a force is a torque over a length. With the
// units of the diagonal, N/m and N m/rad, an entry between them is N/rad or N.
static hol_status matrix_units(const hol_reader *r, const hol_option *o, const char *out[2][2])
{
    const char *diagonal[2];
    hol_status st = two_units(r, o, diagonal);
    if (st) return st;
    const bool damping = strstr(diagonal[0], " s") != NULL;
    out[0][0] = diagonal[0];
    out[1][1] = diagonal[1];
    out[0][1] = damping ? "N s/rad" : "N/rad";
    out[1][0] = damping ? "N s" : "N";
    return HOL_OK;
}

// The diagonal, or all rows.
static hol_status read_square(const hol_reader *r, const hol_option *o, const hol_node *node,
                              const hol_path *path, hol_value *out)
{
    const bool rows =
        node->kind == HOL_NODE_SEQUENCE && node->n > 0 && node->value[0]->kind == HOL_NODE_SEQUENCE;
    if (!rows) return read_list(r, o, node, path, out);
    const int n = node->n;
    const char *units[2][2];
    hol_status st = matrix_units(r, o, units);
    out->n = n * n;
    out->list = hol_arena_alloc(r->draft, (size_t)out->n, sizeof *out->list);
    if (!st && !out->list) st = HOL_ERR_MEMORY;
    for (int i = 0; i < n && !st; i++) {
        const hol_path row = {path, NULL, i, NULL};
        const hol_node *list = node->value[i];
        if (list->kind != HOL_NODE_SEQUENCE || list->n != n)
            return hol_read_fail(r, list, &row, "a list of %d numbers is wanted%s", n,
                                 hol_comma_hint(r->draft, list));
        for (int j = 0; j < n && !st; j++) {
            const hol_path item = {&row, NULL, j, NULL};
            const char *unit = units[i >= r->dimension][j >= r->dimension];
            st = hol_read_number(r, list->value[j], &item, unit, &out->list[i * n + j]);
        }
    }
    return st;
}

const hol_spline_entry *hol_find_spline(const hol_known *k, hol_src at, const char *name,
                                        hol_nearest *nearest)
{
    const int found = k->spline_names ? hol_names_find_at(k->spline_names, at, name) : -1;
    if (found >= 0) return &k->spline[found];
    hol_nearest_start(nearest, name);
    for (int i = 0; i < k->n_splines; i++) hol_nearest_try(nearest, k->spline[i].name);
    return NULL;
}

// The name of a table.
static hol_status read_spline(const hol_reader *r, const hol_node *node, const hol_path *path, hol_value *out)
{
    hol_status st = hol_read_text(r, node, path, &out->text);
    hol_nearest nearest;
    if (st) return st;
    const hol_spline_entry *found = hol_find_spline(r->known, node->at, out->text, &nearest);
    if (found) {
        out->table = &found->table;
        return HOL_OK;
    }
    return hol_read_fail(r, node, path, "there is no spline \"%s\"%s%s%s", out->text,
                         nearest.best ? "; did you mean \"" : "; give its table under \"splines:\"",
                         nearest.best ? nearest.best : "", nearest.best ? "\"?" : "");
}

// Names, one alone or a list; of so many at least and at most.
static hol_status read_texts(const hol_reader *r, const hol_option *o, const hol_node *node,
                             const hol_path *path, hol_value *out)
{
    const bool list = node->kind == HOL_NODE_SEQUENCE;
    out->n = list ? node->n : 1;
    if (o->max > 0 && (!list || out->n < o->min || out->n > o->max))
        return o->max > 3 ? hol_read_fail(r, node, path, "a list of at least two names is wanted")
                          : hol_read_fail(r, node, path, "the names of two%s %s are wanted",
                                          o->max > 2 ? " or three" : "", o->key);
    if (out->n == 0 && !(o->flags & HOL_MAY_BE_EMPTY))
        return hol_read_fail(r, node, path, "the list is empty; give one at least%s%s%s",
                             o->flags & HOL_REQUIRED ? "" : ", or leave `",
                             o->flags & HOL_REQUIRED ? "" : o->key, o->flags & HOL_REQUIRED ? "" : "` away");
    hol_word *word = hol_arena_alloc(r->draft, (size_t)out->n + 1, sizeof *word);
    if (!word) return HOL_ERR_MEMORY;
    out->word = word;
    for (int i = 0; i < out->n; i++) {
        const hol_path item = {path, NULL, i, NULL};
        const hol_node *x = list ? node->value[i] : node;
        word[i].at = x->at;
        hol_status st = hol_read_text(r, x, list ? &item : path, &word[i].name);
        if (st) return st;
    }
    return HOL_OK;
}

static hol_status must_be_whole(const hol_reader *r, const hol_node *node, const hol_path *path, double x)
{
    return x == rint(x) ? HOL_OK : hol_read_fail(r, node, path, "%.6g, must be a whole number", x);
}

// Exactly so many numbers.
static hol_status read_tuple(const hol_reader *r, const hol_option *o, const hol_node *node,
                             const hol_path *path, hol_value *out)
{
    out->n = (int)o->def;
    out->list = hol_arena_alloc(r->draft, (size_t)out->n, sizeof *out->list);
    hol_status st = out->list ? hol_read_numbers(r, node, path, o->unit, out->n, out->list) : HOL_ERR_MEMORY;
    for (int i = 0; i < out->n && !st; i++) {
        const hol_path item = {path, NULL, i, NULL};
        if (o->flags & HOL_WHOLE) st = must_be_whole(r, node->value[i], &item, out->list[i]);
        if (!st) st = in_range(r, o, node->value[i], &item, out->list[i]);
    }
    return st;
}

// Initial values, one or a list, without a unit: they are in SI, as numbers in expressions are.
static hol_status tell_plain(const hol_reader *r, const hol_node *node, const hol_path *path)
{
    const bool list = node->kind == HOL_NODE_SEQUENCE;
    for (int i = 0; i < (list ? node->n : 1); i++) {
        const hol_node *x = list ? node->value[i] : node;
        hol_constant c;
        hol_status st = hol_read_named_number(r, x, path, &c);
        if (st) return st;
        if (c.value != 0 && !hol_all_si(r, x, &c.nature)) hol_note_bare(r, x, &c.nature);
    }
    return HOL_OK;
}

// Has no number of a list a unit, where the file's are not those of SI?
static hol_status find_plain(const hol_reader *r, const hol_node *list, const hol_path *path, bool *plain)
{
    *plain = list->kind == HOL_NODE_SEQUENCE && list->n > 0;
    for (int i = 0; i < list->n && *plain; i++) {
        const hol_path item = {path, NULL, i, NULL};
        hol_constant c;
        const hol_status st = hol_read_named_number(r, list->value[i], &item, &c);
        if (st) return st;
        *plain = !(c.nature.flags & HOL_NATURE_UNIT) && !hol_all_si(r, list->value[i], &c.nature);
    }
    return HOL_OK;
}

hol_status hol_read_option(const hol_reader *r, const hol_option *o, const hol_node *node,
                           const hol_path *path, hol_value *out)
{
    hol_status st = HOL_OK;
    out->given = true;
    out->at = node->at;
    out->comma = node->kind == HOL_NODE_SEQUENCE ? hol_comma_hint(r->draft, node) : "";
    switch (o->kind) {
    case HOL_NUMBER:
    case HOL_INTEGER:
        st = hol_read_number(r, node, path, o->unit, &out->num);
        if (!st && o->kind == HOL_INTEGER) st = must_be_whole(r, node, path, out->num);
        if (!st && o->flags & HOL_INITIAL) st = tell_plain(r, node, path);
        return st ? st : in_range(r, o, node, path, out->num);
    case HOL_FLAG: return read_flag(r, node, path, out);
    case HOL_TEXT:
    case HOL_METHOD:
    case HOL_UNIT:
    case HOL_NAME: return hol_read_text(r, node, path, &out->text);
    case HOL_TEXTS: return read_texts(r, o, node, path, out);
    case HOL_TUPLE: return read_tuple(r, o, node, path, out);
    case HOL_CHOICE: return read_choice(r, o, node, path, out);
    case HOL_VECTOR:
        out->n = r->dimension;
        out->list = hol_arena_alloc(r->draft, 3, sizeof *out->list);
        return out->list ? hol_read_vector(r, node, path, o->unit, out->list) : HOL_ERR_MEMORY;
    case HOL_FUNCTION:
        out->n = 1;
        out->fn = hol_arena_alloc(r->draft, 1, sizeof *out->fn);
        out->formula = hol_arena_alloc(r->draft, 1, sizeof *out->formula);
        return out->fn && out->formula ? one_function(r, o, node, path, o->unit, 0, out) : HOL_ERR_MEMORY;
    case HOL_SPLINE: return read_spline(r, node, path, out);
    case HOL_MATRIX: return read_square(r, o, node, path, out);
    case HOL_NUMBERS:
    case HOL_FUNCTIONS:
        st = read_list(r, o, node, path, out);
        if (!st && o->kind == HOL_NUMBERS && o->unit && strcmp(o->unit, HOL_ANY_UNIT) == 0)
            st = find_plain(r, node, path, &out->plain);
        return st || !(o->flags & HOL_INITIAL) ? st : tell_plain(r, node, path);
    default: break; // structure: the reader of the object knows it
    }
    return HOL_OK;
}

// A key of the tables that a word of another program stands for, NULL: none.
static const char *called_here(const hol_reader *r, const hol_option *table, const char *word)
{
    for (const hol_option *o = table; o && o->key; o++)
        if (hol_option_exists(o, r->dimension) && hol_called_here(word, o->key)) return o->key;
    return NULL;
}

// What a word of another program is here, in place of a key: a key by another name, or advice.
static hol_status foreign_key(const hol_reader *r, const hol_option *table, const hol_option *also,
                              const hol_node *key, const hol_path *path)
{
    const hol_path at = {path, key->text, 0, NULL}, *top = path;
    const char *here = called_here(r, table, key->text);
    if (!here) here = called_here(r, also, key->text);
    if (here)
        return hol_read_fail(r, key, &at, "unknown key \"%s\"; here it is called \"%s\"", key->text, here);
    while (top && top->up) top = top->up;
    const char *where = !top ? "model" : top->key ? top->key : "";
    const bool within = top && path != top && path->key;
    const char *nested = within ? hol_arena_print(r->draft, "%s.%s", where, path->key) : NULL;
    if (within && !nested) return HOL_ERR_MEMORY;
    const char *hint = hol_elsewhere(nested ? nested : where, key->text, r->dimension);
    if (!hint) hint = hol_elsewhere(where, key->text, r->dimension);
    const hol_element_type *type = top ? NULL : hol_element_of_any_role(r->dimension, key->text);
    if (hint) return hol_read_fail(r, key, &at, "unknown key \"%s\": %s", key->text, hint);
    if (!type || type->role == HOL_ROLE_BODY || type->role == HOL_ROLE_CONSTRAINT) return HOL_OK;
    return hol_read_fail(r, key, &at, "unknown key \"%s\": a %s is a %s, `%s: [{name: .., type: %s, ..}]`",
                         key->text, type->name, hol_role_names[type->role], hol_role_lists[type->role],
                         type->name);
}

// The message for a key that the item has not: the nearest one, or what the word of another program is here.
static hol_status unknown_key(const hol_reader *r, const hol_option *table, const hol_option *also,
                              const hol_node *key, const hol_path *path)
{
    hol_nearest nearest;
    hol_nearest_start(&nearest, key->text);
    for (const hol_option *o = table; o && o->key; o++)
        if (hol_option_exists(o, r->dimension)) hol_nearest_try(&nearest, o->key);
    for (const hol_option *o = also; o && o->key; o++)
        if (hol_option_exists(o, r->dimension)) hol_nearest_try(&nearest, o->key);
    const hol_path at = {path, key->text, 0, NULL};
    unsigned point;
    const char *what;
    if (key->hint && *key->hint)
        return hol_read_fail(r, key, NULL, "\"%s\" is no key of the file and no option of simulate; %s",
                             key->text, key->hint);
    if (hol_unseen_find(key->text, strlen(key->text), &point, &what))
        return hol_read_fail(r, key, path, "a key may not contain %s, U+%04X; remove it", what, point);
    hol_status st = foreign_key(r, table, also, key, path);
    if (st) return st;
    if (nearest.best)
        return hol_read_fail(r, key, &at, "unknown key \"%s\"; did you mean \"%s\"?", key->text,
                             nearest.best);
    char known[300];
    size_t n = 0;
    for (int pass = 0; pass < 2; pass++)
        for (const hol_option *o = pass ? table : also; o && o->key && n < sizeof known - 40; o++)
            if (hol_option_exists(o, r->dimension))
                n += (size_t)snprintf(known + n, sizeof known - n, "%s%s", n ? ", " : "", o->key);
    known[n] = 0;
    return hol_read_fail(r, key, &at, "unknown key \"%s\"; known here: %s", key->text, known);
}

void hol_node_says(hol_node *node, bool is_default)
{
    if (!is_default)
        node->says = HOL_SAYS_OTHER;
    else if (node->says == HOL_NOT_READ)
        node->says = HOL_SAYS_DEFAULT;
}

// Lists with a default have zeros.
static bool is_default(const hol_option *o, const hol_value *v)
{
    switch (o->kind) {
    case HOL_NUMBER:
    case HOL_INTEGER:
    case HOL_FLAG:
    case HOL_CHOICE: return v->num == o->def;
    case HOL_VECTOR:
    case HOL_NUMBERS: break;
    default: return false;
    }
    bool zeros = o->def == 0;
    for (int i = 0; i < v->n && zeros; i++) zeros = v->list[i] == 0;
    return zeros;
}

hol_status hol_check_keys(const hol_reader *r, const hol_option *table, const hol_option *also,
                          const hol_node *map, const hol_path *path)
{
    if (map->kind != HOL_NODE_MAP) return hol_read_fail(r, map, path, "a map of keys and values is wanted");
    for (int i = 0; i < map->n; i++) {
        const char *key = map->key[i]->text;
        const hol_option *o = hol_option_find(table, key);
        const hol_path at = {path, key, 0, NULL};
        if (!o && !hol_option_find(also, key)) return unknown_key(r, table, also, map->key[i], path);
        if (o && !hol_option_exists(o, r->dimension))
            return hol_read_fail(r, map->key[i], &at, "this key belongs to models of dimension %d",
                                 o->flags & HOL_ONLY_2D ? 2 : 3);
    }
    return HOL_OK;
}

hol_status hol_read_options(const hol_reader *r, const hol_option *table, const hol_option *also,
                            const hol_node *map, const hol_path *path, hol_value *out)
{
    hol_status st = hol_check_keys(r, table, also, map, path);
    if (st) return st;
    for (int i = 0; table[i].key; i++) {
        const hol_value none = {.num = table[i].def, .at = map->at};
        out[i] = none;
    }
    for (int i = 0; i < map->n; i++) {
        const hol_option *o = hol_option_find(table, map->key[i]->text);
        if (!o) continue;
        const hol_path at = {path, o->key, 0, NULL};
        st = hol_read_option(r, o, map->value[i], &at, &out[o - table]);
        if (st) return st;
        hol_node_says(map->value[i], is_default(o, &out[o - table]));
    }
    for (int i = 0; table[i].key; i++)
        if (table[i].flags & HOL_REQUIRED && hol_option_exists(&table[i], r->dimension) && !out[i].given)
            return hol_read_fail(r, map, path, "\"%s\" is missing (%s)", table[i].key, table[i].doc);
    return HOL_OK;
}

// ---- rules ----------------------------------------------------------------------------------------------------

// The message of a rule, with {type} filled in; "a " before it becomes "an " where the type wants that.
static hol_status broken(const hol_reader *r, const char *text, const char *type, const hol_node *node,
                         const hol_path *path)
{
    const char *hole = strstr(text, "{type}");
    if (!hole) return hol_read_fail(r, node, path, "%s", text);
    const int before = (int)(hole - text);
    const char *rest = hole + strlen("{type}");
    const bool article = before >= 2 && !strncmp(hole - 2, "a ", 2) && (before == 2 || hole[-3] == ' ');
    if (!article) return hol_read_fail(r, node, path, "%.*s%s%s", before, text, type, rest);
    return hol_read_fail(r, node, path, "%.*s%s %s%s", before - 2, text, hol_article(type), type, rest);
}

// Is anything said under the key? A list may be empty, a flag off.
static bool says(const hol_node *node)
{
    if (!node || (node->kind != HOL_NODE_SCALAR && node->n == 0)) return false;
    return node->kind != HOL_NODE_SCALAR || (strcmp(node->text, "no") && strcmp(node->text, "false"));
}

// The part of "a|b+c" that has the key; which of them: 0, 1, ...
static int which(const char *keys, const char *key)
{
    char word[64];
    for (int i = 0; hol_next_word(&keys, word);) {
        if (strcmp(word, key) == 0) return i;
        i += keys[-1] == '|';
    }
    return -1;
}

// Of the alternatives: how many keys of the first one are given, and which pair of the map begins a second one; -1: none.
static int alternatives(const hol_node *map, const char *keys, int *first, int *second)
{
    int n = 0;
    *second = *first = -1;
    for (int i = 0; i < map->n && *second < 0; i++) {
        const int one = which(keys, map->key[i]->text);
        if (one < 0) continue;
        if (*first < 0) *first = one;
        if (one == *first)
            n++;
        else
            *second = i;
    }
    return n;
}

// Keys of the i-th alternative.
static int length_of(const char *keys, int i)
{
    char word[64];
    int n = 0;
    for (const char *p = keys; hol_next_word(&p, word);) n += which(keys, word) == i;
    return n;
}

// Is one of them given?
static bool has_any(const hol_node *map, const char *keys)
{
    char word[64];
    while (hol_next_word(&keys, word))
        if (hol_node_find(map, word)) return true;
    return false;
}

// One rule against the keys that are given.
static hol_status check_rule(const hol_reader *r, const hol_rule *rule, const char *type, const hol_node *map,
                             const hol_path *path)
{
    char word[64];
    const char *rest = rule->keys;
    int first, second;
    bool any = false;
    if (rule->kind == HOL_ONE_OF || rule->kind == HOL_NOT_BOTH) {
        const int n = alternatives(map, rule->keys, &first, &second);
        const hol_path at = {path, second < 0 ? NULL : map->key[second]->text, 0, NULL};
        const bool name_both = second >= 0 && rule->kind == HOL_ONE_OF && !rule->twice;
        for (int i = 0; name_both && i < second; i++)
            if (which(rule->keys, map->key[i]->text) == first)
                return hol_read_fail(r, map->value[second], path, "%s and %s are given: %s",
                                     map->key[i]->text, at.key, rule->text);
        if (second >= 0)
            return broken(r, rule->twice ? rule->twice : rule->text, type, map->value[second],
                          rule->kind == HOL_ONE_OF ? path : &at);
        if (rule->kind == HOL_ONE_OF && (n == 0 || n < length_of(rule->keys, first)))
            return broken(r, rule->text, type, map, path);
        return HOL_OK;
    }
    while (hol_next_word(&rest, word)) {
        const hol_node *node = hol_node_find(map, word);
        const hol_path at = {path, word, 0, NULL};
        any = any || says(node);
        const bool wrong = rule->kind == HOL_REFUSED ||
                           (rule->kind == HOL_GOES_WITH && !has_any(map, rest)) ||
                           (rule->kind == HOL_TWO_NAMES && node && node->n != 2);
        if (wrong && node) return broken(r, rule->text, type, node, &at);
        if (rule->kind == HOL_GOES_WITH) return HOL_OK;
    }
    return any || rule->kind != HOL_SOME_OF ? HOL_OK : broken(r, rule->text, type, map, path);
}

hol_status hol_check_rules(const hol_reader *r, const hol_rule *rules, const char *type, const hol_node *map,
                           const hol_path *path)
{
    hol_status st = HOL_OK;
    for (const hol_rule *rule = rules; rule && rule->keys && !st; rule++)
        st = check_rule(r, rule, type, map, path);
    return st;
}

hol_status hol_read_object(const hol_reader *r, const hol_object *object, const hol_option *also,
                           const hol_node *map, const hol_path *path, hol_value *out)
{
    hol_status st = hol_read_options(r, object->rows, also, map, path, out);
    return st ? st : hol_check_rules(r, object->rules, "", map, path);
}
