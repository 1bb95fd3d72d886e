// Private to trimming: parameters with which signals have given values in equilibrium. docs/theory.md, section 20.6.
#ifndef HOL_TRIM_H
#define HOL_TRIM_H

#include "analysis/slice.h"

#define HOL_TRIM_DIFFERENCE 1e-6 // of a parameter, or of 1
#define HOL_TRIMMED 1e-9         // what may be left of a signal, against 1 or its value

enum { HOL_TRIM_BARRED = 300 };
typedef struct hol_trimmer {
    hol_statics_data *o;
    const hol_at_rest *start;
    int n;
    hol_fixed *p;            // values of the parameters                                    (n)
    double *given;           // those of the file                                           (n)
    hol_state x;             // the equilibrium with them
    double *left;            // of the signals                                              (n)
    double *J, *side, *step; // (n x n), (n), (n)
    hol_fixed *trial;        //                                                             (n)
    bool refused;            // the file does not allow the last one that was opened
    char barred
        [HOL_TRIM_BARRED]; // why the file does not allow values that were tried, the last of them; "": it allows all
} hol_trimmer;

// The model with values p at a state x. HOL_RECOVERABLE: the file does not allow them.
hol_status hol_trim_open(hol_trimmer *t, const hol_fixed *p, const hol_state *x, hol_slice *c);
// What signals miss at the pose of a slice, whose multipliers are known, against 1 or their values; the largest of it.
hol_status hol_trim_miss(hol_trimmer *t, hol_slice *c, double *left);
double hol_trim_size(const hol_trimmer *t, const double *left);
// What a parameter is measured by: its value, or 1.
double hol_trim_scale(const hol_fixed *p);
// Pose and parameters at once, from those in t->x and t->p. HOL_RECOVERABLE: they are not found.
hol_status hol_trim_together(hol_trimmer *t);

#endif
