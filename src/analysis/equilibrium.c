// A static equilibrium near a state (docs/theory.md, section 20.2): Newton's method on what the forces leave in the tangent space of
// the joints, steps cut until that or they become less; where it fails, or ends where nothing stays, steps that the forces drive
// (downhill.c).
#include "analysis/equilibrium_data.h"
#include "analysis/separate.h"
#include "analysis/sticking.h"
#include "analysis/stops.h"
#include "analysis/unheld.h"
#include "analysis/verdict.h"
#include "linalg/dense.h"
#include "system/fault.h"
#include "system/initial.h"
#include "system/kernel.h"
#include "system/ranges.h"
#include "system/weak.h"
#include "system/start_told.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MAX_PLAIN = 50, MAX_CUTS = 20, MAX_HOLDS = 30, MAX_POLISH = 8, MOST_SLOW = 5 };
#define NO_STIFFNESS 1e-12 // of the force
#define FLAT 1e-12         // stiffness below this part of the largest: a direction without any
#define UNBALANCED 10      // of the forces left: stiffness that they have where they turn
#define FARTHEST 0.3       // natural sizes in one iteration
#define SLOW 0.9           // part that remains of what the forces leave, in a slow iteration
#define ALIKE 0.05         // parts by which steps shrink

// ---- the forces at a pose -------------------------------------------------------------------------------------

// The matrix of (20.2). Expressions know no accelerations: there are none.
static hol_status set_matrix(hol_kernel *k, const hol_state *x)
{
    const hol_equations *s = k->s;
    const hol_status st = hol_kernel_fill(k, x, HOL_WITH_EQUATIONS, NULL);
    if (st) return st;
    double *values = hol_kkt_values(k->A);
    for (int j = 0; j < s->nq && s->nz; j++)
        for (int i = s->pattern.start[j]; i < s->pattern.start[j + 1]; i++)
            if (s->pattern.index[i] >= s->nq && s->pattern.index[i] < s->nf) values[i] = 0;
    hol_kkt_try_even_scale(k->A); // users' unknowns have any size
    return hol_kernel_factor(k);
}

// One correction of u, z, lam; *change: that of z, against 1 + |z|.
static hol_status correct(hol_kernel *k, hol_state *x, double *u, double *change)
{
    hol_equations *s = k->s;
    double *b = k->rhs, most = 0;
    memset(b, 0, (size_t)s->n * sizeof *b);
    hol_equations_forces(s, x, b);
    for (int i = 0; i < s->nq; i++) b[i] += u[i] / (s->q_size[i] * s->q_size[i]);
    if (s->nz) hol_equations_users(s, x, b + s->nq);
    hol_equations_jacobian_times(s, x->t, x->q, u, b + s->nf);
    for (int i = 0; i < s->n; i++) b[i] = -b[i];
    const hol_status st = hol_kernel_solve(k, 1, b);
    if (st) return st;
    for (int i = 0; i < s->nq; i++) u[i] += b[i];
    for (int i = 0; i < s->nz; i++) x->z[i] += b[s->nq + i];
    for (int i = 0; i < s->nc; i++) x->lam[i] += b[s->nf + i];
    for (int i = 0; i < s->nz; i++) // multipliers follow at once
        most = hol_larger(fabs(b[s->nq + i]) / (1 + fabs(x->z[i])), most);
    *change = most;
    return isfinite(most) ? HOL_OK : HOL_RECOVERABLE;
}

// u, z and lam at x, whose positions are put onto the joints first. HOL_RECOVERABLE: none.
static hol_status hold(hol_kernel *k, hol_state *x, double *u)
{
    const hol_equations *s = k->s;
    double change = HOL_INF, last = HOL_INF;
    memset(x->v, 0, (size_t)s->nq * sizeof *x->v);
    memset(x->a, 0, (size_t)s->nq * sizeof *x->a);
    memset(x->kap, 0, (size_t)s->nk * sizeof *x->kap);
    memset(u, 0, (size_t)s->nq * sizeof *u);
    hol_status st = hol_project_positions(k, x, NULL);
    hol_kernel_forget_accelerations(k);
    for (int i = 0; i < MAX_HOLDS && !st; i++) {
        const bool rounding = change <= 10 * DBL_EPSILON || (change < HOL_BALANCED && change >= last);
        if (i >= 2 && rounding) break;
        last = change;
        if (i == 0 || s->nz) st = set_matrix(k, x);
        if (!st) st = correct(k, x, u, &change);
    }
    return !st && change > HOL_BALANCED ? HOL_RECOVERABLE : st;
}

