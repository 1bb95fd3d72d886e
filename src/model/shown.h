// Units in which results are shown.
#ifndef HOL_SHOWN_H
#define HOL_SHOWN_H

#include "base/base.h"

enum { HOL_BASES = 5 }; // length, mass, time, angle, force
typedef struct hol_output_units {
    const char *name[HOL_BASES]; // "mm"; NULL: the one of SI
    long double si[HOL_BASES];   // SI units in one
} hol_output_units;

// unit: a product of SI units, as signals have it. factor: how many of `shown` one of it is; 1000 for m in mm.
hol_status hol_unit_shown(hol_arena *arena, const hol_output_units *chosen, const char *unit,
                          const char **shown, double *factor);

#endif
