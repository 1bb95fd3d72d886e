// Lines of tables of numbers, as splines, motions and results have them: their cells, and what gives their columns units.
#ifndef HOL_CELLS_H
#define HOL_CELLS_H

#include "expr/expr.h"

// What stands between the cells of a line: semicolons or tabs if there are any, else commas, else blanks. A tab behind a comma is a
// blank.
char hol_cell_separator(const char *line);
// Cuts the next cell off the line, without blanks around it; NULL: there is none.
char *hol_cell_next(char **line, char separator);
// A cell that is a number and nothing else.
bool hol_cell_number(const char *cell, double *value);
bool hol_line_is_comment(const char *line); // or has nothing
size_t hol_byte_order_mark(
    const char *line); // its bytes, before the first line of a file of another program; 0: there is none
// Cells of a line, with the separator of another one of its table.
int hol_cell_count(const char *line, char separator);

// A line that gives units: "# units: s,kN" as results have it, or behind or in place of the names of the columns "s,kN", "[s]; [kN]".
enum { HOL_CELL = 80 };
typedef struct hol_units_line {
    const char *list; // its cells, in the line; NULL: it gives none
    char separator;
    int n;               // cells
    int wrong;           // the first of them that is no unit, counted from 1; 0: all are
    char cell[HOL_CELL]; // it
} hol_units_line;
// named: a line with names stands above.
void hol_units_line_read(const char *line, bool named, hol_units_line *out);
// The unit of a column, counted from 0, and its text; false: its cell is empty.
bool hol_units_line_at(const hol_units_line *u, int column, char text[HOL_CELL], hol_unit *out);
// The text of the first cell of a list of it, without brackets, and the list behind it; NULL: there was none.
const char *hol_units_line_next(const hol_units_line *u, const char *list, char text[HOL_CELL]);
// The unit in a cell, "1" or "-" for pure numbers; false: it is none.
bool hol_cell_unit(const char *cell, hol_unit *out);

#endif
