// What would close a loop: parameters of the model file by which its gap changes. The derivatives of the gap by the rows (4.2c) are at hand,
// those of the rows by a parameter are differences of two models that are read again. Nothing is told that has not been assembled.
#include "system/assemblies.h"
#include "system/initial.h"

#include "model/subsystem.h"

#include <math.h>
#include <string.h>

enum {
    MOST_PARAMETERS = 40,   // that are looked at
    MOST_COORDINATES = 3000 // of models that are read again and again
};
#define DIFFERENCE 1e-6 // of a parameter, or of 1
#define NOTHING 1e-4    // of the largest relative effect, that a parameter has for sure
#define FARTHEST 10     // times a parameter's own value
#define LITTLE_LESS 0.9 // of a change that closes: does it close, too?
#define HALF 0.5
#define ENOUGH 1e-2
#define SLACK 1e-4 // of the last digit of a value that is told

// The model with another value of a parameter; NULL: there is none, or it consists of something else.
static hol_model_data *read_with(hol_assembler *a, const char *name, double value)
{
    const hol_fixed fixed = {name, value, NULL};
    hol_context *ctx = a->m.ctx;
    hol_spec *spec = hol_spec_read_again(a->m.spec, &fixed, 1, NULL);
    hol_context_mute(ctx, true);
    hol_model_data *m = spec ? hol_model_compile(spec) : NULL;
    hol_context_mute(ctx, false);
    if (m && m->nq == a->m.nq && m->nc + m->hold_rows == a->m.nc) return m;
    hol_model_free(m);
    return NULL;
}

// The rows of the model with this value in the pose in which one joint alone is open. HOL_RECOVERABLE: there is no such model.
static hol_status rows_with(hol_assembler *a, const char *name, double value, double *phi)
{
    hol_assembler b;
    hol_state x = a->x;
    hol_model_data *m = read_with(a, name, value);
    if (!m) return hol_context_status(a->m.ctx) == HOL_ERR_MEMORY ? HOL_ERR_MEMORY : HOL_RECOVERABLE;
    x.q = a->apart;
    hol_status st = hol_assembler_create(a->m.ctx, m, &x, false, &b);
    if (!st && b.k.s->nc == a->k.s->nc)
        hol_equations_residual(b.k.s, &b.x, NULL, phi);
    else if (!st)
        st = HOL_RECOVERABLE;
    hol_assembler_destroy(&b);
    hol_model_free(m);
    return st;
}

// Does the model with this value assemble, as it is drawn then?
static hol_status closes_with(hol_assembler *a, const char *name, double value, bool *closes)
{
    hol_assembler b = {0};
    hol_state x = {0};
    bool least;
    hol_model_data *m = read_with(a, name, value);
    *closes = false;
    if (!m) return hol_context_status(a->m.ctx) == HOL_ERR_MEMORY ? HOL_ERR_MEMORY : HOL_OK;
    hol_equations *s = hol_equations_create(a->m.ctx, m, NULL);
    hol_status st = s ? hol_start_state(s, &x) : HOL_ERR_MEMORY;
    if (!st) st = hol_assembler_create(a->m.ctx, m, &x, false, &b);
    if (!st) st = hol_start_find_pose(a->m.ctx, &b, HOL_START_QUIET, &least);
    *closes = !st && !hol_require_broken(&b.m, &b.x);
    hol_assembler_destroy(&b);
    hol_state_destroy(&x);
    hol_equations_destroy(s);
    hol_model_free(m);
    return st == HOL_ERR_MEMORY ? st : HOL_OK;
}

// The derivative of the gap by a parameter, 0: it has none. room: (2 nc)
static hol_status find_derivative(hol_assembler *a, const char *name, double value, double *room, double *by)
{
    const int nc = a->k.s->nc;
    const double step = DIFFERENCE * (value != 0 ? fabs(value) : 1);
    double *phi[2] = {room, room + nc};
    hol_status st = HOL_OK;
    *by = 0;
    for (int i = 0; i < 2 && !st; i++) st = rows_with(a, name, value + (i ? -step : step), phi[i]);
    for (int i = 0; i < nc && !st; i++) *by += a->pull[i] * (phi[0][i] - phi[1][i]) / (2 * step);
    if (!isfinite(*by)) *by = 0;
    return st > 0 ? HOL_OK : st;
}

