// The compiled model: numbered, resolved, immutable. Threads may share it. See docs/architecture.md.
#ifndef HOL_MODEL_H
#define HOL_MODEL_H

#include "model/equation.h"
#include "model/spec.h"

typedef struct hol_marker_info {
    const char *name;  // NULL: the body frame itself
    hol_marker marker; // iy is 0: the marker's functions take the body's own coordinates
} hol_marker_info;

typedef struct hol_body {
    const char *name;
    hol_src at;
    unsigned char frame;     // hol_frame
    signed char size;        // coordinates
    int q;                   // the first of them
    int marker, n_markers;   // range in model->marker; the first is the body frame itself
    double length;           // largest distance of two places on it [m]; 0: it has one place
    hol_names *marker_names; // to indices, where there are many; else NULL
} hol_body;

// What the assembly keeps as it is given: an element behind those of the model, which has rows in the equations of the assembly alone
// (system/assembly.h).
typedef struct hol_hold {
    const char *what; // for messages: "crank.angle"
    hol_src at;
    bool pose, motion; // it holds positions, velocities
} hol_hold;

// What must hold of the pose with which the model starts: the element's one row is above 0, or with sign -1 below.
typedef struct hol_require {
    const char *text, *path;
    hol_src at;
    hol_element element; // of the type `position`, no part of the model
    int sign;
} hol_require;

typedef struct hol_model_data {
    hol_context *ctx;
    hol_spec *spec; // owns the arena all of this lives in
    const char *title;
    int dimension;
    double length_scale, time_scale; // [m], [s]
    int n_bodies, n_elements, n_markers;
    hol_body *body;       //                                                        (n_bodies)
    hol_element *element; // the bodies' own elements first, in the same order      (n_elements)
    hol_names *body_names, *element_names; // to indices; elements: joints, drivers, forces
    hol_marker_info *marker; // bodies' in order, then ground's                        (n_markers)
    int ground_marker;       // first marker of ground
    hol_names *ground_names; // as those of a body
    int nq, nc, nk; // coordinates, constraint rows (all, redundant ones included), velocity constraints
    int n_mem;      // memory slots: the elements', then what is held
    int n_equations, n_states, n_held, n_at_start;
    hol_equation *equation;  //                                                        (n_equations)
    hol_user_state *state;   //                                                        (n_states)
    hol_held *held;          //                                                        (n_held)
    hol_start_set *at_start; // what the pose and the velocities of a start set          (n_at_start)
    int n_counters;
    hol_counter *counter; // angles of expressions that count full turns                    (n_counters)
    int n_begun;
    hol_begun *begun; // places of the memory of such angles that begin as the file says    (n_begun)
    int n_blocks;
    hol_block *block; //                                                        (n_blocks)
    bool has_edges;   // some force has places at which it is not smooth
    int n_kinks; // functions in expressions whose derivative jumps somewhere: a step across one has no more than order 1
    int n_events;
    hol_event *event; //                                                        (n_events)
    int n_ranges;
    hol_range *range;      // with stops at their ends                               (n_ranges)
    double *q0, *v0;       // as given, in the model's coordinates                    (nq)
    const double *drawn_q; // the same as drawn, without `pose:` and the turns that drivers choose (nq)
    const double
        *start_q; // q0 of the model itself, in switched ones too: natural sizes stay what they are    (nq)
    int *row_element; // element of each constraint row                          (nc)
    const unsigned char
        *given; // by body, what the file says of its pose and motion: HOL_OF_..           (n_bodies)
    const double *
        weight; // by body, of its change in the assembly; NULL: 1 of all                                  (n_bodies)
    // Of the assembly, none in a switched model. Their elements follow the others, their rows and memory those of these.
    int n_holds, hold_rows, hold_rates, hold_mem;
    hol_hold *hold; //                                                        (n_holds)
    int n_requires;
    const hol_require *require; //                                            (n_requires)
    int n_switched; // joints, drivers and constraints that events switch or that do not act at the start
    int n_stops;    // of these, what holds joints at rest at their hard stops
    int n_swarms;
    struct hol_swarm_rule
        *swarm; // contacts of so many pairs that they are no elements (model/swarm.h)   (n_swarms)
    // Of a switched model (model/switched.h): where it begins. NULL: as drawn.
    const struct hol_beginning *beginning;
    const struct hol_linearise *linearise;
    // Of `contacts:` (model/contacts.h).
    int n_contact_rows, n_contacts_left, n_contact_sums; // left: rows of pairs of shapes that are left out
    bool left_out_untold;                                // there are more of these, without rows
    struct hol_contact_row *contact_row;                 // in the order of the rules
    struct hol_contact_sum *contact_sum; // those of rules, then those of pairs by their first contacts
} hol_model_data;

// What `linearise:` names: an input, a tunable parameter or a driver.
typedef struct hol_port {
    const char *name, *unit; // "" for pure numbers, and where it is not known
    int held, driver;        // index among those that are held; element; -1: it is none
    int sign;                // of a driver: -1 in mirrors that turn its value around
} hol_port;

typedef struct hol_linearise {
    int n_inputs, n_outputs, n_coordinates;
    const hol_port *input;      //                                                    (n_inputs)
    const hol_equation *output; // names are their texts; expr NULL: the value of the one leaf  (n_outputs)
    const hol_element
        *coordinate; // elements of the types position and velocity, no part of the model  (n_coordinates)
    const hol_equation *counted; // the same as expressions, whose angles count full turns    (n_coordinates)
    const char *const *unit;     // of the coordinates                                 (n_coordinates)
} hol_linearise;

