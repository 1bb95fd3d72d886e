// test_expr_derivatives.c with HOL_COMPLEX.
#include "test_expr_derivatives.c"
