// The element interface: what a body, joint, driver or force supplies, exactly.
//
// An element sees its own coordinates only, y = (q of its bodies in the order attached, t), w = y' = (v, 1), and
// writes small dense row-major arrays; the system layer scatters them. With t as the last entry of y, one set of
// functions covers everything the methods need (docs/theory.md, section 2):
//
//     phi_y    = [Phi_q  Phi_t]                         phi_yw w = -tau, the right-hand side at acceleration level
//     phi_yw   = (Phi_y w)_y = [(Phi_q v + Phi_t)_q  ..] gives W, Phi_tt, tau_v = -2 W, and (Phi_q a)_q with w = (a, 0)
//     phi_yww  = ((Phi_y w)_y w)_y = -[tau_q  tau_t]
//     phi_lam  = (Phi_y^T lam)_y: K_phi, and Phi_qt^T lam in its last column
//
// A NULL function means zero. Functions never branch on anything but hol_re(), never fail and own no mutable data:
// a result that is not finite is found and reported by the caller.
//
// To add an element: one new file beside the others and one line in table.c.
#ifndef HOL_ELEMENT_H
#define HOL_ELEMENT_H

#include "base/option.h"
#include "element/marker.h"
#include "element/measured.h"
#include "element/mirror.h"
#include "element/primitive.h"
#include "element/turns.h"

typedef enum hol_role {
    HOL_ROLE_BODY,
    HOL_ROLE_JOINT,
    HOL_ROLE_DRIVER,
    HOL_ROLE_CONSTRAINT,
    HOL_ROLE_FORCE,
    HOL_ROLES
} hol_role;

enum { HOL_MAX_ROWS = 6, HOL_MAX_JOINTS = 3, HOL_MAX_MEMORY = HOL_TURNS_SIZE * HOL_MAX_JOINTS };
enum { HOL_AXES_FIRST = 1, HOL_AXES_SECOND = 2, HOL_AXES_BOTH = 3 }; // a point mass has none

// What couplers take as a joint's coordinate: of the second end against the first.
typedef enum hol_coordinate {
    HOL_COORDINATE_NONE,
    HOL_COORDINATE_ANGLE, // about z, full turns counted
    HOL_COORDINATE_STROKE // along z (2D: x)
} hol_coordinate;

// Is a joint cut, where a method makes a tree of the joints (system/forest.h)?
typedef enum hol_loop_choice { HOL_LOOP_AUTO, HOL_LOOP_YES, HOL_LOOP_NO } hol_loop_choice;

// What holds in a row of a joint.
typedef struct hol_row {
    const char *direction; // "x", "rotation about z", "distance", ...
    bool is_length;        // natural size: a length, else an angle
} hol_row;

// One end of an element as the compiler resolved it.
typedef struct hol_end {
    int body;           // -1: ground
    int place;          // the model's marker that was named; -1: none
    hol_marker *marker; // stands beside the element's data in memory
} hol_end;

// The same for set-up, with what is true at the drawn pose.
typedef struct hol_drawn_end {
    int body;
    const hol_marker *marker;
    double origin[3]; // of the marker, global [m]
    double theta;     // planar: marker angle (unwrapped) [rad]
} hol_drawn_end;

typedef struct hol_element hol_element;

// A number that an element takes: a function of time, or an unknown of the users' equations.
typedef struct hol_input {
    const hol_expr *time; // NULL: the unknown z
    int z;
    const struct hol_equation *beyond; // what is asked of a motor beyond its `max`; NULL: it has none
} hol_input;

// A constraint's expression and what it measures; the markers take the element's y.
enum { HOL_MEASURED_LEAVES = 24 };
typedef struct hol_measured_formula {
    const hol_expr *expr;
    int n;
    const hol_measured *leaf;
    const hol_src *at;   //                                                        (n)
    const double *turns; // full turns of angles beside what a pose tells [rad]; NULL: none            (n)
    double period; // what is held: a full turn of its one angle in space changes it by that; 0: there is none
} hol_measured_formula;
struct hol_element;
extern const struct hol_element_type hol_constraint_position, hol_constraint_velocity;
// Of a constraint given by an expression; NULL: it is none. is_rate: at velocity level.
const hol_measured_formula *hol_constraint_formula(const struct hol_element *e, bool *is_rate);
// The same constraint with full turns of its angles (n); *data and they are the caller's.
struct hol_element hol_constraint_turned(const struct hol_element *e, const double *turns,
                                         hol_measured_formula *data);

