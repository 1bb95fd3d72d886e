// Needs a function that is nowhere.
#include <holonom_user.h>

int of_a_library_not_given(const hol_user_instance *me, double t, const double *u, const double *x, double *y,
                           double *dx, char *message);

HOL_USER_CODE(unresolved) = {.header = HOL_USER_HEADER, .eval = of_a_library_not_given};
