// Arithmetic in model files: constants with parameters and units, functions of time, and functions of measures, variables
// and whatever else the owner of an expression has names for (leaves).
//
//     m*L^2/12      90 deg      (i + 1/2)*L      sqrt(2)*pi/3      0.1*sin(omega*time)
//
// Function names, pi and time may be written in any case; other names may not. `time` is always the time; t, pi
// and e give way to a name of the scope and to a leaf. A name directly after a value is a unit and binds tighter than every
// operator: 2*90 deg = 2*(90 deg), 10 N/mm = 10 (N/mm), 3 m^2 = 3 (m^2). `2^3 m` is refused in favour of `(2^3) m`.
// A name behind the * or / of a unit that is a unit belongs to it, even if a value has that name too (a warning).
//
// A quantity with a unit is in SI. What is known of its dimension goes with it (hol_nature) through the operators, so that
// 5 mm + 3 s is refused here, and a mass of 2 m by whoever wants a mass.
//
// Parsed once into a compact program. A constant is folded at parse time. A function of time is evaluated with
// its first three derivatives (drivers at acceleration level need the third) by Taylor arithmetic, one of leaves with
// its gradient as well.
#ifndef HOL_EXPR_H
#define HOL_EXPR_H

#include "base/base.h"
#include "expr/num.h"

typedef struct hol_expr hol_expr; // immutable after parsing; shared by threads

// Exponents of length, mass, time and angle, in parts of 1: halves to tenths, twelfths and hundredths are whole numbers of them.
enum { HOL_POWER_ONE = 12600 };
#define HOL_POWER_ROUNDING (1e-9 * HOL_POWER_ONE) // of a decimal that stands for such a fraction
typedef struct hol_dimension {
    int power[4];
} hol_dimension;
// "length^2 mass time^-2"
void hol_dimension_print(const hol_dimension *d, char *out, size_t room);
// The unit of a quantity in SI, as the file would write it: "N/m", "kg m s^-3"; "": a pure number.
enum { HOL_UNIT_TEXT = 100 };
void hol_dimension_unit(const hol_dimension *d, char out[HOL_UNIT_TEXT]);

// A unit, or a product of units.
typedef struct hol_unit {
    long double si;
    hol_dimension dimension;
    int newtons; // the part of the dimension that was written by N: its power, in the same parts
    bool cycles; // Hz, min or h is in it: as an angular velocity it may mean turns or radians
} hol_unit;
bool hol_unit_read(const char *text, hol_unit *out); // the whole text, such as "N s/m"; false: it is none

// What is known of a number besides its value.
enum {
    HOL_NATURE_UNIT = 1,       // a unit was written: it is in SI, and its dimension is checked
    HOL_NATURE_ANGLE = 2,      // an angle in radians that a function has given: atan2(3, 4)
    HOL_NATURE_PLAIN = 4,      // a parameter without a unit took part
    HOL_NATURE_BARE = 8,       // a number without a unit took part, other than 0 and exponents
    HOL_NATURE_LOOSE = 16,     // something without a known dimension took part: its dimension is not known
    HOL_NATURE_ANY_ANGLE = 32, // a measured angle took part: its power of the angle is not known
    HOL_NATURE_ANY_TIME = 64,  // the time took part, which may stand for its number of seconds
    HOL_NATURE_CYCLES = 128,   // as in hol_unit
    HOL_NATURE_MIXED = 256,    // a number without a unit was added to a quantity in SI
    HOL_NATURE_ZERO = 512,     // the number 0, of any dimension
    HOL_NATURE_PI = 1024,      // pi took part
    HOL_NATURE_MINUTES = 2048, // min or h took part as a duration: divided by it, a number has CYCLES
    HOL_NATURE_HOME =
        1 << 16, // shifted by 0 to 14: plain parameters in units of this number took part (see hol_systems)
    HOL_NATURE_HOMES = 0x7fff0000
};
typedef struct hol_nature {
    hol_dimension dimension;
    unsigned flags;
} hol_nature;

// Is it a rate by Hz, 1/min or 1/h? As an angular velocity that may mean turns or radians, unless pi stands with it.
bool hol_nature_turns(const hol_nature *a);

// A named number of a scope.
typedef struct hol_constant {
    double value;
    hol_nature nature;
} hol_constant;

// The names an expression may use besides the built-in constants (pi, e) and functions.
//   Scopes nest: a name is sought from the innermost scope outwards.
typedef struct hol_scope {
    const struct hol_scope *outer;
    // Returns true and the number if the name is known here; *out is zero before.
    bool (*find)(const void *data, const char *name, size_t length, hol_constant *out);
    // Calls hol_nearest_try with every name known here ("did you mean").
    void (*each)(const void *data, hol_nearest *nearest);
    const void *data;
} hol_scope;

