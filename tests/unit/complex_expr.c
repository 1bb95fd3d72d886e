// The tests of expressions with complex numbers, where derivatives are checked by the complex step.
#include "test_expr.c"
