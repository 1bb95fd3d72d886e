// Where the stiffness along a direction vanishes, forces of higher order decide (docs/theory.md, section 20.3): poses a little aside, both
// ways, at which all else is in balance again. What drives back holds, what drives on does not.
#include "analysis/equilibrium_data.h"
#include "linalg/dense.h"
#include "linalg/vector.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MAX_RELAX = 12, LEVELS = 9, TURNS = 8 };
#define CLOSER 4.0   // each pose is nearer by this
#define SURE 10      // times what rounding leaves
#define BENDS 1e-6   // of the forces that cancel: a stiffness above it is none of a fold
#define SHRINKS 0.5  // of a correction, while others are to come
#define RELAXED 1e-9 // the last one, against the way aside

typedef struct {
    hol_search *f;
    int first, m;       // directions without stiffness: columns of e->shape
    double *aside;      // a direction among them                                      (m)
    double *force;      // that drives there                                           (m)
    double *seen, *sum; // forces both ways of each; G G^T                             (2 m x m), (m x m)
    double *turned;     // (d x m)
} view;

// f->step becomes the motion of `aside`, natural size 1.
static void set_step(const view *v)
{
    const hol_equilibrium *e = v->f->out;
    const int d = e->r.d;
    double *step = v->f->step;
    memset(step, 0, (size_t)e->r.n * sizeof *step);
    for (int j = 0; j < v->m; j++)
        for (int i = 0; i < d; i++)
            step[i] += v->aside[j] * e->shape[(size_t)(v->first + j) * (size_t)d + (size_t)i];
    const double size = hol_search_longest(v->f, step);
    for (int i = 0; i < d; i++) step[i] /= size;
}

// The correction of the trial state by all directions that have a stiffness.
static void correct(const view *v)
{
    hol_search *f = v->f;
    const hol_equilibrium *e = f->out;
    const int d = e->r.d;
    memset(f->correction, 0, (size_t)e->r.n * sizeof *f->correction);
    for (int j = 0; j < d; j++) {
        const bool soft = j >= e->negative && j < e->negative + e->neutral;
        if (soft || (j >= v->first && j < v->first + v->m)) continue;
        const double part = hol_search_along_shape(f, j, f->b_trial) / e->stiffness[j];
        for (int i = 0; i < d; i++) f->correction[i] += part * e->shape[(size_t)j * (size_t)d + (size_t)i];
    }
}

// The trial state `h` natural sizes aside, where the rest is in balance, and what drives there. HOL_RECOVERABLE: nothing is known of it.
static hol_status look_aside(view *v, double h)
{
    hol_search *f = v->f;
    double size = HOL_INF;
    set_step(v);
    hol_search_move(f, h);
    for (int i = 0;; i++) {
        const hol_status st = hol_equilibrium_rest(f->k, &f->trial, f->u_trial);
        if (st) return st;
        hol_search_left(f, &f->trial, f->u_trial, f->b_trial);
        correct(v);
        const double last = size;
        size = hol_search_longest(f, f->correction);
        if (i == MAX_RELAX || !(size < SHRINKS * last)) break;
        hol_search_go(f, &f->trial, 1, f->correction);
    }
    for (int j = 0; j < v->m; j++) v->force[j] = hol_search_along_shape(f, v->first + j, f->b_trial);
    return size <= RELAXED * h ? HOL_OK : HOL_RECOVERABLE;
}

// Forces that are less at `h` are rounding: that of stiff ones, which turn with the way, and of all that cancel.
static double blind(const view *v, double h)
{
    const hol_equilibrium *e = v->f->out;
    return fmax(SURE * (hol_search_rounding(v->f) * h + DBL_EPSILON * e->balance.against), e->hidden * h);
}

