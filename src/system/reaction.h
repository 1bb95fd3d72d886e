// Reactions of joints and drivers, and the force that springs and dampers transmit, as force and torque.
//
// They act on the second body, at the origin of the joint frame of that body (its marker), in the axes of that frame.
// With redundant constraints the multipliers are not unique: those of smallest Euclidean norm are reported.
#ifndef HOL_REACTION_H
#define HOL_REACTION_H

#include "system/kernel.h"

typedef struct hol_reactions {
    const hol_equations *s;
    hol_equations *
        full; // all rows, for the smallest multipliers; made with the first result, NULL when no row is redundant
    hol_kernel kernel; // of these
    double *lam;       // multipliers of all model rows                                  (m->nc)
    double *work;
    bool
        unbounded; // at a singular pose, or next to one: those of joints that grow without bound there are NaN
} hol_reactions;

// Is the state at a singular pose, where multipliers have no bound? They are NaN there.
bool hol_reactions_unbounded(const hol_equations *s, const hol_state *x);
hol_status hol_reactions_create(hol_context *ctx, const hol_equations *s, hol_reactions *r);
void hol_reactions_destroy(hol_reactions *r);
// Brings r->lam up to the state.
hol_status hol_reactions_update(hol_reactions *r, const hol_state *x);
// Force [N] and torque [N m] of element k, (Fx, Fy, Fz, Tx, Ty, Tz) in the frame of its last end.
void hol_reaction(const hol_reactions *r, const hol_state *x, int k, double out[6]);

#endif
