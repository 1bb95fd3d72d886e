// Reading a result file of any format: a look at the file says which reader, the reader fills the columns; files without
// times or rows are refused here, and one that ends in the middle is told.
#include "expr/cells.h"
#include "io/table.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

hol_status hol_result_begin(hol_result_data *d, hol_context *ctx, const char *file)
{
    d->ctx = ctx;
    d->arena = hol_arena_create(ctx);
    d->r.file = d->arena ? hol_arena_copy(d->arena, file, strlen(file)) : NULL;
    d->r.complete = true;
    d->r.n_contacts = -1;
    return d->r.file ? HOL_OK : HOL_ERR_MEMORY;
}

hol_status hol_result_columns(hol_result_data *d, int n)
{
    d->r.n_columns = n;
    d->r.name = hol_arena_alloc(d->arena, (size_t)n, sizeof *d->r.name);
    d->r.unit = hol_arena_alloc(d->arena, (size_t)n, sizeof *d->r.unit);
    return d->r.name && d->r.unit ? HOL_OK : HOL_ERR_MEMORY;
}

hol_status hol_result_name(hol_result_data *d, int column, const char *name, const char *unit)
{
    d->r.name[column] = hol_arena_copy(d->arena, name, strlen(name));
    d->r.unit[column] = hol_arena_copy(d->arena, unit, strlen(unit));
    return d->r.name[column] && d->r.unit[column] ? HOL_OK : HOL_ERR_MEMORY;
}

hol_status hol_result_show(hol_result_data *d, int column, const char *shown, double factor)
{
    hol_result *r = &d->r;
    if (!r->factor) {
        r->shown = hol_arena_alloc(d->arena, (size_t)r->n_columns, sizeof *r->shown);
        r->factor = hol_arena_alloc(d->arena, (size_t)r->n_columns, sizeof *r->factor);
        for (int i = 0; i < r->n_columns && r->shown && r->factor; i++) {
            r->shown[i] = r->unit[i];
            r->factor[i] = 1;
        }
    }
    if (!r->shown || !r->factor) return HOL_ERR_MEMORY;
    r->shown[column] = hol_arena_copy(d->arena, shown, strlen(shown));
    r->factor[column] = factor;
    return r->shown[column] ? HOL_OK : HOL_ERR_MEMORY;
}

const char *hol_result_shown(const hol_result *r, int column, double *factor)
{
    *factor = r->factor ? r->factor[column] : 1;
    return r->shown ? r->shown[column] : r->unit[column];
}

// The SI unit of a dimension, as in the columns of results where it is frequent.
static const char *si_unit(hol_result_data *d, const hol_unit *unit)
{
    static const char *const frequent[] = {"m",         "kg", "s",   "rad", "m/s", "m/s^2", "rad/s",
                                           "rad/s^2",   "N",  "N m", "W",   "N/m", "N s/m", "N m/rad",
                                           "N m s/rad", "Pa", "1/s", "m^2", "m^3", "kg m^2"};
    static const char *const base[] = {"m", "kg", "s", "rad"};
    hol_unit one;
    char text[120] = "";
    for (int i = 0; i < HOL_COUNT(frequent); i++)
        if (hol_unit_read(frequent[i], &one) &&
            memcmp(&one.dimension, &unit->dimension, sizeof one.dimension) == 0)
            return frequent[i];
    for (int i = 0; i < HOL_COUNT(base); i++) {
        const size_t n = strlen(text);
        const int power = unit->dimension.power[i];
        if (power)
            snprintf(text + n, sizeof text - n, power == HOL_POWER_ONE ? "%s%s" : "%s%s^(%d/%d)", n ? " " : "",
                     base[i], power, HOL_POWER_ONE);
    }
    return hol_arena_copy(d->arena, text, strlen(text));
}

// Values of a column whose unit is not one of SI become those of the SI unit that takes its place; it is shown as it was.
static hol_status take_unit(hol_result_data *d, int column)
{
    hol_result *r = &d->r;
    const char *text = r->unit[column];
    hol_unit unit;
    if (!*text || (r->factor && r->shown[column] != text)) return HOL_OK; // the file has said how it is shown
    if (!hol_cell_unit(text, &unit))
        return hol_fail(
            d->ctx, HOL_ERR_IO,
            "%s: error: column %d, %.40s: \"%.40s\" is no unit; wanted is such as mm or N/m, and 1 "
            "for a pure number",
            r->file, column + 1, r->name[column], text);
    if (unit.si == 1) return HOL_OK;
    const char *si = si_unit(d, &unit);
    hol_status st = si ? hol_result_show(d, column, text, (double)(1 / unit.si)) : HOL_ERR_MEMORY;
    r->unit[column] = si;
    for (size_t k = 0; k < r->n_rows && !st; k++) {
        double *value = &r->value[k * (size_t)r->n_columns + (size_t)column];
        *value = (double)((long double)*value * unit.si);
    }
    return st;
}

bool hol_result_has_units(const hol_result *r)
{
    for (int i = 0; i < r->n_columns; i++)
        if (*r->unit[i]) return true;
    return false;
}

bool hol_result_same_unit(const hol_result *a, int column, const hol_result *b, int other)
{
    const char *one = a->unit[column], *two = b->unit[other];
    hol_unit first = {.si = 1}, second = {.si = 1};
    if (strcmp(one, two) == 0 || !hol_result_has_units(a) || !hol_result_has_units(b)) return true;
    return (!*one || hol_unit_read(one, &first)) && (!*two || hol_unit_read(two, &second)) &&
           first.si == second.si && memcmp(&first.dimension, &second.dimension, sizeof first.dimension) == 0;
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

static int find_note(const hol_result *r, const char *key)
{
    for (int i = 0; i < r->n_notes; i++)
        if (strcmp(r->key[i], key) == 0) return i;
    return -1;
}

const char *hol_result_note(const hol_result *r, const char *key)
{
    if (!r || !key) return NULL;
    const int i = find_note(r, key);
    return i < 0 ? NULL : r->text[i];
}

hol_status hol_result_add_note(hol_result_data *d, const char *key, const char *text)
{
    hol_result *r = &d->r;
    int i = find_note(r, key);
    const char *whole = i < 0 ? hol_arena_copy(d->arena, text, strlen(text))
                              : hol_arena_print(d->arena, "%s\n%s", r->text[i], text);
    if (i < 0) {
        if (!HOL_GROW(d->ctx, r->key, d->note_capacity[0], r->n_notes + 1) ||
            !HOL_GROW(d->ctx, r->text, d->note_capacity[1], r->n_notes + 1) ||
            !(r->key[r->n_notes] = hol_arena_copy(d->arena, key, strlen(key))))
            return HOL_ERR_MEMORY;
        i = r->n_notes;
    }
    if (!whole) return HOL_ERR_MEMORY;
    r->text[i] = whole;
    if (i == r->n_notes) r->n_notes++;
    return HOL_OK;
}

hol_result *hol_result_read(hol_context *ctx, const char *path)
{
    if (HOL_NEED(ctx, ctx) || HOL_NEED(ctx, path)) return NULL;
    hol_context_clear(ctx);
    hol_result_data *d = hol_calloc(ctx, 1, sizeof *d);
    if (!d) return NULL;
    hol_status st = hol_result_begin(d, ctx, path);
    if (!st) st = hol_format_read(d, path);
    for (int i = 0; !st && i < d->r.n_columns; i++) st = take_unit(d, i);
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
    hol_free(r->key);
    hol_free(r->text);
    hol_free(r->contact);
    hol_arena_destroy(d->arena);
    hol_free(d);
}
