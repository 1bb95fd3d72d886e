// The way to a pose in which the joints close, from one that is far from it or singular. docs/theory.md, section 4.1.
// With all rows and natural sizes E and R of coordinates and rows a step is
//
//     [E^-2  Phi_q^T; Phi_q  -delta] [dq; mu] = [0; -Phi]        dq = -(E^-2 + Phi_q^T Phi_q/delta)^-1 Phi_q^T Phi/delta,
//
// that of Levenberg and Marquardt; delta follows whether |R^-1 Phi| becomes smaller.
#include "system/approach.h"

#include "system/tree_place.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 400 };
#define NEAR 1e-8  // |Phi_i| by natural size that Newton's method is left with
#define FIRST 1e-2 // delta, in units of Phi_q E^2 Phi_q^T
#define LEAST 1e-9 //
#define MOST 1e8   // no step is short enough: a minimum
#define EXPLODED 3 // |Phi_i| by natural size from which on the tree is tried first
#define STUCK 1e-9 // smallest part of |Phi| by which a step with a small delta must lower it

// |R^-1 Phi|^2, and the largest entry.
static double openness(hol_equations *s, const hol_state *x, double *phi, double *most)
{
    double sum = 0;
    *most = 0;
    hol_equations_residual(s, x, NULL, phi);
    for (int i = 0; i < s->nc; i++) {
        const double open = fabs(phi[i]) / s->row_size[i];
        sum += open * open;
        *most = hol_larger(open, *most);
    }
    return sum;
}

// Euler parameters of length 1: what a long step has made of them is a turn all the same.
static void normalise(const hol_equations *s, double *q)
{
    for (int b = 0; b < s->m->n_bodies; b++) {
        double *p = q + s->m->body[b].q + 3, sum = 0;
        if (s->m->body[b].frame != HOL_FRAME_SPATIAL) continue;
        for (int i = 0; i < 4; i++) sum += p[i] * p[i];
        for (int i = 0; i < 4 && sum > 0; i++) p[i] /= sqrt(sum);
    }
}

static hol_status find_step(hol_kernel *k, const hol_state *x, const double *phi, double delta, double *step)
{
    const hol_equations *s = k->s;
    hol_status st = hol_kernel_fill(k, x, 0, NULL);
    memset(step, 0, (size_t)s->n * sizeof *step);
    for (int i = 0; i < s->nc; i++) step[s->nf + i] = -phi[i];
    if (!st) st = hol_kkt_factor(k->A, delta);
    return st ? st : hol_kkt_solve(k->A, 1, step, 0);
}

hol_status hol_approach(hol_kernel *k, hol_state *x)
{
    hol_equations *s = k->s;
    hol_status st = hol_kernel_need(k);
    if (st) return st;
    double *phi = k->rhs, *step = k->work, *before = k->work + s->n, most, delta = FIRST;
    double open = openness(s, x, phi, &most);
    for (int i = 0; i < MOST_STEPS && most > NEAR; i++) {
        if (!isfinite(open) || delta > MOST) return HOL_RECOVERABLE;
        st = find_step(k, x, phi, delta, step);
        if (st < 0) return st;
        memcpy(before, x->q, (size_t)s->nq * sizeof *before);
        for (int j = 0; j < s->nq && !st; j++) x->q[j] += step[j];
        normalise(s, x->q);
        const double next = st ? HOL_INF : openness(s, x, phi, &most);
        if (next < open) {
            const bool stuck = delta <= FIRST && next > open * (1 - STUCK);
            open = next;
            if (stuck) return HOL_RECOVERABLE;
            delta = fmax(LEAST, delta / 5);
            continue;
        }
        memcpy(x->q, before, (size_t)s->nq * sizeof *before);
        open = openness(s, x, phi, &most);
        delta *= 4;
    }
    return most <= NEAR ? HOL_OK : HOL_RECOVERABLE;
}

static void disturb(const hol_equations *s, hol_state *x, double size, hol_random *dice)
{
    for (int i = 0; i < s->nq; i++) x->q[i] += size * s->q_size[i] * hol_random_uniform(dice);
    normalise(s, x->q);
}

// ---- many ways --------------------------------------------------------------------------------------------------

// One body of the joint that is open the most is turned: where Phi is a half turn off, no small step makes it smaller.
static void turn_worst(hol_kernel *k, hol_state *x, double angle, hol_random *dice)
{
    const hol_equations *s = k->s;
    int element;
    double size, *r = k->work;
    memset(r, 0, (size_t)s->n * sizeof *r);
    hol_equations_residual(k->s, x, NULL, r + s->nf);
    for (int i = 0; i < s->nc; i++) r[s->nf + i] /= s->row_size[i];
    hol_equations_worst(s, r, 1, &element, &size);
    if (element < 0) return;
    const hol_element *e = &s->m->element[element];
    const int pick = e->n_bodies > 1 && hol_random_uniform(dice) < 0;
    if (e->n_bodies) hol_turn_body(s->m, e->body[pick], angle, dice, x->q);
}

