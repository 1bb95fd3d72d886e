// Splines: tables in the model file or beside it.
#include "base/file.h"
#include "expr/cells.h"
#include "expr/spline.h"
#include "model/read_users.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SPLINE_KIND = HOL_OWN_KEYS,
    SPLINE_X,
    SPLINE_Y,
    SPLINE_FILE,
    SPLINE_COLUMNS,
    SPLINE_UNITS,
    SPLINE_BEYOND
};
enum { MOST_TABLE = 1 << 28, MOST_LINE = 4096 }; // [B]

static const hol_option spline_rows[] = {
    HOL_NAMED_KEYS(0){"kind", HOL_CHOICE, "", 0, 0, 0, 0, "akima|cubic|linear|not-a-knot",
                      "how the points are joined; cubic has no curvature at its ends, not-a-knot that of its "
                      "first and last points"},
    {"x", HOL_NUMBERS, HOL_ANY_UNIT, HOL_NONE, -HOL_INF, HOL_INF, 0, NULL, "abscissae, increasing"},
    {"y", HOL_NUMBERS, HOL_ANY_UNIT, HOL_NONE, -HOL_INF, HOL_INF, 0, NULL, "ordinates"},
    {"file", HOL_TEXT, "", 0, 0, 0, HOL_FILE, NULL,
     "instead: a table of numbers (CSV), beside the file that names it"},
    {"columns", HOL_TUPLE, "", 2, 1, 1000, HOL_WHOLE, NULL,
     "with `file`: the columns of x and y; default [1, 2]"},
    {"units", HOL_MAP, "", 0, 0, 0, 0, "column_units",
     "units of plain numbers in the table: {x: deg, y: N mm}"},
    {"beyond", HOL_CHOICE, "", 0, 0, 0, 0, "line|hold",
     "how it goes on beyond its points: on the straight line that touches it at the end, or with its value "
     "there; who says neither is told where a run goes beyond them"},
    HOL_END_OPTIONS};
static const hol_rule spline_rules[] = {
    {HOL_ONE_OF, "x+y|file", "either x and y, or a file with the table is wanted", NULL},
    {HOL_GOES_WITH, "columns|file", "goes with file", NULL},
    HOL_END_RULES};
static hol_item_fn read_spline, check_spline;
const hol_object hol_spline_object = {
    .know = read_spline,
    .read = check_spline,
    .name = "spline",
    .rows = spline_rows,
    .rules = spline_rules,
    .text =
        "A function given by points, used as `spline(x, NAME)` in expressions, as `spline(time, NAME)` "
        "in drivers and "
        "moving markers, and as the curve of a joint. In an expression its plain numbers are in SI "
        "units, as a curve or a road in those "
        "of the "
        "file; `units:` of "
        "the table, units behind its numbers, or a line `# units: s,kN` or `s,kN` above the numbers of its "
        "file, hold for both; single letters, as `s,h`, are units there too, and a warning tells it, unless "
        "the line begins "
        "with `# units:`. Units behind names, as in `F (kN)`, are not taken, and a warning tells that. "
        "Beyond the points it goes "
        "on as a straight line, or as `beyond:` says.",
    .example = "- {name: valve, x: [0, 0.01, 0.03], y: [0, 2e-3, 3e-3]}\n"
               "- {name: road, kind: cubic, file: road.csv, columns: [1, 3]}\n"
               "- {name: cam, x: [0, 90, 180], y: [0, 5, 0], units: {x: deg, y: mm}}\n"};

static const hol_option column_units_rows[] = {
    {"x", HOL_UNIT, HOL_ANY_UNIT, 0, 0, 0, 0, NULL, "of the numbers of x"},
    {"y", HOL_UNIT, HOL_ANY_UNIT, 0, 0, 0, 0, NULL, "of the numbers of y"},
    HOL_END_OPTIONS};
const hol_object hol_column_units_object = {.name = "column_units", .rows = column_units_rows};

// A line of a table.
typedef struct {
    const char *file;
    int number;
    const int *column; // of x and y
    bool begun;        // numbers have been read: no heading comes any more
    const char *names; // the heading that has been; NULL: none
    int names_at;      // its line
    hol_units_line units;
    int units_at;        // its line; 0: none has been
    const char *head[2]; // of x and y, with what may be a unit; NULL
    int cells[2];        // of the first line of numbers: all, and without empty ones at its end
    double value[2];
} table_line;

