// The report: one HTML page with the model's scene, its motion, signals, and what the run and the check say.
//
// The page is viewer/ as built, with three places filled in: the title, the directory of blocks (JSON), and the blocks: deflated
// each on its own, base64. docs/architecture.md, section "A report".
#ifndef HOL_REPORT_H
#define HOL_REPORT_H

#include "analysis/dynamics.h"

hol_status hol_report_check_name(hol_context *ctx, const char *path);
// The page of a result; m: the model that was run. column: signals shown, NULL: all of them.
hol_status hol_report_of_result(hol_context *ctx, const hol_result *r, const hol_model_data *m,
                                const hol_settings *set, const hol_report_options *options, const char *path);
// The page of modes, in which one is chosen and played (scene/swing.h); m: the model they were found for.
hol_status hol_report_of_modes(hol_context *ctx, const hol_modes *modes, const hol_model_data *m,
                               const hol_settings *set, const char *path);
// A sink that keeps poses and signals while the run goes on, and writes the page when it is closed.
hol_status hol_report_open(hol_context *ctx, const char *path, const hol_dynamics *d, hol_sink *out);

#endif