// The same where users' unknowns need another start.
hol_status hol_equilibrium_rest(hol_kernel *k, hol_state *x, double *u)
{
    hol_status st = hold(k, x, u);
    if (st <= 0 || !k->s->nz) return st;
    memset(x->lam, 0, (size_t)k->s->nc * sizeof *x->lam);
    st = hol_start_follow(k, x);
    return st ? st : hold(k, x, u);
}

bool hol_equilibrium_is_driven(hol_kernel *k, const hol_state *x)
{
    const hol_equations *s = k->s;
    double *all = k->work, most = 0;
    double *still = all + s->m->nc;
    memset(still, 0, (size_t)s->nq * sizeof *still);
    hol_equations_phi_dot_all(s, x->t, x->q, still, all);
    for (int i = 0; i < s->nc; i++) most = fmax(most, fabs(all[s->model_row[i]]) / s->row_size[i]);
    hol_state at_rest = *x;
    at_rest.v = still;
    hol_equations_tau(s, &at_rest, all);
    for (int i = 0; i < s->nc; i++) most = fmax(most, fabs(all[i]) / s->row_size[i]);
    return most > HOL_BALANCED;
}

// ---- what is left ---------------------------------------------------------------------------------------------

static double entry(const hol_reduced *r, int i, int j) { return r->A[(size_t)j * (size_t)r->n + (size_t)i]; }

// What state k is measured by: its size, where its rate depends on a state at all; else one that only grows would become still.
static double state_size(const hol_search *f, const hol_state *x, int k)
{
    const hol_reduced *r = &f->out->r;
    bool depends = false;
    for (int j = r->d; j < r->n; j++) depends = depends || entry(r, r->d + k, j) != 0;
    return 1 + fabs(depends ? x->X[k] : f->start.X[k]);
}

// What u leaves along the directions, and X', into b; the largest X'.
double hol_search_left(const hol_search *f, const hol_state *x, const double *u, double *b)
{
    const hol_reduced *r = &f->out->r;
    const hol_equations *s = r->s;
    const size_t nq = (size_t)s->nq;
    double rate = 0;
    for (int j = 0; j < r->d; j++) {
        b[j] = 0;
        for (size_t i = 0; i < nq; i++) b[j] += r->WN[(size_t)j * nq + i] * u[i];
    }
    for (int k = 0; k < s->nx; k++) {
        b[r->d + k] = x->z[s->m->state[k].equation];
        rate = hol_larger(fabs(b[r->d + k]) * s->m->time_scale / state_size(f, x, k), rate);
    }
    return rate;
}

double hol_search_along_shape(const hol_search *f, int j, const double *b)
{
    const int d = f->out->r.d;
    double sum = 0;
    for (int i = 0; i < d; i++) sum += b[i] * f->out->shape[(size_t)j * (size_t)d + (size_t)i];
    return sum;
}

// One number for both: rates of states count as the force does.
double hol_search_merit(const hol_search *f, const double *b, double rate)
{
    double sum = 0;
    for (int j = 0; j < f->out->r.d; j++) sum += b[j] * b[j];
    return hypot(sqrt(sum), rate * f->force);
}

double hol_search_rounding(const hol_search *f)
{
    return 10 * DBL_EPSILON * (1 + hol_equations_coordinate_norm(f->k->s, f->x->q)) * f->stiff;
}

// What the forces leave on each body, against those that cancel there and what rounding of stiff ones leaves.
static hol_unbalanced judge(const hol_search *f)
{
    const hol_equations *s = f->k->s;
    hol_unbalanced out = {.body = 0};
    double all = 0;
    hol_equations_force_sizes(s, f->x, hol_kkt_values(f->k->A), f->sizes);
    for (int i = 0; i < s->nq; i++) all = hol_larger(f->sizes[i] * s->q_size[i], all);
    const double rounding = hol_search_rounding(f) + 1e-3 * HOL_BALANCED * all;
    out.against = all;
    for (int k = 0; k < s->m->n_bodies; k++) {
        const hol_body *body = &s->m->body[k];
        double left = 0, against = 0;
        for (int i = body->q; i < body->q + body->size; i++) {
            left = hol_larger(fabs(f->u[i]) / s->q_size[i], left);
            against = hol_larger(f->sizes[i] * s->q_size[i], against);
        }
        const double allowed = HOL_BALANCED * against + rounding, part = left > 0 ? left / allowed : 0;
        if (hol_is_larger(part, out.part)) out = (hol_unbalanced){left, against, part, k};
    }
    return out;
}

