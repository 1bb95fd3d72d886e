// The poses along their curve; see follow.h. A driver that comes to a dead centre runs backwards from there: its time is a coordinate
// of the curve (19.3), which turns while the pose goes on.
#include "analysis/follow.h"
#include "analysis/kinematics.h"

#include <math.h>
#include <string.h>

#define FIRST 0.01   // step in natural sizes
#define LONGEST 0.05 // and the longest
#define LEAST 1e-9   // shorter ones are none
#define BEND 0.05    // angle between tangents that a step aims at [rad]
enum { MOST_HALVINGS = 200 };

// ---- what is told ---------------------------------------------------------------------------------------------

// Speeds have no bound at a dead centre, nor have the forces of drivers.
static bool is_told(const hol_column *c) { return !strstr(c->unit, "/s"); }

// "poses", "coordinates" and every marker; NULL: no memory.
static hol_word *words_of(hol_arena *arena, const hol_model_data *m, int *n)
{
    hol_word *word = hol_arena_alloc(arena, (size_t)m->n_markers + 2, sizeof *word);
    *n = 0;
    if (!word) return NULL;
    word[(*n)++].name = "poses";
    word[(*n)++].name = "coordinates";
    for (int i = 0; i < m->n_bodies; i++)
        for (int k = 1; k < m->body[i].n_markers; k++) { // the first is the body frame
            const char *name = m->marker[m->body[i].marker + k].name;
            if (!name || !*name) continue;
            word[*n].name = hol_arena_print(arena, "%s.%s", m->body[i].name, name);
            if (!word[(*n)++].name) return NULL;
        }
    return word;
}

// The signals of poses, and the drivers.
static hol_status choose_signals(hol_follow *f)
{
    const hol_equations *s = f->d->s;
    hol_context *ctx = f->d->ctx;
    hol_arena *arena = hol_arena_create(ctx);
    int n = 0;
    const hol_word *words = arena ? words_of(arena, s->m, &n) : NULL;
    hol_status st = words ? hol_signals_create(ctx, s, words, n, &f->signals) : HOL_ERR_MEMORY;
    hol_arena_destroy(arena);
    f->column = st ? NULL : hol_calloc(ctx, (size_t)f->signals.n + 1, sizeof *f->column);
    f->driver = st ? NULL : hol_calloc(ctx, (size_t)s->m->n_elements + 1, sizeof *f->driver);
    if (!st && (!f->column || !f->driver)) st = HOL_ERR_MEMORY;
    for (int i = 0; i < f->signals.n && !st; i++)
        if (is_told(&f->signals.column[i])) f->column[f->n++] = i;
    for (int i = 0; i < s->m->n_elements && !st; i++) {
        const hol_element *e = &s->m->element[i];
        if (e->type->role == HOL_ROLE_DRIVER && e->n_rows) f->driver[f->n_drivers++] = i;
    }
    return st;
}

double hol_follow_driver(const hol_follow *f, int i)
{
    const hol_element *e = &f->d->m->element[f->driver[i]];
    hol_real jet[4];
    hol_expr_jet(((const hol_prims *)e->data)->p[0].set, f->c.x.t, jet);
    return hol_re(jet[0]);
}

// ---- the way --------------------------------------------------------------------------------------------------

// What the pose alone does not determine.
static hol_status check(hol_context *ctx, const hol_model_data *m)
{
    const char *what = m->n_events     ? "events"
                       : m->n_states   ? "states"
                       : m->nk         ? "velocity constraints"
                       : m->n_switched ? "joints that are switched"
                                       : NULL;
    return what ? hol_fail(ctx, HOL_ERR_USAGE,
                           "kinematics: a motion that runs backwards is not continued with %s, which depend "
                           "on what "
                           "was before: leave out --continue",
                           what)
                : HOL_OK;
}

