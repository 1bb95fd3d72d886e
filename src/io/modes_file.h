// Modes as a table: a row each, with eigenvalue, frequency, damping ratio and shape.
#ifndef HOL_MODES_FILE_H
#define HOL_MODES_FILE_H

#include "base/base.h"

hol_status hol_modes_to_file(hol_context *ctx, const hol_modes *modes, const char *path);

#endif
