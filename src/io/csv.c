// CSV files: comment lines with #, one header line with the column names, one line per output time.
#include "io/csv.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    hol_context *ctx;
    FILE *file;
    char *path;
} csv;

int hol_number_text(double x, char out[32])
{
    int n = 0;
    for (int digits = 15; digits <= 17; digits++) {
        n = snprintf(out, 32, "%.*g", digits, x);
        if (strtod(out, NULL) == x) break; // a NaN takes all 17
    }
    return n;
}

static hol_status fail(csv *c)
{
    return hol_fail(c->ctx, HOL_ERR_IO, "%s: cannot be written: %s", c->path, strerror(errno));
}

static hol_status row(void *data, double t, const double *value, int n)
{
    csv *c = data;
    char text[32];
    int k = hol_number_text(t, text);
    bool good = fwrite(text, 1, (size_t)k, c->file) == (size_t)k;
    for (int i = 0; i < n && good; i++) {
        k = hol_number_text(value[i], text);
        good = putc(',', c->file) != EOF && fwrite(text, 1, (size_t)k, c->file) == (size_t)k;
    }
    return good && putc('\n', c->file) != EOF ? HOL_OK : fail(c);
}

static hol_status close_file(void *data)
{
    csv *c = data;
    hol_status st = HOL_OK;
    if (c->file && fclose(c->file) != 0) st = fail(c);
    hol_free(c->path);
    hol_free(c);
    return st;
}

// Where each reaction acts, one comment line per joint.
static void write_reactions(FILE *f, const hol_dynamics *d)
{
    const hol_signals *g = &d->signals;
    int last = -1;
    fprintf(f, "# reactions: force and torque on the second body, at its joint marker, in the marker's axes\n");
    for (int i = 0; i < g->n; i++) {
        if (g->column[i].kind != HOL_SIGNAL_REACTION || g->column[i].index == last) continue;
        last = g->column[i].index;
        const hol_element *e = &d->m->element[last];
        const hol_end *end = &e->end[e->n_ends - 1];
        fprintf(f, "# %s: on %s\n", e->name, end->label);
    }
}

static bool write_header(FILE *f, const hol_dynamics *d)
{
    const hol_signals *g = &d->signals;
    fprintf(f, "# holonom %s: %s\n", HOL_VERSION, d->m->title ? d->m->title : d->m->spec->file);
    fprintf(f, "# model %s, method %s\n", d->m->spec->file, d->set.method->name);
    if (g->wants_reactions) write_reactions(f, d);
    fprintf(f, "# units: s");
    for (int i = 0; i < g->n; i++) fprintf(f, ",%s", *g->column[i].unit ? g->column[i].unit : "1");
    fprintf(f, "\nt");
    for (int i = 0; i < g->n; i++) fprintf(f, ",%s", g->column[i].name);
    return putc('\n', f) != EOF && fflush(f) == 0;
}

hol_status hol_csv_open(hol_context *ctx, const char *path, const hol_dynamics *d, hol_sink *out)
{
    csv *c = hol_calloc(ctx, 1, sizeof *c);
    if (!c) return HOL_ERR_MEMORY;
    c->ctx = ctx;
    c->path = hol_calloc(ctx, strlen(path) + 1, 1);
    if (c->path) memcpy(c->path, path, strlen(path));
    hol_status st = c->path ? HOL_OK : HOL_ERR_MEMORY;
    if (!st && !(c->file = fopen(path, "w"))) st = fail(c);
    if (!st && !write_header(c->file, d)) st = fail(c);
    if (st) {
        close_file(c);
        return st;
    }
    const hol_sink sink = {c, row, close_file};
    *out = sink;
    return HOL_OK;
}
