// Races and certificates: see holonom_compare.h.
#ifndef HOL_STUDY_H
#define HOL_STUDY_H

#include "analysis/settings.h"
#include "holonom_compare.h"

#define HOL_NO_REFERENCE                                                                                     \
    "%s: no reference: two methods of different families must reach the end at a tight tolerance"

hol_race *hol_race_make(hol_context *ctx, const hol_model_data *m, const hol_settings *set,
                        const hol_race_options *options);
hol_certificate *hol_certificate_make(hol_context *ctx, const hol_model_data *m, const hol_settings *set,
                                      const hol_certificate_options *options);

#endif
