// The list of result formats. A new one: one file beside these, one line here.
#include "io/table.h"
#include "io/csv.h"
#include "io/netcdf.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

const hol_format hol_formats[] = {
    {".csv", "text", hol_csv_open, NULL, hol_csv_read, hol_csv_sheet},
    {".nc", "netCDF", hol_netcdf_open, hol_netcdf_begins, hol_netcdf_read, hol_netcdf_sheet},
    {NULL, NULL, NULL, NULL, NULL, NULL}};

const hol_format *hol_format_find(hol_context *ctx, const char *path)
{
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path, *dot = strrchr(name, '.');
    char list[200] = "";
    for (const hol_format *f = hol_formats; f->suffix; f++) {
        if (dot && strcmp(dot, f->suffix) == 0) return f;
        const size_t n = strlen(list);
        snprintf(list + n, sizeof list - n, "%s%s (%s)",
                 !n            ? ""
                 : f[1].suffix ? ", "
                               : " or ",
                 f->suffix, f->doc);
    }
    hol_fail(ctx, HOL_ERR_USAGE, "%s: results are written as %s; give a name that ends so", path, list);
    return NULL;
}

const hol_format *hol_format_detect(const char *path)
{
    unsigned char start[8];
    size_t n = 0;
    struct stat about;
    // a pipe has no second beginning
    const bool regular = strcmp(path, "-") != 0 && stat(path, &about) == 0 && S_ISREG(about.st_mode);
    FILE *file = regular ? fopen(path, "rb") : NULL;
    if (file) {
        n = fread(start, 1, sizeof start, file);
        fclose(file);
    }
    const hol_format *text = NULL;
    for (const hol_format *f = hol_formats; f->suffix; f++) {
        if (f->begins && n && f->begins(start, n)) return f;
        if (!f->begins && !text) text = f;
    }
    return text;
}

const double *hol_sheet_row(const hol_sheet *t, size_t k, double *first)
{
    const double *row =
        t->result ? t->result->value + k * (size_t)t->result->n_columns : t->value + k * (size_t)t->n_columns;
    *first = t->result ? *row : (double)k + 1;
    return t->result ? row + 1 : row;
}

hol_status hol_result_write(hol_context *ctx, const hol_result *result, const char *path)
{
    const hol_result *r = result;
    if (HOL_NEED(ctx, ctx) || HOL_NEED(ctx, result) || HOL_NEED(ctx, path)) return HOL_ERR_USAGE;
    hol_context_clear(ctx);
    const hol_format *format = hol_format_find(ctx, path);
    const hol_sheet sheet = {.row = r->name[0],
                             .n_columns = r->n_columns - 1,
                             .n_rows = (int)r->n_rows,
                             .name = r->name + 1,
                             .unit = r->unit + 1,
                             .n_notes = r->n_notes,
                             .key = r->key,
                             .text = r->text,
                             .result = r};
    return format ? format->sheet(ctx, path, &sheet) : HOL_ERR_USAGE;
}

#define FLUSH_SECONDS 5e-3 // 10 us each: below 1 % of the run

bool hol_flush_due(double *last)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    const double now = (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
    if (now - *last < FLUSH_SECONDS) return false;
    *last = now;
    return true;
}

hol_status hol_result_check_name(hol_context *ctx, const char *path)
{
    if (HOL_NEED(ctx, ctx) || HOL_NEED(ctx, path)) return HOL_ERR_USAGE;
    hol_context_clear(ctx);
    return hol_format_find(ctx, path) ? HOL_OK : HOL_ERR_USAGE;
}