// A body as a rigid one or a point mass, for methods that take it directly.
typedef struct hol_inertia {
    double m; // [kg]
    double
        J[9]; // tensor about the centre of mass, body axes; in the plane J[8] alone; point masses: 0 [kg m^2]
    double g[3]; // gravity [m/s^2]
} hol_inertia;

// What an element's set-up gets: resolved ends, option values, the model's frame.
typedef struct hol_setup {
    hol_context *ctx;
    hol_arena *arena;
    int dimension;    // 2 or 3
    const char *path; // for messages: "joints.hinge"
    hol_src at;
    const hol_value *value; // by option row of the type
    int n_ends;
    const hol_drawn_end *end; // couplers: both ends of the first joint, then of the second, ...
    int n_joints;
    const struct hol_element_type *joint_type[HOL_MAX_JOINTS]; // of the joints coupled
    const hol_measured_formula *formula;                       // constraints
    int ny;
    const hol_real *y; // at the drawn pose and time 0                                   (ny)
    double gravity[3]; // [m/s^2]
    double com[3];     // bodies: centre of mass in the body frame [m]
    // Of the file that the element is of: signs of coordinates, those of the joints coupled, and the images of its axes, which are the
    // columns of `axes` for forces and `turns` for torques (unit matrices in the model's own file); `place` is its origin.
    hol_mirror mirror, joint_mirror[HOL_MAX_JOINTS];
    double axes[9], turns[9], place[3];
    hol_status *status; // of what cannot return one
} hol_setup;

