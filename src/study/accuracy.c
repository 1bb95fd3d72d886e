// How far a run is from a reference: each signal in parts of its size, the largest value it takes in the reference, but
// not less than a part of what is large among signals of its unit; docs/theory.md, section 16.1.
#include "study/accuracy.h"

#include <math.h>
#include <string.h>

#define NOTHING 1e-9 // against what is large in this unit: no motion, only rounding

static double largest(const hol_result *r, int column)
{
    double most = 0;
    for (size_t k = 0; k < r->n_rows; k++)
        most = fmax(most, fabs(r->value[k * (size_t)r->n_columns + (size_t)column]));
    return most;
}

// What is large: the largest signal of this unit; angles and Euler parameters have a natural size.
static double largest_of_unit(const hol_judged *signal, int n, const char *unit)
{
    double most = strcmp(unit, "rad") == 0 || !*unit ? 1 : 0;
    for (int i = 0; i < n; i++)
        if (strcmp(signal[i].unit, unit) == 0) most = fmax(most, signal[i].largest);
    return most;
}

static bool is_of_run(const char *name)
{
    static const char *const one[] = {"violation.position", "violation.velocity", "violation.rate"};
    bool yes = strncmp(name, "step.", 5) == 0; // no body is called so: it is a function
    for (int i = 0; i < HOL_COUNT(one); i++) yes = yes || strcmp(name, one[i]) == 0;
    return yes;
}

hol_judged *hol_judge_scale(hol_arena *arena, const hol_result *a, const hol_result *b, double least)
{
    const int n = a->n_columns - 1;
    hol_judged *signal = hol_arena_alloc(arena, (size_t)n, sizeof *signal);
    if (!signal) return NULL;
    for (int i = 0; i < n; i++)
        signal[i] = (hol_judged){.name = a->name[i + 1],
                                 .unit = a->unit[i + 1],
                                 .largest = fmax(largest(a, i + 1), largest(b, i + 1))};
    for (int i = 0; i < n; i++) {
        hol_judged *s = &signal[i];
        const double unit = largest_of_unit(signal, n, s->unit);
        s->of_run = is_of_run(s->name);
        s->zero = s->largest <= NOTHING * unit || s->of_run;
        s->size = fmax(s->largest, least * unit);
    }
    return signal;
}

double hol_result_end(const hol_result *r) { return r->value[(r->n_rows - 1) * (size_t)r->n_columns]; }

static bool end_apart(const hol_result *a, const hol_result *b)
{
    if (a->n_rows < 2 || b->n_rows < 2) return true;
    const double spacing = hol_result_end(b) / (double)(b->n_rows - 1);
    return !(fabs(hol_result_end(a) - hol_result_end(b)) <= 0.5 * spacing);
}

// A number that is none, or one that cannot be had, is as wrong as can be.
static double error_of(const hol_run_errors *a, double difference, double size)
{
    const double x = difference / size;
    return x >= 0 && !a->ends_apart ? x : HUGE_VAL;
}

// The differences of two results, in sizes, signal by signal, and the largest.
hol_status hol_judge_errors(hol_context *ctx, hol_arena *arena, const hol_judged *signal, const hol_result *a,
                            const hol_result *b, hol_run_errors *out)
{
    const int n = b->n_columns - 1;
    hol_comparison *c = hol_comparison_create(ctx, a, b);
    if (!c) return hol_context_status(ctx);
    *out = (hol_run_errors){.worst = -1,
                            .ends_apart = end_apart(a, b),
                            .signal = hol_arena_alloc(arena, (size_t)n, sizeof *out->signal)};
    for (int i = 0, k = 0; i < n && out->signal && k < c->n; i++) {
        const hol_judged *x = &signal[i];
        const hol_difference *d = &c->item[k];
        if (strcmp(d->name, x->name) != 0) continue; // both keep the order of the columns
        k++;
        if (x->open || x->of_run || (x->zero && x->size <= x->largest)) continue;
        const hol_signal_error e = {error_of(out, d->error, x->size), error_of(out, d->rms, x->size),
                                    d->time};
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

double hol_judge_until(const hol_judged *signal, int i, const hol_result *a, const hol_result *b, double most)
{
    const size_t n = a->n_rows < b->n_rows ? a->n_rows : b->n_rows, columns = (size_t)a->n_columns;
    for (size_t k = 0; k < n; k++) {
        const double *x = a->value + k * columns, *y = b->value + k * (size_t)b->n_columns;
        if (!(fabs(x[i + 1] - y[i + 1]) <= most * signal[i].size)) return *x;
    }
    return (double)NAN;
}
