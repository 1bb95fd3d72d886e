// holonom: dynamics of constrained mechanical systems.
//
//     M(q,t) a + Phi_q^T lam = Q(q,v,t),   Phi(q,t) = 0,   v = q', a = q''
//
// Read a model file, simulate it, get motion, reactions and energies. A first program:
//
//     hol_context *ctx = hol_context_create();
//     hol_model *model = hol_model_load(ctx, "four_bar.yaml", NULL, 0);
//     if (!model) fprintf(stderr, "%s\n", hol_context_error(ctx));
//
// Every function that can fail returns a hol_status or NULL and leaves a message in the context.
// A pointer that must be given and is NULL is HOL_ERR_USAGE (or NULL), with the name of it and the error before, which may be why;
// without a context or a simulation there is nowhere to leave a message. Functions that only tell something say 0, NULL, -1 or
// false then; all that destroy take NULL. A context must outlive what was made with it, a model its simulations, checks and modes,
// results their comparisons.
// The library never prints, exits or installs signal handlers. SI units everywhere. Numbers in files and texts have a decimal
// point whatever the locale is, which the library does not change.
//
// Files: a result that grows is held by a lock until it is closed, a second writer is HOL_ERR_IO; what is made at once (reports,
// checkpoints, tables, glTF) appears when it is whole. Callers that may meet a limit on the size of files or pipes without a reader
// ignore SIGXFSZ and SIGPIPE; what cannot be written is HOL_ERR_IO then.
//
// Threads: 256 kB of stack are enough for every call, whatever the method and the size of the model. Where addresses are limited
// (ulimit -v) OPENBLAS_NUM_THREADS=1 must be in the environment when the program starts: OpenBLAS makes its threads before main.
// Linear algebra takes 129 MB of addresses then for each thread that computes; without them it is HOL_ERR_MEMORY. libholonom-core has
// no OpenBLAS and none of that; it refuses .nc files, meshes and modes of large models by name (docs/embedding.md).
#ifndef HOLONOM_H
#define HOLONOM_H

#include <stddef.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default) // of the library's names, these alone are exported
#endif

#define HOL_VERSION "0.1.0"

// 0 is success; a negative value is final and leaves a message in the context.
typedef enum hol_status {
    HOL_OK = 0,
    HOL_RECOVERABLE =
        1, // numerical trouble a smaller step or another matrix may cure; never leaves the library
    HOL_ERR_MEMORY = -1,      // an allocation failed
    HOL_ERR_USAGE = -2,       // wrong call or command line
    HOL_ERR_MODEL = -3,       // the model file is wrong
    HOL_ERR_ASSEMBLY = -4,    // the joints cannot be closed
    HOL_ERR_INTEGRATION = -5, // the integration stopped before its end
    HOL_ERR_ACCURACY = -6,    // the accuracy asked for was not met
    HOL_ERR_LIMIT = -7,       // a limit of time or steps was reached
    HOL_ERR_IO = -8,          // a file could not be read or written
    HOL_ERR_CANCELLED = -9    // hol_context_cancel was called
} hol_status;

typedef struct hol_context hol_context;

typedef enum hol_severity { HOL_NOTICE, HOL_WARNING } hol_severity; // errors: hol_context_error
typedef void (*hol_log_fn)(void *user, hol_severity severity, const char *text);

typedef void (*hol_print_fn)(void *user, const char *text); // called with pieces of a text, in order

hol_context *hol_context_create(void); // NULL: no memory
void hol_context_destroy(hol_context *ctx);
void hol_context_set_log(hol_context *ctx, hol_log_fn log, void *user); // NULL: silent (default)
// For model texts from strangers: no other file is read (include), and a text makes no more than most_items bodies,
// joints, drivers and forces together.
void hol_context_sandbox(hol_context *ctx, int most_items);
// What is under way ends with HOL_ERR_CANCELLED: a simulation before its next step or the next part of its start. Safe in a signal
// handler and from another thread.
void hol_context_cancel(hol_context *ctx);
bool hol_context_cancelled(const hol_context *ctx); // has that been called, and nothing has ended by it yet?
const char *hol_context_error(const hol_context *ctx); // text of the last error, "" if none
hol_status hol_context_status(const hol_context *ctx); // its status, HOL_OK if none

// ---- models ---------------------------------------------------------------------------------------------------

typedef struct hol_model
    hol_model; // immutable once loaded; may be shared by threads that have contexts of their own

// set: "path=value" texts as --set takes them, e.g. "parameters.N=40" or "newmark.gamma=0.75"; NULL with n_set = 0.
// NULL: error, see hol_context_error: file:line:column, path in the model, rule, way out.
hol_model *hol_model_load(hol_context *ctx, const char *path, const char *const *set, int n_set);
hol_model *hol_model_parse(hol_context *ctx, const char *name, const char *text, size_t length,
                           const char *const *set, int n_set);
void hol_model_destroy(hol_model *model);
// HOL_OK if a file of this name may be written: it is none of those the model was made of or is drawn with, under any name
// (the model file, included files, tables, meshes, user code). HOL_ERR_USAGE; functions below that are given a model or a
// simulation and write refuse it too, hol_modes_write and hol_result_write know none.
hol_status hol_model_keep(hol_context *ctx, const hol_model *model, const char *path);

// ---- what a model is ------------------------------------------------------------------------------------------

typedef struct hol_redundancy {
    const char *joint, *direction; // e.g. "hinge2", "rotation about x"
} hol_redundancy;

// A group of equations that depend on each other: any one of them follows from the rest, and no part of the group does so.
typedef struct hol_dependency {
    int n;
    hol_redundancy *equation; //                                                        (n)
} hol_dependency;

