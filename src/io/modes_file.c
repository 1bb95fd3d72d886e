// Modes as a table: a row for each, with kind, eigenvalue, frequency, damping ratio and the shape as complex components
// of every coordinate and state. Notes tell the time, the metric, omega_max and what was
// normalised.
#include "io/modes_file.h"
#include "io/table.h"

#include <string.h>

enum { FIXED = 6, NOTES = 8 };

static const char *const fixed_name[FIXED] = {"kind",  "eigenvalue.re", "eigenvalue.im",
                                              "omega", "frequency",     "damping_ratio"};
static const char *const fixed_unit[FIXED] = {"", "1/s", "1/s", "rad/s", "Hz", ""};
static const char kinds[] = "rigid-body oscillation decay divergence real"; // in the order of hol_mode_kind
static const char *const fixed_doc[FIXED] = {"kind of the eigenvalue",
                                             "real part of the eigenvalue",
                                             "imaginary part of the eigenvalue",
                                             "absolute value of the eigenvalue, NaN if it is real",
                                             "omega / 2 pi",
                                             "- real part / absolute value, NaN unless an oscillation"};

// Shapes are coordinates at unit modal mass: [m] becomes [m / sqrt(kg m^2)].
static const char *shape_unit(const char *unit)
{
    return strcmp(unit, "m") == 0     ? "kg^-0.5"
           : strcmp(unit, "rad") == 0 ? "rad kg^-0.5 m^-1"
                                      : "kg^-0.5 m^-1";
}

// Two columns for the real and imaginary part of an item.
static bool add_pair(hol_arena *arena, const char *item, const char *unit, int column, const char **name,
                     const char **units, const char **doc)
{
    for (int part = 0; part < 2; part++) {
        name[column + part] = hol_arena_print(arena, "%s.%s", item, part ? "im" : "re");
        units[column + part] = unit;
        doc[column + part] =
            hol_arena_print(arena, "mode shape: %s, %s part", item, part ? "imaginary" : "real");
        if (!name[column + part] || !doc[column + part]) return false;
    }
    return true;
}

// The numbers of one mode, in the order of the columns.
static void fill_row(const hol_modes *m, const hol_mode *mode, double *value)
{
    const double fixed[FIXED] = {(double)mode->kind, mode->re,        mode->im,
                                 mode->omega,        mode->frequency, mode->damping};
    memcpy(value, fixed, sizeof fixed);
    for (int i = 0; i < m->n_coordinates; i++) {
        value[FIXED + 2 * i] = mode->shape_re[i];
        value[FIXED + 2 * i + 1] = mode->shape_im[i];
    }
    value += FIXED + 2 * m->n_coordinates;
    for (int i = 0; i < m->n_states; i++) {
        value[2 * i] = mode->state_re[i];
        value[2 * i + 1] = mode->state_im[i];
    }
}

// Makes the notes and columns, and writes the rows in the format that is asked for.
static hol_status write(hol_context *ctx, hol_arena *arena, const hol_modes *m, const hol_format *format,
                        const char *path)
{
    static const char *const key[NOTES] = {"warning", "title",     "model_file",    "time",
                                           "metric",  "omega_max", "normalisation", "equilibrium"};
    const int n = FIXED + 2 * (m->n_coordinates + m->n_states);
    const char **name = hol_arena_alloc(arena, (size_t)n, sizeof *name),
               **unit = hol_arena_alloc(arena, (size_t)n, sizeof *unit),
               **doc = hol_arena_alloc(arena, (size_t)n, sizeof *doc),
               **flags = hol_arena_alloc(arena, (size_t)n, sizeof *flags);
    double *value = hol_arena_alloc(arena, (size_t)n * (size_t)(m->n + 1), sizeof *value);
    const char *time = hol_arena_print(arena, "%.17g s", m->time),
               *omega = hol_arena_print(arena, "%.17g rad/s", m->omega_max);
    if (!name || !unit || !doc || !flags || !value || !time || !omega) return HOL_ERR_MEMORY;
    memcpy(name, fixed_name, sizeof fixed_name);
    memcpy(unit, fixed_unit, sizeof fixed_unit);
    memcpy(doc, fixed_doc, sizeof fixed_doc);
    flags[0] = kinds;
    bool good = true;
    for (int i = 0; i < m->n_coordinates && good; i++)
        good = add_pair(arena, m->coordinate[i], shape_unit(m->unit[i]), FIXED + 2 * i, name, unit, doc);
    for (int i = 0; i < m->n_states && good; i++)
        good = add_pair(arena, m->state[i], "", FIXED + 2 * (m->n_coordinates + i), name, unit, doc);
    if (!good) return HOL_ERR_MEMORY;
    for (int k = 0; k < m->n; k++) fill_row(m, &m->mode[k], value + (size_t)k * (size_t)n);
    const char *const text[NOTES] = {m->warning,
                                     m->title ? m->title : m->model,
                                     m->model,
                                     time,
                                     m->metric == HOL_METRIC_MASS ? "mass" : "natural",
                                     omega,
                                     "unit modal mass: u^H M u = 1 for the shape u of the coordinates; its "
                                     "largest entry (by natural size) is real and "
                                     "positive. Where no mass moves the largest state is 1",
                                     m->equilibrium ? "yes" : "no"};
    const int first = m->warning ? 0 : 1;
    const hol_sheet sheet = {HOL_SHEET_MODES, n,     m->n,          name,        unit,         doc,
                             flags,           value, NOTES - first, key + first, text + first, NULL};
    return format->sheet(ctx, path, &sheet);
}

hol_status hol_modes_to_file(hol_context *ctx, const hol_modes *modes, const char *path)
{
    const hol_format *format = hol_format_find(ctx, path);
    hol_arena *arena = format ? hol_arena_create(ctx) : NULL;
    if (!arena) return hol_context_status(ctx);
    const hol_status st = write(ctx, arena, modes, format, path);
    hol_arena_destroy(arena);
    return st;
}
