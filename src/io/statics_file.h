// Equilibria as rows of a result, and a pose as a part of a model.
#ifndef HOL_STATICS_FILE_H
#define HOL_STATICS_FILE_H

#include "holonom_analyses.h"

hol_status hol_statics_to_file(hol_context *ctx, const hol_statics *s, const char *path);
hol_status hol_statics_pose_to_file(hol_context *ctx, const hol_statics *s, int point, const char *path);

#endif
