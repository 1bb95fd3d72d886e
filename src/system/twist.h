// Rows of elements by twists: velocity of the centre of mass and angular velocity, in global axes.
#ifndef HOL_SYSTEM_TWIST_H
#define HOL_SYSTEM_TWIST_H

#include "model/model.h"
#include "system/equations.h"

enum { HOL_TWIST = 6 }; // numbers of a twist in space; 3 in the plane

static inline int hol_twist_size(const hol_model_data *m) { return m->dimension == 3 ? 6 : 3; }

// Rows of e by the twists of its bodies: B (rows x n_bodies d), value of phi, gam with B u = gam at acceleration level,
// and the partial time derivatives; each but B may be NULL.
void hol_twist_rows(const hol_model_data *m, const hol_element *e, const hol_state *x, double *B,
                    double *value, double *gam, double *time);

// One row by the coordinates, (ny), of e as rows by twists, (n_bodies d); y, w: gathered. Returns row times p'' of the Euler
// parameters, less its sign, where the twists have no acceleration.
double hol_twist_row(const hol_model_data *m, const hol_element *e, const hol_real *y, const hol_real *w,
                     const hol_real *row, double *out);

// B^T = Q [R; 0], rows <= d: Q (d x d) by columns, R (rows x rows) upper, by rows. Returns the smallest |R_ii| over the
// size of its row, 0 if rows are dependent.
double hol_row_factors(int d, int rows, const double *B, double *Q, double *R);

#endif
