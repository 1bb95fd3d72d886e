// test_expr.c with HOL_COMPLEX.
#include "test_expr.c"
