// Trimming: parameters with which signals have given values in equilibrium (docs/theory.md, section 20.6). Newton's method on the signals
// of equilibria; the model is read again for each set of values.
#include "analysis/trim.h"
#include "linalg/dense.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_STEPS = 30, MOST_CUTS = 10, MOST_STALLED = 3 };
#define FLAT 1e-7 // combinations of parameters that move nothing held, against the others

// A value with a unit has the dimension of its signal.
static hol_status check_dimension(const hol_trimmer *t, const hol_spec_hold *h, const hol_column *c)
{
    const int *p = h->nature.dimension.power;
    char given[100], want[100];
    hol_unit u;
    if (!(h->nature.flags & HOL_NATURE_UNIT) || h->nature.flags & HOL_NATURE_LOOSE) return HOL_OK;
    if (!*c->unit || !hol_unit_read(c->unit, &u)) return HOL_OK; // a variable of which nothing is said
    const int *q = u.dimension.power;
    if (memcmp(p, q, 3 * sizeof *p) == 0 && (p[3] == q[3] || !p[3] || !q[3])) return HOL_OK;
    hol_dimension_print(&h->nature.dimension, given, sizeof given);
    hol_dimension_print(&u.dimension, want, sizeof want);
    return hol_fail_at(t->o->ctx, HOL_ERR_MODEL, h->signal.at,
                       "static.trim.hold: dimension: the value is %s, and \"%s\" is %s, in %s", given,
                       h->signal.name, want, c->unit);
}

hol_status hol_trim_miss(hol_trimmer *t, hol_slice *c, double *left)
{
    const hol_spec *spec = t->o->m->spec;
    hol_signals g = {0};
    hol_word *word = hol_calloc(t->o->ctx, (size_t)t->n, sizeof *word);
    hol_status st = word ? HOL_OK : HOL_ERR_MEMORY;
    for (int i = 0; i < t->n && !st; i++) word[i] = spec->hold[i].signal;
    if (!st) st = hol_signals_create_of(t->o->ctx, c->at.k.s, "static.trim.hold", word, t->n, &g);
    if (!st && g.n != t->n)
        st = hol_fail_at(t->o->ctx, HOL_ERR_MODEL, word[0].at,
                         "static.trim.hold: one signal is wanted for each value, and these are %d", g.n);
    for (int i = 0; i < t->n && !st; i++) st = check_dimension(t, &spec->hold[i], &g.column[i]);
    if (!st) hol_equations_remember(c->at.k.s, &c->at.x);
    if (!st) st = hol_signals_evaluate(&g, &c->at.x, 0);
    for (int i = 0; i < t->n && !st; i++) {
        const hol_spec_hold *h = &spec->hold[i];
        const double unit =
                         h->nature.flags & HOL_NATURE_PLAIN
                             ? hol_unit_factor(hol_units_at(&spec->systems, h->signal.at), g.column[i].unit)
                             : 1,
                     value = h->value * unit;
        left[i] = (g.value[i] - value) / fmax(1, fabs(value));
    }
    if (g.s) hol_signals_destroy(&g);
    hol_free(word);
    return st;
}

hol_status hol_trim_open(hol_trimmer *t, const hol_fixed *p, const hol_state *x, hol_slice *c)
{
    hol_context *ctx = t->o->ctx;
    const hol_status st = hol_slice_open(t->o, t->start, p, t->n, x, c);
    t->refused = st == HOL_ERR_MODEL;
    if (!t->refused) return st;
    snprintf(t->barred, sizeof t->barred, "%s", hol_context_error(ctx));
    hol_context_clear(ctx);
    return HOL_RECOVERABLE;
}

// What signals miss in the equilibrium near x with parameters p, by their sizes; x becomes it. HOL_RECOVERABLE: there is none.
static hol_status evaluate(hol_trimmer *t, const hol_fixed *p, hol_state *x, double *left)
{
    hol_slice c = {0};
    hol_status st = hol_trim_open(t, p, x, &c);
    if (!st) st = hol_equilibrium_find(t->o->ctx, &c.at.k, &c.at.rank, &c.at.x, false, &c.at.e);
    if (!st) st = hol_trim_miss(t, &c, left);
    if (!st) hol_state_copy(c.at.k.s, x, &c.at.x);
    hol_slice_close(&c);
    if (st == HOL_ERR_INTEGRATION) { // no equilibrium, which a shorter step may have
        hol_context_clear(t->o->ctx);
        return HOL_RECOVERABLE;
    }
    return st;
}

