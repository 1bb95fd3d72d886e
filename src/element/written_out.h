// Points, turns and lengths between bodies, of which most joints and springs consist, written out: the same numbers as the
// products of marker features in primitive.c, for a fraction of the work.
#ifndef HOL_WRITTEN_OUT_H
#define HOL_WRITTEN_OUT_H

#include "element/primitive.h"

// Components of conj(Q1) Q2 as Q1 . (N_c Q2): row c says which component of Q2, with which sign, meets Q1[i].
extern const int hol_turn_index[4][4];
extern const double hol_turn_sign[4][4];
enum { HOL_TURN_W = 3 };

void hol_scalar_clear(hol_scalar *o, int ny, int order);
// All rows of a POINT.                                                                                         (rows)
// false: an end is of another kind, and nothing was done; so below.
bool hol_point_written_out(const hol_prim *p, int ny, const hol_real *y, const hol_real *w, int order,
                           hol_scalar *o);
// A LENGTH, orders 0 and 1; false also for others.
bool hol_length_written_out(const hol_prim *p, int ny, const hol_real *y, int order, hol_scalar *o);
// c times a component of conj(Q1) Q2.
bool hol_turn_written_out(const hol_prim *p, int component, double c, int ny, const hol_real *y,
                          const hol_real *w, int order, hol_scalar *o);

#endif
