// Reference pages for people, the same content as plain text for a terminal or as Markdown: headings, wrapped
// paragraphs, examples, tables.
#include "io/page.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { LINE_WIDTH = 110, MARGIN = 2, TABLE_MARGIN = 6, GAP = 2, WIDEST = 34 };

void hol_page_start(hol_page *p, hol_text_form form, hol_print_fn print, void *user)
{
    memset(p, 0, offsetof(hol_page, text));
    p->form = form;
    p->print = print;
    p->user = user;
}

void hol_page_find(hol_page *p, const char *wanted)
{
    p->wanted = wanted;
    p->whole = 0;
    p->found = false;
    memset(p->above, 0, sizeof p->above);
    if (wanted) hol_nearest_start(&p->nearest, wanted);
}

// hol_nearest_try keeps a pointer, and the names here do not last.
static void try_name(hol_page *p, const char *name)
{
    const char *before = p->nearest.best;
    hol_nearest_try(&p->nearest, name);
    if (p->nearest.best == before) return;
    snprintf(p->best, sizeof p->best, "%s", name);
    p->nearest.best = p->best;
}

// "DX(to, from)" is called DX, "units of values" units, and "Transfer functions" transfer_functions.
static bool is_called(hol_page *p, const char *text, size_t end)
{
    char name[64];
    size_t n = 0;
    const size_t length = strlen(p->wanted);
    for (; n < end && text[n] != '(' && n + 1 < sizeof name; n++)
        name[n] = n < length && text[n] == ' ' && p->wanted[n] == '_' ? '_' : text[n];
    name[n] = 0;
    try_name(p, name);
    const bool whole = n >= length && (!name[length] || name[length] == ' ');
    if (whole) name[length] = 0;
    return whole && hol_same_name(name, p->wanted);
}

// Of several names, "kink, corner", one is enough.
static bool is_wanted(hol_page *p, const char *text)
{
    bool called = false;
    while (text && !called) {
        const char *comma = strstr(text, ", "), *bracket = strchr(text, '(');
        if (bracket && comma > bracket) comma = NULL;
        called = is_called(p, text, comma ? (size_t)(comma - text) : strlen(text));
        text = comma ? comma + 2 : NULL;
    }
    return called;
}

static bool is_hidden(const hol_page *p) { return p->wanted && !p->whole; }

static bool markdown(const hol_page *p) { return p->form == HOL_MARKDOWN; }

static void spaces(const hol_page *p, int n)
{
    for (int i = 0; i < n; i++) p->print(p->user, " ");
}

// Characters, not bytes: those of UTF-8 that continue one are not counted.
static int width_of(const char *text, size_t bytes)
{
    int n = 0;
    for (size_t i = 0; i < bytes; i++) n += ((unsigned char)text[i] & 0xc0) != 0x80;
    return n;
}

// Words from column `column` on; further lines start at column `indent`.
static void wrap(const hol_page *p, const char *text, int column, int indent)
{
    char word[200];
    for (bool first = true; *text; first = false) {
        const size_t n = strcspn(text, " "), kept = n < sizeof word - 1 ? n : sizeof word - 1;
        const int width = width_of(text, n);
        memcpy(word, text, kept);
        word[kept] = 0;
        if (!first && column + 1 + width > LINE_WIDTH) {
            p->print(p->user, "\n");
            spaces(p, indent);
            column = indent;
        } else if (!first) {
            p->print(p->user, " ");
            column++;
        }
        p->print(p->user, word);
        column += width;
        text += n + (text[n] == ' ');
    }
    p->print(p->user, "\n");
}

// ---- headings and paragraphs ----------------------------------------------------------------------------------

static void print_heading(hol_page *p, int level, const char *text, const char *note);

// The headings below this level that have not been printed yet.
static void print_above(hol_page *p, int level)
{
    for (int i = 1; i < level; i++) {
        if (p->above[i]) print_heading(p, i, p->above[i], "");
        p->above[i] = NULL;
    }
}

