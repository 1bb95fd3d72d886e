// How far a run is from a reference, signal by signal. docs/theory.md, section 16.1.
#ifndef HOL_ACCURACY_H
#define HOL_ACCURACY_H

#include "base/base.h"
#include "holonom_compare.h"

// Sizes of the signals of two runs: what moves in one of them is not zero. least: part of what is large in its unit that a size is at
// least. The names stay the results'. NULL: no memory.
hol_judged *hol_judge_scale(hol_arena *arena, const hol_result *a, const hol_result *b, double least);
// What a is away from b, which is one of the two, or any other run.
hol_status hol_judge_errors(hol_context *ctx, hol_arena *arena, const hol_judged *signal, const hol_result *a,
                            const hol_result *b, hol_run_errors *out);
// The first time of both at which signal i differs by more than `most` sizes; NaN: never.
double hol_judge_until(const hol_judged *signal, int i, const hol_result *a, const hol_result *b,
                       double most);
double hol_result_end(const hol_result *r); // its last time [s]

#endif
