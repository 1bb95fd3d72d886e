// What a model is: counts, rank, redundant equations and what would do without them, how well the given data close.
#ifndef HOL_CHECK_H
#define HOL_CHECK_H

#include "analysis/settings.h"

hol_check *hol_check_model(hol_context *ctx, const hol_model_data *m, const hol_settings *set);
void hol_check_free(hol_check *check);

#endif
