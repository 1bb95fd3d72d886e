// A pose with its velocities as `pose:` of a model file.
#ifndef HOL_POSE_FILE_H
#define HOL_POSE_FILE_H

#include "analysis/assemble.h"

#include <stdio.h>

// A body of the map: how many values there are of each kind, in their order in q, and these.
typedef struct hol_pose_line {
    const char *name;
    int length; // of the name
    int lengths, angles, turns, speeds, spins;
    double q[7], v[3], omega[3]; // [m], [rad] or Euler parameters; [m/s]; [rad/s]
} hol_pose_line;
void hol_pose_put_body(FILE *file, const hol_pose_line *line);

// pose: -1 that of the assembly, else one of its poses.
hol_status hol_pose_to_file(hol_context *ctx, const hol_assembly *assembly, int pose, const char *path);

#endif
