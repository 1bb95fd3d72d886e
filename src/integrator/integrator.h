// Integrators: advance a consistent state by accepted steps, interpolate inside the last one. table.c is the one list.
#ifndef HOL_INTEGRATOR_H
#define HOL_INTEGRATOR_H

#include "integrator/control.h"
#include "integrator/norm.h"
#include "system/explicit.h"
#include "system/kernel.h"

#include <math.h>

// Work counters, the same for every method.
typedef struct hol_counters {
    long steps, rejected, corrector_failures, newton_iterations, unconverged, repartitions;
    long passages;                     // through singular poses, by the guide
    long switchings;                   // of joints, drivers and constraints by events
    long loop_solves, loop_iterations; // of rk along the tree
    // of bdf: how many times Newton's second correction was compared with the first, sum of the logarithms of their ratios,
    // the largest one
    long contractions;
    double contraction_log, contraction_max;
    double h_min, h_max;      // [s]
    long limited[HOL_LIMITS]; // accepted steps by what kept them from being longer
} hol_counters;

enum { HOL_BLAMED = 3 };

typedef struct hol_method hol_method;
typedef struct hol_passage hol_passage;
typedef struct hol_twists hol_twists;
typedef struct hol_crossing hol_crossing;

// What keeps the steps of an explicit method short although the motion is smooth; see stiffness.h.
typedef struct hol_stiff {
    double h;    // size of the steps when it was found [s]; 0: nothing was
    int element; // whose damping it is, -1: none
    int state;   // the user's state whose rate it is, -1: none
} hol_stiff;

// What srm tells about its loops: largest values over the steps.
typedef struct hol_srm_report {
    double eps;
    bool by_tolerance; // eps was chosen so that the loops open by the tolerance as the motion is at the start
    double drift, rate;    // |theta_i|, |theta_i'| by natural size (and time)
    double estimate;       // difference of the positions of the last two iterates, by natural size
    double multiplier;     // largest loop multiplier [N or N m]
    double power;          // mu . theta' at the last point [W]
    double dissipated;     // by the regularization so far [J]
    double least, most;    // eigenvalues of the loop operator at the start, estimates
    long factors, applies; // eliminations and substitutions along the tree so far
} hol_srm_report;

// Why no step was found: not because of that, no size is good, a singular pose.
typedef enum { HOL_STOPPED_NOT, HOL_STOPPED_STEP, HOL_STOPPED_POSE } hol_stopped;