// What to write in place of a cell that is no number.
static const char *way_out(const table_line *at, int column, const char *cell)
{
    // the minus of mathematics and dashes: U+2010 to U+2015, U+2212
    for (const char *p = cell; (p = strchr(p, '\xE2')); p++)
        if ((p[1] == '\x80' && p[2] >= '\x90' && p[2] <= '\x95') || (p[1] == '\x88' && p[2] == '\x92'))
            return ": the sign of a number is -, not another dash: write -";
    if (strstr(cell, "\xC2\xA0") || strstr(cell, "\xE2\x80\xAF"))
        return ": there is a no-break space in it, write none";
    if (strpbrk(cell, "\"'") && strpbrk(cell, "0123456789")) return ": write it without quotes";
    if (strchr(cell, ',')) return ": write a decimal point, 1.5";
    if (!at->begun && !strspn(cell, "+-.0123456789"))
        return "; in a line before the numbers there are names, x; y, or it begins with #";
    return column > 1 ? "; a unit stands in units: {y: mm} of the table" : "";
}

static hol_status refuse_cell(const hol_reader *r, const hol_node *item, const hol_path *path,
                              const table_line *at, int column, const char *cell)
{
    return hol_read_fail(r, item, path, "line %d of \"%s\", column %d: \"%.40s\" is no number%s", at->number,
                         at->file, column, cell, way_out(at, column, cell));
}

// A cell of a heading: nothing, a name, a unit. A digit in it stands behind a letter, as in x2.
static bool is_heading(const char *cell)
{
    const unsigned char *p = (const unsigned char *)cell + strspn(cell, "\"'([{");
    const bool ascii_letter = (*p | 32) >= 'a' && (*p | 32) <= 'z';
    const bool letter = ascii_letter || (*p >= 0xC3 && *p <= 0xC9) || (*p >= 0xCD && *p <= 0xD4);
    const bool sign = *p == 0xC2 && (p[1] == 0xB0 || p[1] == 0xB5); // of a degree, of a millionth
    if (letter || sign) return true;
    for (; *p; p++)
        if (*p >= 0x80 || (*p >= '0' && *p <= '9')) return false;
    return true;
}

static const char *const columns_named[] = {"x", "y"};

// What may be a unit in a heading: "y [mm]", "y(mm)", "y/mm", "y/(N/mm)", "y_mm", "y in mm", or all of "N/mm"; false: nothing.
static bool unit_in(const char *cell, char text[HOL_CELL])
{
    hol_unit unit;
    const char *bracket = strpbrk(cell, "[({<"), *slash = strchr(cell, '/'), *at = NULL;
    for (const char *p = cell; *p; p++)
        if (strchr("_ .-=:", *p)) at = p;
    if (bracket) at = bracket;
    if (slash && (!bracket || slash < bracket)) at = slash;
    const bool time = *cell == 't' && at == cell + 1; // no tonne
    const bool whole = !time && hol_unit_read(cell, &unit);
    if (!whole && (!at || at == cell)) return false;
    const char *from = whole ? cell : at + 1 + (at == slash && at[1] == '(');
    snprintf(text, HOL_CELL, "%.*s", (int)strcspn(from, whole ? "" : "])}>"), from);
    return true;
}

// In "F(t)", "v_t", "x_in" and "x_min" it is an argument or an index.
static bool is_index(const char *cell, const char *text)
{
    const size_t name = strcspn(cell, "[({</");
    const char sign = cell[name];
    if (sign && (strchr("[{<", sign) || (name > 0 && cell[name - 1] == ' '))) return false;
    if (sign == '(') return strcmp(text, "t") == 0;
    if (sign == '/') return name < 3 && !text[1];
    return !text[1] || strcmp(text, "in") == 0 || strcmp(text, "min") == 0;
}

// The unit in the head of a column; false: none, or that of SI.
static bool unit_of_head(const table_line *at, int column, char text[HOL_CELL])
{
    hol_unit unit;
    const char *cell = at->head[column];
    return cell && unit_in(cell, text) && hol_unit_read(text, &unit) && unit.si != 1 && !is_index(cell, text);
}

