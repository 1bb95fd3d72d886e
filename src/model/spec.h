// The specification: what a model file says, checked value by value, names not yet resolved. compile.c makes a model
// of it. A spec owns its arena and may be read again; the model shares that arena.
#ifndef HOL_SPEC_H
#define HOL_SPEC_H

#include "element/element.h"
#include "model/drawing.h"
#include "model/reader.h"
#include "model/subsystem.h"

typedef struct hol_spec_marker {
    const char *name;
    hol_src at;
    double position[3];       // in the body frame [m]
    double quat[4];           // orientation in the body frame
    double angle;             // 2D: the same as an angle [rad]
    const hol_motion *motion; // ground only
    double file;              // ground, 2D: the angle of the file's frame [rad]
} hol_spec_marker;

// What a body's `exact:` names, and which of these the file gives.
enum { HOL_OF_POSITION = 1, HOL_OF_ORIENTATION = 2, HOL_OF_VELOCITY = 4, HOL_OF_OMEGA = 8 };

typedef struct hol_spec_body {
    const char *name;
    hol_src at, name_at;
    const hol_element_type *type;
    const hol_value *value;          // by option row of the type
    double com[3];                   // centre of mass in the body frame [m]
    double position[3], velocity[3]; // of the body frame's origin, global if not relative_to [m], [m/s]
    double quat[4];                  // orientation (3D)
    double angle;                    // (2D) [rad]
    double omega[3];                 // angular velocity, global (2D: omega[2]) [rad/s]
    const char *relative_to;         // "body.marker" its pose and motion refer to; NULL: ground
    hol_src relative_at;
    unsigned char given, exact; // HOL_OF_..
    double weight;              // of its change by the assembly
    int n_markers;
    const hol_spec_marker *marker;
} hol_spec_body;

// A joint's coordinate or rate that the assembly keeps: NaN: not this one.
enum { HOL_EXACT_ANGLE, HOL_EXACT_STROKE, HOL_EXACT_RATE, HOL_EXACT_SPEED, HOL_EXACTS };
typedef struct hol_spec_exact {
    const char *joint;
    hol_src at;
    double value[HOL_EXACTS]; // [rad], [m], [rad/s], [m/s]; NaN: it is not said
} hol_spec_exact;

// What must hold of the pose with which the model starts: the formula, left less right side, is above 0, or with sign -1 below.
typedef struct hol_spec_require {
    const char *text, *path;
    hol_src at;
    const hol_formula *formula;
    int sign;
} hol_spec_require;

// What the shapes of a body make of it.
typedef struct hol_spec_mass {
    int body;
    double is
        [10]; // mass, centre of mass in the body frame, inertia about it: xx, yy, zz, xy, xz, yz [kg], [m], [kg m^2]
} hol_spec_mass;

typedef struct hol_spec_end {
    hol_src at;
    const char *body, *marker;    // marker NULL: `local` holds it
    const hol_spec_marker *local; // NULL: the body frame itself
} hol_spec_end;

// One global frame at the drawn pose.
typedef struct hol_spec_drawn {
    double at[3];      // its origin [m]
    double quat[2][4]; // its orientation for end 0 and end 1
    double file;       // 2D: the angle of the file's frame [rad]
} hol_spec_drawn;

typedef struct hol_spec_element {
    const char *name, *path;
    hol_src at, name_at;
    const hol_element_type *type;
    const hol_value *value;
    int n_ends, n_joints;        // joints: couplers
    hol_spec_end end[3];         // the third: whose axes components are taken in
    const hol_word *coupled;     //                                              (n_joints)
    hol_loop_choice loop;        // joints
    bool idle;                   // it does not act at the start
    bool hold;                   // of the assembly alone: its name is no name of the model
    int n_laws;                  // joints: laws on their coordinate (model/laws.h)
    struct hol_spec_law *law;    //                                              (n_laws)
    const hol_spec_drawn *drawn; // ends are given by one global frame; NULL: by markers
    const char *joint;           // drivers: the joint whose ends are taken; NULL: own ends
    hol_src joint_at;
} hol_spec_element;

// The least and the largest stiffness above 0 of those that elements are given, and whose they are; NULL: none is given.
typedef struct hol_spec_stiffness {
    double value[2], unit[2]; // unit: that of the file, in SI
    const char *name[2];
} hol_spec_stiffness;

// A variable or a state.
typedef struct hol_spec_equation {
    const char *name, *path;
    hol_src at, name_at;
    bool is_state;
    const hol_formula *formula; // value, or rate; NULL: from user code
    int block;                  // 1 + index of the code, 0: none
    double initial, size;       // initial: states only
    const char *unit, *shown;   // of a variable, in SI and as it is to be shown; NULL: none is given
    double factor;              // how many of `shown` one `unit` is
} hol_spec_equation;

typedef struct hol_spec_code {
    struct hol_code *code;
    int n_inputs, n_outputs, n_states;
    int input, output, state; // first spec equation of each
} hol_spec_code;

