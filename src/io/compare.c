// Two results compared by the names of their columns.
//
// At each time t_i of a the value of b is interpolated by the cubic polynomial through the two rows of b before t_i and
// the two after it (at the ends: the first or last four), and is b's own value where the times coincide:
//     D_i = |a(t_i) - b*(t_i)|,   D = max D_i at t_p,   RMS = sqrt(sum D_i^2 / n),   relative = 100 D / |b*(t_p)| %
// The polynomial does not reach over a jump, which is a time that stands twice.
#include "io/compare.h"
#include "io/result.h"

#include <math.h>
#include <string.h>

typedef struct {
    hol_comparison c; // first: the public view is this struct
    hol_arena *arena;
    hol_context *ctx;
    const hol_result *a, *b;
    int *column_a, *column_b; // of each signal                            (c.n)
} comparison;

static double time_of(const hol_result *r, size_t k) { return r->value[k * (size_t)r->n_columns]; }

hol_status hol_result_check_times(hol_context *ctx, const hol_result *r)
{
    for (size_t k = 0; k < r->n_rows; k++) {
        const double t = time_of(r, k);
        if (!isfinite(t))
            return hol_fail(ctx, HOL_ERR_USAGE, "%s: the time in row %zu is not finite", r->file, k + 1);
        if (k && t < time_of(r, k - 1))
            return hol_fail(ctx, HOL_ERR_USAGE, "%s: the time goes back in row %zu, from %.9g to %.9g",
                            r->file, k + 1, time_of(r, k - 1), t);
    }
    return HOL_OK;
}

// ---- names ----------------------------------------------------------------------------------------------------

static hol_names *names_of(hol_context *ctx, hol_arena *arena, const hol_result *r)
{
    hol_names *names = hol_names_create_in(ctx, arena);
    for (int i = 1; i < r->n_columns && names; i++)
        if (hol_names_find(names, r->name[i]) < 0 && hol_names_add(names, r->name[i], i)) names = NULL;
    return names;
}

static hol_status check_names(hol_context *ctx, const hol_names *names, const hol_result *r)
{
    hol_status st = HOL_OK;
    for (int i = 1; i < r->n_columns && !st; i++) {
        const int first = hol_names_find(names, r->name[i]);
        if (first != i) st = hol_result_check_twins(ctx, r, first, i);
    }
    return st;
}

// What has two units has no difference.
static hol_status check_unit(const comparison *x, int column_a, int column_b)
{
    const hol_result *a = x->a, *b = x->b;
    const char *one = a->unit[column_a], *two = b->unit[column_b];
    if (hol_result_same_unit(a, column_a, b, column_b)) return HOL_OK;
    return hol_fail(x->ctx, HOL_ERR_USAGE, "\"%s\" has the unit %s in %s, but %s in %s", a->name[column_a],
                    *one ? one : "1", a->file, *two ? two : "1", b->file);
}

// Pairs the columns of the two by name and notes those that are in one only.
static hol_status match(comparison *x)
{
    const hol_result *a = x->a, *b = x->b;
    const size_t na = (size_t)a->n_columns, nb = (size_t)b->n_columns;
    const hol_names *in_a = names_of(x->ctx, x->arena, a),
                    *in_b = in_a ? names_of(x->ctx, x->arena, b) : NULL;
    x->column_a = hol_arena_alloc(x->arena, na, sizeof *x->column_a);
    x->column_b = hol_arena_alloc(x->arena, na, sizeof *x->column_b);
    x->c.item = hol_arena_alloc(x->arena, na, sizeof *x->c.item);
    x->c.only_a = hol_arena_alloc(x->arena, na, sizeof *x->c.only_a);
    x->c.only_b = hol_arena_alloc(x->arena, nb, sizeof *x->c.only_b);
    if (!in_b || !x->column_a || !x->column_b || !x->c.item || !x->c.only_a || !x->c.only_b)
        return HOL_ERR_MEMORY;
    if (check_names(x->ctx, in_a, a) || check_names(x->ctx, in_b, b)) return HOL_ERR_USAGE;
    for (int i = 1; i < a->n_columns; i++) {
        const int k = hol_names_find(in_b, a->name[i]);
        if (hol_names_find(in_a, a->name[i]) != i) continue; // a second time
        if (k < 0) {
            x->c.only_a[x->c.n_only_a++] = a->name[i];
            continue;
        }
        x->column_a[x->c.n] = i;
        x->column_b[x->c.n] = k;
        x->c.item[x->c.n++] = (hol_difference){.name = a->name[i], .unit = a->unit[i], .unit_b = b->unit[k]};
    }
    for (int i = 1; i < b->n_columns; i++)
        if (hol_names_find(in_a, b->name[i]) < 0 && hol_names_find(in_b, b->name[i]) == i)
            x->c.only_b[x->c.n_only_b++] = b->name[i];
    return x->c.n ? HOL_OK
                  : hol_fail(x->ctx, HOL_ERR_USAGE, "%s and %s have no signal in common", a->file, b->file);
}

// ---- interpolation --------------------------------------------------------------------------------------------