// "y [mm]", but not "F(t)", above a column whose numbers are read as SI: whoever writes so takes them for mm.
static void doubt_columns(const hol_reader *r, const hol_node *item, const table_line *at,
                          const hol_table *table)
{
    char unit[2][HOL_CELL];
    int n = 0, first = 0;
    for (int k = 0; k < 2; k++) {
        if (table->si[k] || !unit_of_head(at, k, unit[k])) continue;
        first = n++ ? first : k;
    }
    const int *column = at->column;
    if (n == 1)
        hol_note_at(r->ctx, HOL_WARNING, item->at,
                    "column %d of \"%s\" is headed \"%.40s\", and its plain numbers are in SI units: if they "
                    "are in %s, write units: {%s: %s} below the table's name",
                    column[first], at->file, at->head[first], unit[first], columns_named[first], unit[first]);
    if (n == 2)
        hol_note_at(
            r->ctx, HOL_WARNING, item->at,
            "columns %d and %d of \"%s\" are headed \"%.40s\" and \"%.40s\", and their plain numbers are "
            "in SI units: if they are in %s and %s, write units: {x: %s, y: %s} below the table's name",
            column[0], column[1], at->file, at->head[0], at->head[1], unit[0], unit[1], unit[0], unit[1]);
}

// Single letters above the numbers are taken for units, s,h, and may be names.
static void doubt_line(const hol_reader *r, const hol_node *item, const table_line *at, const char *line)
{
    char text[HOL_CELL], head[HOL_CELL];
    bool changes = false;
    const char *p = at->units.list;
    for (int i = 0; i < at->units.n; i++) {
        p = hol_units_line_next(&at->units, p, text);
        if (text[0] && (text[1] || !((text[0] | 32) >= 'a' && (text[0] | 32) <= 'z'))) return;
    }
    for (int k = 0; k < 2; k++) {
        hol_unit unit;
        changes = changes || (hol_units_line_at(&at->units, at->column[k] - 1, text, &unit) && unit.si != 1);
    }
    if (!changes || strpbrk(line, "[(")) return;
    snprintf(head, sizeof head, "%.*s", (int)strcspn(line, "\r\n"), line);
    hol_note_at(r->ctx, HOL_WARNING, item->at,
                "line %d of \"%s\", \"%.60s\", is taken for the units of the columns: if it has their names, "
                "write longer ones, as time,height; the line \"# units: %.60s\" says that they are units",
                at->number, at->file, head, head);
}

// A line without a number, before the first of them: a heading, or refused. *heading: the line is none of numbers.
static hol_status read_heading(const hol_reader *r, const hol_node *item, const hol_path *path,
                               table_line *at, const char *line, bool *heading)
{
    char copy[MOST_LINE], unit[HOL_CELL], *rest = copy, *cell;
    const char separator = hol_cell_separator(line);
    int wrong = 0;
    double z;
    *heading = false;
    memcpy(copy, line, strlen(line) + 1);
    for (int c = 1; (cell = hol_cell_next(&rest, separator)); c++) {
        if (hol_cell_number(cell, &z)) return HOL_OK;
        if (!wrong && !is_heading(cell)) wrong = c;
    }
    *heading = true;
    memcpy(copy, line, strlen(line) + 1);
    rest = copy;
    for (int c = 1; (!wrong || c <= wrong) && (cell = hol_cell_next(&rest, separator)); c++)
        for (int k = 0; k < 2 && !wrong; k++)
            if (c == at->column[k] && unit_in(cell, unit) &&
                !(at->head[k] = hol_arena_copy(r->arena, cell, strlen(cell))))
                return HOL_ERR_MEMORY;
    if (!wrong) return HOL_OK;
    return refuse_cell(r, item, path, at, wrong, cell);
}

// Cells of a line: all, and without empty ones at its end.
static void count_cells(const char *line, char separator, int cells[2])
{
    size_t n = strlen(line), last = n;
    cells[0] = cells[1] = separator != ' ';
    for (const char *p = line; separator == ' ' && *(p += strspn(p, " \t\r\n")); cells[1] = ++cells[0])
        p += strcspn(p, " \t\r\n");
    if (separator == ' ') return;
    while (last && (line[last - 1] == separator || strchr(" \t\r\n", line[last - 1]))) last--;
    for (size_t i = 0; i < n; i++) {
        cells[0] += line[i] == separator;
        cells[1] += line[i] == separator && i < last;
    }
}

