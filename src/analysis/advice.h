// Which method suits a model, by rules of thumb: what `method: auto` takes and `holonom compare` explains. The one place of
// these rules; docs/theory.md, section 16.3.
#ifndef HOL_ADVICE_H
#define HOL_ADVICE_H

#include "analysis/settings.h"
#include "system/rank.h"
#include "system/equations.h"

// The fastest motion of the model linearised at a state.
typedef struct hol_fastest {
    bool known;      // false: too many degrees of freedom, or a singular pose
    bool oscillates; // otherwise it dies out or grows
    double rate;     // |eigenvalue| [1/s]
    double growth;   // largest real part of all, 0 where none is above [1/s]
    int body;        // that it moves most; -1: none
} hol_fastest;
// At a consistent state, of which the accelerations are found.
hol_status hol_fastest_find(hol_context *ctx, hol_kernel *k, hol_state *x, const hol_rank *rank,
                            hol_fastest *out);
double hol_explicit_steps(double rate,
                          double end); // that stability asks of an explicit method until `end` [s]

// At the consistent start, which is found for it and given back. An error is one of the start.
hol_status hol_advice_find(hol_context *ctx, const hol_model_data *m, const hol_settings *set,
                           hol_advice *out);

#endif
