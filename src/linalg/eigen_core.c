// A few eigenvalues of large operators in the core library, which does without ARPACK: they are refused.
#include "linalg/eigen.h"
#include <string.h>

static hol_status refuse(hol_context *ctx)
{
    return hol_fail(ctx, HOL_ERR_USAGE,
                    "modes and omega_max of large models take ARPACK, which is not in the core library: link "
                    "libholonom");
}

hol_status hol_eigen_create(hol_context *ctx, int n, int most, hol_eigen *e)
{
    memset(e, 0, sizeof *e);
    e->n = n;
    e->most = most;
    return refuse(ctx);
}

void hol_eigen_destroy(hol_eigen *e) { memset(e, 0, sizeof *e); }

hol_status hol_eigen_find(hol_eigen *e, const hol_operator *op, bool self_adjoint, hol_eigen_which which,
                          int wanted, double tolerance)
{
    (void)e, (void)op, (void)self_adjoint, (void)which, (void)wanted, (void)tolerance;
    return HOL_ERR_USAGE;
}
