// Parameters: of the model file and of each subsystem, in the order of their file. Those of a subsystem are found first within its
// file, then in the files around it.
#include "model/read.h"
#include "model/subsystem.h"

#include <stdio.h>
#include <string.h>

static const hol_option parameter_rows[] = {{"NAME", HOL_NUMBER, HOL_ANY_UNIT, HOL_NONE, -HOL_INF, HOL_INF, 0,
                                             NULL, "a number that expressions may use"},
                                            HOL_END_OPTIONS};
const hol_object hol_parameters_object = {
    .name = "parameters", .rows = parameter_rows, .pairs = true, .keys = "^[A-Za-z_][A-Za-z_0-9]*$"};

enum { LONGEST_NAME = 255 }; // of a parameter

typedef struct {
    const char *name,
        *at; // a parameter that was asked for and is not known yet or no constant, and where in the text; NULL: none
    bool met; // one that is known was asked for
} asked;

typedef struct {
    int n;
    const char **name;
    hol_constant *value;
    bool *follows;                  // it is an expression of others
    hol_names *number;              // of each by its name
    const hol_spec *spec;           // which of them events change: these are no constants
    const hol_node *map, *settings; // of the file; of the include
    const hol_subsystem *of;        // NULL: the model file
    const hol_scope *outer;         // of the file around it
    asked *below;
} parameters;

// Full names of what is known in expressions.
static int find_full(const hol_names *names, const hol_subsystem *of, const char *name)
{
    char full[2 * LONGEST_NAME];
    if (!names) return -1;
    if (!of) return hol_names_find(names, name);
    const int n = snprintf(full, sizeof full, "%s%s", of->prefix, name);
    return n < (int)sizeof full ? hol_names_find(names, full) : -1;
}

// Value of a parameter for an expression. One that events set is no constant, one that is not yet read is
// remembered for the message. A variable of a file hides a parameter around it.
static bool find_parameter(const void *data, const char *name, size_t length, hol_constant *out)
{
    const parameters *p = data;
    char whole[LONGEST_NAME + 1];
    if (length > LONGEST_NAME) return false;
    memcpy(whole, name, length);
    whole[length] = 0;
    const int held = find_full(p->spec->held_names, p->of, whole);
    const int known = hol_names_find(p->number, whole);
    if (held >= 0) {
        *p->below = (asked){.name = p->spec->held[held].name, .at = name};
        return false;
    }
    if (known >= 0) {
        p->below->met = true;
        *out = p->value[known];
        return true;
    }
    for (int i = p->n; i < p->map->n && !p->below->name; i++)
        if (strcmp(p->map->key[i]->text, whole) == 0) {
            *p->below = (asked){.name = p->map->key[i]->text, .at = name};
            return false;
        }
    return p->outer && find_full(p->spec->known.names, p->of, whole) < 0 &&
           hol_scope_find(p->outer, whole, out);
}

static void each_parameter(const void *data, hol_nearest *nearest)
{
    const parameters *p = data;
    for (int i = 0; i < p->n; i++) hol_nearest_try(nearest, p->name[i]);
    if (p->outer) p->outer->each(p->outer->data, nearest);
}

// In place of the parser's message, to which the name is unknown.
static hol_status not_yet(const hol_reader *r, const hol_node *node, const hol_path *path, const asked *below,
                          const char *name)
{
    hol_node place = {.at = node->at};
    place.at.col += (int)(below->at - node->text) + (node->quoted ? 1 : 0);
    hol_context_clear(r->ctx);
    return hol_read_fail(r, &place, path, "\"%s\" %s; a parameter may use those above it: %s", below->name,
                         below->name == name ? "is this parameter itself" : "stands below",
                         below->name == name ? "give it a number, or name another one"
                                             : "change their order");
}

// left.track: a parameter of an included file belongs to the include that names it.
static hol_status refuse_inner(const hol_reader *r, const hol_node *key, const hol_path *at, const char *dot)
{
    const char *include = hol_arena_copy(r->arena, key->text, (size_t)(dot - key->text));
    if (!include) return HOL_ERR_MEMORY;
    const int i = r->subsystems->n ? hol_names_find_at(r->subsystems->number, key->at, include) : -1;
    char place[HOL_PLACE];
    if (i < 0)
        return hol_read_fail(r, key, at,
                             "there is no include \"%s\"; parameters of an included file are set where it is "
                             "included, `set: {%s: ..}`",
                             include, dot + 1);
    return hol_read_fail(
        r, key, at,
        "a parameter of an included file is set where it is included: write `set: {%s: ..}` at "
        "\"%s\" in %s (on the command line: --set parameters.%s=..)",
        dot + 1, include, hol_src_text(r->subsystems->list[i]->include.at, place), key->text);
}