// Of node i in the value at t of the polynomial through all n.
static double lagrange(int n, const double *node, int i, double t)
{
    double weight = 1;
    for (int j = 0; j < n; j++)
        if (j != i) weight *= (t - node[j]) / (node[i] - node[j]);
    return weight;
}

hol_stencil hol_result_stencil(const hol_result *b, size_t k, double t, bool again)
{
    const size_t n = b->n_rows;
    if (time_of(b, k) == t || n == 1) {
        while (!again && k && time_of(b, k - 1) == time_of(b, k)) k--;
        return (hol_stencil){k, 1, {1}};
    }
    if (k + 1 == n) k--; // after the end by a rounding error
    size_t lo = k, hi = k + 1;
    for (int pass = 0; pass < 2; pass++) { // one to each side; where there is none, one more to the other
        if (hi - lo < 3 && lo > 0 && time_of(b, lo - 1) < time_of(b, lo)) lo--;
        if (hi - lo < 3 && hi + 1 < n && time_of(b, hi + 1) > time_of(b, hi)) hi++;
    }
    hol_stencil s = {lo, (int)(hi - lo) + 1, {0}};
    double node[4];
    for (int i = 0; i < s.n; i++) node[i] = time_of(b, lo + (size_t)i);
    for (int i = 0; i < s.n; i++) s.weight[i] = lagrange(s.n, node, i, t);
    return s;
}

double hol_result_between(const hol_result *b, const hol_stencil *s, int column)
{
    double x = 0;
    for (int i = 0; i < s->n; i++)
        x += s->weight[i] * b->value[(s->first + (size_t)i) * (size_t)b->n_columns + (size_t)column];
    return x;
}

// A row. Two equal infinities do not differ, nor two rows without a number.
static void add(hol_difference *d, double t, double a, double b)
{
    const double error = a == b || (isnan(a) && isnan(b)) ? 0 : fabs(a - b);
    d->rms += error * error;
    d->largest = fmax(d->largest, fabs(b));
    if (error <= d->error || isnan(d->error)) return;
    d->error = error;
    d->time = t;
    d->reference = b;
}

// Of the reference there, or of its largest value where it passes near 0.
static double percent(const hol_difference *d)
{
    const double here = fabs(d->reference), size = here < 1e-3 * d->largest ? d->largest : here;
    return d->error == 0 ? 0 : 100 * d->error / size;
}

// ---- rows -----------------------------------------------------------------------------------------------------

// Goes through the rows of a whose times lie within b.
typedef struct {
    const hol_result *a, *b;
    size_t next, i, k; // row of a to be looked at, that was found; of b: the last one not after its time
    double t;
    hol_stencil s; // of b there
} walk;

// The next row; false: there is none.
static bool next_row(walk *w)
{
    const hol_result *a = w->a, *b = w->b;
    const double b0 = time_of(b, 0), b1 = time_of(b, b->n_rows - 1), slack = 1e-9 * (b1 - b0);
    while (w->next < a->n_rows && time_of(a, w->next) < b0 - slack) w->next++;
    if (w->next == a->n_rows || time_of(a, w->next) > b1 + slack) return false;
    w->i = w->next++;
    w->t = time_of(a, w->i);
    while (w->k + 1 < b->n_rows && time_of(b, w->k + 1) <= w->t) w->k++;
    w->s = hol_result_stencil(b, w->k, w->t, w->i && time_of(a, w->i - 1) == w->t);
    return true;
}

#define CLOSER                                                                                               \
    7 // times: so much better than in a row that is left out is a cubic in the middle between rows, whose error goes with the fourth power of their distance

#define WILD 0.3 // of all that b changes by: rows that say nothing of each other

// What the rows of b are off from the cubic through the two on each side, over that.
static double between_rows(const walk *w, int column)
{
    const hol_result *b = w->b;
    double most = 0, low = HUGE_VAL, high = -HUGE_VAL;
    for (size_t k = 0; k < b->n_rows; k++) {
        low = fmin(low, b->value[k * (size_t)b->n_columns + (size_t)column]);
        high = fmax(high, b->value[k * (size_t)b->n_columns + (size_t)column]);
    }
    for (size_t k = 2; k + 2 < b->n_rows; k++) {
        const size_t row[4] = {k - 2, k - 1, k + 1, k + 2};
        const double t = time_of(b, k), node[4] = {time_of(b, row[0]), time_of(b, row[1]), time_of(b, row[2]),
                                                   time_of(b, row[3])};
        const bool apart = node[0] < node[1] && node[1] < t && t < node[2] && node[2] < node[3];
        double x = 0;
        for (int i = 0; i < 4 && apart; i++)
            x += lagrange(4, node, i, t) * b->value[row[i] * (size_t)b->n_columns + (size_t)column];
        if (apart) most = fmax(most, fabs(b->value[k * (size_t)b->n_columns + (size_t)column] - x));
    }
    return most > WILD * (high - low) ? high - low : most / CLOSER;
}