// A joint of another type in its place, with its frames. `remark` says what is to be known beside, NULL: nothing.
typedef struct hol_replacement {
    const char *joint, *type; // type NULL: the joint is left out
    const char *remark;       // e.g. "second arm along x of its second frame"
    int fewer;                // equations
} hol_replacement;

// Joints tied together by dependent equations.
typedef struct hol_redundant_loop {
    int redundant; // equations that could be left out, and as many groups
    int n_joints;
    const char **joint;    // with equations in some group                                (n_joints)
    hol_dependency *group; //                                                      (redundant)
    // Replacements that, together, leave the degrees of freedom as they are and remove that many of the redundant equations;
    // verified by the rank of the loop with the other joints, in several poses.
    int removed, n_replacements;
    hol_replacement *replacement; // none found: 0                             (n_replacements)
} hol_redundant_loop;

// Is a component of a reaction the same for all multipliers with which the joints hold? docs/theory.md, section 4.6.
typedef enum hol_uniqueness {
    HOL_UNIQUE,
    HOL_UNDETERMINED, // not in the singular pose at the start; unique in the poses near by
    HOL_SHARED,       // redundant equations share it: given is the value of the multipliers of smallest norm
    HOL_NOT_EXAMINED, // its group of loops has too many equations
    HOL_ABSENT, // 0 whatever the multipliers are, in every pose looked at (models with one of the above only)
    HOL_UNIQUENESSES // how many
} hol_uniqueness;
// "unique", "undetermined", "shared", "not examined", "absent"
const char *hol_uniqueness_word(hol_uniqueness u);

typedef struct hol_reaction_check {
    const char *joint;            // or driver
    int n;                        // 3 (Fx Fy T) or 6 (Fx Fy Fz Tx Ty Tz)
    const char *const *component; //                                               (n)
    hol_uniqueness uniqueness[6]; //                                               (n)
} hol_reaction_check;

// What a contact does in a free impact of its two bodies, as if nothing else held them, at 0.1, 1 and 10 m/s.
typedef struct hol_contact_check {
    const char *name;
    double speed[3];       // of the approach [m/s]
    double restitution[3]; // speed afterwards over that; NAN: not found, nor what follows
    double lasts[3];       // [s]
    double depth[3];       // largest [m]
    double deepest;        // beyond which a run ends [m]; INFINITY: none
    double rests;          // depth under the weight of the lighter body [m]; 0: there is no gravity
} hol_contact_check;

// Two shapes that a rule of contacts names.
typedef struct hol_pair_check {
    const char *rule, *pair; // "floor", "ball~ground.floor": the round one first
    const char *left;        // why they do not touch; NULL: they may
    int contacts;            // places that touch: corners, ends, one of balls
} hol_pair_check;

// A body whose mass, or inertia, follows from its shapes.
typedef struct hol_mass_check {
    const char *body;
    double mass;      // [kg]
    double centre[3]; // of mass, in the body frame [m]
    double
        inertia[6]; // about it, body axes: xx, yy, zz, xy, xz, yz, the products -integral of x y dm [kg m^2]
} hol_mass_check;

// The tree that methods make of the joints (option `loop`).
enum { HOL_TREE_NAMES = 8 };
typedef struct hol_tree_check {
    int roots, depth; // bodies tied to ground or to nothing; bodies on the longest way from a root
    int n_cut;        // joints, drivers and constraints that are not in the tree
    const char *cut[HOL_TREE_NAMES]; // the first of them
    int loop_rows;                   // their independent equations
    double least, most; // estimates of the extreme eigenvalues of D K D^T (docs/theory.md, 14); 0: not known
} hol_tree_check;

// What will hurt, or looks like a mistake.
typedef struct hol_warning {
    const char *name; // "stiffness", "masses", "angles", ...: one word for each kind
    const char *text;
} hol_warning;

enum { HOL_KINKS_LISTED = 8, HOL_LOADS_LISTED = 16 };
typedef struct hol_check {
    const char *title; // NULL: none
    int dimension, bodies, coordinates;
    int constraints; // equations, normalisations of Euler parameters included
    int rank;        // independent ones among them
    int degrees_of_freedom;
    int n_redundant;
    hol_redundancy
        *redundant;     // which equations are left out                                     (n_redundant)
    bool momentary;     // singular pose: neighbouring poses have a larger rank
    bool rank_complete; // false: a group of loops is too large for a rank to be computed
    double position_violation, velocity_violation; // of the data as given, by natural size
    const char *open_joint, *open_direction;       // where position_violation is largest; NULL: none is open
    double length_scale;                           // [m]
    bool gravity;                                  // some gravity is given
    int velocity_constraints;                      // they take freedom from the velocities only
    int kinks; // functions in expressions whose value or slope jumps somewhere (if, min, mod, tables of lines, ...)
    int n_kinks;
    const char **
        kink; // the first of them, at most HOL_KINKS_LISTED: the function, its place, and the times that are known    (n_kinks)
    int n_loads;
    const char **
        load; // what functions of time do, at most HOL_LOADS_LISTED: jumps, short features, when     (n_loads)
    int n_warnings;
    hol_warning *warning; //                                                                 (n_warnings)
    int poses; // in which the redundant loops were looked at: the assembled one and others near by; 0: there are none
    int n_loops;
    hol_redundant_loop *loop; // what is redundant in all of them                         (n_loops)
    int instantaneous;        // degrees of freedom that exist in the assembled, singular pose only
    hol_dependency *instant;  // equations that depend on each other in that pose only   (instantaneous)
    int n_reactions;
    hol_reaction_check *reaction;     // of joints and drivers                                (n_reactions)
    int components[HOL_UNIQUENESSES]; // of reactions, how many, by hol_uniqueness
    hol_tree_check tree;
    int n_masses;
    hol_mass_check *mass; // of bodies whose mass follows from their shapes (n_masses)
    int n_contacts;
    hol_contact_check *contact; // (n_contacts)
    int n_pairs;
    hol_pair_check
        *pair; // of shapes, in the order of the rules, of those that do not touch the first 2000 (n_pairs)
    bool more_pairs; // there are more that do not touch
    int n_idle, n_switched;
    const char **idle; // what does not act at the start, and is not counted above (n_idle)
    const char **
        switched; // joints, drivers and constraints that events switch; counts are those of the start (n_switched)
} hol_check;

