// The index-3 one-step family: Newmark, HHT and generalized-alpha differ in four coefficients (a "scheme").
//
//     M a1 + (Phi_q^T lam - Q)_1 = 0,    Phi(q1, t1) / (beta' h^2) = 0                              at t1 exactly
//
// with q1, v1 from a1 as in scheme.h.
//
// Newmark: am = af = 0, so w = a. HHT: am = 0, af = -alpha; with a constant mass matrix this is the usual form
// M w1 = (1 + alpha) (Q - Phi_q^T lam)_1 - alpha (Q - Phi_q^T lam)_0, since M a = Q - Phi_q^T lam at both ends. When the
// mass matrix varies (Euler parameters) only the form used here is of order 2, and a is the true acceleration.
//
// docs/theory.md, section 5; Gavrea, Negrut, Potra 2005, Arnold and Bruels 2007.
#ifndef HOL_INDEX3_H
#define HOL_INDEX3_H

#include "integrator/scheme.h"

// Rows every method of the family has after its own.
extern const hol_option hol_index3_options[];
enum {
    HOL_INDEX3_PREDICTOR,
    HOL_INDEX3_JACOBIAN,
    HOL_INDEX3_MAX_NEWTON,
    HOL_INDEX3_NEWTON_TOLERANCE,
    HOL_INDEX3_ACCEPT_UNCONVERGED
};

hol_status hol_index3_create(hol_integrator *it, const hol_scheme *scheme);
void hol_index3_destroy(hol_integrator *it);
hol_status hol_index3_step(hol_integrator *it, double t_stop);
hol_status hol_index3_rows_changed(hol_integrator *it);
hol_status hol_index3_restart(hol_integrator *it);
void hol_index3_archive(hol_integrator *it, hol_archive *a);

// What the hol_method of a member has beside its name, doc, order, options, steps, refuse, limit and create.
#define HOL_INDEX3_FUNCTIONS                                                                                 \
    .accepts = HOL_ACCEPTS_ALL, .holds = HOL_HOLDS_POSITIONS, .linear_unknowns = true,                       \
    .more_options = hol_index3_options, .destroy = hol_index3_destroy, .step = hol_index3_step,              \
    .restart = hol_index3_restart, .rows_changed = hol_index3_rows_changed, .archive = hol_index3_archive,   \
    .interpolate = hol_interpolate_hermite

#endif
