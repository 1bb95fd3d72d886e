// JSON Schema: `shape:` of bodies and of ground.
#include "io/schema.h"

#include <stdio.h>
#include <string.h>

// The points of a polyline.
static void points(hol_json *j, const hol_option *table, int dimension)
{
    const hol_option *o = hol_schema_row(table, "points");
    char item[40];
    if (!o) return;
    snprintf(item, sizeof item, "%dD/vector", dimension);
    begin(j, o->key);
    hol_schema_describe(j, o);
    hol_schema_list_of(j, item, 2, 0);
    finish(j);
}

// The keys of a shape of this type.
static void type_branch(hol_json *j, const hol_shape_type *t, int dimension)
{
    begin(j, NULL);
    begin(j, "if");
    begin(j, "properties");
    begin(j, "type");
    hol_json_text(j, "const", t->name);
    finish(j);
    finish(j);
    finish(j);
    begin(j, "then");
    hol_json_text(j, "description", t->doc);
    begin(j, "properties");
    for (const hol_option *o = hol_shape_keys; o->key; o++)
        if (hol_schema_exists(o, dimension)) hol_json_flag(j, o->key, true);
    hol_schema_options(j, t->options, dimension);
    points(j, t->options, dimension);
    finish(j);
    hol_schema_required(j, t->options);
    no_others(j);
    finish(j);
    finish(j);
}

// A shape: what all have, then what its type has.
static void define_solid(hol_json *j, int dimension)
{
    begin(j, "solid");
    hol_json_text(j, "type", "object");
    begin(j, "properties");
    hol_schema_options(j, hol_shape_keys, dimension);
    hol_schema_entry(j, hol_shape_keys, "orientation", dimension, "orientation");
    finish(j);
    hol_schema_required(j, hol_shape_keys);
    begin_list(j, "allOf");
    for (const hol_shape_type *t = hol_shape_types; t->name; t++) type_branch(j, t, dimension);
    finish_list(j);
    finish(j);
}

void hol_schema_define_shape(hol_json *j, int dimension)
{
    char solid[40];
    snprintf(solid, sizeof solid, "%dD/solid", dimension);
    define_solid(j, dimension);
    begin(j, "shape");
    begin_list(j, "anyOf");
    begin(j, NULL);
    hol_json_text(j, "const", "none");
    finish(j);
    hol_schema_refer(j, NULL, "%s", solid);
    begin(j, NULL);
    hol_schema_list_of(j, solid, 1, 0);
    finish(j);
    finish_list(j);
    finish(j);
}
