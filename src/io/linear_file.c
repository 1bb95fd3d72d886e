// A linearised motion in files. What there is are arrays over named axes, rows first, whatever the format: a table here, to which an array
// more is a line.
#include "io/linear_file.h"
#include "base/file.h"
#include "io/json.h"
#include "io/matlab.h"
#include "io/number_text.h"
#include "io/table.h"
#include "analysis/linearise.h"
#include "linalg/state_space.h"

#include <errno.h>
#include <math.h>
#include <string.h>

enum { STATE, INPUT, OUTPUT, COORDINATE, FREQUENCY, AXES };

typedef struct {
    hol_context *ctx;
    hol_arena *arena;
    const hol_linear *l;
    int n;
    const double *omega, *re, *im;   // the response, by frequency, output and input
    const double *zero_re, *zero_im; // by output and input, NaN behind the last
    hol_axis axis[AXES];
} content;

// ---- what there is --------------------------------------------------------------------------------------------

static hol_status fill_axis(content *c, int k, const char *name, int n, const hol_linear_signal *s)
{
    const char **label = hol_arena_alloc(c->arena, 2 * (size_t)n + 1, sizeof *label), **unit = label + n;
    if (!label) return HOL_ERR_MEMORY;
    for (int i = 0; i < n; i++) label[i] = s[i].name, unit[i] = s[i].unit;
    c->axis[k] = (hol_axis){name, n, label, unit};
    return HOL_OK;
}

static double *take(content *c, size_t n) { return hol_arena_alloc(c->arena, n + 1, sizeof(double)); }

// Row by row what is column by column.
static const double *rows_first(content *c, int rows, int columns, const double *a)
{
    double *out = a ? take(c, (size_t)rows * (size_t)columns) : NULL;
    for (int i = 0; i < rows && out; i++)
        for (int j = 0; j < columns; j++) out[i * columns + j] = a[j * rows + i];
    return out;
}

// The response by frequency, output and input.
static hol_status find_response(content *c)
{
    const hol_linear *l = c->l;
    const size_t pairs = (size_t)l->n_y * (size_t)l->n_u, all = pairs * (size_t)c->n;
    double *raw = take(c, 2 * all), *re = take(c, all), *im = take(c, all);
    if (!raw || !re || !im) return HOL_ERR_MEMORY;
    const hol_status st = hol_linear_respond(c->ctx, l, c->n, c->omega, raw, raw + all);
    for (int f = 0; f < c->n && !st; f++)
        for (int i = 0; i < l->n_y; i++)
            for (int j = 0; j < l->n_u; j++) {
                const size_t from = ((size_t)f * (size_t)l->n_u + (size_t)j) * (size_t)l->n_y + (size_t)i,
                             to = ((size_t)f * (size_t)l->n_y + (size_t)i) * (size_t)l->n_u + (size_t)j;
                re[to] = raw[from];
                im[to] = raw[all + from];
            }
    c->re = re;
    c->im = im;
    return st;
}

// Zeros of every pair.
static hol_status find_zeros(content *c)
{
    const hol_linear *l = c->l;
    const hol_state_space s = hol_linear_system(l);
    const size_t n = (size_t)l->n_x, all = n * (size_t)l->n_y * (size_t)l->n_u;
    double *re = take(c, all), *im = take(c, all);
    hol_status st = re && im ? HOL_OK : HOL_ERR_MEMORY;
    c->zero_re = re;
    c->zero_im = im;
    for (int i = 0; i < l->n_y && !st; i++)
        for (int j = 0; j < l->n_u && !st; j++, re += n, im += n) {
            int count = 0;
            st = hol_state_space_pair_zeros(c->ctx, &s, i, j, &count, re, im);
            for (size_t k = count > 0 ? (size_t)count : 0; k < n; k++) re[k] = im[k] = (double)NAN;
        }
    return st;
}

// Axes and what has to be computed.
static hol_status prepare(content *c)
{
    const hol_linear *l = c->l;
    hol_status st = fill_axis(c, STATE, "state", l->n_x, l->x);
    if (!st) st = fill_axis(c, INPUT, "input", l->n_u, l->u);
    if (!st) st = fill_axis(c, OUTPUT, "output", l->n_y, l->y);
    c->axis[COORDINATE] = (hol_axis){"coordinate", l->dq ? l->n_coordinates : 0, l->coordinate, l->unit};
    c->axis[FREQUENCY] = (hol_axis){"frequency", c->n, NULL, NULL};
    if (!st) st = find_zeros(c);
    return st ? st : find_response(c);
}

static const double *values(content *c, int n, const hol_linear_signal *s)
{
    double *out = take(c, (size_t)n);
    for (int i = 0; i < n && out; i++) out[i] = s[i].value;
    return out;
}

