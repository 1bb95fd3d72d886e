// What users' expressions may measure, at a state, with its derivatives by all that it depends on.
#ifndef HOL_LEAF_H
#define HOL_LEAF_H

#include "system/equations.h"

typedef struct hol_leaf_value {
    hol_real f;
    hol_real y[HOL_MAX_Y], w[HOL_MAX_Y],
        b[HOL_MAX_Y]; // by the coordinates of its bodies, their rates and accelerations
    hol_real lam[HOL_MAX_ROWS], kap[HOL_MAX_ROWS],
        u[HOL_MAX_ROWS]; // reactions: by multipliers and inputs of the element
} hol_leaf_value;

// Brings the memory of an angle that counts full turns up to an accepted state.
void hol_leaf_count(const hol_equations *s, const hol_state *x, const hol_leaf *leaf);
bool hol_leaf_is_twist(const hol_leaf *leaf);
// How long the projection is whose direction an angle is, at positions q (hol_quantity_breadth).
double hol_leaf_breadth(const hol_model_data *m, const hol_leaf *leaf, double t, const double *q);
// An angle as its joint counts it, but for what its memory says, and its rate [rad], [rad/s].
double hol_leaf_angle(const hol_equations *s, const hol_state *x, const hol_leaf *leaf, double *rate);
// derivatives: false leaves all but f undefined.
void hol_leaf_eval(const hol_equations *s, const hol_state *x, const hol_leaf *leaf, bool derivatives,
                   hol_leaf_value *out);

// The rate of one that is given (hol_leaf_is_given).
double hol_leaf_pace(const hol_state *x, const hol_leaf *leaf);

#endif
