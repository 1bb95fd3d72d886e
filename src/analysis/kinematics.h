// Kinematics: motion that joints and drivers alone determine. docs/theory.md, section 19.
#ifndef HOL_KINEMATICS_H
#define HOL_KINEMATICS_H

#include "analysis/dynamics.h"

// A simulation whose rows are exact poses. HOL_ERR_USAGE: a motion is free.
hol_dynamics *hol_kinematics_begin(hol_context *ctx, const hol_model_data *m, const hol_settings *set);

#endif
