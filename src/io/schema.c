// JSON Schema (draft 2020-12) of model files, from the option rows.
//
// What depends on the dimension (vectors, keys, types) is written twice, as #/$defs/2D and #/$defs/3D; `dimension`
// chooses. An item's own keys depend on its type: one if/then per type.
#include "analysis/settings.h"
#include "io/json.h"

#include <stdio.h>
#include <string.h>

// ---- small pieces ---------------------------------------------------------------------------------------------

static void begin(hol_json *j, const char *key) { hol_json_open(j, key, '{'); }
static void finish(hol_json *j) { hol_json_close(j, '}'); }
static void begin_list(hol_json *j, const char *key) { hol_json_open(j, key, '['); }
static void finish_list(hol_json *j) { hol_json_close(j, ']'); }

static void refer(hol_json *j, const char *key, const char *format, ...) HOL_PRINTF(3, 4);
static void refer(hol_json *j, const char *key, const char *format, ...)
{
    char to[100], path[120];
    va_list ap;
    va_start(ap, format);
    vsnprintf(to, sizeof to, format, ap);
    va_end(ap);
    snprintf(path, sizeof path, "#/$defs/%s", to);
    begin(j, key);
    hol_json_text(j, "$ref", path);
    finish(j);
}

// Members of a schema for a list of at least `least` and, unless 0, at most `most` items.
static void list_of(hol_json *j, const char *item, int least, int most)
{
    hol_json_text(j, "type", "array");
    refer(j, "items", "%s", item);
    hol_json_number(j, "minItems", least);
    if (most) hol_json_number(j, "maxItems", most);
}

static void define_list(hol_json *j, const char *name, const char *item, int n)
{
    begin(j, name);
    list_of(j, item, n, n);
    finish(j);
}

// ---- option rows ----------------------------------------------------------------------------------------------

// A number in the row's range, or an expression, of which the range is not known here.
static void number_or_text(hol_json *j, const hol_option *o, const char *type)
{
    begin_list(j, "anyOf");
    begin(j, NULL);
    hol_json_text(j, "type", type);
    if (o->min > -HOL_INF) hol_json_number(j, o->flags & HOL_ABOVE ? "exclusiveMinimum" : "minimum", o->min);
    if (o->max < HOL_INF) hol_json_number(j, "maximum", o->max);
    finish(j);
    refer(j, NULL, "expression");
    finish_list(j);
}

// A non-empty list of such values.
static void list_of_numbers(hol_json *j, const hol_option *o)
{
    hol_json_text(j, "type", "array");
    begin(j, "items");
    number_or_text(j, o, "number");
    finish(j);
    hol_json_number(j, "minItems", 1);
}

// One value, or a list of them.
static void one_or_list(hol_json *j, const hol_option *o)
{
    begin_list(j, "anyOf");
    begin(j, NULL);
    number_or_text(j, o, "number");
    finish(j);
    begin(j, NULL);
    list_of_numbers(j, o);
    finish(j);
    finish_list(j);
}

// A list of numbers, or of lists of numbers.
static void diagonal_or_rows(hol_json *j, const hol_option *o)
{
    begin_list(j, "anyOf");
    begin(j, NULL);
    number_or_text(j, o, "number");
    finish(j);
    begin(j, NULL);
    list_of_numbers(j, o);
    finish(j);
    begin(j, NULL);
    hol_json_text(j, "type", "array");
    begin(j, "items");
    list_of_numbers(j, o);
    finish(j);
    hol_json_number(j, "minItems", 1);
    finish(j);
    finish_list(j);
}

static void describe(hol_json *j, const hol_option *o)
{
    char text[400];
    snprintf(text, sizeof text, "%s%s%s%s", o->doc, *o->unit ? " [" : "", o->unit, *o->unit ? "]" : "");
    hol_json_text(j, "description", text);
    const bool number = o->kind == HOL_NUMBER || o->kind == HOL_INTEGER || o->kind == HOL_FUNCTION;
    if (number && !(o->flags & HOL_REQUIRED) && o->def == o->def && !strstr(o->doc, "default"))
        hol_json_number(j, "default", o->def);
}

