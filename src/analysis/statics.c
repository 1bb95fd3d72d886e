// Equilibria of a model: the start, the search (equilibrium.h), and what is told of the pose: signals, stiffness, what falls.
#include "analysis/statics.h"
#include "analysis/body_motion.h"
#include "analysis/contacts.h"
#include "analysis/first_events.h"
#include "analysis/one_sided.h"
#include "analysis/rest_at_stops.h"
#include "analysis/signal_groups.h"
#include "analysis/slice.h"
#include "analysis/sticking.h"
#include "analysis/swarms.h"
#include "analysis/verdict.h"
#include "model/subsystem.h"
#include "model/switched.h"
#include "system/initial.h"
#include "linalg/vector.h"

#include <math.h>
#include <string.h>

#define HIDDEN 1e-6 // stiffness that rounding may hide without a word, against the forces that balance
#define SAME 1e-9   // components of a motion that differ by less are alike

static void leave(hol_at_rest *at)
{
    hol_equilibrium_destroy(&at->e);
    hol_state_destroy(&at->x);
    hol_rank_destroy(&at->rank);
    hol_start_destroy(&at->k);
}

// ---- names ----------------------------------------------------------------------------------------------------

static const char *copy(hol_arena *arena, const char *text)
{
    return text ? hol_arena_copy(arena, text, strlen(text)) : NULL;
}

// Title, file and bodies, in memory of the result.
static hol_status name_bodies(hol_statics_data *o)
{
    const hol_model_data *m = o->m;
    hol_statics *s = &o->s;
    s->title = copy(o->arena, m->title);
    s->model = copy(o->arena, m->spec->file);
    s->n_bodies = m->n_bodies;
    s->velocity_constraints = m->nk;
    s->body = hol_arena_alloc(o->arena, (size_t)m->n_bodies + 1, sizeof *s->body);
    if ((m->title && !s->title) || !s->model || !s->body) return HOL_ERR_MEMORY;
    for (int k = 0; k < m->n_bodies; k++)
        if (!(s->body[k] = copy(o->arena, m->body[k].name))) return HOL_ERR_MEMORY;
    return HOL_OK;
}

enum { POSES, COORDINATES, KINDS };

// All signals, poses of the bodies and coordinates of joints first; first[k]: the one behind those of kind k.
static hol_status make_signals(hol_context *ctx, const hol_equations *s, hol_signals *g, int first[KINDS])
{
    static const hol_word words[] = {{.name = "poses"}, {.name = "coordinates"}, {.name = "all"}};
    hol_status st = HOL_OK;
    for (int k = 0; k < KINDS && !st; k++) {
        hol_signals part = {0};
        st = hol_signals_create(ctx, s, words, k + 1, &part);
        first[k] = st ? 0 : part.n;
        hol_signals_destroy(&part);
    }
    return st ? st : hol_signals_create(ctx, s, words, HOL_COUNT(words), g);
}

// Those of steps are of runs.
static bool is_told(const hol_column *c) { return strncmp(c->name, "step.", strlen("step.")) != 0; }

static hol_static_signal kind_of(const hol_signals *g, int i, const int first[KINDS])
{
    const hol_column *c = &g->column[i];
    return i < first[POSES]                    ? HOL_STATIC_POSE
           : i < first[COORDINATES]            ? HOL_STATIC_COORDINATE
           : c->group->acts                    ? HOL_STATIC_FORCE
           : c->group == &hol_signal_groups[0] ? HOL_STATIC_MOTION
                                               : HOL_STATIC_OTHER;
}

// Names, units and kinds of the signals, in memory of the result.
static hol_status name_signals(hol_statics_data *o, const hol_signals *g, const int first[KINDS])
{
    hol_statics *s = &o->s;
    const size_t n = (size_t)g->n + 1;
    s->signal = hol_arena_alloc(o->arena, n, sizeof *s->signal);
    s->unit = hol_arena_alloc(o->arena, n, sizeof *s->unit);
    s->doc = hol_arena_alloc(o->arena, n, sizeof *s->doc);
    s->kind = hol_arena_alloc(o->arena, n, sizeof *s->kind);
    s->shown = hol_arena_alloc(o->arena, n, sizeof *s->shown);
    s->factor = hol_arena_alloc(o->arena, n, sizeof *s->factor);
    if (!s->signal || !s->unit || !s->doc || !s->kind || !s->shown || !s->factor) return HOL_ERR_MEMORY;
    for (int i = 0; i < g->n; i++) {
        const hol_column *c = &g->column[i];
        if (!is_told(c)) continue;
        const int k = s->n_signals++;
        s->signal[k] = copy(o->arena, c->name);
        s->unit[k] = copy(o->arena, c->unit);
        s->doc[k] = copy(o->arena, c->doc ? c->doc : "");
        s->kind[k] = kind_of(g, i, first);
        s->shown[k] = copy(o->arena, c->shown);
        s->factor[k] = c->factor;
        if (!s->signal[k] || !s->unit[k] || !s->doc[k] || !s->shown[k]) return HOL_ERR_MEMORY;
    }
    return HOL_OK;
}

