// A linearised motion in files: JSON, netCDF, Matrix Market; its frequency response as a table.
#ifndef HOL_LINEAR_FILE_H
#define HOL_LINEAR_FILE_H

#include "base/base.h"
#include "holonom_analyses.h"

// HOL_ERR_USAGE: no such format, or a table without frequencies.
hol_status hol_linear_to_file(hol_context *ctx, const hol_linear *linear, int n, const double *omega,
                              const char *path);
// All there is as JSON.
hol_status hol_linear_to_json(hol_context *ctx, const hol_linear *linear, int n, const double *omega,
                              hol_print_fn print, void *user);

#endif