// Does it drive on along `aside`, or along what that becomes where one follows the force? Uphill methods for tensors, as Kolda and Mayo 2011.
static hol_status falls(view *v, double h, bool *on)
{
    const int m = v->m;
    hol_status st = HOL_OK;
    *on = false;
    for (int turn = 0; turn < TURNS && !st && !*on; turn++) {
        st = look_aside(v, h);
        const double along = hol_vector_dot(m, v->force, v->aside),
                     all = sqrt(hol_vector_dot(m, v->force, v->force));
        if (st || all <= blind(v, h)) break;
        *on = along > blind(v, h);
        if (*on || m == 1) break;
        double size = 0; // the shift makes what drives back the least come first
        for (int j = 0; j < m; j++) v->aside[j] = v->force[j] + 2 * all * v->aside[j];
        size = sqrt(hol_vector_dot(m, v->aside, v->aside));
        for (int j = 0; j < m; j++) v->aside[j] /= size;
    }
    return st;
}

static void point_along(view *v, int j, double sign)
{
    memset(v->aside, 0, (size_t)v->m * sizeof *v->aside);
    v->aside[j] = sign;
}

// The nearest pose aside along direction j, one way, at which forces are seen; 0: there is none. Its forces.
static hol_status find_nearest(view *v, int j, double sign, double *nearest, double *force)
{
    hol_status st = HOL_OK;
    double h = HOL_SEARCH_KICK;
    *nearest = 0;
    memset(force, 0, (size_t)v->m * sizeof *force);
    for (int level = 0; level < LEVELS && !st; level++, h /= CLOSER) {
        point_along(v, j, sign);
        st = look_aside(v, h);
        if (st || sqrt(hol_vector_dot(v->m, v->force, v->force)) <= blind(v, h)) break;
        *nearest = h;
        memcpy(force, v->force, (size_t)v->m * sizeof *force);
    }
    return st < 0 ? st : HOL_OK; // farther than what is known
}

// Directions that nothing holds come first, by the forces seen along all of them; those that are held are the others.
static hol_status part(view *v)
{
    hol_equilibrium *e = v->f->out;
    const int m = v->m, d = e->r.d;
    double *shape = e->shape + (size_t)v->first * (size_t)d, *values = v->force;
    for (int j = 0; j < 2 * m; j++) { // each by its size: orders differ
        double *one = v->seen + (size_t)j * (size_t)m;
        const double size = sqrt(hol_vector_dot(m, one, one));
        for (int i = 0; i < m && size > 0; i++) one[i] /= size;
    }
    for (int j = 0; j < m; j++)
        for (int i = 0; i < m; i++) {
            double sum = 0;
            for (int k = 0; k < 2 * m; k++)
                sum +=
                    v->seen[(size_t)k * (size_t)m + (size_t)i] * v->seen[(size_t)k * (size_t)m + (size_t)j];
            v->sum[(size_t)j * (size_t)m + (size_t)i] = sum;
        }
    const hol_status st = hol_dense_eigen_symmetric(v->f->ctx, m, v->sum, true, values);
    if (st) return st;
    memset(v->turned, 0, (size_t)d * (size_t)m * sizeof *v->turned);
    for (int j = 0; j < m; j++) {
        e->held += values[j] > HOL_SEARCH_SETTLED;
        for (int k = 0; k < m; k++)
            for (int i = 0; i < d; i++)
                v->turned[(size_t)j * (size_t)d + (size_t)i] +=
                    v->sum[(size_t)j * (size_t)m + (size_t)k] * shape[(size_t)k * (size_t)d + (size_t)i];
    }
    memcpy(shape, v->turned, (size_t)d * (size_t)m * sizeof *shape);
    return HOL_OK;
}

// All directions both ways; of the first along which it drives on, `away`.
static hol_status judge(view *v)
{
    hol_equilibrium *e = v->f->out;
    const int d = e->r.d;
    hol_status st = HOL_OK;
    bool on = false, any = false;
    for (int j = 0; j < 2 * v->m && !st && !on; j++) {
        double nearest;
        st = find_nearest(v, j / 2, j % 2 ? -1 : 1, &nearest, v->seen + (size_t)j * (size_t)v->m);
        if (st || nearest == 0) continue;
        any = true;
        e->reach = fmax(e->reach, nearest);
        point_along(v, j / 2, j % 2 ? -1 : 1);
        st = falls(v, nearest, &on);
        if (st > 0) st = HOL_OK;
    }
    if (st || !any) return st;
    if (!on) return part(v);
    set_step(v);
    e->falls = true;
    memcpy(e->away, v->f->step, (size_t)d * sizeof *e->away);
    return HOL_OK;
}

