// Results as comma-separated text.
#ifndef HOL_CSV_H
#define HOL_CSV_H

#include "analysis/dynamics.h"

// Opens the file, writes the comment lines and the header line; the sink writes one line per output time.
hol_status hol_csv_open(hol_context *ctx, const char *path, const hol_dynamics *d, hol_sink *out);

// Shortest decimal text that reads back as the same number; returns its length (at most 31).
int hol_number_text(double x, char out[32]);

#endif
