// The energy as a check of a run: how much may be lost or made by errors, by what the motion moves about and by the tolerance.
#ifndef HOL_ENERGY_H
#define HOL_ENERGY_H

#include "analysis/settings.h"
#include "system/equations.h"

typedef struct hol_energy {
    double kinetic;     // the largest [J]
    double least, most; // potential [J]
    double work;        // of all that is not in the potential, every step's counted without its sign [J]
    double doubt;       // what the sum of the work may be wrong by: Boole's rule against Simpson's [J]
    double turns;       // how often the mechanism has moved by its size, or turned by 1 rad
} hol_energy;

// Takes a state; h: the step that led to it (0 at the start), work: what was done in it, rate: how fast anything moves by its size.
void hol_energy_add(hol_energy *e, const hol_measure *m, double h, double work, double rate);
void hol_energy_archive(hol_energy *e, hol_archive *a);
// Warns if `drift` is more than the tolerance allows, docs/theory.md section 5. Fixed steps allow anything; what events change has
// no account.
void hol_energy_judge(const hol_energy *e, const hol_model_data *m, const hol_settings *set, double drift);

#endif
