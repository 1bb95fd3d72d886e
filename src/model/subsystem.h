// Subsystems: files that came by `include: {file: .., as: ..}`. Each has names, parameters, a place and perhaps a mirror of its own. The
// lists of all files are read as one; a place (hol_src) says of which subsystem what stands there is (docs/theory.md, section 18).
#ifndef HOL_SUBSYSTEM_H
#define HOL_SUBSYSTEM_H

#include "element/mirror.h"
#include "model/reader.h"

struct hol_spec;
struct hol_spec_marker;

struct hol_subsystems;

typedef struct hol_subsystem {
    hol_include include; // stands first; its name is that of outer ones before it
    const struct hol_subsystems *all;
    const char *prefix;          // the same with a point behind it
    const hol_node *item, *root; // the include, and the file
    const hol_scope *scope;      // parameters of the file, then those of the files around it
    int n_loops;
    hol_scope *
        loop; // indices of its include, outer ones first: the file around it knows them in `at` and `set`  (n_loops)
    hol_mirror mirror; // of its local coordinates, those of outer ones included
    bool keep_axes;    // others see angles of its joints with the other sign
    bool moved;        // position or quat are not those of ground
    double position[3], quat[4],
        angle; // of the file's frame, mirrored, in the global one; angle: in the plane
} hol_subsystem;

typedef struct hol_subsystems {
    int n;
    hol_subsystem **list; // outer ones first                                        (n)
    hol_names *number;    // by their names
    hol_names *item;      // names of all items of all files, whatever they are
} hol_subsystems;

// Of what stands at this place; NULL: it is of the model file.
static inline const hol_subsystem *hol_subsystem_at(hol_src at) { return (const hol_subsystem *)at.by; }
static inline const hol_subsystem *hol_subsystem_outer(const hol_subsystem *s)
{
    return hol_subsystem_at(s->include.at);
}

// Is a place in a subsystem, or in one within it?
bool hol_is_within(hol_src at, const hol_subsystem *s);

// ---- names ----

// The name that an item of this place has in the model. NULL: no memory.
const char *hol_full_name(hol_arena *arena, hol_src at, const char *name);
// The other way: what the file itself calls it.
const char *hol_own_name(hol_src at, const char *full);
// What a name at this place stands for among full names: of its own file, else of the files around it; "../" begins one file further
// out. Of a name with points the innermost file decides that knows its first word, as an item or an include. -1: there is none.
int hol_names_find_at(const hol_names *names, hol_src at, const char *name);
// Refuses the name of an item that a subsystem of its file has.
hol_status hol_check_subsystem_name(const hol_reader *r, const hol_node *node, const hol_path *path,
                                    const char *name);
// A full name as a file at this place may write it, for "did you mean".
const char *hol_seen_name(hol_src at, const char *full);
// Takes each "../" of a name away and goes one file outwards.
hol_src hol_outside(hol_src at, const char **name);
// The same among names of expressions: the full name; NULL: there is none.
const char *hol_known_name(const hol_known *known, hol_src at, const char *name);
// How much of "front.left.hub.tip" or "hub.tip" is the name of a body; all of it: no marker is named.
size_t hol_body_length(const hol_subsystems *all, hol_src at, const char *text);

// The reader of what stands in an include: that of the file around it, with the indices of its loops.
hol_reader hol_reader_of_include(const hol_reader *r, const hol_subsystem *s, hol_src at);

// ---- places ----

// How a file's numbers stand in the model: signs of local coordinates (as others see them: those of angles with `keep_axes` too).
hol_mirror hol_mirror_at(hol_src at);
hol_mirror hol_mirror_seen(hol_src at, hol_src from);
// From the file's frame to the global one: a point; a velocity or direction; an angular velocity or axis; an orientation.
void hol_place_point(hol_src at, double x[3]);
void hol_place_vector(hol_src at, double v[3]);
void hol_place_axial(hol_src at, double w[3]);
void hol_place_quat(hol_src at, double quat[4]);
double hol_place_angle(hol_src at, double angle); // in the plane
// The images of the file's axes, as columns, for vectors or (axial) for torques; NULL: they are those of ground.
const double *hol_place_axes(hol_src at, bool axial, double axes[9]);

// ---- reading ----

// Parameters of a file, the model's own with `of` NULL, with what the include sets; map, settings: NULL: none.
hol_status hol_read_parameters(struct hol_spec *spec, hol_subsystem *of, const hol_node *map,
                               const hol_node *settings);
// Refuses parameters that are made of parameters that are set while the model runs.
hol_status hol_refuse_parameters_of_held(const struct hol_spec *spec);
// The i-th parameter, those of the model file before those of included ones; false: there are fewer.
typedef struct hol_parameter {
    const char *prefix, *name; // which make the full name; the model file's have the prefix ""
    const char *formula;       // how it is written where it is an expression of others; NULL: a number
    hol_src at;                // where that stands: in the file, or in the include that sets it
    hol_constant value;
} hol_parameter;
bool hol_parameter_of(const struct hol_spec *spec, int i, hol_parameter *out);
// The full name and the value of a parameter that a file at this place means by `name`; NULL: there is none.
const char *hol_parameter_at(const struct hol_spec *spec, hol_src at, const char *name, hol_constant *value);
// Is a name that of a loop index or a parameter of the file itself? An item of the file may not have it too.
bool hol_is_parameter_of_file(const hol_reader *r, hol_src at, const char *name);
// Notes the names of all items, before any is looked up.
hol_status hol_note_items(struct hol_spec *spec, const hol_node *root);
// Places, settings and parameters of all subsystems.
hol_status hol_read_subsystems(struct hol_spec *spec);
// What can be said of them when the model's own values are read: their gravity.
hol_status hol_check_subsystems(struct hol_spec *spec);
// The reader for what stands at this place.
hol_reader hol_reader_at(const hol_reader *r, hol_src at);

#endif
