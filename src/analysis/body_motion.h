// How bodies move along a direction of the tangent space of the joints.
#ifndef HOL_BODY_MOTION_H
#define HOL_BODY_MOTION_H

#include "analysis/reduced.h"

// Displacement and rotation (6) of each body by a change dq of the coordinates.
void hol_body_motion(const hol_model_data *m, const double *q, const double *dq, double *motion);
// The same along a direction p (d) of r, about q.
hol_status hol_body_motion_along(hol_context *ctx, const hol_reduced *r, const double *q, const double *p,
                                 double *motion);
// Natural size of component i of a motion.
double hol_body_motion_size(const hol_model_data *m, int i);
// The largest component by natural size, of equal ones the first.
int hol_body_motion_largest(const hol_model_data *m, const double *motion);

#endif