// ---- a point --------------------------------------------------------------------------------------------------

// The motion of a direction p (d) of the search.
static hol_status take_shape(hol_statics_data *o, const hol_at_rest *at, const double *p, double *motion)
{
    return hol_body_motion_along(o->ctx, &at->e.r, at->x.q, p, motion);
}

// Components that m motions (n each) can have to themselves, taken[i] = 1, whatever basis of them is there: again and again the one
// that moves the most in what is left of all motions. part: (m x n), the components of all motions by their sizes.
static void choose_components(int n, int m, double *part, char *taken)
{
    for (int j = 0; j < m; j++) {
        int best = -1;
        double most = 0;
        for (int i = 0; i < n; i++) {
            double sum = 0;
            for (int k = 0; k < m; k++) sum += part[i * m + k] * part[i * m + k];
            if (taken[i] || !(sum > most * (1 + SAME))) continue;
            most = sum;
            best = i;
        }
        if (best < 0) return;
        taken[best] = 1;
        const double *own = part + best * m;
        for (int i = 0; i < n; i++) {
            double along = 0;
            for (int k = 0; k < m && i != best; k++) along += part[i * m + k] * own[k] / most;
            for (int k = 0; k < m; k++) part[i * m + k] -= along * own[k];
        }
    }
}

// m motions in which each has one component to itself, in the order of the bodies: any basis of them tells nothing. Gauss and Jordan.
static hol_status part_motions(hol_statics_data *o, int m, double *motions)
{
    const int n = 6 * o->m->n_bodies;
    char *taken = hol_calloc(o->ctx, (size_t)n + 1, 1);
    double *part = taken ? hol_calloc(o->ctx, (size_t)n * (size_t)m + 1, sizeof *part) : NULL;
    for (int i = 0; i < n && part; i++)
        for (int k = 0; k < m; k++) part[i * m + k] = motions[k * n + i] / hol_body_motion_size(o->m, i);
    if (part) choose_components(n, m, part, taken);
    for (int i = 0, j = 0; i < n && part; i++) {
        if (!taken[i]) continue;
        double *one = motions + j * n;
        int row = j;
        for (int k = j; k < m; k++)
            if (fabs(motions[k * n + i]) > fabs(motions[row * n + i])) row = k;
        if (row != j) hol_vector_swap(n, one, motions + row * n);
        const double pivot = one[i];
        for (int k = 0; k < n && pivot != 0; k++) one[k] /= pivot;
        for (int k = 0; k < m; k++) {
            double *other = motions + k * n;
            const double factor = other[i];
            for (int c = 0; c < n && k != j; c++) other[c] -= factor * one[c];
        }
        j++;
    }
    const hol_status st = part ? HOL_OK : HOL_ERR_MEMORY;
    hol_free(part);
    hol_free(taken);
    return st;
}

// Those without stiffness: what nothing holds, and what forces of higher order do; if these drive away, that way first.
static hol_status take_free_motions(hol_statics_data *o, const hol_at_rest *at, hol_static_point *p)
{
    const hol_equilibrium *e = &at->e;
    const size_t motion = 6 * (size_t)o->m->n_bodies;
    const int free = p->neutral - p->held;
    hol_status st = HOL_OK;
    for (int j = 0; j < p->neutral && !st; j++)
        st = take_shape(o, at, e->shape + (size_t)(e->negative + j) * (size_t)e->r.d,
                        p->free_motion + (size_t)j * motion);
    if (!st) st = part_motions(o, free, p->free_motion);
    if (!st) st = part_motions(o, p->held, p->free_motion + (size_t)free * motion);
    return st || !p->falls ? st : take_shape(o, at, e->away, p->free_motion);
}

