// Analyses of a mechanism that are not runs: where its parts are when it is driven, what holds it at rest, what moves it as wanted,
// how it answers to small changes near a state. docs/theory.md, sections 19 to 23.
//
// Every object names what it holds and its units, and is destroyed by one function, which takes NULL. What cannot be answered is an
// error with a text in the context; nothing is given back that is not a solution.
#ifndef HOLONOM_ANALYSES_H
#define HOLONOM_ANALYSES_H

#include "holonom.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

// ---- assembly -------------------------------------------------------------------------------------------------

// The pose and the velocities with which a model starts: those in which its joints hold, with the least change of what the file gives.
// docs/theory.md, sections 4.1 and 4.2.

// A coordinate of a body frame as the model file has it, or its rate: "crank.x", "crank.theta", "crank.qw"; "crank.vx", "crank.omega",
// "crank.wx".
typedef struct hol_assembly_value {
    const char *name, *unit;
    double asked, used;
    bool given, exact; // the file gives it; it was to be kept
} hol_assembly_value;

// How far a joint, driver or constraint is open, and what it costs: by how much the change grows with its gap.
typedef struct hol_assembly_joint {
    const char *name;
    double open; // largest of its equations: the distance of points [m], or what it says of angles
    double cost; // largest derivative of `change` by a gap of natural size
} hol_assembly_joint;

// What tells the ways apart in which a closed loop fits together. An elbow: a joint between two bodies that have but one other joint each
// in the loop; of the ways it and these bodies go, those two are possible that are images of each other. A plane: that of the joints with
// ground, on one side of which a body of the loop is. Of poses alone, where others have the same sides: the place of a body that tells it
// from them, `value` counts from the middle between it and the nearest of theirs.
typedef struct hol_assembly_side {
    const char *loop;         // its joints: "A, B, C, D"; "": of no loop, the place of a body
    const char *joint;        // the elbow; NULL: it is a plane
    const char *body, *other; // which it joins; of a plane the body that is looked at, and NULL
    double
        value; // sine of the angle by which the way turns in the elbow, or distance from the plane [m]: its sign is the side
    const char *require; // an expression for `assemble: require` that holds on this side
} hol_assembly_side;

// The coordinate of a joint, full turns not counted: "A.angle".
typedef struct hol_assembly_coordinate {
    const char *name, *unit;
    double value;
} hol_assembly_coordinate;

// One of the poses in which the joints hold.
typedef struct hol_assembly_pose {
    double change; // of what is drawn, as that of hol_assembly
    bool least;    // it is the least one near by
    bool allowed;  // what the model requires holds
    bool used;     // runs start with it
    int n_positions, n_sides, n_coordinates;
    hol_assembly_value *position;        //                                                  (n_positions)
    hol_assembly_side *side;             //                                                  (n_sides)
    hol_assembly_coordinate *coordinate; //                                                (n_coordinates)
} hol_assembly_pose;

// A parameter of the model file with another value of which the loop that stays open can be closed.
typedef struct hol_assembly_length {
    const char *name, *unit; // "m" where it has a unit of lengths, else ""
    double now, closes;      // its value; one with which the model has been assembled
    double derivative;       // of the gap, by the parameter as it is now
} hol_assembly_length;

typedef struct hol_assembly {
    const char *title, *model; // title NULL: none
    bool closed;     // the joints hold, and what is required; else the pose is the nearest one that was found
    const char *why; // what does not hold, a message; NULL: closed
    const char *broken; // the requirement that does not hold though the joints do; NULL: none
    const char *loop;   // the joints of the loop that stays open; NULL: closed
    double gap;         // of that loop: how far one of its joints is open where the others hold [m, or rad]
    double change;      // (q - q0)^T W (q - q0), W of weights and natural sizes
    bool least;         // it is the least one near by, to rounding
    int n_positions, n_velocities, n_joints, n_sides, n_lengths;
    int n_poses,
        n_reflections; // 0 unless all were asked for; from how many reflections of the first they are
    hol_assembly_value *position; //                                                        (n_positions)
    hol_assembly_value *velocity; // none where the joints do not hold                      (n_velocities)
    hol_assembly_joint *joint;    //                                                        (n_joints)
    hol_assembly_length *length;  // one of them changed closes the loop                    (n_lengths)
    hol_assembly_side *side;      // none where joints are open                             (n_sides)
    hol_assembly_pose *pose;      // each once; there may be others                         (n_poses)
} hol_assembly;

