// Values of a result between its rows.
#ifndef HOL_IO_COMPARE_H
#define HOL_IO_COMPARE_H

#include "base/base.h"

// The polynomial through some rows, at a time.
typedef struct hol_stencil {
    size_t first; // row
    int n;
    double weight[4]; //                                                    (n)
} hol_stencil;

// The times of a result must be numbers, and go forward.
hol_status hol_result_check_times(hol_context *ctx, const hol_result *r);
// k: the last row not after t. again: t is the second of two equal times.
hol_stencil hol_result_stencil(const hol_result *r, size_t k, double t, bool again);
double hol_result_between(const hol_result *r, const hol_stencil *s, int column);

#endif
