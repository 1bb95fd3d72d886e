// What plot draws: columns of results by name, their differences from another result (hol_result_minus), their spectra
// (hol_result_spectrum), and what stands on the x axis.
#include "cli/curves.h"
#include "cli/select.h"
#include "io/compare.h"
#include "io/result.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALL_UP_TO = 12 };

// ---- columns by name -----------------------------------------------------------------------------------------

// The column of this name, 0 is the time; -1: there is none.
static int column_of(const hol_result *r, const char *name)
{
    for (int i = 0; i < r->n_columns; i++)
        if (strcmp(r->name[i], name) == 0) return i;
    return -1;
}

// The result whose units hold for all.
static const hol_result *with_units(const cli_curves *c)
{
    for (int k = 0; k < c->n_files; k++)
        if (hol_result_has_units(c->r[k])) return c->r[k];
    return c->r[0];
}

// The unit in which a signal is drawn, of all results, and how many of it one SI unit is: as the first result wants it.
static const char *unit_of(const cli_curves *c, const char *name, double *factor)
{
    const hol_result *units = with_units(c);
    const int column = column_of(units, name);
    *factor = column < 0 || !units->factor ? 1 : units->factor[column];
    return column < 0 ? "" : units->shown ? units->shown[column] : units->unit[column];
}

static int check_unit(const hol_result *a, int i, const hol_result *b, int k)
{
    if (hol_result_same_unit(a, i, b, k)) return 0;
    fprintf(stderr, "holonom: error: \"%s\" has the unit %s in %s, but %s in %s\n", a->name[i],
            *a->unit[i] ? a->unit[i] : "1", a->file, *b->unit[k] ? b->unit[k] : "1", b->file);
    return 2;
}

// A signal of the first result, looked up in another one, where no other column may have its name. Returns the exit code.
static int find(hol_context *ctx, const cli_curves *c, const hol_result *r, const char *name)
{
    const hol_result *units = with_units(c);
    const int own = column_of(r, name), there = column_of(units, name);
    for (int i = own + 1; own >= 0 && i < r->n_columns; i++)
        if (strcmp(r->name[i], name) == 0 && hol_result_check_twins(ctx, r, own, i))
            return cli_fail(ctx, hol_context_status(ctx));
    if (own >= 0) return there < 0 ? 0 : check_unit(units, there, r, own);
    fprintf(stderr, "holonom: error: %s has no signal \"%s\", which %s has\n", r->file, name, c->r[0]->file);
    return 2;
}

// ---- what is asked for ----------------------------------------------------------------------------------------

// Columns of the first result by name; where all would be too many, the message lists groups.
static int choose(hol_context *ctx, const cli_curves *c, const char *signals, cli_selection *s)
{
    const hol_result *r = c->r[0];
    if (!signals && r->n_columns - 1 > ALL_UP_TO) {
        fprintf(stderr, "holonom: error: %s has %d signals; choose with --signals from: ", r->file,
                r->n_columns - 1);
        cli_print_groups(r);
        return 2;
    }
    const int code = cli_select(ctx, r, signals, s);
    if (code || s->n <= CLI_MAX_CURVES / c->n_files) return code;
    fprintf(stderr, "holonom: error: %s: more than %d curves; choose fewer signals\n", r->file,
            CLI_MAX_CURVES);
    return 2;
}

// The one signal of --x; the time has its name too.
static int choose_x(hol_context *ctx, const char *x, cli_curves *c)
{
    const hol_result *r = c->r[0];
    cli_selection s = {0};
    c->x_name = r->name[0];
    if (!x || strcmp(x, r->name[0]) == 0) return 0;
    int code = cli_select(ctx, r, x, &s);
    if (!code && s.n > 1) {
        fprintf(stderr, "holonom: error: --x %s: one signal is wanted, these are %d: ", x, s.n);
        for (int i = 0; i < s.n && i < ALL_UP_TO; i++)
            fprintf(stderr, "%s%s", i ? ", " : "", r->name[s.column[i]]);
        fprintf(stderr, s.n > ALL_UP_TO ? ", ..\n" : "\n");
        code = 2;
    }
    if (!code) c->x_name = r->name[s.column[0]];
    c->over_signal = !code;
    cli_selection_free(&s);
    return code;
}

// Every name that is drawn is a signal of every result, in one unit.
static int check_names(hol_context *ctx, const cli_curves *c, const cli_selection *s)
{
    int code = 0;
    for (int k = 0; k <= c->n_files && !code; k++) {
        const hol_result *r = k < c->n_files ? c->r[k] : c->minus;
        if (r) code = check_unit(with_units(c), 0, r, 0);
    }
    for (int i = 0; i < s->n && !code; i++)
        for (int k = 0; k <= c->n_files && !code; k++) {
            const hol_result *r = k < c->n_files ? c->r[k] : c->minus;
            if (r) code = find(ctx, c, r, c->r[0]->name[s->column[i]]);
        }
    for (int k = 0; k < c->n_files && !code && c->over_signal; k++) code = find(ctx, c, c->r[k], c->x_name);
    return code;
}

// ---- numbers --------------------------------------------------------------------------------------------------

// The spectrum of a file's signals, one column each.
static int transform(hol_context *ctx, const cli_options *o, const cli_selection *s, int file, cli_curves *c)
{
    const hol_result *r = c->difference[file] ? c->difference[file] : c->r[file];
    int *column = calloc((size_t)s->n, sizeof *column);
    for (int i = 0; column && i < s->n; i++) column[i] = column_of(r, c->r[0]->name[s->column[i]]);
    if (column) c->spectrum[file] = hol_result_spectrum(ctx, r, column, s->n);
    free(column);
    if (!c->spectrum[file]) return cli_fail(ctx, column ? hol_context_status(ctx) : HOL_ERR_MEMORY);
    if (!o->quiet)
        fprintf(stderr, "note: %s: spectrum of %s\n", r->file,
                hol_result_note(c->spectrum[file], "spectrum"));
    c->x_name = c->spectrum[file]->name[0];
    c->x_unit = c->spectrum[file]->unit[0];
    return 0;
}

