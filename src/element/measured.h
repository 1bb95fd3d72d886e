// A component between markers, or what is made of three: lengths DM, VM, WM, ACCM and the radial velocity VR.
#ifndef HOL_MEASURED_H
#define HOL_MEASURED_H

#include "element/quantity.h"

typedef enum hol_measured_kind {
    HOL_MEASURED_COMPONENT, // part[0]
    HOL_MEASURED_LENGTH,    // |part[0..2]|; its kink at 0 has the gradient 0
    HOL_MEASURED_RADIAL     // part[0..2] . part[3..5] / |part[0..2]|: the rate of a distance
} hol_measured_kind;

typedef struct hol_measured {
    hol_measured_kind kind;
    int n_parts;
    hol_quantity part[6];
} hol_measured;

typedef struct hol_measured_name {
    const char *name; // upper case
    hol_measured_kind kind;
    hol_quantity_kind what;
    const char *doc;
} hol_measured_name;
extern const hol_measured_name hol_measured_names[]; // NULL name at the end

// By the name of a component or of a length, in any case; *max_markers: arguments (to, from, along, ref). The markers are
// left for the caller, in every part. false: unknown, or of the other dimension.
bool hol_measured_find(const char *name, size_t length, int dimension, hol_measured *out, int *max_markers);
int hol_measured_level(const hol_measured *m);
// See hol_quantity_eval.
void hol_measured_eval(const hol_measured *m, const hol_shape *shape, int ny, const hol_real *y,
                       const hol_real *w, const hol_real *b, const hol_real *dy, const hol_real *dw,
                       const int slots[3], hol_real *out);

#endif
