// Users' equations, compiled. Each has one unknown z and one row (docs/theory.md, section 8),
//
//     z_k - E_k(q, v, a, z, X, lam, t) = 0,
//
// a variable, the component of a force, or the rate of a state: X_j' = z_k. An expression depends on the rest of the model
// through its leaves only.
#ifndef HOL_EQUATION_H
#define HOL_EQUATION_H

#include "element/element.h"
#include "element/measured.h"

typedef enum hol_leaf_kind {
    HOL_LEAF_QUANTITY, // measured between markers
    HOL_LEAF_REACTION, // force or torque of an element on its last end: component 0..5, 6 and 7 the two lengths; 8: what its one row
    // does to its coordinate; HOL_LEAF_OBSERVED and more: what its type lets expressions observe
    HOL_LEAF_VALUE, // another unknown z
    HOL_LEAF_STATE, // X
    HOL_LEAF_HELD,  // a number in the memory that events and programs change
    HOL_LEAF_RAMP, // an input that goes in a straight line: memory of its value, its slope and the time of the value
    HOL_LEAF_PACE // the derivative of a function of time
} hol_leaf_kind;

// What drives a coordinate, of drivers and forces in joints; of a row; from there on what types let expressions observe.
enum { HOL_REACTION_EFFORT = 8, HOL_REACTION_OF_ROW, HOL_LEAF_OBSERVED };
typedef struct hol_leaf {
    hol_leaf_kind kind;
    hol_measured measured; // its markers take y = (q of the bodies below, t)
    int n_bodies, body[HOL_MAX_BODIES], ny;
    int index;     // element, z, X or memory slot
    int component; // of a reaction; of HOL_LEAF_PACE: is the function an angle?
    int turns;     // an angle that counts full turns: 1 + its first memory slot; 0: it does not
    bool
        negative; // its value is taken with the other sign: a reaction in a mirror, the coordinate of a joint with `keep_axes`
    bool outside;            // of HOL_LEAF_HELD: a program sets it
    const hol_expr *of_time; // of HOL_LEAF_PACE
} hol_leaf;

// Does it follow from the time and the memory alone, without an unknown?
static inline bool hol_leaf_is_given(const hol_leaf *l)
{
    return l->kind == HOL_LEAF_HELD || l->kind == HOL_LEAF_RAMP || l->kind == HOL_LEAF_PACE;
}

// One of them, which has one memory whatever expressions it stands in.
typedef struct hol_counter {
    const char *text; // "AZ(a,b)", "hinge.angle"
    const hol_leaf *leaf;
    double start; // near which it is at the start; 0: within half a turn
    double drawn; // where it is as drawn, with the turns that its joint says; read where `said`
    bool said;    // by the file, `turns` or limits
} hol_counter;

// An angle that begins about where `turns:` says.
typedef struct hol_begun {
    int slot;         // of its memory
    double value;     // [rad]
    const char *path; // of the line that says it; NULL: it follows from another one
    hol_src at;
} hol_begun;

struct hol_code;
// User code: outputs and rates of its states as functions of its inputs and states, all of them numbered one after the other.
typedef struct hol_block {
    struct hol_code *code;
    int n_inputs, n_outputs, n_states;
    int input, output, rate; // first z of each
    int state;               // first X
} hol_block;

typedef struct hol_equation {
    const char *name, *path; // path: whose it is in the file, as "states.x" or "forces.pull"
    hol_src at;
    const hol_expr *expr;
    int n_leaves;
    const hol_leaf *leaf;
    double size;                       // natural size of z
    bool turned;                       // of a joint's law: signals show it with the other sign (`keep_axes`)
    bool law;                          // of a joint's law, made by the program, not the expression of a user
    bool cornered;                     // of a law: its corners are looked at like those of users' expressions
    bool hidden;                       // component of a force or rate of a state: no result column of its own
    int block;                         // its value comes from user code: 1 + index of the block; 0: from expr
    const struct hol_formula *formula; // while compiling
    const char *unit, *shown;          // of a variable; NULL: none is given
    double factor;                     // how many of `shown` one `unit` is
} hol_equation;

