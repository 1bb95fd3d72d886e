// A result file in memory: what its readers fill.
#ifndef HOL_RESULT_H
#define HOL_RESULT_H

#include "base/base.h"

typedef struct hol_result_data {
    hol_result r; // first: the public view is this struct
    hol_context *ctx;
    hol_arena *arena; // texts
    int capacity;     // rows there is room for
    int note_capacity[2];
    int contact_capacity;
} hol_result_data;

// An empty result, to be destroyed by hol_result_destroy also after a failure. file: where it is from, for messages.
hol_status hol_result_begin(hol_result_data *d, hol_context *ctx, const char *file);
// Room for the names and units of n columns.
hol_status hol_result_columns(hol_result_data *d, int n);
// How a column is shown; the text is copied. Columns that this is not said of are shown as they are.
hol_status hol_result_show(hol_result_data *d, int column, const char *shown, double factor);
// The unit in which a column is shown, and how many of it one `unit` is.
const char *hol_result_shown(const hol_result *r, int column, double *factor);
// Name and unit of a column, which are copied.
hol_status hol_result_name(hol_result_data *d, int column, const char *name, const char *unit);
// Have two columns one unit? A file that names no unit at all, such as a table of measured values, fits every other one.
bool hol_result_same_unit(const hol_result *a, int column, const hol_result *b, int other);
bool hol_result_has_units(const hol_result *r);
// Room for n more rows; returns the first of them, NULL: no memory. The caller counts them in r.n_rows.
double *hol_result_rows(hol_result_data *d, size_t n);
// One more note; a key that is there already gets one more line. Texts are copied.
hol_status hol_result_add_note(hol_result_data *d, const char *key, const char *text);

#endif
