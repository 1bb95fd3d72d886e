// JSON Schema: users' equations, tables, events.
#include "io/schema.h"

#include <string.h>

static void event_rules(hol_json *j)
{
    static const char *const times[] = {"when", "every", "at"}, *const actions[] = {"stop", "print", "set",
                                                                                    "on", "off"};
    hol_schema_any_of_keys(j, "oneOf", times, HOL_COUNT(times));
    hol_schema_any_of_keys(j, "anyOf", actions, HOL_COUNT(actions));
    begin(j, "dependentRequired");
    hol_json_words(j, "direction", "when");
    finish(j);
}

static void spline_rules(hol_json *j)
{
    static const char *const forms[] = {"x|y", "file"};
    hol_schema_any_of_keys(j, "oneOf", forms, HOL_COUNT(forms));
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
    {"splines", "spline", hol_spline_keys, "name", {{"units", "column_units"}}, spline_rules},
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

// A variable, state, transfer function or table by its option rows.
static void define_user_item(hol_json *j, const user_list *u)
{
    begin(j, u->item);
    hol_json_text(j, "type", "object");
    begin(j, "properties");
    for (const hol_option *o = u->keys; o->key; o++)
        if (o->kind != HOL_ENTRY && strcmp(o->key, "name") != 0) hol_schema_option(j, o, 0);
    hol_schema_entry(j, u->keys, "name", 0, u->name);
    hol_schema_entry(j, u->keys, "for", 0, "loops");
    for (int i = 0; i < HOL_COUNT(u->entry) && u->entry[i].key; i++)
        hol_schema_entry(j, u->keys, u->entry[i].key, 0, u->entry[i].to);
    finish(j);
    hol_schema_required(j, u->keys);
    if (u->rules) u->rules(j);
    no_others(j);
    finish(j);
}

void hol_schema_define_users(hol_json *j)
{
    for (int i = 0; i < HOL_COUNT(users); i++) define_user_item(j, &users[i]);
}

void hol_schema_users(hol_json *j)
{
    for (int i = 0; i < HOL_COUNT(users); i++) hol_schema_array_of(j, users[i].key, users[i].item);
}