static void option(hol_json *j, const hol_option *o, int dimension)
{
    begin(j, o->key);
    describe(j, o);
    switch (o->kind) {
    case HOL_NUMBER: number_or_text(j, o, "number"); break;
    case HOL_INTEGER: number_or_text(j, o, "integer"); break;
    case HOL_FLAG: hol_json_text(j, "$ref", "#/$defs/flag"); break;
    case HOL_TEXT:
        hol_json_text(j, "$ref", strcmp(o->key, "name") == 0 ? "#/$defs/name" : "#/$defs/text");
        break;
    case HOL_CHOICE: hol_json_words(j, "enum", o->choices); break;
    case HOL_VECTOR: list_of(j, "number", dimension, dimension); break;
    case HOL_MATRIX: diagonal_or_rows(j, o); break;
    case HOL_NUMBERS:
    case HOL_FUNCTIONS: one_or_list(j, o); break;
    case HOL_FUNCTION: hol_json_text(j, "$ref", "#/$defs/number"); break; // with leaves too
    case HOL_SPLINE: hol_json_text(j, "$ref", "#/$defs/text"); break;
    case HOL_ENTRY: break;
    }
    finish(j);
}

static bool exists(const hol_option *o, int dimension)
{
    return !(o->flags & HOL_ONLY_2D && dimension != 2) && !(o->flags & HOL_ONLY_3D && dimension != 3);
}

// Every row of a table but those with structure, which the caller writes.
static void options(hol_json *j, const hol_option *table, int dimension)
{
    for (const hol_option *o = table; o && o->key; o++)
        if (o->kind != HOL_ENTRY && exists(o, dimension)) option(j, o, dimension);
}

static const hol_option *row(const hol_option *table, const char *key)
{
    while (table->key && strcmp(table->key, key) != 0) table++;
    return table->key ? table : NULL;
}

// A key with structure: its description and a reference; nothing if this dimension does not have it.
static void entry(hol_json *j, const hol_option *table, const char *key, int dimension, const char *to)
{
    const hol_option *o = row(table, key);
    char path[100];
    if (!o || !exists(o, dimension)) return;
    snprintf(path, sizeof path, "#/$defs/%s", to);
    begin(j, key);
    describe(j, o);
    hol_json_text(j, "$ref", path);
    finish(j);
}

static void required(hol_json *j, const hol_option *table)
{
    char words[300] = "";
    size_t n = 0;
    for (const hol_option *o = table; o && o->key; o++)
        if (o->flags & HOL_REQUIRED)
            n += (size_t)snprintf(words + n, sizeof words - n, "%s%s", n ? "|" : "", o->key);
    if (n) hol_json_words(j, "required", words);
}

static void no_others(hol_json *j) { hol_json_flag(j, "additionalProperties", false); }

// ---- what is the same in both dimensions ----------------------------------------------------------------------

// A text, or a list of texts.
static void texts(hol_json *j, const char *name, const char *item)
{
    begin(j, name);
    begin_list(j, "anyOf");
    refer(j, NULL, "%s", item);
    begin(j, NULL);
    list_of(j, item, 1, 0);
    finish(j);
    finish_list(j);
    finish(j);
}

static void define_units(hol_json *j)
{
    int n, dimension[4];
    const hol_expr_doc *unit = hol_expr_unit_names(&n);
    begin(j, "units");
    hol_json_text(j, "type", "object");
    begin(j, "properties");
    for (int k = 0; hol_units_keys[k].key; k++) {
        char words[300] = "";
        size_t used = 0;
        for (int i = 0; i < n; i++) {
            hol_unit_find(unit[i].name, strlen(unit[i].name), dimension);
            bool fits = true;
            for (int d = 0; d < 4; d++) fits = fits && dimension[d] == (d == k);
            if (fits)
                used += (size_t)snprintf(words + used, sizeof words - used, "%s%s", used ? "|" : "",
                                         unit[i].name);
        }
        begin(j, hol_units_keys[k].key);
        describe(j, &hol_units_keys[k]);
        hol_json_words(j, "enum", words);
        finish(j);
    }
    finish(j);
    no_others(j);
    finish(j);
}

