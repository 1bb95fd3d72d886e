// How far a run is from a reference: each signal in parts of its size, the largest value it takes in the reference, but
// not less than a part of what is large among signals of its unit; docs/theory.md, section 16.1.
#include "cli/accuracy.h"
#include "base/base.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NOTHING 1e-9 // against what is large in this unit: no motion, only rounding

static char *copied(const char *text)
{
    const size_t n = strlen(text) + 1;
    char *out = malloc(n);
    return out ? memcpy(out, text, n) : NULL;
}

static double largest(const hol_result *r, int column)
{
    double most = 0;
    for (size_t k = 0; k < r->n_rows; k++)
        most = fmax(most, fabs(r->value[k * (size_t)r->n_columns + (size_t)column]));
    return most;
}

// What is large: the largest signal of this unit; angles and Euler parameters have a natural size.
static double largest_of_unit(const cli_scale *s, const char *unit)
{
    double most = strcmp(unit, "rad") == 0 || !*unit ? 1 : 0;
    for (int i = 0; i < s->n; i++)
        if (strcmp(s->signal[i].unit, unit) == 0) most = fmax(most, s->signal[i].own);
    return most;
}

static bool is_of_run(const char *name)
{
    static const char *const one[] = {"violation.position", "violation.velocity", "violation.rate"};
    bool yes = strncmp(name, "step.", 5) == 0; // no body is called so: it is a function
    for (size_t i = 0; i < sizeof one / sizeof *one; i++) yes = yes || strcmp(name, one[i]) == 0;
    return yes;
}

bool cli_scale_make(const hol_result *r, const hol_result *other, double least, cli_scale *out)
{
    out->n = 0;
    out->signal = calloc((size_t)r->n_columns, sizeof *out->signal);
    if (!out->signal) return false;
    for (int i = 1; i < r->n_columns; i++) {
        cli_signal *s = &out->signal[out->n++];
        s->name = copied(r->name[i]);
        s->unit = copied(r->unit[i]);
        s->own = largest(r, i);
        if (i < other->n_columns) s->own = fmax(s->own, largest(other, i));
        if (!s->name || !s->unit) return false;
    }
    for (int i = 0; i < out->n; i++) {
        cli_signal *s = &out->signal[i];
        const double unit = largest_of_unit(out, s->unit);
        s->of_run = is_of_run(s->name);
        s->zero = s->own <= NOTHING * unit || s->of_run;
        s->size = fmax(s->own, least * unit);
    }
    return true;
}

void cli_scale_free(cli_scale *s)
{
    for (int i = 0; i < s->n; i++) {
        free(s->signal[i].name);
        free(s->signal[i].unit);
    }
    free(s->signal);
    memset(s, 0, sizeof *s);
}

static double last_time(const hol_result *r) { return r->value[(r->n_rows - 1) * (size_t)r->n_columns]; }

static bool end_apart(const hol_result *a, const hol_result *b)
{
    if (a->n_rows < 2 || b->n_rows < 2) return true;
    const double spacing = last_time(b) / (double)(b->n_rows - 1);
    return !(fabs(last_time(a) - last_time(b)) <= 0.5 * spacing);
}

// A number that is none, or one that cannot be had, is as wrong as can be.
static double error_of(const cli_accuracy *a, double difference, double size)
{
    const double x = difference / size;
    return x >= 0 && !a->ends_apart ? x : HUGE_VAL;
}

hol_status cli_accuracy_find(hol_context *ctx, const cli_scale *s, const hol_result *a, const hol_result *b,
                             cli_accuracy *out)
{
    hol_comparison *c = hol_comparison_create(ctx, a, b);
    if (!c) return hol_context_status(ctx);
    *out = (cli_accuracy){
        .worst = -1, .ends_apart = end_apart(a, b), .signal = calloc((size_t)s->n + 1, sizeof *out->signal)};
    for (int i = 0, k = 0; i < s->n && out->signal && k < c->n; i++) {
        const cli_signal *x = &s->signal[i];
        const hol_difference *d = &c->item[k];
        if (strcmp(d->name, x->name) != 0) continue; // both keep the order of the columns
        k++;
        if (x->open || x->of_run || (x->zero && x->size <= x->own)) continue;
        const cli_error e = {error_of(out, d->error, x->size), error_of(out, d->rms, x->size), d->time};
        out->signal[i] = e;
        out->rms = hol_larger(e.rms, out->rms);
        if (e.max <= out->max && out->worst >= 0) continue;
        out->max = e.max;
        out->worst = i;
        out->at = e.at;
    }
    hol_comparison_destroy(c);
    return out->signal ? HOL_OK : HOL_ERR_MEMORY;
}

void cli_accuracy_free(cli_accuracy *a)
{
    free(a->signal);
    memset(a, 0, sizeof *a);
}

double cli_accuracy_until(const cli_scale *s, int i, const hol_result *a, const hol_result *b, double most)
{
    const size_t n = a->n_rows < b->n_rows ? a->n_rows : b->n_rows, columns = (size_t)a->n_columns;
    for (size_t k = 0; k < n; k++) {
        const double *x = a->value + k * columns, *y = b->value + k * (size_t)b->n_columns;
        if (!(fabs(x[i + 1] - y[i + 1]) <= most * s->signal[i].size)) return *x;
    }
    return (double)NAN;
}
