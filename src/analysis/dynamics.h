// A simulation: from the consistent start to the end, with results handed to sinks on the way.
#ifndef HOL_DYNAMICS_H
#define HOL_DYNAMICS_H

#include "analysis/contacts.h"
#include "analysis/energy.h"
#include "analysis/events.h"
#include "analysis/growth.h"
#include "analysis/turning.h"
#include "analysis/undefined.h"
#include "analysis/jumps.h"
#include "analysis/loads.h"
#include "analysis/poles.h"
#include "analysis/roots.h"
#include "analysis/rows.h"
#include "analysis/settings.h"
#include "analysis/swarms.h"
#include "analysis/folds.h"
#include "analysis/tables.h"
#include "integrator/twists.h"
#include "system/rank.h"

#include <pthread.h>
#include <time.h>

// Where results go: one file, a plot, a caller's array. Functions return HOL_ERR_IO with a message.
typedef struct hol_sink {
    void *data;
    hol_status (*row)(void *data, double t, const double *value, int n); // NULL: it takes none
    hol_status (*close)(void *data); // also after trouble: what was written stays valid
    hol_status (*contact)(void *data, const hol_contact_event *event); // that has ended; NULL: it takes none
} hol_sink;

enum { HOL_MAX_SINKS = 16 };

// A part of the last step over which its work is summed.
enum { HOL_WORK_HALVINGS = 6 };
typedef struct hol_work_part {
    double from, to; // [s]
    double work;     // up to `from` [J]
    double power[5]; // at `from`, `to` and the three times between [W]
} hol_work_part;

// How a program that sets inputs on the way goes through the time (drive.c).
typedef struct hol_drive {
    double now;      // the present time: within the last step, or its end [s]
    double stop;     // steps end there; infinite: where the method likes [s]
    double limit;    // rows and events beyond it wait [s]
    bool waiting;    // the last step has passed it
    bool halts;      // a program says when events happen: the way to a time ends at the first one
    bool halted;     // at one that has not happened yet
    bool holds;      // what a change makes due waits, too
    bool held;       // and may do so now
    bool exact;      // an input was changed at the last stop: the next one is likely to see another change
    bool changed;    // an input was, and the accelerations do not know it yet
    double *given;   // values of inputs to come                                (m->n_held)
    char *set;       // which of them were given                                (m->n_held)
    hol_state trial; // inside a step
    hol_state taken; // what was given, before it is put onto the joints
} hol_drive;

// Evaluations of the elements by what is evaluated.
typedef struct hol_work {
    long residuals, matrices, light, bordered, along_tree; // light: see hol_evaluations
} hol_work;

// Rows in use of redundant loops (selection.c).
typedef struct {
    double *chosen_at; // positions at which they were chosen; NULL: no watch                            (nq)
    hol_kernel kernel; // of looks at their smallest singular value
    bool watches;      // such looks are made
    double way;        // that the motion goes before the next one; 0: now
    double most;       // the largest value since rows were sought last
} hol_selection;