static void define_simulate(hol_json *j)
{
    char names[300] = "";
    size_t n = 0;
    for (const hol_method *const *m = hol_methods; *m; m++)
        n += (size_t)snprintf(names + n, sizeof names - n, "%s%s", n ? "|" : "", (*m)->name);
    begin(j, "simulate");
    hol_json_text(j, "type", "object");
    begin(j, "properties");
    for (const hol_option *o = hol_simulate_keys; o->key; o++)
        if (o->kind != HOL_ENTRY && strcmp(o->key, "method") != 0) option(j, o, 0);
    begin(j, "method");
    describe(j, row(hol_simulate_keys, "method"));
    hol_json_words(j, "enum", names);
    finish(j);
    entry(j, hol_simulate_keys, "signals", 0, "texts");
    for (const hol_method *const *m = hol_methods; *m; m++) {
        begin(j, (*m)->name);
        hol_json_text(j, "description", (*m)->doc);
        hol_json_text(j, "type", "object");
        begin(j, "properties");
        for (int k = 0; k < HOL_METHOD_TABLES; k++) options(j, hol_method_table(*m, k), 0);
        finish(j);
        no_others(j);
        finish(j);
    }
    finish(j);
    no_others(j);
    finish(j);
}

static void orientation_form(hol_json *j, const char *first, const char *second, const char *needed)
{
    begin(j, NULL);
    begin(j, "properties");
    refer(j, first, "%s", strcmp(first, "quat_wxyz") == 0 ? "numbers4" : "numbers3");
    if (second) refer(j, second, "%s", strcmp(second, "angle") == 0 ? "number" : "numbers3");
    finish(j);
    hol_json_words(j, "required", needed);
    no_others(j);
    finish(j);
}

static void define_orientation(hol_json *j)
{
    begin(j, "orientation");
    hol_json_text(j, "type", "object");
    begin_list(j, "anyOf");
    orientation_form(j, "quat_wxyz", NULL, "quat_wxyz");
    orientation_form(j, "rpy", NULL, "rpy");
    orientation_form(j, "axis", "angle", "axis|angle");
    orientation_form(j, "z", "x", "z");
    begin(j, NULL); // euler_zxz: any axes, neighbours different
    hol_json_number(j, "minProperties", 1);
    hol_json_number(j, "maxProperties", 1);
    begin(j, "patternProperties");
    refer(j, "^euler_(x(y[xz]|z[xy])|y(x[yz]|z[xy])|z(x[yz]|y[xz]))$", "numbers3");
    finish(j);
    no_others(j);
    finish(j);
    finish_list(j);
    finish(j);
}

// ---- users' equations, tables, events --------------------------------------------------------------------------

static void any_of_keys(hol_json *j, const char *kind, const char *const *form, int n)
{
    begin_list(j, kind);
    for (int i = 0; i < n; i++) {
        begin(j, NULL);
        hol_json_words(j, "required", form[i]);
        finish(j);
    }
    finish_list(j);
}

static void event_rules(hol_json *j)
{
    static const char *const times[] = {"when", "every", "at"}, *const actions[] = {"stop", "print", "set",
                                                                                    "on", "off"};
    any_of_keys(j, "oneOf", times, HOL_COUNT(times));
    any_of_keys(j, "anyOf", actions, HOL_COUNT(actions));
    begin(j, "dependentRequired");
    hol_json_words(j, "direction", "when");
    finish(j);
}

