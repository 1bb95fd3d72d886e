// Between events (events.c) and hard stops (stops.c), which are events of joints: impacts, joints that come to rest and are let go.
#ifndef HOL_STOPS_H
#define HOL_STOPS_H

#include "analysis/events.h"

enum { HOL_MOST_ROUNDS = 100 }; // of events and impacts at one time

// The message about an expression of an event that has no finite value at a state; key: "when" or "set".
hol_status hol_event_no_value(const hol_events *e, const hol_event *v, const hol_equation *expression,
                              const char *key, const hol_state *x);

// Is it of a contact that is switched off, a hard stop that is switched off, or at which its joint rests; or one that would be left, and nothing rests there?
bool hol_stop_is_away(const hol_events *e, const hol_event *v, const hol_state *x);
// The natural size of the coordinate, and how far its stop is from 0.
double hol_stop_size(const hol_model_data *m, const hol_event *v);
bool hol_stop_goes_in(const hol_events *e, const hol_event *v, const hol_state *x);
// A stop that was grazed may be met again, once the joint has turned back.
void hol_stop_forget_graze(hol_events *e, const hol_event *v);
// With the value of its expression: is the joint at the stop or beyond; beyond, by more than rounding?
bool hol_stop_is_reached(const hol_events *e, const hol_event *v, double g);
bool hol_stop_is_passed(const hol_events *e, const hol_event *v, double g);
void hol_stop_let_go(hol_events *e, const hol_event *v);
// Impacts of all stops that are met, until none is gone into any more; then all are free again.
hol_status hol_stops_collide(hol_events *e);
// Rows have come that made the velocities jump, from `before` on: joints that would be pulled are let go. *left: there were some; x->v is
// then that of the mechanism without them.
hol_status hol_stops_jump(hol_events *e, const double *before, bool *left);
// With accelerations that are solved for: what is at its stop and stays there rests from now on.
hol_status hol_stops_rest(hol_events *e);
bool hol_stops_may_rest(const hol_events *e);

#endif
