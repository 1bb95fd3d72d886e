// The list of result formats. A new one: one file beside these, one line here.
#include "io/table.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

const hol_format *const hol_formats[] = {&hol_format_csv, &hol_format_netcdf, NULL};

// The format that a name's suffix says; NULL: none.
static const hol_format *named(const char *path)
{
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path, *dot = strrchr(name, '.');
    for (const hol_format *const *f = hol_formats; dot && *f; f++)
        if (strcmp(dot, (*f)->suffix) == 0) return *f;
    return NULL;
}

const hol_format *hol_format_find(hol_context *ctx, const char *path)
{
    const hol_format *found = named(path);
    char list[200] = "";
    if (found && !found->missing) return found;
    for (const hol_format *const *f = hol_formats; *f; f++) {
        const size_t n = strlen(list);
        if (!(*f)->missing)
            snprintf(list + n, sizeof list - n, "%s%s (%s)",
                     !n     ? ""
                     : f[1] ? ", "
                            : " or ",
                     (*f)->suffix, (*f)->doc);
    }
    if (found)
        hol_fail(ctx, HOL_ERR_USAGE, "%s: %s", path, found->missing);
    else
        hol_fail(ctx, HOL_ERR_USAGE, "%s: results are written as %s; give a name that ends so", path, list);
    return NULL;
}

// Known where the format itself is missing too.
bool hol_format_begins_netcdf(const unsigned char *start, size_t n)
{
    static const unsigned char hdf5[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
    return n >= 4 && ((memcmp(start, "CDF", 3) == 0 && start[3] > 0 && start[3] <= 5) ||
                      (n == 8 && memcmp(start, hdf5, 8) == 0));
}

// The format of a file by its first bytes; a text where no other fits.
static const hol_format *detect(const char *path)
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
    for (const hol_format *const *f = hol_formats; *f; f++) {
        if ((*f)->begins && n && (*f)->begins(start, n)) return *f;
        if (!(*f)->begins && !text) text = *f;
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

hol_status hol_format_read(hol_result_data *out, const char *path)
{
    const hol_format *format = detect(path);
    return format->missing ? hol_fail(out->ctx, HOL_ERR_IO, "%s: %s", path, format->missing)
                           : format->read(out, path);
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