// Assembles the model and counts. The result is freed by hol_check_destroy.
hol_check *hol_check_create(hol_context *ctx, const hol_model *model);
void hol_check_destroy(hol_check *check);
// As text for people: what `holonom check` prints. file: stands for a title that is missing.
void hol_check_print(const hol_check *check, const char *file, hol_print_fn print, void *user);
// The pairs of shapes that rules of contacts name: what `holonom check --contacts` prints.
void hol_check_print_pairs(const hol_check *check, hol_print_fn print, void *user);
// The warnings of hol_check_create that can be seen without assembling the model, in short, to the log (hol_context_set_log): for
// who simulates without a check.
hol_status hol_model_warn(hol_context *ctx, const hol_model *model);
// The topology in the language of Graphviz (https://graphviz.org): bodies and ground are vertices; joints, drivers and
// constraints are edges, dashed where the tree of the joints is cut, red with redundant equations. Errors as those of
// hol_check_create.
hol_status hol_graph_print(hol_context *ctx, const hol_model *model, hol_print_fn print, void *user);

// ---- simulation -----------------------------------------------------------------------------------------------

typedef struct hol_simulation hol_simulation;
typedef struct hol_result hol_result; // columns and rows, see below

// What kept a step from being longer.
typedef enum hol_limit {
    HOL_LIMIT_ERROR,
    HOL_LIMIT_FAILURE, // of an attempt: Newton's iteration did not converge, or no state was found
    HOL_LIMIT_MAX_STEP,
    HOL_LIMIT_STOP,  // the end of the simulation
    HOL_LIMIT_FIXED, // the size that was asked for
    HOL_LIMIT_EVENT, // or an edge of a function of time or of a road
    HOL_LIMIT_POSE,  // laid so that it passes a singular pose well
    HOL_LIMIT_STABILITY,
    HOL_LIMITS
} hol_limit;

enum { HOL_REASON = 320 };
// Its strings live as long as the simulation; hol_simulation_destroy takes them away.
typedef struct hol_statistics {
    const char *method;
    const char *chosen; // which of its forms, in words; NULL: it has one
    // What holonom has chosen where the model does not say, and why: method, tolerance, time between results; when the
    // simulation has ended. Empty: all is given.
    char defaults[HOL_REASON + 160];
    hol_status status;
    double time, end;         // reached and wanted [s]
    double tolerance;         // 0: fixed steps
    long limited[HOL_LIMITS]; // accepted steps by what kept them from being longer
    long steps, rejected, corrector_failures, residuals, jacobians, factorizations, newton_iterations;
    int unexamined_loops; // groups of loops in which redundant equations were not looked for: too many equations
    long repartitions;    // times other rows of redundant loops were chosen on the way
    long strips; // steps made again: a force or a rate of a state did something that neither end knew
    long strips_undecided; // looks that could not tell
    int contacts; // pairs of shapes that may touch, of which each place that touches counts; without rules of very many pairs
    long contact_onsets;         // times two shapes began to touch
    long contact_bracketed;      // those of rules of very many pairs, which steps bracket, and none locates
    long contact_most;           // of these rules: pairs that touched at one time
    long contact_searches;       // how often it was looked who is near whom
    double contact_depth;        // their largest depth [m]
    const char *contact_deepest; // the contact, or the rule of very many pairs, that was so deep; NULL: none
    double contact_damping, contact_friction; // what the damping and the friction of contacts have taken [J]
    long jumps_met;    // of forces and rates of states at places, speeds and states: a step ended there
    long passages;     // singular poses through which the method was led by rk
    long switchings;   // times events switched joints, drivers or constraints
    int resting;       // joints at rest at their hard stops at the end
    long unprojected;  // results written as interpolated because no state on the constraints was found
    long unconverged;  // steps accepted without convergence, on request only
    long stop_times;   // passed, at which functions of time jump: steps ended there
    long narrow_cells; // passed, short parts of functions of time in which steps were short
    int undecided; // functions of time of which two branches may be equal for a while: whether they jump is not known
    long loop_solves, loop_iterations; // of rk along the tree: solutions, iterations of their gradients
    double h_min, h_max;               // [s]
    double contraction,
        contraction_max; // bdf: Newton's second correction by the first, geometric mean and largest; 0: none
    // By natural size (docs/theory.md, 4.4), at the ends of steps; positions in rows between them
    double max_position_violation, max_velocity_violation, max_row_violation;
    const char *position_violation_joint, *position_violation_direction; // where; NULL: no constraint
    double max_rate_violation; // of velocity constraints, by natural length and time
    const char *ended_by;      // the event that ended the simulation; NULL: none
    const char
        *struggled[3]; // elements with the largest residuals when Newton's iteration failed; NULL: fewer
    // Explicit methods: the steps are held at this size by stability, not by the error [s]; 0: they are not. Then what does
    // it (`the damping of "name"`), and a method without that bound.
    double stiff_step;
    char stiff_cause[120];
    const char *stiff_instead;
    // Fixed steps of a conditionally stable method: the fastest vibration at the start [rad/s], and the largest step that is
    // stable with it [s]; 0: the method has no such bound, nothing vibrates, or there are too many degrees of freedom.
    double omega_max, stable_step;
    // srm: eps (0: another method), largest |theta| and |theta'| of the loops by natural size, difference of the last two
    // iterates, largest loop multiplier, what the regularization has dissipated [J], extreme eigenvalues of the loop
    // operator at the start.
    double srm_eps, srm_drift, srm_rate, srm_estimate, srm_multiplier, srm_dissipated, srm_least, srm_most;
    double energy_start;     // [J]
    double energy_drift_max; // largest |E - E0 - work of what is not conservative| [J]
    double
        energy_explained; // of it by the tolerance, known at the end [J]; infinite: fixed steps, or no account
    // Of all threads of the simulation together, NaN where it was created in one thread and finished in another; of the clock.
    double cpu_seconds, wall_seconds;
} hol_statistics;

