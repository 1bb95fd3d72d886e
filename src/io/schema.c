// JSON Schema (draft 2020-12) of model files: a walk over the grammar (model/grammar.h).
//
// What depends on the dimension (vectors, keys, types) is written twice, as #/$defs/2D and #/$defs/3D, and `dimension`
// chooses; 0 stands for what does not. An object's own keys depend on its type: one if/then per type.
#include "analysis/settings.h"
#include "io/json.h"

#include <stdio.h>
#include <string.h>

static void begin(hol_json *j, const char *key) { hol_json_open(j, key, '{'); }
static void finish(hol_json *j) { hol_json_close(j, '}'); }
static void begin_list(hol_json *j, const char *key) { hol_json_open(j, key, '['); }
static void finish_list(hol_json *j) { hol_json_close(j, ']'); }

// ---- definitions that values refer to -------------------------------------------------------------------------

typedef struct {
    const char *name, *json; // ' for ", @ for the dimension
} definition;

static const definition common[] = {
    {"expression", "{'type': 'string', 'minLength': 1}"},
    {"number", "{'type': ['number', 'string'], 'minLength': 1}"},
    {"text", "{'type': ['string', 'number']}"},
    // the characters that have a meaning of their own are not admitted
    {"name", "{'type': ['string', 'number'], 'pattern': '^[^.,:=\\\"\\n\\r\\t]+$'}"},
    {"identifier", "{'type': 'string', 'pattern': '^[A-Za-z_]([A-Za-z_0-9]|\\\\{[^{}]+\\\\})*$'}"},
    {"flag", "{'anyOf': [{'type': 'boolean'}, {'enum': ['yes', 'no', 'on', 'off', 'true', 'false']}]}"},
    {"loop", "{'type': 'string', 'pattern': '^ *[A-Za-z_0-9]+ in .+\\\\.\\\\..+$'}"},
    {"loops", "{'anyOf': [{'$ref': '#/$defs/loop'},\n"
              "    {'type': 'array', 'minItems': 1, 'items': {'$ref': '#/$defs/loop'}}]}"},
    {"row", "{'type': 'array', 'items': {'$ref': '#/$defs/number'}}"},
    {"rows", "{'type': 'array', 'items': {'$ref': '#/$defs/row'}}"}};

static const definition dimensional[] = {
    {"vector", "{'type': 'array', 'items': {'$ref': '#/$defs/number'}, 'minItems': @, 'maxItems': @}"},
    {"points", "{'type': 'array', 'items': {'$ref': '#/$defs/@D/vector'}, 'minItems': 2}"},
    {"place", "{'properties': {'ground': {'anyOf': [{'$ref': '#/$defs/@D/vector'}, {'$ref': "
              "'#/$defs/@D/ground_marker'}]}},\n"
              "    'additionalProperties': {'anyOf': [{'$ref': '#/$defs/@D/vector'}, {'$ref': "
              "'#/$defs/@D/marker'}]}}"},
    {"end", "{'anyOf': [{'$ref': '#/$defs/text'},\n"
            "    {'type': 'object', '$ref': '#/$defs/@D/place', 'minProperties': 1, 'maxProperties': 1}]}"},
    {"ends",
     "{'anyOf': [{'type': 'array', 'items': {'$ref': '#/$defs/@D/end'}, 'minItems': 2, 'maxItems': 2},\n"
     "    {'type': 'object', '$ref': '#/$defs/@D/place', 'minProperties': 2, 'maxProperties': 2}]}"}};

// $ref: a definition of this dimension; 0: of both
static void refer(hol_json *j, const char *name, int dimension)
{
    char path[100];
    if (dimension)
        snprintf(path, sizeof path, "#/$defs/%dD/%s", dimension, name);
    else
        snprintf(path, sizeof path, "#/$defs/%s", name);
    hol_json_text(j, "$ref", path);
}

// ---- what depends on the dimension ----------------------------------------------------------------------------

static const hol_object *find(const char *name)
{
    return name && strcmp(name, hol_simulate_object.name) == 0 ? &hol_simulate_object : hol_object_find(name);
}

static bool varies(const hol_object *o);