typedef struct hol_integrator {
    const hol_method *method;
    hol_context *ctx;
    hol_equations *s;        // k->s
    hol_kernel *k;           // the equations with the matrix at hand: of the method, and of accelerations
    const hol_value *option; // values of the method's option rows
    hol_state x;             // the last accepted state
    // The accepted state before it, equal to x before the first step. Its a is what the step to x has begun with, which is
    // not its own with tangent.start: zero.
    hol_state before;
    double h;     // size of the next step [s]
    double asked; // tolerance of the results; 0: steps of the given size, or errors of steps are asked for
    double tolerance;  // local error per step in units of the weights below; 0: steps of the given size
    double forgotten;  // times as much of states whose errors do not add up; 1: there are none
    hol_errors errors; // what the error test looks at
    double *size;      // absolute part of the weight of each coordinate and state, in its unit  (nq + nx)
    // Relative part: weight = max(size, relative * largest |q| so far) in the index-3 family,
    // max(size, relative * |q|) in bdf, elsewhere
    // size + relative * larger |q| of both ends of the step.
    double relative;
    hol_norm norm;       // of a vector (q; v; X) with these sizes
    hol_control control; // of the step by the error
    double brief,
        brief_at; // longest step that may begin at that time, whoever begins there anew [s]; hol_integrator_begin_briefly
    double h_max;   // largest step [s]
    double h_asked; // the same as it was asked for, whatever a method makes of it
    double longest; // step that passes over no growth [s]; infinite: none is known
    double end;     // of the simulation, scale of the first step [s]
    double way,
        way_of_step; // times by which the model has moved by its own size, in the last step; 0 without groups of the norm
    bool told_way; // that it is long
    double error;  // of the last accepted step, in units of the tolerance
    double
        bare; // the same if the motion is not smooth in it (9.13b); 0: it was judged so, or the method has one estimate
    double rough;        // time up to which it is not, for a corner of an expression
    hol_limit limit;     // what limited the last accepted step
    hol_stopped stopped; // why the last step failed, where the message names nothing of the file
    hol_counters count;
    bool settles_between; // what `interpolate` leaves of positions is too much for stiff forces: (5.20)
    bool solves_between;  // `interpolate` finds accelerations and other unknowns of the state itself
    double
        open; // largest violation of positions at the ends of steps so far, by natural size; kept by the simulation
    double *phi;     // room                                                             (nc + nk)
    hol_powers sums; // asked for: the work of these in `work`, where the method has it at hand
    double work;     // in the step that has ended at work_end [J]
    double work_end;
    double
        work_doubt; // what that may be wrong by, where a formula of lower order says so; 0: that of forces [J]
    double
        lost[2]; // what swarms have lost by damping and by rubbing in the step that has ended at lost_end [J]
    double lost_end;
    double clear,
        clear_at; // no smaller is the smallest singular value of the constraints in natural sizes at x, and its time [s]; 0: not known
    double independence; // at x, of the rows in use by the method's own matrix: (15.16); 0: not known
    bool
        loose; // velocities are off the joints by what Newton's iteration leaves with a matrix of earlier steps
    const hol_stiff *stiff;    // what explicit methods have found; NULL: this one does not look
    const hol_srm_report *srm; // NULL: another method
    int *struggles; // failures of Newton's iteration in which the element was among the worst  (n_elements)
    // NULL in matrix-free methods, which have no Newton iteration; their size, too, where steps are fixed.
    hol_passage *passage;   // through singular poses: passage.h; NULL: none is led
    hol_crossing *crossing; // states in these: crossing.h; NULL: the model has none
    hol_twists *twists; // whose turns may have to be told within the last step: twists.h; NULL: nobody looks
    bool insists;       // the method makes the fixed step that it has left, as no motion was found to lead on
    bool mended;        // x was changed to be the motion's, and the method has to begin anew there
    bool carried;       // the last step was made by no method
    double again;       // where steps were taken back last [s]
    int times;          // how often there
    void *data;         // the method's own
} hol_integrator;

// Features of models that a method may or may not take; accepts.c is the list.
enum {
    HOL_ACCEPTS_VARIABLES = 1,
    HOL_ACCEPTS_STATES = 2,
    HOL_ACCEPTS_RATES = 4,    // velocity constraints
    HOL_ACCEPTS_UNKNOWNS = 8, // expressions of accelerations and joint forces
    HOL_ACCEPTS_EVENTS = 16,
    HOL_ACCEPTS_INEXACT = 32, // user code without exact derivatives
    HOL_ACCEPTS_ALL = 63,
    HOL_ACCEPTS_SWARMS = 64 // contacts that are no elements, whose derivatives are in no matrix
};

// Levels at which the constraints are held; the other ones are off by the error of the method.
enum { HOL_HOLDS_POSITIONS = 1, HOL_HOLDS_VELOCITIES = 2, HOL_HOLDS_MOTION = 3 };

// What a method is taken for by those who choose one: the first of the table that takes the model.
enum {
    HOL_SUITS_SMOOTH = 1,    // motion that is not stiff
    HOL_SUITS_STIFF = 2,     // stiff forces where errors are to be small
    HOL_SUITS_TREE = 4,      // stiff forces where the joints form a tree
    HOL_SUITS_REFERENCE = 8, // results that others are compared with
    HOL_SUITS_LAST = 16      // the same where those do not go
};