// How a contact begins and ends.
typedef enum hol_contact_edge {
    HOL_EDGE_MET,      // the shapes meet, or part
    HOL_EDGE_RUN,      // they touch at the start or the end of the run, or where a state is given
    HOL_EDGE_SWITCHED, // an event switches it on, or off
    HOL_CONTACT_EDGES
} hol_contact_edge;
// "met", "start", "switched on"; "parted", "end", "switched off". NULL: there is no such edge.
const char *hol_contact_edge_word(hol_contact_edge edge, bool ends);

// One contact of two shapes, from its beginning to its end.
typedef struct hol_contact_event {
    const char *name, *pair; // of the contact: "floor.2"; of the shapes: "ball~ground.floor"
    hol_contact_edge begins, ends;
    double onset, end;        // [s]
    double v_i, v_end;        // how fast they come together at the onset, and go apart at the end [m/s]
    double depth, impulse;    // the largest [m], of the normal force [N s]
    double damping, friction; // what they have taken [J]
    double slid;              // length of the way along each other [m]
} hol_contact_event;

// Makes the start consistent (changes are reported by the log) and prepares the run that the model's `simulate:`
// describes. NULL: error.
hol_simulation *hol_simulation_create(hol_context *ctx, const hol_model *model);
void hol_simulation_destroy(hol_simulation *sim);
// Writes the signals to a file while running, at least every few milliseconds, so that a killed run leaves them. The
// name's ending says how: .csv is text, .nc netCDF; others are HOL_ERR_USAGE. To be called before the first step, later it is
// HOL_ERR_USAGE. The place is held until hol_simulation_finish: whatever else is to be written there is HOL_ERR_IO.
hol_status hol_simulation_write(hol_simulation *sim, const char *path);
// Writes a line for each contact when it ends, or the run does, as text: a file .csv; others are HOL_ERR_USAGE, as after the first step.
hol_status hol_simulation_write_contacts(hol_simulation *sim, const char *path);
// HOL_OK if it would take a file of this name.
hol_status hol_contacts_check_name(hol_context *ctx, const char *path);
// Keeps the same rows, and contacts, in memory. To be called before the first step, later, or twice, it is HOL_ERR_USAGE; a new simulation begins with
// hol_simulation_reset, which forgets what was not taken.
hol_status hol_simulation_record(hol_simulation *sim);
// What hol_simulation_record has kept, after hol_simulation_finish (hol_simulation_run calls it); of a run that has failed the rows
// up to there. It is the caller's, who calls hol_result_destroy, and lives on without the simulation and its model; its `file` is the model's.
// NULL: HOL_ERR_USAGE, also where it was taken before and where there is no row.
hol_result *hol_simulation_take_result(hol_simulation *sim);
// The same page as hol_report_write's, of this run; written when the run ends (hol_simulation_finish), until then its data are
// held in memory. To be called before the first step, later it is HOL_ERR_USAGE.
hol_status hol_simulation_report(hol_simulation *sim, const char *path);
// One accepted step; *done at the end and after a failure. After a failure it returns that again; at the end it does nothing; before
// the end, after hol_simulation_finish, it is HOL_ERR_USAGE.
hol_status hol_simulation_step(hol_simulation *sim, bool *done);
// To the end.
hol_status hol_simulation_run(hol_simulation *sim);
// Saves all of the present state, between steps or after the last one (not after hol_simulation_costs), or takes it over before
// the first step. The run that goes on makes the same steps, bit for bit, as the one that wrote the checkpoint; with all methods but
// adams, bdf and joint_bdf also as one that wrote none. Those three begin anew with order 1 where a checkpoint is written: the
// history of their steps is not in it.
// Model, parameters, method, its options, step or tolerance must be the same (a default is the same whether it is written or not);
// others are HOL_ERR_USAGE. A run whose method is chosen (`method: auto`) goes on with the method of the checkpoint, and with its
// tolerance if none is given. The end may be a later one, and max_step, output, signals, project, threads and time_limit may be others.
// At a later end the last step is not one that the longer run would have made; it was cut at the old end. A run that an event has
// ended cannot go on. Shared objects of user code are taken as they are.
// A checkpoint changes no row: the row of the end is written, also between two times of output, and the run that goes on to a later end
// writes the rows behind it. So each row is in one of both; that of the old end the longer run would not have had. A run that is broken off
// (cancelled, limit of time) and saved has no row of its own where it was broken off.
// A checkpoint that is damaged anywhere is refused, and the simulation is then as it was. Should what it holds be wrong in spite of
// a right hash, the simulation has failed: hol_simulation_step returns the error.
hol_status hol_simulation_checkpoint(hol_simulation *sim, const char *path);
hol_status hol_simulation_restart(hol_simulation *sim, const char *path);
double hol_simulation_time(const hol_simulation *sim);
// At the end, ended by an event, failed or finished: it does not go on.
bool hol_simulation_is_over(const hol_simulation *sim);

