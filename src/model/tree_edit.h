// Private to the two files that edit trees of model files before they are read.
#ifndef HOL_TREE_EDIT_H
#define HOL_TREE_EDIT_H

#include "model/spec.h"

hol_node *hol_tree_new(hol_arena *arena, hol_node_kind kind, const char *text, hol_src at); // NULL: no memory
// A value more of a map or list, the arrays copied.
hol_status hol_tree_append(hol_arena *arena, hol_node *to, hol_node *key, hol_node *value);
// What another override has set stays: then the result is true.
bool hol_tree_remove(hol_node *map, const char *key);
// Fixed steps and error control exclude each other: the one that is set takes the place of the file's keys. Both cannot be
// set: the key that is in the way is returned.
const char *hol_tree_drop_alternatives(hol_node *simulate, const char *key, size_t length);
// What stands in this file, or in this value of the command line, is of that system of units.
hol_status hol_tree_settle(hol_arena *arena, hol_systems *s, const char *file, int system);

#endif