static hol_status no_common_time(hol_context *ctx, const hol_result *a, const hol_result *b)
{
    return hol_fail(ctx, HOL_ERR_USAGE, "%s and %s have no time in common: %.6g .. %.6g s and %.6g .. %.6g s",
                    a->file, b->file, time_of(a, 0), time_of(a, a->n_rows - 1), time_of(b, 0),
                    time_of(b, b->n_rows - 1));
}

// Largest and root-mean-square differences at the times of a that lie within b, where b is interpolated.
static hol_status measure(comparison *x)
{
    const hol_result *a = x->a, *b = x->b;
    hol_comparison *c = &x->c;
    bool between = false;
    walk w = {.a = a, .b = b};
    while (next_row(&w)) {
        between = between || w.s.n > 1;
        for (int m = 0; m < c->n; m++) {
            const double reference = hol_result_between(b, &w.s, x->column_b[m]);
            if (c->rows == 0) c->item[m].time = w.t;
            if (c->rows == 0) c->item[m].reference = reference;
            add(&c->item[m], w.t, a->value[w.i * (size_t)a->n_columns + (size_t)x->column_a[m]], reference);
        }
        if (c->rows++ == 0) c->from = w.t;
        c->to = w.t;
    }
    if (c->rows == 0) return no_common_time(x->ctx, a, b);
    for (int m = 0; m < c->n; m++) {
        hol_difference *d = &c->item[m];
        d->rms = sqrt(d->rms / (double)c->rows);
        d->percent = percent(d);
        if (between && d->error > 0) d->between = between_rows(&w, x->column_b[m]);
    }
    return HOL_OK;
}

// The columns that both have, paired.
static hol_status begin(comparison *x, hol_context *ctx, const hol_result *a, const hol_result *b)
{
    x->ctx = ctx;
    x->a = a;
    x->b = b;
    x->arena = hol_arena_create(ctx);
    hol_status st = x->arena ? hol_result_check_times(ctx, a) : HOL_ERR_MEMORY;
    if (!st) st = hol_result_check_times(ctx, b);
    if (!st) st = check_unit(x, 0, 0);
    if (!st) st = match(x);
    for (int m = 0; m < x->c.n && !st; m++) st = check_unit(x, x->column_a[m], x->column_b[m]);
    return st;
}

hol_comparison *hol_comparison_create(hol_context *ctx, const hol_result *a, const hol_result *b)
{
    if (HOL_NEED(ctx, ctx) || HOL_NEED(ctx, a) || HOL_NEED(ctx, b)) return NULL;
    hol_context_clear(ctx);
    comparison *x = hol_calloc(ctx, 1, sizeof *x);
    if (!x) return NULL;
    hol_status st = begin(x, ctx, a, b);
    if (!st) st = measure(x);
    if (!st) return &x->c;
    hol_comparison_destroy(&x->c);
    return NULL;
}

void hol_comparison_destroy(hol_comparison *c)
{
    if (!c) return;
    hol_arena_destroy(((comparison *)c)->arena);
    hol_free(c);
}

// ---- a minus b ------------------------------------------------------------------------------------------------

// Names and units of the differences.
static hol_status name_differences(const comparison *x, hol_result_data *d)
{
    const bool a = hol_result_has_units(x->a);
    hol_status st = hol_result_columns(d, x->c.n + 1);
    if (!st) st = hol_result_name(d, 0, x->a->name[0], x->a->unit[0]);
    for (int m = 0; m < x->c.n && !st; m++) {
        const hol_difference *item = &x->c.item[m];
        st = hol_result_name(d, m + 1, item->name, a ? item->unit : item->unit_b);
    }
    return st;
}

// The rows of differences.
static hol_status subtract(const comparison *x, hol_result_data *d)
{
    const hol_result *a = x->a;
    for (walk w = {.a = a, .b = x->b}; next_row(&w); d->r.n_rows++) {
        double *row = hol_result_rows(d, 1);
        if (!row) return HOL_ERR_MEMORY;
        row[0] = w.t;
        for (int m = 0; m < x->c.n; m++)
            row[m + 1] = a->value[w.i * (size_t)a->n_columns + (size_t)x->column_a[m]] -
                         hol_result_between(x->b, &w.s, x->column_b[m]);
    }
    return d->r.n_rows ? HOL_OK : no_common_time(x->ctx, a, x->b);
}

hol_result *hol_result_minus(hol_context *ctx, const hol_result *a, const hol_result *b)
{
    if (HOL_NEED(ctx, ctx) || HOL_NEED(ctx, a) || HOL_NEED(ctx, b)) return NULL;
    hol_context_clear(ctx);
    comparison x = {0};
    hol_result_data *d = hol_calloc(ctx, 1, sizeof *d);
    if (!d) return NULL;
    hol_status st = hol_result_begin(d, ctx, a->file);
    if (!st) st = begin(&x, ctx, a, b);
    if (!st) st = name_differences(&x, d);
    if (!st) st = subtract(&x, d);
    hol_arena_destroy(x.arena);
    if (!st) return &d->r;
    hol_result_destroy(&d->r);
    return NULL;
}
