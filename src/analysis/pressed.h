// How stiff contacts will be that touch at the start, and that nothing presses yet: docs/theory.md, section 16.3.
#ifndef HOL_ANALYSIS_PRESSED_H
#define HOL_ANALYSIS_PRESSED_H

#include "system/equations.h"

// The fastest motion of them all, which dies out by friction or damping.
typedef struct hol_pressed {
    double rate;                // [1/s]; 0: none touches
    const hol_element *contact; // whose it is
} hol_pressed;

// Contacts that touch by rounding alone do not last at x: whether they are 1e-17 m deep or apart tells nothing of what they will be.
void hol_pressed_lift(const hol_model_data *m, hol_state *x);
// At a consistent state with its accelerations; end: of the run [s].
void hol_pressed_find(const hol_model_data *m, const hol_state *x, double end, hol_pressed *out);

#endif
