// Data sets of Adams Solver (.adm): statements with arguments, and what they become. import_adm_text.c reads the statements,
// import_adm_parts.c parts and markers, import_adm_joints.c and import_adm_forces.c what holds, drives and measures them,
// import_adm_friction.c friction in joints, import_adm_contact.c contacts and their shapes, import_adm_curve.c points on curves, import_adm_sensor.c events, import_adm_linear.c blocks, import_adm_function.c the functions; import_adm.c has the table of statements and makes the model.
#ifndef HOL_IMPORT_ADM_H
#define HOL_IMPORT_ADM_H

#include "io/import_robot.h"

typedef enum hol_adm_kind { // of values
    HOL_ADM_WORD,           // the argument alone
    HOL_ADM_VALUES,         // numbers or words, with commas or colons between
    HOL_ADM_FUNCTION,
    HOL_ADM_TEXT
} hol_adm_kind;

typedef struct hol_adm_arg {
    const char *key;  // as Adams writes it out
    const char *text; // its value, on one line
    hol_src at;
    bool asked;
} hol_adm_arg;

typedef struct hol_adm_type hol_adm_type;
typedef struct hol_adm hol_adm;

typedef struct hol_adm_statement {
    const hol_adm_type *type;
    hol_src at;
    int id; // -1: none
    hol_adm_arg *arg;
    int n;
    const char *label; // its name in Adams View; NULL: none
    const char *own;   // in the model
    // of parts and markers:
    bool ground;
    int part;               // of a marker: the statement
    hol_import_frame frame; // of a part globally, of a marker in its part
    bool point;             // without axes
    bool floating;          // of a marker: it has no place
    int relative;           // of a marker: the one to which it is relative, -1: its part
    const char *tip[3];     // of a marker: what is at the ends of its axes; NULL: nothing yet
    const char
        *quarter;     // of a marker or ground: it, turned about z by a quarter turn back; NULL: nothing yet
    hol_names *names; // of its markers
    hol_node *markers, *body; // of a part; its own item, also of a joint
    hol_node *turn;           // as the source says it; NULL: by axes
    // of what joins two markers and has a reaction here, on the second one: their statements; -1: none
    int first, second;
    bool reacts, together; // with its two origins at one place
    bool turned;           // its second end has z along the x axis of the marker, x along y
    char coordinate;       // of a joint: R, T, B both; 0: none
    double value;          // of a constant distance
    const char *rest;      // of graphics: what stands behind its number
    hol_node *shapes;      // of a part: those that contacts name; NULL: none
    hol_node *friction;    // of a joint; NULL: none
    const char **curve;    // of a spline of two variables: tables of its curves           (n_curves)
    double *at_second;     // and the values of the second variable for these
    int n_curves;          // 0: it is of one variable
    bool held;             // of a variable: PINPUT names it; of an array or matrix: it is used
} hol_adm_statement;

// What becomes of a statement. arguments: names and kinds, "I= FUNCTION@ COMMENT$ GROUND", Y=* of what may be there several times.
struct hol_adm_type {
    const char *name, *word; // of the source; of names in the model
    const char *arguments;
    hol_status (*begin)(hol_adm *a, hol_adm_statement *s); // finds what it joins, before anything is written
    hol_status (*write)(hol_adm *a, hol_adm_statement *s); // NULL: it is taken elsewhere, or
    const char *left;                                      // has no part in the motion, and why
    bool refused;                                          // or may have
};

struct hol_adm {
    hol_import *in;
    hol_adm_statement *s;
    int n;
    hol_names *ids; // "JOINT 12" -> statement
    hol_names *names;
    const char *title;
    hol_src top;
    double force, mass, length, time; // units of the source, in those of SI
    double gravity;                   // its size [m/s^2]
    hol_node *joints, *drivers, *constraints, *forces, *variables, *states, *blocks, *splines, *inputs,
        *transfers, *events, *contacts, *exact; // the last one: coordinates of joints at the start
};

// ---- text (import_adm_text.c) -------------------------------------------------------------------------------------

// Does a text look like a data set?
bool hol_adm_begins(const char *text, size_t length);
hol_status hol_adm_parse(hol_adm *a, const char *text, size_t length);
extern const hol_adm_type hol_adm_types[]; // a name NULL at the end
// An argument, which counts as asked for; NULL: it is not there.
hol_adm_arg *hol_adm_get(hol_adm_statement *s, const char *key);
bool hol_adm_has(hol_adm_statement *s, const char *key);
// Does a name begin with the n letters of a word, in any case?
bool hol_adm_begins_so(const char *word, size_t n, const char *name);
hol_adm_arg *hol_adm_need(hol_adm *a, hol_adm_statement *s,
                          const char *key); // NULL: the message is in the context
