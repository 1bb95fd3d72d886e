// Variables, forces and rates that depend on themselves: does their equation still have a solution?
#ifndef HOL_ROOTS_H
#define HOL_ROOTS_H

#include "integrator/integrator.h"

typedef struct hol_roots {
    hol_integrator *it;
    hol_kernel kernel; // of solving them, made when one is first in doubt
    hol_state trial, reached;
    int n;
    int *equation;  // those that depend on themselves, alone or through others      (n)
    char *implicit; //                                                               (nz)
} hol_roots;

// Destroy it after a failure too.
hol_status hol_roots_create(hol_integrator *it, hol_roots *r);
void hol_roots_destroy(hol_roots *r);
// After an accepted step. HOL_ERR_INTEGRATION, with the time and the name, where one has no solution any more.
hol_status hol_roots_check(hol_roots *r);
// After a step that failed: the same message in place of the method's, if there is no solution dt later.
hol_status hol_roots_explain(hol_roots *r, double dt);

#endif
