// The state of a row of results and what belongs to it, as far as a signal asks for it. docs/theory.md, section 5.7.
//
//     positions, velocities, states      of the method; put onto the joints where interpolation has opened them
//     variables, forces                  evaluated at that state, in the order in which they depend on each other
//     accelerations, multipliers         solved for at that state, (8.20); where the method says so interpolated
//     what depends on these, or on       evaluated from them; solved for with them
//     itself
#ifndef HOL_ROWS_H
#define HOL_ROWS_H

#include "analysis/signals.h"
#include "integrator/integrator.h"
#include "system/explicit.h"

typedef struct hol_rows {
    hol_integrator *it;
    hol_kernel kernel; // of its own, its matrix made with the first row that needs it
    bool between;      // rows may lie between steps
    bool prepared;
    bool refers;    // factors have the pivots of the start as drawn
    long pivotings; // of the matrix when they were chosen
    bool project;   // asked for: every row is put onto the joints
    bool anew;      // this row is, and all of it is solved for there: asked for, or next to a singular pose
    unsigned needs; // HOL_NEED_..
    double open;    // this row's joints, by natural size; 0 where they are closed, or at the end of a step
    hol_state out;  // the row, where it is not the integrator's state
    hol_explicit follow; // variables that follow from positions, velocities, states and time
    hol_explicit deep;   // those that follow if accelerations and multipliers are given too
    char *implicit;      // those that do not, of both                          (2 nz)
} hol_rows;

// between: rows may lie between steps. Destroy it after a failure too.
hol_status hol_rows_create(hol_integrator *it, const hol_signals *g, bool project, bool between, hol_rows *r);
void hol_rows_destroy(hol_rows *r);
// Rows will be asked for within steps, too.
void hol_rows_prepare_between(hol_rows *r);
// The row at t inside the last step, or at its end. *x is valid until the next row. HOL_RECOVERABLE: there is no state on the joints,
// or no unknowns; *x is what the method gives.
hol_status hol_rows_at(hol_rows *r, double t, const hol_state **x);

#endif
