// JSON Schema: what depends on the dimension, from markers to the lists of bodies, joints, drivers and forces.
#include "io/schema.h"

#include <stdio.h>
#include <string.h>

// ---- markers and ends -----------------------------------------------------------------------------------------

// A marker of a body, or of ground: a point, or a map with orientation and motion.
static void define_marker(hol_json *j, const char *name, bool ground, int dimension)
{
    char to[40];
    snprintf(to, sizeof to, "%dD/motion", dimension);
    begin(j, name);
    begin_list(j, "anyOf");
    hol_schema_refer(j, NULL, "%dD/vector", dimension);
    begin(j, NULL);
    hol_json_text(j, "type", "object");
    begin(j, "properties");
    hol_schema_options(j, hol_marker_keys, dimension);
    hol_schema_entry(j, hol_marker_keys, "orientation", dimension, "orientation");
    if (ground) hol_schema_entry(j, hol_marker_keys, "motion", dimension, to);
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
    hol_schema_refer(j, "additionalProperties", "%dD/%s", dimension, marker);
    finish(j);
}

// Members of a schema for a map of `n` ends: {ground: [0, 0], a: [1, 0]}.
static void map_of_ends(hol_json *j, int n, int dimension)
{
    hol_json_text(j, "type", "object");
    hol_json_number(j, "minProperties", n);
    hol_json_number(j, "maxProperties", n);
    begin(j, "properties");
    hol_schema_refer(j, "ground", "%dD/ground_marker", dimension);
    finish(j);
    hol_schema_refer(j, "additionalProperties", "%dD/marker", dimension);
}

// Ends of an element as users write them: a marker, a point, a pair.
static void define_ends(hol_json *j, int dimension)
{
    char to[40];
    snprintf(to, sizeof to, "%dD/end", dimension);
    begin(j, "end");
    begin_list(j, "anyOf");
    hol_schema_refer(j, NULL, "text");
    begin(j, NULL);
    map_of_ends(j, 1, dimension);
    finish(j);
    finish_list(j);
    finish(j);
    begin(j, "ends");
    begin_list(j, "anyOf");
    begin(j, NULL);
    hol_schema_list_of(j, to, 2, 2);
    finish(j);
    begin(j, NULL);
    map_of_ends(j, 2, dimension);
    finish(j);
    finish_list(j);
    finish(j);
    hol_schema_define_list(j, "pair", "text", 2);
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
    hol_schema_entry(j, keys, "between", dimension, ends);
    hol_schema_entry(j, keys, "bodies", dimension, pair);
    hol_schema_entry(j, keys, "on", dimension, end);
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

// The keys of one type, if `type` names it.
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
        if (hol_schema_exists(o, dimension) && admits(t, o->key) && strcmp(o->key, "joints") != 0)
            hol_json_flag(j, o->key, true);
    if (admits(t, "joints") && t->role == HOL_ROLE_JOINT) {
        begin(j, "joints");
        hol_schema_list_of(j, "text", t->joints > 0 ? t->joints : 2,
                           t->joints > 0 ? t->joints : HOL_MAX_JOINTS);
        finish(j);
    }
    hol_schema_options(j, t->options, dimension);
    finish(j);
    if (t->role == HOL_ROLE_BODY)
        hol_schema_required(j, t->options);
    else {
        begin_list(j, "allOf");
        begin(j, NULL);
        hol_schema_required(j, t->options);
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

// An item of a list: its common keys, and those of its type.
static void define_item(hol_json *j, const char *name, hol_role role, const hol_option *keys, int dimension)
{
    char names[2000], markers[40], shape[40];
    size_t n = 0;
    for (const hol_element_type *const *t = hol_element_types; *t; t++)
        if (in_dimension(*t, role, dimension)) n = add_names(*t, names, n, sizeof names);
    snprintf(markers, sizeof markers, "%dD/markers", dimension);
    snprintf(shape, sizeof shape, "%dD/shape", dimension);
    begin(j, name);
    hol_json_text(j, "type", "object");
    begin(j, "properties");
    for (const hol_option *o = keys; o->key; o++)
        if (o->kind != HOL_ENTRY && hol_schema_exists(o, dimension) && strcmp(o->key, "type") != 0)
            hol_schema_option(j, o, dimension);
    begin(j, "type");
    hol_schema_describe(j, hol_schema_row(keys, "type"));
    hol_json_words(j, "enum", names);
    finish(j);
    hol_schema_entry(j, keys, "for", dimension, "loops");
    hol_schema_entry(j, keys, "orientation", dimension, "orientation");
    hol_schema_entry(j, keys, "markers", dimension, markers);
    hol_schema_entry(j, keys, "shape", dimension, shape);
    hol_schema_entry(j, keys, "joints", dimension, "coupled");
    keys_of_ends(j, keys, dimension);
    finish(j);
    hol_schema_required(j, keys);
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

// `ground:`, its markers and shapes.
static void define_ground(hol_json *j, int dimension)
{
    begin(j, "ground");
    hol_json_text(j, "type", "object");
    begin(j, "properties");
    char to[40];
    snprintf(to, sizeof to, "%dD/ground_markers", dimension);
    hol_schema_entry(j, hol_ground_keys, "markers", dimension, to);
    snprintf(to, sizeof to, "%dD/shape", dimension);
    hol_schema_entry(j, hol_ground_keys, "shape", dimension, to);
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
    hol_schema_entry(j, hol_model_keys, "gravity", dimension, to);
    snprintf(to, sizeof to, "%dD/ground", dimension);
    hol_schema_entry(j, hol_model_keys, "ground", dimension, to);
    for (int i = 0; i < HOL_COUNT(lists); i++) {
        snprintf(to, sizeof to, "%dD/%s", dimension, lists[i].item);
        hol_schema_array_of(j, lists[i].key, to);
    }
    finish(j);
    finish(j);
}

void hol_schema_define_dimension(hol_json *j, int dimension)
{
    char name[8];
    snprintf(name, sizeof name, "%dD", dimension);
    begin(j, name);
    hol_schema_define_list(j, "vector", "number", dimension);
    begin(j, "motion");
    hol_json_text(j, "type", "object");
    begin(j, "properties");
    hol_schema_options(j, hol_motion_keys, dimension);
    finish(j);
    no_others(j);
    finish(j);
    define_marker(j, "marker", false, dimension);
    define_marker(j, "ground_marker", true, dimension);
    define_markers(j, "markers", "marker", dimension);
    define_markers(j, "ground_markers", "ground_marker", dimension);
    hol_schema_define_shape(j, dimension);
    define_ground(j, dimension);
    define_ends(j, dimension);
    for (int i = 0; i < HOL_COUNT(lists); i++)
        define_item(j, lists[i].item, lists[i].role, lists[i].keys, dimension);
    define_model(j, dimension);
    finish(j);
}