enum { MOST_ARRAYS = 20 };

// The table; how many rows, -1: no memory.
static int list_arrays(content *c, hol_array out[MOST_ARRAYS])
{
    const hol_linear *l = c->l;
    const int n = l->n_x, nu = l->n_u, ny = l->n_y, nq = l->n_coordinates;
    const hol_array all[] = {
        {"A", NULL, "rates of the states by the states", 2, {STATE, STATE}, rows_first(c, n, n, l->A)},
        {"B", NULL, "rates of the states by the inputs", 2, {STATE, INPUT}, rows_first(c, n, nu, l->B)},
        {"C", NULL, "outputs by the states", 2, {OUTPUT, STATE}, rows_first(c, ny, n, l->C)},
        {"D", NULL, "outputs by the inputs", 2, {OUTPUT, INPUT}, rows_first(c, ny, nu, l->D)},
        {"state_value",
         NULL,
         "values of the states; NaN of the program's own coordinates",
         1,
         {STATE},
         values(c, n, l->x)},
        {"input_value", NULL, "values of the inputs", 1, {INPUT}, values(c, nu, l->u)},
        {"output_value", NULL, "values of the outputs", 1, {OUTPUT}, values(c, ny, l->y)},
        {"pole_re", "1/s", "eigenvalues of A, real part", 1, {STATE}, l->pole_re},
        {"pole_im", "1/s", "eigenvalues of A, imaginary part", 1, {STATE}, l->pole_im},
        {"gain", NULL, "outputs by constant inputs", 2, {OUTPUT, INPUT}, rows_first(c, ny, nu, l->gain)},
        {"coordinate_change",
         NULL,
         "coordinates of the bodies by the states",
         2,
         {COORDINATE, STATE},
         rows_first(c, nq, n, l->dq)},
        {"velocity_change",
         NULL,
         "their velocities by the states",
         2,
         {COORDINATE, STATE},
         rows_first(c, nq, n, l->dv)},
        {"zero_re",
         "1/s",
         "zeros of each pair, real part, NaN behind the last",
         3,
         {OUTPUT, INPUT, STATE},
         c->zero_re},
        {"zero_im", "1/s", "zeros of each pair, imaginary part", 3, {OUTPUT, INPUT, STATE}, c->zero_im},
        {"omega", "rad/s", "angular frequency", 1, {FREQUENCY}, c->omega},
        {"response_re", NULL, "frequency response, real part", 3, {FREQUENCY, OUTPUT, INPUT}, c->re},
        {"response_im", NULL, "frequency response, imaginary part", 3, {FREQUENCY, OUTPUT, INPUT}, c->im}};
    int count = 0;
    for (int i = 0; i < HOL_COUNT(all); i++) {
        const bool absent = all[i].axis[0] == FREQUENCY ? !c->n : all[i].axis[0] == COORDINATE && !l->dq;
        if (absent) continue;
        if (!all[i].value) return -1;
        out[count++] = all[i];
    }
    return count;
}

enum { MOST_NOTES = 8 };

// What the file says about itself; how many notes, -1: no memory.
static int list_notes(const content *c, const char *key[MOST_NOTES], const char *text[MOST_NOTES])
{
    const hol_linear *l = c->l;
    const char *const keys[] = {"source", "title",       "model_file", "time",
                                "metric", "equilibrium", "steady",     "warning"};
    const char *const texts[] = {"holonom " HOL_VERSION,
                                 l->title,
                                 l->model,
                                 hol_arena_print(c->arena, "%.17g s", l->time),
                                 l->metric == HOL_METRIC_MASS ? "mass" : "natural",
                                 l->equilibrium ? "yes" : "no",
                                 l->steady ? "yes" : "no",
                                 l->warning};
    int n = 0;
    if (!texts[3]) return -1;
    for (int i = 0; i < HOL_COUNT(keys); i++) {
        if (!texts[i]) continue;
        key[n] = keys[i];
        text[n++] = texts[i];
    }
    return n;
}

// ---- JSON -----------------------------------------------------------------------------------------------------

// An array as lists of lists.
static const double *put_lists(hol_json *j, const content *c, const hol_array *a, int level, const char *key,
                               const double *value)
{
    const int n = c->axis[a->axis[level]].n;
    const bool last = level == a->n_axes - 1;
    hol_json_open(j, key, '[');
    j->flat = last;
    for (int i = 0; i < n; i++) {
        if (last)
            hol_json_number(j, NULL, *value++);
        else
            value = put_lists(j, c, a, level + 1, NULL, value);
    }
    hol_json_close(j, ']');
    j->flat = false;
    return value;
}