// NULL: an error, as a run may return it; joints that cannot be closed are none.
hol_assembly *hol_assembly_create(hol_context *ctx, const hol_model *model);
// With the other poses that are found from this one: each set of its elbows and planes reflected, 32 of them at most, those nearest to the
// drawing first. They need not be all there are.
hol_assembly *hol_assembly_create_all(hol_context *ctx, const hol_model *model);
void hol_assembly_destroy(hol_assembly *assembly);
// The pose, and the velocities of bodies that move or were given one, as `pose:` of a model file, .yaml, which `include` adds to the model.
hol_status hol_assembly_write(hol_context *ctx, const hol_assembly *assembly, const char *path);
// One of its poses, without velocities. HOL_ERR_USAGE: there is no such pose.
hol_status hol_assembly_write_pose(hol_context *ctx, const hol_assembly *assembly, int pose,
                                   const char *path);

// ---- kinematics -----------------------------------------------------------------------------------------------

// A simulation of a mechanism that joints and drivers leave nothing free: its poses, velocities and accelerations follow from them
// alone, to rounding, at every time of output, and so do reactions and the forces of drivers. It is used as any other
// (hol_simulation_step, _write, _record, _advance ..), and needs no tolerance. It goes through dead centres and singular poses on its
// branch, and stops where a driver cannot go on. NULL: error; HOL_ERR_USAGE: a motion is free, which the text names.
hol_simulation *hol_kinematics_create(hol_context *ctx, const hol_model *model);

// Its poses along their curve, which knows no dead centre: a driver that cannot go on runs backwards from there, until the drivers have run
// for `simulate.end`, forwards and backwards. A row for each pose: the arc length in natural sizes in place of the time, "curve.time", the
// time of the drivers, "curve.turned", 1 at a dead centre, DRIVER.value, what it drives to [m, rad], and the signals of the pose. NULL: error;
// HOL_ERR_USAGE: a motion is free, or there are events, states or velocity constraints; HOL_ERR_INTEGRATION: several motions meet.
hol_result *hol_kinematics_follow(hol_context *ctx, const hol_model *model);

// The paths of markers ("coupler.p", or a body for its frame) over the rows of a result as SVG, in true proportion, beside the mechanism in
// its first row. n 0: of all named markers of bodies that are drawn. Models in space are seen along the axis in which the paths
// extend least. HOL_ERR_USAGE: no such marker; or a result without the poses of bodies.
hol_status hol_paths_write(hol_context *ctx, const hol_result *result, const hol_model *model, int n,
                           const char *const *marker, const char *path);

// The same picture of a run; written when it ends, until then the poses are held in memory. To be called before the first step.
hol_status hol_simulation_paths(hol_simulation *sim, int n, const char *const *marker, const char *path);

// How far a driver can move the mechanism from where it is, the other drivers standing still.
typedef struct hol_reach {
    const char *driver, *unit;        // name; "m" or "rad"
    double now;                       // what is driven, at the present pose
    double least, most;               // the dead centres, where they are bounded: joints come into line there
    bool least_bounded, most_bounded; // false: it goes on from there, a full turn or 20 natural lengths away
    bool
        known; // false: the poses cannot be followed that far, as from a singular one; then only `now` holds, of those above
} hol_reach;

// Of the simulation's present pose, which stays: of the i-th driver that acts, false behind the last one. Mechanisms in which other
// motions are free, or with more than 300 coordinates, have none.
bool hol_kinematics_reach(hol_simulation *sim, int i, hol_reach *out);

// ---- statics --------------------------------------------------------------------------------------------------

