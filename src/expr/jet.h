// Truncated Taylor series in time and the functions that act on them. Inside src/expr only.
#ifndef HOL_JET_H
#define HOL_JET_H

#include "base/base.h"

// c[k] = f^(k)(t) / k!, k = 0..3; time in file units.
typedef struct hol_jet {
    hol_real c[4];
} hol_jet;

hol_jet hol_jet_constant(hol_real value);
hol_jet hol_jet_add(hol_jet a, hol_jet b);
hol_jet hol_jet_sub(hol_jet a, hol_jet b);
hol_jet hol_jet_mul(hol_jet a, hol_jet b);
hol_jet hol_jet_div(hol_jet a, hol_jet b);
hol_jet hol_jet_pow(hol_jet a, hol_jet b);
hol_jet hol_jet_atan2(hol_jet y, hol_jet x);
hol_jet hol_jet_affine(double a, hol_jet x, double b); // a*x + b
bool hol_jet_is_constant(const hol_jet *a);

// f(a) from the Taylor coefficients f, f', f''/2, f'''/6 of f at a.c[0].
hol_jet hol_jet_compose(const hol_real f[4], hol_jet a);

// What the parser must do for a function besides calling it.
enum {
    HOL_RULE_ANGLE_IN = 1,  // the argument is an angle
    HOL_RULE_ANGLE_OUT = 2, // the result is an angle
    HOL_RULE_CONSTANT = 4,  // jumps: arguments must not depend on time
    HOL_RULE_RAMP = 8,      // (x, x0, h0, x1, h1) with x0 < x1
    HOL_RULE_BRANCH = 16    // (x: negative, zero, positive)
};

// A function or an operator. Exactly one of taylor and jet is set.
typedef struct hol_function {
    const char *name, *arguments;
    int min_args, max_args;
    unsigned rules;
    const char *domain;                          // what the arguments must satisfy, "" if nothing
    void (*taylor)(hol_real x, hol_real f[4]);   // one argument: f, f', f''/2, f'''/6 at x
    hol_jet (*jet)(int count, const hol_jet *x); // any arguments                              (count)
} hol_function;

#define HOL_MANY_ARGS 1000000 // more than any program can hold

hol_jet hol_function_call(const hol_function *f, int count, const hol_jet *x);
const hol_function *hol_function_find(const char *name, size_t length); // any case; NULL: unknown
const hol_function *hol_operator(char sign); // + - * / ^, and ~ for the unary minus

bool hol_same_word(const char *word, size_t length, const char *name); // without regard to case

#endif
