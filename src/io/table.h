// Result formats: the table a file's suffix is looked up in, and what readers and writers share.
#ifndef HOL_IO_TABLE_H
#define HOL_IO_TABLE_H

#include "analysis/dynamics.h"
#include "io/result.h"

#include <stdio.h>

#define HOL_SHEET_MODES "mode" // first column of tables that are no motion

// A table that is written at once: one column of numbers each quantity, in front of them the number of the row, or the time of a result.
typedef struct hol_sheet {
    const char *row; // what a row is: name of the first column
    int n_columns, n_rows;
    const char *const *name, *const *unit; // unit "" for pure numbers                        (n_columns)
    const char *const *doc;                // long names, entries may be NULL                 (n_columns)
    const char *const *flags;              // words of the values 0, 1, .., with blanks; NULL   (n_columns)
    const double *value;                   //                                        (n_rows x n_columns)
    int n_notes;
    const char *const *key, *const *text; // what the file says about itself, all text         (n_notes)
    const hol_result *result;             // that it shows; then doc, flags and value are NULL; else NULL
} hol_sheet;

// The values of row k, and what stands in front of them.
const double *hol_sheet_row(const hol_sheet *t, size_t k, double *first);

// Arrays over named axes, rows first, and what stands along these.
enum { HOL_ARRAY_AXES = 3 };
typedef struct hol_axis {
    const char *name; // "state"
    int n;
    const char *const *label, *const *unit; // NULL: none                                 (n)
} hol_axis;
typedef struct hol_array {
    const char *name, *unit, *doc;
    int n_axes, axis[HOL_ARRAY_AXES]; // the last one is that of neighbours
    const double *value;
} hol_array;
typedef struct hol_arrays {
    int n_axes, n, n_notes;
    const hol_axis *axis;
    const hol_array *array;
    const char *const *key, *const *text; // notes                                          (n_notes)
} hol_arrays;

typedef struct hol_format {
    const char *suffix, *doc;
    const char *missing; // NULL; or why this library has it not and what to do: then `begins` alone is there
    // Makes the file; the sink adds a row per output time.
    hol_status (*open)(hol_context *ctx, const char *path, const hol_dynamics *d, hol_sink *out);
    // True if a file begins like one of this format; NULL: a text, taken if no other fits.
    bool (*begins)(const unsigned char *start, size_t n);
    hol_status (*read)(hol_result_data *out, const char *path);
    hol_status (*sheet)(hol_context *ctx, const char *path, const hol_sheet *sheet);
    hol_status (*arrays)(hol_context *ctx, const char *path,
                         const hol_arrays *arrays); // NULL: not in this format
} hol_format;

extern const hol_format hol_format_csv, hol_format_netcdf;
extern const hol_format *const hol_formats[]; // NULL at the end

// The format of a file to be written; NULL: HOL_ERR_USAGE with the suffixes there are, or what is missing.
const hol_format *hol_format_find(hol_context *ctx, const char *path);
// Reads a file in the format that its first bytes say, whatever its name. HOL_ERR_IO
hol_status hol_format_read(hol_result_data *out, const char *path);
bool hol_format_begins_netcdf(const unsigned char *start, size_t n);

// Comment lines at the head of a text about a run: model, method, what the model said, overrides.
void hol_csv_head(FILE *f, const hol_dynamics *d);
// A run that has not come to its end says so in the last line of its texts. false: it cannot be written.
bool hol_csv_tail(FILE *f, const hol_dynamics *d);

// True every few milliseconds: writers then hand their rows to the system, so that a killed run leaves them.
bool hol_flush_due(double *last);

#endif