typedef struct hol_element_type {
    const char *name;
    const char *aliases; // words separated by '|', or NULL
    hol_role role;
    int dimensions;            // 2, 3, or 5 for both
    int ends;                  // markers it is attached to (bodies and couplers: 0)
    int joints;                // couplers: joints whose coordinates they couple, -1: two or three; else 0
    hol_coordinate coordinate; // what couplers take of a joint
    const struct hol_joint_coordinate
        *named[2]; // joints: their coordinates by name, in the plane and in space (coordinate.h); NULL: none
    const struct hol_element_type *in_joint; // forces with one end: the type that `joint:` makes of it
    hol_frame frame;                         // bodies: the kind of their coordinates
    bool pieces; // made of functions that may be constant somewhere and not elsewhere (tables, min, step)
    enum {
        HOL_ONE_AXIS,
        HOL_TWO_ARMS,      // at right angles
        HOL_TWO_SHAFTS     // in line where one axis is given
    } two_axes;            // with `at`: `axis` and `axis2`
    bool components;       // forces: of components, whose directions `axes` may give
    bool turns;            // forces: linear in an angle between its bodies, and may be stiff
    bool any_frame;        // no direction is singled out: `axis` may be left away with `at`
    const char *drives[2]; // drivers: a row of a joint that holds what they move; dimension 2 and 3
    int axes[2];           // ends whose axes it uses (HOL_AXES_..), in models of dimension 2 and 3
    const char *doc;       // one line
    const hol_option *options;
    size_t data_size;
    size_t (*data_used)(const void *data); // bytes really used after setup; NULL: data_size. At most 2048
    // Fills the (zeroed) data and e->n_rows, e->n_mem. Errors name the option at fault.
    hol_status (*setup)(const hol_setup *in, void *data, hol_element *e);

    // Constraints.                                           e->n_rows rows
    //   phi (rows), J = phi_y (rows x ny); either may be NULL. Only phi depends on the memory, by whole turns and by what is held, which
    //   are constants: mem may be NULL when phi is.
    void (*phi)(const void *data, int ny, const hol_real *y, const double *mem, hol_real *phi, hol_real *J);
    void (*phi_yw)(const void *data, int ny, const hol_real *y, const hol_real *w,
                   hol_real *J); // (rows x ny)
    void (*phi_yww)(const void *data, int ny, const hol_real *y, const hol_real *w,
                    hol_real *J); // (rows x ny)
    // phi_y and phi_yw w (rows) in one go; NULL: they are taken from phi and phi_yw
    void (*phi_along)(const void *data, int ny, const hol_real *y, const hol_real *w, hol_real *J,
                      hol_real *along);
    void (*phi_lam)(const void *data, int ny, const hol_real *y, const hol_real *lam,
                    hol_real *H); // H += (ny x ny)
    hol_row (*row)(const void *data, int row);
    // Joints that hold what is, not what they were made for: an event has switched them on at y, which the memory keeps. NULL: others.
    // Why that cannot be held; NULL: it is.
    const char *(*hold)(const void *data, int ny, const hol_real *y, double *mem);
    // The data for what the memory holds, where values of the rows are not all of it: those that `setup` made, or else made at `own`
    // (held_size), whatever `data` were made at. own NULL: `data` if they are those, else NULL.
    const void *(*held)(const void *data, const double *mem, void *own);
    size_t held_size;

    // Bodies.
    void (*inertia)(const void *data, hol_inertia *out);
    // Mass, and its product with a vector differentiated.
    void (*mass)(const void *data, const hol_real *y, hol_real *M);                          // (nq x nq)
    void (*mass_times)(const void *data, const hol_real *y, const hol_real *a, hol_real *f); // f = M a
    void (*mass_a)(const void *data, const hol_real *y, const hol_real *a,
                   hol_real *K); // (M a)_y (nq x ny); zeroed
    // What is no body and has inertia: that of a function c of its bodies' pose. Returns the inertia; c_y (ny), and of c'' what is
    // without accelerations.
    hol_real (*resist)(const void *data, int ny, const hol_real *y, const hol_real *w, hol_real *c_y,
                       hol_real *bent);
    // Where c is an angle about z: the frame of two that turns against the other one, the inertia, and `spin` below. NULL: c is none.
    const hol_marker *(*turned)(const void *data, double *inertia, double *spin);

    // What of it turns with its first body: T has spin c' (axis.omega), where the axis is fixed to that body and of a length of 1. Returns
    // spin [kg m^2]; axis (3) and its rate (3), global. NULL: nothing does.
    hol_real (*spin)(const void *data, const hol_real *y, const hol_real *w, hol_real *axis, hol_real *bend);

    // Velocity constraints Psi(y, w) = 0.                     e->n_rates rows
    //   psi (rates), their derivatives Psi_y, Psi_w (rates x ny); each may be NULL
    void (*rate)(const void *data, int ny, const hol_real *y, const hol_real *w, hol_real *psi,
                 hol_real *Psi_y, hol_real *Psi_w);
    void (*rate_kap)(const void *data, int ny, const hol_real *y, const hol_real *w, const hol_real *kap,
                     hol_real *H_y, hol_real *H_w); // (Psi_w^T kap)_y, (Psi_w^T kap)_w += (ny x ny)
    void (*rate_dot)(const void *data, int ny, const hol_real *y, const hol_real *w, const hol_real *b,
                     hol_real *H_y, hol_real *H_w); // (Psi_y w + Psi_w b)_y and _w, (rates x ny)

    // Forces in a joint whose one input follows from the joint's force F and the rate v of its coordinate: the expression.
    const char *(*law)(const hol_value *value, hol_arena *arena);
    // Generalised force Q(q,v,t,u), with everything on the right-hand side (also the velocity terms of the inertia).
    // u are the element's inputs, the functions among its options in their order.                (n_inputs)
    void (*force)(const void *data, int ny, const hol_real *y, const hol_real *w, const double *mem,
                  const hol_real *u, hol_real *Q); // +=
    void (*force_d)(const void *data, int ny, const hol_real *y, const hol_real *w, const double *mem,
                    const hol_real *u, hol_real *Q_y, hol_real *Q_v); // += (nq x ny), (nq x nq); u constant
    void (*force_u)(const void *data, int ny, const hol_real *y, hol_real *Q_u); // += (nq x n_inputs)
    // Potential energy and its rate along w (conservative part only; the rest of Q.v is counted as work). V_w NULL: it is not wanted.
    void (*energy)(const void *data, int ny, const hol_real *y, const hol_real *w, const double *mem,
                   hol_real *V, hol_real *V_w);
    // The part of it that power is counted by, where the rate of the rest has no bound: what the rest has changed by in a step is work
    // without a quadrature. NULL: all of it.
    void (*bounded)(const void *data, int ny, const hol_real *y, const hol_real *w, hol_real *V,
                    hol_real *V_w);
    // A number that expressions may take of it, with its derivatives (ny each), which may be NULL. It depends on no input.
    // mem NULL: an event has switched the element off.
    void (*observe)(const void *data, int ny, const hol_real *y, const hol_real *w, const double *mem,
                    int which, hol_real *f, hol_real *f_y, hol_real *f_w);
    // Brings the memory (turn counters, HOL_TURNS_SIZE each) up to an accepted state.          e->n_mem slots
    void (*remember)(const void *data, int ny, const hol_real *y, const hol_real *w, double *mem);
    // Which of its own expressions has no finite value or derivative at (y, w); NULL: it has no expressions.
    bool (*explain)(hol_context *ctx, const void *data, int ny, const hol_real *y, const hol_real *w,
                    hol_expr_fault *out);
    // Where the force is not smooth in one quantity, such as a bump's edges over the place on the road, so that steps can
    // end there: its present value, and the edges in ascending order, how many there are; at most `most` are written.
    double (*edge_argument)(const void *data, int ny, const hol_real *y);
    int (*edges)(const void *data, double *x, int most);
} hol_element_type;

