// Inverse dynamics: which inputs make a driven motion. docs/theory.md, section 21.
#ifndef HOL_INVERSE_H
#define HOL_INVERSE_H

#include "analysis/kinematics.h"
#include "holonom_analyses.h"

// The simulation of kinematics in which inputs take over from the drivers.
hol_dynamics *hol_inverse_begin(hol_context *ctx, const hol_model_data *m, const hol_settings *set,
                                const hol_inverse_options *options);

#endif