static void spline_rules(hol_json *j)
{
    static const char *const forms[] = {"x|y", "file"};
    any_of_keys(j, "oneOf", forms, HOL_COUNT(forms));
    begin(j, "dependentRequired");
    hol_json_words(j, "x", "y");
    hol_json_words(j, "y", "x");
    hol_json_words(j, "columns", "file");
    finish(j);
}

// Keys with structure, and what they hold.
typedef struct {
    const char *key, *to;
} inner;

// A list of the model file whose items do not depend on the dimension.
typedef struct {
    const char *key, *item;
    const hol_option *keys;
    const char *name; // definition of the name
    inner entry[6];
    void (*rules)(hol_json *j);
} user_list;

static const user_list users[] = {
    {"variables", "variable", hol_variable_keys, "identifier", {{"value", "number"}}, NULL},
    {"states", "state", hol_state_keys, "identifier", {{"rate", "number"}}, NULL},
    {"transfer_functions", "transfer_function", hol_transfer_keys, "identifier", {{"input", "number"}}, NULL},
    {"state_spaces",
     "state_space",
     hol_state_space_keys,
     "identifier",
     {{"inputs", "numbers"},
      {"outputs", "identifiers"},
      {"A", "matrix"},
      {"B", "matrix"},
      {"C", "matrix"},
      {"D", "matrix"}},
     NULL},
    {"splines", "spline", hol_spline_keys, "name", {{NULL, NULL}}, spline_rules},
    {"code",
     "function",
     hol_code_keys,
     "identifier",
     {{"inputs", "numbers"}, {"outputs", "identifiers"}, {"states", "identifiers"}},
     NULL},
    {"events",
     "event",
     hol_event_keys,
     "name",
     {{"when", "number"}, {"set", "settings"}, {"on", "texts"}, {"off", "texts"}},
     event_rules},
};

static void define_user_item(hol_json *j, const user_list *u)
{
    begin(j, u->item);
    hol_json_text(j, "type", "object");
    begin(j, "properties");
    for (const hol_option *o = u->keys; o->key; o++)
        if (o->kind != HOL_ENTRY && strcmp(o->key, "name") != 0) option(j, o, 0);
    entry(j, u->keys, "name", 0, u->name);
    entry(j, u->keys, "for", 0, "loops");
    for (int i = 0; i < HOL_COUNT(u->entry) && u->entry[i].key; i++)
        entry(j, u->keys, u->entry[i].key, 0, u->entry[i].to);
    finish(j);
    required(j, u->keys);
    if (u->rules) u->rules(j);
    no_others(j);
    finish(j);
}

// An item of `constraints`: the key of one type says what it is.
static void define_constraint(hol_json *j)
{
    const char *forms[8];
    int n = 0;
    begin(j, "constraint");
    hol_json_text(j, "type", "object");
    begin(j, "properties");
    options(j, hol_constraint_keys, 0);
    entry(j, hol_constraint_keys, "for", 0, "loops");
    for (const hol_element_type *const *t = hol_element_types; *t; t++)
        if ((*t)->role == HOL_ROLE_CONSTRAINT && n < HOL_COUNT(forms)) {
            options(j, (*t)->options, 0);
            forms[n++] = (*t)->name;
        }
    finish(j);
    required(j, hol_constraint_keys);
    any_of_keys(j, "oneOf", forms, n);
    no_others(j);
    finish(j);
}

