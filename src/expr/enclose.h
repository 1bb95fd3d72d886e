// What an expression does in an interval of time: enclosures of its value and of its first derivative, and marks. They are
// rounded outwards, so that a value at any time of the interval lies in them, as computed too. docs/theory.md, section 8.8.
#ifndef HOL_ENCLOSE_H
#define HOL_ENCLOSE_H

#include "expr/expr.h"

typedef struct hol_interval {
    double lo, hi;
} hol_interval;

// What may happen inside: an interval without marks holds none of these for certain.
enum {
    HOL_MARK_KINK = 1,   // a value or a derivative jumps
    HOL_MARK_POLE = 2,   // a divisor passes through 0
    HOL_MARK_DOMAIN = 4, // an argument leaves the domain of its function
    HOL_MARK_NONE = 8,   // an argument is outside of it all the time: there is no value
    HOL_MARK_LARGE =
        16, // something in it is above the largest number all the time: of what follows from that only the value is known
    HOL_MARK_HOLES = HOL_MARK_POLE | HOL_MARK_DOMAIN | HOL_MARK_NONE
};

typedef struct hol_enclosure {
    hol_interval v, d; // of the value, of its derivative by time
    unsigned marks;
} hol_enclosure;

// Of a number that does not change.
hol_enclosure hol_enclose_constant(double x);
// The length of a vector of `count` parts: h' = sum (x_j/h) x_j', with |x_j/h| <= 1; a kink where it may be 0.
void hol_enclose_norm(int count, const hol_enclosure *x, hol_enclosure *out);
// Of the program: `time` and the leaves are given.
void hol_expr_enclose(const hol_expr *e, const hol_enclosure *time, const hol_enclosure *const *leaf,
                      hol_enclosure *out);

#endif
