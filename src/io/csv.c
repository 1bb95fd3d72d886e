// CSV files: comment lines with #, one header line with the column names, one line per output time.
#include "base/file.h"
#include "expr/cells.h"
#include "io/number_text.h"
#include "io/summary.h"
#include "io/table.h"
#include "model/grammar.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LINE = 1 << 30 }; // [B]

// ---- writing --------------------------------------------------------------------------------------------------

typedef struct {
    hol_context *ctx;
    const hol_dynamics *d;
    hol_output output;
    FILE *file; // of it
    char *path;
    double flushed; // when [s]
    bool shown;     // in units that are not those of SI
} csv;

static hol_status fail(const csv *c)
{
    return hol_fail(c->ctx, HOL_ERR_IO, "%s: cannot be written: %s%s", c->path, strerror(errno),
                    hol_output_lost(&c->output));
}

// One line of numbers, each with as few digits as read back to the same number.
static hol_status row(void *data, double t, const double *value, int n)
{
    csv *c = data;
    char text[32];
    const hol_signals *g = &c->d->signals;
    int k = hol_number_text(c->shown ? t * g->time_factor : t, text);
    bool good = fwrite(text, 1, (size_t)k, c->file) == (size_t)k;
    for (int i = 0; i < n && good; i++) {
        k = hol_number_text(c->shown ? value[i] * g->column[i].factor : value[i], text);
        good = putc(',', c->file) != EOF && fwrite(text, 1, (size_t)k, c->file) == (size_t)k;
    }
    good = good && putc('\n', c->file) != EOF;
    if (good && hol_flush_due(&c->flushed)) good = fflush(c->file) == 0;
    return good ? HOL_OK : fail(c);
}

bool hol_csv_tail(FILE *f, const hol_dynamics *d)
{
    const char *why = d->stats.status ? hol_context_error(d->ctx) : "";
    return !*why || fprintf(f, "# stopped: %.*s\n", (int)strcspn(why, "\n"), why) > 0;
}

static hol_status close_file(void *data)
{
    csv *c = data;
    hol_status st = !c->file || hol_csv_tail(c->file, c->d) ? HOL_OK : fail(c);
    if (!hol_output_close(&c->output, true) && !st) st = hol_output_fail(c->ctx, &c->output, c->path);
    hol_free(c->path);
    hol_free(c);
    return st;
}

// Where each reaction acts, one comment line per joint.
static void write_reactions(FILE *f, const hol_dynamics *d)
{
    const hol_signals *g = &d->signals;
    const hol_element *last = NULL;
    fprintf(f,
            "# reactions: force and torque on the second body, at its joint marker, in the marker's axes\n");
    for (int i = 0; i < g->n; i++) {
        const hol_element *e = g->column[i].element;
        if (!e || !e->n_ends || e == last) continue;
        char end[1024];
        last = e;
        fprintf(f, "# %s: on %s\n", e->name, hol_model_end(d->m, e, e->n_ends - 1, end, sizeof end));
    }
}

// Which reactions are no more than one of many possible, by column like the units; nothing if all are unique.
static void write_uniqueness(FILE *f, const hol_dynamics *d)
{
    const hol_signals *g = &d->signals;
    if (!g->open_reactions) return;
    fprintf(
        f,
        "# shared: redundant equations share it, given is the value of the multipliers of smallest norm\n");
    fprintf(f, "# uniqueness: ");
    for (int i = 0; i < g->n; i++)
        fprintf(f, ",%s",
                hol_signal_is_reaction(&g->column[i]) ? hol_uniqueness_word(g->column[i].uniqueness) : "");
    fprintf(f, "\n");
}

// The text of a model that is no file, a comment line for each of its own.
static void write_text(FILE *f, const char *text)
{
    while (text && *text) {
        const int n = (int)strcspn(text, "\r\n");
        fprintf(f, "# text %.*s\n", n, text);
        text += n;
        text += strncmp(text, "\r\n", 2) == 0 ? 2 : *text != 0;
    }
}

// Units of a run's columns, or of a result's; the first is the time.
typedef struct {
    const hol_signals *g;
    const hol_result *r;
    int n;
} columns;

static const char *shown_unit(const columns *c, int i, const char **si, double *factor)
{
    *si = c->r ? c->r->unit[i] : i ? c->g->column[i - 1].unit : "s";
    if (c->r) return hol_result_shown(c->r, i, factor);
    *factor = i ? c->g->column[i - 1].factor : c->g->time_factor;
    return i ? c->g->column[i - 1].shown : c->g->time_shown;
}

