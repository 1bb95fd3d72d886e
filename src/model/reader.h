// From nodes of a model file to checked values: numbers in SI units, texts with {index} filled in, option tables.
#ifndef HOL_READER_H
#define HOL_READER_H

#include "model/grammar.h"
#include "expr/spline.h"
#include "model/shown.h"
#include "text/tree.h"

// Names that expressions may use beside parameters: variables, states, what events change; and tables.
typedef struct hol_spline_entry {
    const char *name;
    hol_src at;
    struct hol_table table;
} hol_spline_entry;
typedef struct hol_known {
    hol_names *names; // to nothing in particular: the compiler knows what they are
    int n;
    const char **name;    //                                                            (n)
    const hol_node *root; // of the model file, whose items have names too
    int first_held;       // from here on they are parameters that events or programs set, and inputs
    const struct hol_spec_held *held; // these
    bool changed;                     // while natures are learnt: the last round has found out more
    hol_nature *nature;               // of each, as far as it is known; NULL: before it is            (n)
    hol_names *
        joints; // of whose coordinates a name means another thing than at other joints: index into hol_element_types
    int n_splines;
    hol_names *spline_names;  // to indices
    hol_spline_entry *spline; //                                                      (n_splines)
} hol_known;

// A table by its name. NULL: there is none, `nearest` has what it may have been.
const hol_spline_entry *hol_find_spline(const hol_known *k, hol_src at, const char *name,
                                        hol_nearest *nearest);

// Units of plain numbers: those of the file that is read are the first, those of included files with a map of their own follow.
enum { HOL_MOST_SYSTEMS = 15 };
typedef struct hol_system {
    hol_units units;
    bool si;             // all factors are 1
    bool force_given;    // a unit of force was named, or is not needed
    const hol_node *map; // `units:`; NULL: not given
    hol_output_units output;
} hol_system;
typedef struct hol_home { // a file, or a value of the command line
    const char *file;     // as its positions name it: the same pointer
    int system;
} hol_home;
typedef struct hol_systems {
    int n, n_homes;
    hol_system system[HOL_MOST_SYSTEMS];
    hol_home *home; // of what is not of the first system      (n_homes)
} hol_systems;

// Which one holds at this place.
int hol_system_at(const hol_systems *s, hol_src at);
const hol_units *hol_units_at(const hol_systems *s, hol_src at);

typedef struct hol_reader {
    hol_context *ctx;
    hol_arena *arena;
    hol_arena
        *draft;    // for option values and what is needed until the model is compiled; may be the same arena
    int dimension; // 2 or 3
    const hol_systems *systems;
    const struct hol_subsystems *subsystems;
    struct hol_bare *bare; // where expressions had plain numbers though the file has units; NULL: not counted
    const hol_scope *scope; // parameters and loop indices
    const hol_known *known;
    const struct hol_spec
        *signals; // expressions may name signals of its bodies and joints, crank.x, A.Fx; NULL: not
} hol_reader;

// Plain numbers that are doubtful. In expressions that vary they are in SI, whatever the units of the file.
enum { HOL_BARE_TOLD = 6 };
typedef struct hol_bare {
    int n;
    hol_src at[HOL_BARE_TOLD];        // the first of them
    const char *named[HOL_BARE_TOLD]; // the parameter that has the number there; NULL: none has
    int n_angles; // constant angles above a full turn without a unit or pi, in a file with radians
    hol_src first_angle;
    double angle; // the first of them
    int n_rates;  // such rates of angles by a quarter of a turn a second, or up to eight of them
    hol_src first_rate;
    double rate;
} hol_bare;

// A name, or a name with arguments, in an expression: `gain`, DX(a.tip, ground). Indices are filled in.
typedef struct hol_spec_leaf {
    const char *name;
    bool call;
    int n_args;
    const char *arg[HOL_LEAF_ARGS];
    hol_src at, arg_at[HOL_LEAF_ARGS];
    bool known; // a name in full, of a variable, a state, ..: no coordinate of a joint
} hol_spec_leaf;

// An expression with its leaves, names not yet resolved.
typedef struct hol_formula {
    const hol_expr *expr;
    hol_src at;
    int n_leaves;
    const hol_spec_leaf *leaf;
} hol_formula;

// Where a value stands in the model, for messages: "joints[1] B{i}.between". Chained on the caller's stack.
typedef struct hol_path {
    const struct hol_path *up;
    const char *key; // NULL: an index
    int index;
    const char *name; // shown after an index, may be NULL
} hol_path;

const char *hol_path_text(const hol_reader *r, const hol_path *path); // in the arena
hol_status hol_read_fail(const hol_reader *r, const hol_node *node, const hol_path *path, const char *format,
                         ...) HOL_PRINTF(4, 5);

// A number of the given unit, converted to SI: a plain one by the units of the file, one with a unit by that, if its
// dimension is right. The unit is a product such as "N s/m", "" for pure numbers, or HOL_ANY_UNIT.
hol_status hol_read_number(const hol_reader *r, const hol_node *node, const hol_path *path, const char *unit,
                           double *out);
// The same of `above`/`below`^exponent, the stiffness of a law: "N", "m".
hol_status hol_read_over_power(const hol_reader *r, const hol_node *node, const hol_path *path,
                               const char *above, const char *below, double exponent, double *out);
