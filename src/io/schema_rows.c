// JSON Schema: small pieces, and what an option row becomes.
#include "io/schema.h"

#include <stdio.h>
#include <string.h>

// ---- small pieces ---------------------------------------------------------------------------------------------

void hol_schema_refer(hol_json *j, const char *key, const char *format, ...)
{
    char to[100], path[120];
    va_list ap;
    va_start(ap, format);
    hol_decimal_vprint(to, sizeof to, format, ap);
    va_end(ap);
    snprintf(path, sizeof path, "#/$defs/%s", to);
    begin(j, key);
    hol_json_text(j, "$ref", path);
    finish(j);
}

void hol_schema_list_of(hol_json *j, const char *item, int least, int most)
{
    hol_json_text(j, "type", "array");
    hol_schema_refer(j, "items", "%s", item);
    hol_json_number(j, "minItems", least);
    if (most) hol_json_number(j, "maxItems", most);
}

void hol_schema_define_list(hol_json *j, const char *name, const char *item, int n)
{
    begin(j, name);
    hol_schema_list_of(j, item, n, n);
    finish(j);
}

void hol_schema_texts(hol_json *j, const char *name, const char *item)
{
    begin(j, name);
    begin_list(j, "anyOf");
    hol_schema_refer(j, NULL, "%s", item);
    begin(j, NULL);
    hol_schema_list_of(j, item, 1, 0);
    finish(j);
    finish_list(j);
    finish(j);
}

void hol_schema_array_of(hol_json *j, const char *key, const char *item)
{
    begin(j, key);
    hol_schema_describe(j, hol_schema_row(hol_model_keys, key));
    hol_json_text(j, "type", "array");
    hol_schema_refer(j, "items", "%s", item);
    finish(j);
}

void hol_schema_any_of_keys(hol_json *j, const char *kind, const char *const *form, int n)
{
    begin_list(j, kind);
    for (int i = 0; i < n; i++) {
        begin(j, NULL);
        hol_json_words(j, "required", form[i]);
        finish(j);
    }
    finish_list(j);
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
    hol_schema_refer(j, NULL, "expression");
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

void hol_schema_describe(hol_json *j, const hol_option *o)
{
    char text[400];
    snprintf(text, sizeof text, "%s%s%s%s", o->doc, *o->unit ? " [" : "", o->unit, *o->unit ? "]" : "");
    hol_json_text(j, "description", text);
    const bool number = o->kind == HOL_NUMBER || o->kind == HOL_INTEGER || o->kind == HOL_FUNCTION;
    if (number && !(o->flags & HOL_REQUIRED) && o->def == o->def && !strstr(o->doc, "default"))
        hol_json_number(j, "default", o->def);
}

void hol_schema_option(hol_json *j, const hol_option *o, int dimension)
{
    begin(j, o->key);
    hol_schema_describe(j, o);
    switch (o->kind) {
    case HOL_NUMBER: number_or_text(j, o, "number"); break;
    case HOL_INTEGER: number_or_text(j, o, "integer"); break;
    case HOL_FLAG: hol_json_text(j, "$ref", "#/$defs/flag"); break;
    case HOL_TEXT:
        hol_json_text(j, "$ref", strcmp(o->key, "name") == 0 ? "#/$defs/name" : "#/$defs/text");
        break;
    case HOL_CHOICE: hol_json_words(j, "enum", o->choices); break;
    case HOL_VECTOR: hol_schema_list_of(j, "number", dimension, dimension); break;
    case HOL_MATRIX: diagonal_or_rows(j, o); break;
    case HOL_NUMBERS:
    case HOL_FUNCTIONS: one_or_list(j, o); break;
    case HOL_FUNCTION: hol_json_text(j, "$ref", "#/$defs/number"); break; // with leaves too
    case HOL_SPLINE: hol_json_text(j, "$ref", "#/$defs/text"); break;
    case HOL_ENTRY: break;
    }
    finish(j);
}

bool hol_schema_exists(const hol_option *o, int dimension)
{
    return !(o->flags & HOL_ONLY_2D && dimension != 2) && !(o->flags & HOL_ONLY_3D && dimension != 3);
}

void hol_schema_options(hol_json *j, const hol_option *table, int dimension)
{
    for (const hol_option *o = table; o && o->key; o++)
        if (o->kind != HOL_ENTRY && hol_schema_exists(o, dimension)) hol_schema_option(j, o, dimension);
}

const hol_option *hol_schema_row(const hol_option *table, const char *key)
{
    while (table->key && strcmp(table->key, key) != 0) table++;
    return table->key ? table : NULL;
}

void hol_schema_entry(hol_json *j, const hol_option *table, const char *key, int dimension, const char *to)
{
    const hol_option *o = hol_schema_row(table, key);
    char path[100];
    if (!o || !hol_schema_exists(o, dimension)) return;
    snprintf(path, sizeof path, "#/$defs/%s", to);
    begin(j, key);
    hol_schema_describe(j, o);
    hol_json_text(j, "$ref", path);
    finish(j);
}

void hol_schema_required(hol_json *j, const hol_option *table)
{
    char words[300] = "";
    size_t n = 0;
    for (const hol_option *o = table; o && o->key; o++)
        if (o->flags & HOL_REQUIRED)
            n += (size_t)snprintf(words + n, sizeof words - n, "%s%s", n ? "|" : "", o->key);
    if (n) hol_json_words(j, "required", words);
}
