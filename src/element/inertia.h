// What the inertia tensor of a rigid body may be.
#ifndef HOL_INERTIA_H
#define HOL_INERTIA_H

#include "base/base.h"

typedef enum hol_inertia_fault {
    HOL_INERTIA_GOOD,
    HOL_INERTIA_TRIANGLE, // two principal moments are together less than the third: it moves well, but no matter is so
    HOL_INERTIA_NEGATIVE // a principal moment is negative
} hol_inertia_fault;

// Of a symmetric tensor [kg m^2] (3 x 3) its principal moments, increasing (3), and what is wrong with it beyond the digits of a file.
hol_status hol_inertia_judge(hol_context *ctx, const double J[9], double moment[3], hol_inertia_fault *fault);

#endif