static bool rows_vary(const hol_option *rows)
{
    for (const hol_option *o = rows; o && o->key; o++) {
        const hol_object *below = o->kind > HOL_ENDS ? find(o->choices) : NULL;
        if (o->flags & (HOL_ONLY_2D | HOL_ONLY_3D) || o->kind == HOL_VECTOR) return true;
        if ((o->kind >= HOL_POINTS && o->kind <= HOL_ENDS) || (below && varies(below))) return true;
    }
    return false;
}

static bool varies(const hol_object *o)
{
    hol_type t;
    for (int i = 0; o->type && o->type(o, i, 0, &t); i++)
        if (t.dimensions != 5 || rows_vary(t.rows)) return true;
    return rows_vary(o->rows);
}

// ---- values ---------------------------------------------------------------------------------------------------

// A number in the row's range, or an expression, of which the range is not known here.
static void number(hol_json *j, const hol_option *o)
{
    const bool plain = o->flags & HOL_PLAIN;
    if (!plain) begin_list(j, "anyOf");
    if (!plain) begin(j, NULL);
    hol_json_text(j, "type", o->kind == HOL_INTEGER ? "integer" : "number");
    if (o->min > -HOL_INF) hol_json_number(j, o->flags & HOL_ABOVE ? "exclusiveMinimum" : "minimum", o->min);
    if (o->max < HOL_INF) hol_json_number(j, "maximum", o->max);
    if (plain) return;
    finish(j);
    begin(j, NULL);
    refer(j, "expression", 0);
    finish(j);
    finish_list(j);
}

static void value(hol_json *j, const hol_option *o, int dimension);

// A list of `least` to `most` (0: any number) of what a row of another kind describes.
static void list_of(hol_json *j, const hol_option *o, hol_kind kind, int dimension, double least, double most)
{
    hol_option item = *o;
    item.kind = kind;
    hol_json_text(j, "type", "array");
    begin(j, "items");
    value(j, &item, dimension);
    finish(j);
    if (least > 0) hol_json_number(j, "minItems", least);
    if (most > 0) hol_json_number(j, "maxItems", most);
}

// One such value, or a list of them, or a list of lists.
static void one_or_list(hol_json *j, const hol_option *o, hol_kind kind, int dimension)
{
    hol_option item = *o, row = *o;
    const double least = o->flags & HOL_MAY_BE_EMPTY ? 0 : 1;
    item.kind = kind;
    row.kind = HOL_TUPLE; // of any number
    row.def = 0;
    begin_list(j, "anyOf");
    begin(j, NULL);
    value(j, &item, dimension);
    finish(j);
    begin(j, NULL);
    list_of(j, o, kind, dimension, least, 0);
    finish(j);
    if (o->kind == HOL_MATRIX) {
        begin(j, NULL);
        list_of(j, &row, HOL_TUPLE, dimension, 1, 0);
        finish(j);
    }
    if (o->kind == HOL_SHAPES) hol_json_raw(j, NULL, "{'const': 'none'}", 0);
    finish_list(j);
}

// One unit of the list that has the dimension, or a product of units.
static void unit(hol_json *j, const hol_option *o)
{
    int n, d[4], powers[4];
    const hol_expr_doc *name = hol_expr_unit_names(&n);
    const bool any = strcmp(o->unit, HOL_ANY_UNIT) == 0;
    char words[600] = "";
    size_t used = 0;
    if (!any) hol_unit_find(o->unit, strlen(o->unit), powers);
    for (int i = 0; i < n; i++)
        if (hol_unit_find(name[i].name, strlen(name[i].name), d) && (any || memcmp(d, powers, sizeof d) == 0))
            used +=
                (size_t)snprintf(words + used, sizeof words - used, "%s%s", used ? "|" : "", name[i].name);
    begin_list(j, "anyOf");
    begin(j, NULL);
    hol_json_words(j, "enum", words);
    finish(j);
    hol_json_raw(j, NULL, "{'type': 'string', 'pattern': '[ */^(]'}", 0);
    finish_list(j);
}

// auto, and the names of all methods.
static void method(hol_json *j)
{
    char names[300] = "auto";
    size_t n = strlen(names);
    for (const hol_method *const *m = hol_methods; *m; m++)
        n += (size_t)snprintf(names + n, sizeof names - n, "|%s", (*m)->name);
    hol_json_words(j, "enum", names);
}

