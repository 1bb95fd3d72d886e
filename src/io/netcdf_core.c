// netCDF in the core library, which does without it: its files are known, and refused.
#include "io/table.h"

const hol_format hol_format_netcdf = {
    ".nc", "netCDF", .missing = "netCDF is not in the core library: use .csv, or link libholonom",
    .begins = hol_format_begins_netcdf};
