// Reading CSV results: comment lines with #, one line of column names, then numbers.
#include "cli/result.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    cli_result *r;
    FILE *file;
    char *line, *units; // the line read last; what follows "# units: "
    size_t room, capacity;
    long number;
} reader;

static bool fail(const reader *in, const char *what)
{
    if (in->number)
        fprintf(stderr, "%s:%ld: error: %s\n", in->r->file, in->number, what);
    else
        fprintf(stderr, "%s: error: %s\n", in->r->file, what);
    return false;
}

static bool out_of_memory(const reader *in) { return fail(in, "out of memory"); }

static char *copy(const char *text, size_t n)
{
    char *c = malloc(n + 1);
    if (!c) return NULL;
    memcpy(c, text, n);
    c[n] = 0;
    return c;
}

// Next line without its end. *whole: it had an end.
static bool next_line(reader *in, bool *whole)
{
    const ssize_t n = getline(&in->line, &in->room, in->file);
    if (n < 0) return false;
    size_t length = strlen(in->line); // up to a NUL byte, which no result has
    *whole = length && in->line[length - 1] == '\n';
    while (length && (in->line[length - 1] == '\n' || in->line[length - 1] == '\r')) in->line[--length] = 0;
    in->number++;
    return true;
}

// "# holonom 0.1.0: TITLE" or "# units: s,m,.."
static bool read_comment(reader *in)
{
    const char *colon = strstr(in->line, ": ");
    if (strncmp(in->line, "# units: ", 9) == 0) {
        free(in->units);
        in->units = copy(in->line + 9, strlen(in->line + 9));
        return in->units || out_of_memory(in);
    }
    if (in->number > 1 || strncmp(in->line, "# holonom ", 10) != 0 || !colon) return true;
    in->r->title = copy(colon + 2, strlen(colon + 2));
    return in->r->title || out_of_memory(in);
}

static int count_fields(const char *line)
{
    int n = 1;
    for (const char *c = line; *c; c++) n += *c == ',';
    return n;
}

// Splits at commas into n texts; missing ones are "".
static bool split(const char *line, char **out, int n)
{
    for (int i = 0; i < n; i++) {
        const size_t length = line ? strcspn(line, ",") : 0;
        out[i] = copy(line ? line : "", length);
        if (!out[i]) return false;
        line = line && line[length] ? line + length + 1 : NULL;
    }
    return true;
}

static bool read_header(reader *in)
{
    cli_result *r = in->r;
    const int n = count_fields(in->line);
    char *end;
    strtod(in->line, &end);
    if (end != in->line)
        return fail(in, "a line with the names of the columns is wanted here; is this a result file?");
    if (n < 2)
        return fail(in, "there is one column only; a result has the time and signals, separated by commas");
    r->n_columns = n;
    r->name = calloc((size_t)n, sizeof *r->name);
    r->unit = calloc((size_t)n, sizeof *r->unit);
    if (!r->name || !r->unit || !split(in->line, r->name, n) || !split(in->units, r->unit, n))
        return out_of_memory(in);
    for (int i = 0; i < n; i++)
        if (strcmp(r->unit[i], "1") == 0) r->unit[i][0] = 0;
    return true;
}

static bool read_row(reader *in, bool whole)
{
    cli_result *r = in->r;
    const size_t n = (size_t)r->n_columns;
    char text[120];
    const int fields = count_fields(in->line);
    if (!whole && fields <= r->n_columns) return true; // the run that writes it is not through with this line
    if (fields != r->n_columns) {
        snprintf(text, sizeof text, "%d values, there are %d columns", fields, r->n_columns);
        return fail(in, text);
    }
    if ((r->n_rows + 1) * n > in->capacity) {
        const size_t more = 2 * in->capacity + 1024 * n;
        double *value = realloc(r->value, more * sizeof *value);
        if (!value) return out_of_memory(in);
        r->value = value;
        in->capacity = more;
    }
    double *out = r->value + r->n_rows * n;
    char *p = in->line;
    for (size_t i = 0; i < n; i++) {
        char *end;
        out[i] = strtod(p, &end);
        if (end == p || (*end != ',' && *end)) {
            snprintf(text, sizeof text, "column %zu, %.40s: \"%.*s\" is not a number", i + 1, r->name[i],
                     (int)strcspn(p, ","), p);
            return fail(in, text);
        }
        p = end + (*end == ',');
    }
    r->n_rows++;
    return true;
}

static bool read_all(reader *in)
{
    bool good = true, whole = false;
    while (good && next_line(in, &whole)) {
        if (*in->line == '#')
            good = read_comment(in);
        else if (!*in->line)
            continue;
        else
            good = in->r->name ? read_row(in, whole) : read_header(in);
    }
    if (!good) return false;
    if (ferror(in->file)) return fail(in, strerror(errno));
    in->number = 0;
    if (!in->r->name) return fail(in, "the file holds no results");
    return in->r->n_rows > 0 || fail(in, "the file holds no results, only the names of columns");
}

bool cli_result_read(const char *file, cli_result *out)
{
    memset(out, 0, sizeof *out);
    out->file = file;
    reader in = {.r = out};
    in.file = strcmp(file, "-") == 0 ? stdin : fopen(file, "r");
    bool good = in.file || fail(&in, strerror(errno));
    if (good) good = read_all(&in);
    if (in.file && in.file != stdin) fclose(in.file);
    free(in.line);
    free(in.units);
    if (!good) cli_result_free(out);
    return good;
}

static void free_texts(char **text, int n)
{
    for (int i = 0; text && i < n; i++) free(text[i]);
    free(text);
}

void cli_result_free(cli_result *r)
{
    free(r->title);
    free_texts(r->name, r->n_columns);
    free_texts(r->unit, r->n_columns);
    free(r->value);
    memset(r, 0, sizeof *r);
}
