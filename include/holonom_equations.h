// holonom: the equations of a model at a state, for programs that control, estimate, linearise or check.
//
//     M(q,t) a + Phi_q^T lam + Psi_v^T kap = Q(q,v,t),     Phi(q,t) = 0,     Psi(q,v,t) = 0,     a = v' = q''
//
// A handle is a model at one state: set the state, ask for what is wanted. What follows from the state is found when it is first
// asked for and kept until the state changes, so that the order of the calls does not matter. A first program:
//
//     hol_eom *eom = hol_eom_create(ctx, model, HOL_EOM_ASSEMBLED);
//     int n, one;
//     hol_eom_shape(eom, HOL_EOM_FORCES, &n, &one);
//     double *Q = malloc(n * sizeof *Q);
//     if (hol_eom_get(eom, HOL_EOM_FORCES, Q, n)) fprintf(stderr, "%s\n", hol_context_error(ctx));
//
// Coordinates q are those of the bodies: the centre of mass x, y[, z] in global axes and the angle theta or the Euler parameters
// qw, qx, qy, qz (scalar first, p.p = 1); the rates v are q', those of Euler parameters too: qw' to qz'. The normalisations
// p.p = 1 are rows of Phi; hol_check counts them among its constraints too. All rows of the model are in Phi, redundant ones too.
//
// Arrays are the caller's, matrices column-major: entry (i, j) of a matrix with r rows is at [i + j*r]. Their sizes are given as
// numbers of doubles and must be right: others are HOL_ERR_USAGE, as is what is not a finite number. SI units, angles in rad.
//
// Errors, as in holonom.h: HOL_ERR_USAGE where a call is wrong; HOL_ERR_INTEGRATION where something is not determined or not a
// finite number at the state (a singular pose, a square root of -1), named in the message of the context; HOL_ERR_MEMORY. The
// state is what it was then; of the caller's array a part may be written.
//
// Threads: a handle and its context are for one thread at a time; several handles may share a model. Nothing allocates after
// hol_eom_create, except where it is told, where the sparse solver chooses its pivots anew, and for messages.
#ifndef HOLONOM_EQUATIONS_H
#define HOLONOM_EQUATIONS_H

#include "holonom.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

// ---- a model at a state ---------------------------------------------------------------------------------------

typedef struct hol_eom hol_eom;

// The first state of a handle.
typedef enum hol_eom_start {
    HOL_EOM_ASSEMBLED, // that of a simulation: joints closed, velocities consistent; changes are told by the log
    HOL_EOM_AS_GIVEN // positions and velocities as the model file gives them, whether the joints close or not
} hol_eom_start;

// NULL: error; HOL_ERR_ASSEMBLY: the joints cannot be closed. The model must outlive the handle.
hol_eom *hol_eom_create(hol_context *ctx, const hol_model *model, hol_eom_start start);
void hol_eom_destroy(hol_eom *eom);

// ---- sizes and names ------------------------------------------------------------------------------------------

// What is numbered, from 0 on. The object and the part of its name in brackets, see hol_eom_name.
typedef enum hol_eom_list {
    HOL_EOM_COORDINATES,          // q: [crank].[x]; their rates v in the same order
    HOL_EOM_CONSTRAINTS,          // rows of Phi: [hinge].[rotation about x]
    HOL_EOM_VELOCITY_CONSTRAINTS, // rows of Psi: [wheel].[]
    HOL_EOM_STATES,               // users' states X: [level].[]
    HOL_EOM_VARIABLES,            // users' variables: [pressure].[]
    HOL_EOM_MARKERS,  // of bodies and ground: [crank].[tip]; frames themselves: [crank].[], [ground].[]
    HOL_EOM_ELEMENTS, // joints, drivers, constraints, forces: [hinge].[]
    HOL_EOM_MEMORY,   // what a model remembers, see hol_eom_get_memory
    HOL_EOM_INPUTS,   // inputs and tunable parameters: [torque].[], in the order of hol_simulation_input_name
    HOL_EOM_JOINT_COORDINATES, // see hol_eom_use_joints: [hinge].[angle]
    HOL_EOM_JOINT_RATES,       // [hinge].[angle]
    HOL_EOM_LISTS              // how many there are
} hol_eom_list;

