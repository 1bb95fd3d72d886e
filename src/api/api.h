// What is behind the opaque objects of holonom.h.
#ifndef HOL_API_H
#define HOL_API_H

#include "io/snapshot.h"

struct hol_model {
    hol_model_data *data;
    hol_settings settings; // of `simulate:`
};

struct hol_simulation {
    hol_context *ctx;
    hol_dynamics *d;
    hol_status status;
    bool begun, finished, costed; // step, finish, costs were called
    hol_snapshot *start;          // after hol_simulation_reset
    bool valued;                  // the values of the signals are those of the present time
    bool recorded;                // hol_simulation_record was called
    hol_result *record;           // until it is taken
};

// A spec becomes a model with its settings read; NULL: the message is in the context, and the spec's data are
// freed.
hol_model *hol_model_of(hol_context *ctx, hol_spec *spec);

// What holds a simulation; it takes over d. NULL: d is NULL, or no memory, and d is freed.
hol_simulation *hol_simulation_of(hol_context *ctx, hol_dynamics *d);

// For who says when events happen (`halts` of hol_drive): what waits at the present time happens.
hol_status hol_simulation_happen(hol_simulation *sim);
// What every signal changes by with each of n inputs or tunable parameters at the present time (signals x n); see analysis/ports.h.
hol_status hol_simulation_changes(hol_simulation *sim, int n, const int *input, double *out);

// What a caller must give: a list of n texts, and each of them; as hol_need.
hol_status hol_need_texts(hol_context *ctx, const char *call, const char *name, int n,
                          const char *const *text);

#endif
