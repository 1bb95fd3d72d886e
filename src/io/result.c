// Reading a result file of any format.
#include "io/table.h"

#include <limits.h>
#include <string.h>

hol_status hol_result_columns(hol_result_data *d, int n)
{
    d->r.n_columns = n;
    d->r.name = hol_arena_alloc(d->arena, (size_t)n, sizeof *d->r.name);
    d->r.unit = hol_arena_alloc(d->arena, (size_t)n, sizeof *d->r.unit);
    return d->r.name && d->r.unit ? HOL_OK : HOL_ERR_MEMORY;
}

double *hol_result_rows(hol_result_data *d, size_t n)
{
    const size_t width = (size_t)d->r.n_columns, need = d->r.n_rows + n;
    if (need > INT_MAX) {
        hol_fail(d->ctx, HOL_ERR_MEMORY, "%s: more than %d rows", d->r.file, INT_MAX);
        return NULL;
    }
    double *value = hol_grow(d->ctx, d->r.value, &d->capacity, (int)need, width * sizeof *value);
    if (!value) return NULL;
    d->r.value = value;
    return value + d->r.n_rows * width;
}

hol_result *hol_result_read(hol_context *ctx, const char *path)
{
    hol_context_clear(ctx);
    hol_result_data *d = hol_calloc(ctx, 1, sizeof *d);
    if (!d) return NULL;
    d->ctx = ctx;
    d->arena = hol_arena_create(ctx);
    d->r.file = d->arena ? hol_arena_copy(d->arena, path, strlen(path)) : NULL;
    d->r.complete = true;
    hol_status st = d->r.file ? hol_format_detect(path)->read(d, path) : HOL_ERR_MEMORY;
    if (!st && strcmp(d->r.name[0], HOL_SHEET_MODES) == 0)
        st = hol_fail(
            ctx, HOL_ERR_IO,
            "%s: error: a table of modes (`holonom modes`), which has no times; results of `holonom run` "
            "are wanted",
            path);
    if (!st && d->r.n_rows == 0)
        st = hol_fail(ctx, HOL_ERR_IO, "%s: error: the file holds no results, only the names of columns",
                      path);
    if (!st && !d->r.complete)
        hol_note(ctx, HOL_WARNING, "%s ends in the middle: the run that writes it was killed or goes on",
                 path);
    if (!st) return &d->r;
    hol_result_destroy(&d->r);
    return NULL;
}

void hol_result_destroy(hol_result *r)
{
    hol_result_data *d = (hol_result_data *)r;
    if (!d) return;
    hol_free(r->value);
    hol_arena_destroy(d->arena);
    hol_free(d);
}