// ---- a program around a simulation ----------------------------------------------------------------------------

// A controller, an estimator, a study: a program that goes on by its own periods, sets inputs, looks at signals, takes states and gives
// others. A control loop of 1 ms:
//
//     for (int k = 0; k < 1000; k++) {
//         const double *y = hol_simulation_values(sim);
//         hol_simulation_set_input(sim, u, -gain * y[angle]);
//         hol_simulation_advance(sim, 0.001 * (k + 1));
//     }
//
// The functions below are called between others of the same simulation, from one thread at a time; other simulations may run in other
// threads, over the same model. Whoever calls a function of a simulation in which another thread is at work gets HOL_ERR_USAGE (NULL), which
// hol_context_error tells to that thread alone; nothing is done. After hol_simulation_finish they are HOL_ERR_USAGE, but for reset, restore and what only reads.

// Inputs (`inputs:` of the model) and, behind them or between, tunable parameters (`tunable:`), in the order of the file.
int hol_simulation_inputs(const hol_simulation *sim);
const char *hol_simulation_input_name(const hol_simulation *sim, int i); // NULL: there are fewer
const char *hol_simulation_input_unit(const hol_simulation *sim,
                                      int i); // "": a pure number, or none is given
int hol_simulation_find_input(const hol_simulation *sim, const char *name); // -1: there is none
// From the present time on; in SI units. An input with `hold: linear` goes there in a straight line during the next advance, whatever is
// looked at, saved or set before; hol_simulation_step and hol_simulation_run, which know no time to reach, begin with it there.
// Before the first step it is a change at the start: an equilibrium (`start: equilibrium`) stays that of the model's own value, and an event
// that it moves through 0 happens. Another value to begin with is the model's: hol_model_load with "inputs.u.value=1".
// HOL_ERR_USAGE: no such input, or no finite number.
hol_status hol_simulation_set_input(hol_simulation *sim, int i, double value);
double hol_simulation_input(const hol_simulation *sim, int i); // its value; NaN: no such input
// To time t exactly [s], at most the end of the simulation: hol_simulation_time and hol_simulation_values are of it then, with positions and
// velocities on the joints. Steps are as long as the method likes; where an input was changed, the next advance ends with a step. An
// event may end the simulation before, which hol_simulation_is_over and hol_simulation_time tell. The present time does nothing, an earlier one
// is HOL_ERR_USAGE; what is behind the end by rounding is the end.
hol_status hol_simulation_advance(hol_simulation *sim, double t);

// Positions and velocities in the order of the coordinates (a spatial body has x y z qw qx qy qz and their rates), users' states in that
// of the file.
typedef struct hol_state_view {
    double t;            // [s]
    int n_q, n_states;   // how many
    const double *q, *v; //                                                       (n_q)
    const double *state; //                                                  (n_states)
} hol_state_view;
// The present state, as long as no other function of the simulation is called.
hol_status hol_simulation_get_state(hol_simulation *sim, hol_state_view *out);
// Another state, also of another time from 0 to before the end; q, v or state NULL: they stay, as does the memory of events (`once`, counts).
// It is put onto the joints: *change (may be NULL) is the largest change for that of a coordinate by its natural size, or of a velocity by that
// and the natural time, of those that stay too. The method starts anew, the energy balance too; a run that an event has ended goes on.
// HOL_ERR_ASSEMBLY: no state on the joints is near; HOL_ERR_USAGE: sizes that do not fit, numbers that are not finite, an earlier time while
// results are written or recorded. After an error the state is what it was.
hol_status hol_simulation_set_state(hol_simulation *sim, const hol_state_view *x, double *change);

// All that a simulation knows, in memory. It belongs to nobody and may be used by several threads at a time.
typedef struct hol_snapshot hol_snapshot;
// Within a step, where hol_simulation_advance may have ended, the step ends there, as it does where an input changes. Of adams, bdf and
// joint_bdf the order begins with 1 there. NULL: error.
hol_snapshot *hol_simulation_save(hol_simulation *sim);
// The same into a snapshot made before by this simulation, without allocation but for those within SUNDIALS (adams, bdf, joint_bdf).
hol_status hol_simulation_save_again(hol_simulation *sim, hol_snapshot *snapshot);
// Goes on from there, in this simulation or another one, in any thread. The steps are the same, bit for bit, as those of the simulation that was
// saved, where model, method, its options, step or tolerance are the same. Where only the structure of the model is (other values of
// parameters, another method), its positions, velocities, states, inputs and memory are taken over, see hol_simulation_set_state. Inputs are
// those of the snapshot. Files and records that are being written have no way back: HOL_ERR_USAGE, as where the structure is another one or
// the end of the simulation is before; it is then as it was. Behind it results may be written and recorded as before the first step; what was
// recorded and not taken is forgotten.
hol_status hol_simulation_restore(hol_simulation *sim, const hol_snapshot *snapshot);
void hol_snapshot_destroy(hol_snapshot *snapshot);
// As bytes, for files and other processes of the same version on machines of the same kind, into an array of at least hol_snapshot_size;
// and back. Damaged bytes are refused by their hash (NULL). HOL_ERR_USAGE: NULL, or the array is too small.
size_t hol_snapshot_size(const hol_snapshot *snapshot);
hol_status hol_snapshot_write(const hol_snapshot *snapshot, void *bytes, size_t size);
hol_snapshot *hol_snapshot_of_bytes(hol_context *ctx, const void *bytes, size_t size);
// Back to the start, with the inputs of the model, also after the end or a failure: as a new simulation of the model, but cheap. The first
// call makes it anew: what hol_simulation_statistics, _values and the names gave is void; later ones allocate nothing (adams, bdf
// and joint_bdf do, within SUNDIALS). Files that
// are being written are HOL_ERR_USAGE: finish first.
hol_status hol_simulation_reset(hol_simulation *sim);