void hol_page_heading(hol_page *p, int level, const char *text, const char *note)
{
    if (p->wanted) {
        for (int i = level; i < HOL_COUNT(p->above); i++) p->above[i] = NULL;
        if (p->whole >= level) p->whole = 0;
        if (!p->whole && is_wanted(p, text)) {
            p->whole = level;
            p->found = true;
        }
        if (!p->whole) p->above[level] = text;
        if (!p->whole) return;
        print_above(p, level);
    }
    print_heading(p, level, text, note);
}

// A heading in Markdown, or indented text of the terminal.
static void print_heading(hol_page *p, int level, const char *text, const char *note)
{
    char line[200];
    p->margin = level == 3 ? 2 * MARGIN : MARGIN;
    if (markdown(p)) {
        snprintf(line, sizeof line, "%.*s %s\n\n", level, "###", text);
        p->print(p->user, line);
        if (*note) {
            p->print(p->user, note);
            p->print(p->user, ".\n\n");
        }
        return;
    }
    snprintf(line, sizeof line, "%s%-26s  %s", level == 3 ? "  " : "", text, note);
    size_t n = strlen(line);
    while (n > 0 && line[n - 1] == ' ') line[--n] = 0;
    for (char *c = line; level < 3 && *c; c++)
        if (*c >= 'a' && *c <= 'z') *c = (char)(*c - 'a' + 'A');
    p->print(p->user, line);
    p->print(p->user, level == 3 ? "\n" : "\n\n");
}

void hol_page_paragraph(hol_page *p, const char *text)
{
    if (is_hidden(p)) return;
    if (markdown(p)) {
        p->print(p->user, text);
        p->print(p->user, "\n\n");
        return;
    }
    spaces(p, p->margin);
    wrap(p, text, p->margin, p->margin);
    p->print(p->user, "\n");
}

void hol_page_example(hol_page *p, const char *text)
{
    char line[200];
    if (is_hidden(p)) return;
    while (*text) {
        const size_t n = strcspn(text, "\n");
        snprintf(line, sizeof line, "%*s%.*s\n", markdown(p) ? 4 : TABLE_MARGIN, "", (int)n, text);
        p->print(p->user, line);
        text += n + (text[n] == '\n');
    }
    p->print(p->user, "\n");
}

// ---- tables ---------------------------------------------------------------------------------------------------

static const char *keep(hol_page *p, const char *text)
{
    const size_t n = text ? strlen(text) + 1 : 0;
    if (!text) return NULL;
    assert(p->used + n <= HOL_PAGE_TEXT);
    memcpy(p->text + p->used, text, n);
    p->used += n;
    return p->text + p->used - n;
}

void hol_page_row(hol_page *p, const char *a, const char *b, const char *c, const char *d)
{
    assert(p->n_rows < HOL_PAGE_ROWS);
    const char **cell = p->cell[p->n_rows++];
    cell[0] = keep(p, a);
    cell[1] = keep(p, b);
    cell[2] = keep(p, c);
    cell[3] = keep(p, d);
}

// Text of a Markdown cell: what would be taken for markup is escaped, inside code only the bar.
static void print_cell(const hol_page *p, const char *text, bool code)
{
    char c[3] = {'\\', 0, 0};
    p->print(p->user, code ? "| `" : "| ");
    for (; *text; text++) {
        const bool escape = *text == '|' || (!code && strchr("*<[", *text));
        c[escape] = *text;
        if (escape) c[0] = '\\';
        c[escape + 1] = 0;
        p->print(p->user, c);
    }
    p->print(p->user, code ? "` " : " ");
}

// A table of columns with their titles.
static void markdown_table(const hol_page *p, const char *const *titles, int n)
{
    for (int k = 0; k < n; k++) print_cell(p, titles[k], false);
    p->print(p->user, "|\n");
    for (int k = 0; k < n; k++) p->print(p->user, "|---");
    p->print(p->user, "|\n");
    for (int i = 0; i < p->n_rows; i++) {
        for (int k = 0; k < n; k++) print_cell(p, p->cell[i][k], k == 0);
        p->print(p->user, "|\n");
    }
}

