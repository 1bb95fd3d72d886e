// Narrow strips of place, speed and state: what an expression does within a step, and neither end of it knows, such as a short push
// on the way. docs/theory.md, section 8.10.
#ifndef HOL_STRIPS_H
#define HOL_STRIPS_H

#include "analysis/course.h"

typedef struct hol_strips {
    hol_course c;
    int n;
    int *equation;          // forces and rates that are watched        (n)
    double *least;          // impulses that count: of each        (n)
    hol_interval *known;    // values that the ends of a step knew when it was looked at last       (n)
    double from, to, piece; // the strip at hand, and steps through it [s]; from infinite: there is none
    double again;           // where steps were made again last [s]
    int times;              // how often there
    bool *told;             // fixed steps: was the user told of it?    (n)
    long found, undecided;
} hol_strips;

// tolerance: of the run; 0: steps are fixed.
hol_status hol_strips_create(hol_integrator *it, double tolerance, hol_strips *p);
void hol_strips_destroy(hol_strips *p);
// After a step, before anything else looks at it. *again: it has passed over a strip and is taken back, and the next ones end before the
// strip and in it. Of fixed steps it is told.
hol_status hol_strips_check(hol_strips *p, bool *again);
// The next time, after it->x.t, at which a step ends for a strip; `end` if there is none before.
double hol_strips_next_time(const hol_strips *p, double end);
void hol_strips_archive(hol_strips *p, hol_archive *a);

#endif