// Forces along direction j of e->shape that cancel [N m].
static double cancels(const hol_search *f, int j)
{
    const hol_reduced *r = &f->out->r;
    const size_t nq = (size_t)r->s->nq;
    double sum = 0;
    for (size_t i = 0; i < nq; i++) {
        double way = 0;
        for (int k = 0; k < r->d; k++)
            way += r->N[(size_t)k * nq + i] * f->out->shape[(size_t)j * (size_t)r->d + (size_t)k];
        sum += fabs(way) * f->sizes[i];
    }
    return sum;
}

// Do forces remain along a direction whose stiffness the stiffest hide? Rounding of these leaves nothing there, that of the place something of
// the forces.
static bool hides(const hol_search *f)
{
    const hol_equilibrium *e = f->out;
    const double hidden = HOL_SEARCH_BLIND * f->stiff,
                 least = HOL_SEARCH_SETTLED * hidden + 10 * DBL_EPSILON * f->force;
    bool some = false;
    for (int j = 0; j < e->r.d && e->symmetric && !some; j++)
        some = fabs(e->stiffness[j]) <= hidden &&
               fabs(hol_search_along_shape(f, j, f->b)) > least + HOL_BALANCED * cancels(f, j);
    return some;
}

bool hol_search_balanced(const hol_search *f)
{
    return f->out->balance.part <= 1 && f->rate <= HOL_BALANCED && !f->hides;
}

// ---- steps ----------------------------------------------------------------------------------------------------

// Other rows of redundant loops where those in use become dependent.
static hol_status watch_rows(hol_search *f)
{
    hol_kernel *k = f->k;
    hol_state *const states[] = {f->x, &f->trial, &f->start, &f->kept};
    hol_rank_watch *watch = NULL; // a new one looks at once
    hol_status st = hol_rank_watch_create(f->ctx, k->s->m, f->rank, false, &watch);
    const bool changed = !st && watch && hol_rank_watch_check(watch, f->x, 0, false, f->rank->active);
    hol_rank_watch_destroy(watch);
    if (!changed) return st;
    hol_reduced_destroy(&f->out->r); // its solvers keep the pattern
    st = hol_kernel_reselect(k, f->rank->active, states, HOL_COUNT(states));
    if (st < 0) return st;
    const hol_status made = hol_reduced_create_at_rest(f->ctx, k, &f->out->r);
    return made ? made : st ? st : hol_equilibrium_rest(k, f->x, f->u);
}

// Everything at x, where u is known.
hol_status hol_search_look(hol_search *f)
{
    hol_reduced *r = &f->out->r;
    hol_status st = watch_rows(f);
    if (!st) st = hol_reduced_find(r, f->x);
    if (st) return st;
    f->out->iterations++;
    f->stiff = 0;
    for (int j = 0; j < r->d; j++)
        for (int i = 0; i < r->d; i++) f->stiff = hol_larger(fabs(entry(r, i, j)), f->stiff);
    f->rate = hol_search_left(f, f->x, f->u, f->b);
    f->out->balance = judge(f);
    if (f->force == 0) f->force = f->out->balance.against > 0 ? f->out->balance.against : 1;
    f->none = f->stiff <= 10 * DBL_EPSILON * f->force && !f->k->s->nx;
    if (f->stiff <= NO_STIFFNESS * f->force) f->stiff = f->force; // none, but for rounding: it falls freely
    if (!isfinite(f->stiff)) return HOL_RECOVERABLE;
    st = hol_verdict_find(f->ctx, f->out, FLAT * f->stiff);
    f->hides = !st && hides(f);
    f->out->balanced = !st && hol_search_balanced(f);
    return st;
}

// The stiffness of a pose that has been looked at, to digits of its own.
static hol_status look_closely(hol_search *f)
{
    hol_status st = hol_separate(f->ctx, &f->out->r, f->x);
    if (st) return st;
    hol_search_left(f, f->x, f->u, f->b);
    const double forces = fmax(FLAT * f->force, UNBALANCED * f->out->balance.left);
    return hol_verdict_find(f->ctx, f->out, fmax(forces, f->out->r.noise ? 0 : FLAT * f->stiff));
}

