// A block of the KKT matrix S of the equations as a sparse matrix of its own: mass, Phi_q, Psi_v.
#ifndef HOL_SYSTEM_PART_H
#define HOL_SYSTEM_PART_H

#include "holonom_equations.h"
#include "system/equations.h"

typedef enum hol_part_kind { HOL_PART_MASS, HOL_PART_PHI_Q, HOL_PART_PSI_V } hol_part_kind;

typedef struct hol_part {
    hol_csc view;
    int *start, *row;
    int *slot; // of each entry in S
    double *value;
} hol_part;

// s with its structure. Destroy it after a failure too.
hol_status hol_part_create(const hol_equations *s, hol_part_kind kind, hol_part *out);
void hol_part_destroy(hol_part *p);
// From values of S.
void hol_part_fill(hol_part *p, const double *values);
// All entries, column-major, and the product with a vector.
void hol_part_dense(const hol_part *p, double *out);
void hol_part_times(const hol_part *p, const double *x, double *out);

#endif