// The whole name is object.part, or the object alone where the part is "". The texts live as long as the handle.
typedef struct hol_eom_name {
    const char *object, *part;
    const char *
        unit; // of the coordinate, the row, the variable; "" for pure numbers, and where there is none or it is not known
} hol_eom_name;

// How many there are in a list; of joint coordinates 0 before hol_eom_use_joints. -1: there is no such list.
int hol_eom_count(const hol_eom *eom, hol_eom_list list);
// The index of a whole name, -1: there is none.
int hol_eom_find(const hol_eom *eom, hol_eom_list list, const char *name);
// The name of an index. false: there is none.
bool hol_eom_name_of(const hol_eom *eom, hol_eom_list list, int i, hol_eom_name *out);

// ---- the state ------------------------------------------------------------------------------------------------

// A view of the present state, which the handle owns: good until the state changes or hol_eom_destroy.
hol_status hol_eom_get_state(const hol_eom *eom, hol_state_view *out);
// Copies a state, of hol_simulation_get_state or any other; arrays that are NULL stay as they are. It is taken as it is, on the
// constraints or not, at any time. HOL_ERR_USAGE: a size is wrong, a number is not finite, or the Euler parameters of a body are all
// 0. Couplers and drivers that count whole turns go on from those of the state before, to the nearest.
hol_status hol_eom_set_state(hol_eom *eom, const hol_state_view *state);
// The present state of a simulation, with its inputs and memory. Its model is this one, or has the same bodies, elements, variables, states
// and inputs (other settings, other values of parameters; the state may be off the constraints then). Errors are those of hol_simulation_get_state too.
hol_status hol_eom_take(hol_eom *eom, hol_simulation *sim);

// What a model remembers beside the state, of the list HOL_EOM_MEMORY: angles that count their turns, each with its rate and its time
// [rad, rad/s, s], of couplers, springs, joints and measures, parameters
// that events set, inputs, for each force that events switch 1: on, or 0: off, and for each event the sign of its expression and how often
// it has happened.
hol_status hol_eom_get_memory(const hol_eom *eom, double *memory, size_t size);
// To be called after hol_eom_set_state, which may change the turns.
hol_status hol_eom_set_memory(hol_eom *eom, const double *memory, size_t size);
// The value of an input of the list HOL_EOM_INPUTS; one with `hold: linear` stays there. HOL_ERR_USAGE: no such input, or no finite
// number.
hol_status hol_eom_set_input(hol_eom *eom, int input, double value);
double hol_eom_input(const hol_eom *eom, int input); // NaN: no such input

// What hol_eom_project has changed, in natural sizes (docs/theory.md, 4.4), velocities times the natural time.
typedef struct hol_eom_change {
    double position, velocity;                    // root of the sum of squares over all coordinates
    double most_position, most_velocity;          // of the coordinate that has changed most
    int position_coordinate, velocity_coordinate; // which; -1: none has changed
} hol_eom_change;

// Puts q onto Phi = 0 and v onto Phi_q v + Phi_t = 0 and Psi = 0, by changes that are small in the metric of the mass matrix.
// change may be NULL. HOL_ERR_ASSEMBLY: the joints cannot be closed from here, or their velocities contradict each other.
hol_status hol_eom_project(hol_eom *eom, hol_eom_change *change);

// ---- vectors and matrices -------------------------------------------------------------------------------------