// Names beyond the scope: measures such as DX(a.tip, ground), variables, states, forces of joints. The parser hands over
// what stands in the text; who gave it says which leaf of the program that is. Leaves are numbered from 0.
enum { HOL_LEAF_ARGS = 6, HOL_LEAF_UNKNOWN = -1, HOL_LEAF_ERROR = -2 };
typedef struct hol_leaf_text {
    const char *text;
    size_t length;
    hol_src at;
} hol_leaf_text;
typedef struct hol_leaf_call {
    hol_leaf_text name; // "DX", "gain", "x{i+1}": braces directly after a name belong to it
    bool call;          // with parentheses, also without arguments
    int n_args;
    hol_leaf_text arg[HOL_LEAF_ARGS]; // between the commas, without blanks around
} hol_leaf_call;
typedef struct hol_leaves {
    // The leaf: the same number for the same meaning. HOL_LEAF_UNKNOWN: no such name, the parser leaves its message.
    // HOL_LEAF_ERROR: a message was left.
    int (*find)(void *user, const hol_leaf_call *call);
    // A table of numbers by name; NULL with a message if there is none.
    const struct hol_table *(*table)(void *user, const hol_leaf_text *name);
    // Calls hol_nearest_try with every name known here.
    void (*each)(void *user, hol_nearest *nearest);
    void *user;
    // Dimension of a leaf, in SI; NULL: none is known.
    hol_nature (*nature)(void *user, int leaf);
} hol_leaves;

// How many SI units one file unit of each base quantity is (1 when no `units:` block is given). Whoever reads a plain
// number converts it; in an expression it is refused only where it would be an angle and those of the file are not radians.
typedef struct hol_units {
    double length, mass, time, angle, force; // m, kg, s, rad, N per file unit
    unsigned other_angles;                   // HOL_NATURE_HOME bits of units with another one of angles
} hol_units;

// Parses `text`. `at` is the position of its first character in the file; errors point at the column inside the
// expression. `allow_time` admits the names time and t. `units` NULL means SI, `scope` NULL no parameters.
//   What is refused, each with its own message and way out: empty text, unknown name (did you mean), unknown
//   function, wrong number of arguments, unknown unit, unbalanced parenthesis, missing operand, trailing text,
//   nesting deeper than 200, a result that is not finite (division by zero, sqrt of a negative number, ...), quantities of
//   two dimensions where one is wanted (sums, comparisons), functions of quantities that have a dimension,
//   time where only a constant is allowed, more than 64 intermediate values. A branch of if() that a constant
//   condition leaves out may be infinite. Errors are HOL_ERR_MODEL (or HOL_ERR_MEMORY), with *out = NULL.
hol_status hol_expr_parse(hol_context *ctx, hol_arena *arena, const char *text, hol_src at,
                          const hol_scope *scope, const hol_units *units, bool allow_time,
                          const hol_expr **out);

// The same for an expression that may use time and leaves.
hol_status hol_expr_parse_leaves(hol_context *ctx, hol_arena *arena, const char *text, hol_src at,
                                 const hol_scope *scope, const hol_units *units, const hol_leaves *leaves,
                                 const hol_expr **out);
// The same for a function of time, which may use tables alone of what the leaves know.
hol_status hol_expr_parse_time(hol_context *ctx, hol_arena *arena, const char *text, hol_src at,
                               const hol_scope *scope, const hol_units *units, const hol_leaves *tables,
                               const hol_expr **out);
// Value with derivatives: leaf[i] are numbers of the shape (expr/num.h), time too (seconds; NULL: the program must not use
// it). The result is scaled as that of hol_expr_jet. out is of the same shape.
void hol_expr_eval(const hol_expr *e, const hol_shape *shape, const hol_real *time,
                   const hol_real *const *leaf, hol_real *out);
const char *hol_expr_text(const hol_expr *e); // as the file has it; ".." if the program has made it
bool hol_expr_uses_time(const hol_expr *e);
bool hol_expr_uses_leaf(const hol_expr *e, int leaf);
void hol_expr_mark_leaves(const hol_expr *e, char *mark); // sets those that it uses
// Functions in it of which a derivative jumps somewhere: if, min, abs, ramps, tables of lines, ...
int hol_expr_kinks(const hol_expr *e);

// Does it hold a quotient, a power or a function that has no value for some arguments? Divisors that are numbers do not count.
bool hol_expr_may_fail(const hol_expr *e);
// Is it a polynomial of a low degree in what it takes, which does nothing that what it takes does not do?
bool hol_expr_is_plain(const hol_expr *e);
// Does it hold a branch, a remainder or a derivative of a table that jumps?
bool hol_expr_may_jump(const hol_expr *e);

// A kink: where it stands.
typedef struct hol_kink {
    const char *function;
    hol_src at;
    const hol_expr *of_time; // it with its arguments, if these depend on the time alone; else NULL
    bool table;
    int smooth; // of a table: derivatives that are continuous; 0: the slope jumps, -1: the value does
} hol_kink;
// How many there are; at most `most` are written. -1: no memory.
int hol_expr_kink_places(hol_arena *arena, const hol_expr *e, int most, hol_kink *out);

// A table and what it is asked.
typedef struct hol_table_use {
    const struct hol_spline *table;
    hol_src at;
    const hol_expr *argument; // with the leaves of the whole
    bool of_time;             // it depends on the time alone
} hol_table_use;
// How many there are; at most `most` are written. -1: no memory.
int hol_expr_tables(hol_arena *arena, const hol_expr *e, int most, hol_table_use *out);

