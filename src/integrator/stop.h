// The messages of all methods for a run that finds no further step.
#ifndef HOL_STOP_H
#define HOL_STOP_H

#include "integrator/integrator.h"

enum { HOL_TRIED = 6 };
// The sizes tried last, the last one first [s].
void hol_note_tried(double tried[HOL_TRIED], double h);

// No step is found from it->x, h being the last size. trial: the state evaluated last. tried: what hol_note_tried has noted; NULL:
// another one has chosen the sizes. why: what has failed, beside the error test where sizes are noted; NULL: nothing. way: what may get further
// beside another method and a larger tolerance or a smaller step; NULL: nothing.
hol_status hol_stop(hol_integrator *it, const hol_state *trial, double h, const double *tried,
                    const char *why, const char *way);
// "locked: ..", where what is driven is at the end of its way at it->x; else HOL_OK.
hol_status hol_stop_locked(hol_integrator *it);
// The message about a motion so fast that no method follows it to the end; HOL_OK: there is none.
hol_status hol_stop_fast(const hol_integrator *it);
// At it->x the joints leave no independent coordinates.
hol_status hol_stop_without_coordinates(hol_integrator *it);

#endif