struct hol_method {
    const char *name;
    const char *doc;
    const char *family; // methods of one family make similar errors; a reference needs two of different ones
    unsigned suits;     // HOL_SUITS_..
    bool teaching;      // for comparing with the other methods, never chosen unasked
    bool exact;         // joints hold by construction, to rounding
    bool open;          // joints open by design, as the method reports; redundant equations stay
    bool passes;        // goes through singular poses by itself, and is not led
    bool tree;          // may eliminate along the tree of joints, all rows of which must take part
    const hol_option *options;
    unsigned accepts; // HOL_ACCEPTS_..
    // With these options it solves without the system's matrix, which is not made then; `create` finds the accelerations and
    // multipliers of it->x. NULL: never.
    bool (*matrix_free)(const hol_value *option);
    // The same where the options leave it to the method, which decides by the model. NULL: never.
    bool (*matrix_free_for)(const hol_value *option, const hol_model_data *m);
    int order;   // of positions and velocities; above 2 the work is integrated with points inside the step
    bool orders; // from 1 up to that one, chosen from step to step
    // A tolerance T of results is one per step of T/divisor, (T/divisor)^((p + 1)/p) with the order p where the estimate is that of
    // the formula that goes on. (5.14a)
    double divisor;
    bool own_estimate;
    // The power of h by which the estimate goes with these options, where it is that of a formula of lower order all the same. NULL: one
    // more than the order.
    int (*estimate_power)(const hol_value *option);
    // Order with these options and fixed steps; 0: none, the form shows an error. NULL: `order`, whatever they are.
    int (*order_of)(const hol_value *option);
    bool linear_rows;     // multipliers between steps are of order 2, and so is the work of drivers
    bool linear_unknowns; // results between steps have accelerations and multipliers linear in time
    bool
        begins_anew; // with order 1 where a checkpoint is written, which does not have the history of its steps
    unsigned
        holds; // HOL_HOLDS_..: what is zero at the end of every step, but for rounding and Newton's tolerance
    int fewest_steps; // of a run with error control: max_step is end/fewest_steps where the user gives none
    const hol_option *more_options; // shared by a family; may be NULL; values follow those of `options`
    // Why these options cannot work, or NULL. variable: with error control.
    const char *(*refuse)(const hol_value *option, bool variable);
    // Largest stable omega h for undamped vibrations; INFINITY: stable for every h with these options. NULL: no limit known.
    double (*limit)(const hol_value *option, bool variable);
    // In words, which of its forms it has taken, as "order 8, tree"; as long as it lives. NULL: there is one only.
    const char *(*chose)(const hol_integrator *it);
    hol_status (*create)(hol_integrator *it); // allocates everything a step needs
    void (*destroy)(hol_integrator *it);
    // Advances x by one accepted step: to t_stop exactly with fixed steps, else by a step of its own choice that does
    // not pass t_stop. HOL_ERR_INTEGRATION with a message if that cannot be done. HOL_RECOVERABLE: hol_integrator_leaves.
    hol_status (*step)(hol_integrator *it, double t_stop);
    // The state was changed from outside (an event): history is void, accelerations are right.
    hol_status (*restart)(hol_integrator *it);
    // The rows of the system were chosen anew (x.lam and before.lam are converted): history of lam is void.
    // NULL: `open`, where all are in use.
    hol_status (*rows_changed)(hol_integrator *it);
    // Accelerations and multipliers of it->x, where `step` leaves them to those who ask (hol_integrator_complete); NULL: it
    // has them.
    hol_status (*complete)(hol_integrator *it);
    // Accelerations of x where no matrix is made for them, with multipliers if all is wanted; NULL: one is made.
    hol_status (*evaluate)(hol_integrator *it, hol_state *x, hol_wanted wanted);
    // A (n x n, column after column) of u' = A u near the present state, to the accuracy of differences; NULL: there is none
    // yet. *n in any case.
    const double *(*tangent)(const hol_integrator *it, int *n);
    // Saves or restores what `create` and `step` keep in `data`.
    void (*archive)(hol_integrator *it, hol_archive *a);
    // State at t between before.t and x.t.
    // The system's factors may be others afterwards. HOL_RECOVERABLE: out holds a result of lower order.
    hol_status (*interpolate)(hol_integrator *it, double t, hol_state *out);
    // The same for positions and velocities alone, where the rest costs much; NULL: it does not.
    hol_status (*interpolate_motion)(hol_integrator *it, double t, hol_state *out);
    // What of `work` is done up to t between before.t and work_end; NULL: nobody knows. HOL_RECOVERABLE: it is not found.
    hol_status (*interpolate_work)(hol_integrator *it, double t, double *work);
    // Puts such a state onto the constraints, with all its unknowns. NULL: that is left to projections by the system's matrix.
    hol_status (*close)(hol_integrator *it, hol_state *x);
};