// ---- signals ---------------------------------------------------------------------------------------------------

int hol_simulation_signals(const hol_simulation *sim); // number of signals
const char *hol_simulation_signal_name(const hol_simulation *sim, int i);
const char *hol_simulation_signal_unit(const hol_simulation *sim,
                                       int i); // "" for pure numbers; NULL: no such signal
int hol_simulation_find_signal(const hol_simulation *sim,
                               const char *name); // -1: not among the signals asked for
// Values of all signals at the present time (hol_simulation_signals of them); NULL: error.
const double *hol_simulation_values(hol_simulation *sim);
// Statistics so far; times and counters are filled in by hol_simulation_finish.
const hol_statistics *hol_simulation_statistics(const hol_simulation *sim);
// Closes the files (once) and returns the statistics so far.
const hol_statistics *hol_simulation_finish(hol_simulation *sim);

// One of the statistics that are numbers, for who shows or stores them all, in the order of `run --stats`.
typedef struct hol_statistic {
    const char *name, *unit, *doc; // unit "" for pure numbers
    const char *remark;            // in words, if it is worth a line where it is not 0; else NULL
    double value;                  // NaN: none
    bool applies;                  // to this run; else `value` is NaN
} hol_statistic;
// As complete as hol_simulation_statistics. sim NULL: what there is, without values. false: there are fewer.
bool hol_simulation_statistic(const hol_simulation *sim, int i, hol_statistic *out);

// A limit as a word without blanks, "singular_pose"; NULL beyond the last.
const char *hol_limit_key(int limit);
// What limited the steps and how often, the most frequent first, as "error 1985 (99.9 %), end 1 (0.1 %)".
void hol_limits_text(const hol_statistics *s, char *text, size_t size);

// How far joints were open, as "4.1e-13 of the model's size (rod, x)", and in rows between steps where that is more; empty: there are none.
void hol_violations_text(const hol_statistics *s, char *text, size_t size);

// What contacts have done, as "27 onsets of 5 contacts, ..."; empty: none has begun.
void hol_contacts_text(const hol_statistics *s, char *text, size_t size);

// What elements have cost in a run: those alike together.
typedef struct hol_cost {
    char name[100]; // "spring", "link1 .. link10", "crank0 and 4 more"
    const char *type;
    long elements;
    double cpu_seconds, share; // estimated; of the run's CPU
} hol_cost;
// The dearest first, `most` of them or fewer; returns how many. To be called once, after hol_simulation_finish: each kind of
// element is evaluated alone at the final state, a few times, and multiplied with the evaluations counted. Linear algebra,
// results and the accounts of energy are in no element's share.
int hol_simulation_costs(hol_simulation *sim, hol_cost *cost, int most);
void hol_simulation_counts(const hol_simulation *sim, int *bodies, int *coordinates, int *constraints,
                           int *redundant);
// Users' equations: velocity constraints, variables (with components of forces) and states, events.
void hol_simulation_user_counts(const hol_simulation *sim, int *velocity_constraints, int *variables,
                                int *states, int *events);

// ---- modes ----------------------------------------------------------------------------------------------------

// The motion near a state, linearised on the constraint manifold: (p; w; X)' = A (p; w; X) with coordinates p of the
// degrees of freedom, their velocities w and users' states X. At an equilibrium the eigenvalues do not depend on the coordinates.
// Elsewhere they do: of a state in motion they are not the frequencies of that motion, also where it is steady, and say nothing
// about its stability; `warning` tells. docs/theory.md, section 13.
typedef enum hol_mode_kind {
    HOL_MODE_RIGID,       // eigenvalue 0: nothing drives it back
    HOL_MODE_OSCILLATION, // a complex pair; it grows if the damping ratio is negative
    HOL_MODE_DECAY,       // real and negative: overdamped, or a state's own
    HOL_MODE_DIVERGENCE,  // real and positive: negative stiffness
    HOL_MODE_REAL         // real, not at an equilibrium: says nothing about stability
} hol_mode_kind;

typedef enum hol_metric {
    HOL_METRIC_MASS,   // of the mass matrix: does not depend on units
    HOL_METRIC_NATURAL // of natural sizes, as in the tangent charts of rn4
} hol_metric;

typedef struct hol_modes_options {
    double at;        // time up to which the model's run goes before [s]; 0: the assembled start
    bool equilibrium; // a static equilibrium is looked for from there
    hol_metric metric;
    int count; // the lowest so many; 0: all, of large models 20
} hol_modes_options;

typedef struct hol_mode {
    hol_mode_kind kind;
    double re, im;           // eigenvalue, im >= 0 [1/s]
    double omega, frequency; // its absolute value [rad/s], [Hz]; NaN where it is real and not 0
    double damping;          // -re/omega [-]; NaN unless an oscillation
    double *shape_re,
        *shape_im; // change of the coordinates, unit modal mass u^H M u = 1      (n_coordinates)
    double *state_re, *state_im; // of users' states along with it                             (n_states)
    double *share;               // of each body in the kinetic energy, sum 1 (0: no mass moves) (n_bodies)
} hol_mode;

// Speeds by natural size and time that count as rest: eigenvalues depend on the coordinates by as much.
#define HOL_MODES_AT_REST 1e-5

