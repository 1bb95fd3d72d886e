// Drivers of a draft for a motion that a table gives.
#define _XOPEN_SOURCE 700 // realpath
#include "api/draft.h"
#include "element/element.h"
#include "expr/cells.h"
#include "holonom_draft.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 16000, NAME = 200, MOST_COLUMNS = 200 };

// What is driven in a column, from "hinge.angle": the joint, and the type of the driver.
typedef struct {
    char joint[NAME];
    const char *type;  // NULL: `joint` is a measure, which a constraint holds
    double turn;       // in the unit of an angle; 0: it is none
    double last, step; // of the table's values: the last one, and what it came by
    int seen;          // rows; -1: no more are looked at
} driven;

// A table: its columns but for the time, when it begins and ends, and units where it has a line of them.
typedef struct {
    driven *column;
    int n;
    double begin, end; // [s]
    char line[LINE];   // that gives units
    hol_units_line units;
    int units_at; // its number; 0: there is none
    int number;   // of the line read last
    int rows;
} table;

// Drivers by the word of a joint's coordinate.
static const struct {
    const char *word, *type;
} kinds[] = {{"angle", "angle"}, {"stroke", "stroke"}};

static hol_status fail(hol_draft *d, const char *path, const char *cell)
{
    return hol_fail(
        d->ctx, HOL_ERR_USAGE,
        "%s: a column of the motion is headed \"%.100s\": a joint's coordinate is wanted, as hinge.angle or "
        "slide.stroke, or a measure of bodies and markers, as DX(platform.p); the first line names the "
        "columns, the first of them the time",
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

// A coordinate of a joint, or a measure.
static hol_status read_head(hol_draft *d, const char *path, const char *cell, driven *out)
{
    char *dot = strrchr(cell, '.');
    out->type = NULL;
    if (strchr(cell, '(')) {
        snprintf(out->joint, NAME, "%s", cell);
        return HOL_OK;
    }
    for (int i = 0; dot && i < HOL_COUNT(kinds); i++)
        if (strcmp(dot + 1, kinds[i].word) == 0) out->type = kinds[i].type;
    if (!out->type || dot == cell) return fail(d, path, cell);
    snprintf(out->joint, NAME, "%.*s", (int)(dot - cell), cell);
    return HOL_OK;
}

// The head up to the next separator that stands in no parentheses, or to the end of the line.
static size_t length_of(const char *word)
{
    int open = 0;
    const char *p = word;
    for (; *p && !strchr("\r\n", *p) && (open > 0 || !strchr(",;\t", *p)); p++)
        open += (*p == '(') - (*p == ')');
    return (size_t)(p - word);
}

// The heads of the columns behind the first.
static hol_status read_heads(hol_draft *d, const char *path, const char *word, table *t)
{
    char cell[NAME];
    hol_status st = HOL_OK;
    t->n = 0;
    while (!st && *(word += length_of(word)) && !strchr("\r\n", *word)) {
        const size_t length = length_of(++word);
        clean(word, length, cell);
        st = t->n == MOST_COLUMNS ? fail(d, path, "..") : read_head(d, path, cell, &t->column[t->n]);
        t->n++;
    }
    return st;
}

// The unit of a column, 0 the time; 1 where none is given.
static double unit_of(const table *t, int column)
{
    char text[HOL_CELL];
    hol_unit unit;
    return t->units_at && hol_units_line_at(&t->units, column, text, &unit) ? (double)unit.si : 1;
}

// A turn in the unit of a column of angles; 0: it has others.
static double turn_of(const table *t, int column)
{
    const driven *what = &t->column[column];
    if (what->type ? strcmp(what->type, "angle") != 0 : strncmp(what->joint, "A", 1) != 0) return 0;
    return 2 * HOL_PI / unit_of(t, column + 1);
}

// Angles count full turns. One that jumps by about a turn from a row to the next, and by no such step before, begins anew at half a turn.
static void watch_turn(hol_draft *d, const char *path, const table *t, driven *what, double value)
{
    const double turn = what->turn, step = value - what->last;
    if (turn > 0 && what->seen > 1 && fabs(fabs(step) - turn) < 0.2 * turn &&
        fabs(step - what->step) > 0.5 * turn) {
        hol_note(d->ctx, HOL_WARNING,
                 "%s: %s%s%s jumps by %.4g from a row to the next, about a turn, at t = %.6g: angles of a "
                 "motion count full turns. Where the table begins anew at half a turn, add whole turns",
                 path, what->joint, what->type ? "." : "", what->type ? what->type : "", step, t->end);
        what->seen = -1;
    }
    what->step = step;
    what->last = value;
    what->seen += what->seen >= 0;
}

// A line that gives units; *found: this one does.
static hol_status read_units(hol_draft *d, const char *path, table *t, const char *line, bool *found)
{
    hol_units_line units;
    hol_units_line_read(line, t->n >= 0, &units);
    const bool comment = hol_line_is_comment(line);
    *found = units.list && (comment || (t->n >= 0 && !t->rows));
    if (!*found) return HOL_OK;
    if (t->units_at || t->rows)
        return hol_fail(d->ctx, HOL_ERR_USAGE,
                        "%s:%d: units are given %s: write them once, before the numbers", path, t->number,
                        t->rows ? "behind numbers" : "a second time");
    if (units.wrong)
        return hol_fail(d->ctx, HOL_ERR_USAGE,
                        "%s:%d: units are given, and \"%.40s\" of column %d is none; wanted is such as s,deg",
                        path, t->number, units.cell, units.wrong);
    snprintf(t->line, LINE, "%s", line);
    hol_units_line_read(t->line, t->n >= 0, &t->units);
    t->units_at = t->number;
    return HOL_OK;
}

// The unit of a column, 0 the time, is one of times, of angles or of lengths as its head says.
static hol_status check_unit(hol_draft *d, const char *path, const table *t, int column)
{
    const driven *what = column ? &t->column[column - 1] : NULL;
    const char *wanted = !what ? "s" : !what->type ? NULL : strcmp(what->type, "angle") == 0 ? "deg" : "mm";
    char text[HOL_CELL];
    hol_unit unit, right;
    if (!wanted || !hol_unit_read(wanted, &right) || !hol_units_line_at(&t->units, column, text, &unit) ||
        memcmp(&unit.dimension, &right.dimension, sizeof unit.dimension) == 0)
        return HOL_OK;
    return hol_fail(d->ctx, HOL_ERR_USAGE,
                    "%s:%d: column %d, %s%s%s, has the unit %s: one such as %s is wanted", path, t->units_at,
                    column + 1, what ? what->joint : "the time", what ? "." : "", what ? what->type : "",
                    text, wanted);
}

// What the line of heads and that of units say together, before the first numbers.
static hol_status begin_numbers(hol_draft *d, const char *path, table *t)
{
    hol_status st = HOL_OK;
    for (int c = 0; c < t->n; c++) t->column[c].turn = turn_of(t, c);
    for (int c = 0; c <= t->n && !st && t->units_at; c++) st = check_unit(d, path, t, c);
    return st ? st
           : !t->units_at || t->units.n == t->n + 1
               ? HOL_OK
               : hol_fail(d->ctx, HOL_ERR_USAGE, "%s:%d: %d units are given, and there are %d columns", path,
                          t->units_at, t->units.n, t->n + 1);
}

static hol_status take_time(hol_draft *d, const char *path, table *t, double time)
{
    if (!t->rows++) t->begin = time;
    if (t->rows > 1 && time <= t->end)
        return hol_fail(d->ctx, HOL_ERR_USAGE,
                        "%s:%d: the times of a motion increase, and here %.*g follows %.*g", path, t->number,
                        hol_decimal_digits(time, t->end), time, hol_decimal_digits(time, t->end), t->end);
    t->end = time;
    return HOL_OK;
}

// A line of numbers.
static hol_status read_row(hol_draft *d, const char *path, table *t, char *line)
{
    const char separator = hol_cell_separator(line);
    char *rest = line, *cell;
    double value;
    hol_status st = t->rows ? HOL_OK : begin_numbers(d, path, t);
    int c = 0;
    for (; !st && (cell = hol_cell_next(&rest, separator)); c++) {
        if (c > t->n && !*cell) break; // a separator at the end
        if (c > t->n)
            st = hol_fail(d->ctx, HOL_ERR_USAGE, "%s:%d: more numbers than the %d columns of the first line",
                          path, t->number, t->n + 1);
        else if (!hol_cell_number(cell, &value) || !isfinite(value))
            st = hol_fail(
                d->ctx, HOL_ERR_USAGE,
                "%s:%d: column %d of the motion has \"%.40s\" where a finite number is wanted; units "
                "stand in a line of their own, # units: s,deg",
                path, t->number, c + 1, cell);
        else if (c == 0)
            st = take_time(d, path, t, value);
        else
            watch_turn(d, path, t, &t->column[c - 1], value);
    }
    return st || c > t->n
               ? st
               : hol_fail(d->ctx, HOL_ERR_USAGE, "%s:%d: %d numbers, and the first line names %d columns",
                          path, t->number, c, t->n + 1);
}

// A comment, the heads, units, or numbers.
static hol_status read_line(hol_draft *d, const char *path, table *t, char *line)
{
    bool units;
    if (!t->number++ && strncmp(line, "\xEF\xBB\xBF", 3) == 0) line += 3; // the mark of UTF-8
    if (strlen(line) == LINE - 1)
        return hol_fail(d->ctx, HOL_ERR_USAGE, "%s:%d: a line of more than %d characters", path, t->number,
                        LINE - 2);
    hol_status st = read_units(d, path, t, line, &units);
    if (st || units || hol_line_is_comment(line)) return st;
    return t->n < 0 ? read_heads(d, path, line, t) : read_row(d, path, t, line);
}

// Units, the line of heads, and the numbers, of which only what is wrong or strange is seen here.
static hol_status read_table(hol_draft *d, const char *path, table *t)
{
    char line[LINE];
    FILE *f = fopen(path, "r");
    hol_status st = HOL_OK;
    t->n = -1;
    if (!f) return hol_fail(d->ctx, HOL_ERR_IO, "%s: the table of the motion cannot be read", path);
    while (!st && fgets(line, LINE, f)) st = read_line(d, path, t, line);
    fclose(f);
    if (st) return st;
    if (t->n < 1)
        return hol_fail(d->ctx, HOL_ERR_USAGE,
                        "%s: a table of a motion has a column of times and one or more of coordinates", path);
    return t->rows > 1 ? HOL_OK
                       : hol_fail(d->ctx, HOL_ERR_USAGE,
                                  "%s: a motion has two rows of numbers at least, and here is %s", path,
                                  t->rows ? "one" : "none");
}

// Its times in seconds; it must not begin behind the start.
static hol_status take_times(hol_draft *d, const char *path, table *t)
{
    t->begin *= unit_of(t, 0);
    t->end *= unit_of(t, 0);
    return t->begin > 0
               ? hol_fail(
                     d->ctx, HOL_ERR_USAGE,
                     "%s: the motion begins at %.6g s, and a simulation at 0: take that from its times, or "
                     "give it a row at 0 where the mechanism is to wait",
                     path, t->begin)
               : HOL_OK;
}

static hol_status add_driver(hol_draft *d, const char *name, const driven *what, const char *value)
{
    hol_item *driver = hol_draft_add(d, "drivers");
    hol_status st = driver ? hol_item_text(driver, "name", name) : HOL_ERR_USAGE;
    if (!st) st = hol_item_text(driver, "type", what->type);
    if (!st) st = hol_item_text(driver, "joint", what->joint);
    return st ? st : hol_item_text(driver, "value", value);
}

// A measure is held by a constraint, which counts as a driver.
static hol_status add_constraint(hol_draft *d, const char *name, const driven *what, const char *value)
{
    char text[3 * NAME];
    hol_item *constraint = hol_draft_add(d, "constraints"),
             *inverse = hol_item_map(hol_draft_root(d), "inverse"),
             *drives = inverse ? hol_item_list(inverse, "drives") : NULL;
    snprintf(text, sizeof text, "%s - %s", what->joint, value);
    hol_status st = constraint && drives ? hol_item_text(constraint, "name", name) : HOL_ERR_USAGE;
    if (!st) st = hol_item_text(constraint, "position", text);
    return st ? st : hol_item_text(drives, NULL, name);
}

// The motion takes the place of the model's drivers of the same coordinates.
static hol_status replace(hol_draft *d, const char *path, const driven *what)
{
    hol_item *drivers = hol_item_get(hol_draft_root(d), "drivers");
    for (int i = drivers && what->type ? hol_item_count(drivers) - 1 : -1; i >= 0; i--) {
        hol_item *one = hol_item_at(drivers, i);
        const hol_item *joint = hol_item_get(one, "joint"), *type = hol_item_get(one, "type"),
                       *name = hol_item_get(one, "name");
        const char *of = joint ? hol_item_as_text(joint) : NULL, *kind = type ? hol_item_as_text(type) : NULL;
        const hol_element_type *found =
            kind ? hol_element_find(HOL_ROLE_DRIVER, 2, kind) : NULL; // by any of its names
        if (!of || !found || strcmp(of, what->joint) != 0 || strcmp(found->name, what->type) != 0) continue;
        hol_note(d->ctx, HOL_NOTICE, "%s: %s.%s of the table takes the place of the driver %s", path, of,
                 kind, name ? hol_item_as_text(name) : "");
        if (hol_item_remove(one)) return HOL_ERR_USAGE;
    }
    return HOL_OK;
}

// Is something in one of the model's lists named so?
static bool is_taken(const hol_draft *d, const char *name)
{
    const hol_item *root = hol_draft_root((hol_draft *)d);
    for (int i = 0; i < hol_item_count(root); i++) {
        const hol_item *list = hol_item_at(root, i);
        if (hol_item_get(list, name)) return true; // a parameter
        for (int k = 0; k < hol_item_count(list); k++) {
            const hol_item *own = hol_item_get(hol_item_at(list, k), "name");
            const char *text = own ? hol_item_as_text(own) : NULL;
            if (text && strcmp(text, name) == 0) return true;
        }
    }
    return false;
}

// "motion_1", or with underscores behind it until nothing of the model is named so.
static void free_name(const hol_draft *d, const char *word, int number, char name[NAME])
{
    size_t n = (size_t)snprintf(name, NAME, "%s_%d", word, number);
    for (; n + 1 < NAME && is_taken(d, name); n++) memcpy(name + n, "_", 2);
}

// A spline of the column and a driver along it.
static hol_status add(hol_draft *d, const char *file, int column, const table *t)
{
    const driven *what = &t->column[column];
    char name[NAME], value[NAME + 20];
    const double columns[2] = {1, column + 2};
    free_name(d, "motion", column + 1, name);
    snprintf(value, sizeof value, "spline(time, %s)", name);
    hol_item *spline = hol_draft_add(d, "splines");
    hol_status st = spline ? HOL_OK : HOL_ERR_USAGE;
    if (!st) st = hol_item_text(spline, "name", name);
    if (!st) st = hol_item_text(spline, "kind", "not-a-knot");
    if (!st) st = hol_item_text(spline, "file", file);
    if (!st) st = hol_item_numbers(spline, "columns", 2, columns);
    free_name(d, "drive", column + 1, name);
    return st ? st : what->type ? add_driver(d, name, what, value) : add_constraint(d, name, what, value);
}

// The simulation ends with the table, where nothing else is said; a number that is behind it is refused.
static hol_status set_end(hol_draft *d, const char *path, double end)
{
    hol_item *simulate = hol_item_map(hol_draft_root(d), "simulate");
    const hol_item *given = simulate ? hol_item_get(simulate, "end") : NULL;
    char *rest = "";
    if (!simulate) return HOL_ERR_USAGE;
    if (!given) return hol_item_number(simulate, "end", end);
    double asked = hol_decimal_read(hol_item_as_text(given), &rest);
    hol_unit unit;
    const bool known = *rest == 0 || (*rest == ' ' && hol_unit_read(rest + 1, &unit)); // else an expression
    if (known && *rest) asked *= (double)unit.si;
    return known && asked > end * (1 + 1e-12)
               ? hol_fail(d->ctx, HOL_ERR_USAGE,
                          "%s: the motion ends at t = %g s, the simulation at %g s: give its end, --end %g",
                          path, end, asked, end)
               : HOL_OK;
}

// The motion that `inverse:` names, beside the file; NULL: none.
static const char *own_motion(hol_draft *d, char own[LINE])
{
    const hol_item *inverse = hol_item_get(hol_draft_root(d), "inverse"),
                   *named = inverse ? hol_item_get(inverse, "motion") : NULL;
    const char *name = named ? hol_item_as_text(named) : NULL,
               *slash = d->file ? strrchr(d->file, '/') : NULL;
    if (!name) return NULL;
    const int folder = slash && *name != '/' ? (int)(slash - d->file) + 1 : 0;
    snprintf(own, LINE, "%.*s%s", folder, folder ? d->file : "", name);
    return own;
}

hol_status hol_draft_add_motion(hol_draft *draft, const char *path)
{
    if (!draft) return HOL_ERR_USAGE;
    hol_context_clear(draft->ctx);
    char own[LINE];
    if (!path && !(path = own_motion(draft, own)))
        return hol_draft_note(draft, hol_fail(draft->ctx, HOL_ERR_USAGE,
                                              "the draft names no motion (`inverse: {motion: ..}`)"));
    hol_item *inverse = hol_item_get(hol_draft_root(draft), "inverse"),
             *named = inverse ? hol_item_get(inverse, "motion") : NULL;
    if (named && hol_item_remove(named))
        return hol_draft_note(draft, HOL_ERR_USAGE); // it is in the model now, or another one
    table *t = hol_calloc(draft->ctx, 1, sizeof *t);
    driven *column = hol_calloc(draft->ctx, MOST_COLUMNS, sizeof *column);
    char *file = realpath(path, NULL); // wherever the draft lies
    hol_status st = t && column ? HOL_OK : HOL_ERR_MEMORY;
    if (!st) {
        t->column = column;
        st = read_table(draft, path, t);
        if (!st) st = take_times(draft, path, t);
    }
    for (int i = 0; !st && i < t->n; i++) st = replace(draft, path, &t->column[i]);
    for (int i = 0; !st && i < t->n; i++) st = add(draft, file, i, t);
    if (!st) st = set_end(draft, path, t->end);
    free(file);
    hol_free(column);
    hol_free(t);
    return hol_draft_note(draft, st);
}