// A text: names have characters they are made of.
static void text(hol_json *j, const hol_option *o)
{
    const bool name = o->kind == HOL_NAME;
    if (o->kind == HOL_TEXT && o->choices) {
        hol_json_text(j, "type", "string");
        hol_json_text(j, "pattern", o->choices);
    } else
        refer(j, o->flags & HOL_IDENTIFIER ? "identifier" : name ? "name" : "text", 0);
}

// The object below a row, by its name.
static void below(hol_json *j, const hol_option *o, int dimension)
{
    const hol_object *object = find(o->choices);
    refer(j, object->name, varies(object) ? dimension : 0);
}

// A marker: a point, or an object.
static void marker(hol_json *j, const hol_option *o, int dimension)
{
    begin_list(j, "anyOf");
    begin(j, NULL);
    refer(j, "vector", dimension);
    finish(j);
    begin(j, NULL);
    below(j, o, dimension);
    finish(j);
    finish_list(j);
}

// The name of a file or an object; list: or a list of them.
static void include(hol_json *j, const hol_option *o, int dimension, bool list)
{
    begin_list(j, "anyOf");
    begin(j, NULL);
    refer(j, "text", 0);
    finish(j);
    begin(j, NULL);
    below(j, o, dimension);
    finish(j);
    if (list) {
        begin(j, NULL);
        hol_json_text(j, "type", "array");
        begin(j, "items");
        include(j, o, dimension, false);
        finish(j);
        finish(j);
    }
    finish_list(j);
}

// Members of the schema of a row's value.
static void value(hol_json *j, const hol_option *o, int dimension)
{
    switch (o->kind) {
    case HOL_NUMBER:
    case HOL_INTEGER: number(j, o); break;
    case HOL_FLAG: refer(j, "flag", 0); break;
    case HOL_SPLINE:
    case HOL_NAME:
    case HOL_TEXT: text(j, o); break;
    case HOL_CHOICE: hol_json_words(j, "enum", o->choices); break;
    case HOL_VECTOR: refer(j, "vector", dimension); break;
    case HOL_MATRIX:
    case HOL_NUMBERS: one_or_list(j, o, HOL_NUMBER, dimension); break;
    case HOL_FUNCTIONS: one_or_list(j, o, HOL_FUNCTION, dimension); break;
    case HOL_FUNCTION:
        if (o->min > -HOL_INF || o->max < HOL_INF)
            number(j, o);
        else
            refer(j, "number", 0);
        break;
    case HOL_TUPLE:
        list_of(j, o, o->flags & HOL_WHOLE ? HOL_INTEGER : HOL_NUMBER, dimension, o->def > 0 ? o->def : 1,
                o->def);
        break;
    case HOL_TEXTS:
        if (o->max > 0)
            list_of(j, o, HOL_TEXT, dimension, o->min, o->max);
        else
            one_or_list(j, o, o->choices ? HOL_CHOICE : HOL_TEXT, dimension);
        break;
    case HOL_LOOPS: refer(j, "loops", 0); break;
    case HOL_UNIT: unit(j, o); break;
    case HOL_ROWS: refer(j, "rows", 0); break;
    case HOL_METHOD: method(j); break;
    case HOL_POINTS: refer(j, "points", dimension); break;
    case HOL_END: refer(j, "end", dimension); break;
    case HOL_ENDS: refer(j, "ends", dimension); break;
    case HOL_MARKER: marker(j, o, dimension); break;
    case HOL_LIST: list_of(j, o, HOL_MAP, dimension, 0, 0); break;
    case HOL_SHAPES: one_or_list(j, o, HOL_MAP, dimension); break;
    case HOL_INCLUDES: include(j, o, dimension, true); break;
    case HOL_PAIRS:
        if (o->min > 0) hol_json_number(j, "minProperties", o->min);
        below(j, o, dimension);
        break;
    case HOL_MAP: below(j, o, dimension); break;
    }
}

// ---- keys -----------------------------------------------------------------------------------------------------

