// Columns of a result that have one name.
#include "base/base.h"

#include <math.h>

hol_status hol_result_check_twins(hol_context *ctx, const hol_result *r, int first, int second)
{
    for (size_t k = 0; k < r->n_rows; k++) {
        const double *row = r->value + k * (size_t)r->n_columns;
        if (row[first] == row[second] || (isnan(row[first]) && isnan(row[second]))) continue;
        return hol_fail(
            ctx, HOL_ERR_USAGE,
            "%s: the columns %d and %d are both named \"%s\", with different values (%.9g and %.9g in "
            "row %zu): rename one of them",
            r->file, first + 1, second + 1, r->name[second], row[first], row[second], k + 1);
    }
    return HOL_OK;
}
