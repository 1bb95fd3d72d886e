// Whether a model stays at an equilibrium. docs/theory.md, section 20.3.
#ifndef HOL_VERDICT_H
#define HOL_VERDICT_H

#include "analysis/equilibrium.h"

// Eigenvalues of the symmetric part of K_R in e->r, their directions, how many are flat or soften; flat: a stiffness that is none, beside what
// rounding hides [N m].
hol_status hol_verdict_find(hol_context *ctx, hol_equilibrium *e, double flat);
// The fastest motion away from an equilibrium [1/s], 0: none; NaN: the masses do not determine it, or the model is too large.
hol_status hol_verdict_growth(hol_context *ctx, const hol_equations *s, const hol_state *x, double *out);
// The same to rounding, as where the place is looked for at which a vibration begins to grow.
hol_status hol_verdict_growth_exactly(hol_context *ctx, const hol_equations *s, const hol_state *x,
                                      double *out);
// By the stiffness and what grows, given the growth there (NaN: it is not known). Where forces have no potential, or states change them,
// the motion alone tells: feedback and states may hold what stiffness does not.
bool hol_verdict_stays(const hol_equilibrium *e, double growth);

#endif
