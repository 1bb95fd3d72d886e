// What the files of the interface have in common.
#ifndef HOL_API_H
#define HOL_API_H

#include "model/spec.h"

// A spec becomes a model with its settings read; NULL: the message is in the context, and the spec's data are
// freed.
hol_model *hol_model_of(hol_context *ctx, hol_spec *spec);

#endif