typedef struct hol_dynamics {
    hol_context *ctx;
    const hol_model_data *m; // as it acts at present
    hol_model_data
        *switched;           // the same, where events have switched joints, drivers or constraints; else NULL
    hol_model_data *begun;   // where it begins in an equilibrium: the same, with that as its start; else NULL
    hol_settings set, asked; // asked: before a method was chosen
    hol_kernel kernel;       // of the method
    hol_equations *s;        // its equations
    hol_team *team;          // NULL: one thread
    hol_rank rank;
    hol_rank_watch *watch; // of redundant loops; NULL: none
    hol_selection selection;
    hol_kernel projector; // for events and powers inside steps; without equations: not needed
    hol_events events;
    hol_loads loads;         // functions of time
    hol_growth growth;       // what steps must not pass over
    hol_twists twists;       // whether their turns are counted
    hol_undefined undefined; // angles that have no value for a moment
    hol_turning turning;     // attitudes in fixed steps
    hol_folds folds;         // motions by tables that turn back
    hol_poles poles;         // of expressions of places and speeds
    hol_strips strips;       // narrow ones of these
    hol_tables tables;       // that rows are watched for
    hol_jumps jumps;         // and where these jump
    hol_contacts contacts;
    hol_swarm_watch swarms; // contacts that are no elements
    hol_roots roots;        // of variables that depend on themselves
    hol_integrator *it;
    hol_signals signals;
    hol_rows rows;            // their states
    hol_state inside;         // for the power inside a step
    const hol_state *written; // while a row is handed to the sinks: the state it is about
    bool writes;              // some sink takes rows
    int n_sinks;
    hol_sink sink[HOL_MAX_SINKS];
    double next_output; // [s]
    double saved;       // time of the last checkpoint written; -infinite: none [s]
    long outputs;
    long unbounded;                   // rows at singular poses with numbers that grow without bound there
    hol_powers powers;                // what W_nc comes from
    bool looks_within;                // work is summed with powers within steps, not by the trapezoidal rule
    double work, power;               // W_nc so far [J], power at x.t [W]
    double work_before, power_before; // at before.t, for results within the step
    bool summed;                      // the work of the last step is the method's own sum
    bool sure;        // which is exact enough for the method to say what of it is done within the step
    int n_work_parts; // 0: work within the step is not summed by Boole's rule
    hol_work_part work_part[1 << HOL_WORK_HALVINGS];
    double summed_here; // work at the end of these parts, where they were made for rows alone [J]
    double
        power_slope; // its change over the last step by the length of it, where the method does not sum the work
    double bend;     // by how much that has turned lately, as work of a step [J]
    bool slope_known;
    double even;    // how long the next step may be for the sake of turns that are counted [s]; 0: any length
    double speed;   // largest |v_i| by natural size [1/s]
    double fastest; // largest |v_i| by natural size and time so far
    long newton;    // iterations up to the last accepted step
    long at_start;  // factorizations that the consistent start has taken
    long earlier;   // those before the equations were made anew last
    double energy0; // at the start [J]
    double unbalanced;        // energy less what it was and the work, after the last step [J]
    hol_energy energy;        // what moves about
    int violation_row;        // model row of the largest position violation so far, -1: none
    bool cautious;            // the tolerance is smaller than the default one, as advised
    char because[HOL_REASON]; // why the method was chosen; empty: it was given
    hol_statistics stats;
    hol_drive drive;
    hol_work inherited; // done before the checkpoint this run goes on from
    double cpu0, wall0;
    pthread_t clocked; // whose CPU seconds count
} hol_dynamics;

// Assembles the model, makes it consistent, sets up the integrator. set: what hol_settings_read has found; its lists
// live as long as the model.
hol_dynamics *hol_dynamics_create(hol_context *ctx, const hol_model_data *m, const hol_settings *set,
                                  bool quiet);
void hol_dynamics_destroy(hol_dynamics *d);
// Before the first step: another method than the one that was chosen, and its tolerance where none was given. After a failure d can
// only be destroyed.
hol_status hol_dynamics_choose(hol_dynamics *d, const hol_method *method, double tolerance,
                               const char *because);
hol_status hol_dynamics_add_sink(hol_dynamics *d, const hol_sink *sink);
// One accepted step (the first call also writes the start). *done when the end is reached. Rows and events beyond d->drive.limit wait for
// the next call, or for hol_dynamics_tell.
hol_status hol_dynamics_step(hol_dynamics *d, bool *done);
// Rows and events up to d->drive.limit that have waited.
hol_status hol_dynamics_tell(hol_dynamics *d, bool *done);
// Rows of the last step that an interruption has left out.
hol_status hol_dynamics_catch_up(hol_dynamics *d);
// Events that are due, and what follows them, at the accepted state.
hol_status hol_dynamics_conclude(hol_dynamics *d, bool *done);
// The accelerations of the present state, with the matrix or without it; a message where there are none: "with this input".
hol_status hol_dynamics_accelerate(hol_dynamics *d, const char *where);
// CPU seconds, wall seconds and limits of time count from here.
void hol_dynamics_begin_clocks(hol_dynamics *d);
// The equations are made anew where events have switched joints, drivers or constraints (begin.c); on the impact that this may be, (8.59).
hol_status hol_dynamics_switch(hol_dynamics *d);
//   become: those of what acts with the memory of x, which begin at x.
hol_status hol_dynamics_become(hol_dynamics *d, const hol_state *x);
long hol_dynamics_factorizations(
    const hol_dynamics *d); // since the start, or since the equations were made anew
