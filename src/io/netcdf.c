// netCDF files: one unlimited dimension `time`, one double variable per signal, named as in CSV. Classic format with 64-bit offsets
// (CDF-2), which every netCDF reader knows. Any netCDF file is read, HDF5-based ones too: columns are the numeric variables along its
// unlimited dimension, or `time`.
//
// Attributes of a variable: units, long_name; shown_units and shown_factor, how many of them one of `units` is, where results are
// shown in others; of reactions also acts_on, axes and uniqueness
// (unique, shared, undetermined, not examined: `enum hol_uniqueness`); `signal` where netCDF does not admit
// the name as it is. Global ones: title, source, method, step or tolerance [s, 1], model_file, model_text, model_hash (as in CSV),
// set (what --set said), summary (lines about the run, followed by blanks: blanks alone until the file is closed), and `closed`, 0 until the
// run has closed the file.
//
// A killed run. HDF5-based files are lost in about one of three cases. A classic file stays readable, if the number of
// records in its header is written after the records themselves. The library does so unless one write covers both: it
// writes blocks of BLOCK bytes, two neighbouring ones at once, so the records start two blocks after the header's end.
#include "base/file.h"
#include "io/number_text.h"
#include "io/summary.h"
#include "io/table.h"

#include <netcdf.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static const size_t BLOCK = 4096, READ_BLOCK = 1 << 20; // [B]
enum { SUMMARY = 3000 };                                // [B]

// The library is not made for threads.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static hol_status done(hol_status st)
{
    pthread_mutex_unlock(&lock);
    return st;
}

// A name with a colon must not be taken for an address in the net or a drive.
static const char *local_name(hol_arena *arena, const char *path)
{
    const bool plain = *path == '/' || !strchr(path, ':');
    return hol_arena_print(arena, "%s%s", plain ? "" : "./", path);
}

static hol_status fail(hol_context *ctx, const char *path, const char *what, int code)
{
    const hol_status st = code == NC_ENOMEM ? HOL_ERR_MEMORY : HOL_ERR_IO;
    return hol_fail(ctx, st, "%s: error: %s: %s", path, what, nc_strerror(code));
}

// ---- writing --------------------------------------------------------------------------------------------------

typedef struct {
    hol_context *ctx;
    const hol_dynamics *d; // NULL: a sheet
    hol_arena *arena;
    hol_arena *scratch; // while the file is made
    const char *path;
    hol_output output; // holds the file, which the library opens by its name
    int file, time;    // identifiers of the netCDF library; file -1: not open
    int n;
    int *variable; // of each column, -1: the column stands there already   (n)
    size_t rows;
    double flushed; // when [s]
} netcdf;

static int put_text(int file, int variable, const char *name, const char *text)
{
    return nc_put_att_text(file, variable, name, strlen(text), text);
}

static int put_number(int file, const char *name, double x)
{
    return nc_put_att_double(file, NC_GLOBAL, name, NC_DOUBLE, 1, &x);
}