// A parameter is a name of expressions.
static hol_status check_name(const hol_reader *r, const hol_node *key, const hol_path *at)
{
    const char *name = key->text, *dot = strrchr(name, '.');
    if (dot && dot > name && hol_is_identifier(dot + 1)) return refuse_inner(r, key, at, dot);
    if (strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") != strlen(name) ||
        (*name >= '0' && *name <= '9') || !*name)
        return hol_read_fail(r, key, at, "a parameter's name is made of letters, digits and _");
    if (strlen(name) > LONGEST_NAME)
        return hol_read_fail(r, key, at, "a parameter's name has at most %d letters", LONGEST_NAME);
    if (hol_name_is_reserved(name))
        return hol_read_fail(r, key, at, "\"%s\" is %s; choose another name", name,
                             hol_name_is_reserved(name));
    return HOL_OK;
}

// The reader for the value of the i-th parameter: the include's, where it sets it, which the file around it reads.
static hol_reader reader_of(const parameters *p, int i, const hol_node **value)
{
    const hol_node *set = p->settings ? hol_node_find(p->settings, p->map->key[i]->text) : NULL;
    *value = set ? set : p->map->value[i];
    if (set) return hol_reader_of_include(&p->spec->reader, p->of, set->at);
    return hol_reader_at(&p->spec->reader, (*value)->at);
}

// Is a full name that of a parameter of this file?
static bool is_own(const parameters *p, const char *full, const char *name)
{
    const size_t n = p->of ? strlen(p->of->prefix) : 0;
    return (n == 0 || strncmp(full, p->of->prefix, n) == 0) && strcmp(full + n, name) == 0;
}

// The i-th parameter of a file.
static hol_status read_one(parameters *p, int i, const hol_path *up)
{
    const char *name = p->map->key[i]->text;
    const hol_path at = {up, name, 0, NULL};
    const hol_node *value;
    const hol_reader r = reader_of(p, i, &value);
    hol_status st = check_name(&r, p->map->key[i], &at);
    if (st) return st;
    *p->below = (asked){0};
    st = hol_read_named_number(&r, value, &at, &p->value[i]);
    if (st == HOL_ERR_MODEL && p->below->name) return not_yet(&r, value, &at, p->below, name);
    if (st) return st;
    p->follows[i] = p->below->met;
    for (int k = 0; k < p->spec->n_fixed; k++)
        if (is_own(p, p->spec->fixed[k].name, name)) {
            p->value[i].value = p->spec->fixed[k].value;
            if (p->spec->fixed[k].nature) p->value[i].nature = *p->spec->fixed[k].nature;
        }
    p->name[p->n] = name;
    return hol_names_add(p->number, name, p->n++);
}

// What an include sets must be parameters of the file.
static hol_status check_settings(const hol_reader *r, const parameters *p)
{
    const hol_path include = {NULL, "include", 0, NULL}, path = {&include, "set", 0, NULL};
    const hol_node *set = p->settings;
    for (int i = 0; set && i < set->n; i++) {
        hol_nearest nearest;
        char list[200] = "";
        if (hol_node_find(p->map, set->key[i]->text)) continue;
        hol_nearest_start(&nearest, set->key[i]->text);
        for (int k = 0; k < p->map->n; k++) {
            const size_t n = strlen(list);
            hol_nearest_try(&nearest, p->map->key[k]->text);
            snprintf(list + n, sizeof list - n, "%s%s", n ? ", " : "", p->map->key[k]->text);
        }
        return hol_read_fail(r, set->key[i], &path, "the file has no parameter \"%s\"%s%s%s",
                             set->key[i]->text,
                             nearest.best ? "; did you mean \""
                             : *list      ? "; it has: "
                                          : ", it has none",
                             nearest.best ? nearest.best : list, nearest.best ? "\"?" : "");
    }
    return HOL_OK;
}

// Parameters in the order of the file: each may use those before it.
hol_status hol_read_parameters(hol_spec *spec, hol_subsystem *of, const hol_node *map,
                               const hol_node *settings)
{
    static const hol_node none = {.kind = HOL_NODE_MAP, .text = ""};
    hol_reader *r = &spec->reader;
    const hol_path path = {NULL, "parameters", 0, NULL};
    parameters *p = hol_arena_alloc(r->arena, 1, sizeof *p);
    hol_scope *scope = hol_arena_alloc(r->arena, 1, sizeof *scope);
    if (!p || !scope) return HOL_ERR_MEMORY;
    if (!map) map = &none;
    if (map->kind != HOL_NODE_MAP) return hol_read_fail(r, map, &path, "a map is wanted: {N: 2, L: 0.5}");
    const hol_subsystem *around = of ? hol_subsystem_outer(of) : NULL;
    p->spec = spec;
    p->map = map;
    p->settings = settings;
    p->of = of;
    p->outer = !of ? NULL : around ? around->scope : r->scope;
    p->below = p->outer ? ((const parameters *)p->outer->data)->below // one for all files
                        : hol_arena_alloc(r->arena, 1, sizeof *p->below);
    p->name = hol_arena_alloc(r->arena, (size_t)map->n + 1, sizeof *p->name);
    p->value = hol_arena_alloc(r->arena, (size_t)map->n + 1, sizeof *p->value);
    p->follows = hol_arena_alloc(r->arena, (size_t)map->n + 1, sizeof *p->follows);
    p->number = hol_names_create_in(r->ctx, r->arena);
    if (!p->number || !p->below || !p->name || !p->value || !p->follows) return HOL_ERR_MEMORY;
    const hol_scope s = {NULL, find_parameter, each_parameter, p};
    *scope = s;
    if (of)
        of->scope = scope;
    else
        r->scope = scope;
    hol_status st = of ? check_settings(r, p) : HOL_OK;
    for (int i = 0; i < map->n && !st; i++) st = read_one(p, i, &path);
    return st;
}