double hol_trim_size(const hol_trimmer *t, const double *left)
{
    double most = 0;
    for (int i = 0; i < t->n; i++) most = hol_larger(fabs(left[i]), most);
    return most;
}

double hol_trim_scale(const hol_fixed *p) { return p->value != 0 ? fabs(p->value) : 1; }

// Columns by differences, of parameters in parts of themselves; to the other side where the file, or the forces, end on one.
static hol_status find_tangent(hol_trimmer *t, hol_state *spare)
{
    hol_status st = HOL_OK;
    for (int j = 0; j < t->n && !st; j++) {
        double h = HOL_TRIM_DIFFERENCE;
        for (int side = 0; side == 0 || (side == 1 && st > 0); side++) {
            h = side ? -HOL_TRIM_DIFFERENCE : HOL_TRIM_DIFFERENCE;
            memcpy(t->trial, t->p, (size_t)t->n * sizeof *t->p);
            t->trial[j].value += h * hol_trim_scale(&t->p[j]);
            hol_state_copy(t->start->k.s, spare, &t->x);
            st = evaluate(t, t->trial, spare, t->side);
        }
        for (int i = 0; i < t->n && !st; i++) t->J[j * t->n + i] = (t->side[i] - t->left[i]) / h;
    }
    return st;
}

// Who does not move what is held.
static hol_status fail_rank(const hol_trimmer *t, int rank)
{
    return hol_fail_at(
        t->o->ctx, HOL_ERR_MODEL, t->o->m->spec->trim[0].at,
        "static.trim: %d parameter%s move only %d of what is held independently: hold other signals, or "
        "take other parameters",
        t->n, t->n == 1 ? "" : "s", rank);
}

// The longest part of the step that leaves less; those that the file does not allow do not count. HOL_RECOVERABLE: none.
static hol_status go(hol_trimmer *t, hol_state *spare)
{
    const double now = hol_trim_size(t, t->left);
    double factor = 1;
    for (int cuts = 0; cuts < MOST_CUTS && factor > DBL_EPSILON; factor *= 0.5, cuts += !t->refused) {
        memcpy(t->trial, t->p, (size_t)t->n * sizeof *t->p);
        for (int j = 0; j < t->n; j++) t->trial[j].value += factor * t->step[j] * hol_trim_scale(&t->p[j]);
        hol_state_copy(t->start->k.s, spare, &t->x);
        const hol_status st = evaluate(t, t->trial, spare, t->side);
        if (st < 0) return st;
        if (st || !(hol_trim_size(t, t->side) < now)) continue;
        memcpy(t->p, t->trial, (size_t)t->n * sizeof *t->p);
        memcpy(t->left, t->side, (size_t)t->n * sizeof *t->left);
        hol_state_copy(t->start->k.s, &t->x, spare);
        return HOL_OK;
    }
    return HOL_RECOVERABLE;
}

// Newton's method until nothing becomes less. HOL_RECOVERABLE: that is not nothing; *rank: what of the held signals moved.
static hol_status iterate(hol_trimmer *t, hol_state *spare, int *rank)
{
    hol_status st = evaluate(t, t->p, &t->x, t->left);
    *rank = t->n;
    if (st) return st;
    for (int i = 0; i < MOST_STEPS && !st && hol_trim_size(t, t->left) > DBL_EPSILON; i++) {
        st = find_tangent(t, spare);
        for (int k = 0; k < t->n && !st; k++) t->step[k] = -t->left[k];
        if (!st) st = hol_dense_least_norm(t->o->ctx, t->n, t->n, t->J, t->step, FLAT, rank);
        if (!st && *rank < t->n) return HOL_RECOVERABLE;
        if (!st) st = go(t, spare);
    }
    return st < 0 ? st : hol_trim_size(t, t->left) <= HOL_TRIMMED ? HOL_OK : HOL_RECOVERABLE;
}

