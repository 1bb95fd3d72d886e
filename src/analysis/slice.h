// A model with other values of its parameters, at rest in some pose. docs/theory.md, sections 20.5 and 20.6.
#ifndef HOL_SLICE_H
#define HOL_SLICE_H

#include "analysis/statics.h"

typedef struct hol_slice {
    hol_model_data *m;
    hol_at_rest at; // its rank is that of `like`
} hol_slice;

// o->m read again with these values, its equations with the rows in use of `like`, at the state x of that, which need not fit. To be closed
// also after a failure.
hol_status hol_slice_open(const hol_statics_data *o, const hol_at_rest *like, const hol_fixed *fixed,
                          int n_fixed, const hol_state *x, hol_slice *out);
void hol_slice_close(hol_slice *c);

#endif