// n_q, n_c, n_k, n_X, n_z, n_i: of coordinates, constraints, velocity constraints, states, variables, inputs; n_p, n_u: of joint coordinates and
// rates. Units of an entry follow from those of its row and column: of M_ij a they are those of the force Q_i, of lam_i J by the
// unit of row i.
typedef enum hol_eom_quantity {
    HOL_EOM_MASS,      // n_q x n_q: M, symmetric, singular along Euler parameters
    HOL_EOM_FORCES,    // n_q: Q: all forces, with weight and what velocities do in M a
    HOL_EOM_PHI,       // n_c: Phi
    HOL_EOM_PHI_Q,     // n_c x n_q: its Jacobian
    HOL_EOM_PHI_T,     // n_c: its partial derivative by time
    HOL_EOM_GAMMA,     // n_c: gamma of Phi_q a = gamma: -((Phi_q v)_q v + 2 Phi_qt v + Phi_tt)
    HOL_EOM_PSI,       // n_k: Psi
    HOL_EOM_PSI_Q,     // n_k x n_q: its Jacobian by q
    HOL_EOM_PSI_V,     // n_k x n_q: by v
    HOL_EOM_PSI_T,     // n_k: its partial derivative by time
    HOL_EOM_PSI_GAMMA, // n_k: gamma of Psi_v a = gamma: -(Psi_q v + Psi_t)
    // n_q: a; off the constraints too: those with Phi_q a = gamma. At a singular pose, where Phi_q has lost rank, more directions than
    // the joints allow are free in it; hol_eom_linearise refuses such poses.
    HOL_EOM_ACCELERATIONS,
    HOL_EOM_MULTIPLIERS, // n_c: lam: -Phi_q^T lam acts on the bodies; of redundant rows the smallest, as in reactions
    HOL_EOM_VELOCITY_MULTIPLIERS, // n_k: kap
    HOL_EOM_VARIABLE_VALUES,      // n_z: users' variables
    HOL_EOM_STATE_RATES,          // n_X: X'
    HOL_EOM_FORCES_Q, // n_q x n_q: dQ/dq; users' variables follow, accelerations and multipliers do not
    HOL_EOM_FORCES_V, // n_q x n_q: dQ/dv, in the same way
    HOL_EOM_FORCES_X, // n_q x n_X: dQ/dX
    HOL_EOM_FORCES_T, // n_q: dQ/dt
    HOL_EOM_FORCES_U, // n_q x n_i: dQ/du by inputs and tunable parameters, in the same way
    HOL_EOM_JOINT_POSITIONS,     // n_p: p, see hol_eom_use_joints
    HOL_EOM_JOINT_VELOCITIES,    // n_u: u
    HOL_EOM_JOINT_BASIS,         // n_q x n_u: N of v = N u + v0
    HOL_EOM_JOINT_DRIFT,         // n_q: v0: what drivers move
    HOL_EOM_JOINT_INERTIA,       // n_u x n_u: H = N^T M N, symmetric
    HOL_EOM_JOINT_BIAS,          // n_u: h of H u' + h = tau, tau . u a power: weight, forces, velocities
    HOL_EOM_JOINT_ACCELERATIONS, // n_u: u' where tau = 0
    HOL_EOM_QUANTITIES           // how many there are
} hol_eom_quantity;

// Rows and columns; vectors have one column. HOL_ERR_USAGE: there is no such quantity, or hol_eom_use_joints was not called.
hol_status hol_eom_shape(const hol_eom *eom, hol_eom_quantity what, int *rows, int *columns);
// Copies a quantity into values (rows x columns, column-major); size: rows * columns. The first tangents of the forces allocate, and the
// first multipliers of models with redundant rows.
hol_status hol_eom_get(hol_eom *eom, hol_eom_quantity what, double *values, size_t size);

// A sparse matrix in compressed columns: column j has the rows row[start[j]] .. row[start[j+1]-1], increasing.
typedef struct hol_csc {
    int n_rows, n_columns;
    const int *start;    // (n_columns + 1)
    const int *row;      // (start[n_columns])
    const double *value; // (start[n_columns])
} hol_csc;

// HOL_EOM_MASS, HOL_EOM_PHI_Q or HOL_EOM_PSI_V as a view into the handle; the pattern is the same at all states. Good until the
// state changes or hol_eom_destroy. HOL_ERR_USAGE: another quantity.
hol_status hol_eom_get_sparse(hol_eom *eom, hol_eom_quantity what, hol_csc *out);

// ---- markers --------------------------------------------------------------------------------------------------

// Global axes; in the plane z = 0 and rotations are about z. A point mass has the global axes.
typedef struct hol_eom_motion {
    double position[3], velocity[3]; // of the marker's origin [m], [m/s]
    double axes[9];  // its axes as columns: a vector u of the marker is axes * u in global axes
    double omega[3]; // angular velocity [rad/s]
} hol_eom_motion;

