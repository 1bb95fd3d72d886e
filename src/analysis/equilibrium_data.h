// Private to the search for an equilibrium: what it keeps, and its parts.
#ifndef HOL_EQUILIBRIUM_DATA_H
#define HOL_EQUILIBRIUM_DATA_H

#include "analysis/equilibrium.h"

#define HOL_SEARCH_BLIND 2e-14  // stiffness below this part of the largest may be rounding
#define HOL_SEARCH_SETTLED 1e-8 // last step, by natural size
#define HOL_SEARCH_KICK 0.02    // off an equilibrium at which nothing stays, by natural size

typedef struct {
    hol_context *ctx;
    hol_kernel *k;
    hol_rank *rank;
    hol_equilibrium *out;
    hol_state *x, trial, start, kept;
    double *u, *u_trial; // (20.2) at x and at trial                                         (nq)
    double *sizes;       // of the forces along the coordinates                              (nq)
    double *b, *b_trial; // what is left along the directions, and X'                        (d + nx)
    double *step, *correction,
        *J;       // of p and X                                             (d + nx), (d + nx)^2
    double stiff; // largest entry of K_R, or of the force where there is none [N m]
    double force; // the largest that cancels on a body [N m]
    double rate;  // largest X' by natural time, against 1 + |X|
    bool none;    // K_R is rounding
    bool hides;   // forces remain along a direction whose stiffness is
    bool stable;
    bool falls; // Newton's method has found an equilibrium at which nothing stays
} hol_search;

// Everything at x, where u is known.
hol_status hol_search_look(hol_search *f);
// What u leaves along the directions at x, and X', into b; the largest X'.
double hol_search_left(const hol_search *f, const hol_state *x, const double *u, double *b);
// One number for both: rates of states count as the force does.
double hol_search_merit(const hol_search *f, const double *b, double rate);
// What rounding leaves of the forces, by the stiffest of them [N m].
double hol_search_rounding(const hol_search *f);
// The part of b along direction j of e->shape.
double hol_search_along_shape(const hol_search *f, int j, const double *b);
// step (d + nx) of p and X that undoes b, with `slow` [N m] as the pseudo-time's part.
hol_status hol_search_step(hol_search *f, double slow, const double *b, double *step);
// What row i of its equations is multiplied by, and unknown j: all in units of an energy.
double hol_search_row(const hol_search *f, int i);
double hol_search_column(const hol_search *f, int j);
// x goes on by a part of a step.
void hol_search_go(const hol_search *f, hol_state *x, double factor, const double *step);
// The trial state, a part of f->step away from x.
void hol_search_move(hol_search *f, double factor);
// The largest displacement of a step, by natural size, and the part of f->step that is not too long.
double hol_search_longest(const hol_search *f, const double *step);
double hol_search_part_allowed(const hol_search *f);
// x becomes the trial state.
void hol_search_accept(hol_search *f);
bool hol_search_balanced(const hol_search *f);
// At an equilibrium: steps become rounding. HOL_RECOVERABLE: they do not, as just beyond a fold.
hol_status hol_search_polish(hol_search *f);
// Does nothing stay where the forces balance?
hol_status hol_search_stays(hol_search *f, bool *stays);
// Stiff forces drive back as soon as a straight step leaves where they rest: the trial state goes there again, the stiffest first, with the
// tangent at x; those not far above `slow` are left as they are. *rate: as hol_search_left. HOL_RECOVERABLE: it does not go quickly.
hol_status hol_search_follow(hol_search *f, double slow, double *rate);
// Steps that the forces drive, until they balance at a pose that stays. HOL_RECOVERABLE: they do not (downhill.c).
hol_status hol_search_flow(hol_search *f);
// What forces of higher order do along directions without stiffness, at x, where all balances: `held`, `away` and `reach` of the
// equilibrium, and the directions that nothing holds first (higher.c).
hol_status hol_search_higher(hol_search *f);

#endif
