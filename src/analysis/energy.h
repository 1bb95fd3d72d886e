// The energy as a check of a run: how much may be lost or made by errors, by what the motion moves about and by the tolerance.
#ifndef HOL_ENERGY_H
#define HOL_ENERGY_H

#include "analysis/settings.h"
#include "system/equations.h"

typedef struct hol_energy {
    double mass;             // of all bodies [kg]
    double kinetic;          // the largest [J]
    double least, most;      // potential [J]
    double work;             // of all that is not in the potential, every step's counted without its sign [J]
    double deepest, highest; // of the sum of that with its sign [J]
    double replaced;         // what Boole's rule had where another was taken, off that [J]
    double doubt;            // what the sum of the work may be wrong by: Boole's rule against Simpson's [J]
    double turns;            // how often the mechanism has moved by its size, or turned by 1 rad
    double rate;             // by its size, how fast anything moved at the last state [1/s]
} hol_energy;

void hol_energy_begin(hol_energy *e, const hol_model_data *m);
// Takes a state; h: the step that led to it (0 at the start), work: what was done in it, done: in all so far, rate: how fast anything moves by
// its size.
void hol_energy_add(hol_energy *e, const hol_measure *m, double h, double work, double done, double rate);
void hol_energy_archive(hol_energy *e, hol_archive *a);
// What the tolerance explains of the energy lost or made by errors [J], docs/theory.md section 5; infinite where nothing is said: fixed
// steps allow anything, and what events change has no account. *most: above it the results are refused.
double hol_energy_explained(const hol_energy *e, const hol_model_data *m, const hol_settings *set,
                            double *most);
// Warns if `drift` is more than that, fails with HOL_ERR_ACCURACY if it is above `most`.
hol_status hol_energy_judge(hol_context *ctx, const hol_energy *e, const hol_model_data *m,
                            const hol_settings *set, double drift);

#endif