// Numbers without a unit beside angles in radians, in sums, comparisons and as limits of ramps, that look like degrees: whole
// multiples of 15 from 30 on. Returns how many, -1: no memory; the first is written, and whether all of it is an angle.
typedef bool hol_angle_leaf(const void *user, int leaf);
typedef struct hol_degrees {
    double number;
    hol_src at;
    bool is_angle;
} hol_degrees;
int hol_expr_degrees(hol_arena *arena, const hol_expr *e, hol_angle_leaf *leaf, const void *user,
                     hol_degrees *out);

int hol_expr_leaf(const hol_expr *e); // that is all of it; -1: there is more
// The largest parts of an expression that depend on the time alone, such as a pulse that a spring's force is multiplied by; the
// terms of a sum one by one, but for `whole`. Not among them are constants and the time itself. Where the time alone says which of three
// values an if() has, that is a part too. leaf: is it a function of time
// (NULL: none is)? How many there are; at most `most` are written. -1: no memory. Leaves keep their numbers.
typedef bool hol_timed_leaf(void *user, int leaf);
typedef struct hol_time_part {
    const hol_expr *part;
    bool is_term; // the expression is a sum, and this one of its terms, but for a constant factor
} hol_time_part;
int hol_expr_parts(hol_arena *arena, const hol_expr *e, hol_timed_leaf *leaf, void *user, bool whole,
                   int most, hol_time_part *out);

// What the expression, or the factor of a constant that it is, adds up: programs of their own that take the same leaves, with that
// constant. Parentheses in it are one term. Behind the n terms stand the n - 1 sums of neighbours, as they are in the sum but for a sign.
// n; room for at most `most` programs, all of them or none are written. -1: no memory.
int hol_expr_terms(hol_arena *arena, const hol_expr *e, int most, const hol_expr **out);

double hol_expr_factor(const hol_expr *e); // what the program gives is multiplied by it
bool hol_expr_is_constant(const hol_expr *e);
double hol_expr_value(const hol_expr *e); // of a constant
hol_nature hol_expr_nature(const hol_expr *e);

// jet[0..3] = value and first three time derivatives at t [s]; value times `scale`.
//   The program may divide by zero or leave the domain of a function at some t: the result is then not finite,
//   which callers report ("NaN from a force"). Not for an expression that uses leaves.
void hol_expr_jet(const hol_expr *e, hol_real t, hol_real jet[4]);

// Why the value of an expression, or a derivative of it, is not finite.
typedef struct hol_expr_fault {
    hol_src at;        // of the function or operator
    bool slope;        // the value is finite, but not its derivatives
    const char *whole; // the expression as the file has it; NULL: the program has made it
    char text[600];    // "sqrt(-0.25) is not a finite number; sqrt needs x >= 0 (DX(a.tip) = 0.75)",
                       // "sqrt(0) has no finite slope (time = 2)"
} hol_expr_fault;
// The arguments are those of hol_expr_eval. false: the result is finite, or a leaf or the time is not (then the expression is
// not to blame). Where a function has no finite result, but if() takes another branch, it is not to blame either.
bool hol_expr_explain(hol_context *ctx, const hol_expr *e, const hol_shape *shape, const hol_real *time,
                      const hol_real *const *leaf, hol_expr_fault *out);
// Of a function of time, at t [s], with derivatives up to this order, at most 3.
bool hol_expr_explain_time(hol_context *ctx, const hol_expr *e, hol_real t, int order, hol_expr_fault *out);

// An expression made by the program itself: the constant `value`.
const hol_expr *hol_expr_constant(hol_arena *arena, double value);
// The same function in other units: scale * e. The result shares nothing that can change.
const hol_expr *hol_expr_scaled(hol_arena *arena, const hol_expr *e, double scale);

// The integral of a function of time e from time 0, plus `start`: exact, in closed form. *out NULL: there is none here, because of this
// function at this place. There is one of sums, multiples, polynomials in time, and of powers, sin, cos, exp, sinh, cosh, poly, step and
// tables of a linear function of time.
hol_status hol_expr_integral(hol_context *ctx, hol_arena *arena, const hol_expr *e, double start,
                             const hol_expr **out, hol_src *at, const char **function);

// What it is the integral of, but for a factor; NULL: it is none.
const hol_expr *hol_expr_rate(const hol_expr *e);

// Documentation rows for `holonom elements` and the manual: name, arguments, meaning.
typedef struct hol_expr_doc {
    const char *name, *arguments, *meaning;
} hol_expr_doc;
const hol_expr_doc *hol_expr_functions(int *count);
bool hol_expr_is_function(const char *name); // in any case
const hol_expr_doc *hol_expr_unit_names(int *count);

// SI value of one unit by name ("deg", "mm", "kN", "rpm"); 0 if unknown. *dimension gets length, mass, time and
// angle exponents.
double hol_unit_find(const char *name, size_t length, int dimension[4]);

#endif
