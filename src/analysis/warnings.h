// What `check` warns of: what will hurt a run, or looks like a slip of the pen. One table in warnings.c.
#ifndef HOL_WARNINGS_H
#define HOL_WARNINGS_H

#include "analysis/settings.h"
#include "system/rank.h"

typedef struct hol_warnings {
    hol_arena *arena;
    int kinks;
    int n_kinks;
    const char **kink; //                                                             (n_kinks)
    int n_loads;
    const char **load; // what functions of time do, and when                         (n_loads)
    int n;
    hol_warning *warning; //                                                          (n)
    const char **brief;   // what is the case, without what comes of it               (n)
} hol_warnings;

// At the consistent start x, of which the accelerations are found. HOL_ERR_MEMORY.
hol_status hol_warnings_find(hol_context *ctx, const hol_model_data *m, const hol_settings *set,
                             hol_kernel *k, hol_state *x, const hol_rank *rank, hol_warnings *out);
// For who runs without a check: those that need no assembly, in short, to the log.
hol_status hol_warnings_tell(hol_context *ctx, const hol_model_data *m, const hol_settings *set);
// The i-th kind of warnings by name, and what it is about; false: there are fewer.
bool hol_warning_row(int i, const char **name, const char **doc);
void hol_warnings_destroy(hol_warnings *w);

#endif