// A line that gives units; *found: this one does.
static hol_status read_units(const hol_reader *r, const hol_node *item, const hol_path *path, table_line *at,
                             const char *line, bool *found)
{
    hol_units_line units;
    *found = false;
    if (at->begun && !hol_line_is_comment(line)) return HOL_OK;
    hol_units_line_read(line, at->names != NULL, &units);
    if (!units.list) return HOL_OK;
    *found = true;
    if (at->begun || at->units_at)
        return hol_read_fail(r, item, path,
                             "line %d of \"%s\" gives units %s: write them once, before the "
                             "numbers",
                             at->number, at->file, at->begun ? "behind numbers" : "a second time");
    if (units.wrong)
        return hol_read_fail(
            r, item, path,
            "line %d of \"%s\" gives units, and \"%.40s\" of column %d is none; wanted is such "
            "as s,kN, and - for a pure number%s",
            at->number, at->file, units.cell, units.wrong,
            at->names ? "; where it has the names, the line above it is a title: begin that with #" : "");
    units.list = hol_arena_copy(r->arena, units.list, strlen(units.list));
    at->units = units;
    at->units_at = at->number;
    if (units.list && !at->names && !hol_line_is_comment(line)) doubt_line(r, item, at, line);
    return units.list ? HOL_OK : HOL_ERR_MEMORY;
}

// Each column has its unit.
static hol_status check_units(const hol_reader *r, const hol_node *item, const hol_path *path,
                              const table_line *at)
{
    const int n = at->units.n;
    if (!at->units_at || n == at->cells[0] || n == at->cells[1]) return HOL_OK;
    return hol_read_fail(r, item, path, "line %d of \"%s\" gives %d units, and there are %d columns",
                         at->units_at, at->file, n, at->cells[1]);
}

// What stands above another line without numbers is a line of names, of as many columns; else it is a title.
static hol_status check_names(const hol_reader *r, const hol_node *item, const hol_path *path,
                              const table_line *at, const char *line)
{
    const char separator = hol_cell_separator(line);
    const int above = at->names ? hol_cell_count(at->names, separator) : 0,
              here = hol_cell_count(line, separator);
    char copy[MOST_LINE], *rest = copy, *cell;
    hol_units_line units;
    double z;
    memcpy(copy, line, strlen(line) + 1);
    while (at->names && (cell = hol_cell_next(&rest, separator)))
        if (hol_cell_number(cell, &z)) return HOL_OK;
    hol_units_line_read(line, true, &units);
    if (!at->names || (above == here && units.list)) return HOL_OK;
    return hol_read_fail(
        r, item, path,
        "line %d of \"%s\" stands where names of columns or their units are, and line %d has "
        "names already, of %d column%s: where that is a title, begin it with #",
        at->number, at->file, at->names_at, above, above == 1 ? "" : "s");
}

// Keeps a heading.
static hol_status keep_names(const hol_reader *r, table_line *at, const char *line)
{
    at->names = hol_arena_copy(r->arena, line, strlen(line));
    at->names_at = at->number;
    return at->names ? HOL_OK : HOL_ERR_MEMORY;
}

