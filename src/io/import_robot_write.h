// What the files share that write a robot as a model file: import_robot_write.c bodies and joints, import_robot_forces.c what acts.
#ifndef HOL_IMPORT_ROBOT_WRITE_H
#define HOL_IMPORT_ROBOT_WRITE_H

#include "io/import_robot.h"

typedef struct hol_robot_writer {
    hol_import *in;
    hol_robot *r;
    hol_names *names; // of bodies, joints, ..
    hol_node *joints, *inputs, *forces, *variables, *states, *constraints, *drivers;
} hol_robot_writer;

// "body.marker" of the body that a link is part of, or the body where the marker is NULL.
const char *hol_robot_end(hol_robot_writer *w, int link, const char *marker);
// The sum of ratios times coordinates stays as it is drawn.
void hol_robot_put_coupler(hol_robot_writer *w, const char *name, hol_src at, int n, const int *joint,
                           const double *ratio);
// Springs and dampers of balls and bodies that float, equations, tendons, motors. After joints and bodies, whose markers have names.
hol_status hol_robot_write_forces(hol_robot_writer *w);

#endif