static bool are_si(const columns *c)
{
    const char *si;
    double factor;
    for (int i = 0; i < c->n; i++) {
        const char *shown = shown_unit(c, i, &si, &factor);
        if (strcmp(shown, si) != 0) return false;
    }
    return true;
}

static void write_word(FILE *f, int i, const char *unit)
{
    fprintf(f, "%s%s", i ? "," : "", *unit ? unit : "1");
}

// "# units: s,mm", and the way back where these are not those of SI: "# units in SI: s,m", "# factors from SI: 1,1000".
static void write_units(FILE *f, const columns *c)
{
    const char *si;
    double factor;
    char text[32];
    fprintf(f, "# units: ");
    for (int i = 0; i < c->n; i++) write_word(f, i, shown_unit(c, i, &si, &factor));
    if (!are_si(c)) {
        fprintf(f, "\n# units in SI: ");
        for (int i = 0; i < c->n; i++) {
            shown_unit(c, i, &si, &factor);
            write_word(f, i, si);
        }
        fprintf(f, "\n# factors from SI: ");
        for (int i = 0; i < c->n; i++) {
            shown_unit(c, i, &si, &factor);
            hol_number_text(factor, text);
            write_word(f, i, text);
        }
    }
    fprintf(f, "\n");
}

void hol_csv_head(FILE *f, const hol_dynamics *d)
{
    char hash[HOL_MODEL_HASH];
    hol_model_hash_text(d->m->spec, hash);
    fprintf(f, "# holonom %s: %s\n", HOL_VERSION, d->m->title ? d->m->title : d->m->spec->file);
    fprintf(f, "# model %s, method %s\n", d->m->spec->file, d->set.method->name);
    fprintf(f, "# hash of the model, and with its shapes: %s\n", hash);
    for (int i = 0; i < d->m->spec->n_overrides; i++) fprintf(f, "# set %s\n", d->m->spec->override[i]);
    write_text(f, d->m->spec->text);
}

// Comment lines above the columns: model, method, what the model said, overrides, what reactions act on and whether they are
// unique, units.
static bool write_header(FILE *f, const hol_dynamics *d)
{
    const hol_signals *g = &d->signals;
    hol_csv_head(f, d);
    if (g->wants_reactions) write_reactions(f, d);
    write_uniqueness(f, d);
    const columns all = {.g = g, .n = g->n + 1};
    write_units(f, &all);
    fprintf(f, "t");
    for (int i = 0; i < g->n; i++) fprintf(f, ",%s", g->column[i].name);
    return putc('\n', f) != EOF && fflush(f) == 0;
}

// Opens the file, writes the comment lines and the header line; the sink writes one line per output time.
static hol_status csv_open(hol_context *ctx, const char *path, const hol_dynamics *d, hol_sink *out)
{
    csv *c = hol_calloc(ctx, 1, sizeof *c);
    if (!c) return HOL_ERR_MEMORY;
    c->ctx = ctx;
    c->d = d;
    c->path = hol_calloc(ctx, strlen(path) + 1, 1);
    if (c->path) memcpy(c->path, path, strlen(path));
    hol_status st = c->path ? HOL_OK : HOL_ERR_MEMORY;
    if (!st && !hol_output_open(ctx, &c->output, path, HOL_OUTPUT_GROWS))
        st = hol_output_fail(ctx, &c->output, path);
    c->file = c->output.file;
    const columns all = {.g = &d->signals, .n = d->signals.n + 1};
    c->shown = !are_si(&all);
    if (!st && !write_header(c->file, d)) st = fail(c);
    if (!st && !hol_output_place(&c->output)) st = hol_output_fail(ctx, &c->output, path);
    if (st) {
        (void)hol_output_close(&c->output, false);
        c->file = NULL;
        close_file(c);
        return st;
    }
    const hol_sink sink = {c, row, close_file, NULL};
    *out = sink;
    return HOL_OK;
}

// "# kind: 0 rigid-body, 1 oscillation"
static void write_flags(FILE *f, const char *name, const char *words)
{
    fprintf(f, "# %s: 0 ", name);
    for (int i = 0; *words; words++)
        if (*words == ' ')
            fprintf(f, ", %d ", ++i);
        else
            putc(*words, f);
    putc('\n', f);
}