// The i-th pose to start from: as drawn, that beside it, along the tree, and then by turns the best one with a body turned and a tree of
// bodies turned at random.
static hol_status begin_at(hol_kernel *k, int i, bool exploded, const double *best, hol_random *dice,
                           hol_state *x, hol_approached *how)
{
    static const double disturbance[] = {0, 1e-3, 1e-1};
    enum { DISTURBED = HOL_COUNT(disturbance) };
    const hol_equations *s = k->s;
    const int tree = exploded ? 0 : DISTURBED; // the first way along the tree
    memcpy(x->q, s->m->q0, (size_t)s->nq * sizeof *x->q);
    *how = (hol_approached){.ways = i + 1};
    if (i == tree) {
        how->tree = true;
        return hol_place_along_tree(k->s, x, dice);
    }
    if (i <= DISTURBED) {
        how->disturbed = disturbance[i - exploded];
        if (how->disturbed > 0) disturb(s, x, how->disturbed, dice);
        return HOL_OK;
    }
    how->turned = true;
    if (i % 2) {
        memcpy(x->q, best, (size_t)s->nq * sizeof *x->q);
        turn_worst(k, x, i == DISTURBED + 1 ? 0.3 : HOL_PI * hol_random_uniform(dice), dice);
        return HOL_OK;
    }
    how->tree = true;
    for (int b = 0; b < s->m->n_bodies; b++)
        hol_turn_body(s->m, b, HOL_PI * hol_random_uniform(dice), dice, x->q);
    return hol_place_along_tree(k->s, x, dice);
}

hol_status hol_approach_far(hol_kernel *k, hol_state *x, hol_approached *how)
{
    enum {
        FEWEST = 8,
        MANY = 60,
        WORK = 20000,
        SAME = 6,
        DENSE_ENOUGH = 100000
    }; // ways; ways times coordinates
    hol_equations *s = k->s;
    hol_status st = hol_kernel_need(k);
    if (st) return st;
    const int few = WORK / s->nq, ways = s->nq > DENSE_ENOUGH ? 0
                                         : few > MANY         ? MANY
                                         : few < FEWEST       ? FEWEST
                                                              : few;
    double *best = hol_calloc(s->ctx, (size_t)s->nq + 1, sizeof *best), most, least;
    if (!best) return HOL_ERR_MEMORY;
    hol_random dice = {HOL_ASSEMBLY_SEED};
    int same = 0; // ways that have ended in the best pose: where they are many there is no better one
    least = openness(s, x, k->rhs, &most);
    memcpy(best, x->q, (size_t)s->nq * sizeof *best);
    const bool exploded = most > EXPLODED;
    st = HOL_RECOVERABLE;
    for (int i = 0; i < ways && st > 0 && same < SAME; i++) {
        st = begin_at(k, i, exploded, best, &dice, x, how);
        if (!st) st = hol_approach(k, x);
        const double open = st > 0 ? openness(s, x, k->rhs, &most) : 0;
        if (st <= 0) continue;
        same = open < least * (1 - 1e-6) ? 0 : same + (open < least * (1 + 1e-6));
        if (!(open < least)) continue;
        least = open;
        memcpy(best, x->q, (size_t)s->nq * sizeof *best);
    }
    if (st > 0) memcpy(x->q, best, (size_t)s->nq * sizeof *best);
    hol_free(best);
    return st;
}

// ---- bodies at one place ----------------------------------------------------------------------------------------

typedef struct {
    double at[3];
    int body;
} place;

#define SAME 1e-9 // by the length scale

static bool same_place(const place *p, const place *q)
{
    return p->at[0] == q->at[0] && p->at[1] == q->at[1] && p->at[2] == q->at[2];
}

static int by_place(const void *a, const void *b)
{
    const place *p = a, *q = b;
    for (int i = 0; i < 3; i++)
        if (p->at[i] < q->at[i] || p->at[i] > q->at[i]) return p->at[i] < q->at[i] ? -1 : 1;
    return p->body - q->body;
}

hol_status hol_bodies_at_one_place(const hol_equations *s, const double *q, int *count, int named[2])
{
    const hol_model_data *m = s->m;
    place *list = hol_calloc(s->ctx, (size_t)m->n_bodies + 1, sizeof *list);
    *count = 0;
    if (!list) return HOL_ERR_MEMORY;
    for (int b = 0; b < m->n_bodies; b++) {
        hol_real y[HOL_MAX_Y];
        hol_feature origin;
        for (int i = 0; i < m->body[b].size; i++) y[i] = q[m->body[b].q + i];
        hol_feature_eval(&m->marker[m->body[b].marker].marker, HOL_ORIGIN, y, NULL, 0, &origin);
        list[b].body = b;
        for (int i = 0; i < m->dimension; i++)
            list[b].at[i] = round(hol_re(origin.f[i]) / (SAME * m->length_scale));
    }
    qsort(list, (size_t)m->n_bodies, sizeof *list, by_place);
    for (int first = 0, b = 1; b <= m->n_bodies; b++) {
        if (b < m->n_bodies && same_place(&list[b], &list[first])) continue;
        if (b - first > 1 && b - first > *count) {
            *count = b - first;
            named[0] = list[first].body;
            named[1] = list[first + 1].body;
        }
        first = b;
    }
    hol_free(list);
    return HOL_OK;
}
