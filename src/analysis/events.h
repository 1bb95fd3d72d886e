// What happens at certain moments: at given times, or where an expression passes through 0. docs/theory.md, section 8.5.
#ifndef HOL_EVENTS_H
#define HOL_EVENTS_H

#include "analysis/course.h"
#include "system/impact.h"

// What an event's expression is at one time inside a step.
typedef struct hol_event_value {
    double g;
    bool known; // false: the unknowns it takes could not be found
} hol_event_value;

typedef struct hol_passing {
    double t, sign; // where it is, and the sign after it; t infinite: there is none
    double blind; // where the expression has no finite value; infinite: it has one wherever it was looked at
    double pole,
        behind; // where it changes its sign without passing, and the sign after that; infinite: nowhere
} hol_passing;

// What of an event's expression counts as 0. (8.38b)
typedef struct hol_event_band {
    double way;     // by which it has changed, without jumps; of what is short as much less as it is
    double largest; // size of that so far
    double pace;    // largest of its speeds and states in the last step, over their natural sizes
    double floor,
        floor_at;       // what is smaller counts as 0 (8.38b), and when; NAN: not known [s]
    double from, until; // between these times [s]
    double behind,
        behind_at; // its value a little before the end of the last step, and when; NAN: not looked at [s]
    double quiet;  // since when it has been below the floor; infinite: it is not [s]
    double begun;  // when the event happened last, or the run began [s]
    double peak;   // largest size of the expression since then
    int held;      // how often it has happened with no more than what counts as 0 between
    bool armed;    // it has been above the floor since then
} hol_event_band;

typedef struct hol_events {
    const hol_model_data *m;
    hol_context *ctx;
    hol_integrator *it;
    hol_kernel *deep; // solves for the unknowns inside a step; NULL: no expression needs them
    hol_state trial;  // inside a step
    hol_state behind; // a little before the end of the last step, made for all expressions at once
    double looked;    // the time of that; NAN: it has not been made for this step [s]
    double *value;    // new values of what an event sets                      (largest n_sets)
    double *hit;      // sign that an expression has got at it->x by hol_events_locate, 0: none   (n_events)
    double *seen;     // values of the expressions when they were looked at last                  (n_events)
    hol_event_band *band;  // of expressions: what counts as 0                                    (n_events)
    double last;           // time of the last event [s]
    double ahead;          // where the next step ends, as an onset is there; infinite: none is known [s]
    hol_event_value *part; // at the ends of the parts of the last step    (PARTS n_events)
    hol_course course;     // expressions within the step
    hol_passing *passing;  // the first one of each event in the last step                         (n_events)
    hol_course_term *term; // where they are smooth their enclosures hold all they do            (n_events)
    char *open;  // those that are not, or do not decide: they are looked at in the parts         (n_events)
    char *acted; // those that acted in the last round                                            (n_events)
    char *poles; // it has been said that they have one                                           (n_events)
    char *
        grazed; // hard stops that are met where the joint turns back by itself, until it has        (n_events)
    char *still; // hard stops that were hit at this time and give nothing back                   (n_events)
    hol_impact_part
        *stop; // hard stops that take part in an impact                                 (n_stops of n_events)
    int *stop_of; // the events of these
    int n_stops;
    bool fresh;    // the accelerations at it->x are solved for: what is at its stop may rest there
    bool stepped;  // nothing has acted since the last step
    bool placed;   // and nobody has looked since the state was given
    int repeated;  // rounds of events at that same time
    int impacts;   // of the last round
    double energy; // before it [J]
    bool again;    // an event has carried the expression of another one through 0: that is due at once
    const hol_event *
        switching; // the last one that has switched a joint, driver or constraint in the last round; NULL: none
    const char *ended; // name of the event that ended the simulation; NULL: none
} hol_events;

// Does an event of the model need the unknowns (accelerations, forces, variables) inside a step?
bool hol_events_need_unknowns(const hol_model_data *m);
hol_status hol_events_create(hol_integrator *it, hol_kernel *deep, hol_events *e);
void hol_events_destroy(hol_events *e);
// Saves or restores what is not in the state's memory; refuses a memory that no run has made.
void hol_events_archive(hol_events *e, hol_archive *a);

// The time of one at times that is to come at x, infinite if there is none; is it one at a time, and this time?
double hol_event_due(const hol_event *v, const hol_state *x);
bool hol_event_is_due(const hol_event *v, const hol_state *x);
// The next time, after it->x.t, at which an event is due; `end` if there is none before.
double hol_events_next_time(const hol_events *e, double end);
// After a step: if an expression has passed through 0, it->x becomes the state there. *again: forces beyond it have bent the step, which is
// taken back; the next one ends there.
hol_status hol_events_locate(hol_events *e, bool *again);
// The last step is cut before its end: what was located there is void.
void hol_events_forget(hol_events *e);
// The state was given from outside: signs are those at it->x, and of times those up to it are past.
hol_status hol_events_place(hol_events *e);
// Behind that: events at that very time have not happened yet.
void hol_events_await(hol_events *e);
// Is something due at it->x? What only touches does not count: it is no event of the file.
bool hol_events_wait(hol_events *e);
// Does what is due at it->x: events at this time, and those whose expression has the other sign now. *happened: the
// state was changed and the integrator started anew; where e->switching is given that is left to who makes the equations anew.
hol_status hol_events_happen(hol_events *e, bool *happened);
// Behind the events: accelerations of the changed state, signs of expressions that the events have changed, and a new start.
hol_status hol_events_settle(hol_events *e);
// They go on with another integrator, of a switched model.
hol_status hol_events_move(hol_events *e, hol_integrator *it);

#endif