static void define_common(hol_json *j)
{
    begin(j, "expression");
    hol_json_text(j, "type", "string");
    hol_json_number(j, "minLength", 1);
    finish(j);
    begin(j, "number");
    hol_json_words(j, "type", "number|string");
    hol_json_number(j, "minLength", 1);
    finish(j);
    begin(j, "text");
    hol_json_words(j, "type", "string|number");
    finish(j);
    begin(j, "name"); // the characters that have a meaning of their own are not admitted
    hol_json_words(j, "type", "string|number");
    hol_json_text(j, "pattern", "^[^.,:=\"\n\r\t]+$");
    finish(j);
    begin(j, "identifier"); // stands in expressions; {i} may be a part of it
    hol_json_text(j, "type", "string");
    hol_json_text(j, "pattern", "^[A-Za-z_]([A-Za-z_0-9]|\\{[^{}]+\\})*$");
    finish(j);
    begin(j, "settings");
    hol_json_text(j, "type", "object");
    hol_json_number(j, "minProperties", 1);
    refer(j, "propertyNames", "identifier");
    refer(j, "additionalProperties", "number");
    finish(j);
    texts(j, "texts", "text");
    texts(j, "identifiers", "identifier");
    texts(j, "numbers", "number");
    begin(j, "matrix");
    list_of(j, "row", 0, 0);
    finish(j);
    begin(j, "row");
    list_of(j, "number", 0, 0);
    finish(j);
    begin(j, "flag");
    begin_list(j, "anyOf");
    begin(j, NULL);
    hol_json_text(j, "type", "boolean");
    finish(j);
    begin(j, NULL);
    hol_json_words(j, "enum", "yes|no|on|off|true|false");
    finish(j);
    finish_list(j);
    finish(j);
    begin(j, "coupled");
    list_of(j, "text", 2, HOL_MAX_JOINTS);
    finish(j);
    define_list(j, "numbers3", "number", 3);
    define_list(j, "numbers4", "number", 4);
    begin(j, "loop");
    hol_json_text(j, "type", "string");
    hol_json_text(j, "pattern", "^ *[A-Za-z_0-9]+ in .+\\.\\..+$");
    finish(j);
    texts(j, "loops", "loop");
    begin(j, "parameters");
    hol_json_text(j, "type", "object");
    begin(j, "propertyNames");
    hol_json_text(j, "pattern", "^[A-Za-z_][A-Za-z_0-9]*$");
    finish(j);
    refer(j, "additionalProperties", "number");
    finish(j);
    define_units(j);
    define_simulate(j);
    define_orientation(j);
    define_constraint(j);
    for (int i = 0; i < HOL_COUNT(users); i++) define_user_item(j, &users[i]);
}

// ---- markers and ends -----------------------------------------------------------------------------------------

static void define_marker(hol_json *j, const char *name, bool ground, int dimension)
{
    char to[40];
    snprintf(to, sizeof to, "%dD/motion", dimension);
    begin(j, name);
    begin_list(j, "anyOf");
    refer(j, NULL, "%dD/vector", dimension);
    begin(j, NULL);
    hol_json_text(j, "type", "object");
    begin(j, "properties");
    options(j, hol_marker_keys, dimension);
    entry(j, hol_marker_keys, "orientation", dimension, "orientation");
    if (ground) entry(j, hol_marker_keys, "motion", dimension, to);
    finish(j);
    no_others(j);
    finish(j);
    finish_list(j);
    finish(j);
}

static void define_markers(hol_json *j, const char *name, const char *marker, int dimension)
{
    begin(j, name);
    hol_json_text(j, "type", "object");
    refer(j, "additionalProperties", "%dD/%s", dimension, marker);
    finish(j);
}

// Members of a schema for a map of `n` ends: {ground: [0, 0], a: [1, 0]}.
static void map_of_ends(hol_json *j, int n, int dimension)
{
    hol_json_text(j, "type", "object");
    hol_json_number(j, "minProperties", n);
    hol_json_number(j, "maxProperties", n);
    begin(j, "properties");
    refer(j, "ground", "%dD/ground_marker", dimension);
    finish(j);
    refer(j, "additionalProperties", "%dD/marker", dimension);
}