// A pose in which the forces balance, with v = 0: found by Newton's method in the tangent space of the joints, and downhill where that
// finds none or one at which nothing stays. Time stands at the start: drivers are where they are then, velocity constraints and
// dampers hold nothing. docs/theory.md, section 20.
typedef struct hol_statics_options {
    bool unstable; // an equilibrium at which nothing stays will do: the first one that Newton's method finds
    // "NAME=A..B": a parameter of the model file, or of an included one (arm.k), goes from A to B, values as the file may have them, and the equilibrium is followed,
    // around folds too; NULL: one equilibrium
    const char *vary;
    bool branches; // others that cross it are followed from there
} hol_statics_options;

typedef enum hol_static_signal {
    HOL_STATIC_POSE,       // of a body's frame: position and orientation
    HOL_STATIC_COORDINATE, // of a joint
    HOL_STATIC_MOTION,     // of a marker, or a velocity or acceleration
    HOL_STATIC_FORCE,      // reaction of a joint or driver, force of a spring, ..
    HOL_STATIC_OTHER
} hol_static_signal;

// What a point of a branch is.
typedef enum hol_static_kind {
    HOL_STATIC_REGULAR,
    HOL_STATIC_FOLD,        // the parameter turns back: a load beyond it has no equilibrium near
    HOL_STATIC_BIFURCATION, // other branches cross
    HOL_STATIC_CHANGE       // a vibration begins or ceases to grow
} hol_static_kind;

// What is known of an equilibrium in which the slope of a force jumps, by both sides of it: there it stays, it does not, or neither is seen.
typedef enum hol_static_kink {
    HOL_STATIC_SMOOTH, // nothing jumps
    HOL_STATIC_KINK_STAYS,
    HOL_STATIC_KINK_LEAVES,
    HOL_STATIC_KINK_UNKNOWN
} hol_static_kink;

// An equilibrium. A motion has six numbers for each body: displacement of its centre of mass and rotation, in global axes.
typedef struct hol_static_point {
    bool stable; // no direction softens, and nothing grows by itself; at a kink: on both sides
    hol_static_kink kink;
    int neutral;  // directions without stiffness
    int negative; // those with a negative one
    int held; // of the neutral ones, the last: forces of higher order hold them, as at a minimum of the fourth order
    bool falls;       // such forces drive it away, along the first neutral one
    double known;     // how far the place is known, by natural size: nearer, rounding hides the forces
    double *value;    // of the signals                                                   (n_signals)
    double potential; // energy [J]
    double
        stiffness; // the least that is not 0 [N/m, N m/rad] of the body that moves most; NaN: there is none; of folds and bifurcations 0
    int softest; // that body: its displacement or rotation has length 1 in `shape`                  -1: there is none
    const char *stiffness_unit;
    double *shape;       // motion in which it is that                                    (6 x n_bodies)
    double *free_motion; // the neutral directions                              (6 x n_bodies x neutral)
    double growth;       // of the fastest motion away [1/s]; 0: none, NaN: masses do not determine it
    double left;         // the forces on a body that remain, against those that cancel there, the largest [-]
    double force;        // those that cancel there, by natural size [N m]
    int iterations;      // matrices of the search
    bool flowed;         // Newton's method alone did not find it
    // of a branch, else 0
    int branch; // 0: the one from the start
    hol_static_kind at;
    double parameter; // in parameter_unit of all
    double slope;     // its change along the branch, by its range and natural sizes: 0 at a fold
} hol_static_point;

typedef struct hol_statics {
    const char *title, *model; // title NULL: none
    double time;               // [s]
    int degrees_of_freedom, velocity_constraints;
    bool driven;                // a driver moves: it is held where it is
    int n_trimmed;              // parameters that `static.trim` of the model file finds
    const char **trimmed;       // their names                                                    (n_trimmed)
    const char **trim_unit;     // in SI; "": a plain number, in the unit of the file             (n_trimmed)
    double *trim_value;         // their values in these                                         (n_trimmed)
    const char *parameter;      // that is varied; NULL: none
    const char *parameter_unit; // as trim_unit
    const char *ended;          // why a branch ends before its end; NULL: none does
    int n_bodies, n_signals, n_points;
    const char **body; // names                                                           (n_bodies)
    const char **signal, **unit, **doc; // what values are, in SI                                (n_signals)
    const char **shown; // units in which they are shown                                         (n_signals)
    double *factor;     // how many of these one `unit` is                                       (n_signals)
    hol_static_signal *kind; //                                                       (n_signals)
    hol_static_point *point; //                                                (n_points)
} hol_statics;

