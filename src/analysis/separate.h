// Soft motions beside stiff ones, each with digits of its own, and what rounding hides. docs/theory.md, section 13.6.
#ifndef HOL_SEPARATE_H
#define HOL_SEPARATE_H

#include "analysis/reduced.h"

// After r has been found at x, in balance or not: directions turned to those of the stiffness, where the softest is far below the
// stiffest, and A along these. r->noise is made: entries of A that are not above it are 0 then.
hol_status hol_separate(hol_context *ctx, hol_reduced *r, const hol_state *x);
// Finds r at x, whose accelerations are known and become those of one more correction, and separates it.
hol_status hol_separate_at(hol_context *ctx, hol_reduced *r, hol_state *x);
// By how much entries (i, j) and (j, i) of a symmetric K_R may differ: `part` of what both directions are stiff by, where that is known, else
// of the stiffest.
double hol_separate_may_lack(const hol_reduced *r, int i, int j, double part, double stiffest);
// What rounding may make of the eigenvalue k of K_R with the eigenvector u (d) in coordinates p; 0 where nothing was separated. The others
// are far from it or in u.
double hol_separate_unsure(const hol_reduced *r, const double *u);

#endif