static void define_ends(hol_json *j, int dimension)
{
    char to[40];
    snprintf(to, sizeof to, "%dD/end", dimension);
    begin(j, "end");
    begin_list(j, "anyOf");
    refer(j, NULL, "text");
    begin(j, NULL);
    map_of_ends(j, 1, dimension);
    finish(j);
    finish_list(j);
    finish(j);
    begin(j, "ends");
    begin_list(j, "anyOf");
    begin(j, NULL);
    list_of(j, to, 2, 2);
    finish(j);
    begin(j, NULL);
    map_of_ends(j, 2, dimension);
    finish(j);
    finish_list(j);
    finish(j);
    define_list(j, "pair", "text", 2);
}

// ---- bodies, joints, drivers, forces --------------------------------------------------------------------------

// Does the type exist in this dimension?
static bool in_dimension(const hol_element_type *t, hol_role role, int dimension)
{
    return t->role == role && (t->dimensions == 5 || t->dimensions == dimension);
}

static size_t add_names(const hol_element_type *t, char *words, size_t n, size_t room)
{
    if (n >= room) return n;
    return n + (size_t)snprintf(words + n, room - n, "%s%s%s%s", n ? "|" : "", t->name, t->aliases ? "|" : "",
                                t->aliases ? t->aliases : "");
}

static void keys_of_ends(hol_json *j, const hol_option *keys, int dimension)
{
    char ends[40], pair[40], end[40];
    snprintf(ends, sizeof ends, "%dD/ends", dimension);
    snprintf(pair, sizeof pair, "%dD/pair", dimension);
    snprintf(end, sizeof end, "%dD/end", dimension);
    entry(j, keys, "between", dimension, ends);
    entry(j, keys, "bodies", dimension, pair);
    entry(j, keys, "on", dimension, end);
}

// May an item of this type have the common key?
static bool admits(const hol_element_type *t, const char *key)
{
    static const char *const two[] = {"between", "bodies", "at", "axis", NULL};
    for (int i = 0; two[i]; i++)
        if (t->role != HOL_ROLE_BODY && strcmp(key, two[i]) == 0) return t->ends == 2 && !t->joints;
    if (strcmp(key, "joints") == 0) return t->joints < 0 || t->joints > 1;
    if (strcmp(key, "joint") == 0) return t->joints == 1 || t->role == HOL_ROLE_DRIVER;
    if (strcmp(key, "on") == 0) return t->ends == 1;
    if (strcmp(key, "axis2") == 0) return t->two_axes;
    return true;
}

// Exactly one way to say where an element acts.
static void end_forms(hol_json *j, const hol_element_type *t, int dimension)
{
    if (t->ends == 1 || t->joints) {
        hol_json_words(j, "required", t->joints == 1 ? "joint" : t->joints ? "joints" : "on");
        return;
    }
    begin_list(j, "oneOf");
    for (int i = 0; i < (t->role == HOL_ROLE_DRIVER ? 3 : 2); i++) {
        static const char *const form[] = {"between", "bodies|at", "joint"};
        begin(j, NULL);
        hol_json_words(j, "required", form[i]);
        finish(j);
    }
    finish_list(j);
    begin(j, "dependentRequired"); // the drawn frame goes with two bodies
    hol_json_words(j, "at", "bodies");
    hol_json_words(j, "axis", "bodies");
    if (t->two_axes && dimension == 3) hol_json_words(j, "bodies", "axis2");
    if (t->two_axes && dimension == 3) hol_json_words(j, "axis2", "bodies");
    finish(j);
}