// NULL: error. HOL_ERR_USAGE: too many degrees of freedom; HOL_ERR_INTEGRATION: no equilibrium was found; and what the start of a run
// may return. options NULL: all 0. The model must outlive it.
hol_statics *hol_statics_create(hol_context *ctx, const hol_model *model, const hol_statics_options *options);
void hol_statics_destroy(hol_statics *statics);
// The points as rows of a result, with all signals. The file's ending says the format, as with hol_simulation_write.
hol_status hol_statics_write(hol_context *ctx, const hol_statics *statics, const char *path);
// The pose of a point as a part of a model, to be included: the bodies begin there.
hol_status hol_statics_write_pose(hol_context *ctx, const hol_statics *statics, int point, const char *path);

// ---- inverse dynamics -----------------------------------------------------------------------------------------

// What moves a mechanism as its drivers prescribe: inputs of the model, of which forces depend, in place of the drivers. Of several that
// would do, those of the least weighted squares.
typedef struct hol_inverse_options {
    int n_actuators; // 0: the drivers give the forces themselves
    const char *const
        *actuator;        // names of inputs                                                 (n_actuators)
    const double *weight; // of their squares; NULL: 1                                       (n_actuators)
    const double *least,
        *most; // bounds, NULL: none                                              (n_actuators)
    bool
        project; // what actuators cannot make is no error: the accelerations without the drivers' help are as near to the motion as can be,
    // by the masses, and the drivers give what is missing; signals "inverse.missing", "inverse.condition"
} hol_inverse_options;

// options NULL, or without actuators: what `inverse:` of the model file says; its motion must have been added (hol_draft_add_motion).
// The simulation of hol_kinematics_create in which the drivers give no force, at any time: signals of the inputs are what actuators have
// to give, reactions are those with them. NULL: error; HOL_ERR_USAGE: no such input, or a motion is free; of hol_simulation_step: the
// motion needs a force that no actuator gives, which the text names with its size.
hol_simulation *hol_inverse_create(hol_context *ctx, const hol_model *model,
                                   const hol_inverse_options *options);

// ---- linearise ------------------------------------------------------------------------------------------------

// The motion near a state with inputs and outputs, x' = A x + B u, y = C x + D u, all of them changes. Which inputs, outputs and
// coordinates these are stands under `linearise:` in the model file: `--set linearise.outputs=["AZ(crank)", "A.Fx"]` of
// hol_model_load gives others. All derivatives are exact. docs/theory.md, section 22.
//
// States x: with coordinates first these, then their rates, and rates that are given alone; without coordinates p and w with
// dq = N p, dv = Z p + V w (hol_modes); then users' states X, then of each driver that is an input its change u and the rate u', whose
// derivative u'' is the input. Without coordinates the matrices of a state in motion depend on the program's coordinates
// and say nothing about stability: `warning` tells.
typedef struct hol_linear_options {
    double at;         // time up to which the model's run goes before [s]; 0: the assembled start
    bool equilibrium;  // a static equilibrium is looked for from there
    hol_metric metric; // of p and w
    // Models of more than 1000 degrees of freedom have no matrices here but frequency responses at these angular frequencies [rad/s], by sparse
    // matrices, about a state at rest and without drivers as inputs; smaller ones where it is asked for.
    bool sparse;
    int n_omega;
    const double *omega;
} hol_linear_options;

typedef enum hol_linear_kind {
    HOL_LINEAR_POSITION, // a coordinate
    HOL_LINEAR_RATE,     // of a coordinate, or given alone
    HOL_LINEAR_P,        // of the program's own coordinates
    HOL_LINEAR_W,        // their velocities
    HOL_LINEAR_STATE,    // a state of the user
    HOL_LINEAR_INPUT,    // what is added to the value of a driver
    HOL_LINEAR_INPUT_RATE
} hol_linear_kind;