typedef struct hol_modes {
    const char *title, *model; // title NULL: none
    double time;               // [s]
    hol_metric metric;
    int n_bodies, n_coordinates, n_states, degrees_of_freedom, velocity_constraints;
    const char **body;       // names                                                          (n_bodies)
    const char **coordinate; // body.x, .. Euler parameters are .qw .. .qz                     (n_coordinates)
    const char **unit;       // of the coordinates; "" for pure numbers                        (n_coordinates)
    const char **state;      // names                                                          (n_states)
    double *pose;            // the coordinates at the state                                   (n_coordinates)
    bool equilibrium;        // at rest or nearly so (see speed), without accelerations, states constant
    double
        residual; // norm of the forces that remain in the degrees of freedom [N/sqrt(kg)]; natural metric: of their
                  // accelerations [1/s^2]
    double speed;     // largest |v| by natural size and time [-]; below HOL_MODES_AT_REST it counts as rest
    double rate;      // largest rate of a state by natural time, relative to 1 + |state| [-]
    double omega_max; // largest sqrt|eigenvalue of M_R^-1 K_R| with positive real part [rad/s]; 0: none
    int n_all, n;     // modes there are, and those here; of large models only those computed
    int projected; // large models: damping, velocities and states are projected onto so many undamped modes; 0: they are not
    double
        outside; // then the largest acceleration of a mode beyond those, against omega^2 times the mode [-]
    hol_mode *mode;      // by |eigenvalue|                                                       (n)
    const char *warning; // what the eigenvalues are not, and what to do; NULL at an equilibrium
} hol_modes;

// NULL: error. HOL_ERR_USAGE: too many degrees of freedom, or no equilibrium with velocity constraints or moving drivers;
// HOL_ERR_INTEGRATION: a singular pose, or no equilibrium was found; and what a run may return.
// options NULL: all 0. A time, metric or count that cannot be is HOL_ERR_USAGE.
hol_modes *hol_modes_create(hol_context *ctx, const hol_model *model, const hol_modes_options *options);
void hol_modes_destroy(hol_modes *modes);
// One row per mode: number, eigenvalue, frequency, damping ratio and the shape, real and imaginary parts, as
// name.re and name.im. The file's ending says the format, as with hol_simulation_write.
hol_status hol_modes_write(hol_context *ctx, const hol_modes *modes, const char *path);
// The shapes as motions of the bodies about the pose, a period of each mode: a web page (.html), in which a mode is chosen, and a glTF file
// (.glb) with an animation for each. Shapes have no size of their own: a body is moved by 5 % of the model's size or turned by 0.2 rad,
// whichever comes first. model: the one they were found for.
hol_status hol_modes_report(hol_context *ctx, const hol_modes *modes, const hol_model *model,
                            const char *path);
hol_status hol_modes_export(hol_context *ctx, const hol_modes *modes, const hol_model *model,
                            const char *path);

// ---- methods --------------------------------------------------------------------------------------------------

// The integration methods one by one, in the order of `holonom methods`.
typedef struct hol_method_info {
    const char *name, *doc;
    const char *family; // methods of one family make similar errors: "Runge-Kutta"
    bool fixed_steps;   // it knows no error: a tolerance means nothing to it
    int reference; // for results that others are compared with: 1; 2: where those of 1 do not go; 0: for neither
} hol_method_info;
bool hol_method_list(int i, hol_method_info *out); // false: there are fewer

// The method that suits a model at a tolerance, by rules of thumb about its start: what `method: auto` takes.
enum { HOL_MOST_REASONS = 6 };
typedef struct hol_advice {
    const char *method;
    int n_reasons;
    char reason[HOL_MOST_REASONS][HOL_REASON]; // sentences
    char because[HOL_REASON];                  // in short: "rk, because ..."
    char unseen
        [HOL_REASON]; // a vibration that is in forces and accelerations and below the tolerance; empty: none
    double tolerance; // that is advised instead of the default one; 0: the default one
    double growth;    // of the fastest growth at the start [1/s]; 0: nothing grows, or it is not known
} hol_advice;
// tolerance: 0: the model's own. Errors are those of the start of a simulation.
hol_status hol_advise(hol_context *ctx, const hol_model *model, double tolerance, hol_advice *out);

// ---- results --------------------------------------------------------------------------------------------------

struct hol_result {
    const char *file, *title; // title NULL: none
    int n_columns;            // the first one is the time
    const char **name,
        **unit;    // unit "" for pure numbers                                          (n_columns)
    size_t n_rows; // at least 1
    double *value; //                                                                   (n_rows x n_columns)
    bool complete; // false: the run that writes it was killed or goes on
    // Units in which columns are to be shown, and how many of these one `unit` is: `units: {output: ..}`. Values are in `unit` in any
    // case. NULL: all as they are.
    const char **shown;
    double *factor; //                                                                  (n_columns)
    // What the file says about itself: source, method, tolerance or step, model_file, model_text,
    // model_hash (of the model, and with its shapes), set (a line each), summary (lines `label: text` about the run),
    // and what else there is.
    int n_notes;
    const char **key, **text; //                                                       (n_notes)
    // Contacts of a run that was recorded, by their ends; files have none, -1 says so.
    int n_contacts;
    hol_contact_event *contact; //                                                     (n_contacts)
};