// Reads a line; *found: it has numbers. Before the first numbers there may be names.
static hol_status read_line(const hol_reader *r, const hol_node *item, const hol_path *path, table_line *at,
                            char *line, bool *found)
{
    const char separator = hol_cell_separator(line);
    const int last = at->column[0] > at->column[1] ? at->column[0] : at->column[1];
    char *rest = line, *cell;
    int c = 0, seen = 0, cells[2];
    double z;
    bool heading = false, units;
    *found = false;
    const bool comment = hol_line_is_comment(line);
    hol_status st = at->begun || comment ? HOL_OK : check_names(r, item, path, at, line);
    if (!st) st = read_units(r, item, path, at, line, &units);
    if (st || units || comment) return st;
    if (!at->begun) st = read_heading(r, item, path, at, line, &heading);
    if (!st && heading) st = keep_names(r, at, line);
    if (st || heading) return st;
    count_cells(line, separator, cells);
    while ((cell = hol_cell_next(&rest, separator)) && c++ <= last) {
        const bool number = hol_cell_number(cell, &z), wanted = c == at->column[0] || c == at->column[1];
        // behind the last column blanks separate a unit, too
        if (!number && *cell && (wanted || c == 1 || (separator == ' ' && c == last + 1)))
            return refuse_cell(r, item, path, at, c, cell);
        for (int k = 0; k < 2 && number; k++)
            if (c == at->column[k]) at->value[k] = z, seen |= 1 << k;
    }
    if (!at->begun) memcpy(at->cells, cells, sizeof cells);
    if (seen == 3 && separator != ' ' && cells[0] != at->cells[0] && cells[1] != at->cells[1])
        return hol_read_fail(
            r, item, path,
            "line %d of \"%s\" has %d columns, the first line of numbers %d: is a comma meant as a decimal "
            "point, or is a cell missing?",
            at->number, at->file, cells[0], at->cells[0]);
    if (seen != 3)
        return hol_read_fail(r, item, path, "line %d of \"%s\" has no column %d", at->number, at->file,
                             seen & 1 ? at->column[1] : at->column[0]);
    st = at->begun ? HOL_OK : check_units(r, item, path, at);
    *found = at->begun = true;
    return st;
}

// The next line, or as much of it as there is room for; false: there is none. *zero: a byte of value 0 is in it.
static bool next_line(FILE *f, char line[MOST_LINE], bool *zero)
{
    int n = 0;
    *zero = false;
    for (int ch = 0; n < MOST_LINE - 1 && ch != '\n' && (ch = getc(f)) != EOF;) {
        *zero = *zero || !ch;
        line[n++] = (char)ch;
    }
    line[n] = 0;
    return n > 0;
}

// Numbers of two columns of a text file.
static hol_status read_table(hol_spec *spec, const hol_reader *r, const hol_node *item, const hol_path *path,
                             const char *name, table_line *at, int *n, double **x, double **y)
{
    const char *full = hol_file_beside(spec, item->at, name);
    if (!full) return HOL_ERR_MEMORY;
    if (hol_context_most_items(r->ctx))
        return hol_read_fail(r, item, path, "other files may not be read here");
    char why[160];
    FILE *f = hol_open_input(full, false, MOST_TABLE, why, sizeof why);
    if (!f) return hol_read_fail(r, item, path, "the file \"%s\" cannot be read: %s", full, why);
    char line[MOST_LINE];
    bool zero;
    hol_status st = hol_spec_note_file(spec, full);
    at->file = full;
    while (!st && next_line(f, line, &zero)) {
        bool found = false;
        const size_t mark = at->number++ ? 0 : hol_byte_order_mark(line);
        if (zero)
            st =
                hol_read_fail(r, item, path, "line %d of \"%s\" has a byte of value 0: a table is plain text",
                              at->number, full);
        else if (strlen(line) == sizeof line - 1)
            st = hol_read_fail(r, item, path, "line %d of \"%s\" is longer than %d characters", at->number,
                               full, (int)sizeof line - 2);
        if (!st) st = read_line(r, item, path, at, line + mark, &found);
        double **const lists[] = {x, y};
        for (int k = 0; k < 2 && !st && found; k++) {
            if (!HOL_ARENA_GROW(r->arena, *lists[k], *n)) st = HOL_ERR_MEMORY;
            if (!st) (*lists[k])[*n] = at->value[k];
        }
        *n += found;
    }
    if (!st && ferror(f))
        st = hol_read_fail(r, item, path, "the file \"%s\" cannot be read to its end", full);
    fclose(f);
    return st;
}

// ---- units ----------------------------------------------------------------------------------------------------

// `units: {x: deg}`: the unit of a column; given false: none
static hol_status read_column_unit(const hol_reader *r, const hol_node *item, const hol_path *up, int column,
                                   bool *given, hol_unit *out)
{
    const hol_node *map = hol_node_find(item, "units");
    const hol_path path = {up, "units", 0, NULL}, at = {&path, columns_named[column], 0, NULL};
    hol_value v[HOL_COUNT(column_units_rows)] = {{.given = false}};
    if (map && map->kind != HOL_NODE_MAP)
        return hol_read_fail(r, map, &path, "a map is wanted: {x: deg, y: N mm}");
    hol_status st = map ? hol_read_object(r, &hol_column_units_object, NULL, map, &path, v) : HOL_OK;
    *given = !st && v[column].given;
    if (*given && !hol_unit_read(v[column].text, out))
        return hol_read_fail(r, hol_node_find(map, columns_named[column]), &at,
                             "\"%s\" is not a unit; wanted is such as deg or N mm", v[column].text);
    return st;
}