// What a table of numbered rows says about itself.
static void write_notes(FILE *f, const hol_sheet *t)
{
    fprintf(f, "# holonom %s\n", HOL_VERSION);
    for (int i = 0; i < t->n_notes; i++) fprintf(f, "# %s: %s\n", t->key[i], t->text[i]);
    for (int i = 0; i < t->n_columns; i++)
        if (t->flags[i]) write_flags(f, t->name[i], t->flags[i]);
}

// What a result says about itself, as `read_comment` takes it. The text of the model is there although its file is: the model
// may have been changed since it was read, the file too.
static void write_origin(FILE *f, const hol_result *r)
{
    const char *source = hol_result_note(r, "source"), *model = hol_result_note(r, "model_file"),
               *method = hol_result_note(r, "method"), *hash = hol_result_note(r, "model_hash"),
               *set = hol_result_note(r, "set"), *stopped = hol_result_note(r, "stopped"),
               *tolerance = hol_result_note(r, "tolerance");
    fprintf(f, "# %s: %s\n", source ? source : "holonom " HOL_VERSION, r->title ? r->title : r->file);
    if (model && method) fprintf(f, "# model %s, method %s\n", model, method);
    if (tolerance) fprintf(f, "# tolerance %s\n", tolerance);
    if (hash) fprintf(f, "# hash of the model, and with its shapes: %s\n", hash);
    for (; set && *set; set += strcspn(set, "\n"), set += *set == '\n')
        fprintf(f, "# set %.*s\n", (int)strcspn(set, "\n"), set);
    write_text(f, hol_result_note(r, "model_text"));
    if (stopped) fprintf(f, "# stopped: %.*s\n", (int)strcspn(stopped, "\n"), stopped);
}

// Notes, units, columns, rows.
static bool write_sheet(FILE *f, const hol_sheet *t)
{
    char text[32];
    double first;
    if (t->result)
        write_origin(f, t->result);
    else
        write_notes(f, t);
    const columns all = {.r = t->result, .n = t->n_columns + 1};
    if (t->result)
        write_units(f, &all);
    else
        fprintf(f, "# units: 1");
    for (int i = 0; i < t->n_columns && !t->result; i++) fprintf(f, ",%s", *t->unit[i] ? t->unit[i] : "1");
    fprintf(f, "%s%s", t->result ? "" : "\n", t->row);
    for (int i = 0; i < t->n_columns; i++) fprintf(f, ",%s", t->name[i]);
    for (int k = 0; k < t->n_rows; k++) {
        const double *value = hol_sheet_row(t, (size_t)k, &first);
        double factor = 1;
        if (t->result) hol_result_shown(t->result, 0, &factor);
        hol_number_text(first * factor, text);
        fprintf(f, "\n%s", text);
        for (int i = 0; i < t->n_columns; i++) {
            if (t->result) hol_result_shown(t->result, i + 1, &factor);
            hol_number_text(value[i] * factor, text);
            fprintf(f, ",%s", text);
        }
    }
    return putc('\n', f) != EOF && !ferror(f);
}

// Notes as comment lines, then names and rows.
static hol_status csv_sheet(hol_context *ctx, const char *path, const hol_sheet *sheet)
{
    hol_output o;
    const bool good = hol_output_open(ctx, &o, path, HOL_OUTPUT_WHOLE) && write_sheet(o.file, sheet);
    return hol_output_close(&o, good) ? HOL_OK : hol_output_fail(ctx, &o, path);
}

// ---- reading --------------------------------------------------------------------------------------------------

typedef struct {
    hol_result_data *d;
    FILE *file;
    char *line; // the one read last
    int room;
    hol_units_line units;     // of "# units: ", or of a line behind the names
    long units_at;            // its number; 0: none
    const char *si, *factors; // what follows "# units in SI: ", "# factors from SI: "
    long number;              // of the line; 0: the whole file is meant
    char *text;               // of the model, as far as it is read                          (n_text)
    int n_text, room_for_text;
} reader;

static hol_status wrong(const reader *in, const char *what)
{
    const char *file = in->d->r.file;
    if (!in->number) return hol_fail(in->d->ctx, HOL_ERR_IO, "%s: error: %s", file, what);
    return hol_fail(in->d->ctx, HOL_ERR_IO, "%s:%ld: error: %s", file, in->number, what);
}