hol_status hol_search_stays(hol_search *f, bool *stays)
{
    hol_equilibrium *e = f->out;
    double growth = 0;
    hol_status st = look_closely(f);
    e->falls = false;
    if (!st && f->stable && !e->conservative) st = hol_verdict_growth(f->ctx, f->k->s, f->x, &growth);
    if (!st && f->stable && hol_verdict_stays(e, growth)) st = hol_search_higher(f);
    *stays = !f->stable || hol_verdict_stays(e, growth);
    return st;
}

double hol_search_column(const hol_search *f, int j)
{
    return j < f->out->r.d ? 1 : 1 + fabs(f->x->X[j - f->out->r.d]);
}

double hol_search_row(const hol_search *f, int i)
{
    return i < f->out->r.d ? 1 : f->stiff * f->k->s->m->time_scale / hol_search_column(f, i);
}

// Directions with a stiffness below this part of the largest are not gone along: it may be rounding, or in balance that of the forces that
// are left, which would ask for steps of more than ten natural sizes.
static double blind(const hol_search *f)
{
    const double left = 0.1 * hol_search_merit(f, f->b, f->rate) / f->stiff;
    return hol_search_balanced(f) ? fmax(HOL_SEARCH_BLIND, fmin(FLAT, left)) : HOL_SEARCH_BLIND;
}

// Is unknown i a bristle that sticks? At rest its rate depends on nothing, and it takes what load there is, in pseudo-time as well.
static bool sticks(const hol_search *f, int i)
{
    const hol_reduced *r = &f->out->r;
    bool free = i >= r->d && r->s->m->state[i - r->d].stiffness > 0;
    for (int j = 0; j < r->n && free; j++) free = entry(r, i, j) == 0;
    return free;
}

hol_status hol_search_step(hol_search *f, double slow, const double *b, double *step)
{
    const hol_reduced *r = &f->out->r;
    const int n = r->n;
    int rank;
    for (int i = 0; i < n; i++) {
        const double row = hol_search_row(f, i), slowly = sticks(f, i) ? 0 : slow;
        for (int j = 0; j < n; j++)
            f->J[(size_t)j * (size_t)n + (size_t)i] =
                (f->none ? 0 : row * hol_search_column(f, j) * entry(r, i, j)) - (i == j ? slowly : 0);
        step[i] = -row * b[i];
    }
    const hol_status st = hol_dense_least_norm(f->ctx, n, n, f->J, step, blind(f), &rank);
    for (int j = r->d; j < n; j++) step[j] *= hol_search_column(f, j);
    return st;
}

void hol_search_go(const hol_search *f, hol_state *x, double factor, const double *step)
{
    const hol_reduced *r = &f->out->r;
    const hol_equations *s = r->s;
    const size_t nq = (size_t)s->nq;
    for (int j = 0; j < r->d; j++)
        for (size_t i = 0; i < nq; i++) x->q[i] += factor * step[j] * r->N[(size_t)j * nq + i];
    for (int k = 0; k < s->nx; k++) x->X[k] += factor * step[r->d + k];
    hol_equations_remember(s, x);
}

void hol_search_move(hol_search *f, double factor)
{
    hol_state_copy(f->k->s, &f->trial, f->x);
    hol_search_go(f, &f->trial, factor, f->step);
}

// The largest displacement of a step, by natural size.
double hol_search_longest(const hol_search *f, const double *step)
{
    const hol_reduced *r = &f->out->r;
    const hol_equations *s = r->s;
    double most = 0;
    for (int i = 0; i < s->nq; i++) {
        double sum = 0;
        for (int j = 0; j < r->d; j++) sum += r->N[(size_t)j * (size_t)s->nq + (size_t)i] * step[j];
        most = hol_larger(fabs(sum) / s->q_size[i], most);
    }
    for (int k = 0; k < s->nx; k++) most = hol_larger(fabs(step[r->d + k]) / (1 + fabs(f->x->X[k])), most);
    return most;
}

// The part of the step that is not too long.
double hol_search_part_allowed(const hol_search *f)
{
    const double most = hol_search_longest(f, f->step);
    return most > FARTHEST ? FARTHEST / most : 1;
}

void hol_search_accept(hol_search *f)
{
    hol_state_copy(f->k->s, f->x, &f->trial);
    memcpy(f->u, f->u_trial, (size_t)f->k->s->nq * sizeof *f->u);
}