// The same of any unit, with what is known of it.
hol_status hol_read_named_number(const hol_reader *r, const hol_node *node, const hol_path *path,
                                 hol_constant *out);
// The value of an expression without time that stands inside a text; a pure number.
hol_status hol_read_constant(const hol_reader *r, const char *text, hol_src at, double *out);
// Exactly n numbers.
hol_status hol_read_numbers(const hol_reader *r, const hol_node *node, const hol_path *path, const char *unit,
                            int n, double *out);
// As many numbers as the model has dimensions; out (3) is zero beyond.
hol_status hol_read_vector(const hol_reader *r, const hol_node *node, const hol_path *path, const char *unit,
                           double out[3]);
hol_status hol_read_function(const hol_reader *r, const hol_node *node, const hol_path *path,
                             const char *unit, const hol_expr **out);
// A parsed expression against the unit of its value; a plain constant becomes SI. constant: it is one, or is made of numbers and
// plain parameters alone that events set.
hol_status hol_settle_formula(const hol_reader *r, const hol_node *node, const hol_path *path,
                              const char *unit, bool constant, const hol_expr **e);
hol_status hol_read_formula(const hol_reader *r, const hol_node *node, const hol_path *path, const char *unit,
                            const hol_formula **out);
// A parameter or loop index by name.
bool hol_scope_find(const hol_scope *scope, const char *name, hol_constant *out);
// What a name is that no parameter, variable, state, table or loop index may have: "a function", "the time", ...; NULL: free.
// Functions, pi and time are so in any case of the letters, measures in capitals: dx is free, DX is not. t and e are free: they
// give way to what the file calls so.
const char *hol_name_is_reserved(const char *name);
// Refuses a name of bodies, joints, markers, ... that could not be told apart in results, selections and expressions.
hol_status hol_check_name(const hol_reader *r, const hol_node *node, const hol_path *path, const char *name);
// Words of signals, which bodies, joints, includes, .. must not be called; NULL ends them.
extern const char *const hol_names_taken[];
// Is a name taken by one of these, and one of markers by a column of bodies in results?
bool hol_name_is_taken(const char *name);
bool hol_name_is_column(const char *name);
bool hol_is_identifier(const char *name); // letters, digits and _, not a digit first
// Is this the name of a measure, or of a force's component?
bool hol_leaf_is_call(const char *name, int dimension);
int hol_leaf_contact(const char *name);                 // 0, 1, 2: FN, GAP, VT, -1
int hol_leaf_reaction(const char *name, int dimension); // component 0..7 of an element's force, -1
// The measure that a signal of bodies and markers, or of what reacts, is. any_case: as users may write it. NULL: it is none.
const char *hol_signal_row(const char *signal, int dimension, bool any_case, bool *reaction);
// The measure that a signal of this object is, as DX of x: of a body or one of its markers, or of what reacts. NULL: it is none.
const char *hol_signal_measure(const struct hol_spec *spec, hol_src at, const char *object,
                               const char *signal);
// Scalar text with {expression} replaced by its whole-number value.
hol_status hol_read_text(const hol_reader *r, const hol_node *node, const hol_path *path, const char **out);

hol_status hol_read_option(const hol_reader *r, const hol_option *option, const hol_node *node,
                           const hol_path *path, hol_value *out);
// All options of `table` found in `map`; keys in neither `table` nor `also` (NULL-terminated tables) are refused with
// "did you mean". out is (rows of table); options not given get their defaults.
hol_status hol_read_options(const hol_reader *r, const hol_option *table, const hol_option *also,
                            const hol_node *map, const hol_path *path, hol_value *out);
// Keys in neither table, and those of the other dimension, are refused.
hol_status hol_check_keys(const hol_reader *r, const hol_option *table, const hol_option *also,
                          const hol_node *map, const hol_path *path);
// What the keys of a map have to do with each other; type: its name, for messages.
hol_status hol_check_rules(const hol_reader *r, const hol_rule *rules, const char *type, const hol_node *map,
                           const hol_path *path);
// The options of an object and its rules.
hol_status hol_read_object(const hol_reader *r, const hol_object *object, const hol_option *also,
                           const hol_node *map, const hol_path *path, hol_value *out);
// The value of a node was the one that holds without it, or another one: the identity of the model is that of what it says.
void hol_node_says(hol_node *node, bool is_default);
int hol_option_count(const hol_option *table);

// Parses a function of time, with tables by name (formula.c).
hol_status hol_parse_time(const hol_reader *r, const hol_node *node, const hol_path *path, hol_src at,
                          const struct hol_expr **out);

// SI units per file unit of a unit text such as "N s/m"; 1 for "" and HOL_ANY_UNIT.
double hol_unit_factor(const hol_units *units, const char *unit);

// Of the reader itself (reader.c), for option rows (read_options.c).
// Are plain numbers here, and those of all the parameters in the value, in SI units?
bool hol_all_si(const hol_reader *r, const hol_node *node, const hol_nature *n);
hol_status hol_need_scalar(const hol_reader *r, const hol_node *node, const hol_path *path,
                           const char *wanted);
// A number without a unit takes part where it is in SI whatever the units of the file; counted for a warning.
void hol_note_bare(const hol_reader *r, const hol_node *node, const hol_nature *n);

#endif
