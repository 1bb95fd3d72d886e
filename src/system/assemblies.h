// The ways in which a model fits together that are found from one of them, by reflections, and the one that is required. docs/theory.md,
// section 4.1.
#ifndef HOL_ASSEMBLIES_H
#define HOL_ASSEMBLIES_H

#include "system/assembly.h"
#include "system/sides.h"

typedef struct hol_found {
    double *q;     // the pose                                                             (nq)
    double change; // of what is drawn, (4.1)
    bool least;    // it is the least one near by
    bool allowed;  // what is required holds
} hol_found;

typedef struct hol_assemblies {
    hol_sides sides;
    int n, tried;     // poses, and ways gone
    hol_found *found; // the first: that from the drawing itself; each once                 (n)
} hol_assemblies;

enum { HOL_MOST_REFLECTIONS = 32 };

// Left less right side of a requirement in the pose of x.
double hol_require_value(const hol_model_data *m, const hol_require *r, const hol_state *x);
// The first requirement that does not hold; NULL: none.
const hol_require *hol_require_broken(const hol_model_data *m, const hol_state *x);
// All that are found from a->x, in which the joints hold; where `all` is not asked for, until one is allowed. a->x becomes the first that is
// allowed, as *least says. HOL_ERR_ASSEMBLY: none is, and a->x stays. To be destroyed also after a failure.
hol_status hol_assemblies_find(hol_assembler *a, bool all, bool *least, hol_assemblies *out);
void hol_assemblies_destroy(hol_assemblies *s);

#endif
