// Results as netCDF: classic format with 64-bit offsets (CDF-2), which every netCDF reader knows.
#ifndef HOL_NETCDF_H
#define HOL_NETCDF_H

#include "analysis/dynamics.h"
#include "io/result.h"

struct hol_sheet; // io/table.h

hol_status hol_netcdf_open(hol_context *ctx, const char *path, const hol_dynamics *d, hol_sink *out);
// Any netCDF file, HDF5-based ones too: columns are the numeric variables along its unlimited dimension, or `time`.
bool hol_netcdf_begins(const unsigned char *start, size_t n);
hol_status hol_netcdf_read(hol_result_data *out, const char *path);
// Rows along an unlimited dimension named as the first column, notes as global attributes.
hol_status hol_netcdf_sheet(hol_context *ctx, const char *path, const struct hol_sheet *sheet);

#endif