static void put_texts(hol_json *j, const char *key, int n, const char *const *text)
{
    hol_json_open(j, key, '[');
    j->flat = true;
    for (int i = 0; i < n; i++) hol_json_text(j, NULL, text[i]);
    hol_json_close(j, ']');
    j->flat = false;
}

// All of it as one object.
static hol_status put_json(content *c, hol_print_fn print, void *user)
{
    static const char *const list[] = {"states", "inputs", "outputs", "coordinates"};
    static const char *const unit[] = {"state_units", "input_units", "output_units", "coordinate_units"};
    hol_json j = {.print = print, .user = user};
    hol_array array[MOST_ARRAYS];
    const char *key[MOST_NOTES], *text[MOST_NOTES];
    const int n = list_arrays(c, array), notes = list_notes(c, key, text);
    if (n < 0 || notes < 0) return HOL_ERR_MEMORY;
    hol_json_open(&j, NULL, '{');
    for (int i = 0; i < notes; i++) {
        const bool flag = strcmp(key[i], "equilibrium") == 0 || strcmp(key[i], "steady") == 0;
        if (strcmp(key[i], "time") == 0)
            hol_json_number(&j, "time", c->l->time);
        else if (flag)
            hol_json_flag(&j, key[i], strcmp(text[i], "yes") == 0);
        else
            hol_json_text(&j, key[i], text[i]);
    }
    for (int k = 0; k < FREQUENCY; k++) {
        if (k == COORDINATE && !c->axis[k].n) continue;
        put_texts(&j, list[k], c->axis[k].n, c->axis[k].label);
        put_texts(&j, unit[k], c->axis[k].n, c->axis[k].unit);
    }
    for (int i = 0; i < n; i++) put_lists(&j, c, &array[i], 0, array[i].name, array[i].value);
    hol_json_close(&j, '}');
    return HOL_OK;
}

// ---- files ----------------------------------------------------------------------------------------------------

static void to_file(void *file, const char *text) { fputs(text, file); }

static hol_status write_json(content *c, const char *path)
{
    hol_output o;
    if (!hol_output_open(c->ctx, &o, path, HOL_OUTPUT_WHOLE)) return hol_output_fail(c->ctx, &o, path);
    hol_status st = put_json(c, to_file, o.file);
    const bool good = !st && !ferror(o.file);
    if (!hol_output_close(&o, good) && !st) st = hol_output_fail(c->ctx, &o, path);
    return st;
}

static hol_status write_arrays(content *c, hol_status (*to)(hol_context *, const char *, const hol_arrays *),
                               const char *path)
{
    hol_array array[MOST_ARRAYS];
    const char *key[MOST_NOTES], *text[MOST_NOTES];
    const int n = list_arrays(c, array), notes = list_notes(c, key, text);
    if (n < 0 || notes < 0) return HOL_ERR_MEMORY;
    const hol_arrays all = {AXES, n, notes, c->axis, array, key, text};
    return to(c->ctx, path, &all);
}

// A matrix column by column, as Matrix Market has dense ones.
static hol_status write_matrix(content *c, const char *path, const char *name, int rows, int columns,
                               const double *a)
{
    hol_output o;
    char number[32];
    if (!hol_output_open(c->ctx, &o, path, HOL_OUTPUT_WHOLE)) return hol_output_fail(c->ctx, &o, path);
    fprintf(o.file, "%%%%MatrixMarket matrix array real general\n%% %s of %s, holonom %s\n%d %d\n", name,
            c->l->model, HOL_VERSION, rows, columns);
    for (int i = 0; i < rows * columns; i++) {
        hol_number_text(a[i], number);
        fprintf(o.file, "%s\n", number);
    }
    const bool good = !ferror(o.file);
    return hol_output_close(&o, good) ? HOL_OK : hol_output_fail(c->ctx, &o, path);
}

// NAME.mtx has A, NAME_B.mtx B and so on.
static hol_status write_matrices(content *c, const char *path)
{
    const hol_linear *l = c->l;
    const struct {
        const char *name;
        int rows, columns;
        const double *a;
    } all[] = {{"A", l->n_x, l->n_x, l->A},
               {"B", l->n_x, l->n_u, l->B},
               {"C", l->n_y, l->n_x, l->C},
               {"D", l->n_y, l->n_u, l->D}};
    const int stem = (int)strlen(path) - 4;
    if (l->sparse)
        return hol_fail(c->ctx, HOL_ERR_USAGE,
                        "%s: a model of this size has no matrices here; write .json, .nc or .csv", path);
    hol_status st = HOL_OK;
    for (int i = 0; i < HOL_COUNT(all) && !st; i++) {
        const char *name = i ? hol_arena_print(c->arena, "%.*s_%s.mtx", stem, path, all[i].name) : path;
        st =
            name ? write_matrix(c, name, all[i].name, all[i].rows, all[i].columns, all[i].a) : HOL_ERR_MEMORY;
    }
    return st;
}

