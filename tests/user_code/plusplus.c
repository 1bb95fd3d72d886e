// Compiled as C++, with names hidden: the symbol must be there all the same.
#include <holonom_user.h>

static int eval(const hol_user_instance *me, double, const double *u, const double *, double *y, double *,
                char *)
{
    y[0] = me->p[0] * u[0];
    return HOL_USER_OK;
}

HOL_USER_CODE(plusplus) = {HOL_USER_HEADER, 1, 1, 0, 1, 0, nullptr, nullptr, nullptr, nullptr, eval, nullptr};
