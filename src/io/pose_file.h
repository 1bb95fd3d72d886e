// A pose with its velocities as bodies of a model file.
#ifndef HOL_POSE_FILE_H
#define HOL_POSE_FILE_H

#include "analysis/assemble.h"

hol_status hol_pose_to_file(hol_context *ctx, const hol_assembly *assembly, const char *path);

#endif