typedef struct hol_spec_set { // a parameter, a state or a variable that an event changes
    const char *name;
    hol_src at;
    const hol_formula *value;
} hol_spec_set;

typedef struct hol_spec_switch {
    const char *name; // of a force
    hol_src at;
    bool on;
} hol_spec_switch;

typedef struct hol_spec_event {
    const char *name, *path;
    hol_src at, name_at;
    const hol_formula *when; // NULL: at times
    int direction;           // +1 rising, -1 falling, 0 both
    double every;            // period [s]; 0: none
    int n_times;
    const double *time; // [s], increasing
    bool stop, once;
    const char *print; // NULL: nothing
    int n_sets, n_switches;
    const hol_spec_set *set;
    const hol_spec_switch *change;
} hol_spec_event;

// A parameter that events or programs change, or an input: it is not a constant.
typedef struct hol_spec_held {
    const char *name, *what; // what: "is an input"
    const char *unit;        // of an input; NULL: none is given
    double value;
    hol_nature nature;
    bool outside; // programs set it
    bool input;   // it is no parameter
    bool linear;  // in a straight line
} hol_spec_held;

// Signals over another one, in the report.
typedef struct hol_spec_plot {
    hol_word x;
    int n;
    const hol_word *y;           //                                     (n)
    const char *x_path, *y_path; // "plots[0].x"
} hol_spec_plot;

// What shapes are made of.
typedef struct hol_spec_material {
    const char *name;
    double compliance; // (1 - nu^2)/E [m^2/N]
} hol_spec_material;

// A rule of `contacts:`.
typedef struct hol_spec_contact {
    const char *name, *path;
    hol_src at, name_at;
    const hol_value *value, *friction; // by rows of their objects (model/contacts.h); NULL: none
} hol_spec_contact;

// What `holonom linearise` goes from and to.
typedef struct hol_spec_linearise {
    bool inputs_given, outputs_given; // else all inputs and variables of the model
    int n_inputs, n_outputs, n_coordinates;
    const hol_word *input;       // inputs, tunable parameters and drivers               (n_inputs)
    const hol_formula **output;  //                                                      (n_outputs)
    const hol_formula **measure; // the coordinates                                      (n_coordinates)
} hol_spec_linearise;

// Where a body begins that is drawn elsewhere: its frame.
typedef struct hol_spec_pose {
    const char *body;
    hol_src at;
    bool position_given, turned; // what is not given is as drawn
    double position[3], angle, quat[4];
    unsigned char moving; // HOL_OF_VELOCITY, HOL_OF_OMEGA: what is given
    double velocity[3], omega[3];
} hol_spec_pose;

// Where an angle in space begins, which a pose does not tell but for full turns.
typedef struct hol_spec_turns {
    const char *name, *path; // of what, as an expression names it, without spaces: "hinge.angle"
    hol_src at;
    double value; // [rad]
} hol_spec_turns;

// A parameter of the model file, or an input, that has this value, whatever the file says.
typedef struct hol_fixed {
    const char *name;
    double value;
    const hol_nature *nature; // what kind of a number it is; NULL: that which the file gives
} hol_fixed;

// A signal that trimming brings to a value.
typedef struct hol_spec_hold {
    hol_word signal;
    double value;
    hol_nature nature; // plain: it is in the unit of the signal, by `units:`
} hol_spec_hold;

// What `inverse:` says; arrays (n).
typedef struct hol_spec_inverse {
    const char *motion; // a table that is to be added to the model (hol_draft_add_motion); NULL: none
    hol_src at;
    int n, n_weights, n_bounds, n_drives;
    const hol_word *actuator;
    const double *weight;   // none: 1                                                    (n_weights)
    const hol_word *bound;  // actuators that are bounded                                 (n_bounds)
    const double *range;    // the least and the most of each                             (n_bounds x 2)
    const hol_word *drives; // constraints that prescribe the motion                      (n_drives)
    bool project;
} hol_spec_inverse;

// A stiffness or a damping below 0, or a matrix of them with an eigenvalue below 0.
typedef struct hol_spec_negative {
    const char *name, *key, *unit; // of an element; unit NULL: of a matrix
    double value;                  // in SI; of a matrix the eigenvalue
    bool damps;
} hol_spec_negative;

// What a warning of `check` says of something that the compiler alone sees.
typedef struct hol_spec_remark {
    const char *warning, *text; // of the row of analysis/warnings.c with this name
} hol_spec_remark;

