// Forces and rates that jump at a place, a speed or a state: steps end right before the jump, and the next one begins behind it.
// docs/theory.md, section 8.11.
#ifndef HOL_JUMPS_H
#define HOL_JUMPS_H

#include "analysis/strips.h"

typedef struct hol_jumps {
    hol_strips *strips; // whose terms and enclosures these are; NULL: none of them jumps, or steps are fixed
    double stop; // before the next jump as it was seen last: a step ends there [s]; infinite: none is near
    double edge,
        behind; // the way to the jump is so short that it is carried on to its edge, and begins anew behind [s]
    double margin;     // by how much behind: more each time that the jump is met again at once
    hol_recent recent; // steps of late
    double last;       // when a jump was met last [s]
    int often;         // met, each soon after the one before
    double until;      // jumps are passed as the method does, as there were too many [s]
    double since;      // when the steps that are counted began [s]
    int steps;         // their number
    int held;          // of these: such as a jump cuts, or too many of them
    int term;          // of the strips: the one that jumps there
    bool told;         // was the user told of a jump that holds the motion?
    long met;
} hol_jumps;

void hol_jumps_create(hol_strips *strips, double tolerance, hol_jumps *p);
// Before a step that may last until `end`: where the next jump will be. With p->edge finite the state is to be carried on to it.
hol_status hol_jumps_look_ahead(hol_jumps *p, double end);
// After a step. *again: it has passed over a jump, and is taken back. Ends a run that a jump holds and that would not come to its end.
hol_status hol_jumps_check(hol_jumps *p, bool *again);
// After the state was carried on, with its accelerations: do these say that it was as near as it seemed?
bool hol_jumps_was_near(const hol_jumps *p);
// The state has been carried behind a jump.
void hol_jumps_passed(hol_jumps *p);
// A step failed: where a jump holds the motion that is the reason, and the message says it.
hol_status hol_jumps_explain(const hol_jumps *p);
void hol_jumps_archive(hol_jumps *p, hol_archive *a);

#endif