struct hol_element {
    const hol_element_type *type;
    const void *data;
    const char *name;
    hol_src at;
    const hol_end *end;       //                                            (n_ends)
    const hol_input *input;   //                                            (n_inputs)
    int body[HOL_MAX_BODIES]; // bodies whose coordinates make up y
    int row, rate, mem;       // first constraint row in lam, velocity constraint in kap, memory slot
    int gate;                 // 1 + the memory slot that switches it off when 0; 0: none
    unsigned char n_bodies : 4;
    unsigned char n_rows : 4; // constraint rows: none where it is switched off
    signed char n_inputs;
    signed char ny;     // entries of y; ny-1 coordinates and time
    signed char decade; // of constraints: their natural size is 10 to that times a length
    unsigned char n_ends : 4;
    unsigned char
        n_laws : 4; // joints: how many elements behind it are its laws; hard limits: 1, what holds the joint at rest
    unsigned char n_mem : 4;   // memory slots of turns; behind them those of what is held (hol_element_held)
    unsigned char n_rates : 3; // velocity constraints, as n_rows
    bool flipped : 1; // joints in space: Euler parameters of frame 2 against frame 1 are drawn with e0 < 0
    unsigned char all_rows : 4; // as many as it has when it acts
    unsigned char all_rates : 3;
    bool idle : 1;          // it does not act at the start
    hol_mirror mirror : 4;  // of what its file, or that of what acts on a joint, calls a coordinate
    unsigned char loop : 2; // hol_loop_choice of joints: does it close a loop of the tree of joints?
    bool referred : 1;      // joints: others take its ends (drivers, couplers, forces in joints)
    bool turned : 1; // of what acts on a joint: signals show its angle with the other sign (`keep_axes`)
};

// Memory slots of what a joint holds, one for each row.
static inline int hol_element_held(const hol_element *e) { return e->type->hold ? e->all_rows : 0; }

