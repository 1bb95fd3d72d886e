// What the handles of the public headers hold.
#ifndef HOL_HANDLES_H
#define HOL_HANDLES_H

#include "analysis/settings.h"

struct hol_model {
    hol_model_data *data;
    hol_settings settings; // of `simulate:`
};

#endif
