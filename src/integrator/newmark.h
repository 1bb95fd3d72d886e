// The two parameters of Newmark's formulas, as option rows of every method that has them.
//
//     q1 = q0 + h v0 + h^2 [(1/2 - beta) a0 + beta a1],   v1 = v0 + h [(1 - gamma) a0 + gamma a1]
#ifndef HOL_NEWMARK_H
#define HOL_NEWMARK_H

#include "base/option.h"

enum { HOL_NEWMARK_GAMMA, HOL_NEWMARK_BETA, HOL_NEWMARK_OWN }; // the first two rows, then the method's own

// beta, where it is not given that of the largest damping at infinity, (gamma + 1/2)^2/4.
double hol_newmark_beta(const hol_value *option);
// hol_method.limit: (gamma/2 - beta)^(-1/2), INFINITY for beta >= gamma/2. Fernandez de Bustos et al. 2021, equation (11).
double hol_newmark_limit(const hol_value *option, bool variable);
// hol_method.order_of: 2 for gamma = 1/2, else 1.
int hol_newmark_order(const hol_value *option);

#endif
