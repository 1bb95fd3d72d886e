// Passages: singular poses of closed loops are passed by the explicit pair of order 8, whatever the method. docs/theory.md, section 9.7.
#ifndef HOL_PASSAGE_H
#define HOL_PASSAGE_H

#include "integrator/integrator.h"

// NULL with HOL_OK: the method has fixed steps or passes poses by itself, or the model has no closed loops. tolerance: as given.
hol_status hol_passage_create(hol_integrator *it, double tolerance, hol_passage **out);
void hol_passage_destroy(hol_passage *p);
// A step of the method, or one of the guide where a pose is near; stop: where the method must not pass.
hol_status hol_passage_step(hol_integrator *it, hol_passage *p, double t_stop, double stop);
// The state was changed, or other rows are in use: what was known of poses is void.
void hol_passage_restart(hol_integrator *it, hol_passage *p);
hol_status hol_passage_rows_changed(hol_integrator *it, hol_passage *p);
// The last state that was seen to be before any pose, or where the motion began.
const hol_state *hol_passage_behind(const hol_passage *p);
// The guide, if it made the last step; else NULL.
hol_integrator *hol_passage_guide(const hol_passage *p);
void hol_passage_archive(hol_integrator *it, hol_passage *p, hol_archive *a);

#endif