// Rows of joint types whose coordinate may have laws (model/laws.h): what unit their coordinate and their effort have, the key of the
// place at which their spring is free.
// clang-format off
#define HOL_LAW_ROWS(name, c, T, I, free, limits, motor, friction) \
    {"stiffness", HOL_NUMBER, T "/" c, 0, -HOL_INF, HOL_INF, HOL_OF_LAW, NULL, "spring on the joint's " name}, \
    {free, HOL_NUMBER, c, 0, -HOL_INF, HOL_INF, HOL_OF_LAW, NULL, name " at which that spring is free"}, \
    {"damping", HOL_FUNCTION, T " s/" c, 0, -HOL_INF, HOL_INF, HOL_LEAVES | HOL_OF_LAW, NULL, \
     "damper on it; an expression may depend on the rate"}, \
    {"armature", HOL_NUMBER, I, 0, 0, HOL_INF, HOL_OF_LAW, NULL, \
     "inertia of the motor at its shaft: the joint feels it times the square of the gear"}, \
    {"preload", HOL_FUNCTION, T, 0, -HOL_INF, HOL_INF, HOL_LEAVES | HOL_OF_LAW, NULL, "what drives it up, always"}, \
    {"limits", HOL_MAP, "", 0, 0, 0, HOL_OF_LAW, limits, "stops at the ends of its range"}, \
    {"motor", HOL_MAP, "", 0, 0, 0, HOL_OF_LAW, motor, "what drives it"}, \
    {"friction", HOL_MAP, "", 0, 0, 0, HOL_OF_LAW, friction, "dry friction, brake or clutch"}
// clang-format on
// Of joint types with one angle that counts full turns in space.
#define HOL_TURNS_ROW(angle)                                                                                 \
    {                                                                                                        \
        "turns", HOL_INTEGER, "", 0, -1e6, 1e6, HOL_OF_LAW | HOL_ONLY_3D, NULL,                              \
            "full turns in which " angle " begins: it is drawn between -180 deg and 180 deg, and counted "   \
            "from there; a driver of the angle says by itself how many there are"                            \
    }
#define HOL_ANGLE_LAWS                                                                                       \
    HOL_LAW_ROWS("angle", "rad", "N m", "kg m^2", "angle", "limits_angle", "motor_angle", "friction_angle"), \
        {"rotor",                                                                                            \
         HOL_CHOICE,                                                                                         \
         "",                                                                                                 \
         0,                                                                                                  \
         0,                                                                                                  \
         0,                                                                                                  \
         HOL_OF_LAW,                                                                                         \
         "full|classic",                                                                                     \
         "full: the armature turns with the joint's first body, whose inertia has it; classic: it "          \
         "counts "                                                                                           \
         "as if that body did not turn"},                                                                    \
        HOL_TURNS_ROW("its angle")
#define HOL_STROKE_LAWS                                                                                      \
    HOL_LAW_ROWS("stroke", "m", "N", "kg", "length", "limits_stroke", "motor_stroke", "friction_stroke")

// What `joint:` makes of torque and force, and what armatures are.
extern const hol_element_type hol_force_joint_torque, hol_force_joint_force, hol_force_rotor,
    hol_force_inerter;
// What holds a joint that rests at a hard stop; no type of the file.
extern const hol_element_type hol_joint_lock, hol_joint_stop, hol_joint_elastic_angle,
    hol_joint_elastic_stroke;
// Their options.
enum {
    HOL_ELASTIC_STIFFNESS,
    HOL_ELASTIC_COORDINATE,
    HOL_ELASTIC_EXPONENT,
    HOL_ELASTIC_BELOW,
    HOL_ELASTIC_ABOVE,
    HOL_ELASTIC_SIZE
};
extern const hol_element_type *const hol_element_types[]; // all of them, NULL at the end
// By name or alias. A type that exists in the other dimension only is returned too: look at ->dimensions.
const hol_element_type *hol_element_find(hol_role role, int dimension, const char *name);
// A type of any role by its name, an alias, or their plural; NULL: there is none.
const hol_element_type *hol_element_of_any_role(int dimension, const char *word);
extern const char *const hol_role_lists[HOL_ROLES]; // "bodies", "joints", ..: the lists of the model file
extern const char *const hol_role_names[HOL_ROLES]; // "body", "joint", ..
const char *hol_element_suggest(hol_role role, int dimension, const char *name); // "did you mean", or NULL

