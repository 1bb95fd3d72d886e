// Functions given by a table: piecewise linear, or cubic with continuous first (Akima) or second derivative (natural
// cubic; not-a-knot, which has the second derivative at its ends too). Beyond the ends a cubic or Akima spline goes on as its last polynomial's tangent line, a linear one as its last
// line, so that the derivative stays continuous there.
#ifndef HOL_SPLINE_H
#define HOL_SPLINE_H

#include "expr/enclose.h"

typedef enum hol_spline_kind {
    HOL_SPLINE_LINEAR,
    HOL_SPLINE_CUBIC,
    HOL_SPLINE_AKIMA,
    HOL_SPLINE_NOT_A_KNOT,
    HOL_SPLINE_STEP // of two points: level there and beyond, a cubic between
} hol_spline_kind;
typedef enum hol_spline_beyond { // what it is beyond its ends
    HOL_SPLINE_UNSAID,           // a line, which is told where it is used
    HOL_SPLINE_LINE,
    HOL_SPLINE_HOLD // the value at the end
} hol_spline_beyond;
typedef struct hol_spline hol_spline;

// A table of the model file. Columns: x, y.
typedef struct hol_table {
    const hol_spline *spline;
    bool si[2];                 // the column was given with a unit, and is in SI
    hol_dimension dimension[2]; // of those columns
    bool cycles[2];             // Hz, 1/min or 1/h: as HOL_NATURE_CYCLES
    const hol_units *units;     // of the others, where the table is a curve or a road; NULL: SI
} hol_table;

// x strictly increasing, n >= 2 (the caller has checked); copied into the arena. NULL: no memory.
const hol_spline *hol_spline_create(hol_arena *arena, hol_spline_kind kind, int n, const double *x,
                                    const double *y);
// The same table joined in another way; s itself if it is of that kind.
const hol_spline *hol_spline_as(hol_arena *arena, hol_spline_kind kind, const hol_spline *s);
// The same table as it is called, with what is said of its ends.
const hol_spline *hol_spline_named(hol_arena *arena, const hol_spline *s, const char *name,
                                   hol_spline_beyond beyond);
const char *hol_spline_name(const hol_spline *s); // NULL: it has none
hol_spline_beyond hol_spline_goes_on(const hol_spline *s);
// The same function, ready for its integrals. NULL: no memory.
const hol_spline *hol_spline_integrable(hol_arena *arena, const hol_spline *s);
// f, f', f''/2, f'''/6 of the `derivative`-th derivative (0, 1, 2) at x; -1, -2: of an integrable one the integral from its first
// node, and the integral of that.
void hol_spline_eval(const hol_spline *s, int derivative, hol_real x, hol_real f[4]);
// Of the `derivative`-th derivative, f and f' for x anywhere in [x]. true: it has a kink inside, a node where it or f' jumps.
bool hol_spline_enclose(const hol_spline *s, int derivative, hol_interval x, hol_interval *f,
                        hol_interval *slope);
// Its nodes; the arrays are the spline's own.
int hol_spline_nodes(const hol_spline *s, const double **x, const double **y);
int hol_spline_smooth(const hol_spline *s); // derivatives that are continuous: 0, 1 or 2
bool hol_spline_kinks(const hol_spline *s); // its first derivative jumps at the nodes
// Its first derivative jumps at x, or (NaN) anywhere, because the value there is held beyond an end that is not level.
bool hol_spline_breaks_off(const hol_spline *s, double x);

#endif
