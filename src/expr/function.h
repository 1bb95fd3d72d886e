// The functions and operators of the expression language. Inside src/expr only.
#ifndef HOL_FUNCTION_H
#define HOL_FUNCTION_H

#include "expr/enclose.h"
#include "expr/num.h"

// What the parser must do for a function besides calling it.
enum {
    HOL_RULE_ANGLE_OUT = 1, // the result is an angle in radians
    HOL_RULE_CONSTANT = 2,  // jumps: arguments must be constant
    HOL_RULE_RAMP = 4,      // (x, x0, h0, x1, h1) with x0 < x1
    HOL_RULE_BRANCH = 8,    // (x: negative, zero, positive)
    HOL_RULE_KINK = 16,     // the value or its slope jumps somewhere
    HOL_RULE_TABLE = 32,    // looks a table up: (x, table) or (x, 0, table), and the order of a derivative
    HOL_RULE_CUBIC = 64,    // the table becomes a cubic spline, whatever it was
    HOL_RULE_AKIMA = 128,   // and here an Akima spline
    HOL_RULE_CONTACT = 256, // (..., e, cmax, d) with e > 0, d >= 0
    HOL_RULE_ANGLE_IN =
        512 // the first argument is an angle; HOL_RULE_ANGLE_IN << i: the one at index i, up to 4
};

// How the dimension of the result follows from those of the arguments (expr/nature.c); part of the rules.
enum {
    HOL_NATURE_RULE = 15 << 16, // mask
    HOL_RULE_SAME = 1 << 16,    // all have one dimension, the result too
    HOL_RULE_PRODUCT = 2 << 16,
    HOL_RULE_QUOTIENT = 3 << 16,
    HOL_RULE_POWER = 4 << 16, // the second is an exponent
    HOL_RULE_ROOT = 5 << 16,
    HOL_RULE_PURE = 6 << 16, // numbers and angles to a number
    HOL_RULE_ARC = 7 << 16,  // arguments of one dimension to an angle
    HOL_RULE_POLYNOMIAL = 8 << 16,
    HOL_RULE_FOURIER = 9 << 16,
    HOL_RULE_HARMONIC = 10 << 16,
    HOL_RULE_IMPACT = 11 << 16
    // 0: the result is not known
};

// A function or an operator. One of taylor and many is set, none for a table.
typedef struct hol_function {
    const char *name, *arguments;
    int min_args, max_args;
    unsigned rules;
    const char *domain;                        // what the arguments must satisfy, "" if nothing
    void (*taylor)(hol_real x, hol_real f[4]); // one argument: f, f', f''/2, f'''/6 at x
    void (*many)(const hol_shape *s, int count, const hol_real *const *x,
                 hol_real *out); // any arguments  (count)
    // What it does in an interval, of arguments that do so; out is none of them. Of a table the table itself knows.
    void (*enclose)(int count, const hol_enclosure *x, hol_enclosure *out);
} hol_function;

// The enclosures of enclose.c.
#define HOL_ENCLOSE(name) void hol_enclose_##name(int count, const hol_enclosure *x, hol_enclosure *out)
HOL_ENCLOSE(add);
HOL_ENCLOSE(arccosine);
HOL_ENCLOSE(arcsine);
HOL_ENCLOSE(arctangent);
HOL_ENCLOSE(arctangent2);
HOL_ENCLOSE(bistop);
HOL_ENCLOSE(branch);
HOL_ENCLOSE(cosine);
HOL_ENCLOSE(decimal_logarithm);
HOL_ENCLOSE(divide);
HOL_ENCLOSE(exponential);
HOL_ENCLOSE(fourier_cosine);
HOL_ENCLOSE(fourier_sine);
HOL_ENCLOSE(harmonic);
HOL_ENCLOSE(havsin);
HOL_ENCLOSE(hyperbolic_cosine);
HOL_ENCLOSE(hyperbolic_sine);
HOL_ENCLOSE(hyperbolic_tangent);
HOL_ENCLOSE(impact);
HOL_ENCLOSE(largest);
HOL_ENCLOSE(logarithm);
HOL_ENCLOSE(magnitude);
HOL_ENCLOSE(multiply);
HOL_ENCLOSE(negate);
HOL_ENCLOSE(polynomial);
HOL_ENCLOSE(raise);
HOL_ENCLOSE(remainder_of);
HOL_ENCLOSE(round_down);
HOL_ENCLOSE(round_near);
HOL_ENCLOSE(round_up);
HOL_ENCLOSE(sine);
HOL_ENCLOSE(smallest);
HOL_ENCLOSE(smooth_magnitude);
HOL_ENCLOSE(square_root);
HOL_ENCLOSE(step);
HOL_ENCLOSE(step5);
HOL_ENCLOSE(subtract);
HOL_ENCLOSE(tangent);

#define HOL_MANY_ARGS 1000000 // more than any program can hold

const hol_function *hol_function_find(const char *name, size_t length); // any case; NULL: unknown
const hol_function *hol_operator(char sign); // + - * / ^, and ~ for the unary minus

#endif
