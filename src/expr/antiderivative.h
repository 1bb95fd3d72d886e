// The integrals of functions of a linear function of time, as functions that only hol_expr_integral writes. Inside src/expr only.
#ifndef HOL_ANTIDERIVATIVE_H
#define HOL_ANTIDERIVATIVE_H

#include "expr/function.h"

// Arguments of the call: u = a t + b as it stands in the file, the time, and numbers: the kind, integrations, a, b, the exponent.
enum {
    HOL_ANTIDERIVATIVE_U,
    HOL_ANTIDERIVATIVE_TIME,
    HOL_ANTIDERIVATIVE_KIND,
    HOL_ANTIDERIVATIVE_ORDER,
    HOL_ANTIDERIVATIVE_SLOPE,
    HOL_ANTIDERIVATIVE_BEGINNING,
    HOL_ANTIDERIVATIVE_EXPONENT,
    HOL_ANTIDERIVATIVE_ARGUMENTS
};
enum { HOL_ANTIDERIVATIVE_ORDERS = 2 }; // integrations at most

// Of sin, cos, exp, sinh, cosh, powers, sqrt; -1: of another.
int hol_antiderivative_kind(const hol_function *fn);
const hol_function *hol_antiderivative_function(int kind, double exponent);
// After so many integrations from f on?
bool hol_antiderivative_exists(int kind, int order, double exponent);
HOL_ENCLOSE(antiderivative);

#endif