// Next line without its end; *whole: it had an end, *end: there is none.
static hol_status next_line(reader *in, bool *whole, bool *end)
{
    size_t n = 0;
    *whole = *end = false;
    while (!*whole && !*end) {
        char *line = hol_grow(in->d->ctx, in->line, &in->room, (int)n + 1024, 1);
        if (!line) return HOL_ERR_MEMORY;
        in->line = line;
        *end = !fgets(line + n, in->room - (int)n, in->file);
        if (*end) break;
        const size_t more = strlen(line + n); // up to a NUL byte
        n += more;
        *whole = n && line[n - 1] == '\n';
        const bool filled = n + 1 == (size_t)in->room;
        if (!*whole && !filled && (!more || !feof(in->file))) {
            in->number++;
            return wrong(in, "a byte of value 0; is this a result file?");
        }
        if (n > MOST_LINE) return wrong(in, "a line of more than 1 GB; is this a result file?");
    }
    *end = *end && n == 0;
    in->line[n] = 0;
    while (n && (in->line[n - 1] == '\n' || in->line[n - 1] == '\r')) in->line[--n] = 0;
    const size_t mark = in->number++ ? 0 : hol_byte_order_mark(in->line);
    if (mark) memmove(in->line, in->line + mark, n - mark + 1);
    return HOL_OK;
}

// What follows the words at the beginning of the line; NULL: it begins otherwise.
static char *after(char *line, const char *words)
{
    const size_t n = strlen(words);
    return strncmp(line, words, n) == 0 ? line + n : NULL;
}

// "# model FILE, method NAME"
static hol_status read_model(hol_result_data *d, char *rest)
{
    static const char middle[] = ", method ";
    char *cut = NULL;
    for (char *p = rest; (p = strstr(p, middle)); p++) cut = p; // the last one: a file may be called anything
    if (!cut) return HOL_OK;
    *cut = 0;
    const hol_status st = hol_result_add_note(d, "model_file", rest);
    return st ? st : hol_result_add_note(d, "method", cut + strlen(middle));
}

// A line of the model's text.
static hol_status add_text(reader *in, const char *line)
{
    const int n = (int)strlen(line);
    if (!HOL_GROW(in->d->ctx, in->text, in->room_for_text, in->n_text + n + 2)) return HOL_ERR_MEMORY;
    memcpy(in->text + in->n_text, line, (size_t)n);
    in->n_text += n + 1;
    memcpy(in->text + in->n_text - 1, "\n", 2);
    return HOL_OK;
}

// A line that gives units; *found: this one does.
static hol_status find_units(reader *in, bool *found)
{
    const bool comment = *in->line == '#', named = in->d->r.name != NULL;
    hol_units_line u;
    char text[200];
    *found = false;
    if (!*in->line || (!comment && (!named || in->d->r.n_rows))) return HOL_OK;
    hol_units_line_read(in->line, named, &u);
    if (!u.list) return HOL_OK;
    hol_units_line_next(&u, u.list, text);
    if (named && !comment && strcmp(text, "t") == 0) // the time, no tonnes
        return wrong(in,
                     "the names of the columns stand above this line already: where that is a title, begin "
                     "it with #");
    *found = true;
    if (in->units_at || in->d->r.n_rows)
        return wrong(in, in->d->r.n_rows ? "units behind numbers: write them once, before the numbers"
                                         : "units a second time: write them once");
    in->units_at = in->number;
    if (u.wrong) {
        snprintf(text, sizeof text,
                 "\"%.40s\" of column %d is no unit; wanted is such as mm or N/m, and 1 for a pure number%s",
                 u.cell, u.wrong, comment ? "" : "; a title above the names begins with #");
        return wrong(in, text);
    }
    u.list = hol_arena_copy(in->d->arena, u.list, strlen(u.list));
    in->units = u;
    return u.list ? HOL_OK : HOL_ERR_MEMORY;
}

// Names of the columns and units are there: each column has its own.
static hol_status take_units(reader *in)
{
    hol_result *r = &in->d->r;
    char text[HOL_CELL + 100];
    if (in->units.n != r->n_columns) {
        snprintf(text, sizeof text, "%d units, and there are %d columns", in->units.n, r->n_columns);
        in->number = in->units_at;
        return wrong(in, text);
    }
    const char *p = in->units.list;
    for (int i = 0; i < r->n_columns; i++) {
        p = hol_units_line_next(&in->units, p, text);
        const bool pure = strcmp(text, "1") == 0 || strcmp(text, "-") == 0;
        r->unit[i] = hol_arena_copy(in->d->arena, text, pure ? 0 : strlen(text));
        if (!r->unit[i]) return HOL_ERR_MEMORY;
    }
    return HOL_OK;
}

