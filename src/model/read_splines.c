// Splines: tables in the model file or beside it.
#include "base/file.h"
#include "expr/spline.h"
#include "model/read_users.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SPLINE_KIND = HOL_OWN_KEYS, SPLINE_X, SPLINE_Y, SPLINE_FILE, SPLINE_COLUMNS, SPLINE_UNITS };
enum { MOST_TABLE = 1 << 28 }; // [B]

const hol_option hol_spline_keys[] = {
    HOL_NAMED_KEYS{"kind", HOL_CHOICE, "", 0, 0, 0, 0, "akima|cubic|linear", "how the points are joined"},
    {"x", HOL_NUMBERS, HOL_ANY_UNIT, HOL_NONE, -HOL_INF, HOL_INF, 0, NULL, "abscissae, increasing"},
    {"y", HOL_NUMBERS, HOL_ANY_UNIT, HOL_NONE, -HOL_INF, HOL_INF, 0, NULL, "ordinates"},
    {"file", HOL_TEXT, "", 0, 0, 0, 0, NULL, "instead: a table of numbers (CSV), beside the model file"},
    {"columns", HOL_NUMBERS, "", HOL_NONE, 1, 1000, 0, NULL,
     "with `file`: the columns of x and y; default [1, 2]"},
    {"units", HOL_ENTRY, "", 0, 0, 0, 0, NULL, "units of plain numbers in the table: {x: deg, y: N mm}"},
    HOL_END_OPTIONS};
// Numbers of two columns of a text file; lines that do not start with a number are skipped.
static hol_status read_table(hol_spec *spec, const hol_reader *r, const hol_node *item, const hol_path *path,
                             const char *name, const int column[2], int *n, double **x, double **y)
{
    const char *slash = strrchr(spec->file, '/');
    const int folder = slash && name[0] != '/' ? (int)(slash - spec->file) + 1 : 0;
    const char *full = hol_arena_print(r->arena, "%.*s%s", folder, spec->file, name);
    if (!full) return HOL_ERR_MEMORY;
    if (hol_context_most_items(r->ctx))
        return hol_read_fail(r, item, path, "other files may not be read here");
    char why[160];
    FILE *f = hol_open_input(full, false, MOST_TABLE, why, sizeof why);
    if (!f) return hol_read_fail(r, item, path, "the file \"%s\" cannot be read: %s", full, why);
    char line[4096];
    int capacity[2] = {0, 0}, number = 0;
    hol_status st = hol_spec_note_file(spec, full);
    while (!st && fgets(line, sizeof line, f)) {
        double v[2];
        bool found[2] = {false, false};
        const char *p = line;
        number++;
        if (strlen(line) == sizeof line - 1)
            st = hol_read_fail(r, item, path, "line %d of \"%s\" is longer than %d characters", number, full,
                               (int)sizeof line - 2);
        for (int c = 1; *p; c++) {
            char *end;
            p += strspn(p, " \t");
            const double z = hol_decimal_read(p, &end);
            for (int k = 0; k < 2 && end != p; k++)
                if (c == column[k]) {
                    v[k] = z;
                    found[k] = true;
                }
            if (end == p && c == 1) break; // a heading or a comment
            p = end + strcspn(end, ",; \t\r\n");
            p += strspn(p, " \t\r\n");
            p += *p == ',' || *p == ';'; // one: the next cell may be empty
        }
        if (!found[0] && !found[1]) continue;
        if (!found[0] || !found[1]) {
            st = hol_read_fail(r, item, path, "line %d of \"%s\" has no column %d", number, full,
                               found[0] ? column[1] : column[0]);
            break;
        }
        double **const lists[] = {x, y};
        for (int k = 0; k < 2 && !st; k++) {
            double *list = hol_arena_push(r->arena, *lists[k], &capacity[k], *n, sizeof *list);
            if (!list) st = HOL_ERR_MEMORY;
            if (!st) (*lists[k] = list)[*n] = v[k];
        }
        (*n)++;
    }
    if (!st && ferror(f))
        st = hol_read_fail(r, item, path, "the file \"%s\" cannot be read to its end", full);
    fclose(f);
    return st;
}

// ---- units ----------------------------------------------------------------------------------------------------

static const char *const columns_named[] = {"x", "y"};