// A state, input or output: its name, its unit ("" for pure numbers and where it is not known), its value at the state (NaN of p and w).
typedef struct hol_linear_signal {
    const char *name, *unit;
    double value;
} hol_linear_signal;

typedef struct hol_linear {
    const char *title, *model; // title NULL: none
    double time;               // [s]
    hol_metric metric;
    bool equilibrium; // at rest or nearly so, as of hol_modes
    bool
        steady; // coordinates are given, and their rates and those of users' states are constant, those of coordinates 0
    double residual, speed; // as of hol_modes
    int degrees_of_freedom, velocity_constraints;
    int n_x, n_u, n_y, n_coordinates;
    const hol_linear_signal *x, *u, *y; //                                               (n_x), (n_u), (n_y)
    const hol_linear_kind *kind;        // of the states                                 (n_x)
    const double *A, *B, *C, *D;     // column-major       (n_x x n_x), (n_x x n_u), (n_y x n_x), (n_y x n_u)
    const double *pole_re, *pole_im; // eigenvalues of A, by their absolute values [1/s] (n_x)
    const double *vector_re, *vector_im; // of each pole the states, the largest of which is 1   (n_x x n_x)
    const double
        *gain; // of constant inputs, -C A^-1 B + D or its limit; infinite where an output grows  (n_y x n_u)
    const char *const *coordinate, *const *unit; // of the bodies                            (n_coordinates)
    const double *dq; // without coordinates: how they change by the states; else NULL  (n_coordinates x n_x)
    const double *dv; // and their velocities
    const char *warning; // what the eigenvalues are not, and what to do; NULL: there is none
    bool sparse;         // there are neither states nor matrices, gains are NaN, and this is the response:
    int n_omega;
    const double *omega, *response_re,
        *response_im; // else 0 and NULL                         (n_omega), (n_y x n_u x n_omega)
} hol_linear;

// NULL: error. HOL_ERR_USAGE: the coordinates do not close, or depend on each other, an output depends on what they leave out, too many
// degrees of freedom; and those of hol_modes_create. options NULL: all 0.
hol_linear *hol_linear_create(hol_context *ctx, const hol_model *model, const hol_linear_options *options);
void hol_linear_destroy(hol_linear *linear);
// Zeros of the way from an input to an output, -1: from all inputs to all outputs, of which there are as many: where the transfer
// function is 0 [1/s]. re and im: (n_x); *n of them; -1: it is 0 everywhere.
hol_status hol_linear_zeros(hol_context *ctx, const hol_linear *linear, int output, int input, int *n,
                            double *re, double *im);
// The way from an input to an output as numerator(s)/denominator(s), coefficients with the highest power first, as `transfer_functions` of a
// model file has them; the denominator begins with 1. What cancels is left out: *order is at most n_x, *degree of the numerator at most that.
// Coefficients of high orders lose digits: above 8 the matrices are better. numerator and denominator: (n_x + 1).
hol_status hol_linear_transfer(hol_context *ctx, const hol_linear *linear, int output, int input, int *degree,
                               int *order, double *numerator, double *denominator);
// G(i omega) = C (i omega - A)^-1 B + D at n angular frequencies [rad/s], re and im (n_y x n_u x n). Infinite where i omega is a pole.
// A sparse one knows it at its own frequencies alone: HOL_ERR_USAGE at others. It has no zeros.
hol_status hol_linear_response(hol_context *ctx, const hol_linear *linear, int n, const double *omega,
                               double *re, double *im);
// All there is as JSON, with the frequency response if n > 0.
hol_status hol_linear_print(hol_context *ctx, const hol_linear *linear, int n, const double *omega,
                            hol_print_fn print, void *user);
// By the file's ending: .json all there is; .nc the same, in netCDF; .mat (Matlab's files, of version 5), too; .mtx (Matrix Market): A, with B, C and D
// in files of their own, NAME_B.mtx and so on; .csv: the frequency response at `omega`, which the others have too if n > 0.
hol_status hol_linear_write(hol_context *ctx, const hol_linear *linear, int n, const double *omega,
                            const char *path);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
