// Equilibria of a model with all that holds there. docs/theory.md, section 20.
#ifndef HOL_STATICS_H
#define HOL_STATICS_H

#include "analysis/equilibrium.h"
#include "analysis/signals.h"
#include "holonom_analyses.h"

// What statics are made of; first what the caller sees.
typedef struct hol_statics_data {
    hol_statics s;
    hol_context *ctx;
    hol_arena *arena;
    const hol_model_data *m;
    int room, mem_room; // for points
    const double **mem; // memory of each point: full turns of angles                  (n_points)
    double from, to;    // of the parameter that is varied
    hol_nature nature;  // of both
    bool told;          // what rounding hides
} hol_statics_data;

// A model at rest, with what the search leaves.
typedef struct hol_at_rest {
    hol_kernel k;
    hol_rank rank;
    hol_state x;
    hol_equilibrium e;
} hol_at_rest;
// One more point, of what was found.
hol_status hol_statics_add(hol_statics_data *o, hol_at_rest *at);
// Values of the parameters that `static.trim` names; `at`, at the start, goes to the equilibrium with them.
hol_status hol_statics_trim(hol_statics_data *o, hol_at_rest *at, hol_fixed *values);
// From the first point along the range of the parameter.
hol_status hol_statics_follow(hol_statics_data *o, const hol_at_rest *from, bool branches);

hol_statics *hol_statics_find(hol_context *ctx, const hol_model_data *m, const hol_statics_options *options);
void hol_statics_free(hol_statics *s);
// The same model with a stable equilibrium as its start, to be given to hol_model_unswitch. Velocities that the file gives stay in
// directions that nothing holds; others are refused, at `at`.
hol_status hol_statics_begin(hol_context *ctx, const hol_model_data *m, hol_src at, bool quiet,
                             hol_model_data **out);

#endif