// Would the same tangent lead on from the trial state by a shorter step? What rounding of stiff forces leaves hides a soft direction from
// the forces themselves, and so does what they do where it bends, not from the steps (Deuflhard's natural monotonicity).
static hol_status leads_on(hol_search *f, double factor, bool *shorter)
{
    const hol_status st = hol_search_step(f, 0, f->b_trial, f->correction);
    *shorter =
        hol_search_longest(f, f->correction) <= (1 - 0.25 * fmin(factor, 1)) * hol_search_longest(f, f->step);
    return st;
}

// The least stiffness along which one goes.
static double softest(const hol_search *f)
{
    const double *k = f->out->stiffness, none = blind(f) * f->stiff;
    double least = f->stiff;
    for (int j = 0; j < f->out->r.d; j++)
        if (fabs(k[j]) > none) least = fmin(least, fabs(k[j]));
    return least;
}

// The trial state that is a part of the step, and what its forces leave in f->b_trial.
static hol_status try_part(hol_search *f, double factor, double *rate)
{
    hol_search_move(f, factor);
    const hol_status st = hol_equilibrium_rest(f->k, &f->trial, f->u_trial);
    if (!st) *rate = hol_search_left(f, &f->trial, f->u_trial, f->b_trial);
    return st;
}

#define MUCH 0.5 // of the forces: what leaves more has bent stiff directions, which are put right then

// Goes along the step, or `stride` of it, as far as the forces leave less, or near an equilibrium its steps. HOL_RECOVERABLE: nowhere.
static hol_status shorten(hol_search *f, double stride)
{
    const double now = hol_search_merit(f, f->b, f->rate);
    const bool near = hol_search_balanced(f);
    double factor = fmin(stride, hol_search_part_allowed(f) * stride), rate;
    for (int h = 0; h < MAX_CUTS; h++, factor *= 0.5) {
        hol_status st = try_part(f, factor, &rate);
        if (st < 0) return st;
        if (st) continue;
        const double left = hol_search_merit(f, f->b_trial, rate);
        bool less = left < now;
        if (!(left < MUCH * now)) st = hol_search_follow(f, softest(f), &rate);
        if (st > 0 && less) st = try_part(f, factor, &rate);
        if (st < 0) return st;
        if (st) continue;
        less = less || hol_search_merit(f, f->b_trial, rate) < now;
        if ((near || !less) && (st = leads_on(f, factor, &less))) return st;
        if (!less) continue;
        hol_search_accept(f);
        return HOL_OK;
    }
    return HOL_RECOVERABLE;
}

// Where the stiffness vanishes with the forces, as at a minimum of the fourth order, steps shrink by the same part again and again, 2/3 there,
// and what is left of the way is their geometric series. last[2]: the two steps before, newest first, 0: none, or not of this kind.
static double stride_of(double size, double last[2])
{
    const double part = last[0] > 0 ? size / last[0] : 0, before = last[1] > 0 ? last[0] / last[1] : 0;
    const bool even = part > 0.4 && part < 0.95 && fabs(part - before) < ALIKE * part;
    last[1] = even ? 0 : last[0];
    last[0] = even ? 0 : size;
    return even ? 1 / (1 - part) : 1;
}

// One iteration from x, where all is known; *size: the way that it lets expect. A place that was known to `settled` is not left by longer
// steps: in directions without stiffness they are rounding over rounding.
static hol_status iterate(hol_search *f, double last[2], double settled, double *size)
{
    hol_status st = hol_search_step(f, 0, f->b, f->step);
    const double length = hol_search_longest(f, f->step), stride = stride_of(length, last);
    const bool stays = settled <= HOL_SEARCH_SETTLED && stride * length >= settled;
    *size = stays ? settled : stride * length;
    return st || stays ? st : shorten(f, stride);
}

hol_status hol_search_polish(hol_search *f)
{
    double size = HOL_INF, last[2] = {0, 0};
    hol_status st = HOL_OK;
    bool settled = false;
    for (int i = 0; i < MAX_POLISH && !st && size > DBL_EPSILON && !settled; i++) {
        const double before = size;
        st = iterate(f, last, before, &size);
        settled = size == before;
        if (!st && !settled) st = hol_search_look(f);
    }
    if (st < 0) return st;
    if (st) { // the factors are those of a trial
        st = hol_equilibrium_rest(f->k, f->x, f->u);
        if (!st) st = hol_search_look(f);
    }
    f->out->place = size;
    return !st && size > HOL_SEARCH_SETTLED ? HOL_RECOVERABLE : st;
}

