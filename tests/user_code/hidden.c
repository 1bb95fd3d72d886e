// Announces nothing: the function alone is not enough.
#include <holonom_user.h>

int hidden(const hol_user_instance *me, double t, const double *u, const double *x, double *y, double *dx,
           char *message);

int hidden(const hol_user_instance *me, double t, const double *u, const double *x, double *y, double *dx,
           char *message)
{
    (void)me, (void)t, (void)u, (void)x, (void)y, (void)dx, (void)message;
    return HOL_USER_OK;
}