// The least stiffness that is not 0, seen by the body that moves most.
static hol_status take_stiffness(hol_statics_data *o, const hol_at_rest *at, hol_static_point *p)
{
    const hol_equilibrium *e = &at->e;
    const int first = e->negative ? 0 : e->neutral;
    p->softest = -1;
    p->stiffness = (double)NAN;
    p->stiffness_unit = "";
    if (first >= e->r.d || !e->symmetric) return HOL_OK;
    const hol_status st = take_shape(o, at, e->shape + (size_t)first * (size_t)e->r.d, p->shape);
    const int i = hol_body_motion_largest(o->m, p->shape);
    const double *part = p->shape + i / 3 * 3,
                 sign = p->shape[i] < 0 ? -1 : 1; // displacement or rotation of that body
    const double size = sign * sqrt(part[0] * part[0] + part[1] * part[1] + part[2] * part[2]);
    if (st || size == 0) return st;
    for (int k = 0; k < 6 * o->m->n_bodies; k++) p->shape[k] /= size;
    p->softest = i / 6;
    p->stiffness = e->stiffness[first] / (size * size);
    p->stiffness_unit = i % 6 < 3 ? "N/m" : "N m/rad";
    return HOL_OK;
}

// The signals of the pose, named when the first point has them.
static hol_status take_signals(hol_statics_data *o, hol_at_rest *at, hol_static_point *p)
{
    hol_signals g = {0};
    int first[KINDS];
    hol_status st = make_signals(o->ctx, at->k.s, &g, first);
    hol_equations_remember(at->k.s, &at->x);
    if (!st) st = hol_signals_judge(&g, &at->x, &at->rank, o->s.n_points > 0);
    if (!st && !o->s.signal) st = name_signals(o, &g, first);
    if (!st) st = hol_signals_evaluate(&g, &at->x, 0);
    p->value = hol_arena_alloc(o->arena, (size_t)o->s.n_signals + 1, sizeof *p->value);
    if (!st && !p->value) st = HOL_ERR_MEMORY;
    for (int i = 0, k = 0; i < g.n && !st; i++)
        if (is_told(&g.column[i])) p->value[k++] = g.value[i];
    hol_signals_destroy(&g);
    return st > 0 ? hol_fail(o->ctx, HOL_ERR_INTEGRATION, "signals have no value at the equilibrium") : st;
}

// By a side of a kink: is everything held there, nothing, or is it not known?
static hol_status judge_side(hol_statics_data *o, hol_at_rest *at, hol_state *side, hol_static_kink *out)
{
    hol_equilibrium e = {0};
    const hol_status st = hol_equilibrium_look(o->ctx, &at->k, &at->rank, side, false, &e);
    *out = st || !e.conservative ? HOL_STATIC_KINK_UNKNOWN
           : e.negative          ? HOL_STATIC_KINK_LEAVES
           : e.neutral           ? HOL_STATIC_KINK_UNKNOWN
                                 : HOL_STATIC_KINK_STAYS;
    if (!st) hol_equilibrium_destroy(&e);
    if (st > 0) hol_context_clear(o->ctx);
    return st < 0 ? st : HOL_OK;
}

// The verdict at a kink, two sides are all there are where one force has it, or one coordinate is free.
static hol_status judge_kinks(hol_statics_data *o, hol_at_rest *at, hol_static_point *p)
{
    hol_one_sided sides;
    hol_static_kink by[HOL_SIDES] = {HOL_STATIC_SMOOTH};
    hol_status st = hol_one_sided_find(o->ctx, &at->e.r, &at->x, HOL_ONE_SIDED_STATIC, &sides);
    const bool two = sides.n == 1 || (sides.n && at->e.r.d == 1);
    for (int k = 0; k < HOL_SIDES && !st && two; k++) st = judge_side(o, at, &sides.at[k], &by[k]);
    if (sides.n) {
        const bool leaves = by[0] == HOL_STATIC_KINK_LEAVES || by[1] == HOL_STATIC_KINK_LEAVES;
        p->kink = leaves ? HOL_STATIC_KINK_LEAVES
                  : two && by[0] == HOL_STATIC_KINK_STAYS && by[1] == by[0] && !(p->growth > 0)
                      ? HOL_STATIC_KINK_STAYS
                      : HOL_STATIC_KINK_UNKNOWN;
        p->stable = p->kink == HOL_STATIC_KINK_STAYS;
    }
    hol_one_sided_destroy(&sides);
    double *u =
        st ? NULL : hol_calloc(o->ctx, (size_t)o->m->nq + 1, sizeof *u); // the factors are those of a side
    if (!st && !u) st = HOL_ERR_MEMORY;
    if (!st) st = hol_equilibrium_rest(&at->k, &at->x, u);
    hol_free(u);
    return st;
}

