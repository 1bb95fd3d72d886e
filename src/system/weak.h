// Which joints lose their independence at a pose: the smallest singular vector of the active rows, told by names.
#ifndef HOL_WEAK_H
#define HOL_WEAK_H

#include "system/kernel.h"

#define HOL_WEAK 1e-3 // sigma below which the rows count as dependent

// The combination of rows nearest to 0 at x, mu (nc), of size 1 in rows of natural size; returns its singular value, HOL_INF where
// nothing was found. mu may be k->work + s->n; what stands before it there, and the factors, are void afterwards.
double hol_weakest(hol_kernel *k, const hol_state *x, double *mu);
// "a, b and c": the elements with the largest parts in mu.
void hol_weak_names(const hol_equations *s, const double *mu, char *text, size_t room);
// Writes "a, b and c" if the rows at x are close to dependence, and says whether they are. The system's factors are
// void afterwards.
bool hol_weak_joints(hol_kernel *k, const hol_state *x, char *text, size_t room);
// The same of rows that are dependent, to rounding.
bool hol_flat_joints(hol_kernel *k, const hol_state *x, char *text, size_t room);

#endif
