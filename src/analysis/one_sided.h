// Kinks at a state: forces whose slope is another one on each side of it, so that what is linear there holds on one side alone, or on none.
// docs/theory.md, section 13.7.
#ifndef HOL_ONE_SIDED_H
#define HOL_ONE_SIDED_H

#include "analysis/reduced.h"

enum { HOL_SIDE_AHEAD, HOL_SIDE_BEHIND, HOL_SIDES };

typedef struct hol_one_sided {
    int n;                    // kinks at the state
    hol_state at[HOL_SIDES];  // on both sides of it, if there are any, with their unknowns
    hol_state far[HOL_SIDES]; // farther off
    double *dq, *dv, *dX; // the direction of both, by natural sizes                     (nq + 1), (nq), (nx)
    char *mark;           // equations that the motion depends on                              (n_equations)
    int *open, n_open;    // of them, those whose own equations are to be marked               (n_equations)
    double *memory;
} hol_one_sided;

typedef enum hol_one_sided_of {
    HOL_ONE_SIDED_STATIC,
    HOL_ONE_SIDED_MODES,
    HOL_ONE_SIDED_LINEAR
} hol_one_sided_of;

// Looks for them at x, about which r has its directions, and warns of each by name. The factors of r->k are those of another state then.
// Destroyed after failures too.
hol_status hol_one_sided_find(hol_context *ctx, hol_reduced *r, const hol_state *x, hol_one_sided_of of,
                              hol_one_sided *out);
void hol_one_sided_destroy(hol_one_sided *o);
// The same where nothing more is asked of them than whether there are some.
hol_status hol_one_sided_tell(hol_context *ctx, hol_reduced *r, const hol_state *x, hol_one_sided_of of,
                              bool *some);

#endif