// Which signal misses its value the most.
static hol_status fail_values(const hol_trimmer *t)
{
    int worst = 0;
    for (int i = 1; i < t->n; i++)
        if (fabs(t->left[i]) > fabs(t->left[worst])) worst = i;
    const hol_spec_hold *h = &t->o->m->spec->hold[worst];
    return hol_fail_at(
        t->o->ctx, HOL_ERR_INTEGRATION, h->signal.at,
        "static.trim: no values of the parameters are found near those of the file with which %s is "
        "%.6g: %.6g is left%s%s%s",
        h->signal.name, h->value, t->left[worst] * fmax(1, fabs(h->value)),
        *t->barred ? ". Values that were tried are beyond what the file allows (" : "", t->barred,
        *t->barred ? "), and the search ends there" : "");
}

// With each equilibrium found first; where that does not lead there, both at once.
static hol_status find(hol_trimmer *t, hol_state *spare)
{
    int rank;
    hol_status st = iterate(t, spare, &rank);
    if (st <= 0) return st;
    const bool left = hol_trim_size(t, t->left) > 0; // 0: there was no equilibrium
    for (int i = 0; i < t->n; i++) t->p[i].value = t->given[i];
    hol_state_copy(t->start->k.s, &t->x, &t->start->x);
    st = hol_trim_together(t);
    if (st <= 0) return st;
    hol_state_copy(t->start->k.s, &t->x, &t->start->x); // whose search says why there is none
    for (int i = 0; i < t->n; i++) t->p[i].value = t->given[i];
    return !left ? HOL_OK : rank < t->n && !*t->barred ? fail_rank(t, rank) : fail_values(t);
}

// The values of the file.
static hol_status begin(hol_trimmer *t)
{
    const hol_spec *spec = t->o->m->spec;
    if (spec->n_trims != spec->n_holds)
        return hol_fail_at(t->o->ctx, HOL_ERR_MODEL, spec->trim[0].at,
                           "static.trim: %d parameter%s for %d signal%s: as many are wanted", spec->n_trims,
                           spec->n_trims == 1 ? "" : "s", spec->n_holds, spec->n_holds == 1 ? "" : "s");
    for (int i = 0; i < t->n; i++) {
        hol_constant c;
        if (!hol_parameter_at(spec, (hol_src){0}, spec->trim[i].name, &c))
            return hol_fail_at(t->o->ctx, HOL_ERR_MODEL, spec->trim[i].at,
                               "static.trim.parameters: the model file has no parameter \"%s\"",
                               spec->trim[i].name);
        for (int k = 0; k < i; k++)
            if (strcmp(spec->trim[k].name, spec->trim[i].name) == 0)
                return hol_fail_at(t->o->ctx, HOL_ERR_MODEL, spec->trim[i].at,
                                   "static.trim.parameters: \"%s\" is named twice", spec->trim[i].name);
        t->p[i] = (hol_fixed){spec->trim[i].name, c.value, NULL};
        t->given[i] = c.value;
    }
    return HOL_OK;
}

hol_status hol_statics_trim(hol_statics_data *o, hol_at_rest *at, hol_fixed *values)
{
    const size_t n = (size_t)o->m->spec->n_trims;
    hol_trimmer t = {.o = o, .start = at, .n = (int)n, .p = values};
    hol_state spare = {0};
    t.trial = hol_calloc(o->ctx, n, sizeof *t.trial);
    t.left = hol_calloc(o->ctx, n * n + 4 * n, sizeof *t.left);
    t.side = t.left ? t.left + n : NULL;
    t.step = t.left ? t.side + n : NULL;
    t.given = t.left ? t.step + n : NULL;
    t.J = t.left ? t.given + n : NULL;
    hol_status st = t.trial && t.left ? begin(&t) : HOL_ERR_MEMORY;
    if (!st) st = hol_state_create(at->k.s, &t.x);
    if (!st) st = hol_state_create(at->k.s, &spare);
    if (!st) {
        hol_state_copy(at->k.s, &t.x, &at->x);
        st = find(&t, &spare);
    }
    if (!st) hol_state_copy(at->k.s, &at->x, &t.x);
    hol_state_destroy(&spare);
    hol_state_destroy(&t.x);
    hol_free(t.left);
    hol_free(t.trial);
    return st;
}