// ---- shared by joints: a list of primitives -------------------------------------------------------------------

typedef struct hol_prims {
    int n;
    hol_prim p[HOL_MAX_ROWS];
} hol_prims;

// Appends a primitive between the two ends; POINT takes the dimension's rows, the others one.
hol_prim *hol_prims_add(hol_prims *list, const hol_setup *in, hol_prim_kind kind, int axis1, int axis2,
                        const char *label);
void hol_prims_point(hol_prims *list, const hol_setup *in);    // r2 = r1
void hol_prims_parallel(hol_prims *list, const hol_setup *in); // 3D: z axes coincide in direction
void hol_prims_angle(hol_prims *list, const hol_setup *in); // equal angle about z (2D), or TURN about z (3D)
// Constant distance: the value of an option, or as drawn; the error says what to use instead of a distance of 0.
hol_status hol_prims_distance(hol_prims *list, const hol_setup *in, const hol_value *length,
                              const char *otherwise);
void hol_prims_done(const hol_prims *list, hol_element *e); // sets e->n_rows

bool hol_prims_timed(const hol_prims *list); // do its rows depend on time?

size_t hol_prims_used(const void *data);
void hol_prims_phi(const void *data, int ny, const hol_real *y, const double *mem, hol_real *phi,
                   hol_real *J);
void hol_prims_phi_along(const void *data, int ny, const hol_real *y, const hol_real *w, hol_real *J,
                         hol_real *along);
void hol_prims_phi_yw(const void *data, int ny, const hol_real *y, const hol_real *w, hol_real *J);
void hol_prims_phi_yww(const void *data, int ny, const hol_real *y, const hol_real *w, hol_real *J);
void hol_prims_phi_lam(const void *data, int ny, const hol_real *y, const hol_real *lam, hol_real *H);
hol_row hol_prims_row(const void *data, int row);
bool hol_prims_explain(hol_context *ctx, const void *data, int ny, const hol_real *y, const hol_real *w,
                       hol_expr_fault *out);

#define HOL_PRIMS_FUNCTIONS                                                                                  \
    .data_size = sizeof(hol_prims), .data_used = hol_prims_used, .phi = hol_prims_phi,                       \
    .phi_yw = hol_prims_phi_yw, .phi_yww = hol_prims_phi_yww, .phi_along = hol_prims_phi_along,              \
    .phi_lam = hol_prims_phi_lam, .row = hol_prims_row, .explain = hol_prims_explain

// ---- shared by couplers and screws: one row, a weighted sum of coordinates ------------------------------------

// sum_k ratio_k (s_k - drawn_k) = 0. Angles in space count full turns; their memory is s - drawn, so that it starts at 0.
typedef struct hol_sum {
    int n, n_mem;
    hol_prim s[HOL_MAX_JOINTS];
    double ratio[HOL_MAX_JOINTS], drawn[HOL_MAX_JOINTS]; //                                (n)
    int slot[HOL_MAX_JOINTS];                            // in the memory, -1: no turns to count
    const char *label;
} hol_sum;

// Appends the coordinate of the ends end[first], end[first + 1].
void hol_sum_add(hol_sum *sum, const hol_setup *in, hol_coordinate coordinate, int first, double ratio);
// The same for the k-th joint coupled, of a type that has one; an error if it holds a point mass.
hol_status hol_sum_add_joint(hol_sum *sum, const hol_setup *in, int k, double ratio);
// Divides by the largest ratio, so that the row has the size of a length or an angle; sets e->n_rows and e->n_mem.
void hol_sum_done(hol_sum *sum, hol_element *e, const char *label);
// SI units per unit of column 0 (x) or 1 (y) of the table of an option, where `unit` ("m", "rad") is wanted.
hol_status hol_table_unit(const hol_setup *in, const hol_value *value, int column, const char *unit,
                          double *out);
// Error if no body carries both joints: their coordinates would refer to different things.
hol_status hol_sum_check_carrier(const hol_setup *in);

