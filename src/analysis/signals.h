// Result columns: what a user may ask for by name, and its value at a state.
//
//     crank.x crank.theta crank.omega       a body's frame: position, orientation, velocities, accelerations
//     crank.tip.x crank.tip.vx              a marker
//     A.Fx A.T                              reaction of a joint or driver, force of a spring, bushing, tyre, ...; what acts
//                                           on one body (force, torque, tyre) is not part of "all"
//     energy.kinetic .potential .total .work,  violation.position .velocity,  step.size .newton .error .limit
//     poses                                 x y theta, or x y z qw qx qy qz, of every body: what pictures need
//     omega_max                             the fastest vibration: not part of "all", for it costs more than a step
//
// A request may be a whole group ("crank", "crank.tip", "A", "energy", "all"). docs/model-reference.md.
#ifndef HOL_SIGNALS_H
#define HOL_SIGNALS_H

#include "analysis/omega.h"
#include "system/actuate.h"
#include "system/rank.h"
#include "system/reaction.h"

typedef struct hol_signal_group hol_signal_group; // a row of the table in signal_groups.c

// How a row of results between steps has a signal. Forces have the columns of reactions, and are evaluated.
typedef enum hol_had { HOL_HAD_MOTION, HOL_HAD_EVALUATED, HOL_HAD_SOLVED, HOL_HAD_STEP } hol_had;
// What has to be found for a row beside its motion: users' equations; accelerations and multipliers; all of these at once, where
// some depend on themselves; forces, or what they change.
enum { HOL_NEED_VALUES = 1, HOL_NEED_UNKNOWNS = 2, HOL_NEED_CIRCLE = 4, HOL_NEED_FORCES = 8 };

typedef struct hol_column {
    const char *name, *unit;
    const char *shown; // the unit in which it is shown
    double factor;     // how many of these one `unit` is
    const char *doc;   // what it holds, without the name of the object: "velocity, x"
    const hol_signal_group *group;
    int object, component;
    const hol_element *element; // whose reaction or multiplier it is; NULL: of none
    hol_uniqueness uniqueness;  // of reactions and multipliers
} hol_column;

// The last accepted step; numbers as they are written.
typedef struct hol_step_info {
    double size, newton, error, limit;
} hol_step_info;

typedef struct hol_signals {
    const hol_equations *s;
    const hol_model_data *m;
    hol_arena *arena;
    hol_context *ctx;
    unsigned used; // groups with columns, by the bits of their rows
    int n, capacity;
    hol_column *column; //                                             (n)
    double *value;      // of the last evaluation                      (n)
    hol_reactions reactions;
    hol_step_info step; // kept up to date by the simulation
    bool wants_reactions;
    bool has_reactions;  // those of the state that is evaluated are found
    bool wants_work;     // some column takes it
    const char *sharing; // whose expressions measure reactions that redundant equations share; NULL: none
    const char *shares;  // elements whose reactions they are, and what for: not 0        (n_elements)
    bool quiet, told_sharing;
    bool open_reactions; // some column of a reaction is not unique
    const hol_state *x;  // the state that is evaluated
    double work;         // W_nc there [J]
    hol_measure measure; // there, if it is_measured
    bool is_measured;
    hol_omega *omega;                     // NULL: not asked for
    const hol_actuators *actuators;       // of inverse dynamics; NULL: none
    const struct hol_contacts *contacts;  // whose sums are shown; NULL: all are 0
    const struct hol_swarm_watch *swarms; // likewise
    hol_names *users;                     // of variables and states; NULL: nothing was asked for by its name
    hol_names *names;                     // of the columns so far, where requests may overlap; else NULL
    const char *where;                    // requests stand in the model
    const char *time_shown;               // as of columns
    double time_factor;
} hol_signals;

// requests, `simulate.signals`: n = 0 asks for all signals. Unknown names are refused with "did you mean".
hol_status hol_signals_create(hol_context *ctx, const hol_equations *s, const hol_word *request, int n,
                              hol_signals *out);
// The same of requests that stand elsewhere in the model, for messages.
hol_status hol_signals_create_of(hol_context *ctx, const hol_equations *s, const char *where,
                                 const hol_word *request, int n, hol_signals *out);
// Refuses what hol_signals_create would refuse, and what `plots` of the model cannot show.
hol_status hol_signals_check(hol_context *ctx, const hol_equations *s, const hol_word *request, int n);
hol_status hol_signals_check_plots(hol_context *ctx, const hol_equations *s);
void hol_signals_destroy(hol_signals *g);
// Words that ask for a group or for several, in the order of the manual, and what they ask for. false: there are fewer.
bool hol_signal_word(int i, const char **name, const char **doc);
// A column as the manual has it.
typedef struct hol_signal_column {
    const char *name, *unit, *of, *doc; // of: what has it
} hol_signal_column;
// The i-th of them; false: there are fewer.
bool hol_signal_column_row(int i, hol_signal_column *out);
// Signals of one kind, as "energy: kinetic potential total", and how a row between steps has them. false: there are fewer.
bool hol_signal_way(int i, char *text, size_t size, const char **way);
// What a column holds that is known by its name, which may be of another model: "" then.
const char *hol_signal_doc_of(const hol_model_data *m, const char *name);
// Room for reactions, once.
hol_status hol_signals_begin_reactions(hol_signals *g);
// Those of the state that is evaluated, once.
hol_status hol_signals_update_reactions(hol_signals *g);
// Which reactions of joints are unique: into the columns; a note if some are not. x: the start; rank: what was found there.
hol_status hol_signals_judge(hol_signals *g, const hol_state *x, const hol_rank *rank, bool quiet);
bool hol_signal_is_reaction(const hol_column *c); // of a joint, driver or constraint: multipliers say it
bool hol_signal_has_axes(const hol_column *c);    // a component of what acts on a body, in axes of that
// "Fx", .. of a reaction, n (3 or 6) of them.
const char *const *hol_reaction_components(int dimension, int *n);
// Values of all columns. energy and work: at this state; work [J] is W_nc so far.
hol_status hol_signals_evaluate(hol_signals *g, const hol_state *x, double work);
// HOL_NEED_.. for all columns. Users' equations (n_equations): implicit: those that do not follow from positions, velocities,
// states and time; circle: from accelerations and multipliers neither.
unsigned hol_signals_needs(const hol_signals *g, const char *implicit, const char *circle);
// A column whose value is not a finite number, the first that is infinite before others; -1: all are.
int hol_signals_not_finite(const hol_signals *g);

#endif
