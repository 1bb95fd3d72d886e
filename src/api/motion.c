// Drivers of a draft for a motion that a table gives.
#define _XOPEN_SOURCE 700 // realpath
#include "analysis/fit_motion.h"
#include "api/api.h"
#include "api/draft.h"
#include "base/file.h"
#include "element/element.h"
#include "expr/cells.h"
#include "holonom_draft.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 16000, NAME = 200, MOST_COLUMNS = 200 };
#define CONTRADICTS 1e-6 // natural sizes by which measures may

// What is driven in a column, from "hinge.angle": the joint, and the type of the driver.
typedef struct {
    char joint[NAME];
    const char *type;               // NULL: `joint` is a measure, which a constraint holds
    double turn;                    // in the unit of an angle; 0: it is none
    double last, step;              // of the table's values: the last one, and what it came by
    int seen;                       // rows; -1: no more are looked at
    char spline[NAME], drive[NAME]; // names of what is made of it
} driven;

// A table: its columns but for the time, when it begins and ends, its numbers, and units and weights where it has lines of them.
typedef struct {
    driven *column;
    int n;
    double begin, end; // [s]
    char line[LINE];   // that gives units
    hol_units_line units;
    int units_at;    // its number; 0: there is none
    int line_number; // of the line read last
    int n_rows, room;
    double *number; // as they stand there, the time first                          (n + 1 x n_rows)
    char weights[LINE];
    int weights_at; // the number of that line; 0: there is none
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
    if (strchr("\r\n", word[length_of(word)]))
        return hol_fail(d->ctx, HOL_ERR_USAGE,
                        "%s:%d: the names of the columns are wanted here, the time and coordinates, as "
                        "t,hinge.angle, and this is one column: where it is a title, begin the line with #",
                        path, t->line_number);
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
    *found = units.list && (comment || (t->n >= 0 && !t->n_rows));
    if (!*found) return HOL_OK;
    if (t->units_at || t->n_rows)
        return hol_fail(d->ctx, HOL_ERR_USAGE,
                        "%s:%d: units are given %s: write them once, before the numbers", path,
                        t->line_number, t->n_rows ? "behind numbers" : "a second time");
    if (units.wrong)
        return hol_fail(d->ctx, HOL_ERR_USAGE,
                        "%s:%d: units are given, and \"%.40s\" of column %d is none; wanted is such as s,deg",
                        path, t->line_number, units.cell, units.wrong);
    snprintf(t->line, LINE, "%s", line);
    hol_units_line_read(t->line, t->n >= 0, &t->units);
    t->units_at = t->line_number;
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

// The time of a row that is new.
static hol_status take_time(hol_draft *d, const char *path, table *t, double time)
{
    if (t->n_rows == 1) t->begin = time;
    if (t->n_rows > 1 && time <= t->end)
        return hol_fail(
            d->ctx, HOL_ERR_USAGE, "%s:%d: the times of a motion increase, and here %.*g follows %.*g", path,
            t->line_number, hol_decimal_digits(time, t->end), time, hol_decimal_digits(time, t->end), t->end);
    t->end = time;
    return HOL_OK;
}

// A line of numbers.
static hol_status read_row(hol_draft *d, const char *path, table *t, char *line)
{
    const char separator = hol_cell_separator(line);
    char *rest = line, *cell;
    double value;
    const size_t width = (size_t)t->n + 1;
    hol_status st = t->n_rows ? HOL_OK : begin_numbers(d, path, t);
    double *all = hol_grow(d->ctx, t->number, &t->room, (t->n_rows + 1) * (int)width, sizeof *all);
    int c = 0;
    if (!all) return HOL_ERR_MEMORY;
    t->number = all;
    t->n_rows++;
    for (; !st && (cell = hol_cell_next(&rest, separator)); c++) {
        if (c > t->n && !*cell) break; // a separator at the end
        if (c > t->n)
            st = hol_fail(d->ctx, HOL_ERR_USAGE, "%s:%d: more numbers than the %d columns of the first line",
                          path, t->line_number, t->n + 1);
        else if (!hol_cell_number(cell, &value) || !isfinite(value))
            st = hol_fail(
                d->ctx, HOL_ERR_USAGE,
                "%s:%d: column %d of the motion has \"%.40s\" where a finite number is wanted; units "
                "stand in a line of their own, # units: s,deg",
                path, t->line_number, c + 1, cell);
        else if (c == 0)
            st = take_time(d, path, t, all[((size_t)t->n_rows - 1) * width] = value);
        else
            watch_turn(d, path, t, &t->column[c - 1],
                       all[((size_t)t->n_rows - 1) * width + (size_t)c] = value);
    }
    return st || c > t->n
               ? st
               : hol_fail(d->ctx, HOL_ERR_USAGE, "%s:%d: %d numbers, and the first line names %d columns",
                          path, t->line_number, c, t->n + 1);
}

// A comment, the heads, units, or numbers.
static hol_status read_line(hol_draft *d, const char *path, table *t, char *line)
{
    static const char weights[] = "# weights:";
    bool units;
    if (!t->line_number++) line += hol_byte_order_mark(line);
    if (strlen(line) == LINE - 1)
        return hol_fail(d->ctx, HOL_ERR_USAGE, "%s:%d: a line of more than %d characters", path,
                        t->line_number, LINE - 2);
    if (strncmp(line, weights, strlen(weights)) == 0) {
        if (t->weights_at)
            return hol_fail(d->ctx, HOL_ERR_USAGE, "%s:%d: weights are given a second time: write them once",
                            path, t->line_number);
        t->weights_at = t->line_number;
        snprintf(t->weights, LINE, "%s", line + strlen(weights));
    }
    hol_status st = read_units(d, path, t, line, &units);
    if (st || units || hol_line_is_comment(line)) return st;
    return t->n < 0 ? read_heads(d, path, line, t) : read_row(d, path, t, line);
}

// Units, the line of heads, and the numbers, of which only what is wrong or strange is seen here.
static hol_status read_table(hol_draft *d, const char *path, table *t)
{
    char line[LINE], why[160];
    FILE *f = hol_open_input(path, false, 0, why, sizeof why);
    hol_status st = HOL_OK;
    t->n = -1;
    if (!f) return hol_fail(d->ctx, HOL_ERR_IO, "%s: the table of the motion cannot be read: %s", path, why);
    while (!st && fgets(line, LINE, f)) st = read_line(d, path, t, line);
    fclose(f);
    if (st) return st;
    if (t->n < 1)
        return hol_fail(d->ctx, HOL_ERR_USAGE,
                        "%s: a table of a motion has a column of times and one or more of coordinates", path);
    return t->n_rows > 1 ? HOL_OK
                         : hol_fail(d->ctx, HOL_ERR_USAGE,
                                    "%s: a motion has two rows of numbers at least, and here is %s", path,
                                    t->n_rows ? "one" : "none");
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

// Is something in one of the model's lists named so, or a parameter?
static bool is_taken(const hol_draft *d, const char *name)
{
    const hol_item *root = hol_draft_root((hol_draft *)d);
    for (int i = 0; i < hol_item_count(root); i++)
        if (hol_item_get(hol_item_at(root, i), name)) return true;
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
    driven *what = &t->column[column];
    char value[NAME + 20];
    const double columns[2] = {1, column + 2};
    free_name(d, "motion", column + 1, what->spline);
    snprintf(value, sizeof value, "spline(time, %s)", what->spline);
    hol_item *spline = hol_draft_add(d, "splines");
    hol_status st = spline ? HOL_OK : HOL_ERR_USAGE;
    if (!st) st = hol_item_text(spline, "name", what->spline);
    if (!st) st = hol_item_text(spline, "kind", "not-a-knot");
    if (!st) st = hol_item_text(spline, "file", file);
    if (!st) st = hol_item_numbers(spline, "columns", 2, columns);
    free_name(d, "drive", column + 1, what->drive);
    return st           ? st
           : what->type ? add_driver(d, what->drive, what, value)
                        : add_constraint(d, what->drive, what, value);
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

// ---- more measures than motions -------------------------------------------------------------------------------

// The number of a column in SI, 0 the time.
static double number_of(const table *t, int row, int column)
{
    return t->number[(size_t)row * (size_t)(t->n + 1) + (size_t)column] * unit_of(t, column);
}

// Weights of the squares, from the line `# weights: 1,4,..`, one for each measure.
static hol_status read_weights(hol_draft *d, const char *path, const table *t, double *weight)
{
    const char *word = t->weights;
    int n = 0;
    for (int i = 0; i < t->n; i++) weight[i] = 1;
    while (*(word += strspn(word, " ,;\t\r\n"))) {
        char *rest = "";
        const double value = hol_decimal_read(word, &rest);
        if (rest == word || n == t->n || !(value > 0 && isfinite(value)))
            return hol_fail(
                d->ctx, HOL_ERR_USAGE,
                "%s:%d: the line of weights has %d positive numbers, one for each column but that of "
                "the time",
                path, t->weights_at, t->n);
        weight[n++] = value;
        word = rest;
    }
    return !t->weights_at || n == t->n
               ? HOL_OK
               : hol_fail(d->ctx, HOL_ERR_USAGE, "%s:%d: the line of weights has %d numbers for %d columns",
                          path, t->weights_at, n, t->n);
}

// Drivers and constraints of the motion in the compiled model, and the times.
static hol_status find_fit(hol_draft *d, const hol_model_data *m, const table *t, double *time, int *element,
                           hol_fit_motion *f)
{
    for (int i = 0; i < t->n; i++) {
        element[i] = hol_model_find_element(m, t->column[i].drive);
        if (element[i] < 0 || m->element[element[i]].n_rows != 1) return HOL_RECOVERABLE;
    }
    for (int k = 0; k < t->n_rows; k++) time[k] = number_of(t, k, 0);
    f->element = element;
    f->time = time;
    return hol_fit_motion_find(d->ctx, m, f);
}

static const char *head_of(const driven *what, char out[2 * NAME])
{
    snprintf(out, 2 * NAME, "%s%s%s", what->joint, what->type ? "." : "", what->type ? what->type : "");
    return out;
}

// What is left, by the natural sizes of the measures, and who contradicts the others by the most.
static void tell_fit(hol_draft *d, const char *path, const table *t, const hol_fit_motion *f,
                     const hol_model_data *m)
{
    char head[2 * NAME];
    double sum = 0, most = -1;
    int worst = 0, when = 0;
    for (int k = 0; k < f->n_times; k++)
        for (int i = 0; i < f->n; i++) {
            const bool angle = t->column[i].turn > 0;
            const double off =
                fabs(f->off[(size_t)k * (size_t)f->n + (size_t)i]) / (angle ? 1 : m->length_scale);
            sum += off * off;
            if (off <= most) continue;
            most = off;
            worst = i;
            when = k;
        }
    hol_note(d->ctx, most > CONTRADICTS ? HOL_WARNING : HOL_NOTICE,
             "%s: %d measures of %d motion%s: the poses are those of least squares, %.3g off in the mean of "
             "squares, by natural sizes%s; the most is %s by %.3g at t = %.6g s",
             path, f->n, f->motions, f->motions == 1 ? "" : "s", sqrt(sum / (f->n * (double)f->n_times)),
             most > CONTRADICTS ? ", since the measures contradict each other" : "",
             head_of(&t->column[worst], head), f->off[(size_t)when * (size_t)f->n + (size_t)worst],
             f->time[when]);
}

// The item of a list by its name.
static hol_item *named(hol_draft *d, const char *list, const char *name)
{
    return hol_item_get(hol_item_get(hol_draft_root(d), list), name);
}

// A column whose motion follows from the others: neither a driver nor a constraint.
static hol_status take_away(hol_draft *d, const driven *what)
{
    const char *name = what->drive;
    hol_item *drive = named(d, what->type ? "drivers" : "constraints", name),
             *inverse = hol_item_get(hol_draft_root(d), "inverse"),
             *drives = inverse ? hol_item_get(inverse, "drives") : NULL;
    hol_status st = drive ? hol_item_remove(drive) : HOL_ERR_USAGE;
    for (int i = drives && !what->type ? hol_item_count(drives) - 1 : -1; i >= 0 && !st; i--)
        if (strcmp(hol_item_as_text(hol_item_at(drives, i)), name) == 0)
            st = hol_item_remove(hol_item_at(drives, i));
    if (!st && drives && hol_item_count(drives) == 0) st = hol_item_remove(drives);
    hol_item *spline = st ? NULL : named(d, "splines", what->spline);
    return spline ? hol_item_remove(spline) : st;
}

// The points of a column's spline become those of the poses found, in SI.
static hol_status put_points(hol_draft *d, const table *t, const hol_fit_motion *f, int column, double *value)
{
    static const char *const old[] = {"file", "columns"};
    hol_item *spline = named(d, "splines", t->column[column].spline);
    hol_status st = spline ? HOL_OK : HOL_ERR_USAGE;
    for (int i = 0; i < HOL_COUNT(old) && !st; i++) st = hol_item_remove(hol_item_get(spline, old[i]));
    for (int k = 0; k < f->n_times; k++)
        value[k] = number_of(t, k, column + 1) + f->off[(size_t)k * (size_t)f->n + (size_t)column];
    if (!st) st = hol_item_numbers(spline, "x", f->n_times, f->time);
    return st ? st : hol_item_numbers(spline, "y", f->n_times, value);
}

// Where the table measures more than the mechanism's motions: poses of least squares in its place. A model that does not compile says so later.
static hol_status fit(hol_draft *d, const char *path, const table *t)
{
    const size_t n = (size_t)t->n, rows = (size_t)t->n_rows;
    hol_fit_motion f = {.n = t->n, .n_times = t->n_rows};
    int *element = hol_calloc(d->ctx, n + 1, sizeof *element);
    double *number = hol_calloc(d->ctx, n + (n + 2) * rows + 1, sizeof *number),
           *time = number ? number + n : NULL, *value = number ? time + rows : NULL;
    f.chosen = hol_calloc(d->ctx, n + 1, 1);
    f.off = number ? value + rows : NULL;
    f.weight = number;
    hol_status st = element && number && f.chosen ? read_weights(d, path, t, number) : HOL_ERR_MEMORY;
    hol_context_mute(d->ctx, true);
    hol_model *model = st ? NULL : hol_draft_compile(d);
    hol_context_mute(d->ctx, false);
    if (!st && !model && hol_context_status(d->ctx) != HOL_ERR_MEMORY) hol_context_clear(d->ctx);
    if (!st) st = model ? find_fit(d, model->data, t, time, element, &f) : hol_context_status(d->ctx);
    if (!st && model) tell_fit(d, path, t, &f, model->data);
    for (int i = 0; i < t->n && !st && model; i++)
        st = f.chosen[i] ? put_points(d, t, &f, i, value) : take_away(d, &t->column[i]);
    hol_model_destroy(model);
    hol_free(f.chosen);
    hol_free(number);
    hol_free(element);
    return st > 0 ? HOL_OK : st; // as many as there are motions, or fewer
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
    if (!st) st = fit(draft, path, t);
    free(file);
    if (t) hol_free(t->number);
    hol_free(column);
    hol_free(t);
    return hol_draft_note(draft, st);
}