enum { HERTZ, OMEGA, FIRST_PAIR }; // columns of the table

// The response as a table: the frequency, then each pair.
static hol_status write_table(content *c, const hol_format *format, const char *path)
{
    const hol_linear *l = c->l;
    const int pairs = l->n_y * l->n_u, n = FIRST_PAIR + 2 * pairs;
    const char **name = hol_arena_alloc(c->arena, 4 * (size_t)n, sizeof *name), **unit = name + n,
               **doc = unit + n,
               **flags = doc + n; // none has any
    double *value = take(c, (size_t)n * (size_t)c->n);
    if (!name || !value) return HOL_ERR_MEMORY;
    name[HERTZ] = "frequency";
    unit[HERTZ] = "Hz";
    doc[HERTZ] = "frequency";
    name[OMEGA] = "omega";
    unit[OMEGA] = "rad/s";
    doc[OMEGA] = "angular frequency";
    for (int i = 0; i < 2 * pairs; i++) {
        const char *y = l->y[i / 2 / l->n_u].name, *u = l->u[i / 2 % l->n_u].name;
        name[FIRST_PAIR + i] = hol_arena_print(c->arena, "%s / %s.%s", y, u, i % 2 ? "im" : "re");
        doc[FIRST_PAIR + i] = i % 2 ? "frequency response, imaginary part" : "frequency response, real part";
        unit[FIRST_PAIR + i] = "";
        if (!name[FIRST_PAIR + i]) return HOL_ERR_MEMORY;
        for (int f = 0; f < c->n; f++)
            value[f * n + FIRST_PAIR + i] = (i % 2 ? c->im : c->re)[f * pairs + i / 2];
    }
    for (int f = 0; f < c->n; f++) {
        value[f * n + HERTZ] = c->omega[f] / (2 * HOL_PI);
        value[f * n + OMEGA] = c->omega[f];
    }
    const char *key[MOST_NOTES], *text[MOST_NOTES];
    const int notes = list_notes(c, key, text);
    if (notes < 0) return HOL_ERR_MEMORY;
    const hol_sheet sheet = {"row", n, c->n, name, unit, doc, flags, value, notes, key, text, NULL};
    return format->sheet(c->ctx, path, &sheet);
}

static bool ends_in(const char *path, const char *ending)
{
    const size_t n = strlen(path), k = strlen(ending);
    return n > k && strcmp(path + n - k, ending) == 0;
}

// The format by the end of the name.
static hol_status write(content *c, const char *path)
{
    if (ends_in(path, ".json")) return write_json(c, path);
    if (ends_in(path, ".mtx")) return write_matrices(c, path);
    if (ends_in(path, ".mat")) return write_arrays(c, hol_matlab_write, path);
    if (!ends_in(path, ".csv") && !ends_in(path, ".nc"))
        return hol_fail(c->ctx, HOL_ERR_USAGE,
                        "%s: the format of matrices follows from the end of the name: .json, .nc (netCDF), "
                        ".mat (Matlab), .mtx (Matrix Market), "
                        "or .csv of the frequency response",
                        path);
    const hol_format *format = hol_format_find(c->ctx, path);
    if (!format) return HOL_ERR_USAGE;
    if (format->arrays) return write_arrays(c, format->arrays, path);
    if (!c->n)
        return hol_fail(c->ctx, HOL_ERR_USAGE,
                        "%s: such a table has the frequency response: give frequencies (--frequencies), or "
                        "write .json, .nc "
                        "or .mtx",
                        path);
    return write_table(c, format, path);
}

static hol_status with_content(hol_context *ctx, const hol_linear *l, int n, const double *omega,
                               const char *path, hol_print_fn print, void *user)
{
    content c = {.ctx = ctx, .arena = hol_arena_create(ctx), .l = l, .n = n, .omega = omega};
    if (!c.arena) return HOL_ERR_MEMORY;
    hol_status st = prepare(&c);
    if (!st) st = path ? write(&c, path) : put_json(&c, print, user);
    hol_arena_destroy(c.arena);
    return st;
}

hol_status hol_linear_to_file(hol_context *ctx, const hol_linear *l, int n, const double *omega,
                              const char *path)
{
    return with_content(ctx, l, n, omega, path, NULL, NULL);
}

hol_status hol_linear_to_json(hol_context *ctx, const hol_linear *l, int n, const double *omega,
                              hol_print_fn print, void *user)
{
    return with_content(ctx, l, n, omega, NULL, print, user);
}
