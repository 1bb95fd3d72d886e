// Results as comma-separated text.
#ifndef HOL_CSV_H
#define HOL_CSV_H

#include "analysis/dynamics.h"
#include "io/result.h"

struct hol_sheet; // io/table.h

// Opens the file, writes the comment lines and the header line; the sink writes one line per output time.
hol_status hol_csv_open(hol_context *ctx, const char *path, const hol_dynamics *d, hol_sink *out);
// Also text from elsewhere: a line of names, the time first, and lines of numbers. path: "-" is standard input.
// The last line of a killed run may be cut off: it is left out, and the result is not complete.
hol_status hol_csv_read(hol_result_data *out, const char *path);

// Notes as comment lines, then as above.
hol_status hol_csv_sheet(hol_context *ctx, const char *path, const struct hol_sheet *sheet);

// Shortest decimal text that reads back as the same number (number_text.c); returns its length (at most 31).
int hol_number_text(double x, char out[32]);

#endif
