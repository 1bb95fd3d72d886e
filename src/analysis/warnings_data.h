// Private to the warnings of `check`: what they look at, and how they tell.
#ifndef HOL_WARNINGS_DATA_H
#define HOL_WARNINGS_DATA_H

#include "analysis/advice.h"
#include "analysis/growth.h"
#include "analysis/loads.h"
#include "analysis/warnings.h"
#include "system/impact.h"

typedef struct hol_facts {
    hol_context *ctx;
    const hol_model_data *m;
    const hol_settings *set;
    const hol_rank *rank; // NULL: not known
    const hol_state *x;   // the start; NULL: not known
    hol_kernel *k;        // of the start: those whose shapes or stops may push
    hol_state *pushed;    // the start, with accelerations once something pushes; NULL: not known
    bool accelerated;
    hol_fastest fastest;
    hol_loads loads;
    hol_warnings *out;
    const char *name; // of the row that looks
    int columns;      // numbers in a row of results; 0: not known
    bool brief;       // told by the way, before a run
    int alike;        // warnings of this row so far
    bool lost;        // no memory
} hol_facts;

// Adds a warning, up to some of a kind. A line end in the format stands between what is the case and what comes of it, which the
// short form leaves away.
void hol_warn(hol_facts *f, const char *format, ...) HOL_PRINTF(2, 3);
// "line 4, column 63", with the file where it is an included one; or a path.
const char *hol_warning_place(const hol_facts *f, hol_src at, char text[HOL_PLACE]);

// Of functions of time (warnings_time.c): lists, then rows.
void hol_list_kinks(hol_facts *f);
void hol_list_loads(hol_facts *f);
void hol_look_tables(hol_facts *f);
void hol_look_beyond(hol_facts *f);
void hol_look_pulses(hol_facts *f);
void hol_look_jumps(hol_facts *f);
void hol_look_poles(hol_facts *f);
void hol_look_fast(hol_facts *f);
void hol_look_undecided(hol_facts *f);
// Of shapes that masses follow from (warnings_shape.c): those that overlap, holes that reach out.
void hol_look_densities(hol_facts *f);
void hol_look_shapes(hol_facts *f);
#define HOL_DEEP 1e-9 // natural sizes: what begins no deeper in each other, or beyond its range, only touches
// Does more than half of this force [N, N m], with which something begins `deep`, move what it pushes? Not if others hold that, if there is
// little in it, or if it is small against the weight; by natural size.
bool hol_throws(hol_facts *f, const hol_element *e, double force, double energy, double size, hol_push *push);
// Of stops of joints (warnings_stop.c).
void hol_look_stops(hol_facts *f);
// Of contacts (warnings_contact.c): overlaps as drawn, depths under the weight, short impacts, pairs of two rules.
void hol_look_overlaps(hol_facts *f);
void hol_look_depths(hol_facts *f);
void hol_look_impacts(hol_facts *f);
void hol_look_twice(hol_facts *f);

#endif
