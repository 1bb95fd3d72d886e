// Private to events: what of their expressions counts as 0. docs/theory.md, section 8.5.
#ifndef HOL_BANDS_H
#define HOL_BANDS_H

#include "analysis/events.h"

// Its time runs from here on, with the sign that it has got.
void hol_event_begin(hol_events *e, const hol_event *v, bool armed);
// What of a band a checkpoint has.
void hol_event_archive(hol_event_band *b, hol_archive *a);
// Of a smooth one, within a step between these leaves: its pace, with which errors grow.
void hol_event_goes(hol_events *e, const hol_event *v, const hol_course_leaf *begin,
                    const hol_course_leaf *end);
// Of one of which its expression alone tells: what is smaller counts as the sign that it has. (8.38b)
double hol_event_floor(hol_events *e, const hol_event *v);
// The same within the last step: 0 where it is armed and does not come to rest.
double hol_event_floor_of_step(hol_events *e, const hol_event *v);
// Of such a one: what the rounding of a pose makes of it; the sign that it begins with, 0 within that. (8.38d)
double hol_event_doubt(hol_events *e, const hol_event *v);
double hol_event_first_sign(hol_events *e, const hol_event *v, double g);
// Since when has it been so small at the end of the last step, where it is g? Infinite: it is not. Does it rest at 0? (8.38c)
double hol_event_quiet_since(hol_events *e, const hol_event *v, double g);
bool hol_event_rests(hol_events *e, const hol_event *v, double g);
// It has come to g: measured, and armed by what is above the floor, or no more where it rests at 0.
void hol_event_measure(hol_events *e, const hol_event *v, double g);
void hol_event_arm(hol_events *e, const hol_event *v, double g);
// It happens: a warning where events that undo each other have held it for long.
void hol_event_tell_held(hol_events *e, const hol_event *v);

#endif
