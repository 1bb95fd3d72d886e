// Steps that would pass over growth. docs/theory.md, section 9.4.
#include "analysis/growth.h"
#include "integrator/crossing.h"
#include "linalg/dense.h"

#include <limits.h>
#include <float.h>
#include <math.h>
#include <string.h>

enum {
    MOST = 100,  // degrees of freedom up to which growth is looked for: a few hundredths of a second
    EVERY = 100, // steps between looks, at least
    SOON = 10    // the same while it bounds the steps
};
#define FOLLOWED 0.5   // rate times step up to which a method follows growth (T 9.11)
#define BEYOND 709     // rate times length of the run: e^709 is the largest number
#define FAST 30        // rate times natural time: what falls over is slower, whatever the length of the run
#define SHRINK 0.1     // a step at most, from look to look
#define SHORTEST 1e-12 // of the run: steps are not bounded below
#define NEAR 0.5       // of the longest step
#define SUSPECT 0.02 // the same as FOLLOWED, of a rate known to the accuracy of differences: a look will tell

bool hol_growth_is_fast(const hol_model_data *m, double rate, double end)
{
    return rate * end > BEYOND && rate * m->time_scale > FAST;
}

void hol_growth_tell(hol_context *ctx, const hol_model_data *m, double rate, double step, double end)
{
    const bool passed = rate * step > FOLLOWED;
    if (!hol_growth_is_fast(m, rate, end) && !passed) return;
    hol_note(ctx, HOL_WARNING,
             "a motion grows with %.3g 1/s at the start, by e^%.3g in the run of %.4g s%s; is a sign wrong?",
             rate, rate * end, end, passed ? ", and the fixed steps are too long to follow that" : "");
}

// Explicit methods follow growth by themselves: their error test sees it. Steps as published are bounded by their error alone.
static bool damps(const hol_integrator *it)
{
    return it->tolerance > 0 && !(it->method->suits & HOL_SUITS_SMOOTH) && it->errors != HOL_ERRORS_PAPER;
}

// Where the linearised motion grows without bound, at a singular pose, steps become shorter by ten at most.
static void bound(const hol_growth *g, hol_integrator *it)
{
    if (!damps(it)) return;
    const double least = fmax(SHORTEST * it->end, SHRINK * (it->x.t - it->before.t));
    it->longest = g->rate > 0 ? fmax(FOLLOWED / g->rate, least) : HOL_INF;
}

// At a singular pose nothing is known; the last rate stays.
static hol_status look(hol_growth *g, hol_integrator *it)
{
    const double last = g->rate;
    bool near = false;
    hol_status st = hol_omega_growth_at(g->omega, it->s, &it->x, &g->rate);
    if (!st && g->rate * it->s->m->time_scale > FAST) st = hol_crossing_sees(it, &near);
    if (near) g->rate = last;
    g->age = 0;
    bound(g, it);
    return st == HOL_ERR_MEMORY ? st : HOL_OK;
}

// Room for the eigenvalues of the tangent that the method has anyway.
static hol_status make_room(hol_growth *g, const hol_integrator *it)
{
    int n = 0;
    if (!it->method->tangent) return HOL_OK;
    it->method->tangent(it, &n);
    g->room = hol_calloc(it->ctx, (size_t)n * (size_t)n + 6 * (size_t)n + 1, sizeof *g->room);
    return g->room ? HOL_OK : HOL_ERR_MEMORY;
}

// May steps be too long for what grows? The method's own tangent says no at a tenth of the price of a look.
static bool suspected(const hol_growth *g, const hol_integrator *it)
{
    int n;
    const double *A = g->room ? it->method->tangent(it, &n) : NULL;
    if (!A) return true;
    const size_t size = (size_t)n * (size_t)n;
    double *re = g->room + size, *im = re + n, growth = 0;
    memcpy(g->room, A, size * sizeof *A);
    if (hol_dense_eigenvalues(it->ctx, n, g->room, re, im, im + n)) return true;
    for (int k = 0; k < n; k++) growth = fmax(growth, re[k]);
    return growth * (it->x.t - it->before.t) > SUSPECT;
}

hol_status hol_growth_create(hol_integrator *it, const hol_rank *rank, hol_growth *g)
{
    const int freedom = it->s->nq - it->s->nc + it->s->nx;
    *g = (hol_growth){.every = freedom > EVERY / 10 ? 10 * freedom : EVERY};
    if (it->tolerance > 0 && !damps(it)) return HOL_OK;
    if (freedom > MOST || it->s->nq > 10 * MOST || rank->large_components) return HOL_OK;
    hol_status st = hol_omega_create(it->ctx, it->s, &g->omega);
    if (!st) st = make_room(g, it);
    if (!st) st = look(g, it);
    if (!st) hol_growth_tell(it->ctx, it->s->m, g->rate, it->tolerance > 0 ? 0 : it->h, it->end);
    return st;
}

void hol_growth_destroy(hol_growth *g)
{
    hol_omega_destroy(g->omega);
    hol_free(g->room);
    *g = (hol_growth){.omega = NULL};
}

hol_status hol_growth_watch(hol_growth *g, hol_integrator *it, bool anew)
{
    if (!g->omega || !damps(it)) return HOL_OK;
    const bool bounds = it->x.t - it->before.t > NEAR * it->longest;
    if (!anew && ++g->age < (bounds ? SOON : g->every)) return HOL_OK;
    if (anew || bounds || suspected(g, it)) return look(g, it);
    g->age = 0;
    return HOL_OK;
}

void hol_growth_archive(hol_growth *g, hol_integrator *it, hol_archive *a)
{
    hol_archive_number(a, &g->rate, 0, DBL_MAX);
    hol_archive_int(a, &g->age, 0, INT_MAX / 2);
    if (a->reading && !a->failed) bound(g, it);
}
