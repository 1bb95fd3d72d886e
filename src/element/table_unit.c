// Units of tables that are curves or roads: those of the table, or of the plain numbers of its file.
#include "element/element.h"
#include "expr/spline.h"

#include <string.h>

hol_status hol_table_unit(const hol_setup *in, const hol_value *value, int column, const char *unit,
                          double *out)
{
    const hol_table *t = value->table;
    char given[80];
    hol_unit wanted;
    *out = 1;
    if (!hol_unit_read(unit, &wanted)) return HOL_ERR_USAGE;
    const bool angle = wanted.dimension.power[3] != 0;
    if (!t->si[column]) {
        if (t->units) *out = angle ? t->units->angle : t->units->length;
        return HOL_OK;
    }
    if (memcmp(&t->dimension[column], &wanted.dimension, sizeof wanted.dimension) == 0) return HOL_OK;
    hol_dimension_print(&t->dimension[column], given, sizeof given);
    return hol_fail_at(in->ctx, HOL_ERR_MODEL, value->at, "%s: %s of this table is %s, %s is wanted",
                       in->path, column ? "y" : "x", given, angle ? "an angle" : "a length");
}