// HOL_RECOVERABLE: it gets nowhere, or only slowly.
static hol_status newton(hol_search *f)
{
    double before = HOL_INF, size = HOL_INF, last[2] = {0, 0};
    int slow = 0;
    hol_status st = hol_equilibrium_rest(f->k, f->x, f->u);
    for (int i = 0; i < MAX_PLAIN && !st && slow < MOST_SLOW; i++) {
        st = hol_search_look(f);
        if (!st && hol_search_balanced(f)) return hol_search_polish(f);
        const double left = hol_search_merit(f, f->b, f->rate), way = size;
        if (!st) st = iterate(f, last, HOL_INF, &size);
        slow = left > SLOW * before && (size >= SLOW * way || size < DBL_EPSILON) ? slow + 1 : 0;
        before = left;
    }
    return st ? st : HOL_RECOVERABLE;
}

// ---- the search -----------------------------------------------------------------------------------------------

// Forces that remain along a direction that nothing holds, in words; "": there are none.
static hol_status say_unheld(hol_search *f, char text[HOL_UNHELD_TEXT])
{
    *text = 0;
    if (!f->hides) return HOL_OK;
    hol_status st = hol_equilibrium_rest(f->k, f->x, f->u); // the factors may be those of a trial
    if (!st) st = hol_search_look(f);
    if (!st) st = look_closely(f);
    if (!st) st = hol_unheld_say(f->ctx, f->out, f->x->q, f->b, NULL, text);
    return st < 0 ? st : HOL_OK;
}

// Of hard stops, which are looked at where no parameter is trimmed.
static const char *stops_said(const hol_model_data *m)
{
    return m->n_stops ? "No hard stops were found that hold it, and where parameters are trimmed none is "
                        "looked for. "
                      : "";
}

// The message when no equilibrium is found, with the body that is out of balance the most.
static hol_status fail(hol_search *f)
{
    const hol_equations *s = f->k->s;
    const hol_unbalanced *b = &f->out->balance;
    const char *worst = s->m->n_bodies ? s->m->body[b->body].name : "";
    const hol_status users = s->nz ? hol_start_fail_users(f->ctx, f->k, f->x) : HOL_OK;
    if (users) return users;
    const hol_status fault = hol_fault_report_at(f->k->s, f->x, "this pose", HOL_OK);
    if (fault) return fault;
    if (b->part <= 1 && f->rate > HOL_BALANCED)
        return hol_fail(
            f->ctx, HOL_ERR_INTEGRATION,
            "no equilibrium is found near the start: the forces balance, but states change at %.3g "
            "of their size in the natural time",
            f->rate);
    const double left = b->against > 0 ? b->left / b->against : b->left;
    char joints[200], friction[HOL_STICKING_TEXT], unheld[HOL_UNHELD_TEXT];
    if (hol_weak_joints(f->k, f->x, joints, sizeof joints))
        return hol_fail(
            f->ctx, HOL_ERR_INTEGRATION,
            "no equilibrium is found: the model comes to a singular pose, in which the equations of %s "
            "depend on each other, as where loops fold flat: the forces that hold it there have no limit "
            "(\"%s\" stays out of balance by %.3g of its size). Start nearer to another equilibrium",
            joints, worst, left);
    const double stiff = f->stiff; // as it was where it failed
    const hol_status said = say_unheld(f, unheld);
    if (said) return said;
    if (*unheld)
        return hol_fail(
            f->ctx, HOL_ERR_INTEGRATION,
            "no equilibrium is found: %s. %sHold it there, by a joint or a spring, balance that force by "
            "another, or let `static.trim` find the parameter that does",
            unheld, stops_said(s->m));
    if (f->hides)
        return hol_fail(
            f->ctx, HOL_ERR_INTEGRATION,
            "no equilibrium is found near the start: the forces on \"%s\" stay out of balance by %.3g of "
            "their size along a direction whose stiffness is below %.0e of the largest, %.3g N m by natural "
            "sizes, so that its rounding hides it. Make stiff forces softer, or joints of them",
            worst, left, HOL_SEARCH_BLIND, stiff);
    if (f->falls)
        return hol_fail(
            f->ctx, HOL_ERR_INTEGRATION,
            "no equilibrium is found at which the model stays: from one at which nothing stays it falls, and "
            "there the forces on \"%s\" stay out of balance by %.3g of their size. `static: {stable: no}` or "
            "--unstable takes the one it falls from",
            worst, left);
    return hol_fail(
        f->ctx, HOL_ERR_INTEGRATION,
        "no equilibrium is found near the start: the forces on \"%s\" stay out of balance by %.3g "
        "of their size. Is there one? %s%sStart nearer to it, or let the model come to rest with "
        "damping and look for it from there; steps of the search are up to %g of the natural length, %.3g m, "
        "which is too little where the way is long, and `length_scale` gives another one",
        worst, left, hol_sticking_said(s->m, f->x, friction), stops_said(s->m), FARTHEST, s->m->length_scale);
}