// Rows of every method, after its own: what the error test looks at, rtol, atol and absolute tolerances by kind of coordinate.
enum { HOL_METHOD_TABLES = 3, HOL_TOLERANCE_OPTIONS = 6 };
extern const hol_option hol_tolerance_options[HOL_TOLERANCE_OPTIONS + 1];
// The option tables of a method in the order of their values: its own, its family's, those of every method; may be
// empty, never NULL.
const hol_option *hol_method_table(const hol_method *method, int k);

// NULL at the end. The first one takes every model, with steps of either kind.
extern const hol_method *const hol_methods[];
// HOL_ERR_USAGE, with the reason and the methods that would do, if the model has something that the method does not take.
hol_status hol_method_check(hol_context *ctx, const hol_method *method, const hol_model_data *m);
const hol_method *hol_method_find(const char *name);
const char *hol_method_suggest(const char *name);

// Does a method leave a fixed step that needs many corrections, as a pose is near? Its `step` returns HOL_RECOVERABLE then, with x as it was.
bool hol_integrator_leaves(hol_integrator *it);
// Are matrices left out because the model is large?
bool hol_integrator_is_bare(const hol_integrator *it);
bool hol_method_matrix_free(const hol_method *method, const hol_value *option, const hol_model_data *m);
// x: a consistent state, taken over (x->q is NULL then); without accelerations and multipliers if the method is matrix-free.
// option: values of the method's rows, kept by pointer.
typedef struct hol_steps {
    double fixed;     // size of fixed steps [s]; 0: error control
    double tolerance; // as given
    double h_max;     // largest step [s]
    double end;       // end of the simulation: scale of the first step [s]
} hol_steps;
// Order with these options.
int hol_method_order(const hol_method *method, const hol_value *option);
// The option `errors` of a method, from the values of all its rows.
hol_errors hol_method_errors(const hol_method *method, const hol_value *option);
// What a step may be wrong by so that results are right to the tolerance; with means it is the tolerance itself.
double hol_method_tolerance(const hol_method *method, const hol_value *option, double tolerance);
// The tolerance of who gives none but asks for this method: what its order reaches in some thousand steps.
double hol_method_default_tolerance(const hol_method *method, const hol_value *option);
#define HOL_DEFAULT_TOLERANCE 1e-4 // of who asks for no method
hol_integrator *hol_integrator_create(hol_context *ctx, const hol_method *method, hol_kernel *k, hol_state *x,
                                      const hol_value *option, const hol_steps *steps);
void hol_integrator_destroy(hol_integrator *it);
// One step of the method, with counters and element memory brought up to date.
hol_status hol_integrator_step(hol_integrator *it, double t_stop);

// For `step`: x1 becomes x with the memory of elements, x becomes before, and x1 has room for the next trial state.
void hol_integrator_advance(hol_integrator *it, hol_state *x1);

