// JSON Schema (draft 2020-12) of model files, from the option rows.
//
// What depends on the dimension (vectors, keys, types) is written twice, as #/$defs/2D and #/$defs/3D; `dimension`
// chooses. An item's own keys depend on its type: one if/then per type.
#include "io/schema.h"

#include <stdio.h>
#include <string.h>

// ---- what is the same in both dimensions ----------------------------------------------------------------------

// One unit of the list, or a product of units.
static void define_unit(hol_json *j, const hol_option *key, const int dimension[4])
{
    int n, d[4];
    const hol_expr_doc *unit = hol_expr_unit_names(&n);
    char words[300] = "";
    size_t used = 0;
    for (int i = 0; i < n; i++) {
        hol_unit_find(unit[i].name, strlen(unit[i].name), d);
        if (memcmp(d, dimension, sizeof d) == 0)
            used +=
                (size_t)snprintf(words + used, sizeof words - used, "%s%s", used ? "|" : "", unit[i].name);
    }
    begin(j, key->key);
    hol_schema_describe(j, key);
    begin_list(j, "anyOf");
    begin(j, NULL);
    hol_json_words(j, "enum", words);
    finish(j);
    begin(j, NULL);
    hol_json_text(j, "type", "string");
    hol_json_text(j, "pattern", "[ */^(]");
    finish(j);
    finish_list(j);
    finish(j);
}

// `units:`, each a unit of its dimension.
static void define_units(hol_json *j)
{
    static const int dimension[][4] = {
        {1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}, {1, 1, -2, 0}}; // in the order of the keys
    begin(j, "units");
    hol_json_text(j, "type", "object");
    begin(j, "properties");
    for (int k = 0; k < HOL_COUNT(dimension); k++) define_unit(j, &hol_units_keys[k], dimension[k]);
    begin(j, "system");
    hol_schema_describe(j, hol_schema_row(hol_units_keys, "system"));
    hol_json_text(j, "type", "string");
    hol_json_text(j, "pattern", "^[^-]+(-[^-]+){2,4}$");
    finish(j);
    finish(j);
    no_others(j);
    finish(j);
    begin(j, "column_units"); // of a table
    hol_json_text(j, "type", "object");
    begin(j, "properties");
    hol_schema_refer(j, "x", "expression");
    hol_schema_refer(j, "y", "expression");
    finish(j);
    no_others(j);
    finish(j);
}

// `simulate:`, with the methods and their options.
static void define_simulate(hol_json *j)
{
    char names[300] = "auto";
    size_t n = strlen(names);
    for (const hol_method *const *m = hol_methods; *m; m++)
        n += (size_t)snprintf(names + n, sizeof names - n, "|%s", (*m)->name);
    begin(j, "simulate");
    hol_json_text(j, "type", "object");
    begin(j, "properties");
    for (const hol_option *o = hol_simulate_keys; o->key; o++)
        if (o->kind != HOL_ENTRY && strcmp(o->key, "method") != 0) hol_schema_option(j, o, 0);
    begin(j, "method");
    hol_schema_describe(j, hol_schema_row(hol_simulate_keys, "method"));
    hol_json_words(j, "enum", names);
    finish(j);
    hol_schema_entry(j, hol_simulate_keys, "signals", 0, "texts");
    for (const hol_method *const *m = hol_methods; *m; m++) {
        begin(j, (*m)->name);
        hol_json_text(j, "description", (*m)->doc);
        hol_json_text(j, "type", "object");
        begin(j, "properties");
        for (int k = 0; k < HOL_METHOD_TABLES; k++) hol_schema_options(j, hol_method_table(*m, k), 0);
        finish(j);
        no_others(j);
        finish(j);
    }
    finish(j);
    no_others(j);
    finish(j);
}

// One of the forms of an orientation, by its keys.
static void orientation_form(hol_json *j, const char *first, const char *second, const char *needed)
{
    begin(j, NULL);
    begin(j, "properties");
    hol_schema_refer(j, first, "%s", strcmp(first, "quat_wxyz") == 0 ? "numbers4" : "numbers3");
    if (second) hol_schema_refer(j, second, "%s", strcmp(second, "angle") == 0 ? "number" : "numbers3");
    finish(j);
    hol_json_words(j, "required", needed);
    no_others(j);
    finish(j);
}

