// Files of Matlab in the core library, which does without libmatio.
#include "io/matlab.h"

hol_status hol_matlab_write(hol_context *ctx, const char *path, const hol_arrays *arrays)
{
    (void)arrays;
    return hol_fail(ctx, HOL_ERR_USAGE,
                    "%s: .mat is not in the core library: use .json or .mtx, or link libholonom", path);
}
