// Where a function of time jumps, kinks, or does something short: found by enclosures, which leave nothing out. The search halves
// an interval until nothing in it is undecided and the function is nearly a straight line there. docs/theory.md, section 8.8.
#ifndef HOL_FEATURES_H
#define HOL_FEATURES_H

#include "expr/enclose.h"

// A function of time as the search asks for it.
typedef struct hol_timed hol_timed;
struct hol_timed {
    void (*enclose)(const hol_timed *f, hol_interval t, hol_enclosure *out);
    void (*jet)(const hol_timed *f, double t, double y[4]); // value and three derivatives
};

// An expression without leaves.
typedef struct hol_time_expr {
    hol_timed timed; // first
    const hol_expr *e;
} hol_time_expr;
hol_time_expr hol_time_expr_of(const hol_expr *e);

enum { HOL_JUMP_VALUE, HOL_JUMP_SLOPE, HOL_JUMP_CURVATURE, HOL_JUMP_THIRD };

// A time at which a derivative jumps. At `before` all branches are those of the left side, at `after` those of the right one; a
// few roundings lie between.
typedef struct hol_jump {
    double before, after; // [s]
    int order;            // of the derivative: HOL_JUMP_..
    double left, right;   // its values
} hol_jump;

// When it happens, to the last digits that are known: at 0 if that is one of its ends.
static inline double hol_jump_time(const hol_jump *j)
{
    return j->before == 0 ? 0 : j->before + 0.5 * (j->after - j->before);
}

typedef enum hol_hole_kind {
    HOL_HOLE_POLE,      // grows without bound
    HOL_HOLE_REMOVABLE, // 0/0, with the same finite value on both sides
    HOL_HOLE_TOUCHED, // the edge of a domain, on whose one side it stays: with a value, but perhaps without a derivative
    HOL_HOLE_EDGE, // of the domain
    HOL_HOLE_LARGE // beyond it values are above the largest number
} hol_hole_kind;
typedef struct hol_hole {
    double before, after;
    hol_hole_kind kind;
} hol_hole;

// A short part of the interval in which the function is nearly straight, and was not in twice as much.
typedef struct hol_cell {
    double from, to;
} hol_cell;

typedef struct hol_features {
    int n_jumps, jump_capacity, n_holes, hole_capacity, n_cells, cell_capacity;
    hol_jump *jump; // in order                                                          (n_jumps)
    hol_hole *hole; // in order                                                          (n_holes)
    hol_cell *cell; // in order                                                          (n_cells)
    bool dense;     // it changes so often that it was not searched; jumps and cells are not listed
    bool
        undecided; // two branches may be equal, or an argument at the edge of its domain, all along a part: what lies in it is not known
    bool branches; // the former
    double shortest; // in which it changes, if dense [s]
    long evaluations;
} hol_features;

// finest: 1, or larger for a search that goes as many times finer.
hol_status hol_features_find(hol_context *ctx, const hol_timed *f, double from, double to, double finest,
                             hol_features *out);
void hol_features_free(hol_features *f);

#endif
