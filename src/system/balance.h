// The unknowns of a state whose positions, velocities and accelerations are known otherwise than by its own equations, as next to a singular
// pose. docs/theory.md, section 19.1.
#ifndef HOL_SYSTEM_BALANCE_H
#define HOL_SYSTEM_BALANCE_H

#include "system/kernel.h"

// Multipliers and users' unknowns of x as its own forces ask for, and what these change of accelerations that are free, where it leaves more of
// its equations of motion than rounding does; *changed: it did. A state with multipliers that are no number stays. The factors are those of
// the accelerations. HOL_RECOVERABLE: users'
// equations have no value there.
hol_status hol_balance(hol_kernel *k, hol_state *x, bool *changed);

#endif