// now + change with few digits, no less changed.
static double rounded(double now, double change)
{
    const double digit = pow(10, floor(log10(fabs(change))) - 2), n = (now + change) / digit;
    return digit * (change > 0 ? ceil(n - SLACK) : floor(n + SLACK));
}

// A smaller change that will do, where the gap is not linear in the parameter: by halving, to a hundredth of it.
static hol_status shorten(hol_assembler *a, hol_length *l)
{
    double open = l->now, part = LITTLE_LESS;
    hol_status st = HOL_OK;
    while (!st && fabs(l->then - open) > ENOUGH * fabs(l->then - l->now)) {
        const double trial = rounded(l->now, open + part * (l->then - open) - l->now);
        bool closes = false;
        if (trial == l->then || trial == open) break;
        st = closes_with(a, l->name, trial, &closes);
        if (!closes && part > HALF) break; // the first: it is linear
        *(closes ? &l->then : &open) = trial;
        part = HALF;
    }
    return st;
}

// A change of the parameter with which the model closes, that of the tangent with few digits, a little more, or with all digits where but one
// value closes; then as now: none is found.
static hol_status find_change(hol_assembler *a, hol_length *l)
{
    static const double more[] = {1, 1.02, 1.2, 0};
    const double change = -a->gap / l->by;
    bool closes = false;
    hol_status st = HOL_OK;
    for (int i = 0; i < HOL_COUNT(more) && !st && !closes; i++) {
        l->then = more[i] > 0 ? rounded(l->now, more[i] * change) : l->now + change;
        if (l->then * l->now < 0) break;
        st = closes_with(a, l->name, l->then, &closes);
    }
    if (!closes) l->then = l->now;
    return closes ? shorten(a, l) : st;
}

static double effect(const hol_length *l) { return fabs(l->by) * (l->now != 0 ? fabs(l->now) : 1); }

// "m", "rad", or "" of other parameters.
static const char *unit_of(const hol_nature *nature)
{
    const int *p = nature->dimension.power;
    const bool given = nature->flags & HOL_NATURE_UNIT, plain = !p[1] && !p[2];
    if (nature->flags & HOL_NATURE_ANGLE || (given && plain && !p[0] && p[3] == HOL_POWER_ONE)) return "rad";
    return given && plain && p[0] == HOL_POWER_ONE && !p[3] ? "m" : "";
}

// Those with the largest effect, in the order of the file.
static hol_status find_all(hol_assembler *a, hol_length *all, int *n, double *room)
{
    hol_parameter p;
    double most = 0;
    hol_status st = HOL_OK;
    for (int i = 0; i < MOST_PARAMETERS && !st; i++) {
        if (!hol_parameter_of(a->m.spec, i, &p) || *p.prefix) break; // those of the model file
        all[*n] = (hol_length){.name = p.name, .now = p.value.value};
        all[*n].unit = unit_of(&p.value.nature);
        st = hol_check_cancelled(a->m.ctx, "interrupted at the start");
        if (!st) st = find_derivative(a, p.name, p.value.value, room, &all[*n].by);
        most = fmax(most, effect(&all[*n]));
        *n += !st;
    }
    int kept = 0;
    for (int i = 0; i < *n; i++) {
        if (!(effect(&all[i]) > NOTHING * most) ||
            !(fabs(a->gap / all[i].by) <= FARTHEST * fmax(fabs(all[i].now), a->gap)))
            continue;
        all[kept++] = all[i];
    }
    *n = kept;
    return st;
}

hol_status hol_assembly_find_lengths(hol_assembler *a)
{
    hol_length all[MOST_PARAMETERS];
    int n = 0;
    a->n_lengths = 0;
    if (!isfinite(a->gap) || !(a->gap > 0) || a->k.s->nq > MOST_COORDINATES) return HOL_OK;
    double *room = hol_calloc(a->m.ctx, 2 * (size_t)a->k.s->nc + 1, sizeof *room);
    hol_status st = room ? find_all(a, all, &n, room) : HOL_ERR_MEMORY;
    for (int i = 0; i < n && !st && a->n_lengths < HOL_MOST_LENGTHS; i++) {
        st = hol_check_cancelled(a->m.ctx, "interrupted at the start");
        if (!st) st = find_change(a, &all[i]);
        if (!st && all[i].then != all[i].now) a->length[a->n_lengths++] = all[i];
    }
    hol_free(room);
    if (!st) hol_context_clear(a->m.ctx);
    return st;
}
