// Private to the readers of model files: expansion of `for:`, growing lists, shared helpers.
#ifndef HOL_READ_H
#define HOL_READ_H

#include "model/grammar.h"
#include "model/spec.h"
#include "model/subsystem.h"

// Calls `each` once per item of the list `node` and per value of its `for:` indices.
hol_status hol_read_list(hol_spec *spec, const hol_node *node, const hol_path *path, hol_item_fn *each,
                         const hol_object *object);
// `path` is one of the files that the model is made of.
hol_status hol_spec_note_file(hol_spec *spec, const char *path);
// The name of a file as it is from the current folder: it lies beside the file that names it at this place. NULL: no memory.
const char *hol_file_beside(const hol_spec *spec, hol_src at, const char *name);
// An empty spec with its arenas; NULL: no memory.
hol_spec *hol_spec_start(hol_context *ctx, const char *name);

hol_status hol_read_markers(const hol_reader *r, const hol_node *map, const hol_path *path, bool ground,
                            int *n, const hol_spec_marker **out);
hol_status hol_read_marker(const hol_reader *r, const hol_node *node, const hol_path *path, bool ground,
                           hol_spec_marker *m);
// From the file's frame, or that of a body mirrored, to that of ground or of the body.
void hol_place_marker(hol_src at, bool ground, hol_spec_marker *m);
// `shape:` of a body, -1: ground, as drawings in the body frame whose density is NAN where none is given. `up` is the path of the body.
hol_status hol_read_shape(hol_spec *spec, const hol_reader *r, const hol_node *node, const hol_path *up,
                          int body);
// `assemble:`.
hol_status hol_read_assemble(hol_spec *spec, const hol_node *node);
// Which way the mass of a body follows from its shapes, which are those from `first` on: fills what is not given of mass, com and
// inertia (`value` by the type's rows), and makes the drawings lie about the centre of mass. density NAN: not given.
typedef struct hol_mass_given {
    const hol_node *item;
    const hol_path *path;
    const hol_option *rows; // of the type
    hol_value *value;       // by these
    double density;
    bool has_com;
    int first;
} hol_mass_given;
hol_status hol_read_mass(hol_spec *spec, const hol_reader *r, const hol_mass_given *given, double com[3]);
hol_status hol_read_name(const hol_reader *r, const hol_node *item, const hol_path *path, const char **out,
                         hol_src *at);

// Names that expressions may use, when the lists have been looked through: parameters that events set follow, and the natures.
hol_status hol_read_known(hol_spec *spec, const hol_node *root);
// All lists of the file that have such a function, in the order of the rows.
hol_status hol_read_lists(hol_spec *spec, const hol_node *root, bool know);

// `inverse:`.
hol_status hol_read_inverse(hol_spec *spec, const hol_node *node);

// `linearise:`, when the bodies are read: outputs may be named as signals.
hol_status hol_read_linearise(hol_spec *spec, const hol_node *map);

// Room for the values of n options while an item is read, all 0.
hol_value *hol_values_scratch(hol_spec *spec, int n);
// What has been read there: the values of the item before, if they are the same, as in most chains and nets, or a copy. before NULL: of another type.
const hol_value *hol_values_keep(hol_arena *arena, const hol_value *before, const hol_value *read, int n);
hol_value *hol_values_copy(hol_arena *arena, const hol_value *read, int n);

// The type that an item names, and what it is: its keys, those of all items, and the rules of both.
// Notes joints that have a name for another kind of coordinate than others, before any expression is read; without a message.
hol_status hol_know_joints(hol_spec *spec, const hol_node *root);
hol_status hol_read_type(const hol_reader *r, const hol_object *object, const hol_node *item,
                         const hol_path *path, const hol_element_type **type);
hol_status hol_read_typed(const hol_reader *r, const hol_object *object, const hol_type *type,
                          const hol_node *item, const hol_path *path, hol_value *common, hol_value *own);
// Grammar of an element type; the i-th of the object's role.
void hol_type_fill(const hol_element_type *t, int dimension, hol_type *out);
bool hol_type_at(const hol_object *o, int i, int dimension, hol_type *out);

// `include:` and --set act on the tree, before anything is read.
hol_status hol_tree_include(hol_spec *spec, const char *file, hol_node *root);
// once: what an override before has set is not set again.
hol_status hol_tree_override(hol_context *ctx, hol_arena *arena, hol_systems *systems,
                             const hol_subsystems *subsystems, hol_node *root, const char *text, bool once);

// `units:` of a file.
hol_status hol_read_units(const hol_reader *r, const hol_node *map, hol_system *out);
// Of each unit of angles, which others there are.
void hol_units_compare(hol_systems *s);
// Warns of plain numbers that are taken for m/s^2 by those who write them.
void hol_units_doubt_gravity(hol_spec *spec, const hol_node *node);
// Says what a reader of the files should know about their units.
void hol_units_tell(const hol_spec *spec, const hol_node *root);

// `static:`
hol_status hol_read_static(hol_spec *spec, const hol_node *node);
// `pose:`
hol_status hol_read_pose(hol_spec *spec, const hol_node *node);
// `turns:`, of each file.
hol_status hol_read_turns(hol_spec *spec, const hol_node *node);

#endif