// "# holonom 0.1.0: TITLE", "# hash of the model, ..", "# units: s,m,..", "# tolerance 1e-8", "# set PATH=VALUE", "# text LINE", "# stopped: WHY"; other comments say what columns are
static hol_status read_comment(reader *in)
{
    hol_result_data *d = in->d;
    char *rest, *colon = strstr(in->line, ": ");
    const bool si = (rest = after(in->line, "# units in SI: ")) != NULL;
    if (si || (rest = after(in->line, "# factors from SI: "))) {
        const char **out = si ? &in->si : &in->factors;
        *out = hol_arena_copy(d->arena, rest, strlen(rest));
        return *out ? HOL_OK : HOL_ERR_MEMORY;
    }
    if (in->number == 1 && colon && (rest = after(in->line, "# holonom "))) {
        d->r.title = hol_arena_copy(d->arena, colon + 2, strlen(colon + 2));
        *colon = 0;
        return d->r.title ? hol_result_add_note(d, "source", in->line + 2) : HOL_ERR_MEMORY;
    }
    if ((rest = after(in->line, "# model "))) return read_model(d, rest);
    if ((rest = after(in->line, "# hash of the model, and with its shapes: ")))
        return hol_result_add_note(d, "model_hash", rest);
    if ((rest = after(in->line, "# tolerance "))) return hol_result_add_note(d, "tolerance", rest);
    if ((rest = after(in->line, "# set "))) return hol_result_add_note(d, "set", rest);
    if ((rest = after(in->line, "# text "))) return add_text(in, rest);
    if ((rest = after(in->line, "# stopped: "))) return hol_result_add_note(d, "stopped", rest);
    return HOL_OK;
}

static int count_fields(const char *line)
{
    int n = 1;
    for (const char *c = line; *c; c++) n += *c == ',';
    return n;
}

// Splits at commas into n texts; missing ones are "".
static hol_status split(hol_arena *arena, const char *line, const char **out, int n)
{
    for (int i = 0; i < n; i++) {
        const size_t length = line ? strcspn(line, ",") : 0;
        out[i] = hol_arena_copy(arena, line ? line : "", length);
        if (!out[i]) return HOL_ERR_MEMORY;
        line = line && line[length] ? line + length + 1 : NULL;
    }
    return HOL_OK;
}

// Is it the first line of a model file? A key of models with a colon, in YAML or JSON, or what these begin with alone.
static bool begins_model(const char *line)
{
    char word[32];
    line += strspn(line, " \t");
    if (strcmp(line, "---") == 0 || strcmp(line, "{") == 0 || strncmp(line, "%YAML", 5) == 0) return true;
    line += strspn(line, "{ \"'");
    const size_t n = strspn(line, "abcdefghijklmnopqrstuvwxyz_");
    if (!n || n >= sizeof word || line[n + strspn(line + n, "\"' ")] != ':') return false;
    memcpy(word, line, n);
    word[n] = 0;
    return hol_option_find(hol_objects[0]->rows, word) != NULL;
}

// A brace alone begins any JSON: the line behind it tells.
static bool is_model(const reader *in)
{
    char next[200] = "";
    if (strcmp(in->line, "{") != 0) return begins_model(in->line);
    if (!fgets(next, sizeof next, in->file)) return true; // nothing of its own tells: it may be one
    next[strcspn(next, "\r\n")] = 0;
    return begins_model(next);
}

// The way from a model to its result.
static hol_status refuse_model(const reader *in)
{
    const char *file = in->d->r.file, *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file,
               *dot = strrchr(base, '.');
    const int stem = dot && dot != base ? (int)(dot - base) : (int)strlen(base);
    if (strcmp(file, "-") == 0)
        return hol_fail(
            in->d->ctx, HOL_ERR_IO,
            "-: error: a model, where a result is wanted; `holonom run MODEL -o result.csv` makes one");
    return hol_fail(in->d->ctx, HOL_ERR_IO,
                    "%s: error: a model, where a result is wanted; `holonom run %s -o %.*s.csv` makes one; "
                    "give %.*s.csv here",
                    file, file, stem, base, stem, base);
}

