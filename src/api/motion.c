// Drivers of a draft for a motion that a table gives.
#define _XOPEN_SOURCE 700 // realpath
#include "analysis/fit_motion.h"
#include "api/api.h"
#include "api/draft.h"
#include "base/file.h"
#include "element/element.h"
#include "expr/expr.h"
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
    const char *type;  // NULL: `joint` is a measure, which a constraint holds
    double turn;       // in the unit of an angle; 0: it is none
    double last, step; // of the table's values: the last one, and what it came by
    int seen;          // rows; -1: no more are looked at
} driven;

// A table: its columns but for the time, when it begins and ends, its numbers, and units and weights where it has lines of them.
typedef struct {
    driven *column;
    int n;
    double begin, end; // [s]
    int n_rows, room;
    double *number; // as they stand there, the time first                          (n + 1 x n_rows)
    char units[LINE], weights[LINE];
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

// The unit of a column, 0 the time, of a line "s,deg,mm"; false: none is given.
static bool unit_of(const table *t, int column, char unit[NAME])
{
    const char *word = t->units;
    for (int i = 0; i < column && *word; i++) {
        word += strcspn(word, ",;\t");
        word += *word != 0;
    }
    clean(word, strcspn(word, ",;\t\r\n"), unit);
    return *unit != 0;
}

// A turn in the unit of a column of angles; 0: it has others.
static double turn_of(const table *t, int column)
{
    const driven *what = &t->column[column];
    char unit[NAME];
    hol_unit angle;
    const bool known = unit_of(t, column + 1, unit) && hol_unit_read(unit, &angle);
    if (what->type ? strcmp(what->type, "angle") != 0 : strncmp(what->joint, "A", 1) != 0) return 0;
    return 2 * HOL_PI / (known ? (double)angle.si : 1);
}

// Angles count full turns. One that jumps by about a turn from a row to the next, and by no such step before, begins anew at half a turn.
static void watch_turns(hol_draft *d, const char *path, table *t, const char *line)
{
    for (int c = 0; c < t->n && *(line += strcspn(line, ",;\t")); c++) {
        driven *what = &t->column[c];
        const double turn = what->turn, value = hol_decimal_read(++line, NULL), step = value - what->last;
        if (turn > 0 && what->seen > 1 && fabs(fabs(step) - turn) < 0.2 * turn &&
            fabs(step - what->step) > 0.5 * turn) {
            hol_note(
                d->ctx, HOL_WARNING,
                "%s: %s%s%s jumps by %.4g from a row to the next, about a turn, at t = %.6g: angles of a "
                "motion count full turns. Where the table begins anew at half a turn, add whole turns",
                path, what->joint, what->type ? "." : "", what->type ? what->type : "", step, t->end);
            what->seen = -1;
        }
        what->step = step;
        what->last = value;
        what->seen += what->seen >= 0;
    }
}

// A line of numbers; what is missing or none is refused where the spline is read.
static hol_status keep_row(hol_draft *d, table *t, const char *line)
{
    const int width = t->n + 1;
    double *all = hol_grow(d->ctx, t->number, &t->room, (t->n_rows + 1) * width, sizeof *all);
    if (!all) return HOL_ERR_MEMORY;
    t->number = all;
    all += (size_t)t->n_rows++ * (size_t)width;
    for (int c = 0; c < width; c++) {
        all[c] = hol_decimal_read(line, NULL);
        line += strcspn(line, ",;\t");
        line += *line != 0;
    }
    return HOL_OK;
}

// Comments with units and weights, the line of heads, and lines of numbers.
static hol_status read_table(hol_draft *d, const char *path, table *t)
{
    static const char units[] = "# units:", weights[] = "# weights:";
    char line[LINE], why[160];
    FILE *f = hol_open_input(path, false, 0, why, sizeof why);
    hol_status st = HOL_OK;
    bool begun = false;
    t->n = -1;
    if (!f) return hol_fail(d->ctx, HOL_ERR_IO, "%s: the table of the motion cannot be read: %s", path, why);
    while (!st && fgets(line, LINE, f)) {
        if (strncmp(line, units, strlen(units)) == 0) snprintf(t->units, LINE, "%s", line + strlen(units));
        if (strncmp(line, weights, strlen(weights)) == 0)
            snprintf(t->weights, LINE, "%s", line + strlen(weights));
        if (line[strspn(line, " \t\r\n")] == 0 || line[strspn(line, " \t")] == '#') continue;
        if (t->n < 0) {
            st = read_heads(d, path, line, t);
            continue;
        }
        t->end = hol_decimal_read(line, NULL);
        if (!begun) t->begin = t->end;
        for (int c = 0; c < t->n && !begun; c++) t->column[c].turn = turn_of(t, c);
        begun = true;
        watch_turns(d, path, t, line);
        st = keep_row(d, t, line);
    }
    fclose(f);
    if (!st && t->n < 1)
        st = hol_fail(d->ctx, HOL_ERR_USAGE,
                      "%s: a table of a motion has a column of times and one or more of coordinates", path);
    return st;
}

// Its times in seconds; it must not begin behind the start. A unit that is none is refused where the spline is read.
static hol_status take_times(hol_draft *d, const char *path, table *t)
{
    char unit[NAME];
    hol_unit time;
    if (unit_of(t, 0, unit) && hol_unit_read(unit, &time)) {
        t->begin *= (double)time.si;
        t->end *= (double)time.si;
    }
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
    char text[2 * NAME];
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

// A spline of the column and a driver along it.
static hol_status add(hol_draft *d, const char *file, int column, const table *t)
{
    const driven *what = &t->column[column];
    char name[40], value[80], unit[NAME];
    const double columns[2] = {1, column + 2};
    snprintf(name, sizeof name, "motion_%d", column + 1);
    snprintf(value, sizeof value, "spline(time, %s)", name);
    hol_item *spline = hol_draft_add(d, "splines");
    hol_status st = spline ? HOL_OK : HOL_ERR_USAGE;
    if (!st) st = hol_item_text(spline, "name", name);
    if (!st) st = hol_item_text(spline, "kind", "not-a-knot");
    if (!st) st = hol_item_text(spline, "file", file);
    if (!st) st = hol_item_numbers(spline, "columns", 2, columns);
    if (!st && *t->units) {
        hol_item *units = hol_item_map(spline, "units");
        st = units ? HOL_OK : HOL_ERR_USAGE;
        if (!st && unit_of(t, 0, unit)) st = hol_item_text(units, "x", unit);
        if (!st && unit_of(t, column + 1, unit)) st = hol_item_text(units, "y", unit);
    }
    snprintf(name, sizeof name, "drive_%d", column + 1);
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

// ---- more measures than motions -------------------------------------------------------------------------------

// The number of a column in SI, 0 the time.
static double number_of(const table *t, int row, int column)
{
    char unit[NAME];
    hol_unit known;
    const double number = t->number[(size_t)row * (size_t)(t->n + 1) + (size_t)column];
    return unit_of(t, column, unit) && hol_unit_read(unit, &known) ? number * (double)known.si : number;
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
                "%s: the line of weights has %d positive numbers, one for each column but that of "
                "the time",
                path, t->n);
        weight[n++] = value;
        word = rest;
    }
    return n == 0 || n == t->n
               ? HOL_OK
               : hol_fail(d->ctx, HOL_ERR_USAGE, "%s: the line of weights has %d numbers for %d columns",
                          path, n, t->n);
}

// Drivers and constraints of the motion in the compiled model, and the times.
static hol_status find_fit(hol_draft *d, const hol_model_data *m, const table *t, double *time, int *element,
                           hol_fit_motion *f)
{
    char name[40];
    for (int i = 0; i < t->n; i++) {
        snprintf(name, sizeof name, "drive_%d", i + 1);
        element[i] = hol_model_find_element(m, name);
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
            const bool angle = t->column[i].type ? strcmp(t->column[i].type, "angle") == 0
                                                 : strncmp(t->column[i].joint, "A", 1) == 0;
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
    hol_item *all = hol_item_get(hol_draft_root(d), list);
    for (int i = 0; all && i < hol_item_count(all); i++) {
        hol_item *one = hol_item_at(all, i);
        const hol_item *own = hol_item_get(one, "name");
        const char *text = own ? hol_item_as_text(own) : NULL;
        if (text && strcmp(text, name) == 0) return one;
    }
    return NULL;
}

// A column whose motion follows from the others: neither a driver nor a constraint.
static hol_status take_away(hol_draft *d, int column, const driven *what)
{
    char name[40];
    snprintf(name, sizeof name, "drive_%d", column + 1);
    hol_item *drive = named(d, what->type ? "drivers" : "constraints", name),
             *inverse = hol_item_get(hol_draft_root(d), "inverse"),
             *drives = inverse ? hol_item_get(inverse, "drives") : NULL;
    hol_status st = drive ? hol_item_remove(drive) : HOL_ERR_USAGE;
    for (int i = drives && !what->type ? hol_item_count(drives) - 1 : -1; i >= 0 && !st; i--)
        if (strcmp(hol_item_as_text(hol_item_at(drives, i)), name) == 0)
            st = hol_item_remove(hol_item_at(drives, i));
    if (!st && drives && hol_item_count(drives) == 0) st = hol_item_remove(drives);
    snprintf(name, sizeof name, "motion_%d", column + 1);
    hol_item *spline = st ? NULL : named(d, "splines", name);
    return spline ? hol_item_remove(spline) : st;
}

// The points of a column's spline become those of the poses found, in SI.
static hol_status put_points(hol_draft *d, const table *t, const hol_fit_motion *f, int column, double *value)
{
    static const char *const old[] = {"file", "columns", "units"};
    char name[40];
    snprintf(name, sizeof name, "motion_%d", column + 1);
    hol_item *spline = named(d, "splines", name);
    hol_status st = spline ? HOL_OK : HOL_ERR_USAGE;
    for (int i = 0; i < HOL_COUNT(old) && !st; i++) {
        hol_item *one = hol_item_get(spline, old[i]);
        if (one) st = hol_item_remove(one);
    }
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
        st = f.chosen[i] ? put_points(d, t, &f, i, value) : take_away(d, i, &t->column[i]);
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