// ---- folds ------------------------------------------------------------------------------------------------------

// Room of a view of m directions from `first` on.
static hol_status open_view(hol_search *f, int first, int count, view *v)
{
    const size_t m = (size_t)count, d = (size_t)f->out->r.d;
    *v = (view){.f = f, .first = first, .m = count};
    v->aside = hol_calloc(f->ctx, 2 * m + 3 * m * m + d * m + 1, sizeof *v->aside);
    if (!v->aside) return HOL_ERR_MEMORY;
    v->force = v->aside + m;
    v->seen = v->force + m;
    v->sum = v->seen + 2 * m * m;
    v->turned = v->sum + m * m;
    return HOL_OK;
}

// How much of the stiffness along direction j may be made by where the pose is: forces bend by g'' along it, are rounding within
// sqrt(2 rounding/g'') of the fold, and change their stiffness by g'' times that.
static hol_status unsure_by_place(hol_search *f, int j, double *out)
{
    const double h = HOL_SEARCH_KICK / (CLOSER * CLOSER);
    view v;
    double sum = 0;
    hol_status st = open_view(f, j, 1, &v);
    *out = 0;
    for (int sign = -1; sign <= 1 && !st; sign += 2) {
        point_along(&v, 0, sign);
        st = look_aside(&v, h);
        sum += v.force[0]; // forces that bend drive to the same side on both
    }
    if (!st) *out = sqrt(2 * SURE * DBL_EPSILON * f->out->balance.against * fabs(sum)) / h;
    hol_free(v.aside);
    return st < 0 ? st : HOL_OK;
}

// Direction j becomes one without stiffness; the order stays.
static void take_neutral(hol_equilibrium *e, int j)
{
    const size_t d = (size_t)e->r.d;
    const bool softens = j < e->negative;
    const int to = softens ? e->negative - 1 : e->negative + e->neutral, step = softens ? 1 : -1;
    for (int k = j; k != to; k += step) {
        hol_vector_swap(1, e->stiffness + k, e->stiffness + k + step);
        hol_vector_swap(e->r.d, e->shape + (size_t)k * d, e->shape + (size_t)(k + step) * d);
    }
    e->negative -= softens;
    e->neutral++;
}

// At a fold, where two equilibria meet, what is left of a stiffness is rounding of the place.
static hol_status take_folds(hol_search *f)
{
    hol_equilibrium *e = f->out;
    hol_status st = HOL_OK;
    for (int j = 0; j < e->r.d && !st; j++) {
        const bool soft = j >= e->negative && j < e->negative + e->neutral;
        double unsure;
        if (soft || !(fabs(e->stiffness[j]) < BENDS * e->balance.against)) continue;
        st = unsure_by_place(f, j, &unsure);
        if (!st && fabs(e->stiffness[j]) < unsure) take_neutral(e, j);
    }
    return st;
}

// ---- all of it --------------------------------------------------------------------------------------------------

hol_status hol_search_higher(hol_search *f)
{
    hol_equilibrium *e = f->out;
    e->held = 0;
    e->falls = false;
    e->reach = 0;
    if (!e->symmetric || f->k->s->nx) return HOL_OK;
    view v;
    hol_status st = take_folds(f);
    if (st || !e->neutral) return st;
    st = open_view(f, e->negative, e->neutral, &v);
    if (!st) st = judge(&v);
    hol_free(v.aside);
    if (!st) st = hol_equilibrium_rest(f->k, f->x, f->u); // the factors are those of a trial
    return st > 0 ? HOL_OK : st;
}