// One of these words must be there: which one, -1: none, or two.
int hol_adm_choice(hol_adm *a, hol_adm_statement *s, const char *const *words);
// A number behind `*p`, which goes beyond it. degrees NULL: no angle, which a D behind the number makes of it.
hol_status hol_adm_number(hol_adm *a, hol_src at, const char *key, const char **p, bool *degrees,
                          double *out);
// n numbers; what is not there stays as it is. unit: of the source, in SI.
hol_status hol_adm_numbers(hol_adm *a, hol_adm_statement *s, const char *key, int n, double unit,
                           double *out);
double hol_adm_si(double x, double unit);
hol_status hol_adm_list(hol_adm *a, const hol_adm_arg *arg, double unit, double **out, int *n);
// The statement of another kind that an argument names; *out -1: no such argument.
hol_status hol_adm_other(hol_adm *a, hol_adm_statement *s, const char *key, const char *type, bool required,
                         int *out);
int hol_adm_find(const hol_adm *a, const char *type, int id); // -1: none
// The same by a number of an argument; -1: the message is in the context.
int hol_adm_named(hol_adm *a, const hol_adm_statement *s, const hol_adm_arg *arg, const char *type,
                  double id);
const char *hol_adm_title(hol_adm *a, const hol_adm_statement *s); // JOINT/12
const char *hol_adm_print(hol_adm *a, const char *format, ...)
    HOL_PRINTF(2, 3); // "": no memory, which is noted

// ---- parts and markers (import_adm_parts.c) -----------------------------------------------------------------------------

// Parts first, then markers in them; those that are relative to others are settled when all are read.
hol_status hol_adm_read_part(hol_adm *a, hol_adm_statement *s);
hol_status hol_adm_read_marker(hol_adm *a, hol_adm_statement *s);
hol_status hol_adm_settle_marker(hol_adm *a, hol_adm_statement *s);
bool hol_adm_is_part(const hol_adm_statement *s);
hol_status hol_adm_write_part(hol_adm *a, hol_adm_statement *s, hol_node *bodies);
hol_status hol_adm_write_marker(hol_adm *a, hol_adm_statement *s);
// "body.marker" or "ground.marker".
const char *hol_adm_marker(hol_adm *a, int marker);
const char *hol_adm_name_part(hol_adm *a, int part);          // "ground", or its name
hol_import_frame hol_adm_place(const hol_adm *a, int marker); // globally, as drawn
// A marker of a part beside those of the source; frame: in the part. Its name with that of the part.
const char *hol_adm_extra(hol_adm *a, int part, const char *name, const hol_import_frame *frame);
// The end of a marker's axis, at 1 m from it.
const char *hol_adm_tip(hol_adm *a, int marker, int axis);
// A marker (a part: its frame) turned about its z axis by a quarter turn back: its y axis is x of the marker.
const char *hol_adm_quarter(hol_adm *a, int marker);
// The component of an axis of one marker along an axis of another one (-1: global), as text.
const char *hol_adm_cosine(hol_adm *a, int marker, int axis, int along, int axis_along);

// ---- functions (import_adm_function.c) ----------------------------------------------------------------------------

typedef struct hol_adm_function {
    const char *text;  // of the model, in units of the source; "(..)" where it is a sum
    bool rates, turns; // it uses velocities, angles
    const char *why;   // it is not taken
} hol_adm_function;
// HOL_RECOVERABLE: it has something in it that is not taken.
hol_status hol_adm_translate(hol_adm *a, hol_adm_arg *arg, hol_adm_function *out);
// Tells of a statement that is not taken, where st is HOL_RECOVERABLE, and returns st.
hol_status hol_adm_missed(hol_adm *a, hol_status st, hol_src at, const char *why);
// The function of a statement, which is left out where that is not taken: HOL_RECOVERABLE, which is told.
hol_status hol_adm_take(hol_adm *a, hol_adm_arg *arg, hol_adm_function *out);
// Leaves out a statement whose FUNCTION is a subroutine of the user's.
hol_status hol_adm_user(hol_adm *a, hol_adm_statement *s);
// The same as a value in SI: times a unit.
hol_status hol_adm_value(hol_adm *a, hol_adm_arg *arg, double unit, const char **out);
// A text times a number, in brackets where the text is a sum; "0" stays.
const char *hol_adm_times(hol_adm *a, double factor, const char *text);
// Component 0..2 of the force, 3..5 of the torque, 6, 7: their sizes, that what holds two markers together exerts on the second one,
// along the axes of a marker (-1: global), in SI. first: on the first one.
const char *hol_adm_reaction(hol_adm *a, const hol_adm_statement *s, bool first, int what, int along);

