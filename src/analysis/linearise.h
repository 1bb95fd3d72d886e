// The motion near a state with inputs and outputs, in coordinates of the program's or the user's own. docs/theory.md, section 22.
#ifndef HOL_LINEARISE_H
#define HOL_LINEARISE_H

#include "analysis/settings.h"
#include "holonom_analyses.h"
#include "linalg/state_space.h"

// set: of the model, for the run up to options->at.
hol_linear *hol_linear_find(hol_context *ctx, const hol_model_data *m, const hol_settings *set,
                            const hol_linear_options *options);
void hol_linear_free(hol_linear *linear);
// The system that poles, zeros and responses are those of: the matrices, or where these would lose what is slow beside what is fast the
// same in the program's own coordinates.
hol_state_space hol_linear_system(const hol_linear *l);
// The frequency response, by the matrices, or as it is known of a sparse one.
hol_status hol_linear_respond(hol_context *ctx, const hol_linear *l, int n, const double *omega, double *re,
                              double *im);
// See hol_linear_transfer in holonom_analyses.h.
hol_status hol_linear_polynomials(hol_context *ctx, const hol_linear *l, int output, int input, int *degree,
                                  int *order, double *numerator, double *denominator);

#endif