typedef struct hol_user_state {
    const char *name;
    const char *unit; // of laws of joints; NULL: none is known
    int equation;     // z that is its rate
    bool turned;      // of laws: signals show it with the other sign (`keep_axes`)
    double initial, size;
    bool forgets;                // of bristles: errors of what gives way do not add up
    double stiffness;            // of a bristle [N/m], of a rolling one [N m/rad]; 0: it is none
    double holds;                // part of its limit up to which it gives way to nothing
    const hol_equation *touched; // of a contact: what it becomes where shapes begin to touch; NULL: 0
    int contact;                 // its element, where that is given
} hol_user_state;

enum { HOL_RAMP_TARGET = 3, HOL_RAMP_SIZE };
// A parameter that events or programs change, or an input: a number in the memory.
typedef struct hol_held {
    const char *name;
    const char *unit; // of an input; NULL: none is given
    int slot;         // a linear one has more: value, slope [1/s], time of the value [s], target
    double initial;
    bool outside; // programs set it
    bool input;   // it is no parameter
    bool linear;
} hol_held;

typedef struct hol_set { // of a state, or of a memory slot
    bool is_state;
    int index;
    hol_equation value;
} hol_set;

#define HOL_MADE_NEVER 1e30 // a speed that sets no damping, before an onset
// What the pose and the velocities of a start set. in_runs: in runs alone, which know onsets; statics and modes do not.
typedef struct hol_start_set {
    hol_set set;
    bool in_runs;
} hol_start_set;

typedef struct hol_switch { // of an element
    int slot;
    bool on, rows; // rows: it has constraint rows
} hol_switch;

typedef struct hol_event {
    const char *name;
    hol_src at;
    hol_equation *when; // passes through 0; NULL: at times
    int direction;      // +1 rising, -1 falling, 0 both
    double every;       // [s]; 0: none
    int n_times;
    const double *time; // [s], increasing                                        (n_times)
    bool stop, once;
    bool touch;        // of a contact: `when` is a distance of shapes, which may touch for long
    bool lets_go;      // of a smooth stop: its force ends there, which a step that goes over it does not know
    const char *print; // NULL: nothing
    int n_sets, n_switches;
    hol_set *set;
    hol_switch *change;
    int of;             // 1 + the contact that it belongs to; 0: none
    int impact;         // 1 + the force along whose coordinate the velocities turn around; 0: none
    hol_equation *rate; // of this coordinate; of the onset of a smooth stop too
    double yield,
        exponent; // of such an onset: the depth that follows from a rate c' is (yield c'^2)^(1/(exponent + 1)); 0: of others
    int sense; // of a rate that goes into the stop
    double restitution,
        slowest; // slowest: of the speed after it, below which the joint comes to rest; 0: by natural size
    hol_equation *push; // of impacts: the second derivative of the coordinate
    int rest; // 1 + what holds the joint at rest at its stop: an impact may switch it on, another event lets go
    int side; // memory slots: the sense of the stop at which it rests, and the force that does not pull it off
    int sign,
        count; // memory slots: the sign of `when` at the last accepted point (0: not known), times it has happened
} hol_event;

// The range of a joint's coordinate, with stops at its ends.
typedef struct hol_range {
    const char *name, *path; // "hinge.limits", "joints.hinge.limits.range"
    hol_src at;
    double lo, hi;            // lo: -inf where there is no lower stop
    bool hard, length, known; // known: the full turns of an angle do not follow from the pose alone
    const char *turns;        // what the file says before their number: "", "{angle1: "; NULL: it says none
    double given;             // full turns that the file gives
    int force;                // the element that acts at the stops
    hol_equation place;       // the coordinate
} hol_range;

#endif
