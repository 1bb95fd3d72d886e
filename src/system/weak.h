// Which joints lose their independence at a pose: the smallest singular vector of the active rows, told by names.
#ifndef HOL_WEAK_H
#define HOL_WEAK_H

#include "system/kernel.h"

// Writes "a, b and c" if the rows at x are close to dependence, and says whether they are. The system's factors are
// void afterwards.
bool hol_weak_joints(hol_kernel *k, const hol_state *x, char *text, size_t room);

#endif