static void type_branch(hol_json *j, const hol_element_type *t, const hol_option *keys, int dimension)
{
    char names[300];
    add_names(t, names, 0, sizeof names);
    begin(j, NULL);
    begin(j, "if");
    begin(j, "properties");
    begin(j, "type");
    hol_json_words(j, "enum", names);
    finish(j);
    finish(j);
    const bool silent =
        t->role == HOL_ROLE_BODY && strcmp(t->name, "rigid") == 0; // a body without a type is rigid
    if (!silent) hol_json_words(j, "required", "type");
    finish(j);
    begin(j, "then");
    hol_json_text(j, "description", t->doc);
    begin(j, "properties");
    for (const hol_option *o = keys; o->key; o++)
        if (exists(o, dimension) && admits(t, o->key) && strcmp(o->key, "joints") != 0)
            hol_json_flag(j, o->key, true);
    if (admits(t, "joints") && t->role == HOL_ROLE_JOINT) {
        begin(j, "joints");
        list_of(j, "text", t->joints > 0 ? t->joints : 2, t->joints > 0 ? t->joints : HOL_MAX_JOINTS);
        finish(j);
    }
    options(j, t->options, dimension);
    finish(j);
    if (t->role == HOL_ROLE_BODY)
        required(j, t->options);
    else {
        begin_list(j, "allOf");
        begin(j, NULL);
        required(j, t->options);
        finish(j);
        begin(j, NULL);
        end_forms(j, t, dimension);
        finish(j);
        finish_list(j);
    }
    no_others(j);
    finish(j);
    finish(j);
}

static void define_item(hol_json *j, const char *name, hol_role role, const hol_option *keys, int dimension)
{
    char names[2000], markers[40];
    size_t n = 0;
    for (const hol_element_type *const *t = hol_element_types; *t; t++)
        if (in_dimension(*t, role, dimension)) n = add_names(*t, names, n, sizeof names);
    snprintf(markers, sizeof markers, "%dD/markers", dimension);
    begin(j, name);
    hol_json_text(j, "type", "object");
    begin(j, "properties");
    for (const hol_option *o = keys; o->key; o++)
        if (o->kind != HOL_ENTRY && exists(o, dimension) && strcmp(o->key, "type") != 0)
            option(j, o, dimension);
    begin(j, "type");
    describe(j, row(keys, "type"));
    hol_json_words(j, "enum", names);
    finish(j);
    entry(j, keys, "for", dimension, "loops");
    entry(j, keys, "orientation", dimension, "orientation");
    entry(j, keys, "markers", dimension, markers);
    entry(j, keys, "joints", dimension, "coupled");
    keys_of_ends(j, keys, dimension);
    finish(j);
    required(j, keys);
    begin_list(j, "allOf");
    for (const hol_element_type *const *t = hol_element_types; *t; t++)
        if (in_dimension(*t, role, dimension)) type_branch(j, *t, keys, dimension);
    finish_list(j);
    finish(j);
}

// ---- one dimension, the whole ---------------------------------------------------------------------------------

static const struct {
    const char *key, *item;
    hol_role role;
    const hol_option *keys;
} lists[] = {{"bodies", "body", HOL_ROLE_BODY, hol_body_keys},
             {"joints", "joint", HOL_ROLE_JOINT, hol_joint_keys},
             {"drivers", "driver", HOL_ROLE_DRIVER, hol_driver_keys},
             {"forces", "force", HOL_ROLE_FORCE, hol_force_keys}};

// A list of the file.
static void array_of(hol_json *j, const char *key, const char *item)
{
    begin(j, key);
    describe(j, row(hol_model_keys, key));
    hol_json_text(j, "type", "array");
    refer(j, "items", "%s", item);
    finish(j);
}

static void define_ground(hol_json *j, int dimension)
{
    begin(j, "ground");
    hol_json_text(j, "type", "object");
    begin(j, "properties");
    refer(j, "markers", "%dD/ground_markers", dimension);
    finish(j);
    no_others(j);
    finish(j);
}

// The keys of the file whose content depends on the dimension.
static void define_model(hol_json *j, int dimension)
{
    char to[40];
    begin(j, "model");
    begin(j, "properties");
    snprintf(to, sizeof to, "%dD/vector", dimension);
    entry(j, hol_model_keys, "gravity", dimension, to);
    snprintf(to, sizeof to, "%dD/ground", dimension);
    entry(j, hol_model_keys, "ground", dimension, to);
    for (int i = 0; i < HOL_COUNT(lists); i++) {
        snprintf(to, sizeof to, "%dD/%s", dimension, lists[i].item);
        array_of(j, lists[i].key, to);
    }
    finish(j);
    finish(j);
}