// Numbers of a list with units of their own: all with one dimension, or none.
static hol_status read_own_units(const hol_reader *r, const hol_node *item, const hol_path *path, int column,
                                 bool given, hol_table *out)
{
    const hol_node *list = hol_node_find(item, columns_named[column]);
    int with = 0, without = 0;
    for (int i = 0; list && list->kind == HOL_NODE_SEQUENCE && i < list->n; i++) {
        hol_constant c;
        const hol_node *node = list->value[i];
        hol_status st = hol_read_named_number(r, node, path, &c);
        if (st) return st;
        const bool has = c.nature.flags & HOL_NATURE_UNIT;
        const bool first = has && !with++;
        without += !has && c.value != 0;
        if (first) out->dimension[column] = c.nature.dimension;
        out->cycles[column] = out->cycles[column] || hol_nature_turns(&c.nature);
        if (has && given)
            return hol_read_fail(r, node, path, "%s: the unit of this column is given by \"units:\" too",
                                 columns_named[column]);
        if ((with && without) ||
            (has && memcmp(&out->dimension[column], &c.nature.dimension, sizeof c.nature.dimension) != 0))
            return hol_read_fail(
                r, node, path,
                "%s: numbers of one column have one dimension: give all of them their unit, or none "
                "and \"units: {%s: ..}\"",
                columns_named[column], columns_named[column]);
    }
    out->si[column] = with > 0;
    return HOL_OK;
}

// The unit of a column that a line of the file gives, beside that of `units:`.
static hol_status take_line_unit(const hol_reader *r, const hol_node *item, const hol_path *path, int column,
                                 const table_line *at, bool *given, hol_unit *out)
{
    char text[HOL_CELL];
    hol_unit unit;
    if (!at->units_at || !hol_units_line_at(&at->units, at->column[column] - 1, text, &unit)) return HOL_OK;
    if (*given &&
        (unit.si != out->si || memcmp(&unit.dimension, &out->dimension, sizeof unit.dimension) != 0))
        return hol_read_fail(r, hol_node_find(item, "units"), path,
                             "%s: line %d of \"%s\" gives this column the unit %s, \"units:\" another one: "
                             "leave one of them away",
                             columns_named[column], at->units_at, at->file, text);
    *given = true;
    *out = unit;
    return HOL_OK;
}

// A column of a table in SI units, by the units of its head, of its own key or of its file.
static hol_status apply_units(const hol_reader *r, const hol_node *item, const hol_path *path, int column,
                              const table_line *at, int n, double *list, hol_table *out)
{
    hol_unit u = {.si = 1};
    bool given = false;
    hol_status st = read_column_unit(r, item, path, column, &given, &u);
    if (!st) st = take_line_unit(r, item, path, column, at, &given, &u);
    if (!st) st = read_own_units(r, item, path, column, given, out);
    if (st || !given) return st;
    for (int i = 0; i < n; i++) list[i] = (double)((long double)list[i] * u.si);
    out->si[column] = true;
    out->dimension[column] = u.dimension;
    out->cycles[column] = u.cycles && !u.dimension.power[0] && u.dimension.power[2] < 0;
    return HOL_OK;
}