// netCDF admits all but '/' and control characters, begins with a letter, digit or '_', takes at most NC_MAX_NAME
// bytes and composes accents. Returns the name to be used; `number` makes it another one.
static const char *admitted_name(hol_arena *arena, const char *signal, int number)
{
    enum { ROOM = NC_MAX_NAME - 16 };
    char name[ROOM + 1];
    size_t n = 0;
    const char *p = signal;
    const unsigned char c = (unsigned char)*signal;
    const bool plain =
        c >= 0x80 || c == '_' || (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
    if (!plain) name[n++] = '_';
    for (; *p && n < ROOM; p++) name[n++] = *p == '/' || (unsigned char)*p < 0x20 || *p == 0x7f ? '_' : *p;
    for (; ((unsigned char)*p & 0xc0) == 0x80; p--) n--; // not inside a character
    name[n] = 0;
    return number > 1 ? hol_arena_print(arena, "%s_%d", name, number) : hol_arena_copy(arena, name, n);
}

// A variable of a name that netCDF admits; where two signals become one name, with a number behind.
static int define_variable(netcdf *c, const char *signal, int dimension, int *out)
{
    char have[NC_MAX_NAME + 1];
    int code = NC_ENAMEINUSE;
    for (int number = 1; code == NC_ENAMEINUSE; number++) {
        const char *name = admitted_name(c->scratch, signal, number);
        if (!name) return NC_ENOMEM;
        code = nc_def_var(c->file, name, NC_DOUBLE, 1, &dimension, out);
    }
    if (!code) code = nc_inq_varname(c->file, *out, have);
    return code || strcmp(have, signal) == 0 ? code : put_text(c->file, *out, "signal", signal);
}

// Where a reaction acts, and along which axes its components are.
static int describe_reaction(const netcdf *c, const hol_model_data *m, int variable, const hol_element *e)
{
    char end[1024];
    const int last = e->n_ends - 1,
              code = put_text(c->file, variable, "acts_on", hol_model_end(m, e, last, end, sizeof end));
    const bool axes = e->end[last].marker->frame != HOL_FRAME_POINT;
    return code ? code : put_text(c->file, variable, "axes", axes ? end : "global");
}

// The unit in which it is shown, if that is not its own.
static int put_shown(int file, int variable, const char *unit, const char *shown, double factor)
{
    if (strcmp(unit, shown) == 0) return NC_NOERR;
    const int code = put_text(file, variable, "shown_units", shown);
    return code ? code : nc_put_att_double(file, variable, "shown_factor", NC_DOUBLE, 1, &factor);
}

// A signal's variable with its long name and unit.
static int define_column(netcdf *c, const hol_dynamics *d, int i, int dimension)
{
    const hol_column *column = &d->signals.column[i];
    const char *dot = strrchr(column->name, '.'); // variables, states and omega_max have none
    const int group = (int)(dot ? (size_t)(dot - column->name) : strlen(column->name));
    const char *long_name = hol_arena_print(c->scratch, "%.*s: %s", group, column->name, column->doc);
    if (!long_name) return NC_ENOMEM;
    int code = define_variable(c, column->name, dimension, &c->variable[i]);
    const int v = c->variable[i];
    if (!code) code = put_text(c->file, v, "units", *column->unit ? column->unit : "1");
    if (!code) code = put_shown(c->file, v, column->unit, column->shown, column->factor);
    if (!code) code = put_text(c->file, v, "long_name", long_name);
    if (!code && hol_signal_is_reaction(column))
        code = put_text(c->file, v, "uniqueness", hol_uniqueness_word(column->uniqueness));
    if (!code && column->uniqueness == HOL_SHARED)
        code = put_text(c->file, v, "comment", "the value of the multipliers of smallest norm");
    if (!code && hol_signal_has_axes(column)) code = describe_reaction(c, d->m, v, column->element);
    return code;
}

// All signals, one asked for twice once; the time last in the record, so that a row cut off has no time.
static int define_columns(netcdf *c, const hol_dynamics *d)
{
    int dimension, code = nc_def_dim(c->file, "time", NC_UNLIMITED, &dimension);
    hol_names *seen = hol_names_create_in(c->ctx, c->scratch);
    if (!seen) return NC_ENOMEM;
    for (int i = 0; i < c->n && !code; i++) {
        const char *name = d->signals.column[i].name;
        c->variable[i] = -1;
        if (hol_names_find(seen, name) >= 0) continue; // asked for twice
        if (hol_names_add(seen, name, i)) return NC_ENOMEM;
        code = define_column(c, d, i, dimension);
    }
    // last in the record: a row cut off has no time
    if (!code) code = nc_def_var(c->file, "time", NC_DOUBLE, 1, &dimension, &c->time);
    if (!code) code = put_text(c->file, c->time, "units", "s");
    if (!code) code = put_shown(c->file, c->time, "s", d->signals.time_shown, d->signals.time_factor);
    return code ? code : put_text(c->file, c->time, "long_name", "time");
}

// Of fixed length, so that it can be put in when all else is written.
static int put_summary(netcdf *c, bool closing)
{
    char text[SUMMARY + 1] = "";
    if (closing) hol_summary_text(c->d, text, sizeof text);
    const size_t n = strlen(text);
    memset(text + n, ' ', SUMMARY - n);
    return nc_put_att_text(c->file, NC_GLOBAL, "summary", SUMMARY, text);
}

// Attributes of the file: notes of the run, the summary as far as it is known, and that it is not closed yet.
static int define_globals(netcdf *c, const hol_dynamics *d)
{
    const int zero = 0, f = c->file;
    hol_run_note note[HOL_RUN_NOTES];
    const int n = hol_run_notes(d, c->scratch, note);
    int code = n ? put_text(f, NC_GLOBAL, "Conventions", "CF-1.10") : NC_ENOMEM;
    for (int i = 0; i < n && !code; i++)
        code = note[i].text ? put_text(f, NC_GLOBAL, note[i].key, note[i].text)
                            : put_number(f, note[i].key, note[i].number);
    if (!code) code = put_summary(c, false);
    return code ? code : nc_put_att_int(f, NC_GLOBAL, "closed", NC_INT, 1, &zero);
}

// Makes the file with its columns and attributes. Nothing is filled beforehand, since every value is written.
static int create(netcdf *c, const hol_dynamics *d)
{
    size_t block = BLOCK;
    const char *name = local_name(c->scratch, hol_output_path(&c->output));
    int file, code = name ? nc__create(name, NC_CLOBBER | NC_64BIT_OFFSET, 0, &block, &file) : NC_ENOMEM;
    if (code) return code;
    c->file = file;
    code = nc_set_fill(file, NC_NOFILL, NULL); // every value is written
    if (!code) code = define_columns(c, d);
    if (!code) code = define_globals(c, d);
    if (!code) code = nc__enddef(file, 2 * block, 4, 0, 2 * block);
    return code ? code : nc_sync(file);
}

static hol_status not_written(hol_context *ctx, const char *path, const hol_output *output, int code)
{
    const hol_status st = code == NC_ENOMEM ? HOL_ERR_MEMORY : HOL_ERR_IO;
    return hol_fail(ctx, st, "%s: cannot be written: %s%s", path, nc_strerror(code), hol_output_lost(output));
}

// Writes the values of a row, then its time: who reads meanwhile sees whole rows.
static hol_status row(void *data, double t, const double *value, int n)
{
    netcdf *c = data;
    pthread_mutex_lock(&lock);
    int code = NC_NOERR;
    for (int i = 0; i < n && !code; i++)
        if (c->variable[i] >= 0) code = nc_put_var1_double(c->file, c->variable[i], &c->rows, &value[i]);
    if (!code) code = nc_put_var1_double(c->file, c->time, &c->rows, &t);
    c->rows++;
    if (!code && hol_flush_due(&c->flushed)) code = nc_sync(c->file);
    return done(code ? not_written(c->ctx, c->path, &c->output, code) : HOL_OK);
}

// The summary as attributes, and the mark that the file is whole.
static hol_status close_file(void *data)
{
    netcdf *c = data;
    const int one = 1;
    hol_status st = HOL_OK;
    pthread_mutex_lock(&lock);
    if (c->file >= 0) {
        int code = nc_sync(c->file);
        if (!code) code = put_summary(c, true);
        if (!code) code = nc_put_att_int(c->file, NC_GLOBAL, "closed", NC_INT, 1, &one);
        const int closing = code ? nc_abort(c->file) : nc_close(c->file);
        if (code || closing) st = not_written(c->ctx, c->path, &c->output, code ? code : closing);
    }
    (void)hol_output_close(&c->output, true); // nothing was written through it
    hol_arena_destroy(c->arena);
    hol_free(c);
    return done(st);
}

// The file with its columns; the sink adds a record per output time.
static hol_status netcdf_open(hol_context *ctx, const char *path, const hol_dynamics *d, hol_sink *out)
{
    netcdf *c = hol_calloc(ctx, 1, sizeof *c);
    if (!c) return HOL_ERR_MEMORY;
    c->ctx = ctx;
    c->d = d;
    c->file = -1;
    c->n = d->signals.n;
    c->arena = hol_arena_create(ctx);
    c->scratch = hol_arena_create(ctx);
    c->path = c->arena && c->scratch ? hol_arena_copy(c->arena, path, strlen(path)) : NULL;
    c->variable = c->path ? hol_arena_alloc(c->arena, (size_t)c->n, sizeof *c->variable) : NULL;
    hol_status st = c->variable ? HOL_OK : HOL_ERR_MEMORY;
    if (!st && !hol_output_hold(ctx, &c->output, path, HOL_OUTPUT_GROWS))
        st = hol_output_fail(ctx, &c->output, path);
    if (!st) {
        pthread_mutex_lock(&lock);
        const int code = create(c, d);
        if (code) st = not_written(ctx, path, &c->output, code);
        if (!st && !hol_output_place(&c->output)) st = hol_output_fail(ctx, &c->output, path);
        if (st && c->file >= 0) nc_abort(c->file);
        if (st) c->file = -1;
        done(st);
    }
    hol_arena_destroy(c->scratch);
    if (st) {
        (void)hol_output_close(&c->output, false);
        close_file(c);
        return st;
    }
    *out = (hol_sink){c, row, close_file, NULL};
    return HOL_OK;
}

// As the CF conventions want: the values 0, 1, .. and their words.
static int put_flags(int file, int variable, const char *words)
{
    double value[8];
    size_t n = 1;
    value[0] = 0;
    for (const char *p = words; *p; p++)
        if (*p == ' ' && n < HOL_COUNT(value)) {
            value[n] = (double)n;
            n++;
        }
    const int code = nc_put_att_double(file, variable, "flag_values", NC_DOUBLE, n, value);
    return code ? code : put_text(file, variable, "flag_meanings", words);
}

// A table of numbered rows, or of times; notes are attributes.
static int define_sheet(netcdf *c, const hol_sheet *t)
{
    const char *row = t->result ? "time" : t->row, *title = t->result ? t->result->title : NULL;
    int dimension, code = nc_def_dim(c->file, row, NC_UNLIMITED, &dimension);
    if (!code) code = nc_def_var(c->file, row, NC_DOUBLE, 1, &dimension, &c->time);
    if (!code) code = put_text(c->file, c->time, "units", t->result ? "s" : "1");
    double factor = 1;
    const char *shown = t->result ? hol_result_shown(t->result, 0, &factor) : "s";
    if (!code) code = put_shown(c->file, c->time, "s", shown, factor);
    for (int i = 0; i < c->n && !code; i++) {
        code = define_variable(c, t->name[i], dimension, &c->variable[i]);
        if (!code) code = put_text(c->file, c->variable[i], "units", *t->unit[i] ? t->unit[i] : "1");
        shown = t->result ? hol_result_shown(t->result, i + 1, &factor) : t->unit[i];
        if (!code) code = put_shown(c->file, c->variable[i], t->unit[i], shown, factor);
        if (!code && t->doc && t->doc[i]) code = put_text(c->file, c->variable[i], "long_name", t->doc[i]);
        if (!code && t->flags && t->flags[i]) code = put_flags(c->file, c->variable[i], t->flags[i]);
    }
    for (int i = 0; i < t->n_notes && !code; i++) code = put_text(c->file, NC_GLOBAL, t->key[i], t->text[i]);
    if (!code && title) code = put_text(c->file, NC_GLOBAL, "title", title);
    if (!code && !hol_result_note(t->result, "source"))
        code = put_text(c->file, NC_GLOBAL, "source", "holonom " HOL_VERSION);
    return code ? code : nc_enddef(c->file);
}

// Writes the numbers of a table, row by row.
static int fill_sheet(netcdf *c, const hol_sheet *t)
{
    int code = NC_NOERR;
    for (size_t k = 0; k < (size_t)t->n_rows && !code; k++) {
        double number;
        const double *value = hol_sheet_row(t, k, &number);
        code = nc_put_var1_double(c->file, c->time, &k, &number);
        for (int i = 0; i < c->n && !code; i++)
            code = nc_put_var1_double(c->file, c->variable[i], &k, &value[i]);
    }
    return code;
}

// A file that is written at once: `make` does so. Variables have room for n.
static hol_status write_whole(hol_context *ctx, const char *path, int n,
                              int (*make)(netcdf *c, const void *what), const void *what)
{
    netcdf c = {.ctx = ctx, .file = -1, .n = n, .scratch = hol_arena_create(ctx)};
    if (!c.scratch) return HOL_ERR_MEMORY;
    c.variable = hol_arena_alloc(c.scratch, (size_t)c.n + 1, sizeof *c.variable);
    hol_status st = c.variable ? HOL_OK : HOL_ERR_MEMORY;
    if (!st && !hol_output_hold(ctx, &c.output, path, HOL_OUTPUT_WHOLE))
        st = hol_output_fail(ctx, &c.output, path);
    const char *name = st ? NULL : local_name(c.scratch, hol_output_path(&c.output));
    if (!st && !name) st = HOL_ERR_MEMORY;
    pthread_mutex_lock(&lock);
    int code = st ? NC_NOERR : nc_create(name, NC_CLOBBER | NC_64BIT_OFFSET, &c.file);
    if (!code && !st) code = make(&c, what);
    if (c.file >= 0) {
        const int closing = code ? nc_abort(c.file) : nc_close(c.file);
        if (!code) code = closing;
    }
    if (code) st = not_written(ctx, path, &c.output, code);
    if (!hol_output_close(&c.output, !st) && !st) st = hol_output_fail(ctx, &c.output, path);
    hol_arena_destroy(c.scratch);
    return done(st);
}

// Rows along an unlimited dimension named as the first column, notes as global attributes.
static int make_sheet(netcdf *c, const void *sheet)
{
    const int code = define_sheet(c, sheet);
    return code ? code : fill_sheet(c, sheet);
}

static hol_status netcdf_sheet(hol_context *ctx, const char *path, const hol_sheet *sheet)
{
    return write_whole(ctx, path, sheet->n_columns, make_sheet, sheet);
}

// Texts along an axis, as characters.
static int define_labels(netcdf *c, const hol_axis *axis, int dimension, const char *word,
                         const char *const *text, int *out)
{
    size_t longest = 1;
    for (int i = 0; i < axis->n; i++) longest = strlen(text[i]) > longest ? strlen(text[i]) : longest;
    const char *name = hol_arena_print(c->scratch, "%s_%s", axis->name, word),
               *length = hol_arena_print(c->scratch, "%s_%s_length", axis->name, word);
    int both[2] = {dimension, 0},
        code = name && length ? nc_def_dim(c->file, length, longest, &both[1]) : NC_ENOMEM;
    return code ? code : nc_def_var(c->file, name, NC_CHAR, 2, both, out);
}

static int fill_labels(const netcdf *c, const hol_axis *axis, int variable, const char *const *text)
{
    int code = NC_NOERR;
    for (int i = 0; i < axis->n && !code; i++) {
        const size_t start[2] = {(size_t)i, 0}, count[2] = {1, strlen(text[i])};
        if (count[1]) code = nc_put_vara_text(c->file, variable, start, count, text[i]);
    }
    return code;
}

// An axis that has no place has no dimension, and what stands along it no variable.
static bool has_place(const hol_arrays *t, const hol_array *a)
{
    for (int k = 0; k < a->n_axes; k++)
        if (t->axis[a->axis[k]].n == 0) return false;
    return true;
}

// A dimension for each axis, a variable for each array.
static int make_arrays(netcdf *c, const void *what)
{
    const hol_arrays *t = what;
    int *dimension = hol_arena_alloc(c->scratch, (size_t)t->n_axes + 1, sizeof *dimension),
        *label = hol_arena_alloc(c->scratch, 2 * (size_t)t->n_axes + 1, sizeof *label), code = NC_NOERR;
    if (!dimension || !label) return NC_ENOMEM;
    for (int i = 0; i < t->n_axes && !code; i++) {
        const hol_axis *a = &t->axis[i];
        if (!a->n) continue;
        code = nc_def_dim(c->file, a->name, (size_t)a->n, &dimension[i]);
        if (!code && a->label) code = define_labels(c, a, dimension[i], "name", a->label, &label[2 * i]);
        if (!code && a->unit) code = define_labels(c, a, dimension[i], "unit", a->unit, &label[2 * i + 1]);
    }
    for (int i = 0; i < t->n && !code; i++) {
        const hol_array *a = &t->array[i];
        int along[HOL_ARRAY_AXES];
        if (!has_place(t, a)) continue;
        for (int k = 0; k < a->n_axes; k++) along[k] = dimension[a->axis[k]];
        code = nc_def_var(c->file, a->name, NC_DOUBLE, a->n_axes, along, &c->variable[i]);
        if (!code && a->unit) code = put_text(c->file, c->variable[i], "units", *a->unit ? a->unit : "1");
        if (!code) code = put_text(c->file, c->variable[i], "long_name", a->doc);
    }
    for (int i = 0; i < t->n_notes && !code; i++) code = put_text(c->file, NC_GLOBAL, t->key[i], t->text[i]);
    if (!code) code = nc_enddef(c->file);
    for (int i = 0; i < t->n_axes && !code; i++) {
        const hol_axis *a = &t->axis[i];
        if (a->n && a->label) code = fill_labels(c, a, label[2 * i], a->label);
        if (!code && a->n && a->unit) code = fill_labels(c, a, label[2 * i + 1], a->unit);
    }
    for (int i = 0; i < t->n && !code; i++)
        if (has_place(t, &t->array[i])) code = nc_put_var_double(c->file, c->variable[i], t->array[i].value);
    return code;
}

static hol_status netcdf_arrays(hol_context *ctx, const char *path, const hol_arrays *arrays)
{
    return write_whole(ctx, path, arrays->n, make_arrays, arrays);
}

// ---- reading --------------------------------------------------------------------------------------------------

// NULL: there is none, it is no text, or there is no memory
static const char *text_attribute(hol_result_data *d, int file, int variable, const char *name)
{
    size_t n;
    nc_type type;
    if (nc_inq_att(file, variable, name, &type, &n) || type != NC_CHAR) return NULL;
    char *text = hol_arena_alloc(d->arena, n + 1, 1);
    return text && nc_get_att_text(file, variable, name, text) == NC_NOERR ? text : NULL;
}

// The dimension the rows run along: the unlimited one, else `time`.
static int row_dimension(int file, int *dimension, size_t *rows, char name[NC_MAX_NAME + 1])
{
    int code = nc_inq_unlimdim(file, dimension);
    if (!code && *dimension < 0) code = nc_inq_dimid(file, "time", dimension);
    return code ? code : nc_inq_dim(file, *dimension, name, rows);
}

// True for a numeric variable with that dimension alone.
static bool is_column(int file, int variable, int dimension)
{
    nc_type type;
    int n, its[NC_MAX_VAR_DIMS];
    return nc_inq_var(file, variable, NULL, &type, &n, its, NULL) == NC_NOERR && n == 1 &&
           its[0] == dimension && type != NC_CHAR && type <= NC_UINT64;
}

typedef struct {
    int n, *variable; // of each column; the first is the time            (n)
} column_list;

// The variables along the dimension of the rows: the time first, then all others.
static hol_status find_columns(hol_result_data *d, int file, int dimension, const char *time,
                               column_list *list)
{
    int n, code = nc_inq_nvars(file, &n);
    if (code) return fail(d->ctx, d->r.file, "cannot be read", code);
    list->variable = hol_arena_alloc(d->arena, (size_t)n + 1, sizeof *list->variable);
    if (!list->variable) return HOL_ERR_MEMORY;
    if (nc_inq_varid(file, time, &list->variable[0]) || !is_column(file, list->variable[0], dimension))
        return hol_fail(d->ctx, HOL_ERR_IO, "%s: error: there is no variable \"%s\" that gives the times",
                        d->r.file, time);
    list->n = 1;
    for (int i = 0; i < n; i++)
        if (i != list->variable[0] && is_column(file, i, dimension)) list->variable[list->n++] = i;
    return HOL_OK;
}

// Names and units of the columns.
static hol_status read_names(hol_result_data *d, int file, const column_list *list)
{
    char name[NC_MAX_NAME + 1];
    hol_status st = hol_result_columns(d, list->n);
    for (int i = 0; i < list->n && !st; i++) {
        const char *unit = text_attribute(d, file, list->variable[i], "units");
        const int code = nc_inq_varname(file, list->variable[i], name);
        if (code) return fail(d->ctx, d->r.file, "cannot be read", code);
        const bool time = i == 0 && strcmp(name, HOL_SHEET_MODES) != 0;
        const char *signal = time ? "t" : text_attribute(d, file, list->variable[i], "signal");
        d->r.name[i] = signal ? signal : hol_arena_copy(d->arena, name, strlen(name));
        d->r.unit[i] = !unit || strcmp(unit, "1") == 0 ? "" : unit;
        if (!d->r.name[i]) st = HOL_ERR_MEMORY;
    }
    return st;
}

// How columns are shown, of those of which the file says so.
static hol_status read_shown(hol_result_data *d, int file, const column_list *list)
{
    hol_status st = HOL_OK;
    for (int i = 0; i < list->n && !st; i++) {
        const char *shown = text_attribute(d, file, list->variable[i], "shown_units");
        double factor = 0;
        size_t n = 0;
        const bool one = nc_inq_attlen(file, list->variable[i], "shown_factor", &n) == NC_NOERR && n == 1;
        if (!shown || !one || nc_get_att_double(file, list->variable[i], "shown_factor", &factor)) continue;
        if (factor > 0) st = hol_result_show(d, i, shown, factor);
    }
    return st;
}

// In blocks of rows, since the values of a row stand together in the file.
static hol_status read_values(hol_result_data *d, int file, size_t rows, const column_list *list)
{
    const size_t width = (size_t)list->n, most = 1 + READ_BLOCK / (width * sizeof(double));
    double *column = hol_calloc(d->ctx, most, sizeof *column),
           *value = column ? hol_result_rows(d, rows) : NULL;
    hol_status st = value ? HOL_OK : HOL_ERR_MEMORY;
    for (size_t first = 0; first < rows && !st; first += most) {
        const size_t n = rows - first < most ? rows - first : most;
        for (size_t i = 0; i < width && !st; i++) {
            const int code = nc_get_vara_double(file, list->variable[i], &first, &n, column);
            if (code) st = fail(d->ctx, d->r.file, "cannot be read", code);
            for (size_t k = 0; k < n; k++) value[(first + k) * width + i] = column[k];
        }
    }
    if (!st) d->r.n_rows = rows;
    hol_free(column);
    return st;
}

// Beyond the end of a file that was cut off the library reads zeros: rows without a time.
static void drop_missing(hol_result *r)
{
    const size_t width = (size_t)r->n_columns;
    while (r->n_rows > 1 && r->value[(r->n_rows - 1) * width] == 0 &&
           r->value[(r->n_rows - 2) * width] >= 0) {
        r->n_rows--;
        r->complete = false;
    }
}

// Global attributes as notes, numbers as text.
static hol_status read_notes(hol_result_data *d, int file)
{
    char name[NC_MAX_NAME + 1], number[32];
    int n;
    double x;
    hol_status st = HOL_OK;
    if (nc_inq_natts(file, &n)) return HOL_OK;
    for (int i = 0; i < n && !st; i++) {
        size_t length;
        nc_type type;
        if (nc_inq_attname(file, NC_GLOBAL, i, name) || nc_inq_att(file, NC_GLOBAL, name, &type, &length))
            continue;
        const char *text = text_attribute(d, file, NC_GLOBAL, name);
        if (!text && length == 1 && type != NC_CHAR && type <= NC_UINT64 &&
            !nc_get_att_double(file, NC_GLOBAL, name, &x)) {
            hol_number_text(x, number);
            text = number;
        }
        if (text) st = hol_result_add_note(d, name, text);
    }
    return st;
}

// Reads an open file: dimension, time, columns, rows.
static hol_status read_file(hol_result_data *d, int file)
{
    char time[NC_MAX_NAME + 1];
    int dimension, closed;
    size_t rows;
    column_list list = {0};
    const int code = row_dimension(file, &dimension, &rows, time);
    if (code)
        return fail(d->ctx, d->r.file, "there is neither an unlimited dimension nor one named time", code);
    hol_status st = find_columns(d, file, dimension, time, &list);
    if (!st) st = read_names(d, file, &list);
    if (!st) st = read_shown(d, file, &list);
    if (!st) st = read_values(d, file, rows, &list);
    if (!st) st = read_notes(d, file);
    if (!st && hol_context_status(d->ctx) == HOL_ERR_MEMORY) st = HOL_ERR_MEMORY; // of an attribute
    d->r.title = hol_result_note(&d->r, "title");
    if (nc_get_att_int(file, NC_GLOBAL, "closed", &closed) == NC_NOERR) d->r.complete = closed != 0;
    drop_missing(&d->r);
    return st;
}

// Reads a whole file; the library reads large blocks at once.
static hol_status netcdf_read(hol_result_data *out, const char *path)
{
    size_t block = READ_BLOCK;
    int file;
    const char *name = local_name(out->arena, path);
    if (!name) return HOL_ERR_MEMORY;
    pthread_mutex_lock(&lock);
    const int code = nc__open(name, NC_NOWRITE, &block, &file);
    if (code) return done(fail(out->ctx, path, "cannot be read", code));
    const hol_status st = read_file(out, file);
    nc_close(file);
    return done(st);
}

const hol_format hol_format_netcdf = {".nc",
                                      "netCDF",
                                      .open = netcdf_open,
                                      .begins = hol_format_begins_netcdf,
                                      .read = netcdf_read,
                                      .sheet = netcdf_sheet,
                                      .arrays = netcdf_arrays};