static void define_dimension(hol_json *j, int dimension)
{
    char name[8];
    snprintf(name, sizeof name, "%dD", dimension);
    begin(j, name);
    define_list(j, "vector", "number", dimension);
    begin(j, "motion");
    hol_json_text(j, "type", "object");
    begin(j, "properties");
    options(j, hol_motion_keys, dimension);
    finish(j);
    no_others(j);
    finish(j);
    define_marker(j, "marker", false, dimension);
    define_marker(j, "ground_marker", true, dimension);
    define_markers(j, "markers", "marker", dimension);
    define_markers(j, "ground_markers", "ground_marker", dimension);
    define_ground(j, dimension);
    define_ends(j, dimension);
    for (int i = 0; i < HOL_COUNT(lists); i++)
        define_item(j, lists[i].item, lists[i].role, lists[i].keys, dimension);
    define_model(j, dimension);
    finish(j);
}

static void choose_dimension(hol_json *j)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        begin(j, NULL);
        begin(j, "if");
        begin(j, "properties");
        begin(j, "dimension");
        hol_json_number(j, "const", dimension);
        finish(j);
        finish(j);
        hol_json_words(j, "required", "dimension");
        finish(j);
        refer(j, "then", "%dD/model", dimension);
        finish(j);
    }
    begin(j, NULL); // a part of a model, to be included, or one that includes: it need not say
    begin(j, "if");
    begin(j, "not");
    hol_json_words(j, "required", "dimension");
    finish(j);
    finish(j);
    begin(j, "then");
    begin_list(j, "anyOf");
    for (int dimension = 2; dimension <= 3; dimension++) refer(j, NULL, "%dD/model", dimension);
    finish_list(j);
    finish(j);
    finish(j);
}

void hol_describe_schema(hol_print_fn print, void *user)
{
    hol_json json = {.print = print, .user = user}, *j = &json;
    begin(j, NULL);
    hol_json_text(j, "$schema", "https://json-schema.org/draft/2020-12/schema");
    hol_json_text(j, "title", "holonom model file, version " HOL_VERSION);
    hol_json_text(j, "type", "object");
    begin(j, "properties");
    for (const hol_option *o = hol_model_keys; o->key; o++)
        if (o->kind != HOL_ENTRY && strcmp(o->key, "dimension") != 0) option(j, o, 0);
    begin(j, "dimension");
    describe(j, row(hol_model_keys, "dimension"));
    begin_list(j, "enum");
    hol_json_number(j, NULL, 2);
    hol_json_number(j, NULL, 3);
    finish_list(j);
    finish(j);
    entry(j, hol_model_keys, "units", 0, "units");
    entry(j, hol_model_keys, "parameters", 0, "parameters");
    entry(j, hol_model_keys, "include", 0, "texts");
    entry(j, hol_model_keys, "simulate", 0, "simulate");
    array_of(j, "constraints", "constraint");
    for (int i = 0; i < HOL_COUNT(users); i++) array_of(j, users[i].key, users[i].item);
    static const char *const others[] = {"gravity", "ground", "bodies", "joints", "drivers", "forces"};
    for (int i = 0; i < HOL_COUNT(others); i++) hol_json_flag(j, others[i], true);
    finish(j);
    no_others(j);
    begin_list(j, "allOf");
    choose_dimension(j);
    begin(j, NULL); // what is missing may come from the file that is included
    begin_list(j, "anyOf");
    begin(j, NULL);
    hol_json_words(j, "required", "include");
    finish(j);
    begin(j, NULL);
    required(j, hol_model_keys);
    finish(j);
    finish_list(j);
    finish(j);
    finish_list(j);
    begin(j, "$defs");
    define_common(j);
    define_dimension(j, 2);
    define_dimension(j, 3);
    finish(j);
    finish(j);
}
