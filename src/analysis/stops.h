// Between events (events.c) and hard stops (stops.c), which are events of joints: impacts, joints that come to rest and are let go.
#ifndef HOL_STOPS_H
#define HOL_STOPS_H

#include "analysis/events.h"

enum { HOL_MOST_ROUNDS = 100 }; // of events and impacts at one time

// The message about an expression of an event that has no finite value at a state; key: "when" or "set".
hol_status hol_event_no_value(const hol_events *e, const hol_event *v, const hol_equation *expression,
                              const char *key, const hol_state *x);

// Is it a hard stop that is switched off, or at which its joint rests; or one that would be left, and nothing rests there?
bool hol_stop_is_away(const hol_events *e, const hol_event *v, const hol_state *x);
// The natural size of the coordinate, and how far its stop is from 0.
double hol_stop_size(const hol_events *e, const hol_event *v);
bool hol_stop_goes_in(const hol_events *e, const hol_event *v, const hol_state *x);
void hol_stop_let_go(hol_events *e, const hol_event *v);
// The rate of the joint's coordinate turns around, unless another impact has done that, or it comes to rest.
hol_status hol_stop_meet(hol_events *e, const hol_event *v);
// Impacts come one after the other, until none of the stops that are met is gone into any more; then all are free again.
hol_status hol_stops_end_impacts(hol_events *e);

#endif
