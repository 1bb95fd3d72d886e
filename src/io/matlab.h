// Arrays as a file of Matlab, version 5, by libmatio.
#ifndef HOL_MATLAB_H
#define HOL_MATLAB_H

#include "io/table.h"

// Arrays as variables of their names, names along an axis and their units as NAME_names and NAME_units (cells of texts), notes as texts.
// Empty ones are left out. HOL_ERR_IO: it cannot be written; HOL_ERR_USAGE: a library without it.
hol_status hol_matlab_write(hol_context *ctx, const char *path, const hol_arrays *arrays);

#endif