// Where a model begins that is not as drawn: at some time, with states and a memory.
typedef struct hol_beginning {
    double t;
    const double *X, *mem; //                                                        (n_states), (n_mem)
} hol_beginning;

// NULL on error, with the message in the context. The model takes over the spec.
hol_model_data *hol_model_compile(hol_spec *spec);
// A coordinate of a joint as expressions and results read it.
void hol_joint_leaf(const hol_element *joint, int dimension, const struct hol_joint_coordinate *c,
                    hol_leaf *out);
// The same with the sign that is shown outside of its file.
void hol_joint_leaf_seen(const hol_model_data *m, const hol_element *joint,
                         const struct hol_joint_coordinate *c, hol_leaf *out);
// What a measure of positions or velocities is as drawn, at time 0.
double hol_drawn_leaf(const hol_model_data *m, const hol_leaf *l);
// A spring between two markers, which counts full turns for itself.
static inline bool hol_counts_alone(const hol_element *e)
{
    return e->type->role == HOL_ROLE_FORCE && e->n_mem > 0;
}
// With `keep_axes`, for who sees the joint with this mirror: does an angle count the other way than within its file?
bool hol_leaf_turns_against(const hol_quantity *q, hol_mirror seen);
void hol_model_free(hol_model_data *m);
// Numbers the constraint rows of the elements that act with this memory, NULL: at the start; the others have none. row_element has room
// for all.
void hol_model_number_rows(hol_model_data *m, const double *mem);
// Has no event switched the element off, and did it begin on?
static inline bool hol_element_acts(const hol_element *e, const double *mem)
{
    return !e->gate || mem[e->gate - 1] != 0;
}
// Is it a joint, driver or constraint that has no rows in the model although it acts with this memory, or the other way round?
static inline bool hol_element_is_switched(const hol_element *e, const double *mem)
{
    return e->all_rows + e->all_rates > 0 && hol_element_acts(e, mem) != (e->n_rows + e->n_rates > 0);
}
// Does it act as before and hold something else than this memory says?
static inline bool hol_element_holds_other(const hol_element *e, const double *mem)
{
    return e->type->held && e->n_rows && !e->type->held(e->data, mem + e->mem, NULL);
}
int hol_model_switched(const hol_model_data *m, const double *mem); // the first of either; -1: none

int hol_model_find_body(const hol_model_data *m, const char *name);    // -1: unknown
int hol_model_find_element(const hol_model_data *m, const char *name); // joints, drivers, forces; -1: unknown
// The index of a marker of a body, or of ground: -1. -1: there is none.
int hol_model_find_marker(const hol_model_data *m, int body, const char *name);
int hol_model_marker_body(const hol_model_data *m, int marker); // -1: ground
// Centre of mass in the body frame [m].
void hol_model_com(const hol_model_data *m, int body, double com[3]);

// "crank.tip", or the body's name alone, of end i of an element: as much as fits into text[size].
const char *hol_model_end(const hol_model_data *m, const hol_element *e, int i, char *text, size_t size);

// An end as set-up gets it.
hol_drawn_end hol_model_drawn_end(const hol_model_data *m, const hol_end *end);

// Gathers an element's y = (q of its bodies, t), and w = (v of its bodies, w_t); v may be NULL.
// The same for the bodies of a leaf.
void hol_gather(const hol_model_data *m, int n_bodies, const int *body, double t, const double *q,
                const double *v, double w_t, hol_real *y, hol_real *w);
void hol_element_gather(const hol_model_data *m, const hol_element *e, double t, const double *q,
                        const double *v, double w_t, hol_real *y, hol_real *w);
// out += c x, x being of the element's coordinates (ny - 1).
void hol_element_scatter(const hol_model_data *m, const hol_element *e, const hol_real *x, double c,
                         double *out);
// J = Phi_y (rows x ny), along = (Phi_y w)_y w (rows) and, if value is not NULL, Phi (rows) with the element's memory mem.
void hol_element_along(const hol_element *e, const hol_real *y, const hol_real *w, const double *mem,
                       hol_real *value, hol_real *J, hol_real *along);
// What a row holds: "joints.hinge" and "rotation about x".
hol_row hol_model_row(const hol_model_data *m, int row, const char **element);
double hol_element_row_size(const hol_model_data *m, const hol_element *e, int i); // natural size of a row
double hol_model_row_size(const hol_model_data *m, int row);
// Is coordinate k of the body a length (otherwise an angle or an Euler parameter)?
bool hol_model_is_length(const hol_model_data *m, int body, int k);
double hol_model_coordinate_size(const hol_model_data *m, int body,
                                 int k); // natural size of coordinate k of a body
// Its word, "x", "theta" or "qw", and its unit.
const char *hol_model_coordinate_word(const hol_model_data *m, int body, int k, const char **unit);
// The i-th number that programs set (inputs, tunable parameters), among all that are held; -1: there are fewer. How many there are.
int hol_model_input(const hol_model_data *m, int i);
int hol_model_inputs(const hol_model_data *m);
// What the numbers of a state mean: names, types and places in their order, hashed. Models that have it alike take each other's states.
unsigned long long hol_model_structure(const hol_model_data *m);

#endif