// A direction that is without stiffness as far as rounding lets see, where that is not far.
static void tell_hidden(hol_statics_data *o, const hol_equilibrium *e)
{
    const bool decided =
        e->falls || e->held == e->neutral; // by forces of higher order, beyond what rounding makes
    if (o->told || decided || !e->conservative || !(e->hidden > HIDDEN * e->balance.against)) return;
    o->told = true;
    hol_note(o->ctx, HOL_WARNING,
             "a direction is told to be without stiffness, and one of less than %.2g N m/rad, or %.2g N/m, "
             "could not be told from none, nor its sign: rounding of the stiffest forces is as large; take "
             "smaller stiffnesses, or joints in their place",
             e->hidden, e->hidden / (o->m->length_scale * o->m->length_scale));
}

// What the point remembers: a pose alone does not tell full turns.
static hol_status keep_memory(hol_statics_data *o, const hol_state *x)
{
    const size_t n = (size_t)o->m->n_mem;
    const double **all = hol_grow(o->ctx, o->mem, &o->mem_room, o->s.n_points + 1, sizeof *all);
    if (all) o->mem = all;
    double *mem = all ? hol_arena_alloc(o->arena, n + 1, sizeof *mem) : NULL;
    if (!mem) return HOL_ERR_MEMORY;
    memcpy(mem, x->mem, n * sizeof *mem);
    all[o->s.n_points] = mem;
    return HOL_OK;
}

hol_status hol_statics_add(hol_statics_data *o, hol_at_rest *at)
{
    const hol_equilibrium *e = &at->e;
    const size_t motion = 6 * (size_t)o->m->n_bodies;
    hol_measure m;
    hol_status st = hol_contacts_touch_once(o->ctx, o->m, &at->x, "at the equilibrium");
    if (st) return st;
    hol_static_point *p = hol_grow(o->ctx, o->s.point, &o->room, o->s.n_points + 1, sizeof *p);
    if (!p) return HOL_ERR_MEMORY;
    o->s.point = p;
    p += o->s.n_points;
    hol_equations_measure_parts(at->k.s, &at->x, 0, &m);
    *p = (hol_static_point){.neutral = e->neutral,
                            .negative = e->negative,
                            .held = e->held,
                            .falls = e->falls,
                            .known = fmax(e->place, e->reach),
                            .potential = m.potential,
                            .left = e->balance.against > 0 ? e->balance.left / e->balance.against : 0,
                            .force = e->balance.against,
                            .iterations = e->iterations,
                            .flowed = e->flowed};
    p->shape = hol_arena_alloc(o->arena, motion * (size_t)(1 + e->neutral) + 1, sizeof *p->shape);
    if (!p->shape) return HOL_ERR_MEMORY;
    p->free_motion = p->shape + motion;
    st = take_stiffness(o, at, p);
    if (!st) st = take_free_motions(o, at, p);
    p->growth = (double)NAN; // velocity constraints, which do not count here, would hold it
    if (!st && !o->m->nk) st = hol_verdict_growth(o->ctx, at->k.s, &at->x, &p->growth);
    if (!st) st = take_signals(o, at, p);
    p->stable = hol_verdict_stays(e, p->growth);
    if (!st) st = judge_kinks(o, at, p);
    if (!p->kink) tell_hidden(o, e);
    if (!st) st = keep_memory(o, &at->x);
    if (!st && !o->s.n_points)
        hol_first_events_tell(at->k.s, &at->x, HOL_WARNING, "the equilibrium is that before it");
    o->s.n_points += !st;
    return st;
}

// ---- all of it ------------------------------------------------------------------------------------------------