// A table, of the file or of one beside it, and the curve through it.
static hol_status read_spline(hol_spec *spec, const hol_reader *r, const hol_node *item, const hol_path *path,
                              const hol_object *object)
{
    static const hol_spline_kind kinds[] = {HOL_SPLINE_AKIMA, HOL_SPLINE_CUBIC, HOL_SPLINE_LINEAR,
                                            HOL_SPLINE_NOT_A_KNOT};
    hol_known *k = &spec->known;
    hol_value v[HOL_COUNT(spline_rows)];
    hol_spline_entry e = {.name = NULL};
    double *x = NULL, *y = NULL;
    int n = 0, columns[2] = {1, 2};
    table_line at = {.column = columns};
    (void)object;
    hol_status st = hol_read_name(r, item, path, &e.name, &e.at);
    if (!st) st = hol_read_object(r, &hol_spline_object, NULL, item, path, v);
    if (st) return st;
    if (hol_name_is_reserved(e.name))
        return hol_read_fail(r, hol_node_find(item, "name"), path, "\"%s\" is %s; choose another name",
                             e.name, hol_name_is_reserved(e.name));
    if (hol_names_find(k->spline_names, e.name) >= 0)
        return hol_read_fail(r, item, path, "the name \"%s\" is given twice among the splines", e.name);
    if (v[SPLINE_COLUMNS].given && v[SPLINE_COLUMNS].list[0] == v[SPLINE_COLUMNS].list[1])
        return hol_read_fail(r, hol_node_find(item, "columns"), path, "columns: x and y are the same column");
    for (int i = 0; i < 2 && v[SPLINE_COLUMNS].given; i++) columns[i] = (int)v[SPLINE_COLUMNS].list[i];
    if (v[SPLINE_FILE].given) {
        st = read_table(spec, r, item, path, v[SPLINE_FILE].text, &at, &n, &x, &y);
        if (st) return st;
    } else {
        if (v[SPLINE_X].n != v[SPLINE_Y].n)
            return hol_read_fail(r, item, path, "x has %d numbers and y %d%s", v[SPLINE_X].n, v[SPLINE_Y].n,
                                 *v[SPLINE_X].comma ? v[SPLINE_X].comma : v[SPLINE_Y].comma);
        n = v[SPLINE_X].n;
        x = v[SPLINE_X].list;
        y = v[SPLINE_Y].list;
    }
    for (int i = 0; i < 2 && !st; i++) st = apply_units(r, item, path, i, &at, n, i ? y : x, &e.table);
    if (!st) doubt_columns(r, item, &at, &e.table);
    if (st) return st;
    if (n < 2 && v[SPLINE_FILE].given)
        return hol_read_fail(r, item, path,
                             "a table needs at least two points, each on a line of its own that begins with "
                             "a number; \"%s\" has "
                             "%d of them",
                             v[SPLINE_FILE].text, n);
    if (n < 2) return hol_read_fail(r, item, path, "a table needs at least two points, here are %d", n);
    for (int i = 0; i < n; i++)
        if (!isfinite(x[i]) || !isfinite(y[i]))
            return hol_read_fail(r, item, path,
                                 "point %d: (%.9g, %.9g), both must be finite numbers; mend the table", i + 1,
                                 x[i], y[i]);
    for (int i = 0; i < n; i++)
        if (i > 0 && x[i] <= x[i - 1])
            return hol_read_fail(
                r, item, path, "point %d: x must increase, here %.*g follows %.*g; %s", i + 1,
                hol_decimal_digits(x[i], x[i - 1]), x[i], hol_decimal_digits(x[i], x[i - 1]), x[i - 1],
                x[i] < x[i - 1] ? "sort the points by x"
                                : "a jump is two points that lie a little apart, with kind: linear");
    e.table.units = hol_units_at(r->systems, item->at);
    e.table.spline = hol_spline_create(r->arena, kinds[(int)v[SPLINE_KIND].num], n, x, y);
    if (e.table.spline)
        e.table.spline = hol_spline_named(r->arena, e.table.spline, e.name,
                                          !v[SPLINE_BEYOND].given    ? HOL_SPLINE_UNSAID
                                          : v[SPLINE_BEYOND].num > 0 ? HOL_SPLINE_HOLD
                                                                     : HOL_SPLINE_LINE);
    if (!e.table.spline || !HOL_ARENA_GROW(r->arena, k->spline, k->n_splines)) return HOL_ERR_MEMORY;
    k->spline[k->n_splines] = e;
    return hol_names_add(k->spline_names, e.name, k->n_splines++);
}

// Once more, when it is known which parameters are no constants.
static hol_status check_spline(hol_spec *spec, const hol_reader *r, const hol_node *item,
                               const hol_path *path, const hol_object *object)
{
    hol_value v[HOL_COUNT(spline_rows)];
    spec->n_items--; // it was counted the first time
    return spec->n_held ? hol_read_object(r, object, NULL, item, path, v) : HOL_OK;
}