// ---- statements ---------------------------------------------------------------------------------------------------

// An item of a list of the model, with its name and type.
hol_node *hol_adm_item(hol_adm *a, hol_node *list, const hol_adm_statement *s, const char *name,
                       const char *type);
// Two markers, of which the second is I, as keys of the model have them.
hol_status hol_adm_ends(hol_adm *a, hol_adm_statement *s);
void hol_adm_between(hol_adm *a, hol_node *map, const hol_adm_statement *s);
hol_status hol_adm_begin_joint(hol_adm *a, hol_adm_statement *s);
hol_status hol_adm_begin_gcon(hol_adm *a, hol_adm_statement *s);
hol_status hol_adm_begin_motion(hol_adm *a, hol_adm_statement *s);
hol_status hol_adm_begin_sforce(hol_adm *a, hol_adm_statement *s);
hol_status hol_adm_begin_vector(hol_adm *a, hol_adm_statement *s);
hol_status hol_adm_joint(hol_adm *a, hol_adm_statement *s);
// Does a joint of their parts keep the z axes of two markers in one direction? from -1: global.
bool hol_adm_turns_about_z(hol_adm *a, int to, int from);
hol_status hol_adm_friction(hol_adm *a, hol_adm_statement *s);
hol_status hol_adm_jprim(hol_adm *a, hol_adm_statement *s);
hol_status hol_adm_gcon(hol_adm *a, hol_adm_statement *s);
hol_status hol_adm_motion(hol_adm *a, hol_adm_statement *s);
hol_status hol_adm_coupler(hol_adm *a, hol_adm_statement *s);
hol_status hol_adm_gear(hol_adm *a, hol_adm_statement *s);
hol_status hol_adm_sforce(hol_adm *a, hol_adm_statement *s);
hol_status hol_adm_springdamper(hol_adm *a, hol_adm_statement *s);
hol_status hol_adm_vector(hol_adm *a, hol_adm_statement *s);
hol_status hol_adm_bushing(hol_adm *a, hol_adm_statement *s);
hol_status hol_adm_field(hol_adm *a, hol_adm_statement *s);
hol_status hol_adm_beam(hol_adm *a, hol_adm_statement *s);
hol_status hol_adm_variable(hol_adm *a, hol_adm_statement *s);
hol_status hol_adm_diff(hol_adm *a, hol_adm_statement *s);
hol_status hol_adm_begin_lse(hol_adm *a, hol_adm_statement *s);
hol_status hol_adm_lse(hol_adm *a, hol_adm_statement *s);
hol_status hol_adm_tfsiso(hol_adm *a, hol_adm_statement *s);
hol_status hol_adm_contact(hol_adm *a, hol_adm_statement *s);
hol_status hol_adm_sensor(hol_adm *a, hol_adm_statement *s);
// A matrix that a statement names, by rows, with as many rows and columns as are wanted (0: any); *n: its rows.
hol_status hol_adm_matrix(hol_adm *a, hol_adm_statement *s, const char *key, int rows, int columns,
                          double unit, double **out, int *n);
hol_status hol_adm_ptcv(hol_adm *a, hol_adm_statement *s);
void hol_adm_rows(hol_adm *a, hol_node *map, const char *key, int rows, int columns, const double *A);
// An element of an array of a block, from 1 on; NULL: it is of none, or the message is in the context.
const char *hol_adm_element(hol_adm *a, hol_adm_statement *array, int k);
hol_status hol_adm_begin_spline(hol_adm *a, hol_adm_statement *s);
hol_status hol_adm_spline(hol_adm *a, hol_adm_statement *s);
hol_status hol_adm_pinput(hol_adm *a, hol_adm_statement *s);
hol_status hol_adm_poutput(hol_adm *a, hol_adm_statement *s);
hol_status hol_adm_request(hol_adm *a, hol_adm_statement *s);

#endif