// What the manual says of a key, and its default.
static void describe(hol_json *j, const hol_option *o)
{
    char words[400];
    const bool unit = *o->unit;
    snprintf(words, sizeof words, "%s%s%s%s", o->doc, unit ? " [" : "", o->unit, unit ? "]" : "");
    hol_json_text(j, "description", words);
    const bool plain = o->kind == HOL_NUMBER || o->kind == HOL_INTEGER || o->kind == HOL_FUNCTION;
    if (plain && !(o->flags & HOL_REQUIRED) && o->def == o->def && !strstr(o->doc, "default"))
        hol_json_number(j, "default", o->def);
}

static bool refused(const hol_rule *rules, const char *key)
{
    for (const hol_rule *r = rules; r && r->keys; r++)
        if (r->kind == HOL_REFUSED && hol_has_word(r->keys, key)) return true;
    return false;
}

static void key(hol_json *j, const hol_option *o, int dimension)
{
    begin(j, o->key);
    describe(j, o);
    value(j, o, dimension);
    finish(j);
}

// The keys of a table that there are in this dimension.
static void keys(hol_json *j, const hol_option *rows, const hol_rule *rules, int dimension)
{
    for (const hol_option *o = rows; o && o->key; o++)
        if (hol_option_exists(o, dimension) && !refused(rules, o->key)) key(j, o, dimension);
}

static void required(hol_json *j, const hol_option *rows, int dimension)
{
    char words[300] = "";
    size_t n = 0;
    for (const hol_option *o = rows; o && o->key; o++)
        if (o->flags & HOL_REQUIRED && hol_option_exists(o, dimension))
            n += (size_t)snprintf(words + n, sizeof words - n, "%s%s", n ? "|" : "", o->key);
    if (n) hol_json_words(j, "required", words);
}

// ---- rules ----------------------------------------------------------------------------------------------------

// kind: of these, each given if all its keys are.
static void alternatives(hol_json *j, const char *kind, const char *words)
{
    begin_list(j, kind);
    while (*words) {
        char one[300];
        const size_t n = strcspn(words, "|");
        snprintf(one, sizeof one, "%.*s", (int)n, words);
        for (char *c = one; *c; c++) *c = *c == '+' ? '|' : *c;
        begin(j, NULL);
        hol_json_words(j, "required", one);
        finish(j);
        words += n + (words[n] == '|');
    }
    finish_list(j);
}

// Each key of a+b wants the other.
static void together(hol_json *j, const char *words)
{
    const char *plus = strchr(words, '+');
    char a[64], b[64];
    if (!plus) return;
    const char *first = plus;
    while (first > words && first[-1] != '|') first--;
    hol_next_word(&first, a);
    hol_next_word(&first, b);
    begin(j, "dependentRequired");
    hol_json_words(j, a, b);
    hol_json_words(j, b, a);
    finish(j);
}

// No two of the keys.
static void not_both(hol_json *j, const char *words)
{
    char a[64], b[64], pair[140];
    for (const char *p = words; hol_next_word(&p, a);)
        for (const char *q = p; hol_next_word(&q, b);) {
            snprintf(pair, sizeof pair, "%s|%s", a, b);
            begin(j, NULL);
            begin(j, "not");
            hol_json_words(j, "required", pair);
            finish(j);
            finish(j);
        }
}

// The key only beside the other one, or beside one of several.
static void goes_with(hol_json *j, const char *key, const char *others)
{
    const bool several = strchr(others, '|') != NULL;
    if (!several) {
        begin(j, "dependentRequired");
        hol_json_words(j, key, others);
        finish(j);
        return;
    }
    begin_list(j, "anyOf");
    begin(j, NULL);
    begin(j, "not");
    hol_json_words(j, "required", key);
    finish(j);
    finish(j);
    begin(j, NULL);
    alternatives(j, "anyOf", others);
    finish(j);
    finish_list(j);
}

