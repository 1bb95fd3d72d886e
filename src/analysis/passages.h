// Private to events: expressions at a state and inside the last step, and where they pass through 0. docs/theory.md, section 8.5.
#ifndef HOL_PASSAGES_H
#define HOL_PASSAGES_H

#include "analysis/events.h"

enum { HOL_EVENT_PARTS = 8, HOL_EVENT_FINE = 12, HOL_EVENT_LEVELS = 50 };

static inline double hol_event_sign_of(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

// Will it not happen, for ever or as long as its stop is switched off?
bool hol_event_is_over(const hol_events *e, const hol_event *v, const hol_state *x);
// Does its expression take accelerations, forces or variables that are unknowns?
bool hol_event_needs_unknowns(const hol_event *e);
// These of the trial state, which do not count as work of the method.
hol_status hol_events_find_unknowns(hol_events *e);
// What passes through 0, at x.
double hol_event_value_of(const hol_events *e, const hol_event *v, const hol_state *x);
// The same at t inside the last step. HOL_RECOVERABLE: the unknowns could not be found there.
hol_status hol_event_value_at(hol_events *e, const hol_event *v, double t, double *out);
// A value as it counts: 0 of shapes that only flicker.
double hol_event_told(const hol_events *e, const hol_event *v, double g);
// Does nothing but its expression tell of it?
bool hol_event_is_plain(const hol_event *v);
// And is it the file's own, not the onset of a smooth stop?
bool hol_event_is_users(const hol_event *v);
// Is a change of value in a direction that the event looks for?
bool hol_event_counts(const hol_event *v, double from, double to);
// The first passage of each event inside the last step, in e->passing.
hol_status hol_events_find_passages(hol_events *e);

#endif
