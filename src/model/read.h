// Private to the readers of model files: expansion of `for:`, growing lists, shared helpers.
#ifndef HOL_READ_H
#define HOL_READ_H

#include "model/spec.h"

// Calls `each` once per item of the list `node` and per value of its `for:` indices.
typedef hol_status (*hol_item_fn)(hol_spec *spec, const hol_reader *r, const hol_node *item,
                                  const hol_path *path, void *user);
hol_status hol_read_list(hol_spec *spec, const hol_reader *r, const hol_node *node, const hol_path *path,
                         hol_item_fn each, void *user);
// `path` is one of the files that the model is made of.
hol_status hol_spec_note_file(hol_spec *spec, const char *path);
// Arena array with room for one more item.
void *hol_arena_push(hol_arena *arena, void *old, int *capacity, int n, size_t size);

hol_status hol_read_markers(const hol_reader *r, const hol_node *map, const hol_path *path, bool ground,
                            int *n, const hol_spec_marker **out);
hol_status hol_read_marker(const hol_reader *r, const hol_node *node, const hol_path *path, bool ground,
                           hol_spec_marker *m);
// `shape:` of a body, -1: ground, com: its centre of mass in the body frame. `up` is the path of the body.
hol_status hol_read_shape(hol_spec *spec, const hol_reader *r, const hol_node *node, const hol_path *up,
                          int body, const double com[3]);
hol_status hol_read_body(hol_spec *spec, const hol_reader *r, const hol_node *item, const hol_path *path,
                         void *capacity);
typedef struct hol_element_list {
    hol_role role;
    int capacity;
} hol_element_list;
hol_status hol_read_element(hol_spec *spec, const hol_reader *r, const hol_node *item, const hol_path *path,
                            void *list);
hol_status hol_read_name(const hol_reader *r, const hol_node *item, const hol_path *path, const char **out,
                         hol_src *at);

// Variables, states, transfer functions, splines and events. The first pass, before any expression is read, learns their
// names, the splines, and which parameters events change.
hol_status hol_read_known(hol_spec *spec, const hol_node *root);
hol_status hol_read_users(hol_spec *spec, const hol_node *root);

// `include:` and --set act on the tree, before anything is read.
hol_status hol_tree_include(hol_spec *spec, const char *file, hol_node *root, int depth);
hol_status hol_tree_override(hol_context *ctx, hol_arena *arena, hol_node *root, const char *text);

#endif
