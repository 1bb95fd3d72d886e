// Private to the compiler: what its files share.
#ifndef HOL_COMPILE_H
#define HOL_COMPILE_H

#include "model/model.h"

typedef struct hol_compiler {
    hol_model_data *m;
    hol_spec *spec;
    hol_names *bodies, *others, *quantities; // quantities: variables, states and held values
    const hol_axes *axes;                    // made last, NULL: none yet
    int n_law_held, n_law_events;            // what laws of joints hold in the memory, and their events
    hol_held *law_held;
    hol_event *law_event;
    hol_names *materials;
    hol_names *contact_sums; // what several contacts are called together, of the model's; NULL: no contacts
    int n_contacts;          // pairs that may touch
    struct hol_contact_found *contact; // in the draft
    int *shape_of,
        *shape_next; // by body + 1 its first shape, of each the next one of its body; n_shapes: none
    unsigned char *exact, *given; // by body: HOL_OF_..                               (n_bodies)
    double
        *carried; // inertia of the rotors that turn with a body, in its axes [kg m^2]        (n_bodies x 9)
} hol_compiler;

// Names to choose from, for "did you mean" or a short list of what there is.
typedef struct hol_choice {
    hol_nearest nearest;
    char list[120];
    size_t n;
} hol_choice;
void hol_choice_start(hol_choice *o, const char *word);
void hol_choice_offer(hol_choice *o, const char *name);
// "PATH: RULE "NAME"; did you mean .."
hol_status hol_choice_fail(const hol_compiler *c, hol_src at, const char *path, const char *rule,
                           const char *name, const hol_choice *o);

hol_status hol_find_body(const hol_compiler *c, const char *name, hol_src at, const char *path, int *body);
// Index into the model's markers.
hol_status hol_find_marker(const hol_compiler *c, int body, const hol_spec_end *s, const char *path,
                           int *out);

// Markers and ends (compile_ends.c).
// Names of markers to their indices, where a walk through them would take long.
hol_status hol_index_markers(const hol_compiler *c, int first, int last, hol_names **out);
// All markers: of each body its frame and its own ones behind it, then those of ground.
hol_status hol_add_markers(hol_compiler *c);
// The body and marker that end i of an element names, or the one that is drawn there; a point mass has no
// other place and no axes.
hol_status hol_resolve_end(hol_compiler *c, const hol_spec_element *s, int i, hol_end *end);
hol_status hol_take_driven(const hol_compiler *c, const hol_spec_element *s, hol_element *e);
// The ends of a joint that a coupler names, which must have a coordinate.
hol_status hol_take_coupled(const hol_compiler *c, const hol_spec_element *s, int i, hol_element *e,
                            const hol_element_type **type, hol_mirror *mirror);
// The frame of the file at a place, or of one around it that "../ground" names: the ground that it means.
hol_status hol_file_frame(hol_compiler *c, hol_src at, const char *name, hol_marker *out);
// The element's own coordinates: those of its bodies in the order of its ends, then time.
hol_status hol_lay_out(const hol_compiler *c, const hol_spec_element *s, hol_element *e);

// A joint, driver, constraint or force: its ends, the bodies it sees, its place in y, then its set-up.
hol_status hol_add_element(hol_compiler *c, hol_spec_element *s);
// How many elements the exact values of bodies and joints take at most; adds them behind all others (compile_holds.c).
int hol_most_holds(const hol_compiler *c);
hol_status hol_add_holds(hol_compiler *c);
// What `assemble: require` says, as elements that stand outside the model.
hol_status hol_compile_requires(hol_compiler *c);

// `turns:`, when all that counts is there (compile_turns.c).
hol_status hol_compile_turns(hol_compiler *c);
// Drivers that choose the full turns of their joints: that is said, and in the plane the start has them.
hol_status hol_look_driven_turns(hol_compiler *c);
// A pose of the plane is the same with whole turns more of what moves with a joint, of its second body rather than of the first. Without them
// the search for the start would wind the links of a loop, or end on another branch.
hol_status hol_turn_start(hol_arena *arena, hol_model_data *m, const hol_element *joint, double turns);
// Does the leaf count full turns? It does so in the memory of its joint, or in one of its own, once for all leaves of this text.
// leaf: it stays where it is.
bool hol_leaf_counts(const hol_compiler *c, const hol_leaf *leaf);
hol_status hol_count_turns(const hol_compiler *c, const char *text, hol_leaf *leaf);
// Appends an equation to the model's list; NULL: no memory.
hol_equation *hol_push_unknown(hol_compiler *c, const char *name, const char *path, hol_src at, double size);
// Users' equations: names first, since forces and constraints name them; expressions when all elements are there.
hol_status hol_compile_names(hol_compiler *c);
hol_status hol_compile_equations(hol_compiler *c);
// What an event switches (compile_switches.c).
hol_status hol_compile_switches(hol_compiler *c, const hol_spec_event *s, hol_event *e);
#define HOL_INERTIA_STAYS                                                                                    \
    "%s: \"%s\" has an armature, and what has inertia is not switched; make the rotor a body of its own"
// The input of a force in a joint that has a law of the joint's force and rate (compile_laws.c).
hol_status hol_compile_law(hol_compiler *c, const hol_spec_element *s, hol_element *e);
// The inputs of a force: functions of time, or components that get an unknown of their own.
hol_status hol_compile_inputs(hol_compiler *c, const hol_spec_element *s, hol_element *e);
// A constraint's expression: e->body and e->ny are laid out by it. Of a coordinate nothing but its changes is asked; of what is required
// the value, with angles from -pi to pi.
typedef enum { HOL_USE_HELD, HOL_USE_COORDINATE, HOL_USE_REQUIRED } hol_use;
hol_status hol_compile_constraint(hol_compiler *c, const hol_formula *f, const char *path, hol_use use,
                                  hol_element *e, hol_measured_formula *out);
// An expression with all its leaves resolved, angles with the counts of their turns in the memory.
hol_status hol_resolve(const hol_compiler *c, const hol_formula *f, const char *path, hol_equation *e);
// Names that expressions do not have, and what to write in their place (compile_signals.c): signals as "hinge.power"; names of items; a
// measure that the element has not, and why.
hol_status hol_refuse_signal(const hol_compiler *c, const hol_spec_leaf *l, const char *path);
hol_status hol_refuse_item(const hol_compiler *c, const hol_spec_leaf *l, const char *path);
hol_status hol_refuse_measure(const hol_compiler *c, const hol_spec_leaf *l, const char *path,
                              const hol_element *e, const char *why);
// A name that several contacts have together; HOL_OK: it is none.
hol_status hol_refuse_several(const hol_compiler *c, const hol_spec_leaf *l, const char *path);
// One coordinate, by an input or a row whose size does not depend on it.
bool hol_drives_coordinate(const hol_element *e);
bool hol_drives_length(const hol_element *e); // of those that do
// What a variable is; NULL: there is none of this name, or it is of user code.
const hol_formula *hol_variable_formula(const hol_compiler *c, const char *name);
// An element of constraints by expressions that stands outside the model: a coordinate of `linearise:`, or what the assembly requires.
hol_status hol_add_coordinate(hol_compiler *c, const hol_formula *f, const char *path, hol_use use,
                              hol_element *e);
// `linearise:`, when all else is there (compile_linearise.c).
hol_status hol_compile_linearise(hol_compiler *c);

#endif