typedef struct hol_spec {
    hol_context *ctx;
    hol_arena *arena;
    hol_arena *hot;        // element data and markers: what every step reads
    hol_arena *draft;      // elements as the file gives them: NULL when the model is compiled
    hol_arena *body_draft; // bodies: NULL when these are
    const char *file, *title;
    int n_fixed;
    const hol_fixed
        *fixed; // values of parameters in place of the file's                                       (n_fixed)
    const char *text; // what was read, where that was no file; NULL: it was one
    bool is_file;     // `file` is the name of a file, or what stands for one
    int n_overrides;
    const char **override; // "path=value" as --set gave them     (n_overrides)
    int n_files;
    const char *
        *read_from; // files the model was made of: its own, included ones, tables, user code  (n_files)
    unsigned long long
        hash,  // of all that the file and the overrides say, but how bodies are drawn and how it is run
        drawn; // of the same, and of how bodies are drawn
    hol_reader reader;                   // parameters, units: also serves what later layers read (simulate)
    double gravity[3];                   // [m/s^2]
    bool gravity_given, gravity_doubted; // doubted: a warning has been given
    hol_systems systems;
    hol_subsystems subsystems;
    hol_bare bare;                   // counted by the reader
    hol_spec_stiffness stiffness[2]; // [N/m], [N m/rad]
    hol_spec_stiffness plain[2];     // the same of plain numbers in other units than those of SI
    int n_negative;
    hol_spec_negative *negative; //                                                  (n_negative)
    int n_remarks;
    hol_spec_remark *remark;         //                                                  (n_remarks)
    double length_scale, time_scale; // length_scale 0: not given
    int n_items;                     // bodies and elements begun
    long long n_read;                // items of lists, those that are read twice twice
    int n_empty;                     // turns of loops that made none
    int n_bodies, n_elements, n_ground, n_laws;
    hol_spec_body **body;       // in the draft                                   (n_bodies)
    hol_spec_element **element; // in the draft                                   (n_elements)
    hol_value *scratch;         // while reading                                  (n_scratch)
    int n_scratch;
    const hol_spec_marker *ground; // markers on ground
    const hol_node *simulate;      // NULL: not given
    int n_poses;
    hol_spec_pose *pose; // outer files first                           (n_poses)
    int n_turns;
    hol_spec_turns *turns; // likewise                                   (n_turns)
    bool any_equilibrium;  // `static: {stable: no}`
    int n_trims, n_holds;
    hol_spec_inverse inverse;
    const hol_word *trim;      // parameters                                       (n_trims)
    const hol_spec_hold *hold; //                                                  (n_holds)
    int n_exact;
    hol_spec_exact *exact; // in the draft                                   (n_exact)
    int n_requires;
    hol_spec_require *require; // in the draft                                   (n_requires)
    int n_shapes;
    hol_drawing *shape; // by body, ground's first; bodies without are not here      (n_shapes)
    int n_masses;
    hol_spec_mass *mass; // of bodies whose mass or inertia follows from their shapes (n_masses)
    hol_known known;
    int n_codes;
    hol_spec_code *code;
    int n_equations, n_held, n_events, n_plots;
    hol_spec_equation *equation;
    hol_names *held_names; // to indices; NULL: not read yet
    hol_names *event_names;
    hol_spec_held *held;
    hol_spec_event *event;
    hol_spec_plot *plot;
    int n_materials, n_contacts;
    hol_spec_material *material; // in the draft                               (n_materials)
    hol_spec_contact *contact;   // in the draft                                 (n_contacts)
    hol_spec_linearise linearise;
} hol_spec;

// overrides: "path=value" texts (--set). NULL on error, with the message in the context.
hol_spec *hol_spec_read_file(hol_context *ctx, const char *path, const char *const *overrides,
                             int n_overrides);
hol_spec *hol_spec_read_text(hol_context *ctx, const char *name, const char *text, size_t length,
                             const char *const *overrides, int n_overrides);
// tree: what a program has made, which is copied. is_file: its name is that of a file it was read from. text: the same as text, for
// results; NULL: it is too long.
hol_spec *hol_spec_read_tree(hol_context *ctx, const char *name, bool is_file, const hol_node *tree,
                             const char *text);
// The same once more with these parameters, which must be there, and no notes. more: a further override; NULL: none.
hol_spec *hol_spec_read_again(const hol_spec *spec, const hol_fixed *fixed, int n_fixed, const char *more);
// Does to the tree of a draft what --set does to its model. name: of the draft, beside which the files are that it includes.
hol_status hol_tree_assign(hol_context *ctx, hol_arena *arena, const char *name, hol_node *root,
                           const char *text);
void hol_spec_destroy(hol_spec *spec);
// Which of the files that the model was made of, or drawings are, has the place that `path` names? NULL: none.
const char *hol_spec_reads(const hol_spec *spec, const char *path);

// Orientation given as {quat_wxyz: ..}, {rpy: ..}, {euler_zxz: ..}, {axis: .., angle: ..}, {z: .., x: ..}.
hol_status hol_read_orientation(const hol_reader *r, const hol_node *node, const hol_path *path,
                                double quat[4]);
// Right-handed frame with the given z axis, and x as near to `x` as possible (NULL: a fixed rule).
bool hol_frame_from_axes(const double z[3], const double *x, double quat[4]);

#endif