void hol_sum_phi(const void *data, int ny, const hol_real *y, const double *mem, hol_real *phi, hol_real *J);
// The same less what is held [that of the sum].
void hol_sum_phi_held(const void *data, int ny, const hol_real *y, const double *mem, double held,
                      hol_real *phi, hol_real *J);
void hol_sum_phi_yw(const void *data, int ny, const hol_real *y, const hol_real *w, hol_real *J);
void hol_sum_phi_yww(const void *data, int ny, const hol_real *y, const hol_real *w, hol_real *J);
void hol_sum_phi_lam(const void *data, int ny, const hol_real *y, const hol_real *lam, hol_real *H);
hol_row hol_sum_row(const void *data, int row);
// Of a screw: the stroke along z of its first end by the angle of the second end's marker against that of the first [m/rad].
double hol_screw_pitch(const hol_element *e);
void hol_sum_remember(const void *data, int ny, const hol_real *y, const hol_real *w, double *mem);

#define HOL_SUM_DERIVATIVES                                                                                  \
    .data_size = sizeof(hol_sum), .phi_yw = hol_sum_phi_yw, .phi_yww = hol_sum_phi_yww,                      \
    .phi_lam = hol_sum_phi_lam, .row = hol_sum_row, .remember = hol_sum_remember
#define HOL_SUM_FUNCTIONS HOL_SUM_DERIVATIVES, .phi = hol_sum_phi

// ---- shared by forces: a linear law in several primitives -----------------------------------------------------

// Forces f = K (s - s0) + C s' + F in the coordinates s(y); generalised force -s_q^T f.
typedef struct hol_law {
    int n;
    bool adds;         // an input F is added to the first force
    bool counts_turns; // s[0] is unwrapped with memory
    double s0[HOL_MAX_ROWS];
    hol_prim s[HOL_MAX_ROWS];
    double K[HOL_MAX_ROWS * HOL_MAX_ROWS]; // stiffness, row by row      (n x n)
    double C[HOL_MAX_ROWS * HOL_MAX_ROWS]; // damping                    (n x n)
} hol_law;

#define HOL_COINCIDENT 1e-14 // [m]: a line between two points that are no farther apart has no direction

// The coordinates of frame 2 in the axes of frame 1: displacements, and rotations unless the second end is a point mass.
void hol_law_frames(const hol_setup *in, hol_law *law);

void hol_law_force(const void *data, int ny, const hol_real *y, const hol_real *w, const double *mem,
                   const hol_real *u, hol_real *Q);
void hol_law_force_d(const void *data, int ny, const hol_real *y, const hol_real *w, const double *mem,
                     const hol_real *u, hol_real *Q_y, hol_real *Q_v);
void hol_law_force_u(const void *data, int ny, const hol_real *y, hol_real *Q_u);
void hol_law_energy(const void *data, int ny, const hol_real *y, const hol_real *w, const double *mem,
                    hol_real *V, hol_real *V_w);
void hol_law_remember(const void *data, int ny, const hol_real *y, const hol_real *w, double *mem);

// Does a law have a rotation vector, as bushings and beams in space? Its size, how far frame 2 has turned against frame 1 [rad].
bool hol_law_has_rotation(const void *data);
double hol_law_turn(const void *data, int ny, const hol_real *y);

// Is it of the distance of two points that are at one place and do not move against each other?
bool hol_law_is_undirected(const void *data, int ny, const hol_real *y, const hol_real *w);

#define HOL_LAW_FUNCTIONS                                                                                    \
    .data_size = sizeof(hol_law), .force = hol_law_force, .force_d = hol_law_force_d,                        \
    .force_u = hol_law_force_u, .energy = hol_law_energy, .remember = hol_law_remember

// ---- shared by forces in a joint: one input along its coordinate ----------------------------------------------

typedef struct hol_effort {
    hol_prim s;       // the coordinate that couplers take, unless one is named:
    bool named;       // a coordinate of the joint by its name
    signed char sign; // of what is named, as the file of the force has it; of what has a potential always
    hol_quantity of;
    // What of the input has the potential K (d^(n + 1) + D^(n + 1))/(n + 1), d and D how far c is below and above two places: a spring
    // (one place), stops (the ends of a range).
    double stiffness, exponent, below, above;
    bool turns; // c counts full turns, by the memory of the joint, which e->mem is
} hol_effort;

