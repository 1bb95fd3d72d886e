// What grows by e^(rate t), and how long steps may be that follow it. An implicit method damps what it steps over, whether that
// dies out or grows: with long steps it goes to an equilibrium that nothing stays at. docs/theory.md, section 9.4.
#ifndef HOL_GROWTH_H
#define HOL_GROWTH_H

#include "analysis/omega.h"
#include "integrator/integrator.h"
#include "system/rank.h"

typedef struct hol_growth {
    hol_omega *omega; // NULL: growth is not looked for
    double *room;     // for eigenvalues of the method's own tangent; NULL: it has none
    double rate;      // of the fastest growth at the last look [1/s]
    int age, every;   // steps since then, and between looks
} hol_growth;

// Is growth with the rate [1/s] too fast for a run until `end` [s], and for what falls over?
bool hol_growth_is_fast(const hol_model_data *m, double rate, double end);
// Warns of growth that is too fast, or that fixed steps [s] pass over; 0: they are not fixed.
void hol_growth_tell(hol_context *ctx, const hol_model_data *m, double rate, double step, double end);
// Looks at the start, and tells of fast growth, where an implicit method could pass it. Fixed steps are not bounded: those that
// pass it are told of.
hol_status hol_growth_create(hol_integrator *it, const hol_rank *rank, hol_growth *g);
void hol_growth_destroy(hol_growth *g);
// After an accepted step; `anew`: the model or the motion has changed at once. Bounds the next step, it->longest.
hol_status hol_growth_watch(hol_growth *g, hol_integrator *it, bool anew);
void hol_growth_archive(hol_growth *g, hol_integrator *it, hol_archive *a);

#endif