// What is left out where nothing moves.
static void tell(hol_statics_data *o)
{
    if (o->s.driven)
        hol_note(o->ctx, HOL_NOTICE, "a driver moves at t = %.6g s: it is held where it is then", o->s.time);
    if (o->m->nk)
        hol_note(o->ctx, HOL_NOTICE,
                 "velocity constraints hold nothing at rest: the pose is one of those in which the forces "
                 "balance without them");
    for (int i = o->m->n_bodies; i < o->m->n_elements; i++)
        if (strcmp(o->m->element[i].type->name, "friction") == 0) {
            hol_note(o->ctx, HOL_NOTICE, "friction holds nothing at rest: \"%s\" and others like it are 0",
                     o->m->element[i].name);
            return;
        }
}

// The start, with a kernel; nothing but the message is left after a failure.
static hol_status begin(hol_context *ctx, const hol_model_data *m, hol_at_rest *at)
{
    hol_status st = hol_swarms_refuse(ctx, m, "an equilibrium");
    if (!st) st = hol_initialise(ctx, m, HOL_START_QUIET | HOL_START_BARE, &at->k, &at->x, &at->rank);
    if (st) return st;
    st = hol_equations_count_joints(at->k.s);
    if (!st) hol_equations_remember(at->k.s, &at->x);
    if (!st) st = hol_kernel_need(&at->k);
    if (!st && at->rank.momentary)
        st = hol_fail(
            ctx, HOL_ERR_INTEGRATION,
            "no equilibrium is looked for from the start: it is a singular pose, in which the joints "
            "lose independence; draw the bodies a little beside it");
    if (!st && at->rank.large_components)
        st =
            hol_fail(ctx, HOL_ERR_USAGE,
                     "no equilibrium is looked for: a group of loops has more than %d equations, so that its "
                     "degrees of freedom are not known",
                     HOL_RANK_MAX_ROWS);
    if (st) leave(at);
    return st;
}

// The unit of a parameter's value: "" of a plain number.
static const char *unit_of(hol_statics_data *o, const hol_nature *nature)
{
    char unit[HOL_UNIT_TEXT] = "";
    if (nature->flags & HOL_NATURE_UNIT)
        hol_dimension_unit(&nature->dimension, unit);
    else if (nature->flags & HOL_NATURE_ANGLE)
        snprintf(unit, sizeof unit, "rad");
    return copy(o->arena, unit);
}

// The equilibrium with the parameters that trimming finds.
static hol_status find_trimmed(hol_statics_data *o, hol_at_rest *at)
{
    const hol_spec *spec = o->m->spec;
    const size_t n = (size_t)spec->n_trims;
    hol_slice c = {0};
    hol_fixed *values = hol_arena_alloc(o->arena, n, sizeof *values);
    o->s.trimmed = hol_arena_alloc(o->arena, n, sizeof *o->s.trimmed);
    o->s.trim_value = hol_arena_alloc(o->arena, n, sizeof *o->s.trim_value);
    o->s.trim_unit = hol_arena_alloc(o->arena, n, sizeof *o->s.trim_unit);
    if (!values || !o->s.trimmed || !o->s.trim_value || !o->s.trim_unit) return HOL_ERR_MEMORY;
    hol_status st = hol_statics_trim(o, at, values);
    if (!st) st = hol_slice_open(o, at, values, spec->n_trims, &at->x, &c);
    if (!st) st = hol_equilibrium_find(o->ctx, &c.at.k, &c.at.rank, &c.at.x, false, &c.at.e);
    if (!st) st = hol_statics_add(o, &c.at);
    for (size_t i = 0; i < n && !st; i++) {
        o->s.trim_value[i] = values[i].value;
        hol_constant given;
        if (!hol_parameter_at(spec, (hol_src){0}, values[i].name, &given)) given = (hol_constant){0};
        o->s.trimmed[i] = copy(o->arena, values[i].name);
        o->s.trim_unit[i] = unit_of(o, &given.nature);
        if (!o->s.trimmed[i] || !o->s.trim_unit[i]) st = HOL_ERR_MEMORY;
    }
    o->s.n_trimmed = st ? 0 : spec->n_trims;
    hol_slice_close(&c);
    return st;
}

// Branches are followed in models that are read anew, in which no stop holds.
static hol_status refuse_vary(const hol_statics_data *o)
{
    return hol_fail(o->ctx, HOL_ERR_USAGE,
                    "vary \"%s\": a joint rests at a hard stop, and branches are followed without those that "
                    "hold: give it a `stiffness` instead of `hard: yes`",
                    o->s.parameter);
}

