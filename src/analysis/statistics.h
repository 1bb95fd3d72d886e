// The statistics of a run one by one. A row of the table in statistics.c is all that one of them takes: hol_dynamics_finish, the
// JSON of --stats, the summaries, the manual and hol_simulation_statistic walk the rows.
#ifndef HOL_STATISTICS_H
#define HOL_STATISTICS_H

#include "analysis/dynamics.h"

// What is known of row i without a run: the value is NaN and does not apply. false: there are fewer.
bool hol_statistic_row(int i, hol_statistic *out);
// Row i of a run, as complete as d->stats.
bool hol_statistic_of(const hol_dynamics *d, int i, hol_statistic *out);
// What integrator, equations and loops have counted, into d->stats.
void hol_statistics_gather(hol_dynamics *d);

#endif
