// A model some of whose joints, drivers and constraints are switched off: they have no rows in it. Events switch them on and off; the
// equations are made anew from another such model. docs/theory.md, section 8.15.
#ifndef HOL_SWITCHED_H
#define HOL_SWITCHED_H

#include "model/model.h"

// The model as it acts with the memory mem (m->n_mem), beginning at t with q, v (nq), X (n_states) and this memory, which are copied.
// Everything but the elements is that of m, which lives longer. NULL: no memory.
hol_model_data *hol_model_switch(hol_context *ctx, const hol_model_data *m, double t, const double *q,
                                 const double *v, const double *X, const double *mem);
void hol_model_unswitch(hol_model_data *m); // NULL: nothing

#endif