// Columns but the last are as wide as their widest cell, up to WIDEST: a wider cell goes on until the end of the line, and
// what follows it begins on the next one.
static void plain_table(const hol_page *p, int n)
{
    int width[HOL_PAGE_COLUMNS] = {0};
    for (int k = 0; k < n - 1; k++)
        for (int i = 0; i < p->n_rows; i++) {
            const int w = width_of(p->cell[i][k], strlen(p->cell[i][k]));
            width[k] = w > WIDEST ? WIDEST : w > width[k] ? w : width[k];
        }
    for (int i = 0; i < p->n_rows; i++) {
        int column = TABLE_MARGIN;
        spaces(p, TABLE_MARGIN);
        for (int k = 0; k < n - 1; k++) {
            if (!width[k]) continue;
            const int w = width_of(p->cell[i][k], strlen(p->cell[i][k]));
            column += width[k] + GAP;
            if (w > width[k])
                wrap(p, p->cell[i][k], column - width[k] - GAP, column - width[k] - GAP);
            else
                p->print(p->user, p->cell[i][k]);
            spaces(p, w > width[k] ? column : width[k] + GAP - w);
        }
        wrap(p, p->cell[i][n - 1], column, column);
    }
}

// Is the word that is wanted one of those to choose from, "box or cylinder"?
static bool is_choice(const hol_page *p, const char *what)
{
    const size_t n = strlen(p->wanted);
    const char *end = strchr(what, ',');
    for (const char *c = strstr(what, p->wanted); n && c && (!end || c < end); c = strstr(c + 1, p->wanted)) {
        const bool begins = c == what || (c - what >= 4 && memcmp(c - 4, " or ", 4) == 0);
        if (begins && strstr(what, " or ") && (!c[n] || c[n] == ',' || c[n] == ' ')) return true;
    }
    return false;
}

// Of the rows those that are wanted, under the headings they stand below.
static void pick_rows(hol_page *p)
{
    int kept = 0;
    for (int i = 0; i < p->n_rows; i++)
        if (is_wanted(p, p->cell[i][0]) || (p->cell[i][2] && is_choice(p, p->cell[i][2])))
            memmove(p->cell[kept++], p->cell[i], sizeof p->cell[i]);
    p->n_rows = kept;
    if (kept) print_above(p, HOL_COUNT(p->above));
    p->found = p->found || kept;
}

void hol_page_table(hol_page *p, const char *const titles[HOL_PAGE_COLUMNS])
{
    int n = 0;
    if (is_hidden(p)) {
        pick_rows(p);
        if (!p->n_rows) {
            p->used = 0;
            return;
        }
    }
    while (n < HOL_PAGE_COLUMNS && titles[n]) n++;
    if (p->n_rows && markdown(p))
        markdown_table(p, titles, n);
    else if (p->n_rows)
        plain_table(p, n);
    p->print(p->user, "\n");
    p->n_rows = 0;
    p->used = 0;
}

// ---- option rows ----------------------------------------------------------------------------------------------

static bool contains(const char *text, const char *word) { return strstr(text, word) != NULL; }

static bool is_numeric(const hol_option *o)
{
    return o->kind == HOL_TUPLE ||
           (o->kind <= HOL_FUNCTIONS && o->kind != HOL_FLAG && o->kind != HOL_TEXT && o->kind != HOL_CHOICE);
}

// "0 .. 1", "> 0, <= 1", ">= 0"; "" for all numbers
static void range_text(const hol_option *o, char *out, size_t room)
{
    const bool low = is_numeric(o) && o->min > -HOL_INF, high = is_numeric(o) && o->max < HOL_INF;
    const char *above = o->flags & HOL_ABOVE ? ">" : ">=";
    if (low && high && !(o->flags & HOL_ABOVE))
        hol_decimal_print(out, room, "%.4g .. %.4g", o->min, o->max);
    else if (low && high)
        hol_decimal_print(out, room, "%s %.4g, <= %.4g", above, o->min, o->max);
    else if (low)
        hol_decimal_print(out, room, "%s %.4g", above, o->min);
    else if (high)
        hol_decimal_print(out, room, "<= %.4g", o->max);
    else
        *out = 0;
}