// The forms that an orientation may have.
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
    hol_schema_refer(j, "^euler_(x(y[xz]|z[xy])|y(x[yz]|z[xy])|z(x[yz]|y[xz]))$", "numbers3");
    finish(j);
    no_others(j);
    finish(j);
    finish_list(j);
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
    hol_schema_options(j, hol_constraint_keys, 0);
    hol_schema_entry(j, hol_constraint_keys, "for", 0, "loops");
    for (const hol_element_type *const *t = hol_element_types; *t; t++)
        if ((*t)->role == HOL_ROLE_CONSTRAINT && n < HOL_COUNT(forms)) {
            hol_schema_options(j, (*t)->options, 0);
            forms[n++] = (*t)->name;
        }
    finish(j);
    hol_schema_required(j, hol_constraint_keys);
    hol_schema_any_of_keys(j, "oneOf", forms, n);
    no_others(j);
    finish(j);
}

// Definitions that the others refer to: expressions, numbers, texts, vectors, units.
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
    hol_schema_refer(j, "propertyNames", "identifier");
    hol_schema_refer(j, "additionalProperties", "number");
    finish(j);
    hol_schema_texts(j, "texts", "text");
    hol_schema_texts(j, "identifiers", "identifier");
    hol_schema_texts(j, "numbers", "number");
    begin(j, "matrix");
    hol_schema_list_of(j, "row", 0, 0);
    finish(j);
    begin(j, "row");
    hol_schema_list_of(j, "number", 0, 0);
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
    hol_schema_list_of(j, "text", 2, HOL_MAX_JOINTS);
    finish(j);
    hol_schema_define_list(j, "numbers3", "number", 3);
    hol_schema_define_list(j, "numbers4", "number", 4);
    begin(j, "loop");
    hol_json_text(j, "type", "string");
    hol_json_text(j, "pattern", "^ *[A-Za-z_0-9]+ in .+\\.\\..+$");
    finish(j);
    hol_schema_texts(j, "loops", "loop");
    begin(j, "parameters");
    hol_json_text(j, "type", "object");
    begin(j, "propertyNames");
    hol_json_text(j, "pattern", "^[A-Za-z_][A-Za-z_0-9]*$");
    finish(j);
    hol_schema_refer(j, "additionalProperties", "number");
    finish(j);
    define_units(j);
    define_simulate(j);
    define_orientation(j);
    define_constraint(j);
    hol_schema_define_users(j);
}

// ---- the whole ------------------------------------------------------------------------------------------------

// The rules that belong to the dimension of the model: 2 or 3.
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
        hol_schema_refer(j, "then", "%dD/model", dimension);
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
    for (int dimension = 2; dimension <= 3; dimension++) hol_schema_refer(j, NULL, "%dD/model", dimension);
    finish_list(j);
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
    begin(j, "properties");
    for (const hol_option *o = hol_model_keys; o->key; o++)
        if (o->kind != HOL_ENTRY && strcmp(o->key, "dimension") != 0) hol_schema_option(j, o, 0);
    begin(j, "dimension");
    hol_schema_describe(j, hol_schema_row(hol_model_keys, "dimension"));
    begin_list(j, "enum");
    hol_json_number(j, NULL, 2);
    hol_json_number(j, NULL, 3);
    finish_list(j);
    finish(j);
    hol_schema_entry(j, hol_model_keys, "units", 0, "units");
    hol_schema_entry(j, hol_model_keys, "parameters", 0, "parameters");
    hol_schema_entry(j, hol_model_keys, "include", 0, "texts");
    hol_schema_entry(j, hol_model_keys, "simulate", 0, "simulate");
    hol_schema_array_of(j, "constraints", "constraint");
    hol_schema_users(j);
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
    hol_schema_required(j, hol_model_keys);
    finish(j);
    finish_list(j);
    finish(j);
    finish_list(j);
    begin(j, "$defs");
    define_common(j);
    hol_schema_define_dimension(j, 2);
    hol_schema_define_dimension(j, 3);
    finish(j);
    finish(j);
}