hol_status hol_follow_begin(hol_context *ctx, const hol_model_data *m, const hol_settings *set, hol_follow *f)
{
    *f = (hol_follow){.ds = FIRST, .end = set->end};
    hol_status st = check(ctx, m);
    if (!st && !(f->d = hol_kinematics_begin(ctx, m, set))) st = hol_context_status(ctx);
    if (!st) st = hol_curve_create(ctx, f->d->s, &f->d->it->x, -1, &f->c);
    if (st > 0)
        st =
            hol_fail(ctx, HOL_ERR_INTEGRATION,
                     "kinematics: the start is a singular pose, from which more than one motion leads: begin "
                     "beside it");
    if (!st) st = hol_state_create(f->d->s, &f->x);
    f->z = st ? NULL : hol_calloc(ctx, (size_t)f->c.n + 1, sizeof *f->z);
    if (!st && !f->z) st = HOL_ERR_MEMORY;
    if (!st) st = choose_signals(f);
    if (st) hol_follow_destroy(f);
    return st;
}

void hol_follow_destroy(hol_follow *f)
{
    hol_signals_destroy(&f->signals);
    hol_curve_destroy(&f->c);
    hol_state_destroy(&f->x);
    hol_dynamics_destroy(f->d);
    hol_free(f->column);
    hol_free(f->driver);
    hol_free(f->z);
    *f = (hol_follow){0};
}

static void keep(hol_follow *f)
{
    hol_state_copy(f->d->s, &f->x, &f->c.x);
    memcpy(f->z, f->c.z, (size_t)f->c.n * sizeof *f->z);
    f->slope = f->c.slope;
    f->length = f->c.length;
}

static void go_back(hol_follow *f)
{
    hol_state_copy(f->d->s, &f->c.x, &f->x);
    memcpy(f->c.z, f->z, (size_t)f->c.n * sizeof *f->z);
    f->c.slope = f->slope;
    f->c.length = f->length;
}

static double passed(const hol_follow *f) { return fabs(f->c.x.t - f->x.t); }

// To the pose at which the drivers have run for `end`, between the last one and `way` behind it.
static hol_status land(hol_follow *f, double way)
{
    double low = 0, high = way;
    for (int i = 0; i < MOST_HALVINGS && high - low > 1e-15; i++) {
        const double middle = 0.5 * (low + high);
        go_back(f);
        const hol_status st = hol_curve_step(&f->c, middle);
        if (st) return st;
        *(f->elapsed + passed(f) < f->end ? &low : &high) = middle;
    }
    return HOL_OK;
}

// A step, or to the dead centre that lies in it.
static hol_status advance(hol_follow *f)
{
    hol_status st = hol_curve_step(&f->c, f->ds);
    f->turned = !st && f->c.slope * f->slope < 0;
    if (f->turned) st = hol_curve_turning_point(&f->c, 2 * LONGEST);
    if (st) go_back(f);
    return st;
}

hol_status hol_follow_next(hol_follow *f, bool *done)
{
    keep(f);
    hol_status st = advance(f);
    while (st > 0 && f->ds > LEAST) {
        f->ds *= 0.5;
        st = advance(f);
    }
    if (!st && f->elapsed + passed(f) >= f->end) {
        st = land(f, f->c.length - f->length);
        f->turned = false;
        *done = true;
    }
    if (st > 0)
        return hol_fail(
            f->d->ctx, HOL_ERR_INTEGRATION,
            "kinematics: the curve of poses is not found beyond t = %.9g s of the drivers: a singular "
            "pose, in which several motions meet. Begin on its other side, or end before it (--end %.6g)",
            f->x.t, f->elapsed);
    if (st) return st;
    f->elapsed += passed(f);
    f->turns += f->turned;
    if (f->turned) f->c.slope = -f->slope; // 0 is no side
    hol_equations_remember(f->d->s, &f->c.x);
    f->ds = fmin(LONGEST, f->ds * fmin(2, fmax(0.5, BEND / fmax(f->c.bend, 0.01 * BEND))));
    return HOL_OK;
}