// Items of allOf. Keys that are refused are left out where the keys are listed.
static void rule(hol_json *j, const hol_rule *r)
{
    char a[64];
    const char *rest = r->keys;
    if (r->kind == HOL_NOT_BOTH) not_both(j, r->keys);
    if (r->kind == HOL_NOT_BOTH || r->kind == HOL_REFUSED) return;
    begin(j, NULL);
    if (r->kind == HOL_ONE_OF) alternatives(j, "oneOf", r->keys);
    if (r->kind == HOL_ONE_OF) together(j, r->keys);
    if (r->kind == HOL_SOME_OF) alternatives(j, "anyOf", r->keys);
    if (r->kind == HOL_GOES_WITH && hol_next_word(&rest, a)) goes_with(j, a, rest);
    if (r->kind == HOL_TWO_NAMES) {
        begin(j, "properties");
        hol_json_raw(j, r->keys, "{'maxItems': 2}", 0);
        finish(j);
    }
    finish(j);
}

// allOf: the rules and, of an object with types, what each type has. JSON Schema wants no empty list.
static void branches(hol_json *j, const hol_object *object, int dimension);
static void all_of(hol_json *j, const hol_rule *list, const hol_object *types, int dimension)
{
    const hol_rule *first = list;
    while (first && first->keys && first->kind == HOL_REFUSED) first++;
    if (!types && (!first || !first->keys)) return;
    begin_list(j, "allOf");
    for (const hol_rule *r = first; r && r->keys; r++) rule(j, r);
    if (types) branches(j, types, dimension);
    finish_list(j);
}

// ---- objects --------------------------------------------------------------------------------------------------

static size_t add_names(const hol_type *t, char *words, size_t n, size_t room)
{
    if (n >= room) return n;
    return n + (size_t)snprintf(words + n, room - n, "%s%s%s%s", n ? "|" : "", t->name, t->aliases ? "|" : "",
                                t->aliases ? t->aliases : "");
}

// The key `type` with the names of all types.
static void type_key(hol_json *j, const hol_object *object, const hol_option *o, int dimension)
{
    hol_type t;
    char names[2000];
    size_t n = 0;
    for (int i = 0; object->type(object, i, dimension, &t); i++) n = add_names(&t, names, n, sizeof names);
    begin(j, "type");
    describe(j, o);
    hol_json_words(j, "enum", names);
    finish(j);
}

// The keys of one type, if `type` names it.
static void branch(hol_json *j, const hol_object *object, const hol_type *t, int dimension)
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
    if (!t->silent) hol_json_words(j, "required", "type");
    finish(j);
    begin(j, "then");
    hol_json_text(j, "description", t->doc);
    begin(j, "properties");
    for (const hol_option *o = object->rows; o->key; o++)
        if (hol_option_exists(o, dimension) && !refused(t->rules, o->key) && !refused(object->rules, o->key))
            hol_json_flag(j, o->key, true);
    keys(j, t->rows, NULL, dimension);
    finish(j);
    required(j, t->rows, dimension);
    all_of(j, t->rules, NULL, dimension);
    hol_json_flag(j, "additionalProperties", false);
    finish(j);
    finish(j);
}

static void branches(hol_json *j, const hol_object *object, int dimension)
{
    hol_type t;
    for (int i = 0; object->type(object, i, dimension, &t); i++) branch(j, object, &t, dimension);
}

// The options of each method, below its name.
static void methods(hol_json *j)
{
    for (const hol_method *const *m = hol_methods; *m; m++) {
        begin(j, (*m)->name);
        hol_json_text(j, "description", (*m)->doc);
        hol_json_text(j, "type", "object");
        begin(j, "properties");
        for (int k = 0; k < HOL_METHOD_TABLES; k++) keys(j, hol_method_table(*m, k), NULL, 0);
        finish(j);
        hol_json_flag(j, "additionalProperties", false);
        finish(j);
    }
}

// A map of the user's names.
static void pairs(hol_json *j, const hol_object *o, int dimension)
{
    if (o->keys) {
        begin(j, "propertyNames");
        hol_json_text(j, "pattern", o->keys);
        finish(j);
    }
    begin(j, "additionalProperties");
    value(j, o->rows, dimension);
    finish(j);
}

