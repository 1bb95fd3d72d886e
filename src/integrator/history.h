// Vectors at the last accepted points, and the polynomial through them: predictors, results between points.
#ifndef HOL_HISTORY_H
#define HOL_HISTORY_H

#include "base/archive.h"

enum { HOL_HISTORY_MOST = 13 };

typedef struct hol_history {
    int most;                       // entries kept, at most HOL_HISTORY_MOST
    int size;                       // of an entry
    int n;                          // entries there are
    double t[HOL_HISTORY_MOST];     // newest first [s]
    double *past[HOL_HISTORY_MOST]; // the same                     (size)
    double *memory;
} hol_history;

hol_status hol_history_create(hol_context *ctx, int most, int size, hol_history *h);
void hol_history_destroy(hol_history *h);
void hol_history_push(hol_history *h, double t, const double *x);
// The polynomial through the newest entries at t, of the given degree or what there is history for (Lagrange form).
void hol_history_extrapolate(const hol_history *h, double t, int degree, double *out);
// Saves or restores all of it.
void hol_history_archive(hol_history *h, hol_archive *a);

// The polynomial through numbers at the last points, in Newton's form; newest first, c[k] the divided difference of the newest k + 1.
enum { HOL_DIFFERENCES_MOST = 6 };
typedef struct hol_differences {
    int n;
    double t[HOL_DIFFERENCES_MOST], c[HOL_DIFFERENCES_MOST];
} hol_differences;
void hol_differences_push(hol_differences *d, double t, double x);
// Its integral over the last step, of the given degree or what there are points for.
double hol_differences_integral(const hol_differences *d, int degree);

#endif