// States, vectors and matrices of the search.
static hol_status make_room(hol_search *f)
{
    const hol_equations *s = f->k->s;
    hol_equilibrium *e = f->out;
    hol_status st = hol_reduced_create_at_rest(f->ctx, f->k, &e->r);
    if (st) return st;
    const size_t n = (size_t)e->r.n, nq = (size_t)s->nq, d = (size_t)e->r.d;
    f->u = hol_calloc(f->ctx, 3 * nq + 3 * n + n * n + 1, sizeof *f->u);
    e->left = hol_calloc(f->ctx, n + 2 * d + d * d + 1, sizeof *e->left);
    if (!f->u || !e->left) return HOL_ERR_MEMORY;
    f->u_trial = f->u + nq;
    f->sizes = f->u_trial + nq;
    f->b_trial = f->sizes + nq;
    f->step = f->b_trial + n;
    f->correction = f->step + n;
    f->J = f->correction + n;
    f->b = e->left;
    e->stiffness = e->left + n;
    e->away = e->stiffness + d;
    e->shape = e->away + d;
    hol_state *const states[] = {&f->start, &f->trial, &f->kept};
    for (int i = 0; i < HOL_COUNT(states) && !st; i++) {
        st = hol_state_create(s, states[i]);
        if (!st) hol_state_copy(s, states[i], f->x);
    }
    return st;
}

// What is the search's own; all of it after a failure.
static void leave(hol_search *f, hol_status st)
{
    hol_state_destroy(&f->kept);
    hol_state_destroy(&f->start);
    hol_state_destroy(&f->trial);
    hol_free(f->u);
    if (st) hol_equilibrium_destroy(f->out);
}

// First Newton's method, then downhill from the same start.
static hol_status look_for(hol_search *f)
{
    hol_status st = newton(f);
    bool stays = true;
    if (!st) st = hol_search_stays(f, &stays);
    if (st < 0 || (!st && stays)) return st;
    f->falls = !st;
    hol_state_copy(f->k->s, f->x, &f->start);
    f->out->flowed = true;
    st = hol_search_flow(f);
    return st > 0 ? fail(f) : st;
}

// Equilibria are those of forces and of what holds: a pose behind a hard stop that does not is none (rest_at_stops.c goes on from there).
static hol_status check_stops(hol_search *f)
{
    const hol_model_data *m = f->k->s->m;
    for (int i = 0; i < m->n_events; i++) {
        const hol_event *v = &m->event[i];
        if (!v->impact || !hol_element_acts(&m->element[v->impact - 1], f->x->mem) ||
            hol_element_acts(&m->element[v->rest - 1], f->x->mem))
            continue;
        const double beyond = hol_equations_expression(f->k->s, f->x, v->when);
        if (!(beyond > HOL_RANGE_TOUCHES * hol_stop_size(m, v))) continue;
        f->out->behind = true;
        return hol_fail_at(
            f->ctx, HOL_ERR_INTEGRATION, v->at,
            "the forces balance behind the hard stop %s, where it is that holds: let a run come to rest "
            "there, "
            "give it a `stiffness` in place of `hard: yes`, or let the model begin on the side of another "
            "equilibrium",
            m->element[v->impact - 1].name);
    }
    return HOL_OK;
}

// Where rows depend on each other that do not elsewhere, neither forces nor what a motion would do are determined.
static hol_status check_pose(const hol_search *f)
{
    char joints[200];
    if (!hol_flat_joints(f->k, f->x, joints, sizeof joints)) return HOL_OK;
    return hol_fail(
        f->ctx, HOL_ERR_INTEGRATION,
        "no equilibrium is found: the forces balance in a singular pose, in which the equations of %s "
        "depend on each other, as where loops fold flat: neither the forces in them nor stability is "
        "determined there. Start nearer to another equilibrium",
        joints);
}

static hol_status too_many(hol_context *ctx, int d)
{
    return hol_fail(
        ctx, HOL_ERR_USAGE,
        "%d degrees of freedom: an equilibrium is looked for by dense matrices, up to %d. Let the "
        "model come to rest with damping",
        d, HOL_EQUILIBRIUM_MOST);
}