// The default of an option, as the manual writes it.
static void default_text(const hol_option *o, char *out, size_t room)
{
    const bool told = contains(o->doc, "default");
    *out = 0;
    if (o->flags & HOL_REQUIRED)
        snprintf(out, room, "required");
    else if (o->kind == HOL_CHOICE && !told)
        snprintf(out, room, "default %.*s", (int)strcspn(o->choices, "|"), o->choices);
    else if (o->kind == HOL_FLAG)
        snprintf(out, room, "default %s", o->def != 0 ? "yes" : "no");
    else if (is_numeric(o) && o->kind != HOL_TUPLE && o->def == o->def && !told)
        hol_decimal_print(out, room, "default %.6g", o->def);
}

enum { WHAT = 300 }; // characters of what may be written

// What may be written there: kind, default, range.
static void what_text(const hol_option *o, bool name_dimension, char out[WHAT])
{
    static const char *const kinds[] = {[HOL_NUMBER] = "number",
                                        [HOL_INTEGER] = "whole number",
                                        [HOL_FLAG] = "yes or no",
                                        [HOL_TEXT] = "text",
                                        [HOL_VECTOR] = "vector",
                                        [HOL_NUMBERS] = "numbers",
                                        [HOL_MATRIX] = "diagonal or rows",
                                        [HOL_FUNCTION] = "f(time)",
                                        [HOL_FUNCTIONS] = "f(time), one or a list",
                                        [HOL_SPLINE] = "name of a spline",
                                        [HOL_NAME] = "text",
                                        [HOL_METHOD] = "text",
                                        [HOL_UNIT] = "text"};
    const bool leaves = o->flags & HOL_LEAVES; // more than time
    char part[4][WHAT] = {""};
    if (o->kind == HOL_CHOICE) {
        size_t n = 0;
        for (const char *c = o->choices; *c && n < WHAT - 10; c++)
            n += (size_t)snprintf(part[0] + n, sizeof part[0] - n, *c == '|' ? " or " : "%c", *c);
    } else if (leaves)
        snprintf(part[0], sizeof part[0], "%s",
                 o->kind == HOL_FUNCTIONS ? "expression, one or a list" : "expression");
    else if (o->kind == HOL_TUPLE)
        snprintf(part[0], sizeof part[0], "%d numbers", (int)o->def);
    else if (o->kind < HOL_COUNT(kinds) && kinds[o->kind])
        snprintf(part[0], sizeof part[0], "%s", kinds[o->kind]);
    default_text(o, part[1], sizeof part[1]);
    range_text(o, part[2], sizeof part[2]);
    if (name_dimension && o->flags & HOL_ONLY_2D) snprintf(part[3], sizeof part[3], "2D only");
    if (name_dimension && o->flags & HOL_ONLY_3D) snprintf(part[3], sizeof part[3], "3D only");
    size_t n = 0;
    *out = 0;
    for (int i = 0; i < 4; i++)
        if (*part[i] && n < WHAT) n += (size_t)snprintf(out + n, WHAT - n, "%s%s", n ? ", " : "", part[i]);
}

void hol_page_options(hol_page *p, const hol_option *table, int dimension)
{
    char what[WHAT];
    for (const hol_option *o = table; o && o->key; o++) {
        if ((dimension == 2 && o->flags & HOL_ONLY_3D) || (dimension == 3 && o->flags & HOL_ONLY_2D))
            continue;
        what_text(o, dimension == 0, what);
        hol_page_row(p, o->key, o->unit, what, o->doc);
    }
}

void hol_page_option_table(hol_page *p)
{
    static const char *const titles[HOL_PAGE_COLUMNS] = {"key", "unit", "value", "meaning"};
    hol_page_table(p, titles);
}
