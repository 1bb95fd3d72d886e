// Lines of tables of numbers, see expr/cells.h.
#include "expr/cells.h"

#include <stdio.h>
#include <string.h>

// ---- cells ----------------------------------------------------------------------------------------------------

char hol_cell_separator(const char *line)
{
    if (strchr(line, ';')) return ';';
    bool commas = false, alone = false;
    for (const char *p = line; (p = strchr(p, ',')); p++) {
        commas = true;
        alone = alone || !strchr(" \t\r\n", p[1]);
    }
    if (strchr(line, '\t') && (!commas || alone)) return '\t';
    return commas ? ',' : ' ';
}

char *hol_cell_next(char **line, char separator)
{
    char *cell = *line, *end;
    if (!cell) return NULL;
    cell += strspn(cell, separator == '\t' ? " \r\n" : " \t\r\n");
    if (separator == ' ' && !*cell) return NULL;
    end = separator == ' ' ? cell + strcspn(cell, " \t\r\n") : strchr(cell, separator);
    *line = end && *end ? end + 1 : NULL;
    if (end) *end = 0;
    for (end = cell + strlen(cell); end > cell && strchr(" \t\r\n", end[-1]);) *--end = 0;
    return cell;
}

bool hol_cell_number(const char *cell, double *value)
{
    char *end;
    *value = hol_decimal_read(cell, &end);
    return end != cell && !*end && !strpbrk(cell, "xX");
}

// Bytes of the mark of a comment; 0: it is none.
static size_t mark_of(const char *line)
{
    if (line[0] == '/' && line[1] == '/') return 2;
    return *line && strchr("#%!*", *line) != NULL;
}

size_t hol_byte_order_mark(const char *line)
{
    static const char mark[] = "\xEF\xBB\xBF";
    const size_t n = sizeof mark - 1;
    return strncmp(line, mark, n) == 0 ? n : 0;
}

bool hol_line_is_comment(const char *line)
{
    line += strspn(line, " \t");
    return strchr("\r\n", *line) || mark_of(line);
}

int hol_cell_count(const char *line, char separator)
{
    int n = separator != ' ';
    for (; separator != ' ' && *line; line++) n += *line == separator;
    while (separator == ' ' && *(line += strspn(line, " \t\r\n"))) {
        line += strcspn(line, " \t\r\n");
        n++;
    }
    return n;
}

// ---- units ----------------------------------------------------------------------------------------------------

static const char blanks[] = " \t\r\n", opening[] = "[({\"'", closing[] = "])}\"'";

// The next cell of a list that is only read, without blanks, quotation marks and brackets around it; NULL: there is none.
static const char *peel(const char *list, char separator, char cell[HOL_CELL], bool *bracket)
{
    const char *begin = list + (separator == ' ' ? strspn(list, blanks) : 0);
    if (separator == ' ' && !*begin) return NULL;
    size_t n = separator == ' ' ? strcspn(begin, blanks) : 0;
    while (separator != ' ' && begin[n] && begin[n] != separator) n++;
    const char *next = begin + n + (begin[n] != 0);
    const bool last = !begin[n];
    const char *in;
    for (; n && strchr(blanks, *begin); n--) begin++;
    while (n && strchr(blanks, begin[n - 1])) n--;
    *bracket = false;
    while (n > 1 && (in = strchr(opening, *begin)) &&
           memchr(begin + 1, closing[in - opening], n - 1) == begin + n - 1) {
        *bracket = *bracket || in - opening < 3;
        begin++;
        n -= 2;
    }
    snprintf(cell, HOL_CELL, "%.*s", n < HOL_CELL ? (int)n : HOL_CELL - 1, begin);
    return last ? list + strlen(list) : next;
}

bool hol_cell_unit(const char *cell, hol_unit *out)
{
    *out = (hol_unit){.si = 1};
    return strcmp(cell, "-") == 0 || strcmp(cell, "1") == 0 || hol_unit_read(cell, out);
}

// What stands in the cells of a list.
typedef struct {
    int units;    // that are more than a number
    int others;   // neither a unit nor empty
    int brackets; // with brackets around it
} contents;

// Reads the cells of out->list.
static contents look(hol_units_line *out)
{
    contents found = {0};
    char cell[HOL_CELL];
    bool bracket;
    hol_unit unit;
    double number;
    out->n = out->wrong = 0;
    for (const char *p = out->list; p && (*p || !out->n);) {
        const char *from = p;
        p = peel(p, out->separator, cell, &bracket);
        if (!p) break;
        out->n++;
        const bool known = hol_cell_unit(cell, &unit);
        found.units += known && !hol_cell_number(cell, &number) && strcmp(cell, "-") != 0;
        found.others += *cell && !known;
        found.brackets += bracket;
        if (*cell && !known && !out->wrong) {
            out->wrong = out->n;
            snprintf(out->cell, HOL_CELL, "%s", cell);
        }
        if (!*p && out->separator != ' ' && p > from && p[-1] == out->separator) out->n++; // an empty one
    }
    return found;
}

// What follows the word "units" or "unit"; NULL: the text begins otherwise. *says: a colon or an equals sign is there.
static const char *behind_word(const char *text, bool *says)
{
    static const char word[] = "units";
    size_t n = 0;
    while (n < strlen(word) && (text[n] | 32) == word[n]) n++;
    if (n < strlen(word) - 1) return NULL;
    text += n;
    text += strspn(text, " \t");
    *says = *text == ':' || *text == '=';
    return text + *says;
}

// A name t above the first column is the time, no tonne.
static bool begins_with_time(const char *list)
{
    char cell[HOL_CELL];
    bool bracket;
    return peel(list, hol_cell_separator(list), cell, &bracket) && !bracket && strcmp(cell, "t") == 0;
}

void hol_units_line_read(const char *line, bool named, hol_units_line *out)
{
    *out = (hol_units_line){.list = NULL};
    line += strspn(line, " \t");
    const size_t mark = mark_of(line);
    bool says = false;
    line += mark;
    line += strspn(line, "#%!*/ \t");
    const char *list = mark ? behind_word(line, &says) : NULL;
    const bool word = list != NULL;
    hol_units_line u = {.list = word ? list : line};
    u.separator = hol_cell_separator(u.list);
    const contents in = look(&u);
    if (says) {
        *out = u;
        return;
    }
    if (!in.units || (!named && !word && begins_with_time(u.list))) return;
    const bool all = !in.others && (!mark || word || u.separator != ' ');
    // what is meant for units, and is not known as such
    const bool meant = !mark && in.others && (named || in.brackets == u.n);
    if (all || meant) *out = u;
}

const char *hol_units_line_next(const hol_units_line *u, const char *list, char text[HOL_CELL])
{
    bool bracket;
    *text = 0;
    return list && *list ? peel(list, u->separator, text, &bracket) : NULL;
}

bool hol_units_line_at(const hol_units_line *u, int column, char text[HOL_CELL], hol_unit *out)
{
    const char *p = u->list;
    for (int i = 0; i <= column; i++) p = hol_units_line_next(u, p, text);
    return *text && hol_cell_unit(text, out);
}