// From the start to what is told.
static hol_status find(hol_statics_data *o, const hol_statics_options *options)
{
    hol_at_rest at = {0};
    hol_model_data *held = NULL;
    hol_status st = begin(o->ctx, o->m, &at);
    if (st) return st;
    o->s.time = at.x.t;
    o->s.degrees_of_freedom = at.k.s->nq - at.k.s->nc;
    o->s.driven = hol_equilibrium_is_driven(&at.k, &at.x);
    tell(o);
    if (o->m->spec->n_trims) {
        st = find_trimmed(o, &at);
        leave(&at);
        return st;
    }
    const bool stable = !options->unstable && !o->m->spec->any_equilibrium;
    st = hol_rest_at_stops(o->ctx, o->m, &at, stable, false, &held);
    if (!st && held && o->s.parameter) st = refuse_vary(o);
    if (!st) hol_sticking_tell(o->ctx, o->m, &at.x);
    if (!st) hol_sticking_tell_edge(o->ctx, o->m, &at.x);
    if (!st) st = hol_statics_add(o, &at);
    if (!st && o->s.parameter) st = hol_statics_follow(o, &at, options->branches);
    leave(&at);
    hol_model_unswitch(held);
    return st;
}

// ---- the start of a run ---------------------------------------------------------------------------------------

// v (nq): what is left of it along the directions without stiffness; *lost: the coordinate of the largest rest, -1: there is none.
static void keep_free_motion(const hol_at_rest *at, double *v, int *lost)
{
    const hol_reduced *r = &at->e.r;
    const hol_equations *s = at->k.s;
    const size_t nq = (size_t)s->nq, d = (size_t)r->d;
    double *kept = r->work, most = SAME / s->m->time_scale, size = 0;
    memset(kept, 0, nq * sizeof *kept);
    for (int j = 0; j < at->e.neutral - at->e.held; j++) {
        const double *p = at->e.shape + (size_t)(at->e.negative + j) * d;
        double part = 0;
        for (size_t k = 0; k < d; k++)
            for (size_t i = 0; i < nq; i++) part += p[k] * r->WN[k * nq + i] * v[i];
        for (size_t k = 0; k < d; k++)
            for (size_t i = 0; i < nq; i++) kept[i] += part * p[k] * r->N[k * nq + i];
    }
    for (int i = 0; i < s->nq; i++) size = fmax(size, fabs(v[i]) / s->q_size[i]);
    most = fmax(most, SAME * size);
    *lost = -1;
    for (int i = 0; i < s->nq; i++) {
        const double rest = fabs(v[i] - kept[i]) / s->q_size[i];
        if (rest > most) *lost = i;
        most = fmax(most, rest);
        v[i] = kept[i];
    }
}

// What the start has become.
static void tell_start(hol_context *ctx, const hol_at_rest *at)
{
    const hol_equations *s = at->k.s;
    double way = 0, speed = 0;
    for (int i = 0; i < s->nq; i++) {
        way = fmax(way, fabs(at->x.q[i] - s->m->q0[i]) / s->q_size[i]);
        speed = fmax(speed, fabs(at->x.v[i]));
    }
    hol_note(ctx, HOL_NOTICE, "start: an equilibrium, %.3g natural sizes from the pose as drawn%s", way,
             speed > 0 ? "; velocities in directions that nothing holds stay" : "");
}

// Velocities in other directions would not be a start at rest.
static hol_status fail_velocity(hol_context *ctx, const hol_model_data *m, hol_src at, int lost)
{
    int body = 0;
    while (body + 1 < m->n_bodies && m->body[body + 1].q <= lost) body++;
    return hol_fail_at(
        ctx, HOL_ERR_MODEL, at,
        "simulate.start: the file gives \"%s\" a velocity in a direction in which forces hold it: "
        "a start in equilibrium has none. Leave the velocity away, or let the run begin as drawn",
        m->body[body].name);
}

