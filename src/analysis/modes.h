// Natural frequencies, damping ratios and mode shapes on the constraint manifold. docs/theory.md, section 13.
#ifndef HOL_MODES_H
#define HOL_MODES_H

#include "analysis/settings.h"

// set: of the model, for the run up to options->at.
hol_modes *hol_modes_find(hol_context *ctx, const hol_model_data *m, const hol_settings *set,
                          const hol_modes_options *options);
void hol_modes_free(hol_modes *modes);

extern const char *const hol_mode_words[]; // by hol_mode_kind

#endif
