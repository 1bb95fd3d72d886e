// test_expr_leaves.c with HOL_COMPLEX.
#include "test_expr_leaves.c"