// HOL_OK if hol_simulation_write would know the format of a file of this name.
hol_status hol_result_check_name(hol_context *ctx, const char *path);
// Reads what hol_simulation_write writes, and similar text and netCDF files; path "-" is text from standard input.
// A result that is not complete is read as far as it goes, with a warning. NULL: error.
hol_result *hol_result_read(hol_context *ctx, const char *path);
void hol_result_destroy(hol_result *result);
// Writes a result, as a file that hol_result_read reads to the same numbers; its ending says the format, as with hol_simulation_write.
// Of what the result says about itself .nc has all, .csv what hol_simulation_write has there.
hol_status hol_result_write(hol_context *ctx, const hol_result *result, const char *path);
const char *hol_result_note(const hol_result *result, const char *key); // NULL: there is none
// The model that was run, by what the result says about itself: its text with the overrides; included files and tables are
// looked for where they were. NULL: error; a result without the text needs the file it names, as it was when it ran.
hol_model *hol_result_model(hol_context *ctx, const hol_result *result);

typedef struct hol_difference {
    const char *name, *unit, *unit_b; // units in a and in b
    double error, time;               // largest |a - b| and when [s]; NaN: something is not a number
    double reference;                 // b there
    double largest;                   // largest |b|
    double
        percent; // 100 error / |reference|, or / largest where the reference is below a thousandth of it; infinite: b is 0
    double rms; // sqrt of the mean of |a - b|^2 over the rows of a
    double
        between; // what values of b between its rows may be wrong by, where there are any: about as much of the error is no difference
} hol_difference;

typedef struct hol_comparison {
    double from, to; // times compared [s]
    size_t rows;     // of a, in that range
    int n, n_only_a, n_only_b;
    hol_difference *item; // signals in both, in the order of a                           (n)
    const char **only_a,
        **only_b; // names                                                        (n_only_a), (n_only_b)
} hol_comparison;

// Compares at the times of a; b is interpolated by cubic polynomials through its four nearest rows, and taken as it is
// where the times coincide. The results must live as long. NULL: error, also when no signal or no time is common.
hol_comparison *hol_comparison_create(hol_context *ctx, const hol_result *a, const hol_result *b);
void hol_comparison_destroy(hol_comparison *comparison);

// a - b for every signal that both have, at the times of a that lie within b, where b is interpolated as by
// hol_comparison_create. The result, without notes, is freed by hol_result_destroy. NULL: error, also when no signal or no time is
// common or units differ.
hol_result *hol_result_minus(hol_context *ctx, const hol_result *a, const hol_result *b);
// Amplitudes of n_columns signals over the frequency, which stands in the first column [Hz]: Hann's window, the mean taken off; a
// sine that lasts some ten periods has its amplitude at its frequency to 1e-3. Rows that are not even are interpolated at even times; the note "spectrum"
// says so. column: of the result, 1 or more. The result is freed by hol_result_destroy. NULL: error, also for less than 8 or more than 1048576
// rows or values that are not finite.
hol_result *hol_result_spectrum(hol_context *ctx, const hol_result *result, const int *column, int n_columns);

// ---- reports --------------------------------------------------------------------------------------------------

typedef struct hol_report_options {
    const char *title; // NULL: the result's
    int n_columns;     // signals to be shown
    const int *column; // of the result; NULL: all                                         (n_columns)
} hol_report_options;

// HOL_OK if a report can have this name: it ends in .html.
hol_status hol_report_check_name(hol_context *ctx, const char *path);
// One HTML page that needs nothing else: the motion to be played, plots, what the run and hol_check_create say, the model. The
// result must have the poses of all bodies (`signals: [poses]`, or all signals). model: that of the run, see
// hol_result_model; options: NULL are defaults. Of more than 36 million numbers of the motion or 4 million of the signals some are
// left out, which the page and the log say.
hol_status hol_report_write(hol_context *ctx, const hol_result *result, const hol_model *model,
                            const hol_report_options *options, const char *path);

// HOL_OK if hol_motion_export can write a file of this name: it ends in .glb.
hol_status hol_motion_check_name(hol_context *ctx, const char *path);
// The motion as an animation in glTF 2.0 (binary), which Blender and other programs open: a node per body, by name, with its
// shapes, lengths in m, times in s; y is upwards. result, model: see hol_report_write; of more than 36 million numbers some
// times are left out. Springs and other forces are left out too. The log says what is.
hol_status hol_motion_export(hol_context *ctx, const hol_result *result, const hol_model *model,
                             const char *path);

// ---- FMUs -----------------------------------------------------------------------------------------------------

// The model as an FMU for co-simulation (https://fmi-standard.org), an archive .fmu that other programs simulate as a part of theirs:
// the library is inside, with the model and the files that it reads. version: of FMI, 2 or 3. docs/fmu.md. The shared object of it,
// holonom-fmu.so, is beside the library. HOL_ERR_USAGE: the model cannot go along, as one with paths from the root on;
// HOL_ERR_IO: the shared object is not there; other errors are those of the start of a simulation.
hol_status hol_fmu_write(hol_context *ctx, const hol_model *model, int version, const char *path);

// ---- what there is --------------------------------------------------------------------------------------------

// Text for people: every method or element with its options, units, defaults and ranges.
typedef enum hol_text_form { HOL_PLAIN_TEXT, HOL_MARKDOWN } hol_text_form;
void hol_describe_methods(hol_text_form form, hol_print_fn print, void *user);
void hol_describe_elements(hol_text_form form, hol_print_fn print, void *user);
// The part about one of them; an element's name may be an alias. HOL_ERR_USAGE: there is none.
hol_status hol_describe_method(hol_context *ctx, const char *name, hol_text_form form, hol_print_fn print,
                               void *user);
hol_status hol_describe_element(hol_context *ctx, const char *name, hol_text_form form, hol_print_fn print,
                                void *user);
// JSON Schema of the model file.
void hol_describe_schema(hol_print_fn print, void *user);
// The name nearest to a misspelt word, for "did you mean"; NULL if none is near.
const char *hol_suggest(const char *word, const char *const *names, int n_names);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
