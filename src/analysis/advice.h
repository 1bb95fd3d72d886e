// Which method suits a model, by rules of thumb: what `method: auto` takes and `holonom compare` explains. The one place of
// these rules; docs/theory.md, section 16.3.
#ifndef HOL_ADVICE_H
#define HOL_ADVICE_H

#include "analysis/settings.h"

// At the consistent start, which is found for it and given back. An error is one of the start.
hol_status hol_advice_find(hol_context *ctx, const hol_model_data *m, const hol_settings *set,
                           hol_advice *out);

#endif