hol_status hol_equilibrium_find(hol_context *ctx, hol_kernel *k, hol_rank *rank, hol_state *x, bool stable,
                                hol_equilibrium *out)
{
    hol_search f = {.ctx = ctx, .k = k, .rank = rank, .x = x, .out = out, .stable = stable};
    const int d = k->s->nq - k->s->nc;
    memset(out, 0, sizeof *out);
    if (d > HOL_EQUILIBRIUM_MOST) return too_many(ctx, d);
    hol_status st = hol_kernel_need(k);
    if (!st) st = make_room(&f);
    if (!st) st = look_for(&f);
    if (!st && !out->r.noise) st = look_closely(&f);
    if (!st) st = check_stops(&f);
    if (!st) st = check_pose(&f);
    if (!st) st = hol_search_higher(&f);
    leave(&f, st);
    return st;
}

hol_status hol_equilibrium_look(hol_context *ctx, hol_kernel *k, hol_rank *rank, hol_state *x, bool aside,
                                hol_equilibrium *out)
{
    hol_search f = {.ctx = ctx, .k = k, .rank = rank, .x = x, .out = out};
    memset(out, 0, sizeof *out);
    hol_status st = hol_kernel_need(k);
    if (!st) st = make_room(&f);
    if (!st) st = hol_equilibrium_rest(k, x, f.u);
    if (!st) st = hol_search_look(&f);
    if (!st) st = look_closely(&f);
    if (!st) st = check_stops(&f);
    if (!st && aside) st = hol_search_higher(&f);
    leave(&f, st);
    return st;
}

void hol_equilibrium_destroy(hol_equilibrium *e)
{
    hol_reduced_destroy(&e->r);
    hol_free(e->left);
    e->left = e->stiffness = e->shape = e->away = NULL;
}

void hol_equilibrium_warn_of_trim(hol_context *ctx, const hol_model_data *m)
{
    if (!m->spec->n_trims) return;
    hol_note_at(ctx, HOL_WARNING, m->spec->trim[0].at,
                "static.trim: `holonom static` alone looks for values of parameters; here they stay as they "
                "are, and so does their equilibrium. Give the values that it finds, "
                "--set parameters.%s=..",
                m->spec->trim[0].name);
}

// For those who linearise there: with the accelerations, of which rounding is left.
hol_status hol_equilibrium_go(hol_context *ctx, hol_kernel *k, hol_rank *rank, hol_state *x)
{
    hol_equilibrium e = {0};
    if (k->s->nk)
        return hol_fail(ctx, HOL_ERR_USAGE,
                        "an equilibrium is not looked for in models with velocity constraints: they hold a "
                        "body at rest in more than one place");
    if (hol_equilibrium_is_driven(k, x))
        return hol_fail(ctx, HOL_ERR_USAGE, "there is no equilibrium: a driver moves at t = %.6g s", x->t);
    hol_equilibrium_warn_of_trim(ctx, k->s->m);
    const hol_status st = hol_equilibrium_find(ctx, k, rank, x, false, &e);
    if (!st) hol_equilibrium_destroy(&e);
    if (!st) hol_sticking_tell(ctx, k->s->m, x);
    return st ? st : hol_solve_accelerations(k, x);
}

// By accelerations along the directions, speeds and rates.
void hol_equilibrium_judge(const hol_reduced *r, const hol_state *x, double *b, hol_balance *out)
{
    const hol_equations *s = r->s;
    const double T = s->m->time_scale;
    double sum = 0;
    memset(out, 0, sizeof *out);
    for (int j = 0; j < r->e; j++) {
        b[j] = 0;
        for (int i = 0; i < s->nq; i++) b[j] += r->WV[(size_t)j * (size_t)s->nq + (size_t)i] * x->a[i];
        sum += b[j] * b[j];
    }
    out->residual = sqrt(sum);
    for (int i = 0; i < s->nq; i++) {
        out->speed = fmax(out->speed, fabs(x->v[i]) / s->q_size[i] * T);
        out->acceleration = fmax(out->acceleration, fabs(x->a[i]) / s->q_size[i] * T * T);
    }
    for (int k = 0; k < s->nx; k++) {
        b[r->e + k] = x->z[s->m->state[k].equation];
        out->rate = fmax(out->rate, fabs(b[r->e + k]) * T / (1 + fabs(x->X[k])));
    }
    out->found = out->speed < HOL_BALANCED && out->acceleration < HOL_BALANCED && out->rate < HOL_BALANCED;
}