// Notes the elements with the largest entries of r (residual of the equations of motion and the constraints, (n)) when
// Newton's iteration has failed.
void hol_integrator_blame(hol_integrator *it, const double *r);
// At the end of a run: a long way, over which errors add up, unless the start has told it.
void hol_integrator_tell_way(hol_integrator *it);
// The elements noted most often, -1 where there are fewer.
void hol_integrator_blamed(const hol_integrator *it, int element[HOL_BLAMED]);
// Other constraint rows from now on; see hol_kernel_reselect.
hol_status hol_integrator_reselect(hol_integrator *it, const char *active);
// Accelerations and multipliers of it->x, if they are not there; whoever reads them after a step calls this before.
hol_status hol_integrator_complete(hol_integrator *it);
// The state at t in the last step, whoever has made it; see hol_method. Of the motion alone where the method has that.
hol_status hol_integrator_interpolate(hol_integrator *it, double t, hol_state *out);
hol_status hol_integrator_interpolate_motion(hol_integrator *it, double t, hol_state *out);
// Puts such a state onto the constraints, where the method has `close`.
hol_status hol_integrator_close(hol_integrator *it, hol_state *x);
// Was the last step led through a singular pose? It is one of rk then.
bool hol_integrator_is_led(const hol_integrator *it);
// The last step is no step: a new start from where it began.
hol_status hol_integrator_take_back(hol_integrator *it);
// Was it often that a step from there was taken back? The next one had better stand.
bool hol_integrator_has_tried(const hol_integrator *it);
// A short step to t with the accelerations at hand, made by no method, which has to begin anew behind it. Accelerations of the new state are
// left to the caller.
void hol_integrator_carry(hol_integrator *it, double t);
// Before the first step, or when angles are counted that were not: the memory of it->x, with which steps begin, and that of it->before.
void hol_integrator_remember(hol_integrator *it);
// The state it->x was changed: a new start from there.
hol_status hol_integrator_restart(hol_integrator *it);
// With error control the step from t on is at most h, whatever the method finds when it begins anew there: its state does not show yet
// what forces will do.
void hol_integrator_begin_briefly(hol_integrator *it, double t, double h);
// Where it->x, at which a step was made to end, is at a singular pose: it becomes that of the motion, and the next step begins anew.
hol_status hol_integrator_mend(hol_integrator *it);
void hol_limit_archive(hol_archive *a, hol_limit *limit);
// Saves or restores everything the next step depends on.
void hol_integrator_archive(hol_integrator *it, hol_archive *a);

// What limited the last step is this.
void hol_integrator_limit(hol_integrator *it, hol_limit limit);
// Is a state between steps further from the joints than a result may be, and than the ends of steps are? *open: how far its joints are, by
// natural size; 0 where velocity constraints have said it already.
bool hol_integrator_opens(hol_integrator *it, const hol_state *x, double *open);

// Cubic Hermite interpolation of q from (q, v) and of v from (v, a); lam linear. For methods without their own.
hol_status hol_interpolate_hermite(hol_integrator *it, double t, hol_state *out);
// Quintic through (q, v, a) at both ends; cubic where a changes too much within the step for that (initial layers). Methods of
// order 2 have velocities by the cubic.
hol_status hol_interpolate_quintic(hol_integrator *it, double t, hol_state *out);

// A body without inertia has been refused at the start: on the way it is a trial state far away.
static inline hol_status hol_trial_status(hol_status st)
{
    return st == HOL_ERR_MODEL ? HOL_RECOVERABLE : st;
}

// What a number may be wrong by, in units of the tolerance: size (absolute part, in its unit) against the larger of its values
// at both ends of the step.
static inline double hol_weight(const hol_integrator *it, double size, double x0, double x1)
{
    const double before = fabs(x0), after = fabs(x1);
    return size + it->relative * (before > after ? before : after);
}

#endif
