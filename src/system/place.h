// Motion of a marker in global axes, and how it depends on the velocities; momenta and energies of all bodies.
#ifndef HOL_SYSTEM_PLACE_H
#define HOL_SYSTEM_PLACE_H

#include "holonom_equations.h"
#include "system/equations.h"

// k: of m->marker.
void hol_place_motion(const hol_model_data *m, const hol_state *x, int k, hol_eom_motion *out);
// Of the marker of an element's end.
void hol_place_end(const hol_model_data *m, const hol_state *x, const hol_end *end, hol_eom_motion *out);
// J and Jr (3 x nq, column-major), either may be NULL: velocity = J v, omega = Jr v. Of markers of ground 0.
void hol_place_jacobian(const hol_model_data *m, const hol_state *x, int k, double *J, double *Jr);
void hol_place_totals(const hol_equations *s, const hol_state *x, const double about[3], hol_eom_totals *out);

#endif
