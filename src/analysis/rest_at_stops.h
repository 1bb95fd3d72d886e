// Equilibria against hard stops. docs/theory.md, section 20.2.
#ifndef HOL_REST_AT_STOPS_H
#define HOL_REST_AT_STOPS_H

#include "analysis/statics.h"

// As hol_equilibrium_find from at->x, where `at` is of the model m; but what forces drive against hard stops rests there. *held: NULL, or the
// model in which stops hold joints, which `at` is of then; the caller's to give to hol_model_unswitch behind `at`. Stops that hold are told
// unless quiet.
hol_status hol_rest_at_stops(hol_context *ctx, const hol_model_data *m, hol_at_rest *at, bool stable,
                             bool quiet, hol_model_data **held);

#endif
