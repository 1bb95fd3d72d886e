// Paths of markers as a picture (SVG), in true proportion, beside the mechanism at its start.
#ifndef HOL_PATHS_H
#define HOL_PATHS_H

#include "analysis/dynamics.h"

enum { HOL_PATHS_MOST = 60 }; // markers

// HOL_ERR_USAGE: the name of the file does not end in .svg, or there is no such marker.
hol_status hol_paths_names(hol_context *ctx, const hol_model_data *m, int n, const char *const *marker,
                           const char *path);
// See hol_paths_write in holonom_analyses.h; the names are good.
hol_status hol_paths_to_file(hol_context *ctx, const hol_result *r, const hol_model_data *m, int n,
                             const char *const *marker, const char *path);
// A sink that keeps the poses while the run goes on, and draws when it is closed. The names are good.
hol_status hol_paths_open(hol_context *ctx, const hol_dynamics *d, int n, const char *const *marker,
                          const char *path, hol_sink *out);

#endif