// Adds c_y (ny). Does the coordinate have the unit of a length?
void hol_effort_direction(const hol_effort *f, int ny, const hol_real *y, hol_real *row);
bool hol_effort_is_length(const hol_effort *f);

// The coordinate of the joint that the force acts in, which must be of this kind; text: what is said if it is not, of path and type.
hol_status hol_joint_take(const hol_setup *in, hol_coordinate wanted, const char *text, hol_prim *out);
void hol_effort_force(const void *data, int ny, const hol_real *y, const hol_real *w, const double *mem,
                      const hol_real *u, hol_real *Q);
void hol_effort_force_d(const void *data, int ny, const hol_real *y, const hol_real *w, const double *mem,
                        const hol_real *u, hol_real *Q_y, hol_real *Q_v);
void hol_effort_force_u(const void *data, int ny, const hol_real *y, hol_real *Q_u);

#define HOL_EFFORT_FUNCTIONS                                                                                 \
    .data_size = sizeof(hol_effort), .force = hol_effort_force, .force_d = hol_effort_force_d,               \
    .force_u = hol_effort_force_u

// A primitive between two ends, to be filled further: a coordinate as the file of the element has it, mirrored where that is. The rows
// of hol_prims_add are not: a joint holds in its image what it holds.
hol_prim hol_prim_between(const hol_setup *in, hol_prim_kind kind, int axis1, int axis2, const char *label);
// The coordinate of a joint between these ends: its stroke along z or x, its twist in space or angle in the plane.
hol_prim hol_coordinate_prim(const hol_setup *in, hol_coordinate coordinate, const hol_drawn_end *end,
                             hol_mirror mirror);
// Gives a primitive the sign that a mirror gives its value, by changing its markers.
void hol_prim_mirror(const hol_setup *in, hol_mirror mirror, hol_prim *p);
// f or -f.
hol_status hol_setup_function(const hol_setup *in, int sign, const hol_expr **f);

// Rows of a driver: the coordinate of this name and unit by its value, or by its speed or acceleration.
enum {
    HOL_DRIVER_VALUE,
    HOL_DRIVER_SPEED,
    HOL_DRIVER_ACCELERATION,
    HOL_DRIVER_START,
    HOL_DRIVER_START_SPEED
};
// clang-format off
#define HOL_DRIVER_ROWS(name, c) \
    {"value", HOL_FUNCTION, c, HOL_NONE, -HOL_INF, HOL_INF, 0, NULL, name " as a function of time"}, \
    {"speed", HOL_FUNCTION, c "/s", HOL_NONE, -HOL_INF, HOL_INF, 0, NULL, \
     "instead: its rate as a function of time, integrated exactly"}, \
    {"acceleration", HOL_FUNCTION, c "/s^2", HOL_NONE, -HOL_INF, HOL_INF, 0, NULL, \
     "instead: its second derivative, integrated exactly"}, \
    {"start", HOL_NUMBER, c, HOL_NONE, -HOL_INF, HOL_INF, 0, NULL, \
     "with speed or acceleration: its value at time 0; default: as drawn"}, \
    {"start_speed", HOL_NUMBER, c "/s", 0, -HOL_INF, HOL_INF, 0, NULL, \
     "with acceleration: its rate at time 0"}
// clang-format on
// The driver's value, as its file has it: what is given, or the integral of that; drawn: where it starts by default. An integral that has
// no closed form is an error.
hol_status hol_setup_driver(const hol_setup *in, double drawn, const hol_expr **f);
// The angle of frame 2 against frame 1 that the markers have on their bodies (2D).
double hol_marker_angle(const hol_setup *in);
// A one-row primitive at the drawn pose.
double hol_prim_drawn(const hol_setup *in, const hol_prim *p);
double hol_drawn_distance(const hol_setup *in); // of the two ends

#endif