// Differences and spectra of a file.
static int derive(hol_context *ctx, const cli_options *o, const cli_selection *s, int file, cli_curves *c)
{
    if (c->minus && !(c->difference[file] = hol_result_minus(ctx, c->r[file], c->minus)))
        return cli_fail(ctx, hol_context_status(ctx));
    return o->spectrum ? transform(ctx, o, s, file, c) : 0;
}

static void scale(hol_result *r, const char *name, double factor)
{
    const int column = r && factor != 1 ? column_of(r, name) : -1;
    for (size_t k = 0; column >= 0 && k < r->n_rows; k++)
        r->value[k * (size_t)r->n_columns + (size_t)column] *= factor;
}

// The numbers of a signal, or of what is on the x axis, become those that are drawn.
static void show(cli_curves *c, const char *name)
{
    double factor;
    unit_of(c, name, &factor);
    for (int k = 0; k < c->n_files; k++) {
        scale(c->r[k], name, factor);
        scale(c->difference[k], name, factor);
        scale(c->spectrum[k], name, factor);
    }
}

static void show_all(cli_curves *c, const cli_selection *s)
{
    bool x_too = false;
    for (int i = 0; i < s->n; i++) {
        const char *name = c->r[0]->name[s->column[i]];
        x_too = x_too || strcmp(name, c->x_name) == 0;
        show(c, name);
    }
    if (!x_too) show(c, c->x_name);
}

// One signal of one result. Differences are those of neighbouring rows of the result, so x goes along with them.
static void add(cli_curves *c, int file, int signal, const char *name)
{
    const hol_result *r = c->r[file], *y = c->spectrum[file]     ? c->spectrum[file]
                                           : c->difference[file] ? c->difference[file]
                                                                 : r;
    const hol_result *x = c->over_signal ? r : y;
    const size_t width = (size_t)x->n_columns;
    size_t first = 0;
    double ignored;
    while (x != y && x->value[first * width] < y->value[0]) first++;
    c->all[c->n++] =
        (cli_curve){.name = name,
                    .unit = unit_of(c, name, &ignored),
                    .file = file,
                    .signal = signal,
                    .x = x->value + first * width + (c->over_signal ? column_of(x, c->x_name) : 0),
                    .y = y->value + column_of(y, name),
                    .x_step = width,
                    .y_step = (size_t)y->n_columns,
                    .n = y->n_rows};
}

static bool has_point(const cli_curve *c)
{
    bool found = false;
    for (size_t k = 0; k < c->n && !found; k++)
        found = isfinite(c->x[k * c->x_step]) && isfinite(c->y[k * c->y_step]);
    return found;
}

// Every curve has a point.
static int check_points(const cli_curves *c)
{
    int i = 0;
    while (i < c->n && has_point(&c->all[i])) i++;
    if (i == c->n) return 0;
    fprintf(stderr,
            "holonom: error: %s: \"%s\" has no finite value, and nothing of it can be drawn; choose other "
            "signals "
            "with --signals\n",
            c->r[c->all[i].file]->file, c->all[i].name);
    return 2;
}

// ---- all of it ------------------------------------------------------------------------------------------------

// All results, whose times go on; the exit code.
static int read_files(hol_context *ctx, const cli_options *o, cli_curves *c)
{
    for (int k = 0; k <= o->n_more; k++) {
        c->r[k] = hol_result_read(ctx, k ? o->more[k - 1] : o->model);
        if (!c->r[k]) return cli_fail(ctx, hol_context_status(ctx));
        c->n_files++;
        const hol_status st = hol_result_check_times(ctx, c->r[k]);
        if (st) return cli_fail(ctx, st);
    }
    c->minus = o->minus ? hol_result_read(ctx, o->minus) : NULL;
    return o->minus && !c->minus ? cli_fail(ctx, hol_context_status(ctx)) : 0;
}

int cli_curves_make(hol_context *ctx, const cli_options *o, cli_curves *c)
{
    cli_selection s = {0};
    if (o->x && o->spectrum) {
        fprintf(
            stderr,
            "holonom: error: --x and --spectrum: a spectrum is drawn over the frequency; leave one out\n");
        return 2;
    }
    int code = read_files(ctx, o, c);
    if (!code) code = choose(ctx, c, o->signals, &s);
    if (!code) code = choose_x(ctx, o->x, c);
    if (!code) code = check_names(ctx, c, &s);
    double ignored;
    if (!code) c->x_unit = unit_of(c, c->x_name, &ignored);
    for (int k = 0; k < c->n_files && !code; k++) code = derive(ctx, o, &s, k, c);
    for (int i = 0; i < s.n && !code; i++)
        for (int k = 0; k < c->n_files; k++) add(c, k, i, c->r[0]->name[s.column[i]]);
    if (!code) code = check_points(c);
    if (!code) show_all(c, &s);
    cli_selection_free(&s);
    return code;
}

void cli_curves_free(cli_curves *c)
{
    for (int k = 0; k < c->n_files; k++) {
        hol_result_destroy(c->r[k]);
        hol_result_destroy(c->difference[k]);
        hol_result_destroy(c->spectrum[k]);
    }
    hol_result_destroy(c->minus);
}