// `units: {x: deg}`: the unit of a column; given false: none
static hol_status read_column_unit(const hol_reader *r, const hol_node *item, const hol_path *up, int column,
                                   bool *given, hol_unit *out)
{
    const hol_node *map = hol_node_find(item, "units");
    const hol_path path = {up, "units", 0, NULL}, at = {&path, columns_named[column], 0, NULL};
    const hol_node *node =
        map && map->kind == HOL_NODE_MAP ? hol_node_find(map, columns_named[column]) : NULL;
    if (map && map->kind != HOL_NODE_MAP)
        return hol_read_fail(r, map, &path, "a map is wanted: {x: deg, y: N mm}");
    for (int i = 0; map && i < map->n; i++)
        if (strcmp(map->key[i]->text, "x") != 0 && strcmp(map->key[i]->text, "y") != 0)
            return hol_read_fail(r, map->key[i], &path, "unknown key \"%s\"; the columns are x and y",
                                 map->key[i]->text);
    *given = node != NULL;
    if (node && (node->kind != HOL_NODE_SCALAR || !hol_unit_read(node->text, out)))
        return hol_read_fail(r, node, &at, "\"%s\" is not a unit; wanted is such as deg or N mm",
                             node->kind == HOL_NODE_SCALAR ? node->text : "list");
    return HOL_OK;
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

// A column of a table in SI units, by the units of its head or its own key.
static hol_status apply_units(const hol_reader *r, const hol_node *item, const hol_path *path, int column,
                              int n, double *list, hol_table *out)
{
    hol_unit u = {.si = 1};
    bool given;
    hol_status st = read_column_unit(r, item, path, column, &given, &u);
    if (!st) st = read_own_units(r, item, path, column, given, out);
    if (st || !given) return st;
    for (int i = 0; i < n; i++) list[i] = (double)((long double)list[i] * u.si);
    out->si[column] = true;
    out->dimension[column] = u.dimension;
    out->cycles[column] = u.cycles && !u.dimension.power[0] && u.dimension.power[2] < 0;
    return HOL_OK;
}

hol_status hol_read_spline(hol_spec *spec, const hol_reader *r, const hol_node *item, const hol_path *path,
                           void *user)
{
    static const hol_spline_kind kinds[] = {HOL_SPLINE_AKIMA, HOL_SPLINE_CUBIC, HOL_SPLINE_LINEAR};
    hol_known *k = &spec->known;
    hol_value v[HOL_COUNT(hol_spline_keys)];
    hol_spline_entry e = {.name = NULL};
    double *x = NULL, *y = NULL;
    int n = 0, columns[2] = {1, 2};
    (void)user;
    hol_status st = hol_read_name(r, item, path, &e.name, &e.at);
    if (!st) st = hol_read_options(r, hol_spline_keys, NULL, item, path, v);
    if (st) return st;
    if (hol_name_is_reserved(e.name))
        return hol_read_fail(r, hol_node_find(item, "name"), path, "\"%s\" is %s; choose another name",
                             e.name, hol_name_is_reserved(e.name));
    if (hol_names_find(k->spline_names, e.name) >= 0)
        return hol_read_fail(r, item, path, "the name \"%s\" is given twice among the splines", e.name);
    if (v[SPLINE_X].given != v[SPLINE_Y].given || v[SPLINE_FILE].given == v[SPLINE_X].given)
        return hol_read_fail(r, item, path, "either x and y, or a file with the table is wanted");
    if (v[SPLINE_COLUMNS].given && !v[SPLINE_FILE].given)
        return hol_read_fail(r, hol_node_find(item, "columns"), path, "columns goes with file");
    if (v[SPLINE_COLUMNS].given && v[SPLINE_COLUMNS].n != 2)
        return hol_read_fail(r, item, path, "columns: two numbers are wanted");
    if (v[SPLINE_COLUMNS].given && v[SPLINE_COLUMNS].list[0] == v[SPLINE_COLUMNS].list[1])
        return hol_read_fail(r, hol_node_find(item, "columns"), path, "columns: x and y are the same column");
    for (int i = 0; i < 2 && v[SPLINE_COLUMNS].given; i++) columns[i] = (int)v[SPLINE_COLUMNS].list[i];
    if (v[SPLINE_FILE].given) {
        st = read_table(spec, r, item, path, v[SPLINE_FILE].text, columns, &n, &x, &y);
        if (st) return st;
    } else {
        if (v[SPLINE_X].n != v[SPLINE_Y].n)
            return hol_read_fail(r, item, path, "x has %d numbers and y %d", v[SPLINE_X].n, v[SPLINE_Y].n);
        n = v[SPLINE_X].n;
        x = v[SPLINE_X].list;
        y = v[SPLINE_Y].list;
    }
    for (int i = 0; i < 2 && !st; i++) st = apply_units(r, item, path, i, n, i ? y : x, &e.table);
    if (st) return st;
    if (n < 2) return hol_read_fail(r, item, path, "a table needs at least two points, here are %d", n);
    for (int i = 0; i < n; i++)
        if (!isfinite(x[i]) || !isfinite(y[i]))
            return hol_read_fail(r, item, path,
                                 "point %d: (%.9g, %.9g), both must be finite numbers; mend the table", i + 1,
                                 x[i], y[i]);
    for (int i = 0; i < n; i++)
        if (i > 0 && x[i] <= x[i - 1])
            return hol_read_fail(r, item, path, "point %d: x must increase, here %.9g follows %.9g", i + 1,
                                 x[i], i ? x[i - 1] : 0.0);
    e.table.spline = hol_spline_create(r->arena, kinds[(int)v[SPLINE_KIND].num], n, x, y);
    hol_spline_entry *list =
        hol_arena_push(r->arena, k->spline, &k->spline_capacity, k->n_splines, sizeof *list);
    if (!list || !e.table.spline) return HOL_ERR_MEMORY;
    k->spline = list;
    list[k->n_splines] = e;
    return hol_names_add(k->spline_names, e.name, k->n_splines++);
}