// Rows that the method has chosen for its tree, which may be another one than that of the start.
hol_status hol_dynamics_take_rows(hol_dynamics *d);
// The next row is the next one after the present state.
void hol_dynamics_place_outputs(hol_dynamics *d);
// Values of all signals at the present time, in d->signals.value.
hol_status hol_dynamics_values(hol_dynamics *d);
// What a program does on the way (drive.c). The number of inputs and tunable parameters is that of the held numbers with `outside`.
double hol_drive_now(const hol_dynamics *d); // the present time [s]
//   set: of the number m->held[i]; it holds from the present time on. get: what was set last.
hol_status hol_drive_set(hol_dynamics *d, int i, double value);
double hol_drive_get(const hol_dynamics *d, int i);
//   jump: what was changed is there at once, also inputs that would go there in straight lines.
hol_status hol_drive_jump(hol_dynamics *d);
//   step: an accepted step, see hol_dynamics_step; its end is the present time. reach: to time t, or to where an event ends the simulation.
hol_status hol_drive_step(hol_dynamics *d, bool *done);
hol_status hol_drive_reach(hol_dynamics *d, double t);
//   is_due: does an event of the file wait at the present time, at the start or where `halts` or `holds` have kept it? happen: now, and
//   what is no event of the file with it.
bool hol_drive_is_due(hol_dynamics *d);
hol_status hol_drive_happen(hol_dynamics *d);
//   settle: the last step ends at the present time, and what was changed is in the accelerations.
hol_status hol_drive_settle(hol_dynamics *d);
//   state: positions, velocities and users' states at the present time; as long as nothing else is called.
hol_status hol_drive_state(hol_dynamics *d, const hol_state **x);
//   place: another state, of which t, and q, v, X and mem (only with all of them) where they are not NULL, are taken, put onto the constraints; *change:
//   the largest change of a coordinate for that by natural size, or of a velocity by that and the natural time. After a failure
//   the state is what it was.
hol_status hol_drive_place(hol_dynamics *d, const hol_state *given, double *change);
void hol_drive_destroy(hol_dynamics *d);
// Saves or restores what the loop keeps beside the integrator.
//   switches: what acts; to be moved first, since the rows follow from it.
hol_status hol_dynamics_archive_switches(hol_dynamics *d, hol_archive *a);
void hol_dynamics_archive(hol_dynamics *d, hol_archive *a);
// Rows in use of redundant loops (selection.c): made with the method; looked at behind accepted steps. eager: for long explicit steps.
hol_status hol_selection_create(hol_dynamics *d, bool eager);
void hol_selection_destroy(hol_dynamics *d);
hol_status hol_selection_watch(hol_dynamics *d);
// To be moved behind the switches, since the sizes of all else follow from the rows that take part.
hol_status hol_selection_archive(hol_dynamics *d, hol_archive *a);
// Writes the row of the end, closes the sinks and the clocks; to be called once, also after a failure.
hol_status hol_dynamics_finish(hol_dynamics *d, hol_status st);
// Parts of a step (advance.c). What is due at the accepted state: events.
hol_status hol_dynamics_happen(hol_dynamics *d);
// Where a function of time or a force in place jumps the last step has ended on one side, and the next one begins on the other; it is known
// then where the next jump in place will be. docs/theory.md, (8.37) and section 8.11.
hol_status hol_dynamics_cross(hol_dynamics *d);
// One accepted step, after that: made again where it has passed over a jump or a strip, and cut at the first passage of an event.
hol_status hol_dynamics_advance(hol_dynamics *d);
// Watchers (watchers.c): made with the method; they look at every accepted step, and the first that finds it wrong ends the run.
hol_status hol_watchers_create(hol_dynamics *d);
void hol_watchers_destroy(hol_dynamics *d);
hol_status hol_watchers_look(hol_dynamics *d);
void hol_watchers_archive(hol_dynamics *d, hol_archive *a);
// The account (account.c). Energies, violations and power of a state, as far as they are needed; the largest violations are kept.
void hol_account_measure(hol_dynamics *d, const hol_state *x, hol_measure *out);
// The joint and the direction of the largest violation so far, in words.
void hol_account_name_violation(hol_dynamics *d);
// After a step: violations, work, and the drift of the energy.
void hol_account_step(hol_dynamics *d);
// Work up to a time within the last step [J].
double hol_account_work_at(hol_dynamics *d, double t);
hol_work hol_work_of(const hol_equations *s);
double hol_clock_seconds(clockid_t which);
// See hol_simulation_costs (analysis/costs.c). The state before the last step and the matrix are lost.
int hol_dynamics_costs(hol_dynamics *d, hol_cost *cost, int most);

#endif
