// Locked mechanisms: what is driven is at the end of its way.
#ifndef HOL_LOCK_H
#define HOL_LOCK_H

#include "system/kernel.h"

typedef struct hol_lock {
    const hol_element *by; // what drives: the element with the largest part in mu . Phi_t
    double time;           // of the lock, ahead of the state [s]
    bool exact;            // it is the dead centre to rounding; else an estimate by the chord
    bool driven;           // `value` is given: the element is a driver
    double value;          // of its function then [rad, m]
    char joints[300];      // which lose their independence: "a, b and c"
} hol_lock;

// Is x at a lock, (9.15), or so near that the next step would be? False too where there is no memory. The system's factors are void
// afterwards.
bool hol_find_lock(hol_kernel *k, const hol_state *x, hol_lock *out);

#endif
