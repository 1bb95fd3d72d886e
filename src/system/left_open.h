// Gaps of redundant equations that numbers of finite digits leave.
#ifndef HOL_LEFT_OPEN_H
#define HOL_LEFT_OPEN_H

#include "system/assembly.h"

// At the nearest pose, where rows do not hold: to the pose in which the independent ones do, if what the others leave open is no more than the
// threshold of the rank, there and in a pose near by; a->left_open is that, by natural size. HOL_RECOVERABLE: it is not so, a->x stays.
hol_status hol_assembly_leave_open(hol_context *ctx, hol_assembler *a);

#endif
