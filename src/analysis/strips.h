// Narrow strips of place, speed and state: what an expression does within a step, and neither end of it knows, such as a short push
// on the way. docs/theory.md, section 8.10.
#ifndef HOL_STRIPS_H
#define HOL_STRIPS_H

#include "analysis/course.h"

// A term of a force, or of the rate of a state: one beside a larger one is seen.
typedef struct hol_strip_term {
    hol_course_term t;
    double least; // the impulse, or the change of a state, that counts
    bool jumps;   // it is no sum, and a branch may let it jump
} hol_strip_term;

typedef struct hol_strips {
    hol_course c;
    int n;
    hol_strip_term *term;   // what is watched        (n)
    double from, to, piece; // the strip at hand, and steps through it [s]; from infinite: there is none
    bool *told;             // fixed steps: was the user told of it?        (equations of the model)
    bool cornered;          // an expression may have a corner in the last step
    long found, undecided;
} hol_strips;

// tolerance: of the run; 0: steps are fixed.
hol_status hol_strips_create(hol_integrator *it, double tolerance, hol_strips *p);
void hol_strips_destroy(hol_strips *p);
// After a step, before anything else looks at it: what is needed of both of its ends, for this and for jumps.
hol_status hol_strips_begin(hol_strips *p);
// *again: it has passed over a strip and is taken back, and the next ones end before the
// strip and in it. Of fixed steps it is told.
hol_status hol_strips_check(hol_strips *p, bool *again);
// The next time, after it->x.t, at which a step ends for a strip; `end` if there is none before.
double hol_strips_next_time(const hol_strips *p, double end);
void hol_strips_archive(hol_strips *p, hol_archive *a);

#endif