// Of one file.
static hol_status refuse_in(const hol_spec *spec, const parameters *p)
{
    const hol_path path = {NULL, "parameters", 0, NULL};
    for (int i = 0; i < p->n; i++) {
        const hol_path at = {&path, p->name[i], 0, NULL};
        const hol_node *value;
        const hol_reader r = reader_of(p, i, &value);
        hol_node place = {.at = value->at};
        hol_constant c;
        if (find_full(spec->held_names, p->of, p->name[i]) >= 0) continue;
        *p->below = (asked){0};
        const hol_status st = hol_read_named_number(&r, value, &at, &c);
        if (!st) continue;
        if (st != HOL_ERR_MODEL || !p->below->name) return st;
        place.at.col += (int)(p->below->at - value->text) + (value->quoted ? 1 : 0);
        hol_context_clear(spec->ctx);
        return hol_read_fail(
            &r, &place, &at,
            "\"%s\" %s, and this parameter would not follow: make it a variable, `variables: - "
            "{name: %s, value: %s}`",
            p->below->name, spec->held[hol_names_find(spec->held_names, p->below->name)].what, p->name[i],
            value->text);
    }
    return HOL_OK;
}

// A parameter of one that events or programs set would keep what it was at the start. One that is set itself may begin so.
hol_status hol_refuse_parameters_of_held(const hol_spec *spec)
{
    hol_status st = HOL_OK;
    if (spec->n_held && spec->reader.scope) st = refuse_in(spec, spec->reader.scope->data);
    for (int i = 0; i < spec->subsystems.n && spec->n_held && !st; i++)
        st = refuse_in(spec, spec->subsystems.list[i]->scope->data);
    return st;
}

// arm.k: of the include that a file at this place, or one around it, means by `arm`.
static const char *parameter_within(const hol_spec *spec, hol_src at, const char *name, const char *dot,
                                    hol_constant *value)
{
    const char *include = hol_arena_copy(spec->arena, name, (size_t)(dot - name));
    const int s =
        include && spec->subsystems.n ? hol_names_find_at(spec->subsystems.number, at, include) : -1;
    const hol_subsystem *of = s < 0 ? NULL : spec->subsystems.list[s];
    const parameters *p = of && of->scope ? of->scope->data : NULL;
    const int i = p ? hol_names_find(p->number, dot + 1) : -1;
    if (i < 0) return NULL;
    *value = p->value[i];
    return hol_arena_print(spec->arena, "%s%s", of->prefix, dot + 1);
}

const char *hol_parameter_at(const hol_spec *spec, hol_src at, const char *name, hol_constant *value)
{
    const char *dot = strrchr(name, '.');
    if (dot) return parameter_within(spec, at, name, dot, value);
    for (const hol_subsystem *s = hol_subsystem_at(at);; s = hol_subsystem_outer(s)) {
        const hol_scope *scope = s ? s->scope : spec->reader.scope;
        const parameters *p = scope ? scope->data : NULL;
        const int i = p ? hol_names_find(p->number, name) : -1;
        if (i >= 0) {
            *value = p->value[i];
            return s ? hol_arena_print(spec->arena, "%s%s", s->prefix, name) : p->name[i];
        }
        if (!s) return NULL;
    }
}

bool hol_parameter_of(const hol_spec *spec, int i, hol_parameter *out)
{
    const hol_scope *scope = spec->reader.scope;
    for (int k = 0; k <= spec->subsystems.n; k++) {
        const parameters *p = scope ? scope->data : NULL;
        if (p && i < p->n) {
            const hol_node *value;
            reader_of(p, i, &value);
            *out = (hol_parameter){.prefix = p->of ? p->of->prefix : "",
                                   .name = p->name[i],
                                   .formula = p->follows[i] ? value->text : NULL,
                                   .at = value->at,
                                   .value = p->value[i]};
            return true;
        }
        if (p) i -= p->n;
        if (k < spec->subsystems.n) scope = spec->subsystems.list[k]->scope;
    }
    return false;
}

bool hol_is_parameter_of_file(const hol_reader *r, hol_src at, const char *name)
{
    const hol_subsystem *file = hol_subsystem_at(at);
    hol_constant ignored;
    if (!file) return r->scope && hol_scope_find(r->scope, name, &ignored);
    for (const hol_scope *s = r->scope; s; s = s->outer) {
        if (s == file->scope) return hol_names_find(((const parameters *)s->data)->number, name) >= 0;
        if (s->find(s->data, name, strlen(name), &ignored)) return true;
    }
    return false;
}
