// Poses along their curve as a result.
#ifndef HOL_FOLLOW_FILE_H
#define HOL_FOLLOW_FILE_H

#include "analysis/settings.h"

// NULL: an error, as of analysis/follow.h.
hol_result *hol_follow_result(hol_context *ctx, const hol_model_data *m, const hol_settings *set);

#endif