hol_status hol_statics_begin(hol_context *ctx, const hol_model_data *m, hol_src from, bool quiet,
                             hol_model_data **out)
{
    hol_at_rest at = {0};
    hol_model_data *held = NULL;
    int lost = -1;
    hol_status st = begin(ctx, m, &at);
    if (st) return st;
    if (!quiet) hol_equilibrium_warn_of_trim(ctx, m);
    double *v = hol_calloc(ctx, (size_t)m->nq + 1, sizeof *v);
    if (!v) st = HOL_ERR_MEMORY;
    if (!st && hol_equilibrium_is_driven(&at.k, &at.x))
        st = hol_fail_at(
            ctx, HOL_ERR_MODEL, from,
            "simulate.start: there is no equilibrium: a driver moves at t = %.6g s; let the run begin as "
            "drawn",
            at.x.t);
    if (!st) memcpy(v, at.x.v, (size_t)m->nq * sizeof *v);
    if (!st) st = hol_rest_at_stops(ctx, m, &at, true, quiet, &held);
    if (!st) keep_free_motion(&at, v, &lost);
    if (!st && lost >= 0) st = fail_velocity(ctx, m, from, lost);
    if (!st) memcpy(at.x.v, v, (size_t)m->nq * sizeof *v);
    if (!st) hol_equations_remember(at.k.s, &at.x);
    if (!st && !quiet) tell_start(ctx, &at);
    if (!st && !quiet)
        hol_first_events_tell(at.k.s, &at.x, HOL_NOTICE,
                              "the run begins in the equilibrium before it, and moves by what it does");
    if (!st && !quiet) hol_sticking_tell(ctx, m, &at.x);
    *out = st ? NULL : hol_model_switch(ctx, m, at.x.t, at.x.q, at.x.v, at.x.X, at.x.mem);
    if (!st && !*out) st = HOL_ERR_MEMORY;
    hol_free(v);
    leave(&at);
    hol_model_unswitch(held);
    return st;
}

// ---- a parameter that is varied --------------------------------------------------------------------------------

// The message as it is of `vary`, not of the override that reads the value.
static hol_status fail_value(hol_statics_data *o, const char *vary, const char *set)
{
    const char *said = hol_context_error(o->ctx), *start = strstr(said, set);
    const hol_status st = hol_context_status(o->ctx);
    if (!start || start != said + strlen("--set ") || strncmp(said, "--set ", strlen("--set ")) != 0)
        return st;
    const char *why = start + strlen(set), *middle = ": error: ";
    why += strncmp(why, middle, strlen(middle)) == 0 ? strlen(middle) : strspn(why, ": ");
    why = hol_arena_copy(o->arena, why, strlen(why));
    if (!why) return HOL_ERR_MEMORY;
    hol_context_clear(o->ctx);
    return hol_fail(o->ctx, HOL_ERR_USAGE, "vary \"%s\": %s: %s", vary, strchr(set, '=') + 1, why);
}

// 0 is one of any unit: it takes that of the other value.
static const char *with_unit(hol_statics_data *o, const char *text, const char *other)
{
    char *end, *behind;
    const double value = hol_decimal_read(text, &end);
    (void)hol_decimal_read(other, &behind);
    const char *unit = behind + strspn(behind, " ");
    if (value != 0 || end == text || end[strspn(end, " ")] || behind == other ||
        !((*unit | 32) >= 'a' && (*unit | 32) <= 'z'))
        return text;
    return hol_arena_print(o->arena, "%.*s %s", (int)(end - text), text, unit);
}

// The value of a parameter with this text in its place.
static hol_status read_value(hol_statics_data *o, const char *vary, const char *text, hol_constant *out)
{
    const char *set = hol_arena_print(o->arena, "parameters.%s=%s", o->s.parameter, text);
    if (!set) return HOL_ERR_MEMORY;
    hol_spec *with = hol_spec_read_again(o->m->spec, NULL, 0, set);
    if (!with) return fail_value(o, vary, set);
    if (!hol_parameter_at(with, (hol_src){0}, o->s.parameter, out)) *out = (hol_constant){.value = 0};
    hol_spec_destroy(with);
    return HOL_OK;
}

