// Drivers of a draft for a motion that a table gives.
#define _XOPEN_SOURCE 700 // realpath
#include "api/draft.h"
#include "holonom_draft.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 16000, NAME = 200, MOST_COLUMNS = 200 };

// What is driven in a column, from "hinge.angle": the joint, and the type of the driver.
typedef struct {
    char joint[NAME];
    const char *type;
} driven;

// Drivers by the word of a joint's coordinate.
static const struct {
    const char *word, *type;
} kinds[] = {{"angle", "angle"}, {"stroke", "stroke"}};

static hol_status fail(hol_draft *d, const char *path, const char *cell)
{
    return hol_fail(
        d->ctx, HOL_ERR_USAGE,
        "%s: a column of the motion is headed \"%.100s\": a joint's coordinate is wanted, as hinge.angle or "
        "slide.stroke; the first line names the columns, the first of them the time",
        path, cell);
}

// The head of a column without blanks and quotation marks.
static void clean(const char *cell, size_t length, char *out)
{
    size_t n = 0;
    for (size_t i = 0; i < length && n < NAME - 1; i++)
        if (!strchr(" \t\r\n\"", cell[i])) out[n++] = cell[i];
    out[n] = 0;
}

static hol_status read_head(hol_draft *d, const char *path, const char *cell, driven *out)
{
    char *dot = strrchr(cell, '.');
    out->type = NULL;
    for (int i = 0; dot && i < HOL_COUNT(kinds); i++)
        if (strcmp(dot + 1, kinds[i].word) == 0) out->type = kinds[i].type;
    if (!out->type || dot == cell) return fail(d, path, cell);
    snprintf(out->joint, NAME, "%.*s", (int)(dot - cell), cell);
    return HOL_OK;
}

// The heads of the first line that is no comment, and the time of the last one.
static hol_status read_table(hol_draft *d, const char *path, driven *column, int *n, double *end)
{
    char line[LINE], cell[NAME];
    FILE *f = fopen(path, "r");
    hol_status st = HOL_OK;
    *n = -1;
    *end = 0;
    if (!f) return hol_fail(d->ctx, HOL_ERR_IO, "%s: the table of the motion cannot be read", path);
    while (!st && fgets(line, LINE, f)) {
        const char *word = line;
        if (line[strspn(line, " \t\r\n")] == 0 || line[strspn(line, " \t")] == '#') continue;
        if (*n >= 0) {
            *end = hol_decimal_read(line, NULL);
            continue;
        }
        *n = 0;
        while (!st && *(word += strcspn(word, ",;\t"))) {
            const size_t length = strcspn(++word, ",;\t\r\n");
            clean(word, length, cell);
            st = *n == MOST_COLUMNS ? fail(d, path, "..") : read_head(d, path, cell, &column[*n]);
            ++*n;
        }
    }
    fclose(f);
    if (!st && *n < 1)
        st = hol_fail(d->ctx, HOL_ERR_USAGE,
                      "%s: a table of a motion has a column of times and one or more of coordinates", path);
    return st;
}

// A spline of the column and a driver along it.
static hol_status add(hol_draft *d, const char *file, int column, const driven *what)
{
    char name[40], value[80];
    const double columns[2] = {1, column + 2};
    snprintf(name, sizeof name, "motion_%d", column + 1);
    snprintf(value, sizeof value, "spline(time, %s)", name);
    hol_item *spline = hol_draft_add(d, "splines"), *driver = hol_draft_add(d, "drivers");
    hol_status st = spline && driver ? HOL_OK : HOL_ERR_USAGE;
    if (!st) st = hol_item_text(spline, "name", name);
    if (!st) st = hol_item_text(spline, "kind", "not-a-knot");
    if (!st) st = hol_item_text(spline, "file", file);
    if (!st) st = hol_item_numbers(spline, "columns", 2, columns);
    snprintf(name, sizeof name, "drive_%d", column + 1);
    if (!st) st = hol_item_text(driver, "name", name);
    if (!st) st = hol_item_text(driver, "type", what->type);
    if (!st) st = hol_item_text(driver, "joint", what->joint);
    return st ? st : hol_item_text(driver, "value", value);
}

hol_status hol_draft_add_motion(hol_draft *draft, const char *path)
{
    if (!draft) return HOL_ERR_USAGE;
    hol_context_clear(draft->ctx);
    if (HOL_NEED(draft->ctx, path)) return hol_draft_note(draft, HOL_ERR_USAGE);
    driven *column = hol_calloc(draft->ctx, MOST_COLUMNS, sizeof *column);
    char *file = realpath(path, NULL); // wherever the draft lies
    double end;
    int n = 0;
    hol_status st = column ? read_table(draft, path, column, &n, &end) : HOL_ERR_MEMORY;
    for (int i = 0; i < n && !st; i++) st = add(draft, file, i, &column[i]);
    hol_item *simulate = st ? NULL : hol_item_map(hol_draft_root(draft), "simulate");
    if (!st && simulate && !hol_item_get(simulate, "end")) st = hol_item_number(simulate, "end", end);
    free(file);
    hol_free(column);
    return hol_draft_note(draft, st);
}
