// Angles of space that have no value for a moment: AX, AY, AZ at a quarter turn of the others, atan2(0, 0), docs/theory.md, section 8.13; and
// rotation vectors that come to their end, a whole turn: those of bushings and beams, (3.9a).
#ifndef HOL_UNDEFINED_H
#define HOL_UNDEFINED_H

#include "integrator/integrator.h"

typedef struct hol_undefined {
    const hol_integrator *it;
    bool *told;       // of each angle that counts turns, once a run            (n_counters of the model)
    int n_laws, *law; // bushings and beams in space that have not been told of
} hol_undefined;

// Is this one so near to it that its value means nothing?
bool hol_angle_is_undefined(const hol_model_data *m, const hol_leaf *leaf, double t, const double *q);
// Looks at the start; tells.
hol_status hol_undefined_create(const hol_integrator *it, hol_undefined *u);
void hol_undefined_destroy(hol_undefined *u);
// After an accepted step, which may have gone over it.
void hol_undefined_look(hol_undefined *u);

#endif