hol_status hol_eom_marker(hol_eom *eom, int marker, hol_eom_motion *out);
// velocity = J v and omega = Jr v, both in global axes, but for markers of ground, which move by functions of time alone: J = 0.
// Both are (3 x n_q), size is 3 n_q; one of them may be NULL.
hol_status hol_eom_marker_jacobian(hol_eom *eom, int marker, double *J, double *Jr, size_t size);

// ---- reactions, energies, momenta -----------------------------------------------------------------------------

// What an element does to a body, in the axes of the marker of its last end, as the signals name.Fx .. have it: the second body
// of a joint. Where that end is ground it is the opposite of what the first body feels.
typedef struct hol_eom_wrench {
    const char *body;           // "ground" too
    double point[3], axes[9];   // where it acts: the marker's origin and axes, global [m]
    double force[3], torque[3]; // [N], [N m]; in the plane force[2] = 0 and torque[2] alone
} hol_eom_wrench;

// Of an element of HOL_EOM_ELEMENTS with ends: a joint, a driver, a force. HOL_ERR_USAGE: it has none (couplers, constraints), and
// its multipliers are all it has. With redundant rows the smallest multipliers are meant (hol_uniqueness). The first call may
// allocate.
hol_status hol_eom_reaction(hol_eom *eom, int element, hol_eom_wrench *out);

typedef struct hol_eom_totals {
    double mass;               // [kg]
    double centre[3];          // of mass [m]
    double linear[3];          // momentum [kg m/s]
    double angular[3];         // momentum about the point asked for, which is at rest [kg m^2/s]
    double kinetic, potential; // energies [J]
} hol_eom_totals;

// Of all bodies; about: a point in global axes [m], NULL: the origin.
hol_status hol_eom_sum(hol_eom *eom, const double about[3], hol_eom_totals *out);

// ---- joint coordinates ----------------------------------------------------------------------------------------

// Trees of joints have coordinates p and rates u of their joints: strokes along axes and angles about axes of the marker on the
// first body, in the order of the bodies; where a rotation is free four Euler parameters, whose rates are the three components of
// the relative angular velocity in the axes of the body that is nearer to ground. A body without a joint is free against ground.
// Motions that drivers prescribe are no coordinates.
//
// Prepares them at the present state, which must be on the constraints; it allocates. To be called once, before the quantities
// HOL_EOM_JOINT_.. are asked for. HOL_ERR_USAGE: the model has none, and what is to blame is named: joints that close a loop,
// couplers, joints whose motions have no coordinates or are at a marker that moves, velocity constraints, variables that depend on
// accelerations.
hol_status hol_eom_use_joints(hol_eom *eom);
// The state that belongs to joint coordinates p (n_p), u (n_u) at time t; users' states stay. It is on the constraints.
hol_status hol_eom_set_joints(hol_eom *eom, double t, const double *p, size_t n_p, const double *u,
                              size_t n_u);

// ---- the linearised motion ------------------------------------------------------------------------------------

// (x; w; X)' = A (x; w; X) + B u near a state on the constraints: dq = N x, dv = Z x + V w. Without velocity constraints V = N and
// x' = w. Users' variables change by C (x; w; X) + D u, accelerations and multipliers that they depend on included. u are changes of
// inputs and tunable parameters, of the list HOL_EOM_INPUTS. All derivatives are exact, but for those of user code
// that gives none, which are differences. Directions are orthonormal in the metric.
// docs/theory.md, section 13.1.
typedef struct hol_eom_linear {
    int n_x, n_w, n_X, n; // degrees of freedom of positions, of velocities, users' states; n is the sum
    int n_i, n_z;         // inputs, variables
    const double *A;      // (n x n)
    const double *N, *Z;  // (n_q x n_x)
    const double *V;      // (n_q x n_w)
    const double *B;      // (n x n_i)
    const double *C, *D;  // (n_z x n), (n_z x n_i)
} hol_eom_linear;

// Views into the handle, good until the state changes, the next call or hol_eom_destroy. It allocates. HOL_ERR_USAGE: the state is
// not on the constraints (hol_eom_project). HOL_ERR_INTEGRATION: a singular pose, or a group of loops is too large.
hol_status hol_eom_linearise(hol_eom *eom, hol_metric metric, hol_eom_linear *out);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
