// Private to the JSON Schema: its small pieces, the rows of option tables, and the parts that have a file each.
#ifndef HOL_SCHEMA_H
#define HOL_SCHEMA_H

#include "analysis/settings.h"
#include "io/json.h"

static inline void begin(hol_json *j, const char *key) { hol_json_open(j, key, '{'); }
static inline void finish(hol_json *j) { hol_json_close(j, '}'); }
static inline void begin_list(hol_json *j, const char *key) { hol_json_open(j, key, '['); }
static inline void finish_list(hol_json *j) { hol_json_close(j, ']'); }
static inline void no_others(hol_json *j) { hol_json_flag(j, "additionalProperties", false); }

// key: {$ref: #/$defs/...}
void hol_schema_refer(hol_json *j, const char *key, const char *format, ...) HOL_PRINTF(3, 4);
// Members of a schema for a list of at least `least` and, unless 0, at most `most` items.
void hol_schema_list_of(hol_json *j, const char *item, int least, int most);
// Definitions: a list of n items; one item or a list of them.
void hol_schema_define_list(hol_json *j, const char *name, const char *item, int n);
void hol_schema_texts(hol_json *j, const char *name, const char *item);
// A list of the file.
void hol_schema_array_of(hol_json *j, const char *key, const char *item);
// kind: oneOf or anyOf; each form names the keys it requires, separated by '|'.
void hol_schema_any_of_keys(hol_json *j, const char *kind, const char *const *form, int n);

const hol_option *hol_schema_row(const hol_option *table, const char *key);
bool hol_schema_exists(const hol_option *o, int dimension);
void hol_schema_describe(hol_json *j, const hol_option *o);
void hol_schema_option(hol_json *j, const hol_option *o, int dimension);
// Every row of a table but those with structure, which the caller writes.
void hol_schema_options(hol_json *j, const hol_option *table, int dimension);
// A key with structure: its description and a reference; nothing if this dimension does not have it.
void hol_schema_entry(hol_json *j, const hol_option *table, const char *key, int dimension, const char *to);
void hol_schema_required(hol_json *j, const hol_option *table);

// Users' equations, tables, events: the definitions of their items, and the keys of the file.
void hol_schema_define_users(hol_json *j);
void hol_schema_users(hol_json *j);
// #/$defs/2D/shape or 3D/shape.
void hol_schema_define_shape(hol_json *j, int dimension);
// All that depends on the dimension: #/$defs/2D or 3D.
void hol_schema_define_dimension(hol_json *j, int dimension);

#endif
