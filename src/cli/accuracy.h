// How far a run is from a reference, signal by signal. docs/theory.md, section 16.1.
#ifndef CLI_ACCURACY_H
#define CLI_ACCURACY_H

#include "holonom.h"

typedef struct cli_signal {
    char *name, *unit;
    double
        size; // largest absolute value in the reference, but at least `least` times what is large in its unit
    double own;  // without that bound
    bool open;   // the reference does not know it: it is left out
    bool of_run; // of the steps (step.size, violation.position): no property of the motion, not compared
    bool
        zero; // it stays at 0, against others of its unit, or is of the run: judged only where `size` is larger
} cli_signal;

// One reference and the signals that are compared with it.
typedef struct cli_scale {
    int n;
    cli_signal *signal; //                                                            (n)
} cli_scale;

typedef struct cli_error {
    double max, rms, at; // in units of the size; when the largest occurs [s]
} cli_error;

typedef struct cli_accuracy {
    double max, rms; // the largest over all signals
    int worst;       // where the largest is, -1: none is judged
    bool ends_apart; // the two end at times that are further apart than two results: every error is infinite
    double at;       // and when [s]
    cli_error *signal; // of each                                                     (n of the scale)
} cli_accuracy;

// other: a second run of the same signals; what moves in one of the two is not zero. least: see cli_signal. Returns false
// without memory.
bool cli_scale_make(const hol_result *reference, const hol_result *other, double least, cli_scale *out);
void cli_scale_free(cli_scale *s);
// What a is away from b (the reference that the scale is of, or any other run). HOL_OK, or an error in the context.
hol_status cli_accuracy_find(hol_context *ctx, const cli_scale *s, const hol_result *a, const hol_result *b,
                             cli_accuracy *out);
void cli_accuracy_free(cli_accuracy *a);
// The first time of both at which signal i differs by more than `most` sizes; NaN: never.
double cli_accuracy_until(const cli_scale *s, int i, const hol_result *a, const hol_result *b, double most);

#endif
