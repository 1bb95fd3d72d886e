// Force and torque at the last end of an element, in the axes of its marker: six linear functions of the generalised force
// on one body. docs/theory.md, section 6.
//
//     F_a = u_a . Q_r,     T_a = u_a . T_com + (arm x u_a) . Q_r,     T_com = Q_theta or E Q_p / 2,     arm = P - r
//
// If the last end is ground, the opposite of what the first body feels is meant.
#ifndef HOL_WRENCH_H
#define HOL_WRENCH_H

#include "model/model.h"

typedef struct hol_wrench_map {
    int iy, size;                // the body's part of y
    hol_real c[6][7];            // component = sum_i c_i Q_(iy+i)                      (6 x size)
    hol_real d[6][7][HOL_MAX_Y]; // c_y, where asked for                            (6 x size x ny)
} hol_wrench_map;

void hol_wrench_map_at(const hol_model_data *m, const hol_element *e, const hol_real *y, bool derivatives,
                       hol_wrench_map *out);

#endif
