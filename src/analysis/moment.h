// The state at which a model is linearised: its start, or a time of its run.
#ifndef HOL_MOMENT_H
#define HOL_MOMENT_H

#include "analysis/dynamics.h"

typedef struct hol_moment {
    hol_kernel *k; // with the factors of the accelerations
    hol_rank *rank;
    hol_state *x;    // consistent, accelerations found
    hol_dynamics *d; // of the run; NULL: what follows is of the start
    hol_kernel own_kernel;
    hol_rank own_rank;
    hol_state own_state;
    hol_model_data *held; // the model in which hard stops hold joints; NULL: none does
} hol_moment;

// at: [s], 0: the start. rests: the start is a place near an equilibrium, which is looked for from there; hard stops hold joints then. none: what
// is said of a singular pose, "there are no modes". Destroyed after failures too.
hol_status hol_moment_create(hol_context *ctx, const hol_model_data *m, const hol_settings *set, double at,
                             bool rests, const char *none, hol_moment *out);
void hol_moment_destroy(hol_moment *o);

#endif