// Keys of an object, of its types, and its rules.
static void members(hol_json *j, const hol_object *object, int dimension)
{
    hol_type t;
    begin(j, "properties");
    for (const hol_option *o = object->rows; o->key; o++) {
        if (!hol_option_exists(o, dimension) || refused(object->rules, o->key)) continue;
        if (object->type && strcmp(o->key, "type") == 0)
            type_key(j, object, o, dimension);
        else
            key(j, o, dimension);
    }
    for (int i = 0; object->by_key && object->type(object, i, dimension, &t); i++)
        keys(j, t.rows, NULL, dimension);
    if (object == &hol_simulate_object) methods(j);
    finish(j);
    required(j, object->rows, dimension);
    all_of(j, object->rules, object->type && !object->by_key ? object : NULL, dimension);
    if (!object->type || object->by_key) hol_json_flag(j, "additionalProperties", false);
}

static void define(hol_json *j, const hol_object *o, int dimension)
{
    begin(j, o->name);
    hol_json_text(j, "type", "object");
    if (o->pairs)
        pairs(j, o, dimension);
    else
        members(j, o, dimension);
    finish(j);
}

// All objects but the file itself that depend on the dimension, or, for 0, that do not.
static void define_all(hol_json *j, int dimension)
{
    for (const hol_object *const *o = hol_objects + 1; *o; o++)
        if (varies(*o) == (dimension > 0)) define(j, *o, dimension);
}

// ---- the whole ------------------------------------------------------------------------------------------------

static bool row_varies(const hol_option *o)
{
    const hol_option one[] = {*o, HOL_END_OPTIONS};
    return rows_vary(one);
}

// The rules that belong to the dimension of the model, 2 or 3. A part of a model, to be included, or one that includes need not
// say; what is missing there may come from the other file.
static const char dimension_rules[] =
    "[{'if': {'properties': {'dimension': {'const': 2}}, 'required': ['dimension']}, 'then': {'$ref': "
    "'#/$defs/2D/model'}},\n"
    " {'if': {'properties': {'dimension': {'const': 3}}, 'required': ['dimension']}, 'then': {'$ref': "
    "'#/$defs/3D/model'}},\n"
    " {'if': {'not': {'required': ['dimension']}},\n"
    "  'then': {'anyOf': [{'$ref': '#/$defs/2D/model'}, {'$ref': '#/$defs/3D/model'}]}}]";

// The keys of the file that do not depend on the dimension; with a dimension: those that do.
static void file_keys(hol_json *j, int dimension)
{
    begin(j, "properties");
    for (const hol_option *o = hol_objects[0]->rows; o->key; o++)
        if (row_varies(o) == (dimension > 0))
            key(j, o, dimension);
        else if (dimension == 0)
            hol_json_flag(j, o->key, true);
    finish(j);
}

// All that depends on the dimension: #/$defs/2D or 3D.
static void define_dimension(hol_json *j, int dimension)
{
    char name[8];
    snprintf(name, sizeof name, "%dD", dimension);
    begin(j, name);
    for (int i = 0; i < HOL_COUNT(dimensional); i++)
        hol_json_raw(j, dimensional[i].name, dimensional[i].json, dimension);
    define_all(j, dimension);
    begin(j, "model");
    file_keys(j, dimension);
    finish(j);
    finish(j);
}

void hol_describe_schema(hol_print_fn print, void *user)
{
    if (!print) return;
    hol_json json = {.print = print, .user = user}, *j = &json;
    begin(j, NULL);
    hol_json_text(j, "$schema", "https://json-schema.org/draft/2020-12/schema");
    hol_json_text(j, "title", "holonom model file, version " HOL_VERSION);
    hol_json_text(j, "type", "object");
    file_keys(j, 0);
    hol_json_flag(j, "additionalProperties", false);
    hol_json_raw(j, "allOf", dimension_rules, 0);
    begin_list(j, "anyOf"); // what is missing may come from the file that is included
    begin(j, NULL);
    hol_json_words(j, "required", "include");
    finish(j);
    begin(j, NULL);
    required(j, hol_objects[0]->rows, 0);
    finish(j);
    finish_list(j);
    begin(j, "$defs");
    for (int i = 0; i < HOL_COUNT(common); i++) hol_json_raw(j, common[i].name, common[i].json, 0);
    define_all(j, 0);
    define(j, &hol_simulate_object, 0);
    define_dimension(j, 2);
    define_dimension(j, 3);
    finish(j);
    finish(j);
}