// Both values are of one kind: plain numbers, in the unit of the file, or quantities; 0 is of any.
static hol_status compare_kinds(hol_statics_data *o, const char *vary, const hol_constant *from,
                                const hol_constant *to)
{
    const unsigned kind = HOL_NATURE_PLAIN | HOL_NATURE_UNIT | HOL_NATURE_ANGLE;
    o->from = from->value;
    o->to = to->value;
    o->nature = from->value == 0 ? to->nature : from->nature;
    if (from->value == 0 || to->value == 0) return HOL_OK;
    const bool same =
        (from->nature.flags & kind) == (to->nature.flags & kind) &&
        memcmp(&from->nature.dimension, &to->nature.dimension, sizeof to->nature.dimension) == 0;
    return same ? HOL_OK
                : hol_fail(o->ctx, HOL_ERR_USAGE,
                           "vary \"%s\": the values have different units; give both the same kind of unit, "
                           "or none, "
                           "which is that of the file",
                           vary);
}

// "NAME=A..B"; *out: the model with A.
static hol_status read_vary(hol_statics_data *o, const char *vary, hol_model_data **out)
{
    const char *equal = strchr(vary, '='), *dots = equal ? strstr(equal, "..") : NULL;
    hol_constant c, first, last;
    if (!dots || equal == vary || dots == equal + 1 || !dots[2])
        return hol_fail(o->ctx, HOL_ERR_USAGE, "vary \"%s\": NAME=A..B is wanted, as load=0..100", vary);
    const size_t section = strncmp(vary, "parameters.", 11) == 0 ? 11 : 0; // as --set has it
    o->s.parameter = hol_arena_copy(o->arena, vary + section, (size_t)(equal - vary) - section);
    const char *from = hol_arena_copy(o->arena, equal + 1, (size_t)(dots - equal - 1)),
               *to = hol_arena_copy(o->arena, dots + 2, strlen(dots + 2));
    if (!o->s.parameter || !from || !to) return HOL_ERR_MEMORY;
    if (!hol_parameter_at(o->m->spec, (hol_src){0}, o->s.parameter, &c))
        return hol_fail(o->ctx, HOL_ERR_USAGE, "vary \"%s\": the model file has no parameter \"%s\"", vary,
                        o->s.parameter);
    const char *ends[2] = {with_unit(o, from, to), with_unit(o, to, from)};
    if (!ends[0] || !ends[1]) return HOL_ERR_MEMORY;
    hol_status st = read_value(o, vary, ends[0], &first);
    if (!st) st = read_value(o, vary, ends[1], &last);
    if (!st) st = compare_kinds(o, vary, &first, &last);
    if (st) return st;
    if (o->from == o->to)
        return hol_fail(o->ctx, HOL_ERR_USAGE, "vary \"%s\": both values are %.6g", vary, o->from);
    o->s.parameter_unit = unit_of(o, &o->nature);
    if (!o->s.parameter_unit) return HOL_ERR_MEMORY;
    const hol_fixed fixed = {o->s.parameter, o->from, &o->nature};
    hol_spec *spec = hol_spec_read_again(o->m->spec, &fixed, 1, NULL);
    *out = spec ? hol_model_compile(spec) : NULL;
    return *out ? HOL_OK : hol_context_status(o->ctx);
}

// NULL: the message is in the context.
hol_statics *hol_statics_find(hol_context *ctx, const hol_model_data *m, const hol_statics_options *options)
{
    hol_statics_data *o = hol_calloc(ctx, 1, sizeof *o);
    if (!o) return NULL;
    o->ctx = ctx;
    o->m = m;
    o->arena = hol_arena_create(ctx);
    hol_model_data *varied = NULL;
    hol_status st = o->arena ? HOL_OK : HOL_ERR_MEMORY;
    if (!st && options->vary && m->spec->n_trims)
        st = hol_fail(ctx, HOL_ERR_USAGE,
                      "vary \"%s\": the model file trims parameters (static.trim): leave one of both away",
                      options->vary);
    if (!st && options->vary) st = read_vary(o, options->vary, &varied);
    if (!st && varied) o->m = varied;
    if (!st) st = name_bodies(o);
    if (!st) st = find(o, options);
    if (st > 0)
        st = hol_fail(ctx, HOL_ERR_INTEGRATION,
                      "no equilibrium is found: the forces of the joints are not determined on the way");
    o->m = m;
    hol_model_free(varied);
    if (!st) return &o->s;
    hol_statics_free(&o->s);
    return NULL;
}

void hol_statics_free(hol_statics *s)
{
    if (!s) return;
    hol_statics_data *o = (hol_statics_data *)s;
    hol_free(o->s.point);
    hol_free(o->mem);
    hol_arena_destroy(o->arena);
    hol_free(o);
}