// In which units columns are shown; their values are brought back to SI.
static hol_status read_way_back(reader *in)
{
    hol_result *r = &in->d->r;
    const int n = r->n_columns;
    const char **si = hol_arena_alloc(in->d->arena, (size_t)n, sizeof *si), *p = in->factors;
    hol_status st = si ? split(in->d->arena, in->si, si, n) : HOL_ERR_MEMORY;
    for (int i = 0; i < n && !st; i++) {
        char *end;
        const double factor = hol_decimal_read(p, &end);
        if (end == p || *end != (i + 1 < n ? ',' : 0) || !(factor > 0) || !*si[i])
            return wrong(in, "units in SI and factors from SI do not fit the columns: leave both lines away, "
                             "the values are as they are then");
        p = end + 1;
        st = hol_result_show(in->d, i, r->unit[i], factor);
        r->unit[i] = strcmp(si[i], "1") == 0 ? "" : si[i];
    }
    return st;
}

// The line with the names of the columns, the first of which is the time.
static hol_status read_header(reader *in)
{
    hol_result *r = &in->d->r;
    const int n = count_fields(in->line);
    char *end;
    if (is_model(in)) return refuse_model(in);
    hol_decimal_read(in->line, &end);
    if (end != in->line)
        return wrong(in, "a line with the names of the columns is wanted here; is this a result file?");
    if (n < 2)
        return wrong(in, "there is one column only; a result has the time and signals, separated by commas; "
                         "where this line is a title, begin it with #");
    hol_status st = hol_result_columns(in->d, n);
    if (!st) st = split(in->d->arena, in->line, r->name, n);
    for (int i = 0; i < n && !st; i++) r->unit[i] = "";
    if (!st && in->units_at) st = take_units(in);
    return st || !in->si || !in->factors ? st : read_way_back(in);
}

// One line of numbers; a line that ends early at the end of the file means a result that was cut off.
static hol_status read_row(reader *in, bool whole)
{
    hol_result *r = &in->d->r;
    char text[120];
    const int fields = count_fields(in->line);
    if (!whole && fields <= r->n_columns) { // the last number may lack digits
        r->complete = false;
        return HOL_OK;
    }
    if (fields != r->n_columns) {
        snprintf(text, sizeof text, "%d values, there are %d columns", fields, r->n_columns);
        return wrong(in, text);
    }
    double *out = hol_result_rows(in->d, 1);
    if (!out) return HOL_ERR_MEMORY;
    char *p = in->line;
    for (int i = 0; i < r->n_columns; i++) {
        char *end;
        out[i] = hol_decimal_read(p, &end);
        // no 0x10, as in tables
        if (end == p || (*end != ',' && *end) || memchr(p, 'x', (size_t)(end - p)) ||
            memchr(p, 'X', (size_t)(end - p))) {
            snprintf(text, sizeof text, "column %d, %.40s: \"%.*s\" is not a number", i + 1, r->name[i],
                     (int)strcspn(p, ","), p);
            return wrong(in, text);
        }
        p = end + (*end == ',');
        if (r->factor) out[i] /= r->factor[i];
    }
    r->n_rows++;
    return HOL_OK;
}

// Comment lines, the header, then rows.
static hol_status read_lines(reader *in)
{
    hol_status st = HOL_OK;
    bool whole, end;
    while (!(st = next_line(in, &whole, &end)) && !end) {
        bool units;
        st = find_units(in, &units);
        if (st) return st;
        if (units)
            st = in->d->r.name ? take_units(in) : HOL_OK;
        else if (*in->line == '#')
            st = read_comment(in);
        else if (*in->line)
            st = in->d->r.name ? read_row(in, whole) : read_header(in);
        if (st) return st;
    }
    in->number = 0;
    if (!st && ferror(in->file)) return wrong(in, strerror(errno));
    if (!st && in->text) st = hol_result_add_note(in->d, "model_text", in->text);
    return st || in->d->r.name ? st : wrong(in, "the file holds no results");
}

// Also text from elsewhere: a line of names, the time first, and lines of numbers. path: "-" is standard input.
// The last line of a killed run may be cut off: it is left out, and the result is not complete.
static hol_status csv_read(hol_result_data *out, const char *path)
{
    reader in = {.d = out};
    char why[160];
    in.file = strcmp(path, "-") == 0 ? stdin : hol_open_input(path, true, 0, why, sizeof why);
    if (!in.file) return wrong(&in, why);
    const hol_status st = read_lines(&in);
    if (in.file != stdin) fclose(in.file);
    hol_free(in.line);
    hol_free(in.text);
    return st;
}

const hol_format hol_format_csv = {".csv", "text", .open = csv_open, .read = csv_read, .sheet = csv_sheet};
